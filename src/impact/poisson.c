#include "impact/poisson.h"

#include "base/aligned.h"
#include "impact/energy.h"
#include "impact/expansion.h"
#include "impact/phase.h"

#include <math.h>
#include <string.h>

/* A tangential impulse below this part of the normal one is none: with dependent contacts it is
 * known to the tolerance of the solver over the term of proximal steps (11.42).  The law does not
 * jump there (11.7). */
#define NO_FRICTION 1e-9

size_t sp_poisson_bytes(int n_contact, int n)
{
    const size_t planar = sp_expansion_bytes(n_contact, n);
    const size_t space = sp_expansion_spatial_bytes(n_contact, n);
    return sp_aligned(3 * (size_t)n * sizeof(double)) +
           sp_aligned((size_t)n_contact * sizeof(int)) + (planar > space ? planar : space);
}

/* Length of the tangential impulse of compression of contact i. */
static double sliding(const sp_impact_problem *p, const double *Lambda_C, int i)
{
    const int N = p->row[i];
    return sp_set_dim(&p->set[i]) == 3 ? hypot(Lambda_C[N + 1], Lambda_C[N + 2])
                                       : fabs(Lambda_C[N + 1]);
}

/* What is given back at least, and to which side; false if nothing is.   theory (11.5) */
static bool give_back(const sp_impact_problem *p, const sp_impact *impact, sp_expansion *x)
{
    bool any = false;
    memset(x->least, 0, (size_t)p->n * sizeof *x->least);
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set_kind kind = p->set[i].kind;
        const int N = p->row[i], dim = sp_set_dim(&p->set[i]);
        x->side[i] = 0;
        if (kind == SP_SET_FREE || kind == SP_SET_INTERVAL) {
            continue;
        }
        const double normal = impact->Lambda_C[N] > 0.0 ? impact->Lambda_C[N] : 0.0;
        x->least[N] = impact->s * p->eps_N[i] * normal;
        any = any || x->least[N] > 0.0;
        if (dim > 1 &&
            sliding(p, impact->Lambda_C, i) > NO_FRICTION * fmin(p->set[i].mu, 1.0) * normal) {
            x->side[i] = impact->Lambda_C[N + 1] < 0.0 ? -1 : 1;
            for (int k = N + 1; k < N + dim; k++) {
                x->least[k] = sp_impact_returned(p, impact, i, k);
            }
        }
    }
    return any;
}

sp_status sp_impact_poisson(const sp_impact_problem *p, const sp_impact_options *options, double s,
                            sp_impact *impact, void *work, sp_error *err)
{
    const size_t n = (size_t)p->n;
    sp_phase f;
    sp_phase_place(&f, p, work);
    double *Lambda_E = (double *)f.rest;
    sp_expansion x = {.p = p, .set = f.set, .gamma_C = impact->gamma_C, .watch = options->watch};
    x.least = Lambda_E + n;
    x.gamma_0 = x.least + n;
    x.side = (int *)(void *)((char *)f.rest + sp_aligned(3 * n * sizeof(double)));
    void *scratch = (char *)(void *)x.side + sp_aligned((size_t)p->n_contact * sizeof(int));
    impact->s = s;

    /* gamma_C = gamma_m + G Lambda_C */
    memcpy(f.c, p->gamma_m, n * sizeof *f.c);
    SP_TRY(sp_phase_solve(p, options, &f, impact->Lambda_C, impact, scratch, err));
    sp_impact_jump(p, p->gamma_m, impact->Lambda_C, impact->gamma_C);

    /* gamma_p = gamma_C + G Lambda_E; without restitution nothing is left to do */
    memset(Lambda_E, 0, n * sizeof *Lambda_E);
    memset(x.gamma_0, 0, n * sizeof *x.gamma_0);
    if (give_back(p, impact, &x)) {
        if (options->prescribed) {
            SP_TRY(sp_expansion_prescribe(&x, scratch, err));
        }
        SP_TRY(sp_phase_spatial(p)
                   ? sp_expansion_spatial(&x, impact->Lambda_C, Lambda_E, impact, scratch, err)
                   : sp_expansion_planar(&x, Lambda_E, impact, scratch, err));
    }
    sp_impact_jump(p, impact->gamma_C, Lambda_E, impact->gamma_p);
    for (size_t k = 0; k < n; k++) {
        impact->Lambda[k] = impact->Lambda_C[k] + Lambda_E[k];
    }
    return SP_OK;
}
