/* math/root.h - where a function of time comes down to zero: one bracketed root, or the first of
 * many, touching ones included.
 *
 * An indicator g is positive while nothing happens (a gap, a normal force, what is left of the
 * friction limit) and has its event where it reaches zero from above. */
#ifndef SP_MATH_ROOT_H
#define SP_MATH_ROOT_H

#include "base/status.h"

/* g(t), and its time derivative if rate is not NULL.  NaN ends the search with SP_E_NONFINITE. */
typedef sp_status (*sp_root_function)(void *ctx, double t, double *g, double *rate, sp_error *err);

/* a < b with g_a and g_b of opposite sign (one may be 0). */
typedef struct sp_root_bracket {
    double a, b, g_a, g_b;
    int n_eval; /* evaluations of g, added to what is there */
} sp_root_bracket;

/* Shrink the bracket to b - a <= t_tol, or to what double precision can tell apart there.  The ITP
 * method [OT20]: mostly as fast as the secant method, never more than two evaluations slower than
 * bisection (three where the last bits count).  If g is 0 somewhere on the way, a = b is that
 * place. */
sp_status sp_root_shrink(sp_root_bracket *bracket, sp_root_function g, void *ctx, double t_tol,
                         sp_error *err);

/* The end of the bracket where |g| is smaller. */
double sp_root_of(const sp_root_bracket *bracket);

typedef struct sp_root_sample {
    double t, g, rate; /* g(t) and its time derivative */
} sp_root_sample;

typedef enum sp_root_kind {
    SP_ROOT_NONE,
    SP_ROOT_CROSSING, /* g goes from above zero to below it                          */
    SP_ROOT_GRAZING   /* g has a minimum within g_tol of zero: it touches for all we know */
} sp_root_kind;

typedef struct sp_root {
    sp_root_kind kind;
    double t;             /* the root; of a grazing, the minimum         */
    double before, after; /* g > 0 at before, g < 0 at after, or both are t; within t_tol */
    double g;             /* at t                                        */
    int n_eval;           /* evaluations of g beside the nodes           */
} sp_root;

/* The first root of g in the nodes' range, node[0].t < .. < node[n_node - 1].t, n_node >= 2.
 *
 * A start at zero does not count: where g <= g_tol at node[0], g must rise above g_tol first;
 * falling below -g_tol before that is a crossing, at node[0].t if g is below there.
 *
 * Between neighbours a, b the cubic p through g and its rate at both ends is wrong by s^2 (1-s)^2
 * G, s the part of the way.  G and its slope are measured in the middle, and no |G| beyond twice
 * that straight line is expected.  An interval is left behind when g - all such errors has no root
 * by its Bernstein coefficients, or is monotone without one; otherwise it is halved, or divided at
 * its minimum.  So no root is missed, double ones included, whose neighbourhood keeps that bound;
 * 5 nodes in a step of rk8.h are enough in all tests.
 *
 * SP_E_NOT_CONVERGED if g is too rough to be judged with SP_ROOT_EVAL_MAX evaluations. */
sp_status sp_root_first(int n_node, const sp_root_sample *node, sp_root_function g, void *ctx,
                        double g_tol, double t_tol, sp_root *root, sp_error *err);

enum { SP_ROOT_EVAL_MAX = 2000 };

#endif
