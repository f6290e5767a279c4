#include "solvers/planar.h"

#include "solvers/unroll.h"

#include <math.h>

/* These compile to one instruction each; NaN is caught by the sum of all terms. */
SP_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

SP_INLINE double smaller(double a, double b)
{
    return a < b ? a : b;
}

int sp_planar_fits(const sp_problem *p)
{
    const int n = p->n_contact;
    int fits = n >= 1 && n <= 4;
    for (int i = 0; i < n && fits; i++) {
        fits = p->set[i].kind == SP_SET_PLANAR && p->row[i] == 2 * i;
    }
    return fits;
}

/* Unknowns -> P in the sets -> xi and size of its terms -> largest scaled natural-map defect. */
SP_INLINE double residual(int n_contact, const sp_problem *p, const sp_reduced *w, sp_planar *v)
{
    const int n = 2 * n_contact;
    int unlike = 0;
    double P[8], xi[8], size[8], worst = 0.0, all_sizes = 0.0;
    SP_UNROLL
    for (int i = 0; i < n_contact; i++) {
        const double raw_N = w->x[w->at_N[i]], raw_T = w->f_T[i] * w->x[w->at_T[i]];
        P[2 * i] = larger(raw_N, 0.0);
        const double bound = p->set[i].mu * P[2 * i];
        P[2 * i + 1] = larger(smaller(raw_T, bound), -bound);
        unlike |= (P[2 * i] != raw_N) | (P[2 * i + 1] != raw_T);
    }
    SP_UNROLL
    for (int k = 0; k < n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        xi[k] = p->c[k];
        size[k] = fabs(p->c[k]);
        SP_UNROLL
        for (int j = 0; j < n; j++) {
            const double term = G[j] * P[j];
            xi[k] += term;
            size[k] += fabs(term);
        }
        all_sizes += size[k];
        v->P[k] = P[k];
        v->xi[k] = xi[k];
        v->size[k] = size[k];
    }
    SP_UNROLL
    for (int i = 0; i < n_contact; i++) {
        const int N = 2 * i, T = N + 1;
        const double G_N = p->G[N * p->ld + N], G_T = p->G[T * p->ld + T];
        const double pull_N = G_N > 0.0 || P[N] == 0.0 ? G_N * P[N] : size[N];
        const double pull_T = G_T * P[T], bound = p->set[i].mu * P[N] * fabs(G_T);
        const double defect_N = fabs(smaller(xi[N], pull_N));
        const double defect_T = fabs(pull_T - larger(smaller(pull_T - xi[T], bound), -bound));
        const double scale = larger(larger(size[N], size[T]), p->xi_scale) + 1e-300;
        worst = larger(worst, larger(defect_N, defect_T) / scale);
    }
    v->moved = unlike;
    return worst + 0.0 * all_sizes; /* NaN if a term of xi is not finite */
}

double sp_planar_residual(const sp_problem *p, const sp_reduced *w, sp_planar *v)
{
    switch (p->n_contact) {
    case 1:
        return residual(1, p, w, v);
    case 2:
        return residual(2, p, w, v);
    case 3:
        return residual(3, p, w, v);
    default:
        return residual(4, p, w, v);
    }
}
