/* kinematics/kin3.h - the functions of kin.h in space, which calls them there. */
#ifndef SP_KINEMATICS_KIN3_H
#define SP_KINEMATICS_KIN3_H

#include "kinematics/kin.h"

void sp_kin3_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                        sp_kin *kin);
void sp_kin3_move_body(const sp_model *m, const double *u, int i, sp_kin *kin);
void sp_kin3_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin);
void sp_kin3_velocities(const sp_model *m, const double *u, sp_kin *kin);
void sp_kin3_bias(const sp_model *m, const double *u, sp_kin *kin);

#endif
