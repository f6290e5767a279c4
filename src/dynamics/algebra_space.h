/* dynamics/algebra_space.h - inertia and forces in space, for dynamics/tree.inc; the same names as
 * in algebra_plane.h. */
#ifndef SP_DYNAMICS_ALGEBRA_SPACE_H
#define SP_DYNAMICS_ALGEBRA_SPACE_H

#include "dynamics/dyn.h"
#include "kinematics/algebra_space.h"

typedef sp_wrench3 wrench;
typedef sp_inertia3 inertia;
typedef sp_articulated3 articulated;
typedef sp_lever3 lever;
typedef sp_sym3 moments;

#define BY_SHAPE(m, f, ...)        f(__VA_ARGS__, false, 0)
#define wrenches(dyn, share)       ((dyn)->wrench3[share])
#define composites(dyn)            ((dyn)->composite3)
#define articulated_bodies(dyn)    ((dyn)->articulated3)
#define levers(dyn)                ((dyn)->lever3)
#define unit_power(c, a, p)        along(a, p)
#define pivot_of(kin, f, k, chain) ((kin)->axis3[k].p)
#define gravity_of(num)            sp_vec3_of((num)->gravity)

/* ---- one body -------------------------------------------------------------------------------- */

INLINE moments moments_of(const sp_numbers *num, int i, const frame *f)
{
    return sp_sym3_turned(f->R, sp_sym3_of(num->space[i].inertia));
}

INLINE spin gyro(moments J, const frame *f)
{
    return sp_add3(sp_sym3_mul(J, f->alpha0), sp_cross3(f->omega, sp_sym3_mul(J, f->omega)));
}

INLINE spin spin_momentum(const sp_numbers *num, int i, const frame *f)
{
    const vec own = sp_rotate_back3(f->R, f->omega);
    return sp_rotate3(f->R, sp_sym3_mul(sp_sym3_of(num->space[i].inertia), own));
}

INLINE inertia own_inertia(double mass, moments J, vec r)
{
    const vec p = sp_scale3(mass, r);
    return (inertia){.mass = mass, .moment = p, .J = sp_sym3_shift(J, sp_scale3(0.5, p), r)};
}

/* theory (3.13) */
INLINE inertia join(inertia c, vec d, inertia to)
{
    const vec half = sp_axpy3(c.moment, 0.5 * c.mass, d);
    to.mass += c.mass;
    to.moment = sp_add3(to.moment, sp_axpy3(c.moment, c.mass, d));
    to.J = sp_sym3_add(to.J, sp_sym3_shift(c.J, half, d));
    return to;
}

/* ---- one degree of freedom ------------------------------------------------------------------- */

/* theory (3.14) */
INLINE wrench unit_momentum(const inertia *c, axis a)
{
    return (wrench){.f = sp_add3(sp_scale3(c->mass, a->s), sp_cross3(a->w, c->moment)),
                    .m = sp_add3(sp_cross3(c->moment, a->s), sp_sym3_mul(c->J, a->w))};
}

INLINE double along(axis a, wrench w)
{
    return sp_inner3(a->w, w.m) + sp_inner3(a->s, w.f);
}

/* theory (3.15) */
INLINE double along_from(axis a, vec pivot, wrench w)
{
    const vec moment = sp_add3(w.m, sp_cross3(sp_sub3(pivot, a->p), w.f));
    return sp_inner3(a->w, moment) + sp_inner3(a->s, w.f);
}

/* ---- articulated bodies ---------------------------------------------------------------------- */

INLINE wrench relieved(wrench w, double k, wrench U)
{
    return (wrench){.f = sp_axpy3(w.f, -k, U.f), .m = sp_axpy3(w.m, -k, U.m)};
}

INLINE articulated rigid(double mass, moments J, vec r)
{
    const inertia c = own_inertia(mass, J, r);
    const vec p = c.moment;
    return (articulated){.J = c.J,
                         .M = {mass, mass, mass, 0.0, 0.0, 0.0},
                         .H = {{0.0, -p.z, p.y}, {p.z, 0.0, -p.x}, {-p.y, p.x, 0.0}}};
}

/* H a and H^T a. */
INLINE vec rows_times(const vec *H, vec a)
{
    return (vec){sp_inner3(H[0], a), sp_inner3(H[1], a), sp_inner3(H[2], a)};
}

INLINE vec columns_times(const vec *H, vec a)
{
    return (vec){H[0].x * a.x + H[1].x * a.y + H[2].x * a.z,
                 H[0].y * a.x + H[1].y * a.y + H[2].y * a.z,
                 H[0].z * a.x + H[1].z * a.y + H[2].z * a.z};
}

INLINE wrench push_along(const articulated *A, axis a, bool turns)
{
    wrench U = {.f = columns_times(A->H, a->w), .m = sp_sym3_mul(A->J, a->w)};
    if (!turns) { /* something slides, too */
        U.f = sp_add3(U.f, sp_sym3_mul(A->M, a->s));
        U.m = sp_add3(U.m, rows_times(A->H, a->s));
    }
    return U;
}

INLINE lever lever_of(wrench U, double tau, double D)
{
    const double D_inv = 1.0 / D;
    return (lever){.U = {.f = sp_scale3(D_inv, U.f), .m = sp_scale3(D_inv, U.m)}, .r = tau * D_inv};
}

/* S - a b^T for b parallel to a */
INLINE sp_sym3 less(sp_sym3 S, vec a, vec b)
{
    return (sp_sym3){S.xx - a.x * b.x, S.yy - a.y * b.y, S.zz - a.z * b.z,
                     S.xy - a.x * b.y, S.xz - a.x * b.z, S.yz - a.y * b.z};
}

INLINE void release(articulated *A, wrench U, wrench V)
{
    A->J = less(A->J, U.m, V.m);
    A->M = less(A->M, U.f, V.f);
    A->H[0] = sp_axpy3(A->H[0], -U.m.x, V.f);
    A->H[1] = sp_axpy3(A->H[1], -U.m.y, V.f);
    A->H[2] = sp_axpy3(A->H[2], -U.m.z, V.f);
}

/*     M, H + d x M, J + d x H^T - (H + d x M) d x     theory (3.33) */
INLINE void join_articulated(const articulated *A, vec d, articulated *to)
{
    const sp_sym3 M = A->M;
    const vec *H = A->H;
    const vec K[3] = {/* rows of H + d x M */
                      {H[0].x + (d.y * M.xz - d.z * M.xy), H[0].y + (d.y * M.yz - d.z * M.yy),
                       H[0].z + (d.y * M.zz - d.z * M.yz)},
                      {H[1].x + (d.z * M.xx - d.x * M.xz), H[1].y + (d.z * M.xy - d.x * M.yz),
                       H[1].z + (d.z * M.xz - d.x * M.zz)},
                      {H[2].x + (d.x * M.xy - d.y * M.xx), H[2].y + (d.x * M.yy - d.y * M.xy),
                       H[2].z + (d.x * M.yz - d.y * M.xz)}};
    /* (d x H_j)_i + (d x K_i)_j for i <= j */
    to->J.xx += A->J.xx + (d.y * H[0].z - d.z * H[0].y) + (d.y * K[0].z - d.z * K[0].y);
    to->J.yy += A->J.yy + (d.z * H[1].x - d.x * H[1].z) + (d.z * K[1].x - d.x * K[1].z);
    to->J.zz += A->J.zz + (d.x * H[2].y - d.y * H[2].x) + (d.x * K[2].y - d.y * K[2].x);
    to->J.xy += A->J.xy + (d.y * H[1].z - d.z * H[1].y) + (d.z * K[0].x - d.x * K[0].z);
    to->J.xz += A->J.xz + (d.y * H[2].z - d.z * H[2].y) + (d.x * K[0].y - d.y * K[0].x);
    to->J.yz += A->J.yz + (d.z * H[2].x - d.x * H[2].z) + (d.x * K[1].y - d.y * K[1].x);
    to->M = sp_sym3_add(to->M, M);
    for (int i = 0; i < 3; i++) {
        to->H[i] = sp_add3(to->H[i], K[i]);
    }
}

#endif
