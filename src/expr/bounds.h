/* expr/bounds.h - what a program of time alone does over an interval: a hull of its values and
 * rates by interval arithmetic, and the times at which it switches.   theory (64.2)-(64.6) */
#ifndef SP_EXPR_BOUNDS_H
#define SP_EXPR_BOUNDS_H

#include "expr/expr.h"

typedef struct sp_span {
    double lo, hi;
} sp_span;

/* All values and rates of a quantity over an interval, and its value in the middle. */
typedef struct sp_bounds {
    sp_span f, d;
    double mid;
} sp_bounds;

/* Kinks (abs, sign, floor, mod, min, max, comparisons, corners of tables) over an interval. */
typedef struct sp_open_kinks {
    int n;       /* those that may change their side                          */
    bool steady; /* each of them has an indicator that only rises or only falls */
} sp_open_kinks;

/* Bytes of scratch for all functions below, aligned as double. */
size_t sp_program_bounds_work(const sp_program *p);

/* The same of a program of several inputs, over an interval of length 2 half of what they depend
 * on. */
sp_bounds sp_program_bounds_over(const sp_program *p, const sp_bounds *in, double half, void *work);

/* The hull of p over a <= t <= b; open may be NULL.  Hulls hold but for round-off. */
sp_bounds sp_program_bounds(const sp_program *p, double a, double b, sp_open_kinks *open,
                            void *work);

/* The first time at or behind a, up to about b, at which a kink changes its side: *left and *right
 * are the last time before and the first one behind it, neighbouring doubles.  What is found does
 * not depend on b.  Sides that change and change back within 2^-40 of the time or of a microsecond
 * may stay unseen.  false: there is none. */
bool sp_program_switch(const sp_program *p, double a, double b, double *left, double *right,
                       void *work);

#endif
