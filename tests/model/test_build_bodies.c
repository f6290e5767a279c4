/* Numbers of bodies, joints and points. */
#include "test_build.h"

#include <math.h>

static void a_body_without_joint_is_free_on_the_ground(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "bodies: {a: {mass: 2 kg, inertia: 3, center: [1 mm, 2 mm]}}\n");
    static const char *const name[][2] = {
        {"a.joint.x", "a.joint.vx"}, {"a.joint.y", "a.joint.vy"}, {"a.joint.phi", "a.joint.omega"}};
    assert_int_equal(m->body[1].joint, SP_JOINT_FREE);
    assert_int_equal(m->n_dof, 3);
    for (int k = 0; k < 3; k++) {
        assert_string_equal(m->dof[k].name, name[k][0]);
        assert_string_equal(m->dof[k].rate_name, name[k][1]);
        assert_string_equal(m->dof[k].unit, k < 2 ? "m" : "rad");
    }
    expect_vector(m->numbers.body[1].axis[0], 1.0, 0.0);
    expect_vector(m->numbers.body[1].axis[1], 0.0, 1.0);
    expect_vector(m->numbers.body[1].center, 1e-3, 2e-3);
    sp_model_free(m);
}

static void a_joint_has_place_turn_and_spring(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "bodies:\n"
        "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], at: [1 m, 2 m], from: [3 m, 4 "
        "m], turn: 30 deg, stiffness: 5 N/mm, damping: 6 N*s/m, rest: 7 mm}}\n"
        "  b: {inertia: 1, joint: {revolute: a, stiffness: 8 N*m/rad, damping: 9 N*m*s, rest: 10 "
        "deg}}\n"
        "  c: {inertia: 1, joint: {free: a, only: [phi], damping: 1 N*m*s}}\n"
        "  d: {mass: 1 kg, joint: {weld: a, at: [1 m, 0], turn: 1 rad}}\n");
    const double deg = 3.14159265358979323846 / 180.0;
    const sp_body_numbers *n = &m->numbers.body[1];
    expect_vector(n->mark.at, 1.0, 2.0);
    expect_vector(n->from, 3.0, 4.0);
    expect_near(n->turn, 30.0 * deg, 1e-15);
    expect_vector(n->axis[0], cos(30.0 * deg), sin(30.0 * deg));
    assert_true(m->dof[0].spring && m->dof[1].spring && m->dof[2].spring);
    expect_near(m->numbers.dof[0].stiffness, 5000.0, 1e-9);
    expect_near(m->numbers.dof[0].rest, 7e-3, 1e-18);
    expect_near(m->numbers.dof[1].rest, 10.0 * deg, 1e-15);
    assert_true(m->numbers.dof[2].damping == 1.0 && m->numbers.dof[2].stiffness == 0.0);
    assert_true(m->body[4].n_dof == 0 && m->numbers.body[4].turn == 1.0);
    sp_model_free(m);
}

static void springs_in_joints_have_the_units_of_their_coordinate(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP "bodies:\n"
            "  a: {inertia: 1, joint: {revolute: ground, stiffness: 5 N/m}}\n"
            "  b: {mass: 1 kg, joint: {prismatic: ground, axis: 0, rest: 5 deg}}\n"
            "  c: {mass: 1 kg, inertia: 1, joint: {free: ground, stiffness: 1 N/m, rest: 1 m}}\n",
        "6:56: body 'a': joint: stiffness = 5 N/m is a stiffness [N/m], expected a torsional "
        "stiffness [N*m/rad]\n"
        "7:61: body 'b': joint: rest = 5 deg is a pure number, expected a length [m]\n"
        "8:53: body 'c': joint: stiffness needs a joint with one degree of freedom, this one has "
        "3; use a list or 'forces: {...: {spring: ...}}'\n");
}

static void masses_and_inertias_are_not_negative(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies:\n"
                      "  a: {mass: -1 kg, inertia: 1}\n"
                      "  b: {mass: 1 kg, inertia: -1}\n"
                      "  c: {mass: 1 m, inertia: 1 kg}\n",
                  "6:13: body 'a': mass = -1 kg, expected > 0\n"
                  "7:28: body 'b': inertia = -1, expected >= 0\n"
                  "8:13: body 'c': mass = 1 m is a length [m], expected a mass [kg]\n"
                  "8:27: body 'c': inertia = 1 kg is a mass [kg], expected a moment of inertia "
                  "[kg*m^2]\n");
}

static void points_corners_and_point_contours_are_points(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "bodies:\n"
                     "  ground: {points: {hook: [1 m, 2 m]}}\n"
                     "  a: {count: 2, mass: 1 kg, inertia: 1, points: {p: [1 mm * i, 0]},\n"
                     "      contours: {tip: {point: [3 m, 0], at: [0, 1 m]}, hull: {polygon: "
                     "[[0, 0], [1 m, 0], [0, 1 m]], names: [u, v, w]}}}\n");
    static const char *const name[] = {"ground.hook", "a.1.p", "a.1.tip", "a.1.u",
                                       "a.1.v",       "a.1.w", "a.2.p"};
    static const double at[][2] = {{1.0, 2.0}, {1e-3, 0.0}, {3.0, 1.0}, {0.0, 0.0},
                                   {1.0, 0.0}, {0.0, 1.0},  {2e-3, 0.0}};
    assert_int_equal(m->n_point, 11);
    for (int k = 0; k < 7; k++) {
        assert_string_equal(m->point[k].name, name[k]);
        assert_int_equal(m->point[k].body, (k + 4) / 5);
        expect_vector(m->numbers.point[k], at[k][0], at[k][1]);
    }
    sp_model_free(m);
    expect_errors(TOP
                  "bodies:\n  a: {mass: 1 kg, inertia: 1, points: {u: [0, 0], v: [1 kg, 0]}, "
                  "contours: {h: {polygon: [[0, 0], [1 m, 0], [0, 1 m]], names: [u, x1, w]}}}\n",
                  "6:55: point 'v': 1 kg is a mass [kg], expected a length [m]\n"
                  "6:127: point 'u': the name is taken on body 'a'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_without_joint_is_free_on_the_ground),
        cmocka_unit_test(a_joint_has_place_turn_and_spring),
        cmocka_unit_test(springs_in_joints_have_the_units_of_their_coordinate),
        cmocka_unit_test(masses_and_inertias_are_not_negative),
        cmocka_unit_test(points_corners_and_point_contours_are_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
