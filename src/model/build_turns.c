/* model/build_turns.c - rotations in space as files write them. */
#include "model/build_parts.h"

#include <stdio.h>

/* The shortest rotation that takes the unit vector a to b. */
static sp_rot3 shortest(sp_vec3 a, sp_vec3 b)
{
    const sp_vec3 n = sp_cross3(a, b);
    const double s = sp_length3(n), c = sp_inner3(a, b);
    return s > 0.0 ? sp_rot3_about(sp_scale3(1.0 / s, n), c / hypot(c, s), s / hypot(c, s))
                   : sp_rot3_one();
}

/* {align: D, to: D}. */
static bool read_align(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                       sp_rot3 *R)
{
    const sp_node *align = sp_node_get(node, "align"), *to = sp_node_get(node, "to");
    double from[3], into[3];
    char label[80];
    snprintf(label, sizeof label, "%s: align", key);
    const bool good = sp_build_direction(b, scope, align, label, from);
    snprintf(label, sizeof label, "%s: to", key);
    if (!to || !sp_build_direction(b, scope, to, label, into) || !good) {
        return false;
    }
    const sp_vec3 a = sp_vec3_of(from), c = sp_vec3_of(into);
    if (sp_inner3(a, c) < 0.0 && sp_length3(sp_cross3(a, c)) < 1e-9) {
        sp_build_error(b, node->place, 0,
                       "%s: %s: 'align' and 'to' are opposite, so that there is no shortest turn; "
                       "write a turn of 180 deg about an axis",
                       scope->what, key);
        return false;
    }
    *R = shortest(a, c);
    return true;
}

/* One turn: a map with one of x, y, z or align. */
static bool read_turn(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                      sp_rot3 *R)
{
    static const char *const axis[] = {"x", "y", "z"};
    static const sp_vec3 unit[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (node->kind != SP_NODE_MAP) {
        return false;
    }
    for (int d = 0; d < 3; d++) {
        const sp_node *value = sp_node_get(node, axis[d]);
        double angle;
        if (value) {
            char label[80];
            snprintf(label, sizeof label, "%s: %s", key, axis[d]);
            if (!sp_build_quantity(b, scope, value, label, sp_dim_of(0, 0, 0), "an angle [rad]",
                                   &angle)) {
                return false;
            }
            *R = sp_rot3_about(unit[d], cos(angle), sin(angle));
            return true;
        }
    }
    return sp_node_get(node, "align") && read_align(b, scope, node, key, R);
}

bool sp_build_turn(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, sp_rot3 *R)
{
    if (!node || node->kind == SP_NODE_TEXT) {
        return false;
    }
    sp_rot3 all = sp_rot3_one();
    const bool list = node->kind == SP_NODE_LIST;
    for (const sp_node *item = list ? node->first : node; item; item = list ? item->next : NULL) {
        sp_rot3 next;
        if (!read_turn(b, scope, item, key, &next)) {
            return false;
        }
        all = sp_rot3_mul(all, next); /* about the axes as they are by now */
    }
    *R = all;
    return true;
}

void sp_build_store_turn(sp_rot3 R, double m[9])
{
    const sp_vec3 column[] = {R.x, R.y, R.z};
    for (int k = 0; k < 3; k++) {
        m[k] = column[k].x;
        m[3 + k] = column[k].y;
        m[6 + k] = column[k].z;
    }
}

bool sp_build_axes(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, sp_rot3 *R)
{
    double angle;
    if (b->dim == 3) {
        return sp_build_turn(b, scope, node, key, R);
    }
    if (!sp_build_quantity(b, scope, node, key, sp_dim_of(0, 0, 0), "an angle [rad]", &angle)) {
        return false;
    }
    *R = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle));
    return true;
}
