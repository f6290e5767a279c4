#include "math/basis.h"

#include <math.h>
#include <string.h>

/* Length of a vector. */
static double length_of(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* x <- k x */
static void scale(int n, double k, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] *= k;
    }
}

/* Take the parts along the first k rows of Q out of x, twice for the sake of digits. */
static void clear_of(int n, int k, const double *Q, double *x)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < k; j++) {
            const double *q = Q + (size_t)j * (size_t)n;
            double along = 0.0;
            for (int i = 0; i < n; i++) {
                along += q[i] * x[i];
            }
            for (int i = 0; i < n; i++) {
                x[i] -= along * q[i];
            }
        }
    }
}

/* The longest of the rows, and how long it is. */
static int find_longest(int m, int n, const double *A, double *length)
{
    int best = 0;
    *length = -1.0;
    for (int r = 0; r < m; r++) {
        const double here = length_of(n, A + (size_t)r * (size_t)n);
        if (here > *length) {
            *length = here;
            best = r;
        }
    }
    return best;
}

/* Span of the rows of A, all of length 1 or 0. */
static int span_rows(int m, int n, double *A, double tol, double *Q)
{
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        double length, *q = Q + (size_t)rank * (size_t)n;
        const int best = find_longest(m, n, A, &length);
        if (!(length > tol)) {
            break;
        }
        memcpy(q, A + (size_t)best * (size_t)n, (size_t)n * sizeof *q);
        clear_of(n, rank, Q, q);
        scale(n, 1.0 / length_of(n, q), q);
        for (int r = 0; r < m; r++) { /* what the rows have beyond the span so far */
            clear_of(n, rank + 1, Q, A + (size_t)r * (size_t)n);
        }
    }
    return rank;
}

/* Unit vector that the first k rows of Q leave most of, as row k.  1 - sum_j Q_ji^2 is the square
 * of what is left of unit vector i. */
static void add_free(int n, int k, double *Q)
{
    double most = -1.0, *q = Q + (size_t)k * (size_t)n;
    int best = 0;
    for (int i = 0; i < n; i++) {
        double left = 1.0;
        for (int j = 0; j < k; j++) {
            const double Q_ji = Q[(size_t)j * (size_t)n + (size_t)i];
            left -= Q_ji * Q_ji;
        }
        if (left > most) {
            most = left;
            best = i;
        }
    }
    memset(q, 0, (size_t)n * sizeof *q);
    q[best] = 1.0;
    clear_of(n, k, Q, q);
    scale(n, 1.0 / length_of(n, q), q);
}

int sp_basis_split(int m, int n, double *A, double tol, double *Q)
{
    for (int r = 0; r < m; r++) {
        double *row = A + (size_t)r * (size_t)n;
        const double length = length_of(n, row);
        scale(n, length > 0.0 ? 1.0 / length : 0.0, row);
    }
    const int rank = span_rows(m, n, A, tol, Q);
    for (int k = rank; k < n; k++) {
        add_free(n, k, Q);
    }
    return rank;
}

int sp_cholesky(int n, double *A, double tol)
{
    for (int j = 0; j < n; j++) {
        double *row_j = A + (size_t)j * (size_t)n;
        double pivot = row_j[j];
        for (int k = 0; k < j; k++) {
            pivot -= row_j[k] * row_j[k];
        }
        if (!(pivot > tol * row_j[j]) || !(pivot > 0.0)) {
            return j;
        }
        row_j[j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double *row_i = A + (size_t)i * (size_t)n, sum = row_i[j];
            for (int k = 0; k < j; k++) {
                sum -= row_i[k] * row_j[k];
            }
            row_i[j] = sum / row_j[j];
        }
    }
    return n;
}

void sp_cholesky_forward(int n, const double *L, double *x)
{
    for (int i = 0; i < n; i++) {
        const double *row = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++) {
            x[i] -= row[k] * x[k];
        }
        x[i] /= row[i];
    }
}

void sp_cholesky_back(int n, const double *L, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= L[(size_t)k * (size_t)n + (size_t)i] * x[k];
        }
        x[i] /= L[(size_t)i * (size_t)n + (size_t)i];
    }
}
