#include "math/spline.h"

/* Solve  low_i b_{i-1} + mid_i b_i + up_i b_{i+1} = right_i, i = 0..n-1, diagonally dominant, with
 * low_i = up_{i-1}; c is scratch, right becomes b. */
static void solve_tridiagonal(int n, const double *mid, const double *up, double *c, double *right)
{
    double pivot = mid[0];
    right[0] /= pivot;
    for (int i = 1; i < n; i++) {
        c[i] = up[i - 1] / pivot;
        pivot = mid[i] - up[i - 1] * c[i];
        right[i] = (right[i] - up[i - 1] * right[i - 1]) / pivot;
    }
    for (int i = n - 2; i >= 0; i--) {
        right[i] -= c[i + 1] * right[i + 1];
    }
}

/* How much the slope of the broken line through the points changes at knot i. */
static double kink(const double *y, int stride, int before, int i, int after, double h_0,
                   double h_1)
{
    return (y[after * stride] - y[i * stride]) / h_1 - (y[i * stride] - y[before * stride]) / h_0;
}

/* Inner knots i = 1..n-2 of an open spline:
 *     h_0/6 b_{i-1} + (h_0 + h_1)/3 b_i + h_1/6 b_{i+1} = kink_i,  b = 0 at the ends  [deBoor78] */
static void bend_open(int n, const double *x, const double *y, int stride, double *work,
                      double *bend)
{
    double *mid = work, *up = work + n, *c = work + 2 * n, *right = work + 3 * n;
    bend[0] = bend[(n - 1) * stride] = 0.0;
    if (n < 3) {
        return;
    }
    for (int i = 1; i < n - 1; i++) {
        const double h_0 = x[i] - x[i - 1], h_1 = x[i + 1] - x[i];
        mid[i - 1] = (h_0 + h_1) / 3.0;
        up[i - 1] = h_1 / 6.0;
        right[i - 1] = kink(y, stride, i - 1, i, i + 1, h_0, h_1);
    }
    solve_tridiagonal(n - 2, mid, up, c, right);
    for (int i = 1; i < n - 1; i++) {
        bend[i * stride] = right[i - 1];
    }
}

/* The same equations in a ring of m = n - 1 knots: b_{m-1} = z is set apart, the others are
 * b = r - z s with two solutions of one tridiagonal system. */
static void bend_closed(int n, const double *x, const double *y, int stride, double *work,
                        double *bend)
{
    const int m = n - 1;
    double *mid = work, *up = work + n, *c = work + 2 * n, *s = work + 3 * n;
    double *r = bend; /* with stride: solved below in place of s, one after the other */
    const double h_last = x[m] - x[m - 1];
    for (int i = 0; i < m; i++) {
        const double h_0 = i > 0 ? x[i] - x[i - 1] : h_last, h_1 = x[i + 1] - x[i];
        mid[i] = (h_0 + h_1) / 3.0;
        up[i] = h_1 / 6.0;
        s[i] = kink(y, stride, i > 0 ? i - 1 : m - 1, i, i + 1, h_0, h_1);
    }
    const double right_last = s[m - 1];
    solve_tridiagonal(m - 1, mid, up, c, s);
    for (int i = 0; i < m - 1; i++) {
        r[i * stride] = s[i];
        s[i] = 0.0;
    }
    s[0] = up[m - 1]; /* couples knot 0 with knot m - 1 */
    s[m - 2] += up[m - 2];
    solve_tridiagonal(m - 1, mid, up, c, s);
    const double z = (right_last - up[m - 1] * r[0] - up[m - 2] * r[(m - 2) * stride]) /
                     (mid[m - 1] - up[m - 1] * s[0] - up[m - 2] * s[m - 2]);
    for (int i = 0; i < m - 1; i++) {
        r[i * stride] -= z * s[i];
    }
    bend[(m - 1) * stride] = z;
    bend[m * stride] = bend[0];
}

void sp_spline_bend(int n, const double *x, const double *y, int stride, bool closed, double *work,
                    double *bend)
{
    if (closed) {
        bend_closed(n, x, y, stride, work, bend);
    } else {
        bend_open(n, x, y, stride, work, bend);
    }
}

void sp_spline_weigh(int n, const double *knot, double x, sp_spline_weights *out)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(x >= knot[middle] ? &low : &high) = middle;
    }
    const double h = knot[low + 1] - knot[low], a = (knot[low + 1] - x) / h,
                 b = (x - knot[low]) / h;
    out->piece = low;
    out->w[0][0] = a;
    out->w[0][1] = b;
    out->w[0][2] = h * h / 6.0 * (a * a - 1.0) * a;
    out->w[0][3] = h * h / 6.0 * (b * b - 1.0) * b;
    out->w[1][0] = -1.0 / h;
    out->w[1][1] = 1.0 / h;
    out->w[1][2] = -h / 6.0 * (3.0 * a * a - 1.0);
    out->w[1][3] = h / 6.0 * (3.0 * b * b - 1.0);
    out->w[2][0] = out->w[2][1] = 0.0;
    out->w[2][2] = a;
    out->w[2][3] = b;
}
