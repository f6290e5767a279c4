/* kinematics/coords.c - memory of the frames, and coordinates moved along velocities. */
#include "kinematics/flex.h"

bool sp_kin_alloc(sp_arena *arena, const sp_model *m, sp_kin *kin)
{
    bool ok = true;
    *kin = (sp_kin){.frame = NULL};
    for (int i = 0; i < 2; i++) {
        sp_path *p = &kin->path[i];
        *p = (sp_path){SP_NEW(arena, int, m->n_dof), SP_NEW(arena, sp_vec3, m->n_dof),
                       SP_NEW(arena, sp_vec3, m->n_dof)};
        ok = ok && p->sup && p->v && p->w;
    }
    if (m->layout.mixed) {
        ok = sp_flex_alloc(arena, m, kin) && ok;
    }
    if (m->dim == 3) {
        kin->frame3 = SP_NEW(arena, sp_frame3, m->n_body);
        kin->axis3 = SP_NEW(arena, sp_axis3, m->n_dof);
        if (kin->frame3) {
            kin->frame3[SP_GROUND].R = sp_rot3_one();
        }
        return ok && kin->frame3 && kin->axis3;
    }
    kin->frame = SP_NEW(arena, sp_frame, m->n_body);
    kin->axis = SP_NEW(arena, sp_vec, m->n_dof);
    if (m->layout.tracks) {
        kin->bend = SP_NEW(arena, sp_vec, m->n_dof);
        kin->work = SP_NEW(arena, double, m->expr_work);
        ok = ok && kin->bend && kin->work;
    }
    if (m->layout.follows) {
        kin->alpha = SP_NEW(arena, double, m->n_body);
        ok = ok && kin->alpha;
    }
    if (kin->frame) {
        kin->frame[SP_GROUND].R = (sp_rot){1.0, 0.0};
    }
    return ok && kin->frame && kin->axis;
}

/* Without balls every velocity is the rate of the coordinate of the same number. */
static bool is_straight(const sp_model *m)
{
    return m->n_q == m->n_dof;
}

void sp_kin_advance(const sp_model *m, double dt, const double *u, double *q)
{
    if (is_straight(m)) {
        for (int k = 0; k < m->n_dof; k++) {
            q[k] += dt * u[k];
        }
        return;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        if (dof->move != SP_MOVE_BALL) {
            q[dof->q] += dt * u[k];
        } else if (dof->part == 0) {
            const sp_quat step = sp_quat_exp(sp_scale3(dt, sp_vec3_of(u + k)));
            sp_quat_store(sp_quat_unit(sp_quat_mul(sp_quat_of(q + dof->q), step)), q + dof->q);
        }
    }
}

void sp_kin_rate(const sp_model *m, const double *q, const double *u, double *q_rate)
{
    if (is_straight(m)) {
        for (int k = 0; k < m->n_dof; k++) {
            q_rate[k] = u[k];
        }
        return;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        if (dof->move != SP_MOVE_BALL) {
            q_rate[dof->q] = u[k];
        } else if (dof->part == 0) {
            const sp_quat rate = sp_quat_rate(sp_quat_of(q + dof->q), sp_vec3_of(u + k));
            sp_quat_store(rate, q_rate + dof->q);
        }
    }
}
