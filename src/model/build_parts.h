/* model/build_parts.h - what the files of the model compiler share; nobody else includes it.
 *
 * The way through: parameters and functions (build_values.c), elements and their counts
 * (build_families.c), the order of bodies (build_tree.c), joints (build_joints.c) with prescribed
 * motions (build_motions.c), numbers of bodies and contours (build_bodies.c, build_contours.c),
 * inertia (build_inertia.c), forces (build_forces.c), laws (build_laws.c), contacts
 * (build_contacts.c, build_slots.c), start and run (build_start.c), outputs and plots
 * (build_outputs.c).  All of them look names up in build_look.c and build_refs.c. */
#ifndef SP_MODEL_BUILD_PARTS_H
#define SP_MODEL_BUILD_PARTS_H

#include "math/space.h"
#include "model/build.h"
#include "model/path.h"
#include "model/ritz.h"

typedef sp_index_link sp_names; /* from the names of a model file to numbers >= 0 */

/* ---- elements ------------------------------------------------------------------------------ */

typedef enum sp_part_kind {
    SP_PART_BODY,
    SP_PART_FORCE,
    SP_PART_STATE,   /* build_states.c */
    SP_PART_CONTACT, /* these three give rows to the contact problem, numbered together */
    SP_PART_COUPLING,
    SP_PART_JOINT, /* that closes a loop */
    SP_PART_PART   /* a copy of a template, in messages alone: its elements are of the others */
} sp_part_kind;

static inline bool sp_build_gives_rows(sp_part_kind kind)
{
    return kind == SP_PART_CONTACT || kind == SP_PART_COUPLING || kind == SP_PART_JOINT;
}

/* Names of elements, points, contours and corners are short enough for a path of them with indices,
 * "body.1000000.point", to fit into SP_WHAT_MAX bytes. */
enum { SP_INDEX_MAX = 3, SP_NAME_MAX = 60, SP_WHAT_MAX = 160 };

/* A table of the file: rows, which may have names, of cells, which are values.  build_rows.c */
typedef struct sp_rows {
    const char *name;
    int n_column, n_row;
    const sp_node *const *column; /* where their names stand               */
    const sp_node *const *row;    /* the rows; key NULL: they have no name */
    struct sp_value *cell;        /* row by row                            */
    bool broken;                  /* reported: say no more about it        */
} sp_rows;

/* A copy of a template.  build_templates.c */
typedef struct sp_instance {
    const char *name, *number; /* "leg.main"; "leg.1" */
    int outer;                 /* the part it belongs to, from 1; 0: to the model */
    const sp_node *template;
} sp_instance;

/* One entry of bodies, forces or contacts: an element, or an array of them by `count` or `each`. */
typedef struct sp_family {
    const char *name;
    const sp_node *node; /* NULL: the ground, if the file does not name it */
    sp_part_kind kind;
    int first, n;                    /* its elements, numbered in file order by kind   */
    int n_index, size[SP_INDEX_MAX]; /* n_index 0: no array                            */
    int from;                        /* the first index, of all of them                */
    const sp_rows *rows;             /* an element for each; NULL: by number           */
    bool broken;                     /* reported: say no more about it                 */
} sp_family;

/* What an expression may see. */
typedef enum sp_level {
    SP_LEVEL_Q,       /* parameters, i, j, k, n                       */
    SP_LEVEL_T,       /* also time                                    */
    SP_LEVEL_MEASURE, /* also coordinates, no velocities              */
    SP_LEVEL_F,       /* also velocities, and own names (sp_own)      */
    SP_LEVEL_OUTPUT   /* also contacts, energies and other outputs    */
} sp_level;

/* The names a force element has for its own measure. */
typedef enum sp_own {
    SP_OWN_NONE,
    SP_OWN_LENGTH, /* x, v                    */
    SP_OWN_ANGLE,  /* phi, omega              */
    SP_OWN_ANY,    /* units: off, both        */
    SP_OWN_SLIDE,  /* s, v of dof             */
    SP_OWN_TURN,   /* phi, omega of dof       */
    SP_OWN_SLIP,   /* slip, of tyres          */
    SP_OWN_PRESS,  /* g_N, v_N of contacts    */
    /* of contact laws, which see parameters and this alone */
    SP_OWN_SPEED,    /* v: how fast it slides    */
    SP_OWN_APPROACH, /* v_N: how fast it is hit  */
    /* of contours, likewise */
    SP_OWN_CURVE,   /* s                        */
    SP_OWN_SURFACE, /* u, v                     */
    SP_OWN_BEAM,    /* x, a place on a beam      */
    SP_OWN_PLATE    /* r, phi, one on a plate    */
} sp_own;

/* Where an expression stands: whom to name in messages, what it may see. */
typedef struct sp_scope {
    char what[SP_WHAT_MAX]; /* "body 'link.3'"                                */
    sp_level level;
    int n_index, index[SP_INDEX_MAX], n; /* i, j, k and n of an array element              */
    const sp_rows *rows;                 /* ... and its columns, NULL: none                */
    int row;
    sp_own own;
    int dof;         /* of SP_OWN_SLIDE and SP_OWN_TURN */
    uint64_t random; /* hash of the element's name, for rand */
    bool forces;     /* expressions of velocities and time make forces ...               */
    bool terms;      /* ... which are linear in what they come to (SP_CLOCK_TERM)        */
} sp_scope;

/* A reference, resolved: elements of one family, and the path behind them ("tip", "" if none). */
typedef struct sp_ref {
    const sp_family *family;
    int first, n; /* elements, file order; n > 1: the whole array */
    char rest[SP_WHAT_MAX];
} sp_ref;

/* ---- the compiler's own state ---------------------------------------------------------------- */

/* Along or about what a degree of freedom acts: an axis of the joint's frame, the joint's `axis`
 * or second one, or one of two directions in the plane that `axis` is the normal of. */
typedef enum sp_along {
    SP_ALONG_X,
    SP_ALONG_Y,
    SP_ALONG_Z,
    SP_ALONG_AXIS,
    SP_ALONG_SECOND,
    SP_ALONG_SIDE_X,
    SP_ALONG_SIDE_Y
} sp_along;

/* What one degree of freedom of a joint will be, and its names; the coordinates of a ball have
 * their own. */
typedef struct sp_move_plan {
    sp_move move;
    sp_along along;
    const char *q, *u;
} sp_move_plan;

enum { SP_MOVE_MAX = 6 };

/* A body on its way into the model, numbered in file order, 0 the ground. */
typedef struct sp_body_plan {
    const sp_family *family;
    const sp_node *joint; /* the map; NULL: free on the ground                     */
    const sp_node *ref;   /* whom it hangs on, NULL: ground                        */
    int parent;           /* plan                                                  */
    int body;             /* its number in the model                               */
    sp_joint_kind kind;
    int n_move; /* degrees of freedom, slides first                      */
    const sp_move_plan *move[SP_MOVE_MAX];
    int n_own;                          /* degrees of freedom by which it deforms ...   */
    int n_deform[SP_RITZ_PARTS];        /* ... by kind of function                      */
    const struct sp_body_kind *deforms; /* NULL: it is rigid                     */
    double beam_length, beam_edge[2];   /* of a `beam`, m, edges along y, z; 0: it is none */
    double plate[3];                    /* of a `plate`: radii, half the thickness, m; 0: none */
    int contour, n_contour, point, n_point;
    bool broken; /* an error was reported: do not build on it            */
} sp_body_plan;

/* A parameter: a number, or a vector of them. */
typedef enum sp_value_state {
    SP_VALUE_NEW,
    SP_VALUE_ACTIVE,
    SP_VALUE_DONE,
    SP_VALUE_FAILED
} sp_value_state;

typedef struct sp_value {
    const char *name;
    const sp_node *node, *text; /* under the name; the text or list with the value */
    const sp_scope *scope;      /* where it is given, NULL: in the model           */
    bool is_vector;
    int n;          /* entries                                        */
    double *number; /* SI                                             */
    sp_expr_info *info;
    sp_value_state state;
    int n_need, next_need, *need; /* parameters that must be known before this one  */
} sp_value;

/* A function of the file, "f(x, y)". */
typedef struct sp_own_function {
    sp_function function;
    const sp_node *node;
    bool is_table;        /* given by points ...        */
    sp_value_state state; /* ... and whether they are read */
} sp_own_function;

/* An output on its way into the model. */
typedef struct sp_output_plan {
    const sp_node *node;
    const char *text; /* the expression with other outputs put in, NULL: not yet */
    sp_value_state state;
    const char *next; /* where looking for other outputs in it goes on            */
    int output;       /* number in the model, SP_NONE: it failed                  */
} sp_output_plan;

/* One side of a contact: contours, each once.  seat[c]: whether and where contour c is in it. */
typedef struct sp_seat {
    int contact, position; /* number of the contact + 1 */
} sp_seat;

typedef struct sp_side {
    int contact; /* number of the contact the side belongs to */
    int n, *contour;
    sp_seat *seat;
} sp_side;

typedef struct sp_press_plan sp_press_plan; /* build_press.c */

typedef struct sp_build {
    const sp_spec *spec;
    const sp_node *root;
    sp_diag *diag;
    sp_model *m;
    sp_arena *arena;  /* of the model                              */
    sp_arena scratch; /* gone after the build                      */
    bool no_memory;
    bool units; /* check dimensions                          */
    int dim;    /* 2: plane, 3: space                        */
    double seed;

    bool making_table;
    int n_value, n_function;
    sp_value *value;
    sp_own_function *function;
    sp_names value_names, function_names;

    int n_instance; /* of templates, and the tree with them in it; NULL: there are none */
    sp_instance *instance;
    sp_spec *made;
    bool parts_failed;

    int n_rows; /* tables */
    sp_rows *rows;
    sp_names rows_names;

    int n_path;
    struct sp_path_plan *path; /* build_paths.c */
    sp_names path_names;

    int n_family, n_force, n_state, n_contact; /* elements of these kinds; bodies: n_plan */
    sp_family *family;
    sp_names family_names;

    int n_plan;
    sp_body_plan *plan;
    int *plan_of; /* model number of a body -> plan */

    sp_body *body; /* being written; the model's are const */
    sp_body_numbers *body_numbers;
    sp_space_numbers *space; /* in space */
    sp_coord *coord;
    sp_dof *dof;
    sp_dof_numbers *dof_numbers;

    /* growing */
    int n_contour, n_vertex, n_point, n_law;
    sp_contour *contour;
    sp_contour_numbers *contour_numbers;
    double (*vertex)[2];
    sp_point *point;
    double (*point_place)[3];
    sp_rot3 *point_axes; /* frames of points, for bushings */
    sp_law_numbers *law;
    sp_law *law_func;
    const char **law_name;
    sp_press_plan *press; /* n_press: contacts by a force (build_press.c) */
    int n_press;
    sp_names contour_names, point_names, law_names;

    sp_motion *motion;
    int n_motion;
    sp_clock *clock;
    int n_clock;
    int n_kink; /* of expressions, by the state: of whom */
    const char **kink;
    sp_solid *solid;
    int n_solid;
    sp_display *display;
    int n_display;
    const char **remark;
    int n_remark;
    sp_pairs_left_out *left_out;
    int n_left_out;

    sp_contact *contact;
    sp_seat *seat[2]; /* by contour, for the sides of the contact being built */
    sp_slot *slot;
    int n_slot;
    int *rigid; /* by body: the first body of those it is welded together with */
    sp_names slot_names;
    bool slots_named; /* slot_names is filled */
    sp_pool *pool;
    int n_pool;
    const sp_curve **curve; /* sp_contour.form - 1 */
    const sp_surface **surface;
    int n_curve, n_surface;
    const sp_places **places; /* of pairs with curves, each once */
    int n_places;
    int room;                    /* of the contact being built, 0: not given */
    struct sp_wedge_plan *wedge; /* build_wedge.c, by rising contour */
    int n_wedge;

    int n_output;
    sp_output *output;
    sp_names output_names; /* -> plans */
    int n_output_plan;
    sp_output_plan *output_plan;
    int n_probe, n_gauge; /* build_measures.c */
    sp_func *probe;
    sp_gauge *gauge;

    sp_own_state *state; /* n_state; being written, and their dimensions */
    sp_dim *state_dim;

    sp_dim *formula_dim; /* by formula coordinate */
    sp_names formula_names;

    int n_rule, n_loop, n_bond;
    sp_rule *rule;
    sp_loop *loop;
    sp_loop_numbers *loop_numbers;
    sp_slot *bond;

    const sp_func *gravity_law; /* three of them; NULL: gravity is a number */
    size_t expr_work, expr_hess;
    int expr_input;
    const char *file, *kept_file;   /* of sp_build_place                                */
    const sp_message *last_grammar; /* the last message about structure, NULL: none was */
} sp_build;

/* ---- build.c: memory and messages ----------------------------------------------------------- */

/* Zeroed memory of the scratch or the model's arena; on failure NULL, and the build will fail. */
void *sp_build_alloc(sp_build *b, sp_arena *arena, size_t n, size_t size);
#define SP_BUILD_NEW(b, arena, type, n)                                                            \
    ((type *)sp_build_alloc((b), (arena), (size_t)(n), sizeof(type)))

/* Room for item n of a list in scratch memory that grows by one; list: address of the pointer to
 * its items, which are moved where there is no room.  False: no memory. */
bool sp_build_room(sp_build *b, void *list, int n, size_t item);
#define SP_BUILD_ROOM(b, items, n) sp_build_room((b), &(items), (n), sizeof *(items))

/* The number stored for a name of n bytes, SP_NONE if there is none. */
int sp_names_find(const sp_names *names, const char *name, size_t n);

/* Store a number for a name, which must stay; the first one wins.  False if there is no memory. */
bool sp_build_name(sp_build *b, sp_names *names, const char *name, int number);

/* Text in the model's arena, of any length. */
const char *sp_build_printf(sp_build *b, const char *fmt, ...) SP_PRINTF(2, 3);

/* Whether the structure at this very place was found wrong. */
bool sp_build_is_reported(const sp_build *b, sp_place place);

/* Add an error at a place, shifted by `offset` columns into the scalar that begins there; none
 * where the structure was found wrong already. */
void sp_build_error(sp_build *b, sp_place place, size_t offset, const char *fmt, ...)
    SP_PRINTF(4, 5);

/* ", did you mean 'upper'? (has: lower, upper)" for names that are there; buf is filled. */
void sp_build_suggest(sp_build *b, const char *word, const char **name, int n, char *buf,
                      size_t size);

/* Whether a name is not too long; one that is is reported at its key. */
bool sp_build_short_name(sp_build *b, const char *noun, const char *name, sp_place place);

/* A place whose file name lives as long as the model. */
sp_place sp_build_place(sp_build *b, sp_place place);

/* The text of a node, NULL if it is NULL or not a text. */
const char *sp_build_text(const sp_node *node);

/* Whether a flag is set; `yes` or `true`. */
bool sp_build_flag(const sp_node *node);

/* ---- build_look.c: what names mean ---------------------------------------------------------- */

/* One compilation: its scope, what it met on the way. */
typedef struct sp_look {
    sp_build *b;
    sp_scope *scope;
    bool poisoned;   /* it met something that was reported already: no second message */
    bool dependence; /* the sentence says "must not depend on ..."                    */
    int n_signal;
    sp_signal *signal;
    int n_need, *need;   /* parameters met that are not known yet            */
    const sp_node *node; /* what is compiled, and how many rand it had so far */
    int n_random;
    bool clocks; /* the motion depends on it: parts of time alone are clocks */
} sp_look;

/* A resolver that finds names for look in the text of a node. */
sp_resolver sp_build_resolver(sp_look *look, const sp_node *node);

/* A hash with the letters of a text and its end added to it. */
uint64_t sp_build_hash(uint64_t hash, const char *text);

/* The signal that a path behind a body stands for ("center.x", "tip.vy", "joint.phi").  False with
 * the sentence in err. */
bool sp_build_signal(sp_build *b, int plan, const char *rest, sp_signal *out, sp_dim *dim,
                     sp_error *err);

/* A place on a body: its origin (""), "center", or a point.  False with the sentence in err. */
bool sp_build_point(sp_build *b, int plan, const char *rest, double at[3], sp_error *err);

/* The axes that go with it: the body's, or those of a point with a turn. */
sp_rot3 sp_build_point_axes(const sp_build *b, int plan, const char *rest);

/* ---- build_refs.c: scopes of elements and references to them -------------------------------- */

/* "body", "force", ... */
const char *sp_build_noun(sp_part_kind kind);

/* A scope for element k of a family, or for anything else with a name of its own. */
sp_scope sp_build_scope(const sp_family *family, int k);
sp_scope sp_build_scope_of(const char *fmt, ...) SP_PRINTF(1, 2);

/* Name of element k of a family: "crank", "link.3", "ball.2.1". */
void sp_build_element_name(const sp_family *family, int k, char *buf, size_t size);

/* A name that the scope has of its own: measure and rate of a force, speed of a law,
 * parameters of a curve or a surface. */
bool sp_build_own_signal(const sp_look *look, const char *name, sp_signal *signal, sp_dim *dim);

/* Resolve a canonical path to elements of a kind (NULL: any).  False with the sentence in err. */
bool sp_build_resolve(sp_build *b, const sp_part_kind *kind, const char *path, sp_ref *ref,
                      sp_error *err);

/* Resolve a reference as written in node.  One error is reported if it leads nowhere. */
bool sp_build_ref(sp_build *b, sp_scope *scope, const sp_node *node, sp_ref *ref);

/* The same for places that want one body and what is behind it. */
bool sp_build_body_ref(sp_build *b, sp_scope *scope, const sp_node *node, sp_ref *ref);

/* ---- build_values.c: parameters, functions and quantities ----------------------------------- */

void sp_build_values(sp_build *b);
void sp_build_functions(sp_build *b);
void sp_build_tables(sp_build *b);

/* Make a table that an expression asks for; what it needs in turn is put into asks.  False with the
 * sentence in err if it cannot be used there.  build_tables.c */
bool sp_build_table(sp_build *b, int function, sp_look *asks, sp_error *err);

/* A number of any dimension; what it is and what it needs are in info and look. */
bool sp_build_number(sp_look *look, const sp_node *node, const char *key, double *value,
                     sp_expr_info *info);

/* A quantity of level Q.  False if it is not there, no text, or wrong, which was reported. */
bool sp_build_quantity(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                       sp_dim want, const char *want_text, double *value);

/* The value in a message: as written, with the number if that is not obvious; returns buf. */
const char *sp_build_shown(const char *text, double value, char *buf, size_t size);

#define SP_BUILD_LARGEST  1e100  /* SI: larger masses, forces, stiffnesses overflow in products */
#define SP_BUILD_SMALLEST 1e-300 /* smaller numbers lose digits; one over them overflows        */

/* A quantity > 0 (or >= 0, if zero is allowed), neither too small nor, with a mass in its unit, too
 * large to compute with. */
bool sp_build_positive(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                       sp_dim want, bool zero, double *value);

/* A warning if the stiffness or damping of a spring, which was read from node, is negative. */
void sp_build_warn_of_push(sp_build *b, const sp_scope *scope, const sp_node *node, const char *key,
                           double value);

/* A vector with as many entries as the space has dimensions; a direction: a vector, in the plane
 * also an angle, made a unit vector. */
bool sp_build_vector(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                     sp_dim want, double *value);
bool sp_build_direction(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                        double *value);

/* A rotation in space: a turn or a list of turns.  build_turns.c */
bool sp_build_turn(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, sp_rot3 *R);
void sp_build_store_turn(sp_rot3 R, double m[9]);

/* A frame with the y axis along a unit vector.  build_press.c */
sp_rot3 sp_build_axes_by_normal(sp_vec3 y);

/* The same in plane or space: an angle about z, or turns. */
bool sp_build_axes(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, sp_rot3 *R);

/* build_paths.c: the paths of the file; the number of the one that a path of names begins with,
 * SP_NONE: none; the value behind it, "belt.3.x". */
void sp_build_paths(sp_build *b);
int sp_build_find_path(const sp_build *b, const char *path);
sp_status sp_build_path_value(sp_build *b, int k, const char *path, double *value, sp_dim *dim,
                              bool *poisoned, sp_error *err);

/* Whether a path of names is that of a link, "belt.3": where it is, or that its path is poisoned.
 */
bool sp_build_is_link(const sp_build *b, const char *path, sp_path_at *at, bool *poisoned);

/* Whether a joint is placed on a path by `along` and `station`, and where; false after errors, too.
 */
bool sp_build_along(sp_build *b, sp_scope *scope, const sp_node *joint, sp_path_at *at);

/* Whether a text is the name of a parameter that is a vector. */
bool sp_build_is_vector(sp_build *b, const sp_node *node);

/* Add a parameter: the value of a node that sees what scope says (NULL: the model's parameters), or
 * the same as another (not NULL).  Compute those from number `first` on. */
bool sp_build_add_value(sp_build *b, const char *name, const sp_node *node, const sp_scope *scope,
                        const sp_value *same);
void sp_build_compute_values(sp_build *b, int first);

/* build_rows.c: the tables of the file; the table that `each` names, NULL after an error; the row
 * with this name (n bytes), SP_NONE: none; the cell that a name stands for in a scope, NULL: none.
 */
void sp_build_rows(sp_build *b);

/* build_templates.c: parts, put into the tree.  How many a family is (build_families.c). */
void sp_build_templates(sp_build *b);
void sp_build_read_count(sp_build *b, sp_family *f);

/* The family that the beginning of a path names, n bytes of it; SP_NONE: none.  Whether the path
 * begins like a part. */
int sp_build_find_family(const sp_build *b, const char *path, size_t *n);
bool sp_build_is_part(const sp_build *b, const char *path);

/* A path in the text of a node as the model knows it: names of elements, of parameters, of both or
 * of outputs mean first those of the part that the node belongs to, then of those around it.  The
 * other way: without the part, for suggestions. */
typedef enum sp_meant { SP_MEANT_ELEMENT, SP_MEANT_VALUE, SP_MEANT_ANY, SP_MEANT_OUTPUT } sp_meant;
const char *sp_build_own(sp_build *b, const sp_node *node, const char *path, sp_meant kind);
const char *sp_build_own_short(const sp_build *b, const sp_node *node, const char *name);

/* The entry of a section that a name in the text of a node means, likewise; NULL: none. */
const sp_node *sp_build_own_entry(sp_build *b, const sp_node *node, const char *section,
                                  const char *name);

/* Store a number for the name of a node's element; for those of parts of tables with the number of
 * the row, too. */
bool sp_build_name_of_part(sp_build *b, sp_names *names, const sp_node *node, const char *name,
                           int number);

const sp_rows *sp_build_each(sp_build *b, const sp_scope *scope, const sp_node *node);
int sp_build_row(const sp_rows *rows, const char *name, size_t n);
const sp_value *sp_build_cell(const sp_scope *scope, const char *name);

/* An expression of the scope's level; want NULL: any dimension, which is put into *info. */
bool sp_build_func(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                   const sp_dim *want, const char *want_text, sp_func *func, sp_expr_info *info);

/* Report a failed compilation of a text at a node. */
void sp_build_report(sp_build *b, const sp_look *look, const sp_node *node, const char *key,
                     size_t offset, const sp_error *err);

/* Turn a program and the signals it met into a func. */
bool sp_build_finish_func(sp_build *b, const sp_look *look, const sp_program *program,
                          const sp_expr_info *info, sp_func *func);

/* A whole number of level Q, at least `least`: `count`, `room`. */
bool sp_build_count(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, int least,
                    int *value);

/* ---- the sections, in the order in which they are called ------------------------------------ */

void sp_build_families(sp_build *b); /* build_families.c: elements and their counts             */
void sp_build_tree(sp_build *b);     /* build_tree.c: order of bodies, degrees of freedom        */
void sp_build_bodies(sp_build *b);   /* build_bodies.c: their numbers, points, contours          */
void sp_build_inertia(sp_build *b);  /* build_inertia.c: no motion without inertia               */
void sp_build_motions(sp_build *b);  /* build_motions.c: prescribed coordinates and velocities   */
void sp_build_contour(sp_build *b, sp_scope *scope, int plan, const sp_node *node);
void sp_build_contour_space(sp_build *b, sp_scope *scope, int plan, const sp_node *node);

/* build_curves.c: an arc, a spline or a curve by expressions in the plane; false if the contour is
 * of another kind.  A profile of a surface, by points or expressions; NULL after an error. */
bool sp_build_curve(sp_build *b, sp_scope *scope, int plan, const sp_node *node);
const sp_curve *sp_build_profile(sp_build *b, sp_scope *scope, const sp_node *node,
                                 const sp_node *value);

/* Numbers of a list, all of one dimension; false after an error. */
bool sp_build_numbers(sp_build *b, sp_scope *scope, const sp_node *list, const char *key, int n,
                      sp_dim want, double *value);

/* build_surfaces.c: a smooth surface in space; false if the contour is of another kind.  The
 * surface of a plane or a hollow sphere that can touch one, made when it is first asked for. */
bool sp_build_surface(sp_build *b, sp_scope *scope, int plan, const sp_node *node);

/* build_faces.c: likewise of elastic bodies in space. */
bool sp_build_face(sp_build *b, sp_scope *scope, int plan, const sp_node *node);

/* build_surfaces.c: put a surface into the list; its number from 1 on, 0: no memory. */
int sp_build_add_surface(sp_build *b, const sp_surface *s);
void sp_build_need_surface(sp_build *b, int contour);

/* build_shapes.c: a contour with edges in space; false if it is of another kind. */
bool sp_build_shape(sp_build *b, sp_scope *scope, int plan, const sp_node *node);

/* build_mass.c: the entries xx, yy, zz, xy, xz, yz of an inertia in space. */
void sp_build_inertia_tensor(sp_build *b, sp_scope *scope, const sp_node *node, double tensor[6]);

/* Shapes of a body in space; mass, centre and inertia from them (in the plane from the contours)
 * and the density, if there is one. */
void sp_build_density(sp_build *b, sp_scope *scope, int plan, const sp_node *body);

/* A solid under 'shape' or another key: its kind, sizes, place and turn; false after an error. */
bool sp_build_solid(sp_build *b, sp_scope *scope, const char *key, const sp_node *node,
                    sp_solid *s);

/* Shapes of a body for pictures, node may be NULL.  build_display.c */
void sp_build_display(sp_build *b, sp_scope *scope, int body, const sp_node *node);

/* build_elastic.c: how many functions a body deforms by; their degrees of freedom, behind those of
 * its joint; the signal that the name of one stands for (false: none); mass of a beam and its form.
 */
int sp_build_own_count(sp_build *b, int plan);
void sp_build_own_dofs(sp_build *b, int body, int *n_dof, int *n_q, long long *n_packed);
bool sp_build_shape_signal(const sp_build *b, int plan, const char *rest, sp_signal *out,
                           sp_dim *dim);
void sp_build_beam(sp_build *b, sp_scope *scope, int plan, const sp_node *node);
bool sp_build_alone(sp_build *b, const sp_scope *scope, const sp_node *body, const char *by);
void sp_build_mark_shapes(sp_build *b);              /* of what steps look at */
void sp_build_remarks(sp_build *b);                  /* on restitution of elastic bodies */
void sp_build_remark(sp_build *b, const char *text); /* which the model keeps */

/* build_wedge.c: how many coordinates along the axis a body has by its contours, and their names;
 * a groove or a rocker (false: the contour is of another kind); masses of their bodies, when they
 * are known; whether two contours that could touch are an end of a rocker and the flank of the
 * other end; the rule of the contact of two, SP_NONE after an error. */
typedef struct sp_wedge_bend {
    double radius, cube; /* half of the width has cube (r - radius)^3 more beyond, m, 1/m^2 */
} sp_wedge_bend;
typedef struct sp_wedge_plan {
    int contour, plan;
    const char *key;      /* of the contour, and of its point              */
    double side;          /* in space the end or flank: -1 below, +1 above */
    double radius, slope; /* groove: where it is so wide, how steep there  */
    double width;         /* half of it, or of the rocker's length         */
    int n_bend;           /* 0: a cone                                     */
    sp_wedge_bend *bend;
    struct sp_wedge *form; /* what moves along the axis, NULL: nothing             */
} sp_wedge_plan;
int sp_build_wedge_count(sp_build *b, int plan);
const char *sp_build_wedge_name(const sp_build *b, int plan, int k);
bool sp_build_wedge(sp_build *b, sp_scope *scope, int plan, const sp_node *node);
void sp_build_wedge_masses(sp_build *b);
bool sp_build_ends_apart(const sp_build *b, int first, int second);
int sp_build_wedge_rule(sp_build *b, sp_scope *scope, sp_place place, int rocker, int groove);

/* build_part.c: how many functions the part of a file has here; mass and form of a body from it, or
 * from shapes of any origin; what a place on it needs. */
struct sp_modal;
typedef struct sp_modal_plan {
    const struct sp_part *part;
    const char *what, *axes; /* what it is; where its axes are, for people */
    double damping;
    void (*shape)(const struct sp_modal *form, const double *at, double *row); /* as in sp_modal */
    void (*slopes)(const struct sp_modal *form, const double *at, int k, sp_vec3 by[3],
                   sp_vec3 bend[6]);
    const void *more;
} sp_modal_plan;
/* build_elastic.c: the section of a beam; build_round.c: rings and plates. */
struct sp_beam;
/* build_given.c: bending functions by expressions. */
bool sp_build_given(sp_build *b, sp_scope *scope, const sp_node *list, struct sp_beam *beam);
bool sp_build_section(sp_build *b, sp_scope *scope, const sp_node *map, struct sp_beam *beam);
int sp_build_round_count(sp_build *b, sp_scope *scope, const sp_node *body, const sp_node *elastic);
void sp_build_round(sp_build *b, sp_scope *scope, int plan, const sp_node *body);
int sp_build_part_count(sp_build *b, const sp_scope *scope, const sp_node *elastic);
void sp_build_part(sp_build *b, sp_scope *scope, int plan, const sp_node *body,
                   const sp_node *elastic);
void sp_build_modal(sp_build *b, const sp_scope *scope, int plan, const sp_node *map,
                    const sp_modal_plan *shape);
const double *sp_build_modal_shape(sp_arena *arena, const sp_body *body, const double *at,
                                   bool *failed);

/* build_joints.c: kind, parent and degrees of freedom of a joint; its numbers; the kind key that is
 * in a map, NULL if there is none. */
const sp_node *sp_build_joint_kind(const sp_node *joint, sp_joint_kind *kind);
void sp_build_read_joint(sp_build *b, int plan);
void sp_build_joint_numbers(sp_build *b, sp_scope *scope, int plan);

/* The two directions in the plane of a normal: the first along that axis of the frame which
 * follows (x, y, z, x) the one nearest to the normal, as far as it lies in the plane. */
void sp_build_sides(sp_vec3 n, sp_vec3 *first, sp_vec3 *second);

/* The dimension of a coordinate or a rate, with the words for it if the usual ones mislead. */
sp_dim sp_build_coordinate_dim(const sp_dof *dof, bool rate);
const char *sp_build_coordinate_text(const sp_dof *dof, bool rate);

/* A point of a body and its axes (NULL: the body's); a name that is taken is an error at place, or,
 * if that is NULL, none. */
void sp_build_add_point(sp_build *b, int plan, const char *name, const double at[3],
                        const sp_rot3 *axes, const sp_place *place);

/* build_laws.c: named laws; the law of a contact (the number of a named one, or of a new one with
 * the contact's name; SP_NONE: reported); one without friction and restitution; that of impacts. */
void sp_build_laws(sp_build *b);
int sp_build_contact_law(sp_build *b, sp_scope *scope, const sp_node *law, const char *name);

/* What the law of a contact between contours gives as `force`, NULL: nothing; other contacts refuse
 * it. */
const sp_node *sp_build_law_force(sp_build *b, const sp_scope *scope, const sp_node *law);
void sp_build_no_force(sp_build *b, const sp_scope *scope, const sp_node *law);
int sp_build_soft_law(sp_build *b, const char *name);
void sp_build_impact(sp_build *b);

/* build_spot.c: drilling, rolling and adhesion of a law map, on top of what is there; and what must
 * fit together once all is read. */
bool sp_build_spot(sp_build *b, sp_scope *scope, const sp_node *map, const char *before,
                   sp_law *law, sp_law_numbers *n);
bool sp_build_check_spot(sp_build *b, const sp_scope *scope, const sp_node *map, const sp_law *law,
                         sp_law_numbers *n);
void sp_build_contacts(sp_build *b); /* build_contacts.c */
void sp_build_forces(sp_build *b);   /* build_forces.c, build_elements.c */
void sp_build_start(sp_build *b);    /* build_start.c    */

/* build_states.c: states with their units and values at the start; their rates; what the name of
 * one stands for. */
void sp_build_states(sp_build *b);
void sp_build_state_rates(sp_build *b);
sp_status sp_build_state_signal(sp_build *b, const char *path, sp_signal *signal, sp_dim *dim,
                                sp_error *err);

/* build_formula.c: how many coordinates; their degrees of freedom, behind those of the joints;
 * their expressions. */
int sp_build_formula_count(const sp_build *b);
void sp_build_formula_dofs(sp_build *b, int *n_dof, int *n_q, long long *n_packed);
void sp_build_formula(sp_build *b);

/* The signal that the name of a formula coordinate or its rate (`y'`) stands for; false: none. */
bool sp_build_formula_signal(const sp_build *b, const char *path, sp_signal *signal, sp_dim *dim);

/* build_rules.c: a contact by its gap; a coupling; stops and dry friction of a measure.  law
 * SP_NONE: it was reported. */
void sp_build_gap_contact(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law);
void sp_build_coupling(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law);
void sp_build_range(sp_build *b, sp_scope *scope, const sp_node *node, const sp_rule *measure,
                    sp_dim dim, int contact, int law);
void sp_build_dry_friction(sp_build *b, sp_scope *scope, const sp_node *node,
                           const sp_rule *measure, sp_dim dim, int contact);
void sp_build_add_bond(sp_build *b, const sp_slot *bond);

/* Add a rule, its support found; its number, SP_NONE without memory.  Whether a law suits a contact
 * by expressions with so many slips; what it is in a message if it does not. */
int sp_build_add_rule(sp_build *b, sp_rule rule);
bool sp_build_law_suits(sp_build *b, const sp_scope *scope, sp_place place, int law, int n_slip);

/* Degrees of freedom that move two bodies, falling, in the model's memory. */
const int *sp_build_support(sp_build *b, int body_a, int body_b, int *n);

/* build_loops.c: a joint that closes a loop. */
void sp_build_loop(sp_build *b, sp_scope *scope, const sp_node *node, int contact);

/* build_clearance.c: a joint with play, as contours and contacts; how many contact points.  law
 * SP_NONE: it was reported. */
int sp_build_clearance(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law);

/* The same for the joint that carries a body, which moves freely then. */
int sp_build_tree_clearance(sp_build *b, sp_scope *scope, int plan, int contact, int law);

/* build_contours.c: room for n more vertices, the first of them, NULL: no memory; a finished
 * contour into the list. */
double (*sp_build_new_vertices(sp_build *b, int n))[2];

/* build_split.c: convex pieces of a counter-clockwise polygon whose sides do not meet: corners by
 * number, counter-clockwise; piece: room for n - 2 of n corners each, scratch: n.  How many, 0: it
 * cannot be split.  What turns by less than tiny (twice an area) is straight. */
typedef struct sp_piece {
    int n, *corner;
} sp_piece;
int sp_build_split(int n, double (*v)[2], double tiny, int *scratch, sp_piece *piece);

/* Whether two sides that are not neighbours meet; which. */
bool sp_build_crosses_itself(int n, double (*v)[2], double tiny, int side[2]);
void sp_build_add_contour(sp_build *b, int plan, const char *name, sp_contour contour,
                          const sp_contour_numbers *numbers);

/* build_loads.c: what forces come to, for outputs: the signal behind a body (false: none of these),
 * a force element, a joint that closes a loop or a coupling. */
bool sp_build_body_load(sp_build *b, int plan, const char *rest, sp_signal *out, sp_dim *dim);
sp_status sp_build_element_load(sp_build *b, const sp_ref *ref, sp_signal *out, sp_dim *dim,
                                sp_error *err);
sp_status sp_build_row_load(sp_build *b, const sp_ref *ref, sp_signal *out, sp_dim *dim,
                            sp_error *err);

/* build_contact_signals.c: a quantity of a contact point, "guide.c1.upper.g_N"; poisoned: its
 * contact was reported already.  Whether a path behind a body is that of a contact of its joint. */
sp_status sp_build_contact_signal(sp_build *b, const char *path, bool *poisoned, sp_signal *out,
                                  sp_dim *dim, sp_error *err);
bool sp_build_joint_contact(sp_build *b, const char *path);

void sp_build_run(sp_build *b);
void sp_build_outputs(sp_build *b); /* build_outputs.c  */

/* An expression as outputs are, part of the text of a node from `offset` on; *unit of its value.
 * False after an error. */
bool sp_build_output_func(sp_build *b, sp_scope *scope, const sp_node *node, const char *text,
                          size_t offset, sp_func *func, sp_expr_info *info, const char **unit);

/* Behind a number and the unit that may follow it after a blank. */
const char *sp_build_skip_number(const char *p);

void sp_build_measures(sp_build *b); /* build_measures.c: measures, and what studies sample */

/* A force element on its way: where it stands in the file, what is written. */
typedef struct sp_force_plan {
    sp_scope scope;
    const char *key;             /* the kind key, "spring"                         */
    const sp_node *node, *value; /* the map; the value of its kind key, or `first` */
    sp_force *force;
    sp_force_numbers *numbers;
} sp_force_plan;

/* A place on one body, for point k of the element; a body alone means its origin, or its centre of
 * mass if `center` is set. */
bool sp_build_force_place(sp_build *b, sp_force_plan *p, const sp_node *node, bool center, int k);

/* Two points (by_points), or an expression of coordinates; whether its measure is an angle. */
bool sp_build_measure(sp_build *b, sp_force_plan *p, const char *key, bool *angle);

/* The degree of freedom that `crank.joint` or `crank.joint.phi` means, SP_NONE after an error. */
int sp_build_driven_dof(sp_build *b, sp_force_plan *p);

void sp_build_pull(sp_build *b, sp_force_plan *p, const sp_pull_law *law); /* build_elements.c */
void sp_build_bushing(sp_build *b, sp_force_plan *p);
void sp_build_drag(sp_build *b, sp_force_plan *p);
void sp_build_tyre(sp_build *b, sp_force_plan *p); /* build_tyre.c */
void sp_build_motor(sp_build *b, sp_force_plan *p);

/* build_sliders.c: dry friction with stiffness.  Whether a coupling (or a joint) has it; its
 * element; those of joints, into the arrays if they are there, and how many. */
bool sp_build_is_slider(const sp_node *node);
void sp_build_slider(sp_build *b, sp_force_plan *p);
int sp_build_joint_sliders(sp_build *b, sp_force *force, sp_force_numbers *numbers);

/* build_contacts.c: the coordinate of a joint as a measure; false if it has not exactly one. */
bool sp_build_joint_measure(sp_build *b, sp_scope *scope, const sp_body *body, const sp_node *node,
                            sp_rule *rule, sp_dim *dim);

/* build_press.c: force elements for the pairs of two sides whose law gives a force; all of them
 * behind the others; what outputs may ask of one, by the path of a contact. */
void sp_build_presses(sp_build *b, const sp_scope *scope, sp_place place, sp_contact *contact,
                      int law, const sp_node *force, const sp_side side[2]);
void sp_build_add_presses(sp_build *b);
bool sp_build_press_signal(sp_build *b, const char *path, sp_signal *out, sp_dim *dim,
                           sp_error *err);

/* build_slots.c: all contact points between two sides.  Returns how many, 0 after an error. */
int sp_build_slots(sp_build *b, const sp_scope *scope, sp_place place, int law,
                   const sp_side *side_a, const sp_side *side_b);

/* build_pools.c: the same for sides in space with very many pairs, or where the file says `room`:
 * slots that are assigned to pairs while they are near. */
bool sp_build_wants_pool(const sp_build *b, const sp_side *side_a, const sp_side *side_b);
int sp_build_pool(sp_build *b, const sp_scope *scope, sp_place place, int law,
                  const sp_side *side_a, const sp_side *side_b);
/* Whether extruded surfaces meet planes, which needs such slots, and others, which cannot. */
bool sp_build_is_mixed(const sp_build *b, const sp_side *side_a, const sp_side *side_b);

/* Number of the slot with a name, SP_NONE if there is none. */
int sp_build_find_slot(sp_build *b, const char *name);

#endif
