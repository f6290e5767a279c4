/* Open, else stick, else slip: semismooth Newton on F(p) = p - prox_C(p - u), u = G p + b, in rows
 * scaled so that G has a unit diagonal (the family of sets is closed under that), with a line
 * search on |F|.  Where it fails, the normal percussion N is found between bounds as the root of
 * u_N(N), for each N the friction from a convex problem; Newton then polishes.
 *                                                                         theory (19.22)-(19.24) */
#include "solvers/fc_local.h"

#include "laws/ball.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum {
    DIM = SP_SET_DIM_MAX,
    NEWTON_STEPS = 25,
    HALVINGS = 6,
    SLOW_MOST = 4,
    INNER_STEPS = 200,
    WIDENINGS = 20,
    BISECTIONS = 80
};

/* |F| over the size of its terms: a solution, and one that only rounding keeps from being better */
#define SOLVED 1e-12
#define SHARP  4e-16

/* Pivots of scaled rows that are none. */
#define PIVOT 1e-14

/* One contact in scaled rows. */
typedef struct contact {
    int dim;
    sp_set set;
    double G[DIM * DIM], b[DIM];
    double row[DIM]; /* p = row * scaled p */
} contact;

/* 1 / sqrt of the mean diagonal entry of n rows; 1 if there is none. */
static double scale_of(int dim, const double *G, int first, int n)
{
    double sum = 0.0;
    for (int a = first; a < first + n; a++) {
        sum += fabs(G[a * dim + a]);
    }
    return sum > 1e-280 && sum < 1e280 ? sqrt(n / sum) : 1.0;
}

/* Scale the rows in groups: normal, force, drilling, torques; the set follows. */
static contact scaled(const sp_set *s, const double *G, const double *b)
{
    contact q = {.dim = sp_set_dim(s), .set = *s};
    const int dim = q.dim;
    const int drilling = sp_set_drills(s);
    const int torque = 3 + drilling;
    const double N = scale_of(dim, G, 0, 1), T = scale_of(dim, G, 1, 2);
    const double D = drilling ? scale_of(dim, G, 3, 1) : 1.0;
    const double M = torque < dim ? scale_of(dim, G, torque, 2) : 1.0;
    for (int a = 0; a < dim; a++) {
        q.row[a] = a == 0 ? N : a < 3 ? T : a < torque ? D : M;
    }
    q.set.shifted = 0;
    q.set.mu *= N / T;
    q.set.mu_2 *= N / (s->kind == SP_SET_ELLIPSE ? T : M);
    q.set.R *= T / D;
    q.set.R_N *= T / D * cbrt(N);
    for (int a = 0; a < dim; a++) {
        q.b[a] = q.row[a] * b[a];
        for (int e = 0; e < dim; e++) {
            q.G[a * dim + e] = q.row[a] * q.row[e] * G[a * dim + e];
        }
    }
    return q;
}

/* u = G p + b, its row a. */
static double velocity(const contact *q, int a, const double *p)
{
    double sum = q->b[a];
    for (int e = 0; e < q->dim; e++) {
        sum += q->G[a * q->dim + e] * p[e];
    }
    return sum;
}

/* F(p), x = p - u; from row first on (1: N is held).  Returns |F| over the size of its terms. */
static double natural(const contact *q, int first, const double *p, double *x, double *F)
{
    double y[DIM], sum = 0.0, size = 0.0;
    for (int a = 0; a < q->dim; a++) {
        const double u = velocity(q, a, p);
        x[a] = a < first ? p[a] : p[a] - u;
        y[a] = x[a];
        size = fmax(size, fmax(fabs(q->b[a]), fabs(p[a])));
    }
    sp_ball_project(&q->set, y);
    for (int a = first; a < q->dim; a++) {
        F[a] = p[a] - y[a];
        sum += F[a] * F[a];
    }
    return sqrt(sum) / size;
}

/* p <- p - t J^-1 F,  J = I - D (I - G), the longest step of 1, 1/2, .. that makes |F| smaller; x
 * and F follow.  Returns the new |F|, or the old one if there is none. */
static double newton_step(const contact *q, int first, double *p, double *x, double *F,
                          double error)
{
    const int dim = q->dim, n = dim - first;
    double D[DIM * DIM], J[DIM * DIM], step[DIM], trial[DIM], y[DIM], f[DIM];
    sp_set_derivative(&q->set, x, D);
    for (int a = 0; a < n; a++) {
        step[a] = F[first + a];
        for (int e = 0; e < n; e++) {
            double sum = a == e ? 1.0 : 0.0;
            for (int k = first; k < dim; k++) {
                const double unit = k == first + e ? 1.0 : 0.0;
                sum -= D[(first + a) * dim + k] * (unit - q->G[k * dim + first + e]);
            }
            J[a * n + e] = sum;
        }
    }
    if (!sp_eliminate(n, J, PIVOT, step)) {
        return error;
    }
    memcpy(trial, p, sizeof trial);
    for (double t = 1.0, k = 0; k < HALVINGS; k++, t *= 0.5) {
        for (int a = 0; a < n; a++) {
            trial[first + a] = p[first + a] - t * step[a];
        }
        const double now = natural(q, first, trial, y, f);
        if (now < error) {
            memcpy(p, trial, (size_t)dim * sizeof *p);
            memcpy(x, y, (size_t)dim * sizeof *x);
            memcpy(F + first, f + first, (size_t)n * sizeof *F);
            return now;
        }
    }
    return error;
}

/* Newton from p; the best |F|. */
static double newton(const contact *q, double *p)
{
    double x[DIM], F[DIM], error = natural(q, 0, p, x, F);
    int slow = 0;
    for (int k = 0; k < NEWTON_STEPS && error > SHARP && slow < SLOW_MOST; k++) {
        const double now = newton_step(q, 0, p, x, F, error);
        if (!(now < error)) {
            break;
        }
        slow += now > 0.8 * error;
        error = now;
    }
    return error;
}

/* Friction under the normal percussion p[0], a convex problem: Newton where it halves |F|, else a
 * step of projection with half the step that is sure to be stable. */
static void friction_at(const contact *q, double *p)
{
    double x[DIM], F[DIM], trace = 0.0;
    for (int a = 1; a < q->dim; a++) {
        trace += q->G[a * q->dim + a];
    }
    double error = natural(q, 1, p, x, F);
    for (int k = 0; k < INNER_STEPS && error > SHARP; k++) {
        double y[DIM];
        memcpy(y, p, sizeof y);
        const double now = newton_step(q, 1, y, x, F, error);
        if (now < 0.5 * error || (now < error && error < 1e-10)) {
            memcpy(p, y, sizeof y);
            error = now;
            continue;
        }
        if (error < 1e-13) {
            return;
        }
        for (int a = 1; a < q->dim; a++) {
            y[a] = p[a] - velocity(q, a, p) / trace;
        }
        y[0] = p[0];
        sp_ball_project(&q->set, y);
        memcpy(p, y, sizeof y);
        error = natural(q, 1, p, x, F);
    }
}

/* u_N with the friction of N; p is the start and the result. */
static double normal_velocity(const contact *q, double N, double *p)
{
    p[0] = N;
    friction_at(q, p);
    return velocity(q, 0, p);
}

/* 1 if G is positive semidefinite but for rounding: a solution exists then, and friction for a
 * held N is a convex problem. */
static int is_convex(const contact *q)
{
    const int n = q->dim;
    double A[DIM * DIM];
    memcpy(A, q->G, sizeof A);
    for (int k = 0; k < n; k++) {
        const double pivot = A[k * n + k] + 1e-10;
        if (!(pivot > 0.0 && pivot < 1e150)) {
            return 0;
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < n; j++) {
                A[i * n + j] -= A[i * n + k] * A[k * n + j] / pivot;
            }
        }
    }
    return 1;
}

/* N with u_N = 0 between N = 0, where u_N < 0, and where it is positive; 0 if there is none. */
static int between_bounds(const contact *q, double *p)
{
    double lo = 0.0, hi = p[0] > 0.0 ? p[0] : -q->b[0], u_lo = q->b[0], u_hi = -1.0;
    memset(p + 1, 0, (DIM - 1) * sizeof *p);
    for (int k = 0; k < WIDENINGS && !(u_hi >= 0.0); k++, hi *= 8.0) {
        u_hi = normal_velocity(q, hi, p);
        if (u_hi >= 0.0) {
            break;
        }
        lo = hi;
        u_lo = u_hi;
    }
    if (!(u_hi >= 0.0)) {
        return 0;
    }
    for (int k = 0; k < BISECTIONS && hi - lo > 1e-15 * hi; k++) {
        const double chord = lo - u_lo * (hi - lo) / (u_hi - u_lo);
        const double N = k % 3 == 2 || !(chord > lo && chord < hi) ? 0.5 * (lo + hi) : chord;
        const double u = normal_velocity(q, N, p);
        if (u == 0.0) {
            return 1;
        }
        *(u < 0.0 ? &lo : &hi) = N;
        *(u < 0.0 ? &u_lo : &u_hi) = u;
    }
    normal_velocity(q, hi, p);
    return 1;
}

/* -G^-1 b if it is in the set. */
static int stick(const contact *q, double *p)
{
    double A[DIM * DIM], x[DIM] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    memcpy(A, q->G, sizeof A);
    for (int a = 0; a < q->dim; a++) {
        x[a] = -q->b[a];
    }
    if (!sp_eliminate(q->dim, A, PIVOT, x) || !sp_set_holds(&q->set, x)) {
        return 0;
    }
    memcpy(p, x, sizeof x);
    return 1;
}

/* Slip from the start p, else from other starts. */
static int slip(const contact *q, double *p)
{
    double best[DIM], x[DIM], F[DIM];
    memcpy(best, p, sizeof best);
    double error = newton(q, best);
    if (!(error <= SOLVED)) { /* without friction */
        double start[DIM] = {
            q->G[0] > 0.0 ? -q->b[0] / q->G[0] : -q->b[0], 0.0, 0.0, 0.0, 0.0, 0.0};
        const double now = newton(q, start);
        if (now < error) {
            error = now;
            memcpy(best, start, sizeof best);
        }
    }
    if (!(error <= SOLVED)) {
        double start[DIM];
        memcpy(start, best, sizeof start);
        if (is_convex(q) && between_bounds(q, start)) {
            const double now = newton(q, start);
            if (now < error) {
                error = now;
                memcpy(best, start, sizeof best);
            }
        }
    }
    if (!(error <= 1e3 * SOLVED)) {
        natural(q, 0, p, x, F);
        sp_ball_project(&q->set, x);
        memcpy(p, x, sizeof x);
        return 0;
    }
    sp_ball_project(&q->set, best);
    memcpy(p, best, sizeof best);
    return 1;
}

int sp_fc_local_ball(const sp_set *s, const double *G, const double *b, double *p)
{
    const int dim = sp_set_dim(s);
    if (b[0] >= 0.0) {
        memset(p, 0, (size_t)dim * sizeof *p);
        return 1;
    }
    const contact q = scaled(s, G, b);
    double z[DIM] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int a = 0; a < dim; a++) {
        z[a] = p[a] / q.row[a];
    }
    const int found = stick(&q, z) || slip(&q, z);
    for (int a = 0; a < dim; a++) {
        p[a] = q.row[a] * z[a];
    }
    return found;
}
