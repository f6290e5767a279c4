/* kinematics/body3.h - place and motion of one body in space whose parent is done; what body.h is
 * for the plane.
 *
 * The degrees of freedom of a joint act one after the other: translations and the screw first,
 * along axes that stand on the parent; then turns or a ball, all about the pivot, where
 * translations have brought it.  So every axis of a joint is known by w and by s, the velocity of
 * the pivot. */
#ifndef SP_KINEMATICS_BODY3_H
#define SP_KINEMATICS_BODY3_H

#include "kinematics/body.h"

/* The quaternion of a ball, from the first of its degrees of freedom. */
static inline sp_quat sp_body3_quat(const sp_dof *dof, const double *q)
{
    return sp_quat_of(q + dof->q);
}

/* R turned on about an axis that it carries. */
SP_BODY_INLINE sp_rot3 sp_body3_turned(sp_rot3 R, sp_vec3 e, double phi)
{
    const sp_rot d = sp_rotation_of(phi);
    return sp_rot3_mul(R, sp_rot3_about(e, d.c, d.s));
}

/* One motion of a joint: its axis, and what it does to R and to the way to the pivot; returns how
 * many degrees of freedom it is.   theory (2.10), (2.11) */
SP_BODY_INLINE int sp_body3_act(const sp_model *m, const sp_numbers *num, const double *q, int k,
                                sp_rot3 *R, sp_vec3 *arm, sp_axis3 *axis)
{
    const sp_dof *dof = &m->dof[k];
    const sp_dof_numbers *n = &num->dof[k];
    const sp_vec3 zero = {0.0, 0.0, 0.0};
    if (dof->move == SP_MOVE_BALL) {
        *R = sp_rot3_mul(*R, sp_rot3_of_quat(sp_body3_quat(dof, q)));
        axis[0] = (sp_axis3){.w = R->x};
        axis[1] = (sp_axis3){.w = R->y};
        axis[2] = (sp_axis3){.w = R->z};
        return 3;
    }
    const sp_vec3 e = sp_vec3_of(n->axis), world = sp_rotate3(*R, e);
    const double x = q[dof->q];
    if (dof->move == SP_MOVE_SLIDE) {
        *arm = sp_axpy3(*arm, x, world);
        *axis = (sp_axis3){.w = zero, .s = world};
        return 1;
    }
    *axis = (sp_axis3){.w = world, .s = zero};
    if (dof->move == SP_MOVE_SCREW) {
        axis->s = sp_scale3(n->pitch, world);
        *arm = sp_axpy3(*arm, x, axis->s);
    }
    *R = sp_body3_turned(*R, e, x);
    return 1;
}

/* Place of body i.   theory (2.10)-(2.12) */
SP_BODY_INLINE void sp_body3_place(const sp_model *m, const sp_numbers *num, const double *q, int i,
                                   const sp_frame3 *parent, sp_kin *kin)
{
    const sp_body *b = &m->body[i];
    const sp_space_numbers *n = &num->space[i];
    const sp_mark *mark = &num->body[i].mark;
    sp_frame3 *f = &kin->frame3[i];
    sp_rot3 R = sp_rot3_mul(parent->R, sp_rot3_of(mark->axes));
    sp_vec3 arm = sp_rotate3(parent->R, sp_vec3_of(mark->at));
    for (int k = b->dof; k < b->dof + b->n_dof;) {
        k += sp_body3_act(m, num, q, k, &R, &arm, &kin->axis3[k]);
    }
    const sp_vec3 pivot = sp_add3(parent->x, arm);
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        kin->axis3[k].p = pivot;
    }
    f->R = R;
    f->arm = arm;
    f->own = sp_rotate3(R, (sp_vec3){-n->from[0], -n->from[1], -n->from[2]});
    f->x = sp_add3(pivot, f->own);
    f->c = sp_rotate3(R, sp_vec3_of(n->center));
}

/* From the parent's pivot to that of body i. */
static inline sp_vec3 sp_body3_reach(const sp_frame3 *parent, const sp_frame3 *f)
{
    return sp_add3(parent->own, f->arm);
}

/* From the pivot of body i to its centre of mass. */
static inline sp_vec3 sp_body3_center(const sp_frame3 *f)
{
    return sp_add3(f->own, f->c);
}

/* Velocity of body i.   theory (2.14) */
SP_BODY_INLINE void sp_body3_move(const sp_model *m, const double *u, int i,
                                  const sp_frame3 *parent, sp_kin *kin)
{
    const sp_body *b = &m->body[i];
    sp_frame3 *f = &kin->frame3[i];
    sp_vec3 omega = parent->omega, v = sp_add3(parent->v, sp_cross3(parent->omega, f->arm));
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        omega = sp_axpy3(omega, u[k], kin->axis3[k].w);
        v = sp_axpy3(v, u[k], kin->axis3[k].s);
    }
    f->omega = omega;
    f->v = sp_add3(v, sp_cross3(omega, f->own));
}

/* Angular velocity and bias of body i: each axis is carried by the spin of what stands before it, a
 * ball's axes all by that of the parent's side.   theory (2.15), (2.16) */
SP_BODY_INLINE void sp_body3_bend(const sp_model *m, const double *u, int i,
                                  const sp_frame3 *parent, sp_kin *kin)
{
    const sp_body *b = &m->body[i];
    sp_frame3 *f = &kin->frame3[i];
    sp_vec3 omega = parent->omega, alpha = parent->alpha0, slip = {0.0, 0.0, 0.0};
    for (int k = b->dof; k < b->dof + b->n_dof;) {
        const int n = m->dof[k].move == SP_MOVE_BALL ? 3 : 1;
        const sp_vec3 before = omega;
        sp_vec3 spin = {0.0, 0.0, 0.0};
        for (const int end = k + n; k < end; k++) {
            spin = sp_axpy3(spin, u[k], kin->axis3[k].w);
            omega = sp_axpy3(omega, u[k], kin->axis3[k].w); /* the same bits as sp_body3_move */
            slip = sp_axpy3(slip, u[k], kin->axis3[k].s);
        }
        alpha = sp_add3(alpha, sp_cross3(before, spin));
    }
    /* at the pivot, then at the origin */
    sp_vec3 a = sp_add3(parent->a0, sp_cross3(parent->alpha0, f->arm));
    a = sp_add3(a, sp_cross3(parent->omega, sp_axpy3(sp_cross3(parent->omega, f->arm), 2.0, slip)));
    f->omega = omega;
    f->alpha0 = alpha;
    f->a0 = sp_add3(a, sp_add3(sp_cross3(alpha, f->own), sp_spin_twice3(omega, f->own)));
}

/* Acceleration for u' = 0 of the point of a body that lies r away from its origin. */
static inline sp_vec3 sp_body3_bias(const sp_frame3 *f, sp_vec3 r)
{
    return sp_add3(f->a0, sp_add3(sp_cross3(f->alpha0, r), sp_spin_twice3(f->omega, r)));
}

#endif
