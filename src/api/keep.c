/* api/keep.c - checkpoints of a run beside its result, and going on from them. */
#define _POSIX_C_SOURCE 200809L
#include "api/keep.h"

#include "base/clock.h"
#include "io/checkpoint.h"
#include "io/mesh_read.h"
#include "io/result_files.h"
#include "model/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVERY 0.5 /* s of wall clock between two checkpoints */

/* What a checkpoint holds beside the state: how the run was begun, and where it stands. */
typedef struct about {
    int method;
    int chosen; /* by 'auto', which may leave events */
    double step, tolerance, output_step;
    sp_run_progress progress;
} about;

/* The name of a result's checkpoint; NULL: no memory. */
static char *name_of(const char *result)
{
    const size_t size = strlen(result) + sizeof ".checkpoint";
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%s.checkpoint", result);
    }
    return name;
}

/* ---- what is not as it was ------------------------------------------------------------------- */

/* One line of a text, without its end. */
typedef struct line {
    const char *at;
    int n;
} line;

/* The line at `at`; the next one begins behind it, NULL: that was the last. */
static line take_line(const char *at, const char **next)
{
    const size_t n = strcspn(at, "\n");
    *next = at[n] ? at + n + 1 : NULL;
    return (line){at, (int)n};
}

/* Whether two lines are the same. */
static bool same_line(line a, line b)
{
    return a.n == b.n && strncmp(a.at, b.at, (size_t)a.n) == 0;
}

/* The first line of `text` that `other` lacks, settings of section 'run' left out, which are
 * compared by themselves; of length 0 if there is none. */
static line lacking(const char *text, const char *other)
{
    for (const char *at = text; at;) {
        const line a = take_line(at, &at);
        bool found = a.n == 0 || strncmp(a.at, "run.", 4) == 0;
        for (const char *from = other; from && !found;) {
            found = same_line(a, take_line(from, &from));
        }
        if (!found) {
            return a;
        }
    }
    return (line){"", 0};
}

/* The overrides of a model, one per line; NULL: no memory. */
static char *overrides_of(const sp_model *m)
{
    size_t size = 1;
    for (int k = 0; k < m->n_override; k++) {
        size += strlen(m->override_text[k]) + 1;
    }
    char *text = malloc(size), *at = text;
    if (text) {
        *text = '\0';
    }
    for (int k = 0; text && k < m->n_override; k++) {
        at += sprintf(at, "%s%s", k > 0 ? "\n" : "", m->override_text[k]);
    }
    return text;
}

/* Say which parameter is another one than in the run that wrote `result`; false: none is. */
static bool say_override(const char *result, const char *before, const char *now, sp_error *err)
{
    const line was = lacking(before, now), is = lacking(now, before);
    if (was.n == 0 && is.n == 0) {
        return false;
    }
    SP_FAIL(err, SP_E_INPUT,
            "resume: the model is another one: '%s' was run %s%.*s, and now %s%.*s is asked for; "
            "give the same",
            result, was.n ? "with --set " : "without it", was.n, was.at,
            is.n ? "--set " : "nothing of the kind", is.n, is.at);
    return true;
}

/* SP_E_INPUT if a setting of the model is another one than in the run that wrote `result`, also one
 * that only its expressions have, which are the same to the checkpoint. */
static sp_status check_overrides(const char *result, const sp_model *m, sp_error *err)
{
    sp_result *old = NULL;
    char *now = overrides_of(m);
    bool differs = false;
    const bool open = sp_result_open(result, &old, NULL) == SP_OK;
    if (now && open) {
        differs = say_override(result, sp_result_about(old)->overrides, now, err);
    }
    if (open) {
        sp_result_free(old);
    }
    free(now);
    if (!open) {
        return SP_FAIL(err, SP_E_IO,
                       "resume: '%s' cannot be read, and it has the settings of the run (--set); "
                       "keep it beside its checkpoint",
                       result);
    }
    return differs ? SP_E_INPUT : SP_OK;
}

/* The next line that describes the machine; of length 0 at the end. */
static line next_line(sp_source_walk *walk, int *number)
{
    sp_source_line l = {.at = "", .n = 0, .number = walk->number};
    const bool found = sp_source_next(walk, &l);
    *number = l.number;
    return found ? (line){l.at, l.n} : (line){"", 0};
}

/* Say in which line a file of the model is another one; false: in none that describes the machine.
 * file: "the model file", or which of them. */
static bool say_text(const char *result, const char *file, const char *before, const char *now,
                     sp_error *err)
{
    sp_source_walk from = {.at = before}, to = {.at = now};
    line was, is;
    do {
        int number_before, number;
        was = next_line(&from, &number_before);
        is = next_line(&to, &number);
        if (!same_line(was, is)) {
            SP_FAIL(err, SP_E_INPUT,
                    "resume: %s was another one when '%s' was run: line %d was '%.*s' and is "
                    "'%.*s'",
                    file, result, is.n ? number : number_before, was.n < 80 ? was.n : 80, was.at,
                    is.n < 80 ? is.n : 80, is.at);
            return true;
        }
    } while (was.n > 0);
    return false;
}

/* Whether two mesh files give other triangles, as the fingerprint has them: comments may change.
 * Files that cannot be read are compared as they are. */
static bool other_mesh(const sp_stored_file *was, const sp_stored_file *is)
{
    sp_arena arena;
    sp_mesh_file a, b;
    bool other = was->n != is->n || memcmp(was->bytes, is->bytes, is->n) != 0;
    sp_arena_init(&arena, NULL, 0);
    if (other && sp_mesh_read(is->name, was->bytes, was->n, &arena, &a, NULL) == SP_OK &&
        sp_mesh_read(is->name, is->bytes, is->n, &arena, &b, NULL) == SP_OK) {
        other = a.n_vertex != b.n_vertex || a.n_tri != b.n_tri ||
                memcmp(a.vertex, b.vertex, (size_t)b.n_vertex * sizeof *b.vertex) != 0 ||
                memcmp(a.tri, b.tri, (size_t)b.n_tri * sizeof *b.tri) != 0;
    }
    sp_arena_free(&arena);
    return other;
}

/* Say which of the other files is another one than when `old` was run; false: none is. */
static bool say_file(sp_result *old, const char *result, const sp_spec *spec, sp_error *err)
{
    const int n = sp_spec_n_file(spec);
    for (int i = 0; i < n && i < sp_result_n_file(old); i++) {
        const sp_stored_file now = sp_spec_file(spec, i);
        sp_stored_file was;
        char name[300];
        snprintf(name, sizeof name, "file '%.280s'", now.name);
        if (sp_result_file(old, i, &was, NULL) != SP_OK || was.mesh != now.mesh) {
            return false;
        }
        if (!now.mesh && say_text(result, name, was.bytes, now.bytes, err)) {
            return true;
        }
        if (now.mesh && other_mesh(&was, &now)) {
            SP_FAIL(err, SP_E_INPUT,
                    "resume: %s was another one when '%s' was run (%zu bytes, now %zu); the old "
                    "one is in that result, dataset /files/%d",
                    name, result, was.n, now.n, i);
            return true;
        }
    }
    return false;
}

/* The state in the checkpoint is that of another model: say what is another, if the result says so;
 * else err stays as it is. */
static void say_difference(const char *result, const sp_model *m, const sp_spec *spec,
                           sp_error *err)
{
    sp_result *old = NULL;
    char *now = overrides_of(m);
    if (now && sp_result_open(result, &old, NULL) == SP_OK) {
        const sp_result_info *info = sp_result_about(old);
        if (!say_override(result, info->overrides, now, err) && m->source_text &&
            !say_text(result, "the model file", info->model_text, m->source_text, err) && spec) {
            (void)say_file(old, result, spec, err);
        }
        sp_result_free(old);
    }
    free(now);
}

/* There is no checkpoint: say so if the run was to keep one and ended before it; else err stays. */
static void say_none_yet(const char *result, const char *checkpoint, sp_error *err)
{
    sp_result *old = NULL;
    FILE *file = fopen(checkpoint, "rb");
    if (file) {
        fclose(file);
    } else if (sp_result_open(result, &old, NULL) == SP_OK) {
        const char *command = sp_result_about(old)->command;
        if (command && strstr(command, " --checkpoint")) {
            SP_FAIL(err, SP_E_IO,
                    "resume: the run of '%s' was ended before its first checkpoint, which comes "
                    "after %g s of computing; run it again: %.300s",
                    result, EVERY, command);
        }
        sp_result_free(old);
    }
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

sp_status sp_keep_begin(sp_keep *k, sp_error *err)
{
    k->file = name_of(k->options->result);
    k->room = malloc(sp_state_bytes(k->model));
    k->saved = sp_clock_now();
    return k->file && k->room ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* Settings that make the motion what it is, or its frames, are those that the run was begun with;
 * else the first that is not, with both values. */
static sp_status check_settings(const about *a, const sp_run_options *o, sp_error *err)
{
    const struct {
        const char *name, *unit;
        double was, is;
    } setting[] = {{"step", " s", a->step, o->step},
                   {"tolerance", "", a->tolerance, o->tolerance},
                   {"output_step", " s", a->output_step, o->output_step}};
    if (a->method != (int)o->method) {
        return SP_FAIL(err, SP_E_INPUT,
                       "resume: the run was begun with method '%s', and it is '%s' now; give "
                       "the same",
                       sp_method_name((sp_method)a->method), sp_method_name(o->method));
    }
    if (o->method == SP_METHOD_EVENT && (a->chosen != 0) != o->chosen) {
        return SP_FAIL(err, SP_E_INPUT,
                       "resume: the run was begun with method '%s', and it is '%s' now, which "
                       "%s where events come densely; give the same",
                       a->chosen ? "auto" : "event", a->chosen ? "event" : "auto",
                       a->chosen ? "does not go on by short steps" : "goes on by short steps");
    }
    for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
        if (setting[k].was != setting[k].is) {
            return SP_FAIL(err, SP_E_INPUT,
                           "resume: the run was begun with %s = %.10g%s, and it is %.10g%s now; "
                           "give the same",
                           setting[k].name, setting[k].was, setting[k].unit, setting[k].is,
                           setting[k].unit);
        }
    }
    return SP_OK;
}

/* The progress of a run that was left, and what its method remembers, in the arena of the work. */
static sp_status remember(sp_work *w, const about *a, const unsigned char *memory, size_t n,
                          sp_run_options *o, sp_error *err)
{
    sp_run_progress *begin = SP_NEW(&w->arena, sp_run_progress, 1);
    unsigned char *bytes = SP_NEW(&w->arena, unsigned char, n + 1);
    if (!begin || !bytes) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    memcpy(bytes, memory, n);
    *begin = a->progress;
    begin->memory = bytes;
    begin->n_memory = n;
    o->resume = begin;
    return SP_OK;
}

/* Whether the run may go on from there with these options. */
static sp_status check_resumed(const sp_model *m, const char *result, const about *a, double t,
                               sp_run_options *o, sp_error *err)
{
    if (!(m->run.output_step > 0.0)) {
        o->output_step = a->output_step; /* it followed from an end that is another one now */
    }
    SP_TRY(check_overrides(result, m, err));
    SP_TRY(check_settings(a, o, err));
    return t < o->until ? SP_OK
                        : SP_FAIL(err, SP_E_INPUT,
                                  "resume: that run got to t = %g s, and until = %g s; give a "
                                  "later --until",
                                  t, o->until);
}

sp_status sp_run_resume(const sp_model *m, sp_state *x, sp_work *w, const char *result,
                        sp_run_options *o, sp_error *err)
{
    about a;
    size_t n = 0;
    unsigned char *memory = NULL;
    if (!m || !x || !w || !result || !o || o->size != sizeof *o) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_run_resume: an argument is NULL, or options are not "
                       "from sp_run_options_default of this version");
    }
    char *name = name_of(result);
    if (!name) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    sp_status status = sp_checkpoint_read(name, m, x, &a, sizeof a, &memory, &n, err);
    if (status == SP_E_IO) {
        say_none_yet(result, name, err);
    } else if (status == SP_E_INPUT) { /* it is whole */
        say_difference(result, m, o->spec, err);
    }
    free(name);
    if (status == SP_OK) {
        status = check_resumed(m, result, &a, x->t, o, err);
    }
    if (status == SP_OK) {
        status = remember(w, &a, memory, n, o, err);
    }
    free(memory);
    return status;
}

/* Save where the run stands; the frames first, so that a kill leaves none out in between. */
static sp_status save(sp_keep *k, sp_error *err)
{
    if (k->writer) {
        SP_TRY(sp_result_flush(k->writer, err));
    }
    about a;
    sp_checkpoint c = {.about = &a, .n_about = sizeof a};
    const sp_model *m = k->model;
    memset(&a, 0, sizeof a); /* the gaps too */
    a.method = (int)k->options->method;
    a.chosen = k->options->chosen;
    a.step = k->options->step;
    a.tolerance = k->options->tolerance;
    a.output_step = k->options->output_step;
    a.progress = k->progress;
    a.progress.memory = NULL; /* a place in this process */
    k->saved = sp_clock_now();
    if (k->progress.memory) { /* the state and more, as they were together */
        c.memory = k->progress.memory;
        c.n_memory = k->progress.n_memory;
    } else {
        sp_state_pack(m, k->state, k->room);
        c.memory = k->room;
        c.n_memory = sp_state_bytes(m);
    }
    return sp_checkpoint_write(k->file, &c, err);
}

/* sp_observer: a checkpoint now and then, but none of the start, where methods have no memory yet.
 */
static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    sp_keep *k = ctx;
    return r->sampled && r->dt > 0.0 && sp_clock_now() >= k->saved + EVERY ? save(k, err) : SP_OK;
}

sp_observer sp_keep_observer(sp_keep *k)
{
    return (sp_observer){.step = watch, .ctx = k, .skips = true};
}

sp_status sp_keep_end(sp_keep *k, sp_error *err)
{
    return k->file ? save(k, err) : SP_OK;
}

void sp_keep_free(sp_keep *k)
{
    free(k->file);
    free(k->room);
    k->file = NULL;
    k->room = NULL;
}
