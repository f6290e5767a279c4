/* Panels of eight columns; the rest of the matrix is updated with four rows and eight columns in
 * registers at a time.  The same bits with and without instructions for four numbers at once. */
#include "solvers/fc_dense.h"

#include "solvers/unroll.h"

#include <math.h>
#include <stddef.h>

enum { PANEL = 8 };

/* Four numbers at any place; the fourth word of a row may be padding. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
#define FOUR(at)    (*(four *)(void *)(at))
#define FOUR_OF(at) (*(const four *)(const void *)(at))

/* C (rows x ld) -= L (rows x depth, ld) U (depth x ld) on columns from..to-1, eight, four or one of
 * them in registers at a time; every number sees its products in the order of k. */
SP_INLINE void update(int rows, int depth, size_t ld, double *C, const double *L, const double *U,
                      int from, int to)
{
    int j = from;
    for (; j + 8 <= to; j += 8) {
        four s[4][2];
        SP_UNROLL for (int r = 0; r < rows; r++)
        {
            s[r][0] = FOUR_OF(C + (size_t)r * ld + j);
            s[r][1] = FOUR_OF(C + (size_t)r * ld + j + 4);
        }
        for (int k = 0; k < depth; k++) {
            const four u0 = FOUR_OF(U + (size_t)k * ld + j),
                       u1 = FOUR_OF(U + (size_t)k * ld + j + 4);
            SP_UNROLL for (int r = 0; r < rows; r++)
            {
                const double f = L[(size_t)r * ld + (size_t)k];
                s[r][0] -= f * u0;
                s[r][1] -= f * u1;
            }
        }
        SP_UNROLL for (int r = 0; r < rows; r++)
        {
            FOUR(C + (size_t)r * ld + j) = s[r][0];
            FOUR(C + (size_t)r * ld + j + 4) = s[r][1];
        }
    }
    for (; j + 4 <= to; j += 4) {
        for (int r = 0; r < rows; r++) {
            four s = FOUR_OF(C + (size_t)r * ld + j);
            for (int k = 0; k < depth; k++) {
                s -= L[(size_t)r * ld + (size_t)k] * FOUR_OF(U + (size_t)k * ld + j);
            }
            FOUR(C + (size_t)r * ld + j) = s;
        }
    }
    for (; j < to; j++) {
        for (int r = 0; r < rows; r++) {
            for (int k = 0; k < depth; k++) {
                C[(size_t)r * ld + (size_t)j] -=
                    L[(size_t)r * ld + (size_t)k] * U[(size_t)k * ld + (size_t)j];
            }
        }
    }
}

/* Exchange two rows of n numbers, n a multiple of four. */
SP_INLINE void exchange(int n, double *a, double *b)
{
    for (int j = 0; j < n; j += 4) {
        const four t = FOUR_OF(a + j);
        FOUR(a + j) = FOUR_OF(b + j);
        FOUR(b + j) = t;
    }
}

/* The first of the rows k..n-1 with the largest |number| in column k. */
SP_INLINE int find_pivot(int n, size_t ld, const double *A, int k, double *largest)
{
    double most = fabs(A[(size_t)k * ld + (size_t)k]);
    for (int i = k + 1; i < n; i++) {
        const double a = fabs(A[(size_t)i * ld + (size_t)k]);
        most = a > most ? a : most;
    }
    int best = k;
    while (best < n - 1 && fabs(A[(size_t)best * ld + (size_t)k]) < most) {
        best++;
    }
    *largest = most;
    return best;
}

/* Factor columns k0..k1-1, rows k0..n-1, with exchanges of whole rows above row n_pivot; returns
 * the smallest pivot.  The row of the pivot is taken with zeros up to the pivot and behind k1, so
 * that whole vectors of the other rows can be changed. */
SP_INLINE double panel(int n, int n_pivot, size_t ld, double *A, int *pivot, int k0, int k1)
{
    const int width = (int)ld - k0 >= PANEL ? PANEL : 4;
    double smallest = INFINITY;
    for (int k = k0; k < k1; k++) {
        double largest, *row = A + (size_t)k * ld;
        _Alignas(32) double u[PANEL] = {0.0};
        pivot[k] = find_pivot(n_pivot, ld, A, k, &largest);
        if (pivot[k] != k) {
            exchange((int)ld, row, A + (size_t)pivot[k] * ld);
        }
        smallest = largest < smallest || largest != largest ? largest : smallest;
        const double inverse = largest > 0.0 ? 1.0 / row[k] : 0.0;
        for (int j = k + 1; j < k1; j++) {
            u[j - k0] = row[j];
        }
        const four u0 = FOUR_OF(u), u1 = FOUR_OF(u + 4);
        for (int i = k + 1; i < n; i++) {
            double *other = A + (size_t)i * ld;
            const double f = other[k] * inverse;
            FOUR(other + k0) -= f * u0;
            if (width == PANEL) {
                FOUR(other + k0 + 4) -= f * u1;
            }
            other[k] = f;
        }
    }
    return smallest;
}

/* U of the rows k0..k1-1 to the right of the panel, then the rows below. */
SP_INLINE void rest_of_matrix(int n, size_t ld, double *A, int k0, int k1)
{
    const int depth = k1 - k0;
    double *U = A + (size_t)k0 * ld;
    for (int i = k0 + 1; i < k1; i++) {
        update(1, i - k0, ld, A + (size_t)i * ld, A + (size_t)i * ld + k0, U, k1, (int)ld);
    }
    int i = k1;
    for (; i + 4 <= n; i += 4) {
        double *rows = A + (size_t)i * ld;
        update(4, depth, ld, rows, rows + k0, U, k1, (int)ld);
    }
    for (; i < n; i++) {
        double *row = A + (size_t)i * ld;
        update(1, depth, ld, row, row + k0, U, k1, (int)ld);
    }
}

/* All panels. */
SP_INLINE double factor(int n, int n_pivot, double *A, int *pivot)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    double smallest = INFINITY;
    for (int k0 = 0; k0 < n_pivot; k0 += PANEL) {
        const int k1 = k0 + PANEL < n_pivot ? k0 + PANEL : n_pivot;
        const double p = panel(n, n_pivot, ld, A, pivot, k0, k1);
        smallest = p < smallest || p != p ? p : smallest;
        if (k1 < n) {
            rest_of_matrix(n, ld, A, k0, k1);
        }
    }
    return smallest;
}

/* Elimination with the right-hand side as a column more; what is left of the pivots is spoilt. */
SP_INLINE double gauss(int n, double *A, double *x)
{
    const size_t ld = (size_t)sp_fc_padded(n + 1);
    double smallest = INFINITY, inverse[SP_FC_GAUSS];
    for (int k = 0; k < n; k++) {
        const int from = (k + 1) & ~3;
        double largest, *row = A + (size_t)k * ld;
        const int best = find_pivot(n, ld, A, k, &largest);
        smallest = largest < smallest || largest != largest ? largest : smallest;
        inverse[k] = 1.0 / A[(size_t)best * ld + (size_t)k];
        if (best !=
            k) { /* what stands before the vectors is not needed, but for the column itself */
            A[(size_t)best * ld + (size_t)k] = row[k];
            exchange((int)ld - from, row + from, A + (size_t)best * ld + from);
        }
        for (int i = k + 1; i < n; i++) {
            double *other = A + (size_t)i * ld;
            const double f = other[k] * inverse[k];
            for (int j = from; j < (int)ld; j += 4) {
                FOUR(other + j) -= f * FOUR_OF(row + j);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] = A[(size_t)i * ld + (size_t)n];
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] *= inverse[k];
        for (int i = 0; i < k; i++) {
            x[i] -= A[(size_t)i * ld + (size_t)k] * x[k];
        }
    }
    return smallest;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static double factor_avx2(int n, int n_pivot, double *A, int *pivot)
{
    return factor(n, n_pivot, A, pivot);
}

/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static double gauss_avx2(int n, double *A, double *x)
{
    return gauss(n, A, x);
}
#endif

double sp_fc_gauss(int n, double *A, double *x)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        return gauss_avx2(n, A, x);
    }
#endif
    return gauss(n, A, x);
}

double sp_fc_lu(int n, double *A, int *pivot)
{
    return sp_fc_lu_front(n, n, A, pivot);
}

double sp_fc_lu_front(int n, int n_pivot, double *A, int *pivot)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        return factor_avx2(n, n_pivot, A, pivot);
    }
#endif
    return factor(n, n_pivot, A, pivot);
}

void sp_fc_lu_solve(int n, const double *A, const int *pivot, double *x)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    for (int k = 0; k < n; k++) {
        const double t = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = t;
    }
    for (int i = 0; i < n; i++) {
        const double *row = A + (size_t)i * ld;
        x[i] -= sp_fc_dot(i, row, x);
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = A + (size_t)i * ld;
        x[i] = (x[i] - sp_fc_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
    }
}
