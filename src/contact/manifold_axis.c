/* contact/manifold_axis.c - axes that separate two convex cores.   theory (21.6) */
#include "contact/manifold_parts.h"

/* Edges with a smaller sine of the angle between them count as parallel. */
#define PARALLEL 1e-6

double sp_core_lowest(const sp_core *c, sp_vec3 n)
{
    const sp_vec3 own = sp_rotate_back3(c->pose.R, n);
    double least = INFINITY;
    for (int i = 0; i < c->h->n_vertex; i++) {
        const double s = sp_inner3(own, c->h->vertex[i]);
        least = s < least ? s : least;
    }
    return least + sp_inner3(n, c->pose.x);
}

/* How far `other` is in front of face f. */
static double over_face(const sp_core *c, int f, const sp_core *other, sp_vec3 n)
{
    return sp_core_lowest(other, n) - c->h->offset[f] - sp_inner3(n, c->pose.x);
}

/* A triangle of a surface pushes to its front only. */
static bool is_behind(const sp_cores *c, sp_vec3 n)
{
    return c->b.h->n_face == 1 && sp_inner3(n, sp_core_normal(&c->b, 0)) < 0.0;
}

/* The best face of b, or of a if that is better by more than the tolerance. */
static void find_face(const sp_cores *c, double enough, sp_axis *best, double *hidden)
{
    *best = (sp_axis){.kind = SP_AXIS_NONE, .s = -INFINITY};
    for (int f = 0; f < c->b.h->n_face; f++) {
        const sp_vec3 n = sp_core_normal(&c->b, f);
        const double s = over_face(&c->b, f, &c->a, n);
        if (s > best->s) {
            *best = (sp_axis){SP_AXIS_FACE_B, f, 0, s, n};
        }
        if (best->s > enough) {
            return;
        }
    }
    sp_axis of_a = {.s = -INFINITY};
    for (int f = 0; f < c->a.h->n_face; f++) {
        const sp_vec3 n = sp_core_normal(&c->a, f), back = sp_scale3(-1.0, n);
        const double s = over_face(&c->a, f, &c->b, n);
        if (is_behind(c, back)) {
            *hidden = fmax(*hidden, s);
        } else if (s > of_a.s) {
            of_a = (sp_axis){SP_AXIS_FACE_A, f, 0, s, back};
        }
        if (of_a.s > enough) {
            break;
        }
    }
    if (of_a.s > best->s + (best->kind == SP_AXIS_NONE ? 0.0 : c->tol)) {
        *best = of_a;
    }
}

/* Normals on both sides of an edge of a, and its direction: the arc that it is on the unit sphere.
 */
typedef struct arc {
    sp_vec3 n[2], u;
} arc;

/* As another core sees it that is turned by R against the first one. */
static arc arc_of(const sp_hull *h, int e, sp_rot3 R)
{
    const int *f = h->edge_face[e], *v = h->edge[e];
    return (arc){{sp_rotate3(R, h->normal[f[0]]), sp_rotate3(R, h->normal[f[1]])},
                 sp_rotate3(R, sp_sub3(h->vertex[v[1]], h->vertex[v[0]]))};
}

/* Whether the arc of an edge of a and the opposite of that of edge j cross: then their product is
 * the normal of a face of a - b. */
static bool arcs_cross(const arc *a, const sp_hull *h, int j, sp_vec3 v)
{
    const int *face = h->edge_face[j];
    const double c = -sp_inner3(h->normal[face[0]], a->u), d = -sp_inner3(h->normal[face[1]], a->u);
    if (!(c * d < 0.0)) {
        return false;
    }
    const double e = sp_inner3(a->n[0], v), f = sp_inner3(a->n[1], v);
    return e * f < 0.0 && c * f > 0.0;
}

/* u x v of unit length; false if they are parallel. */
static bool product(sp_vec3 u, sp_vec3 v, sp_vec3 *n)
{
    const sp_vec3 d = sp_cross3(u, v);
    const double l2 = sp_inner3(d, d);
    if (!(l2 > PARALLEL * PARALLEL * sp_inner3(u, u) * sp_inner3(v, v))) {
        return false;
    }
    *n = sp_scale3(1.0 / sqrt(l2), d);
    return true;
}

static void offer(const sp_cores *c, int i, int j, double s, sp_vec3 n, sp_axis *best,
                  double *hidden)
{
    if (is_behind(c, n)) {
        *hidden = fmax(*hidden, s);
    } else if (s > best->s) {
        *best = (sp_axis){SP_AXIS_EDGES, i, j, s, n};
    }
}

/* Edges of two polytopes: only those whose arcs cross. */
static void find_edges(const sp_cores *c, sp_axis *best, double *hidden)
{
    const sp_vec3 middle = sp_pose3_place(&c->a.pose, c->a.h->center);
    const sp_rot3 R = sp_rot3_mul_back(c->b.pose.R, c->a.pose.R);
    const sp_hull *h = c->b.h;
    for (int i = 0; i < c->a.h->n_edge; i++) {
        const arc a = arc_of(c->a.h, i, R);
        const sp_vec3 x = sp_core_vertex(&c->a, c->a.h->edge[i][0]);
        for (int j = 0; j < h->n_edge; j++) {
            const sp_vec3 v = sp_sub3(h->vertex[h->edge[j][1]], h->vertex[h->edge[j][0]]);
            sp_vec3 n;
            if (!arcs_cross(&a, h, j, v) || !product(a.u, v, &n)) {
                continue;
            }
            n = sp_rotate3(c->b.pose.R, n);
            n = sp_inner3(n, sp_sub3(x, middle)) > 0.0 ? sp_scale3(-1.0, n) : n;
            const sp_vec3 y = sp_core_vertex(&c->b, c->b.h->edge[j][0]);
            offer(c, i, j, sp_inner3(n, sp_sub3(x, y)), n, best, hidden);
        }
    }
}

/* Edges of cores that have no faces on both sides of them: all corners are looked at. */
static void find_edges_by_corners(const sp_cores *c, sp_axis *best, double *hidden)
{
    for (int i = 0; i < c->a.h->n_edge; i++) {
        for (int j = 0; j < c->b.h->n_edge; j++) {
            sp_vec3 n;
            if (!product(sp_core_edge(&c->a, i), sp_core_edge(&c->b, j), &n)) {
                continue;
            }
            for (int side = 0; side < 2; side++) {
                const sp_vec3 back = sp_scale3(-1.0, n);
                const double s = sp_core_lowest(&c->a, n) + sp_core_lowest(&c->b, back);
                const sp_vec3 x = sp_core_vertex(&c->a, c->a.h->edge[i][0]),
                              y = sp_core_vertex(&c->b, c->b.h->edge[j][0]);
                /* the two edges must be those that are in front */
                if (fabs(sp_inner3(n, sp_sub3(x, y)) - s) <= c->tol) {
                    offer(c, i, j, s, n, best, hidden);
                }
                n = back;
            }
        }
    }
}

double sp_axis_find(const sp_cores *c, double enough, sp_axis *face, sp_axis *best)
{
    double hidden = -INFINITY;
    find_face(c, enough, face, &hidden);
    *best = *face;
    if (face->s > enough) {
        return hidden;
    }
    sp_axis edges = {.kind = SP_AXIS_NONE, .s = -INFINITY};
    if (c->a.h->n_face >= 4 && c->b.h->n_face >= 4) {
        find_edges(c, &edges, &hidden);
    } else {
        find_edges_by_corners(c, &edges, &hidden);
    }
    if (edges.s > best->s + (best->kind == SP_AXIS_NONE ? 0.0 : c->tol)) {
        *best = edges;
    }
    return hidden;
}
