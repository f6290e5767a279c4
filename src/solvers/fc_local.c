/* Open, else stick, else slip; for a disc the direction of slip is the root of a trigonometric
 * polynomial of degree two, found by Newton from the last direction, else by a scan.
 *
 *     u_T = s d,  p_T = -mu p_N d,  |d| = 1:   p_N = -b_N / den,  den = G_NN - mu G_NT.d
 *     g(d) = [den b_T - b_N (G_TN - mu G_TT d)] x d = 0,   with  u_T.d >= 0, den > 0 */
#include "solvers/fc_local.h"

#include <math.h>

enum { NEWTON_STEPS = 12, CELLS = 24, CELLS_FINE = 384, FALSE_POSITIONS = 60 };

/* A slip speed of this part of its terms is none. */
#define STILL 1e-14

/* Direction d, the vector whose product with d must vanish (times den), and what follows. */
typedef struct slip {
    double d[2], den, g, slope, along, size;
} slip;

/* g and its derivative at the direction (c, s). */
static inline slip slip_at(double mu, const double *G, const double *b, double c, double s)
{
    slip x;
    x.d[0] = c;
    x.d[1] = s;
    x.den = G[0] - mu * (G[1] * c + G[2] * s);
    const double T1 = G[3] - mu * (G[4] * c + G[5] * s), T2 = G[6] - mu * (G[7] * c + G[8] * s);
    const double w1 = x.den * b[1] - b[0] * T1, w2 = x.den * b[2] - b[0] * T2;
    const double den_ = mu * (G[1] * s - G[2] * c); /* derivatives by the angle */
    const double T1_ = mu * (G[4] * s - G[5] * c), T2_ = mu * (G[7] * s - G[8] * c);
    const double w1_ = den_ * b[1] - b[0] * T1_, w2_ = den_ * b[2] - b[0] * T2_;
    x.g = w1 * s - w2 * c;
    x.along = w1 * c + w2 * s;
    x.slope = w1_ * s - w2_ * c + x.along;
    x.size = x.den * (fabs(b[1]) + fabs(b[2])) + fabs(b[0]) * (fabs(T1) + fabs(T2));
    return x;
}

/* A slip that may be: pressed and sliding against friction. */
static int admissible(const slip *x)
{
    return x->den > 0.0 && x->along >= -STILL * x->size;
}

/* p of a slip. */
static void take_slip(double mu, const double *b, const slip *x, double *p)
{
    p[0] = -b[0] / x->den;
    p[1] = -mu * p[0] * x->d[0];
    p[2] = -mu * p[0] * x->d[1];
}

/* Newton for the direction from (c, s); 1 if it ends in a slip that may be. */
static int newton(double mu, const double *G, const double *b, double c, double s, slip *x)
{
    double turn = 1.0, old = INFINITY;
    for (int k = 0;; k++) {
        *x = slip_at(mu, G, b, c, s);
        /* at the root, or at round-off */
        if (fabs(x->g) <= 4e-16 * x->size || (fabs(turn) < 1e-8 && fabs(x->g) >= 0.5 * old)) {
            return admissible(x);
        }
        if (k == NEWTON_STEPS) {
            return fabs(x->g) <= 1e-12 * x->size && admissible(x);
        }
        turn = -x->g / x->slope;
        if (!(x->slope > 0.0 && fabs(turn) < 0.5)) {
            turn = x->g > 0.0 ? -0.5 : 0.5; /* g grows through a root with along > 0 */
        }
        /* a rational rotation is as good as sine and cosine, and stays on the circle */
        const double h = 0.5 * turn, f = 1.0 / (1.0 + h * h);
        const double ct = (1.0 - h * h) * f, st = 2.0 * h * f;
        c = x->d[0] * ct - x->d[1] * st;
        s = x->d[1] * ct + x->d[0] * st;
        old = fabs(x->g);
    }
}

/* The root between two directions over which g changes its sign: false position on the chord, the
 * value at an end that stays is halved. */
static slip root_between(double mu, const double *G, const double *b, slip lo, slip hi)
{
    double g_lo = lo.g, g_hi = hi.g;
    slip x = lo;
    for (int k = 0; k < FALSE_POSITIONS; k++) {
        const double part = g_lo / (g_lo - g_hi);
        const double c = lo.d[0] + part * (hi.d[0] - lo.d[0]);
        const double s = lo.d[1] + part * (hi.d[1] - lo.d[1]), len = sqrt(c * c + s * s);
        x = slip_at(mu, G, b, c / len, s / len);
        if (!(fabs(x.g) > 4e-16 * x.size)) {
            break;
        }
        if ((x.g > 0.0) == (g_lo > 0.0)) {
            lo = x;
            g_lo = x.g;
            g_hi *= 0.5;
        } else {
            hi = x;
            g_hi = x.g;
            g_lo *= 0.5;
        }
    }
    return x;
}

/* All roots by a scan of the circle; the admissible one nearest to the direction (c, s). */
static int scan(double mu, const double *G, const double *b, int cells, double c, double s,
                slip *best)
{
    const double turn = 2.0 * 3.14159265358979323846 / cells, ct = cos(turn), st = sin(turn);
    const slip start = slip_at(mu, G, b, 1.0, 0.0);
    slip last = start;
    double nearest = -2.0;
    for (int k = 1; k <= cells; k++) {
        const double d0 = last.d[0] * ct - last.d[1] * st, d1 = last.d[1] * ct + last.d[0] * st;
        const slip next = k == cells ? start : slip_at(mu, G, b, d0, d1);
        if (next.g * last.g <= 0.0 && next.g != last.g) {
            const slip x = root_between(mu, G, b, last, next);
            const double near = x.d[0] * c + x.d[1] * s;
            if (admissible(&x) && near > nearest) {
                nearest = near;
                *best = x;
            }
        }
        last = next;
    }
    return nearest > -2.0;
}

/* One step p <- prox(p - (G p + b)), in scaled coordinates. */
static void step_of_projection(const sp_set *s, const double *G, const double *b, double *p)
{
    double x[3];
    for (int a = 0; a < 3; a++) {
        x[a] = p[a] - (b[a] + G[3 * a] * p[0] + G[3 * a + 1] * p[1] + G[3 * a + 2] * p[2]);
    }
    sp_set_project(s, x);
    p[0] = x[0];
    p[1] = x[1];
    p[2] = x[2];
}

/* Spatial friction. */
static int local_disc(const sp_set *set, const double *G, const double *stick, const double *b,
                      double *p)
{
    const double mu = set->mu;
    if (b[0] >= 0.0) {
        p[0] = p[1] = p[2] = 0.0;
        return 1;
    }
    const double N = -(stick[0] * b[0] + stick[1] * b[1] + stick[2] * b[2]);
    const double T1 = -(stick[3] * b[0] + stick[4] * b[1] + stick[5] * b[2]);
    const double T2 = -(stick[6] * b[0] + stick[7] * b[1] + stick[8] * b[2]);
    if (N >= 0.0 && T1 * T1 + T2 * T2 <= mu * mu * N * N) {
        p[0] = N;
        p[1] = T1;
        p[2] = T2;
        return 1;
    }
    /* start: the last direction, else where it would slide without friction */
    double c = -p[1], s = -p[2], len = sqrt(c * c + s * s);
    if (!(len > 1e-150)) {
        c = G[0] * b[1] - b[0] * G[3];
        s = G[0] * b[2] - b[0] * G[6];
        len = sqrt(c * c + s * s);
    }
    if (!(len > 1e-150)) {
        c = len = 1.0;
        s = 0.0;
    }
    slip x;
    c /= len;
    s /= len;
    if (newton(mu, G, b, c, s, &x) || scan(mu, G, b, CELLS, c, s, &x) ||
        scan(mu, G, b, CELLS_FINE, c, s, &x)) {
        take_slip(mu, b, &x, p);
        return 1;
    }
    step_of_projection(set, G, b, p);
    return 0;
}

/* Planar friction: three cases. */
static int local_planar(const sp_set *s, const double *G, const double *stick, const double *b,
                        double *p)
{
    if (b[0] >= 0.0) {
        p[0] = p[1] = 0.0;
        return 1;
    }
    const double N = -(stick[0] * b[0] + stick[1] * b[1]);
    const double T = -(stick[2] * b[0] + stick[3] * b[1]);
    if (N >= 0.0 && fabs(T) <= s->mu * N) {
        p[0] = N;
        p[1] = T;
        return 1;
    }
    const double first = p[1] != 0.0 ? (p[1] < 0.0 ? 1.0 : -1.0) : (T < 0.0 ? 1.0 : -1.0);
    for (int k = 0; k < 2; k++) {
        const double sign = k ? -first : first, den = G[0] - s->mu * sign * G[1];
        const double P_N = -b[0] / den;
        const double u_T = b[1] + (G[2] - s->mu * sign * G[3]) * P_N;
        if (den > 0.0 && u_T * sign >= 0.0) {
            p[0] = P_N;
            p[1] = -s->mu * sign * P_N;
            return 1;
        }
    }
    p[0] = N > 0.0 ? N : 0.0;
    p[1] = sp_clamp(T, -s->mu * p[0], s->mu * p[0]);
    return 0;
}

/* A set that is not shifted. */
static int local_plain(const sp_set *s, const double *G, const double *stick, const double *b,
                       double *p)
{
    switch (s->kind) {
    case SP_SET_FREE:
        p[0] = -stick[0] * b[0];
        return 1;
    case SP_SET_HALF_LINE:
        p[0] = b[0] < 0.0 ? -stick[0] * b[0] : 0.0;
        return 1;
    case SP_SET_INTERVAL:
        p[0] = sp_clamp(-stick[0] * b[0], s->lo, s->hi);
        return 1;
    case SP_SET_PLANAR:
        return local_planar(s, G, stick, b, p);
    case SP_SET_DISC:
        return local_disc(s, G, stick, b, p);
    default:
        return sp_fc_local_ball(s, G, b, p);
    }
}

int sp_fc_local(const sp_set *s, const double *G, const double *stick, const double *b, double *p)
{
    if (!s->shifted) {
        return local_plain(s, G, stick, b, p);
    }
    /* z = p - shift:  u = G z + (b + G shift) */
    const int dim = sp_set_dim(s);
    double moved[SP_SET_DIM_MAX] = {0.0}, z[SP_SET_DIM_MAX] = {0.0};
    for (int a = 0; a < dim; a++) {
        moved[a] = b[a];
        z[a] = p[a] - s->shift[a];
        for (int k = 0; k < dim; k++) {
            moved[a] += G[a * dim + k] * s->shift[k];
        }
    }
    sp_set plain = *s;
    plain.shifted = 0;
    const int ok = local_plain(&plain, G, stick, moved, z);
    for (int a = 0; a < dim; a++) {
        p[a] = z[a] + s->shift[a];
    }
    return ok;
}
