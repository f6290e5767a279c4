/* integrators/reference.h - an integrator that shares nothing with the library: Gragg's midpoint
 * rule, extrapolated [HNW93 II.9], in equal steps.  With 6 stages the order is 12. */
#ifndef TESTS_INTEGRATORS_REFERENCE_H
#define TESTS_INTEGRATORS_REFERENCE_H

#include <math.h>
#include <string.h>

enum { REFERENCE_MAX = 16, REFERENCE_STAGES = 6 };
typedef void (*reference_function)(const void *ctx, double t, const double *y, double *dydt);

/* y(t + H) by 2n small midpoint steps, smoothed at the end. */
static inline void reference_midpoint(reference_function f, const void *ctx, int n_y, double t,
                                      double H, const double *y, int n, double *out)
{
    double a[REFERENCE_MAX], b[REFERENCE_MAX], d[REFERENCE_MAX];
    const double h = H / (2 * n);
    memcpy(a, y, (size_t)n_y * sizeof *a);
    f(ctx, t, a, d);
    for (int i = 0; i < n_y; i++) {
        b[i] = a[i] + h * d[i];
    }
    for (int k = 1; k < 2 * n; k++) {
        f(ctx, t + k * h, b, d);
        for (int i = 0; i < n_y; i++) {
            const double next = a[i] + 2.0 * h * d[i];
            a[i] = b[i];
            b[i] = next;
        }
    }
    f(ctx, t + H, b, d);
    for (int i = 0; i < n_y; i++) {
        out[i] = 0.5 * (a[i] + b[i] + h * d[i]);
    }
}

/* One step of length H. */
static inline void reference_step(reference_function f, const void *ctx, int n_y, double t,
                                  double H, double *y)
{
    double T[REFERENCE_STAGES][REFERENCE_MAX];
    for (int k = 0; k < REFERENCE_STAGES; k++) {
        reference_midpoint(f, ctx, n_y, t, H, y, k + 1, T[k]);
        for (int j = k - 1; j >= 0; j--) {
            const double r = (double)(k + 1) / (double)(j + 1), w = 1.0 / (r * r - 1.0);
            for (int i = 0; i < n_y; i++) {
                T[j][i] = T[j + 1][i] + w * (T[j + 1][i] - T[j][i]);
            }
        }
    }
    memcpy(y, T[0], (size_t)n_y * sizeof *y);
}

/* y from t_0 to t_1 in n equal steps. */
static inline void reference_run(reference_function f, const void *ctx, int n_y, double t_0,
                                 double t_1, long n, double *y)
{
    const double H = (t_1 - t_0) / (double)n;
    for (long k = 0; k < n; k++) {
        reference_step(f, ctx, n_y, t_0 + (double)k * H, H, y);
    }
}

#endif
