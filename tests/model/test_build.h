/* What the tests of the model compiler share: models from texts, messages as lines. */
#ifndef TEST_BUILD_H
#define TEST_BUILD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/build.h"
#include "specht/load.h"

/* Lines 1 to 4 of most models. */
#define TOP "specht: 1\nname: Test\nspace: planar\ngravity: 9.81 m/s^2\n"

enum { MESSAGES_MAX = 16384 };

/* A spec from a text, which must be fine as YAML. */
static inline sp_spec *spec_of(const char *text)
{
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    assert_non_null(spec);
    if (sp_spec_load_text(spec, "m.yaml", text, strlen(text), NULL, &err) != SP_OK) {
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    }
    return spec;
}

/* Compile; all messages, one "line:column: text" per line, come to buf. */
static inline sp_model *compile(const char *text, char buf[MESSAGES_MAX])
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    sp_spec *spec = spec_of(text);
    sp_model *model = NULL;
    const sp_status status = sp_model_compile(spec, NULL, &model, &diag);
    size_t used = 0;
    buf[0] = '\0';
    for (const sp_message *m = diag.first; m && used < MESSAGES_MAX; m = m->next) {
        used += (size_t)snprintf(buf + used, MESSAGES_MAX - used, "%d:%d: %s\n", m->place.line,
                                 m->place.column, m->text);
    }
    assert_int_equal(status, diag.n_error ? SP_E_INPUT : SP_OK);
    assert_true((model != NULL) == (status == SP_OK));
    sp_spec_free(spec); /* a model needs it no more */
    sp_arena_free(&arena);
    return model;
}

/* A model that must be without errors. */
static inline sp_model *model_of(const char *text)
{
    char messages[MESSAGES_MAX];
    sp_model *model = compile(text, messages);
    assert_string_equal(messages, "");
    return model;
}

/* Errors that must be exactly these lines, in this order. */
static inline void expect_errors(const char *text, const char *expected)
{
    char messages[MESSAGES_MAX];
    sp_model *model = compile(text, messages);
    assert_string_equal(messages, expected);
    assert_null(model);
}

/* cmocka's own comparison of floating-point numbers goes through float. */
static inline void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
    }
}

/* Numbers that come from the same decimals by nearly the same operations. */
static inline void expect_vector(const double *value, double x, double y)
{
    expect_near(value[0], x, 1e-15);
    expect_near(value[1], y, 1e-15);
}

#endif
