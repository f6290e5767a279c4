#include "support/check.h"

#include <stdlib.h>

enum { CHECK_STEPS = 16 }; /* to which an order is fitted, at most */

static double worst;

void check_near(double a, double b, double scale, double tol, const char *what, const char *file,
                int line)
{
    const double size = fmax(fmax(fabs(a), fabs(b)), scale), gap = fabs(a - b);
    if (!(gap <= tol * size)) {
        print_message("%s: %.17g against %.17g, difference %.3g, allowed %.3g\n", what, a, b, gap,
                      tol * size);
        _fail(file, line);
    }
    if (size > 0.0) {
        worst = check_worse(worst, gap / size);
    }
}

double check_worst(void)
{
    const double now = worst;
    worst = 0.0;
    return now;
}

static uint64_t next(rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double rng_in(rng *r, double low, double high)
{
    return low + (high - low) * ((double)(next(r) >> 11) * 0x1p-53);
}

int rng_int(rng *r, int n)
{
    return (int)(next(r) % (uint64_t)n);
}

bool rng_flip(rng *r)
{
    return next(r) >> 63;
}

int check_cases(int quick, int full)
{
    return getenv("SPECHT_FULL") ? full : quick;
}

double check_order(int n, const double *x, const double *y)
{
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < n; i++) {
        mx += log(x[i]) / n;
        my += log(y[i]) / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (log(x[i]) - mx) * (log(x[i]) - mx);
        xy += (log(x[i]) - mx) * (log(y[i]) - my);
    }
    return xy / xx;
}

/* The order of the sum of y over all cases but one (none: -1). */
static double order_without(int n_case, int width, int n, const double *x, const double *y, int one)
{
    double sum[CHECK_STEPS] = {0};
    assert_true(n <= CHECK_STEPS);
    for (int i = 0; i < n_case; i++) {
        for (int k = 0; k < n; k++) {
            sum[k] += i == one ? 0.0 : y[i * width + k];
        }
    }
    return check_order(n, x, sum);
}

check_fit check_order_of(int n_case, int width, int n, const double *x, const double *y)
{
    double mean = 0.0, sum2 = 0.0;
    const double order = order_without(n_case, width, n, x, y, -1);
    for (int i = 0; i < n_case && n_case > 1; i++) {
        mean += order_without(n_case, width, n, x, y, i) / n_case;
    }
    for (int i = 0; i < n_case && n_case > 1; i++) {
        const double off = order_without(n_case, width, n, x, y, i) - mean;
        sum2 += off * off;
    }
    return (check_fit){order, n_case > 1 ? sqrt(sum2 * (n_case - 1) / n_case) : NAN};
}
