/* Sweeps and semismooth Newton on the natural map in turn, for islands with any sets:
 *
 *     F(p) = p - prox_C(p - u) = 0,  u = G p + c + alpha (p - q),     J = I - D + D (G + alpha I)
 *
 * D the derivative of the projection, alpha a little for islands whose contacts depend on each
 * other, q the last iterate (proximal steps).  The step is halved until |F| falls.  Where this does
 * not end, friction grows from nothing to what it is, and other starts are tried.
 *                                                                                 theory (19.25) */
#include "solvers/fc_dense.h"
#include "solvers/fc_method.h"
#include "solvers/fc_nsgs.h"

#include "laws/ball.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    ROUNDS = 10,
    SWEEPS_FIRST = 20,
    SWEEPS_MOST = 640,
    STEPS = 30,
    HALVINGS = 10,
    ROWS_MOST = 600,
    SWEEPS_ALONE = 20000,
    PROXIMAL_STEPS = 60,
    PATIENCE = 8,
    FRICTION_STEPS = 16,
    STARTS = 24,
    DIM = SP_SET_DIM_MAX
};

/* Memory of Newton's method. */
typedef struct newton_work {
    double *A, *D;     /* n x n padded; DIM x DIM per contact */
    double *F, *u, *x; /* n: map, velocity, p - u             */
    double *trial, *F_trial;
    int *pivot;
} newton_work;

static int place(const sp_fc_island *l, newton_work *w, sp_fc_stack *stack)
{
    const size_t n = (size_t)l->n, ld = (size_t)sp_fc_padded(l->n);
    w->A = SP_TAKE(stack, double, n *ld);
    w->D = SP_TAKE(stack, double, (size_t)l->n_contact *DIM *DIM);
    w->F = SP_TAKE(stack, double, n);
    w->u = SP_TAKE(stack, double, n);
    w->x = SP_TAKE(stack, double, n);
    w->trial = SP_TAKE(stack, double, n);
    w->F_trial = SP_TAKE(stack, double, n);
    w->pivot = SP_TAKE(stack, int, n);
    return !stack->failed;
}

/* F (n) and x = p - u at p, with the proximal term if q is there; returns |F|^2. */
static double natural(const sp_fc_island *l, double alpha, const double *q, const double *p,
                      double *u, double *x, double *F)
{
    double sum = 0.0;
    sp_fc_island_velocity(l, p, u);
    for (int k = 0; k < l->n; k++) {
        F[k] = x[k] = p[k] - u[k] - (q ? alpha * (p[k] - q[k]) : 0.0);
    }
    sp_fc_island_project(l, F);
    for (int k = 0; k < l->n; k++) {
        F[k] = p[k] - F[k];
        sum += F[k] * F[k];
    }
    return sum;
}

/* A = J at x. */
static void matrix(const sp_fc_island *l, double alpha, newton_work *w)
{
    const size_t ld = (size_t)sp_fc_padded(l->n);
    memset(w->A, 0, (size_t)l->n * ld * sizeof *w->A);
    for (int i = 0; i < l->n_contact; i++) {
        const int at = l->row[i], dim = l->row[i + 1] - at;
        double *D = w->D + (size_t)i * DIM * DIM;
        sp_set_derivative(&l->set[i], w->x + at, D);
        for (int k = l->start[i]; k < l->start[i + 1]; k++) {
            const int j = l->column[k], to = l->row[j], cols = l->row[j + 1] - to;
            for (int a = 0; a < dim; a++) {
                double *row = w->A + (size_t)(at + a) * ld + to;
                for (int e = 0; e < dim; e++) {
                    for (int b = 0; b < cols; b++) {
                        row[b] += D[a * dim + e] * l->G[l->at[k] + e * cols + b];
                    }
                }
            }
        }
        for (int a = 0; a < dim; a++) {
            for (int b = 0; b < dim; b++) {
                w->A[(size_t)(at + a) * ld + (size_t)(at + b)] +=
                    (a == b ? 1.0 : 0.0) - (1.0 - alpha) * D[a * dim + b];
            }
        }
    }
}

/* Newton from p (in/out); q: centre of the proximal term, NULL: none, alpha is in J only. */
static void newton(const sp_fc_island *l, sp_fc_goal *g, double alpha, const double *q, double *p,
                   newton_work *w)
{
    double error2 = natural(l, alpha, q, p, w->u, w->x, w->F);
    int slow = 0;
    for (int k = 0; k < STEPS && error2 > 0.0 && slow < PATIENCE && !sp_fc_late(g); k++) {
        matrix(l, alpha, w);
        g->steps++;
        g->factorisations++;
        if (!(sp_fc_lu(l->n, w->A, w->pivot) > 1e-14)) {
            return;
        }
        sp_fc_lu_solve(l->n, w->A, w->pivot, w->F);
        double now2 = INFINITY, t = 1.0;
        for (int h = 0; h < HALVINGS && !(now2 < error2); h++, t *= 0.5) {
            for (int a = 0; a < l->n; a++) {
                w->trial[a] = p[a] - t * w->F[a];
            }
            now2 = natural(l, alpha, q, w->trial, w->u, w->x, w->F_trial);
        }
        if (!(now2 < error2)) {
            return;
        }
        memcpy(p, w->trial, (size_t)l->n * sizeof *p);
        memcpy(w->F, w->F_trial, (size_t)l->n * sizeof *p);
        slow += now2 > 0.64 * error2;
        error2 = now2;
    }
}

/* All that the methods share: sweeps, Newton, the best iterate and its error. */
typedef struct search {
    sp_fc_sweeper sweeper;
    newton_work w;
    double *z, *q, *p, error; /* n each */
} search;

/* Judge z; if it is better it becomes p, and the sweeps go on from there. */
static void keep(const sp_fc_island *l, sp_fc_goal *g, search *s)
{
    const size_t bytes = (size_t)l->n * sizeof *s->p;
    sp_fc_island_project(l, s->z);
    const double now = sp_fc_island_judge(l, g, s->z, s->w.u);
    if (now < s->error) {
        memcpy(s->p, s->z, bytes);
        memcpy(s->sweeper.x, s->z, bytes);
        sp_fc_sweeper_reset(&s->sweeper);
        s->error = now;
    }
}

/* Newton from this start. */
static void try_newton(const sp_fc_island *l, sp_fc_goal *g, search *s, double alpha,
                       const double *start)
{
    memcpy(s->z, start, (size_t)l->n * sizeof *s->z);
    newton(l, g, alpha, NULL, s->z, &s->w);
    keep(l, g, s);
}

/* Proximal steps from p: each is a better posed problem than the island itself. */
static void proximal(const sp_fc_island *l, sp_fc_goal *g, search *s, double alpha)
{
    int since = 0;
    memcpy(s->z, s->p, (size_t)l->n * sizeof *s->z);
    for (int k = 0; k < PROXIMAL_STEPS && since < PATIENCE && !sp_fc_late(g); k++) {
        const double before = s->error;
        if (before <= g->tol) {
            break;
        }
        memcpy(s->q, s->z, (size_t)l->n * sizeof *s->q);
        newton(l, g, alpha, s->q, s->z, &s->w);
        keep(l, g, s);
        since = s->error < 0.9 * before ? 0 : since + 1;
    }
}

/* Sweeps from z, the best of them in z. */
static void sweep(const sp_fc_island *l, sp_fc_goal *g, search *s, int sweeps)
{
    memcpy(s->sweeper.x, s->z, (size_t)l->n * sizeof *s->z);
    sp_fc_sweeper_reset(&s->sweeper);
    const double error = sp_fc_island_judge(l, g, s->z, s->w.u);
    sp_fc_nsgs(l, g, sweeps, 0, &s->sweeper, s->z, error);
}

/* The island with all friction times part; set: n_contact. */
static sp_fc_island with_friction(const sp_fc_island *l, double part, sp_set *set)
{
    sp_fc_island m = *l;
    memcpy(set, l->set, (size_t)l->n_contact * sizeof *set);
    for (int i = 0; i < l->n_contact; i++) {
        set[i].mu *= part;
        set[i].mu_2 *= part;
    }
    m.set = set;
    return m;
}

/* From z on friction grows from nothing to what it is. */
static void grow_friction(const sp_fc_island *l, sp_fc_goal *g, search *s, int steps, sp_set *set)
{
    for (int k = 0; k <= steps && !(s->error <= g->tol) && !sp_fc_late(g); k++) {
        const sp_fc_island m = with_friction(l, (double)k / steps, set);
        sp_fc_island_project(&m, s->z);
        sweep(&m, g, s, SWEEPS_FIRST);
        newton(&m, g, 1e-9, NULL, s->z, &s->w);
    }
    keep(l, g, s);
}

/* Other ways: proximal steps, growing friction, other starts (numbers of a fixed sequence). */
static void insist(const sp_fc_island *l, sp_fc_goal *g, search *s, sp_set *set)
{
    static const double alpha[3] = {1e-3, 1e-2, 1e-1};
    for (int k = 0; k < 3; k++) {
        proximal(l, g, s, alpha[k]);
    }
    memset(s->z, 0, (size_t)l->n * sizeof *s->z);
    grow_friction(l, g, s, FRICTION_STEPS, set);
    uint32_t state = 1;
    const int starts = (int)ceil(STARTS * fmin(g->effort, 1e6));
    for (int k = 0; k < starts && !(s->error <= g->tol) && !sp_fc_late(g); k++) {
        const double size = l->worth * pow(10.0, k % 4 - 1);
        for (int a = 0; a < l->n; a++) {
            state = 1664525u * state + 1013904223u;
            s->z[a] = size * (2.0 * (double)(state >> 8) / 16777216.0 - 1.0);
        }
        sp_fc_island_project(l, s->z);
        if (k % 3 == 2) {
            grow_friction(l, g, s, 4 * FRICTION_STEPS, set);
        }
        sweep(l, g, s, SWEEPS_MOST);
        newton(l, g, 0.0, NULL, s->z, &s->w);
        keep(l, g, s);
        proximal(l, g, s, alpha[k % 3]);
    }
}

/* Sweeps and Newton in turn, the other ways if that does not do. */
static void search_small(const sp_fc_island *l, sp_fc_goal *g, search *s, sp_set *set)
{
    static const double alpha[4] = {0.0, 1e-9, 1e-6, 1e-3};
    const int rounds = (int)ceil(ROUNDS * fmin(g->effort, 1e6));
    int sweeps = SWEEPS_FIRST;
    for (int r = 0; r < rounds && !(s->error <= g->tol) && !sp_fc_late(g); r++) {
        s->error = sp_fc_nsgs(l, g, sweeps, 0, &s->sweeper, s->p, s->error);
        for (int k = 0; k < 2 && !(s->error <= g->tol); k++) {
            try_newton(l, g, s, alpha[r % 4], k ? s->p : s->sweeper.x);
        }
        sweeps = 2 * sweeps < SWEEPS_MOST ? 2 * sweeps : SWEEPS_MOST;
    }
    if (!(s->error <= g->tol)) {
        insist(l, g, s, set);
    }
}

double sp_fc_solve_natural(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const int small = l->n <= ROWS_MOST;
    search s = {.p = p, .z = SP_TAKE(stack, double, l->n), .q = SP_TAKE(stack, double, l->n)};
    sp_set *set = SP_TAKE(stack, sp_set, l->n_contact);
    if (!sp_fc_sweeper_place(&s.sweeper, l, stack) || (small && !place(l, &s.w, stack))) {
        return NAN;
    }
    memcpy(s.sweeper.x, p, (size_t)l->n * sizeof *p);
    s.error = sp_fc_island_judge(l, g, p, s.sweeper.u);
    if (small) {
        search_small(l, g, &s, set);
    } else {
        const int sweeps = (int)fmin(SWEEPS_ALONE * g->effort, 1e9);
        s.error = sp_fc_nsgs(l, g, sweeps, 1000, &s.sweeper, p, s.error);
    }
    sp_fc_release(stack, mark);
    return s.error;
}
