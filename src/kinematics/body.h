/* kinematics/body.h - place and motion of one body whose parent is done.  Loops over the tree are
 * made of these; inline, so that a loop may do several at once.
 *
 * Many machines are one chain of hinges (sp_layout): body i turns about its origin on body i - 1,
 * by coordinate i - 1.  Each function is given the frame that the body hangs on: that of its
 * parent, on a parent that deforms the one at its mark (kinematics/flex.h).  Loops are compiled
 * twice, with chain = false for all trees and with chain = true, where the compiler strikes out all
 * questions about joints. */
#ifndef SP_KINEMATICS_BODY_H
#define SP_KINEMATICS_BODY_H

#include "kinematics/kin.h"
#include "kinematics/rotation.h"
#include "model/track.h"

/* Compilers find these too long to inline; loops are a third faster with them inside. */
#if defined(__GNUC__)
#define SP_BODY_INLINE static inline __attribute__((always_inline))
#else
#define SP_BODY_INLINE static inline
#endif

/* The joint of body i. */
SP_BODY_INLINE sp_body_layout sp_body_joint(const sp_model *m, int i, bool chain)
{
    return chain ? (sp_body_layout){.parent = i - 1, .dof = i - 1, .n_slide = 0, .turn = i - 1}
                 : m->layout.body[i];
}

/* Degree of freedom k. */
SP_BODY_INLINE sp_dof_layout sp_body_dof(const sp_model *m, int k, bool chain)
{
    return chain ? (sp_dof_layout){.parent = k - 1, .depth = k, .row = k * (k + 1) / 2}
                 : m->layout.dof[k];
}

/* Angle and rotation of body i: those of its parent, turned by the fixed angle of the joint and by
 * its coordinate.  near: the frame has those of a configuration nearby.   theory (2.1) */
SP_BODY_INLINE void sp_body_turn(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                 bool near, bool chain, const sp_frame *parent, sp_kin *kin)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    sp_frame *f = &kin->frame[i];
    const double turn = num->body[i].turn;
    if (b.turn == SP_NONE && turn == 0.0) {
        f->R = parent->R;
        f->phi = parent->phi;
        return;
    }
    const double phi = parent->phi + (b.turn != SP_NONE ? turn + q[b.turn] : turn);
    const double d = phi - f->phi;
    f->R = near && fabs(d) < SP_ROTATION_NEAR ? sp_rotation_turned(f->R, d) : sp_rotation_of(phi);
    f->phi = phi;
}

/* The translation of body i along its track: the arm grows by R_parent r(s), and the world
 * direction of the translation and how it turns follow.   theory (2.40) */
static inline sp_vec sp_body_follow(const sp_track *track, double s, sp_rot R, int k, sp_kin *kin)
{
    const sp_track_at at = sp_track_eval(track, s, kin->work);
    kin->axis[k] = sp_rotate(R, at.t);
    kin->bend[k] = sp_rotate(R, at.bend);
    return sp_rotate(R, at.r);
}

/* Place of body i, turned already: arm = R_parent (at + sum axis_k s_k), own = -R from.
 * theory (2.2) */
SP_BODY_INLINE void sp_body_place(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                  bool chain, const sp_frame *parent, sp_kin *kin)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    const sp_body_numbers *n = &num->body[i];
    sp_frame *f = &kin->frame[i];
    sp_vec arm = sp_rotate(parent->R, sp_vec_of(n->mark.at)), own = {0.0, 0.0};
    if (!chain && b.track) {
        arm = sp_add(arm, sp_body_follow(b.track, q[b.dof], parent->R, b.dof, kin));
    }
    for (int k = 0; k < (b.track ? 0 : b.n_slide); k++) {
        const sp_vec axis = sp_rotate(parent->R, sp_vec_of(n->axis[k]));
        kin->axis[b.dof + k] = axis;
        arm = sp_axpy(arm, q[b.dof + k], axis);
    }
    if (!chain) {
        own = sp_rotate(f->R, (sp_vec){-n->from[0], -n->from[1]});
    }
    if (b.turn == SP_NONE) { /* the pivot is the origin */
        arm = sp_add(arm, own);
        own = (sp_vec){0.0, 0.0};
    }
    const sp_vec pivot = sp_add(parent->x, arm);
    f->arm = arm;
    f->own = own;
    f->x = chain ? pivot : sp_add(pivot, own);
    f->c = sp_rotate(f->R, sp_vec_of(n->center));
    if (b.turn != SP_NONE) {
        kin->axis[b.turn] = pivot;
    }
}

/* From the pivot of body i to its centre of mass. */
SP_BODY_INLINE sp_vec sp_body_center(const sp_frame *f, bool chain)
{
    return chain ? f->c : sp_add(f->own, f->c);
}

/* From the parent's pivot to that of body i. */
SP_BODY_INLINE sp_vec sp_body_reach(const sp_frame *parent, const sp_frame *f, bool chain)
{
    return chain ? f->arm : sp_add(parent->own, f->arm);
}

/* Velocity of body i: v = v_parent at the pivot + sum axis_k u_k + omega x own.
 * theory (2.3), (2.4) */
SP_BODY_INLINE void sp_body_move(const sp_model *m, const double *u, int i, bool chain,
                                 const sp_frame *parent, sp_kin *kin)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    sp_frame *f = &kin->frame[i];
    const double omega = parent->omega + (b.turn != SP_NONE ? u[b.turn] : 0.0);
    sp_vec v = sp_kin_velocity_off(parent, f->arm);
    for (int k = b.dof; k < b.dof + b.n_slide; k++) {
        v = sp_axpy(v, u[k], kin->axis[k]);
    }
    f->omega = omega;
    f->v = chain ? v : sp_add(v, sp_spin_cross(omega, f->own));
}

/* Bias of body i along the same way: centripetal terms and Coriolis' on slides.   theory (2.5) */
SP_BODY_INLINE void sp_body_bend(const sp_model *m, const double *u, int i, bool chain,
                                 const sp_frame *parent, sp_kin *kin)
{
    const sp_body_layout b = sp_body_joint(m, i, chain);
    sp_frame *f = &kin->frame[i];
    const double omega = parent->omega + (b.turn != SP_NONE ? u[b.turn] : 0.0);
    sp_vec a0 = sp_kin_bias_off(parent, f->arm);
    for (int k = b.dof; k < b.dof + b.n_slide; k++) {
        const sp_vec rate = sp_scale(u[k], kin->axis[k]);
        a0 = sp_add(a0, sp_spin_cross(2.0 * parent->omega, rate));
    }
    if (!chain && b.track) {
        a0 = sp_axpy(a0, u[b.dof] * u[b.dof], kin->bend[b.dof]);
    }
    f->omega = omega;
    f->a0 = chain ? a0 : sp_sub(a0, sp_scale(omega * omega, f->own));
}

#endif
