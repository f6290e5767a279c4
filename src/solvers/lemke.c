#include "solvers/lemke.h"

#include <math.h>
#include <string.h>

/* Two ratios nearer than this (relative to their size or one) are a tie. */
#define TIE 1e-12

size_t sp_lemke_bytes(int size)
{
    const size_t m = (size_t)size;
    return (m * (m + 1) + m) * sizeof(double) + (4 * m + 4) * sizeof(int);
}

void sp_lemke_start(sp_lemke *l, int m, int n_free, void *memory)
{
    const int rows = m + n_free;
    l->m = m;
    l->n_free = n_free;
    l->ld = rows + 1;
    l->T = (double *)memory;
    l->beta = l->T + (size_t)rows * (size_t)l->ld;
    l->basic = (int *)(void *)(l->beta + rows);
    l->nonbasic = l->basic + rows;
    l->where = l->nonbasic + l->ld;
    l->pivots = 0;
    l->entering = -1;
    memset(l->T, 0, ((size_t)rows * (size_t)l->ld + (size_t)rows) * sizeof(double));
    for (int i = 0; i < rows; i++) { /* w_k, then xi_F */
        l->basic[i] = i < m ? i : m + 1 + n_free + i;
        l->where[l->basic[i]] = i;
    }
    for (int j = 0; j < l->ld; j++) { /* z_k, z0, then P_F */
        l->nonbasic[j] = m + j;
        l->where[m + j] = -1 - j;
    }
    for (int i = 0; i < m; i++) {
        l->T[(size_t)i * (size_t)l->ld + (size_t)m] = 1.0;
    }
}

/* Exchange the basic variable of row r with the nonbasic variable of column s. */
static void exchange(sp_lemke *l, int r, int s)
{
    const int rows = l->m + l->n_free, ld = l->ld;
    double *pivot_row = l->T + (size_t)r * (size_t)ld;
    const double inv = 1.0 / pivot_row[s];
    for (int j = 0; j < ld; j++) {
        pivot_row[j] *= -inv;
    }
    pivot_row[s] = inv;
    l->beta[r] *= -inv;
    for (int i = 0; i < rows; i++) {
        double *row = l->T + (size_t)i * (size_t)ld;
        const double a = row[s];
        if (i == r || a == 0.0) {
            continue;
        }
        row[s] = 0.0;
        for (int j = 0; j < ld; j++) {
            row[j] += a * pivot_row[j];
        }
        l->beta[i] += a * l->beta[r];
    }
    const int out = l->basic[r], in = l->nonbasic[s];
    l->basic[r] = in;
    l->nonbasic[s] = out;
    l->where[in] = r;
    l->where[out] = -1 - s;
    l->pivots++;
}

void sp_lemke_eliminate_free(sp_lemke *l, double tol)
{
    const int m = l->m, n_free = l->n_free, first_force = 2 * m + 1;
    for (int done = 0; done < n_free; done++) {
        int row = -1, col = -1;
        double big = tol;
        for (int i = m; i < m + n_free; i++) { /* largest pivot among what is left */
            for (int j = m + 1; j < l->ld; j++) {
                const double a = fabs(l->T[(size_t)i * (size_t)l->ld + (size_t)j]);
                if (a > big && l->basic[i] >= first_force + n_free &&
                    l->nonbasic[j] < first_force + n_free) {
                    big = a;
                    row = i;
                    col = j;
                }
            }
        }
        if (row < 0) {
            return;
        }
        exchange(l, row, col);
    }
}

/* Coefficient of the k-th power of the perturbation of beta in row i: w_k carries it. */
static double perturbation(const sp_lemke *l, int i, int k)
{
    const int at = l->where[k];
    return at >= 0 ? (at == i ? 1.0 : 0.0) : -l->T[(size_t)i * (size_t)l->ld + (size_t)(-1 - at)];
}

/* Compare two ratios with ties. */
static int compare(double a, double b)
{
    const double tie = TIE * (1.0 + fabs(a) + fabs(b));
    return a < b - tie ? -1 : a > b + tie ? 1 : 0;
}

/* Is row i lexicographically before row j, each divided by its own step?  1 or 0. */
static int row_before(const sp_lemke *l, int i, double step_i, int j, double step_j)
{
    int order = compare(l->beta[i] / step_i, l->beta[j] / step_j);
    for (int k = 0; k < l->m && order == 0; k++) {
        order = compare(perturbation(l, i, k) / step_i, perturbation(l, j, k) / step_j);
    }
    return order < 0;
}

/* The row that z0 pushes out first: lexicographically smallest beta_i / T_i,z0; -1 if none < 0. */
static int first_row(const sp_lemke *l)
{
    int r = -1;
    double least = 0.0;
    for (int i = 0; i < l->m; i++) {
        least = l->beta[i] < least ? l->beta[i] : least;
        if (r < 0 || row_before(l, i, 1.0, r, 1.0)) {
            r = i;
        }
    }
    return least < 0.0 ? r : -1;
}

/* The row that blocks column s: lexicographically smallest ratio; z0 leaves first among ties. */
static int blocking_row(const sp_lemke *l, int s, double tol)
{
    int r = -1;
    double step_r = 0.0;
    for (int i = 0; i < l->m; i++) {
        const double step = -l->T[(size_t)i * (size_t)l->ld + (size_t)s];
        if (!(step > tol)) {
            continue;
        }
        if (r < 0 || row_before(l, i, step, r, step_r)) {
            r = i;
            step_r = step;
        }
    }
    const int row_0 = l->where[2 * l->m];
    if (r >= 0 && row_0 >= 0 && row_0 != r) {
        const double step = -l->T[(size_t)row_0 * (size_t)l->ld + (size_t)s];
        if (step > tol && compare(l->beta[row_0] / step, l->beta[r] / step_r) <= 0) {
            r = row_0;
        }
    }
    return r;
}

sp_lemke_end sp_lemke_solve(sp_lemke *l, double tol, int pivots_max)
{
    const int m = l->m, z0 = 2 * m;
    int r = first_row(l);
    if (r < 0) {
        return SP_LEMKE_SOLVED;
    }
    int s = m; /* column of z0 */
    while (l->pivots < pivots_max) {
        const int leaving = l->basic[r];
        exchange(l, r, s);
        if (leaving == z0) {
            return SP_LEMKE_SOLVED;
        }
        s = -1 - l->where[leaving < m ? leaving + m : leaving - m]; /* complement enters */
        r = blocking_row(l, s, tol);
        if (r < 0) {
            l->entering = s;
            return SP_LEMKE_RAY;
        }
    }
    return SP_LEMKE_LIMIT;
}

double sp_lemke_value(const sp_lemke *l, int variable)
{
    const int at = l->where[variable];
    return at >= 0 ? l->beta[at] : 0.0;
}

double sp_lemke_ray(const sp_lemke *l, int variable)
{
    const int at = l->where[variable];
    if (at < 0) {
        return -1 - at == l->entering ? 1.0 : 0.0;
    }
    return l->T[(size_t)at * (size_t)l->ld + (size_t)l->entering];
}
