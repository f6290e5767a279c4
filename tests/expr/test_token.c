#include "test_expr.h"

#include "expr/token.h"

#include <locale.h>

static void numbers_are_decimal_with_an_optional_exponent(void **ctx)
{
    (void)ctx;
    assert_value("1e-3", 0.001);
    assert_value("010", 10.0);
    assert_value("+.5", 0.5);
    assert_value("1.", 1.0);
    assert_value("2.5E+2", 250.0);
    assert_value("0.1", 0.1);
    assert_value("0.30000000000000004", 0.30000000000000004);
    assert_value("9007199254740993", 9007199254740993.0);
    assert_value("1.7976931348623157e308", 1.7976931348623157e308);
    assert_value("5e-324", 5e-324);
    assert_value("0e99999999999999999999", 0.0);
    assert_value("000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                 "0000000000000000000000000000000000000000000000000000000007",
                 7.0);
}

/* A prefix moves the point, so the double is the one nearest to the decimal number. */
static void prefixes_cost_no_digit(void **ctx)
{
    (void)ctx;
    assert_value("153 mm", 0.153);
    assert_value("7.4 mm", 0.0074);
    assert_value("0.3 g", 0.0003);
    assert_value("4.5 g", 0.0045);
    assert_value("20.1 mm", 0.0201);
    assert_value("33 um", 33e-6);
    assert_value("2.7 GPa", 2.7e9);
    assert_value("16 dm^3", 0.016);
    assert_value("2 %", 0.02);
    assert_value("36 km/h", 10.0);
    assert_value("90 deg", 3.14159265358979323846 / 2.0);
    assert_value("180 deg", 3.14159265358979323846);
    assert_value("3 min", 180.0);
}

static void random_decimal_numbers_agree_with_the_c_library(void **ctx)
{
    (void)ctx;
    uint64_t seed = 12345;
    for (int k = 0; k < 20000; k++) {
        char text[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const unsigned a = (unsigned)(seed >> 40), b = (unsigned)(seed >> 20) % 1000000;
        const int e = (int)(seed >> 11 & 511) - 256;
        snprintf(text, sizeof text, "%u.%06ue%d", a, b, e);
        double value = 0.0;
        assert_true(sp_number_value(text, 0, strlen(text), 0, &value));
        assert_true(value == strtod(text, NULL));
        assert_true(sp_number_value(text, 0, strlen(text), -3, &value));
        snprintf(text, sizeof text, "%u.%06ue%d", a, b, e - 3);
        assert_true(value == strtod(text, NULL));
    }
}

static void a_comma_locale_changes_nothing(void **ctx)
{
    (void)ctx;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE")) {
        skip(); /* not installed */
    }
    assert_value("7.4 mm", 0.0074);
    char unit[64];
    const sp_dim root = {{SP_DIM_ONE / 2, 0, 0}, false};
    sp_dim_unit(root, unit, sizeof unit);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(unit, "m^0.5");
}

static void what_is_no_number_is_not_a_quantity(void **ctx)
{
    (void)ctx;
    assert_fails("12:30", 2, "'12:30' is not a quantity: unexpected ':'");
    assert_fails("0x1F", 0, "'0x1F' is not a quantity: 'x1F' cannot follow the number '0'");
    assert_fails("1_000", 0, "'1_000' is not a quantity: '_000' cannot follow the number '1'");
    assert_fails(".inf", 0, "'.inf' is not a quantity: unexpected '.'");
    assert_fails("~", 0, "'~' is not a quantity: unexpected '~'");
    assert_fails("", 0, "'' is not a quantity: it is empty");
    assert_fails("  \t\n", 4, "'    ' is not a quantity: it is empty");
    assert_fails("1e", 0, "'1e' is not a quantity: 'e' cannot follow the number '1'");
    assert_fails("1.2.3", 0, "'1.2.3' is not a quantity: '.3' cannot follow the number '1.2'");
    assert_fails("1e999", 0, "'1e999' is too long, too large or too small for a number");
    assert_fails("1e-999", 0, "'1e-999' is too long, too large or too small for a number");
    assert_fails("3 km^99*km^9", 0, "unit 'km^9' has no usable power in '3 km^99*km^9'");
}

static void foreign_operators_get_a_hint(void **ctx)
{
    (void)ctx;
    assert_fails("2 ** 3", 2,
                 "'2 ** 3' is not a quantity: unexpected '**'; a power is written with '^'");
    assert_fails("x && y", 2, "'x && y' is not a quantity: unexpected '&&'; write 'and'");
    assert_fails("x == 2", 2,
                 "'x == 2' is not a quantity: unexpected '=='; conditions are < <= > >=");
    assert_fails("link[1]", 4,
                 "'link[1]' is not a quantity: unexpected '['; an element of an array is written "
                 "'link.3' or 'link.(i-1)'");
    assert_fails("5 \xC2\xB5m", 2,
                 "'5 ??m' is not a quantity: unexpected byte 0xC2; names and units are written "
                 "with the letters a-z and A-Z");
}

static void a_unit_follows_its_number_after_a_blank(void **ctx)
{
    (void)ctx;
    assert_value("5 N*m/rad", 5.0);
    assert_value("5 N * m", 10.0); /* m is the name of a mass of 2 kg */
    assert_value("5   mm", 0.005);
    assert_value("1/2 m", 0.5); /* 1/(2 m) */
    assert_value("3 1/s", 3.0);
    assert_value("2 m*3", 6.0);
    assert_value("2 m*(3)", 6.0);
    assert_value("5 m^2^2", 25.0); /* (5 m^2)^2 */
    assert_value("7 mod 4", 3.0);  /* an operator, no unit */
    assert_fails("2m", 0, "'2m' is not a quantity: put a blank before the unit, '2 m'");
    assert_fails("2%", 0, "'2%' is not a quantity: put a blank before the unit, '2 %'");
    assert_fails("2 l1", 2, "unknown unit 'l1' in '2 l1'; a product is written '2*l1'");
    assert_fails("x - 2  l1", 7, "unknown unit 'l1' in '2  l1'; a product is written '2*l1'");
    assert_fails("5 mm*l1", 5, "unknown unit 'l1' in '5 mm*l1'; a product is written '5 mm * l1'");
    assert_fails("5 mm/l1", 5, "unknown unit 'l1' in '5 mm/l1'; a quotient is written '5 mm / l1'");
    assert_fails("20 Hz*t", 0,
                 "'t' in '20 Hz*t' is the unit tonne, as no blanks are around '*'; the time is "
                 "written '20 Hz * t', and masses within units in kg");
    assert_fails("5 Nm", 2, "unknown unit 'Nm' in '5 Nm'; did you mean 'N*m'?");
    assert_fails("2 rod.x", 2, "unknown unit 'rod.x' in '2 rod.x'; a product is written '2*rod.x'");
}

static void long_texts_are_quoted_in_part(void **ctx)
{
    (void)ctx;
    char text[200];
    memset(text, 'a', sizeof text);
    text[5] = '\n';
    text[6] = '\x01';
    const sp_quote q = sp_quote_text(text, 0, sizeof text);
    assert_int_equal(strlen(q.text), SP_QUOTE_MAX - 1);
    assert_memory_equal(q.text, "aaaaa ?aaa", 10);
    assert_non_null(strstr(q.text, "a...a"));
    assert_string_equal(sp_quote_text("abc", 1, 1).text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_decimal_with_an_optional_exponent),
        cmocka_unit_test(prefixes_cost_no_digit),
        cmocka_unit_test(random_decimal_numbers_agree_with_the_c_library),
        cmocka_unit_test(a_comma_locale_changes_nothing),
        cmocka_unit_test(what_is_no_number_is_not_a_quantity),
        cmocka_unit_test(foreign_operators_get_a_hint),
        cmocka_unit_test(a_unit_follows_its_number_after_a_blank),
        cmocka_unit_test(long_texts_are_quoted_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
