#include "solvers/enumerate.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = SP_ENUMERATE_ROWS };

/* The equations of one status for the n impulses, row-scaled; a square system in all of P:
 * xi_k = 0, or P_k = 0, or P_T = -+ mu P_N. */
typedef struct equations {
    int n;
    double d[ROWS]; /* P = d p, so that all unknowns have one size */
    double A[ROWS * ROWS], b[ROWS];
} equations;

/* Number of states of contact i. */
static int n_state(const sp_set *s)
{
    return s->kind == SP_SET_FREE ? 1 : s->kind == SP_SET_HALF_LINE ? 2 : s->mu > 0.0 ? 4 : 2;
}

/* State a of contact i as a status. */
static unsigned char state(const sp_set *s, int a)
{
    static const unsigned char all[4] = {SP_OPEN, SP_STICK, SP_SLIP_POS, SP_SLIP_NEG};
    if (s->kind == SP_SET_FREE) {
        return SP_STICK;
    }
    return s->kind == SP_SET_PLANAR && s->mu == 0.0 && a == 1 ? SP_SLIP_POS : all[a];
}

/* Equation at: d_k xi_k = 0. */
static void no_velocity(const sp_problem *p, equations *e, int at, int k)
{
    for (int j = 0; j < p->n; j++) {
        e->A[at * e->n + j] = e->d[k] * p->G[(size_t)k * (size_t)p->ld + (size_t)j] * e->d[j];
    }
    e->b[at] = -e->d[k] * p->c[k];
}

/* Equation at: p_k = factor p_j (factor 0: p_k = 0). */
static void no_force(equations *e, int at, int k, int j, double factor)
{
    for (int i = 0; i < e->n; i++) {
        e->A[at * e->n + i] = 0.0;
    }
    e->A[at * e->n + j] -= factor;
    e->A[at * e->n + k] += 1.0;
    e->b[at] = 0.0;
}

/* All equations of a status. */
static void set_up(const sp_problem *p, const unsigned char *status, equations *e)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        if (status[i] == SP_OPEN) {
            no_force(e, N, N, N, 0.0);
        } else {
            no_velocity(p, e, N, N);
        }
        if (s->kind != SP_SET_PLANAR) {
            continue;
        }
        const double slope = s->mu * e->d[N] / e->d[T];
        if (status[i] == SP_STICK) {
            no_velocity(p, e, T, T);
        } else {
            no_force(e, T, T, N,
                     status[i] == SP_OPEN       ? 0.0
                     : status[i] == SP_SLIP_POS ? -slope
                                                : slope);
        }
    }
}

/* Gauss with row pivoting; returns the smallest pivot, 0: no solution. */
static double gauss(int n, double *A, double *x)
{
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        }
        least = fabs(A[best * n + k]) < least ? fabs(A[best * n + k]) : least;
        if (!(least > 1e-15)) {
            return 0.0;
        }
        for (int j = 0; j < n && best != k; j++) {
            const double a = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = a;
        }
        const double b = x[k];
        x[k] = x[best];
        x[best] = best == k ? x[best] : b;
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n && l != 0.0; j++) {
                A[i * n + j] -= l * A[k * n + j];
            }
            x[i] -= l * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= A[i * n + j] * x[j];
        }
        x[i] /= A[i * n + i];
    }
    return least;
}

/* P of the equations by elimination (way 0), or of least norm with rank tolerance 1e-10, 1e-7,
 * 1e-13 (ways 1 to 3).  Returns 1 if the equations are near singular: then the next way may be
 * better. */
static int solve(const equations *e, int way, double *P)
{
    static const double rank_tol[3] = {1e-10, 1e-7, 1e-13};
    double A[ROWS * ROWS], x[ROWS], work[ROWS * ROWS + ROWS], least = 0.0;
    const int n = e->n;
    memcpy(A, e->A, (size_t)(n * n) * sizeof *A);
    memcpy(x, e->b, (size_t)n * sizeof *x);
    if (way == 0) {
        least = gauss(n, A, x);
    } else {
        sp_svd_solve(n, n, A, e->b, x, rank_tol[way - 1], work);
    }
    for (int k = 0; k < n; k++) {
        P[k] = e->d[k] * x[k];
    }
    return !(least > 1e-6) && way < 3;
}

/* Add one violation, never losing NaN. */
static void note(double violation, double *worst)
{
    if (violation > *worst || violation != violation) {
        *worst = violation;
    }
}

/* xi = G P + c of the two rows at most of contact i; returns the size of their terms, of c alone if
 * the forces are out of all proportion. */
static double velocities(const sp_problem *p, int i, const double *P, double *xi)
{
    double size = p->xi_scale, limit = 0.0;
    for (int j = 0; j < p->n; j++) {
        const double g_i = fabs(p->G[(size_t)p->row[i] * (size_t)(p->ld + 1)]);
        const double g_j = fabs(p->G[(size_t)j * (size_t)(p->ld + 1)]);
        const double worth = g_j > 0.0 ? 100.0 * fabs(p->c[j]) * sqrt(g_i / g_j) : INFINITY;
        limit = worth > limit ? worth : limit;
    }
    for (int k = p->row[i]; k < p->row[i] + sp_set_dim(&p->set[i]); k++) {
        double terms = fabs(p->c[k]);
        xi[k] = p->c[k];
        for (int j = 0; j < p->n; j++) {
            const double term = p->G[(size_t)k * (size_t)p->ld + (size_t)j] * P[j];
            xi[k] += term;
            terms += fabs(term);
        }
        size = terms > size ? terms : size;
    }
    return size < limit || limit == 0.0 ? size : limit;
}

/* Largest violation of the inequalities and equations that the status asks for, one by one. */
static double violation(const sp_problem *p, const unsigned char *status, const double *d,
                        const double *P, double *xi)
{
    double worst = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        const double size = velocities(p, i, P, xi) + DBL_MIN, g_N = 1.0 / (d[N] * d[N]);
        if (s->kind == SP_SET_FREE) {
            note(fabs(xi[N]) / size, &worst);
            continue;
        }
        note((status[i] == SP_OPEN ? -xi[N] : fabs(xi[N])) / size, &worst); /* xi_N >= 0 or = 0 */
        note(-P[N] * g_N / size, &worst);                                   /* P_N >= 0         */
        if (s->kind != SP_SET_PLANAR || s->mu == 0.0 || status[i] == SP_OPEN) {
            continue;
        }
        const double g_T = 1.0 / (d[T] * d[T]);
        if (status[i] == SP_STICK) {
            note(fabs(xi[T]) / size, &worst);
            note((fabs(P[T]) - s->mu * P[N]) * g_T / size, &worst);
        } else {
            note((status[i] == SP_SLIP_POS ? -xi[T] : xi[T]) / size, &worst);
        }
    }
    return worst;
}

/* The solution of one status with the smallest violation, by all ways it takes. */
static void best_of_status(const sp_problem *p, equations *e, sp_enumerated *now, double tol)
{
    double P[ROWS], xi[ROWS];
    now->residual = INFINITY;
    set_up(p, now->status, e);
    for (int way = 0, more = 1; more; way++) {
        more = solve(e, way, P);
        const double bad = violation(p, now->status, e->d, P, xi);
        if (bad < now->residual) {
            now->residual = bad;
            memcpy(now->P, P, (size_t)p->n * sizeof *P);
            memcpy(now->xi, xi, (size_t)p->n * sizeof *xi);
        }
        more = more && !(now->residual <= 1e-3 * tol) && (way == 0 || now->residual < 1e-3);
    }
}

/* Do two solutions move alike?  Compared row by row with the size of the terms of xi. */
static int same_motion(const sp_problem *p, const sp_enumerated *a, const sp_enumerated *b)
{
    double xi[ROWS];
    for (int i = 0; i < p->n_contact; i++) {
        const double size = velocities(p, i, a->P, xi);
        for (int k = p->row[i]; k < p->row[i] + sp_set_dim(&p->set[i]); k++) {
            if (fabs(a->xi[k] - b->xi[k]) > 1e-8 * size) {
                return 0;
            }
        }
    }
    return 1;
}

/* Sizes, sets and numbers the enumeration can take; the number of statuses in total. */
static sp_status check(const sp_problem *p, int *total, sp_error *err)
{
    int n_unilateral = 0;
    *total = 1;
    if (p->n > SP_ENUMERATE_ROWS || p->n_contact > SP_ENUMERATE_ROWS) {
        return SP_FAIL(err, SP_E_CAPACITY, "enumeration: %d rows, expected at most %d", p->n,
                       SP_ENUMERATE_ROWS);
    }
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind > SP_SET_PLANAR || p->set[i].shifted || !(p->set[i].mu >= 0.0)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "enumeration: contact %d is not free, half line or planar", i);
        }
        n_unilateral += p->set[i].kind != SP_SET_FREE;
        if (n_unilateral > SP_ENUMERATE_CONTACTS) {
            return SP_FAIL(err, SP_E_CAPACITY, "enumeration: more than %d unilateral contacts",
                           SP_ENUMERATE_CONTACTS);
        }
        *total *= n_state(&p->set[i]);
    }
    for (int k = 0; k < p->n; k++) {
        double sum = p->c[k];
        for (int j = 0; j < p->n; j++) {
            sum += fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)j]);
        }
        if (!isfinite(sum)) {
            return SP_FAIL(err, SP_E_NONFINITE, "enumeration: row %d of G or c is not finite", k);
        }
    }
    return SP_OK;
}

/* P = d p with d = 1/sqrt(|G_kk|), 1 where that is zero. */
static void set_scales(const sp_problem *p, equations *e)
{
    e->n = p->n;
    for (int k = 0; k < p->n; k++) {
        const double g = fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)k]);
        e->d[k] = g > 0.0 ? 1.0 / sqrt(g) : 1.0;
        no_force(e, k, k, k, 0.0); /* rows of no contact */
    }
}

sp_status sp_enumerate(const sp_problem *p, double tol, sp_enumerated *found, int n_max,
                       int *n_found, int *n_motion, sp_error *err)
{
    int total = 0;
    *n_found = *n_motion = 0;
    SP_TRY(check(p, &total, err));
    equations e;
    set_scales(p, &e);
    for (int code = 0; code < total; code++) {
        sp_enumerated now;
        memset(&now, 0, sizeof now);
        for (int i = 0, left = code; i < p->n_contact; i++) {
            now.status[i] = state(&p->set[i], left % n_state(&p->set[i]));
            left /= n_state(&p->set[i]);
        }
        best_of_status(p, &e, &now, tol);
        if (!(now.residual <= tol)) {
            continue;
        }
        const int listed = *n_found < n_max ? *n_found : n_max;
        now.motion = *n_motion;
        for (int k = listed - 1; k >= 0; k--) {
            now.motion = same_motion(p, &now, &found[k]) ? found[k].motion : now.motion;
        }
        if (*n_found < n_max) {
            *n_motion += now.motion == *n_motion;
            found[*n_found] = now;
        }
        (*n_found)++;
    }
    return SP_OK;
}
