/* model/grammar_check.c - a model file held against the table. */
#include "model/grammar_say.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { UNKNOWN_MAX = 20 }; /* unknown keys of a map that may be a missing one */

typedef struct checker {
    sp_diag *diag;
    int dimension; /* 2, or 3 if the file says spatial */
} checker;

static void check_value(const checker *c, const sp_node *node, const sp_grammar_type *type,
                        const sp_grammar_key *key, const sp_say_where *at);

#define ERROR(c, place, ...) sp_diag_add((c)->diag, SP_ERROR, (place), __VA_ARGS__)
#define NOT_YET              "is known, but not supported in this version"

/* ---- names --------------------------------------------------------------------------------- */

/* Whether text is in a list that ends with NULL. */
static bool is_among(const char *text, const char *const *list)
{
    for (; list && *list; list++) {
        if (strcmp(text, *list) == 0) {
            return true;
        }
    }
    return false;
}

/* The name in a key: all of it, or what stands before the ( of a function. */
static const char *stem(const char *key, char buf[SP_SPEC_KEY_MAX + 1])
{
    snprintf(buf, SP_SPEC_KEY_MAX + 1, "%.*s", (int)strcspn(key, "("), key);
    return buf;
}

/* Report a key of a map of named things that is no name or one that is taken. */
static void check_name(const checker *c, const sp_node *node, const sp_grammar_type *type,
                       const sp_say_where *at)
{
    char who[SP_SAY_LABEL], name[SP_SPEC_KEY_MAX + 1];
    if (type->names == SP_NAMES_PATH) {
        if (!sp_grammar_is_reference(node->key)) {
            ERROR(c, node->key_place, "%s is not a path, expected one such as 'crank.omega'",
                  sp_say_label(at, who));
        }
        return;
    }
    if (!sp_grammar_is_name(stem(node->key, name))) {
        ERROR(c, node->key_place,
              "%s: not a name, expected letters A-Z a-z, digits and _, no digit first",
              sp_say_label(at, who));
    } else if (is_among(name, type->reserved)) {
        ERROR(c, node->key_place, "%s: the name '%s' is reserved", sp_say_label(at, who), name);
    } else if (type->names == SP_NAMES_FUNCTION && node->kind == SP_NODE_TEXT &&
               !sp_grammar_is_function(node->key)) {
        ERROR(c, node->key_place, "%s: expected its arguments behind the name, as in '%s(x): ...'",
              sp_say_label(at, who), name);
    } else if (type->names == SP_NAMES_FUNCTION && node->kind == SP_NODE_MAP &&
               !sp_grammar_is_name(node->key)) {
        ERROR(c, node->key_place, "%s: expected the name alone, as in '%s: {points: ...}'",
              sp_say_label(at, who), name);
    }
}

/* ---- words that people type ----------------------------------------------------------------- */

/* The word of the language for a usual one, if it is among the candidates; else the most alike. */
static const char *suggest(const char *word, const char *const *candidate, int n)
{
    static const char *const usual[][2] = {
        {"hinge", "revolute"},    {"pin", "revolute"},    {"rotation", "revolute"},
        {"slider", "prismatic"},  {"slide", "prismatic"}, {"translation", "prismatic"},
        {"restitution", "eps_N"}, {"restitution", "law"}, {"friction", "mu"},
        {"friction", "law"},      {"dt", "step"},         {"timestep", "step"},
        {"tend", "until"},        {"t_end", "until"},     {"duration", "until"},
        {"2d", "planar"},         {"3d", "spatial"}};
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        for (int i = 0; i < n && strcmp(word, usual[k][0]) == 0; i++) {
            if (strcmp(candidate[i], usual[k][1]) == 0) {
                return candidate[i];
            }
        }
    }
    return sp_nearest(word, candidate, n);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* The known key that an unknown one is most like, NULL if there is none. */
static const char *nearest_key(const sp_grammar_element *element, const sp_grammar_key *kind,
                               const char *key)
{
    const char *candidate[SP_GRAMMAR_KEY_MAX];
    const int n = sp_grammar_keys(element, kind, 0, candidate);
    return suggest(key, candidate, n);
}

/* The sections of named elements that have a key, how many. */
static int sections_with(const char *key, const char **section)
{
    int n = 0;
    for (const sp_grammar_key *k = sp_grammar_model.common; k->key; k++) {
        const sp_grammar_type *named = k->type ? k->type->named : NULL;
        if (named && named->element && sp_grammar_find_anywhere(named->element, key)) {
            section[n++] = k->key;
        }
    }
    return n;
}

/* Report a key that the element does not have. */
static void report_unknown(const checker *c, const sp_node *node, const sp_grammar_element *element,
                           const sp_grammar_key *kind, const sp_say_where *map)
{
    char who[SP_SAY_LABEL], what[SP_SAY_CLIP + 4], list[SP_SAY_LIST];
    if (c->diag->n_error >= SP_DIAG_MAX) {
        ERROR(c, node->key_place, "unknown key"); /* counted, not kept: do not search */
        return;
    }
    sp_say_label(map, who);
    sp_say_clip(node->key, what);
    const sp_grammar_key *other = kind ? sp_grammar_find_anywhere(element, node->key) : NULL;
    if (other && sp_grammar_is_later(other)) {
        ERROR(c, node->key_place, "%s: '%s' " NOT_YET, who, what);
        return;
    }
    if (other) {
        ERROR(c, node->key_place, "%s: '%s' does not go with '%s'", who, what, kind->key);
        return;
    }
    if (element != &sp_grammar_model && sp_grammar_find(&sp_grammar_model, NULL, node->key)) {
        ERROR(c, node->key_place, "%s: unknown key '%s', it belongs to the top of the file", who,
              what);
        return;
    }
    if (element == &sp_grammar_model && strcmp(node->key, "studies") == 0) {
        ERROR(c, node->key_place,
              "studies are files of their own that name the model: 'study: 1', 'model: FILE'; "
              "see 'specht study --help'");
        return;
    }
    const char *near = nearest_key(element, kind, node->key);
    if (near) {
        ERROR(c, node->key_place, "%s: unknown key '%s', did you mean '%s'?", who, what, near);
        return;
    }
    const char *candidate[SP_GRAMMAR_KEY_MAX];
    const int n = sp_grammar_keys(element, kind, c->dimension, candidate);
    char where[SP_SAY_LIST];
    const char *section[SP_GRAMMAR_KEY_MAX];
    const int n_section = sections_with(node->key, section);
    ERROR(c, node->key_place, "%s: unknown key '%s', expected one of: %s%s%s", who, what,
          sp_say_list(candidate, n, list), n_section > 0 ? "; it belongs to: " : "",
          n_section > 0 ? sp_say_list(section, n_section, where) : "");
}

/* Report a key that is known but not to be used here: not yet, or not in this space.  False if it
 * may be used. */
static bool report_elsewhere(const checker *c, const sp_node *node, const sp_grammar_key *key,
                             const sp_say_where *map)
{
    char who[SP_SAY_LABEL];
    if (sp_grammar_is_later(key)) {
        ERROR(c, node->key_place, "%s: '%s' " NOT_YET, sp_say_label(map, who), key->key);
    } else if (sp_grammar_is_later_in(key, c->dimension)) {
        ERROR(c, node->key_place, "%s: '%s' in space " NOT_YET, sp_say_label(map, who), key->key);
    } else if (!sp_grammar_has(key, c->dimension)) {
        ERROR(c, node->key_place, "%s: '%s' exists only %s", sp_say_label(map, who), key->key,
              c->dimension == 3 ? "in the plane, with 'space: planar'"
                                : "in space, with 'space: spatial'");
    } else {
        return false;
    }
    return true;
}

/* ---- what YAML makes of commas ------------------------------------------------------------- */

/* Parentheses that are open behind a text. */
static int open_parentheses(const char *text)
{
    int open = 0;
    for (; *text; text++) {
        open += (*text == '(') - (*text == ')');
    }
    return open;
}

static bool is_empty(const sp_node *node)
{
    return node->kind == SP_NODE_TEXT && !node->quoted && (!node->text || node->text[0] == '\0');
}

/* An expression with a comma, cut in pieces by YAML: report it and return its last piece; NULL if
 * node is no such thing.  In a map the further pieces are keys without values. */
static const sp_node *report_cut(const checker *c, const sp_node *node, const sp_say_where *at)
{
    if (node->kind != SP_NODE_TEXT || node->quoted || !node->text) {
        return NULL;
    }
    int open = open_parentheses(node->text);
    char whole[SP_SAY_LABEL], who[SP_SAY_LABEL], first[SP_SAY_CLIP + 4];
    size_t n = sp_say_append(whole, sizeof whole, 0, node->text);
    const sp_node *last = node;
    while (open > 0 && last->next) {
        last = last->next;
        if (last->key ? !is_empty(last) : last->kind != SP_NODE_TEXT) {
            return NULL;
        }
        const char *piece = last->key ? last->key : last->text;
        open += open_parentheses(piece);
        n = sp_say_append(whole, sizeof whole, sp_say_append(whole, sizeof whole, n, ", "), piece);
    }
    if (last == node || open != 0) {
        return NULL;
    }
    char shown[SP_SAY_CLIP + 4];
    ERROR(c, node->place,
          "%s: unbalanced '(' in '%s'; inside [ ] and { } a comma ends the item, write \"%s\" in "
          "quotes",
          sp_say_label(at, who), sp_say_clip(node->text, first), sp_say_clip(whole, shown));
    return last;
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Report a word that is not in the list of its type, or not yet. */
static void check_word(const checker *c, const sp_node *node, const sp_grammar_type *type,
                       const sp_say_where *at)
{
    const char *now[SP_GRAMMAR_KEY_MAX] = {NULL}, *all[SP_GRAMMAR_KEY_MAX] = {NULL};
    int n_now = 0, n_all = 0;
    bool later = false;
    for (const sp_grammar_word *w = type->word; w->word; w++) {
        const bool same = strcmp(w->word, node->text) == 0;
        const bool here = sp_grammar_has_word(w, c->dimension);
        if (same && here) {
            return;
        }
        later = later || (same && w->later);
        if (here || w->later) {
            all[n_all++] = w->word;
        }
        if (here) {
            now[n_now++] = w->word;
        }
    }
    char who[SP_SAY_LABEL], what[SP_SAY_CLIP + 4], list[SP_SAY_LIST];
    sp_say_label(at, who);
    sp_say_clip(node->text, what);
    sp_say_list(now, n_now, list);
    const char *near = suggest(node->text, all, n_all);
    if (later) {
        ERROR(c, node->place, "%s = %s " NOT_YET "; expected %s%s", who, what,
              n_now > 1 ? "one of: " : "", list);
    } else if (near) {
        ERROR(c, node->place, "%s = %s, did you mean '%s'?", who, what, near);
    } else if (type->number_key && isdigit((unsigned char)node->text[0])) {
        ERROR(c, node->place, "%s = %s, expected %s%s; a number is written '%s: %s'", who, what,
              n_now > 1 ? "one of: " : "", list, type->number_key, node->text);
    } else {
        ERROR(c, node->place, "%s = %s, expected %s%s", who, what, n_now > 1 ? "one of: " : "",
              list);
    }
}

/* Whether a text has the form that its type wants; words are checked elsewhere. */
static bool fits(const sp_node *node, sp_grammar_leaf leaf)
{
    switch (leaf) {
    case SP_LEAF_NAME:
        return sp_grammar_is_name(node->text);
    case SP_LEAF_REFERENCE:
        return sp_grammar_is_reference(node->text);
    case SP_LEAF_INTEGER:
        return node->text[strspn(node->text, "0123456789")] == '\0' && strlen(node->text) <= 15;
    case SP_LEAF_NONE:
        return false;
    default:
        return true;
    }
}

/* Report a text that cannot stand here. */
static void check_text(const checker *c, const sp_node *node, const sp_grammar_type *type,
                       const sp_grammar_key *key, const sp_say_where *at)
{
    char who[SP_SAY_LABEL], what[SP_SAY_CLIP + 4], want[SP_SAY_LABEL];
    const bool empty = !node->text || node->text[0] == '\0';
    if (empty && !(type->leaf == SP_LEAF_TEXT && node->quoted)) {
        ERROR(c, node->place, "%s has no value, expected %s", sp_say_label(at, who),
              sp_say_expected(type, key, want));
    } else if (type->leaf == SP_LEAF_WORD) {
        check_word(c, node, type, at);
    } else if (!fits(node, type->leaf)) {
        const char *colon = strchr(node->text, ':');
        const bool glued = !type->leaf && colon && colon[1] != ' ' && colon[1] != '\0';
        ERROR(c, node->place, "%s = %s, expected %s%s", sp_say_label(at, who),
              sp_say_clip(node->text, what), sp_say_expected(type, key, want),
              glued ? "; put a blank after the ':'" : "");
    }
}

/* ---- lists --------------------------------------------------------------------------------- */

/* Report a list that is too short or too long. */
static void check_length(const checker *c, const sp_node *list, const sp_grammar_type *type,
                         const sp_grammar_key *key, const sp_say_where *at)
{
    const int least = type->n_min, most = type->n_max, n = list->n_child;
    if (n >= least && (most == 0 || n <= most)) {
        return;
    }
    char who[SP_SAY_LABEL], want[SP_SAY_LABEL], number[32];
    if (least == most) {
        snprintf(number, sizeof number, "%d", least);
    } else if (n < least) {
        snprintf(number, sizeof number, "at least %d", least);
    } else {
        snprintf(number, sizeof number, "at most %d", most);
    }
    ERROR(c, list->place, "%s has %d %s, expected %s: %s", sp_say_label(at, who), n,
          n == 1 ? "entry" : "entries", number, sp_say_expected(type, key, want));
}

/* Check the items of a list and their number. */
static void check_list(const checker *c, const sp_node *list, const sp_grammar_type *type,
                       const sp_grammar_key *key, const sp_say_where *at)
{
    bool cut = false;
    int entry = 0;
    for (const sp_node *item = list->first; item; item = item->next) {
        const sp_node *last = report_cut(c, item, at);
        entry++;
        if (last) {
            item = last;
            cut = true;
            continue;
        }
        const sp_say_where here = {at, NULL, NULL, entry, at->depth + 1};
        check_value(c, item, type->item, key, &here);
    }
    if (!cut) {
        check_length(c, list, type, key, at);
    }
}

/* ---- maps ---------------------------------------------------------------------------------- */

/* Check a map of named values. */
static void check_named(const checker *c, const sp_node *map, const sp_grammar_type *type,
                        const sp_grammar_key *key, const sp_say_where *at)
{
    for (const sp_node *node = map->first; node; node = node->next) {
        const sp_say_where here = {at, type->noun, node->key, 0, at->depth + 1};
        const sp_node *last = report_cut(c, node, &here);
        if (last) {
            node = last;
            continue;
        }
        check_name(c, node, type, &here);
        if (type->special && strcmp(node->key, type->special) == 0) {
            const sp_grammar_type special = {.what = "a map with points or contours",
                                             .element = type->special_keys};
            check_value(c, node, &special, NULL, &here);
        } else {
            check_value(c, node, type->named, key, &here);
        }
    }
}

/* Whether all kind keys in a map may stand beside the kind key of `kind`. */
static bool is_alone(const sp_node *map, const sp_grammar_element *element,
                     const sp_grammar_key *kind)
{
    for (const sp_grammar_key *const *k = element->kind; *k; k++) {
        if (*k != kind && sp_node_get(map, (*k)->key) &&
            !sp_grammar_find(element, kind, (*k)->key)) {
            return false;
        }
    }
    return true;
}

/* The kind an element says it is; NULL if it says none or several.  *n: how many. */
static const sp_grammar_key *find_kind(const sp_node *map, const sp_grammar_element *element,
                                       const char **said, int *n)
{
    *n = 0;
    for (const sp_grammar_key *const *k = element->kind; *k; k++) {
        if (!sp_node_get(map, (*k)->key)) {
            continue;
        }
        if (is_alone(map, element, *k)) {
            return *k;
        }
        said[(*n)++] = (*k)->key;
    }
    return NULL;
}

/* Whether an unknown key of the map looks like a misspelt `key` (a missing one would be reported
 * twice), or a key that is not supported yet may stand for it. */
static bool is_meant(const checker *c, const sp_node *map, const sp_grammar_element *element,
                     const sp_grammar_key *kind, const char *key)
{
    int n_unknown = 0;
    for (const sp_node *node = map->first; node && n_unknown < UNKNOWN_MAX; node = node->next) {
        const sp_grammar_key *found = sp_grammar_find(element, kind, node->key);
        n_unknown += !found;
        const char *near = found ? NULL : nearest_key(element, kind, node->key);
        if ((found && sp_grammar_is_later_in(found, c->dimension)) ||
            (near && strcmp(near, key) == 0)) {
            return true;
        }
    }
    return false;
}

/* Report a key that is needed and not there. */
static void check_needed(const checker *c, const sp_node *map, const sp_grammar_element *element,
                         const sp_grammar_key *kind, const sp_grammar_key *key,
                         const sp_say_where *at)
{
    const sp_node *first = kind ? sp_node_get(map, kind->key) : NULL;
    bool needed = sp_grammar_needs(key, c->dimension) ||
                  (key->with && sp_node_get(map, key->with) && sp_grammar_has(key, c->dimension));
    needed = needed && !(key->unless && sp_node_get(map, key->unless));
    if (key->flags & SP_KEY_NEEDED_LIST) {
        needed = needed && first && first->kind == SP_NODE_LIST;
    }
    if (!needed || sp_node_get(map, key->key) || is_meant(c, map, element, kind, key->key)) {
        return;
    }
    char who[SP_SAY_LABEL];
    ERROR(c, map->place, "%s: missing key '%s': %s", sp_say_label(at, who), key->key, key->text);
}

/* Report that none or more than one of the keys is there of which one must be. */
static void check_one_of(const checker *c, const sp_node *map, const sp_grammar_element *element,
                         const sp_grammar_key *kind, const sp_say_where *at)
{
    const char *choice[SP_GRAMMAR_KEY_MAX];
    int n = 0, n_there = 0;
    bool meant = false;
    for (const sp_grammar_key *k = kind ? kind : element->common; k && k->key; k++) {
        if (k->flags & SP_KEY_ONE_OF) {
            choice[n++] = k->key;
            n_there += sp_node_get(map, k->key) != NULL;
            meant = meant || is_meant(c, map, element, kind, k->key);
        }
    }
    char who[SP_SAY_LABEL], list[SP_SAY_LIST];
    if (n > 0 && n_there == 0 && !meant) {
        ERROR(c, map->place, "%s: missing one of: %s", sp_say_label(at, who),
              sp_say_list(choice, n, list));
    } else if (n_there > 1) {
        ERROR(c, map->place, "%s: expected only one of: %s", sp_say_label(at, who),
              sp_say_list(choice, n, list));
    }
}

/* Check the keys that are there and their values; returns the number of unknown ones. */
static int check_keys(const checker *c, const sp_node *map, const sp_grammar_element *element,
                      const sp_grammar_key *kind, const sp_say_where *at)
{
    int n_unknown = 0;
    for (const sp_node *node = map->first; node; node = node->next) {
        const sp_say_where here = {at, NULL, node->key, 0, at->depth + 1};
        const sp_grammar_key *key = sp_grammar_find(element, kind, node->key);
        if (!key && !kind && element->kind && sp_grammar_find_anywhere(element, node->key)) {
            continue; /* of some kind, but which one is not said */
        }
        if (!key) {
            report_unknown(c, node, element, kind, at);
            n_unknown++;
        } else if (!report_elsewhere(c, node, key, at)) {
            const sp_node *last = report_cut(c, node, &here);
            if (last) {
                node = last;
            } else {
                check_value(c, node, key->type, key, &here);
            }
        }
    }
    return n_unknown;
}

/* Report an element whose kind is not said, or not clear. */
static void report_kind(const checker *c, const sp_node *map, const sp_grammar_element *element,
                        const char *const *said, int n, const sp_say_where *at)
{
    char who[SP_SAY_LABEL], list[SP_SAY_LIST];
    const char *kind[SP_GRAMMAR_KEY_MAX];
    if (n > 0) {
        ERROR(c, map->place, "%s: is of several kinds (%s), expected one", sp_say_label(at, who),
              sp_say_list(said, n, list));
        return;
    }
    const int n_kind = sp_grammar_kinds(element, c->dimension, kind);
    ERROR(c, map->place, "%s: has no kind, expected %s: %s", sp_say_label(at, who),
          n_kind > 1 ? "one of" : "the key", sp_say_list(kind, n_kind, list));
}

/* Check a map with fixed keys. */
static void check_element(const checker *c, const sp_node *map, const sp_grammar_element *element,
                          const sp_say_where *at)
{
    const char *said[SP_GRAMMAR_KEY_MAX];
    int n_said = 0;
    const sp_grammar_key *kind = element->kind ? find_kind(map, element, said, &n_said) : NULL;
    if (kind && report_elsewhere(c, sp_node_get(map, kind->key), kind, at)) {
        return;
    }
    const int n_unknown = check_keys(c, map, element, kind, at);
    if (element->kind && !kind) {
        if (n_said > 0 || n_unknown == 0) {
            report_kind(c, map, element, said, n_said, at);
        }
        return;
    }
    for (const sp_grammar_key *k = kind; k && k->key; k++) {
        check_needed(c, map, element, kind, k, at);
    }
    for (const sp_grammar_key *k = element->common; k->key; k++) {
        check_needed(c, map, element, kind, k, at);
    }
    check_one_of(c, map, element, kind, at);
}

/* ---- values -------------------------------------------------------------------------------- */

/* Check one value; goes down one step of the table, which has no cycles and few levels. */
static void check_value(const checker *c, const sp_node *node, const sp_grammar_type *type,
                        const sp_grammar_key *key, const sp_say_where *at)
{
    char who[SP_SAY_LABEL], want[SP_SAY_LABEL];
    assert(at->depth < SP_SAY_DEPTH);
    type = sp_grammar_type_in(type, c->dimension);
    if (type->later & (1u << node->kind)) {
        ERROR(c, node->place, "%s: a %s here " NOT_YET ", expected %s", sp_say_label(at, who),
              sp_node_kind_text(node->kind), sp_say_expected(type, key, want));
    } else if (node->kind == SP_NODE_TEXT) {
        check_text(c, node, type, key, at);
    } else if (node->kind == SP_NODE_LIST && type->item) {
        check_list(c, node, type, key, at);
    } else if (node->kind == SP_NODE_MAP && type->element) {
        check_element(c, node, type->element, at);
    } else if (node->kind == SP_NODE_MAP && type->named) {
        check_named(c, node, type, key, at);
    } else {
        ERROR(c, node->place, "%s is a %s, expected %s", sp_say_label(at, who),
              sp_node_kind_text(node->kind), sp_say_expected(type, key, want));
    }
}

/* Report the names of a section that its name space holds already, and add the others. */
static void check_names(const checker *c, const sp_node *section, const sp_grammar_type *type,
                        sp_index_link *index)
{
    for (sp_node *node = section->first; node; node = node->next) {
        char name[SP_SPEC_KEY_MAX + 1];
        if (is_among(stem(node->key, name), type->reserved)) {
            continue; /* reported already */
        }
        const sp_node *other = sp_index_get(index, name, strlen(name));
        const char *kept = other ? NULL : sp_arena_copy(c->diag->arena, name);
        if (other && other->key_place.line > 0) {
            ERROR(c, node->key_place, "%s '%s': the name is taken already, in line %d", type->noun,
                  name, other->key_place.line);
        } else if (other) {
            ERROR(c, node->key_place, "%s '%s': the name is taken already", type->noun, name);
        } else if (!kept || !sp_index_put(index, c->diag->arena,
                                          (sp_index_link){.key = kept, .node = node})) {
            return; /* no memory: whoever needs more of it will say so */
        }
    }
}

/* Report names that two sections of one name space share; a section may lie in another one. */
static void check_space(const checker *c, const sp_node *root, sp_grammar_space space)
{
    sp_index_link index = {0};
    for (const sp_grammar_key *key = sp_grammar_model.common; key->key; key++) {
        const sp_node *section = sp_node_get(root, key->key);
        if (!key->type || !section || section->kind != SP_NODE_MAP) {
            continue;
        }
        if (key->type->space == space) {
            check_names(c, section, key->type, &index);
        }
        const sp_grammar_element *inner = key->type->element;
        for (const sp_grammar_key *k = inner ? inner->common : NULL; k && k->key; k++) {
            const sp_node *part = sp_node_get(section, k->key);
            if (k->type && k->type->space == space && part && part->kind == SP_NODE_MAP) {
                check_names(c, part, k->type, &index);
            }
        }
    }
}

/* Whether a file lacks its own first key and has that of the other sort; if so, it is said. */
static bool is_other(const checker *c, const sp_node *root, const char *own, const char *other,
                     const char *what)
{
    const sp_node *key =
        root->kind == SP_NODE_MAP && !sp_node_get(root, own) ? sp_node_get(root, other) : NULL;
    if (key) {
        ERROR(c, key->key_place, "%s", what);
    }
    return key != NULL;
}

bool sp_grammar_check(const sp_node *root, sp_diag *diag)
{
    const sp_node *space = sp_node_get(root, "space");
    const bool spatial =
        space && space->kind == SP_NODE_TEXT && space->text && strcmp(space->text, "spatial") == 0;
    const checker c = {diag, spatial ? 3 : 2};
    const sp_say_where top = {NULL, NULL, NULL, 0, 0};
    const sp_grammar_type model = {.what = "a map that begins with 'specht: 1'",
                                   .element = &sp_grammar_model};
    if (is_other(
            &c, root, "specht", "study",
            "this is a study, expected a model ('specht: 1'); run it by 'specht study FILE'")) {
        return false;
    }
    check_value(&c, root, &model, NULL, &top);
    check_space(&c, root, SP_SPACE_VALUE);
    check_space(&c, root, SP_SPACE_ELEMENT);
    return true;
}

void sp_grammar_check_study(const sp_node *root, sp_diag *diag)
{
    const checker c = {diag, 0};
    const sp_say_where top = {.noun = "study"};
    const sp_grammar_type study = {.what = "a map that begins with 'study: 1'",
                                   .element = &sp_grammar_study};
    if (!is_other(&c, root, "study", "specht",
                  "this is a model, expected a study ('study: 1' and 'model: FILE'); run it by "
                  "'specht run FILE'")) {
        check_value(&c, root, &study, NULL, &top);
    }
}
