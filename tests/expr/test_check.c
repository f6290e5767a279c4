#include "test_expr.h"

/* Asserts the dimension of a text. */
static void assert_dim(const char *text, int m, int kg, int s)
{
    sp_expr_info info;
    sp_error err = {.text = ""};
    test_value(text, &test_resolver, &info, &err);
    if (err.text[0] || info.any_dim || !sp_dim_equal(info.dim, sp_dim_of(m, kg, s))) {
        fail_msg("'%s' has the wrong dimension (%s)", text, err.text);
    }
}

static void products_and_powers_combine_dimensions(void **ctx)
{
    (void)ctx;
    assert_dim("m*v^2/2", 2, 1, -2);
    assert_dim("sqrt(l1*l2)", 1, 0, 0);
    assert_dim("(l1^3)^(1/3)", 1, 0, 0);
    assert_dim("l1^-2", -2, 0, 0);
    assert_dim("l1/l2", 0, 0, 0);
    assert_dim("atan2(l1, l2)", 0, 0, 0);
    assert_dim("abs(v)*t", 1, 0, 0);
    assert_dim("sign(v)", 0, 0, 0);
    assert_dim("min(l1, l2, 3 mm)", 1, 0, 0);
    assert_dim("clamp(v, 0, 2 m/s)", 1, 0, -1);
    assert_dim("if(v > 0, l1, 0)", 1, 0, 0);
    assert_dim("t mod 2 s", 0, 0, 1);
    assert_dim("x^y", 0, 0, 0);
    assert_dim("l1 + 0", 1, 0, 0);
    assert_dim("0 - l1", 1, 0, 0);
    assert_dim("2*pi*f", 0, 0, -1);
    assert_dim("1/2 m", -1, 0, 0);
}

static void dimensions_that_disagree_are_told_in_words(void **ctx)
{
    (void)ctx;
    assert_fails("l1 + t", 0, "'l1 + t': cannot add a length [m] and a time [s]");
    assert_fails("2*(l1 - t)", 3, "'l1 - t': cannot subtract a time [s] from a length [m]");
    assert_fails("if(t > l1, 1, 2)", 3, "'t > l1': cannot compare a time [s] and a length [m]");
    assert_fails("max(l1, t)", 0,
                 "'max(l1, t)' needs equal dimensions, got a length [m] and a time [s]");
    assert_fails("if(x > 0, l1, t)", 0,
                 "'if(x > 0, l1, t)': one branch is a length [m], the other a time [s]");
    assert_fails(
        "l1 + 0.1", 0,
        "'l1 + 0.1': cannot add a length [m] and a pure number; a number without unit is a "
        "pure number here, write '0.1 m'");
    assert_fails("-3 < v", 0,
                 "'-3 < v': cannot compare a pure number and a velocity [m/s]; a number without "
                 "unit is a pure number here, write '-3 m/s'");
    assert_fails("sin(l1)", 4, "'sin(l1)': the argument is a length [m], expected a pure number");
    assert_fails("exp(-t)", 4, "'exp(-t)': the argument is a time [s], expected a pure number");
    assert_fails("floor(t)", 6, "'floor(t)': the argument is a time [s], expected a pure number");
    assert_fails("2^l1", 2, "'2^l1': the exponent is a length [m], expected a pure number");
    assert_fails("l1^x", 3,
                 "'l1^x': the exponent of a length [m] must be a constant number, 'x' is not");
    assert_fails("l1^(1/7)", 3,
                 "'l1^(1/7)': a length [m] to the power 0.142857 has no usable dimension");
    assert_fails("l1^60*l1^60", 0, "'l1^60*l1^60': powers of units above 100");
    assert_fails("l1 mod 2", 0,
                 "'l1 mod 2' needs equal dimensions, got a length [m] and a pure number; a number "
                 "without unit is a pure number here, write '2 m'");
}

static void zero_fits_everywhere_and_nothing_else_does(void **ctx)
{
    (void)ctx;
    sp_expr_info info;
    test_value("0", &test_resolver, &info, NULL);
    assert_true(info.any_dim && info.lone_literal);
    test_value("-0.0", &test_resolver, &info, NULL);
    assert_true(info.any_dim);
    test_value("0 + 0", &test_resolver, &info, NULL);
    assert_true(info.any_dim && !info.lone_literal);
    test_value("0 m", &test_resolver, &info, NULL);
    assert_false(info.any_dim);
    test_value("1 - 1", &test_resolver, &info, NULL);
    assert_false(info.any_dim);
}

static void a_lone_literal_is_a_number_with_perhaps_a_sign(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *text;
        bool lone, literal;
    } row[] = {{"7.4e-5", true, true},     {"-4.5", true, true},   {"+2", true, true},
               {"38 g", false, true},      {"-38 g", false, true}, {"(3)", false, false},
               {"1 + 2", false, false},    {"i", false, false},    {"abs(3)", false, false},
               {"square(3)", false, false}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        sp_expr_info info;
        test_value(row[k].text, &test_resolver, &info, NULL);
        assert_int_equal(info.lone_literal, row[k].lone);
        assert_int_equal(info.literal, row[k].literal);
    }
}

static void constants_without_a_value_are_refused(void **ctx)
{
    (void)ctx;
    assert_fails("1/0", 0, "'1/0' divides by zero");
    assert_fails("x + 2/(i - n)", 4, "'2/(i - n)' divides by zero");
    assert_fails("1 mod 0", 0, "'1 mod 0' divides by zero");
    assert_fails("0^-1", 0, "'0^-1' divides by zero");
    assert_fails("log(0)", 0, "'log(0)': logarithm of 0, expected > 0");
    assert_fails("log(-1)", 0, "'log(-1)': logarithm of -1, expected > 0");
    assert_fails("sqrt(-4 m^2)", 0, "'sqrt(-4 m^2)': square root of -4, expected >= 0");
    assert_fails("acos(2)", 0, "'acos(2)': argument 2, expected from -1 to 1");
    assert_fails("(-8)^(1/3)", 0, "'(-8)^(1/3)': -8 to the power 0.333333 is not a real number");
    assert_fails("exp(1000)", 0, "'exp(1000)' is too large for a number");
    assert_fails("1e200*1e200", 0, "'1e200*1e200' is too large for a number");
    assert_fails("if(x > 0, 1/0, 2)", 10, "'1/0' divides by zero");
    assert_fails("if(1/0 > 1, 1, 2)", 3, "'1/0' divides by zero");
    assert_value("if(n > 5, 1/(n - 3), 2)", 2.0); /* never needed */
    assert_value("if(n > 5 and 1/0 > 1, 1, 2)", 2.0);
}

static void units_off_turns_the_checks_off_but_not_the_factors(void **ctx)
{
    (void)ctx;
    sp_expr_info info;
    sp_error err;
    assert_true(test_value("l1 + t + 3 mm", &test_unchecked, &info, &err) == 0.153 + 0.5 + 0.003);
    assert_true(info.any_dim);
    assert_true(test_value("sin(l1) + l1^x", &test_unchecked, &info, &err) ==
                sin(0.153) + pow(0.153, 0.7));
}

/* Frequencies keep their mark through names, signs and sums, and lose it in products. */
static void the_mark_of_a_frequency_travels(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {"50 Hz",  "-f",          "f + 3 Hz", "max(f, 0)", "0 + f",
                                       "2*pi*f", "f + 1/(2 s)", "2*f",      "50 rev/s",  "0"};
    for (int k = 0; k < 10; k++) {
        sp_expr_info info;
        test_value(text[k], &test_resolver, &info, NULL);
        assert_int_equal(info.dim.frequency, k < 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_powers_combine_dimensions),
        cmocka_unit_test(dimensions_that_disagree_are_told_in_words),
        cmocka_unit_test(zero_fits_everywhere_and_nothing_else_does),
        cmocka_unit_test(a_lone_literal_is_a_number_with_perhaps_a_sign),
        cmocka_unit_test(constants_without_a_value_are_refused),
        cmocka_unit_test(units_off_turns_the_checks_off_but_not_the_factors),
        cmocka_unit_test(the_mark_of_a_frequency_travels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
