/* impact/newton.h - Newton's impact law with Coulomb friction, for all contacts at once.
 *
 *     xi = gamma_p + s eps gamma_m,    -xi_i in N_{C_i}(Lambda_i)                    theory (11.2)
 */
#ifndef SP_IMPACT_NEWTON_H
#define SP_IMPACT_NEWTON_H

#include "impact/law.h"
#include "solvers/solutions.h"

/* Solve the impact with all coefficients times s; called through sp_impact_at, which checked p.
 * Fills Lambda, Lambda_C, gamma_C, gamma_p and how it was solved. */
sp_status sp_impact_newton(const sp_impact_problem *p, const sp_impact_options *options, double s,
                           sp_impact *impact, void *work, sp_error *err);

/* Count the motions of the impact just solved whose friction depends on the speed of sliding, in
 * the plane: n_motion, complete, in_doubt.  The sets of p have the coefficients that belong to its
 * speeds; Lambda stays as it is.   theory section 52 */
void sp_impact_newton_count(const sp_impact_problem *p, const sp_speeds *law, sp_impact *impact,
                            void *work);

#endif
