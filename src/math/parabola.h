/* math/parabola.h - the parabola through three values at -1, 0 and 1. */
#ifndef SP_MATH_PARABOLA_H
#define SP_MATH_PARABOLA_H

/* Where it is least between -1 and 1; 2: it has no bottom there. */
static inline double sp_parabola_bottom(double a, double m, double b)
{
    const double bend = a - 2.0 * m + b, slope = 0.5 * (b - a), at = -slope / bend;
    return bend > 0.0 && at > -1.0 && at < 1.0 ? at : 2.0;
}

/* The least value between; that at 1 where it has no bottom. */
static inline double sp_parabola_least(double a, double m, double b)
{
    const double slope = 4.0 * m - 3.0 * a - b, bend = 2.0 * (a - 2.0 * m + b);
    return slope < 0.0 && slope + 2.0 * bend > 0.0 ? a - 0.25 * slope * slope / bend : b;
}

#endif
