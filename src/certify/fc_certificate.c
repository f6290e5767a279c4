#include "certify/fc_certificate.h"

#include "laws/ball.h"

#include <math.h>

/* A velocity is not known better than this part of its terms. */
#define ROUNDING 0x1p-53

/* The larger of two numbers; NaN is larger than everything. */
static double worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

/* a / b with 0 / 0 = 0; NaN if either is not finite. */
static double over(double a, double b)
{
    if (!isfinite(a) || !isfinite(b)) {
        return NAN;
    }
    return a == 0.0 ? 0.0 : a / b;
}

/* |x_T| of a contact. */
static double length_T(int dim, const double *x)
{
    double sum = 0.0;
    for (int a = 1; a < dim; a++) {
        sum += x[a] * x[a];
    }
    return sqrt(sum);
}

void sp_certify_blocks(int n_contact, const sp_set *set, const int *row, const int *start,
                       const int *column, const size_t *at, const double *value, const double *c,
                       const double *P, double *xi, double *size, double *rho)
{
    for (int i = 0; i < n_contact; i++) {
        const int dim = sp_set_dim(&set[i]);
        double largest = 0.0, diagonal = 0.0;
        for (int a = 0; a < dim; a++) {
            double sum = c[row[i] + a], terms = fabs(sum);
            for (int k = start[i]; k < start[i + 1]; k++) {
                const int j = column[k], cols = sp_set_dim(&set[j]);
                for (int b = 0; b < cols; b++) {
                    const double g = value[at[k] + (size_t)(a * cols + b)],
                                 term = g * P[row[j] + b];
                    sum += term;
                    terms += fabs(term);
                    diagonal = i == j && a == b ? worse(diagonal, fabs(g)) : diagonal;
                }
            }
            xi[row[i] + a] = sum;
            largest = worse(largest, terms);
        }
        size[i] = largest;
        rho[i] = diagonal > 1e-280 && diagonal < 1e280 ? 1.0 / diagonal : 1.0;
    }
}

/* Momenta H'P of all bodies, then their velocities, in v. */
static void body_velocities(int n_contact, const sp_set *set, const int *row,
                            const sp_certify_factors *F, const double *P, double *v)
{
    const int n_dof = F->dof[F->n_body];
    double *momentum = v + n_dof;
    for (int k = 0; k < n_dof; k++) {
        momentum[k] = 0.0;
    }
    for (int i = 0; i < n_contact; i++) {
        for (int k = F->start[i]; k < F->start[i + 1]; k++) {
            const int first = F->dof[F->body[k]], dof = F->dof[F->body[k] + 1] - first;
            for (int a = 0; a < sp_set_dim(&set[i]); a++) {
                for (int e = 0; e < dof; e++) {
                    momentum[first + e] += F->H[F->at[k] + (size_t)(a * dof + e)] * P[row[i] + a];
                }
            }
        }
    }
    for (int b = 0; b < F->n_body; b++) {
        const int first = F->dof[b], dof = F->dof[b + 1] - first;
        for (int a = 0; a < dof; a++) {
            v[first + a] = 0.0;
            for (int e = 0; e < dof; e++) {
                v[first + a] +=
                    F->M_inv[F->inverse[b] + (size_t)(a * dof + e)] * momentum[first + e];
            }
        }
    }
}

/* Entry (a, a) of H M^-1 H' of one contact. */
static double diagonal_entry(const sp_certify_factors *F, int i, int a)
{
    double sum = 0.0;
    for (int k = F->start[i]; k < F->start[i + 1]; k++) {
        const int b = F->body[k], dof = F->dof[b + 1] - F->dof[b];
        const double *H = F->H + F->at[k] + a * dof, *M = F->M_inv + F->inverse[b];
        for (int e = 0; e < dof; e++) {
            for (int f = 0; f < dof; f++) {
                sum += H[e] * M[e * dof + f] * H[f];
            }
        }
    }
    return sum;
}

void sp_certify_bodies(int n_contact, const sp_set *set, const int *row,
                       const sp_certify_factors *F, const double *c, const double *P, double *xi,
                       double *size, double *rho, double *v)
{
    body_velocities(n_contact, set, row, F, P, v);
    for (int i = 0; i < n_contact; i++) {
        double largest = 0.0, diagonal = 0.0;
        for (int a = 0; a < sp_set_dim(&set[i]); a++) {
            double sum = c[row[i] + a], terms = fabs(sum);
            for (int k = F->start[i]; k < F->start[i + 1]; k++) {
                const int first = F->dof[F->body[k]], dof = F->dof[F->body[k] + 1] - first;
                for (int e = 0; e < dof; e++) {
                    const double term = F->H[F->at[k] + (size_t)(a * dof + e)] * v[first + e];
                    sum += term;
                    terms += fabs(term);
                }
            }
            xi[row[i] + a] = sum;
            largest = worse(largest, terms);
            diagonal = worse(diagonal, fabs(diagonal_entry(F, i, a)));
        }
        size[i] = largest;
        rho[i] = diagonal > 1e-280 && diagonal < 1e280 ? 1.0 / diagonal : 1.0;
    }
}

/* P - prox_C(P - rho xi) by the projection of laws/ball.c; cone and dissipation do without it. */
static void ball_defect(const sp_set *s, int dim, double rho, const double *P, const double *xi,
                        double *defect)
{
    double x[SP_SET_DIM_MAX];
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - rho * xi[a];
    }
    sp_set_project(s, x);
    for (int a = 0; a < dim; a++) {
        defect[a] = P[a] - x[a];
    }
}

/* |P - prox_C(P - rho xi)| row by row (largest), normal first, then what is bounded by it:
 * P_N - max(0, P_N - rho xi_N) = min(P_N, rho xi_N). */
static double prox_defect(const sp_set *s, int dim, double rho, const double *P, const double *xi)
{
    const double N = P[0] - (s->shifted ? s->shift[0] : 0.0), step = rho * xi[0];
    if (s->kind == SP_SET_FREE) {
        return fabs(step);
    }
    if (s->kind == SP_SET_INTERVAL) {
        const double x = N - step;
        return fabs(N - (x < s->lo ? s->lo : x > s->hi ? s->hi : x));
    }
    double defect = fabs(N < step ? N : step);
    if (dim == 1) {
        return defect;
    }
    if (sp_set_is_ball(s)) {
        double rows[SP_SET_DIM_MAX];
        ball_defect(s, dim, rho, P, xi, rows);
        for (int a = 1; a < dim; a++) {
            defect = worse(defect, fabs(rows[a]));
        }
        return defect;
    }
    const double radius = s->mu * (N - step > 0.0 ? N - step : 0.0);
    double x[SP_SET_DIM_MAX], len = 0.0;
    for (int a = 1; a < dim; a++) {
        x[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
        len += (x[a] - rho * xi[a]) * (x[a] - rho * xi[a]);
    }
    len = sqrt(len);
    const double shrink = len > radius ? radius / len : 1.0;
    for (int a = 1; a < dim; a++) {
        defect = worse(defect, fabs(x[a] - shrink * (x[a] - rho * xi[a])));
    }
    return defect;
}

/* Square of the distance between P and the point of the cone nearest to x = P - xi~: of x itself if
 * it is inside, the tip, and the foot on the ray towards x_T, the one nearest to x. */
static double cone_defect2(double mu, int dim, const double *P, const double *x)
{
    const double len = length_T(dim, x), along = (x[0] + mu * len) / (1.0 + mu * mu);
    double near[SP_SET_DIM_MAX] = {0.0, 0.0, 0.0, 0.0}, sum = 0.0;
    if (len <= mu * x[0] && x[0] >= 0.0) {
        for (int a = 0; a < dim; a++) {
            near[a] = x[a];
        }
    } else if (along > 0.0) {
        near[0] = along;
        for (int a = 1; a < dim; a++) {
            near[a] = mu * along * x[a] / len;
        }
    }
    for (int a = 0; a < dim; a++) {
        sum += (P[a] - near[a]) * (P[a] - near[a]);
    }
    return sum;
}

/* Square of the unit natural map of one contact. */
static double unit_defect2(const sp_set *s, int dim, const double *P, const double *xi)
{
    if (dim == 1) {
        const double d = prox_defect(s, 1, 1.0, P, xi);
        return d * d;
    }
    double z[SP_SET_DIM_MAX], x[SP_SET_DIM_MAX];
    if (sp_set_is_ball(s)) {
        double sum = 0.0;
        ball_defect(s, dim, 1.0, P, xi, x);
        for (int a = 0; a < dim; a++) {
            sum += x[a] * x[a];
        }
        return sum;
    }
    for (int a = 0; a < dim; a++) {
        z[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
        x[a] = z[a] - xi[a] - (a ? 0.0 : s->mu * length_T(dim, xi));
    }
    return cone_defect2(s->mu, dim, z, x);
}

/* How far P is outside of its set. */
static double outside(const sp_set *s, int dim, const double *P)
{
    const double N = P[0] - (s->shifted ? s->shift[0] : 0.0);
    double z[SP_SET_DIM_MAX] = {N, 0.0, 0.0, 0.0};
    if (sp_set_is_ball(s)) {
        return sp_set_excess(s, P);
    }
    if (s->kind == SP_SET_FREE) {
        return 0.0;
    }
    if (s->kind == SP_SET_INTERVAL) {
        return N < s->lo ? s->lo - N : N > s->hi ? N - s->hi : 0.0;
    }
    for (int a = 1; a < dim; a++) {
        z[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    const double beyond = length_T(dim, z) - s->mu * (N > 0.0 ? N : 0.0);
    return worse(N < 0.0 ? -N : 0.0, dim > 1 && beyond > 0.0 ? beyond : 0.0);
}

/* Complementarity and dissipation of a unilateral contact. */
static void certify_laws(const sp_set *s, int dim, double rho, double size, const double *P,
                         const double *xi, sp_fc_certificate *out)
{
    if (s->kind == SP_SET_FREE || s->kind == SP_SET_INTERVAL) {
        return;
    }
    const double N = P[0] - (s->shifted ? s->shift[0] : 0.0), unit = rho * size * size;
    double T = 0.0;
    for (int a = 1; a < dim; a++) {
        T += (P[a] - (s->shifted ? s->shift[a] : 0.0)) * xi[a];
        out->work += P[a] * xi[a];
    }
    out->penetration = worse(out->penetration, over(xi[0] < 0.0 ? -xi[0] : 0.0, size));
    out->gap_work = worse(out->gap_work, over(fabs(N * xi[0]), unit));
    const double most = sp_set_is_ball(s) ? sp_set_dissipation(s, N > 0.0 ? N : 0.0, xi)
                        : dim > 1         ? s->mu * N * length_T(dim, xi)
                                          : 0.0;
    out->dissipation = worse(out->dissipation, over(fabs(most + T), unit));
}

void sp_certify_fc(int n_contact, const sp_set *set, const int *row, const double *c,
                   const double *P, const double *xi, double *size, const double *rho,
                   sp_fc_certificate *out)
{
    const sp_fc_certificate zero = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double worth = 0.0, c2 = 0.0, sum = 0.0, finite = 0.0, largest = 0.0;
    *out = zero;
    for (int i = 0; i < n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&set[i]); a++) {
            const double x = c[row[i] + a];
            worth = worse(worth, fabs(x) * sqrt(rho[i]));
            c2 += x * x;
            finite += 0.0 * (x + P[row[i] + a] + xi[row[i] + a]);
        }
    }
    for (int i = 0; i < n_contact; i++) {
        const int dim = sp_set_dim(&set[i]);
        const double *p = P + row[i], *u = xi + row[i], limit = 10.0 * worth / sqrt(rho[i]);
        const double rounding = ROUNDING * size[i];
        largest = worse(largest, size[i]);
        size[i] = size[i] > limit ? limit : size[i];
        out->scaled = worse(
            out->scaled, over(prox_defect(&set[i], dim, rho[i], p, u) + rho[i] * rounding + finite,
                              rho[i] * size[i]));
        out->cone = worse(out->cone, over(outside(&set[i], dim, p) + finite, rho[i] * size[i]));
        sum += unit_defect2(&set[i], dim, p, u);
        certify_laws(&set[i], dim, rho[i], size[i], p, u, out);
    }
    out->fclib = over(sqrt(sum) + ROUNDING * largest + finite, c2 > 0.0 ? sqrt(c2) : 1.0);
    out->work += finite;
}

/* sup g.y over the friction rows under P_N = 1; infinite if the body grows faster than P_N. */
static double support_of_one(const sp_set *s, int dim, const double *g)
{
    if (sp_set_is_ball(s)) {
        return s->R_N > 0.0 && g[3] != 0.0 ? INFINITY : sp_set_dissipation(s, 1.0, g);
    }
    return (dim > 1 ? s->mu : 0.0) * length_T(dim, g);
}

double sp_certify_infeasible(int n_contact, const sp_set *set, const int *row, const int *start,
                             const int *column, const size_t *at, const double *value,
                             const double *c, const double *y, double *t, double *leak,
                             int *sign_ok)
{
    double gap = 0.0, terms = 0.0, largest = 0.0;
    *sign_ok = 1;
    *leak = 0.0;
    for (int i = 0; i < n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&set[i]); a++) {
            const double Y = y[row[i] + a];
            t[row[i] + a] = 0.0;
            gap += Y * c[row[i] + a];
            terms += fabs(Y * c[row[i] + a]);
            const int allowed = a == 0 && (set[i].kind == SP_SET_FREE ||
                                           (set[i].kind != SP_SET_INTERVAL && Y >= 0.0));
            *sign_ok = *sign_ok && (allowed || Y == 0.0);
        }
    }
    for (int i = 0; i < n_contact; i++) { /* t = G'y */
        for (int k = start[i]; k < start[i + 1]; k++) {
            const int j = column[k], cols = sp_set_dim(&set[j]);
            for (int a = 0; a < sp_set_dim(&set[i]); a++) {
                for (int b = 0; b < cols; b++) {
                    const double term = value[at[k] + (size_t)(a * cols + b)] * y[row[i] + a];
                    t[row[j] + b] += term;
                    largest = worse(largest, fabs(term));
                }
            }
        }
    }
    for (int i = 0; i < n_contact; i++) {
        const double *g = t + row[i];
        const int dim = sp_set_dim(&set[i]);
        for (int a = 0; set[i].shifted && a < dim; a++) {
            gap += g[a] * set[i].shift[a];
        }
        if (set[i].kind == SP_SET_INTERVAL) {
            gap += worse(g[0] * set[i].lo, g[0] * set[i].hi);
            continue;
        }
        const double out =
            set[i].kind == SP_SET_FREE ? fabs(g[0]) : g[0] + support_of_one(&set[i], dim, g);
        *leak = worse(*leak, over(out > 0.0 || out != out ? out : 0.0, largest));
    }
    return over(gap, terms);
}
