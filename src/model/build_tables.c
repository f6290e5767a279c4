/* model/build_tables.c - functions given by points.
 *
 * Points may use parameters and parameters may use tables, so a table is made when it is first
 * asked for; the points of a table use no other table. */
#include "expr/table.h"
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME 1e-12 /* of a period: points that span so much less span all of it */

/* A table on its way. */
typedef struct table_plan {
    sp_look look;
    const char *unit[2];    /* of numbers without one; NULL: none given */
    sp_dim dim[2];          /* of both columns ...                      */
    bool known[2];          /* ... as far as they are known             */
    const sp_node *cell[2]; /* where they were found                    */
} table_plan;

/* The units of the columns, if they are given. */
static bool read_units(table_plan *p, const sp_node *list)
{
    sp_build *b = p->look.b;
    const sp_node *item = list && list->kind == SP_NODE_LIST ? list->first : NULL;
    for (int k = 0; k < 2 && item; k++, item = item->next) {
        const char *text = sp_build_text(item);
        double factor;
        sp_error err;
        if (!text) {
            return false;
        }
        if (sp_unit_parse(text, strlen(text), &factor, &p->dim[k], &err) != SP_OK) {
            sp_build_error(b, item->place, 0, "%s: units: %s", p->look.scope->what, err.text);
            return false;
        }
        p->unit[k] = strcmp(text, "1") == 0 ? NULL : text; /* "0.5 1" is no number */
        p->known[k] = true;
    }
    return true;
}

/* Hold the dimension of an entry against that of its column. */
static bool check_entry(table_plan *p, const sp_node *node, int k, const sp_expr_info *info)
{
    sp_build *b = p->look.b;
    if (!b->units || info->any_dim || (info->lone_literal && p->known[k])) {
        return true;
    }
    if (!p->known[k]) {
        p->known[k] = true;
        p->dim[k] = info->dim;
        p->cell[k] = node;
        return true;
    }
    if (sp_dim_equal(p->dim[k], info->dim)) {
        return true;
    }
    char is[96], want[96];
    sp_dim_describe(info->dim, is, sizeof is);
    sp_dim_describe(p->dim[k], want, sizeof want);
    sp_build_error(b, node->place, 0, "%s: points: %s is %s, expected %s as in %s",
                   p->look.scope->what, node->text, is, want,
                   p->cell[k] ? p->cell[k]->text : "'units'");
    return false;
}

/* One entry; a number without unit has that of its column. */
static bool read_entry(table_plan *p, const sp_node *node, int k, double *value)
{
    sp_expr_info info;
    if (!sp_build_number(&p->look, node, "points", value, &info)) {
        return false;
    }
    if (info.lone_literal && p->unit[k]) {
        sp_node with_unit = *node;
        with_unit.text = sp_arena_printf(&p->look.b->scratch, "%s %s", node->text, p->unit[k]);
        return with_unit.text && sp_build_number(&p->look, &with_unit, "points", value, &info);
    }
    return check_entry(p, node, k, &info);
}

/* All points; false if one of them is wrong or not known yet. */
static bool read_points(table_plan *p, const sp_node *list, double *x, double *y)
{
    bool good = true;
    int i = 0;
    for (const sp_node *pair = list->first; pair; pair = pair->next, i++) {
        if (pair->kind != SP_NODE_LIST || pair->n_child != 2) {
            return false; /* reported already */
        }
        good = read_entry(p, pair->first, 0, &x[i]) && good;
        good = read_entry(p, pair->first->next, 1, &y[i]) && good;
    }
    return good && p->look.n_need == 0;
}

/* Report the point that does not lie behind the one before it. */
static void report_order(sp_build *b, const sp_scope *scope, const sp_node *list, int wrong,
                         const double *x)
{
    const sp_node *pair = list->first;
    for (int i = 0; i < wrong; i++) {
        pair = pair->next;
    }
    sp_build_error(b, pair->place, 0,
                   "%s: points: x = %s in point %d is not above the %.6g of the point before it, "
                   "expected rising values; sort the points, and leave one of two with the same x",
                   scope->what, pair->first->text, wrong + 1, x[wrong - (wrong > 0)]);
}

/* Points that are repeated end where they begin: the first one is added a period later, unless it
 * is there.  false after an error. */
static bool repeat_points(table_plan *p, const sp_node *node, bool spline, int *n, double *x,
                          double *y)
{
    sp_build *b = p->look.b;
    double period;
    if (!read_entry(p, node, 0, &period) || p->look.n_need > 0) {
        return false;
    }
    const double span = x[*n - 1] - x[0];
    const bool there = fabs(period - span) <= SAME * period;
    if (!(period >= span || there)) {
        sp_build_error(b, node->place, 0, "%s: period = %s, expected at least what the points span",
                       p->look.scope->what, node->text);
        return false;
    }
    if (!there) {
        x[*n] = x[0] + period;
        y[(*n)++] = y[0];
    }
    if (spline && (*n < 4 || y[*n - 1] != y[0])) {
        sp_build_error(b, node->place, 0,
                       "%s: a smooth curve that is repeated has three points at least and ends "
                       "where it begins; add points, or write 'by: linear'",
                       p->look.scope->what);
        return false;
    }
    return true;
}

/* Make a table of what the file says. */
static void make_table(table_plan *p, sp_own_function *f)
{
    sp_build *b = p->look.b;
    const sp_node *list = sp_node_get(f->node, "points");
    const char *by = sp_build_text(sp_node_get(f->node, "by"));
    if (!list || list->kind != SP_NODE_LIST || list->n_child < 2 ||
        !read_units(p, sp_node_get(f->node, "units"))) {
        return;
    }
    if (list->n_child > SP_TABLE_MAX) {
        sp_build_error(b, list->place, 0, "%s: %d points, at most %d are possible",
                       p->look.scope->what, list->n_child, SP_TABLE_MAX);
        return;
    }
    double *x = SP_BUILD_NEW(b, &b->scratch, double, list->n_child + 1);
    double *y = SP_BUILD_NEW(b, &b->scratch, double, list->n_child + 1);
    const sp_node *period = sp_node_get(f->node, "period");
    const bool spline = !(by && strcmp(by, "linear") == 0);
    sp_table *table = NULL;
    int n = (int)list->n_child, wrong;
    if (b->no_memory || !read_points(p, list, x, y) ||
        (period && !repeat_points(p, period, spline, &n, x, y))) {
        return;
    }
    sp_status status = sp_table_new(b->arena, n, x, y, spline, &table, &wrong);
    status = status == SP_OK && period ? sp_table_repeat(b->arena, table) : status;
    if (status == SP_E_INPUT) {
        report_order(b, p->look.scope, list, wrong, x);
    } else if (status != SP_OK) {
        b->no_memory = true;
    } else {
        table->x_dim = p->dim[0];
        table->y_dim = p->dim[1];
        f->function.table = table;
    }
}

bool sp_build_table(sp_build *b, int function, sp_look *asks, sp_error *err)
{
    sp_own_function *f = &b->function[function];
    if (f->state == SP_VALUE_DONE) {
        return true;
    }
    if (b->making_table && f->state != SP_VALUE_FAILED) {
        snprintf(err->text, sizeof err->text, "the points of a table cannot use the table '%.60s'",
                 f->node->key);
        return false;
    }
    if (f->state == SP_VALUE_NEW) {
        sp_scope scope = sp_build_scope_of("function '%.100s'", f->node->key);
        table_plan p = {.look = {.b = b, .scope = &scope}};
        b->making_table = true;
        make_table(&p, f);
        b->making_table = false;
        if (asks && p.look.n_need > 0) { /* parameters that are not known yet */
            asks->n_need = p.look.n_need;
            asks->need = p.look.need;
        } else {
            f->state = f->function.table ? SP_VALUE_DONE : SP_VALUE_FAILED;
        }
    }
    if (f->state != SP_VALUE_DONE && asks) {
        asks->poisoned = true;
    }
    return true;
}

void sp_build_tables(sp_build *b)
{
    for (int k = 0; k < b->n_function && !b->no_memory; k++) {
        sp_error err;
        if (b->function[k].is_table) {
            sp_build_table(b, k, NULL, &err);
        }
    }
}
