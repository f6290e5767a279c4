/* model/build_rows.c - tables of the file, whose rows make elements (`each`). */
#include "base/status.h"
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* A table on its way. */
typedef struct plan {
    sp_build *b;
    sp_scope *scope;
    sp_rows *rows;
    const sp_node *unit; /* the first unit, NULL: none given */
} plan;

/* The children of a map or list. */
static const sp_node *const *children(sp_build *b, const sp_node *node)
{
    const sp_node **list = SP_BUILD_NEW(b, &b->scratch, const sp_node *, node->n_child);
    int k = 0;
    for (const sp_node *c = node->first; c && list; c = c->next) {
        list[k++] = c;
    }
    return list;
}

/* Whether a column may be called so. */
static bool check_column(plan *p, const sp_node *node, int k)
{
    static const char *const taken[] = {"t", "i", "j", "k", "n", "ground", "rand"};
    const char *name = sp_build_text(node);
    bool bad = !name || sp_expr_reserved(name);
    for (size_t i = 0; name && i < sizeof taken / sizeof *taken; i++) {
        bad = bad || strcmp(name, taken[i]) == 0;
    }
    if (bad) {
        sp_build_error(p->b, node->place, 0, "%s: columns: the name '%s' is reserved",
                       p->scope->what, name ? name : "");
        return false;
    }
    for (int i = 0; i < k; i++) {
        if (strcmp(p->rows->column[i]->text, name) == 0) {
            sp_build_error(p->b, node->place, 0, "%s: columns: there are two columns '%s'",
                           p->scope->what, name);
            return false;
        }
    }
    return true;
}

/* A number of a cell; one without unit has that of its column. */
static bool read_number(plan *p, const sp_node *node, const sp_value *v, const char *unit,
                        double *number, sp_expr_info *info)
{
    sp_look look = {.b = p->b, .scope = p->scope};
    if (!sp_build_number(&look, node, v->name, number, info)) {
        return false;
    }
    sp_node with_unit = *node;
    if (unit && info->lone_literal && strcmp(unit, "1") != 0) {
        with_unit.text = sp_arena_printf(&p->b->scratch, "%s %s", node->text, unit);
        return with_unit.text && sp_build_number(&look, &with_unit, v->name, number, info);
    }
    if (!unit || !p->b->units) {
        return true;
    }
    double factor;
    sp_dim dim;
    sp_error err;
    if (sp_unit_parse(unit, strlen(unit), &factor, &dim, &err) == SP_OK &&
        sp_quantity_fits(node->text, info, dim, NULL, &err) != SP_OK) {
        sp_build_error(p->b, node->place, 0, "%s: %s = %s as 'units' says", p->scope->what, v->name,
                       err.text);
        return false;
    }
    return true;
}

/* One cell: a number or a vector. */
static void read_cell(plan *p, const sp_node *node, const char *unit, sp_value *v)
{
    sp_build *b = p->b;
    v->node = v->text = node;
    v->state = SP_VALUE_FAILED;
    v->is_vector = node->kind == SP_NODE_LIST;
    v->n = v->is_vector ? node->n_child : 1;
    v->number = SP_BUILD_NEW(b, &b->scratch, double, v->n);
    v->info = SP_BUILD_NEW(b, &b->scratch, sp_expr_info, v->n);
    const sp_node *item = v->is_vector ? node->first : node;
    bool good = v->number && v->info && node->kind != SP_NODE_MAP;
    for (int k = 0; good && k < v->n; k++, item = item->next) {
        good = read_number(p, item, v, unit, &v->number[k], &v->info[k]);
    }
    v->state = good ? SP_VALUE_DONE : SP_VALUE_FAILED;
}

/* The number of the row, and its name if it has one. */
static const char *row_name(const sp_node *row, char *buf, size_t size)
{
    row->key ? snprintf(buf, size, "row '%.60s'", row->key)
             : snprintf(buf, size, "row %d", row->number + 1);
    return buf;
}

/* One row; false if it has other cells than there are columns. */
static bool read_row(plan *p, const sp_node *row, sp_value *cell)
{
    sp_rows *t = p->rows;
    char who[80];
    if (row->kind != SP_NODE_LIST) {
        return false; /* reported by the grammar */
    }
    if (row->n_child != t->n_column) {
        const int at = row->n_child < t->n_column ? row->n_child : t->n_column - 1;
        sp_build_error(
            p->b, row->place, 0, "%s: %s has %d cell%s, expected %d: %s '%s'", p->scope->what,
            row_name(row, who, sizeof who), row->n_child, row->n_child == 1 ? "" : "s", t->n_column,
            row->n_child < t->n_column ? "there is none for column" : "the last column is",
            t->column[at]->text);
        return false;
    }
    const sp_node *node = row->first, *unit = p->unit;
    for (int k = 0; k < t->n_column; k++, node = node->next, unit = unit ? unit->next : NULL) {
        cell[k] = (sp_value){.name = t->column[k]->text};
        read_cell(p, node, unit ? unit->text : NULL, &cell[k]);
        if (cell[k].state != SP_VALUE_DONE) {
            p->rows->broken = true;
        }
    }
    return true;
}

/* The units of the columns. */
static bool read_units(plan *p, const sp_node *units)
{
    if (!units) {
        return true;
    }
    if (units->n_child != p->rows->n_column) {
        sp_build_error(p->b, units->place, 0,
                       "%s: units has %d entries, expected %d, one of each "
                       "column; 1: a pure number",
                       p->scope->what, units->n_child, p->rows->n_column);
        return false;
    }
    bool good = true;
    for (const sp_node *unit = units->first; unit; unit = unit->next) {
        double factor;
        sp_dim dim;
        sp_error err;
        if (unit->kind != SP_NODE_TEXT) {
            good = false;
        } else if (sp_unit_parse(unit->text, strlen(unit->text), &factor, &dim, &err) != SP_OK) {
            sp_build_error(p->b, unit->place, 0, "%s: units: %s", p->scope->what, err.text);
            good = false;
        }
    }
    p->unit = units->first;
    return good;
}

/* The column called so, SP_NONE after an error. */
static int find_column(plan *p, const sp_node *named, const char *key)
{
    const sp_rows *t = p->rows;
    const char **name = SP_BUILD_NEW(p->b, &p->b->scratch, const char *, t->n_column);
    char list[600] = "";
    for (int k = 0; name && k < t->n_column; k++) {
        name[k] = t->column[k]->text;
        if (strcmp(name[k], named->key) == 0) {
            return k;
        }
    }
    if (name) {
        sp_build_suggest(p->b, named->key, name, t->n_column, list, sizeof list);
    }
    sp_build_error(p->b, named->key_place, 0, "%s: %s: there is no column '%.60s'%s",
                   p->scope->what, key, named->key, list);
    return SP_NONE;
}

/* Hold the cells of column k against its bound. */
static void check_column_bound(plan *p, const sp_node *bound, int k, bool least)
{
    const sp_node *unit = p->unit;
    sp_value limit = {.name = least ? "min" : "max"};
    for (int i = 0; unit && i < k; i++) {
        unit = unit->next;
    }
    read_cell(p, bound, unit ? unit->text : NULL, &limit);
    const bool known = limit.state == SP_VALUE_DONE && !limit.is_vector;
    for (int r = 0; r < p->rows->n_row && known; r++) {
        const sp_value *v = &p->rows->cell[(size_t)r * (size_t)p->rows->n_column + (size_t)k];
        const sp_node *item = v->is_vector ? v->node->first : v->node;
        for (int e = 0; v->state == SP_VALUE_DONE && e < v->n; e++, item = item->next) {
            char who[80], text[160];
            if (least ? v->number[e] >= limit.number[0] : v->number[e] <= limit.number[0]) {
                continue;
            }
            sp_build_error(p->b, item->place, 0, "%s: %s: %s = %s, expected %s %s", p->scope->what,
                           row_name(p->rows->row[r], who, sizeof who), v->name,
                           sp_build_shown(item->text, v->number[e], text, sizeof text),
                           least ? ">=" : "<=", bound->text);
        }
    }
}

/* Hold the cells against `min` and `max` of their columns. */
static void check_bounds(plan *p, const sp_node *table)
{
    static const char *const key[] = {"min", "max"};
    for (int side = 0; side < 2; side++) {
        const sp_node *map = sp_node_get(table, key[side]);
        const bool there = map && map->kind == SP_NODE_MAP;
        for (const sp_node *bound = there ? map->first : NULL; bound; bound = bound->next) {
            const int k = find_column(p, bound, key[side]);
            if (k != SP_NONE) {
                check_column_bound(p, bound, k, side == 0);
            }
        }
    }
}

/* A whole table; one that has an error stays broken. */
static void read_table(sp_build *b, const sp_node *node, sp_rows *t)
{
    sp_scope scope = sp_build_scope_of("table '%.100s'", node->key);
    plan p = {.b = b, .scope = &scope, .rows = t};
    const sp_node *columns = sp_node_get(node, "columns"), *rows = sp_node_get(node, "rows");
    t->name = node->key;
    t->broken = true;
    if (!columns || columns->kind != SP_NODE_LIST || columns->n_child < 1 || !rows ||
        rows->kind == SP_NODE_TEXT) {
        return; /* reported by the grammar, or as the file was read */
    }
    t->n_column = columns->n_child;
    t->column = children(b, columns);
    t->n_row = rows->n_child;
    t->row = children(b, rows);
    t->cell = SP_BUILD_NEW(b, &b->scratch, sp_value, (size_t)t->n_row * (size_t)t->n_column);
    bool good = t->column && t->row && t->cell;
    for (int k = 0; good && k < t->n_column; k++) {
        good = check_column(&p, t->column[k], k);
    }
    if (!good || !read_units(&p, sp_node_get(node, "units"))) {
        return;
    }
    t->broken = false;
    for (int k = 0; k < t->n_row; k++) {
        good = read_row(&p, t->row[k], &t->cell[(size_t)k * (size_t)t->n_column]) && good;
    }
    t->broken = t->broken || !good;
    check_bounds(&p, node); /* the values are there all the same */
}

void sp_build_rows(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "tables");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    b->rows = SP_BUILD_NEW(b, &b->scratch, sp_rows, map->n_child);
    for (const sp_node *node = map->first; node && b->rows && !b->no_memory; node = node->next) {
        sp_rows *t = &b->rows[b->n_rows];
        read_table(b, node, t);
        sp_build_name(b, &b->rows_names, node->key, b->n_rows++);
    }
}

const sp_rows *sp_build_each(sp_build *b, const sp_scope *scope, const sp_node *node)
{
    const char *name = sp_build_text(node);
    const int k = name ? sp_names_find(&b->rows_names, name, strlen(name)) : SP_NONE;
    if (name && k == SP_NONE) {
        char list[600] = "";
        const char **names = SP_BUILD_NEW(b, &b->scratch, const char *, b->n_rows + 1);
        for (int i = 0; i < b->n_rows && names; i++) {
            names[i] = b->rows[i].name;
        }
        if (names) {
            sp_build_suggest(b, name, names, b->n_rows, list, sizeof list);
        }
        sp_build_error(b, node->place, 0, "%s: each: there is no table '%.60s'%s", scope->what,
                       name, list);
    }
    return k == SP_NONE || b->rows[k].broken ? NULL : &b->rows[k];
}

int sp_build_row(const sp_rows *rows, const char *name, size_t n)
{
    for (int k = 0; k < rows->n_row && rows->row[0]->key; k++) {
        const char *key = rows->row[k]->key;
        if (key && strlen(key) == n && strncmp(key, name, n) == 0) {
            return k;
        }
    }
    return SP_NONE;
}

const sp_value *sp_build_cell(const sp_scope *scope, const char *name)
{
    const sp_rows *t = scope->rows;
    for (int k = 0; t && k < t->n_column; k++) {
        if (strcmp(t->column[k]->text, name) == 0) {
            return &t->cell[(size_t)scope->row * (size_t)t->n_column + (size_t)k];
        }
    }
    return NULL;
}
