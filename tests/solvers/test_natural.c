#include "solvers/natural.h"

#include "solvers/planar.h"
#include "support/check.h"

#include <stdlib.h>

#include "random_problem.h"

/* The residual of P in a one-contact problem with G = diag(2, 4), mu = 0.5. */
static double residual(const double *c, double P_N, double P_T)
{
    const sp_set set = sp_set_planar(0.5);
    const int row = 0;
    const double G[4] = {2.0, 0.0, 0.0, 4.0};
    const sp_problem p = {1, 2, &set, &row, G, 2, c, 0.0, NULL, 0};
    double P[2] = {P_N, P_T}, xi[2], size[2];
    return sp_natural_residual(&p, P, P, xi, size);
}

static void the_residual_is_what_the_definition_says(void **ctx)
{
    (void)ctx;
    const double c[2] = {-2.0, 3.0}; /* slips: P = (1, -0.5), xi_T = 1 */
    assert_true(residual(c, 1.0, -0.5) < 1e-16);
    /* P = 0: xi_N = -2 is the defect, 3 the size of the contact's velocities */
    assert_near(residual(c, 0.0, 0.0), 2.0 / 3.0, 1e-15);
    /* P_T = 0: wants -0.5 in units of 4; |c_T| = 3, |c_N| + |G P| = 4 */
    assert_near(residual(c, 1.0, 0.0), 2.0 / 4.0, 1e-15);
    /* P_N too large: xi_N = 0.2 against a pull of 2.2; size 2 + 2.2 */
    assert_near(residual(c, 1.1, -0.55), 0.2 / 5.2, 1e-15);
}

/* One interval from -1 to 2, G = 2. */
static double interval_residual(double c, double P)
{
    const sp_set set = sp_set_interval(-1.0, 2.0);
    const int row = 0;
    const double G = 2.0;
    const sp_problem p = {1, 1, &set, &row, &G, 1, &c, 0.0, NULL, 0};
    double xi, size;
    return sp_natural_residual(&p, &P, &P, &xi, &size);
}

static void the_residual_of_intervals_is_what_the_definition_says(void **ctx)
{
    (void)ctx;
    assert_true(interval_residual(1.0, -0.5) == 0.0);  /* sticks            */
    assert_true(interval_residual(3.0, -1.0) == 0.0);  /* pushed to lo      */
    assert_true(interval_residual(-5.0, 2.0) == 0.0);  /* pushed to hi      */
    assert_true(interval_residual(-5.0, 77.0) == 0.0); /* moved to hi first */
    assert_near(interval_residual(1.0, 0.0), 1.0, 1e-15);
    /* P = -0.9, xi = 1.2: P - xi/2 = -1.5, clamped -1: 0.1 in units of 2, over 3 + 1.8 */
    assert_near(interval_residual(3.0, -0.9), 0.2 / 4.8, 1e-15);
}

static void a_preload_is_worth_as_much_as_a_velocity(void **ctx)
{
    (void)ctx;
    /* nothing moves, but a spring of 5 to 6 presses on a contact: c = 0 everywhere */
    const sp_set set[2] = {sp_set_interval(5.0, 6.0), sp_set_half_line()};
    const int row[2] = {0, 1};
    const double G[4] = {1.0, -1.0, -1.0, 1.0}, c[2] = {0.0, 0.0};
    const sp_problem p = {2, 2, set, row, G, 2, c, 0.0, NULL, 0};
    double P[2] = {5.0, 5.0}, xi[2], size[2];
    assert_true(sp_natural_residual(&p, P, P, xi, size) == 0.0);
    P[1] = 5.0 * (1.0 + 1e-14);
    assert_true(sp_natural_residual(&p, P, P, xi, size) < 1e-13);
    P[1] = 4.0;
    assert_near(sp_natural_residual(&p, P, P, xi, size), 1.0 / 9.0, 1e-15);
}

static void forces_out_of_all_proportion_excuse_nothing(void **ctx)
{
    (void)ctx;
    /* two equal contacts; P = 1e13 (1, -1) + ... would be "relatively" exact, but is no solution */
    const sp_set set[2] = {sp_set_free(), sp_set_free()};
    const int row[2] = {0, 1};
    const double G[4] = {1.0, 1.0, 1.0, 1.0}, c[2] = {-1.0, -2.0};
    const sp_problem p = {2, 2, set, row, G, 2, c, 0.0, NULL, 0};
    double P[2] = {1e13, -1e13}, xi[2], size[2];
    assert_true(sp_natural_residual(&p, P, P, xi, size) > 0.05);
}

static void numbers_not_finite_give_nan(void **ctx)
{
    (void)ctx;
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 8; k++) {
        const double c[2] = {k % 4 == 0 ? bad[k / 4] : 1.0, k % 4 == 1 ? bad[k / 4] : 1.0};
        if (k % 4 < 2) {
            assert_true(isnan(residual(c, 0.0, 0.0)));
        }
    }
}

static void the_hot_path_computes_the_same(void **ctx)
{
    (void)ctx;
    uint64_t state = 77;
    int compared = 0;
    void *memory = malloc(sp_reduced_bytes(CONTACTS, ROWS));
    for (int k = 0; k < 3000; k++) {
        random_problem r;
        random_make(&state, &r);
        unsigned char status[CONTACTS];
        double raw[ROWS], P[ROWS], xi[ROWS], size[ROWS];
        for (int i = 0; i < r.p.n_contact; i++) {
            status[i] = (unsigned char)whole(&state, 0, 3);
        }
        sp_reduced w;
        sp_reduced_place(&w, r.p.n_contact, r.p.n, memory);
        sp_reduced_unknowns(&r.p, status, &w);
        if (!sp_planar_fits(&r.p) || !sp_reduced_fast(&r.p, &w)) {
            continue;
        }
        r.p.xi_scale = 1e9; /* one scale for both: the bound of the slow one plays no part */
        sp_reduced_expand(&r.p, &w, raw);
        const double slow = sp_natural_residual(&r.p, raw, P, xi, size);
        int unlike = 0;
        sp_planar hot;
        const double fast = sp_planar_residual(&r.p, &w, &hot);
        for (int j = 0; j < r.p.n; j++) {
            assert_true(P[j] == hot.P[j]);
            assert_near_scaled(xi[j], hot.xi[j], size[j], 1e-14);
            assert_near_scaled(size[j], hot.size[j], size[j], 1e-14);
            unlike |= P[j] != raw[j];
        }
        assert_int_equal(unlike, hot.moved);
        assert_near_scaled(slow, fast, 1e-12, 1e-9);
        compared++;
    }
    free(memory);
    assert_true(compared > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_residual_is_what_the_definition_says),
        cmocka_unit_test(the_residual_of_intervals_is_what_the_definition_says),
        cmocka_unit_test(a_preload_is_worth_as_much_as_a_velocity),
        cmocka_unit_test(forces_out_of_all_proportion_excuse_nothing),
        cmocka_unit_test(numbers_not_finite_give_nan),
        cmocka_unit_test(the_hot_path_computes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
