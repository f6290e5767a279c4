#include "test_expr.h"

static void operators_bind_as_in_mathematics(void **ctx)
{
    (void)ctx;
    assert_value("1 + 2*3", 7.0);
    assert_value("(1 + 2)*3", 9.0);
    assert_value("10 - 4 - 3", 3.0);
    assert_value("100/10/5", 2.0);
    assert_value("2^3^2", 512.0);
    assert_value("-2^2", -4.0);
    assert_value("2^-2", 0.25);
    assert_value("2^-1^2", 0.5); /* 2^(-(1^2)) */
    assert_value("-2*3", -6.0);
    assert_value("2*-3", -6.0);
    assert_value("2--3", 5.0);
    assert_value("- - 3", 3.0);
    assert_value("2^-2*8", 2.0);
    assert_value("7 mod 4*2", 6.0);
    assert_value("-1 mod 3", 2.0);
    assert_value("5.5 mod 2", 1.5);
    assert_value("i mod n + 1", 1.0);
    assert_value("pi", 3.14159265358979323846);
    assert_value(" 1\n+\t2\r\n", 3.0);
    assert_value("-l1/2", -0.153 / 2.0);
    assert_value("-x^2", -(0.7 * 0.7));
}

static void conditions_choose_between_values(void **ctx)
{
    (void)ctx;
    assert_value("if(1 < 2, 3, 4)", 3.0);
    assert_value("if(2 <= 1, 3, 4)", 4.0);
    assert_value("if(x > y, 1, 2)", 1.0);
    assert_value("if(x >= y, 1, 2)", 1.0);
    assert_value("if(y >= x, 1, 2)", 2.0);
    assert_value("if(not x < y, 1, 2)", 1.0);
    assert_value("if(x < y or y < z and z < x, 1, 2)", 2.0);
    assert_value("if(y < z or x < y and z < x, 1, 2)", 1.0); /* and before or */
    assert_value("if((y < z or x < y) and z < x, 1, 2)", 2.0);
    assert_value("if(not y < z or y < z, 1, 2)", 1.0); /* (not ...) or ... */
    assert_value("if(1 < 2 and x < y, 1, 2)", 2.0);
    assert_value("if(1 > 2 or x > y, 1, 2)", 1.0);
    assert_value("if(1 > 2 and x > y, 1, 2)", 2.0);
    assert_value("if(x > y and 1 < 2, 1, 2)", 1.0);
    assert_fails("1 < 2 < 3", 6,
                 "'1 < 2 < 3': comparisons cannot be chained; write 'a < b and b < c'");
    assert_fails("x > 0", 0, "'x > 0' is a condition, expected a number; write 'if(x > 0, 1, 0)'");
    assert_fails("if(x, 1, 2)", 3,
                 "'x' in 'if(x, 1, 2)' is a number, expected a condition such as 'x > 0'");
    assert_fails("1 + (x > 0)", 4,
                 "'(x > 0)' in '1 + (x > 0)' is a condition, expected a number; write 'if((x > 0), "
                 "1, 0)'");
    assert_fails("not x", 4, "'x' in 'not x' is a number, expected a condition such as 'x > 0'");
}

static void broken_texts_are_told_what_is_missing(void **ctx)
{
    (void)ctx;
    assert_fails("max(a", 3, "unbalanced '(' in 'max(a'");
    assert_fails("b)", 1, "unbalanced ')' in 'b)'");
    assert_fails("(1 + 2", 0, "unbalanced '(' in '(1 + 2'");
    assert_fails("1 +", 3, "'1 +' ends where a value was expected");
    assert_fails("* 2", 0, "'* 2': expected a value before '*'");
    assert_fails("1 + * 2", 4, "'1 + * 2': expected a value before '*'");
    assert_fails("()", 1, "'()': expected a value before ')'");
    assert_fails("sin()", 4, "'sin()' has no argument");
    assert_fails("max(1,)", 6, "'max(1,)': expected a value before ')'");
    assert_fails("(1, 2)", 2, "'(1, 2)': a comma may only separate arguments of a function");
    assert_fails("1, 2", 1, "'1, 2': a comma may only separate arguments of a function");
    assert_fails("x y", 2, "'x y': expected an operator before 'y'; a product is written 'x*y'");
    assert_fails("2(3)", 1,
                 "'2(': expected an operator before '('; a product is written '2*(...)'");
    assert_fails("(2) m", 4,
                 "'(2) m': expected an operator before 'm'; a product is written '(2)*m'");
    assert_fails("mod", 0, "'mod': expected a value before 'mod'");
    assert_fails("if", 0, "'if' needs its arguments: if(condition, a, b)");
    assert_fails("x + l9*2", 4, "unknown name 'l9'");
    assert_fails("x '", 2, "'x '' is not a quantity: unexpected '''; a prime must follow a name");
}

static void names_may_have_dots_numbers_and_primes(void **ctx)
{
    (void)ctx;
    assert_value("phi_S''", 5.0);
    assert_value("link.1.back", 4.0);
    assert_value("link.01.back*1", 4.0);
    assert_value("mod.phi", 6.0); /* a body may be called 'mod' */
    assert_value("5 mod mod.phi", 5.0);
}

static void ten_thousand_levels_are_an_error_and_no_crash(void **ctx)
{
    (void)ctx;
    enum { DEEP = 10000 };
    char *text = malloc(2 * DEEP + 8);
    assert_non_null(text);
    memset(text, '(', DEEP);
    text[DEEP] = '1';
    memset(text + DEEP + 1, ')', DEEP);
    text[2 * DEEP + 1] = '\0';
    assert_fails(text, SP_EXPR_NEST_MAX,
                 "expression nested deeper than 400 operators or parentheses");
    memset(text, '-', DEEP);
    text[DEEP + 1] = '\0';
    assert_fails(text, SP_EXPR_NEST_MAX,
                 "expression nested deeper than 400 operators or parentheses");
    for (int k = 0; k < DEEP; k++) {
        memcpy(text + 2 * k, "2^", 2);
    }
    strcpy(text + 2 * DEEP, "1");
    assert_fails(text, 2 * SP_EXPR_NEST_MAX + 1,
                 "expression nested deeper than 400 operators or parentheses");
    free(text);
}

static void a_megabyte_of_text_is_an_error_and_no_hang(void **ctx)
{
    (void)ctx;
    enum { LONG = 1 << 20 };
    static const char *const pattern[] = {"1+", "x+", "x", "1", "m ", "5 m*", ".", "x.", "'", " "};
    char *text = malloc(LONG + 8);
    assert_non_null(text);
    for (size_t p = 0; p < sizeof pattern / sizeof pattern[0]; p++) {
        const size_t n = strlen(pattern[p]);
        for (size_t k = 0; k < LONG; k++) {
            text[k] = pattern[p][k % n];
        }
        strcpy(text + LONG, "1");
        sp_error err;
        sp_expr_info info;
        if (pattern[p][0] == ' ') {
            assert_true(test_value(text, &test_resolver, &info, &err) == 1.0);
        } else {
            assert_true(isnan(test_value(text, &test_resolver, &info, &err)));
            assert_true(strlen(err.text) > 10);
        }
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(conditions_choose_between_values),
        cmocka_unit_test(broken_texts_are_told_what_is_missing),
        cmocka_unit_test(names_may_have_dots_numbers_and_primes),
        cmocka_unit_test(ten_thousand_levels_are_an_error_and_no_crash),
        cmocka_unit_test(a_megabyte_of_text_is_an_error_and_no_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
