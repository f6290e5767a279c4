/* With x = p - rho u, u = G p + c, every contact is on one piece of the map; its next p is affine
 * in the unknowns z of that piece, p = p_0 + E z, and satisfies T u = 0 in as many rows:
 *
 *     open   p = 0
 *     stick  p = z,                        u = 0
 *     slip   p = (z_1, mu z_1 t + z_2 s),  u_N = 0,  s.u_T + w z_2 = 0
 *
 * t = x_T / |x_T|, s normal to it, w = (|x_T| / (mu x_N) - 1) / rho_T.  This is Newton's step for
 * p_N = max(0, x_N), p_T = mu x_N x_T / max(|x_T|, mu x_N), without the rows that are known. */
#include "solvers/fc_newton.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* Pivots below this part of the largest count as zero in the analysis. */
#define RANK_TOL 1e-9
/* Velocities below this part of what c is worth are none there. */
#define TOUCHING 1e-8

/* How one contact enters the linear system. */
typedef struct piece {
    int m;       /* unknowns                         */
    double E[9]; /* dim x m                          */
    double T[9]; /* m x dim                          */
    double w;    /* added to the last diagonal entry */
} piece;

typedef struct newton_work {
    piece *piece;
    double *p0, *u0;      /* n: fixed part of p, and G p0 + c       */
    double *x, *u, *next; /* n: iterate, its velocity, the next one */
    double *b;            /* right-hand side, then the unknowns     */
} newton_work;

/* piece with m unknowns that are rows of p themselves, from row on. */
static void plain_piece(piece *q, int m)
{
    q->m = m;
    memset(q->E, 0, sizeof q->E);
    memset(q->T, 0, sizeof q->T);
    for (int a = 0; a < m; a++) {
        q->E[a * m + a] = 1.0;
        q->T[a * m + a] = 1.0;
    }
}

/* Slip of a disc in the direction x_T, |x_T| = len > mu x_N. */
static void slip_piece(piece *q, double mu, const double *x, double len, double rho)
{
    const double t1 = x[1] / len, t2 = x[2] / len;
    if (mu * x[0] <= 1e-14 * len) { /* z_2 = 0 */
        const double E[3] = {1.0, mu * t1, mu * t2}, T[3] = {1.0, 0.0, 0.0};
        q->m = 1;
        memcpy(q->E, E, sizeof E);
        memcpy(q->T, T, sizeof T);
        return;
    }
    const double E[6] = {1.0, 0.0, mu * t1, -t2, mu * t2, t1};
    const double T[6] = {1.0, 0.0, 0.0, 0.0, -t2, t1};
    q->m = 2;
    q->w = (len / (mu * x[0]) - 1.0) / rho;
    memcpy(q->E, E, sizeof E);
    memcpy(q->T, T, sizeof T);
}

/* Slip of a planar contact: p_T = +- mu p_N. */
static void planar_slip_piece(piece *q, double mu, double x_T)
{
    const double E[2] = {1.0, x_T > 0.0 ? mu : -mu}, T[2] = {1.0, 0.0};
    q->m = 1;
    memcpy(q->E, E, sizeof E);
    memcpy(q->T, T, sizeof T);
}

/* Prox parameters of contact i. */
static void parameters(const sp_fc_island *l, int i, double *rho_N, double *rho_T)
{
    const int dim = l->row[i + 1] - l->row[i];
    const double *G = l->G + l->at[l->diag[i]];
    const double N = fabs(G[0]);
    const double T = dim == 3 ? 0.5 * fabs(G[4] + G[8]) : dim == 2 ? fabs(G[3]) : N;
    *rho_N = N > 1e-12 ? 1.0 / N : 1.0;
    *rho_T = T > 1e-12 ? 1.0 / T : 1.0;
}

/* Which piece contact i is on, and its fixed part p0. */
static void choose_piece(const sp_fc_island *l, int i, const double *p, const double *u, piece *q,
                         double *p0)
{
    const sp_set *s = &l->set[i];
    const int dim = l->row[i + 1] - l->row[i];
    double rho_N, rho_T, x[SP_SET_DIM_MAX];
    parameters(l, i, &rho_N, &rho_T);
    for (int a = 0; a < dim; a++) {
        p0[a] = s->shifted ? s->shift[a] : 0.0;
        x[a] = p[a] - p0[a] - (a ? rho_T : rho_N) * u[a];
    }
    q->w = 0.0;
    if (s->kind == SP_SET_FREE || (s->kind == SP_SET_INTERVAL && s->lo <= x[0] && x[0] <= s->hi)) {
        plain_piece(q, 1);
    } else if (s->kind == SP_SET_INTERVAL) {
        q->m = 0;
        p0[0] += x[0] < s->lo ? s->lo : s->hi;
    } else if (!(x[0] > 0.0)) {
        q->m = 0;
    } else if (s->kind == SP_SET_HALF_LINE) {
        plain_piece(q, 1);
    } else {
        const double len = dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
        if (len <= s->mu * x[0]) {
            plain_piece(q, dim);
        } else if (dim == 3) {
            slip_piece(q, s->mu, x, len, rho_T);
        } else {
            planar_slip_piece(q, s->mu, x[1]);
        }
    }
}

/* B = T_i G_ij E_j  (m_i x m_j). */
static void reduce_block(const piece *i, const piece *j, int dim, int cols, const double *G,
                         double *B)
{
    double GE[9];
    for (int a = 0; a < dim; a++) {
        for (int e = 0; e < j->m; e++) {
            double sum = 0.0;
            for (int b = 0; b < cols; b++) {
                sum += G[a * cols + b] * j->E[b * j->m + e];
            }
            GE[a * j->m + e] = sum;
        }
    }
    for (int r = 0; r < i->m; r++) {
        for (int e = 0; e < j->m; e++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += i->T[r * dim + a] * GE[a * j->m + e];
            }
            B[r * j->m + e] = sum;
        }
    }
}

/* The system of the pieces:  (T G E + alpha + w) z = -T (u0 - alpha (p_k - p0)). */
static void assemble(const sp_fc_island *l, const newton_work *w, sp_fc_linear *s, double alpha)
{
    for (int i = 0; i < l->n_contact; i++) {
        const piece *q = &w->piece[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int b = l->start[i]; q->m && b < l->start[i + 1]; b++) {
            const int j = l->column[b];
            if (w->piece[j].m) {
                reduce_block(q, &w->piece[j], dim, l->row[j + 1] - l->row[j], l->G + l->at[b],
                             s->block + l->at[b]);
            }
        }
        double *diagonal = s->block + l->at[l->diag[i]];
        for (int r = 0; r < q->m; r++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += q->T[r * dim + a] * (w->u0[k + a] - alpha * (w->x[k + a] - w->p0[k + a]));
            }
            w->b[s->first[i] + r] = -sum;
            diagonal[r * q->m + r] += alpha + (r == 1 && q->m == 2 && dim == 3 ? q->w : 0.0);
        }
    }
}

/* p = p0 + E z. */
static void expand(const sp_fc_island *l, const newton_work *w, const sp_fc_linear *s, double *p)
{
    for (int i = 0; i < l->n_contact; i++) {
        const piece *q = &w->piece[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int a = 0; a < dim; a++) {
            p[k + a] = w->p0[k + a];
            for (int e = 0; e < q->m; e++) {
                p[k + a] += q->E[a * q->m + e] * w->b[s->first[i] + e];
            }
        }
    }
}

/* The pieces of all contacts for x and its velocity u. */
static void choose_pieces(const sp_fc_island *l, const newton_work *w, sp_fc_linear *s)
{
    for (int i = 0; i < l->n_contact; i++) {
        choose_piece(l, i, w->x + l->row[i], w->u + l->row[i], &w->piece[i], w->p0 + l->row[i]);
        s->m[i] = w->piece[i].m;
    }
}

/* One step from x with velocity u to next; 0 if the matrix is singular. */
static int step(const sp_fc_island *l, newton_work *w, sp_fc_linear *s, double alpha)
{
    int fixed = 0;
    choose_pieces(l, w, s);
    for (int k = 0; k < l->n; k++) {
        fixed |= w->p0[k] != 0.0;
    }
    if (fixed) {
        sp_fc_island_velocity(l, w->p0, w->u0);
    } else {
        memcpy(w->u0, l->c, (size_t)l->n * sizeof *w->u0);
    }
    sp_fc_linear_count(s);
    assemble(l, w, s, alpha);
    if (!(sp_fc_linear_factor(s) > 1e-18)) {
        return 0;
    }
    sp_fc_linear_solve(s, w->b);
    expand(l, w, s, w->next);
    return 1;
}

/* Memory of a step. */
static newton_work place(const sp_fc_island *l, sp_fc_stack *stack)
{
    const size_t n = (size_t)l->n;
    const newton_work w = {SP_TAKE(stack, piece, l->n_contact),
                           SP_TAKE(stack, double, n),
                           SP_TAKE(stack, double, n),
                           SP_TAKE(stack, double, n),
                           SP_TAKE(stack, double, n),
                           SP_TAKE(stack, double, n),
                           SP_TAKE(stack, double, n)};
    return w;
}

/* The rank of the rows x cols matrix A (row-major); its own memory from the stack. */
static int rank_of(int rows, int cols, const double *A, sp_fc_stack *stack)
{
    const int n = rows > cols ? rows : cols;
    sp_lu f;
    void *memory = SP_TAKE(stack, char, sp_lu_bytes(n));
    if (stack->failed || n == 0) {
        return 0;
    }
    sp_lu_place(&f, n, memory);
    memset(f.LU, 0, (size_t)n * (size_t)n * sizeof *f.LU);
    for (int i = 0; i < rows; i++) {
        memcpy(f.LU + (size_t)i * (size_t)n, A + (size_t)i * (size_t)cols,
               (size_t)cols * sizeof *A);
    }
    return sp_lu_factor(&f, RANK_TOL);
}

/* Dense T G E + w (into A, m x m) and G E (into B, n x m). */
static void dense_blocks(const sp_fc_island *l, const newton_work *w, const sp_fc_linear *s,
                         double *A, double *B)
{
    const size_t m = (size_t)s->n;
    memset(A, 0, m * m * sizeof *A);
    memset(B, 0, (size_t)l->n * m * sizeof *B);
    for (int i = 0; i < l->n_contact; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b], cols = l->row[j + 1] - l->row[j], mj = s->m[j];
            for (int e = 0; e < s->m[i] * mj; e++) {
                A[(size_t)(s->first[i] + e / mj) * m + (size_t)(s->first[j] + e % mj)] =
                    s->block[l->at[b] + e];
            }
            for (int e = 0; e < (l->row[i + 1] - l->row[i]) * mj; e++) {
                double sum = 0.0;
                for (int k = 0; k < cols; k++) {
                    sum += l->G[l->at[b] + e / mj * cols + k] * w->piece[j].E[k * mj + e % mj];
                }
                B[(size_t)(l->row[i] + e / mj) * m + (size_t)(s->first[j] + e % mj)] = sum;
            }
        }
    }
}

int sp_fc_newton_rank(const sp_fc_island *l, const double *p, sp_fc_linear *s, int *lost,
                      int *motion, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    newton_work w = place(l, stack);
    double *A = SP_TAKE(stack, double, (size_t)l->n *(size_t)l->n);
    double *B = SP_TAKE(stack, double, (size_t)l->n *(size_t)l->n);
    if (stack->failed) {
        return 0;
    }
    memcpy(w.x, p, (size_t)l->n * sizeof *p);
    sp_fc_island_velocity(l, w.x, w.u);
    for (int i = 0; i < l->n_contact; i++) { /* what stands still without force could carry some */
        double *u = w.u + l->row[i];
        u[0] -= fabs(u[0]) <= TOUCHING * l->worth ? 2.0 * TOUCHING * l->worth : 0.0;
    }
    choose_pieces(l, &w, s);
    memset(w.u0, 0, (size_t)l->n * sizeof *w.u0);
    sp_fc_linear_count(s);
    assemble(l, &w, s, 0.0);
    dense_blocks(l, &w, s, A, B);
    *lost = s->n - rank_of(s->n, s->n, A, stack);
    *motion = *lost == 0 || *lost == s->n - rank_of(l->n, s->n, B, stack);
    sp_fc_release(stack, mark);
    return !stack->failed;
}

double sp_fc_newton(const sp_fc_island *l, sp_fc_goal *g, sp_fc_linear *s, double alpha, int steps,
                    int patience, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n, bytes = n * sizeof *p;
    newton_work w = place(l, stack);
    if (stack->failed) {
        return NAN;
    }
    memcpy(w.x, p, bytes);
    double error = sp_fc_island_judge(l, g, w.x, w.u);
    for (int k = 0, waited = 0; k < steps && waited < patience && !(error <= g->tol); k++) {
        g->steps++;
        g->factorisations++;
        if (!step(l, &w, s, alpha)) {
            break;
        }
        memcpy(w.x, w.next, bytes);
        sp_fc_island_velocity(l, w.x, w.u);
        sp_fc_island_project(l, w.next);
        double *u = w.u0; /* free between steps */
        const double now = sp_fc_island_judge(l, g, w.next, u);
        waited++;
        if (now < error) {
            waited = now < 0.5 * error ? 0 : waited;
            error = now;
            memcpy(p, w.next, bytes);
        }
        if (sp_fc_late(g)) {
            break;
        }
    }
    sp_fc_release(stack, mark);
    return error;
}
