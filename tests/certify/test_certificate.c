#include "certify/certificate.h"

#include "support/check.h"

/* One planar contact, mu = 0.5, rho = 2, xi_scale = 4: impulses count in units of 8. */
static sp_certificate planar(double P_N, double P_T, double xi_N, double xi_T)
{
    const sp_set set = sp_set_planar(0.5);
    const int row = 0;
    const double P[2] = {P_N, P_T}, xi[2] = {xi_N, xi_T}, rho = 2.0;
    sp_certificate c = {0};
    sp_certify_contacts(1, &set, &row, P, xi, &rho, 4.0, &c);
    return c;
}

/* Does one contact come out as these three numbers? */
static void assert_planar(double P_N, double P_T, double xi_N, double xi_T, double complementarity,
                          double cone, double dissipation)
{
    const sp_certificate c = planar(P_N, P_T, xi_N, xi_T);
    assert_near(c.complementarity, complementarity, 1e-15);
    assert_near(c.cone, cone, 1e-15);
    assert_near(c.dissipation, dissipation, 1e-15);
}

static void right_solutions_have_the_certificate_zero(void **ctx)
{
    (void)ctx;
    assert_planar(0.0, 0.0, 3.0, -2.0, 0.0, 0.0, 0.0); /* open        */
    assert_planar(2.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0);  /* stick       */
    assert_planar(2.0, -1.0, 0.0, 3.0, 0.0, 0.0, 0.0); /* slip        */
    assert_planar(2.0, 1.0, 0.0, -3.0, 0.0, 0.0, 0.0); /* slip back   */
    assert_planar(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);  /* nothing     */
}

static void each_violation_shows_with_its_size(void **ctx)
{
    (void)ctx;
    /* penetrates: prox(0 + 2) = 2, 2 / 8 */
    assert_planar(0.0, 0.0, -1.0, 0.0, 0.25, 0.0, 0.0);
    /* pulls with 0.8 of 8 */
    assert_planar(-0.8, 0.0, 0.0, 0.0, 0.1, 0.1, 0.0);
    /* pushes while it separates: xi P = 2 of 32 */
    assert_planar(2.0, 0.0, 1.0, 0.0, 2.0 / 8.0, 0.0, 2.0 / 32.0);
    /* outside of the cone by 0.4 */
    assert_planar(2.0, 1.4, 0.0, 0.0, 0.05, 0.05, 0.0);
    /* slides without friction: mu P_N |xi_T| = 3 of 32 is missing; prox gives -1 */
    assert_planar(2.0, 0.0, 0.0, 3.0, 1.0 / 8.0, 0.0, 3.0 / 32.0);
    /* friction drives: twice that */
    assert_planar(2.0, 1.0, 0.0, 3.0, 2.0 / 8.0, 0.0, 6.0 / 32.0);
}

static void other_sets_are_judged_too(void **ctx)
{
    (void)ctx;
    const sp_set set[4] = {sp_set_free(), sp_set_half_line(), sp_set_interval(-1.0, 2.0),
                           sp_set_disc(0.5)};
    const int row[4] = {0, 1, 2, 3};
    double P[6] = {7.0, 1.0, -1.0, 2.0, -0.6, 0.8}, rho[4] = {1.0, 1.0, 1.0, 1.0};
    double xi[6] = {0.0, 0.0, 5.0, 0.0, 1.2, -1.6};
    sp_certificate c = {0};
    sp_certify_contacts(4, set, row, P, xi, rho, 1.0, &c);
    assert_true(c.complementarity < 1e-15 && c.cone < 1e-15 && c.dissipation < 1e-15);
    xi[0] = 0.125;
    sp_certify_contacts(4, set, row, P, xi, rho, 1.0, &c);
    assert_near(c.complementarity, 0.125, 1e-15); /* a joint that opens */
    xi[0] = 0.0;
    xi[2] = -5.0;
    sp_certify_contacts(4, set, row, P, xi, rho, 1.0, &c);
    assert_near(c.dissipation, 15.0, 1e-15); /* a clutch that drives: 2 * 5 + 1 * 5 */
}

static void intervals_without_bounds_are_judged_by_their_velocity(void **ctx)
{
    (void)ctx;
    const sp_set set[3] = {sp_set_interval(-INFINITY, INFINITY), sp_set_interval(-1.0, INFINITY),
                           sp_set_interval(-INFINITY, 2.0)};
    const int row[3] = {0, 1, 2};
    double P[3] = {7.0, -1.0, 2.0}, xi[3] = {0.0, 3.0, -3.0}, rho[3] = {1.0, 1.0, 1.0};
    sp_certificate c = {0};
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_true(c.complementarity == 0.0 && c.cone == 0.0 && c.dissipation == 0.0);
    xi[0] = 0.25; /* a row that should not move */
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_near(c.complementarity, 0.25, 1e-15);
    xi[0] = 0.0;
    P[1] = 0.5; /* not at its bound, but pushed: 3 * 1.5 */
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_near(c.dissipation, 4.5, 1e-15);
    assert_near(c.complementarity, 1.5, 1e-15);
}

/* The short way for planar contacts is the general one: the same set, moved by nothing. */
static void both_ways_to_judge_planar_contacts_agree(void **ctx)
{
    (void)ctx;
    rng r = {31};
    for (int k = 0; k < 20000; k++) {
        sp_set set = sp_set_planar(rng_in(&r, 0.0, 1.0));
        const int row = 0;
        const double P[2] = {rng_in(&r, -0.5, 1.0), rng_in(&r, -1.0, 1.0)},
                     rho = rng_in(&r, 0.1, 9);
        const double xi[2] = {rng_int(&r, 3) == 0 ? 0.0 : rng_in(&r, -1.0, 1.0),
                              rng_int(&r, 3) == 0 ? 0.0 : rng_in(&r, -1.0, 1.0)};
        sp_certificate a = {0}, b = {0};
        sp_certify_contacts(1, &set, &row, P, xi, &rho, 0.7, &a);
        set.shifted = 1;
        sp_certify_contacts(1, &set, &row, P, xi, &rho, 0.7, &b);
        assert_near(a.complementarity, b.complementarity, 1e-14);
        assert_near(a.cone, b.cone, 1e-14);
        assert_near(a.dissipation, b.dissipation, 1e-14);
    }
}

static void the_choice_of_units_changes_nothing(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_planar(0.5);
    const int row = 0;
    const double P[2] = {2.0, 1.4}, xi[2] = {0.3, -0.2}, rho = 0.7;
    sp_certificate a = {0}, b = {0};
    sp_certify_contacts(1, &set, &row, P, xi, &rho, 4.0, &a);
    const double kg = 1e5, m = 1e-4; /* impulse kg m/s, velocity m/s, rho kg */
    const double P_b[2] = {P[0] * kg * m, P[1] * kg * m}, xi_b[2] = {xi[0] * m, xi[1] * m};
    const double rho_b = rho * kg;
    sp_certify_contacts(1, &set, &row, P_b, xi_b, &rho_b, 4.0 * m, &b);
    assert_near(a.complementarity, b.complementarity, 1e-14);
    assert_near(a.cone, b.cone, 1e-14);
    assert_near(a.dissipation, b.dissipation, 1e-14);
    assert_true(a.complementarity > 0.01 && a.cone > 0.01 && a.dissipation > 0.001);
}

static void nothing_not_finite_gives_a_small_number(void **ctx)
{
    (void)ctx;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 6; a++) {
            const sp_set set = sp_set_planar(0.5);
            const int row = 0;
            double v[6] = {1.0, 0.2, 0.0, 0.0, 1.0, 1.0}; /* P, xi, rho, xi_scale */
            v[a] = bad[k];
            sp_certificate c = {0};
            sp_certify_contacts(1, &set, &row, v, v + 2, v + 4, v[5], &c);
            assert_true(!isfinite(c.complementarity));
            double M_du[3] = {1.0, 2.0, 3.0}, h_dt[3] = {1.0, 1.0, 1.0}, WP[3] = {0.0, 1.0, 2.0};
            double *terms[3] = {M_du, h_dt, WP};
            terms[a % 3][a / 2] = bad[k];
            const double size[3] = {1.0, 1.0, 1.0};
            sp_certify_momentum(3, M_du, h_dt, WP, size, &c);
            assert_true(!isfinite(c.momentum));
        }
    }
}

static void momentum_is_relative_to_the_terms_of_its_row(void **ctx)
{
    (void)ctx;
    const double M_du[2] = {5.0, 1.0}, h_dt[2] = {-3.0, 0.5}, WP[2] = {8.0, 0.4}, zero[2] = {0.0};
    sp_certificate c = {0};
    const double size2[2] = {1e4, 0.01};
    sp_certify_momentum(2, M_du, h_dt, WP, size2, &c);
    assert_near(c.momentum, 0.1 / sqrt(1.0 + 0.25 + 0.16 + 0.01),
                1e-14); /* of the second row alone */
    sp_certify_momentum(2, zero, zero, zero, zero, &c);
    assert_true(c.momentum == 0.0);
}

static void the_worst_of_a_run_keeps_nan(void **ctx)
{
    (void)ctx;
    sp_certificate worst = {0.0, 0.1, 0.2, 0.3, 0.4, 0};
    const sp_certificate a = {0.5, 0.0, NAN, 0.0, 0.1, 0};
    const sp_certificate b = {0.2, 0.2, 0.2, 0.2, 0.2, 0};
    sp_certificate_worst(&worst, &a);
    sp_certificate_worst(&worst, &b);
    assert_true(worst.complementarity == 0.5 && worst.cone == 0.2 && isnan(worst.dissipation));
    assert_true(worst.momentum == 0.3 && worst.gap == 0.4);
}

static void a_change_of_a_millionth_shows(void **ctx)
{
    (void)ctx;
    const sp_certificate c = planar(2.0 * (1.0 + 1e-6), -1.0, 0.0, 3.0);
    assert_true(c.complementarity > 1e-8);
}

/* Which contact is the worst, and none where all are certified; a run keeps the worse of two. */
static void the_worst_contact_is_named_where_a_step_is_not_certified(void **ctx)
{
    (void)ctx;
    const sp_set set[3] = {sp_set_half_line(), sp_set_planar(0.5), sp_set_half_line()};
    const int row[3] = {0, 1, 3};
    const double rho[3] = {1.0, 1.0, 1.0}, xi[4] = {0.0, 0.0, 0.0, 0.0};
    double P[4] = {1.0, 2.0, 0.5, 1.0};
    sp_certificate c = {0}, worst = {0};
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_int_equal(c.at, 0);
    P[0] = -1e-6; /* pulls a little */
    P[2] = 1.1;   /* 0.1 outside of the cone */
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_int_equal(c.at, 2);
    sp_certificate_worst(&worst, &c);
    P[2] = 0.5;
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_int_equal(c.at, 1);
    sp_certificate_worst(&worst, &c);
    assert_int_equal(worst.at, 2);
    P[3] = NAN;
    sp_certify_contacts(3, set, row, P, xi, rho, 1.0, &c);
    assert_int_equal(c.at, 3);
    sp_certificate_worst(&worst, &c);
    assert_int_equal(worst.at, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_solutions_have_the_certificate_zero),
        cmocka_unit_test(each_violation_shows_with_its_size),
        cmocka_unit_test(other_sets_are_judged_too),
        cmocka_unit_test(intervals_without_bounds_are_judged_by_their_velocity),
        cmocka_unit_test(both_ways_to_judge_planar_contacts_agree),
        cmocka_unit_test(the_choice_of_units_changes_nothing),
        cmocka_unit_test(nothing_not_finite_gives_a_small_number),
        cmocka_unit_test(momentum_is_relative_to_the_terms_of_its_row),
        cmocka_unit_test(the_worst_of_a_run_keeps_nan),
        cmocka_unit_test(a_change_of_a_millionth_shows),
        cmocka_unit_test(the_worst_contact_is_named_where_a_step_is_not_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
