#include "solvers/fc_residual.h"

#include "solvers/fc_island.h"

#include <math.h>

/* 1 / (largest diagonal entry of G_ii), 1 if there is none; the diagonal block too, -1: none. */
static double rho_of(const sp_fc *p, int i, int *diag)
{
    const int dim = sp_set_dim(&p->set[i]);
    double largest = 0.0;
    *diag = -1;
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        if (p->G.column[k] == i) {
            const double *G = p->G.value + p->G.at[k];
            for (int a = 0; a < dim; a++) {
                const double g = fabs(G[a * dim + a]);
                largest = g > largest ? g : largest;
            }
            *diag = k;
            break;
        }
    }
    return largest > 1e-280 && largest < 1e280 ? 1.0 / largest : 1.0;
}

/* xi += G x and terms += |G| |x| of a block dim x cols. */
static inline void add_terms(int dim, int cols, const double *G, const double *x, double *xi,
                             double *terms)
{
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < cols; b++) {
            const double term = G[a * cols + b] * x[b];
            xi[a] += term;
            terms[a] += fabs(term);
        }
    }
}

/* xi of contact i; returns the largest over its rows of |c| + sum |G| |P|. */
static double velocity_of(const sp_fc *p, int i, const double *P, double *xi)
{
    const int dim = sp_set_dim(&p->set[i]);
    double terms[SP_SET_DIM_MAX], largest = 0.0;
    for (int a = 0; a < dim; a++) {
        xi[a] = p->c[p->row[i] + a];
        terms[a] = fabs(xi[a]);
    }
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        const int j = p->G.column[k], cols = sp_set_dim(&p->set[j]);
        const double *G = p->G.value + p->G.at[k], *x = P + p->row[j];
        if (dim == 3 && cols == 3) {
            add_terms(3, 3, G, x, xi, terms);
        } else {
            add_terms(dim, cols, G, x, xi, terms);
        }
    }
    for (int a = 0; a < dim; a++) {
        largest = terms[a] > largest ? terms[a] : largest;
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
            for (int e = 0; e < dof; e++, M += dof) {
                double v = 0.0;
                for (int m = 0; m < dof; m++) {
                    v += M[m] * H[m];
                }
                sum += H[e] * v;
            }
        }
        largest = sp_fc_larger(largest, fabs(sum));
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
        largest = sp_fc_larger(largest, sum);
    }
    return largest;
}

/* What row b of a set is at least, whatever the others do. */
static double least(const sp_set *s, int b)
{
    const double away = s->kind != SP_SET_INTERVAL ? 0.0 : s->lo > 0.0 ? s->lo : fmin(s->hi, 0.0);
    return fabs(away) + (s->shifted ? fabs(s->shift[b]) : 0.0);
}

/* max over the rows of contact i of |c| + sum |G| least. */
static double forced(const sp_fc *p, int i, int uneasy)
{
    double largest = 0.0;
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        double sum = fabs(p->c[p->row[i] + a]);
        for (int k = uneasy ? p->G.start[i] : 0; uneasy && k < p->G.start[i + 1]; k++) {
            const sp_set *s = &p->set[p->G.column[k]];
            for (int b = 0; b < sp_set_dim(s); b++) {
                sum += fabs(p->G.value[p->G.at[k] + (size_t)(a * sp_set_dim(s) + b)]) * least(s, b);
            }
        }
        largest = sp_fc_larger(largest, sum);
    }
    return largest;
}

double sp_fc_scales(const sp_fc *p, double *rho, int *diag)
{
    double worth = 0.0;
    int uneasy = 0;
    for (int i = 0; p->G.start && i < p->n_contact; i++) {
        uneasy |= p->set[i].shifted || p->set[i].kind == SP_SET_INTERVAL;
    }
    for (int i = 0; i < p->n_contact; i++) {
        rho[i] = p->G.start ? rho_of(p, i, &diag[i]) : rho_by_bodies(p, i);
        worth = sp_fc_larger(worth, forced(p, i, uneasy) * sqrt(rho[i]));
    }
    return worth;
}

void sp_fc_velocity_terms(const sp_fc *p, const double *P, double *xi, double *terms,
                          double *scratch)
{
    if (!p->G.start) {
        sp_fc_velocity(p, P, xi, scratch);
    }
    for (int i = 0; i < p->n_contact; i++) {
        terms[i] = p->G.start ? velocity_of(p, i, P, xi + p->row[i])
                              : terms_by_bodies(p, i, scratch + p->F.dof[p->F.n_body]);
    }
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
        worst = sp_fc_larger(worst, fabs(P[a] - x[a]));
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
        x[0] -= s->mu * (dim == 3 ? sqrt(xi[1] * xi[1] + xi[2] * xi[2]) : fabs(xi[1]));
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
        const double size = fmax(fmin(terms[i], 10.0 * worth / sqrt(rho[i])), p->xi_scale);
        worst = sp_fc_larger(worst, (defect + rounding) / (rho[i] * size + 1e-300));
        largest = sp_fc_larger(largest, terms[i]);
        sum += unit_defect2(s, dim, P + k, xi + k);
        for (int a = 0; a < dim; a++) {
            c2 += p->c[k + a] * p->c[k + a];
            finite += 0.0 * (P[k + a] + xi[k + a]);
        }
    }
    *scaled = worst + finite;
    *fclib = (sqrt(sum) + SP_FC_ROUNDING * largest) / (c2 > 0.0 ? sqrt(c2) : 1.0) + finite;
}
