/* Steps of the adaptive method in which contacts change: impacts that leave nothing to push,
 * accumulations of other things than bounces, round-off at rest, and what begins with dry friction,
 * all against closed forms.   theory (31.1)-(31.4) */
#include "support/check.h"
#include "support/mechanism.h"
#include "support/run.h"

#include <string.h>

/* Run to `until`, a frame every 5 ms; how many steps it took. */
static long run_to(rig *r, double until, double tolerance)
{
    sp_error err = {.status = SP_OK};
    sp_run_summary summary;
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = until, .output_step = 0.005, .tolerance = tolerance};
    const sp_status status = sp_run(r->m, r->x, r->w, &o, NULL, 0, &summary, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
    }
    assert_int_equal(status, SP_OK);
    return summary.steps;
}

/* A mass that is pulled up by 0.1 m/s^2 and thrown down to the floor, which it hits at 4 mm/s after
 * 0.46 s, without restitution: the impact is over as soon as it has been, and the contact does not
 * last in any step, however short. */
static void an_impact_that_leaves_nothing_to_push_is_passed(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        const double tolerance = pow(10.0, -6 - 2 * k), t = 1.0;
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: [0, 0.1]\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  a: {mass: 1, joint: {prismatic: ground, axis: [0, 1]},\n"
                            "      contours: {tip: {point: [0, 0]}}}\n"
                            "contacts: {c: {between: [a, ground], law: {eps_N: 0}}}\n"
                            "start: {a.joint.s: 0.01242, a.joint.v: -0.05}\n");
        const long steps = run_to(&r, t, tolerance);
        const double off = fabs(r.x->q[0] - 0.05 * (t - 0.46) * (t - 0.46));
        print_message("  tolerance %.0e: %ld steps, %.1e m off\n", tolerance, steps, off);
        assert_true(steps < 400 && r.x->control.loosened == 0.0);
        assert_true(off < 10.0 * tolerance * 0.0146); /* of the way */
        rig_free(&r);
    }
}

/* Count the impacts that were solved without restitution, since they had no solution with it. */
static sp_status count_unsolved(void *ctx, const sp_model *m, const sp_step_record *r,
                                sp_error *err)
{
    (void)m;
    (void)err;
    for (int i = 0; i < r->n_event; i++) {
        *(int *)ctx += r->event[i].impact.remedy == SP_REMEDY_UNSOLVED;
    }
    return SP_OK;
}

/* Random machine 707 has an impact at 0.2123 s that has no solution with Newton's restitution and
 * friction: both methods solve it without restitution, and say so.   theory (31.5) */
static void an_impact_without_solution_is_passed_as_events_pass_it(void **ctx)
{
    (void)ctx;
    static text file;
    const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    double q[2][32];
    rng random = {1000u + 707u};
    mechanism_write(&random, false, &file);
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_text("%s", file.s);
        int unsolved = 0;
        sp_error err = {.status = SP_OK};
        sp_run_summary summary;
        const sp_observer observer = {.step = count_unsolved, .ctx = &unsolved};
        const sp_run_options o = {
            .method = method[i], .until = 0.25, .output_step = 0.05, .tolerance = 1e-9};
        assert_int_equal(sp_run(r.m, r.x, r.w, &o, &observer, 1, &summary, &err), SP_OK);
        assert_true(unsolved > 0 && r.m->n_q <= 32);
        memcpy(q[i], r.x->q, (size_t)r.m->n_q * sizeof(double));
        for (int k = 0; i == 1 && k < r.m->n_q; k++) {
            assert_near(q[0][k], q[1][k], 1e-6);
        }
        rig_free(&r);
    }
}

/* An arm on a slide that falls to the floor: the joint between them has dry friction, which holds
 * it until the floor is hit.  Friction is bounded, so that it takes no part in the impact, and is
 * right to the tolerance: after t_1 the arm turns at omega_1 and is slowed down by M/J.  The slide
 * is stopped, eps_N = 0, and the arm with it turns at omega_1 = -m c v/J. */
static void friction_takes_no_part_in_impacts(void **ctx)
{
    (void)ctx;
    const double m = 1.0, c = 0.1, J = 0.02 + m * c * c, M = 0.5, g = 10.0, v = 1.0, t = 0.02;
    const double t_1 = (sqrt(v * v + 2.0 * g * 0.01) - v) / g, v_1 = v + g * t_1;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  a: {mass: 3, joint: {prismatic: ground, axis: [0, 1]},\n"
                        "      contours: {tip: {point: [0, 0]}}}\n"
                        "  b: {mass: 1, inertia: 0.02, center: [0.1, 0],\n"
                        "      joint: {revolute: a, friction: 0.5}}\n"
                        "contacts: {c: {between: [a, ground], law: {eps_N: 0}}}\n"
                        "start: {a.joint.s: 0.01, a.joint.v: -1}\n");
    run_to(&r, t, 1e-8);
    /* J phi'' = M - m g c cos phi from omega_1 on: small angles to second order in phi' (t - t_1)
     */
    double phi = 0.0, omega = -m * c * v_1 / J;
    enum { PARTS = 20000 };
    const double dt = (t - t_1) / PARTS;
    for (int k = 0; k < PARTS; k++) { /* leapfrog: 1e-10 */
        phi += 0.5 * dt * omega;
        omega += dt * (M - m * g * c * cos(phi)) / J;
        phi += 0.5 * dt * omega;
    }
    print_message("  turned by %.9f rad at %.7f rad/s\n", r.x->q[1], r.x->u[1]);
    assert_near(r.x->q[1], phi, 1e-6);
    assert_near(r.x->u[1], omega, 1e-6);
    rig_free(&r);
}

/* ---- a preloaded spring with dry friction ------------------------------------------------------
 */

/* x'' = -F sign(x) - f sign(x') with F = 5, from x = 0.1 at rest: swings from zero to zero whose
 * speeds fall by sqrt((F - f)/(F + f)) each, and which are over after a finite time. */
static double swing(double f, double t)
{
    const double F = 5.0, in = F - f, out = F + f;
    double x = 0.1, side = 1.0;
    for (int k = 0; k < 100000 && x > 1e-30; k++) {
        const double t_in = sqrt(2.0 * x / in), v = in * t_in;
        if (t < t_in) {
            return side * (x - 0.5 * in * t * t);
        }
        t -= t_in;
        side = -side;
        if (t < v / out) {
            return side * (v * t - 0.5 * out * t * t);
        }
        t -= v / out;
        x = 0.5 * v * v / out;
    }
    return 0.0;
}

/* The machine of it. */
static rig spring_with_friction(double f, double x)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                       "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0], friction: %g}}\n"
                       "couplings: {q: {of: a.joint.s, threshold: 5}}\n"
                       "start: {a.joint.s: %g}\n",
                       f, x);
}

/* With f = 0.5 there are 320 changes until speeds are below 1e-7: that many are no reason to ask
 * for less.   theory (31.2) */
static void swings_of_a_preloaded_spring_are_gone_through_to_their_end(void **ctx)
{
    (void)ctx;
    const double f[] = {1.0, 0.5, 0.25}, at[] = {0.5, 1.0, 2.0, 9.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            rig r = spring_with_friction(f[i], 0.1);
            const long steps = run_to(&r, at[k], 1e-7);
            const double off = fabs(r.x->q[0] - swing(f[i], at[k]));
            print_message("  f %g, t %g: %ld steps, %.1e off\n", f[i], at[k], steps, off);
            assert_true(r.x->control.loosened == 0.0);
            assert_true(off < 1e-6); /* 30 changes and more, each with an error of 1e-7 0.1 */
            rig_free(&r);
        }
    }
}

/* Without friction the spring swings on, however small: 40 swings of 1 micrometre, of 2.5 ms each,
 * that a step might take for rest.   theory (31.4) */
static void small_swings_are_not_put_to_rest(void **ctx)
{
    (void)ctx;
    const double x_0 = 1e-6, period = 4.0 * sqrt(2.0 * x_0 / 5.0);
    rig r = spring_with_friction(0.0, x_0);
    run_to(&r, 40.0 * period, 1e-8);
    const double energy = 0.5 * r.x->u[0] * r.x->u[0] + 5.0 * fabs(r.x->q[0]);
    print_message("  energy %.3e of %.3e J\n", energy, 5.0 * x_0);
    assert_near_scaled(energy, 5.0 * x_0, 5.0 * x_0, 1e-2);
    rig_free(&r);
}

/* ---- round-off --------------------------------------------------------------------------------
 */

/* Two bodies that fall, with a freewheel and dry friction in the joint between them: nothing loads
 * it, and round-off must not decide whether it is open. */
static void a_freewheel_without_load_does_not_chatter(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  a: {mass: 2.3, inertia: 0.05, joint: {free: ground}}\n"
                        "  b: {mass: 2.2, inertia: 0.05, center: [0.09, 0],\n"
                        "      joint: {revolute: a, at: [0.06, 0], friction: 0.1}}\n"
                        "couplings: {q: {of: b.joint.phi, one_way: forward}}\n"
                        "start: {a.y: 1, a.vx: 0.3, a.omega: 0.7}\n");
    const long steps = run_to(&r, 0.3, 1e-8);
    print_message("  %ld steps\n", steps);
    assert_true(steps < 200 && r.x->control.loosened == 0.0);
    rig_free(&r);
}

/* A slide that is thrown up a slope and turns round after 0.8 ms, within the first step: which way
 * dry friction points is not known before it. */
static void friction_that_turns_in_the_first_step_is_seen(void **ctx)
{
    (void)ctx;
    const double v = 0.01, up = 12.0, down = 8.0, t = 0.005, t_1 = v / up;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: [-10, 0]\nbodies:\n"
                        "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0], friction: 2}}\n"
                        "start: {a.joint.v: %g}\n",
                        v);
    run_to(&r, t, 1e-8);
    assert_near(r.x->q[0], 0.5 * v * v / up - 0.5 * down * (t - t_1) * (t - t_1), 1e-8);
    assert_near(r.x->u[0], -down * (t - t_1), 1e-7);
    rig_free(&r);
}

/* A mass that swings between two constant forces, x'' = -+400 m/s^2, for 30 periods of 28 ms,
 * beside one that stands 5 m away: where the force turns is found as well as the tolerance asks,
 * not only to a part of the time in which 5 m are gone.   theory (44.1) */
static void a_threshold_that_is_passed_is_found_as_well_as_the_tolerance_asks(void **ctx)
{
    (void)ctx;
    const double x_0 = 0.01, a = 400.0, quarter = sqrt(2.0 * x_0 / a), t = 30.5 * 4.0 * quarter;
    for (int k = 0; k < 3; k++) {
        const double tolerance = pow(10.0, -8 - k);
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                            "  a: {mass: 0.5, joint: {prismatic: ground, axis: [1, 0]}}\n"
                            "  b: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}}\n"
                            "couplings: {q: {of: a.joint.s, threshold: 200}}\n"
                            "start: {a.joint.s: %.17g, b.joint.s: 5}\n",
                            x_0);
        const long steps = run_to(&r, t, tolerance);
        const double off = fabs(r.x->q[0] + x_0);
        print_message("  tolerance %.0e: %ld steps, %.1e m off\n", tolerance, steps, off);
        assert_true(off < 1e3 * tolerance * x_0); /* 61 turns, each up to 5 m/s times that */
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_that_leaves_nothing_to_push_is_passed),
        cmocka_unit_test(an_impact_without_solution_is_passed_as_events_pass_it),
        cmocka_unit_test(friction_takes_no_part_in_impacts),
        cmocka_unit_test(swings_of_a_preloaded_spring_are_gone_through_to_their_end),
        cmocka_unit_test(small_swings_are_not_put_to_rest),
        cmocka_unit_test(a_freewheel_without_load_does_not_chatter),
        cmocka_unit_test(friction_that_turns_in_the_first_step_is_seen),
        cmocka_unit_test(a_threshold_that_is_passed_is_found_as_well_as_the_tolerance_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
