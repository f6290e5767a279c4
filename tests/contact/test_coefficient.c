/* Coefficients of contact laws at a speed. */
#include "contact/coefficient.h"
#include "support/check.h"
#include "support/run.h"

static const char *const block =
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  block: {mass: 1 kg, inertia: 1, contours: {box: {polygon: [[-1, -1], [1, -1], [1, 1], [-1, "
    "1]]}}}\n"
    "contacts: {floor: {between: [block, ground], law: {%s}}}\n"
    "start: {block.y: 1 m}\n";

static void sliding_friction_and_its_slope_are_those_of_the_expression(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(block, "mu: 0.2 + 0.1*exp(-v/(5 cm/s)) + v^2*(1e-3 s^2/m^2), mu_0: 0.4");
    const sp_con *con = &r.w->con;
    for (double v = 0.0; v < 3.0; v += 0.173) {
        double slope;
        const double mu = sp_con_mu(r.m, r.x->numbers, con, 0, v, &slope);
        assert_near(mu, 0.2 + 0.1 * exp(-v / 0.05) + 1e-3 * v * v, 1e-15);
        assert_near(slope, -2.0 * exp(-v / 0.05) + 2e-3 * v, 1e-14);
        assert_true(mu == sp_con_mu(r.m, r.x->numbers, con, 0, v, NULL));
    }
    assert_true(sp_con_by_speed(r.m, 0) && !sp_con_by_approach(r.m, 0));
    assert_true(r.x->numbers->law[0].mu == 0.4);
    rig_free(&r);
}

static void a_number_is_the_same_at_all_speeds(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(block, "mu: 0.25, eps_N: 0.5, eps_T: 0.1");
    double slope = NAN, eps[2];
    assert_true(sp_con_mu(r.m, r.x->numbers, &r.w->con, 0, 17.0, &slope) == 0.25 && slope == 0.0);
    sp_con_restitution(r.m, r.x->numbers, &r.w->con, 0, 17.0, eps);
    assert_true(eps[0] == 0.5 && eps[1] == 0.1);
    assert_true(!sp_con_by_speed(r.m, 0) && !sp_con_by_approach(r.m, 0));
    rig_free(&r);
}

static void restitution_is_that_of_the_speed_of_approach(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(block, "mu: 0.2, eps_N: 1/(1 + v_N/(2 m/s)), eps_T: 0.3");
    for (double v = 0.0; v < 5.0; v += 0.61) {
        double eps[2];
        sp_con_restitution(r.m, r.x->numbers, &r.w->con, 0, v, eps);
        assert_near(eps[0], 1.0 / (1.0 + v / 2.0), 1e-15);
        assert_true(eps[1] == 0.3);
    }
    assert_true(!sp_con_by_speed(r.m, 0) && sp_con_by_approach(r.m, 0));
    rig_free(&r);
}

/* The model is checked up to 1 km/s; what leaves the range beyond that is cut off. */
static void beyond_the_speeds_that_were_checked_values_are_cut_off(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(block, "mu: 0.3*(1 - v/(2 km/s)), eps_N: 1 - v_N/(2 km/s)");
    double slope, eps[2];
    assert_true(sp_con_mu(r.m, r.x->numbers, &r.w->con, 0, 3000.0, &slope) == 0.0 && slope == 0.0);
    sp_con_restitution(r.m, r.x->numbers, &r.w->con, 0, 3000.0, eps);
    assert_true(eps[0] == 0.0);
    assert_true(isnan(sp_con_mu(r.m, r.x->numbers, &r.w->con, 0, NAN, NULL)));
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_friction_and_its_slope_are_those_of_the_expression),
        cmocka_unit_test(a_number_is_the_same_at_all_speeds),
        cmocka_unit_test(restitution_is_that_of_the_speed_of_approach),
        cmocka_unit_test(beyond_the_speeds_that_were_checked_values_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
