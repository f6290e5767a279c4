/* Event-driven runs of balls and points on discs, frustums and cones: over ends, rims, sides and
 * tips, against closed forms; and what passes round a shape.   theory section 35 */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>

/* A ball of radius 0.1 without friction, gravity 10, on what the ground has. */
static rig ball_on(const char *contour, const char *law, const char *start)
{
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -10]\nbodies:\n"
                       "  ground: {contours: {top: %s}}\n"
                       "  ball: {mass: 1, inertia: 4e-3, contours: {c: {sphere: 0.1}}}\n"
                       "contacts: {c: {between: [ball, ground], law: %s}}\n"
                       "start: {%s}\n",
                       contour, law, start);
}

/* A ball falls onto the end of a disc, twice. */
static void a_ball_bounces_on_the_end_of_a_disc(void **ctx)
{
    (void)ctx;
    rig r = ball_on("{disc: 0.5, length: 0.1, at: [0, 0, -0.05]}", "{eps_N: 0.5}", "ball.z: 0.6");
    events_go(&r, 0.7, 1e-12);
    const double first = sqrt(2.0 * 0.5 / 10.0), v = 0.5 * sqrt(2.0 * 0.5 * 10.0);
    const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, -1, 0),
                   *again = rig_event(&r, SP_EVENT_IMPACT, -1, 1);
    assert_true(hit && again);
    assert_near(hit->t, first, 1e-12);
    assert_near(again->t, first + 2.0 * v / 10.0, 1e-11);
    rig_free(&r);
}

/* Centre beside the rim by d: they meet at the height sqrt(R^2 - d^2), and the velocity along the
 * line from the rim to the centre is reversed. */
static void a_ball_bounces_off_the_rim_of_a_disc(void **ctx)
{
    (void)ctx;
    static const char *const disc[] = {"{disc: 0.5, length: 0.1, at: [0, 0, -0.05]}", "{disc: 0.5}",
                                       "{frustum: [0.6, 0.5], length: 0.1, at: [0, 0, -0.1]}"};
    for (int k = 0; k < 3; k++) {
        const double angle = 0.7, d = 0.06, rho = 0.5 + d, h = 0.08; /* sqrt(0.1^2 - 0.06^2) */
        char start[200];
        snprintf(start, sizeof start, "ball.x: %.17g, ball.y: %.17g, ball.z: 0.33",
                 rho * cos(angle), rho * sin(angle));
        rig r = ball_on(disc[k], "{eps_N: 1}", start);
        events_go(&r, 0.25, 1e-12);
        const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, -1, 0);
        assert_true(hit && events_count(&r, SP_EVENT_IMPACT) == 1);
        const double t = sqrt(2.0 * (0.33 - h) / 10.0), v = 10.0 * t, n_rho = d / 0.1,
                     n_z = h / 0.1;
        assert_near(hit->t, t, 1e-12);
        const double out = 2.0 * v * n_z * n_rho, up = -v + 2.0 * v * n_z * n_z;
        assert_near(r.x->u[0], out * cos(angle), 1e-9);
        assert_near(r.x->u[1], out * sin(angle), 1e-9);
        assert_near(r.x->u[2], up - 10.0 * (0.25 - t), 1e-9);
        rig_free(&r);
    }
}

/* As over the edge of a table: about the rim until cos(theta) = (v_0^2 / (g R) + 2) / 3; the motion
 * stays in the plane of the axis. */
static void a_ball_goes_round_the_rim_of_a_disc_before_it_leaves(void **ctx)
{
    (void)ctx;
    const double v_0 = 0.5, R = 0.1, g = 10.0, c = (v_0 * v_0 / (g * R) + 2.0) / 3.0;
    static const char *const disc[] = {"{disc: 0.3, length: 0.2, at: [-0.3, 0, -0.1]}",
                                       "{disc: 0.3, at: [-0.3, 0, 0]}"};
    for (int k = 0; k < 2; k++) {
        rig r = ball_on(disc[k], "{mu: 0, eps_N: 0}", "ball.x: -0.1, ball.z: 0.1, ball.vx: 0.5");
        events_go(&r, 0.4, 1e-12);
        const double v = sqrt(v_0 * v_0 + 2.0 * g * R * (1.0 - c));
        const sp_event *open =
            rig_event(&r, SP_EVENT_OPEN, -1, events_count(&r, SP_EVENT_OPEN) - 1);
        assert_true(open && open->t > 0.2);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_near(r.x->u[0], v * c, 1e-8);
        const double fly = r.x->t - open->t;
        assert_near(r.x->q[0], R * sqrt(1.0 - c * c) + v * c * fly, 1e-8);
        assert_near(r.x->q[1], 0.0, 1e-10);
        assert_near(r.x->q[2], R * c - v * sqrt(1.0 - c * c) * fly - 0.5 * g * fly * fly, 1e-8);
        rig_free(&r);
    }
}

/* Down the side of a cone: the acceleration along it is g sin(slope). */
static void a_ball_slides_down_the_side_of_a_cone(void **ctx)
{
    (void)ctx;
    const double slope = atan2(0.5, 0.8), R = 0.1, rho = 0.3; /* of the point of contact */
    char start[200];
    snprintf(start, sizeof start, "ball.y: %.17g, ball.z: %.17g", rho + R * sin(slope),
             0.5 - rho * tan(slope) + R * cos(slope));
    rig r = ball_on("{frustum: [0.8, 0], length: 0.5}", "{mu: 0, eps_N: 0}", start);
    events_go(&r, 0.3, 1e-12);
    const double way = 0.5 * 10.0 * sin(slope) * 0.3 * 0.3;
    assert_near(r.x->q[1], rho + R * sin(slope) + way * cos(slope), 1e-10);
    assert_near(r.x->q[2], 0.5 - rho * tan(slope) + R * cos(slope) - way * sin(slope), 1e-10);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    rig_free(&r);
}

/* Round a post, pulled to its axis by k rho: uniform motion while k rho > v^2 / rho, free where
 * that is less. */
static void a_ball_circles_round_a_post_that_it_is_pulled_to(void **ctx)
{
    (void)ctx;
    const double rho = 0.5, v = 2.0, until = 1.0;
    rig r = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, 0]\nbodies:\n"
                        "  ground: {contours: {post: {disc: 0.4, length: 1}}}\n"
                        "  ball: {mass: 1, inertia: 4e-3, contours: {c: {sphere: 0.1}}}\n"
                        "forces: {pull: {force: [-20*ball.x, -20*ball.y, 0], on: ball}}\n"
                        "contacts: {c: {between: [ball, ground], law: {mu: 0, eps_N: 0}}}\n"
                        "start: {ball.x: 0.5, ball.vy: 2}\n");
    events_go(&r, until, 1e-12);
    assert_near(r.x->q[0], rho * cos(v / rho * until), 1e-9);
    assert_near(r.x->q[1], rho * sin(v / rho * until), 1e-9);
    assert_int_equal(events_count(&r, SP_EVENT_OPEN), 0);
    rig_free(&r);
}

/* Over the upper end of a coin, round its rim and back below it: energy and spin of the pull are
 * kept, the ball stays on the coin.  The pull is five times as stiff across the coin, so that it
 * beats v^2 / R all the way round the rim and the ball is not stopped there. */
static void a_ball_that_is_pulled_goes_round_a_coin(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, 0]\nbodies:\n"
                        "  ground: {contours: {coin: {disc: 0.3}}}\n"
                        "  ball: {mass: 1, inertia: 4e-3, contours: {c: {sphere: 0.1}}}\n"
                        "forces: {pull: {force: [-20*ball.x, -20*ball.y, -100*ball.z], on: ball}}\n"
                        "contacts: {c: {between: [ball, ground], law: {mu: 0, eps_N: 0}}}\n"
                        "start: {ball.z: 0.1, ball.x: 0.01, ball.vx: 1.58, ball.vy: 0.1}\n");
    const double energy = 0.5 * (1.58 * 1.58 + 0.1 * 0.1) + 10.0 * 0.01 * 0.01 + 50.0 * 0.1 * 0.1;
    const double spin = 0.01 * 0.1; /* about the axis */
    events_go(&r, 0.9, 1e-12);
    const double *x = r.x->q, *v = r.x->u;
    const double beside = fmax(0.0, hypot(x[0], x[1]) - 0.3);
    assert_true(x[2] < -0.099 && beside == 0.0 && v[0] < 0.0); /* below, on its way back */
    assert_near(x[2], -0.1, 1e-9);
    assert_near(0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                    10.0 * (x[0] * x[0] + x[1] * x[1]) + 50.0 * x[2] * x[2],
                energy, 1e-9);
    assert_near(x[0] * v[1] - x[1] * v[0], spin, 1e-9);
    for (int k = 0; k < events_count(&r, SP_EVENT_IMPACT); k++) {
        /* the rim is let go 2 tol = 2e-9 m past its end, turned by that over R against the end */
        assert_true(rig_event(&r, SP_EVENT_IMPACT, -1, k)->Lambda_N < 2e-9 / 0.1 * 1.6);
    }
    rig_free(&r);
}

/* A point has no size: it slides off the rim as it comes, and falls past a disc beside it. */
static void a_point_leaves_a_disc_at_its_rim(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -10]\nbodies:\n"
                        "  ground: {contours: {top: {disc: 0.5, length: 0.1, at: [0, 0, -0.05]}}}\n"
                        "  grain: {mass: 1, inertia: 1e-3, contours: {p: {point: [0, 0, 0]}}}\n"
                        "contacts: {c: {between: [grain, ground], law: {mu: 0, eps_N: 0}}}\n"
                        "start: {grain.x: 0.3, grain.vx: 1}\n");
    events_go(&r, 0.5, 1e-12);
    assert_near(r.x->q[0], 0.8, 1e-10);
    const double fall = 0.3 - 2.0 * 0.5e-8; /* let go two tolerances of places behind the rim */
    assert_near(r.x->q[2], -0.5 * 10.0 * fall * fall, 1e-10);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    rig_free(&r);
}

/* A ball is near the upper face of a box or a disc, passes beside it, and is drawn below: the face
 * that it was near is above it now, which is no contact. */
static void what_passes_round_a_shape_is_not_held_by_the_face_it_came_from(void **ctx)
{
    (void)ctx;
    static const char *const shape[] = {"{box: [0.2, 0.2, 0.05]}", "{disc: 0.1, length: 0.05}",
                                        "{disc: 0.1, at: [0, 0, 0.025]}"};
    for (int k = 0; k < 3; k++) {
        rig r =
            rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, 0]\nbodies:\n"
                        "  ground: {contours: {block: %s}}\n"
                        "  ball: {mass: 1, inertia: 1e-3, contours: {skin: {sphere: 0.02}}}\n"
                        "forces: {push: {force: [-20, 0, -15], on: ball}}\n"
                        "contacts: {hit: {between: [ball, ground], law: {eps_N: 0.5}}}\n"
                        "start: {ball.x: 0.095, ball.z: 0.0452, ball.vx: 1.7, ball.vz: -0.01}\n",
                        shape[k]);
        events_go(&r, 0.3, 1e-10);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_near(r.x->q[0], 0.095 + 1.7 * 0.3 - 10.0 * 0.09, 1e-9);
        assert_near(r.x->q[2], 0.0452 - 0.01 * 0.3 - 7.5 * 0.09, 1e-9);
        rig_free(&r);
    }
}

/* A random disc, coin, frustum or cone under the balls. */
static void draw_disc(rng *random, int i, char *out, size_t size)
{
    const double r_0 = rng_in(random, 0.05, 0.15), r_1 = rng_in(random, 0.05, 0.15),
                 length = rng_in(random, 0.02, 0.1), x = rng_in(random, -0.1, 0.1),
                 y = rng_in(random, -0.1, 0.1), tilt = rng_in(random, -0.6, 0.6);
    const int kind = rng_int(random, 4);
    const int n = kind == 0 ? snprintf(out, size, "d%d: {disc: %.17g", i, r_0)
                  : kind == 1
                      ? snprintf(out, size, "d%d: {disc: %.17g, length: %.17g", i, r_0, length)
                      : snprintf(out, size, "d%d: {frustum: [%.17g, %.17g], length: %.17g", i, r_0,
                                 kind == 2 ? r_1 : 0.0, length);
    snprintf(out + n, size - (size_t)n, ", at: [%.17g, %.17g, %.17g], axis: [%.17g, 0, 1]}", x, y,
             -0.2 * i, tilt);
}

/* Four balls that fall on discs one above the other, on a wheel that turns. */
static rig balls_on_discs(rng *random)
{
    char disc[3][300], start[800];
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        draw_disc(random, i, disc[i], sizeof disc[i]);
    }
    for (int i = 1; i <= 4; i++) {
        n += (size_t)snprintf(
            start + n, sizeof start - n, ", p.%d.x: %.17g, p.%d.y: %.17g, p.%d.z: %.17g", i,
            rng_in(random, -0.15, 0.15), i, rng_in(random, -0.15, 0.15), i, 0.2 + 0.1 * i);
    }
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  wheel: {mass: 1, inertia: 0.01, joint: {revolute: ground, axis: [0, 0, "
                       "1]}, contours: {%s, %s, %s}}\n"
                       "  p: {count: 4, mass: 0.1, inertia: 1e-4, contours: {s: {sphere: "
                       "0.01*(4 - i) + 0.005}}}\n"
                       "contacts:\n"
                       "  discs: {between: [p, wheel], law: {mu: 0.3, eps_N: 0.4}}\n"
                       "  balls: {between: [p, p], law: {mu: 0.3, eps_N: 0.4}}\n"
                       "start: {wheel.omega_z: %.17g%s}\n",
                       disc[0], disc[1], disc[2], rng_in(random, -3.0, 3.0), start);
}

/* Whatever falls on whatever: nothing is missed, no energy comes from nowhere. */
static void random_balls_on_discs_miss_no_contact(void **ctx)
{
    (void)ctx;
    rng random = {22};
    int impacts = 0, overs = 0;
    for (int k = 0; k < check_cases(6, 200); k++) {
        rig r = balls_on_discs(&random);
        for (int i = 1; i <= 12; i++) {
            events_go(&r, 0.05 * i, 1e-9);
            const double least = events_least_gap(&r);
            if (!(least > -1e-8)) {
                rig_print_events(&r, 400);
                fail_msg("scene %d, t = %g s: a gap of %g m", k, r.x->t, least);
            }
        }
        impacts += events_count(&r, SP_EVENT_IMPACT);
        overs += events_count(&r, SP_EVENT_HANDOVER);
        assert_true(r.worst.complementarity < 1e-10 || events_count(&r, SP_EVENT_HANDOVER) > 0);
        assert_true(r.x->ledger.worst_balance < 100.0 * 1e-9);
        rig_free(&r);
    }
    assert_true(impacts > 20 && overs <= check_cases(2, 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_on_the_end_of_a_disc),
        cmocka_unit_test(a_ball_bounces_off_the_rim_of_a_disc),
        cmocka_unit_test(a_ball_goes_round_the_rim_of_a_disc_before_it_leaves),
        cmocka_unit_test(a_ball_slides_down_the_side_of_a_cone),
        cmocka_unit_test(a_ball_circles_round_a_post_that_it_is_pulled_to),
        cmocka_unit_test(a_ball_that_is_pulled_goes_round_a_coin),
        cmocka_unit_test(a_point_leaves_a_disc_at_its_rim),
        cmocka_unit_test(what_passes_round_a_shape_is_not_held_by_the_face_it_came_from),
        cmocka_unit_test(random_balls_on_discs_miss_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
