#include "math/rk8_stages.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL /* done without asking */
#endif

/* Round-off of differences of y, and of stages, whose coefficients add up to 96: so far stages may
 * be from those of a cubic. */
#define OF_ENDS   (8.0 * DBL_EPSILON)
#define OF_STAGES (100.0 * DBL_EPSILON)

/* Stages 1..6.  The sums are written out as they stand in the table, whose zeros are left out. */
static sp_status first_stages(sp_rk8 *rk, const sp_rk8_system *s, double dt, sp_error *err)
{
    const double(*A)[SP_RK8_STAGES] = SP_RK8_A, *C = SP_RK8_C;
    const int n = rk->n, n_arg = s->n_arg > 0 ? s->n_arg : n;
    const double t = rk->t_old, *y = sp_rk8_array(rk, SP_RK8_Y_OLD);
    double *restrict x = sp_rk8_array(rk, SP_RK8_X);
    double *k0 = sp_rk8_array(rk, SP_RK8_K0), *k1 = k0 + n, *k2 = k1 + n, *k3 = k2 + n,
           *k4 = k3 + n, *k5 = k4 + n, *k6 = k5 + n;

    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[1][0] * k0[i]);
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t + C[1] * dt, x, k1, err));
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[2][0] * k0[i] + A[2][1] * k1[i]);
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t + C[2] * dt, x, k2, err));
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[3][0] * k0[i] + A[3][2] * k2[i]);
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t + C[3] * dt, x, k3, err));
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[4][0] * k0[i] + A[4][2] * k2[i] + A[4][3] * k3[i]);
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t + C[4] * dt, x, k4, err));
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[5][0] * k0[i] + A[5][3] * k3[i] + A[5][4] * k4[i]);
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t + C[5] * dt, x, k5, err));
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * (A[6][0] * k0[i] + A[6][3] * k3[i] + A[6][4] * k4[i] + A[6][5] * k5[i]);
    }
    return sp_rk8_evaluate(rk, s, t + C[6] * dt, x, k6, err);
}

/* The stages from `first` on, and stage 0, times a row of a table: rows behind the sixth know no
 * others.  Component i; all but that is known where it is called. */
static inline double sum_of(const double *a, int first, int end, const double *k, int n, int i)
{
    double sum = a[0] * k[i];
    UNROLL
    for (int j = first; j < end; j++) {
        sum += a[j] * k[j * n + i];
    }
    return sum;
}

/* Stage `which`, at t; X keeps its argument. */
static inline sp_status stage(sp_rk8 *rk, const sp_rk8_system *s, double t, double dt, int first,
                              int which, sp_error *err)
{
    const int n = rk->n, n_arg = s->n_arg > 0 ? s->n_arg : n;
    const double *y = sp_rk8_array(rk, SP_RK8_Y_OLD);
    double *restrict x = sp_rk8_array(rk, SP_RK8_X), *k = sp_rk8_array(rk, SP_RK8_K0);
    for (int i = 0; i < n_arg; i++) {
        x[i] = y[i] + dt * sum_of(SP_RK8_A[which], first, which, k, n, i);
    }
    return sp_rk8_evaluate(rk, s, t, x, k + which * n, err);
}

/* Stages 7..11, the last at the end of the step. */
static sp_status last_stages(sp_rk8 *rk, const sp_rk8_system *s, double t_new, double dt,
                             sp_error *err)
{
    const double t = rk->t_old, *C = SP_RK8_C;
    SP_TRY(stage(rk, s, t + C[7] * dt, dt, 3, 7, err));
    SP_TRY(stage(rk, s, t + C[8] * dt, dt, 3, 8, err));
    SP_TRY(stage(rk, s, t + C[9] * dt, dt, 3, 9, err));
    SP_TRY(stage(rk, s, t + C[10] * dt, dt, 3, 10, err));
    return stage(rk, s, t_new, dt, 3, 11, err);
}

sp_status sp_rk8_stages(sp_rk8 *rk, const sp_rk8_system *s, double t_new, sp_error *err)
{
    const double dt = t_new - rk->t_old;
    SP_TRY(first_stages(rk, s, dt, err));
    return last_stages(rk, s, t_new, dt, err);
}

bool sp_rk8_combine(sp_rk8 *rk, double dt)
{
    const double *B = SP_RK8_A[12], *B3 = SP_RK8_B3;
    const int n = rk->n;
    const double *y_old = sp_rk8_array(rk, SP_RK8_Y_OLD), *k = sp_rk8_array(rk, SP_RK8_K0);
    double *restrict y = sp_rk8_array(rk, SP_RK8_Y), *restrict e5 = sp_rk8_array(rk, SP_RK8_P),
                     *restrict e3 = e5 + n;
    double zero = 0.0;
    for (int i = 0; i < n; i++) {
        const double slope = sum_of(B, 5, 12, k, n, i);
        y[i] = y_old[i] + dt * slope;
        zero += 0.0 * y[i];
        e3[i] = dt * (slope - (B3[0] * k[i] + B3[8] * k[8 * n + i] + B3[11] * k[11 * n + i]));
        e5[i] = dt * sum_of(SP_RK8_E5, 5, 12, k, n, i);
    }
    return zero == 0.0;
}

/* ---- dense output ----------------------------------------------------------------------- */

/* Stages 13..15, inside the step. */
static sp_status dense_stages(sp_rk8 *rk, const sp_rk8_system *s, double dt, sp_error *err)
{
    SP_TRY(stage(rk, s, rk->t_old + SP_RK8_C[13] * dt, dt, 5, 13, err));
    SP_TRY(stage(rk, s, rk->t_old + SP_RK8_C[14] * dt, dt, 5, 14, err));
    return stage(rk, s, rk->t_old + SP_RK8_C[15] * dt, dt, 5, 15, err);
}

/* With s the part of the step that has passed and r = 1 - s,
 *
 *     y = y_old + s (p1 + r (p2 + s (p3 + r (p4 + s (p5 + r (p6 + s p7))))))            [HNW93]
 *
 * p1..p3 fit both ends and the slopes there, p4..p7 come from the stages.  */

/* Those of the cubic that fits both ends and the slopes there, of component i. */
static inline void cubic(const sp_rk8 *rk, double dt, int i, double p[7])
{
    p[0] = sp_rk8_array_const(rk, SP_RK8_Y)[i] - sp_rk8_array_const(rk, SP_RK8_Y_OLD)[i];
    p[1] = dt * sp_rk8_array_const(rk, SP_RK8_K0)[i] - p[0];
    p[2] = p[0] - dt * sp_rk8_array_const(rk, SP_RK8_F)[i] - p[1];
}

/* All of them, of component i. */
static inline void coefficients(const sp_rk8 *rk, double dt, int i, double p[7])
{
    const int n = rk->n;
    const double *k = sp_rk8_array_const(rk, SP_RK8_K0);
    cubic(rk, dt, i, p);
    for (int m = 0; m < 4; m++) {
        p[3 + m] = dt * sum_of(SP_RK8_D[m], 5, SP_RK8_STAGES, k, n, i);
    }
}

static inline double polynomial(double y0, const double p[7], double s)
{
    const double r = 1.0 - s;
    return y0 +
           s * (p[0] + r * (p[1] + s * (p[2] + r * (p[3] + s * (p[4] + r * (p[5] + s * p[6]))))));
}

/* How far stages are from the slope of the cubic there, over the step, of component i. */
static double departure(const sp_rk8 *rk, double dt, int i)
{
    const int n = rk->n;
    const double *k = sp_rk8_array_const(rk, SP_RK8_K0);
    double p[7], most = 0.0;
    cubic(rk, dt, i, p);
    UNROLL
    for (int j = 1; j < 12; j++) {
        const double s = SP_RK8_C[j];
        const double slope = p[0] + (1.0 - 2.0 * s) * p[1] + s * (2.0 - 3.0 * s) * p[2];
        const double off = fabs(dt * k[j * n + i] - slope);
        most = off <= most ? most : off; /* NaN stays */
    }
    return most;
}

/* Whether every stage is the slope of the cubic there, to round-off: the motion is that cubic.
 * theory (68.3) */
static bool is_cubic(const sp_rk8 *rk, double dt)
{
    const int n = rk->n;
    const double *y0 = sp_rk8_array_const(rk, SP_RK8_Y_OLD), *y1 = sp_rk8_array_const(rk, SP_RK8_Y);
    const double *k = sp_rk8_array_const(rk, SP_RK8_K0);
    for (int i = 0; i < n; i++) {
        const double most = OF_ENDS * (fabs(y0[i]) + fabs(y1[i])) +
                            OF_STAGES * dt * (fabs(k[i]) + fabs(k[12 * n + i]));
        if (!(departure(rk, dt, i) <= most)) {
            return false;
        }
    }
    return true;
}

double sp_rk8_cubic_error(const sp_rk8 *rk, int i)
{
    return 0.5 * departure(rk, rk->t - rk->t_old, i);
}

void sp_rk8_cubic(const sp_rk8 *rk, double t, int n_want, double *y)
{
    const double dt = rk->t - rk->t_old, s = (t - rk->t_old) / dt, r = 1.0 - s;
    const double *y0 = sp_rk8_array_const(rk, SP_RK8_Y_OLD);
    if (t == rk->t) {
        sp_rk8_copy(n_want, y, sp_rk8_array_const(rk, SP_RK8_Y));
        return;
    }
    for (int i = 0; i < n_want; i++) {
        double p[7];
        cubic(rk, dt, i, p);
        y[i] = y0[i] + s * (p[0] + r * (p[1] + s * p[2]));
    }
}

void sp_rk8_take_cubic(sp_rk8 *rk)
{
    const double dt = rk->t - rk->t_old;
    double *p = sp_rk8_array(rk, SP_RK8_P);
    memset(p, 0, 7 * (size_t)rk->n * sizeof *p);
    for (int i = 0; i < rk->n; i++) {
        cubic(rk, dt, i, p + 7 * i);
    }
    rk->has_dense = rk->n;
    rk->cubic = true;
}

sp_status sp_rk8_prepare_dense(sp_rk8 *rk, const sp_rk8_system *s, sp_error *err)
{
    assert(rk->has_step);
    if (rk->has_dense > 0) {
        return SP_OK;
    }
    const int n = s->n_arg > 0 ? s->n_arg : rk->n;
    const double dt = rk->t - rk->t_old;
    double *p = sp_rk8_array(rk, SP_RK8_P);
    SP_TRY(rk->has_step == 2 ? sp_rk8_stages(rk, s, rk->t, err) : SP_OK);
    if (is_cubic(rk, dt)) {
        sp_rk8_take_cubic(rk);
        return SP_OK;
    }
    rk->cubic = false;
    SP_TRY(dense_stages(rk, s, dt, err));
    for (int i = 0; i < n; i++) {
        coefficients(rk, dt, i, p + 7 * i);
    }
    if (!sp_rk8_finite(7 * n, p) || !sp_rk8_finite(3 * rk->n, sp_rk8_array(rk, SP_RK8_K0 + 13))) {
        return SP_FAIL(err, SP_E_NONFINITE,
                       "the right-hand side is not finite between t = %.17g and %.17g", rk->t_old,
                       rk->t);
    }
    rk->has_dense = n;
    return SP_OK;
}

void sp_rk8_dense(sp_rk8 *rk, double t, int n_want, double *y)
{
    assert(rk->has_dense > 0 && rk->t_old <= t && t <= rk->t);
    const double dt = rk->t - rk->t_old, s = (t - rk->t_old) / dt;
    const double *y0 = sp_rk8_array_const(rk, SP_RK8_Y_OLD);
    double *p = sp_rk8_array(rk, SP_RK8_P);
    if (t == rk->t) {
        sp_rk8_copy(n_want, y, sp_rk8_array_const(rk, SP_RK8_Y));
        return;
    }
    for (; rk->has_dense < n_want; rk->has_dense++) { /* of integrals, when they are asked for */
        coefficients(rk, dt, rk->has_dense, p + 7 * rk->has_dense);
    }
    for (int i = 0; i < n_want; i++) {
        y[i] = polynomial(y0[i], p + 7 * i, s);
    }
}
