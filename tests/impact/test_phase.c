#include "impact/phase.h"

#include "impact/cases.h"
#include "support/svd.h"

#include <stdio.h>

static void finite_bounds_of_intervals_become_zero_and_other_sets_stay(void **ctx)
{
    (void)ctx;
    const sp_set set[6] = {sp_set_interval(-3.0, 4.0),
                           sp_set_interval(-INFINITY, 4.0),
                           sp_set_interval(2.0, INFINITY),
                           sp_set_interval(-INFINITY, INFINITY),
                           sp_set_planar(0.3),
                           sp_set_free()};
    const int row[6] = {0, 1, 2, 3, 4, 6};
    const sp_impact_problem p = {.n_contact = 6, .n = 7, .set = set, .row = row};
    char *work = malloc(sp_phase_bytes(6, 7));
    sp_phase f;
    sp_phase_place(&f, &p, work);
    assert_true(f.set[0].lo == 0.0 && f.set[0].hi == 0.0);
    assert_true(f.set[1].lo == -INFINITY && f.set[1].hi == 0.0);
    assert_true(f.set[2].lo == 0.0 && f.set[2].hi == INFINITY);
    assert_true(f.set[3].lo == -INFINITY && f.set[3].hi == INFINITY);
    assert_int_equal(SP_SET_PLANAR, f.set[4].kind);
    assert_true(f.set[4].mu == 0.3);
    assert_int_equal(SP_SET_FREE, f.set[5].kind);
    assert_true((char *)f.rest == work + sp_phase_bytes(6, 7));
    assert_false(sp_phase_spatial(&p));
    free(work);
}

/* The planar solver and the one for space, on one problem: a contact whose second tangent does
 * nothing. */
static void both_solvers_agree_where_a_contact_in_space_moves_in_a_plane(void **ctx)
{
    (void)ctx;
    rng r = {3};
    sp_fc_work fc = {0};
    sp_impact_options o = sp_impact_options_default();
    o.fc = &fc;
    for (int c = 0; c < 200; c++) {
        const double mu = rng_in(&r, 0.0, 1.0), eps = rng_in(&r, 0.0, 1.0);
        const double u[3] = {rng_in(&r, -1.0, 1.0), -1.0, rng_in(&r, -1.0, 1.0)};
        strike plane, space;
        case_rod(&plane, 0.5, rng_in(&r, 0.1, 3.0), u, mu, eps, 0.0);
        space = plane;
        space.p.n_contact = space.p.n = 0;
        const int k = strike_contact(&space, sp_set_disc(mu), eps, 0.0);
        space.dof = 4; /* out of the plane: its own mass, at rest */
        space.mass[3] = 1.0;
        space.W[3][k + 2] = 1.0;
        strike_finish(&space);
        for (int law = 0; law < 2; law++) {
            assert_int_equal(SP_OK, strike_solve(&plane, (sp_impact_law)law, &o));
            assert_int_equal(SP_OK, strike_solve(&space, (sp_impact_law)law, &o));
            for (int d = 0; d < 3; d++) {
                assert_near(plane.u_p[d], space.u_p[d], 1e-10);
            }
            assert_near(space.u_p[3], 0.0, 1e-10);
        }
    }
    sp_fc_work_free(&fc);
}

/* What sticks on four feet has the impulses of least norm, in units where G has a unit diagonal, of
 * all with the same velocities: against singular values. */
static void what_sticks_on_four_feet_has_the_least_norm(void **ctx)
{
    (void)ctx;
    static const double feet[4][3] = {
        {-0.5, -0.35, -0.2}, {0.4, -0.35, -0.2}, {-0.5, 0.3, -0.2}, {0.4, 0.3, -0.2}};
    enum { N = 12 };
    rng r = {12};
    sp_fc_work fc = {0};
    sp_impact_options o = sp_impact_options_default();
    double worst = 0.0;
    o.fc = &fc;
    for (int c = 0; c < 50; c++) {
        const double J[3] = {rng_in(&r, 0.1, 1.0), 0.2, rng_in(&r, 0.1, 1.0)};
        const double u[6] = {rng_in(&r, -0.1, 0.1), rng_in(&r, -0.1, 0.1), -1.0, 0.0, 0.0, 0.0};
        double A[N * N], x[N], work[N * N + N], v[N];
        strike s;
        case_feet(&s, J, 4, feet, u, 1.0, rng_in(&r, 0.0, 1.0));
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
        for (int k = 0; k < N; k++) {
            v[k] = s.gamma_p[k] - s.gamma_m[k];
            for (int j = 0; j < N; j++) {
                A[k * N + j] = s.G[k * N + j] / sqrt(s.G[j * N + j]);
            }
        }
        assert_int_equal(6, svd_solve(N, N, A, v, x, 1e-12, work));
        for (int k = 0; k < N; k++) {
            worst = check_worse(worst, fabs(s.Lambda[k] - x[k] / sqrt(s.G[k * N + k])));
        }
    }
    sp_fc_work_free(&fc);
    printf("least norm against singular values: off by %.1e\n", worst);
    assert_true(worst < 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_bounds_of_intervals_become_zero_and_other_sets_stay),
        cmocka_unit_test(what_sticks_on_four_feet_has_the_least_norm),
        cmocka_unit_test(both_solvers_agree_where_a_contact_in_space_moves_in_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
