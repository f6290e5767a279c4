#include "solvers/tiny.h"

#include "solvers/chain.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4, ROWS = 8 };

/* A problem and what two ways make of it. */
typedef struct pair {
    sp_problem p;
    sp_set set[MOST];
    int row[MOST];
    double G[ROWS * ROWS], c[ROWS], P[2][ROWS];
    unsigned char status[2][MOST];
    sp_solution s[2];
} pair;

/* Contacts of these kinds on a random mechanism; some c are zero or noise of xi_scale. */
static void draw(rng *r, int n_contact, sp_set_kind kind, pair *x)
{
    double W[ROWS][10];
    memset(x, 0, sizeof *x);
    for (int i = 0; i < n_contact; i++) {
        const double a = rng_in(r, -1.0, 1.0);
        x->set[i] = sp_set_of_kind(kind);
        x->set[i].mu = rng_int(r, 5) == 0 ? 0.0 : rng_in(r, 0.0, 1.0);
        x->set[i].lo = rng_int(r, 5) == 0 ? -INFINITY : a;
        x->set[i].hi = rng_int(r, 5) == 0 ? INFINITY : a + (rng_flip(r) ? rng_in(r, 0, 1) : 0.0);
        x->row[i] = x->p.n;
        x->p.n += sp_set_dim(&x->set[i]);
    }
    x->p.xi_scale = rng_flip(r) ? 0.0 : 1.0;
    for (int k = 0; k < x->p.n; k++) {
        const int what = rng_int(r, 12);
        for (int d = 0; d < 10; d++) {
            W[k][d] = rng_in(r, -1.0, 1.0);
        }
        x->c[k] = what == 0 ? 0.0
                            : rng_in(r, -1.0, 1.0) * (what == 1   ? 1e-15
                                                      : what == 2 ? 1e-12
                                                                  : 1.0);
        for (int j = 0; j <= k; j++) {
            double sum = 0.0;
            for (int d = 0; d < 10; d++) {
                sum += W[k][d] * W[j][d];
            }
            x->G[k * x->p.n + j] = x->G[j * x->p.n + k] = sum;
        }
    }
    x->p.n_contact = n_contact;
    x->p.ld = x->p.n;
    x->p.set = x->set;
    x->p.row = x->row;
    x->p.G = x->G;
    x->p.c = x->c;
    for (int i = 0; i < n_contact; i++) {
        x->status[0][i] = x->status[1][i] = (unsigned char)rng_int(r, 5);
    }
    for (int a = 0; a < 2; a++) {
        x->s[a] = (sp_solution){.P = x->P[a], .status = x->status[a]};
    }
}

/* Solve by the short way and by the chain; 1 if the short way was enough, then both must agree. */
static int compare(pair *x, sp_set_kind kind, void *memory)
{
    const unsigned char before = x->status[0][0];
    sp_chain w;
    sp_chain_place(&w, &x->p, memory);
    assert_int_equal(SP_OK, sp_chain_solve(&x->p, &x->s[1], &w, NULL));
    const int done = kind == SP_SET_PLANAR      ? sp_tiny_planar(&x->p, &x->s[0])
                     : kind == SP_SET_HALF_LINE ? sp_tiny_half_lines(&x->p, &x->s[0])
                                                : sp_tiny_row(&x->p, &x->s[0]);
    if (!done) {
        assert_int_equal(before, x->status[0][0]); /* nothing touched */
        return 0;
    }
    assert_true(x->s[0].residual <= SP_SOLVE_CLEAN);
    assert_int_equal(SP_SOLVED, x->s[0].result);
    for (int k = 0; k < x->p.n; k++) {
        assert_near_scaled(x->P[0][k], x->P[1][k], 1.0, 2e-14);
    }
    for (int i = 0; i < x->p.n_contact; i++) {
        assert_int_equal(x->status[1][i], x->status[0][i]);
    }
    return 1;
}

/* Many problems of one shape; at least this part must have been solved the short way. */
static void compare_many(int n_contact, sp_set_kind kind, double least)
{
    rng r = {(uint64_t)(7 + n_contact + 10 * (int)kind)};
    void *memory = malloc(sp_chain_bytes(MOST, ROWS));
    int done = 0;
    const int n = 20000;
    for (int k = 0; k < n; k++) {
        pair x;
        draw(&r, n_contact, kind, &x);
        done += compare(&x, kind, memory);
    }
    free(memory);
    printf("%d contacts of kind %d: %.1f %% the short way\n", n_contact, (int)kind,
           100.0 * done / n);
    assert_true(done > least * n);
}

static void one_row_agrees_with_the_chain(void **ctx)
{
    (void)ctx;
    compare_many(1, SP_SET_FREE, 0.99);
    compare_many(1, SP_SET_HALF_LINE, 0.9);
    compare_many(1, SP_SET_INTERVAL, 0.99);
}

static void two_half_lines_agree_with_the_chain(void **ctx)
{
    (void)ctx;
    compare_many(2, SP_SET_HALF_LINE, 0.9);
}

static void planar_contacts_agree_with_the_chain(void **ctx)
{
    (void)ctx;
    /* guesses are drawn: the more contacts, the fewer are right */
    const double least[MOST] = {0.4, 0.1, 0.03, 0.01};
    for (int n_contact = 1; n_contact <= MOST; n_contact++) {
        compare_many(n_contact, SP_SET_PLANAR, least[n_contact - 1]);
    }
}

static void what_is_not_finite_or_singular_is_left_to_the_chain(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_half_line(), sp_set_half_line()};
    const int row[2] = {0, 1};
    const double bad[4] = {NAN, INFINITY, 0.0, -1.0};
    for (int k = 0; k < 4; k++) {
        for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
            double G[4] = {bad[k], 0.1, 0.1, 1.0}, c[2] = {-1.0, -1.0}, P[2] = {7.0, 7.0};
            unsigned char status[2] = {(unsigned char)guess, (unsigned char)guess};
            sp_solution s = {.P = P, .status = status};
            sp_problem p = {1, 1, set, row, G, 1, c, 0.0, NULL, 0};
            assert_int_equal(0, sp_tiny_half_lines(&p, &s));
            p = (sp_problem){2, 2, set, row, G, 2, c, 0.0, NULL, 0};
            assert_int_equal(0, sp_tiny_half_lines(&p, &s));
            assert_true(P[0] == 7.0 && P[1] == 7.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_agrees_with_the_chain),
        cmocka_unit_test(two_half_lines_agree_with_the_chain),
        cmocka_unit_test(planar_contacts_agree_with_the_chain),
        cmocka_unit_test(what_is_not_finite_or_singular_is_left_to_the_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
