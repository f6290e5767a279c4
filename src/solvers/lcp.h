/* solvers/lcp.h - the contact problem as linear complementarity problem, in three forms.
 *
 * Scaled by d_k = 1/sqrt(G_kk): P = d p, so that G has a unit diagonal and all pairs are in the
 * root of an energy, whatever the units; then divided by the largest |d c|.   theory (5.4)-(5.6)
 *
 * An interval is P = lo + P', with xi_L the part of xi that pushes P to its upper bound:
 *
 *     z = (P', xi_L),   w = (xi + xi_L, hi - lo - P')                          theory (5.9)
 *
 * one pair (P', xi) where hi = +inf, (hi - P, -xi) where lo = -inf, a bilateral row where both
 * are, none where lo = hi.  c then is c + G P0 with P0 the bound P is counted from. */
#ifndef SP_SOLVERS_LCP_H
#define SP_SOLVERS_LCP_H

#include "solvers/lemke.h"
#include "solvers/problem.h"

typedef enum {
    SP_LCP_3, /* z = (P_N, P_R, xi_L), w = (xi_N, xi_R, P_L), P_R = mu P_N + P_T, P_L = mu P_N -
               * P_T, xi_T = xi_R - xi_L: the form of [FLG10] eq. (85) with P_R
               * and P_L of step (vii) exchanged */
    SP_LCP_4  /* z = (P_N, P_T+, P_T-, sigma), w = (xi_N, xi_T + sigma, -xi_T + sigma,
               * mu P_N - P_T+ - P_T-): larger, but copositive for every mu                      */
} sp_lcp_form;

typedef struct sp_lcp {
    sp_lcp_form form;
    int n_contact, n;
    const sp_problem *p;
    double *d;    /* n: scale of each row                                              */
    double *c;    /* n: c + G P0                                                       */
    int *first;   /* n_contact: first pair of the contact, or number of its free row   */
    double scale; /* values of the LCP times this are the problem's                    */
    sp_lemke lemke;
    void *lemke_memory;
} sp_lcp;

size_t sp_lcp_bytes(int n_contact, int n);

/* Point into memory and compute the scales. */
void sp_lcp_place(sp_lcp *l, const sp_problem *p, void *memory);

/* Build one form and pivot; P (n) and status (n_contact) are read off the end of it, whatever it
 * is: the caller checks them. */
sp_lemke_end sp_lcp_solve(sp_lcp *l, sp_lcp_form form, double tol, double *P,
                          unsigned char *status);

/* Look for a proof as sp_lcp_proves takes it, by the linear program P in C, xi_N >= 0, xi_F = 0.
 * Returns 1 if y (n) was found and holds. */
int sp_lcp_infeasible(sp_lcp *l, double *y);

/* Does y (n) prove that there is no solution?
 *
 *     y_N >= 0,  y_T = 0,  y = 0 for intervals (y >= 0 if only hi, y <= 0 if only lo is infinite),
 *     c'y + sup { y'G P : P in C } < 0                                        theory (5.6), (5.10)
 *
 * whereas every solution has y'xi >= 0.  The supremum over the cones is 0 or does not exist. */
int sp_lcp_proves(const sp_problem *p, const double *y);

#endif
