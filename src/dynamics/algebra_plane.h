/* dynamics/algebra_plane.h - inertia and forces in the plane, for dynamics/tree.inc;
 * algebra_space.h has the same names for space. */
#ifndef SP_DYNAMICS_ALGEBRA_PLANE_H
#define SP_DYNAMICS_ALGEBRA_PLANE_H

#include "dynamics/dyn.h"
#include "kinematics/algebra_plane.h"

typedef sp_wrench wrench;
typedef sp_inertia inertia;
typedef sp_articulated articulated;
typedef sp_lever lever;
typedef double moments; /* of inertia about the centre of mass, world axes */

#define BY_SHAPE                   SP_BY_CHAIN
#define wrenches(dyn, share)       ((dyn)->wrench[share])
#define composites(dyn)            ((dyn)->composite)
#define articulated_bodies(dyn)    ((dyn)->articulated)
#define levers(dyn)                ((dyn)->lever)
#define unit_power(c, a, p)        ((a).turns ? (c)->J : (c)->mass) /* of p along the axis itself */
#define pivot_of(kin, f, k, chain) ((chain) ? (f)->x : sp_sub((f)->x, (f)->own))
#define gravity_of(num)            sp_vec_of((num)->gravity)

#define moments_of(num, i, f)    ((num)->body[i].inertia)
#define gyro(J, f)               ((void)(J), 0.0) /* moment that a body takes at its bias acceleration */
#define spin_momentum(num, i, f) ((num)->body[i].inertia * (f)->omega) /* about its centre */

/* ---- one body -------------------------------------------------------------------------------- */

/* The body alone, about its pivot; r: from there to its centre. */
INLINE inertia own_inertia(double mass, moments J, vec r)
{
    return (inertia){.mass = mass, .moment = sp_scale(mass, r), .J = J + mass * sp_inner(r, r)};
}

/* A composite body joins that of the parent, whose pivot lies d behind.   theory (3.2) */
INLINE inertia join(inertia c, vec d, inertia to)
{
    to.mass += c.mass;
    to.moment = sp_add(to.moment, sp_axpy(c.moment, c.mass, d));
    to.J += (2.0 * sp_inner(d, c.moment) + c.mass * sp_inner(d, d)) + c.J;
    return to;
}

/* ---- one degree of freedom ------------------------------------------------------------------- */

/* Momentum of a composite body for u = 1 along an axis.   theory (3.3) */
INLINE wrench unit_momentum(const inertia *c, axis a)
{
    return a.turns ? (wrench){.f = sp_spin_cross(1.0, c->moment), .m = c->J}
                   : (wrench){.f = sp_scale(c->mass, a.a), .m = sp_cross(c->moment, a.a)};
}

/* Power of a wrench about the body's pivot along an axis of it. */
INLINE double along(axis a, wrench w)
{
    return a.turns ? w.m : sp_inner(a.a, w.f);
}

/* Power of a wrench about a pivot along the axis of another body.   theory (3.4) */
INLINE double along_from(axis a, vec pivot, wrench w)
{
    return a.turns ? w.m + sp_cross(sp_sub(pivot, a.a), w.f) : sp_inner(a.a, w.f);
}

/* ---- articulated bodies ---------------------------------------------------------------------- */

/* w - k U */
INLINE wrench relieved(wrench w, double k, wrench U)
{
    return (wrench){.f = sp_axpy(w.f, -k, U.f), .m = w.m - k * U.m};
}

/* A rigid body is the first articulated body: H a = moment x a. */
INLINE articulated rigid(double mass, moments J, vec r)
{
    const inertia c = own_inertia(mass, J, r);
    return (articulated){.J = c.J, .H = {-c.moment.y, c.moment.x}, .M_xx = mass, .M_yy = mass};
}

/* Force on the articulated body for unit acceleration along an axis.   theory (3.31) */
INLINE wrench push_along(const articulated *A, axis a, bool turns)
{
    (void)turns;
    if (a.turns) {
        return (wrench){.f = A->H, .m = A->J};
    }
    return (wrench){.f = {A->M_xx * a.a.x + A->M_xy * a.a.y, A->M_xy * a.a.x + A->M_yy * a.a.y},
                    .m = sp_inner(A->H, a.a)};
}

/* Both of them divided by D. */
INLINE lever lever_of(wrench U, double tau, double D)
{
    return (lever){.U = {.f = sp_scale(1.0 / D, U.f), .m = U.m / D}, .r = tau / D};
}

/* The joint gives way along one axis: A - U U^T / D, V = U / D.   theory (3.32) */
INLINE void release(articulated *A, wrench U, wrench V)
{
    A->J -= U.m * V.m;
    A->H = sp_axpy(A->H, -U.m, V.f);
    A->M_xx -= U.f.x * V.f.x;
    A->M_yy -= U.f.y * V.f.y;
    A->M_xy -= U.f.x * V.f.y;
}

/* An articulated body joins that of the parent, whose pivot lies d behind.   theory (3.33) */
INLINE void join_articulated(const articulated *A, vec d, articulated *to)
{
    const vec K = {A->H.x + (d.x * A->M_xy - d.y * A->M_xx),
                   A->H.y + (d.x * A->M_yy - d.y * A->M_xy)}; /* H + d x M */
    to->J += A->J + sp_cross(d, A->H) + sp_cross(d, K);
    to->H = sp_add(to->H, K);
    to->M_xx += A->M_xx;
    to->M_yy += A->M_yy;
    to->M_xy += A->M_xy;
}

#endif
