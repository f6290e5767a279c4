/* pour.c - spheres fall into a box and come to rest: time per step, contacts per second, and the
 * residual of the contact laws that is reached, beside Bullet and MuJoCo.
 *
 *     bench_pour [spheres [milliseconds [microseconds of a step]]]     (one scene, not the usual
 * ones)
 *
 * The scene is examples/sphere_box.  Peers are programs of their own that print one line; one that
 * is not there is skipped with a message.  The measures of all programs come from the same code
 * (pour_judge.c), times are those of the processor.  Exit code 1 if a run of specht is not
 * certified or not at rest in the end. */
#define _POSIX_C_SOURCE 200809L
#include "pour.h"
#include "bench.h"

#include "run/run.h"
#include "specht/load.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A scene, and how long and in which steps it is run. */
typedef struct task {
    int number;
    long milliseconds, us; /* of motion; of a step, microseconds */
    bool full;             /* also what takes minutes            */
    bool to_rest;          /* all motion has ended by then       */
} task;

/* Kinetic energy of spheres at rest, which may roll: of the energy at the start. */
#define AT_REST 1e-5

/* The machine of the example. */
typedef struct machine {
    sp_spec *spec;
    sp_model *m;
    sp_state *x;
    sp_work *w;
    pour_scene scene;
    pour_contact *contact; /* as many as contacts fit into w */
    pour_ball *end;
} machine;

/* The example with this number of spheres: as many in a row as fit into the root of third order. */
static sp_status load(int number, machine *c, sp_error *err)
{
    const char *root = getenv("SPECHT_SOURCE_DIR");
    const int row = (int)(cbrt((double)number) + 0.01);
    const double a = row == 7 ? 0.085 : 0.5 * (row - 1) * 0.023 + 0.0125; /* as in its README */
    char path[1024], number_is[40], row_is[40], a_is[40];
    snprintf(path, sizeof path, "%s/examples/sphere_box/sphere_box.yaml", root ? root : ".");
    snprintf(number_is, sizeof number_is, "number=%d", number);
    snprintf(row_is, sizeof row_is, "row=%d", row);
    snprintf(a_is, sizeof a_is, "a=%.4f m", a);
    c->spec = sp_spec_new(NULL);
    if (!c->spec) {
        return SP_E_MEMORY;
    }
    sp_status status = sp_spec_load_file(c->spec, path, err);
    const char *const set[] = {number_is, row_is, a_is};
    for (int k = 0; k < 3 && status == SP_OK; k++) {
        status = sp_spec_override(c->spec, set[k], err);
    }
    c->scene = (pour_scene){.n = number, .r = 0.01, .a = a, .mu = 0.3, .g = 9.81};
    c->scene.mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * 1e-6;
    return status;
}

/* The spheres as q and u say. */
static void place(int n, const double *q, const double *u, pour_ball *ball)
{
    for (int i = 0; i < n; i++) {
        memcpy(ball[i].x, q + 7 * i, 3 * sizeof *q);
        memcpy(ball[i].v, u + 6 * i, 3 * sizeof *u);
        memcpy(ball[i].omega, u + 6 * i + 3, 3 * sizeof *u);
    }
}

/* Everything that is needed to run. */
static sp_status prepare(int number, machine *c, sp_error *err)
{
    sp_status status = load(number, c, err);
    status = status == SP_OK ? sp_model_build(c->spec, NULL, &c->m, err) : status;
    status = status == SP_OK ? sp_state_new(c->m, NULL, &c->x, err) : status;
    status = status == SP_OK ? sp_work_new(c->m, NULL, &c->w, err) : status;
    if (status == SP_OK) {
        c->contact = malloc((size_t)c->w->con.capacity * sizeof *c->contact);
        c->end = malloc((size_t)number * sizeof *c->end);
        c->scene.ball = malloc((size_t)number * sizeof *c->end);
        status = c->contact && c->end && c->scene.ball ? SP_OK : SP_E_MEMORY;
    }
    if (status == SP_OK) {
        place(number, sp_state_q(c->x), sp_state_u(c->x), c->scene.ball);
    }
    return status;
}

static void release(machine *c)
{
    sp_work_free(c->w);
    sp_state_free(c->x);
    sp_model_free(c->m);
    sp_spec_free(c->spec);
    free(c->contact);
    free(c->end);
    pour_free(&c->scene);
}

/* What is asked after every step. */
typedef struct watcher {
    machine *c;
    pour_result r;
    sp_certificate worst;
} watcher;

/* The contacts of a step from what it noted of them; the time of this is not counted. */
static sp_status look(void *ctx, const sp_model *m, const sp_step_record *record, sp_error *err)
{
    watcher *o = ctx;
    machine *c = o->c;
    const double start = bench_processor();
    double before = 0.0;
    for (int i = 0; i < c->w->n_hit; i++) {
        const sp_hit *hit = &c->w->hit[i];
        const char *element = m->contact[m->slot[hit->slot].contact].name;
        c->contact[i].moving = strcmp(element, "balls") == 0 ? 2 : 1; /* else a wall */
        for (int a = 0; a < 3; a++) {
            c->contact[i].P[a] = hit->P[a];
            c->contact[i].xi[a] = hit->gamma_E[a];
            before = fmax(before, fabs(hit->gamma_A[a]));
        }
        if (hit->g_M > SP_GAP_ACTIVE) { /* it lands   theory (7.18) */
            c->contact[i].xi[0] += hit->g_M / record->dt;
        }
    }
    sp_certificate_worst(&o->worst, record->certificate);
    place(c->scene.n, record->q, record->u, c->end);
    const int ok = !(record->dt > 0.0) || pour_judge(&c->scene, record->dt, c->w->n_hit, c->contact,
                                                     before, c->end, &o->r);
    o->r.seconds -= bench_processor() - start;
    return ok ? SP_OK : SP_FAIL(err, SP_E_NONFINITE, "the judge of the contacts found no number");
}

/* Run specht; 1 if all steps were taken. */
static int run_specht(const task *todo, machine *c, watcher *o)
{
    const double until = 1e-3 * (double)todo->milliseconds;
    const sp_run_options options = {.method = SP_METHOD_MOREAU,
                                    .until = until,
                                    .step = 1e-6 * (double)todo->us,
                                    .output_step = until};
    sp_error err = {.status = SP_OK};
    sp_run_summary summary;
    const sp_observer observer = {.step = look, .ctx = o};
    *o = (watcher){.c = c};
    pour_begin(&c->scene, &o->r);
    const double start = bench_processor();
    const sp_status status = sp_integrate(c->m, c->x, c->w, &options, &observer, 1, &summary, &err);
    o->r.seconds += bench_processor() - start;
    if (status != SP_OK) {
        printf("  specht: %s\n", err.text);
    }
    return status == SP_OK;
}

/* Run a peer's program; 0 if it is not there, -1 if it fails. */
static int run_peer(const task *todo, const char *scene, const char *name, const char *more,
                    pour_result *r)
{
    const char *folder = getenv("SPECHT_BENCH_DIR");
    char program[1024], call[4096], line[512];
    snprintf(program, sizeof program, "%.900s/peer_%s", folder ? folder : ".", name);
    if (strchr(program, '\'') || access(program, X_OK) != 0) {
        return 0;
    }
    snprintf(call, sizeof call, "OPENBLAS_NUM_THREADS=1 '%s' '%s' %ld %ld %s 2>/dev/null", program,
             scene, todo->milliseconds * 1000 / todo->us, todo->us, more);
    FILE *out = popen(call, "r");
    int found = 0;
    while (out && fgets(line, sizeof line, out)) {
        found |= pour_scan(line, r);
    }
    return out && pclose(out) == 0 && found ? 1 : -1;
}

/* A line of the table. */
static void tell(const char *name, const pour_result *r)
{
    char box[16] = "-"; /* a law of Bullet alone */
    if (strncmp(name, "bullet", 6) == 0) {
        snprintf(box, sizeof box, "%.1e", r->box);
    }
    printf("  %-24s %8.3f %10.3g %6.0f %9.1e %9.1e %9.1e %9.1e %9s %9.1e %9.1e\n", name,
           1e3 * r->seconds / (double)r->steps, r->contacts / r->seconds,
           r->contacts / (double)r->steps, r->penetration, r->approach, r->residual,
           r->sum / (double)r->steps, box, r->gained, r->kinetic);
    fflush(stdout);
}

/* All peers on the scene that specht starts from. */
static void run_peers(const task *todo, const machine *c)
{
    static const struct {
        const char *program, *more, *name;
        int most; /* spheres: more take minutes */
    } peer[] = {{"pour_bullet", "10 default", "bullet, default", INT_MAX},
                {"pour_bullet_double", "10 exact", "bullet, exact, 10", INT_MAX},
                {"pour_bullet_double", "100 exact", "bullet, exact, 100", INT_MAX},
                {"pour_bullet_double", "1000 exact", "bullet, exact, 1000", INT_MAX},
                {"pour_bullet_double", "10000 exact", "bullet, exact, 10000", 0},
                {"pour_mujoco", "default", "mujoco, default", 100},
                {"pour_mujoco", "cg", "mujoco, stiff, CG", INT_MAX},
                {"pour_mujoco", "newton", "mujoco, stiff, Newton", 0}};
    const char *scratch = getenv("TMPDIR");
    char path[1024];
    snprintf(path, sizeof path, "%.900s/specht_pour_%ld.txt", scratch ? scratch : "/tmp",
             (long)getpid());
    if (strchr(path, '\'') || !pour_write(path, &c->scene)) {
        printf("  skipped: all peers, '%s' cannot be written\n", path);
        return;
    }
    for (size_t k = 0; k < sizeof peer / sizeof *peer; k++) {
        pour_result r = {.steps = 0};
        const int found = todo->number > peer[k].most && !todo->full
                              ? -2
                              : run_peer(todo, path, peer[k].program, peer[k].more, &r);
        if (found == 1) {
            tell(peer[k].name, &r);
        } else {
            printf("  %-24s skipped: %s\n", peer[k].name,
                   found == -2   ? "takes minutes (SPECHT_FULL)"
                   : found == -1 ? "it failed"
                                 : "it is not here");
        }
    }
    unlink(path);
}

/* A scene in all programs; 1 if specht's run is certified. */
static int run(const task *todo)
{
    machine c = {.m = NULL};
    watcher o;
    sp_error err = {.status = SP_OK};
    int ok = prepare(todo->number, &c, &err) == SP_OK;
    if (!ok) {
        fprintf(stderr, "bench_pour: %s\n", err.text);
        release(&c);
        return 0;
    }
    pour_result start;
    pour_begin(&c.scene, &start);
    printf("  %d spheres, %ld ms in steps of %g ms\n"
           "  %-24s %8s %10s %6s %9s %9s %9s %9s %9s %9s %9s\n",
           todo->number, todo->milliseconds, 1e-3 * (double)todo->us, "program", "ms/step",
           "contacts/s", "each", "deepest m", "appr. m/s", "residual", "mean", "box", "gained J",
           "kinetic J");
    ok = run_specht(todo, &c, &o);
    tell("specht", &o.r);
    run_peers(todo, &c);
    const double worst = fmax(fmax(o.worst.complementarity, o.worst.cone), o.worst.momentum);
    ok = ok && worst <= SP_CERTIFIED && o.r.residual <= SP_CERTIFIED;
    printf("  %s  worst certificate of specht %.1e, by the judge %.1e, wanted %g\n",
           ok ? "PASS" : "FAIL", worst, o.r.residual, SP_CERTIFIED);
    if (todo->to_rest) {
        const double most = AT_REST * start.energy;
        const int rests = o.r.kinetic <= most;
        printf("  %s  kinetic energy at the end %.1e J, at rest below %.1e J\n",
               rests ? "PASS" : "FAIL", o.r.kinetic, most);
        ok = ok && rests;
    }
    release(&c);
    return ok;
}

int main(int argc, char **argv)
{
    const bool full = getenv("SPECHT_FULL") != NULL;
    const long n = bench_argument(argc, argv, 1, 500), ms = bench_argument(argc, argv, 2, 100),
               us = bench_argument(argc, argv, 3, 1000);
    if (n < 8 || n > 2000 || ms < 1 || us < 1) {
        fprintf(stderr, "usage: bench_pour [spheres, 8 to 2000 [milliseconds [microseconds of a "
                        "step]]]\n");
        return 2;
    }
    if (argc > 1) {
        return run(&(task){(int)n, ms, us, full, false}) ? 0 : 1;
    }
    const task usual[] = {{64, 600, 1000, full, true}, {500, 1200, 1000, full, true}};
    int ok = 1;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        ok &= run(&usual[k]);
    }
    return ok ? 0 : 1;
}
