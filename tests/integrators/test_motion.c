/* Prescribed motion, bilateral rows and one-dimensional set-valued elements in the time stepper. */
#include "contact/motion.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define PI 3.14159265358979323846

/* ---- prescribed motion --------------------------------------------------------------------------
 */

/* A cart is moved as x = a sin(w t); a pendulum hangs on it:  l p'' = -g sin p - x'' cos p. Against
 * the pendulum alone with that force by formula, both of order 2. */
static void a_pendulum_on_a_driven_cart_swings_as_its_equation_says(void **ctx)
{
    (void)ctx;
    rig exact =
        rig_of_text("specht: 1\n"
                    "formula:\n  coordinates: {p: rad}\n"
                    "  M: [[1 kg * (0.5 m)^2]]\n"
                    "  h: ['-(9.81 m/s^2)*sin(p)*(0.5 kg*m) + 0.1 m*(7 rad/s)^2*sin(7 rad/s "
                    "* t)*cos(p)*(0.5 kg*m)']\n"
                    "start: {p: 0.3 rad}\n");
    double error[3], dt[3];
    rig_steps(&exact, SP_METHOD_MOREAU_MEAN, 1e-5, 100000);
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  cart: {mass: 3 kg, joint: {prismatic: ground, axis: [1, 0], motion: 0.1 m * sin(7 "
            "rad/s * t)}}\n"
            "  bob: {mass: 1 kg, center: [0, -0.5 m], joint: {revolute: cart}}\n"
            "start: {bob.phi: 0.3 rad}\n");
        dt[k] = 4e-3 / (1 << k);
        rig_steps(&r, SP_METHOD_MOREAU_MEAN, dt[k], lround(1.0 / dt[k]));
        error[k] = fabs(r.x->q[1] - exact.x->q[0]);
        assert_near(r.x->q[0], 0.1 * sin(7.0), 1e-12);
        assert_near(r.x->u[0], 0.7 * cos(7.0), 1e-12);
        assert_true(r.worst.closure < 1e-12);
        assert_true(fabs(r.x->ledger.driven) > 0.1); /* the drive gives and takes */
        rig_free(&r);
    }
    const double order = check_order(3, dt, error);
    print_message("order %.2f, error at %g s: %.1e\n", order, dt[2], error[2]);
    assert_true(order > 1.8 && order < 2.3 && error[2] < 1e-4);
    rig_free(&exact);
}

/* A crank turned at constant speed: the drive's work is what the machine gains. */
static void a_prescribed_speed_is_kept_and_its_work_is_booked(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  wheel: {mass: 2 kg, inertia: 0.1 kg*m^2, center: [0.2 m, 0],\n"
                        "          joint: {revolute: ground, speed: 3 rad/s + 2 rad/s^2 * t, "
                        "damping: 0.5 N*m*s/rad}}\n");
    rig_steps(&r, SP_METHOD_MOREAU_MEAN, 1e-3, 1000);
    const sp_ledger *l = &r.x->ledger;
    const double phi = 4.0, omega = 5.0, J = 0.1 + 2.0 * 0.04;
    /* work = change of T and V + the damper's d integral of omega^2 */
    const double dampers = -0.5 * (9.0 + 6.0 + 4.0 / 3.0);
    assert_near(r.x->u[0], omega, 1e-12);
    assert_near(r.x->q[0], phi, 1e-6);
    assert_near(l->dampers, dampers, 1e-5);
    assert_near(l->driven, 0.5 * J * (25.0 - 9.0) + 2.0 * 9.81 * 0.2 * sin(phi) - dampers, 1e-4);
    assert_true(r.worst.closure < 1e-12);
    rig_free(&r);
}

/* A table that is shaken under a block: the block slides when a > mu g, else it sticks. */
static void a_shaken_table_takes_a_block_along_up_to_its_friction(void **ctx)
{
    (void)ctx;
    for (int slides = 0; slides < 2; slides++) {
        const double a = slides ? 4.0 : 2.0; /* mu g = 2.943 */
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  table: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], motion: '%g m/s^2 * "
            "t^2/2'}, contours: {top: {line: [0, 1]}}}\n"
            "  block: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {box: {box: [0.2 m, 0.1 m], at: "
            "[0, 0.05 m]}}}\n"
            "contacts: {c: {between: [block, table], law: {mu: 0.3}}}\n",
            a);
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
        const double v = slides ? 0.3 * 9.81 : a;
        assert_near(r.x->u[1], v, 1e-2 * (slides ? 1.0 : 1e-6));
        assert_true(r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

/* ---- bilateral rows
 * ------------------------------------------------------------------------------
 */

static const char *const four_bar =
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  crank: {mass: 1 kg, inertia: 4e-3, center: [0.1 m, 0], joint: {revolute: ground}}\n"
    "  rod: {mass: 2 kg, inertia: 0.04, center: [0.25 m, 0], joint: {revolute: crank, at: [0.2 m, "
    "0]}, points: {tip: [0.5 m, 0]}}\n"
    "  lever: {mass: 1.5 kg, inertia: 0.02, center: [0.2 m, 0], joint: {revolute: ground, at: "
    "[0.45 m, 0]}, points: {tip: [0.4 m, 0]}}\n"
    "joints: {pin: {revolute: [rod.tip, lever.tip]}}\n"
    "start: {crank.phi: 60 deg, crank.omega: %s}\n";

/* Energy error of order 2, loop error at round-off, over 20 turns. */
static void a_four_bar_keeps_its_loop_and_its_energy(void **ctx)
{
    (void)ctx;
    double drift[3], dt[3];
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(four_bar, "12 rad/s");
        double off = 0.0, worst = 0.0;
        dt[k] = 4e-4 / (1 << k);
        for (long i = 0; i < lround(3.0 / dt[k]); i++) {
            rig_step(&r, SP_METHOD_MOREAU_MEAN, dt[k]);
            const sp_ledger *l = &r.x->ledger;
            off = check_worse(off, r.w->con.off);
            worst = check_worse(worst, fabs(l->kinetic + l->potential - l->initial));
        }
        drift[k] = worst;
        assert_true(off < 1e-13);
        assert_true(r.worst.closure < 1e-12);
        rig_free(&r);
    }
    const double order = check_order(3, dt, drift);
    print_message("energy error %.1e J at %g s, order %.2f\n", drift[2], dt[2], order);
    assert_true(order > 1.7 && order < 2.4);
}

/* The start is found: the loop closes by moving what was not given. */
static void loops_close_at_the_start_and_what_cannot_close_is_told(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(four_bar, "3 rad/s");
    assert_near(r.x->q[0], PI / 3.0, 0.0);
    assert_near(r.x->u[0], 3.0, 0.0);
    const double th = PI / 3.0, rod = th + r.x->q[1], lever = r.x->q[2];
    const double x = 0.2 * cos(th) + 0.5 * cos(rod) - 0.45 - 0.4 * cos(lever);
    const double y = 0.2 * sin(th) + 0.5 * sin(rod) - 0.4 * sin(lever);
    assert_true(hypot(x, y) < 1e-13);
    const double v =
        -0.2 * sin(th) * 3.0 - 0.5 * sin(rod) * (3.0 + r.x->u[1]) + 0.4 * sin(lever) * r.x->u[2];
    assert_true(fabs(v) < 1e-13);
    rig_free(&r);

    sp_error err = rig_refused(
        "specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
        "  a: {mass: 1 kg, inertia: 1, joint: {revolute: ground}, points: {tip: [0.1 m, 0]}}\n"
        "  b: {mass: 1 kg, inertia: 1, joint: {revolute: ground, at: [1 m, 0]}, points: {tip: [0.1 "
        "m, 0]}}\n"
        "joints: {pin: {revolute: [a.tip, b.tip]}}\n");
    assert_non_null(strstr(err.text, "'pin' cannot be closed"));
    err = rig_refused("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                      "  a: {mass: 1 kg, inertia: 1, joint: {revolute: ground}}\n"
                      "  b: {mass: 1 kg, inertia: 1, joint: {revolute: ground}}\n"
                      "couplings: {ratio: {of: a.phi - 2*b.phi, fix: 0}}\n"
                      "start: {a.omega: 1 rad/s, b.omega: 1 rad/s}\n");
    assert_non_null(strstr(err.text, "'ratio' is violated by the velocities"));
}

/* Two shafts with a ratio: one degree of freedom with the reduced inertia J_a + J_b / 4. */
static void a_gear_ratio_couples_two_shafts(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  a: {mass: 1 kg, inertia: 0.1, joint: {revolute: ground}}\n"
                        "  b: {mass: 1 kg, inertia: 0.2, joint: {revolute: ground}}\n"
                        "forces: {m: {drive: a.joint, torque: 0.3 N*m}}\n"
                        "couplings: {ratio: {of: a.phi + 2*b.phi, fix: 0}}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
    assert_near(r.x->u[0], 0.3 / 0.15, 1e-10);
    assert_near(r.x->u[1], -1.0, 1e-10);
    assert_near(r.x->q[0] + 2.0 * r.x->q[1], 0.0, 1e-13);
    rig_free(&r);
}

/* ---- stops, friction, one-way
 * ---------------------------------------------------------------------
 */

/* A slide between stops, no gravity: bounces with eps at x = 0 and 1. */
static void joint_stops_reflect_with_their_restitution(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  a: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0],\n"
                        "      range: [0 m, 1 m], law: {eps_N: 0.5}}}\n"
                        "start: {a.x: 0.5 m, a.vx: 1 m/s}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 5000);
    assert_near(r.x->u[0], 0.25, 1e-12); /* at 0.5 s and at 2.5 s; the next at 6.5 s */
    assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, rig_slot(&r, "a.joint.upper")), 1);
    assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, rig_slot(&r, "a.joint.lower")), 1);
    assert_near(rig_event(&r, SP_EVENT_IMPACT, rig_slot(&r, "a.joint.lower"), 0)->t, 2.5, 2e-3);
    rig_free(&r);
}

/* x'' + x in -Sgn(x') of the notes: turning point, then rest at the exact place. */
static void a_dry_friction_oscillator_comes_to_rest_where_it_must(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: 1, "
                        "friction: 1}}\n"
                        "start: {a.x: 12, a.vx: 6}\n");
    rig_steps(&r, SP_METHOD_MOREAU_MEAN, 1e-3, 30000);
    assert_near(r.x->q[0], 0.682178936723647, 2e-3);
    assert_true(fabs(r.x->u[0]) < 1e-12);
    const sp_event *stick = rig_event(&r, SP_EVENT_STICK, 0, rig_count(&r, SP_EVENT_STICK, 0) - 1);
    assert_near(stick->t, 22.423556350699, 2e-3);
    /* the work of friction is the loss, to the scheme's error */
    assert_near(r.x->ledger.friction, 0.5 * (r.x->q[0] * r.x->q[0] - 144.0 - 36.0), 1e-2);
    assert_true(r.worst.closure < 1e-12);
    rig_free(&r);
}

/* A clutch closes at t = 1: two wheels come to the common speed of their momentum. */
static void a_clutch_closes_when_its_limit_is_switched_on(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  a: {mass: 1 kg, inertia: 0.1, joint: {revolute: ground}}\n"
                        "  b: {mass: 1 kg, inertia: 0.3, joint: {revolute: ground}}\n"
                        "couplings: {clutch: {of: a.phi - b.phi, friction: 'if(t < 1 s, 0 N*m, 2 "
                        "N*m)'}}\n"
                        "start: {a.omega: 20 rad/s}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 999);
    assert_near(r.x->u[0], 20.0, 1e-12);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1001);
    assert_near(r.x->u[0], 5.0, 1e-10);
    assert_near(r.x->u[1], 5.0, 1e-10);
    assert_near(r.x->ledger.friction, -(0.05 * 400.0 - 0.2 * 25.0), 1e-6);
    /* slip lasts 20 rad/s * 0.075 kg m^2 / 2 N m = 0.75 s */
    assert_near(rig_event(&r, SP_EVENT_STICK, 0, rig_count(&r, SP_EVENT_STICK, 0) - 1)->t, 1.75,
                3e-3);
    rig_free(&r);
}

/* A sprag clutch lets a wheel turn forward only: a torque that changes sign drives it on. */
static void a_one_way_clutch_rectifies(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  a: {mass: 1 kg, inertia: 0.1, joint: {revolute: ground}}\n"
                        "forces: {m: {drive: a.joint, torque: 'if(t < 1 s, 0 - 1 N*m, 1 N*m)'}}\n"
                        "couplings: {sprag: {of: a.phi, one_way: forward}}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
    assert_near(r.x->u[0], 0.0, 1e-12);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 500);
    assert_near(r.x->u[0], 5.0, 1e-9);
    rig_free(&r);
}

/* A mass held by a preload F with a spring k behind it: below F nothing moves, above it settles at
 * (f - F)/k; pushed and let go it swings about zero with the energy F |x| + k x^2/2 kept. */
static void a_preload_holds_until_it_is_exceeded_and_keeps_energy(void **ctx)
{
    (void)ctx;
    const char *model = "specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  a: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 50 "
                        "N/m, damping: %s}}\n"
                        "forces: {f: {force: ['%s', 0 N], on: a}}\n"
                        "couplings: {preload: {of: a.x, threshold: 3 N}}\n"
                        "start: {a.vx: %s}\n";
    rig below = rig_of_text(model, "1 N*s/m", "2.9 N", "0 m/s");
    rig_steps(&below, SP_METHOD_MOREAU_MEAN, 1e-3, 1000);
    assert_true(fabs(below.x->q[0]) < 1e-15 && fabs(below.x->u[0]) < 1e-15);
    rig_free(&below);

    rig above = rig_of_text(model, "8 N*s/m", "5 N", "0 m/s");
    rig_steps(&above, SP_METHOD_MOREAU_MEAN, 1e-3, 10000);
    assert_near(above.x->q[0], (5.0 - 3.0) / 50.0, 1e-9);
    assert_true(above.worst.closure < 1e-12);
    rig_free(&above);

    rig free = rig_of_text(model, "0 N*s/m", "0 N", "1 m/s");
    /* turning point: 3 x + 25 x^2 = 1 */
    const double turn = (sqrt(9.0 + 100.0) - 3.0) / 50.0;
    double largest = 0.0;
    for (int i = 0; i < 4000; i++) {
        rig_step(&free, SP_METHOD_MOREAU_MEAN, 1e-4);
        largest = check_worse(largest, fabs(free.x->q[0]));
    }
    assert_near(largest, turn, 1e-3);
    const sp_ledger *l = &free.x->ledger;
    assert_near(l->kinetic + l->potential, 1.0, 2e-3);
    assert_true(l->friction == 0.0 && l->impacts == 0.0 && free.worst.closure < 1e-12);
    rig_free(&free);
}

/* A belt without mass takes a block from 0.3 to 0.78 m/s by mu m g, then holds it against a spring:
 * the row of the belt is nothing but the friction and the drive, which balance. */
static sp_status see_momentum(void *ctx, const sp_model *m, const sp_step_record *step,
                              sp_error *err)
{
    double *worst = ctx;
    (void)m, (void)err;
    *worst = check_worse(*worst, step->certificate->momentum);
    return SP_OK;
}

static void a_belt_without_mass_balances(void **ctx)
{
    (void)ctx;
    static const sp_method method[2] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    const double slip = 0.48 / (0.5 * 9.81), v = 0.78;
    for (int k = 0; k < 3; k++) {
        double momentum = 0.0;
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  belt: {joint: {prismatic: ground, axis: [1, 0], speed: 0.78 m/s}, contours: {top: "
            "{line: [0, 1]}}}\n"
            "  b: {mass: 1 kg, inertia: 0.01, contours: {c: {box: [0.3, 0.3]}}}\n"
            "contacts: {f: {between: [b, belt], law: {mu: 0.5}}}\n"
            "start: {b.y: 0.15 m, b.vx: 0.3 m/s}\n");
        if (k < 2) {
            rig_run(&r, method[k], 0.5, 1e-6, see_momentum, &momentum);
        } else {
            rig_steps(&r, SP_METHOD_MOREAU_MEAN, 2e-4, 2500);
            momentum = r.worst.momentum;
        }
        const int x = 1; /* the belt is first */
        assert_near(r.x->u[x], v, 1e-9);
        assert_near(r.x->q[x], v * 0.5 - 0.24 * slip, 1e-5);
        assert_near(r.x->ledger.driven, 0.5 * 9.81 * slip * v, 1e-4);
        assert_true(momentum < 1e-12);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_on_a_driven_cart_swings_as_its_equation_says),
        cmocka_unit_test(a_prescribed_speed_is_kept_and_its_work_is_booked),
        cmocka_unit_test(a_shaken_table_takes_a_block_along_up_to_its_friction),
        cmocka_unit_test(a_belt_without_mass_balances),
        cmocka_unit_test(a_four_bar_keeps_its_loop_and_its_energy),
        cmocka_unit_test(loops_close_at_the_start_and_what_cannot_close_is_told),
        cmocka_unit_test(a_gear_ratio_couples_two_shafts),
        cmocka_unit_test(joint_stops_reflect_with_their_restitution),
        cmocka_unit_test(a_dry_friction_oscillator_comes_to_rest_where_it_must),
        cmocka_unit_test(a_clutch_closes_when_its_limit_is_switched_on),
        cmocka_unit_test(a_one_way_clutch_rectifies),
        cmocka_unit_test(a_preload_holds_until_it_is_exceeded_and_keeps_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
