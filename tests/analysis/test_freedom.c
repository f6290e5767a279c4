/* Degrees of freedom of machines with loops, redundant ones too. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/view.h"

/* The freedom of a model at its start. */
static int freedom_of(rig r)
{
    const int n = sp_freedom(r.m, r.x, NULL);
    rig_free(&r);
    return n;
}

#define PLANE "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"

static void a_chain_has_as_many_as_joints_and_prescribed_ones_count_out(void **ctx)
{
    (void)ctx;
    assert_int_equal(freedom_of(rig_of_text(PLANE "bodies: {a: {mass: 1, inertia: 1}}\n")), 3);
    assert_int_equal(
        freedom_of(rig_of_text(
            PLANE "bodies: {a: {mass: 1, inertia: 1, joint: {revolute: ground, speed: 3 rad/s}}, "
                  "b: {mass: 1, inertia: 1, joint: {revolute: a, at: [1, 0]}}}\n")),
        1);
}

/* In the plane 3 coordinates and 2 rows, in space 3 and 5 of which 2 are independent. */
static void a_four_bar_has_one_in_plane_and_space(void **ctx)
{
    (void)ctx;
    const char *const none[] = {NULL};
    assert_int_equal(freedom_of(rig_of_file("examples/four_bar/four_bar.yaml", none)),
                     0); /* driven */
    assert_int_equal(freedom_of(rig_of_file("tests/data/good/four_bar_near.yaml", none)), 1);
    assert_int_equal(
        freedom_of(rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
            "  crank: {mass: 1, inertia: 0.1, joint: {revolute: ground, axis: [0, 0, 1]}}\n"
            "  rod: {mass: 1, inertia: 0.1, joint: {revolute: crank, axis: [0, 0, 1], at: [0.2, 0, "
            "0]}, points: {tip: [0.5, 0, 0]}}\n"
            "  lever: {mass: 1, inertia: 0.1, joint: {revolute: ground, axis: [0, 0, 1], at: [0.5, "
            "0, 0]}, points: {tip: [0.4, 0, 0]}}\n"
            "joints: {pin: {revolute: [rod.tip, lever.tip], axis: [0, 0, 1]}}\n"
            "start: {crank.joint.phi: 1}\n")),
        1);
}

/* A gear ratio takes one; the same ratio again, and in other units, takes none. */
static void rows_that_depend_on_others_do_not_count(void **ctx)
{
    (void)ctx;
#define WHEELS                                                                                     \
    "bodies: {a: {mass: 1, inertia: 1, joint: {revolute: ground}}, b: {mass: 1, inertia: 1e-6, "   \
    "joint: {revolute: ground}}}\n"
    assert_int_equal(
        freedom_of(rig_of_text(PLANE WHEELS
                               "couplings: {g: {of: a.joint.phi + 3*b.joint.phi, fix: 0}}\n")),
        1);
    assert_int_equal(
        freedom_of(rig_of_text(
            PLANE WHEELS "couplings: {g: {of: a.joint.phi + 3*b.joint.phi, fix: 0}, h: {of: 1 km * "
                         "a.joint.phi + 3 km * b.joint.phi, fix: 0}}\n")),
        1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_as_many_as_joints_and_prescribed_ones_count_out),
        cmocka_unit_test(a_four_bar_has_one_in_plane_and_space),
        cmocka_unit_test(rows_that_depend_on_others_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
