#include "solvers/reduced.h"

#include "solvers/states.h"
#include "solvers/unroll.h"

#include <math.h>
#include <string.h>

/* A pivot that has shrunk below this part of its diagonal entry is left to the careful way. */
#define PIVOT_LOST 1e-3

/* A defect this small, relative to the first one, is not refined. */
#define ROUND_OFF 4e-16

size_t sp_reduced_bytes(int n_contact, int n)
{
    const size_t m = (size_t)n, contacts = (size_t)n_contact;
    return (5 * m + 2 + contacts) * sizeof(double) + sp_lu_bytes(n) +
           3 * (m + (m & 1)) * sizeof(int) + 2 * contacts * sizeof(int);
}

void sp_reduced_place(sp_reduced *w, int n_contact, int n, void *memory)
{
    const size_t m = (size_t)n, even = m + (m & 1), contacts = (size_t)n_contact;
    w->m = w->n_known = 0;
    w->f = (double *)memory;
    w->d = w->f + m;
    w->b = w->d + m;
    w->x = w->b + m + m + 1; /* known forces and the zero before it */
    w->x[-1] = 0.0;
    w->f_T = w->x + m + 1;
    w->r = (int *)(void *)(w->f_T + contacts);
    w->t = w->r + even;
    w->known = w->t + even;
    w->at_N = w->known + even;
    w->at_T = w->at_N + contacts;
    w->lu_memory = w->at_T + contacts;
}

void sp_reduced_unknowns(const sp_problem *p, const unsigned char *status, sp_reduced *w)
{
    int m = 0, n_known = 0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int k = p->row[i], friction = s->kind == SP_SET_PLANAR;
        w->at_N[i] = w->at_T[i] = -1;
        w->f_T[i] = 0.0;
        if (sp_states_fixed(s, status[i])) {
            w->known[n_known++] = k;
            w->at_N[i] = -1 - n_known;
            w->x[-1 - n_known] = sp_states_bound(s, status[i]);
            continue;
        }
        if (status[i] == SP_OPEN && (friction || s->kind == SP_SET_HALF_LINE)) {
            continue;
        }
        const int slips = friction && (status[i] != SP_STICK || s->mu == 0.0);
        w->at_N[i] = w->at_T[i] = m;
        w->r[m] = k;
        w->t[m] = k + slips;
        w->f[m] = slips ? (status[i] == SP_SLIP_POS ? -s->mu : s->mu) : 0.0;
        w->f_T[i] = w->f[m];
        m++;
        if (friction && !slips) {
            w->at_T[i] = m;
            w->f_T[i] = 1.0;
            w->r[m] = w->t[m] = k + 1;
            w->f[m] = 0.0;
            m++;
        }
    }
    w->m = m;
    w->n_known = n_known;
}

/* A (m x m, row-major) and x = -c - G_K P_K on the rows of the unknowns. */
SP_INLINE void build(int m, const sp_problem *p, const sp_reduced *w, double *A, double *x)
{
    SP_UNROLL
    for (int a = 0; a < m; a++) {
        const double *G = p->G + (size_t)w->r[a] * (size_t)p->ld;
        SP_UNROLL
        for (int b = 0; b < m; b++) {
            A[a * m + b] = G[w->r[b]] + w->f[b] * G[w->t[b]];
        }
        x[a] = -p->c[w->r[a]];
        for (int j = 0; j < w->n_known; j++) {
            x[a] -= G[w->known[j]] * w->x[-2 - j];
        }
    }
}

/* Gaussian elimination in the given order; 0 if a pivot is lost.  x: right side, then solution. */
SP_INLINE int eliminate(int m, double *A, double *x)
{
    double diagonal[8], inv[8];
    int kept = 1;
    SP_UNROLL
    for (int k = 0; k < m; k++) {
        diagonal[k] = A[k * m + k];
    }
    SP_UNROLL
    for (int k = 0; k < m; k++) {
        kept &= A[k * m + k] > PIVOT_LOST * diagonal[k] && diagonal[k] > 0.0;
        inv[k] = 1.0 / A[k * m + k];
        SP_UNROLL
        for (int i = k + 1; i < m; i++) {
            const double l = A[i * m + k] * inv[k];
            SP_UNROLL
            for (int j = k + 1; j < m; j++) {
                A[i * m + j] -= l * A[k * m + j];
            }
            x[i] -= l * x[k];
        }
    }
    SP_UNROLL
    for (int i = m - 1; i >= 0; i--) {
        SP_UNROLL
        for (int j = i + 1; j < m; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
        x[i] *= inv[i];
    }
    return kept;
}

/* Two unknowns by Cramer's rule, which treats both alike: one division; 0 as eliminate. */
static inline int eliminate_two(const double *A, double *x)
{
    const double diagonal = A[0] * A[3], det = diagonal - A[1] * A[2], inv = 1.0 / det;
    const double x_0 = (A[3] * x[0] - A[1] * x[1]) * inv;
    x[1] = (A[0] * x[1] - A[2] * x[0]) * inv;
    x[0] = x_0;
    return A[0] > 0.0 && A[3] > 0.0 && det > PIVOT_LOST * diagonal;
}

void sp_reduced_expand(const sp_problem *p, const sp_reduced *w, double *P)
{
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i];
        P[k] = w->x[w->at_N[i]];
        if (p->set[i].kind == SP_SET_PLANAR) {
            P[k + 1] = w->f_T[i] * w->x[w->at_T[i]];
        }
    }
}

/* Build and eliminate with a size known to the compiler, all in registers and on the stack. */
#define SOLVE_SIZE(m)                                                                              \
    case m: {                                                                                      \
        double A[(m) * (m)], x[m];                                                                 \
        build(m, p, w, A, x);                                                                      \
        done = (m) == 2 ? eliminate_two(A, x) : eliminate(m, A, x);                                \
        memcpy(w->x, x, sizeof x);                                                                 \
        break;                                                                                     \
    }

int sp_reduced_fast(const sp_problem *p, sp_reduced *w)
{
    int done = 0;
    switch (w->m) {
    case 0:
        done = 1;
        break;
        SOLVE_SIZE(1)
        SOLVE_SIZE(2)
        SOLVE_SIZE(3)
        SOLVE_SIZE(4)
        SOLVE_SIZE(5)
        SOLVE_SIZE(6)
        SOLVE_SIZE(7)
        SOLVE_SIZE(8)
    default:
        break;
    }
    return done;
}

/* d_a = 1 / sqrt(G_rr), or of the largest entry of the row where the diagonal is not positive. */
static void scale_unknowns(const sp_problem *p, sp_reduced *w)
{
    for (int a = 0; a < w->m; a++) {
        const double *G = p->G + (size_t)w->r[a] * (size_t)p->ld;
        double size = G[w->r[a]];
        if (!(size > 0.0)) {
            for (int b = 0; b < w->m; b++) {
                size = fabs(G[w->r[b]]) > size ? fabs(G[w->r[b]]) : size;
            }
        }
        w->d[a] = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
    }
}

/* LU = d A d, A_ab as in the header. */
static void scaled_matrix(const sp_problem *p, const sp_reduced *w, double *LU)
{
    for (int a = 0; a < w->m; a++) {
        const double *G = p->G + (size_t)w->r[a] * (size_t)p->ld;
        for (int b = 0; b < w->m; b++) {
            LU[a * w->m + b] = w->d[a] * (G[w->r[b]] + w->f[b] * G[w->t[b]]) * w->d[b];
        }
    }
}

/* b = -d (c + G P) on the rows of the unknowns; returns the largest. */
static double defect(const sp_problem *p, const sp_reduced *w, const double *P, double *b)
{
    double big = 0.0;
    for (int a = 0; a < w->m; a++) {
        const double *G = p->G + (size_t)w->r[a] * (size_t)p->ld;
        double sum = p->c[w->r[a]];
        for (int j = 0; j < p->n; j++) {
            sum += G[j] * P[j];
        }
        b[a] = -w->d[a] * sum;
        big = fabs(b[a]) > big ? fabs(b[a]) : big;
    }
    return big;
}

int sp_reduced_careful(const sp_problem *p, sp_reduced *w, double tol, int from_P, double *P)
{
    const int m = w->m, rounds = 4;
    double last = INFINITY, first = 0.0;
    if (!from_P) {
        memset(P, 0, (size_t)p->n * sizeof *P);
        for (int j = 0; j < w->n_known; j++) {
            P[w->known[j]] = w->x[-2 - j];
        }
    }
    if (m == 0) {
        return 0;
    }
    scale_unknowns(p, w);
    sp_lu_place(&w->lu, m, w->lu_memory);
    scaled_matrix(p, w, w->lu.LU);
    const int rank = sp_lu_factor(&w->lu, tol);
    for (int k = 0; k < rounds; k++) {
        const double now = defect(p, w, P, w->b);
        first = k == 0 ? now : first;
        if (k > 0 && (now <= ROUND_OFF * first || now >= last)) {
            break; /* as good as it gets */
        }
        last = now;
        sp_lu_solve(&w->lu, w->b, w->b);
        for (int a = 0; a < m; a++) {
            w->b[a] *= w->d[a];
        }
        for (int a = 0; a < m; a++) { /* P = P + sum_a (e_r + f e_t) x_a */
            P[w->r[a]] += w->b[a];
            P[w->t[a]] += w->f[a] * w->b[a];
        }
    }
    return m - rank;
}
