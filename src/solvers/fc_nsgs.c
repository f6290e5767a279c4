/* p_i <- solution of contact i alone, with all other p_j fixed, i = 1..n_contact, again and again.
 * The accelerated iterate is moved into the sets and kept only while the sweep's change does not
 * grow. */
#include "solvers/fc_nsgs.h"

#include "solvers/fc_local.h"
#include "solvers/fc_rows.h"

#include <math.h>
#include <string.h>

enum { JUDGE_EVERY = 5, DEPTH = 6 };

/* b = c_i + sum_{j != i} G_ij p_j. */
static inline void gather(const sp_fc_island *l, int i, const double *p, double *b)
{
    const int dim = l->row[i + 1] - l->row[i];
    for (int a = 0; a < dim; a++) {
        b[a] = l->c[l->row[i] + a];
    }
    for (int k = l->start[i]; k < l->start[i + 1]; k++) {
        const int j = l->column[k], cols = l->row[j + 1] - l->row[j];
        const double *G = l->G + l->at[k], *x = p + l->row[j];
        if (j == i) {
            continue;
        }
        if (dim == 3 && cols == 3) {
            b[0] += G[0] * x[0] + G[1] * x[1] + G[2] * x[2];
            b[1] += G[3] * x[0] + G[4] * x[1] + G[5] * x[2];
            b[2] += G[6] * x[0] + G[7] * x[1] + G[8] * x[2];
            continue;
        }
        for (int a = 0; a < dim; a++) {
            for (int e = 0; e < cols; e++) {
                b[a] += G[a * cols + e] * x[e];
            }
        }
    }
}

/* The sweep; threes: all contacts have three rows. */
SP_INLINE double sweep(const sp_fc_island *l, int threes, int backwards, double *p)
{
    double change2 = 0.0;
    for (int m = 0; m < l->n_contact; m++) {
        const int i = backwards ? l->n_contact - 1 - m : m;
        const int k = l->row[i], dim = threes ? 3 : l->row[i + 1] - k;
        double b[SP_SET_DIM_MAX], x[SP_SET_DIM_MAX];
        if (threes) {
            sp_fc_rows3(l, i, 1, 1, p, b);
        } else {
            gather(l, i, p, b);
        }
        for (int a = 0; a < dim; a++) {
            x[a] = p[k + a];
        }
        sp_fc_local(&l->set[i], l->G + l->at[l->diag[i]], l->stick + SP_FC_BLOCK * i, b, x);
        for (int a = 0; a < dim; a++) {
            change2 += (x[a] - p[k + a]) * (x[a] - p[k + a]);
            p[k + a] = x[a];
        }
    }
    return change2;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static double sweep_avx2(const sp_fc_island *l, int backwards,
                                                         double *p)
{
    return sweep(l, 1, backwards, p);
}
#endif

double sp_fc_sweep(const sp_fc_island *l, int backwards, double *p)
{
    if (!l->threes) {
        return sweep(l, 0, backwards, p);
    }
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        return sweep_avx2(l, backwards, p);
    }
#endif
    return sweep(l, 1, backwards, p);
}

int sp_fc_sweeper_place(sp_fc_sweeper *w, const sp_fc_island *l, sp_fc_stack *stack)
{
    w->x = SP_TAKE(stack, double, l->n);
    w->y = SP_TAKE(stack, double, l->n);
    w->u = SP_TAKE(stack, double, l->n);
    w->safe = SP_TAKE(stack, double, l->n);
    return sp_fc_anderson_place(&w->past, l->n, DEPTH, stack);
}

void sp_fc_sweeper_reset(sp_fc_sweeper *w)
{
    sp_fc_anderson_reset(&w->past);
}

double sp_fc_nsgs(const sp_fc_island *l, sp_fc_goal *g, int sweeps, int stall, sp_fc_sweeper *w,
                  double *p, double error)
{
    const size_t bytes = (size_t)l->n * sizeof *p;
    double last2 = INFINITY, mark = error;
    int since = 0, jumped = 0;
    for (int k = 0; k < sweeps && !(error <= g->tol); k++) {
        memcpy(w->y, w->x, bytes);
        const double change2 = sp_fc_sweep(l, 0, w->y);
        g->sweeps++;
        if (jumped && !(change2 <= 4.0 * last2)) { /* the jump was bad: back to the plain iterate */
            memcpy(w->x, w->safe, bytes);
            sp_fc_anderson_restart(&w->past);
            jumped = 0;
            last2 = INFINITY;
            continue;
        }
        last2 = change2;
        if (k % JUDGE_EVERY == JUDGE_EVERY - 1 || k == sweeps - 1 || change2 <= 1e-26) {
            const double now = sp_fc_island_judge(l, g, w->y, w->u);
            if (now < error || error != error) {
                error = now;
                memcpy(p, w->y, bytes);
            }
            since = error < 0.5 * mark ? 0 : since + JUDGE_EVERY;
            mark = since == 0 ? error : mark;
            if ((stall && since >= stall) || change2 == 0.0 || sp_fc_late(g)) {
                break;
            }
        }
        /* the next x: y, or what the acceleration makes of it */
        memcpy(w->safe, w->y, bytes);
        sp_fc_anderson_take(&w->past, w->x, w->y);
        memcpy(w->x, w->y, bytes);
        jumped = sp_fc_anderson_jump(&w->past, w->x);
        if (jumped) {
            sp_fc_island_project(l, w->x);
        }
    }
    return error;
}
