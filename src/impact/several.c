#include "impact/several.h"

#include "solvers/enumerate.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_ENUMERATE_ROWS, SOLUTIONS = 64, ALWAYS = 4 };
#define SAME      1e-9  /* residual with which a status counts as a solution                     */
#define APART     1e-6  /* of the velocities: solutions that differ by more are different         */
#define DEPENDENT 1e-10 /* of its square: what is left of a row that depends on others */

/* ---- is there only one? ------------------------------------------------------------------------
 */

/* Which rows are normal impulses. */
static void mark_normal_rows(const sp_problem *p, bool *normal)
{
    for (int k = 0; k < p->n; k++) {
        normal[k] = false;
    }
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set_kind kind = p->set[i].kind;
        normal[p->row[i]] = kind == SP_SET_HALF_LINE || kind == SP_SET_PLANAR;
    }
}

/* One step of the elimination in A (n x n, symmetric): the rows that are left lose what row k can
 * do, which is done. */
static void eliminate(int n, int k, double *A, bool *done)
{
    done[k] = true;
    for (int a = 0; a < n; a++) {
        const double l = A[a * n + k] / A[k * n + k];
        for (int b = 0; b < n && !done[a]; b++) {
            A[a * n + b] -= l * A[k * n + b];
        }
    }
}

/* What is left of the normal rows of G if all other rows do what they can, S of (30.4), in A. */
static void reduce(const sp_problem *p, const bool *normal, double *A, bool *done)
{
    const int n = p->n;
    for (int a = 0; a < n; a++) {
        done[a] = false;
        for (int b = 0; b < n; b++) {
            A[a * n + b] = p->G[(size_t)a * (size_t)p->ld + (size_t)b];
        }
    }
    for (int pass = 0; pass < n; pass++) {
        int best = -1;
        double most = DEPENDENT;
        for (int k = 0; k < n; k++) {
            const double g = p->G[(size_t)k * (size_t)(p->ld + 1)];
            const double left = normal[k] || done[k] || !(g > 0.0) ? 0.0 : A[k * n + k] / g;
            if (left > most) {
                most = left;
                best = k;
            }
        }
        if (best < 0) {
            return;
        }
        eliminate(n, best, A, done);
    }
}

/* (S^-1)_kk of normal row k: 1 over what is left of it if all other rows do what they can; infinite
 * if nothing is. */
static double inverse_at(const sp_problem *p, const bool *normal, const double *S, const bool *done,
                         int k)
{
    const int n = p->n;
    double A[ROWS * ROWS];
    bool gone[ROWS];
    memcpy(A, S, (size_t)(n * n) * sizeof *A);
    memcpy(gone, done, (size_t)n * sizeof *gone);
    for (int j = 0; j < n; j++) {
        const double g = p->G[(size_t)j * (size_t)(p->ld + 1)];
        if (normal[j] && j != k && A[j * n + j] > DEPENDENT * g) {
            eliminate(n, j, A, gone);
        }
    }
    const double g = p->G[(size_t)k * (size_t)(p->ld + 1)];
    return A[k * n + k] > DEPENDENT * g ? 1.0 / A[k * n + k] : INFINITY;
}

bool sp_impact_is_unique(const sp_problem *p)
{
    double S[ROWS * ROWS], sum = 0.0;
    bool normal[ROWS], done[ROWS];
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind > SP_SET_INTERVAL) {
            return false; /* the bound is one of the plane */
        }
    }
    if (p->n > ROWS) {
        return false;
    }
    mark_normal_rows(p, normal);
    reduce(p, normal, S, done);
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i];
        if (p->set[i].kind == SP_SET_PLANAR && p->set[i].mu > 0.0) {
            const double G_T = p->G[(size_t)(k + 1) * (size_t)(p->ld + 1)];
            sum += p->set[i].mu * sqrt(G_T * inverse_at(p, normal, S, done, k));
        }
    }
    return sum < 1.0;
}

/* Whether all statuses can be tried: finitely many, and few. */
static bool can_be_tried(const sp_problem *p, bool expansion)
{
    int n = 0;
    bool jams = false;
    for (int i = 0; i < p->n_contact; i++) {
        if (p->set[i].kind > SP_SET_INTERVAL) {
            return false; /* statuses of friction in space are not finitely many */
        }
        n += p->set[i].kind != SP_SET_FREE;
        jams = jams || sp_problem_jams(p, i);
    }
    const int most = jams && !expansion ? SP_ENUMERATE_CONTACTS : ALWAYS;
    return p->n <= ROWS && n > 0 && n <= most;
}

/* ---- which one? --------------------------------------------------------------------------------
 */

/* Size of the velocities c. */
static double size_of(const sp_problem *p)
{
    double size = p->xi_scale;
    for (int k = 0; k < p->n; k++) {
        size = fmax(size, fabs(p->c[k]));
    }
    return size;
}

/* Whether two velocities differ by more than round-off of hard problems. */
static bool differ(const sp_problem *p, const double *a, const double *b)
{
    const double size = APART * size_of(p);
    for (int k = 0; k < p->n; k++) {
        if (fabs(a[k] - b[k]) > size) {
            return true;
        }
    }
    return false;
}

/* 1/2 du.M du of impulses P that change the velocities of their rows from c to xi. */
static double jump_of(const sp_problem *p, const double *lean, const double *P, const double *xi)
{
    double sum = 0.0;
    for (int k = 0; k < p->n; k++) {
        sum += 0.5 * P[k] * (xi[k] - p->c[k]);
    }
    for (int i = 0; i < p->n_contact && lean; i++) {
        const int k = p->row[i];
        sum += lean[i] != 0.0 ? 0.5 * lean[i] * P[k] * (xi[k + 1] - p->c[k + 1]) : 0.0;
    }
    return sum;
}

/* The solution becomes another one, unless it is that already, or known to fewer digits than
 * solutions must be. */
static void take(const sp_problem *p, const sp_enumerated *best, const double *P, sp_solution *s)
{
    double xi[ROWS];
    for (int k = 0; k < p->n; k++) {
        xi[k] = p->c[k];
        for (int j = 0; j < p->n; j++) {
            xi[k] += p->G[(size_t)k * (size_t)p->ld + (size_t)j] * s->P[j];
        }
    }
    if (differ(p, xi, best->xi) && best->residual <= SP_SOLVE_TOL) {
        memcpy(s->P, P, (size_t)p->n * sizeof *P);
        memcpy(s->status, best->status, (size_t)p->n_contact);
        s->residual = best->residual;
        s->method = "enumeration";
    }
}

int sp_impact_several(const sp_problem *p, const double *lean, sp_solution *s)
{
    sp_enumerated found[SOLUTIONS];
    sp_set set[ROWS];
    double shift[ROWS], c[ROWS], P[ROWS], best_P[ROWS], least = INFINITY;
    int n_found = 0, n_motion = 0, best = 0, n = 0;
    if (!can_be_tried(p, lean != NULL) || (!lean && sp_impact_is_unique(p))) {
        return 1;
    }
    sp_problem q;
    sp_problem_centre(p, &q, c, shift, set);
    if (sp_enumerate(&q, SAME, found, SOLUTIONS, &n_found, &n_motion, NULL) != SP_OK ||
        n_motion < 2) {
        return 1;
    }
    for (int a = 0; a < n_found && a < SOLUTIONS; a++) {
        bool seen = false;
        for (int b = 0; b < a && !seen; b++) {
            seen = !differ(p, found[a].xi, found[b].xi);
        }
        n += !seen;
        for (int k = 0; k < p->n; k++) {
            P[k] = found[a].P[k] + shift[k];
        }
        const double jump = jump_of(p, lean, P, found[a].xi);
        if (!seen && jump < least) {
            least = jump;
            best = a;
            memcpy(best_P, P, (size_t)p->n * sizeof *P);
        }
    }
    if (n > 1 && least < INFINITY) {
        take(p, &found[best], best_P, s);
    }
    return n;
}
