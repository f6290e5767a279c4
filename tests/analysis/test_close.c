/* Closing loops at the start: every place of a crank that can turn fully, without whole turns. */
#include "support/check.h"
#include "support/run.h"

static void a_four_bar_is_closed_at_every_angle_of_its_crank_without_winding_up(void **ctx)
{
    (void)ctx;
    for (int degree = 0; degree < 360; degree += 5) {
        rig r = rig_of_text(
            "specht: 1\n"
            "space: planar\n"
            "gravity: 9.81 m/s^2\n"
            "parameters: {a: 100 mm, b: 400 mm, c: 300 mm, d: 350 mm}\n"
            "bodies:\n"
            "  crank: {mass: 1 kg, inertia: 4e-3 kg*m^2, joint: {revolute: ground}}\n"
            "  rod: {mass: 2 kg, inertia: 4e-2 kg*m^2, joint: {revolute: crank, at: [a, 0]},\n"
            "        points: {tip: [b, 0]}}\n"
            "  lever: {mass: 1 kg, inertia: 2e-2 kg*m^2, joint: {revolute: ground, at: [d, 0]},\n"
            "          points: {tip: [c, 0]}}\n"
            "joints: {pin: {revolute: [rod.tip, lever.tip]}}\n"
            "start: {crank.phi: %d deg}\n",
            degree);
        const double turn = acos(-1.0) / 180.0, crank = r.x->q[0], rod = r.x->q[1] + crank;
        assert_near(crank, degree * turn, 1e-15 * (1.0 + crank));
        assert_near(0.1 * cos(crank) + 0.4 * cos(rod), 0.35 + 0.3 * cos(r.x->q[2]), 1e-12);
        assert_near(0.1 * sin(crank) + 0.4 * sin(rod), 0.3 * sin(r.x->q[2]), 1e-12);
        assert_true(fabs(r.x->q[1]) < 2.0 * acos(-1.0) && fabs(r.x->q[2]) < 2.0 * acos(-1.0));
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_is_closed_at_every_angle_of_its_crank_without_winding_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
