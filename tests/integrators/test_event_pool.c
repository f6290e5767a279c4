/* Event-driven runs of shapes against each other: a box that slides over the end of a table and off
 * another box, balls on boxes, stacks, boxes that hit each other, pools of balls.  Closed forms,
 * the same machine in the plane, symmetry and conservation, and time steps.   theory section 28 */
#include "integrators/event_parts.h"
#include "integrators/table_end.h"
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>
#include <string.h>

#define G 9.81

/* What every run has to keep. */
static void check_run(const rig *r, double tolerance)
{
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(r->x->ledger.worst_balance < 100.0 * tolerance);
}

/* ---- boxes on boxes ----------------------------------------------------------------------------
 */

/* A box of 0.2 x 0.3 x 0.1 that slides to the right on a table that ends at x = 0. */
static rig box_on_table(double width)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  ground: {contours: {top: {box: [1, %g, 0.2], at: [-0.5, 0, -0.1]}}}\n"
        "  box: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], contours: {b: {box: [0.2, 0.3, 0.1]}}}\n"
        "contacts: {c: {between: [box, ground], law: {mu: 0.1, eps_N: 0.4}}}\n"
        "start: {box.x: -0.5, box.z: 0.05, box.vx: 2}\n",
        width);
}

/* As in the plane: the front corners are let go, the table's edge takes over, and it tips when the
 * resultant is beyond. */
static void a_box_slides_over_the_end_of_a_table_and_tips_when_its_weight_is_beyond(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = box_on_table(k == 0 ? 2.0 : 0.25); /* a table that is wider, or narrower than it */
        rig p = box_on("top: {box: [1, 0.2], at: [-0.5, -0.1]}");
        const double tips = time_at(-0.1 * 0.05);
        events_go(&r, tips - 1e-3, 1e-11);
        assert_near(r.x->q[0], -0.5 + 2.0 * r.x->t - 0.05 * G * r.x->t * r.x->t, 1e-9);
        assert_near(r.x->q[2], 0.05, 1e-12);
        events_go(&r, 0.4, 1e-11);
        events_go(&p, 0.4, 1e-11);
        assert_near(r.x->q[0], p.x->q[0], 1e-6);
        assert_near(r.x->q[2], p.x->q[1], 1e-6);
        assert_near(r.x->u[4], -p.x->u[2], 1e-5);
        assert_true(fabs(r.x->q[1]) < 1e-8);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        check_run(&r, 1e-11);
        rig_free(&r);
        rig_free(&p);
    }
}

/* Two boxes on a floor, one on the other. */
static rig two_boxes(const char *start)
{
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  low: {density: 600, shape: {box: [0.1, 0.1, 0.1]}, contours: {b: {box: "
                       "[0.1, 0.1, 0.1]}}}\n"
                       "  high: {density: 600, shape: {box: [0.1, 0.1, 0.1]}, contours: {b: {box: "
                       "[0.1, 0.1, 0.1]}}}\n"
                       "contacts:\n"
                       "  floor: {between: [[low, high], ground], law: {mu: 0.5, eps_N: 0.3}}\n"
                       "  pair: {between: [low, high], law: {mu: 0.4, eps_N: 0.3}, room: 24}\n"
                       "start: {%s}\n",
                       start);
}

/* Flush, beside each other, and turned. */
static void two_boxes_stand_on_each_other_and_nothing_moves(void **ctx)
{
    (void)ctx;
    static const char *const start[] = {
        "low.z: 0.05, high.z: 0.15",
        "low.z: 0.05, high.z: 0.15, high.x: 0.013, high.y: -0.021",
        "low.z: 0.05, high.z: 0.15, high.x: 0.02, high.turn: {z: 0.4}",
    };
    for (int k = 0; k < 3; k++) {
        rig r = two_boxes(start[k]);
        double q[14];
        memcpy(q, r.x->q, sizeof q);
        events_go(&r, 10.0, 1e-9);
        for (int i = 0; i < 14; i++) {
            assert_near(r.x->q[i], q[i], 1e-10);
        }
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
        assert_int_equal(events_count(&r, SP_EVENT_OPEN), 0);
        check_run(&r, 1e-9);
        rig_free(&r);
    }
}

/* Dropped onto the other: flush, beside it, turned.  It comes to rest where it lies on it. */
static void a_box_dropped_onto_another_comes_to_rest_on_it(void **ctx)
{
    (void)ctx;
    static const char *const start[] = {
        "low.z: 0.05, high.z: 0.17",
        "low.z: 0.05, high.z: 0.17, high.x: 0.02, high.y: 0.01",
        "low.z: 0.05, high.z: 0.17, high.turn: {z: 0.5}",
        "low.z: 0.05, high.z: 0.19, high.x: 0.01, high.turn: [{z: 0.3}, {y: 0.2}]",
    };
    for (int k = 0; k < 4; k++) {
        rig r = two_boxes(start[k]);
        events_go(&r, 1.0, 1e-10);
        assert_near(r.x->q[9], 0.15, 1e-9);
        assert_near(r.x->q[2], 0.05, 1e-9);
        for (int d = 0; d < r.m->n_dof; d++) {
            assert_true(fabs(r.x->u[d]) < 1e-9);
        }
        assert_true(events_count(&r, SP_EVENT_IMPACT) >= 4);
        assert_true(r.x->ledger.worst_balance < 1e-8);
        rig_free(&r);
    }
}

/* The upper one slides on the lower one, which the floor holds, to a stop: v^2/(2 mu g). */
static void a_box_slides_on_another_and_stops(void **ctx)
{
    (void)ctx;
    rig r = two_boxes("low.z: 0.05, high.z: 0.15, high.vx: 0.3, high.x: -0.02");
    events_go(&r, 0.5, 1e-10);
    assert_near(r.x->q[7], -0.02 + 0.3 * 0.3 / (2.0 * 0.4 * G), 1e-9);
    assert_true(fabs(r.x->q[0]) < 1e-10);
    assert_near(rig_event(&r, SP_EVENT_STICK, -1, 0)->t, 0.3 / (0.4 * G), 1e-9);
    check_run(&r, 1e-10);
    rig_free(&r);
}

/* In free space, without gravity: momentum and spin are kept whatever the features are that meet,
 * energy falls by what the impacts say, and steps come to the same as they get shorter. */
static rig boxes_in_flight(rng *random, char *start, size_t size)
{
    if (random) {
        snprintf(start, size,
                 "b.x: 0.35, b.y: %.17g, b.z: %.17g, b.vx: -1, a.turn: [{x: %.17g}, {y: %.17g}], "
                 "b.turn: [{y: %.17g}, {z: %.17g}], a.omega_x: %.17g, b.omega_y: %.17g, "
                 "b.omega_z: %.17g",
                 rng_in(random, -0.05, 0.05), rng_in(random, -0.05, 0.05),
                 rng_in(random, -1.5, 1.5), rng_in(random, -1.5, 1.5), rng_in(random, -1.5, 1.5),
                 rng_in(random, -1.5, 1.5), rng_in(random, -3.0, 3.0), rng_in(random, -3.0, 3.0),
                 rng_in(random, -3.0, 3.0));
    }
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: {mass: 1, inertia: [2e-3, 3e-3, 4e-3], contours: {b: {box: [0.2, 0.15, 0.1]}}}\n"
        "  b: {mass: 1, inertia: [2e-3, 3e-3, 4e-3], contours: {b: {box: [0.2, 0.15, 0.1]}}}\n"
        "contacts: {c: {between: [a, b], law: {mu: 0.2, eps_N: 0.5}, room: 24}}\n"
        "start: {%s}\n",
        start);
}

static void boxes_that_meet_in_flight_do_so_as_steps_say(void **ctx)
{
    (void)ctx;
    rng random = {5};
    const double until = 0.3;
    int hits = 0;
    for (int k = 0; k < check_cases(10, 200); k++) {
        char start[600];
        rig r = boxes_in_flight(&random, start, sizeof start);
        rig s = boxes_in_flight(NULL, start, 0);
        events_go(&r, until, 1e-10);
        hits += events_count(&r, SP_EVENT_IMPACT) > 0;
        assert_near(r.x->u[0] + r.x->u[6], -1.0, 1e-12); /* momentum */
        assert_near(r.x->u[1] + r.x->u[7], 0.0, 1e-12);
        check_run(&r, 1e-10);
        rig_steps(&s, SP_METHOD_MOREAU_MEAN, 2e-4, 1500);
        const bool once = events_count(&r, SP_EVENT_IMPACT) <= 1;
        for (int i = 0; i < 14 && once; i++) {
            assert_near(s.x->q[i], r.x->q[i], 5e-3);
        }
        assert_int_equal(rig_count(&s, SP_EVENT_IMPACT, -1) > 0,
                         events_count(&r, SP_EVENT_IMPACT) > 0);
        rig_free(&r);
        rig_free(&s);
    }
    assert_true(hits > 6);
}

/* ---- balls -------------------------------------------------------------------------------------
 */

/* Without friction the centre runs on a circle about the edge until g cos(theta) = v^2 / R, that is
 * cos(theta) = (v_0^2 / (g R) + 2) / 3. */
static void a_ball_goes_round_the_edge_of_a_table_before_it_leaves(void **ctx)
{
    (void)ctx;
    const double v_0 = 0.5, R = 0.1, g = 10.0, c = (v_0 * v_0 / (g * R) + 2.0) / 3.0;
    rig r = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -10]\nbodies:\n"
                        "  ground: {contours: {top: {box: [1, 1, 0.2], at: [-0.5, 0, -0.1]}}}\n"
                        "  ball: {mass: 1, inertia: 4e-3, contours: {c: {sphere: 0.1}}}\n"
                        "contacts: {c: {between: [ball, ground], law: {mu: 0, eps_N: 0}}}\n"
                        "start: {ball.x: -0.1, ball.z: 0.1, ball.vx: 0.5}\n");
    events_go(&r, 0.4, 1e-12);
    const double v = sqrt(v_0 * v_0 + 2.0 * g * R * (1.0 - c));
    const int opens = events_count(&r, SP_EVENT_OPEN);
    const sp_event *open = rig_event(&r, SP_EVENT_OPEN, -1, opens - 1);
    assert_true(open && open->t > 0.2);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    assert_near(r.x->u[0], v * c, 1e-8);
    const double fly = r.x->t - open->t;
    assert_near(r.x->q[0], R * sqrt(1.0 - c * c) + v * c * fly, 1e-8);
    assert_near(r.x->q[2], R * c - v * sqrt(1.0 - c * c) * fly - 0.5 * g * fly * fly, 1e-8);
    rig_free(&r);
}

/* ---- pools of balls ----------------------------------------------------------------------------
 */

/* Balls in a box, as a pool of few slots or with a slot for each pair: the same run. */
static rig balls_in_a_box(int n, const char *room)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nseed: 3\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}, w: {plane: [1, 0, 0], at: [-0.2, 0, 0]}, "
        "e: {plane: [-1, 0, 0], at: [0.2, 0, 0]}, s: {plane: [0, 1, 0], at: [0, -0.2, 0]}, n: "
        "{plane: [0, -1, 0], at: [0, 0.2, 0]}}}\n"
        "  ball: {count: %d, mass: 0.1, inertia: 1e-4, contours: {skin: {sphere: 0.05}}}\n"
        "contacts:\n"
        "  heap: {between: [ball, ball], law: {mu: 0.2, eps_N: 0.6}%s}\n"
        "  walls: {between: [ball, ground], law: {mu: 0.2, eps_N: 0.6}%s}\n"
        "start: {ball.x: 0.12*(rand - 0.5) + 0.1*(i/2 - floor(i/2)) , ball.y: 0.2*(rand - 0.5), "
        "ball.z: 0.06 + 0.105*i, ball.vx: 6*(rand - 0.5), ball.vy: 4*(rand - 0.5)}\n",
        n, room, room);
}

static void a_pool_of_balls_runs_as_balls_with_slots_of_their_own(void **ctx)
{
    (void)ctx;
    rig own = balls_in_a_box(6, ""), lent = balls_in_a_box(6, ", room: 14");
    assert_int_equal(own.m->n_pool, 0);
    assert_int_equal(lent.m->n_pool, 2);
    const double until = 0.25;
    events_go(&own, until, 1e-11);
    events_go(&lent, until, 1e-11);
    assert_true(events_count(&own, SP_EVENT_IMPACT) > 10);
    assert_int_equal(own.n_event, lent.n_event);
    for (int i = 0; i < own.n_event; i++) {
        assert_int_equal(own.event[i].kind, lent.event[i].kind);
        assert_near(own.event[i].t, lent.event[i].t, 1e-7);
    }
    for (int i = 0; i < own.m->n_q; i++) {
        assert_near(own.x->q[i], lent.x->q[i], 1e-6);
    }
    check_run(&lent, 1e-11);
    rig_free(&own);
    rig_free(&lent);
}

/* ---- heaps -------------------------------------------------------------------------------------
 */

/* A random shape. */
static void draw_shape(rng *random, char *out, size_t size)
{
    const double a = rng_in(random, 0.06, 0.15), b = rng_in(random, 0.06, 0.15),
                 c = rng_in(random, 0.06, 0.15);
    switch (rng_int(random, 4)) {
    case 0:
        snprintf(out, size, "{sphere: %.17g}", 0.5 * a);
        break;
    case 1:
        snprintf(out, size, "{capsule: %.17g, length: %.17g}", 0.4 * a, b);
        break;
    case 2:
        snprintf(out, size, "{box: [%.17g, %.17g, %.17g]}", a, b, c);
        break;
    default:
        snprintf(out, size,
                 "{polytope: [[%.17g, 0, 0], [%.17g, %.17g, 0], [%.17g, %.17g, 0], [0, 0, %.17g]], "
                 "at: [0, 0, %.17g]}",
                 a, -0.5 * a, b, -0.6 * a, -b, c, -0.25 * c);
    }
}

/* A few shapes that fall onto a table with a block on it. */
static rig heap(rng *random, int n)
{
    char bodies[2000] = "", start[2000] = "", names[200] = "";
    size_t n_b = 0, n_s = 0, n_n = 0;
    for (int i = 0; i < n; i++) {
        char shape[300];
        draw_shape(random, shape, sizeof shape);
        n_b += (size_t)snprintf(
            bodies + n_b, sizeof bodies - n_b,
            "  p%d: {mass: %.17g, inertia: [1e-3, 1.2e-3, 1.5e-3], contours: {s: %s}}\n", i,
            rng_in(random, 0.3, 1.0), shape);
        n_n += (size_t)snprintf(names + n_n, sizeof names - n_n, "%sp%d", i ? ", " : "", i);
        n_s += (size_t)snprintf(
            start + n_s, sizeof start - n_s,
            "%sp%d.x: %.17g, p%d.y: %.17g, p%d.z: %.17g, p%d.turn: [{x: %.17g}, {y: %.17g}], "
            "p%d.omega_x: %.17g, p%d.omega_z: %.17g",
            i ? ", " : "", i, rng_in(random, -0.05, 0.05), i, rng_in(random, -0.05, 0.05), i,
            0.25 + 0.3 * i, i, rng_in(random, -3.0, 3.0), rng_in(random, -3.0, 3.0), i,
            rng_in(random, -5.0, 5.0), i, rng_in(random, -5.0, 5.0));
    }
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -0.3]}, block: "
                       "{box: [0.3, 0.2, 0.2], at: [0, 0, -0.1], turn: {z: 0.3}}}}\n%s"
                       "contacts:\n"
                       "  floor: {between: [[%s], ground.floor], law: {mu: 0.3, eps_N: 0.3}}\n"
                       "  block: {between: [[%s], ground.block], law: {mu: 0.3, eps_N: 0.3}}\n"
                       "  parts: {between: [[%s], [%s]], law: {mu: 0.3, eps_N: 0.3}}\n"
                       "start: {%s}\n",
                       bodies, names, names, names, names, start);
}

/* Heaps of 150 that may have an event which is not certified at 1e-10.  Known: friction that comes
 * to its limit in contacts that depend on each other (1.6e-6), and an event 3e-10 s after slip
 * began, whose direction is known to round-off over that time (3e-8). */
#define COARSE 3

/* Whatever falls on whatever: nothing is missed, no energy comes from nowhere. */
static void random_heaps_miss_no_contact(void **ctx)
{
    (void)ctx;
    rng random = {21};
    int impacts = 0, overs = 0, coarse = 0;
    for (int k = 0; k < check_cases(4, 150); k++) {
        rig r = heap(&random, 3);
        for (int i = 1; i <= 12; i++) {
            events_go(&r, 0.05 * i, 1e-9);
            const double least = events_least_gap(&r);
            if (!(least > -1e-8)) {
                rig_print_events(&r, 400);
                fail_msg("heap %d, t = %g s: a gap of %g m", k, r.x->t, least);
            }
        }
        impacts += events_count(&r, SP_EVENT_IMPACT);
        overs += events_count(&r, SP_EVENT_HANDOVER);
        if (events_count(&r, SP_EVENT_HANDOVER) == 0) { /* steps are certified to less */
            coarse += !(r.worst.complementarity < 1e-10);
            assert_true(r.x->ledger.worst_balance < 1e-7);
        }
        rig_free(&r);
    }
    assert_true(impacts > 20 && overs <= check_cases(2, 30));
    print_message("%d heaps are not certified at 1e-10\n", coarse);
    assert_true(coarse <= check_cases(0, COARSE));
}

/* ---- what a step comes upon that has no slot ----------------------------------------------------
 */

/* Two boxes that a spring pulls together much faster than gravity would: nothing is near where the
 * step begins in which they meet. */
static rig boxes_pulled_together(double beside)
{
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: [0, 0, -1e-3]\nbodies:\n"
                       "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0, 0]}, contours: {b: "
                       "{box: [0.1, 0.1, 0.1]}}}\n"
                       "  b: {mass: 1, joint: {prismatic: ground, axis: [1, 0, 0]}, contours: {b: "
                       "{box: [0.1, 0.1, 0.1], at: [0, %g, 0]}}}\n"
                       "forces: {pull: {spring: [a, b], stiffness: 1e4, rest: 0}}\n"
                       "contacts: {c: {between: [a, b], law: {eps_N: 0.5}, room: 24}}\n"
                       "start: {b.x: 0.6}\n",
                       beside);
}

/* The boxes meet where the closed form of the spring says, at all four corners; after every step
 * the state knows what the slots are lent to, so that a run taken up from it has the same. */
static void they_meet_in_time(double beside)
{
    rig r = boxes_pulled_together(beside);
    sp_events *e;
    sp_error err = {.status = SP_OK};
    int hits = 0, lent = 0;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 1.0}, &e,
                                     &err),
                     SP_OK);
    while (hits == 0) {
        assert_int_equal(sp_events_step(e, r.x, 0.1, &err), SP_OK);
        lent = 0;
        for (int i = 0; i < r.m->n_slot; i++) {
            assert_true(r.x->contact[i].key == r.w->con.key[i]);
            lent += r.w->con.key[i] != 0;
        }
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
        for (int i = 0; i < r.w->n_event; i++) {
            hits += r.w->event[i].kind == SP_EVENT_IMPACT;
        }
        assert_true(r.x->t < 0.1);
    }
    const double omega = sqrt(2.0 * 1e4); /* x_b - x_a = 0.6 cos(omega t), 0.1 where they meet */
    assert_near(r.x->t, acos(0.1 / 0.6) / omega, 1e-9);
    assert_true(lent >= 4 && hits >= 4);
    sp_events_end(e);
    rig_free(&r);
}

/* Flush, corner against corner, and beside each other. */
static void what_was_missed_is_found_and_remembered(void **ctx)
{
    (void)ctx;
    they_meet_in_time(0.0);
    they_meet_in_time(0.013);
}

/* Speeds that are no numbers end the run with a message, instead of steps of nothing. */
static void speeds_that_are_no_numbers_are_told(void **ctx)
{
    (void)ctx;
    rig r = boxes_pulled_together(0.0);
    sp_events *e;
    sp_error err = {.status = SP_OK};
    double t_stop = 0.1;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 1.0}, &e,
                                     &err),
                     SP_OK);
    assert_int_equal(sp_event_assign_slots(e, r.x, &err), SP_OK);
    assert_int_equal(sp_event_limit_by_pools(e, r.x, &t_stop, &err), SP_OK);
    r.x->u[1] = NAN;
    assert_int_equal(sp_event_limit_by_pools(e, r.x, &t_stop, &err), SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "speeds"));
    sp_events_end(e);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_over_the_end_of_a_table_and_tips_when_its_weight_is_beyond),
        cmocka_unit_test(two_boxes_stand_on_each_other_and_nothing_moves),
        cmocka_unit_test(a_box_dropped_onto_another_comes_to_rest_on_it),
        cmocka_unit_test(a_box_slides_on_another_and_stops),
        cmocka_unit_test(boxes_that_meet_in_flight_do_so_as_steps_say),
        cmocka_unit_test(a_ball_goes_round_the_edge_of_a_table_before_it_leaves),
        cmocka_unit_test(random_heaps_miss_no_contact),
        cmocka_unit_test(what_was_missed_is_found_and_remembered),
        cmocka_unit_test(speeds_that_are_no_numbers_are_told),
        cmocka_unit_test(a_pool_of_balls_runs_as_balls_with_slots_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
