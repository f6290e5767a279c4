#include "laws/ball.h"

#include "laws/meridian.h"

#include <math.h>
#include <string.h>

enum { DIM = SP_SET_DIM_MAX, SECULAR_STEPS = 100, SEARCH_STEPS = 200 };

/* First row and number of rows of the torques that are bounded by mu_2 P_N. */
typedef struct rows {
    int first, n;
} rows;

static rows torque_rows(const sp_set *s)
{
    const rows none = {0, 0}, rolling = {3, 2}, behind_ball = {4, 2};
    return s->kind == SP_SET_ROLLING             ? rolling
           : s->kind == SP_SET_CONTENSOU_ROLLING ? behind_ball
                                                 : none;
}

/* Radius of the spot in units of the lever. */
static double radius_of(const sp_set *s, double N)
{
    return s->R + (s->R_N != 0.0 ? s->R_N * cbrt(N) : 0.0);
}

/* |x| of n rows; NaN travels. */
static double length(int n, const double *x)
{
    double sum = 0.0;
    for (int a = 0; a < n; a++) {
        sum = hypot(sum, x[a]);
    }
    return sum;
}

/* x <- the point of a ball nearest to x. */
static void shrink(int n, double radius, double *x)
{
    const double len = length(n, x);
    for (int a = 0; len > radius && a < n; a++) {
        x[a] *= radius / len;
    }
}

/* ---- the ellipse ---------------------------------------------------------------------------- */

/* lambda >= 0 with sum (a_i x_i / (lambda + a_i^2))^2 = 1 for x outside; -1: x is inside.  Newton
 * on 1 / sqrt(sum), from the left.   theory (19.17) */
static double secular(const double *a, const double *x)
{
    const double p = hypot(x[0] / a[0], x[1] / a[1]);
    if (p <= 1.0) {
        return -1.0;
    }
    double lambda = fmax(0.0, fmax(a[0] * (fabs(x[0]) - a[0]), a[1] * (fabs(x[1]) - a[1])));
    for (int k = 0; k < SECULAR_STEPS; k++) {
        double sum = 0.0, slope = 0.0;
        for (int i = 0; i < 2; i++) {
            const double den = lambda + a[i] * a[i], q = a[i] * x[i] / den;
            sum += q * q;
            slope -= 2.0 * q * q / den;
        }
        const double root = sqrt(sum), step = 2.0 * sum * (1.0 - root) / slope;
        if (!(lambda + step > lambda)) {
            break;
        }
        lambda += step;
    }
    return lambda;
}

/* x <- the nearest point of the ellipse with half axes a. */
static void ellipse_project(const double *a, double *x)
{
    if (!(a[0] > 0.0 && a[1] > 0.0)) { /* a line, or nothing */
        x[0] = sp_clamp(x[0], -a[0], a[0]);
        x[1] = sp_clamp(x[1], -a[1], a[1]);
        return;
    }
    const double lambda = secular(a, x);
    for (int i = 0; !(lambda < 0.0) && i < 2; i++) {
        x[i] *= a[i] * a[i] / (lambda + a[i] * a[i]);
    }
}

/* ---- Contensou's ball ----------------------------------------------------------------------- */

/* x (3: two forces, drilling) <- the nearest point of the ball. */
static void contensou_project(sp_pressure pressure, double B, double R, double *x)
{
    const double T = hypot(x[0], x[1]), D = fabs(x[2]);
    if (!(T + D < INFINITY)) {
        x[0] = x[1] = x[2] = NAN;
        return;
    }
    if (!(B > 0.0 && R > 0.0)) {
        shrink(2, B, x);
        x[2] = 0.0;
        return;
    }
    const sp_meridian p = sp_meridian_nearest(pressure, B, R, T, D);
    if (!p.inside) {
        x[0] = T > 0.0 ? x[0] * (p.y_T / T) : 0.0;
        x[1] = T > 0.0 ? x[1] * (p.y_T / T) : 0.0;
        x[2] = copysign(p.y_D, x[2]);
    }
}

/* Rows behind the normal one, under the normal percussion N >= 0. */
static void project_friction(const sp_set *s, double N, double *x)
{
    const rows torque = torque_rows(s);
    if (s->kind == SP_SET_ELLIPSE) {
        const double a[2] = {s->mu * N, s->mu_2 * N};
        ellipse_project(a, x + 1);
    } else if (sp_set_drills(s)) {
        contensou_project(s->pressure, s->mu * N, radius_of(s, N), x + 1);
    } else {
        shrink(2, s->mu * N, x + 1);
    }
    shrink(torque.n, s->mu_2 * N, x + torque.first);
}

void sp_ball_project(const sp_set *s, double *x)
{
    if (x[0] < 0.0) {
        x[0] = 0.0;
    }
    project_friction(s, x[0], x);
}

int sp_set_sound(const sp_set *s)
{
    const double x[4] = {s->mu, s->mu_2, s->R, s->R_N};
    int sound = s->pressure == SP_PRESSURE_UNIFORM || s->pressure == SP_PRESSURE_HERTZ;
    for (int k = 0; k < 4; k++) {
        sound = sound && x[k] >= 0.0 && x[k] <= 1e150;
    }
    return sound || !sp_set_is_ball(s);
}

int sp_set_holds(const sp_set *s, const double *x)
{
    double y[DIM];
    const int dim = sp_set_dim(s);
    memcpy(y, x, (size_t)dim * sizeof *y);
    sp_set_project(s, y);
    for (int a = 0; a < dim; a++) {
        if (!(y[a] == x[a])) {
            return 0;
        }
    }
    return 1;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

/* Rows of the derivative of a ball of radius mu N: D(first + i, first + j), and D(first + i, 0). */
static void shrink_derivative(int dim, int first, int n, double mu, double N, double pressed,
                              const double *x, double *D)
{
    const double len = length(n, x + first), radius = mu * N;
    const int outside = len > radius;
    for (int i = first; i < first + n; i++) {
        const double along = outside ? x[i] / len : 0.0;
        D[i * dim] = along * mu * pressed;
        for (int j = first; j < first + n; j++) {
            const double unit = i == j ? 1.0 : 0.0;
            D[i * dim + j] = outside ? radius / len * (unit - along * x[j] / len) : unit;
        }
    }
}

/* The same for the ellipse.   theory (19.18) */
static void ellipse_derivative(const sp_set *s, double N, double pressed, const double *x,
                               double *D)
{
    const double mu[2] = {s->mu, s->mu_2}, a[2] = {mu[0] * N, mu[1] * N};
    double fraction[2] = {1.0, 1.0}, pull[2] = {0.0, 0.0}, by_N[2] = {0.0, 0.0};
    double slope = 0.0, turn[2] = {0.0, 0.0}, turn_N = 0.0;
    const int flat = !(a[0] > 0.0 && a[1] > 0.0);
    const double lambda = flat ? 0.0 : secular(a, x + 1);
    for (int i = 0; i < 2 && flat; i++) { /* an interval in each row */
        fraction[i] = fabs(x[1 + i]) <= a[i] && a[i] > 0.0 ? 1.0 : 0.0;
        by_N[i] = fraction[i] > 0.0 ? 0.0 : copysign(mu[i], x[1 + i]);
    }
    for (int i = 0; i < 2 && !flat && lambda >= 0.0; i++) {
        const double den = lambda + a[i] * a[i], xi = x[1 + i];
        fraction[i] = a[i] * a[i] / den;
        pull[i] = -a[i] * a[i] * xi / (den * den);
        by_N[i] = 2.0 * a[i] * xi * lambda / (den * den) * mu[i];
        slope += 2.0 * a[i] * a[i] * xi * xi / (den * den * den);
        turn[i] = 2.0 * a[i] * a[i] * xi / (den * den);
        turn_N += 2.0 * a[i] * xi * xi * (lambda - a[i] * a[i]) / (den * den * den) * mu[i];
    }
    for (int i = 0; i < 2; i++) {
        D[3 * (1 + i)] = pressed * (by_N[i] + (slope > 0.0 ? pull[i] * turn_N / slope : 0.0));
        for (int j = 0; j < 2; j++) {
            D[3 * (1 + i) + 1 + j] =
                (i == j ? fraction[i] : 0.0) + (slope > 0.0 ? pull[i] * turn[j] / slope : 0.0);
        }
    }
}

/* The same for Contensou's ball: across the meridian y_T / T, along it bend / (far + bend), and by
 * N what the boundary moves less what of it turns the normal.   theory (19.16), (19.19) */
static void contensou_derivative(const sp_set *s, int dim, double N, double pressed,
                                 const double *x, double *D)
{
    const double R = radius_of(s, N), B = s->mu * N, T = hypot(x[1], x[2]);
    if (!(B > 0.0 && R > 0.0)) {
        shrink_derivative(dim, 1, 2, s->mu, N, pressed, x, D);
        return;
    }
    const sp_meridian p = sp_meridian_nearest(s->pressure, B, R, T, fabs(x[3]));
    if (p.inside) {
        D[dim + 1] = D[2 * dim + 2] = D[3 * dim + 3] = 1.0;
        return;
    }
    const double R_ = N > 0.0 ? s->R_N * cbrt(N) / (3.0 * N) : 0.0;
    const double a = p.c, b = R * p.s, k = p.at.k, side = x[3] < 0.0 ? -1.0 : 1.0;
    const double y_[2] = {s->mu * p.at.f - B * R_ * k * a * b * p.s,
                          s->mu * R * p.at.m + B * R_ * (p.at.m + k * a * a * b)};
    const double part = p.bend / (p.far + p.bend), slip = part * (p.c * y_[1] - p.s * y_[0]);
    const double by_N[2] = {y_[0] + slip * p.s, y_[1] - slip * p.c};
    const double across = T > 0.0 ? p.y_T / T : part;
    const double d[2] = {T > 0.0 ? x[1] / T : 1.0, T > 0.0 ? x[2] / T : 0.0};
    for (int i = 0; i < 2; i++) {
        D[(1 + i) * dim] = pressed * by_N[0] * d[i];
        for (int j = 0; j < 2; j++) {
            const double dd = d[i] * d[j];
            D[(1 + i) * dim + 1 + j] = part * p.s * p.s * dd + across * ((i == j ? 1.0 : 0.0) - dd);
        }
        D[(1 + i) * dim + 3] = D[3 * dim + 1 + i] = -part * p.s * p.c * side * d[i];
    }
    D[3 * dim] = pressed * by_N[1] * side;
    D[3 * dim + 3] = part * p.c * p.c;
}

/* Rows of friction of all kinds that have it. */
static void friction_derivative(const sp_set *s, int dim, double N, double pressed, const double *x,
                                double *D)
{
    const rows torque = torque_rows(s);
    if (s->kind == SP_SET_ELLIPSE) {
        ellipse_derivative(s, N, pressed, x, D);
    } else if (sp_set_drills(s)) {
        contensou_derivative(s, dim, N, pressed, x, D);
    } else {
        shrink_derivative(dim, 1, s->kind == SP_SET_PLANAR ? 1 : 2, s->mu, N, pressed, x, D);
    }
    shrink_derivative(dim, torque.first, torque.n, s->mu_2, N, pressed, x, D);
}

void sp_set_derivative(const sp_set *s, const double *x, double *D)
{
    const int dim = sp_set_dim(s);
    double z[DIM] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int a = 0; a < dim; a++) {
        z[a] = x[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    memset(D, 0, (size_t)(dim * dim) * sizeof *D);
    if (s->kind == SP_SET_FREE) {
        D[0] = 1.0;
    } else if (s->kind == SP_SET_INTERVAL) {
        D[0] = s->lo <= z[0] && z[0] <= s->hi ? 1.0 : 0.0;
    } else {
        D[0] = z[0] > 0.0 ? 1.0 : 0.0;
        if (dim > 1) {
            friction_derivative(s, dim, z[0] > 0.0 ? z[0] : 0.0, D[0], z, D);
        }
    }
}

/* ---- dissipation ---------------------------------------------------------------------------- */

/* sup n.y over the force rows, with drilling. */
static double support_of_force(const sp_set *s, double N, const double *n)
{
    if (s->kind == SP_SET_ELLIPSE) {
        return N * hypot(s->mu * n[1], s->mu_2 * n[2]);
    }
    if (sp_set_drills(s)) {
        const double b = radius_of(s, N) * fabs(n[3]);
        return s->mu * N * sp_contensou_at(s->pressure, hypot(n[1], n[2]), b).phi;
    }
    return s->mu * N * (s->kind == SP_SET_PLANAR ? fabs(n[1]) : hypot(n[1], n[2]));
}

double sp_set_dissipation(const sp_set *s, double N, const double *xi)
{
    const rows torque = torque_rows(s);
    if (sp_set_dim(s) == 1) {
        return 0.0;
    }
    return support_of_force(s, N, xi) + s->mu_2 * N * length(torque.n, xi + torque.first);
}

/* The largest n.x - sup n.y over n = (c, q) of the quadrant, by golden sections; x >= 0 are the
 * force rows of an ellipse, or the length of the force and the drilling row.  For points outside
 * there is one maximum. */
static double beyond(const sp_set *s, double N, const double *x)
{
    const double golden = 0.61803398874989484820;
    const int ball = sp_set_drills(s);
    double lo = 0.0, hi = 1.57079632679489661923, best = fmax(0.0, x[0] - s->mu * N);
    for (int k = 0; k < SEARCH_STEPS && hi - lo > 1e-15; k++) {
        const double angle[2] = {hi - golden * (hi - lo), lo + golden * (hi - lo)};
        double value[2];
        for (int e = 0; e < 2; e++) {
            const double c = cos(angle[e]), q = sin(angle[e]);
            const double n[4] = {0.0, c, ball ? 0.0 : q, ball ? q : 0.0};
            value[e] = x[0] * c + x[1] * q - support_of_force(s, N, n);
            best = fmax(best, value[e]);
        }
        *(value[0] < value[1] ? &lo : &hi) = value[0] < value[1] ? angle[0] : angle[1];
    }
    return best;
}

double sp_set_excess(const sp_set *s, const double *P)
{
    const int dim = sp_set_dim(s);
    const rows torque = torque_rows(s);
    double z[DIM] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int a = 0; a < dim; a++) {
        z[a] = P[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    if (s->kind == SP_SET_FREE) {
        return 0.0 * z[0];
    }
    if (s->kind == SP_SET_INTERVAL) {
        return fmax(0.0, fmax(s->lo - z[0], z[0] - s->hi));
    }
    const double N = z[0] < 0.0 ? 0.0 : z[0], pull = z[0] < 0.0 ? -z[0] : 0.0;
    if (dim == 1) {
        return pull;
    }
    const double slide = length(s->kind == SP_SET_PLANAR ? 1 : 2, z + 1);
    const double axes[2] = {fabs(z[1]), fabs(z[2])}, plate[2] = {slide, fabs(z[3])};
    const double force = s->kind == SP_SET_ELLIPSE ? beyond(s, N, axes)
                         : sp_set_drills(s)        ? beyond(s, N, plate)
                                                   : slide - s->mu * N;
    const double turn = torque.n ? length(torque.n, z + torque.first) - s->mu_2 * N : 0.0;
    return fmax(pull, fmax(force, turn));
}
