/* model/build_contours.c - contours: corners in the frame of their body, normals, radii. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* A contour on its way: kind, frame on the body, how many vertices. */
typedef struct contour_plan {
    const sp_node *node, *value; /* the map; the value of its kind key */
    sp_contour_kind kind;
    double at[2], turn;
    bool bad;
} contour_plan;

/* From the contour's own frame to the body's: at + R(turn) p. */
static void to_body(const contour_plan *c, double p[2])
{
    const sp_vec r = c->turn == 0.0 ? sp_vec_of(p) : sp_rotate(sp_rot_of(c->turn), sp_vec_of(p));
    p[0] = c->at[0] + r.x;
    p[1] = c->at[1] + r.y;
}

/* Find the kind of a contour; false if it has none that is supported. */
static bool find_kind(contour_plan *c)
{
    static const struct {
        const char *key;
        sp_contour_kind kind;
    } table[] = {{"point", SP_CONTOUR_POINT},     {"line", SP_CONTOUR_LINE},
                 {"segment", SP_CONTOUR_SEGMENT}, {"circle", SP_CONTOUR_CIRCLE},
                 {"polygon", SP_CONTOUR_POLYGON}, {"box", SP_CONTOUR_POLYGON}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        c->value = sp_node_get(c->node, table[k].key);
        if (c->value) {
            c->kind = table[k].kind;
            if (c->kind == SP_CONTOUR_CIRCLE && sp_build_flag(sp_node_get(c->node, "inside"))) {
                c->kind = SP_CONTOUR_HOLLOW;
            }
            return true;
        }
    }
    return false;
}

double (*sp_build_new_vertices(sp_build *b, int n))[2]
{
    for (int k = 0; k < n; k++) {
        if (!SP_BUILD_ROOM(b, b->vertex, b->n_vertex + k)) {
            return NULL;
        }
    }
    b->n_vertex += n;
    return b->vertex + b->n_vertex - n;
}

/* ---- polygons ------------------------------------------------------------------------------- */

/* Twice the area, positive if the corners go counter-clockwise, and the square of the extent. */
static double signed_area(int n, double (*v)[2], double *extent2)
{
    double area = 0.0;
    *extent2 = 0.0;
    for (int i = 0; i < n; i++) {
        const sp_vec p = sp_sub(sp_vec_of(v[i]), sp_vec_of(v[0]));
        const sp_vec q = sp_sub(sp_vec_of(v[(i + 1) % n]), sp_vec_of(v[0]));
        area += sp_cross(p, q);
        *extent2 = fmax(*extent2, sp_inner(p, p));
    }
    return area;
}

/* Turn a clockwise polygon round, first corner first, with its names. */
static void reverse(int n, double (*v)[2], const char **name)
{
    for (int i = 1, j = n - 1; i < j; i++, j--) {
        for (int d = 0; d < 2; d++) {
            const double swap = v[i][d];
            v[i][d] = v[j][d];
            v[j][d] = swap;
        }
        if (name) {
            const char *swap = name[i];
            name[i] = name[j];
            name[j] = swap;
        }
    }
}

/* The corner (from 0) at which a counter-clockwise polygon does not turn left, SP_NONE if there is
 * none and it goes round exactly once. */
static int wrong_corner(int n, double (*v)[2], double extent2)
{
    double turn = 0.0; /* sum of the outer angles */
    for (int i = 0; i < n; i++) {
        const sp_vec corner = sp_vec_of(v[i]);
        const sp_vec before = sp_sub(corner, sp_vec_of(v[(i + n - 1) % n]));
        const sp_vec after = sp_sub(sp_vec_of(v[(i + 1) % n]), corner);
        const double cross = sp_cross(before, after);
        if (!(cross > 1e-12 * extent2 / n)) {
            return i;
        }
        turn += atan2(cross, sp_inner(before, after));
    }
    return turn < 3.0 * 3.141592653589793 ? SP_NONE : 0;
}

/* Names of the corners: given, or their numbers if the order was turned round. */
static const char **corner_names(sp_build *b, const sp_scope *scope, const contour_plan *c, int n)
{
    const sp_node *names = sp_node_get(c->node, "names");
    if (!names || names->kind != SP_NODE_LIST) {
        return NULL;
    }
    if (names->n_child != n) {
        sp_build_error(b, names->place, 0, "%s: %d names for %d corners", scope->what,
                       names->n_child, n);
        return NULL;
    }
    const char **name = SP_BUILD_NEW(b, b->arena, const char *, n);
    const sp_node *item = names->first;
    for (int i = 0; i < n && name; i++, item = item->next) {
        const char *text = sp_build_text(item) ? item->text : "";
        name[i] = sp_build_printf(b, "%s", text);
        sp_build_short_name(b, "corner", text, item->place);
    }
    return name;
}

/* Numbers as names, for a polygon that was turned round. */
static const char **corner_numbers(sp_build *b, int n)
{
    const char **name = SP_BUILD_NEW(b, b->arena, const char *, n);
    for (int i = 0; i < n && name; i++) {
        name[i] = sp_build_printf(b, "%d", i + 1);
    }
    return name;
}

/* Whether a polygon that is not convex can be split: no two sides meet, no corner is straight. */
static bool check_simple(sp_build *b, const sp_scope *scope, const contour_plan *c, int n,
                         double (*v)[2], double tiny, const char *const *name)
{
    int side[2];
    for (int i = 0; i < n; i++) {
        const sp_vec corner = sp_vec_of(v[i]);
        const sp_vec before = sp_sub(corner, sp_vec_of(v[(i + n - 1) % n]));
        const sp_vec after = sp_sub(sp_vec_of(v[(i + 1) % n]), corner);
        if (!(fabs(sp_cross(before, after)) > tiny)) {
            sp_build_error(b, c->value->place, 0,
                           "%s: corner %s of the polygon lies on the straight line through its "
                           "neighbours, expected a corner that turns; leave it out",
                           scope->what, name[i]);
            return false;
        }
    }
    if (sp_build_crosses_itself(n, v, tiny, side)) {
        sp_build_error(b, c->value->place, 0,
                       "%s: the polygon crosses itself: the side from corner %s to %s meets that "
                       "from %s to %s",
                       scope->what, name[side[0]], name[(side[0] + 1) % n], name[side[1]],
                       name[(side[1] + 1) % n]);
        return false;
    }
    return true;
}

/* Add the convex pieces of a polygon, "contour.1" and on, with its corners' names. */
static void add_pieces(sp_build *b, const sp_scope *scope, int plan, const contour_plan *c,
                       const sp_contour *whole, double tiny)
{
    const int n = whole->n_vertex;
    const sp_contour_numbers numbers = {.radius = 0.0};
    double(*v)[2] = sp_build_alloc(b, &b->scratch, (size_t)n, sizeof *v);
    int *corner = SP_BUILD_NEW(b, &b->scratch, int, n *(n - 1));
    sp_piece *piece = SP_BUILD_NEW(b, &b->scratch, sp_piece, n - 2);
    if (!v || !corner || !piece) {
        return;
    }
    memcpy(v, b->vertex + whole->vertex, (size_t)n * sizeof *v);
    b->n_vertex = whole->vertex; /* the pieces take their place */
    for (int k = 0; k < n - 2; k++) {
        piece[k] = (sp_piece){0, corner + (k + 1) * n};
    }
    const int n_piece = sp_build_split(n, v, tiny, corner, piece);
    if (n_piece == 0) {
        sp_build_error(b, c->value->place, 0, "%s: the polygon cannot be split into convex ones",
                       scope->what);
    }
    for (int k = 0; k < n_piece; k++) {
        sp_contour part = *whole;
        part.vertex = b->n_vertex;
        part.n_vertex = piece[k].n;
        double(*to)[2] = sp_build_new_vertices(b, part.n_vertex);
        const char **name = SP_BUILD_NEW(b, b->arena, const char *, part.n_vertex);
        for (int i = 0; i < part.n_vertex && to && name; i++) {
            memcpy(to[i], v[piece[k].corner[i]], sizeof *to);
            name[i] = whole->vertex_name[piece[k].corner[i]];
        }
        part.vertex_name = name;
        sp_build_add_contour(b, plan, sp_build_printf(b, "%s.%d", c->node->key, k + 1), part,
                             &numbers);
    }
}

/* Check a polygon, make it counter-clockwise; its corners with names become points.  The corner at
 * which it is not convex goes to *hollow, SP_NONE if there is none. */
static const char *const *finish_polygon(sp_build *b, sp_scope *scope, int plan,
                                         const contour_plan *c, int n, double (*v)[2], int *hollow,
                                         double *tiny)
{
    const char **name = corner_names(b, scope, c, n);
    const bool points = name != NULL;
    double extent2;
    const double area = signed_area(n, v, &extent2);
    if (!(fabs(area) > 1e-12 * extent2)) {
        sp_build_error(b, c->value->place, 0, "%s: the polygon has no area", scope->what);
        return name;
    }
    if (area < 0.0) {
        name = name ? name : corner_numbers(b, n);
        reverse(n, v, name);
    }
    *hollow = wrong_corner(n, v, extent2);
    *tiny = 1e-12 * extent2 / n;
    if (*hollow != SP_NONE) {
        name = name ? name : corner_numbers(b, n);
        if (!name || !check_simple(b, scope, c, n, v, *tiny, name)) {
            return NULL;
        }
    }
    for (int i = 0; i < n && points && name; i++) {
        const sp_node *place = sp_node_get(c->node, "names");
        sp_build_add_point(b, plan, name[i], (double[3]){v[i][0], v[i][1]}, NULL, &place->place);
    }
    return name;
}

/* The corners as the file gives them, in the body's frame; their number, 0 after an error. */
static int read_corners(sp_build *b, sp_scope *scope, contour_plan *c, const char *key)
{
    const sp_node *list = c->value;
    if (list->kind != SP_NODE_LIST || list->n_child < 2) {
        return 0;
    }
    double(*v)[2] = sp_build_new_vertices(b, list->n_child);
    if (!v) {
        return 0;
    }
    int i = 0;
    for (const sp_node *item = list->first; item; item = item->next, i++) {
        c->bad = !sp_build_vector(b, scope, item, key, sp_dim_of(1, 0, 0), v[i]) || c->bad;
        to_body(c, v[i]);
    }
    return i;
}

/* Corners of a box of width w and height h about the contour's origin. */
static int read_box(sp_build *b, sp_scope *scope, contour_plan *c)
{
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const sp_node *side = c->value->kind == SP_NODE_LIST ? c->value->first : NULL;
    double size[2] = {1.0, 1.0};
    for (int d = 0; d < 2; d++) {
        c->bad = !sp_build_positive(b, scope, side, "box", sp_dim_of(1, 0, 0), false, &size[d]) ||
                 c->bad;
        side = side ? side->next : NULL;
    }
    double(*v)[2] = sp_build_new_vertices(b, 4);
    for (int i = 0; i < 4 && v; i++) {
        v[i][0] = corner[i][0] * size[0];
        v[i][1] = corner[i][1] * size[1];
        to_body(c, v[i]);
    }
    return v ? 4 : 0;
}

/* ---- the other kinds ------------------------------------------------------------------------ */

/* One vertex: a point, a centre, or a point on a line. */
static int read_single(sp_build *b, sp_scope *scope, contour_plan *c, sp_contour_numbers *numbers)
{
    double p[2] = {0.0, 0.0};
    if (c->kind == SP_CONTOUR_POINT) {
        c->bad = !sp_build_vector(b, scope, c->value, "point", sp_dim_of(1, 0, 0), p);
    } else if (c->kind == SP_CONTOUR_LINE) {
        double normal[2] = {0.0, 1.0};
        c->bad = !sp_build_direction(b, scope, c->value, "line", normal);
        contour_plan only_turn = *c;
        only_turn.at[0] = only_turn.at[1] = 0.0;
        to_body(&only_turn, normal);
        numbers->normal[0] = normal[0];
        numbers->normal[1] = normal[1];
    } else {
        numbers->radius = 1.0;
        c->bad = !sp_build_positive(b, scope, c->value, "circle", sp_dim_of(1, 0, 0), false,
                                    &numbers->radius);
    }
    to_body(c, p);
    double(*v)[2] = sp_build_new_vertices(b, 1);
    if (!v) {
        return 0;
    }
    v[0][0] = p[0];
    v[0][1] = p[1];
    return 1;
}

/* Report a segment without length. */
static void check_segment(sp_build *b, const sp_scope *scope, const contour_plan *c, double (*v)[2])
{
    if (!c->bad && !(hypot(v[1][0] - v[0][0], v[1][1] - v[0][1]) > 0.0)) {
        sp_build_error(b, c->value->place, 0, "%s: the ends of the segment are the same point",
                       scope->what);
    }
}

void sp_build_add_contour(sp_build *b, int plan, const char *name, sp_contour contour,
                          const sp_contour_numbers *numbers)
{
    contour.name = sp_build_printf(b, "%s.%s", b->body[b->plan[plan].body].name, name);
    contour.body = b->plan[plan].body;
    if (!SP_BUILD_ROOM(b, b->contour, b->n_contour) ||
        !SP_BUILD_ROOM(b, b->contour_numbers, b->n_contour) ||
        !sp_build_name(b, &b->contour_names, contour.name, b->n_contour)) {
        return;
    }
    b->contour[b->n_contour] = contour;
    b->contour_numbers[b->n_contour] = *numbers;
    sp_mark *mark = &b->contour_numbers[b->n_contour++].mark;
    mark->body = contour.body;
    for (int i = 0; i < contour.n_vertex; i++) {
        mark->at[0] += b->vertex[contour.vertex + i][0] / contour.n_vertex;
        mark->at[1] += b->vertex[contour.vertex + i][1] / contour.n_vertex;
    }
}

void sp_build_contour(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    if (sp_build_is_reported(b, node->place)) {
        b->plan[plan].broken = true; /* of several kinds: contacts must not guess which is meant */
    }
    if (sp_build_wedge(b, scope, plan, node)) {
        return;
    }
    if (b->dim == 3) {
        sp_build_contour_space(b, scope, plan, node);
        return;
    }
    if (sp_build_curve(b, scope, plan, node)) {
        return;
    }
    contour_plan c = {.node = node};
    sp_contour_numbers numbers = {.radius = 0.0};
    const int before = b->diag->n_error;
    if (!find_kind(&c)) {
        b->plan[plan].broken = true;
        return;
    }
    sp_build_vector(b, scope, sp_node_get(node, "at"), "at", sp_dim_of(1, 0, 0), c.at);
    sp_build_quantity(b, scope, sp_node_get(node, "turn"), "turn", sp_dim_of(0, 0, 0),
                      "an angle [rad]", &c.turn);
    sp_contour contour = {.kind = c.kind, .vertex = b->n_vertex};
    if (c.kind == SP_CONTOUR_SEGMENT || strcmp(c.value->key, "polygon") == 0) {
        contour.n_vertex = read_corners(b, scope, &c, c.value->key);
    } else if (c.kind == SP_CONTOUR_POLYGON) {
        contour.n_vertex = read_box(b, scope, &c);
    } else {
        contour.n_vertex = read_single(b, scope, &c, &numbers);
    }
    if (contour.n_vertex == 0) {
        b->plan[plan].broken = true;
        return;
    }
    double(*v)[2] = b->vertex + contour.vertex, tiny = 0.0;
    int hollow = SP_NONE;
    if (contour.n_vertex > 1 && c.kind == SP_CONTOUR_SEGMENT) {
        check_segment(b, scope, &c, v);
    } else if (contour.n_vertex > 2 && !c.bad) {
        contour.vertex_name =
            finish_polygon(b, scope, plan, &c, contour.n_vertex, v, &hollow, &tiny);
    } else if (c.kind == SP_CONTOUR_POINT && contour.n_vertex == 1) {
        sp_build_add_point(b, plan, node->key, (double[3]){v[0][0], v[0][1]}, NULL, NULL);
    }
    if (b->diag->n_error > before) {
        b->plan[plan].broken = true;
    }
    if (hollow != SP_NONE && contour.vertex_name) {
        add_pieces(b, scope, plan, &c, &contour, tiny);
        return;
    }
    sp_build_add_contour(b, plan, node->key, contour, &numbers);
}
