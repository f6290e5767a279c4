/* solvers/fc_rigid.h - four contacts of rigid bodies at a time.
 *
 *     u = D (v_a + w_a x r_a - v_b - w_b x r_b) + c,
 *     v += f / m,  w += J^-1 (r x f),  f = D'dp  (the opposite for body b)
 *
 * Rows H = [D, r x D] of both bodies follow from one frame D and two arms r. */
#ifndef SP_SOLVERS_FC_RIGID_H
#define SP_SOLVERS_FC_RIGID_H

#include "solvers/fc.h"
#include "solvers/fc_four.h"
#include "solvers/fc_measure.h"

/* Scaled so that the largest diagonal entry of G is 1; lanes that are not used are zero, G is one
 * there.  y of the bodies are their velocities and spins. */
typedef struct sp_fc_rigid {
    _Alignas(32) double D[3][3][SP_FC_LANES]; /* row, coordinate             */
    double arm[2][3][SP_FC_LANES];
    double G[6][SP_FC_LANES]; /* 00 01 02 11 12 22           */
    double c[3][SP_FC_LANES], mu[SP_FC_LANES];
    int body[2][SP_FC_LANES];
} sp_fc_rigid;

/* 1 / m, then J^-1: 00 01 02 11 12 22, of every body; all zero for the ground. */
typedef double sp_fc_inertia[SP_FC_BODY_STEP];

/* Arms of contact i of p (0 where there is no body); 0 if its rows are not those of a disc between
 * rigid bodies. */
int sp_fc_rigid_arms(const sp_fc *p, int i, double (*arm)[3]);

/* Inertia of body b of p; 0 if it is none of a rigid body. */
int sp_fc_rigid_inertia(const sp_fc *p, int b, double *inertia);

/* A sweep over n fours: p (3 rows of 4 lanes each) and y change; y of p added to what is there. */
void sp_fc_rigid_sweep(int n, const sp_fc_rigid *f, const sp_fc_four_more *more,
                       const sp_fc_inertia *inertia, int ground, sp_fc_bodies *y, double *p);
void sp_fc_rigid_push(int n, const sp_fc_rigid *f, const sp_fc_inertia *inertia, int ground,
                      sp_fc_bodies *y, const double *p);

/* Add n fours to the measure. */
void sp_fc_rigid_measure(int n, const sp_fc_rigid *f, const sp_fc_four_more *more,
                         const sp_fc_bodies *y, const double *p, sp_fc_sum *sum);

#endif
