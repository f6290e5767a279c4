/* The state a run begins with: absolute and relative values, contradictions, penetration. */
#include "analysis/start.h"

#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define HEAD "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
#define ARMS                                                                                       \
    HEAD                                                                                           \
        "bodies:\n"                                                                                \
        "  a: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground}, points: {tip: [1 m, "     \
        "0]}}\n"                                                                                   \
        "  b: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: a, at: [1 m, 0], turn: 20 deg}}\n"

static void contains(const sp_error *err, const char *word)
{
    if (!strstr(err->text, word)) {
        print_message("'%s' is not in: %s\n", word, err->text);
        fail();
    }
}

/* Where a body is and how it moves, from the joint coordinates of the start. */
static const sp_frame *frame_of(rig *r, const char *body)
{
    sp_kin_positions(r->m, r->x->numbers, r->x->q, &r->w->kin);
    sp_kin_velocities(r->m, r->x->u, &r->w->kin);
    for (int i = 0; i < r->m->n_body; i++) {
        if (strcmp(r->m->body[i].name, body) == 0) {
            return &r->w->kin.frame[i];
        }
    }
    fail();
    return NULL;
}

/* ---- absolute and relative --------------------------------------------------------------------
 */

static void bodies_are_absolute_and_joints_relative(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(ARMS "start: {a.phi: 30 deg, b.phi: 100 deg, a.omega: 2 rad/s, b.omega: -3 "
                             "rad/s}\n");
    assert_near(r.x->q[0], 30.0 * pi / 180.0, 1e-15);
    assert_near(r.x->q[1], 50.0 * pi / 180.0, 1e-15); /* 100 - 30 - 20 */
    assert_near(r.x->u[0], 2.0, 1e-15);
    assert_near(r.x->u[1], -5.0, 1e-15);
    assert_near(frame_of(&r, "b")->phi, 100.0 * pi / 180.0, 1e-15);
    rig_free(&r);

    r = rig_of_text(ARMS "start: {a.joint.phi: 30 deg, b.joint.phi: 50 deg, a.joint.omega: 2 "
                         "rad/s, b.joint.omega: -5 rad/s}\n");
    assert_near(r.x->q[1], 50.0 * pi / 180.0, 1e-15);
    assert_near(r.x->u[1], -5.0, 1e-15);
    rig_free(&r);
}

static void what_is_left_out_is_zero_in_the_joint(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(ARMS "start: {a.phi: 30 deg, a.omega: 2 rad/s}\n");
    assert_true(r.x->q[1] == 0.0 && r.x->u[1] == 0.0);
    assert_near(frame_of(&r, "b")->phi, 50.0 * pi / 180.0, 1e-15);
    assert_near(frame_of(&r, "b")->omega, 2.0, 1e-15);
    rig_free(&r);

    r = rig_of_text(ARMS);
    for (int k = 0; k < 2; k++) {
        assert_true(r.x->q[k] == 0.0 && r.x->u[k] == 0.0);
    }
    assert_true(r.x->t == 0.0);
    rig_free(&r);
}

/* The order in the file does not matter, and angles count on through full turns. */
static void order_does_not_matter_and_turns_are_kept(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(ARMS "start: {b.omega: 1 rad/s, b.phi: -3 rad, a.omega: 4 rad/s, a.phi: 10 "
                             "rad}\n");
    assert_near(r.x->q[0], 10.0, 1e-15);
    assert_near(r.x->q[1], -13.0 - 20.0 * pi / 180.0, 1e-14);
    assert_near(r.x->u[1], -3.0, 1e-15);
    rig_free(&r);
}

static void slider_crank_starts_as_published(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(-0.01);
    double th[CRANK_N], om[CRANK_N];
    crank_absolute(r.x->q, th);
    crank_absolute(r.x->u, om);
    const double speed[CRANK_N] = {150.0, -75.0, -0.01};
    for (int k = 0; k < CRANK_N; k++) {
        assert_near(th[k], 0.0, 1e-15);
        assert_near(om[k], speed[k], 1e-14);
    }
    rig_free(&r);
}

/* ---- sliding joints ---------------------------------------------------------------------------
 */

/* A slide through (0.5, 0.2) at 60 degrees. */
#define SLIDE                                                                                      \
    HEAD "bodies: {ball: {mass: 1 kg, joint: {prismatic: ground, axis: 60 deg, at: [0.5 m, 0.2 "   \
         "m]}}}\n"

static void prismatic_joint_takes_a_place_of_its_body(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(SLIDE "start: {ball.y: 1.2 m, ball.vy: 3 m/s}\n");
    assert_near(r.x->q[0], 1.0 / sin(pi / 3.0), 1e-14);
    assert_near(r.x->u[0], 3.0 / sin(pi / 3.0), 1e-14);
    assert_near(frame_of(&r, "ball")->x.y, 1.2, 1e-15);
    assert_near(frame_of(&r, "ball")->v.y, 3.0, 1e-15);
    rig_free(&r);

    r = rig_of_text(SLIDE "start: {ball.x: 0.1 m, ball.vx: -2 m/s}\n");
    assert_near(r.x->q[0], -0.4 / cos(pi / 3.0), 1e-14);
    assert_near(r.x->u[0], -2.0 / cos(pi / 3.0), 1e-14);
    rig_free(&r);

    r = rig_of_text(SLIDE "start: {ball.joint.s: 0.3 m, ball.joint.v: -2 m/s}\n");
    assert_near(r.x->q[0], 0.3, 1e-15);
    assert_near(r.x->u[0], -2.0, 1e-15);
    rig_free(&r);
}

static void place_off_the_slide_is_refused(void **ctx)
{
    (void)ctx;
    const double s = 1.3;
    rig r = rig_of_text(SLIDE "start: {ball.x: %.17g m, ball.y: %.17g m}\n",
                        0.5 + s * cos(pi / 3.0), 0.2 + s * sin(pi / 3.0));
    assert_near(r.x->q[0], s, 1e-9);
    rig_free(&r);

    sp_error err = rig_refused(SLIDE "start: {ball.x: 1 m,\n  ball.y: 7 m}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "ball.");
    assert_true(err.line == 5 || err.line == 6);
    assert_true(err.column > 0);

    err = rig_refused(SLIDE "start: {ball.phi: 10 deg}\n");
    contains(&err, "ball.phi");
    err = rig_refused(SLIDE "start: {ball.omega: 1 rad/s}\n");
    contains(&err, "ball.omega");
    err = rig_refused(SLIDE "start: {ball.joint.s: 0.3 m, ball.y: 5 m}\n");
    contains(&err, "ball.y");
    err = rig_refused(SLIDE "start: {ball.vx: 1 m/s, ball.vy: 0 m/s}\n");
    contains(&err, "ball.v");
}

static void vertical_slide_takes_y_and_refuses_x(void **ctx)
{
    (void)ctx;
    const char *const slide =
        HEAD "bodies: {ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}}}\n";
    rig r = rig_of_text("%sstart: {ball.y: -4 m, ball.x: 0, ball.phi: 0, ball.vx: 0}\n", slide);
    assert_true(r.x->q[0] == -4.0);
    rig_free(&r);
    const sp_error err = rig_refused("%sstart: {ball.y: -4 m, ball.x: 1 mm}\n", slide);
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "ball.x");
    assert_int_equal(err.line, 5);
}

static void free_joint_with_some_coordinates_takes_those(void **ctx)
{
    (void)ctx;
    const char *const puck = HEAD "bodies: {puck: {mass: 1 kg, inertia: 1 kg*m^2, joint: {free: "
                                  "ground, at: [1 m, 2 m], turn: 30 deg, only: [%s]}}}\n";
    char yaml[512];
    snprintf(yaml, sizeof yaml, puck, "x, y");
    rig r = rig_of_text("%sstart: {puck.x: 3 m, puck.y: -1 m, puck.vx: 1 m/s, puck.vy: 2 m/s, "
                        "puck.phi: 30 deg}\n",
                        yaml);
    assert_int_equal(r.m->n_dof, 2);
    const sp_frame *f = frame_of(&r, "puck");
    assert_near(f->x.x, 3.0, 1e-14);
    assert_near(f->x.y, -1.0, 1e-14);
    assert_near(f->v.x, 1.0, 1e-14);
    assert_near(f->v.y, 2.0, 1e-14);
    rig_free(&r);
    sp_error err = rig_refused("%sstart: {puck.phi: 31 deg}\n", yaml);
    contains(&err, "puck.phi");
    err = rig_refused("%sstart: {puck.joint.phi: 0}\n", yaml);
    assert_int_equal(err.status, SP_E_INPUT);

    snprintf(yaml, sizeof yaml, puck, "y, phi");
    r = rig_of_text("%sstart: {puck.phi: 70 deg, puck.joint.y: 0.5 m, puck.omega: 3 rad/s}\n",
                    yaml);
    assert_int_equal(r.m->n_dof, 2);
    f = frame_of(&r, "puck");
    assert_near(f->phi, 70.0 * pi / 180.0, 1e-14);
    assert_near(r.x->q[1], 40.0 * pi / 180.0, 1e-14);
    assert_near(f->x.x, 1.0 - 0.5 * sin(pi / 6.0), 1e-14);
    assert_near(f->x.y, 2.0 + 0.5 * cos(pi / 6.0), 1e-14);
    assert_near(f->omega, 3.0, 1e-15);
    rig_free(&r);
    err = rig_refused("%sstart: {puck.x: 1 m, puck.y: 5 m}\n", yaml);
    contains(&err, "puck.");
}

/* The joint moves with its parent: what is given absolutely comes out so. */
static void free_joint_on_a_turning_parent_reaches_what_is_given(void **ctx)
{
    (void)ctx;
    rng random = {.state = 42};
    for (int i = 0; i < 50; i++) {
        double v[9];
        for (int k = 0; k < 9; k++) {
            v[k] = rng_in(&random, -3.0, 3.0);
        }
        rig r = rig_of_text(
            HEAD "bodies:\n"
                 "  arm: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground, at: [1 m, 0]}}\n"
                 "  sled: {mass: 1 kg, inertia: 1 kg*m^2, joint: {prismatic: arm, axis: 35 deg, "
                 "at: [0.3 m, 0.4 m]}}\n"
                 "  puck: {mass: 1 kg, inertia: 1 kg*m^2, joint: {free: sled, at: [1 m, 0.2 m], "
                 "turn: 15 deg, from: [0.1 m, -0.3 m]}}\n"
                 "start: {arm.phi: %.17g, arm.omega: %.17g, sled.joint.s: %.17g,\n"
                 "  sled.joint.v: 0.7 m/s,\n"
                 "  puck.x: %.17g, puck.y: %.17g, puck.phi: %.17g, puck.vx: %.17g, puck.vy: %.17g, "
                 "puck.omega: %.17g}\n",
            v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
        const sp_frame *f = frame_of(&r, "puck");
        assert_near(f->x.x, v[3], 1e-13);
        assert_near(f->x.y, v[4], 1e-13);
        assert_near(f->phi, v[5], 1e-13);
        assert_near(f->v.x, v[6], 1e-13);
        assert_near(f->v.y, v[7], 1e-13);
        assert_near(f->omega, v[8], 1e-13);
        rig_free(&r);
    }
}

/* ---- contradictions ---------------------------------------------------------------------------
 */

static void contradictions_are_refused_where_they_stand(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(ARMS "start: {a.phi: 30 deg, a.joint.phi: 30 deg, b.omega: 3 rad/s,\n"
                             "  b.joint.omega: 3 rad/s}\n");
    rig_free(&r);
    sp_error err = rig_refused(ARMS "start:\n  a.phi: 30 deg\n  a.joint.phi: 31 deg\n");
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "a.phi");
    assert_true(err.line >= 8 && err.line <= 9);
    err = rig_refused(ARMS "start:\n  a.omega: 1 rad/s\n  b.omega: 3 rad/s\n  b.joint.omega: 3 "
                           "rad/s\n");
    contains(&err, "b.omega");
    err = rig_refused(ARMS "start: {a.x: 1 m}\n"); /* the pivot does not move */
    contains(&err, "a.x");
    err = rig_refused(ARMS "start: {b.x: 0.5 m}\n"); /* a's angle is not solved for */
    contains(&err, "b.x");
    r = rig_of_text(ARMS "start: {a.phi: 60 deg, b.x: %.17g m, b.y: %.17g m}\n", cos(pi / 3.0),
                    sin(pi / 3.0));
    rig_free(&r);
}

static void values_of_points_and_fixed_bodies_are_refused(void **ctx)
{
    (void)ctx;
    sp_error err = rig_refused(ARMS "start: {a.tip.vy: 1 m/s}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "a.tip.vy");
    contains(&err, "point");
    assert_int_equal(err.line, 7);
    err = rig_refused(ARMS "  c: {mass: 1 kg, joint: {weld: ground}}\nstart: {c.x: 0}\n");
    contains(&err, "c.x");
    err = rig_refused(ARMS "start: {a.speed: 1}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    err = rig_refused(ARMS "start: {z.phi: 1}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    err = rig_refused(ARMS "start: {a.phi: 1 m}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    err = rig_refused(ARMS "start: {a.phi: 0/0}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    err = rig_refused(ARMS "start: {a.phi: 1e308*10}\n");
    assert_int_equal(err.status, SP_E_INPUT);
}

/* ---- penetration ------------------------------------------------------------------------------
 */

#define FLOOR "  ground: {contours: {floor: {line: [0, 1]}}}\n"

static const char *const ball_on_floor = HEAD
    "bodies:\n" FLOOR "  ball: {mass: 2 kg, inertia: 0.1 kg*m^2, contours: {skin: {circle: 0.1 "
    "m}}}\n"
    "contacts:\n  knock: {between: [ball, ground], law: {mu: 0.3}}\n";

static void penetration_at_the_start_is_refused(void **ctx)
{
    (void)ctx;
    const sp_error err = rig_refused("%sstart: {ball.y: 99 mm}\n", ball_on_floor);
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "knock");
    contains(&err, "-0.001");
    contains(&err, "start: project");
    assert_int_equal(err.line, 8); /* of the contact */
    rig r = rig_of_text("%sstart: {ball.y: 100 mm}\n", ball_on_floor);
    rig_free(&r);
    r = rig_of_text("%sstart: {ball.y: %.17g m}\n", ball_on_floor, 0.1 - 1e-12); /* round-off */
    rig_free(&r);
    rig_refused("%sstart: {ball.y: %.17g m}\n", ball_on_floor, 0.1 - 1e-9);
}

static void project_moves_a_ball_out_and_keeps_its_velocity(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("%sstart: {ball.x: 0.4 m, ball.y: 80 mm, ball.vy: -2 m/s, ball.omega: 1 "
                        "rad/s}\nrun: {until: 1 s, start: project}\n",
                        ball_on_floor);
    assert_near(r.x->q[0], 0.4, 1e-15);
    assert_near_scaled(r.x->q[1], 0.1, 1.0, 1e-10);
    assert_near(r.x->q[2], 0.0, 1e-15);
    assert_true(r.x->u[1] == -2.0 && r.x->u[2] == 1.0);
    sp_step_refresh(r.m, r.x, r.w);
    /* the ledger begins with the state of the file: 2 kg at 80 mm, lifted by 20 mm */
    assert_near(r.x->ledger.projection, 2.0 * 9.81 * 0.02, 1e-10);
    assert_near(r.x->ledger.initial, 2.0 * 9.81 * 0.08 + 4.0 + 0.05, 1e-10);
    rig_free(&r);
}

/* A stick that dips its tip: the smallest mass-weighted change is M^-1 W_N p, so both its height
 * and its angle change, in the ratio 1/m : l/2 sin(a)/J. */
static void project_changes_as_little_as_it_can(void **ctx)
{
    (void)ctx;
    const double depth = 1e-5, a = 0.7, l = 0.5, m = 2.0, J = 0.1;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  stick: {mass: %g kg, inertia: %g kg*m^2, contours: {tip: {point: "
                             "[0, %g m]}}}\n"
                             "contacts: {c: {between: [stick, ground], law: {mu: 0.3}}}\n"
                             "start: {stick.y: %.17g m, stick.phi: %g}\n"
                             "run: {until: 1 s, start: project}\n",
                        m, J, -l, l * cos(a) - depth, a);
    const double W_y = 1.0, W_phi = l * sin(a), p = depth / (W_y * W_y / m + W_phi * W_phi / J);
    assert_near_scaled(r.x->q[0], 0.0, depth, 1e-9);
    assert_near_scaled(r.x->q[1] - (l * cos(a) - depth), W_y / m * p, depth, 1e-3);
    assert_near_scaled(r.x->q[2] - a, W_phi / J * p, depth, 1e-3);
    assert_near_scaled(r.x->q[1] - l * cos(r.x->q[2]), 0.0, 1.0, 1e-9);
    rig_free(&r);
}

/* Both ends dip: it takes the two contacts together. */
static void project_opens_all_contacts_at_once(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  block: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: "
                             "[0.2 m, 0.1 m]}}}\n"
                             "  lid: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: "
                             "[0.3 m, 0.1 m]}}}\n"
                             "contacts: {c: {between: [block, ground], law: {mu: 0.3}}, d: "
                             "{between: [lid, block], law: {mu: 0.3}}}\n"
                             "start: {block.y: 48 mm, block.phi: 0.01, lid.y: 145 mm}\n"
                             "run: {until: 1 s, start: project}\n");
    sp_kin_positions(r.m, r.x->numbers, r.x->q, &r.w->kin);
    sp_con_gaps(r.m, r.x->numbers, &r.w->kin, &r.w->con);
    for (int i = 0; i < r.m->n_slot; i++) {
        assert_true(r.w->con.g[i] >= -1e-10);
    }
    print_message("least gap after projection %.1e m\n", r.w->con.least);
    /* no further than needed, but for what turning by 0.02 rad adds in second order */
    assert_true(r.w->con.least < 0.16 * 0.02 * 0.02 / 2.0);
    rig_free(&r);
}

/* A ball between two walls nearer than its diameter cannot be helped. */
static void what_cannot_be_projected_is_refused(void **ctx)
{
    (void)ctx;
    const sp_error err =
        rig_refused(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}, roof: {line: [0, "
                         "-1], at: [0, 0.19 m]}}}\n"
                         "  ball: {mass: 2 kg, inertia: 0.1 kg*m^2, contours: {skin: {circle: 0.1 "
                         "m}}}\n"
                         "contacts: {knock: {between: [ball, ground], law: {mu: 0.3}}}\n"
                         "start: {ball.y: 95 mm}\nrun: {until: 1 s, start: project}\n");
    assert_int_equal(err.status, SP_E_INPUT);
    contains(&err, "knock");
}

/* ---- numbers at the start ---------------------------------------------------------------------
 */

static void force_that_divides_by_zero_at_the_start_is_refused(void **ctx)
{
    (void)ctx;
    const sp_error err = rig_refused(
        ARMS "forces: {ok: {torque: 1 N*m, on: a}, pull: {torque: 1 N*m / a.phi, on: a}}\n");
    assert_true(err.status != SP_OK);
    contains(&err, "pull");
    rig r = rig_of_text(ARMS "forces: {pull: {torque: 1 N*m / a.phi, on: a}}\nstart: {a.phi: 1}\n");
    rig_free(&r);
}

static void output_that_divides_by_zero_at_the_start_is_refused(void **ctx)
{
    (void)ctx;
    const sp_error err = rig_refused(ARMS "outputs: {ok: a.phi, bad: 1/a.phi}\n");
    assert_true(err.status != SP_OK);
    contains(&err, "bad");
}

/* Points of a spring that lie on each other have no direction between them. */
static void spring_of_no_length_does_not_break_the_start(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(ARMS "  c: {mass: 1 kg, inertia: 1 kg*m^2}\n"
                             "forces: {coil: {spring: [a.tip, c], stiffness: 10 N/m, rest: 0}}\n"
                             "start: {c.x: 1 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 10);
    for (int k = 0; k < r.m->n_dof; k++) {
        assert_true(isfinite(r.x->q[k]) && isfinite(r.x->u[k]));
    }
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_absolute_and_joints_relative),
        cmocka_unit_test(what_is_left_out_is_zero_in_the_joint),
        cmocka_unit_test(order_does_not_matter_and_turns_are_kept),
        cmocka_unit_test(slider_crank_starts_as_published),
        cmocka_unit_test(prismatic_joint_takes_a_place_of_its_body),
        cmocka_unit_test(place_off_the_slide_is_refused),
        cmocka_unit_test(vertical_slide_takes_y_and_refuses_x),
        cmocka_unit_test(free_joint_with_some_coordinates_takes_those),
        cmocka_unit_test(free_joint_on_a_turning_parent_reaches_what_is_given),
        cmocka_unit_test(contradictions_are_refused_where_they_stand),
        cmocka_unit_test(values_of_points_and_fixed_bodies_are_refused),
        cmocka_unit_test(penetration_at_the_start_is_refused),
        cmocka_unit_test(project_moves_a_ball_out_and_keeps_its_velocity),
        cmocka_unit_test(project_changes_as_little_as_it_can),
        cmocka_unit_test(project_opens_all_contacts_at_once),
        cmocka_unit_test(what_cannot_be_projected_is_refused),
        cmocka_unit_test(force_that_divides_by_zero_at_the_start_is_refused),
        cmocka_unit_test(output_that_divides_by_zero_at_the_start_is_refused),
        cmocka_unit_test(spring_of_no_length_does_not_break_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
