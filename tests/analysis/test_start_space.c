/* The start state in space: what the file asks for is what the bodies do. */
#include "analysis/start.h"
#include "model/build.h"
#include "specht/load.h"
#include "support/check.h"
#include "support/points.h"

#include <string.h>

#define SPACE "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"

typedef struct machine {
    sp_model *m;
    sp_state *x;
    sp_view *view;
} machine;

static machine start_of(const char *text)
{
    machine k = {NULL, NULL, NULL};
    sp_error err = {.text = ""};
    sp_spec *spec = sp_spec_new(NULL);
    if (sp_spec_load_text(spec, "m.yaml", text, strlen(text), NULL, &err) != SP_OK ||
        sp_model_build(spec, NULL, &k.m, &err) != SP_OK ||
        sp_state_new(k.m, NULL, &k.x, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    sp_spec_free(spec);
    assert_int_equal(sp_view_new(k.m, NULL, &k.view, NULL), SP_OK);
    sp_view_look(k.m, k.x, k.view);
    return k;
}

static void finish(machine *k)
{
    sp_view_free(k->view);
    sp_state_free(k->x);
    sp_model_free(k->m);
}

static void expect_vec(sp_vec3 a, double x, double y, double z)
{
    assert_near(a.x, x, 1e-12);
    assert_near(a.y, y, 1e-12);
    assert_near(a.z, z, 1e-12);
}

/* A body that hangs, turned and off its origin, on one that moves itself. */
static void a_free_body_stands_and_moves_as_it_shall_in_the_world(void **ctx)
{
    (void)ctx;
    machine k = start_of(
        SPACE
        "  a: {mass: 1 kg, inertia: 1, joint: {free: ground, turn: {x: 20 deg}}}\n"
        "  b: {mass: 1 kg, inertia: 1, joint: {free: a, at: [1 m, 2 m, 3 m], from: [0.1 m, 0.2 "
        "m, 0.3 m], turn: [{y: 40 deg}, {z: 10 deg}]}}\n"
        "start: {a.turn: {z: 0.5 rad}, a.x: 1 m, a.vx: 2 m/s, a.omega_y: 3 rad/s,\n"
        "  b.turn: [{x: 0.7 rad}, {y: 0.2 rad}], b.x: 4 m, b.y: 5 m, b.z: 6 m,\n"
        "  b.omega_own: [1 rad/s, 2 rad/s, 3 rad/s], b.vx: 7 m/s, b.vy: 8 m/s, b.vz: 9 m/s}\n");
    const sp_kin *kin = &k.view->kin;
    const sp_rot3 A = point_axes(kin, 1), B = point_axes(kin, 2);
    expect_vec(A.x, cos(0.5), sin(0.5), 0.0);
    expect_vec(point_origin(kin, 1), 1.0, 0.0, 0.0);
    expect_vec(point_spin(kin, 1), 0.0, 3.0, 0.0);
    expect_vec(B.x, cos(0.2), sin(0.2) * sin(0.7), -sin(0.2) * cos(0.7));
    expect_vec(B.y, 0.0, cos(0.7), sin(0.7));
    expect_vec(point_origin(kin, 2), 4.0, 5.0, 6.0);
    expect_vec(sp_rotate_back3(B, point_spin(kin, 2)), 1.0, 2.0, 3.0);
    expect_vec(point_velocity(kin, 2, point_origin(kin, 2)), 7.0, 8.0, 9.0);
    const double *q = k.x->q + k.m->body[2].q + 3;
    assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 1e-15);
    finish(&k);
}

/* What is left out is zero in the joint; a slide along a slant reaches a height by the shortest
 * way.
 */
static void joints_reach_what_they_can_and_leave_the_rest(void **ctx)
{
    (void)ctx;
    machine k = start_of(
        SPACE
        "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [3, 0, 4]}}\n"
        "  b: {mass: 1 kg, joint: {free: ground, only: [x, z]}}\n"
        "  c: {mass: 1 kg, inertia: 1, joint: {universal: ground, axis: [[1, 0, 0], [0, 1, 0]]}}\n"
        "  d: {mass: 1 kg, inertia: 1, joint: {planar: ground, axis: [1, 1, 0]}}\n"
        "start: {a.z: 2 m, a.vx: 6 m/s, b.z: 1 m, b.joint.vx: 3 m/s, c.joint.phi_1: 0.3 rad,\n"
        "  c.omega_own_y: 4 rad/s, c.omega_own_x: 5 rad/s, d.z: 2 m}\n");
    assert_near(k.x->q[0], 2.5, 1e-15);
    assert_near(k.x->u[0], 10.0, 1e-14);
    assert_near(k.x->q[1], 0.0, 0.0);
    assert_near(k.x->q[2], 1.0, 1e-15);
    assert_near(k.x->u[1], 3.0, 0.0);
    /* at phi_2 = 0 the body's own axes are those of the joint, the second carried along */
    assert_near(k.x->u[3], 5.0, 1e-14);
    assert_near(k.x->u[4], 4.0, 1e-14);
    expect_vec(point_origin(&k.view->kin, 4), 0.0, 0.0, 2.0);
    finish(&k);
}

static void prescribed_motion_gives_its_own_start(void **ctx)
{
    (void)ctx;
    machine k = start_of(
        SPACE
        "  a: {joint: {revolute: ground, axis: [0, 0, 1], motion: 0.5 rad + 2 rad/s * t}}\n"
        "  b: {mass: 1 kg, inertia: 1, joint: {cylindrical: a, axis: [0, 0, 1], at: [1 m, 0, 0], "
        "speed: {v: 3 m/s}}}\n"
        "start: {b.joint.s: 4 m, b.omega_z: 7 rad/s}\n");
    assert_near(k.x->q[0], 0.5, 0.0);
    assert_near(k.x->u[0], 2.0, 0.0);
    assert_near(k.x->q[1], 4.0, 0.0);
    assert_near(k.x->u[1], 3.0, 0.0);
    assert_near(k.x->u[2], 5.0, 1e-14); /* beyond the 2 rad/s of what it hangs on */
    expect_vec(point_velocity(&k.view->kin, 2, point_origin(&k.view->kin, 2)), -2.0 * sin(0.5),
               2.0 * cos(0.5), 3.0);
    finish(&k);
}

/* All components of a spin may be mixed from world and own axes, as long as they agree. */
static void world_and_own_components_may_be_mixed(void **ctx)
{
    (void)ctx;
    machine k = start_of(SPACE "  a: {mass: 1 kg, inertia: 1}\n"
                               "start: {a.turn: {z: 90 deg}, a.omega_x: 1 rad/s, a.omega_own_x: 2 "
                               "rad/s, a.omega_own_z: 3 rad/s}\n");
    /* own x is the world's y */
    expect_vec(point_spin(&k.view->kin, 1), 1.0, 2.0, 3.0);
    finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_stands_and_moves_as_it_shall_in_the_world),
        cmocka_unit_test(joints_reach_what_they_can_and_leave_the_rest),
        cmocka_unit_test(prescribed_motion_gives_its_own_start),
        cmocka_unit_test(world_and_own_components_may_be_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
