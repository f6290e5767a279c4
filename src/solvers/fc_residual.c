#include "solvers/fc_residual.h"

#include "solvers/fc_island.h"

#include <math.h>

/* 1 / (largest diagonal entry of G_ii), 1 if there is none. */
static double rho_of(const sp_fc *p, int i)
{
    const int dim = sp_set_dim(&p->set[i]);
    double largest = 0.0;
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        for (int a = 0; p->G.column[k] == i && a < dim; a++) {
            largest = fmax(largest, fabs(p->G.value[p->G.at[k] + (size_t)(a * dim + a)]));
        }
    }
    return largest > 1e-280 && largest < 1e280 ? 1.0 / largest : 1.0;
}

/* max over the rows of contact i of |c| + sum |G| |P|. */
static double terms_of(const sp_fc *p, int i, const double *P)
{
    double largest = 0.0;
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        double sum = fabs(p->c[p->row[i] + a]);
        for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
            const int j = p->G.column[k], cols = sp_set_dim(&p->set[j]);
            const double *G = p->G.value + p->G.at[k] + a * cols;
            for (int b = 0; b < cols; b++) {
                sum += fabs(G[b] * P[p->row[j] + b]);
            }
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* 1 / (largest diagonal entry of G_ii) from the factors. */
static double rho_by_bodies(const sp_fc *p, int i)
{
    double largest = 0.0;
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        double sum = 0.0;
        for (int k = p->F.start[i]; k < p->F.start[i + 1]; k++) {
            const int b = p->F.body[k], dof = p->F.dof[b + 1] - p->F.dof[b];
            const double *H = p->F.H + p->F.at[k] + a * dof, *M = p->F.M_inv + p->F.inverse[b];
            for (int e = 0; e < dof * dof; e++) {
                sum += H[e / dof] * M[e] * H[e % dof];
            }
        }
        largest = fmax(largest, fabs(sum));
    }
    return largest > 1e-280 && largest < 1e280 ? 1.0 / largest : 1.0;
}

/* max over the rows of contact i of |c| + sum |H| |v|. */
static double terms_by_bodies(const sp_fc *p, int i, const double *v)
{
    double largest = 0.0;
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        double sum = fabs(p->c[p->row[i] + a]);
        for (int k = p->F.start[i]; k < p->F.start[i + 1]; k++) {
            const int first = p->F.dof[p->F.body[k]], dof = p->F.dof[p->F.body[k] + 1] - first;
            for (int e = 0; e < dof; e++) {
                sum += fabs(p->F.H[p->F.at[k] + (size_t)(a * dof + e)] * v[first + e]);
            }
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

double sp_fc_sizes(const sp_fc *p, const double *P, const double *v, double *rho, double *size)
{
    double worth = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        rho[i] = p->G.start ? rho_of(p, i) : rho_by_bodies(p, i);
        size[i] = p->G.start ? terms_of(p, i, P) : terms_by_bodies(p, i, v);
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            worth = fmax(worth, fabs(p->c[p->row[i] + a]) * sqrt(rho[i]));
        }
    }
    return 10.0 * worth;
}

/* max |P - prox(P - rho xi)| of one contact. */
static double natural_defect(const sp_set *s, int dim, double rho, const double *P,
                             const double *xi)
{
    double x[SP_SET_DIM_MAX], worst = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - rho * xi[a];
    }
    sp_set_project(s, x);
    for (int a = 0; a < dim; a++) {
        worst = fmax(worst, fabs(P[a] - x[a]));
    }
    return worst;
}

/* |P - prox_K(P - xi~)|^2 of one contact, unit parameter. */
static double unit_defect2(const sp_set *s, int dim, const double *P, const double *xi)
{
    double x[SP_SET_DIM_MAX], sum = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - xi[a];
    }
    if (s->kind == SP_SET_DISC || s->kind == SP_SET_PLANAR) {
        x[0] -= s->mu * (dim == 3 ? hypot(xi[1], xi[2]) : fabs(xi[1]));
        for (int a = 0; s->shifted && a < dim; a++) {
            x[a] -= s->shift[a];
        }
        sp_cone_project(dim, s->mu, x);
        for (int a = 0; s->shifted && a < dim; a++) {
            x[a] += s->shift[a];
        }
    } else {
        sp_set_project(s, x);
    }
    for (int a = 0; a < dim; a++) {
        sum += (P[a] - x[a]) * (P[a] - x[a]);
    }
    return sum;
}

void sp_fc_residuals(const sp_fc *p, const double *P, const double *xi, const double *terms,
                     const double *rho, double worth, double *scaled, double *fclib)
{
    double worst = 0.0, sum = 0.0, c2 = 0.0, finite = 0.0, largest = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int k = p->row[i], dim = sp_set_dim(s);
        const double defect = natural_defect(s, dim, rho[i], P + k, xi + k);
        const double rounding = rho[i] * SP_FC_ROUNDING * terms[i];
        const double size = fmin(terms[i], worth / sqrt(rho[i]));
        worst = fmax(worst, (defect + rounding) / (rho[i] * size + 1e-300));
        largest = fmax(largest, terms[i]);
        sum += unit_defect2(s, dim, P + k, xi + k);
        for (int a = 0; a < dim; a++) {
            c2 += p->c[k + a] * p->c[k + a];
            finite += 0.0 * (P[k + a] + xi[k + a]);
        }
    }
    *scaled = worst + finite;
    *fclib = (sqrt(sum) + SP_FC_ROUNDING * largest) / (c2 > 0.0 ? sqrt(c2) : 1.0) + finite;
}
