/* All solutions of one phase of an impact by trying every state, with nothing of the library's
 * solvers: own elimination, own check.
 *
 *     xi = G L + c,   L_N >= least,  xi_N >= 0,  (L_N - least) xi_N = 0,
 *     L_T in [lo0 + lo1 L_N, hi0 + hi1 L_N],  xi_T >= 0 at the lower, <= 0 at the upper end, 0
 * between
 *
 * Newton's law and compression have least = lo0 = hi0 = 0, lo1 = -mu, hi1 = mu. */
#ifndef SP_TEST_IMPACT_ORACLE_H
#define SP_TEST_IMPACT_ORACLE_H

#include "impact/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ORACLE_ROWS = 12, ORACLE_CONTACTS = 8, ORACLE_FOUND = 24 };

typedef enum oracle_kind { ORACLE_FREE, ORACLE_NORMAL, ORACLE_PLANAR, ORACLE_NOTHING } oracle_kind;

typedef struct oracle_contact {
    oracle_kind kind;
    double least, lo0, lo1, hi0, hi1;
} oracle_contact;

typedef struct oracle {
    int n_contact, n;
    oracle_contact contact[ORACLE_CONTACTS];
    int row[ORACLE_CONTACTS];
    double G[ORACLE_ROWS][ORACLE_ROWS], c[ORACLE_ROWS];
    int n_found, n_motion; /* solutions, and how many of them differ in xi */
    double L[ORACLE_FOUND][ORACLE_ROWS], xi[ORACLE_FOUND][ORACLE_ROWS];
    double size; /* of the velocities before */
} oracle;

static const int oracle_states[4] = {1, 2, 6, 1};

/* Gauss with row pivoting on n x (n + 1); 0 if singular. */
static inline int oracle_gauss(int n, double A[ORACLE_ROWS][ORACLE_ROWS + 1])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        if (!(fabs(A[best][k]) > 1e-11)) {
            return 0;
        }
        for (int j = k; j <= n; j++) {
            const double a = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = a;
        }
        for (int i = 0; i < n; i++) {
            const double l = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; j <= n && l != 0.0; j++) {
                A[i][j] -= l * A[k][j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        A[k][n] /= A[k][k];
    }
    return 1;
}

/* Equation row: xi_k = 0, scaled. */
static inline void oracle_still(const oracle *o, int k, double *eq)
{
    const double d = 1.0 / o->G[k][k];
    for (int j = 0; j < o->n; j++) {
        eq[j] = d * o->G[k][j];
    }
    eq[o->n] = -d * o->c[k];
}

/* Equation row: L_k - slope L_j = value. */
static inline void oracle_force(const oracle *o, int k, int j, double slope, double value,
                                double *eq)
{
    memset(eq, 0, (size_t)(o->n + 1) * sizeof *eq);
    eq[k] = 1.0;
    eq[j] -= slope;
    eq[o->n] = value;
}

/* Equations of contact i in this state. */
static inline void oracle_equations(const oracle *o, int i, int state,
                                    double A[ORACLE_ROWS][ORACLE_ROWS + 1])
{
    const oracle_contact *q = &o->contact[i];
    const int N = o->row[i], T = N + 1;
    if (q->kind == ORACLE_NOTHING) {
        oracle_force(o, N, N, 0.0, 0.0, A[N]);
        return;
    }
    if (q->kind == ORACLE_FREE || state % 2 == 1) {
        oracle_still(o, N, A[N]);
    } else {
        oracle_force(o, N, N, 0.0, q->least, A[N]);
    }
    if (q->kind != ORACLE_PLANAR) {
        return;
    }
    if (state / 2 == 0) {
        oracle_still(o, T, A[T]);
    } else if (state / 2 == 1) {
        oracle_force(o, T, N, q->lo1, q->lo0, A[T]);
    } else {
        oracle_force(o, T, N, q->hi1, q->hi0, A[T]);
    }
}

/* The largest violation of contact i, in velocities; without state: the definition alone. */
static inline double oracle_contact_violation(const oracle *o, int i, const double *L,
                                              const double *xi)
{
    const oracle_contact *q = &o->contact[i];
    const int N = o->row[i], T = N + 1;
    if (q->kind == ORACLE_NOTHING) {
        return fabs(L[N]) * o->G[N][N];
    }
    if (q->kind == ORACLE_FREE) {
        return fabs(xi[N]);
    }
    const double slack = (L[N] - q->least) * o->G[N][N];
    double bad = fmax(fmax(-slack, -xi[N]), fmin(slack, xi[N]));
    if (q->kind == ORACLE_PLANAR) {
        const double low = (L[T] - q->lo0 - q->lo1 * L[N]) * o->G[T][T];
        const double high = (q->hi0 + q->hi1 * L[N] - L[T]) * o->G[T][T];
        bad = fmax(bad, fmax(-low, -high));
        bad = fmax(bad, fmin(low, xi[T]));   /* xi_T > 0: at the lower end */
        bad = fmax(bad, fmin(high, -xi[T])); /* xi_T < 0: at the upper end */
    }
    return bad;
}

/* xi = G L + c; the largest violation of everything over the size of its terms. */
static inline double oracle_violation(const oracle *o, const double *L, double *xi)
{
    double bad = 0.0, size = o->size;
    for (int k = 0; k < o->n; k++) {
        double terms = fabs(o->c[k]);
        xi[k] = o->c[k];
        for (int j = 0; j < o->n; j++) {
            xi[k] += o->G[k][j] * L[j];
            terms += fabs(o->G[k][j] * L[j]);
        }
        size = fmax(size, terms);
    }
    for (int i = 0; i < o->n_contact; i++) {
        const double now = oracle_contact_violation(o, i, L, xi);
        bad = now > bad || now != now ? now : bad;
    }
    return bad / size;
}

/* Keep a solution; count motions. */
static inline void oracle_keep(oracle *o, const double *L, const double *xi)
{
    int known = 0;
    for (int s = 0; s < o->n_found && s < ORACLE_FOUND; s++) {
        double far = 0.0;
        for (int k = 0; k < o->n; k++) {
            far = fmax(far, fabs(xi[k] - o->xi[s][k]));
        }
        known = known || far < 1e-7 * o->size;
    }
    o->n_motion += !known;
    if (o->n_found < ORACLE_FOUND) {
        memcpy(o->L[o->n_found], L, (size_t)o->n * sizeof *L);
        memcpy(o->xi[o->n_found], xi, (size_t)o->n * sizeof *xi);
    }
    o->n_found++;
}

/* Find all solutions. */
static inline void oracle_solve(oracle *o)
{
    int total = 1;
    o->n_found = o->n_motion = 0;
    for (int i = 0; i < o->n_contact; i++) {
        total *= oracle_states[o->contact[i].kind];
    }
    for (int code = 0; code < total; code++) {
        double A[ORACLE_ROWS][ORACLE_ROWS + 1], L[ORACLE_ROWS], xi[ORACLE_ROWS];
        int rest = code;
        for (int i = 0; i < o->n_contact; i++) {
            const int states = oracle_states[o->contact[i].kind];
            oracle_equations(o, i, rest % states, A);
            rest /= states;
        }
        if (!oracle_gauss(o->n, A)) {
            continue;
        }
        for (int k = 0; k < o->n; k++) {
            L[k] = A[k][o->n];
        }
        if (oracle_violation(o, L, xi) < 1e-9) {
            oracle_keep(o, L, xi);
        }
    }
}

/* Distance of velocities xi from the nearest solution, over their size; INFINITY if there is none.
 */
static inline double oracle_distance(const oracle *o, const double *xi)
{
    double best = INFINITY;
    for (int s = 0; s < o->n_found && s < ORACLE_FOUND; s++) {
        double far = 0.0, size = o->size;
        for (int k = 0; k < o->n; k++) {
            far = fmax(far, fabs(xi[k] - o->xi[s][k]));
            size = fmax(size, o->G[k][k] * fabs(o->L[s][k]));
        }
        best = fmin(best, far / size);
    }
    return best;
}

/* Contacts and G of an impact, plain Coulomb friction; c is the caller's. */
static inline void oracle_copy(oracle *o, const sp_impact_problem *p)
{
    o->n_contact = p->n_contact;
    o->n = p->n;
    o->size = DBL_MIN;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        o->row[i] = p->row[i];
        o->contact[i] = (oracle_contact){.kind = s->kind == SP_SET_FREE        ? ORACLE_FREE
                                                 : s->kind == SP_SET_HALF_LINE ? ORACLE_NORMAL
                                                 : s->kind == SP_SET_PLANAR    ? ORACLE_PLANAR
                                                                               : ORACLE_NOTHING,
                                         .lo1 = -s->mu,
                                         .hi1 = s->mu};
    }
    for (int k = 0; k < p->n; k++) {
        o->size = fmax(o->size, fabs(p->gamma_m[k]));
        for (int j = 0; j < p->n; j++) {
            o->G[k][j] = p->G[k * p->ld + j];
        }
    }
}

/* Newton's law: c = (1 + eps) gamma_m. */
static inline void oracle_newton(oracle *o, const sp_impact_problem *p)
{
    oracle_copy(o, p);
    memcpy(o->c, p->gamma_m, (size_t)p->n * sizeof *o->c);
    for (int i = 0; i < p->n_contact; i++) {
        if (o->contact[i].kind == ORACLE_NORMAL || o->contact[i].kind == ORACLE_PLANAR) {
            o->c[p->row[i]] *= 1.0 + p->eps_N[i];
        }
        if (o->contact[i].kind == ORACLE_PLANAR) {
            o->c[p->row[i] + 1] *= 1.0 + p->eps_T[i];
        }
    }
}

/* Compression: c = gamma_m. */
static inline void oracle_compression(oracle *o, const sp_impact_problem *p)
{
    oracle_copy(o, p);
    memcpy(o->c, p->gamma_m, (size_t)p->n * sizeof *o->c);
}

/* Expansion as Fig. 9 of the paper has it, in xi_T = gamma_TE - gamma_TE0; gamma_0 (n, out). */
static inline void oracle_expansion(oracle *o, const sp_impact_problem *p, const double *Lambda_C,
                                    int prescribed, double *gamma_0)
{
    double least[ORACLE_ROWS] = {0.0}, gamma_C[ORACLE_ROWS];
    oracle_copy(o, p);
    for (int i = 0; i < p->n_contact; i++) {
        oracle_contact *q = &o->contact[i];
        const int N = p->row[i];
        if (q->kind != ORACLE_NORMAL && q->kind != ORACLE_PLANAR) {
            continue;
        }
        const double C = q->kind == ORACLE_PLANAR ? Lambda_C[N + 1] : 0.0;
        q->least = least[N] = p->eps_N[i] * Lambda_C[N];
        if (q->kind == ORACLE_PLANAR && fabs(C) > 1e-9 * Lambda_C[N]) {
            least[N + 1] = p->eps_N[i] * p->eps_T[i] * C;
            q->lo0 = C > 0.0 ? least[N + 1] : 0.0;
            q->lo1 = C > 0.0 ? 0.0 : q->lo1;
            q->hi0 = C < 0.0 ? least[N + 1] : 0.0;
            q->hi1 = C < 0.0 ? 0.0 : q->hi1;
        }
    }
    for (int k = 0; k < p->n; k++) {
        gamma_C[k] = p->gamma_m[k];
        gamma_0[k] = 0.0;
        for (int j = 0; j < p->n; j++) {
            gamma_C[k] += o->G[k][j] * Lambda_C[j];
        }
    }
    for (int i = 0; i < p->n_contact && prescribed; i++) {
        const int T = p->row[i] + 1;
        for (int j = 0; j < p->n && o->contact[i].kind == ORACLE_PLANAR; j++) {
            gamma_0[T] += o->G[T][j] * least[j];
        }
    }
    for (int k = 0; k < p->n; k++) {
        o->c[k] = gamma_C[k] - gamma_0[k];
    }
}

#endif
