#include "math/dense.h"

#include <math.h>

size_t sp_lu_bytes(int n)
{
    const size_t m = (size_t)n;
    return (3 * m * m + m) * sizeof(double) + 2 * ((m + 1) & ~(size_t)1) * sizeof(int);
}

void sp_lu_place(sp_lu *f, int n, void *memory)
{
    const size_t m = (size_t)n;
    f->n = n;
    f->rank = 0;
    f->LU = (double *)memory;
    f->V = f->LU + m * m;
    f->S = f->V + m * m;
    f->y = f->S + m * m;
    f->prow = (int *)(void *)(f->y + m);
    f->pcol = f->prow + ((m + 1) & ~(size_t)1);
}

/* Where the largest entry of the remaining block is; returns its size, NaN if one is NaN. */
static double largest(int n, const double *A, int k, int *row, int *col)
{
    double big = -1.0;
    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            const double a = fabs(A[i * n + j]);
            if (a > big || a != a) {
                big = a;
                *row = i;
                *col = j;
            }
        }
    }
    return big;
}

/* Exchange rows k, i and columns k, j of the whole matrix, and note it. */
static void exchange(sp_lu *f, int k, int i, int j)
{
    const int n = f->n;
    double *A = f->LU;
    for (int c = 0; c < n && i != k; c++) {
        const double a = A[k * n + c];
        A[k * n + c] = A[i * n + c];
        A[i * n + c] = a;
    }
    for (int r = 0; r < n && j != k; r++) {
        const double a = A[r * n + k];
        A[r * n + k] = A[r * n + j];
        A[r * n + j] = a;
    }
    const int row = f->prow[k], col = f->pcol[k];
    f->prow[k] = f->prow[i];
    f->prow[i] = row;
    f->pcol[k] = f->pcol[j];
    f->pcol[j] = col;
}

/* V = U11^-1 U12, one column of the null space of A each, and S S' = I + V'V. */
static void null_space(sp_lu *f)
{
    const int n = f->n, r = f->rank, d = n - r;
    for (int c = 0; c < d; c++) {
        for (int i = r - 1; i >= 0; i--) {
            double sum = f->LU[i * n + r + c];
            for (int j = i + 1; j < r; j++) {
                sum -= f->LU[i * n + j] * f->V[j * d + c];
            }
            f->V[i * d + c] = sum / f->LU[i * n + i];
        }
    }
    for (int a = 0; a < d; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = a == b ? 1.0 : 0.0;
            for (int i = 0; i < r; i++) {
                sum += f->V[i * d + a] * f->V[i * d + b];
            }
            for (int k = 0; k < b; k++) {
                sum -= f->S[a * d + k] * f->S[b * d + k];
            }
            f->S[a * d + b] = a == b ? sqrt(sum) : sum / f->S[b * d + b];
        }
    }
}

int sp_lu_factor(sp_lu *f, double tol)
{
    const int n = f->n;
    double *A = f->LU, first = 0.0;
    for (int k = 0; k < n; k++) {
        f->prow[k] = f->pcol[k] = k;
    }
    int k = 0;
    for (; k < n; k++) {
        int row = k, col = k;
        const double big = largest(n, A, k, &row, &col);
        if (k == 0) {
            first = big;
        }
        if (!(big > tol * first)) {
            break;
        }
        exchange(f, k, row, col);
        const double inv = 1.0 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] *= inv;
            for (int j = k + 1; j < n; j++) {
                A[i * n + j] -= l * A[k * n + j];
            }
        }
    }
    f->rank = k;
    if (k < n) {
        null_space(f);
    }
    return k;
}

/* y <- y - N (N'N)^-1 N'y with N = [-V; I]: take the null-space part out, y2 = 0 on entry. */
static void least_norm(const sp_lu *f, double *y)
{
    const int r = f->rank, d = f->n - r;
    double *t = y + r;
    for (int a = 0; a < d; a++) { /* S t = -V'y1 */
        double sum = 0.0;
        for (int i = 0; i < r; i++) {
            sum -= f->V[i * d + a] * y[i];
        }
        for (int k = 0; k < a; k++) {
            sum -= f->S[a * d + k] * t[k];
        }
        t[a] = sum / f->S[a * d + a];
    }
    for (int a = d - 1; a >= 0; a--) { /* S't = t */
        for (int k = a + 1; k < d; k++) {
            t[a] -= f->S[k * d + a] * t[k];
        }
        t[a] /= f->S[a * d + a];
    }
    for (int i = 0; i < r; i++) { /* y1 = y1 + V t */
        for (int a = 0; a < d; a++) {
            y[i] += f->V[i * d + a] * t[a];
        }
    }
    for (int a = 0; a < d; a++) { /* y2 = -t */
        t[a] = -t[a];
    }
}

void sp_lu_solve(const sp_lu *f, const double *b, double *x)
{
    const int n = f->n, r = f->rank;
    double *y = f->y;
    for (int i = 0; i < r; i++) {
        y[i] = b[f->prow[i]];
        for (int j = 0; j < i; j++) {
            y[i] -= f->LU[i * n + j] * y[j];
        }
    }
    for (int i = r - 1; i >= 0; i--) {
        for (int j = i + 1; j < r; j++) {
            y[i] -= f->LU[i * n + j] * y[j];
        }
        y[i] /= f->LU[i * n + i];
    }
    if (r < n) {
        least_norm(f, y);
    }
    for (int k = 0; k < n; k++) {
        x[f->pcol[k]] = y[k];
    }
}

/* ---- regular systems ------------------------------------------------------------------------- */

/* Exchange rows a and b. */
static void swap_rows(int n, double *A, double *x, int a, int b)
{
    for (int j = 0; j < n; j++) {
        const double swap = A[a * n + j];
        A[a * n + j] = A[b * n + j];
        A[b * n + j] = swap;
    }
    const double swap = x[a];
    x[a] = x[b];
    x[b] = swap;
}

bool sp_eliminate(int n, double *A, double least, double *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(A[i * n + k]) > fabs(A[pivot * n + k]) ? i : pivot;
        }
        if (!(fabs(A[pivot * n + k]) > least)) {
            for (int i = 0; i < n; i++) {
                x[i] = NAN;
            }
            return false;
        }
        if (pivot != k) {
            swap_rows(n, A, x, k, pivot);
        }
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n && f != 0.0; j++) {
                A[i * n + j] -= f * A[k * n + j];
            }
            x[i] -= f * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= A[k * n + j] * x[j];
        }
        x[k] /= A[k * n + k];
    }
    return true;
}
