/* base/hash.h - a number made of bytes: FNV-1a, the same on every machine. */
#ifndef SP_BASE_HASH_H
#define SP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SP_HASH_BEGIN UINT64_C(14695981039346656037)
#define SP_HASH_PRIME UINT64_C(1099511628211)

/* The hash of what came before and n more bytes. */
static inline uint64_t sp_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ b[i]) * SP_HASH_PRIME;
    }
    return hash;
}

#endif
