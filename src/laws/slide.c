#include "laws/slide.h"

#include "laws/contensou.h"

#include <math.h>

enum { SECTIONS = 80 };
#define NARROW                                                                                     \
    1e-9 /* rad: so well is the normal of Contensou's ball found; its support, to the              \
          * square of that */

int sp_slide_groups(const sp_set *s, sp_group group[SP_GROUPS])
{
    const int dim = sp_set_dim(s);
    if (dim == 1) {
        return 0;
    }
    group[0] = (sp_group){1, s->kind == SP_SET_PLANAR ? 1 : sp_set_drills(s) ? 3 : 2};
    group[1] = (sp_group){1 + group[0].n, dim - 1 - group[0].n};
    return group[1].n > 0 ? 2 : 1;
}

/* Radius of the spot in units of the lever. */
static double radius_of(const sp_set *s, double N)
{
    return s->R + (s->R_N != 0.0 && N > 0.0 ? s->R_N * cbrt(N) : 0.0);
}

/* |x| of n rows. */
static double length(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum = hypot(sum, x[k]);
    }
    return sum;
}

/* The same for Contensou's spot: -mu (f d, R m sign of the spin). */
static void drag_of_spot(const sp_set *s, double N, const double *xi, double *drag)
{
    const double a = hypot(xi[0], xi[1]), R = radius_of(s, N);
    const sp_contensou c = sp_contensou_at(s->pressure, a, R * fabs(xi[2]));
    const double along = a > 0.0 ? -s->mu * c.f / a : 0.0;
    drag[0] = along * xi[0];
    drag[1] = along * xi[1];
    drag[2] = xi[2] != 0.0 ? -copysign(s->mu * R * c.m, xi[2]) : 0.0;
}

void sp_slide_drag(const sp_set *s, int group, double N, const double *xi, double *drag)
{
    sp_group g[SP_GROUPS];
    sp_slide_groups(s, g);
    if (group == 0 && sp_set_drills(s)) {
        drag_of_spot(s, N, xi, drag);
        return;
    }
    if (group == 0 && s->kind == SP_SET_ELLIPSE) {
        const double phi = hypot(s->mu * xi[0], s->mu_2 * xi[1]);
        drag[0] = phi > 0.0 ? -s->mu * s->mu * xi[0] / phi : 0.0;
        drag[1] = phi > 0.0 ? -s->mu_2 * s->mu_2 * xi[1] / phi : 0.0;
        return;
    }
    const double len = length(g[group].n, xi), mu = group == 0 ? s->mu : s->mu_2;
    for (int k = 0; k < g[group].n; k++) {
        drag[k] = len > 0.0 ? -mu * (xi[k] / len) : 0.0;
    }
}

/* max (T c + D q)/phi(c, R q) over the directions (c, q) of the quadrant, which has one maximum: a
 * line over a convex function.  By golden sections; (c, q) is where it is. */
static double gauge_of_spot(const sp_set *s, double R, double T, double D, double *c, double *q)
{
    const double golden = 0.61803398874989484820;
    double lo = 0.0, hi = 1.57079632679489661923, best = -INFINITY;
    for (int k = 0; k < SECTIONS && hi - lo > NARROW; k++) {
        const double angle[2] = {hi - golden * (hi - lo), lo + golden * (hi - lo)};
        double value[2];
        for (int e = 0; e < 2; e++) {
            const double x = cos(angle[e]), y = sin(angle[e]);
            value[e] = (T * x + D * y) / sp_contensou_at(s->pressure, x, R * y).phi;
            if (value[e] > best) {
                best = value[e];
                *c = x;
                *q = y;
            }
        }
        *(value[0] < value[1] ? &lo : &hi) = value[0] < value[1] ? angle[0] : angle[1];
    }
    return best;
}

/* The same for Contensou's spot. */
static double reserve_of_spot(const sp_set *s, double N, const double *P, double *out)
{
    const double T = hypot(P[0], P[1]), D = fabs(P[2]), R = radius_of(s, N);
    double c = 1.0, q = 0.0;
    const double gauge = R > 0.0 ? gauge_of_spot(s, R, T, D, &c, &q) : T + D;
    if (out) {
        const double phi = R > 0.0 ? sp_contensou_at(s->pressure, c, R * q).phi : 1.0;
        out[0] = (T > 0.0 ? c * P[0] / T : c) / phi;
        out[1] = (T > 0.0 ? c * P[1] / T : 0.0) / phi;
        out[2] = copysign(q / phi, P[2]);
    }
    return s->mu * N - gauge;
}

/* The same for an ellipse: counted along its first axis. */
static double reserve_of_ellipse(const sp_set *s, double N, const double *P, double *out)
{
    const double x = P[0] / s->mu, y = P[1] / s->mu_2, len = hypot(x, y);
    if (out) {
        out[0] = len > 0.0 ? x / len : 1.0;
        out[1] = len > 0.0 ? s->mu / s->mu_2 * y / len : 0.0;
    }
    return s->mu * (N - len);
}

double sp_slide_reserve(const sp_set *s, int group, double N, const double *P, double *out)
{
    sp_group g[SP_GROUPS];
    sp_slide_groups(s, g);
    if (group == 0 && sp_set_drills(s)) {
        return reserve_of_spot(s, N, P, out);
    }
    if (group == 0 && s->kind == SP_SET_ELLIPSE) {
        return reserve_of_ellipse(s, N, P, out);
    }
    const double len = length(g[group].n, P);
    for (int k = 0; out && k < g[group].n; k++) {
        out[k] = len > 0.0 ? P[k] / len : k == 0 ? 1.0 : 0.0;
    }
    return (group == 0 ? s->mu : s->mu_2) * N - len;
}

/* The set of the first group alone. */
static sp_set without_rolling(const sp_set *s)
{
    sp_set rest = *s;
    rest.kind = s->kind == SP_SET_CONTENSOU_ROLLING ? SP_SET_CONTENSOU
                : s->kind == SP_SET_ROLLING         ? SP_SET_DISC
                                                    : s->kind;
    return rest;
}

sp_set sp_slide_rest(const sp_set *s, int sliding, int rows[SP_SET_DIM_MAX])
{
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(s, g), all = n == 2 ? 3 : n;
    sp_set rest = *s;
    int first = 1;
    if (n > 0 && (sliding & all) == all) {
        rest.kind = SP_SET_HALF_LINE;
    } else if (n == 2 && (sliding & 1)) { /* torques of rolling are a disc of their own */
        rest.kind = SP_SET_DISC;
        rest.mu = s->mu_2;
        first = g[1].first;
    } else if (n == 2 && (sliding & 2)) {
        rest = without_rolling(s);
    }
    rows[0] = 0;
    for (int k = 1; k < sp_set_dim(&rest); k++) {
        rows[k] = first + k - 1;
    }
    return rest;
}
