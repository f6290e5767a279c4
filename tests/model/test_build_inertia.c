/* Motions that move no inertia. */
#include "test_build.h"

#define SINGULAR(place, body, what, dof, article)                                                  \
    place ": body '" body "': nothing with " what " moves with " dof                               \
          ", the mass matrix is singular; give the body (or what hangs on it) " article what "\n"

static void bodies_that_move_nothing_are_told(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies:\n"
                      "  a: {mass: 0, joint: {prismatic: ground, axis: 0}}\n"
                      "  b: {mass: 1 kg, joint: {revolute: ground}}\n"
                      "  c: {inertia: 1, joint: {prismatic: ground, axis: 0}}\n"
                      "  d: {mass: 1 kg}\n"
                      "  e: {count: 1000}\n",
                  SINGULAR("6:3", "a", "mass", "a.joint.s", "a ")
                      SINGULAR("7:3", "b", "inertia", "b.joint.phi", "an ")
                          SINGULAR("8:3", "c", "mass", "c.joint.s", "a ")
                              SINGULAR("9:3", "d", "inertia", "d.joint.phi", "an ")
                                  SINGULAR("10:3", "e.1", "mass", "e.1.joint.x", "a "));
}

static void bodies_without_mass_may_carry_others(void **ctx)
{
    (void)ctx;
    /* a cross slide, a point mass on an arm, a double pendulum of point masses, a massless fork */
    sp_model *m = model_of(
        TOP "bodies:\n"
            "  x: {joint: {prismatic: ground, axis: [1, 0]}}\n"
            "  y: {mass: 1 kg, joint: {prismatic: x, axis: [0, 1]}}\n"
            "  arm: {mass: 1 kg, center: [1 m, 0], joint: {revolute: ground}}\n"
            "  off: {mass: 1 kg, joint: {revolute: ground, from: [1 m, 0]}}\n"
            "  arm2: {mass: 1 kg, center: [1 m, 0], joint: {revolute: arm, at: [1 m, 0]}}\n"
            "  fork: {joint: {revolute: ground}}\n"
            "  tip: {mass: 1 kg, joint: {weld: fork, at: [1 m, 0]}}\n"
            "  crank: {joint: {revolute: ground}}\n"
            "  rod: {mass: 1 kg, inertia: 1, joint: {revolute: crank, at: [1 m, 0]}}\n");
    assert_int_equal(m->n_dof, 8);
    sp_model_free(m);
}

static void motions_that_cancel_are_found(void **ctx)
{
    (void)ctx;
    /* two slides in one direction, two hinges in one place: the body between them is moved by one
     * and moved back by the other */
    expect_errors(TOP "bodies:\n"
                      "  a: {joint: {prismatic: ground, axis: [3, 4]}}\n"
                      "  b: {mass: 1 kg, inertia: 1, joint: {prismatic: a, axis: [3, 4]}}\n"
                      "  c: {joint: {revolute: ground, at: [1 m, 0]}}\n"
                      "  d: {mass: 1 kg, inertia: 1, center: [1 m, 2 m], joint: {revolute: c}}\n",
                  SINGULAR("6:3", "a", "mass", "a.joint.s", "a ")
                      SINGULAR("8:3", "c", "inertia", "c.joint.phi", "an "));
}

static void long_chains_and_large_ratios_are_regular(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "bodies:\n"
                     "  link: {count: 10000, mass: 1 g, inertia: 1e-8, center: [5 mm, 0], joint: "
                     "{revolute: link.(i-1), first: ground, at: [10 mm, 0]}}\n"
                     "  light: {mass: 1 mg, joint: {prismatic: ground, axis: 0}}\n"
                     "  heavy: {mass: 10 t, inertia: 1, joint: {free: light}}\n");
    assert_int_equal(m->n_packed, 10000 * 10001 / 2 + 1 + 2 + 3 + 4);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_that_move_nothing_are_told),
        cmocka_unit_test(bodies_without_mass_may_carry_others),
        cmocka_unit_test(motions_that_cancel_are_found),
        cmocka_unit_test(long_chains_and_large_ratios_are_regular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
