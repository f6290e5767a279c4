/* Event-driven runs of shapes with edges on planes: boxes that slide, tip, drop, rock and tumble,
 * capsules and discs that roll.  Closed forms, the same machine in the plane, and the same box as
 * eight points with slots of their own.   theory section 28 */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>
#include <string.h>

#define G 9.81
static const double PI = 3.14159265358979323846;

/* What every run has to keep. */
static void check_run(const rig *r, double tolerance)
{
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(r->x->ledger.worst_balance < 100.0 * tolerance);
}

/* A box of 0.2 x 0.12 x 0.1 m on a floor that is tilted about y by an angle: gravity is, instead.
 */
static rig box_on_slope(double tilt, double mu, double eps, const char *start)
{
    return rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [%.17g, 0, %.17g]\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  box: {density: 500, shape: {box: [0.2, 0.12, 0.1]}, contours: {skin: "
                       "{box: [0.2, 0.12, 0.1]}}}\n"
                       "contacts: {c: {between: [box, ground], law: {mu: %.17g, eps_N: %.17g}}}\n"
                       "start: {%s}\n",
                       G * sin(tilt), -G * cos(tilt), mu, eps, start);
}

/* ---- boxes -------------------------------------------------------------------------------------
 */

static void a_box_slides_down_a_slope_with_g_times_sine_less_mu_cosine(void **ctx)
{
    (void)ctx;
    const double tilt = 0.5, mu = 0.3, a = G * (sin(tilt) - mu * cos(tilt)), v = 0.4;
    rig r = box_on_slope(tilt, mu, 0.0, "box.z: 0.05, box.vx: 0.4");
    events_go(&r, 1.0, 1e-11);
    assert_near(r.x->q[0], v + 0.5 * a, 1e-10);
    assert_near(r.x->u[0], v + a, 1e-10);
    assert_near(r.x->q[2], 0.05, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* Up a slope that holds it: it stops at v/(g (sin + mu cos)) and stays. */
static void a_box_that_slides_up_a_slope_stops_and_stays(void **ctx)
{
    (void)ctx;
    const double tilt = 0.4, mu = 0.6, back = G * (sin(tilt) + mu * cos(tilt)), v = 1.0;
    rig r = box_on_slope(tilt, mu, 0.0, "box.z: 0.05, box.vx: -1");
    events_go(&r, 2.0, 1e-11);
    assert_near(r.x->q[0], -0.5 * v * v / back, 1e-10);
    assert_true(fabs(r.x->u[0]) < 1e-11);
    const sp_event *stick = rig_event(&r, SP_EVENT_STICK, -1, 0);
    assert_true(stick != NULL);
    assert_near(stick->t, v / back, 1e-10);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* Four corners are hit at once, again and again; the hops end at t_1 (1 + eps)/(1 - eps). */
static void a_box_dropped_flat_hops_flat_and_comes_to_rest_when_it_must(void **ctx)
{
    (void)ctx;
    const double eps = 0.5, h = 0.2, t_1 = sqrt(2.0 * h / G), v = sqrt(2.0 * G * h);
    rig r = box_on_slope(0.0, 0.3, eps, "box.z: 0.25, box.vx: 0.0");
    events_go(&r, 0.9, 1e-11);
    for (int k = 0; k < 4; k++) {
        const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, -1, k);
        assert_true(hit != NULL);
        assert_near(hit->t, t_1, 1e-11);
        assert_near(hit->gamma_N_before, -v, 1e-10);
        assert_near(hit->gamma_N_after, eps * v, 1e-10);
        assert_int_equal(hit->impact_id, 1);
    }
    assert_near(rig_event(&r, SP_EVENT_IMPACT, -1, 4)->t, t_1 * (1.0 + 2.0 * eps), 1e-10);
    const sp_event *zeno = rig_event(&r, SP_EVENT_ZENO, -1, 0);
    assert_true(zeno != NULL);
    assert_near(zeno->t, t_1 * (1.0 + eps) / (1.0 - eps), 1e-7);
    assert_near(r.x->q[2], 0.05, 1e-11);
    assert_true(fabs(r.x->u[2]) < 1e-11);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* When a box of half sides a, c that turns about its edge (lambda: J of it over m) is down again:
 * it starts at rest with its middle at the angle phi_0 from above the edge, and falls to the angle
 * phi_1 = atan(a/c):   t = int sqrt(lambda/(2 g rho (cos phi_0 - cos phi))) dphi, with
 * phi = phi_0 + w s^2 the root in the way goes away. */
static double fall_time(double a, double c, double lambda, double phi_0)
{
    const double rho = hypot(a, c), phi_1 = atan2(a, c), w = phi_1 - phi_0;
    double sum = 0.0;
    const int n = 2000; /* midpoint rule with smooth ends, then Richardson */
    double part[2];
    for (int k = 0; k < 2; k++) {
        const int m = n << k;
        sum = 0.0;
        for (int i = 0; i < m; i++) {
            const double s = (i + 0.5) / m, phi = phi_0 + w * s * s;
            sum += 2.0 * w * s / sqrt(cos(phi_0) - cos(phi));
        }
        part[k] = sum / m;
    }
    return sqrt(lambda / (2.0 * G * rho)) * (4.0 * part[1] - part[0]) / 3.0;
}

static void a_box_that_stands_on_an_edge_tips_in_the_time_of_a_pendulum(void **ctx)
{
    (void)ctx;
    /* about y: half sides 0.1 and 0.05 */
    const double a = 0.1, c = 0.05, phi_0 = 0.2, turn = atan2(a, c) - phi_0, rho = hypot(a, c);
    const double lambda = 4.0 / 3.0 * rho * rho;
    char start[160];
    /* turned about y by -turn: the edge at x = -a, z = -c stays down, at x = 0 */
    snprintf(start, sizeof start, "box.x: %.17g, box.z: %.17g, box.turn: {y: %.17g}",
             rho * sin(phi_0), rho * cos(phi_0), -turn);
    rig r = box_on_slope(0.0, 20.0, 0.0, start);
    const double t = fall_time(a, c, lambda, phi_0);
    events_go(&r, t + 0.1, 1e-12);
    const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, -1, 0);
    for (int k = 1; hit && !(hit->gamma_N_before < 0.0);
         k++) { /* the edge it turns about is in it */
        hit = rig_event(&r, SP_EVENT_IMPACT, -1, k);
    }
    assert_true(hit != NULL);
    assert_near(hit->t, t, 1e-9);
    assert_near(hit->gamma_N_before,
                -2.0 * a * sqrt(2.0 * G * rho * (cos(phi_0) - c / rho) / lambda), 1e-9);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    check_run(&r, 1e-12);
    rig_free(&r);
}

/* The same box in the plane and in space: rocking with friction and restitution, corner by corner,
 * until it rests.  What is one corner there are two here. */
static void a_box_rocks_to_rest_in_space_as_it_does_in_the_plane(void **ctx)
{
    (void)ctx;
    const double J = 500 * 0.2 * 0.12 * 0.1 * (0.2 * 0.2 + 0.1 * 0.1) / 12.0, turn = 0.3;
    for (int k = 0; k < 2; k++) {
        const double eps = k == 0 ? 0.3 : 0.0, mu = k == 0 ? 0.4 : 0.15;
        char start[200];
        snprintf(start, sizeof start, "box.z: 0.16, box.vx: 0.3, box.turn: {y: %.17g}", turn);
        rig r = box_on_slope(0.0, mu, eps, start);
        rig p = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  box: {mass: 1.2, inertia: %.17g, contours: {b: {box: [0.2, 0.1]}}}\n"
                            "contacts: {c: {between: [box, ground], law: {mu: %g, eps_N: %g}}}\n"
                            "start: {box.y: 0.16, box.vx: 0.3, box.phi: %.17g}\n",
                            J, mu, eps, -turn);
        for (int i = 1; i <= 4; i++) {
            events_go(&r, 0.15 * i, 1e-11);
            events_go(&p, 0.15 * i, 1e-11);
            assert_near(r.x->q[0], p.x->q[0], 1e-8);
            assert_near(r.x->q[2], p.x->q[1], 1e-8);
            assert_near(r.x->u[0], p.x->u[0], 1e-7);
            assert_true(fabs(r.x->q[1]) < 1e-9);
        }
        assert_true(rig_count(&p, SP_EVENT_IMPACT, -1) > (k == 0 ? 3 : 1));
        assert_near(r.x->ledger.friction, p.x->ledger.friction, 1e-8);
        assert_near(r.x->ledger.impacts, p.x->ledger.impacts, 1e-8);
        check_run(&r, 1e-11);
        rig_free(&r);
        rig_free(&p);
    }
}

/* The same box as eight points, which have slots of their own. */
static rig box_of_points(double mu, double eps, const char *start)
{
    return rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  box: {density: 500, shape: {box: [0.2, 0.12, 0.1]}, contours: {\n"
                       "    a: {point: [-0.1, -0.06, -0.05]}, b: {point: [0.1, -0.06, -0.05]},\n"
                       "    c: {point: [-0.1, 0.06, -0.05]}, d: {point: [0.1, 0.06, -0.05]},\n"
                       "    e: {point: [-0.1, -0.06, 0.05]}, f: {point: [0.1, -0.06, 0.05]},\n"
                       "    g: {point: [-0.1, 0.06, 0.05]}, h: {point: [0.1, 0.06, 0.05]}}}\n"
                       "contacts: {c: {between: [box, ground], law: {mu: %.17g, eps_N: %.17g}}}\n"
                       "start: {%s}\n",
                       mu, eps, start);
}

/* Thrown boxes: the corners of the shape are those points, in the same order. */
static void a_tumbling_box_is_the_box_of_its_corners(void **ctx)
{
    (void)ctx;
    rng random = {11};
    for (int k = 0; k < 6; k++) {
        char start[400];
        snprintf(
            start, sizeof start,
            "box.z: 0.3, box.vx: %.17g, box.vy: %.17g, box.omega_x: %.17g, box.omega_y: %.17g, "
            "box.omega_z: %.17g",
            rng_in(&random, -1.0, 1.0), rng_in(&random, -1.0, 1.0), rng_in(&random, -8.0, 8.0),
            rng_in(&random, -8.0, 8.0), rng_in(&random, -8.0, 8.0));
        rig r = box_on_slope(0.0, 0.3, 0.4, start), p = box_of_points(0.3, 0.4, start);
        events_go(&r, 0.45, 1e-11);
        events_go(&p, 0.45, 1e-11);
        assert_true(rig_count(&p, SP_EVENT_IMPACT, -1) > 0);
        assert_int_equal(r.n_event, p.n_event);
        for (int i = 0; i < r.n_event; i++) {
            assert_int_equal(r.event[i].slot, p.event[i].slot);
            assert_int_equal(r.event[i].kind, p.event[i].kind);
            assert_near(r.event[i].t, p.event[i].t, 1e-10);
        }
        for (int i = 0; i < r.m->n_q; i++) {
            assert_near(r.x->q[i], p.x->q[i], 1e-9);
        }
        check_run(&r, 1e-11);
        rig_free(&r);
        rig_free(&p);
    }
}

/* A prism on three corners, whose forces are unique while it slides and spins; as a shape, or as
 * points. */
static rig prism(bool points)
{
    static const char *const contours[2] = {
        "skin: {polytope: [[0.1, 0, 0], [-0.05, 0.08, 0], [-0.05, -0.08, 0], [0.1, 0, 0.1], "
        "[-0.05, "
        "0.08, 0.1], [-0.05, -0.08, 0.1]], at: [0, 0, -0.03]}",
        "a: {point: [0.1, 0, -0.03]}, b: {point: [-0.05, 0.08, -0.03]}, c: {point: [-0.05, -0.08, "
        "-0.03]}"};
    return rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  part: {mass: 1, inertia: [2e-3, 3e-3, 4e-3], contours: {%s}}\n"
                       "contacts: {c: {between: [part, ground], law: {mu: 0.3}}}\n"
                       "start: {part.z: 0.03, part.vx: 0.8, part.vy: -0.3, part.omega_z: 9}\n",
                       contours[points]);
}

/* It spins and slides to rest: against adaptive steps of the same points, which share nothing with
 * events, and steps of the shape. */
static void a_prism_spins_and_slides_to_rest_where_steps_say(void **ctx)
{
    (void)ctx;
    rig r = prism(false), p = prism(true), s = prism(false);
    const double until = 0.6;
    sp_run_summary summary;
    sp_error err = {.text = ""};
    const sp_run_options o = {
        .until = until, .output_step = until, .tolerance = 1e-6, .method = SP_METHOD_ADAPTIVE};
    events_go(&r, until, 1e-11);
    if (sp_integrate(p.m, p.x, p.w, &o, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    rig_steps(&s, SP_METHOD_MOREAU, 2e-4, 3000);
    for (int i = 0; i < r.m->n_q; i++) {
        assert_near(p.x->q[i], r.x->q[i], 1e-5);
        assert_near(s.x->q[i], r.x->q[i], 2e-3);
    }
    for (int i = 0; i < r.m->n_dof; i++) {
        assert_true(fabs(r.x->u[i]) < 1e-10); /* at rest */
    }
    check_run(&r, 1e-11);
    rig_free(&r);
    rig_free(&p);
    rig_free(&s);
}

/* ---- capsules and discs ------------------------------------------------------------------------
 */

/* A capsule across a slope rolls down with g sin/(1 + J/(m r^2)). */
static void a_capsule_rolls_down_a_slope(void **ctx)
{
    (void)ctx;
    const double tilt = 0.3, radius = 0.05, m = 2.0, J = 0.003;
    const double a = G * sin(tilt) / (1.0 + J / (m * radius * radius));
    rig r = rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [%.17g, 0, %.17g]\n"
                        "bodies:\n"
                        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                        "  pill: {mass: 2, inertia: [0.01, 0.003, 0.01], contours: {skin: "
                        "{capsule: 0.05, length: 0.2, axis: [0, 1, 0]}}}\n"
                        "contacts: {c: {between: [pill, ground], law: {mu: 0.5}}}\n"
                        "start: {pill.z: 0.05}\n",
                        G * sin(tilt), -G * cos(tilt));
    events_go(&r, 1.0, 1e-11);
    assert_near(r.x->u[0], a, 1e-10);
    assert_near(r.x->q[0], 0.5 * a, 1e-10);
    assert_near(r.x->q[2], 0.05, 1e-12);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* A thin disc that rolls in a circle: leaning with its plane theta from the floor, its middle on a
 * circle of radius rho,
 *     Omega^2 sin theta ((A/R + m R) rho + B cos theta) = m g R cos theta,
 * A about its axis, B about a diameter; its spin about the axis is -Omega rho/R. */
static void a_disc_rolls_in_a_circle_as_steady_rolling_says(void **ctx)
{
    (void)ctx;
    const double R = 0.1, rho = 0.3, A = 0.005, B = 0.0025;
    for (int k = 0; k < 3; k++) {
        const double theta = 0.5 + 0.4 * k;
        const double Omega =
            sqrt(G * R * cos(theta) / (sin(theta) * ((A / R + R) * rho + B * cos(theta))));
        const double spin = -Omega * rho / R, up = Omega * sin(theta);
        /* axis a = (sin theta, 0, cos theta), lowest point e = (cos theta, 0, -sin theta):
         * omega = spin a - up e */
        rig r = rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                            "bodies:\n"
                            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                            "  disc: {mass: 1, inertia: [0.0025, 0.0025, 0.005], contours: {rim: "
                            "{disc: 0.1}}}\n"
                            "contacts: {c: {between: [disc, ground], law: {mu: 5}}}\n"
                            "start: {disc.x: 0.3, disc.z: %.17g, disc.vy: %.17g, disc.turn: {y: "
                            "%.17g}, disc.omega_x: %.17g, disc.omega_z: %.17g}\n",
                            R * sin(theta), Omega * rho, theta, spin * sin(theta) - up * cos(theta),
                            spin * cos(theta) + up * sin(theta));
        const double T = 2.0 * PI / Omega;
        for (int i = 1; i <= 4; i++) {
            events_go(&r, 0.25 * i * T, 1e-12);
            const double angle = 0.5 * PI * i;
            assert_near(r.x->q[0], rho * cos(angle), 1e-8);
            assert_near(r.x->q[1], rho * sin(angle), 1e-8);
            assert_near(r.x->q[2], R * sin(theta), 1e-9);
        }
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_int_equal(events_count(&r, SP_EVENT_SLIP), 0);
        check_run(&r, 1e-12);
        rig_free(&r);
    }
}

/* Euler's disc with so much friction that it never slides.  It loses the work of rolling alone: for
 * a thin disc that falls slowly sqrt(theta) falls evenly and would be zero after 3 r/(2 k) sqrt(r
 * theta_0/g).  It is let go at a tilt of 1e-5 and falls onto the fixed points of its rim, where it
 * stays.   theory (28.3) */
static void eulers_disc_rolls_down_and_lies_flat(void **ctx)
{
    (void)ctx;
    static const char *const set[] = {"mu=1000", "b=0.01 mm", NULL};
    const double r_disc = 0.0375, k = 1e-3, theta = 20.0 * PI / 180.0;
    const double rest = 1.5 * r_disc / k * sqrt(r_disc * theta / G);
    double off[2];
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_file("examples/euler_disc/euler_disc.yaml", set);
        const double tolerance = i == 0 ? 1e-8 : 1e-10;
        events_go(&r, 1.0, tolerance);
        const double *q = r.x->q + 3, tilt = 2.0 * hypot(q[1], q[2]) * hypot(q[0], q[3]);
        assert_near(sqrt(asin(tilt) / theta), 1.0 - 1.0 / rest, 0.02);
        events_go(&r, 2.4, tolerance);
        off[i] = rig_event(&r, SP_EVENT_OPEN, -1, 0)->t;
        assert_true(0.9 * rest < off[i] && off[i] < rest);
        assert_true(hypot(q[1], q[2]) < 1e-9 || hypot(q[0], q[3]) < 1e-9);
        for (int d = 0; d < r.m->n_dof; d++) {
            assert_true(fabs(r.x->u[d]) < 1e-9);
        }
        assert_true(r.x->ledger.worst_balance < 1e3 * tolerance);
        rig_free(&r);
    }
    assert_near(off[0], off[1], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_down_a_slope_with_g_times_sine_less_mu_cosine),
        cmocka_unit_test(a_box_that_slides_up_a_slope_stops_and_stays),
        cmocka_unit_test(a_box_dropped_flat_hops_flat_and_comes_to_rest_when_it_must),
        cmocka_unit_test(a_box_that_stands_on_an_edge_tips_in_the_time_of_a_pendulum),
        cmocka_unit_test(a_box_rocks_to_rest_in_space_as_it_does_in_the_plane),
        cmocka_unit_test(a_tumbling_box_is_the_box_of_its_corners),
        cmocka_unit_test(a_prism_spins_and_slides_to_rest_where_steps_say),
        cmocka_unit_test(a_capsule_rolls_down_a_slope),
        cmocka_unit_test(a_disc_rolls_in_a_circle_as_steady_rolling_says),
        cmocka_unit_test(eulers_disc_rolls_down_and_lies_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
