/* io/mesh.h - shapes as triangles, for programs that show surfaces.
 *
 * Planar shapes become thin plates about z = 0.  Every face has points and normals of its own. */
#ifndef SP_IO_MESH_H
#define SP_IO_MESH_H

#include "model/scene.h"

#include <stdint.h>

typedef struct sp_mesh {
    size_t n_point, n_triangle;
    float (*point)[3], (*normal)[3]; /* n_point                                */
    uint32_t (*triangle)[3];         /* n_triangle, counter-clockwise outside  */
    size_t point_room, triangle_room;
    bool failed; /* there was no memory */
} sp_mesh;

/* Sizes that shapes do not say themselves [m]. */
typedef struct sp_mesh_look {
    double extent; /* half the length of what is endless, lines and planes */
    double dot;    /* radius of points, width of segments                  */
    double half;   /* half the thickness of a plate                        */
    bool spatial;  /* points are balls, rods are round                     */
} sp_mesh_look;

/* Add a shape.  Begin with a mesh that is all zero; give it back with sp_mesh_free. */
void sp_mesh_add(sp_mesh *mesh, const sp_shape *shape, const sp_mesh_look *look);

/* Add a rod of radius r from the origin to (1, 0, 0): springs are drawn by scaling it. */
void sp_mesh_add_rod(sp_mesh *mesh, double r);

/* Cut the triangles from number 'first' on along the planes at n rising x, so that the mesh can
 * bend there; the surface and its normals stay. */
void sp_mesh_cut(sp_mesh *mesh, size_t first, int n, const double *x);

void sp_mesh_free(sp_mesh *mesh);

#endif
