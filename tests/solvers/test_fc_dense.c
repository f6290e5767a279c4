#include "solvers/fc_dense.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 70 };

static void factors_solve_their_system(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int n = 1; n <= 70; n++) {
        const int ld = sp_fc_padded(n);
        double *A = aligned_alloc(32, sizeof *A * (size_t)(n * ld)),
               *B = malloc(sizeof *B * (size_t)(n * ld));
        double b[70], x[70];
        int pivot[70];
        for (int k = 0; k < n * ld; k++) {
            A[k] = B[k] = rng_in(&r, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            b[i] = x[i] = rng_in(&r, -1.0, 1.0);
        }
        assert_true(sp_fc_lu(n, A, pivot) > 0.0);
        sp_fc_lu_solve(n, A, pivot, x);
        for (int i = 0; i < n; i++) {
            double ax = 0.0, size_x = 0.0;
            for (int j = 0; j < n; j++) {
                ax += B[i * ld + j] * x[j];
                size_x += fabs(B[i * ld + j] * x[j]);
            }
            assert_near_scaled(ax, b[i], size_x, 1e-12);
        }
        free(A), free(B);
    }
}

static void a_matrix_of_zeros_has_no_pivot(void **ctx)
{
    (void)ctx;
    _Alignas(32) double S[8] = {0};
    int pivot[2];
    assert_true(sp_fc_lu(2, S, pivot) == 0.0);
}

/* The factors of the first n_pivot unknowns, number by number: a step of elimination after the
 * other. */
static void plain_lu(int n, int n_pivot, double *A, int *pivot)
{
    const int ld = sp_fc_padded(n);
    for (int k = 0; k < n_pivot; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < n_pivot; i++) {
            pivot[k] = fabs(A[i * ld + k]) > fabs(A[pivot[k] * ld + k]) ? i : pivot[k];
        }
        for (int j = 0; j < ld; j++) {
            const double t = A[k * ld + j];
            A[k * ld + j] = A[pivot[k] * ld + j];
            A[pivot[k] * ld + j] = t;
        }
        const double inverse = 1.0 / A[k * ld + k];
        for (int i = k + 1; i < n; i++) {
            A[i * ld + k] *= inverse;
            for (int j = k + 1; j < n; j++) {
                A[i * ld + j] -= A[i * ld + k] * A[k * ld + j];
            }
        }
    }
}

/* Panels and vectors change the order of operations, but not for any number. */
static void factors_have_the_bits_of_plain_elimination(void **ctx)
{
    (void)ctx;
    rng r = {4};
    for (int n = 1; n <= MOST; n++) {
        const int ld = sp_fc_padded(n), n_pivot = n % 3 ? n : 1 + rng_int(&r, n);
        double *A = aligned_alloc(32, sizeof *A * (size_t)(n * ld)),
               *B = malloc(sizeof *B * (size_t)(n * ld));
        int pivot[MOST], other[MOST];
        for (int k = 0; k < n * ld; k++) {
            A[k] = B[k] = rng_in(&r, -1.0, 1.0);
        }
        assert_true(sp_fc_lu_front(n, n_pivot, A, pivot) > 0.0);
        plain_lu(n, n_pivot, B, other);
        assert_memory_equal(pivot, other, (size_t)n_pivot * sizeof *pivot);
        for (int i = 0; i < n; i++) {
            assert_memory_equal(A + i * ld, B + i * ld, (size_t)n * sizeof *A);
        }
        free(A), free(B);
    }
}

static void few_unknowns_are_found_at_once(void **ctx)
{
    (void)ctx;
    rng r = {6};
    for (int n = 1; n <= SP_FC_GAUSS; n++) {
        const int ld = sp_fc_padded(n + 1);
        _Alignas(32) double A[SP_FC_GAUSS * (SP_FC_GAUSS + 4)];
        double B[SP_FC_GAUSS * (SP_FC_GAUSS + 4)], x[SP_FC_GAUSS];
        for (int k = 0; k < n * ld; k++) { /* some exact zeros where pivots would be */
            A[k] = B[k] = k % (ld + 1) == 0 && n > 2 ? 0.0 : rng_in(&r, -1.0, 1.0);
        }
        assert_true(sp_fc_gauss(n, A, x) > 0.0);
        for (int i = 0; i < n; i++) {
            double sum = -B[i * ld + n], size = fabs(sum);
            for (int j = 0; j < n; j++) {
                sum += B[i * ld + j] * x[j];
                size += fabs(B[i * ld + j] * x[j]);
            }
            assert_near_scaled(sum, 0.0, size, 1e-11);
        }
    }
}

static void a_singular_matrix_has_no_pivot_and_nan_travels(void **ctx)
{
    (void)ctx;
    _Alignas(32) double A[8] = {1.0, 2.0, 1.0, 0.0, 2.0, 4.0, 1.0, 0.0}, B[8];
    double x[2];
    int pivot[2];
    memcpy(B, A, sizeof B);
    assert_true(sp_fc_gauss(2, A, x) == 0.0);
    assert_true(sp_fc_lu(2, B, pivot) == 0.0);
    memcpy(A, (double[8]){1.0, 2.0, 1.0, 0.0, 0.5, NAN, 1.0, 0.0}, sizeof A);
    assert_true(!(sp_fc_gauss(2, A, x) > 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_solve_their_system),
        cmocka_unit_test(a_matrix_of_zeros_has_no_pivot),
        cmocka_unit_test(factors_have_the_bits_of_plain_elimination),
        cmocka_unit_test(few_unknowns_are_found_at_once),
        cmocka_unit_test(a_singular_matrix_has_no_pivot_and_nan_travels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
