/* impact/newton.h - Newton's impact law with planar Coulomb friction, for all contacts at once.
 *
 *     gamma_p = gamma_m + G Lambda,    xi = gamma_p + eps gamma_m,    -xi_i in N_{C_i}(Lambda_i)
 *                                                                                    theory (5.7)
 */
#ifndef SP_IMPACT_NEWTON_H
#define SP_IMPACT_NEWTON_H

#include "solvers/problem.h"

/* What an impact came to. */
typedef struct sp_impact {
    double *Lambda;        /* n, out                                                    */
    double *gamma_p;       /* n, out: relative velocities after                         */
    unsigned char *status; /* n_contact, in: guess (SP_STATUS_UNKNOWN if none), out     */
    double energy;         /* change of kinetic energy 1/2 (gamma_p + gamma_m).Lambda   *
                            * (no moving boundary: w~ = 0); > 0: the law gained energy  */
    double energy_scale;   /* 1/2 sum |(gamma_p + gamma_m) Lambda|: to judge the sign   */
    double residual;       /* as sp_solution                                            */
    int pivots;
    const char *method;
    sp_solve_result result;
} sp_impact;

/* Bytes of scratch, alignment of double. */
size_t sp_impact_work(int n_contact_max, int n_max);

/* Solve the impact.
 *   set, row    n_contact: sets and first rows;  n: rows in total
 *   G           n x n, row-major, leading dimension ld
 *   gamma_m     n: relative velocities before
 *   eps_N, eps_T  n_contact; a bilateral row takes no restitution
 * Status as sp_solve; then gamma_p = gamma_m and Lambda = 0 unless SP_OK. */
sp_status sp_impact_newton(int n_contact, int n, const sp_set *set, const int *row, const double *G,
                           int ld, const double *gamma_m, const double *eps_N, const double *eps_T,
                           sp_impact *impact, void *work, sp_error *err);

#endif
