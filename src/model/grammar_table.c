/* model/grammar_table.c - the keys of model files: data only, from the leaves up to the file. */
#include "model/grammar_parts.h"

/* ---- names that are taken ------------------------------------------------------------------ */

const char *const sp_no_value_name[] = {
    "t",    "pi",   "ground", "mod",  "and",   "or",    "not",   "if",   "sin", "cos",
    "tan",  "asin", "acos",   "atan", "atan2", "sinh",  "cosh",  "tanh", "exp", "log",
    "sqrt", "abs",  "sign",   "min",  "max",   "clamp", "floor", "rand", NULL};
static const char *const no_row_name[] = {"t",     "pi",   "ground", "joint", "center", "x",
                                          "y",     "z",    "vx",     "vy",    "vz",     "phi",
                                          "omega", "turn", "along",  NULL};
static const char *const no_output_name[] = {"t", "pi", "ground", NULL};

/* ---- words --------------------------------------------------------------------------------- */

static const word version_words[] = {WORD("1"), WORD_END};
static const word units_words[] = {WORD("check"), WORD("off"), WORD_END};
static const word space_words[] = {WORD("planar"), WORD("spatial"), WORD_END};
static const word impact_words[] = {WORD("newton"), WORD("poisson"), WORD_LATER("energetic"),
                                    WORD_END};
static const word gain_words[] = {WORD("report"), WORD("scale"), WORD_END};
static const word friction_words[] = {
    WORD("coulomb"), {.word = "contensou", .in_space = true}, WORD_END};
static const word pressure_words[] = {WORD("uniform"), WORD("hertz"), WORD_END};
static const word method_words[] = {WORD("auto"),     WORD("moreau"), WORD("moreau-mean"),
                                    WORD("smooth"),   WORD("stiff"),  WORD("event"),
                                    WORD("theta"),    WORD("rk2"),    WORD("rk4"),
                                    WORD("adaptive"), WORD_END};
static const word implicit_words[] = {WORD("auto"), WORD("yes"), WORD("no"), WORD_END};
static const word start_words[] = {WORD("exact"), WORD("project"), WORD("settled"), WORD_END};

static const type files = {.what = "a file name or a list of them",
                           .leaf = SP_LEAF_TEXT,
                           .item = &sp_type_text,
                           .n_min = 1};
static const type version = {ONE_OF("1, the version of the language", version_words)};
static const type units = {ONE_OF("check or off", units_words)};
static const type space = {ONE_OF("planar or spatial", space_words)};
static const type impact_law = {ONE_OF("newton or poisson", impact_words)};
static const type gain = {ONE_OF("report or scale", gain_words)};
static const key impact_keys[] = {
    KEY("law", impact_law, .flags = SP_KEY_NEEDED,
        .text = "newton, or poisson: compression and expansion, with method `event` only."),
    KEY("prescribed", sp_type_flag, .standard = "yes",
        .text = "poisson: expansion counts tangential motion from the velocity that the impulses "
                "given back alone would cause; no: from rest."),
    KEY("gain", gain, .standard = "report",
        .text =
            "Impacts that would gain energy: report flags them, scale takes all coefficients of "
            "restitution times the largest factor that gains none (method `event`)."),
    TEXT_KEY,
    END,
};
static const element impact_element = ELEMENT(
    "impact", impact_keys, NULL, "How impacts are solved; the name of the law alone will do.");
static const type impact = {
    ONE_OF("newton, poisson or a map such as {law: poisson, gain: scale}", impact_words),
    .element = &impact_element};
static const type friction = {ONE_OF("coulomb or contensou", friction_words), .number_key = "mu",
                              .later = 1 << SP_NODE_MAP};
static const type pressure = {ONE_OF("uniform or hertz", pressure_words)};
static const type method = {ONE_OF("the name of a method", method_words)};
static const type implicit_mode = {ONE_OF("auto, yes or no", implicit_words)};
static const type start_mode = {ONE_OF("exact, project or settled", start_words)};

/* ---- parameters and functions -------------------------------------------------------------- */

static const key parameter_keys[] = {
    KEY("value", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .text = "The value."),
    KEY("min", sp_type_quantity, .level = 'Q', .text = "Smallest sensible value."),
    KEY("max", sp_type_quantity, .level = 'Q', .text = "Largest sensible value."),
    TEXT_KEY,
    END,
};
static const element parameter_element =
    ELEMENT("parameter", parameter_keys, NULL,
            "A parameter with bounds; without them the value alone will do.");
static const type parameter = {.what = "a quantity, a list of quantities or a map with 'value'",
                               .leaf = SP_LEAF_QUANTITY,
                               .item = &sp_type_quantity,
                               .n_min = 1,
                               .element = &parameter_element};
static const type parameters = {NAMED("a map of named quantities", parameter, "parameter"),
                                .space = SP_SPACE_VALUE, .reserved = sp_no_value_name};

static const type given = {.what = "a quantity or a list of quantities",
                           .leaf = SP_LEAF_QUANTITY,
                           .item = &sp_type_quantity,
                           .n_min = 1};
static const type with = {NAMED("a map of values of parameters", given, "parameter")};

static const word by_words[] = {WORD("spline"), WORD("linear"), WORD_END};
static const type by = {ONE_OF("spline or linear", by_words)};
static const type pair = {LIST("a point [x, y]", sp_type_quantity, 2, 2)};
static const type pairs = {.what = "two or more points [[x, y], ...]", .item = &pair, .n_min = 2};
static const type two_units = {LIST("two units [of x, of y]", sp_type_text, 2, 2)};
static const key table_keys[] = {
    KEY("points", pairs, .level = 'Q', .flags = SP_KEY_NEEDED, .unless = "file",
        .text = "Arguments and values, the arguments rising."),
    KEY("units", two_units, .standard = "those of the points",
        .text = "Units of the numbers that have none."),
    KEY("by", by, .standard = "spline",
        .text = "What lies between the points: a smooth curve (natural cubic spline) or straight "
                "lines. Outside it goes on straight."),
    KEY("period", sp_type_quantity, .level = 'Q',
        .text = "The points are repeated: what they span or more; the first one comes again a "
                "period later."),
    KEY("file", sp_type_text,
        .text = "Instead of `points` and `units`: a CSV file beside this one with a line of names, "
                "which may have units as in `x [mm]`, and two columns."),
    TEXT_KEY,
    END,
};
static const element table_element = ELEMENT(
    "function", table_keys, NULL, "A function of one argument given by points, called as `f(x)`.");
static const type function = {.what = "an expression of its arguments, or a map with 'points'",
                              .leaf = SP_LEAF_QUANTITY,
                              .element = &table_element};
static const type functions = {
    NAMED("a map of functions such as 'f(x): x^2'", function, "function"),
    .names = SP_NAMES_FUNCTION, .space = SP_SPACE_VALUE, .reserved = sp_no_value_name};

/* ---- tables -------------------------------------------------------------------------------- */

static const type row = {LIST("a row [cell, ...]", sp_type_quantities, 1, 0)};
static const type rows = {NAMED("a map of named rows or a list of rows", row, "row"),
                          .reserved = no_row_name, .item = &row, .n_min = 1};
static const type unit_names = {LIST("a list of units", sp_type_text, 1, 0)};
static const type bounds = {
    NAMED("a map of columns such as {teeth: 5}", sp_type_quantity, "column")};
static const key rows_keys[] = {
    KEY("columns", sp_type_names, .flags = SP_KEY_NEEDED, .unless = "file",
        .text = "Names of the columns, which expressions of elements with `each` see."),
    KEY("units", unit_names, .standard = "those of the cells",
        .text = "Units of the numbers that have none; 1: a pure number."),
    KEY("min", bounds, .level = 'Q',
        .text = "Smallest sensible values of columns, by their names."),
    KEY("max", bounds, .level = 'Q', .text = "Largest sensible values of columns."),
    KEY("rows", rows, .level = 'Q', .flags = SP_KEY_NEEDED, .unless = "file",
        .text = "The rows, with as many cells as there are columns; their names are those of the "
                "elements."),
    KEY("file", sp_type_text,
        .text =
            "Instead of the others: a CSV file beside this one. Its first line has the names "
            "of the columns, with a unit as in `J [kg*m^2]`; a column `name` those of the rows."),
    TEXT_KEY,
    END,
};
static const element rows_element = {
    .name = "table",
    .text = "A table: an element with `each: its name` is made for every row of it.",
    .common = rows_keys,
};
static const type rows_table = {.what = "a map with 'columns' and 'rows', or with 'file'",
                                .element = &rows_element};
static const type tables = {NAMED("a map of named tables", rows_table, "table")};

/* ---- paths --------------------------------------------------------------------------------- */

static const type circle = {LIST("a circle [x, y, radius]", sp_type_quantity, 3, 3)};
static const type circles = {LIST("two or more circles [[x, y, radius], ...]", circle, 2, 0)};
static const word adjust_words[] = {WORD("pitch"), WORD_END};
static const type plane_direction = {LIST("a direction [x, y]", sp_type_quantity, 2, 2)};
static const key adjust_keys[] = {
    KEY("circle", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1",
        .text = "The circle that moves, the first of `around` is 1."),
    KEY("along", plane_direction, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "1",
        .text = "In which direction it moves."),
    END,
};
static const element adjust_element = {
    .name = "adjust",
    .text = "A circle of a path that is moved until the chain closes; its way is `path.shift`.",
    .common = adjust_keys,
};
static const type adjust = {
    ONE_OF("pitch or a map such as {circle: 2, along: [1, 0]}", adjust_words),
    .element = &adjust_element};
static const key path_keys[] = {
    KEY("around", circles, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "The circles one after the other, of a chain the pitch circles. The path runs "
                "straight from each to the next; around a radius > 0 it turns counter-clockwise, "
                "around one < 0 clockwise, 0 is a point."),
    KEY("closed", sp_type_flag, .standard = "yes",
        .text = "no: it ends where it touches the last circle."),
    KEY("links", sp_type_quantity, .level = 'Q', .unit = "1",
        .text = "Puts so many links of a chain on a closed path: polygons with all pins on the "
                "circles, straight strands between."),
    KEY("pitch", sp_type_quantity, .level = 'Q', .unit = "m", .with = "links",
        .text = "Length of a link, from pin to pin."),
    KEY("adjust", adjust,
        .text = "What gives way until the chain closes: pitch, the length of the links, or a "
                "circle that moves; without it the chain must close to 1e-10 m."),
    KEY("phase", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0",
        .text =
            "How far before the end of the first circle the first pin is, in links, -1/2 to 1/2."),
    KEY("speed", sp_type_quantity, .level = 'Q', .unit = "m/s", .standard = "0",
        .text = "Speed of the pins on the first circle at the start."),
    TEXT_KEY,
    END,
};
MAP(path, "path",
    "A belt or a chain around circles. Expressions see `belt.length`; of a chain also "
    "`belt.pitch`, `belt.shift`, of link i `belt.(i).x`, `.y`, `.phi`, `.vx`, `.vy`, "
    "`.omega`, and the same of `belt.circle.2`, where `phi` is that of the first pin on it.",
    "a map with 'around'");
static const type paths = {NAMED("a map of named paths", path, "path"), .space = SP_SPACE_ELEMENT,
                           .reserved = sp_no_element_name};

/* ---- laws ---------------------------------------------------------------------------------- */

static const key hertz_keys[] = {
    KEY("radius", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text =
            "Reduced radius of curvature r, 1/r = 1/r_1 + 1/r_2; of a ball on a plane its own."),
    KEY("modulus", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "Pa",
        .text = "Reduced modulus E, 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2."),
    TEXT_KEY,
    END,
};
static const element hertz_element =
    ELEMENT("hertz", hertz_keys, NULL,
            "A contact spot of elastic bodies, whose radius grows with the force as "
            "(3 r lambda_N/(4 E))^(1/3).");
static const type hertz = {.what = "a map with 'radius' and 'modulus'", .element = &hertz_element};
static const key law_keys[] = {
    KEY("like", sp_type_reference,
        .text = "Another law whose values hold where this one gives none."),
    KEY("eps_N", sp_type_quantity, .level = 'C', .unit = "1", .standard = "0",
        .text = "Restitution in the normal direction, 0 to 1; may depend on `v_N`, the speed at "
                "which the contact is hit."),
    KEY("eps_T", sp_type_quantity, .level = 'C', .unit = "1", .standard = "0",
        .text = "Restitution in the tangential direction, 0 to 1; may depend on `v_N`."),
    KEY("mu", sp_type_quantity, .level = 'C', .unit = "1", .standard = "0",
        .text = "Coefficient of dry friction, >= 0; may depend on `v`, the speed of sliding."),
    KEY("mu_0", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "mu at v = 0",
        .text = "Coefficient of friction at rest, at least `mu` of the slowest sliding."),
    KEY("mu_2", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "1",
        .standard = "mu",
        .text =
            "Coefficient of friction along t2, `mu` being that along t1: the friction force lies "
            "in an ellipse."),
    KEY("friction", friction, .standard = "coulomb",
        .text = "The law of friction: coulomb, or in space contensou, sliding and drilling "
                "friction of a round spot that depend on each other."),
    KEY("radius", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .standard = "0", .text = "contensou: radius of the spot."),
    KEY("hertz", hertz, .flags = SP_KEY_SPACE,
        .text = "contensou: what the radius grows by with the force, for elastic bodies."),
    KEY("pressure", pressure, .flags = SP_KEY_SPACE, .standard = "uniform",
        .text = "contensou: how the force is spread over the spot, uniform or hertz (a half "
                "ellipsoid, largest in the middle)."),
    KEY("rolling", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",
        .standard = "0",
        .text = "Arm of the rolling resistance: the torque against rolling is at most this times "
                "the normal force."),
    KEY("adhesion", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "N",
        .standard = "0", .text = "Pull that the closed contact bears; friction grows with it."),
    KEY("force", sp_type_quantity, .level = 'C', .unit = "N",
        .text = "Instead of all others: normal force of a soft contact while it is closed, by the "
                "gap `g_N` (less than zero) and the speed of approach `v_N`; never a pull."),
    TEXT_KEY,
    END,
};
static const element law_element =
    ELEMENT("law", law_keys, NULL, "How a contact behaves: restitution and friction.");
const type sp_type_law = {.what = "the name of a law or a map such as {mu: 0.3, eps_N: 0.5}",
                          .leaf = SP_LEAF_REFERENCE,
                          .element = &law_element};
static const type laws = {NAMED("a map of named laws", sp_type_law, "law")};

/* ---- contacts ------------------------------------------------------------------------------ */

static const type side = {.what = "a reference or a list of references",
                          .leaf = SP_LEAF_REFERENCE,
                          .item = &sp_type_reference,
                          .n_min = 1};
static const type sides = {
    LIST("two sides [a, b], each a reference or a list of references", side, 2, 2)};

static const key contact_keys[] = {
    KEY("law", sp_type_law, .flags = SP_KEY_NEEDED, .text = "Name of a law, or the law itself."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};
static const key between_keys[] = {
    KEY("between", sides,
        .text = "The two sides: contours, bodies (all their contours), arrays, or lists of these."),
    FIRST_KEY(sides),
    KEY("room", sp_type_quantity, .level = 'Q', .unit = "1",
        .text = "Where the sides have more than 1000 pairs in space: how many of these can be near "
                "at once; 6 for every contour if it is not given."),
    END,
};
static const type slips = {LIST("a velocity or two of them", sp_type_quantity, 2, 2),
                           .leaf = SP_LEAF_QUANTITY};
static const key gap_keys[] = {
    KEY("gap", sp_type_quantity, .level = 'F', .unit = "m",
        .text = "A contact given by its gap, an expression of coordinates and time; >= 0: open."),
    KEY("slip", slips, .level = 'F', .unit = "m/s",
        .text = "Its sliding velocity, linear in the velocities; needed with friction; or two of "
                "them, at right angles."),
    LATER("spin", "Its drilling velocity."),
    END,
};
static const key *const contact_kinds[] = {between_keys, gap_keys, NULL};
static const element contact_element =
    ELEMENT("contact", contact_keys, contact_kinds,
            "Contacts between all contours of one side and all of the other.");
static const type contact = {.what = "a map such as {between: [ball, ground], law: wood}",
                             .element = &contact_element};
static const type contacts = {NAMED("a map of named contacts", contact, "contact"),
                              .space = SP_SPACE_ELEMENT, .reserved = sp_no_element_name};

/* ---- start, outputs, plots, run ------------------------------------------------------------ */

static const type start_entry = {.what = "a quantity or a turn such as {x: 90 deg}",
                                 .leaf = SP_LEAF_QUANTITY,
                                 .element = &sp_element_turn};
static const type start_value_space = {
    .what = "a quantity, a vector [x, y, z], or a turn such as {x: 90 deg}",
    .leaf = SP_LEAF_QUANTITY,
    .item = &start_entry,
    .n_min = 1,
    .element = &sp_element_turn};
static const type start_value = {
    .what = "a quantity", .leaf = SP_LEAF_QUANTITY, .in_space = &start_value_space};
static const type start = {.what = "a map of coordinates and velocities such as 'crank.omega'",
                           .named = &start_value,
                           .names = SP_NAMES_PATH};

static const type output = {.what = "an expression", .leaf = SP_LEAF_QUANTITY};
static const type outputs = {NAMED("a map of named expressions", output, "output"),
                             .reserved = no_output_name};

static const key plot_keys[] = {
    KEY("x", sp_type_quantity, .level = 'F', .standard = "t",
        .text = "What is drawn to the right."),
    KEY("y", sp_type_quantities, .level = 'F', .flags = SP_KEY_NEEDED,
        .text = "One curve or a list of curves."),
    KEY("title", sp_type_text, .text = "Title of the figure."),
    KEY("equal", sp_type_flag, .standard = "no", .text = "yes: both axes to the same scale."),
    TEXT_KEY,
    END,
};
static const element plot_element =
    ELEMENT("plot", plot_keys, NULL,
            "A figure that `specht plot` draws; its curves are expressions or names of outputs.");
static const type plot = {.what = "a map such as {x: rod.phi, y: rod.omega}",
                          .element = &plot_element};
static const type plots = {NAMED("a map of named plots", plot, "plot")};

static const key run_keys[] = {
    KEY("until", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "s",
        .text = "End time."),
    KEY("method", method, .standard = "auto",
        .text = "The integration method; auto: `smooth` without contacts, else `event`; for many "
                "contacts `adaptive`, or `moreau` where points of contact come and go; a `step` "
                "alone selects no method."),
    KEY("step", sp_type_quantity, .level = 'Q', .unit = "s",
        .text =
            "Step of the methods with a given step: needed by `moreau`, `moreau-mean`, `theta`, "
            "`rk2` and `rk4`."),
    KEY("theta", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1/2",
        .text = "Method `theta` and implicit steps: the part of the step at which forces are "
                "evaluated, 1/2 to 1."),
    KEY("implicit", implicit_mode, .standard = "auto",
        .text = "Whether `moreau`, `moreau-mean` and `theta` take stiff springs and dampers "
                "implicitly: `auto` where the step is too long for them otherwise, and damps what "
                "the step does not resolve; `yes` always, with `theta` as given; `no` never."),
    KEY("tolerance", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1e-9",
        .text = "Error allowed to methods that choose their step; `adaptive` takes 1e-5 by "
                "default, and at least 1e-6."),
    KEY("output_step", sp_type_quantity, .level = 'Q', .unit = "s", .standard = "until/1000",
        .text = "Time between two recorded states; with a `step` one at every step at most. Steps "
                "of `adaptive` end at each."),
    KEY("start", start_mode, .standard = "exact",
        .text = "exact: penetration at the start is an error; project: it is removed; settled: the "
                "run begins in the static equilibrium near the start."),
    KEY("measure_from", sp_type_quantity, .level = 'Q', .unit = "s", .standard = "0",
        .text = "Where the window of `measures` and of samples begins, which ends with the run."),
    LATER("solver", "The solver of the contact problems."),
    END,
};
static const element run_element =
    ELEMENT("run", run_keys, NULL, "How to simulate; nothing here belongs to the machine.");
static const type run = {.what = "a map such as {until: 1 s, step: 0.1 ms}",
                         .element = &run_element};

/* ---- measures and samples ---------------------------------------------------------------------
 */

const sp_grammar_type sp_type_measures = {
    .what = "a map of named measures such as {worst: peak(slider.y)}",
    .named = &output,
    .noun = "measure",
    .reserved = no_output_name};

static const word direction_words[] = {WORD("rising"), WORD("falling"), WORD("both"), WORD_END};
static const type direction = {
    .what = "rising, falling or both", .leaf = SP_LEAF_WORD, .word = direction_words};
static const key every_keys[] = {
    KEY("every", sp_type_quantity, .level = 'Q', .unit = "s",
        .text = "Samples at `offset` + k `every`, as a stroboscope gives them."),
    KEY("offset", sp_type_quantity, .level = 'Q', .unit = "s", .standard = "0",
        .text = "Time of one of them."),
    END,
};
static const type patterns = {.what = "a pattern of names such as mesh_*, or a list of them",
                              .leaf = SP_LEAF_TEXT,
                              .item = &sp_type_text,
                              .n_min = 1};
static const key impact_sample_keys[] = {
    KEY("impacts", patterns,
        .text = "Samples right behind impacts of these contacts; `*` stands for any letters."),
    END,
};
static const key crossing_keys[] = {
    KEY("crossing", sp_type_quantity, .level = 'F',
        .text = "Samples where this expression passes zero."),
    KEY("direction", direction, .standard = "rising", .text = "Which way it passes."),
    END,
};
static const key *const sample_kinds[] = {every_keys, impact_sample_keys, crossing_keys, NULL};
static const key sample_keys[] = {
    KEY("keep", sp_type_quantities, .level = 'F', .flags = SP_KEY_NEEDED,
        .text = "What is kept: expressions or names of outputs."),
    TEXT_KEY,
    END,
};
static const element sample_element = {
    .name = "sample",
    .text =
        "What studies keep of a run at chosen times from `measure_from` on; `specht run` does not.",
    .common = sample_keys,
    .kind = sample_kinds,
};
const sp_grammar_type sp_type_sample = {.what = "a map such as {every: 1 s, keep: [ball.y]}",
                                        .element = &sample_element};

/* ---- modes ---------------------------------------------------------------------------------- */

static const word state_words[] = {WORD("start"), WORD("equilibrium"), WORD_END};
static const type some_names = {
    .what = "a name or a list of names", .leaf = SP_LEAF_TEXT, .item = &sp_type_text, .n_min = 1};
static const type state = {ONE_OF("start or equilibrium", state_words)};
static const key modes_keys[] = {
    KEY("hold", some_names,
        .text =
            "Coordinates, joints or bodies that do not move; in space also spins, top.omega_z."),
    KEY("closed", some_names,
        .text = "Contacts that stay closed, also name:stick or name:slide; start: all that touch."),
    KEY("state", state, .text = "Where to linearise; an equilibrium if there is one, else start."),
    TEXT_KEY,
    END,
};
static const element modes_element =
    ELEMENT("modes", modes_keys, NULL, "What `specht modes` holds; its options come before.");
static const type modes = {.what = "a map such as {hold: [y, phi]}", .element = &modes_element};

/* ---- templates and parts -------------------------------------------------------------------- */

static const key part_keys[] = {
    KEY("template", sp_type_name, .flags = SP_KEY_NEEDED, .text = "What it is a copy of."),
    KEY("with", with, .level = 'Q',
        .text = "Values of the template's parameters; the others come from columns of their name "
                "(`each`), or are those of the template."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};
static const element part_element =
    ELEMENT("part", part_keys, NULL, "A copy of a template, or several.");
static const type part = {.what = "a map such as {template: leg, with: {x_0: 1 m}}",
                          .element = &part_element};
static const type parts = {NAMED("a map of named parts", part, "part"), .space = SP_SPACE_ELEMENT,
                           .reserved = sp_no_element_name};

static const type own_parameters = {
    NAMED("a map of named quantities, or a list of names", parameter, "parameter"),
    .item = &sp_type_name, .reserved = sp_no_value_name};
static const key template_keys[] = {
    KEY("parameters", own_parameters, .level = 'Q',
        .text = "Its parameters with their values where a part gives none; `required`: a part must "
                "give it. A list of names: all required."),
    KEY("laws", laws, .text = "Its contact laws."),
    KEY("bodies", sp_type_bodies, .text = "Its bodies; never `ground`."),
    KEY("joints", sp_type_joints, .text = "Its joints that close loops."),
    KEY("couplings", sp_type_couplings, .text = "Its couplings."),
    KEY("forces", sp_type_forces, .text = "Its force elements."),
    KEY("states", sp_type_states, .text = "Its numbers with an equation of first order."),
    KEY("contacts", contacts, .text = "Its contacts."),
    KEY("parts", parts, .text = "Parts of other templates in it."),
    KEY("start", start, .level = 'Q', .text = "Start values of its own bodies and joints."),
    KEY("near", start, .level = 'Q', .text = "Values near which its own loops are closed."),
    KEY("outputs", outputs, .level = 'F', .text = "Its outputs, called `part.output`."),
    TEXT_KEY,
    END,
};
static const element template_element =
    ELEMENT("template", template_keys, NULL, "A group of elements, made by `parts`.");
static const type template = {.what = "a map of sections such as {bodies: ...}",
                              .element = &template_element};
static const type templates = {NAMED("a map of named templates", template, "template")};

/* ---- the file ------------------------------------------------------------------------------ */

static const key model_keys[] = {
    KEY("specht", version, .flags = SP_KEY_NEEDED,
        .text = "Version of the language; write `specht: 1`."),
    KEY("name", sp_type_text, .standard = "the file's name", .text = "What the machine is called."),
    TEXT_KEY,
    KEY("include", files, .flags = SP_KEY_ADDS,
        .text = "Files whose sections are added to this one."),
    KEY("units", units, .standard = "check",
        .text = "off: dimensions are not checked, for dimensionless models."),
    KEY("seed", sp_type_integer, .standard = "1", .text = "Seed of `rand`."),
    KEY("parameters", parameters, .level = 'Q',
        .text = "Named quantities for use in expressions, in any order."),
    KEY("functions", functions, .text = "Own functions for use in expressions."),
    KEY("tables", tables, .level = 'Q', .text = "Tables whose rows make elements, by `each`."),
    KEY("paths", paths, .level = 'Q',
        .text = "Belts and chains around circles, along which bodies are placed."),
    KEY("space", space, .with = "bodies",
        .text = "planar: x to the right, y up, angles counter-clockwise; spatial: z up."),
    KEY("gravity", sp_type_scalar_or_vector, .level = 'T', .with = "bodies", .unit = "m/s^2",
        .text = "Acceleration of free fall, downwards or as a vector, which may depend on time."),
    KEY("impact", impact, .standard = "newton", .text = "The law of impacts."),
    KEY("laws", laws, .text = "Named contact laws."),
    KEY("bodies", sp_type_bodies, .flags = SP_KEY_NEEDED, .unless = "formula",
        .text = "The bodies of the machine; {} where all are in `parts`."),
    KEY("formula", sp_type_formula,
        .text = "Coordinates given by energies or matrices instead of bodies."),
    KEY("joints", sp_type_joints, .text = "Joints that close loops."),
    KEY("couplings", sp_type_couplings,
        .text = "Gear ratios, stops, play, dry friction between coordinates."),
    KEY("forces", sp_type_forces, .text = "Springs, drives, applied forces and torques."),
    KEY("states", sp_type_states,
        .text = "Numbers with an equation of first order: controllers, hydraulics, filters."),
    KEY("contacts", contacts, .text = "Who can touch whom."),
    KEY("start", start, .level = 'Q',
        .text = "Coordinates and velocities at t = 0; what is left out is zero in the joint."),
    KEY("near", start, .level = 'Q',
        .text =
            "Values as in `start` that are not held: loops are closed from there, which chooses "
            "one of several ways."),
    KEY("outputs", outputs, .level = 'F', .text = "Named expressions that are recorded, too."),
    KEY("measures", sp_type_measures, .level = 'F',
        .text = "Named numbers of a whole run: of `mean`, `peak`, `impulses`, ... of outputs and "
                "contacts."),
    KEY("sample", sp_type_sample, .text = "What studies keep at chosen times."),
    KEY("plots", plots, .text = "Figures that the author of the model wants to see."),
    KEY("run", run, .text = "Time span, method and step."),
    KEY("modes", modes, .text = "What is held while small motions are looked for."),
    LATER("inputs", "Values set from outside while running."),
    KEY("templates", templates, .text = "Groups of elements, from which `parts` are made."),
    KEY("parts", parts, .text = "Copies of templates; elements are called `part.element`."),
    LATER("display", "Camera and colours of pictures."),
    END,
};
const sp_grammar_element sp_grammar_model =
    ELEMENT("model", model_keys, NULL, "A machine and how to simulate it.");
