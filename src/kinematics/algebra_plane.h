/* kinematics/algebra_plane.h - what the loops over the tree are written in (motion.inc, frames.inc,
 * dynamics/tree.inc), in the plane; algebra_space.h has the same names for space.  A file includes
 * one of the two.
 *
 * Many machines are one chain of hinges (sp_layout): body i turns about its origin on body i - 1,
 * by coordinate i - 1.  Loops are compiled for these, too: with chain = true the compiler strikes
 * out all questions about joints. */
#ifndef SP_KINEMATICS_ALGEBRA_PLANE_H
#define SP_KINEMATICS_ALGEBRA_PLANE_H

#include "kinematics/chain.h"
#include "kinematics/flex.h"
#include "kinematics/rotation.h"
#include "model/track.h"

#define TREE(name) sp_plane_##name

typedef double real;
typedef sp_vec vec;
typedef sp_spin spin;
typedef sp_frame frame;
typedef sp_kin frames_of;

#define add           sp_add
#define sub           sp_sub
#define scale         sp_scale
#define axpy          sp_axpy
#define inner         sp_inner
#define cross         sp_cross      /* r x f     */
#define whirl         sp_spin_cross /* omega x r */
#define no_vec        ((vec){0.0, 0.0})
#define no_spin       0.0
#define square(a)     ((a) * (a))
#define frames(kin)   ((kin)->frame)
#define hung_frame(h) ((h)->plane)

#define spin_add(a, b)   ((a) + (b))
#define spin_sub(a, b)   ((a) - (b))
#define spin_inner(a, b) ((a) * (b))
#define spin_cross(a, b) ((void)(a), (void)(b), 0.0)

#define ground_frame()            ((frame){.R = {1.0, 0.0}})
#define axis_of(m, kin, k, chain) ((axis){(chain) || (m)->layout.dof_turns[k], (kin)->axis[k]})

/* What u along an axis adds to a spin, and to the velocity of the pivot; acceleration that alpha
 * and omega give to what lies r away; from the pivot of a body to its centre of mass; from the
 * parent's pivot to that of a body. */
#define turned_on(omega, a, u)     ((a).turns ? (omega) + (u) : (omega))
#define moved_on(v, a, u)          ((a).turns ? (v) : sp_axpy(v, u, (a).a))
#define whirled(alpha, omega, r)   ((void)(alpha), sp_scale(-((omega) * (omega)), r))
#define center_of(f, chain)        ((chain) ? (f)->c : sp_add((f)->own, (f)->c))
#define reach_of(parent, f, chain) ((chain) ? (f)->arm : sp_add((parent)->own, (f)->arm))

#define alpha_of(f)         0.0 /* angular acceleration for u' = 0: there is none in the plane        */
#define set_alpha(f, alpha) (void)(alpha)
#define together(m, k)      1 /* how many degrees of freedom from k on turn against the same side   */
#define bend_of(kin, k)     ((kin)->bend[k]) /* how a translation along a track turns with it      */

/* A degree of freedom: the direction of a translation or the pivot of a rotation. */
typedef struct axis {
    bool turns;
    vec a;
} axis;

INLINE sp_body_layout joint_layout(const sp_model *m, int i, bool chain)
{
    return chain ? (sp_body_layout){.parent = i - 1, .dof = i - 1, .n_slide = 0, .turn = i - 1}
                 : m->layout.body[i];
}

INLINE joint joint_of(const sp_model *m, int i, bool chain)
{
    const sp_body_layout b = joint_layout(m, i, chain);
    return (joint){.parent = b.parent,
                   .dof = b.dof,
                   .n = b.n_slide + (b.turn != SP_NONE),
                   .slides = b.n_slide > 0,
                   .track = b.track};
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* Acceleration for u' = 0 of the place on the parent that lies `arm` away and slips over it. */
INLINE vec carried(const frame *parent, vec arm, vec slip, bool slides)
{
    const vec a = sp_kin_bias_off(parent, arm);
    return slides ? sp_add(a, sp_spin_cross(2.0 * parent->omega, slip)) : a;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Angle and rotation of body i: those of its parent, turned by the fixed angle of the joint and by
 * its coordinate.  near: the frame has those of a configuration nearby.   theory (2.1) */
INLINE void body_turn(const sp_model *m, const sp_numbers *num, const double *q, int i, bool near,
                      bool chain, const frame *parent, sp_kin *kin)
{
    const sp_body_layout b = joint_layout(m, i, chain);
    frame *f = &kin->frame[i];
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
static inline vec body_follow(const sp_track *track, double s, sp_rot R, int k, sp_kin *kin)
{
    const sp_track_at at = sp_track_eval(track, s, kin->work);
    kin->axis[k] = sp_rotate(R, at.t);
    kin->bend[k] = sp_rotate(R, at.bend);
    return sp_rotate(R, at.r);
}

/* Place of body i: arm = R_parent (at + sum axis_k s_k), own = -R from.   theory (2.1), (2.2) */
INLINE void body_place(const sp_model *m, const sp_numbers *num, const double *q, int i, bool near,
                       bool chain, const frame *parent, sp_kin *kin)
{
    const sp_body_layout b = joint_layout(m, i, chain);
    const sp_body_numbers *n = &num->body[i];
    frame *f = &kin->frame[i];
    body_turn(m, num, q, i, near, chain, parent, kin);
    vec arm = sp_rotate(parent->R, sp_vec_of(n->mark.at)), own = {0.0, 0.0};
    if (!chain && b.track) {
        arm = sp_add(arm, body_follow(b.track, q[b.dof], parent->R, b.dof, kin));
    }
    for (int k = 0; k < (b.track ? 0 : b.n_slide); k++) {
        const vec e = sp_rotate(parent->R, sp_vec_of(n->axis[k]));
        kin->axis[b.dof + k] = e;
        arm = sp_axpy(arm, q[b.dof + k], e);
    }
    if (!chain) {
        own = sp_rotate(f->R, (vec){-n->from[0], -n->from[1]});
    }
    if (b.turn == SP_NONE) { /* the pivot is the origin */
        arm = sp_add(arm, own);
        own = (vec){0.0, 0.0};
    }
    const vec pivot = sp_add(parent->x, arm);
    f->arm = arm;
    f->own = own;
    f->x = chain ? pivot : sp_add(pivot, own);
    f->c = sp_rotate(f->R, sp_vec_of(n->center));
    if (b.turn != SP_NONE) {
        kin->axis[b.turn] = pivot;
    }
}

#endif
