/* contact/manifold_mesh.c - touches with the triangles of a mesh.   theory (21.17)-(21.19) */
#include "contact/broad.h"
#include "contact/manifold_parts.h"

/* Neighbours that rise above a touched edge or corner with a larger sine than this are what is
 * touched, not it; edges whose other side falls by less are no edges. */
#define LEVEL 1e-6

#define POINT_DEPTH 0.1

enum { TOUCHES = 2 * SP_HULL_CORNER_MAX };

/* A mesh in its pose, seen from its own frame. */
typedef struct scene {
    const sp_trimesh *mesh;
    sp_vec3 n; /* of the touch looked at, in the mesh's frame */
} scene;

/* Sine of the angle by which corner w rises above corner v along n. */
static double rise(const scene *s, int v, int w)
{
    const sp_vec3 d = sp_sub3(s->mesh->vertex[w], s->mesh->vertex[v]);
    return sp_inner3(s->n, d) / sp_length3(d);
}

/* The corner of triangle t that is not on edge e. */
static int opposite(const sp_trimesh *mesh, int t, int e)
{
    int k = 0;
    while (mesh->tri_edge[t][k] != e) {
        k++;
    }
    return mesh->tri[t][(k + 2) % 3];
}

/* Sine of the angle by which the corner opposite of an edge rises above it along n. */
static double rise_across(const scene *s, int t, int e)
{
    const sp_trimesh *m = s->mesh;
    const sp_vec3 at = m->vertex[m->edge[e][0]], u = sp_sub3(m->vertex[m->edge[e][1]], at);
    const sp_vec3 d = sp_sub3(m->vertex[opposite(m, t, e)], at);
    const sp_vec3 across = sp_axpy3(d, -sp_inner3(d, u) / sp_inner3(u, u), u);
    return sp_inner3(s->n, across) / sp_length3(across);
}

/* Whether an edge stands out along n: both sides fall away from it, one of them really. */
static bool edge_stands_out(const scene *s, int e)
{
    const int *t = s->mesh->edge_tri[e];
    const double first = rise_across(s, t[0], e);
    if (t[1] < 0) {
        return first <= LEVEL;
    }
    const double second = rise_across(s, t[1], e);
    return first <= LEVEL && second <= LEVEL && (first < -LEVEL || second < -LEVEL);
}

/* The same of a corner and all its neighbours. */
static bool corner_stands_out(const scene *s, int v)
{
    bool falls = false;
    for (int k = s->mesh->around[v]; k < s->mesh->around[v + 1]; k++) {
        const double r = rise(s, v, s->mesh->beside[k]);
        if (r > LEVEL) {
            return false;
        }
        falls = falls || r < -LEVEL;
    }
    return falls;
}

/* The feature of the mesh that a touch with triangle t is on; -1 if it does not stand out there. */
static int feature_of(const scene *s, int t, const sp_touch_side *side)
{
    const sp_trimesh *m = s->mesh;
    if (side->kind == SP_SIDE_FACE) {
        return m->n_vertex + m->n_edge + m->patch[t];
    }
    if (side->kind == SP_SIDE_LINE) {
        const int e = m->tri_edge[t][side->feature - 3];
        return edge_stands_out(s, e) ? m->n_vertex + e : -1;
    }
    const int v = m->tri[t][side->feature];
    return corner_stands_out(s, v) ? v : -1;
}

/* Whether there is such a touch already. */
static bool is_known(const sp_touches *list, int feature_a, int feature_b)
{
    const int n = list->n < list->room ? list->n : list->room;
    for (int k = 0; k < n; k++) {
        if (list->touch[k].side[0].feature == feature_a &&
            list->touch[k].side[1].feature == feature_b) {
            return true;
        }
    }
    return false;
}

/* Keep a touch with triangle t if it stands out there and is not known yet. */
static void keep(scene *s, sp_touch *touch, const sp_pose3 *pose_b, int t, sp_touches *list)
{
    s->n = sp_rotate_back3(pose_b->R, touch->n);
    const int feature = feature_of(s, t, &touch->side[1]);
    if (feature < 0 || is_known(list, touch->side[0].feature, feature)) {
        return;
    }
    touch->side[1].feature = feature;
    touch->point[0] = sp_add3(touch->point[0], pose_b->x);
    touch->point[1] = sp_add3(touch->point[1], pose_b->x);
    if (list->n < list->room) {
        list->touch[list->n] = *touch;
    }
    list->n++;
    list->least = fmin(list->least, touch->g_N);
}

/* A corner of a in the material behind a face. */
static bool is_inside(const sp_touch *t)
{
    return t->side[0].kind == SP_SIDE_CORNER && t->side[1].kind == SP_SIDE_FACE &&
           t->g_N + t->side[0].r < 0.0;
}

/* How deep a may be behind a triangle and still have come from its front: points as deep as a tenth
 * of it, others as deep as they are thick. */
static double depth_of(const sp_cores *c)
{
    const double thick = c->a.r + c->a.h->inner;
    return thick > 0.0 ? thick : POINT_DEPTH * c->b.h->radius;
}

/* Whether all of a, its radius included, is behind the triangle: from the other side of a wall. */
static bool is_behind(const sp_cores *c)
{
    const sp_vec3 back = sp_scale3(-1.0, sp_core_normal(&c->b, 0));
    const bool point = c->a.h->n_vertex == 1 && c->a.r == 0.0;
    return sp_core_lowest(&c->a, back) + c->b.h->offset[0] > (point ? depth_of(c) : c->a.r);
}

/* Whether a, its radius included, meets the triangle, as far as separating axes show. */
static bool meets_triangle(const sp_cores *c)
{
    sp_axis face, best;
    const double hidden = sp_axis_find(c, INFINITY, &face, &best);
    return fmax(hidden, best.s) <= c->a.r + c->tol;
}

/* Touches of a core with triangle t; places are counted from the mesh's origin. */
static void touch_triangle(scene *s, const sp_core *a, const sp_pose3 *pose_b, int t,
                           sp_touches *list)
{
    const int *v = s->mesh->tri[t];
    const sp_vec3 x[3] = {s->mesh->vertex[v[0]], s->mesh->vertex[v[1]], s->mesh->vertex[v[2]]};
    sp_core_room room;
    sp_cores c = {.a = *a};
    sp_touch found[TOUCHES];
    sp_touches own = {.touch = found, .room = TOUCHES, .margin = list->margin, .least = INFINITY};
    const sp_pose3 here = {{0.0, 0.0, 0.0}, pose_b->R};
    sp_core_triangle(x, &here, &room, &c.b);
    c.tol = sp_cores_tolerance(a, &c.b);
    c.a.pose.x = sp_sub3(a->pose.x, pose_b->x);
    if (is_behind(&c)) {
        return;
    }
    sp_touches_of_corners(&c, 0, &own);
    const int n_corner = own.n;
    const bool meets = meets_triangle(&c);
    sp_touches_of_cores(&c, &own);
    const double deep = depth_of(&c);
    for (int k = 0; k < own.n && k < own.room; k++) {
        if (found[k].g_N >= -deep && (k >= n_corner || meets || !is_inside(&found[k]))) {
            keep(s, &found[k], pose_b, t, list);
        }
    }
}

/* A corner that is in the material under several triangles comes out where it is nearest. */
static void prune(sp_touches *list)
{
    const int n = list->n < list->room ? list->n : list->room;
    int kept = 0;
    for (int k = 0; k < n; k++) {
        const sp_touch t = list->touch[k];
        int same = 0; /* among those kept, the one of the same corner */
        while (same < kept && !(is_inside(&list->touch[same]) && is_inside(&t) &&
                                list->touch[same].side[0].feature == t.side[0].feature)) {
            same++;
        }
        if (same == kept) {
            list->touch[kept++] = t;
        } else if (t.g_N > list->touch[same].g_N) {
            list->touch[same] = t;
        }
    }
    list->n -= n - kept;
}

/* The box of a core in the frame of the mesh, wider by the margin. */
static sp_box3 box_of(const sp_core *a, const sp_pose3 *pose_b, double margin)
{
    const double r = a->r + (margin > 0.0 ? margin : 0.0);
    sp_box3 b = sp_box3_none();
    for (int i = 0; i < a->h->n_vertex; i++) {
        b = sp_box3_with(b, sp_rotate_back3(pose_b->R, sp_sub3(sp_core_vertex(a, i), pose_b->x)));
    }
    return sp_box3_widened(b, r);
}

void sp_touches_on_mesh(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                        const sp_pose3 *pose_b, sp_touches *list)
{
    sp_core_room room;
    sp_core core;
    sp_trimesh_walk walk;
    scene s = {.mesh = b->mesh};
    if (!sp_shape3_core(a, pose_a, &room, &core)) {
        return;
    }
    const sp_box3 box = box_of(&core, pose_b, list->margin);
    sp_trimesh_begin(&walk);
    for (int t; (t = sp_trimesh_next(s.mesh, &box, &walk)) >= 0;) {
        touch_triangle(&s, &core, pose_b, t, list);
    }
    prune(list);
}
