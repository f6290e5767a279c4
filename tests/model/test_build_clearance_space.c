/* Joints with play in space: what they build, closed forms of how far they let a body tilt, and the
 * runs of planar machines. */
#include "test_build.h"

#include "support/check.h"
#include "support/run.h"

#define SPACE "specht: 1\nname: Test\nspace: spatial\ngravity: 0\n"

/* The place of a contour on its body. */
static void expect_place(const sp_model *m, const char *name, double x, double y, double z)
{
    for (int k = 0; k < m->n_contour; k++) {
        if (strcmp(m->contour[k].name, name) == 0) {
            expect_near(m->numbers.contour[k].mark.at[0], x, 1e-15);
            expect_near(m->numbers.contour[k].mark.at[1], y, 1e-15);
            expect_near(m->numbers.contour[k].mark.at[2], z, 1e-15);
            return;
        }
    }
    fail_msg("no contour '%s'", name);
}

static void a_hinge_becomes_a_pin_with_round_ends_in_a_bore(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        SPACE "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
              "joints: {p: {revolute: [ground, b], axis: [0, 0, 1], other_axis: [1, 0, 0], at: [1, "
              "2, 3], from: [0.1, 0, 0], clearance: 1 mm, radius: 10 mm, length: 40 mm, axial: 2 "
              "mm, law: {mu: 0.2}}}\n");
    assert_int_equal(m->n_slot, 6); /* two ends against the bore and two walls */
    assert_int_equal(m->n_bond, 0);
    assert_string_equal(m->slot[0].name, "p.front.hole");
    assert_string_equal(m->slot[4].name, "p.back.front_wall");
    expect_place(m, "b.p.front", 0.12, 0.0, 0.0); /* along the other axis on b */
    expect_place(m, "b.p.back", 0.08, 0.0, 0.0);
    assert_int_equal(m->n_solid, 1); /* for pictures: along x of b */
    assert_int_equal(m->solid[0].kind, SP_SOLID_CYLINDER);
    const sp_vec3 z = sp_rot3_of(m->solid[0].turn).z;
    expect_near(z.x, 1.0, 1e-15);
    expect_near(m->solid[0].at[0], 0.1, 1e-15);
    expect_place(m, "ground.p.hole", 1.0, 2.0, 3.0);
    expect_place(m, "ground.p.front_wall", 1.0, 2.0, 3.032); /* 20 + 10 + 2 mm away */
    expect_near(m->numbers.contour[m->slot[0].contour_b].radius, 0.011, 1e-18);
    sp_model_free(m);
}

/* In the tree, and with `turn` on the second body, the block lies along the axis as the body stands
 * in the joint's frame. */
static void a_guide_becomes_eight_corners_between_four_walls(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        SPACE
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: ground, axis: [1, 0, 0], turn: {z: "
        "90 deg}, at: [0.5, 0, 0], clearance: 1 mm, size: [0.4, 0.2, 0.1]}}\n"
        "  b: {mass: 1, inertia: [1, 1, 1]}\n"
        "joints: {g: {prismatic: [ground, b], axis: [1, 0, 0], up: [1, 0, 2], turn: {z: 90 deg}, "
        "clearance: 1 mm, size: [0.4, 0.2, 0.1], law: {}}}\n");
    assert_int_equal(m->n_slot, 64);
    assert_string_equal(m->slot[0].name, "g.back_lower_right.upper");
    assert_string_equal(m->slot[32].name, "a.joint.back_lower_right.upper");
    /* the guide of a goes along y of the ground; its upper wall is at x = 0.5 - 0.101 */
    expect_place(m, "ground.a.joint.upper", 0.399, 0.0, 0.0);
    expect_place(m, "ground.a.joint.left", 0.5, 0.0, 0.051);
    expect_place(m, "a.a.joint.front_upper_left", 0.2, 0.1, 0.05);
    /* up of g is z, left -y; b is turned by 90 deg about z: the world's x is its -y */
    expect_place(m, "ground.g.upper", 0.0, 0.0, 0.101);
    expect_place(m, "ground.g.left", 0.0, -0.051, 0.0);
    expect_place(m, "b.g.front_upper_left", -0.05, -0.2, 0.1);
    sp_model_free(m);
}

/* The example in space and in the plane: the same run while round-off, which every one of the
 * dozens of impacts multiplies, has not grown; corners come in pairs, so do events. */
static void the_slider_crank_in_space_runs_as_the_planar_one(void **ctx)
{
    (void)ctx;
    const char *const set[] = {"omega_s=0 rad/s", NULL};
    rig a = rig_of_file("examples/slider_crank/slider_crank_joint.yaml", set);
    rig b = rig_of_file("examples/slider_crank/slider_crank_space.yaml", set);
    assert_int_equal(b.m->n_slot, 32);
    for (int i = 0; i < 20; i++) {
        rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 1000);
        rig_steps(&b, SP_METHOD_MOREAU, 1e-5, 1000);
        for (int d = 0; d < a.m->n_dof; d++) {
            expect_near(b.x->q[d], a.x->q[d], 1e-9 * (1.0 + fabs(a.x->q[d])));
            expect_near(b.x->u[d], a.x->u[d], 1e-7 * (1.0 + fabs(a.x->u[d])));
        }
        assert_int_equal(b.n_event, 2 * a.n_event);
    }
    assert_true(a.n_event > 100);
    rig_free(&a);
    rig_free(&b);
}

/* A disc on a pin with play, swung round and dropped: 3 degrees of freedom in the plane, 6 in
 * space, none of the other 3 moves. */
static void a_pin_in_space_that_stays_in_its_plane_runs_as_in_the_plane(void **ctx)
{
    (void)ctx;
    rig a = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                        "bodies: {d: {mass: 1 kg, inertia: 2e-3 kg*m^2, center: [5 cm, 0], joint: "
                        "{revolute: ground, clearance: 0.5 mm, radius: 8 mm, law: {mu: 0.2, eps_N: "
                        "0.3}}}}\nstart: {d.omega: 20 rad/s}\nrun: {until: 1 s, step: 1 ms}\n");
    rig b = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: [0, -9.81 m/s^2, 0]\n"
        "bodies: {d: {mass: 1 kg, inertia: 2e-3 kg*m^2, center: [5 cm, 0, 0], joint: "
        "{revolute: ground, axis: [0, 0, 1], clearance: 0.5 mm, radius: 8 mm, length: 30 mm, "
        "axial: 1 mm, law: {mu: 0.2, eps_N: 0.3}}}}\nstart: {d.omega_z: 20 rad/s}\n"
        "run: {until: 1 s, step: 1 ms}\n");
    for (int i = 0; i < 10; i++) {
        rig_steps(&a, SP_METHOD_MOREAU, 1e-4, 200);
        rig_steps(&b, SP_METHOD_MOREAU, 1e-4, 200);
        expect_near(b.x->q[0], a.x->q[0], 1e-9);
        expect_near(b.x->q[1], a.x->q[1], 1e-9);
        expect_near(b.x->q[2], 0.0, 1e-9);
        expect_near(2.0 * atan2(b.x->q[6], b.x->q[3]), remainder(a.x->q[2], 4.0 * acos(-1.0)),
                    1e-8);
        expect_near(b.x->u[5], a.x->u[2], 1e-7 * fabs(a.x->u[2]));
        expect_near(hypot(b.x->u[3], b.x->u[4]), 0.0, 1e-7);
    }
    assert_int_equal(b.n_event, 2 * a.n_event);
    assert_true(a.n_event > 2);
    rig_free(&a);
    rig_free(&b);
}

/* What a time step lets be missing at rest: the way of one step from rest, T/J dt^2, here with
 * T/J <= 2000 rad/s^2. */
#define STEP       1e-4
#define SHORT_OF   (2000.0 * STEP * STEP)
#define KINEMATICS 1e-15 /* m: gaps of a body that is placed by hand */

/* Run until it rests; the machine must have come to rest. */
static void settle(rig *r)
{
    rig_steps(r, SP_METHOD_MOREAU, STEP, 3000);
    for (int k = 0; k < r->m->n_dof; k++) {
        expect_near(r->x->u[k], 0.0, 1e-9);
    }
}

/* The angle by which the body's quaternion, behind x, y, z, is turned. */
static double angle_of(const rig *r)
{
    const double *q = r->x->q + 3;
    return 2.0 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), q[0]);
}

/* Gap of a contact at the start. */
static double gap_of(rig *r, const char *slot)
{
    sp_step_refresh(r->m, r->x, r->w);
    return r->x->g[rig_slot(r, slot)];
}

/* theory (22.2): sin(alpha) = 2 c / l, whatever the radius; an end on either side. */
static void a_pin_tilts_until_both_its_ends_touch(void **ctx)
{
    (void)ctx;
    static const double c[] = {2e-4, 1e-3, 5e-3}, l[] = {0.04, 0.1, 0.02};
    for (int k = 0; k < 6; k++) {
        const double alpha = asin(2.0 * c[k / 2] / l[k / 2]);
        static const char format[] =
            SPACE "bodies: {b: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {%s: ground, axis: [0, 0, "
                  "1], clearance: %.17g, radius: 5 mm, length: %.17g, law: {mu: 0.1}}}}\nforces: "
                  "{lean: {torque: [0.6 N*m, 0.8 N*m, 0], on: b}}\nstart: {b.turn: {align: [0, 0, "
                  "1], to: [%.17g, %.17g, %.17g]}}\nrun: {until: 1 s, step: 1 ms}\n";
        const char *joint = k % 2 ? "prismatic" : "revolute";
        rig r = rig_of_text(format, joint, c[k / 2], l[k / 2], 0.8 * sin(alpha), -0.6 * sin(alpha),
                            cos(alpha));
        expect_near(gap_of(&r, "b.joint.front"), 0.0, KINEMATICS);
        expect_near(gap_of(&r, "b.joint.back"), 0.0, KINEMATICS);
        rig_free(&r);
        r = rig_of_text(format, joint, c[k / 2], l[k / 2], 0.0, 0.0, 1.0);
        settle(&r);
        expect_near(angle_of(&r), alpha, SHORT_OF);
        rig_free(&r);
    }
}

/* theory (22.4): a block of half length L and half height H turns until
 * L sin(alpha) + H cos(alpha) = H + c. */
static void a_block_turns_until_two_edges_touch(void **ctx)
{
    (void)ctx;
    const double L = 0.05, c = 1e-3;
    for (int yaw = 0; yaw < 2; yaw++) {
        const double H = yaw ? 0.01 : 0.02; /* half the width, half the height */
        const double alpha = asin((H + c) / hypot(L, H)) - atan2(H, L);
        static const char format[] =
            SPACE "bodies: {b: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {prismatic: ground, axis: "
                  "[1, 0, 0], up: [0, 0, 1], clearance: %g, size: [%g, 40 mm, 20 mm]}}}\nforces: "
                  "{turn: {torque: %s, on: b}}\nstart: {b.turn: {%s: %.17g}}\nrun: {until: 1 s, "
                  "step: 1 ms}\n";
        const char *torque = yaw ? "[0, 0, 2 N*m]" : "[0, 2 N*m, 0]", *about = yaw ? "z" : "y";
        rig r = rig_of_text(format, c, 2.0 * L, torque, about, alpha);
        expect_near(
            gap_of(&r, yaw ? "b.joint.front_upper_right.right" : "b.joint.back_upper_left.upper"),
            0.0, KINEMATICS);
        rig_free(&r);
        r = rig_of_text(format, c, 2.0 * L, torque, about, 0.0);
        settle(&r);
        expect_near(angle_of(&r), alpha, SHORT_OF);
        rig_free(&r);
    }
}

static void walls_before_the_ends_hold_the_pin_along_its_axis(void **ctx)
{
    (void)ctx;
    for (int walls = 0; walls < 2; walls++) {
        rig r = rig_of_text(SPACE "bodies: {b: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: "
                                  "{revolute: ground, axis: [0, 0, 1], clearance: 1 mm, radius: 5 "
                                  "mm, length: 30 mm%s}}}\nforces: {push: {force: [0, 0, -1 N], "
                                  "on: b}}\nrun: {until: 1 s, step: 1 ms}\n",
                            walls ? ", axial: 2 mm" : "");
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 300);
        expect_near(r.x->q[2], walls ? -2e-3 : -0.5 * 0.3 * 0.3, 1e-9);
        rig_free(&r);
    }
}

static void outputs_may_ask_for_contacts_of_joints(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        SPACE "bodies: {b: {mass: 1, inertia: [1, 1, 1], joint: {revolute: ground, axis: [0, 0, "
              "1], clearance: 1 mm, radius: 5 mm, length: 30 mm}}, c: {mass: 1, inertia: [1, 1, "
              "1], joint: {revolute: ground, axis: [0, 0, 1], range: [0, 1 rad]}}}\n"
              "outputs: {g: b.joint.front.g_N/(1 mm), T: c.joint.upper.lambda_N, w: "
              "c.joint.upper.gamma_N}\n");
    assert_string_equal(m->output[0].unit, "1");
    assert_string_equal(m->output[1].unit, "N*m"); /* a stop of an angle */
    assert_string_equal(m->output[2].unit, "rad/s");
    sp_model_free(m);
}

static void refusals_in_space_say_what_is_missing(void **ctx)
{
    (void)ctx;
#define B "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
    expect_errors(SPACE B
                  "joints: {p: {revolute: [ground, b], axis: [0, 0, 1], clearance: 1 mm, radius: 1 "
                  "mm, law: {}}}\n",
                  "6:13: joint 'p': missing key 'length': Length of the pin between the centres of "
                  "its round ends, with which it touches the hole.\n");
    expect_errors(SPACE B "joints: {p: {prismatic: [ground, b], axis: [0, 0, 1], clearance: 1 mm, "
                          "size: [1 m, 1 m], law: {}}}\n",
                  "6:78: joint 'p': size has 2 entries, expected 3: a length, a height and a width "
                  "[l, h, w] [m]\n");
    expect_errors(SPACE B "joints: {p: {prismatic: [ground, b], axis: [0, 0, 1], clearance: 1 mm, "
                          "size: [1 m, 1 m, 0 m], law: {}}}\n",
                  "6:89: joint 'p': size = 0 m, expected > 0\n");
    expect_errors(SPACE B "joints: {p: {prismatic: [ground, b], axis: [0, 0, 1], clearance: 1 mm, "
                          "size: [1 m, 1 m, 1 m], radius: 1 m, length: 1 m, law: {}}}\n",
                  "6:95: joint 'p': 'size' is a block, 'radius' a round bar, expected one of "
                  "them\n");
    expect_errors(SPACE B "joints: {p: {prismatic: [ground, b], axis: [0, 0, 1], up: [0, 0, 2], "
                          "clearance: 1 mm, size: [1 m, 1 m, 1 m], law: {}}}\n",
                  "6:59: joint 'p': 'up' points along the axis, expected a direction across it\n");
    expect_errors(TOP "bodies: {b: {mass: 1, inertia: 1}}\njoints: {p: {revolute: [ground, b], "
                      "clearance: 1 mm, radius: 1 mm, length: 1 m, law: {}}}\n",
                  "6:68: joint 'p': 'length' exists only in space, with 'space: spatial'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_becomes_a_pin_with_round_ends_in_a_bore),
        cmocka_unit_test(a_guide_becomes_eight_corners_between_four_walls),
        cmocka_unit_test(the_slider_crank_in_space_runs_as_the_planar_one),
        cmocka_unit_test(a_pin_in_space_that_stays_in_its_plane_runs_as_in_the_plane),
        cmocka_unit_test(a_pin_tilts_until_both_its_ends_touch),
        cmocka_unit_test(a_block_turns_until_two_edges_touch),
        cmocka_unit_test(walls_before_the_ends_hold_the_pin_along_its_axis),
        cmocka_unit_test(outputs_may_ask_for_contacts_of_joints),
        cmocka_unit_test(refusals_in_space_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
