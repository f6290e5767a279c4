/* Event-driven integration with contacts in space: closed forms, the same machine in the plane, and
 * an independent solution of one impact. */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81
static const double PI = 3.14159265358979323846;

/* A uniform ball of 0.1 m on a floor: mu, further keys of the law, start. */
static const char ball_on_floor[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {rest: {between: [ball.skin, ground.floor], law: {mu: %.17g%s}}}\n"
    "start: {ball.z: %.17g, ball.vx: %.17g, ball.vy: %.17g, ball.vz: %.17g, ball.omega_x: %.17g, "
    "ball.omega_y: %.17g, ball.omega_z: %.17g}\n";

/* What every run has to keep. */
static void check_run(const rig *r, double tolerance)
{
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(r->x->ledger.worst_balance < 100.0 * tolerance);
    for (int i = 0; i < r->m->n_slot; i++) {
        assert_true(!(r->w->con.g[i] < -1e-9));
    }
}

/* ---- sliding -----------------------------------------------------------------------------------
 */

/* A ball that slides any way: gamma_T falls along its own line with 7/2 mu g, so that it rolls from
 * 2 |gamma_T|/(7 mu g) on; until then its centre has the acceleration -mu g gamma_T/|gamma_T|. */
static void a_ball_that_slides_and_spins_rolls_when_and_where_it_must(void **ctx)
{
    (void)ctx;
    rng random = {3};
    for (int k = 0; k < 12; k++) {
        const double mu = rng_in(&random, 0.05, 0.6), vx = rng_in(&random, -2.0, 2.0);
        const double vy = rng_in(&random, -2.0, 2.0), wx = rng_in(&random, -30.0, 30.0);
        const double wy = rng_in(&random, -30.0, 30.0), wz = rng_in(&random, -30.0, 30.0);
        const double slip[2] = {vx - 0.1 * wy, vy + 0.1 * wx}, speed = hypot(slip[0], slip[1]);
        const double t_s = 2.0 * speed / (7.0 * mu * GRAVITY), more = 0.2;
        rig r = rig_of_text(ball_on_floor, mu, "", 0.1, vx, vy, 0.0, wx, wy, wz);
        events_go(&r, t_s + more, 1e-11);
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
        assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, t_s, 1e-10);
        const double v[2] = {vx, vy};
        const int dof[2] = {rig_dof(&r, "ball.joint.x"), rig_dof(&r, "ball.joint.y")};
        for (int i = 0; i < 2; i++) {
            const double a = -mu * GRAVITY * slip[i] / speed;
            assert_near(r.x->u[dof[i]], v[i] + a * t_s, 1e-10);
            assert_near(r.x->q[dof[i]], v[i] * (t_s + more) + a * t_s * (0.5 * t_s + more), 1e-10);
        }
        /* of the kinetic energy of slip, 2/7 of m/2 speed^2 */
        assert_near(r.x->ledger.friction, -1000.0 * 4.0 / 3.0 * PI * 1e-3 * speed * speed / 7.0,
                    1e-8);
        check_run(&r, 1e-11);
        rig_free(&r);
    }
}

/* Down a slope that is too steep to roll on it slides for ever, first up, then round a curve: the
 * end of its slip does not come, whatever its direction does. */
static void a_ball_on_a_steep_slope_turns_its_slip_and_slides_on(void **ctx)
{
    (void)ctx;
    const double tilt = 0.9, mu = 0.2, until = 2.0;
    double x[2][3];
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: spatial\ngravity: [%.17g, 0, %.17g]\n"
            "bodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], contours: {skin: {sphere: "
            "0.1}}}\n"
            "contacts: {c: {between: [ball, ground], law: {mu: %g}}}\n"
            "start: {ball.z: 0.1, ball.vx: -3, ball.vy: 0.2, ball.omega_x: 4}\n",
            GRAVITY * sin(tilt), -GRAVITY * cos(tilt), mu);
        events_go(&r, until, k == 0 ? 1e-8 : 1e-11);
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 0);
        memcpy(x[k], r.x->q, sizeof x[k]);
        check_run(&r, k == 0 ? 1e-8 : 1e-11);
        rig_free(&r);
    }
    assert_near(x[0][0], x[1][0], 1e-6);
    assert_near(x[0][1], x[1][1], 1e-6);
}

/* Slip on a slope ends in a curve: its direction goes to that of the pull with the power
 * a/(b - a) of what is left of it, a = pull, b = friction, both over the mass that slips.
 * Integrated here in the angle from the pull, where it is smooth: d(speed)/d(angle) and d(t). */
static void slip_that_ends_in_a_curve_ends_on_time(void **ctx)
{
    (void)ctx;
    const double tilt = 0.25, mu = 0.2;
    const double a = GRAVITY * sin(tilt), b = 3.5 * mu * GRAVITY * cos(tilt);
    const double angle = 2.2, speed = 1.3;
    /* speed' = a cos - b, angle' = -a sin/speed: speed sin^(b/a)... has the integral
     * speed = C tan(angle/2)^(b/a) / sin(angle), and dt = -speed/(a sin) d(angle) */
    enum { N = 1000000 };
    const double C = speed * sin(angle) / pow(tan(0.5 * angle), b / a);
    double t = 0.0;
    for (int i = 0; i < N; i++) { /* in ln tan(angle/2), midpoint rule, to where nothing is left */
        const double from = log(tan(0.5 * angle)), h = 60.0 * a / b / N;
        const double s = from - (i + 0.5) * h, phi = 2.0 * atan(exp(s));
        t += C * exp(s * b / a) / (sin(phi) * sin(phi) * a) * sin(phi) * h;
    }
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: [%.17g, 0, %.17g]\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], contours: {skin: {sphere: 0.1}}}\n"
        "contacts: {c: {between: [ball, ground], law: {mu: %g}}}\n"
        "start: {ball.z: 0.1, ball.vx: %.17g, ball.vy: %.17g}\n",
        GRAVITY * sin(tilt), -GRAVITY * cos(tilt), mu, speed * cos(angle), speed * sin(angle));
    events_go(&r, 2.0, 1e-11);
    assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
    print_message("slip ends at %.12f s, %.1e from the quadrature\n",
                  rig_event(&r, SP_EVENT_STICK, 0, 0)->t,
                  fabs(rig_event(&r, SP_EVENT_STICK, 0, 0)->t - t));
    assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, t, 1e-9);
    check_run(&r, 1e-11);
    rig_free(&r);
}

/* The step in which the slower of two sliding balls, without spin, ends its slip. */
static sp_events *slip_about_to_end(rig *r, sp_error *err)
{
    sp_events *e;
    *r = rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  a: {mass: 1, inertia: [0.004, 0.004, 0.004], contours: {skin: {sphere: 0.1}}}\n"
        "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], contours: {skin: {sphere: 0.1}}}\n"
        "contacts: {c: {between: [[a, b], ground], law: {mu: 0.2}}}\n"
        "start: {a.z: 0.1, a.vx: 0.5, b.z: 0.1, b.y: 1, b.vx: 1}\n");
    assert_int_equal(sp_events_begin(r->m, r->x, r->w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 1.0}, &e,
                                     err),
                     SP_OK);
    do {
        assert_true(r->x->t < 1.0);
        assert_int_equal(sp_events_happen(e, r->x, err), SP_OK);
        assert_int_equal(sp_events_step(e, r->x, 1.0, err), SP_OK);
    } while (e->located.trigger != SP_TRIGGER_SLIP_ENDS);
    assert_near(r->x->t, 0.5 / (3.5 * 0.2 * 10.0), 1e-9);
    return e;
}

/* A landed step whose error is too large ends at 3/4 of its length.  Slip that goes against its way
 * at every length, here because the way is turned round, does not make it shorter and shorter: the
 * step ends where it landed, and is looked through again for the other.   theory (33.1), (33.2) */
static void a_landed_step_that_is_wrong_at_every_length_stays_where_it_landed(void **ctx)
{
    (void)ctx;
    for (int turned = 0; turned < 2; turned++) {
        rig r;
        sp_error err = {.text = ""};
        sp_events *e = slip_about_to_end(&r, &err);
        sp_smooth *s = e->s;
        const double landed = s->t;
        double beside = 0.0;
        assert_true(landed > s->t_old);
        s->rk->err = 2.0;
        sp_way *way = &s->way[1 - e->located.slot];
        way->T = turned ? sp_scale3(-1.0, way->T) : way->T;
        assert_int_equal(sp_event_end_slip(e, &beside, &err), SP_OK);
        assert_near(s->t - s->t_old, (turned ? 1.0 : 0.75) * (landed - s->t_old), 1e-15);
        assert_true(turned ? beside < 0.0 : beside > 0.0);
        sp_events_end(e);
        rig_free(&r);
    }
}

/* ---- bouncing ----------------------------------------------------------------------------------
 */

/* Impacts of a ball do not couple its directions: t_n = t_1 (1 + 2 sum e^i), Zeno point
 * t_1 (1 + e)/(1 - e); then it lies on the floor and rolls. */
static void a_thrown_ball_bounces_to_rest_through_its_accumulation_point(void **ctx)
{
    (void)ctx;
    const double t_1 = sqrt(2.0 / GRAVITY);
    for (double e = 0.3; e < 0.9; e += 0.25) {
        char law[40];
        snprintf(law, sizeof law, ", eps_N: %g", e);
        rig r = rig_of_text(ball_on_floor, 0.3, law, 1.1, 1.0, -0.7, 0.0, 5.0, 1.0, 2.0);
        events_go(&r, 8.0, 1e-11);
        double t = t_1, part = 1.0;
        for (int k = 0; k < 10; k++) {
            assert_near(rig_event(&r, SP_EVENT_IMPACT, 0, k)->t, t, 1e-11);
            part *= e;
            t += 2.0 * t_1 * part;
        }
        assert_int_equal(rig_count(&r, SP_EVENT_ZENO, 0), 1);
        assert_near(rig_event(&r, SP_EVENT_ZENO, 0, 0)->t, t_1 * (1.0 + e) / (1.0 - e), 1e-10);
        assert_near(r.x->q[rig_dof(&r, "ball.joint.z")], 0.1, 1e-12);
        assert_int_equal(r.x->contact[0].state, SP_STATE_STICK);
        check_run(&r, 1e-11);
        rig_free(&r);
    }
}

/* ---- the plane in space ------------------------------------------------------------------------
 */

/* A slider on a belt that sticks and slips, Stribeck's friction; in space along any direction. */
static void a_slider_on_a_belt_in_space_does_what_it_does_in_the_plane(void **ctx)
{
    (void)ctx;
    const char *law = "{mu: 0.2 + 0.15*exp(-abs(v)/0.1), mu_0: 0.4}";
    rig plane = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
        "  ground: {}\n"
        "  belt: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: 0.3*t}, contours: "
        "{top: {line: [0, 1]}}}\n"
        "  block: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: {point: [0, "
        "0]}}}\n"
        "forces: {k: {spring: block.x, stiffness: 40}}\n"
        "contacts: {c: {between: [block, belt], law: %s}}\n",
        law);
    events_go(&plane, 4.0, 1e-11);
    assert_true(plane.n_event > 8);
    for (int k = 0; k < 3; k++) {
        const double phi = 0.7 * k;
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: spatial\ngravity: 9.81\nbodies:\n"
            "  ground: {}\n"
            "  belt: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: ground, axis: [%.17g, %.17g, "
            "0], motion: 0.3*t}, contours: {top: {plane: [0, 0, 1]}}}\n"
            "  block: {mass: 1, inertia: [1, 1, 1], joint: {free: ground, only: [x, y, z]}, "
            "contours: {foot: {point: [0, 0, 0]}}}\n"
            "forces: {k: {spring: block.x, stiffness: 40}, l: {spring: block.y, stiffness: 40}}\n"
            "contacts: {c: {between: [block, belt], law: %s}}\n",
            cos(phi), sin(phi), law);
        events_go(&r, 4.0, 1e-11);
        assert_int_equal(r.n_event, plane.n_event);
        for (int i = 0; i < r.n_event; i++) {
            assert_int_equal(r.event[i].kind, plane.event[i].kind);
            assert_near(r.event[i].t, plane.event[i].t, 1e-9);
        }
        check_run(&r, 1e-11);
        rig_free(&r);
    }
    rig_free(&plane);
}

/* Whether event i is of a contact that nothing else is hit together with. */
static bool hits_alone(const rig *r, int i)
{
    int n = 0;
    for (int k = 0; k < r->n_event; k++) {
        n += r->event[k].impact_id == r->event[i].impact_id;
    }
    return n == 1;
}

/* A rod that falls on one end, slides, tips over and hits with the other one: planar, and in space
 * about any horizontal axis. */
static void a_falling_rod_in_space_does_what_it_does_in_the_plane(void **ctx)
{
    (void)ctx;
    const char *impacts[2] = {"newton", "{law: poisson, prescribed: no}"};
    for (int k = 0; k < 4; k++) {
        const double phi = 0.9 * k, c = cos(phi), s = sin(phi);
        rig plane = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nimpact: %s\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  rod: {mass: 1, inertia: 1/12, contours: {a: {point: [-0.5, 0]}, b: {point: [0.5, "
            "0]}}}\n"
            "contacts: {a: {between: [rod.a, ground], law: {mu: 0.3, eps_N: 0.2, eps_T: 0.4}},\n"
            "           b: {between: [rod.b, ground], law: {mu: 0.3, eps_N: 0.2, eps_T: 0.4}}}\n"
            "start: {rod.y: 0.6, rod.phi: 0.7, rod.vx: 0.8, rod.omega: -1}\n",
            impacts[k % 2]);
        events_go(&plane, 0.7, 1e-12);
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: spatial\ngravity: 9.81\nimpact: %s\nbodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  rod: {mass: 1, inertia: [1/12, 1/12, 1/12], contours: {a: {point: [%.17g, %.17g, "
            "0]}, b: {point: [%.17g, %.17g, 0]}}}\n"
            "contacts: {a: {between: [rod.a, ground], law: {mu: 0.3, eps_N: 0.2, eps_T: 0.4}},\n"
            "           b: {between: [rod.b, ground], law: {mu: 0.3, eps_N: 0.2, eps_T: 0.4}}}\n"
            "start: {rod.z: 0.6, rod.turn: {align: [%.17g, %.17g, 0], to: [%.17g, %.17g, %.17g]}, "
            "rod.vx: %.17g, "
            "rod.vy: %.17g, rod.omega_x: %.17g, rod.omega_y: %.17g}\n",
            impacts[k % 2], -0.5 * c, -0.5 * s, 0.5 * c, 0.5 * s, c, s, cos(0.7) * c, cos(0.7) * s,
            sin(0.7), 0.8 * c, 0.8 * s, -s, c);
        events_go(&r, 0.7, 1e-12);
        assert_int_equal(r.n_event, plane.n_event);
        assert_true(rig_count(&r, SP_EVENT_IMPACT, -1) > 3);
        for (int i = 0; i < r.n_event; i++) {
            assert_int_equal(r.event[i].kind, plane.event[i].kind);
            assert_near(r.event[i].t, plane.event[i].t, 1e-9);
            assert_near(r.event[i].Lambda_N, plane.event[i].Lambda_N, 1e-9);
            if (hits_alone(&r, i)) { /* impulses along the rod are shared at will by two */
                assert_near(hypot(r.event[i].Lambda_T[0], r.event[i].Lambda_T[1]),
                            fabs(plane.event[i].Lambda_T[0]), 1e-9);
            }
        }
        assert_near(r.x->q[2], plane.x->q[1], 1e-9);
        check_run(&r, 1e-12);
        rig_free(&r);
        rig_free(&plane);
    }
}

/* ---- forces that are not unique ----------------------------------------------------------------
 */

/* A table on four legs, pushed askew ever harder: twelve forces, six equations.  It stands until
 * the push is mu m g, then all legs slide: v' = push - mu g. */
static void a_table_on_four_legs_stands_as_long_as_it_can(void **ctx)
{
    (void)ctx;
    const double mu = 0.3, rate = 3.0, t_s = mu * GRAVITY / rate, more = 0.05;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: 9.81\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  table: {mass: 1, inertia: [0.01, 0.012, 0.015], contours: {a: {point: [0.2, 0.15, "
        "-0.05]}, b: {point: [-0.2, 0.15, -0.05]}, c: {point: [-0.2, -0.15, -0.05]}, d: {point: "
        "[0.2, -0.15, -0.05]}}}\n"
        "forces: {push: {force: [0.8*%g*t, 0.6*%g*t, 0], on: table}}\n"
        "contacts:\n"
        "  a: {between: [table.a, ground], law: {mu: %g}}\n"
        "  b: {between: [table.b, ground], law: {mu: %g}}\n"
        "  c: {between: [table.c, ground], law: {mu: %g}}\n"
        "  d: {between: [table.d, ground], law: {mu: %g}}\n"
        "start: {table.z: 0.05}\n",
        rate, rate, mu, mu, mu, mu);
    events_go(&r, t_s + more, 1e-9);
    assert_int_equal(rig_count(&r, SP_EVENT_SLIP, -1), 4);
    for (int i = 0; i < 4; i++) {
        assert_near(rig_event(&r, SP_EVENT_SLIP, i, 0)->t, t_s, 1e-9);
    }
    assert_near(r.x->u[0], 0.8 * 0.5 * rate * more * more, 1e-8);
    assert_near(r.x->u[1], 0.6 * 0.5 * rate * more * more, 1e-8);
    check_run(&r, 1e-9);
    rig_free(&r);
}

/* ---- one impact -------------------------------------------------------------------------------
 */

/* A body that hits a floor with a corner at r from its centre: mass 1, inertia J, rows n, t1, t2
 * along z, x, y. */
typedef struct corner {
    double r[3], J[3], mu, eps_N, eps_T, v[3], omega[3];
} corner;

/* G = 1 - [r] J^-1 [r] in the order z, x, y: velocity of the corner by impulses on it. */
static void corner_G(const corner *c, double G[3][3])
{
    static const int axis[3] = {2, 0, 1};
    for (int j = 0; j < 3; j++) {
        double p[3] = {0.0}, w[3];
        p[axis[j]] = 1.0;
        w[0] = (c->r[1] * p[2] - c->r[2] * p[1]) / c->J[0];
        w[1] = (c->r[2] * p[0] - c->r[0] * p[2]) / c->J[1];
        w[2] = (c->r[0] * p[1] - c->r[1] * p[0]) / c->J[2];
        const double v[3] = {p[0] + w[1] * c->r[2] - w[2] * c->r[1],
                             p[1] + w[2] * c->r[0] - w[0] * c->r[2],
                             p[2] + w[0] * c->r[1] - w[1] * c->r[0]};
        for (int i = 0; i < 3; i++) {
            G[i][j] = v[axis[i]];
        }
    }
}

/* Newton's law where the corner slides to the angle phi: the impulse, and how far xi_T is off phi
 * (its part across; along: its part along). */
static double slides_to(double G[3][3], const double *c, double mu, double phi, double *P,
                        double *along)
{
    const double e[2] = {cos(phi), sin(phi)};
    P[0] = -c[0] / (G[0][0] - mu * (G[0][1] * e[0] + G[0][2] * e[1]));
    P[1] = -mu * P[0] * e[0];
    P[2] = -mu * P[0] * e[1];
    double xi[2];
    for (int i = 0; i < 2; i++) {
        xi[i] = c[1 + i] + G[1 + i][0] * P[0] + G[1 + i][1] * P[1] + G[1 + i][2] * P[2];
    }
    *along = xi[0] * e[0] + xi[1] * e[1];
    return xi[1] * e[0] - xi[0] * e[1];
}

/* The impulse by a search over all directions of sliding; false if it sticks. */
static bool corner_slides(double G[3][3], const double *c, double mu, double *P)
{
    enum { N = 720 };
    double along, last = slides_to(G, c, mu, 0.0, P, &along);
    for (int k = 1; k <= N; k++) {
        double lo = 2.0 * PI * (k - 1) / N, hi = 2.0 * PI * k / N;
        const double now = slides_to(G, c, mu, hi, P, &along);
        if (last * now <= 0.0) {
            for (int i = 0; i < 60; i++) {
                const double mid = 0.5 * (lo + hi);
                *(slides_to(G, c, mu, mid, P, &along) * last > 0.0 ? &lo : &hi) = mid;
            }
            slides_to(G, c, mu, lo, P, &along);
            if (along > 1e-9 && P[0] > 0.0) {
                return true;
            }
        }
        last = now;
    }
    return false;
}

/* Impacts of a corner, Newton's law: stick by elimination, else the direction of sliding by search;
 * nothing of the library's solvers. */
static void a_corner_hits_the_floor_as_the_law_says(void **ctx)
{
    (void)ctx;
    rng random = {21};
    int n_slide = 0, n = check_cases(40, 400);
    for (int k = 0; k < n; k++) {
        corner c = {.mu = rng_in(&random, 0.05, 1.0),
                    .eps_N = rng_in(&random, 0.0, 0.9),
                    .eps_T = rng_flip(&random) ? 0.0 : rng_in(&random, 0.0, 0.9)};
        for (int i = 0; i < 3; i++) {
            c.r[i] = rng_in(&random, -0.2, 0.2);
            c.J[i] = rng_in(&random, 0.02, 0.035);
            c.v[i] = rng_in(&random, -1.0, 1.0);
            c.omega[i] = rng_in(&random, -5.0, 5.0);
        }
        c.r[2] = -0.15;
        c.v[2] = -2.5;
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: spatial\ngravity: 0\nbodies:\n"
            "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
            "  b: {mass: 1, inertia: [%.17g, %.17g, %.17g], contours: {c: {point: [%.17g, %.17g, "
            "%.17g]}}}\n"
            "contacts: {c: {between: [b, ground], law: {mu: %.17g, eps_N: %.17g, eps_T: %.17g}}}\n"
            "start: {b.z: 0.15, b.vx: %.17g, b.vy: %.17g, b.vz: %.17g, b.omega_x: %.17g, "
            "b.omega_y: %.17g, b.omega_z: %.17g}\n",
            c.J[0], c.J[1], c.J[2], c.r[0], c.r[1], c.r[2], c.mu, c.eps_N, c.eps_T, c.v[0], c.v[1],
            c.v[2], c.omega[0], c.omega[1], c.omega[2]);
        double G[3][3], P[3];
        const double *w = c.omega, *o = c.r;
        const double gamma[3] = {c.v[2] + w[0] * o[1] - w[1] * o[0],
                                 c.v[0] + w[1] * o[2] - w[2] * o[1],
                                 c.v[1] + w[2] * o[0] - w[0] * o[2]};
        const double b[3] = {(1.0 + c.eps_N) * gamma[0], (1.0 + c.eps_T) * gamma[1],
                             (1.0 + c.eps_T) * gamma[2]};
        corner_G(&c, G);
        if (gamma[0] > -0.1) {
            rig_free(&r);
            continue;
        }
        events_go(&r, 1e-6, 1e-10);
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
        assert_non_null(e);
        const double L[3] = {e->Lambda_N, e->Lambda_T[0], e->Lambda_T[1]};
        if (corner_slides(G, b, c.mu, P)) {
            n_slide++;
            for (int i = 0; i < 3; i++) {
                assert_near_scaled(L[i], P[i], P[0], 1e-9);
            }
        } else { /* it sticks: xi = b + G L is zero, within the cone */
            for (int i = 0; i < 3; i++) {
                const double xi = b[i] + G[i][0] * L[0] + G[i][1] * L[1] + G[i][2] * L[2];
                assert_near_scaled(xi, 0.0, 2.5, 1e-10);
            }
            assert_true(hypot(L[1], L[2]) <= c.mu * L[0] * (1.0 + 1e-12));
        }
        rig_free(&r);
    }
    print_message("%d of %d corners slide\n", n_slide, n);
    assert_true(n_slide > n / 8 && n_slide < n - n / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_that_slides_and_spins_rolls_when_and_where_it_must),
        cmocka_unit_test(a_ball_on_a_steep_slope_turns_its_slip_and_slides_on),
        cmocka_unit_test(slip_that_ends_in_a_curve_ends_on_time),
        cmocka_unit_test(a_landed_step_that_is_wrong_at_every_length_stays_where_it_landed),
        cmocka_unit_test(a_thrown_ball_bounces_to_rest_through_its_accumulation_point),
        cmocka_unit_test(a_slider_on_a_belt_in_space_does_what_it_does_in_the_plane),
        cmocka_unit_test(a_falling_rod_in_space_does_what_it_does_in_the_plane),
        cmocka_unit_test(a_table_on_four_legs_stands_as_long_as_it_can),
        cmocka_unit_test(a_corner_hits_the_floor_as_the_law_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
