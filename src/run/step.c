/* run/step.c - the methods by name, and one step of any of them. */
#include "base/status.h"
#include "integrators/adaptive.h"
#include "integrators/moreau.h"
#include "integrators/smooth.h"
#include "integrators/stepper.h"
#include "integrators/swept.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* Which methods there are, by name. */
static const char *const method_name[] = {"moreau", "moreau-mean", "smooth", "stiff",   "event",
                                          "theta",  "rk2",         "rk4",    "adaptive"};
enum { N_METHOD = sizeof method_name / sizeof *method_name };

const char *sp_method_name(sp_method method)
{
    return (int)method >= 0 && (int)method < N_METHOD ? method_name[method] : "unknown";
}

bool sp_method_has_step(sp_method method)
{
    return method == SP_METHOD_MOREAU || method == SP_METHOD_MOREAU_MEAN ||
           method == SP_METHOD_THETA || method == SP_METHOD_RK2 || method == SP_METHOD_RK4;
}

double sp_method_tolerance(const sp_model *m, sp_method method)
{
    return m->run.tolerance > 0.0         ? m->run.tolerance
           : method == SP_METHOD_ADAPTIVE ? SP_ADAPTIVE_STANDARD
                                          : SP_SMOOTH_STANDARD;
}

sp_status sp_method_find(const char *name, sp_method *method, sp_error *err)
{
    for (int k = 0; k < N_METHOD; k++) {
        if (strcmp(name, method_name[k]) == 0) {
            *method = (sp_method)k;
            return SP_OK;
        }
    }
    const char *near = sp_nearest(name, method_name, N_METHOD);
    return SP_FAIL(err, SP_E_INPUT,
                   "method '%s' is not known%s%s%s (there are: moreau, moreau-mean, theta, rk2, "
                   "rk4, adaptive, smooth, stiff, event)",
                   name, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* What the step came to. */
static void fill_info(const sp_state *x, const sp_work *w, sp_step_info *info)
{
    const sp_ledger *l = &x->ledger;
    *info = (sp_step_info){.n_active = w->n_hit,
                           .n_event = w->n_event,
                           .complementarity = w->certificate.complementarity,
                           .cone = w->certificate.cone,
                           .momentum = w->certificate.momentum,
                           .penetration = w->certificate.gap,
                           .kinetic = l->kinetic,
                           .potential = l->potential,
                           .dampers = l->dampers,
                           .applied = l->applied,
                           .friction = l->friction,
                           .impacts = l->impacts,
                           .projection = l->projection,
                           .discretisation = l->discretisation,
                           .balance = l->balance};
}

/* As many steps of the smooth method as dt takes. */
static sp_status smooth_steps(const sp_model *m, sp_state *x, sp_work *w, double dt, sp_error *err)
{
    const double until = x->t + dt;
    sp_smooth *s;
    const double tolerance = sp_method_tolerance(m, SP_METHOD_SMOOTH);
    SP_TRY(sp_smooth_check(m, tolerance, err));
    SP_TRY(sp_smooth_begin(m, x, w, tolerance, &s, err));
    while (x->t < until) {
        SP_TRY(sp_smooth_step(s, x, until, err));
    }
    return SP_OK;
}

/* As many steps of the adaptive method as dt takes; events and certificate are those of all. */
static sp_status adaptive_steps(const sp_model *m, sp_state *x, sp_work *w, double dt,
                                sp_error *err)
{
    const double until = x->t + dt;
    const double tolerance = sp_method_tolerance(m, SP_METHOD_ADAPTIVE);
    SP_TRY(sp_adaptive_check(tolerance, err));
    sp_step_refresh(m, x, w);
    while (x->t < until) {
        sp_adaptive_taken taken;
        SP_TRY(sp_adaptive_step(m, x, w, tolerance, until, &taken, err));
    }
    return SP_OK;
}

/* Several steps of which one may fail: x is as before then. */
static sp_status all_or_none(const sp_model *m, sp_state *x, sp_work *w, sp_method method,
                             double dt, sp_error *err)
{
    if (!w->before) {
        sp_state *made = SP_NEW(&w->arena, sp_state, 1);
        if (!made || !sp_state_room(m, &w->arena, made)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for steps of '%s'", method_name[method]);
        }
        w->before = made;
    }
    sp_state_copy(m, x, w->before);
    const sp_status status =
        (method == SP_METHOD_SMOOTH ? smooth_steps : adaptive_steps)(m, x, w, dt, err);
    if (status != SP_OK) {
        sp_state_copy(m, w->before, x);
    }
    return status;
}

sp_status sp_step(const sp_model *m, sp_state *x, sp_work *w, sp_method method, double dt,
                  sp_step_info *info, sp_error *err)
{
    if (!(dt > 0.0) || !isfinite(dt)) {
        return SP_FAIL(err, SP_E_INPUT, "step = %g s, expected > 0", dt);
    }
    if ((int)method < 0 || (int)method >= N_METHOD) {
        return SP_FAIL(err, SP_E_INPUT, "method %d, expected 0 to %d", (int)method, N_METHOD - 1);
    }
    if (method == SP_METHOD_STIFF || method == SP_METHOD_EVENT) {
        return SP_FAIL(err, SP_E_INPUT, "method '%s' takes no single steps, only runs; take '%s'",
                       method_name[method], method == SP_METHOD_STIFF ? "smooth" : "moreau");
    }
    if (m->impact.poisson || m->impact.scale_gain) {
        SP_TRY(sp_method_check(m, method, sp_method_tolerance(m, method), err));
    }
    if (method == SP_METHOD_SMOOTH || method == SP_METHOD_ADAPTIVE) {
        SP_TRY(all_or_none(m, x, w, method, dt, err));
    } else {
        sp_step_refresh(m, x, w);
        SP_TRY(sp_swept_take(m, x, w, sp_step_rule_of(method), dt, err));
    }
    if (info) {
        fill_info(x, w, info);
    }
    return SP_OK;
}

sp_status sp_step_event(const sp_work *work, int i, sp_event_info *event)
{
    if (i < 0 || i >= work->n_event) {
        return SP_E_INPUT;
    }
    *event = sp_event_describe(NULL, &work->event[i]);
    return SP_OK;
}
