#include "io/mesh.h"

#include "io/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = 48,
    HALF_ROUND = ROUND / 2,
    REVOLVED = 32,
    ARC = 8,
    OUTLINE_MAX = 256,
    CURVE_MAX = 512
};
#define TURN 6.283185307179586476925

/* Where a part of a mesh stands. */
typedef struct frame {
    double at[3], turn[4];
} frame;

static const frame here = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

/* ---- growing ------------------------------------------------------------------------------- */

/* Room for n more points and m more triangles. */
static bool grow(sp_mesh *mesh, size_t n, size_t m)
{
    if (mesh->n_point + n > mesh->point_room) {
        const size_t room = 2 * (mesh->n_point + n);
        void *point = realloc(mesh->point, room * sizeof *mesh->point);
        mesh->point = point ? point : mesh->point;
        void *normal = realloc(mesh->normal, room * sizeof *mesh->normal);
        mesh->normal = normal ? normal : mesh->normal;
        mesh->failed = mesh->failed || !point || !normal;
        mesh->point_room = mesh->failed ? mesh->point_room : room;
    }
    if (mesh->n_triangle + m > mesh->triangle_room) {
        const size_t room = 2 * (mesh->n_triangle + m);
        void *triangle = realloc(mesh->triangle, room * sizeof *mesh->triangle);
        mesh->triangle = triangle ? triangle : mesh->triangle;
        mesh->failed = mesh->failed || !triangle;
        mesh->triangle_room = mesh->failed ? mesh->triangle_room : room;
    }
    return !mesh->failed;
}

/* Add a point with its normal; there is room. */
static void add_point(sp_mesh *mesh, const frame *f, const double x[3], const double n[3])
{
    double point[3], normal[3];
    sp_pose_turn(f->turn, x, point);
    sp_pose_turn(f->turn, n, normal);
    const double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        mesh->point[mesh->n_point][k] = (float)(point[k] + f->at[k]);
        mesh->normal[mesh->n_point][k] = (float)(size > 0.0 ? normal[k] / size : k == 2);
    }
    mesh->n_point++;
}

/* Add a triangle of points a, b, c, counted from 'first'; there is room. */
static void add_triangle(sp_mesh *mesh, size_t first, size_t a, size_t b, size_t c)
{
    uint32_t *t = mesh->triangle[mesh->n_triangle++];
    t[0] = (uint32_t)(first + a);
    t[1] = (uint32_t)(first + b);
    t[2] = (uint32_t)(first + c);
}

/* Add a four-sided face with corners in order, seen counter-clockwise from outside. */
static void add_quad(sp_mesh *mesh, const frame *f, const double x[4][3], const double n[4][3])
{
    const size_t first = mesh->n_point;
    if (!grow(mesh, 4, 2)) {
        return;
    }
    for (int k = 0; k < 4; k++) {
        add_point(mesh, f, x[k], n[k]);
    }
    add_triangle(mesh, first, 0, 1, 2);
    add_triangle(mesh, first, 0, 2, 3);
}

/* ---- plates -------------------------------------------------------------------------------- */

/* The outline of a plate in the plane z = 0. */
typedef struct outline {
    int n;
    double x[OUTLINE_MAX][2];
} outline;

static void add_corner(outline *o, double x, double y)
{
    if (o->n < OUTLINE_MAX) {
        o->x[o->n][0] = x;
        o->x[o->n][1] = y;
        o->n++;
    }
}

/* An arc of n + 1 points about (x, y). */
static void add_arc(outline *o, double x, double y, double radius, double from, double to, int n)
{
    for (int k = 0; k <= n; k++) {
        const double angle = from + (to - from) * k / n;
        add_corner(o, x + radius * cos(angle), y + radius * sin(angle));
    }
}

/* Twice the area inside, > 0 if it runs counter-clockwise. */
static double area_of(const outline *o)
{
    double area = 0.0;
    for (int i = 0; i < o->n; i++) {
        const double *a = o->x[i], *b = o->x[(i + 1) % o->n];
        area += a[0] * b[1] - a[1] * b[0];
    }
    return area;
}

/* One side of a plate, the convex outline at height z. */
static void add_face(sp_mesh *mesh, const frame *f, const outline *o, double z, bool up)
{
    const size_t first = mesh->n_point;
    const double normal[3] = {0.0, 0.0, up ? 1.0 : -1.0};
    if (!grow(mesh, (size_t)o->n, (size_t)o->n)) {
        return;
    }
    for (int i = 0; i < o->n; i++) {
        add_point(mesh, f, (const double[3]){o->x[i][0], o->x[i][1], z}, normal);
    }
    for (int i = 1; i + 1 < o->n; i++) {
        const size_t b = (size_t)(up ? i : i + 1), c = (size_t)(up ? i + 1 : i);
        add_triangle(mesh, first, 0, b, c);
    }
}

/* The edge from a to b of a plate, its material on the left. */
static void add_edge(sp_mesh *mesh, const frame *f, const double *a, const double *b, double half)
{
    const double n[3] = {b[1] - a[1], a[0] - b[0], 0.0};
    const double x[4][3] = {
        {a[0], a[1], -half}, {b[0], b[1], -half}, {b[0], b[1], half}, {a[0], a[1], half}};
    const double normal[4][3] = {
        {n[0], n[1], 0.0}, {n[0], n[1], 0.0}, {n[0], n[1], 0.0}, {n[0], n[1], 0.0}};
    add_quad(mesh, f, x, normal);
}

/* A convex plate of thickness 2 half. */
static void add_plate(sp_mesh *mesh, const frame *f, outline *o, double half)
{
    if (o->n < 3) {
        return;
    }
    if (area_of(o) < 0.0) {
        for (int i = 0; i < o->n / 2; i++) {
            double keep[2];
            memcpy(keep, o->x[i], sizeof keep);
            memcpy(o->x[i], o->x[o->n - 1 - i], sizeof keep);
            memcpy(o->x[o->n - 1 - i], keep, sizeof keep);
        }
    }
    add_face(mesh, f, o, half, true);
    add_face(mesh, f, o, -half, false);
    for (int i = 0; i < o->n; i++) {
        add_edge(mesh, f, o->x[i], o->x[(i + 1) % o->n], half);
    }
}

/* A plate with a round hole. */
static void add_ring(sp_mesh *mesh, const frame *f, double inner, double outer, double half)
{
    for (int k = 0; k < ROUND; k++) {
        const double a = TURN * k / ROUND, b = TURN * (k + 1) / ROUND;
        const double in[2][2] = {{inner * cos(a), inner * sin(a)},
                                 {inner * cos(b), inner * sin(b)}};
        const double out[2][2] = {{outer * cos(a), outer * sin(a)},
                                  {outer * cos(b), outer * sin(b)}};
        for (int side = 0; side < 2; side++) {
            const double z = side == 0 ? half : -half, up = side == 0 ? 1.0 : -1.0;
            const double(*first)[2] = side == 0 ? in : out, (*second)[2] = side == 0 ? out : in;
            const double x[4][3] = {{first[0][0], first[0][1], z},
                                    {second[0][0], second[0][1], z},
                                    {second[1][0], second[1][1], z},
                                    {first[1][0], first[1][1], z}};
            const double n[4][3] = {{0, 0, up}, {0, 0, up}, {0, 0, up}, {0, 0, up}};
            add_quad(mesh, f, x, n);
        }
        add_edge(mesh, f, out[0], out[1], half);
        add_edge(mesh, f, in[1], in[0], half);
    }
}

/* A rod with round ends, flat: a plate with two straight and two round edges. */
static void add_flat_rod(sp_mesh *mesh, const double a[3], const double b[3], double r, double half)
{
    outline o = {0};
    const double along = atan2(b[1] - a[1], b[0] - a[0]);
    add_arc(&o, b[0], b[1], r, along - 0.25 * TURN, along + 0.25 * TURN, HALF_ROUND);
    add_arc(&o, a[0], a[1], r, along + 0.25 * TURN, along + 0.75 * TURN, HALF_ROUND);
    add_plate(mesh, &here, &o, half);
}

/* A half plane as a slab behind its edge: from 'at' to both sides, along the normal backwards. */
static void add_slab(sp_mesh *mesh, const double at[3], const double normal[3], double length,
                     double depth, double half)
{
    const double size = hypot(normal[0], normal[1]);
    const double n[2] = {normal[0] / size, normal[1] / size}, t[2] = {n[1], -n[0]};
    outline o = {0};
    if (!(size > 0.0)) {
        return;
    }
    add_corner(&o, at[0] - length * t[0], at[1] - length * t[1]);
    add_corner(&o, at[0] + length * t[0], at[1] + length * t[1]);
    add_corner(&o, at[0] + length * t[0] - depth * n[0], at[1] + length * t[1] - depth * n[1]);
    add_corner(&o, at[0] - length * t[0] - depth * n[0], at[1] - length * t[1] - depth * n[1]);
    add_plate(mesh, &here, &o, half);
}

/* ---- bodies of revolution ------------------------------------------------------------------ */

/* Turn the curve (r, z) about the z axis of a frame; z rises along it. */
static void add_revolved(sp_mesh *mesh, const frame *f, int n, const double (*rz)[2])
{
    for (int k = 0; k + 1 < n; k++) {
        const double *low = rz[k], *high = rz[k + 1];
        const double across = high[1] - low[1], up = low[0] - high[0];
        for (int i = 0; i < REVOLVED; i++) {
            const double a = TURN * i / REVOLVED, b = TURN * (i + 1) / REVOLVED;
            const double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b);
            const double x[4][3] = {{low[0] * ca, low[0] * sa, low[1]},
                                    {low[0] * cb, low[0] * sb, low[1]},
                                    {high[0] * cb, high[0] * sb, high[1]},
                                    {high[0] * ca, high[0] * sa, high[1]}};
            const double normal[4][3] = {{across * ca, across * sa, up},
                                         {across * cb, across * sb, up},
                                         {across * cb, across * sb, up},
                                         {across * ca, across * sa, up}};
            add_quad(mesh, f, x, normal);
        }
    }
}

/* A rod with half balls at its ends, from -h to h along z; h = 0: a ball. */
static void add_capsule(sp_mesh *mesh, const frame *f, double r, double h)
{
    double rz[2 * ARC + 2][2];
    for (int k = 0; k <= ARC; k++) {
        const double angle = 0.25 * TURN * k / ARC;
        rz[k][0] = r * sin(angle);
        rz[k][1] = -h - r * cos(angle);
        rz[2 * ARC + 1 - k][0] = rz[k][0];
        rz[2 * ARC + 1 - k][1] = -rz[k][1];
    }
    add_revolved(mesh, f, 2 * ARC + 2, (const double(*)[2])rz);
}

static void add_cylinder(sp_mesh *mesh, const frame *f, double r, double length)
{
    const double h = 0.5 * length;
    const double rz[4][2] = {{0.0, -h}, {r, -h}, {r, h}, {0.0, h}};
    add_revolved(mesh, f, 4, rz);
}

static void add_cone(sp_mesh *mesh, const frame *f, double r, double length)
{
    const double rz[3][2] = {{0.0, 0.0}, {r, 0.0}, {0.0, length}};
    add_revolved(mesh, f, 3, rz);
}

/* The frame at the middle of a and b whose z axis points from a to b. */
static frame frame_between(const double a[3], const double b[3], double *length)
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    frame f;
    *length = sp_pose_between(d, f.turn);
    for (int k = 0; k < 3; k++) {
        f.at[k] = 0.5 * (a[k] + b[k]);
    }
    return f;
}

/* ---- shapes -------------------------------------------------------------------------------- */

static frame frame_at(const double at[3])
{
    frame f = here;
    memcpy(f.at, at, sizeof f.at);
    return f;
}

/* A box about its own middle. */
static void add_box(sp_mesh *mesh, const sp_shape *s)
{
    frame f;
    outline o = {0};
    memcpy(f.at, s->at, sizeof f.at);
    memcpy(f.turn, s->turn, sizeof f.turn);
    const double x = 0.5 * s->size[0], y = 0.5 * s->size[1];
    add_corner(&o, -x, -y);
    add_corner(&o, x, -y);
    add_corner(&o, x, y);
    add_corner(&o, -x, y);
    add_plate(mesh, &f, &o, 0.5 * s->size[2]);
}

/* A disc about a point. */
static void add_disc(sp_mesh *mesh, const double at[3], double r, double half)
{
    outline o = {0};
    const frame f = frame_at(at);
    add_arc(&o, 0.0, 0.0, r, 0.0, TURN * (ROUND - 1) / ROUND, ROUND - 1);
    add_plate(mesh, &f, &o, half);
}

/* A rod between two points. */
static void add_rod(sp_mesh *mesh, const sp_shape *s, double r, const sp_mesh_look *look)
{
    if (look->spatial) {
        double length;
        const frame f = frame_between(s->point[0], s->point[1], &length);
        add_capsule(mesh, &f, r, 0.5 * length);
    } else {
        add_flat_rod(mesh, s->point[0], s->point[1], r, look->half);
    }
}

/* A curve: a rod from each point to the next; of very many every second or third. */
static void add_curve(sp_mesh *mesh, const sp_shape *s, const sp_mesh_look *look)
{
    const int step = (s->n_point + CURVE_MAX - 1) / CURVE_MAX;
    for (int k = 0; k + 1 < s->n_point; k += step) {
        const int to = k + step < s->n_point ? k + step : s->n_point - 1;
        double ends[2][3];
        memcpy(ends[0], s->point[k], sizeof ends[0]);
        memcpy(ends[1], s->point[to], sizeof ends[1]);
        const sp_shape rod = {.n_point = 2, .point = (const double(*)[3])ends};
        add_rod(mesh, &rod, 0.5 * look->dot, look);
    }
}

/* A plane as a large thin box below its point. */
static void add_plane(sp_mesh *mesh, const sp_shape *s, const sp_mesh_look *look)
{
    double tip[3], length;
    for (int k = 0; k < 3; k++) {
        tip[k] = s->point[0][k] - 2.0 * look->half * s->normal[k];
    }
    const frame f = frame_between(tip, s->point[0], &length);
    const sp_shape box = {.at = {f.at[0], f.at[1], f.at[2]},
                          .turn = {f.turn[0], f.turn[1], f.turn[2], f.turn[3]},
                          .size = {2.0 * look->extent, 2.0 * look->extent, length}};
    add_box(mesh, &box);
}

/* A convex polygon; of very many corners every second or third. */
static void add_polygon(sp_mesh *mesh, const sp_shape *s, double half)
{
    outline o = {0};
    const int step = (s->n_point + OUTLINE_MAX - 1) / OUTLINE_MAX;
    for (int k = 0; k < s->n_point; k += step) {
        add_corner(&o, s->point[k][0], s->point[k][1]);
    }
    add_plate(mesh, &here, &o, half);
}

void sp_mesh_add(sp_mesh *mesh, const sp_shape *shape, const sp_mesh_look *look)
{
    const sp_shape *s = shape;
    const frame at = s->n_point > 0 ? frame_at(s->point[0]) : here;
    frame own;
    memcpy(own.at, s->at, sizeof own.at);
    memcpy(own.turn, s->turn, sizeof own.turn);
    switch (s->kind) {
    case SP_SHAPE_POINT:
        look->spatial ? add_capsule(mesh, &at, look->dot, 0.0)
                      : add_disc(mesh, s->point[0], look->dot, 1.1 * look->half);
        break;
    case SP_SHAPE_LINE:
        add_slab(mesh, s->point[0], s->normal, look->extent, 4.0 * look->dot, look->half);
        break;
    case SP_SHAPE_SEGMENT:
        add_rod(mesh, s, 0.5 * look->dot, look);
        break;
    case SP_SHAPE_CIRCLE:
        add_disc(mesh, s->point[0], s->radius, look->half);
        break;
    case SP_SHAPE_HOLLOW:
        add_ring(mesh, &at, s->radius, s->radius + 2.0 * look->dot, look->half);
        break;
    case SP_SHAPE_POLYGON:
        add_polygon(mesh, s, look->half);
        break;
    case SP_SHAPE_SPHERE:
        add_capsule(mesh, &at, s->radius, 0.0);
        break;
    case SP_SHAPE_BOX:
        add_box(mesh, s);
        break;
    case SP_SHAPE_CYLINDER:
        add_cylinder(mesh, &own, s->radius, s->length);
        break;
    case SP_SHAPE_PLANE:
        add_plane(mesh, s, look);
        break;
    case SP_SHAPE_CAPSULE:
        add_rod(mesh, s, s->radius, look);
        break;
    case SP_SHAPE_CONE:
        add_cone(mesh, &own, s->radius, s->length);
        break;
    case SP_SHAPE_CURVE:
        add_curve(mesh, s, look);
        break;
    case SP_SHAPE_N:
        break;
    }
}

void sp_mesh_add_rod(sp_mesh *mesh, double r)
{
    double length;
    const frame f =
        frame_between((const double[3]){0.0, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, &length);
    add_cylinder(mesh, &f, r, length);
}

/* A new point where the way from a to b, x rising along it, meets the plane; there is room. */
static uint32_t add_between(sp_mesh *mesh, uint32_t a, uint32_t b, float x)
{
    if (mesh->point[a][0] > mesh->point[b][0]) { /* faces on both sides get the same point */
        const uint32_t keep = a;
        a = b;
        b = keep;
    }
    const float *p = mesh->point[a], *q = mesh->point[b];
    const double s = ((double)x - (double)p[0]) / ((double)q[0] - (double)p[0]);
    double point[3], normal[3];
    for (int k = 0; k < 3; k++) {
        const double from = (double)mesh->normal[a][k], to = (double)mesh->normal[b][k];
        point[k] = (double)p[k] + s * ((double)q[k] - (double)p[k]);
        normal[k] = from + s * (to - from);
    }
    add_point(mesh, &here, point, normal);
    mesh->point[mesh->n_point - 1][0] = x;
    return (uint32_t)(mesh->n_point - 1);
}

/* A convex part of a triangle: between two planes it has at most five corners. */
typedef struct part {
    int n;
    uint32_t corner[6];
} part;

/* Divide p along the plane into what lies below and above; there is room. */
static void divide(sp_mesh *mesh, const part *p, float x, part *below, part *above)
{
    below->n = above->n = 0;
    for (int k = 0; k < p->n; k++) {
        const uint32_t a = p->corner[k], b = p->corner[(k + 1) % p->n];
        const float from = mesh->point[a][0], to = mesh->point[b][0];
        if (from <= x) {
            below->corner[below->n++] = a;
        }
        if (from >= x) {
            above->corner[above->n++] = a;
        }
        if ((from < x && to > x) || (from > x && to < x)) {
            const uint32_t on = add_between(mesh, a, b, x);
            below->corner[below->n++] = on;
            above->corner[above->n++] = on;
        }
    }
}

/* Add the triangles of a part, the first of them in place of t where that is free; there is room.
 */
static void add_part(sp_mesh *mesh, size_t t, bool *is_free, const part *p)
{
    for (int k = 1; k + 1 < p->n; k++) {
        const uint32_t corner[3] = {p->corner[0], p->corner[k], p->corner[k + 1]};
        memcpy(mesh->triangle[*is_free ? t : mesh->n_triangle++], corner, sizeof corner);
        *is_free = false;
    }
}

/* Cut one triangle. */
static void cut_triangle(sp_mesh *mesh, size_t t, int n, const double *x)
{
    const uint32_t *corner = mesh->triangle[t];
    part below, above, p = {3, {corner[0], corner[1], corner[2]}};
    const float a = mesh->point[p.corner[0]][0], b = mesh->point[p.corner[1]][0];
    const float c = mesh->point[p.corner[2]][0];
    const float low = fminf(a, fminf(b, c)), high = fmaxf(a, fmaxf(b, c));
    bool is_free = true;
    for (int k = 0; k < n; k++) {
        const float at = (float)x[k];
        if (low < at && at < high) {
            if (!grow(mesh, 2, 4)) {
                return;
            }
            divide(mesh, &p, at, &below, &above);
            add_part(mesh, t, &is_free, &below);
            p = above;
        }
    }
    if (!is_free && grow(mesh, 0, 4)) {
        add_part(mesh, t, &is_free, &p);
    }
}

void sp_mesh_cut(sp_mesh *mesh, size_t first, int n, const double *x)
{
    const size_t end = mesh->n_triangle;
    for (size_t t = first; t < end && !mesh->failed; t++) {
        cut_triangle(mesh, t, n, x);
    }
}

void sp_mesh_free(sp_mesh *mesh)
{
    free(mesh->point);
    free(mesh->normal);
    free(mesh->triangle);
    memset(mesh, 0, sizeof *mesh);
}
