/* solvers/fc_stack.h - scratch of the contact solvers: a stack of blocks that only grows, so that
 * repeated solves allocate nothing. */
#ifndef SP_SOLVERS_FC_STACK_H
#define SP_SOLVERS_FC_STACK_H

#include "base/arena.h"

enum { SP_FC_CHUNKS = 48 };

typedef struct sp_fc_stack {
    sp_arena arena;
    char *chunk[SP_FC_CHUNKS];
    size_t size[SP_FC_CHUNKS];
    int n_chunk, at; /* chunks there are, chunk in use */
    size_t used;     /* bytes of the chunk in use      */
    int failed;      /* 1: there was no memory         */
} sp_fc_stack;

typedef struct sp_fc_mark {
    int at;
    size_t used;
} sp_fc_mark;

/* Room for n things of this size, aligned to 32 bytes, not zeroed; NULL (and failed = 1) if there
 * is none. */
void *sp_fc_take(sp_fc_stack *s, size_t n, size_t size);

/* Give back all that was taken since the mark. */
static inline sp_fc_mark sp_fc_note(const sp_fc_stack *s)
{
    const sp_fc_mark m = {s->at, s->used};
    return m;
}
static inline void sp_fc_release(sp_fc_stack *s, sp_fc_mark m)
{
    s->at = m.at;
    s->used = m.used;
}

#define SP_TAKE(stack, type, n) ((type *)sp_fc_take((stack), (size_t)(n), sizeof(type)))

#endif
