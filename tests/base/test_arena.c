/* Memory that grows in blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature) /* clang's way to say it */
#if __has_feature(address_sanitizer)
#define GUARDED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(GUARDED)
#define GUARDED 1
#endif
#ifdef GUARDED
#include <sanitizer/asan_interface.h>
#endif

/* An allocator that counts what is out and gives nothing after 'left' calls. */
typedef struct counter {
    int out, left;
} counter;

static void *count_alloc(void *ctx, size_t bytes)
{
    counter *c = ctx;
    if (c->left-- <= 0) {
        return NULL;
    }
    c->out++;
    return malloc(bytes);
}

static void count_release(void *ctx, void *block)
{
    ((counter *)ctx)->out--;
    free(block);
}

static void memory_is_zero_aligned_and_apart(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    unsigned char *before = NULL;
    for (size_t n = 1; n < 5000; n += 7) {
        unsigned char *p = sp_arena_alloc(&a, n, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 32, 0);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(p[k], 0);
        }
        memset(p, 0xAB, n);
        if (before) { /* the piece before was not overwritten */
            assert_int_equal(before[0], 0xAB);
        }
        before = p;
    }
    sp_arena_free(&a);
    assert_int_equal(a.bytes, 0);
}

static void a_product_that_overflows_gives_null(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    assert_null(sp_arena_alloc(&a, SIZE_MAX / 2, 16));
    assert_null(sp_arena_alloc(&a, SIZE_MAX, 1));
    sp_arena_free(&a);
}

static void the_limit_holds(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 100000);
    size_t got = 0;
    while (sp_arena_alloc(&a, 1000, 1)) {
        got += 1000;
    }
    assert_true(got > 30000 && got <= 100000);
    assert_true(a.bytes <= 100000);
    sp_arena_free(&a);
}

static void nothing_leaks_when_memory_ends(void **ctx)
{
    (void)ctx;
    for (int left = 0; left < 6; left++) {
        counter c = {0, left};
        const sp_allocator allocator = {count_alloc, count_release, &c};
        sp_arena a;
        sp_arena_init(&a, &allocator, 0);
        while (sp_arena_alloc(&a, 3000, 1)) {
        }
        sp_arena_free(&a);
        assert_int_equal(c.out, 0);
    }
}

static void texts_are_copied(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    assert_string_equal(sp_arena_text(&a, "woodpecker", 4), "wood");
    assert_string_equal(sp_arena_copy(&a, ""), "");
    assert_string_equal(sp_arena_printf(&a, "%s.%d", "link", 3), "link.3");
    sp_arena_free(&a);
}

/* Allocations, counted. */
static void *counting_alloc(void *n, size_t bytes)
{
    ++*(int *)n;
    return malloc(bytes);
}

static void counting_release(void *n, void *block)
{
    (void)n;
    free(block);
}

static void what_was_used_once_is_there_again(void **ctx)
{
    (void)ctx;
    int calls = 0;
    const sp_allocator counting = {counting_alloc, counting_release, &calls};
    sp_arena a;
    sp_arena_init(&a, &counting, 0);
    for (int round = 0; round < 4; round++) {
        calls = 0;
        sp_arena_reset(&a);
        for (int k = 0; k < 60; k++) { /* several blocks at first */
            unsigned char *x = sp_arena_alloc(&a, (size_t)(1000 + 37 * k), 1);
            assert_non_null(x);
            assert_int_equal(0, x[0] | x[999]);
            memset(x, 1, 1000);
        }
        assert_true(round == 0 ? calls > 2 : round == 1 ? calls >= 1 : calls == 0);
    }
    sp_arena_free(&a);
}

/* The address sanitizer would see a byte before or behind a piece, and one of a round that is over.
 */
static void what_was_not_asked_for_is_not_to_be_touched(void **ctx)
{
    (void)ctx;
#ifdef GUARDED
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    for (size_t n = 1; n < 200; n += 7) {
        const char *x = sp_arena_alloc(&a, n, 1), *y = sp_arena_alloc(&a, n, 1);
        assert_true(!__asan_address_is_poisoned(x) && !__asan_address_is_poisoned(x + n - 1));
        assert_true(__asan_address_is_poisoned(x - 1) && __asan_address_is_poisoned(x + n));
        assert_true(!__asan_address_is_poisoned(y) && __asan_address_is_poisoned(y + n));
        sp_arena_reset(&a);
        assert_true(__asan_address_is_poisoned(x) && __asan_address_is_poisoned(y));
    }
    sp_arena_free(&a);
#else
    print_message("only builds with the address sanitizer see it\n");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zero_aligned_and_apart),
        cmocka_unit_test(a_product_that_overflows_gives_null),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(nothing_leaks_when_memory_ends),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(what_was_used_once_is_there_again),
        cmocka_unit_test(what_was_not_asked_for_is_not_to_be_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
