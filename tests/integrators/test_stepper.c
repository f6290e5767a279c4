/* Time stepping beyond Moreau: orders of convergence, ledger and certificates, what theta says. */
#include "support/check.h"
#include "support/run.h"

#include "integrators/stepper.h"

#include <string.h>

static const sp_method steppers[] = {SP_METHOD_THETA, SP_METHOD_RK2, SP_METHOD_RK4};
enum { N_STEPPER = 3 };

/* ---- free flight of the slider-crank, against the exact one -----------------------------------
 */

static double flight_error(sp_method method, long n)
{
    const double t = 2.5e-3;
    double th[CRANK_N], th_exact[CRANK_N], om_exact[CRANK_N], worst = 0.0;
    rig r = rig_slider_crank(0.0);
    rig_steps(&r, method, t / (double)n, n);
    crank_absolute(r.x->q, th);
    crank_exact(t, th_exact, om_exact);
    for (int k = 0; k < 2; k++) {
        worst = check_worse(worst, fabs(th[k] - th_exact[k]));
    }
    assert_int_equal(r.n_event, 0);
    assert_true(r.worst.closure < 1e-12);
    assert_true(r.worst.momentum < 1e-12);
    rig_free(&r);
    return worst;
}

static void free_flight_is_of_order(sp_method method, double order, long first)
{
    enum { SIZES = 6 };
    double dt[SIZES], err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        const long n = first << k;
        dt[k] = 2.5e-3 / (double)n;
        err[k] = flight_error(method, n);
        print_message("  dt %.3e  angles %.3e rad\n", dt[k], err[k]);
    }
    const double found = check_order(SIZES, dt, err);
    print_message("%s: order %.3f\n", sp_method_name(method), found);
    assert_true(fabs(found - order) < 0.1);
}

static void free_flight_of_theta_and_rk2_is_of_second_order(void **ctx)
{
    (void)ctx;
    free_flight_is_of_order(SP_METHOD_THETA, 2.0, 25);
    free_flight_is_of_order(SP_METHOD_RK2, 2.0, 200); /* two errors cancel in longer steps */
}

static void free_flight_of_rk4_is_of_fourth_order(void **ctx)
{
    (void)ctx;
    free_flight_is_of_order(SP_METHOD_RK4, 4.0, 4); /* finer ones reach round-off */
}

/* ---- a ball in a bowl: a contact that lasts, on a curved surface -------------------------------
 * A point mass on a circle of radius R without friction is a pendulum of length R. */

#define BOWL                                                                                       \
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"                                              \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {bowl: {circle: 1 m, at: [0, 0], inside: yes}}}\n"                       \
    "  ball: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"                                  \
    "         contours: {tip: {point: [0, 0]}}}\n"                                                 \
    "contacts: {rest: {between: [ball, ground], law: {mu: 0}}}\n"                                  \
    "start: {ball.x: 0.6 m, ball.y: -0.8 m}\n"                                                     \
    "run: {until: 1 s, step: 1 ms, tolerance: %g}\n"

/* The angle of that pendulum at t, by the classical Runge-Kutta method with tiny steps. */
static double pendulum_angle(double t)
{
    const int n = 20000;
    const double dt = t / n;
    double y[2] = {asin(0.6), 0.0};
    for (int i = 0; i < n; i++) {
        double k[4][2], z[2] = {y[0], y[1]};
        for (int j = 0; j < 4; j++) {
            const double c = j == 2 ? 1.0 : 0.5;
            k[j][0] = z[1];
            k[j][1] = -9.81 * sin(z[0]);
            z[0] = y[0] + c * dt * k[j][0];
            z[1] = y[1] + c * dt * k[j][1];
        }
        for (int a = 0; a < 2; a++) {
            y[a] += dt / 6.0 * (k[0][a] + 2.0 * k[1][a] + 2.0 * k[2][a] + k[3][a]);
        }
    }
    return y[0];
}

static double bowl_error(sp_method method, long n, double tolerance)
{
    rig r = rig_of_text(BOWL, tolerance);
    rig_steps(&r, method, 1.0 / (double)n, n);
    const double err = fabs(atan2(r.x->q[0], -r.x->q[1]) - pendulum_angle(1.0));
    assert_true(r.worst.closure < 1e-12);
    assert_true(r.worst.complementarity < 1e-8);
    rig_free(&r);
    return err;
}

static void lasting_contact_on_a_curve_converges(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    for (int i = 0; i < N_STEPPER; i++) {
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            dt[k] = 1.0 / (double)(100 << k);
            err[k] = bowl_error(steppers[i], 100 << k, 1e-9);
        }
        print_message("%s: order %.3f in the bowl, error %.2e at dt %.1e\n",
                      sp_method_name(steppers[i]), check_order(SIZES, dt, err), err[SIZES - 1],
                      dt[SIZES - 1]);
        assert_true(check_order(SIZES, dt, err) > 0.9);
    }
}

/* ---- theta ------------------------------------------------------------------------------------
 */

/* An oscillator: theta = 1/2 keeps its energy to round-off, theta = 1 damps it as the implicit
 * Euler scheme does, by 1/(1 + (omega dt)^2) per step. */
static void theta_one_half_keeps_energy_and_one_damps(void **ctx)
{
    (void)ctx;
    const char *text = "specht: 1\nspace: planar\ngravity: 0 m/s^2\n"
                       "bodies:\n"
                       "  ground: {points: {o: [0, 0]}}\n"
                       "  m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]},\n"
                       "      points: {p: [0, 0]}}\n"
                       "forces: {s: {spring: [ground.o, m.p], stiffness: 4 N/m, rest: 0 m}}\n"
                       "start: {m.x: 1 m}\n"
                       "run: {until: 1 s, step: 1 ms, theta: %g}\n";
    const double dt = 0.05, factor = 1.0 / (1.0 + 4.0 * dt * dt);
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_text(text, i == 0 ? 0.5 : 1.0);
        rig_steps(&r, SP_METHOD_THETA, dt, 100);
        const double E = r.x->ledger.kinetic + r.x->ledger.potential;
        const double expected = i == 0 ? 2.0 : 2.0 * pow(factor, 100);
        assert_true(fabs(E - expected) < 1e-11);
        assert_true(r.worst.closure < 1e-13);
        rig_free(&r);
    }
}

static void dissipation_condition_of_theta_is_known(void **ctx)
{
    (void)ctx;
    assert_true(fabs(sp_theta_eps_max(0.5) - 1.0) < 1e-15);
    assert_true(fabs(sp_theta_eps_max(0.8) - 0.25) < 1e-15);
    assert_true(fabs(sp_theta_eps_max(1.0)) < 1e-15);
}

/* ---- impacts ----------------------------------------------------------------------------------
 */

/* Height of a ball dropped from 1 m with restitution e after its first bounces, in closed form. */
static double ball_height(double t, double e)
{
    const double g = 9.81;
    double v = sqrt(2.0 * g), t_hit = v / g;
    if (t < t_hit) {
        return 1.0 - 0.5 * g * t * t;
    }
    for (int k = 0; k < 1000; k++) {
        v *= e;
        if (t < t_hit + 2.0 * v / g) {
            const double s = t - t_hit;
            return v * s - 0.5 * g * s * s;
        }
        t_hit += 2.0 * v / g;
    }
    return 0.0;
}

static double ball_error(sp_method method, double tolerance, double step, double until)
{
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                        "         contours: {tip: {point: [0, 0]}}}\n"
                        "contacts: {b: {between: [ball, ground], law: {eps_N: 0.8}}}\n"
                        "start: {ball.y: 1 m}\n"
                        "run: {until: 2 s, tolerance: %g}\n",
                        tolerance);
    double worst = 0.0;
    for (long k = 1; (double)k * step <= until * (1.0 + 1e-12); k++) {
        rig_step(&r, method, step);
        worst = check_worse(worst, fabs(r.x->q[0] - ball_height((double)k * step, 0.8)));
    }
    assert_true(r.worst.closure < 1e-12);
    rig_free(&r);
    return worst;
}

static void steppers_pass_impacts_with_first_order(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    for (int i = 0; i < N_STEPPER; i++) {
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            dt[k] = ldexp(3.7e-3, -k);
            err[k] = ball_error(steppers[i], 1e-9, dt[k], 1.5);
        }
        print_message("%s: order %.3f through bounces\n", sp_method_name(steppers[i]),
                      check_order(SIZES, dt, err));
        assert_true(check_order(SIZES, dt, err) > 0.8);
    }
}

/* ---- adaptive ---------------------------------------------------------------------------------
 */

static void error_of_adaptive_steps_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    enum { SIZES = 4 };
    double tol[SIZES], bounce[SIZES], bowl[SIZES];
    for (int k = 0; k < SIZES; k++) {
        tol[k] = pow(10.0, -3 - k);
        bounce[k] = ball_error(SP_METHOD_ADAPTIVE, tol[k], 0.05, 2.0);
        bowl[k] = bowl_error(SP_METHOD_ADAPTIVE, 1, tol[k]);
        print_message("  tolerance %.0e: ball %.2e m, bowl %.2e rad\n", tol[k], bounce[k], bowl[k]);
        assert_true(bounce[k] < 20.0 * tol[k]);
        assert_true(bowl[k] < 20.0 * tol[k]);
    }
    print_message("adaptive: ball error goes with tolerance^%.2f\n",
                  check_order(SIZES, tol, bounce));
    assert_true(check_order(SIZES, tol, bounce) > 0.7);
}

/* The slider-crank against the same machine from event to event. */
static void adaptive_steps_and_events_agree_on_the_slider_crank(void **ctx)
{
    (void)ctx;
    double q[2][CRANK_N];
    for (int i = 0; i < 2; i++) {
        rig r = rig_slider_crank(0.0);
        sp_run_summary summary;
        sp_error err = {.status = SP_OK};
        const sp_run_options o = {.method = i == 0 ? SP_METHOD_EVENT : SP_METHOD_ADAPTIVE,
                                  .until = 0.025,
                                  .output_step = 0.025,
                                  .tolerance = i == 0 ? 1e-11 : 1e-6};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        memcpy(q[i], r.x->q, sizeof q[i]);
        assert_true(summary.worst.complementarity < 1e-8);
        rig_free(&r);
    }
    for (int k = 0; k < CRANK_N; k++) {
        print_message("  q%d: %.2e rad apart\n", k, fabs(q[0][k] - q[1][k]));
        assert_true(fabs(q[0][k] - q[1][k]) < 2e-5);
    }
}

/* Dry friction, stick and slip, loops: all methods end where moreau-mean with a small step does. */
static void all_methods_agree_on_a_block_on_a_belt(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA, SP_METHOD_RK2,
                                SP_METHOD_RK4, SP_METHOD_ADAPTIVE};
    double x[5];
    for (int i = 0; i < 5; i++) {
        const char *const set[] = {"run.tolerance=1e-6", NULL};
        rig r = rig_of_file("tests/data/good/belt.yaml", set);
        rig_steps(&r, method[i], 2e-4, 5000);
        x[i] = r.x->q[0];
        assert_true(r.worst.closure < 1e-12);
        print_message("  %s: %.9f\n", sp_method_name(method[i]), x[i]);
        assert_true(fabs(x[i] - x[0]) < 1e-3 * fabs(x[0])); /* changes are of first order */
        rig_free(&r);
    }
}

/* Two sleds stopped by dry friction.  The second one, braked by both frictions, stops after
 * m v^2/(2 (3.8 + 2.56)) and is held, since 2.56 < 3.8; the first one slides by it for
 * m v^2/(2 2.56).  Velocities fall to zero through numbers whose squares are none, and residuals
 * are numbers all the way. */
static void sleds_that_friction_stops_are_certified(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                SP_METHOD_RK2, SP_METHOD_RK4};
    for (int i = 0; i < 5; i++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                            "  m0: {mass: 2.3, joint: {prismatic: ground, axis: [1, 0]}}\n"
                            "  m1: {mass: 1.25, joint: {prismatic: ground, axis: [1, 0], "
                            "friction: 3.8}}\n"
                            "couplings: {c1: {of: m1.joint.s - m0.joint.s, friction: 2.56}}\n"
                            "start: {m0.joint.v: -0.88, m1.joint.v: 0.089}\n");
        rig_steps(&r, method[i], 1e-4, 10000);
        assert_true(r.worst.complementarity < 1e-8 && r.worst.cone < 1e-8);
        assert_true(r.worst.momentum < 1e-8);
        assert_true(fabs(r.x->u[0]) < 1e-12 && fabs(r.x->u[1]) < 1e-12);
        assert_near(r.x->q[1], 0.5 * 1.25 * 0.089 * 0.089 / (3.8 + 2.56), 1e-5);
        assert_near(r.x->q[0], -0.5 * 2.3 * 0.88 * 0.88 / 2.56, 1e-4);
        rig_free(&r);
    }
}

/* A ball that bounces from 1 pm, 1 um, 1 m and 10 km, in gravity of the same scale: one motion. */
static void a_ball_of_any_size_bounces_alike(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                SP_METHOD_RK4, SP_METHOD_ADAPTIVE};
    const double size[] = {1.0, 1e-12, 1e-6, 1e4};
    for (int k = 0; k < 5; k++) {
        double height[4];
        for (int i = 0; i < 4; i++) {
            rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: %.17g\nbodies:\n"
                                "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                                "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, "
                                "contours: {tip: {point: [0, 0]}}}\n"
                                "contacts: {b: {between: [ball, ground], law: {eps_N: 0.9}}}\n"
                                "start: {ball.y: %.17g}\nrun: {until: 2, tolerance: 1e-5}\n",
                                9.81 * size[i], size[i]);
            rig_steps(&r, method[k], 1e-3, 1500);
            height[i] = r.x->q[0] / size[i];
            assert_near(height[i], height[0], 1e-9);
            rig_free(&r);
        }
    }
}

/* A pendulum whose tip strikes the floor before it is under its pivot: one degree of freedom, so
 * that normal and tangential velocity are one, and Newton's law wants the tip to come back while
 * friction holds it: no impulse does both.  Without restitution it stays where it is, which the
 * doubt says. */
static void an_impact_without_solution_comes_to_rest(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_EVENT};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  arm: {mass: 1, inertia: 0.01, joint: {revolute: ground, at: [0, 0.0985]},\n"
            "        contours: {tip: {point: [0.1, 0]}}}\n"
            "contacts: {c: {between: [arm.tip, ground.floor], law: {mu: 0.6, eps_N: 0.8}}}\n"
            "start: {arm.joint.phi: -1.3, arm.joint.omega: -1}\n");
        const sp_run_options o = {.method = method[i],
                                  .until = 0.3,
                                  .output_step = 0.1,
                                  .step = sp_method_has_step(method[i]) ? 1e-3 : 0.0,
                                  .tolerance = 1e-9};
        sp_run_summary sum = {.t = 0.0};
        sp_error err = {.text = ""};
        if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &sum, &err) != SP_OK) {
            fail_msg("%s: %s", sp_method_name(method[i]), err.text);
        }
        assert_true(fabs(r.x->u[0]) < 1e-12);
        assert_in_range(sum.doubt[SP_DOUBT_RESTITUTION].n, 1, 2);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_of_theta_and_rk2_is_of_second_order),
        cmocka_unit_test(free_flight_of_rk4_is_of_fourth_order),
        cmocka_unit_test(lasting_contact_on_a_curve_converges),
        cmocka_unit_test(theta_one_half_keeps_energy_and_one_damps),
        cmocka_unit_test(dissipation_condition_of_theta_is_known),
        cmocka_unit_test(steppers_pass_impacts_with_first_order),
        cmocka_unit_test(error_of_adaptive_steps_follows_the_tolerance),
        cmocka_unit_test(adaptive_steps_and_events_agree_on_the_slider_crank),
        cmocka_unit_test(all_methods_agree_on_a_block_on_a_belt),
        cmocka_unit_test(sleds_that_friction_stops_are_certified),
        cmocka_unit_test(a_ball_of_any_size_bounces_alike),
        cmocka_unit_test(an_impact_without_solution_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
