#include "support/enumerate.h"

#include "support/svd.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = SP_ENUMERATE_ROWS };

/* The equations of one status for the n impulses, row-scaled; a square system in all of P:
 * xi_k = 0, or P_k = 0, or P_T = -+ mu P_N, or P_k = lo or hi. */
typedef struct equations {
    int n;
    double d[ROWS];  /* P = d p, so that all unknowns have one size */
    int spare[ROWS]; /* 1: a free row that follows from the others; its force is zero */
    double A[ROWS * ROWS], b[ROWS];
} equations;

/* The states a set can have; returns how many. */
static int states(const sp_set *s, unsigned char *list)
{
    int n = 0;
    switch (s->kind) {
    case SP_SET_HALF_LINE:
        list[n++] = SP_OPEN;
        list[n++] = SP_STICK;
        break;
    case SP_SET_PLANAR:
        list[n++] = SP_OPEN;
        if (s->mu > 0.0) {
            list[n++] = SP_STICK;
            list[n++] = SP_SLIP_POS;
            list[n++] = SP_SLIP_NEG;
        } else {
            list[n++] = SP_SLIP_POS;
        }
        break;
    case SP_SET_INTERVAL:
        if (s->lo < s->hi) {
            list[n++] = SP_STICK;
        }
        if (isfinite(s->lo)) {
            list[n++] = SP_SLIP_POS;
        }
        if (isfinite(s->hi) && s->lo < s->hi) {
            list[n++] = SP_SLIP_NEG;
        }
        break;
    default:
        list[n++] = SP_STICK;
        break;
    }
    return n;
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

/* The equation of an interval: sticking, or at a bound. */
static void set_up_interval(const sp_problem *p, const sp_set *s, unsigned char status,
                            equations *e, int k)
{
    if (status == SP_STICK) {
        no_velocity(p, e, k, k);
        return;
    }
    no_force(e, k, k, k, 0.0);
    e->b[k] = (status == SP_SLIP_POS ? s->lo : s->hi) / e->d[k];
}

/* All equations of a status. */
static void set_up(const sp_problem *p, const unsigned char *status, equations *e)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        if (s->kind == SP_SET_INTERVAL) {
            set_up_interval(p, s, status[i], e, N);
            continue;
        }
        if (status[i] == SP_OPEN || e->spare[N]) {
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
        svd_solve(n, n, A, e->b, x, rank_tol[way - 1], work);
    }
    for (int k = 0; k < n; k++) { /* an elimination that broke off has no solution */
        P[k] = way == 0 && !(least > 0.0) ? NAN : e->d[k] * x[k];
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

/* |c| and the least that intervals without zero inside add to it. */
static void free_terms(const sp_problem *p, double *size)
{
    for (int k = 0; k < p->n; k++) {
        size[k] = fabs(p->c[k]);
    }
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const double least = s->kind != SP_SET_INTERVAL ? 0.0 : s->lo > 0.0 ? s->lo : -s->hi;
        for (int k = 0; k < p->n && least > 0.0; k++) {
            size[k] += least * fabs(p->G[(size_t)k * (size_t)p->ld + (size_t)p->row[i]]);
        }
    }
}

/* xi = G P + c of the two rows at most of contact i; returns the size of their terms, of c alone if
 * the forces are out of all proportion. */
static double velocities(const sp_problem *p, int i, const double *P, double *xi)
{
    double size = p->xi_scale, limit = 0.0, forced[ROWS];
    free_terms(p, forced);
    for (int j = 0; j < p->n; j++) {
        const double g_i = fabs(p->G[(size_t)p->row[i] * (size_t)(p->ld + 1)]);
        const double g_j = fabs(p->G[(size_t)j * (size_t)(p->ld + 1)]);
        const double worth = g_j > 0.0 ? 100.0 * forced[j] * sqrt(g_i / g_j) : INFINITY;
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

/* Violation of an interval: sticking inside, or pushed against its bound. */
static void interval_violation(const sp_set *s, unsigned char status, double P, double xi, double g,
                               double size, double *worst)
{
    if (status == SP_STICK) {
        note(fabs(xi) / size, worst);
        note((s->lo - P) * g / size, worst);
        note((P - s->hi) * g / size, worst);
    } else if (s->lo < s->hi) {
        note((status == SP_SLIP_POS ? -xi : xi) / size, worst);
    }
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
        if (s->kind == SP_SET_INTERVAL) {
            interval_violation(s, status[i], P[N], xi[N], g_N, size, &worst);
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
            note(fabs(P[T] + (status[i] == SP_SLIP_POS ? s->mu : -s->mu) * P[N]) * g_T / size,
                 &worst);
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

/* Sets and their number; the number of statuses in total. */
static sp_status check_sets(const sp_problem *p, int *total, sp_error *err)
{
    int n_unilateral = 0;
    *total = 1;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        unsigned char list[4];
        if (s->kind > SP_SET_INTERVAL || s->shifted || !(s->mu >= 0.0) || !(s->lo <= s->hi)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "enumeration: contact %d is not free, half line, planar or interval "
                           "(not shifted)",
                           i);
        }
        n_unilateral += s->kind != SP_SET_FREE;
        if (n_unilateral > SP_ENUMERATE_CONTACTS) {
            return SP_FAIL(err, SP_E_CAPACITY, "enumeration: more than %d unilateral contacts",
                           SP_ENUMERATE_CONTACTS);
        }
        *total *= states(s, list);
    }
    return SP_OK;
}

/* Sizes, sets and numbers the enumeration can take. */
static sp_status check(const sp_problem *p, int *total, sp_error *err)
{
    if (p->n > SP_ENUMERATE_ROWS || p->n_contact > SP_ENUMERATE_ROWS) {
        return SP_FAIL(err, SP_E_CAPACITY, "enumeration: %d rows, expected at most %d", p->n,
                       SP_ENUMERATE_ROWS);
    }
    SP_TRY(check_sets(p, total, err));
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
        e->spare[k] = 0;
        no_force(e, k, k, k, 0.0); /* rows of no contact */
    }
}

/* Eliminate the free row with the largest diagonal entry that is left; 0 if none is.  A: rows of
 * the scaled G, of which the free ones are used. */
static int eliminate_free(const sp_problem *p, equations *e, double *A)
{
    const int n = p->n;
    int k = -1;
    for (int a = 0; a < n; a++) {
        if (e->spare[a] && A[a * n + a] > (k < 0 ? 1e-10 : A[k * n + k])) {
            k = a;
        }
    }
    if (k < 0) {
        return 0;
    }
    e->spare[k] = 0;
    for (int a = 0; a < n; a++) {
        const double l = A[a * n + k] / A[k * n + k];
        for (int b = 0; b < n && e->spare[a]; b++) {
            A[a * n + b] -= l * A[k * n + b];
        }
    }
    return 1;
}

/* Mark the free rows that follow from the other free rows: nothing is left of them after the
 * elimination.  They are checked with all other rows in the end. */
static void find_spare(const sp_problem *p, equations *e)
{
    const int n = p->n;
    double A[ROWS * ROWS];
    for (int i = 0; i < p->n_contact; i++) {
        e->spare[p->row[i]] = p->set[i].kind == SP_SET_FREE;
    }
    for (int a = 0; a < n * n; a++) {
        const double g = p->G[(size_t)(a / n) * (size_t)p->ld + (size_t)(a % n)];
        A[a] = e->d[a / n] * g * e->d[a % n];
    }
    while (eliminate_free(p, e, A)) {
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            e->spare[a] = e->spare[a] && fabs(A[a * n + b]) < 1e-9;
        }
    }
}

/* Status number code, counted through the states of all contacts. */
static void decode(const sp_problem *p, int code, unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        unsigned char list[4];
        const int n = states(&p->set[i], list);
        status[i] = list[code % n];
        code /= n;
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
    find_spare(p, &e);
    for (int code = 0; code < total; code++) {
        sp_enumerated now;
        memset(&now, 0, sizeof now);
        decode(p, code, now.status);
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
