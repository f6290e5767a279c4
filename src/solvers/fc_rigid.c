#include "solvers/fc_rigid.h"

#include "solvers/fc_lanes_measure.h"
#include "solvers/fc_local.h"

/* Fours from asking for bodies to using them, and for the fours themselves. */
enum { AHEAD = 3, FAR = 5 };

/* Rows may differ by this part of their size from those of a rigid body. */
#define RIGID 1e-14

/* c = a x b */
static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* arm with H_angular = arm x H_linear in all rows of one block (3 x 6); 0 if there is none.  Of an
 * orthonormal frame d_a it is half the sum of d_a x (arm x d_a). */
static int arm_of(const double *H, double *arm)
{
    double size = 0.0;
    arm[0] = arm[1] = arm[2] = 0.0;
    for (int a = 0; a < 3; a++) {
        double part[3];
        cross(H + DOF * a, H + DOF * a + 3, part);
        for (int k = 0; k < 3; k++) {
            arm[k] += 0.5 * part[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        size += fabs(arm[k]);
    }
    for (int a = 0; a < 3; a++) {
        double moment[3];
        cross(arm, H + DOF * a, moment);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(moment[k] - H[DOF * a + 3 + k]) <= RIGID * (size + 1.0))) {
                return 0;
            }
        }
    }
    return 1;
}

int sp_fc_rigid_arms(const sp_fc *p, int i, double (*arm)[3])
{
    const sp_fc_factors *F = &p->F;
    const int n = F->start[i + 1] - F->start[i];
    const double *H[2] = {NULL, NULL};
    memset(arm, 0, 2 * sizeof *arm);
    if (p->set[i].kind != SP_SET_DISC || p->set[i].shifted || n < 1 || n > 2) {
        return 0;
    }
    for (int side = 0; side < n; side++) {
        const int b = F->body[F->start[i] + side];
        H[side] = F->H + F->at[F->start[i] + side];
        if (F->dof[b + 1] - F->dof[b] != DOF || !arm_of(H[side], arm[side])) {
            return 0;
        }
    }
    for (int e = 0; n == 2 && e < 3 * DOF; e++) { /* the second pushes against the first */
        if (e % DOF < 3 && H[1][e] != -H[0][e]) {
            return 0;
        }
    }
    return n == 1 || F->body[F->start[i]] != F->body[F->start[i] + 1];
}

int sp_fc_rigid_inertia(const sp_fc *p, int b, double *inertia)
{
    const double *M = p->F.M_inv + p->F.inverse[b];
    memset(inertia, 0, sizeof(sp_fc_inertia));
    if (p->F.dof[b + 1] - p->F.dof[b] != DOF || M[0] != M[7] || M[0] != M[14]) {
        return 0;
    }
    for (int e = 0; e < DOF * DOF; e++) {
        const int r = e / DOF, c = e % DOF;
        if ((r < 3 || c < 3) && r != c && M[e] != 0.0) {
            return 0;
        }
    }
    const double J[7] = {M[0], M[21], M[22], M[23], M[28], M[29], M[35]};
    memcpy(inertia, J, sizeof J);
    return M[27] == M[22] && M[33] == M[23] && M[34] == M[29];
}

/* c = a x b in lanes. */
SP_INLINE void cross4(const four *a, const four *b, four *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* u = D (v + w x r - ...) + c. */
SP_INLINE void see(const sp_fc_rigid *f, const four *v, const four *w, four *u)
{
    const four ra[3] = {AT(f->arm[0][0]), AT(f->arm[0][1]), AT(f->arm[0][2])};
    const four rb[3] = {AT(f->arm[1][0]), AT(f->arm[1][1]), AT(f->arm[1][2])};
    four a[3], b[3];
    cross4(v + 3, ra, a);
    cross4(w + 3, rb, b);
    const four g0 = (v[0] + a[0]) - (w[0] + b[0]), g1 = (v[1] + a[1]) - (w[1] + b[1]);
    const four g2 = (v[2] + a[2]) - (w[2] + b[2]);
    SP_UNROLL
    for (int k = 0; k < 3; k++) {
        u[k] = AT(f->c[k]) + ((AT(f->D[k][0]) * g0 + AT(f->D[k][1]) * g1) + AT(f->D[k][2]) * g2);
    }
}

/* v += f / m, w += J^-1 (r x f) of the bodies on one side. */
SP_INLINE void push(const int *body, const sp_fc_inertia *inertia, const double (*arm)[LANES],
                    const four *force, four *v)
{
    const four r[3] = {AT(arm[0]), AT(arm[1]), AT(arm[2])};
    four J[8], moment[3];
    sp_lanes_load8(body, inertia, J);
    cross4(r, force, moment);
    v[0] += J[0] * force[0];
    v[1] += J[0] * force[1];
    v[2] += J[0] * force[2];
    v[3] += (J[1] * moment[0] + J[2] * moment[1]) + J[3] * moment[2];
    v[4] += (J[2] * moment[0] + J[4] * moment[1]) + J[5] * moment[2];
    v[5] += (J[3] * moment[0] + J[5] * moment[1]) + J[6] * moment[2];
}

/* f = D'dp. */
SP_INLINE void force_of(const sp_fc_rigid *f, const four *dp, four *force, four *against)
{
    SP_UNROLL
    for (int k = 0; k < 3; k++) {
        force[k] = (AT(f->D[0][k]) * dp[0] + AT(f->D[1][k]) * dp[1]) + AT(f->D[2][k]) * dp[2];
        against[k] = -force[k];
    }
}

/* S = G^-1 of symmetric 3 x 3 matrices. */
SP_INLINE void invert(const four *G, four *S)
{
    const four one = {1.0, 1.0, 1.0, 1.0};
    const four m0 = G[3] * G[5] - G[4] * G[4], m1 = G[2] * G[4] - G[1] * G[5];
    const four m2 = G[1] * G[4] - G[2] * G[3];
    const four f = one / (G[0] * m0 + G[1] * m1 + G[2] * m2);
    S[0] = f * m0;
    S[1] = f * m1;
    S[2] = f * m2;
    S[3] = f * (G[0] * G[5] - G[2] * G[2]);
    S[4] = f * (G[1] * G[2] - G[0] * G[4]);
    S[5] = f * (G[0] * G[3] - G[1] * G[1]);
}

/* Lanes that are left, by the exact solver; b, x: rows of lanes, x in: the last percussions. */
static void solve_lanes(const sp_fc_rigid *f, const sp_fc_four_more *more, const double *left,
                        const double *S, const double *b, const double *old, double *x)
{
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int l = 0; l < LANES; l++) {
        double G[9], stick[9];
        const double own[3] = {b[l], b[LANES + l], b[2 * LANES + l]};
        double p[3] = {old[l], old[LANES + l], old[2 * LANES + l]};
        if (left[l] == 0.0) {
            continue;
        }
        for (int e = 0; e < 9; e++) {
            G[e] = f->G[at[e]][l];
            stick[e] = S[LANES * at[e] + l];
        }
        sp_fc_local(&more->set[l], G, stick, own, p);
        for (int a = 0; a < 3; a++) {
            x[LANES * a + l] = p[a];
        }
    }
}

/* Ask for the bodies of a four that comes soon. */
SP_INLINE void fetch(const int *body, const sp_fc_inertia *inertia, const sp_fc_bodies *y)
{
    SP_UNROLL
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(y[body[l]]);
        __builtin_prefetch(inertia[body[l]]);
    }
}

/* The sweep, for any instruction set. */
SP_INLINE void sweep(int n, const sp_fc_rigid *f, const sp_fc_four_more *more,
                     const sp_fc_inertia *inertia, int ground, sp_fc_bodies *y, double *p)
{
    const four one = {1.0, 1.0, 1.0, 1.0}, zero = one - one;
    for (int i = 0; i < n; i++, f++, more++, p += 3 * LANES) {
        four v[DOF], w[DOF], b[3], old[3], x[3], dp[3], G[6], S[6], force[3], against[3];
        const four mu = AT(f->mu);
        mask alone;
        if (i + FAR < n) {
            sp_lanes_fetch(f + FAR, (int)sizeof *f);
            sp_lanes_fetch(p + 3 * LANES * FAR, 3 * LANES * (int)sizeof *p);
        }
        if (i + AHEAD < n) { /* bodies lie anywhere in memory */
            fetch(f[AHEAD].body[0], inertia, (const sp_fc_bodies *)y);
            fetch(f[AHEAD].body[1], inertia, (const sp_fc_bodies *)y);
        }
        sp_lanes_load(f->body[0], (const sp_fc_bodies *)y, v);
        sp_lanes_load(f->body[1], (const sp_fc_bodies *)y, w);
        see(f, v, w, b);
        SP_UNROLL
        for (int e = 0; e < 6; e++) {
            G[e] = AT(f->G[e]);
        }
        SP_UNROLL
        for (int a = 0; a < 3; a++) {
            old[a] = AT(p + LANES * a);
        }
        invert(G, S);
        sp_lanes_without_own(G, old, b);
        sp_lanes_discs(G, S, &mu, b, old, x, &alone);
        if (sp_lanes_any(&alone)) { /* copies, so that the usual way stays in registers */
            const four left[1] = {PICK(alone, one, zero)};
            four S_[6], b_[3], old_[3], x_[3];
            memcpy(S_, S, sizeof S_);
            memcpy(b_, b, sizeof b_);
            memcpy(old_, old, sizeof old_);
            memcpy(x_, x, sizeof x_);
            solve_lanes(f, more, (const double *)(const void *)left, (const double *)(void *)S_,
                        (const double *)(void *)b_, (const double *)(void *)old_,
                        (double *)(void *)x_);
            memcpy(x, x_, sizeof x_);
        }
        SP_UNROLL
        for (int a = 0; a < 3; a++) {
            dp[a] = x[a] - old[a];
            *(four *)(void *)(p + LANES * a) = x[a];
        }
        force_of(f, dp, force, against);
        push(f->body[0], inertia, f->arm[0], force, v);
        push(f->body[1], inertia, f->arm[1], against, w);
        sp_lanes_store(f->body[0], ground, y, v);
        sp_lanes_store(f->body[1], ground, y, w);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void sweep_avx2(int n, const sp_fc_rigid *f,
                                                       const sp_fc_four_more *more,
                                                       const sp_fc_inertia *inertia, int ground,
                                                       sp_fc_bodies *y, double *p)
{
    sweep(n, f, more, inertia, ground, y, p);
}
#endif

void sp_fc_rigid_sweep(int n, const sp_fc_rigid *f, const sp_fc_four_more *more,
                       const sp_fc_inertia *inertia, int ground, sp_fc_bodies *y, double *p)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        sweep_avx2(n, f, more, inertia, ground, y, p);
        return;
    }
#endif
    sweep(n, f, more, inertia, ground, y, p);
}

void sp_fc_rigid_push(int n, const sp_fc_rigid *f, const sp_fc_inertia *inertia, int ground,
                      sp_fc_bodies *y, const double *p)
{
    for (int i = 0; i < n; i++, f++, p += 3 * LANES) {
        const four dp[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        four v[DOF], force[2][3];
        force_of(f, dp, force[0], force[1]);
        for (int side = 0; side < 2; side++) {
            sp_lanes_load(f->body[side], (const sp_fc_bodies *)y, v);
            push(f->body[side], inertia, f->arm[side], force[side], v);
            sp_lanes_store(f->body[side], ground, y, v);
        }
    }
}

void sp_fc_rigid_measure(int n, const sp_fc_rigid *f, const sp_fc_four_more *more,
                         const sp_fc_bodies *y, const double *p, sp_fc_sum *sum)
{
    for (int i = 0; i < n; i++, f++, more++, p += 3 * LANES) {
        const four x[3] = {AT(p), AT(p + LANES), AT(p + 2 * LANES)};
        sp_lanes_seen z;
        SP_UNROLL
        for (int a = 0; a < 3; a++) {
            z.c[a] = AT(f->c[a]);
            z.arm[0][a] = AT(f->arm[0][a]);
            z.arm[1][a] = AT(f->arm[1][a]);
            for (int k = 0; k < 3; k++) {
                z.D[a][k] = AT(f->D[a][k]);
            }
        }
        sp_lanes_load(f->body[0], y, z.v[0]);
        sp_lanes_load(f->body[1], y, z.v[1]);
        z.mu = AT(f->mu);
        z.d = AT(more->d);
        sp_lanes_measure(&z, x, sum);
    }
}
