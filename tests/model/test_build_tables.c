/* Functions by points in model files. */
#include "test_build.h"

#define BODY "bodies: {a: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}}}\n"

/* The constant an output comes to. */
static double constant_of(const sp_model *m, const char *name)
{
    for (int i = 0; i < m->n_output; i++) {
        if (strcmp(m->output[i].name, name) == 0) {
            assert_null(m->output[i].func.program);
            return m->output[i].func.constant;
        }
    }
    fail_msg("no output %s", name);
    return 0.0;
}

static void numbers_without_unit_have_that_of_their_column(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP
        "functions:\n"
        "  f: {points: [[0, 0], [153, 2], [20 cm, 3000 N], [l, 4]], units: [mm, kN], by: linear}\n"
        "  g: {points: [[0, 1 m], [1, 3 m]]}\n"
        "parameters: {l: 1 m, F: f(153 mm)}\n" BODY
        "outputs: {a: F, b: f(0.2 m), c: f(0.6 m), d: g(0.25), e: f(0)}\n");
    assert_true(constant_of(m, "a") == 2000.0); /* 153 mm is the same number in both places */
    expect_near(constant_of(m, "b"), 3000.0, 0.0);
    expect_near(constant_of(m, "c"), 3500.0, 1e-12);
    expect_near(constant_of(m, "d"), 1.5, 1e-15);
    expect_near(constant_of(m, "e"), 0.0, 0.0);
    assert_string_equal(m->output[0].unit, "N");
    assert_string_equal(m->output[3].unit, "m");
    sp_model_free(m);
}

static void parameters_and_tables_may_need_each_other(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "parameters: {a: 2*f(0.5), b: c + 1 m, c: 3 m, z: twice(0.5)}\n"
                               "functions:\n"
                               "  f: {points: [[0, 0], [1, b]]}\n"
                               "  twice(x): 2*f(x)\n" BODY "outputs: {first: a, last: z}\n");
    expect_near(constant_of(m, "first"), 4.0, 1e-15);
    expect_near(constant_of(m, "last"), 4.0, 1e-15);
    sp_model_free(m);
    expect_errors(
        TOP "parameters: {a: f(0.5), b: a}\nfunctions: {f: {points: [[0, 0], [1, b]]}}\n" BODY,
        "5:17: parameter 'a': needs itself, a -> b -> a\n");
}

static void a_wrong_table_is_told_once_used_or_not(void **ctx)
{
    (void)ctx;
    expect_errors(TOP
                  "parameters: {a: f(0.5), b: a}\n"
                  "functions: {f: {points: [[0, 0], [1, q]]}, g: {points: [[0, 0], [0, 1]]}}\n" BODY
                  "outputs: {o: f(a)}\n",
                  "6:38: function 'f': points: unknown name 'q'\n"
                  "6:65: function 'g': points: x = 0 in point 2 is not above the 0 of the point "
                  "before it, expected rising values; sort the points, and leave one of "
                  "two with the same x\n");
}

static void tables_of_the_state_are_smooth_functions(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "functions: {f: {points: [[0, 0], [1, 1], [2, 0]], units: [m, N]}}\n" BODY
                     "forces: {s: {spring: a.y, force: f(x) - f(1 m)}}\n");
    const sp_func *law = &m->force[0].law[0];
    assert_int_equal(law->n_signal, 1);
    double x = 0.5, grad, work[100];
    /* natural spline through 0, 1, 0: y'' = -3 in the middle, y(0.5) = 0.5 + 3/16 */
    expect_near(sp_program_grad(law->program, &x, &grad, work), 0.5 + 0.1875 - 1.0, 1e-15);
    expect_near(grad, 1.0 + 3.0 / 24.0, 1e-15);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_without_unit_have_that_of_their_column),
        cmocka_unit_test(parameters_and_tables_may_need_each_other),
        cmocka_unit_test(a_wrong_table_is_told_once_used_or_not),
        cmocka_unit_test(tables_of_the_state_are_smooth_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
