/* studies/study_axes.c - what is varied: lists and ranges. */
#include "base/status.h"
#include "studies/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values between the ends of a range. */
static sp_status fill_range(sp_study *s, sp_axis *a, sp_error *err)
{
    double *value = SP_NEW(&s->arena, double, a->n + 1);
    if (!value) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for %d values", a->n);
    }
    for (int k = 0; k < a->n; k++) {
        const double part = a->n > 1 ? (double)k / (a->n - 1) : 0.0;
        value[k] = k == 0          ? a->from
                   : k == a->n - 1 ? a->to
                   : a->log        ? a->from * pow(a->to / a->from, part)
                                   : a->from + part * (a->to - a->from);
    }
    a->value = value;
    return SP_OK;
}

/* A list of numbers has one unit. */
static sp_status check_units(const sp_node *list, const char *const *unit, sp_error *err)
{
    int k = 0;
    for (const sp_node *c = list->first; c; c = c->next, k++) {
        if (strcmp(unit[k], unit[0]) != 0) {
            char text[200];
            snprintf(text, sizeof text, "vary: '%.60s' has another unit than '%.60s'", c->text,
                     list->first->text);
            return sp_study_fail_at(c, err, text);
        }
    }
    return SP_OK;
}

/* An axis of a list; lone numbers are in `own`.  Where some values are words all of them stand for
 * themselves: their numbers are their places in the list. */
static sp_status read_list(sp_study *s, const sp_node *node, const char *own, sp_axis *a,
                           sp_error *err)
{
    double *value = SP_NEW(&s->arena, double, node->n_child);
    const char **text = SP_NEW(&s->arena, const char *, node->n_child);
    const char **unit = SP_NEW(&s->arena, const char *, node->n_child);
    for (const sp_node *c = node->first; c && value && text && unit; c = c->next) {
        const int k = a->n++;
        unit[k] = "";
        text[k] = c->text ? sp_spec_with_unit(s->model, c->text, own) : "";
        const bool bare = c->text && text[k] != c->text;
        a->words = sp_study_number(s, c, &value[k], &unit[k], NULL) != SP_OK || a->words;
        unit[k] = bare ? own : unit[k];
        a->unit = unit[0];
    }
    if (value && text && unit && !a->words) {
        SP_TRY(check_units(node, unit, err));
    }
    for (int k = 0; a->words && value && k < a->n; k++) {
        value[k] = k;
        a->unit = "";
    }
    a->value = value;
    a->text = text;
    return value && text && unit ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* An axis; needs_n: a grid. */
static sp_status read_axis(sp_study *s, const sp_node *node, const char *name, bool needs_n,
                           sp_axis *a, sp_error *err)
{
    *a = (sp_axis){.name = name, .unit = ""};
    const char *own = sp_spec_leaf_unit(s->model, sp_study_leaf_of(s, name));
    if (node->kind == SP_NODE_LIST) {
        SP_TRY(needs_n
                   ? SP_OK
                   : sp_study_fail_at(node, err, "a list, expected a range {from: ..., to: ...}"));
        SP_TRY(read_list(s, node, own, a, err));
    } else {
        const sp_node *start = sp_node_get(node, "start");
        const char *unit, *log = sp_study_text_of(node, "log");
        long n = 0;
        SP_TRY(sp_study_number(s, sp_node_get(node, "from"), &a->from, &a->unit, err));
        SP_TRY(sp_study_number(s, sp_node_get(node, "to"), &a->to, &unit, err));
        a->unit = a->unit[0] ? a->unit : own;
        if (strcmp(unit[0] ? unit : own, a->unit) != 0) {
            return sp_study_fail_at(node, err, "from and to have different units");
        }
        a->log = log && (strcmp(log, "yes") == 0 || strcmp(log, "true") == 0);
        a->start = a->log ? sqrt(a->from * a->to) : 0.5 * (a->from + a->to);
        SP_TRY(sp_study_quantity(s, start, a->unit[0] ? a->unit : "1", &a->start, err));
        if (start && !(a->start >= fmin(a->from, a->to) && a->start <= fmax(a->from, a->to))) {
            return sp_study_fail_at(start, err, "start is outside of the range");
        }
        if (a->log && !(a->from * a->to > 0.0)) {
            return sp_study_fail_at(node, err, "log: yes needs ends of one sign, not zero");
        }
        if (needs_n && !sp_study_text_of(node, "n")) {
            return sp_study_fail_at(node, err, "a range of a grid needs n, how many values");
        }
        SP_TRY(needs_n ? sp_study_whole(node, "n", 1, &n, err) : SP_OK);
        a->n = (int)n;
        SP_TRY(needs_n ? fill_range(s, a, err) : SP_OK);
        if (needs_n ? n > 1 && a->from == a->to : !(a->from < a->to)) {
            return sp_study_fail_at(node, err, "the range is empty: expected from < to");
        }
    }
    const char *first = a->text ? a->text[0] : sp_axis_text(a, a->from, &s->arena);
    return sp_study_find_leaf(s, name, first ? first : "", node, &a->leaf, err);
}

sp_status sp_study_add_axes(sp_study *s, const sp_node *map, const char *before, bool needs_n,
                            sp_error *err)
{
    const int n = map ? map->n_child : 0;
    sp_axis *axis = SP_NEW(&s->arena, sp_axis, s->n_axis + n + 1);
    if (!axis) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    if (s->n_axis > 0) {
        memcpy(axis, s->axis, (size_t)s->n_axis * sizeof *axis);
    }
    s->axis = axis;
    for (const sp_node *node = map ? map->first : NULL; node; node = node->next) {
        const char *name = sp_arena_printf(&s->arena, "%s%s", before, node->key);
        SP_TRY(read_axis(s, node, name ? name : "", needs_n, &axis[s->n_axis], err));
        s->n_axis++;
    }
    return SP_OK;
}
