/* model/grammar_values.c - values that many keys share. */
#include "model/grammar_parts.h"

const char *const sp_no_element_name[] = {"t", "pi", "ground", "energy", NULL};

/* ---- leaves ---------------------------------------------------------------------------------- */

static const word flag_words[] = {WORD("yes"), WORD("no"), WORD("true"), WORD("false"), WORD_END};

const sp_grammar_type sp_type_text = {.what = "a text", .leaf = SP_LEAF_TEXT};
const sp_grammar_type sp_type_name = {.what = "a name (letters, digits and _)",
                                      .leaf = SP_LEAF_NAME};
const sp_grammar_type sp_type_names = {
    .what = "a list of names", .item = &sp_type_name, .n_min = 1};
const sp_grammar_type sp_type_reference = {.what = "a reference such as 'rod' or 'rod.tip'",
                                           .leaf = SP_LEAF_REFERENCE};
const sp_grammar_type sp_type_integer = {.what = "a whole number", .leaf = SP_LEAF_INTEGER};
const sp_grammar_type sp_type_flag = {ONE_OF("yes or no", flag_words)};
const sp_grammar_type sp_type_quantity = {.what = "a quantity", .leaf = SP_LEAF_QUANTITY};
const sp_grammar_type sp_type_quantities = {.what = "a quantity or a list of quantities",
                                            .leaf = SP_LEAF_QUANTITY,
                                            .item = &sp_type_quantity,
                                            .n_min = 1};
const sp_grammar_type sp_type_counts = {
    LIST("a number or a list of numbers [n_i, n_j, n_k]", sp_type_quantity, 1, 3),
    .leaf = SP_LEAF_QUANTITY};

const sp_grammar_type sp_type_each = {.what =
                                          "the name of a table or a range of numbers [first, last]",
                                      .leaf = SP_LEAF_NAME,
                                      .item = &sp_type_quantity,
                                      .n_min = 2,
                                      .n_max = 2};

/* ---- vectors --------------------------------------------------------------------------------- */

/* Where a name may stand, it is that of a parameter that is a list. */
static const type point_space = {LIST("a point [x, y, z]", sp_type_quantity, 3, 3),
                                 .leaf = SP_LEAF_NAME};
const sp_grammar_type sp_type_point = {LIST("a point [x, y]", sp_type_quantity, 2, 2),
                                       .leaf = SP_LEAF_NAME, .in_space = &point_space};
const sp_grammar_type sp_type_direction_space = {
    LIST("a direction [x, y, z]", sp_type_quantity, 3, 3), .leaf = SP_LEAF_NAME};
const sp_grammar_type sp_type_direction = {
    LIST("a direction, [x, y] or an angle", sp_type_quantity, 2, 2), .leaf = SP_LEAF_QUANTITY,
    .in_space = &sp_type_direction_space};
const sp_grammar_type sp_type_vector_space = {LIST("a vector [x, y, z]", sp_type_quantity, 3, 3)};
const sp_grammar_type sp_type_vector = {LIST("a vector [x, y]", sp_type_quantity, 2, 2),
                                        .in_space = &sp_type_vector_space};
static const type scalar_or_vector_space = {
    LIST("a quantity or a vector [x, y, z]", sp_type_quantity, 3, 3), .leaf = SP_LEAF_QUANTITY};
const sp_grammar_type sp_type_scalar_or_vector = {
    LIST("a quantity or a vector [x, y]", sp_type_quantity, 2, 2), .leaf = SP_LEAF_QUANTITY,
    .in_space = &scalar_or_vector_space};
const sp_grammar_type sp_type_about_axes = {
    .what = "a quantity", .leaf = SP_LEAF_QUANTITY, .in_space = &sp_type_vector_space};

static const type block_space = {
    LIST("a length, a height and a width [l, h, w]", sp_type_quantity, 3, 3)};
const sp_grammar_type sp_type_block = {LIST("a length and a height [l, h]", sp_type_quantity, 2, 2),
                                       .in_space = &block_space};

/* ---- rotations ------------------------------------------------------------------------------- */

static const key no_keys[] = {END};
static const key x_keys[] = {KEY("x", sp_type_quantity, .level = 'Q', .unit = "rad",
                                 .text = "Turns about the x axis by this angle."),
                             END};
static const key y_keys[] = {KEY("y", sp_type_quantity, .level = 'Q', .unit = "rad",
                                 .text = "Turns about the y axis by this angle."),
                             END};
static const key z_keys[] = {KEY("z", sp_type_quantity, .level = 'Q', .unit = "rad",
                                 .text = "Turns about the z axis by this angle."),
                             END};
static const key align_keys[] = {
    KEY("align", sp_type_direction_space, .level = 'Q',
        .text = "Turns the shortest way that lets this direction point to where `to` points."),
    KEY("to", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Where it comes to point, in the axes before this turn."),
    END,
};
static const key *const turn_kinds[] = {x_keys, y_keys, z_keys, align_keys, NULL};
const sp_grammar_element sp_element_turn =
    ELEMENT("turn", no_keys, turn_kinds,
            "A rotation in space. Those in a list are made one after the other, each about the "
            "axes as the ones before it have left them.");
static const type one_turn = {.what = "a turn such as {x: 90 deg}", .element = &sp_element_turn};
const sp_grammar_type sp_type_turn_space = {.what = "a turn such as {x: 90 deg} or a list of turns",
                                            .item = &one_turn,
                                            .n_min = 1,
                                            .element = &sp_element_turn};
const sp_grammar_type sp_type_turn = {
    .what = "an angle", .leaf = SP_LEAF_QUANTITY, .in_space = &sp_type_turn_space};
