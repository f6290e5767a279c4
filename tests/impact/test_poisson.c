#include "impact/poisson.h"

#include "impact/cases.h"

#include <stdio.h>

/* A uniform sphere with normal speed -1: tangential speed after, for x before.  G_TT/G_NN = 7/2,
 * L = 7/2 mu.  Sticking in compression: -eps_N eps_T x; sliding through: x - L (1 + eps_N). Between
 * them gamma_TE0 = -eps_N eps_T L holds, or nothing moves. */
static double sphere(double x, double mu, double eps_N, double eps_T, bool prescribed)
{
    const double L = 3.5 * mu, X = fabs(x), back = eps_N * eps_T, sign = x < 0.0 ? -1.0 : 1.0;
    if (X <= L) {
        return -back * x;
    }
    if (prescribed) {
        return X >= L * (1.0 + eps_N * (1.0 - eps_T)) ? sign * (X - L * (1.0 + eps_N))
                                                      : -sign * back * L;
    }
    if (X <= L * (1.0 + back)) {
        return sign * (X - L * (1.0 + back));
    }
    return X <= L * (1.0 + eps_N) ? 0.0 : sign * (X - L * (1.0 + eps_N));
}

/* The same under Newton's law. */
static double sphere_newton(double x, double mu, double eps_N, double eps_T)
{
    const double L = 3.5 * mu * (1.0 + eps_N);
    return (1.0 + eps_T) * fabs(x) <= L ? -eps_T * x : x < 0.0 ? x + L : x - L;
}

static void a_sphere_rebounds_as_the_closed_form_in_all_regimes(void **ctx)
{
    (void)ctx;
    static const double eps[4] = {0.0, 0.3, 0.8, 1.0}, mu[3] = {0.05, 0.3, 1.2};
    sp_impact_options o = sp_impact_options_default();
    for (int c = 0; c < 4 * 4 * 3; c++) {
        const double eps_N = eps[c % 4], eps_T = eps[c / 4 % 4], f = mu[c / 16];
        for (int k = -24; k <= 24; k++) {
            const double x = 3.5 * f * 0.1017 * k; /* to 2.4 L and never at a corner but 0 */
            strike s;
            case_sphere(&s, x, f, eps_N, eps_T);
            for (int with = 0; with < 2; with++) {
                o.prescribed = with == 1;
                assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
                assert_near(s.gamma_p[0], eps_N, 1e-15);
                assert_near(s.gamma_p[1], sphere(x, f, eps_N, eps_T, with == 1), 2e-15);
                assert_near(s.Lambda_C[0], 1.0, 1e-15);
                assert_near(s.gamma_C[1], fabs(x) <= 3.5 * f ? 0.0 : x - copysign(3.5 * f, x),
                            2e-15);
                strike_check_books(&s);
                assert_false(s.impact.gained); /* no coupling: never */
            }
            assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
            assert_near(s.gamma_p[1], sphere_newton(x, f, eps_N, eps_T), 2e-15);
        }
    }
}

/* The data of docs/figures/impact_sphere.svg, into the folder SPECHT_FIGURES names. */
static void the_figure_of_the_sphere_is_what_the_library_computes(void **ctx)
{
    (void)ctx;
    static const double eps_T[4] = {0.0, 0.4, 0.8, 1.0};
    const sp_impact_options o = sp_impact_options_default();
    const char *folder = getenv("SPECHT_FIGURES");
    char path[512];
    snprintf(path, sizeof path, "%s/impact_sphere.dat", folder ? folder : "");
    FILE *file = folder ? fopen(path, "w") : NULL;
    assert_true(!folder || file);
    for (int k = -300; k <= 300; k++) {
        const double x = 0.01 * k;
        if (file) {
            fprintf(file, "%.2f", x);
        }
        for (int e = 0; e < 4; e++) {
            strike s;
            case_sphere(&s, x, 0.3, 0.8, eps_T[e]);
            assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
            assert_near(s.gamma_p[1], sphere(x, 0.3, 0.8, eps_T[e], true), 2e-15);
            if (file) {
                fprintf(file, " %.9g", s.gamma_p[1]);
            }
        }
        if (file) {
            fprintf(file, "\n");
        }
    }
    if (file) {
        fclose(file);
    }
}

static void a_superball_loses_nothing_and_gives_all_back(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    strike s;
    case_sphere(&s, 1.0, 0.5, 1.0, 1.0);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    assert_near(s.gamma_p[1], -1.0, 1e-15);
    assert_near(s.impact.energy.total, 0.0, 1e-15);
    assert_near(s.impact.energy.normal, 0.0, 1e-15);
    /* stored 1/2 x^2/G_TT = 1/7 in compression as friction's work, given back as restitution */
    assert_near(s.impact.energy.friction, -1.0 / 7.0, 1e-15);
    assert_near(s.impact.energy.restitution, 1.0 / 7.0, 1e-15);
}

/* A rod at 45 degrees whose tip slides the wrong way. */
static void a_rod_gains_energy_under_both_laws_but_not_without_gamma_TE0(void **ctx)
{
    (void)ctx;
    const double u[3] = {0.0, -1.0, 4.0};
    sp_impact_options o = sp_impact_options_default();
    strike s;
    case_rod(&s, 0.5, atan(1.0), u, 0.8, 1.0, 0.0);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_near(s.T_p / s.T_m, 1.5617, 5e-5);
    assert_true(s.impact.gained);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    assert_near(s.T_p / s.T_m, 1.0265, 5e-5);
    assert_true(s.impact.gained);
    o.prescribed = false;
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    assert_true(s.T_p < s.T_m && !s.impact.gained);
}

/* A sphere without spin runs into a corner: the wall stops it in compression without help of the
 * floor's friction, and throws it back in the expansion, against which friction may act. */
static void without_tangential_impulse_in_compression_friction_acts_to_both_sides(void **ctx)
{
    (void)ctx;
    sp_impact_options o = sp_impact_options_default();
    o.prescribed = false; /* motion is counted from rest */
    for (int side = -1; side <= 1; side += 2) {
        for (int sticks = 0; sticks < 2; sticks++) {
            strike s;
            memset(&s, 0, sizeof s);
            const int d = case_body(&s, 1.0, 0.4, -side, -1.0, 0.0);
            const int floor =
                case_contact(&s, d, 0.0, -1.0, 0.0, 1.0, sticks ? 0.5 : 0.1, 1.0, 0.5);
            const int wall = strike_contact(&s, sp_set_half_line(), 0.7, 0.0);
            s.W[d][wall] = side;
            strike_finish(&s);
            assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
            assert_true(s.Lambda_C[floor + 1] == 0.0);
            /* 0.7 from the wall; 0.7/3.5 = 0.2 to stop that at the floor, of which 0.1 is there */
            assert_near(s.Lambda[floor + 1], -side * (sticks ? 0.2 : 0.1), 1e-15);
            assert_near(s.u_p[0], side * (sticks ? 0.5 : 0.6), 1e-15);
            assert_near(s.gamma_p[floor + 1], side * (sticks ? 0.0 : 0.35), 1e-15);
            assert_near(s.u_p[1], 1.0, 1e-15);
        }
    }
}

/* The same body, counted from what the least impulses cause (11.7): the wall gives back 0.7, which
 * is no motion for friction to act against, whether the floor had a little friction before, to
 * either side, or none.  A spin of d/0.4 before leaves 0.4 d/1.4 or so of friction in compression.
 */
static void the_law_does_not_jump_where_compression_leaves_no_friction(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    const double spin[5] = {-1e-6, -1e-9, 0.0, 1e-9, 1e-6};
    for (int k = 0; k < 5; k++) {
        strike s;
        memset(&s, 0, sizeof s);
        const int d = case_body(&s, 1.0, 0.4, -1.0, -1.0, spin[k]);
        const int floor = case_contact(&s, d, 0.0, -1.0, 0.0, 1.0, 0.5, 1.0, 0.5);
        const int wall = strike_contact(&s, sp_set_half_line(), 0.7, 0.0);
        s.W[d][wall] = 1.0;
        strike_finish(&s);
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
        assert_near(s.Lambda[floor + 1], 0.0, 2.0 * fabs(spin[k]) + 1e-15);
        assert_near(s.u_p[0], 0.7, 2.0 * fabs(spin[k]) + 1e-15);
        assert_near(s.u_p[1], 1.0, 1e-15);
    }
}

/* A uniform rod of length 2 l at 45 degrees: a push at its tip turns it.  Before, its tip moves so
 * that compression stops it without friction; d more or less makes friction of that size. */
static void a_rod_hit_without_friction_is_the_limit_of_those_with_little(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    const double d[5] = {-1e-6, -1e-8, 0.0, 1e-8, 1e-6};
    double vx[5], vy[5];
    for (int k = 0; k < 5; k++) {
        const double u[3] = {0.6 + d[k], -1.0, 0.0}; /* G_TN/G_NN = 3/5 at 45 degrees */
        strike s;
        case_rod(&s, 0.5, 0.25 * 3.14159265358979323846, u, 0.8, 0.5, 0.0);
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
        vx[k] = s.u_p[0];
        vy[k] = s.u_p[1];
        if (d[k] == 0.0) { /* the least impulses alone: normal 1.5/G_NN, G_NN = 5/2 */
            assert_near(fabs(s.Lambda_C[1]), 0.0, 1e-12);
            assert_near(s.Lambda[0], 0.6, 1e-12);
            assert_near(s.Lambda[1], 0.0, 1e-12);
        }
    }
    for (int k = 0; k < 5; k++) {
        assert_near(vx[k], vx[2], 4.0 * fabs(d[k]) + 1e-12);
        assert_near(vy[k], vy[2], 4.0 * fabs(d[k]) + 1e-12);
    }
}

/* Bilateral rows: the same impact with the constrained motion eliminated by hand. */
static void a_machine_with_bilateral_rows_is_hit_as_the_condensed_one(void **ctx)
{
    (void)ctx;
    rng r = {5};
    double worst = 0.0;
    for (int c = 0; c < check_cases(300, 5000); c++) {
        strike s, t;
        const int n_contact = 1 + rng_int(&r, 3), redundant = rng_flip(&r);
        const int n = 2 * n_contact, dof = n + 1 + rng_int(&r, 2);
        sp_impact_options o = sp_impact_options_default();
        o.prescribed = rng_int(&r, 4) > 0;
        memset(&s, 0, sizeof s);
        s.dof = dof;
        for (int i = 0; i < n_contact; i++) {
            strike_contact(&s, sp_set_planar(rng_in(&r, 0.0, 0.6)), rng_in(&r, 0.0, 1.0),
                           rng_in(&r, 0.0, 1.0));
        }
        double f[STRIKE_DOF], ff = 0.0, fu = 0.0;
        for (int d = 0; d < dof; d++) {
            s.mass[d] = rng_in(&r, 0.5, 2.0);
            f[d] = rng_in(&r, -1.0, 1.0);
            s.u_m[d] = rng_in(&r, -1.0, 1.0);
            for (int k = 0; k < n; k++) {
                s.W[d][k] = rng_in(&r, -1.0, 1.0);
            }
            ff += f[d] * f[d] / s.mass[d];
            fu += f[d] * s.u_m[d];
        }
        for (int d = 0; d < dof; d++) { /* f'u = 0 before */
            s.u_m[d] -= f[d] / s.mass[d] * fu / ff;
        }
        t = s; /* W - f (f'M^-1 W)/ff: reactions included */
        for (int k = 0; k < n; k++) {
            double fw = 0.0;
            for (int d = 0; d < dof; d++) {
                fw += f[d] * s.W[d][k] / s.mass[d];
            }
            for (int d = 0; d < dof; d++) {
                t.W[d][k] -= f[d] * fw / ff;
            }
        }
        strike_finish(&t);
        for (int b = 0; b <= redundant; b++) {
            const int k = strike_contact(&s, sp_set_free(), 0.0, 0.0);
            for (int d = 0; d < dof; d++) {
                s.W[d][k] = (b == 0 ? 1.0 : -2.0) * f[d];
            }
        }
        strike_finish(&s);
        assert_int_equal(SP_OK, strike_solve(&t, SP_IMPACT_POISSON, &o));
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
        for (int d = 0; d < dof; d++) {
            worst = check_worse(worst, fabs(s.u_p[d] - t.u_p[d]));
        }
        strike_check_books(&s);
    }
    printf("bilateral rows: velocities differ by %.1e\n", worst);
    assert_true(worst < 1e-11);
}

/* Dependent contacts: impulses are not unique, but there is always a solution that obeys the law.
 */
static void dependent_contacts_have_a_solution_without_gamma_TE0(void **ctx)
{
    (void)ctx;
    rng r = {9};
    int failed[2] = {0, 0};
    const int cases = check_cases(400, 10000);
    for (int c = 0; c < cases; c++) {
        strike s;
        sp_impact_options o = sp_impact_options_default();
        o.remedy_infeasible = false;
        memset(&s, 0, sizeof s);
        s.dof = 1 + rng_int(&r, 3);
        for (int i = 0; i < 1 + s.dof; i++) {
            const int k = strike_contact(&s, sp_set_planar(rng_in(&r, 0.0, 0.8)),
                                         rng_in(&r, 0.0, 1.0), rng_in(&r, 0.0, 1.0));
            for (int d = 0; d < s.dof; d++) {
                s.mass[d] = 1.0;
                s.u_m[d] = rng_in(&r, -1.0, 1.0);
                s.W[d][k] = rng_in(&r, -1.0, 1.0);
                s.W[d][k + 1] = rng_in(&r, -1.0, 1.0);
            }
        }
        strike_finish(&s);
        for (int with = 0; with < 2; with++) {
            o.prescribed = with == 1;
            if (strike_solve(&s, SP_IMPACT_POISSON, &o) != SP_OK) {
                failed[with]++; /* then it is solved without gamma_TE0, and said */
                sp_impact_options remedy = sp_impact_options_default();
                assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &remedy));
                assert_int_equal(SP_IMPACT_UNSOLVED, s.impact.cause);
                assert_true(!s.impact.prescribed && s.impact.s == 1.0 && isnan(s.impact.given));
            }
            assert_true(s.impact.prescribed == (with == 1) || s.impact.cause == SP_IMPACT_UNSOLVED);
            oracle q;
            double xi[ORACLE_ROWS], E[ORACLE_ROWS], gamma_0[ORACLE_ROWS];
            oracle_compression(&q, &s.p);
            assert_true(oracle_violation(&q, s.Lambda_C, xi) < 1e-10);
            oracle_expansion(&q, &s.p, s.Lambda_C, s.impact.prescribed, gamma_0);
            for (int k = 0; k < s.p.n; k++) {
                E[k] = s.Lambda[k] - s.Lambda_C[k];
            }
            assert_true(oracle_violation(&q, E, xi) < 1e-10);
            strike_check_books(&s);
        }
    }
    printf("dependent contacts: %d impacts, %d without solution, %d with gamma_TE0\n", cases,
           failed[0], failed[1]);
    assert_int_equal(0, failed[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_rebounds_as_the_closed_form_in_all_regimes),
        cmocka_unit_test(the_figure_of_the_sphere_is_what_the_library_computes),
        cmocka_unit_test(a_superball_loses_nothing_and_gives_all_back),
        cmocka_unit_test(a_rod_gains_energy_under_both_laws_but_not_without_gamma_TE0),
        cmocka_unit_test(without_tangential_impulse_in_compression_friction_acts_to_both_sides),
        cmocka_unit_test(the_law_does_not_jump_where_compression_leaves_no_friction),
        cmocka_unit_test(a_rod_hit_without_friction_is_the_limit_of_those_with_little),
        cmocka_unit_test(a_machine_with_bilateral_rows_is_hit_as_the_condensed_one),
        cmocka_unit_test(dependent_contacts_have_a_solution_without_gamma_TE0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
