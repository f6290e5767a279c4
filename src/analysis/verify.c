#include "analysis/verify.h"

#include "analysis/verify_events.h"
#include "analysis/verify_parts.h"
#include "integrators/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TRUST    1e-6 /* of scale: runs of one method that differ by more are not to be trusted */
#define CONFLICT 20.0 /* times their own difference: methods that are further apart contradict  */
#define FLOOR    5e-8 /* of scale: what runs are off by anyway, in a contradiction              */
#define PARTED   2.0  /* times their own difference: nearer, and methods have not parted yet    */
#define MOVED    0.1  /* of the largest energy by corrections of positions: not its motion   */
#define WORKS    1e-8 /* of the works: energies below are no measure of corrections            */
#define FINER    8.0  /* times shorter steps, before methods are said to contradict             */

/* What is kept of a run: states at equal times, lines of the ledger there, events. */
typedef struct track {
    int n, n_max; /* samples that were reached, and wanted     */
    int n_stop;   /* measures between two stops ...            */
    const sp_verify_stop *stop;
    double *g; /* ... by their first gap: n_max x n_stop       */
    double *q, *u, *E, *friction, *impacts;
    double *S;    /* largest energy or work so far, (50.7) */
    double scale; /* largest energy, or what counts as it, (55.2) */
    double moved; /* energy by corrections of positions */
    sp_certificate worst;
    sp_verify_log log;
    double t_end;
    const sp_verify_options *options;
    long events;
} track;

/* What two tracks are compared with. */
typedef struct ruler {
    const sp_model *m;
    double *size_q, *size_u; /* n_dof */
    double length;           /* m: of the machine, at which angles act, or of its ways */
    int n_stop;
    const sp_verify_stop *stop;
    bool still;             /* all coordinates are round-off */
    unsigned char *reached; /* n_body: scratch */
} ruler;

/* ---- runs ------------------------------------------------------------------------------------ */

static bool make_track(const ruler *r, sp_arena *a, int samples, track *k)
{
    const sp_model *m = r->m;
    const size_t n = (size_t)samples + 1;
    *k = (track){.n_max = samples + 1, .n_stop = r->n_stop, .stop = r->stop};
    k->g = SP_NEW(a, double, n *(size_t)r->n_stop + 1);
    k->q = SP_NEW(a, double, n *(size_t)m->n_q);
    k->u = SP_NEW(a, double, n *(size_t)m->n_dof);
    k->E = SP_NEW(a, double, n);
    k->friction = SP_NEW(a, double, n);
    k->impacts = SP_NEW(a, double, n);
    k->S = SP_NEW(a, double, n);
    return k->g && k->q && k->u && k->E && k->friction && k->impacts && k->S &&
           sp_verify_log_new(a, &k->log);
}

/* Keep frames and events, and pass the step on to who waits for the runs. */
static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    track *k = ctx;
    k->t_end = r->t;
    const double least = WORKS * sp_ledger_size(r->ledger);
    k->scale = r->ledger->scale < least ? least : r->ledger->scale; /* NaN stays */
    k->worst = *r->worst;
    k->moved = r->ledger->projection;
    for (int i = 0; i < r->n_event; i++) {
        sp_verify_log_add(m, &r->event[i], &k->log);
    }
    if (r->sampled && k->n < k->n_max) {
        const size_t n = (size_t)k->n;
        memcpy(k->q + n * (size_t)m->n_q, r->q, (size_t)m->n_q * sizeof(double));
        memcpy(k->u + n * (size_t)m->n_dof, r->u, (size_t)m->n_dof * sizeof(double));
        for (int i = 0; i < k->n_stop; i++) {
            k->g[n * (size_t)k->n_stop + (size_t)i] = r->contact[k->stop[i].slot].g_N;
        }
        k->E[k->n] = r->ledger->kinetic + r->ledger->potential;
        k->S[k->n] = sp_ledger_size(r->ledger);
        k->friction[k->n] = r->ledger->friction;
        k->impacts[k->n++] = r->ledger->impacts;
    }
    k->events += r->n_event;
    return k->options->watch ? k->options->watch(k->options->ctx, r->t, r->step, k->events, err)
                             : SP_OK;
}

/* One run from the model's start; that it fails is noted. */
static sp_status follow(const sp_model *m, const sp_allocator *allocator,
                        const sp_run_options *options, track *k, char *failed, size_t size,
                        sp_error *err)
{
    sp_state *x = NULL;
    sp_work *w = NULL;
    sp_run_summary summary = {.steps = 0};
    sp_error why = {.status = SP_OK};
    const sp_observer observer = {.step = watch, .ctx = k};
    SP_TRY(sp_state_new(m, allocator, &x, err));
    sp_status status = sp_work_new(m, allocator, &w, err);
    if (status == SP_OK) {
        status = sp_integrate(m, x, w, options, &observer, 1, &summary, &why);
        if (status != SP_OK && status != SP_E_MEMORY && failed[0] == '\0') {
            snprintf(failed, size, "%s: %.560s", sp_method_name(options->method), why.text);
        }
        k->moved -= summary.opened;
        status = status == SP_E_MEMORY ? status : SP_OK;
    }
    sp_work_free(w);
    sp_state_free(x);
    return status;
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Sizes of coordinates by the finest reference run; the longest arm of the machine, at which angles
 * act, or the largest way if that is longer, m; whether no coordinate is more than round-off.
 * theory (55.1) */
static void measure_sizes(ruler *r, const track *exact, double until)
{
    const double arm = sp_model_arm(r->m);
    r->length = arm;
    r->still = true;
    for (int k = 0; k < r->m->n_dof; k++) {
        const bool angle = strcmp(r->m->dof[k].unit, "rad") == 0;
        const double size = sp_verify_size(r->m, k, exact->n, exact->q, false);
        r->size_q[k] = size;
        r->size_u[k] = fmax(sp_verify_size(r->m, k, exact->n, exact->u, true),
                            SP_VERIFY_BESIDE * size / until);
        r->still = r->still && size <= SP_VERIFY_LEAST * (angle ? 1.0 : arm);
        r->length = !angle && size > r->length ? size : r->length;
    }
}

/* Distance of two samples: the worst coordinate over its size, and which it is; or that between two
 * stops over their range, if it is more.   theory (57.32) */
static double worst_q(const ruler *r, const track *a, const track *b, int i, int *which)
{
    double worst = 0.0;
    for (int k = 0; k < r->m->n_dof; k++) {
        const size_t at = (size_t)i * (size_t)r->m->n_q + (size_t)r->m->dof[k].q;
        const double d = fabs(a->q[at] - b->q[at]) / r->size_q[k];
        if (!(d <= worst)) {
            worst = d;
            *which = k;
        }
    }
    for (int k = 0; k < r->n_stop; k++) {
        const size_t at = (size_t)i * (size_t)r->n_stop + (size_t)k;
        const double d = fabs(a->g[at] - b->g[at]) / r->stop[k].range;
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static double apart_q(const ruler *r, const track *a, const track *b, int i)
{
    int which;
    return worst_q(r, a, b, i, &which);
}

static double apart_u(const ruler *r, const track *a, const track *b, int i)
{
    double worst = 0.0;
    for (int k = 0; k < r->m->n_dof; k++) {
        const size_t at = (size_t)i * (size_t)r->m->n_dof + (size_t)k;
        const double d = fabs(a->u[at] - b->u[at]) / r->size_u[k];
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static int shorter(const track *a, const track *b)
{
    return a->n < b->n ? a->n : b->n;
}

/* The first sample at which two tracks are further apart than this, or where one of them ends. */
static int parting(const ruler *r, const track *a, const track *b, double most)
{
    const int n = shorter(a, b);
    for (int i = 0; i < n; i++) {
        if (!(apart_q(r, a, b, i) <= most)) {
            return i;
        }
    }
    return n;
}

/* The largest distance of positions in the first n samples. */
static double largest(const ruler *r, const track *a, const track *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n && i < shorter(a, b); i++) {
        const double d = apart_q(r, a, b, i);
        worst = d <= worst ? worst : d;
    }
    return worst;
}

/* The mean distance of positions or velocities in the first n samples. */
static double mean(const ruler *r, const track *a, const track *b, int n, bool rates)
{
    double sum = 0.0;
    const int most = n < shorter(a, b) ? n : shorter(a, b);
    for (int i = 0; i < most; i++) {
        sum += rates ? apart_u(r, a, b, i) : apart_q(r, a, b, i);
    }
    return most > 0 ? sum / most : 0.0;
}

/* How far the stepped runs have not converged: errors of first order halve with the step; that two
 * runs are near each other may be chance, an impact in the same part of a step. */
static double unsettled(const ruler *r, const track *stepped, int i)
{
    const track *fine = &stepped[SP_VERIFY_STEPS - 1];
    const double last = apart_q(r, fine - 1, fine, i), before = apart_q(r, fine - 2, fine - 1, i);
    return last > 0.5 * before ? last : 0.5 * before;
}

/* Where the stepped runs, judged by their own differences, converge to something else, in two
 * samples one after the other: an impact right before a sample is in the next step to all of them;
 * and since when they have parted.   theory (17.19), (55.3) */
static int conflict(const ruler *r, const track *ref, const track *stepped, int n, double dt,
                    sp_verify_report *report)
{
    double self = 0.0;
    report->t_parted = 0.0;
    int since = SP_NONE;
    for (int i = 0; i < n && i < stepped[0].n; i++) {
        const double own = unsettled(r, stepped, i);
        self = own > self ? own : self;
        const double off = apart_q(r, ref, &stepped[SP_VERIFY_STEPS - 1], i);
        if (off <= PARTED * (self + FLOOR)) {
            report->t_parted = dt * i;
        }
        if (off <= CONFLICT * (self + FLOOR)) {
            since = SP_NONE;
        } else if (since != SP_NONE) {
            return since;
        } else {
            since = i;
            report->off = off;
            report->off_self = self;
        }
    }
    return SP_NONE;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* How far each method differs from itself until a sample, of scale; the samples must be asked for
 * one after the other. */
static double own_until(const ruler *r, const track *ref, const track *step, int i, double worst)
{
    const double own = fmax(unsettled(r, step, i), apart_q(r, &ref[0], &ref[1], i));
    return own <= worst ? worst : own;
}

/* Match the impacts of the finest runs, each within the time by which errors may have moved it:
 * a step, and the way that positions are off by over the speed of the hit.   theory (44.6), (57.13)
 */
static void match_events(const ruler *r, track *ref, track *step, double dt,
                         sp_verify_report *report)
{
    track *a = &ref[1], *b = &step[SP_VERIFY_STEPS - 1];
    const int n = (int)(report->compared / dt + 1.5);
    const int most = n < shorter(a, b) ? n : shorter(a, b);
    const double grain = (report->reference.stepped ? report->reference.grain[1] : 0.0) +
                         (report->other.stepped ? report->other.grain[SP_VERIFY_STEPS - 1] : 0.0);
    double own = 0.0;
    for (int i = 0, s = 0; i < a->log.n_impact; i++) { /* impacts come in the order of time */
        sp_verify_impact *hit = &a->log.impact[i];
        for (; s < most && dt * (s - 1) <= hit->t; s++) {
            own = own_until(r, ref, step, s, own);
        }
        const double way = r->length * (2.0 * own + SP_VERIFY_ROUND_OFF);
        const double speed = sp_verify_hit_speed(&a->log, hit);
        hit->window = 2.0 * grain + (speed > 0.0 ? way / speed : 0.0);
    }
    sp_verify_match(&a->log, &b->log, report);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The time of the last of n samples. */
static double time_of(const track *k, int n, double dt, double until)
{
    return n == k->n_max ? until : dt * (n > 0 ? n - 1 : 0);
}

/* How long the two runs of the reference agree: those with tolerances to 1e-6, those with steps as
 * long as they are meaningful; returns the samples.   theory (17.16) */
static int judge_reference(const ruler *r, const track *ref, double dt, sp_verify_report *report)
{
    report->limit = report->reference.stepped ? SP_VERIFY_APART_MOST : TRUST;
    const int trust = parting(r, &ref[0], &ref[1], report->limit);
    report->trust = report->compared = time_of(&ref[1], trust, dt, report->until);
    report->trust_ended = trust < ref[1].n_max && trust == shorter(&ref[0], &ref[1]);
    report->change = largest(r, &ref[0], &ref[1], trust);
    report->zeno = (int)ref[1].log.zeno.n;
    return trust;
}

/* Lines of the ledgers at a sample, over the largest energy or work so far; NaN if a run ended
 * before.   theory (51.1), (50.7) */
static sp_verify_energy compare_energies(const track *exact, const track *fine, int i)
{
    if (i < 0 || i >= shorter(exact, fine)) {
        return (sp_verify_energy){.kept = NAN, .friction = NAN, .impacts = NAN, .lost = NAN};
    }
    const double scale = exact->S[i] > 0.0 ? exact->S[i] : 1.0;
    const double friction = fine->friction[i] - exact->friction[i];
    const double impacts = fine->impacts[i] - exact->impacts[i];
    return (sp_verify_energy){.kept = fabs(fine->E[i] - exact->E[i]) / scale,
                              .friction = fabs(friction) / scale,
                              .impacts = fabs(impacts) / scale,
                              .lost = fabs(friction + impacts) / scale};
}

/* The same at the last of n samples, or at the one before if they differ less there: an impact
 * right before a sample is in the next step to stepped runs.   theory (57.12) */
static sp_verify_energy compare_at_end(const track *exact, const track *fine, int n)
{
    const sp_verify_energy last = compare_energies(exact, fine, n - 1);
    const sp_verify_energy before = compare_energies(exact, fine, n - 2);
    return before.lost < last.lost ? before : last;
}

/* Distances, orders and energies of the first n samples, and what refinement gains. */
static void measure(const ruler *r, const track *exact, const track *stepped, int n, double dt,
                    sp_verify_report *report)
{
    const track *fine = &stepped[SP_VERIFY_STEPS - 1];
    report->self = largest(r, fine - 1, fine, n);
    for (int k = 0; k < SP_VERIFY_STEPS; k++) {
        report->apart[k] = largest(r, exact, &stepped[k], n);
        report->mean[k] = mean(r, exact, &stepped[k], n, false);
        report->apart_u[k] = mean(r, exact, &stepped[k], n, true);
        report->lost[k] = n > 0 ? compare_at_end(exact, &stepped[k], n).lost : 0.0;
    }
    report->order = sp_verify_order(report->mean, report->other.stepped, &report->spread);
    report->order_u = sp_verify_order(report->apart_u, report->other.stepped, &report->spread_u);
    report->still = r->still;
    if (r->still) {
        report->order = report->order_u = NAN;
    }
    if (n > 0) {
        report->energy = compare_at_end(exact, fine, n);
    }
    report->other_energy =
        n > 0 && !(report->energy.lost <= SP_VERIFY_APART_MOST); /* NaN is another */
    sp_verify_judge(report);
    const int near = parting(r, exact, fine, report->settled);
    report->t_settled = time_of(exact, near < n ? near : n, dt, report->until);
}

/* The first of n samples at which steps are too long: far from the reference, as far as their own
 * differences explain.   theory (57.6) */
static int too_long(const ruler *r, const track *exact, const track *stepped, int n)
{
    const track *fine = &stepped[SP_VERIFY_STEPS - 1];
    double self = 0.0;
    for (int i = 0; i < n && i < stepped[0].n; i++) {
        const double own = unsettled(r, stepped, i), off = apart_q(r, exact, fine, i);
        self = own > self ? own : self;
        if (off > SP_VERIFY_APART_MOST && off <= PARTED * self) {
            return i;
        }
    }
    return n;
}

/* What ends a comparison after n samples.   theory (17.16), (17.17), (57.6) */
static sp_verify_end end_of(const track *ref, const track *stepped, int trust, int self, int n)
{
    const track *fine = &stepped[SP_VERIFY_STEPS - 1];
    if (n < trust && n < self) {
        return SP_VERIFY_END_TOO_LONG;
    }
    if (n == ref[1].n_max) {
        return SP_VERIFY_END_WHOLE;
    }
    if (n >= shorter(&ref[0], &ref[1]) || n >= shorter(fine - 1, fine)) {
        return SP_VERIFY_END_EARLY;
    }
    return n == trust ? SP_VERIFY_END_TRUST : SP_VERIFY_END_DIFFER;
}

/* A step that may be short enough where runs with this one are that far apart: 1, 2 or 5 times a
 * power of ten.   theory (57.34) */
static double shorter_step(double step, double apart)
{
    const double enough = fmin(0.1, 0.5 * SP_VERIFY_APART_MOST / apart); /* 0.1 if NaN */
    const double most = step * fmax(1e-3, enough);
    const double unit = pow(10.0, floor(log10(most)));
    return unit * (most >= 5.0 * unit ? 5.0 : most >= 2.0 * unit ? 2.0 : 1.0);
}

/* Say why nothing was compared: after n samples, the one at the start at most, runs of one side
 * part, or those of both. */
static void note_nothing(const ruler *r, const track *ref, const track *stepped, int n, double dt,
                         sp_verify_report *report)
{
    const track *fine = &stepped[SP_VERIFY_STEPS - 1];
    const bool self = report->end == SP_VERIFY_END_DIFFER;
    const bool trust = report->end == SP_VERIFY_END_TRUST;
    const sp_verify_side *side = trust ? &report->reference : &report->other;
    const char *name = sp_method_name(side->method);
    const size_t size = sizeof report->nothing;
    if (report->end == SP_VERIFY_END_EARLY) {
        snprintf(report->nothing, size, "a run ended before the first sample at t = %.6g s", dt);
        return;
    }
    const double apart = trust  ? apart_q(r, &ref[0], &ref[1], n)
                         : self ? apart_q(r, fine - 1, fine, n)
                                : apart_q(r, &ref[1], fine, n);
    const double limit = trust ? report->limit : SP_VERIFY_APART_MOST;
    const double coarse = report->other.n > 0 ? report->other.grain[0] : side->grain[0];
    report->step_to_take = side->stepped ? shorter_step(coarse, apart) : 0.0;
    if (trust || self) {
        snprintf(report->nothing, size,
                 "at t = %.6g s, the first sample, runs of %s with %s %.3g and %.3g%s are %.1e of "
                 "scale apart, expected <= %g",
                 dt * n, name, side->stepped ? "steps of" : "tolerances", side->grain[side->n - 2],
                 side->grain[side->n - 1], side->stepped ? " s" : "", apart, limit);
    } else {
        snprintf(
            report->nothing, size,
            "at t = %.6g s, the first sample, %s with steps of %.3g s is %.1e of scale off %s, "
            "expected <= %g, as its own differences explain",
            dt * n, name, side->grain[side->n - 1], apart, sp_method_name(report->reference.method),
            limit);
    }
}

/* Everything that follows from the tracks: two of the reference, then those of the other side. */
static void compare(const ruler *r, track *ref, track *stepped, double dt, sp_verify_report *report)
{
    const track *exact = &ref[1], *fine = &stepped[SP_VERIFY_STEPS - 1];
    const int trust = judge_reference(r, ref, dt, report);
    report->nothing[0] = '\0'; /* also of coarser runs */
    if (report->other.n == 0) {
        if (!(report->trust > 0.0)) {
            report->end = report->trust_ended ? SP_VERIFY_END_EARLY : SP_VERIFY_END_TRUST;
            note_nothing(r, ref, stepped, trust, dt, report);
        }
        return;
    }
    const int self = parting(r, fine - 1, fine, SP_VERIFY_APART_MOST);
    const int all = trust < self ? trust : self;
    const int n = report->other.stepped ? too_long(r, exact, stepped, all) : all;
    report->compared = time_of(exact, n, dt, report->until);
    report->end = end_of(ref, stepped, trust, self, n);
    if (!(report->compared > 0.0)) {
        note_nothing(r, ref, stepped, n, dt, report);
    }
    measure(r, exact, stepped, n, dt, report);
    const int at = conflict(r, exact, stepped, all, dt, report);
    report->contradicts = at != SP_NONE;
    report->t_contradicts = at != SP_NONE ? dt * at : 0.0;
}

/* Runs that separate when and where the reference reports several motions, each certified,
 * do not contradict each other: what is compared ends there.   theory (55.4), (55.5) */
static void look_for_several(const ruler *r, const track *exact, const track *stepped, double dt,
                             sp_verify_report *report)
{
    const double t = report->t_parted;
    const int at = (int)(report->t_contradicts / dt + 0.5);
    const sp_verify_choice choice = sp_verify_choice_within(&exact->log, t - 2.0 * dt, t + dt);
    int which = 0;
    worst_q(r, exact, &stepped[SP_VERIFY_STEPS - 1], at, &which);
    report->several = choice.n_found >= 0 && !report->failed[0] && !report->uncertified &&
                      sp_verify_joined(r->m, choice.body, which, r->reached);
    if (report->several) {
        report->contradicts = false;
        report->choice = choice;
        report->compared = t;
        report->nothing[0] = '\0';
        measure(r, exact, stepped, (int)(t / dt + 1.5), dt, report);
    }
}

/* What the reference reports: its impacts, where it jammed, and the choice by which the
 * methods parted, or the last one before a contradiction. */
static void find_words(const ruler *r, const track *exact, const track *stepped, double dt,
                       sp_verify_report *report)
{
    report->choice.n_found = -1;
    if (report->contradicts) {
        report->choice = sp_verify_choice_before(&exact->log, report->t_contradicts + dt);
        look_for_several(r, exact, stepped, dt, report);
    }
    report->impacts[0] = sp_verify_strong(&exact->log, report->compared, NULL);
    report->choices = sp_verify_choices(&exact->log, report->compared, &report->first);
    const sp_tally *jam = &exact->log.jam;
    report->jams = (sp_note){.n = jam->n, .t = jam->t};
    if (jam->n > 0 && jam->slot >= 0 && jam->slot < r->m->n_slot) {
        snprintf(report->jams.place, sizeof report->jams.place, "%s", r->m->slot[jam->slot].name);
    }
}

/* What of a certificate is above what counts as certified, as text; NaN is. */
static void doubt(const char *method, const sp_verify_residuals *c, double moved,
                  sp_verify_report *report)
{
    const char *const name[] = {"complementarity", "friction cone", "momentum"};
    const double value[] = {c->complementarity, c->cone, c->momentum};
    const size_t size = sizeof report->doubt;
    for (int k = 0; k < 3 && !report->doubt[0]; k++) {
        if (!(value[k] <= SP_CERTIFIED)) {
            snprintf(report->doubt, size, "%s has %s %.1e, expected <= %g", method, name[k],
                     value[k], SP_CERTIFIED);
        }
    }
    if (!report->doubt[0] && !(moved <= MOVED)) {
        snprintf(report->doubt, size,
                 "putting positions back made %.1e of the energy of %s, expected <= %g", moved,
                 method, MOVED);
    }
}

/* The worst certificates of the runs, the energy that corrections of positions made in the finest,
 * and whether one is above what counts as certified.   theory (51.2), (55.2) */
static void judge_certificates(const track *ref, const track *stepped, sp_verify_report *report)
{
    for (int k = 0; k < (report->other.n > 0 ? 2 : 1); k++) {
        const track *side_track = k == 0 ? ref : stepped;
        const sp_verify_side *side = k == 0 ? &report->reference : &report->other;
        const track *fine = &side_track[side->n - 1];
        sp_certificate c = {.momentum = 0.0};
        for (int i = 0; i < side->n; i++) {
            sp_certificate_worst(&c, &side_track[i].worst);
        }
        report->worst[k] = (sp_verify_residuals){c.complementarity, c.cone, c.momentum, c.gap};
        report->moved[k] = fine->moved == 0.0 ? 0.0 : fabs(fine->moved) / fine->scale;
        doubt(sp_method_name(side->method), &report->worst[k], report->moved[k], report);
    }
    report->uncertified = report->doubt[0] != '\0';
}

/* Say which run begins. */
static void announce(const sp_verify_options *o, const sp_verify_side *side, int i)
{
    char run[80];
    if (o->begin) {
        snprintf(run, sizeof run, "%s %s %.3g", sp_method_name(side->method),
                 side->stepped ? "step" : "tolerance", side->grain[i]);
        o->begin(o->ctx, run);
    }
}

/* The runs of one side; their tracks begin anew. */
static sp_status run_side(const sp_model *m, const sp_verify_options *o, const sp_verify_side *side,
                          const sp_allocator *allocator, track *k, char *failed, size_t size,
                          sp_error *err)
{
    sp_run_options run = {.until = o->until,
                          .output_step = o->until / o->samples,
                          .method = side->method,
                          .tolerance = o->tolerance,
                          .stiff = o->stiff};
    for (int i = 0; i < side->n; i++) {
        *(side->stepped ? &run.step : &run.tolerance) = side->grain[i];
        k[i].n = 0;
        k[i].options = o;
        k[i].events = 0;
        sp_verify_log_clear(&k[i].log);
        k[i].worst = (sp_certificate){.momentum = 0.0};
        announce(o, side, i);
        SP_TRY(follow(m, allocator, &run, &k[i], failed, size, err));
    }
    return SP_OK;
}

/* What is compared: the machine for each side, and the runs. */
typedef struct comparison {
    const sp_model *m, *stepped;
    const sp_verify_options *options;
    const sp_allocator *allocator;
    track ref[2], step[SP_VERIFY_STEPS];
} comparison;

/* The runs of the reference, if they are wanted anew, and those of the other side. */
static sp_status run_sides(comparison *c, bool both, sp_verify_report *report, sp_error *err)
{
    const size_t size = sizeof report->failed;
    if (both) {
        SP_TRY(run_side(c->m, c->options, &report->reference, c->allocator, c->ref, report->failed,
                        size, err));
    }
    return run_side(c->stepped, c->options, &report->other, c->allocator, c->step, report->failed,
                    size, err);
}

/* Methods that seem to contradict each other are compared once more with shorter steps: impacts of
 * two contacts within one step are one impact to it, and may go another way. */
static sp_status judge_again(const ruler *r, comparison *c, sp_verify_report *report, sp_error *err)
{
    const track *ref = c->ref;
    const bool whole = ref[0].n == ref[0].n_max && ref[1].n == ref[1].n_max;
    if (whole) { /* it was a run of the other side that ended early: a finer one may not */
        report->failed[0] = '\0';
    }
    sp_verify_refine(&report->other, FINER);
    if (report->reference.stepped) {
        sp_verify_refine(&report->reference, FINER);
    }
    SP_TRY(run_sides(c, report->reference.stepped, report, err));
    compare(r, c->ref, c->step, c->options->until / c->options->samples, report);
    return SP_OK;
}

sp_status sp_verify(const sp_model *m, const sp_model *stepped, const sp_verify_options *options,
                    const sp_allocator *allocator, sp_verify_report *report, sp_error *err)
{
    comparison c = {.m = m, .stepped = stepped, .options = options, .allocator = allocator};
    track *const ref = c.ref, *const step = c.step;
    sp_arena arena;
    SP_TRY(sp_verify_plan(m, options, report, err));
    sp_arena_init(&arena, allocator, 0);
    ruler r = {.m = m};
    sp_verify_stop *stop = SP_NEW(&arena, sp_verify_stop, m->n_slot);
    r.n_stop = stop ? sp_verify_stops(m, stop) : 0;
    r.stop = stop;
    r.size_q = SP_NEW(&arena, double, m->n_dof);
    r.size_u = SP_NEW(&arena, double, m->n_dof);
    r.reached = SP_NEW(&arena, unsigned char, m->n_body);
    bool ok = stop && r.size_q && r.size_u && r.reached;
    for (int k = 0; k < 2 + SP_VERIFY_STEPS; k++) {
        ok = make_track(&r, &arena, options->samples, k < 2 ? &ref[k] : &step[k - 2]) && ok;
    }
    sp_status status = ok ? run_sides(&c, true, report, err)
                          : SP_FAIL(err, SP_E_MEMORY, "no memory for %d samples", options->samples);
    if (status == SP_OK) {
        measure_sizes(&r, &ref[1], options->until);
        compare(&r, ref, step, options->until / options->samples, report);
    }
    if (status == SP_OK && report->contradicts) {
        status = judge_again(&r, &c, report, err);
    }
    if (status == SP_OK) {
        const double dt = options->until / options->samples;
        judge_certificates(ref, step, report);
        find_words(&r, &ref[1], step, dt, report);
        if (report->other.n > 0) {
            match_events(&r, ref, step, dt, report);
        }
        report->verdict = sp_verdict_of(report);
        report->agrees_until = sp_verify_agrees_until(report);
    }
    sp_arena_free(&arena);
    return status;
}
