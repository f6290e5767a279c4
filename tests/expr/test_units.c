#include "test_expr.h"

#define PI 3.14159265358979323846

static void every_unit_has_its_si_factor_and_dimension(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *text;
        double factor;
        int m, kg, s;
    } row[] = {
        {"m", 1, 1, 0, 0},
        {"dm", 0.1, 1, 0, 0},
        {"cm", 0.01, 1, 0, 0},
        {"mm", 0.001, 1, 0, 0},
        {"um", 1e-6, 1, 0, 0},
        {"km", 1000, 1, 0, 0},
        {"kg", 1, 0, 1, 0},
        {"g", 0.001, 0, 1, 0},
        {"mg", 1e-6, 0, 1, 0},
        {"t", 1000, 0, 1, 0},
        {"s", 1, 0, 0, 1},
        {"ms", 0.001, 0, 0, 1},
        {"us", 1e-6, 0, 0, 1},
        {"min", 60, 0, 0, 1},
        {"h", 3600, 0, 0, 1},
        {"N", 1, 1, 1, -2},
        {"mN", 1e-3, 1, 1, -2},
        {"kN", 1e3, 1, 1, -2},
        {"MN", 1e6, 1, 1, -2},
        {"J", 1, 2, 1, -2},
        {"mJ", 1e-3, 2, 1, -2},
        {"kJ", 1e3, 2, 1, -2},
        {"MJ", 1e6, 2, 1, -2},
        {"W", 1, 2, 1, -3},
        {"mW", 1e-3, 2, 1, -3},
        {"kW", 1e3, 2, 1, -3},
        {"MW", 1e6, 2, 1, -3},
        {"Pa", 1, -1, 1, -2},
        {"kPa", 1e3, -1, 1, -2},
        {"MPa", 1e6, -1, 1, -2},
        {"GPa", 1e9, -1, 1, -2},
        {"bar", 1e5, -1, 1, -2},
        {"Hz", 1, 0, 0, -1},
        {"kHz", 1e3, 0, 0, -1},
        {"rad", 1, 0, 0, 0},
        {"mrad", 1e-3, 0, 0, 0},
        {"deg", PI / 180, 0, 0, 0},
        {"rev", 2 * PI, 0, 0, 0},
        {"rpm", PI / 30, 0, 0, -1},
        {"%", 0.01, 0, 0, 0},
        {"1", 1, 0, 0, 0},
        {"N*m/rad", 1, 2, 1, -2},
        {"kg*m^2", 1, 2, 1, 0},
        {"N*s^2/m^2", 1, -1, 1, 0},
        {"1/s", 1, 0, 0, -1},
        {"N^-1", 1, -1, -1, 2},
        {"km/h", 1 / 3.6, 1, 0, -1},
        {"dm^3", 1e-3, 3, 0, 0},
        {"N/um", 1e6, 0, 1, -2},
        {"rev/s", 2 * PI, 0, 0, -1},
        {"min^-1", 1 / 60.0, 0, 0, -1},
        {"kN*s^2/m^2", 1e3, -1, 1, 0},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        double factor = 0.0;
        sp_dim dim;
        sp_error err;
        const sp_status status =
            sp_unit_parse(row[k].text, strlen(row[k].text), &factor, &dim, &err);
        if (status != SP_OK || fabs(factor / row[k].factor - 1.0) > 4e-16 ||
            !sp_dim_equal(dim, sp_dim_of(row[k].m, row[k].kg, row[k].s))) {
            fail_msg("%s: factor %.17g, expected %.17g", row[k].text, factor, row[k].factor);
        }
    }
}

static void bad_units_are_refused(void **ctx)
{
    (void)ctx;
    static const char *const bad[] = {
        "",   "l",       "Nm", "m*",   "*m", "m/", "m^",     "m^-",         "m^^2",     "m m",
        "10", "m^2.5.1", "2",  "m**s", "/s", "K",  "m^1001", "mm^99*mm^99", "\xC2\xB5m"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double factor;
        sp_dim dim;
        sp_error err = {.text = ""};
        if (sp_unit_parse(bad[k], strlen(bad[k]), &factor, &dim, &err) != SP_E_INPUT ||
            !err.text[0]) {
            fail_msg("unit '%s' was accepted", bad[k]);
        }
    }
    char huge[5000];
    memset(huge, 'm', sizeof huge);
    double factor;
    sp_dim dim;
    assert_int_equal(sp_unit_parse(huge, sizeof huge, &factor, &dim, NULL), SP_E_INPUT);
}

static void only_a_lone_hertz_is_marked_as_frequency(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {"Hz", "kHz", "1/s", "rev/s", "rpm", "Hz^2", "m*Hz", "Hz*m"};
    for (int k = 0; k < 8; k++) {
        double factor;
        sp_dim dim;
        assert_int_equal(sp_unit_parse(text[k], strlen(text[k]), &factor, &dim, NULL), SP_OK);
        assert_int_equal(dim.frequency, k < 2);
    }
}

static void dimensions_are_described_in_words(void **ctx)
{
    (void)ctx;
    static const struct {
        int m, kg, s;
        const char *text, *unit;
    } row[] = {
        {0, 0, 0, "a pure number", "1"},
        {1, 0, 0, "a length [m]", "m"},
        {0, 1, 0, "a mass [kg]", "kg"},
        {0, 0, -1, "an angular velocity [rad/s]", "rad/s"},
        {1, 0, -2, "an acceleration [m/s^2]", "m/s^2"},
        {1, 1, -2, "a force [N]", "N"},
        {2, 1, -2, "a torque or energy [N*m]", "N*m"},
        {2, 1, 0, "a moment of inertia [kg*m^2]", "kg*m^2"},
        {4, 1, -1, "[kg*m^4/s]", "kg*m^4/s"},
        {-1, 0, 0, "[m^-1]", "m^-1"},
        {-2, -1, 0, "[kg^-1*m^-2]", "kg^-1*m^-2"},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        char text[96], unit[96];
        sp_dim_describe(sp_dim_of(row[k].m, row[k].kg, row[k].s), text, sizeof text);
        sp_dim_unit(sp_dim_of(row[k].m, row[k].kg, row[k].s), unit, sizeof unit);
        assert_string_equal(text, row[k].text);
        assert_string_equal(unit, row[k].unit);
    }
    char small[6];
    sp_dim_describe(sp_dim_of(1, 0, 0), small, sizeof small);
    assert_string_equal(small, "a len");
}

static void the_unit_of_a_dimension_reads_back_as_this_dimension(void **ctx)
{
    (void)ctx;
    static const int step[] = {-3 * SP_DIM_ONE,   -SP_DIM_ONE, -SP_DIM_ONE / 3, 0,
                               SP_DIM_ONE / 2,    SP_DIM_ONE,  2 * SP_DIM_ONE,  SP_DIM_ONE / 100,
                               7 * SP_DIM_ONE / 5};
    for (int i = 0; i < 9 * 9 * 9; i++) {
        const sp_dim dim = {{step[i % 9], step[i / 9 % 9], step[i / 81]}, false};
        char unit[96];
        double factor = 0.0;
        sp_dim back;
        sp_dim_unit(dim, unit, sizeof unit);
        assert_int_equal(sp_unit_parse(unit, strlen(unit), &factor, &back, NULL), SP_OK);
        assert_true(sp_dim_equal(dim, back));
        assert_true(factor == 1.0);
    }
}

static void powers_of_dimensions_are_exact_or_refused(void **ctx)
{
    (void)ctx;
    sp_dim d, root;
    assert_true(sp_dim_power(sp_dim_of(1, -2, 0), 1.0 / 3.0, &d));
    assert_true(sp_dim_power(d, 3.0, &root));
    assert_true(sp_dim_equal(root, sp_dim_of(1, -2, 0)));
    assert_true(sp_dim_power(sp_dim_of(3, 0, 0), 1.33, &d));
    assert_int_equal(d.e[0], 14364); /* 3.99 * 3600 */
    assert_false(sp_dim_power(sp_dim_of(1, 0, 0), 1.0 / 7.0, &d));
    assert_false(sp_dim_power(sp_dim_of(1, 0, 0), 101.0, &d));
    assert_false(sp_dim_power(sp_dim_of(1, 0, 0), NAN, &d));
    assert_false(sp_dim_power(sp_dim_of(1, 0, 0), INFINITY, &d));
    assert_false(sp_dim_product(sp_dim_of(60, 0, 0), sp_dim_of(60, 0, 0), 1, &d));
    assert_true(sp_dim_product(sp_dim_of(60, 0, 0), sp_dim_of(60, 0, 0), -1, &d));
    assert_true(sp_dim_is_pure(d));
}

static void likely_slips_get_a_suggestion(void **ctx)
{
    (void)ctx;
    char better[32];
    assert_true(sp_unit_suggest("Nm", 2, better, sizeof better));
    assert_string_equal(better, "N*m");
    assert_true(sp_unit_suggest("KG", 2, better, sizeof better));
    assert_string_equal(better, "kg");
    assert_true(sp_unit_suggest("Nms", 3, better, sizeof better));
    assert_string_equal(better, "N*ms");
    assert_true(sp_unit_suggest("kgg", 3, better, sizeof better)); /* no kilogram-grams */
    assert_string_equal(better, "kg");
    assert_true(sp_unit_suggest("radd", 4, better, sizeof better));
    assert_string_equal(better, "rad");
    assert_true(sp_unit_suggest("cn", 2, better, sizeof better)); /* n is beside m */
    assert_string_equal(better, "cm");
    assert_true(sp_unit_suggest("rsd", 3, better, sizeof better));
    assert_string_equal(better, "rad");
    assert_false(sp_unit_suggest("cp", 2, better, sizeof better)); /* p is beside nothing of one */
    assert_false(sp_unit_suggest("l1", 2, better, sizeof better));
    assert_false(sp_unit_suggest("furlong", 7, better, sizeof better));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_has_its_si_factor_and_dimension),
        cmocka_unit_test(bad_units_are_refused),
        cmocka_unit_test(only_a_lone_hertz_is_marked_as_frequency),
        cmocka_unit_test(dimensions_are_described_in_words),
        cmocka_unit_test(the_unit_of_a_dimension_reads_back_as_this_dimension),
        cmocka_unit_test(powers_of_dimensions_are_exact_or_refused),
        cmocka_unit_test(likely_slips_get_a_suggestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
