#include "integrators/run.h"

#include "base/status.h"
#include "contact/con3.h"
#include "contact/rule.h"
#include "contact/spin3.h"
#include "integrators/event.h"
#include "integrators/loads.h"
#include "integrators/moreau.h"
#include "integrators/smooth.h"
#include "integrators/stepper.h"
#include "kinematics/point.h"
#include "model/snapshot.h"

#include <stdio.h>
#include <string.h>

/* The same of a contact in space; a slot of a pool that is free shows nothing. */
static void sample_space(const sp_model *m, const sp_state *x, const sp_work *w, int i,
                         sp_contact_record *r)
{
    const sp_contact_memory *c = &x->contact[i];
    sp_contact_frame3 f;
    double gamma[3];
    int a, b;
    r->P_T = hypot(c->P_T, c->P_T2);
    r->g_N = r->point[0] = r->point[1] = r->point[2] = NAN;
    if (!sp_con3_pair(m, &w->con, i, &a, &b)) {
        return;
    }
    sp_con3_frame(m, x->numbers, &w->con, i, &f);
    sp_frame3_gamma(&w->kin, &f, gamma);
    const double dt = w->con.dt;
    r->lambda_t[0] = dt > 0.0 ? c->P_T / dt : 0.0;
    r->lambda_t[1] = dt > 0.0 ? c->P_T2 / dt : 0.0;
    r->lambda_T = hypot(r->lambda_t[0], r->lambda_t[1]);
    const sp_law_numbers *law = &x->numbers->law[m->slot[i].law];
    const bool drills = m->law[m->slot[i].law].drills && law->mu > 0.0;
    if (dt > 0.0) {
        r->lambda_t[2] = drills ? c->P_S[0] * law->lever / dt : 0.0;
        r->lambda_r[0] = c->P_S[drills] * law->lever / dt;
        r->lambda_r[1] = c->P_S[drills + 1] * law->lever / dt;
    }
    const sp_vec3 along = sp_axpy3(sp_scale3(r->lambda_t[0], f.t[0]), r->lambda_t[1], f.t[1]);
    const sp_vec3 force = sp_axpy3(along, r->lambda_N, f.n);
    const double place[3] = {f.point[0].x, f.point[0].y, f.point[0].z};
    const double push[3] = {force.x, force.y, force.z};
    memcpy(r->point, place, sizeof place);
    memcpy(r->force, push, sizeof push);
    r->g_N = f.g_N;
    r->gamma_N = gamma[0];
    r->gamma_t[0] = gamma[1];
    r->gamma_t[1] = gamma[2];
    r->gamma_t[2] = sp_spin3_drill(&w->kin, &f);
    r->gamma_T = hypot(gamma[1], gamma[2]);
}

/* Gap, velocities, place and directed force of one contact; one by expressions has no place. */
static void sample_geometry(const sp_model *m, const sp_state *x, const sp_work *w, int i,
                            sp_contact_record *r)
{
    double gamma[2];
    if (sp_con_in_space(&m->slot[i])) {
        sample_space(m, x, w, i, r);
        return;
    }
    if (sp_con_by_rule(&m->slot[i])) {
        sp_rule_gamma(m, x->numbers, &w->con, i, gamma);
        r->g_N = isfinite(w->con.g[i]) ? w->con.g[i] : 0.0; /* dry friction has no gap */
        r->point[0] = r->point[1] = r->point[2] = NAN;      /* nowhere in a picture */
    } else {
        const sp_contact_frame f = sp_con_frame(m, x->numbers, &w->con, i);
        sp_con_gamma(m, &w->kin, i, &f, gamma);
        r->g_N = f.g_N;
        r->point[0] = f.point[0].x;
        r->point[1] = f.point[0].y;
        r->force[0] = r->lambda_N * f.n.x + r->lambda_T * f.t.x;
        r->force[1] = r->lambda_N * f.n.y + r->lambda_T * f.t.y;
    }
    r->gamma_N = gamma[0];
    r->gamma_T = gamma[1];
}

/* Records of all contacts at the end of the step; frames and gaps there are in w. */
static void sample_contacts(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    sp_con_at(x->t, dt, x->q, x->u, &w->con);
    for (int i = 0; i < m->n_slot; i++) {
        const sp_contact_memory *c = &x->contact[i];
        w->contact[i] = (sp_contact_record){.P_N = c->P_N,
                                            .P_T = c->P_T,
                                            .lambda_N = dt > 0.0 ? c->P_N / dt : 0.0,
                                            .lambda_T = dt > 0.0 ? c->P_T / dt : 0.0,
                                            .state = c->state};
        sample_geometry(m, x, w, i, &w->contact[i]);
    }
    for (int k = 0; k < w->n_hit; k++) { /* an impact is an impulse, not a force */
        if (w->hit[k].impact) {
            sp_contact_record *c = &w->contact[w->hit[k].slot];
            c->lambda_N = c->lambda_T = c->force[0] = c->force[1] = c->force[2] = 0.0;
            c->lambda_t[0] = c->lambda_t[1] = c->lambda_t[2] = 0.0;
            c->lambda_r[0] = c->lambda_r[1] = 0.0;
        }
    }
}

/* Outputs at the frame; the first one that is no finite number is noted. */
static void sample_outputs(const sp_model *m, const sp_state *x, sp_work *w,
                           sp_run_summary *summary)
{
    const sp_signal_source from = {.kin = &w->kin,
                                   .q = x->q,
                                   .u = x->u,
                                   .t = x->t,
                                   .contact = w->contact,
                                   .kinetic = x->ledger.kinetic,
                                   .potential = x->ledger.potential,
                                   .loads = w->load ? &w->load->loads : NULL};
    for (int i = 0; i < m->n_output; i++) {
        w->output[i] = sp_func_value(&m->output[i].func, &from, w->dyn.in, w->dyn.work);
        if (!isfinite(w->output[i]) && summary->bad_output == SP_NONE) {
            summary->bad_output = i;
            summary->bad_time = x->t;
        }
    }
}

/* Pose and velocity of one body. */
static void sample_body(const sp_model *m, sp_work *w, int i)
{
    double *pose = w->pose + (size_t)i * (size_t)sp_pose_columns(m->dim);
    double *velocity = w->velocity + (size_t)i * (size_t)sp_velocity_columns(m->dim);
    if (m->dim == 3) {
        const sp_vec3 v = w->kin.frame3[i].v, omega = w->kin.frame3[i].omega;
        const double both[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
        sp_point_pose(&w->kin, i, pose, pose + 3);
        memcpy(velocity, both, sizeof both);
        return;
    }
    const sp_frame *f = &w->kin.frame[i];
    const double x[3] = {f->x.x, f->x.y, f->phi}, v[3] = {f->v.x, f->v.y, f->omega};
    memcpy(pose, x, sizeof x);
    memcpy(velocity, v, sizeof v);
}

static sp_status sample(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                        sp_run_summary *summary, sp_error *err)
{
    for (int i = 0; i < m->n_body; i++) {
        sample_body(m, w, i);
    }
    sp_dyn_lines(m, x->numbers, &w->kin, x->t, x->q, x->u, x->book, &w->dyn, w->line);
    sample_contacts(m, x, dt, w);
    if (w->load) {
        SP_TRY(sp_loads_find(m, x, w->contact, w->load, err));
    }
    sample_outputs(m, x, w, summary);
    return SP_OK;
}

/* Tell all observers about the step that ended at x. */
static sp_status tell_observers(const sp_model *m, const sp_state *x, double dt, bool sampled,
                                sp_work *w, sp_run_summary *summary, const sp_observer *observer,
                                int n, sp_error *err)
{
    if (sampled) {
        SP_TRY(sample(m, x, dt, w, summary, err));
    }
    const sp_step_record record = {.step = x->step,
                                   .t = x->t,
                                   .dt = dt,
                                   .q = x->q,
                                   .u = x->u,
                                   .pose = w->pose,
                                   .velocity = w->velocity,
                                   .contact = w->contact,
                                   .line = w->line,
                                   .output = w->output,
                                   .sampled = sampled,
                                   .n_event = w->n_event,
                                   .event = w->event,
                                   .ledger = &x->ledger,
                                   .certificate = &w->certificate,
                                   .worst = &summary->worst,
                                   .n_active = w->n_hit,
                                   .solver = w->sol.method,
                                   .pivots = w->sol.pivots};
    for (int i = 0; i < n; i++) {
        SP_TRY(observer[i].step(observer[i].ctx, m, &record, err));
    }
    return SP_OK;
}

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

/* A failed step, told with its time. */
static sp_status fail_at(const sp_state *x, sp_status status, sp_error *err)
{
    if (err) {
        char text[sizeof err->text];
        if (strncmp(err->text, "t = ", 4) == 0) {
            return status; /* it has the time already */
        }
        snprintf(text, sizeof text, "t = %.9g s, step %ld: %.400s", x->t, x->step + 1, err->text);
        memcpy(err->text, text, sizeof text);
    }
    return status;
}

/* Steps to 'until': at least one; a remainder below a millionth of a step is round-off and no step.
 * Refuses a step that the clock cannot resolve and numbers of steps that nobody will see the end
 * of. */
static sp_status count_steps(double t_0, const sp_run_options *o, long *n, sp_error *err)
{
    const double span = o->until - t_0, count = ceil(span / o->step - 1e-6);
    *n = 0;
    if (!(o->step > 0.0) || !isfinite(o->step)) {
        return SP_FAIL(err, SP_E_INPUT, "step = %g s, expected > 0", o->step);
    }
    if (!(span > 0.0)) {
        return SP_OK;
    }
    if (!(count < 1e15)) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "a run of %g s with a step of %g s takes %.2g steps, expected less than 1e15; "
            "take a larger step or a shorter run",
            span, o->step, count);
    }
    *n = count > 1.0 ? (long)count : 1;
    return SP_OK;
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
} journey;

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

/* Tell about x, dt after what was told last. */
static sp_status tell(const journey *j, double dt, bool sampled, sp_error *err)
{
    if (j->options->progress && !j->smooth) {
        note_progress(j, NULL, 0);
    }
    return tell_observers(j->m, j->x, dt, sampled, j->w, j->summary, j->observer, j->n_observer,
                          err);
}

/* Count a step that was taken. */
static void count(const journey *j)
{
    j->summary->t = j->x->t;
    j->summary->steps++;
    j->summary->loosened = j->x->control.loosened;
    j->summary->events += j->w->n_event;
    j->summary->solves += j->w->n_hit > 0;
    sp_certificate_worst(&j->summary->worst, &j->w->certificate);
}

/* One step of a given length, *last: that of its last part.  Where the contact problem of a step is
 * not solved it is taken in halves, quarters and so on, each told.   theory (25.1) */
static sp_status take_parts(journey *j, double dt, double *last, sp_error *err)
{
    int done = 0, size = PARTS; /* in parts of the step */
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
        if (done < PARTS) {
            count(j);
            SP_TRY(j->n_observer > 0 ? tell(j, *last, false, err) : SP_OK);
        }
        size *= done % (2 * size) == 0 && done < PARTS ? 2 : 1;
    }
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

/* Steps of equal length; frames are the steps that first reach their time.  A run that is taken up
 * between parts of a step first takes the rest of it. */
static sp_status run_steps(journey *j, long n, sp_error *err)
{
    const sp_run_options *o = j->options;
    const double dt = o->step;
    for (long i = o->resume ? o->resume->done + 1 : 1; i <= n; i++) {
        const double t = i < n ? j->t_0 + (double)i * dt : o->until;
        const double whole = i < n ? dt : o->until - (j->t_0 + (double)(n - 1) * dt);
        const double step = fabs(t - j->x->t - whole) < 0.03 * dt ? whole : t - j->x->t;
        double last;
        const sp_status status = take_step(j, step, &last, err);
        if (status != SP_OK) {
            return fail_at(j->x, status, err);
        }
        j->x->t = t; /* not the sum of many steps: no drift of the clock */
        count(j);
        if (j->n_observer == 0) {
            continue;
        }
        const double passed = (t - j->t_0 + 1e-6 * dt) / o->output_step; /* in output steps */
        const bool sampled = i == n || passed >= j->frame;
        j->done = i;
        if (passed >= j->frame) {
            j->frame = floor(passed) + 1.0;
        }
        SP_TRY(tell(j, last, sampled, err));
    }
    return SP_OK;
}

/* Steps as long as the tolerance allows; they end at the frames. */
static sp_status run_adaptive(journey *j, sp_error *err)
{
    const sp_run_options *o = j->options;
    const double span = o->until - j->t_0, last = o->until - 1e-9 * o->output_step;
    while (j->x->t < o->until) {
        const double frame = j->t_0 + j->frame * o->output_step;
        const double stop = frame < last ? frame : o->until;
        double dt;
        const sp_status status =
            sp_adaptive_step(j->m, j->x, j->w, o->tolerance, span, stop, &dt, err);
        if (status != SP_OK) {
            return fail_at(j->x, status, err);
        }
        const bool there = j->x->t >= stop;
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

/* Room for the memory of a run that somebody may resume. */
static sp_status make_memory(journey *j, sp_error *err)
{
    if (!j->options->progress) {
        return SP_OK;
    }
    const size_t n = sp_state_bytes(j->m) + method_bytes(j);
    j->memory = SP_NEW(&j->w->arena, unsigned char, n);
    return j->memory ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for checkpoints: %zu bytes", n);
}

/* Keep the run as it is between two steps, if it goes on to the bit from here. */
static void keep(const journey *j)
{
    const double until = j->options->until;
    if (!j->memory || !(j->events ? sp_events_may_save(j->events, j->x->t, until)
                                  : sp_smooth_may_save(j->smooth, until))) {
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

/* The frames inside the step that was just taken, and its end. */
static sp_status tell_inside(journey *j, sp_error *err)
{
    sp_smooth *s = j->smooth;
    const double t_end = s->t, until = j->options->until, dt = j->options->output_step;
    const double last = until - 1e-9 * dt; /* nearer to the end is the end */
    bool inside = false;
    double t;
    while ((t = j->t_0 + j->frame * dt) < t_end && t < last) {
        SP_TRY(sp_smooth_prepare(s, err));
        SP_TRY(sp_smooth_at(s, t, j->x, err));
        SP_TRY(forces_there(j, t - j->told, err));
        j->frame += 1.0;
        j->summary->t = t; /* where the run ends if somebody wishes it now */
        SP_TRY(tell(j, t - j->told, true, err));
        j->told = t;
        inside = true;
    }
    const bool sampled = t_end == until || t == t_end;
    j->frame += t == t_end ? 1.0 : 0.0;
    if (inside) {
        SP_TRY(sp_smooth_at(s, t_end, j->x, err));
        j->summary->t = t_end;
    }
    SP_TRY(forces_there(j, t_end - j->told, err));
    SP_TRY(tell(j, t_end - j->told, sampled, err));
    j->told = t_end;
    return SP_OK;
}

/* Steps as long as the tolerance allows; frames at their times exactly. */
static sp_status go_smoothly(journey *j, sp_error *err)
{
    const sp_run_options *o = j->options;
    while (j->x->t < o->until) {
        keep(j);
        const sp_status status = sp_smooth_step(j->smooth, j->x, o->until, err);
        if (status != SP_OK) {
            return fail_at(j->x, status, err);
        }
        count(j);
        if (j->n_observer > 0) {
            SP_TRY(tell_inside(j, err));
        }
    }
    return SP_OK;
}

/* What happened at this time, told and counted. */
static sp_status tell_events(const journey *j, sp_error *err)
{
    j->summary->events += j->w->n_event;
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
        sp_status status = sp_events_step(j->events, j->x, o->until, err);
        if (status != SP_OK) {
            return fail_at(j->x, status, err);
        }
        j->w->n_event = 0;
        count(j);
        if (j->n_observer > 0) {
            SP_TRY(tell_inside(j, err));
        }
        status = sp_events_happen(j->events, j->x, err);
        if (status != SP_OK) {
            return fail_at(j->x, status, err);
        }
        SP_TRY(tell_events(j, err));
    }
    return SP_OK;
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
        status = make_memory(j, err);
    }
    status = status == SP_OK ? go_by_events(j, err) : fail_at(j->x, status, err);
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
        return driver ? sp_smooth_begin_stiff(j->m, j->x, j->w, o->tolerance, o->until, driver,
                                              &j->smooth, err)
                      : sp_smooth_begin(j->m, j->x, j->w, o->tolerance, o->until, &j->smooth, err);
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
        status = make_memory(j, err);
    }
    status = status == SP_OK ? go_smoothly(j, err) : fail_at(j->x, status, err);
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
        SP_TRY(count_steps(j.t_0, options, &n, err));
    }
    if (n_observer > 0 && !w->load && sp_loads_needed(m)) {
        SP_TRY(sp_loads_new(m, w, &w->load, err));
    }
    look_at_start(m, x, w);
    if (n_observer > 0) {
        SP_TRY(tell(&j, 0.0, true, err));
    }
    return stepping                                              ? run_steps(&j, n, err)
           : options->method == SP_METHOD_ADAPTIVE               ? run_adaptive(&j, err)
           : options->method == SP_METHOD_EVENT || m->n_slot > 0 ? run_events(&j, err)
                                                                 : run_smooth(&j, err);
}
