#include "solvers/natural.h"

#include <math.h>

/* These compile to one instruction each; NaN is caught by the sizes, see residual_of_size. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

void sp_natural_xi(const sp_problem *p, const double *P, double *xi)
{
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double sum = 0.0;
        for (int j = 0; j < p->n; j++) {
            sum += G[j] * P[j];
        }
        xi[k] = sum + p->c[k];
    }
}

/* xi = G P + c and size_k = |c_k| + sum_j |G_kj P_j|, row by row. */
static void velocities(const sp_problem *p, const double *P, double *xi, double *size)
{
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        xi[k] = p->c[k];
        size[k] = fabs(p->c[k]);
        for (int j = 0; j < p->n; j++) {
            const double term = G[j] * P[j];
            xi[k] += term;
            size[k] += fabs(term);
        }
    }
}

/* P = the nearest point of the sets to raw, normal row first. */
static void move_into_sets(const sp_problem *p, const double *raw, double *P)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int k = p->row[i];
        P[k] = s->kind == SP_SET_FREE       ? raw[k]
               : s->kind == SP_SET_INTERVAL ? larger(smaller(raw[k], s->hi), s->lo)
                                            : larger(raw[k], 0.0);
        if (s->kind == SP_SET_PLANAR) {
            const double bound = s->mu * P[k];
            P[k + 1] = larger(smaller(raw[k + 1], bound), -bound);
        }
    }
}

/* G_N (P_N - max(0, P_N - xi_N / G_N)); a pressed contact without positive diagonal (unsymmetric G)
 * must have xi = 0. */
static double normal(const sp_set *s, double G_N, double P_N, double xi_N, double size)
{
    const double pull = G_N > 0.0 || P_N == 0.0 ? G_N * P_N : size;
    return fabs(s->kind == SP_SET_FREE ? xi_N : smaller(xi_N, pull));
}

/* G_T (P_T - clamp(P_T - xi_T / G_T, -mu P_N, mu P_N)). */
static double tangential(double mu, double G_T, const double *P, double xi_T)
{
    const double pull = G_T * P[1], bound = mu * P[0] * fabs(G_T);
    return fabs(pull - larger(smaller(pull - xi_T, bound), -bound));
}

/* G (P - clamp(P - xi / G, lo, hi)); without positive diagonal: what the place of P asks of xi. */
static double interval(const sp_set *s, double G, double P, double xi)
{
    if (s->lo == s->hi) {
        return 0.0;
    }
    if (!(G > 0.0)) {
        return P == s->lo ? larger(-xi, 0.0) : P == s->hi ? larger(xi, 0.0) : fabs(xi);
    }
    const double pull = G * P;
    return fabs(pull - larger(smaller(pull - xi, G * s->hi), G * s->lo));
}

/* |c_k| and what intervals that do not hold zero add to it at least. */
static double forced(const sp_problem *p, int k)
{
    const double *G = p->G + (size_t)k * (size_t)p->ld;
    double size = fabs(p->c[k]);
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        if (s->kind == SP_SET_INTERVAL && (s->lo > 0.0 || s->hi < 0.0)) {
            size += fabs(G[p->row[i]]) * smaller(fabs(s->lo), fabs(s->hi));
        }
    }
    return size;
}

/* max_k |c_k| / sqrt|G_kk|, the root of twice an energy: what the velocities c are worth in any
 * row. */
static double worth_of_c(const sp_problem *p)
{
    double worth = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double g = fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)k]), size = forced(p, k);
        worth = larger(worth, size == 0.0 ? 0.0 : size / sqrt(g));
    }
    return worth;
}

/* The largest natural-map defect over the size of the terms it is made of. */
static double worst_defect(const sp_problem *p, const double *P, const double *xi,
                           const double *size)
{
    double worst = 0.0, all_sizes = 0.0;
    const double worth = 10.0 * worth_of_c(p);
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int k = p->row[i], T = k + (s->kind == SP_SET_PLANAR);
        const double *G = p->G + (size_t)k * (size_t)p->ld, *G_T = p->G + (size_t)T * (size_t)p->ld;
        double defect = s->kind == SP_SET_INTERVAL ? interval(s, G[k], P[k], xi[k])
                                                   : normal(s, G[k], P[k], xi[k], size[k]);
        if (s->kind == SP_SET_PLANAR) {
            defect = larger(defect, tangential(s->mu, G_T[T], P + k, xi[T]));
        }
        const double limit = worth * sqrt(larger(fabs(G[k]), fabs(G_T[T])));
        const double scale = smaller(larger(size[k], size[T]), limit);
        all_sizes += size[k] + size[T];
        worst = larger(worst, defect / (larger(scale, p->xi_scale) + 1e-300));
    }
    return worst + 0.0 * all_sizes; /* NaN if a term of xi is not finite */
}

double sp_natural_residual(const sp_problem *p, const double *raw, double *P, double *xi,
                           double *size)
{
    move_into_sets(p, raw, P);
    velocities(p, P, xi, size);
    return worst_defect(p, P, xi, size);
}
