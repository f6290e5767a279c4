/* tests/integrators/test_event_touch.c - no touch is missed where round-off of a gap looks like a
 * touch of its own, and certificates see what is in each other.   theory (13.2a) */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#define G 9.81

/* A ball of 50 mm bounces to rest on a slope of 3 in 10, L to the right of the origin: its gap is a
 * difference of numbers of the size of L.  Along the normal it is a ball that falls with g cos a.
 */
static void bounce_far_away(double L)
{
    const double e = 0.5, cosine = 1.0 / sqrt(1.09), g = G * cosine;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {floor: {line: [-0.3, 1]}}}\n"
                        "  ball: {mass: 1, inertia: 1e-3, contours: {rim: {circle: 0.05}}}\n"
                        "contacts: {hit: {between: [ball, ground], law: {eps_N: 0.5, mu: 0.1}}}\n"
                        "start: {ball.x: %.17g, ball.y: %.17g}\n",
                        L, 0.3 * L + 1.0);
    events_go(&r, 3.0, 1e-10);
    double t = sqrt(2.0 * (cosine - 0.05) / g), v = g * t;
    const double round_off = 1e-15 * (L + 1.0), t_rest = t + 2.0 * e * v / (g * (1.0 - e));
    for (int k = 0; k < 8; k++) {
        const sp_event *hit = events_get(&r, SP_EVENT_IMPACT, "hit", k);
        v *= k > 0 ? e : 1.0;
        assert_near(hit->t, t, 1e-10 + 10.0 * (k + 1) * round_off / v);
        assert_near(hit->gamma_N_before, -v, 1e-9 + 10.0 * g * (k + 1) * round_off / v);
        t += 2.0 * e * v / g;
    }
    assert_true(t < t_rest && t_rest < 3.0);
    print_message("  %g m away: deepest %.1e m\n", L, r.worst.gap);
    assert_true(r.worst.gap <= 1e-12 + round_off);
    rig_free(&r);
}

static void a_ball_bounces_to_rest_however_far_away(void **ctx)
{
    (void)ctx;
    const double L[] = {0.0, 100.0, 3000.0, 1e4, 1e5, 1e6};
    for (int k = 0; k < 6; k++) {
        bounce_far_away(L[k]);
    }
}

/* Angles grow with every turn, and so does round-off of what they move: after 17 turns hits of the
 * slider-crank were missed.  What is lost in impacts is the same at three tolerances. */
static void a_slider_crank_that_turns_for_long_misses_no_hit(void **ctx)
{
    (void)ctx;
    const double tolerance[] = {1e-7, 1e-9, 1e-11};
    double lost[3], rubbed[3];
    for (int k = 0; k < 3; k++) {
        rig r = rig_slider_crank(0.0);
        events_go(&r, 1.3, tolerance[k]);
        lost[k] = -r.x->ledger.impacts;
        rubbed[k] = -r.x->ledger.friction;
        print_message("  tolerance %.0e: impacts %.9g J, friction %.9g J, deepest %.1e m\n",
                      tolerance[k], lost[k], rubbed[k], r.worst.gap);
        assert_true(r.worst.gap <= 1e-12);
        assert_true(fabs(r.x->ledger.projection) <= 1e-7);
        rig_free(&r);
    }
    assert_near(lost[0], lost[2], 2e-7);
    assert_near(lost[1], lost[2], 2e-7);
    assert_near(rubbed[0], rubbed[2], 2e-7);
    assert_near(rubbed[1], rubbed[2], 2e-7);
}

/* A body that is in another is seen by the certificate of the step, its contact open or not. */
static void certificates_see_what_is_in_each_other(void **ctx)
{
    (void)ctx;
    sp_error err = {.text = ""};
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: 1, joint: {free: ground, only: [x, y]},\n"
                        "         contours: {rim: {circle: 0.1}}}\n"
                        "contacts: {hit: {between: [ball, ground], law: {eps_N: 0.5}}}\n"
                        "start: {ball.y: 1}\n");
    sp_events *e = NULL;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 0.1}, &e,
                                     &err),
                     SP_OK);
    assert_int_equal(sp_events_step(e, r.x, 0.1, &err), SP_OK);
    assert_true(r.w->certificate.gap == 0.0);
    r.x->q[1] = 0.07; /* 30 mm in the floor, and the contact is open */
    sp_kin_positions(r.m, r.x->numbers, r.x->q, &r.w->kin);
    sp_smooth_certify_gaps(e->s, r.x);
    assert_near(r.w->certificate.gap, 0.03, 1e-15);
    sp_events_end(e);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_rest_however_far_away),
        cmocka_unit_test(a_slider_crank_that_turns_for_long_misses_no_hit),
        cmocka_unit_test(certificates_see_what_is_in_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
