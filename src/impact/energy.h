/* impact/energy.h - what an impact does to the kinetic energy, and the largest common factor of its
 * coefficients that does no harm. */
#ifndef SP_IMPACT_ENERGY_H
#define SP_IMPACT_ENERGY_H

#include "impact/law.h"

/* gamma_end = gamma + G Lambda (n), round-off taken for zero. */
void sp_impact_jump(const sp_impact_problem *p, const double *gamma, const double *Lambda,
                    double *gamma_end);

/* The share of contact i in the energy of a solved impact.   theory (11.13), (11.14) */
sp_impact_energy sp_impact_share(const sp_impact_problem *p, const sp_impact *impact, int i);

/* Fill impact->energy and impact->gained from velocities and impulses. */
void sp_impact_book(const sp_impact_problem *p, sp_impact *impact);

/* The tangential impulse eps_N eps_T Lambda_TC that row k of contact i gives back at least. */
double sp_impact_returned(const sp_impact_problem *p, const sp_impact *impact, int i, int k);

/* Solve the impact with the largest common factor s < 1 of all coefficients that has a solution
 * and, if options->remedy_gain, no gain of kinetic energy: a grid of 1/32 from above, then
 * bisection; what is returned was solved with this very s.   theory (11.15)
 *
 * For feasibility alone the set of good s is an interval from 0, and the largest is found; where
 * the energy goes up and down with s within 1/32, another one may be missed.  SP_OK, or the status
 * of s = 0. */
sp_status sp_impact_scaled(const sp_impact_problem *p, sp_impact_law law,
                           const sp_impact_options *options, sp_impact *impact, void *work,
                           sp_error *err);

#endif
