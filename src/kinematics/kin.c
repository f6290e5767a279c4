/* kinematics/kin.c - frames of all bodies, in the plane or in space. */
#include "kinematics/frames.h"

void sp_kin_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                       sp_kin *kin)
{
    m->dim == 3 ? sp_space_place_body(m, num, q, i, kin) : sp_plane_place_body(m, num, q, i, kin);
}

void sp_kin_move_body(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    m->dim == 3 ? sp_space_move_body(m, u, i, kin) : sp_plane_move_body(m, u, i, kin);
}

void sp_kin_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin)
{
    m->dim == 3 ? sp_space_positions(m, num, q, kin) : sp_plane_positions(m, num, q, kin);
}

void sp_kin_velocities(const sp_model *m, const double *u, sp_kin *kin)
{
    m->dim == 3 ? sp_space_velocities(m, u, kin) : sp_plane_velocities(m, u, kin);
}

void sp_kin_bias(const sp_model *m, const double *u, sp_kin *kin)
{
    m->dim == 3 ? sp_space_bias(m, u, kin) : sp_plane_bias(m, u, kin);
}
