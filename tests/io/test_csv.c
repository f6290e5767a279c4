/* Channels as CSV, events as text and JSON, and the JSON writer itself. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/csv.h"
#include "io/events.h"
#include "io/json.h"
#include "test_result_fixture.h"

#include <unistd.h>

static char path[64];
static fixture f;
static sp_result *r;

static int make_result(void **ctx)
{
    (void)ctx;
    sp_error err;
    snprintf(path, sizeof path, "/tmp/specht_csv_%ld.h5", (long)getpid());
    fixture_init(&f, 2, 2, 2, 3);
    f.output[2].name = "a,\"b\"";
    return fixture_write(&f, path, 1001, SP_OK, &err) == SP_OK &&
                   sp_result_open(path, &r, &err) == SP_OK
               ? 0
               : -1;
}

static int remove_result(void **ctx)
{
    (void)ctx;
    sp_result_free(r);
    fixture_free(&f);
    return unlink(path);
}

/* What a function wrote. */
static char *text_of(FILE *file)
{
    const long n = ftell(file);
    char *text = calloc((size_t)n + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)n, file), n);
    fclose(file);
    return text;
}

static void named_channels_come_with_units_and_all_digits(void **ctx)
{
    (void)ctx;
    sp_error err;
    const char *const names[] = {"body1.joint.phi", "guide.c2.upper.P_N", "a,\"b\"",
                                 "energy.kinetic"};
    FILE *file = tmpfile();
    ASSERT_OK(sp_csv_write(r, file, 4, names, NULL, &err));
    char *text = text_of(file), *line = strtok(text, "\n");
    assert_string_equal(
        line,
        "t[s],body1.joint.phi[rad],guide.c2.upper.P_N[N*s],\"a,\"\"b\"\"[mm]\",energy.kinetic[J]");
    for (long k = 0; k <= 1000; k += 2) {
        double x[5];
        line = strtok(NULL, "\n");
        assert_non_null(line);
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &x[0], &x[1], &x[2], &x[3], &x[4]), 5);
        fixture_step(&f, k);
        assert_true(x[0] == f.record.t && x[1] == f.q[0] && x[2] == f.contact[1].P_N &&
                    x[3] == f.value[2] && x[4] == f.ledger.kinetic);
    }
    assert_null(strtok(NULL, "\n"));
    free(text);
}

static void all_channels_come_in_lines_of_equal_length(void **ctx)
{
    (void)ctx;
    sp_error err;
    FILE *file = tmpfile();
    ASSERT_OK(sp_csv_write(r, file, 0, NULL, NULL, &err));
    char *text = text_of(file);
    int lines = 0, commas = 0;
    for (char *c = strchr(text, '\n') + 1; *c; c++) {
        commas += *c == ',';
        if (*c == '\n') {
            assert_int_equal(commas, sp_result_about(r)->n_channel - 1);
            commas = 0;
            lines++;
        }
    }
    assert_int_equal(lines, 501);
    assert_memory_equal(text, "t[s],body1.joint.phi[rad],", 26);
    free(text);
}

static void time_asked_for_is_not_written_twice(void **ctx)
{
    (void)ctx;
    sp_error err;
    const char *const names[] = {"t", "body1.x"};
    FILE *file = tmpfile();
    ASSERT_OK(sp_csv_write(r, file, 2, names, NULL, &err));
    char *text = text_of(file);
    assert_memory_equal(text, "t[s],body1.x[m]\n0,", 18);
    free(text);
}

static void a_full_disk_and_a_wrong_name_are_told(void **ctx)
{
    (void)ctx;
    sp_error err;
    const char *const names[] = {"body1.z"};
    FILE *full = fopen("/dev/full", "w");
    assert_int_equal(sp_csv_write(r, full, 0, NULL, NULL, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "No space left"));
    assert_int_equal(sp_events_json(r, full, NULL, &err), SP_E_IO);
    assert_int_equal(sp_events_text(r, full, NULL, &err), SP_E_IO);
    fclose(full);
    assert_int_equal(sp_csv_write(r, stdout, 1, names, NULL, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'body1.x'"));
}

static void events_come_as_a_table(void **ctx)
{
    (void)ctx;
    sp_error err;
    FILE *file = tmpfile();
    const sp_event_filter filter = {.kind = "impact", .contact = "guide.c1"};
    ASSERT_OK(sp_events_text(r, file, &filter, &err));
    char *text = text_of(file);
    int lines = 0;
    for (const char *c = text; *c; c++) {
        lines += *c == '\n';
    }
    assert_int_equal(lines, 2 + 100);
    assert_non_null(strstr(text, "0.005         impact  guide.c1.upper"));
    assert_null(strstr(text, "stick"));
    free(text);
}

static void events_come_as_json(void **ctx)
{
    (void)ctx;
    sp_error err;
    FILE *file = tmpfile();
    const sp_event_filter stick = {.kind = "stick", .contact = "guide"};
    ASSERT_OK(sp_events_json(r, file, &stick, &err));
    char *text = text_of(file);
    const char *first =
        "[\n {\"t\": 0.0050000000000000001, \"kind\": \"stick\", \"contact\": \"guide.c2.upper\", "
        "\"impact_id\": 0, \"Lambda_N\": 0, \"Lambda_T\": [0, 0], \"gamma_N_before\": 0, "
        "\"gamma_N_after\": 0, \"gamma_T_before\": 0, \"gamma_T_after\": 0, \"energy_lost\": 0, "
        "\"before\": \"slip\", \"after\": \"stick\", \"friction_work\": 0, \"n_found\": 3, "
        "\"at_least\": true},\n {\"t\": 0.014";
    assert_memory_equal(text, first, strlen(first));
    assert_string_equal(text + strlen(text) - 3, "\n]\n");
    free(text);
    const sp_event_filter none = {.kind = "zeno"};
    file = tmpfile();
    ASSERT_OK(sp_events_json(r, file, &none, &err));
    text = text_of(file);
    assert_string_equal(text, "[]\n");
    free(text);
}

static void wrong_filters_are_mistakes_not_empty_lists(void **ctx)
{
    (void)ctx;
    sp_error err;
    const sp_event_filter kind = {.kind = "impakt"}, contact = {.contact = "guide.c1.uper"},
                          part = {.contact = "gui"};
    assert_int_equal(sp_events_json(r, stdout, &kind, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'impact'"));
    assert_int_equal(sp_events_json(r, stdout, &contact, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "'guide.c1.upper'"));
    assert_int_equal(sp_events_text(r, stdout, &part, &err), SP_E_INPUT);
}

static void json_escapes_and_knows_no_nan(void **ctx)
{
    (void)ctx;
    FILE *file = tmpfile();
    sp_json j;
    sp_json_init(&j, file);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "a\"\\\n\x01", "\xcf\x89 \xff \xed\xa0\x80");
    sp_json_number(&j, "x", 0.1);
    sp_json_number(&j, "nan", (double)NAN);
    sp_json_number(&j, "inf", -(double)INFINITY);
    sp_json_array(&j, "list");
    sp_json_end(&j);
    sp_json_bool(&j, "yes", true);
    sp_json_integer(&j, "n", -5);
    sp_json_text(&j, "nothing", NULL);
    sp_json_end(&j);
    char *text = text_of(file);
    assert_string_equal(text,
                        "{\"a\\\"\\\\\\n\\u0001\": \"\xcf\x89 \\ufffd \\ufffd\\ufffd\\ufffd\", "
                        "\"x\": 0.10000000000000001, \"nan\": null, \"inf\": null, "
                        "\"list\": [], \"yes\": true, \"n\": -5, \"nothing\": null}");
    free(text);
}

static void json_reads_what_it_wrote_and_refuses_the_rest(void **ctx)
{
    (void)ctx;
    char text[64];
    sp_json_reader json = {" \"a\\\"\\\\\\n\\u03c9\xcf\x86\" ", false};
    sp_json_read_text(&json, text, sizeof text);
    assert_false(json.failed);
    assert_string_equal(text, "a\"\\\n\xcf\x89\xcf\x86");
    json = (sp_json_reader){"\"abcd\xcf\x86\"", false};
    sp_json_read_text(&json, text, 6); /* the last character does not fit */
    assert_string_equal(text, "abcd");
    assert_false(json.failed);
    json = (sp_json_reader){"[1, {\"a\": [true, null, -2.5e3]}, \"x\"] 7", false};
    sp_json_skip(&json);
    assert_false(json.failed);
    assert_string_equal(json.at, " 7");
    static const char *const bad[] = {"\"abc", "\"\\x\"", "\"\\u12\"", "[1, 2",   "{\"a\"",
                                      "what",  "",        "\"\\",      "\"\xff\""};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        json = (sp_json_reader){bad[k], false};
        sp_json_skip(&json);
        assert_true(json.failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_channels_come_with_units_and_all_digits),
        cmocka_unit_test(all_channels_come_in_lines_of_equal_length),
        cmocka_unit_test(time_asked_for_is_not_written_twice),
        cmocka_unit_test(a_full_disk_and_a_wrong_name_are_told),
        cmocka_unit_test(events_come_as_a_table),
        cmocka_unit_test(events_come_as_json),
        cmocka_unit_test(wrong_filters_are_mistakes_not_empty_lists),
        cmocka_unit_test(json_escapes_and_knows_no_nan),
        cmocka_unit_test(json_reads_what_it_wrote_and_refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, make_result, remove_result);
}
