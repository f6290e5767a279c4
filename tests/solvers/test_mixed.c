/* Random problems of all kinds of rows against the enumeration of all solutions and against the
 * definition of the laws.  SPECHT_RANDOM_COUNT sets how many. */
#include "solvers/problem.h"
#include "support/enumerate.h"

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "random_mixed.h"

enum { FOUND = 64 };

typedef struct tally {
    long problems, redundant, dependent, shifted, unsymmetric, intervals, with_free, several;
    long rows[MIXED_ROWS + 1], active[MIXED_SETS + 1];
    long guess, repair, lemke, lemke4, enumeration, infeasible, unsolved;
    long agree, verified, missed, wrong, unproved, badly_proved;
    double worst;
} tally;

/* m: the same problem for P' = P - shift, with c' = c + G shift. */
static void centre(const random_mixed *r, random_mixed *m)
{
    *m = *r;
    m->p.set = m->set;
    m->p.row = m->row;
    m->p.G = m->G;
    m->p.c = m->c;
    for (int k = 0; k < m->p.n; k++) {
        for (int j = 0; j < m->p.n; j++) {
            m->c[k] += m->G[k * m->p.n + j] * m->shift[j];
        }
    }
    for (int i = 0; i < m->p.n_contact; i++) {
        m->set[i].shifted = 0;
    }
}

/* What velocities and impulses are worth in row k: the terms of xi, but at most 100 times what c,
 * shifts and intervals without zero make of it through any row. */
static double size_of_row(const random_mixed *r, int k, const double *P)
{
    const int n = r->p.n;
    double size = fabs(r->c[k]), limit = 0.0;
    for (int j = 0; j < n; j++) {
        double forced = fabs(r->c[j]);
        size += fabs(r->G[k * n + j] * (P[j] - r->shift[j])) + fabs(r->G[k * n + j] * r->shift[j]);
        for (int i = 0; i < r->p.n_contact; i++) {
            const sp_set *s = &r->set[i];
            const double least = s->kind != SP_SET_INTERVAL ? 0.0
                                 : s->lo > 0.0              ? s->lo
                                 : s->hi < 0.0              ? -s->hi
                                                            : 0.0;
            forced += fabs(r->G[j * n + r->row[i]]) * least;
        }
        for (int i = 0; i < n; i++) {
            forced += fabs(r->G[j * n + i] * r->shift[i]);
        }
        const double ratio = r->G[k * n + k] / r->G[j * n + j];
        limit = fmax(limit, ratio > 0.0 ? 100.0 * forced * sqrt(ratio) : size);
    }
    return fmin(size, limit);
}

/* Violation of one row with bounds: xi > 0 only at lo, xi < 0 only at hi, P between; in units of
 * velocity. */
static double bounded_row(double P, double xi, double g, double lo, double hi)
{
    double bad = fmax((lo - P) * g, (P - hi) * g);
    bad = fmax(bad, fmin(xi, (P - lo) * g));
    return fmax(bad, fmin(-xi, (hi - P) * g));
}

/* Largest violation of the laws by P, from their definition, over the size of the terms. */
static double violation(const random_mixed *r, const double *P, double *xi)
{
    const int n = r->p.n;
    double worst = 0.0;
    for (int i = 0; i < r->p.n_contact; i++) {
        const sp_set *s = &r->set[i];
        const int k = r->row[i], dim = sp_set_dim(s);
        double size = 0.0, bad = 0.0, g[2] = {0.0, 0.0}, Q[2] = {0.0, 0.0};
        for (int a = 0; a < dim; a++) {
            xi[k + a] = r->c[k + a];
            for (int j = 0; j < n; j++) {
                xi[k + a] += r->G[(k + a) * n + j] * P[j];
            }
            size = fmax(size, size_of_row(r, k + a, P));
            g[a] = fabs(r->G[(k + a) * n + k + a]);
            Q[a] = P[k + a] - r->shift[k + a];
        }
        switch (s->kind) {
        case SP_SET_FREE:
            bad = fabs(xi[k]);
            break;
        case SP_SET_INTERVAL:
            bad = bounded_row(Q[0], xi[k], g[0], s->lo, s->hi);
            break;
        default:
            bad = bounded_row(Q[0], xi[k], g[0], 0.0, INFINITY);
            break;
        }
        if (s->kind == SP_SET_PLANAR) {
            const double bound = s->mu * fmax(Q[0], 0.0);
            bad = fmax(bad, bounded_row(Q[1], xi[k + 1], g[1], -bound, bound));
        }
        worst = check_worse(worst, size > 0.0 || bad > 0.0 ? bad / size : 0.0);
    }
    return worst;
}

/* Is xi one of the motions the enumeration found? */
static int listed(const random_mixed *r, const double *xi, const double *P, int n_found,
                  const sp_enumerated *found)
{
    for (int f = 0; f < n_found && f < FOUND; f++) {
        int same = 1;
        for (int k = 0; k < r->p.n && same; k++) {
            same = fabs(xi[k] - found[f].xi[k]) <= 1e-8 * (size_of_row(r, k, P) + 1e-300);
        }
        if (same) {
            return 1;
        }
    }
    return 0;
}

/* Does y prove that there is no solution?  Every solution P' of the problem without shift has
 * y'xi >= 0 by the signs of y; yet y'xi = c'y + (y'G) P' < 0 for all P' in the sets. */
static int proof_holds(const random_mixed *m, const double *y)
{
    const int n = m->p.n;
    double most = 0.0, size = 0.0;
    for (int i = 0; i < m->p.n_contact; i++) {
        const sp_set *s = &m->set[i];
        const int k = m->row[i];
        double g[2] = {0.0, 0.0}, terms = 0.0;
        for (int a = 0; a < sp_set_dim(s); a++) {
            most += m->c[k + a] * y[k + a];
            size += fabs(m->c[k + a] * y[k + a]);
            for (int j = 0; j < n; j++) {
                g[a] += y[j] * m->G[j * n + k + a];
                terms += fabs(y[j] * m->G[j * n + k + a]);
            }
        }
        const double zero = 1e-10 * terms;
        const int is_interval = s->kind == SP_SET_INTERVAL;
        const double lo = is_interval ? s->lo : s->kind == SP_SET_FREE ? -INFINITY : 0.0;
        const double hi = is_interval ? s->hi : INFINITY;
        if ((y[k] < 0.0 && lo > -INFINITY) || (y[k] > 0.0 && hi < INFINITY) ||
            (s->kind == SP_SET_PLANAR && y[k + 1] != 0.0)) {
            return 0;
        }
        g[0] += s->kind == SP_SET_PLANAR ? s->mu * fabs(g[1]) : 0.0;
        if ((g[0] > zero && hi == INFINITY) || (g[0] < -zero && lo == -INFINITY)) {
            return 0;
        }
        if (is_interval && fabs(g[0]) > zero) {
            most += fmax(g[0] * (g[0] > 0.0 ? hi : lo), -INFINITY);
            size += terms * fabs(g[0] > 0.0 ? hi : lo);
        }
    }
    return most < -1e-9 * size;
}

/* Count how a problem was solved, and judge the answer. */
static void judge(const random_mixed *r, sp_status status, const sp_solution *s, tally *t)
{
    static sp_enumerated found[FOUND];
    random_mixed m;
    centre(r, &m);
    double xi[MIXED_ROWS];
    int n_found = 0, n_motion = 0, n_active = 0;
    assert_int_equal(SP_OK, sp_enumerate(&m.p, 1e-9, found, FOUND, &n_found, &n_motion, NULL));
    t->several += n_motion > 1;
    if (status != SP_OK) {
        t->infeasible += s->result == SP_INFEASIBLE;
        t->unsolved += s->result == SP_NOT_SOLVED;
        int solvable = 0; /* the scale of the solver is a tenth of the oracle's */
        for (int k = 0; k < n_found && k < FOUND; k++) {
            solvable |= found[k].residual <= 3e-12;
        }
        t->unproved += solvable;
        t->badly_proved += s->result == SP_INFEASIBLE && !proof_holds(&m, s->P);
        return;
    }
    const double bad = violation(r, s->P, xi);
    t->worst = check_worse(t->worst, bad);
    for (int i = 0; i < r->p.n_contact; i++) {
        n_active += s->status[i] != SP_OPEN && r->set[i].kind != SP_SET_FREE;
    }
    t->active[n_active]++;
    t->guess += s->method[0] == 'g';
    t->repair += s->method[0] == 'r';
    t->lemke += strcmp(s->method, "lemke") == 0;
    t->lemke4 += strcmp(s->method, "lemke4") == 0;
    t->enumeration += s->method[0] == 'e';
    const int agrees = listed(r, xi, s->P, n_found, found);
    t->agree += agrees;
    t->verified += !agrees && bad < 1e-10;
    t->wrong += !agrees && !(bad < 1e-10);
    t->missed += n_found == 0;
}

static void print(const tally *t)
{
    printf("mixed problems: %ld, with free rows %ld (redundant %ld), dependent contacts %ld, "
           "intervals %ld, shifted %ld, unsymmetric %ld, several motions %ld\n  rows",
           t->problems, t->with_free, t->redundant, t->dependent, t->intervals, t->shifted,
           t->unsymmetric, t->several);
    for (int k = 0; k <= MIXED_ROWS; k++) {
        printf(" %d:%ld", k, t->rows[k]);
    }
    printf("\n  active contacts");
    for (int k = 0; k <= CONTACTS; k++) {
        printf(" %d:%ld", k, t->active[k]);
    }
    printf("\n  guess %ld, repair %ld, lemke %ld, lemke4 %ld, enumeration %ld, infeasible %ld, "
           "unsolved %ld\n",
           t->guess, t->repair, t->lemke, t->lemke4, t->enumeration, t->infeasible, t->unsolved);
    printf("  agree with the oracle %ld, verified otherwise %ld, oracle found none %ld, wrong %ld, "
           "unsolved but solvable %ld, wrong proofs %ld, worst violation %.1e\n",
           t->agree, t->verified, t->missed, t->wrong, t->unproved, t->badly_proved, t->worst);
}

/* What kind of problem it is. */
static void count(const random_mixed *r, tally *t)
{
    int intervals = 0;
    for (int i = 0; i < r->p.n_contact; i++) {
        intervals |= r->set[i].kind == SP_SET_INTERVAL;
    }
    t->redundant += r->redundant;
    t->dependent += r->dependent;
    t->shifted += r->shifted;
    t->unsymmetric += r->unsymmetric;
    t->with_free += r->n_free > 0;
    t->intervals += intervals;
    t->rows[r->p.n]++;
}

static void mixed_problems_agree_with_the_enumeration_or_are_proved_unsolvable(void **ctx)
{
    (void)ctx;
    const char *number = getenv("SPECHT_RANDOM_COUNT"), *seed = getenv("SPECHT_RANDOM_SEED");
    const long n = number ? atol(number) : check_cases(2000, 1000000);
    uint64_t state = 0xD1B54A32D192ED03ULL ^ (seed ? strtoull(seed, NULL, 10) : 0);
    void *work = malloc(sp_solve_work(MIXED_SETS, MIXED_ROWS));
    assert_non_null(work);
    tally t = {0};
    for (t.problems = 0; t.problems < n; t.problems++) {
        random_mixed r;
        const uint64_t start = state;
        mixed_make(&state, &r);
        double P[MIXED_ROWS] = {0.0};
        unsigned char status[MIXED_SETS];
        const int cold = uniform(&state) < 0.5;
        for (int i = 0; i < r.p.n_contact; i++) {
            status[i] = cold ? SP_STATUS_UNKNOWN : (unsigned char)whole(&state, 0, 3);
        }
        sp_solution s = {.P = P, .status = status};
        const sp_status result = sp_solve(&r.p, &s, work, NULL);
        const long trouble = t.wrong + t.unproved + t.badly_proved;
        count(&r, &t);
        judge(&r, result, &s, &t);
        if (t.wrong + t.unproved + t.badly_proved > trouble) {
            printf("problem %ld, state %#llx: result %d, method %s, residual %.1e\n", t.problems,
                   (unsigned long long)start, (int)s.result, s.method, s.residual);
        }
    }
    print(&t);
    free(work);
    assert_int_equal(0, t.wrong);
    assert_int_equal(0, t.unproved);
    assert_int_equal(0, t.badly_proved);
    assert_true(t.worst < 1e-10);
    assert_true(5 * t.redundant >= n && 10 * t.dependent >= n && 3 * t.intervals >= n);
    assert_true(50 * (t.infeasible + t.unsolved) < 10 * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_problems_agree_with_the_enumeration_or_are_proved_unsolvable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
