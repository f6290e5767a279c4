/* dynamics/formula.h - coordinates given by energies, or by M and h, instead of bodies.
 *
 *     T(q, u, t), V(q, t), D(q, u, t), Q(q, u, t):   d/dt dT/du - dT/dq + dV/dq + dD/du = Q */
#ifndef SP_DYNAMICS_FORMULA_H
#define SP_DYNAMICS_FORMULA_H

#include "dynamics/dyn.h"

/* Their block of M and their shares of h at (t, q, u); power that explicit time feeds into T and V
 * is put into dyn->explicit_power.   theory (3.20)-(3.24) */
void sp_formula_terms(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn);

/* The shares of h alone; M stays. */
void sp_formula_forces(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn);

/* Add their energies: the part of T that is quadratic in the velocities, V, and 1/2 u^T M u by the
 * second derivatives of T.   theory (3.24) */
void sp_formula_energies(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn,
                         sp_energy *energy);

/* Their potential energy V, J. */
double sp_formula_potential(const sp_model *m, double t, const double *q, const double *u,
                            sp_dyn *dyn);

#endif
