#include "solvers/fc_spheres.h"

#include "solvers/fc_lanes_measure.h"
#include "solvers/fc_rigid.h"

/* Fours from asking for bodies to using them, and for the fours themselves. */
enum { AHEAD = 4, FAR = 12 };

/* Arms may leave the normal by this part of their size, frames their right angles. */
#define ROUND 1e-14

int sp_fc_spheres_inertia(const sp_fc *p, int b, double *inertia)
{
    sp_fc_inertia J; /* 1 / m, then J^-1: 00 01 02 11 12 22 */
    if (!sp_fc_rigid_inertia(p, b, J) || J[1] != J[4] || J[1] != J[6] || J[2] != 0.0 ||
        J[3] != 0.0 || J[5] != 0.0) {
        return 0;
    }
    inertia[0] = J[0];
    inertia[1] = J[1];
    return 1;
}

/* a . b */
static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The frame of contact i (3 rows): those of its first body. */
static void frame_of(const sp_fc *p, int i, double (*D)[3])
{
    const double *H = p->F.H + p->F.at[p->F.start[i]];
    for (int a = 0; a < 3; a++) {
        memcpy(D[a], H + DOF * a, sizeof D[a]);
    }
}

/* 1 if the frame of contact i has right angles and its arms are along the normal; their signed
 * lengths. */
static int arms_along_normal(const sp_fc *p, int i, double (*D)[3], double *length)
{
    double arm[2][3];
    if (!sp_fc_rigid_arms(p, i, arm)) {
        return 0;
    }
    frame_of(p, i, D);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b <= a; b++) {
            if (!(fabs(dot(D[a], D[b]) - (a == b ? 1.0 : 0.0)) <= ROUND)) {
                return 0;
            }
        }
    }
    for (int side = 0; side < 2; side++) {
        length[side] = dot(arm[side], D[0]);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(arm[side][k] - length[side] * D[0][k]) <=
                  ROUND * (fabs(length[side]) + 1.0))) {
                return 0;
            }
        }
    }
    return 1;
}

/* Lane l without a contact. */
static void leave_empty(int l, int ground, sp_fc_spheres *f, sp_fc_four_more *more)
{
    f->body[0][l] = f->body[1][l] = ground;
    f->d[l] = more->d[l] = 1.0;
    more->contact[l] = -1;
    more->dim[l] = 0;
    more->set[l] = sp_set_disc(0.0);
}

int sp_fc_spheres_fill(const sp_fc *p, int i, int l, const sp_fc_bodies *y, sp_fc_spheres *f,
                       sp_fc_four_more *more)
{
    double D[3][3], length[2];
    leave_empty(l, p->F.n_body, f, more);
    if (i < 0) {
        return 1;
    }
    if (!arms_along_normal(p, i, D, length)) {
        return 0;
    }
    double g_N = 0.0, g_T = 0.0;
    for (int side = 0; side < p->F.start[i + 1] - p->F.start[i]; side++) {
        const int b = p->F.body[p->F.start[i] + side];
        f->body[side][l] = b;
        g_N += y[b][DOF];
        g_T += y[b][DOF] + length[side] * length[side] * y[b][DOF + 1];
    }
    if (!(g_N > 1e-280 && g_T < 1e280)) {
        return 0;
    }
    more->contact[l] = i;
    more->dim[l] = 3;
    more->set[l] = p->set[i];
    more->d[l] = f->d[l] = 1.0 / sqrt(g_T);
    f->mu[l] = p->set[i].mu;
    const double *c = p->c + p->row[i];
    for (int k = 0; k < 3; k++) {
        f->n[k][l] = D[0][k];
        more->tangent[k][l] = D[1][k];
        f->c[k][l] = f->d[l] * (c[0] * D[0][k] + c[1] * D[1][k] + c[2] * D[2][k]);
    }
    f->arm[0][l] = length[0];
    f->arm[1][l] = length[1];
    return 1;
}

void sp_fc_spheres_leave(const sp_fc *p, int i, int l, const sp_fc_spheres *f, const double *own,
                         double *P)
{
    const double x[3] = {own[l], own[LANES + l], own[2 * LANES + l]};
    double D[3][3];
    frame_of(p, i, D);
    for (int a = 0; a < 3; a++) {
        P[a] = f->d[l] * dot(D[a], x);
    }
}

void sp_fc_spheres_enter(const sp_fc *p, int i, int l, const sp_fc_spheres *f, const double *P,
                         double *own)
{
    double D[3][3];
    frame_of(p, i, D);
    for (int k = 0; k < 3; k++) {
        own[LANES * k + l] = (P[0] * D[0][k] + P[1] * D[1][k] + P[2] * D[2][k]) / f->d[l];
    }
}

/* c = a x b in lanes. */
SP_INLINE void cross4(const four *a, const four *b, four *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* a . b in lanes. */
#define DOT4(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

/* x = N n + (x without its part along n) on the disc of radius mu N. */
SP_INLINE void onto_disc(const four *n, const four *mu, const four *N, four *x)
{
    const four one = {1.0, 1.0, 1.0, 1.0}, along = DOT4(n, x), r = *mu * *N;
    x[0] -= along * n[0];
    x[1] -= along * n[1];
    x[2] -= along * n[2];
    four len2 = DOT4(x, x);
    const mask slips = len2 > r * r;
    if (sp_lanes_any(&slips)) {
        len2 = PICK(slips, len2, one);
        sp_lanes_inverse_roots(&len2);
        const four shrink = PICK(slips, r * len2, one);
        x[0] *= shrink;
        x[1] *= shrink;
        x[2] *= shrink;
    }
    x[0] += *N * n[0];
    x[1] += *N * n[1];
    x[2] += *N * n[2];
}

/* Velocities of the bodies (with their inertia in v[6], v[7]) by the percussion dp: v of the first
 * side, w of the second. */
SP_INLINE void push(const sp_fc_spheres *f, const four *n, const four *dp, four *v, four *w)
{
    const four d = AT(f->d), a = AT(f->arm[0]) * v[7], b = AT(f->arm[1]) * w[7];
    const four force[3] = {d * dp[0], d * dp[1], d * dp[2]};
    four moment[3];
    cross4(n, force, moment);
    SP_UNROLL
    for (int k = 0; k < 3; k++) {
        v[k] += v[6] * force[k];
        w[k] -= w[6] * force[k];
        v[3 + k] += a * moment[k];
        w[3 + k] -= b * moment[k];
    }
}

/* Ask for the bodies of a four that comes soon. */
SP_INLINE void fetch(const int *body, const sp_fc_bodies *y)
{
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(y[body[l]]);
    }
}

/* The sweep, for any instruction set. */
SP_INLINE void sweep(int n_four, const sp_fc_spheres *f, int ground, sp_fc_bodies *y, double *p)
{
    const four zero = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n_four; i++, f++, p += 3 * LANES) {
        const four n[3] = {AT(f->n[0]), AT(f->n[1]), AT(f->n[2])}, d = AT(f->d), mu = AT(f->mu);
        const four old[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        four v[8], w[8], spin[3], u[3], x[3];
        if (i + FAR < n_four) {
            sp_lanes_fetch(f + FAR, (int)sizeof *f);
            sp_lanes_fetch(p + 3 * LANES * FAR, 3 * LANES * (int)sizeof *p);
        }
        if (i + AHEAD < n_four) { /* bodies lie anywhere in memory */
            fetch(f[AHEAD].body[0], (const sp_fc_bodies *)y);
            fetch(f[AHEAD].body[1], (const sp_fc_bodies *)y);
        }
        sp_lanes_load8(f->body[0], (const double(*)[SP_FC_BODY_STEP])y, v);
        sp_lanes_load8(f->body[1], (const double(*)[SP_FC_BODY_STEP])y, w);
        SP_UNROLL
        for (int k = 0; k < 3; k++) {
            spin[k] = AT(f->arm[0]) * v[3 + k] - AT(f->arm[1]) * w[3 + k];
        }
        cross4(spin, n, u);
        SP_UNROLL
        for (int k = 0; k < 3; k++) {
            u[k] = d * (v[k] - w[k] + u[k]) + AT(f->c[k]);
            x[k] = old[k] - u[k];
        }
        four N = DOT4(n, old) - DOT4(n, u) / (d * d * (v[6] + w[6]));
        N = PICK(N > zero, N, zero);
        onto_disc(n, &mu, &N, x);
        const four dp[3] = {x[0] - old[0], x[1] - old[1], x[2] - old[2]};
        SP_UNROLL
        for (int k = 0; k < 3; k++) {
            *(four *)(void *)(p + LANES * k) = x[k];
        }
        push(f, n, dp, v, w);
        sp_lanes_store(f->body[0], ground, y, v);
        sp_lanes_store(f->body[1], ground, y, w);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void sweep_avx2(int n, const sp_fc_spheres *f, int ground,
                                                       sp_fc_bodies *y, double *p)
{
    sweep(n, f, ground, y, p);
}
#endif

void sp_fc_spheres_sweep(int n, const sp_fc_spheres *f, int ground, sp_fc_bodies *y, double *p)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        sweep_avx2(n, f, ground, y, p);
        return;
    }
#endif
    sweep(n, f, ground, y, p);
}

void sp_fc_spheres_push(int n_four, const sp_fc_spheres *f, int ground, sp_fc_bodies *y,
                        const double *p)
{
    for (int i = 0; i < n_four; i++, f++, p += 3 * LANES) {
        const four n[3] = {AT(f->n[0]), AT(f->n[1]), AT(f->n[2])};
        const four dp[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        four v[8], w[8];
        sp_lanes_load8(f->body[0], (const double(*)[SP_FC_BODY_STEP])y, v);
        sp_lanes_load8(f->body[1], (const double(*)[SP_FC_BODY_STEP])y, w);
        push(f, n, dp, v, w);
        sp_lanes_store(f->body[0], ground, y, v);
        sp_lanes_store(f->body[1], ground, y, w);
    }
}

void sp_fc_spheres_project(int n_four, const sp_fc_spheres *f, double *p)
{
    const four zero = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n_four; i++, f++, p += 3 * LANES) {
        const four n[3] = {AT(f->n[0]), AT(f->n[1]), AT(f->n[2])}, mu = AT(f->mu);
        four x[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        four N = DOT4(n, x);
        N = PICK(N > zero, N, zero);
        onto_disc(n, &mu, &N, x);
        for (int k = 0; k < 3; k++) {
            *(four *)(void *)(p + LANES * k) = x[k];
        }
    }
}

void sp_fc_spheres_measure(int n_four, const sp_fc_spheres *f, const sp_fc_four_more *more,
                           const sp_fc_bodies *y, const double *p, sp_fc_sum *sum)
{
    for (int i = 0; i < n_four; i++, f++, more++, p += 3 * LANES) {
        const four d = AT(f->d), n[3] = {AT(f->n[0]), AT(f->n[1]), AT(f->n[2])};
        const four t[3] = {AT(more->tangent[0]), AT(more->tangent[1]), AT(more->tangent[2])};
        const four x[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        const four c[3] = {AT(f->c[0]), AT(f->c[1]), AT(f->c[2])};
        four s[3], own[3];
        sp_lanes_seen z;
        cross4(n, t, s);
        const four *const D[3] = {n, t, s};
        SP_UNROLL
        for (int a = 0; a < 3; a++) {
            own[a] = DOT4(D[a], x);
            z.c[a] = DOT4(D[a], c);
            for (int k = 0; k < 3; k++) {
                z.D[a][k] = d * D[a][k];
            }
        }
        for (int k = 0; k < 3; k++) {
            z.arm[0][k] = AT(f->arm[0]) * n[k];
            z.arm[1][k] = AT(f->arm[1]) * n[k];
        }
        sp_lanes_load(f->body[0], y, z.v[0]);
        sp_lanes_load(f->body[1], y, z.v[1]);
        z.mu = AT(f->mu);
        z.d = d;
        sp_lanes_measure(&z, own, sum);
    }
}
