/* The contact problem in block form: sizes, checks, G P + c. */
#include "solvers/fc.h"

#include <limits.h>
#include <math.h>

int sp_fc_rows(int n_contact, const sp_set *set, int *row)
{
    int n = 0;
    for (int i = 0; i < n_contact; i++) {
        row[i] = n;
        n += sp_set_dim(&set[i]);
    }
    return n;
}

/* y += A x, A dim x n row-major. */
static void add_product(int dim, int n, const double *A, const double *x, double *y)
{
    for (int a = 0; a < dim; a++) {
        double sum = 0.0;
        for (int b = 0; b < n; b++) {
            sum += A[a * n + b] * x[b];
        }
        y[a] += sum;
    }
}

/* y += A' x, A dim x n row-major. */
static void add_transposed(int dim, int n, const double *A, const double *x, double *y)
{
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < n; b++) {
            y[b] += A[a * n + b] * x[a];
        }
    }
}

/* xi += H_i M^-1 (H'P) for one contact: each body's momentum is gathered again from the contacts,
 * so that no scratch is needed; the solvers keep the velocities of bodies instead. */
static void add_through_bodies(const sp_fc *p, int i, const double *P, double *xi)
{
    const sp_fc_factors *F = &p->F;
    double momentum[64], velocity[64];
    for (int k = F->start[i]; k < F->start[i + 1]; k++) {
        const int body = F->body[k], dof = F->dof[body + 1] - F->dof[body];
        if (dof > 64) {
            continue; /* refused by sp_fc_check */
        }
        for (int a = 0; a < dof; a++) {
            momentum[a] = velocity[a] = 0.0;
        }
        for (int j = 0; j < p->n_contact; j++) {
            for (int l = F->start[j]; l < F->start[j + 1]; l++) {
                if (F->body[l] == body) {
                    add_transposed(sp_set_dim(&p->set[j]), dof, F->H + F->at[l], P + p->row[j],
                                   momentum);
                }
            }
        }
        add_product(dof, dof, F->M_inv + F->inverse[body], momentum, velocity);
        add_product(sp_set_dim(&p->set[i]), dof, F->H + F->at[k], velocity, xi);
    }
}
