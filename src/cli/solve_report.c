#include "cli/solve_report.h"

#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FILE_WIDTH = 36, N_TAU = 6 };

/* Where the performance profile is extent. */
static const double tau[N_TAU] = {1.0, 2.0, 5.0, 10.0, 100.0, 1000.0};

const char *sp_solve_status(const sp_solve_case *c, int run)
{
    if (c->error[0]) {
        return "bad-input";
    }
    if (!c->run[run].applies) {
        return "not-applicable";
    }
    switch (c->run[run].answer.verdict) {
    case SP_PROBLEM_SOLVED:
        return "solved";
    case SP_PROBLEM_NOT_UNIQUE:
        return "solved-not-unique";
    case SP_PROBLEM_INFEASIBLE:
        return "infeasible";
    case SP_PROBLEM_NOT_SOLVED:
        break;
    }
    return "not-solved";
}

bool sp_solve_is_solved(const sp_solve_run *r)
{
    return r->applies &&
           (r->answer.verdict == SP_PROBLEM_SOLVED || r->answer.verdict == SP_PROBLEM_NOT_UNIQUE);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* The end of a path that is too long for its column. */
static const char *short_name(const char *file, int width, char *buffer, size_t size)
{
    const size_t n = strlen(file);
    if (n <= (size_t)width) {
        return file;
    }
    snprintf(buffer, size, "...%s", file + n - (size_t)width + 3);
    return buffer;
}

/* "0.13 ms" */
static void time_text(double seconds, char *buffer, size_t size)
{
    if (seconds < 1e-3) {
        snprintf(buffer, size, "%.3g us", 1e6 * seconds);
    } else if (seconds < 1.0) {
        snprintf(buffer, size, "%.3g ms", 1e3 * seconds);
    } else {
        snprintf(buffer, size, "%.3g s", seconds);
    }
}

/* Letters that the longest name of a file needs. */
static int file_width(int n, const sp_solve_case *c)
{
    size_t width = 4;
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(c[i].file);
        width = length > width ? length : width;
    }
    return width < FILE_WIDTH ? (int)width : FILE_WIDTH;
}

/* What should be known about a matrix that is not as matrices should be. */
static void print_note(const sp_solve_case *c)
{
    if (c->info.indefinite) {
        printf("  note: %s: the matrix is indefinite: %s\n", c->file, c->info.why);
    }
    if (c->info.asymmetry > 1e-12) {
        printf("  note: %s: the matrix is unsymmetric by %.1e of its size; taken as it is\n",
               c->file, c->info.asymmetry);
    }
    if (c->run[0].answer.rank_lost > 0 && c->run[0].answer.verdict == SP_PROBLEM_NOT_UNIQUE) {
        printf("  note: %s: forces are one choice of many (%d dependent rows)%s\n", c->file,
               c->run[0].answer.rank_lost,
               c->run[0].answer.motion_unique == 1 ? ", the motion is unique" : "");
    }
}

/* Which of the two residuals decides about the status. */
static void print_measure(bool fclib, double tol)
{
    printf("  * counts: solved means %s <= %g; %s (--tol, --measure %s counts the other)\n",
           fclib ? "fclib" : "scaled", tol,
           fclib ? "FCLIB's error, natural map over |c|"
                 : "natural map of each contact over its velocities",
           fclib ? "scaled" : "fclib");
}

void sp_solve_print(int n, const sp_solve_case *c, const sp_problem_options *o)
{
    const int width = file_width(n, c);
    const bool fclib = o->measure == SP_MEASURE_FCLIB;
    printf("  %-*s %8s %13s %10s %10s %9s %9s  %-17s %s\n", width, "file", "contacts",
           "rank of rows", "iterations", "time", fclib ? "scaled" : "scaled*",
           fclib ? "fclib*" : "fclib", "status", "way");
    for (int i = 0; i < n; i++) {
        char name[FILE_WIDTH + 8], rank[32], time[32];
        const sp_solve_run *r = &c[i].run[0];
        if (c[i].error[0]) {
            continue; /* said on stderr */
        }
        if (c[i].info.rank >= 0) {
            snprintf(rank, sizeof rank, "%d of %d", c[i].info.rank, c[i].info.n);
        } else {
            snprintf(rank, sizeof rank, "? of %d", c[i].info.n);
        }
        time_text(r->seconds, time, sizeof time);
        printf("  %-*s %8d %13s %10ld %10s %9.1e %9.1e  %-17s %s\n", width,
               short_name(c[i].file, width, name, sizeof name), c[i].info.n_contact, rank,
               r->answer.iterations, time, r->answer.certificate.scaled,
               r->answer.certificate.fclib, sp_solve_status(&c[i], 0), r->answer.path);
    }
    print_measure(fclib, o->tol);
    for (int i = 0; i < n; i++) {
        if (!c[i].error[0]) {
            print_note(&c[i]);
        }
    }
}

/* ---- comparison ---------------------------------------------------------------------------- */

/* Any file that has runs: all have the same solvers. */
static const sp_solve_case *any_run(int n, const sp_solve_case *c)
{
    for (int i = 0; i < n; i++) {
        if (c[i].n_run > 0) {
            return &c[i];
        }
    }
    return NULL;
}

/* The time of the best solver, infinite if none solves it. */
static double best_time(const sp_solve_case *c)
{
    double best = INFINITY;
    for (int k = 0; k < c->n_run; k++) {
        if (sp_solve_is_solved(&c->run[k]) && c->run[k].seconds < best) {
            best = c->run[k].seconds;
        }
    }
    return best;
}

/* How many problems solver k solves, and of those how many within tau times the best. */
static int count_within(int n, const sp_solve_case *c, int k, double limit)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const sp_solve_run *r = &c[i].run[k];
        count += k < c[i].n_run && sp_solve_is_solved(r) && r->seconds <= limit * best_time(&c[i]);
    }
    return count;
}

/* How many problems were posed at all. */
static int count_posed(int n, const sp_solve_case *c)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += c[i].n_run > 0;
    }
    return count;
}

/* Times, file by solver. */
static void print_times(int n, const sp_solve_case *c, const sp_solve_case *any)
{
    const int width = file_width(n, c);
    printf("  %-*s %8s", width, "time", "contacts");
    for (int k = 0; k < any->n_run; k++) {
        printf(" %10s", any->run[k].solver);
    }
    printf("\n");
    for (int i = 0; i < n; i++) {
        char name[FILE_WIDTH + 8], time[32];
        if (c[i].n_run == 0) {
            continue;
        }
        printf("  %-*s %8d", width, short_name(c[i].file, width, name, sizeof name),
               c[i].info.n_contact);
        for (int k = 0; k < c[i].n_run; k++) {
            const sp_solve_run *r = &c[i].run[k];
            time_text(r->seconds, time, sizeof time);
            printf(" %10s", sp_solve_is_solved(r) ? time : r->applies ? "fails" : "-");
        }
        printf("\n");
    }
}

void sp_solve_print_compare(int n, const sp_solve_case *c)
{
    const sp_solve_case *any = any_run(n, c);
    if (!any) {
        return;
    }
    const int posed = count_posed(n, c);
    print_times(n, c, any);
    printf("\n  %-12s %10s", "solver", "solved");
    for (int t = 0; t < N_TAU; t++) {
        printf("  <= %4g x", tau[t]);
    }
    printf("   the best\n");
    for (int k = 0; k < any->n_run; k++) {
        printf("  %-12s %4d of %-3d", any->run[k].solver, count_within(n, c, k, INFINITY), posed);
        for (int t = 0; t < N_TAU; t++) {
            printf(" %8.0f %%", 100.0 * count_within(n, c, k, tau[t]) / posed);
        }
        printf("\n");
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

/* What a run found; number, or null where the run does not apply. */
static void json_run(sp_json *j, const sp_solve_case *c, int k)
{
    const sp_solve_run *r = &c->run[k];
    sp_json_text(j, "status", sp_solve_status(c, k));
    sp_json_text(j, "solver", r->solver);
    if (!r->applies) {
        return;
    }
    sp_json_text(j, "path", r->answer.path);
    sp_json_integer(j, "iterations", r->answer.iterations);
    sp_json_number(j, "seconds", r->seconds);
    sp_json_number(j, "residual", r->answer.certificate.scaled);
    sp_json_number(j, "residual_fclib", r->answer.certificate.fclib);
    sp_json_object(j, "certificate");
    sp_json_number(j, "penetration", r->answer.certificate.penetration);
    sp_json_number(j, "cone", r->answer.certificate.cone);
    sp_json_number(j, "gap_work", r->answer.certificate.gap_work);
    sp_json_number(j, "dissipation", r->answer.certificate.dissipation);
    sp_json_number(j, "work", r->answer.certificate.work);
    sp_json_end(j);
    sp_json_integer(j, "islands", r->answer.n_island);
    sp_json_integer(j, "largest_island", r->answer.largest);
    if (r->answer.rank_lost >= 0) {
        sp_json_integer(j, "dependent_rows", r->answer.rank_lost);
    } else {
        sp_json_null(j, "dependent_rows");
    }
    if (r->answer.motion_unique >= 0) {
        sp_json_bool(j, "motion_unique", r->answer.motion_unique == 1);
    } else {
        sp_json_null(j, "motion_unique");
    }
}

/* What is known about the matrix. */
static void json_matrix(sp_json *j, const sp_solve_case *c)
{
    sp_json_text(j, "format", c->info.format);
    sp_json_integer(j, "dimension", c->info.dim);
    sp_json_integer(j, "contacts", c->info.n_contact);
    sp_json_integer(j, "bilateral_rows", c->info.n_free);
    sp_json_integer(j, "rows", c->info.n);
    if (c->info.rank >= 0) {
        sp_json_integer(j, "rank", c->info.rank);
    } else {
        sp_json_null(j, "rank");
    }
    sp_json_number(j, "asymmetry", c->info.asymmetry);
    sp_json_bool(j, "indefinite", c->info.indefinite);
}

/* One file. */
static void json_case(sp_json *j, const sp_solve_case *c, bool compare)
{
    sp_json_object(j, NULL);
    sp_json_text(j, "file", c->file);
    if (c->error[0]) {
        sp_json_text(j, "status", sp_solve_status(c, 0));
        sp_json_text(j, "error", c->error);
        sp_json_end(j);
        return;
    }
    json_matrix(j, c);
    if (!compare) {
        json_run(j, c, 0);
    } else {
        sp_json_array(j, "runs");
        for (int k = 0; k < c->n_run; k++) {
            sp_json_object(j, NULL);
            json_run(j, c, k);
            sp_json_end(j);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The performance profile. */
static void json_profile(sp_json *j, int n, const sp_solve_case *c)
{
    const sp_solve_case *any = any_run(n, c);
    sp_json_array(j, "profile");
    for (int k = 0; any && k < any->n_run; k++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "solver", any->run[k].solver);
        sp_json_integer(j, "problems", count_posed(n, c));
        sp_json_integer(j, "solved", count_within(n, c, k, INFINITY));
        sp_json_array(j, "within");
        for (int t = 0; t < N_TAU; t++) {
            sp_json_object(j, NULL);
            sp_json_number(j, "times_best", tau[t]);
            sp_json_integer(j, "solved", count_within(n, c, k, tau[t]));
            sp_json_end(j);
        }
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_solve_json(int n, const sp_solve_case *c, bool compare)
{
    sp_json j;
    sp_json_init(&j, stdout);
    const bool list = n > 1 || compare;
    if (compare) {
        sp_json_object(&j, NULL);
    } else {
        j.lines = list;
    }
    if (list) {
        sp_json_array(&j, compare ? "problems" : NULL);
    }
    for (int i = 0; i < n; i++) {
        json_case(&j, &c[i], compare);
    }
    if (list) {
        sp_json_end(&j);
    }
    if (compare) {
        json_profile(&j, n, c);
        sp_json_end(&j);
    }
    putchar('\n');
}
