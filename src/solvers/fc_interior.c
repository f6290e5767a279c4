/* Interior points for the law with De Saxce's shift: x = (mu p_N, p_T) and z, both inside the
 * second-order cone L = {v_0 > |v_T|}, with
 *
 *     G p + c = u(z) = (mu (z_0 - |z_T|_eps), z_T),      x o z = sigma e,      sigma -> 0 (29.1)
 *
 * |z_T|_eps = sqrt(|z_T|^2 + eps^2) - eps, eps in step with sigma.  At sigma = 0 this is the law:
 * z_0 = u_N / mu + |u_T|.  Newton's direction, with Nesterov and Todd's scaling H (H x = z) and
 * U = u'(z), which is not symmetric because of the shift:
 *
 *     (G + U H D) dp = -(G p + c - u(z)) + U b,   dz = b - H D dp,   b = sigma x^-1 - z - m (29.2)
 *
 * D = dx/dp; m is Mehrotra's correction.  Where steps become short it begins anew from where it is,
 * a little further inside.   [NesterovTodd98, Mehrotra92] */
#include "solvers/fc_linear.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 100, JAM = 3, POLISH_STEPS = 8 };

/* Proximal term; part of the way to the border of the cones; nearer to it than this part round-off
 * decides; largest factor in memory (400 MB). */
#define ETA          1e-10
#define INSIDE       0.9
#define BORDER       1e-16
#define NUMBERS_MOST 5e7
/* Steps below this are short; where it begins it is this far inside, in parts of what c is worth.
 */
#define SHORT 0.1
#define START 0.1
/* Newton's method is tried below this error, and again when it has fallen by as much. */
#define POLISH 1e-4
/* Percussions below this part of the normal velocity are none. */
#define OPENS 1e-3
/* Above this error there is nothing to polish at the end. */
#define NEARLY 1e-3

/* Nesterov and Todd's scaling of one contact: H = (2 v v' - J) / eta2, W = sqrt(eta2) Wbar. */
typedef struct scaling {
    double w[3], eta; /* w o w has determinant 1; eta = (det x / det z)^(1/4) */
} scaling;

typedef struct interior_work {
    double *x, *z, *p, *r;           /* n: iterate, what G p + c lacks       */
    double *dx, *dz, *dp, *b;        /* n: direction, right-hand side        */
    double *u, *trial;               /* n                                    */
    scaling *scale;                  /* n_contact                            */
    double size, gap, eps, polished; /* worth of c, mean x.z, smoothing, error at the last polish */
    sp_fc_linear linear;
} interior_work;

/* Rows of a cone: those of the contact, 0 for a row that nothing bounds. */
static int cone_rows(const sp_fc_island *l, int i)
{
    return l->set[i].kind == SP_SET_FREE ? 0 : l->row[i + 1] - l->row[i];
}

/* x_0 = scale p_N. */
static double first_scale(const sp_fc_island *l, int i)
{
    return l->row[i + 1] - l->row[i] > 1 ? l->set[i].mu : 1.0;
}

/* 1 if all sets are cones with a border, or free. */
static int knows(const sp_fc_island *l)
{
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &l->set[i];
        const int cone = (s->kind == SP_SET_DISC || s->kind == SP_SET_PLANAR) && s->mu > 1e-6;
        if (s->shifted || !(cone || s->kind == SP_SET_HALF_LINE || s->kind == SP_SET_FREE)) {
            return 0;
        }
    }
    return 1;
}

/* v_0^2 - |v_T|^2. */
static double det(int dim, const double *v)
{
    double len2 = 0.0;
    for (int a = 1; a < dim; a++) {
        len2 += v[a] * v[a];
    }
    const double len = sqrt(len2), inside = v[0] - len;
    return (inside > BORDER * v[0] ? inside : BORDER * v[0]) * (v[0] + len);
}

/* The scaling of one cone. */
static void find_scaling(int dim, const double *x, const double *z, scaling *s)
{
    const double dx = sqrt(det(dim, x)), dz = sqrt(det(dim, z));
    double inner = 0.0;
    for (int a = 0; a < dim; a++) {
        inner += x[a] / dx * (z[a] / dz);
    }
    const double gamma = sqrt(0.5 * (1.0 + inner));
    for (int a = 0; a < dim; a++) {
        s->w[a] = (x[a] / dx + (a ? -1.0 : 1.0) * z[a] / dz) / (2.0 * gamma);
    }
    s->eta = sqrt(dx / dz);
}

/* y = W v (inverse = 0) or W^-1 v; W = eta (w_0, w_T'; w_T, 1 + w_T w_T' / (1 + w_0)). */
static void scale_by(int dim, const scaling *s, int inverse, const double *v, double *y)
{
    const double sign = inverse ? -1.0 : 1.0, eta = inverse ? 1.0 / s->eta : s->eta;
    double inner = 0.0;
    for (int a = 1; a < dim; a++) {
        inner += s->w[a] * v[a];
    }
    const double along = sign * v[0] + inner / (1.0 + s->w[0]);
    y[0] = eta * (s->w[0] * v[0] + sign * inner);
    for (int a = 1; a < dim; a++) {
        y[a] = eta * (v[a] + along * s->w[a]);
    }
}

/* H = W^-2 = (2 v v' - J) / eta^2, v = (w_0, -w_T). */
static void inverse_square(int dim, const scaling *s, double *H)
{
    const double f = 1.0 / (s->eta * s->eta);
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < dim; b++) {
            const double va = a ? -s->w[a] : s->w[0], vb = b ? -s->w[b] : s->w[0];
            H[a * dim + b] = f * (2.0 * va * vb - (a == b ? (a ? -1.0 : 1.0) : 0.0));
        }
    }
}

/* y = l \ v: the solution of l o y = v. */
static void divide(int dim, const double *l, const double *v, double *y)
{
    double inner = 0.0;
    for (int a = 1; a < dim; a++) {
        inner += l[a] * v[a];
    }
    y[0] = (l[0] * v[0] - inner) / det(dim, l);
    for (int a = 1; a < dim; a++) {
        y[a] = (v[a] - l[a] * y[0]) / l[0];
    }
}

/* v = a o b. */
static void product(int dim, const double *a, const double *b, double *v)
{
    v[0] = 0.0;
    for (int k = 0; k < dim; k++) {
        v[0] += a[k] * b[k];
    }
    for (int k = 1; k < dim; k++) {
        v[k] = a[0] * b[k] + b[0] * a[k];
    }
}

/* sqrt(|z_T|^2 + eps^2). */
static double slip_of(int dim, const double *z, double eps)
{
    const double slip2 = dim == 3 ? z[1] * z[1] + z[2] * z[2] : dim == 2 ? z[1] * z[1] : 0.0;
    return sqrt(slip2 + eps * eps);
}

/* v <- U v at z. */
static void shift_rows(int dim, double mu, double eps, const double *z, double *v)
{
    const double slip = slip_of(dim, z, eps);
    double inner = 0.0;
    for (int a = 1; a < dim && slip > 0.0; a++) {
        inner += z[a] / slip * v[a];
    }
    v[0] = mu * (v[0] - inner);
}

/* r = G p + c - u(z). */
static void find_defect(const sp_fc_island *l, interior_work *w)
{
    sp_fc_island_velocity(l, w->p, w->r);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        const double *z = w->z + k;
        for (int a = 0; a < dim; a++) {
            w->r[k + a] -= a ? z[a] : first_scale(l, i) * (z[0] - slip_of(dim, z, w->eps) + w->eps);
        }
    }
}

/* A += U H D of contact i, a cone of dim rows; its scaling is found. */
static void add_cone(const sp_fc_island *l, interior_work *w, int i, int dim, double *A)
{
    const double *x = w->x + l->row[i], *z = w->z + l->row[i];
    double H[9], column[3];
    find_scaling(dim, x, z, &w->scale[i]);
    inverse_square(dim, &w->scale[i], H);
    for (int b = 0; b < dim; b++) {
        for (int a = 0; a < dim; a++) {
            column[a] = H[a * dim + b] * (b ? 1.0 : first_scale(l, i));
        }
        shift_rows(dim, first_scale(l, i), w->eps, z, column);
        for (int a = 0; a < dim; a++) {
            A[a * dim + b] += column[a];
        }
    }
}

/* Factor G + U H D + eta; 0 if it is singular. */
static int factor(const sp_fc_island *l, sp_fc_goal *g, interior_work *w)
{
    sp_fc_linear *s = &w->linear;
    memcpy(s->block, l->G, (size_t)l->at[l->n_block] * sizeof *s->block);
    for (int i = 0; i < l->n_contact; i++) {
        const int rows = l->row[i + 1] - l->row[i], dim = cone_rows(l, i);
        double *A = s->block + l->at[l->diag[i]];
        s->m[i] = rows;
        if (dim) {
            add_cone(l, w, i, dim, A);
        }
        for (int a = 0; a < rows; a++) {
            A[a * rows + a] += ETA;
        }
    }
    sp_fc_linear_count(s);
    g->factorisations++;
    g->steps++;
    return sp_fc_linear_factor(s) > 0.0;
}

/* b -= W^-1 (lambda \ (W^-1 dx o W dz)) of contact i: what the last direction left over. */
static void correct(const sp_fc_island *l, interior_work *w, int i, int dim)
{
    const int k = l->row[i];
    const scaling *s = &w->scale[i];
    double lambda[3], a[3], b[3], v[3];
    scale_by(dim, s, 0, w->z + k, lambda);
    scale_by(dim, s, 1, w->dx + k, a);
    scale_by(dim, s, 0, w->dz + k, b);
    product(dim, a, b, v);
    divide(dim, lambda, v, a);
    scale_by(dim, s, 1, a, v);
    for (int e = 0; e < dim; e++) {
        w->b[k + e] -= v[e];
    }
}

/* b = sigma x^-1 - z, corrected if `second`. */
static void aim(const sp_fc_island *l, interior_work *w, double sigma, int second)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        const double *x = w->x + k, d = dim ? det(dim, x) : 1.0;
        for (int e = 0; e < dim; e++) {
            w->b[k + e] = sigma * (e ? -x[e] : x[0]) / d - w->z[k + e];
        }
        if (second && dim) {
            correct(l, w, i, dim);
        }
    }
}

/* dp, dx, dz of the right-hand side in b. */
static void direction(const sp_fc_island *l, interior_work *w)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        double v[3];
        memcpy(v, w->b + k, (size_t)dim * sizeof *v);
        shift_rows(dim, first_scale(l, i), w->eps, w->z + k, v);
        for (int a = 0; a < l->row[i + 1] - k; a++) {
            w->dp[k + a] = (dim ? v[a] : 0.0) - w->r[k + a];
        }
    }
    sp_fc_linear_solve(&w->linear, w->dp);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        double H[9];
        for (int a = 0; a < l->row[i + 1] - k; a++) {
            w->dx[k + a] = (a ? 1.0 : first_scale(l, i)) * w->dp[k + a];
            w->dz[k + a] = 0.0;
        }
        if (dim) {
            inverse_square(dim, &w->scale[i], H);
        }
        for (int a = 0; a < dim; a++) {
            w->dz[k + a] = w->b[k + a];
            for (int b = 0; b < dim; b++) {
                w->dz[k + a] -= H[a * dim + b] * w->dx[k + b];
            }
        }
    }
}

/* The largest step <= most for which v + step dv stays in the cone. */
static double longest(int dim, const double *v, const double *dv, double most)
{
    double a = dv[0] * dv[0], b = v[0] * dv[0];
    const double c = det(dim, v);
    for (int k = 1; k < dim; k++) {
        a -= dv[k] * dv[k];
        b -= v[k] * dv[k];
    }
    double step = dv[0] < 0.0 ? fmin(most, -v[0] / dv[0]) : most;
    if (dim == 1) {
        return step;
    }
    const double disc = b * b - a * c;
    if (disc < 0.0) {
        return step;
    }
    /* first positive root of a s^2 + 2 b s + c */
    const double root = sqrt(disc), q = b < 0.0 ? -b + root : -b - root;
    const double s1 = q != 0.0 ? c / q : INFINITY, s2 = a != 0.0 ? q / a : INFINITY;
    step = s1 > 0.0 ? fmin(step, s1) : step;
    step = s2 > 0.0 ? fmin(step, s2) : step;
    return step;
}

/* How far to go along dx and dz, 1 at most. */
static double step_length(const sp_fc_island *l, const interior_work *w)
{
    double step = 1.0 / INSIDE;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        if (dim) {
            step = longest(dim, w->x + k, w->dx + k, step);
            step = longest(dim, w->z + k, w->dz + k, step);
        }
    }
    return fmin(1.0, INSIDE * step);
}

/* Mean of x.z over the cones after a step. */
static double gap_after(const sp_fc_island *l, const interior_work *w, double step)
{
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        for (int a = k; a < k + dim; a++) {
            sum += (w->x[a] + step * w->dx[a]) * (w->z[a] + step * w->dz[a]);
        }
        n += dim > 0;
    }
    return n > 0 ? sum / n : 0.0;
}

/* Begin from a start, moved inside by kappa: z has the velocities of it. */
static void begin(const sp_fc_island *l, interior_work *w, double kappa, const double *start)
{
    memmove(w->p, start, (size_t)l->n * sizeof *start);
    sp_fc_island_velocity(l, w->p, w->u);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        const double mu = first_scale(l, i);
        double friction2 = 0.0, slip2 = 0.0;
        for (int a = k + 1; a < k + dim; a++) {
            friction2 += w->p[a] * w->p[a];
            slip2 += w->u[a] * w->u[a];
            w->x[a] = w->p[a];
            w->z[a] = w->u[a];
        }
        if (dim) {
            w->x[k] = fmax(mu * w->p[k], sqrt(friction2)) + kappa;
            w->z[k] = sqrt(slip2) + fmax(w->u[k], 0.0) / mu + kappa;
            w->p[k] = w->x[k] / mu;
        }
    }
}

/* The trial from p: contacts that are about to open do. */
static void take_trial(const sp_fc_island *l, interior_work *w)
{
    memcpy(w->trial, w->p, (size_t)l->n * sizeof *w->p);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = cone_rows(l, i);
        if (dim && w->x[k] < OPENS * (w->z[k] - slip_of(dim, w->z + k, 0.0))) {
            memset(w->trial + k, 0, (size_t)dim * sizeof *w->p);
        }
    }
}

/* Keep the trial if it is better; what is not a number never is. */
static double keep(const sp_fc_island *l, const sp_fc_goal *g, interior_work *w, double error,
                   double *p)
{
    sp_fc_island_project(l, w->trial);
    const double now = sp_fc_island_judge(l, g, w->trial, w->u);
    if (now < error || (isnan(error) && !isnan(now))) {
        memcpy(p, w->trial, (size_t)l->n * sizeof *p);
        return now;
    }
    return error;
}

/* Newton's method from the best iterate. */
static double polish(const sp_fc_island *l, sp_fc_goal *g, interior_work *w, double alpha,
                     double error, double *p, sp_fc_stack *stack)
{
    memcpy(w->trial, p, (size_t)l->n * sizeof *p);
    sp_fc_newton(l, g, &w->linear, alpha, POLISH_STEPS, 2, w->trial, stack);
    return keep(l, g, w, error, p);
}

/* One step; returns its length, 0 if there was none. */
static double advance(const sp_fc_island *l, sp_fc_goal *g, interior_work *w)
{
    find_defect(l, w);
    if (!factor(l, g, w)) {
        return 0.0;
    }
    aim(l, w, 0.0, 0);
    direction(l, w);
    const double rest = gap_after(l, w, step_length(l, w)) / w->gap;
    aim(l, w, fmin(1.0, rest * rest * rest) * w->gap, 1);
    direction(l, w);
    double step = step_length(l, w);
    if (step < 3.0 * SHORT) { /* the correction is not worth much here */
        aim(l, w, 0.5 * w->gap, 0);
        direction(l, w);
        step = step_length(l, w);
    }
    for (int e = 0; e < l->n; e++) {
        w->x[e] += step * w->dx[e];
        w->z[e] += step * w->dz[e];
        w->p[e] += step * w->dp[e];
    }
    return step;
}

/* The loop, from the start in p. */
static double run(const sp_fc_island *l, sp_fc_goal *g, interior_work *w, double error, double *p,
                  sp_fc_stack *stack)
{
    static const double eps[4] = {0.01, 0.1, 0.003, 1.0}, anew[4] = {0.1, 0.3, 0.03, 1.0};
    const int most = (int)fmin(ITERATIONS * g->effort, 1e9);
    int jams = 0, waited = 0;
    begin(l, w, START * w->size, p);
    for (int k = 0; k < most && !(error <= g->tol) && !sp_fc_late(g); k++) {
        w->gap = gap_after(l, w, 0.0);
        w->eps = eps[jams % 4] * w->gap / w->size;
        const double step = advance(l, g, w);
        if (!(step > 0.0)) {
            break;
        }
        take_trial(l, w);
        error = keep(l, g, w, error, p);
        const double near = fmin(error, sqrt(w->gap) / w->size);
        if (error > g->tol && near < POLISH * w->polished) {
            error = polish(l, g, w, 1e-9, error, p, stack);
            w->polished = near;
        }
        waited = step < SHORT ? waited + 1 : 0;
        if (waited == JAM) {
            begin(l, w, anew[jams++ % 4] * w->size, w->p);
            waited = 0;
        }
    }
    return error;
}

double sp_fc_solve_interior(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    static const double alpha[3] = {1e-9, 1e-6, 1e-4};
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n;
    interior_work w = {.x = SP_TAKE(stack, double, n),
                       .z = SP_TAKE(stack, double, n),
                       .p = SP_TAKE(stack, double, n),
                       .r = SP_TAKE(stack, double, n),
                       .dx = SP_TAKE(stack, double, n),
                       .dz = SP_TAKE(stack, double, n),
                       .dp = SP_TAKE(stack, double, n),
                       .b = SP_TAKE(stack, double, n),
                       .u = SP_TAKE(stack, double, n),
                       .trial = SP_TAKE(stack, double, n),
                       .scale = SP_TAKE(stack, scaling, l->n_contact),
                       .size = l->worth > 0.0 ? l->worth : 1.0,
                       .polished = 1.0};
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, w.u);
    if (knows(l) && sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &w.linear)) {
        error = run(l, g, &w, error, p, stack);
        for (int k = 0; k < 3 && error > g->tol && error < NEARLY; k++) {
            error = polish(l, g, &w, alpha[k], error, p, stack);
        }
    }
    sp_fc_release(stack, mark);
    return stack->failed ? NAN : error;
}
