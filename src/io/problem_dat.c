/* The text form of Siconos' contact problems:
 *
 *     dimension, contacts, storage, rows, columns,
 *     storage 0 (dense):   rows, columns, entries column by column
 *     storage 1 (blocks):  blocks, block rows, block columns, sums of row sizes, sums of column
 *                          sizes, lengths of the two index arrays, row starts, block columns, then
 *                          per block its number and its entries column by column
 *     storage 2 (sparse):  a flag, two header lines, then per column "col k : locations a to b" and
 *                          "row : value", or, as triplets, "row column : value"
 *     q, mu, and what follows (a flag, a guess) is not needed */
#include "io/problem_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24, ROWS_MAX = INT_MAX / 16 };

/* Where the reader stands. */
typedef struct reader {
    const char *name, *at, *end;
    long line; /* of at, from 1 */
    sp_arena *arena;
    sp_problem_file *p;
} reader;

/* ---- words --------------------------------------------------------------------------------- */

/* Pass over white space and count lines. */
static void skip_space(reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at)) {
        r->line += *r->at == '\n';
        r->at++;
    }
}

/* Bytes of the word that begins here. */
static size_t word_length(const reader *r)
{
    size_t n = 0;
    while (r->at + n < r->end && !isspace((unsigned char)r->at[n])) {
        n++;
    }
    return n;
}

/* The word for a message: short, and without what a terminal could take for a command. */
static void shown(const reader *r, size_t n, char text[SHOWN + 4])
{
    const size_t kept = n < SHOWN ? n : SHOWN;
    for (size_t k = 0; k < kept; k++) {
        text[k] = isprint((unsigned char)r->at[k]) ? r->at[k] : '?';
    }
    strcpy(text + kept, n > SHOWN ? "..." : "");
}

/* Report what was found and what was expected. */
static sp_status unexpected(reader *r, const char *what, const char *expected, sp_error *err)
{
    char text[SHOWN + 4];
    skip_space(r);
    shown(r, word_length(r), text);
    const sp_status status =
        r->at == r->end ? SP_FAIL(err, SP_E_INPUT, "%s: the file ends, expected %s", what, expected)
                        : SP_FAIL(err, SP_E_INPUT, "%s: '%s', expected %s", what, text, expected);
    return sp_problem_place(err, status, r->name, r->line);
}

/* The next word as a finite number. */
static sp_status read_number(reader *r, const char *what, double *value, sp_error *err)
{
    char *end;
    skip_space(r);
    const size_t n = word_length(r);
    *value = n ? strtod(r->at, &end) : NAN;
    if (n == 0 || end != r->at + n || !isfinite(*value)) {
        return unexpected(r, what, "a finite number", err);
    }
    r->at += n;
    return SP_OK;
}

/* The next word as a whole number between least and most. */
static sp_status read_whole(reader *r, const char *what, long least, long most, int *value,
                            sp_error *err)
{
    char *end;
    skip_space(r);
    const size_t n = word_length(r);
    const long x = n ? strtol(r->at, &end, 10) : 0; /* saturates */
    if (n == 0 || end != r->at + n || x < least || x > most) {
        char expected[96];
        if (least == most) {
            snprintf(expected, sizeof expected, "%ld", least);
        } else {
            snprintf(expected, sizeof expected, "a whole number from %ld to %ld", least, most);
        }
        return unexpected(r, what, expected, err);
    }
    *value = (int)x;
    r->at += n;
    return SP_OK;
}

/* The next word must be this one. */
static sp_status read_word(reader *r, const char *word, sp_error *err)
{
    skip_space(r);
    const size_t n = word_length(r);
    if (n != strlen(word) || memcmp(r->at, word, n) != 0) {
        char expected[32];
        snprintf(expected, sizeof expected, "'%s'", word);
        return unexpected(r, "sparse matrix", expected, err);
    }
    r->at += n;
    return SP_OK;
}

/* Refuse a count of words that the rest of the file has no room for: a word and a blank each. */
static sp_status want_room(reader *r, const char *what, uint64_t count, sp_error *err)
{
    const uint64_t room = ((uint64_t)(r->end - r->at) + 1) / 2;
    if (count <= room) {
        return SP_OK;
    }
    const sp_status status =
        SP_FAIL(err, SP_E_INPUT,
                "%s: %llu numbers are announced, the rest of the file has room for %llu at most",
                what, (unsigned long long)count, (unsigned long long)room);
    return sp_problem_place(err, status, r->name, r->line);
}

/* ---- dense --------------------------------------------------------------------------------- */

/* Storage 0. */
static sp_status read_dense(reader *r, sp_error *err)
{
    sp_entries *W = &r->p->W;
    int size;
    SP_TRY(read_whole(r, "matrix rows", W->m, W->m, &size, err));
    SP_TRY(read_whole(r, "matrix columns", W->n, W->n, &size, err));
    const uint64_t count = (uint64_t)W->m * (uint64_t)W->n;
    SP_TRY(want_room(r, "dense matrix", count, err));
    SP_TRY(sp_entries_room(W, (size_t)count, r->name, r->arena, err));
    W->count = 0;
    for (int j = 0; j < W->n; j++) {
        for (int i = 0; i < W->m; i++) {
            double value;
            SP_TRY(read_number(r, "dense matrix", &value, err));
            if (value != 0.0) {
                W->row[W->count] = i;
                W->column[W->count] = j;
                W->value[W->count++] = value;
            }
        }
    }
    return SP_OK;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* The shape of a block matrix; rows of block row i: row_end[i-1] .. row_end[i]-1. */
typedef struct blocks {
    int n_block, n_row, n_column, n_start;
    int *row_end, *column_end, *start, *column;
} blocks;

/* Whole numbers between least and most that never fall, the last being `last` if that is >= 0. */
static sp_status read_rising(reader *r, const char *what, int count, int least, int most, int last,
                             int **into, sp_error *err)
{
    SP_TRY(want_room(r, what, (uint64_t)count, err));
    *into = SP_NEW(r->arena, int, count);
    if (!*into) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d numbers", count);
    }
    for (int k = 0; k < count; k++) {
        const bool fixed = last >= 0 && k == count - 1;
        SP_TRY(read_whole(r, what, fixed ? last : least, fixed ? last : most, &(*into)[k], err));
        least = (*into)[k];
    }
    return SP_OK;
}

/* Read the shape. */
static sp_status read_shape(reader *r, blocks *b, sp_error *err)
{
    const sp_entries *W = &r->p->W;
    int count;
    SP_TRY(read_whole(r, "number of blocks", 0, INT_MAX - 1, &b->n_block, err));
    SP_TRY(read_whole(r, "block rows", 0, W->m, &b->n_row, err));
    SP_TRY(read_whole(r, "block columns", 0, W->n, &b->n_column, err));
    SP_TRY(read_rising(r, "sums of row sizes", b->n_row, 1, W->m, W->m, &b->row_end, err));
    SP_TRY(read_rising(r, "sums of column sizes", b->n_column, 1, W->n, W->n, &b->column_end, err));
    SP_TRY(read_whole(r, "length of the row starts", 0, b->n_row + 1L, &b->n_start, err));
    SP_TRY(read_whole(r, "length of the block columns", b->n_block, b->n_block, &count, err));
    SP_TRY(read_rising(r, "row starts", b->n_start, 0, b->n_block, b->n_block, &b->start, err));
    SP_TRY(want_room(r, "block columns", (uint64_t)count, err));
    b->column = SP_NEW(r->arena, int, count);
    if (!b->column) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d blocks", count);
    }
    for (int k = 0; k < count; k++) {
        SP_TRY(read_whole(r, "block columns", 0, b->n_column - 1L, &b->column[k], err));
    }
    return SP_OK;
}

/* First row (or column) and size of a block row (or column). */
static int extent(const int *end, int k, int *size)
{
    const int first = k > 0 ? end[k - 1] : 0;
    *size = end[k] - first;
    return first;
}

/* Read block k, which stands in block row i, column by column. */
static sp_status read_block(reader *r, const blocks *b, int i, int k, sp_error *err)
{
    sp_entries *W = &r->p->W;
    int m, n, number;
    const int row = extent(b->row_end, i, &m);
    const int column = extent(b->column_end, b->column[k], &n);
    SP_TRY(read_whole(r, "number of a block", k, k, &number, err));
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < m; x++) {
            W->row[W->count] = row + x;
            W->column[W->count] = column + y;
            SP_TRY(read_number(r, "block", &W->value[W->count], err));
            W->count++;
        }
    }
    return SP_OK;
}

/* Entries of all blocks together. */
static uint64_t count_entries(const blocks *b)
{
    uint64_t count = 0;
    for (int i = 0; i + 1 < b->n_start; i++) {
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            int m, n;
            extent(b->row_end, i, &m);
            extent(b->column_end, b->column[k], &n);
            count += (uint64_t)m * (uint64_t)n;
        }
    }
    return count;
}

/* Storage 1. */
static sp_status read_blocks(reader *r, sp_error *err)
{
    blocks b;
    SP_TRY(read_shape(r, &b, err));
    const int first = b.n_start > 0 ? b.start[0] : b.n_block;
    if (first != 0) {
        const sp_status status =
            SP_FAIL(err, SP_E_INPUT, "row starts: the first is %d, expected 0", first);
        return sp_problem_place(err, status, r->name, r->line);
    }
    const uint64_t count = count_entries(&b);
    SP_TRY(want_room(r, "blocks", count + (uint64_t)b.n_block, err));
    SP_TRY(sp_entries_room(&r->p->W, (size_t)count, r->name, r->arena, err));
    r->p->W.count = 0;
    for (int i = 0; i + 1 < b.n_start; i++) {
        for (int k = b.start[i]; k < b.start[i + 1]; k++) {
            SP_TRY(read_block(r, &b, i, k, err));
        }
    }
    return SP_OK;
}

/* ---- sparse -------------------------------------------------------------------------------- */

/* Pass over the rest of this line. */
static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') {
        r->at++;
    }
}

/* "1334-by-1334, nzmax: 3822 nnz: 3822, 1-norm: 7152.83", with "triplet:" before it or not. */
static sp_status read_sparse_header(reader *r, bool *triplet, long *count, sp_error *err)
{
    static const char word[] = "triplet:";
    char line[160] = "";
    long m, n, nzmax;
    skip_space(r);
    size_t length = 0;
    while (r->at + length < r->end && r->at[length] != '\n' && length + 1 < sizeof line) {
        line[length] = r->at[length];
        length++;
    }
    *triplet = strncmp(line, word, sizeof word - 1) == 0;
    const char *text = line + (*triplet ? sizeof word - 1 : 0);
    if (sscanf(text, " %9ld-by-%9ld, nzmax: %18ld nnz: %18ld", &m, &n, &nzmax, count) != 4 ||
        m != r->p->W.m || n != r->p->W.n || *count < 0) {
        char expected[96];
        snprintf(expected, sizeof expected, "a line such as '%d-by-%d, nzmax: 9 nnz: 9'", r->p->W.m,
                 r->p->W.n);
        return unexpected(r, "head of the sparse matrix", expected, err);
    }
    skip_line(r);
    return SP_OK;
}

/* Entry `at` of column j: "row : value". */
static sp_status read_entry(reader *r, size_t at, int j, sp_error *err)
{
    sp_entries *W = &r->p->W;
    SP_TRY(read_whole(r, "row of the sparse matrix", 0, W->m - 1L, &W->row[at], err));
    if (j < 0) {
        SP_TRY(read_whole(r, "column of the sparse matrix", 0, W->n - 1L, &W->column[at], err));
    } else {
        W->column[at] = j;
    }
    SP_TRY(read_word(r, ":", err));
    return read_number(r, "sparse matrix", &W->value[at], err);
}

/* One column: "col k : locations a to b" and its entries. */
static sp_status read_column(reader *r, int j, int *next, sp_error *err)
{
    const int count = (int)r->p->W.count;
    int number, first, last;
    SP_TRY(read_word(r, "col", err));
    SP_TRY(read_whole(r, "column of the sparse matrix", j, j, &number, err));
    SP_TRY(read_word(r, ":", err));
    SP_TRY(read_word(r, "locations", err));
    SP_TRY(read_whole(r, "first location of a column", *next, *next, &first, err));
    SP_TRY(read_word(r, "to", err));
    SP_TRY(read_whole(r, "last location of a column", first - 1L, count - 1L, &last, err));
    for (int k = first; k <= last; k++) {
        SP_TRY(read_entry(r, (size_t)k, j, err));
    }
    *next = last + 1;
    return SP_OK;
}

/* Storage 2. */
static sp_status read_sparse(reader *r, sp_error *err)
{
    sp_entries *W = &r->p->W;
    bool triplet;
    long count;
    int flag, next = 0;
    SP_TRY(read_whole(r, "form of the sparse matrix", 1, 2, &flag, err));
    skip_space(r);
    skip_line(r); /* who wrote it */
    SP_TRY(read_sparse_header(r, &triplet, &count, err));
    SP_TRY(want_room(r, "sparse matrix", 3 * (uint64_t)count, err)); /* row, colon, value */
    if (count > INT_MAX) {
        return unexpected(r, "sparse matrix", "at most 2147483647 entries", err);
    }
    SP_TRY(sp_entries_room(W, (size_t)count, r->name, r->arena, err));
    for (long k = 0; triplet && k < count; k++) {
        SP_TRY(read_entry(r, (size_t)k, -1, err));
    }
    for (int j = 0; !triplet && j < W->n; j++) {
        SP_TRY(read_column(r, j, &next, err));
    }
    if (!triplet && next != count) {
        return unexpected(r, "sparse matrix", "more columns: entries are missing", err);
    }
    return SP_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* The matrix, by its storage. */
static sp_status read_matrix(reader *r, sp_error *err)
{
    const int n = r->p->dim * r->p->n_contact;
    sp_entries *W = &r->p->W;
    int storage;
    SP_TRY(read_whole(r, "storage of the matrix", 0, 2, &storage, err));
    SP_TRY(read_whole(r, "matrix rows (dimension times contacts)", n, n, &W->m, err));
    SP_TRY(read_whole(r, "matrix columns (dimension times contacts)", n, n, &W->n, err));
    return storage == 0   ? read_dense(r, err)
           : storage == 1 ? read_blocks(r, err)
                          : read_sparse(r, err);
}

/* Numbers, none below least. */
static sp_status read_vector(reader *r, const char *what, int count, double least,
                             const double **into, sp_error *err)
{
    SP_TRY(want_room(r, what, (uint64_t)count, err));
    double *x = SP_NEW(r->arena, double, count);
    if (!x) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d numbers", count);
    }
    for (int k = 0; k < count; k++) {
        SP_TRY(read_number(r, what, &x[k], err));
        if (x[k] < least) {
            const sp_status status =
                SP_FAIL(err, SP_E_INPUT, "%s: %.17g, expected %g or more", what, x[k], least);
            return sp_problem_place(err, status, r->name, r->line);
        }
    }
    *into = x;
    return SP_OK;
}

/* What follows the problem is numbers of no interest; anything else is not this format. */
static sp_status read_rest(reader *r, sp_error *err)
{
    double value;
    for (skip_space(r); r->at < r->end; skip_space(r)) {
        SP_TRY(read_number(r, "behind the friction coefficients", &value, err));
    }
    return SP_OK;
}

/* A file that does not begin with a number is none of ours: say what would be, and what to do with
 * a model file. */
static sp_status check_beginning(reader *r, sp_error *err)
{
    skip_space(r);
    if (r->at == r->end || isdigit((unsigned char)*r->at) || strchr("+-.", *r->at)) {
        return SP_OK;
    }
    char text[SHOWN + 4];
    shown(r, word_length(r), text);
    const bool model = *r->at == '#' || strncmp(text, "specht:", 7) == 0;
    const sp_status status = SP_FAIL(
        err, SP_E_INPUT,
        "no contact problem: the file begins with '%s', expected FCLIB's HDF5 or Siconos' "
        "text, which begins with the dimension 2 or 3%s",
        text,
        model ? "; if it is a model file: 'specht run' simulates it, and writes its contact "
                "problems with --dump-problems"
              : "");
    return sp_problem_place(err, status, r->name, r->line);
}

sp_status sp_problem_read_text(const char *name, const char *bytes, size_t n, sp_arena *arena,
                               sp_problem_file *p, sp_error *err)
{
    reader r = {.name = name, .at = bytes, .end = bytes + n, .line = 1, .arena = arena, .p = p};
    p->format = SP_PROBLEM_TEXT;
    if (n == 0) {
        const sp_status status = SP_FAIL(err, SP_E_INPUT, "the file is empty");
        return sp_problem_place(err, status, name, 0);
    }
    SP_TRY(check_beginning(&r, err));
    SP_TRY(read_whole(&r, "dimension", 2, 3, &p->dim, err));
    SP_TRY(read_whole(&r, "number of contacts", 0, ROWS_MAX / p->dim, &p->n_contact, err));
    SP_TRY(want_room(&r, "contacts", (uint64_t)p->n_contact * (uint64_t)(p->dim + 1), err));
    SP_TRY(read_matrix(&r, err));
    SP_TRY(read_vector(&r, "q", p->dim * p->n_contact, -INFINITY, &p->q, err));
    SP_TRY(read_vector(&r, "friction coefficient mu", p->n_contact, 0.0, &p->mu, err));
    return read_rest(&r, err);
}
