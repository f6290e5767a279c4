/* chain.c - forward dynamics of chains in space: nanoseconds per link, against MuJoCo, and how the
 * cost grows with the number of links.
 *
 *     bench_chain [rounds]
 *
 * u' from (q, u): by articulated bodies, and by the mass matrix and its factor.  The programs take
 * turns; medians are compared.  Exit code 1 if a limit is missed: not slower than MuJoCo at 3, 30
 * and 300 links, cost of articulated bodies ~ links^p with p <= 1.1, accelerations equal. */
#include "chain.h"
#include "bench.h"

#include "dynamics/dyn.h"
#include "specht/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_SIZE = 5, ROUNDS_MAX = 100, LINKS_MAX = 300 };
static const int size_of[N_SIZE] = {3, 10, 30, 100, 300};
#define EXPONENT_LIMIT 1.1
#define AGREE_LIMIT    1e-6 /* relative: the condition of M grows with the fourth power of links */

/* One chain with room to compute in. */
typedef struct chain {
    int n;
    sp_spec *spec;
    sp_model *m;
    sp_arena arena;
    sp_kin kin;
    sp_dyn dyn;
    double q[LINKS_MAX], u[LINKS_MAX], du[LINKS_MAX];
} chain;

typedef enum way { ARTICULATED, MATRIX, MUJOCO, N_WAY } way;

static bool fail(const char *what, const sp_error *err)
{
    fprintf(stderr, "bench_chain: %s: %s\n", what, err->text);
    return false;
}

/* A chain of n links from a model text. */
static bool load(chain *c, int n)
{
    char text[1024];
    sp_error err = {.status = SP_OK};
    snprintf(text, sizeof text,
             "specht: 1\nname: chain\nspace: spatial\nunits: off\ngravity: %.17g\nbodies:\n"
             "  link: {count: %d, mass: %.17g, inertia: [%.17g, %.17g, %.17g], center: [%.17g, 0, "
             "0],\n    joint: {revolute: link.(i-1), first: ground, at: [%.17g, 0, 0], axis: [0, "
             "i mod 2, (i + 1) mod 2]}}\n"
             "run: {until: 1, method: moreau, step: 1e-3}\n",
             CHAIN_GRAVITY, n, CHAIN_MASS, CHAIN_JX, CHAIN_JY, CHAIN_JZ, 0.5 * CHAIN_LENGTH,
             CHAIN_LENGTH);
    memset(c, 0, sizeof *c);
    c->n = n;
    c->spec = sp_spec_new(NULL);
    if (!c->spec || sp_spec_load_text(c->spec, "chain.yaml", text, strlen(text), NULL, &err) ||
        sp_model_build(c->spec, NULL, &c->m, &err)) {
        return fail("model", &err);
    }
    sp_arena_init(&c->arena, NULL, 0);
    if (!sp_kin_alloc(&c->arena, c->m, &c->kin) ||
        !sp_dyn_alloc(&c->arena, c->m, SP_DYN_MASS | SP_DYN_ARTICULATED, &c->dyn)) {
        return fail("memory", &err);
    }
    sp_dyn_init(c->m, &c->m->numbers, &c->dyn);
    for (int k = 0; k < n; k++) {
        c->q[k] = chain_q(k);
        c->u[k] = chain_u(k);
    }
    return true;
}

static void unload(chain *c)
{
    sp_arena_free(&c->arena);
    sp_model_free(c->m);
    sp_spec_free(c->spec);
}

/* u' once. */
static void accelerate(chain *c, way by)
{
    const sp_numbers *num = &c->m->numbers;
    if (by == ARTICULATED) {
        sp_dyn_accelerate(c->m, num, &(sp_at){0.0, c->q, c->u}, NULL, &c->kin, &c->dyn, c->du,
                          NULL);
        return;
    }
    sp_dyn_terms(c->m, num, 0.0, c->q, c->u, &c->kin, &c->dyn);
    sp_dyn_factor(c->m, &c->dyn, NULL);
    memcpy(c->du, c->dyn.h[SP_CONSERVATIVE], (size_t)c->n * sizeof(double));
    sp_dyn_solve_LT(c->m, &c->dyn, c->du);
    sp_dyn_solve_D_L(c->m, &c->dyn, c->du);
}

/* Sum of |u'|: what the programs are compared by. */
static double checksum(const chain *c)
{
    double sum = 0.0;
    for (int k = 0; k < c->n; k++) {
        sum += fabs(c->du[k]);
    }
    return sum;
}

/* Seconds of one evaluation, the mean over enough of them for the clock. */
static double time_own(chain *c, way by)
{
    const int repeat = 1 + 20000 / c->n;
    const double start = bench_now();
    for (int k = 0; k < repeat; k++) {
        accelerate(c, by);
    }
    return (bench_now() - start) / repeat;
}

/* The same of MuJoCo in a program of its own; negative if it is not there. */
static double time_peer(int n, double *sum)
{
    const char *folder = getenv("SPECHT_BENCH_DIR");
    char path[1024];
    bench_result r;
    snprintf(path, sizeof path, "%s/peer_chain_mujoco", folder ? folder : ".");
    if (!bench_run_peer(path, n, 3, &r)) {
        return -1.0;
    }
    *sum = r.checksum;
    return r.seconds;
}

/* Times of one size of chain: medians over the rounds, the least of articulated bodies (others on
 * the machine only add), and checksums. */
typedef struct timing {
    double seconds[N_WAY], least, sum[N_WAY];
    bool has_peer;
} timing;

static bool time_size(int n, int rounds, timing *t)
{
    static chain c;
    double seconds[N_WAY][ROUNDS_MAX];
    if (!load(&c, n)) {
        return false;
    }
    t->has_peer = true;
    for (int k = 0; k < rounds; k++) {
        for (int by = ARTICULATED; by <= MATRIX; by++) {
            seconds[by][k] = time_own(&c, (way)by);
            t->sum[by] = checksum(&c);
        }
        seconds[MUJOCO][k] = t->has_peer ? time_peer(n, &t->sum[MUJOCO]) : -1.0;
        t->has_peer = seconds[MUJOCO][k] > 0.0;
    }
    for (int by = 0; by < N_WAY; by++) {
        t->seconds[by] = bench_median(seconds[by], rounds); /* sorts */
    }
    t->least = seconds[ARTICULATED][0];
    unload(&c);
    return true;
}

/* Slope of the straight line through (log links, log seconds). */
static double exponent(const timing *t)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < N_SIZE; i++) {
        const double a = log(size_of[i]), b = log(t[i].least);
        x += a / N_SIZE;
        y += b / N_SIZE;
        xx += a * a / N_SIZE;
        xy += a * b / N_SIZE;
    }
    return (xy - x * y) / (xx - x * x);
}

static int judge(bool good, const char *format, double value, double limit)
{
    printf("  %s  ", good ? "PASS" : "FAIL");
    printf(format, value, limit);
    printf("\n");
    return !good;
}

/* One size: the better of our ways against MuJoCo, and whether all found the same u'. */
static int judge_size(int n, const timing *t)
{
    char format[100];
    const double own = fmin(t->seconds[ARTICULATED], t->seconds[MATRIX]);
    double apart = fabs(t->sum[MATRIX] / t->sum[ARTICULATED] - 1.0);
    int missed = 0;
    if (t->has_peer) {
        const double ratio = t->seconds[MUJOCO] / own;
        snprintf(format, sizeof format,
                 "%%5.1f times faster than mujoco with %d links, at least %%g", n);
        missed += judge(ratio >= 1.0, format, ratio, 1.0);
        apart = fmax(apart, fabs(t->sum[MUJOCO] / t->sum[ARTICULATED] - 1.0));
    } else {
        printf("  skipped: mujoco\n");
    }
    snprintf(format, sizeof format, "%%.0e apart are the accelerations with %d links, at most %%g",
             n);
    return missed + judge(apart <= AGREE_LIMIT, format, apart, AGREE_LIMIT);
}

static void print_times(const timing *t, int rounds)
{
    printf("u' of a chain in space from (q, u), one thread; ns per link, median of %d rounds\n\n",
           rounds);
    printf("  links   articulated   M and factor   mujoco\n");
    for (int i = 0; i < N_SIZE; i++) {
        const double ns = 1e9 / size_of[i];
        printf("  %5d %13.1f %14.1f", size_of[i], ns * t[i].seconds[ARTICULATED],
               ns * t[i].seconds[MATRIX]);
        if (t[i].has_peer) {
            printf(" %8.1f\n", ns * t[i].seconds[MUJOCO]);
        } else {
            printf("  skipped: not installed\n");
        }
    }
}

int main(int argc, char **argv)
{
    const long rounds = bench_argument(argc, argv, 1, 5);
    static timing t[N_SIZE];
    int missed = 0;
    if (rounds < 0 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_chain [rounds <= %d]\n", ROUNDS_MAX);
        return 2;
    }
    for (int i = 0; i < N_SIZE; i++) {
        if (!time_size(size_of[i], (int)rounds, &t[i])) {
            return 1;
        }
    }
    print_times(t, (int)rounds);
    printf("\nratios\n");
    for (int i = 0; i < N_SIZE; i += 2) { /* 3, 30, 300 */
        missed += judge_size(size_of[i], &t[i]);
    }
    const double p = exponent(t);
    missed += judge(p <= EXPONENT_LIMIT, "cost of articulated bodies ~ links^%.2f, at most %g", p,
                    EXPONENT_LIMIT);
    return missed > 0;
}
