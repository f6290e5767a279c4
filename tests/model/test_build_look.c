/* What names in expressions mean. */
#include "test_build.h"

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  ground: {points: {hook: [7 m, 8 m]}}\n"                                                     \
    "  a: {mass: 1 kg, inertia: 1, center: [1 m, 2 m], points: {p: [3 m, 4 m]}}\n"                 \
    "  b: {count: 3, mass: 1 kg, joint: {prismatic: ground, axis: 0}}\n"                           \
    "  c: {inertia: 1, joint: {revolute: ground}}\n"                                               \
    "  d: {mass: 1 kg, joint: {weld: a}}\n"

static void every_coordinate_and_velocity_has_a_name(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *name, *unit;
        sp_signal_kind kind;
        int index;
        double at[2];
    } expected[] = {
        {"t", "s", SP_SIG_TIME, 0, {0, 0}},
        {"a.x", "m", SP_SIG_X, 1, {0, 0}},
        {"a.y", "m", SP_SIG_Y, 1, {0, 0}},
        {"a.phi", "rad", SP_SIG_PHI, 1, {0, 0}},
        {"a.vx", "m/s", SP_SIG_VX, 1, {0, 0}},
        {"a.vy", "m/s", SP_SIG_VY, 1, {0, 0}},
        {"a.omega", "rad/s", SP_SIG_OMEGA, 1, {0, 0}},
        {"a.center.x", "m", SP_SIG_X, 1, {1, 2}},
        {"a.center.vy", "m/s", SP_SIG_VY, 1, {1, 2}},
        {"a.p.y", "m", SP_SIG_Y, 1, {3, 4}},
        {"a.p.vx", "m/s", SP_SIG_VX, 1, {3, 4}},
        {"ground.hook.x", "m", SP_SIG_X, 0, {7, 8}},
        {"a.joint.x", "m", SP_SIG_Q, 0, {0, 0}},
        {"a.joint.vy", "m/s", SP_SIG_U, 1, {0, 0}},
        {"a.joint.phi", "rad", SP_SIG_Q, 2, {0, 0}},
        {"a.joint.omega", "rad/s", SP_SIG_U, 2, {0, 0}},
        {"b.2.joint.s", "m", SP_SIG_Q, 4, {0, 0}},
        {"b.(1 + 2).joint.v", "m/s", SP_SIG_U, 5, {0, 0}},
        {"b.3.x", "m", SP_SIG_X, 4, {0, 0}},
        {"c.joint.phi", "rad", SP_SIG_Q, 6, {0, 0}},
        {"d.omega", "rad/s", SP_SIG_OMEGA, 6, {0, 0}},
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char text[900];
        snprintf(text, sizeof text, TOP BODIES "outputs: {o: %s}\n", expected[k].name);
        sp_model *m = model_of(text);
        const sp_func *f = &m->output[0].func;
        assert_int_equal(f->n_signal, 1);
        assert_int_equal(f->signal[0].kind, expected[k].kind);
        assert_int_equal(f->signal[0].index, expected[k].index);
        expect_vector(f->signal[0].at, expected[k].at[0], expected[k].at[1]);
        assert_string_equal(m->output[0].unit, expected[k].unit);
        sp_model_free(m);
    }
}

static void names_that_mean_nothing_say_what_there_is(void **ctx)
{
    (void)ctx;
    static const char *const line[][2] = {
        {"a", "'a' is a body, expected a number; write a.x, a.phi, ..."},
        {"a.p", "'a.p' is a point, expected a number; write a.p.x"},
        {"a.p.phi", "point 'a.p' has no 'phi'; has: x, y, vx, vy"},
        {"a.q.x", "body 'a' has no point 'q'; has: center, p"},
        {"a.joint.s", "the joint of body 'a' has no 's'; has: x, vx, y, vy, phi, omega"},
        {"d.joint.phi", "the joint of body 'd' has no 'phi', it is welded"},
        {"b.x", "'b' has 3 elements, expected one; write b.1"},
        {"b.0.x", "'b' has the elements 1 to 3, not 0"},
        {"ab.x", "unknown name 'ab.x'"},
        {"x", "unknown name 'x'"},
        {"n", "unknown name 'n'; indices exist in elements with 'count'"},
        {"sinn(t)", "unknown function 'sinn', did you mean 'sin'?"},
    };
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        char text[900], messages[MESSAGES_MAX];
        snprintf(text, sizeof text, TOP BODIES "outputs: {o: %s}\n", line[k][0]);
        assert_null(compile(text, messages));
        const char *sentence = strstr(messages, "output 'o': ");
        assert_non_null(sentence);
        char expected[300];
        snprintf(expected, sizeof expected, "output 'o': %s\n", line[k][1]);
        assert_string_equal(sentence, expected);
    }
}

static void bodies_and_names_that_are_wrong_are_told_once(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies:\n"
                      "  a: {mass: 1 kg, inertia: 1, joint: {revolute: nobody}}\n"
                      "  b: {count: 0, mass: 1 kg, inertia: 1}\n"
                      "forces: {f: {force: [1 N/m * a.x, 1 N/m * b.2.x], on: a}}\n"
                      "start: {a.phi: 1, b.1.phi: 2}\n"
                      "outputs: {o: a.x + b.1.y}\n",
                  "6:49: body 'a': there is no body 'nobody'; has: a, b, ground\n"
                  "7:14: body 'b': count = 0, expected a whole number from 1 to 1000000\n");
}

static void long_names_are_refused(void **ctx)
{
    (void)ctx;
#define LONG "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz123456789"
    expect_errors(
        TOP "bodies:\n"
            "  a: {mass: 1 kg, inertia: 1, points: {" LONG ": [0, 0]}, contours: {" LONG
            ": {circle: 1 m}}}\n"
            "  " LONG ": {mass: 1 kg, inertia: 1}\n",
        "6:40: point 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n"
        "6:123: contour 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n"
        "7:3: body 'abcdefghijklmnopqrst...': the name has 61 letters, at most 60 are "
        "possible\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coordinate_and_velocity_has_a_name),
        cmocka_unit_test(names_that_mean_nothing_say_what_there_is),
        cmocka_unit_test(bodies_and_names_that_are_wrong_are_told_once),
        cmocka_unit_test(long_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
