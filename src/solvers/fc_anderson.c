#include "solvers/fc_anderson.h"

#include "solvers/fc_dense.h"

#include <math.h>
#include <string.h>

enum { DEPTH = SP_FC_DEPTH };

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

void sp_fc_anderson_part(sp_fc_anderson *a, int first, int last, const double *x, const double *y,
                         double *sum)
{
    const int n = last - first, news = a->seen > 0;
    double *f = a->f + first, *old = a->y + first;
    double *dF = news ? a->dF[a->newest] + first : NULL, *dY = news ? a->dY[a->newest] + first : dF;
    for (int k = 0; news && k < n; k++) {
        dF[k] = (y[first + k] - x[first + k]) - f[k];
        dY[k] = y[first + k] - old[k];
    }
    for (int k = 0; k < n; k++) {
        f[k] = y[first + k] - x[first + k];
        old[k] = y[first + k];
    }
    for (int m = 0; m < a->depth; m++) {
        const double *other = a->dF[place_of(a, m)] + first;
        sum[m] = news ? sp_fc_dot4(n, dF, other) : 0.0;
        sum[DEPTH + m] = sp_fc_dot4(n, other, f);
    }
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

/* b <- A^-1 b by Cholesky; 0 if A is not positive definite. */
static int small_solve(int m, double A[DEPTH][DEPTH], double *b)
{
    for (int j = 0; j < m; j++) {
        for (int i = j; i < m; i++) {
            double sum = A[i][j];
            for (int k = 0; k < j; k++) {
                sum -= A[i][k] * A[j][k];
            }
            if (i == j && !(sum > 0.0)) {
                return 0;
            }
            A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
        }
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= A[i][k] * b[k];
        }
        b[i] /= A[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) {
            b[i] -= A[k][i] * b[k];
        }
        b[i] /= A[i][i];
    }
    return 1;
}

int sp_fc_anderson_weigh(const sp_fc_anderson *a, double *weight)
{
    double A[DEPTH][DEPTH], trace = 0.0;
    if (a->depth == 0 || a->seen < 3) {
        return 0;
    }
    for (int m = 0; m < a->depth; m++) {
        trace += a->inner[place_of(a, m)][place_of(a, m)];
        weight[m] = a->along[m];
    }
    for (int m = 0; m < a->depth; m++) {
        for (int k = 0; k < a->depth; k++) {
            A[m][k] = a->inner[place_of(a, m)][place_of(a, k)] + (m == k ? RIDGE * trace : 0.0);
        }
    }
    return small_solve(a->depth, A, weight);
}

void sp_fc_anderson_move(const sp_fc_anderson *a, const double *weight, int first, int last,
                         double *x)
{
    memcpy(x + first, a->y + first, (size_t)(last - first) * sizeof *x);
    for (int m = 0; m < a->depth; m++) {
        const double f = weight[m], *dY = a->dY[place_of(a, m)];
        for (int k = first; k < last; k++) {
            x[k] -= f * dY[k];
        }
    }
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
