/* Event-driven integration against closed forms, published states and itself at other tolerances.
 */
#include "support/check.h"
#include "support/events.h"

static const char *const ball =
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "
    "0]}}}\n"
    "contacts: {bounce: {between: [ball, ground], law: {eps_N: %g}}}\n"
    "start: {ball.y: 1 m}\n";

/* t_n = t_1 (1 + 2 sum e^i), Zeno point t_1 (1 + e)/(1 - e), then rest. */
static void a_ball_bounces_to_rest_through_its_accumulation_point(void **ctx)
{
    (void)ctx;
    const double t_1 = sqrt(2.0 / 9.81);
    for (double e = 0.3; e < 0.96; e += 0.13) {
        rig r = rig_of_text(ball, e);
        events_go(&r, 20.0, 1e-10);
        double t = t_1, part = 1.0;
        for (int k = 0; k < 12; k++) {
            assert_near(rig_event(&r, SP_EVENT_IMPACT, 0, k)->t, t, 1e-12);
            part *= e;
            t += 2.0 * t_1 * part;
        }
        assert_int_equal(rig_count(&r, SP_EVENT_ZENO, 0), 1);
        assert_near(rig_event(&r, SP_EVENT_ZENO, 0, 0)->t, t_1 * (1.0 + e) / (1.0 - e), 1e-11);
        assert_true(rig_event(&r, SP_EVENT_ZENO, 0, 0)->energy_lost < 1e-11);
        assert_true(rig_event(&r, SP_EVENT_ZENO, 0, 0)->bound < 1e-12);
        assert_true(fabs(r.x->q[0]) < 1e-12 && r.x->u[0] == 0.0);
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 0);
        assert_near(r.x->ledger.impacts, -9.81, 1e-11);
        assert_true(r.x->ledger.worst_balance < 1e-11);
        rig_free(&r);
    }
}

/* x'' + x in -Sgn(x') as a block on a floor:  mu m g = 1, k = m = 1. */
static void a_block_with_dry_friction_stops_where_and_when_it_must(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  block: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: {point: [0, "
        "0]}}}\n"
        "forces: {k: {spring: block.x, stiffness: 1}}\n"
        "contacts: {c: {between: [block, ground], law: {mu: 0.1}}}\n"
        "start: {block.x: 12, block.vx: 6}\n");
    events_go(&r, 25.0, 1e-12);
    /* seven reversals, then it sticks for ever */
    assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, 22.423556350699, 1e-11);
    assert_near(r.x->q[0], 0.682178936723647, 1e-10);
    assert_true(fabs(r.x->u[0]) < 1e-14);
    assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
    rig_free(&r);
}

/* A uniform rod with slip reversal in the impact; published numbers. */
static void an_impacting_stick_has_the_published_impact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}}}\n"
        "contacts: {c: {between: [rod, ground], law: {mu: 0.01, eps_N: 1}}}\n"
        "start: {rod.x: 0.5*sin(pi/4), rod.y: 0.5*cos(pi/4) + 0.01, rod.phi: pi/4, rod.vx: -0.5, "
        "rod.vy: 0.1, rod.omega: 0.1}\n");
    events_go(&r, 0.0603, 1e-12);
    const sp_event *impact = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    assert_near(impact->t, 0.06027408909291651, 1e-12);
    assert_near(impact->gamma_N_before, -0.46717309, 1e-8);
    assert_near(impact->Lambda_N, 0.3732781669189638, 1e-11);
    assert_near(fabs(impact->Lambda_T[0]), 0.01 * 0.3732781669189638, 1e-13);
    assert_near(impact->gamma_N_after, 0.46717309, 1e-8);
    assert_true(impact->energy_lost < 0.0); /* Newton's law creates energy here: it is told */
    rig_free(&r);
}

/* First impact to 1e-10, two turns at three tolerances, no rotation of the slider. */
static void the_slider_crank_runs_two_turns_at_three_tolerances(void **ctx)
{
    (void)ctx;
    const double tolerance[3] = {1e-8, 1e-10, 1e-12};
    double q[3][CRANK_N];
    int n_event = 0;
    for (int k = 0; k < 3; k++) {
        rig r = rig_slider_crank(0.0);
        events_go(&r, 0.0865, tolerance[k]);
        crank_absolute(r.x->q, q[k]);
        assert_true(fabs(q[k][2]) < 1e-12);
        assert_true(r.x->ledger.worst_balance < (k == 2 ? 5e-12 : 100.0 * tolerance[k]));
        assert_true(r.worst.complementarity < 1e-10);
        assert_true(k == 0 || r.n_event == n_event);
        n_event = r.n_event;
        if (k == 2) {
            const sp_event *first = rig_event(&r, SP_EVENT_IMPACT, -1, 0);
            assert_near(first->t, CRANK_T1, 1e-12);
            assert_near(first->gamma_N_before, -0.84161232, 1e-8);
        }
        rig_free(&r);
    }
    assert_near(q[0][0], q[2][0], 1e-6);
    assert_near(q[1][0], q[2][0], 1e-8);
    print_message("%d events; difference in the crank's angle %.1e, %.1e\n", n_event,
                  fabs(q[0][0] - q[2][0]), fabs(q[1][0] - q[2][0]));
    rig broken = rig_slider_crank(-0.01); /* clatters between two corners, and runs through */
    events_go(&broken, 0.2, 1e-9);
    assert_true(broken.x->ledger.worst_balance < 1e-7);
    rig_free(&broken);
}

/* The limit cycle of the woodpecker: period, drop and events to nine digits. */
static void the_woodpecker_is_the_same_at_three_tolerances(void **ctx)
{
    (void)ctx;
    const double tolerance[3] = {1e-9, 1e-11, 1e-13};
    double strike[3], y[3];
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        events_go(&r, 1.0, tolerance[k]);
        const int beak = rig_slot(&r, "beak");
        assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, beak), 7);
        strike[k] = rig_event(&r, SP_EVENT_IMPACT, beak, 6)->t;
        y[k] = r.x->q[0];
        const double first = rig_event(&r, SP_EVENT_IMPACT, beak, 0)->t;
        assert_near(first, 0.0809879197, 1e-9);
        rig_free(&r);
    }
    assert_near(strike[1], strike[2], 1e-9);
    assert_near_scaled(y[1], y[2], 0.1, 1e-9);
    print_message("seventh stroke at %.12f s, %.1e and %.1e apart\n", strike[2],
                  fabs(strike[0] - strike[2]), fabs(strike[1] - strike[2]));
}

/* The stepper converges to the event-driven motion with order 1 in the mean over time. */
static void the_stepper_converges_to_the_event_driven_motion(void **ctx)
{
    (void)ctx;
    enum { TIMES = 40, SIZES = 5 };
    double exact[TIMES], error[SIZES], dt[SIZES];
    rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
    for (int i = 0; i < TIMES; i++) {
        events_go(&r, 0.005 * (i + 1), 1e-12); /* goes on from where it is */
        exact[i] = r.x->q[2];
    }
    rig_free(&r);
    for (int k = 0; k < SIZES; k++) {
        rig stepped = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        dt[k] = 4e-5 / (1 << k);
        error[k] = 0.0;
        for (int i = 0; i < TIMES; i++) {
            rig_steps(&stepped, SP_METHOD_MOREAU, dt[k], lround(0.005 / dt[k]));
            error[k] += fabs(stepped.x->q[2] - exact[i]) / TIMES;
        }
        rig_free(&stepped);
    }
    const double order = check_order(SIZES, dt, error);
    print_message("order %.2f, mean error %.1e rad at %g s\n", order, error[SIZES - 1],
                  dt[SIZES - 1]);
    assert_true(order > 0.8 && order < 1.3);
}

/* Period and drop of the limit cycle: those of the last strokes, which alternate around it and come
 * nearer by the same factor, extrapolated.  Nine digits at three tolerances. */
static void the_woodpecker_has_one_period_at_three_tolerances(void **ctx)
{
    (void)ctx;
    enum { STROKES = 34 };
    const double tolerance[3] = {1e-9, 1e-11, 1e-13};
    double orbit[3][2];
    for (int k = 0; k < 3; k++) {
        double at[2][STROKES + 1]; /* time and height of each stroke */
        int n = 0;
        rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        const int beak = rig_slot(&r, "beak");
        sp_events *e;
        sp_error err = {.text = ""};
        assert_int_equal(sp_events_begin(r.m, r.x, r.w, tolerance[k], 9.0, &e, &err), SP_OK);
        while (n < STROKES) {
            assert_int_equal(sp_events_step(e, r.x, 9.0, &err), SP_OK);
            assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
            for (int i = 0; i < r.w->n_event; i++) {
                if (r.w->event[i].kind == SP_EVENT_IMPACT && r.w->event[i].slot == beak) {
                    at[0][n] = r.x->t;
                    at[1][n++] = r.x->q[0];
                }
            }
        }
        sp_events_end(e);
        rig_free(&r);
        for (int j = 0; j < 2; j++) { /* d_n = d + c f^n */
            const double d0 = at[j][n - 3] - at[j][n - 4], d1 = at[j][n - 2] - at[j][n - 3];
            const double d2 = at[j][n - 1] - at[j][n - 2];
            orbit[k][j] = d2 - (d2 - d1) * (d2 - d1) / (d2 - 2.0 * d1 + d0);
        }
    }
    print_message("period %.12f s, drop %.12f m\n", orbit[2][0], -orbit[2][1]);
    for (int j = 0; j < 2; j++) {
        assert_near_scaled(orbit[0][j], orbit[2][j], fabs(orbit[2][j]), 1e-9);
        assert_near_scaled(orbit[1][j], orbit[2][j], fabs(orbit[2][j]), 1e-10);
    }
    assert_near(orbit[2][0], 0.1459760651, 1e-9);
    assert_near(-orbit[2][1], 0.0194453791, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_rest_through_its_accumulation_point),
        cmocka_unit_test(a_block_with_dry_friction_stops_where_and_when_it_must),
        cmocka_unit_test(an_impacting_stick_has_the_published_impact),
        cmocka_unit_test(the_slider_crank_runs_two_turns_at_three_tolerances),
        cmocka_unit_test(the_woodpecker_is_the_same_at_three_tolerances),
        cmocka_unit_test(the_stepper_converges_to_the_event_driven_motion),
        cmocka_unit_test(the_woodpecker_has_one_period_at_three_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
