/* kinematics/kin.h - where every body is, how it moves, and how a point of it moves.
 *
 * Nobody else writes v + omega x r: contacts, forces and outputs ask for spots (kinematics/spot.h).
 */
#ifndef SP_KINEMATICS_KIN_H
#define SP_KINEMATICS_KIN_H

#include "math/plane.h"
#include "math/space.h"
#include "model/state.h"

/* A body's frame in the world.  Its pivot is the place of its joint's rotation; that of a body that
 * does not turn is its origin. */
typedef struct sp_frame {
    sp_vec x; /* origin, m                                                              */
    sp_rot R;
    sp_vec c;      /* from the origin to the centre of mass, world axes, m                   */
    double phi;    /* angle, counted on through full turns, rad                          */
    sp_vec arm;    /* from the parent's origin to the pivot, world axes, m                    */
    sp_vec own;    /* from the pivot to the origin                                            */
    sp_vec v;      /* velocity of the origin, m/s                                        */
    sp_spin omega; /* rad/s                                                              */
    sp_vec a0;     /* acceleration of the origin for u' = 0, m/s^2; the angular one is zero */
} sp_frame;

/* The same in space; its pivot is the place of its joint after all translations. */
typedef struct sp_frame3 {
    sp_vec3 x; /* origin, m                                                   */
    sp_rot3 R;
    sp_vec3 c;      /* from the origin to the centre of mass, world axes, m   */
    sp_vec3 arm;    /* from the parent's origin to the pivot                  */
    sp_vec3 own;    /* from the pivot to the origin                           */
    sp_vec3 v;      /* velocity of the origin, m/s                            */
    sp_vec3 omega;  /* rad/s, world axes                                      */
    sp_vec3 a0;     /* acceleration of the origin for u' = 0, m/s^2           */
    sp_vec3 alpha0; /* angular acceleration for u' = 0, rad/s^2               */
} sp_frame3;

/* What one degree of freedom moves: a point at x gets s + w x (x - p) per unit of u.
 * theory (2.13) */
typedef struct sp_axis3 {
    sp_vec3 w, s, p; /* p: the pivot of its body */
} sp_axis3;

/* Room for what moves a spot (sp_spot_columns): n_dof each. */
typedef struct sp_path {
    int *sup;
    sp_vec3 *v, *w;
} sp_path;

typedef struct sp_flex sp_flex;

typedef struct sp_kin {
    sp_frame *frame;   /* n_body: x, R, c, phi, arm, own by sp_kin_positions; v, omega by
                        * sp_kin_velocities; a0 (and omega) by sp_kin_bias.  Zero from the beginning:
                        * own of hinges.  NULL in space */
    sp_frame3 *frame3; /* n_body in space, by the same functions; NULL in the plane */
    sp_axis3 *axis3;   /* n_dof in space */
    sp_vec *axis;    /* n_dof: world direction of a translation, world place of a rotation's pivot,
                      * by sp_kin_positions */
    sp_path path[2]; /* scratch */
    const unsigned char *deforms; /* n_body: the body deforms; NULL: all are rigid   */
    sp_flex *flex;                /* of bodies of other kinds (kinematics/flex.h), NULL: likewise */
    sp_vec *bend;  /* n_dof, of models with tracks: world direction by which a translation turns per
                    * unit of its coordinate, by sp_kin_positions; else NULL */
    double *work;  /* likewise: scratch for their curves */
    double *alpha; /* n_body, in the plane with bodies that follow an axis: angular acceleration for
                    * u' = 0, by sp_kin_bias; else NULL */
} sp_kin;

/* Memory for a model's frames, zeroed, the ground in place; false if there is none. */
bool sp_kin_alloc(sp_arena *arena, const sp_model *m, sp_kin *kin);

/* q <- q (+) dt u: rotations of balls by their exponential, quaternions of unit length.
 * theory (2.9) */
void sp_kin_advance(const sp_model *m, double dt, const double *u, double *q);

/* q' at u; q may have left the unit spheres a little.   theory (2.9) */
void sp_kin_rate(const sp_model *m, const double *q, const double *u, double *q_rate);

/* Place of one body whose parent's is known, and its motion.   theory (2.1)-(2.5) */
void sp_kin_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                       sp_kin *kin);
void sp_kin_move_body(const sp_model *m, const double *u, int i, sp_kin *kin);

/* Frames of all bodies at q.   theory (2.1), (2.2) */
void sp_kin_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin);

/* Velocities at u; positions must be there.   theory (2.3), (2.4) */
void sp_kin_velocities(const sp_model *m, const double *u, sp_kin *kin);

/* Angular velocities and bias accelerations at u; positions must be there.   theory (2.5) */
void sp_kin_bias(const sp_model *m, const double *u, sp_kin *kin);

/* World place of a point given in the body's frame. */
static inline sp_vec sp_kin_place(const sp_frame *f, sp_vec local)
{
    return sp_add(f->x, sp_rotate(f->R, local));
}

/* Velocity of its material point that lies r away from the origin, world axes. */
static inline sp_vec sp_kin_velocity_off(const sp_frame *f, sp_vec r)
{
    return sp_add(f->v, sp_spin_cross(f->omega, r));
}

/* Acceleration of that point for u' = 0.   theory (2.6) */
static inline sp_vec sp_kin_bias_off(const sp_frame *f, sp_vec r)
{
    return sp_sub(f->a0, sp_scale(f->omega * f->omega, r));
}

/* The same in space.   theory (2.17) */
static inline sp_vec3 sp_kin_bias_off3(const sp_frame3 *f, sp_vec3 r)
{
    return sp_add3(f->a0, sp_add3(sp_cross3(f->alpha0, r), sp_spin_twice3(f->omega, r)));
}

#endif
