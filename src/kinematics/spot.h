/* kinematics/spot.h - marks in a configuration: where a point of a body is, how it moves, and which
 * velocities move it.  Forces, loops, contacts, signals and outputs are written in these, in three
 * dimensions for models in the plane and in space alike; in the plane z is zero and bodies turn
 * about z.  Nobody outside of kinematics and dynamics reads the frames of bodies (sp_kin).
 *
 * Places, velocities and bias are those of the last sp_kin_positions, _velocities and _bias. */
#ifndef SP_KINEMATICS_SPOT_H
#define SP_KINEMATICS_SPOT_H

#include "kinematics/kin.h"

/* A point of a body.   theory (2.20) */
typedef struct sp_spot {
    int body;
    sp_vec3 x; /* where it is in the world, m                                  */
    sp_vec3 r; /* from the origin of the body's frame to it, world axes, m     */
    /* on bodies that deform (kinematics/flex.h) */
    bool bends;          /* it is on the material, not on the body's frame              */
    sp_vec3 d;           /* the end of r that is a rigid arm beyond the material, m     */
    sp_vec3 at;          /* where the material is in the body at rest, body's frame, m  */
    const double *shape; /* as in sp_mark                                      */
    int guest;           /* the body whose joint moves it along the axis, SP_GROUND: none    */
} sp_spot;

/* Spots of material that deforms; way and angle of a mark against the body at rest (part 0, 1, 2)
 * or section forces there, as in sp_body_kind.section; motions join those of the frame at the same
 * place, which are given; v and w: n_own columns of its body, rising. */
sp_spot sp_flex_spot(const sp_kin *kin, int body, sp_vec3 local, const double *shape);
sp_spot sp_flex_on(const sp_kin *kin, const sp_spot *on_frame);
sp_spot sp_flex_arm(const sp_kin *kin, const sp_spot *s, sp_vec3 x);
sp_spot sp_flex_fixed(const sp_kin *kin, const sp_mark *mark, sp_vec3 x);
sp_pose3 sp_flex_pose(const sp_kin *kin, const sp_mark *mark);
double sp_flex_angle(const sp_kin *kin, int body, sp_rot3 R);
sp_rot3 sp_flex_axes(const sp_kin *kin, const sp_spot *s);
sp_axis3 sp_flex_follow(const sp_kin *kin, int body);
sp_vec3 sp_flex_velocity(const sp_kin *kin, const sp_spot *s, sp_vec3 v);
sp_vec3 sp_flex_spin(const sp_kin *kin, const sp_spot *s, sp_vec3 omega);
sp_vec3 sp_flex_bias(const sp_kin *kin, const sp_spot *s, sp_vec3 omega, sp_vec3 a,
                     const double *du);
sp_vec3 sp_flex_spin_bias(const sp_kin *kin, const sp_spot *s, sp_vec3 omega, sp_vec3 alpha);
void sp_flex_shape(const sp_kin *kin, const sp_spot *s, sp_vec3 *v, sp_vec3 *w);
void sp_flex_axis(const sp_kin *kin, int body, struct sp_bent *out);
double sp_flex_part(const sp_kin *kin, const sp_mark *mark, bool section, int part);
int sp_flex_columns(const sp_model *m, const sp_kin *kin, const sp_spot *s, int *sup, sp_vec3 *v,
                    sp_vec3 *w);

/* A vector of the plane, a spin about z, and the axes of a body of the plane in space; and back. */
static inline sp_vec3 sp_spot_lift(sp_vec a)
{
    return (sp_vec3){a.x, a.y, 0.0};
}

static inline sp_vec3 sp_spot_lift_spin(double omega)
{
    return (sp_vec3){0.0, 0.0, omega};
}

static inline sp_rot3 sp_spot_lift_axes(sp_rot R)
{
    return (sp_rot3){{R.c, R.s, 0.0}, {-R.s, R.c, 0.0}, {0.0, 0.0, 1.0}};
}

static inline sp_vec sp_spot_flat(sp_vec3 a)
{
    return (sp_vec){a.x, a.y};
}

/* ---- where ----------------------------------------------------------------------------------- */

static inline sp_vec3 sp_spot_frame_place(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].x : sp_spot_lift(kin->frame[body].x);
}

/* The origin of a body's frame. */
static inline sp_spot sp_spot_origin(const sp_kin *kin, int body)
{
    return (sp_spot){.body = body, .x = sp_spot_frame_place(kin, body)};
}

/* Axes that the material around a spot carries: those of its body. */
static inline sp_rot3 sp_spot_axes(const sp_kin *kin, const sp_spot *s)
{
    if (s->bends) {
        return sp_flex_axes(kin, s);
    }
    return kin->frame3 ? kin->frame3[s->body].R : sp_spot_lift_axes(kin->frame[s->body].R);
}

/* The material point of a body that is at world place x; of one that deforms, by the place in its
 * frame. */
static inline sp_spot sp_spot_on(const sp_kin *kin, int body, sp_vec3 x)
{
    sp_spot s; /* what only bodies that deform need is left out elsewhere: spots are many */
    s.body = body;
    s.x = x;
    s.r = sp_sub3(x, sp_spot_frame_place(kin, body));
    s.bends = false;
    if (kin->deforms && kin->deforms[body]) {
        s = sp_flex_on(kin, &s);
    }
    return s;
}

/* The point of a body whose place in the body's frame is given, in the body at rest. */
static inline sp_spot sp_spot_at_shape(const sp_kin *kin, int body, sp_vec3 local,
                                       const double *shape)
{
    if (kin->deforms && kin->deforms[body]) {
        return sp_flex_spot(kin, body, local, shape);
    }
    if (kin->frame3) {
        const sp_frame3 *f = &kin->frame3[body];
        return sp_spot_on(kin, body, sp_add3(f->x, sp_rotate3(f->R, local)));
    }
    return sp_spot_on(kin, body,
                      sp_spot_lift(sp_kin_place(&kin->frame[body], sp_spot_flat(local))));
}

static inline sp_spot sp_spot_at(const sp_kin *kin, int body, sp_vec3 local)
{
    return sp_spot_at_shape(kin, body, local, NULL);
}

/* A mark. */
static inline sp_spot sp_spot_of(const sp_kin *kin, const sp_mark *mark)
{
    return sp_spot_at_shape(kin, mark->body, sp_vec3_of(mark->at), mark->shape);
}

/* The place x as if it were joined to a spot by a rigid arm. */
static inline sp_spot sp_spot_arm(const sp_kin *kin, const sp_spot *s, sp_vec3 x)
{
    return s->bends ? sp_flex_arm(kin, s, x) : sp_spot_on(kin, s->body, x);
}

/* ---- what is fixed to a mark: contours ------------------------------------------------------- */

/* Its point at world place x.  On rigid bodies that is the material point there. */
static inline sp_spot sp_mark_spot(const sp_kin *kin, const sp_mark *mark, sp_vec3 x)
{
    return kin->deforms && kin->deforms[mark->body] ? sp_flex_fixed(kin, mark, x)
                                                    : sp_spot_on(kin, mark->body, x);
}

/* Where the frame of its body would be if all of the body went with the mark, which that of a rigid
 * body does.   theory (2.29) */
static inline sp_pose3 sp_mark_pose(const sp_kin *kin, const sp_mark *mark)
{
    if (kin->deforms && kin->deforms[mark->body]) {
        return sp_flex_pose(kin, mark);
    }
    const sp_spot s = sp_spot_origin(kin, mark->body);
    return (sp_pose3){s.x, sp_spot_axes(kin, &s)};
}

/* The same in the plane. */
typedef struct sp_pose2 {
    sp_vec x;
    sp_rot R;
} sp_pose2;

static inline sp_pose2 sp_mark_pose2(const sp_kin *kin, const sp_mark *mark)
{
    if (kin->deforms && kin->deforms[mark->body]) {
        const sp_pose3 p = sp_flex_pose(kin, mark);
        return (sp_pose2){sp_spot_flat(p.x), {p.R.x.x, p.R.x.y}};
    }
    return (sp_pose2){kin->frame[mark->body].x, kin->frame[mark->body].R};
}

/* World place of a point given in such a frame. */
static inline sp_vec sp_pose2_place(const sp_pose2 *p, sp_vec local)
{
    return sp_add(p->x, sp_rotate(p->R, local));
}

/* Axes of a mark in the world; s: its spot. */
static inline sp_rot3 sp_spot_mark_axes(const sp_kin *kin, const sp_spot *s, const sp_mark *mark)
{
    const sp_rot3 R = sp_spot_axes(kin, s);
    return mark->turned ? sp_rot3_mul(R, sp_rot3_of(mark->axes)) : R;
}

/* ---- how it moves ---------------------------------------------------------------------------- */

/* Spin of the frame of a body. */
static inline sp_vec3 sp_spot_frame_spin(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].omega : sp_spot_lift_spin(kin->frame[body].omega);
}

/* Velocity.   theory (2.21) */
static inline sp_vec3 sp_spot_velocity(const sp_kin *kin, const sp_spot *s)
{
    const sp_vec3 v =
        kin->frame3 ? sp_add3(kin->frame3[s->body].v, sp_cross3(kin->frame3[s->body].omega, s->r))
                    : sp_spot_lift(sp_kin_velocity_off(&kin->frame[s->body], sp_spot_flat(s->r)));
    return s->bends ? sp_flex_velocity(kin, s, v) : v;
}

/* Angular acceleration of the frame of a body for u' = 0: in the plane only of what hangs on axes
 * that it follows. */
static inline sp_vec3 sp_spot_frame_alpha(const sp_kin *kin, int body)
{
    return kin->frame3  ? kin->frame3[body].alpha0
           : kin->alpha ? sp_spot_lift_spin(kin->alpha[body])
                        : (sp_vec3){0.0, 0.0, 0.0};
}

/* Acceleration for u' = 0.   theory (2.17) */
static inline sp_vec3 sp_spot_bias(const sp_kin *kin, const sp_spot *s)
{
    sp_vec3 a = kin->frame3
                    ? sp_kin_bias_off3(&kin->frame3[s->body], s->r)
                    : sp_spot_lift(sp_kin_bias_off(&kin->frame[s->body], sp_spot_flat(s->r)));
    if (kin->alpha) {
        a = sp_add3(a, sp_cross3(sp_spot_frame_alpha(kin, s->body), s->r));
    }
    return s->bends ? sp_flex_bias(kin, s, sp_spot_frame_spin(kin, s->body), a, NULL) : a;
}

/* Angular velocity, and angular acceleration for u' = 0; world axes. */
static inline sp_vec3 sp_spot_spin(const sp_kin *kin, const sp_spot *s)
{
    const sp_vec3 omega = sp_spot_frame_spin(kin, s->body);
    return s->bends ? sp_flex_spin(kin, s, omega) : omega;
}

static inline sp_vec3 sp_spot_spin_bias(const sp_kin *kin, const sp_spot *s)
{
    const sp_vec3 alpha = sp_spot_frame_alpha(kin, s->body);
    return s->bends ? sp_flex_spin_bias(kin, s, sp_spot_frame_spin(kin, s->body), alpha) : alpha;
}

/* ---- what moves it --------------------------------------------------------------------------- */

/* Velocity and angular velocity of a spot per unit of each velocity on the way from its body to the
 * ground, falling, with the numbers of these in sup; how many there are.  v, w and sup have room
 * for n_dof (kin->path, say).   theory (2.22) */
int sp_spot_columns(const sp_model *m, const sp_kin *kin, const sp_spot *s, int *sup, sp_vec3 *v,
                    sp_vec3 *w);

/* Velocities of spot a against spot b along directions, then spins of a against b about others. */
typedef struct sp_spot_pair {
    const sp_spot *a, *b;
    int n_along, n_about;
    const sp_vec3 *e; /* n_along, then n_about */
} sp_spot_pair;

/* Rows of W of a pair on the velocities that move it, falling, which are left in sup unless that
 * is NULL; row i stands at W + i stride.  How many velocities there are.   theory (2.23) */
int sp_pair_rows(const sp_model *m, const sp_kin *kin, const sp_spot_pair *p, int *sup, double *W,
                 int stride);

/* ---- in the plane ---------------------------------------------------------------------------- */

/* Rows along two directions of a pair in the plane: points at x that are fixed to two marks.
 * theory (2.23) */
int sp_pair_rows2(const sp_model *m, const sp_kin *kin, const sp_mark *const mark[2],
                  const sp_vec x[2], const sp_vec e[2], int *sup, double *W, int stride);

/* Velocity of such a point, and its acceleration for u' = 0: contacts of the plane ask for little
 * else, and often. */
static inline sp_vec sp_mark_velocity2(const sp_kin *kin, const sp_mark *mark, sp_vec x)
{
    if (kin->deforms && kin->deforms[mark->body]) {
        const sp_spot s = sp_flex_fixed(kin, mark, sp_spot_lift(x));
        return sp_spot_flat(sp_spot_velocity(kin, &s));
    }
    const sp_frame *f = &kin->frame[mark->body];
    return sp_kin_velocity_off(f, sp_sub(x, f->x));
}

static inline sp_vec sp_mark_bias2(const sp_kin *kin, const sp_mark *mark, sp_vec x)
{
    const sp_spot s = sp_mark_spot(kin, mark, sp_spot_lift(x));
    return sp_spot_flat(sp_spot_bias(kin, &s));
}

/* ---- whole bodies ---------------------------------------------------------------------------- */

/* Angle of a body of the plane, counted on through full turns, rad; and of what is fixed to a mark.
 */
static inline double sp_spot_angle(const sp_kin *kin, int body)
{
    return kin->frame[body].phi;
}

static inline double sp_mark_angle(const sp_kin *kin, const sp_mark *mark)
{
    return kin->deforms && kin->deforms[mark->body]
               ? sp_flex_angle(kin, mark->body, sp_flex_pose(kin, mark).R)
               : kin->frame[mark->body].phi;
}

/* Place and unit quaternion (w, x, y, z; w >= 0) of a body: what records and pictures are made of.
 */
void sp_spot_pose(const sp_kin *kin, int body, double x[3], double quat[4]);

/* Where the wrenches of a body are taken about (sp_wrench), and the way from the origin to its
 * centre of mass, world axes. */
static inline sp_vec3 sp_spot_pivot(const sp_kin *kin, int body)
{
    if (kin->frame3) {
        return sp_sub3(kin->frame3[body].x, kin->frame3[body].own);
    }
    return sp_spot_lift(sp_sub(kin->frame[body].x, kin->frame[body].own));
}

static inline sp_vec3 sp_spot_center(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].c : sp_spot_lift(kin->frame[body].c);
}

/* What degree of freedom k of a joint moves: the turn and the velocity of its pivot. */
sp_axis3 sp_spot_axis(const sp_model *m, const sp_kin *kin, int k);

/* How the s of such an axis changes with the coordinate of its own velocity beyond what the parent
 * carries along, and how that does; at the coordinate q.  Zero of straight ones.   theory (2.40) */
typedef struct sp_spot_curve {
    sp_vec3 bend, slope;
} sp_spot_curve;
sp_spot_curve sp_spot_curve_of(const sp_model *m, const sp_kin *kin, int k, double q);

#endif
