/* run/steps.c - runs by steps of equal length, and by steps as long as the tolerance
 * allows. */
#include "base/inline.h"
#include "base/status.h"
#include "integrators/adaptive.h"
#include "integrators/clock.h"
#include "integrators/stepper.h"
#include "integrators/swept.h"
#include "model/state.h"
#include "run/parts.h"

#include <math.h>

enum { PARTS = 64 }; /* the smallest of a step that are tried where its problem is not solved */

/* A step is done, or a part of one; sampled: it ends at a frame. */
static sp_status end_step(sp_active_run *j, double dt, bool sampled, sp_error *err)
{
    sp_run_count_step(j);
    return j->n_observer > 0 ? sp_run_report_step(j, dt, sampled, err) : SP_OK;
}

/* One step of a given length, *last: that of its last part.  Where the contact problem of a step is
 * not solved it is taken in halves, quarters and so on, each reported.   theory (25.1) */
SP_NOINLINE static sp_status take_parts(sp_active_run *j, double dt, double *last, sp_error *err)
{
    sp_step_rule strict = *j->rule;
    strict.effort = SP_EFFORT_STRICT;
    int done = 0, size = PARTS, least = PARTS; /* in parts of the step */
    while (done < PARTS) {
        *last = dt * size / PARTS;
        const sp_status status =
            sp_step_take(j->m, j->x, j->w, size > 1 ? &strict : j->rule, *last, err);
        if (status == SP_E_NOT_CONVERGED && size > 1) {
            size /= 2;
            continue;
        }
        SP_TRY(status);
        done += size;
        least = size < least ? size : least;
        SP_TRY(done < PARTS ? end_step(j, *last, false, err) : SP_OK);
        size *= done % (2 * size) == 0 && done < PARTS ? 2 : 1;
    }
    if (least < PARTS) {
        sp_work_doubt(j->w, SP_DOUBT_DIVIDED, j->x->t, PARTS / least, NULL);
    }
    return SP_OK;
}

/* One step of a given length, *last: that of its last part. */
static inline sp_status take_whole(sp_active_run *j, double dt, double *last, sp_error *err)
{
    if (j->divides) {
        return take_parts(j, dt, last, err);
    }
    *last = dt;
    return sp_step_take(j->m, j->x, j->w, j->rule, dt, err);
}

/* Count a touch that a step was divided for, once its law sees it. */
static void note_met(const sp_active_run *j, sp_sweep_found *met)
{
    const int slot = met->end == SP_SWEEP_CLEAR ? SP_NONE : sp_swept_slot(j->m, j->w, met);
    if (slot != SP_NONE) {
        sp_tally_add(&j->summary->met, &(sp_event){.t = j->x->t, .slot = slot});
        met->end = SP_SWEEP_CLEAR;
    }
}

/* The same, divided where it would carry a part through another: what follows a touch is tried as a
 * whole again.   theory (66.8) */
SP_NOINLINE static sp_status take_swept(sp_active_run *j, double dt, double *last, sp_error *err)
{
    struct sp_swept *swept = j->swept;
    sp_swept_step step = sp_swept_whole(dt);
    while (step.left > 0.0) {
        sp_swept_begin(j->m, j->x, swept);
        SP_TRY(take_whole(j, step.h, last, err));
        if (sp_swept_keep(j->m, j->x, j->options->method, j->w, swept, &step)) {
            note_met(j, &step.met);
            SP_TRY(step.left > 0.0 ? end_step(j, *last, false, err) : SP_OK);
        }
    }
    return SP_OK;
}

static inline sp_status take_step(sp_active_run *j, double dt, double *last, sp_error *err)
{
    return j->swept ? take_swept(j, dt, last, err) : take_whole(j, dt, last, err);
}

/* Go behind a switch of time at x if there is one before t; *h: how far it is to the next, or to t.
 * What is left of a step by round-off is none. */
static sp_status pass_switches(sp_active_run *j, double t, double step, double *h, sp_error *err)
{
    const double sliver = SP_SLIVER * step;
    sp_switch s = sp_clocks_next(j->w->clocks, j->x->t);
    while (s.left <= j->x->t + sliver && s.right < t) {
        SP_TRY(sp_clocks_cross(j->m, j->x, j->w, s.right, err));
        s = sp_clocks_next(j->w->clocks, j->x->t);
    }
    *h = fmin(s.left, t) - j->x->t;
    *h = t - j->x->t - *h <= sliver ? t - j->x->t : *h;
    return SP_OK;
}

/* A part of a step, at most h long: narrow terms of forces act by their means, those of motions and
 * gaps make it shorter.   theory (64.10) */
static sp_status take_part(sp_active_run *j, double h, double *last, sp_error *err)
{
    const sp_clock_means means =
        j->options->method == SP_METHOD_RK4 ? SP_MEANS_NARROW : SP_MEANS_SUM;
    const double t = j->x->t, part = sp_clocks_part(j->w->clocks, t, h, means);
    sp_dyn *dyn = &j->w->dyn;
    dyn->mean = j->w->clocks->mean;
    dyn->t_last = sp_clocks_next(j->w->clocks, t).left;
    const sp_status status = take_step(j, part, last, err);
    j->x->t = fmin(j->x->t, dyn->t_last); /* behind it by round-off */
    dyn->mean = NULL;
    return status;
}

/* One step to t of a model with terms of time: divided where they switch.   theory (64.7) */
static sp_status take_timed(sp_active_run *j, double t, double step, double *last, sp_error *err)
{
    double h;
    SP_TRY(pass_switches(j, t, step, &h, err));
    while (h > SP_SLIVER * step) {
        const bool whole = fabs(h - step) <= SP_SLIVER * step;
        SP_TRY(take_part(j, whole ? step : h, last, err));
        SP_TRY(pass_switches(j, t, step, &h, err));
        SP_TRY(h > SP_SLIVER * step ? end_step(j, *last, false, err) : SP_OK);
    }
    return SP_OK;
}

/* Before a step that is as long as it is because the run ends: a run that is made longer goes on
 * from here. */
static void step_aside(sp_active_run *j)
{
    if (j->options->progress) {
        sp_state_pack(j->m, j->x, j->memory);
        sp_run_note_progress(j, j->memory, sp_state_bytes(j->m));
    }
    j->aside = true;
}

sp_status sp_run_by_steps(sp_active_run *j, long n, sp_error *err)
{
    const sp_run_options *o = j->options;
    const double dt = o->step;
    SP_TRY(o->progress ? sp_run_room(j, 0, err) : SP_OK);
    SP_TRY(sp_swept_of(j->m, j->w, &j->swept, err));
    j->rule = sp_step_rule_of(o->method);
    j->divides = j->m->dim == 3 && j->rule->divides;
    for (long i = o->resume ? o->resume->done + 1 : 1; i <= n; i++) {
        const double t = i < n ? j->t_0 + (double)i * dt : o->until;
        const double whole = i < n ? dt : o->until - (j->t_0 + (double)(n - 1) * dt);
        const double step = fabs(t - j->x->t - whole) < 0.03 * dt ? whole : t - j->x->t;
        double last;
        if (i == n) { /* as long as it is to the end, and not what a longer run has there */
            step_aside(j);
        }
        const sp_status status =
            j->w->clocks ? take_timed(j, t, step, &last, err) : take_step(j, step, &last, err);
        if (status != SP_OK) {
            return sp_run_fail(j, status, err);
        }
        j->x->t = t; /* not the sum of many steps: no drift of the clock */
        sp_run_count_step(j);
        j->done = i;
        if (j->n_observer == 0) {
            continue;
        }
        const double passed = (t - j->t_0 + SP_OF_STEP * dt) / o->output_step; /* in output steps */
        const bool sampled = i == n || passed >= j->frame;
        if (passed >= j->frame) {
            j->frame = floor(passed) + 1.0;
        }
        SP_TRY(sp_run_report_step(j, last, sampled, err));
    }
    return SP_OK;
}

/* One step of the adaptive method towards the next frame.  One that would go to the end or past it
 * is taken back and ends there: *there. */
static sp_status step_adaptively(sp_active_run *j, sp_adaptive_taken *taken, bool *there,
                                 sp_error *err)
{
    const sp_run_options *o = j->options;
    const double frame = j->t_0 + j->frame * o->output_step;
    const bool last =
        frame >= o->until - SP_SLIVER * o->output_step; /* nearer to the end is the end */
    if (!j->aside) {
        if (last) {
            sp_state_pack(j->m, j->x, j->memory);
        }
        const double end = sp_clocks_end(j->w->clocks, j->x->t, frame);
        const sp_status status = sp_adaptive_step(j->m, j->x, j->w, o->tolerance, end, taken, err);
        *there = sp_run_is_at(j, frame);
        if (!last || (status == SP_OK && !*there && j->x->t < o->until)) {
            return status;
        }
        SP_TRY(sp_state_unpack(j->m, j->memory, sp_state_bytes(j->m), j->x, err));
        step_aside(j);
    }
    SP_TRY(sp_adaptive_step(j->m, j->x, j->w, o->tolerance,
                            sp_clocks_end(j->w->clocks, j->x->t, o->until), taken, err));
    *there = sp_run_is_at(j, o->until);
    j->x->t = *there ? o->until : j->x->t;
    return SP_OK;
}

sp_status sp_run_adaptively(sp_active_run *j, sp_error *err)
{
    SP_TRY(sp_run_room(j, 0, err));
    while (j->x->t < j->options->until) {
        sp_adaptive_taken taken;
        double rest;
        bool there = false;
        SP_TRY(j->w->clocks ? pass_switches(j, j->options->until, 0.0, &rest, err) : SP_OK);
        const sp_status status = step_adaptively(j, &taken, &there, err);
        if (status != SP_OK) {
            return sp_run_fail(j, status, err);
        }
        j->frame += there ? 1.0 : 0.0;
        SP_TRY(end_step(j, taken.dt, there, err));
    }
    return SP_OK;
}
