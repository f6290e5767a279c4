/* model/grammar_rules.c - keys of couplings, of joints that close loops, and of formula
 * coordinates. */
#include "model/grammar_parts.h"

/* ---- couplings ------------------------------------------------------------------------------- */

static const type range_end = {.what = "a quantity or none", .leaf = SP_LEAF_QUANTITY};
const type sp_type_range = {.what = "two ends [from, to], each a quantity or none",
                            .item = &range_end,
                            .n_min = 2,
                            .n_max = 2};

static const word way_words[] = {WORD("forward"), WORD("backward"), WORD_END};
static const type way = {ONE_OF("forward or backward", way_words)};

static const key slider_keys[] = {
    KEY("limit", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Force at which it slips."),
    KEY("stiffness", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Of the spring that it sticks with."),
    END,
};
static const element slider_element =
    ELEMENT("friction", slider_keys, NULL, "Dry friction with stiffness: a spring that slips.");
static const type coupling_friction = {
    .what = "a quantity or a map such as {limit: 20 N, stiffness: 1 N/mm}",
    .leaf = SP_LEAF_QUANTITY,
    .element = &slider_element};

static const key coupling_keys[] = {
    KEY("of", sp_type_quantity, .level = 'F', .flags = SP_KEY_NEEDED,
        .text = "The measure: an expression of coordinates and time."),
    KEY("fix", sp_type_quantity, .level = 'T', .flags = SP_KEY_ONE_OF,
        .text = "Holds the measure at this value: gear ratios, belts, drives."),
    KEY("range", sp_type_range, .level = 'Q', .flags = SP_KEY_ONE_OF,
        .text = "Stops at both ends of the measure, with `law`: play, backlash, limits."),
    KEY("friction", coupling_friction, .level = 'F', .flags = SP_KEY_ONE_OF,
        .text = "Largest force of dry friction against the rate of the measure; of time, it is a "
                "clutch; a map: with stiffness."),
    KEY("threshold", sp_type_quantity, .level = 'Q', .flags = SP_KEY_ONE_OF,
        .text =
            "Preload that holds the measure at zero until it is exceeded, then pushes back with "
            "this force; a spring beside it adds to it."),
    KEY("one_way", way, .flags = SP_KEY_ONE_OF,
        .text = "The measure can only grow (forward) or shrink (backward): a sprag clutch."),
    KEY("law", sp_type_law, .with = "range", .text = "Law of the stops."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};
static const element coupling_element =
    ELEMENT("coupling", coupling_keys, NULL, "A one-dimensional element between coordinates.");
static const type coupling = {.what = "a map such as {of: a.phi - 2*b.phi, fix: 0}",
                              .element = &coupling_element};
const type sp_type_couplings = {.what = "a map of named couplings",
                                .named = &coupling,
                                .noun = "coupling",
                                .space = SP_SPACE_ELEMENT,
                                .reserved = sp_no_element_name};

/* ---- joints that close loops ---------------------------------------------------------------- */

static const type pair = {LIST("two bodies or points [a, b]", sp_type_reference, 2, 2)};

static const key loop_keys[] = {
    KEY("at", sp_type_point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "Where the joint sits on the first body, seen from the point that is named."),
    KEY("from", sp_type_point, .level = 'Q', .unit = "m", .standard = "[0, 0]",
        .text = "The same on the second body."),
    KEY("turn", sp_type_turn, .level = 'Q', .unit = "rad", .standard = "0",
        .text = "How the second body is turned against the first where the joint is closed (weld, "
                "prismatic)."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};

#define CLEARANCE_KEYS                                                                             \
    KEY("clearance", sp_type_quantity, .level = 'Q', .unit = "m",                                  \
        .text = "Play to each side: the joint becomes contacts with `law`."),                      \
        KEY("law", sp_type_law, .with = "clearance",                                               \
            .text = "Law of the contacts of a clearance.")

#define LOOP_AXES                                                                                  \
    KEY("axis", sp_type_direction_space, .level = 'Q',                                             \
        .flags = SP_KEY_SPACE | SP_KEY_NEEDED_SPACE,                                               \
        .text = "Axis of the joint on the first body."),                                           \
        KEY("other_axis", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_SPACE,            \
            .standard = "axis", .text = "The same axis on the second body.")

static const key revolute_keys[] = {
    KEY("revolute", pair,
        .text = "A hinge; with `clearance` a hole on the first, a pin on the "
                "second."),
    LOOP_AXES,
    CLEARANCE_KEYS,
    PIN_KEYS("Radius of the pin."),
    END,
};
static const key weld_keys[] = {KEY("weld", pair, .text = "Fixes two bodies to each other."), END};
static const key prismatic_keys[] = {
    KEY("prismatic", pair,
        .text = "A slide; with `clearance` a guide on the first, a block on the "
                "second."),
    KEY("axis", sp_type_direction, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Direction of the slide on the first body."),
    CLEARANCE_KEYS,
    GUIDE_KEYS("Length of the block along the axis, its height and, in space, its width."),
    END,
};
static const key cylindrical_keys[] = {KEY("cylindrical", pair, .flags = SP_KEY_SPACE,
                                           .text = "Turns about and slides along an axis."),
                                       LOOP_AXES, END};
static const key universal_keys[] = {
    KEY("universal", pair, .flags = SP_KEY_SPACE,
        .text = "Turns about two crossing axes, one on each body."),
    LOOP_AXES, END};
static const key spherical_keys[] = {
    KEY("spherical", pair, .flags = SP_KEY_SPACE, .text = "Turns about a point."), END};
static const key planar_keys[] = {
    KEY("planar", pair, .flags = SP_KEY_SPACE, .text = "Moves in a plane with the normal `axis`."),
    LOOP_AXES, END};
static const key *const loop_kinds[] = {
    revolute_keys,  weld_keys,      prismatic_keys, cylindrical_keys,
    universal_keys, spherical_keys, planar_keys,    NULL};
static const element loop_element =
    ELEMENT("loop joint", loop_keys, loop_kinds,
            "A joint between two bodies that both hang on others already: it closes a loop.");
static const type loop = {.what = "a map such as {revolute: [rod.tip, lever.tip]}",
                          .element = &loop_element};
const type sp_type_joints = {.what = "a map of named joints that close loops",
                             .named = &loop,
                             .noun = "joint",
                             .space = SP_SPACE_ELEMENT,
                             .reserved = sp_no_element_name};

/* ---- formula coordinates -------------------------------------------------------------------- */

static const type unit = {.what = "a unit such as m or rad", .leaf = SP_LEAF_TEXT};
static const key state_keys[] = {
    KEY("rate", sp_type_quantity, .level = 'F', .flags = SP_KEY_NEEDED,
        .text = "How fast it changes: an expression of time, the motion and states, itself too."),
    KEY("start", sp_type_quantity, .level = 'Q', .standard = "0", .text = "Its value at t = 0."),
    KEY("unit", unit, .standard = "that of `start`",
        .text = "Its unit, where the value at the start does not say it."),
    KEY("scale", sp_type_quantity, .level = 'Q', .standard = "size of `start`",
        .text = "What the tolerance is relative to until it has been larger."),
    COUNT_KEYS,
    TEXT_KEY,
    END,
};
static const element state_element =
    ELEMENT("state", state_keys, NULL,
            "A number with an equation of its own: a pressure, a filter, a control.");
static const type state = {.what = "a map such as {rate: (x - p)/T, start: 0}",
                           .element = &state_element};
const sp_grammar_type sp_type_states = {NAMED("a map of named states", state, "state"),
                                        .space = SP_SPACE_ELEMENT, .reserved = sp_no_element_name};

static const type coordinates = {NAMED("a map from coordinates to their units", unit, "coordinate"),
                                 .space = SP_SPACE_VALUE, .reserved = sp_no_value_name};
static const type force = {.what = "an expression", .leaf = SP_LEAF_QUANTITY};
static const type forces = {.what = "a map from coordinates to generalised forces",
                            .named = &force};
static const type matrix_row = {
    .what = "a list of expressions", .item = &sp_type_quantity, .n_min = 1};
static const type matrix = {.what = "a list of rows", .item = &matrix_row, .n_min = 1};

static const key formula_keys[] = {
    KEY("coordinates", coordinates, .flags = SP_KEY_NEEDED,
        .text = "Names and units of the coordinates; the rate of `y` is `y'`."),
    KEY("kinetic", sp_type_quantity, .level = 'F', .flags = SP_KEY_ONE_OF, .unit = "J",
        .text = "Kinetic energy, of second degree in the rates."),
    KEY("M", matrix, .level = 'F', .flags = SP_KEY_ONE_OF,
        .text = "Mass matrix by rows, symmetric; what stands right of the diagonal is not read."),
    KEY("h", matrix_row, .level = 'F', .with = "M",
        .text = "With `M`: all forces, gyroscopic ones included, M u' = h."),
    KEY("potential", sp_type_quantity, .level = 'F', .unit = "J", .standard = "0",
        .text = "Potential energy."),
    KEY("dissipation", sp_type_quantity, .level = 'F', .unit = "W", .standard = "0",
        .text = "Dissipation function D, forces are -dD/du (half the power of linear dampers)."),
    KEY("forces", forces, .level = 'F', .text = "Further generalised forces by coordinate."),
    TEXT_KEY,
    END,
};
static const element formula_element =
    ELEMENT("formula", formula_keys, NULL,
            "Coordinates given by energies, or by M and h, instead of bodies; all derivatives are "
            "found by Specht.");
const type sp_type_formula = {.what = "a map with 'coordinates' and 'kinetic'",
                              .element = &formula_element};
