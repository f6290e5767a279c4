/* What the fuzz targets of the readers of contact problems share. */
#ifndef FUZZ_PROBLEM_H
#define FUZZ_PROBLEM_H

#include "io/problem_file.h"
#include "io/problem_matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FUZZ_ROWS_MAX = 300,       /* of problems that are also posed                           */
    FUZZ_BYTES_PER_BYTE = 64,  /* memory that a byte of the file may ask for                */
    FUZZ_BYTES_MORE = 3 << 20, /* blocks of the arena are up to a megabyte                  */
    FUZZ_POSE_BYTES = 1 << 28  /* limit for what is posed: M may be inverted block by block */
};

typedef sp_status fuzz_reader(const char *name, const char *bytes, size_t n, sp_arena *arena,
                              sp_problem_file *p, sp_error *err);

/* Stop the fuzzer at a broken promise. */
static inline void fuzz_want(bool kept)
{
    if (!kept) {
        abort();
    }
}

/* Entries inside the matrix, all finite. */
static inline void fuzz_check_entries(const sp_entries *e, int m, int n)
{
    fuzz_want(e->m == m && e->n == n);
    for (size_t k = 0; k < e->count; k++) {
        fuzz_want(e->row[k] >= 0 && e->row[k] < m && e->column[k] >= 0 && e->column[k] < n);
        fuzz_want(isfinite(e->value[k]));
    }
}

/* n finite numbers. */
static inline void fuzz_check_numbers(const double *x, int n, double least)
{
    for (int k = 0; k < n; k++) {
        fuzz_want(isfinite(x[k]) && x[k] >= least);
    }
}

/* What was read is a sound problem. */
static inline void fuzz_check_problem(const sp_problem_file *p)
{
    const int rows = p->dim * p->n_contact + p->n_free;
    fuzz_want(p->dim == 2 || p->dim == 3);
    fuzz_check_numbers(p->mu, p->n_contact, 0.0);
    if (p->format == SP_PROBLEM_GLOBAL) {
        fuzz_check_entries(&p->M, p->M.m, p->M.m);
        fuzz_check_entries(&p->H, p->M.m, rows);
        fuzz_check_numbers(p->f, p->M.m, -INFINITY);
        fuzz_check_numbers(p->w, rows, -INFINITY);
    } else {
        fuzz_check_entries(&p->W, rows, rows);
        fuzz_check_numbers(p->q, rows, -INFINITY);
    }
}

/* Pose a small problem and look at its matrix. */
static inline void fuzz_pose(const sp_problem_file *p)
{
    sp_arena arena;
    sp_fc fc;
    sp_error err = {.status = SP_OK};
    sp_matrix_facts facts;
    if (p->dim * p->n_contact + p->n_free > FUZZ_ROWS_MAX || p->M.m > FUZZ_ROWS_MAX) {
        return;
    }
    sp_arena_init(&arena, NULL, FUZZ_POSE_BYTES);
    if (sp_problem_pose(p, &arena, &fc, &err) == SP_OK) {
        fuzz_want(sp_problem_inspect(&fc, 1e7, &facts, &err) == SP_OK);
        fuzz_want(facts.rank <= fc.n && facts.n_island <= fc.n_contact);
    } else {
        fuzz_want(err.text[0] != '\0');
    }
    sp_arena_free(&arena);
}

/* Read the bytes; every failure has a text and a place, memory stays in proportion. */
static inline int fuzz_read(fuzz_reader *read, const uint8_t *data, size_t size)
{
    sp_arena arena;
    sp_problem_file p;
    sp_error err = {.status = SP_OK};
    char *bytes = malloc(size + 1);
    if (!bytes) {
        return 0;
    }
    if (size > 0) {
        memcpy(bytes, data, size);
    }
    bytes[size] = '\0';
    memset(&p, 0, sizeof p);
    sp_arena_init(&arena, NULL, 0);
    const sp_status status = read("fuzz", bytes, size, &arena, &p, &err);
    fuzz_want(arena.bytes <= FUZZ_BYTES_MORE + FUZZ_BYTES_PER_BYTE * size);
    if (status == SP_OK) {
        fuzz_check_problem(&p);
        fuzz_pose(&p);
    } else {
        fuzz_want(status == SP_E_INPUT && err.text[0] && memchr(err.text, 0, sizeof err.text));
        fuzz_want(strcmp(err.file, "fuzz") == 0 && err.line >= 0);
    }
    sp_arena_free(&arena);
    free(bytes);
    return 0;
}

#endif
