/* One YAML text into a tree of nodes, through libyaml's events. */
#include "io/yaml_read.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* A map or list that is open. */
typedef struct frame {
    sp_node *node;
    const char *key; /* MAP: read, its value not yet  */
    sp_place key_place;
    bool key_quoted;
    bool drop; /* the key was refused, so is its value */
} frame;

typedef struct reader {
    sp_spec *spec;
    sp_diag *diag;
    const char *file, *text;
    size_t n;
    yaml_parser_t parser;
    frame stack[SP_SPEC_DEPTH_MAX];
    int depth, n_document;
    bool done;
    sp_node *root;
    sp_index_link anchor; /* nodes by the name of their anchor */
} reader;

enum { SHOWN_MAX = 60 };

/* A text as it is shown in messages: short and without control characters. */
typedef struct shown {
    char text[SHOWN_MAX + 8];
} shown;

static shown show(const char *text)
{
    shown s;
    size_t n = 0;
    for (; text[n] && n < SHOWN_MAX; n++) {
        const unsigned char c = (unsigned char)text[n];
        s.text[n] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    if (text[n]) { /* cut off between two characters */
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--;
        }
        memcpy(s.text + n, "...", 3);
        n += 3;
    }
    s.text[n] = '\0';
    return s;
}

static sp_place place_of(const reader *r, yaml_mark_t mark)
{
    const sp_place place = {r->file, (int)mark.line + 1, (int)mark.column + 1};
    return place;
}

/* The path of a node as the beginning of a message: "start: ", "" for the top. */
typedef struct prefix {
    char text[160];
} prefix;

static prefix prefix_of(const sp_node *node)
{
    prefix p;
    char where[120];
    sp_node_where(node, where, sizeof where);
    const shown s = show(where);
    snprintf(p.text, sizeof p.text, "%s%s", s.text, where[0] ? ": " : "");
    return p;
}

/* ---- text ---- */

/* Length of the UTF-8 character at s (n bytes left) and its code; 0 if there is none. */
static size_t decode(const unsigned char *s, size_t n, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = s[0] < 0x80   ? 1
                          : s[0] < 0xc2 ? 0
                          : s[0] < 0xe0 ? 2
                          : s[0] < 0xf0 ? 3
                          : s[0] < 0xf5 ? 4
                                        : 0;
    if (length == 0 || length > n) {
        return 0;
    }
    *code = length == 1 ? s[0] : s[0] & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (s[i] & 0x3f);
    }
    const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* Whether YAML takes this character. */
static bool is_printable(unsigned code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0x7e) ||
           code == 0x85 || (code >= 0xa0 && code <= 0xfffd && code != 0xfeff) || code >= 0x10000;
}

/* Check that the text is UTF-8 without control characters, and not full of directives, for which
 * libyaml takes quadratic time. */
static sp_status check_text(const reader *r)
{
    enum { DIRECTIVES_MAX = 16 };
    const unsigned char *s = (const unsigned char *)r->text;
    sp_place place = {r->file, 1, 1};
    int n_directive = 0;
    for (size_t i = 0; i < r->n;) {
        unsigned code = s[i];
        const size_t length = code < 0x80 ? 1 : decode(s + i, r->n - i, &code);
        if (length == 0) {
            sp_diag_add(r->diag, SP_ERROR, place,
                        "byte 0x%02X is not UTF-8, expected a text file in UTF-8", s[i]);
            return SP_E_INPUT;
        }
        if (!is_printable(code)) {
            sp_diag_add(r->diag, SP_ERROR, place, "control character U+%04X, expected plain text",
                        code);
            return SP_E_INPUT;
        }
        n_directive += code == '%' && place.column == 1;
        if (n_directive > DIRECTIVES_MAX) {
            sp_diag_add(r->diag, SP_ERROR, place, "more than %d lines begin with '%%'",
                        (int)DIRECTIVES_MAX);
            return SP_E_INPUT;
        }
        i += length;
        const bool line_end = code == '\n' || (code == '\r' && (i == r->n || s[i] != '\n'));
        place.line += line_end;
        place.column = line_end ? 1 : place.column + 1;
    }
    return SP_OK;
}

/* Begin of a line (from 0) of the text, NULL if there is none. */
static const char *line_begin(const reader *r, size_t line)
{
    const char *p = r->text, *end = r->text + r->n;
    for (; line > 0 && p; line--) {
        p = memchr(p, '\n', (size_t)(end - p));
        p = p ? p + 1 : NULL;
    }
    return p;
}

/* Whether a line (from 0) has a name and a colon with no blank behind it, outside of quotes. */
static bool colon_without_blank(const reader *r, size_t line)
{
    const char *p = line_begin(r, line), *end = r->text + r->n;
    for (; p && p + 1 < end && *p != '\n' && *p != '#' && *p != '"' && *p != '\''; p++) {
        if (p[0] == ':' && !strchr(" \t\r\n", p[1])) {
            return true;
        }
    }
    return false;
}

/* What may help with libyaml's complaint; "" if nothing is known. */
static const char *syntax_hint(const reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const yaml_mark_t at = p->problem_mark;
    const char *line = line_begin(r, at.line);
    for (size_t i = 0; line && line < r->text + r->n && *line != '\n' && i <= at.column; i++) {
        if (*line++ == '\t') {
            return "; there is a tab in this line, indent with blanks";
        }
    }
    if (strstr(p->problem, "unexpected ':'")) {
        return "; put a blank after the ':'";
    }
    if (colon_without_blank(r, at.line) || (at.line > 0 && colon_without_blank(r, at.line - 1)) ||
        (p->context && colon_without_blank(r, p->context_mark.line))) {
        return "; is a blank missing after a ':'?";
    }
    if (strstr(p->problem, "mapping values are not allowed")) {
        return "; a ':' with a blank behind it stands inside a value, or the indentation is wrong";
    }
    return "";
}

/* Report what libyaml stumbled on. */
static sp_status syntax_error(const reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR || !p->problem) {
        return SP_E_MEMORY;
    }
    char context[120] = "";
    if (p->context && p->context_mark.line != p->problem_mark.line) {
        snprintf(context, sizeof context, " %s that begins in line %zu", p->context,
                 p->context_mark.line + 1);
    } else if (p->context) {
        snprintf(context, sizeof context, " %s", p->context);
    }
    sp_diag_add(r->diag, SP_ERROR, place_of(r, p->problem_mark), "not YAML: %s%s%s", p->problem,
                context, syntax_hint(r));
    return SP_E_INPUT;
}

/* ---- nodes ---- */

/* A new node, within the budget. */
static sp_status new_node(reader *r, sp_node_kind kind, sp_place place, sp_node **node)
{
    if (r->spec->n_node >= SP_SPEC_NODE_MAX) {
        sp_diag_add(r->diag, SP_ERROR, place, "more than %d values in a model",
                    (int)SP_SPEC_NODE_MAX);
        return SP_E_INPUT;
    }
    *node = sp_node_new(r->spec, kind, place);
    return *node ? SP_OK : SP_E_MEMORY;
}

static frame *top(reader *r)
{
    return r->depth > 0 ? &r->stack[r->depth - 1] : NULL;
}

/* {a:1} reaches us as the key 'a:1' with nothing behind it, and a:{b: 1} as the key 'a:{b': say so,
 * and drop it.  Keys with a colon are written in quotes. */
static void check_colon(const reader *r, frame *f, const sp_node *value)
{
    const char *colon = f->key_quoted || f->drop ? NULL : strchr(f->key, ':');
    if (colon && colon[1]) {
        const bool empty = value->kind == SP_NODE_TEXT && !value->text[0];
        const prefix p = prefix_of(f->node);
        const shown s = show(f->key);
        sp_diag_add(r->diag, SP_ERROR, f->key_place, "%s'%s' %s; put a blank after the ':'", p.text,
                    s.text, empty ? "has no value" : "is no name");
        f->drop = true;
    }
}

/* Put a value where it belongs: under the key just read, last in the list, or at the top. */
static sp_status add_value(reader *r, sp_node *value)
{
    frame *f = top(r);
    if (!f) {
        r->root = value;
        return SP_OK;
    }
    value->parent = f->node;
    if (f->node->kind == SP_NODE_MAP) {
        value->key = f->key;
        value->key_place = f->key_place;
        check_colon(r, f, value);
        f->key = NULL;
        if (f->drop) {
            return SP_OK;
        }
    }
    return sp_node_append(r->spec, f->node, value) ? SP_OK : SP_E_MEMORY;
}

/* Refuse tags; the value is read on without. */
static void check_tag(const reader *r, const yaml_char_t *tag, sp_place place)
{
    static const char standard[] = "tag:yaml.org,2002:";
    if (tag) {
        const char *text = (const char *)tag;
        const bool known = strncmp(text, standard, sizeof standard - 1) == 0;
        const shown s = show(known ? text + sizeof standard - 1 : text);
        sp_diag_add(r->diag, SP_ERROR, place,
                    "tag '%s%s': tags have no meaning in a model file, leave it out",
                    known ? "!!" : "", s.text);
    }
}

/* Remember a node under the name of its anchor, if it has one. */
static sp_status keep_anchor(reader *r, const yaml_char_t *anchor, sp_node *node)
{
    if (!anchor) {
        return SP_OK;
    }
    const char *name = sp_spec_keep(r->spec, (const char *)anchor, strlen((const char *)anchor));
    const sp_index_link leaf = {.key = name, .node = node};
    return name && sp_index_put(&r->anchor, &r->spec->arena, leaf) ? SP_OK : SP_E_MEMORY;
}

/* Say why a key is refused. */
static void refuse_key(const reader *r, const sp_node *map, const char *key, size_t n,
                       sp_place place)
{
    const prefix p = prefix_of(map);
    const shown s = show(key);
    const sp_node *twin = sp_node_get(map, key);
    if (strlen(key) != n) {
        sp_diag_add(r->diag, SP_ERROR, place, "%skey '%s' contains a zero byte", p.text, s.text);
    } else if (n == 0) {
        sp_diag_add(r->diag, SP_ERROR, place, "%sempty key, expected a name before the ':'",
                    p.text);
    } else if (n > SP_SPEC_KEY_MAX) {
        sp_diag_add(r->diag, SP_ERROR, place, "%skey '%s' has %zu bytes, expected at most %d",
                    p.text, s.text, n, (int)SP_SPEC_KEY_MAX);
    } else if (twin) {
        sp_diag_add(r->diag, SP_ERROR, place,
                    "%skey '%s' is there twice, first in line %d, column %d", p.text, s.text,
                    twin->key_place.line, twin->key_place.column);
    } else {
        sp_diag_add(r->diag, SP_ERROR, place, "%s'%s' is not part of the language; use 'like:'",
                    p.text, s.text);
    }
}

/* A scalar where a key is expected. */
static sp_status read_key(reader *r, frame *f, const yaml_event_t *e)
{
    const sp_place place = place_of(r, e->start_mark);
    const char *key = (const char *)e->data.scalar.value;
    const size_t n = e->data.scalar.length;
    check_tag(r, e->data.scalar.tag, place);
    if (e->data.scalar.anchor) {
        sp_diag_add(r->diag, SP_ERROR, place, "anchor '&%s' before a key, expected before a value",
                    show((const char *)e->data.scalar.anchor).text);
    }
    f->drop = n == 0 || n > SP_SPEC_KEY_MAX || strlen(key) != n || strcmp(key, "<<") == 0 ||
              sp_node_get(f->node, key);
    if (f->drop) {
        refuse_key(r, f->node, key, n, place);
    }
    f->key = sp_spec_keep(r->spec, key, n > SP_SPEC_KEY_MAX ? SP_SPEC_KEY_MAX : n);
    f->key_place = place;
    f->key_quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return f->key ? SP_OK : SP_E_MEMORY;
}

/* A scalar where a value is expected. */
static sp_status read_text(reader *r, const yaml_event_t *e)
{
    frame *f = top(r);
    const size_t n = e->data.scalar.length;
    const char *text = (const char *)e->data.scalar.value;
    sp_place place = place_of(r, e->start_mark);
    const bool plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    check_tag(r, e->data.scalar.tag, place);
    if (strlen(text) != n) {
        sp_diag_add(r->diag, SP_ERROR, place, "'%s' contains a zero byte", show(text).text);
    }
    if (f && f->node->kind == SP_NODE_MAP && plain && n == 0) {
        place = f->key_place; /* what is not there has no place of its own */
    }
    sp_node *node = NULL;
    SP_TRY(new_node(r, SP_NODE_TEXT, place, &node));
    node->text = sp_spec_keep(r->spec, text, n);
    node->quoted = !plain;
    if (!node->text) {
        return SP_E_MEMORY;
    }
    SP_TRY(keep_anchor(r, e->data.scalar.anchor, node));
    return add_value(r, node);
}

/* A map or list begins. */
static sp_status open_node(reader *r, sp_node_kind kind, const yaml_event_t *e)
{
    const sp_place place = place_of(r, e->start_mark);
    const bool map = kind == SP_NODE_MAP;
    const frame *f = top(r);
    if (f && f->node->kind == SP_NODE_MAP && !f->key) {
        sp_diag_add(r->diag, SP_ERROR, place, "%sa %s as key, expected a name",
                    prefix_of(f->node).text, sp_node_kind_text(kind));
        return SP_E_INPUT;
    }
    if (r->depth == SP_SPEC_DEPTH_MAX) {
        sp_diag_add(r->diag, SP_ERROR, place, "maps and lists nested deeper than %d", r->depth);
        return SP_E_INPUT;
    }
    check_tag(r, map ? e->data.mapping_start.tag : e->data.sequence_start.tag, place);
    sp_node *node = NULL;
    SP_TRY(new_node(r, kind, place, &node));
    SP_TRY(
        keep_anchor(r, map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor, node));
    SP_TRY(add_value(r, node));
    memset(&r->stack[r->depth], 0, sizeof(frame));
    r->stack[r->depth++].node = node;
    return SP_OK;
}

/* ---- aliases ---- */

/* A copy of a node without its children, within the budgets; `place` is that of the alias. */
static sp_status copy_node(reader *r, const sp_node *from, sp_place place, sp_node **copy)
{
    if (r->spec->n_alias >= SP_SPEC_ALIAS_MAX) {
        sp_diag_add(r->diag, SP_ERROR, place, "aliases copy more than %d values",
                    (int)SP_SPEC_ALIAS_MAX);
        return SP_E_INPUT;
    }
    r->spec->n_alias++;
    SP_TRY(new_node(r, from->kind, from->place, copy));
    (*copy)->key = from->key;
    (*copy)->key_place = from->key_place;
    (*copy)->text = from->text;
    (*copy)->quoted = from->quoted;
    return SP_OK;
}

/* Copy all that is below `from` to below `to`, in file order and without recursion. */
static sp_status copy_children(reader *r, const sp_node *from, sp_node *to, sp_place place)
{
    const sp_node *at = from;
    int depth = r->depth;
    for (;;) {
        const bool down = at->first != NULL;
        while (!down && at != from && !at->next) {
            at = at->parent;
            to = to->parent;
            depth--;
        }
        if (!down && at == from) {
            return SP_OK;
        }
        at = down ? at->first : at->next;
        depth += down;
        if (depth >= SP_SPEC_DEPTH_MAX) {
            sp_diag_add(r->diag, SP_ERROR, place, "maps and lists nested deeper than %d",
                        (int)SP_SPEC_DEPTH_MAX);
            return SP_E_INPUT;
        }
        sp_node *copy = NULL;
        SP_TRY(copy_node(r, at, place, &copy));
        if (!sp_node_append(r->spec, down ? to : to->parent, copy)) {
            return SP_E_MEMORY;
        }
        to = copy;
    }
}

/* An alias: a copy of what its anchor names. */
static sp_status read_alias(reader *r, const yaml_event_t *e)
{
    const sp_place place = place_of(r, e->start_mark);
    const char *name = (const char *)e->data.alias.anchor;
    const shown s = show(name);
    const frame *f = top(r);
    if (f && f->node->kind == SP_NODE_MAP && !f->key) {
        sp_diag_add(r->diag, SP_ERROR, place, "alias '*%s' as key, expected a name", s.text);
        return SP_E_INPUT;
    }
    const sp_node *from = sp_index_get(&r->anchor, name, strlen(name));
    if (!from) {
        sp_diag_add(r->diag, SP_ERROR, place, "alias '*%s' without an anchor '&%s' before it",
                    s.text, s.text);
        return SP_E_INPUT;
    }
    for (int i = 0; i < r->depth; i++) {
        if (r->stack[i].node == from) {
            sp_diag_add(r->diag, SP_ERROR, place, "alias '*%s' is inside the node it names (%d:%d)",
                        s.text, from->place.line, from->place.column);
            return SP_E_INPUT;
        }
    }
    sp_node *copy = NULL;
    SP_TRY(copy_node(r, from, place, &copy));
    SP_TRY(copy_children(r, from, copy, place));
    copy->key = NULL;
    return add_value(r, copy);
}

/* ---- events ---- */

/* A document begins: there may be one. */
static sp_status open_document(reader *r, const yaml_event_t *e)
{
    if (++r->n_document > 1) {
        sp_diag_add(r->diag, SP_ERROR, place_of(r, e->start_mark),
                    "a second document begins, a model file holds one");
        return SP_E_INPUT;
    }
    return SP_OK;
}

/* Take one event. */
static sp_status take(reader *r, const yaml_event_t *e)
{
    frame *f = top(r);
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return f && f->node->kind == SP_NODE_MAP && !f->key ? read_key(r, f, e) : read_text(r, e);
    case YAML_MAPPING_START_EVENT:
        return open_node(r, SP_NODE_MAP, e);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(r, SP_NODE_LIST, e);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        r->depth--;
        return SP_OK;
    case YAML_ALIAS_EVENT:
        return read_alias(r, e);
    case YAML_DOCUMENT_START_EVENT:
        return open_document(r, e);
    case YAML_STREAM_END_EVENT:
        r->done = true;
        return SP_OK;
    default:
        return SP_OK;
    }
}

/* Read all events of the text. */
static sp_status read_events(reader *r)
{
    while (!r->done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event)) {
            return syntax_error(r);
        }
        const sp_status status = take(r, &event);
        yaml_event_delete(&event);
        SP_TRY(status);
        if (r->diag->n_error >= SP_DIAG_MAX) { /* enough to read */
            return SP_E_INPUT;
        }
    }
    return SP_OK;
}

/* A model file is a map of sections. */
static sp_status check_root(const reader *r)
{
    const sp_node *root = r->root;
    const sp_place begin = {r->file, 1, 1};
    if (!root || (root->kind == SP_NODE_TEXT && !root->text[0])) {
        sp_diag_add(r->diag, SP_ERROR, begin, "the file is empty, expected a model");
        return SP_E_INPUT;
    }
    if (root->kind != SP_NODE_MAP) {
        sp_diag_add(r->diag, SP_ERROR, root->place,
                    "the file is a %s, expected sections 'name: value'",
                    sp_node_kind_text(root->kind));
        return SP_E_INPUT;
    }
    return SP_OK;
}

sp_status sp_yaml_tree(sp_spec *spec, const char *file, const char *text, size_t n, sp_diag *diag,
                       sp_node **tree)
{
    reader r = {.spec = spec, .diag = diag, .file = file, .text = text, .n = n};
    const int n_error = diag->n_error;
    *tree = NULL;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte order mark */
        r.text += 3;
        r.n -= 3;
    }
    SP_TRY(check_text(&r));
    if (!yaml_parser_initialize(&r.parser)) {
        return SP_E_MEMORY;
    }
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.n);
    const sp_status status = read_events(&r);
    yaml_parser_delete(&r.parser);
    SP_TRY(status);
    SP_TRY(check_root(&r));
    *tree = r.root;
    return diag->n_error > n_error ? SP_E_INPUT : SP_OK;
}
