#include "io/schema.h"

#include "io/json.h"
#include "model/grammar.h"

#include <string.h>

enum { ELEMENT_MAX = 32, TEXT_MAX = 600 };

#define NAME_PATTERN      "[A-Za-z_][A-Za-z0-9_]*"
#define REFERENCE_PATTERN "^" NAME_PATTERN "(\\.(" NAME_PATTERN "|[0-9]+|\\(.+\\)))*'*$"
#define FUNCTION_PATTERN  "^" NAME_PATTERN "\\( *" NAME_PATTERN " *(, *" NAME_PATTERN " *)*\\)$"

static void write_type(sp_json *j, const char *name, const sp_grammar_type *type,
                       const sp_grammar_key *key);

/* ---- all elements of the table ------------------------------------------------------------- */

/* Add an element to a list, if it is not there yet. */
static int add_element(const sp_grammar_element *extra, const sp_grammar_element **element, int n)
{
    for (int i = 0; i < n; i++) {
        if (element[i] == extra) {
            return n;
        }
    }
    if (extra && n < ELEMENT_MAX) {
        element[n++] = extra;
    }
    return n;
}

/* Add the elements that the values of some keys consist of. */
static int add_elements(const sp_grammar_key *key, const sp_grammar_element **element, int n)
{
    for (; key && key->key; key++) {
        const sp_grammar_type *type = key->type;
        for (; type; type = type->named ? type->named : type->item) {
            n = add_element(type->element, element, n);
            n = add_element(type->special_keys, element, n);
        }
    }
    return n;
}

/* Find all elements, the model first, each before those it contains. */
static int find_elements(const sp_grammar_element **element)
{
    int n = add_element(&sp_grammar_model, element, 0);
    for (int i = 0; i < n; i++) {
        for (const sp_grammar_key *const *k = element[i]->kind; k && *k; k++) {
            n = add_elements(*k, element, n);
        }
        n = add_elements(element[i]->common, element, n);
    }
    return n;
}

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
        return "parameters"; /* the contact's own quantities are for later */
    default:
        return "";
    }
}

/* Describe a key in a sentence or two, for an editor. */
static void write_description(sp_json *j, const sp_grammar_key *key)
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
    sp_json_text(j, "description", text);
}

/* A list of strings under a name. */
static void write_texts(sp_json *j, const char *name, const char *const *text, int n)
{
    sp_json_array(j, name);
    for (int i = 0; i < n; i++) {
        sp_json_text(j, NULL, text[i]);
    }
    sp_json_end(j);
}

/* "type": ["string", other] */
static void write_types(sp_json *j, const char *other)
{
    const char *const both[] = {"string", other};
    write_texts(j, "type", both, 2);
}

/* "type": "string" with a pattern. */
static void write_pattern(sp_json *j, const char *pattern)
{
    sp_json_text(j, "type", "string");
    sp_json_text(j, "pattern", pattern);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The words of a list, also as the booleans and numbers that YAML readers take them for. */
static void write_words(sp_json *j, const sp_grammar_word *word)
{
    bool yes = false, no = false;
    sp_json_array(j, "enum");
    for (; word->word; word++) {
        if (word->later) {
            continue;
        }
        sp_json_text(j, NULL, word->word);
        yes = yes || strcmp(word->word, "yes") == 0;
        no = no || strcmp(word->word, "no") == 0 || strcmp(word->word, "off") == 0;
        if (word->word[0] >= '0' && word->word[0] <= '9') {
            sp_json_integer(j, NULL, word->word[0] - '0');
        }
    }
    if (yes) {
        sp_json_bool(j, NULL, true);
    }
    if (no) {
        sp_json_bool(j, NULL, false);
    }
    sp_json_end(j);
}

/* A text: the inside of a schema. */
static void write_leaf(sp_json *j, const sp_grammar_type *type)
{
    static const char *const scalar[] = {"string", "number", "boolean"};
    switch (type->leaf) {
    case SP_LEAF_TEXT:
        write_texts(j, "type", scalar, 3);
        break;
    case SP_LEAF_NAME:
        write_pattern(j, "^" NAME_PATTERN "$");
        break;
    case SP_LEAF_WORD:
        write_words(j, type->word);
        break;
    case SP_LEAF_REFERENCE:
        write_pattern(j, REFERENCE_PATTERN);
        break;
    case SP_LEAF_INTEGER:
        write_types(j, "integer");
        sp_json_text(j, "pattern", "^[0-9]{1,15}$");
        sp_json_integer(j, "minimum", 0);
        break;
    default:
        write_types(j, "number");
        sp_json_integer(j, "minLength", 1);
    }
}

/* A list: the inside of a schema.  All of this version's space is the plane. */
static void write_list(sp_json *j, const sp_grammar_type *type)
{
    const int least = type->n_min == SP_GRAMMAR_PLANE ? 2 : type->n_min;
    const int most = type->n_max == SP_GRAMMAR_PLANE ? 2 : type->n_max;
    sp_json_text(j, "type", "array");
    write_type(j, "items", type->item, NULL);
    sp_json_integer(j, "minItems", least);
    if (most > 0) {
        sp_json_integer(j, "maxItems", most);
    }
}

/* Names that must not be used: "propertyNames". */
static void write_reserved(sp_json *j, const char *const *name)
{
    char pattern[TEXT_MAX];
    size_t n = (size_t)snprintf(pattern, sizeof pattern, "^(");
    for (const char *const *p = name; *p && n < sizeof pattern; p++) {
        n += (size_t)snprintf(pattern + n, sizeof pattern - n, "%s%s", p == name ? "" : "|", *p);
    }
    if (n < sizeof pattern) {
        snprintf(pattern + n, sizeof pattern - n, ")($|\\()");
    }
    sp_json_object(j, "propertyNames");
    sp_json_object(j, "not");
    sp_json_text(j, "pattern", pattern);
    sp_json_end(j);
    sp_json_end(j);
}

/* A reference to the definition of an element. */
static void write_reference(sp_json *j, const sp_grammar_element *element)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "#/definitions/%s", element->name);
    sp_json_text(j, "$ref", text);
}

/* A map of named values: the inside of a schema. */
static void write_named(sp_json *j, const sp_grammar_type *type)
{
    static const char *const pattern[] = {[SP_NAMES_PLAIN] = "^" NAME_PATTERN "$",
                                          [SP_NAMES_FUNCTION] = FUNCTION_PATTERN,
                                          [SP_NAMES_PATH] = REFERENCE_PATTERN};
    sp_json_text(j, "type", "object");
    if (type->special) {
        sp_json_object(j, "properties");
        sp_json_object(j, type->special);
        write_reference(j, type->special_keys);
        sp_json_end(j);
        sp_json_end(j);
    }
    sp_json_object(j, "patternProperties");
    write_type(j, pattern[type->names], type->named, NULL);
    sp_json_end(j);
    sp_json_bool(j, "additionalProperties", false);
    if (type->reserved) {
        write_reserved(j, type->reserved);
    }
}

/* One way to write a value, as an item of anyOf or, if it is the only one, in place. */
static void write_way(sp_json *j, bool only, const sp_grammar_type *type, sp_node_kind kind)
{
    if (!only) {
        sp_json_object(j, NULL);
    }
    if (kind == SP_NODE_TEXT) {
        write_leaf(j, type);
    } else if (kind == SP_NODE_LIST) {
        write_list(j, type);
    } else if (type->element) {
        write_reference(j, type->element);
    } else {
        write_named(j, type);
    }
    if (!only) {
        sp_json_end(j);
    }
}

/* The schema of a value.  Goes down one step of the table, which has no cycles: elements are
 * referred to. */
static void write_type(sp_json *j, const char *name, const sp_grammar_type *type,
                       const sp_grammar_key *key)
{
    const bool way[] = {[SP_NODE_TEXT] = type->leaf != SP_LEAF_NONE,
                        [SP_NODE_MAP] = type->element || type->named,
                        [SP_NODE_LIST] = type->item != NULL};
    const bool only = way[SP_NODE_TEXT] + way[SP_NODE_MAP] + way[SP_NODE_LIST] == 1;
    sp_json_object(j, name);
    if (key) {
        write_description(j, key);
    }
    if (!only) {
        sp_json_array(j, "anyOf");
    }
    for (int kind = SP_NODE_TEXT; kind <= SP_NODE_LIST; kind++) {
        if (way[kind]) {
            write_way(j, only, type, (sp_node_kind)kind);
        }
    }
    if (!only) {
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* ---- elements ------------------------------------------------------------------------------ */

/* The schemas of some keys, as far as they are supported. */
static void write_keys(sp_json *j, const sp_grammar_key *key)
{
    for (; key && key->key; key++) {
        if (!sp_grammar_is_later(key)) {
            write_type(j, key->key, key->type, key);
        }
    }
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
static void write_required(sp_json *j, const char *name, const char *const *key, int n)
{
    sp_json_object(j, name);
    write_texts(j, "required", key, n);
    sp_json_end(j);
}

/* Which keys must be there: always, or one of several. */
static void write_needs(sp_json *j, const sp_grammar_key *kind, const sp_grammar_key *common)
{
    const char *key[SP_GRAMMAR_KEY_MAX];
    int n = 0;
    if (kind) {
        key[n++] = kind->key;
    }
    n = flagged(common, SP_KEY_NEEDED, key, flagged(kind, SP_KEY_NEEDED, key, n));
    if (n > 0) {
        write_texts(j, "required", key, n);
    }
    n = flagged(kind, SP_KEY_ONE_OF, key, 0);
    if (n > 0) {
        sp_json_array(j, "oneOf");
        for (int i = 0; i < n; i++) {
            write_required(j, NULL, &key[i], 1);
        }
        sp_json_end(j);
    }
}

/* Which keys must be there if the kind key's value is a list. */
static void write_needs_of_lists(sp_json *j, const sp_grammar_key *kind)
{
    for (const sp_grammar_key *k = kind; k && k->key; k++) {
        if (k->flags & SP_KEY_NEEDED_LIST) {
            sp_json_object(j, "if");
            write_texts(j, "required", &k->with, 1);
            sp_json_object(j, "properties");
            sp_json_object(j, kind->key);
            sp_json_text(j, "type", "array");
            sp_json_end(j);
            sp_json_end(j);
            sp_json_end(j);
            write_required(j, "then", &k->key, 1);
            return; /* a schema has one "if" */
        }
    }
}

/* Which keys must be there beside others: "dependencies". */
static void write_dependencies(sp_json *j, const sp_grammar_key *list)
{
    const char *with = NULL;
    for (const sp_grammar_key *k = list; k->key && !with; k++) {
        with = k->with;
    }
    if (!with) {
        return;
    }
    sp_json_object(j, "dependencies");
    sp_json_array(j, with);
    for (const sp_grammar_key *k = list; k->key; k++) {
        if (k->with && strcmp(k->with, with) == 0) {
            sp_json_text(j, NULL, k->key);
        }
    }
    sp_json_end(j);
    sp_json_end(j);
}

/* A map with the keys of a kind (NULL: none) and the common ones: the inside of a schema. */
static void write_map(sp_json *j, const sp_grammar_element *element, const sp_grammar_key *kind)
{
    sp_json_text(j, "type", "object");
    sp_json_object(j, "properties");
    write_keys(j, kind);
    write_keys(j, element->common);
    sp_json_end(j);
    sp_json_bool(j, "additionalProperties", false);
    const char *adds[SP_GRAMMAR_KEY_MAX];
    const int n = flagged(element->common, SP_KEY_ADDS, adds, 0);
    if (n > 0) { /* another file may hold what is needed */
        sp_json_object(j, "if");
        write_required(j, "not", adds, n);
        sp_json_end(j);
        sp_json_object(j, "then");
    }
    write_needs(j, kind, element->common);
    write_dependencies(j, element->common);
    if (n > 0) {
        sp_json_end(j);
    }
    write_needs_of_lists(j, kind);
}

/* The definition of an element. */
static void write_element(sp_json *j, const sp_grammar_element *element)
{
    sp_json_object(j, element->name);
    sp_json_text(j, "description", element->text);
    if (element->kind) {
        sp_json_array(j, "oneOf");
        for (const sp_grammar_key *const *k = element->kind; *k; k++) {
            if (!sp_grammar_is_later(*k)) {
                sp_json_object(j, NULL);
                sp_json_text(j, "title", (*k)->key);
                write_map(j, element, *k);
                sp_json_end(j);
            }
        }
        sp_json_end(j);
    } else {
        write_map(j, element, NULL);
    }
    sp_json_end(j);
}

void sp_schema_json(FILE *out)
{
    const sp_grammar_element *element[ELEMENT_MAX];
    const int n = find_elements(element);
    sp_json j;
    sp_json_init(&j, out);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    sp_json_text(&j, "title", "Specht model file");
    sp_json_array(&j, "allOf");
    sp_json_object(&j, NULL);
    write_reference(&j, &sp_grammar_model);
    sp_json_end(&j);
    sp_json_end(&j);
    sp_json_object(&j, "definitions");
    for (int i = 0; i < n; i++) {
        write_element(&j, element[i]);
    }
    sp_json_end(&j);
    sp_json_end(&j);
    fputc('\n', out);
}

/* ---- the reference ------------------------------------------------------------------------- */

/* A text in a cell of a table, where | would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

/* What a key's value is: its words, or the type's description and unit. */
static void put_value(FILE *out, const sp_grammar_key *key)
{
    const char *before = "";
    if (key->type->leaf == SP_LEAF_WORD) {
        for (const sp_grammar_word *w = key->type->word; w->word; w++) {
            if (!w->later) {
                fprintf(out, "%s`%s`", before, w->word);
                before = ", ";
            }
        }
    } else {
        put_cell(out, key->type->what);
    }
    if (key->unit && strcmp(key->unit, "1") != 0) {
        fprintf(out, ", %s", key->unit);
    }
}

/* The row of a key. */
static void put_row(FILE *out, const sp_grammar_key *key, bool is_kind)
{
    fprintf(out, is_kind ? "| **`%s`** | " : "| `%s` | ", key->key);
    put_value(out, key);
    fprintf(out, " | %c | ", key->level ? (key->level == 'C' ? 'Q' : key->level) : ' ');
    if (key->standard) {
        fprintf(out, "`%s`", key->standard);
    } else if (key->flags & (SP_KEY_NEEDED | SP_KEY_ONE_OF)) {
        fprintf(out, "%s", key->flags & SP_KEY_ONE_OF ? "one of these" : "needed");
    } else if (key->with) {
        fprintf(out, "needed with `%s`", key->with);
    }
    fprintf(out, " | ");
    put_cell(out, key->text);
    fprintf(out, " |\n");
}

/* The rows of a list of keys. */
static void put_rows(FILE *out, const sp_grammar_key *key, const sp_grammar_key *kind)
{
    for (; key && key->key; key++) {
        if (!sp_grammar_is_later(key)) {
            put_row(out, key, key == kind);
        }
    }
}

/* Add words of a value's type that are for later to the sentence about it. */
static const char *put_later_words(FILE *out, const sp_grammar_key *key, const char *before)
{
    const sp_grammar_type *type = key->type && key->type->item ? key->type->item : key->type;
    const sp_grammar_word *w = type && type->leaf == SP_LEAF_WORD ? type->word : NULL;
    for (; w && w->word; w++) {
        if (w->later) {
            fprintf(out, "%s`%s: %s`", before, key->key, w->word);
            before = ", ";
        }
    }
    return before;
}

/* Add the keys of a list that are for later to the sentence about them; of a kind that is for later
 * itself, only its kind key. */
static const char *put_later(FILE *out, const sp_grammar_key *list, bool is_kind,
                             const char *before)
{
    const bool whole = is_kind && sp_grammar_is_later(list);
    for (const sp_grammar_key *key = list; key->key; key++) {
        if (sp_grammar_is_later(key)) {
            fprintf(out, "%s`%s`", before, key->key);
            if (is_kind && !whole) {
                fprintf(out, " with `%s`", list->key);
            }
            before = ", ";
        } else {
            before = put_later_words(out, key, before);
        }
        if (whole) {
            break;
        }
    }
    return before;
}

/* The section of an element. */
static void put_element(FILE *out, const sp_grammar_element *element)
{
    fprintf(out, "### %s\n\n%s\n\n", element->name, element->text);
    fprintf(out, "| key | value | level | default | meaning |\n|---|---|---|---|---|\n");
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        if (!sp_grammar_is_later(*k)) {
            put_rows(out, *k, *k);
        }
    }
    if (element->kind) {
        fprintf(out, "| *with every kind* | | | | |\n");
    }
    put_rows(out, element->common, NULL);
    const char *before = "\nKnown, but not supported yet: ";
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        before = put_later(out, *k, true, before);
    }
    before = put_later(out, element->common, false, before);
    fprintf(out, "%s\n", before[0] == ',' ? ".\n" : "");
}

void sp_schema_markdown(FILE *out)
{
    const sp_grammar_element *element[ELEMENT_MAX];
    const int n = find_elements(element);
    for (int i = 0; i < n; i++) {
        put_element(out, element[i]);
    }
}
