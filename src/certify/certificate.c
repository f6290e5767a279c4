#include "certify/certificate.h"

#include <math.h>

/* The larger of two numbers; NaN is larger than everything. */
static double worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

/* defect / size with 0 / 0 = 0; NaN if either is not finite. */
static double ratio(double defect, double size)
{
    if (!isfinite(defect) || !isfinite(size)) {
        return NAN;
    }
    return defect == 0.0 ? 0.0 : defect / size;
}

/* max_k |P_k - x_k| over the rows of one contact. */
static double distance(int dim, const double *P, const double *x)
{
    double d = 0.0;
    for (int a = 0; a < dim; a++) {
        d = worse(d, fabs(P[a] - x[a]));
    }
    return d;
}

/* |sup_{y in C(P)} -xi.y + xi.P|: zero if P gives the largest dissipation in C (the rows after the
 * normal one) and the normal row does no work. */
static double missing_dissipation(const sp_set *s, const double *P, const double *xi)
{
    switch (s->kind) {
    case SP_SET_FREE:
        return 0.0;
    case SP_SET_HALF_LINE:
        return fabs(P[0] * xi[0]);
    case SP_SET_PLANAR:
        return worse(fabs(P[0] * xi[0]), fabs(s->mu * P[0] * fabs(xi[1]) + P[1] * xi[1]));
    case SP_SET_INTERVAL:
        return fabs(worse(-xi[0] * s->lo, -xi[0] * s->hi) + xi[0] * P[0]);
    case SP_SET_DISC:
        return worse(fabs(P[0] * xi[0]),
                     fabs(s->mu * P[0] * hypot(xi[1], xi[2]) + P[1] * xi[1] + P[2] * xi[2]));
    }
    return NAN;
}

/* Natural map, cone and dissipation of one contact. */
static void certify_one(const sp_set *s, const double *P, const double *xi, double rho,
                        double xi_scale, sp_certificate *c)
{
    const int dim = sp_set_dim(s);
    double finite = 0.0, P0[SP_SET_DIM_MAX], step[SP_SET_DIM_MAX], inside[SP_SET_DIM_MAX];
    for (int a = 0; a < dim; a++) {
        P0[a] = s->shifted ? P[a] - s->shift[a] : P[a];
        step[a] = P[a] - rho * xi[a];
        inside[a] = P[a];
        finite += 0.0 * (P[a] + xi[a]); /* NaN if one of them is not finite */
    }
    sp_set_project(s, step);
    sp_set_project(s, inside);
    const double size = rho * xi_scale;
    c->complementarity = worse(c->complementarity, ratio(distance(dim, P, step) + finite, size));
    c->cone = worse(c->cone, ratio(distance(dim, P, inside) + finite, size));
    c->dissipation =
        worse(c->dissipation, ratio(missing_dissipation(s, P0, xi) + finite, size * xi_scale));
}

void sp_certify_contacts(int n_contact, const sp_set *set, const int *row, const double *P,
                         const double *xi, const double *rho, double xi_scale, sp_certificate *c)
{
    c->complementarity = c->cone = c->dissipation = 0.0;
    for (int i = 0; i < n_contact; i++) {
        certify_one(&set[i], P + row[i], xi + row[i], rho[i], xi_scale, c);
    }
}

void sp_certify_momentum(int n, const double *M_du, const double *h_dt, const double *WP,
                         const double *size2, sp_certificate *c)
{
    /* the worst quotient defect^2 / scale^2 is found without dividing: one root at the end */
    double defect2 = 0.0, scale2 = 1.0, poison = 0.0;
    for (int k = 0; k < n; k++) {
        const double a = M_du[k], b = h_dt[k], d = WP[k], defect = a - b - d;
        const double d2 = defect * defect, s2 = a * a + b * b + d * d + size2[k];
        poison += 0.0 * (d2 + s2); /* NaN once something is not finite, and then for ever */
        if (d2 * scale2 > defect2 * s2) {
            defect2 = d2;
            scale2 = s2;
        }
    }
    c->momentum = poison == 0.0 ? sqrt(defect2 / scale2) : NAN;
}

void sp_certificate_worst(sp_certificate *worst, const sp_certificate *c)
{
    worst->complementarity = worse(worst->complementarity, c->complementarity);
    worst->cone = worse(worst->cone, c->cone);
    worst->dissipation = worse(worst->dissipation, c->dissipation);
    worst->momentum = worse(worst->momentum, c->momentum);
    worst->gap = worse(worst->gap, c->gap);
}
