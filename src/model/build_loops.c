/* model/build_loops.c - joints that close loops: frames on two bodies that agree but for the
 * joint's motion. */
#include "model/build_parts.h"
#include "model/loop_rows.h"

#include <math.h>

/* A joint on its way. */
typedef struct loop_plan {
    sp_scope *scope;
    const sp_node *node;
    sp_loop loop;
    sp_loop_numbers numbers;
} loop_plan;

/* One side: a body or a point of it, moved by `at` (first side) or `from` (second). */
static bool read_side(sp_build *b, loop_plan *p, const sp_node *node, int side)
{
    sp_ref ref;
    sp_error err;
    double *at = p->numbers.mark[side].at, more[3] = {0.0, 0.0, 0.0};
    const char *key = side == 0 ? "at" : "from";
    if (!sp_build_body_ref(b, p->scope, node, &ref) || b->plan[ref.first].broken) {
        return false;
    }
    if (!sp_build_point(b, ref.first, ref.rest, at, &err)) {
        sp_build_error(b, node->place, 0, "%s: %s", p->scope->what, err.text);
        return false;
    }
    if (sp_node_get(p->node, key) &&
        !sp_build_vector(b, p->scope, sp_node_get(p->node, key), key, sp_dim_of(1, 0, 0), more)) {
        return false;
    }
    for (int d = 0; d < 3; d++) {
        at[d] += more[d];
    }
    p->loop.body[side] = p->numbers.mark[side].body = b->plan[ref.first].body;
    return true;
}

/* Axes with z along a unit vector; x is perpendicular to it and to the world axis it is least
 * along. */
static sp_rot3 axes_about(sp_vec3 z)
{
    const double a = fabs(z.x), c = fabs(z.y), d = fabs(z.z);
    const sp_vec3 least = {a <= c && a <= d, !(a <= c && a <= d) && c <= d,
                           !(a <= c && a <= d) && !(c <= d)};
    const sp_vec3 y = sp_cross3(z, least);
    const sp_vec3 unit = sp_scale3(1.0 / sp_length3(y), y);
    return (sp_rot3){sp_cross3(unit, z), unit, z};
}

/* The direction under a key; false if it is not there or wrong. */
static bool read_axis(sp_build *b, loop_plan *p, const char *key, sp_vec3 *axis)
{
    double value[3] = {0.0, 0.0, 0.0};
    const sp_node *node = sp_node_get(p->node, key);
    if (!node || !sp_build_direction(b, p->scope, node, key, value)) {
        return false;
    }
    *axis = sp_vec3_of(value);
    return true;
}

/* Axes of the joint on both bodies.  In the plane the z of a slide lies in it and y points out. */
static void read_axes(sp_build *b, loop_plan *p)
{
    sp_vec3 first = {0.0, 0.0, 1.0}, second;
    sp_rot3 turn = sp_rot3_one(), A, B;
    const sp_node *node = sp_node_get(p->node, "turn");
    const bool given = read_axis(b, p, "axis", &first);
    double angle = 0.0;
    if (node && b->dim == 3) {
        sp_build_turn(b, p->scope, node, "turn", &turn);
    } else if (node &&
               sp_build_quantity(b, p->scope, node, "turn", sp_dim_of(0, 0, 0), NULL, &angle)) {
        turn = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle));
    }
    if (b->dim == 2 && given) {
        A = (sp_rot3){{first.y, -first.x, 0.0}, {0.0, 0.0, -1.0}, first};
        A.y = sp_cross3(A.z, A.x);
    } else {
        A = axes_about(first);
    }
    second = sp_rotate_back3(turn, first); /* the same direction, as the second body sees it */
    if (read_axis(b, p, "other_axis", &second)) {
        B = axes_about(second);
        if (p->loop.joint == SP_JOINT_UNIVERSAL) { /* its axis on the second body is x */
            B = (sp_rot3){B.z, B.x, B.y};
        }
    } else {
        B = (sp_rot3){sp_rotate_back3(turn, A.x), sp_rotate_back3(turn, A.y),
                      sp_rotate_back3(turn, A.z)};
    }
    p->numbers.mark[0].turned = p->numbers.mark[1].turned = true;
    sp_build_store_turn(A, p->numbers.mark[0].axes);
    sp_build_store_turn(B, p->numbers.mark[1].axes);
}

/* The rows, as bonds with names of their own. */
static void add_rows(sp_build *b, loop_plan *p, int contact)
{
    if (!SP_BUILD_ROOM(b, b->loop, b->n_loop) || !SP_BUILD_ROOM(b, b->loop_numbers, b->n_loop)) {
        return;
    }
    p->loop.slot = b->n_bond; /* moved behind the contacts at the end */
    p->loop.n_row = sp_loop_rows_of(p->loop.joint, b->dim)->n;
    p->loop.sup = sp_build_support(b, p->loop.body[0], p->loop.body[1], &p->loop.n_sup);
    b->loop[b->n_loop] = p->loop;
    b->loop_numbers[b->n_loop] = p->numbers;
    for (int r = 0; r < p->loop.n_row; r++) {
        sp_build_add_bond(b, &(sp_slot){.name = sp_build_printf(b, "%s.%d", p->loop.name, r + 1),
                                        .contact = contact,
                                        .law = SP_NONE,
                                        .kind = SP_SLOT_LOOP,
                                        .sign_t = 1.0,
                                        .rule = b->n_loop,
                                        .part = r});
    }
    b->n_loop++;
}

void sp_build_loop(sp_build *b, sp_scope *scope, const sp_node *node, int contact)
{
    loop_plan p = {.scope = scope,
                   .node = node,
                   .loop = {.name = b->contact[contact].name, .place = b->contact[contact].place}};
    const sp_node *pair = sp_build_joint_kind(node, &p.loop.joint);
    if (!pair || pair->kind != SP_NODE_LIST || pair->n_child != 2 ||
        !read_side(b, &p, pair->first, 0) || !read_side(b, &p, pair->first->next, 1)) {
        return;
    }
    if (sp_loop_rows_of(p.loop.joint, b->dim)->n == 0) {
        sp_build_error(b, pair->key_place, 0,
                       "%s: '%s' exists only in space, with 'space: spatial'", scope->what,
                       pair->key);
        return;
    }
    if (p.loop.body[0] == p.loop.body[1]) {
        sp_build_error(b, pair->place, 0,
                       "%s: joins body '%s' with itself, expected two different bodies",
                       scope->what, b->body[p.loop.body[0]].name);
        return;
    }
    read_axes(b, &p);
    add_rows(b, &p, contact);
}
