#include "model/spec.h"

#include "base/status.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { INDEX_FROM = 8, POOL_BLOCK = 1 << 14, POOL_TEXT_MAX = 256 };

/* A place where keys part: bit `mask` of byte `byte` says which way. */
struct sp_index_branch {
    size_t byte;
    unsigned char mask;
    sp_index_link child[2];
};

/* Byte i of a key of n bytes; behind its end, zero. */
static unsigned char byte_at(const char *key, size_t n, size_t i)
{
    return i < n ? (unsigned char)key[i] : 0;
}

/* The way a key takes at a branch. */
static int way(const sp_index_branch *b, const char *key, size_t n)
{
    return (byte_at(key, n, b->byte) & b->mask) != 0;
}

const sp_index_link *sp_index_find(const sp_index_link *index, const char *key, size_t n)
{
    while (index->branch) { /* to the one leaf that key could be equal to */
        index = &index->branch->child[way(index->branch, key, n)];
    }
    return index->key && strncmp(index->key, key, n) == 0 && index->key[n] == '\0' ? index : NULL;
}

sp_node *sp_index_get(const sp_index_link *index, const char *key, size_t n)
{
    const sp_index_link *leaf = sp_index_find(index, key, n);
    return leaf ? leaf->node : NULL;
}

/* The highest bit in which two bytes differ. */
static unsigned char highest_bit(unsigned char difference)
{
    unsigned char mask = 0x80;
    while (!(difference & mask)) {
        mask = (unsigned char)(mask >> 1);
    }
    return mask;
}

bool sp_index_put(sp_index_link *index, sp_arena *arena, sp_index_link leaf)
{
    const char *key = leaf.key;
    const size_t n = strlen(key);
    sp_index_link *near = index, *at = index;
    while (near->branch) {
        near = &near->branch->child[way(near->branch, key, n)];
    }
    /* where the new key parts from its nearest */
    const size_t n_near = near->key ? strlen(near->key) : 0;
    size_t byte = 0;
    while (byte < n && byte < n_near && key[byte] == near->key[byte]) {
        byte++;
    }
    if (!near->key || (byte == n && byte == n_near)) { /* empty, or the same key again */
        *near = leaf;
        return true;
    }
    sp_index_branch *b = SP_NEW(arena, sp_index_branch, 1);
    if (!b) {
        return false;
    }
    b->byte = byte;
    b->mask =
        highest_bit((unsigned char)(byte_at(key, n, byte) ^ byte_at(near->key, n_near, byte)));
    /* branches come in the order of bits along every way */
    while (at->branch &&
           (at->branch->byte < byte || (at->branch->byte == byte && at->branch->mask > b->mask))) {
        at = &at->branch->child[way(at->branch, key, n)];
    }
    const int side = way(b, key, n);
    b->child[side] = leaf;
    b->child[!side] = *at;
    *at = (sp_index_link){.branch = b};
    return true;
}

/* The child of a map under a key of n bytes. */
static sp_node *get(const sp_node *map, const char *key, size_t n)
{
    if (map->index) {
        return sp_index_get(map->index, key, n);
    }
    for (sp_node *c = map->first; c; c = c->next) {
        if (strncmp(c->key, key, n) == 0 && c->key[n] == '\0') {
            return c;
        }
    }
    return NULL;
}

sp_node *sp_node_get(const sp_node *map, const char *key)
{
    return map && map->kind == SP_NODE_MAP ? get(map, key, strlen(key)) : NULL;
}

bool sp_node_keys_are_paths(const sp_node *map)
{
    return map->kind != SP_NODE_LIST && map->key && map->parent && !map->parent->parent &&
           strcmp(map->key, "start") == 0;
}

int sp_path_number(const char *text, size_t n)
{
    int number = 0;
    if (n == 0 || n > 8 || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return 0;
        }
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

bool sp_path_next(const char **path, const char **key, size_t *n)
{
    const char *end = NULL;
    if (**path == '"') {
        *key = *path + 1;
        const char *close = strchr(*key, '"');
        if (!close || (close[1] != '\0' && close[1] != '.')) {
            return false;
        }
        *n = (size_t)(close - *key);
        end = close + 1;
    } else {
        *key = *path;
        *n = strcspn(*path, ".");
        end = *path + *n;
    }
    if (*n == 0 || *n > SP_SPEC_KEY_MAX || (*end == '.' && end[1] == '\0')) {
        return false;
    }
    *path = *end == '.' ? end + 1 : end;
    return true;
}

/* The child of a map whose key is the longest beginning of *path. */
static sp_node *step_in_map(const sp_node *map, const char **path)
{
    size_t n = strlen(*path);
    while (n > 0) {
        sp_node *child = n <= SP_SPEC_KEY_MAX ? get(map, *path, n) : NULL;
        if (child) {
            *path += (*path)[n] == '.' ? n + 1 : n;
            return child;
        }
        do { /* back to the dot before */
            n--;
        } while (n > 0 && (*path)[n] != '.');
    }
    return NULL;
}

sp_node *sp_node_step(const sp_node *node, const char **path)
{
    const char *rest = *path, *key;
    size_t n;
    if (node->kind == SP_NODE_MAP && *rest != '"') {
        return step_in_map(node, path);
    }
    if (node->kind == SP_NODE_TEXT || !sp_path_next(&rest, &key, &n)) {
        return NULL;
    }
    sp_node *child = NULL;
    if (node->kind == SP_NODE_MAP) {
        child = get(node, key, n);
    } else {
        const int number = sp_path_number(key, n);
        child = number > 0 && number <= node->n_child ? node->first : NULL;
        for (int i = 1; child && i < number; i++) {
            child = child->next;
        }
    }
    if (child) {
        *path = rest;
    }
    return child;
}

sp_node *sp_node_path(const sp_node *node, const char *path)
{
    if (!node || strlen(path) > SP_SPEC_PATH_MAX) {
        return NULL;
    }
    const size_t n = strlen(path);
    if (n > 0 && path[n - 1] == '.') {
        return NULL;
    }
    sp_node *at = NULL;
    while (*path) {
        at = sp_node_step(at ? at : node, &path);
        if (!at) {
            return NULL;
        }
    }
    return at;
}

/* Position of a node in its list, from 1. */
static int number_in_list(const sp_node *node)
{
    int number = 1;
    for (const sp_node *c = node->parent->first; c && c != node; c = c->next) {
        number++;
    }
    return number;
}

void sp_node_where(const sp_node *node, char *buffer, size_t size)
{
    const sp_node *chain[SP_SPEC_DEPTH_MAX + 2];
    int n = 0;
    for (; node && node->parent && n < SP_SPEC_DEPTH_MAX + 2; node = node->parent) {
        chain[n++] = node;
    }
    size_t used = 0;
    if (size > 0) {
        buffer[0] = '\0';
    }
    while (n-- > 0 && used < size) {
        const char *dot = used ? "." : "";
        const int length =
            chain[n]->key
                ? snprintf(buffer + used, size - used, "%s%s", dot, chain[n]->key)
                : snprintf(buffer + used, size - used, "%s%d", dot, number_in_list(chain[n]));
        used += length > 0 ? (size_t)length : 0;
    }
}

const char *sp_node_kind_text(sp_node_kind kind)
{
    return kind == SP_NODE_TEXT ? "text" : kind == SP_NODE_MAP ? "map" : "list";
}

sp_node *sp_node_new(sp_spec *spec, sp_node_kind kind, sp_place place)
{
    sp_node *node = SP_NEW(&spec->arena, sp_node, 1);
    if (node) {
        node->kind = kind;
        node->place = place;
        spec->n_node++;
    }
    return node;
}

/* Enter a child of a map into its index, which is made when there are enough children. */
static bool enter(sp_spec *spec, sp_node *map, sp_node *child)
{
    const sp_index_link leaf = {.key = child->key, .node = child};
    if (map->index) {
        return sp_index_put(map->index, &spec->arena, leaf);
    }
    if (map->n_child + 1 < INDEX_FROM) {
        return true;
    }
    sp_index_link *index = SP_NEW(&spec->arena, sp_index_link, 1);
    if (!index) {
        return false;
    }
    for (sp_node *c = map->first; c; c = c->next) {
        if (!sp_index_put(index, &spec->arena, (sp_index_link){.key = c->key, .node = c})) {
            return false;
        }
    }
    map->index = index;
    return sp_index_put(index, &spec->arena, leaf);
}

bool sp_node_append(sp_spec *spec, sp_node *parent, sp_node *child)
{
    assert(parent->kind != SP_NODE_TEXT);
    if (parent->kind == SP_NODE_MAP && !enter(spec, parent, child)) {
        return false;
    }
    child->parent = parent;
    child->next = NULL;
    child->number = parent->n_child;
    if (parent->last) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
    parent->n_child++;
    return true;
}

char *sp_spec_keep(sp_spec *spec, const char *text, size_t n)
{
    if (n > POOL_TEXT_MAX) {
        return sp_arena_text(&spec->arena, text, n);
    }
    if (spec->n_pool <= n) {
        char *pool = SP_NEW(&spec->arena, char, POOL_BLOCK);
        if (!pool) {
            return NULL;
        }
        spec->pool = pool;
        spec->n_pool = POOL_BLOCK;
    }
    char *copy = spec->pool;
    memcpy(copy, text, n);
    copy[n] = '\0';
    spec->pool += n + 1;
    spec->n_pool -= n + 1;
    return copy;
}

sp_spec *sp_spec_new(const sp_allocator *allocator)
{
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_spec *spec = SP_NEW(&arena, sp_spec, 1); /* lives in its own arena */
    if (!spec) {
        return NULL;
    }
    spec->arena = arena;
    const sp_place nowhere = {NULL, 0, 0};
    spec->root = sp_node_new(spec, SP_NODE_MAP, nowhere);
    if (!spec->root) {
        sp_spec_free(spec);
        return NULL;
    }
    return spec;
}

void sp_spec_free(sp_spec *spec)
{
    if (spec) {
        sp_arena arena = spec->arena;
        sp_arena_free(&arena);
    }
}

const char *sp_spec_get(const sp_spec *spec, const char *path)
{
    const sp_node *node = sp_node_path(spec->root, path);
    return node && node->kind == SP_NODE_TEXT ? node->text : NULL;
}

const sp_spec_mesh *sp_spec_find_mesh(const sp_spec *spec, const char *from, const char *name)
{
    const sp_spec_mesh *mesh = spec->first_mesh;
    while (mesh && (strcmp(mesh->name, name) != 0 ||
                    strcmp(mesh->from ? mesh->from : "", from ? from : "") != 0)) {
        mesh = mesh->next;
    }
    return mesh;
}

bool sp_spec_add_source(sp_spec *spec, const char *file, const char *text, size_t n)
{
    sp_source *s = SP_NEW(&spec->arena, sp_source, 1);
    if (!s) {
        return false;
    }
    *s = (sp_source){file, text, n, NULL};
    if (spec->last_source) {
        spec->last_source->next = s;
    } else {
        spec->first_source = s;
    }
    spec->last_source = s;
    spec->n_source++;
    return true;
}

bool sp_spec_add_override(sp_spec *spec, const char *name, const char *value)
{
    sp_override *o = SP_NEW(&spec->arena, sp_override, 1);
    if (!o) {
        return false;
    }
    *o = (sp_override){name, value, NULL};
    if (spec->last_override) {
        spec->last_override->next = o;
    } else {
        spec->first_override = o;
    }
    spec->last_override = o;
    spec->n_override++;
    return true;
}
