/* The spinning coin of the examples by events and by steps. */
#include "support/check.h"
#include "support/events.h"

#include "support/points.h"

static const char example[] = "examples/spinning_coin/spinning_coin.yaml";
enum { COIN = 1 };

/* The vertical part of the coin's axis at the end. */
static double axis_of(rig *r)
{
    sp_kin_positions(r->m, r->x->numbers, r->x->q, &r->w->kin);
    return point_axes(&r->w->kin, COIN).z.z;
}

/* Steps of first order, extrapolated twice, are at the same place as events after 0.2 s of leaning
 * over; the energy that is missing is what friction took. */
static void the_coin_leans_over_by_steps_as_by_events(void **ctx)
{
    (void)ctx;
    double by_steps[3];
    rig e = rig_of_file(example, NULL);
    events_go(&e, 0.2, 1e-10);
    const double exact = axis_of(&e);
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_file(example, NULL);
        rig_steps(&r, SP_METHOD_RK4, ldexp(2e-4, -k), 1000L << k);
        by_steps[k] = axis_of(&r);
        assert_true(r.worst.complementarity < 1e-9 && r.worst.closure < 1e-12);
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 0);
        rig_free(&r);
    }
    const double once[2] = {2.0 * by_steps[1] - by_steps[0], 2.0 * by_steps[2] - by_steps[1]};
    assert_near((4.0 * once[1] - once[0]) / 3.0, exact, 3e-7); /* the last term moves it by 7e-7 */
    const sp_ledger *l = &e.x->ledger;
    assert_near_scaled(l->kinetic + l->potential - l->initial, l->friction, 1e-3, 1e-9);
    rig_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_coin_leans_over_by_steps_as_by_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
