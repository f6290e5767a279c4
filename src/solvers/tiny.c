#include "solvers/tiny.h"

#include "solvers/chain.h"
#include "solvers/planar.h"
#include "solvers/states.h"
#include "solvers/unroll.h"

#include <math.h>

/* These compile to one instruction each. */
SP_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

SP_INLINE double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Fill s with a solution; flips: contacts that the guess had wrong. */
SP_INLINE void fill(sp_solution *s, double residual, int flips)
{
    s->residual = residual;
    s->pivots = flips;
    s->method = flips > 0 ? "repair" : "guess";
    s->result = SP_SOLVED;
}

/* P >= 0 perp G P + c >= 0: P = 0 or P = -c / G. */
static int one_half_line(double G, double c, double xi_scale, sp_solution *s)
{
    unsigned char status = s->status[0];
    int flips = 0;
    if (status > SP_SLIP_NEG) {
        status = (unsigned char)(c > 0.0 ? SP_OPEN : SP_STICK);
    } else if (status == SP_OPEN && c < 0.0 && -c > SP_SOLVE_CLEAN * larger(-c, xi_scale)) {
        if (!(-c > SP_SOLVE_TOL * larger(-c, xi_scale))) {
            return 0; /* the guess is good enough, but not clean */
        }
        status = SP_STICK;
        flips = 1;
    } else if (status != SP_OPEN) {
        status = (unsigned char)(c > 0.0 ? SP_OPEN : SP_STICK);
    }
    const double P = status == SP_OPEN || c == 0.0 ? 0.0 : -c * (1.0 / G);
    const double pull = G * P, xi = c + pull, size = fabs(c) + fabs(pull);
    const double residual = fabs(smaller(xi, pull)) / (larger(size, xi_scale) + 1e-300);
    if (!(G > 0.0 && residual + 0.0 * size <= SP_SOLVE_CLEAN)) {
        return 0;
    }
    s->P[0] = P;
    s->status[0] = status;
    fill(s, residual, flips);
    return 1;
}

/* G P + c = 0. */
static int one_free(double G, double c, double xi_scale, sp_solution *s)
{
    const double P = c == 0.0 ? 0.0 : -c * (1.0 / G), pull = G * P, size = fabs(c) + fabs(pull);
    const double residual = fabs(c + pull) / (larger(size, xi_scale) + 1e-300);
    if (!(G > 0.0 && residual + 0.0 * size <= SP_SOLVE_CLEAN)) {
        return 0;
    }
    s->P[0] = P;
    s->status[0] = SP_STICK;
    fill(s, residual, 0);
    return 1;
}

/* P = clamp(-c / G, lo, hi). */
static int one_interval(const sp_set *set, double G, double c, double xi_scale, sp_solution *s)
{
    const double x = -c / G, P = larger(smaller(x, set->hi), set->lo);
    const double pull = G * P, xi = c + pull, size = fabs(c) + fabs(pull);
    const int loose = set->lo == set->hi;
    const unsigned char status = loose         ? (xi < 0.0 ? SP_SLIP_NEG : SP_SLIP_POS)
                                 : x < set->lo ? SP_SLIP_POS
                                 : x > set->hi ? SP_SLIP_NEG
                                               : SP_STICK;
    const double defect = fabs(pull - larger(smaller(pull - xi, G * set->hi), G * set->lo));
    const double residual = loose ? 0.0 : defect / (larger(size, xi_scale) + 1e-300);
    if (!(G > 0.0 && residual + 0.0 * size <= SP_SOLVE_CLEAN)) {
        return 0;
    }
    const int known = s->status[0] == SP_STATUS_UNKNOWN || loose;
    fill(s, residual, !known && s->status[0] != status);
    s->P[0] = P;
    s->status[0] = status;
    return 1;
}

/* P of two half lines in the given state; both are treated alike.  0 if that takes more care. */
SP_INLINE int two_unknowns(const double *G_0, const double *G_1, const double *c, int open_0,
                           int open_1, double *P)
{
    if (!(open_0 | open_1)) { /* as sp_reduced_fast */
        const double diagonal = G_0[0] * G_1[1], det = diagonal - G_0[1] * G_1[0];
        const double inv = 1.0 / det;
        P[0] = (G_0[1] * c[1] - G_1[1] * c[0]) * inv;
        P[1] = (G_1[0] * c[0] - G_0[0] * c[1]) * inv;
        return det > 1e-3 * diagonal;
    }
    P[0] = P[1] = 0.0;
    if (!open_0) {
        P[0] = -c[0] * (1.0 / G_0[0]);
    } else if (!open_1) {
        P[1] = -c[1] * (1.0 / G_1[1]);
    }
    return 1;
}

/* Two half lines: the state of the guess, then what is violated flips, a few times. */
static int two_half_lines(const sp_problem *p, sp_solution *s)
{
    const double *G_0 = p->G, *G_1 = G_0 + p->ld, *c = p->c;
    const int cold = s->status[0] > SP_SLIP_NEG || s->status[1] > SP_SLIP_NEG;
    int open_0 = s->status[0] > SP_SLIP_NEG ? c[0] >= 0.0 : s->status[0] == SP_OPEN;
    int open_1 = s->status[1] > SP_SLIP_NEG ? c[1] >= 0.0 : s->status[1] == SP_OPEN, flips = 0;
    if (!(G_0[0] > 0.0 && G_1[1] > 0.0)) {
        return 0;
    }
    for (int round = 0; round < 4; round++) {
        double raw[2];
        if (!two_unknowns(G_0, G_1, c, open_0, open_1, raw)) {
            return 0;
        }
        const double P[2] = {larger(raw[0], 0.0), larger(raw[1], 0.0)};
        const double a = G_0[0] * P[0], b = G_0[1] * P[1], d = G_1[0] * P[0], e = G_1[1] * P[1];
        const double xi_0 = c[0] + a + b, xi_1 = c[1] + d + e;
        const double size_0 = fabs(c[0]) + fabs(a) + fabs(b);
        const double size_1 = fabs(c[1]) + fabs(d) + fabs(e);
        const double bad_0 = fabs(smaller(xi_0, a)) / (larger(size_0, p->xi_scale) + 1e-300);
        const double bad_1 = fabs(smaller(xi_1, e)) / (larger(size_1, p->xi_scale) + 1e-300);
        const double residual = larger(bad_0, bad_1) + 0.0 * (size_0 + size_1);
        if (residual <= SP_SOLVE_CLEAN) {
            open_0 |= raw[0] < 0.0;
            open_1 |= raw[1] < 0.0;
            if ((cold || flips) &&
                ((open_0 && xi_0 <= SP_STILL * size_0) || (open_1 && xi_1 <= SP_STILL * size_1))) {
                return 0; /* at rest: perhaps closed */
            }
            s->P[0] = P[0];
            s->P[1] = P[1];
            s->status[0] = open_0 ? SP_OPEN : SP_STICK;
            s->status[1] = open_1 ? SP_OPEN : SP_STICK;
            fill(s, residual, flips);
            return 1;
        }
        if (!(residual > SP_SOLVE_TOL)) {
            return 0; /* good enough, but not clean */
        }
        const int flip_0 = open_0 ? c[0] + G_0[0] * raw[0] + G_0[1] * raw[1] < 0.0 : raw[0] < 0.0;
        const int flip_1 = open_1 ? c[1] + G_1[0] * raw[0] + G_1[1] * raw[1] < 0.0 : raw[1] < 0.0;
        open_0 ^= flip_0;
        open_1 ^= flip_1;
        flips += flip_0 + flip_1;
    }
    return 0;
}

int sp_tiny_planar(const sp_problem *p, sp_solution *s)
{
    double f[8], x[9], f_T[4];
    int r[8], t[8], known[1], at_N[4], at_T[4], cold = 0, slides = 0, frictionless = 0;
    unsigned char status[4];
    sp_reduced w;
    sp_planar v;
    w.r = r;
    w.t = t;
    w.f = f;
    w.known = known;
    w.at_N = at_N;
    w.at_T = at_T;
    w.f_T = f_T;
    w.x = x + 1;
    x[0] = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        status[i] = s->status[i];
        cold |= status[i] > SP_SLIP_NEG;
        slides |= status[i] == SP_SLIP_POS || status[i] == SP_SLIP_NEG;
        frictionless |= p->set[i].mu == 0.0;
    }
    if (cold) {
        sp_states_complete(p, status);
    }
    sp_reduced_unknowns(p, status, &w);
    if (!sp_reduced_fast(p, &w)) {
        return 0;
    }
    const double residual = sp_planar_residual(p, &w, &v);
    if (!(residual <= SP_SOLVE_CLEAN) || v.moved) {
        return 0;
    }
    for (int i = 0; i < p->n_contact && (cold || slides); i++) {
        if (sp_states_settle(p, i, status[i], v.xi, v.size) != status[i]) {
            return 0; /* at rest: perhaps closed, or sticking */
        }
    }
    for (int i = 0; i < p->n_contact; i++) {
        s->P[2 * i] = v.P[2 * i];
        s->P[2 * i + 1] = v.P[2 * i + 1];
        s->status[i] = status[i];
    }
    fill(s, residual, 0);
    if (frictionless) {
        sp_states_name(p, s->P, s->status);
    }
    return 1;
}

int sp_tiny_half_lines(const sp_problem *p, sp_solution *s)
{
    return p->n == 2 ? two_half_lines(p, s) : one_half_line(p->G[0], p->c[0], p->xi_scale, s);
}

int sp_tiny_row(const sp_problem *p, sp_solution *s)
{
    return p->set[0].kind == SP_SET_FREE
               ? one_free(p->G[0], p->c[0], p->xi_scale, s)
               : one_interval(&p->set[0], p->G[0], p->c[0], p->xi_scale, s);
}
