/* solvers/fc_four.h - four contacts at a time, one in each lane of a vector.
 *
 *     u_i = H_i y + c_i,   p_i <- solution of contact i alone,   y += H_i' dp_i     theory:
 * fc_pile.h
 *
 * The four share no body, so that the lanes do not see each other.  Plain vector types of the
 * compiler: the same operations in the same order with any instruction set, hence the same bits. */
#ifndef SP_SOLVERS_FC_FOUR_H
#define SP_SOLVERS_FC_FOUR_H

#include "laws/set.h"

/* Velocities of a body, and how far apart bodies lie in memory. */
enum { SP_FC_BODY_DOF = 6, SP_FC_BODY_STEP = 8, SP_FC_LANES = 4 };

/* Rows in the coordinates y of the bodies and what the local solver needs, scaled so that the
 * largest diagonal entry of G is 1.  Lanes and rows that are not used are zero, G is one there. */
typedef struct sp_fc_four {
    _Alignas(32) double H[2][3][SP_FC_BODY_DOF][SP_FC_LANES]; /* side, row, coordinate            */
    double G[6][SP_FC_LANES], stick[6][SP_FC_LANES];          /* 00 01 02 11 12 22, and inverse   */
    double c[3][SP_FC_LANES], mu[SP_FC_LANES];
    int body[2][SP_FC_LANES]; /* the last body, which stands still, where there is none */
} sp_fc_four;

/* What sweeps do not look at in the usual case. */
typedef struct sp_fc_four_more {
    _Alignas(32) double tangent[3][SP_FC_LANES]; /* of spheres: the second row of the frame */
    double d[SP_FC_LANES];                       /* P = d p                                 */
    sp_set set[SP_FC_LANES];                     /* scaled                                  */
    int contact[SP_FC_LANES];                    /* in the problem, -1: none                */
    int dim[SP_FC_LANES];
    int plain; /* 1: all contacts are discs that are not shifted */
} sp_fc_four_more;

/* Bodies' coordinates; ground is the number of the last one. */
typedef double sp_fc_bodies[SP_FC_BODY_STEP];

/* One sweep over n fours: p (3 rows of 4 lanes each) and y change. */
void sp_fc_four_sweep(int n, const sp_fc_four *f, const sp_fc_four_more *more, int ground,
                      sp_fc_bodies *y, double *p);

/* u = H y + c of one four (3 rows of 4 lanes). */
void sp_fc_four_see(const sp_fc_four *f, const sp_fc_bodies *y, double *u);

/* y += H'p of n fours. */
void sp_fc_four_push(int n, const sp_fc_four *f, int ground, sp_fc_bodies *y, const double *p);

#endif
