/* run/options.c - how a model is run: its settings, and what `auto` stands for. */
#include "base/status.h"
#include "integrators/adaptive.h"
#include "integrators/event.h"
#include "integrators/smooth.h"
#include "integrators/stepper.h"
#include "run/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Mechanisms up to this size are run by events. */
enum { SMALL_CONTACTS = 64, SMALL_DOFS = 64 };
#define COUNT_MOST     1e13 /* steps, or frames: their part of a run is exact to a thousandth     */
#define GIGA           1e9  /* bytes                                                   */
#define RESULT_MAX     (1000.0 * GIGA) /* bytes that a result may have, a terabyte                */
#define OWN_TIMES      10.0            /* that a step goes over at most while something moves     */
#define SECOND         1.0             /* s: what is slow where nothing else shows it             */
#define STEPS_FOR_SIZE 50.0 /* for a way as long as the smallest body, by what is fastest */

/* Whether a method knows the model's law of impacts: time steps have Newton's alone. */
static sp_status check_impact(const sp_model *m, sp_method method, sp_error *err)
{
    const bool events = method == SP_METHOD_EVENT || method == SP_METHOD_STIFF;
    if (events || m->n_slot == 0 || (!m->impact.poisson && !m->impact.scale_gain)) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "impact: %s is for impacts that are events of their own; method '%s' has "
                   "Newton's law in its steps; take method 'event' or write '%s'",
                   m->impact.poisson ? "poisson" : "gain: scale", sp_method_name(method),
                   m->impact.poisson ? "impact: newton" : "gain: report");
}

/* Whether a method knows contacts whose points come and go (shapes with edges, many bodies):
 * between two stages, or steps that are compared, a point may vanish. */
static sp_status check_pools(const sp_model *m, sp_method method, sp_error *err)
{
    const bool several = method == SP_METHOD_RK2 || method == SP_METHOD_RK4 ||
                         method == SP_METHOD_THETA || method == SP_METHOD_ADAPTIVE;
    if (m->n_pool == 0 || !several) {
        return SP_OK;
    }
    return SP_FAIL(
        err, SP_E_INPUT,
        "method '%s' does not know contacts whose points come and go (shapes with edges, "
        "many bodies); take %s'moreau' or 'moreau-mean' with a step",
        sp_method_name(method),
        sp_events_check(m, sp_method_tolerance(m, SP_METHOD_EVENT), NULL) == SP_OK ? "'event', or "
                                                                                   : "");
}

/* What `auto` stands for, and why.  A step chooses no method: it is that of a method which has one.
 */
static sp_method choose(const sp_model *m, char *why, size_t size)
{
    sp_error err = {.status = SP_OK};
    const double tolerance = sp_method_tolerance(m, SP_METHOD_EVENT);
    if (m->n_slot == 0) {
        snprintf(why, size, "no contacts");
        return SP_METHOD_SMOOTH;
    }
    if (check_impact(m, SP_METHOD_MOREAU, NULL) != SP_OK) {
        snprintf(why, size, "only events have this law of impacts");
        return SP_METHOD_EVENT;
    }
    if (check_pools(m, SP_METHOD_ADAPTIVE, NULL) != SP_OK &&
        (m->n_slot > SMALL_CONTACTS || m->n_dof > SMALL_DOFS ||
         sp_events_check(m, tolerance, &err) != SP_OK)) {
        snprintf(why, size, "points of contact come and go");
        return SP_METHOD_MOREAU;
    }
    if (m->n_slot > SMALL_CONTACTS || m->n_dof > SMALL_DOFS) {
        snprintf(why, size,
                 "%d contact%s, %d degree%s of freedom: too many to go from event to event",
                 m->n_slot, m->n_slot == 1 ? "" : "s", m->n_dof, m->n_dof == 1 ? "" : "s");
        return SP_METHOD_ADAPTIVE;
    }
    if (sp_events_check(m, tolerance, &err) != SP_OK) {
        snprintf(why, size, "%.200s", err.text);
        return SP_METHOD_ADAPTIVE;
    }
    snprintf(why, size, "%d contact%s: few enough to go from event to event", m->n_slot,
             m->n_slot == 1 ? "" : "s");
    return SP_METHOD_EVENT;
}

/* The smallest radius of gyration of all bodies, m; INFINITY: none has one. */
static double smallest_body(const sp_model *m)
{
    double least = INFINITY;
    for (int i = 1; i < m->n_body; i++) {
        const double mass = m->numbers.body[i].mass;
        const double *J = m->dim == 3 ? m->numbers.space[i].inertia : &m->numbers.body[i].inertia;
        for (int k = 0; k < (m->dim == 3 ? 3 : 1); k++) {
            least = mass > 0.0 && J[k] > 0.0 ? fmin(least, sqrt(J[k] / mass)) : least;
        }
    }
    return least;
}

/* The fastest that something moves along at the start, m/s. */
static double fastest_start(const sp_model *m)
{
    double most = 0.0;
    for (int i = 0; i < m->n_start; i++) {
        const sp_start_value *s = &m->start[i];
        const bool along =
            s->kind == SP_START_VX || s->kind == SP_START_VY || s->kind == SP_START_VZ ||
            (s->kind == SP_START_U && strcmp(m->dof[s->index].rate_unit, "m/s") == 0);
        most = along ? fmax(most, fabs(s->value)) : most;
    }
    return most;
}

/* The time in which a body goes as far as it is large, as it falls or is thrown at the start, s; 0:
 * there is nothing to go by. */
static double own_time(const sp_model *m)
{
    const double size = smallest_body(m), *g = m->numbers.gravity;
    const double fall = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double time = fmin(sqrt(size / fall), size / fastest_start(m));
    return time > 0.0 && isfinite(time) ? time : 0.0;
}

/* The step that `auto` takes where its method needs one and none is given, as 1, 2 or 5 times a
 * power of ten; 0: there is nothing to go by.   theory (41.6) */
static double usual_step(const sp_model *m)
{
    const double dt = own_time(m) / STEPS_FOR_SIZE;
    if (!(dt > 0.0)) {
        return 0.0;
    }
    const double ten = pow(10.0, floor(log10(dt)));
    return dt >= 5.0 * ten ? 5.0 * ten : dt >= 2.0 * ten ? 2.0 * ten : ten;
}

/* A step is needed: which, why, and what else could be chosen. */
static sp_status say_step_missing(const sp_model *m, const sp_run_options *options, sp_error *err)
{
    if (m->n_pool > 0 && options->chosen) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "run: say how long a step is: bodies with edges that touch each other, or very "
            "many, touch in points that come and go, which needs time steps, and without inertia, "
            "gravity or speeds there is nothing to choose one by; write "
            "'run: {step: 1e-4 s}' or --step 1e-4 (a hundredth of the shortest motion "
            "of interest), with method 'moreau' or 'moreau-mean'");
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "run: 'step' is missing, method '%s' has a fixed step; write "
                   "'run: {step: 1e-5 s}' or --step 1e-5%s",
                   sp_method_name(options->method),
                   m->n_pool > 0 ? "" : ", or take 'adaptive' or 'event'");
}

/* Whether the frames of a run are no more than can be kept; time steps have one each at most. */
static sp_status check_frames(const sp_model *m, const sp_run_options *o, sp_error *err)
{
    const double asked = o->until / o->output_step, steps = o->until / o->step;
    const double frames = o->step > 0.0 && steps < asked ? steps : asked;
    const int columns = m->n_q + m->n_dof + (m->dim == 3 ? 13 : 6) * (m->n_body - 1) +
                        7 * m->n_slot + m->n_output + 20; /* about */
    const double bytes = 8.0 * columns * frames;
    if (!(asked <= COUNT_MOST)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "run: output_step = %g s makes %.2g frames in %g s, expected at most %g; "
                       "take a longer one, or leave it out for 1000 frames",
                       o->output_step, asked, o->until, COUNT_MOST);
    }
    if (bytes <= RESULT_MAX) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "run: output_step = %g s makes %.2g frames in %g s, about %.2g GB, expected at "
                   "most %g GB; take a longer one (%.1g s), or leave it out for 1000 frames",
                   o->output_step, frames, o->until, bytes / GIGA, RESULT_MAX / GIGA,
                   2.0 * o->until * bytes / (frames * RESULT_MAX));
}

sp_status sp_run_options_default(const sp_model *m, sp_run_options *options, sp_error *err)
{
    const sp_run_settings *run = &m->run;
    *options = (sp_run_options){
        .size = sizeof *options, .until = run->until, .chosen = strcmp(run->method, "auto") == 0};
    if (options->chosen) {
        options->method = choose(m, options->why, sizeof options->why);
    } else {
        SP_TRY(sp_method_find(run->method, &options->method, err));
    }
    const bool stepping = sp_method_has_step(options->method);
    options->tolerance = sp_method_tolerance(m, options->method);
    options->may_step = options->chosen && options->method == SP_METHOD_EVENT &&
                        sp_method_check(m, SP_METHOD_ADAPTIVE, SP_ADAPTIVE_STANDARD, NULL) == SP_OK;
    *(stepping ? &options->step : &options->step_unused) = run->step;
    if (options->chosen && stepping && !(options->step > 0.0)) {
        options->step = usual_step(m);
        snprintf(options->why, sizeof options->why,
                 "points of contact come and go; the step follows from the smallest body, --step "
                 "takes another");
    }
    options->missing = !(options->until > 0.0) || (stepping && !(options->step > 0.0));
    if (!(options->until > 0.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "run: 'until' is missing; say how long, as in "
                       "'run: {until: 1 s}' or --until 1");
    }
    if (stepping && !(options->step > 0.0)) {
        return say_step_missing(m, options, err);
    }
    options->measure_from = run->measure_from;
    options->output_step = run->output_step > 0.0 ? run->output_step : options->until / 1000.0;
    if (stepping) {
        long n;
        SP_TRY(sp_run_count_steps(0.0, options, &n, err));
    }
    SP_TRY(check_frames(m, options, err));
    return sp_method_check(m, options->method, options->tolerance, err);
}

sp_status sp_method_check(const sp_model *m, sp_method method, double tolerance, sp_error *err)
{
    SP_TRY(check_impact(m, method, err));
    SP_TRY(check_pools(m, method, err));
    switch (method) {
    case SP_METHOD_EVENT:
        return sp_events_check(m, tolerance, err);
    case SP_METHOD_ADAPTIVE:
        return sp_adaptive_check(tolerance, err);
    case SP_METHOD_STIFF: /* from event to event where there are contacts */
        return m->n_slot > 0 ? sp_events_check(m, tolerance, err)
                             : sp_smooth_check(m, tolerance, err);
    case SP_METHOD_SMOOTH:
        return sp_smooth_check(m, tolerance, err);
    default:
        return SP_OK;
    }
}

sp_status sp_run_count_steps(double t_0, const sp_run_options *o, long *n, sp_error *err)
{
    const double span = o->until - t_0, count = ceil(span / o->step - SP_OF_STEP);
    *n = 0;
    if (!(o->step > 0.0) || !isfinite(o->step)) {
        return SP_FAIL(err, SP_E_INPUT, "step = %g s, expected > 0", o->step);
    }
    if (!(span > 0.0)) {
        return SP_OK;
    }
    if (!(count <= COUNT_MOST)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "a run of %g s with a step of %g s takes %.2g steps, expected at most %g; "
                       "take a larger step or a shorter run",
                       span, o->step, count, COUNT_MOST);
    }
    *n = count > 1.0 ? (long)count : 1;
    return SP_OK;
}

double sp_run_guess_steps(const sp_model *m, const sp_run_options *o)
{
    const double time = own_time(m);
    return o->until / (o->step > 0.0 ? o->step : OWN_TIMES * (time > 0.0 ? time : SECOND));
}

sp_status sp_run_may(const sp_model *m, const sp_run_options *options, sp_error *err)
{
    long n;
    if (options->method == SP_METHOD_STIFF && !options->stiff) {
        return SP_FAIL(err, SP_E_INPUT,
                       "method 'stiff' needs CVODE of SUNDIALS, and this program was built without "
                       "it; 'tools/unpack_sundials --if-missing build/sundials' and 'make' build "
                       "it in, or take '%s'",
                       m->n_slot > 0 ? "event" : "smooth");
    }
    if (sp_method_has_step(options->method) && options->step > 0.0) {
        SP_TRY(sp_run_count_steps(0.0, options, &n, err));
    }
    return sp_method_check(m, options->method, options->tolerance, err);
}
