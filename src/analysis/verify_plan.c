/* analysis/verify_plan.c - which two methods are compared: those asked for, else those that know
 * the model, and why others were left out. */
#include "analysis/verify_parts.h"

#include "integrators/adaptive.h"
#include "integrators/smooth.h"

#include <math.h>
#include <stdio.h>

#define TOLERANCE_LEAST 1e-14 /* below, double precision has no more digits             */
#define TOLERANCE_MOST  0.1
#define STEPS_MOST      1e10 /* of one run: more take days                              */
#define UNSET           ((sp_method)(-1))

/* The smallest tolerance of a method. */
static double least_tolerance(sp_method method)
{
    return method == SP_METHOD_ADAPTIVE ? SP_ADAPTIVE_FINEST : TOLERANCE_LEAST;
}

/* Options in range. */
static sp_status check_options(const sp_verify_options *o, sp_error *err)
{
    if (!(o->until > 0.0) || !isfinite(o->until) || o->samples < 10 || !(o->step >= 0.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "verify: until = %g s, step = %g s, samples = %d, expected until > 0, "
                       "step >= 0 and at least 10 samples",
                       o->until, o->step, o->samples);
    }
    if (o->n_method == 2 && o->method[0] == o->method[1]) {
        return SP_FAIL(err, SP_E_INPUT,
                       "verify: method '%s' is named twice; name two methods, or one, which is "
                       "compared with a suitable one",
                       sp_method_name(o->method[0]));
    }
    return SP_OK;
}

/* Whether a method can run the model. */
static sp_status check_method(const sp_model *m, const sp_verify_options *o, sp_method method,
                              sp_error *err)
{
    const sp_run_options run = {.method = method,
                                .until = o->until,
                                .tolerance = fmax(o->tolerance, least_tolerance(method)),
                                .stiff = o->stiff};
    return sp_run_may(m, &run, err);
}

/* What was asked for: methods that choose their steps are references before those that have one. */
static void take_wishes(const sp_verify_options *o, sp_method *reference, sp_method *other)
{
    *reference = *other = UNSET;
    if (o->n_method == 1) {
        *(sp_method_has_step(o->method[0]) ? other : reference) = o->method[0];
    } else if (o->n_method == 2) {
        const bool turned = sp_method_has_step(o->method[0]) && !sp_method_has_step(o->method[1]);
        *reference = o->method[turned ? 1 : 0];
        *other = o->method[turned ? 0 : 1];
    }
}

/* The first of some methods that knows the model and is not the other one; those before it are
 * noted as left out.  UNSET if there is none. */
static sp_method first_that_can(const sp_model *m, const sp_verify_options *o, int n,
                                const sp_method *method, sp_method other, sp_verify_report *report)
{
    for (int k = 0; k < n; k++) {
        sp_error why = {.status = SP_OK};
        if (method[k] == other) {
            continue;
        }
        if (check_method(m, o, method[k], &why) == SP_OK) {
            return method[k];
        }
        if (report->n_left < SP_VERIFY_LEFT) {
            sp_verify_left *left = &report->left[report->n_left++];
            left->method = method[k];
            snprintf(left->why, sizeof left->why, "%.239s", why.text);
        }
    }
    return UNSET;
}

/* Two runs of the reference, a hundredth or half apart, three of the other side; those by tolerance
 * end with the smallest that the method has at most. */
static void plan_side(sp_verify_side *side, sp_method method, int n, double coarse, double ratio)
{
    const double least = least_tolerance(method), finest = coarse * pow(ratio, n - 1);
    *side = (sp_verify_side){.method = method, .n = n, .stepped = sp_method_has_step(method)};
    for (int k = 0; k < n; k++) {
        const double grain = coarse * pow(ratio, k);
        side->grain[k] =
            side->stepped ? grain : fmin(grain * fmax(1.0, least / finest), TOLERANCE_MOST);
    }
}

void sp_verify_refine(sp_verify_side *side, double factor)
{
    for (int k = 0; k < side->n; k++) {
        const double grain = side->grain[k] / factor;
        side->grain[k] = side->stepped ? grain : fmax(grain, least_tolerance(side->method));
    }
}

/* Steps and tolerances: samples lie at ends of steps; a reference with steps ends finer than what
 * is compared with it, something compared by tolerance ends with that asked for. */
static void plan_runs(const sp_verify_options *o, sp_method reference, sp_method other,
                      sp_verify_report *report)
{
    const double dt = o->until / o->samples, step = o->step > 0.0 ? o->step : o->until / 5000.0;
    const double parts = ceil(dt / step - 1e-9), coarse = dt / (parts > 1.0 ? parts : 1.0);
    if (sp_method_has_step(reference)) {
        plan_side(&report->reference, reference, 2, 0.25 * coarse, 0.5);
    } else {
        plan_side(&report->reference, reference, 2, o->tolerance, 0.01);
    }
    if (other == UNSET) {
        report->other = (sp_verify_side){.n = 0};
    } else if (sp_method_has_step(other)) {
        plan_side(&report->other, other, SP_VERIFY_STEPS, coarse, 0.5);
    } else {
        plan_side(&report->other, other, SP_VERIFY_STEPS, 100.0 * o->tolerance, 0.1);
    }
}

/* Whether the finest run of a side comes to its end. */
static sp_status check_length(const sp_verify_options *o, const sp_verify_side *side, sp_error *err)
{
    const double finest = side->n > 0 && side->stepped ? side->grain[side->n - 1] : o->until;
    if (o->until / finest <= STEPS_MOST) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "verify: step = %g s: the finest run by %s takes %.2g steps, expected at most "
                   "%g; take a longer one, or leave it out for %g s",
                   o->step, sp_method_name(side->method), o->until / finest, STEPS_MOST,
                   o->until / 5000.0);
}

sp_status sp_verify_plan(const sp_model *m, const sp_verify_options *o, sp_verify_report *report,
                         sp_error *err)
{
    const sp_method references[] = {m->n_slot > 0 ? SP_METHOD_EVENT : SP_METHOD_SMOOTH,
                                    SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
    const sp_method others[] = {SP_METHOD_MOREAU_MEAN};
    sp_method reference, other;
    SP_TRY(check_options(o, err));
    *report = (sp_verify_report){.until = o->until};
    for (int k = 0; k < o->n_method; k++) {
        SP_TRY(check_method(m, o, o->method[k], err));
    }
    SP_TRY(sp_smooth_in_range(o->tolerance, err));
    take_wishes(o, &reference, &other);
    if (reference == UNSET) {
        const int n = sizeof references / sizeof *references;
        reference = first_that_can(m, o, n, references, other, report);
    }
    if (other == UNSET) {
        other = first_that_can(m, o, 1, others, reference, report);
    }
    if (reference == UNSET) { /* the other one has no company */
        reference = other;
        other = UNSET;
    }
    if (reference == UNSET) {
        return SP_FAIL(err, SP_E_INPUT, "verify: no method can run this model; %s",
                       report->left[0].why);
    }
    plan_runs(o, reference, other, report);
    SP_TRY(check_length(o, &report->reference, err));
    return check_length(o, &report->other, err);
}

sp_verify_options sp_verify_options_default(const sp_model *m)
{
    sp_verify_options o = {.size = sizeof o, .tolerance = SP_SMOOTH_STANDARD, .samples = 500};
    if (m) {
        o.until = m->run.until;
        o.step = m->run.step;
        o.tolerance = sp_method_tolerance(m, SP_METHOD_EVENT);
    }
    return o;
}

sp_status sp_analysis_verify(const sp_model *m, const sp_verify_options *o,
                             sp_verify_report *report, sp_error *err)
{
    if (!m || !o || !report || o->size != sizeof *o) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_analysis_verify: an argument is NULL, or options are not from "
                       "sp_verify_options_default of this version");
    }
    return sp_verify(m, m, o, NULL, report, err);
}
