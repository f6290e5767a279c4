#include "math/rk8.h"

#include "math/rk8_stages.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { TRIES_MAX = 100 }; /* a step refused so often is not taken */
#define SHOWN 1e-6        /* of a step: what f does in less is not looked for */

static const uint32_t TAG = 0x38014b52u; /* "RK", version 1, "8" */

/* Control of the step size.  Errors settle at SAFETY^16 = 0.19 of the tolerance. */
static const double SAFETY = 0.9;
static const double SAFETY_REFUSED = 0.8;    /* after a refused step                             */
static const double SHRINK_MAX = 1.0 / 3.0;  /* a step over the one before is not below this     */
static const double GROW_MAX = 6.0;          /* and not above this                               */
static const double SHRINK_NONFINITE = 0.25; /* a try over one where f was not finite            */

static const double SHIFT_MAX =
    0x1p-18; /* of a step: a twelfth of its cube is round-off   (68.1) */
static const double RTOL_MIN = 10.0 * DBL_EPSILON; /* below, round-off would be taken for error */

const double *sp_rk8_y(const sp_rk8 *rk)
{
    return sp_rk8_array_const(rk, SP_RK8_Y);
}

const double *sp_rk8_dydt(const sp_rk8 *rk)
{
    return sp_rk8_array_const(rk, SP_RK8_F);
}

sp_rk8_options sp_rk8_options_default(void)
{
    return (sp_rk8_options){.rtol = 1e-9, .atol = 1e-9, .dt_max = INFINITY, .dt_first = 0.0};
}

size_t sp_rk8_bytes(int n)
{
    return sizeof(sp_rk8) + SP_RK8_ARRAYS * (size_t)n * sizeof(double);
}

sp_rk8 *sp_rk8_place(int n, void *memory)
{
    assert(n >= 1);
    memset(memory, 0, sp_rk8_bytes(n));
    sp_rk8 *rk = memory;
    rk->tag = TAG;
    rk->n = n;
    return rk;
}

/* ---- the step --------------------------------------------------------------------------- */

/* Square of the size of e against the tolerance, the mean of (e_i / (atol_i + rtol |y_i|))^2, for
 * two e at once. */
static void sizes2(const sp_rk8 *rk, const sp_rk8_system *s, const double *y0, const double *y1,
                   const double *e, const double *d, double *e2, double *d2)
{
    const double rtol = rk->options.rtol, *atol = s->atol ? s->atol : &rk->options.atol;
    const int n = rk->n, each = s->atol ? 1 : 0;
    double sum_e = 0.0, sum_d = 0.0;
    for (int i = 0; i < n; i++) {
        const double a0 = fabs(y0[i]), a1 = fabs(y1[i]);
        const double unit = 1.0 / (atol[i * each] + rtol * (a0 > a1 ? a0 : a1));
        sum_e += (e[i] * unit) * (e[i] * unit);
        sum_d += (d[i] * unit) * (d[i] * unit);
    }
    *e2 = sum_e / n;
    *d2 = sum_d / n;
}

/* Size of e, a tangent at y, against the tolerance. */
static double size_at(const sp_rk8 *rk, const sp_rk8_system *s, const double *y, const double *e)
{
    double e2, same, both[2];
    if (s->norm) {
        s->norm(s->ctx, &rk->options, y, y, (const double *const[]){e, e}, both);
        return both[0];
    }
    sizes2(rk, s, y, y, e, e, &e2, &same);
    return sqrt(e2);
}

/* |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2): e5 falls as dt^6, e3 as dt^4, this hence as dt^8. */
static double error_of_step(const sp_rk8 *rk, const sp_rk8_system *s)
{
    const double *y0 = sp_rk8_array_const(rk, SP_RK8_Y_OLD), *y1 = sp_rk8_array_const(rk, SP_RK8_Y);
    const double *e5 = sp_rk8_array_const(rk, SP_RK8_P), *e3 = e5 + rk->n;
    double size5, size3, size[2];
    if (s->norm) {
        s->norm(s->ctx, &rk->options, y0, y1, (const double *const[]){e5, e3}, size);
        size5 = size[0] * size[0];
        size3 = size[1] * size[1];
    } else {
        sizes2(rk, s, y0, y1, e5, e3, &size5, &size3);
    }
    const double both = size5 + 0.01 * size3;
    return both == 0.0 ? 0.0 : size5 / sqrt(both);
}

/* Compute the step from t_old to t_new up to its end point, and its error rk->err (NaN or infinite
 * if something is not finite). */
static sp_status attempt(sp_rk8 *rk, const sp_rk8_system *s, double t_new, sp_error *err)
{
    rk->has_step = rk->has_dense = 0;
    SP_TRY(sp_rk8_stages(rk, s, t_new, err));
    const bool finite = sp_rk8_combine(rk, t_new - rk->t_old);
    rk->err = finite ? error_of_step(rk, s) : NAN;
    return SP_OK;
}

/* |dt lambda| from the last two evaluations, both at t_new: lambda ~ |k_12 - k_11| / |y - x|. */
static double stiffness(const sp_rk8 *rk, int n, double dt)
{
    const double *f = sp_rk8_array_const(rk, SP_RK8_F),
                 *k11 = sp_rk8_array_const(rk, SP_RK8_K0 + 11),
                 *x = sp_rk8_array_const(rk, SP_RK8_X), *y = sp_rk8_array_const(rk, SP_RK8_Y);
    double num = 0.0, den = 0.0;
    for (int i = 0; i < n; i++) {
        num += (f[i] - k11[i]) * (f[i] - k11[i]);
        den += (y[i] - x[i]) * (y[i] - x[i]);
    }
    return den > 0.0 ? dt * sqrt(num / den) : 0.0;
}

/* Make the end point the state: let the caller project it, then evaluate f there. */
static sp_status finish(sp_rk8 *rk, const sp_rk8_system *s, double t_new, sp_error *err)
{
    double *y = sp_rk8_array(rk, SP_RK8_Y), *f = sp_rk8_array(rk, SP_RK8_F);
    if (s->after_step) {
        SP_TRY(s->after_step(s->ctx, t_new, y, err));
    }
    SP_TRY(sp_rk8_evaluate(rk, s, t_new, y, f, err));
    rk->stiffness = stiffness(rk, s->n_arg > 0 ? s->n_arg : rk->n, t_new - rk->t_old);
    if (!(sp_rk8_finite(rk->n, f) && sp_rk8_finite(rk->n, y))) {
        return SP_FAIL(err, SP_E_NONFINITE, "t = %.17g: the right-hand side is not finite", t_new);
    }
    rk->t = rk->t_full = t_new;
    rk->has_step = 1;
    return SP_OK;
}

/* Forget what was tried since t_old. */
static void rewind_step(sp_rk8 *rk)
{
    sp_rk8_copy(rk->n, sp_rk8_array(rk, SP_RK8_Y), sp_rk8_array(rk, SP_RK8_Y_OLD));
    sp_rk8_copy(rk->n, sp_rk8_array(rk, SP_RK8_F), sp_rk8_array(rk, SP_RK8_K0));
    rk->t = rk->t_full = rk->t_old;
    rk->has_step = rk->has_dense = 0;
}

/* ---- step size -------------------------------------------------------------------------- */

/* x^(1/32) by square roots alone, so that all machines agree on the bits. */
static double root_32(double x)
{
    for (int k = 0; k < 5; k++) {
        x = sqrt(x);
    }
    return x;
}

static double within(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Next step over this one after an accepted step: SAFETY err^(-3/32) err_before^(1/32), a PI
 * control [Gustafsson91]; SAFETY err^(-1/8) where there is no step before. */
static double growth(sp_rk8 *rk)
{
    const double r = root_32(within(1e-12, rk->err, 1.0));
    const double before = rk->err_root > 0.0 ? rk->err_root : 1.0 / r;
    rk->err_root = r > 0.75 ? r : 0.75; /* 1e-4 of the tolerance: less says nothing */
    return within(SHRINK_MAX, SAFETY * before / (r * r * r), GROW_MAX);
}

/* Next try over this one after a refused step: SAFETY_REFUSED err^(-1/8). */
static double shrinkage(double error)
{
    const double r = root_32(error), r2 = r * r;
    return within(SHRINK_MAX, SAFETY_REFUSED / (r2 * r2), SAFETY_REFUSED);
}

/* A first step [HNW93]: an Euler step that changes y by 1 % shows how large the second derivative
 * is, the step then keeps dt^8 times the larger derivative at 1 % of the tolerance. */
static sp_status guess(sp_rk8 *rk, const sp_rk8_system *s, double span, sp_error *err)
{
    const int n = rk->n;
    const double *y = sp_rk8_array(rk, SP_RK8_Y), *f = sp_rk8_array(rk, SP_RK8_F);
    double *x = sp_rk8_array(rk, SP_RK8_X), *k = sp_rk8_array(rk, SP_RK8_K0 + 1);
    const double d0 = size_at(rk, s, y, y), d1 = size_at(rk, s, y, f);
    const double one_percent = d0 > 1e-5 && d1 > 1e-5 ? 0.01 * d0 / d1 : 1e-6 * span;
    const double dt = one_percent > 0.0 && one_percent < span ? one_percent : 1e-6 * span;
    rk->dt = dt;
    rk->has_step = rk->has_dense = 0;

    for (int i = 0; i < n; i++) {
        x[i] = y[i] + dt * f[i];
    }
    const sp_status status = sp_rk8_evaluate(rk, s, rk->t + dt, x, k, err);
    if (status == SP_E_NONFINITE || (status == SP_OK && !sp_rk8_finite(n, k))) {
        return SP_OK; /* the first step finds its length by trying */
    }
    SP_TRY(status);
    for (int i = 0; i < n; i++) {
        k[i] -= f[i];
    }
    const double d2 = size_at(rk, s, y, k) / dt, d = d2 > d1 ? d2 : d1;
    const double r = root_32(0.01 / (d > 1e-15 ? d : 1e-15)), by_rate = (r * r) * (r * r);
    rk->dt = within(1e-3 * dt, by_rate, 100.0 * dt);
    return SP_OK;
}

/* The end of the next try of length dt: t_stop if it is near; two equal steps rather than a long
 * and a very short one. */
static double end_of_try(double t, double dt, double t_stop)
{
    const double left = t_stop - t;
    if (dt >= left) {
        return t_stop;
    }
    return t + (2.0 * dt > left ? 0.5 * left : dt);
}

/* No step from t_old can be taken: say why. */
static sp_status step_underflow(const sp_rk8 *rk, double dt, sp_error *err)
{
    if (isnan(rk->err)) {
        char said[200] = "";
        if (err) {
            memcpy(said, err->text, sizeof said);
            said[sizeof said - 1] = '\0';
        }
        return SP_FAIL(err, SP_E_NONFINITE,
                       "t = %.17g: no step is short enough, even one of %.3g s meets something "
                       "that is not finite (%s)",
                       rk->t_old, dt, said);
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "t = %.17g: the step size fell to %.3g s with an error of %.3g times the "
                   "tolerance (rtol = %g); the motion is singular or not smooth here, or the "
                   "tolerance is too tight",
                   rk->t_old, dt, rk->err, rk->options.rtol);
}

/* ---- begin, step ------------------------------------------------------------------------ */

static sp_status check_options(int n, const sp_rk8_system *s, const sp_rk8_options *o,
                               sp_error *err)
{
    if (!(o->rtol >= RTOL_MIN && o->rtol < 1.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "relative tolerance = %g, expected %.2g to 1: numbers in double precision "
                       "have no more digits",
                       o->rtol, RTOL_MIN);
    }
    for (int i = 0; i < (s->atol ? n : 1); i++) {
        const double atol = s->atol ? s->atol[i] : o->atol;
        if (!(atol > 0.0 && isfinite(atol))) {
            return SP_FAIL(err, SP_E_INPUT, "absolute tolerance %d = %g, expected > 0", i, atol);
        }
    }
    if (!(o->dt_max > 0.0)) {
        return SP_FAIL(err, SP_E_INPUT, "longest step = %g s, expected > 0", o->dt_max);
    }
    if (!(o->dt_first >= 0.0 && isfinite(o->dt_first))) {
        return SP_FAIL(err, SP_E_INPUT, "first step = %g s, expected >= 0", o->dt_first);
    }
    return SP_OK;
}

sp_status sp_rk8_begin(sp_rk8 *rk, const sp_rk8_system *s, const sp_rk8_options *options, double t,
                       const double *y, sp_error *err)
{
    assert(rk->tag == TAG && s->f);
    SP_TRY(check_options(rk->n, s, options, err));
    rk->options = *options;
    rk->n_step = rk->n_reject = rk->n_fail = rk->n_eval = 0;
    return sp_rk8_restart(rk, s, t, y, options->dt_first, err);
}

sp_status sp_rk8_restart(sp_rk8 *rk, const sp_rk8_system *s, double t, const double *y, double dt,
                         sp_error *err)
{
    double *y_now = sp_rk8_array(rk, SP_RK8_Y), *f = sp_rk8_array(rk, SP_RK8_F);
    if (!isfinite(t) || !sp_rk8_finite(rk->n, y)) {
        return SP_FAIL(err, SP_E_NONFINITE, "t = %g: the state to start from is not finite", t);
    }
    sp_rk8_copy(rk->n, y_now, y);
    rk->t = rk->t_old = rk->t_full = t;
    rk->dt = dt;
    rk->err = rk->err_root = rk->stiffness = 0.0;
    rk->has_step = rk->has_dense = 0;
    SP_TRY(sp_rk8_evaluate(rk, s, t, y_now, f, err));
    if (!sp_rk8_finite(rk->n, f)) {
        return SP_FAIL(err, SP_E_NONFINITE,
                       "t = %.17g: the right-hand side is not finite at the start", t);
    }
    return SP_OK;
}

/* One try to reach t_new.  *shorten is 1 if the step was taken, else by how much the next try must
 * be shorter. */
static sp_status try_step(sp_rk8 *rk, const sp_rk8_system *s, double t_new, double *shorten,
                          sp_error *err)
{
    sp_status status = attempt(rk, s, t_new, err);
    if (status == SP_OK && rk->err > 1.0 && rk->err <= DBL_MAX) {
        rk->n_reject++;
        *shorten = shrinkage(rk->err);
        return SP_OK;
    }
    if (status == SP_OK && rk->err <= 1.0) {
        status = finish(rk, s, t_new, err);
    } else if (status == SP_OK) {
        status = SP_FAIL(err, SP_E_NONFINITE, "the step to t = %.17g is not finite", t_new);
    }
    if (status == SP_E_NONFINITE) {
        rk->n_fail++;
        rk->err = NAN;
        *shorten = SHRINK_NONFINITE;
        return SP_OK;
    }
    *shorten = 1.0;
    return status;
}

/* The step of length dt is taken: propose the next one.  meant is what dt was before t_stop came
 * near. */
static void accept(sp_rk8 *rk, double dt, double meant, bool refused)
{
    double next = dt * growth(rk);
    if (refused && next > dt) {
        next = dt; /* do not at once try again what has just failed */
    }
    if (!refused && dt < meant && next < meant) {
        next = meant; /* a step cut short by t_stop says nothing against longer ones */
    }
    rk->dt = within(0.0, next, rk->options.dt_max);
    rk->n_step++;
}

/* Whether the times at which a step of dt evaluates f are enough. */
static bool is_seen(const sp_rk8 *rk, const sp_rk8_system *s, double dt)
{
    static const int rising[] = {0, 1, 2, 3, 6, 4, 7, 5, 9, 8, 10, 11}; /* of SP_RK8_C */
    enum { N = sizeof rising / sizeof *rising };
    double t[N];
    for (int i = 0; i < N; i++) {
        t[i] = rk->t_old + SP_RK8_C[rising[i]] * dt;
    }
    return s->seen(s->ctx, N, t);
}

/* Try shorter and shorter steps from t_old until one is taken. */
static sp_status search_step(sp_rk8 *rk, const sp_rk8_system *s, double t_stop, sp_error *err)
{
    const double shortest = 8.0 * DBL_EPSILON * fabs(rk->t_old);
    double meant = within(0.0, fmax(rk->dt, 2.0 * shortest), rk->options.dt_max);
    double end = t_stop; /* or earlier, where terms of time would not be seen */
    if (err) {
        err->text[0] = '\0'; /* what f says last is repeated if no step can be taken */
    }
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        const double t_new = end_of_try(rk->t_old, meant, end), dt = t_new - rk->t_old;
        if (!(dt > shortest) && t_new != t_stop) {
            break;
        }
        double shorten;
        if (s->seen && dt > 4.0 * shortest && !is_seen(rk, s, dt)) {
            end = rk->t_old + 0.5 * dt; /* says nothing against longer ones later */
            continue;
        }
        SP_TRY(try_step(rk, s, t_new, &shorten, err));
        if (shorten == 1.0) {
            accept(rk, dt, meant, tries > 0);
            return SP_OK;
        }
        meant = dt * shorten;
    }
    return step_underflow(rk, meant, err);
}

/* End the step that was taken where its polynomial does not show any more what f does.  What is
 * narrower than SHOWN of the step as it was first taken is not looked for. */
static sp_status end_where_shown(sp_rk8 *rk, const sp_rk8_system *s, sp_error *err)
{
    const double least = SHOWN * (rk->t - rk->t_old);
    while (rk->t - rk->t_old > fmax(least, 8.0 * DBL_EPSILON * fabs(rk->t))) {
        SP_TRY(sp_rk8_prepare_dense(rk, s, err));
        const double t = s->shown(s->ctx, rk);
        if (!(t < rk->t)) {
            break;
        }
        SP_TRY(sp_rk8_cut(rk, s, t, err));
        rk->t_full = t;
        rk->dt = fmin(rk->dt, t - rk->t_old);
    }
    return SP_OK;
}

sp_status sp_rk8_step(sp_rk8 *rk, const sp_rk8_system *s, double t_stop, sp_error *err)
{
    if (!(t_stop > rk->t)) {
        return SP_FAIL(err, SP_E_INPUT, "step from t = %.17g to %.17g, expected a later end", rk->t,
                       t_stop);
    }
    rk->t_old = rk->t_full = rk->t;
    if (!(rk->dt > 0.0)) {
        const double span = within(0.0, t_stop - rk->t, rk->options.dt_max);
        SP_TRY(guess(rk, s, isfinite(span) ? span : 1.0, err));
    }
    sp_rk8_copy(rk->n, sp_rk8_array(rk, SP_RK8_Y_OLD), sp_rk8_array(rk, SP_RK8_Y));
    sp_rk8_copy(rk->n, sp_rk8_array(rk, SP_RK8_K0), sp_rk8_array(rk, SP_RK8_F));
    sp_status status = search_step(rk, s, t_stop, err);
    if (status == SP_OK && s->shown) {
        status = end_where_shown(rk, s, err);
    }
    if (status != SP_OK) {
        rewind_step(rk);
    }
    return status;
}

/* ---- events ----------------------------------------------------------------------------- */

/* The end point Y beside the stages becomes the state at t; what they said about the step stays. */
static sp_status finish_beside(sp_rk8 *rk, const sp_rk8_system *s, double t, sp_error *err)
{
    const double t_full = rk->t_full, stiff = rk->stiffness;
    SP_TRY(finish(rk, s, t, err));
    rk->t_full = t_full;
    rk->stiffness = stiff;
    rk->has_dense = 0;
    rk->has_step = 2;
    return SP_OK;
}

/* End a step that is a cubic at t inside of it.   theory (68.3) */
static sp_status cut_cubic(sp_rk8 *rk, const sp_rk8_system *s, double t, sp_error *err)
{
    double *x = sp_rk8_array(rk, SP_RK8_X);
    sp_rk8_dense(rk, t, rk->n, x);
    sp_rk8_copy(rk->n, sp_rk8_array(rk, SP_RK8_Y), x);
    const sp_status status = finish_beside(rk, s, t, err);
    if (status != SP_OK) {
        rewind_step(rk);
        return status;
    }
    sp_rk8_take_cubic(rk);
    return SP_OK;
}

sp_status sp_rk8_cut(sp_rk8 *rk, const sp_rk8_system *s, double t, sp_error *err)
{
    assert(rk->has_step && rk->t_old <= t && t <= rk->t_full);
    const double t_full = rk->t_full;
    if (t == rk->t) {
        return SP_OK;
    }
    if (t == rk->t_old) {
        rewind_step(rk);
        return SP_OK;
    }
    if (rk->has_dense > 0 && rk->cubic && t < rk->t && !s->shown) { /* else stages may see more */
        return cut_cubic(rk, s, t, err);
    }
    sp_status status = attempt(rk, s, t, err);
    if (status == SP_OK && !(rk->err <= DBL_MAX)) {
        status = SP_FAIL(err, SP_E_NONFINITE, "the step to t = %.17g is not finite", t);
    }
    if (status == SP_OK) {
        status = finish(rk, s, t, err);
    }
    if (status != SP_OK) {
        rewind_step(rk);
        return status;
    }
    rk->t_full = t_full;
    return SP_OK;
}

/* From the end of a step that was cut to t near it, by Heun's method.   theory (68.1) */
static sp_status shift(sp_rk8 *rk, const sp_rk8_system *s, double t, sp_error *err)
{
    const double dt = t - rk->t;
    double *y = sp_rk8_array(rk, SP_RK8_Y), *x = sp_rk8_array(rk, SP_RK8_X);
    double *f = sp_rk8_array(rk, SP_RK8_F), *k = sp_rk8_array(rk, SP_RK8_K0 + 1);
    for (int i = 0; i < rk->n; i++) {
        x[i] = y[i] + dt * f[i];
    }
    sp_status status = sp_rk8_evaluate(rk, s, t, x, k, err);
    for (int i = 0; i < rk->n && status == SP_OK; i++) {
        y[i] += 0.5 * dt * (f[i] + k[i]);
    }
    status = status == SP_OK ? finish_beside(rk, s, t, err) : status;
    if (status != SP_OK) {
        rewind_step(rk);
    }
    return status;
}

sp_status sp_rk8_land(sp_rk8 *rk, const sp_rk8_system *s, sp_rk8_indicator g, void *ctx, double t,
                      double t_tol, sp_error *err)
{
    const double t_low = rk->t_old, t_high = rk->t_full, near = SHIFT_MAX * (t - t_low);
    double best = t, least = 0.01 * (t_high - t_low); /* no dense output is wrong by more */
    for (int k = 0; k < 5; k++) {
        double value, rate;
        SP_TRY(k > 0 && fabs(t - rk->t) <= near ? shift(rk, s, t, err) : sp_rk8_cut(rk, s, t, err));
        if (!rk->has_step) {
            return SP_OK; /* at the beginning of the step */
        }
        SP_TRY(g(ctx, t, sp_rk8_y(rk), sp_rk8_dydt(rk), &value, &rate, err));
        const double change = -value / rate, t_next = within(t_low, t + change, t_high);
        if (!(fabs(change) < least)) {
            break;
        }
        best = t;
        least = fabs(change);
        if (least <= t_tol || t_next == t) {
            break;
        }
        t = t_next;
    }
    const bool beside = best != rk->t && fabs(best - rk->t) <= near;
    return beside ? shift(rk, s, best, err) : sp_rk8_cut(rk, s, best, err);
}

sp_status sp_rk8_load(sp_rk8 *rk, const void *bytes, size_t size, sp_error *err)
{
    sp_rk8 head;
    if (size != sp_rk8_bytes(rk->n)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "saved state of the integrator has %zu bytes, expected %zu (%d components)",
                       size, sp_rk8_bytes(rk->n), (int)rk->n);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.tag != TAG || head.n != rk->n) {
        return SP_FAIL(err, SP_E_INPUT, "saved state of the integrator is not one of this version");
    }
    memcpy(rk, bytes, size);
    return SP_OK;
}
