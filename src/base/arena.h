/* base/arena.h - memory that grows in blocks and is given back all at once. */
#ifndef SP_BASE_ARENA_H
#define SP_BASE_ARENA_H

#include "specht/base.h"

typedef struct sp_arena_block sp_arena_block;

typedef struct sp_arena {
    sp_allocator allocator;
    sp_arena_block *block; /* newest first                      */
    size_t bytes;          /* taken from the allocator in total */
    size_t limit;          /* never more than this; 0: no limit */
} sp_arena;

/* allocator may be NULL (malloc).  No memory is taken yet. */
void sp_arena_init(sp_arena *a, const sp_allocator *allocator, size_t limit);

/* Zeroed memory aligned to 32 bytes; NULL if there is none (or n * size overflows). */
void *sp_arena_alloc(sp_arena *a, size_t n, size_t size);

/* Copies of text; NULL if there is no memory. */
char *sp_arena_text(sp_arena *a, const char *text, size_t length);
char *sp_arena_copy(sp_arena *a, const char *text);
char *sp_arena_printf(sp_arena *a, const char *fmt, ...) SP_PRINTF(2, 3);

/* Take everything back into use and keep the memory, as one block: the same again needs no more. */
void sp_arena_reset(sp_arena *a);

/* Give everything back. */
void sp_arena_free(sp_arena *a);

#define SP_NEW(arena, type, n) ((type *)sp_arena_alloc((arena), (size_t)(n), sizeof(type)))

#endif
