/* model/bodies.h - bodies, joints and coordinates of a compiled machine (model/model.h). */
#ifndef SP_MODEL_BODIES_H
#define SP_MODEL_BODIES_H

#include "base/diag.h"

#include <stdbool.h>

enum { SP_GROUND = 0, SP_NONE = -1 };

typedef enum sp_joint_kind {
    SP_JOINT_WELD,
    SP_JOINT_REVOLUTE,
    SP_JOINT_PRISMATIC,
    SP_JOINT_TRACK, /* in the plane only */
    SP_JOINT_FREE,
    SP_JOINT_CYLINDRICAL, /* from here on in space only */
    SP_JOINT_UNIVERSAL,
    SP_JOINT_SPHERICAL,
    SP_JOINT_PLANAR,
    SP_JOINT_SCREW
} sp_joint_kind;

/* A frame on a body: where joints, forces, loops, contours and outputs are.  In the plane z is
 * zero. theory (2.20) */
typedef struct sp_mark {
    int body;
    bool turned;         /* it has axes of its own                                            */
    double at[3];        /* its place in the body's frame, m                                  */
    double axes[9];      /* where turned: its axes in the body's frame, matrix by rows        */
    const double *shape; /* on bodies that deform: what their kind knows of the place, else NULL */
    bool wanders; /* on a face that deforms: where a contact is now           theory (98.7) */
} sp_mark;

/* A body and the joint that carries it.  Body 0 is the ground; a parent stands before its children.
 * Degrees of freedom of a joint: translations first, then rotations, one after the other; at most
 * one rotation in the plane. */
typedef struct sp_body {
    const char *name;
    int parent; /* SP_NONE for the ground                                                */
    sp_joint_kind joint;
    int dof, n_dof; /* the joint's first degree of freedom and how many it has               */
    int q, n_q;     /* its first coordinate and how many: a ball has 4 for 3 velocities      */
    int n_slide;    /* how many of its degrees of freedom are translations                   */
    bool turns;     /* plane: the last of them is a rotation                                 */
    int n_own;      /* velocities of the body itself, behind those of its joint: it deforms  */
    bool follows;   /* its one translation goes along the deformed axis of what it hangs on  */
    const struct sp_track
        *track;   /* plane: what its one translation follows, NULL: a straight line */
    int last_dof; /* last one on the way from the ground to this body, SP_NONE: body fixed */
    const struct sp_body_kind *kind; /* what it is (kinematics/kind.h), NULL: rigid          */
    const void *form;                /* what its kind knows of it                            */
    sp_place place;                  /* in the model file                                    */
} sp_body;

/* Whether body i, not the ground, stands still against the one it hangs on. */
static inline bool sp_body_is_fixed(const sp_body *body, int i)
{
    return body[i].n_dof == 0 && body[i].n_own == 0 && body[body[i].parent].n_own == 0;
}

/* Whether degree of freedom k of a body (SP_NONE: of a formula) goes along a deformed axis. */
static inline bool sp_body_follows(const sp_body *body, int i, int k)
{
    return i != SP_NONE && body[i].follows && k == body[i].dof;
}

/* r_body = r_parent + R_parent (mark.at + sum_k axis_k s_k) - R_body from
 * R_body = R_parent R(turn) R(phi);  the axes already contain R(turn). */
typedef struct sp_body_numbers {
    double mass, inertia; /* kg, kg m^2 about the centre of mass          */
    double center[2];     /* centre of mass in the body's frame, m        */
    double from[2];       /* joint on the body, m                         */
    double turn;          /* angle of the joint's frame on the parent, rad */
    double axis[2][2];    /* directions of the translations on the parent */
    sp_mark mark;         /* the joint on the parent; in the plane `turn` stands for its axes */
} sp_body_numbers;

/* The same in space, beside mass and mark.  The joint's motions carry its frame J, the mark on the
 * parent, to J', where the body stands with its point `from`.  The axes of the
 * motions are in sp_dof_numbers. */
typedef struct sp_space_numbers {
    double inertia[6]; /* xx, yy, zz, xy, xz, yz about the centre of mass, body axes, kg m^2 */
    double center[3];  /* centre of mass in the body's frame, m                              */
    double from[3];    /* joint on the body, m                                               */
} sp_space_numbers;

/* What one degree of freedom does.  In the plane slides and turns only. */
typedef enum sp_move {
    SP_MOVE_SLIDE, /* along its axis                                                          */
    SP_MOVE_TURN,  /* about its axis                                                          */
    SP_MOVE_SCREW, /* about its axis, and pitch times the angle along it                      */
    SP_MOVE_BALL,  /* one of three: angular velocity of the body against what it hangs on, along
                    * the body's own axis x, y or z; their coordinates are one quaternion       */
    SP_MOVE_SHAPE  /* deforms its body                                                          */
} sp_move;

/* One coordinate: q[i]. */
typedef struct sp_coord {
    const char *name, *unit; /* "crank.joint.phi", "rad"; "top.joint.qw", "1"   */
    int body;                /* SP_NONE: a formula coordinate                   */
    int dof;                 /* u[dof] = dq/dt; SP_NONE: part of a quaternion   */
} sp_coord;

/* One degree of freedom: velocity u[i].  In the plane, and wherever no quaternion stands before it,
 * it is the rate of the coordinate of the same number. */
typedef struct sp_dof {
    const char *name, *rate_name; /* "crank.joint.phi", "crank.joint.omega"; a ball's name is that
                                   * of the rate */
    const char *unit, *rate_unit; /* "rad", "rad/s" */
    sp_move move;
    int q;       /* its coordinate; of a ball: the first of the quaternion's four (w, x, y, z)   */
    int part;    /* of a ball: 0, 1, 2 for x, y, z                                               */
    int body;    /* SP_NONE: a formula coordinate                                                */
    int parent;  /* the one before it on the way to the ground, SP_NONE: none; parent < own     */
    int depth;   /* how many stand before it                                                    */
    int row;     /* its row of the packed M: M[row + depth(k)] for k = itself and its ancestors */
    int slide;   /* number of the translation in the joint, SP_NONE: a rotation                 */
    bool spring; /* the joint has a spring or a damper here                                     */
    int motion;  /* what prescribes it, SP_NONE: nothing, it moves as forces make it            */
} sp_dof;

typedef struct sp_dof_numbers {
    double stiffness, damping, rest; /* N/m, N s/m, m   or   N m/rad, N m s/rad, rad */
    double axis[3]; /* space, but balls: unit vector in the joint's frame as it is when all motions
                     * of the joint are zero; carried along by the turns before it in the joint */
    double pitch;   /* SCREW: m/rad                                                     */
} sp_dof_numbers;

/* A solid that a body is made of, in space: for its mass and for pictures. */
typedef enum sp_solid_kind {
    SP_SOLID_BOX,      /* size, about its middle                                   */
    SP_SOLID_SPHERE,   /* radius                                                   */
    SP_SOLID_CYLINDER, /* radius, length along its own z, about its middle         */
    SP_SOLID_CONE      /* radius of the base in its own x-y plane, tip at z = length */
} sp_solid_kind;

typedef struct sp_solid {
    sp_solid_kind kind;
    int body;
    double size[3], radius, length; /* m                                             */
    double at[3], turn[9];          /* place and axes on the body, m; matrix by rows */
} sp_solid;

/* A shape of a body for pictures alone.   build_display.c */
typedef struct sp_display {
    int body;
    const char *color;        /* "#rrggbb", NULL: that of the body       */
    int n_point;              /* PLANE: 1 a disc of s.radius, more: the corners of an area     */
    const double (*point)[3]; /* m                                       */
    sp_solid s;               /* SPACE                                   */
} sp_display;

/* A named point of a body, "slider.c1". */
typedef struct sp_point {
    const char *name; /* whole path */
    int body;
} sp_point;

#endif
