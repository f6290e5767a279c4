/* Which lines of a model file tell of the machine. */
#include "model/source_lines.h"

#include "support/check.h"

#include <stdio.h>

/* The lines of a text in a row, each behind its number: "1:a|3:b|". */
static const char *lines_of(const char *text, char *buffer, size_t size)
{
    sp_source_walk walk = {.at = text};
    sp_source_line line;
    size_t used = 0;
    buffer[0] = '\0';
    while (sp_source_next(&walk, &line)) {
        used +=
            (size_t)snprintf(buffer + used, size - used, "%d:%.*s|", line.number, line.n, line.at);
        assert_true(used < size);
    }
    return buffer;
}

static void comments_and_blank_lines_are_passed_over(void **ctx)
{
    (void)ctx;
    char b[200];
    assert_string_equal(lines_of("a: 1\n\n# no\n  # no\nb: x#y  # no\r\n \t\nc: 2", b, sizeof b),
                        "1:a: 1|5:b: x#y|7:c: 2|");
    assert_string_equal(lines_of("", b, sizeof b), "");
    assert_string_equal(lines_of("\n\n", b, sizeof b), "");
    assert_string_equal(lines_of("#", b, sizeof b), "");
    assert_string_equal(lines_of(NULL, b, sizeof b), "");
}

static void a_sign_within_quotes_is_no_comment(void **ctx)
{
    (void)ctx;
    char b[200];
    assert_string_equal(lines_of("a: \"x # y\"  # no\nb: ['#', # no\n", b, sizeof b),
                        "1:a: \"x # y\"|2:b: ['#',|");
    assert_string_equal(lines_of("a: \"x \\\" # y\" # no", b, sizeof b), "1:a: \"x \\\" # y\"|");
    assert_string_equal(lines_of("a: don't # no", b, sizeof b), "1:a: don't|");
    assert_string_equal(lines_of("a: \"x\\", b, sizeof b), "1:a: \"x\\|");
}

/* 'run' ends where the next section begins; what only begins with these letters is another one, and
 * so is one further inside. */
static void the_section_run_is_passed_over(void **ctx)
{
    (void)ctx;
    char b[200];
    assert_string_equal(lines_of("a: 1\nrun: {until: 1,\n  step: 2}\nb:\n  run: 3", b, sizeof b),
                        "1:a: 1|4:b:|5:  run: 3|");
    assert_string_equal(lines_of("run:\n  until: 1\n# x\n\n  step: 2\nrunner: 1\n", b, sizeof b),
                        "6:runner: 1|");
    assert_string_equal(lines_of("run: 1 # only this", b, sizeof b), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_blank_lines_are_passed_over),
        cmocka_unit_test(a_sign_within_quotes_is_no_comment),
        cmocka_unit_test(the_section_run_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
