/* Fuzz target for the model reader: any bytes are read without crash, hang or leak, and what was
 * read is a sound tree.
 *
 *     clang -g -O1 -std=c17 -fsanitize=fuzzer,address,undefined -DSP_VERSION='"0"' -Iinclude -Isrc
 * \
 *           tests/fuzz/fuzz_yaml.c src/base/{arena,diag,status}.c src/model/spec.c \
 *           src/model/spec_set.c src/io/{yaml_read,load}.c -lyaml -lm -o fuzz_yaml
 *     mkdir -p corpus
 *     ./fuzz_yaml -timeout=5 -max_total_time=180 -dict=tests/fuzz/yaml.dict corpus tests/data/yaml
 */
#include "io/yaml_read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stop the fuzzer at a broken invariant. */
static void want(bool sound)
{
    if (!sound) {
        abort();
    }
}

/* Includer: the second half of the input is every file; names differ, so that chains grow. */
typedef struct half {
    const uint8_t *data;
    size_t n;
} half;

static sp_status open_half(void *ctx, const char *from_file, const char *name, char **text,
                           size_t *n, char **resolved_name, sp_error *err)
{
    (void)from_file;
    (void)err;
    const half *h = ctx;
    if (name[0] == 'x') {
        return SP_E_IO;
    }
    *resolved_name = NULL;
    *text = malloc(h->n + 1);
    if (*text) {
        memcpy(*text, h->data, h->n);
    }
    *n = h->n;
    return *text ? SP_OK : SP_E_MEMORY;
}

static void release_half(void *ctx, char *block)
{
    (void)ctx;
    free(block);
}

/* Check one node and return the one after it in file order. */
static const sp_node *check_node(const sp_node *node, const sp_node *root)
{
    int n = 0;
    for (const sp_node *c = node->first; c; c = c->next, n++) {
        want(c->parent == node);
        want((c->key != NULL) == (node->kind == SP_NODE_MAP));
        want(!c->key || sp_node_get(node, c->key) == c);
        want(c->next || node->last == c);
    }
    want(n == node->n_child);
    want((node->text != NULL) == (node->kind == SP_NODE_TEXT));
    want(node->kind != SP_NODE_TEXT || n == 0);
    if (node->first) {
        return node->first;
    }
    while (node != root && !node->next) {
        node = node->parent;
    }
    return node == root ? NULL : node->next;
}

/* Walk the whole tree. */
static void check_tree(const sp_node *root)
{
    for (const sp_node *node = root; node; node = check_node(node, root)) {
        want(node == root || !node->place.file || node->place.line >= 0);
    }
}

/* Apply the last line of the input as an override, and set it as a path. */
static void write_to(sp_spec *spec, const uint8_t *data, size_t size)
{
    size_t n = 0;
    while (n < size && n < 500 && data[size - 1 - n] != '\n') {
        n++;
    }
    char line[512] = "";
    memcpy(line, data + size - n, n);
    line[n] = '\0';
    sp_error err = {.status = SP_OK};
    const sp_status status = sp_spec_override(spec, line, &err);
    want(status == SP_OK || (status == SP_E_INPUT && err.text[0]));
    if (sp_spec_set(spec, line, "1", NULL) == SP_OK) {
        want(sp_spec_get(spec, line) && strcmp(sp_spec_get(spec, line), "1") == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sp_spec *spec = sp_spec_new(NULL);
    sp_arena arena;
    sp_diag diag;
    sp_arena_init(&arena, NULL, 0);
    sp_diag_init(&diag, &arena);
    half h = {data + size / 2, size - size / 2};
    const sp_includer includer = {open_half, release_half, &h};
    const sp_status status =
        sp_yaml_read(spec, "fuzz.yaml", (const char *)data, size, &includer, &diag);
    want(status == SP_OK || status == SP_E_INPUT);
    want((status == SP_OK) == (diag.n_error == 0));
    check_tree(spec->root);
    write_to(spec, data, size);
    check_tree(spec->root);
    sp_arena_free(&arena);
    sp_spec_free(spec);
    return 0;
}
