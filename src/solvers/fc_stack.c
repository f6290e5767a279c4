#include "solvers/fc_stack.h"

#include <stdint.h>

enum { FIRST_CHUNK = 1 << 15, ALIGN = 32 };

void *sp_fc_take(sp_fc_stack *s, size_t n, size_t size)
{
    if (size && n > (SIZE_MAX / 4) / size) {
        s->failed = 1;
        return NULL;
    }
    const size_t bytes = (n * size + ALIGN) & ~(size_t)(ALIGN - 1);
    /* the chunk in use, or the next one that is large enough */
    for (; s->at < s->n_chunk; s->at++, s->used = 0) {
        if (s->size[s->at] - s->used >= bytes) {
            s->used += bytes;
            return s->chunk[s->at] + (s->used - bytes);
        }
    }
    if (s->n_chunk == SP_FC_CHUNKS) {
        s->failed = 1;
        return NULL;
    }
    const size_t grown = s->n_chunk ? 2 * s->size[s->n_chunk - 1] : FIRST_CHUNK;
    const size_t whole = bytes > grown ? bytes : grown;
    char *chunk = (char *)sp_arena_alloc(&s->arena, whole, 1);
    if (!chunk) {
        s->failed = 1;
        return NULL;
    }
    s->chunk[s->n_chunk] = chunk;
    s->size[s->n_chunk++] = whole;
    s->used = bytes;
    return chunk;
}
