/* contact/manifold_near.c - nearest points of cores that are apart: all pairs of features whose
 * common normal meets both inside.   theory (21.9) */
#include "contact/manifold_parts.h"

/* Pairs that are this part farther than the nearest are equally near. */
#define EQUALLY 1e-9

/* A pass over all pairs: first for the distance, then for those that have it. */
typedef struct pass {
    const sp_cores *c;
    sp_touches *list; /* NULL: the first pass */
    double least2;    /* square of the distance */
    double most2;     /* second pass: what is near enough */
    sp_vec3 *n;
    int found;
} pass;

/* One pair with x on a and y on b. */
static bool wanted(pass *p, sp_vec3 x, sp_vec3 y)
{
    const sp_vec3 d = sp_sub3(x, y);
    const double d2 = sp_inner3(d, d);
    if (!p->list) {
        p->least2 = d2 < p->least2 ? d2 : p->least2;
        return false;
    }
    return d2 <= p->most2;
}

static void add(pass *p, sp_vec3 x, sp_vec3 y, sp_touch_side side_a, sp_touch_side side_b)
{
    const sp_vec3 d = sp_sub3(x, y);
    const double l = sp_length3(d);
    const sp_vec3 n = l > 0.0 ? sp_scale3(1.0 / l, d) : (sp_vec3){0.0, 0.0, 1.0};
    if (p->found++ == 0) {
        *p->n = n;
    }
    sp_touches_add(p->list, p->c, n, x, y, side_a, side_b, SP_CARRIED_BY_FEATURES);
}

/* Where the foot of x is on an edge; false if it is not well inside. */
static bool foot_on_edge(const sp_core *c, int e, sp_vec3 x, double tol, sp_vec3 *y)
{
    const sp_vec3 at = sp_core_vertex(c, c->h->edge[e][0]), u = sp_core_edge(c, e);
    const double uu = sp_inner3(u, u), s = sp_inner3(u, sp_sub3(x, at)) / uu;
    const double edge = tol / sqrt(uu);
    *y = sp_axpy3(at, s, u);
    return s > edge && s < 1.0 - edge;
}

/* Whether a place in front of face f is over it, and its foot there. */
static bool foot_on_face(const sp_core *c, int f, sp_vec3 x, double tol, sp_vec3 *y)
{
    const sp_hull *h = c->h;
    const sp_vec3 n = sp_core_normal(c, f);
    const double height = sp_inner3(n, sp_sub3(x, c->pose.x)) - h->offset[f];
    if (!(height >= 0.0)) {
        return false;
    }
    for (int k = h->face[f]; k < h->face[f + 1]; k++) {
        const int next = k + 1 < h->face[f + 1] ? k + 1 : h->face[f];
        const sp_vec3 at = sp_core_vertex(c, h->corner[k]),
                      u = sp_sub3(sp_core_vertex(c, h->corner[next]), at);
        const double out = sp_inner3(sp_cross3(u, n), sp_sub3(x, at));
        if (!(out < -tol * sp_length3(u))) {
            return false;
        }
    }
    *y = sp_axpy3(x, -height, n);
    return true;
}

/* Corners of a against corners, edges and faces of b. */
static void corners_of_a(pass *p)
{
    const sp_core *a = &p->c->a, *b = &p->c->b;
    sp_vec3 y;
    for (int i = 0; i < a->h->n_vertex; i++) {
        const sp_vec3 x = sp_core_vertex(a, i);
        for (int j = 0; j < b->h->n_vertex; j++) {
            y = sp_core_vertex(b, j);
            if (wanted(p, x, y)) {
                add(p, x, y, sp_core_corner_side(a, i), sp_core_corner_side(b, j));
            }
        }
        for (int e = 0; e < b->h->n_edge; e++) {
            if (foot_on_edge(b, e, x, p->c->tol, &y) && wanted(p, x, y)) {
                add(p, x, y, sp_core_corner_side(a, i), sp_core_line_side(b, e));
            }
        }
        for (int f = 0; f < b->h->n_face; f++) {
            if (foot_on_face(b, f, x, p->c->tol, &y) && wanted(p, x, y)) {
                add(p, x, y, sp_core_corner_side(a, i), sp_core_face_side(b, f));
            }
        }
    }
}

/* Corners of b against edges and faces of a. */
static void corners_of_b(pass *p)
{
    const sp_core *a = &p->c->a, *b = &p->c->b;
    sp_vec3 x;
    for (int j = 0; j < b->h->n_vertex; j++) {
        const sp_vec3 y = sp_core_vertex(b, j);
        for (int e = 0; e < a->h->n_edge; e++) {
            if (foot_on_edge(a, e, y, p->c->tol, &x) && wanted(p, x, y)) {
                add(p, x, y, sp_core_line_side(a, e), sp_core_corner_side(b, j));
            }
        }
        for (int f = 0; f < a->h->n_face; f++) {
            if (foot_on_face(a, f, y, p->c->tol, &x) && wanted(p, x, y)) {
                add(p, x, y, sp_core_face_side(a, f), sp_core_corner_side(b, j));
            }
        }
    }
}

/* Edges against edges that are not parallel: of those, corners are as near. */
static void edges(pass *p)
{
    const sp_core *a = &p->c->a, *b = &p->c->b;
    for (int i = 0; i < a->h->n_edge; i++) {
        const sp_vec3 x = sp_core_vertex(a, a->h->edge[i][0]), u = sp_core_edge(a, i);
        const double uu = sp_inner3(u, u);
        for (int j = 0; j < b->h->n_edge; j++) {
            const sp_vec3 y = sp_core_vertex(b, b->h->edge[j][0]), v = sp_core_edge(b, j);
            const sp_vec3 c = sp_cross3(u, v);
            const double vv = sp_inner3(v, v), tol = p->c->tol;
            double s, t;
            if (!(sp_inner3(c, c) > 1e-12 * uu * vv)) {
                continue;
            }
            sp_lines_nearest(x, u, y, v, &s, &t);
            const double edge_s = tol / sqrt(uu), edge_t = tol / sqrt(vv);
            const sp_vec3 on_a = sp_axpy3(x, s, u), on_b = sp_axpy3(y, t, v);
            if (s > edge_s && s < 1.0 - edge_s && t > edge_t && t < 1.0 - edge_t &&
                wanted(p, on_a, on_b)) {
                add(p, on_a, on_b, sp_core_line_side(a, i), sp_core_line_side(b, j));
            }
        }
    }
}

double sp_touches_nearest(const sp_cores *c, sp_touches *list, sp_vec3 *n)
{
    pass p = {.c = c, .least2 = INFINITY, .n = n};
    corners_of_a(&p);
    corners_of_b(&p);
    edges(&p);
    const double least = sqrt(p.least2), most = least * (1.0 + EQUALLY) + 1e-3 * c->tol;
    p.list = list;
    p.most2 = most * most;
    corners_of_a(&p);
    corners_of_b(&p);
    edges(&p);
    return least;
}
