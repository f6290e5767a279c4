/* Short steps go on where events make no progress: reported, short, and back to events afterwards.
 */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#include <string.h>

/* A block that slides, and a ball that bounces beside it; handed over at t = 0.1. */
static const char *const two =
    "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  block: {mass: 1, inertia: 0.1, contours: {c: {polygon: [[-0.2, -0.1], [0.2, -0.1], [0.2, "
    "0.1], "
    "[-0.2, 0.1]]}}}\n"
    "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "
    "0]}}}\n"
    "contacts: {c: {between: [[block, ball], ground], law: {mu: 0.2, eps_N: 0.6}}}\n"
    "start: {block.y: 0.1, block.vx: 3, ball.y: 0.3}\n";

/* Run to `until`, handed over at the first step after t if t >= 0; how many handovers were told. */
static int run_until(rig *r, double until, double t, double *lasts)
{
    sp_events *e;
    sp_error err = {.text = ""};
    int n = 0;
    assert_int_equal(sp_events_begin(r->m, r->x, r->w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-11, .until = until},
                                     &e, &err),
                     SP_OK);
    for (int steps = 0; r->x->t < until; steps++) {
        sp_status status = sp_events_step(e, r->x, until, &err);
        status = status == SP_OK ? sp_events_happen(e, r->x, &err) : status;
        if (status != SP_OK) {
            fail_msg("%s", err.text);
        }
        if (t >= 0.0 && r->x->t >= t) {
            r->w->n_event = 0;
            assert_int_equal(sp_fallback_begin(e, r->x, &err), SP_OK);
            t = -1.0;
        }
        for (int k = 0; k < r->w->n_event; k++) {
            if (r->w->event[k].kind == SP_EVENT_HANDOVER) {
                *lasts = r->w->event[k].lasts;
                n++;
            }
        }
        assert_true(steps < 10000);
    }
    sp_events_end(e);
    return n;
}

/* The same to 1 s. */
static int run(rig *r, double t, double *lasts)
{
    return run_until(r, 1.0, t, lasts);
}

static void a_handover_is_told_and_changes_little(void **ctx)
{
    (void)ctx;
    rig plain = rig_of_text("%s", two), over = rig_of_text("%s", two);
    double lasts = 0.0;
    assert_int_equal(run(&plain, -1.0, &lasts), 0);
    assert_int_equal(run(&over, 0.1, &lasts), 1);
    assert_near(lasts, 20e-6 * 0.1, 1e-18); /* of the time of 0.3 m at 3 m/s   theory (67.2) */
    for (int k = 0; k < plain.m->n_dof; k++) {
        assert_near(over.x->q[k], plain.x->q[k], 1e-9); /* as exact as it estimates */
    }
    assert_true(over.x->t == 1.0);
    const double left = rig_left_over(&over.x->ledger);
    assert_true(fabs(left) < 1e-9 * over.x->ledger.scale);
    rig_free(&plain);
    rig_free(&over);
}

/* The two bodies, at the beginning of an event-driven run. */
static sp_events *begin_two(rig *r)
{
    const sp_events_setup setup = {.smooth.tolerance = 1e-11, .until = 1.0};
    sp_events *e;
    sp_error err = {.text = ""};
    *r = rig_of_text("%s", two);
    assert_int_equal(sp_events_begin(r->m, r->x, r->w, &setup, &e, &err), SP_OK);
    return e;
}

/* Right after, contacts are exactly on each other again. */
static void closed_contacts_are_closed_after_a_handover(void **ctx)
{
    (void)ctx;
    rig r;
    sp_error err = {.text = ""};
    sp_events *e = begin_two(&r);
    assert_int_equal(sp_fallback_begin(e, r.x, &err), SP_OK);
    while (sp_events_in_fallback(e)) {
        assert_int_equal(sp_events_step(e, r.x, 1.0, &err), SP_OK);
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
    }
    assert_true(r.x->t >= 20e-6 * 0.1);
    assert_true(e->fallback.error < 1e-11);
    assert_int_equal(r.w->doubt[SP_DOUBT_HANDOVER].n, 0); /* it kept the tolerance */
    assert_near(r.x->q[1], 0.1, 1e-14);
    assert_near(r.x->u[1], 0.0, 1e-14);
    assert_near(r.x->u[0], 3.0 - 2.0 * r.x->t, 1e-12);
    sp_events_end(e);
    rig_free(&r);
}

/* Explicit steps are not for stiff machines: their runs end with the time, the contact and what to
 * do. */
static void stiff_runs_do_not_hand_over_but_say_why(void **ctx)
{
    (void)ctx;
    static const sp_stiff_driver driver = {.name = "none"};
    rig r;
    sp_error err = {.text = ""};
    sp_events *e = begin_two(&r);
    e->s->driver = &driver;
    e->located.trigger = SP_TRIGGER_TOUCH;
    e->located.slot = r.m->n_slot - 1;
    e->fallback.events.level = 1e9; /* events without progress */
    assert_int_equal(sp_events_happen(e, r.x, &err), SP_E_NOT_CONVERGED);
    e->s->driver = NULL;
    assert_non_null(strstr(err.text, "t = 0 s, contact '"));
    assert_non_null(strstr(err.text, r.m->slot[r.m->n_slot - 1].name));
    assert_non_null(strstr(err.text, "less restitution"));
    sp_events_end(e);
    rig_free(&r);
}

/* The last frame of a run. */
typedef struct last {
    double t;
    int handovers;
} last;

static sp_status note(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    last *l = ctx;
    (void)m;
    (void)err;
    l->t = r->sampled ? r->t : l->t;
    for (int k = 0; k < r->n_event; k++) {
        l->handovers += r->event[k].kind == SP_EVENT_HANDOVER;
    }
    return SP_OK;
}

/* A puck at 1000 m/s in a slot of 0.5 nm is hit a thousand times in half a nanosecond: long is 10
 * ms for it (1 m at that speed, times ten), so that 20 steps of 10 ns go over its hits.  Whether
 * the run ends with one of them, between two, or behind them, its end is told. */
static void a_run_that_ends_in_a_handover_has_its_last_frame(void **ctx)
{
    (void)ctx;
    const double until[] = {5e-8, 5.5e-8, 3e-7};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
            "  ground: {contours: {left: {line: [1, 0]}, right: {line: [-1, 0], at: [5e-10, 0]}}}\n"
            "  puck: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}, contours: {tip: {point: "
            "[0, "
            "0]}}}\n"
            "  far: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}\n"
            "contacts: {c: {between: [puck, ground], law: {eps_N: 1}}}\n"
            "start: {puck.x: 2.5e-10, puck.vx: 1000, far.x: 1}\n");
        sp_run_summary summary;
        sp_error err = {.text = ""};
        last seen = {.t = -1.0};
        const sp_observer observer = {.step = note, .ctx = &seen};
        const sp_run_options o = {
            .method = SP_METHOD_EVENT, .until = until[k], .output_step = 2e-8, .tolerance = 1e-9};
        if (sp_integrate(r.m, r.x, r.w, &o, &observer, 1, &summary, &err) != SP_OK) {
            fail_msg("%s", err.text);
        }
        assert_true(seen.handovers > 0);
        assert_true(seen.t == until[k] && r.x->t == until[k]);
        rig_free(&r);
    }
}

/* Three discs of radius 0.1 m are thrown between walls that are 0.6 m apart and come to rest side
 * by side: the last of them has no room to spare, and where all touch, the directions of the four
 * contacts depend on each other but for angles of 1e-7, so that their problems are solved to 1e-6
 * only.  That is told by certificates and ends no run; they lie on the floor, as high over it as
 * gaps of 1e-10 m between them allow: sqrt(4 r 1e-10 m). */
static void three_discs_that_fill_the_width_exactly_come_to_rest(void **ctx)
{
    (void)ctx;
    static const double start[3][3] = {{0.02, 1.0, 0.8}, {0.005, 1.0, 0.3}, {0.0, 1.3, 0.3}};
    const double high = sqrt(4.0 * 0.1 * SP_TOUCHES);
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}, left: {line: [1, 0], at: [-0.3, 0]}, "
            "right: {line: [-1, 0], at: [0.3, 0]}}}\n"
            "  a: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}\n"
            "  b: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}\n"
            "  c: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}\n"
            "laws: {dry: {mu: 0.3, eps_N: %g}}\n"
            "contacts: {walls: {between: [[a, b, c], ground], law: dry}, ab: {between: [a, b], "
            "law: dry}, ac: {between: [a, c], law: dry}, bc: {between: [b, c], law: dry}}\n"
            "start: {a.y: 0.3, b.y: 0.6, b.x: %g, c.y: 0.9, c.x: -0.03, c.vx: %g}\n",
            start[k][2], start[k][0], start[k][1]);
        events_go(&r, 6.0, 1e-9);
        double span = 0.0;
        for (int i = 0; i < 3; i++) {
            const double *q = r.x->q + 3 * i;
            assert_true(q[1] - 0.1 > -1e-9 && q[1] - 0.1 < high);
            span += fabs(q[0]);
        }
        print_message("complementarity %.1e, T = %.1e J\n", r.worst.complementarity,
                      r.x->ledger.kinetic);
        assert_near(span, 0.4, 1e-9);
        assert_true(r.x->ledger.kinetic < 1e-12);
        assert_true(events_count(&r, SP_EVENT_HANDOVER) > 0);
        rig_free(&r);
    }
}

/* A body that comes to rest on a corner which slides with less than 1e-6 m/s while its direction
 * turns: explicit steps are as short as 5 |gamma|/|A|.   theory (50.8), (50.9) */
static void slip_that_is_slow_and_turns_is_stepped_over(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: [-0.855, 0, -9.81]\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  b0: {mass: 0.964, inertia: [0.0136, 0.0118, 0.0148], contours: {c0: {point: [0.0173, "
        "0.00668, -0.0933]}, c1: {point: [-0.0398, 0.0178, 0.134]}}}\n"
        "contacts:\n"
        "  f00: {between: [b0.c0, ground.floor], law: {mu: 0, eps_N: 0.547}}\n"
        "  f01: {between: [b0.c1, ground.floor], law: {mu: 0.7, rolling: 0.00631, eps_N: 0}}\n"
        "start: {b0.z: 0.337, b0.x: 0.0243, b0.y: 0.192, b0.vx: -0.312, b0.vy: -0.553, "
        "b0.omega_x: 4.79, b0.omega_y: 4.01}\n");
    sp_events *e;
    sp_error err = {.text = ""};
    long steps = 0;
    int n = 0;
    sp_status status = sp_events_begin(
        r.m, r.x, r.w, &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 0.71}, &e, &err);
    while (status == SP_OK && r.x->t < 0.71 && steps < 60000) {
        status = sp_events_step(e, r.x, 0.71, &err);
        status = status == SP_OK ? sp_events_happen(e, r.x, &err) : status;
        for (int k = 0; k < r.w->n_event; k++) {
            const sp_event *event = &r.w->event[k];
            if (event->kind == SP_EVENT_HANDOVER) {
                assert_string_equal(r.m->slot[event->slot].name, "f01");
                n++;
            }
        }
        steps++;
    }
    if (status != SP_OK) {
        fail_msg("%s", err.text);
    }
    print_message("%ld steps, %d handovers\n", steps, n);
    assert_true(r.x->t >= 0.71); /* 200000 steps were not enough for 0.7069 s */
    assert_true(n >= 1 && n <= 10);
    assert_true(r.x->ledger.worst_balance < 1e-9);
    sp_events_end(e);
    rig_free(&r);
}

/* What a run told of impacts up to its first handover, sums that follow it included, and what its
 * ledger had there. */
typedef struct told {
    double lost, booked; /* J */
    double t;            /* of the handover, s */
    int impacts, sums, handovers;
} told;

static sp_status add_up(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    told *t = ctx;
    const bool before = t->handovers == 0;
    (void)m;
    (void)err;
    for (int k = 0; k < r->n_event; k++) {
        const sp_event *e = &r->event[k];
        const bool hit = e->kind == SP_EVENT_IMPACT && before;
        const bool sum = e->kind == SP_EVENT_ZENO && (before || e->t < t->t + 1e-7);
        t->lost += hit || sum ? e->energy_lost : 0.0;
        t->impacts += hit;
        t->sums += sum;
        t->handovers += e->kind == SP_EVENT_HANDOVER;
        t->t = e->kind == SP_EVENT_HANDOVER && before ? e->t : t->t;
    }
    t->booked = before ? -r->ledger->impacts : t->booked;
    return SP_OK;
}

/* A press closes on a ball until there is no room left: hits come without end, the run hands over,
 * and thousands of hits right before that are told as sums.  What is told up to there is what the
 * ledger has: with all contacts frictionless there is nothing else in its line. */
static void a_press_tells_all_energy_that_its_impacts_took(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  ram: {joint: {prismatic: ground, axis: [0, 1], motion: \"max(0.2, 0.3 - 0.1*t)\"}, "
            "contours: {face: {line: [0, -1]}}}\n"
            "  ball: {mass: 1, inertia: 0.004, contours: {rim: {circle: 0.1}}}\n"
            "contacts: {c: {between: [ball, [ground.floor, ram.face]], law: {eps_N: %g}}}\n"
            "start: {ball.y: 0.15, ball.vx: 0.3, ball.vy: 1}\n",
            k == 0 ? 0.9 : 0.99);
        sp_run_summary summary;
        sp_error err = {.text = ""};
        told sum = {.lost = 0.0};
        const sp_observer observer = {.step = add_up, .ctx = &sum};
        const sp_run_options o = {
            .method = SP_METHOD_EVENT, .until = 2.0, .output_step = 0.1, .tolerance = 1e-9};
        if (sp_integrate(r.m, r.x, r.w, &o, &observer, 1, &summary, &err) != SP_OK) {
            fail_msg("%s", err.text);
        }
        print_message("%d impacts, %d sums: %.12g J told, %.12g J booked, %.12g J at the end\n",
                      sum.impacts, sum.sums, sum.lost, sum.booked, -r.x->ledger.impacts);
        assert_true(sum.handovers > 0 && sum.sums > 0);
        assert_near(summary.handover.t, 1.0, 1e-9);
        assert_near(sum.lost, sum.booked, 1e-9 * r.x->ledger.scale);
        assert_true(r.x->ledger.worst_balance < 1e-12);
        rig_free(&r);
    }
}

/* A mesh without play is hit from both sides at once, without end: the relative speed of 0.1 is
 * lost, 0.005 J, the rest is what moves the mesh.  The sum of all impacts is known without steps.
 */
static void a_mesh_without_play_books_its_impacts_once(void **ctx)
{
    static const double eps[] = {0.3, 0.7, 0.99};
    (void)ctx;
    for (int i = 0; i < 3; i++) {
        rig r = rig_of_text("specht: 1\nunits: off\n"
                            "formula: {coordinates: {z: m}, kinetic: z'^2/2}\n"
                            "couplings: {mesh: {of: z - 0.5*sin(t), range: [0, 0], "
                            "law: {eps_N: %g}}}\n"
                            "start: {z: 0, z': 0.6}\n",
                            eps[i]);
        events_go(&r, 1.0, 1e-9);
        const double kinetic = 0.5 * pow(0.5 * cos(1.0), 2.0);
        assert_near(r.x->ledger.impacts, -0.005, 1e-8);
        assert_near(r.x->ledger.driven, kinetic - 0.18 + 0.005, 1e-8);
        assert_true(r.x->ledger.worst_balance < 1e-12);
        assert_false(r.w->doubtful);
        rig_free(&r);
    }
}

/* n balls in space over a floor, ball i by i drop above it. */
static rig balls(int n, double drop)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: 10\n"
        "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  ball: {count: %d, density: 240, shape: {sphere: 0.1}, contours: {skin: {sphere: 0.1}}}\n"
        "contacts: {floor: {between: [ball, ground], law: {mu: 0.3}}}\n"
        "start: {ball.x: 0.3*(i - 1), ball.z: 0.1 + %.17g*i}\n",
        n, drop);
}

/* Follow them by events; how many handovers, and the largest error of their heights: each falls
 * freely until it rests on the floor. */
static int follow_balls(int n, double drop, double until, double *off)
{
    rig r = balls(n, drop);
    double lasts = 0.0;
    const int handovers = run_until(&r, until, -1.0, &lasts);
    *off = 0.0;
    for (int i = 0; i < n; i++) {
        const double height = fmax(0.0, drop * (i + 1) - 5.0 * until * until);
        *off = fmax(*off, fabs(r.x->q[7 * i + 2] - 0.1 - height));
        assert_false(r.w->doubtful);
    }
    rig_free(&r);
    return handovers;
}

/* More contacts than there is room for a G of are no limit while few of them are closed, and where
 * more are, steps take over. */
static void more_contacts_than_fit_are_run(void **ctx)
{
    (void)ctx;
    double off;
    assert_int_equal(follow_balls(270, 1e-3, 0.0205, &off), 0);
    assert_true(off < 1e-11);
    assert_true(follow_balls(257, 0.0, 2e-4, &off) > 0);
    assert_true(off < 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handover_is_told_and_changes_little),
        cmocka_unit_test(closed_contacts_are_closed_after_a_handover),
        cmocka_unit_test(stiff_runs_do_not_hand_over_but_say_why),
        cmocka_unit_test(a_run_that_ends_in_a_handover_has_its_last_frame),
        cmocka_unit_test(three_discs_that_fill_the_width_exactly_come_to_rest),
        cmocka_unit_test(a_press_tells_all_energy_that_its_impacts_took),
        cmocka_unit_test(slip_that_is_slow_and_turns_is_stepped_over),
        cmocka_unit_test(a_mesh_without_play_books_its_impacts_once),
        cmocka_unit_test(more_contacts_than_fit_are_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
