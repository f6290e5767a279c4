/* solvers/fc_lanes.h - what the kernels for four contacts at a time share: bodies into lanes and
 * back, and the solution of four discs alone.  Included by these kernels only.
 *
 * Open, stick and slip are computed for all lanes and picked; the direction of slip is found by a
 * few steps of Newton's method from the last direction (g of fc_local.c), so that it is exact in
 * the limit.  Lanes for which that fails are left to sp_fc_local. */
#ifndef SP_SOLVERS_FC_LANES_H
#define SP_SOLVERS_FC_LANES_H

#include "solvers/fc_four.h"
#include "solvers/unroll.h"

#include <math.h>
#include <string.h>

enum { DOF = SP_FC_BODY_DOF, LANES = SP_FC_LANES, TURNS = 4 };

typedef double four __attribute__((vector_size(32), may_alias));
typedef long long mask __attribute__((vector_size(32), may_alias));
typedef double two __attribute__((vector_size(16), may_alias));

#define AT(x)                 (*(const four *)(const void *)(x))
#define PICK(m, a, b)         ((four)(((mask)(a) & (m)) | ((mask)(b) & ~(m))))
#define MIX(a, b, i, j, k, l) __builtin_shufflevector((a), (b), (i), (j), (k), (l))

/* Turn directions by less than this: the next one is as good as exact. */
#define SMALL_TURN 1e-4
/* A slip speed of this part of its terms is none. */
#define STILL 1e-14

/* Ask for memory that is used soon: the processor does not see across pages by itself. */
SP_INLINE void sp_lanes_fetch(const void *from, int bytes)
{
    for (int k = 0; k < bytes; k += 64) {
        __builtin_prefetch((const char *)from + k);
    }
}

/* v[k]: coordinate k of the four bodies. */
SP_INLINE void sp_lanes_load(const int *body, const sp_fc_bodies *y, four *v)
{
    const four r0 = AT(y[body[0]]), r1 = AT(y[body[1]]), r2 = AT(y[body[2]]), r3 = AT(y[body[3]]);
    const four q0 = AT(y[body[0]] + 4), q1 = AT(y[body[1]] + 4);
    const four q2 = AT(y[body[2]] + 4), q3 = AT(y[body[3]] + 4);
    const four t0 = MIX(r0, r1, 0, 4, 2, 6), t1 = MIX(r0, r1, 1, 5, 3, 7);
    const four t2 = MIX(r2, r3, 0, 4, 2, 6), t3 = MIX(r2, r3, 1, 5, 3, 7);
    const four s0 = MIX(q0, q1, 0, 4, 1, 5), s1 = MIX(q2, q3, 0, 4, 1, 5);
    v[0] = MIX(t0, t2, 0, 1, 4, 5);
    v[1] = MIX(t1, t3, 0, 1, 4, 5);
    v[2] = MIX(t0, t2, 2, 3, 6, 7);
    v[3] = MIX(t1, t3, 2, 3, 6, 7);
    v[4] = MIX(s0, s1, 0, 1, 4, 5);
    v[5] = MIX(s0, s1, 2, 3, 6, 7);
}

/* The same with all eight numbers. */
SP_INLINE void sp_lanes_load8(const int *body, const double (*y)[SP_FC_BODY_STEP], four *v)
{
    SP_UNROLL
    for (int half = 0; half < 8; half += 4) {
        const four r0 = AT(y[body[0]] + half), r1 = AT(y[body[1]] + half);
        const four r2 = AT(y[body[2]] + half), r3 = AT(y[body[3]] + half);
        const four t0 = MIX(r0, r1, 0, 4, 2, 6), t1 = MIX(r0, r1, 1, 5, 3, 7);
        const four t2 = MIX(r2, r3, 0, 4, 2, 6), t3 = MIX(r2, r3, 1, 5, 3, 7);
        v[half] = MIX(t0, t2, 0, 1, 4, 5);
        v[half + 1] = MIX(t1, t3, 0, 1, 4, 5);
        v[half + 2] = MIX(t0, t2, 2, 3, 6, 7);
        v[half + 3] = MIX(t1, t3, 2, 3, 6, 7);
    }
}

/* The reverse; the ground stands still. */
SP_INLINE void sp_lanes_store(const int *body, int ground, sp_fc_bodies *y, const four *v)
{
    const four t0 = MIX(v[0], v[1], 0, 4, 2, 6), t1 = MIX(v[0], v[1], 1, 5, 3, 7);
    const four t2 = MIX(v[2], v[3], 0, 4, 2, 6), t3 = MIX(v[2], v[3], 1, 5, 3, 7);
    const four r[LANES] = {MIX(t0, t2, 0, 1, 4, 5), MIX(t1, t3, 0, 1, 4, 5),
                           MIX(t0, t2, 2, 3, 6, 7), MIX(t1, t3, 2, 3, 6, 7)};
    const four s[2] = {MIX(v[4], v[5], 0, 4, 1, 5), MIX(v[4], v[5], 2, 6, 3, 7)};
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        if (body[l] != ground) {
            double *to = y[body[l]];
            *(four *)(void *)to = r[l];
            *(two *)(void *)(to + 4) = (two){s[l / 2][2 * (l % 2)], s[l / 2][2 * (l % 2) + 1]};
        }
    }
}

/* 1 if a lane is set. */
SP_INLINE int sp_lanes_any(const mask *m)
{
    return ((*m)[0] | (*m)[1] | (*m)[2] | (*m)[3]) != 0;
}

/* 1 / sqrt(x) in every lane. */
SP_INLINE void sp_lanes_inverse_roots(four *x)
{
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        (*x)[l] = 1.0 / sqrt((*x)[l]);
    }
}

/* A direction of slip: w = den u_T, with which d must be parallel. */
typedef struct slip {
    four c, s, den, w1, w2;
} slip;

/* den and w at the direction (c, s). */
SP_INLINE void sp_lanes_slip_at(const four *G, const four *b, const four *mu, slip *x)
{
    x->den = G[0] - *mu * (G[1] * x->c + G[2] * x->s);
    x->w1 = x->den * b[1] - b[0] * (G[1] - *mu * (G[3] * x->c + G[4] * x->s));
    x->w2 = x->den * b[2] - b[0] * (G[2] - *mu * (G[4] * x->c + G[5] * x->s));
}

/* The last direction, else where it would slide without friction. */
SP_INLINE void sp_lanes_begin(const four *G, const four *b, const four *p, slip *x)
{
    const four none = {1e-280, 1e-280, 1e-280, 1e-280}, one = {1.0, 1.0, 1.0, 1.0};
    const four c0 = G[0] * b[1] - b[0] * G[1], s0 = G[0] * b[2] - b[0] * G[2];
    four len2 = p[1] * p[1] + p[2] * p[2];
    const mask fresh = len2 < none;
    x->c = PICK(fresh, c0, -p[1]);
    x->s = PICK(fresh, s0, -p[2]);
    len2 = x->c * x->c + x->s * x->s;
    const mask still = len2 < none;
    x->c = PICK(still, one, x->c);
    x->s = PICK(still, one - one, x->s);
    len2 = PICK(still, one, len2);
    sp_lanes_inverse_roots(&len2);
    x->c *= len2;
    x->s *= len2;
}

/* Newton's method for the direction in all lanes, until it turns little in those that slip. */
SP_INLINE void sp_lanes_turn(const four *G, const four *b, const four *mu, const mask *slips,
                             slip *x)
{
    const four half = {0.5, 0.5, 0.5, 0.5}, one = half + half, zero = half - half;
    const four small = {SMALL_TURN, SMALL_TURN, SMALL_TURN, SMALL_TURN};
    sp_lanes_slip_at(G, b, mu, x);
    for (int k = 0; k < TURNS; k++) {
        const four c = x->c, s = x->s, den_ = *mu * (G[1] * s - G[2] * c);
        const four w1_ = den_ * b[1] - b[0] * (*mu * (G[3] * s - G[4] * c));
        const four w2_ = den_ * b[2] - b[0] * (*mu * (G[4] * s - G[5] * c));
        const four g = x->w1 * s - x->w2 * c, along = x->w1 * c + x->w2 * s;
        const four slope = w1_ * s - w2_ * c + along;
        const four newton = -g / slope, far = PICK(g > zero, -half, half);
        const mask good = (slope > zero) & (newton < half) & (newton > -half);
        const four turn = PICK(good, newton, far), h = half * turn, e = one / (one + h * h);
        const four ct = (one - h * h) * e, st = (h + h) * e;
        x->c = c * ct - s * st;
        x->s = s * ct + c * st;
        sp_lanes_slip_at(G, b, mu, x);
        const mask moves = *slips & ((turn > small) | (turn < -small));
        if (!sp_lanes_any(&moves)) {
            break;
        }
    }
}

/* x: the percussions of four discs with velocities b without them; S: the inverse of G; p: the last
 * ones, for the direction of slip.  alone: lanes that are not solved yet. */
SP_INLINE void sp_lanes_discs(const four *G, const four *S, const four *friction, const four *b,
                              const four *p, four *x, mask *alone)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, mu = *friction;
    const four N = -(S[0] * b[0] + S[1] * b[1] + S[2] * b[2]);
    const four T1 = -(S[1] * b[0] + S[3] * b[1] + S[4] * b[2]);
    const four T2 = -(S[2] * b[0] + S[4] * b[1] + S[5] * b[2]);
    const mask closed = b[0] < zero;
    const mask sticks = closed & (N >= zero) & (T1 * T1 + T2 * T2 <= mu * mu * N * N);
    const mask slips = closed & ~sticks;
    x[0] = PICK(sticks, N, zero);
    x[1] = PICK(sticks, T1, zero);
    x[2] = PICK(sticks, T2, zero);
    *alone = slips & ~slips;
    if (sp_lanes_any(&slips)) {
        const four still = {STILL, STILL, STILL, STILL};
        slip d;
        sp_lanes_begin(G, b, p, &d);
        sp_lanes_turn(G, b, &mu, &slips, &d);
        const four size = PICK(d.w1 < zero, -d.w1, d.w1) + PICK(d.w2 < zero, -d.w2, d.w2);
        const four P = -b[0] / d.den;
        const four along = d.w1 * d.c + d.w2 * d.s;
        const mask good = (d.den > zero) & (along >= -still * size);
        x[0] = PICK(slips, P, x[0]);
        x[1] = PICK(slips, -mu * P * d.c, x[1]);
        x[2] = PICK(slips, -mu * P * d.s, x[2]);
        *alone = slips & ~good;
    }
}

/* Velocities without the own percussion. */
SP_INLINE void sp_lanes_without_own(const four *G, const four *p, four *u)
{
    u[0] -= G[0] * p[0] + G[1] * p[1] + G[2] * p[2];
    u[1] -= G[1] * p[0] + G[3] * p[1] + G[4] * p[2];
    u[2] -= G[2] * p[0] + G[4] * p[1] + G[5] * p[2];
}

#endif
