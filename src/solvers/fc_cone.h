/* solvers/fc_cone.h - the second-order cone L = {v_0 >= |v_T|} of one to three rows and the product
 * v o w = (v.w, v_0 w_T + w_0 v_T) of its Jordan algebra.  Header-only.   theory section 29,
 * [NesterovTodd98] */
#ifndef SP_SOLVERS_FC_CONE_H
#define SP_SOLVERS_FC_CONE_H

#include <math.h>

/* Nearer to the border than this part round-off decides. */
#define SP_FC_CONE_BORDER 1e-16

/* Nesterov and Todd's scaling of one contact: H = (2 v v' - J) / eta2, W = sqrt(eta2) Wbar. */
typedef struct sp_fc_scaling {
    double w[3], eta; /* w o w has determinant 1; eta = (det x / det z)^(1/4) */
} sp_fc_scaling;

/* v_0^2 - |v_T|^2. */
static inline double sp_fc_cone_det(int dim, const double *v)
{
    double len2 = 0.0;
    for (int a = 1; a < dim; a++) {
        len2 += v[a] * v[a];
    }
    const double len = sqrt(len2), inside = v[0] - len;
    return (inside > SP_FC_CONE_BORDER * v[0] ? inside : SP_FC_CONE_BORDER * v[0]) * (v[0] + len);
}

/* The scaling of one cone. */
static inline void sp_fc_cone_scale(int dim, const double *x, const double *z, sp_fc_scaling *s)
{
    const double dx = sqrt(sp_fc_cone_det(dim, x)), dz = sqrt(sp_fc_cone_det(dim, z));
    double inner = 0.0;
    for (int a = 0; a < dim; a++) {
        inner += x[a] / dx * (z[a] / dz);
    }
    const double gamma = sqrt(0.5 * (1.0 + inner));
    for (int a = 0; a < dim; a++) {
        s->w[a] = (x[a] / dx + (a ? -1.0 : 1.0) * z[a] / dz) / (2.0 * gamma);
    }
    s->eta = sqrt(dx / dz);
}

/* y = W v (inverse = 0) or W^-1 v; W = eta (w_0, w_T'; w_T, 1 + w_T w_T' / (1 + w_0)). */
static inline void sp_fc_cone_apply(int dim, const sp_fc_scaling *s, int inverse, const double *v,
                                    double *y)
{
    const double sign = inverse ? -1.0 : 1.0, eta = inverse ? 1.0 / s->eta : s->eta;
    double inner = 0.0;
    for (int a = 1; a < dim; a++) {
        inner += s->w[a] * v[a];
    }
    const double along = sign * v[0] + inner / (1.0 + s->w[0]);
    y[0] = eta * (s->w[0] * v[0] + sign * inner);
    for (int a = 1; a < dim; a++) {
        y[a] = eta * (v[a] + along * s->w[a]);
    }
}

/* H = W^-2 = (2 v v' - J) / eta^2, v = (w_0, -w_T). */
static inline void sp_fc_cone_inverse(int dim, const sp_fc_scaling *s, double *H)
{
    const double f = 1.0 / (s->eta * s->eta);
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < dim; b++) {
            const double va = a ? -s->w[a] : s->w[0], vb = b ? -s->w[b] : s->w[0];
            H[a * dim + b] = f * (2.0 * va * vb - (a == b ? (a ? -1.0 : 1.0) : 0.0));
        }
    }
}

/* y = l \ v: the solution of l o y = v. */
static inline void sp_fc_cone_divide(int dim, const double *l, const double *v, double *y)
{
    double inner = 0.0;
    for (int a = 1; a < dim; a++) {
        inner += l[a] * v[a];
    }
    y[0] = (l[0] * v[0] - inner) / sp_fc_cone_det(dim, l);
    for (int a = 1; a < dim; a++) {
        y[a] = (v[a] - l[a] * y[0]) / l[0];
    }
}

/* v = a o b. */
static inline void sp_fc_cone_product(int dim, const double *a, const double *b, double *v)
{
    v[0] = 0.0;
    for (int k = 0; k < dim; k++) {
        v[0] += a[k] * b[k];
    }
    for (int k = 1; k < dim; k++) {
        v[k] = a[0] * b[k] + b[0] * a[k];
    }
}

/* The largest step <= most for which v + step dv stays in the cone. */
static inline double sp_fc_cone_longest(int dim, const double *v, const double *dv, double most)
{
    double a = dv[0] * dv[0], b = v[0] * dv[0];
    const double c = sp_fc_cone_det(dim, v);
    for (int k = 1; k < dim; k++) {
        a -= dv[k] * dv[k];
        b -= v[k] * dv[k];
    }
    double step = dv[0] < 0.0 ? fmin(most, -v[0] / dv[0]) : most;
    if (dim == 1) {
        return step;
    }
    const double disc = b * b - a * c;
    if (disc < 0.0) {
        return step;
    }
    /* first positive root of a s^2 + 2 b s + c */
    const double root = sqrt(disc), q = b < 0.0 ? -b + root : -b - root;
    const double s1 = q != 0.0 ? c / q : INFINITY, s2 = a != 0.0 ? q / a : INFINITY;
    step = s1 > 0.0 ? fmin(step, s1) : step;
    step = s2 > 0.0 ? fmin(step, s2) : step;
    return step;
}

#endif
