/* model/build_clearance_space.c - joints with play in space: a pin with round ends in a bore, a
 * block between four walls, a round bar in a bore.   theory (22.1)-(22.3) */
#include "model/build_clearance.h"

/* Directions of the joint on a body: along its axis, up and to the left across it. */
typedef struct axes {
    sp_vec3 e, up, left;
} axes;

/* Directions from their axis; up is what of `up` is across it, or, NULL, as in a planar joint. */
static axes axes_of(sp_vec3 e, const sp_vec3 *up)
{
    axes a = {.e = e};
    if (up) {
        const sp_vec3 across = sp_axpy3(*up, -sp_inner3(*up, e), e);
        a.up = sp_scale3(1.0 / sp_length3(across), across);
        a.left = sp_cross3(e, a.up);
    } else {
        sp_build_sides(e, &a.up, &a.left);
    }
    return a;
}

/* The same directions as a turned frame sees them, or as what it is turned against does. */
static axes turned(sp_rot3 R, axes a, bool back)
{
    const axes away = {sp_rotate3(R, a.e), sp_rotate3(R, a.up), sp_rotate3(R, a.left)};
    const axes home = {sp_rotate_back3(R, a.e), sp_rotate_back3(R, a.up),
                       sp_rotate_back3(R, a.left)};
    return back ? home : away;
}

/* The direction under a key, if it is there; false after an error. */
static bool read_direction(sp_build *b, sp_clearance_plan *p, const char *key, bool *given,
                           sp_vec3 *direction)
{
    double value[3] = {1.0, 0.0, 0.0};
    const sp_node *node = sp_node_get(p->node, key);
    *given = node != NULL;
    if (node && !sp_build_direction(b, p->scope, node, key, value)) {
        return false;
    }
    *direction = sp_vec3_of(value);
    return true;
}

/* Directions on both bodies: `axis` is that on the first, in a joint of the tree that in the
 * joint's frame. */
static bool read_axes(sp_build *b, sp_clearance_plan *p, axes on[2])
{
    sp_vec3 e, up, other;
    bool has_axis, has_up, has_other;
    sp_rot3 R = sp_rot3_one();
    const sp_node *turn = sp_node_get(p->node, "turn"), *up_node = sp_node_get(p->node, "up");
    if (!read_direction(b, p, "axis", &has_axis, &e) || !read_direction(b, p, "up", &has_up, &up) ||
        !read_direction(b, p, "other_axis", &has_other, &other) ||
        (turn && !sp_build_turn(b, p->scope, turn, "turn", &R))) {
        return false;
    }
    if (has_up && sp_length3(sp_cross3(e, up)) < 1e-6) {
        sp_build_error(b, up_node->place, 0,
                       "%s: 'up' points along the axis, expected a direction across it",
                       p->scope->what);
        return false;
    }
    const axes given = axes_of(e, has_up ? &up : NULL);
    on[0] = p->in_tree ? turned(R, given, false) : given;
    on[1] = p->in_tree ? given : turned(R, given, true);
    if (has_other) {
        on[1] = axes_of(other, NULL);
    }
    return true;
}

/* A positive length under a key; false after an error. */
static bool read_length(sp_build *b, sp_clearance_plan *p, const char *key, double *value)
{
    return sp_build_positive(b, p->scope, sp_node_get(p->node, key), key, sp_dim_of(1, 0, 0), false,
                             value);
}

/* A contour at a place x away from the joint's. */
static bool add(sp_build *b, sp_clearance_plan *p, int body, const char *part, sp_contour_kind kind,
                sp_vec3 x, sp_vec3 axis, double radius)
{
    const sp_vec3 at = sp_add3(sp_vec3_of(p->at[body]), x);
    const sp_contour_numbers numbers = {
        .radius = radius, .mark.at = {at.x, at.y, at.z}, .axis = {axis.x, axis.y, axis.z}};
    const sp_contour contour = {.kind = kind, .vertex = b->n_vertex};
    return sp_build_clearance_contour(b, p, body, part, contour, &numbers);
}

/* A solid of the second body for pictures, at the joint, unless the body has some of its own. */
static void show(sp_build *b, const sp_clearance_plan *p, sp_solid solid, sp_rot3 turn)
{
    solid.body = b->plan[p->plan[1]].body;
    for (int i = 0; i < b->n_solid; i++) {
        if (b->solid[i].body == solid.body) {
            return;
        }
    }
    for (int d = 0; d < 3; d++) {
        solid.at[d] = p->at[1][d];
    }
    sp_build_store_turn(turn, solid.turn);
    if (SP_BUILD_ROOM(b, b->solid, b->n_solid)) {
        b->solid[b->n_solid++] = solid;
    }
}

/* A wall of the first body: `far` away from the axis along a direction, its normal back to it. */
static bool add_wall(sp_build *b, sp_clearance_plan *p, const char *part, sp_vec3 out, double far)
{
    return add(b, p, 0, part, SP_CONTOUR_PLANE, sp_scale3(far, out), sp_scale3(-1.0, out), 0.0);
}

/* A pin with round ends in a bore, and walls before its ends if it has play along the axis, too.
 * The farthest points of a rod with round ends from the axis of a bore are at its ends. theory
 * (22.1) */
static bool add_pin(sp_build *b, sp_clearance_plan *p, const axes on[2])
{
    const sp_node *axial = sp_node_get(p->node, "axial");
    const sp_vec3 none = {0.0, 0.0, 0.0}, back = sp_scale3(-1.0, on[0].e);
    double radius, length, play = 0.0;
    if (!read_length(b, p, "radius", &radius) || !read_length(b, p, "length", &length) ||
        (axial && !read_length(b, p, "axial", &play))) {
        return false;
    }
    const sp_vec3 end = sp_scale3(0.5 * length, on[1].e);
    const double far = 0.5 * length + radius + play;
    show(b, p, (sp_solid){.kind = SP_SOLID_CYLINDER, .radius = radius, .length = length},
         (sp_rot3){on[1].up, on[1].left, on[1].e});
    return add(b, p, 1, "front", SP_CONTOUR_SPHERE, end, on[1].e, radius) &&
           add(b, p, 1, "back", SP_CONTOUR_SPHERE, sp_scale3(-1.0, end), on[1].e, radius) &&
           add(b, p, 0, "hole", SP_CONTOUR_BORE, none, on[0].e, radius + p->play) &&
           (!axial ||
            (add_wall(b, p, "front_wall", on[0].e, far) && add_wall(b, p, "back_wall", back, far)));
}

/* The eight corners of a block. */
static bool add_corners(sp_build *b, sp_clearance_plan *p, const axes *a, const double size[3])
{
    static const char *const along[] = {"back", "front"}, *const high[] = {"lower", "upper"},
                             *const wide[] = {"right", "left"};
    bool good = true;
    for (int k = 0; k < 8 && good; k++) {
        const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
        sp_vec3 x = sp_scale3((i - 0.5) * size[0], a->e);
        x = sp_axpy3(x, (j - 0.5) * size[1], a->up);
        x = sp_axpy3(x, (l - 0.5) * size[2], a->left);
        const char *name = sp_build_printf(b, "%s_%s_%s", along[i], high[j], wide[l]);
        good = name && add(b, p, 1, name, SP_CONTOUR_POINT, x, a->e, 0.0);
    }
    return good;
}

/* A block between four walls.   theory (22.3) */
static bool add_block(sp_build *b, sp_clearance_plan *p, const axes on[2])
{
    const sp_node *list = sp_node_get(p->node, "size"), *item = list->first;
    double size[3] = {0.0, 0.0, 0.0};
    bool good = list->kind == SP_NODE_LIST;
    for (int d = 0; d < 3 && item; d++, item = item->next) {
        good = sp_build_positive(b, p->scope, item, "size", sp_dim_of(1, 0, 0), false, &size[d]) &&
               good;
    }
    if (!good) {
        return false;
    }
    show(b, p, (sp_solid){.kind = SP_SOLID_BOX, .size = {size[0], size[1], size[2]}},
         (sp_rot3){on[1].e, on[1].up, on[1].left});
    const double high = 0.5 * size[1] + p->play, wide = 0.5 * size[2] + p->play;
    return add_corners(b, p, &on[1], size) && add_wall(b, p, "upper", on[0].up, high) &&
           add_wall(b, p, "lower", sp_scale3(-1.0, on[0].up), high) &&
           add_wall(b, p, "left", on[0].left, wide) &&
           add_wall(b, p, "right", sp_scale3(-1.0, on[0].left), wide);
}

bool sp_build_clearance_space(sp_build *b, sp_clearance_plan *p)
{
    axes on[2];
    if (!read_axes(b, p, on)) {
        return false;
    }
    const sp_node *size = sp_node_get(p->node, "size"), *radius = sp_node_get(p->node, "radius");
    if (size && radius) {
        sp_build_error(b, radius->key_place, 0,
                       "%s: 'size' is a block, 'radius' a round bar, expected one of them",
                       p->scope->what);
        return false;
    }
    return size ? add_block(b, p, on) : add_pin(b, p, on);
}
