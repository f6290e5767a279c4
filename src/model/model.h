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
#include "laws/contensou.h"
#include "math/shape3.h"
#include "model/surface.h"
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

/* A named point of a body, "slider.c1". */
typedef struct sp_point {
    const char *name; /* whole path */
    int body;
} sp_point;

/* ---- what expressions can see -------------------------------------------------------------- */

/* One scalar that the run produces and an expression may read. */
typedef enum sp_signal_kind {
    SP_SIG_TIME,
    SP_SIG_Q, /* index: coordinate, dof: its degree of freedom */
    SP_SIG_U, /* index: degree of freedom                      */
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
    SP_SIG_EZ_Z,
    /* from here on of outputs only: what the forces of a frame come to (sp_loads) */
    SP_SIG_AX, /* index: body, at: acceleration of a point, world axes */
    SP_SIG_AY,
    SP_SIG_AZ,
    SP_SIG_ALPHA_X, /* index: body; angular acceleration, world axes; in the plane z */
    SP_SIG_ALPHA_Y,
    SP_SIG_ALPHA_Z,
    SP_SIG_JOINT_FX, /* index: body; what its joint does to it, world axes, about its pivot */
    SP_SIG_JOINT_FY,
    SP_SIG_JOINT_FZ,
    SP_SIG_JOINT_MX,
    SP_SIG_JOINT_MY,
    SP_SIG_JOINT_MZ,
    SP_SIG_LOOP_FX, /* index: joint that closes a loop; what it does to its second body */
    SP_SIG_LOOP_FY,
    SP_SIG_LOOP_FZ,
    SP_SIG_LOOP_MX,
    SP_SIG_LOOP_MY,
    SP_SIG_LOOP_MZ,
    SP_SIG_ROW,             /* index: bilateral row; its force                             */
    SP_SIG_ELEMENT_MEASURE, /* index: force element; as in sp_element                      */
    SP_SIG_ELEMENT_RATE,
    SP_SIG_ELEMENT_FORCE,
    SP_SIG_ELEMENT_MOMENT,
    SP_SIG_ELEMENT_POWER, /* that it gives the bodies */
    SP_SIG_ELEMENT_ENERGY /* that it has stored       */
} sp_signal_kind;

typedef struct sp_signal {
    sp_signal_kind kind;
    int index;
    int dof;      /* SP_SIG_Q: u[dof] is its rate, SP_NONE: part of a quaternion (in the plane it is
                   * index); GAMMA_T, LAMBDA_T in space: 1, 2 along t1, t2, 0 their size; else 0 */
    double at[3]; /* z is zero in the plane */
} sp_signal;

/* An expression with the signals it reads, in the order in which the program wants them. */
typedef struct sp_func {
    const sp_program *program; /* NULL: the constant */
    double constant;
    int n_signal;
    const sp_signal *signal;
} sp_func;

/* A prescribed motion: q(t) = func, or, with speed, u(t) = func; func reads SP_SIG_TIME only and is
 * evaluated with its first and second derivative. */
typedef struct sp_motion {
    int dof;
    bool speed;
    sp_func func;
    sp_place place; /* in the model file */
} sp_motion;

/* ---- forces -------------------------------------------------------------------------------- */

typedef enum sp_force_kind {
    SP_FORCE_SPRING_POINTS,  /* along the line between two points                          */
    SP_FORCE_SPRING_MEASURE, /* on an expression of coordinates                            */
    SP_FORCE_FORCE,          /* a vector at a point                                        */
    SP_FORCE_TORQUE,         /* on a body                                                  */
    SP_FORCE_DRIVE,          /* on a degree of freedom                                     */
    /* forces, space: these act in the plane too */
    SP_FORCE_GAS,     /* polytropic gas in one or two chambers on a measure                  */
    SP_FORCE_ORIFICE, /* quadratic damper on a measure                                       */
    SP_FORCE_BUSHING, /* linear in 3 displacements and 3 rotations between 2 frames          */
    SP_FORCE_DRAG,    /* against the velocity of a point: linear and quadratic               */
    SP_FORCE_MOTOR,   /* control of one degree of freedom: P, D, I, saturation               */
    SP_FORCE_GRAVITY  /* on all bodies, by expressions of time; numbers.gravity is then zero */
} sp_force_kind;

typedef struct sp_force {
    const char *name;
    sp_force_kind kind;
    int body[2];     /* of the points, or the one body                              */
    int dof;         /* DRIVE, MOTOR                                                */
    int aux;         /* MOTOR with an integral: its number in the auxiliary states z (n_aux), else
                      * SP_NONE                                                     */
    bool own_frame;  /* FORCE, TORQUE: given in the body's axes                     */
    bool by_points;  /* GAS, ORIFICE: the measure is the distance of the two points */
    bool by_rate;    /* MOTOR: of the speed, law[1], by P and I; else of the coordinate, law[0] */
    bool has_law;    /* springs: law gives the force, else stiffness and damping do */
    sp_func measure; /* SPRING_MEASURE; GAS, ORIFICE unless by_points               */
    sp_func law[3];  /* springs: f(x, v), pulls for f > 0; FORCE: x, y, z; TORQUE, DRIVE: [0],
                      * TORQUE in space: x, y, z; DRAG with has_law: velocity of the air x, y, z;
                      * MOTOR: wanted coordinate, wanted speed, force on top (of t); GRAVITY: x, y,
                      * z in m/s^2 */
    sp_place place;  /* in the model file                                           */
} sp_force;

/* forces, space: numbers of the elements beyond springs and applied forces. */

/* V_k = volume_k - area_k (x - rest),  p_k = pressure_k (volume_k / V_k)^exponent_k; the gas pulls
 * (holds back the growth of x) with sum_k area_k (p_k - ambient).  A chamber that is pressed when x
 * grows has area > 0; one that is pressed when x shrinks, as between two points, area < 0. */
typedef struct sp_gas_numbers {
    double area[2], pressure[2], volume[2], exponent[2]; /* m^2, Pa, m^3, 1; area[1] = 0: one */
    double ambient;                                      /* pressure outside, Pa */
} sp_gas_numbers;

/* Pull = growing v |v| while x grows (v > 0), shrinking v |v| while it shrinks; N s^2/m^2. */
typedef struct sp_orifice_numbers {
    double growing, shrinking;
} sp_orifice_numbers;

/* Between frame 0 on body[0] and frame 1 on body[1], at the points `at`: displacement of the second
 * point in the axes of the first frame, and rotation vector between the frames.  In the plane x, y
 * and the last, about z. */
typedef struct sp_bushing_numbers {
    double stiffness[6], damping[6]; /* N/m x 3, N m/rad x 3; N s/m x 3, N m s/rad x 3       */
    double turn[2][9];               /* axes of the frames on their bodies, matrices by rows */
} sp_bushing_numbers;

/* Force = P e + D e' + I z + law[2], z' = e, within the limit; e: what is missing (by_rate: of the
 * speed, and D is not used). */
typedef struct sp_motor_numbers {
    double P, I, D;
} sp_motor_numbers;

typedef struct sp_force_numbers {
    double at[2][3];                 /* points in the frames of their bodies              */
    double stiffness, damping, rest; /* springs; rest: GAS; damping: DRAG, N s/m          */
    double preload;                  /* springs: pull at x = rest, N                      */
    double limit;                    /* DRIVE, MOTOR: largest size of the force, infinity: none */
    union {                          /* by kind */
        sp_gas_numbers gas;
        sp_orifice_numbers orifice;
        sp_bushing_numbers bushing;
        sp_motor_numbers motor;
        double drag; /* DRAG: force = drag v |v|, N s^2/m^2 */
    };
} sp_force_numbers;

/* A line of the energy ledger by element: the energy that is stored in it, and the work since the
 * start of what it damps and applies.  Those of forces, joints and formula are booked in every
 * step, in this order.   theory (22.5) */
typedef enum sp_line_kind {
    SP_LINE_FORCE,     /* index: force element                                 */
    SP_LINE_JOINT,     /* index: degree of freedom with a spring or a damper   */
    SP_LINE_FORMULA,   /* all formula coordinates                              */
    SP_LINE_THRESHOLD, /* index: slot; stores only                             */
    SP_LINE_GRAVITY    /* constant; stores only                                */
} sp_line_kind;

typedef struct sp_line {
    const char *name;
    sp_line_kind kind;
    int index;
} sp_line;

/* Columns of a line; of what is booked the last two. */
enum { SP_LINE_STORED, SP_LINE_DAMPERS, SP_LINE_APPLIED, SP_LINE_COLUMNS, SP_LINE_BOOKED = 2 };

/* ---- contact ------------------------------------------------------------------------------- */

typedef enum sp_contour_kind {
    SP_CONTOUR_POINT,
    SP_CONTOUR_LINE,    /* material behind, normal out of it                             */
    SP_CONTOUR_SEGMENT, /* from vertex 0 to vertex 1, normal to the left, material right */
    SP_CONTOUR_CIRCLE,
    SP_CONTOUR_HOLLOW,  /* circular hole, material outside                               */
    SP_CONTOUR_POLYGON, /* convex, counter-clockwise, material inside                    */
    SP_CONTOUR_CURVE,   /* arc, spline or expressions (model/curve.h)                    */
    /* from here on in space only, SP_CONTOUR_POINT too is in both */
    SP_CONTOUR_PLANE, /* material behind, axis: normal out of it                       */
    SP_CONTOUR_SPHERE,
    SP_CONTOUR_HOLLOW_SPHERE, /* material outside                                      */
    SP_CONTOUR_CYLINDER,      /* of infinite length about its axis                     */
    SP_CONTOUR_BORE,          /* the same with the material outside                    */
    SP_CONTOUR_SURFACE,       /* any other smooth surface (model/surface.h) ...        */
    SP_CONTOUR_RULED,         /* ... that would touch a plane along a line             */
    /* shapes with edges (math/shape3.h) */
    SP_CONTOUR_CAPSULE, /* along its axis                                              */
    SP_CONTOUR_HULL,    /* convex polytope                                             */
    SP_CONTOUR_DISC,    /* with sharp rims, about its axis                             */
    SP_CONTOUR_MESH     /* triangles                                                   */
} sp_contour_kind;

typedef struct sp_contour {
    const char *name; /* whole path "slider.block" */
    sp_contour_kind kind;
    int body;
    int vertex, n_vertex; /* POINT 1, LINE 1 (a point on it), SEGMENT 2, CIRCLE 1 (centre), POLYGON
                           * n; in space 0: their place is in the numbers */
    const char *const *vertex_name; /* POLYGON with names, else NULL */
    int form; /* number of its curve or surface from 1 on, 0: none; other contours in space have a
               * surface where they can touch one */
    const sp_shape3 *shape; /* CAPSULE, HULL, DISC, MESH; corners in the body's frame */
} sp_contour;

typedef struct sp_contour_numbers {
    double normal[2]; /* LINE           */
    double radius;    /* CIRCLE, HOLLOW; in space of everything round */
    double at[3];     /* space: point, centre, a point of the plane or of the axis, body's frame */
    double axis[3];   /* space: normal of a plane, axis of a cylinder; unit vector              */
} sp_contour_numbers;

/* A contact slot: one possible contact point between two contours, with an identity that stays the
 * same through the run.  Side a is a vertex, widened to a disc of a radius (0 for a corner); side b
 * is a line, a disc, a hole, or the boundary of a polygon or segment, on which the nearest feature
 * is looked for.  n points out of b's material towards a; gamma is the velocity of a against b. */
typedef enum sp_slot_kind {
    SP_SLOT_LINE,       /* disc (or corner) on an infinite line  */
    SP_SLOT_DISC,       /* disc on disc                          */
    SP_SLOT_HOLLOW,     /* disc in a hole                        */
    SP_SLOT_POLYGON,    /* disc on a polygon or a segment        */
    SP_SLOT_CURVE,      /* disc on a curve (contact/curve_pair.h) */
    SP_SLOT_CURVE_LINE, /* curve on an infinite line           */
    SP_SLOT_CURVES,     /* curve on curve                      */
    SP_SLOT_SPACE,      /* two contours in space (contact/pair3.h) */
    SP_SLOT_POOL,       /* in space: lent to a pair of its pool (sp_pool) while that is near */
    /* by expressions instead of contours (sp_rule) */
    SP_SLOT_GAP,       /* unilateral: a gap, friction along a slip velocity if it has one      */
    SP_SLOT_FRICTION,  /* dry friction against the rate of a measure, between two limits      */
    SP_SLOT_ONE_WAY,   /* the rate of a measure is never negative                             */
    SP_SLOT_THRESHOLD, /* a preload that holds a measure at zero until it is exceeded         */
    SP_SLOT_BOND,      /* bilateral: a measure stays zero                                     */
    SP_SLOT_LOOP       /* bilateral: one row of a joint that closes a loop                    */
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
    int rule;      /* kinds by expressions: their sp_rule; LOOP: its sp_loop; POOL: its sp_pool */
    int part;      /* LOOP: number of the row in its joint                           */
} sp_slot;

/* Pairs of contours in space that are too many for a slot each: slots are lent to those that are
 * near.  Pair number p is of contours a[p / n_b] and b[p % n_b]; with `both` a and b are the same
 * list and only the pairs with a place in a before that in b count.   theory (18.9) */
typedef struct sp_pool {
    int slot, n_slot; /* its slots      */
    int n_a, n_b;
    const int *a, *b; /* contours       */
    bool both;
    double margin; /* a pair nearer than this has a slot, m */
} sp_pool;

/* What a slot by expressions is made of.   theory (4.10)-(4.13) */
typedef struct sp_rule {
    sp_func measure;     /* x(q, t), of positions and time                                   */
    double sign, offset; /* gap = sign x + offset; rates of FRICTION, ONE_WAY, BOND = sign x' */
    bool has_slip;       /* GAP: with friction along ...                                     */
    sp_func slip;        /* ... this velocity, linear in the velocities                      */
    sp_func limit;       /* FRICTION, THRESHOLD: largest force, to both sides                */
    bool angle;          /* the measure is an angle, the force a torque                      */
    int n_sup;           /* degrees of freedom that move it ...                              */
    const int *sup;      /* ... falling                                                      */
} sp_rule;

/* Whether a slot is about an angle: its gap is in rad, its force a torque. */
static inline bool sp_slot_turns(const sp_rule *rule, const sp_slot *slot)
{
    return slot->kind >= SP_SLOT_GAP && slot->kind <= SP_SLOT_BOND && rule[slot->rule].angle;
}

/* A joint that closes a loop: frames on two bodies whose place and axes agree but for the joint's
 * motion.   theory (4.14)-(4.16) */
typedef struct sp_loop {
    const char *name;
    sp_joint_kind joint;
    int body[2];
    int slot, n_row; /* its rows are slots of their own */
    int n_sup;
    const int *sup; /* degrees of freedom that move it, falling */
    sp_place place;
} sp_loop;

typedef struct sp_loop_numbers {
    double at[2][3];   /* place of the joint on both bodies                          */
    double turn[2][9]; /* axes of the joint on both bodies, by rows; z is its axis   */
} sp_loop_numbers;

/* Coordinates given by energies or matrices instead of bodies.  They stand behind those of the
 * joints, in one chain, so that their block of the packed M is full.   theory (3.20)-(3.24) */
typedef struct sp_formula {
    int n;                /* how many, 0: none                                            */
    int dof, q;           /* the first degree of freedom and coordinate                   */
    sp_func kinetic;      /* T(q, u, t)                                                   */
    bool mixed;           /* T is not purely quadratic in u, or depends on time           */
    sp_func potential;    /* V(q, t)                                                      */
    sp_func dissipation;  /* D(q, u, t): forces -dD/du                                    */
    const sp_func *force; /* n: generalised forces, NULL: none                            */
    const sp_func *M;     /* lower triangle by rows, NULL: by kinetic                     */
    const sp_func *h;     /* n, with M                                                    */
    sp_place place;       /* in the model file                                            */
} sp_formula;

typedef struct sp_contact {
    const char *name;
    int slot, n_slot;
    sp_place place;
} sp_contact;

/* What of a law is an expression: program NULL where it is a number.   theory section 16 */
typedef struct sp_law {
    sp_func mu;           /* sliding friction, of the sliding speed (SP_SIG_RATE)              */
    sp_func eps_N, eps_T; /* restitution, of the speed of approach (SP_SIG_RATE)               */
    bool by_speed;        /* friction of sliding is not what it is at rest: sp_con_mu          */
    bool by_approach;     /* restitution is an expression: sp_con_restitution                  */
    bool drills;          /* in space: sliding and drilling friction of a round spot           */
} sp_law;

typedef struct sp_law_numbers {
    double mu;             /* friction at rest, mu_0; unless by_speed that of sliding, too        */
    double eps_N, eps_T;   /* restitution; of an expression its value at zero                     */
    double mu_slip;        /* friction of sliding; of an expression its value at zero             */
    sp_contensou_law spot; /* in space: spot, rolling, adhesion; mu is the one above            */
    double lever;          /* that spins are multiplied with in rows of drilling and rolling, m   */
    double mu_2;           /* space: friction along t2; 0: as along t1                            */
} sp_law_numbers;

/* The law of impacts, of all contacts.   theory section 11 */
typedef struct sp_impact_settings {
    bool poisson;    /* in two phases; else Newton's                               */
    bool prescribed; /* Poisson: tangential motion is counted from (11.7)          */
    bool scale_gain; /* impacts that would gain energy are scaled, (11.16)         */
} sp_impact_settings;

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
    SP_START_OMEGA,
    SP_START_Z, /* from here on in space only */
    SP_START_VZ,
    SP_START_OMEGA_X, /* of the body, world axes */
    SP_START_OMEGA_Y,
    SP_START_OMEGA_Z,
    SP_START_OMEGA_OWN_X, /* of the body, its own axes */
    SP_START_OMEGA_OWN_Y,
    SP_START_OMEGA_OWN_Z,
    SP_START_TURN,       /* index: body; rotation against the world             */
    SP_START_JOINT_TURN, /* index: body; rotation of its ball against the joint */
    SP_START_COUNT
} sp_start_kind;

typedef struct sp_start_value {
    sp_start_kind kind;
    int index;
    double value;
    double turn[4];   /* of the rotations: quaternion w, x, y, z */
    const char *name; /* as written: "crank.omega" */
    bool near;        /* a place to look for closed loops from, not held */
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
    double theta;       /* of the theta method           */
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
    bool speeds; /* laws of contacts depend on velocities (integrators/friction.h)          */
    bool extras; /* more than bodies in the plane, their forces and contacts of contours:
                  * quaternions, formula, prescribed motion, slots by expressions, auxiliary states
                  */
    bool chain;  /* one chain of hinges: body i turns about its origin on body i - 1, by coordinate
                  * i - 1 (from = 0 is structure here: other numbers for the model keep it) */
    int n_hinge; /* how many hinges that chain has, 0: it is none */
    const sp_body_layout *body;      /* n_body                            */
    const sp_dof_layout *dof;        /* n_dof                             */
    const unsigned char *dof_turns;  /* n_dof: 1 rotation, 0 translation  */
    const int *spring;               /* n_spring: degrees of freedom with a spring or a damper */
    const sp_vertex_run *vertex_run; /* n_vertex_run                      */
    const sp_slot_run *line_run;     /* n_line_run: slots on lines */
    const sp_slot_run *other_run;    /* n_other_run: all others */
    int n_spring, n_vertex_run, n_line_run, n_other_run;
    const int *rule_slot; /* n_rule_slot: slots by expressions, the bilateral rows included   */
    int n_rule_slot, n_always; /* n_always: contacts without a gap, which always take part    */
    int n_threshold;
    const int *space_slot; /* n_space_slot: slots of two contours in space                    */
    int n_space_slot;
    int contact_rows; /* most rows that a contact has in the contact problem                */
    bool more_gaps;   /* there are slots that are not on lines                                  */
    bool remembers;   /* slots take something over from step to step (sp_con_remember)          */
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
    const sp_loop_numbers *loop;
    const sp_space_numbers *space; /* of the bodies in space, NULL in the plane */
    double gravity[3];
} sp_numbers;

struct sp_model {
    sp_arena arena; /* owns everything below */
    const char *name;

    int dim; /* 2: plane, 3: space */
    int n_body, n_q, n_dof, n_point, n_force, n_contour, n_vertex, n_law, n_contact, n_slot;
    int n_motion, n_start, n_output, n_plot;
    int n_packed; /* doubles in the packed M */
    int n_aux;    /* auxiliary states z of force elements, z' = f(t, q, u, z) (sp_dyn) */
    int n_line;   /* lines of the ledger by element                                    */
    int n_book;   /* numbers that are booked of them: SP_LINE_BOOKED for each such line */
    int n_action; /* most actions of elements and formula (sp_dyn)                     */
    const sp_line *line;

    const sp_body *body;
    const sp_coord *coord; /* n_q   */
    const sp_dof *dof;     /* n_dof */
    const sp_point *point;
    const sp_force *force;
    const sp_contour *contour;
    int n_curve, n_surface;
    const sp_curve *const *curve;     /* sp_contour.form - 1 */
    const sp_surface *const *surface; /* likewise            */
    const char *const *law_name;
    const sp_law *law; /* n_law */
    sp_impact_settings impact;
    const sp_contact *contact;
    const sp_slot *slot; /* n_slot contacts, then n_bond bilateral rows */
    int n_bond, n_rule, n_loop, n_pool;
    const sp_pool *pool;
    const sp_rule *rule;
    const sp_loop *loop;
    sp_formula formula;
    const sp_motion *motion;
    int n_solid;
    const sp_solid *solid;
    const sp_start_value *start;
    const sp_output *output;
    const sp_plot *plot;

    size_t expr_work; /* doubles of scratch for evaluating any func with first derivatives, and
                       * motions with second ones                                          */
    int expr_input;   /* the largest number of signals of any func                         */
    size_t expr_hess; /* doubles of the largest Hessian that is needed                     */

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
