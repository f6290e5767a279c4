/* math/rk8_stages.h - the formulas of the order-8 method: stages, their sums, the polynomial.  For
 * rk8.c alone. */
#ifndef SP_MATH_RK8_STAGES_H
#define SP_MATH_RK8_STAGES_H

#include "math/rk8.h"
#include "math/rk8_tables.h"

#include <string.h>

/* The arrays of n numbers behind the block's head. */
enum {
    SP_RK8_Y,                  /* state at t                                            */
    SP_RK8_Y_OLD,              /* state at t_old                                        */
    SP_RK8_X,                  /* argument of a stage                                   */
    SP_RK8_K0,                 /* the stages k_0 .. k_15; k_0 belongs to t_old          */
    SP_RK8_F = SP_RK8_K0 + 12, /* f(t, y), which is stage 12 of the step that led there */
    SP_RK8_P = SP_RK8_K0 + 16, /* coefficients 1..7 of the dense output; scratch before */
    SP_RK8_ARRAYS = SP_RK8_P + 7
};
_Static_assert(SP_RK8_STAGES == 16, "the stages fill the places from K0 to P");

/* The array of that name. */
static inline double *sp_rk8_array(sp_rk8 *rk, int which)
{
    return rk->a + (size_t)which * (size_t)rk->n;
}

static inline const double *sp_rk8_array_const(const sp_rk8 *rk, int which)
{
    return rk->a + (size_t)which * (size_t)rk->n;
}

static inline void sp_rk8_copy(int n, double *to, const double *from)
{
    memmove(to, from, (size_t)n * sizeof *to);
}

/* Is every x_i a finite number?  The sum of 0 x_i is 0 then, and NaN otherwise. */
static inline bool sp_rk8_finite(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += 0.0 * x[i];
    }
    return sum == 0.0;
}

/* k = f(t, y), counted. */
static inline sp_status sp_rk8_evaluate(sp_rk8 *rk, const sp_rk8_system *s, double t,
                                        const double *y, double *k, sp_error *err)
{
    rk->n_eval++;
    return s->f(s->ctx, t, y, k, err);
}

/* The stages of the step from t_old to t_new: 11 evaluations. */
sp_status sp_rk8_stages(sp_rk8 *rk, const sp_rk8_system *s, double t_new, sp_error *err);

/* y = y_old + dt sum b_j k_j, and the differences e5, e3 of the two embedded solutions to it, which
 * go to the first two arrays at P.  Returns whether y is finite. */
bool sp_rk8_combine(sp_rk8 *rk, double dt);

/* The polynomial of the step is the cubic through both ends with the slopes there. */
void sp_rk8_take_cubic(sp_rk8 *rk);

#endif
