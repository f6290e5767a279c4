/* math/trimesh.h - triangles as surroundings: who lies beside whom, and which are near a box.
 *
 * Boxes of triangles stand in a tree whose nodes are halved along their longest side.
 * theory (21.17)-(21.19) */
#ifndef SP_MATH_TRIMESH_H
#define SP_MATH_TRIMESH_H

#include "base/arena.h"
#include "base/status.h"
#include "math/box3.h"

enum { SP_TRIMESH_MAX = 1 << 20 };

/* A node of the tree: its two children, or the triangles of a leaf. */
typedef struct sp_trimesh_node {
    sp_box3 box;
    int first; /* n_tri > 0: first of its triangles in order; else the first child, the second
                * follows */
    int n_tri;
} sp_trimesh_node;

typedef struct sp_trimesh {
    int n_vertex, n_tri, n_edge, n_node;
    sp_vec3 *vertex;
    int (*tri)[3];      /* corners, counter-clockwise seen from the front          */
    int (*tri_edge)[3]; /* the edge from corner k to the next                      */
    int (*edge)[2];     /* its corners, the first smaller                          */
    int (*edge_tri)[2]; /* triangles at it; the second -1: the rim of the surface  */
    int *around;        /* n_vertex + 1: where the neighbours of a corner begin in beside */
    int *beside;        /* 2 n_edge: corners that share an edge                    */
    int *patch;         /* n_tri: the first triangle of those around it that lie in one plane */
    int *order;         /* n_tri: triangles as the leaves have them                */
    sp_trimesh_node *node;
    int n_flat; /* triangles without area that were left out               */
} sp_trimesh;

/* Corners in one place are joined, triangles without area left out.  SP_E_INPUT if there is no
 * triangle left, a corner is not finite, or an edge has more than two triangles or two that face
 * different ways; the text does not name the element. */
sp_status sp_trimesh_build(sp_arena *arena, sp_arena *scratch, int n_vertex, const sp_vec3 *x,
                           int n_tri, const int (*tri)[3], sp_trimesh *mesh, sp_error *err);

/* Triangles whose boxes meet a box (of the mesh's own frame), one after the other: begin with
 * *at = 0; -1: no more. */
typedef struct sp_trimesh_walk {
    int stack[64];
    int top, leaf, next;
} sp_trimesh_walk;
void sp_trimesh_begin(sp_trimesh_walk *walk);
int sp_trimesh_next(const sp_trimesh *mesh, const sp_box3 *box, sp_trimesh_walk *walk);

#endif
