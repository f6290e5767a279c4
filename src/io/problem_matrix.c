#include "io/problem_matrix.h"

#include "solvers/fc_island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* All relative to the largest diagonal entry; files hold rounded-off and truncated numbers. */
#define RANK_TOL       1e-8 /* pivots below count as zero                                     */
#define INDEFINITE_TOL 1e-4 /* lower pivots are no accident                                   */
#define ZERO_TOL       1e-9 /* lower diagonal entries are no accident                         */
#define MINOR_TOL      1e-3 /* relative to sqrt(s_kk s_ll): larger entries are no accident    */

/* The matrix with the way back from columns to rows. */
typedef struct matrix {
    const sp_fc *p;
    int *above; /* n_contact + 1: blocks above[j] .. above[j+1]-1 of `list` are in column j */
    int *list, *owner; /* n_block: block, and the contact of its row */
    int *contact;     /* n: contact of each row                                                   */
    double *diagonal; /* n                                                                        */
    double largest;   /* of the diagonal                                                          */
    int *where;       /* n_contact: scratch, -1 throughout between uses                           */
    sp_arena *arena;
} matrix;

/* ---- set-up -------------------------------------------------------------------------------- */

/* Rows of contact i. */
static int rows_of(const sp_fc *p, int i)
{
    return (i + 1 < p->n_contact ? p->row[i + 1] : p->n) - p->row[i];
}

/* Sort the blocks by column, rows rising. */
static void sort_columns(matrix *m)
{
    const sp_fc *p = m->p;
    for (int b = 0; b < p->G.start[p->n_contact]; b++) {
        m->above[p->G.column[b] + 1]++;
    }
    for (int j = 0; j < p->n_contact; j++) {
        m->above[j + 1] += m->above[j];
        m->where[j] = m->above[j];
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            const int at = m->where[p->G.column[b]]++;
            m->list[at] = b;
            m->owner[at] = i;
        }
    }
}

/* Note the diagonal and whose row is whose. */
static void find_diagonal(matrix *m)
{
    const sp_fc *p = m->p;
    for (int i = 0; i < p->n_contact; i++) {
        const int dim = rows_of(p, i);
        m->where[i] = -1;
        for (int a = 0; a < dim; a++) {
            m->contact[p->row[i] + a] = i;
        }
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            for (int a = 0; p->G.column[b] == i && a < dim; a++) {
                m->diagonal[p->row[i] + a] = p->G.value[p->G.at[b] + (size_t)(a * dim + a)];
            }
        }
    }
    for (int k = 0; k < p->n; k++) {
        m->largest = fmax(m->largest, fabs(m->diagonal[k]));
    }
}

/* Memory and indices. */
static sp_status prepare(matrix *m, const sp_fc *p, sp_arena *arena, sp_error *err)
{
    const int n_block = p->G.start[p->n_contact];
    *m = (matrix){.p = p, .arena = arena};
    m->above = SP_NEW(arena, int, p->n_contact + 1);
    m->list = SP_NEW(arena, int, n_block);
    m->owner = SP_NEW(arena, int, n_block);
    m->contact = SP_NEW(arena, int, p->n);
    m->diagonal = SP_NEW(arena, double, p->n);
    m->where = SP_NEW(arena, int, p->n_contact);
    if (!m->above || !m->list || !m->owner || !m->contact || !m->diagonal || !m->where) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for a matrix of %d rows", p->n);
    }
    sort_columns(m);
    find_diagonal(m);
    return SP_OK;
}

/* ---- symmetry and small minors ------------------------------------------------------------- */

/* Say why the matrix is indefinite, once. */
static void accuse(const matrix *m, sp_matrix_facts *f, int k, int l, double value)
{
    if (f->indefinite) {
        return;
    }
    f->indefinite = true;
    if (k == l) {
        snprintf(f->why, sizeof f->why, "row %d (contact %d): diagonal entry %.6g", k,
                 m->contact[k], value);
    } else {
        snprintf(
            f->why, sizeof f->why,
            "rows %d and %d (contacts %d and %d): entry %.6g beside the diagonal %.6g and %.6g", k,
            l, m->contact[k], m->contact[l], value, m->diagonal[k], m->diagonal[l]);
    }
}

/* |s_kl| <= sqrt(s_kk s_ll), as in every matrix without negative eigenvalues. */
static void check_minor(const matrix *m, sp_matrix_facts *f, int k, int l, double s)
{
    const double product = fmax(m->diagonal[k], 0.0) * fmax(m->diagonal[l], 0.0);
    if (fabs(s) > (1.0 + MINOR_TOL) * sqrt(product) + ZERO_TOL * m->largest) {
        accuse(m, f, k, l, s);
    }
}

/* Compare block b = (i, j) with its mirror image c = (j, i), -1 if that is not stored. */
static double compare(const matrix *m, sp_matrix_facts *f, int i, int j, int b, int c)
{
    const sp_fc *p = m->p;
    const int di = rows_of(p, i), dj = rows_of(p, j);
    const double *B = p->G.value + p->G.at[b];
    const double *C = c < 0 ? NULL : p->G.value + p->G.at[c];
    double sum = 0.0;
    for (int a = 0; a < di; a++) {
        for (int e = 0; e < dj; e++) {
            const double x = B[a * dj + e], y = C ? C[e * di + a] : 0.0;
            sum += (x - y) * (x - y) * (C ? 1.0 : 2.0);
            if (p->row[i] + a != p->row[j] + e) {
                check_minor(m, f, p->row[i] + a, p->row[j] + e, 0.5 * (x + y));
            }
        }
    }
    return sum;
}

/* Asymmetry, and what diagonal and minors show. */
static void look(const matrix *m, sp_matrix_facts *f)
{
    const sp_fc *p = m->p;
    double difference = 0.0, size = 0.0;
    for (int k = 0; k < p->n; k++) {
        if (m->diagonal[k] < -ZERO_TOL * m->largest) {
            accuse(m, f, k, k, m->diagonal[k]);
        }
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int at = m->above[i]; at < m->above[i + 1]; at++) {
            m->where[m->owner[at]] = m->list[at];
        }
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            const int j = p->G.column[b], n = rows_of(p, i) * rows_of(p, j);
            difference += compare(m, f, i, j, b, m->where[j]);
            for (int e = 0; e < n; e++) {
                const double x = p->G.value[p->G.at[b] + (size_t)e];
                size += x * x;
            }
        }
        for (int at = m->above[i]; at < m->above[i + 1]; at++) {
            m->where[m->owner[at]] = -1;
        }
    }
    f->asymmetry = size > 0.0 ? sqrt(difference / size) : 0.0;
}

/* ---- rank ---------------------------------------------------------------------------------- */

/* x += half of row k of G and of its column, over the rows of an island, local[] being their
 * numbers there. */
static void add_column(const matrix *m, const int *local, int k, double *x)
{
    const sp_fc *p = m->p;
    const int i = m->contact[k], a = k - p->row[i], di = rows_of(p, i);
    for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
        const int j = p->G.column[b], dj = rows_of(p, j);
        for (int e = 0; e < dj; e++) {
            x[local[p->row[j] + e]] += 0.5 * p->G.value[p->G.at[b] + (size_t)(a * dj + e)];
        }
    }
    for (int at = m->above[i]; at < m->above[i + 1]; at++) {
        const int j = m->owner[at], dj = rows_of(p, j);
        for (int e = 0; e < dj; e++) {
            x[local[p->row[j] + e]] +=
                0.5 * p->G.value[p->G.at[m->list[at]] + (size_t)(e * di + a)];
        }
    }
}

/* The island that is factored: S ~ L L' with L (n x rank) by columns, d the diagonal left. */
typedef struct factor {
    int n, rank;
    int *row; /* n: rows of G */
    double *d, **column;
} factor;

/* One step: the column of the largest diagonal entry left.   l = (s_p - L L_p') / sqrt(d_p) */
static bool eliminate(const matrix *m, const int *local, factor *f)
{
    int pivot = 0;
    for (int k = 1; k < f->n; k++) {
        pivot = f->d[k] > f->d[pivot] ? k : pivot;
    }
    double *l = f->d[pivot] > RANK_TOL * m->largest ? SP_NEW(m->arena, double, f->n) : NULL;
    if (!l) {
        return false;
    }
    add_column(m, local, f->row[pivot], l);
    for (int r = 0; r < f->rank; r++) {
        const double *before = f->column[r], share = before[pivot];
        for (int k = 0; k < f->n; k++) {
            l[k] -= share * before[k];
        }
    }
    const double root = sqrt(f->d[pivot]);
    for (int k = 0; k < f->n; k++) {
        l[k] /= root;
        f->d[k] -= l[k] * l[k];
    }
    f->d[pivot] = 0.0;
    f->column[f->rank++] = l;
    return true;
}

/* Count the rank of one island of n_contact contacts; false: too much work or no memory. */
static bool count_island(matrix *m, const int *contact, int n_contact, int *local, double *flops,
                         sp_matrix_facts *facts)
{
    factor f = {0};
    for (int c = 0; c < n_contact; c++) {
        f.n += rows_of(m->p, contact[c]);
    }
    f.row = SP_NEW(m->arena, int, f.n);
    f.d = SP_NEW(m->arena, double, f.n);
    f.column = SP_NEW(m->arena, double *, f.n);
    if (!f.row || !f.d || !f.column) {
        return false;
    }
    for (int c = 0, k = 0; c < n_contact; c++) {
        for (int a = 0; a < rows_of(m->p, contact[c]); a++, k++) {
            f.row[k] = m->p->row[contact[c]] + a;
            f.d[k] = m->diagonal[f.row[k]];
            local[f.row[k]] = k;
        }
    }
    while (f.rank < f.n && eliminate(m, local, &f)) {
        *flops -= (double)f.n * (double)f.rank;
        if (*flops < 0.0) {
            return false;
        }
    }
    for (int k = 0; k < f.n; k++) {
        facts->lowest = fmin(facts->lowest, f.d[k] / m->largest);
    }
    facts->rank += f.rank;
    return true;
}

/* Count the rank of all islands.  Each has its memory to itself. */
static sp_status count_rank(matrix *m, double flops, sp_matrix_facts *facts, sp_error *err)
{
    const sp_fc *p = m->p;
    int *list = SP_NEW(m->arena, int, p->n_contact), *local = SP_NEW(m->arena, int, p->n);
    int *first = SP_NEW(m->arena, int, p->n_contact + 1);
    int *place = SP_NEW(m->arena, int, p->n_contact);
    if (!list || !local || !first || !place) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for a matrix of %d rows", p->n);
    }
    facts->n_island = sp_fc_islands(&p->G, p->n_contact, m->where, list, first, place);
    bool counted = m->largest > 0.0;
    for (int k = 0; k < facts->n_island && counted; k++) {
        sp_arena own, *arena = m->arena;
        sp_arena_init(&own, NULL, 0);
        m->arena = &own;
        counted = count_island(m, list + first[k], first[k + 1] - first[k], local, &flops, facts);
        m->arena = arena;
        sp_arena_free(&own);
    }
    facts->rank = counted || m->largest == 0.0 ? facts->rank : -1;
    if (facts->lowest < -INDEFINITE_TOL && !facts->indefinite) {
        facts->indefinite = true;
        snprintf(facts->why, sizeof facts->why, "a pivot of %.3g times the largest diagonal entry",
                 facts->lowest);
    }
    return SP_OK;
}

sp_status sp_problem_inspect(const sp_fc *p, double flops, sp_matrix_facts *facts, sp_error *err)
{
    matrix m;
    sp_arena arena;
    memset(facts, 0, sizeof *facts);
    sp_arena_init(&arena, NULL, 0);
    sp_status status = prepare(&m, p, &arena, err);
    if (status == SP_OK) {
        look(&m, facts);
        status = count_rank(&m, flops, facts, err);
    }
    sp_arena_free(&arena);
    return status;
}
