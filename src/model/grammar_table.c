/* model/grammar_table.c - the keys of model files: data only, from the leaves up to the file. */
#include "model/grammar.h"

#define KEY(name, value, ...)                                                                      \
    {                                                                                              \
        .key = name, .type = &value, __VA_ARGS__                                                   \
    }
#define LATER(name, sentence)                                                                      \
    {                                                                                              \
        .key = name, .flags = SP_KEY_LATER, .text = sentence                                       \
    }
#define END                                                                                        \
    {                                                                                              \
        .key = NULL                                                                                \
    }
#define WORD(name)                                                                                 \
    {                                                                                              \
        .word = name                                                                               \
    }
#define WORD_LATER(name)                                                                           \
    {                                                                                              \
        .word = name, .later = true                                                                \
    }
#define WORD_END                                                                                   \
    {                                                                                              \
        .word = NULL                                                                               \
    }

enum { LATER_LIST = 1 << SP_NODE_LIST, LATER_MAP = 1 << SP_NODE_MAP };

typedef sp_grammar_key key;
typedef sp_grammar_type type;
typedef sp_grammar_word word;
typedef sp_grammar_element element;

/* ---- names that are taken ------------------------------------------------------------------ */

static const char *const no_value_name[] = {
    "t",    "pi",   "ground", "mod",  "and",   "or",    "not",   "if",   "sin", "cos",
    "tan",  "asin", "acos",   "atan", "atan2", "sinh",  "cosh",  "tanh", "exp", "log",
    "sqrt", "abs",  "sign",   "min",  "max",   "clamp", "floor", "rand", NULL};
static const char *const no_element_name[] = {"t", "pi", "ground", "energy", NULL};
static const char *const no_body_name[] = {"t", "pi", "energy", NULL}; /* ground may stand there */
static const char *const no_output_name[] = {"t", "pi", "ground", NULL};
static const char *const no_part_name[] = {"x",  "y",     "z",    "phi",   "vx",     "vy",
                                           "vz", "omega", "turn", "joint", "center", NULL};

/* ---- simple values ------------------------------------------------------------------------- */

static const type text = {.what = "a text", .leaf = SP_LEAF_TEXT};
static const type name = {.what = "a name (letters, digits and _)", .leaf = SP_LEAF_NAME};
static const type reference = {.what = "a reference such as 'rod' or 'rod.tip'",
                               .leaf = SP_LEAF_REFERENCE};
static const type integer = {.what = "a whole number", .leaf = SP_LEAF_INTEGER};
static const type quantity = {.what = "a quantity", .leaf = SP_LEAF_QUANTITY};

static const type files = {
    .what = "a file name or a list of them", .leaf = SP_LEAF_TEXT, .item = &text, .n_min = 1};
static const type names = {.what = "a list of names", .item = &name, .n_min = 1};
static const type counts = {.what = "a number or a list of numbers [n_i, n_j, n_k]",
                            .leaf = SP_LEAF_QUANTITY,
                            .item = &quantity,
                            .n_min = 1,
                            .n_max = 3};
static const type quantities = {.what = "a quantity or a list of quantities",
                                .leaf = SP_LEAF_QUANTITY,
                                .item = &quantity,
                                .n_min = 1};
/* in space a list, in the plane one quantity */
static const type quantity_in_plane = {
    .what = "a quantity", .leaf = SP_LEAF_QUANTITY, .later = LATER_LIST};

static const type point = {.what = "a point [x, y]",
                           .leaf = SP_LEAF_NAME, /* of a parameter that is a list */
                           .item = &quantity,
                           .n_min = SP_GRAMMAR_PLANE,
                           .n_max = SP_GRAMMAR_PLANE};
static const type direction = {.what = "a direction, [x, y] or an angle",
                               .leaf = SP_LEAF_QUANTITY,
                               .item = &quantity,
                               .n_min = SP_GRAMMAR_PLANE,
                               .n_max = SP_GRAMMAR_PLANE};
static const type vector = {.what = "a vector [x, y]",
                            .item = &quantity,
                            .n_min = SP_GRAMMAR_PLANE,
                            .n_max = SP_GRAMMAR_PLANE};
static const type scalar_or_vector = {.what = "a quantity or a vector [x, y]",
                                      .leaf = SP_LEAF_QUANTITY,
                                      .item = &quantity,
                                      .n_min = SP_GRAMMAR_PLANE,
                                      .n_max = SP_GRAMMAR_PLANE};
static const type turn = {
    .what = "an angle", .leaf = SP_LEAF_QUANTITY, .later = LATER_LIST | LATER_MAP};
static const type two_points = {
    .what = "two points [[x, y], [x, y]]", .item = &point, .n_min = 2, .n_max = 2};
static const type corners = {
    .what = "three or more points [[x, y], ...]", .item = &point, .n_min = 3};
static const type measure = {.what = "two points [a, b] or an expression of coordinates",
                             .leaf = SP_LEAF_QUANTITY,
                             .item = &reference,
                             .n_min = 2,
                             .n_max = 2};
static const type side = {.what = "a reference or a list of references",
                          .leaf = SP_LEAF_REFERENCE,
                          .item = &reference,
                          .n_min = 1};
static const type sides = {.what = "two sides [a, b], each a reference or a list of references",
                           .item = &side,
                           .n_min = 2,
                           .n_max = 2};

/* ---- words --------------------------------------------------------------------------------- */

static const word version_words[] = {WORD("1"), WORD_END};
static const word flag_words[] = {WORD("yes"), WORD("no"), WORD("true"), WORD("false"), WORD_END};
static const word units_words[] = {WORD("check"), WORD("off"), WORD_END};
static const word space_words[] = {WORD("planar"), WORD_LATER("spatial"), WORD_END};
static const word impact_words[] = {WORD("newton"), WORD_LATER("poisson"), WORD_LATER("energetic"),
                                    WORD_END};
static const word friction_words[] = {WORD("coulomb"), WORD_LATER("contensou"), WORD_END};
static const word coordinate_words[] = {WORD("x"), WORD("y"), WORD("phi"), WORD_LATER("z"),
                                        WORD_END};
static const word frame_words[] = {WORD("world"), WORD("own"), WORD_END};
static const word method_words[] = {
    WORD("auto"),        WORD("moreau"),         WORD("moreau-mean"),
    WORD_LATER("event"), WORD_LATER("theta"),    WORD_LATER("rk2"),
    WORD_LATER("rk4"),   WORD_LATER("adaptive"), WORD_END};
static const word start_words[] = {WORD("exact"), WORD("project"), WORD_END};

static const type version = {
    .what = "1, the version of the language", .leaf = SP_LEAF_WORD, .word = version_words};
static const type flag = {.what = "yes or no", .leaf = SP_LEAF_WORD, .word = flag_words};
static const type units = {.what = "check or off", .leaf = SP_LEAF_WORD, .word = units_words};
static const type space = {.what = "planar", .leaf = SP_LEAF_WORD, .word = space_words};
static const type impact = {.what = "newton", .leaf = SP_LEAF_WORD, .word = impact_words};
static const type friction = {
    .what = "coulomb", .leaf = SP_LEAF_WORD, .word = friction_words, .later = LATER_MAP};
static const type coordinate = {
    .what = "x, y or phi", .leaf = SP_LEAF_WORD, .word = coordinate_words};
static const type coordinates = {
    .what = "a list of coordinates such as [y, phi]", .item = &coordinate, .n_min = 1, .n_max = 3};
static const type frame = {.what = "world or own", .leaf = SP_LEAF_WORD, .word = frame_words};
static const type method = {
    .what = "the name of a method", .leaf = SP_LEAF_WORD, .word = method_words};
static const type start_mode = {
    .what = "exact or project", .leaf = SP_LEAF_WORD, .word = start_words};

/* ---- parameters and functions -------------------------------------------------------------- */

#define TEXT_KEY KEY("text", text, .text = "A remark.")

static const key parameter_keys[] = {
    KEY("value", quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .text = "The value."),
    KEY("min", quantity, .level = 'Q', .text = "Smallest sensible value."),
    KEY("max", quantity, .level = 'Q', .text = "Largest sensible value."),
    TEXT_KEY,
    END,
};
static const element parameter_element = {
    .name = "parameter",
    .text = "A parameter with bounds; without them the value alone will do.",
    .common = parameter_keys,
};
static const type parameter = {.what = "a quantity, a list of quantities or a map with 'value'",
                               .leaf = SP_LEAF_QUANTITY,
                               .item = &quantity,
                               .n_min = 1,
                               .element = &parameter_element};
static const type parameters = {.what = "a map of named quantities",
                                .named = &parameter,
                                .noun = "parameter",
                                .space = SP_SPACE_VALUE,
                                .reserved = no_value_name};

static const type function = {
    .what = "an expression of its arguments", .leaf = SP_LEAF_QUANTITY, .later = LATER_MAP};
static const type functions = {.what = "a map of functions such as 'f(x): x^2'",
                               .named = &function,
                               .noun = "function",
                               .names = SP_NAMES_FUNCTION,
                               .space = SP_SPACE_VALUE,
                               .reserved = no_value_name};

/* ---- laws ---------------------------------------------------------------------------------- */

static const key law_keys[] = {
    KEY("like", reference, .text = "Another law whose values hold where this one gives none."),
    KEY("eps_N", quantity, .level = 'C', .flags = SP_KEY_CONSTANT, .unit = "1", .standard = "0",
        .text = "Restitution in the normal direction, 0 to 1 (Newton)."),
    KEY("eps_T", quantity, .level = 'C', .flags = SP_KEY_CONSTANT, .unit = "1", .standard = "0",
        .text = "Restitution in the tangential direction, 0 to 1."),
    KEY("mu", quantity, .level = 'C', .flags = SP_KEY_CONSTANT, .unit = "1", .standard = "0",
        .text = "Coefficient of dry friction, >= 0."),
    KEY("friction", friction, .standard = "coulomb", .text = "The law of friction."),
    TEXT_KEY,
    LATER("mu_0", "Coefficient of friction at rest."),
    LATER("radius", "Radius of the contact patch (Coulomb-Contensou friction)."),
    LATER("pressure", "Pressure in the contact patch: uniform or hertz."),
    LATER("rolling", "Arm of the rolling resistance."),
    LATER("adhesion", "Largest pulling force."),
    LATER("force", "Normal force of a soft contact."),
    END,
};
static const element law_element = {
    .name = "law",
    .text = "How a contact behaves: restitution and friction.",
    .common = law_keys,
};
static const type law = {.what = "the name of a law or a map such as {mu: 0.3, eps_N: 0.5}",
                         .leaf = SP_LEAF_REFERENCE,
                         .element = &law_element};
static const type laws = {.what = "a map of named laws", .named = &law, .noun = "law"};

/* ---- joints -------------------------------------------------------------------------------- */

#define FIRST_KEY(value)                                                                           \
    KEY("first", value, .text = "With `count`: the value of the kind key for i = 1.")

static const key joint_keys[] = {
    FIRST_KEY(reference),
    KEY("at", point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "Where the joint sits on the parent."),
    KEY("turn", turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "Angle of the joint's frame against the parent."),
    KEY("from", point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "Where the joint sits on the body."),
    LATER("motion", "Prescribed coordinate of the joint as a function of time."),
    LATER("speed", "Prescribed velocity of the joint as a function of time."),
    LATER("range", "Stops of the joint, with `law`."),
    LATER("law", "Law of the stops or of the contacts of a clearance."),
    LATER("friction", "Dry friction in the joint."),
    LATER("clearance", "Play that turns the joint into contacts."),
    LATER("size", "Length and width of the part in a guide with clearance."),
    LATER("radius", "Radius of a pin with clearance."),
    LATER("along", "A path along which the joint is placed."),
    LATER("station", "Arc length on the path."),
    END,
};

#define JOINT_SPRING(value, stiffness_unit, damping_unit, rest_unit)                               \
    KEY("stiffness", value, .level = 'Q', .unit = stiffness_unit, .standard = "0",                 \
        .text = "Stiffness of a spring in the joint."),                                            \
        KEY("damping", value, .level = 'Q', .unit = damping_unit, .standard = "0",                 \
            .text = "Coefficient of a linear damper in the joint."),                               \
        KEY("rest", value, .level = 'Q', .unit = rest_unit, .standard = "0",                       \
            .text = "Joint coordinate at which the spring is slack.")

static const key revolute_keys[] = {
    KEY("revolute", reference, .text = "Hinge on this parent; coordinate `phi`, rate `omega`."),
    JOINT_SPRING(quantity, "N*m/rad", "N*m*s/rad", "rad"),
    LATER("axis", "Axis of the hinge in space."),
    END,
};
static const key prismatic_keys[] = {
    KEY("prismatic", reference, .text = "Slide on this parent; coordinate `s`, rate `v`."),
    KEY("axis", direction, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Direction of the slide in the joint's frame on the parent."),
    JOINT_SPRING(quantity, "N/m", "N*s/m", "m"),
    END,
};
static const key free_keys[] = {
    KEY("free", reference,
        .text = "Moves freely against this parent; coordinates `x`, `y`, `phi`, rates `vx`, `vy`, "
                "`omega`."),
    KEY("only", coordinates, .standard = "[x, y, phi]", .text = "The coordinates that are free."),
    JOINT_SPRING(quantity_in_plane, NULL, NULL, NULL),
    END,
};
static const key weld_keys[] = {KEY("weld", reference, .text = "Fixed to this parent."), END};
static const key cylindrical_keys[] = {
    LATER("cylindrical", "Turns about and slides along an axis."), END};
static const key universal_keys[] = {LATER("universal", "Turns about two crossing axes."), END};
static const key spherical_keys[] = {LATER("spherical", "Turns about a point."), END};
static const key planar_keys[] = {LATER("planar", "Moves in a plane of space."), END};
static const key screw_keys[] = {LATER("screw", "Slides along an axis as it turns about it."), END};
static const key *const joint_kinds[] = {
    revolute_keys,  prismatic_keys, free_keys,   weld_keys,  cylindrical_keys,
    universal_keys, spherical_keys, planar_keys, screw_keys, NULL};
static const element joint_element = {
    .name = "joint",
    .text = "What carries a body; the value of the kind key is the parent, a body or `ground`.",
    .common = joint_keys,
    .kind = joint_kinds,
};
static const type joint = {.what = "a map such as {revolute: ground}", .element = &joint_element};

/* ---- contours ------------------------------------------------------------------------------ */

static const key contour_keys[] = {
    KEY("at", point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "Where its origin lies on the body."),
    KEY("turn", turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "Its angle against the body."),
    TEXT_KEY,
    LATER("axis", "Direction of its axis in space."),
    LATER("count", "Several contours of a kind on one body."),
    LATER("each", "A contour for every row of a table."),
    END,
};
static const key point_keys[] = {
    KEY("point", point, .level = 'Q', .unit = "m", .text = "A corner."), END};
static const key line_keys[] = {
    KEY("line", direction, .level = 'Q',
        .text = "An infinite line, given by its normal, which points out of the material."),
    END,
};
static const key segment_keys[] = {
    KEY("segment", two_points, .level = 'Q', .unit = "m",
        .text = "A straight edge from the first point to the second, material on its right."),
    END,
};
static const key circle_keys[] = {
    KEY("circle", quantity, .level = 'Q', .unit = "m", .text = "A circle of this radius."),
    KEY("inside", flag, .standard = "no", .text = "yes: a hole, the material is outside."),
    END,
};
static const key polygon_keys[] = {
    KEY("polygon", corners, .level = 'Q', .unit = "m",
        .text = "A convex polygon, by its corners one after the other."),
    KEY("names", names, .text = "Names of the corners, which are then also points of the body."),
    LATER("inside", "The material is outside."),
    END,
};
static const key box_keys[] = {
    KEY("box", vector, .level = 'Q', .unit = "m",
        .text = "A rectangle of this width and height about its origin."),
    LATER("inside", "The material is outside."),
    END,
};
static const key arc_keys[] = {LATER("arc", "A part of a circle."), LATER("over", "Its ends."),
                               END};
static const key curve_keys[] = {LATER("curve", "A curve given by expressions of its parameter."),
                                 LATER("over", "Range of the parameter."), END};
static const key plane_keys[] = {LATER("plane", "A plane, by its normal."), END};
static const key sphere_keys[] = {LATER("sphere", "A sphere, by its radius."), END};
static const key cylinder_keys[] = {LATER("cylinder", "A cylinder, by its radius."), END};
static const key cone_keys[] = {LATER("cone", "A cone, by its half angle."), END};
static const key torus_keys[] = {LATER("torus", "A torus."), END};
static const key ellipsoid_keys[] = {LATER("ellipsoid", "An ellipsoid."), END};
static const key hull_keys[] = {LATER("hull", "The convex hull of points."), END};
static const key mesh_keys[] = {LATER("mesh", "A mesh of triangles."), END};
static const key surface_keys[] = {LATER("surface", "A surface given by expressions."), END};
static const key pin_keys[] = {LATER("pin", "A pin with a chamfer."), END};
static const key hole_keys[] = {LATER("hole", "A hole with a chamfer."), END};
static const key *const contour_kinds[] = {
    point_keys, line_keys,  segment_keys, circle_keys,   polygon_keys, box_keys,   arc_keys,
    curve_keys, plane_keys, sphere_keys,  cylinder_keys, cone_keys,    torus_keys, ellipsoid_keys,
    hull_keys,  mesh_keys,  surface_keys, pin_keys,      hole_keys,    NULL};
static const element contour_element = {
    .name = "contour",
    .text = "A part of a body's outline that can touch others.",
    .common = contour_keys,
    .kind = contour_kinds,
};
static const type contour = {.what = "a map such as {circle: 20 mm}", .element = &contour_element};
static const type contours = {.what = "a map of named contours",
                              .named = &contour,
                              .noun = "contour",
                              .reserved = no_part_name};

/* ---- bodies -------------------------------------------------------------------------------- */

#define COUNT_KEYS                                                                                 \
    KEY("count", counts, .level = 'Q', .unit = "1",                                                \
        .text = "Makes so many of it, `name.1` to `name.n`; expressions see `i` and `n`."),        \
        LATER("each", "One of it for every row of a table.")

static const type body_point = {.what = "a point [x, y]",
                                .leaf = SP_LEAF_NAME,
                                .item = &quantity,
                                .n_min = SP_GRAMMAR_PLANE,
                                .n_max = SP_GRAMMAR_PLANE,
                                .later = LATER_MAP};
static const type points = {.what = "a map of named points",
                            .named = &body_point,
                            .noun = "point",
                            .reserved = no_part_name};

#define PARTS_KEYS                                                                                 \
    KEY("points", points, .level = 'Q', .unit = "m", .text = "Named points in the body's frame."), \
        KEY("contours", contours, .text = "Named contours that can touch others."), TEXT_KEY,      \
        LATER("display", "Shapes for pictures.")

static const key body_keys[] = {
    KEY("mass", quantity, .level = 'Q', .unit = "kg", .standard = "0", .text = "Mass."),
    KEY("inertia", quantity_in_plane, .level = 'Q', .unit = "kg*m^2", .standard = "0",
        .text = "Moment of inertia about the centre of mass."),
    KEY("center", point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "Centre of mass in the body's frame."),
    KEY("joint", joint, .standard = "{free: ground}", .text = "What the body hangs on."),
    PARTS_KEYS,
    COUNT_KEYS,
    LATER("density", "Mass, centre and inertia from the contours."),
    LATER("elastic", "Elastic deformation."),
    END,
};
static const element body_element = {
    .name = "body",
    .text = "A rigid body, the joint that carries it, its points and contours.",
    .common = body_keys,
};
static const key ground_keys[] = {PARTS_KEYS, END};
static const element ground_element = {
    .name = "ground",
    .text = "The ground: it never moves and needs no entry unless it carries points or contours.",
    .common = ground_keys,
};
static const type body = {.what = "a map such as {mass: 1 kg, joint: {revolute: ground}}",
                          .element = &body_element};
static const type bodies = {.what = "a map of named bodies",
                            .named = &body,
                            .noun = "body",
                            .space = SP_SPACE_ELEMENT,
                            .reserved = no_body_name,
                            .special = "ground",
                            .special_keys = &ground_element};

/* ---- forces -------------------------------------------------------------------------------- */

static const key force_keys[] = {COUNT_KEYS, TEXT_KEY, END};
static const key spring_keys[] = {
    KEY("spring", measure, .level = 'F',
        .text = "Acts along the line between two points, or on an expression of coordinates, its "
                "measure `x` (`phi` if it is an angle) with the rate `v` (`omega`)."),
    FIRST_KEY(measure),
    KEY("stiffness", quantity, .level = 'Q', .flags = SP_KEY_ONE_OF,
        .text = "Stiffness of a linear spring."),
    KEY("force", quantity, .level = 'F', .flags = SP_KEY_ONE_OF,
        .text = "Force (torque) that pulls together, an expression of `x` and `v` (`phi` and "
                "`omega`)."),
    KEY("damping", quantity, .level = 'Q', .standard = "0",
        .text = "Coefficient of a linear damper beside it."),
    KEY("rest", quantity, .level = 'Q', .flags = SP_KEY_NEEDED_LIST, .standard = "0",
        .with = "stiffness",
        .text = "Measure at which the spring is slack; needed between two points."),
    END,
};
static const key applied_force_keys[] = {
    KEY("force", vector, .level = 'F', .unit = "N", .text = "An applied force."),
    FIRST_KEY(vector),
    KEY("on", reference, .flags = SP_KEY_NEEDED,
        .text = "The body (acts at its centre) or the point it acts on."),
    KEY("frame", frame, .standard = "world", .text = "The axes its entries are meant in."),
    END,
};
static const key torque_keys[] = {
    KEY("torque", quantity_in_plane, .level = 'F', .unit = "N*m", .text = "An applied torque."),
    FIRST_KEY(quantity_in_plane),
    KEY("on", reference, .flags = SP_KEY_NEEDED, .text = "The body it acts on."),
    END,
};
static const key drive_keys[] = {
    KEY("drive", reference,
        .text = "Drives this joint, `crank.joint`; expressions see its `phi`, `omega` (`s`, `v`)."),
    FIRST_KEY(reference),
    KEY("torque", quantity, .level = 'F', .flags = SP_KEY_ONE_OF, .unit = "N*m",
        .text = "Torque of the drive in a revolute joint."),
    KEY("force", quantity, .level = 'F', .flags = SP_KEY_ONE_OF, .unit = "N",
        .text = "Force of the drive in a prismatic joint."),
    KEY("limit", quantity, .level = 'Q', .text = "Largest size of the force or torque."),
    END,
};
static const key bushing_keys[] = {LATER("bushing", "Springs in all directions between points."),
                                   END};
static const key gas_keys[] = {LATER("gas", "A gas spring."), END};
static const key orifice_keys[] = {LATER("orifice", "A hydraulic damper."), END};
static const key tyre_keys[] = {LATER("tyre", "A tyre."), END};
static const key *const force_kinds[] = {spring_keys,  applied_force_keys, torque_keys,
                                         drive_keys,   bushing_keys,       gas_keys,
                                         orifice_keys, tyre_keys,          NULL};
static const element force_element = {
    .name = "force",
    .text = "A force element.",
    .common = force_keys,
    .kind = force_kinds,
};
static const type force = {.what = "a map such as {spring: [a.p, b.q], stiffness: 1 N/mm, rest: 0}",
                           .element = &force_element};
static const type forces = {.what = "a map of named force elements",
                            .named = &force,
                            .noun = "force",
                            .space = SP_SPACE_ELEMENT,
                            .reserved = no_element_name};

/* ---- contacts ------------------------------------------------------------------------------ */

static const key contact_keys[] = {
    KEY("law", law, .flags = SP_KEY_NEEDED, .text = "Name of a law, or the law itself."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};
static const key between_keys[] = {
    KEY("between", sides,
        .text = "The two sides: contours, bodies (all their contours), arrays, or lists of these."),
    FIRST_KEY(sides),
    END,
};
static const key gap_keys[] = {LATER("gap", "A contact given by the expression of its gap."),
                               LATER("slip", "Its sliding velocity."),
                               LATER("spin", "Its drilling velocity."), END};
static const key *const contact_kinds[] = {between_keys, gap_keys, NULL};
static const element contact_element = {
    .name = "contact",
    .text = "Contacts between all contours of one side and all of the other.",
    .common = contact_keys,
    .kind = contact_kinds,
};
static const type contact = {.what = "a map such as {between: [ball, ground], law: wood}",
                             .element = &contact_element};
static const type contacts = {.what = "a map of named contacts",
                              .named = &contact,
                              .noun = "contact",
                              .space = SP_SPACE_ELEMENT,
                              .reserved = no_element_name};

/* ---- start, outputs, plots, run ------------------------------------------------------------ */

static const type start_value = {
    .what = "a quantity", .leaf = SP_LEAF_QUANTITY, .later = LATER_LIST | LATER_MAP};
static const type start = {.what = "a map of coordinates and velocities such as 'crank.omega'",
                           .named = &start_value,
                           .names = SP_NAMES_PATH};

static const type output = {.what = "an expression", .leaf = SP_LEAF_QUANTITY};
static const type outputs = {.what = "a map of named expressions",
                             .named = &output,
                             .noun = "output",
                             .reserved = no_output_name};

static const key plot_keys[] = {
    KEY("x", quantity, .level = 'F', .standard = "t", .text = "What is drawn to the right."),
    KEY("y", quantities, .level = 'F', .flags = SP_KEY_NEEDED,
        .text = "One curve or a list of curves."),
    KEY("title", text, .text = "Title of the figure."),
    KEY("equal", flag, .standard = "no", .text = "yes: both axes to the same scale."),
    TEXT_KEY,
    END,
};
static const element plot_element = {
    .name = "plot",
    .text = "A figure that `specht plot` draws; its curves are expressions or names of outputs.",
    .common = plot_keys,
};
static const type plot = {.what = "a map such as {x: rod.phi, y: rod.omega}",
                          .element = &plot_element};
static const type plots = {.what = "a map of named plots", .named = &plot, .noun = "plot"};

static const key run_keys[] = {
    KEY("until", quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "s", .text = "End time."),
    KEY("method", method, .standard = "auto", .text = "The integration method."),
    KEY("step", quantity, .level = 'Q', .unit = "s",
        .text = "Step of the time-stepping methods: needed by `moreau` and `moreau-mean`, and so "
                "by `auto`."),
    KEY("tolerance", quantity, .level = 'Q', .unit = "1", .standard = "1e-9",
        .text = "Error allowed to methods that choose their step."),
    KEY("output_step", quantity, .level = 'Q', .unit = "s", .standard = "until/1000",
        .text = "Time between two recorded states."),
    KEY("start", start_mode, .standard = "exact",
        .text = "exact: penetration at the start is an error; project: it is removed."),
    LATER("measure_from", "Where measures begin."),
    LATER("solver", "The solver of the contact problems."),
    END,
};
static const element run_element = {
    .name = "run",
    .text = "How to simulate; nothing here belongs to the machine.",
    .common = run_keys,
};
static const type run = {.what = "a map such as {until: 1 s, step: 0.1 ms}",
                         .element = &run_element};

/* ---- the file ------------------------------------------------------------------------------ */

static const key model_keys[] = {
    KEY("specht", version, .flags = SP_KEY_NEEDED, .text = "Version of the language."),
    KEY("name", text, .standard = "the file's name", .text = "What the machine is called."),
    TEXT_KEY,
    KEY("include", files, .flags = SP_KEY_ADDS,
        .text = "Files whose sections are added to this one."),
    KEY("units", units, .standard = "check",
        .text = "off: dimensions are not checked, for dimensionless models."),
    KEY("seed", integer, .standard = "1", .text = "Seed of `rand`."),
    KEY("parameters", parameters, .level = 'Q',
        .text = "Named quantities for use in expressions, in any order."),
    KEY("functions", functions, .text = "Own functions for use in expressions."),
    KEY("space", space, .with = "bodies",
        .text = "planar: x to the right, y up, angles counter-clockwise."),
    KEY("gravity", scalar_or_vector, .level = 'Q', .with = "bodies", .unit = "m/s^2",
        .text = "Acceleration of free fall, downwards or as a vector."),
    KEY("impact", impact, .standard = "newton", .text = "The law of impacts."),
    KEY("laws", laws, .text = "Named contact laws."),
    KEY("bodies", bodies, .flags = SP_KEY_NEEDED, .text = "The bodies of the machine."),
    KEY("forces", forces, .text = "Springs, drives, applied forces and torques."),
    KEY("contacts", contacts, .text = "Who can touch whom."),
    KEY("start", start, .level = 'Q',
        .text = "Coordinates and velocities at t = 0; what is left out is zero in the joint."),
    KEY("outputs", outputs, .level = 'F', .text = "Named expressions that are recorded, too."),
    KEY("plots", plots, .text = "Figures that the author of the model wants to see."),
    KEY("run", run, .text = "Time span, method and step."),
    LATER("inputs", "Values set from outside while running."),
    LATER("tables", "Tables whose rows make elements."),
    LATER("joints", "Joints that close loops."),
    LATER("formula", "Coordinates given by energies or matrices instead of bodies."),
    LATER("couplings", "Gear ratios, stops, play, dry friction between coordinates."),
    LATER("paths", "Paths along which bodies are placed."),
    LATER("templates", "Groups of elements."),
    LATER("parts", "Copies of templates."),
    LATER("display", "Camera and colours of pictures."),
    LATER("measures", "Numbers computed from a whole run."),
    LATER("studies", "Sweeps, optimisation, bifurcations."),
    END,
};
const sp_grammar_element sp_grammar_model = {
    .name = "model",
    .text = "A machine and how to simulate it.",
    .common = model_keys,
};
