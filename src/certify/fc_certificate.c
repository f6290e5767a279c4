#include "certify/fc_certificate.h"

#include "base/worse.h"
#include "certify/defect.h"
#include "laws/ball.h"

#include <math.h>

/* A velocity is not known better than this part of its terms. */
#define ROUNDING 0x1p-53
/* Terms of a velocity count up to so many times what c is worth. */
#define WORTH 10.0
/* A proof of infeasibility: leak and gap over the sizes of their terms. */
#define NO_LEAK 1e-7
#define A_GAP   1e-6

/* a / b with 0 / 0 = 0; NaN if either is not finite. */
static double over(double a, double b)
{
    if (!isfinite(a) || !isfinite(b)) {
        return NAN;
    }
    return a == 0.0 ? 0.0 : a / b;
}

size_t sp_certify_fc_scratch(const sp_fc *p)
{
    return (size_t)p->n + 2 * (size_t)p->n_contact;
}

/* What row b of a set is at least, whatever the others do. */
static double least(const sp_set *s, int b)
{
    const double away = s->kind != SP_SET_INTERVAL ? 0.0
                        : s->lo > 0.0              ? s->lo
                        : s->hi < 0.0              ? s->hi
                                                   : 0.0;
    return fabs(away) + (s->shifted ? fabs(s->shift[b]) : 0.0);
}

/* What contact i shows: its velocity xi, the largest sum of its absolute terms, of those that the
 * sets force upon it, and of the diagonal entries of G. */
typedef struct shown {
    double terms, forced, diagonal;
} shown;

static shown velocity_of(const sp_fc *p, int i, const double *P, double *xi)
{
    shown all = {0.0, 0.0, 0.0};
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        double sum = p->c[p->row[i] + a], terms = fabs(sum), forced = fabs(sum);
        for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
            const int j = p->G.column[k], cols = sp_set_dim(&p->set[j]);
            const double *g = p->G.value + p->G.at[k] + (size_t)(a * cols);
            for (int b = 0; b < cols; b++) {
                sum += g[b] * P[p->row[j] + b];
                terms += fabs(g[b] * P[p->row[j] + b]);
                forced += fabs(g[b]) * least(&p->set[j], b);
                all.diagonal = i == j && a == b ? sp_worse(all.diagonal, fabs(g[b])) : all.diagonal;
            }
        }
        xi[a] = sum;
        all.terms = sp_worse(all.terms, terms);
        all.forced = sp_worse(all.forced, forced);
    }
    return all;
}

/* P - prox_C(P - xi) of a contact whose set is no cone with friction, squared. */
static double set_defect2(const sp_set *s, int dim, const double *P, const double *xi)
{
    double x[SP_SET_DIM_MAX], sum = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = P[a] - xi[a];
    }
    sp_set_project(s, x);
    for (int a = 0; a < dim; a++) {
        sum += (P[a] - x[a]) * (P[a] - x[a]);
    }
    return sum;
}

/* Square of the distance between P and the point of the cone nearest to x = P - xi~: of x itself if
 * it is inside, the tip, and the foot on the ray towards x_T, the one nearest to x. */
static double cone_defect2(double mu, int dim, const double *P, const double *x)
{
    const double len = sp_certify_length_T(dim, x), along = (x[0] + mu * len) / (1.0 + mu * mu);
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
    double z[SP_SET_DIM_MAX], x[SP_SET_DIM_MAX];
    if (dim == 1 || sp_set_is_ball(s)) {
        return set_defect2(s, dim, P, xi);
    }
    for (int a = 0; a < dim; a++) {
        z[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
        x[a] = z[a] - xi[a] - (a ? 0.0 : s->mu * sp_certify_length_T(dim, xi));
    }
    return cone_defect2(s->mu, dim, z, x);
}

/* Add one contact; rounding: what its velocity is known to. */
static void add_contact(const sp_set *s, double rho, double size, double rounding, const double *P,
                        const double *xi, sp_fc_certificate *out)
{
    const sp_defect d = sp_certify_defect(s, rho, P, xi);
    const double impulse = rho * size, energy = rho * size * size;
    out->scaled = sp_worse(out->scaled, over(d.natural + rho * rounding, impulse));
    out->cone = sp_worse(out->cone, over(d.outside, impulse));
    if (s->kind == SP_SET_FREE || s->kind == SP_SET_INTERVAL) {
        return;
    }
    out->penetration = sp_worse(out->penetration, over(xi[0] < 0.0 ? -xi[0] : 0.0, size));
    out->gap_work = sp_worse(out->gap_work, over(d.gap_work, energy));
    out->dissipation = sp_worse(out->dissipation, over(d.dissipation, energy));
    for (int a = 1; a < sp_set_dim(s); a++) {
        out->work += P[a] * xi[a];
    }
}

void sp_certify_fc(const sp_fc *p, const double *P, double *scratch, sp_fc_certificate *out)
{
    double *xi = scratch, *size = xi + p->n, *rho = size + p->n_contact;
    double worth = 0.0, c2 = 0.0, sum = 0.0, finite = 0.0, largest = 0.0;
    *out = (sp_fc_certificate){0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < p->n_contact; i++) {
        const shown v = velocity_of(p, i, P, xi + p->row[i]);
        size[i] = v.terms;
        rho[i] = v.diagonal > 1e-280 && v.diagonal < 1e280 ? 1.0 / v.diagonal : 1.0;
        worth = sp_worse(worth, v.forced * sqrt(rho[i]));
    }
    for (int k = 0; k < p->n; k++) {
        c2 += p->c[k] * p->c[k];
        finite += 0.0 * (p->c[k] + P[k] + xi[k]);
    }
    for (int i = 0; i < p->n_contact; i++) {
        const double limit = WORTH * worth / sqrt(rho[i]), rounding = ROUNDING * size[i];
        largest = sp_worse(largest, size[i]);
        size[i] = size[i] > limit ? limit : size[i];
        size[i] = size[i] < p->xi_scale ? p->xi_scale : size[i];
        add_contact(&p->set[i], rho[i], size[i], rounding, P + p->row[i], xi + p->row[i], out);
        sum += unit_defect2(&p->set[i], sp_set_dim(&p->set[i]), P + p->row[i], xi + p->row[i]);
    }
    out->scaled += finite;
    out->cone += finite;
    out->work += finite;
    out->fclib = over(sqrt(sum) + ROUNDING * largest + finite, c2 > 0.0 ? sqrt(c2) : 1.0);
}

/* sup g.y over the friction rows under P_N = 1; infinite if the body grows faster than P_N. */
static double support_of_one(const sp_set *s, int dim, const double *g)
{
    if (sp_set_is_ball(s)) {
        return s->R_N > 0.0 && g[3] != 0.0 ? INFINITY : sp_set_dissipation(s, 1.0, g);
    }
    return (dim > 1 ? s->mu : 0.0) * sp_certify_length_T(dim, g);
}

/* t = G'y; returns the largest of its terms. */
static double transposed(const sp_fc *p, const double *y, double *t)
{
    double largest = 0.0;
    for (int k = 0; k < p->n; k++) {
        t[k] = 0.0;
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
            const int j = p->G.column[k], cols = sp_set_dim(&p->set[j]);
            for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
                for (int b = 0; b < cols; b++) {
                    const double g = p->G.value[p->G.at[k] + (size_t)(a * cols + b)];
                    t[p->row[j] + b] += g * y[p->row[i] + a];
                    largest = sp_worse(largest, fabs(g * y[p->row[i] + a]));
                }
            }
        }
    }
    return largest;
}

/* Rows on which y may be something: bilateral ones, and normal ones where it pushes. */
static bool signs_hold(const sp_fc *p, const double *y)
{
    for (int i = 0; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            const double Y = y[p->row[i] + a];
            const bool allowed = a == 0 && (p->set[i].kind == SP_SET_FREE ||
                                            (p->set[i].kind != SP_SET_INTERVAL && Y >= 0.0));
            if (!allowed && Y != 0.0) {
                return false;
            }
        }
    }
    return true;
}

bool sp_certify_infeasible(const sp_fc *p, const double *y, double *scratch)
{
    double *t = scratch, gap = 0.0, terms = 0.0, leak = 0.0;
    const double largest = transposed(p, y, t);
    for (int k = 0; k < p->n; k++) {
        gap += y[k] * p->c[k];
        terms += fabs(y[k] * p->c[k]);
    }
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const double *g = t + p->row[i];
        for (int a = 0; s->shifted && a < sp_set_dim(s); a++) {
            gap += g[a] * s->shift[a];
        }
        if (s->kind == SP_SET_INTERVAL) {
            gap += sp_worse(g[0] * s->lo, g[0] * s->hi);
            continue;
        }
        const double out =
            s->kind == SP_SET_FREE ? fabs(g[0]) : g[0] + support_of_one(s, sp_set_dim(s), g);
        leak = sp_worse(leak, over(out > 0.0 || out != out ? out : 0.0, largest));
    }
    return signs_hold(p, y) && leak < NO_LEAK && over(gap, terms) < -A_GAP;
}
