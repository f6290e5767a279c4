/* solvers/solutions_confirm.c - what a search finds is a solution only if it is one as exactly as
 * the solver's own.   theory (49.1) */
#include "solvers/solutions_parts.h"

#include "base/aligned.h"
#include "solvers/natural.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS };

/* Forces a million times larger than the velocities leave so much, however exactly they are solved:
 * such a motion is counted, and taken only at SP_SOLVE_TOL. */
#define COUNTS (10.0 * SP_SOLVE_TOL)

#define EXACT    1e-13 /* residuals below are round-off, of the velocities       */
#define WORSE    1e3   /* times that of the solution at hand is still as exact    */
#define ROUNDING 1e-14 /* of the largest term of a velocity: what it may be off by */

bool sp_island_confirm(const sp_island *k, double *p, unsigned char *status, void *work)
{
    sp_set set[ROWS];
    for (int i = 0; i < k->n_contact; i++) { /* in the units of the island */
        const int N = k->row[i], dim = sp_set_dim(&k->set[i]);
        set[i] = k->set[i];
        set[i].lo = k->lo[N];
        set[i].hi = k->hi[N];
        set[i].mu = dim > 1 ? k->mu[N + 1] : 0.0;
        set[i].mu_2 = dim > 2 ? k->mu[N + 2] : 0.0;
    }
    const sp_problem island = {.n_contact = k->n_contact,
                               .n = k->n,
                               .set = set,
                               .row = k->row,
                               .G = k->A,
                               .ld = k->n,
                               .c = k->c,
                               .xi_scale = k->size,
                               .space = k->of->space};
    sp_solution s = {.P = p, .status = status, .method = "enumeration"};
    (void)sp_solve_refine(&island, &s, work);
    return s.residual <= COUNTS;
}

/* ---- the whole ------------------------------------------------------------------------------ */

size_t sp_first_bytes(int n_contact_max, int n_max)
{
    return sp_aligned(2 * (size_t)n_max * sizeof(double)) + sp_aligned((size_t)n_contact_max);
}

sp_first sp_first_keep(const sp_problem *p, const sp_solution *s, void *memory)
{
    sp_first first = {.P = (double *)memory, .s = *s};
    char *at = (char *)memory + sp_aligned(2 * (size_t)p->n * sizeof(double));
    first.xi = first.P + p->n;
    first.status = (unsigned char *)at;
    first.rest = at + sp_aligned((size_t)p->n_contact);
    memcpy(first.P, s->P, (size_t)p->n * sizeof *first.P);
    memcpy(first.status, s->status, (size_t)p->n_contact);
    return first;
}

/* Whether P moves as xi says, row by row in units in which G has a unit diagonal. */
static bool moves_so(const sp_problem *p, const double *P, const double *xi)
{
    double size = 0.0, apart = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        const double unit = G[k] != 0.0 ? 1.0 / sqrt(fabs(G[k])) : 1.0;
        double now = p->c[k], terms = fmax(fabs(p->c[k]), p->xi_scale);
        for (int j = 0; j < p->n; j++) {
            now += G[j] * P[j];
            terms = fmax(terms, fabs(G[j] * P[j]));
        }
        size = fmax(size, unit * terms);
        apart = fmax(apart, unit * fabs(now - xi[k]));
    }
    return apart <= SP_SOLUTIONS_APART * size;
}

/* Whether s is a solution as exactly as the first one, as far as its own forces allow.  One that
 * misses an inequality by more would not be one, had it more digits.   theory (53.5) */
static bool is_as_exact(const sp_problem *p, const sp_first *first, const sp_solution *s)
{
    double terms = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        for (int j = 0; j < p->n; j++) {
            terms = fmax(terms, fabs(G[j] * s->P[j]));
        }
    }
    const double rounding = p->xi_scale > 0.0 ? ROUNDING * terms / p->xi_scale : 0.0;
    return s->residual <= fmax(fmax(EXACT, rounding), WORSE * first->s.residual);
}

void sp_first_confirm(const sp_problem *p, const sp_first *first, sp_solution *s)
{
    if (memcmp(first->P, s->P, (size_t)p->n * sizeof *s->P) == 0) {
        return;
    }
    sp_natural_xi(p, s->P, first->xi);
    if (sp_solve_refine(p, s, first->rest) == SP_OK && is_as_exact(p, first, s) &&
        moves_so(p, s->P, first->xi)) {
        s->pivots = first->s.pivots;
        return;
    }
    memcpy(s->P, first->P, (size_t)p->n * sizeof *s->P);
    memcpy(s->status, first->status, (size_t)p->n_contact);
    s->residual = first->s.residual;
    s->pivots = first->s.pivots;
    s->method = first->s.method;
    s->result = first->s.result;
}
