#include "dynamics/bushing_plane.h"

#include "kinematics/spot.h"

#include <math.h>

/* Displacement and turn of the second mark in the axes of the first, and where it is: from the
 * origins of both bodies, world axes. */
typedef struct apart {
    const sp_frame *a, *b;
    sp_rot R; /* of the first mark */
    sp_vec x, r_a, r_b;
    double phi;
} apart;

/* The axes of a mark, as a turn of its body's. */
static sp_rot mark_axes(const sp_frame *f, const sp_mark *mark)
{
    const double c = mark->axes[0], s = mark->axes[3];
    return mark->turned ? (sp_rot){f->R.c * c - f->R.s * s, f->R.s * c + f->R.c * s} : f->R;
}

static apart find_apart(const sp_kin *kin, const sp_force_numbers *n)
{
    apart p = {.a = &kin->frame[n->mark[0].body], .b = &kin->frame[n->mark[1].body]};
    p.R = mark_axes(p.a, &n->mark[0]);
    p.r_b = sp_rotate(p.b->R, sp_vec_of(n->mark[1].at));
    p.r_a = sp_add(sp_sub(p.b->x, p.a->x), p.r_b);
    p.x = sp_rotate_back(p.R, sp_sub(p.r_a, sp_rotate(p.a->R, sp_vec_of(n->mark[0].at))));
    if (n->bushing.stiffness[5] != 0.0) {
        const sp_rot S = mark_axes(p.b, &n->mark[1]);
        p.phi = atan2(p.R.c * S.s - p.R.s * S.c, p.R.c * S.c + p.R.s * S.s);
    }
    return p;
}

static sp_vec each(const double *k, sp_vec x)
{
    return (sp_vec){k[0] * x.x, k[1] * x.y};
}

bool sp_bushing_plane_takes(const sp_kin *kin, const sp_force_numbers *n)
{
    for (int k = 0; k < 2; k++) {
        const sp_mark *m = &n->mark[k];
        if (kin->frame3 || (kin->deforms && kin->deforms[m->body]) ||
            (m->turned && m->axes[8] != 1.0)) {
            return false;
        }
    }
    return true;
}

/* A force at the end of an arm and a moment join the forces on a body. */
static void push(const sp_frame *f, sp_vec r, sp_vec force, double moment, sp_wrench *w)
{
    const sp_vec arm = sp_add(f->own, r);
    w->f = sp_add(w->f, force);
    w->m += sp_cross(arm, force) + moment;
}

static void note(const sp_kin *kin, int line, int body, sp_vec x, sp_vec force, double moment,
                 sp_dyn *dyn)
{
    dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                               .share = SP_DAMPERS,
                                               .at = sp_spot_on(kin, body, sp_spot_lift(x)),
                                               .force = sp_spot_lift(force),
                                               .moment = sp_spot_lift_spin(moment)};
}

/* F on the second body, -F on the first at the same place, and M, -M.   theory (96.1) */
void sp_bushing_plane(const sp_kin *kin, const sp_force_numbers *n, int line, sp_dyn *dyn,
                      sp_element *out)
{
    const double *k = n->bushing.stiffness, *d = n->bushing.damping;
    const apart p = find_apart(kin, n);
    const sp_vec v = sp_sub(sp_kin_velocity_off(p.b, p.r_b), sp_kin_velocity_off(p.a, p.r_a));
    const double omega = p.b->omega - p.a->omega;
    const sp_vec f[2] = {each(k, p.x), each(d, sp_rotate_back(p.R, v))};
    const double M[2] = {-k[5] * p.phi, -d[5] * omega};
    const int a = n->mark[0].body, b = n->mark[1].body;
    out->force = sp_length(sp_add(f[0], f[1]));
    out->moment = fabs(M[0] + M[1]);
    for (int s = SP_CONSERVATIVE; s <= SP_DAMPERS; s++) {
        if (!dyn->acts[s]) {
            continue;
        }
        const sp_vec F = sp_rotate(p.R, sp_scale(-1.0, f[s]));
        push(p.b, p.r_b, F, M[s], &dyn->wrench[s][b]);
        push(p.a, p.r_a, sp_scale(-1.0, F), -M[s], &dyn->wrench[s][a]);
        out->power[s] = sp_inner(F, v) + M[s] * omega;
        if (s == SP_DAMPERS) {
            const sp_vec x = sp_add(p.b->x, p.r_b);
            note(kin, line, b, x, F, M[s], dyn);
            note(kin, line, a, x, sp_scale(-1.0, F), -M[s], dyn);
        }
    }
}

double sp_bushing_plane_energy(const sp_kin *kin, const sp_force_numbers *n)
{
    const double *k = n->bushing.stiffness;
    const apart p = find_apart(kin, n);
    return 0.5 * (k[0] * p.x.x * p.x.x + k[1] * p.x.y * p.x.y + k[5] * p.phi * p.phi);
}
