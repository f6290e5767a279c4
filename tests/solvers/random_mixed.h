/* Random problems of all kinds of rows mixed: contacts, intervals and loop closures, some of them
 * redundant, some sets shifted, some G unsymmetric. */
#ifndef SP_TEST_RANDOM_MIXED_H
#define SP_TEST_RANDOM_MIXED_H

#include "random_problem.h"

enum { MIXED_FREE = 8, MIXED_SETS = CONTACTS + MIXED_FREE, MIXED_ROWS = ROWS + MIXED_FREE };
enum { MIXED_DOF = MIXED_ROWS + 4 };

typedef struct random_mixed {
    sp_problem p;
    sp_set set[MIXED_SETS];
    int row[MIXED_SETS];
    double G[MIXED_ROWS * MIXED_ROWS], c[MIXED_ROWS], shift[MIXED_ROWS];
    double W[MIXED_DOF][MIXED_ROWS], inverse_mass[MIXED_DOF];
    int dof, n_free;
    int redundant, dependent, shifted, unsymmetric;
    int feasible; /* free rows and contacts ask for velocities of one motion */
} random_mixed;

/* Where the free rows stand: before, after or between the contacts. */
static inline void mixed_sets(uint64_t *state, random_mixed *r)
{
    const int n_contact = whole(state, 1, CONTACTS) - (uniform(state) < 0.3 ? 1 : 0);
    const double many = uniform(state);
    r->n_free = many < 0.3 ? 0 : whole(state, 1, many < 0.6 ? 3 : MIXED_FREE);
    r->p.n_contact = n_contact + r->n_free;
    for (int i = 0, left = n_contact; i < r->p.n_contact; i++) {
        const double kind = uniform(state);
        const int here = whole(state, 1, r->p.n_contact - i) <= left;
        left -= here;
        r->set[i] = !here         ? sp_set_free()
                    : kind < 0.25 ? sp_set_half_line()
                    : kind < 0.55 ? sp_set_interval(0.0, 0.0)
                                  : sp_set_planar(kind < 0.6 ? 0.0 : 2.0 * uniform(state));
        r->row[i] = r->p.n;
        r->p.n += sp_set_dim(&r->set[i]);
    }
    r->p.ld = r->p.n;
    r->p.set = r->set;
    r->p.row = r->row;
    r->p.G = r->G;
    r->p.c = r->c;
}

/* Some free rows become combinations of other free rows. */
static inline void mixed_redundant(uint64_t *state, random_mixed *r)
{
    int at[MIXED_FREE], n = 0;
    for (int i = 0; i < r->p.n_contact; i++) {
        if (r->set[i].kind == SP_SET_FREE) {
            at[n++] = r->row[i];
        }
    }
    const int keep = n > 1 ? whole(state, 1, n - 1) : n;
    for (int a = keep; a < n; a++) {
        double factor[MIXED_FREE];
        for (int b = 0; b < keep; b++) {
            factor[b] = uniform(state) < 0.3 ? 0.0 : bell(state);
        }
        factor[0] += factor[0] == 0.0 ? 1.0 : 0.0;
        for (int d = 0; d < r->dof; d++) {
            r->W[d][at[a]] = 0.0;
            for (int b = 0; b < keep; b++) {
                r->W[d][at[a]] += factor[b] * r->W[d][at[b]];
            }
        }
    }
    r->redundant = keep < n;
}

/* A contact becomes a copy or the opposite of another one, or is held by a free row. */
static inline void mixed_dependent(uint64_t *state, random_mixed *r)
{
    const int from = whole(state, 0, r->p.n_contact - 1), to = whole(state, 0, r->p.n_contact - 1);
    const double sign = uniform(state) < 0.5 ? 1.0 : -1.0;
    if (from == to || r->set[to].kind == SP_SET_FREE) {
        return;
    }
    for (int d = 0; d < r->dof; d++) {
        r->W[d][r->row[to]] = sign * r->W[d][r->row[from]];
        if (sp_set_dim(&r->set[to]) == 2 && sp_set_dim(&r->set[from]) == 2) {
            r->W[d][r->row[to] + 1] = r->W[d][r->row[from] + 1];
        }
    }
    r->dependent = 1;
}

/* G = W' M^-1 W; slide: some normal columns carry the friction of sliding, W_N - mu W_T. */
static inline void mixed_delassus(uint64_t *state, random_mixed *r, int slide)
{
    const int n = r->p.n;
    double F[MIXED_DOF][MIXED_ROWS];
    memcpy(F, r->W, sizeof F);
    for (int i = 0; i < r->p.n_contact && slide; i++) {
        if (r->set[i].kind == SP_SET_HALF_LINE) {
            for (int d = 0; d < r->dof; d++) {
                F[d][r->row[i]] += 0.5 * bell(state);
            }
            r->unsymmetric = 1;
        }
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double sum = 0.0;
            for (int d = 0; d < r->dof; d++) {
                sum += r->W[d][a] * r->inverse_mass[d] * F[d][b];
            }
            r->G[a * n + b] = b < a && !r->unsymmetric ? r->G[b * n + a] : sum;
        }
    }
}

/* c from one velocity, or with wishes of their own for contacts and rarely for free rows. */
static inline void mixed_velocity(uint64_t *state, random_mixed *r)
{
    const double kind = uniform(state), eps = uniform(state);
    double u[MIXED_DOF];
    r->feasible = kind < 0.8;
    for (int d = 0; d < r->dof; d++) {
        u[d] = 0.3 * bell(state);
        for (int i = 0; i < r->p.n_contact; i++) {
            u[d] -= r->set[i].kind == SP_SET_INTERVAL ? 0.0 : 0.3 * r->W[d][r->row[i]];
        }
    }
    for (int i = 0; i < r->p.n_contact; i++) {
        const int is_free = r->set[i].kind == SP_SET_FREE;
        for (int k = r->row[i]; k < r->row[i] + sp_set_dim(&r->set[i]); k++) {
            double sum = 0.0;
            for (int d = 0; d < r->dof; d++) {
                sum += r->W[d][k] * u[d];
            }
            const double own = kind > (is_free ? 0.97 : 0.9) ? 0.3 * bell(state) : 0.0;
            r->c[k] = (r->feasible || is_free ? 1.0 + eps : 1.0 + uniform(state)) * sum + own;
        }
    }
}

/* Bounds of the size of the impulses at hand: around zero, beside it, one-sided, a point, none. */
static inline void mixed_bounds(uint64_t *state, random_mixed *r)
{
    for (int i = 0; i < r->p.n_contact; i++) {
        const int k = r->row[i];
        sp_set *s = &r->set[i];
        const double g = fabs(r->G[k * r->p.n + k]), pick = uniform(state);
        const double size = (fabs(r->c[k]) + 1e-3) / (g > 0.0 ? g : 1.0);
        const double a = 2.0 * size * bell(state), b = 2.0 * size * uniform(state);
        if (s->kind != SP_SET_INTERVAL) {
            continue;
        }
        *s = pick < 0.5    ? sp_set_interval(-b, b)
             : pick < 0.7  ? sp_set_interval(a, a + b)
             : pick < 0.8  ? sp_set_interval(a, INFINITY)
             : pick < 0.9  ? sp_set_interval(-INFINITY, a)
             : pick < 0.95 ? sp_set_interval(a, a)
                           : sp_set_interval(-INFINITY, INFINITY);
    }
}

/* Move some sets by impulses of the size at hand. */
static inline void mixed_shift(uint64_t *state, random_mixed *r)
{
    for (int i = 0; i < r->p.n_contact; i++) {
        r->set[i].shifted = uniform(state) < 0.7;
        for (int a = 0; a < sp_set_dim(&r->set[i]) && r->set[i].shifted; a++) {
            const int k = r->row[i] + a;
            const double g = fabs(r->G[k * r->p.n + k]);
            r->set[i].shift[a] = bell(state) * fabs(r->c[k]) / (g > 0.0 ? g : 1.0);
            r->shift[k] = r->set[i].shift[a];
            r->shifted = 1;
        }
    }
}

/* A whole problem; the same for the same state on every machine with IEEE arithmetic. */
static inline void mixed_make(uint64_t *state, random_mixed *r)
{
    memset(r, 0, sizeof *r);
    mixed_sets(state, r);
    r->dof = r->p.n + whole(state, 0, 4);
    if (uniform(state) < 0.05) {
        r->dof = r->p.n - r->p.n / 4;
    }
    for (int d = 0; d < r->dof; d++) {
        r->inverse_mass[d] = pow(10.0, 6.0 * uniform(state) - 3.0);
        for (int k = 0; k < r->p.n; k++) {
            r->W[d][k] = bell(state);
        }
    }
    if (uniform(state) < 0.4) {
        mixed_redundant(state, r);
    }
    if (uniform(state) < 0.18) {
        mixed_dependent(state, r);
    }
    r->dependent = r->dependent || r->dof < r->p.n;
    mixed_delassus(state, r, uniform(state) < 0.1);
    mixed_velocity(state, r);
    mixed_bounds(state, r);
    if (uniform(state) < 0.2) {
        mixed_shift(state, r);
    }
}

#endif
