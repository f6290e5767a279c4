/* contact/manifold_hold.c - the touch of two given features, wherever they are, and how far it is
 * from their ends.   theory (28.1), (28.2) */
#include "contact/manifold_parts.h"

/* A feature of a core by its kind and number. */
typedef struct feature {
    sp_side_kind kind;
    int i;
} feature;

static feature feature_of(const sp_core *c, int number)
{
    const int edge = number - c->h->n_vertex, face = edge - c->h->n_edge;
    return edge < 0   ? (feature){SP_SIDE_CORNER, number}
           : face < 0 ? (feature){SP_SIDE_LINE, edge}
                      : (feature){SP_SIDE_FACE, face};
}

static sp_touch_side side_of(const sp_core *c, feature f)
{
    return f.kind == SP_SIDE_CORNER ? sp_core_corner_side(c, f.i)
           : f.kind == SP_SIDE_LINE ? sp_core_line_side(c, f.i)
                                    : sp_core_face_side(c, f.i);
}

/* A place of a feature: the corner, or the first corner of the edge. */
static sp_vec3 place_of(const sp_core *c, feature f)
{
    return sp_core_vertex(c, f.kind == SP_SIDE_CORNER ? f.i : c->h->edge[f.i][0]);
}

/* Foot of x on the line of edge e; *s: where on it, 0 to 1. */
static sp_vec3 foot_on_line(const sp_core *c, int e, sp_vec3 x, double *s)
{
    const sp_vec3 at = sp_core_vertex(c, c->h->edge[e][0]), u = sp_core_edge(c, e);
    *s = sp_inner3(u, sp_sub3(x, at)) / sp_inner3(u, u);
    return sp_axpy3(at, *s, u);
}

/* Mean of the outward normals beside an edge, zero of cores without faces. */
static sp_vec3 outward(const sp_core *c, int e)
{
    const int *f = c->h->edge_face[e];
    sp_vec3 n = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        n = c->h->n_face > 0 && f[k] >= 0 ? sp_add3(n, sp_core_normal(c, f[k])) : n;
    }
    return n;
}

/* Two points of the cores and n from b to a. */
typedef struct bridge {
    sp_vec3 n, x, y;
} bridge;

/* A corner over the plane of a face, seen from the side of the face: n, the corner, its foot. */
static bridge over_face(const sp_core *face, int f, sp_vec3 x)
{
    const sp_vec3 n = sp_core_normal(face, f);
    const double h = sp_inner3(n, sp_sub3(x, face->pose.x)) - face->h->offset[f];
    return (bridge){n, x, sp_axpy3(x, -h, n)};
}

/* Two edges: n along the product of both, out of b, or into a, or from b to a.  False if they are
 * parallel.   theory (21.8) */
static bool between_edges(const sp_cores *c, int i, int j, bridge *l)
{
    const sp_vec3 x = sp_core_vertex(&c->a, c->a.h->edge[i][0]), u = sp_core_edge(&c->a, i);
    const sp_vec3 y = sp_core_vertex(&c->b, c->b.h->edge[j][0]), v = sp_core_edge(&c->b, j);
    const sp_vec3 d = sp_cross3(u, v), out_a = outward(&c->a, i), out_b = outward(&c->b, j);
    const double size = sp_length3(d);
    double s, t;
    if (!(size > 1e-9 * sp_length3(u) * sp_length3(v))) {
        return false;
    }
    sp_lines_nearest(x, u, y, v, &s, &t);
    l->x = sp_axpy3(x, s, u);
    l->y = sp_axpy3(y, t, v);
    const sp_vec3 out = sp_inner3(out_b, out_b) > 0.0   ? out_b
                        : sp_inner3(out_a, out_a) > 0.0 ? sp_scale3(-1.0, out_a)
                                                        : sp_sub3(l->x, l->y);
    l->n = sp_scale3((sp_inner3(d, out) < 0.0 ? -1.0 : 1.0) / size, d);
    return true;
}

/* Corner and edge, or two corners: n from one point to the other; false if they are the same, or
 * sharp, which do not touch but by chance. */
static bool between_points(const sp_cores *c, feature a, feature b, bridge *l)
{
    double s;
    l->x = place_of(&c->a, a);
    l->y = place_of(&c->b, b);
    if (b.kind == SP_SIDE_LINE) {
        l->y = foot_on_line(&c->b, b.i, l->x, &s);
    } else if (a.kind == SP_SIDE_LINE) {
        l->x = foot_on_line(&c->a, a.i, l->y, &s);
    }
    const sp_vec3 d = sp_sub3(l->x, l->y);
    const double size = sp_length3(d);
    l->n = sp_scale3(size > 0.0 ? 1.0 / size : 0.0, d);
    return size > 0.0 && c->a.r + c->b.r > 0.0;
}

/* The points of two features and n; false where there are none, or such features do not touch. */
static bool bridge_of(const sp_cores *c, feature a, feature b, bridge *l)
{
    if (a.kind == SP_SIDE_CORNER && b.kind == SP_SIDE_FACE) {
        *l = over_face(&c->b, b.i, sp_core_vertex(&c->a, a.i));
        return true;
    }
    if (a.kind == SP_SIDE_FACE && b.kind == SP_SIDE_CORNER) {
        const bridge k = over_face(&c->a, a.i, sp_core_vertex(&c->b, b.i));
        *l = (bridge){sp_scale3(-1.0, k.n), k.y, k.x};
        return true;
    }
    if (a.kind == SP_SIDE_FACE || b.kind == SP_SIDE_FACE) {
        return false;
    }
    if (a.kind == SP_SIDE_LINE && b.kind == SP_SIDE_LINE) {
        return between_edges(c, a.i, b.i, l);
    }
    return between_points(c, a, b, l);
}

bool sp_touch_hold_of_cores(const sp_cores *c, int feature_a, int feature_b, sp_touch *touch)
{
    sp_touches list = {.touch = touch, .room = 1, .margin = INFINITY, .least = INFINITY};
    const feature a = feature_of(&c->a, feature_a), b = feature_of(&c->b, feature_b);
    bridge l;
    if (!bridge_of(c, a, b, &l)) {
        return false;
    }
    sp_touches_add(&list, c, l.n, l.x, l.y, side_of(&c->a, a), side_of(&c->b, b),
                   SP_CARRIED_BY_FEATURES);
    return list.n == 1;
}

/* ---- how far from the end -------------------------------------------------------------------- */

double sp_core_reach_on_face(const sp_core *c, int f, sp_vec3 x)
{
    const sp_hull *h = c->h;
    const sp_vec3 n = sp_core_normal(c, f);
    double least = INFINITY;
    for (int k = h->face[f]; k < h->face[f + 1]; k++) {
        const int next = k + 1 < h->face[f + 1] ? k + 1 : h->face[f];
        const sp_vec3 at = sp_core_vertex(c, h->corner[k]),
                      u = sp_sub3(sp_core_vertex(c, h->corner[next]), at);
        const double in = sp_inner3(sp_cross3(n, u), sp_sub3(x, at)) / sp_length3(u);
        least = in < least ? in : least;
    }
    return least;
}

/* Distance of a place on the line of an edge from its nearer end. */
static double reach_on_edge(const sp_core *c, int e, sp_vec3 x)
{
    double s;
    (void)foot_on_line(c, e, x, &s);
    return fmin(s, 1.0 - s) * sp_length3(sp_core_edge(c, e));
}

/* Distance of x beside an edge from being over one of its faces, whose foot is nearer then. */
static double reach_beside_edge(const sp_core *c, int e, sp_vec3 foot, sp_vec3 x)
{
    const int *f = c->h->edge_face[e];
    const sp_vec3 u = sp_core_edge(c, e);
    double least = INFINITY;
    for (int k = 0; k < 2 && c->h->n_face > 0; k++) {
        if (f[k] >= 0) { /* the first face is on the left: n x u points into it */
            const sp_vec3 in = sp_cross3(sp_core_normal(c, f[k]), u);
            const double over = sp_inner3(in, sp_sub3(x, foot)) / sp_length3(u);
            least = fmin(least, k == 0 ? -over : over);
        }
    }
    return least;
}

double sp_core_reach_about_corner(const sp_core *c, int i, sp_vec3 x)
{
    const sp_vec3 d = sp_sub3(x, sp_core_vertex(c, i));
    double least = INFINITY;
    for (int e = 0; e < c->h->n_edge; e++) {
        if (c->h->edge[e][0] == i || c->h->edge[e][1] == i) {
            const sp_vec3 u = sp_core_edge(c, e);
            const double along = sp_inner3(u, d) / sp_length3(u);
            least = fmin(least, c->h->edge[e][0] == i ? -along : along);
        }
    }
    return least;
}

/* Distance of one side f, which is met at y from x. */
static double reach_of_side(const sp_core *c, feature f, sp_vec3 y, sp_vec3 x, bool round)
{
    if (f.kind == SP_SIDE_FACE) {
        return sp_core_reach_on_face(c, f.i, y);
    }
    if (f.kind == SP_SIDE_LINE) {
        const double on = reach_on_edge(c, f.i, y);
        return round ? fmin(on, reach_beside_edge(c, f.i, y, x)) : on;
    }
    return round ? sp_core_reach_about_corner(c, f.i, x) : INFINITY;
}

double sp_touch_reach_of_cores(const sp_cores *c, const sp_touch *touch)
{
    const feature a = feature_of(&c->a, touch->side[0].feature),
                  b = feature_of(&c->b, touch->side[1].feature);
    /* points of the cores under the round skin; where one side is a point, its own end is said by
     * the other side */
    const sp_vec3 x = sp_axpy3(touch->point[0], c->a.r, touch->n),
                  y = sp_axpy3(touch->point[1], -c->b.r, touch->n);
    const bool points = a.kind != SP_SIDE_FACE && b.kind != SP_SIDE_FACE &&
                        !(a.kind == SP_SIDE_LINE && b.kind == SP_SIDE_LINE);
    return fmin(reach_of_side(&c->a, a, x, y, points), reach_of_side(&c->b, b, y, x, points));
}
