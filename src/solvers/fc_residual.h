/* solvers/fc_residual.h - the two measures of a whole problem, in its own units. */
#ifndef SP_SOLVERS_FC_RESIDUAL_H
#define SP_SOLVERS_FC_RESIDUAL_H

#include "solvers/fc.h"

/* Both measures of P (n) with xi = G P + c (n), terms from sp_fc_velocity_terms, rho and worth from
 * sp_fc_scales.  The rounding of xi counts as part of the defect.  NaN if a number is not finite.
 */
void sp_fc_residuals(const sp_fc *p, const double *P, const double *xi, const double *terms,
                     const double *rho, double worth, double *scaled, double *fclib);

/* rho_i = 1 / (largest diagonal entry of G_ii); with p->G the diagonal blocks too, -1: none (NULL
 * without p->G).  Returns what c is worth, max_j |c_j| sqrt(rho_j),
 * where with p->G c_j comes with the terms of shifts and of intervals that do not hold zero: ten
 * times that over sqrt(rho_i) is the most a size counts. */
double sp_fc_scales(const sp_fc *p, double *rho, int *diag);

/* xi = G P + c (n) and terms_i = max over rows of |c| + sum |G| |P| (without p->G: |c| + sum |H|
 * |v| with the bodies' velocities v).  scratch: as for sp_fc_velocity. */
void sp_fc_velocity_terms(const sp_fc *p, const double *P, double *xi, double *terms,
                          double *scratch);

#endif
