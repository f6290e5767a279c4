/* Newton's method on the natural map of the expansion phase, for sets no other solver knows.
 *
 *     y = L - rho (gamma_C + G L - gamma_0),     F(L) = L - prox_C(y),
 *     J = 1 - D (1 - rho G),     D = d prox_C / dy    (block by block)              theory (11.11)
 */
#include "impact/expansion.h"

#include "impact/phase.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounds of Newton's method and sweeps; Newton steps in each, sweeps, halvings of a step. */
enum { ROUNDS = 60, STEPS = 30, SWEEPS = 40, HALVINGS = 6 };

typedef struct newton {
    const sp_expansion *x;
    const double *direction;
    int n;
    double *L, *F;        /* n: iterate, natural map                          */
    double *rho, *y, *p;  /* n: step, argument of prox, prox                  */
    double *trial, *step; /* n                                                */
    double *D;            /* n_contact x 9: derivative of prox, row-major     */
    sp_lu lu;
    double scale; /* of F, such that it is without unit */
} newton;

size_t sp_expansion_spatial_bytes(int n_contact, int n)
{
    return (7 * (size_t)n + 9 * (size_t)n_contact) * sizeof(double) + sp_lu_bytes(n);
}

/* y to the interval [lo, hi], of which hi moves with radius (at = 1) or lo (at = -1), or both
 * against each other (at = 0); slope: its derivative by the radius, inside: by y. */
static double project_line(double y, double lo, double hi, int at, double *inside, double *slope)
{
    *inside = y > lo && y < hi;
    *slope = y >= hi && at >= 0 ? 1.0 : y <= lo && at <= 0 ? -1.0 : 0.0;
    return sp_clamp(y, lo, hi);
}

/* z to the disc of this radius and the half plane z.t >= cut, by which of the two bind; A (2 x 2):
 * derivative by z, a (2): by the radius. */
static void project_disc(double radius, const double *t, double cut, double *z, double *A,
                         double *a)
{
    const double len = hypot(z[0], z[1]), along = z[0] * t[0] + z[1] * t[1];
    const double across = -z[0] * t[1] + z[1] * t[0], shrink = len > radius ? radius / len : 1.0;
    memset(A, 0, 4 * sizeof *A);
    a[0] = a[1] = 0.0;
    if (along >= cut && len <= radius) {
        A[0] = A[3] = 1.0;
    } else if (shrink * along >= cut) { /* the arc */
        const double e[2] = {z[0] / len, z[1] / len};
        A[0] = shrink * e[1] * e[1];
        A[1] = A[2] = -shrink * e[0] * e[1];
        A[3] = shrink * e[0] * e[0];
        a[0] = e[0];
        a[1] = e[1];
        z[0] *= shrink;
        z[1] *= shrink;
    } else if (along < cut && hypot(cut, across) <= radius) { /* the chord */
        z[0] += (cut - along) * t[0];
        z[1] += (cut - along) * t[1];
        A[0] = t[1] * t[1];
        A[1] = A[2] = -t[0] * t[1];
        A[3] = t[0] * t[0];
    } else { /* its ends */
        const double half = sqrt(fmax(radius * radius - cut * cut, 0.0));
        const double side = across < 0.0 ? -half : half;
        const double rate = half > 1e-8 * radius ? radius / side : 0.0;
        z[0] = cut * t[0] - side * t[1];
        z[1] = cut * t[1] + side * t[0];
        a[0] = -rate * t[1];
        a[1] = rate * t[0];
    }
}

/* Tangential rows of contact i: z (dim - 1) into its limits, with their derivatives. */
static void project_tangential(const newton *w, int i, double radius, double *z, double *A,
                               double *a)
{
    const sp_expansion *x = w->x;
    const int N = x->p->row[i], side = x->side[i];
    const double *least = x->least + N + 1;
    if (x->set[i].kind == SP_SET_PLANAR) {
        const double back = fmin(fabs(least[0]), radius);
        const double lo = side > 0 ? back : -radius, hi = side < 0 ? -back : radius;
        z[0] = project_line(z[0], lo, hi, side, &A[0], &a[0]);
        return;
    }
    const double *C = w->direction + N + 1, len = hypot(C[0], C[1]);
    const double t[2] = {side ? C[0] / len : 1.0, side ? C[1] / len : 0.0};
    project_disc(radius, t, side ? fmin(hypot(least[0], least[1]), radius) : -INFINITY, z, A, a);
}

/* w->p and w->D of contact i from w->y. */
static void project(newton *w, int i)
{
    const sp_expansion *x = w->x;
    const sp_set *s = &x->set[i];
    const int N = x->p->row[i], dim = sp_set_dim(s);
    double *D = w->D + 9 * i, A[4] = {0.0}, a[2] = {0.0};
    memset(D, 0, 9 * sizeof *D);
    if (s->kind == SP_SET_FREE || s->kind == SP_SET_INTERVAL) {
        const double lo = s->kind == SP_SET_FREE ? -INFINITY : s->lo;
        const double hi = s->kind == SP_SET_FREE ? INFINITY : s->hi;
        w->p[N] = project_line(w->y[N], lo, hi, 0, &D[0], &A[0]);
        return;
    }
    const double presses = w->y[N] > x->least[N] ? 1.0 : 0.0;
    w->p[N] = presses > 0.0 ? w->y[N] : x->least[N];
    D[0] = presses;
    if (dim == 1) {
        return;
    }
    memcpy(w->p + N + 1, w->y + N + 1, (size_t)(dim - 1) * sizeof *w->p);
    project_tangential(w, i, s->mu * w->p[N], w->p + N + 1, A, a);
    for (int r = 1; r < dim; r++) {
        D[3 * r] = s->mu * presses * a[r - 1];
        D[3 * r + 1] = dim == 2 ? A[0] : A[2 * (r - 1)];
        D[3 * r + 2] = dim == 2 ? 0.0 : A[2 * (r - 1) + 1];
    }
}

/* y of row k at L. */
static double argument(const newton *w, const double *L, int k)
{
    const double *G = w->x->p->G + (size_t)k * (size_t)w->x->p->ld;
    double xi = w->x->gamma_C[k] - w->x->gamma_0[k];
    for (int j = 0; j < w->n; j++) {
        xi += G[j] * L[j];
    }
    return L[k] - w->rho[k] * xi;
}

/* F at L, and its largest component in units of velocity. */
static double evaluate(newton *w, const double *L)
{
    double worst = 0.0;
    for (int k = 0; k < w->n; k++) {
        w->y[k] = argument(w, L, k);
    }
    for (int i = 0; i < w->x->p->n_contact; i++) {
        project(w, i);
    }
    for (int k = 0; k < w->n; k++) {
        w->F[k] = L[k] - w->p[k];
        const double size = fabs(w->F[k] / w->rho[k]);
        worst = size > worst || size != size ? size : worst;
    }
    return worst / w->scale;
}

/* step = -J^-1 F of least norm. */
static void newton_step(newton *w)
{
    const int n = w->n;
    const sp_impact_problem *p = w->x->p;
    memset(w->lu.LU, 0, (size_t)n * (size_t)n * sizeof *w->lu.LU);
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i], dim = sp_set_dim(&p->set[i]);
        for (int a = 0; a < dim; a++) { /* J = 1 - D (1 - rho G) */
            double *J = w->lu.LU + (size_t)(k + a) * (size_t)n;
            J[k + a] += 1.0;
            for (int b = 0; b < dim; b++) {
                const double d = w->D[9 * i + 3 * a + b];
                const double *G = p->G + (size_t)(k + b) * (size_t)p->ld;
                J[k + b] -= d;
                for (int j = 0; j < n && d != 0.0; j++) {
                    J[j] += d * w->rho[k + b] * G[j];
                }
            }
        }
    }
    sp_lu_factor(&w->lu, 1e-13);
    for (int k = 0; k < n; k++) {
        w->trial[k] = -w->F[k];
    }
    sp_lu_solve(&w->lu, w->trial, w->step);
}

/* Newton's method with halved steps; returns the residual, F is that of L. */
static double iterate(newton *w, double tol)
{
    double now = evaluate(w, w->L);
    for (int it = 0; it < STEPS && !(now <= tol); it++) {
        double factor = 1.0, next = INFINITY;
        newton_step(w);
        for (int h = 0; h < HALVINGS && !(next < now); h++, factor *= 0.5) {
            for (int k = 0; k < w->n; k++) {
                w->trial[k] = w->L[k] + factor * w->step[k];
            }
            next = evaluate(w, w->trial);
        }
        if (!(next < now)) {
            return evaluate(w, w->L);
        }
        now = next;
        memcpy(w->L, w->trial, (size_t)w->n * sizeof *w->L);
    }
    return now;
}

/* Gauss-Seidel sweeps of the fixed point L_i = prox(L_i - rho_i xi_i). */
static void sweep(newton *w)
{
    for (int it = 0; it < SWEEPS; it++) {
        for (int i = 0; i < w->x->p->n_contact; i++) {
            const int N = w->x->p->row[i], dim = sp_set_dim(&w->x->set[i]);
            for (int k = N; k < N + dim; k++) {
                w->y[k] = argument(w, w->L, k);
            }
            project(w, i);
            memcpy(w->L + N, w->p + N, (size_t)dim * sizeof *w->L);
        }
    }
}

/* rho = 1/G_kk, the larger of both in the tangent plane, and the scale of velocities. */
static void set_scales(newton *w)
{
    const sp_expansion *x = w->x;
    w->scale = DBL_MIN;
    for (int k = 0; k < w->n; k++) {
        const double *G = x->p->G + (size_t)k * (size_t)x->p->ld;
        double size = fabs(x->gamma_C[k]) + fabs(x->gamma_0[k]);
        for (int j = 0; j < w->n; j++) {
            size += fabs(G[j] * x->least[j]);
        }
        w->scale = size > w->scale ? size : w->scale;
        w->rho[k] = G[k] > 0.0 ? 1.0 / G[k] : 1.0;
    }
    for (int i = 0; i < x->p->n_contact; i++) {
        const int T = x->p->row[i] + 1;
        if (x->set[i].kind == SP_SET_DISC) {
            w->rho[T] = w->rho[T + 1] = fmin(w->rho[T], w->rho[T + 1]);
        }
    }
}

/* Let the arrays point into memory; start from least. */
static void place(newton *w, const sp_expansion *x, const double *direction, double *Lambda_E,
                  void *scratch)
{
    const size_t n = (size_t)x->p->n;
    double *at = (double *)scratch;
    w->x = x;
    w->direction = direction;
    w->n = x->p->n;
    w->L = Lambda_E;
    w->F = at;
    w->rho = at + n;
    w->y = at + 2 * n;
    w->p = at + 3 * n;
    w->trial = at + 4 * n;
    w->step = at + 5 * n;
    w->D = at + 7 * n;
    sp_lu_place(&w->lu, w->n, w->D + 9 * (size_t)x->p->n_contact);
    memcpy(w->L, x->least, n * sizeof *w->L);
    set_scales(w);
}

/* How many times faster than mu a limit of friction moves with Lambda_NE at most: the corner of a
 * disc that is cut by a chord runs along the chord.   theory (36.4) */
static double quickness(const sp_expansion *x)
{
    double most = 1.0;
    for (int i = 0; i < x->p->n_contact; i++) {
        if (x->set[i].kind == SP_SET_DISC && x->side[i] != 0) {
            const double eps = x->p->eps_T[i];
            most = fmax(most, eps < 1.0 ? 1.0 / sqrt(1.0 - eps * eps) : INFINITY);
        }
    }
    return most;
}

sp_status sp_expansion_spatial(const sp_expansion *x, const double *direction, double *Lambda_E,
                               sp_impact *impact, void *scratch, sp_error *err)
{
    newton w;
    place(&w, x, direction, Lambda_E, scratch);
    double residual = iterate(&w, 1e-15);
    int round = 0;
    for (; round < ROUNDS && !(residual <= SP_IMPACT_SPATIAL_TOL); round++) {
        sweep(&w);
        residual = iterate(&w, 1e-15);
    }
    impact->pivots += round;
    impact->method = "space";
    impact->residual = residual > impact->residual ? residual : impact->residual;
    impact->result = residual <= SP_SOLVE_TOL ? SP_SOLVED : SP_NOT_SOLVED;
    if (impact->result == SP_SOLVED) {
        impact->complete = impact->complete && sp_expansion_is_alone(x, quickness(x));
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "impact of %d contacts in space: expansion ends with residual %.2g, expected "
                   "<= %.2g",
                   x->p->n_contact, residual, SP_SOLVE_TOL);
}
