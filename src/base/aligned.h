/* base/aligned.h - pieces of one block of memory that follow each other. */
#ifndef SP_BASE_ALIGNED_H
#define SP_BASE_ALIGNED_H

#include <stddef.h>

/* Bytes of a piece, rounded up so that what follows suits any number or pointer. */
static inline size_t sp_aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

#endif
