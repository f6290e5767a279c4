/* Least squares at the end, on contacts that contradict each other: the least is known there. */
#include "solvers/fc_least.h"

#include "solvers/fc.h"
#include "support/check.h"

#include <string.h>

enum { SAME = 4, KINDS = 6, ROWS = 12 };

/* What is wrong in the last digits of the normal velocities, 1.5e-6 in the mean. */
static const double noise[SAME] = {3e-6, -2e-6, 1e-6, 4e-6};

/* SAME contacts of one mass, G_ij = I for all of them. */
typedef struct scene {
    double G[ROWS][ROWS], c[ROWS], P[ROWS];
    sp_set set[KINDS];
    int row[KINDS];
    sp_arena arena;
    sp_fc p;
} scene;

/* Velocities c of the mass, each contact's normal one wrong by noise[i]. */
static void build(scene *a, const double *c)
{
    memset(a, 0, sizeof *a);
    sp_arena_init(&a->arena, NULL, 0);
    a->p.n_contact = SAME;
    for (int i = 0; i < a->p.n_contact; i++) {
        a->set[i] = sp_set_disc(0.5);
        for (int j = 0; j < a->p.n_contact; j++) {
            for (int e = 0; e < 3; e++) {
                a->G[3 * i + e][3 * j + e] = 1.0;
            }
        }
        memcpy(a->c + 3 * i, c, 3 * sizeof *c);
        a->c[3 * i] += noise[i];
    }
    a->p.set = a->set;
    a->p.n = sp_fc_rows(a->p.n_contact, a->set, a->row);
    a->p.row = a->row;
    a->p.c = a->c;
    assert_int_equal(SP_OK, sp_fc_from_dense(&a->p, &a->G[0][0], ROWS, 1, &a->arena, NULL));
}

/* |noise - its mean| over |c|: what no percussion can take away. */
static double floor_of(const scene *a)
{
    double mean = 0.0, sum = 0.0, c2 = 0.0;
    for (int i = 0; i < SAME; i++) {
        mean += noise[i] / SAME;
    }
    for (int i = 0; i < SAME; i++) {
        sum += (noise[i] - mean) * (noise[i] - mean);
    }
    for (int k = 0; k < a->p.n; k++) {
        c2 += a->c[k] * a->c[k];
    }
    return sqrt(sum / c2);
}

/* sp_fc_least on all contacts from P with this tolerance; returns the error. */
static double improve(scene *a, double tol)
{
    double sum = 0.0;
    int contact[KINDS], local[KINDS];
    sp_fc_stack stack = {0};
    sp_fc_island l;
    for (int i = 0; i < a->p.n_contact; i++) {
        contact[i] = local[i] = i;
    }
    for (int k = 0; k < a->p.n; k++) {
        sum += a->c[k] * a->c[k];
    }
    sp_arena_init(&stack.arena, NULL, 0);
    assert_true(sp_fc_island_take(&a->p, a->p.n_contact, contact, local, 1.0, &stack, &l));
    sp_fc_goal g = {.measure = SP_FC_FCLIB, .tol = tol, .c_norm = sqrt(sum), .effort = 1.0};
    double p[ROWS], u[ROWS];
    for (int i = 0; i < l.n_contact; i++) {
        for (int k = l.row[i]; k < l.row[i + 1]; k++) {
            p[k] = a->P[k] / l.d[i];
        }
    }
    const double start = sp_fc_island_judge(&l, &g, p, u);
    const double error = sp_fc_least(&l, &g, start, p, &stack);
    assert_near(error, sp_fc_island_judge(&l, &g, p, u), 1e-16);
    assert_true(error <= start);
    for (int i = 0; i < l.n_contact; i++) {
        for (int k = l.row[i]; k < l.row[i + 1]; k++) {
            a->P[k] = p[k] * l.d[i];
        }
    }
    sp_arena_free(&stack.arena);
    return error;
}

static void sticking_contacts_that_contradict_meet_in_the_middle(void **ctx)
{
    (void)ctx;
    scene a;
    build(&a, (const double[]){-1.0, 0.1, -0.2});
    for (int i = 0; i < SAME; i++) {
        const double start[3] = {0.25 + 1e-5 * i, -0.025, 0.05};
        memcpy(a.P + 3 * i, start, sizeof start);
    }
    assert_near(improve(&a, 1e-12), floor_of(&a), 1e-10);
    double sum = 0.0; /* the middle: xi_N = 0 in the mean */
    for (int i = 0; i < SAME; i++) {
        sum += a.P[3 * i];
    }
    assert_near(sum, 1.0 - 1.5e-6, 1e-9);
    sp_arena_free(&a.arena);
}

/* Slip along (0.6, 0.8) with mu = 0.5: P_N = 1 - 1.5e-6, P_T = -mu P_N (0.6, 0.8) in all. */
static void sliding_contacts_keep_their_friction(void **ctx)
{
    (void)ctx;
    scene a;
    build(&a, (const double[]){-1.0, 3.0, 4.0});
    for (int i = 0; i < SAME; i++) {
        const double start[3] = {0.25, -0.0751, -0.0999};
        memcpy(a.P + 3 * i, start, sizeof start);
    }
    assert_true(improve(&a, 1e-12) <= floor_of(&a) + 1e-10);
    double sum[3] = {0};
    for (int k = 0; k < a.p.n; k++) {
        sum[k % 3] += a.P[k];
    }
    assert_near(sum[0], 1.0 - 1.5e-6, 1e-9);
    assert_near(sum[1], -0.3 * sum[0], 1e-9);
    assert_near(sum[2], -0.4 * sum[0], 1e-9);
    sp_arena_free(&a.arena);
}

/* All kinds of sets, coupled, with one solution: from near it the steps come to it. */
static void a_regular_problem_of_all_kinds_is_solved(void **ctx)
{
    (void)ctx;
    scene a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    const sp_set set[KINDS] = {sp_set_half_line(), sp_set_free(),      sp_set_disc(0.4),
                               sp_set_disc(0.0),   sp_set_planar(0.3), sp_set_half_line()};
    static const double c[ROWS] = {-1.0, 0.5, -2.0, 1.5, -0.7, -0.8, 0.3, 0.2, -1.5, 1.2, 4.0};
    memcpy(a.set, set, sizeof set);
    memcpy(a.c, c, sizeof c);
    a.p = (sp_fc){.n_contact = KINDS, .set = a.set, .row = a.row, .c = a.c};
    a.p.n = sp_fc_rows(KINDS, a.set, a.row);
    assert_int_equal(11, a.p.n);
    for (int i = 0; i < a.p.n; i++) {
        for (int j = 0; j < a.p.n; j++) {
            a.G[i][j] = i == j ? 2.0 + 0.1 * i : 0.15 * cos(1.3 * (i + 1) * (j + 1));
        }
    }
    assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, &a.G[0][0], ROWS, 1, &a.arena, NULL));
    unsigned char status[KINDS];
    sp_fc_work w = {0};
    const sp_fc_options o = {.measure = SP_FC_FCLIB, .tol = 1e-14};
    sp_fc_solution solution = {.P = a.P, .status = status};
    assert_int_equal(SP_OK, sp_fc_solve(&a.p, &o, &solution, &w, NULL));
    assert_true(status[2] == SP_SLIP_POS && status[5] == SP_OPEN && a.P[5] > 0.1);
    double known[ROWS];
    memcpy(known, a.P, sizeof known);
    for (int k = 0; k < 10; k++) {
        a.P[k] += known[k] != 0.0 ? 1e-4 * sin(k + 1.0) : 0.0;
    }
    assert_true(improve(&a, 1e-13) < 1e-13);
    for (int k = 0; k < a.p.n; k++) {
        assert_near(a.P[k], known[k], 1e-12);
    }
    sp_fc_work_free(&w);
    sp_arena_free(&a.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticking_contacts_that_contradict_meet_in_the_middle),
        cmocka_unit_test(sliding_contacts_keep_their_friction),
        cmocka_unit_test(a_regular_problem_of_all_kinds_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
