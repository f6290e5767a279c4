/* model/build_names.h - tables from the names of a model file to numbers. */
#ifndef SP_MODEL_BUILD_NAMES_H
#define SP_MODEL_BUILD_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A table from names to numbers >= 0.  Zeroed, it is empty. */
typedef struct sp_names_entry {
    const char *name; /* NULL: free */
    size_t length;
    uint64_t hash;
    int value;
} sp_names_entry;

typedef struct sp_names {
    sp_names_entry *entry;
    size_t n, size; /* size is a power of two */
} sp_names;

/* The number stored for a name of n bytes, SP_NONE if there is none. */
int sp_names_find(const sp_names *names, const char *name, size_t n);

/* Store a name, which must stay; the first one wins.  False if there is no memory. */
bool sp_names_put(sp_names *names, sp_arena *arena, const char *name, int value);

#endif
