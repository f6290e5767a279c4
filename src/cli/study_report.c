#define _POSIX_C_SOURCE 200809L
#include "cli/study_report.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/status.h"
#include "cli/open.h"
#include "cli/progress.h"
#include "cli/stiff.h"
#include "cli/talk.h"
#include "ranks/ranks.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY  200000.0 /* points that are not run without being asked twice */
#define TRIAL 1.0      /* s for some of them, to say how long all would take */
#define LATE  10.0     /* s that are waited for the first of these           */
enum { LINES_MAX = 12, TRIAL_POINTS = 32 };

int sp_study_option_list(sp_study_wishes *w, sp_option *list)
{
    const sp_option all[] = {
        {"output", 'o', SP_OPTION_TEXT, "FILE", "result file", &w->output},
        {"jobs", 'j', SP_OPTION_TEXT, "N", "workers (one for every core)", &w->jobs},
        {"shard", 0, SP_OPTION_TEXT, "K/N",
         "the K-th of N parts; 'specht merge' puts them together", &w->shard},
        {"retry", 0, SP_OPTION_TEXT, "failed",
         "run points again that failed, crashed or ran out of time", &w->retry},
        {"fresh", 0, SP_OPTION_FLAG, NULL, "begin anew, whatever is there", &w->fresh},
        {"yes", 0, SP_OPTION_FLAG, NULL, "run very many points without being asked", &w->yes},
        {"csv", 0, SP_OPTION_TEXT, "FILE", "write the points as CSV, too ('-': to the screen)",
         &w->csv},
        {"json", 0, SP_OPTION_FLAG, NULL, "print the result as JSON", &w->json},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but errors", &w->quiet},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

/* ---- running -----------------------------------------------------------------------------------
 */

/* A study on the screen. */
typedef struct watcher {
    bool shown;
    const char *kind;
} watcher;

/* sp_study_options.progress: a line over itself. */
static void show(void *ctx, const sp_study_progress *p)
{
    const watcher *w = ctx;
    char done[32], all[32], left[32] = "", best[48] = "";
    const double fresh = (double)(p->done - p->resumed);
    if (!w->shown) {
        return;
    }
    const double rate = p->seconds > 0.0 ? fresh / p->seconds : 0.0;
    sp_count_text((long long)p->done, done, sizeof done);
    sp_count_text((long long)p->most, all, sizeof all);
    if (p->most == p->n && rate > 0.0) {
        snprintf(left, sizeof left, "   %.0f s left", (double)(p->n - p->done) / rate);
    }
    if (isfinite(p->best)) {
        snprintf(best, sizeof best, "   best %.9g", p->best);
    }
    fprintf(stderr, "\r  %s of %s%s points   %.3g/s%s   worst residual %.1g%s\033[K", done,
            p->most > p->n ? "at most " : "", all, rate, left, p->worst, best);
    fflush(stderr);
}

/* sp_study_options.stop */
static int wants_stop(void *ctx)
{
    (void)ctx;
    return sp_progress_step(&(sp_progress){.shown = false}, 0.0, 0, 0, NULL) != SP_OK;
}

/* "3/40" and the number of jobs; false: they are none. */
static bool read_numbers(const char *command, const sp_study_wishes *w, sp_study_options *o)
{
    char rest;
    if (w->shard && (sscanf(w->shard, "%d/%d%c", &o->shard, &o->shards, &rest) != 2 ||
                     o->shard < 1 || o->shard > o->shards || o->shards > 1000000)) {
        sp_cli_complain("%s: --shard %s, expected K/N with K from 1 to N", command, w->shard);
        return false;
    }
    char *end = NULL;
    o->jobs = w->jobs ? (int)strtol(w->jobs, &end, 10) : 0;
    if (w->jobs && (end == w->jobs || *end || o->jobs < 1 || o->jobs > 4096)) {
        sp_cli_complain("%s: --jobs %s, expected a whole number from 1", command, w->jobs);
        return false;
    }
    if (w->retry && strcmp(w->retry, "failed") != 0) {
        sp_cli_complain("%s: --retry %s, expected 'failed'", command, w->retry);
        return false;
    }
    return true;
}

/* Messages of points, each text once, with its first point. */
static void print_messages(const sp_table *t, FILE *f)
{
    uint64_t first[LINES_MAX], count[LINES_MAX], n_more = 0;
    int n = 0;
    for (uint64_t i = 0; i < t->n_message; i++) {
        int k = 0;
        while (k < n && strcmp(t->message[first[k]], t->message[i]) != 0) {
            k++;
        }
        if (k == LINES_MAX) {
            n_more++;
            continue;
        }
        first[k] = k == n ? i : first[k];
        count[k] = k == n ? 1 : count[k] + 1;
        n += k == n;
    }
    for (int k = 0; k < n; k++) {
        fprintf(f, "  point %llu", (unsigned long long)t->message_point[first[k]]);
        if (count[k] > 1) {
            fprintf(f, " and %llu more", (unsigned long long)(count[k] - 1));
        }
        fprintf(f, ": %s\n", t->message[first[k]]);
    }
    if (n_more > 0) {
        fprintf(f, "  ... and %llu messages more\n", (unsigned long long)n_more);
    }
}

/* The result in a few lines. */
static void print_summary(const sp_table *t, const sp_study_progress *p, const char *file)
{
    uint64_t count[SP_POINT_N] = {0};
    for (uint64_t i = 0; i < t->n_point; i++) {
        count[t->status[i]]++;
    }
    printf("  %s: %llu points, %llu samples   %.3g s", t->kind, (unsigned long long)t->n_point,
           (unsigned long long)t->offset[t->n_point], p->seconds);
    for (int k = SP_POINT_DOUBTFUL; k < SP_POINT_N; k++) {
        if (count[k] > 0) {
            printf("   %llu %s", (unsigned long long)count[k], t->status_word[k]);
        }
    }
    printf("\n");
    for (const char *at = t->optimum; at && *at;) {
        const size_t n = strcspn(at, "\n");
        printf("  %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    for (int k = 0; k < t->n_part; k++) {
        sp_table_print_part(&t->part[k], LINES_MAX, stdout);
    }
    print_messages(t, stdout);
    printf("  %s   %s specht plot %s   specht csv %s\n", file, sp_cli_arrow(), file, file);
}

/* Print the finished result as asked for. */
static int tell_result(const sp_study_wishes *w, const sp_study_progress *p, const char *file)
{
    const sp_table *t = NULL;
    sp_error err = {.status = SP_OK};
    if (sp_table_open(file, &t, &err) != SP_OK) {
        sp_cli_print_error(&err);
        return SP_EXIT_FAILED;
    }
    if (w->json) {
        sp_table_print_json(t, stdout);
    } else if (!w->quiet && w->csv && strcmp(w->csv, "-") == 0) {
        print_messages(t, stderr);
    } else if (!w->quiet) {
        print_summary(t, p, file);
    }
    sp_outfile out = {.file = NULL};
    if (w->csv && sp_outfile_open(&out, w->csv, &err) == SP_OK) {
        sp_table_print_csv(t, NULL, out.file);
        sp_outfile_close(&out, true, &err);
    }
    bool bad = false;
    for (uint64_t i = 0; i < t->n_point; i++) {
        bad = bad || t->status[i] >= SP_POINT_FAILED;
    }
    sp_table_free(t);
    if (err.status != SP_OK) {
        sp_cli_print_error(&err);
    }
    return err.status != SP_OK || bad ? SP_EXIT_FAILED : SP_EXIT_OK;
}

/* A clock that ends a study; later as long as no point is done. */
typedef struct sp_trial_clock {
    double end, late; /* s */
    bool done;
} sp_trial_clock;

/* sp_study_options.progress */
static void note_done(void *ctx, const sp_study_progress *p)
{
    sp_trial_clock *c = ctx;
    c->done = c->done || p->done > 0;
}

/* sp_study_options.stop */
static int is_over(void *ctx)
{
    const sp_trial_clock *c = ctx;
    return sp_clock_now() > (c->done ? c->end : c->late);
}

/* Seconds of computing that a point takes, from some of them all over the study, in a part that is
 * thrown away: ever more of them, until they take the time of the trial; NaN: none ended in it. */
static double time_points(sp_study *study, const char *result)
{
    sp_study_options o = sp_study_options_default();
    char part[4096];
    double each = NAN;
    uint64_t most = 0;
    sp_trial_clock clock = {.end = sp_clock_now() + TRIAL, .late = sp_clock_now() + LATE};
    const uint64_t n_point = sp_study_about(study).n_point;
    snprintf(part, sizeof part, "%.4000s.trial", result);
    o.result = part;
    o.jobs = o.shard = 1;
    o.fresh = true;
    o.stiff = sp_cli_stiff();
    o.stop = is_over;
    o.progress = note_done;
    o.ctx = &clock;
    sp_status status = SP_OK;
    for (uint64_t n = TRIAL_POINTS; status == SP_OK && n < n_point; n *= 8) {
        sp_study_progress p = {.done = 0};
        const double begin = sp_clock_now();
        o.shards = (int)(n_point / n);
        status = sp_study_run(study, &o, &p, NULL);
        if ((status == SP_OK || status == SP_E_INTERRUPTED) && p.done > most) {
            most = p.done;
            each = (sp_clock_now() - begin) / (double)p.done;
        }
    }
    remove(part);
    return each;
}

/* Whether so many points may be run; if not, it is said how long they would take. */
static bool may_run(const char *command, sp_study *study, const sp_study_wishes *w,
                    const char *result)
{
    char n[32], time[80] = "";
    const sp_study_info about = sp_study_about(study);
    const double points = (double)about.n_point;
    if (points <= MANY || w->yes || strcmp(about.kind, "optimize") == 0) {
        return true;
    }
    sp_count_text((long long)points, n, sizeof n);
    const double each = time_points(study, result), hours = points * each / 3600.0;
    if (isfinite(each)) {
        snprintf(time, sizeof time, ", %.2g ms each, some %.2g %s of computing", 1e3 * each,
                 hours < 1.0 ? 60.0 * hours : hours, hours < 1.0 ? "minutes" : "hours");
    }
    sp_cli_complain("%s: %s points%s; run them with --yes", command, n, time);
    return false;
}

int sp_cli_run_study(const char *command, sp_study *study, const sp_study_wishes *w,
                     const char *name)
{
    sp_study_options o = sp_study_options_default();
    sp_study_progress p;
    sp_error err = {.status = SP_OK};
    watcher watch = {.shown = !w->quiet && sp_cli_is_terminal(stderr)};
    if (!read_numbers(command, w, &o) ||
        !may_run(command, study, w, w->output ? w->output : name)) {
        sp_study_free(study);
        return SP_EXIT_USAGE;
    }
    o.result = w->output ? w->output : name;
    o.fresh = w->fresh;
    o.retry = w->retry != NULL;
    o.stiff = sp_cli_stiff();
    o.stop = wants_stop;
    o.progress = show;
    o.ctx = &watch;
    o.crew = sp_ranks_crew();
    if (sp_ranks_serve(study, o.stiff)) {
        sp_study_free(study);
        return SP_EXIT_OK;
    }
    sp_interrupt_catch(NULL);
    const sp_status status = sp_study_run(study, &o, &p, &err);
    if (watch.shown) {
        fputs("\r\033[K", stderr);
    }
    sp_study_free(study);
    if (status == SP_E_INTERRUPTED) {
        sp_cli_complain("%s; what is done is kept, the same command goes on", err.text);
        return SP_EXIT_AGAIN;
    }
    if (status != SP_OK) {
        sp_cli_print_error(&err);
        return status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
    }
    if (o.shards > 1) {
        if (!w->quiet) {
            printf("  shard %d/%d: %llu points   %.3g s\n  %s   %s specht merge\n", o.shard,
                   o.shards, (unsigned long long)p.done, p.seconds, o.result, sp_cli_arrow());
        }
        return SP_EXIT_OK;
    }
    return tell_result(w, &p, o.result);
}
