/* Sledges on many feet that slide: their loads are a polyhedron whose corners are pairs of feet
 * that carry all.  The smallest loads are taken, whatever the guess.   theory (56.1) */
#include "solvers/problem.h"
#include "solvers/states.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { FEET = 7, ROWS = 2 * FEET };
#define SPEED 3.0
#define STEP  1e-3

/* A body on feet at (x, -h) that slides to the right for a step. */
typedef struct sledge {
    int n;
    double m, I, h, x[FEET], mu[FEET];
    double G[ROWS * ROWS], c[ROWS];
    sp_set set[FEET];
    int row[FEET];
    sp_problem p;
} sledge;

static void fill(sledge *s)
{
    const int n = 2 * s->n;
    for (int i = 0; i < n; i++) {
        const double x_i = i % 2 ? 0.0 : s->x[i / 2], t_i = i % 2 ? s->h : 0.0;
        for (int j = 0; j < n; j++) { /* W_N = (0, 1, x), W_T = (1, 0, h) of (x, y, phi) */
            const double x_j = j % 2 ? 0.0 : s->x[j / 2], t_j = j % 2 ? s->h : 0.0;
            s->G[i * n + j] = (i % 2 == j % 2) / s->m + (x_i + t_i) * (x_j + t_j) / s->I;
        }
        s->c[i] = i % 2 ? SPEED : -9.81 * STEP;
    }
    for (int i = 0; i < s->n; i++) {
        s->set[i] = (sp_set){.kind = SP_SET_PLANAR, .mu = s->mu[i]};
        s->row[i] = 2 * i;
    }
    s->p = (sp_problem){.n_contact = s->n,
                        .n = n,
                        .set = s->set,
                        .row = s->row,
                        .G = s->G,
                        .ld = n,
                        .c = s->c,
                        .xi_scale = SPEED};
}

/* Feet are further from the middle than h mu, so that none tips it over by its friction: it stands,
 * and does nothing else. */
static sledge random_sledge(rng *r)
{
    sledge s = {.n = 3 + rng_int(r, FEET - 2)};
    s.m = rng_in(r, 0.5, 3.0);
    s.I = s.m * rng_in(r, 0.01, 0.2);
    s.h = rng_in(r, 0.02, 0.24);
    for (int i = 0; i < s.n; i++) {
        s.x[i] = (rng_int(r, 2) ? 1.0 : -1.0) * rng_in(r, 0.1, 0.5);
        s.mu[i] = rng_in(r, 0.05, 0.4);
    }
    fill(&s);
    return s;
}

/* Loads of feet a and b alone; false: one would have to pull.  sum N = m g dt, sum (x - h mu) N =
 * 0.
 */
static bool corner(const sledge *s, int a, int b, double *N)
{
    const double y_a = s->x[a] - s->h * s->mu[a], y_b = s->x[b] - s->h * s->mu[b];
    memset(N, 0, FEET * sizeof *N);
    N[a] = s->m * 9.81 * STEP * y_b / (y_b - y_a);
    N[b] = s->m * 9.81 * STEP * y_a / (y_a - y_b);
    return N[a] >= 0.0 && N[b] >= 0.0;
}

/* No corner is nearer to zero as seen from N, so that no loads are: N.D(corner - N) >= 0.  Returns
 * the number of corners. */
static int check_least(const sledge *s, const double *P)
{
    int corners = 0;
    double weight = s->m * 9.81 * STEP, moment = 0.0, size = 0.0;
    for (int i = 0; i < s->n; i++) {
        weight -= P[2 * i];
        moment += (s->x[i] - s->h * s->mu[i]) * P[2 * i];
        size += s->G[2 * i * 2 * s->n + 2 * i] * P[2 * i] * P[2 * i];
        assert_true(P[2 * i] >= 0.0);
        assert_near(P[2 * i + 1], -s->mu[i] * P[2 * i], 1e-15);
    }
    assert_near(weight, 0.0, 1e-13);
    assert_near(moment, 0.0, 1e-13);
    for (int a = 0; a < s->n; a++) {
        for (int b = a + 1; b < s->n; b++) {
            double N[FEET], slope = 0.0;
            if (!corner(s, a, b, N)) {
                continue;
            }
            corners++;
            for (int i = 0; i < s->n; i++) {
                slope += s->G[2 * i * 2 * s->n + 2 * i] * P[2 * i] * (N[i] - P[2 * i]);
            }
            assert_true(slope >= -1e-9 * size);
        }
    }
    return corners;
}

static void loads_are_the_smallest_whatever_the_guess(void **ctx)
{
    (void)ctx;
    rng r = {5};
    int stood = 0, carried = 0;
    void *work = malloc(sp_solve_work(FEET, ROWS));
    for (int n = 0; n < check_cases(500, 20000); n++) {
        const sledge s = random_sledge(&r);
        double first[ROWS], N[FEET];
        bool stands = false;
        for (int a = 0; a < s.n; a++) {
            for (int b = a + 1; b < s.n; b++) {
                stands = stands || corner(&s, a, b, N);
            }
        }
        for (int guess = 0; guess < 5 && stands; guess++) {
            double P[ROWS];
            unsigned char status[FEET];
            sp_solution solution = {.P = P, .status = status};
            sp_problem p = s.p;
            p.set = s.set;
            p.row = s.row;
            p.G = s.G;
            p.c = s.c;
            for (int i = 0; i < s.n; i++) {
                status[i] = guess == 0            ? SP_STATUS_UNKNOWN
                            : rng_int(&r, 2) == 0 ? SP_OPEN
                                                  : SP_SLIP_POS;
            }
            assert_int_equal(sp_solve(&p, &solution, work, NULL), SP_OK);
            for (int k = 0; k < s.p.n && guess > 0; k++) {
                assert_near(P[k], first[k], 1e-10 * s.m);
            }
            memcpy(first, P, sizeof P);
        }
        if (stands) {
            stood++;
            assert_true(check_least(&s, first) > 0);
            for (int i = 0; i < s.n; i++) {
                carried += first[2 * i] == 0.0;
            }
        }
    }
    print_message("%d sledges, %d feet that carry nothing\n", stood, carried);
    assert_true(stood > 200 && carried > 5);
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_the_smallest_whatever_the_guess)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
