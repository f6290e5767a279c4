/* model/build_shapes.c - contours with edges in space: polytopes, capsules, discs, meshes. */
#include "model/build_parts.h"
#include "model/sides.h"

#include <string.h>

/* A contour being read. */
typedef struct shape_plan {
    sp_build *b;
    sp_scope *scope;
    const sp_node *node, *value;
    const char *key;
    sp_contour_kind kind;
    sp_contour_numbers n;
    sp_rot3 R; /* axes of the contour on the body */
    sp_shape3 shape;
} shape_plan;

/* A point of the contour as the body sees it. */
static sp_vec3 on_body(const shape_plan *p, sp_vec3 x)
{
    return sp_add3(sp_vec3_of(p->n.mark.at), sp_rotate3(p->R, x));
}

/* The hull of points in the contour's frame, and whether all of them must be corners. */
static bool make_hull(shape_plan *p, int n, sp_vec3 *x, double flat, bool corners_only)
{
    sp_error err = {.status = SP_OK};
    sp_hull *hull = SP_BUILD_NEW(p->b, p->b->arena, sp_hull, 1);
    for (int i = 0; i < n; i++) {
        x[i] = on_body(p, x[i]);
    }
    if (!hull) {
        return false;
    }
    const sp_status status = sp_hull_build(p->b->arena, &p->b->scratch, n, x, flat, hull, &err);
    if (status != SP_OK) {
        p->b->no_memory = p->b->no_memory || status == SP_E_MEMORY;
        sp_build_error(p->b, p->value->place, 0, "%s: %s: %s", p->scope->what, p->key, err.text);
        return false;
    }
    const int n_feature = hull->n_vertex + hull->n_edge + hull->n_face;
    if (n_feature > 1 << SP_SHAPE_A_BITS) {
        sp_build_error(p->b, p->value->place, 0,
                       "%s: %s of %d corners, edges and faces, expected at most %d", p->scope->what,
                       p->key, n_feature, 1 << SP_SHAPE_A_BITS);
        return false;
    }
    for (int i = 0; corners_only && i < n; i++) {
        if (i >= hull->n_vertex || hull->from[i] != i) {
            sp_build_error(p->b, p->value->place, 0,
                           "%s: %s: point %d is no corner of the polytope, expected points that "
                           "are all corners of a convex one",
                           p->scope->what, p->key, i + 1);
            return false;
        }
    }
    p->kind = SP_CONTOUR_HULL;
    p->shape = (sp_shape3){.kind = SP_SHAPE3_HULL, .hull = hull};
    return true;
}

static bool read_box(shape_plan *p)
{
    double size[3] = {1.0, 1.0, 1.0};
    sp_vec3 x[8];
    if (!sp_build_vector(p->b, p->scope, p->value, p->key, sp_dim_of(1, 0, 0), size)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        if (!(size[k] > 0.0)) {
            sp_build_error(p->b, p->value->place, 0, "%s: box with a side of %g m, expected > 0",
                           p->scope->what, size[k]);
            return false;
        }
    }
    for (int i = 0; i < 8; i++) {
        x[i] = (sp_vec3){(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                         (i & 4 ? 0.5 : -0.5) * size[2]};
    }
    return make_hull(p, 8, x, SP_HULL_FLAT, false);
}

/* The file that the contour names, NULL after an error; unit: of its lengths. */
static const sp_spec_mesh *find_file(shape_plan *p, double *unit)
{
    const sp_node *node = sp_node_get(p->node, "unit");
    *unit = 1.0;
    if (node && !sp_build_positive(p->b, p->scope, node, "unit", sp_dim_of(1, 0, 0), false, unit)) {
        return NULL;
    }
    const sp_spec_mesh *mesh = sp_spec_find_mesh(p->b->spec, p->value->place.file, p->value->text);
    if (!mesh) {
        sp_build_error(p->b, p->value->place, 0,
                       "%s: %s: '%.200s' was not read: files belong to models in files",
                       p->scope->what, p->key, p->value->text);
    }
    return mesh;
}

static bool read_polytope(shape_plan *p)
{
    if (p->value->kind == SP_NODE_TEXT) {
        double unit;
        const sp_spec_mesh *file = find_file(p, &unit);
        sp_vec3 *x = file ? SP_BUILD_NEW(p->b, &p->b->scratch, sp_vec3, file->n_vertex) : NULL;
        for (int i = 0; x && i < file->n_vertex; i++) {
            x[i] = sp_scale3(unit, file->vertex[i]);
        }
        return x && make_hull(p, file->n_vertex, x,
                              file->single ? SP_HULL_FLAT_FLOAT : SP_HULL_FLAT, false);
    }
    int n = 0;
    sp_vec3 *x = SP_BUILD_NEW(p->b, &p->b->scratch, sp_vec3, p->value->n_child);
    for (const sp_node *c = p->value->first; c && x; c = c->next) {
        double at[3];
        if (!sp_build_vector(p->b, p->scope, c, p->key, sp_dim_of(1, 0, 0), at)) {
            return false;
        }
        x[n++] = sp_vec3_of(at);
    }
    return x && make_hull(p, n, x, SP_HULL_FLAT, true);
}

/* Radius, length and axis of a capsule or a disc. */
static bool read_round(shape_plan *p)
{
    const bool disc = strcmp(p->key, "disc") == 0;
    const sp_node *axis = sp_node_get(p->node, "axis"), *length = sp_node_get(p->node, "length");
    const sp_dim metre = sp_dim_of(1, 0, 0);
    double r = 1.0, l = 0.0, own[3] = {0.0, 0.0, 1.0};
    if (!sp_build_positive(p->b, p->scope, p->value, p->key, metre, false, &r) ||
        (length && !sp_build_positive(p->b, p->scope, length, "length", metre, disc, &l)) ||
        (axis && !sp_build_direction(p->b, p->scope, axis, "axis", own))) {
        return false;
    }
    const sp_vec3 e = sp_rotate3(p->R, sp_vec3_of(own));
    p->n.axis[0] = e.x;
    p->n.axis[1] = e.y;
    p->n.axis[2] = e.z;
    p->n.radius = r;
    p->kind = disc ? SP_CONTOUR_DISC : SP_CONTOUR_CAPSULE;
    p->shape = (sp_shape3){
        .kind = disc ? SP_SHAPE3_DISC : SP_SHAPE3_CAPSULE, .radius = r, .half = 0.5 * l};
    return true;
}

/* A frustum or a cone: radii of its ends and the length between them; it begins at `at`. */
static bool read_frustum(shape_plan *p)
{
    const sp_node *axis = sp_node_get(p->node, "axis"), *length = sp_node_get(p->node, "length");
    const sp_dim metre = sp_dim_of(1, 0, 0);
    double r[2], l = 0.0, own[3] = {0.0, 0.0, 1.0};
    if (!sp_build_numbers(p->b, p->scope, p->value, p->key, 2, metre, r) ||
        !sp_build_positive(p->b, p->scope, length, "length", metre, false, &l) ||
        (axis && !sp_build_direction(p->b, p->scope, axis, "axis", own))) {
        return false;
    }
    if (!(r[0] >= 0.0 && r[1] >= 0.0 && r[0] + r[1] > 0.0)) {
        sp_build_error(p->b, p->value->place, 0,
                       "%s: frustum = [%g m, %g m], expected radii >= 0, not both 0",
                       p->scope->what, r[0], r[1]);
        return false;
    }
    const sp_vec3 e = sp_rotate3(p->R, sp_vec3_of(own));
    const sp_vec3 middle = sp_axpy3(sp_vec3_of(p->n.mark.at), 0.5 * l, e);
    p->n = (sp_contour_numbers){.mark.at = {middle.x, middle.y, middle.z},
                                .axis = {e.x, e.y, e.z},
                                .radius = fmax(r[0], r[1])};
    p->kind = SP_CONTOUR_DISC;
    p->shape =
        (sp_shape3){.kind = SP_SHAPE3_DISC, .radius = r[0], .taper = r[1] - r[0], .half = 0.5 * l};
    return true;
}

static bool read_mesh(shape_plan *p)
{
    double unit;
    sp_error err = {.status = SP_OK};
    const sp_spec_mesh *file = find_file(p, &unit);
    sp_vec3 *x = file ? SP_BUILD_NEW(p->b, &p->b->scratch, sp_vec3, file->n_vertex) : NULL;
    sp_trimesh *mesh = SP_BUILD_NEW(p->b, p->b->arena, sp_trimesh, 1);
    if (!x || !mesh) {
        return false;
    }
    for (int i = 0; i < file->n_vertex; i++) {
        x[i] = on_body(p, sp_scale3(unit, file->vertex[i]));
    }
    const sp_status status = sp_trimesh_build(p->b->arena, &p->b->scratch, file->n_vertex, x,
                                              file->n_tri, (const int(*)[3])file->tri, mesh, &err);
    const int n_feature = mesh->n_vertex + mesh->n_edge + mesh->n_tri;
    if (status != SP_OK) {
        p->b->no_memory = p->b->no_memory || status == SP_E_MEMORY;
        sp_build_error(p->b, p->value->place, 0, "%s: %s", p->scope->what, err.text);
        return false;
    }
    if (n_feature > 1 << SP_SHAPE_B_BITS) {
        sp_build_error(p->b, p->value->place, 0,
                       "%s: mesh of %d corners, edges and triangles, expected at most %d",
                       p->scope->what, n_feature, 1 << SP_SHAPE_B_BITS);
        return false;
    }
    p->kind = SP_CONTOUR_MESH;
    p->shape = (sp_shape3){.kind = SP_SHAPE3_MESH, .mesh = mesh};
    return true;
}

bool sp_build_shape(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    static const struct {
        const char *key, *word;
        bool (*read)(shape_plan *p);
    } kind[] = {{"box", "a box", read_box},
                {"polytope", "a polytope", read_polytope},
                {"capsule", "a capsule", read_round},
                {"disc", "a disc", read_round},
                {"frustum", "a frustum", read_frustum},
                {"mesh", "a mesh", read_mesh}};
    shape_plan p = {.b = b, .scope = scope, .node = node, .R = sp_rot3_one()};
    p.n = (sp_contour_numbers){.axis = {0.0, 0.0, 1.0}};
    size_t k = 0;
    for (; k < sizeof kind / sizeof *kind && !p.value; k++) {
        p.value = sp_node_get(node, kind[k].key);
    }
    if (!p.value) {
        return false;
    }
    p.key = kind[k - 1].key;
    const int before = b->diag->n_error;
    sp_build_vector(b, scope, sp_node_get(node, "at"), "at", sp_dim_of(1, 0, 0), p.n.mark.at);
    if (sp_node_get(node, "turn")) {
        sp_build_turn(b, scope, sp_node_get(node, "turn"), "turn", &p.R);
    }
    sp_shape3 *kept = SP_BUILD_NEW(b, b->arena, sp_shape3, 1);
    if (!kind[k - 1].read(&p) || b->diag->n_error > before || !kept) {
        b->plan[plan].broken = true;
        return true;
    }
    *kept = p.shape;
    const sp_contour contour = {
        .kind = p.kind, .vertex = b->n_vertex, .shape = kept, .word = kind[k - 1].word};
    sp_build_add_contour(b, plan, node->key, contour, &p.n);
    return true;
}
