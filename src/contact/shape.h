/* contact/shape.h - rigid shapes with edges, and the features of their surfaces.
 *
 * A shape is a core, widened by a radius: a ball is a point, a capsule a segment, a polytope itself
 * with radius 0.  Cores are polytopes, also of one or two corners and without faces; triangles of a
 * mesh are cores with one face.  Disc, plane and mesh are treated apart.  Features of a core are
 * numbered: corners, then edges, then faces. */
#ifndef SP_CONTACT_SHAPE_H
#define SP_CONTACT_SHAPE_H

#include "contact/touch.h"
#include "math/shape3.h"

/* A core in its pose; small ones have their arrays here. */
typedef struct sp_core {
    const sp_hull *h;
    sp_pose3 pose;
    double r; /* radius around it */
} sp_core;

/* Arrays of a core without a polytope. */
typedef struct sp_core_room {
    sp_hull hull;
    sp_vec3 vertex[3], normal[1];
    double offset[1];
    int face[2], corner[3], corner_edge[3], edge[3][2], edge_face[3][2];
} sp_core_room;

/* The core of a ball, capsule or polytope; false of other shapes.  room must stay where it is. */
bool sp_shape3_core(const sp_shape3 *shape, const sp_pose3 *pose, sp_core_room *room,
                    sp_core *core);

/* The core of one triangle, counter-clockwise seen from its front, which is its only face. */
void sp_core_triangle(const sp_vec3 x[3], const sp_pose3 *pose, sp_core_room *room, sp_core *core);

/* A box around the shape in its pose. */
sp_box3 sp_shape3_box(const sp_shape3 *shape, const sp_pose3 *pose);

static inline sp_vec3 sp_core_vertex(const sp_core *c, int i)
{
    return sp_pose3_place(&c->pose, c->h->vertex[i]);
}

static inline sp_vec3 sp_core_normal(const sp_core *c, int f)
{
    return sp_rotate3(c->pose.R, c->h->normal[f]);
}

/* From the first to the second corner of an edge, not of unit length. */
static inline sp_vec3 sp_core_edge(const sp_core *c, int e)
{
    const int *v = c->h->edge[e];
    return sp_rotate3(c->pose.R, sp_sub3(c->h->vertex[v[1]], c->h->vertex[v[0]]));
}

/* Feature numbers. */
static inline int sp_core_edge_feature(const sp_core *c, int e)
{
    return c->h->n_vertex + e;
}

static inline int sp_core_face_feature(const sp_core *c, int f)
{
    return c->h->n_vertex + c->h->n_edge + f;
}

/* Sides of a touch on a corner, an edge, a face of a core. */
sp_touch_side sp_core_corner_side(const sp_core *c, int i);
sp_touch_side sp_core_line_side(const sp_core *c, int e);
sp_touch_side sp_core_face_side(const sp_core *c, int f);

#endif
