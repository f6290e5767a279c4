/* base/memory.h - what is remembered, as bytes and back to the bit: a list of places, copied one
 * behind the other. */
#ifndef SP_BASE_MEMORY_H
#define SP_BASE_MEMORY_H

#include <stddef.h>
#include <string.h>

/* One place that is remembered. */
typedef struct sp_memory_part {
    void *data;
    size_t bytes;
} sp_memory_part;

/* Bytes of all parts. */
static inline size_t sp_memory_bytes(const sp_memory_part *part, int n)
{
    size_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += part[i].bytes;
    }
    return sum;
}

/* All parts one behind the other. */
static inline void sp_memory_save(const sp_memory_part *part, int n, unsigned char *bytes)
{
    for (int i = 0; i < n; i++) {
        if (part[i].bytes > 0) {
            memcpy(bytes, part[i].data, part[i].bytes);
        }
        bytes += part[i].bytes;
    }
}

/* And back. */
static inline void sp_memory_load(const sp_memory_part *part, int n, const unsigned char *bytes)
{
    for (int i = 0; i < n; i++) {
        if (part[i].bytes > 0) {
            memcpy(part[i].data, bytes, part[i].bytes);
        }
        bytes += part[i].bytes;
    }
}

#endif
