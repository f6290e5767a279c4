/* Outputs, outputs in outputs, curves of plots. */
#include "test_build.h"

#define MACHINE                                                                                    \
    "parameters: {l: 2 m}\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"                                              \
    "  a: {mass: 1 kg, inertia: 1, points: {p: [1 m, 0]}, contours: {tip: {point: [3 m, 0]}, "     \
    "box: "                                                                                        \
    "{box: [1 m, 1 m]}}}\n"                                                                        \
    "contacts: {one: {between: [a.tip, ground], law: {mu: 0}}, four: {between: [a.box, ground], "  \
    "law: {mu: 0}}}\n"

static void outputs_have_units_labels_and_signals(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP MACHINE
                 "outputs: {x: a.x, phi: a.phi, turns: a.phi/(1 rev), w: a.omega, p: a.p.vy, "
                 "E: energy.kinetic + energy.potential, g: one.g_N, F: 2*four.3.lambda_N, c: "
                 "1 mm, q: a.joint.phi, s: a.center.x, j: (a.joint.y), T: t, M: a.x*one.lambda_T, "
                 "k: energy.kinetic/l}\n");
    static const struct {
        const char *name, *unit;
        int n_signal;
        sp_signal_kind kind;
        int index;
    } expected[] = {
        {"x", "m", 1, SP_SIG_X, 1},       {"phi", "rad", 1, SP_SIG_PHI, 1},
        {"turns", "1", 1, SP_SIG_PHI, 1}, {"w", "rad/s", 1, SP_SIG_OMEGA, 1},
        {"p", "m/s", 1, SP_SIG_VY, 1},    {"E", "J", 2, SP_SIG_KINETIC, 0},
        {"g", "m", 1, SP_SIG_GAP, 0},     {"F", "N", 1, SP_SIG_LAMBDA_N, 3},
        {"c", "m", 0, SP_SIG_TIME, 0},    {"q", "rad", 1, SP_SIG_Q, 2},
        {"s", "m", 1, SP_SIG_X, 1},       {"j", "m", 1, SP_SIG_Q, 1},
        {"T", "s", 1, SP_SIG_TIME, 0},    {"M", "N*m", 2, SP_SIG_X, 1},
        {"k", "N", 1, SP_SIG_KINETIC, 0},
    };
    assert_int_equal(m->n_output, sizeof expected / sizeof *expected);
    for (int k = 0; k < m->n_output; k++) {
        const sp_output *o = &m->output[k];
        assert_string_equal(o->name, expected[k].name);
        assert_string_equal(o->unit, expected[k].unit);
        assert_int_equal(o->func.n_signal, expected[k].n_signal);
        if (expected[k].n_signal > 0) {
            assert_int_equal(o->func.signal[0].kind, expected[k].kind);
            assert_int_equal(o->func.signal[0].index, expected[k].index);
        }
    }
    assert_string_equal(m->output[2].label, "turns");
    expect_vector(m->output[4].func.signal[0].mark.at, 1.0, 0.0);
    assert_true(!m->output[8].func.program && m->output[8].func.constant == 1e-3);
    assert_int_equal(m->expr_input, 2);
    sp_model_free(m);
}

static void outputs_may_use_others_in_any_order(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP MACHINE "outputs: {b: 2*c - 1 m, c: \"d + max(d, d)\", d: a.x + a.y, e: d}\n"
                             "plots: {p: {x: b/l, y: c}}\n");
    double work[64];
    const double in[] = {3.0, 4.0}; /* d = 7, c = 14, b = 27 */
    assert_true(m->expr_work <= 64);
    static const double expected[] = {27.0, 14.0, 7.0, 7.0, 13.5};
    assert_int_equal(m->n_output, 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(m->output[k].func.n_signal, 2);
        assert_true(sp_program_value(m->output[k].func.program, in, work) == expected[k]);
    }
    assert_string_equal(m->output[0].label, "b");
    assert_string_equal(m->output[4].name, "plots.p.x");
    sp_model_free(m);
}

static void units_and_paths_are_no_outputs(void **ctx)
{
    (void)ctx;
    /* m, s, kg, x and p as names of outputs; 2 m/s, 1e3 kg*m are units, a.x and a.p.x are paths */
    sp_model *m =
        model_of(TOP MACHINE "outputs: {m: a.x, s: t, x: a.y, p: 2 m/s * s + m, kg: \"1e3 kg*m * "
                             "x/(1 kg) + 3 m^2\", q: a.x + a.p.x + 5 m - m}\n");
    double work[64];
    const double p_in[] = {10.0, 3.0};
    assert_true(sp_program_value(m->output[3].func.program, p_in, work) == 23.0);
    const double kg_in[] = {2.0};
    assert_true(sp_program_value(m->output[4].func.program, kg_in, work) == 2003.0);
    const double q_in[] = {1.0, 2.0};
    assert_int_equal(m->output[5].func.n_signal, 2); /* a.x and a.p.x */
    assert_true(sp_program_value(m->output[5].func.program, q_in, work) == 7.0);
    sp_model_free(m);
}

static void plots_use_outputs_that_are_there(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP MACHINE "outputs: {h: a.y, v: a.vy}\n"
                             "plots:\n"
                             "  one: {y: h}\n"
                             "  two: {x: h, y: [v, 2*v, h], title: Both of them, equal: yes}\n"
                             "  three: {x: t, y: a.phi}\n");
    static const char *const name[] = {"h", "v", "plots.two.y2", "plots.three.y1"};
    assert_int_equal(m->n_output, 4);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(m->output[k].name, name[k]);
    }
    assert_int_equal(m->n_plot, 3);
    const sp_plot *two = &m->plot[1];
    assert_true(m->plot[0].x == SP_NONE && m->plot[0].n_y == 1 && m->plot[0].y[0] == 0);
    assert_true(two->x == 0 && two->n_y == 3 && two->y[0] == 1 && two->y[1] == 2 && two->y[2] == 0);
    assert_string_equal(two->title, "Both of them");
    assert_true(two->equal && !m->plot[0].equal);
    assert_true(m->plot[2].x == SP_NONE && m->plot[2].y[0] == 3);
    assert_string_equal(m->plot[2].title, "three");
    sp_model_free(m);
}

static void mistakes_in_outputs_are_told_once(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP MACHINE "outputs:\n"
                    "  u: v + 1\n"
                    "  v: 2*w\n"
                    "  w: u\n"
                    "  l: a.x\n"
                    "  m: a.x + a.phi\n"
                    "  n: 2*m\n"
                    "  o: o + 1\n"
                    "  q: r + a.z\n"
                    "  r: a.x\n"
                    "  s: four.g_N\n"
                    "  t1: one.g\n"
                    "  w1: a.p\n"
                    "  w2: x + 1\n"
                    "plots:\n"
                    "  p: {y: [m, u/2, r2]}\n",
        "11:6: output 'u': needs itself, u -> v -> w -> u\n"
        "14:3: output 'l': the name is taken by a parameter or function\n"
        "15:6: output 'm': 'a.x + a.phi': cannot add a length [m] and a pure number\n"
        "17:6: output 'o': needs itself, o -> o\n"
        "18:10: output 'q': body 'a' has no 'z'; has: x, y, phi, vx, vy, omega, joint, "
        "center, points\n"
        "20:6: output 's': 'four.g_N' is no contact point; one is 'four.1', write "
        "four.1.g_N\n"
        "21:7: output 't1': contact 'one' has no 'g'; has: g_N, gamma_N, gamma_T, lambda_N, "
        "lambda_T\n"
        "22:7: output 'w1': 'a.p' is a point, expected a number; write a.p.x\n"
        "23:7: output 'w2': unknown name 'x'\n"
        "25:19: plot 'p': y: unknown name 'r2', did you mean 'w2'?\n");
}

static void places_behind_another_output_are_right(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP MACHINE "outputs:\n"
                    "  first_one: a.x + 12345 mm\n"
                    "  second: first_one + nothing + first_one\n"
                    "  third: first_one*first_one + first_one\n",
        "12:23: output 'second': unknown name 'nothing'\n"
        "13:10: output 'third': '(a.x + 12345 mm)*(a.x + 12345 mm) + (a.x + 12345 mm)': cannot "
        "add an area [m^2] and a length [m]\n");
}

static void outputs_that_double_a_thousand_times_are_refused(void **ctx)
{
    (void)ctx;
    char text[40000], messages[MESSAGES_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, TOP MACHINE "outputs:\n  o0: a.x\n");
    for (int k = 1; k < 1000; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "  o%d: o%d + o%d\n", k, k - 1,
                                 k - 1);
    }
    assert_null(compile(text, messages));
    assert_non_null(strstr(messages, "is longer than 60000 letters with the outputs it uses"));
}

static void contacts_and_energies_are_for_outputs_only(void **ctx)
{
    (void)ctx;
    expect_errors(
        TOP MACHINE "forces:\n"
                    "  f: {torque: 1 m * one.lambda_N, on: a}\n"
                    "  g: {torque: energy.kinetic, on: a}\n",
        "11:21: force 'f': torque: 'one.lambda_N' belongs to a contact, which cannot be used "
        "here\n"
        "12:15: force 'g': torque: unknown name 'energy.kinetic'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_have_units_labels_and_signals),
        cmocka_unit_test(outputs_may_use_others_in_any_order),
        cmocka_unit_test(units_and_paths_are_no_outputs),
        cmocka_unit_test(plots_use_outputs_that_are_there),
        cmocka_unit_test(mistakes_in_outputs_are_told_once),
        cmocka_unit_test(places_behind_another_output_are_right),
        cmocka_unit_test(outputs_that_double_a_thousand_times_are_refused),
        cmocka_unit_test(contacts_and_energies_are_for_outputs_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
