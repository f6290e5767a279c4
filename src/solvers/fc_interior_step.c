/* A step of the interior points: defect, Newton's matrix, directions, and how far they go.   theory
 * (29.1), (29.2) */
#include "solvers/fc_interior_parts.h"

#include <math.h>
#include <string.h>

/* Proximal term; part of the way to the border of the cones. */
#define ETA    1e-10
#define INSIDE 0.9

/* v <- U v at z. */
static void shift_rows(int dim, double mu, double eps, const double *z, double *v)
{
    const double slip = sp_fc_slip(dim, z, eps);
    double inner = 0.0;
    for (int a = 1; a < dim && slip > 0.0; a++) {
        inner += z[a] / slip * v[a];
    }
    v[0] = mu * (v[0] - inner);
}

void sp_fc_interior_defect(const sp_fc_island *l, sp_fc_interior *w)
{
    sp_fc_island_velocity(l, w->p, w->r);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double *z = w->z + k;
        for (int a = 0; a < dim; a++) {
            w->r[k + a] -=
                a ? z[a] : sp_fc_first_scale(l, i) * (z[0] - sp_fc_slip(dim, z, w->eps) + w->eps);
        }
    }
}

/* A += U H D of contact i, a cone of dim rows; its scaling is found. */
static void add_cone(const sp_fc_island *l, sp_fc_interior *w, int i, int dim, double *A)
{
    const double *x = w->x + l->row[i], *z = w->z + l->row[i];
    double H[9], column[3];
    sp_fc_cone_scale(dim, x, z, &w->scale[i]);
    sp_fc_cone_inverse(dim, &w->scale[i], H);
    for (int b = 0; b < dim; b++) {
        for (int a = 0; a < dim; a++) {
            column[a] = H[a * dim + b] * (b ? 1.0 : sp_fc_first_scale(l, i));
        }
        shift_rows(dim, sp_fc_first_scale(l, i), w->eps, z, column);
        for (int a = 0; a < dim; a++) {
            A[a * dim + b] += column[a];
        }
    }
}

int sp_fc_interior_factor(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w)
{
    sp_fc_linear *s = &w->linear;
    memcpy(s->block, l->G, (size_t)l->at[l->n_block] * sizeof *s->block);
    for (int i = 0; i < l->n_contact; i++) {
        const int rows = l->row[i + 1] - l->row[i], dim = sp_fc_cone_rows(l, i);
        double *A = s->block + l->at[l->diag[i]];
        s->m[i] = rows;
        if (dim) {
            add_cone(l, w, i, dim, A);
        }
        for (int a = 0; a < rows; a++) {
            A[a * rows + a] += ETA;
        }
    }
    sp_fc_linear_count(s);
    g->factorisations++;
    g->steps++;
    return sp_fc_linear_factor(s) > 0.0;
}

/* b -= W^-1 (lambda \ (W^-1 dx o W dz)) of contact i: what the last direction left over. */
static void correct(const sp_fc_island *l, sp_fc_interior *w, int i, int dim)
{
    const int k = l->row[i];
    const sp_fc_scaling *s = &w->scale[i];
    double lambda[3], a[3], b[3], v[3];
    sp_fc_cone_apply(dim, s, 0, w->z + k, lambda);
    sp_fc_cone_apply(dim, s, 1, w->d.x + k, a);
    sp_fc_cone_apply(dim, s, 0, w->d.z + k, b);
    sp_fc_cone_product(dim, a, b, v);
    sp_fc_cone_divide(dim, lambda, v, a);
    sp_fc_cone_apply(dim, s, 1, a, v);
    for (int e = 0; e < dim; e++) {
        w->b[k + e] -= v[e];
    }
}

void sp_fc_interior_aim(const sp_fc_island *l, sp_fc_interior *w, double sigma, int second)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double *x = w->x + k, d = dim ? sp_fc_cone_det(dim, x) : 1.0;
        for (int e = 0; e < dim; e++) {
            w->b[k + e] = sigma * (e ? -x[e] : x[0]) / d - w->z[k + e];
        }
        if (second && dim) {
            correct(l, w, i, dim);
        }
    }
}

/* r = 0 of contact i, a normal row of f then. */
static void set_normal(const sp_fc_island *l, sp_fc_interior *w, int i, double f)
{
    memset(w->r + l->row[i], 0, (size_t)(l->row[i + 1] - l->row[i]) * sizeof *w->r);
    w->r[l->row[i]] = f;
}

void sp_fc_interior_first(const sp_fc_island *l, sp_fc_interior *w)
{
    sp_fc_interior_aim(l, w, w->gap, 0);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double slip = sp_fc_slip(dim, w->z + k, w->eps);
        const double drift = dim > 1 ? w->eps * (1.0 - w->eps / slip) : 0.0;
        set_normal(l, w, i, -sp_fc_first_scale(l, i) * drift);
        for (int e = k; e < k + dim; e++) {
            w->b[e] += w->z[e];
        }
    }
}

void sp_fc_interior_second(const sp_fc_island *l, sp_fc_interior *w)
{
    sp_fc_interior_aim(l, w, 0.5 * w->gap, 0);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double slip = sp_fc_slip(dim, w->z + k, w->eps);
        double along = 0.0, square = 0.0;
        for (int e = k + 1; e < k + dim; e++) {
            along += w->z[e] * w->d.z[e] / slip;
            square += w->d.z[e] * w->d.z[e];
        }
        set_normal(l, w, i,
                   dim > 1 ? sp_fc_first_scale(l, i) * (square - along * along) / slip : 0.0);
        for (int e = k; e < k + dim; e++) {
            w->b[e] += w->z[e];
        }
        if (dim) {
            correct(l, w, i, dim);
        }
        for (int e = k; e < k + dim; e++) {
            w->b[e] *= 2.0;
        }
    }
}

void sp_fc_interior_direction(const sp_fc_island *l, sp_fc_interior *w)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        double v[3];
        memcpy(v, w->b + k, (size_t)dim * sizeof *v);
        shift_rows(dim, sp_fc_first_scale(l, i), w->eps, w->z + k, v);
        for (int a = 0; a < l->row[i + 1] - k; a++) {
            w->d.p[k + a] = (dim ? v[a] : 0.0) - w->r[k + a];
        }
    }
    sp_fc_linear_solve(&w->linear, w->d.p);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        double H[9];
        for (int a = 0; a < l->row[i + 1] - k; a++) {
            w->d.x[k + a] = (a ? 1.0 : sp_fc_first_scale(l, i)) * w->d.p[k + a];
            w->d.z[k + a] = 0.0;
        }
        if (dim) {
            sp_fc_cone_inverse(dim, &w->scale[i], H);
        }
        for (int a = 0; a < dim; a++) {
            w->d.z[k + a] = w->b[k + a];
            for (int b = 0; b < dim; b++) {
                w->d.z[k + a] -= H[a * dim + b] * w->d.x[k + b];
            }
        }
    }
}

double sp_fc_interior_reach(const sp_fc_island *l, const sp_fc_interior *w)
{
    double step = 1.0 / INSIDE;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        if (dim) {
            step = sp_fc_cone_longest(dim, w->x + k, w->d.x + k, step);
            step = sp_fc_cone_longest(dim, w->z + k, w->d.z + k, step);
        }
    }
    return fmin(1.0, INSIDE * step);
}

double sp_fc_interior_gap(const sp_fc_island *l, const sp_fc_interior *w, double step)
{
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        for (int a = k; a < k + dim; a++) {
            sum += (w->x[a] + step * w->d.x[a]) * (w->z[a] + step * w->d.z[a]);
        }
        n += dim > 0;
    }
    return n > 0 ? sum / n : 0.0;
}
