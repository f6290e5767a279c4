/* Start values and the settings of the run. */
#include "test_build.h"

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 1 kg, inertia: 1, joint: {revolute: ground}, points: {tip: [1 m, 0]}}\n"      \
    "  ball: {count: 3, mass: 1 kg, inertia: 1}\n"                                                 \
    "  lid: {joint: {weld: ground}}\n"

static void start_values_belong_to_bodies_and_joints(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES "start: {crank.phi: 90 deg, crank.joint.omega: 50 rev/s, ball.2.x: 1 mm, "
                   "ball.y: 1 m * i/n, ball.1.vx: 1, ball.1.vy: 2, ball.1.omega: 3, "
                   "ball.3.joint.vx: 4 m/s, ball.3.joint.phi: 5}\n");
    static const struct {
        const char *name;
        sp_start_kind kind;
        int index;
        double value;
    } expected[] = {
        {"crank.phi", SP_START_PHI, 1, 1.5707963267948966},
        {"crank.joint.omega", SP_START_U, 0, 314.1592653589793},
        {"ball.2.x", SP_START_X, 3, 1e-3},
        {"ball.1.y", SP_START_Y, 2, 1.0 / 3.0},
        {"ball.2.y", SP_START_Y, 3, 2.0 / 3.0},
        {"ball.3.y", SP_START_Y, 4, 1.0},
        {"ball.1.vx", SP_START_VX, 2, 1.0},
        {"ball.1.vy", SP_START_VY, 2, 2.0},
        {"ball.1.omega", SP_START_OMEGA, 2, 3.0},
        {"ball.3.joint.vx", SP_START_U, 7, 4.0},
        {"ball.3.joint.phi", SP_START_Q, 9, 5.0},
    };
    assert_int_equal(m->n_start, sizeof expected / sizeof *expected);
    for (int k = 0; k < m->n_start; k++) {
        assert_string_equal(m->start[k].name, expected[k].name);
        assert_int_equal(m->start[k].kind, expected[k].kind);
        assert_int_equal(m->start[k].index, expected[k].index);
        expect_near(m->start[k].value, expected[k].value, 1e-12);
    }
    sp_model_free(m);
}

static void mistakes_in_start_values_are_told(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP BODIES "start:\n"
                   "  crank.omega: 50 Hz\n"
                   "  crank.phy: 1\n"
                   "  crnk.phi: 1\n"
                   "  crank.joint.s: 1\n"
                   "  crank.tip.x: 1\n"
                   "  lid.x: 1\n"
                   "  ground.x: 1\n"
                   "  lid.joint.phi: 1\n"
                   "  ball.x: 1 kg\n"
                   "  ball.y: 1 m * t/(1 s)\n"
                   "  ball.vy: 1\n"
                   "  ball.2.vy: 2\n"
                   "  ball.4.x: 2\n"
                   "  crank: 2\n",
        "10:16: start: crank.omega = 50 Hz is a frequency, expected an angular velocity "
        "[rad/s]; for 50 turns per second write '50 rev/s'\n"
        "11:3: start: body 'crank' has no 'phy'; has: x, y, phi, vx, vy, omega, joint, "
        "center, points\n"
        "12:3: start: there is no body 'crnk', did you mean 'crank'? (has: ball, crank, "
        "ground, lid)\n"
        "13:3: start: the joint of body 'crank' has no 's'; has: phi, omega\n"
        "14:3: start: 'crank.tip.x' belongs to a point; start values are given to bodies (x, "
        "y, phi, vx, vy, omega) and joints (body.joint.phi)\n"
        "15:3: start: 'lid.x' is fixed to the ground; start values are given to bodies (x, "
        "y, phi, vx, vy, omega) and joints (body.joint.phi)\n"
        "16:3: start: 'ground.x' is fixed to the ground; start values are given to bodies "
        "(x, y, phi, vx, vy, omega) and joints (body.joint.phi)\n"
        "17:3: start: the joint of body 'lid' has no 'phi', it is welded\n"
        "18:11: start: ball.x = 1 kg is a mass [kg], expected a length [m]\n"
        "19:17: start: ball.y must not depend on time 't', expected parameters only\n"
        "21:3: start: ball.2.vy is given twice\n"
        "22:3: start: 'ball' has the elements 1 to 3, not 4\n"
        "23:3: start: 'crank' is a body, expected a number; write crank.x, crank.phi, ...\n");
}

static void run_settings_have_their_defaults(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP BODIES);
    assert_true(m->run.until == 0.0 && m->run.step == 0.0 && m->run.output_step == 0.0);
    assert_true(m->run.tolerance == 0.0 && !m->run.project_start);
    assert_string_equal(m->run.method, "auto");
    sp_model_free(m);
    m = model_of(TOP BODIES
                 "parameters: {T: 2 s}\nrun: {until: 3*T, step: T/1000, output_step: 1 ms, "
                 "tolerance: 1e-6, method: moreau-mean, start: project}\n");
    assert_true(m->run.until == 6.0 && m->run.step == 0.002 && m->run.output_step == 0.001);
    assert_true(m->run.tolerance == 1e-6 && m->run.project_start);
    assert_string_equal(m->run.method, "moreau-mean");
    assert_int_equal(m->run.place.line, 10);
    sp_model_free(m);
    expect_errors(TOP BODIES "run: {until: -1 s, step: 0, output_step: 1 mm, tolerance: 0}\n",
                  "9:14: run: until = -1 s, expected > 0\n"
                  "9:26: run: step = 0, expected > 0\n"
                  "9:42: run: output_step = 1 mm is a length [m], expected a time [s]\n"
                  "9:59: run: tolerance = 0, expected > 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_values_belong_to_bodies_and_joints),
        cmocka_unit_test(mistakes_in_start_values_are_told),
        cmocka_unit_test(run_settings_have_their_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
