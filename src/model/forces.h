/* model/forces.h - what expressions of a compiled machine can see, motions that are prescribed by
 * them, and force elements with their lines of the energy ledger (model/model.h). */
#ifndef SP_MODEL_FORCES_H
#define SP_MODEL_FORCES_H

#include "base/diag.h"
#include "expr/expr.h"
#include "model/bodies.h"

#include <stdbool.h>

/* ---- what expressions can see -------------------------------------------------------------- */

/* One scalar that the run produces and an expression may read. */
typedef enum sp_signal_kind {
    SP_SIG_TIME,
    SP_SIG_CLOCK, /* index: clock, a part of the expression that depends on time alone */
    SP_SIG_Q,     /* index: coordinate, dof: its degree of freedom */
    SP_SIG_U,     /* index: degree of freedom                      */
    SP_SIG_STATE, /* index: state of `states`                      */
    SP_SIG_X,     /* index: body, mark: its point */
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
    SP_SIG_Z, /* space: index: body, mark: its point */
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
    SP_SIG_AX, /* index: body, mark: acceleration of a point, world axes */
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
    SP_SIG_ELEMENT_SIDE,
    SP_SIG_ELEMENT_POWER,  /* that it gives the bodies */
    SP_SIG_ELEMENT_ENERGY, /* that it has stored       */
    SP_SIG_SHAPE_DX, /* index: body that deforms, mark: a place; its way against the body at rest,
                      * in the axes of the frame, and angles there */
    SP_SIG_SHAPE_DY,
    SP_SIG_SHAPE_DZ,
    SP_SIG_SHAPE_SLOPE,
    SP_SIG_SHAPE_SLOPE_Z,
    SP_SIG_SHAPE_TWIST,
    SP_SIG_SHAPE_AXIAL, /* section forces */
    SP_SIG_SHAPE_SHEAR,
    SP_SIG_SHAPE_MOMENT,
    SP_SIG_SHAPE_STRESS,
    SP_SIG_SHAPE_TORQUE,
    SP_SIG_SHAPE_SHEAR_Y,
    SP_SIG_SHAPE_SHEAR_Z,
    SP_SIG_SHAPE_MOMENT_Y,
    SP_SIG_SHAPE_MOMENT_Z
} sp_signal_kind;

typedef struct sp_signal {
    sp_signal_kind kind;
    int index;
    int dof;      /* SP_SIG_Q: u[dof] is its rate, SP_NONE: part of a quaternion (in the plane it is
                   * index); GAMMA_T, LAMBDA_T in space: 1, 2 along t1, t2, 0 their size; else 0 */
    sp_mark mark; /* of signals of bodies */
    const sp_program *clock; /* SP_SIG_CLOCK */
} sp_signal;

/* The largest parts of expressions that depend on time alone: a run knows beforehand when they
 * switch, and never steps over what they do.   theory (64.1) */
typedef enum sp_clock_use {
    SP_CLOCK_CONDITION, /* yes or no                                                     */
    SP_CLOCK_TERM,  /* forces are linear in it: SP_SIG_CLOCK, so that a step may take its mean */
    SP_CLOCK_INNER, /* of other forces: steps are so short that its values add up to its mean */
    SP_CLOCK_PLACE  /* of prescribed motion, gaps, limits, energies                    */
} sp_clock_use;

typedef struct sp_clock {
    sp_clock_use use;
    const sp_program *program; /* its one input is time */
} sp_clock;

/* An expression with the signals it reads, in the order in which the program wants them. */
typedef struct sp_func {
    const sp_program *program; /* NULL: the constant */
    double constant;
    int n_signal;
    const sp_signal *signal;
    int n_kink;            /* forces, gaps: kinks that depend on the state ...      */
    const int *kink_instr; /* ... where they are in the program                     */
    int first_kink;        /* ... and the number of the first of them in the model  */
} sp_func;

/* A prescribed motion: q(t) = func, or, with speed, u(t) = func; func reads SP_SIG_TIME only and is
 * evaluated with its first and second derivative. */
typedef struct sp_motion {
    int dof;
    bool speed;
    sp_func func;
    sp_place place; /* in the model file */
} sp_motion;

/* A state of its own, z' = rate: the first n_state of the auxiliary states z.   theory (85.1) */
typedef struct sp_own_state {
    const char *name, *unit;
    sp_func rate;
    double start, scale; /* what the tolerance is relative to while z is smaller; SI */
    sp_place place;      /* in the model file                                        */
} sp_own_state;

/* ---- forces -------------------------------------------------------------------------------- */

typedef enum sp_force_kind {
    SP_FORCE_SPRING_POINTS,  /* along the line between two points                          */
    SP_FORCE_SPRING_MEASURE, /* on an expression of coordinates                            */
    SP_FORCE_FORCE,          /* a vector at a point                                        */
    SP_FORCE_TORQUE,         /* on a body                                                  */
    SP_FORCE_DRIVE,          /* on a degree of freedom                                     */
    /* forces, space: these act in the plane too */
    SP_FORCE_PULL,    /* on a measure, by a row of model/pulls.h                             */
    SP_FORCE_BUSHING, /* linear in 3 displacements and 3 rotations between 2 frames          */
    SP_FORCE_DRAG,    /* against the velocity of a point: linear and quadratic               */
    SP_FORCE_MOTOR,   /* control of one degree of freedom: P, D, I, saturation               */
    SP_FORCE_TYRE,    /* between a wheel and a straight line or a plane                  */
    SP_FORCE_PRESS,   /* between two contours, along their normal, by their gap          */
    SP_FORCE_SLIDER,  /* on a measure: a spring in series with dry friction              */
    SP_FORCE_GRAVITY  /* on all bodies, by expressions of time; numbers.gravity is then zero */
} sp_force_kind;

typedef struct sp_pull_law sp_pull_law; /* model/pulls.h */

/* What a disc, a ball or a corner presses on: a line or a plane, something round, the side of a
 * beam. */
typedef enum sp_press_on { SP_PRESS_PLANE, SP_PRESS_ROUND, SP_PRESS_SIDE } sp_press_on;

typedef struct sp_force {
    const char *name;
    sp_force_kind kind;
    int body[2];    /* of the points, or the one body                              */
    int dof;        /* DRIVE, MOTOR                                                */
    int aux;        /* MOTOR with an integral, SLIDER: its number in the auxiliary states z (n_aux),
                     * else SP_NONE                                                */
    int kink;       /* SLIDER: its number in the kinks                             */
    bool own_frame; /* FORCE, TORQUE: given in the body's axes                     */
    sp_press_on on; /* PRESS                                                       */
    const sp_pull_law *pull; /* PULL                                                */
    bool by_points;          /* PULL: the measure is the distance of the two points         */
    bool by_rate;    /* MOTOR: of the speed, law[1], by P and I; else of the coordinate, law[0] */
    bool has_law;    /* springs: law gives the force, else stiffness and damping do */
    sp_func measure; /* SPRING_MEASURE, SLIDER; PULL unless by_points               */
    sp_func law[3];  /* springs: f(x, v), pulls for f > 0; FORCE: x, y, z; TORQUE, DRIVE: [0],
                      * TORQUE in space: x, y, z; DRAG with has_law: velocity of the air x, y, z;
                      * MOTOR: wanted coordinate, wanted speed, force on top (of t); GRAVITY: x, y,
                      * z in m/s^2; TYRE: normal force by x and v, mu by the slip; PRESS: normal
                      * force by the gap and the speed of approach */
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

/* Between the two marks: displacement of the second in the axes of the first, and rotation vector
 * between them.  In the plane x, y and the last, about z. */
typedef struct sp_bushing_numbers {
    double stiffness[6], damping[6]; /* N/m x 3, N m/rad x 3; N s/m x 3, N m s/rad x 3       */
} sp_bushing_numbers;

/* Force = P e + D e' + I z + law[2], z' = e, within the limit; e: what is missing (by_rate: of the
 * speed, and D is not used). */
typedef struct sp_motor_numbers {
    double P, I, D;
} sp_motor_numbers;

/* mark[0]: the axle on the wheel, along its z axis; mark[1]: a point of the line or plane, y axis
 * out of its material. */
typedef struct sp_tyre_numbers {
    double radius, speed; /* m; m/s: slip is relative to larger speeds of rolling */
} sp_tyre_numbers;

/* mark[0]: centre of the disc; mark[1]: a point of the plane, y axis out of its material; the
 * centre of what is round; the side of a beam, at the height at[1]. */
typedef struct sp_press_numbers {
    double radius[2]; /* m; of a hole less than zero                              */
    double sign;      /* of the normal from the centre, or over the side: 1 or -1 */
} sp_press_numbers;

enum { SP_PULL_NUMBERS = 4 };

typedef struct sp_force_numbers {
    sp_mark mark[2];                 /* points, or frames, on their bodies                */
    double stiffness, damping, rest; /* springs, SLIDER; rest: gas; damping: DRAG, N s/m  */
    double preload;                  /* springs: pull at x = rest, N                      */
    double limit;                    /* DRIVE, MOTOR, SLIDER: largest force, infinity: none */
    union {                          /* by kind */
        sp_gas_numbers gas;
        sp_orifice_numbers orifice;
        sp_bushing_numbers bushing;
        sp_motor_numbers motor;
        sp_tyre_numbers tyre;
        sp_press_numbers press;
        double drag;                    /* DRAG: force = drag v |v|, N s^2/m^2 */
        double number[SP_PULL_NUMBERS]; /* PULL: those that its row names */
    };
} sp_force_numbers;

/* A line of the energy ledger by element: the energy that is stored in it, and the work since the
 * start of what it damps and applies.  Those of forces, joints, bodies that deform and formula are
 * booked in every step, in this order.   theory (22.5), (69.4) */
typedef enum sp_line_kind {
    SP_LINE_FORCE,     /* index: force element                                 */
    SP_LINE_JOINT,     /* index: degree of freedom with a spring or a damper   */
    SP_LINE_BODY,      /* index: body that deforms                             */
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

#endif
