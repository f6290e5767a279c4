/* kinematics/frames.h - the functions of kin.h in the plane and in space, which it calls. */
#ifndef SP_KINEMATICS_FRAMES_H
#define SP_KINEMATICS_FRAMES_H

#include "kinematics/kin.h"

#define SP_FRAMES(where)                                                                           \
    void where##_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,      \
                            sp_kin *kin);                                                          \
    void where##_move_body(const sp_model *m, const double *u, int i, sp_kin *kin);                \
    void where##_positions(const sp_model *m, const sp_numbers *num, const double *q,              \
                           sp_kin *kin);                                                           \
    void where##_velocities(const sp_model *m, const double *u, sp_kin *kin);                      \
    void where##_bias(const sp_model *m, const double *u, sp_kin *kin);

SP_FRAMES(sp_plane)
SP_FRAMES(sp_space)

#endif
