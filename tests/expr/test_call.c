#include "test_expr.h"

static void every_function_has_its_value(void **ctx)
{
    (void)ctx;
    volatile double x = 0.7; /* the compiler must not fold these: it rounds better than libm */
    assert_value("sin(x) + cos(x)*tan(x)", sin(x) + cos(x) * tan(x));
    assert_value("asin(x)", asin(x));
    assert_value("acos(x)", acos(x));
    assert_value("atan(x)", atan(x));
    assert_value("atan2(x, y)", atan2(x, -0.4));
    assert_value("sinh(x)", sinh(x));
    assert_value("cosh(x)", cosh(x));
    assert_value("tanh(x)", tanh(x));
    assert_value("exp(x)", exp(x));
    assert_value("log(x)", log(x));
    assert_value("sqrt(x)", sqrt(x));
    assert_value("abs(y)", 0.4);
    assert_value("sign(y)", -1.0);
    assert_value("sign(0)", 0.0);
    assert_value("sign(x)", 1.0);
    assert_value("floor(y)", -1.0);
    assert_value("min(x, y)", -0.4);
    assert_value("max(x, y, z, 1)", 1.3);
    assert_value("clamp(z, 0, 1)", 1.0);
    assert_value("clamp(y, 0, 1)", 0.0);
    assert_value("clamp(x, 0, 1)", 0.7);
    assert_value("sin (x)", sin(x));
}

static void wrong_calls_are_told(void **ctx)
{
    (void)ctx;
    assert_fails("sin(1,2)", 0, "'sin' takes 1 argument, got 2 in 'sin(1,2)'");
    assert_fails("1 + max(1)", 4, "'max' takes at least 2 arguments, got 1 in 'max(1)'");
    assert_fails("if(x > 0, 1)", 0, "'if' takes 3 arguments, got 2 in 'if(x > 0, 1)'");
    assert_fails("mean(1)", 0, "'mean' takes 2 arguments, got 1 in 'mean(1)'");
    assert_fails("x(3)", 0, "'x' is not a function; a product is written 'x*(...)'");
    assert_fails("pi(3)", 0, "'pi' is not a function; a product is written 'pi*(...)'");
    assert_fails("sine(3)", 0, "unknown function 'sine'");
    sp_error err;
    sp_expr_info info;
    test_value("sine(3)", NULL, &info, &err);
    assert_string_equal(err.text, "unknown function 'sine', did you mean 'sin'?");
}

static void own_functions_are_expanded(void **ctx)
{
    (void)ctx;
    assert_value("square(x)", 0.7 * 0.7);
    assert_value("square(x + 1)", (0.7 + 1.0) * (0.7 + 1.0));
    assert_value("mean(x, y)", (0.7 + -0.4) / 2.0);
    assert_value("ramp(0.5)", 0.5);
    assert_value("ramp(z)", 1.0);
    assert_value("area(l1, l2)", pow((0.153 + 0.306) / 2, 2) * 3.14159265358979323846);
    assert_value("square(square(2))", 16.0);
    assert_value("pick(1)", 4.0);
    assert_value("-square(3)^2", -81.0);
}

static void errors_inside_functions_name_the_function(void **ctx)
{
    (void)ctx;
    assert_fails("x + ping(1)", 4,
                 "in function 'pong': function 'ping' calls itself: ping -> "
                 "pong -> ping");
    assert_fails("self(3)", 0, "in function 'self': function 'self' calls itself: self -> self");
    assert_fails("plus_metre(x)", 0,
                 "in function 'plus_metre': 'a + 1 m': cannot add a pure number and a length [m]");
    assert_fails("1 + inverse(0)", 4, "in function 'inverse': '1/a' divides by zero");
    assert_fails("broken(1)", 0, "in function 'broken': 'a +' ends where a value was expected");
    assert_fails("pick(x)", 0, "in function 'pick': index '(a)' in 'link.(a)' is not constant");
}

static void indices_are_whole_constants(void **ctx)
{
    (void)ctx;
    assert_value("link.(i-2).back", 4.0);
    assert_value("link.(i mod n + 1).back", 4.0);
    assert_value("link.( 1 ).back", 4.0);
    assert_fails("link.(i/2).back", 5,
                 "index '(i/2)' in 'link.(i/2)' is 1.5, expected a whole number >= 0");
    assert_fails("link.(i-4).back", 5,
                 "index '(i-4)' in 'link.(i-4)' is -1, expected a whole number >= 0");
    assert_fails("link.(t).back", 5, "index '(t)' in 'link.(t)' is not constant");
    assert_fails("link.(l1).back", 5,
                 "index '(l1)' in 'link.(l1)' is a length [m], expected a whole number");
    assert_fails("link.(1/0).back", 6, "'1/0' divides by zero");
    assert_fails("link.(1 < 2)", 5, "index '(1 < 2)' in 'link.(1 < 2)' is not constant");
    assert_fails("link.", 5, "'link.': expected a name, a whole number or '(...)' after the '.'");
    assert_fails("link.3x", 5,
                 "'link.3x': expected a name, a whole number or '(...)' after the '.'");
    assert_fails("link.().back", 6, "'link.().back': expected a value before ')'");
}

/* f_k(a) = f_(k-1)(a) + f_(k-1)(a): 2^k operations. */
static sp_status doubling(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    static const char *const param[] = {"a"};
    const int k = atoi(name + 1);
    (void)err;
    char *body = (char *)ctx + 64 * k; /* the body must live: one slot per level */
    if (k) {
        snprintf(body, 64, "f%d(a) + f%d(a)", k - 1, k - 1);
    } else {
        snprintf(body, 64, "a*a");
    }
    out->n_param = 1;
    out->param = param;
    out->body = body;
    return SP_OK;
}

static void exponential_growth_of_functions_is_stopped(void **ctx)
{
    (void)ctx;
    char bodies[4000];
    const sp_resolver r = {
        .ctx = bodies, .name = test_resolve, .function = doubling, .check_units = true};
    sp_expr_info info;
    sp_error err = {.text = ""};
    assert_true(fabs(test_value("f10(x)", &r, &info, &err) - 1024 * 0.49) < 1e-9);
    assert_true(test_value("f10(2)", &r, &info, &err) == 4096.0);
    assert_true(isnan(test_value("f30(x)", &r, &info, &err)));
    assert_non_null(strstr(err.text, "expression of more than 100000 symbols"));
    assert_true(isnan(test_value("f30(2)", &r, &info, &err)));
    assert_non_null(strstr(err.text, "expression of more than 100000 symbols"));
    assert_int_equal(strncmp(err.text, "in function 'f0': ", 17), 0);
    assert_true(isnan(test_value("f40(x)", &r, &info, &err)));
    assert_non_null(strstr(err.text, "functions or indices nested deeper than 32"));
}

static void indices_inside_indices_have_a_limit(void **ctx)
{
    (void)ctx;
    char text[2000] = "";
    for (int k = 0; k < 40; k++) {
        strcat(text, "link.(");
    }
    strcat(text, "1");
    for (int k = 0; k < 40; k++) {
        strcat(text, ").back");
    }
    sp_expr_info info;
    sp_error err;
    assert_true(isnan(test_value(text, &test_resolver, &info, &err)));
    assert_non_null(strstr(err.text, "functions or indices nested deeper than 32"));
}

static void long_names_are_an_error(void **ctx)
{
    (void)ctx;
    char text[5000];
    memset(text, 'a', sizeof text);
    text[SP_EXPR_NAME_MAX + 1] = '\0';
    sp_expr_info info;
    sp_error err;
    test_value(text, &test_resolver, &info, &err);
    assert_non_null(strstr(err.text, "name of more than 200 letters"));
    text[SP_EXPR_NAME_MAX] = '\0';
    test_value(text, &test_resolver, &info, &err);
    assert_non_null(strstr(err.text, "unknown name 'aaa"));
    text[SP_EXPR_NAME_MAX] = '\'';
    test_value(text, &test_resolver, &info, &err);
    assert_non_null(strstr(err.text, "name of more than 200 letters"));
    for (int k = 1; k < 300; k += 2) {
        text[k] = '.';
    }
    text[300] = '\0';
    test_value(text, &test_resolver, &info, &err);
    assert_non_null(strstr(err.text, "name of more than 200 letters"));
    memset(text, 'a', 4000);
    strcpy(text + 4000, "(1)");
    test_value(text, &test_resolver, &info, &err);
    assert_non_null(strstr(err.text, "name of 4000 letters, at most 200 are possible"));
}

static void reserved_names_are_known(void **ctx)
{
    (void)ctx;
    int n = 0;
    const char *const *name = sp_expr_builtins(&n);
    assert_int_equal(n, 23);
    for (int k = 0; k < n; k++) {
        assert_true(sp_expr_reserved(name[k]) == (k < 20)); /* step, ramp and pulse are free */
    }
    assert_true(sp_expr_reserved("pi") && sp_expr_reserved("mod") && sp_expr_reserved("not"));
    assert_false(sp_expr_reserved("x") || sp_expr_reserved("") || sp_expr_reserved("sine"));
}

/* step, ramp and pulse, at their ends too; an own function of the name goes first. */
static void functions_of_time_have_their_values(void **ctx)
{
    (void)ctx;
    assert_value("step(t, 0.4 s) + 10*step(t, 0.5 s) + 100*step(t, 0.6 s)", 11.0); /* t = 0.5 s */
    assert_value("pulse(t, 0.5 s, 0.6 s) + 10*pulse(t, 0.4 s, 0.5 s)", 1.0);
    assert_value("ramp(0.5)", 0.125 * (10.0 - 7.5 + 1.5)); /* the model's own */
    sp_error err = {.text = ""};
    const sp_resolver r = {.name = test_resolve, .check_units = true};
    assert_true(test_value("ramp(t, 0.25 s, 1.25 s)", &r, NULL, &err) == 0.25);
    assert_true(test_value("ramp(t, 1 s, 2 s) + 10*ramp(t, 0 s, 0.5 s)", &r, NULL, &err) == 10.0);
    assert_fails("step(t, 1 m)", 0, "'step(t, 1 m)': cannot compare a time [s] and a length [m]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_its_value),
        cmocka_unit_test(wrong_calls_are_told),
        cmocka_unit_test(own_functions_are_expanded),
        cmocka_unit_test(errors_inside_functions_name_the_function),
        cmocka_unit_test(indices_are_whole_constants),
        cmocka_unit_test(exponential_growth_of_functions_is_stopped),
        cmocka_unit_test(indices_inside_indices_have_a_limit),
        cmocka_unit_test(long_names_are_an_error),
        cmocka_unit_test(reserved_names_are_known),
        cmocka_unit_test(functions_of_time_have_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
