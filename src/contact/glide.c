/* contact/glide.c - velocities along a contact that has no rows for them. */
#include "contact/con.h"
#include "kinematics/point.h"

#include <math.h>

/* The velocity at u - du of the point x of a body, in the plane.   theory (2.7) */
static sp_vec move_in_plane(const sp_model *m, const sp_kin *kin, int body, sp_vec x,
                            const double *u, const double *du)
{
    sp_vec v = sp_kin_drift_at(&kin->frame[body], x);
    for (int k = m->body[body].last_dof; k != SP_NONE; k = m->layout.dof[k].parent) {
        v = sp_axpy(v, du ? u[k] - du[k] : u[k], sp_kin_column(m, kin, k, x));
    }
    return v;
}

/* The same in space, where what is prescribed is part of u. */
static sp_vec3 move_in_space(const sp_model *m, const sp_kin *kin, int body, sp_vec3 x,
                             const double *u, const double *du)
{
    sp_vec3 v = {0.0, 0.0, 0.0};
    for (int k = m->body[body].last_dof; k != SP_NONE; k = m->layout.dof[k].parent) {
        v = sp_axpy3(v, du ? u[k] - du[k] : u[k], sp_point_column(m, kin, k, x));
    }
    return v;
}

double sp_con_glide(const sp_model *m, const sp_con *con, int a, const double *u, const double *du)
{
    const sp_slot *s = &m->slot[con->active[a]];
    if (sp_con_by_rule(s)) {
        return 0.0;
    }
    if (sp_con_in_space(s)) {
        const sp_contact_frame3 *f = &con->frame3[a];
        const sp_vec3 v = sp_sub3(move_in_space(m, con->kin, f->body[0], f->point[0], u, du),
                                  move_in_space(m, con->kin, f->body[1], f->point[1], u, du));
        return hypot(sp_inner3(f->t[0], v), sp_inner3(f->t[1], v));
    }
    const sp_contact_frame *f = &con->frame[a];
    const sp_vec v = sp_sub(move_in_plane(m, con->kin, s->body_a, f->point[0], u, du),
                            move_in_plane(m, con->kin, s->body_b, f->point[1], u, du));
    return sp_inner(f->t, v);
}
