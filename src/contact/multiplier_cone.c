/* contact/multiplier_cone.c - interior points, theory (29.1) and (29.2), with the sparse operator:
 * a contact has the block dP = C (U b - r - W^T dx), C = (U H D)^-1.   theory (76.10) */
#include "contact/multiplier_cone.h"

#include <string.h>

enum { STEPS = 40, SHORT_MOST = 3, STARTS = 3, POLISH_STEPS = 8, END_STEPS = 20, WEIGHTS = 3 };
/* Steps below this are short. */
#define SHORT 0.1
/* A part of the way to the border of the cones. */
#define INSIDE 0.9
/* Proximal term. */
#define ETA 1e-10
/* Newton's method is tried below this part of what c is worth, and where it has fallen to a part of
 * that; below the last short steps are those of round-off. */
#define POLISH 1e-5
#define AGAIN  0.1
#define SHARP  1e-7
/* In space answers count up to ten times the tolerance (solvers/problem.h). */
#define LAST_DIGITS 10.0
/* Friction below this is none that has a cone. */
#define MU_LEAST 1e-6

typedef sp_multiplier_cone cone;

/* Smoothing of the slip in De Saxce's shift, and how far inside it begins, in parts of how far it
 * is from the solution, of each start. */
static const double smoothing[STARTS] = {0.01, 0.1, 1.0}, inside[STARTS] = {0.3, 3.0, 1.0};
/* Weights of rows that hold, of the trials of Newton's method in turn: small ones help where
 * contacts depend on each other.   theory (76.9) */
static const double weights[WEIGHTS] = {1e7, 1e9, 1e5};

/* Where the interior points are on their way. */
typedef struct way {
    double smooth, gap, polished;
    int trials, waited;
} way;

/* sqrt(|z_T|^2 + eps^2) */
static double slip_of(int dim, const double *z, double eps)
{
    double sum = eps * eps;
    for (int i = 1; i < dim; i++) {
        sum += z[i] * z[i];
    }
    return sqrt(sum);
}

/* Rows of the cone of a contact, -1: it has none of this kind. */
static int rows_of(const sp_con *con, int a)
{
    const sp_set *set = &con->set[a];
    if (sp_multiplier_free(set)) {
        return 0;
    }
    const bool cone_like = sp_multiplier_friction(set) && set->mu > MU_LEAST;
    return cone_like ? sp_multiplier_n(con, a) : set->kind == SP_SET_HALF_LINE ? 1 : -1;
}

/* P of the cones. */
static void take_P(const sp_con *con, const sp_multiplier *s, double *P)
{
    for (int a = 0; a < con->n_active; a++) {
        const cone *c = &s->cone[a];
        for (int i = 0; i < c->dim; i++) {
            P[con->row[a] + i] = c->x[i] / (c->scale[i] * (i ? 1.0 : c->first));
        }
    }
}

/* Inside of the cones by kappa, near P and xi.  False: a set is none of them. */
static bool begin(const sp_multiplier_ask *ask, const sp_con *con, double kappa, sp_multiplier *s,
                  sp_solution *x)
{
    sp_multiplier_velocities(ask, con, x->P, s);
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a];
        cone *c = &s->cone[a];
        c->dim = rows_of(con, a);
        if (c->dim < 0) {
            return false;
        }
        for (int i = 0; i < sp_multiplier_n(con, a); i++) {
            c->scale[i] = sqrt(s->g[r + i]);
            c->x[i] = c->scale[i] * x->P[r + i];
            c->z[i] = s->xi[r + i] / c->scale[i];
            c->dx[i] = c->dz[i] = 0.0;
        }
        c->first = c->dim > 1 ? con->set[a].mu * c->scale[1] / c->scale[0] : 1.0;
        if (c->dim) {
            c->x[0] = fmax(c->first * c->x[0], slip_of(c->dim, c->x, 0.0)) + kappa;
            c->z[0] = slip_of(c->dim, c->z, 0.0) + fmax(c->z[0], 0.0) / c->first + kappa;
        }
    }
    take_P(con, s, x->P);
    sp_multiplier_velocities(ask, con, x->P, s);
    return true;
}

/* The mean of x.z after a step. */
static double gap_of(const sp_con *con, const sp_multiplier *s, double step)
{
    double sum = 0.0;
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        const cone *c = &s->cone[a];
        for (int i = 0; i < c->dim; i++) {
            sum += (c->x[i] + step * c->dx[i]) * (c->z[i] + step * c->dz[i]);
        }
        n += c->dim > 0;
    }
    return n > 0 ? sum / n : 0.0;
}

/* v <- U v */
static void shift(const cone *c, double eps, double *v)
{
    const double slip = slip_of(c->dim, c->z, eps);
    double inner = 0.0;
    for (int i = 1; i < c->dim && slip > 0.0; i++) {
        inner += c->z[i] / slip * v[i];
    }
    v[0] = c->first * (v[0] - inner);
}

/* A <- A^-1 of n <= 3 rows, by elimination with pivots on the diagonal: U H D + eta has a positive
 * definite part there. */
static void invert(int n, double A[3][3])
{
    for (int k = 0; k < n; k++) {
        const double pivot = 1.0 / A[k][k];
        A[k][k] = 1.0;
        for (int j = 0; j < n; j++) {
            A[k][j] *= pivot;
        }
        for (int i = 0; i < n; i++) {
            const double f = A[i][k];
            if (i != k) {
                A[i][k] = 0.0;
                for (int j = 0; j < n; j++) {
                    A[i][j] -= f * A[k][j];
                }
            }
        }
    }
}

/* C and r of a contact, C in units of P. */
static void fill(const sp_con *con, int a, double eps, sp_multiplier *s)
{
    const int r = con->row[a];
    cone *c = &s->cone[a];
    sp_multiplier_block *b = &s->block[a];
    b->n = sp_multiplier_n(con, a);
    memset(b->C, 0, sizeof b->C);
    if (!c->dim) {
        b->C[0][0] = SP_MULTIPLIER_WEIGHT / s->g[r];
        c->r[0] = s->xi[r] / c->scale[0];
        return;
    }
    sp_fc_cone_scale(c->dim, c->x, c->z, &c->scaling);
    sp_fc_cone_inverse(c->dim, &c->scaling, c->H);
    for (int j = 0; j < c->dim; j++) {
        double column[3];
        for (int i = 0; i < c->dim; i++) {
            column[i] = c->H[i * c->dim + j] * (j ? 1.0 : c->first);
        }
        shift(c, eps, column);
        for (int i = 0; i < c->dim; i++) {
            b->C[i][j] = column[i] + (i == j ? ETA : 0.0);
        }
        const double u = j ? c->z[j] : c->first * (c->z[0] - slip_of(c->dim, c->z, eps) + eps);
        c->r[j] = s->xi[r + j] / c->scale[j] - u;
    }
    invert(c->dim, b->C);
    for (int i = 0; i < c->dim; i++) {
        for (int j = 0; j < c->dim; j++) {
            b->C[i][j] /= c->scale[i] * c->scale[j];
        }
    }
}

/* b = sigma x^-1 - z, corrected by the last direction if second. */
static void aim(cone *c, double sigma, bool second)
{
    const double d = sp_fc_cone_det(c->dim, c->x);
    for (int i = 0; i < c->dim; i++) {
        c->b[i] = sigma * (i ? -c->x[i] : c->x[0]) / d - c->z[i];
    }
    if (second) {
        double lambda[3], p[3], q[3], v[3];
        sp_fc_cone_apply(c->dim, &c->scaling, 0, c->z, lambda);
        sp_fc_cone_apply(c->dim, &c->scaling, 1, c->dx, p);
        sp_fc_cone_apply(c->dim, &c->scaling, 0, c->dz, q);
        sp_fc_cone_product(c->dim, p, q, v);
        sp_fc_cone_divide(c->dim, lambda, v, p);
        sp_fc_cone_apply(c->dim, &c->scaling, 1, p, v);
        for (int i = 0; i < c->dim; i++) {
            c->b[i] -= v[i];
        }
    }
}

/* e = C (U b - r), r and b in units of sqrt(G). */
static void right_side(const cone *c, double eps, sp_multiplier_block *b)
{
    double v[3] = {0.0, 0.0, 0.0};
    memcpy(v, c->b, (size_t)c->dim * sizeof *v);
    if (c->dim) {
        shift(c, eps, v);
    }
    for (int i = 0; i < b->n; i++) {
        b->e[i] = 0.0;
        for (int j = 0; j < b->n; j++) {
            b->e[i] += b->C[i][j] * c->scale[j] * (v[j] - c->r[j]);
        }
    }
}

/* The direction towards sigma, and how far it goes. */
static double direct(const sp_con *con, double sigma, bool second, double eps, sp_multiplier *s)
{
    for (int a = 0; a < con->n_active; a++) {
        if (s->cone[a].dim) {
            aim(&s->cone[a], sigma, second);
        }
        right_side(&s->cone[a], eps, &s->block[a]);
    }
    sp_multiplier_step(con, s);
    double step = 1.0 / INSIDE;
    for (int a = 0; a < con->n_active; a++) {
        cone *c = &s->cone[a];
        for (int i = 0; i < c->dim; i++) {
            c->dx[i] = c->scale[i] * (i ? 1.0 : c->first) * s->dP[con->row[a] + i];
        }
        for (int i = 0; i < c->dim; i++) {
            c->dz[i] = c->b[i];
            for (int j = 0; j < c->dim; j++) {
                c->dz[i] -= c->H[i * c->dim + j] * c->dx[j];
            }
        }
        if (c->dim) {
            step = sp_fc_cone_longest(c->dim, c->x, c->dx, step);
            step = sp_fc_cone_longest(c->dim, c->z, c->dz, step);
        }
    }
    return fmin(1.0, INSIDE * step);
}

/* One step, its length; 0: there is none. */
static double advance(const sp_multiplier_ask *ask, const sp_con *con, const way *w,
                      sp_multiplier *s, sp_solution *x)
{
    const double gap = w->gap, eps = w->smooth * gap / s->worth;
    for (int a = 0; a < con->n_active; a++) {
        fill(con, a, eps, s);
    }
    if (!sp_multiplier_factor_blocks(ask, con, s)) {
        return 0.0;
    }
    const double rest = gap_of(con, s, direct(con, 0.0, false, eps, s)) / gap;
    double step = direct(con, fmin(1.0, rest * rest * rest) * gap, true, eps, s);
    if (step < 3.0 * SHORT) { /* the correction is not worth much here */
        step = direct(con, 0.5 * gap, false, eps, s);
    }
    for (int a = 0; a < con->n_active; a++) {
        cone *c = &s->cone[a];
        for (int i = 0; i < c->dim; i++) {
            c->x[i] += step * c->dx[i];
            c->z[i] += step * c->dz[i];
        }
    }
    for (int r = 0; r < con->n_row; r++) {
        x->P[r] += step * s->dP[r];
        s->xi[r] += step * s->v[r];
    }
    x->pivots++;
    return step;
}

/* What every contact does at the end of the path: where x is large against z it sticks, where z is
 * large against x it is open, else both come to lie on the border of their cones. */
static void tell_ends(const sp_con *con, const sp_multiplier *s, sp_solution *x)
{
    for (int a = 0; a < con->n_active; a++) {
        const cone *c = &s->cone[a];
        const double friction = slip_of(c->dim, c->x, 0.0), slip = slip_of(c->dim, c->z, 0.0);
        x->status[a] = !c->dim || c->x[0] - friction > c->z[0] + slip ? SP_STICK
                       : c->x[0] + friction < c->z[0] - slip          ? SP_OPEN
                       : c->dim == 1                                  ? SP_STICK
                       : c->dim == 2 && c->z[1] < 0.0                 ? SP_SLIP_NEG
                                                                      : SP_SLIP_POS;
    }
}

/* Newton's method from where it is; not found: back to there. */
static bool polish(const sp_multiplier_ask *ask, const sp_con *con, int steps, double enough,
                   way *w, sp_multiplier *s, sp_solution *x)
{
    const size_t bytes = (size_t)con->n_row * sizeof *x->P;
    const sp_multiplier_plan plan = {steps, true, weights[w->trials++ % WEIGHTS]};
    memcpy(s->P, x->P, bytes);
    tell_ends(con, s, x);
    if (sp_multiplier_newton(ask, con, &plan, s, x) <= enough) {
        return true;
    }
    memcpy(x->P, s->P, bytes);
    sp_multiplier_velocities(ask, con, x->P, s);
    return false;
}

/* From inside of the cones to the solution, or as far as it goes; whether it was found. */
static bool run(const sp_multiplier_ask *ask, const sp_con *con, way *w, sp_multiplier *s,
                sp_solution *x)
{
    for (int k = 0; k < STEPS && w->waited < SHORT_MOST; k++) {
        w->gap = gap_of(con, s, 0.0);
        const double near = sqrt(w->gap) / s->worth;
        if (near < fmin(POLISH, AGAIN * w->polished)) {
            w->polished = near;
            if (polish(ask, con, POLISH_STEPS, SP_SOLVE_TOL, w, s, x)) {
                return true;
            }
        }
        const double step = near > SHARP ? advance(ask, con, w, s, x) : 0.0;
        if (!(step > 0.0)) {
            break;
        }
        w->waited = step < SHORT ? w->waited + 1 : 0;
    }
    bool found = false;
    for (int k = 0; k < WEIGHTS && !found && sqrt(w->gap) < POLISH * s->worth; k++) {
        found = polish(ask, con, END_STEPS, LAST_DIGITS * SP_SOLVE_TOL, w, s, x);
    }
    return found;
}

/* Laws that hold to the tolerance alone are held better, where another weight does it: certificates
 * compare with the velocities of the problem, which may be small parts of the scale of a row. */
static void sharpen(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                    sp_solution *x)
{
    const size_t bytes = (size_t)con->n_row * sizeof *x->P;
    double best = sp_multiplier_defect(con, s, x);
    for (int k = 0; k < WEIGHTS && best > 0.1 * SP_SOLVE_TOL; k++) {
        const sp_multiplier_plan plan = {POLISH_STEPS, false, weights[k]};
        memcpy(s->P, x->P, bytes);
        const double now = sp_multiplier_newton(ask, con, &plan, s, x);
        if (now < best) {
            best = now;
        } else {
            memcpy(x->P, s->P, bytes);
            sp_multiplier_velocities(ask, con, x->P, s);
        }
    }
}

bool sp_multiplier_interior(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                            sp_solution *x)
{
    bool found = false;
    for (int k = 0; k < STARTS && !found; k++) {
        way w = {.smooth = smoothing[k], .polished = 1.0};
        sp_multiplier_velocities(ask, con, x->P, s);
        const double far = fmin(sp_multiplier_defect(con, s, x), 1.0);
        if (!begin(ask, con, inside[k] * far * s->worth, s, x)) {
            return false;
        }
        found = run(ask, con, &w, s, x);
    }
    if (found) {
        sharpen(ask, con, s, x);
    }
    return found;
}
