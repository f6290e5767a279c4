/* contact/edges.c - polygons and segments: edges and corners near a place.   theory section 4 */
#include "contact/edges.h"

#include <math.h>

#define TIE    1e-12 /* edges whose distances differ by less are equally near, m               */
#define BURIED 0.01  /* of its length: so deep under an edge a place has not come over it       */

sp_edge sp_edge_of(const sp_contour *c, const sp_vec *vertex, int j)
{
    sp_edge e;
    const sp_vec *v = vertex + c->vertex;
    e.from = v[j];
    const sp_vec d = sp_sub(v[j + 1 < c->n_vertex ? j + 1 : 0], v[j]);
    e.length = sp_length(d);
    e.along = sp_scale(1.0 / e.length, d);
    e.n = sp_right_of(e.along);
    if (c->kind == SP_CONTOUR_SEGMENT) { /* material on the right, normal to the left */
        e.n = sp_scale(-1.0, e.n);
    }
    return e;
}

sp_probe sp_probe_of(const sp_contour *c, const sp_vec *vertex, int a, double radius, int hint)
{
    sp_probe p = {.of = c, .x = vertex[a], .hint = hint};
    const bool edged = c->kind == SP_CONTOUR_POLYGON || c->kind == SP_CONTOUR_SEGMENT;
    if (edged && radius == 0.0) {
        const int n = c->n_vertex, j = a - c->vertex;
        const sp_vec *v = vertex + c->vertex;
        const sp_vec from[2] = {sp_sub(v[j], v[(j + 1) % n]), sp_sub(v[j], v[(j + n - 1) % n])};
        p.corner = true;
        p.side[0] = from[0];
        p.side[1] = from[1];
        if (c->kind == SP_CONTOUR_SEGMENT) {
            const sp_edge e = sp_edge_of(c, vertex, 0);
            p.side[1] = sp_scale(e.length, e.n);
        }
    }
    return p;
}

/* By how much more than it may a neighbour of a corner that is d over an edge with normal n is
 * deeper than it: more than round-off, and than what came under the edge with it.  Such a corner
 * cannot touch the edge.   theory (4.1a) */
static double leans(const sp_probe *p, sp_vec n, double d)
{
    const double deeper = fmax(sp_inner(n, p->side[0]), sp_inner(n, p->side[1]));
    return deeper - SP_BESIDE - fmax(0.0, -d);
}

/* The corner that is nearest to a place. */
static sp_edges_at nearest_corner(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    sp_edges_at best = {c->n_vertex, INFINITY, false};
    for (int j = 0; j < c->n_vertex; j++) {
        const double d = sp_length(sp_sub(x, vertex[c->vertex + j]));
        if (d < best.distance) {
            best = (sp_edges_at){c->n_vertex + j, d, false};
        }
    }
    return best;
}

/* What is behind the strip of a segment is not inside it. */
static sp_edges_at nearest_on_segment(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    const sp_edge e = sp_edge_of(c, vertex, 0);
    const sp_vec r = sp_sub(x, e.from);
    const double d = sp_inner(e.n, r), s = sp_inner(e.along, r);
    if (s >= 0.0 && s <= e.length && d >= -SP_STRIP * e.length) {
        return (sp_edges_at){0, d, false};
    }
    return nearest_corner(c, vertex, x);
}

/* The nearest edge that a place outside lies over, else the nearest corner. */
static sp_edges_at nearest_outside(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    sp_edges_at face = {SP_NONE, INFINITY, false};
    for (int j = 0; j < c->n_vertex; j++) {
        const sp_edge e = sp_edge_of(c, vertex, j);
        const sp_vec r = sp_sub(x, e.from);
        const double d = sp_inner(e.n, r), s = sp_inner(e.along, r);
        if (d > 0.0 && s >= 0.0 && s <= e.length && d < face.distance) {
            face = (sp_edges_at){j, d, false};
        }
    }
    return face.feature != SP_NONE ? face : nearest_corner(c, vertex, x);
}

/* The edge that is nearest to the surface from inside, else what is nearest from outside. */
static sp_edges_at nearest_on_polygon(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    sp_edges_at deepest = {0, -INFINITY, false};
    for (int j = 0; j < c->n_vertex; j++) {
        const sp_edge e = sp_edge_of(c, vertex, j);
        const double d = sp_inner(e.n, sp_sub(x, e.from));
        if (d > deepest.distance + TIE) {
            deepest = (sp_edges_at){j, d, false};
        }
    }
    return deepest.distance <= TIE ? deepest : nearest_outside(c, vertex, x);
}

/* The nearest feature, whatever the place can touch. */
static sp_edges_at nearest_feature(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    return c->kind == SP_CONTOUR_SEGMENT ? nearest_on_segment(c, vertex, x)
                                         : nearest_on_polygon(c, vertex, x);
}

/* Whether a place is over an edge, or beside it by no more than a corner may. */
static bool is_over(const sp_edge *e, sp_vec x)
{
    const double s = sp_inner(e->along, sp_sub(x, e->from));
    return s >= -SP_BESIDE && s <= e->length + SP_BESIDE;
}

/* The edge that parts a corner from b most, of those that it faces; of two equally far ones that
 * which it points at most.  But a corner that came in over an edge stays under that edge, however
 * near another is: one that lands close to an end has not come from the side.  n_level: how many of
 * them it is level with.   theory (4.1b) */
static sp_edges_at parting_edge(const sp_contour *c, const sp_vec *vertex, const sp_probe *p,
                                int *n_level)
{
    sp_edges_at most = {SP_NONE, -INFINITY, false}, came = {SP_NONE, 0.0, false};
    double facing = INFINITY, others = -INFINITY;
    *n_level = 0;
    const int n_edge = c->kind == SP_CONTOUR_SEGMENT ? 1 : c->n_vertex;
    for (int j = 0; j < n_edge; j++) {
        const sp_edge e = sp_edge_of(c, vertex, j);
        const double d = sp_inner(e.n, sp_sub(p->x, e.from));
        const double away = sp_inner(e.n, sp_add(p->side[0], p->side[1]));
        if (leans(p, e.n, d) > 0.0) {
            continue;
        }
        if (j + 1 == p->hint && d <= SP_BESIDE && d > -e.length && is_over(&e, p->x)) {
            came = (sp_edges_at){j, d, false};
        } else {
            others = d > others ? d : others;
        }
        *n_level += fabs(d) <= SP_BESIDE;
        if (d > most.distance + TIE || (d >= most.distance - TIE && away < facing)) {
            most = (sp_edges_at){j, d, false};
            facing = away;
        }
    }
    return came.feature != SP_NONE && others < -SP_BESIDE ? came : most;
}

/* How deep two contours are in each other along the best axis, at most `depth`; a segment knows no
 * better. */
static double overlap(const sp_contour *a, const sp_contour *b, const sp_vec *vertex, double depth)
{
    if (a->kind != SP_CONTOUR_POLYGON || b->kind != SP_CONTOUR_POLYGON) {
        return depth;
    }
    return -fmax(sp_edges_separation(a, b, vertex), sp_edges_separation(b, a, vertex));
}

/* Whether a corner is under an edge that it faces: over its length, and if another edge is nearer,
 * no deeper than the two contours are in each other. */
static bool is_under(const sp_contour *c, const sp_vec *vertex, const sp_probe *p, sp_edges_at part,
                     sp_edges_at any)
{
    if (part.feature == SP_NONE) {
        return false;
    }
    const sp_edge e = sp_edge_of(c, vertex, part.feature);
    if (part.feature == any.feature || part.feature + 1 == p->hint ||
        part.distance >= any.distance - SP_BESIDE) {
        return is_over(&e, p->x);
    }
    const double deep = overlap(p->of, c, vertex, BURIED * e.length);
    return is_over(&e, p->x) && -part.distance <= 2.0 * deep + SP_BESIDE;
}

/* The least gap of a corner that cannot touch; a corner that only begins to lean away from the edge
 * below it has no jump in its gap. */
static double apart(const sp_contour *c, const sp_vec *vertex, const sp_probe *p, sp_edges_at any)
{
    if (any.feature >= c->n_vertex) {
        return SP_BESIDE;
    }
    const double lean = leans(p, sp_edge_of(c, vertex, any.feature).n, any.distance);
    return lean > 0.0 ? fmin(lean, SP_BESIDE) : SP_BESIDE;
}

/* The gap of a corner: over the edge that it faces; beside it, a corner cannot touch, however near
 * it is to what it does not face: a box slides over the end of a table.   theory (4.1b) */
static sp_edges_at nearest_to_corner(const sp_contour *c, const sp_vec *vertex, const sp_probe *p)
{
    int n_level;
    const sp_edges_at any = nearest_feature(c, vertex, p->x);
    const sp_edges_at part = parting_edge(c, vertex, p, &n_level);
    const bool buried = c->kind == SP_CONTOUR_SEGMENT && any.feature == 0 && part.feature == 0 &&
                        any.distance < -BURIED * sp_edge_of(c, vertex, 0).length;
    if (any.distance > SP_BESIDE || buried) { /* apart, or inside */
        return any;
    }
    if (n_level < 2 && is_under(c, vertex, p, part, any)) {
        return part;
    }
    const double least = apart(c, vertex, p, any);
    if (any.distance > least) {
        return any;
    }
    return (sp_edges_at){part.feature != SP_NONE ? part.feature : any.feature, least, true};
}

/* The nearest feature of a place that is no corner; one that came in over an edge stays under it.
 */
static sp_edges_at nearest_to_place(const sp_contour *c, const sp_vec *vertex, const sp_probe *p)
{
    const sp_edges_at any = nearest_feature(c, vertex, p->x);
    if (c->kind == SP_CONTOUR_SEGMENT || p->hint == 0 || any.distance > SP_BESIDE) {
        return any;
    }
    const sp_edge e = sp_edge_of(c, vertex, p->hint - 1);
    const double d = sp_inner(e.n, sp_sub(p->x, e.from));
    return d <= 0.0 && d > -e.length && is_over(&e, p->x) ? (sp_edges_at){p->hint - 1, d, false}
                                                          : any;
}

sp_edges_at sp_edges_held(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature)
{
    if (feature >= c->n_vertex) {
        const sp_vec corner = vertex[c->vertex + feature - c->n_vertex];
        return (sp_edges_at){feature, sp_length(sp_sub(x, corner)), false};
    }
    const sp_edge e = sp_edge_of(c, vertex, feature);
    return (sp_edges_at){feature, sp_inner(e.n, sp_sub(x, e.from)), false};
}

sp_edges_at sp_edges_nearest(const sp_contour *c, const sp_vec *vertex, const sp_probe *p)
{
    return p->corner ? nearest_to_corner(c, vertex, p) : nearest_to_place(c, vertex, p);
}

double sp_edges_reach(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature)
{
    const int n = c->n_vertex, corner = feature - n;
    if (corner < 0) {
        const sp_edge e = sp_edge_of(c, vertex, feature);
        const double s = sp_inner(e.along, sp_sub(x, e.from));
        return fmin(s, e.length - s);
    }
    double least = INFINITY;
    if (c->kind == SP_CONTOUR_POLYGON || corner == 1) { /* behind the edge that ends there */
        const sp_edge e = sp_edge_of(c, vertex, (corner + n - 1) % n);
        least = sp_inner(e.along, sp_sub(x, e.from)) - e.length;
    }
    if (c->kind == SP_CONTOUR_POLYGON || corner == 0) { /* before the one that begins there */
        const sp_edge e = sp_edge_of(c, vertex, corner);
        least = fmin(least, -sp_inner(e.along, sp_sub(x, e.from)));
    }
    return least;
}

int sp_edges_next(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature)
{
    const int n = c->n_vertex, corner = feature - n;
    if (corner < 0) {
        const sp_edge e = sp_edge_of(c, vertex, feature);
        const bool begin = 2.0 * sp_inner(e.along, sp_sub(x, e.from)) < e.length;
        return n + (begin ? feature : (feature + 1) % n);
    }
    if (c->kind == SP_CONTOUR_SEGMENT) {
        return 0;
    }
    const sp_edge e = sp_edge_of(c, vertex, corner);
    return sp_inner(e.along, sp_sub(x, e.from)) >= 0.0 ? corner : (corner + n - 1) % n;
}

double sp_edges_separation(const sp_contour *a, const sp_contour *b, const sp_vec *vertex)
{
    double most = -INFINITY;
    for (int j = 0; j < a->n_vertex; j++) {
        const sp_edge e = sp_edge_of(a, vertex, j);
        double least = INFINITY;
        for (int k = 0; k < b->n_vertex; k++) {
            const double d = sp_inner(e.n, sp_sub(vertex[b->vertex + k], e.from));
            least = d < least ? d : least;
        }
        most = least > most ? least : most;
    }
    return most;
}
