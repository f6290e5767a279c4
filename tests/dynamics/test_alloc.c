/* Memory of the dynamics: what is asked for and no more, in the plane and in space. */
#include "dynamics/dyn.h"
#include "support/check.h"

static void each_dimension_gets_its_own_arrays(void **ctx)
{
    (void)ctx;
    for (int dim = 2; dim <= 3; dim++) {
        const sp_model m = {.dim = dim, .n_body = 3, .n_dof = 4, .n_packed = 10, .n_force = 2};
        sp_arena arena;
        sp_dyn dyn;
        sp_arena_init(&arena, NULL, 0);
        assert_true(sp_dyn_alloc(&arena, &m, SP_DYN_FORCES, &dyn));
        assert_true(dyn.h[SP_APPLIED] && dyn.element && dyn.in && dyn.grad && dyn.work);
        assert_true(!dyn.M && !dyn.L && !dyn.articulated && !dyn.articulated3);
        assert_int_equal(dyn.wrench[SP_DAMPERS] != NULL, dim == 2);
        assert_int_equal(dyn.wrench3[SP_DAMPERS] != NULL, dim == 3);
        assert_true(sp_dyn_alloc(&arena, &m, SP_DYN_MASS | SP_DYN_ARTICULATED, &dyn));
        assert_true(dyn.M && dyn.L && dyn.D_inv);
        assert_int_equal(dyn.composite != NULL, dim == 2);
        assert_int_equal(dyn.composite3 != NULL, dim == 3);
        assert_int_equal(dyn.articulated && dyn.lever, dim == 2);
        assert_int_equal(dyn.articulated3 && dyn.lever3, dim == 3);
        sp_arena_free(&arena);
    }
}

/* Formula coordinates are accelerated by M, so that articulated bodies bring it along. */
static void formula_coordinates_bring_the_mass_matrix_along(void **ctx)
{
    (void)ctx;
    const sp_model m = {.dim = 2, .n_body = 1, .n_dof = 1, .n_packed = 1, .formula = {.n = 1}};
    sp_arena arena;
    sp_dyn dyn;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_dyn_alloc(&arena, &m, SP_DYN_ARTICULATED, &dyn));
    assert_true(dyn.M && dyn.L && dyn.D_inv);
    sp_arena_free(&arena);
}

static void no_memory_is_told_at_every_place(void **ctx)
{
    (void)ctx;
    const sp_model m = {.dim = 3, .n_body = 1000, .n_dof = 1000, .n_packed = 500000};
    int failed = 0;
    for (size_t limit = 1000; limit < 30000000; limit *= 2) {
        sp_arena arena;
        sp_dyn dyn;
        sp_arena_init(&arena, NULL, limit);
        failed += !sp_dyn_alloc(&arena, &m, SP_DYN_MASS | SP_DYN_ARTICULATED, &dyn);
        sp_arena_free(&arena);
    }
    assert_in_range(failed, 10, 14); /* the largest limits are enough */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dimension_gets_its_own_arrays),
        cmocka_unit_test(formula_coordinates_bring_the_mass_matrix_along),
        cmocka_unit_test(no_memory_is_told_at_every_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
