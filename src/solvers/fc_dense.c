/* Panels of eight columns; the rest of the matrix is updated with four rows and four columns in
 * registers at a time, pairs of columns as vectors of two. */
#include "solvers/fc_dense.h"

#include <math.h>
#include <stddef.h>

enum { PANEL = 8 };

typedef double pair __attribute__((vector_size(16)));

/* Rows a..a+3 of C (ld) -= L (4 rows, PANEL columns, ld) U (PANEL rows, ld), columns from..to-1, in
 * steps of four. */
static void update4(int ld, double *C, const double *L, const double *U, int from, int to)
{
    for (int j = from; j < to; j += 4) {
        pair s[4][2];
        for (int r = 0; r < 4; r++) {
            s[r][0] = *(const pair *)(const void *)(C + (size_t)r * (size_t)ld + j);
            s[r][1] = *(const pair *)(const void *)(C + (size_t)r * (size_t)ld + j + 2);
        }
        for (int k = 0; k < PANEL; k++) {
            const pair u0 = *(const pair *)(const void *)(U + (size_t)k * (size_t)ld + j);
            const pair u1 = *(const pair *)(const void *)(U + (size_t)k * (size_t)ld + j + 2);
            for (int r = 0; r < 4; r++) {
                const double f = L[(size_t)r * (size_t)ld + (size_t)k];
                const pair l = {f, f};
                s[r][0] -= l * u0;
                s[r][1] -= l * u1;
            }
        }
        for (int r = 0; r < 4; r++) {
            *(pair *)(void *)(C + (size_t)r * (size_t)ld + j) = s[r][0];
            *(pair *)(void *)(C + (size_t)r * (size_t)ld + j + 2) = s[r][1];
        }
    }
}

/* y -= f x on columns from..to-1, in steps of four. */
static inline void subtract(double *y, const double *x, double f, int from, int to)
{
    const pair l = {f, f};
    for (int j = from; j < to; j += 4) {
        pair *a = (pair *)(void *)(y + j);
        const pair *b = (const pair *)(const void *)(x + j);
        a[0] -= l * b[0];
        a[1] -= l * b[1];
    }
}

/* The same from any column on. */
static inline void subtract_from(double *y, const double *x, double f, int from, int to)
{
    const int aligned = sp_fc_padded(from);
    for (int j = from; j < aligned; j++) {
        y[j] -= f * x[j];
    }
    subtract(y, x, f, aligned, to);
}

/* Exchange two rows. */
static void exchange(int ld, double *a, double *b)
{
    for (int j = 0; j < ld; j++) {
        const double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

/* Factor columns k0..k1-1, rows k0..n-1, with exchanges of whole rows above row n_pivot; returns
 * the smallest pivot. */
static double panel(int n, int n_pivot, int ld, double *A, int *pivot, int k0, int k1)
{
    double smallest = INFINITY;
    for (int k = k0; k < k1; k++) {
        int best = k;
        double largest = fabs(A[(size_t)k * (size_t)ld + (size_t)k]);
        for (int i = k + 1; i < n_pivot; i++) {
            const double a = fabs(A[(size_t)i * (size_t)ld + (size_t)k]);
            if (a > largest) {
                largest = a;
                best = i;
            }
        }
        pivot[k] = best;
        double *row = A + (size_t)k * (size_t)ld;
        if (best != k) {
            exchange(ld, row, A + (size_t)best * (size_t)ld);
        }
        smallest = largest < smallest || largest != largest ? largest : smallest;
        const double inverse = largest > 0.0 ? 1.0 / row[k] : 0.0;
        for (int i = k + 1; i < n; i++) {
            double *other = A + (size_t)i * (size_t)ld;
            const double f = other[k] * inverse;
            other[k] = f;
            for (int j = k + 1; j < k1; j++) {
                other[j] -= f * row[j];
            }
        }
    }
    return smallest;
}

/* U of the rows k0..k1-1 to the right of the panel, then the rows below. */
static void rest_of_matrix(int n, int ld, double *A, int k0, int k1)
{
    if (k1 >= n) {
        return;
    }
    const int full = k1 - k0 == PANEL && k1 % SP_FC_PAD == 0;
    for (int k = k0; k < k1; k++) {
        for (int i = k + 1; i < k1; i++) {
            subtract_from(A + (size_t)i * (size_t)ld, A + (size_t)k * (size_t)ld,
                          A[(size_t)i * (size_t)ld + (size_t)k], k1, ld);
        }
    }
    int i = k1;
    for (; full && i + 4 <= n; i += 4) {
        double *rows = A + (size_t)i * (size_t)ld;
        update4(ld, rows, rows + k0, A + (size_t)k0 * (size_t)ld, k1, ld);
    }
    for (; i < n; i++) {
        for (int k = k0; k < k1; k++) {
            subtract_from(A + (size_t)i * (size_t)ld, A + (size_t)k * (size_t)ld,
                          A[(size_t)i * (size_t)ld + (size_t)k], k1, ld);
        }
    }
}

double sp_fc_lu(int n, double *A, int *pivot)
{
    return sp_fc_lu_front(n, n, A, pivot);
}

double sp_fc_lu_front(int n, int n_pivot, double *A, int *pivot)
{
    const int ld = sp_fc_padded(n);
    double smallest = INFINITY;
    for (int k0 = 0; k0 < n_pivot; k0 += PANEL) {
        const int k1 = k0 + PANEL < n_pivot ? k0 + PANEL : n_pivot;
        const double p = panel(n, n_pivot, ld, A, pivot, k0, k1);
        smallest = p < smallest || p != p ? p : smallest;
        rest_of_matrix(n, ld, A, k0, k1);
    }
    return smallest;
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

/* Columns k0..k1-1 of L below and in the diagonal block; their transpose goes above the diagonal.
 */
static double cholesky_panel(int n, int ld, double *A, int k0, int k1)
{
    double smallest = INFINITY;
    for (int k = k0; k < k1; k++) {
        double *row = A + (size_t)k * (size_t)ld;
        smallest = row[k] < smallest || row[k] != row[k] ? row[k] : smallest;
        if (!(row[k] > 0.0)) {
            return row[k];
        }
        row[k] = sqrt(row[k]);
        const double inverse = 1.0 / row[k];
        for (int i = k + 1; i < n; i++) {
            double *other = A + (size_t)i * (size_t)ld;
            other[k] *= inverse;
            row[i] = other[k];
        }
        for (int i = k + 1; i < n; i++) {
            double *other = A + (size_t)i * (size_t)ld;
            for (int j = k + 1; j < k1 && j <= i; j++) {
                other[j] -= other[k] * row[j];
            }
        }
    }
    return smallest;
}

double sp_fc_cholesky(int n, double *A)
{
    const int ld = sp_fc_padded(n);
    double smallest = INFINITY;
    for (int k0 = 0; k0 < n; k0 += PANEL) {
        const int k1 = k0 + PANEL < n ? k0 + PANEL : n;
        const double p = cholesky_panel(n, ld, A, k0, k1);
        smallest = p < smallest || p != p ? p : smallest;
        if (!(smallest > 0.0)) {
            return smallest;
        }
        int i = k1;
        for (; i + 4 <= n; i += 4) {
            double *rows = A + (size_t)i * (size_t)ld;
            update4(ld, rows, rows + k0, A + (size_t)k0 * (size_t)ld, k1, i + 4);
        }
        for (; i < n; i++) {
            for (int k = k0; k < k1; k++) {
                subtract(A + (size_t)i * (size_t)ld, A + (size_t)k * (size_t)ld,
                         A[(size_t)i * (size_t)ld + (size_t)k], k1, sp_fc_padded(i + 1));
            }
        }
    }
    return smallest;
}

void sp_fc_cholesky_solve(int n, const double *A, double *x)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    for (int i = 0; i < n; i++) {
        const double *row = A + (size_t)i * ld;
        x[i] = (x[i] - sp_fc_dot(i, row, x)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) { /* rows of L' stand above the diagonal */
        const double *row = A + (size_t)i * ld;
        x[i] = (x[i] - sp_fc_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
    }
}
