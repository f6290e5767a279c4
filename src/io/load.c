/* Model files and what they include, merged into one spec. */
#define _POSIX_C_SOURCE 200809L

#include "io/mesh_read.h"
#include "io/part_file.h"
#include "io/rows_read.h"
#include "io/yaml_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { INCLUDE_DEPTH_MAX = 16, FILE_COUNT_MAX = 1000, FIRST_CHUNK = 1 << 14 };

/* A file that is read, or waits to be. */
typedef struct file_item {
    const char *name, *text;
    size_t n;
    const struct file_item *from; /* that includes it */
    int depth;
    sp_node *tree;
    struct file_item *next;
} file_item;

typedef struct loader {
    sp_spec *spec;
    sp_diag *diag;
    const sp_includer *includer;
    file_item *first, *last;
    int n_file;
    size_t bytes;
} loader;

/* ---- the default includer: files ---- */

/* Read a stream to its end into a block of the allocator. */
static sp_status read_stream(FILE *stream, const sp_allocator *a, const char *name, char **text,
                             size_t *n, sp_error *err)
{
    size_t room = FIRST_CHUNK;
    *n = 0;
    *text = a->alloc(a->ctx, room);
    while (*text) {
        *n += fread(*text + *n, 1, room - *n, stream);
        if (*n < room) {
            break;
        }
        if (*n > SP_SPEC_BYTES_MAX) {
            return SP_FAIL(err, SP_E_INPUT, "'%.200s' is larger than %d MB", name,
                           SP_SPEC_BYTES_MAX >> 20);
        }
        char *larger = a->alloc(a->ctx, 2 * room);
        if (larger) {
            memcpy(larger, *text, *n);
        }
        a->release(a->ctx, *text);
        *text = larger;
        room *= 2;
    }
    if (!*text) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory while reading '%.200s'", name);
    }
    if (ferror(stream)) {
        char why[128] = "read error";
        strerror_r(errno, why, sizeof why);
        return SP_FAIL(err, SP_E_IO, "'%.200s' cannot be read: %s", name, why);
    }
    return SP_OK;
}

/* Read a whole file. */
static sp_status read_file(const sp_allocator *a, const char *path, char **text, size_t *n,
                           sp_error *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        char why[128] = "no such file";
        strerror_r(errno, why, sizeof why);
        return SP_FAIL(err, SP_E_IO, "'%.200s' cannot be read: %s", path, why);
    }
    const sp_status status = read_stream(stream, a, path, text, n, err);
    fclose(stream);
    if (status != SP_OK && *text) {
        a->release(a->ctx, *text);
        *text = NULL;
    }
    return status;
}

/* The name of a file relative to the folder of another. */
static char *resolve(const sp_allocator *a, const char *from_file, const char *name)
{
    while (name[0] == '.' && name[1] == '/') {
        name += 2;
    }
    const char *slash = from_file && name[0] != '/' ? strrchr(from_file, '/') : NULL;
    const size_t n_folder = slash ? (size_t)(slash - from_file) + 1 : 0, n = strlen(name);
    char *path = a->alloc(a->ctx, n_folder + n + 1);
    if (path) {
        memcpy(path, from_file ? from_file : "", n_folder);
        memcpy(path + n_folder, name, n + 1);
    }
    return path;
}

/* Includer: read a file relative to the including one.  ctx is the allocator. */
static sp_status open_beside(void *ctx, const char *from_file, const char *name, char **text,
                             size_t *n, char **resolved_name, sp_error *err)
{
    const sp_allocator *a = ctx;
    *text = NULL;
    *resolved_name = resolve(a, from_file, name);
    if (!*resolved_name) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory while reading '%.200s'", name);
    }
    const sp_status status = read_file(a, *resolved_name, text, n, err);
    if (status != SP_OK) {
        a->release(a->ctx, *resolved_name);
        *resolved_name = NULL;
    }
    return status;
}

/* Includer: give a block back. */
static void release_block(void *ctx, char *block)
{
    const sp_allocator *a = ctx;
    a->release(a->ctx, block);
}

/* ---- including ---- */

/* Put a file at the end of the queue; name and text are copied. */
static sp_status add_file(loader *l, const char *name, const char *text, size_t n,
                          const file_item *from, sp_place place)
{
    if (n > SP_SPEC_BYTES_MAX - l->bytes || l->n_file >= FILE_COUNT_MAX) {
        sp_diag_add(l->diag, SP_ERROR, place, "more than %d MB of model text, or %d files",
                    SP_SPEC_BYTES_MAX >> 20, (int)FILE_COUNT_MAX);
        return SP_E_INPUT;
    }
    file_item *item = SP_NEW(&l->spec->arena, file_item, 1);
    char *copy = sp_arena_text(&l->spec->arena, text, n);
    char *copied_name = sp_arena_copy(&l->spec->arena, name);
    if (!item || !copy || !copied_name) {
        return SP_E_MEMORY;
    }
    *item = (file_item){copied_name, copy, n, from, from ? from->depth + 1 : 0, NULL, NULL};
    if (l->last) {
        l->last->next = item;
    } else {
        l->first = item;
    }
    l->last = item;
    l->n_file++;
    l->bytes += n;
    return SP_OK;
}

/* Report the chain of files that leads to name: "a.yaml -> b.yaml -> a.yaml". */
static void report_chain(const loader *l, const file_item *from, const char *name, sp_place place,
                         const char *what)
{
    const file_item *chain[INCLUDE_DEPTH_MAX + 1];
    int n = 0;
    for (; from && n <= INCLUDE_DEPTH_MAX; from = from->from) {
        chain[n++] = from;
    }
    char text[800] = "";
    size_t used = 0;
    while (n-- > 0 && used < sizeof text) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ", chain[n]->name);
    }
    sp_diag_add(l->diag, SP_ERROR, place, "include: %s: %s%s", what, text, name);
}

/* Whether a file is among those that led to the including one. */
static bool leads_to(const file_item *from, const char *name)
{
    while (from && strcmp(from->name, name) != 0) {
        from = from->from;
    }
    return from != NULL;
}

/* Whether a file was read already (a second include adds nothing). */
static bool is_known(const loader *l, const char *name)
{
    const file_item *item = l->first;
    while (item && strcmp(item->name, name) != 0) {
        item = item->next;
    }
    return item != NULL;
}

/* Queue an opened file, if it is new. */
static sp_status queue_file(loader *l, const file_item *from, const char *name, const char *text,
                            size_t n, sp_place place)
{
    if (leads_to(from, name)) {
        report_chain(l, from, name, place, "files include each other");
        return SP_E_INPUT;
    }
    if (is_known(l, name)) {
        return SP_OK;
    }
    if (from->depth + 1 > INCLUDE_DEPTH_MAX) {
        report_chain(l, from, name, place, "files include each other deeper than 16");
        return SP_E_INPUT;
    }
    return add_file(l, name, text, n, from, place);
}

/* Open one file named under `include:`. */
static sp_status include_one(loader *l, const file_item *from, const sp_node *node)
{
    if (node->kind != SP_NODE_TEXT || !node->text[0]) {
        sp_diag_add(l->diag, SP_ERROR, node->place, "include: expected a file name or a list");
        return SP_E_INPUT;
    }
    const sp_includer *inc = l->includer;
    char *text = NULL, *resolved = NULL;
    size_t n = 0;
    sp_error err = {.status = SP_OK};
    sp_status status = inc->open(inc->ctx, from->name, node->text, &text, &n, &resolved, &err);
    if (status == SP_OK) {
        status = queue_file(l, from, resolved ? resolved : node->text, text, n, node->place);
    } else if (status != SP_E_MEMORY) {
        sp_diag_add(l->diag, SP_ERROR, node->place, "include: %s",
                    err.text[0] ? err.text : "the file cannot be read");
        status = SP_E_INPUT;
    }
    if (text) {
        inc->release(inc->ctx, text);
    }
    if (resolved) {
        inc->release(inc->ctx, resolved);
    }
    return status;
}

/* Open all files that a file includes. */
static sp_status include_all(loader *l, const file_item *from)
{
    const sp_node *node = sp_node_get(from->tree, "include");
    if (node && node->kind == SP_NODE_LIST) {
        for (const sp_node *c = node->first; c; c = c->next) {
            SP_TRY(include_one(l, from, c));
        }
        return SP_OK;
    }
    return node ? include_one(l, from, node) : SP_OK;
}

/* ---- merging ---- */

/* Whether the same key may stand in both files: equal leaves, and the name, which is that of the
 * first file. */
static bool agree(const sp_node *a, const sp_node *b)
{
    return a->kind == SP_NODE_TEXT && b->kind == SP_NODE_TEXT &&
           (strcmp(a->text, b->text) == 0 || strcmp(a->key, "name") == 0);
}

/* Whether maps of two files under the same key become one: sections, and what the ground carries,
 * since the ground is nobody's own. */
static bool may_merge(const sp_node *a, const sp_node *b, int level)
{
    if (a->kind != SP_NODE_MAP || b->kind != SP_NODE_MAP) {
        return false;
    }
    const sp_node *up = a->parent;
    return level == 0 ||
           (level == 1 && strcmp(up->key, "bodies") == 0 && strcmp(a->key, "ground") == 0) ||
           level == 2;
}

/* Report a key that is in the map already. */
static void report_twin(const loader *l, const sp_node *map, const sp_node *twin, const sp_node *c)
{
    char where[160], before[320] = "was set from C already";
    sp_node_where(map, where, sizeof where);
    const sp_place other = twin->key_place;
    if (other.file) {
        snprintf(before, sizeof before, "is already in %.200s:%d:%d", other.file, other.line,
                 other.column);
    }
    sp_diag_add(l->diag, SP_ERROR, c->key_place, "%s%s'%.60s' %s, names must stay unique", where,
                where[0] ? ": " : "", c->key, before);
}

/* Move the children of one map into another.  Goes down at most three levels. */
static sp_status merge(loader *l, sp_node *into, const sp_node *from, int level)
{
    sp_node *next;
    for (sp_node *c = from->first; c; c = next) {
        next = c->next;
        sp_node *twin = sp_node_get(into, c->key);
        if (level == 0 && strcmp(c->key, "include") == 0) {
            continue;
        }
        if (!twin) {
            if (!sp_node_append(l->spec, into, c)) {
                return SP_E_MEMORY;
            }
        } else if (may_merge(twin, c, level)) {
            SP_TRY(merge(l, twin, c, level + 1));
        } else if (level > 0 || !agree(twin, c)) {
            report_twin(l, into, twin, c);
        }
    }
    return SP_OK;
}

/* Read all files of the queue, which grows meanwhile.  Errors that reading survives are in diag. */
static sp_status read_all(loader *l)
{
    for (file_item *item = l->first; item; item = item->next) {
        const sp_status status =
            sp_yaml_tree(l->spec, item->name, item->text, item->n, l->diag, &item->tree);
        if (!item->tree) {
            return status;
        }
        SP_TRY(include_all(l, item));
    }
    return SP_OK;
}

/* Put all files that were read into the spec. */
static sp_status merge_all(loader *l)
{
    if (!l->spec->root->place.file) {
        l->spec->root->place = l->first->tree->place;
    }
    for (const file_item *item = l->first; item; item = item->next) {
        SP_TRY(merge(l, l->spec->root, item->tree, 0));
        if (!sp_spec_add_source(l->spec, item->name, item->text, item->n)) {
            return SP_E_MEMORY;
        }
    }
    return SP_OK;
}

/* What the reading came to: errors that could not be kept for want of memory count. */
static sp_status outcome(const sp_diag *diag, int n_error_before)
{
    int n_kept = 0;
    for (const sp_message *m = diag->first; m; m = m->next) {
        n_kept += m->severity == SP_ERROR;
    }
    if (n_kept < diag->n_error && n_kept < SP_DIAG_MAX) {
        return SP_E_MEMORY;
    }
    return diag->n_error > n_error_before ? SP_E_INPUT : SP_OK;
}

/* ---- files that contours and elastic bodies name -------------------------------------------- */

enum { FILE_BYTES_MAX = 256 << 20 };

/* Whether a file that is named beside another one was read already. */
static bool is_read(const sp_spec *spec, const char *from, const char *name)
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
    const sp_part *part = NULL;
    sp_status status = SP_E_MEMORY;
    memset(&file, 0, sizeof file);
    if (copy && mesh) {
        status = strcmp(node->key, "file") == 0
                     ? sp_part_read(node->text, copy, n, &spec->arena, &part, err)
                     : sp_mesh_read(node->text, copy, n, &spec->arena, &file, err);
    }
    if (status == SP_OK) {
        *mesh = (sp_spec_mesh){.from = node->place.file,
                               .name = node->text,
                               .n_vertex = file.n_vertex,
                               .n_tri = file.n_tri,
                               .vertex = file.vertex,
                               .tri = file.tri,
                               .single = file.single,
                               .part = part,
                               .bytes = copy,
                               .n_byte = n,
                               .next = spec->first_mesh};
        spec->first_mesh = mesh;
    }
    return status;
}

/* Open and read the file that a contour or an elastic body names. */
static sp_status load_one(sp_spec *spec, const sp_includer *inc, const sp_node *node, sp_diag *diag)
{
    if (!node || node->kind != SP_NODE_TEXT || !node->text[0] ||
        is_read(spec, node->place.file, node->text)) {
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

/* Read the files named by `polytope` and `mesh` of contours and by `elastic` of bodies. */
static sp_status load_meshes_of(sp_spec *spec, const sp_includer *includer, const sp_node *bodies,
                                sp_diag *diag)
{
    sp_status worst = SP_OK;
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
        const sp_status status =
            load_one(spec, includer, sp_node_get(sp_node_get(body, "elastic"), "file"), diag);
        if (status == SP_E_MEMORY) {
            return status;
        }
        worst = status != SP_OK ? status : worst;
    }
    return worst;
}

/* Those of the model and of its templates, each once, into spec->first_mesh; what is wrong is added
 * to diag.  SP_OK, or SP_E_MEMORY, SP_E_INPUT after errors. */
static sp_status load_meshes(sp_spec *spec, const sp_includer *includer, sp_diag *diag)
{
    sp_status worst = load_meshes_of(spec, includer, sp_node_get(spec->root, "bodies"), diag);
    const sp_node *templates = sp_node_get(spec->root, "templates");
    for (const sp_node *t = templates ? templates->first : NULL; t; t = t->next) {
        const sp_status status =
            worst == SP_E_MEMORY ? worst
                                 : load_meshes_of(spec, includer, sp_node_get(t, "bodies"), diag);
        worst = status != SP_OK ? status : worst;
    }
    return worst;
}

/* ---- tables in files ------------------------------------------------------------------------ */

/* What files are read for: tables, and functions given by points. */
typedef struct csv_kind {
    const char *section, *noun, *key[2];
    sp_status (*read)(sp_spec *, sp_node *, const char *, const char *, size_t, sp_diag *);
} csv_kind;

/* Fill in a table or function from its file, which becomes one of the sources. */
static sp_status load_table(loader *l, const csv_kind *kind, sp_node *table, const sp_node *node)
{
    const sp_includer *inc = l->includer;
    char *text = NULL, *resolved = NULL;
    size_t n = 0;
    sp_error err = {.status = SP_OK};
    if (sp_node_get(table, kind->key[0]) || sp_node_get(table, kind->key[1])) {
        sp_diag_add(l->diag, SP_ERROR, node->key_place,
                    "%s '%.60s': 'file' has the %s and %s, expected no others", kind->noun,
                    table->key, kind->key[0], kind->key[1]);
        return SP_OK;
    }
    sp_status status =
        inc->open(inc->ctx, node->place.file, node->text, &text, &n, &resolved, &err);
    if (status == SP_OK) {
        const char *name = sp_arena_copy(&l->spec->arena, resolved ? resolved : node->text);
        const char *copy = sp_arena_text(&l->spec->arena, text, n);
        const bool good = name && copy && sp_spec_add_source(l->spec, name, copy, n);
        status = good ? kind->read(l->spec, table, name, copy, n, l->diag) : SP_E_MEMORY;
    } else if (status != SP_E_MEMORY) {
        sp_diag_add(l->diag, SP_ERROR, node->place, "%s '%.60s': %s", kind->noun, table->key,
                    err.text[0] ? err.text : "the file cannot be read");
        status = SP_OK;
    }
    if (text) {
        inc->release(inc->ctx, text);
    }
    if (resolved) {
        inc->release(inc->ctx, resolved);
    }
    return status;
}

/* Read the files that tables and functions name. */
static sp_status load_tables(loader *l)
{
    static const csv_kind kind[] = {
        {"tables", "table", {"columns", "rows"}, sp_rows_read},
        {"functions", "function", {"points", "units"}, sp_points_read},
    };
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        sp_node *tables = sp_node_get(l->spec->root, kind[k].section);
        for (sp_node *t = tables ? tables->first : NULL; t; t = t->next) {
            const sp_node *file = sp_node_get(t, "file");
            if (file && file->kind == SP_NODE_TEXT && file->text && file->text[0]) {
                SP_TRY(load_table(l, &kind[k], t, file));
            }
        }
    }
    return SP_OK;
}

/* Read all files and merge them into the spec. */
static sp_status load(loader *l)
{
    SP_TRY(read_all(l));
    SP_TRY(merge_all(l));
    SP_TRY(load_tables(l));
    return load_meshes(l->spec, l->includer, l->diag);
}

sp_status sp_yaml_read(sp_spec *spec, const char *file_name, const char *text, size_t n,
                       const sp_includer *includer, sp_diag *diag)
{
    const sp_includer files = {open_beside, release_block, &spec->arena.allocator};
    loader l = {.spec = spec, .diag = diag, .includer = includer ? includer : &files};
    const int n_error = diag->n_error;
    const sp_place place = {file_name, 0, 0};
    sp_status status = add_file(&l, file_name, text, n, NULL, place);
    if (status == SP_OK) {
        status = load(&l);
    }
    return status == SP_E_MEMORY ? status : outcome(diag, n_error);
}

sp_status sp_yaml_read_file(sp_spec *spec, const char *path, sp_diag *diag)
{
    const sp_allocator *a = &spec->arena.allocator;
    char *text = NULL;
    size_t n = 0;
    sp_error err;
    const sp_status status = read_file(a, path, &text, &n, &err);
    if (status != SP_OK) {
        const sp_place nowhere = {NULL, 0, 0};
        sp_diag_add(diag, SP_ERROR, nowhere, "%s", err.text);
        return status;
    }
    const sp_status read = sp_yaml_read(spec, path, text, n, NULL, diag);
    a->release(a->ctx, text);
    return read;
}

/* Turn the outcome of a reading into one error. */
static sp_status finish(sp_status status, const sp_diag *diag, const char *file, sp_error *err)
{
    if (status == SP_E_MEMORY) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory while reading '%.200s'", file);
    }
    const sp_status first = sp_diag_status(diag, err);
    if (err && first == SP_E_INPUT) {
        err->status = status;
    }
    return first == SP_E_MEMORY ? first : status;
}

sp_status sp_spec_load_file(sp_spec *spec, const char *path, sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, &spec->arena.allocator, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    const sp_status status = finish(sp_yaml_read_file(spec, path, &diag), &diag, path, err);
    sp_arena_free(&arena);
    return status;
}

sp_status sp_spec_load_text(sp_spec *spec, const char *file_name, const char *text, size_t n,
                            const sp_includer *includer, sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, &spec->arena.allocator, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    const sp_status status =
        finish(sp_yaml_read(spec, file_name, text, n, includer, &diag), &diag, file_name, err);
    sp_arena_free(&arena);
    return status;
}
