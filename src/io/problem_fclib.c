/* FCLIB problems out of HDF5: /fclib_local with W, q, mu, or /fclib_global with M, H, f, w, mu;
 * bilateral rows (V, R, s; G, b) where there are any.   [FCLIB] */
#include "io/problem_file.h"
#include "io/problem_hdf5.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { PATH_BYTES = 64, NZ_CSC = -1, NZ_CSR = -2 };

/* What is being read. */
typedef struct reader {
    sp_hdf f;
    const char *group; /* "fclib_local" */
    sp_arena *arena;
    sp_problem_file *p;
} reader;

/* "fclib_local/W/x" */
static void path_of(const reader *r, const char *part, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s%s%s", r->group, part, name ? "/" : "", name ? name : "");
}

/* A fault of the numbers in a dataset or group. */
static sp_status fault(const reader *r, const char *path, const char *what, double value,
                       const char *expected, sp_error *err)
{
    const sp_status status = SP_FAIL(err, SP_E_INPUT, "dataset '/%s': %s %.17g, expected %s", path,
                                     what, value, expected);
    return sp_problem_place(err, status, r->f.name, 0);
}

/* One integer out of a dataset, between least and most. */
static sp_status read_integer(const reader *r, const char *part, const char *name, int64_t least,
                              int64_t most, int *value, sp_error *err)
{
    char path[PATH_BYTES], expected[64];
    sp_hdf_data d;
    path_of(r, part, name, path);
    SP_TRY(sp_hdf_find(&r->f, path, &d, err));
    if (d.count < 1) {
        return fault(r, path, "size is", 0.0, "one number", err);
    }
    const int64_t x = sp_hdf_integer(&d, 0);
    if (x < least || x > most) {
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least,
                 (long long)most);
        return fault(r, path, "value is", sp_hdf_number(&d, 0), expected, err);
    }
    *value = (int)x;
    return SP_OK;
}

/* A dataset with at least count numbers. */
static sp_status find_numbers(const reader *r, const char *part, const char *name, uint64_t count,
                              sp_hdf_data *d, sp_error *err)
{
    char path[PATH_BYTES], expected[64];
    path_of(r, part, name, path);
    SP_TRY(sp_hdf_find(&r->f, path, d, err));
    if (d->count < count) {
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)count);
        return fault(r, path, "number of values is", (double)d->count, expected, err);
    }
    return SP_OK;
}

/* A vector of exactly count finite numbers, none below least. */
static sp_status read_vector(const reader *r, const char *name, int count, double least,
                             double *into, sp_error *err)
{
    char path[PATH_BYTES], what[64], expected[64];
    sp_hdf_data d;
    path_of(r, "vectors", name, path);
    SP_TRY(find_numbers(r, "vectors", name, (uint64_t)count, &d, err));
    if (d.count != (uint64_t)count) {
        snprintf(expected, sizeof expected, "%d", count);
        return fault(r, path, "number of values is", (double)d.count, expected, err);
    }
    for (int k = 0; k < count; k++) {
        into[k] = sp_hdf_number(&d, (uint64_t)k);
        if (!isfinite(into[k]) || into[k] < least) {
            snprintf(what, sizeof what, "value %d is", k);
            return fault(r, path, what, into[k],
                         least == 0.0 ? "a finite number >= 0" : "a finite number", err);
        }
    }
    return SP_OK;
}

/* ---- matrices ------------------------------------------------------------------------------ */

/* The datasets of a matrix. */
typedef struct sparse {
    int m, n, nz;
    sp_hdf_data p, i, x;
    char path[PATH_BYTES];
} sparse;

/* Entries of a matrix in compressed form: `lines` columns (rows) that begin at p[k]. */
static sp_status check_starts(const reader *r, const sparse *s, int lines, uint64_t *count,
                              sp_error *err)
{
    int64_t before = 0;
    for (int k = 0; k <= lines; k++) {
        const int64_t start = sp_hdf_integer(&s->p, (uint64_t)k);
        if (start < before || start > INT_MAX || (k == 0 && start != 0)) {
            return fault(r, s->path, "p holds", (double)start, "numbers that rise from 0", err);
        }
        before = start;
    }
    *count = (uint64_t)before;
    return SP_OK;
}

/* Find sizes and arrays of a matrix; returns how many entries it has. */
static sp_status open_matrix(const reader *r, const char *name, sparse *s, uint64_t *count,
                             sp_error *err)
{
    path_of(r, name, NULL, s->path);
    SP_TRY(read_integer(r, name, "m", 0, INT_MAX / 16, &s->m, err));
    SP_TRY(read_integer(r, name, "n", 0, INT_MAX / 16, &s->n, err));
    SP_TRY(read_integer(r, name, "nz", NZ_CSR, INT_MAX, &s->nz, err));
    if (s->nz >= 0) {
        *count = (uint64_t)s->nz;
        SP_TRY(find_numbers(r, name, "p", *count, &s->p, err));
    } else {
        const int lines = s->nz == NZ_CSC ? s->n : s->m;
        SP_TRY(find_numbers(r, name, "p", (uint64_t)lines + 1, &s->p, err));
        SP_TRY(check_starts(r, s, lines, count, err));
    }
    SP_TRY(find_numbers(r, name, "i", *count, &s->i, err));
    return find_numbers(r, name, "x", *count, &s->x, err);
}

/* Store entry k, which stands at (row, column), shifted to its place. */
static sp_status store(const reader *r, const sparse *s, uint64_t k, int64_t row, int64_t column,
                       sp_entries *e, size_t at, sp_error *err)
{
    if (row < 0 || row >= s->m || column < 0 || column >= s->n) {
        return fault(r, s->path, "an index is", (double)(row < 0 || row >= s->m ? row : column),
                     "one inside the matrix", err);
    }
    const double value = sp_hdf_number(&s->x, k);
    if (!isfinite(value)) {
        return fault(r, s->path, "an entry is", value, "a finite number", err);
    }
    e->row[at] = (int)row;
    e->column[at] = (int)column;
    e->value[at] = value;
    return SP_OK;
}

/* Read the entries of an opened matrix into e from its place `at` on. */
static sp_status read_entries(const reader *r, const sparse *s, uint64_t count, sp_entries *e,
                              size_t at, sp_error *err)
{
    int64_t line = 0;
    for (uint64_t k = 0; k < count; k++) {
        const int64_t index = sp_hdf_integer(&s->i, k);
        int64_t row = index, column;
        if (s->nz >= 0) {
            column = sp_hdf_integer(&s->p, k);
        } else {
            while ((uint64_t)sp_hdf_integer(&s->p, (uint64_t)line + 1) <= k) {
                line++;
            }
            row = s->nz == NZ_CSC ? index : line;
            column = s->nz == NZ_CSC ? line : index;
        }
        SP_TRY(store(r, s, k, row, column, e, at + k, err));
    }
    return SP_OK;
}

/* Whether the group has a matrix of this name. */
static sp_status has_matrix(const reader *r, const char *name, bool *found, sp_error *err)
{
    char path[PATH_BYTES];
    path_of(r, name, NULL, path);
    return sp_hdf_exists(&r->f, path, found, err);
}

/* A matrix must have these sizes. */
static sp_status check_sizes(const reader *r, const sparse *s, int m, int n, sp_error *err)
{
    if (s->m == m && s->n == n) {
        return SP_OK;
    }
    const sp_status status = SP_FAIL(err, SP_E_INPUT, "matrix '/%s' is %d x %d, expected %d x %d",
                                     s->path, s->m, s->n, m, n);
    return sp_problem_place(err, status, r->f.name, 0);
}

/* Contacts that many rows are. */
static sp_status count_contacts(const reader *r, const sparse *s, int rows, sp_error *err)
{
    if (rows % r->p->dim != 0) {
        return fault(r, s->path, "number of contact rows is", rows, "a multiple of spacedim", err);
    }
    r->p->n_contact = rows / r->p->dim;
    return SP_OK;
}

/* Numbers from the arena. */
static sp_status numbers(const reader *r, int count, double **x, sp_error *err)
{
    *x = SP_NEW(r->arena, double, count);
    if (!*x) {
        const sp_status status = SP_FAIL(err, SP_E_MEMORY, "out of memory for %d numbers", count);
        return sp_problem_place(err, status, r->f.name, 0);
    }
    return SP_OK;
}

/* Believe a size only where a vector of that size is there. */
static sp_status want_vector(const reader *r, const char *name, int count, sp_error *err)
{
    sp_hdf_data d;
    return find_numbers(r, "vectors", name, (uint64_t)count, &d, err);
}

/* Friction coefficients. */
static sp_status read_mu(const reader *r, sp_error *err)
{
    double *mu;
    SP_TRY(want_vector(r, "mu", r->p->n_contact, err));
    SP_TRY(numbers(r, r->p->n_contact, &mu, err));
    SP_TRY(read_vector(r, "mu", r->p->n_contact, 0.0, mu, err));
    r->p->mu = mu;
    return SP_OK;
}

/* ---- the two kinds of problems ------------------------------------------------------------- */

/* [W V; V' R] in one, V at the columns from m on. */
static sp_status read_local_matrix(const reader *r, const sparse *W, uint64_t n_W, sp_error *err)
{
    sparse V, R;
    uint64_t n_V = 0, n_R = 0;
    bool found;
    sp_entries *e = &r->p->W;
    SP_TRY(has_matrix(r, "V", &found, err));
    if (found) {
        SP_TRY(open_matrix(r, "V", &V, &n_V, err));
        SP_TRY(open_matrix(r, "R", &R, &n_R, err));
        SP_TRY(check_sizes(r, &V, W->m, R.m, err));
        SP_TRY(check_sizes(r, &R, R.m, R.m, err));
        SP_TRY(want_vector(r, "s", R.m, err));
        r->p->n_free = R.m;
    }
    SP_TRY(sp_entries_room(e, (size_t)(n_W + 2 * n_V + n_R), r->f.name, r->arena, err));
    e->m = e->n = W->m + r->p->n_free;
    SP_TRY(read_entries(r, W, n_W, e, 0, err));
    if (found) {
        SP_TRY(read_entries(r, &V, n_V, e, n_W, err));
        SP_TRY(read_entries(r, &R, n_R, e, n_W + 2 * n_V, err));
        for (size_t k = n_W; k < n_W + n_V; k++) {
            e->column[k] += W->m;
            e->row[k + n_V] = e->column[k]; /* V' below */
            e->column[k + n_V] = e->row[k];
            e->value[k + n_V] = e->value[k];
        }
        for (size_t k = n_W + 2 * n_V; k < e->count; k++) {
            e->row[k] += W->m;
            e->column[k] += W->m;
        }
    }
    return SP_OK;
}

/* u = W r + V l + q, V' r + R l + s = 0. */
static sp_status read_local(const reader *r, sp_error *err)
{
    sparse W;
    uint64_t n_W;
    double *q;
    SP_TRY(open_matrix(r, "W", &W, &n_W, err));
    SP_TRY(check_sizes(r, &W, W.m, W.m, err));
    SP_TRY(count_contacts(r, &W, W.m, err));
    SP_TRY(read_mu(r, err));
    SP_TRY(want_vector(r, "q", W.m, err));
    SP_TRY(read_local_matrix(r, &W, n_W, err));
    SP_TRY(numbers(r, r->p->W.m, &q, err));
    SP_TRY(read_vector(r, "q", W.m, -INFINITY, q, err));
    if (r->p->n_free > 0) {
        SP_TRY(read_vector(r, "s", r->p->n_free, -INFINITY, q + W.m, err));
    }
    r->p->q = q;
    return SP_OK;
}

/* [H G] in one. */
static sp_status read_global_matrix(const reader *r, const sparse *H, uint64_t n_H, sp_error *err)
{
    sparse G;
    uint64_t n_G = 0;
    bool found;
    sp_entries *e = &r->p->H;
    SP_TRY(has_matrix(r, "G", &found, err));
    if (found) {
        SP_TRY(open_matrix(r, "G", &G, &n_G, err));
        SP_TRY(check_sizes(r, &G, H->m, G.n, err));
        SP_TRY(want_vector(r, "b", G.n, err));
        r->p->n_free = G.n;
    }
    SP_TRY(sp_entries_room(e, (size_t)(n_H + n_G), r->f.name, r->arena, err));
    e->m = H->m;
    e->n = H->n + r->p->n_free;
    SP_TRY(read_entries(r, H, n_H, e, 0, err));
    if (found) {
        SP_TRY(read_entries(r, &G, n_G, e, n_H, err));
    }
    for (size_t k = n_H; k < e->count; k++) {
        e->column[k] += H->n;
    }
    return SP_OK;
}

/* M v = H r + G l + f, u = H' v + w, G' v + b = 0. */
static sp_status read_global(const reader *r, sp_error *err)
{
    sparse M, H;
    uint64_t n_M, n_H;
    double *f, *w;
    sp_problem_file *p = r->p;
    SP_TRY(open_matrix(r, "M", &M, &n_M, err));
    SP_TRY(check_sizes(r, &M, M.m, M.m, err));
    SP_TRY(open_matrix(r, "H", &H, &n_H, err));
    SP_TRY(check_sizes(r, &H, M.m, H.n, err));
    SP_TRY(count_contacts(r, &H, H.n, err));
    SP_TRY(want_vector(r, "f", M.m, err));
    SP_TRY(want_vector(r, "w", H.n, err));
    SP_TRY(read_mu(r, err));
    SP_TRY(sp_entries_room(&p->M, (size_t)n_M, r->f.name, r->arena, err));
    p->M.m = p->M.n = M.m;
    SP_TRY(read_entries(r, &M, n_M, &p->M, 0, err));
    SP_TRY(read_global_matrix(r, &H, n_H, err));
    SP_TRY(numbers(r, M.m, &f, err));
    SP_TRY(read_vector(r, "f", M.m, -INFINITY, f, err));
    SP_TRY(numbers(r, p->H.n, &w, err));
    SP_TRY(read_vector(r, "w", H.n, -INFINITY, w, err));
    if (p->n_free > 0) {
        SP_TRY(read_vector(r, "b", p->n_free, -INFINITY, w + H.n, err));
    }
    p->f = f;
    p->w = w;
    return SP_OK;
}

sp_status sp_problem_read_fclib(const char *name, const char *bytes, size_t n, sp_arena *arena,
                                sp_problem_file *p, sp_error *err)
{
    reader r = {.arena = arena, .p = p};
    bool local, global;
    SP_TRY(sp_hdf_open(&r.f, name, bytes, n, err));
    SP_TRY(sp_hdf_exists(&r.f, "fclib_local", &local, err));
    SP_TRY(sp_hdf_exists(&r.f, "fclib_global", &global, err));
    if (!local && !global) {
        const sp_status status = SP_FAIL(err, SP_E_INPUT,
                                         "an HDF5 file without a contact problem, expected a group "
                                         "/fclib_local or /fclib_global");
        return sp_problem_place(err, status, name, 0);
    }
    p->format = local ? SP_PROBLEM_LOCAL : SP_PROBLEM_GLOBAL;
    r.group = local ? "fclib_local" : "fclib_global";
    SP_TRY(read_integer(&r, "spacedim", NULL, 2, 3, &p->dim, err));
    return local ? read_local(&r, err) : read_global(&r, err);
}
