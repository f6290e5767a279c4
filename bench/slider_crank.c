/* slider_crank.c - the slider-crank of the examples in specht, in a hand-written loop and in other
 * programs: time per step, ratios, agreement, and where the time goes.
 *
 *     bench_slider_crank [steps [rounds]]
 *
 * The programs take turns, so that a noisy machine is noisy for all; medians are compared.  Exit
 * code 1 if a limit is missed. */
#include "bench.h"
#include "slider_crank_plain.h"

#include "integrators/moreau.h"
#include "run/run.h"
#include "specht/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 100, AGREE_STEPS = 2000, SAMPLES = 400, REPEAT = 200 };
#define AGREE_LIMIT 1e-10 /* rad and rad/s after AGREE_STEPS */

typedef enum program { SPECHT, PLAIN, SICONOS, MUJOCO, N_PROGRAM } program;
static const char *const program_name[N_PROGRAM] = {"specht", "plain", "siconos", "mujoco"};

/* Times of all runs so far [s]. */
typedef struct race {
    long steps;
    int n[N_PROGRAM]; /* runs; 0: the program is not here */
    double seconds[N_PROGRAM][ROUNDS_MAX];
    double median[N_PROGRAM];
} race;

/* ---- specht -----------------------------------------------------------------------------------
 */

typedef struct machine {
    sp_spec *spec;
    sp_model *model;
    sp_state *x;
    sp_work *w;
    double q[3], u[3]; /* the start */
} machine;

/* Print what failed; always false. */
static bool fail(const char *what, const sp_error *err)
{
    fprintf(stderr, "bench_slider_crank: %s: %s\n", what, err->text);
    return false;
}

/* The machine of the examples at its start. */
static bool load(machine *c)
{
    const char *root = getenv("SPECHT_SOURCE_DIR");
    char path[1024];
    sp_error err = {.status = SP_OK};
    snprintf(path, sizeof path, "%s/examples/slider_crank/slider_crank.yaml", root ? root : ".");
    c->spec = sp_spec_new(NULL);
    if (!c->spec || sp_spec_load_file(c->spec, path, &err) != SP_OK) {
        return fail(path, &err);
    }
    if (sp_model_build(c->spec, NULL, &c->model, &err) != SP_OK ||
        sp_state_new(c->model, NULL, &c->x, &err) != SP_OK ||
        sp_work_new(c->model, NULL, &c->w, &err) != SP_OK) {
        return fail("model", &err);
    }
    memcpy(c->q, c->x->q, sizeof c->q);
    memcpy(c->u, c->x->u, sizeof c->u);
    return true;
}

static void unload(machine *c)
{
    sp_work_free(c->w);
    sp_state_free(c->x);
    sp_model_free(c->model);
    sp_spec_free(c->spec);
}

/* Back to the start, the slider turning with spin [rad/s] in the world. */
static void restart(machine *c, double spin)
{
    const double u[3] = {c->u[0], c->u[1], c->u[2] + spin};
    sp_state_set(c->model, c->x, 0.0, c->q, u);
}

/* One timed run without output; negative if it failed. */
static double run_specht(machine *c, long steps)
{
    const sp_run_options options = {.method = SP_METHOD_MOREAU,
                                    .until = (double)steps * SC_DT,
                                    .step = SC_DT,
                                    .output_step = 1.0};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    restart(c, 0.0);
    const double start = bench_now();
    const sp_status status = sp_integrate(c->model, c->x, c->w, &options, NULL, 0, &summary, &err);
    const double seconds = bench_now() - start;
    if (status != SP_OK) {
        fail("run", &err);
        return -1.0;
    }
    return seconds;
}

/* ---- the race ---------------------------------------------------------------------------------
 */

static double run_plain(long steps)
{
    plain_state s = plain_slider_crank_start();
    const double start = bench_now();
    plain_slider_crank_run(&s, SC_DT, steps);
    return bench_now() - start;
}

/* Peers run for seconds, ours for a twentieth of one: a busy moment of the machine would spoil
 * whole runs of ours and a small part of theirs.  So ours are repeated until they ran as long, and
 * the mean is taken, busy moments included. */
#define ROUND_SECONDS 1.5
static double run_specht_long(machine *c, long steps)
{
    double sum = 0.0, n = 0.0;
    while (sum < ROUND_SECONDS) {
        const double seconds = run_specht(c, steps);
        if (seconds < 0.0) {
            return seconds;
        }
        sum += seconds;
        n += 1.0;
    }
    return sum / n;
}

static double run_plain_long(long steps)
{
    double sum = 0.0, n = 0.0;
    for (; sum < ROUND_SECONDS; n += 1.0) {
        sum += run_plain(steps);
    }
    return sum / n;
}

/* One run of a harness beside this program; negative if there is none. */
static double run_peer(const char *name, long steps)
{
    const char *folder = getenv("SPECHT_BENCH_DIR");
    char path[1024];
    bench_result r;
    snprintf(path, sizeof path, "%s/peer_%s", folder ? folder : ".", name);
    return bench_run_peer(path, steps, 1, &r) ? r.seconds : -1.0;
}

/* All programs once, in turn; false if our own failed. */
static bool run_round(machine *c, race *r)
{
    const double seconds[N_PROGRAM] = {
        [SPECHT] = run_specht_long(c, r->steps),
        [PLAIN] = run_plain_long(r->steps),
        [SICONOS] = run_peer(program_name[SICONOS], r->steps),
        [MUJOCO] = run_peer(program_name[MUJOCO], r->steps),
    };
    for (int p = 0; p < N_PROGRAM; p++) {
        if (seconds[p] > 0.0) {
            r->seconds[p][r->n[p]++] = seconds[p];
        }
    }
    return seconds[SPECHT] > 0.0;
}

static void print_times(race *r)
{
    printf("%ld steps of %g s, one thread, no output; median (least to most) of %d rounds\n\n",
           r->steps, SC_DT, r->n[SPECHT]);
    printf("  program      steps/s   ns per step\n");
    for (int p = 0; p < N_PROGRAM; p++) {
        if (r->n[p] == 0) {
            printf("  %-8s   skipped: not installed\n", program_name[p]);
            continue;
        }
        const double ns = 1e9 / (double)r->steps;
        r->median[p] = bench_median(r->seconds[p], r->n[p]); /* sorts */
        printf("  %-8s %11.0f %10.1f   (%.1f to %.1f)\n", program_name[p],
               (double)r->steps / r->median[p], ns * r->median[p], ns * r->seconds[p][0],
               ns * r->seconds[p][r->n[p] - 1]);
    }
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/* One line of the verdict; 1 if the limit is missed. */
static int judge(bool good, const char *format, double value, double limit)
{
    printf("  %s  ", good ? "PASS" : "FAIL");
    printf(format, value, limit);
    printf("\n");
    return !good;
}

/* How many times faster than a peer. */
static int judge_peer(const race *r, program peer, double limit)
{
    char format[80];
    if (r->n[peer] == 0) {
        printf("  skipped: %s\n", program_name[peer]);
        return 0;
    }
    const double ratio = r->median[peer] / r->median[SPECHT];
    snprintf(format, sizeof format, "%%5.1f times faster than %s, at least %%g wanted",
             program_name[peer]);
    return judge(ratio >= limit, format, ratio, limit);
}

static int judge_times(const race *r)
{
    const double slower = r->median[SPECHT] / r->median[PLAIN];
    printf("\nratios\n");
    int missed =
        judge(slower <= 6.0, "%5.1f times the plain loop, at most %g wanted (aim: 3)", slower, 6.0);
    missed += judge_peer(r, SICONOS, 30.0);
    missed += judge_peer(r, MUJOCO, 5.0);
    if (r->n[SICONOS] > 0) {
        const double plain = r->median[SICONOS] / r->median[PLAIN];
        missed += judge(plain >= 100.0,
                        "%5.0f times faster than siconos is the plain loop, at "
                        "least %g wanted",
                        plain, 100.0);
    }
    return missed;
}

/* Largest difference of angles and rates between specht and the plain loop after AGREE_STEPS. */
static double difference(machine *c, double spin)
{
    plain_state s = plain_slider_crank_start();
    sp_error err = {.status = SP_OK};
    s.u[2] += spin;
    plain_slider_crank_run(&s, SC_DT, AGREE_STEPS);
    restart(c, spin);
    for (int i = 0; i < AGREE_STEPS; i++) {
        if (sp_step(c->model, c->x, c->w, SP_METHOD_MOREAU, SC_DT, NULL, &err) != SP_OK) {
            fail("step", &err);
            return NAN;
        }
    }
    double worst = 0.0, phi = 0.0, omega = 0.0; /* joint coordinates add up to absolute ones */
    for (int k = 0; k < 3; k++) {
        phi += c->x->q[k];
        omega += c->x->u[k];
        worst = fmax(worst, fmax(fabs(phi - s.q[k]), fabs(omega - s.u[k])));
    }
    return worst;
}

static int judge_agreement(machine *c)
{
    static const double spin[] = {0.0, -0.1};
    int missed = 0;
    printf("\ndifference from the plain loop after %d steps\n", AGREE_STEPS);
    for (size_t k = 0; k < sizeof spin / sizeof *spin; k++) {
        const double d = difference(c, spin[k]);
        char format[80];
        snprintf(format, sizeof format, "%%.1e rad, rad/s with a spin of %g rad/s, at most %%g",
                 spin[k]);
        missed += judge(d <= AGREE_LIMIT, format, d, AGREE_LIMIT);
    }
    return missed;
}

/* ---- stages -----------------------------------------------------------------------------------
 */

/* Parts of a step that can be repeated alone; what is left is told as the rest. */
typedef enum stage { TERMS, GAPS, DIRECTIONS, DELASSUS, SOLVE, ENERGIES, N_STAGE } stage;
static const char *const stage_name[N_STAGE] = {
    [TERMS] = "kinematics, mass matrix and its factor, forces",
    [GAPS] = "gaps, twice",
    [DIRECTIONS] = "contacts: directions",
    [DELASSUS] = "contacts: Delassus operator",
    [SOLVE] = "contacts: solver",
    [ENERGIES] = "kinematics and energies at the end"};

/* The stage once, at the midpoint of the step that was prepared in w. */
static void do_stage(stage s, machine *c)
{
    const sp_model *m = c->model;
    const sp_numbers *num = c->x->numbers;
    sp_work *w = c->w;
    sp_con *con = &w->con;
    const sp_problem problem = {.n_contact = con->n_active,
                                .n = con->n_row,
                                .set = con->set,
                                .row = con->row,
                                .G = con->G,
                                .ld = con->n_row,
                                .c = w->sol.c,
                                .xi_scale = w->sol.xi_scale};
    sp_solution solution = {.P = w->sol.P, .status = w->sol.status};
    switch (s) {
    case TERMS:
        sp_dyn_terms(m, num, c->x->t, w->q, c->x->u, &w->kin, &w->dyn);
        sp_dyn_factor(m, &w->dyn, NULL);
        break;
    case GAPS:
        sp_con_gaps(m, num, &w->kin, con);
        sp_con_gaps(m, num, &w->kin, con);
        break;
    case DIRECTIONS:
        sp_con_directions(m, num, &w->kin, true, con);
        break;
    case DELASSUS:
        sp_con_delassus(m, &w->dyn, con);
        break;
    case SOLVE:
        sp_solve(&problem, &solution, w->sol.work, NULL);
        break;
    default:
        sp_dyn_energies(m, num, c->x->t, w->q, c->x->u, &w->kin, &w->dyn, &w->energy);
        break;
    }
}

/* Nanoseconds per step of each stage: at SAMPLES states along the run each is repeated and timed.
 */
static bool time_stages(machine *c, long steps, double ns[N_STAGE])
{
    const long every = steps / SAMPLES > 0 ? steps / SAMPLES : 1;
    sp_error err = {.status = SP_OK};
    int samples = 0;
    memset(ns, 0, N_STAGE * sizeof *ns);
    restart(c, 0.0);
    for (long i = 0; i < steps; i++) {
        sp_step_refresh(c->model, c->x, c->w);
        if (sp_moreau_solve(c->model, c->x, c->w, sp_step_rule_of(SP_METHOD_MOREAU), SC_DT, &err) !=
            SP_OK) {
            return fail("stages", &err);
        }
        for (int s = 0; s < N_STAGE && i % every == 0; s++) {
            const bool contact = s >= DIRECTIONS && s <= SOLVE;
            const double start = bench_now();
            for (int k = 0; k < REPEAT && (!contact || c->w->con.n_active > 0); k++) {
                do_stage((stage)s, c);
            }
            ns[s] += (bench_now() - start) * 1e9 / REPEAT;
        }
        samples += i % every == 0;
        if (sp_step(c->model, c->x, c->w, SP_METHOD_MOREAU, SC_DT, NULL, &err) != SP_OK) {
            return fail("stages", &err);
        }
    }
    for (int s = 0; s < N_STAGE; s++) {
        ns[s] /= samples;
    }
    return true;
}

static bool print_stages(machine *c, const race *r)
{
    double ns[N_STAGE], rest = 1e9 * r->median[SPECHT] / (double)r->steps;
    if (!time_stages(c, r->steps, ns)) {
        return false;
    }
    printf("\nwhere the time goes, ns per step (parts repeated alone at %d states)\n", SAMPLES);
    for (int s = 0; s < N_STAGE; s++) {
        printf("  %6.1f  %s\n", ns[s], stage_name[s]);
        rest -= ns[s];
    }
    printf("  %6.1f  the rest: velocities, certificate, ledger, correction, events\n", rest);
    return true;
}

int main(int argc, char **argv)
{
    static race r;
    machine c = {.spec = NULL};
    r.steps = bench_argument(argc, argv, 1, 200000);
    const long rounds = bench_argument(argc, argv, 2, 5);
    if (r.steps < 0 || rounds < 0 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_slider_crank [steps [rounds <= %d]]\n", ROUNDS_MAX);
        return 2;
    }
    bool good = load(&c);
    for (long k = 0; k < rounds && good; k++) {
        good = run_round(&c, &r);
    }
    int missed = 0;
    if (good) {
        print_times(&r);
        missed = judge_times(&r) + judge_agreement(&c);
        good = print_stages(&c, &r);
    }
    unload(&c);
    return good && missed == 0 ? 0 : 1;
}
