/* Numbers of gas springs, orifices, drag, motors, gravity by expressions. */
#include "model/pulls.h"
#include "test_build.h"

#define BODIES                                                                                     \
    "bodies:\n  a: {mass: 1 kg, inertia: 1}\n"                                                     \
    "  b: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}}\n"                                \
    "  c: {inertia: 1, joint: {revolute: ground}}\nforces:\n"

static void gas_is_pressed_by_a_stroke_that_grows_or_points_that_meet(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP BODIES
        "  s: {gas: b.joint.s, area: 10 cm^2, pressure: 2 bar, volume: 1 dm^3, exponent: 1.2, "
        "ambient: 1 bar, rest: 3 cm, back: {area: 5 cm^2, pressure: 1 bar, volume: 2 dm^3}}\n"
        "  p: {gas: [ground, a], area: 10 cm^2, pressure: 2 bar, volume: 1 dm^3}\n");
    const sp_gas_numbers *s = &m->numbers.force[0].gas, *p = &m->numbers.force[1].gas;
    assert_string_equal(m->force[0].pull->key, "gas");
    assert_false(m->force[0].by_points);
    assert_true(m->force[1].by_points);
    assert_int_equal(m->force[1].body[1], 1);
    expect_near(s->area[0], 1e-3, 1e-18);
    expect_near(s->area[1], -5e-4, 1e-18);
    expect_near(p->area[0], -1e-3, 1e-18);
    expect_near(p->area[1], 0.0, 0.0);
    expect_near(s->pressure[0], 2e5, 1e-9);
    expect_near(s->volume[1], 2e-3, 1e-18);
    expect_near(s->exponent[0], 1.2, 0.0);
    expect_near(s->exponent[1], 1.4, 0.0);
    expect_near(s->ambient, 1e5, 1e-9);
    expect_near(m->numbers.force[0].rest, 0.03, 1e-17);
    sp_model_free(m);
}

static void orifices_press_the_same_way(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP BODIES "  s: {orifice: b.joint.s, compression: 5 N*s^2/m^2, rebound: 7}\n"
                            "  p: {orifice: [ground, a], compression: 5, rebound: 7}\n"
                            "  r: {orifice: c.joint.phi, compression: 5 N*m*s^2, rebound: 7}\n");
    for (int i = 0; i < 3; i++) {
        const sp_orifice_numbers *n = &m->numbers.force[i].orifice;
        assert_string_equal(m->force[i].pull->key, "orifice");
        expect_near(i == 1 ? n->shrinking : n->growing, 5.0, 0.0);
        expect_near(i == 1 ? n->growing : n->shrinking, 7.0, 0.0);
    }
    sp_model_free(m);
}

static void drag_acts_at_the_centre_and_knows_the_wind(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, center: [1 cm, 2 cm]}\nforces:\n"
                     "  d: {drag: a, quadratic: 0.5, linear: 2}\n"
                     "  w: {drag: a, quadratic: 0.5, wind: [3 m/s, 1 m/s^2 * t]}\n");
    expect_vector(m->numbers.force[0].mark[0].at, 0.01, 0.02);
    expect_near(m->numbers.force[0].drag, 0.5, 0.0);
    expect_near(m->numbers.force[0].damping, 2.0, 0.0);
    assert_false(m->force[0].has_law);
    assert_true(m->force[1].has_law);
    expect_near(m->force[1].law[0].constant, 3.0, 0.0);
    assert_non_null(m->force[1].law[1].program);
    sp_model_free(m);
}

static void motors_have_gains_and_integrals_of_their_own(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP BODIES "  p: {motor: c.joint, position: 1 rad/s * t, P: 5 N*m/rad, "
                                      "D: 2 N*m*s/rad, I: 3 N*m/rad/s, "
                                      "limit: 9 N*m, feed: -0.1 N*m*s * omega}\n"
                                      "  v: {motor: b.joint, speed: 2 m/s, P: 5 N*s/m, I: 3 N/m}\n"
                                      "  n: {motor: b.joint.s, position: 2 m, P: 5 N/m}\n"
                                      "  s: {spring: b.y, stiffness: 3, preload: 4 N}\n");
    const sp_force *f = m->force;
    const sp_force_numbers *n = m->numbers.force;
    assert_int_equal(m->n_aux, 2);
    assert_int_equal(f[0].aux, 0);
    assert_int_equal(f[1].aux, 1);
    assert_int_equal(f[2].aux, SP_NONE);
    assert_int_equal(f[3].aux, SP_NONE);
    assert_int_equal(f[0].dof, 4);
    assert_int_equal(f[1].dof, 3);
    assert_true(!f[0].by_rate && f[1].by_rate && !f[2].by_rate);
    expect_near(n[0].motor.P, 5.0, 0.0);
    expect_near(n[0].motor.I, 3.0, 0.0);
    expect_near(n[0].motor.D, 2.0, 0.0);
    expect_near(n[0].limit, 9.0, 0.0);
    assert_true(isinf(n[1].limit));
    assert_non_null(f[0].law[0].program);
    assert_int_equal(f[0].law[2].signal[0].kind, SP_SIG_U);
    expect_near(f[1].law[1].constant, 2.0, 0.0);
    expect_near(n[3].preload, 4.0, 0.0);
    sp_model_free(m);
}

static void gravity_may_change_with_time(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of("specht: 1\nspace: planar\ngravity: [0, -9.81 m/s^2 + 1 m/s^3 * t]\n"
                           "bodies: {a: {mass: 1 kg, inertia: 1}}\n"
                           "forces: {f: {force: [1 N, 0], on: a}}\n");
    assert_int_equal(m->n_force, 2);
    assert_int_equal(m->force[1].kind, SP_FORCE_GRAVITY);
    assert_string_equal(m->force[1].name, "gravity");
    expect_near(m->force[1].law[0].constant, 0.0, 0.0);
    assert_non_null(m->force[1].law[1].program);
    expect_near(m->numbers.gravity[1], 0.0, 0.0);
    sp_model_free(m);
    m = model_of("specht: 1\nspace: spatial\ngravity: [1, 2, -9.81 m/s^2]\n"
                 "bodies: {a: {mass: 1 kg, inertia: 1}}\n");
    assert_int_equal(m->n_force, 0);
    expect_vector(m->numbers.gravity, 1.0, 2.0);
    expect_near(m->numbers.gravity[2], -9.81, 0.0);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gas_is_pressed_by_a_stroke_that_grows_or_points_that_meet),
        cmocka_unit_test(orifices_press_the_same_way),
        cmocka_unit_test(drag_acts_at_the_centre_and_knows_the_wind),
        cmocka_unit_test(motors_have_gains_and_integrals_of_their_own),
        cmocka_unit_test(gravity_may_change_with_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
