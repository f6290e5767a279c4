#include "math/cheb.h"
#include "math/rk8.h"

#include "rk8_problems.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void the_exponential_is_followed_to_the_tolerance(void **ctx)
{
    (void)ctx;
    for (double rate = -3.0; rate <= 3.0; rate += 2.0) {
        problem p = {.rate = rate};
        const sp_rk8_system s = {.ctx = &p, .f = exponential};
        for (double tol = 1e-4; tol > 1e-14; tol *= 0.1) {
            memory m;
            sp_rk8 *rk = place(&m, 1);
            const sp_rk8_options o = tolerance(tol);
            assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0}, NULL));
            run_to(rk, &s, 2.0);
            assert_true(rk->t == 2.0);
            /* each step is wrong by at most tol y, or tol where y is small */
            const double exact = exp(2.0 * rate), allowed = tol * (double)rk->n_step;
            assert_near(sp_rk8_y(rk)[0], exact, 2.0 * allowed + 20.0 * DBL_EPSILON);
        }
    }
}

/* Each step changes |y| by at most sqrt(2) (rtol + atol), hence E = |y|^2 / 2 = 1/2 by the same. */
static void energy_of_an_oscillator_drifts_less_than_the_tolerance_allows_in_10000_s(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = oscillator};
    for (double tol = 1e-6; tol > 1e-13; tol *= 0.01) {
        memory m;
        sp_rk8 *rk = place(&m, 2);
        const sp_rk8_options o = tolerance(tol);
        assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
        run_to(rk, &s, 1e4);
        const double *y = sp_rk8_y(rk), drift = 0.5 * (y[0] * y[0] + y[1] * y[1]) - 0.5;
        assert_true(fabs(drift) < sqrt(2.0) * 2.0 * tol * (double)rk->n_step);
    }
}

/* ---- known orbits ----------------------------------------------------------------------- */

/* The orbit closes after its known period; errors grow 1e4-fold on the way past the moon. */
static void the_arenstorf_orbit_closes_ever_better_as_the_tolerance_falls(void **ctx)
{
    (void)ctx;
    enum { N = 8 };
    const sp_rk8_system s = {.f = arenstorf};
    const double y0[4] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
    double tol[N], error[N];
    for (int k = 0; k < N; k++) {
        memory m;
        sp_rk8 *rk = place(&m, 4);
        tol[k] = pow(10.0, -6.0 - k);
        const sp_rk8_options o = tolerance(tol[k]);
        assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, y0, NULL));
        run_to(rk, &s, 17.0652165601579625588917206249);
        error[k] = distance(2, sp_rk8_y(rk), y0);
        assert_true(error[k] < 1e3 * tol[k]);
        assert_true(rk->n_reject < rk->n_step / 3);
    }
    /* the error follows the tolerance; single runs scatter by a factor of 5 or so */
    assert_near(check_order(N, tol, error), 1.0, 0.15);
}

static void a_comet_is_followed_for_ten_turns(void **ctx)
{
    (void)ctx;
    enum { N = 8 };
    const sp_rk8_system s = {.f = kepler};
    double tol[N], error[N];
    for (int k = 0; k < N; k++) {
        memory m;
        sp_rk8 *rk = place(&m, 4);
        double y[4];
        tol[k] = pow(10.0, -6.0 - k);
        const sp_rk8_options o = tolerance(tol[k]);
        kepler_exact(0.9, 0.0, y);
        assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, y, NULL));
        run_to(rk, &s, 20.0 * RK8_PI + 1.0);
        kepler_exact(0.9, 1.0, y);
        error[k] = distance(4, sp_rk8_y(rk), y);
        assert_true(error[k] < 1e4 * tol[k]);
    }
    assert_near(check_order(N, tol, error), 1.0, 0.1);
}

/* Stability, not accuracy, limits the steps: |dt lambda| stays near 6 and few steps are lost. */
static void a_stiff_equation_is_solved_with_short_steps_and_says_so(void **ctx)
{
    (void)ctx;
    problem p = {.rate = -1e3};
    const sp_rk8_system s = {.ctx = &p, .f = stiff};
    const sp_rk8_options o = tolerance(1e-6);
    memory m;
    sp_rk8 *rk = place(&m, 1);
    double most = 0.0;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0}, NULL));
    while (rk->t < 10.0) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 10.0, NULL));
        most = rk->stiffness > most ? rk->stiffness : most;
        assert_near(rk->stiffness, 1e3 * (rk->t - rk->t_old), 0.01);
    }
    assert_near(sp_rk8_y(rk)[0], cos(10.0), 1e-6);
    assert_true(most > 5.0 && most < 12.0);
    assert_true(rk->n_step > 1000 && rk->n_step < 3000 && rk->n_reject < rk->n_step / 3);
}

/* ---- events ----------------------------------------------------------------------------- */

/* phi, the indicator of the pendulum's passages through zero */
static sp_status angle(void *ctx, double t, const double *y, const double *dydt, double *g,
                       double *g_rate, sp_error *err)
{
    const double sign = *(const double *)ctx;
    (void)t, (void)err;
    *g = sign * y[0];
    *g_rate = sign * dydt[0];
    return SP_OK;
}

/* What the search for roots sees of it: the dense output. */
typedef struct dense_angle {
    sp_rk8 *rk;
    double sign, offset;
} dense_angle;

static sp_status dense_value(void *ctx, double t, double *g, sp_error *err)
{
    const dense_angle *d = ctx;
    double y[2];
    (void)err;
    sp_rk8_dense(d->rk, t, d->rk->n, y);
    *g = d->sign * y[0] + d->offset;
    return SP_OK;
}

/* The first root in the last step. */
static sp_fall root_in_step(sp_rk8 *rk, const sp_rk8_system *s, double sign, double offset)
{
    dense_angle d = {.rk = rk, .sign = sign, .offset = offset};
    const sp_cheb_search search = {.g = dense_value,
                                   .ctx = &d,
                                   .n = 8,
                                   .a = rk->t_old,
                                   .b = rk->t,
                                   .noise = 1e-15,
                                   .rough = 1e-15,
                                   .t_near = 1e-15 * rk->t,
                                   .t_last = INFINITY};
    double value[SP_CHEB_MAX + 1];
    sp_fall fall;
    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, s, NULL));
    for (int i = 0; i <= 8; i++) {
        dense_value(&d, sp_cheb_point(8, rk->t_old, rk->t, i), &value[i], NULL);
    }
    assert_int_equal(SP_OK, sp_cheb_first_fall(&search, value, &fall, NULL));
    return fall;
}

/* Released at 1 rad the pendulum passes zero at T/4, 3T/4, ...; the worst of six event times. */
static double pendulum_events(double tol, double *dense_error)
{
    const sp_rk8_system s = {.f = pendulum};
    const sp_rk8_options o = tolerance(tol);
    const double T = pendulum_period(1.0);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    double worst = 0.0, sign = 1.0;
    *dense_error = 0.0;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    for (int events = 0; events < 6;) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
        const sp_fall root = root_in_step(rk, &s, sign, 0.0);
        if (!root.found) {
            continue;
        }
        const double exact = T * (0.25 + 0.5 * events++);
        assert_int_equal(SP_OK, sp_rk8_land(rk, &s, angle, &sign, root.t, 1e-15 * exact, NULL));
        *dense_error = check_worse(*dense_error, fabs(root.t - exact));
        worst = check_worse(worst, fabs(rk->t - exact));
        assert_near_scaled(sp_rk8_y(rk)[0], 0.0, exact, 2e-15); /* its rate is about 1 */
        sign = -sign;
    }
    return worst;
}

static void event_times_of_a_pendulum_are_right_to_the_tolerance(void **ctx)
{
    (void)ctx;
    double dense;
    for (double tol = 1e-6; tol > 1e-14; tol *= 0.1) {
        const double error = pendulum_events(tol, &dense);
        assert_true(error < 10.0 * tol);
    }
    assert_true(pendulum_events(1e-12, &dense) <= 1e-12);
}

/* 1 - d + phi dips below zero by d about T/2, 3T/2, ..., from sqrt(2 d/phi'') before on. */
static void a_shallow_dip_is_found_at_its_time(void **ctx)
{
    (void)ctx;
    const sp_rk8_system s = {.f = pendulum};
    const sp_rk8_options o = tolerance(1e-12);
    const double T = pendulum_period(1.0), early = sqrt(2e-9 / sin(1.0));
    memory m;
    sp_rk8 *rk = place(&m, 2);
    int found = 0;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    while (rk->t < 3.2 * T) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
        const sp_fall root = root_in_step(rk, &s, 1.0, 1.0 - 1e-9);
        if (root.found) {
            assert_near(root.t, T * (0.5 + found) - early, 3e-8); /* 1e-12/early */
            found++;
        }
    }
    assert_int_equal(found, 3);
}

/* ---- the interface ---------------------------------------------------------------------- */

static void evaluations_are_twelve_per_step_and_eleven_per_refusal(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = oscillator};
    sp_rk8_options o = tolerance(1e-10);
    o.dt_first = 5.0; /* much too long */
    memory m;
    sp_rk8 *rk = place(&m, 2);
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    run_to(rk, &s, 20.0);
    assert_true(rk->n_reject > 0 && rk->n_fail == 0);
    assert_int_equal(rk->n_eval, 1 + 12 * rk->n_step + 11 * rk->n_reject);
    assert_int_equal(rk->n_eval, p.calls);
}

static void no_step_is_longer_than_asked_and_the_end_is_hit_to_the_bit(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = oscillator};
    sp_rk8_options o = tolerance(1e-6);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    rng r = {3};
    o.dt_max = 0.3;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    for (int k = 0; k < 1000; k++) {
        const double t_stop =
            rk->t + (rng_flip(&r) ? rng_in(&r, 0.0, 2.0) : 1e-15 * rk->t + 1e-300);
        while (rk->t < t_stop) {
            assert_int_equal(SP_OK, sp_rk8_step(rk, &s, t_stop, NULL));
            assert_true(rk->t - rk->t_old <= 0.3 * (1.0 + 1e-12));
        }
        assert_true(rk->t == t_stop);
    }
    assert_near(sp_rk8_y(rk)[0], cos(rk->t), 1e-3);
    const double dt = rk->dt; /* a step that t_stop cut short does not shorten the next one */
    assert_int_equal(SP_OK, sp_rk8_step(rk, &s, rk->t + 1e-6, NULL));
    assert_true(rk->dt >= dt && rk->t - rk->t_old < 1e-5);
    assert_int_equal(SP_E_INPUT, sp_rk8_step(rk, &s, rk->t, NULL));
    assert_int_equal(SP_E_INPUT, sp_rk8_step(rk, &s, NAN, NULL));
}

static void a_saved_run_continues_bit_for_bit(void **ctx)
{
    (void)ctx;
    const sp_rk8_system s = {.f = arenstorf};
    const sp_rk8_options o = tolerance(1e-9);
    const double y0[4] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
    memory m, saved, other;
    memset(&other, 0xa5, sizeof other);
    sp_rk8 *rk = place(&m, 4), *again = place(&other, 4);
    const size_t size = sp_rk8_bytes(4);
    double y[4], z[4];
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, y0, NULL));
    for (int k = 0; k < 40; k++) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 17.0, NULL));
    }
    memcpy(saved.bytes, rk, size);
    assert_int_equal(SP_OK, sp_rk8_load(again, saved.bytes, size, NULL));
    for (int k = 0; k < 40; k++) {
        for (int i = 0; i < 2; i++) {
            assert_int_equal(SP_OK, sp_rk8_prepare_dense(i ? rk : again, &s, NULL));
            sp_rk8_dense(i ? rk : again, 0.5 * (rk->t + rk->t_old), rk->n, i ? y : z);
            assert_int_equal(SP_OK, sp_rk8_step(i ? rk : again, &s, 17.0, NULL));
        }
        assert_memory_equal(y, z, sizeof y);
        assert_memory_equal(rk, again, size);
    }
    sp_error err;
    assert_int_equal(SP_E_INPUT, sp_rk8_load(again, saved.bytes, size - 8, &err));
    saved.bytes[0] ^= 1;
    assert_int_equal(SP_E_INPUT, sp_rk8_load(again, saved.bytes, size, &err));
    assert_memory_equal(rk, again, size);
}

static void a_jump_restarts_with_the_step_it_had(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = oscillator};
    const sp_rk8_options o = tolerance(1e-9);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    double y[2];
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    for (int k = 0; k < 10; k++) { /* reflect the velocity at 1, 2, ...: cos(t - 2k) after it */
        run_to(rk, &s, k + 1.0);
        const double dt = rk->dt;
        y[0] = sp_rk8_y(rk)[0];
        y[1] = -sp_rk8_y(rk)[1];
        assert_int_equal(SP_OK, sp_rk8_restart(rk, &s, rk->t, y, rk->dt, NULL));
        assert_true(rk->dt == dt && !rk->has_step);
        assert_near(y[0], cos(k % 2 ? 0.0 : 1.0), 1e-8);
    }
    assert_int_equal(rk->n_reject, 0);
    const int64_t before = rk->n_eval;
    assert_int_equal(SP_OK, sp_rk8_restart(rk, &s, rk->t, y, 0.0, NULL));
    assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 100.0, NULL));
    assert_int_equal(rk->n_eval, before + 1 + 1 + 12); /* f at the start, the guess, the step */
}

/* Bring y back to the circle. */
static sp_status to_circle(void *ctx, double t, double *y, sp_error *err)
{
    const double r = hypot(y[0], y[1]);
    (void)ctx, (void)t, (void)err;
    y[0] /= r;
    y[1] /= r;
    return SP_OK;
}

static void a_projection_after_each_step_keeps_the_circle_and_costs_no_evaluation(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = oscillator, .after_step = to_circle};
    const sp_rk8_options o = tolerance(1e-6);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    double y[2];
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0}, NULL));
    while (rk->t < 1000.0) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 1000.0, NULL));
        assert_near(hypot(sp_rk8_y(rk)[0], sp_rk8_y(rk)[1]), 1.0, 4.0 * DBL_EPSILON);
        assert_true(sp_rk8_dydt(rk)[0] == sp_rk8_y(rk)[1]); /* f at the projected point */
    }
    assert_int_equal(rk->n_eval, 2 + 12 * rk->n_step + 11 * rk->n_reject);
    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
    sp_rk8_dense(rk, rk->t - 1e-12, rk->n, y);
    assert_true(distance(2, y, sp_rk8_y(rk)) < 2e-12);
}

/* The built-in norm, and one that looks at the first component alone. */
static void same_norm(void *ctx, const sp_rk8_options *o, const double *y0, const double *y1,
                      const double *const e[2], double size[2])
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (int i = 0; i < 2; i++) {
            const double x = e[k][i] / (o->atol + o->rtol * fmax(fabs(y0[i]), fabs(y1[i])));
            sum += x * x;
        }
        size[k] = sqrt(sum / 2.0);
    }
}

static void first_norm(void *ctx, const sp_rk8_options *o, const double *y0, const double *y1,
                       const double *const e[2], double size[2])
{
    (void)ctx, (void)y0, (void)y1;
    size[0] = fabs(e[0][0]) / o->atol;
    size[1] = fabs(e[1][0]) / o->atol;
}

/* Two decoupled equations, one a thousand times faster. */
static sp_status two_speeds(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)err;
    dydt[0] = -0.01 * y[0];
    dydt[1] = -10.0 * y[1];
    return SP_OK;
}

static int64_t steps_with(void (*norm)(void *, const sp_rk8_options *, const double *,
                                       const double *, const double *const[2], double[2]),
                          const double *atol)
{
    const sp_rk8_system s = {.f = two_speeds, .norm = norm, .atol = atol};
    const sp_rk8_options o = tolerance(1e-10);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 1.0}, NULL));
    run_to(rk, &s, 0.5);
    assert_near(sp_rk8_y(rk)[0], exp(-0.005), 1e-9);
    return rk->n_step;
}

static void a_norm_or_tolerances_of_the_caller_replace_the_built_in_ones(void **ctx)
{
    (void)ctx;
    const int64_t own = steps_with(NULL, NULL);
    assert_int_equal(steps_with(same_norm, NULL), own);
    assert_int_equal(steps_with(NULL, (double[]){1e-10, 1e-10}), own);
    assert_true(steps_with(NULL, (double[]){1e-10, 1e3}) < own);
    assert_true(steps_with(first_norm, NULL) < own);
}

/* ---- cubics ----------------------------------------------------------------------------- */

/* A throw with the work of its weight: z'' = -g, W' = -g z'; g grows with time by `rate`. */
static sp_status throw(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    problem *p = ctx;
    const double g = 9.81 + p->rate * t;
    (void)err;
    p->calls++;
    dydt[0] = y[1];
    dydt[1] = -g;
    dydt[2] = -g * y[1];
    return SP_OK;
}

static void a_throw_is_a_cubic_whose_polynomial_and_cuts_need_no_stages(void **ctx)
{
    (void)ctx;
    problem p = {0};
    const sp_rk8_system s = {.ctx = &p, .f = throw, .n_arg = 2};
    const sp_rk8_options o = tolerance(1e-9);
    const double z = 2.0, v = 3.0, g = 9.81;
    memory m;
    sp_rk8 *rk = place(&m, 3);
    double y[3];
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){z, v, 0.0}, NULL));
    assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 0.7, NULL));
    const double dt = rk->t;
    const int64_t before = rk->n_eval;
    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
    assert_int_equal(rk->n_eval, before);
    for (int k = 64; k > 0; k--) { /* cut shorter and shorter: one evaluation each */
        const double t = dt * k / 65.0, t_in = 0.5 * t;
        assert_int_equal(SP_OK, sp_rk8_cut(rk, &s, t, NULL));
        assert_int_equal(rk->n_eval, before + 65 - k);
        assert_true(rk->t == t && rk->t_full == dt);
        assert_near(sp_rk8_y(rk)[0], z + v * t - 0.5 * g * t * t, 1e-15);
        assert_near(sp_rk8_y(rk)[1], v - g * t, 2e-15);
        assert_near(sp_rk8_y(rk)[2], -g * (v * t - 0.5 * g * t * t), 1e-14);
        sp_rk8_dense(rk, t_in, 3, y);
        assert_near(y[0], z + v * t_in - 0.5 * g * t_in * t_in, 1e-15);
        assert_near(y[2], -g * (v * t_in - 0.5 * g * t_in * t_in), 1e-14);
    }
}

/* z is a cubic then, the work is none. */
static void a_throw_under_growing_gravity_is_no_cubic(void **ctx)
{
    (void)ctx;
    problem p = {.rate = 1e-3};
    const sp_rk8_system s = {.ctx = &p, .f = throw, .n_arg = 2};
    const sp_rk8_options o = tolerance(1e-9);
    memory m;
    sp_rk8 *rk = place(&m, 3);
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){2.0, 3.0, 0.0}, NULL));
    assert_int_equal(SP_OK, sp_rk8_step(rk, &s, 0.7, NULL));
    const int64_t before = rk->n_eval;
    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
    assert_int_equal(rk->n_eval, before + 3);
    assert_int_equal(SP_OK, sp_rk8_cut(rk, &s, 0.5 * rk->t, NULL));
    assert_int_equal(rk->n_eval, before + 3 + 12);
}

/* By the polynomial of the step, for steps of all lengths.   theory (68.4) */
static void a_motion_is_no_farther_from_the_cubic_than_its_stages_show(void **ctx)
{
    (void)ctx;
    problem p = {0};
    double share = 0.0;
    for (int which = 0; which < 3; which++) {
        const sp_rk8_system s = {.ctx = &p,
                                 .f = which == 0   ? oscillator
                                      : which == 1 ? pendulum
                                                   : kepler};
        const int n = which == 2 ? 4 : 2;
        for (double tol = 1e-3; tol > 1e-13; tol *= 0.1) {
            const sp_rk8_options o = tolerance(tol);
            memory m;
            sp_rk8 *rk = place(&m, n);
            double y[4], z[4];
            assert_int_equal(SP_OK,
                             sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0, 0.0, 0.3, 1.1}, NULL));
            while (rk->t < 20.0) {
                assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
                double error[4];
                for (int i = 0; i < n; i++) {
                    error[i] = sp_rk8_cubic_error(rk, i);
                }
                for (int k = 0; k <= 50; k++) {
                    const double t = rk->t_old + k / 50.0 * (rk->t - rk->t_old);
                    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
                    sp_rk8_dense(rk, t, n, y);
                    sp_rk8_cubic(rk, t, n, z);
                    for (int i = 0; i < n; i++) {
                        assert_true(fabs(y[i] - z[i]) <= error[i] + 1e-14);
                        share = fmax(share, fabs(y[i] - z[i]) / (error[i] + 1e-14));
                    }
                }
            }
        }
    }
    print_message("at most %.2f of what stages show\n", share);
    assert_true(share > 0.1); /* and not much nearer */
}

/* ---- failures --------------------------------------------------------------------------- */

/* y' = -2 sqrt(y), y = (1 - t)^2: no value below 0 (by a status, or by NaN without one). */
static sp_status root_law(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    problem *p = ctx;
    p->calls++;
    dydt[0] = -2.0 * sqrt(y[0]);
    if (y[0] < 0.0 && p->failure) {
        return SP_FAIL(err, p->failure, "y = %g at t = %g, expected >= 0", y[0], t);
    }
    return SP_OK;
}

static void a_right_hand_side_that_is_not_finite_shortens_the_step(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        problem p = {.failure = k ? SP_E_NONFINITE : SP_OK};
        const sp_rk8_system s = {.ctx = &p, .f = root_law};
        sp_rk8_options o = tolerance(1e-10);
        memory m;
        sp_rk8 *rk = place(&m, 1);
        o.dt_first = 4.0;
        assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0}, NULL));
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
        assert_true(rk->n_fail > 0);
        run_to(rk, &s, 0.9);
        assert_near(sp_rk8_y(rk)[0], 0.01, 1e-9);
    }
}

/* A state near the largest number that grows; f stays finite. */
static sp_status huge(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)y, (void)err;
    dydt[0] = 1e300;
    return SP_OK;
}

static void a_state_that_overflows_is_not_accepted(void **ctx)
{
    (void)ctx;
    const sp_rk8_system s = {.f = huge};
    sp_rk8_options o = tolerance(1e-6);
    memory m;
    sp_rk8 *rk = place(&m, 1);
    o.dt_first = 0.1;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){DBL_MAX - 1e300}, NULL));
    for (int k = 0; k < 20 && sp_rk8_step(rk, &s, INFINITY, NULL) == SP_OK; k++) {
        assert_true(isfinite(sp_rk8_y(rk)[0]));
    }
    assert_true(rk->n_fail > 0);
    assert_near(rk->t, 1.0, 1e-6); /* where the largest number is reached */
}

static void another_failure_ends_the_step_with_the_state_as_before(void **ctx)
{
    (void)ctx;
    problem p = {.failure = SP_E_INFEASIBLE};
    const sp_rk8_system s = {.ctx = &p, .f = root_law};
    const sp_rk8_options o = tolerance(1e-10);
    memory m;
    sp_rk8 *rk = place(&m, 1);
    sp_error err;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0}, &err));
    run_to(rk, &s, 0.5);
    const double y = sp_rk8_y(rk)[0];
    rk->dt = 4.0;
    assert_int_equal(SP_E_INFEASIBLE, sp_rk8_step(rk, &s, INFINITY, &err));
    assert_non_null(strstr(err.text, "expected >= 0"));
    assert_true(rk->t == 0.5 && sp_rk8_y(rk)[0] == y && sp_rk8_dydt(rk)[0] == -2.0 * sqrt(y));
    rk->dt = 0.01;
    run_to(rk, &s, 0.9);
    assert_near(sp_rk8_y(rk)[0], 0.01, 1e-9);
}

/* y' = y^2 from 1 has a pole at t = 1; a wall at t = 1 beyond which nothing is finite. */
static sp_status pole(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)t, (void)err;
    dydt[0] = y[0] * y[0];
    return SP_OK;
}

static sp_status wall(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    (void)ctx, (void)y;
    dydt[0] = 1.0;
    return t > 1.0 ? SP_FAIL(err, SP_E_NONFINITE, "nothing is known after 1") : SP_OK;
}

static void a_step_size_that_comes_to_nothing_is_reported_with_its_time(void **ctx)
{
    (void)ctx;
    const sp_rk8_options o = tolerance(1e-9);
    for (int k = 0; k < 2; k++) {
        const sp_rk8_system s = {.f = k ? wall : pole};
        memory m;
        sp_rk8 *rk = place(&m, 1);
        sp_error err;
        sp_status status = SP_OK;
        assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, (double[]){1.0}, &err));
        for (int i = 0; i < 100000 && status == SP_OK; i++) {
            status = sp_rk8_step(rk, &s, INFINITY, &err);
        }
        assert_int_equal(status, k ? SP_E_NONFINITE : SP_E_NOT_CONVERGED);
        assert_near(rk->t, 1.0, k ? 1e-14 : 1e-9);
        assert_true(isfinite(sp_rk8_y(rk)[0]));
        assert_true(strtod(err.text + strlen("t = "), NULL) == rk->t);
        assert_true(!k || strstr(err.text, "nothing is known after 1"));
    }
}

static void starts_and_options_out_of_range_are_refused(void **ctx)
{
    (void)ctx;
    problem p = {.rate = 1.0};
    const sp_rk8_system s = {.ctx = &p, .f = exponential};
    const sp_rk8_system each = {.ctx = &p, .f = exponential, .atol = (double[]){0.0}};
    const sp_rk8_options good = sp_rk8_options_default();
    const double y[1] = {1.0}, bad[] = {0.0, -1.0, NAN, INFINITY};
    memory m;
    sp_rk8 *rk = place(&m, 1);
    sp_error err;
    for (int k = 0; k < 4; k++) {
        sp_rk8_options o[4] = {good, good, good, good};
        o[0].rtol = bad[k];
        o[1].atol = bad[k];
        o[2].dt_max = bad[k] > 0.0 ? NAN : bad[k];
        o[3].dt_first = bad[k] == 0.0 ? -0.1 : bad[k];
        for (int i = 0; i < 4; i++) {
            assert_int_equal(SP_E_INPUT, sp_rk8_begin(rk, &s, &o[i], 0.0, y, &err));
        }
    }
    sp_rk8_options tight = good;
    tight.rtol = 2e-15;
    assert_int_equal(SP_E_INPUT, sp_rk8_begin(rk, &s, &tight, 0.0, y, &err));
    assert_string_equal(err.text, "relative tolerance = 2e-15, expected 2.2e-15 to 1: numbers in "
                                  "double precision have no more digits");
    assert_int_equal(SP_E_INPUT, sp_rk8_begin(rk, &each, &good, 0.0, y, &err));
    assert_int_equal(SP_E_NONFINITE, sp_rk8_begin(rk, &s, &good, 0.0, (double[]){NAN}, &err));
    assert_int_equal(SP_E_NONFINITE, sp_rk8_begin(rk, &s, &good, INFINITY, y, &err));
    p.rate = INFINITY;
    assert_int_equal(SP_E_NONFINITE, sp_rk8_begin(rk, &s, &good, 0.0, y, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exponential_is_followed_to_the_tolerance),
        cmocka_unit_test(energy_of_an_oscillator_drifts_less_than_the_tolerance_allows_in_10000_s),
        cmocka_unit_test(the_arenstorf_orbit_closes_ever_better_as_the_tolerance_falls),
        cmocka_unit_test(a_comet_is_followed_for_ten_turns),
        cmocka_unit_test(a_stiff_equation_is_solved_with_short_steps_and_says_so),
        cmocka_unit_test(event_times_of_a_pendulum_are_right_to_the_tolerance),
        cmocka_unit_test(a_shallow_dip_is_found_at_its_time),
        cmocka_unit_test(evaluations_are_twelve_per_step_and_eleven_per_refusal),
        cmocka_unit_test(no_step_is_longer_than_asked_and_the_end_is_hit_to_the_bit),
        cmocka_unit_test(a_saved_run_continues_bit_for_bit),
        cmocka_unit_test(a_jump_restarts_with_the_step_it_had),
        cmocka_unit_test(a_projection_after_each_step_keeps_the_circle_and_costs_no_evaluation),
        cmocka_unit_test(a_norm_or_tolerances_of_the_caller_replace_the_built_in_ones),
        cmocka_unit_test(a_throw_is_a_cubic_whose_polynomial_and_cuts_need_no_stages),
        cmocka_unit_test(a_throw_under_growing_gravity_is_no_cubic),
        cmocka_unit_test(a_motion_is_no_farther_from_the_cubic_than_its_stages_show),
        cmocka_unit_test(a_right_hand_side_that_is_not_finite_shortens_the_step),
        cmocka_unit_test(a_state_that_overflows_is_not_accepted),
        cmocka_unit_test(another_failure_ends_the_step_with_the_state_as_before),
        cmocka_unit_test(a_step_size_that_comes_to_nothing_is_reported_with_its_time),
        cmocka_unit_test(starts_and_options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
