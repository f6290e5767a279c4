/* Rows of any bodies.   fc_lanes.h */
#include "solvers/fc_four.h"

#include "solvers/fc_lanes.h"
#include "solvers/fc_local.h"

/* u = H y + c. */
SP_INLINE void see(const sp_fc_four *f, const four *v, const four *w, four *u)
{
    SP_UNROLL
    for (int a = 0; a < 3; a++) {
        four s = AT(f->H[0][a][0]) * v[0], t = AT(f->H[1][a][0]) * w[0];
        SP_UNROLL
        for (int k = 1; k < DOF; k++) {
            s += AT(f->H[0][a][k]) * v[k];
            t += AT(f->H[1][a][k]) * w[k];
        }
        u[a] = AT(f->c[a]) + (s + t);
    }
}

/* v += H'dp of one side. */
SP_INLINE void push(const double (*H)[DOF][LANES], const four *dp, four *v)
{
    SP_UNROLL
    for (int k = 0; k < DOF; k++) {
        v[k] += (AT(H[0][k]) * dp[0] + AT(H[1][k]) * dp[1]) + AT(H[2][k]) * dp[2];
    }
}

/* Lane l alone, by the exact solver. */
static void solve_lane(const sp_fc_four *f, const sp_set *set, int dim, int l, const double *b,
                       double *p)
{
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    double G[9] = {0.0}, stick[9] = {0.0}, own[3] = {0.0}, x[3] = {0.0};
    for (int a = 0; a < dim; a++) {
        own[a] = b[LANES * a + l];
        x[a] = p[LANES * a + l];
        for (int e = 0; e < dim; e++) {
            G[a * dim + e] = f->G[at[a][e]][l];
            stick[a * dim + e] = f->stick[at[a][e]][l];
        }
    }
    sp_fc_local(set, G, stick, own, x);
    for (int a = 0; a < dim; a++) {
        p[LANES * a + l] = x[a];
    }
}

/* The lanes that are not solved, and all if a set is no disc. */
static void solve_lanes(const sp_fc_four *f, const sp_fc_four_more *more, const mask *alone,
                        const four *b, const four *old, four *x)
{
    for (int l = 0; l < LANES; l++) {
        if (more->contact[l] >= 0 && ((*alone)[l] || !more->plain)) {
            for (int a = 0; a < 3; a++) {
                x[a][l] = old[a][l];
            }
            solve_lane(f, &more->set[l], more->dim[l], l, (const double *)(const void *)b,
                       (double *)(void *)x);
        }
    }
}

/* The sweep, for any instruction set. */
SP_INLINE void sweep(int n, const sp_fc_four *f, const sp_fc_four_more *more, int ground,
                     sp_fc_bodies *y, double *p)
{
    for (int i = 0; i < n; i++, f++, more++, p += 3 * LANES) {
        four v[DOF], w[DOF], b[3], old[3], x[3], dp[3], G[6], S[6], mu;
        mask alone;
        sp_lanes_load(f->body[0], (const sp_fc_bodies *)y, v);
        sp_lanes_load(f->body[1], (const sp_fc_bodies *)y, w);
        see(f, v, w, b);
        for (int a = 0; a < 3; a++) {
            old[a] = AT(p + LANES * a);
        }
        SP_UNROLL
        for (int e = 0; e < 6; e++) {
            G[e] = AT(f->G[e]);
            S[e] = AT(f->stick[e]);
        }
        mu = AT(f->mu);
        sp_lanes_without_own(G, old, b);
        sp_lanes_discs(G, S, &mu, b, old, x, &alone);
        if (!more->plain || sp_lanes_any(&alone)) {
            solve_lanes(f, more, &alone, b, old, x);
        }
        for (int a = 0; a < 3; a++) {
            dp[a] = x[a] - old[a];
            *(four *)(void *)(p + LANES * a) = x[a];
        }
        push((const double(*)[DOF][LANES])f->H[0], dp, v);
        push((const double(*)[DOF][LANES])f->H[1], dp, w);
        sp_lanes_store(f->body[0], ground, y, v);
        sp_lanes_store(f->body[1], ground, y, w);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void sweep_avx2(int n, const sp_fc_four *f,
                                                       const sp_fc_four_more *more, int ground,
                                                       sp_fc_bodies *y, double *p)
{
    sweep(n, f, more, ground, y, p);
}

void sp_fc_four_sweep(int n, const sp_fc_four *f, const sp_fc_four_more *more, int ground,
                      sp_fc_bodies *y, double *p)
{
    if (__builtin_cpu_supports("avx2")) {
        sweep_avx2(n, f, more, ground, y, p);
    } else {
        sweep(n, f, more, ground, y, p);
    }
}
#else
void sp_fc_four_sweep(int n, const sp_fc_four *f, const sp_fc_four_more *more, int ground,
                      sp_fc_bodies *y, double *p)
{
    sweep(n, f, more, ground, y, p);
}
#endif

void sp_fc_four_see(const sp_fc_four *f, const sp_fc_bodies *y, double *u)
{
    four v[DOF], w[DOF], x[3];
    sp_lanes_load(f->body[0], y, v);
    sp_lanes_load(f->body[1], y, w);
    see(f, v, w, x);
    for (int a = 0; a < 3; a++) {
        *(four *)(void *)(u + LANES * a) = x[a];
    }
}

void sp_fc_four_push(int n, const sp_fc_four *f, int ground, sp_fc_bodies *y, const double *p)
{
    for (int i = 0; i < n; i++, f++, p += 3 * LANES) {
        four v[DOF], dp[3];
        for (int a = 0; a < 3; a++) {
            dp[a] = AT(p + LANES * a);
        }
        for (int side = 0; side < 2; side++) {
            sp_lanes_load(f->body[side], (const sp_fc_bodies *)y, v);
            push((const double(*)[DOF][LANES])f->H[side], dp, v);
            sp_lanes_store(f->body[side], ground, y, v);
        }
    }
}
