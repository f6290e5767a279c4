#include "io/schema.h"

#include "io/json.h"
#include "model/grammar.h"

#include <string.h>

enum { TEXT_MAX = 600 };

/* Where the schema goes, and for how many dimensions it is: there are definitions for both. */
typedef struct writer {
    sp_json j;
    int dimension;
} writer;

#define NAME_PATTERN      "[A-Za-z_][A-Za-z0-9_]*"
#define REFERENCE_PATTERN "^" NAME_PATTERN "(\\.(" NAME_PATTERN "|[0-9]+|\\(.+\\)))*'*$"
#define IN_SPACE          " in space" /* behind the name of a definition */
#define FUNCTION_PATTERN  "^" NAME_PATTERN "\\( *" NAME_PATTERN " *(, *" NAME_PATTERN " *)*\\)$"

static void write_type(writer *w, const char *name, const sp_grammar_type *type,
                       const sp_grammar_key *key);

/* ---- texts and lists ----------------------------------------------------------------------- */

/* What an expression of a level may see. */
static const char *level_text(char level)
{
    switch (level) {
    case 'Q':
        return "parameters";
    case 'T':
        return "parameters, time";
    case 'F':
        return "parameters, time, coordinates, velocities";
    case 'C':
        return "parameters, the contact's own speed";
    default:
        return "";
    }
}

/* Describe a key in a sentence or two, for an editor. */
static void write_description(writer *w, const sp_grammar_key *key)
{
    char text[TEXT_MAX];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", key->text);
    if (key->unit && n < sizeof text) {
        n += (size_t)snprintf(text + n, sizeof text - n, " Unit: %s.", key->unit);
    }
    if (key->level && n < sizeof text) {
        n += (size_t)snprintf(text + n, sizeof text - n, " May use: %s.", level_text(key->level));
    }
    if (key->standard && n < sizeof text) {
        snprintf(text + n, sizeof text - n, " Default: %s.", key->standard);
    }
    sp_json_text(&w->j, "description", text);
}

/* A list of strings under a name. */
static void write_texts(writer *w, const char *name, const char *const *text, int n)
{
    sp_json_array(&w->j, name);
    for (int i = 0; i < n; i++) {
        sp_json_text(&w->j, NULL, text[i]);
    }
    sp_json_end(&w->j);
}

/* "type": ["string", other] */
static void write_types(writer *w, const char *other)
{
    const char *const both[] = {"string", other};
    write_texts(w, "type", both, 2);
}

/* "type": "string" with a pattern. */
static void write_pattern(writer *w, const char *pattern)
{
    sp_json_text(&w->j, "type", "string");
    sp_json_text(&w->j, "pattern", pattern);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The words of a list, also as the booleans and numbers that YAML readers take them for. */
static void write_words(writer *w, const sp_grammar_word *word)
{
    bool yes = false, no = false;
    sp_json_array(&w->j, "enum");
    for (; word->word; word++) {
        if (!sp_grammar_has_word(word, w->dimension)) {
            continue;
        }
        sp_json_text(&w->j, NULL, word->word);
        yes = yes || strcmp(word->word, "yes") == 0;
        no = no || strcmp(word->word, "no") == 0 || strcmp(word->word, "off") == 0;
        if (word->word[0] >= '0' && word->word[0] <= '9') {
            sp_json_integer(&w->j, NULL, word->word[0] - '0');
        }
    }
    if (yes) {
        sp_json_bool(&w->j, NULL, true);
    }
    if (no) {
        sp_json_bool(&w->j, NULL, false);
    }
    sp_json_end(&w->j);
}

/* A text: the inside of a schema. */
static void write_leaf(writer *w, const sp_grammar_type *type)
{
    static const char *const scalar[] = {"string", "number", "boolean"};
    switch (type->leaf) {
    case SP_LEAF_TEXT:
        write_texts(w, "type", scalar, 3);
        break;
    case SP_LEAF_NAME:
        write_pattern(w, "^" NAME_PATTERN "$");
        break;
    case SP_LEAF_WORD:
        write_words(w, type->word);
        break;
    case SP_LEAF_REFERENCE:
        write_pattern(w, REFERENCE_PATTERN);
        break;
    case SP_LEAF_INTEGER:
        write_types(w, "integer");
        sp_json_text(&w->j, "pattern", "^[0-9]{1,15}$");
        sp_json_integer(&w->j, "minimum", 0);
        break;
    default:
        write_types(w, "number");
        sp_json_integer(&w->j, "minLength", 1);
    }
}

/* A list: the inside of a schema. */
static void write_list(writer *w, const sp_grammar_type *type)
{
    sp_json_text(&w->j, "type", "array");
    write_type(w, "items", type->item, NULL);
    sp_json_integer(&w->j, "minItems", type->n_min);
    if (type->n_max > 0) {
        sp_json_integer(&w->j, "maxItems", type->n_max);
    }
}

/* Names that must not be used: "propertyNames". */
static void write_reserved(writer *w, const char *const *name)
{
    char pattern[TEXT_MAX];
    size_t n = (size_t)snprintf(pattern, sizeof pattern, "^(");
    for (const char *const *p = name; *p && n < sizeof pattern; p++) {
        n += (size_t)snprintf(pattern + n, sizeof pattern - n, "%s%s", p == name ? "" : "|", *p);
    }
    if (n < sizeof pattern) {
        snprintf(pattern + n, sizeof pattern - n, ")($|\\()");
    }
    sp_json_object(&w->j, "propertyNames");
    sp_json_object(&w->j, "not");
    sp_json_text(&w->j, "pattern", pattern);
    sp_json_end(&w->j);
    sp_json_end(&w->j);
}

/* A reference to the definition of an element. */
static void write_reference(writer *w, const sp_grammar_element *element)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "#/definitions/%s%s", element->name,
             w->dimension == 3 ? IN_SPACE : "");
    sp_json_text(&w->j, "$ref", text);
}

/* A map of named values: the inside of a schema. */
static void write_named(writer *w, const sp_grammar_type *type)
{
    static const char *const pattern[] = {[SP_NAMES_PLAIN] = "^" NAME_PATTERN "$",
                                          [SP_NAMES_FUNCTION] = FUNCTION_PATTERN,
                                          [SP_NAMES_PATH] = REFERENCE_PATTERN};
    sp_json_text(&w->j, "type", "object");
    if (type->special) {
        sp_json_object(&w->j, "properties");
        sp_json_object(&w->j, type->special);
        write_reference(w, type->special_keys);
        sp_json_end(&w->j);
        sp_json_end(&w->j);
    }
    sp_json_object(&w->j, "patternProperties");
    if (type->names == SP_NAMES_FUNCTION) { /* f(x): a text, f: a map */
        sp_grammar_type table = *type->named, expression = *type->named;
        table.leaf = SP_LEAF_NONE;
        expression.element = NULL;
        write_type(w, pattern[SP_NAMES_FUNCTION], &expression, NULL);
        write_type(w, pattern[SP_NAMES_PLAIN], &table, NULL);
    } else {
        write_type(w, pattern[type->names], type->named, NULL);
    }
    sp_json_end(&w->j);
    sp_json_bool(&w->j, "additionalProperties", false);
    if (type->reserved) {
        write_reserved(w, type->reserved);
    }
}

/* One way to write a value, as an item of anyOf or, if it is the only one, in place. */
static void write_way(writer *w, bool only, const sp_grammar_type *type, sp_node_kind kind)
{
    if (!only) {
        sp_json_object(&w->j, NULL);
    }
    if (kind == SP_NODE_TEXT) {
        write_leaf(w, type);
    } else if (kind == SP_NODE_LIST) {
        write_list(w, type);
    } else if (type->element) {
        write_reference(w, type->element);
    } else {
        write_named(w, type);
    }
    if (!only) {
        sp_json_end(&w->j);
    }
}

/* The schema of a value.  Goes down one step of the table, which has no cycles: elements are
 * referred to. */
static void write_type(writer *w, const char *name, const sp_grammar_type *type,
                       const sp_grammar_key *key)
{
    type = sp_grammar_type_in(type, w->dimension);
    const bool way[] = {[SP_NODE_TEXT] = type->leaf != SP_LEAF_NONE,
                        [SP_NODE_MAP] = type->element || type->named,
                        [SP_NODE_LIST] = type->item != NULL};
    const bool only = way[SP_NODE_TEXT] + way[SP_NODE_MAP] + way[SP_NODE_LIST] == 1;
    sp_json_object(&w->j, name);
    if (key) {
        write_description(w, key);
    }
    if (!only) {
        sp_json_array(&w->j, "anyOf");
    }
    for (int kind = SP_NODE_TEXT; kind <= SP_NODE_LIST; kind++) {
        if (way[kind]) {
            write_way(w, only, type, (sp_node_kind)kind);
        }
    }
    if (!only) {
        sp_json_end(&w->j);
    }
    sp_json_end(&w->j);
}

/* ---- elements ------------------------------------------------------------------------------ */

/* The schemas of some keys, as far as they are supported. */
static void write_keys(writer *w, const sp_grammar_key *key)
{
    for (; key && key->key; key++) {
        if (sp_grammar_has(key, w->dimension)) {
            write_type(w, key->key, key->type, key);
        }
    }
}

/* The keys of a list that must be there. */
static int needed(const writer *w, const sp_grammar_key *key, const char **name, int n)
{
    for (; key && key->key && n < SP_GRAMMAR_KEY_MAX; key++) {
        if (sp_grammar_needs(key, w->dimension) && !key->unless) {
            name[n++] = key->key;
        }
    }
    return n;
}

/* The keys of a list that have a flag. */
static int flagged(const sp_grammar_key *key, unsigned flag, const char **name, int n)
{
    for (; key && key->key && n < SP_GRAMMAR_KEY_MAX; key++) {
        if (key->flags & flag) {
            name[n++] = key->key;
        }
    }
    return n;
}

/* {"required": [...]} under a name. */
static void write_required(writer *w, const char *name, const char *const *key, int n)
{
    sp_json_object(&w->j, name);
    write_texts(w, "required", key, n);
    sp_json_end(&w->j);
}

/* Which keys must be there: always, or one of several. */
static void write_needs(writer *w, const sp_grammar_key *kind, const sp_grammar_key *common)
{
    const char *key[SP_GRAMMAR_KEY_MAX];
    int n = 0;
    if (kind) {
        key[n++] = kind->key;
    }
    n = needed(w, common, key, needed(w, kind, key, n));
    if (n > 0) {
        write_texts(w, "required", key, n);
    }
    n = flagged(kind ? kind : common, SP_KEY_ONE_OF, key, 0);
    if (n > 0) {
        sp_json_array(&w->j, "oneOf");
        for (int i = 0; i < n; i++) {
            write_required(w, NULL, &key[i], 1);
        }
        sp_json_end(&w->j);
    }
    for (const sp_grammar_key *k = common; k && k->key; k++) {
        if (k->unless) { /* this one or the other, or both; one such pair in a list */
            sp_json_array(&w->j, "anyOf");
            write_required(w, NULL, &k->key, 1);
            write_required(w, NULL, &k->unless, 1);
            sp_json_end(&w->j);
            break;
        }
    }
}

/* Which keys must be there if the kind key's value is a list. */
static void write_needs_of_lists(writer *w, const sp_grammar_key *kind)
{
    for (const sp_grammar_key *k = kind; k && k->key; k++) {
        if (k->flags & SP_KEY_NEEDED_LIST) {
            sp_json_object(&w->j, "if");
            write_texts(w, "required", &k->with, 1);
            sp_json_object(&w->j, "properties");
            sp_json_object(&w->j, kind->key);
            sp_json_text(&w->j, "type", "array");
            sp_json_end(&w->j);
            sp_json_end(&w->j);
            sp_json_end(&w->j);
            write_required(w, "then", &k->key, 1);
            return; /* a schema has one "if" */
        }
    }
}

/* Which keys must be there beside others: "dependencies". */
static void write_dependencies(writer *w, const sp_grammar_key *list)
{
    const char *with = NULL;
    for (const sp_grammar_key *k = list; k->key && !with; k++) {
        with = k->with;
    }
    if (!with) {
        return;
    }
    sp_json_object(&w->j, "dependencies");
    sp_json_array(&w->j, with);
    for (const sp_grammar_key *k = list; k->key; k++) {
        if (k->with && strcmp(k->with, with) == 0) {
            sp_json_text(&w->j, NULL, k->key);
        }
    }
    sp_json_end(&w->j);
    sp_json_end(&w->j);
}

/* A map with the keys of a kind (NULL: none) and the common ones: the inside of a schema. */
static void write_map(writer *w, const sp_grammar_element *element, const sp_grammar_key *kind)
{
    sp_json_text(&w->j, "type", "object");
    sp_json_object(&w->j, "properties");
    write_keys(w, kind);
    write_keys(w, element->common);
    sp_json_end(&w->j);
    sp_json_bool(&w->j, "additionalProperties", false);
    const char *adds[SP_GRAMMAR_KEY_MAX];
    const int n = flagged(element->common, SP_KEY_ADDS, adds, 0);
    if (n > 0) { /* another file may hold what is needed */
        sp_json_object(&w->j, "if");
        write_required(w, "not", adds, n);
        sp_json_end(&w->j);
        sp_json_object(&w->j, "then");
    }
    write_needs(w, kind, element->common);
    write_dependencies(w, element->common);
    if (n > 0) {
        sp_json_end(&w->j);
    }
    write_needs_of_lists(w, kind);
}

/* The definition of an element in so many dimensions. */
static void write_element(writer *w, const sp_grammar_element *element)
{
    char name[TEXT_MAX];
    snprintf(name, sizeof name, "%s%s", element->name, w->dimension == 3 ? IN_SPACE : "");
    sp_json_object(&w->j, name);
    sp_json_text(&w->j, "description", element->text);
    if (element->kind) {
        sp_json_array(&w->j, "oneOf");
        for (const sp_grammar_key *const *k = element->kind; *k; k++) {
            if (sp_grammar_has(*k, w->dimension)) {
                sp_json_object(&w->j, NULL);
                sp_json_text(&w->j, "title", (*k)->key);
                write_map(w, element, *k);
                sp_json_end(&w->j);
            }
        }
        sp_json_end(&w->j);
    } else {
        write_map(w, element, NULL);
    }
    sp_json_end(&w->j);
}

/* A reference to the definition of the whole file in so many dimensions. */
static void write_model(writer *w, const char *name, int dimension)
{
    sp_json_object(&w->j, name);
    w->dimension = dimension;
    write_reference(w, &sp_grammar_model);
    sp_json_end(&w->j);
}

/* {"properties": {"space": {"const": word}}, "required": ["space"]} under "if". */
static void write_if_space(writer *w, const char *word)
{
    static const char *const space[] = {"space"};
    sp_json_object(&w->j, "if");
    sp_json_object(&w->j, "properties");
    sp_json_object(&w->j, space[0]);
    sp_json_text(&w->j, "const", word);
    sp_json_end(&w->j);
    sp_json_end(&w->j);
    write_texts(w, "required", space, 1);
    sp_json_end(&w->j);
}

/* Plane or space, as the file says; a file to be included may leave it open. */
static void write_choice(writer *w)
{
    write_if_space(w, "spatial");
    write_model(w, "then", 3);
    sp_json_object(&w->j, "else");
    write_if_space(w, "planar");
    write_model(w, "then", 2);
    sp_json_object(&w->j, "else");
    sp_json_array(&w->j, "anyOf");
    write_model(w, NULL, 2);
    write_model(w, NULL, 3);
    sp_json_end(&w->j);
    sp_json_end(&w->j);
    sp_json_end(&w->j);
}

void sp_schema_json(FILE *out)
{
    const sp_grammar_element *element[SP_GRAMMAR_ELEMENT_MAX];
    writer w = {.dimension = 2};
    sp_json_init(&w.j, out);
    sp_json_object(&w.j, NULL);
    sp_json_text(&w.j, "$schema", "http://json-schema.org/draft-07/schema#");
    sp_json_text(&w.j, "title", "Specht model file");
    sp_json_array(&w.j, "allOf");
    sp_json_object(&w.j, NULL);
    write_choice(&w);
    sp_json_end(&w.j);
    sp_json_end(&w.j);
    sp_json_object(&w.j, "definitions");
    for (w.dimension = 2; w.dimension <= 3; w.dimension++) {
        const int n = sp_grammar_elements(w.dimension, element);
        for (int i = 0; i < n; i++) {
            write_element(&w, element[i]);
        }
    }
    sp_json_end(&w.j);
    sp_json_end(&w.j);
    fputc('\n', out);
}
