#include "impact/energy.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The grid from which the search for s starts, and how often its last cell is halved. */
enum { GRID = 32, HALVINGS = 40 };
/* A factor below this is none: where no restitution has a solution round-off lets some pass. */
#define S_MIN 1e-6

void sp_impact_jump(const sp_impact_problem *p, const double *gamma, const double *Lambda,
                    double *gamma_end)
{
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double sum = gamma[k], terms = fabs(gamma[k]);
        for (int j = 0; j < p->n; j++) {
            sum += G[j] * Lambda[j];
            terms += fabs(G[j] * Lambda[j]);
        }
        gamma_end[k] = fabs(sum) <= DBL_EPSILON * (double)(p->n + 1) * terms ? 0.0 : sum;
    }
}

double sp_impact_returned(const sp_impact_problem *p, const sp_impact *impact, int i, int k)
{
    return impact->s * p->eps_N[i] * impact->s * p->eps_T[i] * impact->Lambda_C[k];
}

/* Work of row k: 1/2 (gamma_m + gamma_C) Lambda_C + 1/2 (gamma_C + gamma_p) Lambda_E, and the sum
 * of its absolute terms. */
static double work_of_row(const sp_impact_problem *p, const sp_impact *impact, int k, double *scale)
{
    const double before = p->gamma_m[k], middle = impact->gamma_C[k], after = impact->gamma_p[k];
    const double C = impact->Lambda_C[k], E = impact->Lambda[k] - C;
    *scale +=
        0.5 * ((fabs(before) + fabs(middle)) * fabs(C) + (fabs(middle) + fabs(after)) * fabs(E));
    return 0.5 * (before + middle) * C + 0.5 * (middle + after) * E;
}

/* Work that tangential restitution gives back in row k of contact i.   theory (11.14) */
static double work_returned(const sp_impact_problem *p, const sp_impact *impact, int i, int k)
{
    if (impact->law == SP_IMPACT_NEWTON) {
        return -0.5 * impact->s * p->eps_T[i] * p->gamma_m[k] * impact->Lambda[k];
    }
    return 0.5 * (impact->gamma_C[k] + impact->gamma_p[k]) * sp_impact_returned(p, impact, i, k);
}

sp_impact_energy sp_impact_share(const sp_impact_problem *p, const sp_impact *impact, int i)
{
    sp_impact_energy e = {0};
    const sp_set_kind kind = p->set[i].kind;
    const int N = p->row[i];
    const double first = work_of_row(p, impact, N, &e.scale);
    if (kind == SP_SET_FREE || kind == SP_SET_INTERVAL) {
        e.bilateral = first;
    } else {
        e.normal = first;
    }
    for (int k = N + 1; k < N + sp_set_dim(&p->set[i]); k++) {
        const double returned = work_returned(p, impact, i, k);
        e.restitution += returned;
        e.friction += work_of_row(p, impact, k, &e.scale) - returned;
    }
    e.total = e.normal + e.friction + e.restitution + e.bilateral;
    return e;
}

void sp_impact_book(const sp_impact_problem *p, sp_impact *impact)
{
    sp_impact_energy sum = {0};
    for (int i = 0; i < p->n_contact; i++) {
        const sp_impact_energy e = sp_impact_share(p, impact, i);
        sum.total += e.total;
        sum.normal += e.normal;
        sum.friction += e.friction;
        sum.restitution += e.restitution;
        sum.bilateral += e.bilateral;
        sum.scale += e.scale;
    }
    impact->energy = sum;
    impact->gained = sum.total > SP_IMPACT_NOISE * sum.scale;
}

/* What a factor is tried with. */
typedef struct trial {
    const sp_impact_problem *p;
    sp_impact_law law;
    const sp_impact_options *options;
    sp_impact *impact;
    void *work;
} trial;

/* Is there a solution with the factor s that does what is asked for?  At s = 0 energy is lost up to
 * round-off, and any solution will do.  No trial knows of those before: s alone decides. */
static bool good(const trial *t, double s, sp_status *status, sp_error *err)
{
    memset(t->impact->status, SP_STATUS_UNKNOWN, (size_t)t->p->n_contact);
    *status = sp_impact_at(t->p, t->law, t->options, s, t->impact, t->work, err);
    t->impact->solves++;
    if (*status != SP_OK) {
        return false;
    }
    if (s == 0.0) {
        return !t->impact->gained || !t->options->remedy_gain;
    }
    return t->impact->residual <= SP_SOLVE_TOL &&
           (t->impact->energy.total <= 0.0 || !t->options->remedy_gain);
}

sp_status sp_impact_scaled(const sp_impact_problem *p, sp_impact_law law,
                           const sp_impact_options *options, sp_impact *impact, void *work,
                           sp_error *err)
{
    const trial t = {p, law, options, impact, work};
    sp_status status = SP_OK;
    int k = GRID - 1;
    while (k >= 0 && !good(&t, (double)k / GRID, &status, err)) {
        k--;
    }
    if (k < 0) {
        return status == SP_OK ? SP_FAIL(err, SP_E_NOT_CONVERGED,
                                         "impact of %d contacts: kinetic energy grows by %.3g J "
                                         "even without restitution",
                                         p->n_contact, impact->energy.total)
                               : status;
    }
    double lo = (double)k / GRID, hi = (double)(k + 1) / GRID;
    for (int h = 0; h < HALVINGS; h++) {
        const double s = 0.5 * (lo + hi);
        if (good(&t, s, &status, NULL)) {
            lo = s;
        } else {
            hi = s;
        }
    }
    (void)good(&t, lo < S_MIN ? 0.0 : lo, &status, err);
    return status;
}
