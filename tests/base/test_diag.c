/* Messages about model files, and the nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/status.h"

#include <string.h>

static void the_first_error_becomes_the_status(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    sp_diag d;
    sp_diag_init(&d, &a);
    sp_error err;
    assert_int_equal(sp_diag_status(&d, &err), SP_OK);
    sp_diag_add(&d, SP_WARNING, (sp_place){"m.yaml", 1, 2}, "only a warning");
    assert_int_equal(sp_diag_status(&d, &err), SP_OK);
    sp_diag_add(&d, SP_ERROR, (sp_place){"m.yaml", 7, 16}, "body '%s': mass = %g", "bird", -1.0);
    sp_diag_add(&d, SP_ERROR, (sp_place){"m.yaml", 9, 1}, "another");
    assert_int_equal(sp_diag_status(&d, &err), SP_E_INPUT);
    assert_string_equal(err.text, "body 'bird': mass = -1");
    assert_string_equal(err.file, "m.yaml");
    assert_int_equal(err.line, 7);
    assert_int_equal(err.column, 16);
    assert_int_equal(d.n_error, 2);
    sp_arena_free(&a);
}

static void names_of_files_outlive_who_named_them(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    sp_diag d;
    sp_diag_init(&d, &a);
    char name[16] = "a.yaml";
    sp_diag_add(&d, SP_WARNING, (sp_place){name, 1, 2}, "first");
    sp_diag_add(&d, SP_WARNING, (sp_place){name, 3, 4}, "second");
    strcpy(name, "b.yaml");
    sp_diag_add(&d, SP_ERROR, (sp_place){name, 5, 6}, "third");
    memset(name, 'x', sizeof name - 1);
    const sp_message *first = d.first, *second = first->next, *third = second->next;
    assert_string_equal(first->place.file, "a.yaml");
    assert_string_equal(second->place.file, "a.yaml");
    assert_string_equal(third->place.file, "b.yaml");
    assert_true(sp_place_same_file(first->place, (sp_place){"a.yaml", 9, 9}));
    assert_false(sp_place_same_file(first->place, third->place));
    assert_false(sp_place_same_file(first->place, (sp_place){NULL, 1, 1}));
    sp_arena_free(&a);
}

static void errors_beyond_the_limit_are_counted(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    sp_diag d;
    sp_diag_init(&d, &a);
    for (int i = 0; i < 10 * SP_DIAG_MAX; i++) {
        sp_diag_add(&d, SP_ERROR, (sp_place){"m.yaml", i, 1}, "error %d", i);
    }
    int kept = 0;
    for (const sp_message *m = d.first; m; m = m->next) {
        kept++;
    }
    assert_int_equal(kept, SP_DIAG_MAX);
    assert_int_equal(d.n_error, 10 * SP_DIAG_MAX);
    sp_arena_free(&a);
}

static void the_nearest_name_is_found_by_edits(void **ctx)
{
    (void)ctx;
    static const char *const names[] = {"mass", "inertia", "center", "joint", "points", "contours"};
    const int n = sizeof names / sizeof *names;
    assert_string_equal(sp_nearest("inertai", names, n), "inertia"); /* swapped neighbours */
    assert_string_equal(sp_nearest("mas", names, n), "mass");        /* one missing        */
    assert_string_equal(sp_nearest("jointt", names, n), "joint");    /* one too many       */
    assert_string_equal(sp_nearest("centre", names, n), "center");
    assert_null(sp_nearest("zebra", names, n));
    assert_null(sp_nearest("", names, n));
    assert_null(sp_nearest("mass", names, 0));
}

static void every_status_has_a_text(void **ctx)
{
    (void)ctx;
    for (int s = SP_OK; s <= SP_E_INTERRUPTED; s++) {
        assert_non_null(sp_status_text((sp_status)s));
        assert_true(strcmp(sp_status_text((sp_status)s), "unknown status") != 0);
    }
    assert_string_equal(sp_status_text((sp_status)99), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_becomes_the_status),
        cmocka_unit_test(names_of_files_outlive_who_named_them),
        cmocka_unit_test(errors_beyond_the_limit_are_counted),
        cmocka_unit_test(the_nearest_name_is_found_by_edits),
        cmocka_unit_test(every_status_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
