#include "solvers/fc_dense.h"
#include "solvers/fc_linear.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

static void factors_solve_their_system(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int n = 1; n <= 70; n++) {
        const int ld = sp_fc_padded(n);
        double *A = aligned_alloc(32, sizeof *A * (size_t)(n * ld)),
               *B = malloc(sizeof *B * (size_t)(n * ld));
        double *S = aligned_alloc(32, sizeof *S * (size_t)(n * ld)),
               *T = malloc(sizeof *T * (size_t)(n * ld));
        double b[70], x[70], y[70];
        int pivot[70];
        for (int k = 0; k < n * ld; k++) {
            A[k] = B[k] = rng_in(&r, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            b[i] = x[i] = y[i] = rng_in(&r, -1.0, 1.0);
            for (int j = 0; j < ld; j++) {
                S[i * ld + j] = i == j ? 0.5 : 0.0;
                for (int k = 0; j < n && k < n; k++) {
                    S[i * ld + j] += B[i * ld + k] * B[j * ld + k];
                }
                T[i * ld + j] = S[i * ld + j];
            }
        }
        assert_true(sp_fc_lu(n, A, pivot) > 0.0);
        sp_fc_lu_solve(n, A, pivot, x);
        assert_true(sp_fc_cholesky(n, S) > 0.0);
        sp_fc_cholesky_solve(n, S, y);
        for (int i = 0; i < n; i++) {
            double ax = 0.0, ty = 0.0, size_x = 0.0, size_y = 0.0;
            for (int j = 0; j < n; j++) {
                ax += B[i * ld + j] * x[j];
                ty += T[i * ld + j] * y[j];
                size_x += fabs(B[i * ld + j] * x[j]);
                size_y += fabs(T[i * ld + j] * y[j]);
            }
            assert_near_scaled(ax, b[i], size_x, 1e-12);
            assert_near_scaled(ty, b[i], size_y, 1e-12);
        }
        free(A), free(B), free(S), free(T);
    }
}

static void an_indefinite_matrix_has_no_cholesky_factor(void **ctx)
{
    (void)ctx;
    _Alignas(32) double A[8] = {1.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0}, S[8] = {0};
    int pivot[2];
    assert_true(!(sp_fc_cholesky(2, A) > 0.0));
    assert_true(sp_fc_lu(2, S, pivot) == 0.0);
}

/* An island of a sphere pile, and a right-hand side. */
static void solve_island(int across, int layers, int expect_fronts)
{
    pile a = pile_spheres(across, layers, 0.3, 2, 1);
    const int nc = a.p.n_contact;
    int *index = malloc(sizeof *index * (size_t)(4 * nc + 1));
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    sp_fc_island l;
    sp_fc_linear s;
    assert_int_equal(1,
                     sp_fc_islands(&a.p.G, nc, index, index + nc, index + 3 * nc, index + 2 * nc));
    assert_int_equal(1, sp_fc_island_take(&a.p, nc, index + nc, index + 2 * nc, 1.0, &stack, &l));
    assert_int_equal(1, sp_fc_linear_prepare(&l, 1e9, &stack, &s));
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
    sp_arena_free(&stack.arena);
    free(index);
    pile_free(&a);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_solve_their_system),
        cmocka_unit_test(an_indefinite_matrix_has_no_cholesky_factor),
        cmocka_unit_test(fronts_solve_what_the_dense_matrix_would),
        cmocka_unit_test(every_contact_is_eliminated_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
