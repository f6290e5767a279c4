/* Sparse factors against dense sums: solutions, struck indices, and little fill of rings. */
#include "math/ldl.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

enum { N = 40 };

/* A ring of cliques of three, each coupled to the next: positive definite by its diagonal. */
static sp_ldl ring(sp_arena *arena, sp_arena *scratch, double dense[N][N])
{
    sp_ldl f;
    sp_ldl_pattern p = sp_ldl_pattern_of(scratch, N);
    for (int i = 0; i < N; i++) {
        sp_ldl_couple(&p, (const int[]){i, (i + 1) % N, (i + 2) % N}, 3);
    }
    assert_true(sp_ldl_make(arena, &p, &f));
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            const int j = (i + k) % N;
            const double a = k == 0 ? 3.0 + i % 5 : sin(i + 7.0 * k);
            dense[i][j] = dense[j][i] = a;
            f.A[sp_ldl_at(&f, i, j)] = a;
        }
    }
    return f;
}

static void solution_has_no_residual(const unsigned char *struck)
{
    sp_arena arena, scratch;
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    double A[N][N] = {{0.0}}, x[N], worst = 0.0;
    sp_ldl f = ring(&arena, &scratch, A);
    for (int again = 0; again < 2; again++) { /* numbers change, the pattern stays */
        assert_int_equal(sp_ldl_factor(&f, struck), N);
        for (int i = 0; i < N; i++) {
            x[i] = cos(i + again);
        }
        sp_ldl_solve_L(&f, x);
        sp_ldl_solve_D_LT(&f, x);
        for (int i = 0; i < N; i++) {
            double sum = -cos(i + again);
            for (int j = 0; j < N; j++) {
                sum += A[i][j] * (struck && struck[j] ? 0.0 : x[j]);
            }
            worst = struck && struck[i] ? worst : check_worse(worst, fabs(sum));
            assert_true(!struck || !struck[i] || x[i] == 0.0);
        }
    }
    assert_true(worst < 1e-13);
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

static void solutions_have_no_residual(void **ctx)
{
    (void)ctx;
    solution_has_no_residual(NULL);
}

static void struck_indices_are_left_out(void **ctx)
{
    (void)ctx;
    unsigned char struck[N] = {[3] = 1, [17] = 1, [39] = 1};
    solution_has_no_residual(struck);
}

/* Four entries per column of a ring of bandwidth two, whatever its length: no n^2 of fill. */
static void a_ring_stays_sparse(void **ctx)
{
    (void)ctx;
    sp_arena arena, scratch;
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    double A[N][N] = {{0.0}};
    const sp_ldl f = ring(&arena, &scratch, A);
    assert_true(f.start[N] <= 6 * N);
    int deepest = 0; /* two indices of a separator per halving of the ring, and its last ones */
    for (int k = 0; k < N; k++) {
        int depth = 0;
        for (int i = k; i < N; i = f.parent[i]) {
            depth++;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    print_message("tree of %d, height %d\n", N, deepest);
    assert_true(deepest <= N / 2);
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

static void what_is_not_definite_is_found(void **ctx)
{
    (void)ctx;
    sp_arena arena, scratch;
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    double A[N][N] = {{0.0}};
    sp_ldl f = ring(&arena, &scratch, A);
    f.A[sp_ldl_at(&f, 5, 5)] = NAN;
    assert_true(sp_ldl_factor(&f, NULL) < N);
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_have_no_residual),
        cmocka_unit_test(struck_indices_are_left_out),
        cmocka_unit_test(a_ring_stays_sparse),
        cmocka_unit_test(what_is_not_definite_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
