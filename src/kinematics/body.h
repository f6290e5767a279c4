/* kinematics/body.h - place and motion of one body whose parent is done.  Loops over the tree are
 * made of these; inline, so that a loop may do several at once. */
#ifndef SP_KINEMATICS_BODY_H
#define SP_KINEMATICS_BODY_H

#include "kinematics/kin.h"

/* Compilers find these too long to inline; a loop is a third faster with them inside. */
#if defined(__GNUC__)
#define SP_BODY_INLINE static inline __attribute__((always_inline))
#else
#define SP_BODY_INLINE static inline
#endif

/* R turned on by a small angle d, by the addition theorem: up to SP_BODY_NEAR [rad] the first term
 * left out of the sine is d^7 / 5040 < 2e-18, that of the cosine d^8 / 40320 < 3e-21. */
#define SP_BODY_NEAR 0.01
SP_BODY_INLINE sp_rot sp_body_turned(sp_rot R, double d)
{
    const double x = d * d;
    const double sin_d = d - d * x * (1.0 / 6.0 - x * (1.0 / 120.0));
    const double ver_d = x * (0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0))); /* 1 - cos d */
    return (sp_rot){R.c - (R.s * sin_d + R.c * ver_d), R.s + (R.c * sin_d - R.s * ver_d)};
}

/* Angle and rotation of body i: those of its parent, turned by the fixed angle of the joint and by
 * its coordinate.  near: the frame has those of a configuration nearby.   theory (2.1) */
SP_BODY_INLINE void sp_body_turn(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                 bool near, sp_kin *kin)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_frame *parent = &kin->frame[b->parent];
    sp_frame *f = &kin->frame[i];
    double phi = parent->phi + num->body[i].turn;
    if (b->turn != SP_NONE) {
        phi += q[b->turn];
    } else if (phi == parent->phi) {
        f->R = parent->R;
        f->phi = phi;
        return;
    }
    const double d = phi - f->phi;
    f->R = near && fabs(d) < SP_BODY_NEAR ? sp_body_turned(f->R, d) : sp_rot_of(phi);
    f->phi = phi;
}

/* From the parent's origin to the pivot and from there to the origin of body i, turned already, for
 * any joint: arm = R_parent (at + sum axis_k s_k), own = -R from.   theory (2.2) */
SP_BODY_INLINE void sp_body_reach(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                  sp_kin *kin)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_body_numbers *n = &num->body[i];
    const sp_frame *parent = &kin->frame[b->parent];
    sp_frame *f = &kin->frame[i];
    const sp_vec own = sp_rotate(f->R, (sp_vec){-n->from[0], -n->from[1]});
    sp_vec arm = sp_rotate(parent->R, sp_vec_of(n->at));
    for (int k = 0; k < b->n_slide; k++) {
        const sp_vec axis = sp_rotate(parent->R, sp_vec_of(n->axis[k]));
        kin->axis[b->dof + k] = axis;
        arm = sp_axpy(arm, q[b->dof + k], axis);
    }
    const bool turns = b->turn != SP_NONE; /* else the pivot is the origin */
    f->arm = turns ? arm : sp_add(arm, own);
    f->own = turns ? own : (sp_vec){0.0, 0.0};
}

/* Place of body i, turned already; a hinge has no translations and lies in the body's origin. */
SP_BODY_INLINE void sp_body_place(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                  sp_kin *kin)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_body_numbers *n = &num->body[i];
    const sp_frame *parent = &kin->frame[b->parent];
    sp_frame *f = &kin->frame[i];
    f->c = sp_rotate(f->R, sp_vec_of(n->center));
    if (b->hinge) {
        const sp_vec arm = sp_rotate(parent->R, sp_vec_of(n->at)), x = sp_add(parent->x, arm);
        f->arm = arm;
        f->x = x;
        kin->axis[b->turn] = x;
        return;
    }
    sp_body_reach(m, num, q, i, kin);
    const sp_vec pivot = sp_add(parent->x, f->arm);
    f->x = sp_add(pivot, f->own);
    if (b->turn != SP_NONE) {
        kin->axis[b->turn] = pivot;
    }
}

/* Velocity of body i: v = v_parent at the pivot + sum axis_k u_k + omega x own.
 * theory (2.3), (2.4) */
SP_BODY_INLINE void sp_body_move(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_frame *parent = &kin->frame[b->parent];
    sp_frame *f = &kin->frame[i];
    sp_vec v = sp_kin_velocity_off(parent, f->arm);
    if (b->hinge) {
        f->omega = parent->omega + u[b->turn];
        f->v = v;
        return;
    }
    for (int k = b->dof; k < b->dof + b->n_slide; k++) {
        v = sp_axpy(v, u[k], kin->axis[k]);
    }
    f->omega = parent->omega + (b->turn != SP_NONE ? u[b->turn] : 0.0);
    f->v = sp_add(v, sp_spin_cross(f->omega, f->own));
}

/* Bias of body i along the same way: centripetal terms and Coriolis' on slides.   theory (2.5) */
SP_BODY_INLINE void sp_body_bend(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    const sp_body_layout *b = &m->layout.body[i];
    const sp_frame *parent = &kin->frame[b->parent];
    sp_frame *f = &kin->frame[i];
    sp_vec a0 = sp_kin_bias_off(parent, f->arm);
    if (b->hinge) {
        f->omega = parent->omega + u[b->turn];
        f->a0 = a0;
        return;
    }
    for (int k = b->dof; k < b->dof + b->n_slide; k++) {
        const sp_vec rate = sp_scale(u[k], kin->axis[k]);
        a0 = sp_add(a0, sp_spin_cross(2.0 * parent->omega, rate));
    }
    f->omega = parent->omega + (b->turn != SP_NONE ? u[b->turn] : 0.0);
    f->a0 = sp_sub(a0, sp_scale(f->omega * f->omega, f->own));
}

#endif
