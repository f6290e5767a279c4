/* Every method by its name, on problems with known answers. */
#include "solvers/fc.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Solve a with this method; returns the status. */
static sp_status solve(const pile *a, const char *solver, double tol, sp_fc_solution *s)
{
    sp_fc_work w;
    sp_fc_options o;
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    memset(s, 0, sizeof *s);
    o.solver = solver;
    o.tol = tol;
    s->P = a->P;
    s->status = a->status;
    memset(a->P, 0, (size_t)a->p.n * sizeof *a->P);
    const sp_status end = sp_fc_solve(&a->p, &o, s, &w, NULL);
    sp_fc_work_free(&w);
    return end;
}

/* A block of mass 2 on four feet at (+-1, +-1) on a slope; c = dt times gravity. */
static pile block_on_a_slope(double angle, double mu)
{
    enum { FEET = 4 };
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    sp_set *set = SP_NEW(&a.arena, sp_set, FEET);
    int *row = SP_NEW(&a.arena, int, FEET), *start = SP_NEW(&a.arena, int, FEET + 1);
    int *body = SP_NEW(&a.arena, int, FEET), *dof = SP_NEW(&a.arena, int, 2);
    size_t *at = SP_NEW(&a.arena, size_t, FEET), *inverse = SP_NEW(&a.arena, size_t, 1);
    double *H = SP_NEW(&a.arena, double, 18 * FEET), *M = SP_NEW(&a.arena, double, 36);
    double *c = SP_NEW(&a.arena, double, 3 * FEET);
    const double height = 0.05; /* low: it does not tip */
    dof[1] = 6;
    for (int k = 0; k < 6; k++) {
        M[7 * k] = k < 3 ? 0.5 : 1.5;
    }
    for (int i = 0; i < FEET; i++) {
        const double x = i % 2 ? 1.0 : -1.0, y = i / 2 ? 1.0 : -1.0;
        /* rows z, x, y at the foot (x, y, -height): direction, moment */
        const double rows[18] = {0, 0, 1, y, -x, 0, 1, 0, 0, 0, -height, -y, 0, 1, 0, height, 0, x};
        set[i] = sp_set_disc(mu);
        start[i + 1] = i + 1;
        at[i] = 18 * (size_t)i;
        memcpy(H + 18 * i, rows, sizeof rows);
        c[3 * i] = -cos(angle);
        c[3 * i + 1] = sin(angle);
    }
    a.p.n_contact = FEET;
    a.p.n = sp_fc_rows(FEET, set, row);
    a.p.set = set;
    a.p.row = row;
    a.p.c = c;
    a.p.F = (sp_fc_factors){1, dof, inverse, M, start, body, at, H};
    assert_int_equal(SP_OK, sp_fc_form(&a.p, &a.arena, NULL));
    a.P = SP_NEW(&a.arena, double, 3 * FEET);
    a.status = SP_NEW(&a.arena, unsigned char, FEET);
    return a;
}

static const char *const METHODS[] = {"auto", "nsgs", "newton", "admm", "pile", "interior"};
enum { N_METHOD = sizeof METHODS / sizeof *METHODS };

static void a_block_on_a_slope_sticks_or_slides_by_the_closed_form(void **ctx)
{
    (void)ctx;
    const double angle = 0.5;
    for (int m = 0; m < N_METHOD; m++) {
        const double tol = 1e-10, near = 1e3 * tol;
        for (int k = 0; k < 2; k++) {
            const double mu = k ? 0.3 : 0.8; /* tan 0.5 = 0.546 */
            pile a = block_on_a_slope(angle, mu);
            sp_fc_solution s;
            if (solve(&a, METHODS[m], tol, &s) != SP_OK) {
                fail_msg("%s, mu = %g: residual %g", METHODS[m], mu, s.residual);
            }
            double xi[12], N = 0.0, T = 0.0;
            sp_fc_velocity(&a.p, a.P, xi, NULL);
            for (int i = 0; i < 4; i++) {
                N += a.P[3 * i];
                T += a.P[3 * i + 1];
                assert_near(xi[3 * i + 1], k ? sin(angle) - mu * cos(angle) : 0.0, near);
                assert_near(xi[3 * i], 0.0, near);
                /* four feet are one too many: one may stand there without force */
                assert_true(a.status[i] == (k ? SP_SLIP_POS : SP_STICK) || a.P[3 * i] < near);
            }
            assert_near(N, 2.0 * cos(angle), near);
            assert_near(T, k ? -mu * 2.0 * cos(angle) : -2.0 * sin(angle), near);
            pile_free(&a);
        }
    }
}

static void the_methods_solve_most_random_heaps(void **ctx)
{
    (void)ctx;
    /* at least so many of 100: what each of them is good for alone; interior points are made for
     * heaps of bodies that are alike, not for masses over six decades */
    const int at_least[N_METHOD] = {98, 95, 95, 96, 60, 45};
    for (int m = 0; m < N_METHOD; m++) {
        int solved = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            rng r = {seed * 31};
            pile a = pile_random(&r);
            sp_fc_solution s;
            solved += solve(&a, METHODS[m], 1e-9, &s) == SP_OK;
            pile_free(&a);
        }
        printf("%s: %d of 100\n", METHODS[m], solved);
        assert_true(solved >= at_least[m]);
    }
}

static void without_friction_all_find_the_same_motion(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        sp_set *set = (sp_set *)(size_t)a.p.set;
        double first[32], xi[32], size = 0.0;
        for (int i = 0; i < a.p.n_contact; i++) {
            set[i].mu = 0.0;
        }
        for (int m = 0; a.consistent && m < N_METHOD - 2; m++) {
            sp_fc_solution s;
            assert_int_equal(SP_OK, solve(&a, METHODS[m], 1e-10, &s));
            sp_fc_velocity(&a.p, a.P, m ? xi : first, NULL);
            for (int e = 0; e < a.p.n; e++) {
                size = fmax(size, fabs(first[e]) + fabs(a.p.c[e]));
            }
            for (int e = 0; m && e < a.p.n; e++) {
                assert_near_scaled(xi[e], first[e], size, 1e-6);
            }
        }
        pile_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_slope_sticks_or_slides_by_the_closed_form),
        cmocka_unit_test(the_methods_solve_most_random_heaps),
        cmocka_unit_test(without_friction_all_find_the_same_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
