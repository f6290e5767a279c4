/* Events found: touching, at the same time, in accumulation, on moving ground. */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#include <string.h>

/* A ball is thrown up against a ceiling that is lower than it would rise by a hair, or higher. */
static void a_touch_of_a_hair_is_found_and_a_miss_is_none(void **ctx)
{
    (void)ctx;
    const double g = 9.81, v = 3.0;
    for (int k = 6; k <= 12; k++) {
        const double depth = pow(10.0, -k), top = 0.5 * v * v / g;
        for (int miss = 0; miss < 2; miss++) {
            rig r = rig_of_text(
                "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                "  ground: {contours: {ceiling: {line: [0, -1], at: [0, %.17g]}}}\n"
                "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: "
                "{point: [0, 0]}}}\n"
                "contacts: {c: {between: [ball, ground], law: {eps_N: 1}}}\nstart: {ball.vy: 3}\n",
                miss ? top + depth : top - depth);
            events_go(&r, 0.6, 1e-12);
            assert_int_equal(events_count(&r, SP_EVENT_IMPACT), miss ? 0 : 1);
            if (!miss) { /* the time is a root that is nearly double: the gap is right to 1e-15 */
                const double t = events_get(&r, SP_EVENT_IMPACT, "c", 0)->t;
                const double gap = top - depth - (v * t - 0.5 * g * t * t);
                assert_true(fabs(gap) < 2e-15);
                assert_near(t, (v - sqrt(2.0 * g * depth)) / g, 1e-15 / sqrt(depth));
            }
            rig_free(&r);
        }
    }
}

/* A weight on a spring that reaches a stop with the last depth of its swing, or misses it by that,
 * at any phase of steps that another weight makes as short or long as it likes: impacts found. */
static int swings(double tolerance, double depth, double speed, double other)
{
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
        "  ground: {contours: {wall: {line: [-1, 0], at: [%.17g, 0]}}}\n"
        "  weight: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: 1}, contours: "
        "{tip: {point: [0, 0]}}}\n"
        "  other: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: %.17g}}\n"
        "contacts: {c: {between: [weight, ground], law: {eps_N: 0.5}}}\n"
        "start: {weight.vx: %.17g, other.x: 1}\n",
        speed - depth, other, speed);
    events_go(&r, 2.5, tolerance);
    const int n = events_count(&r, SP_EVENT_IMPACT);
    rig_free(&r);
    return n;
}

/* x = v sin t turns at v: depths beyond the error of the motion are found, at every phase, and none
 * where it stays away by as much; of depths below the error every answer is right. */
static void grazings_at_any_phase_of_a_step_are_found(void **ctx)
{
    (void)ctx;
    const double tolerance[] = {1e-4, 1e-7, 1e-10, 1e-12};
    const int n = check_cases(25, 400);
    int judged[4] = {0};
    for (int k = 0; k < 4; k++) {
        rng r = {7 + (uint64_t)k};
        for (int d = 2; d <= 12; d++) { /* of the swing, 0.5 to 2 */
            const double depth = pow(10.0, -d);
            int found = 0, wrong = 0;
            for (int i = 0; i < n; i++) {
                const double speed = rng_in(&r, 0.5, 2.0), other = rng_in(&r, 0.1, 100.0);
                found += swings(tolerance[k], depth, speed, other) > 0;
                wrong += swings(tolerance[k], -depth, speed, other) > 0;
            }
            print_message("tolerance %g, depth %g: %d of %d found, %d told that were not there\n",
                          tolerance[k], depth, found, n, wrong);
            if (depth > 20.0 * tolerance[k]) {
                assert_int_equal(found, n);
                assert_int_equal(wrong, 0);
                judged[k]++;
            }
        }
        assert_true(judged[k] > 0);
    }
}

/* The log reads by cause: impacts, the accumulation, the closing that it ends with, which has the
 * time of the closed form too; nothing of that contact comes before it that is no impact. */
static void an_accumulation_is_told_before_its_closing(void **ctx)
{
    (void)ctx;
    const double g = 9.81, eps[] = {0.3, 0.7, 0.9};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: "
                            "{tip: {point: [0, 0]}}}\n"
                            "contacts: {c: {between: [ball, ground], law: {eps_N: %g}}}\n"
                            "start: {ball.y: 1}\n",
                            eps[k]);
        events_go(&r, 10.0, 1e-11);
        const double t_rest = sqrt(2.0 / g) * (1.0 + eps[k]) / (1.0 - eps[k]);
        const sp_event *zeno = &r.event[r.n_event - 2], *close = &r.event[r.n_event - 1];
        for (int i = 0; i < r.n_event - 2; i++) {
            assert_int_equal(r.event[i].kind, SP_EVENT_IMPACT);
        }
        assert_int_equal(zeno->kind, SP_EVENT_ZENO);
        assert_int_equal(close->kind, SP_EVENT_CLOSE);
        assert_true(close->t == zeno->t);
        assert_near(close->t, t_rest, 1e-9);
        rig_free(&r);
    }
}

/* A ball on a table y = A sin(w t + p) with the phase at which it is thrown up by g T/2 every
 * period:  A w cos p = (1 - e)/(1 + e) g T/2. */
static void a_ball_on_a_shaken_table_keeps_its_period(void **ctx)
{
    (void)ctx;
    const double g = 9.81, w = 30.0, A = 0.013, e = 0.5, T = 2.0 * acos(-1.0) / w;
    const double p = acos((1.0 - e) / (1.0 + e) * 0.5 * g * T / (A * w));
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
        "  table: {mass: 1, joint: {prismatic: ground, axis: [0, 1], motion: {s: %g*sin(%g*t + "
        "%.17g)}}, contours: {top: {line: [0, 1]}}}\n"
        "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "
        "0]}}}\n"
        "contacts: {c: {between: [ball, table], law: {eps_N: %g}}}\n"
        "start: {ball.y: %.17g, ball.vy: %.17g}\n",
        A, w, p, e, A * sin(p), 0.5 * g * T);
    events_go(&r, 8.5 * T, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 8);
    for (int k = 0; k < 8; k++) {
        assert_near(events_get(&r, SP_EVENT_IMPACT, "c", k)->t, (k + 1) * T, 1e-11);
    }
    assert_true(r.x->ledger.worst_balance < 1e-10);
    rig_free(&r);
}

/* Two balls that fall from the same height land in one event. */
static void what_happens_together_is_one_event(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {count: 2, mass: i, joint: {prismatic: ground, axis: [0, 1], at: "
                        "[i, 0]}, contours: "
                        "{tip: {point: [0, 0]}}}\n"
                        "contacts: {c: {between: [ball, ground], law: {eps_N: 0.5}}}\n"
                        "start: {ball.1.y: 1, ball.2.y: 1}\n");
    events_go(&r, 0.5, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 2);
    assert_true(r.event[0].t == r.event[1].t);
    assert_near(r.event[0].t, sqrt(2.0 / 9.81), 1e-14);
    rig_free(&r);
}

/* A block that rocks from corner to corner without slip loses the factor 1 - 3/2 sin^2 a of its
 * spin at every impact, a the angle of its diagonal [Housner63]; the impacts accumulate, it stands.
 */
static void a_rocking_block_loses_what_it_must_and_stands(void **ctx)
{
    (void)ctx;
    const double b = 0.1, h = 0.4, tilt = 0.1;
    const double ratio = (2.0 * h * h - b * b) / (2.0 * (h * h + b * b));
    const double x = -(cos(tilt) * b - sin(tilt) * h), y = sin(tilt) * b + cos(tilt) * h;
    rig r =
        rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  block: {mass: 1, inertia: %.17g, contours: {c: {polygon: [[%g, %g], [%g, "
                    "%g], [%g, %g], [%g, %g]]}}}\n"
                    "contacts: {c: {between: [block, ground], law: {mu: 4}}}\n"
                    "run: {until: 9, start: project}\n"
                    "start: {block.x: %.17g, block.y: %.17g, block.phi: %.17g}\n",
                    (b * b + h * h) / 3.0, -b, -h, b, -h, b, h, -b, h, x, y, -tilt);
    events_go(&r, 9.0, 1e-12);
    double before = 0.0;
    int n = 0;
    for (int i = 0; i < r.n_event; i++) {
        const sp_event *e = &r.event[i];
        if (e->kind != SP_EVENT_IMPACT || !(e->gamma_N_before < 0.0)) {
            continue;
        }
        if (n > 0) { /* round-off of the gap, 1e-16 m, times g over the speed */
            const double round_off = 1e-15 / fabs(e->gamma_N_before);
            assert_near(e->gamma_N_before, ratio * before, 1e-12 + round_off);
        }
        before = e->gamma_N_before;
        n++;
    }
    print_message("%d impacts, factor %.6f\n", n, ratio);
    assert_true(n > 20);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    assert_true(events_count(&r, SP_EVENT_ZENO) >= 1);
    for (int i = 0; i < r.n_event; i++) {
        const sp_event *e = &r.event[i];
        if (e->kind == SP_EVENT_ZENO) {
            assert_true(e->bound > 0.0 && e->bound < 1e-12 && e->lasts > 0.0 && e->lasts < 1e-3);
            assert_true(e->energy_lost >= 0.0 && e->energy_lost < 1e-11);
        }
    }
    assert_near(r.x->q[2], 0.0, 1e-12);
    assert_true(fabs(r.x->u[2]) < 1e-14 && fabs(r.x->u[0]) < 1e-14);
    rig_free(&r);
}

/* A coin that falls on its rim, hops, rolls and slides by turns: its slip is at times as slow as
 * the error of a step, and then turns round within one. */
static rig dropped_coin(double v, double tilt)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  coin: {density: 7800 kg/m^3, shape: {cylinder: 12 mm, length: 2 mm}, contours: {skin: "
        "{disc: 12 mm, length: 2 mm}}}\n"
        "contacts: {floor: {between: [coin, ground], law: {mu: 0.25, eps_N: 0.4}}}\n"
        "start: {coin.z: 5 cm, coin.vx: %g m/s, coin.turn: {x: %g deg}, coin.omega_own: [4 rad/s, "
        "2 rad/s, 10 rad/s]}\n",
        v, tilt);
}

/* Forces obey their laws in every step of it, also where slip turns, until it lies flat. */
static void a_coin_that_slides_and_rolls_by_turns_is_certified(void **ctx)
{
    (void)ctx;
    rig r = dropped_coin(0.5, 50.0);
    events_go(&r, 1.0, 1e-9);
    print_message("complementarity %.1e\n", r.worst.complementarity);
    assert_true(r.worst.complementarity < 1e-10);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    assert_true(r.x->ledger.worst_balance < 1e-9);
    rig_free(&r);
}

#define COIN_TOLERANCE 1e-5

/* Cosine of the angle by which the slip that ended the last step has turned in it. */
static double turn_of(const sp_events *e)
{
    const sp_smooth *s = e->s;
    double gamma[SP_FRICTION_ROWS], across = 0.0;
    sp_group g[SP_GROUPS];
    int a = 0;
    while (s->closed.slot[a] != e->located.slot) {
        a++;
    }
    sp_slide_groups(&s->w->con.set[a], g);
    const double along = sp_smooth_along(s, a, g[0], s->w->u_E, gamma, &across);
    return along / hypot(along, across);
}

/* All landings of a coin: the least cosine of a turn, the farthest that a touch is from zero, m.
 * A step at 1e-9 may be wrong by a hundredth of that and is so short that slip hardly ever turns
 * within one. */
static void land_by_land(double v, double tilt, int n[2], double *least, double *farthest)
{
    rig r = dropped_coin(v, tilt);
    sp_events *e;
    sp_error err = {.text = ""};
    assert_int_equal(
        sp_events_begin(r.m, r.x, r.w,
                        &(sp_events_setup){.smooth.tolerance = COIN_TOLERANCE, .until = 1.0}, &e,
                        &err),
        SP_OK);
    while (r.x->t < 1.0) {
        assert_int_equal(sp_events_step(e, r.x, 1.0, &err), SP_OK);
        assert_true(r.w->certificate.complementarity < 1e-10);
        if (e->s->landed && e->located.trigger == SP_TRIGGER_NONE) { /* nothing to tell */
            *least = fmin(*least, turn_of(e));
            n[0]++;
        } else if (e->located.trigger == SP_TRIGGER_TOUCH) {
            *farthest = fmax(*farthest, fabs(r.w->con.g[e->located.slot]));
            n[1]++;
        }
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
    }
    sp_events_end(e);
    rig_free(&r);
}

/* A step in which slip turns ends before a right angle: not where the polynomial of a longer step,
 * whose later stages saw the force of the other side, has its root, but where the real one does. So
 * do those that end with a touch.   theory (30.1) */
static void steps_end_where_the_motion_has_its_event_and_not_beside(void **ctx)
{
    (void)ctx;
    int n[2] = {0};
    double least = 1.0, farthest = 0.0;
    for (int k = 0; k < 6; k++) {
        land_by_land(0.2 + 0.1 * k, 35.0 + 5.0 * k, n, &least, &farthest);
    }
    print_message("%d turns, least cosine %.3g; %d touches, farthest %.1e m\n", n[0], least, n[1],
                  farthest);
    assert_true(n[0] >= 5 && n[1] >= 50);
    assert_true(least > 0.0);
    assert_true(farthest < 1e-12);
}

/* A gap that is no number from x = 0.5 on is neither open nor closed: the run says so, at a place
 * before, instead of an impact there. */
static void a_gap_that_is_no_number_ends_the_run_with_the_name_of_the_contact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nunits: off\n"
                        "formula: {coordinates: {x: m}, kinetic: 0.5*x'^2}\n"
                        "contacts: {window: {gap: \"1 + (0.5 - x)*sqrt(0.5 - x)\", law: {eps_N: "
                        "0.5}}}\n"
                        "start: {x: 0, x': 1}\n");
    const sp_run_options o = {
        .method = SP_METHOD_EVENT, .until = 2.0, .output_step = 2.0, .tolerance = 1e-9};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "window"));
    assert_true(summary.events == 0 && r.x->t < 0.5);
    rig_free(&r);
}

/* A tolerance that double precision cannot meet is refused with the number it could. */
static void a_tolerance_too_tight_is_refused(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: "
        "{point: [0, 0]}}}\n"
        "contacts: {c: {between: [ball, ground], law: {eps_N: 1}}}\nstart: {ball.y: 1}\n");
    sp_error err = {.text = ""};
    assert_int_equal(sp_events_check(r.m, 1e-16, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "tolerance = 1e-16"));
    rig_free(&r);
}

/* A slide that friction holds with 1 + sin(w t) against a load that is more than that for some time
 * only, while a ball flies and hits the floor within it: nothing moves but the ball, steps are
 * long, and it slips when it must.   theory (44.2) */
static void friction_that_fades_for_a_moment_in_a_long_step_lets_go(void **ctx)
{
    (void)ctx;
    const double w = 14.5, low = 1.5 * acos(-1.0) / w;
    for (int k = 0; k < 12; k++) {
        const double load = 0.005 * (1 << (k % 6)), half = acos(1.0 - load) / w;
        const double hit = low + 0.5 * half * (k < 6 ? 1.0 : -1.0), height = 0.5 * 9.81 * hit * hit;
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: [%.17g, -9.81]\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}\n"
                            "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]},\n"
                            "      contours: {tip: {point: [0, 0]}}}\n"
                            "couplings: {q: {of: a.joint.s, friction: 1 + sin(14.5*t)}}\n"
                            "contacts: {c: {between: [ball, ground], law: {eps_N: 0.5}}}\n"
                            "start: {ball.joint.s: %.17g}\n",
                            load, height);
        events_go(&r, hit + 0.01, 1e-10);
        assert_true(events_count(&r, SP_EVENT_SLIP) > 0);
        assert_near(events_get(&r, SP_EVENT_SLIP, "q", 0)->t, low - half, 1e-11);
        assert_near(events_get(&r, SP_EVENT_IMPACT, "c", 0)->t, hit, 1e-12);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_touch_of_a_hair_is_found_and_a_miss_is_none),
        cmocka_unit_test(grazings_at_any_phase_of_a_step_are_found),
        cmocka_unit_test(an_accumulation_is_told_before_its_closing),
        cmocka_unit_test(a_ball_on_a_shaken_table_keeps_its_period),
        cmocka_unit_test(what_happens_together_is_one_event),
        cmocka_unit_test(a_rocking_block_loses_what_it_must_and_stands),
        cmocka_unit_test(a_coin_that_slides_and_rolls_by_turns_is_certified),
        cmocka_unit_test(steps_end_where_the_motion_has_its_event_and_not_beside),
        cmocka_unit_test(a_gap_that_is_no_number_ends_the_run_with_the_name_of_the_contact),
        cmocka_unit_test(a_tolerance_too_tight_is_refused),
        cmocka_unit_test(friction_that_fades_for_a_moment_in_a_long_step_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
