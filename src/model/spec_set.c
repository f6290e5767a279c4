/* Writing to a spec by path: from C, and by `--set`. */
#include "base/status.h"
#include "expr/expr.h"
#include "model/spec.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const sp_place from_c = {NULL, 0, 0};
static const sp_place from_command_line = {"--set", 0, 0};

/* Walk along the path as far as there are nodes; *rest is what remains. */
static sp_node *descend(sp_spec *spec, const char **rest, int *depth)
{
    sp_node *at = spec->root;
    for (*depth = 0; **rest; ++*depth) {
        sp_node *next = sp_node_step(at, rest);
        if (!next) {
            break;
        }
        at = next;
    }
    return at;
}

/* Split off the next key to be made; whole: it is all the rest. */
static bool next_key(bool whole, const char **rest, const char **key, size_t *n)
{
    if (!whole || **rest == '"') {
        return sp_path_next(rest, key, n);
    }
    *key = *rest;
    *n = strlen(*rest);
    *rest += *n;
    return *n <= SP_SPEC_KEY_MAX && !strstr(*key, "..") && **key != '.';
}

/* Whether a key of the top map is `start`, below which keys are paths. */
static bool is_start(const char *key, size_t n)
{
    return n == 5 && memcmp(key, "start", 5) == 0;
}

/* Whether a container for what rest begins with is a list. */
static bool wants_list(const char *rest)
{
    const char *key;
    size_t n;
    return *rest != '"' && sp_path_next(&rest, &key, &n) && sp_path_number(key, n) > 0;
}

/* Check a path as such. */
static sp_status check_path(const char *path, sp_error *err)
{
    const size_t n = strlen(path);
    if (n == 0) {
        return SP_FAIL(err, SP_E_INPUT, "empty path, expected keys joined by dots");
    }
    if (n > SP_SPEC_PATH_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "path of %zu bytes, expected at most %d", n,
                       (int)SP_SPEC_PATH_MAX);
    }
    if (path[n - 1] == '.') {
        return SP_FAIL(err, SP_E_INPUT, "path '%.200s' ends with a dot", path);
    }
    return SP_OK;
}

/* Check that the missing nodes of a path can be made below `at`. */
static sp_status check_rest(const sp_node *at, const char *rest, int depth, const char *path,
                            sp_error *err)
{
    if (at->kind == SP_NODE_TEXT && at->text[0]) {
        return SP_FAIL(err, SP_E_INPUT, "path '%.200s': '%.60s' is the value '%.60s', not a map",
                       path, at->key ? at->key : "item", at->text);
    }
    bool whole = sp_node_keys_are_paths(at);
    int n_item = at->kind == SP_NODE_LIST ? at->n_child : -1; /* of the list we are in */
    if (at->kind == SP_NODE_TEXT && !whole && wants_list(rest)) {
        n_item = 0;
    }
    while (*rest) {
        const char *key;
        size_t n;
        if (!next_key(whole, &rest, &key, &n)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "path '%.200s': expected keys of 1 to %d bytes joined by single dots",
                           path, (int)SP_SPEC_KEY_MAX);
        }
        if (n_item >= 0 && sp_path_number(key, n) != n_item + 1) {
            return SP_FAIL(err, SP_E_INPUT,
                           "path '%.200s': '%.*s' is no item of a list of %d, expected 1 to %d",
                           path, (int)n, key, n_item, n_item + 1);
        }
        whole = depth == 0 && is_start(key, n);
        n_item = !whole && wants_list(rest) ? 0 : -1;
        if (++depth > SP_SPEC_DEPTH_MAX) {
            return SP_FAIL(err, SP_E_INPUT, "path '%.200s' is deeper than %d", path,
                           (int)SP_SPEC_DEPTH_MAX);
        }
    }
    return SP_OK;
}

/* Make the nodes that rest names below `at`; the last is an empty text.  NULL: no memory. */
static sp_node *make_rest(sp_spec *spec, sp_node *at, const char *rest, sp_place place)
{
    bool whole = sp_node_keys_are_paths(at);
    if (at->kind == SP_NODE_TEXT) {
        at->kind = !whole && wants_list(rest) ? SP_NODE_LIST : SP_NODE_MAP;
        at->text = NULL;
    }
    while (*rest) {
        const char *key = NULL;
        size_t n = 0;
        const bool sound = next_key(whole, &rest, &key, &n);
        assert(sound); /* check_rest saw to it */
        if (!sound) {
            return NULL;
        }
        whole = at == spec->root && is_start(key, n);
        const sp_node_kind kind = !*rest                       ? SP_NODE_TEXT
                                  : !whole && wants_list(rest) ? SP_NODE_LIST
                                                               : SP_NODE_MAP;
        sp_node *child = sp_node_new(spec, kind, place);
        if (!child) {
            return NULL;
        }
        if (at->kind == SP_NODE_MAP) {
            child->key = sp_spec_keep(spec, key, n);
            child->key_place = place;
        }
        child->text = kind == SP_NODE_TEXT ? "" : NULL;
        if ((at->kind == SP_NODE_MAP && !child->key) || !sp_node_append(spec, at, child)) {
            return NULL;
        }
        at = child;
    }
    return at;
}

/* The text or list that a path leads to, made if it is not there. */
static sp_status reach(sp_spec *spec, const char *path, sp_place place, sp_node **leaf,
                       sp_error *err)
{
    SP_TRY(check_path(path, err));
    const char *rest = path;
    int depth;
    sp_node *at = descend(spec, &rest, &depth);
    if (!*rest && at->kind == SP_NODE_MAP) {
        return SP_FAIL(err, SP_E_INPUT, "'%.200s' is a map, set its leaves one by one", path);
    }
    if (*rest) {
        SP_TRY(check_rest(at, rest, depth, path, err));
        at = make_rest(spec, at, rest, place);
    }
    *leaf = at;
    return at ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory while setting '%.200s'", path);
}

/* Give a leaf the content of a node that stands nowhere yet. */
static void replace(sp_node *leaf, const sp_node *value)
{
    leaf->kind = value->kind;
    leaf->quoted = value->quoted;
    leaf->text = value->text;
    leaf->place = value->place;
    leaf->first = value->first;
    leaf->last = value->last;
    leaf->n_child = value->n_child;
    leaf->index = NULL;
    for (sp_node *c = leaf->first; c; c = c->next) {
        c->parent = leaf;
    }
}

/* A new text node of n bytes, NULL if there is no memory. */
static sp_node *new_text(sp_spec *spec, const char *text, size_t n, sp_place place)
{
    sp_node *node = sp_node_new(spec, SP_NODE_TEXT, place);
    if (node) {
        node->text = sp_spec_keep(spec, text, n);
    }
    return node && node->text ? node : NULL;
}

sp_status sp_spec_set(sp_spec *spec, const char *path, const char *text, sp_error *err)
{
    const sp_node *value = new_text(spec, text, strlen(text), from_c);
    if (!value) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory while setting '%.200s'", path);
    }
    sp_node *leaf;
    SP_TRY(reach(spec, path, from_c, &leaf, err));
    replace(leaf, value);
    return SP_OK;
}

sp_status sp_spec_set_list(sp_spec *spec, const char *path, int n, const char *const *text,
                           sp_error *err)
{
    sp_node *list = sp_node_new(spec, SP_NODE_LIST, from_c);
    for (int i = 0; list && i < n; i++) {
        sp_node *item = new_text(spec, text[i], strlen(text[i]), from_c);
        if (!item || !sp_node_append(spec, list, item)) {
            list = NULL;
        }
    }
    if (!list) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory while setting '%.200s'", path);
    }
    sp_node *leaf;
    SP_TRY(reach(spec, path, from_c, &leaf, err));
    replace(leaf, list);
    return SP_OK;
}

sp_status sp_spec_set_number(sp_spec *spec, const char *path, double value, sp_error *err)
{
    if (!isfinite(value)) {
        return SP_FAIL(err, SP_E_INPUT, "'%.200s' = %g, expected a finite number", path, value);
    }
    char printed[64], text[64];
    snprintf(printed, sizeof printed, "%.17g", value);
    size_t n = 0;
    for (const char *p = printed; *p; p++) { /* the locale's decimal sign becomes a point */
        if (strchr("+-0123456789e", *p)) {
            text[n++] = *p;
        } else if (n > 0 && text[n - 1] != '.') {
            text[n++] = '.';
        }
    }
    text[n] = '\0';
    return sp_spec_set(spec, path, text, err);
}

/* Write into buffer what could have been meant by word among the keys of a map (may be NULL). */
static void suggest(sp_spec *spec, const sp_node *map, const char *word, char *buffer, size_t size)
{
    enum { SHOWN = 8 };
    buffer[0] = '\0';
    const int n = map && map->kind == SP_NODE_MAP ? map->n_child : 0;
    const char **name = n ? SP_NEW(&spec->arena, const char *, n) : NULL;
    if (!name) {
        return;
    }
    int k = 0;
    for (const sp_node *c = map->first; c; c = c->next) {
        name[k++] = c->key;
    }
    const char *near = sp_nearest(word, name, n);
    if (near) {
        snprintf(buffer, size, ", did you mean '%.60s'?", near);
        return;
    }
    int used = snprintf(buffer, size, " (has: ");
    for (k = 0; k < n && k < SHOWN && used >= 0 && (size_t)used < size; k++) {
        used += snprintf(buffer + used, size - (size_t)used, "%s%.30s", k ? ", " : "", name[k]);
    }
    if (used >= 0 && (size_t)used < size) {
        snprintf(buffer + used, size - (size_t)used, n > SHOWN ? ", ...)" : ")");
    }
}

/* Find what --set means by a name without dots: the path of a parameter or, if allowed, of a
 * top-level leaf. */
static sp_status resolve_name(sp_spec *spec, const char *name, bool may_be_top, const char **path,
                              sp_error *err)
{
    static const char *const top[] = {"seed", "gravity", "impact", "units", "space", "name"};
    const sp_node *parameters = sp_node_get(spec->root, "parameters");
    const sp_node *parameter = sp_node_get(parameters, name);
    if (parameter) {
        *path = sp_arena_printf(&spec->arena, "parameters.\"%s\"%s", name,
                                parameter->kind == SP_NODE_MAP ? ".value" : "");
        return *path ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "--set: out of memory");
    }
    *path = name;
    const sp_node *leaf = may_be_top ? sp_node_get(spec->root, name) : NULL;
    if (leaf && leaf->kind != SP_NODE_MAP) {
        return SP_OK;
    }
    for (size_t k = 0; may_be_top && !leaf && k < sizeof top / sizeof *top; k++) {
        if (strcmp(name, top[k]) == 0) {
            return SP_OK;
        }
    }
    char hint[320];
    if (leaf) {
        suggest(spec, leaf, "", hint, sizeof hint);
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.60s' is a map, set one of its leaves%s", name,
                       hint);
    }
    suggest(spec, parameters, name, hint, sizeof hint);
    return SP_FAIL(err, SP_E_INPUT, "--set: no parameter '%.60s'%s", name, hint);
}

/* The section in which a path was meant that begins with no section: one in which it leads to a
 * leaf, or `start` if it begins with a body.  NULL: none. */
static const char *section_meant(sp_spec *spec, const char *path, const char *word)
{
    for (sp_node *c = spec->root->first; c; c = c->next) {
        const sp_node *found = c->kind == SP_NODE_MAP ? sp_node_path(c, path) : NULL;
        if (found && found->kind != SP_NODE_MAP) {
            return c->key;
        }
    }
    return sp_node_get(sp_node_get(spec->root, "bodies"), word) ? "start" : NULL;
}

/* Check that a dotted path leads --set to a leaf, or to a new one in a map that is there. */
static sp_status check_override(sp_spec *spec, const char *path, sp_error *err)
{
    SP_TRY(check_path(path, err));
    const char *rest = path, *key;
    size_t n;
    int depth;
    const sp_node *at = descend(spec, &rest, &depth);
    char hint[320], where[200];
    sp_node_where(at, where, sizeof where);
    if (!*rest) {
        if (at->kind != SP_NODE_MAP) {
            return SP_OK;
        }
        suggest(spec, at, "", hint, sizeof hint);
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.150s' is a map, set one of its leaves%s", where,
                       hint);
    }
    if (at->kind == SP_NODE_LIST) {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.150s' has %d items, no item '%.60s'", where,
                       at->n_child, rest);
    }
    if (at->kind == SP_NODE_TEXT && at->text[0]) {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.150s' is the value '%.60s', it has no '%.60s'",
                       where, at->text, rest);
    }
    const bool section = at == spec->root;
    if (!next_key(sp_node_keys_are_paths(at), &rest, &key, &n)) {
        return SP_FAIL(err, SP_E_INPUT, "--set: path '%.200s' is not well formed", path);
    }
    const bool may_be_new = (n == 3 && memcmp(key, "run", 3) == 0) || is_start(key, n);
    if (section ? may_be_new : !*rest) {
        return SP_OK;
    }
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)n, key);
    suggest(spec, at, word, hint, sizeof hint);
    const char *meant = section ? section_meant(spec, path, word) : NULL;
    if (meant) {
        return SP_FAIL(err, SP_E_INPUT, "--set: the model has no '%s', did you mean '%s.%.200s'?",
                       word, meant, path);
    }
    if (section) {
        return SP_FAIL(err, SP_E_INPUT, "--set: the model has no '%s'%s", word, hint);
    }
    return SP_FAIL(err, SP_E_INPUT, "--set: '%.150s' has no '%s'%s", where, word, hint);
}

/* Length of text without the blanks at its end. */
static size_t trimmed(const char *text, size_t n)
{
    while (n > 0 && strchr(" \t\r\n", text[n - 1])) {
        n--;
    }
    return n;
}

/* What a list in brackets is read with. */
typedef struct list_reader {
    sp_spec *spec;
    sp_node *at;      /* the list that is open                     */
    const char *item; /* begin of a text item, NULL: none yet      */
    bool closed;      /* the item was a list, a comma must follow  */
    int depth, paren;
} list_reader;

/* Put the text item that ends before p into the open list.  False if there is no memory. */
static bool end_item(list_reader *r, const char *p)
{
    if (r->item) {
        sp_node *node =
            new_text(r->spec, r->item, trimmed(r->item, (size_t)(p - r->item)), from_command_line);
        if (!node || !sp_node_append(r->spec, r->at, node)) {
            return false;
        }
    }
    r->item = NULL;
    r->closed = false;
    return true;
}

/* Open a list inside the open one.  False if there is no memory. */
static bool open_list(list_reader *r)
{
    sp_node *list = sp_node_new(r->spec, SP_NODE_LIST, from_command_line);
    if (!list || (r->at && !sp_node_append(r->spec, r->at, list))) {
        return false;
    }
    r->at = list;
    r->depth++;
    return true;
}

/* Read "[a, [b, f(c, d)]]" into a list; commas inside ( ) do not part items. */
static sp_status read_list(sp_spec *spec, const char *text, sp_node **list, sp_error *err)
{
    enum { DEPTH_MAX = 8 };
    list_reader r = {spec, NULL, NULL, false, 0, 0};
    bool memory = true, sound = true;
    const char *p = text;
    for (; *p && memory && sound && (r.depth > 0 || p == text); p++) {
        const bool ends = (*p == ',' || *p == ']') && r.paren <= 0;
        if (*p == '[' && !r.item) {
            sound = !r.closed && r.depth < DEPTH_MAX;
            memory = open_list(&r);
        } else if (ends) {
            sound = r.item || r.closed || (*p == ']' && r.at->n_child == 0);
            memory = end_item(&r, p);
            if (*p == ']') {
                r.closed = true;
                *list = r.at;
                r.at = r.at->parent;
                r.depth--;
            }
        } else if (*p != ' ') {
            sound = !r.closed && *p != '[';
            r.item = r.item ? r.item : p;
            r.paren += (*p == '(') - (*p == ')');
        }
    }
    if (!memory) {
        return SP_FAIL(err, SP_E_MEMORY, "--set: out of memory");
    }
    if (!sound || r.depth > 0 || *p) {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.200s' is no list, expected '[a, b]'", text);
    }
    return SP_OK;
}

/* The node for the value of an override. */
static sp_status read_value(sp_spec *spec, const char *text, sp_node **value, sp_error *err)
{
    if (text[0] == '[') {
        return read_list(spec, text, value, err);
    }
    if (text[0] == '{') {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.200s' is a map, set its leaves one by one",
                       text);
    }
    *value = new_text(spec, text, strlen(text), from_command_line);
    return *value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "--set: out of memory");
}

/* Split "name=value" into texts without blanks around them. */
static sp_status split(sp_spec *spec, const char *assignment, const char **name, const char **value,
                       sp_error *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals) {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.200s', expected name=value", assignment);
    }
    const char *left = assignment + strspn(assignment, " \t");
    const char *right = equals + 1 + strspn(equals + 1, " \t");
    const size_t n_left = left < equals ? trimmed(left, (size_t)(equals - left)) : 0;
    const size_t n_right = trimmed(right, strlen(right));
    if (n_left == 0 || n_right == 0) {
        return SP_FAIL(err, SP_E_INPUT, "--set: '%.200s' has no %s, expected name=value",
                       assignment, n_left ? "value" : "name");
    }
    if (n_left > SP_SPEC_PATH_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "--set: name of %zu bytes, expected at most %d", n_left,
                       (int)SP_SPEC_PATH_MAX);
    }
    *name = sp_spec_keep(spec, left, n_left);
    *value = sp_spec_keep(spec, right, n_right);
    return *name && *value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "--set: out of memory");
}

const char *sp_spec_leaf_unit(sp_spec *spec, const sp_node *leaf)
{
    double value;
    char unit[64];
    sp_expr_info info = {.any_dim = true};
    const char *was = leaf && leaf->kind == SP_NODE_TEXT ? leaf->text : NULL;
    if (!was || sp_expr_constant(&spec->arena, was, NULL, &value, &info, NULL) != SP_OK ||
        info.lone_literal || info.any_dim || sp_dim_is_pure(info.dim)) {
        return "";
    }
    sp_dim_unit(info.dim, unit, sizeof unit);
    const char *kept = sp_arena_copy(&spec->arena, unit);
    return kept ? kept : "";
}

const char *sp_spec_with_unit(sp_spec *spec, const char *text, const char *unit)
{
    double value;
    sp_expr_info info = {.literal = false};
    if (!unit[0] || sp_expr_constant(&spec->arena, text, NULL, &value, &info, NULL) != SP_OK ||
        !info.lone_literal) {
        return text;
    }
    const char *whole = sp_arena_printf(&spec->arena, "%s %s", text, unit);
    return whole ? whole : text;
}

/* Hz for what the file has in rad/s could mean two things, as it could in the file. */
static sp_status check_frequency(sp_spec *spec, const char *name, const char *was, const char *text,
                                 sp_error *err)
{
    double value;
    sp_expr_info old = {.any_dim = true}, now = {.any_dim = true};
    if (!was || sp_expr_constant(&spec->arena, was, NULL, &value, &old, NULL) != SP_OK ||
        sp_expr_constant(&spec->arena, text, NULL, &value, &now, NULL) != SP_OK || old.any_dim ||
        now.any_dim || !sp_dim_equal(old.dim, now.dim) || old.dim.frequency == now.dim.frequency) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "--set: %.60s = %.60s, but the model has '%.60s': a frequency or an angular "
                   "velocity? 1 Hz is 2*pi rad/s; write it as the model does",
                   name, text, was);
}

sp_status sp_spec_override(sp_spec *spec, const char *assignment, sp_error *err)
{
    static const char section[] = "parameters.";
    const size_t n_section = sizeof section - 1;
    const char *name = NULL, *text = NULL, *path = NULL;
    SP_TRY(split(spec, assignment, &name, &text, err));
    if (!strchr(name, '.')) {
        SP_TRY(resolve_name(spec, name, true, &path, err));
    } else if (strncmp(name, section, n_section) == 0 && !strpbrk(name + n_section, ".\"")) {
        SP_TRY(resolve_name(spec, name + n_section, false, &path, err));
    } else {
        SP_TRY(check_override(spec, name, err));
        path = name;
    }
    sp_node *value = NULL, *leaf = NULL;
    SP_TRY(read_value(spec, text, &value, err)); /* a bad value changes nothing */
    SP_TRY(reach(spec, path, from_command_line, &leaf, err));
    if (value->kind == SP_NODE_TEXT) {
        SP_TRY(check_frequency(spec, name, leaf->kind == SP_NODE_TEXT ? leaf->text : NULL,
                               value->text, err));
        value->text = sp_spec_with_unit(spec, text, sp_spec_leaf_unit(spec, leaf));
    }
    replace(leaf, value);
    return sp_spec_add_override(spec, name, text)
               ? SP_OK
               : SP_FAIL(err, SP_E_MEMORY, "--set: out of memory");
}
