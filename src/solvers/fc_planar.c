/* Small islands in the plane: the pivoting methods of solve.c on the dense matrix. */
#include "solvers/fc_method.h"

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 24 };

/* Sets that sp_solve can take. */
static int fits(const sp_fc_island *l)
{
    for (int i = 0; i < l->n_contact; i++) {
        if (l->set[i].kind > SP_SET_PLANAR || l->set[i].shifted) {
            return 0;
        }
    }
    return l->n_contact <= MOST_CONTACTS;
}

/* The island's matrix as a dense one. */
static void fill(const sp_fc_island *l, double *G)
{
    const size_t n = (size_t)l->n;
    memset(G, 0, n * n * sizeof *G);
    for (int i = 0; i < l->n_contact; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b], cols = l->row[j + 1] - l->row[j];
            for (int a = l->row[i]; a < l->row[i + 1]; a++) {
                memcpy(G + (size_t)a * n + l->row[j], l->G + l->at[b] + (a - l->row[i]) * cols,
                       (size_t)cols * sizeof *G);
            }
        }
    }
}

/* Pivoting from scratch; p and its error if it is better. */
static double pivot(const sp_fc_island *l, sp_fc_goal *g, double *u, double error, double *p,
                    sp_fc_stack *stack)
{
    const size_t n = (size_t)l->n;
    double *G = SP_TAKE(stack, double, n *n), *P = SP_TAKE(stack, double, n);
    unsigned char *status = SP_TAKE(stack, unsigned char, l->n_contact);
    char *work = SP_TAKE(stack, char, sp_solve_work(l->n_contact, l->n));
    if (stack->failed) {
        return NAN;
    }
    fill(l, G);
    memset(status, SP_STATUS_UNKNOWN, (size_t)l->n_contact);
    memset(P, 0, n * sizeof *P);
    sp_problem q;
    memset(&q, 0, sizeof q);
    q.n_contact = l->n_contact;
    q.n = q.ld = l->n;
    q.set = l->set;
    q.row = l->row;
    q.G = G;
    q.c = l->c;
    sp_solution s;
    memset(&s, 0, sizeof s);
    s.P = P;
    s.status = status;
    const sp_status end = sp_solve(&q, &s, work, NULL);
    g->steps += 1 + s.pivots;
    const double now = end == SP_E_INFEASIBLE ? INFINITY : sp_fc_island_judge(l, g, P, u);
    if (now < error) {
        memcpy(p, P, n * sizeof *p);
        return now;
    }
    return error;
}

double sp_fc_solve_planar(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    double *u = SP_TAKE(stack, double, l->n);
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, u);
    if (fits(l) && !(error <= g->tol)) {
        error = pivot(l, g, u, error, p, stack);
    }
    sp_fc_release(stack, mark);
    return error;
}
