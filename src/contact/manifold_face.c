/* contact/manifold_face.c - what lies on a face, and edges that cross.   theory (21.7), (21.8) */
#include "contact/manifold_parts.h"

/* Edges that rise above a face with a larger sine do not lie on it. */
#define RISE 0.03

/* A convex polygon in space, of a face or of a core without faces. */
typedef struct polygon {
    int n, n_edge; /* a segment has one edge, a point none */
    sp_vec3 x[SP_HULL_CORNER_MAX];
    int vertex[SP_HULL_CORNER_MAX], edge[SP_HULL_CORNER_MAX];
    int face; /* -1: none */
    sp_vec3 n_out;
} polygon;

/* The side of a polygon from corner j on: unit direction, normal to the outside in its plane. */
typedef struct rail {
    sp_vec3 at, along, out;
    double length;
} rail;

static void polygon_of_face(const sp_core *c, int f, polygon *p)
{
    const sp_hull *h = c->h;
    p->n = p->n_edge = h->face[f + 1] - h->face[f];
    p->face = f;
    p->n_out = sp_core_normal(c, f);
    for (int k = 0; k < p->n; k++) {
        p->vertex[k] = h->corner[h->face[f] + k];
        p->edge[k] = h->corner_edge[h->face[f] + k];
        p->x[k] = sp_core_vertex(c, p->vertex[k]);
    }
}

/* The face at the lowest corner along n that faces against n most; of cores without faces all there
 * is. */
static void polygon_against(const sp_core *c, sp_vec3 n, polygon *p)
{
    const sp_hull *h = c->h;
    const int low = sp_hull_support(h, sp_rotate_back3(c->pose.R, sp_scale3(-1.0, n)));
    int best = -1;
    double least = INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        bool has = false;
        for (int k = h->face[f]; k < h->face[f + 1] && !has; k++) {
            has = h->corner[k] == low;
        }
        const double s = has ? sp_inner3(n, sp_core_normal(c, f)) : INFINITY;
        if (s < least) {
            least = s;
            best = f;
        }
    }
    if (best >= 0) {
        polygon_of_face(c, best, p);
        return;
    }
    p->n = h->n_vertex;
    p->n_edge = h->n_edge;
    p->face = -1;
    for (int k = 0; k < p->n; k++) {
        p->x[k] = sp_core_vertex(c, k);
        p->vertex[k] = k;
        p->edge[k] = 0;
    }
}

/* Seen along `up`, around which the polygon goes counter-clockwise. */
static rail rail_of(const polygon *p, int j, sp_vec3 up)
{
    const sp_vec3 d = sp_sub3(p->x[j + 1 < p->n ? j + 1 : 0], p->x[j]);
    rail r = {.at = p->x[j], .length = sp_length3(d)};
    r.along = sp_scale3(1.0 / r.length, d);
    const sp_vec3 out = sp_cross3(r.along, up);
    r.out = sp_scale3(1.0 / sp_length3(out), out);
    return r;
}

/* Everything that happens on one face: ref has it, inc comes down on it. */
typedef struct scene {
    const sp_cores *c;
    const sp_core *ref, *inc;
    bool ref_is_b;
    polygon face, on;
    sp_vec3 n; /* of the face */
    sp_touches *list;
} scene;

/* A touch with x on inc and y on ref, n from ref to inc. */
static void add(scene *s, sp_vec3 n, sp_vec3 x, sp_vec3 y, sp_touch_side side_inc,
                sp_touch_side side_ref, bool carried)
{
    if (s->ref_is_b) {
        sp_touches_add(s->list, s->c, n, x, y, side_inc, side_ref,
                       carried ? SP_CARRIED_BY_B : SP_CARRIED_BY_FEATURES);
    } else {
        sp_touches_add(s->list, s->c, sp_scale3(-1.0, n), y, x, side_ref, side_inc,
                       carried ? SP_CARRIED_BY_A : SP_CARRIED_BY_FEATURES);
    }
}

/* Largest distance outside the sides of a polygon, seen along up. */
static double outside(const polygon *p, sp_vec3 up, sp_vec3 x)
{
    double most = -INFINITY;
    for (int j = 0; j < p->n_edge; j++) {
        const rail r = rail_of(p, j, up);
        const double d = sp_inner3(r.out, sp_sub3(x, r.at));
        most = d > most ? d : most;
    }
    return most;
}

/* Corners of inc over the face. */
static void corners_over_face(scene *s)
{
    for (int i = 0; i < s->on.n; i++) {
        const sp_vec3 x = s->on.x[i];
        if (outside(&s->face, s->n, x) <= s->c->tol) {
            const double h = sp_inner3(s->n, sp_sub3(x, s->face.x[0]));
            add(s, s->n, x, sp_axpy3(x, -h, s->n), sp_core_corner_side(s->inc, s->on.vertex[i]),
                sp_core_face_side(s->ref, s->face.face), false);
        }
    }
}

/* Edge i of inc crosses side j of the face: along the product of both where that is nearly the
 * normal of the face, else along that.   theory (21.8) */
static void cross(scene *s, int i, const rail *r, int j)
{
    const sp_vec3 p = s->on.x[i], q = s->on.x[i + 1 < s->on.n ? i + 1 : 0], d = sp_sub3(q, p);
    const double from = sp_inner3(r->out, sp_sub3(p, r->at)),
                 to = sp_inner3(r->out, sp_sub3(q, r->at)), tol = s->c->tol;
    if (!((from > tol && to < -tol) || (from < -tol && to > tol))) {
        return;
    }
    const sp_vec3 x = sp_axpy3(p, from / (from - to), d);
    const double along = sp_inner3(r->along, sp_sub3(x, r->at));
    if (along <= tol || along >= r->length - tol) {
        return;
    }
    const sp_touch_side side_inc = sp_core_line_side(s->inc, s->on.edge[i]),
                        side_ref = sp_core_line_side(s->ref, s->face.edge[j]);
    const sp_vec3 c = sp_cross3(d, r->along);
    const double size = sp_length3(c), up = sp_inner3(c, s->n);
    if (fabs(up) > SP_LIES_ON * size) {
        double a, b;
        sp_lines_nearest(p, d, r->at, r->along, &a, &b);
        if (a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= r->length) {
            add(s, sp_scale3((up > 0.0 ? 1.0 : -1.0) / size, c), sp_axpy3(p, a, d),
                sp_axpy3(r->at, b, r->along), side_inc, side_ref, false);
            return;
        }
    }
    if (fabs(sp_inner3(d, s->n)) <= RISE * sp_length3(d)) {
        const double h = sp_inner3(s->n, sp_sub3(x, r->at));
        add(s, s->n, x, sp_axpy3(x, -h, s->n), side_inc, side_ref, true);
    }
}

/* Corners of the face under a face of inc that lies on it. */
static void corners_under_face(scene *s)
{
    if (s->on.face < 0 || sp_inner3(s->n, s->on.n_out) > -SP_LIES_ON) {
        return;
    }
    for (int j = 0; j < s->face.n; j++) {
        const sp_vec3 y = s->face.x[j];
        if (!(outside(&s->on, s->on.n_out, y) <= s->c->tol)) {
            continue;
        }
        bool taken = false; /* by a corner of inc in the same place */
        for (int i = 0; i < s->on.n && !taken; i++) {
            const sp_vec3 d = sp_sub3(s->on.x[i], y);
            taken = sp_length3(sp_axpy3(d, -sp_inner3(d, s->n), s->n)) <= 2.0 * s->c->tol &&
                    outside(&s->face, s->n, s->on.x[i]) <= s->c->tol;
        }
        if (!taken) {
            const double h = sp_inner3(s->on.n_out, sp_sub3(y, s->on.x[0]));
            add(s, sp_scale3(-1.0, s->on.n_out), sp_axpy3(y, -h, s->on.n_out), y,
                sp_core_face_side(s->inc, s->on.face),
                sp_core_corner_side(s->ref, s->face.vertex[j]), false);
        }
    }
}

void sp_touches_on_face(const sp_cores *c, bool ref_is_b, int f, sp_touches *list)
{
    scene s = {.c = c, .ref_is_b = ref_is_b, .list = list};
    s.ref = ref_is_b ? &c->b : &c->a;
    s.inc = ref_is_b ? &c->a : &c->b;
    polygon_of_face(s.ref, f, &s.face);
    s.n = s.face.n_out;
    polygon_against(s.inc, s.n, &s.on);
    corners_over_face(&s);
    for (int j = 0; j < s.face.n; j++) {
        const rail r = rail_of(&s.face, j, s.n);
        for (int i = 0; i < s.on.n_edge; i++) {
            cross(&s, i, &r, j);
        }
    }
    corners_under_face(&s);
}

void sp_touches_of_corners(const sp_cores *c, int f, sp_touches *list)
{
    polygon p;
    polygon_of_face(&c->b, f, &p);
    for (int i = 0; i < c->a.h->n_vertex; i++) {
        const sp_vec3 x = sp_core_vertex(&c->a, i);
        const double h = sp_inner3(p.n_out, sp_sub3(x, p.x[0]));
        if (outside(&p, p.n_out, x) <= c->tol) {
            sp_touches_add(list, c, p.n_out, x, sp_axpy3(x, -h, p.n_out),
                           sp_core_corner_side(&c->a, i), sp_core_face_side(&c->b, f),
                           SP_CARRIED_BY_FEATURES);
        }
    }
}

void sp_touches_of_edges(const sp_cores *c, const sp_axis *axis, sp_touches *list)
{
    const sp_vec3 x = sp_core_vertex(&c->a, c->a.h->edge[axis->i][0]),
                  u = sp_core_edge(&c->a, axis->i);
    const sp_vec3 y = sp_core_vertex(&c->b, c->b.h->edge[axis->j][0]),
                  v = sp_core_edge(&c->b, axis->j);
    double s, t;
    sp_lines_nearest(x, u, y, v, &s, &t);
    sp_touches_add(list, c, axis->n, sp_axpy3(x, s, u), sp_axpy3(y, t, v),
                   sp_core_line_side(&c->a, axis->i), sp_core_line_side(&c->b, axis->j),
                   SP_CARRIED_BY_FEATURES);
}
