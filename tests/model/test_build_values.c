/* Parameters, functions, quantities: values and messages. */
#include "test_build.h"

/* A model whose body has the mass given by text, with other lines in front of `bodies`. */
static double mass_of(const char *before, const char *mass)
{
    char text[1000];
    snprintf(text, sizeof text, TOP "%s\nbodies: {a: {inertia: 1, mass: \"%s\"}}\n", before, mass);
    sp_model *m = model_of(text);
    const double value = m->numbers.body[1].mass;
    sp_model_free(m);
    return value;
}

static void parameters_come_in_any_order(void **ctx)
{
    (void)ctx;
    assert_true(mass_of("parameters: {a: 2*b, b: c + d, c: 1 kg, d: 500 g}", "a") == 3.0);
}

static void a_unit_is_no_parameter_of_that_name(void **ctx)
{
    (void)ctx;
    /* kg as a unit in the value of the parameter kg: no ring */
    assert_true(mass_of("parameters: {kg: 3 kg, g: 2*kg}", "g + 1 kg") == 7.0);
}

static void ten_thousand_parameters_may_hang_on_each_other(void **ctx)
{
    (void)ctx;
    enum { N = 10000 };
    static char text[N * 24 + 400];
    size_t used = (size_t)snprintf(text, sizeof text, TOP "parameters:\n");
    for (int k = 0; k < N; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "  p%d: p%d\n", k, k + 1);
    }
    snprintf(text + used, sizeof text - used, "  p%d: 2 kg\nbodies: {a: {mass: p0, inertia: 1}}\n",
             N);
    sp_model *m = model_of(text);
    assert_true(m->numbers.body[1].mass == 2.0);
    sp_model_free(m);
}

static void functions_of_the_file_are_called(void **ctx)
{
    (void)ctx;
    assert_true(mass_of("parameters: {m: 2 kg}\nfunctions: {\"f(x, k)\": m*x*k, g(x): \"f(x, 2)\"}",
                        "g(3)") == 12.0);
}

static void a_parameter_with_bounds_is_held_against_them(void **ctx)
{
    (void)ctx;
    assert_true(mass_of("parameters: {m: {value: 2 kg, min: 1, max: 2 kg, text: ok}}", "m") == 2.0);
    expect_errors(TOP
                  "parameters: {n_plate: {value: 9, min: 1, max: 8}, r: {value: 1 mm, min: 2 mm}}\n"
                  "bodies: {a: {mass: 1 kg, inertia: 1}}\n",
                  "5:31: parameter 'n_plate' = 9, expected <= 8\n"
                  "5:62: parameter 'r' = 1 mm, expected >= 2 mm\n");
    expect_errors(TOP "parameters: {r: {value: 1 mm, min: 1 kg}}\n"
                      "bodies: {a: {mass: 1 kg, inertia: 1}}\n",
                  "5:36: parameter 'r': min = 1 kg is a mass [kg], expected a length [m]\n");
}

static void rings_of_parameters_are_told_once_with_the_chain(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "parameters: {d: 2*b, a: b + 1, b: c, c: 3*a, e: e}\n"
                      "bodies: {x: {mass: d, inertia: a}}\n",
                  "5:25: parameter 'a': needs itself, a -> b -> c -> a\n"
                  "5:49: parameter 'e': needs itself, e -> e\n");
}

static void an_error_in_a_parameter_is_not_repeated_where_it_is_used(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "parameters: {a: 1 m + 1 kg, b: 2*a, c: [a, 0]}\n"
                      "bodies: {x: {mass: b, inertia: a, center: c}}\n",
                  "5:17: parameter 'a': '1 m + 1 kg': cannot add a length [m] and a mass [kg]\n");
}

static void indices_are_no_parameters(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "parameters: {i: 1, n: 2}\nbodies: {x: {mass: 1 kg, inertia: 1}}\n",
                  "5:14: parameter 'i': the name is reserved for elements with 'count'\n"
                  "5:20: parameter 'n': the name is reserved for elements with 'count'\n");
    expect_errors(TOP "bodies: {x: {mass: 1 kg * i, inertia: 1}}\n",
                  "5:27: body 'x': mass: unknown name 'i'; indices exist in elements with 'count' "
                  "or 'each'\n");
}

static void vectors_stand_alone(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(TOP "parameters: {a: 2 m, p: [a, 2*a]}\n"
                               "bodies: {x: {mass: 1 kg, inertia: 1, center: p}}\n");
    expect_vector(m->numbers.body[1].center, 2.0, 4.0);
    sp_model_free(m);
    expect_errors(TOP "parameters: {a: 2 m, p: [a, 2*a], q: [a, a, a], r: [1 kg, a]}\n"
                      "bodies:\n"
                      "  x: {mass: 1 kg, inertia: 1, center: a}\n"
                      "  y: {mass: 1 kg, inertia: 1, center: q}\n"
                      "  z: {mass: 1 kg, inertia: 1, center: r}\n"
                      "  u: {mass: 1 kg, inertia: 1, center: s}\n"
                      "  v: {mass: 1 kg, inertia: 1, center: [2*p, 0]}\n",
                  "7:39: body 'x': center = a is one number, expected [x, y]\n"
                  "8:39: body 'y': center = q has 3 entries, expected 2\n"
                  "9:39: body 'z': center = r is a mass [kg], expected a length [m]\n"
                  "10:39: body 'u': center = s, expected [x, y] or a parameter that is one\n"
                  "11:42: body 'v': center: 'p' is a vector, expected a number\n");
}

static void a_direction_is_a_vector_or_an_angle(void **ctx)
{
    (void)ctx;
    sp_model *m =
        model_of(TOP "parameters: {e: [3, 4]}\nbodies:\n"
                     "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [3, 4]}}\n"
                     "  b: {mass: 1 kg, joint: {prismatic: ground, axis: e, turn: 90 deg}}\n"
                     "  c: {mass: 1 kg, joint: {prismatic: ground, axis: 90 deg, turn: 90 deg}}\n");
    expect_vector(m->numbers.body[1].axis[0], 0.6, 0.8);
    expect_vector(m->numbers.body[2].axis[0], -0.8, 0.6);
    expect_vector(m->numbers.body[3].axis[0], -1.0, 0.0);
    sp_model_free(m);
    expect_errors(TOP "bodies:\n"
                      "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 0]}}\n"
                      "  b: {mass: 1 kg, joint: {prismatic: ground, axis: 1 m}}\n",
                  "6:52: body 'a': joint: axis = [0, 0] has no direction\n"
                  "7:52: body 'b': joint: axis = 1 m is a length [m], expected an angle [rad]\n");
}

/* The table of messages in the description of the language, each in line 7. */
static void messages_about_quantities_are_as_promised(void **ctx)
{
    (void)ctx;
    static const char *const line[][2] = {
        {"  bird: {mass: -4.5 g, inertia: 7e-7}",
         "7:16: body 'bird': mass = -4.5 g, expected > 0\n"},
        {"  rod: {mass: 38 mm}",
         "7:15: body 'rod': mass = 38 mm is a length [m], expected a mass [kg]\n"},
        {"  rod: {mass: m_2}",
         "7:15: body 'rod': mass = m_2 is a pure number (0.038, set in line 3), "
         "expected a mass [kg]; write 'm_2: 0.038 kg' there\n"},
        {"  rod: {mass: 38 g, center: [2 l1, 0]}",
         "7:32: body 'rod': center: unknown unit 'l1' in '2 l1'; a product is written '2*l1'\n"},
        {"  tank: {mass: 9 kg - 2 g/s * t}",
         "7:31: body 'tank': mass must not depend on time 't', expected parameters only\n"},
    };
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "specht: 1\nspace: planar\nparameters: {m_2: 0.038, l1: 1 m}\ngravity: 0\n\n"
                 "bodies:\n%s\n",
                 line[k][0]);
        expect_errors(text, line[k][1]);
    }
}

static void bad_numbers_are_refused(void **ctx)
{
    (void)ctx;
    static const char *const mass[][2] = {
        {"0/0", "5:20: body 'a': mass: '0/0' divides by zero\n"},
        {"nan", "5:20: body 'a': mass: 'nan' is no quantity, expected a finite number\n"},
        {"1 kg + ball.x", "5:27: body 'a': mass: unknown name 'ball.x'\n"},
        {"1 kg * a.x/(1 m)",
         "5:27: body 'a': mass must not depend on the motion 'a.x', expected parameters only\n"},
        {"-l", "5:20: body 'a': mass = -l = -2, expected > 0\n"},
        {"1 kg * (3 - 4)", "5:20: body 'a': mass = 1 kg * (3 - 4) = -1, expected > 0\n"},
        {"-1e-3 kg", "5:20: body 'a': mass = -1e-3 kg, expected > 0\n"},
        {"\"1 kg + t\"",
         "5:28: body 'a': mass must not depend on time 't', expected parameters only\n"},
    };
    for (size_t k = 0; k < sizeof mass / sizeof *mass; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 TOP "bodies: {a: {mass: %s, inertia: 1}}\nparameters: {l: 2 kg}\n", mass[k][0]);
        expect_errors(text, mass[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_come_in_any_order),
        cmocka_unit_test(a_unit_is_no_parameter_of_that_name),
        cmocka_unit_test(ten_thousand_parameters_may_hang_on_each_other),
        cmocka_unit_test(functions_of_the_file_are_called),
        cmocka_unit_test(a_parameter_with_bounds_is_held_against_them),
        cmocka_unit_test(rings_of_parameters_are_told_once_with_the_chain),
        cmocka_unit_test(an_error_in_a_parameter_is_not_repeated_where_it_is_used),
        cmocka_unit_test(indices_are_no_parameters),
        cmocka_unit_test(vectors_stand_alone),
        cmocka_unit_test(a_direction_is_a_vector_or_an_angle),
        cmocka_unit_test(messages_about_quantities_are_as_promised),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
