/* What refinement gains in a comparison, told from its distances. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/verify_parts.h"

/* A report with these distances, largest and mean alike. */
static sp_verify_report judged(bool stepped, double d_1, double d_2, double d_3, double self,
                               double change)
{
    sp_verify_report v = {.other = {.stepped = stepped, .n = 3, .grain = {1e-7, 1e-8, 1e-9}},
                          .apart = {d_1, d_2, d_3},
                          .mean = {d_1, d_2, d_3},
                          .self = self,
                          .change = change};
    sp_verify_judge(&v);
    return v;
}

/* Distances that do not fall have a reason each.   theory (57.1)-(57.5) */
static void what_refinement_gains_is_told_apart(void **ctx)
{
    (void)ctx;
    const sp_verify_report gains = judged(false, 1e-5, 1e-6, 1e-7, 9e-7, 1e-10);
    assert_true(gains.gain == SP_VERIFY_GAINS && !gains.unsettled);
    assert_near(gains.gain_all, 100.0, 1e-9);
    assert_near(gains.gain_last, 10.0, 1e-9);
    assert_true(judged(false, 1e-10, 5e-10, 9e-10, 5e-10, 0.0).gain == SP_VERIFY_EXACT);
    assert_true(judged(false, 3e-9, 3e-9, 3e-9, 1e-12, 4e-9).gain == SP_VERIFY_REFERENCE);
    const sp_verify_report floor = judged(false, 3e-7, 3e-7, 3e-7, 1e-12, 1e-10);
    assert_true(floor.gain == SP_VERIFY_FLOOR && !floor.unsettled);
    assert_true(judged(false, 1e-3, 3e-7, 3e-7, 1e-12, 1e-10).gain == SP_VERIFY_FLOOR);
    const sp_verify_report scatter = judged(false, 9e-7, 3e-6, 4e-6, 1.3e-6, 1e-10);
    assert_true(scatter.gain == SP_VERIFY_SCATTER && scatter.unsettled);
    const sp_verify_report steps = judged(true, 9e-5, 8e-5, 8e-5, 6e-5, 1e-10);
    assert_true(steps.gain == SP_VERIFY_SCATTER && !steps.unsettled); /* 1e-3 is for steps */
    sp_verify_report far = judged(true, 2e-3, 2e-3, 2e-3, 1e-6, 1e-10);
    assert_true(far.far && far.unsettled);
    far.apart[0] = 8e-3; /* it came nearer, so that distances leave nothing open, but energies do */
    far.other_energy = true;
    sp_verify_judge(&far);
    assert_true(!far.far && far.unsettled);
}

/* An order is told wherever the finest error is no round-off, of each error by itself. */
static void orders_are_round_off_only_where_errors_are(void **ctx)
{
    (void)ctx;
    double spread;
    assert_near(sp_verify_order((const double[]){4e-8, 1e-8, 2.5e-9}, true, &spread), 2.0, 1e-12);
    assert_near(spread, 0.0, 1e-12);
    assert_near(sp_verify_order((const double[]){1e-7, 1e-8, 1e-9}, false, &spread), 1.0, 1e-12);
    assert_true(isnan(sp_verify_order((const double[]){4e-10, 1e-12, 1e-13}, true, &spread)));
    /* out of round-off: errors that grow have an order, which is negative */
    assert_near(sp_verify_order((const double[]){1e-15, 2e-12, 4e-12}, true, &spread), -1.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_refinement_gains_is_told_apart),
        cmocka_unit_test(orders_are_round_off_only_where_errors_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
