/* Alternating directions: x free, z in the cones, y the price of x = z; s = mu |y_T| is De Saxce's
 * shift, taken from the last y.
 *
 *     (G + (eta + rho) I) x = eta x + rho z - y - (c + s e_N)
 *     z = prox_K(x + y / rho),     y <- y + rho (x - z)
 *
 * At the end -y is the velocity.  The map from t = z + y / rho to the next is accelerated.
 * [CarpentierLeLidecMontaut24]  Where that stalls the shift follows y slowly, s += theta (mu |y_T|
 * - s): taken at once it makes heaps near rest go round in circles.   docs/solvers.md */
#include "solvers/fc_anderson.h"
#include "solvers/fc_method.h"
#include "solvers/fc_newton.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 6000,
    JUDGE_EVERY = 10,
    POLISH_EVERY = 250,
    EPOCH = 500,
    CALM_FROM = 3,
    CALM_EPOCHS = 12
};

/* Proximal term, over-relaxation, largest factor in memory (400 MB). */
#define ETA          1e-6
#define RELAX        1.6
#define NUMBERS_MOST 5e7
/* An iterate of other methods with an error below this is a start. */
#define NEARLY 1e-5
/* After so many epochs that brought too little (CALM_FROM): share of the new shift, and rho. */
#define DAMPING    0.1
#define DAMPED_RHO 0.1

typedef struct admm_work {
    double *x, *z, *y, *u, *trial; /* n                                   */
    /* size: x + y / rho before its projection (n), then s / DAMPED_RHO (n_contact) */
    double *t, *t_next, *safe;
    int size; /* n, with a shift that follows slowly n + n_contact: what the state is */
    sp_fc_linear linear;
    sp_fc_anderson past;
    double rho, theta; /* theta: share of the new shift */
} admm_work;

/* z = nearest point of the sets, friction as whole cones. */
static void project(const sp_fc_island *l, double *z)
{
    for (int i = 0; i < l->n_contact; i++) {
        const sp_set *s = &l->set[i];
        double *v = z + l->row[i];
        const int dim = l->row[i + 1] - l->row[i];
        if (dim == 1) {
            sp_set_project(s, v);
            continue;
        }
        for (int a = 0; s->shifted && a < dim; a++) {
            v[a] -= s->shift[a];
        }
        sp_cone_project(dim, s->mu, v);
        for (int a = 0; s->shifted && a < dim; a++) {
            v[a] += s->shift[a];
        }
    }
}

/* Factor G + (eta + rho) I; 0 if it is singular. */
static int factor(const sp_fc_island *l, sp_fc_goal *g, admm_work *w)
{
    sp_fc_linear *s = &w->linear;
    memcpy(s->block, l->G, (size_t)l->at[l->n_block] * sizeof *s->block);
    for (int i = 0; i < l->n_contact; i++) {
        const int dim = l->row[i + 1] - l->row[i];
        s->m[i] = dim;
        for (int a = 0; a < dim; a++) {
            s->block[l->at[l->diag[i]] + a * dim + a] += ETA + w->rho;
        }
    }
    sp_fc_linear_count(s);
    g->factorisations++;
    return sp_fc_linear_factor(s) > 0.0;
}

/* z = prox(t), y = rho (t - z). */
static void split(const sp_fc_island *l, admm_work *w, const double *t)
{
    memcpy(w->z, t, (size_t)l->n * sizeof *t);
    project(l, w->z);
    for (int k = 0; k < l->n; k++) {
        w->y[k] = w->rho * (t[k] - w->z[k]);
    }
}

/* One iteration from t to t_next; returns |t_next - t|^2. */
static double iterate(const sp_fc_island *l, admm_work *w)
{
    double change2 = 0.0;
    split(l, w, w->t);
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        const double now = dim == 3   ? l->set[i].mu * hypot(w->y[k + 1], w->y[k + 2])
                           : dim == 2 ? l->set[i].mu * fabs(w->y[k + 1])
                                      : 0.0;
        const double old = w->theta < 1.0 ? DAMPED_RHO * w->t[l->n + i] : now;
        const double shift = old + w->theta * (now - old);
        w->t_next[l->n + i] = shift / DAMPED_RHO;
        for (int a = k; a < k + dim; a++) {
            w->x[a] = ETA * w->x[a] + w->rho * w->z[a] - w->y[a] - l->c[a] - (a == k ? shift : 0.0);
        }
    }
    sp_fc_linear_solve(&w->linear, w->x);
    for (int k = 0; k < l->n; k++) {
        const double step = RELAX * (w->x[k] - w->z[k]);
        w->t_next[k] = w->z[k] + step + w->y[k] / w->rho;
    }
    for (int k = 0; k < w->size; k++) {
        change2 += (w->t_next[k] - w->t[k]) * (w->t_next[k] - w->t[k]);
    }
    return change2;
}

/* The next t: t_next, or what the acceleration makes of it; after a bad jump the plain one. */
static void advance(admm_work *w, int plain, double change2, double *last2, int *jumped)
{
    const size_t bytes = (size_t)w->size * sizeof *w->t;
    if (*jumped && !(change2 <= 4.0 * *last2)) {
        memcpy(w->t, w->safe, bytes);
        sp_fc_anderson_restart(&w->past);
        *jumped = 0;
        *last2 = INFINITY;
        return;
    }
    *last2 = change2;
    memcpy(w->safe, w->t_next, bytes);
    sp_fc_anderson_take(&w->past, w->t, w->t_next);
    memcpy(w->t, w->t_next, bytes);
    *jumped = !plain && sp_fc_anderson_jump(&w->past, w->t);
}

/* A new rho: t keeps z and y. */
static int change_rho(const sp_fc_island *l, sp_fc_goal *g, admm_work *w, double rho)
{
    split(l, w, w->t);
    w->rho = rho;
    for (int k = 0; k < l->n; k++) {
        w->t[k] = w->z[k] + w->y[k] / rho;
    }
    sp_fc_anderson_reset(&w->past);
    return factor(l, g, w);
}

/* Keep what is better; what is not a number never is. */
static double keep(const sp_fc_island *l, const sp_fc_goal *g, admm_work *w, const double *from,
                   double error, double *p)
{
    memcpy(w->trial, from, (size_t)l->n * sizeof *p);
    return sp_fc_island_keep(l, g, w->trial, w->u, error, p);
}

/* Newton from z, then back to the matrix of this method. */
static double polish(const sp_fc_island *l, sp_fc_goal *g, admm_work *w, double alpha, double error,
                     double *p, sp_fc_stack *stack)
{
    memcpy(w->safe, w->z, (size_t)l->n * sizeof *p);
    sp_fc_island_project(l, w->safe);
    sp_fc_newton(l, g, &w->linear, &(sp_fc_newton_plan){alpha, 10, 5, NULL}, w->safe, stack);
    return keep(l, g, w, w->safe, error, p);
}

/* From nothing: the best iterate of other methods may be in a dead end. */
static void begin_anew(const sp_fc_island *l, admm_work *w)
{
    for (int k = 0; k < l->n; k++) {
        w->x[k] = 0.0;
        w->t[k] = -l->c[k] / w->rho;
    }
}

/* Begin anew, from nothing and with a shift that follows slowly: what was found is too far away. */
static void damp_shift(const sp_fc_island *l, admm_work *w)
{
    w->theta = DAMPING;
    w->size = w->past.n = l->n + l->n_contact;
    memset(w->t, 0, (size_t)w->size * sizeof *w->t);
    memset(w->x, 0, (size_t)l->n * sizeof *w->x);
}

/* Back to a shift that is taken at once, from nothing: damping did not bring it either. */
static void wake_up(const sp_fc_island *l, admm_work *w)
{
    w->theta = 1.0;
    w->size = w->past.n = l->n;
    begin_anew(l, w);
}

/* The loop.  Where an epoch brings too little, the next one is plain, then has another rho. */
static double run(const sp_fc_island *l, sp_fc_goal *g, admm_work *w, double error, double *p,
                  sp_fc_stack *stack)
{
    static const double alpha[3] = {1e-6, 1e-4, 1e-2}, rhos[5] = {0.01, 0.1, 0.003, 0.03, 0.001};
    static const double damped[3] = {DAMPED_RHO, 0.03, 0.01};
    const int most = (int)fmin(ITERATIONS * g->effort, 1e9);
    double last2 = INFINITY, epoch = error, before = error;
    int jumped = 0, stalls = 0, warm = error < NEARLY;
    for (int k = 1; k <= most && !(error <= g->tol) && !sp_fc_late(g); k++) {
        const double change2 = iterate(l, w);
        g->steps++;
        if (k % JUDGE_EVERY == 0) {
            error = keep(l, g, w, w->z, error, p);
        }
        advance(w, stalls % 2, change2, &last2, &jumped);
        if (k % POLISH_EVERY == 0 && !(error <= g->tol)) {
            error = polish(l, g, w, alpha[k / POLISH_EVERY % 3], error, p, stack);
            memcpy(w->safe, w->t, (size_t)w->size * sizeof *p);
            if (warm && error > 0.5 * before) {
                begin_anew(l, w);
                warm = jumped = 0;
            }
            before = error;
            stalls += k % EPOCH == 0 && error > 0.2 * epoch;
            epoch = k % EPOCH == 0 ? error : epoch;
            if (stalls >= CALM_FROM && stalls < CALM_FROM + CALM_EPOCHS && w->theta == 1.0) {
                damp_shift(l, w);
                jumped = 0;
            }
            if (stalls >= CALM_FROM + CALM_EPOCHS && w->theta < 1.0) {
                wake_up(l, w);
                jumped = 0;
            }
            if (!change_rho(l, g, w,
                            w->theta < 1.0 ? damped[stalls / 4 % 3] : rhos[stalls / 2 % 5])) {
                return error;
            }
        }
    }
    return error;
}

double sp_fc_solve_admm(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    const size_t n = (size_t)l->n, most = n + (size_t)l->n_contact;
    admm_work w = {.x = SP_TAKE(stack, double, n),
                   .z = SP_TAKE(stack, double, n),
                   .y = SP_TAKE(stack, double, n),
                   .u = SP_TAKE(stack, double, n),
                   .trial = SP_TAKE(stack, double, n),
                   .t = SP_TAKE(stack, double, most),
                   .t_next = SP_TAKE(stack, double, most),
                   .safe = SP_TAKE(stack, double, most),
                   .rho = 0.01,
                   .theta = 1.0};
    if (!sp_fc_anderson_place(&w.past, (int)most, SP_FC_DEPTH, stack)) {
        return NAN;
    }
    w.size = w.past.n = l->n;
    double error = sp_fc_island_judge(l, g, p, w.u);
    if (sp_fc_linear_prepare(l, NUMBERS_MOST, stack, &w.linear) && factor(l, g, &w)) {
        begin_anew(l, &w);
        for (int k = 0; k < l->n && error < NEARLY; k++) {
            w.x[k] = p[k];
            w.t[k] = p[k] - w.u[k] / w.rho;
        }
        error = run(l, g, &w, error, p, stack);
    }
    sp_fc_release(stack, mark);
    return error;
}
