/* Coulomb-Contensou friction, rolling and adhesion in runs of model files: closed forms.
 * theory section 19 */
#include "integrators/adaptive.h"
#include "laws/contensou.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define GRAVITY       9.81
#define TOL_CERTIFIED 1e-9 /* as in test_space_contact.c */
#define TOL_LEDGER    1e-13

/* Solved to 1e-11 of g dt, at most 0.3 m/s here, over a lever of 1 mm or more. */
#define TOL_REST 3e-9

static const sp_method stepping[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                     SP_METHOD_RK2, SP_METHOD_RK4};
enum { METHODS = 5 };

static const char ball_on_floor[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {rest: {between: [ball.skin, ground.floor], law: {%s}}}\n"
    "start: {ball.z: 0.1, ball.vx: %.17g, ball.omega_z: %.17g}\n"
    "run: {until: 1 s, step: 1 ms, method: moreau}\n";

enum {
    SPIN = 5, /* degree of freedom of the ball: about z                                          */
    LINGER =
        40 /* steps: Runge-Kutta methods halve what is left of a velocity in every one, (17.7) */
};

static bool lingers(sp_method method)
{
    return method == SP_METHOD_RK2 || method == SP_METHOD_RK4;
}

/* What every step has to keep. */
static void check_steps(const rig *r)
{
    assert_true(r->worst.complementarity < TOL_CERTIFIED);
    assert_true(r->worst.cone < 1e-12);
    assert_true(r->worst.momentum < 1e-12);
    assert_true(r->worst.closure < TOL_LEDGER);
    assert_true(r->worst.gap < 1e-9);
}

/* omega falls at the constant rate  share mu m g R / J,  J = 2/5 m r^2, to rest. */
static double stops_at(double share, double mu, double R, double omega)
{
    const double radius = 0.1;
    return 0.4 * radius * radius * omega / (share * mu * GRAVITY * R);
}

/* The step in which the spin ends is known: the time told is its end. */
static void check_spin_down(const char *law, double share, double R, sp_method method)
{
    const double mu = 0.3, omega = 3.0, t_stop = stops_at(share, mu, R, omega);
    const int n = 200;
    const double dt = t_stop / (n - 0.4); /* the end falls into the last step but none */
    rig r = rig_of_text(ball_on_floor, law, 0.0, omega);
    rig_steps(&r, method, dt, n / 2);
    assert_near(r.x->u[SPIN], omega * (1.0 - n / 2 * dt / t_stop), 1e-10);
    assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 0);
    rig_steps(&r, method, dt, n / 2);
    rig_steps(&r, method, dt, LINGER);
    assert_true(fabs(r.x->u[SPIN]) < TOL_REST);
    const sp_event *stick = rig_event(&r, SP_EVENT_STICK, 0, 0);
    assert_non_null(stick);
    assert_true(stick->t > t_stop && stick->t < t_stop + (lingers(method) ? LINGER : 1.001) * dt);
    /* all of the spin's energy went into friction */
    const double mass = 4.0 / 3.0 * 3.141592653589793, energy = 0.5 * 0.4 * mass * 0.01 * 9.0;
    assert_near(r.x->ledger.friction, -energy, lingers(method) ? 1e-2 : 1e-9);
    check_steps(&r);
    rig_free(&r);
}

static void a_spinning_ball_stops_at_the_closed_form_time_for_both_pressures(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < METHODS; k++) {
        check_spin_down("mu: 0.3, friction: contensou, radius: 4 mm", 2.0 / 3.0, 4e-3, stepping[k]);
        check_spin_down("mu: 0.3, friction: contensou, radius: 4 mm, pressure: hertz",
                        3.0 * 3.141592653589793 / 16.0, 4e-3, stepping[k]);
    }
}

/* The radius of elastic bodies grows with the force, (19.11). */
static void the_spot_of_an_elastic_ball_has_the_radius_of_hertz(void **ctx)
{
    (void)ctx;
    const double weight = 4.0 / 3.0 * 3.141592653589793 * GRAVITY;
    const double R = cbrt(3.0 * 0.1 * weight / (4.0 * 30e6));
    for (int k = 0; k < METHODS; k++) {
        check_spin_down("mu: 0.3, friction: contensou, pressure: hertz, hertz: {radius: 0.1 m, "
                        "modulus: 30 MPa}",
                        3.0 * 3.141592653589793 / 16.0, R, stepping[k]);
        check_spin_down("mu: 0.3, friction: contensou, radius: 1 mm, hertz: {radius: 0.1 m, "
                        "modulus: 30 MPa}",
                        2.0 / 3.0, R + 1e-3, stepping[k]);
    }
}

/* A puck that cannot tip over: a body on a planar joint, pressed down by its weight. */
static const char puck[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  lift: {mass: 1 g, inertia: 1e-9, joint: {prismatic: ground, axis: [0, 0, 1]}}\n"
    "  puck: {mass: 2 kg, inertia: [%.17g, %.17g, %.17g], joint: {planar: lift, axis: [0, 0, 1]},\n"
    "         contours: {foot: {point: [0, 0, 0]}}}\n"
    "contacts: {floor: {between: [puck.foot, ground.floor], law: {mu: 0.25, friction: contensou,\n"
    "           radius: 0.1 m, pressure: %s}}}\n"
    "start: {puck.vx: %.17g, puck.vy: %.17g, puck.omega_z: %.17g}\n"
    "run: {until: 1 s, step: 1 ms, method: moreau}\n";

typedef struct slide {
    double v, spin, t;
} slide;

/* One Runge-Kutta step of the plain equations  m v' = -B f,  J omega' = -B R m,  B = mu m g. */
static void slide_step(sp_pressure pressure, double J, double dt, slide *s)
{
    static const double c[] = {0.0, 0.5, 0.5, 1.0}, b[] = {1.0, 2.0, 2.0, 1.0};
    const double m = 2.0, R = 0.1, B = 0.25 * (m + 1e-3) * GRAVITY;
    double v_rate = 0.0, spin_rate = 0.0, v_sum = 0.0, spin_sum = 0.0;
    for (int j = 0; j < 4; j++) {
        const sp_contensou at = sp_contensou_at(pressure, s->v + c[j] * dt * v_rate,
                                                R * (s->spin + c[j] * dt * spin_rate));
        v_rate = -B * at.f / m;
        spin_rate = -B * R * at.m / J;
        v_sum += b[j] * v_rate;
        spin_sum += b[j] * spin_rate;
    }
    s->v += dt * v_sum / 6.0;
    s->spin += dt * spin_sum / 6.0;
    s->t += dt;
}

/* Until both are small. */
static slide slide_to_rest(sp_pressure pressure, double v, double omega, double J)
{
    slide s = {v, omega, 0.0};
    while (s.v + 0.1 * s.spin > 1e-9 * (v + 0.1 * omega)) {
        slide_step(pressure, J, 1e-3 * (s.v + 0.1 * s.spin) / (0.25 * GRAVITY), &s);
    }
    return s;
}

/* While it slides all steps are of first order: they take friction at the velocity they lead to.
 * Extrapolated steps know that and keep their tolerance. */
static void a_sliding_and_spinning_puck_follows_the_plain_equations(void **ctx)
{
    (void)ctx;
    const double v = 1.0, omega = 12.0, J = 0.01, t = 0.16;
    for (int p = 0; p < 2; p++) {
        slide s = {v, omega, 0.0};
        for (int n = 0; n < 1000; n++) {
            slide_step((sp_pressure)p, J, t / 1000, &s);
        }
        for (int k = 0; k < METHODS; k++) {
            double dt[4], err[4];
            for (int i = 0; i < 4; i++) {
                const int n = 20 << i;
                rig r = rig_of_text(puck, J, J, J, p == 0 ? "uniform" : "hertz", v, 0.0, omega);
                dt[i] = t / n;
                rig_steps(&r, stepping[k], dt[i], n);
                err[i] = fabs(r.x->u[rig_dof(&r, "puck.joint.x")] - s.v);
                rig_free(&r);
            }
            assert_true(err[3] < 3e-4);
            assert_near(check_order(4, dt, err), 1.0, 0.05);
        }
        rig r = rig_of_text(puck, J, J, J, p == 0 ? "uniform" : "hertz", v, 0.0, omega);
        while (r.x->t < t) {
            sp_adaptive_taken step;
            sp_error e = {.status = SP_OK};
            assert_int_equal(sp_adaptive_step(r.m, r.x, r.w, 1e-6, t, &step, &e), SP_OK);
        }
        const int x = rig_dof(&r, "puck.joint.x");
        assert_near(r.x->u[x], s.v, 1e-6);
        assert_near(r.x->u[x + 2], s.spin, 1e-6);
        rig_free(&r);
    }
}

/* Sliding and spinning end together, at the time of the plain equations; the direction stays. */
static void slide_and_spin_of_a_puck_stop_together(void **ctx)
{
    (void)ctx;
    const double v = 1.0, omega = 8.0, J = 0.5 * 2.0 * 0.01, phi = 0.7;
    for (int p = 0; p < 2; p++) {
        const slide end = slide_to_rest((sp_pressure)p, v, omega, J);
        double dt[5], err[5];
        for (int k = 0; k < 5; k++) {
            const int n = 50 << k;
            rig r = rig_of_text(puck, J, J, J, p == 0 ? "uniform" : "hertz", v * cos(phi),
                                v * sin(phi), omega);
            const int x = rig_dof(&r, "puck.joint.x"), y = rig_dof(&r, "puck.joint.y"), z = y + 1;
            dt[k] = end.t / n;
            while (rig_count(&r, SP_EVENT_STICK, 0) == 0 && r.x->t < 2.0 * end.t) {
                const double speed = hypot(r.x->u[x], r.x->u[y]);
                if (speed > 1e-6) { /* until the end it slides and spins, straight on */
                    assert_near_scaled(r.x->u[x] * sin(phi), r.x->u[y] * cos(phi), speed, 1e-8);
                    assert_true(r.x->u[z] > 0.0);
                }
                rig_step(&r, SP_METHOD_MOREAU, dt[k]);
            }
            assert_near_scaled(hypot(r.x->u[x], r.x->u[y]), 0.0, v, 1e-10);
            assert_near_scaled(r.x->u[z], 0.0, omega, 1e-10);
            err[k] = fabs(r.x->t - end.t);
            assert_true(err[k] < 3.0 * dt[k]);
            assert_true(r.worst.complementarity < TOL_CERTIFIED && r.worst.closure < TOL_LEDGER);
            rig_free(&r);
        }
    }
}

static const char rolling_ball[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {rest: {between: [ball.skin, ground.floor], law: {%s}}}\n"
    "start: {ball.z: 0.1, ball.vx: %.17g, ball.omega_y: %.17g}\n"
    "run: {until: 1 s, step: 1 ms, method: moreau}\n";

/* A rolling ball under rolling resistance: m v' = -F, J omega' = F r - rolling m g, v = r omega,
 * hence v' = -5/7 g rolling/r; it stops at 7 v r/(5 g rolling). */
static void rolling_resistance_stops_a_rolling_ball(void **ctx)
{
    (void)ctx;
    const double v = 0.5, rolling = 2e-3, t_stop = 7.0 * v * 0.1 / (5.0 * GRAVITY * rolling);
    static const char *const law[] = {"mu: 0.3, rolling: 2 mm",
                                      "mu: 0.3, rolling: 2 mm, friction: contensou, radius: 1 mm"};
    for (int k = 0; k < 2 * METHODS; k++) {
        rig r = rig_of_text(rolling_ball, law[k % 2], v, v / 0.1);
        const int x = rig_dof(&r, "ball.joint.x");
        rig_steps(&r, stepping[k / 2], t_stop / 199.5, 100);
        assert_near(r.x->u[x], v * (1.0 - 100.0 / 199.5), 1e-3);
        rig_steps(&r, stepping[k / 2], t_stop / 199.5, 101 + LINGER);
        assert_true(fabs(r.x->u[x]) < 0.1 * TOL_REST);
        check_steps(&r);
        rig_free(&r);
    }
}

/* The same by adaptive steps: the closed form on the way, and rest behind it. */
static void adaptive_steps_stop_a_rolling_ball(void **ctx)
{
    (void)ctx;
    const double v = 0.5, t_stop = 7.0 * v * 0.1 / (5.0 * GRAVITY * 2e-3);
    static const char *const law[] = {"mu: 0.3, rolling: 2 mm",
                                      "mu: 0.3, rolling: 2 mm, friction: contensou, radius: 1 mm"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(rolling_ball, law[k], v, v / 0.1);
        const int x = rig_dof(&r, "ball.joint.x");
        sp_step_refresh(r.m, r.x, r.w);
        for (int j = 1; j <= 6; j++) { /* a fifth of the time each; the last is behind its end */
            const double t = 0.2 * j * t_stop;
            for (int n = 0; n < 20000 && r.x->t < t; n++) {
                sp_adaptive_taken dt;
                sp_error e = {0};
                assert_int_equal(sp_adaptive_step(r.m, r.x, r.w, 1e-6, t, &dt, &e), SP_OK);
            }
            assert_near(r.x->u[x], v * fmax(0.0, 1.0 - 0.2 * j), 1e-6);
        }
        rig_free(&r);
    }
}

/* A ball under a ceiling hangs on if the pull that it bears is larger than its weight. */
static void adhesion_holds_what_weighs_less(void **ctx)
{
    (void)ctx;
    const double weight = 4.0 / 3.0 * 3.141592653589793 * GRAVITY;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  ground: {contours: {ceiling: {plane: [0, 0, -1]}}}\n"
            "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 "
            "m}}}\n"
            "contacts: {hang: {between: [ball, ground], law: {mu: 0.3, adhesion: %.17g, friction: "
            "contensou, radius: 1 mm}}}\n"
            "start: {ball.z: -0.1}\n"
            "run: {until: 1 s, step: 1 ms, method: moreau}\n",
            k == 0 ? 1.01 * weight : 0.99 * weight);
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 500);
        const double z = r.x->q[rig_dof(&r, "ball.joint.z")];
        if (k == 0) {
            assert_near(z, -0.1, 1e-9);
            assert_near(r.x->contact[0].P_N, -1e-3 * weight, 1e-9);
        } else {
            assert_true(z < -0.15);
            assert_true(r.x->g[0] > 0.05);
        }
        assert_true(r.worst.complementarity < TOL_CERTIFIED && r.worst.closure < TOL_LEDGER);
        rig_free(&r);
    }
}

/* A ball of 1 kg under a ceiling that bears 15 N, and a pull that grows: it lets go at 0.519 s,
 * when 9.81 N + 10 N/s t = 15 N, and then z'' = -(15 N + 10 N/s (t - 0.519 s))/(1 kg). */
static rig hanging_ball(void)
{
    return rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                       "bodies:\n"
                       "  ground: {contours: {ceiling: {plane: [0, 0, -1]}}}\n"
                       "  ball: {mass: 1 kg, inertia: 0.004, contours: {skin: {sphere: 0.1 m}}}\n"
                       "forces: {pull: {force: [0, 0, -10 N/s * t], on: ball}}\n"
                       "contacts: {c: {between: [ball, ground], law: {mu: 0.4, adhesion: 15 N}}}\n"
                       "start: {ball.z: -0.1}\n"
                       "run: {until: 1 s, step: 1 ms, method: moreau}\n");
}

#define LETS_GO 0.519

/* Where it is at t. */
static double hanging_at(double t)
{
    const double s = fmax(0.0, t - LETS_GO);
    return -0.1 - 7.5 * s * s - 10.0 / 6.0 * s * s * s;
}

/* The same part of a step is left when it lets go, so that errors of first order halve. */
static void bonds_break_in_their_step_in_all_methods(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    for (int k = 0; k < 5; k++) {
        double error[3];
        for (int j = 0; j < 3; j++) {
            const double dt = LETS_GO / (50 * (1 << j) + 0.4);
            rig r = hanging_ball();
            rig_steps(&r, method[k], dt, 25 * (1 << j));
            assert_near(r.x->contact[0].P_N / dt, -(GRAVITY + 10.0 * (r.x->t - 0.5 * dt)),
                        10.0 * dt); /* the methods look at its middle, or elsewhere in the step */
            rig_steps(&r, method[k], dt, 50 * (1 << j));
            error[j] = r.x->q[rig_dof(&r, "ball.joint.z")] - hanging_at(r.x->t);
            assert_int_equal(rig_count(&r, SP_EVENT_CLOSE, 0), 1);
            assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 1);
            const double t = rig_event(&r, SP_EVENT_OPEN, 0, 0)->t;
            assert_true(t > LETS_GO && t < LETS_GO + 2.0 * dt);
            assert_near(r.x->contact[0].P_N, 0.0, 0.0);
            assert_true(r.worst.complementarity < TOL_CERTIFIED && r.worst.closure < TOL_LEDGER);
            rig_free(&r);
        }
        for (int j = 0; j < 2; j++) {
            const double order = log2(fabs(error[j]) / fabs(error[j + 1]));
            print_message("method %d: %.3e %.3e, order %.2f\n", k, error[j], error[j + 1], order);
            assert_true(order > 0.9 && order < 1.1);
        }
    }
}

static void adaptive_steps_find_when_a_bond_breaks(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        const double tolerance = k == 0 ? 1e-5 : 1e-6;
        rig r = hanging_ball();
        sp_step_refresh(r.m, r.x, r.w);
        double t_open = 0.0;
        for (int n = 0; n < 20000 && r.x->t < 0.8; n++) {
            sp_adaptive_taken dt;
            sp_error e = {0};
            const double t = r.x->t;
            assert_int_equal(sp_adaptive_step(r.m, r.x, r.w, tolerance, 0.8, &dt, &e), SP_OK);
            for (int i = 0; i < r.w->n_event; i++) {
                t_open = r.w->event[i].kind == SP_EVENT_OPEN ? r.w->event[i].t : t_open;
            }
            if (t > 0.1 && r.x->t < LETS_GO) { /* the force of the last part of the step */
                const double pull = -r.x->contact[0].P_N / dt.dt;
                assert_true(pull > GRAVITY + 10.0 * t && pull < GRAVITY + 10.0 * r.x->t);
            }
        }
        print_message("tolerance %.0e: opens at %.9f, z off by %.2e\n", tolerance, t_open,
                      r.x->q[rig_dof(&r, "ball.joint.z")] - hanging_at(0.8));
        assert_near(t_open, LETS_GO, tolerance);
        assert_near(r.x->q[rig_dof(&r, "ball.joint.z")], hanging_at(0.8), 10.0 * tolerance);
        rig_free(&r);
    }
}

/* Drilling friction smooths sliding friction: a ball that spins fast is hardly braked. */
static void a_fast_spin_takes_sliding_friction_away(void **ctx)
{
    (void)ctx;
    const double v = 0.1, dt = 1e-4;
    double slow[2];
    for (int k = 0; k < 2; k++) {
        const double omega = k == 0 ? 0.0 : 1000.0;
        rig r = rig_of_text(ball_on_floor, "mu: 0.3, friction: contensou, radius: 4 mm", v, omega);
        rig_step(&r, SP_METHOD_RK4, dt); /* an impact to it: not loaded before */
        const double before = r.x->u[rig_dof(&r, "ball.joint.x")];
        rig_step(&r, SP_METHOD_RK4, dt);
        slow[k] = (before - r.x->u[rig_dof(&r, "ball.joint.x")]) / dt;
        rig_free(&r);
    }
    assert_near(slow[0], 0.3 * GRAVITY, 1e-9);
    /* f = u (1 - u^2/8 ...) at u = v/(R omega) = 1/40 */
    assert_near(slow[1], 0.3 * GRAVITY * 0.1 / 4.0, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_ball_stops_at_the_closed_form_time_for_both_pressures),
        cmocka_unit_test(the_spot_of_an_elastic_ball_has_the_radius_of_hertz),
        cmocka_unit_test(a_sliding_and_spinning_puck_follows_the_plain_equations),
        cmocka_unit_test(slide_and_spin_of_a_puck_stop_together),
        cmocka_unit_test(rolling_resistance_stops_a_rolling_ball),
        cmocka_unit_test(adaptive_steps_stop_a_rolling_ball),
        cmocka_unit_test(adhesion_holds_what_weighs_less),
        cmocka_unit_test(bonds_break_in_their_step_in_all_methods),
        cmocka_unit_test(adaptive_steps_find_when_a_bond_breaks),
        cmocka_unit_test(a_fast_spin_takes_sliding_friction_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
