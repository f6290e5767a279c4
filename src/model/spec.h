/* model/spec.h - the tree of maps, lists and texts that a model is compiled from. */
#ifndef SP_MODEL_SPEC_H
#define SP_MODEL_SPEC_H

#include "base/arena.h"
#include "base/diag.h"
#include "math/space.h"
#include "specht/spec.h"

#include <stdbool.h>

enum {
    SP_SPEC_DEPTH_MAX = 64,      /* maps and lists inside each other           */
    SP_SPEC_KEY_MAX = 256,       /* bytes of a key                             */
    SP_SPEC_PATH_MAX = 2048,     /* bytes of a dotted path                     */
    SP_SPEC_NODE_MAX = 2000000,  /* nodes read from files                      */
    SP_SPEC_ALIAS_MAX = 100000,  /* nodes made by copying what an alias names  */
    SP_SPEC_BYTES_MAX = 64 << 20 /* bytes of model text, all files together    */
};

typedef enum { SP_NODE_TEXT, SP_NODE_MAP, SP_NODE_LIST } sp_node_kind;

/* Finds nodes or numbers by key: a binary trie over the bits of the keys (crit-bit tree), so that
 * no choice of keys makes it slow and nothing depends on a hash.  Zeroed, it is empty. */
typedef struct sp_index_branch sp_index_branch;
typedef struct sp_index_link {
    sp_index_branch *branch; /* NULL: a leaf (or nothing, if key is NULL, too) */
    const char *key;
    union {
        struct sp_node *node;
        int number; /* of tables that are no maps */
    };
} sp_index_link;

typedef struct sp_node sp_node;
struct sp_node {
    sp_node_kind kind;
    bool quoted;                           /* TEXT: was in quotes or a block text             */
    int n_child;                           /* of a map or list                                */
    int number;                            /* in the parent, from 0                           */
    int instance;                          /* copied for this part, from 1; 0: as in the file */
    const char *key;                       /* in the parent map, NULL in a list               */
    const char *text;                      /* TEXT: the scalar as written, unquoted; or NULL  */
    sp_place place;                        /* of the value; file NULL: set from C             */
    sp_place key_place;                    /* of the key                                      */
    sp_node *first, *last, *next, *parent; /* children in file order                          */
    sp_index_link *index;                  /* MAP with many children, else NULL               */
};

typedef struct sp_source {
    const char *file, *text;
    size_t n;
    struct sp_source *next;
} sp_source;

/* Triangles of a mesh file that a contour names, or the elastic part of a file. */
typedef struct sp_spec_mesh {
    const char *from, *name; /* the file that names it, and how */
    int n_vertex, n_tri;
    sp_vec3 *vertex;
    int (*tri)[3];
    bool single;                /* of single precision                        */
    const struct sp_part *part; /* instead of triangles              */
    const char *bytes;          /* the file as it was, with a zero behind it */
    size_t n_byte;
    struct sp_spec_mesh *next;
} sp_spec_mesh;

typedef struct sp_override {
    const char *name, *value;
    struct sp_override *next;
} sp_override;

struct sp_spec {
    sp_arena arena;
    sp_node *root; /* a map */
    sp_source *first_source, *last_source;
    sp_override *first_override, *last_override;
    int n_source, n_override;
    sp_spec_mesh *first_mesh;
    size_t n_node, n_alias; /* nodes made in all; by aliases */
    char *pool;             /* rest of a block for short texts */
    size_t n_pool;
};

/* The leaf, or the node, stored under key (n bytes of it), NULL if there is none. */
const sp_index_link *sp_index_find(const sp_index_link *index, const char *key, size_t n);
sp_node *sp_index_get(const sp_index_link *index, const char *key, size_t n);

/* Store a leaf under its key, instead of an earlier one; the key must stay.  False if there is no
 * memory. */
bool sp_index_put(sp_index_link *index, sp_arena *arena, sp_index_link leaf);

/* The value of a key of a map, NULL if there is none (or node is NULL or no map). */
sp_node *sp_node_get(const sp_node *map, const char *key);

/* The node that a dotted path leads to from a map or list, NULL if there is none. */
sp_node *sp_node_path(const sp_node *node, const char *path);

/* Write the dotted path from the top to a node into buffer, cut off if it is too long. */
void sp_node_where(const sp_node *node, char *buffer, size_t size);

/* "text", "map" or "list". */
const char *sp_node_kind_text(sp_node_kind kind);

/* A new node without parent; NULL if there is no memory. */
sp_node *sp_node_new(sp_spec *spec, sp_node_kind kind, sp_place place);

/* Put child last into a list, or under child->key, which must be new there, into a map.  False if
 * there is no memory. */
bool sp_node_append(sp_spec *spec, sp_node *parent, sp_node *child);

/* Whether the keys below this map, or empty text, are paths themselves (the section `start`). */
bool sp_node_keys_are_paths(const sp_node *map);

/* Take one step along *path, to a child, and move *path behind it; NULL: no such child. */
sp_node *sp_node_step(const sp_node *node, const char **path);

/* Split the next component off *path: its text and length, *path behind it and its dot.  False if
 * it is empty, too long, or a quote is not closed. */
bool sp_path_next(const char **path, const char **key, size_t *n);

/* The number that n bytes of text consist of; 0 if they are no positive integer. */
int sp_path_number(const char *text, size_t n);

/* A copy that lives as long as the spec; NULL if there is no memory. */
char *sp_spec_keep(sp_spec *spec, const char *text, size_t n);

/* A number without unit for a leaf that is a quantity with one ("153 mm") is meant in SI, as in
 * every other place: the unit of such a leaf ("m"), "" if it has none or is NULL; and a lone number
 * with that unit behind it, any other text as it is. */
const char *sp_spec_leaf_unit(sp_spec *spec, const sp_node *leaf);
const char *sp_spec_with_unit(sp_spec *spec, const char *text, const char *unit);

/* The mesh that was read for a name in a file, NULL: none. */
const sp_spec_mesh *sp_spec_find_mesh(const sp_spec *spec, const char *from, const char *name);

/* Record a source text (both kept by the caller in the arena) or an override. */
bool sp_spec_add_source(sp_spec *spec, const char *file, const char *text, size_t n);
bool sp_spec_add_override(sp_spec *spec, const char *name, const char *value);

#endif
