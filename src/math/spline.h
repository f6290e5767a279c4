/* math/spline.h - cubic splines through points, as the sums that curves and surfaces are made of.
 *
 * Between two knots, with h their distance and a = (x_1 - x)/h, b = 1 - a,
 *
 *     y = a y_0 + b y_1 + h^2/6 ((a^3 - a) y_0'' + (b^3 - b) y_1'')              theory (20.1) */
#ifndef SP_MATH_SPLINE_H
#define SP_MATH_SPLINE_H

#include <stdbool.h>

/* y'' at the knots of the spline whose first and second derivatives have no jump: zero bend at both
 * ends, or, if it is closed, ends that go over into each other (y[0] and y[n - 1] are the same
 * point then).
 *   x     (n)         rising, n >= 2; closed: n >= 4
 *   y     (n)         with this stride, as bend
 *   work  (4 n)       scratch */
void sp_spline_bend(int n, const double *x, const double *y, int stride, bool closed, double *work,
                    double *bend);

/* What y_0, y_1, y_0'', y_1'' of a piece count in y, y' and y''. */
typedef struct sp_spline_weights {
    int piece;      /* between knots piece and piece + 1 */
    double w[3][4]; /* of y, y', y''                     */
} sp_spline_weights;

/* The weights at x; outside the knots the first or last piece goes on. */
void sp_spline_weigh(int n, const double *knot, double x, sp_spline_weights *out);

#endif
