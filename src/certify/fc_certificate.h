/* certify/fc_certificate.h - how well P solves a contact problem of any size, from the definition.
 *
 *     xi = G P + c,   0 <= P_N perp xi_N >= 0,   |P_T| <= mu P_N,   P_T = -mu P_N xi_T / |xi_T|
 *
 * G is the problem's own: blocks or factors as they were given, never a copy that was made
 * symmetric.  Nothing here is used by a solver.  The rounding of xi counts as part of the defects:
 * percussions so large that c drowns in them solve nothing.  NaN or infinity in any input gives
 * NaN. */
#ifndef SP_CERTIFY_FC_CERTIFICATE_H
#define SP_CERTIFY_FC_CERTIFICATE_H

#include "laws/set.h"

#include <stddef.h>

typedef struct sp_fc_certificate {
    double scaled;      /* max_i |P_i - prox_{C_i}(P_i - rho_i xi_i)| / (rho_i size_i), no unit:
                         * rho_i = 1 / (largest diagonal entry of G_ii), size_i the largest sum of
                         * absolute terms of xi_i, at most 10 times what c is worth there        */
    double fclib;       /* |P - prox_K(P - xi~)| / |c|, xi~_N = xi_N + mu |xi_T|, unit parameter:
                         * the error of FCLIB and Siconos                                        */
    double penetration; /* max_i -xi_N / size_i                                                  */
    double cone;        /* max_i distance of P_i to its set / (rho_i size_i)                     */
    double gap_work;    /* max_i |P_N xi_N| / (rho_i size_i^2)                                   */
    double dissipation; /* max_i |mu P_N |xi_T| + P_T.xi_T| / (rho_i size_i^2)                   */
    double work;        /* P.xi_T summed: what friction takes, <= 0; in the problem's units      */
} sp_fc_certificate;

/* xi (n) and the largest sum of absolute terms of each contact (size, n_contact), and rho
 * (n_contact), from blocks in compressed rows; see solvers/fc.h for the arrays. */
void sp_certify_blocks(int n_contact, const sp_set *set, const int *row, const int *start,
                       const int *column, const size_t *at, const double *value, const double *c,
                       const double *P, double *xi, double *size, double *rho);

/* The same from factors G = H M^-1 H'; v: 2 dof[n_body] numbers of scratch. */
typedef struct sp_certify_factors {
    int n_body;
    const int *dof;
    const size_t *inverse;
    const double *M_inv;
    const int *start, *body;
    const size_t *at;
    const double *H;
} sp_certify_factors;
void sp_certify_bodies(int n_contact, const sp_set *set, const int *row,
                       const sp_certify_factors *F, const double *c, const double *P, double *xi,
                       double *size, double *rho, double *v);

/* All numbers of the certificate from xi, size and rho.  size is reduced to what c is worth. */
void sp_certify_fc(int n_contact, const sp_set *set, const int *row, const double *c,
                   const double *P, const double *xi, double *size, const double *rho,
                   sp_fc_certificate *out);

/* y'c + sup_{P in C} y'G P over the size of its terms, with y = 0 on friction and interval rows and
 * y_N >= 0 taken for granted where sign_ok comes back 1: negative (beyond round-off) means that no
 * P in C has xi_N >= 0 and xi_F = 0.  y'G P must be bounded: leak is how far G'y points out of the
 * polar cones, over the size of its terms.  t: n numbers of scratch. */
double sp_certify_infeasible(int n_contact, const sp_set *set, const int *row, const int *start,
                             const int *column, const size_t *at, const double *value,
                             const double *c, const double *y, double *t, double *leak,
                             int *sign_ok);

#endif
