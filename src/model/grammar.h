/* model/grammar.h - the language of model files as one table.
 *
 * The table (grammar_table.c) says which keys an element has, what their values look like, which of
 * them this version does not support yet, and what they mean.  The check of a file, its "did you
 * mean", the JSON Schema (io/schema.h) and the reference in docs/model-file.md all read it; a new
 * key is one new line there.  What differs between plane and space is said there, too. */
#ifndef SP_MODEL_GRAMMAR_H
#define SP_MODEL_GRAMMAR_H

#include "base/diag.h"
#include "model/spec.h"

typedef struct sp_grammar_type sp_grammar_type;
typedef struct sp_grammar_element sp_grammar_element;

/* What a text may be, if a value may be a text at all. */
typedef enum sp_grammar_leaf {
    SP_LEAF_NONE,      /* no text here                                             */
    SP_LEAF_TEXT,      /* verbatim                                                 */
    SP_LEAF_NAME,      /* letters, digits, _                                       */
    SP_LEAF_WORD,      /* one of a list                                            */
    SP_LEAF_REFERENCE, /* rod, rod.tip, link.3, link.(i-1)                         */
    SP_LEAF_INTEGER,   /* decimal digits                                           */
    SP_LEAF_QUANTITY   /* an expression; whether it makes sense, others find out */
} sp_grammar_leaf;

/* What the keys of a map of named things look like. */
typedef enum sp_grammar_names {
    SP_NAMES_PLAIN,    /* l1               */
    SP_NAMES_FUNCTION, /* f(x, y)          */
    SP_NAMES_PATH      /* crank.joint.phi  */
} sp_grammar_names;

/* Names that must be different across sections. */
typedef enum sp_grammar_space {
    SP_SPACE_OWN,     /* need only differ from their brothers  */
    SP_SPACE_VALUE,   /* parameters and functions              */
    SP_SPACE_ELEMENT, /* bodies, forces, contacts              */
    SP_SPACE_COUNT
} sp_grammar_space;

enum {
    SP_GRAMMAR_KEY_MAX = 128,   /* keys of an element, all its kinds together */
    SP_GRAMMAR_ELEMENT_MAX = 48 /* elements of the table                      */
};

typedef struct sp_grammar_word {
    const char *word; /* NULL ends a list */
    bool later;
    bool in_space; /* in space only */
    bool in_plane; /* in the plane only */
} sp_grammar_word;

/* A value: a text, a list or a map, whatever the fields that are set allow. */
struct sp_grammar_type {
    const char *what; /* "a point [x, y]", behind "expected" */

    sp_grammar_leaf leaf;
    const sp_grammar_word *word; /* of SP_LEAF_WORD ...                             */
    const char *number_key;      /* ... where who wrote a number meant another key  */

    const sp_grammar_type *item; /* lists: of their items; NULL: no list here      */
    int n_min, n_max;            /* how many; n_max 0: any number                  */

    const sp_grammar_element *element; /* maps with fixed keys                     */

    const sp_grammar_type *named; /* maps of named values: of the values           */
    const char *noun;             /* "body", in messages; NULL: the key says it    */
    sp_grammar_names names;
    sp_grammar_space space;
    const char *const *reserved;            /* names that are taken, up to NULL             */
    const char *special;                    /* one name whose value is another element ...  */
    const sp_grammar_element *special_keys; /* ... this one                                 */

    unsigned later; /* 1 << sp_node_kind: known in this form, not supported yet */

    const sp_grammar_type *in_space; /* holds in space instead of this one; NULL: the same */
};

enum {
    SP_KEY_NEEDED = 1,         /* must be there                                              */
    SP_KEY_LATER = 2,          /* known, not supported yet; nothing else of it is looked at  */
    SP_KEY_ONE_OF = 4,         /* exactly one of the keys with this flag must be there       */
    SP_KEY_NEEDED_LIST = 8,    /* must be there with `with`, if the kind key's value is a list */
    SP_KEY_ADDS = 32,          /* names other files: what is needed may stand in them        */
    SP_KEY_SPACE = 64,         /* exists in space only                                       */
    SP_KEY_PLANE = 128,        /* exists in the plane only                                   */
    SP_KEY_NEEDED_SPACE = 256, /* must be there in space                                  */
    SP_KEY_LATER_SPACE = 512   /* in space known, not supported yet                       */
};

/* A key of an element. */
typedef struct sp_grammar_key {
    const char *key; /* NULL ends a list */
    const sp_grammar_type *type;
    char level;           /* Q T F C of quantities: what the expression may see, 0: no quantity */
    unsigned flags;       /* SP_KEY_...                                                         */
    const char *unit;     /* dimension of a quantity, "kg*m^2"; NULL: depends or none           */
    const char *standard; /* default, as one would write it; NULL: none                         */
    const char *with;     /* needed if this other key is there                                  */
    const char *unless;   /* not needed if this other key is there                              */
    const char *text;     /* one sentence                                                       */
} sp_grammar_key;

/* A map with fixed keys.  An element with kinds has exactly one kind key and takes the keys of that
 * kind, the first of which is the kind key itself, and the common keys. */
struct sp_grammar_element {
    const char *name; /* "joint" */
    const char *text; /* one sentence */
    const sp_grammar_key *common;
    const sp_grammar_key *const *kind; /* up to NULL; NULL: an element without kinds */
};

/* The whole file. */
extern const sp_grammar_element sp_grammar_model;

/* A study file (grammar_study.c). */
extern const sp_grammar_element sp_grammar_study;

/* All elements that there are in so many dimensions (0: in any), the model first, each before those
 * it contains; how many.  element has room for SP_GRAMMAR_ELEMENT_MAX. */
int sp_grammar_elements(int dimension, const sp_grammar_element **element);

/* Report every mistake in the structure of a model, each once: keys, kinds of values, words, names,
 * numbers of list items, and what this version does not support yet.  False: the file is no model
 * but a study, and nothing else was looked at. */
bool sp_grammar_check(const sp_node *root, sp_diag *diag);
void sp_grammar_check_study(const sp_node *root, sp_diag *diag);

/* The key of an element: among those of a kind (NULL: none) and the common ones, or among those of
 * all its kinds; NULL if it has none of that name. */
const sp_grammar_key *sp_grammar_find(const sp_grammar_element *element, const sp_grammar_key *kind,
                                      const char *key);
const sp_grammar_key *sp_grammar_find_anywhere(const sp_grammar_element *element, const char *key);

/* The keys of a kind and the common ones (kind NULL: those of all kinds): all of them (dimension
 * 0), or those that are there in so many dimensions; the kinds that are.  key has room for
 * SP_GRAMMAR_KEY_MAX. */
int sp_grammar_keys(const sp_grammar_element *element, const sp_grammar_key *kind, int dimension,
                    const char **key);
int sp_grammar_kinds(const sp_grammar_element *element, int dimension, const char **key);

/* Whether a key is not supported yet, anywhere or in so many dimensions. */
bool sp_grammar_is_later(const sp_grammar_key *key);
bool sp_grammar_is_later_in(const sp_grammar_key *key, int dimension);

/* Whether a key, or a word, is supported in so many dimensions; whether a key must be there. */
bool sp_grammar_has(const sp_grammar_key *key, int dimension);
bool sp_grammar_has_word(const sp_grammar_word *word, int dimension);
bool sp_grammar_needs(const sp_grammar_key *key, int dimension);

/* The type that holds in so many dimensions. */
const sp_grammar_type *sp_grammar_type_in(const sp_grammar_type *type, int dimension);

/* Whether text is a name, `f(x, y)`, or a reference such as rod, rod.tip, link.3, link.(i-1). */
bool sp_grammar_is_name(const char *text);
bool sp_grammar_is_function(const char *text);
bool sp_grammar_is_reference(const char *text);

/* What follows the name at the start of text; text itself if there is none. */
const char *sp_grammar_skip_name(const char *text);

#endif
