/* The table from names to numbers. */
#include "test_build.h"

#include "model/build_parts.h"

static void names_are_found_again_and_the_first_wins(void **ctx)
{
    (void)ctx;
    enum { N = 20000 };
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_names names = {.n = 0};
    assert_int_equal(sp_names_find(&names, "n1", 2), SP_NONE);
    for (int k = 0; k < N; k++) {
        char *name = sp_arena_printf(&arena, "n%d", k);
        assert_true(sp_names_put(&names, &arena, name, k));
        assert_true(sp_names_put(&names, &arena, name, -5));
    }
    assert_int_equal(names.n, N);
    for (int k = 0; k < N; k++) {
        char name[16];
        const int n = snprintf(name, sizeof name, "n%d.x", k) - 2;
        assert_int_equal(sp_names_find(&names, name, (size_t)n), k); /* the part before the dot */
        assert_int_equal(sp_names_find(&names, name, (size_t)n + 2), SP_NONE);
    }
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_again_and_the_first_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
