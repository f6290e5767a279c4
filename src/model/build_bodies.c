/* model/build_bodies.c - numbers of bodies and their joints, points. */
#include "math/plane.h"
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- joints
 * --------------------------------------------------------------------------------------- */

/* Report a spring in a joint that has not exactly one degree of freedom for it. */
static void refuse_spring(sp_build *b, const sp_scope *scope, const sp_node *node, int n_dof)
{
    sp_build_error(b, node->key_place, 0,
                   "%s: joint: %s needs a joint with one degree of freedom, this one has %d; use "
                   "'forces: {...: {spring: ...}}'",
                   scope->what, node->key, n_dof);
}

/* Spring and damper in a joint. */
static void joint_spring(sp_build *b, sp_scope *scope, int plan)
{
    static const char *const key[] = {"stiffness", "damping", "rest"};
    const sp_body_plan *p = &b->plan[plan];
    const sp_body *body = &b->body[p->body];
    const int arm = p->turns ? 2 : 0; /* N m/rad against N/m: powers of m */
    const sp_dim want[] = {sp_dim_of(arm, 1, -2), sp_dim_of(arm, 1, -1),
                           sp_dim_of(p->turns ? 0 : 1, 0, 0)};
    const char *const want_text[] = {p->turns ? "a torsional stiffness [N*m/rad]" : NULL,
                                     p->turns ? "a torsional damping [N*m*s/rad]" : NULL,
                                     p->turns ? "an angle [rad]" : NULL};
    for (int k = 0; k < 3; k++) {
        const sp_node *node = sp_node_get(p->joint, key[k]);
        if (!sp_build_text(node)) {
            continue;
        }
        if (body->n_dof != 1) {
            refuse_spring(b, scope, node, body->n_dof);
            return;
        }
        sp_dof_numbers *n = &b->dof_numbers[body->dof];
        double *const into[] = {&n->stiffness, &n->damping, &n->rest};
        char label[32];
        snprintf(label, sizeof label, "joint: %s", key[k]);
        sp_build_quantity(b, scope, node, label, want[k], want_text[k], into[k]);
    }
    if (body->n_dof == 1) {
        const sp_dof_numbers *n = &b->dof_numbers[body->dof];
        b->dof[body->dof].spring = n->stiffness != 0.0 || n->damping != 0.0;
    }
}

/* Directions of the translations on the parent, with the joint's turn in them. */
static void joint_axes(sp_build *b, sp_scope *scope, const sp_body_plan *p, sp_body_numbers *n)
{
    const sp_rot R = sp_rot_of(n->turn);
    for (int k = 0; k < p->n_slide; k++) {
        double axis[2] = {p->slide[k] == 0, p->slide[k] == 1};
        if (p->slide[k] < 0) {
            axis[0] = 1.0; /* after an error */
            sp_build_direction(b, scope, sp_node_get(p->joint, "axis"), "joint: axis", axis);
        }
        const sp_vec on_parent = n->turn == 0.0 ? sp_vec_of(axis) : sp_rotate(R, sp_vec_of(axis));
        n->axis[k][0] = on_parent.x;
        n->axis[k][1] = on_parent.y;
    }
}

/* Place, turn, axes and spring of the joint that carries a body. */
static void joint_numbers(sp_build *b, sp_scope *scope, int plan)
{
    const sp_body_plan *p = &b->plan[plan];
    sp_body_numbers *n = &b->body_numbers[p->body];
    const sp_dim length = sp_dim_of(1, 0, 0);
    sp_build_vector(b, scope, sp_node_get(p->joint, "at"), "joint: at", length, n->at);
    sp_build_vector(b, scope, sp_node_get(p->joint, "from"), "joint: from", length, n->from);
    sp_build_quantity(b, scope, sp_node_get(p->joint, "turn"), "joint: turn", sp_dim_of(0, 0, 0),
                      "an angle [rad]", &n->turn);
    joint_axes(b, scope, p, n);
    joint_spring(b, scope, plan);
}

/* ---- points
 * --------------------------------------------------------------------------------------- */

void sp_build_add_point(sp_build *b, int plan, const char *name, const double at[3],
                        const sp_place *place)
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
    int size = b->size_point;
    sp_point *point = sp_build_grow(b, b->point, b->n_point, &size, sizeof *point);
    double(*at_of)[3] = sp_build_grow(b, b->point_place, b->n_point, &b->size_point, sizeof *at_of);
    if (!point || !at_of || !sp_names_put(&b->point_names, &b->scratch, path, b->n_point)) {
        b->no_memory = true;
        return;
    }
    b->point = point;
    b->point_place = at_of;
    point[b->n_point] = (sp_point){path, b->plan[plan].body};
    memcpy(at_of[b->n_point], at, sizeof at_of[0]);
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
        sp_build_vector(b, &scope, node, NULL, sp_dim_of(1, 0, 0), at);
        sp_build_add_point(b, plan, node->key, at, &node->key_place);
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

/* ---- bodies
 * --------------------------------------------------------------------------------------- */

/* All numbers of one body. */
static void body_numbers(sp_build *b, int plan)
{
    sp_body_plan *p = &b->plan[plan];
    const sp_node *node = p->family->node;
    sp_scope scope = sp_build_scope(b, p->family, plan - p->family->first);
    p->contour = b->n_contour;
    p->point = b->n_point;
    if (plan != SP_GROUND) {
        sp_body_numbers *n = &b->body_numbers[p->body];
        sp_build_positive(b, &scope, sp_node_get(node, "mass"), "mass", sp_dim_of(0, 1, 0), true,
                          &n->mass);
        sp_build_positive(b, &scope, sp_node_get(node, "inertia"), "inertia", sp_dim_of(2, 1, 0),
                          true, &n->inertia);
        sp_build_vector(b, &scope, sp_node_get(node, "center"), "center", sp_dim_of(1, 0, 0),
                        n->center);
        joint_numbers(b, &scope, plan);
    }
    points(b, &scope, plan, sp_node_get(node, "points"));
    contours(b, &scope, plan, sp_node_get(node, "contours"));
    p->n_contour = b->n_contour - p->contour;
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
            const bool wrong = b->diag->n_error > before; /* tell an array's errors once */
            if (wrong) {
                b->plan[f->first + k].broken = true;
            } else {
                body_numbers(b, f->first + k);
            }
        }
    }
}
