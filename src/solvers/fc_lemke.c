/* The friction cone as a pyramid of K faces, and Lemke's method on the linear complementarity
 * problem that is left; P_T = D b, b >= 0, the columns of D evenly round the circle:
 *
 *     w_N = xi_N,   w_b = D'xi_T + sigma,   w_sigma = mu P_N - sum b      perp  P_N, b, sigma
 *
 * P_N is right to about 1/K^2; a few Newton steps from there give the law of the true cone. */
#include "solvers/fc_linear.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"
#include "solvers/lemke.h"

#include <math.h>
#include <string.h>

enum { FACES = 8, MOST_PAIRS = 400, POLISH_STEPS = 20 };

/* A column of z moves these rows of p of one contact; a row of w reads these of xi. */
typedef struct pair {
    int contact;
    double dir[3]; /* for N: (1, 0, 0); for b: (0, D); for sigma: zero */
    int sigma;     /* pair of the contact's sigma, -1: none            */
} pair;

/* Faces of a contact's pyramid. */
static int faces(const sp_set *s)
{
    return s->mu == 0.0 || s->kind == SP_SET_HALF_LINE ? 0 : s->kind == SP_SET_DISC ? FACES : 2;
}

/* 1 if the method can take the island. */
static int fits(const sp_fc_island *l, int *m, int *n_free)
{
    *m = *n_free = 0;
    for (int i = 0; i < l->n_contact; i++) {
        if (l->set[i].kind == SP_SET_INTERVAL || l->set[i].shifted) {
            return 0;
        }
        const int f = faces(&l->set[i]);
        *n_free += l->set[i].kind == SP_SET_FREE;
        *m += l->set[i].kind == SP_SET_FREE ? 0 : f ? 2 + f : 1;
    }
    return *m > 0 && *m + *n_free <= MOST_PAIRS;
}

/* The pairs in turn, then the free rows. */
static void number_pairs(const sp_fc_island *l, int m, pair *q)
{
    int k = 0, free_row = m;
    for (int i = 0; i < l->n_contact; i++) {
        const int f = faces(&l->set[i]), dim = l->row[i + 1] - l->row[i];
        const pair normal = {i, {1.0, 0.0, 0.0}, f ? k + 1 + f : -1};
        if (l->set[i].kind == SP_SET_FREE) {
            q[free_row++] = normal;
            continue;
        }
        q[k++] = normal;
        for (int e = 0; e < f; e++) {
            const double angle = 2.0 * 3.14159265358979323846 * e / f;
            q[k] = (pair){i, {0.0, cos(angle), dim == 3 ? sin(angle) : 0.0}, normal.sigma};
            k++;
        }
        if (f) {
            q[k++] = (pair){i, {0.0, 0.0, 0.0}, -1};
        }
    }
}

/* dir_a' G_ij dir_b, over the block of the pair's contacts. */
static double coefficient(const sp_fc_island *l, const pair *a, const pair *b, const double *G)
{
    const int dim = l->row[a->contact + 1] - l->row[a->contact];
    const int cols = l->row[b->contact + 1] - l->row[b->contact];
    double sum = 0.0;
    for (int r = 0; r < dim; r++) {
        for (int e = 0; e < cols; e++) {
            sum += a->dir[r] * G[r * cols + e] * b->dir[e];
        }
    }
    return sum;
}

/* Dictionary: row and column of pair k (free rows: after z0). */
static void fill(const sp_fc_island *l, int m, int n_free, const pair *q, double scale, sp_lemke *t)
{
    for (int r = 0; r < m + n_free; r++) {
        double *row = t->T + (size_t)r * (size_t)t->ld;
        const pair *a = &q[r];
        const int k = l->row[a->contact], dim = l->row[a->contact + 1] - k;
        for (int e = 0; e < dim; e++) {
            t->beta[r] += a->dir[e] * l->c[k + e] / scale;
        }
        for (int b = l->start[a->contact]; b < l->start[a->contact + 1]; b++) {
            for (int e = 0; e < m + n_free; e++) {
                if (q[e].contact == l->column[b]) {
                    row[e < m ? e : e + 1] += coefficient(l, a, &q[e], l->G + l->at[b]);
                }
            }
        }
        if (r < m && a->sigma >= 0 && a->dir[0] == 0.0) { /* w_b and w_sigma */
            row[a->sigma] += 1.0;
            t->T[(size_t)a->sigma * (size_t)t->ld + (size_t)r] -= 1.0;
        } else if (r < m && a->sigma >= 0) {
            t->T[(size_t)a->sigma * (size_t)t->ld + (size_t)r] += l->set[a->contact].mu;
        }
    }
}

/* p from the end of the dictionary. */
static void read_off(const sp_fc_island *l, int m, int n_free, const pair *q, double scale,
                     const sp_lemke *t, double *p)
{
    memset(p, 0, (size_t)l->n * sizeof *p);
    for (int r = 0; r < m + n_free; r++) {
        const double z = scale * sp_lemke_value(t, r < m ? m + r : m + 1 + r);
        const int k = l->row[q[r].contact];
        for (int e = 0; e < l->row[q[r].contact + 1] - k; e++) {
            p[k + e] += q[r].dir[e] * z;
        }
    }
    sp_fc_island_project(l, p);
}

double sp_fc_solve_lemke(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    int m, n_free;
    double *trial = SP_TAKE(stack, double, l->n), *u = SP_TAKE(stack, double, l->n);
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, u);
    if (fits(l, &m, &n_free) && !(error <= g->tol)) {
        sp_lemke t;
        sp_fc_linear s;
        pair *q = SP_TAKE(stack, pair, m + n_free);
        void *memory = SP_TAKE(stack, char, sp_lemke_bytes(m + n_free));
        if (!sp_fc_linear_prepare(l, 1e9, stack, &s) || stack->failed) {
            return NAN;
        }
        number_pairs(l, m, q);
        sp_lemke_start(&t, m, n_free, memory);
        fill(l, m, n_free, q, l->worth, &t);
        sp_lemke_eliminate_free(&t, 1e-11);
        sp_lemke_solve(&t, 1e-11, 50 * (m + n_free) + 100);
        g->steps += t.pivots;
        read_off(l, m, n_free, q, l->worth, &t, trial);
        double now = sp_fc_island_judge(l, g, trial, u);
        static const double alpha[2] = {1e-9, 1e-4};
        for (int k = 0; k < 2 && !(now <= g->tol); k++) {
            now = sp_fc_newton(l, g, &s, alpha[k], POLISH_STEPS, 6, trial, stack);
        }
        if (now < error) {
            error = now;
            memcpy(p, trial, (size_t)l->n * sizeof *p);
        }
    }
    sp_fc_release(stack, mark);
    return error;
}
