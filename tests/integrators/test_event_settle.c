/* States of contacts at events: friction, one-way rows, preloads, clutches, rows that depend on
 * each other, friction by speed.  All against closed forms. */
#include "support/check.h"
#include "support/events.h"

/* x'' + x in -Sgn(x'), with the friction in the joint. */
static void a_joint_with_dry_friction_stops_where_and_when_it_must(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  block: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: 1, "
                        "friction: 1}}\n"
                        "start: {block.x: 12, block.vx: 6}\n");
    events_go(&r, atan2(6.0, 13.0), 1e-12); /* the first turning point */
    assert_near(r.x->q[0], 13.317821063276353, 1e-11);
    assert_true(fabs(r.x->u[0]) < 1e-11);
    events_go(&r, 25.0, 1e-12);
    assert_near(events_get(&r, SP_EVENT_STICK, "block.joint.friction", 0)->t, 22.423556350699,
                1e-11);
    assert_near(r.x->q[0], 0.682178936723647, 1e-10);
    assert_true(fabs(r.x->u[0]) < 1e-14);
    assert_int_equal(events_count(&r, SP_EVENT_STICK), 1);
    assert_int_equal(events_count(&r, SP_EVENT_SLIP), 6); /* slip reverses at the others */
    for (int k = 0; k < 6; k++) {
        const sp_event *turn = events_get(&r, SP_EVENT_SLIP, "block.joint.friction", k);
        assert_near(turn->t, atan2(6.0, 13.0) + (k + 1) * acos(-1.0), 1e-11);
        assert_true(turn->before == SP_STATE_SLIP && turn->after == SP_STATE_SLIP);
    }
    assert_true(r.x->ledger.worst_balance < 1e-11);
    /* all work is friction:  E_end - E_start */
    assert_near_scaled(r.x->ledger.friction, 0.5 * 0.682178936723647 * 0.682178936723647 - 90.0,
                       90.0, 1e-11);
    rig_free(&r);
}

/* J w' = cos t with w >= 0: turns until pi, stands until 3 pi/2, turns on with w = 1 + sin t. */
static void a_one_way_row_holds_and_lets_go(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 1, inertia: 1, joint: {revolute: ground}}\n"
                        "forces: {f: {torque: cos(t), on: a}}\n"
                        "couplings: {sprag: {of: a.phi, one_way: forward}}\n");
    const double pi = acos(-1.0);
    events_go(&r, 5.0, 1e-12);
    assert_near(events_get(&r, SP_EVENT_CLOSE, "sprag", 0)->t, pi, 1e-11);
    assert_near(events_get(&r, SP_EVENT_OPEN, "sprag", 0)->t, 1.5 * pi, 1e-11);
    assert_near(r.x->q[0], 2.0 + 5.0 - cos(5.0) - 1.5 * pi, 1e-10);
    assert_near(r.x->u[0], 1.0 + sin(5.0), 1e-10);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 0);
    rig_free(&r);
}

/* A one-way row takes part in impacts: a ball meets a disc that cannot give way. */
static void a_one_way_row_carries_impulses(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 2, joint: {prismatic: ground, axis: [1, 0]}, contours: {c: "
                        "{circle: 0.1}}}\n"
                        "  b: {mass: 1, joint: {prismatic: ground, axis: [1, 0], at: [1, 0]}, "
                        "contours: {c: {circle: 0.1}}}\n"
                        "contacts: {k: {between: [a.c, b.c], law: {eps_N: 0.5}}}\n"
                        "couplings: {stop: {of: b.x, one_way: backward}}\n"
                        "start: {a.vx: 1}\n");
    events_go(&r, 1.0, 1e-12);
    /* b cannot move forward: the ball comes back with half its speed */
    assert_near(r.x->u[0], -0.5, 1e-12);
    assert_near(r.x->u[1], 0.0, 1e-12);
    assert_near(events_get(&r, SP_EVENT_IMPACT, "k", 0)->Lambda_N, 3.0, 1e-11);
    rig_free(&r);
}

/* Held until 2 t = 3, then x'' = 2 t - 3; and thrown out of rest it swings in V = F |x|. */
static void a_preload_holds_until_it_is_exceeded(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}\n"
                        "forces: {f: {drive: a.joint, force: 2*t}}\n"
                        "couplings: {p: {of: a.x, threshold: 3}}\n");
    events_go(&r, 3.0, 1e-12);
    assert_near(events_get(&r, SP_EVENT_SLIP, "p", 0)->t, 1.5, 1e-11);
    assert_near(r.x->q[0], 1.125, 1e-10);
    assert_true(r.x->ledger.worst_balance < 1e-11);
    rig_free(&r);
    rig s = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}\n"
                        "couplings: {p: {of: a.x, threshold: 3}}\nstart: {a.vx: 1}\n");
    events_go(&s, 10.0 * 2.0 / 3.0 + 0.1, 1e-12);
    assert_near(s.x->u[0], 1.0 - 0.3, 1e-10); /* after ten passages of zero it goes forward again */
    assert_near(s.x->q[0], 0.1 - 1.5 * 0.01, 1e-10);
    assert_near(s.x->ledger.friction, 0.0, 1e-12);
    assert_true(s.x->ledger.worst_balance < 1e-11);
    rig_free(&s);
}

/* Two shafts, J = 1 and 2, w = 10 against rest, torque 1.5 on the first, a clutch pressed with 5 t
 * up to t = 2, then let go by 5 per second:  w' = 1.5 - 1.5 limit. */
static void a_clutch_catches_and_slips_when_the_algebra_says(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\n"
                        "functions: {pressed: {points: [[0, 0], [2, 10], [4, 0], [9, 0]], by: "
                        "linear}}\nbodies:\n"
                        "  a: {mass: 1, inertia: 1, joint: {revolute: ground}}\n"
                        "  b: {mass: 1, inertia: 2, joint: {revolute: ground}}\n"
                        "forces: {f: {torque: 1.5, on: a}}\n"
                        "couplings: {clutch: {of: a.phi - b.phi, friction: pressed(t)}}\n"
                        "start: {a.omega: 10}\n");
    events_go(&r, 3.9, 1e-12);
    const double t_1 = (1.5 + sqrt(2.25 + 150.0)) / 7.5;
    assert_near(events_get(&r, SP_EVENT_STICK, "clutch", 0)->t, t_1, 1e-11);
    assert_near(events_get(&r, SP_EVENT_SLIP, "clutch", 0)->t, 3.8, 1e-11);
    assert_near(r.x->u[0] - r.x->u[1], 3.75 * 0.01, 1e-10);
    assert_near(r.x->u[0] + 2.0 * r.x->u[1], 10.0 + 1.5 * 3.9, 1e-10);
    events_go(&r, 5.0, 1e-12); /* over the kink at 4, where the limit is gone */
    assert_near(r.x->u[0] - r.x->u[1], 3.75 * 0.04 + 1.5, 1e-9);
    rig_free(&r);
}

/* A clutch that is switched: torque 4 until t = 1, none afterwards; w = 10 - 6 t, then 4. */
static void a_clutch_that_is_switched_does_not_hang_the_run(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                        "  a: {mass: 1, inertia: 1, joint: {revolute: ground}}\n"
                        "  b: {mass: 1, inertia: 2, joint: {revolute: ground}}\n"
                        "couplings: {clutch: {of: a.phi - b.phi, friction: \"if(t < 1, 4, 0)\"}}\n"
                        "start: {a.omega: 10}\n");
    events_go(&r, 2.0, 1e-10);
    assert_near(r.x->u[0] - r.x->u[1], 4.0, 1e-8);
    rig_free(&r);
}

/* A hinged beam whose end cannot slide without lifting: N and T of its contact are one row.  It
 * falls, hits and rests for ever, whatever friction it has. */
static void a_hinged_beam_comes_to_rest_on_its_end(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1], at: [0, -0.3]}}}\n"
                            "  beam: {mass: 2, inertia: 0.1, center: [0.4, 0], joint: {revolute: "
                            "ground}, contours: "
                            "{end: {point: [1, 0]}}}\n"
                            "contacts: {c: {between: [beam, ground], law: {mu: %g, eps_N: %g}}}\n",
                            0.2 * (k + 1), k % 2 == 0 ? 0.0 : 0.4);
        events_go(&r, 3.0, 1e-9);
        assert_true(fabs(r.x->u[0]) < 1e-14);
        assert_near(r.x->q[0], -asin(0.3), 1e-12);
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        assert_int_equal(events_count(&r, SP_EVENT_OPEN), 0);
        assert_true(r.n_event < 60);
        assert_true(r.worst.complementarity < 1e-10);
        rig_free(&r);
    }
}

/* A block on two corners under gravity that tilts with 0.1 rad/s: friction is shared as the law
 * allows, so that it slips at atan(mu) and not before; both corners at once. */
static void a_block_on_two_corners_slips_at_the_angle_of_friction(void **ctx)
{
    (void)ctx;
    const double mu[3] = {0.1, 0.35, 0.6}, h[3] = {0.1, 0.4, 0.05};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: [9.81*sin(0.1*t), -9.81*cos(0.1*t)]\n"
            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  block: {mass: 2, inertia: 0.1, contours: {c: {polygon: [[-0.3, %g], [0.3, %g], "
            "[0.3, "
            "%g], [-0.3, %g]]}}}\n"
            "contacts: {c: {between: [block, ground], law: {mu: %g}}}\nstart: {block.y: %g}\n",
            -h[k], -h[k], h[k], h[k], mu[k], h[k]);
        const double t = 10.0 * atan(mu[k]);
        events_go(&r, t + 0.2, 1e-11);
        assert_int_equal(events_count(&r, SP_EVENT_SLIP), 2);
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        for (int i = 0; i < 2; i++) {
            const sp_event *slip = rig_event(&r, SP_EVENT_SLIP, -1, i);
            assert_near(slip->t, t, 1e-11);
        }
        assert_true(r.x->u[0] > 0.0);
        assert_int_equal(r.n_event, 4); /* two closed, two slipped */
        rig_free(&r);
    }
}

/* A ball that is launched sliding rolls from t = 2 v/(7 mu g) with 5/7 v; its friction work is what
 * the ledger has, and what the event says. */
static void a_launched_ball_rolls_when_it_must(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: 3, inertia: 0.4*3*0.01, contours: {c: {circle: 0.1}}}\n"
                        "contacts: {c: {between: [ball, ground], law: {mu: 0.3}}}\n"
                        "start: {ball.y: 0.1, ball.vx: 2}\n");
    events_go(&r, 1.0, 1e-12);
    const sp_event *stick = events_get(&r, SP_EVENT_STICK, "c", 0);
    assert_near(stick->t, 2.0 * 2.0 / (7.0 * 0.3 * 9.81), 1e-11);
    assert_near(r.x->u[0], 2.0 * 5.0 / 7.0, 1e-11);
    assert_near(r.x->u[2], -2.0 * 5.0 / 7.0 / 0.1, 1e-10);
    assert_near(stick->friction_work, -0.5 * 3.0 * 4.0 * 2.0 / 7.0, 1e-11);
    assert_near(r.x->ledger.friction, stick->friction_work, 1e-13);
    rig_free(&r);
}

/* A mass on a belt, with more friction at rest than sliding: stick 2 D/V, slip
 * 2/w (pi - atan(w D/V)), D = (F_0 - F)/k. */
static void stick_and_slip_on_a_belt_have_the_closed_period(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  belt: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: {s: 0.1*t}}, contours: "
        "{top: {line: [0, 1]}}}\n"
        "  mass: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: "
        "{point: [0, 0]}}}\n"
        "forces: {k: {spring: mass.x, stiffness: 25}}\n"
        "contacts: {c: {between: [mass, belt], law: {mu: 0.2, mu_0: 0.4}}}\n"
        "start: {mass.vx: 0.1, mass.x: 0}\n");
    const double w = 5.0, D = (4.0 - 2.0) / 25.0, V = 0.1, pi = acos(-1.0);
    const double stick = 2.0 * D / V, slip = 2.0 / w * (pi - atan(w * D / V));
    events_go(&r, 4.0 / 25.0 / V + 2.0 * (stick + slip) + 0.01, 1e-12);
    const double t_0 = 4.0 / 25.0 / V; /* first slip: k V t = F_0 */
    assert_near(events_get(&r, SP_EVENT_SLIP, "c", 0)->t, t_0, 1e-11);
    assert_near(events_get(&r, SP_EVENT_STICK, "c", 0)->t, t_0 + slip, 1e-11);
    assert_near(events_get(&r, SP_EVENT_SLIP, "c", 1)->t, t_0 + slip + stick, 1e-11);
    assert_near(events_get(&r, SP_EVENT_STICK, "c", 1)->t, t_0 + 2.0 * slip + stick, 1e-11);
    assert_int_equal(events_count(&r, SP_EVENT_SLIP), 3);
    rig_free(&r);
}

/* mu(v) = 0.5/(1 + v): v' = -g mu(v) has (1 + v)^2 = (1 + v_0)^2 - g t, and stops. */
static void friction_by_speed_slows_down_as_the_integral_says(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  mass: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: "
                        "{point: [0, 0]}}}\n"
                        "contacts: {c: {between: [mass, ground], law: {mu: 0.5/(1 + v)}}}\n"
                        "start: {mass.vx: 2}\n");
    events_go(&r, 0.5, 1e-12);
    assert_near(r.x->u[0], sqrt(9.0 - 5.0) - 1.0, 1e-10);
    events_go(&r, 1.0, 1e-12);
    assert_near(events_get(&r, SP_EVENT_STICK, "c", 0)->t, 0.8, 1e-11);
    assert_true(fabs(r.x->u[0]) < 1e-14);
    rig_free(&r);
}

/* A block of 1 kg is drawn over another one by 12 N: 9 N hold it at rest (mu_0), 3 N when it
 * slides. The floor holds the lower one up to 8 N, which is more than 3 N: it rests, and the upper
 * one moves by (12 - 3) t^2/2.   theory (53.7) */
static void what_slides_first_drags_with_its_friction_of_sliding(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  a: {mass: 1, inertia: 1, contours: {top: {line: [0, 1], at: [0, 0.1]},\n"
                        "      c: {polygon: [[-1, -0.1], [1, -0.1], [1, 0.1], [-1, 0.1]]}}}\n"
                        "  b: {mass: 1, inertia: 0.2,\n"
                        "      contours: {c: {polygon: [[-0.4, -0.05], [0.4, -0.05], [0.4, 0.05], "
                        "[-0.4, 0.05]]}}}\n"
                        "contacts:\n"
                        "  floor: {between: [a.c, ground], law: {mu: 0.4}}\n"
                        "  on: {between: [b.c, a.top], law: {mu: 0.3, mu_0: 0.9}}\n"
                        "forces: {pull: {force: [12, 0], on: b}}\n"
                        "start: {a.y: 0.1, b.y: 0.25}\n");
    events_go(&r, 0.2, 1e-9);
    assert_near(r.x->q[rig_dof(&r, "a.joint.x")], 0.0, 1e-14);
    assert_near(r.x->q[rig_dof(&r, "b.joint.x")], 0.5 * 9.0 * 0.04, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    assert_int_equal(events_count(&r, SP_EVENT_SLIP) + events_count(&r, SP_EVENT_STICK), 0);
    rig_free(&r);
}

/* A block rocks to rest from corner to corner: its impacts accumulate, each pair of them in r times
 * the time of the one before, and it rests where that series ends.   theory (65.10) */
static void a_rocking_block_rests_where_its_impacts_accumulate(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  b: {mass: 1, inertia: 0.01, contours: {box: {box: [0.2, 0.4]}}}\n"
                        "contacts: {c: {between: [b, ground], law: {mu: 0.8}}}\n"
                        "start: {b.y: 0.2*cos(0.02) + 0.1*sin(0.02), b.phi: 0.02}\n");
    events_go(&r, 1.0, 1e-11);
    const sp_event *zeno = &r.event[r.n_event - 2], *close = &r.event[r.n_event - 1];
    double t[3] = {0.0}; /* of the last impacts */
    for (int i = 0; i < r.n_event; i++) {
        if (r.event[i].kind == SP_EVENT_IMPACT) {
            t[0] = t[1];
            t[1] = t[2];
            t[2] = r.event[i].t;
        }
    }
    const double ratio = (t[2] - t[1]) / (t[1] - t[0]);
    assert_int_equal(zeno->kind, SP_EVENT_ZENO);
    assert_int_equal(close->kind, SP_EVENT_CLOSE);
    assert_true(close->slot == zeno->slot && close->t == zeno->t);
    assert_near(zeno->t, t[2] + (t[2] - t[1]) * ratio / (1.0 - ratio), 1e-11);
    assert_true(fabs(r.x->q[2]) < 1e-12 && r.x->ledger.kinetic < 1e-25);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_with_dry_friction_stops_where_and_when_it_must),
        cmocka_unit_test(a_one_way_row_holds_and_lets_go),
        cmocka_unit_test(a_one_way_row_carries_impulses),
        cmocka_unit_test(a_preload_holds_until_it_is_exceeded),
        cmocka_unit_test(a_clutch_catches_and_slips_when_the_algebra_says),
        cmocka_unit_test(a_clutch_that_is_switched_does_not_hang_the_run),
        cmocka_unit_test(a_hinged_beam_comes_to_rest_on_its_end),
        cmocka_unit_test(a_block_on_two_corners_slips_at_the_angle_of_friction),
        cmocka_unit_test(a_launched_ball_rolls_when_it_must),
        cmocka_unit_test(stick_and_slip_on_a_belt_have_the_closed_period),
        cmocka_unit_test(friction_by_speed_slows_down_as_the_integral_says),
        cmocka_unit_test(what_slides_first_drags_with_its_friction_of_sliding),
        cmocka_unit_test(a_rocking_block_rests_where_its_impacts_accumulate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
