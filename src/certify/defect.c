#include "certify/defect.h"

#include "base/worse.h"
#include "laws/ball.h"

double sp_certify_length_T(int dim, const double *x)
{
    double sum = 0.0;
    for (int a = 1; a < dim; a++) {
        sum += x[a] * x[a];
    }
    return sqrt(sum);
}

/* An interval or a bilateral row: P - prox(P - rho xi), distance, and the work against the bound
 * that xi pushes to; a row without that bound shows in the natural map. */
static sp_defect row_defect(const sp_set *s, double rho, double P, double xi)
{
    const double x = P - rho * xi;
    if (s->kind == SP_SET_FREE) {
        return (sp_defect){.natural = fabs(rho * xi)};
    }
    const double bound = xi > 0.0 ? s->lo : s->hi;
    return (sp_defect){.natural = fabs(P - (x < s->lo   ? s->lo
                                            : x > s->hi ? s->hi
                                                        : x)),
                       .outside = P < s->lo   ? s->lo - P
                                  : P > s->hi ? P - s->hi
                                              : 0.0,
                       .gap_work = isinf(bound) ? 0.0 : fabs(xi * (P - bound))};
}

/* max_k |P - prox_C(P - rho xi)|_k of the friction rows of a disc or an interval about zero. */
static double friction_natural(double mu, int dim, double rho, const double *P, const double *xi)
{
    double x[SP_SET_DIM_MAX], worst = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - rho * xi[a];
    }
    const double radius = mu * (x[0] > 0.0 ? x[0] : 0.0), len = sp_certify_length_T(dim, x);
    const double shrink = len > radius ? radius / len : 1.0;
    for (int a = 1; a < dim; a++) {
        worst = sp_worse(worst, fabs(P[a] - shrink * x[a]));
    }
    return worst;
}

/* The same for friction that is no disc, shift included. */
static double ball_natural(const sp_set *s, int dim, double rho, const double *P, const double *xi)
{
    double x[SP_SET_DIM_MAX], worst = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - rho * xi[a];
    }
    sp_set_project(s, x);
    for (int a = 1; a < dim; a++) {
        worst = sp_worse(worst, fabs(P[a] - x[a]));
    }
    return worst;
}

/* The friction rows of a unilateral contact; z: P without the shift of the set. */
static void add_friction(const sp_set *s, double rho, const double *P, const double *z,
                         const double *xi, sp_defect *d)
{
    const int dim = sp_set_dim(s);
    const double N = z[0] > 0.0 ? z[0] : 0.0;
    double work = 0.0;
    for (int a = 1; a < dim; a++) {
        work += z[a] * xi[a];
    }
    if (sp_set_is_ball(s)) {
        d->natural = sp_worse(d->natural, ball_natural(s, dim, rho, P, xi));
        d->outside = sp_worse(d->outside, sp_set_excess(s, P));
        d->dissipation = fabs(sp_set_dissipation(s, N, xi) + work);
        return;
    }
    const double beyond = sp_certify_length_T(dim, z) - s->mu * N;
    d->natural = sp_worse(d->natural, friction_natural(s->mu, dim, rho, z, xi));
    d->outside = sp_worse(d->outside, beyond > 0.0 ? beyond : 0.0);
    d->dissipation = fabs(s->mu * z[0] * sp_certify_length_T(dim, xi) + work);
}

sp_defect sp_certify_defect(const sp_set *s, double rho, const double *P, const double *xi)
{
    const int dim = sp_set_dim(s);
    double z[SP_SET_DIM_MAX] = {0.0};
    for (int a = 0; a < dim; a++) {
        z[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    if (s->kind == SP_SET_FREE || s->kind == SP_SET_INTERVAL) {
        return row_defect(s, rho, z[0], xi[0]);
    }
    /* P_N - max(0, P_N - rho xi_N) = min(P_N, rho xi_N) */
    const double step = rho * xi[0];
    sp_defect d = {.natural = fabs(z[0] < step ? z[0] : step),
                   .outside = z[0] < 0.0 ? -z[0] : 0.0,
                   .gap_work = fabs(z[0] * xi[0])};
    if (dim > 1) {
        add_friction(s, rho, P, z, xi, &d);
    }
    return d;
}
