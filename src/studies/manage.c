/* studies/manage.c - who runs which points, and what is kept of them.
 *
 * Points go out in the order of their numbers, blocks of them at a time; what comes back is
 * appended to the journal at once.  The result is made from the journal in the order of the points,
 * so that nothing of who ran what, and when, is in it. */
#define _GNU_SOURCE
#include "base/clock.h"
#include "base/status.h"
#include "studies/crew.h"
#include "studies/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_MAX = 64, JOBS_MAX = 4096 };
#define BLOCK_TIME 0.01 /* s that a block takes: no other worker waits longer for the last one */
#define LOOK_EVERY 0.1  /* s between two looks at who wants to stop       */
#define PATIENCE   5.0  /* s above twice the limit before a worker is ended */

/* What a worker has to do. */
typedef struct duty {
    bool busy;
    sp_task task;
    uint64_t done;
    double since; /* clock when it began its present point */
} duty;

typedef struct manager {
    sp_study *s;
    const sp_study_options *o;
    const sp_crew_kind *kind;
    sp_crew *crew;
    sp_journal journal;
    int n_worker;
    duty *duty;
    uint64_t next; /* points before it are given or done           */
    bool *taken;   /* chains that are given, each with its way back */
    bool *again;   /* chains that are run again from some point on  */
    sp_task *rest; /* of workers that were lost                    */
    int n_rest;
    sp_outcome outcome; /* room */
    sp_study_progress progress;
    uint64_t ran;     /* points that were not there before, ... */
    double computing; /* s that workers took for them           */
    double begun, looked;
} manager;

sp_study_options sp_study_options_default(void)
{
    return (sp_study_options){.size = sizeof(sp_study_options), .shard = 1, .shards = 1};
}

/* ---- which points ------------------------------------------------------------------------------
 */

/* How many chains there are; the way back of one is part of it. */
static uint64_t count_chains(const sp_study *s)
{
    return s->n_point / s->n_chain / (s->both ? 2 : 1);
}

static uint64_t chain_of(const sp_study *s, uint64_t point)
{
    return point / s->n_chain % count_chains(s);
}

static bool is_way_back(const sp_study *s, uint64_t point)
{
    return s->both && point >= s->n_point / 2;
}

/* Whether this shard runs the chain of a point. */
static bool is_ours(const manager *g, uint64_t point)
{
    return (int)(chain_of(g->s, point) % (uint64_t)g->journal.shards) == g->journal.shard - 1;
}

/* The next point from `at` on that is to be run, n_point: there is none. */
static uint64_t next_point(const manager *g, uint64_t at)
{
    while (at < g->s->n_point && (!is_ours(g, at) || sp_journal_has(&g->journal, at) ||
                                  (is_way_back(g->s, at) && g->taken[chain_of(g->s, at)]))) {
        at++;
    }
    return at;
}

/* How many points one after the other a worker gets from `first` on: as many as take so long that
 * asking for the next ones is nothing against it, by what points took so far; no more, as those
 * that take long may lie together. */
static uint64_t block_from(const manager *g, uint64_t first)
{
    const sp_study *s = g->s;
    if (s->n_chain > 1) {
        return s->n_chain - first % s->n_chain;
    }
    const uint64_t left = g->progress.n - g->progress.done;
    uint64_t most = left / (uint64_t)(4 * g->n_worker), n = 1;
    const double fit = g->ran > 0 ? BLOCK_TIME * (double)g->ran / g->computing : 1.0;
    most = most > BLOCK_MAX ? BLOCK_MAX : most;
    most = (double)most > fit ? (uint64_t)fit : most;
    while (n < most && first + n < s->n_point && is_ours(g, first + n) &&
           !sp_journal_has(&g->journal, first + n)) {
        n++;
    }
    return n;
}

/* The points from `first` on; of a chain all, and its way back. */
static sp_task task_from(manager *g, uint64_t first)
{
    const sp_study *s = g->s;
    sp_task task = {.first = first, .n = block_from(g, first)};
    if (s->both && !is_way_back(s, first)) {
        task.n = s->n_chain - first % s->n_chain;
        task.back = s->n_point / 2 + first / s->n_chain * s->n_chain;
        task.n_back = s->n_chain;
        g->taken[chain_of(s, first)] = true;
    }
    return task;
}

/* Where point `first` of a chain begins: where the last one before it ended that has an end. */
static sp_status find_carry(manager *g, uint64_t first, sp_error *err)
{
    const sp_study *s = g->s;
    const uint64_t half = s->n_point / 2;
    g->outcome.n_carry = 0;
    for (uint64_t i = first;;) {
        if (i % s->n_chain > 0) {
            i--;
        } else if (is_way_back(s, i)) {
            i = i - half + s->n_chain - 1;
        } else {
            return SP_OK;
        }
        SP_TRY(sp_journal_get(s, &g->journal, i, &g->outcome, err));
        if (g->outcome.n_carry > 0) {
            return SP_OK;
        }
    }
}

/* Give worker k something to do, if there is anything; *given. */
static sp_status give_work(manager *g, int k, bool *given, sp_error *err)
{
    sp_study *s = g->s;
    sp_task task = {.n_row = 0};
    if (g->n_rest > 0) {
        task = g->rest[--g->n_rest];
    } else {
        g->next = next_point(g, g->next);
        if (g->next == s->n_point) {
            return SP_OK;
        }
        task = task_from(g, g->next);
        g->next += task.n;
    }
    const bool rows = s->kind == SP_OPTIMIZE;
    task.n_row = rows ? s->n_axis - s->n_drawn : 0;
    SP_TRY(find_carry(g, task.first, err));
    task.n_carry = g->outcome.n_carry;
    g->duty[k] = (duty){.busy = true, .task = task, .since = sp_clock_now()};
    *given = true;
    return g->kind->give(g->crew, k, &task,
                         rows ? s->given + task.first * (uint64_t)task.n_row : NULL,
                         g->outcome.carry, err);
}

/* ---- what comes back ----------------------------------------------------------------------------
 */

/* Count an outcome. */
static void count_outcome(manager *g, int status, double worst)
{
    g->progress.done++;
    g->progress.bad += status >= SP_POINT_FAILED;
    g->progress.worst = worst > g->progress.worst ? worst : g->progress.worst;
}

/* Keep an outcome that a worker sent. */
static sp_status keep_outcome(manager *g, const sp_news *news, sp_error *err)
{
    duty *d = &g->duty[news->worker];
    if (!sp_outcome_unpack(g->s, news->bytes, news->n, &g->outcome) ||
        g->outcome.point != sp_task_point(&d->task, d->done)) {
        return SP_FAIL(err, SP_E_IO, "a worker sent what cannot be read");
    }
    const double now = sp_clock_now();
    g->computing += now - d->since;
    g->ran++;
    d->done++;
    d->since = now;
    count_outcome(g, g->outcome.status, g->outcome.worst);
    return sp_journal_add(&g->journal, g->outcome.point, news->bytes, news->n, err);
}

/* The point that a worker was at has ended with it. */
static sp_status give_up_point(manager *g, int k, sp_point_status status, const char *why,
                               sp_error *err)
{
    duty *d = &g->duty[k];
    sp_bytes b = {NULL, 0, 0};
    if (!d->busy) {
        return SP_OK;
    }
    d->busy = false;
    if (d->done == d->task.n + d->task.n_back) {
        return SP_OK; /* it was at none any more, and had not said so yet */
    }
    if (status == SP_POINT_CRASHED && !(d->done == 0 && d->task.tried)) {
        /* somebody else may have ended the worker: once more */
        g->rest[g->n_rest] = sp_task_rest(&d->task, d->done);
        g->rest[g->n_rest++].tried = 1;
        return SP_OK;
    }
    double *nothing = malloc(((size_t)g->s->n_measure + 1) * sizeof *nothing);
    for (int i = 0; nothing && i < g->s->n_measure; i++) {
        nothing[i] = NAN;
    }
    sp_outcome o = {
        .point = sp_task_point(&d->task, d->done), .status = (int)status, .measure = nothing};
    snprintf(o.message, sizeof o.message, "%s", why);
    sp_status result = nothing && sp_outcome_pack(g->s, &o, &b)
                           ? sp_journal_add(&g->journal, o.point, b.data, b.n, err)
                           : SP_FAIL(err, SP_E_MEMORY, "no memory");
    g->ran++;
    count_outcome(g, o.status, 0.0);
    const sp_task rest = sp_task_rest(&d->task, d->done + 1);
    if (rest.n > 0) {
        g->rest[g->n_rest++] = rest;
    }
    free(nothing);
    sp_bytes_free(&b);
    return result;
}

/* End workers that are stuck. */
static sp_status end_stuck(manager *g, sp_error *err)
{
    const double limit = g->s->limit;
    for (int k = 0; limit > 0.0 && k < g->n_worker; k++) {
        if (g->duty[k].busy && sp_clock_now() - g->duty[k].since > 2.0 * limit + PATIENCE) {
            char why[80];
            snprintf(why, sizeof why, "after %g s of computing it did not listen any more", limit);
            SP_TRY(give_up_point(g, k, SP_POINT_LIMIT, why, err));
            SP_TRY(g->kind->replace(g->crew, k, err));
        }
    }
    return SP_OK;
}

/* ---- the loop -----------------------------------------------------------------------------------
 */

/* Tell where it stands, and hear whether to stop. */
static sp_status look(manager *g, sp_error *err)
{
    const double t = sp_clock_now();
    if (t - g->looked < LOOK_EVERY) {
        return SP_OK;
    }
    g->looked = t;
    g->progress.seconds = t - g->begun;
    if (g->o->progress) {
        g->o->progress(g->o->ctx, &g->progress);
    }
    SP_TRY(end_stuck(g, err));
    return g->o->stop && g->o->stop(g->o->ctx)
               ? SP_FAIL(err, SP_E_INTERRUPTED, "stopped with %llu of %llu points done",
                         (unsigned long long)g->progress.done, (unsigned long long)g->progress.n)
               : SP_OK;
}

/* Give work to all that have none; *any: somebody works. */
static sp_status employ(manager *g, bool *any, sp_error *err)
{
    *any = false;
    for (int k = 0; k < g->n_worker; k++) {
        if (!g->duty[k].busy) {
            bool given = false;
            SP_TRY(give_work(g, k, &given, err));
        }
        *any = *any || g->duty[k].busy;
    }
    return SP_OK;
}

/* Until all points that there are now are done. */
static sp_status run_points(manager *g, sp_error *err)
{
    bool any;
    SP_TRY(employ(g, &any, err));
    while (any) {
        sp_news news;
        SP_TRY(g->kind->wait(g->crew, LOOK_EVERY, &news, err));
        if (news.kind == SP_NEWS_OUTCOME) {
            SP_TRY(keep_outcome(g, &news, err));
        } else if (news.kind == SP_NEWS_IDLE) {
            g->duty[news.worker].busy = false;
        } else if (news.kind == SP_NEWS_LOST) {
            SP_TRY(give_up_point(g, news.worker, SP_POINT_CRASHED, news.text, err));
        }
        SP_TRY(look(g, err));
        SP_TRY(employ(g, &any, err)); /* also those that came for stuck ones */
    }
    return SP_OK;
}

/* sp_measure_reader: of a point that is done. */
static sp_status read_measures(void *ctx, uint64_t point, int *status, double *measure,
                               sp_error *err)
{
    manager *g = ctx;
    SP_TRY(sp_journal_get(g->s, &g->journal, point, &g->outcome, err));
    *status = g->outcome.status;
    memcpy(measure, g->outcome.measure, (size_t)g->s->n_measure * sizeof *measure);
    return SP_OK;
}

/* Whether a point may end in another way if it is run again. */
static bool is_to_retry(int status)
{
    return status >= SP_POINT_FAILED && status != SP_POINT_INVALID;
}

/* Points that are wanted, and those that are done already.  Behind one that is run again those of
 * its chain are run again, too. */
static sp_status count_points(manager *g, sp_error *err)
{
    const sp_study *s = g->s;
    g->progress = (sp_study_progress){
        .best = g->progress.best, .seconds = g->progress.seconds, .most = g->progress.most};
    for (uint64_t i = 0; i < g->s->n_point; i++) {
        if (!is_ours(g, i)) {
            continue;
        }
        g->progress.n++;
        if (sp_journal_has(&g->journal, i)) {
            SP_TRY(sp_journal_get(g->s, &g->journal, i, &g->outcome, err));
            bool *again = s->chained ? &g->again[chain_of(s, i)] : NULL;
            if ((again && *again) || (g->o->retry && is_to_retry(g->outcome.status))) {
                sp_journal_forget(&g->journal, i);
                if (again) {
                    *again = true;
                }
            } else {
                count_outcome(g, g->outcome.status, g->outcome.worst);
            }
        }
    }
    g->progress.resumed = g->progress.done - g->ran;
    g->progress.most = s->kind == SP_OPTIMIZE ? g->progress.most : g->progress.n;
    return SP_OK;
}

/* All points, generation by generation where there are such. */
static sp_status run_all(manager *g, sp_error *err)
{
    sp_study *s = g->s;
    if (s->kind != SP_OPTIMIZE) {
        SP_TRY(count_points(g, err));
        return run_points(g, err);
    }
    g->progress.most = s->n_point;
    s->n_point = 0;
    for (uint64_t n = 0;;) {
        SP_TRY(sp_goal_advance(s, read_measures, g, &n, err));
        g->progress.best = sp_goal_best(s);
        if (n == s->n_point) {
            return SP_OK;
        }
        s->n_point = n;
        SP_TRY(count_points(g, err));
        g->next = 0;
        SP_TRY(run_points(g, err));
    }
}

/* Open what is needed, run, and close it. */
static sp_status run_crew(manager *g, sp_error *err)
{
    int n = g->kind->count(g->o->jobs);
    n = n > JOBS_MAX ? JOBS_MAX : n;
    const uint64_t chains = count_chains(g->s);
    n = g->s->kind != SP_OPTIMIZE && (uint64_t)n > chains ? (int)chains : n;
    g->n_worker = n;
    g->taken = calloc((size_t)(g->s->chained ? chains : 0) + 1, sizeof *g->taken);
    g->again = calloc((size_t)(g->s->chained ? chains : 0) + 1, sizeof *g->again);
    g->duty = calloc((size_t)n, sizeof *g->duty);
    g->rest = calloc((size_t)n, sizeof *g->rest);
    if (!g->duty || !g->rest || !g->taken || !g->again) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for workers");
    }
    SP_TRY(g->kind->start(g->s, n, &g->crew, err));
    const sp_status status = run_all(g, err);
    g->kind->end(g->crew);
    g->progress.seconds = sp_clock_now() - g->begun;
    return status;
}

/* Points are run again from the journal, which a result of merged shards has not. */
static sp_status check_retry(const char *result, sp_error *err)
{
    const sp_table *t;
    uint64_t n = 0;
    SP_TRY(sp_table_open(result, &t, err));
    for (uint64_t i = 0; i < t->n_point; i++) {
        n += is_to_retry(t->status[i]);
    }
    sp_table_free(t);
    return n == 0 ? SP_OK
                  : SP_FAIL(err, SP_E_INPUT,
                            "'%.200s' has %llu such points, but '%.200s.journal' is not there: run "
                            "the shards that it was merged from with --retry failed, or all with "
                            "--fresh",
                            result, (unsigned long long)n, result);
}

sp_status sp_study_run(sp_study *s, const sp_study_options *o, sp_study_progress *outcome,
                       sp_error *err)
{
    char journal[4096];
    const bool part = o->shards > 1;
    sp_study_progress unasked;
    outcome = outcome ? outcome : &unasked;
    *outcome = (sp_study_progress){.n = s->n_point, .most = s->n_point, .best = NAN};
    if (o->size != sizeof *o || !o->result || o->shard < 1 || o->shard > o->shards) {
        return SP_FAIL(err, SP_E_INPUT, "sp_study_run: options are not complete");
    }
    if (part && s->kind == SP_OPTIMIZE) {
        return SP_FAIL(err, SP_E_INPUT,
                       "optimize: its generations follow from each other and have no shards");
    }
    s->stiff = o->stiff;
    snprintf(journal, sizeof journal, part ? "%s" : "%s.journal", o->result);
    if (!part && !o->fresh && access(journal, F_OK) != 0 && sp_table_is_of(s, o->result)) {
        SP_TRY(o->retry ? check_retry(o->result, err) : SP_OK);
        outcome->done = outcome->resumed = outcome->n;
        return SP_OK;
    }
    manager g = {.s = s,
                 .o = o,
                 .kind = o->crew ? o->crew : &sp_crew_processes,
                 .begun = sp_clock_now(),
                 .journal = {.fd = -1}};
    g.progress.best = NAN;
    const sp_journal_mode mode = o->fresh ? SP_JOURNAL_FRESH : SP_JOURNAL_GO_ON;
    sp_status status = sp_journal_open(s, journal, o->shard, o->shards, mode, &g.journal, err);
    status = status == SP_OK ? run_crew(&g, err) : status;
    *outcome = g.progress;
    if (status == SP_OK && !part) {
        status = sp_table_write(s, 1, &g.journal, o->result, err);
        if (status == SP_OK && g.progress.bad == 0) {
            unlink(journal);
        }
    }
    sp_journal_close(&g.journal);
    sp_outcome_free(&g.outcome);
    free(g.duty);
    free(g.rest);
    free(g.taken);
    free(g.again);
    return status;
}

sp_status sp_study_merge(sp_study *s, int n, const char *const *part, const char *result,
                         sp_error *err)
{
    sp_journal *journal = calloc((size_t)n + 1, sizeof *journal);
    sp_status status = journal ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
    int opened = 0;
    for (; status == SP_OK && opened < n; opened++) {
        status = sp_journal_open(s, part[opened], 0, 0, SP_JOURNAL_READ, &journal[opened], err);
    }
    status = status == SP_OK ? sp_table_write(s, n, journal, result, err) : status;
    for (int k = 0; k < opened; k++) {
        sp_journal_close(&journal[k]);
    }
    free(journal);
    return status;
}
