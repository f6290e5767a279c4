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
 * D = dx/dp; m is Mehrotra's correction.  The shift lets the path of solutions over sigma turn back
 * and forth.  Where steps become short it goes back to where they were long and follows the path
 * itself, sigma an unknown more, through its turning points.   theory (32.1)-(32.3)
 * [NesterovTodd98, Mehrotra92, AllgowerGeorg90] */
#include "solvers/fc_interior_parts.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, JAM = 2, LOST = 5, ONTO = 8, POLISH_STEPS = 8 };

/* Largest factor in memory (400 MB). */
#define NUMBERS_MOST 5e7
/* Steps below this are short; where it begins it is this far inside, in parts of what c is worth.
 */
#define SHORT 0.1
#define START 0.1
/* Newton's method is tried below this error, and again when it has fallen to a part of it. */
#define POLISH 1e-4
#define AGAIN  0.03
/* Below this part of what c is worth percussions and velocities of the iterate are round-off. */
#define FLOOR 1e-7
/* Percussions below this part of the normal velocity are none. */
#define OPENS 1e-3
/* Below this part of what c is worth short steps are those of round-off. */
#define SHARP 1e-6
/* Above this error there is nothing to polish at the end. */
#define NEARLY 1e-3

/* Along the path: a step changes contacts by at most this part of themselves at first, and at least
 * and at most later, sigma by no more than e; it has turned for good where sigma is below this part
 * of what it was before; places to come back to are apart by this part of sigma; corrections below
 * the first are small, above the second the step before was too long. */
#define REACH       0.5
#define REACH_LEAST 0.03
#define REACH_MOST  0.8
#define TURNED      0.5
#define APART       0.2
#define NEAR        0.3
#define FAR         0.7

/* Proximal parameters of Newton's method. */
static const double proximal[3] = {1e-9, 1e-6, 1e-4};

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

/* Begin from a start, moved inside by kappa: z has the velocities of it. */
static void begin(const sp_fc_island *l, sp_fc_interior *w, double kappa, const double *start)
{
    memmove(w->p, start, (size_t)l->n * sizeof *start);
    memset(w->x, 0, (size_t)l->n * sizeof *w->x);
    memset(w->z, 0, (size_t)l->n * sizeof *w->z);
    memset(w->b, 0, (size_t)l->n * sizeof *w->b);
    sp_fc_island_velocity(l, w->p, w->u);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double mu = sp_fc_first_scale(l, i);
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
static void take_trial(const sp_fc_island *l, sp_fc_interior *w)
{
    memcpy(w->trial, w->p, (size_t)l->n * sizeof *w->p);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        if (dim && w->x[k] < OPENS * (w->z[k] - sp_fc_slip(dim, w->z + k, 0.0))) {
            memset(w->trial + k, 0, (size_t)dim * sizeof *w->p);
        }
    }
}

/* Newton's method from the best iterate. */
static double polish(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double alpha,
                     double error, double *p, sp_fc_stack *stack)
{
    memcpy(w->trial, p, (size_t)l->n * sizeof *p);
    sp_fc_newton(l, g, &w->linear, alpha, POLISH_STEPS, 2, w->trial, stack);
    return sp_fc_island_keep(l, g, w->trial, w->u, error, p);
}

/* One step; returns its length, 0 if there was none. */
static double advance(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w)
{
    sp_fc_interior_defect(l, w);
    if (!sp_fc_interior_factor(l, g, w)) {
        return 0.0;
    }
    sp_fc_interior_aim(l, w, 0.0, 0);
    sp_fc_interior_direction(l, w);
    const double rest = sp_fc_interior_gap(l, w, sp_fc_interior_reach(l, w)) / w->gap;
    sp_fc_interior_aim(l, w, fmin(1.0, rest * rest * rest) * w->gap, 1);
    sp_fc_interior_direction(l, w);
    double step = sp_fc_interior_reach(l, w);
    if (step < 3.0 * SHORT) { /* the correction is not worth much here */
        sp_fc_interior_aim(l, w, 0.5 * w->gap, 0);
        sp_fc_interior_direction(l, w);
        step = sp_fc_interior_reach(l, w);
    }
    for (int e = 0; e < l->n; e++) {
        w->x[e] += step * w->dx[e];
        w->z[e] += step * w->dz[e];
        w->p[e] += step * w->dp[e];
    }
    return step;
}

/* Keep where the iterate is. */
static void keep_place(const sp_fc_island *l, const sp_fc_interior *w, sp_fc_place *to)
{
    const size_t n = (size_t)l->n, bytes = n * sizeof(double);
    memcpy(to->at, w->x, bytes);
    memcpy(to->at + n, w->z, bytes);
    memcpy(to->at + 2 * n, w->p, bytes);
    to->gap = w->gap;
}

/* Put the iterate there. */
static void take_place(const sp_fc_island *l, const sp_fc_place *from, sp_fc_interior *w)
{
    const size_t n = (size_t)l->n, bytes = n * sizeof(double);
    memcpy(w->x, from->at, bytes);
    memcpy(w->z, from->at + n, bytes);
    memcpy(w->p, from->at + 2 * n, bytes);
    w->gap = from->gap;
}

/* Remember where the iterate is, if sigma has fallen enough since the last time. */
static void remember(const sp_fc_island *l, sp_fc_interior *w)
{
    if (w->gap < APART * w->last.gap) {
        const sp_fc_place old = w->before;
        w->before = w->last;
        w->last = old;
        keep_place(l, w, &w->last);
    }
}

/* Go back to where steps were long, to follow the path from there. */
static void go_back(const sp_fc_island *l, sp_fc_interior *w)
{
    w->jam = sp_fc_interior_gap(l, w, 0.0);
    const int far = w->last.gap * APART > w->jam || w->before.gap == INFINITY;
    take_place(l, far ? &w->last : &w->before, w);
    w->least = INFINITY;
    w->follows = w->calm = 1;
    w->turned = 0;
    w->reach = REACH;
}

/* a_i . b_i of a contact for directions a, b of x and z, in the metric of its scaling. */
static double inner_of(const sp_fc_island *l, const sp_fc_interior *w, int i, const double *ax,
                       const double *az, const double *bx, const double *bz)
{
    const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
    double a[3], b[3], sum = 0.0;
    sp_fc_cone_apply(dim, &w->scale[i], 1, ax + k, a);
    sp_fc_cone_apply(dim, &w->scale[i], 1, bx + k, b);
    for (int e = 0; e < dim; e++) {
        sum += a[e] * b[e];
    }
    sp_fc_cone_apply(dim, &w->scale[i], 0, az + k, a);
    sp_fc_cone_apply(dim, &w->scale[i], 0, bz + k, b);
    for (int e = 0; e < dim; e++) {
        sum += a[e] * b[e];
    }
    return sum / w->gap;
}

/* The tangent, b = sigma x^-1 and no defect; r is kept.   theory (32.1) */
static void find_tangent(const sp_fc_island *l, sp_fc_interior *w)
{
    const size_t bytes = (size_t)l->n * sizeof(double);
    memcpy(w->u, w->r, bytes);
    memset(w->r, 0, bytes);
    sp_fc_interior_aim(l, w, w->gap, 0);
    for (int e = 0; e < l->n; e++) {
        w->b[e] += w->z[e];
    }
    sp_fc_interior_direction(l, w);
    memcpy(w->tx, w->dx, bytes);
    memcpy(w->tz, w->dz, bytes);
    memcpy(w->tp, w->dp, bytes);
    memcpy(w->r, w->u, bytes);
}

/* d += along t. */
static void add_tangent(const sp_fc_island *l, sp_fc_interior *w, double along)
{
    for (int e = 0; e < l->n; e++) {
        w->dx[e] += along * w->tx[e];
        w->dz[e] += along * w->tz[e];
        w->dp[e] += along * w->tp[e];
    }
}

/* What of the tangent makes the correction d smallest where the tangent is largest, and the largest
 * part by which the tangent changes a contact.   theory (32.2) */
static double across(const sp_fc_island *l, const sp_fc_interior *w, double *largest)
{
    double tt = 0.0, dt = 0.0, most = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        if (sp_fc_cone_rows(l, i)) {
            const double own = inner_of(l, w, i, w->tx, w->tz, w->tx, w->tz);
            tt += own * own;
            dt += own * inner_of(l, w, i, w->dx, w->dz, w->tx, w->tz);
            most = own > most ? own : most;
        }
    }
    *largest = sqrt(most);
    return tt > 0.0 ? -dt / tt : 0.0;
}

/* The largest part by which d changes a contact. */
static double largest_change(const sp_fc_island *l, const sp_fc_interior *w)
{
    double most = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        if (sp_fc_cone_rows(l, i)) {
            const double own = inner_of(l, w, i, w->dx, w->dz, w->dx, w->dz);
            most = own > most ? own : most;
        }
    }
    return sqrt(most);
}

/* Whether the step before was too long for a correction this large: back, and shorter. */
static int is_too_far(const sp_fc_island *l, sp_fc_interior *w, double off)
{
    if (w->calm) {
        w->calm++;
        if (off < NEAR) {
            w->calm = 0;
            w->sense = w->sign;
            keep_place(l, w, &w->last);
        }
        return 0;
    }
    if (off > FAR && w->reach > REACH_LEAST) {
        take_place(l, &w->last, w);
        w->reach = fmax(0.4 * w->reach, REACH_LEAST);
        return 1;
    }
    keep_place(l, w, &w->last);
    w->reach *= off < 0.3 * NEAR ? 1.4 : off > NEAR ? 0.7 : 1.0;
    w->reach = fmin(fmax(w->reach, REACH_LEAST), REACH_MOST);
    return 0;
}

/* A step to the path and along it, in the sense in which it was come along: where the determinant
 * has the other sign sigma grows.  Returns its length, 0 if there was none.   theory (32.3) */
static double follow(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w)
{
    double largest;
    sp_fc_interior_defect(l, w);
    if (!sp_fc_interior_factor(l, g, w)) {
        return 0.0;
    }
    w->sign = sp_fc_linear_sign(&w->linear);
    find_tangent(l, w);
    sp_fc_interior_aim(l, w, w->gap, 0);
    sp_fc_interior_direction(l, w);
    double along = across(l, w, &largest);
    along = w->calm ? 0.0 : along;
    add_tangent(l, w, along);
    const double off = largest_change(l, w);
    if (is_too_far(l, w, off)) {
        return 1.0;
    }
    const double most = fmin(1.0, w->reach / largest) * fmax(0.0, 1.0 - off);
    const double ahead = w->calm ? 0.0 : w->sign == w->sense ? -most : most;
    add_tangent(l, w, ahead);
    const double step = sp_fc_interior_reach(l, w);
    for (int e = 0; e < l->n; e++) {
        w->x[e] += step * w->dx[e];
        w->z[e] += step * w->dz[e];
        w->p[e] += step * w->dp[e];
    }
    w->gap *= exp(step * (along + ahead));
    return step;
}

/* Whether the path goes down again behind its turning points, or did not turn at all. */
static int is_through(sp_fc_interior *w)
{
    const int down = w->sign == w->sense;
    w->turned |= !w->calm && !down;
    if (!w->turned) {
        w->least = fmin(w->least, w->gap);
    }
    return !w->calm && down && w->gap < (w->turned ? TURNED * w->least : APART * w->jam);
}

/* One step in either way; returns its length, 0 if there was none. */
static double go_on(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double smooth)
{
    if (w->follows) {
        w->eps = smooth * w->gap / w->size;
        const double step = follow(l, g, w);
        if (is_through(w)) {
            w->follows = 0;
            w->last.gap = w->before.gap = INFINITY;
        }
        return step;
    }
    w->gap = sp_fc_interior_gap(l, w, 0.0);
    w->eps = smooth * w->gap / w->size;
    remember(l, w);
    return advance(l, g, w);
}

/* Newton's method from the best iterate with each of its proximal parameters. */
static double polish_all(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double error,
                         double *p, sp_fc_stack *stack)
{
    for (int k = 0; k < 3 && error > g->tol && error < NEARLY; k++) {
        error = polish(l, g, w, proximal[k], error, p, stack);
    }
    return error;
}

/* Begin anew from where it is, further inside. */
static void begin_anew(const sp_fc_island *l, sp_fc_interior *w)
{
    static const double inside[4] = {0.1, 0.3, 0.03, 1.0};
    begin(l, w, inside[w->jams++ % 4] * w->size, w->p);
    w->last.gap = w->before.gap = INFINITY;
    w->follows = w->waited = 0;
    w->polished = 1.0;
}

/* After a step of this length: where steps are short follow the path, at round-off (or if it is
 * lost) begin anew. */
static double get_unstuck(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double step,
                          double error, double *p, sp_fc_stack *stack)
{
    const int sharp = !(sqrt(w->gap) > FLOOR * w->size);
    w->waited = step < SHORT ? w->waited + 1 : 0;
    if (sharp || (w->waited == JAM && sqrt(w->gap) < SHARP * w->size)) {
        error = polish_all(l, g, w, error, p, stack);
        begin_anew(l, w);
    } else if (!w->follows && w->waited == JAM) {
        go_back(l, w);
        w->waited = 0;
    } else if (w->waited == LOST || (w->follows && w->calm > ONTO)) {
        begin_anew(l, w);
    }
    return error;
}

/* The loop, from the start in p. */
static double run(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double error, double *p,
                  sp_fc_stack *stack)
{
    static const double eps[4] = {0.01, 0.1, 0.003, 1.0};
    const int most = (int)fmin(ITERATIONS * g->effort, 1e9);
    begin(l, w, START * w->size, p);
    for (int k = 0; k < most && !(error <= g->tol) && !sp_fc_late(g); k++) {
        const double step = go_on(l, g, w, eps[w->jams % 4]);
        if (!(step > 0.0)) {
            break;
        }
        take_trial(l, w);
        error = sp_fc_island_keep(l, g, w->trial, w->u, error, p);
        const double near = fmin(error, sqrt(w->gap) / w->size);
        if (error > g->tol && near < fmin(POLISH, AGAIN * w->polished)) {
            error = polish(l, g, w, proximal[w->polishes++ % 3], error, p, stack);
            w->polished = near;
        }
        if (error > g->tol) {
            error = get_unstuck(l, g, w, step, error, p, stack);
        }
    }
    return error;
}

double sp_fc_solve_interior(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n;
    sp_fc_interior w = {.x = SP_TAKE(stack, double, n),
                        .z = SP_TAKE(stack, double, n),
                        .p = SP_TAKE(stack, double, n),
                        .r = SP_TAKE(stack, double, n),
                        .dx = SP_TAKE(stack, double, n),
                        .dz = SP_TAKE(stack, double, n),
                        .dp = SP_TAKE(stack, double, n),
                        .b = SP_TAKE(stack, double, n),
                        .tx = SP_TAKE(stack, double, n),
                        .tz = SP_TAKE(stack, double, n),
                        .tp = SP_TAKE(stack, double, n),
                        .u = SP_TAKE(stack, double, n),
                        .trial = SP_TAKE(stack, double, n),
                        .scale = SP_TAKE(stack, sp_fc_scaling, l->n_contact),
                        .size = l->worth > 0.0 ? l->worth : 1.0,
                        .polished = 1.0,
                        .last = {SP_TAKE(stack, double, 3 * n), INFINITY},
                        .before = {SP_TAKE(stack, double, 3 * n), INFINITY}};
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, w.u);
    if (knows(l) && sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &w.linear)) {
        error = run(l, g, &w, error, p, stack);
        error = polish_all(l, g, &w, error, p, stack);
    }
    sp_fc_release(stack, mark);
    return stack->failed ? NAN : error;
}
