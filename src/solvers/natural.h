/* solvers/natural.h - xi = G P + c and the scaled natural-map residual solvers stop on. */
#ifndef SP_SOLVERS_NATURAL_H
#define SP_SOLVERS_NATURAL_H

#include "solvers/problem.h"

/* Move raw into the sets, which gives P, compute xi = G P + c, and return
 *
 *     max_i |G_i (P_i - prox_{C_i(P_i)}(P_i - xi_i / G_i))| / s_i,  G_i the diagonal, row by row
 *     s_i = max over the rows k of contact i of |c_k| + sum_j |G_kj P_j|, at least xi_scale,
 *           at most 10 sqrt(G_kk) max_j |c_j| / sqrt(G_jj): huge forces excuse nothing
 *           (with c_j the terms of the nearest points of intervals that do not hold zero)
 *
 * in velocity units over velocity units: no choice of units, of masses or of lengths changes it.
 * NaN if G or c hold NaN or infinity; NaN in raw is taken for some point of the set.
 * P (n, may be raw), xi (n), size (n): out. */
double sp_natural_residual(const sp_problem *p, const double *raw, double *P, double *xi,
                           double *size);

/* xi = G P + c, n rows. */
void sp_natural_xi(const sp_problem *p, const double *P, double *xi);

#endif
