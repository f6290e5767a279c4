#include "math/dense.h"

#include "support/check.h"
#include "support/svd.h"

#include <stdlib.h>
#include <string.h>

enum { N = 12 };

/* A = B C with B n x rank, C rank x n; x_min = C' y, which is orthogonal to the null space; b = A
 * x. */
static void singular_system(rng *r, int n, int rank, double *A, double *x_min, double *b)
{
    double B[N * N], C[N * N], y[N];
    for (int k = 0; k < n * rank; k++) {
        B[k] = rng_in(r, -1.0, 1.0);
        C[k] = rng_in(r, -1.0, 1.0);
    }
    for (int i = 0; i < n * n; i++) {
        A[i] = 0.0;
        for (int k = 0; k < rank; k++) {
            A[i] += B[(i / n) * rank + k] * C[k * n + i % n];
        }
    }
    for (int k = 0; k < rank; k++) {
        y[k] = rng_in(r, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        x_min[i] = b[i] = 0.0;
        for (int k = 0; k < rank; k++) {
            x_min[i] += C[k * n + i] * y[k];
        }
    }
    for (int i = 0; i < n * n; i++) {
        b[i / n] += A[i] * x_min[i % n];
    }
}

static void both_solvers_find_the_solution_of_least_norm(void **ctx)
{
    (void)ctx;
    rng r = {5};
    for (int k = 0; k < 500; k++) {
        const int n = 1 + rng_int(&r, N), rank = 1 + rng_int(&r, n);
        double A[N * N], copy[N * N], b[N], x_min[N], x[N], svd[N], work[N * N + N];
        singular_system(&r, n, rank, A, x_min, b);
        memcpy(copy, A, (size_t)(n * n) * sizeof *A);
        void *memory = malloc(sp_lu_bytes(n));
        sp_lu f;
        sp_lu_place(&f, n, memory);
        memcpy(f.LU, A, (size_t)(n * n) * sizeof *A);
        const int found = sp_lu_factor(&f, 1e-10);
        sp_lu_solve(&f, b, x);
        const int found_svd = svd_solve(n, n, copy, b, svd, 1e-10, work);
        free(memory);
        if (found == rank && found_svd == rank) { /* not a nearly singular sample */
            for (int i = 0; i < n; i++) {
                assert_near(x[i], x_min[i], 1e-6);
                assert_near(svd[i], x_min[i], 1e-6);
            }
        }
        assert_true(found <= rank && found_svd <= rank);
    }
}

static void a_known_system_is_solved_exactly(void **ctx)
{
    (void)ctx;
    double memory[64], b[2] = {5.0, 10.0};
    sp_lu f;
    assert_true(sp_lu_bytes(2) <= sizeof memory);
    sp_lu_place(&f, 2, memory);
    const double A[4] = {1.0, 2.0, 3.0, 4.0};
    memcpy(f.LU, A, sizeof A);
    assert_int_equal(2, sp_lu_factor(&f, 1e-12));
    sp_lu_solve(&f, b, b);
    assert_near(b[0], 0.0, 1e-15);
    assert_near(b[1], 2.5, 1e-15);
}

static void two_equal_equations_share_evenly(void **ctx)
{
    (void)ctx;
    double memory[64];
    const double A[4] = {3.0, 3.0, 3.0, 3.0}, b[2] = {6.0, 6.0};
    double x[2];
    sp_lu f;
    sp_lu_place(&f, 2, memory);
    memcpy(f.LU, A, sizeof A);
    assert_int_equal(1, sp_lu_factor(&f, 1e-12));
    sp_lu_solve(&f, b, x);
    assert_near(x[0], 1.0, 1e-15);
    assert_near(x[1], 1.0, 1e-15);
}

static void a_zero_matrix_has_rank_zero_and_solution_zero(void **ctx)
{
    (void)ctx;
    double memory[128], x[3] = {1.0, 1.0, 1.0}, work[16];
    const double b[3] = {0.0, 0.0, 0.0};
    sp_lu f;
    sp_lu_place(&f, 3, memory);
    memset(f.LU, 0, 9 * sizeof *f.LU);
    assert_int_equal(0, sp_lu_factor(&f, 1e-12));
    sp_lu_solve(&f, b, x);
    assert_true(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
    double zero[9] = {0.0};
    assert_int_equal(0, svd_solve(3, 3, zero, b, x, 1e-12, work));
    assert_true(x[0] == 0.0);
}

static void nan_does_not_come_out_as_a_number(void **ctx)
{
    (void)ctx;
    double memory[64], x[2];
    const double A[4] = {1.0, NAN, 0.0, 1.0}, b[2] = {1.0, 1.0};
    sp_lu f;
    sp_lu_place(&f, 2, memory);
    memcpy(f.LU, A, sizeof A);
    assert_true(sp_lu_factor(&f, 1e-12) < 2); /* no rank is claimed */
    sp_lu_solve(&f, b, x);
    assert_true(!isfinite(x[0] + x[1]) || x[0] + x[1] == 0.0);
}

static void elimination_exchanges_rows_and_solves(void **ctx)
{
    (void)ctx;
    double A[9] = {0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 4.0, 1.0, 3.0}, x[3] = {7.0, 1.0, 15.0};
    assert_true(sp_eliminate(3, A, 0.0, x)); /* 2 y + z = 7, x = 1, 4 x + y + 3 z = 15 */
    assert_near(1.0, x[0], 1e-14);
    assert_near(2.0, x[1], 1e-14);
    assert_near(3.0, x[2], 1e-14);
}

static void elimination_of_what_is_singular_is_no_number(void **ctx)
{
    (void)ctx;
    double A[4] = {1.0, 2.0, 2.0, 4.0}, x[2] = {1.0, 2.0};
    assert_false(sp_eliminate(2, A, 1e-14, x));
    assert_true(isnan(x[0]) && isnan(x[1]));
    double B[4] = {NAN, 1.0, 1.0, 1.0}, y[2] = {1.0, 1.0};
    assert_false(sp_eliminate(2, B, 0.0, y));
    assert_true(isnan(y[0]) && isnan(y[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_solvers_find_the_solution_of_least_norm),
        cmocka_unit_test(a_known_system_is_solved_exactly),
        cmocka_unit_test(two_equal_equations_share_evenly),
        cmocka_unit_test(a_zero_matrix_has_rank_zero_and_solution_zero),
        cmocka_unit_test(nan_does_not_come_out_as_a_number),
        cmocka_unit_test(elimination_exchanges_rows_and_solves),
        cmocka_unit_test(elimination_of_what_is_singular_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
