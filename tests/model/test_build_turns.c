/* Rotations as files write them. */
#include "test_build.h"

#include "math/space.h"

/* The rotation of a joint's frame with this turn. */
static sp_rot3 turn_of(const char *turn)
{
    char text[500];
    snprintf(text, sizeof text,
             "specht: 1\nspace: spatial\ngravity: 0\nbodies:\n  a: {mass: 1 kg, inertia: 1, joint: "
             "{free: ground, turn: %s}}\n",
             turn);
    sp_model *m = model_of(text);
    const sp_rot3 R = sp_rot3_of(m->numbers.body[1].mark.axes);
    sp_model_free(m);
    return R;
}

static void expect_vec(sp_vec3 a, double x, double y, double z)
{
    expect_near(a.x, x, 1e-15);
    expect_near(a.y, y, 1e-15);
    expect_near(a.z, z, 1e-15);
}

static void turns_go_about_the_axes_counter_clockwise(void **ctx)
{
    (void)ctx;
    const double c = cos(0.3), s = sin(0.3);
    const sp_rot3 X = turn_of("{x: 0.3 rad}"), Y = turn_of("{y: 0.3 rad}");
    const sp_rot3 Z = turn_of("{z: 0.3 rad}");
    expect_vec(X.x, 1, 0, 0);
    expect_vec(X.y, 0, c, s);
    expect_vec(X.z, 0, -s, c);
    expect_vec(Y.x, c, 0, -s);
    expect_vec(Y.z, s, 0, c);
    expect_vec(Z.x, c, s, 0);
    expect_vec(Z.y, -s, c, 0);
}

/* Euler's angles z, x, z: the classical matrix, written out. */
static void turns_in_a_list_carry_the_next_axes_along(void **ctx)
{
    (void)ctx;
    const double a = 0.4, b = 1.1, g = -0.7;
    const sp_rot3 R = turn_of("[{z: 0.4 rad}, {x: 1.1 rad}, {z: -0.7 rad}]");
    expect_vec(R.x, cos(a) * cos(g) - sin(a) * cos(b) * sin(g),
               sin(a) * cos(g) + cos(a) * cos(b) * sin(g), sin(b) * sin(g));
    expect_vec(R.y, -cos(a) * sin(g) - sin(a) * cos(b) * cos(g),
               -sin(a) * sin(g) + cos(a) * cos(b) * cos(g), sin(b) * cos(g));
    expect_vec(R.z, sin(a) * sin(b), -cos(a) * sin(b), cos(b));
}

static void aligning_is_the_shortest_way(void **ctx)
{
    (void)ctx;
    const sp_rot3 R = turn_of("{align: [1, 2, 0], to: [0, 1, 3]}");
    const sp_vec3 a = sp_scale3(1.0 / sqrt(5.0), (sp_vec3){1, 2, 0});
    const sp_vec3 b = sp_scale3(1.0 / sqrt(10.0), (sp_vec3){0, 1, 3});
    const sp_vec3 moved = sp_rotate3(R, a), n = sp_cross3(a, b);
    expect_vec(moved, b.x, b.y, b.z);
    const sp_vec3 axis = sp_rotate3(R, n); /* what is at right angles to both stays */
    expect_vec(axis, n.x, n.y, n.z);
    /* trace = 1 + 2 cos of the angle between them */
    expect_near(R.x.x + R.y.y + R.z.z, 1.0 + 2.0 * sp_inner3(a, b), 1e-14);
    const sp_rot3 none = turn_of("{align: [0, 2, 0], to: [0, 1, 0]}");
    expect_vec(none.x, 1, 0, 0);
    /* nearly opposite is still a turn */
    const sp_rot3 far = turn_of("{align: [1, 0, 0], to: [-1, 1e-6, 0]}");
    expect_near(far.z.z, 1.0, 1e-15);
    expect_near(far.x.x, -1.0, 1e-11);
}

static void points_have_axes_in_plane_and_space(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n  ground: {points: {m: {at: [1 m, 2 m], "
        "turn: "
        "30 deg}}}\n  a: {mass: 1 kg, inertia: 1, points: {e: [3 m, 0]}}\n"
        "forces: {f: {bushing: [ground.m, a.e], stiffness: [1, 2, 3], damping: [4, 5, 6]}}\n");
    const sp_bushing_numbers *n = &m->numbers.force[0].bushing;
    assert_int_equal(m->force[0].kind, SP_FORCE_BUSHING);
    expect_near(m->numbers.force[0].mark[0].axes[0], sqrt(0.75), 1e-15);
    expect_near(m->numbers.force[0].mark[0].axes[3], 0.5, 1e-15);
    expect_near(m->numbers.force[0].mark[1].axes[0], 1.0, 0.0);
    expect_vector(m->numbers.force[0].mark[0].at, 1.0, 2.0);
    expect_vector(m->numbers.force[0].mark[1].at, 3.0, 0.0);
    const double k[] = {1, 2, 0, 0, 0, 3}, d[] = {4, 5, 0, 0, 0, 6};
    for (int i = 0; i < 6; i++) {
        expect_near(n->stiffness[i], k[i], 0.0);
        expect_near(n->damping[i], d[i], 0.0);
    }
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_go_about_the_axes_counter_clockwise),
        cmocka_unit_test(turns_in_a_list_carry_the_next_axes_along),
        cmocka_unit_test(aligning_is_the_shortest_way),
        cmocka_unit_test(points_have_axes_in_plane_and_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
