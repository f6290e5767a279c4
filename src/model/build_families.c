/* model/build_families.c - which bodies, forces and contacts there are, and how many of each. */
#include "model/build_parts.h"

#include <math.h>
#include <string.h>

/* Read `each`: a table, or the first and the last of numbers. */
static void read_each(sp_build *b, sp_family *f, const sp_node *each)
{
    sp_scope scope = sp_build_scope(f, 0);
    double end[2] = {1.0, 1.0};
    f->n_index = 1;
    f->broken = true;
    if (each->kind == SP_NODE_LIST) {
        if (!sp_build_numbers(b, &scope, each, "each", 2, sp_dim_of(0, 0, 0), end)) {
            return;
        }
        const double n = end[1] - end[0] + 1.0;
        if (floor(end[0]) != end[0] || floor(end[1]) != end[1] || !(end[0] >= 0.0) ||
            !(n >= 0.0 && end[1] <= SP_BUILD_BODY_MAX)) {
            sp_build_error(b, each->place, 0,
                           "%s: each = [%g, %g], expected the first and the last of a range, whole "
                           "numbers from 0 to %d that do not fall",
                           scope.what, end[0], end[1], SP_BUILD_BODY_MAX);
            return;
        }
        f->from = (int)end[0];
        f->n = f->size[0] = (int)n;
    } else {
        f->rows = sp_build_each(b, &scope, each);
        if (!f->rows) {
            return;
        }
        f->n = f->size[0] = f->rows->n_row;
    }
    f->broken = false;
}

void sp_build_read_count(sp_build *b, sp_family *f)
{
    const bool map = f->node->kind == SP_NODE_MAP;
    const sp_node *count = map ? sp_node_get(f->node, "count") : NULL;
    const sp_node *each = map ? sp_node_get(f->node, "each") : NULL;
    sp_scope scope = sp_build_scope(f, 0);
    f->n = 1;
    f->broken = !map;
    if (each && count) {
        sp_build_error(b, each->key_place, 0, "%s: expected only one of: count, each", scope.what);
        f->broken = true;
    } else if (each) {
        read_each(b, f, each);
    }
    if (!count || each) {
        return;
    }
    const bool list = count->kind == SP_NODE_LIST;
    const sp_node *item = list ? count->first : count;
    double total = 1.0;
    for (int d = 0; item && d < SP_INDEX_MAX; d++, item = list ? item->next : NULL) {
        if (!sp_build_count(b, &scope, item, "count", 0, &f->size[d])) {
            f->broken = true;
            return;
        }
        total *= f->size[d];
        f->n_index = d + 1;
    }
    if (total > SP_BUILD_BODY_MAX) {
        sp_build_error(b, count->place, 0, "%s: count makes %.0f elements, at most %d are possible",
                       scope.what, total, SP_BUILD_BODY_MAX);
        f->broken = true;
        f->n_index = 0;
        return;
    }
    f->n = (int)total;
}

/* Add one entry of a section; n counts the elements of its kind. */
static void add_family(sp_build *b, const sp_node *node, const char *name, sp_part_kind kind,
                       int *n)
{
    sp_family *f = &b->family[b->n_family];
    *f = (sp_family){.name = name, .node = node, .kind = kind, .first = *n, .n = 1, .from = 1};
    if (node && !(kind == SP_PART_BODY && strcmp(name, "ground") == 0)) {
        sp_build_read_count(b, f);
        f->broken =
            !sp_build_short_name(b, sp_build_noun(kind), name, node->key_place) || f->broken;
    }
    if (f->n > SP_BUILD_BODY_MAX - *n) {
        sp_build_error(b, node->key_place, 0, "'%s' brings the number of elements above %d", name,
                       SP_BUILD_BODY_MAX);
        f->broken = true;
        f->n = 1;
        f->n_index = 0;
    }
    *n += f->n;
    sp_build_name_of_part(b, &b->family_names, node, name, b->n_family);
    b->n_family++;
}

/* All entries of a section. */
static void add_section(sp_build *b, const char *section, sp_part_kind kind, int *n)
{
    const sp_node *map = sp_node_get(b->root, section);
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    for (const sp_node *node = map->first; node && !b->no_memory; node = node->next) {
        if (kind == SP_PART_BODY && strcmp(node->key, "ground") == 0) {
            continue;
        }
        const bool slider = kind == SP_PART_COUPLING && sp_build_is_slider(node);
        add_family(b, node, node->key, slider ? SP_PART_FORCE : kind, slider ? &b->n_force : n);
    }
}

/* Entries of a section. */
static int n_entry(const sp_build *b, const char *section)
{
    const sp_node *map = sp_node_get(b->root, section);
    return map ? map->n_child : 0;
}

/* A plan for every body, not yet in order. */
static void list_plans(sp_build *b)
{
    b->plan = SP_BUILD_NEW(b, &b->scratch, sp_body_plan, b->n_plan);
    for (int i = 0; i < b->n_family && b->plan; i++) {
        const sp_family *f = &b->family[i];
        for (int k = 0; k < f->n && f->kind == SP_PART_BODY; k++) {
            b->plan[f->first + k] = (sp_body_plan){.family = f, .broken = f->broken};
        }
    }
}

void sp_build_families(sp_build *b)
{
    const sp_node *bodies = sp_node_get(b->root, "bodies");
    const int n = 1 + n_entry(b, "bodies") + n_entry(b, "forces") + n_entry(b, "states") +
                  n_entry(b, "contacts") + n_entry(b, "couplings") + n_entry(b, "joints");
    b->family = SP_BUILD_NEW(b, &b->scratch, sp_family, n);
    if (!b->family) {
        return;
    }
    add_family(b, sp_node_get(bodies, "ground"), "ground", SP_PART_BODY, &b->n_plan);
    add_section(b, "bodies", SP_PART_BODY, &b->n_plan);
    add_section(b, "forces", SP_PART_FORCE, &b->n_force);
    add_section(b, "states", SP_PART_STATE, &b->n_state);
    add_section(b, "contacts", SP_PART_CONTACT, &b->n_contact);
    add_section(b, "couplings", SP_PART_COUPLING, &b->n_contact);
    add_section(b, "joints", SP_PART_JOINT, &b->n_contact);
    list_plans(b);
}
