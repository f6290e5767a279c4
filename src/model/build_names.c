#include "base/hash.h"
#include "model/build_parts.h"

#include <string.h>

/* FNV-1a with a final mix; the order of entries never reaches a result. */
static uint64_t hash_of(const char *name, size_t n)
{
    const uint64_t h = sp_hash(SP_HASH_BEGIN, name, n);
    return h ^ (h >> 29);
}

/* The entry of a name, or the free one where it would be. */
static sp_names_entry *entry_of(const sp_names *names, const char *name, size_t n, uint64_t hash)
{
    size_t i = (size_t)hash & (names->size - 1);
    while (names->entry[i].name) {
        const sp_names_entry *e = &names->entry[i];
        if (e->hash == hash && e->length == n && memcmp(e->name, name, n) == 0) {
            break;
        }
        i = (i + 1) & (names->size - 1);
    }
    return &names->entry[i];
}

int sp_names_find(const sp_names *names, const char *name, size_t n)
{
    if (!names->n) {
        return SP_NONE;
    }
    const sp_names_entry *e = entry_of(names, name, n, hash_of(name, n));
    return e->name ? e->value : SP_NONE;
}

/* Twice the room. */
static bool enlarge(sp_names *names, sp_arena *arena)
{
    sp_names larger = {.n = names->n, .size = names->size ? 2 * names->size : 64};
    larger.entry = SP_NEW(arena, sp_names_entry, larger.size);
    if (!larger.entry) {
        return false;
    }
    for (size_t i = 0; i < names->size; i++) {
        const sp_names_entry *e = &names->entry[i];
        if (e->name) {
            *entry_of(&larger, e->name, e->length, e->hash) = *e;
        }
    }
    *names = larger;
    return true;
}

bool sp_names_put(sp_names *names, sp_arena *arena, const char *name, int value)
{
    const size_t n = strlen(name);
    if (2 * (names->n + 1) > names->size && !enlarge(names, arena)) {
        return false;
    }
    const uint64_t hash = hash_of(name, n);
    sp_names_entry *e = entry_of(names, name, n, hash);
    if (!e->name) {
        *e = (sp_names_entry){name, n, hash, value};
        names->n++;
    }
    return true;
}
