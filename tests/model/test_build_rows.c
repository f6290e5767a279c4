/* Tables of a model, and elements for each of their rows. */
#include "test_build.h"

#define STAGES                                                                                     \
    "tables:\n"                                                                                    \
    "  stages: {columns: [z, J, play, at], units: [1, kg*m^2, mm, m],\n"                           \
    "    rows: {first: [14, 2e-3, 0.12, [1, 2 cm]], third: [2*a, 0.001, 90 um, [3, 4]]}}\n"

static void rows_make_elements_with_their_columns(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "parameters: {a: 8}\n" STAGES
            "bodies: {wheel: {each: stages, inertia: J, joint: {revolute: ground, at: at}}}\n"
            "couplings: {mesh: {each: stages, of: 1 m * wheel.(i).phi, range: [-play/2, none], "
            "law: {}}}\n"
            "start: {wheel.omega: z*i*n*1 rad/s}\n"
            "outputs: {o_1: wheel.third.phi, o_2: wheel.2.phi, o_3: mesh.first.lower.g_N}\n");
    assert_string_equal(m->body[1].name, "wheel.first");
    assert_string_equal(m->body[2].name, "wheel.third");
    assert_string_equal(m->slot[1].name, "mesh.third.lower");
    assert_true(m->numbers.body[1].inertia == 2e-3 && m->numbers.body[2].inertia == 0.001);
    assert_true(m->numbers.body[1].mark.at[1] == 0.02 && m->numbers.body[2].mark.at[0] == 3.0);
    assert_true(m->start[0].value == 14.0 * 1 * 2 && m->start[1].value == 16.0 * 2 * 2);
    assert_int_equal(m->output[0].func.signal[0].index, m->output[1].func.signal[0].index);
    sp_model_free(m);
}

static void ranges_and_rows_without_name_have_numbers(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "tables: {t: {columns: [l], rows: [[1 m], [2 m]]}}\n"
            "bodies:\n"
            "  a: {each: t, mass: 1 kg, joint: {prismatic: ground, at: [l, 0], axis: [1, 0]}}\n"
            "  b: {each: [3, 5], mass: 1 kg * i, joint: {prismatic: b.(i-1), first: ground, axis: "
            "[1, 0]}}\n"
            "outputs: {x: a.2.x, y: b.5.x, z: b.3.x}\n");
    assert_string_equal(m->body[2].name, "a.2");
    assert_true(m->numbers.body[2].mark.at[0] == 2.0);
    assert_string_equal(m->body[3].name, "b.3");
    assert_true(m->numbers.body[5].mass == 5.0);
    assert_int_equal(m->body[5].parent, 4);
    sp_model_free(m);
}

static void mistakes_of_tables_are_reported_where_they_are(void **ctx)
{
    (void)ctx;
    const char *bodies = "bodies: {w: {each: t, inertia: J, joint: {revolute: ground}}}\n";
    char text[1000];
    static const struct {
        const char *table, *message;
    } row[] = {
        {"{columns: [J, d], rows: {p: [1, 2], q: [3]}}",
         "5:52: table 't': row 'q' has 1 cell, expected 2: there is none for column 'd'\n"},
        {"{columns: [J], rows: [[1], [3, 4]]}",
         "5:40: table 't': row 2 has 2 cells, expected 1: the last column is 'J'\n"},
        {"{columns: [J, J], rows: [[1, 2]]}",
         "5:27: table 't': columns: there are two columns 'J'\n"},
        {"{columns: [J, z], units: [kg*m^2, 1], min: {z: 5}, rows: {p: [1, 17], q: [1, 0]}}",
         "5:90: table 't': row 'q': z = 0, expected >= 5\n"},
        {"{columns: [J, z], units: [kg*m^2, mm], max: {z: 2 cm}, rows: {p: [1, 20], q: [1, 21]}}",
         "5:94: table 't': row 'q': z = 21, expected <= 2 cm\n"},
        {"{columns: [J, z], units: [kg*m^2, 1], min: {zz: 5}, rows: [[1, 17]]}",
         "5:57: table 't': min: there is no column 'zz'; has: J, z\n"},
        {"{columns: [J, i], rows: [[1, 2]]}",
         "5:27: table 't': columns: the name 'i' is reserved\n"},
        {"{columns: [J], units: [mm, m], rows: [[1]]}",
         "5:35: table 't': units has 2 entries, expected 1, one of each column; 1: a pure "
         "number\n"},
        {"{columns: [J], units: [mn], rows: [[1]]}", "5:36: table 't': units: unknown unit 'mn'\n"},
        {"{columns: [J], units: [kg*m^2], rows: [[1 m]]}",
         "5:53: table 't': J = 1 m is a length [m], expected a moment of inertia [kg*m^2] as "
         "'units' says\n"},
        {"{columns: [J], units: [kg*m^2], rows: {omega: [1]}}",
         "5:52: row 'omega': the name 'omega' is reserved\n"},
        {"{columns: [J], rows: [[1 m]]}",
         "6:32: body 'w.1': inertia = J is a length [m], expected a moment of inertia [kg*m^2]\n"},
        {"{columns: [J], rows: [[1]]}",
         "6:32: body 'w.1': inertia = J, a column of table 't', is a pure number there, expected a "
         "moment of inertia [kg*m^2]; give the column the unit kg*m^2\n"},
        {"{columns: [K], rows: [[1]]}", "6:32: body 'w.1': inertia: unknown name 'J'\n"},
        {"{columns: [J], file: [x]}", "5:34: table 't': file is a list, expected a text\n"},
        {"{rows: [[1]]}", "5:13: table 't': missing key 'columns': Names of the columns, which "
                          "expressions of elements with `each` see.\n"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(text, sizeof text, TOP "tables: {t: %s}\n%s", row[k].table, bodies);
        expect_errors(text, row[k].message);
    }
    expect_errors(TOP "tables: {t: {columns: [J], rows: [[1]]}}\n"
                      "parameters: {J: 2}\n"
                      "bodies: {w: {each: t, inertia: J, joint: {revolute: ground}}}\n",
                  "7:32: body 'w.1': inertia: 'J' is a column of table 't' here and also a "
                  "parameter (m.yaml:6); rename one of them\n");
    expect_errors(TOP "tables: {t: {columns: [J], rows: [[1]]}}\n"
                      "bodies:\n  w: {each: u, inertia: 1, joint: {revolute: ground}}\n"
                      "  v: {each: [3, 1], inertia: 1, joint: {revolute: ground}}\n"
                      "  u: {each: t, count: 3, inertia: 1, joint: {revolute: ground}}\n",
                  "7:13: body 'w': each: there is no table 'u'; has: t\n"
                  "8:13: body 'v': each = [3, 1], expected the first and the last of a range, "
                  "whole numbers from 0 to 1000000 that do not fall\n"
                  "9:7: body 'u': expected only one of: count, each\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_make_elements_with_their_columns),
        cmocka_unit_test(ranges_and_rows_without_name_have_numbers),
        cmocka_unit_test(mistakes_of_tables_are_reported_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
