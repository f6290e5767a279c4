/* api/load.c - a machine from its model file in one call, with all there is to say about it. */

#include "analysis/start.h"
#include "integrators/step_rule.h"
#include "integrators/stepper.h"
#include "io/yaml_read.h"
#include "model/build.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>

#define MANY_STEPS 1e10 /* a run of more steps is announced */
#define NOWHERE    ((sp_place){NULL, 0, 0})

/* An error without a place. */
static sp_status note(sp_diag *diag, sp_status status, const char *text)
{
    sp_diag_add(diag, SP_ERROR, NOWHERE, "%s", text);
    return status;
}

/* An error of another function. */
static sp_status note_error(sp_diag *diag, const sp_error *err)
{
    const sp_place place = {err->file[0] ? err->file : NULL, err->line, err->column};
    sp_diag_add(diag, SP_ERROR, place, "%s", err->text);
    return err->status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* "--output-step=2 ms" is run.output_step, and errors of that leaf name the option. */
static sp_status apply_option(sp_spec *spec, const char *assignment, sp_error *err)
{
    const size_t length = strcspn(assignment, "=");
    const char *option = sp_arena_text(&spec->arena, assignment, length);
    char *text = sp_arena_printf(&spec->arena, "run.%s", assignment + 2);
    if (!option || !text) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    for (char *c = text; *c && *c != '='; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    SP_TRY(sp_spec_override(spec, text, err));
    const char *key = sp_arena_text(&spec->arena, text + 4, length - 2);
    sp_node *leaf = key ? sp_node_get(sp_node_get(spec->root, "run"), key) : NULL;
    if (leaf) {
        leaf->place = (sp_place){option, 0, 0};
    }
    return SP_OK;
}

/* Read the file and apply the assignments. */
static sp_status read_spec(sp_spec *spec, const char *path, int n, const char *const *assignment,
                           sp_diag *diag)
{
    const sp_status status = sp_yaml_read_file(spec, path, diag);
    if (status == SP_E_MEMORY) {
        return note(diag, status, "out of memory while reading the model");
    }
    if (spec->root->n_child == 0) { /* nothing that could be looked at */
        return diag->n_error == 0 ? SP_OK : status == SP_OK ? SP_E_INPUT : status;
    }
    for (int i = 0; i < n; i++) {
        sp_error err = {.status = SP_OK};
        const bool option = strncmp(assignment[i], "--", 2) == 0;
        if ((option ? apply_option(spec, assignment[i], &err)
                    : sp_spec_override(spec, assignment[i], &err)) != SP_OK) {
            note_error(diag, &err);
        }
    }
    return SP_OK;
}

/* The start state, and what stands idle in it. */
static sp_status make_state(const sp_model *m, sp_state **state, sp_diag *diag)
{
    sp_view *view = NULL;
    sp_status status = sp_start_state(m, NULL, state, diag);
    if (status != SP_OK) {
        return status == SP_E_INPUT ? status : note(diag, status, sp_status_text(status));
    }
    status = sp_view_take(m, *state, &view, NULL);
    if (status == SP_OK) {
        status = sp_idle_check(m, *state, view, diag);
    }
    sp_view_free(view);
    return status == SP_OK ? SP_OK : note(diag, status, "out of memory");
}

/* As sp_model_load, the errors in the order they were found. */
static sp_status load(sp_spec *spec, const char *path, int n, const char *const *assignment,
                      sp_model **model, sp_state **state, sp_diag *diag)
{
    SP_TRY(read_spec(spec, path, n, assignment, diag));
    sp_status status = sp_model_compile(spec, NULL, model, diag);
    if (status == SP_E_MEMORY) {
        return note(diag, status, "out of memory while building the model");
    }
    if (status == SP_OK && diag->n_error == 0) {
        return state ? make_state(*model, state, diag) : SP_OK;
    }
    return status == SP_OK ? SP_E_INPUT : status;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Number of a file in the order of reading, -1 if it is none of them. */
static int file_rank(const sp_spec *spec, const char *file)
{
    int rank = 0;
    for (const sp_source *s = spec ? spec->first_source : NULL; s && file; s = s->next, rank++) {
        if (strcmp(s->file, file) == 0) {
            return rank;
        }
    }
    return -1;
}

/* Whether a stands behind b in the files. */
static bool is_behind(const sp_spec *spec, const sp_message *a, const sp_message *b)
{
    const int rank_a = file_rank(spec, a->place.file), rank_b = file_rank(spec, b->place.file);
    if (rank_a != rank_b) {
        return rank_a > rank_b;
    }
    return a->place.line != b->place.line ? a->place.line > b->place.line
                                          : a->place.column > b->place.column;
}

/* Put the messages into the order of their places: files are mended from top to bottom. */
static void sort_messages(sp_diag *diag, const sp_spec *spec)
{
    sp_message *sorted = NULL, *next;
    for (sp_message *m = diag->first; m; m = next) {
        next = m->next;
        sp_message **at = &sorted;
        while (*at && !is_behind(spec, *at, m)) {
            at = &(*at)->next;
        }
        m->next = *at;
        *at = m;
    }
    diag->first = diag->last = sorted;
    while (diag->last && diag->last->next) {
        diag->last = diag->last->next;
    }
}

/* Hand messages on, and the first error into err. */
static sp_status finish(const sp_diag *diag, const sp_listener *listener, sp_status status,
                        sp_error *err)
{
    for (const sp_message *m = diag->first; m && listener && listener->hear; m = m->next) {
        listener->hear(listener->ctx, m);
    }
    if (listener && listener->hear && diag->n_error > SP_DIAG_MAX) {
        char text[64];
        snprintf(text, sizeof text, "%d more errors", diag->n_error - SP_DIAG_MAX);
        const sp_message more = {.severity = SP_ERROR, .text = text};
        listener->hear(listener->ctx, &more);
    }
    if (status != SP_OK) {
        (void)sp_diag_status(diag, err);
        if (err) {
            err->status = status;
        }
    }
    return status;
}

sp_status sp_model_load(const char *path, int n, const char *const *assignment,
                        const sp_listener *listener, sp_spec **spec, sp_model **model,
                        sp_state **state, sp_error *err)
{
    sp_arena arena;
    sp_diag diag;
    if (!path || !model || n < 0 || (n > 0 && !assignment)) {
        return SP_FAIL(err, SP_E_INPUT, "sp_model_load: an argument is NULL, or n = %d", n);
    }
    *model = NULL;
    if (state) {
        *state = NULL;
    }
    sp_arena_init(&arena, NULL, 0);
    sp_diag_init(&diag, &arena);
    sp_spec *own = sp_spec_new(NULL);
    sp_status status = own ? load(own, path, n, assignment, model, state, &diag)
                           : note(&diag, SP_E_MEMORY, "out of memory");
    sort_messages(&diag, own);
    status = finish(&diag, listener, status, err);
    if (status != SP_OK) {
        sp_state_free(state ? *state : NULL);
        sp_model_free(*model);
        *model = NULL;
        if (state) {
            *state = NULL;
        }
    }
    if (status != SP_OK || !spec) {
        sp_spec_free(own);
        own = NULL;
    }
    if (spec) {
        *spec = own;
    }
    sp_arena_free(&arena);
    return status;
}

/* ---- before a run ---------------------------------------------------------------------------- */

/* A run that takes years says so before it begins. */
static void warn_of_length(const sp_model *m, const sp_run_options *o, sp_diag *diag)
{
    const double steps = sp_run_guess_steps(m, o);
    const bool given = o->step > 0.0;
    if (steps > MANY_STEPS) {
        sp_diag_add(diag, SP_WARNING, NOWHERE,
                    "this run takes %s%.2g steps%s: until = %g s; take a shorter --until%s, or "
                    "interrupt it where it is enough (Ctrl-C keeps the result, and with "
                    "--checkpoint it can go on)",
                    given ? "" : "more than about ", steps,
                    given ? "" : ", as long as something moves", o->until,
                    given ? " or a longer --step" : "");
    }
}

/* Contacts that the dissipation condition of the theta method does not cover.   theory (17.4) */
static void warn_of_theta(const sp_model *m, const sp_run_options *o, sp_diag *diag)
{
    const double most = sp_theta_eps_max(m->run.theta);
    for (int i = 0; o->method == SP_METHOD_THETA && i < m->n_law; i++) {
        if (m->numbers.law[i].eps_N > most * (1.0 + 1e-12)) {
            sp_diag_add(diag, SP_WARNING, NOWHERE,
                        "theta = %g suits restitution up to %.3g (theta <= 1/(1 + eps)), and law "
                        "'%s' has %g: impacts may feed energy into other forces",
                        m->run.theta, most, m->law_name[i], m->numbers.law[i].eps_N);
        }
    }
}

/* Implicit steps where no method has them. */
static void warn_of_implicit(const sp_model *m, const sp_run_options *o, sp_diag *diag)
{
    if (m->run.implicit == SP_IMPLICIT_YES && !sp_step_is_implicit(o->method)) {
        sp_diag_add(diag, SP_WARNING, NOWHERE,
                    "implicit: yes has no effect on method '%s'; 'moreau', 'moreau-mean' and "
                    "'theta' take stiff parts implicitly",
                    sp_method_name(o->method));
    }
}

/* Fewer frames than were asked for. */
static void warn_of_frames(const sp_model *m, const sp_run_options *o, sp_diag *diag)
{
    if (m->run.output_step > 0.0 && o->output_step < o->step * (1.0 - 1e-6)) {
        sp_diag_add(diag, SP_WARNING, NOWHERE,
                    "output_step = %g s is shorter than the step of '%s', %g s: the result has a "
                    "frame at every step; take a shorter --step for more",
                    o->output_step, sp_method_name(o->method), o->step);
    }
}

/* Whether it can be accelerated: masses of bodies were looked at before, those of formulas come out
 * at the start state only; and whether prescribed motion leaves stops and contacts alone. */
static sp_status check_start(const sp_model *m, const sp_state *x, double until, sp_diag *diag)
{
    sp_view *view = NULL;
    sp_error err = {.status = SP_OK};
    if (m->formula.n > 0 && sp_view_terms(m, x, NULL, NULL, &err) != SP_OK) {
        sp_diag_add(diag, SP_ERROR, m->formula.place, "formula: %s", err.text);
        return SP_E_INPUT;
    }
    sp_status status = sp_view_take(m, x, &view, &err);
    if (status == SP_OK) {
        status = sp_prescribed_check(m, x, until, view, diag);
    }
    sp_view_free(view);
    return status != SP_OK      ? note(diag, status, sp_status_text(status))
           : diag->n_error == 0 ? SP_OK
                                : SP_E_INPUT;
}

sp_status sp_run_check(const sp_model *m, const sp_state *x, const sp_run_options *o,
                       const sp_listener *listener, sp_error *err)
{
    sp_arena arena;
    sp_diag diag;
    sp_error own = {.status = SP_OK};
    if (!m || (o && o->size != sizeof *o)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_run_check: the model is NULL, or options are not from "
                       "sp_run_options_default of this version");
    }
    sp_arena_init(&arena, NULL, 0);
    sp_diag_init(&diag, &arena);
    sp_status status = o && sp_run_may(m, o, &own) != SP_OK ? note_error(&diag, &own) : SP_OK;
    if (x && status == SP_OK) {
        status = check_start(m, x, o ? o->until : 0.0, &diag);
    }
    if (o && x && status == SP_OK) {
        warn_of_length(m, o, &diag);
        warn_of_theta(m, o, &diag);
        warn_of_implicit(m, o, &diag);
        warn_of_frames(m, o, &diag);
    }
    finish(&diag, listener, status, err);
    sp_arena_free(&arena);
    return status;
}
