/* expr/held.h - programs whose kinks are held on one side, so that they are smooth on both sides of
 * a switch.   theory (64.12) */
#ifndef SP_EXPR_HELD_H
#define SP_EXPR_HELD_H

#include "expr/expr.h"

/* A kink of a program while it is evaluated. */
typedef struct sp_kink {
    double side;  /* that it is held on; NaN: it takes the one it is on            */
    double other; /* the side across the nearest border                            */
    double phi;   /* indicator: falls through zero at the border, infinite: none is there */
} sp_kink;

/* The instructions of p that are kinks (abs, sign, floor, mod, min, max, comparisons, corners of
 * tables) and depend on inputs of the state (n_input flags), ascending, into list (NULL: not
 * wanted); how many.  mark has room for sp_program_work(p, 0) flags. */
int sp_program_kinks(const sp_program *p, const bool *of_state, bool *mark, int *list);

/* Kinks of a program that are held: sides that are NaN are decided, indicators filled. */
typedef struct sp_held {
    int n;
    const int *list; /* as sp_program_kinks has them */
    sp_kink *kink;
} sp_held;

/* sp_program_value, _grad and _hess with kinks held. */
double sp_program_held(const sp_program *p, const double *in, double *work, const sp_held *hold);
double sp_program_held_grad(const sp_program *p, const double *in, double *grad, double *work,
                            const sp_held *hold);
double sp_program_held_hess(const sp_program *p, const double *in, double *grad, double *hess,
                            double *work, const sp_held *hold);

#endif
