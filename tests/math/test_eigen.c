/* Eigenvalues and vectors by what they must satisfy, on random matrices and on known ones. */
#include "math/eigen.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static double A[MOST * MOST], B[MOST * MOST], V[MOST * MOST], w[MOST];
static sp_complex s[MOST], X[MOST * MOST];

/* |A x - s x| of column k. */
static double residual(int n, int k)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        sp_complex sum = {0.0, 0.0};
        for (int j = 0; j < n; j++) {
            sum.re += A[i * n + j] * X[j * n + k].re;
            sum.im += A[i * n + j] * X[j * n + k].im;
        }
        const sp_complex x = X[i * n + k];
        sum.re -= s[k].re * x.re - s[k].im * x.im;
        sum.im -= s[k].re * x.im + s[k].im * x.re;
        most = check_worse(most, hypot(sum.re, sum.im));
    }
    return most;
}

static void random_symmetric_matrices_are_taken_apart(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int c = 0; c < check_cases(60, 2000); c++) {
        const int n = 1 + rng_int(&r, 30);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                A[i * n + j] = A[j * n + i] = rng_in(&r, -1.0, 1.0);
            }
        }
        memcpy(B, A, sizeof A);
        sp_eigen_symmetric(n, B, V, w);
        for (int k = 0; k < n; k++) {
            assert_true(k == 0 || w[k - 1] <= w[k]);
            for (int i = 0; i < n; i++) {
                double Ax = 0.0, dot = 0.0;
                for (int j = 0; j < n; j++) {
                    Ax += A[i * n + j] * V[j * n + k];
                    dot += V[j * n + i] * V[j * n + k];
                }
                assert_near_scaled(Ax, w[k] * V[i * n + k], n, 1e-14);
                assert_near(dot, i == k ? 1.0 : 0.0, 1e-13);
            }
        }
    }
}

static void random_matrices_have_eigenvectors_and_their_trace(void **ctx)
{
    (void)ctx;
    rng r = {2};
    for (int c = 0; c < check_cases(60, 2000); c++) {
        const int n = 1 + rng_int(&r, 30);
        sp_complex trace = {0.0, 0.0};
        double sum = 0.0;
        for (int i = 0; i < n * n; i++) {
            A[i] = rng_in(&r, -1.0, 1.0);
        }
        void *work = malloc(sp_eigen_work(n));
        assert_non_null(work);
        assert_true(sp_eigen_general(n, A, s, X, work));
        free(work);
        for (int k = 0; k < n; k++) {
            assert_true(residual(n, k) < 1e-11);
            trace.re += s[k].re;
            trace.im += s[k].im;
            sum += A[k * n + k];
        }
        assert_near_scaled(trace.re, sum, n, 1e-13);
        assert_near_scaled(trace.im, 0.0, n, 1e-13);
    }
}

/* The companion matrix of (x - 1)(x - 2)...(x - n). */
static void a_companion_matrix_has_the_roots_of_its_polynomial(void **ctx)
{
    (void)ctx;
    enum { N = 6 };
    double p[N + 1] = {1.0};
    for (int k = 1; k <= N; k++) {
        for (int i = k; i > 0; i--) {
            p[i] -= k * p[i - 1];
        }
    }
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) {
        A[i] = -p[i + 1];
        if (i > 0) {
            A[i * N + i - 1] = 1.0;
        }
    }
    void *work = malloc(sp_eigen_work(N));
    assert_true(sp_eigen_general(N, A, s, X, work));
    free(work);
    for (int root = 1; root <= N; root++) {
        double nearest = INFINITY;
        for (int k = 0; k < N; k++) {
            nearest = fmin(nearest, hypot(s[k].re - root, s[k].im));
        }
        assert_true(nearest < 1e-9);
    }
}

static void a_rotation_has_a_conjugate_pair(void **ctx)
{
    (void)ctx;
    const double rotation[4] = {0.0, -3.0, 3.0, 0.0};
    void *work = malloc(sp_eigen_work(2));
    assert_true(sp_eigen_general(2, rotation, s, X, work));
    free(work);
    assert_near(fabs(s[0].im), 3.0, 1e-15);
    assert_near(s[0].im + s[1].im, 0.0, 1e-15);
    assert_near(s[0].re, 0.0, 1e-15);
}

static void nan_does_not_hang(void **ctx)
{
    (void)ctx;
    const double bad[9] = {1.0, NAN, 0.0, 2.0, 1.0, 3.0, 0.0, 1.0, 1.0};
    void *work = malloc(sp_eigen_work(3));
    assert_false(sp_eigen_general(3, bad, s, X, work));
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_symmetric_matrices_are_taken_apart),
        cmocka_unit_test(random_matrices_have_eigenvectors_and_their_trace),
        cmocka_unit_test(a_companion_matrix_has_the_roots_of_its_polynomial),
        cmocka_unit_test(a_rotation_has_a_conjugate_pair),
        cmocka_unit_test(nan_does_not_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
