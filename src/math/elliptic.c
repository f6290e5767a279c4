/* The arithmetic-geometric mean of 1 and sqrt(1 - x):
 *
 *     a <- (a + b) / 2,  b <- sqrt(a b),  c <- (a - b) / 2,    K = pi / (2 a),
 *     E = K (1 - sum_n 2^(n-1) c_n^2),  c_0^2 = x                          theory (19.6) */
#include "math/elliptic.h"

#include <math.h>

enum { STEPS_MOST = 40 };

sp_elliptic sp_elliptic_complete(double x, double one_minus_x)
{
    const double half_pi = 1.57079632679489661923;
    sp_elliptic e = {INFINITY, 1.0};
    if (one_minus_x == 0.0) {
        return e;
    }
    double a = 1.0, b = sqrt(one_minus_x), sum = 0.5 * x, weight = 1.0;
    for (int k = 0; k < STEPS_MOST && a - b > 1e-16 * a; k++) {
        const double mean = 0.5 * (a + b), c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = mean;
        sum += weight * c * c;
        weight *= 2.0;
    }
    e.K = half_pi / a;
    e.E = e.K * (1.0 - sum);
    return e;
}
