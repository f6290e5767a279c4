#include "kinematics/bounds.h"

#include "expr/bounds.h"
#include "kinematics/spot.h"

#include <math.h>

bool sp_kin_bounds_room(sp_arena *arena, const sp_model *m, sp_kin_bounds *b)
{
    size_t most = 0;
    for (int i = 0; i < m->n_motion; i++) {
        const sp_program *p = m->motion[i].func.program;
        const size_t n = p ? sp_program_bounds_work(p) : 0;
        most = n > most ? n : most;
    }
    b->node = SP_NEW(arena, double, (SP_CHEB_MAX + 1) * (size_t)m->n_dof);
    b->u = SP_NEW(arena, double, m->n_dof);
    b->range = SP_NEW(arena, double, m->n_dof);
    b->body = SP_NEW(arena, sp_kin_bound, m->n_body);
    b->work = SP_NEW(arena, double, most / sizeof(double) + 1);
    return b->node && b->u && b->range && b->body && b->work;
}

/* |T_k| <= 1; formulas by interval arithmetic.   theory (66.22) */
void sp_kin_bound_velocities(const sp_model *m, double from, double to, sp_kin_bounds *b)
{
    for (int k = 0; k < m->n_dof; k++) {
        double value[SP_CHEB_MAX + 1];
        for (int i = 0; i <= SP_CHEB_MAX; i++) {
            value[i] = b->node[i * m->n_dof + k];
        }
        const sp_cheb p = sp_cheb_fit(SP_CHEB_MAX, from, to, value, 0.0);
        const double off = p.c[0] - sp_cheb_lowest(&p, 1.0);
        b->range[k] = 2.0 * off;
        b->u[k] = fabs(p.c[0]) + off;
    }
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion *motion = &m->motion[i];
        if (motion->func.program) {
            const sp_bounds f = sp_program_bounds(motion->func.program, from, to, NULL, b->work);
            const sp_span s = motion->speed ? f.f : f.d;
            b->range[motion->dof] = s.hi - s.lo;
            b->u[motion->dof] = fmax(-s.lo, s.hi);
        }
    }
}

/* What the motions of one joint do against its parent, at most. */
typedef struct joint_bound {
    double v, a, omega, alpha;
} joint_bound;

static joint_bound joint_of(const sp_model *m, const sp_kin *kin, int body, double dt,
                            const double *u, const double *range)
{
    const sp_body *b = &m->body[body];
    joint_bound j = {0.0, 0.0, 0.0, 0.0};
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        const bool turns = m->dof[k].slide == SP_NONE;
        const sp_axis3 axis = sp_spot_axis(m, kin, k);
        const double along = turns ? sp_length3(axis.s) : 1.0, rate = 2.0 * range[k] / dt;
        j.v += along * u[k];
        j.a += along * rate;
        j.omega += turns ? u[k] : 0.0;
        j.alpha += turns ? rate : 0.0;
    }
    if (b->track) { /* its curvature there and nearby, as for curves   (66.6) */
        j.a += 2.0 * sp_length(kin->bend[b->dof]) * u[b->dof] * u[b->dof];
    }
    return j;
}

void sp_kin_bound_bodies(const sp_model *m, const sp_kin *kin, double dt, sp_kin_bounds *b)
{
    sp_kin_bound *bound = b->body;
    bound[SP_GROUND] = (sp_kin_bound){0.0, 0.0, 0.0, 0.0};
    for (int i = 1; i < m->n_body; i++) {
        const sp_kin_bound *on = &bound[m->body[i].parent];
        const joint_bound j = joint_of(m, kin, i, dt, b->u, b->range);
        const sp_vec3 pivot = sp_spot_pivot(kin, i);
        const double own = sp_length3(sp_sub3(sp_spot_frame_place(kin, i), pivot));
        const double arm =
            sp_length3(sp_sub3(pivot, sp_spot_frame_place(kin, m->body[i].parent))) + j.v * dt;
        const double omega = on->omega + j.omega;
        const double alpha = on->alpha + j.alpha + (m->dim == 3 ? omega * j.omega : 0.0);
        bound[i] = (sp_kin_bound){
            .v = on->v + on->omega * arm + j.v + omega * own,
            .a = on->a + (on->alpha + on->omega * on->omega) * arm + 2.0 * on->omega * j.v + j.a +
                 (alpha + omega * omega) * own,
            .omega = omega,
            .alpha = alpha,
        };
    }
}
