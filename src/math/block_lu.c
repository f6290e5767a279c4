#include "math/block_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = SP_BLOCK_LU_MOST };

/* ---- structure ------------------------------------------------------------------------------- */

static bool make_rooms(sp_arena *arena, int n, int n_group, sp_block_lu *lu)
{
    lu->group = SP_NEW(arena, int, n);
    lu->at = SP_NEW(arena, int, n);
    lu->place = SP_NEW(arena, int, n);
    lu->member = SP_NEW(arena, int, n);
    lu->x = SP_NEW(arena, double, n);
    lu->size = SP_NEW(arena, int, n_group);
    lu->first = SP_NEW(arena, int, n_group + 1);
    lu->target = SP_NEW(arena, size_t, n_group);
    lu->lacks = SP_NEW(arena, bool, n_group);
    lu->inverse = SP_NEW(arena, double, (size_t)n_group *MOST *MOST);
    return lu->group && lu->at && lu->place && lu->member && lu->x && lu->size && lu->first &&
           lu->target && lu->lacks && lu->inverse;
}

/* Who is in which group, and when each goes. */
static void lay_groups(const int *group, sp_block_lu *lu)
{
    for (int i = 0; i < lu->n; i++) {
        lu->group[i] = group[i];
        lu->at[i] = lu->size[group[i]]++;
    }
    for (int g = 0; g < lu->f.n; g++) {
        lu->first[g + 1] = lu->first[g] + lu->size[g];
    }
    for (int i = 0; i < lu->n; i++) {
        lu->member[lu->first[group[i]] + lu->at[i]] = i;
    }
    for (int k = 0, next = 0; k < lu->f.n; k++) {
        const int g = lu->f.order[k];
        for (int a = 0; a < lu->size[g]; a++) {
            lu->place[lu->member[lu->first[g] + a]] = next++;
        }
    }
}

bool sp_block_lu_make(sp_arena *arena, int n, const int *group, sp_ldl_pattern *p, sp_block_lu *lu)
{
    *lu = (sp_block_lu){.n = n};
    const int n_group = p->n;
    if (!sp_ldl_make(arena, p, &lu->f) || !make_rooms(arena, n, n_group, lu)) {
        return false;
    }
    const sp_ldl *f = &lu->f;
    lay_groups(group, lu);
    lu->block = SP_NEW(arena, size_t, f->start[n_group] + 1);
    lu->full = SP_NEW(arena, bool, f->start[n_group]);
    for (int k = 0; lu->block && k < n_group; k++) {
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++) {
            const int rows = lu->size[f->order[f->row[e]]];
            lu->block[e + 1] = lu->block[e] + (size_t)(rows * lu->size[f->order[k]]);
        }
    }
    const size_t room = lu->block ? lu->block[f->start[n_group]] : 0;
    lu->low = SP_NEW(arena, double, room);
    lu->high = SP_NEW(arena, double, room);
    lu->L = SP_NEW(arena, double, room);
    lu->U = SP_NEW(arena, double, room);
    return lu->block && lu->full && lu->low && lu->high && lu->L && lu->U;
}

size_t sp_block_lu_at(const sp_block_lu *lu, int i, int j)
{
    const bool falls = lu->place[i] < lu->place[j];
    const int row = falls ? j : i, column = falls ? i : j;
    const int g = lu->group[row], h = lu->group[column];
    const size_t e = g == h ? lu->f.start[lu->f.place[g]] : sp_ldl_at(&lu->f, g, h);
    return lu->block[e] + (size_t)(lu->at[row] * lu->size[h] + lu->at[column]);
}

void sp_block_lu_clear(sp_block_lu *lu)
{
    const size_t bytes = lu->block[lu->f.start[lu->f.n]] * sizeof(double);
    memset(lu->low, 0, bytes);
    memset(lu->high, 0, bytes);
}

/* ---- factor ---------------------------------------------------------------------------------- */

/* C -= A B^T, with rows of n numbers. */
static inline void take(int rows, int columns, int n, const double *A, const double *B, double *C)
{
    for (int a = 0; a < rows; a++, A += n, C += columns) {
        const double *b = B;
        for (int c = 0; c < columns; c++, b += n) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[k] * b[k];
            }
            C[c] -= sum;
        }
    }
}

/* The same, with groups of three, which are most, and of one unrolled. */
static inline void take_any(int rows, int columns, int n, const double *A, const double *B,
                            double *C)
{
    if (n == 3 && columns == 3) {
        take(rows, 3, 3, A, B, C);
    } else if (n == 3) {
        take(rows, columns, 3, A, B, C);
    } else if (n == 1) {
        take(rows, columns, 1, A, B, C);
    } else {
        take(rows, columns, n, A, B, C);
    }
}

/* Rows and columns of a block that are struck out, in the groups g of its rows and h. */
static void strike(const sp_block_lu *lu, const unsigned char *struck, int g, int h, double *B)
{
    const int n = lu->size[h];
    for (int a = 0; a < lu->size[g]; a++) {
        for (int b = 0; b < n; b++) {
            if (struck[lu->member[lu->first[g] + a]] || struck[lu->member[lu->first[h] + b]]) {
                B[a * n + b] = 0.0;
            }
        }
    }
}

/* Whether an entry is not all zero: contacts that are open leave most that could be. */
static bool is_full(const sp_block_lu *lu, size_t e)
{
    for (size_t i = lu->block[e]; i < lu->block[e + 1]; i++) {
        if (lu->L[i] != 0.0 || lu->U[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Column k of A into L and row k into U; the diagonal block, whole, into D. */
static void spread(sp_block_lu *lu, int k, const unsigned char *struck, double *D)
{
    const sp_ldl *f = &lu->f;
    const size_t first = lu->block[f->start[k]], end = lu->block[f->start[k + 1]];
    const int h = f->order[k], n = lu->size[h];
    memcpy(lu->L + first, lu->low + first, (end - first) * sizeof *lu->L);
    memcpy(lu->U + first, lu->high + first, (end - first) * sizeof *lu->U);
    for (size_t e = f->start[k]; e < f->start[k + 1]; e++) {
        lu->target[f->row[e]] = e;
        if (lu->lacks[f->order[f->row[e]]] || lu->lacks[h]) {
            strike(lu, struck, f->order[f->row[e]], h, lu->L + lu->block[e]);
            strike(lu, struck, f->order[f->row[e]], h, lu->U + lu->block[e]);
        }
        lu->full[e] = is_full(lu, e);
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            const size_t at = first + (size_t)(a >= b ? a * n + b : b * n + a);
            D[a * n + b] = a >= b ? lu->L[at] : lu->U[at];
        }
        if (lu->lacks[h] && struck[lu->member[lu->first[h] + a]]) {
            D[a * n + a] = 1.0;
        }
    }
}

/* A_pk -= L_pi U_ik and A_kp -= L_ki U_ip from k on, for all i left of k. */
static void take_left(sp_block_lu *lu, int k, double *D)
{
    const sp_ldl *f = &lu->f;
    const int n_k = lu->size[f->order[k]];
    for (size_t e = f->left_start[k]; e < f->left_start[k + 1]; e++) {
        const size_t at = f->left_at[e], end = f->start[f->left[e] + 1];
        if (!lu->full[at]) {
            continue;
        }
        const int n = lu->size[f->order[f->left[e]]];
        const double *L_k = lu->L + lu->block[at], *U_k = lu->U + lu->block[at];
        take_any(n_k, n_k, n, L_k, U_k, D);
        for (size_t p = at + 1; p < end; p++) {
            if (lu->full[p]) {
                const int rows = lu->size[f->order[f->row[p]]];
                const size_t to = lu->target[f->row[p]];
                take_any(rows, n_k, n, lu->L + lu->block[p], U_k, lu->L + lu->block[to]);
                take_any(rows, n_k, n, lu->U + lu->block[p], L_k, lu->U + lu->block[to]);
                lu->full[to] = true;
            }
        }
    }
}

/* B = A^-1 of n rows, by pivots of columns; false: there is none. */
static inline bool invert(int n, double *A, double *B)
{
    memset(B, 0, (size_t)(n * n) * sizeof *B);
    for (int i = 0; i < n; i++) {
        B[i * n + i] = 1.0;
    }
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++) {
            best = fabs(A[i * n + j]) > fabs(A[best * n + j]) ? i : best;
        }
        const double pivot = A[best * n + j];
        if (!(fabs(pivot) >= DBL_MIN && fabs(pivot) < INFINITY)) {
            return false;
        }
        for (int c = 0; c < n; c++) {
            const double a = A[best * n + c], b = B[best * n + c];
            A[best * n + c] = A[j * n + c];
            B[best * n + c] = B[j * n + c];
            A[j * n + c] = a / pivot;
            B[j * n + c] = b / pivot;
        }
        for (int i = 0; i < n; i++) {
            const double l = i == j ? 0.0 : A[i * n + j];
            for (int c = 0; c < n && l != 0.0; c++) {
                A[i * n + c] -= l * A[j * n + c];
                B[i * n + c] -= l * B[j * n + c];
            }
        }
    }
    return true;
}

/* L_pk = A_pk U_kk^-1 */
static inline void divide(int rows, int n, const double *inverse, double *L)
{
    double row[MOST];
    for (int a = 0; a < rows; a++, L += n) {
        memcpy(row, L, (size_t)n * sizeof *row);
        for (int b = 0; b < n; b++) {
            double sum = 0.0;
            for (int c = 0; c < n; c++) {
                sum += row[c] * inverse[c * n + b];
            }
            L[b] = sum;
        }
    }
}

bool sp_block_lu_factor(sp_block_lu *lu, const unsigned char *struck)
{
    const sp_ldl *f = &lu->f;
    double D[MOST * MOST];
    memset(lu->lacks, 0, (size_t)f->n * sizeof *lu->lacks);
    for (int i = 0; struck && i < lu->n; i++) {
        lu->lacks[lu->group[i]] = lu->lacks[lu->group[i]] || struck[i];
    }
    for (int k = 0; k < f->n; k++) {
        const int n = lu->size[f->order[k]];
        double *inverse = lu->inverse + (size_t)k * MOST * MOST;
        spread(lu, k, struck, D);
        take_left(lu, k, D);
        if (!(n == 3 ? invert(3, D, inverse) : invert(n, D, inverse))) {
            return false;
        }
        for (int a = 0; lu->lacks[f->order[k]] && a < n; a++) {
            if (struck[lu->member[lu->first[f->order[k]] + a]]) {
                inverse[a * n + a] = 0.0;
            }
        }
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            if (lu->full[e]) {
                const int rows = lu->size[f->order[f->row[e]]];
                n == 3 ? divide(rows, 3, inverse, lu->L + lu->block[e])
                       : divide(rows, n, inverse, lu->L + lu->block[e]);
            }
        }
    }
    return true;
}

/* ---- solution -------------------------------------------------------------------------------- */

/* Where the numbers of the group at place k are in x by place. */
static inline double *part_of(const sp_block_lu *lu, int k)
{
    return lu->x + lu->place[lu->member[lu->first[lu->f.order[k]]]];
}

static void solve_L(const sp_block_lu *lu)
{
    const sp_ldl *f = &lu->f;
    for (int k = 0; k < f->n; k++) {
        const int n = lu->size[f->order[k]];
        const double *x = part_of(lu, k);
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            if (!lu->full[e]) {
                continue;
            }
            const double *L = lu->L + lu->block[e];
            const int rows = lu->size[f->order[f->row[e]]];
            double *y = part_of(lu, f->row[e]);
            for (int a = 0; a < rows; a++, L += n) {
                for (int b = 0; b < n; b++) {
                    y[a] -= L[b] * x[b];
                }
            }
        }
    }
}

static void solve_U(const sp_block_lu *lu)
{
    const sp_ldl *f = &lu->f;
    double sum[MOST];
    for (int k = f->n - 1; k >= 0; k--) {
        const int n = lu->size[f->order[k]];
        const double *inverse = lu->inverse + (size_t)k * MOST * MOST;
        double *x = part_of(lu, k);
        memcpy(sum, x, (size_t)n * sizeof *sum);
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            if (!lu->full[e]) {
                continue;
            }
            const double *U = lu->U + lu->block[e], *y = part_of(lu, f->row[e]);
            const int rows = lu->size[f->order[f->row[e]]];
            for (int a = 0; a < rows; a++, U += n) {
                for (int b = 0; b < n; b++) {
                    sum[b] -= U[b] * y[a];
                }
            }
        }
        for (int a = 0; a < n; a++) {
            x[a] = 0.0;
            for (int b = 0; b < n; b++) {
                x[a] += inverse[a * n + b] * sum[b];
            }
        }
    }
}

void sp_block_lu_solve(const sp_block_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; i++) {
        lu->x[lu->place[i]] = x[i];
    }
    solve_L(lu);
    solve_U(lu);
    for (int i = 0; i < lu->n; i++) {
        x[i] = lu->x[lu->place[i]];
    }
}
