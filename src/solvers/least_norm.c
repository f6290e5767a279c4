/* Percussions of contacts whose velocities are zero, projected onto the range of their G. */
#include "solvers/least_norm.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

#define RANK   1e-10 /* pivots below this, of a matrix with unit diagonal, are zero       */
#define STILL  1e-10 /* of the sizes that velocities are made of: as good as zero when solved */
#define INSIDE 1e-14 /* of P: nearer than this to a set is in it                          */
enum { HALVINGS = 40 };

/* The rows that take part, and what becomes of them. */
typedef struct least_rows {
    int m;      /* rows                                    */
    int *at;    /* m: in the problem                       */
    double *d;  /* m: sqrt(G_rr), 0: the row moves nothing */
    double *x;  /* m: d P, then of least norm              */
    double *dP; /* n: the change                           */
    sp_lu lu;
} least_rows;

size_t sp_least_norm_bytes(int n)
{
    const size_t rows = (size_t)n;
    return sp_lu_bytes(n) + 3 * rows * sizeof(double) + (rows + 1) * sizeof(int);
}

/* Row r of G x. */
static double product(const sp_problem *p, int r, const double *x)
{
    const double *G = p->G + (size_t)r * (size_t)p->ld;
    double sum = 0.0;
    for (int k = 0; k < p->n; k++) {
        sum += G[k] * x[k];
    }
    return sum;
}

/* What velocities are made of is no larger than this. */
static double size_of(const sp_problem *p)
{
    double size = p->xi_scale;
    for (int r = 0; r < p->n; r++) {
        size = fabs(p->c[r]) > size ? fabs(p->c[r]) : size;
    }
    return size;
}

/* Take the rows of contact i if all its velocities xi = G P + c are zero; x: -xi/d. */
static void take_contact(const sp_problem *p, int i, const double *P, double size, least_rows *l)
{
    const int dim = sp_set_dim(&p->set[i]), m = l->m;
    for (int a = 0; a < dim; a++) {
        const int r = p->row[i] + a;
        const double G_rr = p->G[(size_t)r * (size_t)p->ld + (size_t)r];
        const double xi = p->c[r] + product(p, r, P), d = G_rr > 0.0 ? sqrt(G_rr) : 0.0;
        if (!(fabs(xi) <= STILL * size)) {
            l->m = m;
            return;
        }
        l->d[l->m] = d;
        l->x[l->m] = d > 0.0 ? -xi / d : 0.0;
        l->at[l->m++] = r;
    }
}

/* Let the arrays point into memory, and take the rows of contacts that are still. */
static void take_rows(const sp_problem *p, const double *P, double size, char *memory,
                      least_rows *l)
{
    const size_t n = (size_t)p->n;
    l->d = (double *)(void *)memory;
    l->x = l->d + n;
    l->dP = l->x + n;
    memory += 3 * n * sizeof(double);
    l->m = 0;
    l->at = (int *)(void *)(memory + sp_lu_bytes(p->n));
    for (int i = 0; i < p->n_contact; i++) {
        take_contact(p, i, P, size, l);
    }
    sp_lu_place(&l->lu, l->m, memory);
}

/* x of least norm with A x = A d P - xi/d, A = G of the rows with a unit diagonal: xi = 0 then.
 * theory (46.2) */
static int project(const sp_problem *p, const double *P, least_rows *l)
{
    const int m = l->m;
    for (int a = 0; a < m; a++) {
        double *A = l->lu.LU + (size_t)a * (size_t)m, sum = 0.0;
        for (int b = 0; b < m; b++) {
            const double dd = l->d[a] * l->d[b];
            A[b] = dd > 0.0 ? p->G[(size_t)l->at[a] * (size_t)p->ld + (size_t)l->at[b]] / dd : 0.0;
            sum += A[b] * l->d[b] * P[l->at[b]];
        }
        l->x[a] += sum;
    }
    const int rank = sp_lu_factor(&l->lu, RANK);
    sp_lu_solve(&l->lu, l->x, l->x);
    return rank;
}

/* Whether dP moves no row by more than xi was off. */
static int moves_nothing(const sp_problem *p, const double *dP, double size)
{
    for (int r = 0; r < p->n; r++) {
        if (!(fabs(product(p, r, dP)) <= 2.0 * STILL * size)) {
            return 0;
        }
    }
    return 1;
}

/* Whether the percussions x (dim) of a contact lie in its set, to round-off of their size. */
static int holds(const sp_set *set, int dim, const double *x, double size)
{
    double y[SP_SET_DIM_MAX], off = 0.0;
    memcpy(y, x, (size_t)dim * sizeof *y);
    sp_set_project(set, y);
    for (int a = 0; a < dim; a++) {
        off += fabs(x[a] - y[a]);
    }
    return off <= INSIDE * size;
}

/* Whether P + s dP lies in the sets of all contacts that it changes. */
static int is_inside(const sp_problem *p, const double *P, const double *dP, double s)
{
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i], dim = sp_set_dim(&p->set[i]);
        double x[SP_SET_DIM_MAX], size = 0.0, change = 0.0;
        for (int a = 0; a < dim; a++) {
            x[a] = P[k + a] + s * dP[k + a];
            size += fabs(P[k + a]) + fabs(dP[k + a]);
            change += fabs(dP[k + a]);
        }
        if (change > 0.0 && !holds(&p->set[i], dim, x, size)) {
            return 0;
        }
    }
    return 1;
}

/* The largest s in [0, 1] with P + s dP in all sets, which are convex; 0: not even P is. */
static double reach(const sp_problem *p, const double *P, const double *dP)
{
    double in = 0.0, out = 1.0;
    if (is_inside(p, P, dP, out)) {
        return out;
    }
    for (int k = 0; k < HALVINGS; k++) {
        const double s = 0.5 * (in + out);
        *(is_inside(p, P, dP, s) ? &in : &out) = s;
    }
    return in;
}

/* P + s dP; whose percussions change sticks. */
static void go(const sp_problem *p, double s, const double *dP, unsigned char *status, double *P)
{
    for (int i = 0; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            const int r = p->row[i] + a;
            status[i] = s * dP[r] != 0.0 ? SP_STICK : status[i];
            P[r] += s * dP[r];
        }
    }
}

void sp_least_norm(const sp_problem *p, unsigned char *status, double *P, void *work)
{
    least_rows l;
    const double size = size_of(p);
    take_rows(p, P, size, work, &l);
    if (l.m == 0 || project(p, P, &l) == l.m) {
        return; /* unique */
    }
    memset(l.dP, 0, (size_t)p->n * sizeof *l.dP);
    for (int a = 0; a < l.m; a++) {
        const int r = l.at[a];
        l.dP[r] = l.d[a] > 0.0 ? l.x[a] / l.d[a] - P[r] : 0.0;
    }
    if (moves_nothing(p, l.dP, size)) {
        go(p, reach(p, P, l.dP), l.dP, status, P);
    }
}
