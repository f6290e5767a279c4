/* peer_siconos_fc.c - one contact problem from a file, solved by one solver of Siconos and, in
 * turns with it, by specht.
 *
 *     peer_siconos_fc --list 2|3                   names of the settings for that dimension
 *     peer_siconos_fc FILE SETTING RUNS LIMIT [TOLERANCE]      two lines:
 *         siconos RESIDUAL RESIDUAL_FCLIB ITERATIONS TIME TIME ...
 *         specht  RESIDUAL RESIDUAL_FCLIB ITERATIONS TIME TIME ...
 *
 * Cold start, tolerance 1e-8 (less for solvers of Siconos that stop by another measure and would
 * miss it), the first round is not counted if there are several.  Residuals are
 * recomputed here from their definition, with the file's own matrix: RESIDUAL_FCLIB is
 * |r - P_K(r - u~)| / |q|; RESIDUAL is the one Siconos 4.4 asks of itself, which divides by
 * max(|q|, |r|, |u|) instead.  Runs that miss the tolerance (Siconos: by RESIDUAL, specht: by
 * RESIDUAL_FCLIB, the stricter one) have no times, as have those that take longer than LIMIT
 * seconds of processor time.  Text files are read by Siconos itself; HDF5 ones by our reader and
 * handed over as blocks, global ones with W = H' M^-1 H. */
#define _XOPEN_SOURCE 700
#include "bench.h"

#include "io/problem_file.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { RUNS_MAX = 1000, MANY = 1000000, ATTEMPTS = 8 };

static double goal = 1e-8; /* what both have to reach */

/* A solver with what it calls inside; 0: as it comes. */
typedef struct setting {
    const char *name;
    int dim, id, inner;
    int error; /* how NSGS evaluates errors, -1: as it comes */
} setting;

static const setting all[] = {
    {"nsgs", 2, SICONOS_FRICTION_2D_NSGS, 0, -1},
    {"nsgs-full", 2, SICONOS_FRICTION_2D_NSGS, 0, SICONOS_ERROR_FULL_EVALUATION},
    {"nsgs-light", 2, SICONOS_FRICTION_2D_NSGS, 0, SICONOS_ERROR_LIGHT_EVALUATION},
    {"cpg", 2, SICONOS_FRICTION_2D_CPG, 0, -1},
    {"lemke", 2, SICONOS_FRICTION_2D_LEMKE, 0, -1},
    {"enum", 2, SICONOS_FRICTION_2D_ENUM, 0, -1},
    {"nsgs", 3, SICONOS_FRICTION_3D_NSGS, 0, -1},
    {"nsgs-full", 3, SICONOS_FRICTION_3D_NSGS, 0, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL},
    {"nsgs-light", 3, SICONOS_FRICTION_3D_NSGS, 0,
     SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL},
    {"nsgs-nsn", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, -1},
    {"nsgs-nsngp", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, -1},
    {"nsgs-hybrid", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, -1},
    {"nsgs-cone", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone, -1},
    {"nsgs-coneli", 3, SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, -1},
    {"nsgs-quartic", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, -1},
    {"nsgsv", 3, SICONOS_FRICTION_3D_NSGSV, 0, -1},
    {"prox", 3, SICONOS_FRICTION_3D_PROX, 0, -1},
    {"prox-nsn", 3, SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, -1},
    {"tfp", 3, SICONOS_FRICTION_3D_TFP, 0, -1},
    {"pfp", 3, SICONOS_FRICTION_3D_PFP, 0, -1},
    {"nsn-ac", 3, SICONOS_FRICTION_3D_NSN_AC, 0, -1},
    {"nsn-ac-test", 3, SICONOS_FRICTION_3D_NSN_AC_TEST, 0, -1},
    {"nsn-fb", 3, SICONOS_FRICTION_3D_NSN_FB, 0, -1},
    {"nsn-nm", 3, SICONOS_FRICTION_3D_NSN_NM, 0, -1},
    {"dsfp", 3, SICONOS_FRICTION_3D_DSFP, 0, -1},
    {"vi-fpp", 3, SICONOS_FRICTION_3D_VI_FPP, 0, -1},
    {"vi-eg", 3, SICONOS_FRICTION_3D_VI_EG, 0, -1},
    {"hp", 3, SICONOS_FRICTION_3D_HP, 0, -1},
    {"fpp", 3, SICONOS_FRICTION_3D_FPP, 0, -1},
    {"eg", 3, SICONOS_FRICTION_3D_EG, 0, -1},
    {"soclcp", 3, SICONOS_FRICTION_3D_SOCLCP, 0, -1},
    {"aclmfp", 3, SICONOS_FRICTION_3D_ACLMFP, 0, -1},
    {"admm", 3, SICONOS_FRICTION_3D_ADMM, 0, -1},
};
enum { N_SETTING = sizeof all / sizeof *all };

/* ---- the problem --------------------------------------------------------------------------- */

/* Write the blocks of p in Siconos' text form. */
static void write_blocks(FILE *out, const sp_fc *p, int dim)
{
    const int n = p->n_contact, n_block = p->G.start[n];
    fprintf(out, "%d\n%d\n1\n%d\n%d\n%d\n%d\n%d\n", dim, n, p->n, p->n, n_block, n, n);
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < n; i++) {
            fprintf(out, "%d\t", dim * (i + 1));
        }
        fputc('\n', out);
    }
    fprintf(out, "%d\n%d\n", n + 1, n_block);
    for (int i = 0; i <= n; i++) {
        fprintf(out, "%d\t", p->G.start[i]);
    }
    fputc('\n', out);
    for (int b = 0; b < n_block; b++) {
        fprintf(out, "%d\t", p->G.column[b]);
    }
    fputc('\n', out);
    for (int b = 0; b < n_block; b++) {
        fprintf(out, "%d\n", b);
        for (int k = 0; k < dim * dim; k++) {
            fprintf(out, "%.17g\n", p->G.value[p->G.at[b] + (size_t)(k % dim * dim + k / dim)]);
        }
    }
    for (int k = 0; k < p->n; k++) {
        fprintf(out, "%.17g ", p->c[k]);
    }
    fputc('\n', out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%.17g ", p->set[i].mu);
    }
    fputc('\n', out);
    rewind(out);
}

/* The problem as Siconos has it: from the file itself if that is text without sparse storage, which
 * its solvers take as it is, else from blocks. */
static FrictionContactProblem *hand_over(const char *path, const sp_problem_file *file,
                                         const sp_fc *p, bool blocks)
{
    const bool own = file->format == SP_PROBLEM_TEXT && !blocks;
    FILE *in = own ? fopen(path, "r") : tmpfile();
    if (!in) {
        return NULL;
    }
    if (!own) {
        write_blocks(in, p, file->dim);
    }
    FrictionContactProblem *problem = frictionContact_newFromFile(in);
    fclose(in);
    return problem;
}

/* ---- the residual -------------------------------------------------------------------------- */

/* x <- the nearest point of the cone |x_T| <= mu x_N (planar: the same with one tangent). */
static void project(int dim, double mu, double *x)
{
    const double t = dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
    if (t <= mu * x[0]) {
        return;
    }
    const double n = mu * t <= -x[0] ? 0.0 : (x[0] + mu * t) / (1.0 + mu * mu);
    for (int a = 1; a < dim; a++) {
        x[a] *= n > 0.0 ? mu * n / t : 0.0;
    }
    x[0] = n;
}

typedef struct residuals {
    double own, fclib; /* relative to max(|q|, |r|, |u|), to |q| */
} residuals;

/* |r - P_K(r - (u + mu |u_T| e_N))|, u = W r + q */
static residuals residuals_of(const sp_fc *p, int dim, const double *r, double *u)
{
    double sum = 0.0, q2 = 0.0, r2 = 0.0, u2 = 0.0;
    sp_fc blocks = *p;
    blocks.F.start = NULL;
    sp_fc_velocity(&blocks, r, u, NULL);
    for (int i = 0; i < p->n_contact; i++) {
        const double *ri = r + dim * i, *ui = u + dim * i, *qi = p->c + dim * i;
        double x[3] = {0.0, 0.0, 0.0};
        const double slip = dim == 3 ? hypot(ui[1], ui[2]) : fabs(ui[1]);
        for (int a = 0; a < dim; a++) {
            x[a] = ri[a] - ui[a] - (a == 0 ? p->set[i].mu * slip : 0.0);
        }
        project(dim, p->set[i].mu, x);
        for (int a = 0; a < dim; a++) {
            sum += (ri[a] - x[a]) * (ri[a] - x[a]);
            q2 += qi[a] * qi[a];
            r2 += ri[a] * ri[a];
            u2 += ui[a] * ui[a];
        }
    }
    const double q = q2 > 0.0 ? sqrt(q2) : 1.0, most = fmax(q, sqrt(fmax(r2, u2)));
    return (residuals){sqrt(sum) / most, sqrt(sum) / q};
}

/* ---- solving ------------------------------------------------------------------------------- */

/* Options of a setting: tolerance, and iterations until the time limit ends them. */
static SolverOptions *options_of(const setting *s)
{
    SolverOptions *o = solver_options_create(s->id);
    o->dparam[SICONOS_DPARAM_TOL] = goal;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = MANY;
    if (s->inner && o->numberOfInternalSolvers > 0) {
        solver_options_update_internal(o, 0, s->inner);
    }
    if (s->error >= 0) {
        o->iparam[s->dim == 2 ? (int)SICONOS_IPARAM_ERROR_EVALUATION
                              : (int)SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = s->error;
    }
    return o;
}

static int real_stdout; /* Siconos prints to stdout; our lines go here */

/* The time is over: lines without times. */
static void on_alarm(int number)
{
    (void)number;
    static const char line[] = "siconos nan nan 0\nspecht nan nan 0\n";
    const ssize_t n = write(real_stdout, line, sizeof line - 1);
    _exit(n < 0);
}

/* One of the two in a race. */
typedef struct runner {
    double *r, *u;
    residuals worst;
    long iterations;
    bool solved;
    double seconds[RUNS_MAX + 1];
} runner;

/* Note residuals that may be worse than those before. */
static void judge(runner *x, const sp_fc *p, int dim, bool fclib)
{
    const residuals now = residuals_of(p, dim, x->r, x->u);
    x->worst.own = fmax(x->worst.own, now.own);
    x->worst.fclib = fmax(x->worst.fclib, now.fclib);
    x->solved = x->solved && (fclib ? now.fclib : now.own) <= goal;
}

/* One run of Siconos. */
static double run_siconos(runner *x, FrictionContactProblem *problem, const sp_fc *p,
                          const setting *s, SolverOptions *o)
{
    memset(x->r, 0, (size_t)p->n * sizeof *x->r);
    memset(x->u, 0, (size_t)p->n * sizeof *x->u);
    const double start = bench_now();
    if (s->dim == 2) {
        fc2d_driver(problem, x->r, x->u, o);
    } else {
        fc3d_driver(problem, x->r, x->u, o);
    }
    const double seconds = bench_now() - start;
    x->iterations = o->iparam[SICONOS_IPARAM_ITER_DONE];
    judge(x, p, s->dim, false);
    return seconds;
}

/* One run of specht, certificate included. */
static double run_specht(runner *x, const sp_fc *p, int dim, unsigned char *status, sp_fc_work *w)
{
    const sp_fc_options o = {.measure = SP_FC_FCLIB, .tol = goal, .threads = 1};
    sp_fc_solution s = {.P = x->r, .status = status};
    const double start = bench_now();
    (void)sp_fc_solve(p, &o, &s, w, NULL);
    const double seconds = bench_now() - start;
    x->iterations = s.iterations;
    judge(x, p, dim, true);
    return seconds;
}

/* Print a line. */
static void print(const char *name, const runner *x, int runs)
{
    dprintf(real_stdout, "%s %.9g %.9g %ld", name, x->worst.own, x->worst.fclib, x->iterations);
    for (int k = 0; k < runs && x->solved; k++) {
        dprintf(real_stdout, " %.9g", x->seconds[k]);
    }
    dprintf(real_stdout, "\n");
}

/* Some solvers stop by another measure: ask them for more until they reach the tolerance.  False:
 * they do not. */
static bool calibrate(runner *x, FrictionContactProblem *problem, const sp_fc *p, const setting *s,
                      SolverOptions *o)
{
    double tol = goal;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        o->dparam[SICONOS_DPARAM_TOL] = tol;
        x->solved = true;
        x->worst = (residuals){0.0, 0.0};
        (void)run_siconos(x, problem, p, s, o);
        if (x->solved || !(x->worst.own < 1.0)) {
            break;
        }
        tol *= 0.3 * goal / x->worst.own;
    }
    return x->solved;
}

/* Let the two take turns until there are enough runs or half of the time is over. */
static int race(FrictionContactProblem *problem, const sp_fc *p, const setting *s, int runs,
                double limit)
{
    static runner siconos, specht;
    sp_fc_work work = {0};
    const size_t bytes = ((size_t)p->n + 1) * sizeof(double);
    unsigned char *status = malloc((size_t)p->n_contact + 1);
    siconos = (runner){.r = malloc(bytes), .u = malloc(bytes), .solved = true};
    specht = (runner){.r = malloc(bytes), .u = malloc(bytes), .solved = true};
    if (!siconos.r || !siconos.u || !specht.r || !specht.u || !status) {
        return 1;
    }
    SolverOptions *o = options_of(s);
    const bool reached = calibrate(&siconos, problem, p, s, o);
    const double start = bench_now();
    int n = runs > 1 ? -1 : 0; /* -1: a round that is not counted */
    while (reached && n < runs) {
        const int k = n < 0 ? 0 : n;
        siconos.seconds[k] = run_siconos(&siconos, problem, p, s, o);
        specht.seconds[k] = run_specht(&specht, p, s->dim, status, &work);
        n++;
        if (bench_now() - start > 0.5 * limit || !siconos.solved) {
            n = n < 1 ? 1 : n;
            break;
        }
    }
    print("siconos", &siconos, n);
    print("specht", &specht, n);
    return 0;
}

/* Send what Siconos says nowhere. */
static void be_quiet(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    real_stdout = dup(STDOUT_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    numerics_set_verbose(0);
}

/* Print the names of a dimension. */
static int list(const char *dim)
{
    for (int k = 0; k < N_SETTING; k++) {
        if (all[k].dim == atoi(dim)) {
            printf("%s\n", all[k].name);
        }
    }
    return 0;
}

/* Read, hand over, run.  A name with "+blocks" asks for blocks instead of the file's own storage.
 */
static int solve(const char *path, const char *name, int runs, double limit)
{
    sp_arena arena;
    sp_problem_file file;
    sp_fc p;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    if (sp_problem_read(path, &arena, &file, &err) != SP_OK ||
        sp_problem_pose(&file, &arena, &p, &err) != SP_OK || file.n_free > 0) {
        fprintf(stderr, "peer_siconos_fc: %s: %s\n", path, err.text);
        return 2;
    }
    const size_t length = strcspn(name, "+");
    for (int k = 0; k < N_SETTING; k++) {
        if (all[k].dim == file.dim && strlen(all[k].name) == length &&
            strncmp(all[k].name, name, length) == 0) {
            be_quiet();
            FrictionContactProblem *problem = hand_over(path, &file, &p, name[length] == '+');
            const struct itimerval timer = {
                .it_value = {(time_t)limit, (suseconds_t)(1e6 * (limit - floor(limit)))}};
            signal(SIGPROF, on_alarm); /* time of the processor: others may be busy */
            setitimer(ITIMER_PROF, &timer, NULL);
            return problem ? race(problem, &p, &all[k], runs, limit) : 1;
        }
    }
    fprintf(stderr, "peer_siconos_fc: no setting '%s' in dimension %d\n", name, file.dim);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--list") == 0) {
        return list(argv[2]);
    }
    const long runs = bench_argument(argc, argv, 3, 1);
    goal = argc == 6 ? atof(argv[5]) : goal;
    if (argc < 5 || argc > 6 || runs < 1 || runs > RUNS_MAX || !(goal > 0.0)) {
        fprintf(stderr,
                "usage: peer_siconos_fc FILE SETTING RUNS LIMIT [TOLERANCE] | --list 2|3\n");
        return 2;
    }
    return solve(argv[1], argv[2], (int)runs, atof(argv[4]));
}
