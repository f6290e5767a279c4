/* model/build_bodies.c - numbers of bodies, points. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- points --------------------------------------------------------------------------------- */

void sp_build_add_point(sp_build *b, int plan, const char *name, const double at[3],
                        const sp_rot3 *axes, const sp_place *place)
{
    const sp_body *body = &b->body[b->plan[plan].body];
    const char *path = sp_build_printf(b, "%s.%s", body->name, name);
    if (sp_names_find(&b->point_names, path, strlen(path)) != SP_NONE) {
        if (place) {
            sp_build_error(b, *place, 0, "point '%s': the name is taken on body '%s'", name,
                           body->name);
        }
        return;
    }
    const int n = b->n_point;
    if (!SP_BUILD_ROOM(b, b->point, n) || !SP_BUILD_ROOM(b, b->point_axes, n) ||
        !SP_BUILD_ROOM(b, b->point_place, n) || !sp_build_name(b, &b->point_names, path, n)) {
        return;
    }
    b->point_axes[n] = axes ? *axes : sp_rot3_one();
    b->point[n] = (sp_point){path, b->plan[plan].body};
    memcpy(b->point_place[n], at, sizeof b->point_place[n]);
    b->n_point++;
    b->plan[plan].n_point++;
}

/* The points of a body. */
static void points(sp_build *b, const sp_scope *element, int plan, const sp_node *map)
{
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    for (const sp_node *node = map->first; node; node = node->next) {
        double at[3] = {0.0, 0.0, 0.0};
        if (!sp_build_short_name(b, "point", node->key, node->key_place)) {
            continue;
        }
        sp_scope scope = *element;
        snprintf(scope.what, sizeof scope.what, "point '%.100s'", node->key);
        sp_rot3 axes = sp_rot3_one();
        const bool frame = node->kind == SP_NODE_MAP;
        sp_build_vector(b, &scope, frame ? sp_node_get(node, "at") : node, frame ? "at" : NULL,
                        sp_dim_of(1, 0, 0), at);
        if (frame) {
            sp_build_axes(b, &scope, sp_node_get(node, "turn"), "turn", &axes);
        }
        sp_build_add_point(b, plan, node->key, at, &axes, &node->key_place);
    }
}

/* The contours of a body. */
static void contours(sp_build *b, const sp_scope *element, int plan, const sp_node *map)
{
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    for (const sp_node *node = map->first; node; node = node->next) {
        if (node->kind == SP_NODE_MAP &&
            sp_build_short_name(b, "contour", node->key, node->key_place)) {
            sp_scope scope = *element;
            snprintf(scope.what, sizeof scope.what, "contour '%.100s'", node->key);
            sp_build_contour(b, &scope, plan, node);
        }
    }
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* Mass, inertia and centre of a body. */
static void mass_numbers(sp_build *b, sp_scope *scope, int body, const sp_node *node)
{
    sp_body_numbers *n = &b->body_numbers[body];
    sp_build_positive(b, scope, sp_node_get(node, "mass"), "mass", sp_dim_of(0, 1, 0), true,
                      &n->mass);
    if (b->dim == 3) {
        sp_build_inertia_tensor(b, scope, sp_node_get(node, "inertia"), b->space[body].inertia);
    } else {
        sp_build_positive(b, scope, sp_node_get(node, "inertia"), "inertia", sp_dim_of(2, 1, 0),
                          true, &n->inertia);
    }
    sp_build_vector(b, scope, sp_node_get(node, "center"), "center", sp_dim_of(1, 0, 0),
                    b->dim == 3 ? b->space[body].center : n->center);
}

/* All numbers of one body. */
static void body_numbers(sp_build *b, int plan)
{
    sp_body_plan *p = &b->plan[plan];
    const sp_node *node = p->family->node;
    sp_scope scope = sp_build_scope(p->family, plan - p->family->first);
    p->contour = b->n_contour;
    p->point = b->n_point;
    if (plan != SP_GROUND) {
        mass_numbers(b, &scope, p->body, node);
        sp_build_joint_numbers(b, &scope, plan);
        sp_build_beam(b, &scope, plan, node);
    }
    points(b, &scope, plan, sp_node_get(node, "points"));
    contours(b, &scope, plan, sp_node_get(node, "contours"));
    p->n_contour = b->n_contour - p->contour;
    if (plan != SP_GROUND) {
        sp_build_density(b, &scope, plan, node);
    }
    sp_build_display(b, &scope, p->body, sp_node_get(node, "display"));
}

void sp_build_bodies(sp_build *b)
{
    for (int i = 0; i < b->n_family && !b->no_memory; i++) {
        const sp_family *f = &b->family[i];
        if (f->kind != SP_PART_BODY || f->broken || !f->node) {
            continue;
        }
        const int before = b->diag->n_error;
        for (int k = 0; k < f->n && !b->no_memory; k++) {
            const bool wrong = b->diag->n_error > before; /* report an array's errors once */
            if (wrong) {
                b->plan[f->first + k].broken = true;
            } else {
                body_numbers(b, f->first + k);
            }
        }
    }
    sp_build_wedge_masses(b);
}
