/* math/cheb.h - where a smooth function of one variable first comes below zero.
 *
 * The function is interpolated at Chebyshev points; how fast the coefficients decay bounds what
 * the polynomial leaves out, and Bernstein coefficients bound the polynomial on every part of the
 * interval.  A part is left behind when the function is above zero there for certain; where that is
 * not known the function is interpolated anew on that part alone.   theory (65.1)-(65.8)
 *
 * An indicator g is positive while nothing happens (a gap, a normal force, what is left of the
 * friction limit) and has its event where it reaches zero from above. */
#ifndef SP_MATH_CHEB_H
#define SP_MATH_CHEB_H

#include "base/status.h"

#include <stdbool.h>

enum { SP_CHEB_MAX = 8 }; /* degree of an interpolation, at most */

/* g(t).  NaN ends the search with SP_E_NONFINITE. */
typedef sp_status (*sp_cheb_function)(void *ctx, double t, double *g, sp_error *err);

/* A polynomial on a..b: sum of c[k] T_k(x), x from -1 at a to 1 at b. */
typedef struct sp_cheb {
    int n; /* degree of the interpolation, 4 or 8                          */
    double a, b;
    double c[SP_CHEB_MAX + 1];
    double rest; /* |g - p| is not larger, round-off apart                       */
} sp_cheb;

/* Point k = 0..n of the interpolation of degree n (4 or 8): a for k = 0, b for k = n.  Those of
 * degree 4 are every second of degree 8. */
double sp_cheb_point(int n, double a, double b, int k);

/* The polynomial through the values at these points; what is below noise counts as zero. */
sp_cheb sp_cheb_fit(int n, double a, double b, const double *value, double noise);

/* What p is not below, if it moves `margin` times as far from its middle value as it may. */
double sp_cheb_lowest(const sp_cheb *p, double margin);

/* p(t) and its slope. */
double sp_cheb_value(const sp_cheb *p, double t, double *slope);

/* What is searched. */
typedef struct sp_cheb_search {
    sp_cheb_function g;
    void *ctx;
    int n; /* degree, 4 or 8                                                */
    double a, b;
    double noise; /* round-off of g, > 0: a start within it is a start at zero     */
    double depth; /* so far below zero g must come, besides, to have fallen        */
    double rough; /* the same where g is noise, larger than that, or jumps: so far it must come   */
    double t_near; /* so near the root has to be                                    */
    double t_last; /* a fall behind is of no interest                               */
} sp_cheb_search;

typedef struct sp_fall {
    bool found;
    double t;       /* the root                                                      */
    double slope;   /* of g there, 0: g jumps, or falls at once from a start at zero */
    double t_below; /* a time behind it ...                                          */
    double below;   /* ... at which g has this value, below zero                     */
    int n_eval;     /* evaluations of g beside the first values                      */
} sp_fall;

/* The first fall of g in a..b, value[0..n] being its values at the points.  A start at zero is
 * none: g must rise above the noise first, or fall below it.  What only touches zero is none. */
sp_status sp_cheb_first_fall(const sp_cheb_search *search, const double *value, sp_fall *fall,
                             sp_error *err);

#endif
