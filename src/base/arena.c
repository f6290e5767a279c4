#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under the address sanitizer only what was asked for may be touched: pieces are apart, and what
 * lies between and behind them is poisoned. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARDED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(GUARDED)
#include <sanitizer/asan_interface.h>
#define CLOSE(at, n) ASAN_POISON_MEMORY_REGION((at), (n))
#define OPEN(at, n)  ASAN_UNPOISON_MEMORY_REGION((at), (n))
enum { APART = 32 };
#else
#define CLOSE(at, n) ((void)(at), (void)(n))
#define OPEN(at, n)  ((void)(at), (void)(n))
enum { APART = 0 };
#endif

enum { ALIGN = 32, FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20 };

struct sp_arena_block {
    sp_arena_block *next;
    size_t used, size; /* of the payload behind this header */
};

static void *take(void *ctx, size_t bytes)
{
    (void)ctx;
    return malloc(bytes);
}

static void give(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

void sp_arena_init(sp_arena *a, const sp_allocator *allocator, size_t limit)
{
    const sp_allocator standard = {take, give, NULL};
    a->allocator = allocator ? *allocator : standard;
    a->block = NULL;
    a->bytes = 0;
    a->limit = limit;
}

/* A new block with room for at least need bytes, doubling in size up to LARGEST_BLOCK. */
static sp_arena_block *grow(sp_arena *a, size_t need)
{
    size_t size = a->block ? 2 * a->block->size : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) {
        size = LARGEST_BLOCK;
    }
    if (size < need + ALIGN + APART) {
        size = need + ALIGN + APART;
    }
    const size_t whole = size + sizeof(sp_arena_block);
    if (whole < need || (a->limit && whole > a->limit - a->bytes)) {
        return NULL;
    }
    sp_arena_block *b = (sp_arena_block *)a->allocator.alloc(a->allocator.ctx, whole);
    if (!b) {
        return NULL;
    }
    b->next = a->block;
    b->used = 0;
    b->size = size;
    a->block = b;
    a->bytes += whole;
    CLOSE(b + 1, size);
    return b;
}

/* Aligned room in block b, NULL if it is full. */
static void *cut(sp_arena_block *b, size_t bytes)
{
    const uintptr_t base = (uintptr_t)(b + 1) + b->used;
    const size_t pad = (size_t)((ALIGN - base % ALIGN) % ALIGN);
    if (b->size - b->used < bytes + pad + APART) {
        return NULL;
    }
    char *memory = (char *)(b + 1) + b->used + pad;
    b->used += bytes + pad + APART;
    OPEN(memory, bytes);
    return memset(memory, 0, bytes);
}

void *sp_arena_alloc(sp_arena *a, size_t n, size_t size)
{
    if (size && n > (SIZE_MAX / 4) / size) {
        return NULL;
    }
    const size_t bytes = n && size ? n * size : 1;
    void *memory = a->block ? cut(a->block, bytes) : NULL;
    if (!memory) {
        sp_arena_block *fresh = grow(a, bytes);
        memory = fresh ? cut(fresh, bytes) : NULL;
    }
    return memory;
}

char *sp_arena_text(sp_arena *a, const char *text, size_t length)
{
    char *copy = (char *)sp_arena_alloc(a, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *sp_arena_copy(sp_arena *a, const char *text)
{
    return sp_arena_text(a, text, strlen(text));
}

char *sp_arena_printf(sp_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length < 0 ? NULL : (char *)sp_arena_alloc(a, (size_t)length + 1, 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, fmt, again);
    }
    va_end(again);
    return text;
}

void sp_arena_reset(sp_arena *a)
{
    size_t whole = 0;
    for (const sp_arena_block *b = a->block; b; b = b->next) {
        whole += b->size;
    }
    if (a->block && a->block->next) {
        sp_arena_free(a);
        grow(a, whole);
    }
    if (a->block) {
        a->block->used = 0;
        CLOSE(a->block + 1, a->block->size);
    }
}

void sp_arena_free(sp_arena *a)
{
    while (a->block) {
        sp_arena_block *next = a->block->next;
        OPEN(a->block + 1, a->block->size);
        a->allocator.release(a->allocator.ctx, a->block);
        a->block = next;
    }
    a->bytes = 0;
}
