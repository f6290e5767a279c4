/* solvers/fc_piece.h - one contact in a step of Newton's method.
 *
 * With x = p - rho u, u = G p + c, every contact is on one piece of the map; its next p is affine
 * in the unknowns z of that piece, p = p_0 + E z, and satisfies T u = 0 in as many rows:
 *
 *     open   p = 0
 *     stick  p = z,                        u = 0
 *     slip   p = (z_1, mu z_1 t + z_2 s),  u_N = 0,  s.u_T + w z_2 = 0
 *
 * t = x_T / |x_T|, s normal to it, w = (|x_T| / (mu x_N) - 1) / rho_T.   [AC91] */
#ifndef SP_SOLVERS_FC_PIECE_H
#define SP_SOLVERS_FC_PIECE_H

#include "laws/set.h"

typedef struct sp_fc_piece {
    int m;                                     /* unknowns                         */
    int plain;                                 /* 1: E and T are the identity      */
    double E[SP_SET_DIM_MAX * SP_SET_DIM_MAX]; /* dim x m                          */
    double T[SP_SET_DIM_MAX * SP_SET_DIM_MAX]; /* m x dim                          */
    double w;                                  /* added to the last diagonal entry */
} sp_fc_piece;

/* Which piece a contact with the diagonal block G is on for p and u, or is said to be on (status,
 * SP_STATUS_UNKNOWN: nothing is said), and the fixed part p0 of its p. */
void sp_fc_piece_choose(const sp_set *s, const double *G, unsigned char status, const double *p,
                        const double *u, sp_fc_piece *q, double *p0);

/* B = T_i G_ij E_j  (m_i x m_j, rows ld numbers apart), G_ij dim x cols. */
void sp_fc_piece_reduce(const sp_fc_piece *i, const sp_fc_piece *j, int dim, int cols,
                        const double *G, double *B, int ld);

#endif
