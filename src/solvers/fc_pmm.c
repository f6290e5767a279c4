/* Outer step: with r = p and s_i = mu_i |u_Ti| fixed, minimise over y, u = G y + c,
 *
 *     phi(y) = y'G y / 2 + sum_i |pi_i|^2 / (2 sigma),   pi = prox_K(x),  x = r - sigma (u + s e_N)
 *
 * then p = pi.  Gradient G (y - pi), Newton's direction (I + sigma D G) dy = pi - y with the
 * derivative D = V L V' of the projection.  With y + dy = pi + V sqrt(L) z:
 *
 *     (I + sigma sqrt(L) V'G V sqrt(L)) z = -sigma sqrt(L) V'G (pi - y),  symmetric and definite */
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"

#include <math.h>
#include <string.h>

/* Proximal parameter of the polishing Newton steps. */
#define POLISH 1e-6

/* Factors of at most this many numbers (400 MB). */
#define NUMBERS_MOST 5e7

enum { OUTER = 25, INNER = 30, SEARCH = 12 };

/* V sqrt(L) of one contact. */
typedef struct frame {
    int m;
    double V[SP_FC_BLOCK]; /* dim x m */
} frame;

typedef struct pmm_work {
    frame *frame;
    double *r, *s;                /* n: centre; n_contact: shifts                        */
    double *y, *u, *dy, *du, *pi; /* n: iterate, velocity, direction, its velocity, prox */
    double *t, *b;                /* n; right-hand side                                  */
    sp_fc_linear linear;
} pmm_work;

/* x = r - sigma (u + s e_N) of contact i, minus the set's shift. */
static void argument(const sp_fc_island *l, const pmm_work *w, int i, double sigma, const double *u,
                     double *x)
{
    const int k = l->row[i], dim = l->row[i + 1] - k;
    for (int a = 0; a < dim; a++) {
        x[a] = w->r[k + a] - sigma * u[k + a];
        x[a] -= l->set[i].shifted ? l->set[i].shift[a] : 0.0;
    }
    x[0] -= sigma * w->s[i];
}

/* pi_i of x; friction sets as whole cones. */
static void project(const sp_fc_island *l, int i, double *x, double *pi)
{
    const sp_set *s = &l->set[i];
    const int dim = l->row[i + 1] - l->row[i];
    if (s->kind == SP_SET_DISC || s->kind == SP_SET_PLANAR) {
        sp_cone_project(dim, s->mu, x);
    } else if (s->kind == SP_SET_HALF_LINE) {
        x[0] = x[0] < 0.0 ? 0.0 : x[0];
    } else if (s->kind == SP_SET_INTERVAL) {
        x[0] = sp_clamp(x[0], s->lo, s->hi);
    }
    for (int a = 0; a < dim; a++) {
        pi[a] = x[a] + (s->shifted ? s->shift[a] : 0.0);
    }
}

/* pi for velocity u. */
static void project_all(const sp_fc_island *l, const pmm_work *w, double sigma, const double *u,
                        double *pi)
{
    double x[SP_SET_DIM_MAX];
    for (int i = 0; i < l->n_contact; i++) {
        argument(l, w, i, sigma, u, x);
        project(l, i, x, pi + l->row[i]);
    }
}

/* V sqrt(L) of the derivative at x. */
static void derivative(const sp_set *s, int dim, const double *x, frame *f)
{
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    static const double one2[4] = {1.0, 0.0, 0.0, 1.0};
    double t[2], lambda;
    f->m = 0;
    if (dim == 1) {
        const int moves = s->kind == SP_SET_FREE || (s->kind == SP_SET_HALF_LINE && x[0] > 0.0) ||
                          (s->kind == SP_SET_INTERVAL && s->lo < x[0] && x[0] < s->hi);
        f->m = moves;
        f->V[0] = 1.0;
        return;
    }
    const int piece = sp_cone_piece(dim, s->mu, x, t, &lambda);
    if (piece == 1) {
        f->m = dim;
        memcpy(f->V, dim == 3 ? one : one2, (size_t)(dim * dim) * sizeof *f->V);
    } else if (piece == 2) {
        const double e = 1.0 / sqrt(1.0 + s->mu * s->mu), root = sqrt(lambda);
        if (dim == 2 || !(root > 0.0)) {
            const double V[3] = {e, e * s->mu * t[0], e * s->mu * t[1]};
            f->m = 1;
            memcpy(f->V, V, (size_t)dim * sizeof *V);
            return;
        }
        const double V[6] = {e, 0.0, e * s->mu * t[0], -root * t[1], e * s->mu * t[1], root * t[0]};
        f->m = 2;
        memcpy(f->V, V, sizeof V);
    }
}

/* B = sigma V_i' G_ij V_j. */
static void reduce_block(const frame *i, const frame *j, int dim, int cols, const double *G,
                         double sigma, double *B)
{
    double GV[SP_FC_BLOCK];
    for (int a = 0; a < dim; a++) {
        for (int e = 0; e < j->m; e++) {
            double sum = 0.0;
            for (int b = 0; b < cols; b++) {
                sum += G[a * cols + b] * j->V[b * j->m + e];
            }
            GV[a * j->m + e] = sigma * sum;
        }
    }
    for (int r = 0; r < i->m; r++) {
        for (int e = 0; e < j->m; e++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += i->V[a * i->m + r] * GV[a * j->m + e];
            }
            B[r * j->m + e] = sum;
        }
    }
}

/* The system for z. */
static void assemble(const sp_fc_island *l, pmm_work *w, double sigma)
{
    double x[SP_SET_DIM_MAX];
    sp_fc_linear *s = &w->linear;
    for (int i = 0; i < l->n_contact; i++) {
        argument(l, w, i, sigma, w->u, x);
        derivative(&l->set[i], l->row[i + 1] - l->row[i], x, &w->frame[i]);
        s->m[i] = w->frame[i].m;
    }
    sp_fc_linear_count(s);
    for (int i = 0; i < l->n_contact; i++) {
        const frame *f = &w->frame[i];
        const int dim = l->row[i + 1] - l->row[i];
        for (int b = l->start[i]; f->m && b < l->start[i + 1]; b++) {
            const int j = l->column[b];
            if (w->frame[j].m) {
                reduce_block(f, &w->frame[j], dim, l->row[j + 1] - l->row[j], l->G + l->at[b],
                             sigma, s->block + l->at[b]);
            }
        }
        for (int r = 0; r < f->m; r++) {
            s->block[l->at[l->diag[i]] + r * f->m + r] += 1.0;
        }
    }
}

/* t = G x. */
static void times_G(const sp_fc_island *l, const double *x, double *t)
{
    sp_fc_island_velocity(l, x, t);
    for (int k = 0; k < l->n; k++) {
        t[k] -= l->c[k];
    }
}

/* Newton's direction dy and du = G dy; 0 if the matrix is singular (G is not definite). */
static int direction(const sp_fc_island *l, pmm_work *w, double sigma, sp_fc_goal *g)
{
    assemble(l, w, sigma);
    g->factorisations++;
    g->steps++;
    for (int k = 0; k < l->n; k++) {
        w->dy[k] = w->pi[k] - w->y[k];
    }
    times_G(l, w->dy, w->t);
    for (int i = 0; i < l->n_contact; i++) { /* b = -sigma V' t */
        const frame *f = &w->frame[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int r = 0; r < f->m; r++) {
            double sum = 0.0;
            for (int a = 0; a < dim; a++) {
                sum += f->V[a * f->m + r] * w->t[k + a];
            }
            w->b[w->linear.first[i] + r] = -sigma * sum;
        }
    }
    if (!(sp_fc_linear_factor(&w->linear) > 0.0)) {
        return 0;
    }
    sp_fc_linear_solve(&w->linear, w->b);
    for (int i = 0; i < l->n_contact; i++) { /* dy = pi - y + V z */
        const frame *f = &w->frame[i];
        const int k = l->row[i], dim = l->row[i + 1] - k;
        for (int a = 0; a < dim; a++) {
            for (int r = 0; r < f->m; r++) {
                w->dy[k + a] += f->V[a * f->m + r] * w->b[w->linear.first[i] + r];
            }
        }
    }
    times_G(l, w->dy, w->du);
    return 1;
}

/* phi'(tau) = du.(y + tau dy - pi(u + tau du)). */
static double slope(const sp_fc_island *l, const pmm_work *w, double sigma, double tau)
{
    double sum = 0.0, x[SP_SET_DIM_MAX], pi[SP_SET_DIM_MAX];
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        argument(l, w, i, sigma, w->u, x);
        for (int a = 0; a < dim; a++) {
            x[a] -= sigma * tau * w->du[k + a];
        }
        project(l, i, x, pi);
        for (int a = 0; a < dim; a++) {
            sum += w->du[k + a] * (w->y[k + a] + tau * w->dy[k + a] - pi[a]);
        }
    }
    return sum;
}

/* The step length: 1 if phi still falls there or nearly so, else where phi' vanishes. */
static double search(const sp_fc_island *l, const pmm_work *w, double sigma)
{
    double lo = 0.0, hi = 1.0, at_lo = slope(l, w, sigma, 0.0), at_hi = slope(l, w, sigma, 1.0);
    const double enough = 0.1 * fabs(at_lo);
    if (!(at_lo < 0.0)) {
        return 1.0;
    }
    if (!(at_hi > enough)) {
        return 1.0;
    }
    double tau = 1.0;
    for (int k = 0; k < SEARCH; k++) {
        tau = k % 3 == 2 ? 0.5 * (lo + hi) : lo - at_lo * (hi - lo) / (at_hi - at_lo);
        const double at = slope(l, w, sigma, tau);
        if (fabs(at) <= enough) {
            break;
        }
        if (at > 0.0) {
            hi = tau;
            at_hi = at;
        } else {
            lo = tau;
            at_lo = at;
        }
    }
    return tau;
}

/* Minimise phi; returns the last |G (y - pi)| relative to worth, infinity if it broke down. */
static double inner(const sp_fc_island *l, pmm_work *w, double sigma, double tol, sp_fc_goal *g)
{
    double gradient = INFINITY;
    for (int k = 0; k < INNER; k++) {
        project_all(l, w, sigma, w->u, w->pi);
        for (int e = 0; e < l->n; e++) {
            w->dy[e] = w->y[e] - w->pi[e];
        }
        times_G(l, w->dy, w->t);
        gradient = 0.0;
        for (int e = 0; e < l->n; e++) {
            gradient = fmax(gradient, fabs(w->t[e]));
        }
        gradient /= l->worth + 1e-300;
        if (gradient <= tol || sp_fc_late(g)) {
            return gradient;
        }
        if (!direction(l, w, sigma, g)) {
            return INFINITY;
        }
        const double tau = search(l, w, sigma);
        for (int e = 0; e < l->n; e++) {
            w->y[e] += tau * w->dy[e];
            w->u[e] += tau * w->du[e];
        }
    }
    return gradient;
}

/* Memory; 0 if there is none. */
static int place(const sp_fc_island *l, pmm_work *w, sp_fc_stack *stack)
{
    const size_t n = (size_t)l->n;
    w->frame = SP_TAKE(stack, frame, l->n_contact);
    w->s = SP_TAKE(stack, double, l->n_contact);
    w->r = SP_TAKE(stack, double, n);
    w->y = SP_TAKE(stack, double, n);
    w->u = SP_TAKE(stack, double, n);
    w->dy = SP_TAKE(stack, double, n);
    w->du = SP_TAKE(stack, double, n);
    w->pi = SP_TAKE(stack, double, n);
    w->t = SP_TAKE(stack, double, n);
    w->b = SP_TAKE(stack, double, n);
    return !stack->failed && sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &w->linear);
}

/* s_i = mu_i |u_Ti|. */
static void freeze_shifts(const sp_fc_island *l, const double *u, double *s)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        s[i] = dim == 3   ? l->set[i].mu * sqrt(u[k + 1] * u[k + 1] + u[k + 2] * u[k + 2])
               : dim == 2 ? l->set[i].mu * fabs(u[k + 1])
                          : 0.0;
    }
}

/* The error of p. */
static double judge_only(const sp_fc_island *l, const sp_fc_goal *g, const double *p,
                         sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    double *u = SP_TAKE(stack, double, l->n);
    const double error = u ? sp_fc_island_judge(l, g, p, u) : NAN;
    sp_fc_release(stack, mark);
    return error;
}

double sp_fc_solve_pmm(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const int outer = (int)ceil(OUTER * fmin(g->effort, 1e6));
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t bytes = (size_t)l->n * sizeof *p;
    pmm_work w;
    if (!place(l, &w, stack)) { /* too large: nothing is gained */
        sp_fc_release(stack, mark);
        return stack->failed ? NAN : judge_only(l, g, p, stack);
    }
    double sigma = 1e2, error = sp_fc_island_judge(l, g, p, w.u), cap = 1e7;
    memcpy(w.r, p, bytes);
    for (int k = 0; k < outer && !(error <= g->tol); k++) {
        memcpy(w.y, w.r, bytes);
        sp_fc_island_velocity(l, w.y, w.u);
        freeze_shifts(l, w.u, w.s);
        const double gradient = inner(l, &w, sigma, 1e-10, g);
        if (!(gradient < 1e-6)) {
            cap = sigma * 0.3;
            sigma *= 0.1;
            if (sigma < 1.0) {
                break;
            }
            continue;
        }
        memcpy(w.r, w.pi, bytes);
        memcpy(w.t, w.pi, bytes);
        sp_fc_island_project(l, w.t);
        const double now = sp_fc_island_judge(l, g, w.t, w.u);
        if (now < error) {
            error = now;
            memcpy(p, w.t, bytes);
        }
        if (!(error <= g->tol)) {
            const double polished = sp_fc_newton(l, g, &w.linear, POLISH, 6, 3, w.t, stack);
            if (polished < error) {
                error = polished;
                memcpy(p, w.t, bytes);
            }
        }
        sigma = fmin(10.0 * sigma, cap);
        if (sp_fc_late(g)) {
            break;
        }
    }
    sp_fc_release(stack, mark);
    return error;
}
