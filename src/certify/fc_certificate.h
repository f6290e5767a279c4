/* certify/fc_certificate.h - how well P solves a contact problem of any size, from the definition.
 *
 *     xi = G P + c,   0 <= P_N perp xi_N >= 0,   |P_T| <= mu P_N,   P_T = -mu P_N xi_T / |xi_T|
 *
 * G is the problem's own: blocks as they were given, never a copy that was made symmetric.  Nothing
 * here is used by a solver.  The rounding of xi counts as part of the defects: percussions so large
 * that c drowns in them solve nothing.  NaN or infinity in any input gives NaN. */
#ifndef SP_CERTIFY_FC_CERTIFICATE_H
#define SP_CERTIFY_FC_CERTIFICATE_H

#include "laws/fc_problem.h"

#include <stdbool.h>

/* Defects of certify/defect.h over the sizes of impulses rho_i size_i and energies rho_i size_i^2:
 * rho_i = 1 / (largest diagonal entry of G_ii); size_i the largest sum of absolute terms of xi_i,
 * at most 10 times what c is worth there, at least xi_scale of the problem.   theory (11.41) */
typedef struct sp_fc_certificate {
    double scaled;      /* natural map                                                           */
    double fclib;       /* |P - prox_K(P - xi~)| / |c|, xi~_N = xi_N + mu |xi_T|, unit parameter:
                         * the error of FCLIB and Siconos                                        */
    double penetration; /* max_i -xi_N / size_i                                                  */
    double cone;        /* distance to the sets                                                  */
    double gap_work;    /* P_N xi_N                                                              */
    double dissipation; /* what is missing to the largest dissipation                            */
    double work;        /* P.xi_T summed: what friction takes, <= 0; in the problem's units      */
} sp_fc_certificate;

/* Numbers of scratch for the functions below. */
size_t sp_certify_fc_scratch(const sp_fc *p);

/* All numbers of the certificate of P (n) for a problem with blocks.  scratch: out, xi (n), then
 * size and rho (n_contact each). */
void sp_certify_fc(const sp_fc *p, const double *P, double *scratch, sp_fc_certificate *out);

/* Does y (n) prove that no P in the sets has xi_N >= 0 and xi_F = 0?
 *
 *     y_N >= 0,  y = 0 on friction and interval rows,  y'c + sup_{P in C} y'G P < 0
 *
 * the last beyond 1e-6 of its terms, with y'G P bounded: G'y points out of the polar cones by less
 * than 1e-7 of its terms. */
bool sp_certify_infeasible(const sp_fc *p, const double *y, double *scratch);

#endif
