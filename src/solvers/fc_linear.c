/* Multifrontal LU: every front gathers the rows and columns of its pivots and what its children
 * left, eliminates its pivots, and leaves the rest to its parent.   [DuffReid83] */
#include "solvers/fc_linear.h"

#include "solvers/fc_dense.h"

#include <math.h>
#include <string.h>

/* Islands up to this many contacts are one dense matrix. */
enum { DENSE_CONTACTS = 24 };

/* The dense matrix wins while its work is below this many times that of the fronts. */
#define DENSE_WORK 2.0

int sp_fc_linear_prepare(const sp_fc_island *l, double numbers_max, sp_fc_stack *stack,
                         sp_fc_linear *s)
{
    const double n = l->n, dense_flops = 2.0 / 3.0 * n * n * n;
    s->l = l;
    s->m = SP_TAKE(stack, int, l->n_contact);
    s->first = SP_TAKE(stack, int, l->n_contact);
    s->offset = SP_TAKE(stack, int, l->n_contact);
    s->block = SP_TAKE(stack, double, l->at[l->n_block]);
    s->pivot = SP_TAKE(stack, int, l->n);
    s->x = SP_TAKE(stack, double, l->n);
    if (stack->failed) {
        return 0;
    }
    s->flops = dense_flops;
    s->dense = l->n_contact <= DENSE_CONTACTS;
    if (!s->dense) {
        if (!sp_fc_order_find(l, stack, &s->order)) {
            return 0;
        }
        s->dense = dense_flops < DENSE_WORK * s->order.flops;
        s->flops = s->dense ? dense_flops : s->order.flops;
    }
    const double numbers = s->dense ? n * (n + 4.0) : s->order.numbers;
    if (numbers > numbers_max) {
        return 0;
    }
    s->front = SP_TAKE(stack, size_t, s->dense ? 1 : s->order.n_front);
    s->A = SP_TAKE(stack, double, numbers);
    return !stack->failed;
}

void sp_fc_linear_count(sp_fc_linear *s)
{
    s->n = 0;
    for (int i = 0; i < s->l->n_contact; i++) {
        s->first[i] = s->n;
        s->n += s->m[i];
    }
}

/* Add block b (rows x cols) to A at (row, column). */
static void add_block(const sp_fc_linear *s, int b, int rows, int cols, double *A, int ld, int row,
                      int column)
{
    const double *B = s->block + s->l->at[b];
    for (int a = 0; a < rows; a++) {
        double *to = A + (size_t)(row + a) * (size_t)ld + column;
        for (int e = 0; e < cols; e++) {
            to[e] += B[a * cols + e];
        }
    }
}

/* One matrix. */
static double factor_dense(sp_fc_linear *s)
{
    const sp_fc_island *l = s->l;
    const int ld = sp_fc_padded(s->n);
    memset(s->A, 0, (size_t)s->n * (size_t)ld * sizeof *s->A);
    for (int i = 0; i < l->n_contact; i++) {
        for (int b = l->start[i]; s->m[i] && b < l->start[i + 1]; b++) {
            const int j = l->column[b];
            add_block(s, b, s->m[i], s->m[j], s->A, ld, s->first[i], s->first[j]);
        }
    }
    return sp_fc_lu(s->n, s->A, s->pivot);
}

/* Places of the front's contacts in it; returns unknowns of the front, and of its pivots. */
static int lay_out(const sp_fc_linear *s, int f, int *n_pivot)
{
    const sp_fc_order *o = &s->order;
    int n = 0;
    *n_pivot = 0;
    for (int k = o->first[f]; k < o->first[f + 1]; k++) {
        s->offset[o->member[k]] = n;
        n += s->m[o->member[k]];
        if (k - o->first[f] == o->n_pivot[f] - 1) {
            *n_pivot = n;
        }
    }
    return n;
}

/* Rows and columns of the front's pivots. */
static void gather_pivots(const sp_fc_linear *s, int f, double *A, int ld)
{
    const sp_fc_order *o = &s->order;
    const int first = o->place[o->member[o->first[f]]], last = first + o->n_pivot[f];
    for (int k = 0; k < o->n_pivot[f]; k++) {
        const int i = o->member[o->first[f] + k], at = s->offset[i], m = s->m[i];
        if (m == 0) {
            continue;
        }
        add_block(s, s->l->diag[i], m, m, A, ld, at, at);
        for (int e = o->near_start[i]; e < o->near_start[i + 1]; e++) {
            const int j = o->near[e];
            if (o->place[j] < first || s->m[j] == 0) {
                continue; /* eliminated before */
            }
            if (o->near_row[e] >= 0) {
                add_block(s, o->near_row[e], m, s->m[j], A, ld, at, s->offset[j]);
            }
            if (o->near_column[e] >= 0 && o->place[j] >= last) {
                add_block(s, o->near_column[e], s->m[j], m, A, ld, s->offset[j], at);
            }
        }
    }
}

/* Add what child c left; the layout is that of its parent. */
static void add_child(const sp_fc_linear *s, int c, double *A, int ld)
{
    const sp_fc_order *o = &s->order;
    int n = 0, pivots = 0;
    for (int k = o->first[c]; k < o->first[c + 1]; k++) {
        n += s->m[o->member[k]];
        pivots += k - o->first[c] < o->n_pivot[c] ? s->m[o->member[k]] : 0;
    }
    const int child_ld = sp_fc_padded(n);
    const double *C = s->A + s->front[c];
    int row = pivots;
    for (int k = o->first[c] + o->n_pivot[c]; k < o->first[c + 1]; k++) {
        const int i = o->member[k];
        for (int a = 0; a < s->m[i]; a++, row++) {
            const double *from = C + (size_t)row * (size_t)child_ld + pivots;
            double *to = A + (size_t)(s->offset[i] + a) * (size_t)ld;
            for (int e = o->first[c] + o->n_pivot[c]; e < o->first[c + 1]; e++) {
                const int j = o->member[e];
                for (int b = 0; b < s->m[j]; b++) {
                    to[s->offset[j] + b] += *from++;
                }
            }
        }
    }
}

/* All fronts, children first. */
static double factor_fronts(sp_fc_linear *s)
{
    const sp_fc_order *o = &s->order;
    double smallest = INFINITY;
    size_t used = 0;
    int pivot_at = 0;
    for (int f = 0; f < o->n_front; f++) {
        int n_pivot;
        const int n = lay_out(s, f, &n_pivot), ld = sp_fc_padded(n);
        double *A = s->A + used;
        s->front[f] = used;
        used += (size_t)n * (size_t)ld;
        memset(A, 0, (size_t)n * (size_t)ld * sizeof *A);
        gather_pivots(s, f, A, ld);
        for (int c = o->child[f]; c >= 0; c = o->sibling[c]) {
            add_child(s, c, A, ld);
        }
        if (n_pivot > 0) {
            const double p = sp_fc_lu_front(n, n_pivot, A, s->pivot + pivot_at);
            smallest = p < smallest || p != p ? p : smallest;
        }
        pivot_at += n_pivot;
    }
    return smallest;
}

double sp_fc_linear_factor(sp_fc_linear *s)
{
    if (s->n == 0) {
        return INFINITY;
    }
    return s->dense ? factor_dense(s) : factor_fronts(s);
}

/* The sign of the determinant of n_pivot columns of a factored matrix. */
static int sign_of(int n, int n_pivot, const double *A, const int *pivot)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    int sign = 1;
    for (int k = 0; k < n_pivot; k++) {
        sign = (A[(size_t)k * ld + (size_t)k] < 0.0) != (pivot[k] != k) ? -sign : sign;
    }
    return sign;
}

int sp_fc_linear_sign(const sp_fc_linear *s)
{
    if (s->dense) {
        return sign_of(s->n, s->n, s->A, s->pivot);
    }
    int sign = 1, at = 0, n_pivot;
    for (int f = 0; f < s->order.n_front; f++) {
        const int n = lay_out(s, f, &n_pivot);
        sign *= sign_of(n, n_pivot, s->A + s->front[f], s->pivot + at);
        at += n_pivot;
    }
    return sign;
}

/* Unknowns of front f between b and the scratch x: gather (to = 0) or put back. */
static void move_unknowns(const sp_fc_linear *s, int f, int to, double *b)
{
    const sp_fc_order *o = &s->order;
    int at = 0;
    for (int k = o->first[f]; k < o->first[f + 1]; k++) {
        const int i = o->member[k];
        for (int a = 0; a < s->m[i]; a++, at++) {
            if (to) {
                b[s->first[i] + a] = s->x[at];
            } else {
                s->x[at] = b[s->first[i] + a];
            }
        }
    }
}

/* x <- L^-1 P x of one front. */
static void forward(int n, int n_pivot, const double *A, const int *pivot, double *x)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    for (int k = 0; k < n_pivot; k++) {
        const double t = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = t;
    }
    for (int i = 1; i < n; i++) {
        const double *row = A + (size_t)i * ld;
        x[i] -= sp_fc_dot(i < n_pivot ? i : n_pivot, row, x);
    }
}

/* The pivots of x <- U^-1 x of one front. */
static void backward(int n, int n_pivot, const double *A, double *x)
{
    const size_t ld = (size_t)sp_fc_padded(n);
    for (int i = n_pivot - 1; i >= 0; i--) {
        const double *row = A + (size_t)i * ld;
        x[i] = (x[i] - sp_fc_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
    }
}

void sp_fc_linear_solve(sp_fc_linear *s, double *b)
{
    if (s->dense) {
        sp_fc_lu_solve(s->n, s->A, s->pivot, b);
        return;
    }
    const sp_fc_order *o = &s->order;
    int at = 0, n_pivot;
    for (int f = 0; f < o->n_front; f++) {
        const int n = lay_out(s, f, &n_pivot);
        move_unknowns(s, f, 0, b);
        forward(n, n_pivot, s->A + s->front[f], s->pivot + at, s->x);
        move_unknowns(s, f, 1, b);
        at += n_pivot;
    }
    for (int f = o->n_front - 1; f >= 0; f--) {
        const int n = lay_out(s, f, &n_pivot);
        move_unknowns(s, f, 0, b);
        backward(n, n_pivot, s->A + s->front[f], s->x);
        move_unknowns(s, f, 1, b);
    }
}
