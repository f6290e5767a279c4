#include "reduce/sparse.h"

#include <stdlib.h>
#include <string.h>

#ifdef SP_HAVE_LDL
#include <amd.h>
#include <ldl.h>
#endif

/* ---- entries ----------------------------------------------------------------------------------
 */

static bool grow(sp_triplets *t)
{
    const size_t room = t->room ? 2 * t->room : 1 << 16;
    int *i = realloc(t->i, room * sizeof *i);
    t->i = i ? i : t->i;
    int *j = realloc(t->j, room * sizeof *j);
    t->j = j ? j : t->j;
    double *x = realloc(t->x, room * sizeof *x);
    t->x = x ? x : t->x;
    t->failed = t->failed || !i || !j || !x;
    t->room = t->failed ? t->room : room;
    return !t->failed;
}

void sp_triplets_add(sp_triplets *t, int i, int j, double x)
{
    if (x == 0.0 || (t->n == t->room && !grow(t))) {
        return;
    }
    t->i[t->n] = i;
    t->j[t->n] = j;
    t->x[t->n++] = x;
}

void sp_triplets_free(sp_triplets *t)
{
    free(t->i);
    free(t->j);
    free(t->x);
    memset(t, 0, sizeof *t);
}

/* ---- matrices ---------------------------------------------------------------------------------
 */

static bool make(sp_arena *arena, int n, size_t entries, sp_sym *A)
{
    A->n = n;
    A->start = SP_NEW(arena, size_t, (size_t)n + 1);
    A->row = SP_NEW(arena, int, entries);
    A->value = SP_NEW(arena, double, entries);
    return A->start && A->row && A->value;
}

/* Rows of each column rising, twins added up: what was sorted by columns is sorted by rows in going
 * through it twice. */
static bool tidy(sp_arena *arena, sp_sym *A)
{
    size_t *end = SP_NEW(arena, size_t, (size_t)A->n + 1);
    sp_sym B;
    if (!end || !make(arena, A->n, A->start[A->n], &B)) {
        return false;
    }
    memcpy(B.start, A->start, ((size_t)A->n + 1) * sizeof *B.start); /* symmetric: the same */
    memcpy(end, A->start, ((size_t)A->n + 1) * sizeof *end);
    for (int j = 0; j < A->n; j++) {
        for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const size_t to = end[A->row[e]]++;
            B.row[to] = j;
            B.value[to] = A->value[e];
        }
    }
    size_t n = 0;
    for (int j = 0; j < A->n; j++) {
        const size_t from = B.start[j], to = B.start[j + 1];
        A->start[j] = n;
        for (size_t e = from; e < to; e++) {
            if (n > A->start[j] && A->row[n - 1] == B.row[e]) {
                A->value[n - 1] += B.value[e];
            } else {
                A->row[n] = B.row[e];
                A->value[n++] = B.value[e];
            }
        }
    }
    A->start[A->n] = n;
    return true;
}

bool sp_sym_of(sp_arena *arena, int n, const sp_triplets *t, sp_sym *A)
{
    size_t entries = 0;
    for (size_t k = 0; k < t->n; k++) {
        entries += t->i[k] == t->j[k] ? 1 : 2;
    }
    if (t->failed || !make(arena, n, entries, A)) {
        return false;
    }
    size_t *end = SP_NEW(arena, size_t, (size_t)n + 1);
    if (!end) {
        return false;
    }
    for (size_t k = 0; k < t->n; k++) {
        A->start[t->j[k] + 1]++;
        A->start[t->i[k] + 1] += t->i[k] != t->j[k];
    }
    for (int j = 0; j < n; j++) {
        A->start[j + 1] += A->start[j];
        end[j] = A->start[j];
    }
    for (size_t k = 0; k < t->n; k++) {
        const int a = t->i[k], b = t->j[k];
        A->row[end[b]] = a;
        A->value[end[b]++] = t->x[k];
        if (a != b) {
            A->row[end[a]] = b;
            A->value[end[a]++] = t->x[k];
        }
    }
    return tidy(arena, A);
}

bool sp_sym_part(sp_arena *arena, const sp_sym *A, int n, const int *place, sp_sym *B)
{
    sp_triplets t = {0};
    for (int j = 0; j < A->n; j++) {
        for (size_t e = A->start[j]; place[j] >= 0 && e < A->start[j + 1]; e++) {
            if (A->row[e] <= j && place[A->row[e]] >= 0) {
                sp_triplets_add(&t, place[A->row[e]], place[j], A->value[e]);
            }
        }
    }
    const bool ok = sp_sym_of(arena, n, &t, B);
    sp_triplets_free(&t);
    return ok;
}

bool sp_sym_sum(sp_arena *arena, const sp_sym *A, double k, const sp_sym *B, sp_sym *C)
{
    sp_triplets t = {0};
    const sp_sym *const both[2] = {A, B};
    for (int s = 0; s < 2; s++) {
        for (int j = 0; j < A->n; j++) {
            for (size_t e = both[s]->start[j]; e < both[s]->start[j + 1]; e++) {
                if (both[s]->row[e] <= j) {
                    sp_triplets_add(&t, both[s]->row[e], j, (s ? k : 1.0) * both[s]->value[e]);
                }
            }
        }
    }
    const bool ok = sp_sym_of(arena, A->n, &t, C);
    sp_triplets_free(&t);
    return ok;
}

void sp_sym_times(const sp_sym *A, int m, const double *X, double *Y)
{
    const size_t n = (size_t)A->n;
    for (int c = 0; c < m; c++, X += n, Y += n) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
                sum += A->value[e] * X[A->row[e]];
            }
            Y[j] = sum;
        }
    }
}

/* ---- factor -----------------------------------------------------------------------------------
 */

#ifdef SP_HAVE_LDL

enum { BLOCK = 8 }; /* vectors that go through the factor together */

struct sp_factor {
    int n;
    int *order, *start, *row; /* order[k]: the unknown that goes k-th */
    double *L, *D, *x;        /* x: n x BLOCK                         */
};

bool sp_factor_exists(void)
{
    return true;
}

void sp_factor_free(sp_factor *f)
{
    if (f) {
        free(f->order);
        free(f->start);
        free(f->row);
        free(f->L);
        free(f->D);
        free(f->x);
        free(f);
    }
}

size_t sp_factor_entries(const sp_factor *f)
{
    return (size_t)f->start[f->n];
}

/* Index arrays of LDL are int. */
static int *ints_of(size_t n, const size_t *from)
{
    int *to = malloc((n + 1) * sizeof *to);
    for (size_t k = 0; to && k <= n; k++) {
        to[k] = (int)from[k];
    }
    return to;
}

/* LDL's scratch in one piece: 5 arrays of n. */
static sp_status decompose(sp_factor *f, const sp_sym *A, int *start, int *scratch, int *bad,
                           sp_error *err)
{
    const int n = A->n;
    int *parent = scratch, *count = scratch + n, *flag = scratch + 2 * n,
        *pattern = scratch + 3 * n, *place = scratch + 4 * n;
    if (amd_order(n, start, A->row, f->order, NULL, NULL) < AMD_OK) {
        return SP_E_MEMORY;
    }
    double entries = 0.0;
    ldl_symbolic(n, start, A->row, f->start, parent, count, flag, f->order, place);
    for (int k = 0; k < n; k++) {
        entries += count[k];
    }
    if (entries > 2e9) {
        return SP_FAIL(err, SP_E_INPUT, "the factor has %.3g entries, at most 2e9 are possible",
                       entries);
    }
    f->row = malloc(((size_t)f->start[n] + 1) * sizeof *f->row);
    f->L = malloc(((size_t)f->start[n] + 1) * sizeof *f->L);
    if (!f->row || !f->L) {
        return SP_FAIL(err, SP_E_MEMORY, "the factor of the stiffness needs %.3g GB",
                       12e-9 * (double)f->start[n]);
    }
    const int done = ldl_numeric(n, start, A->row, A->value, f->start, parent, count, f->row, f->L,
                                 f->D, f->x, pattern, flag, f->order, place);
    for (int k = 0; k < n; k++) {
        if (k >= done || !(f->D[k] > 0.0)) {
            *bad = f->order[k < done ? k : done];
            return SP_FAIL(err, SP_E_INPUT, "the stiffness is not positive");
        }
    }
    return SP_OK;
}

sp_status sp_factor_new(const sp_sym *A, sp_factor **factor, int *bad, sp_error *err)
{
    const size_t n = (size_t)A->n;
    sp_factor *f = calloc(1, sizeof *f);
    int *start = ints_of(n, A->start), *scratch = malloc((5 * n + 1) * sizeof *scratch);
    *bad = -1;
    sp_status status = SP_E_MEMORY;
    if (f && start && scratch) {
        f->n = A->n;
        f->order = malloc((n + 1) * sizeof *f->order);
        f->start = malloc((n + 1) * sizeof *f->start);
        f->D = malloc((n + 1) * sizeof *f->D);
        f->x = calloc((n + 1) * BLOCK, sizeof *f->x);
        if (f->order && f->start && f->D && f->x) {
            status = decompose(f, A, start, scratch, bad, err);
        }
    }
    free(start);
    free(scratch);
    if (status != SP_OK) {
        sp_factor_free(f);
        f = NULL;
    }
    *factor = f;
    return status;
}

/* L y = x, D, L^T for BLOCK vectors side by side. */
static void solve_block(const sp_factor *f, double (*restrict x)[BLOCK])
{
    for (int j = 0; j < f->n; j++) {
        for (int e = f->start[j]; e < f->start[j + 1]; e++) {
            double *restrict to = x[f->row[e]];
            const double l = f->L[e];
            for (int c = 0; c < BLOCK; c++) {
                to[c] -= l * x[j][c];
            }
        }
    }
    for (int j = f->n - 1; j >= 0; j--) {
        double sum[BLOCK];
        for (int c = 0; c < BLOCK; c++) {
            sum[c] = x[j][c] / f->D[j];
        }
        for (int e = f->start[j]; e < f->start[j + 1]; e++) {
            const double *from = x[f->row[e]], l = f->L[e];
            for (int c = 0; c < BLOCK; c++) {
                sum[c] -= l * from[c];
            }
        }
        memcpy(x[j], sum, sizeof sum);
    }
}

void sp_factor_solve(sp_factor *f, int m, double *X)
{
    const size_t n = (size_t)f->n;
    double(*x)[BLOCK] = (double(*)[BLOCK])(void *)f->x;
    for (int first = 0; first < m; first += BLOCK) {
        const int width = m - first < BLOCK ? m - first : BLOCK;
        for (size_t k = 0; k < n; k++) {
            for (int c = 0; c < BLOCK; c++) {
                x[k][c] = c < width ? X[(size_t)(first + c) * n + (size_t)f->order[k]] : 0.0;
            }
        }
        solve_block(f, x);
        for (size_t k = 0; k < n; k++) {
            for (int c = 0; c < width; c++) {
                X[(size_t)(first + c) * n + (size_t)f->order[k]] = x[k][c];
            }
        }
    }
}

#else

bool sp_factor_exists(void)
{
    return false;
}

void sp_factor_free(sp_factor *f)
{
    (void)f;
}

size_t sp_factor_entries(const sp_factor *f)
{
    (void)f;
    return 0;
}

sp_status sp_factor_new(const sp_sym *A, sp_factor **factor, int *bad, sp_error *err)
{
    (void)A;
    *factor = NULL;
    *bad = -1;
    return SP_FAIL(err, SP_E_INPUT,
                   "this program was built without SuiteSparse (Debian: "
                   "libsuitesparse-dev), which reduces parts");
}

void sp_factor_solve(sp_factor *f, int m, double *X)
{
    (void)f;
    (void)m;
    (void)X;
}

#endif
