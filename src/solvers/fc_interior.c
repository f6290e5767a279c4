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
 * itself, sigma an unknown more, through its turning points.   theory (32.1)-(32.5)
 * [NesterovTodd98, Mehrotra92, AllgowerGeorg90] */
#include "solvers/fc_interior_parts.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"

#include <math.h>
#include <string.h>

/* ITERATIONS: in which sigma must have been halved once; MOST: times as many are enough; SLOW:
 * steps that do not halve it are as bad as short ones. */
enum {
    ITERATIONS = 300,
    MOST = 4,
    SLOW = 15,
    JAM = 2,
    LOST = 5,
    ONTO = 8,
    POLISH_STEPS = 8,
    END_STEPS = 40
};

/* Largest factor in memory (400 MB). */
#define NUMBERS_MOST 5e7
/* Steps below this are short; it begins this far inside, in parts of what c is worth. */
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
/* At the end of the path errors below so many times the goal lack the last digits only. */
#define LAST_DIGITS 30.0
/* Above this error there is nothing to polish at the end. */
#define NEARLY 1e-3

/* Proximal parameters of Newton's method on the way. */
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
    w->highest = 2.0 * sp_fc_interior_gap(l, w, 0.0);
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

/* What every contact does at the end of the path: where x is large against z it sticks, where z is
 * large against x it is open, else both come to lie on the border of their cones. */
static void read_statuses(const sp_fc_island *l, const sp_fc_interior *w, unsigned char *status)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double *x = w->x + k, *z = w->z + k;
        const double friction = sp_fc_slip(dim, x, 0.0), slip = sp_fc_slip(dim, z, 0.0);
        status[i] = !dim || x[0] - friction > z[0] + slip ? SP_STICK
                    : x[0] + friction < z[0] - slip       ? SP_OPEN
                    : dim == 1                            ? SP_STICK
                    : z[1] < 0.0                          ? SP_SLIP_NEG
                                                          : SP_SLIP_POS;
    }
}

/* Newton's method from the iterate and what its contacts will do, then from the best one. */
static double polish(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double alpha,
                     int steps, double error, double *p, sp_fc_stack *stack)
{
    const int patience = steps / 6 + 1;
    const size_t bytes = (size_t)l->n * sizeof *p;
    read_statuses(l, w, w->status);
    memcpy(w->trial, w->p, bytes);
    sp_fc_newton(l, g, &w->linear, &(sp_fc_newton_plan){alpha, steps, patience, w->status},
                 w->trial, stack);
    error = sp_fc_island_keep(l, g, w->trial, w->u, error, p);
    if (error > g->tol) {
        memcpy(w->trial, p, bytes);
        sp_fc_newton(l, g, &w->linear, &(sp_fc_newton_plan){alpha, steps, patience, NULL}, w->trial,
                     stack);
        error = sp_fc_island_keep(l, g, w->trial, w->u, error, p);
    }
    return error;
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
    return sp_fc_interior_go(l, w, step);
}

/* One step in either way; returns its length, 0 if there was none. */
static double go_on(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double smooth)
{
    w->gap = w->follows ? w->gap : sp_fc_interior_gap(l, w, 0.0);
    w->eps = smooth * w->gap / w->size;
    if (w->gap < 0.5 * w->deepest) {
        w->deepest = w->gap;
        w->since = 0;
    }
    w->since++;
    if (w->follows) {
        w->slow = 0;
        return sp_fc_interior_follow(l, g, w);
    }
    if (w->slow == 0 || w->gap < 0.5 * w->fell) {
        w->fell = w->gap;
        w->slow = 0;
    }
    w->slow++;
    sp_fc_interior_remember(l, w);
    return advance(l, g, w);
}

/* Newton's method at the end of the path with each of its proximal parameters: where contacts are
 * between two states, or their percussions are not unique, the larger ones come further. */
static double polish_all(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double error,
                         double *p, sp_fc_stack *stack)
{
    static const double alpha[6] = {1e-9, 1e-4, 1e-3, 1e-2, 1e-5, 1e-7};
    for (int k = 0; k < 6 && error > g->tol && error < NEARLY; k++) {
        error = polish(l, g, w, alpha[k], END_STEPS, error, p, stack);
    }
    return error;
}

/* Begin anew from where it is, further inside. */
static void begin_anew(const sp_fc_island *l, sp_fc_interior *w)
{
    static const double inside[4] = {0.1, 0.3, 0.03, 1.0};
    begin(l, w, inside[w->jams++ % 4] * w->size, w->p);
    w->n_place = w->follows = w->waited = w->closed = 0;
    w->polished = 1.0;
}

/* After a step of this length: at round-off polish, where steps are short follow the path from
 * where they were long, if it is lost from further back; then begin anew. */
static double get_unstuck(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double step,
                          double error, double *p, sp_fc_stack *stack)
{
    const int sharp = !(sqrt(w->gap) > FLOOR * w->size);
    w->waited = step < SHORT ? w->waited + 1 : 0;
    const int jams = !w->follows && (w->waited == JAM || w->slow > SLOW);
    const int lost = w->waited >= LOST || (w->follows && (w->closed || w->onto > ONTO));
    if (sharp || (jams && sqrt(w->gap) < SHARP * w->size)) {
        error = polish_all(l, g, w, error, p, stack);
    }
    if (!(error > g->tol) || !(sharp || jams || lost)) {
        return error;
    }
    w->waited = w->closed = w->slow = 0;
    if (sqrt(w->gap) < SHARP * w->size && error < LAST_DIGITS * g->tol) {
        w->ended = 1; /* another way to the same end would bring no more */
    } else if (sharp || !sp_fc_interior_go_back(l, w)) {
        begin_anew(l, w);
    }
    return error;
}

/* The loop, from the start in p. */
static double run(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w, double error, double *p,
                  sp_fc_stack *stack)
{
    static const double eps[4] = {0.01, 0.1, 0.003, 1.0};
    const double patience = ITERATIONS * g->effort, most = MOST * patience;
    begin(l, w, START * w->size, p);
    for (int k = 0; w->since < patience && k < most && !w->ended; k++) {
        if (error <= g->tol || sp_fc_late(g)) {
            break;
        }
        const double step = go_on(l, g, w, eps[w->jams % 4]);
        if (!(step > 0.0)) {
            break;
        }
        take_trial(l, w);
        error = sp_fc_island_keep(l, g, w->trial, w->u, error, p);
        const double near = fmin(error, sqrt(w->gap) / w->size);
        if (error > g->tol && near < fmin(POLISH, AGAIN * w->polished)) {
            error = polish(l, g, w, proximal[w->polishes++ % 3], POLISH_STEPS, error, p, stack);
            w->polished = near;
        }
        if (error > g->tol) {
            error = get_unstuck(l, g, w, step, error, p, stack);
        }
    }
    return error;
}

/* Memory of a direction. */
static sp_fc_direction take_direction(sp_fc_stack *stack, size_t n)
{
    sp_fc_direction d = {SP_TAKE(stack, double, n), NULL, NULL};
    d.z = SP_TAKE(stack, double, n);
    d.p = SP_TAKE(stack, double, n);
    return d;
}

double sp_fc_solve_interior(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n;
    sp_fc_interior w = {.x = SP_TAKE(stack, double, n),
                        .z = SP_TAKE(stack, double, n),
                        .p = SP_TAKE(stack, double, n),
                        .r = SP_TAKE(stack, double, n),
                        .b = SP_TAKE(stack, double, n),
                        .u = SP_TAKE(stack, double, n),
                        .trial = SP_TAKE(stack, double, n),
                        .status = SP_TAKE(stack, unsigned char, l->n_contact),
                        .d = take_direction(stack, n),
                        .t = take_direction(stack, n),
                        .s = take_direction(stack, n),
                        .scale = SP_TAKE(stack, sp_fc_scaling, l->n_contact),
                        .size = l->worth > 0.0 ? l->worth : 1.0,
                        .polished = 1.0,
                        .deepest = INFINITY,
                        .last = {SP_TAKE(stack, double, 3 * n), INFINITY}};
    for (int k = 0; k < SP_FC_PLACES; k++) {
        w.place[k].at = SP_TAKE(stack, double, 3 * n);
    }
    if (stack->failed) {
        return NAN;
    }
    double error = sp_fc_island_judge(l, g, p, w.u);
    if (knows(l) && sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &w.linear)) {
        error = run(l, g, &w, error, p, stack);
        error = w.ended ? error : polish_all(l, g, &w, error, p, stack);
    }
    sp_fc_release(stack, mark);
    return stack->failed ? NAN : error;
}
