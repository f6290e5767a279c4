#include "kinematics/kin3.h"

#include "kinematics/body3.h"

void sp_kin3_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                        sp_kin *kin)
{
    sp_body3_place(m, num, q, i, kin);
}

void sp_kin3_move_body(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    sp_body3_move(m, u, i, kin);
}

void sp_kin3_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin)
{
    kin->frame3[SP_GROUND] = (sp_frame3){.R = sp_rot3_one()};
    for (int i = 1; i < m->n_body; i++) {
        sp_body3_place(m, num, q, i, kin);
    }
}

void sp_kin3_velocities(const sp_model *m, const double *u, sp_kin *kin)
{
    for (int i = 1; i < m->n_body; i++) {
        sp_body3_move(m, u, i, kin);
    }
}

void sp_kin3_bias(const sp_model *m, const double *u, sp_kin *kin)
{
    for (int i = 1; i < m->n_body; i++) {
        sp_body3_bend(m, u, i, kin);
    }
}
