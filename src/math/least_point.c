#include "math/least_point.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

#define BROKEN    1e-14 /* of one and the terms of the sum: inequalities that miss by less hold */
#define DEPENDENT 1e-12 /* of a row's square: what is left of it by the active ones is nothing  */

/* Rows that hold with equality, and what each pushes with: x = sum u_j B_j. */
typedef struct pushes {
    int m, k, n; /* n of m inequalities are active, k at most             */
    const double *B, *b;
    double *u;    /* k                                                     */
    double *r;    /* k: the row that comes in as a sum of the active ones  */
    double *L;    /* k x k: Cholesky factor of their products              */
    double *left; /* k: what no active row has of the one that comes in   */
    int *row;     /* k                                                     */
} pushes;

size_t sp_least_point_bytes(int m, int k)
{
    const size_t n = (size_t)k;
    (void)m;
    return (n * n + 3 * n) * sizeof(double) + (n + (n & 1)) * sizeof(int);
}

static const double *row_of(const pushes *p, int i)
{
    return p->B + (size_t)i * (size_t)p->k;
}

/* The Cholesky factor of the products of the active rows, which are independent. */
static void factor(const pushes *p)
{
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j <= i; j++) {
            double *L_i = p->L + (size_t)i * (size_t)p->k;
            const double *L_j = p->L + (size_t)j * (size_t)p->k;
            const double sum =
                sp_dot_n(p->k, row_of(p, p->row[i]), row_of(p, p->row[j])) - sp_dot_n(j, L_i, L_j);
            L_i[j] = i == j ? sqrt(sum) : sum / L_j[j];
        }
    }
}

/* y = (L L^T)^-1 y. */
static void solve(const pushes *p, double *y)
{
    for (int i = 0; i < p->n; i++) {
        const double *L = p->L + (size_t)i * (size_t)p->k;
        y[i] = (y[i] - sp_dot_n(i, L, y)) / L[i];
    }
    for (int i = p->n - 1; i >= 0; i--) {
        for (int j = i + 1; j < p->n; j++) {
            y[i] -= p->L[(size_t)j * (size_t)p->k + (size_t)i] * y[j];
        }
        y[i] /= p->L[(size_t)i * (size_t)p->k + (size_t)i];
    }
}

/* x = sum u_j B_j, and what row i, with the push u, adds to it. */
static void place(const pushes *p, int i, double u, double *x)
{
    for (int l = 0; l < p->k; l++) {
        x[l] = u != 0.0 ? u * row_of(p, i)[l] : 0.0;
    }
    for (int j = 0; j < p->n; j++) {
        for (int l = 0; l < p->k; l++) {
            x[l] += p->u[j] * row_of(p, p->row[j])[l];
        }
    }
}

/* Row i split into the active ones (r) and what is left; returns the square of that. */
static double split(const pushes *p, int i)
{
    const double *B = row_of(p, i);
    factor(p);
    for (int j = 0; j < p->n; j++) {
        p->r[j] = sp_dot_n(p->k, row_of(p, p->row[j]), B);
    }
    solve(p, p->r);
    memcpy(p->left, B, (size_t)p->k * sizeof *B);
    for (int j = 0; j < p->n; j++) {
        for (int l = 0; l < p->k; l++) {
            p->left[l] -= p->r[j] * row_of(p, p->row[j])[l];
        }
    }
    const double square = sp_dot_n(p->k, p->left, B), all = sp_dot_n(p->k, B, B);
    return p->n < p->k && square > DEPENDENT * all ? square : 0.0;
}

/* The active row whose push is used up first while that of the new one grows, after t; -1: none. */
static int first_used_up(const pushes *p, double *t)
{
    int first = -1;
    *t = INFINITY;
    for (int j = 0; j < p->n; j++) {
        if (p->r[j] > 0.0 && p->u[j] < *t * p->r[j]) {
            *t = p->u[j] / p->r[j];
            first = j;
        }
    }
    return first;
}

static void let_go(pushes *p, int j)
{
    p->n--;
    for (; j < p->n; j++) {
        p->row[j] = p->row[j + 1];
        p->u[j] = p->u[j + 1];
    }
}

/* Take row i in, broken as it is at x; false: it contradicts the active ones. */
static bool take_in(pushes *p, int i, double *x)
{
    double u = 0.0;
    for (;;) {
        const double square = split(p, i), missing = -(p->b[i] + sp_dot_n(p->k, row_of(p, i), x));
        const double full = square > 0.0 ? fmax(0.0, missing) / square : INFINITY;
        double used;
        const int gone = first_used_up(p, &used);
        const double t = fmin(full, used);
        if (t == INFINITY) {
            return false;
        }
        u += t;
        for (int j = 0; j < p->n; j++) {
            p->u[j] -= t * p->r[j];
        }
        if (full <= used) {
            p->row[p->n] = i;
            p->u[p->n++] = u;
            place(p, i, 0.0, x);
            return true;
        }
        let_go(p, gone);
        place(p, i, u, x);
    }
}

static bool is_active(const pushes *p, int i)
{
    for (int j = 0; j < p->n; j++) {
        if (p->row[j] == i) {
            return true;
        }
    }
    return false;
}

/* The inequality that is broken most, in parts of what rounding leaves of it; -1: none. */
static int most_broken(const pushes *p, const double *x)
{
    int worst = -1;
    double most = 1.0;
    for (int i = 0; i < p->m; i++) {
        double sum = p->b[i], terms = 1.0 + fabs(p->b[i]);
        for (int l = 0; l < p->k; l++) {
            sum += row_of(p, i)[l] * x[l];
            terms += fabs(row_of(p, i)[l] * x[l]);
        }
        if (-sum > most * BROKEN * terms && !is_active(p, i)) {
            most = -sum / (BROKEN * terms);
            worst = i;
        }
    }
    return worst;
}

/* The active rows to round-off: what they miss by is solved for once more. */
static void polish(const pushes *p, double *x)
{
    factor(p);
    for (int round = 0; round < 3; round++) {
        for (int j = 0; j < p->n; j++) {
            p->r[j] = -(p->b[p->row[j]] + sp_dot_n(p->k, row_of(p, p->row[j]), x));
        }
        solve(p, p->r);
        for (int j = 0; j < p->n; j++) {
            p->u[j] += p->r[j];
        }
        place(p, 0, 0.0, x);
    }
}

bool sp_least_point(int m, int k, const double *B, const double *b, double *x, void *work)
{
    pushes p = {.m = m, .k = k, .B = B, .b = b, .u = (double *)work};
    p.r = p.u + k;
    p.left = p.r + k;
    p.L = p.left + k;
    p.row = (int *)(void *)(p.L + (size_t)k * (size_t)k);
    memset(x, 0, (size_t)k * sizeof *x);
    for (int round = 0; round < 4 * (m + k); round++) {
        const int i = most_broken(&p, x);
        if (i < 0) {
            polish(&p, x);
            if (isfinite(sp_dot_n(k, x, x))) {
                return true;
            }
            break;
        }
        if (!take_in(&p, i, x)) {
            break;
        }
    }
    memset(x, 0, (size_t)k * sizeof *x);
    return false;
}
