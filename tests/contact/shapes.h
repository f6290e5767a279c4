/* What the tests of shapes share: random shapes and motions, and an oracle for the distance of
 * convex bodies: that of the origin from the hull of all differences of their corners. */
#ifndef CONTACT_SHAPES_H
#define CONTACT_SHAPES_H

#include "contact/manifold.h"
#include "support/check.h"

#include <string.h>

enum { TOUCHES = 64, CORNERS = 16 };

/* A shape with its memory. */
typedef struct subject {
    sp_arena arena;
    sp_hull hull;
    sp_shape3 shape;
    sp_pose3 pose;
    sp_vec3 v, omega; /* how it moves */
} subject;

static inline sp_vec3 any(rng *r, double size)
{
    const double x = rng_in(r, -size, size), y = rng_in(r, -size, size);
    return (sp_vec3){x, y, rng_in(r, -size, size)};
}

static inline sp_rot3 any_turn(rng *r)
{
    const double w = rng_in(r, -1.0, 1.0), x = rng_in(r, -1.0, 1.0), y = rng_in(r, -1.0, 1.0);
    return sp_rot3_of_quat((sp_quat){w, x, y, rng_in(r, -1.0, 1.0)});
}

static inline void drop(subject *s)
{
    sp_arena_free(&s->arena);
}

/* A hull of points, a box of sides, anything else. */
static inline void make_hull(subject *s, int n, const sp_vec3 *x)
{
    sp_arena scratch;
    memset(s, 0, sizeof *s);
    sp_arena_init(&s->arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    assert_int_equal(sp_hull_build(&s->arena, &scratch, n, x, SP_HULL_FLAT, &s->hull, NULL), SP_OK);
    sp_arena_free(&scratch);
    s->shape = (sp_shape3){.kind = SP_SHAPE3_HULL, .hull = &s->hull};
    s->pose.R = sp_rot3_one();
}

static inline void make_box(subject *s, double x, double y, double z)
{
    sp_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] =
            (sp_vec3){(i & 1 ? 0.5 : -0.5) * x, (i & 2 ? 0.5 : -0.5) * y, (i & 4 ? 0.5 : -0.5) * z};
    }
    make_hull(s, 8, corner);
}

static inline void make_round(subject *s, sp_shape3_kind kind, double radius, double half)
{
    memset(s, 0, sizeof *s);
    sp_arena_init(&s->arena, NULL, 0);
    s->shape = (sp_shape3){.kind = kind, .radius = radius, .half = half};
    s->pose.R = sp_rot3_one();
}

/* A random core: ball, capsule, box or hull. */
static inline void draw_core(rng *r, subject *s)
{
    sp_vec3 x[CORNERS];
    switch (rng_int(r, 5)) {
    case 0:
        make_round(s, SP_SHAPE3_BALL, rng_in(r, 0.05, 0.5), 0.0);
        break;
    case 1:
        make_round(s, SP_SHAPE3_CAPSULE, rng_in(r, 0.05, 0.4), rng_in(r, 0.1, 0.8));
        break;
    case 2:
    case 3: {
        const double a = rng_in(r, 0.2, 1.0), b = rng_in(r, 0.2, 1.0);
        make_box(s, a, b, rng_in(r, 0.2, 1.0));
        break;
    }
    default: {
        const int n = 4 + rng_int(r, CORNERS - 3);
        for (int i = 0; i < n; i++) {
            x[i] = any(r, 0.5);
        }
        make_hull(s, n, x);
    }
    }
    s->pose.R = any_turn(r);
    s->v = any(r, 1.0);
    s->omega = any(r, 1.0);
}

/* A disc, a coin, a frustum or a cone anywhere. */
static inline void draw_disc(rng *r, subject *s)
{
    const double radius = rng_in(r, 0.1, 1.0), half = rng_flip(r) ? 0.0 : rng_in(r, 0.05, 0.8);
    make_round(s, SP_SHAPE3_DISC, radius, half);
    if (half > 0.0 && rng_flip(r)) {
        const bool tip = rng_int(r, 4) == 0;
        s->shape.taper = tip ? -radius : rng_in(r, -0.9, 1.5) * radius;
    }
    s->pose = (sp_pose3){any(r, 1.0), any_turn(r)};
    s->v = any(r, 1.0);
    s->omega = any(r, 1.0);
}

/* Touches with b first found in the right order: the subjects are exchanged if needed. */
static inline int find(const subject *a, const subject *b, double margin, sp_touch *touch)
{
    const int n =
        sp_manifold_find(&a->shape, &a->pose, &b->shape, &b->pose, margin, TOUCHES, touch);
    assert_true(n <= TOUCHES);
    return n;
}

/* ---- the oracle ---------------------------------------------------------------------------- */

static inline double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static inline double origin_to_segment(sp_vec3 a, sp_vec3 b)
{
    const sp_vec3 d = sp_sub3(b, a);
    const double dd = sp_inner3(d, d);
    return sp_length3(sp_axpy3(a, dd > 0.0 ? clamp(-sp_inner3(a, d) / dd) : 0.0, d));
}

/* Distance of the origin from a triangle. */
static inline double origin_to_triangle(sp_vec3 a, sp_vec3 b, sp_vec3 c)
{
    const sp_vec3 n = sp_cross3(sp_sub3(b, a), sp_sub3(c, a));
    const double nn = sp_inner3(n, n);
    if (nn > 0.0) {
        const sp_vec3 p = sp_scale3(sp_inner3(a, n) / nn, n); /* foot */
        const double u = sp_inner3(n, sp_cross3(sp_sub3(b, a), sp_sub3(p, a))),
                     v = sp_inner3(n, sp_cross3(sp_sub3(c, b), sp_sub3(p, b))),
                     w = sp_inner3(n, sp_cross3(sp_sub3(a, c), sp_sub3(p, c)));
        if (u >= 0.0 && v >= 0.0 && w >= 0.0) {
            return sp_length3(p);
        }
    }
    return fmin(origin_to_segment(a, b), fmin(origin_to_segment(b, c), origin_to_segment(c, a)));
}

/* Distance of the origin from a hull, < 0 inside: how far out it is. */
static inline double origin_to_hull(const sp_hull *h)
{
    double inside = INFINITY, outside = INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        inside = fmin(inside, h->offset[f]);
        for (int k = h->face[f] + 1; k + 1 < h->face[f + 1]; k++) {
            outside = fmin(outside, origin_to_triangle(h->vertex[h->corner[h->face[f]]],
                                                       h->vertex[h->corner[k]],
                                                       h->vertex[h->corner[k + 1]]));
        }
    }
    return inside > 0.0 ? -inside : outside;
}

/* Corners of a core in the world; how many. */
static inline int corners_of(const subject *s, sp_vec3 *x)
{
    sp_core_room room;
    sp_core core;
    assert_true(sp_shape3_core(&s->shape, &s->pose, &room, &core));
    for (int i = 0; i < core.h->n_vertex; i++) {
        x[i] = sp_core_vertex(&core, i);
    }
    return core.h->n_vertex;
}

/* Distance of two cores, < 0 if they overlap; without their radii.  Differences that span no volume
 * (points and segments among themselves) have the distance of segments. */
static inline double core_distance(const subject *a, const subject *b)
{
    sp_vec3 x[CORNERS], y[CORNERS], d[CORNERS * CORNERS];
    const int n = corners_of(a, x), m = corners_of(b, y);
    sp_arena arena;
    sp_hull hull;
    for (int i = 0; i < n * m; i++) {
        d[i] = sp_sub3(x[i % n], y[i / n]);
    }
    if (n <= 2 && m <= 2) {
        return n * m == 4 ? fmin(origin_to_triangle(d[0], d[1], d[2]),
                                 origin_to_triangle(d[3], d[2], d[1]))
                          : origin_to_segment(d[0], d[n * m - 1]);
    }
    sp_arena_init(&arena, NULL, 0);
    assert_int_equal(sp_hull_build(&arena, &arena, n * m, d, 1e-10, &hull, NULL), SP_OK);
    const double distance = origin_to_hull(&hull);
    sp_arena_free(&arena);
    return distance;
}

/* How far a place is outside a core, < 0 inside. */
static inline double outside_core(const subject *s, sp_vec3 x)
{
    subject point;
    make_round(&point, SP_SHAPE3_BALL, 1.0, 0.0);
    point.pose.x = x;
    return core_distance(&point, s);
}

#endif
