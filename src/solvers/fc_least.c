/* Where many contacts depend on each other, there are forces that hardly change any velocity.  For
 * the last digits Newton's method goes far along them and leaves the cones, alternating directions
 * creep.  Damped Gauss-Newton steps on what FCLIB measures, in the units of the file,
 *
 *     f = P - prox_K(P - xi~),  xi~_N = xi_N + mu |xi_T|,     (J'J + w^2) dP = -J'f    (29.3)
 *
 * take what can be had without such forces. */
#include "solvers/fc_least.h"

#include "solvers/fc_dense.h"
#include "solvers/problem.h"

#include <math.h>
#include <string.h>

enum { STEPS = 4, TRIALS = 4 };

typedef struct least_work {
    int *first;       /* n_contact: its unknowns, -1: open                 */
    int n, ld;        /* unknowns                                          */
    double *H, *b;    /* n x n lower triangle, n, n                        */
    double *p, *u;    /* of the island: iterate                            */
    int *column;      /* of a row: unknowns it depends on                  */
    double *value, f; /* and how, and what it lacks                        */
    int count;
} least_work;

/* 1 if the method knows all sets. */
static int knows(const sp_fc_island *l)
{
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &l->set[i];
        if (s->shifted || (s->kind != SP_SET_DISC && s->kind != SP_SET_PLANAR &&
                           s->kind != SP_SET_HALF_LINE && s->kind != SP_SET_FREE)) {
            return 0;
        }
    }
    return 1;
}

/* The map of one contact at P and xi (dim rows): f, D = prox' and U = xi~'; 0 if it is open. */
static int differentiate(const sp_set *s, int dim, const double *P, const double *xi, double *f,
                         double *D, double *U)
{
    double x[3], slip = 0.0, length = 0.0;
    for (int a = 0; a < dim; a++) {
        f[a] = x[a] = P[a] - xi[a];
        slip = a ? hypot(slip, xi[a]) : 0.0;
        length = a ? hypot(length, x[a]) : 0.0;
        for (int b = 0; b < dim; b++) {
            D[a * dim + b] = U[a * dim + b] = a == b;
        }
    }
    const double mu = dim > 1 ? s->mu : 0.0, over = x[0] - mu * slip;
    f[0] = over;
    for (int a = 1; a < dim && slip > 0.0; a++) {
        U[a] = mu * xi[a] / slip;
    }
    const int free = s->kind == SP_SET_FREE;
    if (!free && mu * length <= -over) {
        return 0;
    }
    if (!free && length > mu * over) {
        const double g0 = (over + mu * length) / (1.0 + mu * mu);
        double g[3] = {1.0, 0.0, 0.0}, t[3] = {0.0, 0.0, 0.0};
        for (int a = 1; a < dim; a++) {
            t[a] = x[a] / length;
            g[a] = mu * t[a];
        }
        for (int a = 0; a < dim; a++) {
            f[a] = g0 * g[a];
            for (int b = 0; b < dim; b++) {
                const double round = a && b ? (a == b) - t[a] * t[b] : 0.0;
                D[a * dim + b] = g[a] * g[b] / (1.0 + mu * mu) + mu * g0 / length * round;
            }
        }
    }
    for (int a = 0; a < dim; a++) {
        f[a] = P[a] - f[a];
    }
    return 1;
}

/* P and xi of contact i in the units of the file; returns its rows. */
static int values_of(const sp_fc_island *l, const least_work *w, int i, double *P, double *xi)
{
    const int k = l->row[i], dim = l->row[i + 1] - k;
    for (int a = 0; a < dim; a++) {
        P[a] = l->d[i] * w->p[k + a];
        xi[a] = w->u[k + a] / l->d[i];
    }
    return dim;
}

/* Number the unknowns of the contacts that are closed. */
static void number(const sp_fc_island *l, least_work *w)
{
    sp_fc_island_velocity(l, w->p, w->u);
    w->n = 0;
    for (int i = 0; i < l->n_contact; i++) {
        double P[3], xi[3], f[3], D[9], U[9];
        const int dim = values_of(l, w, i, P, xi);
        const int closed = differentiate(&l->set[i], dim, P, xi, f, D, U);
        w->first[i] = closed ? w->n : -1;
        w->n += closed ? dim : 0;
    }
    w->ld = sp_fc_padded(w->n);
}

/* Begin a row with the derivative of weight . xi of contact i, in the units of the file. */
static void begin_row(const sp_fc_island *l, least_work *w, int i, const double *weight)
{
    const int dim = l->row[i + 1] - l->row[i];
    w->count = 0;
    for (int b = l->start[i]; b < l->start[i + 1]; b++) {
        const int j = l->column[b], cols = l->row[j + 1] - l->row[j];
        const double *G = l->G + l->at[b], unit = 1.0 / (l->d[i] * l->d[j]);
        for (int e = 0; w->first[j] >= 0 && e < cols; e++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += weight[a] * G[a * cols + e];
            }
            w->column[w->count] = w->first[j] + e;
            w->value[w->count++] = unit * sum;
        }
    }
}

/* Add to the derivative by component a of contact i's own percussion. */
static void add_own(least_work *w, int i, int a, double value)
{
    for (int k = 0; k < w->count; k++) {
        w->value[k] += w->column[k] == w->first[i] + a ? value : 0.0;
    }
}

/* Add the row to J'J and -J'f. */
static void end_row(least_work *w)
{
    for (int k = 0; k < w->count; k++) {
        double *row = w->H + (size_t)w->column[k] * (size_t)w->ld;
        for (int e = 0; e < w->count; e++) {
            if (w->column[e] <= w->column[k]) {
                row[w->column[e]] += w->value[k] * w->value[e];
            }
        }
        w->b[w->column[k]] -= w->value[k] * w->f;
    }
}

/* Rows of a closed contact: J = 1 - D (1 - U G). */
static void add_contact(const sp_fc_island *l, least_work *w, int i)
{
    double P[3], xi[3], f[3], D[9], U[9];
    const int dim = values_of(l, w, i, P, xi);
    differentiate(&l->set[i], dim, P, xi, f, D, U);
    for (int a = 0; a < dim; a++) {
        double weight[3] = {0};
        for (int b = 0; b < dim; b++) {
            for (int e = 0; e < dim; e++) {
                weight[e] += D[a * dim + b] * U[b * dim + e];
            }
        }
        begin_row(l, w, i, weight);
        for (int b = 0; b < dim; b++) {
            add_own(w, i, b, (a == b) - D[a * dim + b]);
        }
        w->f = f[a];
        end_row(w);
    }
}

/* J'J + w^2 and -J'f of all rows. */
static void assemble(const sp_fc_island *l, least_work *w, double damping)
{
    memset(w->H, 0, (size_t)w->n * (size_t)w->ld * sizeof *w->H);
    memset(w->b, 0, (size_t)w->n * sizeof *w->b);
    for (int i = 0; i < l->n_contact; i++) {
        if (w->first[i] >= 0) {
            add_contact(l, w, i);
        }
    }
    for (int k = 0; k < w->n; k++) {
        w->H[(size_t)k * (size_t)w->ld + (size_t)k] += damping * damping;
    }
}

/* One step of the iterate; 0 if there is none. */
static int step(const sp_fc_island *l, sp_fc_goal *g, least_work *w, double damping)
{
    number(l, w);
    assemble(l, w, damping);
    g->steps++;
    g->factorisations++;
    if (w->n == 0 || !(sp_fc_cholesky(w->n, w->H) > 0.0)) {
        return 0;
    }
    sp_fc_cholesky_solve(w->n, w->H, w->b);
    for (int i = 0; i < l->n_contact; i++) {
        for (int a = l->row[i]; a < l->row[i + 1]; a++) {
            w->p[a] = w->first[i] < 0 ? 0.0 : w->p[a] + w->b[w->first[i] + a - l->row[i]] / l->d[i];
        }
    }
    sp_fc_island_project(l, w->p);
    return 1;
}

/* Steps with this damping from p as long as they help. */
static double descend(const sp_fc_island *l, sp_fc_goal *g, least_work *w, double damping,
                      double error, double *p)
{
    const size_t bytes = (size_t)l->n * sizeof *p;
    memcpy(w->p, p, bytes);
    for (int k = 0; k < STEPS && error > g->tol && step(l, g, w, damping); k++) {
        const double now = sp_fc_island_judge(l, g, w->p, w->u);
        if (!(now < error)) {
            break;
        }
        memcpy(p, w->p, bytes);
        error = now;
    }
    return error;
}

double sp_fc_least(const sp_fc_island *l, sp_fc_goal *g, double error, double *p,
                   sp_fc_stack *stack)
{
    static const double part[TRIALS] = {1e-5, 1e-6, 1e-7, 1e-4};
    const sp_fc_mark mark = sp_fc_note(stack);
    if (g->measure != SP_FC_FCLIB || l->n_contact > SP_FC_LEAST || !knows(l)) {
        return error;
    }
    const size_t n = (size_t)l->n;
    least_work w = {.first = SP_TAKE(stack, int, l->n_contact),
                    .H = SP_TAKE(stack, double, n *(size_t)sp_fc_padded(l->n)),
                    .b = SP_TAKE(stack, double, n),
                    .p = SP_TAKE(stack, double, n),
                    .u = SP_TAKE(stack, double, n),
                    .column = SP_TAKE(stack, int, n),
                    .value = SP_TAKE(stack, double, n)};
    double diagonal = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        diagonal = sp_fc_larger(diagonal, 1.0 / (l->d[i] * l->d[i]));
    }
    for (int k = 0; k < TRIALS && error > g->tol && !stack->failed && !sp_fc_late(g); k++) {
        error = descend(l, g, &w, part[k] * diagonal, error, p);
    }
    sp_fc_release(stack, mark);
    return stack->failed ? NAN : error;
}
