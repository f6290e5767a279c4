/* integrators/smooth_step.c - one step of whoever integrates smooth motion: the Runge-Kutta method,
 * or an integrator for stiff machines; its polynomial, and ending it at an event. */
#include "base/memory.h"
#include "base/status.h"
#include "integrators/clock.h"
#include "integrators/smooth.h"

#include <math.h>
#include <string.h>

enum { RENEW = 1000 };  /* steps after which an integrator for stiff machines starts anew */
enum { LANDINGS = 6 };  /* times that a landing comes closer                              */
#define WRONG_MOST 0.01 /* of a step: no polynomial is wrong by more about the time of an event */

/* ---- stiff machines -------------------------------------------------------------------------- */

/* Steps of the driver from the state at t_old to t, with what projections did to the energy. */
static sp_status finish_step(sp_smooth *s, double t, sp_error *err)
{
    double moved = 0.0, now = s->t_old;
    if (s->stiff_cut) {
        SP_TRY(s->driver->restart(s->stiff_cut, s->t_old, s->old, err));
    } else {
        SP_TRY(s->driver->begin(&s->stiff_system, s->t_old, s->old, &s->stiff_cut, err));
    }
    while (now < t) {
        s->move = 0.0;
        SP_TRY(s->driver->step(s->stiff_cut, t, &now, s->now, err));
        moved += s->move;
    }
    s->t = t;
    s->move = moved;
    return SP_OK;
}

/* End the last step of the driver at t: real steps from its beginning, not its polynomial. */
static sp_status cut_stiff(sp_smooth *s, double t, sp_error *err)
{
    if (t == s->t) {
        return SP_OK;
    }
    if (t <= s->t_old) {
        memcpy(s->now, s->old, (size_t)s->n_y * sizeof(double));
        s->t = s->t_old;
        s->move = 0.0;
        return SP_OK;
    }
    return finish_step(s, t, err);
}

/* The same where g is zero near t: t <- t - g/g' with real steps.   theory (13.2) */
static sp_status land_stiff(sp_smooth *s, sp_rk8_indicator g, void *ctx, double t, double t_tol,
                            sp_error *err)
{
    const double low = s->t_old, high = s->t;
    double best = t, least = WRONG_MOST * (high - low);
    for (int k = 0; k < LANDINGS; k++) {
        double value, rate;
        SP_TRY(cut_stiff(s, t, err));
        SP_TRY(g(ctx, t, s->now, NULL, &value, &rate, err));
        const double change = -value / rate;
        if (!(fabs(change) < least)) {
            break;
        }
        best = t;
        least = fabs(change);
        t = fmin(fmax(t + change, low), high);
        if (least <= t_tol || t == best) {
            break;
        }
    }
    return cut_stiff(s, best, err);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What the Runge-Kutta method has, as the last step. */
static void take_over(sp_smooth *s)
{
    s->t_old = s->rk->t_old;
    s->t = s->rk->t;
    memcpy(s->now, sp_rk8_y(s->rk), (size_t)s->n_y * sizeof(double));
}

sp_status sp_smooth_advance(sp_smooth *s, double t_stop, sp_error *err)
{
    const double longest = fmax(sp_smooth_long(s), s->t - s->begun); /* theory (65.11) */
    if (!s->driver) {
        s->rk->options.dt_max = longest;
        SP_TRY(sp_rk8_step(s->rk, &s->system, t_stop, err)); /* its last evaluation is there */
        take_over(s);
        SP_TRY(s->terms ? sp_smooth_accelerate_at(s, s->t, s->now, err) : SP_OK);
        return sp_smooth_switch_find(s, err);
    }
    if (s->n_since >= RENEW) {
        SP_TRY(sp_smooth_renew(s, err));
    }
    s->n_since++;
    s->t_old = s->t;
    memcpy(s->old, s->now, (size_t)s->n_y * sizeof(double));
    const double end = sp_clocks_end(s->w->clocks, s->t, fmin(t_stop, s->t + longest));
    SP_TRY(s->driver->step(s->stiff, end, &s->t, s->now, err));
    SP_TRY(sp_smooth_switch_find(s, err));
    return sp_smooth_accelerate_at(s, s->t, s->now, err);
}

sp_status sp_smooth_renew(sp_smooth *s, sp_error *err)
{
    s->n_since = 0;
    if (s->driver) {
        sp_smooth_raise_works(s);
        return s->driver->restart(s->stiff, s->t, s->now, err);
    }
    return sp_rk8_restart(s->rk, &s->system, s->t, s->now, s->rk->dt, err);
}

sp_status sp_smooth_dense(sp_smooth *s, double t, int n, double *y, sp_error *err)
{
    if (s->driver) {
        return s->driver->dense(s->stiff, t, y, err);
    }
    if (!s->rk->has_dense || !(s->rk->t_old < s->rk->t)) { /* the step was taken back whole */
        memcpy(y, s->now, (size_t)n * sizeof *y);
        return SP_OK;
    }
    sp_rk8_dense(s->rk, fmin(fmax(t, s->rk->t_old), s->rk->t), n, y); /* nodes have round-off */
    return SP_OK;
}

double sp_smooth_cubic_error(sp_smooth *s)
{
    const bool known = !s->driver && s->rk->has_step == 1 && s->rk->has_dense == 0;
    if (!known || s->closed.n + s->m->n_bond > 0) {
        return INFINITY;
    }
    double most = sp_smooth_length(s); /* of all coordinates so far */
    for (int k = 0; k < s->m->n_q; k++) {
        most = fmax(most, fabs(s->now[s->q + k]));
        s->y[k] = sp_rk8_cubic_error(s->rk, s->q + k);
    }
    return sp_model_off(s->m, most, s->y);
}

sp_status sp_smooth_cut(sp_smooth *s, double t, sp_error *err)
{
    if (s->driver) {
        return cut_stiff(s, t, err);
    }
    SP_TRY(sp_rk8_cut(s->rk, &s->system, t, err));
    take_over(s);
    return SP_OK;
}

sp_status sp_smooth_back(sp_smooth *s, sp_error *err)
{
    if (s->driver) {
        memcpy(s->now, s->old, (size_t)s->n_y * sizeof(double));
        s->t = s->t_old;
        return sp_smooth_renew(s, err);
    }
    if (s->rk->has_step) {
        SP_TRY(sp_rk8_cut(s->rk, &s->system, s->rk->t_old, err));
    }
    take_over(s);
    return SP_OK;
}

sp_status sp_smooth_land(sp_smooth *s, sp_rk8_indicator g, void *ctx, double t, double t_tol,
                         sp_error *err)
{
    if (s->driver) {
        return land_stiff(s, g, ctx, t, t_tol, err);
    }
    SP_TRY(sp_rk8_land(s->rk, &s->system, g, ctx, t, t_tol, err));
    take_over(s);
    return SP_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum { PARTS = 17 };

/* All that goes from step to step. */
static void parts_of(sp_smooth *s, sp_memory_part p[PARTS])
{
    const size_t n_slot = (size_t)s->m->n_slot;
    p[0] = (sp_memory_part){&s->t_old, sizeof s->t_old};
    p[1] = (sp_memory_part){&s->t, sizeof s->t};
    p[2] = (sp_memory_part){s->now, (size_t)s->n_y * sizeof *s->now};
    p[3] = (sp_memory_part){&s->floor, sizeof s->floor};
    p[4] = (sp_memory_part){&s->size, sizeof s->size};
    p[5] = (sp_memory_part){&s->accel_size, sizeof s->accel_size};
    p[6] = (sp_memory_part){&s->base, sizeof s->base};
    p[7] = (sp_memory_part){&s->move, sizeof s->move};
    p[8] = (sp_memory_part){&s->moved, sizeof s->moved};
    p[9] = (sp_memory_part){s->way, s->way ? n_slot * sizeof *s->way : 0};
    p[10] = (sp_memory_part){s->starting, s->starting ? n_slot * sizeof *s->starting : 0};
    p[11] = (sp_memory_part){&s->still, sizeof s->still};
    p[12] = (sp_memory_part){s->book_base, (size_t)s->m->n_book * sizeof *s->book_base};
    p[13].data = sp_smooth_kinks(s, &p[13].bytes);
    p[14] = (sp_memory_part){&s->begun, sizeof s->begun};
    p[15] = (sp_memory_part){s->z_size, (size_t)s->m->n_aux * sizeof *s->z_size};
    p[16] = (sp_memory_part){s->rk, sp_rk8_bytes(s->n_y)}; /* the last: sp_smooth_open knows */
}

bool sp_smooth_may_save(const sp_smooth *s)
{
    return !s->driver || s->n_since == 0 || s->n_since >= RENEW; /* drivers do not give it away */
}

size_t sp_smooth_bytes(sp_smooth *s)
{
    sp_memory_part p[PARTS];
    parts_of(s, p);
    return sp_memory_bytes(p, PARTS);
}

void sp_smooth_save(sp_smooth *s, unsigned char *bytes)
{
    sp_memory_part p[PARTS];
    parts_of(s, p);
    sp_memory_save(p, PARTS, bytes);
}

void sp_smooth_load(sp_smooth *s, const unsigned char *bytes)
{
    sp_memory_part p[PARTS];
    parts_of(s, p);
    sp_memory_load(p, PARTS, bytes);
}
