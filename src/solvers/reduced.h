/* solvers/reduced.h - the linear system that is left when the status of every contact is known.
 *
 *   open    P_N = P_T = 0                     no unknown
 *   stick   xi_N = 0, xi_T = 0                two unknowns P_N, P_T
 *   slip    xi_N = 0, P_T = -sign(xi_T) mu P_N  one unknown P_N
 *   slip of an interval: P = lo or hi         no unknown, a known force
 *
 * Unknown x_b acts as P = e_r x_b + f e_t x_b with r = r[b], t = t[b], f = f[b] (f = 0 unless it
 * slips); its equation is row r of xi = G P + c = 0, with the known forces P_K of intervals:
 *
 *     A x = -c_r - G_rK P_K,      A_ab = G[r_a][r_b] + f_b G[r_a][t_b] */
#ifndef SP_SOLVERS_REDUCED_H
#define SP_SOLVERS_REDUCED_H

#include "math/dense.h"
#include "solvers/problem.h"

typedef struct sp_reduced {
    int m;            /* unknowns                                  */
    int *r, *t;       /* m, see above                              */
    double *f;        /* m                                         */
    int n_known;      /* known forces                              */
    int *known;       /* n_known: their rows                       */
    int *at_N, *at_T; /* n_contact: P_N = x[at_N], P_T = f_T x[at_T]                  */
    double *f_T;      /* n_contact                                 */
    double *x;        /* m unknowns; x[-1] = 0, below it the known forces: x[-2], x[-3] ...  */
    double *d;        /* m: scale of the unknowns                  */
    double *b;        /* m, scratch                                */
    sp_lu lu;
    void *lu_memory;
} sp_reduced;

size_t sp_reduced_bytes(int n_contact, int n);

/* Let the arrays point into memory for n_contact contacts and n rows. */
void sp_reduced_place(sp_reduced *w, int n_contact, int n, void *memory);

/* Read the unknowns off the status. */
void sp_reduced_unknowns(const sp_problem *p, const unsigned char *status, sp_reduced *w);

/* Unknowns w->x of the status by elimination without pivoting.  Returns 0 if a pivot is lost (A
 * singular, nearly so, or indefinite) or m > 8: then use sp_reduced_careful. */
int sp_reduced_fast(const sp_problem *p, sp_reduced *w);

/* P (n, out) from the unknowns w->x. */
void sp_reduced_expand(const sp_problem *p, const sp_reduced *w, double *P);

/* P of the status as the least-norm solution (in units where G has a unit diagonal) with complete
 * pivoting and refinement; pivots below tol count as zero.  P is the start if from_P, else zero.
 * Returns the number of unknowns minus the rank. */
int sp_reduced_careful(const sp_problem *p, sp_reduced *w, double tol, int from_P, double *P);

#endif
