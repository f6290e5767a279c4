#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/status.h"
#include "cli/options.h"
#include "cli/solve_report.h"
#include "cli/talk.h"
#include "specht/result.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_MAX = 10000, COMPARE_REPEAT = 5 };

#define COMPARE_PATIENCE 0.5  /* of a comparison with repetitions, if these are not asked for */
#define COMPARE_SECONDS  10.0 /* for each solver, if no limit is given */

/* What the options ask for. */
typedef struct wish {
    sp_problem_options options;
    int repeat;
    double patience; /* seconds after which a run is not repeated any more */
    bool compare, anyway;
    const char *save;
} wish;

/* ---- options ------------------------------------------------------------------------------- */

/* A number between least and most out of a text; what is left as it was if text is NULL. */
static bool read_number(const char *name, const char *text, double least, double most, double *x)
{
    char *end;
    if (!text) {
        return true;
    }
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most)) {
        sp_cli_complain("solve: --%s %s: expected a number from %g to %g", name, text, least, most);
        return false;
    }
    *x = value;
    return true;
}

/* A whole number between 1 and most out of a text. */
static bool read_count(const char *name, const char *text, int most, int *n)
{
    double x = *n;
    if (!read_number(name, text, 1.0, most, &x)) {
        return false;
    }
    if (x != floor(x)) {
        sp_cli_complain("solve: --%s %s: expected a whole number", name, text);
        return false;
    }
    *n = (int)x;
    return true;
}

/* The solver of that name, or a complaint with the names there are. */
static bool check_solver(const char *name)
{
    const char *known[SP_SOLVE_RUNS + 1], *item;
    char all[512] = "";
    int n = 0;
    for (; n < SP_SOLVE_RUNS && (item = sp_problem_solver(n, NULL)) != NULL; n++) {
        known[n] = item;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "", item);
        if (strcmp(name, item) == 0) {
            return true;
        }
    }
    const char *near = sp_nearest(name, known, n);
    if (near) {
        sp_cli_complain("solve: no solver '%s', did you mean '%s'?", name, near);
    } else {
        sp_cli_complain("solve: no solver '%s', expected one of %s", name, all);
    }
    return false;
}

/* The measure of that name. */
static bool read_measure(const char *text, sp_problem_measure *measure)
{
    if (!text || strcmp(text, "fclib") == 0) {
        *measure = SP_MEASURE_FCLIB;
        return true;
    }
    *measure = SP_MEASURE_SCALED;
    if (strcmp(text, "scaled") != 0) {
        sp_cli_complain("solve: --measure %s: expected 'fclib' or 'scaled'", text);
        return false;
    }
    return true;
}

/* ---- solving ------------------------------------------------------------------------------- */

/* Memory of one problem: percussions, times of repetitions. */
typedef struct room {
    double *P, *seconds;
} room;

/* Order two doubles. */
static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Run one solver, as often as wanted; what it found is the same every time.  seconds: room for the
 * times of all repetitions. */
static sp_status run_solver(sp_contact_problem *p, const wish *want, const char *solver,
                            const room *own, sp_solve_run *r, sp_error *err)
{
    sp_problem_options o = want->options;
    sp_status status = SP_OK;
    double total = 0.0;
    int n = 0;
    o.solver = solver;
    *r = (sp_solve_run){.solver = solver};
    while (n < want->repeat && total <= want->patience && status == SP_OK) {
        const double start = sp_clock_now();
        status = sp_problem_solve(p, &o, own->P, &r->answer, err);
        own->seconds[n] = sp_clock_now() - start;
        total += own->seconds[n++];
    }
    r->applies = status == SP_OK;
    qsort(own->seconds, (size_t)n, sizeof *own->seconds, compare_doubles);
    r->seconds = 0.5 * (own->seconds[(n - 1) / 2] + own->seconds[n / 2]);
    return status;
}

/* Run what is asked for: one solver, or all of them. */
static sp_status run_all(sp_contact_problem *p, const wish *want, const room *own, sp_solve_case *c,
                         sp_error *err)
{
    if (!want->compare) {
        c->n_run = 1;
        return run_solver(p, want, want->options.solver, own, &c->run[0], err);
    }
    const char *name;
    for (int k = 0; k < SP_SOLVE_RUNS && (name = sp_problem_solver(k, NULL)) != NULL; k++) {
        (void)run_solver(p, want, name, own, &c->run[k], NULL);
        c->n_run = k + 1;
    }
    return SP_OK;
}

/* Put the file into an error that has no place. */
static sp_status place(sp_error *err, sp_status status, const char *file)
{
    if (!err->file[0]) {
        snprintf(err->file, sizeof err->file, "%s", file);
    }
    return status;
}

/* Refuse a matrix that no mechanical system has. */
static sp_status check_matrix(const sp_solve_case *c, const wish *want, sp_error *err)
{
    if (!c->info.indefinite || want->anyway) {
        return SP_OK;
    }
    const sp_status status =
        SP_FAIL(err, SP_E_INPUT,
                "the matrix is indefinite: %s; expected G = H' M^-1 H without negative "
                "eigenvalues (--anyway solves it nevertheless)",
                c->info.why);
    return place(err, status, c->file);
}

/* A file that is no contact problem: a result of a run has none in it, and the message says what it
 * is.
 */
static sp_status say_no_problem(const char *file, sp_status status, sp_error *err)
{
    sp_result *result = NULL;
    if (status != SP_E_INPUT || sp_result_open(file, &result, NULL) != SP_OK) {
        return status;
    }
    sp_result_free(result);
    status = SP_FAIL(err, SP_E_INPUT,
                     "this is the result of a run, expected a contact problem; 'specht run MODEL "
                     "--dump-problems FOLDER --dump-every 1' writes those of a run, then 'specht "
                     "solve FOLDER/*'");
    return place(err, status, file);
}

/* Solve and perhaps save a problem that was read. */
static sp_status solve_problem(const wish *want, sp_contact_problem *p, sp_solve_case *c,
                               sp_error *err)
{
    c->info = *sp_problem_about(p);
    snprintf(c->why, sizeof c->why, "%s", c->info.why);
    c->info.why = c->why; /* it outlives the problem */
    SP_TRY(check_matrix(c, want, err));
    room own = {.P = calloc((size_t)c->info.n + 1, sizeof *own.P),
                .seconds = calloc((size_t)want->repeat, sizeof *own.seconds)};
    sp_status status =
        own.P && own.seconds
            ? run_all(p, want, &own, c, err)
            : SP_FAIL(err, SP_E_MEMORY, "out of memory for %d contacts", c->info.n_contact);
    if (status != SP_OK) {
        place(err, status, c->file);
    } else if (want->save) {
        status = sp_problem_save(p, want->save, own.P, c->file, err);
    }
    free(own.P);
    free(own.seconds);
    return status;
}

/* Read, look at, solve and perhaps save one file. */
static sp_status solve_file(const wish *want, sp_solve_case *c, sp_error *err)
{
    sp_contact_problem *p = NULL;
    const sp_status read = sp_problem_load(c->file, &p, err);
    if (read != SP_OK) {
        return say_no_problem(c->file, read, err);
    }
    const sp_status status = solve_problem(want, p, c, err);
    sp_problem_free(p);
    return status;
}

/* All files; returns the exit code. */
static int solve_all(const wish *want, int n, sp_solve_case *c)
{
    int code = SP_EXIT_OK;
    for (int i = 0; i < n; i++) {
        sp_error err = {.status = SP_OK};
        const sp_status status = solve_file(want, &c[i], &err);
        if (status != SP_OK) {
            sp_cli_error_text(&err, c[i].error, sizeof c[i].error);
            sp_cli_complain("%s", c[i].error);
            c[i].n_run = 0;
            code = SP_EXIT_USAGE;
        } else if (code == SP_EXIT_OK && !want->compare && !sp_solve_is_solved(&c[i].run[0])) {
            code = SP_EXIT_FAILED;
        } else if (code == SP_EXIT_OK && want->compare) {
            bool solved = false;
            for (int k = 0; k < c[i].n_run; k++) {
                solved = solved || sp_solve_is_solved(&c[i].run[k]);
            }
            code = solved ? code : SP_EXIT_FAILED;
        }
    }
    return code;
}

/* ---- the command --------------------------------------------------------------------------- */

/* Texts of the options, before they are read. */
typedef struct texts {
    const char *solver, *tol, *measure, *seconds, *repeat, *threads;
    bool unique;
} texts;

/* Read the values of the options. */
static bool read_wish(const texts *t, int n_file, wish *want)
{
    sp_problem_options *o = &want->options;
    *o = sp_problem_options_default();
    o->solver = t->solver ? t->solver : "auto";
    o->seconds = want->compare ? COMPARE_SECONDS : 0.0;
    o->analyse = t->unique;
    want->repeat = want->compare ? COMPARE_REPEAT : 1;
    want->patience = t->repeat ? INFINITY : COMPARE_PATIENCE;
    if (want->save && (n_file > 1 || want->compare)) {
        sp_cli_complain("solve: --save takes one file and one solver");
        return false;
    }
    return check_solver(o->solver) && read_measure(t->measure, &o->measure) &&
           read_number("tol", t->tol, 1e-16, 1.0, &o->tol) &&
           read_number("seconds", t->seconds, 1e-6, 1e9, &o->seconds) &&
           read_count("repeat", t->repeat, REPEAT_MAX, &want->repeat) &&
           read_count("threads", t->threads, 1024, &o->threads);
}

/* Solve the files that are named and print the results. */
static int solve(const wish *want, const sp_texts *file, bool json)
{
    sp_solve_case *c = calloc((size_t)file->n, sizeof *c);
    if (!c) {
        sp_cli_complain("out of memory");
        return SP_EXIT_FAILED;
    }
    int good = 0;
    for (int i = 0; i < file->n; i++) {
        c[i].file = file->item[i];
    }
    const int code = solve_all(want, file->n, c);
    for (int i = 0; i < file->n; i++) {
        good += !c[i].error[0];
    }
    if (json) {
        sp_solve_json(file->n, c, want->compare);
    } else if (good > 0 && want->compare) {
        sp_solve_print_compare(file->n, c);
    } else if (good > 0) {
        sp_solve_print(file->n, c, &want->options);
    }
    free(c);
    return code;
}

/* specht solve */
static int solve_command(const sp_command *self, int argc, char **argv)
{
    wish want = {0};
    texts t = {0};
    bool json = false;
    const sp_option option[] = {
        {"solver", 0, SP_OPTION_TEXT, "NAME", "auto (default) or the name of a method", &t.solver},
        {"tol", 0, SP_OPTION_TEXT, "VALUE", "residual that counts as solved (1e-8)", &t.tol},
        {"measure", 0, SP_OPTION_TEXT, "NAME", "which residual that is: fclib (default) or scaled",
         &t.measure},
        {"compare", 0, SP_OPTION_FLAG, NULL, "run all solvers, print a performance profile",
         &want.compare},
        {"repeat", 0, SP_OPTION_TEXT, "N", "solve N times, print the median time (1; compare: 5)",
         &t.repeat},
        {"seconds", 0, SP_OPTION_TEXT, "VALUE", "time limit of a solver (none; compare: 10)",
         &t.seconds},
        {"threads", 0, SP_OPTION_TEXT, "N", "threads; the result is the same for any", &t.threads},
        {"unique", 0, SP_OPTION_FLAG, NULL, "also find out whether the solution is unique",
         &t.unique},
        {"anyway", 0, SP_OPTION_FLAG, NULL, "solve even if the matrix is indefinite", &want.anyway},
        {"save", 0, SP_OPTION_TEXT, "FILE", "write problem and solution as FCLIB HDF5", &want.save},
        {"json", 0, SP_OPTION_FLAG, NULL, "print JSON instead of a table", &json},
    };
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, INT_MAX},
                      argc, argv, &code)) {
        return code;
    }
    code = read_wish(&t, args.word.n, &want) ? solve(&want, &args.word, json) : SP_EXIT_USAGE;
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_solve = {
    .name = "solve",
    .purpose = "solve contact problems from files",
    .usage = "FILE... [options]",
    .example = "specht solve problem.hdf5\n"
               "specht solve *.dat --compare",
    .notes = "FILE is an FCLIB problem (HDF5, local or global) or a Siconos one (.dat text).\n"
             "exit codes: 0 all solved to --tol, 1 some not, 2 a file that is no such problem.",
    .run = solve_command,
};
