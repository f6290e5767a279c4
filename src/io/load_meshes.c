#include "io/load_meshes.h"

#include "io/mesh_read.h"

#include <string.h>

enum { FILE_BYTES_MAX = 256 << 20 };

/* Whether a file that is named beside another one was read already. */
static bool is_known(const sp_spec *spec, const char *from, const char *name)
{
    return sp_spec_find_mesh(spec, from, name) != NULL;
}

/* Read the bytes of a file into the spec. */
static sp_status take(sp_spec *spec, const sp_node *node, const char *bytes, size_t n,
                      sp_error *err)
{
    sp_mesh_file file;
    if (n > FILE_BYTES_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "%zu bytes, expected at most %d MB", n,
                       FILE_BYTES_MAX >> 20);
    }
    const char *copy = sp_arena_text(&spec->arena, bytes, n); /* results keep it */
    sp_spec_mesh *mesh = SP_NEW(&spec->arena, sp_spec_mesh, 1);
    sp_status status = SP_E_MEMORY;
    if (copy && mesh) {
        status = sp_mesh_read(node->text, copy, n, &spec->arena, &file, err);
    }
    if (status == SP_OK) {
        *mesh = (sp_spec_mesh){.from = node->place.file,
                               .name = node->text,
                               .n_vertex = file.n_vertex,
                               .n_tri = file.n_tri,
                               .vertex = file.vertex,
                               .tri = file.tri,
                               .single = file.single,
                               .bytes = copy,
                               .n_byte = n,
                               .next = spec->first_mesh};
        spec->first_mesh = mesh;
    }
    return status;
}

/* Open and read the file that a contour names under key. */
static sp_status load_one(sp_spec *spec, const sp_includer *inc, const sp_node *node, sp_diag *diag)
{
    if (!node || node->kind != SP_NODE_TEXT || !node->text[0] ||
        is_known(spec, node->place.file, node->text)) {
        return SP_OK; /* anything else is reported by the grammar */
    }
    char *bytes = NULL, *resolved = NULL;
    size_t n = 0;
    sp_error err = {.status = SP_OK};
    sp_status status =
        inc->open(inc->ctx, node->place.file, node->text, &bytes, &n, &resolved, &err);
    if (status == SP_OK) {
        status = take(spec, node, bytes, n, &err);
    }
    if (status != SP_OK && status != SP_E_MEMORY) {
        if (err.line > 0) {
            sp_diag_add(diag, SP_ERROR, node->place, "%s: %.200s:%d: %s", node->key, node->text,
                        err.line, err.text);
        } else {
            sp_diag_add(diag, SP_ERROR, node->place, "%s: %.200s: %s", node->key, node->text,
                        err.text[0] ? err.text : "the file cannot be read");
        }
        status = SP_E_INPUT;
    }
    if (bytes) {
        inc->release(inc->ctx, bytes);
    }
    if (resolved) {
        inc->release(inc->ctx, resolved);
    }
    return status;
}

sp_status sp_load_meshes(sp_spec *spec, const sp_includer *includer, sp_diag *diag)
{
    sp_status worst = SP_OK;
    const sp_node *bodies = sp_node_get(spec->root, "bodies");
    for (const sp_node *body = bodies ? bodies->first : NULL; body; body = body->next) {
        const sp_node *contours = sp_node_get(body, "contours");
        for (const sp_node *c = contours ? contours->first : NULL; c; c = c->next) {
            static const char *const key[] = {"polytope", "mesh"};
            for (int k = 0; k < 2; k++) {
                const sp_status status = load_one(spec, includer, sp_node_get(c, key[k]), diag);
                if (status == SP_E_MEMORY) {
                    return status;
                }
                worst = status != SP_OK ? status : worst;
            }
        }
    }
    return worst;
}
