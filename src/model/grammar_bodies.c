/* model/grammar_bodies.c - bodies, the joints that carry them, points, contours: data only. */
#include "model/grammar_parts.h"

/* ---- names and words ------------------------------------------------------------------------ */

static const char *const no_body_name[] = {"t", "pi", "energy", NULL}; /* ground may stand there */
static const char *const no_part_name[] = {"x",  "y",     "z",    "phi",   "vx",     "vy",
                                           "vz", "omega", "turn", "joint", "center", NULL};
static const char *const no_part_name_space[] = {
    "x",           "y",           "z",           "phi",     "vx",      "vy",
    "vz",          "omega",       "omega_x",     "omega_y", "omega_z", "omega_own",
    "omega_own_x", "omega_own_y", "omega_own_z", "turn",    "ex",      "ey",
    "ez",          "joint",       "center",      NULL};

static const word coordinate_words[] = {
    WORD("x"),
    WORD("y"),
    {.word = "phi", .in_plane = true},
    {.word = "z", .in_space = true},
    {.word = "turn", .in_space = true},
    WORD_END,
};
static const type coordinate_space = {ONE_OF("x, y, z or turn", coordinate_words)};
static const type coordinate = {ONE_OF("x, y or phi", coordinate_words),
                                .in_space = &coordinate_space};
static const type coordinates_space = {
    LIST("a list of coordinates such as [z, turn]", coordinate_space, 1, 4)};
static const type coordinates = {LIST("a list of coordinates such as [y, phi]", coordinate, 1, 3),
                                 .in_space = &coordinates_space};

static const type three = {LIST("three quantities", sp_type_quantity, 3, 3)};

/* ---- joints -------------------------------------------------------------------------------- */

static const type two_axes = {
    LIST("two directions [[x, y, z], [x, y, z]]", sp_type_direction_space, 2, 2)};
static const type motion = {.what = "an expression of time or a map of them by coordinate",
                            .leaf = SP_LEAF_QUANTITY,
                            .named = &sp_type_quantity};

static const key joint_friction_keys[] = {
    KEY("mu", sp_type_quantity, .level = 'Q', .unit = "1",
        .text = "Coefficient of friction where the joint bears its reaction."),
    KEY("stiffness", sp_type_quantity, .level = 'Q',
        .text = "Instead of `mu`: that of the spring that the friction sticks with until `limit`."),
    KEY("limit", sp_type_quantity, .level = 'F', .standard = "0",
        .text = "Largest force (torque) without any reaction, as of a seal."),
    KEY("length", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "very long",
        .text = "Length of the guide, in space also of the journal, on the body, its middle at the "
                "joint; it bears with two forces at its ends."),
    KEY("radius", sp_type_quantity, .level = 'Q', .unit = "m",
        .text = "revolute: radius of the journal, on which these forces act; needed there.  "
                "prismatic in space: of the key that bears the moment about the axis."),
    KEY("collar", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "0",
        .text = "revolute in space: mean radius of the face that bears the force along the axis."),
    END,
};
static const element joint_friction_element =
    ELEMENT("joint friction", joint_friction_keys, NULL,
            "Dry friction in a joint by its own reaction, or with stiffness.");
static const type joint_friction = {.what = "a quantity or a map such as {mu: 0.1, limit: 20 N}",
                                    .leaf = SP_LEAF_QUANTITY,
                                    .element = &joint_friction_element};

static const word follows_words[] = {WORD("axis"), WORD_END};
static const type follows = {.what = "axis", .leaf = SP_LEAF_WORD, .word = follows_words};

static const key joint_keys[] = {
    FIRST_KEY(sp_type_reference),
    KEY("at", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Where the joint sits on the parent."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How the joint's frame is turned against the parent."),
    KEY("from", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Where the joint sits on the body."),
    KEY("range", sp_type_range, .level = 'Q',
        .text = "Stops of the joint coordinate, with `law`; for one degree of freedom."),
    KEY("law", sp_type_law, .standard = "{}", .text = "Law of the stops, or of a clearance."),
    KEY("friction", joint_friction, .level = 'F',
        .text = "Largest force (torque) of dry friction in the joint; a map: friction that grows "
                "with the joint's reaction."),
    KEY("along", sp_type_name, .with = "station",
        .text = "Instead of `at` and `turn`: the joint sits on this path of `paths`, its x axis "
                "along it."),
    KEY("station", sp_type_quantity, .level = 'Q', .unit = "m", .with = "along",
        .text = "Where on the path: the length of the way, from where it leaves its first circle."),
    KEY("follows", follows,
        .text =
            "The one translation of the joint goes along the deformed axis of the beam that the "
            "body hangs on."),
    END,
};

#define JOINT_SPRING(value, stiffness_unit, damping_unit, rest_unit)                               \
    KEY("stiffness", value, .level = 'Q', .unit = stiffness_unit, .standard = "0",                 \
        .text = "Stiffness of a spring in the joint."),                                            \
        KEY("damping", value, .level = 'Q', .unit = damping_unit, .standard = "0",                 \
            .text = "Coefficient of a linear damper in the joint."),                               \
        KEY("rest", value, .level = 'Q', .unit = rest_unit, .standard = "0",                       \
            .text = "Joint coordinate at which the spring is slack.")

/* A joint with several coordinates: one spring where `only` leaves one of them, or a list. */
#define JOINT_SPRINGS JOINT_SPRING(sp_type_quantities, NULL, NULL, NULL)

#define JOINT_MOTION                                                                               \
    KEY("motion", motion, .level = 'T',                                                            \
        .text = "Prescribes the coordinate as a function of time; a map, several of them."),       \
        KEY("speed", motion, .level = 'T',                                                         \
            .text = "Prescribes the velocity as a function of time; a map, several of them.")

#define JOINT_PLAY                                                                                 \
    KEY("clearance", sp_type_quantity, .level = 'Q', .unit = "m",                                  \
        .text = "Play to each side: the body moves freely, contacts with `law` hold it.")

static const key revolute_keys[] = {
    KEY("revolute", sp_type_reference,
        .text = "Hinge on this parent; coordinate `phi`, rate `omega`."),
    KEY("axis", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_SPACE | SP_KEY_NEEDED_SPACE,
        .text = "Axis of the hinge in the joint's frame on the parent."),
    JOINT_SPRING(sp_type_quantity, "N*m/rad", "N*m*s/rad", "rad"),
    JOINT_MOTION,
    JOINT_PLAY,
    PIN_KEYS("Radius of the pin, which is on the body; the hole is on the parent."),
    END,
};
static const key prismatic_keys[] = {
    KEY("prismatic", sp_type_reference, .text = "Slide on this parent; coordinate `s`, rate `v`."),
    KEY("axis", sp_type_direction, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Direction of the slide in the joint's frame on the parent."),
    JOINT_SPRING(sp_type_quantity, "N/m", "N*s/m", "m"),
    JOINT_MOTION,
    JOINT_PLAY,
    GUIDE_KEYS("Length of the block along the axis, its height and, in space, its width; the walls "
               "are on the parent."),
    END,
};
static const key free_keys[] = {
    KEY("free", sp_type_reference,
        .text =
            "Moves freely against this parent. Plane: coordinates `x`, `y`, `phi`, rates `vx`, "
            "`vy`, `omega`. Space: `x`, `y`, `z` and a quaternion `qw`, `qx`, `qy`, `qz`, rates "
            "`vx`, `vy`, `vz`, `omega_own_x`, `omega_own_y`, `omega_own_z`."),
    KEY("only", coordinates, .standard = "all", .text = "The coordinates that are free."),
    JOINT_SPRINGS,
    JOINT_MOTION,
    END,
};
static const key weld_keys[] = {KEY("weld", sp_type_reference, .text = "Fixed to this parent."),
                                END};
static const key cylindrical_keys[] = {
    KEY("cylindrical", sp_type_reference, .flags = SP_KEY_SPACE,
        .text = "Slides along an axis on this parent and turns about it; coordinates `s`, `phi`, "
                "rates `v`, `omega`."),
    KEY("axis", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "The axis in the joint's frame on the parent."),
    JOINT_SPRINGS,
    JOINT_MOTION,
    END,
};
static const key universal_keys[] = {
    KEY("universal", sp_type_reference, .flags = SP_KEY_SPACE,
        .text = "Turns about two axes, the second of which the first carries along; coordinates "
                "`phi_1`, `phi_2`, rates `omega_1`, `omega_2`."),
    KEY("axis", two_axes, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Both axes in the joint's frame on the parent, as they are for `phi_1` = 0."),
    JOINT_SPRINGS,
    JOINT_MOTION,
    END,
};
static const key spherical_keys[] = {
    KEY("spherical", sp_type_reference, .flags = SP_KEY_SPACE,
        .text = "Turns about a point of this parent; coordinates: a quaternion `qw`, `qx`, `qy`, "
                "`qz`, rates `omega_own_x`, `omega_own_y`, `omega_own_z` in the body's own axes."),
    JOINT_MOTION,
    END,
};
static const key planar_keys[] = {
    KEY("planar", sp_type_reference, .flags = SP_KEY_SPACE,
        .text = "Moves in a plane of this parent; coordinates `x`, `y`, `phi`, rates `vx`, `vy`, "
                "`omega`."),
    KEY("axis", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Normal of the plane in the joint's frame on the parent."),
    JOINT_SPRINGS,
    JOINT_MOTION,
    END,
};
static const key screw_keys[] = {
    KEY("screw", sp_type_reference, .flags = SP_KEY_SPACE,
        .text = "Turns about an axis on this parent and moves along it in proportion; coordinate "
                "`phi`, rate `omega`."),
    KEY("axis", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "The axis in the joint's frame on the parent."),
    KEY("pitch", sp_type_quantity, .level = 'Q', .flags = SP_KEY_ONE_OF, .unit = "m/rad",
        .text = "Way along the axis per angle."),
    KEY("lead", sp_type_quantity, .level = 'Q', .flags = SP_KEY_ONE_OF, .unit = "m",
        .text = "Way along the axis per full turn."),
    JOINT_SPRING(sp_type_quantity, "N*m/rad", "N*m*s/rad", "rad"),
    JOINT_MOTION,
    END,
};
static const type range = {LIST("a range [from, to]", sp_type_quantity, 2, 2)};
static const type two_quantities = {LIST("two quantities", sp_type_quantity, 2, 2)};
static const key track_keys[] = {
    KEY("track", sp_type_reference, .flags = SP_KEY_PLANE,
        .text = "Follows a curve on this parent without turning; coordinate `s`, the length of the "
                "way along it, rate `v`."),
    KEY("curve", two_quantities, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "The curve, x and y as expressions of a parameter `s`, a pure number, in the "
                "joint's frame on the parent."),
    KEY("over", range, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1",
        .text = "The range of the parameter; the joint is at its beginning for `s` = 0, goes on "
                "straight beyond open ends and round closed curves."),
    JOINT_SPRING(sp_type_quantity, "N/m", "N*s/m", "m"),
    JOINT_MOTION,
    END,
};
static const key *const joint_kinds[] = {
    revolute_keys,  prismatic_keys, track_keys,  free_keys,  weld_keys, cylindrical_keys,
    universal_keys, spherical_keys, planar_keys, screw_keys, NULL};
static const element joint_element =
    ELEMENT("joint", joint_keys, joint_kinds,
            "What carries a body; the value of the kind key is the parent, a body or `ground`.");
static const type joint = {.what = "a map such as {revolute: ground}", .element = &joint_element};

/* ---- contours ------------------------------------------------------------------------------ */

static const type two_points = {LIST("two points [[x, y], [x, y]]", sp_type_point, 2, 2)};
static const type corners = {
    .what = "three or more points [[x, y], ...]", .item = &sp_type_point, .n_min = 3};

static const key contour_keys[] = {
    KEY("at", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Where its origin lies on the body."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How it is turned against the body."),
    TEXT_KEY,
    LATER("count", "Several contours of a kind on one body."),
    LATER("each", "A contour for every row of a table."),
    END,
};
static const key point_keys[] = {
    KEY("point", sp_type_point, .level = 'Q', .unit = "m", .text = "A corner."), END};
static const key line_keys[] = {
    KEY("line", sp_type_direction, .level = 'Q', .flags = SP_KEY_PLANE,
        .text = "An infinite line, given by its normal, which points out of the material."),
    END,
};
static const key segment_keys[] = {
    KEY("segment", two_points, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "A straight edge from the first point to the second, material on its right, a "
                "tenth as deep as it is long; for thicker bodies take a polygon."),
    END,
};
static const key circle_keys[] = {
    KEY("circle", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "A circle of this radius."),
    KEY("inside", sp_type_flag, .standard = "no", .text = "yes: a hole, the material is outside."),
    END,
};
static const key polygon_keys[] = {
    KEY("polygon", corners, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text =
            "A polygon, by its corners one after the other; hollows split it into convex ones."),
    KEY("names", sp_type_names,
        .text = "Names of the corners, which are then also points of the body."),
    LATER("inside", "The material is outside."),
    END,
};
static const key box_keys[] = {
    KEY("box", sp_type_vector, .level = 'Q', .unit = "m",
        .text = "A rectangle of this width and height about its origin; in space a box of these "
                "sides along x, y, z."),
    LATER("inside", "The material is outside."),
    END,
};
static const type spline_points = {
    .what = "two or more points [[x, y], ...]", .item = &sp_type_point, .n_min = 2};
static const type pair_or_quantity = {
    LIST("a point [x, y] or an expression of s", sp_type_quantity, 2, 2), .leaf = SP_LEAF_QUANTITY};
static const type profile = {
    .what = "points [[x, y], ...] or two expressions of s", .item = &pair_or_quantity, .n_min = 2};
static const type grid_row = {
    .what = "a row of points [[x, y, z], ...]", .item = &sp_type_vector_space, .n_min = 2};
static const type grid_rows = {
    .what = "rows of points [[[x, y, z], ...], ...]", .item = &grid_row, .n_min = 2};

#define INSIDE_KEY                                                                                 \
    KEY("inside", sp_type_flag, .standard = "no", .text = "yes: the material is on the other side.")
#define OVER_KEY                                                                                   \
    KEY("over", range, .level = 'Q', .unit = "1", .text = "With expressions: the range of s.")
#define CLOSED_KEY                                                                                 \
    KEY("closed", sp_type_flag, .standard = "no",                                                  \
        .text = "With points: yes joins the last to the first without a kink.")

static const key arc_keys[] = {
    KEY("arc", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "Part of a circle of this radius, material under it; its ends are corners."),
    KEY("over", range, .level = 'Q', .unit = "rad", .standard = "[0, 360 deg]",
        .text = "From which angle to which, counter-clockwise."),
    INSIDE_KEY,
    END,
};
static const key curve_keys[] = {
    KEY("curve", two_quantities, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "A smooth curve, x and y as expressions of its parameter `s`, a pure number; "
                "material inside if it closes, else on its right."),
    KEY("over", range, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1",
        .text = "The range of s."),
    INSIDE_KEY,
    END,
};
static const key spline_keys[] = {
    KEY("spline", spline_points, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "A cubic spline through points; material inside if it is closed, else on its "
                "right."),
    CLOSED_KEY,
    INSIDE_KEY,
    END,
};
static const key sprocket_keys[] = {
    KEY("sprocket", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "1",
        .text = "A chain sprocket with so many teeth, by the arcs of ISO 606; a seat lies on its x "
                "axis."),
    KEY("pitch", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Pitch of the chain."),
    KEY("roller", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Diameter of the chain's rollers."),
    KEY("form", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1/2",
        .text = "Tooth gaps between the smallest (0) and the largest (1) of the standard."),
    END,
};
static const word side_words[] = {WORD("upper"), WORD("lower"), WORD("left"), WORD("right"),
                                  WORD_END};
static const type side = {.what = "upper or lower, in space also left or right",
                          .leaf = SP_LEAF_WORD,
                          .word = side_words};
static const key side_keys[] = {
    KEY("side", side,
        .text = "The side of the body's `beam` towards y (upper) or the other one, in space also "
                "towards z (right) or the other one, along its whole length, as it is bent; the "
                "face of the body's `plate` towards z (upper) or the other one."),
    KEY("height", sp_type_quantity, .level = 'Q', .unit = "m",
        .standard = "the edge of the section, half the thickness",
        .text = "How far it is from the axis, of a plate from its middle at the inner radius."),
    KEY("width", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .standard = "that of the section", .text = "Of a beam: how wide it is."),
    KEY("slope", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "rad",
        .standard = "0", .text = "Of a plate: how steeply it rises outwards from the middle."),
    END,
};
static const key plane_keys[] = {
    KEY("plane", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_SPACE,
        .text = "An infinite plane, given by its normal, which points out of the material."),
    END,
};
static const key sphere_keys[] = {
    KEY("sphere", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A sphere of this radius."),
    KEY("inside", sp_type_flag, .standard = "no",
        .text = "yes: a hollow sphere, the material is outside."),
    END,
};
#define AXIS_KEY                                                                                   \
    KEY("axis", sp_type_direction_space, .level = 'Q', .standard = "[0, 0, 1]",                    \
        .text = "Direction of its axis, which goes through `at`.")

static const key cylinder_keys[] = {
    KEY("cylinder", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "The side of a cylinder of this radius, without ends."),
    AXIS_KEY,
    KEY("length", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "infinite",
        .text = "Its length, about its middle; it then has sharp ends and can touch other "
                "surfaces."),
    KEY("inside", sp_type_flag, .standard = "no", .text = "yes: a bore, the material is outside."),
    END,
};
static const key cone_keys[] = {
    KEY("cone", two_quantities, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "The side of a cone, by its radii at `at` and at the other end."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "From one end to the other."),
    AXIS_KEY,
    INSIDE_KEY,
    END,
};
static const key torus_keys[] = {
    KEY("torus", two_quantities, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A ring, by the radius of its middle line and that of its tube."),
    AXIS_KEY,
    INSIDE_KEY,
    END,
};
static const key ellipsoid_keys[] = {
    KEY("ellipsoid", three, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "An ellipsoid with these half axes along x, y, z."),
    INSIDE_KEY,
    END,
};
static const key revolved_keys[] = {
    KEY("revolved", profile, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A surface of revolution about z: its profile, distance from the axis and height, "
                "as points of a spline or as two expressions of `s`."),
    OVER_KEY,
    CLOSED_KEY,
    AXIS_KEY,
    INSIDE_KEY,
    END,
};
static const key extruded_keys[] = {
    KEY("extruded", profile, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A contour of the x-y plane drawn out along z, as points of a spline or as two "
                "expressions of `s`."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "How long, about the contour's plane."),
    OVER_KEY,
    CLOSED_KEY,
    INSIDE_KEY,
    END,
};
static const key grid_keys[] = {
    KEY("grid", grid_rows, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A smooth surface through a grid of points, given row by row; a last row or "
                "column that is the first one again closes it; from row to row, along a row and "
                "out of the material are right-handed."),
    INSIDE_KEY,
    END,
};
static const type polytope_value = {.what = "points [[x, y, z], ...] or the name of a file",
                                    .leaf = SP_LEAF_TEXT,
                                    .item = &sp_type_vector_space,
                                    .n_min = 4};
#define UNIT_KEY                                                                                   \
    KEY("unit", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "1 m",                    \
        .text = "With a file: the length that its number 1 stands for.")

static const key polytope_keys[] = {
    KEY("polytope", polytope_value, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A convex polytope, by its corners, or as the hull of an STL or OBJ file."),
    UNIT_KEY,
    END,
};
static const key capsule_keys[] = {
    KEY("capsule", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A rod of this radius with round ends, about its middle."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Between the centres of its ends."),
    AXIS_KEY,
    END,
};
static const key disc_keys[] = {
    KEY("disc", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A flat disc of this radius with sharp rims, about its middle."),
    KEY("length", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "0",
        .text = "Its thickness."),
    AXIS_KEY,
    END,
};
static const key frustum_keys[] = {
    KEY("frustum", two_quantities, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A cone with flat ends and sharp rims, by its radii at `at` and at the other end; "
                "a radius of 0 is a tip."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "From one end to the other."),
    AXIS_KEY,
    END,
};
static const key mesh_keys[] = {
    KEY("mesh", sp_type_text, .flags = SP_KEY_SPACE,
        .text = "Triangles from an STL or OBJ file, material behind them; for what others touch, "
                "such as a track."),
    UNIT_KEY,
    END,
};
static const key surface_keys[] = {
    KEY("surface", three, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "A smooth surface, x, y and z as expressions of `u` and `v`, pure numbers; along "
                "u, along v and out of the material are right-handed."),
    KEY("u", range, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1", .text = "Range of u."),
    KEY("v", range, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1", .text = "Range of v."),
    INSIDE_KEY,
    END,
};
static const type stiff_and_damped = {LIST("a stiffness and a damping", sp_type_quantity, 2, 2)};
static const word flank_words[] = {WORD("both"), WORD("lower"), WORD("upper"), WORD_END};
static const type flank = {ONE_OF("both, lower or upper", flank_words)};
static const type groove = {.what = "an angle, or two or more points [radius, half width]",
                            .leaf = SP_LEAF_QUANTITY,
                            .item = &two_quantities,
                            .n_min = 2};
static const key groove_keys[] = {
    KEY("groove", groove, .level = 'Q',
        .text = "A groove about z of the body, which narrows towards the axis: the angle between "
                "each flank, a cone, and the plane z = 0, or points [radius, half width] of a "
                "smooth curve. Touches rockers."),
    KEY("radius", sp_type_quantity, .level = 'Q', .unit = "m", .with = "half_width",
        .text = "A radius at which the groove is measured."),
    KEY("half_width", sp_type_quantity, .level = 'Q', .unit = "m", .with = "radius",
        .text = "Half of the width of the groove at `radius`."),
    KEY("force", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "N",
        .text = "Presses one sheave against the other: a coordinate `opening`, rate `opening'`; "
                "without it their distance is fixed."),
    KEY("mass", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "kg",
        .text = "With `force` or `tilt`: mass of the sheave that moves along the axis."),
    KEY("damping", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "N*s/m",
        .standard = "0", .text = "Damping of that motion."),
    KEY("tilt", stiff_and_damped, .level = 'Q', .flags = SP_KEY_PLANE,
        .text = "Stiffness [N*m/rad] and damping [N*m*s/rad] with which the sheaves tilt against "
                "each other: coordinates `tilt_x`, `tilt_y`, by how much they open along x and y "
                "of the world."),
    KEY("flank", flank, .flags = SP_KEY_SPACE, .standard = "both",
        .text = "The flanks that are on this body."),
    END,
};
static const key rocker_keys[] = {
    KEY("rocker", sp_type_quantity, .level = 'Q', .unit = "m",
        .text = "A pin along z of the body whose ends touch the flanks of a groove; half of its "
                "length."),
    KEY("stiffness", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "N/m",
        .text = "Force of the flanks by which it becomes shorter: a coordinate `stretch`, rate "
                "`stretch'`; without it the pin is rigid."),
    KEY("mass", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "kg",
        .text = "With `stiffness`: mass of the pin."),
    KEY("damping", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "N*s/m",
        .standard = "0", .text = "Damping of that motion."),
    END,
};
static const key pin_keys[] = {LATER("pin", "A pin with a chamfer."), END};
static const key hole_keys[] = {LATER("hole", "A hole with a chamfer."), END};
static const key *const contour_kinds[] = {
    point_keys,    line_keys,      segment_keys,  circle_keys,   polygon_keys,  box_keys,
    arc_keys,      curve_keys,     spline_keys,   sprocket_keys, side_keys,     revolved_keys,
    extruded_keys, grid_keys,      plane_keys,    sphere_keys,   cylinder_keys, cone_keys,
    torus_keys,    ellipsoid_keys, polytope_keys, capsule_keys,  disc_keys,     frustum_keys,
    mesh_keys,     surface_keys,   groove_keys,   rocker_keys,   pin_keys,      hole_keys,
    NULL};
static const element contour_element = ELEMENT("contour", contour_keys, contour_kinds,
                                               "A part of a body's outline that can touch others.");
static const type contour = {.what = "a map such as {circle: 20 mm}", .element = &contour_element};
static const type contours_space = {NAMED("a map of named contours", contour, "contour"),
                                    .reserved = no_part_name_space};
static const type contours = {NAMED("a map of named contours", contour, "contour"),
                              .reserved = no_part_name, .in_space = &contours_space};

/* ---- shapes ---------------------------------------------------------------------------------- */

static const key shape_keys[] = {
    KEY("at", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Where its origin lies on the body."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How it is turned against the body."),
    END,
};
static const key solid_box_keys[] = {
    KEY("box", three, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "Edges along x, y, z; about its middle."),
    END,
};
static const key solid_sphere_keys[] = {
    KEY("sphere", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "Radius of a sphere."),
    END,
};
static const key solid_cylinder_keys[] = {
    KEY("cylinder", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "Radius of a cylinder along z, about its middle."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Its length."),
    END,
};
static const key solid_cone_keys[] = {
    KEY("cone", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .text = "Radius of the base of a cone, which lies in the x-y plane; the tip is up z."),
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "From base to tip."),
    END,
};
static const key *const shape_kinds[] = {solid_box_keys, solid_sphere_keys, solid_cylinder_keys,
                                         solid_cone_keys, NULL};
static const element shape_element =
    ELEMENT("shape", shape_keys, shape_kinds, "A solid that a body is made of, in space.");
static const type shape = {.what = "a map such as {sphere: 10 mm}", .element = &shape_element};
static const type shapes = {.what = "a map such as {sphere: 10 mm}, or a list of them",
                            .item = &shape,
                            .n_min = 1,
                            .element = &shape_element};

/* ---- pictures -------------------------------------------------------------------------------- */

#define COLOR_KEY                                                                                  \
    KEY("color", sp_type_text, .standard = "by the body",                                          \
        .text = "Its colour, '#rrggbb' or one of the names of the page.")
static const key display_keys[] = {
    COLOR_KEY,
    KEY("at", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Where its origin lies on the body."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How it is turned against the body."),
    END,
};
static const key display_circle_keys[] = {
    KEY("circle", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "A disc of this radius."),
    END,
};
static const key display_polygon_keys[] = {
    KEY("polygon", corners, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "An area by its corners, convex or not."),
    END,
};
static const key display_spline_keys[] = {
    KEY("spline", corners, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "An area with a smooth edge through these points."),
    END,
};
static const key *const display_kinds[] = {
    display_circle_keys, display_polygon_keys, display_spline_keys, solid_box_keys,
    solid_sphere_keys,   solid_cylinder_keys,  solid_cone_keys,     NULL};
static const element display_element =
    ELEMENT("display", display_keys, display_kinds,
            "A shape for pictures alone; it has no mass and touches nothing.");
static const type display_shape = {.what = "a map such as {circle: 10 mm, color: '#b5651d'}",
                                   .element = &display_element};
static const type display = {.what = "a list of shapes such as {circle: 10 mm, color: '#b5651d'}",
                             .item = &display_shape,
                             .n_min = 1};

/* ---- inertia --------------------------------------------------------------------------------- */

static const key inertia_keys[] = {
    KEY("principal", three, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "kg*m^2",
        .text = "Principal moments of inertia about the centre of mass."),
    KEY("turn", sp_type_turn_space, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How the principal axes are turned against the body."),
    END,
};
static const element inertia_element =
    ELEMENT("inertia", inertia_keys, NULL, "Inertia in space by principal moments and axes.");
static const type inertia_space = {
    LIST("three principal moments [xx, yy, zz], six entries [xx, yy, zz, xy, xz, yz], or a map "
         "with 'principal' and 'turn'",
         sp_type_quantity, 3, 6),
    .leaf = SP_LEAF_QUANTITY, .element = &inertia_element};
static const type inertia = {
    .what = "a quantity", .leaf = SP_LEAF_QUANTITY, .in_space = &inertia_space};

/* ---- beams ----------------------------------------------------------------------------------- */

static const key circle_section[] = {KEY("circle", sp_type_quantity, .level = 'Q', .unit = "m",
                                         .text = "Radius of a round section."),
                                     END};
static const key tube_section[] = {KEY("tube", two_quantities, .level = 'Q', .unit = "m",
                                       .text = "Outer and inner radius of a tube."),
                                   END};
static const key rectangle_section[] = {
    KEY("rectangle", two_quantities, .level = 'Q', .unit = "m",
        .text = "Width (in the plane: out of it; in space: along z) and height (along y) of a "
                "rectangle."),
    END};
static const key area_section[] = {
    KEY("area", sp_type_quantity, .level = 'Q', .unit = "m^2", .text = "Area of the section."),
    KEY("inertia", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED | SP_KEY_PLANE,
        .unit = "m^4", .text = "Its second moment of area, for bending in the plane."),
    KEY("inertia_y", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED | SP_KEY_SPACE,
        .unit = "m^4", .text = "Its second moment of area about y, for bending along z."),
    KEY("inertia_z", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED | SP_KEY_SPACE,
        .unit = "m^4", .text = "Its second moment of area about z, for bending along y."),
    KEY("torsion", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED | SP_KEY_SPACE,
        .unit = "m^4", .text = "Its torsion constant: torque = G * this * twist per length."),
    END};
static const key no_keys[] = {END};
static const key *const section_kinds[] = {circle_section, tube_section, rectangle_section,
                                           area_section, NULL};
static const element section_element = {
    .name = "section", .text = "The section of a beam.", .common = no_keys, .kind = section_kinds};
static const type section = {.what = "a map such as {circle: 3 mm}", .element = &section_element};
static const type point_mass = {LIST("a place and a mass", sp_type_quantity, 2, 2)};
static const type point_masses = {
    LIST("a list such as [[0.2 m, 30 g], [1 m, 0.1 kg]]", point_mass, 1, 16)};
static const key beam_keys[] = {
    KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Its length."),
    KEY("section", section, .flags = SP_KEY_NEEDED, .text = "Its section."),
    KEY("young", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "Pa",
        .text = "Young's modulus."),
    KEY("density", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "kg/m^3",
        .text = "Mass per volume."),
    KEY("poisson", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0.3",
        .text = "Poisson's ratio, for the shear modulus G = young/(2 (1 + poisson))."),
    KEY("shear", sp_type_quantity, .level = 'Q', .unit = "1",
        .text = "Coefficient of shear k, about 5/6 for rectangles and 0.9 for circles: the beam is "
                "one of Timoshenko, with the shear stiffness k G A and inertia of its sections."),
    KEY("masses", point_masses, .level = 'Q',
        .text = "Point masses on the axis, a list of places and masses."),
    END,
};
MAP(beam, "beam", "A straight beam along x of the body's frame, from x = 0 on.",
    "a map with 'length', 'section', 'young' and 'density'");
static const key ring_keys[] = {
    KEY("radius", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Radius of its line."),
    KEY("section", section, .flags = SP_KEY_NEEDED,
        .text = "Its section, as of a beam along the ring with y outwards."),
    KEY("young", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "Pa",
        .text = "Young's modulus."),
    KEY("density", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "kg/m^3",
        .text = "Mass per volume."),
    END,
};
MAP(ring, "ring", "A thin ring that bends in its plane and keeps its length.",
    "a map with 'radius', 'section', 'young' and 'density'");
static const type plate_mass = {LIST("a radius, an angle and a mass", sp_type_quantity, 3, 3)};
static const type plate_masses = {LIST("a list such as [[0.2 m, 30 deg, 5 g]]", plate_mass, 1, 16)};
static const key plate_keys[] = {
    KEY("radii", two_quantities, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Inner and outer radius."),
    KEY("thickness", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Its thickness."),
    KEY("young", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "Pa",
        .text = "Young's modulus."),
    KEY("density", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "kg/m^3",
        .text = "Mass per volume."),
    KEY("poisson", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0.3",
        .text = "Poisson's ratio."),
    KEY("masses", plate_masses, .level = 'Q',
        .text = "Point masses in its middle plane, a list of radius, angle and mass."),
    END,
};
MAP(plate, "plate", "A thin annular plate that bends across its plane.",
    "a map with 'radii', 'thickness', 'young' and 'density'");
static const word ritz_frame_words[] = {WORD("tangent"), WORD("chord"), WORD("mean"), WORD_END};
static const type ritz_frame = {
    .what = "tangent, chord or mean", .leaf = SP_LEAF_WORD, .word = ritz_frame_words};
static const word function_words[] = {WORD("modes"), WORD("polynomials"), WORD_END};
static const type functions = {
    LIST("modes, polynomials or a list of expressions of x, of a plate of r and phi",
         sp_type_quantity, 1, 40),
    .leaf = SP_LEAF_WORD, .word = function_words};
static const type counts_space = {
    LIST("a count, or a list of one along y and one along z", sp_type_quantity, 2, 2),
    .leaf = SP_LEAF_QUANTITY};
static const type counts = {.what = "a count", .leaf = SP_LEAF_QUANTITY, .in_space = &counts_space};
static const type ends_space = {
    LIST("A-B, or a list of one along y and one along z", sp_type_text, 2, 2),
    .leaf = SP_LEAF_TEXT};
static const type ends = {.what = "A-B", .leaf = SP_LEAF_TEXT, .in_space = &ends_space};
static const type loaded = {
    LIST("a list of places such as [0.2 m, 0.5 m]", sp_type_quantity, 1, 8)};
static const key elastic_keys[] = {
    KEY("bending", counts, .level = 'Q', .unit = "1", .standard = "0",
        .text = "How many functions of bending, in space along y and as many along z; coordinates "
                "`e1`, `e2`, ..., rates `e1'`, ..."),
    KEY("torsion", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "1",
        .standard = "0",
        .text = "How many functions of torsion; their coordinates follow those of bending."),
    KEY("stretch", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0",
        .text = "How many functions of stretch; their coordinates come last."),
    KEY("residual", loaded, .level = 'Q',
        .text =
            "Places of the beam where loads or contacts act: for each of them one more function "
            "of every part that has some, what its modes leave of the deflection under a load "
            "there, so that statics are exact."),
    KEY("ends", ends, .standard = "clamped-free, of free bodies free-free",
        .text = "What the functions do at both ends, A-B of free, clamped, pinned, guided; in "
                "space also one for each direction of bending."),
    KEY("frame", ritz_frame, .standard = "by ends and joint",
        .text = "What the body's frame goes along with: the tangent at the joint, the line through "
                "both ends, or the mean of the whole beam."),
    KEY("functions", functions, .standard = "modes",
        .text = "Modes of the beam with these ends, or all polynomials of the lowest degrees; or a "
                "list of expressions of the place `x`, which may call own functions, also ones "
                "given by points."),
    KEY("damping", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0",
        .text = "Damping ratio of each function."),
    KEY("file", sp_type_text,
        .text = "A part that `specht reduce` made, instead of a beam: mass, functions, interfaces, "
                "damping of its own."),
    END,
};
MAP(elastic, "elastic", "How a beam deforms.", "a map such as {bending: 3, ends: pinned-pinned}");

/* ---- bodies -------------------------------------------------------------------------------- */

static const key frame_keys[] = {
    KEY("at", sp_type_point, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Where it lies on the body."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How its axes are turned against the body."),
    END,
};
static const element frame_element =
    ELEMENT("point", frame_keys, NULL,
            "A point with axes of its own, for bushings; one without is written as [x, y] or "
            "[x, y, z].");
static const type body_point_space = {
    LIST("a point [x, y, z] or a map with 'at' and 'turn'", sp_type_quantity, 3, 3),
    .leaf = SP_LEAF_NAME, .element = &frame_element};
static const type body_point = {
    LIST("a point [x, y] or a map with 'at' and 'turn'", sp_type_quantity, 2, 2),
    .leaf = SP_LEAF_NAME, .element = &frame_element, .in_space = &body_point_space};
static const type points_space = {NAMED("a map of named points", body_point, "point"),
                                  .reserved = no_part_name_space};
static const type points = {NAMED("a map of named points", body_point, "point"),
                            .reserved = no_part_name, .in_space = &points_space};

#define PARTS_KEYS                                                                                 \
    KEY("points", points, .level = 'Q', .unit = "m", .text = "Named points in the body's frame."), \
        KEY("contours", contours, .text = "Named contours that can touch others."), TEXT_KEY,      \
        KEY("display", display,                                                                    \
            .text = "Shapes for pictures, in place of those that follow from contours, joints "    \
                    "and mass.")

static const key body_keys[] = {
    KEY("mass", sp_type_quantity, .level = 'Q', .unit = "kg", .standard = "0", .text = "Mass."),
    KEY("inertia", inertia, .level = 'Q', .unit = "kg*m^2", .standard = "0",
        .text = "Moment of inertia about the centre of mass; in space also one for each of the "
                "body's axes, or the whole tensor."),
    KEY("center", sp_type_point, .level = 'Q', .unit = "m", .standard = "origin",
        .text = "Centre of mass in the body's frame."),
    KEY("joint", joint, .standard = "{free: ground}", .text = "What the body hangs on."),
    PARTS_KEYS,
    COUNT_KEYS,
    KEY("density", sp_type_quantity, .level = 'Q',
        .text = "Gives mass, centre and inertia from the contours, as mass per area or, with "
                "`thickness`, per volume; in space from `shape`."),
    KEY("thickness", sp_type_quantity, .level = 'Q', .flags = SP_KEY_PLANE, .unit = "m",
        .text = "Thickness of the body, for its mass."),
    KEY("shape", shapes, .flags = SP_KEY_SPACE,
        .text = "Solid or solids the body is made of, for `density` and for pictures."),
    KEY("beam", beam,
        .text = "A straight beam along x of the body's frame, from its origin on; "
                "gives mass, centre and inertia."),
    KEY("ring", ring,
        .text = "A ring about the body's origin, in the plane z = 0; gives mass and inertia; with "
                "`elastic` alone."),
    KEY("plate", plate, .flags = SP_KEY_SPACE,
        .text = "An annular plate about the body's origin, in the plane z = 0; likewise."),
    KEY("elastic", elastic,
        .text = "Lets the beam, ring or plate deform, by so many functions, or a part of a "
                "file."),
    END,
};
static const element body_element = ELEMENT(
    "body", body_keys, NULL, "A rigid body, the joint that carries it, its points and contours.");
static const key ground_keys[] = {PARTS_KEYS, END};
static const element ground_element =
    ELEMENT("ground", ground_keys, NULL,
            "The ground: it never moves and needs no entry unless it carries points or contours.");
static const type body = {.what = "a map such as {mass: 1 kg, joint: {revolute: ground}}",
                          .element = &body_element};
const sp_grammar_type sp_type_bodies = {NAMED("a map of named bodies", body, "body"),
                                        .space = SP_SPACE_ELEMENT, .reserved = no_body_name,
                                        .special = "ground", .special_keys = &ground_element};
