/* contact_problems.c - contact problems from files, solved by specht and by all solvers of Siconos.
 *
 *     bench_contact_problems [folder]
 *
 * The folder (default: the environment's SPECHT_PROBLEM_DIR) holds .dat and .hdf5 files.  For each
 * all settings of Siconos are tried, then the best of them run in turns with specht; medians are
 * compared.  SPECHT_FULL in the environment gives slow problems as many runs as quick ones.  Exit
 * code 1 if a limit is missed. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "io/problem_file.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 1000, SETTINGS_MAX = 80, FINALISTS = 3, RUNS = 21, TRIAL_RUNS = 3 };
enum { PATH_BYTES = 1024, LINE_BYTES = 8192 };
#define MEAN_LIMIT    0.2 /* geometric mean of time of specht / time of the best of Siconos */
#define WORST_LIMIT   1.7 /* the largest of these ratios; below that it is a tie            */
#define ALONE_SECONDS 2.0

/* What a program needs for a problem. */
typedef struct outcome {
    double residual, residual_fclib;
    double seconds, least; /* median and least time, NAN if it was not solved */
    long iterations;
    int runs;
} outcome;

/* One setting of Siconos in the trial. */
typedef struct trial {
    char name[48];
    double seconds;
} trial;

/* One problem. */
typedef struct problem {
    char path[PATH_BYTES];
    const char *name; /* of the file */
    int dim, n_contact;
    outcome specht, siconos; /* siconos: the best */
    char best[48], way[SP_FC_PATH];
    int n_solved, n_setting; /* settings of Siconos that solve it, that were tried */
} problem;

static char peer[PATH_BYTES]; /* the program that drives Siconos, empty: not here */

/* ---- one problem --------------------------------------------------------------------------- */

/* Solve it alone, to tell the way taken and what is reached.  False: it cannot be read. */
static bool solve_alone(problem *p)
{
    sp_arena arena;
    sp_problem_file file;
    sp_fc fc;
    sp_fc_work work = {0};
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    const bool posed = sp_problem_read(p->path, &arena, &file, &err) == SP_OK &&
                       sp_problem_pose(&file, &arena, &fc, &err) == SP_OK;
    if (posed) {
        const sp_fc_options o = {.measure = SP_FC_FCLIB, .tol = 1e-8, .threads = 1};
        sp_fc_solution s = {.P = SP_NEW(&arena, double, fc.n),
                            .status = SP_NEW(&arena, unsigned char, fc.n_contact)};
        sp_status status = SP_OK;
        double seconds[RUNS], total = 0.0;
        int runs = 0;
        while (runs < RUNS && total < ALONE_SECONDS) {
            const double start = bench_now();
            status = sp_fc_solve(&fc, &o, &s, &work, &err);
            seconds[runs] = bench_now() - start;
            total += seconds[runs++];
        }
        p->dim = file.dim;
        p->n_contact = file.n_contact;
        const double median = status == SP_OK ? bench_median(seconds, runs) : NAN;
        p->specht = (outcome){s.residual, s.residual_fclib, median, seconds[0], s.iterations, runs};
        memcpy(p->way, s.path, sizeof p->way);
    } else {
        printf("  %s: left out: %s\n", p->name, err.text);
    }
    sp_fc_work_free(&work);
    sp_arena_free(&arena);
    return posed;
}

/* Read "name RESIDUAL RESIDUAL_FCLIB ITERATIONS TIME TIME ...". */
static bool read_line(FILE *in, const char *name, outcome *o)
{
    static char line[LINE_BYTES];
    static double seconds[LINE_BYTES / 8];
    char word[16];
    int used = 0;
    *o = (outcome){NAN, NAN, NAN, NAN, 0, 0};
    if (!fgets(line, sizeof line, in) ||
        sscanf(line, "%15s %lf %lf %ld%n", word, &o->residual, &o->residual_fclib, &o->iterations,
               &used) != 4 ||
        strcmp(word, name) != 0) {
        return false;
    }
    char *at = line + used, *end;
    for (;; at = end) {
        const double x = strtod(at, &end);
        if (end == at || o->runs == LINE_BYTES / 8) {
            break;
        }
        seconds[o->runs++] = x;
    }
    o->seconds = o->runs > 0 ? bench_median(seconds, o->runs) : NAN; /* sorts */
    o->least = o->runs > 0 ? seconds[0] : NAN;
    return true;
}

/* Run the peer with one setting.  What crashes or hangs has not solved it. */
static void race(const problem *p, const char *setting, int runs, double limit, outcome *siconos,
                 outcome *specht)
{
    char command[3 * PATH_BYTES];
    *siconos = *specht = (outcome){NAN, NAN, NAN, NAN, 0, 0};
    snprintf(command, sizeof command,
             "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 '%s' '%s' %s %d %g 2>/dev/null", peer,
             p->path, setting, runs, limit);
    FILE *in = popen(command, "r");
    if (in) {
        const bool read = read_line(in, "siconos", siconos) && read_line(in, "specht", specht);
        if (pclose(in) != 0 || !read) {
            siconos->seconds = NAN;
        }
    }
}

/* Whether a text file has its matrix in blocks: the third number is its storage. */
static bool is_in_blocks(const char *path)
{
    FILE *in = fopen(path, "r");
    int dim, n_contact, storage = 0;
    const bool read = in && fscanf(in, "%d %d %d", &dim, &n_contact, &storage) == 3;
    if (in) {
        fclose(in);
    }
    return read && storage == 1;
}

/* Names of the settings; those with "+blocks" hand the matrix over in blocks instead of densely. */
static int list_settings(const problem *p, trial *t)
{
    char command[2 * PATH_BYTES], word[32];
    const bool dense = strstr(p->name, ".dat") && !is_in_blocks(p->path);
    int n = 0;
    snprintf(command, sizeof command, "'%s' --list %d", peer, p->dim);
    FILE *in = popen(command, "r");
    while (in && n + 2 <= SETTINGS_MAX && fscanf(in, "%31s", word) == 1) {
        snprintf(t[n++].name, sizeof t[0].name, "%s", word);
        if (dense) {
            snprintf(t[n++].name, sizeof t[0].name, "%s+blocks", word);
        }
    }
    if (in) {
        pclose(in);
    }
    return n;
}

/* Order trials by time, failures last. */
static int by_time(const void *a, const void *b)
{
    const double x = ((const trial *)a)->seconds, y = ((const trial *)b)->seconds;
    return isnan(x) ? !isnan(y) : isnan(y) ? -1 : (x > y) - (x < y);
}

/* Try all settings, then let the best ones race. */
static void compare(problem *p)
{
    static trial t[SETTINGS_MAX];
    const bool full = getenv("SPECHT_FULL") != NULL;
    const double limit = fmin(0.2 + 0.003 * p->n_contact, 3.0) * (full ? 20.0 : 1.0);
    double best = INFINITY;
    outcome siconos, specht;
    p->n_setting = list_settings(p, t);
    for (int k = 0; k < p->n_setting; k++) { /* what needs 4 times the best time is out */
        const double most = full ? limit : fmin(limit, 0.05 + 4.0 * (TRIAL_RUNS + 3) * best);
        race(p, t[k].name, TRIAL_RUNS, most, &siconos, &specht);
        t[k].seconds = siconos.least;
        p->n_solved += !isnan(siconos.seconds);
        best = siconos.least < best ? siconos.least : best;
    }
    qsort(t, (size_t)p->n_setting, sizeof *t, by_time);
    for (int k = 0; k < FINALISTS && k < p->n_solved; k++) {
        const double time =
            RUNS * (t[k].seconds + (isnan(p->specht.seconds) ? 1.0 : p->specht.seconds));
        race(p, t[k].name, RUNS, 2.0 * (full ? 1.0 + 4.0 * time : fmin(1.0 + 4.0 * time, 6.0)),
             &siconos, &specht);
        if (!isnan(siconos.seconds) && !(p->siconos.least <= siconos.least)) {
            p->siconos = siconos;
            p->specht = isnan(p->specht.seconds) ? p->specht : specht;
            memcpy(p->best, t[k].name, sizeof p->best);
        }
    }
}

/* ---- all problems -------------------------------------------------------------------------- */

/* "12.3 us" */
static const char *time_text(double seconds, char text[24])
{
    if (isnan(seconds)) {
        return "-";
    }
    const double factor = seconds < 1e-3 ? 1e6 : 1e3;
    snprintf(text, 24, "%.4g %s", factor * seconds, seconds < 1e-3 ? "us" : "ms");
    return text;
}

/* One line of the table. */
static void print_problem(const problem *p)
{
    char a[24], b[24], ratio[32] = "-";
    if (!isnan(p->specht.seconds) && !isnan(p->siconos.seconds)) {
        snprintf(ratio, sizeof ratio, "%.3f %.3f", p->specht.seconds / p->siconos.seconds,
                 p->specht.least / p->siconos.least);
    }
    printf("  %-40.40s %5d  %10s %8.1e  %10s %8.1e %3d/%-3d %-18s %3d %13s  %s\n", p->name,
           p->n_contact, time_text(p->specht.seconds, a), p->specht.residual_fclib,
           time_text(p->siconos.seconds, b), p->siconos.residual_fclib, p->n_solved, p->n_setting,
           p->best[0] ? p->best : "-", p->siconos.runs, ratio, p->way);
    fflush(stdout);
}

/* One line of the verdict; 1 if the limit is missed. */
static int judge(bool good, const char *format, double value, double limit)
{
    printf("  %s  ", good ? "PASS" : "FAIL");
    printf(format, value, limit);
    printf("\n");
    return !good;
}

/* Hold the ratios against their limits. */
static int judge_all(int n, const problem *p)
{
    int compared = 0, solved = 0, theirs = 0, missed = 0, late = 0;
    double sum = 0.0, sum_least = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++) {
        const bool ours = !isnan(p[i].specht.seconds), other = !isnan(p[i].siconos.seconds);
        solved += ours;
        theirs += other;
        missed += other && !ours;
        late += ours && !other;
        if (ours && other) {
            const double ratio = p[i].specht.seconds / p[i].siconos.seconds;
            const double least = p[i].specht.least / p[i].siconos.least;
            sum += log(ratio);
            sum_least += log(least);
            worst = fmax(worst, fmax(ratio, least));
            compared++;
        }
    }
    printf("\n  %d problems: specht solves %d, the settings of Siconos together %d\n", n, solved,
           theirs);
    if (!peer[0] || compared == 0) {
        printf("  skipped: comparison with Siconos\n");
        return 0;
    }
    /* a setting that is not done in its time has failed, and has no time to compare with */
    printf("  %d solved by specht and by no setting of Siconos in its time: not in the mean\n",
           late);
    /* on a busy machine long runs are interrupted, which medians do not see */
    printf("  geometric mean of the ratios: %.3f by medians, %.3f by least times\n",
           exp(sum / compared), exp(sum_least / compared));
    const double mean = exp(fmax(sum, sum_least) / compared);
    int failed =
        judge(mean <= MEAN_LIMIT,
              "%.3f of the time of the best of Siconos (geometric mean), at most %g wanted", mean,
              MEAN_LIMIT);
    failed |= judge(worst <= WORST_LIMIT, "%.3f of it on the worst problem, at most %g wanted",
                    worst, WORST_LIMIT);
    failed |= judge(missed == 0, "%.0f problems that Siconos solves and specht does not, %g wanted",
                    missed, 0.0);
    return failed;
}

/* Order problems by name. */
static int by_name(const void *a, const void *b)
{
    return strcmp(((const problem *)a)->path, ((const problem *)b)->path);
}

/* Whether the name ends like that of a problem and can be written in a shell command. */
static bool is_problem(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && !strchr(name, '\'') &&
           (strcmp(end, ".dat") == 0 || strcmp(end, ".hdf5") == 0 || strcmp(end, ".h5") == 0);
}

/* The problems in a folder, by name. */
static int list_folder(const char *folder, problem *p)
{
    DIR *dir = opendir(folder);
    int n = 0;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e && n < FILES_MAX; e = readdir(dir)) {
        if (is_problem(e->d_name)) {
            snprintf(p[n].path, sizeof p[n].path, "%s/%.255s", folder, e->d_name);
            n++;
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(p, (size_t)n, sizeof *p, by_name);
    for (int i = 0; i < n; i++) {
        p[i].name = strrchr(p[i].path, '/') + 1;
        p[i].siconos = (outcome){NAN, NAN, NAN, NAN, 0, 0};
    }
    return n;
}

/* Find the program beside this one that drives Siconos. */
static void find_peer(void)
{
    const char *folder = getenv("SPECHT_BENCH_DIR");
    snprintf(peer, sizeof peer, "%.900s/peer_siconos_fc", folder ? folder : ".");
    if (strchr(peer, '\'') || access(peer, X_OK) != 0) {
        peer[0] = '\0';
        printf("  Siconos is not here (libsiconos-numerics-dev): specht alone\n");
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("SPECHT_PROBLEM_DIR");
    if (!folder || strchr(folder, '\'')) {
        printf("  skipped: no folder of contact problems, SPECHT_PROBLEM_DIR names one\n");
        return 0;
    }
    problem *p = calloc(FILES_MAX, sizeof *p);
    const int found = p ? list_folder(folder, p) : 0;
    int n = 0;
    find_peer();
    printf("  %-40s %5s  %10s %8s  %10s %8s %7s %-18s %3s %13s  %s\n", "problem", "n", "specht",
           "residual", "siconos", "residual", "solve", "best setting", "run", "ratio (least)",
           "way");
    for (int i = 0; i < found; i++) {
        p[n] = p[i];
        p[n].name = strrchr(p[n].path, '/') + 1;
        if (!solve_alone(&p[n])) {
            continue;
        }
        if (peer[0]) {
            compare(&p[n]);
        }
        print_problem(&p[n]);
        n++;
    }
    const int failed = n > 0 ? judge_all(n, p) : 0;
    free(p);
    return failed;
}
