/* A flat arch of two rods whose ends lie on a rough floor.  The thrust that would hold both ends
 * goes with one over its angle a, which no friction has, so that one of them slides; rows along of
 * both depend on each other but for a.   theory (53.1)-(53.3) */
#include "support/check.h"
#include "support/events.h"

#define LENGTH  0.4
#define GRAVITY 10.0
#define MU      0.3 /* of the right end, which slides */

/* Rods of 1 kg at this angle, a torque in their hinge that lifts it, and the limit of its friction.
 */
static rig arch(double a, double torque, double friction)
{
    return rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: %g\nparameters: {L: %g, a: "
        "%.17g}\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  l: {mass: 1, inertia: L^2/12, center: [L/2, 0], contours: {p: {point: [0, 0]}}}\n"
        "  r: {mass: 1, inertia: L^2/12, center: [L/2, 0], joint: {revolute: l, at: [L, 0],\n"
        "      friction: %g}, contours: {p: {point: [L, 0]}}}\n"
        "contacts:\n"
        "  k_l: {between: [l.p, ground], law: {mu: 0.8}}\n"
        "  k_r: {between: [r.p, ground], law: {mu: %g}}\n"
        "forces: {lift: {drive: r.joint, torque: %g}}\n"
        "start: {l.phi: a, r.joint.phi: -2*a}\n",
        GRAVITY, LENGTH, a, friction, MU, -torque);
}

/* With a'' = A of flat rods at t: a = a_0 + A t^2/2, slip 2 L a a' outwards, friction has taken
 * mu N |L (a_0^2 - a^2)|, N = m g + m L A/2; all but for a itself. */
static void check_arch(double a_0, double A, double t, double torque)
{
    rig r = arch(a_0, torque, 0.0);
    events_go(&r, t, 1e-11);
    const double a = a_0 + 0.5 * A * t * t, N = GRAVITY + 0.5 * LENGTH * A;
    const double slip = -2.0 * LENGTH * a * A * t, way = LENGTH * (a_0 * a_0 - a * a);
    const double now = r.x->q[rig_dof(&r, "l.joint.phi")], u = r.x->u[rig_dof(&r, "l.joint.phi")];
    const double v = r.x->u[rig_dof(&r, "l.joint.x")] - 2.0 * LENGTH * sin(now) * u;
    print_message("  a %.0e to %.1e rad: off %.0e, slip %.0e, friction %.0e; residual %.0e\n", a_0,
                  a, now / a - 1.0, v / slip - 1.0,
                  -r.x->ledger.friction / (MU * N * fabs(way)) - 1.0, r.worst.complementarity);
    assert_near(now / a, 1.0, 1e-5 + 10.0 * a);
    if (a > 1e-6) { /* before, slip is what counts as rest, of either end */
        assert_near(v / slip, 1.0, 1e-5 + 10.0 * a);
        assert_near(-r.x->ledger.friction / (MU * N * fabs(way)), 1.0, 1e-3 + 20.0 * a);
    }
    assert_true(r.worst.complementarity <= SP_CERTIFIED && r.worst.cone <= SP_CERTIFIED);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    rig_free(&r);
}

/* It falls from a_0 to 3/4 of that: A = -3 g/(2 L). */
static void one_end_of_an_arch_that_falls_slides_out(void **ctx)
{
    (void)ctx;
    const double A = -1.5 * GRAVITY / LENGTH;
    for (int i = 4; i <= 10; i++) {
        const double a = pow(10.0, -i);
        check_arch(a, A, sqrt(-0.5 * a / A), 0.0);
    }
}

/* Lifted from the floor by a torque M, A = 3 (M - m g L/2)/(m L^2): slip begins with t^3, and as
 * long as rows along count as dependent the acceleration that is left grows with t^2. */
static void one_end_of_an_arch_that_is_lifted_slides_in(void **ctx)
{
    (void)ctx;
    const double M = 0.55 * GRAVITY * LENGTH;
    const double A = 3.0 * (M - 0.5 * GRAVITY * LENGTH) / (LENGTH * LENGTH);
    for (double t = 1e-5; t < 0.1; t *= 3.0) {
        check_arch(0.0, A, t, M);
    }
}

/* A hinge with more than m g L/2 of dry friction carries the rods: all is at rest. */
static void an_arch_that_its_hinge_carries_rests(void **ctx)
{
    (void)ctx;
    for (int i = 2; i <= 10; i++) {
        const double a = pow(10.0, -i);
        rig r = arch(a, 0.0, 3.0);
        events_go(&r, 0.5, 1e-11);
        assert_near(r.x->q[rig_dof(&r, "l.joint.phi")], a, 1e-13);
        assert_near(r.x->q[rig_dof(&r, "l.joint.x")], 0.0, 1e-13);
        assert_true(r.worst.complementarity <= SP_CERTIFIED && r.worst.cone <= SP_CERTIFIED);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_end_of_an_arch_that_falls_slides_out),
        cmocka_unit_test(one_end_of_an_arch_that_is_lifted_slides_in),
        cmocka_unit_test(an_arch_that_its_hinge_carries_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
