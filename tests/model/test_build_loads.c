/* Names of accelerations, reactions and element forces: what they mean, their units, refusals. */
#include "test_build.h"

#define MACHINE                                                                                    \
    TOP "bodies:\n"                                                                                \
        "  a: {mass: 1, inertia: 1, joint: {revolute: ground}, points: {tip: [1, 0]}}\n"           \
        "  b: {count: 2, mass: 1, inertia: 1}\n"                                                   \
        "forces:\n"                                                                                \
        "  s: {spring: [ground, a.tip], stiffness: 1, rest: 1}\n"                                  \
        "  r: {count: 2, spring: a.phi - b.(i).phi, stiffness: 1}\n"                               \
        "  w: {torque: 1, on: a}\n"                                                                \
        "  u: {bushing: [a, b.1], stiffness: [1, 1, 1]}\n"                                         \
        "joints: {pin: {revolute: [b.1, b.2]}}\n"                                                  \
        "couplings: {gear: {of: a.phi - 2*b.1.phi, fix: 0}}\n"

/* Kind, index and unit of the only signal of output k. */
static void expect_output(const sp_model *m, int k, sp_signal_kind kind, int index,
                          const char *unit)
{
    assert_int_equal(m->output[k].func.n_signal, 1);
    assert_int_equal(m->output[k].func.signal[0].kind, kind);
    assert_int_equal(m->output[k].func.signal[0].index, index);
    assert_string_equal(m->output[k].unit, unit);
}

static void names_lead_to_signals_with_their_units(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(MACHINE "outputs: {o1: a.tip.ax, o2: a.alpha, o3: a.joint.fy, o4: a.joint.m, "
                         "o5: s.force, o6: s.length, o7: s.power, o8: s.energy, o9: r.2.force, "
                         "p1: r.2.angle, p2: w.moment, p3: u.force, p4: pin.fx, p5: gear.force, "
                         "p6: b.2.ay, p7: s.rate}\n");
    expect_output(m, 0, SP_SIG_AX, 1, "m/s^2");
    expect_near(m->output[0].func.signal[0].mark.at[0], 1.0, 0.0);
    expect_output(m, 1, SP_SIG_ALPHA_Z, 1, "rad/s^2");
    expect_output(m, 2, SP_SIG_JOINT_FY, 1, "N");
    expect_output(m, 3, SP_SIG_JOINT_MZ, 1, "N*m");
    expect_output(m, 4, SP_SIG_ELEMENT_FORCE, 0, "N");
    expect_output(m, 5, SP_SIG_ELEMENT_MEASURE, 0, "m");
    expect_output(m, 6, SP_SIG_ELEMENT_POWER, 0, "W");
    expect_output(m, 7, SP_SIG_ELEMENT_ENERGY, 0, "J");
    expect_output(m, 8, SP_SIG_ELEMENT_FORCE, 2, "N*m");
    expect_output(m, 9, SP_SIG_ELEMENT_MEASURE, 2, "rad");
    expect_output(m, 10, SP_SIG_ELEMENT_MOMENT, 3, "N*m");
    expect_output(m, 11, SP_SIG_ELEMENT_FORCE, 4, "N");
    expect_output(m, 12, SP_SIG_LOOP_FX, 0, "N");
    const int row = m->output[13].func.signal[0].index;
    assert_string_equal(m->slot[m->n_slot + row].name, "gear");
    expect_output(m, 13, SP_SIG_ROW, row, "N*m");
    expect_output(m, 14, SP_SIG_AY, 3, "m/s^2");
    expect_output(m, 15, SP_SIG_ELEMENT_RATE, 0, "m/s");
    sp_model_free(m);
}

static void what_an_element_does_not_have_is_told(void **ctx)
{
    (void)ctx;
    expect_errors(MACHINE "outputs: {o: s.angle}\n",
                  "15:14: output 'o': force 's' has no 'angle'; has: length, rate, force, power, "
                  "energy\n");
    expect_errors(MACHINE "outputs: {o: w.force}\n",
                  "15:14: output 'o': force 'w' has no 'force'; has: moment, power, energy\n");
    expect_errors(MACHINE "outputs: {o: pin.fz}\n",
                  "15:14: output 'o': 'pin' has no 'fz'; has: fx, fy, m\n");
    expect_errors(MACHINE "outputs: {o: r.force}\n",
                  "15:14: output 'o': 'r' has 2 elements, expected one; write r.1\n");
}

static void forces_cannot_depend_on_what_forces_come_to(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies: {a: {mass: 1, inertia: 1, joint: {revolute: ground}}}\n"
                      "forces: {d: {drive: a.joint, torque: 1 N*m * a.ax/(1 m/s^2)}}\n",
                  "6:46: force 'd': torque: body 'a' has no 'ax'; has: x, y, phi, vx, vy, omega, "
                  "joint, center, points\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_signals_with_their_units),
        cmocka_unit_test(what_an_element_does_not_have_is_told),
        cmocka_unit_test(forces_cannot_depend_on_what_forces_come_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
