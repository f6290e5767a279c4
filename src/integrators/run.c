#include "integrators/run.h"

#include "base/status.h"
#include "integrators/moreau.h"

#include <stdio.h>
#include <string.h>

sp_status sp_run_options_of(const sp_model *m, sp_run_options *options, sp_error *err)
{
    const sp_run_settings *run = &m->run;
    const char *method = strcmp(run->method, "auto") == 0 ? "moreau" : run->method;
    SP_TRY(sp_method_find(method, &options->method, err));
    options->until = run->until;
    options->step = run->step;
    if (!(options->until > 0.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "run: 'until' is missing; say how long, as in "
                       "'run: {until: 1 s}' or --until 1");
    }
    if (!(options->step > 0.0)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "run: 'step' is missing, method '%s' has a fixed step; write "
                       "'run: {step: 1e-5 s}' or --step 1e-5",
                       method);
    }
    options->output_step = run->output_step > 0.0 ? run->output_step : options->until / 1000.0;
    return SP_OK;
}

/* Records of all contacts at the end of the step; frames and gaps there are in w. */
static void sample_contacts(const sp_model *m, const sp_state *x, double dt, sp_work *w)
{
    for (int i = 0; i < m->n_slot; i++) {
        const sp_contact_memory *c = &x->contact[i];
        const sp_contact_frame f = sp_con_frame(m, x->numbers, &w->con, i);
        double gamma[2];
        sp_con_gamma(m, &w->kin, i, &f, gamma);
        w->contact[i] = (sp_contact_record){.g_N = f.g_N,
                                            .gamma_N = gamma[0],
                                            .gamma_T = gamma[1],
                                            .P_N = c->P_N,
                                            .P_T = c->P_T,
                                            .lambda_N = dt > 0.0 ? c->P_N / dt : 0.0,
                                            .lambda_T = dt > 0.0 ? c->P_T / dt : 0.0,
                                            .state = c->state};
    }
    for (int k = 0; k < w->n_hit; k++) { /* an impact is an impulse, not a force */
        if (w->hit[k].impact) {
            w->contact[w->hit[k].slot].lambda_N = w->contact[w->hit[k].slot].lambda_T = 0.0;
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
                                   .potential = x->ledger.potential};
    for (int i = 0; i < m->n_output; i++) {
        w->output[i] = sp_func_value(&m->output[i].func, &from, w->dyn.in, w->dyn.work);
        if (!isfinite(w->output[i]) && summary->bad_output == SP_NONE) {
            summary->bad_output = i;
            summary->bad_time = x->t;
        }
    }
}

static void sample(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                   sp_run_summary *summary)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_frame *f = &w->kin.frame[i];
        const double pose[3] = {f->x.x, f->x.y, f->phi};
        const double velocity[3] = {f->v.x, f->v.y, f->omega};
        memcpy(w->pose[i], pose, sizeof pose);
        memcpy(w->velocity[i], velocity, sizeof velocity);
    }
    sample_contacts(m, x, dt, w);
    sample_outputs(m, x, w, summary);
}

/* Tell all observers about the step that ended at x. */
static sp_status tell_observers(const sp_model *m, const sp_state *x, double dt, bool sampled,
                                sp_work *w, sp_run_summary *summary, const sp_observer *observer,
                                int n, sp_error *err)
{
    if (n == 0) {
        return SP_OK;
    }
    if (sampled) {
        sample(m, x, dt, w, summary);
    }
    const sp_step_record record = {.step = x->step,
                                   .t = x->t,
                                   .dt = dt,
                                   .q = x->q,
                                   .u = x->u,
                                   .pose = (const double(*)[3])w->pose,
                                   .velocity = (const double(*)[3])w->velocity,
                                   .contact = w->contact,
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

sp_status sp_run(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                 const sp_observer *observer, int n_observer, sp_run_summary *summary,
                 sp_error *err)
{
    const double t_0 = x->t, dt = options->step;
    long n;
    memset(summary, 0, sizeof *summary);
    summary->t = t_0;
    summary->bad_output = SP_NONE;
    SP_TRY(count_steps(t_0, options, &n, err));
    look_at_start(m, x, w);
    SP_TRY(tell_observers(m, x, 0.0, true, w, summary, observer, n_observer, err));
    double frame = 1.0; /* the next frame to record */
    for (long i = 1; i <= n; i++) {
        const double t = i < n ? t_0 + (double)i * dt : options->until;
        const double step = i < n ? dt : options->until - (t_0 + (double)(n - 1) * dt);
        sp_status status = sp_moreau_solve(m, x, w, options->method, step, err);
        if (status == SP_OK) {
            status = sp_moreau_finish(m, x, w, step, err);
        }
        if (status != SP_OK) {
            return fail_at(x, status, err);
        }
        x->t = t; /* not the sum of many steps: no drift of the clock */
        summary->t = t;
        summary->steps++;
        summary->events += w->n_event;
        summary->solves += w->n_hit > 0;
        sp_certificate_worst(&summary->worst, &w->certificate);

        const double passed = (t - t_0 + 1e-6 * dt) / options->output_step; /* in output steps */
        const bool sampled = i == n || passed >= frame;
        if (passed >= frame) {
            frame = floor(passed) + 1.0;
        }
        SP_TRY(tell_observers(m, x, step, sampled, w, summary, observer, n_observer, err));
    }
    return SP_OK;
}

sp_status sp_step_event(const sp_work *work, int i, sp_event_info *event)
{
    if (i < 0 || i >= work->n_event) {
        return SP_E_INPUT;
    }
    const sp_event *e = &work->event[i];
    *event = (sp_event_info){.t = e->t,
                             .kind = sp_event_name(e->kind),
                             .contact = e->slot,
                             .impact_id = e->impact_id,
                             .Lambda_N = e->Lambda_N,
                             .Lambda_T = e->Lambda_T[0],
                             .gamma_N_before = e->gamma_N_before,
                             .gamma_N_after = e->gamma_N_after,
                             .energy_lost = e->energy_lost};
    return SP_OK;
}
