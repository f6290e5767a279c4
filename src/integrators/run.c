#include "integrators/run.h"

#include "base/status.h"
#include "integrators/event.h"
#include "integrators/loads.h"
#include "integrators/moreau.h"
#include "integrators/run_parts.h"
#include "integrators/smooth.h"
#include "integrators/stepper.h"
#include "model/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Frames, gaps and energies of the start, for the first frame of the record. */
static void look_at_start(const sp_model *m, sp_state *x, sp_work *w)
{
    sp_step_refresh(m, x, w);
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
    if (m->n_pool > 0) {
        sp_con_remember(m, x->contact, &w->con);
    }
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    memset(&w->certificate, 0, sizeof w->certificate);
    w->n_hit = w->n_event = 0;
    w->sol.method = "none";
    w->sol.pivots = 0;
}

/* The smallest part of a step that is tried where its contact problem is not solved. */
enum { PARTS = 64 };

/* A run under way. */
typedef struct journey {
    const sp_model *m;
    sp_state *x;
    sp_work *w;
    const sp_run_options *options;
    const sp_observer *observer;
    int n_observer;
    sp_run_summary *summary;
    sp_events *events;     /* of the event-driven method, else NULL */
    sp_smooth *smooth;     /* of that and of smooth methods, else NULL */
    double t_0;            /* where it began                      */
    double frame;          /* the next frame to record, 1, 2, ... */
    double told;           /* the time that was told last         */
    long done;             /* steps of equal length               */
    unsigned char *memory; /* for resuming, NULL: nobody asks */
    bool aside;            /* what follows is not the motion that a longer run would have */
} journey;

/* A failed step, told with its time. */
static sp_status fail_at(const journey *j, sp_status status, sp_error *err)
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

/* Say where the run stands. */
static void note_progress(const journey *j, const unsigned char *memory, size_t n)
{
    *j->options->progress = (sp_run_progress){.t_0 = j->t_0,
                                              .frame = j->frame,
                                              .told = j->told,
                                              .done = j->done,
                                              .summary = *j->summary,
                                              .memory = memory,
                                              .n_memory = n};
}

/* The step just taken belongs to the frame that comes next, or to this one. */
static void look_back(const journey *j, bool sampled)
{
    const sp_work *w = j->w;
    sp_lately_add(&j->summary->lately, &w->certificate, w->n_hit, w->sol.pivots, sampled);
}

/* Tell about x, with what is known of the steps since the last frame. */
static sp_status pass_on(const journey *j, double dt, bool sampled, sp_error *err)
{
    if (j->options->progress && !j->smooth && !j->aside) {
        note_progress(j, NULL, 0);
    }
    return sp_run_tell(j->m, j->x, dt, sampled, j->w, j->summary, j->observer, j->n_observer, err);
}

/* Tell about x, dt after what was told last. */
static sp_status tell(const journey *j, double dt, bool sampled, sp_error *err)
{
    look_back(j, sampled);
    return pass_on(j, dt, sampled, err);
}

/* Count the events of what was just done. */
static void count_events(const journey *j)
{
    sp_run_summary *s = j->summary;
    s->events += j->w->n_event;
    for (int k = 0; k < j->w->n_event; k++) {
        const sp_event *e = &j->w->event[k];
        if (e->kind == SP_EVENT_CHOICE || e->kind == SP_EVENT_ZENO) {
            sp_tally_add(e->kind == SP_EVENT_CHOICE ? &s->choice : &s->zeno, e);
        }
    }
}

/* Count a step that was taken. */
static void count(const journey *j)
{
    j->summary->t = j->x->t;
    j->summary->steps++;
    j->summary->loosened = j->x->control.loosened;
    count_events(j);
    j->summary->solves += j->w->n_hit > 0;
    sp_run_note_certificate(j->w, j->x->t, j->summary);
}

/* One step of a given length, *last: that of its last part.  Where the contact problem of a step is
 * not solved it is taken in halves, quarters and so on, each told.   theory (25.1) */
static sp_status take_parts(journey *j, double dt, double *last, sp_error *err)
{
    int done = 0, size = PARTS, least = PARTS; /* in parts of the step */
    while (done < PARTS) {
        *last = dt * size / PARTS;
        j->w->strict = size > 1;
        const sp_status status = sp_step_take(j->m, j->x, j->w, j->options->method, *last, err);
        j->w->strict = false;
        if (status == SP_E_NOT_CONVERGED && size > 1) {
            size /= 2;
            continue;
        }
        SP_TRY(status);
        done += size;
        least = size < least ? size : least;
        if (done < PARTS) {
            count(j);
            SP_TRY(j->n_observer > 0 ? tell(j, *last, false, err) : SP_OK);
        }
        size *= done % (2 * size) == 0 && done < PARTS ? 2 : 1;
    }
    const int parts = least < PARTS ? PARTS / least : 0, most = j->summary->most_parts;
    j->summary->divided += parts > 0;
    j->summary->most_parts = parts > most ? parts : most;
    return SP_OK;
}

/* One step of a given length, *last: that of its last part. */
static inline sp_status take_step(journey *j, double dt, double *last, sp_error *err)
{
    const sp_method method = j->options->method;
    if (j->m->dim == 3 && (method == SP_METHOD_MOREAU || method == SP_METHOD_MOREAU_MEAN)) {
        return take_parts(j, dt, last, err);
    }
    *last = dt;
    return sp_step_take(j->m, j->x, j->w, method, dt, err);
}

/* Room for a state; with methods that have memory of their own for that too, if somebody may resume
 * them.  The room stays with the work: the next run has it again, what is in it included, which may
 * be what that run is taken up from. */
static sp_status make_memory(journey *j, size_t n_method, sp_error *err)
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

/* Before a step that is as long as it is because the run ends: a run that is made longer goes on
 * from here. */
static void step_aside(journey *j)
{
    if (j->options->progress) {
        sp_state_pack(j->m, j->x, j->memory);
        note_progress(j, j->memory, sp_state_bytes(j->m));
    }
    j->aside = true;
}

/* Steps of equal length; frames are the steps that first reach their time.  A run that is taken up
 * between parts of a step first takes the rest of it. */
static sp_status run_steps(journey *j, long n, sp_error *err)
{
    const sp_run_options *o = j->options;
    const double dt = o->step;
    SP_TRY(o->progress ? make_memory(j, 0, err) : SP_OK);
    for (long i = o->resume ? o->resume->done + 1 : 1; i <= n; i++) {
        const double t = i < n ? j->t_0 + (double)i * dt : o->until;
        const double whole = i < n ? dt : o->until - (j->t_0 + (double)(n - 1) * dt);
        const double step = fabs(t - j->x->t - whole) < 0.03 * dt ? whole : t - j->x->t;
        double last;
        if (i == n) { /* as long as it is to the end, and not what a longer run has there */
            step_aside(j);
        }
        const sp_status status = take_step(j, step, &last, err);
        if (status != SP_OK) {
            return fail_at(j, status, err);
        }
        j->x->t = t; /* not the sum of many steps: no drift of the clock */
        count(j);
        j->done = i;
        if (j->n_observer == 0) {
            continue;
        }
        const double passed = (t - j->t_0 + 1e-6 * dt) / o->output_step; /* in output steps */
        const bool sampled = i == n || passed >= j->frame;
        if (passed >= j->frame) {
            j->frame = floor(passed) + 1.0;
        }
        SP_TRY(tell(j, last, sampled, err));
    }
    return SP_OK;
}

/* One step of the adaptive method towards the next frame.  One that would go to the end or past it
 * is taken back and ends there: *there. */
static sp_status step_adaptively(journey *j, double *dt, bool *there, sp_error *err)
{
    const sp_run_options *o = j->options;
    const double frame = j->t_0 + j->frame * o->output_step;
    const bool last = frame >= o->until - 1e-9 * o->output_step; /* nearer to the end is the end */
    if (!j->aside) {
        if (last) {
            sp_state_pack(j->m, j->x, j->memory);
        }
        const sp_status status = sp_adaptive_step(j->m, j->x, j->w, o->tolerance, frame, dt, err);
        *there = j->x->t >= frame;
        if (!last || (status == SP_OK && !*there && j->x->t < o->until)) {
            return status;
        }
        SP_TRY(sp_state_unpack(j->m, j->memory, sp_state_bytes(j->m), j->x, err));
        step_aside(j);
    }
    SP_TRY(sp_adaptive_step(j->m, j->x, j->w, o->tolerance, o->until, dt, err));
    *there = j->x->t >= o->until;
    return SP_OK;
}

/* Steps as long as the tolerance allows; they end at the frames. */
static sp_status run_adaptive(journey *j, sp_error *err)
{
    SP_TRY(make_memory(j, 0, err));
    while (j->x->t < j->options->until) {
        double dt;
        bool there;
        const sp_status status = step_adaptively(j, &dt, &there, err);
        if (status != SP_OK) {
            return fail_at(j, status, err);
        }
        j->frame += there ? 1.0 : 0.0;
        count(j);
        if (j->n_observer > 0) {
            SP_TRY(tell(j, dt, there, err));
        }
    }
    return SP_OK;
}

/* Forces of the contacts at x over dt, where the method does not have them. */
static sp_status forces_there(const journey *j, double dt, sp_error *err)
{
    return j->events ? sp_events_forces(j->events, j->x, dt, err) : SP_OK;
}

/* Bytes of what the method remembers. */
static size_t method_bytes(const journey *j)
{
    return j->events ? sp_events_bytes(j->events) : sp_smooth_bytes(j->smooth);
}

/* Keep the run as it is between two steps, if it goes on to the bit from here. */
static void keep(const journey *j)
{
    if (!j->memory ||
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
    note_progress(j, j->memory, sp_state_bytes(j->m) + method_bytes(j));
}

/* When the next frame is. */
static double next_frame(const journey *j)
{
    return j->t_0 + j->frame * j->options->output_step;
}

/* The frames inside the step that was just taken; *inside: there was one, and x is the last. */
static sp_status tell_inside(journey *j, bool *inside, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double last = j->options->until - 1e-9 * j->options->output_step; /* nearer is the end */
    double t;
    *inside = false;
    while ((t = next_frame(j)) < s->t && t < last) {
        SP_TRY(sp_smooth_prepare(s, err));
        SP_TRY(sp_smooth_at(s, t, j->x, err));
        SP_TRY(forces_there(j, t - j->told, err));
        j->frame += 1.0;
        j->summary->t = t; /* where the run ends if somebody wishes it now */
        SP_TRY(tell(j, t - j->told, true, err));
        j->told = t;
        *inside = true;
    }
    return SP_OK;
}

/* The end of the step; back: x is somewhere inside of it. */
static sp_status tell_end(journey *j, bool back, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double t_end = s->t, t = next_frame(j);
    const bool sampled = t_end == j->options->until || t == t_end;
    j->frame += t == t_end ? 1.0 : 0.0;
    if (back) {
        SP_TRY(sp_smooth_at(s, t_end, j->x, err));
        j->summary->t = t_end;
    }
    SP_TRY(forces_there(j, t_end - j->told, err));
    SP_TRY(tell(j, t_end - j->told, sampled, err));
    j->told = t_end;
    return SP_OK;
}

/* A step of the method, not past t_stop. */
static sp_status step_to(const journey *j, double t_stop, sp_error *err)
{
    return j->events ? sp_events_step(j->events, j->x, t_stop, err)
                     : sp_smooth_step(j->smooth, j->x, t_stop, err);
}

/* The same as long as the motion makes it, wherever the run ends: what comes before the end does
 * not know of it.  What fails behind the end is of no interest; a step that failed before it began
 * is not gone back from.   theory (27.3) */
static sp_status step_freely(const journey *j, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const sp_status status = step_to(j, INFINITY, err);
    if (status == SP_OK || !(j->x->t + sp_smooth_long(s) > j->options->until)) {
        return status;
    }
    SP_TRY(s->t_old == j->x->t ? sp_smooth_back(s, err) : SP_OK);
    return step_to(j, j->options->until, err);
}

/* End the step that was just taken where the run ends. */
static sp_status end_beside(const journey *j, const sp_ledger *before, sp_error *err)
{
    const double until = j->options->until;
    if (j->events) {
        return sp_events_beside(j->events, j->x, before, until, err);
    }
    SP_TRY(sp_smooth_beside(j->smooth, j->x, before, until, err));
    return sp_smooth_take(j->smooth, j->x, err);
}

/* Tell the last step of a stepper that went over events: frames in it are not in the step that
 * follows. */
static sp_status tell_passed(journey *j, sp_error *err)
{
    bool inside;
    if (!j->events || sp_events_over(j->events) || j->n_observer == 0 || !(j->told < j->x->t)) {
        return SP_OK;
    }
    j->w->n_event = 0;
    SP_TRY(tell_inside(j, &inside, err));
    return tell_end(j, inside, err);
}

/* One step, told with the frames inside of it: those are read from it also if it goes past the end
 * of the run, which has a step of its own then. */
static sp_status advance(journey *j, sp_error *err)
{
    bool inside = false;
    SP_TRY(tell_passed(j, err));
    const sp_ledger before = j->x->ledger;
    sp_status status = step_freely(j, err);
    status = status == SP_OK ? sp_run_check_moved(&before, &j->x->ledger, err) : status;
    if (status != SP_OK) {
        return fail_at(j, status, err);
    }
    const bool beyond = j->smooth->t > j->options->until;
    j->w->n_event = 0;
    count(j);
    if (j->n_observer > 0) {
        SP_TRY(tell_inside(j, &inside, err));
    }
    if (beyond) {
        status = end_beside(j, &before, err);
        if (status != SP_OK) {
            return fail_at(j, status, err);
        }
        j->summary->t = j->x->t;
        sp_run_note_certificate(j->w, j->x->t, j->summary);
    }
    return j->n_observer > 0 ? tell_end(j, inside && !beyond, err) : SP_OK;
}

/* Steps as long as the tolerance allows; frames at their times exactly. */
static sp_status go_smoothly(journey *j, sp_error *err)
{
    while (j->x->t < j->options->until) {
        keep(j);
        SP_TRY(advance(j, err));
    }
    return SP_OK;
}

/* What happened at this time, told and counted. */
static sp_status tell_events(const journey *j, sp_error *err)
{
    count_events(j);
    sp_doubt_add(&j->summary->doubt, &j->w->doubt);
    for (int k = 0; k < j->w->n_event; k++) {
        j->summary->solves += j->w->event[k].kind == SP_EVENT_IMPACT;
    }
    return j->w->n_event > 0 && j->n_observer > 0 ? tell(j, 0.0, false, err) : SP_OK;
}

/* Step by step, from event to event. */
static sp_status go_by_events(journey *j, sp_error *err)
{
    const sp_run_options *o = j->options;
    SP_TRY(tell_events(j, err));
    while (j->x->t < o->until) {
        keep(j);
        SP_TRY(advance(j, err));
        const sp_status status = sp_events_happen(j->events, j->x, err);
        if (status != SP_OK) {
            return fail_at(j, status, err);
        }
        SP_TRY(tell_events(j, err));
    }
    return tell_passed(j, err);
}

/* The memory of the method in a run that is resumed; n: how much of it there is. */
static const unsigned char *old_memory(const journey *j, size_t *n)
{
    const sp_run_progress *p = j->options->resume;
    const size_t state = sp_state_bytes(j->m);
    *n = p->n_memory > state ? p->n_memory - state : 0;
    return p->memory ? p->memory + state : NULL;
}

/* Begin, or go on, from event to event. */
static sp_status begin_events(journey *j, sp_error *err)
{
    const sp_run_options *o = j->options;
    const sp_stiff_driver *driver = o->method == SP_METHOD_STIFF ? o->stiff : NULL;
    size_t n;
    if (!o->resume) {
        return sp_events_begin_stiff(j->m, j->x, j->w, o->tolerance, o->until, driver, &j->events,
                                     err);
    }
    const unsigned char *bytes = old_memory(j, &n);
    return sp_events_resume(j->m, j->x, j->w, o->tolerance, o->until, driver, bytes, n, &j->events,
                            err);
}

/* A run from event to event. */
static sp_status run_events(journey *j, sp_error *err)
{
    if (!(j->options->until > j->x->t)) {
        return SP_OK;
    }
    sp_status status = begin_events(j, err);
    if (status == SP_OK) {
        j->smooth = sp_events_smooth(j->events);
        status = j->options->progress ? make_memory(j, method_bytes(j), err) : SP_OK;
    }
    status = status == SP_OK ? go_by_events(j, err) : fail_at(j, status, err);
    sp_events_end(j->events);
    return status;
}

/* Begin, or go on, without contacts. */
static sp_status begin_smooth(journey *j, sp_error *err)
{
    const sp_run_options *o = j->options;
    const sp_stiff_driver *driver = o->method == SP_METHOD_STIFF ? o->stiff : NULL;
    size_t n;
    if (!o->resume) {
        return driver
                   ? sp_smooth_begin_stiff(j->m, j->x, j->w, o->tolerance, driver, &j->smooth, err)
                   : sp_smooth_begin(j->m, j->x, j->w, o->tolerance, &j->smooth, err);
    }
    const unsigned char *bytes = old_memory(j, &n);
    return sp_smooth_resume(j->m, j->x, j->w, o->tolerance, driver, bytes, n, &j->smooth, err);
}

/* A run without contacts. */
static sp_status run_smooth(journey *j, sp_error *err)
{
    if (!(j->options->until > j->x->t)) {
        return SP_OK;
    }
    sp_status status = begin_smooth(j, err);
    if (status == SP_OK) {
        status = j->options->progress ? make_memory(j, method_bytes(j), err) : SP_OK;
    }
    status = status == SP_OK ? go_smoothly(j, err) : fail_at(j, status, err);
    sp_smooth_end(j->smooth);
    return status;
}

/* Take up a run where it was left. */
static void go_on(journey *j)
{
    const sp_run_progress *p = j->options->resume;
    j->t_0 = p->t_0;
    j->frame = p->frame;
    j->told = p->told;
    j->done = p->done;
    *j->summary = p->summary;
}

sp_status sp_run(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                 const sp_observer *observer, int n_observer, sp_run_summary *summary,
                 sp_error *err)
{
    const bool stepping = sp_method_has_step(options->method);
    journey j = {.m = m,
                 .x = x,
                 .w = w,
                 .options = options,
                 .observer = observer,
                 .n_observer = n_observer,
                 .summary = summary,
                 .t_0 = x->t,
                 .frame = 1.0,
                 .told = x->t};
    long n = 0;
    memset(summary, 0, sizeof *summary);
    summary->t = x->t;
    summary->bad_output = SP_NONE;
    SP_TRY(sp_run_check(m, options, err));
    if (options->resume) {
        go_on(&j);
    }
    if (stepping) {
        SP_TRY(sp_run_count_steps(j.t_0, options, &n, err));
    }
    if (n_observer > 0 && !w->load && sp_loads_needed(m)) {
        SP_TRY(sp_loads_new(m, w, &w->load, err));
    }
    look_at_start(m, x, w);
    sp_run_note_opening(x, w, summary);
    if (n_observer > 0) {
        /* a run that is taken up shows the certificate that it was left with, and goes on with it
         */
        SP_TRY(options->resume ? pass_on(&j, 0.0, true, err) : tell(&j, 0.0, true, err));
    }
    w->n_event = 0;
    return stepping                                              ? run_steps(&j, n, err)
           : options->method == SP_METHOD_ADAPTIVE               ? run_adaptive(&j, err)
           : options->method == SP_METHOD_EVENT || m->n_slot > 0 ? run_events(&j, err)
                                                                 : run_smooth(&j, err);
}
