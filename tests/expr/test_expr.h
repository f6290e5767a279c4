/* Names, functions and short cuts shared by the tests of expressions. */
#ifndef TEST_EXPR_H
#define TEST_EXPR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_name {
    const char *name;
    int input; /* -1: constant */
    double value;
    int m, kg, s;
} test_name;

static const test_name test_names[] = {
    {"l1", -1, 0.153, 1, 0, 0},        {"l2", -1, 0.306, 1, 0, 0},
    {"m", -1, 2.0, 0, 1, 0},           {"i", -1, 3.0, 0, 0, 0},
    {"n", -1, 3.0, 0, 0, 0},           {"f", -1, 50.0, 0, 0, -1},
    {"t", 10, 0.5, 0, 0, 1},           {"v", 11, -0.2, 1, 0, -1},
    {"x", 20, 0.7, 0, 0, 0},           {"y", 21, -0.4, 0, 0, 0},
    {"z", 22, 1.3, 0, 0, 0},           {"w", 23, 0.2, 0, 0, 0},
    {"link.1.back", 30, 4.0, 1, 0, 0}, {"phi_S''", 31, 5.0, 0, 0, -2},
    {"mod.phi", 32, 6.0, 0, 0, 0},
};

/* The row of a name, NULL if unknown. */
static inline const test_name *test_find(const char *path)
{
    for (size_t k = 0; k < sizeof test_names / sizeof test_names[0]; k++) {
        if (strcmp(test_names[k].name, path) == 0) {
            return &test_names[k];
        }
    }
    return NULL;
}

static inline sp_status test_resolve(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    (void)ctx;
    const test_name *row = test_find(path);
    if (!row) {
        return SP_FAIL(err, SP_E_INPUT, "unknown name '%s'", path);
    }
    memset(out, 0, sizeof *out);
    out->kind = row->input < 0 ? SP_SYM_CONST : SP_SYM_INPUT;
    out->value = row->value;
    out->input = row->input;
    out->time = strcmp(path, "t") == 0;
    out->dim = sp_dim_of(row->m, row->kg, row->s);
    out->dim.frequency = strcmp(path, "f") == 0;
    return SP_OK;
}

typedef struct test_function {
    const char *name;
    int n_param;
    const char *body;
} test_function;

static const test_function test_functions[] = {
    {"square", 1, "a^2"},
    {"ramp", 1, "if(a < 1, a^3*(10 - 15*a + 6*a^2), 1)"},
    {"mean", 2, "(a + b)/2"},
    {"ping", 1, "pong(a)"},
    {"pong", 1, "ping(a) + 1"},
    {"self", 1, "self(a - 1)"},
    {"inverse", 1, "1/a"},
    {"plus_metre", 1, "a + 1 m"},
    {"pick", 1, "link.(a).back"},
    {"broken", 1, "a +"},
    {"area", 2, "square(mean(a, b))*pi"},
};

static inline sp_status test_lookup(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    static const char *const param[] = {"a", "b"};
    (void)ctx;
    for (size_t k = 0; k < sizeof test_functions / sizeof test_functions[0]; k++) {
        if (strcmp(test_functions[k].name, name) == 0) {
            out->n_param = test_functions[k].n_param;
            out->param = param;
            out->body = test_functions[k].body;
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "unknown function '%s'", name);
}

static const sp_resolver test_resolver = {
    .name = test_resolve, .function = test_lookup, .check_units = true};
static const sp_resolver test_unchecked = {.name = test_resolve, .function = test_lookup};

/* The value of a text with the inputs of the table; NaN and the sentence in *err on failure. */
static inline double test_value(const char *text, const sp_resolver *r, sp_expr_info *info,
                                sp_error *err)
{
    sp_arena a;
    sp_program *p;
    double value = NAN;
    sp_arena_init(&a, NULL, 0);
    if (sp_expr_compile(&a, text, r, &p, info, err) == SP_OK) {
        const int n = sp_program_n_input(p);
        double *in = SP_NEW(&a, double, n + 1);
        for (int k = 0; k < n; k++) {
            for (size_t i = 0; i < sizeof test_names / sizeof test_names[0]; i++) {
                if (test_names[i].input == sp_program_inputs(p)[k]) {
                    in[k] = test_names[i].value;
                }
            }
        }
        value = sp_program_value(p, in, SP_NEW(&a, double, sp_program_work(p, 0)));
    }
    sp_arena_free(&a);
    return value;
}

/* Asserts that a text has this value, to the last bit. */
#define assert_value(text, expected) check_value(text, expected, __LINE__)
static inline void check_value(const char *text, double expected, int line)
{
    sp_expr_info info;
    sp_error err = {.text = ""};
    const double value = test_value(text, &test_resolver, &info, &err);
    if (!(value == expected)) {
        fail_msg("line %d: '%s' = %.17g, expected %.17g (%s)", line, text, value, expected,
                 err.text);
    }
}

/* Asserts that a text fails at this byte with exactly this sentence. */
#define assert_fails(text, offset, sentence) check_fails(text, offset, sentence, __LINE__)
static inline void check_fails(const char *text, size_t offset, const char *sentence, int line)
{
    sp_expr_info info;
    sp_error err = {.text = ""};
    sp_arena a;
    sp_program *p;
    sp_arena_init(&a, NULL, 0);
    const sp_status status = sp_expr_compile(&a, text, &test_resolver, &p, &info, &err);
    sp_arena_free(&a);
    if (status == SP_OK || p) {
        fail_msg("line %d: '%s' was accepted", line, text);
    }
    if (strcmp(err.text, sentence) != 0 || info.offset != offset) {
        fail_msg("line %d: '%s' gave (at %zu)\n  %s\nexpected (at %zu)\n  %s", line, text,
                 info.offset, err.text, offset, sentence);
    }
}

#endif
