/* solvers/fc_residual.h - the two measures of a whole problem, in its own units. */
#ifndef SP_SOLVERS_FC_RESIDUAL_H
#define SP_SOLVERS_FC_RESIDUAL_H

#include "solvers/fc.h"

/* Both measures of P (n) with xi = G P + c (n), and terms, rho, worth from sp_fc_sizes.  The
 * rounding of xi counts as part of the defect.  NaN if a number is not finite. */
void sp_fc_residuals(const sp_fc *p, const double *P, const double *xi, const double *terms,
                     const double *rho, double worth, double *scaled, double *fclib);

/* rho_i = 1 / (largest diagonal entry of G_ii); terms_i = max over rows of |c| + sum |G| |P|
 * (without p->G: |c| + sum |H| |v|, v the dof[n_body] velocities of the bodies).  Returns 10 times
 * what c is worth, 10 max_j |c_j| sqrt(rho_j): over sqrt(rho_i) it is the most a size counts. */
double sp_fc_sizes(const sp_fc *p, const double *P, const double *v, double *rho, double *terms);

#endif
