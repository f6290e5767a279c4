/* api/run.c - a run with its files, for everybody. */
#define _POSIX_C_SOURCE 200809L
#include "analysis/measure.h"
#include "api/keep.h"
#include "api/sample.h"
#include "base/clock.h"
#include "io/problem_dump.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A run with all that watches it. */
typedef struct runner {
    const sp_run_observer *user;
    sp_state *x;
    sp_work *w;
    long events;
    sp_result_writer *writer;
    sp_keep keep;
    sp_measures *measures; /* NULL: the model has none */
    sp_problem_dump dump;
    sp_watch watch;
} runner;

static const char *const status_word[] = {"clean", "doubtful", "interrupted", "failed"};

void sp_run_stop(sp_work *work)
{
    atomic_store(&work->stop, 1);
}

/* sp_observer: hand a step on to the user's functions. */
static sp_status hand_on(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    runner *run = ctx;
    const sp_run_observer *u = run->user;
    run->events += r->n_event;
    for (int k = 0; u && u->event && k < r->n_event; k++) {
        const sp_event_info event = sp_event_describe(m, &r->event[k]);
        SP_TRY(u->event(u->ctx, &event, err));
    }
    if (u && u->frame && r->sampled) {
        const sp_sample sample = {.m = m, .r = r};
        SP_TRY(u->frame(u->ctx, &sample, err));
    }
    if (u && u->step) {
        SP_TRY(u->step(u->ctx, r->t, r->step, run->events, err));
    }
    return SP_OK;
}

/* Refuse to write over a file that is no result: the model itself, or a mistyped name. */
static sp_status check_target(const char *path, sp_error *err)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[sizeof signature];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return SP_OK; /* a new one, or the writer finds out */
    }
    const size_t n = fread(head, 1, sizeof head, file);
    fclose(file);
    return n == 0 || (n == sizeof head && memcmp(head, signature, sizeof head) == 0)
               ? SP_OK
               : SP_FAIL(err, SP_E_IO,
                         "result file '%s': a file that is no result has this name; choose "
                         "another or remove it",
                         path);
}

/* The result file, its checkpoints and the contact problems, as far as they are asked for. */
static sp_status open_files(const sp_model *m, const sp_run_options *o, runner *run, sp_error *err)
{
    if (o->problems) {
        run->dump.folder = o->problems;
        run->dump.every = o->problems_every;
        run->watch = sp_problem_dump_watch(&run->dump);
        run->w->watch = &run->watch;
    }
    if (!o->result) {
        return SP_OK;
    }
    const sp_result_meta meta = {.method = sp_method_name(o->method),
                                 .asked = o->chosen ? "auto" : NULL,
                                 .command = o->command,
                                 .step = o->step,
                                 .tolerance = o->tolerance,
                                 .until = o->until,
                                 .output_step = o->output_step,
                                 .spec = o->spec};
    SP_TRY(check_target(o->result, err));
    SP_TRY(o->checkpoint ? sp_keep_begin(&run->keep, err) : SP_OK);
    return sp_result_create(o->result, m, &meta, &run->writer, err);
}

/* The measures and samples of the model, if somebody wants them; a run that ends before their
 * window, or is taken up within it, has none. */
static sp_status open_measures(const sp_model *m, const sp_run_options *o, runner *run,
                               sp_error *err)
{
    const sp_run_observer *u = run->user;
    const sp_sampler sampler = {.take = u ? u->sample : NULL, .ctx = u ? u->ctx : NULL};
    const bool whole = o->measure_from < o->until && !(o->resume && run->x->t > o->measure_from);
    const bool sampled = m->sampling.kind != SP_SAMPLE_NONE && sampler.take;
    const bool measured = m->n_measure > 0 && (o->measures || run->writer);
    return (sampled || measured) && whole
               ? sp_measures_new(m, run->x, run->w, o->measure_from, &sampler, &run->measures, err)
               : SP_OK;
}

/* What the measures came to, to whom wants them. */
static void put_measures(const sp_model *m, const sp_run_options *o, runner *run)
{
    for (int i = 0; o->measures && i < m->n_measure; i++) {
        o->measures[i] = NAN;
    }
    if (run->measures && o->measures) {
        sp_measures_values(run->measures, o->measures);
    }
    if (run->measures && run->writer) {
        sp_measures_values(run->measures, sp_result_measures(run->writer));
    }
    sp_measures_free(run->measures);
}

/* All steps, with the observers of the files and of the user. */
static sp_status do_steps(const sp_model *m, const sp_run_options *o, runner *run,
                          sp_run_summary *summary, sp_error *err)
{
    sp_observer observer[4];
    int n = 0;
    SP_TRY(open_measures(m, o, run, err));
    if (run->measures) {
        observer[n++] = sp_measures_observer(run->measures);
    }
    if (run->writer) {
        observer[n++] = sp_result_observer(run->writer);
    }
    if (run->keep.file) {
        run->keep.writer = run->writer;
        observer[n++] = sp_keep_observer(&run->keep);
    }
    observer[n++] =
        (sp_observer){.step = hand_on, .ctx = run, .skips = !run->user || !run->user->step};
    const sp_status status = sp_integrate(m, run->x, run->w, o, observer, n, summary, err);
    return status == SP_OK ? sp_keep_end(&run->keep, err) : status;
}

/* ---- the outcome ----------------------------------------------------------------------------- */

/* A note from a tally of events. */
static sp_note note_of(const sp_model *m, const sp_tally *a)
{
    sp_note note = {.n = a->n, .t = a->t};
    if (a->n > 0 && a->slot >= 0 && a->slot < m->n_slot) {
        snprintf(note.place, sizeof note.place, "%s", m->slot[a->slot].name);
    }
    return note;
}

/* Energies and works. */
static void put_ledger(const sp_ledger *l, sp_run_outcome *out)
{
    out->initial = l->initial;
    out->kinetic = l->kinetic;
    out->potential = l->potential;
    out->dampers = l->dampers;
    out->applied = l->applied;
    out->driven = l->driven;
    out->friction = l->friction;
    out->impacts = l->impacts;
    out->projection = l->projection;
    out->discretisation = l->discretisation;
    out->balance = l->balance;
    out->worst_contact_work = l->worst_work;
    out->largest = l->scale;
    out->closure = l->worst_balance;
}

/* The worst certificate, when and where. */
static void put_certificate(const sp_model *m, const sp_run_summary *s, sp_run_outcome *out)
{
    const sp_certificate *c = &s->worst;
    const bool holds = c->complementarity <= SP_CERTIFIED && c->cone <= SP_CERTIFIED &&
                       c->momentum <= SP_CERTIFIED;
    out->complementarity = c->complementarity;
    out->cone = c->cone;
    out->dissipation = c->dissipation;
    out->momentum = c->momentum;
    out->penetration = c->gap;
    out->worst = (sp_note){.n = holds ? 0 : 1, .t = s->t_worst};
    if (!holds && c->at > 0 && c->at <= m->n_slot + m->n_bond) {
        snprintf(out->worst.place, sizeof out->worst.place, "%s", m->slot[c->at - 1].name);
    }
}

/* How it went, from the summary of the steps and the state at their end. */
static void put_outcome(const sp_model *m, const sp_state *x, const sp_run_summary *s,
                        sp_run_outcome *out)
{
    out->t = s->t;
    out->steps = s->steps;
    out->events = s->events;
    out->solves = s->solves;
    put_certificate(m, s, out);
    put_ledger(&x->ledger, out);
    memcpy(out->doubt, s->doubt, sizeof out->doubt);
    out->choice = note_of(m, &s->choice);
    out->accumulation = note_of(m, &s->zeno);
    out->met = note_of(m, &s->met);
    out->handover = note_of(m, &s->handover);
    out->implicit = s->implicit;
    out->unresolved = s->unresolved;
    out->changes = s->unique.problems;
    const sp_tally open = {.n = s->unique.open, .t = s->unique.t, .slot = s->unique.slot};
    out->not_unique = note_of(m, &open);
    if (s->steep != SP_NONE) {
        out->steep = (sp_note){.n = 1, .t = s->steep_time};
        snprintf(out->steep.place, sizeof out->steep.place, "%s", m->force[s->steep].name);
    }
    const sp_tally_beam *const beam[] = {&s->strain, &s->pressed, &s->fast};
    sp_note *const note[] = {&out->strained, &out->pressed, &out->fast};
    for (int k = 0; k < 3; k++) {
        *note[k] = (sp_note){.n = beam[k]->body > 0, .t = beam[k]->t};
        snprintf(note[k]->place, sizeof note[k]->place, "%s", m->body[beam[k]->body].name);
    }
    out->strain = s->strain.value;
    out->buckling = s->pressed.value;
    out->fastest = s->fast.value;
    if (s->bad_output != SP_NONE) {
        out->bad_output = (sp_note){.n = 1, .t = s->bad_time};
        snprintf(out->bad_output.place, sizeof out->bad_output.place, "%s",
                 m->output[s->bad_output].name);
    }
}

/* What was written of the contact problems. */
static void put_problems(const sp_problem_dump *d, sp_run_outcome *out)
{
    out->problems_seen = d->seen;
    out->problems_wanted = d->wanted;
    out->problems_written = d->written;
    snprintf(out->problems_reason, sizeof out->problems_reason, "%.*s",
             (int)sizeof out->problems_reason - 1, d->reason);
}

/* In a word. */
static sp_run_status verdict(sp_status status, const sp_doubt *doubt)
{
    long n = 0;
    for (int k = 0; k < SP_DOUBT_N; k++) {
        n += doubt[k].n;
    }
    return status == SP_E_INTERRUPTED ? SP_RUN_INTERRUPTED
           : status != SP_OK          ? SP_RUN_FAILED
           : n > 0                    ? SP_RUN_DOUBTFUL
                                      : SP_RUN_CLEAN;
}

/* Arguments that a program may get wrong. */
static sp_status check_arguments(const sp_model *m, const sp_state *x, const sp_work *w,
                                 const sp_run_options *o, const sp_run_observer *observer,
                                 sp_error *err)
{
    if (!m || !x || !w || !o) {
        return SP_FAIL(err, SP_E_INPUT, "sp_run: model, state, work or options are NULL");
    }
    if (o->size != sizeof *o) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_run: options have %zu bytes, expected %zu; they come from "
                       "sp_run_options_default of this version",
                       o->size, sizeof *o);
    }
    if (observer && observer->size != sizeof *observer) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_run: the observer's size is %zu, expected sizeof(sp_run_observer) = %zu",
                       observer->size, sizeof *observer);
    }
    if (o->checkpoint && !o->result) {
        return SP_FAIL(err, SP_E_INPUT, "sp_run: a checkpoint needs a result beside it");
    }
    return sp_run_may(m, o, err);
}

/* From the open files to the closed ones. */
static sp_status run_and_close(const sp_model *m, const sp_run_options *options, runner *run,
                               sp_run_outcome *out, sp_error *err)
{
    sp_run_options o = *options;
    sp_run_summary summary = {.t = run->x->t, .bad_output = SP_NONE, .steep = SP_NONE};
    sp_error closing = {.status = SP_OK};
    o.progress = run->keep.file ? &run->keep.progress : NULL;
    const double begun = sp_clock_now();
    sp_status status = do_steps(m, &o, run, &summary, err);
    out->seconds = sp_clock_now() - begun;
    put_measures(m, options, run);
    const sp_status closed = sp_result_close(
        run->writer, status, status == SP_OK ? NULL : err->text, summary.doubt, &closing);
    if (status == SP_OK && closed != SP_OK) {
        *err = closing;
        status = closed;
    }
    put_outcome(m, run->x, &summary, out);
    return status;
}

sp_status sp_run(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *options,
                 const sp_run_observer *observer, sp_run_outcome *outcome, sp_error *err)
{
    sp_error own = {.status = SP_OK};
    sp_run_outcome unasked, *out = outcome ? outcome : &unasked;
    runner run = {
        .user = observer, .x = x, .w = w, .keep = {.model = m, .state = x, .options = options}};
    err = err ? err : &own;
    *out = (sp_run_outcome){
        .resumed = options && options->resume, .t_0 = x ? x->t : 0.0, .t = x ? x->t : 0.0};
    sp_status status = check_arguments(m, x, w, options, observer, err);
    if (status == SP_OK) {
        status = open_files(m, options, &run, err);
        out->began = status == SP_OK;
    }
    if (out->began) {
        status = run_and_close(m, options, &run, out, err);
    }
    sp_keep_free(&run.keep);
    if (w) {
        w->watch = NULL;
    }
    put_problems(&run.dump, out);
    out->status = verdict(status, out->doubt);
    out->word = status_word[out->status];
    snprintf(out->message, sizeof out->message, "%s", status == SP_OK ? "" : err->text);
    return status;
}
