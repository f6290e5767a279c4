/* What steps between two frames leave for the next one. */
#include "record/record.h"
#include "support/check.h"

#include <math.h>

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
    sp_lately lately = {.shown = false};
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        const sp_certificate c = {.gap = step[k].gap};
        sp_lately_add(&lately, &c, step[k].n_active, step[k].pivots, step[k].sampled);
        assert_near(lately.worst.gap, step[k].worst, 0.0);
        assert_int_equal(lately.n_active, step[k].most_active);
        assert_int_equal(lately.pivots, step[k].most_pivots);
        assert_int_equal(lately.shown, step[k].sampled);
    }
}

/* Two reasons at one time count once; the first place and the largest size stay. */
static void doubts_count_times_and_keep_the_first_place_and_the_worst(void **ctx)
{
    (void)ctx;
    sp_doubt sum = {.n = 0}, later = {.n = 0};
    sp_doubt_join(&sum, &later);
    assert_int_equal(sum.n, 0);
    sp_doubt_add(&sum, 1.0, 2.0, "knee");
    sp_doubt_add(&sum, 1.0, 5.0, "hip");
    assert_int_equal(sum.n, 1);
    sp_doubt_add(&later, 1.0, 1.0, NULL);
    sp_doubt_add(&later, 3.0, 4.0, NULL);
    sp_doubt_join(&sum, &later);
    assert_int_equal(sum.n, 2);
    assert_near(sum.t, 1.0, 0.0);
    assert_near(sum.last, 3.0, 0.0);
    assert_near(sum.size, 5.0, 0.0);
    assert_string_equal(sum.place, "knee");
    sp_doubt_add(&sum, 4.0, NAN, NULL);
    assert_true(isnan(sum.size));
    sp_doubt_add(&sum, 5.0, 7.0, NULL);
    assert_true(isnan(sum.size));
    assert_string_equal(sp_doubt_name(SP_DOUBT_UNPROVEN), "unproven");
    assert_string_equal(sp_doubt_name(SP_DOUBT_N), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_has_the_worst_of_the_steps_since_the_one_before),
        cmocka_unit_test(doubts_count_times_and_keep_the_first_place_and_the_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
