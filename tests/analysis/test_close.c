/* Closing loops at the start: every place of a crank that can turn fully, without whole turns. */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

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

/* The two ways to close a four-bar, mirrored at the line from the crank's tip to the lever's pivot
 * (law of cosines); values under `near` choose, and are not held. */
static void values_that_are_near_choose_the_way_in_which_a_loop_closes(void **ctx)
{
    (void)ctx;
    const double a = 0.1, b = 0.4, c = 0.3, d = 0.35, crank = 1.0;
    const double x = a * cos(crank) - d, y = a * sin(crank), l = hypot(x, y);
    const double at_lever = acos((c * c + l * l - b * b) / (2.0 * c * l));
    for (int way = -1; way <= 1; way += 2) {
        for (int k = 0; k < 9; k++) { /* hints up to 0.4 rad beside it */
            const double lever = atan2(y, x) + way * at_lever;
            const double rod = atan2(c * sin(lever) - y, d + c * cos(lever) - a * cos(crank));
            rig r = rig_of_text(
                "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                "  crank: {mass: 1 kg, inertia: 4e-3 kg*m^2, joint: {revolute: ground}}\n"
                "  rod: {mass: 2 kg, inertia: 4e-2 kg*m^2, joint: {revolute: crank, at: [0.1, "
                "0]},\n"
                "        points: {tip: [0.4, 0]}}\n"
                "  lever: {mass: 1 kg, inertia: 2e-2 kg*m^2, joint: {revolute: ground, at: [0.35, "
                "0]},\n"
                "          points: {tip: [0.3, 0]}}\n"
                "joints: {pin: {revolute: [rod.tip, lever.tip]}}\n"
                "start: {crank.phi: 1 rad}\n"
                "near: {lever.phi: %.17g, rod.phi: %.17g}\n",
                lever + 0.1 * (k - 4), rod - 0.1 * (k - 4));
            assert_near(r.x->q[0], crank, 1e-15);
            assert_near(remainder(r.x->q[2] - lever, 2.0 * acos(-1.0)), 0.0, 1e-10);
            assert_near(remainder(r.x->q[0] + r.x->q[1] - rod, 2.0 * acos(-1.0)), 0.0, 1e-10);
            rig_free(&r);
        }
    }
}

/* Without loops nothing moves them: they are the start. */
static void values_that_are_near_are_the_start_where_nothing_is_closed(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies: {a: {mass: 1, "
                        "inertia: 1, joint: {revolute: ground}}}\nnear: {a.phi: 0.3, a.omega: "
                        "2}\n");
    assert_near(r.x->q[0], 0.3, 0.0);
    assert_near(r.x->u[0], 2.0, 0.0);
    rig_free(&r);
    const sp_error err =
        rig_refused("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies: {a: {mass: 1, inertia: "
                    "1, joint: {revolute: ground}}}\nstart: {a.phi: 1}\nnear: {a.phi: 0.3}\n");
    assert_non_null(strstr(err.text, "near: a.phi is given twice"));
}

/* A prescribed part without mass has no say in how a loop is closed, but may have a loop of its
 * own: the disc turns so that its pin meets the rod's end, which is held. */
static void parts_without_mass_are_closed_too(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
        "  drum: {joint: {revolute: ground, speed: 10 rad/s}}\n"
        "  crank: {mass: 1 kg, inertia: 4e-3 kg*m^2, joint: {revolute: ground}}\n"
        "  rod: {mass: 2 kg, inertia: 4e-2 kg*m^2, joint: {revolute: crank, at: [0.1 m, 0]},\n"
        "        points: {tip: [0.4 m, 0]}}\n"
        "  lever: {mass: 1 kg, inertia: 2e-2 kg*m^2, joint: {revolute: ground, at: [0.35 m, 0]},\n"
        "          points: {tip: [0.3 m, 0]}}\n"
        "joints: {pin: {revolute: [rod.tip, lever.tip]}}\n"
        "near: {crank.phi: 60 deg, lever.phi: 60 deg}\n");
    const double crank = r.x->q[1], rod = r.x->q[2] + crank, lever = r.x->q[3];
    assert_near(r.x->q[0], 0.0, 0.0);
    assert_near(r.x->u[0], 10.0, 0.0);
    assert_near(0.1 * cos(crank) + 0.4 * cos(rod), 0.35 + 0.3 * cos(lever), 1e-12);
    assert_near(0.1 * sin(crank) + 0.4 * sin(rod), 0.3 * sin(lever), 1e-12);
    rig_free(&r);
    rig s = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
        "  disc: {joint: {revolute: ground, speed: 2 rad/s}, points: {pin: [0.3 m, 0]}}\n"
        "  rod: {mass: 1 kg, inertia: 0.01 kg*m^2, joint: {free: ground}, points: {end: [0.5, "
        "0]}}\n"
        "joints: {pin: {revolute: [disc.pin, rod.end]}}\n"
        "start: {rod.x: -0.5 m, rod.y: 0.3 m, rod.phi: 0}\n"
        "near: {disc.phi: 1 rad}\n");
    assert_near(s.x->q[0], 0.5 * acos(-1.0), 1e-12);
    rig_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_is_closed_at_every_angle_of_its_crank_without_winding_up),
        cmocka_unit_test(parts_without_mass_are_closed_too),
        cmocka_unit_test(values_that_are_near_choose_the_way_in_which_a_loop_closes),
        cmocka_unit_test(values_that_are_near_are_the_start_where_nothing_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
