/* The stepper goes over what events cannot pass: told, short, and back to events afterwards. */
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

/* Run to 1 s, handed over at the first step after t if t >= 0; how many handovers were told. */
static int run(rig *r, double t, double *lasts)
{
    sp_events *e;
    sp_error err = {.text = ""};
    int n = 0;
    assert_int_equal(sp_events_begin(r->m, r->x, r->w, 1e-11, 1.0, &e, &err), SP_OK);
    for (int steps = 0; r->x->t < 1.0; steps++) {
        sp_status status = sp_events_step(e, r->x, 1.0, &err);
        status = status == SP_OK ? sp_events_happen(e, r->x, &err) : status;
        if (status != SP_OK) {
            fail_msg("%s", err.text);
        }
        if (t >= 0.0 && r->x->t >= t) {
            r->w->n_event = 0;
            sp_event_over_begin(e, r->x);
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

static void a_handover_is_told_and_changes_little(void **ctx)
{
    (void)ctx;
    rig plain = rig_of_text("%s", two), over = rig_of_text("%s", two);
    double lasts = 0.0;
    assert_int_equal(run(&plain, -1.0, &lasts), 0);
    assert_int_equal(run(&over, 0.1, &lasts), 1);
    assert_near(lasts, 20e-6, 1e-18); /* 20 steps of a millionth of the run */
    for (int k = 0; k < plain.m->n_dof; k++) {
        assert_near(over.x->q[k], plain.x->q[k], 1e-5); /* the stepper is of first order */
    }
    assert_true(over.x->t == 1.0);
    const double left = rig_left_over(&over.x->ledger);
    assert_true(fabs(left) < 1e-9 * over.x->ledger.scale);
    rig_free(&plain);
    rig_free(&over);
}

/* Right after, contacts are exactly on each other again. */
static void closed_contacts_are_closed_after_a_handover(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("%s", two);
    sp_events *e;
    sp_error err = {.text = ""};
    assert_int_equal(sp_events_begin(r.m, r.x, r.w, 1e-11, 1.0, &e, &err), SP_OK);
    sp_event_over_begin(e, r.x);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(sp_events_step(e, r.x, 1.0, &err), SP_OK);
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
    }
    assert_near(r.x->t, 20e-6, 1e-15);
    assert_near(r.x->q[1], 0.1, 1e-14);
    assert_near(r.x->u[1], 0.0, 1e-14);
    assert_near(r.x->u[0], 3.0 - 2.0 * 20e-6, 1e-12);
    sp_events_end(e);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handover_is_told_and_changes_little),
        cmocka_unit_test(closed_contacts_are_closed_after_a_handover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
