/* solve_tiny.c - tiny contact problems against LAPACK's dgesv in the same run.
 *
 *     bench_solve_tiny [rounds]            table of times and ratios; exit code 1 if a limit is
 * missed bench_solve_tiny only CASE CALLS     that case alone, to count instructions: valgrind
 * --tool=callgrind bench_solve_tiny only planar4_stick 2000     minus 1000 calls
 *
 * The cases take turns, so that a noisy machine is noisy for all; medians are compared.  dgesv is
 * looked for at run time, and left out where there is none. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "certify/certificate.h"
#include "solvers/lcp.h"
#include "solvers/problem.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4, ROWS = 8, DOF = 12, ROUNDS_MAX = 200, CALLS = 500 };

typedef void dgesv_function(const int *n, const int *n_right, double *A, const int *ld, int *pivot,
                            double *b, const int *ld_b, int *info);

typedef enum method { SOLVE, SOLVE_COLD, LEMKE, CERTIFY, DGESV } method;

/* One thing to time, and how it was. */
typedef struct bench_case {
    const char *name;
    method how;
    int n_contact;
    sp_set_kind kind;
    int status;          /* wanted of all contacts, -1: as they come; size for DGESV */
    const char *against; /* the case its limit refers to */
    double limit;
    double ns[ROUNDS_MAX];
} bench_case;

static bench_case cases[] = {
    {.name = "half1", .how = SOLVE, .n_contact = 1, .kind = SP_SET_HALF_LINE, .status = SP_STICK},
    {.name = "half1_cold",
     .how = SOLVE_COLD,
     .n_contact = 1,
     .kind = SP_SET_HALF_LINE,
     .status = SP_STICK},
    {.name = "half2", .how = SOLVE, .n_contact = 2, .kind = SP_SET_HALF_LINE, .status = SP_STICK},
    {.name = "half2_cold",
     .how = SOLVE_COLD,
     .n_contact = 2,
     .kind = SP_SET_HALF_LINE,
     .status = SP_STICK},
    {.name = "free1", .how = SOLVE, .n_contact = 1, .kind = SP_SET_FREE, .status = SP_STICK},
    {.name = "interval1",
     .how = SOLVE,
     .n_contact = 1,
     .kind = SP_SET_INTERVAL,
     .status = SP_SLIP_POS},
    {.name = "planar1", .how = SOLVE, .n_contact = 1, .kind = SP_SET_PLANAR, .status = SP_STICK},
    {.name = "planar2_stick",
     .how = SOLVE,
     .n_contact = 2,
     .kind = SP_SET_PLANAR,
     .status = SP_STICK},
    {.name = "planar2_slip",
     .how = SOLVE,
     .n_contact = 2,
     .kind = SP_SET_PLANAR,
     .status = SP_SLIP_POS},
    {.name = "planar2_cold",
     .how = SOLVE_COLD,
     .n_contact = 2,
     .kind = SP_SET_PLANAR,
     .status = SP_SLIP_POS},
    {.name = "planar3_stick",
     .how = SOLVE,
     .n_contact = 3,
     .kind = SP_SET_PLANAR,
     .status = SP_STICK},
    {.name = "planar4_stick",
     .how = SOLVE,
     .n_contact = 4,
     .kind = SP_SET_PLANAR,
     .status = SP_STICK,
     .against = "dgesv8",
     .limit = 1.0},
    {.name = "planar4_mixed",
     .how = SOLVE,
     .n_contact = 4,
     .kind = SP_SET_PLANAR,
     .status = -1,
     .against = "dgesv8",
     .limit = 1.0},
    {.name = "lemke4_stick",
     .how = LEMKE,
     .n_contact = 4,
     .kind = SP_SET_PLANAR,
     .status = SP_STICK,
     .against = "dgesv12",
     .limit = 4.0},
    {.name = "lemke4_mixed",
     .how = LEMKE,
     .n_contact = 4,
     .kind = SP_SET_PLANAR,
     .status = -1,
     .against = "dgesv12",
     .limit = 4.0},
    {.name = "certify2",
     .how = CERTIFY,
     .n_contact = 2,
     .kind = SP_SET_PLANAR,
     .status = SP_SLIP_POS},
    {.name = "dgesv8", .how = DGESV, .status = 8},
    {.name = "dgesv12", .how = DGESV, .status = 12},
};
enum { N_CASE = (int)(sizeof cases / sizeof *cases) };

/* A problem with its solution. */
typedef struct subject {
    sp_problem p;
    sp_set set[MOST];
    int row[MOST];
    double G[ROWS * ROWS], c[ROWS], P[ROWS], xi[ROWS], rho[MOST];
    unsigned char status[MOST];
} subject;

/* Numbers in [-1, 1) that depend on the seed alone. */
static double number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* A random mechanism that presses its contacts together. */
static void draw(const bench_case *b, unsigned long long *seed, subject *x)
{
    double W[ROWS][DOF], u[DOF];
    memset(x, 0, sizeof *x);
    for (int i = 0; i < b->n_contact; i++) {
        x->set[i] = sp_set_of_kind(b->kind);
        x->set[i].mu = b->status == SP_SLIP_POS ? 0.1 : 0.8;
        x->set[i].lo = -0.01;
        x->set[i].hi = 0.01;
        x->row[i] = x->p.n;
        x->p.n += sp_set_dim(&x->set[i]);
    }
    for (int d = 0; d < DOF; d++) {
        u[d] = number(seed);
        for (int k = 0; k < x->p.n; k++) {
            W[k][d] = number(seed);
        }
    }
    for (int a = 0; a < x->p.n; a++) {
        for (int d = 0; d < DOF; d++) {
            x->c[a] += W[a][d] * u[d];
        }
        for (int b_row = 0; b_row < x->p.n; b_row++) {
            for (int d = 0; d < DOF; d++) {
                x->G[a * x->p.n + b_row] += W[a][d] * W[b_row][d];
            }
        }
    }
    x->p.n_contact = b->n_contact;
    x->p.ld = x->p.n;
    x->p.set = x->set;
    x->p.row = x->row;
    x->p.G = x->G;
    x->p.c = x->c;
}

/* Draw until the solution has the states that are wanted; its velocities and scales too. */
static int find(const bench_case *b, subject *x, void *work)
{
    unsigned long long seed = 7;
    for (int k = 0; k < 1000000; k++) {
        draw(b, &seed, x);
        sp_solution s = {.P = x->P, .status = x->status};
        memset(x->status, SP_STATUS_UNKNOWN, sizeof x->status);
        if (sp_solve(&x->p, &s, work, NULL) != SP_OK) {
            continue;
        }
        int fits = 1, slips = 0;
        for (int i = 0; i < b->n_contact; i++) {
            fits = fits && (b->status < 0 ? x->status[i] != SP_OPEN : x->status[i] == b->status);
            slips += x->status[i] > SP_STICK;
            x->rho[i] = 1.0 / x->G[x->row[i] * (x->p.n + 1)];
        }
        if (fits && (b->status >= 0 || slips == 2)) {
            for (int a = 0; a < x->p.n; a++) {
                x->xi[a] = x->c[a];
                for (int j = 0; j < x->p.n; j++) {
                    x->xi[a] += x->G[a * x->p.n + j] * x->P[j];
                }
            }
            return 1;
        }
    }
    return 0;
}

/* Solve a system of this size many times; the matrix is copied anew each time. */
static double run_dgesv(dgesv_function *dgesv, int n, long calls)
{
    double A[144], b[12], M[144], sum = 0.0;
    unsigned long long seed = 3;
    const int one = 1;
    for (int k = 0; k < n * n; k++) {
        M[k] = number(&seed) + (k % (n + 1) == 0 ? 4.0 : 0.0);
    }
    for (long k = 0; k < calls; k++) {
        int pivot[12], info = 0;
        memcpy(A, M, (size_t)(n * n) * sizeof *A);
        for (int i = 0; i < n; i++) {
            b[i] = (double)i;
        }
        dgesv(&n, &one, A, &n, pivot, b, &n, &info);
        sum += b[0];
    }
    return sum;
}

/* Call a case many times; the sum keeps the work alive. */
static double run(const bench_case *b, const subject *x, dgesv_function *dgesv, void *work,
                  long calls)
{
    double P[ROWS], sum = 0.0;
    unsigned char status[MOST];
    if (b->how == DGESV) {
        return run_dgesv(dgesv, b->status, calls);
    }
    for (long k = 0; k < calls; k++) {
        sp_solution s = {.P = P, .status = status};
        sp_certificate certificate = {0};
        sp_lcp lcp;
        memcpy(status, x->status, sizeof status);
        switch (b->how) {
        case SOLVE_COLD:
            memset(status, SP_STATUS_UNKNOWN, sizeof status);
            sum += sp_solve(&x->p, &s, work, NULL) == SP_OK ? P[0] : NAN;
            break;
        case LEMKE:
            sp_lcp_place(&lcp, &x->p, work);
            sum += sp_lcp_solve(&lcp, SP_LCP_3, 1e-11, P, status) == SP_LEMKE_SOLVED ? P[0] : NAN;
            break;
        case CERTIFY:
            sp_certify_contacts(x->p.n_contact, x->set, x->row, x->P, x->xi, x->rho, 1.0,
                                &certificate);
            sum += certificate.complementarity;
            break;
        default:
            sum += sp_solve(&x->p, &s, work, NULL) == SP_OK ? P[0] : NAN;
            break;
        }
    }
    return sum;
}

/* dgesv of this machine with one thread, or NULL. */
static dgesv_function *find_dgesv(void)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("liblapack.so.3", RTLD_NOW);
    dgesv_function *dgesv = NULL;
    if (library) {
        void *symbol = dlsym(library, "dgesv_");
        memcpy(&dgesv, &symbol, sizeof dgesv); /* the way POSIX suggests */
    }
    return dgesv;
}

/* Median of the case with this name [ns], NAN if there is none. */
static double time_of(const char *name, int rounds)
{
    for (int i = 0; i < N_CASE; i++) {
        if (name && strcmp(cases[i].name, name) == 0 && cases[i].ns[0] > 0.0) {
            return bench_median(cases[i].ns, rounds);
        }
    }
    return NAN;
}

/* Print all medians and ratios; returns how many limits were missed. */
static int print(int rounds)
{
    int missed = 0;
    printf("%-16s %10s   %s\n", "case", "ns", "ratio");
    for (int i = 0; i < N_CASE; i++) {
        const bench_case *b = &cases[i];
        const double ratio = time_of(b->name, rounds) / time_of(b->against, rounds);
        printf("%-16s %10.0f", b->name, time_of(b->name, rounds));
        if (b->against && ratio == ratio) {
            missed += !(ratio <= b->limit);
            printf("   %.2f of %s, at most %g%s", ratio, b->against, b->limit,
                   ratio <= b->limit ? "" : "  MISSED");
        }
        printf("\n");
    }
    return missed;
}

int main(int argc, char **argv)
{
    static subject subjects[N_CASE];
    const int only = argc == 4 && strcmp(argv[1], "only") == 0;
    const long rounds = only ? 1 : bench_argument(argc, argv, 1, 41);
    const long calls = only ? bench_argument(argc, argv, 3, CALLS) : CALLS;
    dgesv_function *dgesv = find_dgesv();
    void *work = malloc(sp_solve_work(MOST, ROWS));
    double sum = 0.0;
    if (rounds < 1 || rounds > ROUNDS_MAX || calls < 1 || !work) {
        fprintf(stderr, "usage: bench_solve_tiny [rounds <= %d] | only CASE CALLS\n", ROUNDS_MAX);
        return 2;
    }
    for (int i = 0; i < N_CASE; i++) {
        if (cases[i].how != DGESV && !find(&cases[i], &subjects[i], work)) {
            fprintf(stderr, "bench_solve_tiny: no problem found for %s\n", cases[i].name);
            return 2;
        }
    }
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < N_CASE; i++) {
            if ((cases[i].how == DGESV && !dgesv) ||
                (only && strcmp(argv[2], cases[i].name) != 0)) {
                continue;
            }
            const double start = bench_now();
            sum += run(&cases[i], &subjects[i], dgesv, work, calls);
            cases[i].ns[k] = 1e9 * (bench_now() - start) / (double)calls;
        }
    }
    const int missed = only ? 0 : print((int)rounds);
    printf("checksum %.6g\n", sum);
    free(work);
    return missed > 0;
}
