/* kinematics/algebra_space.h - what the loops over the tree are written in, in space; the same
 * names as in algebra_plane.h.
 *
 * The degrees of freedom of a joint act one after the other: translations and the screw first,
 * along axes that stand on the parent; then turns or a ball, all about the pivot, where
 * translations have brought it.  So every axis of a joint is known by w and by s, the velocity of
 * the pivot. */
#ifndef SP_KINEMATICS_ALGEBRA_SPACE_H
#define SP_KINEMATICS_ALGEBRA_SPACE_H

#include "kinematics/algebra_real.h"
#include "kinematics/chain.h"
#include "kinematics/flex.h"
#include "kinematics/rotation.h"

#define TREE(name) sp_space_##name

typedef sp_vec3 spin;
typedef sp_frame3 frame;
typedef sp_kin frames_of;

#define whirl         sp_cross3
#define no_spin       no_vec
#define frames(kin)   ((kin)->frame3)
#define hung_frame(h) ((h)->space)

#define spin_add   sp_add3
#define spin_sub   sp_sub3
#define spin_inner sp_inner3
#define spin_cross sp_cross3

#define ground_frame()             ((frame){.R = sp_rot3_one()})
#define axis_of(m, kin, k, chain)  (&(kin)->axis3[k])
#define turned_on(omega, a, u)     sp_axpy3(omega, u, (a)->w)
#define moved_on(v, a, u)          sp_axpy3(v, u, (a)->s)
#define center_of(f, chain)        ((void)(chain), sp_add3((f)->own, (f)->c))
#define reach_of(parent, f, chain) sp_add3((parent)->own, (f)->arm)
#define alpha_of(f)                ((f)->alpha0)
#define set_alpha(f, alpha)        ((f)->alpha0 = (alpha))
#define together(m, k)             ((m)->dof[k].move == SP_MOVE_BALL ? 3 : 1) /* the axes of a ball */
#define bend_of(kin, k)            no_vec

typedef const sp_axis3 *axis;

INLINE joint joint_of(const sp_model *m, int i, bool chain)
{
    const sp_body *b = &m->body[i];
    (void)chain;
    return (joint){.parent = b->parent, .dof = b->dof, .n = b->n_dof, .slides = true};
}

/* ---- motion ---------------------------------------------------------------------------------- */

INLINE vec whirled(spin alpha, spin omega, vec r)
{
    return sp_add3(sp_cross3(alpha, r), sp_spin_twice3(omega, r));
}

INLINE vec carried(const frame *parent, vec arm, vec slip, bool slides)
{
    const vec w = parent->omega;
    (void)slides;
    return sp_add3(sp_add3(parent->a0, sp_cross3(parent->alpha0, arm)),
                   sp_cross3(w, sp_axpy3(sp_cross3(w, arm), 2.0, slip)));
}

/* ---- places ---------------------------------------------------------------------------------- */

/* One motion of a joint: its axis, and what it does to R and to the way to the pivot; returns how
 * many degrees of freedom it is.   theory (2.10), (2.11) */
INLINE int body_act(const sp_model *m, const sp_numbers *num, const double *q, int k, sp_rot3 *R,
                    vec *arm, sp_axis3 *a)
{
    const sp_dof *dof = &m->dof[k];
    const sp_dof_numbers *n = &num->dof[k];
    if (dof->move == SP_MOVE_BALL) {
        *R = sp_rot3_mul(*R, sp_rot3_of_quat(sp_quat_of(q + dof->q)));
        a[0] = (sp_axis3){.w = R->x};
        a[1] = (sp_axis3){.w = R->y};
        a[2] = (sp_axis3){.w = R->z};
        return 3;
    }
    const vec e = sp_vec3_of(n->axis), world = sp_rotate3(*R, e);
    const double x = q[dof->q];
    if (dof->move == SP_MOVE_SLIDE) {
        *arm = sp_axpy3(*arm, x, world);
        *a = (sp_axis3){.w = no_vec, .s = world};
        return 1;
    }
    *a = (sp_axis3){.w = world, .s = no_vec};
    if (dof->move == SP_MOVE_SCREW) {
        a->s = sp_scale3(n->pitch, world);
        *arm = sp_axpy3(*arm, x, a->s);
    }
    const sp_rot d = sp_rotation_of(x);
    *R = sp_rot3_mul(*R, sp_rot3_about(e, d.c, d.s));
    return 1;
}

/* Place of body i.   theory (2.10)-(2.12) */
INLINE void body_place(const sp_model *m, const sp_numbers *num, const double *q, int i, bool near,
                       bool chain, const frame *parent, sp_kin *kin)
{
    const sp_body *b = &m->body[i];
    const sp_space_numbers *n = &num->space[i];
    const sp_mark *mark = &num->body[i].mark;
    frame *f = &kin->frame3[i];
    sp_rot3 R = sp_rot3_mul(parent->R, sp_rot3_of(mark->axes));
    vec arm = sp_rotate3(parent->R, sp_vec3_of(mark->at));
    (void)near;
    (void)chain;
    for (int k = b->dof; k < b->dof + b->n_dof;) {
        k += body_act(m, num, q, k, &R, &arm, &kin->axis3[k]);
    }
    const vec pivot = sp_add3(parent->x, arm);
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        kin->axis3[k].p = pivot;
    }
    f->R = R;
    f->arm = arm;
    f->own = sp_rotate3(R, (vec){-n->from[0], -n->from[1], -n->from[2]});
    f->x = sp_add3(pivot, f->own);
    f->c = sp_rotate3(R, sp_vec3_of(n->center));
}

#endif
