/* Fuzz target for the readers of STL and OBJ files: any bytes are read without crash, hang or leak,
 * no more memory is taken than they can back, and what was read becomes a mesh and a hull, or is
 * refused with a text.  The first byte says which of the two it is.  'make fuzz' builds and runs
 * it. */
#include "io/mesh_read.h"
#include "math/hull.h"
#include "math/trimesh.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stop the fuzzer at a broken promise. */
static void want(bool kept)
{
    if (!kept) {
        abort();
    }
}

/* A mesh of what was read: its edges and triangles fit, its tree has them all. */
static void check_mesh(const sp_mesh_file *m)
{
    sp_arena arena, scratch;
    sp_trimesh mesh;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    if (sp_trimesh_build(&arena, &scratch, m->n_vertex, m->vertex, m->n_tri,
                         (const int(*)[3])m->tri, &mesh, &err) == SP_OK) {
        const sp_box3 all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        sp_trimesh_walk walk;
        int n = 0;
        sp_trimesh_begin(&walk);
        while (sp_trimesh_next(&mesh, &all, &walk) >= 0) {
            n++;
        }
        want(n == mesh.n_tri && mesh.n_tri + mesh.n_flat == m->n_tri);
    } else {
        want(err.text[0] != '\0');
    }
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

static void check_hull(const sp_mesh_file *m)
{
    sp_arena arena, scratch;
    sp_hull hull;
    sp_error err = {.status = SP_OK};
    sp_arena_init(&arena, NULL, 0);
    sp_arena_init(&scratch, NULL, 0);
    if (sp_hull_build(&arena, &scratch, m->n_vertex, m->vertex,
                      m->single ? SP_HULL_FLAT_FLOAT : SP_HULL_FLAT, &hull, &err) == SP_OK) {
        want(hull.n_vertex - hull.n_edge + hull.n_face == 2 && hull.inner > 0.0);
    } else {
        want(err.text[0] != '\0');
    }
    sp_arena_free(&arena);
    sp_arena_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sp_arena arena;
    sp_mesh_file mesh;
    sp_error err = {.status = SP_OK};
    char *bytes = size > 0 ? malloc(size + 1) : NULL;
    if (!bytes) {
        return 0;
    }
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    sp_arena_init(&arena, NULL, 0);
    const char *name = strchr("#ovf", bytes[0]) ? "fuzz.obj" : "fuzz.stl"; /* a zero is one, too */
    const sp_status status = sp_mesh_read(name, bytes, size, &arena, &mesh, &err);
    want(arena.bytes <= ((size_t)3 << 20) + 64 * size);
    if (status == SP_OK) {
        check_mesh(&mesh);
        check_hull(&mesh);
    } else {
        want(status == SP_E_INPUT && err.text[0] && strcmp(err.file, name) == 0);
    }
    sp_arena_free(&arena);
    free(bytes);
    return 0;
}
