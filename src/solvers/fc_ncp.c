/* Newton on NCP functions: with phi(a, b) = sqrt(a^2 + b^2) - a - b (Fischer and Burmeister, zero
 * if and only if 0 <= a perp b >= 0) and the slip speed sigma_i as an unknown,
 *
 *     phi(p_N, u_N) = 0,   phi(mu^2 p_N^2 - |p_T|^2, sigma) = 0,   mu p_N u_T + sigma p_T = 0
 *
 * The quadratic rows are divided by the size of p.  Damped by a line search on |R|^2 and a little
 * added to a singular matrix.  For comparison; islands of up to 60 contacts. */
#include "solvers/fc_dense.h"
#include "solvers/fc_method.h"

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 60, STEPS = 60, HALVINGS = 10 };

typedef struct ncp_work {
    int n;                 /* unknowns: p, then sigma of every contact */
    double *X, *R, *trial; /* n                                        */
    double *J, *u;         /* n x padded(n); rows of the island        */
    int *pivot;
    double unit; /* size of p */
} ncp_work;

/* phi and its derivatives; at (0, 0) those of the direction (1, 1). */
static double phi(double a, double b, double *da, double *db)
{
    const double root = hypot(a, b);
    *da = root > 0.0 ? a / root - 1.0 : 0.70710678118654752 - 1.0;
    *db = root > 0.0 ? b / root - 1.0 : 0.70710678118654752 - 1.0;
    return root - a - b;
}

/* row <- row + f (row of d u_k / d p). */
static void add_gradient(const sp_fc_island *l, int i, int a, double f, double *row)
{
    for (int b = l->start[i]; b < l->start[i + 1]; b++) {
        const int j = l->column[b], cols = l->row[j + 1] - l->row[j];
        for (int e = 0; e < cols; e++) {
            row[l->row[j] + e] += f * l->G[l->at[b] + a * cols + e];
        }
    }
}

/* Rows of a contact with friction. */
static void friction_rows(const sp_fc_island *l, ncp_work *w, int i, const double *X, int with_J)
{
    const int k = l->row[i], dim = l->row[i + 1] - k, ld = sp_fc_padded(w->n), S = l->n + i;
    const double mu = l->set[i].mu, N = X[k], sigma = X[S];
    double cone = mu * mu * N * N, da, db;
    for (int a = 1; a < dim; a++) {
        cone -= X[k + a] * X[k + a];
    }
    if (mu == 0.0) { /* p_T = 0, sigma = 0 */
        for (int a = 1; a <= dim; a++) {
            const int r = a < dim ? k + a : S;
            w->R[r] = X[r];
            if (with_J) {
                w->J[(size_t)r * (size_t)ld + (size_t)r] = 1.0;
            }
        }
        return;
    }
    w->R[S] = phi(cone / w->unit, sigma, &da, &db);
    for (int a = 1; a < dim; a++) {
        w->R[k + a] = (mu * N * w->u[k + a] + sigma * X[k + a]) / w->unit;
    }
    if (!with_J) {
        return;
    }
    double *row = w->J + (size_t)S * (size_t)ld;
    row[k] = da * 2.0 * mu * mu * N / w->unit;
    row[S] = db;
    for (int a = 1; a < dim; a++) {
        row[k + a] = -da * 2.0 * X[k + a] / w->unit;
        double *slip = w->J + (size_t)(k + a) * (size_t)ld;
        add_gradient(l, i, a, mu * N / w->unit, slip);
        slip[k] += mu * w->u[k + a] / w->unit;
        slip[k + a] += sigma / w->unit;
        slip[S] += X[k + a] / w->unit;
    }
}

/* R(X), and J if asked for; returns |R|^2. */
static double residual(const sp_fc_island *l, ncp_work *w, const double *X, int with_J)
{
    const int ld = sp_fc_padded(w->n);
    double sum = 0.0;
    sp_fc_island_velocity(l, X, w->u);
    if (with_J) {
        memset(w->J, 0, (size_t)w->n * (size_t)ld * sizeof *w->J);
    }
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &l->set[i];
        const int k = l->row[i], dim = l->row[i + 1] - k, S = l->n + i;
        double *row = w->J + (size_t)k * (size_t)ld, da = 0.0, db = 1.0;
        if (s->kind == SP_SET_FREE) {
            w->R[k] = w->u[k];
        } else if (s->kind == SP_SET_INTERVAL) {
            const double x = X[k] - w->u[k];
            w->R[k] = X[k] - sp_clamp(x, s->lo, s->hi);
            db = s->lo < x && x < s->hi ? 1.0 : 0.0;
            da = 1.0 - db;
        } else {
            w->R[k] = phi(X[k], w->u[k], &da, &db);
        }
        if (with_J) {
            row[k] += da;
            add_gradient(l, i, 0, db, row);
        }
        if (dim > 1) {
            friction_rows(l, w, i, X, with_J);
        } else {
            w->R[S] = X[S];
            if (with_J) {
                w->J[(size_t)S * (size_t)ld + (size_t)S] = 1.0;
            }
        }
    }
    for (int k = 0; k < w->n; k++) {
        sum += w->R[k] * w->R[k];
    }
    return sum;
}

/* Newton's direction in R; 0 if there is none. */
static int direction(ncp_work *w)
{
    const int ld = sp_fc_padded(w->n);
    for (int k = 0; k < w->n; k++) {
        w->J[(size_t)k * (size_t)ld + (size_t)k] += 1e-10;
        w->R[k] = -w->R[k];
    }
    if (!(sp_fc_lu(w->n, w->J, w->pivot) > 1e-16)) {
        return 0;
    }
    sp_fc_lu_solve(w->n, w->J, w->pivot, w->R);
    return 1;
}

/* The loop; keeps the best p. */
static double run(const sp_fc_island *l, sp_fc_goal *g, ncp_work *w, double *p, double error,
                  double *q)
{
    double merit = residual(l, w, w->X, 0);
    const int most = (int)fmin(STEPS * g->effort, 1e9);
    for (int k = 0; k < most && !(error <= g->tol) && !sp_fc_late(g); k++) {
        residual(l, w, w->X, 1);
        g->steps++;
        g->factorisations++;
        if (!direction(w)) {
            return error;
        }
        memcpy(q, w->R, (size_t)w->n * sizeof *q); /* the direction: R is needed again */
        double tau = 1.0, now = INFINITY;
        for (int h = 0; h < HALVINGS; h++, tau *= 0.5) {
            for (int e = 0; e < w->n; e++) {
                w->trial[e] = w->X[e] + tau * q[e];
            }
            now = residual(l, w, w->trial, 0);
            if (now <= (1.0 - 1e-4 * tau) * merit) {
                break;
            }
        }
        memcpy(w->X, w->trial, (size_t)w->n * sizeof *w->X);
        merit = now;
        memcpy(w->trial, w->X, (size_t)l->n * sizeof *p);
        sp_fc_island_project(l, w->trial);
        const double e = sp_fc_island_judge(l, g, w->trial, w->u);
        if (e < error) {
            error = e;
            memcpy(p, w->trial, (size_t)l->n * sizeof *p);
        }
    }
    return error;
}

double sp_fc_solve_ncp(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const int shifted = sp_fc_any_shifted(l), fits = l->n_contact <= MOST_CONTACTS && !shifted;
    ncp_work w = {.n = fits ? l->n + l->n_contact : l->n};
    const size_t n = (size_t)w.n;
    w.X = SP_TAKE(stack, double, n);
    w.R = SP_TAKE(stack, double, n);
    w.trial = SP_TAKE(stack, double, n);
    w.u = SP_TAKE(stack, double, l->n);
    w.pivot = SP_TAKE(stack, int, n);
    w.J = SP_TAKE(stack, double, fits ? n *(size_t)sp_fc_padded(w.n) : 1);
    double *q = SP_TAKE(stack, double, n);
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, w.u);
    if (fits) {
        w.unit = l->worth;
        memcpy(w.X, p, (size_t)l->n * sizeof *p);
        for (int i = 0; i < l->n_contact; i++) { /* a start off the tips of the cones */
            const int k = l->row[i], dim = l->row[i + 1] - k;
            const int unilateral =
                l->set[i].kind != SP_SET_FREE && l->set[i].kind != SP_SET_INTERVAL;
            w.X[k] += unilateral && w.X[k] < 0.1 * l->worth ? 0.1 * l->worth : 0.0;
            w.X[l->n + i] = dim > 1 ? 0.1 * l->worth : 0.0;
        }
        error = run(l, g, &w, p, error, q);
    }
    sp_fc_release(stack, mark);
    return error;
}
