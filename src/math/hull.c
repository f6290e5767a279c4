/* math/hull.c - from points to the grid, and from triangles to faces.   theory (21.1)-(21.5) */
#include "math/hull.h"

#include "math/hull_parts.h"
#include "math/sort.h"

#include <string.h>

/* Half the number of cells of the grid along the longest side, and how thick a hull is at least, in
 * tolerances of flatness. */
#define GRID  268435456.0 /* 2^28 */
#define THICK 10.0

/* Triangles that are not higher, in tolerances of flatness, make no face of their own. */
#define THIN 100.0

enum { TRIES = 3 }; /* with ten times the tolerance each */

/* What is needed while faces are merged. */
typedef struct merge {
    const sp_vec3 *x;     /* points as given                                     */
    sp_hull_tri *tri;     /* triangles                                           */
    int n_tri;            /* of which some are not in use (mark < 0)             */
    int *region;          /* n_tri: face that a triangle belongs to, -1: none yet */
    int *order;           /* n_tri: triangles by falling area                    */
    double *area;         /* n_tri                                               */
    int *stack;           /* n_tri                                               */
    int *degree, *vertex; /* n: faces around a point; number of the corner or -1 */
    double flat;          /* m                                                   */
} merge;

/* ---- onto the grid ------------------------------------------------------------------------- */

/* Middle and half the longest side of the points; false if one is not finite. */
static bool measure(int n, const sp_vec3 *x, sp_vec3 *middle, double *half)
{
    sp_vec3 lo = x[0], hi = x[0];
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i].x) || !isfinite(x[i].y) || !isfinite(x[i].z)) {
            return false;
        }
        lo = (sp_vec3){fmin(lo.x, x[i].x), fmin(lo.y, x[i].y), fmin(lo.z, x[i].z)};
        hi = (sp_vec3){fmax(hi.x, x[i].x), fmax(hi.y, x[i].y), fmax(hi.z, x[i].z)};
    }
    *middle = sp_axpy3(sp_scale3(0.5, lo), 0.5, hi);
    *half = fmax(fmax(hi.x - middle->x, hi.y - middle->y), hi.z - middle->z);
    return isfinite(*half);
}

/* The points on the grid. */
static sp_grid3 *snap(sp_arena *scratch, int n, const sp_vec3 *x, sp_vec3 middle, double half)
{
    sp_grid3 *p = SP_NEW(scratch, sp_grid3, n);
    for (int i = 0; i < n && p; i++) {
        const sp_vec3 d = sp_scale3(GRID / half, sp_sub3(x[i], middle));
        p[i] = (sp_grid3){(int32_t)lrint(d.x), (int32_t)lrint(d.y), (int32_t)lrint(d.z)};
    }
    return p;
}

static bool alloc_work(sp_arena *scratch, int n, sp_hull_work *w)
{
    w->n = n;
    w->room = 4 * n + 16; /* old and new triangles of one point side by side */
    w->link = SP_NEW(scratch, int, n);
    w->at = SP_NEW(scratch, int, n);
    w->tri = SP_NEW(scratch, sp_hull_tri, w->room);
    w->stack = SP_NEW(scratch, int, w->room);
    w->horizon = SP_NEW(scratch, int, w->room);
    w->fresh = SP_NEW(scratch, int, w->room);
    return w->link && w->at && w->tri && w->stack && w->horizon && w->fresh;
}

/* ---- faces --------------------------------------------------------------------------------- */

static sp_vec3 twice_area(const merge *m, int t)
{
    const int *v = m->tri[t].v;
    return sp_cross3(sp_sub3(m->x[v[1]], m->x[v[0]]), sp_sub3(m->x[v[2]], m->x[v[0]]));
}

/* Triangles by falling area, then by number. */
static bool is_before(const void *ctx, int s, int t)
{
    const merge *m = ctx;
    return m->area[s] > m->area[t] || (m->area[s] == m->area[t] && s < t);
}

static int sort_by_area(merge *m)
{
    int n = 0;
    for (int t = 0; t < m->n_tri; t++) {
        m->region[t] = -1;
        if (m->tri[t].mark >= 0) {
            m->area[t] = sp_length3(twice_area(m, t));
            m->order[n++] = t;
        }
    }
    sp_sort(is_before, m, m->order, n);
    return n;
}

/* All triangles around the seed whose corners lie in its plane become face f. */
static void spread(merge *m, int seed, int f)
{
    const sp_vec3 d = twice_area(m, seed), n = sp_scale3(1.0 / sp_length3(d), d);
    const sp_vec3 x0 = m->x[m->tri[seed].v[0]];
    int top = 0;
    m->region[seed] = f;
    m->stack[top++] = seed;
    while (top > 0) {
        const int t = m->stack[--top];
        for (int k = 0; k < 3; k++) {
            const int o = m->tri[t].next[k];
            bool flat = m->region[o] < 0;
            for (int j = 0; j < 3 && flat; j++) {
                flat = fabs(sp_inner3(n, sp_sub3(m->x[m->tri[o].v[j]], x0))) <= m->flat;
            }
            if (flat) {
                m->region[o] = f;
                m->stack[top++] = o;
            }
        }
    }
}

/* The longest side of a triangle, and the height over it. */
static int longest_side(const merge *m, int t, double *height)
{
    int best = 0;
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const sp_vec3 d = sp_sub3(m->x[m->tri[t].v[(k + 1) % 3]], m->x[m->tri[t].v[k]]);
        const double l = sp_length3(d);
        if (l > most) {
            most = l;
            best = k;
        }
    }
    *height = most > 0.0 ? m->area[t] / most : 0.0;
    return best;
}

/* Thin triangles have no plane of their own: they go with the face beside their longest side. */
static void join_thin(merge *m, int n)
{
    for (int rest = 1, pass = 0; rest > 0 && pass < n; pass++) {
        rest = 0;
        for (int i = 0; i < n; i++) {
            const int t = m->order[i];
            double height;
            if (m->region[t] < 0) {
                m->region[t] = m->region[m->tri[t].next[longest_side(m, t, &height)]];
            }
            for (int k = 0; k < 3 && pass > 0 && m->region[t] < 0; k++) {
                m->region[t] = m->region[m->tri[t].next[k]];
            }
            rest += m->region[t] < 0;
        }
    }
}

/* Faces of all triangles, the largest first; returns how many. */
static int find_faces(merge *m)
{
    int n_face = 0;
    const int n = sort_by_area(m);
    for (int i = 0; i < n; i++) {
        double height;
        (void)longest_side(m, m->order[i], &height);
        if (m->region[m->order[i]] < 0 && height > THIN * m->flat) {
            spread(m, m->order[i], n_face++);
        }
    }
    join_thin(m, n);
    return n_face;
}

/* Whether side k of a triangle is the border of its face. */
static bool is_border(const merge *m, int t, int k)
{
    return m->region[m->tri[t].next[k]] != m->region[t];
}

/* Corners are the points where borders of three or more faces meet. */
static int number_corners(merge *m, int n)
{
    int n_vertex = 0;
    memset(m->degree, 0, (size_t)n * sizeof *m->degree);
    for (int t = 0; t < m->n_tri; t++) {
        for (int k = 0; k < 3 && m->tri[t].mark >= 0; k++) {
            m->degree[m->tri[t].v[k]] += is_border(m, t, k);
        }
    }
    for (int i = 0; i < n; i++) {
        m->vertex[i] = m->degree[i] >= 3 ? n_vertex++ : -1;
    }
    return n_vertex;
}

/* The next side of the border after side k of triangle t, around the same face. */
static void next_border(const merge *m, int *t, int *k)
{
    int j = (*k + 1) % 3;
    while (!is_border(m, *t, j)) {
        const int o = m->tri[*t].next[j], pivot = m->tri[*t].v[j];
        j = 0;
        while (m->tri[o].v[j] != pivot) {
            j++;
        }
        *t = o;
    }
    *k = j;
}

/* Corners around the face of triangle t, from its border side k on, into list if that is not NULL;
 * returns how many. */
static int walk_face(const merge *m, int t, int k, int *list)
{
    const int first_t = t, first_k = k;
    int n = 0;
    do {
        const int v = m->vertex[m->tri[t].v[k]];
        if (v >= 0) {
            if (list) {
                list[n] = v;
            }
            n++;
        }
        next_border(m, &t, &k);
    } while (t != first_t || k != first_k);
    return n;
}

/* ---- the polytope -------------------------------------------------------------------------- */

static bool alloc_hull(sp_arena *arena, int n_vertex, int n_face, int n_corner, sp_hull *h)
{
    h->n_vertex = n_vertex;
    h->n_face = n_face;
    h->n_edge = n_corner / 2;
    h->vertex = SP_NEW(arena, sp_vec3, n_vertex);
    h->from = SP_NEW(arena, int, n_vertex);
    h->face = SP_NEW(arena, int, n_face + 1);
    h->corner = SP_NEW(arena, int, n_corner);
    h->corner_edge = SP_NEW(arena, int, n_corner);
    h->normal = SP_NEW(arena, sp_vec3, n_face);
    h->offset = SP_NEW(arena, double, n_face);
    h->edge = sp_arena_alloc(arena, (size_t)h->n_edge, sizeof *h->edge);
    h->edge_face = sp_arena_alloc(arena, (size_t)h->n_edge, sizeof *h->edge_face);
    return h->vertex && h->from && h->face && h->corner && h->corner_edge && h->normal &&
           h->offset && h->edge && h->edge_face;
}

/* Normal by the area of the polygon, offset by its outermost corner.   theory (21.3) */
static void set_plane(sp_hull *h, int f)
{
    const int n = h->face[f + 1] - h->face[f], *c = h->corner + h->face[f];
    const sp_vec3 x0 = h->vertex[c[0]];
    sp_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 1; k + 1 < n; k++) {
        sum =
            sp_add3(sum, sp_cross3(sp_sub3(h->vertex[c[k]], x0), sp_sub3(h->vertex[c[k + 1]], x0)));
    }
    h->normal[f] = sp_scale3(1.0 / sp_length3(sum), sum);
    h->offset[f] = -INFINITY;
    for (int k = 0; k < n; k++) {
        h->offset[f] = fmax(h->offset[f], sp_inner3(h->normal[f], h->vertex[c[k]]));
    }
}

/* Corners, faces and planes; faces in the order of their first triangles. */
static void fill_faces(const merge *m, int n, int *first, sp_hull *h)
{
    for (int i = 0; i < n; i++) {
        if (m->vertex[i] >= 0) {
            h->vertex[m->vertex[i]] = m->x[i];
            h->from[m->vertex[i]] = i;
        }
    }
    int at = 0;
    for (int f = 0; f < h->n_face; f++) {
        h->face[f] = at;
        at += walk_face(m, first[f] / 3, first[f] % 3, h->corner + at);
    }
    h->face[h->n_face] = at;
    for (int f = 0; f < h->n_face; f++) {
        set_plane(h, f);
    }
}

/* Edges from the corners of the faces: each is there twice, in both directions.  False if one is
 * not, or there more often. */
static bool fill_edges(sp_arena *scratch, sp_hull *h)
{
    int n = 0, *head = SP_NEW(scratch, int, h->n_vertex), *link = SP_NEW(scratch, int, h->n_edge);
    if (!head || !link) {
        return false;
    }
    memset(head, -1, (size_t)h->n_vertex * sizeof *head);
    for (int f = 0; f < h->n_face; f++) {
        for (int c = h->face[f]; c < h->face[f + 1]; c++) {
            const int a = h->corner[c], b = h->corner[c + 1 < h->face[f + 1] ? c + 1 : h->face[f]];
            const int lo = a < b ? a : b, hi = a < b ? b : a, side = a < b ? 0 : 1;
            int e = head[lo];
            while (e >= 0 && h->edge[e][1] != hi) {
                e = link[e];
            }
            if (e < 0) {
                if (n == h->n_edge) {
                    return false;
                }
                e = n++;
                h->edge[e][0] = lo;
                h->edge[e][1] = hi;
                h->edge_face[e][0] = h->edge_face[e][1] = -1;
                link[e] = head[lo];
                head[lo] = e;
            }
            if (h->edge_face[e][side] >= 0) {
                return false;
            }
            h->edge_face[e][side] = f;
            h->corner_edge[c] = e;
        }
    }
    return n == h->n_edge;
}

/* Middle, outer and inner radius. */
static void fill_extent(sp_hull *h)
{
    h->center = (sp_vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < h->n_vertex; i++) {
        h->center = sp_axpy3(h->center, 1.0 / h->n_vertex, h->vertex[i]);
    }
    h->radius = 0.0;
    for (int i = 0; i < h->n_vertex; i++) {
        h->radius = fmax(h->radius, sp_length3(sp_sub3(h->vertex[i], h->center)));
    }
    h->inner = INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        h->inner = fmin(h->inner, h->offset[f] - sp_inner3(h->normal[f], h->center));
    }
}

/* A border side of each face, and the number of corners of all of them; 0 if a face has fewer than
 * 3, -1 if it has too many. */
static int count_corners(const merge *m, int n_face, int *first)
{
    int sum = 0;
    for (int t = m->n_tri - 1; t >= 0; t--) {
        for (int k = 2; k >= 0 && m->tri[t].mark >= 0; k--) {
            if (is_border(m, t, k) && m->region[t] >= 0) {
                first[m->region[t]] = 3 * t + k;
            }
        }
    }
    for (int f = 0; f < n_face; f++) {
        const int n = walk_face(m, first[f] / 3, first[f] % 3, NULL);
        if (n < 3 || n > SP_HULL_CORNER_MAX) {
            return n < 3 ? 0 : -1;
        }
        sum += n;
    }
    return sum;
}

/* Faces by merging, then corners, edges, planes. */
static sp_status assemble(sp_arena *arena, sp_arena *scratch, int n, merge *m, sp_hull *h,
                          sp_error *err)
{
    m->region = SP_NEW(scratch, int, m->n_tri);
    m->order = SP_NEW(scratch, int, m->n_tri);
    m->stack = SP_NEW(scratch, int, m->n_tri);
    m->area = SP_NEW(scratch, double, m->n_tri);
    m->degree = SP_NEW(scratch, int, n);
    m->vertex = SP_NEW(scratch, int, n);
    int *first = SP_NEW(scratch, int, m->n_tri);
    if (!m->region || !m->order || !m->stack || !m->area || !m->degree || !m->vertex || !first) {
        return SP_FAIL(err, SP_E_MEMORY, "hull: out of memory");
    }
    const int n_face = find_faces(m), n_vertex = number_corners(m, n);
    if (n_vertex > SP_HULL_VERTEX_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "hull of %d corners, expected at most %d: give it fewer",
                       n_vertex, SP_HULL_VERTEX_MAX);
    }
    const int n_corner = n_face >= 4 && n_vertex >= 4 ? count_corners(m, n_face, first) : 0;
    if (n_corner < 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "hull has a face with more than %d corners: give it fewer, or use a "
                       "cylinder",
                       SP_HULL_CORNER_MAX);
    }
    if (n_corner == 0 || n_vertex - n_corner / 2 + n_face != 2) {
        return SP_FAIL(err, SP_E_INPUT,
                       "hull is too thin: its faces cannot be distinguished, expected points that "
                       "span a volume");
    }
    if (!alloc_hull(arena, n_vertex, n_face, n_corner, h)) {
        return SP_FAIL(err, SP_E_MEMORY, "hull: out of memory");
    }
    fill_faces(m, n, first, h);
    if (!fill_edges(scratch, h)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "hull has edges that do not fit: points nearly in one "
                       "plane, expected points that span a volume");
    }
    fill_extent(h);
    return SP_OK;
}

sp_status sp_hull_build(sp_arena *arena, sp_arena *scratch, int n, const sp_vec3 *x, double flat,
                        sp_hull *hull, sp_error *err)
{
    sp_vec3 middle;
    double half;
    sp_hull_work w = {0};
    if (n < 4 || n > SP_HULL_POINT_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "hull of %d points, expected 4 to %d", n,
                       SP_HULL_POINT_MAX);
    }
    if (!measure(n, x, &middle, &half)) {
        return SP_FAIL(err, SP_E_INPUT, "hull of points that are not finite numbers");
    }
    if (!(half > 1e-100)) {
        return SP_FAIL(err, SP_E_INPUT, "hull of points that all lie in one place");
    }
    w.p = snap(scratch, n, x, middle, half);
    if (!w.p || !alloc_work(scratch, n, &w)) {
        return SP_FAIL(err, SP_E_MEMORY, "hull: out of memory");
    }
    if (!sp_hull_triangles(&w)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "hull of points that all lie in one plane, expected points that span a "
                       "volume");
    }
    merge m = {.x = x, .tri = w.tri, .n_tri = w.n_tri, .flat = flat * half};
    sp_status status = SP_E_INPUT;
    for (int try = 0; try < TRIES && status == SP_E_INPUT; try++) {
        m.flat *= try > 0 ? 10.0 : 1.0; /* points as far off as the tolerance: merge more */
        status = assemble(arena, scratch, n, &m, hull, err);
    }
    SP_TRY(status);
    if (!(hull->inner > THICK * m.flat)) {
        return SP_FAIL(err, SP_E_INPUT, "hull is %g m thick, expected more than %g m", hull->inner,
                       THICK * m.flat);
    }
    return SP_OK;
}
