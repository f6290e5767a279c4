/* STL and OBJ files: the same cube three times, and what is wrong with broken ones. */
#define _POSIX_C_SOURCE 200809L

#include "io/mesh_read.h"
#include "math/hull.h"
#include "math/trimesh.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a file came to. */
typedef struct result {
    sp_arena arena;
    sp_mesh_file mesh;
    sp_error err;
    sp_status status;
} result;

static void read_bytes(result *r, const char *name, const char *bytes, size_t n)
{
    memset(r, 0, sizeof *r);
    sp_arena_init(&r->arena, NULL, 0);
    r->status = sp_mesh_read(name, bytes, n, &r->arena, &r->mesh, &r->err);
}

static void read_text(result *r, const char *name, const char *text)
{
    read_bytes(r, name, text, strlen(text));
}

/* A file of tests/data/meshes. */
static void read_data(result *r, const char *name)
{
    char path[1024];
    static char bytes[100000];
    const char *source = getenv("SPECHT_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/data/meshes/%s", source ? source : ".", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes - 1, f);
    fclose(f);
    bytes[n] = '\0';
    read_bytes(r, name, bytes, n);
}

/* Volume and surface of a mesh, by its triangles. */
static void assert_unit_cube(const sp_mesh_file *m)
{
    double volume = 0.0, area = 0.0;
    for (int t = 0; t < m->n_tri; t++) {
        const int *v = m->tri[t];
        const sp_vec3 a = m->vertex[v[0]], b = m->vertex[v[1]], c = m->vertex[v[2]];
        volume += sp_inner3(a, sp_cross3(b, c)) / 6.0;
        area += 0.5 * sp_length3(sp_cross3(sp_sub3(b, a), sp_sub3(c, a)));
    }
    assert_int_equal(m->n_tri, 12);
    assert_near(volume, 1.0, 1e-15);
    assert_near(area, 6.0, 1e-15);
}

static void a_cube_is_the_same_in_all_formats(void **ctx)
{
    (void)ctx;
    static const char *const name[] = {"cube.stl", "cube_binary.stl", "cube.obj"};
    for (int k = 0; k < 3; k++) {
        result r;
        sp_trimesh mesh;
        sp_hull hull;
        sp_arena scratch;
        read_data(&r, name[k]);
        assert_int_equal(r.status, SP_OK);
        assert_unit_cube(&r.mesh);
        assert_int_equal(r.mesh.n_vertex, k < 2 ? 36 : 8);
        assert_int_equal(r.mesh.single, k < 2);
        sp_arena_init(&scratch, NULL, 0);
        assert_int_equal(sp_trimesh_build(&r.arena, &scratch, r.mesh.n_vertex, r.mesh.vertex,
                                          r.mesh.n_tri, (const int(*)[3])r.mesh.tri, &mesh, NULL),
                         SP_OK);
        assert_int_equal(mesh.n_vertex, 8);
        assert_int_equal(mesh.n_edge, 18);
        assert_int_equal(sp_hull_build(&r.arena, &scratch, r.mesh.n_vertex, r.mesh.vertex,
                                       SP_HULL_FLAT_FLOAT, &hull, NULL),
                         SP_OK);
        assert_int_equal(hull.n_face, 6);
        sp_arena_free(&scratch);
        sp_arena_free(&r.arena);
    }
}

static void assert_refused(const char *name, const char *text, int line, const char *why)
{
    result r;
    read_text(&r, name, text);
    assert_int_equal(r.status, SP_E_INPUT);
    assert_non_null(strstr(r.err.text, why));
    assert_string_equal(r.err.file, name);
    assert_int_equal(r.err.line, line);
    sp_arena_free(&r.arena);
}

static void broken_files_are_told_with_their_line(void **ctx)
{
    (void)ctx;
    assert_refused("a.stl", "", 0, "0 bytes, expected at least 84");
    assert_refused("a.txt", "solid", 0, ".stl or .obj");
    assert_refused("a.stl", "solid x\n", 2, "the file ends, expected 'facet' or 'endsolid'");
    assert_refused("a.stl", "solid x\nendsolid x\n", 0, "no triangles");
    assert_refused("a.stl", "solid\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 x\n", 4,
                   "'x', expected a finite number");
    assert_refused("a.stl", "solid\nfacet normal 0 0 1\n outer lop\n", 3, "'lop', expected 'loop'");
    assert_refused("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999\n", 4,
                   "1e999");
    assert_refused("a.obj", "v 0 0\n", 1, "the line ends, expected a finite number");
    assert_refused("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", 3, "point 3, expected one of the 2");
    assert_refused("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", 3, "2 points, expected 3");
    assert_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", 4, "'x', expected the number");
    assert_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", 4, "point 0");
    assert_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", 4, "point -4");
    assert_refused("a.obj", "# nothing\n", 0, "no triangles");
}

static void binary_files_of_the_wrong_length_are_told(void **ctx)
{
    (void)ctx;
    char bytes[200] = {0};
    result r;
    bytes[80] = 2;
    read_bytes(&r, "b.stl", bytes, 184 - 1);
    assert_int_equal(r.status, SP_E_INPUT);
    assert_non_null(strstr(r.err.text, "183 bytes, expected 184 for the 2 triangles"));
    sp_arena_free(&r.arena);
    memset(bytes + 84 + 12, 0xff, 4); /* NaN */
    read_bytes(&r, "b.stl", bytes, 184);
    assert_int_equal(r.status, SP_E_INPUT);
    assert_non_null(strstr(r.err.text, "triangle 1: a corner is not a finite number"));
    sp_arena_free(&r.arena);
}

/* Every prefix of every file, and every file with one byte changed: read or refused, nothing else.
 */
static void damage_is_refused_or_read(void **ctx)
{
    (void)ctx;
    rng random = {41};
    static const char *const name[] = {"cube.stl", "cube_binary.stl", "cube.obj"};
    for (int k = 0; k < 3; k++) {
        char path[1024], bytes[4000];
        const char *source = getenv("SPECHT_SOURCE_DIR");
        snprintf(path, sizeof path, "%s/tests/data/meshes/%s", source ? source : ".", name[k]);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        const size_t n = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        for (size_t i = 0; i < n + 1000; i++) {
            char *copy = malloc(n + 1);
            const size_t length = i < n ? i : n;
            result r;
            assert_non_null(copy);
            memcpy(copy, bytes, length);
            if (i >= n) {
                copy[rng_int(&random, (int)n)] = (char)rng_int(&random, 256);
            }
            copy[length] = '\0';
            read_bytes(&r, name[k], copy, length);
            assert_true(r.status == SP_OK || (r.status == SP_E_INPUT && r.err.text[0]));
            sp_arena_free(&r.arena);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_the_same_in_all_formats),
        cmocka_unit_test(broken_files_are_told_with_their_line),
        cmocka_unit_test(binary_files_of_the_wrong_length_are_told),
        cmocka_unit_test(damage_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
