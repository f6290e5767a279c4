/* math/hull.h - convex polytopes: the hull of points, with faces, edges and who lies beside whom.
 *
 * Which corners and faces there are is decided in whole numbers, on a grid of 2^-28 of half the
 * size, so that no round-off can tear the surface; faces in one plane are then merged, corners
 * within them and along their edges dropped.  Places are those of the points as given.
 * theory (21.1)-(21.4) */
#ifndef SP_MATH_HULL_H
#define SP_MATH_HULL_H

#include "base/arena.h"
#include "base/status.h"
#include "math/space.h"

#include <stdbool.h>

enum {
    SP_HULL_POINT_MAX = 100000, /* points given                          */
    SP_HULL_VERTEX_MAX = 4096,  /* corners left                          */
    SP_HULL_CORNER_MAX = 128    /* of one face: contacts of faces are clipped on the stack */
};

/* Points nearer to a plane than this part of the size lie in it; more in files of single precision.
 */
#define SP_HULL_FLAT       1e-8
#define SP_HULL_FLAT_FLOAT 1e-6

typedef struct sp_hull {
    int n_vertex, n_face, n_edge;
    sp_vec3 *vertex;
    int *from;        /* n_vertex: number among the points given, rising                          */
    int *face;        /* n_face + 1: corners of face f are face[f] .. face[f + 1] - 1            */
    int *corner;      /* 2 n_edge vertices, around each face counter-clockwise seen from outside */
    int *corner_edge; /* 2 n_edge: the edge from a corner to the next                            */
    sp_vec3 *normal;  /* n_face, outwards, unit length                                           */
    double *offset;   /* n_face: n.x = offset on the face, the largest of its corners            */
    int (*edge)[2];   /* n_edge: its vertices, the first smaller                                 */
    int (
        *edge_face)[2]; /* n_edge: faces on the left, seen along the edge from outside, and right */
    sp_vec3 center; /* mean of the corners                                                     */
    double radius;  /* all corners are within it of the center                                 */
    double inner;   /* all faces are farther than it from the center, > 0                      */
} sp_hull;

/* The hull of n points; flat: SP_HULL_FLAT or the like.  SP_E_INPUT if they span no volume, are not
 * finite or are too many; the text does not name the element.  scratch is given back by the caller;
 * the hull lies in arena. */
sp_status sp_hull_build(sp_arena *arena, sp_arena *scratch, int n, const sp_vec3 *x, double flat,
                        sp_hull *hull, sp_error *err);

/* Corner farthest along d. */
static inline int sp_hull_support(const sp_hull *h, sp_vec3 d)
{
    int best = 0;
    double most = sp_inner3(h->vertex[0], d);
    for (int i = 1; i < h->n_vertex; i++) {
        const double s = sp_inner3(h->vertex[i], d);
        if (s > most) {
            most = s;
            best = i;
        }
    }
    return best;
}

#endif
