/* Matrices nobody should send: indefinite, unsymmetric, of any rank and size.  Every method must
 * end in time with an honest status. */
#include "solvers/fc.h"

#include "support/check.h"

#include <stdio.h>
#include <string.h>

enum { CONTACTS = 7, ROWS = 3 * CONTACTS, COLUMNS = 30 };

typedef struct garbage {
    sp_fc p;
    sp_set set[CONTACTS];
    int row[CONTACTS];
    double G[ROWS * ROWS], c[ROWS], P[ROWS];
    unsigned char status[CONTACTS];
} garbage;

static sp_set random_set(rng *r)
{
    const double mu = rng_int(r, 5) ? rng_in(r, 0.0, 2.0) : pow(10.0, rng_in(r, -200.0, 100.0));
    const sp_set all[6] = {
        sp_set_free(),     sp_set_half_line(),
        sp_set_planar(mu), sp_set_disc(mu),
        sp_set_disc(mu),   sp_set_interval(-pow(10.0, rng_in(r, -5.0, 5.0)), INFINITY)};
    sp_set s = all[rng_int(r, 6)];
    s.shifted = rng_int(r, 6) == 0;
    for (int a = 0; a < 3; a++) {
        s.shift[a] = rng_in(r, -1.0, 1.0);
    }
    return s;
}

/* kind 0: any numbers; 1: any rank; 2: unsymmetric by decades; 3: indefinite. */
static void fill(garbage *g, rng *r)
{
    double A[ROWS][COLUMNS];
    const double size = pow(10.0, rng_int(r, 3) ? 0.0 : rng_in(r, -150.0, 150.0));
    const double c_size = pow(10.0, rng_int(r, 3) ? 0.0 : rng_in(r, -150.0, 150.0));
    const int kind = rng_int(r, 4), rank = 1 + rng_int(r, COLUMNS), n = g->p.n;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        A[k / COLUMNS][k % COLUMNS] = rng_in(r, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        g->c[i] = rng_int(r, 4) ? c_size * rng_in(r, -1.0, 1.0) : 0.0;
        g->P[i] = rng_int(r, 20) ? rng_in(r, -1.0, 1.0) : NAN;
        for (int j = 0; j < n; j++) {
            double sum = kind == 3 && i == j ? -0.5 * rank : 0.0;
            for (int m = 0; m < rank; m++) {
                sum += A[i][m] * A[j][m];
            }
            sum = kind == 0 ? rng_in(r, -1.0, 1.0) : sum;
            g->G[i * n + j] = size * sum * (kind == 2 ? pow(10.0, rng_in(r, -3.0, 3.0)) : 1.0);
        }
    }
}

/* All that take problems without factors. */
static const char *const METHODS[] = {"auto", "nsgs", "newton", "admm", "natural", "interior"};
enum { N_METHOD = sizeof METHODS / sizeof *METHODS };

static void every_method_ends_with_an_honest_status(void **ctx)
{
    (void)ctx;
    int ends[3] = {0};
    const int cases = check_cases(800, 20000);
    sp_fc_work w;
    memset(&w, 0, sizeof w);
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k * 31 + 7};
        garbage g;
        memset(&g, 0, sizeof g);
        g.p.n_contact = 1 + rng_int(&r, CONTACTS);
        for (int i = 0; i < g.p.n_contact; i++) {
            g.set[i] = random_set(&r);
        }
        g.p.n = sp_fc_rows(g.p.n_contact, g.set, g.row);
        g.p.set = g.set;
        g.p.row = g.row;
        g.p.c = g.c;
        fill(&g, &r);
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        assert_int_equal(SP_OK, sp_fc_from_dense(&g.p, g.G, (size_t)g.p.n, 1, &arena, NULL));
        const sp_fc_options o = {.solver = METHODS[rng_int(&r, N_METHOD)],
                                 .measure = rng_flip(&r) ? SP_FC_FCLIB : SP_FC_SCALED,
                                 .effort = 0.1,
                                 .warm = rng_flip(&r),
                                 .analyse = rng_flip(&r)};
        sp_fc_solution s;
        memset(&s, 0, sizeof s);
        s.P = g.P;
        s.status = g.status;
        const sp_status end = sp_fc_solve(&g.p, &o, &s, &w, NULL);
        assert_true(end == SP_OK || end == SP_E_NOT_CONVERGED || end == SP_E_INFEASIBLE);
        ends[end == SP_OK ? 0 : end == SP_E_INFEASIBLE ? 1 : 2]++;
        if (end == SP_OK) {
            assert_true(o.measure == SP_FC_FCLIB ? s.residual_fclib <= 1e-8 : s.residual <= 1e-10);
        }
        for (int e = 0; e < g.p.n; e++) {
            assert_true(isfinite(g.P[e]));
        }
        sp_arena_free(&arena);
    }
    printf("garbage: %d solved, %d proved infeasible, %d neither\n", ends[0], ends[1], ends[2]);
    sp_fc_work_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_ends_with_an_honest_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
