/* Random problems against the enumeration of all solutions.  SPECHT_RANDOM_COUNT sets how many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solvers/problem.h"
#include "support/check.h"
#include "support/enumerate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_problem.h"

enum { FOUND = 64 };

typedef struct tally {
    long problems, dependent, several, active[CONTACTS + 1];
    long guess, repair, lemke, lemke4, enumeration, infeasible, unsolved;
    long agree, verified, missed, wrong, unproved;
    double worst_residual;
} tally;

/* Largest violation of the contact laws by P, from their definition, over the size of the terms. */
static double violation(const sp_problem *p, const double *P, double *xi)
{
    double worst = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i], dim = sp_set_dim(&p->set[i]);
        double size = 0.0, limit = 0.0, g[2] = {0.0, 0.0};
        for (int j = 0; j < p->n; j++) { /* huge forces excuse nothing */
            const double ratio = p->G[k * (p->ld + 1)] / p->G[j * (p->ld + 1)];
            limit = fmax(limit, 100.0 * fabs(p->c[j]) * sqrt(ratio));
        }
        for (int a = k; a < k + dim; a++) {
            double terms = fabs(p->c[a]);
            xi[a] = p->c[a];
            for (int j = 0; j < p->n; j++) {
                xi[a] += p->G[a * p->ld + j] * P[j];
                terms += fabs(p->G[a * p->ld + j] * P[j]);
            }
            size = fmax(size, terms);
            g[a - k] = p->G[a * p->ld + a];
        }
        size = fmin(size, limit);
        double bad = fabs(xi[k]);
        if (p->set[i].kind != SP_SET_FREE) {
            bad = fmax(-P[k] * g[0], -xi[k]);
            bad = fmax(bad, fmin(P[k] * g[0], xi[k]));
        }
        if (dim == 2) {
            const double room = p->set[i].mu * P[k] - fabs(P[k + 1]);
            bad = fmax(bad, -room * g[1]);
            bad = fmax(bad, fmin(room * g[1], fabs(xi[k + 1]))); /* inside: no slip       */
            bad = fmax(bad, fmin(P[k + 1] * g[1], xi[k + 1]));   /* against the velocity  */
            bad = fmax(bad, fmin(-P[k + 1] * g[1], -xi[k + 1]));
        }
        if (!isfinite(bad) || !isfinite(size)) {
            return INFINITY;
        }
        worst = size > 0.0 ? fmax(worst, bad / size) : worst;
    }
    return worst;
}

/* Is xi one of the motions the enumeration found? */
static int listed(const sp_problem *p, const double *xi, const double *P, int n_found,
                  const sp_enumerated *found)
{
    for (int f = 0; f < n_found && f < FOUND; f++) {
        int same = 1;
        for (int k = 0; k < p->n; k++) {
            double size = fabs(p->c[k]);
            for (int j = 0; j < p->n; j++) {
                size += fabs(p->G[k * p->ld + j] * P[j]);
            }
            same = same && fabs(xi[k] - found[f].xi[k]) <= 1e-8 * size;
        }
        if (same) {
            return 1;
        }
    }
    return 0;
}

/* Count how a problem was solved, and judge the answer. */
static void judge(const random_problem *r, sp_status status, const sp_solution *s, tally *t)
{
    static sp_enumerated found[FOUND];
    double xi[ROWS];
    int n_found = 0, n_motion = 0, n_active = 0;
    assert_int_equal(SP_OK, sp_enumerate(&r->p, 1e-9, found, FOUND, &n_found, &n_motion, NULL));
    t->several += n_motion > 1;
    if (status != SP_OK) {
        t->infeasible += s->result == SP_INFEASIBLE;
        t->unsolved += s->result == SP_NOT_SOLVED;
        /* Solvable to the residual the solver promises, 1e-10: its scale is a tenth of the
         * oracle's, and where forces are 1e7 times what c is worth round-off alone makes a factor
         * of three. */
        int solvable = 0;
        for (int k = 0; k < n_found && k < FOUND; k++) {
            solvable |= found[k].residual <= 3e-12;
        }
        t->unproved += solvable;
        if (s->result == SP_INFEASIBLE) {
            assert_int_equal(SP_E_INFEASIBLE, status);
            assert_false(r->feasible);
        }
        return;
    }
    const double bad = violation(&r->p, s->P, xi);
    t->worst_residual = fmax(t->worst_residual, bad);
    for (int i = 0; i < r->p.n_contact; i++) {
        n_active += s->status[i] != SP_OPEN;
    }
    t->active[n_active]++;
    t->guess += s->method[0] == 'g';
    t->repair += s->method[0] == 'r';
    t->lemke += strcmp(s->method, "lemke") == 0;
    t->lemke4 += strcmp(s->method, "lemke4") == 0;
    t->enumeration += s->method[0] == 'e';
    const int agrees = listed(&r->p, xi, s->P, n_found, found);
    t->agree += agrees;
    t->verified += !agrees && bad < 1e-10;
    t->wrong += !agrees && !(bad < 1e-10);
    t->missed += n_found == 0;
}

static void print(const tally *t)
{
    printf("random contact problems: %ld, %ld with dependent contacts, %ld with several motions\n",
           t->problems, t->dependent, t->several);
    printf("  active contacts ");
    for (int k = 0; k <= CONTACTS; k++) {
        printf(" %d: %ld", k, t->active[k]);
    }
    printf("\n  guess %ld, repair %ld, lemke %ld, lemke4 %ld, enumeration %ld, infeasible %ld, "
           "unsolved %ld\n",
           t->guess, t->repair, t->lemke, t->lemke4, t->enumeration, t->infeasible, t->unsolved);
    printf("  agree with the oracle %ld, verified otherwise %ld, oracle found none %ld, wrong %ld, "
           "unsolved but solvable %ld, worst residual %.1e\n",
           t->agree, t->verified, t->missed, t->wrong, t->unproved, t->worst_residual);
}

static void random_problems_agree_with_the_enumeration_or_are_proved_unsolvable(void **ctx)
{
    (void)ctx;
    const char *count = getenv("SPECHT_RANDOM_COUNT");
    const char *seed = getenv("SPECHT_RANDOM_SEED");
    const long n = count ? atol(count) : check_cases(2000, 1000000);
    uint64_t state = 0x9E3779B97F4A7C15ULL ^ (seed ? strtoull(seed, NULL, 10) : 0);
    void *work = malloc(sp_solve_work(CONTACTS, ROWS));
    assert_non_null(work);
    tally t = {0};
    for (t.problems = 0; t.problems < n; t.problems++) {
        random_problem r;
        random_make(&state, &r);
        double P[ROWS] = {0.0};
        unsigned char status[CONTACTS];
        const int cold = uniform(&state) < 0.5;
        for (int i = 0; i < r.p.n_contact; i++) {
            status[i] = cold ? SP_STATUS_UNKNOWN : (unsigned char)whole(&state, 0, 3);
        }
        sp_solution s = {.P = P, .status = status};
        const sp_status result = sp_solve(&r.p, &s, work, NULL);
        t.dependent += r.dependent;
        judge(&r, result, &s, &t);
    }
    print(&t);
    free(work);
    assert_int_equal(0, t.wrong);
    assert_int_equal(0, t.unproved);
    assert_true(t.worst_residual < 1e-10);
    assert_true(10 * t.dependent >= n);
    assert_true(2 * (t.active[0] + t.active[1]) <= n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_agree_with_the_enumeration_or_are_proved_unsolvable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
