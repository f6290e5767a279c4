/* Joints with play: the contours they build, the same runs as contours by hand, refusals. */
#include "test_build.h"

#include "support/run.h"

static void a_guide_becomes_a_block_between_two_walls(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "bodies: {b: {mass: 1, inertia: 1}}\n"
            "joints: {g: {prismatic: [ground, b], axis: [0.6, 0.8], at: [1, 2], from: [0.1, 0.2], "
            "turn: 0.3, clearance: 1 mm, size: [0.4, 0.2], law: {mu: 0.3, eps_N: 0.5}}}\n");
    assert_int_equal(m->n_slot, 8); /* four corners on two walls */
    assert_int_equal(m->n_bond, 0);
    assert_int_equal(m->n_contour, 3);
    assert_string_equal(m->slot[0].name, "g.back_lower.upper");
    assert_string_equal(m->slot[6].name, "g.front_upper.lower");
    assert_string_equal(m->contour[0].name, "b.g.block");
    assert_string_equal(m->contour[1].name, "ground.g.upper");
    expect_near(m->numbers.law[m->slot[0].law].mu, 0.3, 0.0);
    /* walls: 0.101 m from the axis, normals towards it */
    const double(*v)[2] = m->numbers.vertex;
    const double *upper = v[m->contour[1].vertex], *lower = v[m->contour[2].vertex];
    expect_near(upper[0], 1.0 - 0.101 * 0.8, 1e-15);
    expect_near(upper[1], 2.0 + 0.101 * 0.6, 1e-15);
    expect_near(lower[0], 1.0 + 0.101 * 0.8, 1e-15);
    expect_near(m->numbers.contour[1].normal[0], 0.8, 1e-15);
    expect_near(m->numbers.contour[2].normal[0], -0.8, 1e-15);
    /* the block lies along the axis where the body is turned by 0.3 rad */
    const double angle = atan2(0.8, 0.6) - 0.3;
    for (int i = 0; i < 4; i++) {
        const double x = (i == 1 || i == 2 ? 0.2 : -0.2), y = (i > 1 ? 0.1 : -0.1);
        const double *corner = v[m->contour[0].vertex + i];
        expect_near(corner[0], 0.1 + x * cos(angle) - y * sin(angle), 1e-15);
        expect_near(corner[1], 0.2 + x * sin(angle) + y * cos(angle), 1e-15);
    }
    sp_model_free(m);
}

static void a_hinge_becomes_a_pin_in_a_hole(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "laws: {steel: {mu: 0.1, eps_N: 0.7}}\n"
                     "bodies: {a: {mass: 1, inertia: 1, joint: {revolute: ground}}, b: "
                     "{mass: 1, inertia: 1, points: {eye: [0.3, 0.1]}}}\n"
                     "joints: {p: {revolute: [a, b.eye], at: [0.5, 0], clearance: 0.5 mm, "
                     "radius: 10 mm, law: steel}}\n");
    assert_int_equal(m->n_slot, 1);
    const sp_slot *s = &m->slot[0];
    assert_int_equal(s->kind, SP_SLOT_HOLLOW);
    assert_string_equal(s->name, "p");
    assert_string_equal(m->body[s->body_a].name, "b");
    assert_string_equal(m->body[s->body_b].name, "a");
    expect_near(m->numbers.radius[s->vertex_a], 0.01, 0.0);
    expect_near(m->numbers.contour[s->contour_b].radius, 0.0105, 1e-18);
    expect_near(m->numbers.vertex[s->vertex_a][0], 0.3, 0.0);
    expect_near(m->numbers.vertex[m->contour[s->contour_b].vertex][0], 0.5, 0.0);
    sp_model_free(m);
}

static void a_family_of_joints_gets_contours_of_their_own(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "bodies: {b: {count: 3, mass: 1, inertia: 1}}\n"
                     "joints: {p: {count: 3, revolute: [ground, b.(i)], at: [0.1 m * i, 0], "
                     "clearance: 1 mm, radius: 1 mm, law: {}}}\n");
    assert_int_equal(m->n_slot, 3);
    assert_string_equal(m->contour[5].name, "ground.p.3.hole");
    sp_model_free(m);
}

/* In the tree the body moves freely; a guide whose frame is turned on the parent. */
static void joints_of_the_tree_with_play_let_their_bodies_go(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, joint: {revolute: ground, at: [1, 2], from: [0.1, 0.2], "
        "clearance: 1 mm, radius: 4 mm, law: {mu: 0.2}}}\n"
        "  b: {mass: 1, inertia: 1, joint: {prismatic: a, axis: [1, 0], turn: 90 deg, at: [0.5, "
        "0], clearance: 2 mm, size: [0.4, 0.2]}}\n");
    assert_int_equal(m->n_dof, 6);
    assert_int_equal(m->n_slot, 9);
    assert_string_equal(m->slot[0].name, "a.joint");
    assert_string_equal(m->slot[1].name, "b.joint.back_lower.upper");
    expect_near(m->numbers.law[m->slot[0].law].mu, 0.2, 0.0);
    expect_near(m->numbers.law[m->slot[1].law].mu, 0.0, 0.0);
    expect_near(m->numbers.contour[m->slot[0].contour_b].radius, 0.005, 1e-18);
    expect_near(m->numbers.vertex[m->slot[0].vertex_a][1], 0.2, 0.0);
    /* the guide goes along y of a: its upper wall lies at x = 0.5 - 0.102, normal +x; the block
     * lies along x of b */
    const sp_contour *upper = &m->contour[m->slot[1].contour_b];
    expect_near(m->numbers.vertex[upper->vertex][0], 0.5 - 0.102, 1e-15);
    expect_near(m->numbers.contour[m->slot[1].contour_b].normal[0], 1.0, 1e-15);
    expect_near(m->numbers.vertex[m->slot[1].vertex_a][0], -0.2, 1e-15);
    expect_near(m->numbers.vertex[m->slot[1].vertex_a][1], -0.1, 1e-15);
    sp_model_free(m);
}

/* The example with its guide as a joint, and the one with contours: the same run. */
static void the_slider_crank_by_a_joint_runs_as_the_one_by_contours(void **ctx)
{
    (void)ctx;
    static const char *const spins[] = {"omega_s=0 rad/s", "omega_s=-0.1 rad/s"};
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {spins[k], NULL};
        rig a = rig_of_file("examples/slider_crank/slider_crank.yaml", set);
        rig b = rig_of_file("examples/slider_crank/slider_crank_joint.yaml", set);
        assert_int_equal(a.m->n_slot, b.m->n_slot);
        for (int i = 0; i < 20; i++) {
            rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 1000);
            rig_steps(&b, SP_METHOD_MOREAU, 1e-5, 1000);
            for (int d = 0; d < a.m->n_dof; d++) {
                expect_near(b.x->q[d], a.x->q[d], 1e-12 * (1.0 + fabs(a.x->q[d])));
                expect_near(b.x->u[d], a.x->u[d], 1e-12 * (1.0 + fabs(a.x->u[d])));
            }
            assert_int_equal(a.n_event, b.n_event);
        }
        assert_true(a.n_event > 0);
        rig_free(&a);
        rig_free(&b);
    }
}

static void refusals_say_what_is_missing(void **ctx)
{
    (void)ctx;
#define BODY "bodies: {b: {mass: 1, inertia: 1}}\n"
    expect_errors(TOP BODY "joints: {p: {revolute: [ground, b], clearance: 1 mm, law: {}}}\n",
                  "6:13: joint 'p': missing key 'radius': Radius of the pin.\n");
    expect_errors(TOP BODY
                  "joints: {p: {revolute: [ground, b], clearance: -1 mm, radius: 1 mm, law: "
                  "{}}}\n",
                  "6:48: joint 'p': clearance = -1 mm, expected > 0\n");
    expect_errors(TOP BODY
                  "joints: {p: {prismatic: [ground, b], axis: [1, 0], clearance: 1 mm, size: "
                  "[1 m, 0 m], law: {}}}\n",
                  "6:81: joint 'p': size = 0 m, expected > 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guide_becomes_a_block_between_two_walls),
        cmocka_unit_test(a_hinge_becomes_a_pin_in_a_hole),
        cmocka_unit_test(a_family_of_joints_gets_contours_of_their_own),
        cmocka_unit_test(joints_of_the_tree_with_play_let_their_bodies_go),
        cmocka_unit_test(the_slider_crank_by_a_joint_runs_as_the_one_by_contours),
        cmocka_unit_test(refusals_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
