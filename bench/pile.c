/* pile.c - large piles of spheres: time per contact and sweep against a bare kernel, how it grows,
 * what a second thread brings, memory, and the time to a residual against Siconos.
 *
 *     bench_pile [rounds]
 *
 * The bare kernel knows that its bodies are equal spheres: four contacts of a colour at a time, a
 * projected step instead of an exact solution, no certificate, no acceleration.  Specht finds out
 * that the bodies are spheres (of any size and mass); the same pile with bodies whose inertia
 * differs from axis to axis goes through the kernel for rigid bodies, and is told beside it.  Exit
 * code 1 if a limit is missed. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "sphere_pile.h"

#include "io/problem_file.h"
#include "solvers/fc_pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES = 3, LANES = SP_FC_LANES, ROUNDS_MAX = 401, SWEEPS_CONTACTS = 10000 };
#define BARE_LIMIT      2.0  /* sweep over bare sweep                              */
#define GROWTH_LIMIT    1.05 /* exponent of the time per sweep over the contacts   */
#define THREADS_LIMIT   1.4  /* one thread over two                                */
#define SICONOS_LIMIT   20.0 /* best of Siconos over specht, 2500 contacts, 1e-6   */
#define SICONOS_SECONDS 20.0 /* for each of its settings */
#define MU              0.3

typedef double four __attribute__((vector_size(32), may_alias));
#define AT(x)                 (*(const four *)(const void *)(x))
#define MIX(a, b, i, j, k, l) __builtin_shufflevector((a), (b), (i), (j), (k), (l))

/* ---- the bare kernel ------------------------------------------------------------------------ */

/* Four contacts of spheres: the frame and the free velocity. */
typedef struct bare_four {
    _Alignas(32) double D[3][3][LANES], c[3][LANES], own[2][LANES]; /* own: moves body (1) or not */
    int body[2][LANES];
} bare_four;

/* v[k]: coordinate k of the four bodies. */
static inline __attribute__((always_inline)) void load(const int *body, const sp_fc_bodies *y,
                                                       four *v)
{
    const four r0 = AT(y[body[0]]), r1 = AT(y[body[1]]), r2 = AT(y[body[2]]), r3 = AT(y[body[3]]);
    const four q0 = AT(y[body[0]] + 4), q1 = AT(y[body[1]] + 4);
    const four q2 = AT(y[body[2]] + 4), q3 = AT(y[body[3]] + 4);
    const four t0 = MIX(r0, r1, 0, 4, 2, 6), t1 = MIX(r0, r1, 1, 5, 3, 7);
    const four t2 = MIX(r2, r3, 0, 4, 2, 6), t3 = MIX(r2, r3, 1, 5, 3, 7);
    const four s0 = MIX(q0, q1, 0, 4, 1, 5), s1 = MIX(q2, q3, 0, 4, 1, 5);
    v[0] = MIX(t0, t2, 0, 1, 4, 5), v[1] = MIX(t1, t3, 0, 1, 4, 5);
    v[2] = MIX(t0, t2, 2, 3, 6, 7), v[3] = MIX(t1, t3, 2, 3, 6, 7);
    v[4] = MIX(s0, s1, 0, 1, 4, 5), v[5] = MIX(s0, s1, 2, 3, 6, 7);
}

/* The reverse; walls are written too, with what they had. */
static inline __attribute__((always_inline)) void store(const int *body, sp_fc_bodies *y,
                                                        const four *v)
{
    const four zero = {0.0, 0.0, 0.0, 0.0};
    const four t0 = MIX(v[0], v[1], 0, 4, 2, 6), t1 = MIX(v[0], v[1], 1, 5, 3, 7);
    const four t2 = MIX(v[2], v[3], 0, 4, 2, 6), t3 = MIX(v[2], v[3], 1, 5, 3, 7);
    const four s0 = MIX(v[4], v[5], 0, 4, 1, 5), s1 = MIX(v[4], v[5], 2, 6, 3, 7);
    *(four *)(void *)y[body[0]] = MIX(t0, t2, 0, 1, 4, 5);
    *(four *)(void *)y[body[1]] = MIX(t1, t3, 0, 1, 4, 5);
    *(four *)(void *)y[body[2]] = MIX(t0, t2, 2, 3, 6, 7);
    *(four *)(void *)y[body[3]] = MIX(t1, t3, 2, 3, 6, 7);
    *(four *)(void *)(y[body[0]] + 4) = MIX(s0, zero, 0, 1, 4, 5);
    *(four *)(void *)(y[body[1]] + 4) = MIX(s0, zero, 2, 3, 4, 5);
    *(four *)(void *)(y[body[2]] + 4) = MIX(s1, zero, 0, 1, 4, 5);
    *(four *)(void *)(y[body[3]] + 4) = MIX(s1, zero, 2, 3, 4, 5);
}

/* Larger and smaller, lane by lane. */
#define PICK(m, a, b) ((four)(((lanes)(a) & (lanes)(m)) | ((lanes)(b) & ~(lanes)(m))))
typedef long long lanes __attribute__((vector_size(32), may_alias));

/* u = D (v_a - v_b - (w_a + w_b) x n) + c,  p <- projection of p - r u,  velocities += D'dp. */
static inline __attribute__((always_inline)) void bare_body(int n, const bare_four *f,
                                                            sp_fc_bodies *y, double *p)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, mu = zero + MU, r_N = zero + 0.5;
    const four r_T = zero + 0.5 / (1.0 + 1.0 / SPHERE_INERTIA), spin = zero + 1.0 / SPHERE_INERTIA;
    for (int i = 0; i < n; i++, f++, p += 3 * LANES) {
        four v[6], w[6], x[3], dp[3], push[3];
        load(f->body[0], (const sp_fc_bodies *)y, v);
        load(f->body[1], (const sp_fc_bodies *)y, w);
        const four n0 = AT(f->D[0][0]), n1 = AT(f->D[0][1]), n2 = AT(f->D[0][2]);
        const four s0 = v[3] + w[3], s1 = v[4] + w[4], s2 = v[5] + w[5];
        const four g0 = v[0] - w[0] - (s1 * n2 - s2 * n1);
        const four g1 = v[1] - w[1] - (s2 * n0 - s0 * n2);
        const four g2 = v[2] - w[2] - (s0 * n1 - s1 * n0);
        for (int a = 0; a < 3; a++) {
            const four u =
                AT(f->D[a][0]) * g0 + AT(f->D[a][1]) * g1 + AT(f->D[a][2]) * g2 + AT(f->c[a]);
            x[a] = AT(p + LANES * a) - (a ? r_T : r_N) * u;
        }
        x[0] = PICK(x[0] > zero, x[0], zero);
        const four radius = mu * x[0], len2 = x[1] * x[1] + x[2] * x[2];
        four shrink = zero + 1.0;
        for (int l = 0; l < LANES; l++) {
            if (len2[l] > radius[l] * radius[l]) {
                shrink[l] = radius[l] / sqrt(len2[l]);
            }
        }
        x[1] *= shrink;
        x[2] *= shrink;
        for (int a = 0; a < 3; a++) {
            dp[a] = x[a] - AT(p + LANES * a);
            *(four *)(void *)(p + LANES * a) = x[a];
        }
        for (int k = 0; k < 3; k++) {
            push[k] = AT(f->D[0][k]) * dp[0] + AT(f->D[1][k]) * dp[1] + AT(f->D[2][k]) * dp[2];
        }
        const four m0 = spin * (n1 * push[2] - n2 * push[1]);
        const four m1 = spin * (n2 * push[0] - n0 * push[2]);
        const four m2 = spin * (n0 * push[1] - n1 * push[0]);
        const four a = AT(f->own[0]), b = AT(f->own[1]);
        v[0] += a * push[0], v[1] += a * push[1], v[2] += a * push[2];
        w[0] -= b * push[0], w[1] -= b * push[1], w[2] -= b * push[2];
        v[3] -= a * m0, v[4] -= a * m1, v[5] -= a * m2;
        w[3] -= b * m0, w[4] -= b * m1, w[5] -= b * m2;
        store(f->body[0], y, v);
        store(f->body[1], y, w);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void bare_avx2(int n, const bare_four *f, sp_fc_bodies *y,
                                                      double *p)
{
    bare_body(n, f, y, p);
}
#endif

static void bare_sweep(int n, const bare_four *f, sp_fc_bodies *y, double *p)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        bare_avx2(n, f, y, p);
        return;
    }
#endif
    bare_body(n, f, y, p);
}

/* The pile's fours for the bare kernel. */
static void fill_bare(const sphere_pile *s, const sp_fc_pile *q, bare_four *f)
{
    for (int k = 0; k < LANES * q->n_four; k++) {
        const int l = k % LANES, i = q->more[k / LANES].contact[l];
        bare_four *own = &f[k / LANES];
        own->body[0][l] = own->body[1][l] = q->n_body;
        if (i < 0) {
            continue;
        }
        double dir[3][3];
        memcpy(dir[0], s->n[i], sizeof dir[0]);
        sphere_tangents(s->n[i], dir[1], dir[2]);
        for (int e = 0; e < 9; e++) {
            own->D[e / 3][e % 3][l] = dir[e / 3][e % 3];
        }
        for (int a = 0; a < 3; a++) {
            own->c[a][l] = s->p.c[3 * i + a];
        }
        for (int side = 0; side < 2; side++) {
            own->body[side][l] = s->pair[i][side];
            own->own[side][l] = s->pair[i][side] < q->n_body ? 1.0 : 0.0;
        }
    }
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* The bare kernel; ours for spheres; ours for rigid bodies of any kind. */
enum { BARE, SPHERES, RIGID, KERNELS };

/* What is known of one size. */
typedef struct size_result {
    int n_contact;
    double sweep[KERNELS]; /* ns per contact and sweep                              */
    double solve[2];       /* s to a residual of 1e-6 with one thread, two          */
    long sweeps;
    double residual, bytes; /* of scratch, per contact */
} size_result;

/* Zeroed numbers, aligned to a cache line. */
static void *zeroed(size_t bytes)
{
    const size_t whole = (bytes + 127) & ~(size_t)63;
    void *x = aligned_alloc(64, whole);
    if (x) {
        memset(x, 0, whole);
    }
    return x;
}

/* A pile, swept by one of the kernels. */
typedef struct swept {
    sp_fc_pile q;
    bare_four *f;    /* the bare kernel's, else NULL */
    sp_fc_bodies *y; /* the same                     */
    double *p;
} swept;

/* Sweeps over all colours. */
static void sweep(swept *s, int sweeps)
{
    for (int k = 0; k < sweeps * s->q.n_colour; k++) {
        const int c = k % s->q.n_colour, first = s->q.colour[c], n = s->q.colour[c + 1] - first;
        if (s->f) {
            bare_sweep(n, s->f + first, s->y, s->p + (size_t)first * 3 * LANES);
        } else {
            sp_fc_pile_sweep(&s->q, first, first + n, s->p);
        }
    }
}

/* Build a pile for one of the kernels; 0: it is not what it should be. */
static int prepare(const sphere_pile *s, int kernel, sp_fc_stack *stack, swept *w)
{
    sp_arena_init(&stack->arena, NULL, 0);
    if (!sp_fc_pile_build(&s->p, 1, stack, &w->q) || (kernel == RIGID) != (w->q.rigid != NULL) ||
        (kernel == SPHERES && !w->q.spheres)) {
        fprintf(stderr, "bench_pile: the pile is not of the kind it should be\n");
        return 0;
    }
    w->p = zeroed((size_t)w->q.n_four * 3 * LANES * sizeof(double));
    sp_fc_pile_gather(&w->q, w->p);
    if (kernel == BARE) {
        w->f = zeroed((size_t)w->q.n_four * sizeof *w->f);
        w->y = zeroed(((size_t)w->q.n_body + 1) * sizeof *w->y);
        fill_bare(s, &w->q, w->f);
    }
    return 1;
}

/* Sweeps of all kernels in turns. */
static void time_kernels(const sphere_pile *s, const sphere_pile *uneven, int rounds,
                         size_result *r)
{
    sp_fc_stack stack[KERNELS] = {{.failed = 0}};
    swept w[KERNELS] = {{.f = NULL}};
    double ns[KERNELS][ROUNDS_MAX];
    const int sweeps = 1 + SWEEPS_CONTACTS / s->p.n_contact; /* short, to find a quiet moment */
    for (int m = 0; m < KERNELS; m++) {
        if (!prepare(m == RIGID ? uneven : s, m, &stack[m], &w[m])) {
            exit(1);
        }
    }
    for (int k = -1; k < rounds; k++) {
        for (int m = 0; m < KERNELS; m++) {
            const double start = bench_now();
            sweep(&w[m], sweeps);
            ns[m][k < 0 ? 0 : k] = 1e9 * (bench_now() - start) / sweeps / s->p.n_contact;
        }
    }
    for (int m = 0; m < KERNELS; m++) {
        bench_median(ns[m], rounds); /* sorts: the least time is that of an undisturbed machine */
        r->sweep[m] = ns[m][0];
        free(w[m].p), free(w[m].f), free(w[m].y);
        sp_arena_free(&stack[m].arena);
    }
}

/* Allocation that counts its bytes. */
static void *counting_alloc(void *sum, size_t bytes)
{
    *(double *)sum += (double)bytes;
    return malloc(bytes);
}

static void counting_release(void *sum, void *block)
{
    (void)sum;
    free(block);
}

/* Solve with one thread and two. */
static void time_solves(sphere_pile *s, int rounds, size_result *r)
{
    double bytes = 0.0;
    const sp_allocator counting = {counting_alloc, counting_release, &bytes};
    sp_fc_work work = {.allocator = &counting};
    double seconds[2][ROUNDS_MAX];
    for (int k = -1; k < rounds; k++) {
        for (int threads = 1; threads <= 2; threads++) {
            const sp_fc_options o = {.tol = 1e-6, .solver = "pile", .threads = threads};
            sp_fc_solution x = {.P = s->P, .status = s->status};
            const double start = bench_now();
            const sp_status status = sp_fc_solve(&s->p, &o, &x, &work, NULL);
            seconds[threads - 1][k < 0 ? 0 : k] = status == SP_OK ? bench_now() - start : NAN;
            r->sweeps = x.sweeps;
            r->residual = x.residual;
        }
    }
    for (int t = 0; t < 2; t++) {
        bench_median(seconds[t], rounds);
        r->solve[t] = seconds[t][0];
    }
    r->bytes = bytes / s->p.n_contact;
    sp_fc_work_free(&work);
}

/* One line of the verdict; 1 if the limit is missed. */
static int judge(int good, const char *text, double value, double limit)
{
    printf("  %s  %s %.3g, wanted %g\n", good ? "PASS" : "FAIL", text, value, limit);
    return !good;
}

/* Best time of Siconos for a residual of 1e-6 in FCLIB's measure; NAN: it is not here, or no
 * setting reaches it in time. */
static double time_siconos(const sphere_pile *s, char *name, size_t bytes)
{
    static const char *const setting[] = {"nsgs",     "nsgs-light", "nsgs-nsngp", "nsgs-quartic",
                                          "nsgs-nsn", "prox",       "admm",       "nsn-ac"};
    const char *folder = getenv("SPECHT_BENCH_DIR"), *scratch = getenv("TMPDIR");
    char peer[1024], path[1024], command[4096];
    double best = NAN;
    sp_arena arena;
    sp_fc p = s->p;
    sp_error err = {.status = SP_OK};
    snprintf(peer, sizeof peer, "%.900s/peer_siconos_fc", folder ? folder : ".");
    snprintf(path, sizeof path, "%.900s/specht_pile_%ld.hdf5", scratch ? scratch : "/tmp",
             (long)getpid());
    if (strchr(peer, '\'') || strchr(path, '\'') || access(peer, X_OK) != 0) {
        return NAN;
    }
    sp_arena_init(&arena, NULL, 0);
    if (sp_fc_form(&p, &arena, &err) == SP_OK &&
        sp_problem_write(path, &p, NULL, "spheres", &err) == SP_OK) {
        for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
            double residual, fclib, seconds;
            long iterations;
            snprintf(command, sizeof command,
                     "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 '%s' '%s' %s 1 %g 1e-6 2>/dev/null",
                     peer, path, setting[k], SICONOS_SECONDS);
            FILE *in = popen(command, "r");
            const int read = in && fscanf(in, "siconos %lf %lf %ld %lf", &residual, &fclib,
                                          &iterations, &seconds) == 4;
            if (in) {
                pclose(in);
            }
            if (read && !(best <= seconds)) {
                best = seconds;
                snprintf(name, bytes, "%s", setting[k]);
            }
        }
    }
    unlink(path);
    sp_arena_free(&arena);
    return best;
}

/* The pile of some 2500 contacts against Siconos; 1 if the limit is missed. */
static int race_siconos(int rounds)
{
    sphere_pile s = sphere_pile_new(5, 5, MU);
    sp_fc_work work = {0};
    const sp_fc_options o = {.tol = 1e-6, .measure = SP_FC_FCLIB};
    sp_fc_solution x = {.P = s.P, .status = s.status};
    char name[32] = "-";
    double ours = INFINITY;
    for (int k = 0; k <= rounds; k++) {
        const double start = bench_now();
        const sp_status status = sp_fc_solve(&s.p, &o, &x, &work, NULL);
        const double seconds = status == SP_OK ? bench_now() - start : INFINITY;
        ours = seconds < ours ? seconds : ours;
    }
    const double theirs = time_siconos(&s, name, sizeof name);
    printf("  %d contacts to 1e-6 (FCLIB): specht %.2f ms (%s, %.1e), Siconos %.1f ms (%s)\n",
           s.p.n_contact, 1e3 * ours, x.path, x.residual_fclib, 1e3 * theirs, name);
    sp_fc_work_free(&work);
    sphere_pile_free(&s);
    if (isnan(theirs)) {
        printf("  skipped: comparison with Siconos\n");
        return 0;
    }
    return judge(theirs >= SICONOS_LIMIT * ours, "best of Siconos over specht, times",
                 theirs / ours, SICONOS_LIMIT);
}

/* Slope of log time per sweep over log contacts. */
static double growth(const size_result *r, int n, int kernel)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < n; k++) {
        const double x = log(r[k].n_contact), y = log(r[k].sweep[kernel] * r[k].n_contact);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* Measure one size and print its line. */
static size_result measure(int across, int layers, int kernel_rounds, int solve_rounds)
{
    sphere_pile s = sphere_pile_new(across, layers, MU), t = sphere_pile_new(across, layers, MU);
    size_result r = {.n_contact = s.p.n_contact};
    sphere_pile_uneven(&t);
    time_kernels(&s, &t, kernel_rounds, &r);
    time_solves(&s, solve_rounds, &r);
    printf("  %8d %8.1f %8.1f %6.2f %8.1f %6.2f %7ld %8.2f ms %8.2f ms %9.1f %8.1e %6.0f\n",
           r.n_contact, r.sweep[BARE], r.sweep[SPHERES], r.sweep[SPHERES] / r.sweep[BARE],
           r.sweep[RIGID], r.sweep[RIGID] / r.sweep[BARE], r.sweeps, 1e3 * r.solve[0],
           1e3 * r.solve[1], 1e9 * r.solve[0] / (double)r.sweeps / r.n_contact, r.residual,
           r.bytes);
    fflush(stdout);
    sphere_pile_free(&s);
    sphere_pile_free(&t);
    return r;
}

int main(int argc, char **argv)
{
    static const int across[SIZES] = {4, 8, 16}, layers[SIZES] = {3, 7, 17};
    const long rounds = bench_argument(argc, argv, 1, 7);
    size_result r[SIZES];
    double worst = 0.0, worst_rigid = 0.0;
    if (rounds < 1 || 10 * rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_pile [rounds <= %d]\n", ROUNDS_MAX / 10);
        return 2;
    }
    printf("  %8s %8s %8s %6s %8s %6s %7s %11s %11s %9s %8s %6s\n", "contacts", "bare ns",
           "spheres", "ratio", "rigid", "ratio", "sweeps", "1 thread", "2 threads", "ns/sweep",
           "residual", "bytes");
    for (int k = 0; k < SIZES; k++) {
        r[k] = measure(across[k], layers[k], 10 * (int)rounds, k == SIZES - 1 ? 1 : (int)rounds);
        worst = fmax(worst, r[k].sweep[SPHERES] / r[k].sweep[BARE]);
        worst_rigid = fmax(worst_rigid, r[k].sweep[RIGID] / r[k].sweep[BARE]);
    }
    int failed = judge(worst <= BARE_LIMIT, "sweep over bare sweep, at most", worst, BARE_LIMIT);
    const double exponent = growth(r, SIZES, SPHERES);
    const double threads = r[SIZES - 1].solve[0] / r[SIZES - 1].solve[1];
    failed |= judge(exponent <= GROWTH_LIMIT, "growth with the contacts, exponent", exponent,
                    GROWTH_LIMIT);
    failed |=
        judge(threads >= THREADS_LIMIT, "two threads over one, times", threads, THREADS_LIMIT);
    printf("        exponent %.3g of the bare kernel, %.3g of rigid bodies, whose sweep takes at "
           "most %.3g bare ones\n",
           growth(r, SIZES, BARE), growth(r, SIZES, RIGID), worst_rigid);
    return race_siconos((int)rounds) || failed;
}
