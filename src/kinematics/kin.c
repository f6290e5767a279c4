#include "kinematics/kin.h"

#include "kinematics/body.h"
#include "kinematics/kin3.h"

void sp_kin_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                       sp_kin *kin)
{
    if (m->dim == 3) {
        sp_kin3_place_body(m, num, q, i, kin);
        return;
    }
    sp_body_turn(m, num, q, i, false, false, kin);
    sp_body_place(m, num, q, i, false, kin);
}

void sp_kin_move_body(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    if (m->dim == 3) {
        sp_kin3_move_body(m, u, i, kin);
        return;
    }
    sp_body_move(m, u, i, false, kin);
}

void sp_kin_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin)
{
    if (m->dim == 3) {
        sp_kin3_positions(m, num, q, kin);
        return;
    }
    kin->frame[SP_GROUND] = (sp_frame){.R = {1.0, 0.0}};
    for (int i = 1; i < m->n_body; i++) {
        sp_body_turn(m, num, q, i, false, false, kin);
        sp_body_place(m, num, q, i, false, kin);
    }
}

void sp_kin_velocities(const sp_model *m, const double *u, sp_kin *kin)
{
    if (m->dim == 3) {
        sp_kin3_velocities(m, u, kin);
        return;
    }
    for (int i = 1; i < m->n_body; i++) {
        sp_body_move(m, u, i, false, kin);
    }
}

void sp_kin_bias(const sp_model *m, const double *u, sp_kin *kin)
{
    if (m->dim == 3) {
        sp_kin3_bias(m, u, kin);
        return;
    }
    for (int i = 1; i < m->n_body; i++) {
        sp_body_bend(m, u, i, false, kin);
    }
}
