#include "io/rows_read.h"

#include "base/status.h"

#include <string.h>

/* Where reading is. */
typedef struct reader {
    sp_spec *spec;
    sp_diag *diag;
    sp_place place; /* of the next byte */
    const char *at, *end;
    char comma;
    const char *columns,
        *rows; /* the keys of what is read; columns NULL: their names are not kept */
} reader;

/* A text of the tree; NULL: no memory. */
static sp_node *text_node(reader *r, const char *text, size_t n, sp_place place)
{
    sp_node *node = sp_node_new(r->spec, SP_NODE_TEXT, place);
    const char *copy = node ? sp_spec_keep(r->spec, text, n) : NULL;
    if (copy) {
        node->text = copy;
    }
    return copy ? node : NULL;
}

/* A list or map under a key of the table; NULL: no memory. */
static sp_node *part(reader *r, sp_node *table, sp_node_kind kind, const char *key)
{
    sp_node *node = sp_node_new(r->spec, kind, r->place);
    if (node) {
        node->key = key;
        node->key_place = r->place;
    }
    return node && sp_node_append(r->spec, table, node) ? node : NULL;
}

/* Go on by n bytes of a line. */
static void step(reader *r, size_t n)
{
    r->at += n;
    r->place.column += (int)n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The bytes of a line up to its end. */
static size_t line_length(const reader *r)
{
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return (size_t)((end ? end : r->end) - r->at);
}

static void next_line(reader *r)
{
    r->at += line_length(r);
    r->at += r->at < r->end;
    r->place.line++;
    r->place.column = 1;
}

/* Go to the next line that says something; false: there is none. */
static bool find_line(reader *r)
{
    for (; r->at < r->end; next_line(r)) {
        const size_t n = line_length(r);
        size_t k = 0;
        while (k < n && (is_blank(r->at[k]) || r->at[k] == r->comma)) {
            k++;
        }
        if (k < n && r->at[k] != '#') {
            return true;
        }
    }
    return false;
}

/* A cell without blanks and quotes around it; the reader goes to the comma behind it.  False: the
 * line is at its end. */
static bool next_cell(reader *r, bool first, const char **text, size_t *n, sp_place *place)
{
    size_t rest = line_length(r);
    if (!first && (rest == 0 || *r->at != r->comma)) {
        return false;
    }
    step(r, !first);
    while ((rest = line_length(r)) > 0 && is_blank(*r->at)) {
        step(r, 1);
    }
    const bool quoted = rest > 0 && *r->at == '"';
    step(r, quoted);
    *text = r->at;
    *place = r->place;
    const char stop = quoted ? '"' : r->comma;
    for (*n = 0; *n < line_length(r) && r->at[*n] != stop; ++*n) {
    }
    step(r, *n);
    while (!quoted && *n > 0 && is_blank((*text)[*n - 1])) {
        --*n;
    }
    while (quoted && line_length(r) > 0 && *r->at != r->comma) {
        step(r, 1); /* the closing quote */
    }
    return true;
}

/* The first line: names of columns and their units.  *key: the column with the names of rows. */
static bool read_head(reader *r, sp_node *table, int *key)
{
    sp_node *columns = r->columns ? part(r, table, SP_NODE_LIST, r->columns)
                                  : sp_node_new(r->spec, SP_NODE_LIST, r->place);
    sp_node *units = sp_node_get(table, "units");
    units = units ? NULL : part(r, table, SP_NODE_LIST, "units");
    const char *text;
    size_t n;
    sp_place place;
    *key = -1;
    for (int k = 0; columns && next_cell(r, k == 0, &text, &n, &place); k++) {
        const char *open = memchr(text, '[', n);
        const char *close = open ? memchr(open, ']', n - (size_t)(open - text)) : NULL;
        size_t n_name = open ? (size_t)(open - text) : n;
        while (n_name > 0 && is_blank(text[n_name - 1])) {
            n_name--;
        }
        if (r->columns && n_name == 4 && strncmp(text, "name", 4) == 0) {
            *key = k;
            continue;
        }
        sp_node *name = text_node(r, text, n_name, place);
        sp_node *unit = close ? text_node(r, open + 1, (size_t)(close - open) - 1, place)
                              : text_node(r, "1", 1, place);
        if (!name || !unit || !sp_node_append(r->spec, columns, name) ||
            (units && !sp_node_append(r->spec, units, unit))) {
            return false;
        }
    }
    return columns != NULL;
}

/* Give a row its name. */
static bool name_row(reader *r, const sp_node *rows, sp_node *row, const char *text, size_t n,
                     sp_place place)
{
    row->key = sp_spec_keep(r->spec, text, n < SP_SPEC_KEY_MAX ? n : SP_SPEC_KEY_MAX);
    row->key_place = place;
    if (row->key && sp_node_get(rows, row->key)) {
        sp_diag_add(r->diag, SP_ERROR, place,
                    "there is a row '%s' already, expected another name for every row", row->key);
        row->key = NULL;
        return true;
    }
    return row->key != NULL;
}

/* One row; key: the number of the cell with its name, -1: it has none.  False: no memory. */
static bool read_row(reader *r, sp_node *rows, int key)
{
    sp_node *row = sp_node_new(r->spec, SP_NODE_LIST, r->place);
    const char *text;
    size_t n;
    sp_place place;
    for (int k = 0; row && next_cell(r, k == 0, &text, &n, &place); k++) {
        sp_node *cell = k == key ? NULL : text_node(r, text, n, place);
        if (k == key ? !name_row(r, rows, row, text, n, place)
                     : !cell || !sp_node_append(r->spec, row, cell)) {
            return false;
        }
    }
    if (row && key >= 0 && !row->key) {
        return true; /* said: two of one name, or none */
    }
    return row && sp_node_append(r->spec, rows, row);
}

/* The whole file, from where r is. */
static sp_status read_file(reader r, sp_node *table)
{
    if (r.end - r.at >= 3 && memcmp(r.at, "\xef\xbb\xbf", 3) == 0) {
        r.at += 3; /* what some programs begin a file with */
    }
    if (!find_line(&r)) {
        sp_diag_add(r.diag, SP_ERROR, r.place,
                    "no names of columns, expected a first line with them");
        return SP_OK;
    }
    r.comma = memchr(r.at, ';', line_length(&r)) ? ';' : ',';
    int key;
    bool good = read_head(&r, table, &key);
    sp_node *rows = good ? part(&r, table, key < 0 ? SP_NODE_LIST : SP_NODE_MAP, r.rows) : NULL;
    next_line(&r);
    while (rows && good && find_line(&r)) {
        good = read_row(&r, rows, key);
        next_line(&r);
    }
    return good && rows ? SP_OK : SP_E_MEMORY;
}

sp_status sp_rows_read(sp_spec *spec, sp_node *table, const char *file, const char *text, size_t n,
                       sp_diag *diag)
{
    return read_file((reader){spec, diag, {file, 1, 1}, text, text + n, ',', "columns", "rows"},
                     table);
}

sp_status sp_points_read(sp_spec *spec, sp_node *function, const char *file, const char *text,
                         size_t n, sp_diag *diag)
{
    return read_file((reader){spec, diag, {file, 1, 1}, text, text + n, ',', NULL, "points"},
                     function);
}
