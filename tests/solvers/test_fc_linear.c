#include "solvers/fc_linear.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

/* A pile of spheres that is one island, and its equations. */
typedef struct island {
    pile a;
    int *index;
    sp_fc_stack stack;
    sp_fc_island l;
    sp_fc_linear s;
} island;

static void take_island(int across, int layers, island *d)
{
    memset(d, 0, sizeof *d);
    d->a = pile_spheres(across, layers, 0.3, 2, 1);
    const int nc = d->a.p.n_contact;
    int *index = d->index = malloc(sizeof *index * (size_t)(4 * nc + 1));
    sp_arena_init(&d->stack.arena, NULL, 0);
    assert_int_equal(
        1, sp_fc_islands(&d->a.p.G, nc, index, index + nc, index + 3 * nc, index + 2 * nc));
    assert_int_equal(
        1, sp_fc_island_take(&d->a.p, nc, index + nc, index + 2 * nc, 1.0, &d->stack, &d->l));
    assert_int_equal(1, sp_fc_linear_prepare(&d->l, 1e9, &d->stack, &d->s));
}

static void drop_island(island *d)
{
    sp_arena_free(&d->stack.arena);
    free(d->index);
    pile_free(&d->a);
}

/* An island and a right-hand side. */
static void solve_island(int across, int layers, int expect_fronts)
{
    island d;
    take_island(across, layers, &d);
    const int nc = d.a.p.n_contact;
    const sp_fc_island l = d.l;
    sp_fc_linear s = d.s;
    assert_int_equal(expect_fronts, !s.dense);
    rng r = {9};
    for (int round = 0; round < 3; round++) {
        /* unknowns differ from round to round, as in Newton's method; the first rows of the blocks
         */
        for (int i = 0; i < nc; i++) {
            s.m[i] = round == 0 ? 3 : rng_int(&r, 4);
        }
        sp_fc_linear_count(&s);
        double *x = malloc(sizeof *x * (size_t)(s.n + 1)), *b = calloc((size_t)s.n + 1, sizeof *b);
        for (int k = 0; k < s.n; k++) {
            x[k] = rng_in(&r, -1.0, 1.0);
        }
        for (int i = 0; i < nc; i++) {
            for (int k = l.start[i]; k < l.start[i + 1]; k++) {
                const int j = l.column[k];
                for (int e = 0; e < s.m[i] * s.m[j]; e++) {
                    const int row = e / s.m[j], col = e % s.m[j];
                    double g = l.G[l.at[k] + 3 * row + col] * (1.0 + 0.1 * rng_in(&r, -1.0, 1.0));
                    g += i == j && row == col ? 0.5 : 0.0;
                    s.block[l.at[k] + e] = g;
                    b[s.first[i] + row] += g * x[s.first[j] + col];
                }
            }
        }
        assert_true(sp_fc_linear_factor(&s) > 1e-6);
        sp_fc_linear_solve(&s, b);
        for (int k = 0; k < s.n; k++) {
            assert_near_scaled(b[k], x[k], 1.0, 1e-9);
        }
        free(x), free(b);
    }
    drop_island(&d);
}

static void fronts_solve_what_the_dense_matrix_would(void **ctx)
{
    (void)ctx;
    solve_island(1, 1, 0);
    solve_island(1, 12, 1);
    solve_island(3, 2, 1);
}

static void every_contact_is_eliminated_once(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(3, 3, 0.3, 2, 1);
    const int nc = a.p.n_contact;
    int *index = malloc(sizeof *index * (size_t)(4 * nc + 1)),
        *times = calloc((size_t)nc, sizeof *times);
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    sp_fc_island l;
    sp_fc_order o;
    sp_fc_islands(&a.p.G, nc, index, index + nc, index + 3 * nc, index + 2 * nc);
    sp_fc_island_take(&a.p, nc, index + nc, index + 2 * nc, 1.0, &stack, &l);
    assert_int_equal(1, sp_fc_order_find(&l, &stack, &o));
    for (int f = 0; f < o.n_front; f++) {
        assert_true(o.parent[f] == -1 || o.parent[f] > f);
        for (int k = o.first[f]; k < o.first[f + 1]; k++) {
            const int pivot = k - o.first[f] < o.n_pivot[f];
            times[o.member[k]] += pivot;
            /* those that are passed on come later */
            assert_true(pivot || o.place[o.member[k]] > o.place[o.member[o.first[f]]]);
        }
    }
    for (int i = 0; i < nc; i++) {
        assert_int_equal(1, times[i]);
    }
    free(index), free(times);
    sp_arena_free(&stack.arena);
    pile_free(&a);
}

/* The sign of the determinant of an island's matrix of which this many rows were turned round. */
static int sign_with(int across, int layers, int turned)
{
    island d;
    take_island(across, layers, &d);
    const sp_fc_island l = d.l;
    sp_fc_linear s = d.s;
    for (int i = 0; i < d.a.p.n_contact; i++) {
        s.m[i] = 3;
        for (int k = l.start[i]; k < l.start[i + 1]; k++) {
            for (int e = 0; e < 9; e++) { /* row 1 of the first contacts */
                const double own = l.column[k] == i && e % 4 == 0 ? 0.5 : 0.0;
                s.block[l.at[k] + e] =
                    (l.G[l.at[k] + e] + own) * (i < turned && e / 3 == 1 ? -1.0 : 1.0);
            }
        }
    }
    sp_fc_linear_count(&s);
    assert_true(sp_fc_linear_factor(&s) > 1e-6);
    const int sign = sp_fc_linear_sign(&s);
    drop_island(&d);
    return sign;
}

static void the_determinant_of_a_definite_matrix_turns_round_with_each_row(void **ctx)
{
    (void)ctx;
    for (int turned = 0; turned < 5; turned++) {
        assert_int_equal(sign_with(1, 1, turned), turned % 2 ? -1 : 1);  /* dense  */
        assert_int_equal(sign_with(1, 12, turned), turned % 2 ? -1 : 1); /* fronts */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_solve_what_the_dense_matrix_would),
        cmocka_unit_test(every_contact_is_eliminated_once),
        cmocka_unit_test(the_determinant_of_a_definite_matrix_turns_round_with_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
