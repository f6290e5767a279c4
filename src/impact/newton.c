#include "impact/newton.h"

#include <math.h>
#include <string.h>

size_t sp_impact_work(int n_contact_max, int n_max)
{
    return 2 * ((size_t)n_max + 1) * sizeof(double) + sp_solve_work(n_contact_max, n_max);
}

/* c = gamma_m + eps gamma_m; rows of no contact stay gamma_m. */
static void free_term(int n_contact, int n, const sp_set *set, const int *row,
                      const double *gamma_m, const double *eps_N, const double *eps_T, double *c)
{
    memcpy(c, gamma_m, (size_t)n * sizeof *c);
    for (int i = 0; i < n_contact; i++) {
        const int k = row[i];
        if (set[i].kind != SP_SET_FREE) {
            c[k] += eps_N[i] * gamma_m[k];
        }
        if (set[i].kind == SP_SET_PLANAR) {
            c[k + 1] += eps_T[i] * gamma_m[k + 1];
        }
    }
}

/* gamma_p = gamma_m + G Lambda, energy and its scale. */
static void end_velocities(const sp_problem *p, const double *gamma_m, sp_impact *impact)
{
    impact->energy = impact->energy_scale = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double jump = 0.0;
        for (int j = 0; j < p->n; j++) {
            jump += G[j] * impact->Lambda[j];
        }
        impact->gamma_p[k] = gamma_m[k] + jump;
        const double work = 0.5 * (impact->gamma_p[k] + gamma_m[k]) * impact->Lambda[k];
        impact->energy += work;
        impact->energy_scale += fabs(work);
    }
}

/* SP_E_INPUT unless all coefficients of restitution lie in [0, 1]. */
static sp_status check_restitution(int n_contact, const double *eps_N, const double *eps_T,
                                   sp_error *err)
{
    for (int i = 0; i < n_contact; i++) {
        if (!(eps_N[i] >= 0.0 && eps_N[i] <= 1.0)) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: eps_N = %g, expected 0 to 1", i, eps_N[i]);
        }
        if (!(eps_T[i] >= -1.0 && eps_T[i] <= 1.0)) {
            return SP_FAIL(err, SP_E_INPUT, "contact %d: eps_T = %g, expected -1 to 1", i,
                           eps_T[i]);
        }
    }
    return SP_OK;
}

sp_status sp_impact_newton(int n_contact, int n, const sp_set *set, const int *row, const double *G,
                           int ld, const double *gamma_m, const double *eps_N, const double *eps_T,
                           sp_impact *impact, void *work, sp_error *err)
{
    double *c = (double *)work;
    sp_problem p = {0};
    sp_solution s = {.P = impact->Lambda, .status = impact->status};
    impact->result = SP_NOT_SOLVED;
    impact->residual = NAN;
    SP_TRY(check_restitution(n_contact, eps_N, eps_T, err));
    free_term(n_contact, n, set, row, gamma_m, eps_N, eps_T, c);
    p.n_contact = n_contact;
    p.n = n;
    p.set = set;
    p.row = row;
    p.G = G;
    p.ld = ld;
    p.c = c;
    const sp_status status = sp_solve(&p, &s, c + 2 * ((n + 1) / 2), err);
    if (status != SP_OK) {
        memset(impact->Lambda, 0, (size_t)n * sizeof *impact->Lambda);
    }
    end_velocities(&p, gamma_m, impact);
    impact->residual = s.residual;
    impact->pivots = s.pivots;
    impact->method = s.method;
    impact->result = s.result;
    return status;
}
