/* model/model.h - the machine, compiled: flat arrays, indices instead of pointers, names kept for
 * messages and output.  Written once by sp_model_build, read-only after that.
 *
 * Structure and numbers are apart: which body hangs on which joint is structure (sp_body, sp_dof,
 * sp_slot, ...), what a mass or a length is stands in sp_numbers, which a state points to. */
#ifndef SP_MODEL_MODEL_H
#define SP_MODEL_MODEL_H

#include "base/diag.h"
#include "expr/expr.h"
#include "laws/contensou.h"
#include "math/shape3.h"
#include "model/bodies.h"
#include "model/extent.h"
#include "model/forces.h"
#include "model/places.h"
#include "model/surface.h"
#include "specht/model.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- contact ------------------------------------------------------------------------------- */

typedef enum sp_contour_kind {
    SP_CONTOUR_POINT,
    SP_CONTOUR_LINE,    /* material behind, normal out of it                             */
    SP_CONTOUR_SEGMENT, /* from vertex 0 to vertex 1, normal to the left, material right */
    SP_CONTOUR_CIRCLE,
    SP_CONTOUR_HOLLOW,  /* circular hole, material outside                               */
    SP_CONTOUR_POLYGON, /* convex, counter-clockwise, material inside                    */
    SP_CONTOUR_CURVE,   /* arc, spline or expressions (model/curve.h)                    */
    SP_CONTOUR_GROOVE,  /* two flanks, in space one of them (model/build_wedge.c)        */
    SP_CONTOUR_ROCKER,  /* what is wedged between them, in space one end of it           */
    /* from here on in space only, SP_CONTOUR_POINT, _GROOVE and _ROCKER too are in both */
    SP_CONTOUR_PLANE, /* material behind, axis: normal out of it                       */
    SP_CONTOUR_SPHERE,
    SP_CONTOUR_HOLLOW_SPHERE, /* material outside                                      */
    SP_CONTOUR_CYLINDER,      /* of infinite length about its axis                     */
    SP_CONTOUR_BORE,          /* the same with the material outside                    */
    SP_CONTOUR_SURFACE,       /* any other smooth surface (model/surface.h) ...        */
    SP_CONTOUR_RULED,         /* ... that would touch a plane along a line             */
    SP_CONTOUR_RULED_HOLLOW,  /* the same with the material outside: touches no other of these */
    SP_CONTOUR_EXTRUDED,      /* ... and does so with its two rims                     */
    SP_CONTOUR_FACE,          /* of a body that deforms (model/face.h)                 */
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
    const char *word;       /* "a box", as the file calls it; NULL: as its kind       */
} sp_contour;

typedef struct sp_contour_numbers {
    sp_mark mark;     /* what it goes with.  In space at: point, centre, a point of the plane or of
                       * the axis; in the plane: the middle of its vertices                     */
    double normal[2]; /* LINE           */
    double radius;    /* CIRCLE, HOLLOW; in space of everything round */
    double axis[3];   /* space: normal of a plane, axis of a cylinder; unit vector              */
} sp_contour_numbers;

/* A contact slot: one possible contact point between two contours, with an identity that stays the
 * same through the run.  Side a is a vertex, widened to a disc of a radius (0 for a corner); side b
 * is a line, a disc, a hole, or the boundary of a polygon or segment, on which the nearest feature
 * is looked for.  n points out of b's material towards a; gamma is the velocity of a against b. */
typedef enum sp_slot_kind {
    SP_SLOT_LINE,        /* disc (or corner) on an infinite line  */
    SP_SLOT_DISC,        /* disc on disc                          */
    SP_SLOT_HOLLOW,      /* disc in a hole                        */
    SP_SLOT_POLYGON,     /* disc on a polygon or a segment        */
    SP_SLOT_CURVE,       /* disc on a curve (contact/curve_pair.h) */
    SP_SLOT_CURVE_LINE,  /* curve on an infinite line           */
    SP_SLOT_CURVES,      /* curve on curve                      */
    SP_SLOT_CURVE_EDGES, /* curve on a polygon or a segment (contact/curve_edges.c) */
    SP_SLOT_SPACE,       /* two contours in space (contact/pair3.h) */
    SP_SLOT_POOL,        /* in space: assigned to a pair of its pool (sp_pool) while that is near */
    /* by expressions instead of contours (sp_rule) */
    SP_SLOT_GAP,       /* unilateral: a gap, friction along a slip velocity if it has one      */
    SP_SLOT_FRICTION,  /* dry friction against the rate of a measure, between two limits      */
    SP_SLOT_ONE_WAY,   /* the rate of a measure is never negative                             */
    SP_SLOT_THRESHOLD, /* a preload that holds a measure at zero until it is exceeded         */
    SP_SLOT_BOND,      /* bilateral: a measure stays zero                                     */
    SP_SLOT_LOOP       /* bilateral: one row of a joint that closes a loop                    */
} sp_slot_kind;

/* What there is to know of a slot outside of the rooms that build and measure it. */
typedef struct sp_slot_traits {
    bool planar : 1;    /* of two contours in the plane                                       */
    bool on_line : 1;   /* ... a disc or corner on an infinite line                           */
    bool edged : 1;     /* ... side b a polygon or a segment                                  */
    bool curved : 1;    /* ... a curve one of them                                            */
    bool space : 1;     /* of two contours in space ...                                       */
    bool pooled : 1;    /* ... which change: the slot is assigned to pairs that are near          */
    bool rule : 1;      /* by expressions: has an sp_rule, or is a row of a loop              */
    bool dry : 1;       /* dry friction: one row between two limits, without a gap            */
    bool stores : 1;    /* a preload: the same, and holds its measure at zero                 */
    bool interval : 1;  /* dry or stores                                                      */
    bool one_way : 1;   /* the rate of a measure is never negative                            */
    bool gapless : 1;   /* dry, stores or one_way                                             */
    bool bilateral : 1; /* a measure, or a row of a loop, stays zero                          */
    bool loop : 1;      /* ... a row of a loop                                                */
    bool no_slip : 1;   /* has no velocity along which friction could act                     */
    bool two_slips : 1; /* ... has two, by expressions                                        */
    bool turns : 1;     /* about an angle: its gap is in rad, its force a torque              */
} sp_slot_traits;

typedef struct sp_slot {
    const char *name; /* "guide.c1.upper" */
    int contact;      /* the element it belongs to  */
    int law;
    sp_slot_kind kind;
    sp_slot_traits is; /* sp_slot_traits_of, when the model is complete */
    int body_a, body_b;
    int vertex_a; /* index into the vertices       */
    int contour_a, contour_b;
    double sign_t; /* +1 or -1: sense of the tangent, see theory (4.2)               */
    int rule;      /* kinds by expressions: their sp_rule; LOOP: its sp_loop; POOL: its sp_pool */
    int part;      /* LOOP: number of the row in its joint; of a pair with several slots: its own */
    int n_part;    /* ... how many these are, of curves and pegs; else 0 */
    int n_hill; /* CURVE_EDGES: the first of them are for hills of the curve, the others for corners
                 */
    const sp_places *places; /* kinds with a curve that touches at several places, else NULL */
} sp_slot;

/* Pairs of contours in space that are too many for a slot each: slots are assigned to those that
 * are near.  Pair number p is of contours a[p / n_b] and b[p % n_b]; with `both` a and b are the
 * same list and only the pairs with a place in a before that in b count.   theory (18.9) */
typedef struct sp_pool {
    int slot, n_slot; /* its slots      */
    int n_a, n_b;
    const int *a, *b; /* contours       */
    bool both;
    double margin; /* a pair nearer than this has a slot, m */
} sp_pool;

/* Friction that grows with the reaction of the joint that carries a body: mu times the forces at
 * both ends times ends and what else its axis bears times rest.   theory (86.1)-(86.3) */
typedef struct sp_grip {
    double mu;
    double lever; /* 1 over the length between the ends, 0: moments cost nothing           */
    double ends;  /* of a guide 1, of a journal its radius                                 */
    double rest;  /* of a guide 1 over the radius of its rails, of a journal of the collar */
    int body;     /* 0: there is none */
} sp_grip;

/* What a slot by expressions is made of.   theory (4.10)-(4.13) */
typedef struct sp_rule {
    sp_func measure;     /* x(q, t), of positions and time                                   */
    double sign, offset; /* gap = sign x + offset; rates of FRICTION, ONE_WAY, BOND = sign x' */
    int n_slip;          /* GAP: with friction along ...                                     */
    sp_func slip[2];     /* ... these velocities, linear in the velocities; two: in space    */
    sp_func limit;       /* FRICTION, THRESHOLD: largest force, to both sides                */
    bool angle;          /* the measure is an angle, the force a torque                      */
    bool no_play;        /* GAP: the stop at the other side is at the same place             */
    sp_grip grip;        /* FRICTION: what comes on top of the limit                         */
    int n_sup;           /* degrees of freedom that move it ...                              */
    const int *sup;      /* ... falling                                                      */
} sp_rule;

/* Traits of a slot by its kind; rule: those of the model. */
sp_slot_traits sp_slot_traits_of(const sp_slot *slot, const sp_rule *rule);

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
    sp_mark mark[2]; /* the joint's frame on both bodies; z is its axis */
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
    const sp_func *M;     /* lower triangle by rows, NULL: by kinetic, not constant       */
    const sp_func *h;     /* n, where the model gives M; NULL: no forces of inertia       */
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

/* Of a degree of freedom, else of a body. */
static inline bool sp_start_of_dof(const sp_start_value *v)
{
    return v->kind == SP_START_Q || v->kind == SP_START_U;
}

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

/* What a measure takes from a run: from a probe, an expression watched all along the run, or from
 * contacts and force elements.   theory (80.1)-(80.4) */
typedef enum sp_gauge_kind {
    SP_GAUGE_MEAN,
    SP_GAUGE_PEAK, /* largest size */
    SP_GAUGE_RMS,
    SP_GAUGE_MIN,
    SP_GAUGE_MAX,
    SP_GAUGE_FINAL, /* these of a probe */
    SP_GAUGE_IMPULSES,
    SP_GAUGE_IMPACTS,
    SP_GAUGE_IMPACT_RATE,
    SP_GAUGE_STICK_TIME, /* these of contacts */
    SP_GAUGE_WORK,
    SP_GAUGE_LOSS, /* these of contacts and lines of the ledger; of nothing named: the machine */
    SP_GAUGE_SPAN
} sp_gauge_kind;

typedef struct sp_gauge {
    sp_gauge_kind kind;
    int probe;          /* SP_NONE: of no expression      */
    int n_slot, n_line; /* of the pattern                 */
    const int *slot, *line;
} sp_gauge;

typedef struct sp_measure {
    const char *name, *unit;
    const sp_program *program; /* NULL: a constant        */
    int n_in;
    const int *gauge; /* n_in: whose numbers it is made of */
    double constant;
} sp_measure;

/* What studies keep of a run at chosen times. */
typedef enum sp_sampling_kind {
    SP_SAMPLE_NONE,
    SP_SAMPLE_EVERY,   /* at offset + k every               */
    SP_SAMPLE_IMPACTS, /* right behind impacts of contacts  */
    SP_SAMPLE_CROSSING /* where a probe passes zero         */
} sp_sampling_kind;
typedef struct sp_sampling {
    sp_sampling_kind kind;
    double every, offset; /* s                                     */
    int n_slot, probe;
    const int *slot;
    int direction; /* of a crossing: 1 rising, -1 falling, 0 both */
    int n_keep;
    const int *keep; /* probes                                  */
    const char *const *name, *const *unit;
} sp_sampling;

/* Whether steps take implicitly what is stiff. */
typedef enum sp_implicit_mode {
    SP_IMPLICIT_AUTO, /* where it has to be, and damp what they do not resolve */
    SP_IMPLICIT_YES,  /* always, with theta as it is                           */
    SP_IMPLICIT_NO
} sp_implicit_mode;

typedef struct sp_run_settings {
    double until, step, output_step; /* s; step 0: not given; output_step 0: until/1000 */
    double measure_from;             /* s                                               */
    double tolerance;
    double theta; /* of the theta method, and of implicit steps */
    sp_implicit_mode implicit;
    const char *method; /* as written, "auto" by default */
    bool project_start, settle_start;
    sp_place place;
} sp_run_settings;

/* What the kernels read in every step, copied together from the arrays above by sp_model_layout. */

/* The joint of a body. */
typedef struct sp_body_layout {
    int parent;
    int dof, n_slide;             /* its translations are dof, ..., dof + n_slide - 1 */
    int turn;                     /* its rotation, SP_NONE: it does not turn          */
    const struct sp_track *track; /* as in sp_body                        */
} sp_body_layout;

/* A degree of freedom, as in sp_dof. */
typedef struct sp_dof_layout {
    int parent, depth, row, body;
} sp_dof_layout;

/* Vertices that stand together and go with the mark of one contour, those of one rigid body, say;
 * those of slots on lines are left out. */
typedef struct sp_vertex_run {
    int contour, vertex, n;
} sp_vertex_run;

/* Slots that stand together, of one kind and against one contour, the vertices of side a in their
 * order: the corners of a polygon on a line, say. */
typedef struct sp_slot_run {
    int kind;      /* sp_slot_kind                */
    int slot, n;   /* first slot, number of slots */
    bool grounded; /* side b is the ground's      */
    int a;         /* vertex of the first slot    */
    int contour_a; /* of side a                   */
    int contour;   /* of side b                   */
    int b;         /* its first vertex            */
} sp_slot_run;

/* A tree is deep beyond so many velocities on one way: there M is not formed
 * (dynamics/recursion.h).
 */
enum { SP_DEEP = 32 };

typedef struct sp_layout {
    bool speeds;   /* laws of contacts depend on velocities (integrators/friction.h)          */
    bool extras;   /* more than bodies in the plane, their forces and contacts of contours:
                    * quaternions, formula, prescribed motion, slots by expressions, auxiliary states
                    */
    bool tracks;   /* translations of some bodies follow curves (model/track.h)               */
    bool follows;  /* ... or the axes of bodies that deform                                   */
    bool elements; /* there are force elements, springs of joints or states      */
    bool chain;   /* one chain of hinges: body i turns about its origin on body i - 1, by coordinate
                   * i - 1 (from = 0 is structure here: other numbers for the model keep it) */
    int n_hinge;  /* how many hinges that chain has, 0: it is none */
    bool deep;    /* there is a body behind more velocities than SP_DEEP, and no formula */
    bool mixed;   /* there are bodies of other kinds than the rigid one (kinematics/kind.h)   */
    int most_own; /* most velocities that one of them has itself                              */
    const sp_body_layout *body;      /* n_body                            */
    const sp_dof_layout *dof;        /* n_dof                             */
    const unsigned char *dof_turns;  /* n_dof: 1 rotation, 0 translation  */
    const int *spring;               /* n_spring: degrees of freedom with a spring or a damper */
    const sp_vertex_run *vertex_run; /* n_vertex_run                      */
    const sp_slot_run *line_run;     /* n_line_run: slots on lines */
    const sp_slot_run *other_run;    /* n_other_run: all others */
    int n_spring, n_vertex_run, n_line_run, n_other_run;
    const int *rule_slot; /* n_rule_slot: slots by expressions, the bilateral rows included   */
    int n_grip;
    const int *grip; /* n_grip: slots of dry friction with a grip                           */
    int n_rule_slot, n_always; /* n_always: contacts without a gap, which always take part    */
    int n_threshold;
    const int *space_slot; /* n_space_slot: slots of two contours in space                    */
    int n_space_slot;
    int contact_rows; /* most rows that a contact has in the contact problem                */
    bool more_gaps;   /* there are slots that are not on lines                                  */
    bool remembers;   /* slots take something over from step to step (sp_con_remember)          */
    bool seams;       /* curves have several slots, from one to the other of which contacts go  */
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
    sp_model_info about;

    int dim; /* 2: plane, 3: space */
    int n_body, n_q, n_dof, n_point, n_force, n_contour, n_vertex, n_law, n_contact, n_slot;
    int n_motion, n_clock, n_kink, n_start, n_output, n_plot;
    int n_packed; /* doubles in the packed M */
    int n_state;  /* states of the section `states`                                     */
    int n_aux;    /* auxiliary states z: those, then of force elements, z' = f(t, q, u, z) */
    int n_slider; /* force elements with a stretch among them                      */
    int n_line;   /* lines of the ledger by element                                    */
    int n_book;   /* numbers that are booked of them: SP_LINE_BOOKED for each such line */
    int n_action; /* most actions of elements and formula (sp_dyn)                     */
    const sp_line *line;

    const sp_body *body;
    const sp_coord *coord; /* n_q   */
    const sp_dof *dof;     /* n_dof */
    const sp_point *point;
    const sp_force *force;
    const sp_own_state *state; /* n_state */
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
    const sp_clock *clock;
    const char *const *kink; /* n_kink: "force 'brake'", of whom each is */
    int n_solid;
    const sp_solid *solid;
    int n_display;
    const sp_display *display; /* the shapes of a body stand one behind the other */
    const sp_start_value *start;
    const sp_output *output;
    const sp_plot *plot;
    int n_probe, n_gauge, n_measure;
    const sp_func *probe; /* what measures and samples watch */
    bool probe_forces;    /* some read contacts or loads     */
    bool probe_lines;     /* some gauge reads the ledger by element */
    const sp_gauge *gauge;
    const sp_measure *measure;
    sp_sampling sampling;

    size_t expr_work; /* doubles of scratch for evaluating any func with second derivatives, outputs
                       * with first ones                                                   */
    int expr_input;   /* the largest number of signals of any func                         */
    size_t expr_hess; /* doubles of the largest Hessian that is needed                     */

    sp_run_settings run;
    sp_numbers numbers;
    sp_layout layout;
    sp_extent extent; /* what is small for gaps and coordinates */

    /* what is needed to repeat the run */
    const char *source_file, *source_text; /* of the main file                    */
    uint64_t source_others;                /* sp_spec_fingerprint                 */
    int n_override;
    const char *const *override_text; /* "mu=0.02"                           */
};

/* Fill layout and numbers.radius from the rest; the last act of building a model. */
sp_status sp_model_layout(sp_model *m, sp_error *err);

#endif
