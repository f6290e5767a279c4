/* io/mesh_read.h - triangles from STL files (text and binary) and OBJ files. */
#ifndef SP_IO_MESH_READ_H
#define SP_IO_MESH_READ_H

#include "base/arena.h"
#include "base/status.h"
#include "math/space.h"

#include <stdbool.h>

/* Points and triangles as the file has them: an STL file repeats its points.  Polygons of an OBJ
 * file are cut into fans. */
typedef struct sp_mesh_file {
    int n_vertex, n_tri;
    sp_vec3 *vertex;
    int (*tri)[3];
    bool single; /* the numbers have single precision */
} sp_mesh_file;

/* Read n bytes, after which there is a zero; the name ends with .stl or .obj.  SP_E_INPUT with name
 * and line (binary files: 0) in err.  No more memory is taken than the bytes can back. */
sp_status sp_mesh_read(const char *name, const char *bytes, size_t n, sp_arena *arena,
                       sp_mesh_file *mesh, sp_error *err);

#endif
