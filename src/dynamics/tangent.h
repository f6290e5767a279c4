/* dynamics/tangent.h - inverse dynamics in dual numbers: what has to act on a machine so that it
 * has given accelerations, with the derivative along one direction.
 *
 *     r(q, u, a) = M(q) a - h(q, u, t),      dr = r_q dq + r_u du
 *
 * dq and du are over the degrees of freedom: a ball is turned by dq about its own axes.  Motion and
 * forces are the texts that steps use (motion.inc, load.inc, forces.inc) in another scalar type, so
 * that derivatives are exact to round-off; expressions give their own.  Places are not computed
 * anew: their derivatives are the velocities that the machine has for u = dq.
 * theory (14.1)-(14.3), (69.1) */
#ifndef SP_DYNAMICS_TANGENT_H
#define SP_DYNAMICS_TANGENT_H

#include "dynamics/dyn.h"
#include "math/dual.h"

/* One body; world axes, x its origin. */
typedef struct sp_tangent_body {
    sp_dual_rot R;
    sp_dual3 x, c, arm, own;       /* as in sp_frame                                          */
    sp_dual3 v, omega, a0, alpha0; /* motion at u and a                                       */
    sp_dual3 pivot;
} sp_tangent_body;

typedef struct sp_tangent_axis {
    sp_dual3 w, s, p; /* as in sp_axis3                    */
    sp_dual3 bend;    /* of tracks: how s turns along them */
} sp_tangent_axis;

typedef struct sp_tangent_wrench {
    sp_dual3 f, m;
} sp_tangent_wrench;

/* A spot (kinematics/spot.h). */
typedef struct sp_tangent_spot {
    int body;
    sp_dual3 x;
    bool bends; /* then: the rigid arm beyond the material, and where that is at rest */
    sp_dual3 d, at;
    const double *shape;
    int guest;
} sp_tangent_spot;

/* Where the derivative is taken, and along what. */
typedef struct sp_tangent_at {
    double t;
    const double *q, *u, *a; /* n_q, n_dof, n_dof: accelerations      */
    const double *z;         /* n_aux: auxiliary states, held         */
    const sp_kin *kin;       /* positions and velocities there        */
} sp_tangent_at;

typedef struct sp_tangent_kinds sp_tangent_kinds;

typedef struct sp_tangent {
    sp_dual *r;            /* n_dof                                                            */
    sp_tangent_body *body; /* n_body                                                           */
    sp_tangent_wrench *wrench; /* n_body: what acts, inertia counted as a force; by sp_tangent_end
                                * of all that hangs on the body, too: what its joint has to take */
    sp_tangent_axis *axis; /* n_dof                                                            */
    const sp_model *m;     /* by sp_tangent_begin, as all that follows                         */
    const sp_numbers *num;
    sp_tangent_at at;
    const double *dq, *du;
    sp_kin step;        /* the direction dq as a field of velocities                     */
    sp_dual *u, *a;     /* n_dof                                                         */
    sp_dual3 g;         /* gravity                                                       */
    sp_dual measure[2]; /* of the force element that asks, and its rate                  */
    sp_dual *slope;     /* derivatives of the expression that sp_tangent_slopes looked at */
    double *in, *in_d, *grad, *hess, *along; /* for expressions */
    void *work, *path;
    sp_tangent_kinds *kinds; /* of bodies that deform, else NULL */
} sp_tangent;

/* Memory; false if there is none. */
bool sp_tangent_alloc(sp_arena *arena, const sp_model *m, sp_tangent *to);

/* Places, motion, and what force elements do; then what else acts is pushed; then r. */
void sp_tangent_begin(const sp_model *m, const sp_numbers *num, const sp_tangent_at *at,
                      const double *dq, const double *du, sp_tangent *to);
void sp_tangent_end(sp_tangent *to);

/* What all that hangs on the joint of a body asks of it, about the joint's place on the body: the
 * pivot is the body's origin where a joint of the plane does not turn.   theory (14.13) */
sp_vec3 sp_tangent_joint_moment(const sp_tangent *to, int body);

/* The spot of a mark; a place joined to a spot by a rigid arm; a place that is fixed to a mark, and
 * the one that is there now, carried along. */
sp_tangent_spot sp_tangent_spot_of(const sp_tangent *to, const sp_mark *mark);
sp_tangent_spot sp_tangent_arm(const sp_tangent *to, const sp_tangent_spot *s, sp_dual3 x);
sp_tangent_spot sp_tangent_fixed(const sp_tangent *to, const sp_mark *mark, sp_dual3 x);
sp_dual3 sp_tangent_carried(const sp_tangent *to, const sp_mark *mark, sp_vec3 x);

sp_dual_rot sp_tangent_axes(const sp_tangent *to, const sp_tangent_spot *s);
sp_dual3 sp_tangent_velocity(const sp_tangent *to, const sp_tangent_spot *s);
sp_dual3 sp_tangent_spin(const sp_tangent *to, const sp_tangent_spot *s);

/* A force and a moment at a spot, and a force on a degree of freedom. */
void sp_tangent_push(sp_tangent *to, const sp_tangent_spot *s, sp_dual3 force, sp_dual3 moment);
void sp_tangent_on_dof(sp_tangent *to, int dof, sp_dual force);

/* Value of an expression; with its derivatives by signals in to->slope. */
sp_dual sp_tangent_value(sp_tangent *to, const sp_func *f);
sp_dual sp_tangent_slopes(sp_tangent *to, const sp_func *f);

/* The force conjugate to a signal. */
void sp_tangent_push_signal(sp_tangent *to, const sp_signal *s, sp_dual force);

/* Force elements, and formula coordinates (dynamics/tangent_forces.c, tangent_formula.c). */
void sp_tangent_forces(sp_tangent *to);
void sp_tangent_formula(sp_tangent *to);

/* Bodies of other kinds (dynamics/tangent_kinds.c): memory; how a place moves against the frame,
 * v, w, a, alpha; what a body takes; what acts at a spot of it. */
bool sp_tangent_kinds_alloc(sp_arena *arena, const sp_model *m, sp_tangent *to);
void sp_tangent_relative(const sp_tangent *to, const sp_tangent_spot *s, sp_dual3 out[4]);
void sp_tangent_load_kind(sp_tangent *to, int body);
void sp_tangent_bend(sp_tangent *to, const sp_tangent_spot *s, sp_dual3 force, sp_dual3 moment);

#endif
