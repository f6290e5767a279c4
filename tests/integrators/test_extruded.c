/* Extruded contours that roll, rock and stand on planes: against discs, a quadrature, and rest.
 * theory section 45 */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>

#define PI 3.14159265358979323846

#define CIRCLE "{extruded: [0.1 * cos(s), 0.1 * sin(s)], over: [0, 2*pi], length: 0.3}"
#define DISC   "{disc: 0.1, length: 0.3}"

/* A body on a floor, gravity 9.81; its axis is y if it is turned by 90 degrees about x. */
static rig body_on_floor(const char *contour, const char *law, const char *start)
{
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  roll: {mass: 1, inertia: [0.01, 0.01, 0.005], contours: {skin: %s}}\n"
                       "contacts: {c: {between: [roll, ground], law: %s}}\n"
                       "start: {%s}\n",
                       contour, law, start);
}

static double kinetic(const rig *r)
{
    return r->x->ledger.kinetic;
}

/* ---- a circle is a disc -------------------------------------------------------------------- */

/* A roller that falls askew, rocks on both rims, slides and rolls; one that stands on an end and
 * falls flat. */
static const char *const throws[] = {
    "roll.z: 0.13, roll.turn: {x: 80 deg}, roll.vx: 0.5, roll.omega_z: 1",
    "roll.z: 0.2, roll.turn: {x: 8 deg}, roll.vx: 0.2, roll.omega_x: 0.5",
};

static void a_circle_moves_as_a_disc_between_events(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig a = body_on_floor(CIRCLE, "{mu: 0.3, eps_N: 0.3}", throws[k]);
        rig b = body_on_floor(DISC, "{mu: 0.3, eps_N: 0.3}", throws[k]);
        const double until = k == 0 ? 0.5 : 0.3;
        events_go(&a, until, 1e-10);
        events_go(&b, until, 1e-10);
        assert_true(events_count(&a, SP_EVENT_IMPACT) >= 2);
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        for (int i = 0; i < a.m->n_q; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-10);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

static void a_circle_moves_as_a_disc_in_steps(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
    for (int k = 0; k < 4; k++) {
        rig a = body_on_floor(CIRCLE, "{mu: 0.3, eps_N: 0.3}", throws[k % 2]);
        rig b = body_on_floor(DISC, "{mu: 0.3, eps_N: 0.3}", throws[k % 2]);
        rig_steps(&a, method[k / 2], 5e-4, 1000);
        rig_steps(&b, method[k / 2], 5e-4, 1000);
        assert_true(rig_count(&a, SP_EVENT_IMPACT, -1) >= 2);
        for (int i = 0; i < a.m->n_q; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-10);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

/* ---- an ellipse rolls ---------------------------------------------------------------------- */

enum { QUADRATURE = 2000 };

/* Height of the middle and its derivative, angle from where the short axis is upright. */
static double height(double angle, double *slope)
{
    const double a = 0.1, b = 0.06;
    const double p = sqrt(b * b * cos(angle) * cos(angle) + a * a * sin(angle) * sin(angle));
    *slope = (a * a - b * b) * sin(angle) * cos(angle) / p;
    return p;
}

/* Rolling: the middle goes round the lowest point, at the distance sqrt(p^2 + p'^2) from it,
 *
 *     (m (p^2 + p'^2) + J) omega^2/2 + m g p = E,     t = integral of 1/omega */
static double omega_at(double angle, double E)
{
    double slope;
    const double p = height(angle, &slope);
    return sqrt(2.0 * (E - 9.81 * p) / (p * p + slope * slope + 0.005));
}

/* Time for a half turn; the integrand is periodic, so that the trapezium rule is exact. */
static double time_of_half_turn(double E)
{
    double sum = 0.0;
    for (int k = 0; k < QUADRATURE; k++) {
        sum += 1.0 / omega_at(PI * k / QUADRATURE, E);
    }
    return sum * PI / QUADRATURE;
}

static void an_ellipse_rolls_for_ever(void **ctx)
{
    (void)ctx;
    const double omega = 11.0, E = 0.5 * (0.06 * 0.06 + 0.005) * omega * omega + 9.81 * 0.06;
    const double half = time_of_half_turn(E);
    rig r = body_on_floor("{extruded: [0.1 * cos(s), 0.06 * sin(s)], over: [0, 2*pi], length: 0.3}",
                          "{mu: 5, eps_N: 0}",
                          "roll.z: 0.06, roll.turn: {x: 90 deg}, roll.vx: 0.66, roll.omega_y: 11");
    for (int k = 1; k <= 4; k++) { /* it stands as it did, and is a half circumference on */
        events_go(&r, k * half, 1e-11);
        assert_near(r.x->q[2], 0.06, 1e-9);
        assert_near(r.x->u[0], 0.66, 1e-7);
        assert_near(kinetic(&r) + 9.81 * r.x->q[2], E, 1e-9);
    }
    /* circumference 4 a E(e^2), e^2 = 0.64, by the same rule */
    double length = 0.0;
    for (int k = 0; k < QUADRATURE; k++) {
        const double s = 2.0 * PI * k / QUADRATURE;
        length += hypot(0.1 * sin(s), 0.06 * cos(s)) * 2.0 * PI / QUADRATURE;
    }
    assert_near(r.x->q[0], 2.0 * length, 1e-8);
    assert_near(r.x->q[1], 0.0, 1e-10);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT) + events_count(&r, SP_EVENT_SLIP), 0);
    rig_free(&r);
}

/* In steps, the error at the end of a half turn halves with the step. */
static void an_ellipse_rolls_in_steps_of_first_order(void **ctx)
{
    (void)ctx;
    const double omega = 11.0, E = 0.5 * (0.06 * 0.06 + 0.005) * omega * omega + 9.81 * 0.06;
    const double half = time_of_half_turn(E);
    double error[3];
    for (int k = 0; k < 3; k++) {
        rig r =
            body_on_floor("{extruded: [0.1 * cos(s), 0.06 * sin(s)], over: [0, 2*pi], length: 0.3}",
                          "{mu: 5, eps_N: 0}",
                          "roll.z: 0.06, roll.turn: {x: 90 deg}, roll.vx: 0.66, roll.omega_y: 11");
        const int n = 200 << k;
        rig_steps(&r, SP_METHOD_MOREAU, half / n, n);
        error[k] = fabs(kinetic(&r) + 9.81 * r.x->q[2] - E) / E;
        rig_free(&r);
    }
    print_message("ellipse by moreau: energy off by %.2e, %.2e, %.2e\n", error[0], error[1],
                  error[2]);
    assert_true(error[2] < 0.6 * error[1] && error[1] < 0.6 * error[0] && error[0] < 0.05);
}

/* ---- hollows, flats, ends ------------------------------------------------------------------- */

#define TURN  "(min(max(s, 0), pi) + min(max(s - pi - 2, 0), pi) - pi/2)"
#define ALONG "(1 + min(s, 0) - min(max(s - pi, 0), 2) + max(s - 2*pi - 2, 0))"

/* Contours that come to rest on two arcs, and how high their middle is then: over the bridge of
 * x = cos(s) (1 - 0.6 sin^2), y = 0.8 sin (1 - 0.5 sin^2) the largest |y| is 0.8 (2/3)^(3/2); over
 * a flat side 0.05. */
static const struct rest {
    const char *contour;
    double z;
} rests[] = {
    {"{extruded: [0.1*cos(s)*(1 - 0.6*sin(s)^2), 0.08*sin(s)*(1 - 0.5*sin(s)^2)], "
     "over: [0, 2*pi], length: 0.3, turn: {z: 20 deg}}",
     0.08 * 0.54433105395181735},
    {"{extruded: ['0.05*(" ALONG " + cos" TURN ")', '0.05*sin" TURN "'], over: [-1, 2*pi + 3], "
     "length: 0.3, turn: {z: 20 deg}}",
     0.05},
};

static void contours_rest_on_two_humps_and_on_flat_sides(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        rig r = body_on_floor(rests[k / 2].contour, "{mu: 0.5}",
                              "roll.z: 0.15, roll.turn: {x: 90 deg}, roll.vx: 0.3");
        if (k % 2 == 0) {
            events_go(&r, 2.0, 1e-9);
        } else {
            rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 3000);
        }
        int closed = 0;
        for (int i = 0; i < r.m->n_slot; i++) {
            closed += r.x->contact[i].state != SP_STATE_OPEN;
        }
        assert_int_equal(closed, 4); /* two arcs, on both rims */
        assert_near(r.x->q[2], rests[k / 2].z, k % 2 == 0 ? 1e-9 : 1e-6);
        assert_true(kinetic(&r) < 1e-12);
        rig_free(&r);
    }
}

static void an_ellipse_falls_onto_its_end_and_stands(void **ctx)
{
    (void)ctx;
    rig r = body_on_floor("{extruded: [0.1 * cos(s), 0.06 * sin(s)], over: [0, 2*pi], length: 0.1}",
                          "{mu: 0.5, eps_N: 0}", "roll.z: 0.058, roll.turn: {x: 8 deg}");
    events_go(&r, 2.0, 1e-9);
    assert_near(r.x->q[2], 0.05, 1e-6); /* flat is below a tilt of 1e-5 */
    assert_true(kinetic(&r) < 1e-12);
    rig_free(&r);
}

/* ---- in one contact with other things ---------------------------------------------------------
 */

/* Planes and balls for an extruded body in one contact: slots of both kinds, and all of it holds.
 */
static void planes_and_balls_may_be_in_one_contact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
                        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                        "  roll: {mass: 1, inertia: [0.01, 0.01, 0.005], contours: {skin: " CIRCLE
                        "}}\n"
                        "  ball: {mass: 1, inertia: 0.001, contours: {skin: {sphere: 0.05}}}\n"
                        "contacts: {c: {between: [roll, [ground, ball]], law: {mu: 0.3}}}\n"
                        "start: {roll.z: 0.1, roll.turn: {x: 90 deg}, ball.z: 0.25}\n");
    assert_int_equal(r.m->n_slot, 1 + 10);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 300);
    assert_near(r.x->q[2], 0.1, 1e-9);
    assert_near(r.x->q[7 + 2], 0.25, 1e-9); /* it lies on top */
    rig_free(&r);
}

/* A log with a flat side, given by a contour with a single arc: which ends on both sides of it. */
static rig flat_log(const char *start)
{
    return rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  log: {mass: 1, inertia: [2e-3, 2e-3, 2e-3], contours: {skin: {extruded: "
        "[\"0.1*cos(s)\", "
        "\"0.1*max(sin(s), -0.3)\"], over: [0, 2*pi], length: 0.2}}}\n"
        "contacts: {c: {between: [log.skin, ground.floor], law: {mu: 0.4, eps_N: 0}}}\n"
        "start: {%s}\n",
        start);
}

/* It falls onto its flat side and lies still, on both ends of it; on its round side it rolls as a
 * circle does, also over the place where its arc is cut. */
static void a_log_with_a_flat_side_lies_and_rolls(void **ctx)
{
    (void)ctx;
    rig lies = flat_log("log.z: 0.032, log.turn: [{x: pi/2}]");
    events_go(&lies, 1.0, 1e-9);
    assert_near(lies.x->q[2], 0.03, 1e-12);
    assert_true(lies.x->ledger.kinetic < 1e-20 && fabs(lies.x->ledger.projection) < 1e-10);
    assert_near(lies.x->ledger.impacts, -9.81 * 0.002, 1e-10);
    rig_free(&lies);
    rig rolls = flat_log("log.z: 0.1, log.turn: [{x: pi/2}, {z: 4*pi/3}], log.vx: 0.5, "
                         "log.omega_y: 5");
    events_go(&rolls, 0.3, 1e-9);
    assert_near(rolls.x->q[0], 0.15, 1e-9);
    assert_near(rolls.x->q[2], 0.1, 1e-9);
    rig_free(&rolls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_moves_as_a_disc_between_events),
        cmocka_unit_test(a_circle_moves_as_a_disc_in_steps),
        cmocka_unit_test(an_ellipse_rolls_for_ever),
        cmocka_unit_test(an_ellipse_rolls_in_steps_of_first_order),
        cmocka_unit_test(contours_rest_on_two_humps_and_on_flat_sides),
        cmocka_unit_test(an_ellipse_falls_onto_its_end_and_stands),
        cmocka_unit_test(planes_and_balls_may_be_in_one_contact),
        cmocka_unit_test(a_log_with_a_flat_side_lies_and_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
