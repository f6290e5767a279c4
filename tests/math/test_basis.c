/* Bases: orthonormal, of the right rank, and blind to what the rows span. */
#include "math/basis.h"

#include "support/check.h"

#include <string.h>

enum { MOST = 24 };

static void rows_and_their_complement_are_orthonormal(void **ctx)
{
    (void)ctx;
    rng r = {3};
    double rows[MOST * MOST], A[MOST * MOST], Q[MOST * MOST];
    for (int c = 0; c < check_cases(200, 20000); c++) {
        const int n = 1 + rng_int(&r, MOST), m = rng_int(&r, n + 1), twice = m > 1 ? 1 : 0;
        for (int i = 0; i < m * n; i++) { /* rows of very different sizes */
            rows[i] = rng_in(&r, -1.0, 1.0) * pow(10.0, (i / n) % 5 - 2);
        }
        for (int k = 0; k < n && twice; k++) { /* the last is made of the first two */
            rows[(m - 1) * n + k] = 3.0 * rows[k] - (m > 2 ? 0.5 * rows[n + k] : 0.0);
        }
        memcpy(A, rows, sizeof A);
        assert_int_equal(sp_basis_split(m, n, A, 1e-9, Q), m - twice);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double dot = 0.0;
                for (int k = 0; k < n; k++) {
                    dot += Q[i * n + k] * Q[j * n + k];
                }
                assert_near(dot, i == j ? 1.0 : 0.0, 1e-14);
            }
        }
        for (int i = 0; i < m; i++) {
            double size = 0.0;
            for (int k = 0; k < n; k++) {
                size = fmax(size, fabs(rows[i * n + k]));
            }
            for (int j = m - twice; j < n; j++) {
                double dot = 0.0;
                for (int k = 0; k < n; k++) {
                    dot += rows[i * n + k] * Q[j * n + k];
                }
                assert_near_scaled(dot, 0.0, size, 1e-8 * n);
            }
        }
    }
}

static void cholesky_solves_what_it_factored(void **ctx)
{
    (void)ctx;
    rng r = {4};
    double A[MOST * MOST], L[MOST * MOST], x[MOST], b[MOST];
    for (int c = 0; c < check_cases(100, 10000); c++) {
        const int n = 1 + rng_int(&r, MOST);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                A[i * n + j] = A[j * n + i] = rng_in(&r, -1.0, 1.0) + (i == j ? n : 0.0);
            }
            x[i] = rng_in(&r, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            b[i] = 0.0;
            for (int j = 0; j < n; j++) {
                b[i] += A[i * n + j] * x[j];
            }
        }
        memcpy(L, A, sizeof L);
        assert_int_equal(sp_cholesky(n, L, 1e-14), n);
        sp_cholesky_forward(n, L, b);
        sp_cholesky_back(n, L, b);
        for (int i = 0; i < n; i++) {
            assert_near(b[i], x[i], 1e-12);
        }
    }
}

static void cholesky_tells_where_a_matrix_is_singular(void **ctx)
{
    (void)ctx;
    double A[9] = {2.0, 1.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 1.0};
    assert_int_equal(sp_cholesky(3, A, 1e-14), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_their_complement_are_orthonormal),
        cmocka_unit_test(cholesky_solves_what_it_factored),
        cmocka_unit_test(cholesky_tells_where_a_matrix_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
