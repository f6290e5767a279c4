/* Event-driven integration with friction of spots (sliding and drilling), rolling friction, two
 * coefficients and adhesion: closed forms, and equations integrated here. */
#include "laws/contensou.h"
#include "support/check.h"
#include "support/events.h"

#define GRAVITY 9.81
static const double PI = 3.14159265358979323846;

/* A uniform ball of 0.1 m on a floor: law, start. */
static const char ball_on_floor[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {c: {between: [ball.skin, ground.floor], law: {%s}}}\n"
    "start: {ball.z: 0.1, ball.vx: %.17g, ball.vy: %.17g, ball.omega_x: %.17g, ball.omega_y: "
    "%.17g, ball.omega_z: %.17g}\n";

/* What every run has to keep. */
static void check_run(const rig *r, double tolerance)
{
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(r->x->ledger.worst_balance < 100.0 * tolerance);
    assert_true(r->w->con.g[0] > -1e-9);
}

/* 2/5 m r^2 omega' = -k mu m g R: k = 2/3 for uniform pressure, 3 pi/16 for Hertz'; R constant, or
 * R_H (m g)^(1/3). */
static void a_spinning_ball_stops_when_it_must(void **ctx)
{
    (void)ctx;
    const double mass = 1000.0 * 4.0 / 3.0 * PI * 1e-3, omega = 20.0, mu = 0.3;
    const double hertz = sp_contensou_hertz(0.1, 1e5), grown = hertz * cbrt(mass * GRAVITY);
    const struct {
        const char *law;
        double k, R;
    } spot[] = {
        {"mu: 0.3, friction: contensou, pressure: uniform, radius: 5 mm", 2.0 / 3.0, 5e-3},
        {"mu: 0.3, friction: contensou, pressure: hertz, radius: 5 mm", 3.0 * PI / 16.0, 5e-3},
        {"mu: 0.3, friction: contensou, pressure: hertz, hertz: {radius: 0.1 m, modulus: 1e5 Pa}",
         3.0 * PI / 16.0, grown},
    };
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(ball_on_floor, spot[k].law, 0.0, 0.0, 0.0, 0.0, -omega);
        const double t_s = 0.4 * 0.01 * omega / (spot[k].k * mu * GRAVITY * spot[k].R);
        events_go(&r, t_s + 0.5, 1e-11);
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
        assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, t_s, 1e-10);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(r.x->u[i]) < 1e-12);
        }
        check_run(&r, 1e-11);
        rig_free(&r);
    }
}

/* v' = -mu g f, (R omega)' = -2 mu g m  of a disc (J = m R^2/2) that stays flat, by small steps of
 * order 4 in u = v/(R omega) and the logarithm of R omega: when both are gone. */
static double disc_stops(sp_pressure pressure, double mu, double v, double w)
{
    /* ln w falls with 2 m, u changes with f - 2 m u; dt = w dtau/(mu g) */
    enum { N = 40000 };
    const double span = 40.0, h = span / N;
    double u = v / w, t = 0.0;
    for (int i = 0; i < N; i++) {
        double k_u[4], k_w[4], k_t[4], du = 0.0, dw = 0.0;
        for (int s = 0; s < 4; s++) {
            const double part = s == 0 ? 0.0 : s == 3 ? 1.0 : 0.5;
            du = s == 0 ? 0.0 : part * h * k_u[s - 1];
            dw = s == 0 ? 0.0 : part * h * k_w[s - 1];
            const sp_contensou c = sp_contensou_at(pressure, u + du, 1.0);
            k_u[s] = -(c.f - 2.0 * c.m * (u + du));
            k_w[s] = -2.0 * c.m;
            k_t[s] = w * exp(dw) / (mu * GRAVITY);
        }
        u += h / 6.0 * (k_u[0] + 2.0 * k_u[1] + 2.0 * k_u[2] + k_u[3]);
        w *= exp(h / 6.0 * (k_w[0] + 2.0 * k_w[1] + 2.0 * k_w[2] + k_w[3]));
        t += h / 6.0 * (k_t[0] + 2.0 * k_t[1] + 2.0 * k_t[2] + k_t[3]);
    }
    return t;
}

/* A disc that slides and spins stops both at once, wherever it began. */
static void a_disc_that_slides_and_spins_stops_both_at_once(void **ctx)
{
    (void)ctx;
    const double R = 0.1, mu = 0.25;
    double worst = 0.0;
    for (int k = 0; k < 6; k++) {
        const bool hertz = k % 2;
        const double v = 0.3 + 0.4 * k, omega = 18.0 - 2.5 * k, phi = 0.4 * k;
        rig r = rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  cart: {mass: 1e-9 kg, inertia: [1e-9, 1e-9, 1e-9], joint: {free: ground, only: [x, "
            "y, z]}}\n"
            "  disc: {mass: 1 kg, inertia: [1, 1, 0.005], joint: {revolute: cart, axis: [0, 0, "
            "1]}, contours: {foot: {point: [0, 0, 0]}}}\n"
            "contacts: {c: {between: [disc, ground], law: {mu: %g, friction: contensou, radius: "
            "%g m, pressure: %s}}}\n"
            "start: {cart.vx: %.17g, cart.vy: %.17g, disc.joint.omega: %.17g}\n",
            mu, R, hertz ? "hertz" : "uniform", v * cos(phi), v * sin(phi), omega);
        const double t_s =
            disc_stops(hertz ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM, mu, v, R * omega);
        events_go(&r, t_s + 0.1, 1e-11);
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
        worst = fmax(worst, fabs(rig_event(&r, SP_EVENT_STICK, 0, 0)->t - t_s));
        assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, t_s, 1e-8);
        for (int i = 0; i < r.m->n_dof; i++) {
            assert_true(fabs(r.x->u[i]) < 1e-9);
        }
        check_run(&r, 1e-11);
        rig_free(&r);
    }
    print_message("discs stop within %.1e s of the equations in u\n", worst);
}

/* A ball that rolls is slowed by 5/7 of rolling length over radius times g, and stops for good. */
static void a_rolling_ball_is_stopped_by_rolling_friction(void **ctx)
{
    (void)ctx;
    const double v = 0.7, length = 2e-3, a = 5.0 / 7.0 * length / 0.1 * GRAVITY;
    rig r = rig_of_text(ball_on_floor, "mu: 0.5, rolling: 2 mm", 0.6 * v, -0.8 * v, 8.0 * v,
                        6.0 * v, 0.0);
    events_go(&r, v / a + 1.0, 1e-11);
    assert_near(r.x->q[rig_dof(&r, "ball.joint.x")], 0.6 * 0.5 * v * v / a, 1e-9);
    assert_near(r.x->q[rig_dof(&r, "ball.joint.y")], -0.8 * 0.5 * v * v / a, 1e-9);
    for (int i = 0; i < 6; i++) {
        assert_true(fabs(r.x->u[i]) < 1e-9);
    }
    assert_near(r.x->ledger.friction, -0.7 * 1000.0 * 4.0 / 3.0 * PI * 1e-3 * v * v, 1e-8);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* Two coefficients: along one axis a point mass stops after v/(mu g); thrown askew, the equations
 * v_i' = -mu_i^2 v_i g/hypot(mu_1 v_1, mu_2 v_2) keep v_2^(mu_1^2)/v_1^(mu_2^2). */
static void an_ellipse_slows_each_direction_by_its_own_coefficient(void **ctx)
{
    (void)ctx;
    const double mu[2] = {0.3, 0.2}, v[2] = {1.1, -0.8};
    const char *text =
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  mass: {mass: 1 kg, inertia: [1, 1, 1], joint: {free: ground, only: [x, y, z]}, "
        "contours: {foot: {point: [0, 0, 0]}}}\n"
        "contacts: {c: {between: [mass, ground], law: {mu: 0.3, mu_2: 0.2}}}\n"
        "start: {mass.vx: %.17g, mass.vy: %.17g}\n";
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(text, k == 0 ? v[0] : 0.0, k == 0 ? 0.0 : v[1]);
        events_go(&r, 1.0, 1e-11);
        assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, fabs(v[k]) / (mu[k] * GRAVITY), 1e-10);
        rig_free(&r);
    }
    rig r = rig_of_text(text, v[0], v[1]);
    events_go(&r, 0.25, 1e-12);
    const double before = mu[0] * mu[0] * log(fabs(v[1])) - mu[1] * mu[1] * log(v[0]);
    const double after = mu[0] * mu[0] * log(fabs(r.x->u[1])) - mu[1] * mu[1] * log(r.x->u[0]);
    assert_near(before, after, 1e-10);
    assert_true(r.x->u[0] < 0.8);
    rig_free(&r);
}

/* An egg on a floor that is ten times as rough in one direction: slip across dies out at once, and
 * what is left stops soon after v/(mu g); noise must not keep it sliding. */
static void slip_on_a_very_uneven_floor_ends(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  egg: {mass: 0.3938 kg, inertia: [7.76e-4 kg*m^2, 6.78e-4 kg*m^2, 9.11e-4 kg*m^2],\n"
        "        contours: {skin: {ellipsoid: [0.07186 m, 0.08002 m, 0.05874 m]}}}\n"
        "contacts: {c: {between: [egg, ground], law: {mu: 0.07709, mu_2: 0.7885}}}\n"
        "start: {egg.z: 0.1401 m, egg.vx: -0.2002 m/s, egg.vy: -0.8549 m/s, egg.vz: -0.5204 m/s,\n"
        "        egg.omega_x: -3.587 rad/s, egg.omega_y: 4.493 rad/s, egg.omega_z: -2.166 "
        "rad/s}\n");
    events_go(&r, 0.3, 1e-9);
    print_message("very uneven friction: %ld steps\n", r.x->step);
    assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
    assert_true(r.x->step < 10000);
    check_run(&r, 1e-9);
    rig_free(&r);
}

/* Adhesion holds a ball under a ceiling, also against a pull that grows, until it is too strong. */
static void adhesion_lets_go_at_its_own_force(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {ceiling: {plane: [0, 0, -1]}}}\n"
        "  ball: {mass: 1 kg, inertia: [0.004, 0.004, 0.004], contours: {skin: {sphere: 0.1 m}}}\n"
        "forces: {pull: {force: [0, 0, -10 N/s * t], on: ball}, push: {force: [0.5 N, 0, 0], on: "
        "ball}}\n"
        "contacts: {c: {between: [ball, ground], law: {mu: 0.4, adhesion: 15 N}}}\n"
        "start: {ball.z: -0.1}\n");
    events_go(&r, 0.8, 1e-11);
    assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 1);
    assert_near(rig_event(&r, SP_EVENT_OPEN, 0, 0)->t, 0.519, 1e-9);
    assert_int_equal(rig_count(&r, SP_EVENT_SLIP, 0), 1); /* first it slides: lambda_N + a small */
    assert_true(rig_event(&r, SP_EVENT_SLIP, 0, 0)->t < 0.519);
    rig_free(&r);
}

/* Stick touches and body leaves, body touches (of uniform pressure once more, as the stick comes
 * down), body returns, both stay from the accumulation of their impacts on, stick leaves: six
 * digits at three tolerances.  Values of tolerance 1e-12. */
static void the_tippe_top_has_the_same_events_at_three_tolerances(void **ctx)
{
    (void)ctx;
    static const char *const pressure[2] = {"laws.wood.pressure=hertz",
                                            "laws.wood.pressure=uniform"};
    static const double exact[2][5] = {
        {1.37080929304, 4.75149369363, 4.75149369363, 4.89745994622, 5.57422119669},
        {1.37234010453, 1.39208413147, 4.27781706167, 4.42066794608, 5.07178503245}};
    const double tolerance[3] = {1e-8, 1e-9, 1e-11}, allowed[3] = {5e-6, 1e-6, 2e-8};
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k < 3; k++) {
            const char *const override[] = {pressure[p], NULL};
            rig r = rig_of_file("examples/tippe_top/tippe_top.yaml", override);
            events_go(&r, exact[p][4] + 0.05, tolerance[k]);
            const int last = rig_count(&r, SP_EVENT_OPEN, 1) - 1;
            const double t[5] = {events_get(&r, SP_EVENT_IMPACT, "stick", 0)->t,
                                 events_get(&r, SP_EVENT_IMPACT, "body", 0)->t,
                                 events_get(&r, SP_EVENT_IMPACT, "body", p)->t,
                                 events_get(&r, SP_EVENT_ZENO, "stick", 0)->t,
                                 events_get(&r, SP_EVENT_OPEN, "stick", last)->t};
            double worst = 0.0;
            assert_near(events_get(&r, SP_EVENT_OPEN, "body", 0)->t, t[0], 1e-15);
            assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
            for (int i = 0; i < 5; i++) {
                worst = fmax(worst, fabs(t[i] - exact[p][i]));
                assert_true(fabs(t[i] - exact[p][i]) < allowed[k]);
            }
            print_message("tolerance %.0e: %.1e s\n", tolerance[k], worst);
            assert_true(r.worst.complementarity < 1e-10);
            assert_true(r.x->ledger.worst_balance < 100.0 * tolerance[k]);
            rig_free(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_ball_stops_when_it_must),
        cmocka_unit_test(a_disc_that_slides_and_spins_stops_both_at_once),
        cmocka_unit_test(a_rolling_ball_is_stopped_by_rolling_friction),
        cmocka_unit_test(an_ellipse_slows_each_direction_by_its_own_coefficient),
        cmocka_unit_test(slip_on_a_very_uneven_floor_ends),
        cmocka_unit_test(adhesion_lets_go_at_its_own_force),
        cmocka_unit_test(the_tippe_top_has_the_same_events_at_three_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
