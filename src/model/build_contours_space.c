/* model/build_contours_space.c - contours in space: places, directions, radii. */
#include "model/build_parts.h"

/* The kinds by their key, and what they become with `inside`. */
typedef struct kind_row {
    const char *key;
    sp_contour_kind kind, inside;
} kind_row;

static const kind_row kinds[] = {
    {"point", SP_CONTOUR_POINT, SP_CONTOUR_POINT},
    {"plane", SP_CONTOUR_PLANE, SP_CONTOUR_PLANE},
    {"sphere", SP_CONTOUR_SPHERE, SP_CONTOUR_HOLLOW_SPHERE},
    {"cylinder", SP_CONTOUR_CYLINDER, SP_CONTOUR_BORE},
};

/* The row of a contour, NULL if it is of no kind known here; value: of its kind key. */
static const kind_row *find_kind(const sp_node *node, const sp_node **value)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        *value = sp_node_get(node, kinds[k].key);
        if (*value) {
            return &kinds[k];
        }
    }
    return NULL;
}

/* A direction in the contour's frame, as the body sees it. */
static void read_axis(sp_build *b, sp_scope *scope, const sp_node *node, const char *key, sp_rot3 R,
                      double axis[3])
{
    double own[3] = {0.0, 0.0, 1.0};
    if (node) {
        sp_build_direction(b, scope, node, key, own);
    }
    const sp_vec3 e = sp_rotate3(R, sp_vec3_of(own));
    axis[0] = e.x;
    axis[1] = e.y;
    axis[2] = e.z;
}

/* at + R p */
static void to_body(sp_rot3 R, const double p[3], double at[3])
{
    const sp_vec3 r = sp_rotate3(R, sp_vec3_of(p));
    at[0] += r.x;
    at[1] += r.y;
    at[2] += r.z;
}

/* What the kind key itself says. */
static void read_value(sp_build *b, sp_scope *scope, const sp_node *node, const sp_node *value,
                       const kind_row *row, sp_rot3 R, sp_contour_numbers *n)
{
    if (row->kind == SP_CONTOUR_POINT) {
        double p[3] = {0.0, 0.0, 0.0};
        sp_build_vector(b, scope, value, row->key, sp_dim_of(1, 0, 0), p);
        to_body(R, p, n->mark.at);
    } else if (row->kind == SP_CONTOUR_PLANE) {
        read_axis(b, scope, value, row->key, R, n->axis);
    } else {
        n->radius = 1.0;
        sp_build_positive(b, scope, value, row->key, sp_dim_of(1, 0, 0), false, &n->radius);
        read_axis(b, scope, sp_node_get(node, "axis"), "axis", R, n->axis);
    }
}

void sp_build_contour_space(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    if (sp_build_face(b, scope, plan, node) || sp_build_surface(b, scope, plan, node) ||
        sp_build_shape(b, scope, plan, node)) {
        return;
    }
    const sp_node *value;
    const kind_row *row = find_kind(node, &value);
    const int before = b->diag->n_error;
    if (!row) {
        b->plan[plan].broken = true;
        return;
    }
    sp_contour_numbers n = {.axis = {0.0, 0.0, 1.0}};
    sp_rot3 R = sp_rot3_one();
    sp_build_vector(b, scope, sp_node_get(node, "at"), "at", sp_dim_of(1, 0, 0), n.mark.at);
    if (sp_node_get(node, "turn")) {
        sp_build_turn(b, scope, sp_node_get(node, "turn"), "turn", &R);
    }
    read_value(b, scope, node, value, row, R, &n);
    const bool inside = sp_build_flag(sp_node_get(node, "inside"));
    const sp_contour contour = {.kind = inside ? row->inside : row->kind, .vertex = b->n_vertex};
    if (contour.kind == SP_CONTOUR_POINT) {
        sp_build_add_point(b, plan, node->key, n.mark.at, NULL, NULL);
    }
    if (b->diag->n_error > before) {
        b->plan[plan].broken = true;
    }
    sp_build_add_contour(b, plan, node->key, contour, &n);
}
