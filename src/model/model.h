/* model/model.h - the machine, compiled: flat arrays, indices instead of pointers, names kept for
 * messages and output.  Written once by sp_model_build, then read by everybody and by no one
 * changed.
 *
 * Structure and numbers are apart: which body hangs on which joint is structure (sp_body, sp_dof,
 * sp_slot, ...), what a mass or a length is stands in sp_numbers, which a state points to. */
#ifndef SP_MODEL_MODEL_H
#define SP_MODEL_MODEL_H

#include "base/diag.h"
#include "expr/expr.h"
#include "specht/model.h"

#include <stdbool.h>

enum { SP_GROUND = 0, SP_NONE = -1 };

/* ---- bodies and joints ------------------------------------------------------------------- */

typedef enum sp_joint_kind {
    SP_JOINT_WELD,
    SP_JOINT_REVOLUTE,
    SP_JOINT_PRISMATIC,
    SP_JOINT_FREE,
    SP_JOINT_CYLINDRICAL, /* from here on in space only */
    SP_JOINT_UNIVERSAL,
    SP_JOINT_SPHERICAL,
    SP_JOINT_PLANAR,
    SP_JOINT_SCREW
} sp_joint_kind;

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
    int last_dof;   /* last one on the way from the ground to this body, SP_NONE: body fixed */
    sp_place place; /* in the model file                                                     */
} sp_body;

/* r_body = r_parent + R_parent (at + sum_k axis_k s_k) - R_body from
 * R_body = R_parent R(turn) R(phi);  the axes already contain R(turn). */
typedef struct sp_body_numbers {
    double mass, inertia; /* kg, kg m^2 about the centre of mass          */
    double center[2];     /* centre of mass in the body's frame, m        */
    double at[2];         /* joint on the parent, m                       */
    double from[2];       /* joint on the body, m                         */
    double turn;          /* angle of the joint's frame on the parent, rad */
    double axis[2][2];    /* directions of the translations on the parent */
} sp_body_numbers;

/* The same in space, beside the mass.  Joint frame J on the parent: place `at`, axes `turn`; the
 * joint's motions carry J to J', where the body stands with its point `from`.  The axes of the
 * motions are in sp_dof_numbers. */
typedef struct sp_space_numbers {
    double inertia[6]; /* xx, yy, zz, xy, xz, yz about the centre of mass, body axes, kg m^2 */
    double center[3];  /* centre of mass in the body's frame, m                              */
    double at[3];      /* joint on the parent, m                                             */
    double from[3];    /* joint on the body, m                                               */
    double turn[9];    /* axes of J on the parent: rotation matrix by rows                   */
} sp_space_numbers;

/* What one degree of freedom does.  In the plane slides and turns only. */
typedef enum sp_move {
    SP_MOVE_SLIDE, /* along its axis                                                          */
    SP_MOVE_TURN,  /* about its axis                                                          */
    SP_MOVE_SCREW, /* about its axis, and pitch times the angle along it                      */
    SP_MOVE_BALL   /* one of three: angular velocity of the body against what it hangs on, along
                    * the body's own axis x, y or z; their coordinates are one quaternion       */
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
} sp_dof;

typedef struct sp_dof_numbers {
    double stiffness, damping, rest; /* N/m, N s/m, m   or   N m/rad, N m s/rad, rad */
    double axis[3]; /* space, but balls: unit vector in the joint's frame as it is when all motions
                     * of the joint are zero; carried along by the turns before it in the joint */
    double pitch;   /* SCREW: m/rad                                                     */
} sp_dof_numbers;

/* A named point of a body, "slider.c1". */
typedef struct sp_point {
    const char *name; /* whole path */
    int body;
} sp_point;

/* ---- what expressions can see -------------------------------------------------------------- */

/* One scalar that the run produces and an expression may read. */
typedef enum sp_signal_kind {
    SP_SIG_TIME,
    SP_SIG_Q, /* index: degree of freedom */
    SP_SIG_U,
    SP_SIG_X, /* index: body, at: point in its frame (0, 0: its origin) */
    SP_SIG_Y,
    SP_SIG_PHI,
    SP_SIG_VX,
    SP_SIG_VY,
    SP_SIG_OMEGA,
    SP_SIG_MEASURE, /* of the force element itself: x or phi */
    SP_SIG_RATE,    /* v or omega                            */
    SP_SIG_GAP,     /* index: contact slot                   */
    SP_SIG_GAMMA_N,
    SP_SIG_GAMMA_T,
    SP_SIG_LAMBDA_N, /* force of a lasting contact, mean over the step */
    SP_SIG_LAMBDA_T,
    SP_SIG_KINETIC,
    SP_SIG_POTENTIAL,
    SP_SIG_Z, /* space: index: body, at: point in its frame */
    SP_SIG_VZ,
    SP_SIG_OMEGA_X, /* space: angular velocity of a body, world axes */
    SP_SIG_OMEGA_Y,
    SP_SIG_OMEGA_Z,
    SP_SIG_OMEGA_OWN_X, /* the same in the body's own axes */
    SP_SIG_OMEGA_OWN_Y,
    SP_SIG_OMEGA_OWN_Z,
    SP_SIG_EX_X, /* space: entries of the body's own axes in the world, ex.x ex.y ex.z ey.x ... ez.z
                  */
    SP_SIG_EX_Y,
    SP_SIG_EX_Z,
    SP_SIG_EY_X,
    SP_SIG_EY_Y,
    SP_SIG_EY_Z,
    SP_SIG_EZ_X,
    SP_SIG_EZ_Y,
    SP_SIG_EZ_Z
} sp_signal_kind;

typedef struct sp_signal {
    sp_signal_kind kind;
    int index;
    double at[3]; /* z is zero in the plane */
} sp_signal;

/* An expression with the signals it reads, in the order in which the program wants them. */
typedef struct sp_func {
    const sp_program *program; /* NULL: the constant */
    double constant;
    int n_signal;
    const sp_signal *signal;
} sp_func;

/* ---- forces -------------------------------------------------------------------------------- */

typedef enum sp_force_kind {
    SP_FORCE_SPRING_POINTS,  /* along the line between two points                          */
    SP_FORCE_SPRING_MEASURE, /* on an expression of coordinates                            */
    SP_FORCE_FORCE,          /* a vector at a point                                        */
    SP_FORCE_TORQUE,         /* on a body                                                  */
    SP_FORCE_DRIVE           /* on a degree of freedom                                     */
} sp_force_kind;

typedef struct sp_force {
    const char *name;
    sp_force_kind kind;
    int body[2];     /* of the points, or the one body                              */
    int dof;         /* DRIVE                                                       */
    bool own_frame;  /* FORCE: given in the body's axes                             */
    bool has_law;    /* springs: law gives the force, else stiffness and damping do */
    sp_func measure; /* SPRING_MEASURE                                              */
    sp_func law[3];  /* springs: f(x, v), pulls for f > 0; FORCE: x, y, z; TORQUE, DRIVE: [0],
                      * TORQUE in space: x, y, z */
    sp_place place;  /* in the model file                                           */
} sp_force;

typedef struct sp_force_numbers {
    double at[2][3];                 /* points in the frames of their bodies              */
    double stiffness, damping, rest; /* springs                                           */
    double limit;                    /* DRIVE: largest size of the force, infinity: none  */
} sp_force_numbers;

/* ---- contact ------------------------------------------------------------------------------- */

typedef enum sp_contour_kind {
    SP_CONTOUR_POINT,
    SP_CONTOUR_LINE,    /* material behind, normal out of it                             */
    SP_CONTOUR_SEGMENT, /* from vertex 0 to vertex 1, normal to the left, material right */
    SP_CONTOUR_CIRCLE,
    SP_CONTOUR_HOLLOW, /* circular hole, material outside                               */
    SP_CONTOUR_POLYGON /* convex, counter-clockwise, material inside                    */
} sp_contour_kind;

typedef struct sp_contour {
    const char *name; /* whole path "slider.block" */
    sp_contour_kind kind;
    int body;
    int vertex,
        n_vertex; /* POINT 1, LINE 1 (a point on it), SEGMENT 2, CIRCLE 1 (centre), POLYGON n */
    const char *const *vertex_name; /* POLYGON with names, else NULL */
} sp_contour;

typedef struct sp_contour_numbers {
    double normal[2]; /* LINE           */
    double radius;    /* CIRCLE, HOLLOW */
} sp_contour_numbers;

/* A contact slot: one possible contact point between two contours, with an identity that stays the
 * same through the run.  Side a is a vertex, widened to a disc of a radius (0 for a corner); side b
 * is a line, a disc, a hole, or the boundary of a polygon or segment, on which the nearest feature
 * is looked for.  n points out of b's material towards a; gamma is the velocity of a against b. */
typedef enum sp_slot_kind {
    SP_SLOT_LINE,   /* disc (or corner) on an infinite line  */
    SP_SLOT_DISC,   /* disc on disc                          */
    SP_SLOT_HOLLOW, /* disc in a hole                        */
    SP_SLOT_POLYGON /* disc on a polygon or a segment        */
} sp_slot_kind;

typedef struct sp_slot {
    const char *name; /* "guide.c1.upper" */
    int contact;      /* the element it belongs to  */
    int law;
    sp_slot_kind kind;
    int body_a, body_b;
    int vertex_a; /* index into the vertices       */
    int contour_a, contour_b;
    double sign_t; /* +1 or -1: sense of the tangent, see theory (4.2)               */
} sp_slot;

typedef struct sp_contact {
    const char *name;
    int slot, n_slot;
    sp_place place;
} sp_contact;

typedef struct sp_law_numbers {
    double mu, eps_N, eps_T;
} sp_law_numbers;

/* ---- start, outputs, plots, run ------------------------------------------------------------ */

/* A start value as the file gives it; analysis/start.c makes q and u of them. */
typedef enum sp_start_kind {
    SP_START_Q, /* index: degree of freedom */
    SP_START_U,
    SP_START_X, /* index: body, absolute    */
    SP_START_Y,
    SP_START_PHI,
    SP_START_VX,
    SP_START_VY,
    SP_START_OMEGA
} sp_start_kind;

typedef struct sp_start_value {
    sp_start_kind kind;
    int index;
    double value;
    const char *name; /* as written: "crank.omega" */
    sp_place place;
} sp_start_value;

typedef struct sp_output {
    const char *name;  /* "turns"; curves of plots "plots.corners.y1" */
    const char *label; /* its name; of curves the expression as written */
    const char *unit;
    sp_func func;
    sp_place place; /* in the model file */
} sp_output;

typedef struct sp_plot {
    const char *name, *title;
    int x; /* index of an output, SP_NONE: time */
    int n_y;
    const int *y; /* indices of outputs                */
    bool equal;   /* axes to the same scale            */
} sp_plot;

typedef struct sp_run_settings {
    double until, step, output_step; /* s; step 0: not given; output_step 0: until/1000 */
    double tolerance;
    const char *method; /* as written, "auto" by default */
    bool project_start;
    sp_place place;
} sp_run_settings;

/* What the kernels read in every step, copied together from the arrays above by sp_model_layout. */

/* The joint of a body. */
typedef struct sp_body_layout {
    int parent;
    int dof, n_slide; /* its translations are dof, ..., dof + n_slide - 1 */
    int turn;         /* its rotation, SP_NONE: it does not turn          */
} sp_body_layout;

/* A degree of freedom, as in sp_dof. */
typedef struct sp_dof_layout {
    int parent, depth, row, body;
} sp_dof_layout;

/* Vertices of one body that stand together; those of slots on lines are left out. */
typedef struct sp_vertex_run {
    int body, vertex, n;
} sp_vertex_run;

/* Slots that stand together, of one kind and against one contour, the vertices of side a in their
 * order: the corners of a polygon on a line, say. */
typedef struct sp_slot_run {
    int kind;           /* sp_slot_kind                */
    int slot, n;        /* first slot, number of slots */
    int body_a, body_b; /* of both sides               */
    int a;              /* vertex of the first slot    */
    int contour_a;      /* of side a                   */
    int contour;        /* of side b                   */
    int b;              /* its first vertex            */
} sp_slot_run;

typedef struct sp_layout {
    bool chain; /* one chain of hinges: body i turns about its origin on body i - 1, by coordinate
                 * i - 1 (from = 0 is structure here: other numbers for the model keep it) */
    const sp_body_layout *body;      /* n_body                            */
    const sp_dof_layout *dof;        /* n_dof                             */
    const unsigned char *dof_turns;  /* n_dof: 1 rotation, 0 translation  */
    const int *spring;               /* n_spring: degrees of freedom with a spring or a damper */
    const sp_vertex_run *vertex_run; /* n_vertex_run                      */
    const sp_slot_run *line_run;     /* n_line_run: slots on lines */
    const sp_slot_run *other_run;    /* n_other_run: all others */
    int n_spring, n_vertex_run, n_line_run, n_other_run;
} sp_layout;

/* All numbers of the machine, parallel to the arrays of structure. */
typedef struct sp_numbers {
    const sp_body_numbers *body;
    const sp_dof_numbers *dof;
    const sp_force_numbers *force;
    const sp_contour_numbers *contour;
    const double (*vertex)[2]; /* of all contours, in the frame of their body */
    const double *radius; /* of the disc or hole at each vertex, 0: a corner (sp_model_layout) */
    const double (*point)[3];
    const sp_law_numbers *law;
    const sp_space_numbers *space; /* of the bodies in space, NULL in the plane */
    double gravity[3];
} sp_numbers;

struct sp_model {
    sp_arena arena; /* owns everything below */
    const char *name;

    int dim; /* 2: plane, 3: space */
    int n_body, n_q, n_dof, n_point, n_force, n_contour, n_vertex, n_law, n_contact, n_slot;
    int n_start, n_output, n_plot;
    int n_packed; /* doubles in the packed M */

    const sp_body *body;
    const sp_coord *coord; /* n_q   */
    const sp_dof *dof;     /* n_dof */
    const sp_point *point;
    const sp_force *force;
    const sp_contour *contour;
    const char *const *law_name;
    const sp_contact *contact;
    const sp_slot *slot;
    const sp_start_value *start;
    const sp_output *output;
    const sp_plot *plot;

    size_t expr_work; /* doubles of scratch for evaluating any func with first derivatives */
    int expr_input;   /* the largest number of signals of any func                         */

    sp_run_settings run;
    sp_numbers numbers;
    sp_layout layout;

    /* what is needed to repeat the run */
    const char *source_file, *source_text; /* of the main file                    */
    int n_override;
    const char *const *override_text; /* "mu=0.02"                           */
};

/* Fill layout and numbers.radius from the rest; the last act of building a model. */
sp_status sp_model_layout(sp_model *m, sp_error *err);

#endif
