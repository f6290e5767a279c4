/* dynamics/algebra_dual.h - the names of kinematics/algebra_real.h and of the algebras of the tree
 * in dual numbers, in space: machines of the plane are lifted. */
#ifndef SP_DYNAMICS_ALGEBRA_DUAL_H
#define SP_DYNAMICS_ALGEBRA_DUAL_H

#include "dynamics/tangent.h"
#include "kinematics/chain.h"

typedef sp_dual real;
typedef sp_dual3 vec, spin;
typedef sp_dual_rot rot;
typedef sp_tangent_spot spot;
typedef sp_tangent source, frames_of;
typedef sp_tangent_body frame;
typedef sp_tangent_wrench wrench;
typedef const sp_tangent_axis *axis;

#define r_of         sp_dual_of
#define r_value(a)   ((a).v)
#define r_add        sp_dual_add
#define r_sub        sp_dual_sub
#define r_mul        sp_dual_mul
#define r_over       sp_dual_over
#define r_scale      sp_dual_scale
#define r_is_zero(a) ((a).v == 0.0 && (a).d == 0.0)
#define square(a)    sp_dual_mul(a, a)

#define v_of        sp_dual3_of
#define add         sp_dual3_add
#define sub         sp_dual3_sub
#define scale       sp_dual3_scale
#define times       sp_dual3_times
#define axpy        sp_dual3_axpy
#define inner       sp_dual3_inner
#define cross       sp_dual3_cross
#define whirl       sp_dual3_cross
#define length(a)   sp_dual3_length(a)
#define no_vec      sp_dual3_of((sp_vec3){0.0, 0.0, 0.0})
#define no_spin     no_vec
#define part(a, k)  sp_dual3_part(a, k)
#define rotate      sp_dual_rotate
#define rotate_back sp_dual_rotate_back
#define log_rate    sp_dual_log_rate
#define spin_add    sp_dual3_add
#define spin_sub    sp_dual3_sub
#define spin_cross  sp_dual3_cross

INLINE vec vec_of(real x, real y, real z)
{
    return (vec){{x.v, y.v, z.v}, {x.d, y.d, z.d}};
}

INLINE vec axis_along(rot R, int k)
{
    return sp_dual_rotate(
        R, v_of(((sp_vec3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0})));
}

#define spot_of       sp_tangent_spot_of
#define spot_velocity sp_tangent_velocity
#define spot_spin     sp_tangent_spin
#define spot_axes     sp_tangent_axes
#define spot_arm      sp_tangent_arm

/* ---- the tree -------------------------------------------------------------------------------- */

/* Inertia about the centre of mass, in the axes of the body. */
typedef struct moments {
    rot R;
    sp_sym3 J;
} moments;

#define frames(to)               ((to)->body)
#define axis_of(m, to, k, chain) (&(to)->axis[k])
#define together(m, k)           ((m)->dof[k].move == SP_MOVE_BALL ? 3 : 1)
#define bend_of(to, k)           ((to)->axis[k].bend)
#define alpha_of(f)              ((f)->alpha0)
#define set_alpha(f, alpha)      ((f)->alpha0 = (alpha))
#define turned_on(omega, a, u)   sp_dual3_axpy(omega, u, (a)->w)
#define moved_on(v, a, u)        sp_dual3_axpy(v, u, (a)->s)
#define center_of(f, chain)      ((void)(chain), sp_dual3_add((f)->own, (f)->c))

INLINE joint joint_of(const sp_model *m, int i, bool chain)
{
    const sp_body *b = &m->body[i];
    (void)chain;
    return (joint){.parent = b->parent, .dof = b->dof, .n = b->n_dof, .track = b->track};
}

INLINE vec whirled(spin alpha, spin omega, vec r)
{
    return add(cross(alpha, r), cross(omega, cross(omega, r)));
}

INLINE vec carried(const frame *parent, vec arm, vec slip, bool slides)
{
    (void)slides;
    return add(add(parent->a0, whirled(parent->alpha0, parent->omega, arm)),
               scale(2.0, cross(parent->omega, slip)));
}

INLINE spin gyro(moments J, const frame *f)
{
    return add(sp_dual_turned_mul(J.R, J.J, f->alpha0),
               cross(f->omega, sp_dual_turned_mul(J.R, J.J, f->omega)));
}

/* Power of a wrench about the body's pivot along an axis of it. */
INLINE real along(axis a, wrench w)
{
    return r_add(inner(a->w, w.m), inner(a->s, w.f));
}

#endif
