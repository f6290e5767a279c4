/* impact/poisson.h - Poisson's impact law in two phases, with friction and tangential restitution.
 *
 *     compression   gamma_C = gamma_m + G Lambda_C,   -gamma_C in N_C(Lambda_C)     theory (11.4)
 *     expansion     gamma_p = gamma_C + G Lambda_E,   Lambda_NE >= eps_N Lambda_NC,
 *                   Lambda_TE between eps_N eps_T Lambda_TC and +-mu Lambda_NE      theory (11.6)
 */
#ifndef SP_IMPACT_POISSON_H
#define SP_IMPACT_POISSON_H

#include "impact/law.h"

/* Bytes behind those of sp_phase_bytes. */
size_t sp_poisson_bytes(int n_contact, int n);

/* Solve the impact with all coefficients times s; called through sp_impact_at, which checked p.
 * Fills Lambda, Lambda_C, gamma_C, gamma_p and how it was solved. */
sp_status sp_impact_poisson(const sp_impact_problem *p, const sp_impact_options *options, double s,
                            sp_impact *impact, void *work, sp_error *err);

#endif
