#include "io/problem_dump.h"

#include "io/problem_file.h"

#include <stdio.h>
#include <string.h>

/* More iterations than this in space count as hard. */
enum { MANY_ITERATIONS = 50, PATH_BYTES = 4096 };

int sp_problem_was_hard(const sp_solution *s)
{
    const char *easy[] = {"guess", "repair"};
    if (s->result != SP_SOLVED) {
        return 1;
    }
    for (size_t k = 0; k < sizeof easy / sizeof *easy; k++) {
        if (strcmp(s->method, easy[k]) == 0) {
            return 0;
        }
    }
    const int space = strcmp(s->method, "space") == 0 || strcmp(s->method, "sparse") == 0;
    return !space || s->pivots > MANY_ITERATIONS;
}

/* The dense problem in blocks, rows in order. */
static sp_status in_blocks(const sp_problem *d, sp_arena *arena, sp_fc *p, double *r,
                           const double *P, sp_error *err)
{
    int *row = SP_NEW(arena, int, d->n_contact);
    double *c = SP_NEW(arena, double, d->n), *G = SP_NEW(arena, double, (size_t)d->n *(size_t)d->n);
    int *from = SP_NEW(arena, int, d->n); /* row of the dense problem */
    if (!row || !c || !G || !from) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a problem of %d rows", d->n);
    }
    const int n = sp_fc_rows(d->n_contact, d->set, row);
    for (int i = 0; i < d->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&d->set[i]); a++) {
            from[row[i] + a] = d->row[i] + a;
        }
    }
    for (int k = 0; k < n; k++) {
        c[k] = d->c[from[k]];
        r[k] = P[from[k]];
        for (int l = 0; l < n; l++) {
            G[(size_t)k * (size_t)n + (size_t)l] =
                d->G[(size_t)from[k] * (size_t)d->ld + (size_t)from[l]];
        }
    }
    *p = (sp_fc){.n_contact = d->n_contact, .n = n, .set = d->set, .row = row, .c = c};
    return sp_fc_from_dense(p, G, (size_t)n, 1, arena, err);
}

/* One line about a problem: which it is, what kind, and what the run made of it. */
static const char *title_of(const sp_problem_dump *d, sp_watch_level level, const sp_solution *s,
                            sp_arena *arena)
{
    static const char *const what[] = {[SP_WATCH_STEP] = "time step",
                                       [SP_WATCH_POSITION] = "correction of positions",
                                       [SP_WATCH_IMPACT] = "impact",
                                       [SP_WATCH_ACCELERATION] = "acceleration"};
    static const char *const end[] = {
        [SP_SOLVED] = "solved", [SP_INFEASIBLE] = "infeasible", [SP_NOT_SOLVED] = "not-solved"};
    return sp_arena_printf(arena, "problem %ld of a run: %s, %s by %s, residual %.2e", d->seen,
                           what[level], end[s->result], s->method, s->residual);
}

/* Write one problem. */
static sp_status write_one(const sp_problem_dump *d, sp_watch_level level, const sp_problem *dense,
                           const sp_fc *blocks, const sp_solution *s, sp_arena *arena,
                           sp_error *err)
{
    char path[PATH_BYTES];
    sp_fc p;
    const int n = dense ? dense->n : blocks->n;
    double *r = SP_NEW(arena, double, n + 1);
    if (!r) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a problem of %d rows", n);
    }
    if (dense) {
        SP_TRY(in_blocks(dense, arena, &p, r, s->P, err));
    } else {
        p = *blocks;
        memcpy(r, s->P, (size_t)n * sizeof *r);
        if (!p.G.start) {
            SP_TRY(sp_fc_form(&p, arena, err));
        }
    }
    const int length = snprintf(path, sizeof path, "%s/problem_%06ld.hdf5", d->folder, d->seen);
    if (length < 0 || length >= PATH_BYTES) {
        return SP_FAIL(err, SP_E_INPUT, "folder '%s': the name is too long", d->folder);
    }
    return sp_problem_write(path, &p, s->result == SP_SOLVED ? r : NULL,
                            title_of(d, level, s, arena), err);
}

/* See a problem. */
static void see(void *self, sp_watch_level level, const sp_problem *dense, const sp_fc *blocks,
                const sp_solution *s)
{
    sp_problem_dump *d = (sp_problem_dump *)self;
    sp_error err = {.status = SP_OK};
    sp_arena arena;
    if ((dense ? dense->n_contact : blocks->n_contact) == 0) {
        return;
    }
    d->seen++;
    if (d->every > 0 ? (d->seen - 1) % d->every != 0 : !sp_problem_was_hard(s)) {
        return;
    }
    d->wanted++;
    if (d->written >= SP_DUMP_MOST) {
        snprintf(err.text, sizeof err.text, "no more than %d files", SP_DUMP_MOST);
    } else {
        sp_arena_init(&arena, NULL, 0);
        d->written += write_one(d, level, dense, blocks, s, &arena, &err) == SP_OK;
        sp_arena_free(&arena);
    }
    if (err.text[0] && !d->reason[0]) {
        snprintf(d->reason, sizeof d->reason, "%s", err.text);
    }
}

sp_watch sp_problem_dump_watch(sp_problem_dump *d)
{
    return (sp_watch){d, see};
}
