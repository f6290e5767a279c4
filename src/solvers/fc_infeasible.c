/* The least violation of xi_N >= 0, xi_F = 0 over all p in the sets,
 *
 *     f(p) = |v|^2 / 2,   v_N = min(0, u_N), v_F = u_F, 0 else,   u = G p + c,
 *
 * has the gradient G'v.  If the minimum is not zero, y = -v is the proof: -G'v points out of the
 * sets at p, so that y'G p is the supremum, and y'u = -|v|^2 < 0.  Found by projected gradients
 * with momentum [BT09]. */
#include "solvers/fc_method.h"

#include <math.h>
#include <string.h>

enum { POWER_STEPS = 30 };

/* Terms must cancel to this, and the gap must be larger than a hundred times that. */
#define HOLDS 1e-8

typedef struct phase_one {
    double *p, *q, *old, *v, *grad, *u; /* n */
} phase_one;

/* v of the velocity u; returns |v|^2. */
static double violation(const sp_fc_island *l, const double *u, double *v)
{
    double sum = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i];
        for (int a = k; a < l->row[i + 1]; a++) {
            v[a] = 0.0;
        }
        if (l->set[i].kind != SP_SET_INTERVAL) {
            v[k] = l->set[i].kind == SP_SET_FREE || u[k] < 0.0 ? u[k] : 0.0;
        }
        sum += v[k] * v[k];
    }
    return sum;
}

/* t = G'v. */
static void times_transposed(const sp_fc_island *l, const double *v, double *t)
{
    memset(t, 0, (size_t)l->n * sizeof *t);
    for (int i = 0; i < l->n_contact; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b], cols = l->row[j + 1] - l->row[j];
            for (int a = 0; a < l->row[i + 1] - l->row[i]; a++) {
                for (int e = 0; e < cols; e++) {
                    t[l->row[j] + e] += l->G[l->at[b] + a * cols + e] * v[l->row[i] + a];
                }
            }
        }
    }
}

/* Nearest point of the sets, friction as whole cones. */
static void project(const sp_fc_island *l, double *p)
{
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &l->set[i];
        double *x = p + l->row[i];
        const int dim = l->row[i + 1] - l->row[i];
        if (s->kind != SP_SET_DISC && s->kind != SP_SET_PLANAR) {
            sp_set_project(s, x);
            continue;
        }
        for (int a = 0; s->shifted && a < dim; a++) {
            x[a] -= s->shift[a];
        }
        sp_cone_project(dim, s->mu, x);
        for (int a = 0; s->shifted && a < dim; a++) {
            x[a] += s->shift[a];
        }
    }
}

/* sup_{p in C_i} t.p; infinity counts as the violation times a large number. */
static double support(const sp_set *s, int dim, const double *t, double *outside)
{
    double sum = 0.0;
    for (int a = 0; s->shifted && a < dim; a++) {
        sum += t[a] * s->shift[a];
    }
    if (s->kind == SP_SET_INTERVAL) {
        return sum + fmax(t[0] * s->lo, t[0] * s->hi);
    }
    double beyond = s->kind == SP_SET_FREE ? fabs(t[0]) : t[0];
    if (dim > 1) {
        beyond += s->mu * (dim == 3 ? sqrt(t[1] * t[1] + t[2] * t[2]) : fabs(t[1]));
    }
    *outside = fmax(*outside, beyond);
    return sum;
}

/* Whether y is a proof: the cone conditions hold to round-off and the gap is clear. */
static int proves(const sp_fc_island *l, const double *y, double *t)
{
    double size = 0.0, gap = 0.0, outside = 0.0, c_size = 0.0;
    times_transposed(l, y, t);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        gap += support(&l->set[i], dim, t + k, &outside);
        for (int a = k; a < l->row[i + 1]; a++) {
            gap += y[a] * l->c[a];
            size = fmax(size, fabs(y[a]));
            c_size = fmax(c_size, fabs(l->c[a]));
        }
    }
    return size > 0.0 && outside <= HOLDS * size && gap < -100.0 * HOLDS * size * c_size;
}

/* |G|^2 by power iteration, a little above. */
static double norm2(const sp_fc_island *l, phase_one *w)
{
    double norm = 1.0;
    for (int k = 0; k < l->n; k++) {
        w->q[k] = 1.0 + 0.01 * (k % 7);
    }
    for (int s = 0; s < POWER_STEPS; s++) {
        double sum = 0.0;
        sp_fc_island_velocity(l, w->q, w->u);
        for (int k = 0; k < l->n; k++) {
            w->u[k] -= l->c[k];
        }
        times_transposed(l, w->u, w->grad);
        for (int k = 0; k < l->n; k++) {
            sum += w->grad[k] * w->grad[k];
        }
        norm = sqrt(sum);
        for (int k = 0; k < l->n; k++) {
            w->q[k] = norm > 0.0 ? w->grad[k] / norm : 0.0;
        }
    }
    return 1.2 * norm + 1e-300;
}

/* Projected gradients with momentum and restarts; 1 as soon as a proof is there. */
static int descend(const sp_fc_island *l, const sp_fc_goal *g, phase_one *w, int steps, double *y)
{
    const double step = 1.0 / norm2(l, w);
    double theta = 1.0;
    memset(w->p, 0, (size_t)l->n * sizeof *w->p);
    project(l, w->p);
    memcpy(w->q, w->p, (size_t)l->n * sizeof *w->q);
    for (int s = 0; s < steps; s++) {
        sp_fc_island_velocity(l, w->q, w->u);
        const double f = violation(l, w->u, w->v);
        if (!(f > 1e-24 * l->worth * l->worth)) {
            return 0; /* a feasible point */
        }
        times_transposed(l, w->v, w->grad);
        memcpy(w->old, w->p, (size_t)l->n * sizeof *w->p);
        double turn = 0.0;
        for (int k = 0; k < l->n; k++) {
            w->p[k] = w->q[k] - step * w->grad[k];
        }
        project(l, w->p);
        for (int k = 0; k < l->n; k++) {
            turn += (w->q[k] - w->p[k]) * (w->p[k] - w->old[k]);
        }
        const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * theta * theta));
        const double beta = turn > 0.0 ? 0.0 : (theta - 1.0) / next;
        theta = turn > 0.0 ? 1.0 : next;
        for (int k = 0; k < l->n; k++) {
            w->q[k] = w->p[k] + beta * (w->p[k] - w->old[k]);
        }
        if (s % 50 == 49) {
            sp_fc_island_velocity(l, w->p, w->u);
            violation(l, w->u, w->v);
            for (int k = 0; k < l->n; k++) {
                y[k] = -w->v[k];
            }
            if (proves(l, y, w->grad)) {
                return 1;
            }
            if (sp_fc_late(g)) {
                return 0;
            }
        }
    }
    return 0;
}

int sp_fc_infeasible(const sp_fc_island *l, sp_fc_goal *g, double *y, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n;
    phase_one w = {SP_TAKE(stack, double, n), SP_TAKE(stack, double, n), SP_TAKE(stack, double, n),
                   SP_TAKE(stack, double, n), SP_TAKE(stack, double, n), SP_TAKE(stack, double, n)};
    if (stack->failed) {
        return 0;
    }
    /* about a second at most */
    const double steps = fmin(2e4, 2e8 / (18.0 * l->n_block)) * g->effort;
    const int found = descend(l, g, &w, (int)fmin(steps, 1e9), y);
    sp_fc_release(stack, mark);
    return found;
}
