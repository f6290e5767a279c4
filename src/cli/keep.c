#include "cli/keep.h"

#include "base/status.h"
#include "cli/progress.h"
#include "io/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVERY 0.5 /* s of wall clock between two checkpoints */

/* What a checkpoint holds beside the state: how the run was begun, and where it stands. */
typedef struct about {
    int method;
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

sp_status sp_keep_begin(sp_keep *k, const char *result, sp_error *err)
{
    const size_t n = sp_state_bytes(k->machine->model);
    k->file = name_of(result);
    k->state = malloc(n);
    k->options->progress = &k->progress;
    k->saved = sp_cli_clock();
    return k->file && k->state ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
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
    free(name);
    SP_TRY(status);
    if (!(k->machine->model->run.output_step > 0.0)) {
        o->output_step = a.output_step; /* it followed from an end that is another one now */
    }
    if (a.method != (int)o->method || a.step != o->step || a.tolerance != o->tolerance ||
        a.output_step != o->output_step) {
        return SP_FAIL(err, SP_E_INPUT,
                       "--resume: the run was begun with method %s, step %g s, tolerance %g, "
                       "output_step %g s; give the same",
                       sp_method_name((sp_method)a.method), a.step, a.tolerance, a.output_step);
    }
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

/* sp_observer: a checkpoint now and then. */
static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    sp_keep *k = ctx;
    return r->sampled && sp_cli_clock() >= k->saved + EVERY ? save(k, err) : SP_OK;
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
