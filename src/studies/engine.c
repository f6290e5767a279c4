/* studies/engine.c - one point of a study: built into memory that is used again, and run. */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/status.h"
#include "base/worse.h"
#include "studies/findings.h"
#include "studies/kind.h"

#include "specht/channel.h"
#include "specht/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 18, CLOCK_EVERY = 64, TRIED_MAX = 100 };

/* Blocks of memory that are handed out from front to back and taken back all at once. */
typedef struct block {
    struct block *next;
    size_t size;
    max_align_t memory[];
} block;

typedef struct pool {
    block *first, *now;
    size_t used;
} pool;

struct sp_engine {
    sp_study *s;
    pool memory;
    sp_arena texts;
    sp_outcome out;
    double begun; /* clock when the point began, s */
    bool late;    /* it was ended by the limit     */
    sp_basin_walk *walk;
    bool found; /* it was ended because its attractor is known */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* sp_allocator: the next bytes of the pool. */
static void *take(void *ctx, size_t bytes)
{
    pool *p = ctx;
    const size_t whole = (bytes + 63) / 64 * 64;
    while (p->now && p->now->size - p->used < whole && p->now->next) {
        p->now = p->now->next;
        p->used = 0;
    }
    if (!p->now || p->now->size - p->used < whole) {
        const size_t size = whole > BLOCK ? whole : BLOCK;
        block *b = malloc(sizeof *b + size);
        if (!b) {
            return NULL;
        }
        *b = (block){.next = NULL, .size = size};
        if (p->now) {
            p->now->next = b;
        } else {
            p->first = b;
        }
        p->now = b;
        p->used = 0;
    }
    char *memory = (char *)p->now->memory + p->used;
    p->used += whole;
    return memory;
}

/* sp_allocator: nothing goes back before the end of the point. */
static void leave(void *ctx, void *memory)
{
    (void)ctx;
    (void)memory;
}

sp_status sp_engine_new(sp_study *s, sp_engine **engine, sp_error *err)
{
    sp_engine *e = calloc(1, sizeof *e);
    *engine = e;
    if (!e) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a worker");
    }
    e->s = s;
    sp_arena_init(&e->texts, NULL, 0);
    e->out.measure = calloc((size_t)s->n_measure * 2 + 1, sizeof *e->out.measure);
    e->walk = s->basin ? sp_basin_walk_new(s) : NULL;
    return e->out.measure && (e->walk || !s->basin)
               ? SP_OK
               : SP_FAIL(err, SP_E_MEMORY, "no memory for a worker");
}

void sp_engine_free(sp_engine *e)
{
    if (!e) {
        return;
    }
    for (block *b = e->memory.first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    sp_arena_free(&e->texts);
    sp_basin_walk_free(e->walk);
    free(e->out.measure);
    free(e->out.sample);
    free(e->out.carry);
    sp_bytes_free(&e->out.extra);
    free(e);
}

/* ---- watching a run -------------------------------------------------------------------------- */

/* sp_run_observer: end what takes too long. */
static sp_status watch(void *ctx, double t, long steps, long events, sp_error *err)
{
    sp_engine *e = ctx;
    (void)events;
    if (steps % CLOCK_EVERY == 0 && sp_clock_now() - e->begun > e->s->limit) {
        e->late = true;
        return SP_FAIL(err, SP_E_INTERRUPTED, "after %g s of computing at t = %.9g s", e->s->limit,
                       t);
    }
    return SP_OK;
}

/* sp_run_observer: keep a sample. */
static sp_status keep(void *ctx, double t, int n, const double *value, sp_error *err)
{
    sp_engine *e = ctx;
    sp_outcome *o = &e->out;
    const size_t row = 1 + (size_t)n;
    if (o->n_sample == o->n_room) {
        const uint64_t room = o->n_room > 0 ? 2 * o->n_room : 256;
        double *larger = realloc(o->sample, (size_t)room * row * sizeof *larger);
        if (!larger) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for samples");
        }
        o->sample = larger;
        o->n_room = room;
    }
    o->sample[o->n_sample * row] = t;
    memcpy(o->sample + o->n_sample * row + 1, value, (size_t)n * sizeof *value);
    o->n_sample++;
    if (e->walk) {
        SP_TRY(sp_basin_walk_step(e->walk, value, &e->found, err));
    }
    return e->found ? SP_FAIL(err, SP_E_INTERRUPTED, "its attractor is known") : SP_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* How many numbers a state of the machine has. */
static int count_state(const sp_machine *c)
{
    return c->m->n_q + c->m->n_dof + c->m->n_aux;
}

/* Begin where the point before ended, at the time at which the model begins. */
static void carry_over(sp_engine *e, const sp_machine *c, int n, const double *carry)
{
    const double *u = carry + c->m->n_q, *z = u + c->m->n_dof;
    if (n == count_state(c)) {
        sp_state_set(c->m, c->x, sp_state_time(c->x), carry, u);
        memcpy(c->x->z, z, (size_t)c->m->n_aux * sizeof *z);
    } else {
        snprintf(e->out.message, sizeof e->out.message,
                 "begins at the model's start: the point before has a state of another size");
    }
}

/* Keep where it ended. */
static sp_status keep_end(sp_engine *e, const sp_machine *c, sp_error *err)
{
    const int n_q = c->m->n_q, n_u = c->m->n_dof, n = count_state(c);
    sp_outcome *o = &e->out;
    if (!e->s->chained) {
        return SP_OK;
    }
    if (o->carry_room < n) {
        free(o->carry);
        o->carry = malloc((size_t)n * sizeof *o->carry);
        o->carry_room = o->carry ? n : 0;
    }
    if (n > 0 && !o->carry) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    memcpy(o->carry, sp_state_q(c->x), (size_t)n_q * sizeof *o->carry);
    memcpy(o->carry + n_q, sp_state_u(c->x), (size_t)n_u * sizeof *o->carry);
    memcpy(o->carry + n_q + n_u, c->x->z, (size_t)c->m->n_aux * sizeof *o->carry);
    o->n_carry = n;
    return SP_OK;
}

sp_study *sp_engine_study(sp_engine *e)
{
    return e->s;
}

sp_outcome *sp_engine_outcome(sp_engine *e)
{
    return &e->out;
}

sp_arena *sp_engine_texts(sp_engine *e)
{
    return &e->texts;
}

double *sp_engine_own(sp_engine *e)
{
    return e->out.measure + e->s->n_measure - e->s->n_own;
}

sp_status sp_engine_is_late(sp_engine *e, double t, sp_error *err)
{
    return e->s->limit > 0.0 ? watch(e, t, 0, 0, err) : SP_OK;
}

/* What measures and samples are taken of must be there. */
static sp_status check_window(const sp_engine *e, const sp_run_options *o, sp_error *err)
{
    const bool wanted = e->s->n_keep > 0 || o->measures;
    return !wanted || o->measure_from < o->until
               ? SP_OK
               : SP_FAIL(err, SP_E_INPUT,
                         "run: measure_from = %g s, expected a time before the end of the run, %g "
                         "s: a longer until, or an earlier measure_from",
                         o->measure_from, o->until);
}

/* Run to the end of the options; the outcome of several runs is the worst of them. */
sp_status sp_engine_run_once(sp_engine *e, sp_machine *c, sp_error *err)
{
    sp_run_outcome outcome;
    const sp_study *s = e->s;
    const sp_run_observer observer = {.size = sizeof observer,
                                      .ctx = e,
                                      .step = s->limit > 0.0 ? watch : NULL,
                                      .sample = s->n_keep > 0 ? keep : NULL};
    c->o.measures = s->n_measure > s->n_own ? e->out.measure : NULL;
    if (c->o.method != SP_METHOD_ADAPTIVE) { /* whose steps end at frames */
        c->o.output_step = c->o.until - sp_state_time(c->x);
    }
    SP_TRY(check_window(e, &c->o, err));
    const sp_status status = sp_run(c->m, c->x, c->w, &c->o, &observer, &outcome, err);
    e->out.worst = sp_worse(sp_worse(e->out.worst, outcome.complementarity),
                            sp_worse(outcome.cone, outcome.momentum));
    if (outcome.status == SP_RUN_DOUBTFUL && e->out.status == SP_POINT_CLEAN) {
        e->out.status = SP_POINT_DOUBTFUL;
        for (int k = SP_DOUBT_N - 1; k >= 0; k--) {
            if (outcome.doubt[k].n > 0) {
                snprintf(e->out.message, sizeof e->out.message, "%s %ld times, first at t = %.6g s",
                         sp_doubt_name((sp_doubt_kind)k), outcome.doubt[k].n, outcome.doubt[k].t);
            }
        }
    }
    return status;
}

/* Whether no measure changed by more than the tolerance, of the larger of both values. */
static bool is_settled(const sp_engine *e, const double *before)
{
    bool settled = true;
    for (int k = 0; k < e->s->n_measure; k++) {
        const double now = e->out.measure[k], change = fabs(now - before[k]);
        settled = settled && change <= e->s->settling.tolerance * fmax(fabs(now), fabs(before[k]));
    }
    return settled;
}

/* Block after block until measures stay as they are.   theory (80.7) */
static sp_status run_settling(sp_engine *e, sp_machine *c, sp_error *err)
{
    const sp_study *s = e->s;
    const double length = c->o.until, begin = sp_state_time(c->x);
    double *before = e->out.measure + s->n_measure;
    for (int k = 0; k < s->settling.most; k++) {
        memcpy(before, e->out.measure, (size_t)s->n_measure * sizeof *before);
        c->o.measure_from = begin + k * length;
        c->o.until = begin + (k + 1) * length;
        e->out.n_sample = 0;
        SP_TRY(sp_engine_run_once(e, c, err));
        if (k > 0 && is_settled(e, before)) {
            return SP_OK;
        }
    }
    if (e->out.status == SP_POINT_CLEAN) {
        e->out.status = SP_POINT_UNSETTLED;
        snprintf(e->out.message, sizeof e->out.message, "measures still change after %d blocks",
                 s->settling.most);
    }
    return SP_OK;
}

/* Run until the attractor is known; its samples are what stays. */
static sp_status run_walk(sp_engine *e, sp_machine *c, sp_error *err)
{
    sp_outcome *o = &e->out;
    const size_t row = 1 + (size_t)e->s->n_keep;
    uint64_t first = 0;
    sp_basin_walk_begin(e->walk);
    const sp_status status = sp_engine_run_once(e, c, err);
    if (e->found) {
        double *own = o->measure + e->s->n_measure - e->s->n_own;
        o->n_sample = sp_basin_walk_end(e->walk, o->sample, o->n_sample, &first, own);
        memmove(o->sample, o->sample + first * row, (size_t)o->n_sample * row * sizeof *o->sample);
        return SP_OK;
    }
    if (status == SP_OK) {
        o->status = SP_POINT_UNSETTLED;
        snprintf(o->message, sizeof o->message, "no attractor after %llu samples",
                 (unsigned long long)o->n_sample);
    }
    o->n_sample = 0;
    return status;
}

/* Build the model of the point in the spec; status of the point if that fails. */
sp_status sp_engine_build(sp_engine *e, sp_machine *c, sp_error *err)
{
    const sp_allocator allocator = {.alloc = take, .release = leave, .ctx = &e->memory};
    sp_work_free(c->w);
    sp_state_free(c->x);
    sp_model_free(c->m);
    *c = (sp_machine){.m = NULL};
    e->memory.now = e->memory.first;
    e->memory.used = 0;
    SP_TRY(sp_model_build(e->s->model, &allocator, &c->m, err));
    SP_TRY(sp_state_new(c->m, &allocator, &c->x, err));
    SP_TRY(sp_work_new(c->m, &allocator, &c->w, err));
    SP_TRY(sp_run_options_default(c->m, &c->o, err));
    c->o.stiff = e->s->stiff;
    return SP_OK;
}

const sp_outcome *sp_engine_run(sp_engine *e, uint64_t i, const double *row, int n_carry,
                                const double *carry)
{
    sp_error err = {.status = SP_OK};
    sp_machine c = {.m = NULL};
    sp_outcome *o = &e->out;
    o->point = i;
    o->status = SP_POINT_CLEAN;
    o->worst = 0.0;
    o->message[0] = '\0';
    o->n_sample = 0;
    o->n_carry = 0;
    o->extra.n = 0;
    e->late = e->found = false;
    e->begun = sp_clock_now();
    for (int k = 0; k < e->s->n_measure; k++) {
        o->measure[k] = NAN;
    }
    sp_arena_reset(&e->texts);
    sp_status status =
        sp_points_put(e->s, i, row, &e->texts) ? sp_engine_build(e, &c, &err) : SP_E_MEMORY;
    if (status != SP_OK) {
        o->status = SP_POINT_INVALID;
    } else {
        if (carry) {
            carry_over(e, &c, n_carry, carry);
        }
        status = e->s->runner           ? e->s->runner->run(e, &c, &err)
                 : e->walk              ? run_walk(e, &c, &err)
                 : e->s->settling.block ? run_settling(e, &c, &err)
                                        : sp_engine_run_once(e, &c, &err);
        if (status != SP_OK) {
            o->status = e->late ? SP_POINT_LIMIT : SP_POINT_FAILED;
            o->n_sample = e->late ? 0 : o->n_sample;
            o->extra.n = 0;
        } else {
            status = keep_end(e, &c, &err);
        }
    }
    if (status != SP_OK) {
        snprintf(o->message, sizeof o->message, "%.470s", err.text);
        for (int k = 0; k < e->s->n_measure; k++) {
            o->measure[k] = NAN;
        }
    }
    sp_work_free(c.w);
    sp_state_free(c.x);
    sp_model_free(c.m);
    return o;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names and units of all items of a kind. */
static bool learn_items(sp_study *s, const sp_model *m, sp_item_kind kind, const char ***name,
                        const char ***unit, int *n)
{
    const bool own = s->basin || (s->runner && s->runner->alone);
    *n = own && kind == SP_ITEM_MEASURE ? 0 : sp_model_count(m, kind);
    const int room = *n + 1 + (s->runner ? s->runner->n_own : (int)SP_BASIN_OWN);
    *name = SP_NEW(&s->arena, const char *, room);
    *unit = SP_NEW(&s->arena, const char *, room);
    bool ok = *name && *unit;
    for (int k = 0; ok && k < *n; k++) {
        (*name)[k] = sp_arena_copy(&s->arena, sp_model_item(m, kind, k));
        (*unit)[k] = sp_arena_copy(&s->arena, sp_model_unit(m, kind, k));
        ok = (*name)[k] && (*unit)[k];
    }
    return ok;
}

/* Measures of the kind of study, behind those of the model; of a basin those of its attractors
 * alone. */
static void learn_own(sp_study *s)
{
    static const char *const name[] = {"attractor", "period", "transient"};
    s->n_own = s->runner ? s->runner->n_own : s->n_own;
    for (int k = 0; k < s->n_own; k++) {
        s->measure[s->n_measure] = s->runner ? s->runner->name[k] : name[k];
        s->measure_unit[s->n_measure++] = s->runner ? s->runner->unit[k] : "1";
    }
}

/* The k-th point that is tried: all of few, of many those at multiples of the golden ratio, which
 * lie evenly and follow no axis. */
static uint64_t point_to_try(const sp_study *s, uint64_t k)
{
    const double at = (double)k * 0.6180339887498949;
    return s->n_point <= TRIED_MAX ? k : (uint64_t)((at - floor(at)) * (double)s->n_point);
}

/* Build a point for its names; the message if that fails. */
static sp_status try_point(sp_engine *e, uint64_t i, sp_machine *c, sp_error *err)
{
    sp_study *s = e->s;
    sp_arena_reset(&e->texts);
    if (!sp_points_put(s, i, s->kind == SP_OPTIMIZE ? s->given : NULL, &e->texts)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    SP_TRY(sp_engine_build(e, c, err));
    return sp_run_may(c->m, &c->o, err);
}

/* Build the first point that can be: which points cannot is a result, unless none of them can; then
 * the message is that of the first. */
static sp_status build_any(sp_engine *e, sp_machine *c, sp_error *err)
{
    const uint64_t n = e->s->kind == SP_OPTIMIZE ? 1 : e->s->n_point;
    sp_error first = {.status = SP_OK};
    sp_status status = try_point(e, 0, c, &first);
    for (uint64_t k = 1; status != SP_OK && status != SP_E_MEMORY && k < n && k < TRIED_MAX; k++) {
        sp_error why = {.status = SP_OK};
        status = try_point(e, point_to_try(e->s, k), c, &why) == SP_OK ? SP_OK : status;
    }
    if (status != SP_OK && err) {
        *err = first;
    }
    return status;
}

sp_status sp_engine_learn(sp_study *s, sp_error *err)
{
    sp_engine *e = NULL;
    sp_machine c = {.m = NULL};
    sp_status status = sp_engine_new(s, &e, err);
    status = status == SP_OK ? build_any(e, &c, err) : status;
    if (status == SP_OK &&
        !(learn_items(s, c.m, SP_ITEM_MEASURE, &s->measure, &s->measure_unit, &s->n_measure) &&
          learn_items(s, c.m, SP_ITEM_SAMPLE, &s->keep, &s->keep_unit, &s->n_keep))) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    if (status == SP_OK) {
        learn_own(s);
    }
    sp_work_free(c.w);
    sp_state_free(c.x);
    sp_model_free(c.m);
    sp_engine_free(e);
    return status;
}
