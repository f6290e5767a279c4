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

void sp_fc_anderson_take(sp_fc_anderson *a, const double *x, const double *y)
{
    if (a->seen > 0) {
        a->newest = (a->newest + 1) % a->most;
        a->depth += a->depth < a->most;
        double *dF = a->dF[a->newest], *dY = a->dY[a->newest];
        for (int k = 0; k < a->n; k++) {
            dF[k] = (y[k] - x[k]) - a->f[k];
            dY[k] = y[k] - a->y[k];
        }
        for (int m = 0; m < a->depth; m++) {
            const int other = (a->newest - m + a->most) % a->most;
            a->inner[a->newest][other] = a->inner[other][a->newest] =
                sp_fc_dot(a->n, dF, a->dF[other]);
        }
    }
    for (int k = 0; k < a->n; k++) {
        a->f[k] = y[k] - x[k];
        a->y[k] = y[k];
    }
    a->seen++;
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

int sp_fc_anderson_jump(const sp_fc_anderson *a, double *x)
{
    double A[DEPTH][DEPTH], t[DEPTH], trace = 0.0;
    int at[DEPTH];
    if (a->depth == 0 || a->seen < 3) {
        return 0;
    }
    for (int m = 0; m < a->depth; m++) {
        at[m] = (a->newest - m + a->most) % a->most;
        trace += a->inner[at[m]][at[m]];
        t[m] = sp_fc_dot(a->n, a->dF[at[m]], a->f);
    }
    for (int m = 0; m < a->depth; m++) {
        for (int k = 0; k < a->depth; k++) {
            A[m][k] = a->inner[at[m]][at[k]] + (m == k ? RIDGE * trace : 0.0);
        }
    }
    if (!small_solve(a->depth, A, t)) {
        return 0;
    }
    memcpy(x, a->y, (size_t)a->n * sizeof *x);
    for (int m = 0; m < a->depth; m++) {
        const double f = t[m], *dY = a->dY[at[m]];
        for (int k = 0; k < a->n; k++) {
            x[k] -= f * dY[k];
        }
    }
    return 1;
}
