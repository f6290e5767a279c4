/* support/check.h - what every test of the mechanics needs: comparisons that NaN fails, random
 * numbers with a seed, how many cases to run, a fitted order. */
#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>

/* |a - b| <= tol max(1, |a|, |b|): relative for large numbers, absolute for small ones. */
#define assert_near(a, b, tol) check_near((a), (b), 1.0, (tol), #a " = " #b, __FILE__, __LINE__)

/* |a - b| <= tol scale, where scale is the size of the terms that a and b are sums of. */
#define assert_near_scaled(a, b, scale, tol)                                                       \
    check_near((a), (b), (scale), (tol), #a " = " #b, __FILE__, __LINE__)

/* |a - b| <= tol max(|a|, |b|, scale), else the test fails here; NaN fails too. */
void check_near(double a, double b, double scale, double tol, const char *what, const char *file,
                int line);

/* The largest |a - b| / max(scale, |a|, |b|) that was compared since the last call. */
double check_worst(void);

/* Numbers that depend on the seed alone (splitmix64). */
typedef struct rng {
    uint64_t state;
} rng;
double rng_in(rng *r, double low, double high); /* evenly in [low, high) */
int rng_int(rng *r, int n);                     /* 0 .. n - 1            */
bool rng_flip(rng *r);

/* quick, or full if SPECHT_FULL is in the environment. */
int check_cases(int quick, int full);

/* Slope of the straight line through the points (log x, log y): the order of y ~ x^p. */
double check_order(int n, const double *x, const double *y);

/* The order of the sum of y over n_case cases, rows of `width` numbers of which n are used, and its
 * standard error from leaving out each case once (jackknife; NaN for a single case). */
typedef struct check_fit {
    double order, error;
} check_fit;
check_fit check_order_of(int n_case, int width, int n, const double *x, const double *y);

/* The larger of two numbers; NaN is larger than everything, so that a worst case cannot hide it. */
static inline double check_worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

#endif
