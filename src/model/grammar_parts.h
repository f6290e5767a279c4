/* model/grammar_parts.h - what the files of the table of keys share; nobody else includes it.
 *
 *     grammar_values.c  simple values and words       grammar_bodies.c  bodies, joints, contours
 *     grammar_forces.c  force elements                grammar_rules.c   couplings, loops, formula
 *     grammar_table.c   the rest, and the file        grammar_study.c   study files */
#ifndef SP_MODEL_GRAMMAR_PARTS_H
#define SP_MODEL_GRAMMAR_PARTS_H

#include "model/grammar.h"

/* Types: a list of lo to hi (0: any number) items, a map of named values, one of some words;
 * further fields may follow.  Keys, words, and maps with keys. */
#define LIST(sentence, of, lo, hi) .what = sentence, .item = &of, .n_min = lo, .n_max = hi
#define NAMED(sentence, of, one)   .what = sentence, .named = &of, .noun = one
#define ONE_OF(sentence, words)    .what = sentence, .leaf = SP_LEAF_WORD, .word = words
#define ELEMENT(one, keys, kinds, ...)                                                             \
    {                                                                                              \
        .name = one, .text = __VA_ARGS__, .common = keys, .kind = kinds                            \
    }
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

typedef sp_grammar_key key;
typedef sp_grammar_type type;
typedef sp_grammar_word word;
typedef sp_grammar_element element;

/* The type `id` of a map with the keys `id_keys`. */
#define MAP(id, one, sentence, expected)                                                           \
    static const element id##_element = {.name = one, .text = sentence, .common = id##_keys};      \
    static const type id = {.what = expected, .element = &id##_element}

/* ---- simple values (grammar_values.c) -------------------------------------------------------- */

extern const sp_grammar_type sp_type_text, sp_type_name, sp_type_names, sp_type_reference,
    sp_type_integer, sp_type_flag;
extern const sp_grammar_type sp_type_quantity, sp_type_quantities, sp_type_counts, sp_type_each;

/* As many entries as the space has dimensions; three of them where only space has it. */
extern const sp_grammar_type sp_type_point, sp_type_direction, sp_type_vector;
extern const sp_grammar_type sp_type_scalar_or_vector; /* downwards, or a vector            */
extern const sp_grammar_type sp_type_about_axes;       /* a number in the plane, three in space */
extern const sp_grammar_type sp_type_vector_space, sp_type_direction_space;
extern const sp_grammar_type sp_type_block; /* length and height, in space width */

/* A rotation: an angle in the plane; in space turns about axes. */
extern const sp_grammar_type sp_type_turn, sp_type_turn_space;
extern const sp_grammar_element sp_element_turn;

/* ---- groups of keys ------------------------------------------------------------------------- */

#define TEXT_KEY KEY("text", sp_type_text, .text = "A remark.")

#define FIRST_KEY(value)                                                                           \
    KEY("first", value,                                                                            \
        .text = "With `count` or `each`: the value of the kind key for the first of them.")

#define COUNT_KEYS                                                                                 \
    KEY("count", sp_type_counts, .level = 'Q', .unit = "1",                                        \
        .text = "Makes so many of it, `name.1` to `name.n`; expressions see `i` and `n`."),        \
        KEY("each", sp_type_each, .level = 'Q', .unit = "1",                                       \
            .text = "Makes one of it for every row of this table, `name.row`, whose columns "      \
                    "expressions see, besides `i` and `n`; or for every number `i` of a range.")

/* A pin in a hole and a block in a guide, of joints with `clearance`. */
#define PIN_KEYS(sentence)                                                                         \
    KEY("radius", sp_type_quantity, .level = 'Q', .unit = "m", .with = "clearance",                \
        .text = sentence),                                                                         \
        KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",          \
            .with = "clearance",                                                                   \
            .text = "Length of the pin between the centres of its round ends, with which it "      \
                    "touches the hole."),                                                          \
        KEY("axial", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",           \
            .text = "Play along the axis to each side, with walls before the pin's ends; without " \
                    "it the pin may slide.")
#define GUIDE_KEYS(sentence)                                                                       \
    KEY("size", sp_type_block, .level = 'Q', .unit = "m", .with = "clearance", .unless = "radius", \
        .text = sentence),                                                                         \
        KEY("up", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_SPACE,                    \
            .standard = "as x of `planar`",                                                        \
            .text = "Direction of the block's height, beside `axis`."),                            \
        KEY("radius", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",          \
            .text = "Instead of `size`: radius of a round bar in a bore, which may turn."),        \
        KEY("length", sp_type_quantity, .level = 'Q', .flags = SP_KEY_SPACE, .unit = "m",          \
            .with = "radius", .text = "Length of that bar between the centres of its round ends.")

/* ---- the larger sections -------------------------------------------------------------------- */

extern const sp_grammar_type sp_type_bodies;                   /* grammar_bodies.c */
extern const sp_grammar_type sp_type_forces;                   /* grammar_forces.c */
extern const sp_grammar_type sp_type_law;                      /* grammar_table.c  */
extern const sp_grammar_type sp_type_measures, sp_type_sample; /* likewise */
extern const sp_grammar_type sp_type_couplings, sp_type_joints, sp_type_formula, sp_type_range,
    sp_type_states; /* grammar_rules.c */

/* Names that parts of elements must not have. */
extern const char *const sp_no_element_name[];
extern const char *const sp_no_value_name[];

#endif
