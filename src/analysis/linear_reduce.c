/* analysis/linear_reduce.c - the equations of small motions over what the held rows leave free.
 * theory (14.4)-(14.6) */
#include "analysis/linear_parts.h"
#include "math/basis.h"

#include <string.h>

/* u x */
static void cross_matrix(const double *u, double C[9])
{
    const double entry[9] = {0.0, -u[2], u[1], u[2], 0.0, -u[0], -u[1], u[0], 0.0};
    memcpy(C, entry, sizeof entry);
}

/* to += row C */
static void add_times(const double *row, const double C[9], double *to)
{
    for (int b = 0; b < 3; b++) {
        to[b] += row[0] * C[b] + row[1] * C[3 + b] + row[2] * C[6 + b];
    }
}

/* A ball's own axes turn with it: dq' = du - u x dq, hence du = dq' + u x dq and du' = dq'' +
 * u x dq' + u' x dq.  K and D, which belong to dq and du, become those of dq and dq'.
 * theory (14.6) */
static void count_turning(sp_linear *l, const sp_state *x)
{
    const sp_model *m = l->m;
    const size_t n = (size_t)l->n;
    for (int k = 0; k < m->n_dof; k++) {
        if (m->dof[k].move != SP_MOVE_BALL || m->dof[k].part != 0) {
            continue;
        }
        double u[9], a[9];
        cross_matrix(x->u + k, u);
        cross_matrix(l->a + k, a);
        for (size_t i = 0; i < n; i++) {
            double *K = l->K + i * n + (size_t)k, *D = l->D + i * n + (size_t)k;
            const double *M = l->M + i * n + (size_t)k;
            add_times(D, u, K);
            add_times(M, a, K);
            add_times(M, u, D);
        }
    }
}

/* L C^-1 X C^-T N^T of a matrix over all degrees of freedom. */
static void project(const sp_linear *l, const double *X, double *X_r)
{
    const int n_free = l->n_free, n_move = l->n_move;
    double *Y = l->scratch, *dx = l->s2;
    for (int k = 0; k < n_move; k++) {
        double *column = Y + k * n_free;
        memcpy(dx, l->N + k * n_free, (size_t)n_free * sizeof *dx);
        sp_cholesky_back(n_free, l->C, dx);
        for (int i = 0; i < n_free; i++) {
            column[i] = 0.0;
            for (int j = 0; j < n_free; j++) {
                column[i] += X[l->free[i] * l->n + l->free[j]] * dx[j];
            }
        }
        sp_cholesky_forward(n_free, l->C, column);
    }
    for (int i = 0; i < n_move; i++) {
        for (int k = 0; k < n_move; k++) {
            double sum = 0.0;
            for (int j = 0; j < n_free; j++) {
                sum += l->L[i * n_free + j] * Y[k * n_free + j];
            }
            X_r[i * n_move + k] = sum;
        }
    }
}

/* X <- M_r^-1 X, the factor of M_r being in G's memory. */
static void divide(sp_linear *l, const sp_lu *factor, double *X)
{
    const int n = l->n_move;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            l->s1[i] = X[i * n + k];
        }
        sp_lu_solve(factor, l->s1, l->s1);
        for (int i = 0; i < n; i++) {
            X[i * n + k] = l->s1[i];
        }
    }
}

/* Whether a contact slides with friction. */
static bool slides(const sp_linear *l)
{
    for (int r = 0; r < l->n_row; r++) {
        if (l->row[r].friction != 0.0) {
            return true;
        }
    }
    return l->n_slide > 0;
}

sp_status sp_linear_reduce(sp_linear *l, const sp_state *x, sp_error *err)
{
    const int n = l->n_move, n_free = l->n_free;
    sp_lu factor;
    count_turning(l, x);
    project(l, l->K, l->K_r);
    project(l, l->D, l->D_r);
    if (!slides(l)) {
        return SP_OK;
    }
    sp_lu_place(&factor, n, l->G.LU); /* the rows are not needed any more */
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < n_free; j++) {
                sum += l->L[i * n_free + j] * l->N[k * n_free + j];
            }
            factor.LU[i * n + k] = sum;
        }
    }
    if (sp_lu_factor(&factor, SP_DEPENDENT) < n) {
        return SP_FAIL(err, SP_E_INFEASIBLE,
                       "the friction of the sliding contacts leaves no unique acceleration here");
    }
    divide(l, &factor, l->K_r);
    divide(l, &factor, l->D_r);
    return SP_OK;
}

void sp_linear_expand(const sp_linear *l, const double *y, double *dx)
{
    double *z = l->s1;
    for (int i = 0; i < l->n_free; i++) {
        z[i] = 0.0;
        for (int k = 0; k < l->n_move; k++) {
            z[i] += l->N[k * l->n_free + i] * y[k];
        }
    }
    sp_cholesky_back(l->n_free, l->C, z);
    memset(dx, 0, (size_t)l->n * sizeof *dx);
    for (int i = 0; i < l->n_free; i++) {
        dx[l->free[i]] = z[i];
    }
}
