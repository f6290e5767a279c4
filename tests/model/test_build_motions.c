/* Prescribed coordinates and velocities. */
#include "test_build.h"

#define SPACE "specht: 1\nname: Test\nspace: spatial\ngravity: 9.81 m/s^2\n"

/* Value, first and second derivative of a motion at time t. */
static void expect_motion(const sp_model *m, int i, double t, double f, double rate, double second)
{
    const sp_func *func = &m->motion[i].func;
    double work[200], grad = 0.0, hess = 0.0;
    if (!func->program) {
        expect_near(func->constant, f, 1e-15);
        assert_true(rate == 0.0 && second == 0.0);
        return;
    }
    assert_int_equal(func->n_signal, 1);
    assert_int_equal(func->signal[0].kind, SP_SIG_TIME);
    assert_true(sp_program_work(func->program, 2) <= m->expr_work);
    assert_true(m->expr_work <= 200);
    expect_near(sp_program_hess(func->program, &t, &grad, &hess, work), f, 1e-14);
    expect_near(grad, rate, 1e-13);
    expect_near(hess, second, 1e-12);
}

static void a_motion_is_a_function_of_time_with_two_derivatives(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "parameters: {A: 2 cm, w: 5 rad/s}\nbodies:\n"
            "  a: {joint: {prismatic: ground, axis: [1, 0], motion: A*sin(w*t)}}\n"
            "  b: {joint: {revolute: a, speed: 3 rad/s + 2 rad/s^2 * t}}\n"
            "  c: {mass: 1 kg, inertia: 1, joint: {free: b, motion: {phi: 0.5 rad}, speed: {vy: 1 "
            "m/s}}}\n");
    static const int dof[] = {0, 1, 4, 3};
    static const bool speed[] = {false, true, false, true};
    assert_int_equal(m->n_motion, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(m->motion[i].dof, dof[i]);
        assert_int_equal(m->dof[dof[i]].motion, i);
        assert_int_equal(m->motion[i].speed, speed[i]);
    }
    assert_int_equal(m->dof[2].motion, SP_NONE);
    const double t = 0.37;
    expect_motion(m, 0, t, 0.02 * sin(5 * t), 0.1 * cos(5 * t), -0.5 * sin(5 * t));
    expect_motion(m, 1, t, 3.0 + 2.0 * t, 2.0, 0.0);
    expect_motion(m, 2, t, 0.5, 0.0, 0.0);
    expect_motion(m, 3, t, 1.0, 0.0, 0.0);
    assert_int_equal(m->motion[0].place.line, 7);
    sp_model_free(m);
}

static void what_is_prescribed_needs_no_inertia(void **ctx)
{
    (void)ctx;
    sp_model_free(model_of(TOP "bodies:\n  a: {joint: {revolute: ground, motion: 0}}\n"
                               "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0]}}\n"));
    sp_model_free(model_of(
        SPACE "bodies:\n  a: {joint: {spherical: ground, speed: {omega_own_x: 0, omega_own_y: 0, "
              "omega_own_z: 1 rad/s}}}\n"));
    expect_errors(TOP "bodies:\n  a: {joint: {revolute: ground}}\n"
                      "  b: {joint: {prismatic: a, axis: [1, 0], motion: 0}}\n",
                  "6:3: body 'a': nothing with inertia moves with a.joint.phi, the mass matrix is "
                  "singular; give the body (or what hangs on it) an inertia\n");
    /* a held slide carries its mass along with what is behind it */
    sp_model_free(model_of(TOP
                           "bodies:\n  a: {joint: {prismatic: ground, axis: [1, 0]}}\n"
                           "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0], motion: 0}}\n"));
    expect_errors(TOP "bodies:\n  a: {joint: {prismatic: ground, axis: [1, 0]}}\n"
                      "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0]}}\n",
                  "6:3: body 'a': nothing with mass moves with a.joint.s, the mass matrix is "
                  "singular; give the body (or what hangs on it) a mass\n");
}

static void arrays_tell_a_wrong_motion_once(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP "bodies:\n  a: {count: 3, joint: {prismatic: ground, axis: [1, 0], motion: i * "
            "1 s}}\n",
        "6:66: body 'a.1': joint: motion = i * 1 s is a time [s], expected a length [m]\n");
    sp_model *m = model_of(TOP "bodies:\n  a: {count: 3, joint: {prismatic: ground, axis: [1, 0], "
                               "motion: i * 1 m}}\n");
    expect_motion(m, 2, 0.0, 3.0, 0.0, 0.0);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_a_function_of_time_with_two_derivatives),
        cmocka_unit_test(what_is_prescribed_needs_no_inertia),
        cmocka_unit_test(arrays_tell_a_wrong_motion_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
