/* A step: every contact on its piece, see fc_piece.h, one linear system for the unknowns of all,
 * and the rows that are known left out.  Without the alpha it is Newton's step for p_N = max(0,
 * x_N), p_T = mu x_N x_T / max(|x_T|, mu x_N), x = p - rho u. */
#include "solvers/fc_newton.h"

#include "math/dense.h"
#include "solvers/fc_piece.h"

#include <math.h>
#include <string.h>

/* Pivots below this part of the largest count as zero in the analysis. */
#define RANK_TOL 1e-9
/* Velocities below this part of what c is worth are none there. */
#define TOUCHING 1e-8

typedef struct newton_work {
    sp_fc_piece *piece;
    double *p0, *u0;      /* n: fixed part of p, and G p0 + c       */
    double *x, *u, *next; /* n: iterate, its velocity, the next one */
    double *b;            /* right-hand side, then the unknowns     */
} newton_work;

/* The system of the pieces:  (T G E + alpha + w) z = -T (u0 - alpha (p_k - p0)). */
static void assemble(const sp_fc_island *l, const newton_work *w, sp_fc_linear *s, double alpha)
{
    for (int i = 0; i < l->n_contact; i++) {
        const sp_fc_piece *q = &w->piece[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int b = l->start[i]; q->m && b < l->start[i + 1]; b++) {
            const int j = l->column[b];
            if (w->piece[j].m) {
                sp_fc_piece_reduce(q, &w->piece[j], dim, l->row[j + 1] - l->row[j], l->G + l->at[b],
                                   s->block + l->at[b], w->piece[j].m);
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
        const sp_fc_piece *q = &w->piece[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int a = 0; a < dim; a++) {
            p[k + a] = w->p0[k + a];
            for (int e = 0; e < q->m; e++) {
                p[k + a] += q->E[a * q->m + e] * w->b[s->first[i] + e];
            }
        }
    }
}

/* The pieces of all contacts for x and its velocity u, or of a guess if there is one. */
static void choose_pieces(const sp_fc_island *l, const newton_work *w, const unsigned char *guess,
                          sp_fc_linear *s)
{
    for (int i = 0; i < l->n_contact; i++) {
        sp_fc_piece_choose(&l->set[i], l->G + l->at[l->diag[i]],
                           guess ? guess[i] : SP_STATUS_UNKNOWN, w->x + l->row[i], w->u + l->row[i],
                           &w->piece[i], w->p0 + l->row[i]);
        s->m[i] = w->piece[i].m;
    }
}

/* One step from x with velocity u to next; 0 if the matrix is singular. */
static int step(const sp_fc_island *l, newton_work *w, const unsigned char *guess, sp_fc_linear *s,
                double alpha)
{
    int fixed = 0;
    choose_pieces(l, w, guess, s);
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
    const newton_work w = {SP_TAKE(stack, sp_fc_piece, l->n_contact),
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
    choose_pieces(l, &w, NULL, s);
    memset(w.u0, 0, (size_t)l->n * sizeof *w.u0);
    sp_fc_linear_count(s);
    assemble(l, &w, s, 0.0);
    dense_blocks(l, &w, s, A, B);
    *lost = s->n - rank_of(s->n, s->n, A, stack);
    *motion = *lost == 0 || *lost == s->n - rank_of(l->n, s->n, B, stack);
    sp_fc_release(stack, mark);
    return !stack->failed;
}

double sp_fc_newton(const sp_fc_island *l, sp_fc_goal *g, sp_fc_linear *s,
                    const sp_fc_newton_plan *plan, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n, bytes = n * sizeof *p;
    newton_work w = place(l, stack);
    if (stack->failed) {
        return NAN;
    }
    memcpy(w.x, p, bytes);
    double error = sp_fc_island_judge(l, g, w.x, w.u);
    for (int k = 0, waited = 0; k < plan->steps && waited < plan->patience && !(error <= g->tol);
         k++) {
        g->steps++;
        g->factorisations++;
        if (!step(l, &w, k == 0 ? plan->guess : NULL, s, plan->alpha)) {
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
