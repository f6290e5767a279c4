/* math/hull_parts.h - triangles of a hull before its faces are merged. */
#ifndef SP_MATH_HULL_PARTS_H
#define SP_MATH_HULL_PARTS_H

#include "math/hull.h"

#include <stdint.h>

/* A point on the grid; differences of coordinates have at most 30 bits. */
typedef struct sp_grid3 {
    int32_t x, y, z;
} sp_grid3;

/* A triangle, counter-clockwise from outside; neighbour k lies across the side from corner k to
 * corner k + 1. */
typedef struct sp_hull_tri {
    int v[3], next[3];
    int outside; /* first of the points that see it, -1: none */
    int mark;    /* number of the search that saw it; -1: not in use */
} sp_hull_tri;

typedef struct sp_hull_work {
    int n;                        /* points                                       */
    const sp_grid3 *p;            /* n                                            */
    int *link;                    /* n: next point of the same triangle           */
    sp_hull_tri *tri;             /* room                                         */
    int n_tri, room, free_tri;    /* used so far; first unused one, -1: none */
    int *stack, *horizon, *fresh; /* room each                           */
    int *at;                      /* n: new triangle that begins at a point       */
} sp_hull_work;

/* > 0 if d is outside the plane of a, b, c (counter-clockwise seen from d), exact: 6 times the
 * volume of the tetrahedron, in its sign.  *value has it to double precision. */
int sp_hull_side(const sp_grid3 *a, const sp_grid3 *b, const sp_grid3 *c, const sp_grid3 *d,
                 double *value);

/* Triangles of the hull of the points on the grid; false if they span no volume. */
bool sp_hull_triangles(sp_hull_work *w);

#endif
