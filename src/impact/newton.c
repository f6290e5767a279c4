#include "impact/newton.h"

#include "impact/energy.h"
#include "impact/phase.h"

#include <string.h>

/* c = gamma_m + s eps gamma_m; free rows and intervals stay gamma_m. */
static void free_term(const sp_impact_problem *p, double s, double *c)
{
    memcpy(c, p->gamma_m, (size_t)p->n * sizeof *c);
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set_kind kind = p->set[i].kind;
        const int k = p->row[i];
        if (kind == SP_SET_FREE || kind == SP_SET_INTERVAL) {
            continue;
        }
        c[k] += s * p->eps_N[i] * p->gamma_m[k];
        for (int a = 1; a < sp_set_dim(&p->set[i]); a++) {
            c[k + a] += s * p->eps_T[i] * p->gamma_m[k + a];
        }
    }
}

sp_status sp_impact_newton(const sp_impact_problem *p, const sp_impact_options *options, double s,
                           sp_impact *impact, void *work, sp_error *err)
{
    sp_phase f;
    sp_phase_place(&f, p, work);
    free_term(p, s, f.c);
    SP_TRY(sp_phase_solve(p, options, &f, impact->Lambda_C, impact, f.rest, err));
    memcpy(impact->Lambda, impact->Lambda_C, (size_t)p->n * sizeof *impact->Lambda);
    sp_impact_jump(p, p->gamma_m, impact->Lambda, impact->gamma_p);
    memcpy(impact->gamma_C, impact->gamma_p, (size_t)p->n * sizeof *impact->gamma_p);
    return SP_OK;
}

void sp_impact_newton_count(const sp_impact_problem *p, const sp_speeds *law, sp_impact *impact,
                            void *work)
{
    sp_phase f;
    sp_impact_problem used = *p;
    used.eps_N = impact->eps_N ? impact->eps_N : p->eps_N;
    sp_phase_place(&f, &used, work);
    free_term(&used, impact->s, f.c);
    const sp_problem q = sp_phase_problem(p, &f, NULL);
    sp_solution s = {.P = impact->Lambda,
                     .status = impact->status,
                     .residual = impact->residual,
                     .pivots = impact->pivots,
                     .method = impact->method,
                     .result = impact->result};
    sp_phase_count(&q, law, &s, impact, f.rest);
}
