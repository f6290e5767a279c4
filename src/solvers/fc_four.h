/* solvers/fc_four.h - four contacts at a time, one in each lane of a vector.
 *
 * The four share no body, so that the lanes do not see each other.  Plain vector types of the
 * compiler: the same operations in the same order with any instruction set, hence the same bits. */
#ifndef SP_SOLVERS_FC_FOUR_H
#define SP_SOLVERS_FC_FOUR_H

#include "laws/set.h"

/* Velocities of a body, and how far apart bodies lie in memory. */
enum { SP_FC_BODY_DOF = 6, SP_FC_BODY_STEP = 8, SP_FC_LANES = 4 };

/* What sweeps do not look at in the usual case. */
typedef struct sp_fc_four_more {
    _Alignas(32) double tangent[3][SP_FC_LANES]; /* of spheres: the second row of the frame */
    double d[SP_FC_LANES];                       /* P = d p                                 */
    sp_set set[SP_FC_LANES];                     /* scaled                                  */
    int contact[SP_FC_LANES];                    /* in the problem, -1: none                */
    int dim[SP_FC_LANES];                        /* 3, or 0: none                           */
} sp_fc_four_more;

/* Bodies' coordinates; ground is the number of the last one. */
typedef double sp_fc_bodies[SP_FC_BODY_STEP];

#endif
