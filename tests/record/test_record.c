/* What steps between two frames leave for the next one. */
#include "record/record.h"
#include "support/check.h"

static void a_frame_has_the_worst_of_the_steps_since_the_one_before(void **ctx)
{
    (void)ctx;
    static const struct {
        double gap;
        int n_active, pivots;
        bool sampled;
        double worst;
        int most_active, most_pivots;
    } step[] = {
        {1.0, 3, 0, false, 1.0, 3, 0}, {4.0, 1, 2, false, 4.0, 3, 2}, {2.0, 2, 1, true, 4.0, 3, 2},
        {3.0, 0, 1, false, 3.0, 0, 1}, {1.0, 1, 0, true, 3.0, 1, 1},  {0.5, 0, 0, true, 0.5, 0, 0},
    };
    sp_lately lately = {.told = false};
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        const sp_certificate c = {.gap = step[k].gap};
        sp_lately_add(&lately, &c, step[k].n_active, step[k].pivots, step[k].sampled);
        assert_near(lately.worst.gap, step[k].worst, 0.0);
        assert_int_equal(lately.n_active, step[k].most_active);
        assert_int_equal(lately.pivots, step[k].most_pivots);
        assert_int_equal(lately.told, step[k].sampled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_has_the_worst_of_the_steps_since_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
