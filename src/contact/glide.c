/* contact/glide.c - velocities along a contact that has no rows for them. */
#include "contact/con.h"

#include <math.h>

/* The velocity of a spot at u - du.   theory (2.22) */
static sp_vec3 velocity_at(const sp_model *m, const sp_con *con, const sp_spot *s, const double *u,
                           const double *du)
{
    sp_vec3 v = {0.0, 0.0, 0.0};
    const sp_path *p = &con->kin->path[0];
    const int n = sp_spot_columns(m, con->kin, s, p->sup, p->v, p->w);
    for (int i = 0; i < n; i++) {
        const int k = p->sup[i];
        v = sp_axpy3(v, du ? u[k] - du[k] : u[k], p->v[i]);
    }
    return v;
}

double sp_con_glide(const sp_model *m, const sp_con *con, int a, const double *u, const double *du)
{
    const sp_slot *s = &m->slot[con->active[a]];
    if (s->is.rule) {
        return 0.0;
    }
    if (s->is.space) {
        const sp_contact_frame3 *f = &con->frame3[a];
        const sp_spot x = sp_frame3_spot(con->kin, f, 0), y = sp_frame3_spot(con->kin, f, 1);
        const sp_vec3 v = sp_sub3(velocity_at(m, con, &x, u, du), velocity_at(m, con, &y, u, du));
        return hypot(sp_inner3(f->t[0], v), sp_inner3(f->t[1], v));
    }
    const sp_contact_frame *f = &con->frame[a];
    const sp_spot x = sp_con_spot(con->kin, f, 0), y = sp_con_spot(con->kin, f, 1);
    const sp_vec3 v = sp_sub3(velocity_at(m, con, &x, u, du), velocity_at(m, con, &y, u, du));
    return sp_inner3(sp_spot_lift(f->t), v);
}
