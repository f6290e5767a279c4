#include "run/run.h"

#include "base/inline.h"
#include "base/status.h"
#include "dynamics/implicit.h"
#include "integrators/clock.h"
#include "integrators/event.h"
#include "integrators/loads.h"
#include "integrators/moreau.h"
#include "integrators/smooth.h"
#include "integrators/stepper.h"
#include "integrators/swept.h"
#include "model/state.h"
#include "run/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sp_run_evaluate(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_step_refresh(m, x, w);
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    if (m->n_pool > 0 || m->layout.seams) {
        sp_con_remember(m, x->contact, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
}

/* Frames, gaps and energies of the start, for the first frame of the record. */
static void evaluate_start(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_run_evaluate(m, x, w);
    memset(&w->certificate, 0, sizeof w->certificate);
    w->n_hit = w->n_event = 0;
    w->sol.method = "none";
    w->sol.pivots = 0;
}

sp_status sp_run_fail(const sp_active_run *j, sp_status status, sp_error *err)
{
    const sp_state *x = j->x;
    if (err) {
        const bool meant = status == SP_E_NONFINITE || j->options->method == SP_METHOD_STIFF;
        if (meant && (sp_run_blame_force(j->m, x, &j->w->dyn.bad, err) ||
                      (j->smooth && sp_run_blame_force(j->m, x, &j->smooth->dyn.bad, err)))) {
            return status;
        }
        char text[sizeof err->text];
        if (strncmp(err->text, "t = ", 4) == 0) {
            return status; /* it has the time already */
        }
        snprintf(text, sizeof text, "t = %.9g s, step %ld: %.400s", x->t, x->step + 1, err->text);
        memcpy(err->text, text, sizeof text);
    }
    return status;
}

void sp_run_note_progress(const sp_active_run *j, const unsigned char *memory, size_t n)
{
    *j->options->progress = (sp_run_progress){.t_0 = j->t_0,
                                              .frame = j->frame,
                                              .reported = j->reported,
                                              .done = j->done,
                                              .summary = *j->summary,
                                              .memory = memory,
                                              .n_memory = n};
}

/* The step just taken belongs to the frame that comes next, or to this one. */
static void note_lately(const sp_active_run *j, bool sampled)
{
    const sp_work *w = j->w;
    sp_lately_add(&j->summary->lately, &w->certificate, w->n_hit, w->sol.pivots, sampled);
}

/* Report x, with what is known of the steps since the last frame. */
static sp_status report_frame(sp_active_run *j, double dt, bool sampled, sp_error *err)
{
    if (j->options->progress && !j->smooth && !j->aside) {
        sp_run_note_progress(j, NULL, 0);
    }
    return sp_run_report(j, dt, sampled, err);
}

/* Report a step that somebody wants to see, or after which somebody wishes the run to end. */
SP_NOINLINE static sp_status show_step(sp_active_run *j, double dt, bool sampled, sp_error *err)
{
    note_lately(j, sampled);
    if (sampled || j->each_step || j->w->n_event > 0) {
        SP_TRY(sampled ? sp_run_note_overlap(j, err) : SP_OK);
        SP_TRY(report_frame(j, dt, sampled, err));
    }
    return atomic_exchange(&j->w->stop, 0)
               ? SP_FAIL(err, SP_E_INTERRUPTED, "interrupted at t = %.9g s", j->x->t)
               : SP_OK;
}

sp_status sp_run_report_step(sp_active_run *j, double dt, bool sampled, sp_error *err)
{
    const sp_work *w = j->w;
    if (sampled || j->each_step || w->n_event > 0 || atomic_load(&w->stop) ||
        !sp_lately_is_like(&j->summary->lately, &w->certificate, w->n_hit, w->sol.pivots)) {
        return show_step(j, dt, sampled, err);
    }
    return SP_OK; /* as most steps are */
}

/* Take the doubts of what was just done into the summary. */
static void count_doubts(const sp_active_run *j)
{
    for (int k = 0; j->w->doubtful && k < SP_DOUBT_N; k++) {
        sp_doubt_join(&j->summary->doubt[k], &j->w->doubt[k]);
        j->w->doubt[k].n = 0;
    }
    j->w->doubtful = false;
}

/* Doubt an impact whose coefficients were changed, unless the model asked for it, or that gained
 * energy. */
static void doubt_impact(const sp_active_run *j, const sp_event *e)
{
    const sp_impact_log *i = &e->impact;
    const bool changed =
        i->remedy != SP_REMEDY_NONE && !(i->remedy == SP_REMEDY_GAIN && j->m->impact.scale_gain);
    if (e->kind == SP_EVENT_IMPACT && (changed || i->gain > SP_RUN_GAINED * j->x->ledger.scale)) {
        sp_work_doubt(j->w, SP_DOUBT_RESTITUTION, e->t, i->gain, j->m->slot[e->slot].name);
    }
}

/* Count the events and doubts of what was just done. */
static void count_events(const sp_active_run *j)
{
    sp_run_summary *s = j->summary;
    s->events += j->w->n_event;
    for (int k = 0; k < j->w->n_event; k++) {
        const sp_event *e = &j->w->event[k];
        sp_tally *const tally = e->kind == SP_EVENT_CHOICE     ? &s->choice
                                : e->kind == SP_EVENT_ZENO     ? &s->zeno
                                : e->kind == SP_EVENT_HANDOVER ? &s->handover
                                                               : NULL;
        doubt_impact(j, e);
        if (tally) {
            sp_tally_add(tally, e);
        }
    }
    count_doubts(j);
}

/* A step was implicit. */
static void note_implicit(const sp_active_run *j)
{
    const sp_implicit *p = j->w->dyn.implicit;
    sp_run_summary *s = j->summary;
    s->implicit++;
    s->unresolved = fmax(s->unresolved, p->unresolved);
    if (p->steep != SP_NONE && s->steep == SP_NONE) {
        s->steep = p->steep;
        s->steep_time = j->x->t;
    }
}

/* Count what few steps have, and the certificate. */
SP_NOINLINE static void count_more(const sp_active_run *j)
{
    count_events(j);
    if (j->w->stiff.takes > 0.0) {
        note_implicit(j);
    }
    sp_run_note_certificate(j);
}

void sp_run_count_step(const sp_active_run *j)
{
    const sp_work *w = j->w;
    j->summary->t = j->x->t;
    j->summary->steps++;
    j->summary->solves += w->n_hit > 0;
    if (w->n_event > 0 || w->doubtful || w->stiff.takes > 0.0) {
        count_more(j);
    } else {
        sp_run_note_certificate(j);
    }
}

sp_status sp_run_room(sp_active_run *j, size_t n_method, sp_error *err)
{
    const size_t n = sp_state_bytes(j->m) + n_method;
    sp_work *w = j->w;
    if (w->n_memory < n) {
        w->memory = SP_NEW(&w->arena, unsigned char, n);
        w->n_memory = w->memory ? n : 0;
    }
    j->memory = w->memory;
    return j->memory ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for checkpoints: %zu bytes", n);
}

/* Forces of the contacts at x over dt; at_end: x is where the last step ended. */
static sp_status forces_there(const sp_active_run *j, double dt, bool at_end, sp_error *err)
{
    return j->events ? sp_events_forces(j->events, j->x, dt, at_end, err) : SP_OK;
}

/* Bytes of what the method remembers. */
static size_t method_bytes(const sp_active_run *j)
{
    return j->events ? sp_events_bytes(j->events) : sp_smooth_bytes(j->smooth);
}

/* Keep the run as it is between two steps, if it goes on to the bit from here. */
static void keep(const sp_active_run *j)
{
    if (!j->memory || j->aside ||
        !(j->events ? sp_events_may_save(j->events) : sp_smooth_may_save(j->smooth))) {
        return;
    }
    unsigned char *rest = j->memory + sp_state_bytes(j->m);
    sp_state_pack(j->m, j->x, j->memory);
    if (j->events) {
        sp_events_save(j->events, rest);
    } else {
        sp_smooth_save(j->smooth, rest);
    }
    sp_run_note_progress(j, j->memory, sp_state_bytes(j->m) + method_bytes(j));
}

/* When the next frame is. */
static double next_frame(const sp_active_run *j)
{
    return j->t_0 + j->frame * j->options->output_step;
}

/* The frames inside the step that was just taken; x is the last, if there was one. */
static sp_status report_inside(sp_active_run *j, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double last =
        j->options->until - SP_SLIVER * j->options->output_step; /* nearer is the end */
    double t;
    while ((t = next_frame(j)) < s->t && t < last) {
        SP_TRY(sp_smooth_prepare(s, err));
        SP_TRY(sp_smooth_at(s, t, j->x, err));
        SP_TRY(forces_there(j, t - j->reported, false, err));
        j->frame += 1.0;
        j->summary->t = t; /* where the run ends if somebody wishes it now */
        SP_TRY(sp_run_report_step(j, t - j->reported, true, err));
        j->reported = t;
        j->inside = true;
    }
    return SP_OK;
}

/* The end of the step; back: x is somewhere inside of it. */
static sp_status report_end(sp_active_run *j, bool back, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double t_end = s->t, t = next_frame(j);
    const bool sampled = t_end == j->options->until || t == t_end;
    j->frame += t == t_end ? 1.0 : 0.0;
    if (back) {
        SP_TRY(sp_smooth_at(s, t_end, j->x, err));
        j->summary->t = t_end;
    }
    SP_TRY(forces_there(j, t_end - j->reported, !back, err));
    SP_TRY(sp_run_report_step(j, t_end - j->reported, sampled, err));
    j->reported = t_end;
    return SP_OK;
}

/* sp_stretch.go: somewhere in the step that was just taken.  Impulses are what the forces there
 * would give over the whole stretch, by whose length those who look divide. */
static sp_status go_inside(void *ctx, double t, sp_error *err)
{
    sp_active_run *j = ctx;
    j->inside = true;
    SP_TRY(sp_smooth_prepare(j->smooth, err));
    SP_TRY(sp_smooth_at(j->smooth, t, j->x, err));
    const double dt = j->stretch.t_1 - j->stretch.t_0;
    return j->m->probe_forces ? forces_there(j, dt, false, err) : SP_OK;
}

/* A step of the method, not past t_stop. */
static sp_status step_to(const sp_active_run *j, double t_stop, sp_error *err)
{
    return j->events ? sp_events_step(j->events, j->x, t_stop, err)
                     : sp_smooth_step(j->smooth, j->x, t_stop, err);
}

/* The same as long as the motion makes it, wherever the run ends: what comes before the end does
 * not know of it.  What fails behind the end is of no interest; a step that failed before it began
 * is not rolled back.   theory (27.3) */
static sp_status step_freely(const sp_active_run *j, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double t_stop = sp_clocks_next(j->w->clocks, j->x->t).left;
    if (j->w->clocks) {
        j->w->clocks->stop = t_stop;
    }
    const sp_status status = step_to(j, t_stop, err);
    if (status == SP_OK || !(j->x->t + sp_smooth_long(s) > j->options->until)) {
        return status;
    }
    SP_TRY(s->t_old == j->x->t ? sp_smooth_back(s, err) : SP_OK);
    return step_to(j, fmin(t_stop, j->options->until), err);
}

/* End the step that was just taken where the run ends. */
static sp_status end_beside(const sp_active_run *j, const sp_ledger *before, sp_error *err)
{
    const double until = j->options->until;
    if (j->events) {
        return sp_events_beside(j->events, j->x, before, until, err);
    }
    SP_TRY(sp_smooth_beside(j->smooth, j->x, before, until, err));
    return sp_smooth_take(j->smooth, j->x, err);
}

bool sp_run_is_at(const sp_active_run *j, double t)
{
    const sp_switch s = sp_clocks_next(j->w->clocks, j->x->t);
    return j->x->t >= t || (j->x->t >= s.left && s.right >= t);
}

/* A step that came to the end of the run, but for a switch there, ends there. */
static void meet_end(const sp_active_run *j)
{
    if (j->x->t < j->options->until && sp_run_is_at(j, j->options->until)) {
        j->x->t = j->smooth->t = j->options->until;
    }
}

/* One short step of the fallback, to the next frame at most.  In the last interval between frames
 * steps are as long as they are because the run ends: a run that is made longer goes on from where
 * that began. */
static sp_status advance_shortly(sp_active_run *j, sp_error *err)
{
    const double frame = next_frame(j), until = j->options->until;
    const bool last = frame >= until - SP_SLIVER * j->options->output_step; /* nearer is the end */
    const double end = last ? until : frame;
    j->aside = j->aside || last;
    const sp_status status =
        sp_events_step(j->events, j->x, sp_clocks_end(j->w->clocks, j->x->t, end), err);
    if (status != SP_OK) {
        return sp_run_fail(j, status, err);
    }
    const bool there = sp_run_is_at(j, end);
    meet_end(j);
    j->frame += there ? 1.0 : 0.0;
    sp_run_count_step(j);
    SP_TRY(j->n_observer > 0 ? sp_run_report_step(j, j->x->t - j->reported, there, err) : SP_OK);
    j->reported = j->x->t;
    return SP_OK;
}

/* One step, reported with the frames inside of it: those are read from it also if it goes past the
 * end of the run, which has a step of its own then. */
static sp_status advance(sp_active_run *j, sp_error *err)
{
    const sp_ledger before = j->x->ledger;
    sp_status status = step_freely(j, err);
    status = status == SP_OK
                 ? sp_run_check_moved(&before, &j->x->ledger, j->smooth->floor.energy, err)
                 : status;
    if (status != SP_OK) {
        return sp_run_fail(j, status, err);
    }
    meet_end(j);
    const bool beyond = j->smooth->t > j->options->until;
    j->w->n_event = 0;
    sp_run_count_step(j);
    j->inside = false;
    j->stretch.go = go_inside, j->stretch.ctx = j;
    status = sp_stretch_report(j->observer, j->n_observer, &j->stretch,
                               fmin(j->smooth->t, j->options->until), err);
    j->stretch.go = NULL;
    SP_TRY(status == SP_OK && j->n_observer > 0 ? report_inside(j, err) : status);
    if (beyond) {
        status = end_beside(j, &before, err);
        if (status != SP_OK) {
            return sp_run_fail(j, status, err);
        }
        j->summary->t = j->x->t;
        sp_run_note_certificate(j);
    }
    return j->n_observer > 0 ? report_end(j, j->inside && !beyond, err) : SP_OK;
}

/* Whether the last step ended at a switch of time; *t: right behind it.   theory (64.7) */
static bool is_at_switch(const sp_active_run *j, double *t)
{
    const sp_switch s = sp_clocks_next(j->w->clocks, j->x->t);
    *t = s.right;
    return j->x->t >= s.left && s.right < j->options->until;
}

/* Say what switches at x. */
static sp_status report_switch(sp_active_run *j, int kink, sp_error *err)
{
    j->w->n_event = 1;
    j->w->event[0] =
        (sp_event){.t = j->x->t, .kind = SP_EVENT_SWITCH, .slot = SP_NONE, .n_found = kink};
    count_events(j);
    const sp_status status = j->n_observer > 0 ? sp_run_report_step(j, 0.0, false, err) : SP_OK;
    j->w->n_event = 0;
    return status;
}

/* Go behind the switches of time and of forces at which the last step ended; *passed: there was
 * one.
 */
static sp_status cross_switches(sp_active_run *j, bool *passed, sp_error *err)
{
    double t;
    int kink;
    *passed = is_at_switch(j, &t);
    sp_status status = *passed ? sp_clocks_cross(j->m, j->x, j->w, t, err) : SP_OK;
    if (status == SP_OK && j->smooth->t == j->x->t &&
        sp_smooth_switch_is_at(j->smooth, j->smooth->t)) {
        *passed = true;
        status = sp_smooth_switch_pass(j->smooth, j->smooth->t, &kink, err);
        status = status == SP_OK ? report_switch(j, kink, err) : status;
    }
    return status == SP_OK ? SP_OK : sp_run_fail(j, status, err);
}

/* Steps as long as the tolerance allows; frames at their times exactly. */
static sp_status go_smoothly(sp_active_run *j, sp_error *err)
{
    while (j->x->t < j->options->until) {
        bool passed;
        SP_TRY(cross_switches(j, &passed, err));
        SP_TRY(passed ? sp_smooth_restart(j->smooth, j->x, err) : SP_OK);
        keep(j);
        SP_TRY(advance(j, err));
    }
    return SP_OK;
}

/* Report and count what happened at this time. */
static sp_status report_events(sp_active_run *j, sp_error *err)
{
    count_events(j);
    sp_uniqueness_add(&j->summary->unique, &j->w->unique);
    for (int k = 0; k < j->w->n_event; k++) {
        j->summary->solves += j->w->event[k].kind == SP_EVENT_IMPACT;
    }
    return j->w->n_event > 0 && j->n_observer > 0 ? sp_run_report_step(j, 0.0, false, err) : SP_OK;
}

/* Behind a switch contacts settle anew; short steps see what they begin with. */
static sp_status pass_switch(sp_active_run *j, sp_error *err)
{
    bool passed;
    SP_TRY(cross_switches(j, &passed, err));
    if (!passed || sp_events_in_fallback(j->events)) {
        return SP_OK;
    }
    const sp_status status = sp_events_switch(j->events, j->x, err);
    return status != SP_OK ? sp_run_fail(j, status, err) : report_events(j, err);
}

/* Step by step, from event to event. */
static sp_status go_by_events(sp_active_run *j, sp_error *err)
{
    SP_TRY(report_events(j, err));
    while (j->x->t < j->options->until) {
        SP_TRY(pass_switch(j, err));
        keep(j);
        SP_TRY(sp_events_in_fallback(j->events) ? advance_shortly(j, err) : advance(j, err));
        const sp_status status = sp_events_happen(j->events, j->x, err);
        if (status != SP_OK) {
            return sp_run_fail(j, status, err);
        }
        SP_TRY(report_events(j, err));
    }
    return SP_OK;
}

/* The memory of the method in a run that is resumed; n: how much of it there is. */
static const unsigned char *old_memory(const sp_active_run *j, size_t *n)
{
    const sp_run_progress *p = j->options->resume;
    const size_t state = sp_state_bytes(j->m);
    *n = p->n_memory > state ? p->n_memory - state : 0;
    return p->memory ? p->memory + state : NULL;
}

/* How the method begins, or goes on. */
static sp_smooth_setup setup_of(const sp_active_run *j)
{
    const sp_run_options *o = j->options;
    sp_smooth_setup setup = {.tolerance = o->tolerance,
                             .driver = o->method == SP_METHOD_STIFF ? o->stiff : NULL,
                             .resumes = o->resume != NULL};
    setup.bytes = o->resume ? old_memory(j, &setup.n) : NULL;
    return setup;
}

/* From event to event. */
static sp_status run_events(sp_active_run *j, sp_error *err)
{
    if (!(j->options->until > j->x->t)) {
        return SP_OK;
    }
    const sp_events_setup setup = {setup_of(j), j->options->until, j->options->may_step};
    sp_status status = sp_events_begin(j->m, j->x, j->w, &setup, &j->events, err);
    if (status == SP_OK) {
        j->smooth = sp_events_smooth(j->events);
        status = j->options->progress ? sp_run_room(j, method_bytes(j), err) : SP_OK;
    }
    status = status == SP_OK ? go_by_events(j, err) : sp_run_fail(j, status, err);
    sp_events_end(j->events);
    j->events = NULL;
    j->smooth = NULL;
    return status;
}

/* A run without contacts. */
static sp_status run_smooth(sp_active_run *j, sp_error *err)
{
    if (!(j->options->until > j->x->t)) {
        return SP_OK;
    }
    const sp_smooth_setup setup = setup_of(j);
    sp_status status = sp_smooth_open(j->m, j->x, j->w, &setup, &j->smooth, err);
    if (status == SP_OK) {
        status = j->options->progress ? sp_run_room(j, method_bytes(j), err) : SP_OK;
    }
    status = status == SP_OK ? go_smoothly(j, err) : sp_run_fail(j, status, err);
    sp_smooth_end(j->smooth);
    return status;
}

/* Take up a run where it was left. */
static void go_on(sp_active_run *j)
{
    const sp_run_progress *p = j->options->resume;
    j->t_0 = p->t_0;
    j->frame = p->frame;
    j->reported = p->reported;
    j->done = p->done;
    *j->summary = p->summary;
}

sp_status sp_integrate(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                       const sp_observer *observer, int n_observer, sp_run_summary *summary,
                       sp_error *err)
{
    const bool stepping = sp_method_has_step(options->method);
    sp_active_run j = {.m = m,
                       .x = x,
                       .w = w,
                       .options = options,
                       .observer = observer,
                       .n_observer = n_observer,
                       .summary = summary,
                       .t_0 = x->t,
                       .frame = 1.0,
                       .reported = x->t,
                       .stretch = {.t_1 = x->t}};
    long n = 0;
    for (int i = 0; i < n_observer; i++) {
        j.spans = j.spans || observer[i].span;
        j.each_step = j.each_step || !observer[i].skips || options->progress;
    }
    memset(summary, 0, sizeof *summary);
    summary->t = x->t;
    summary->bad_output = summary->steep = SP_NONE;
    memset(w->doubt, 0, sizeof w->doubt);
    w->doubtful = false;
    SP_TRY(sp_run_may(m, options, err));
    if (options->resume) {
        go_on(&j);
    }
    SP_TRY(sp_clocks_begin(m, w, j.t_0, options->until, err));
    if (stepping) {
        SP_TRY(sp_run_count_steps(j.t_0, options, &n, err));
    }
    if (stepping && (!sp_step_is_implicit(options->method) || m->run.implicit == SP_IMPLICIT_NO)) {
        sp_run_watch_frequencies(m, options->step, summary);
    }
    if (n_observer > 0 && !w->load && (sp_loads_needed(m) || sp_run_has_beams(m))) {
        SP_TRY(sp_loads_new(m, w, &w->load, err));
    }
    evaluate_start(m, x, w);
    sp_run_note_opening(x, w, summary);
    if (n_observer > 0) {
        /* a run that is taken up shows the certificate that it was left with, and goes on with it
         */
        SP_TRY(options->resume ? report_frame(&j, 0.0, true, err)
                               : sp_run_report_step(&j, 0.0, true, err));
    }
    w->n_event = 0;
    SP_TRY(stepping                                              ? sp_run_by_steps(&j, n, err)
           : options->method == SP_METHOD_ADAPTIVE               ? sp_run_adaptively(&j, err)
           : options->method == SP_METHOD_EVENT || m->n_slot > 0 ? run_events(&j, err)
                                                                 : run_smooth(&j, err));
    count_doubts(&j);
    sp_run_doubt_projection(x, summary);
    return SP_OK;
}
