/* Joints in space: coordinates, degrees of freedom, axes, springs. */
#include "test_build.h"

#include "math/space.h"

#define SPACE "specht: 1\nname: Test\nspace: spatial\ngravity: 9.81 m/s^2\n"

static void expect_axis(const sp_model *m, int dof, double x, double y, double z)
{
    const double *e = m->numbers.dof[dof].axis;
    expect_near(e[0], x, 1e-15);
    expect_near(e[1], y, 1e-15);
    expect_near(e[2], z, 1e-15);
}

/* A joint and what it must come to. */
typedef struct joint_row {
    const char *joint;
    int n_q, n_dof, n_slide;
    const char *q[7], *u[6];
    sp_move move[6];
} joint_row;

static const joint_row joint_rows[] = {
    {"{weld: base}", 0, 0, 0, {NULL}, {NULL}, {0}},
    {"{revolute: base, axis: [0, 0, 1]}", 1, 1, 0, {"phi"}, {"omega"}, {SP_MOVE_TURN}},
    {"{prismatic: base, axis: [0, 0, 1]}", 1, 1, 1, {"s"}, {"v"}, {SP_MOVE_SLIDE}},
    {"{screw: base, axis: [0, 0, 1], pitch: 1 mm}", 1, 1, 0, {"phi"}, {"omega"}, {SP_MOVE_SCREW}},
    {"{cylindrical: base, axis: [0, 0, 1]}",
     2,
     2,
     1,
     {"s", "phi"},
     {"v", "omega"},
     {SP_MOVE_SLIDE, SP_MOVE_TURN}},
    {"{universal: base, axis: [[1, 0, 0], [0, 1, 0]]}",
     2,
     2,
     0,
     {"phi_1", "phi_2"},
     {"omega_1", "omega_2"},
     {SP_MOVE_TURN, SP_MOVE_TURN}},
    {"{planar: base, axis: [0, 0, 1]}",
     3,
     3,
     2,
     {"x", "y", "phi"},
     {"vx", "vy", "omega"},
     {SP_MOVE_SLIDE, SP_MOVE_SLIDE, SP_MOVE_TURN}},
    {"{spherical: base}",
     4,
     3,
     0,
     {"qw", "qx", "qy", "qz"},
     {"omega_own_x", "omega_own_y", "omega_own_z"},
     {SP_MOVE_BALL, SP_MOVE_BALL, SP_MOVE_BALL}},
    {"{free: base}",
     7,
     6,
     3,
     {"x", "y", "z", "qw", "qx", "qy", "qz"},
     {"vx", "vy", "vz", "omega_own_x", "omega_own_y", "omega_own_z"},
     {SP_MOVE_SLIDE, SP_MOVE_SLIDE, SP_MOVE_SLIDE, SP_MOVE_BALL, SP_MOVE_BALL, SP_MOVE_BALL}},
    {"{free: base, only: [turn, z]}",
     5,
     4,
     1,
     {"z", "qw", "qx", "qy", "qz"},
     {"vz", "omega_own_x", "omega_own_y", "omega_own_z"},
     {SP_MOVE_SLIDE, SP_MOVE_BALL, SP_MOVE_BALL, SP_MOVE_BALL}},
};

/* Coordinates, rates and degrees of freedom of a body on this joint, between two others. */
static void check_joint(const joint_row *row)
{
    char text[600], name[60];
    snprintf(text, sizeof text,
             SPACE "bodies:\n  base: {mass: 1 kg, inertia: 1}\n"
                   "  part: {mass: 1 kg, inertia: 1, joint: %s}\n"
                   "  last: {mass: 1 kg, joint: {prismatic: part, axis: [1, 0, 0]}}\n",
             row->joint);
    sp_model *m = model_of(text);
    const sp_body *b = &m->body[2];
    assert_int_equal(m->dim, 3);
    assert_int_equal(b->n_q, row->n_q);
    assert_int_equal(b->n_dof, row->n_dof);
    assert_int_equal(b->n_slide, row->n_slide);
    assert_int_equal(b->q, 7); /* behind those of the base */
    assert_int_equal(b->dof, 6);
    assert_int_equal(m->n_q, 7 + row->n_q + 1);
    assert_int_equal(m->dof[m->n_dof - 1].q, m->n_q - 1);
    assert_int_equal(m->dof[m->n_dof - 1].parent, m->n_dof - 2);
    for (int i = 0; i < b->n_q; i++) {
        snprintf(name, sizeof name, "part.joint.%s", row->q[i]);
        assert_string_equal(m->coord[b->q + i].name, name);
        assert_int_equal(m->coord[b->q + i].body, 2);
    }
    for (int i = 0; i < b->n_dof; i++) {
        const sp_dof *dof = &m->dof[b->dof + i];
        snprintf(name, sizeof name, "part.joint.%s", row->u[i]);
        assert_string_equal(dof->rate_name, name);
        assert_int_equal(dof->move, row->move[i]);
        assert_int_equal(dof->motion, SP_NONE);
        if (dof->move == SP_MOVE_BALL) {
            assert_string_equal(m->coord[dof->q].name, "part.joint.qw");
            assert_int_equal(m->coord[dof->q].dof, SP_NONE);
            assert_int_equal(dof->part, i - b->n_slide);
            assert_string_equal(dof->rate_unit, "rad/s");
        } else {
            assert_int_equal(m->coord[dof->q].dof, b->dof + i);
            assert_string_equal(dof->unit, dof->move == SP_MOVE_SLIDE ? "m" : "rad");
        }
    }
    assert_false(m->layout.chain);
    sp_model_free(m);
}

static void every_joint_has_its_coordinates_and_rates(void **ctx)
{
    (void)ctx;
    for (size_t k = 0; k < sizeof joint_rows / sizeof *joint_rows; k++) {
        check_joint(&joint_rows[k]);
    }
}

static void joints_have_frames_and_axes(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        SPACE
        "parameters: {e: [0, 3, 4]}\n"
        "bodies:\n"
        "  a: {mass: 1 kg, inertia: 1, joint: {revolute: ground, axis: e, at: [1 m, 2 m, 3 m], "
        "from: [4 cm, 5 cm, 6 cm], turn: {z: 90 deg}}}\n"
        "  b: {mass: 1 kg, inertia: 1, joint: {universal: a, axis: [[0, 0, 2], [1, 1, 0]]}}\n"
        "  c: {mass: 1 kg, inertia: 1, joint: {free: b}}\n"
        "  d: {mass: 1 kg, inertia: 1, joint: {screw: c, axis: [1, 0, 0], pitch: 2 mm/rad}}\n"
        "  e: {mass: 1 kg, inertia: 1, joint: {screw: c, axis: [1, 0, 0], lead: 5 mm}}\n");
    const sp_space_numbers *n = &m->numbers.space[1];
    const sp_mark *mark = &m->numbers.body[1].mark;
    const double turn[] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 9; k++) {
        expect_near(mark->axes[k], turn[k], 1e-15);
        expect_near(m->numbers.body[2].mark.axes[k], k % 4 == 0, 0.0); /* none: the parent's axes */
    }
    expect_vector(mark->at, 1.0, 2.0);
    expect_near(mark->at[2], 3.0, 0.0);
    expect_vector(n->from, 0.04, 0.05);
    expect_near(n->from[2], 0.06, 1e-17);
    expect_axis(m, 0, 0.0, 0.6, 0.8); /* in the joint's frame: the turn is not in it */
    expect_axis(m, 1, 0.0, 0.0, 1.0);
    expect_axis(m, 2, sqrt(0.5), sqrt(0.5), 0.0);
    expect_axis(m, 3, 1.0, 0.0, 0.0);
    expect_axis(m, 4, 0.0, 1.0, 0.0);
    expect_axis(m, 5, 0.0, 0.0, 1.0);
    expect_near(m->numbers.dof[9].pitch, 0.002, 1e-18);
    expect_near(m->numbers.dof[10].pitch, 0.005 / (2.0 * acos(-1.0)), 1e-18);
    expect_near(m->numbers.gravity[2], -9.81, 0.0);
    sp_model_free(m);
}

static void a_planar_joint_slides_along_the_axes_behind_its_normal(void **ctx)
{
    (void)ctx;
    static const double normal[][3] = {{0, 0, 1},  {1, 0, 0},        {0, 1, 0},  {0, 0, -1},
                                       {-1, 0, 0}, {0.3, -0.5, 0.7}, {2, 1, -1}, {1, 1, 1}};
    static const int first[] = {0, 1, 2, 0, 1, 0, 1, 0}; /* axis the first slide is nearest to */
    for (int k = 0; k < 8; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 SPACE "bodies:\n  a: {mass: 1 kg, inertia: 1, joint: {planar: ground, axis: [%g, "
                       "%g, %g]}}\n",
                 normal[k][0], normal[k][1], normal[k][2]);
        sp_model *m = model_of(text);
        const sp_vec3 x = sp_vec3_of(m->numbers.dof[0].axis);
        const sp_vec3 y = sp_vec3_of(m->numbers.dof[1].axis);
        const sp_vec3 n = sp_vec3_of(m->numbers.dof[2].axis);
        const double length = sp_length3(sp_vec3_of(normal[k]));
        /* right-handed: x, y, normal */
        expect_near(sp_inner3(sp_cross3(x, y), n), 1.0, 1e-15);
        expect_near(sp_inner3(x, y), 0.0, 1e-15);
        expect_near(sp_inner3(n, sp_vec3_of(normal[k])), length, 1e-14);
        const double part[] = {x.x, x.y, x.z};
        assert_true(part[first[k]] > 0.8);
        sp_model_free(m);
    }
}

static void several_springs_stand_in_a_list(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(SPACE "bodies:\n  a: {mass: 1 kg, inertia: 1, joint: {cylindrical: "
                                 "ground, axis: [0, 0, 1], stiffness: [3 N/m, 4 N*m/rad], damping: "
                                 "[0, 5], rest: [1 cm, 30 deg]}}\n");
    const sp_dof_numbers *n = m->numbers.dof;
    expect_near(n[0].stiffness, 3.0, 0.0);
    expect_near(n[1].stiffness, 4.0, 0.0);
    expect_near(n[0].damping, 0.0, 0.0);
    expect_near(n[1].damping, 5.0, 0.0);
    expect_near(n[0].rest, 0.01, 0.0);
    expect_near(n[1].rest, acos(-1.0) / 6.0, 1e-16);
    assert_true(m->dof[0].spring && m->dof[1].spring);
    assert_int_equal(m->layout.n_spring, 2);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_has_its_coordinates_and_rates),
        cmocka_unit_test(joints_have_frames_and_axes),
        cmocka_unit_test(a_planar_joint_slides_along_the_axes_behind_its_normal),
        cmocka_unit_test(several_springs_stand_in_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
