#include "solvers/fc_anderson.h"

#include "math/basis.h"
#include "solvers/fc_dense.h"
#include "solvers/unroll.h"

enum { DEPTH = SP_FC_DEPTH };

/* Four numbers at any place. */
typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));
#define LANES(at)    (*(lanes *)(void *)(at))
#define LANES_OF(at) (*(const lanes *)(const void *)(at))

/* Added to the diagonal of the small system, relative to its trace. */
#define RIDGE 1e-13

int sp_fc_anderson_place(sp_fc_anderson *a, int n, int most, sp_fc_stack *stack)
{
    a->n = n;
    a->most = most < DEPTH ? most : DEPTH;
    for (int k = 0; k < a->most; k++) {
        a->dF[k] = SP_TAKE(stack, double, n);
        a->dY[k] = SP_TAKE(stack, double, n);
    }
    a->f = SP_TAKE(stack, double, n);
    a->y = SP_TAKE(stack, double, n);
    sp_fc_anderson_reset(a);
    return !stack->failed;
}

void sp_fc_anderson_reset(sp_fc_anderson *a)
{
    a->depth = a->seen = 0;
    a->newest = -1;
}

void sp_fc_anderson_restart(sp_fc_anderson *a)
{
    a->depth = 0;
}

void sp_fc_anderson_open(sp_fc_anderson *a)
{
    if (a->seen > 0) {
        a->newest = (a->newest + 1) % a->most;
        a->depth += a->depth < a->most;
    }
}

/* Which of the differences is the m-th newest. */
static int place_of(const sp_fc_anderson *a, int m)
{
    return (a->newest - m + a->most) % a->most;
}

/* Differences of the newest pair, f and y of it. */
SP_INLINE void take_part(int n, int news, const double *x, const double *y, double *f, double *old,
                         double *dF, double *dY)
{
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        const lanes now = LANES_OF(y + k), change = now - LANES_OF(x + k);
        if (news) {
            LANES(dF + k) = change - LANES_OF(f + k);
            LANES(dY + k) = now - LANES_OF(old + k);
        }
        LANES(f + k) = change;
        LANES(old + k) = now;
    }
    for (; k < n; k++) {
        const double change = y[k] - x[k];
        if (news) {
            dF[k] = change - f[k];
            dY[k] = y[k] - old[k];
        }
        f[k] = change;
        old[k] = y[k];
    }
}

/* The part of the numbers first .. last - 1. */
SP_INLINE void part(sp_fc_anderson *a, int first, int last, const double *x, const double *y,
                    double *sum)
{
    const int n = last - first, news = a->seen > 0;
    double *f = a->f + first, *old = a->y + first;
    double *dF = news ? a->dF[a->newest] + first : NULL, *dY = news ? a->dY[a->newest] + first : dF;
    take_part(n, news, x + first, y + first, f, old, dF, dY);
    for (int m = 0; m < a->depth; m++) {
        const double *other = a->dF[place_of(a, m)] + first;
        sum[m] = news ? sp_fc_dot4(n, dF, other) : 0.0;
        sum[DEPTH + m] = sp_fc_dot4(n, other, f);
    }
}

/* x = y - sum_m weight_m dY_m on the numbers first .. last - 1. */
SP_INLINE void move(const sp_fc_anderson *a, const double *weight, int first, int last, double *x)
{
    const double *dY[DEPTH];
    for (int m = 0; m < a->depth; m++) {
        dY[m] = a->dY[place_of(a, m)];
    }
    int k = first;
    for (; k + 4 <= last; k += 4) {
        lanes s = LANES_OF(a->y + k);
        for (int m = 0; m < a->depth; m++) {
            s -= weight[m] * LANES_OF(dY[m] + k);
        }
        LANES(x + k) = s;
    }
    for (; k < last; k++) {
        x[k] = a->y[k];
        for (int m = 0; m < a->depth; m++) {
            x[k] -= weight[m] * dY[m][k];
        }
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void part_avx2(sp_fc_anderson *a, int first, int last,
                                                      const double *x, const double *y, double *sum)
{
    part(a, first, last, x, y, sum);
}

/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void move_avx2(const sp_fc_anderson *a, const double *weight,
                                                      int first, int last, double *x)
{
    move(a, weight, first, last, x);
}
#endif

void sp_fc_anderson_part(sp_fc_anderson *a, int first, int last, const double *x, const double *y,
                         double *sum)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        part_avx2(a, first, last, x, y, sum);
        return;
    }
#endif
    part(a, first, last, x, y, sum);
}

void sp_fc_anderson_close(sp_fc_anderson *a, const double *sum)
{
    for (int m = 0; m < a->depth; m++) {
        const int other = place_of(a, m);
        if (a->seen > 0) {
            a->inner[a->newest][other] = a->inner[other][a->newest] = sum[m];
        }
        a->along[m] = sum[DEPTH + m];
    }
    a->seen++;
}

void sp_fc_anderson_take(sp_fc_anderson *a, const double *x, const double *y)
{
    double sum[SP_FC_ANDERSON_SUMS];
    sp_fc_anderson_open(a);
    sp_fc_anderson_part(a, 0, a->n, x, y, sum);
    sp_fc_anderson_close(a, sum);
}

int sp_fc_anderson_weigh(const sp_fc_anderson *a, double *weight)
{
    double A[DEPTH * DEPTH], trace = 0.0;
    const int n = a->depth;
    if (n == 0 || a->seen < 3) {
        return 0;
    }
    for (int m = 0; m < a->depth; m++) {
        trace += a->inner[place_of(a, m)][place_of(a, m)];
        weight[m] = a->along[m];
    }
    for (int m = 0; m < n; m++) {
        for (int k = 0; k < n; k++) {
            A[m * n + k] =
                a->inner[place_of(a, m)][place_of(a, k)] + (m == k ? RIDGE * trace : 0.0);
        }
    }
    if (sp_cholesky(n, A, 0.0) < n) {
        return 0;
    }
    sp_cholesky_forward(n, A, weight);
    sp_cholesky_back(n, A, weight);
    return 1;
}

void sp_fc_anderson_move(const sp_fc_anderson *a, const double *weight, int first, int last,
                         double *x)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        move_avx2(a, weight, first, last, x);
        return;
    }
#endif
    move(a, weight, first, last, x);
}

int sp_fc_anderson_jump(const sp_fc_anderson *a, double *x)
{
    double weight[DEPTH];
    if (!sp_fc_anderson_weigh(a, weight)) {
        return 0;
    }
    sp_fc_anderson_move(a, weight, 0, a->n, x);
    return 1;
}
