/* A model in memory, changed leaf by leaf, for tests of the grammar. */
#ifndef SP_TEST_GRAMMAR_FIXTURE_H
#define SP_TEST_GRAMMAR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "expr/expr.h"
#include "model/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    sp_spec *spec;
    sp_arena arena;
    sp_diag diag;
} fixture;

static inline void set(fixture *f, const char *path, const char *text)
{
    sp_error err = {0};
    if (sp_spec_set(f->spec, path, text, &err) != SP_OK) {
        fail_msg("%s: %s", path, err.text);
    }
}

static inline void set_list(fixture *f, const char *path, int n, const char *const *text)
{
    sp_error err = {0};
    if (sp_spec_set_list(f->spec, path, n, text, &err) != SP_OK) {
        fail_msg("%s: %s", path, err.text);
    }
}

/* An empty spec. */
static inline void open_empty(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->spec = sp_spec_new(NULL);
    assert_non_null(f->spec);
    sp_arena_init(&f->arena, NULL, 0);
    sp_diag_init(&f->diag, &f->arena);
}

/* The bouncing ball. */
static inline void open_ball(fixture *f)
{
    static const char *const up[] = {"0", "1"}, *const origin[] = {"0", "0"},
                             *const sides[] = {"ball", "ground"};
    open_empty(f);
    set(f, "specht", "1");
    set(f, "space", "planar");
    set(f, "gravity", "9.81 m/s^2");
    set_list(f, "bodies.ground.contours.floor.line", 2, up);
    set(f, "bodies.ball.mass", "1 kg");
    set(f, "bodies.ball.joint.prismatic", "ground");
    set_list(f, "bodies.ball.joint.axis", 2, up);
    set_list(f, "bodies.ball.contours.tip.point", 2, origin);
    set_list(f, "contacts.bounce.between", 2, sides);
    set(f, "contacts.bounce.law.eps_N", "0.9");
    set(f, "start.ball.y", "1 m");
    set(f, "run.until", "10 s");
}

static inline void close(fixture *f)
{
    sp_arena_free(&f->arena);
    sp_spec_free(f->spec);
}

#define LATER "is known, but not supported in this version"

#endif
