#include "cli/keep.h"

#include "base/arena.h"
#include "base/status.h"
#include "cli/progress.h"
#include "io/checkpoint.h"
#include "io/mesh_read.h"
#include "io/result_files.h"
#include "model/source_lines.h"
#include "specht/result.h"

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
            "--resume: the model is another one: '%s' was run %s%.*s, and now %s%.*s is asked for; "
            "give the same",
            result, was.n ? "with --set " : "without it", was.n, was.at,
            is.n ? "--set " : "nothing of the kind", is.n, is.at);
    return true;
}

/* Whether one of the settings is of the same name as "name=value". */
static bool is_named(line a, const sp_texts *set)
{
    const size_t n = (size_t)((const char *)memchr(a.at, '=', (size_t)a.n) - a.at) + 1;
    bool found = false;
    for (int k = 0; k < set->n && !found; k++) {
        found = strncmp(set->item[k], a.at, n) == 0;
    }
    return found;
}

bool sp_keep_settings(const char *result, const sp_texts *set, sp_arena *arena, sp_texts *kept)
{
    sp_result *old = NULL;
    *kept = (sp_texts){.n = 0};
    if (sp_result_open(result, &old, NULL) != SP_OK) {
        return true; /* told by check_overrides */
    }
    const char *text = sp_result_about(old)->overrides;
    int most = 1;
    for (const char *c = text; *c; c++) {
        most += *c == '\n';
    }
    kept->item = SP_NEW(arena, const char *, most);
    bool ok = kept->item != NULL;
    for (const char *at = text; at && ok;) {
        const line a = take_line(at, &at);
        if (memchr(a.at, '=', (size_t)a.n) && strncmp(a.at, "run.", 4) != 0 && !is_named(a, set)) {
            kept->item[kept->n] = sp_arena_text(arena, a.at, (size_t)a.n);
            ok = kept->item[kept->n++] != NULL;
        }
    }
    sp_result_free(old);
    return ok;
}

/* SP_E_INPUT if a setting of the model is another one than in the run that wrote `result`, also one
 * that only its expressions have, which the checkpoint does not tell apart. */
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
                       "--resume: '%s' cannot be read, and it tells what the run was made with "
                       "(--set); keep it beside its checkpoint",
                       result);
    }
    return differs ? SP_E_INPUT : SP_OK;
}

/* The next line that tells of the machine; of length 0 at the end. */
static line next_line(sp_source_walk *walk, int *number)
{
    sp_source_line l = {.at = "", .n = 0, .number = walk->number};
    const bool found = sp_source_next(walk, &l);
    *number = l.number;
    return found ? (line){l.at, l.n} : (line){"", 0};
}

/* Say in which line a file of the model is another one; false: in none that tells of the machine.
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
                    "--resume: %s was another one when '%s' was run: line %d was '%.*s' and is "
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
                    "--resume: %s was another one when '%s' was run (%zu bytes, now %zu); the old "
                    "one is in that result, dataset /files/%d",
                    name, result, was.n, now.n, i);
            return true;
        }
    }
    return false;
}

/* The state in the checkpoint is that of another model: say what is another, if the result tells;
 * else err stays as it is. */
static void say_difference(const char *result, const sp_machine *machine, sp_error *err)
{
    const sp_model *m = machine->model;
    sp_result *old = NULL;
    char *now = overrides_of(m);
    if (now && sp_result_open(result, &old, NULL) == SP_OK) {
        const sp_result_info *info = sp_result_about(old);
        if (!say_override(result, info->overrides, now, err) && m->source_text &&
            !say_text(result, "the model file", info->model_text, m->source_text, err)) {
            (void)say_file(old, result, machine->spec, err);
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
                    "--resume: the run of '%s' was ended before its first checkpoint, which comes "
                    "after %g s of computing; run it again: %.300s",
                    result, EVERY, command);
        }
        sp_result_free(old);
    }
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

sp_status sp_keep_begin(sp_keep *k, const char *result, sp_error *err)
{
    const size_t n = sp_state_bytes(k->machine->model);
    k->file = name_of(result);
    k->state = malloc(n);
    k->options->progress = &k->progress;
    k->saved = sp_cli_clock();
    return k->file && k->state ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
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
                       "--resume: the run was begun with method '%s', and it is '%s' now; give "
                       "the same",
                       sp_method_name((sp_method)a->method), sp_method_name(o->method));
    }
    if (o->method == SP_METHOD_EVENT && (a->chosen != 0) != o->chosen) {
        return SP_FAIL(err, SP_E_INPUT,
                       "--resume: the run was begun with method '%s', and it is '%s' now, which "
                       "%s where events come densely; give the same",
                       a->chosen ? "auto" : "event", a->chosen ? "event" : "auto",
                       a->chosen ? "does not go on by adaptive steps"
                                 : "goes on by adaptive steps");
    }
    for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
        if (setting[k].was != setting[k].is) {
            return SP_FAIL(err, SP_E_INPUT,
                           "--resume: the run was begun with %s = %.10g%s, and it is %.10g%s now; "
                           "give the same",
                           setting[k].name, setting[k].was, setting[k].unit, setting[k].is,
                           setting[k].unit);
        }
    }
    return SP_OK;
}

sp_status sp_keep_resume(sp_keep *k, const char *result, sp_error *err)
{
    about a;
    size_t n_memory;
    sp_run_options *o = k->options;
    char *name = name_of(result);
    if (!name) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    const sp_status status = sp_checkpoint_read(name, k->machine->model, k->machine->state, &a,
                                                sizeof a, &k->memory, &n_memory, err);
    if (status == SP_E_IO) {
        say_none_yet(result, name, err);
    }
    free(name);
    if (status == SP_E_INPUT) { /* it is whole */
        say_difference(result, k->machine, err);
    }
    SP_TRY(status);
    if (!(k->machine->model->run.output_step > 0.0)) {
        o->output_step = a.output_step; /* it followed from an end that is another one now */
    }
    SP_TRY(check_overrides(result, k->machine->model, err));
    SP_TRY(check_settings(&a, o, err));
    const double t = k->machine->state->t;
    if (!(t < o->until)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "--resume: that run got to t = %g s, and until = %g s; give a later --until",
                       t, o->until);
    }
    k->begin = a.progress;
    k->begin.memory = k->memory;
    k->begin.n_memory = n_memory;
    o->resume = &k->begin;
    return SP_OK;
}

/* Save where the run stands; the frames first, so that a kill leaves none out in between. */
static sp_status save(sp_keep *k, sp_error *err)
{
    if (k->writer) {
        SP_TRY(sp_result_flush(k->writer, err));
    }
    about a;
    sp_checkpoint c = {.about = &a, .n_about = sizeof a};
    const sp_model *m = k->machine->model;
    memset(&a, 0, sizeof a); /* the gaps too */
    a.method = (int)k->options->method;
    a.chosen = k->options->chosen;
    a.step = k->options->step;
    a.tolerance = k->options->tolerance;
    a.output_step = k->options->output_step;
    a.progress = k->progress;
    a.progress.memory = NULL; /* a place in this process */
    k->saved = sp_cli_clock();
    if (k->progress.memory) { /* the state and more, as they were together */
        c.memory = k->progress.memory;
        c.n_memory = k->progress.n_memory;
    } else {
        sp_state_pack(m, k->machine->state, k->state);
        c.memory = k->state;
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
    return r->sampled && r->dt > 0.0 && sp_cli_clock() >= k->saved + EVERY ? save(k, err) : SP_OK;
}

sp_observer sp_keep_observer(sp_keep *k)
{
    return (sp_observer){.step = watch, .ctx = k};
}

sp_status sp_keep_end(sp_keep *k, sp_error *err)
{
    return k->file ? save(k, err) : SP_OK;
}

void sp_keep_free(sp_keep *k)
{
    free(k->file);
    free(k->state);
    free(k->memory);
    k->file = NULL;
    k->state = k->memory = NULL;
}
