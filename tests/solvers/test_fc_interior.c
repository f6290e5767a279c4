/* Interior points against sweeps and Newton, and on their own. */
#include "solvers/fc.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdio.h>
#include <string.h>

/* Solve a with this method from nothing; returns the status, iterations in s. */
static sp_status solve(const pile *a, const char *solver, sp_fc_solution *s)
{
    sp_fc_work w = {0};
    const sp_fc_options o = {.solver = solver, .tol = 1e-10};
    *s = (sp_fc_solution){.P = a->P, .status = a->status};
    memset(a->P, 0, (size_t)a->p.n * sizeof *a->P);
    const sp_status end = sp_fc_solve(&a->p, &o, s, &w, NULL);
    sp_fc_work_free(&w);
    return end;
}

/* Row-major matrix of half lines, discs and free rows: one contact each, all coupled. */
static pile mixed(void)
{
    static const double G[6][6] = {{2.0, 0.3, 0.1, 0.2, 0.1, 0.4}, {0.3, 1.5, 0.2, 0.1, 0.3, 0.1},
                                   {0.1, 0.2, 3.0, 0.4, 0.2, 0.3}, {0.2, 0.1, 0.4, 2.5, 0.3, 0.2},
                                   {0.1, 0.3, 0.2, 0.3, 2.2, 0.1}, {0.4, 0.1, 0.3, 0.2, 0.1, 1.8}};
    static const double c[6] = {-1.0, 0.5, -2.0, 1.5, -0.7, -0.3};
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    sp_set *set = SP_NEW(&a.arena, sp_set, 4);
    int *row = SP_NEW(&a.arena, int, 4);
    set[0] = sp_set_half_line();
    set[1] = sp_set_free();
    set[2] = sp_set_disc(0.4);
    set[3] = sp_set_half_line();
    a.p.n_contact = 4;
    a.p.n = sp_fc_rows(4, set, row);
    a.p.set = set;
    a.p.row = row;
    a.p.c = c;
    assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, &G[0][0], 6, 1, &a.arena, NULL));
    a.P = SP_NEW(&a.arena, double, 6);
    a.status = SP_NEW(&a.arena, unsigned char, 4);
    return a;
}

static void half_lines_free_rows_and_discs_agree_with_newton(void **ctx)
{
    (void)ctx;
    pile a = mixed();
    sp_fc_solution s;
    double P[6];
    assert_int_equal(SP_OK, solve(&a, "newton", &s));
    memcpy(P, a.P, sizeof P);
    assert_int_equal(SP_OK, solve(&a, "interior", &s));
    for (int k = 0; k < 6; k++) { /* G is definite and friction small: one solution */
        assert_near(a.P[k], P[k], 1e-9);
    }
    assert_true(a.P[1] < 0.0); /* the free row pulls */
    pile_free(&a);
}

static void heaps_of_spheres_are_solved_and_move_as_newton_says(void **ctx)
{
    (void)ctx;
    int both = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        pile a = pile_spheres(2, 2, 0.1 * (double)seed, seed, 1);
        sp_fc_solution s;
        double first[1000], xi[1000];
        assert_true(a.p.n <= 1000);
        const int known = solve(&a, "newton", &s) == SP_OK;
        sp_fc_velocity(&a.p, a.P, first, NULL);
        if (solve(&a, "interior", &s) != SP_OK) {
            fail_msg("seed %d: residual %g", (int)seed, s.residual);
        }
        assert_true(s.iterations < 200);
        sp_fc_velocity(&a.p, a.P, xi, NULL);
        for (int k = 0; known && k < a.p.n; k++) {
            assert_near(xi[k], first[k], 1e-7);
        }
        both += known;
        pile_free(&a);
    }
    printf("newton solves %d of 12, too\n", both);
    assert_true(both >= 8);
}

static void frictionless_discs_are_left_as_they_are(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(1, 1, 0.3, 3, 1);
    sp_set *set = (sp_set *)(size_t)a.p.set;
    sp_fc_solution s;
    set[0].mu = 0.0;
    assert_int_equal(SP_E_NOT_CONVERGED, solve(&a, "interior", &s));
    assert_int_equal(SP_OK, solve(&a, "auto", &s));
    pile_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_lines_free_rows_and_discs_agree_with_newton),
        cmocka_unit_test(heaps_of_spheres_are_solved_and_move_as_newton_says),
        cmocka_unit_test(frictionless_discs_are_left_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
