/* Forces of closed contacts that depend on each other: where friction slides on them with different
 * mu the motion is not unique, and that is told; where it is unique nothing is.   theory (31.6) */
#include "support/check.h"
#include "support/events.h"

/* A plank of 1 kg that slides to the right on three feet; mu of the outer ones and of the middle
 * one, and its speed. */
static rig plank(double outer, double middle, double v)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  a: {mass: 1, inertia: 1, contours: {l: {point: [-1, -0.1]},\n"
                       "      m: {point: [0, -0.1]}, r: {point: [1, -0.1]}}}\n"
                       "contacts:\n"
                       "  l: {between: [a.l, ground], law: {mu: %g}}\n"
                       "  m: {between: [a.m, ground], law: {mu: %g}}\n"
                       "  r: {between: [a.r, ground], law: {mu: %g}}\n"
                       "start: {a.y: 0.1, a.vx: %g}\n",
                       outer, middle, outer, v);
}

/* The middle foot may carry anything between nothing and all: the plank slows down by anything
 * between 0 and mu g, and one of these motions is taken. */
static void friction_that_depends_on_shared_loads_is_a_choice(void **ctx)
{
    (void)ctx;
    rig r = plank(0.0, 0.3, 2.0);
    events_go(&r, 0.4, 1e-9);
    assert_int_equal(events_count(&r, SP_EVENT_CHOICE), 1);
    assert_true(rig_event(&r, SP_EVENT_CHOICE, -1, 0)->t == 0.0);
    const double slower = 2.0 - r.x->u[0];
    print_message("  slower by %.3f m/s, between 0 and %.3f\n", slower, 0.3 * 10.0 * 0.4);
    assert_true(slower > -1e-9 && slower < 0.3 * 10.0 * 0.4 + 1e-9);
    rig_free(&r);
}

/* The same plank falls onto its three feet at t = sqrt(2 h/g): there the continuum begins, although
 * the step that follows is long.  A block at rest on two feet, which comes first in the list,
 * shares loads too and is not part of it. */
static void a_continuum_is_told_where_it_begins_by_a_contact_of_its_own(void **ctx)
{
    (void)ctx;
    const double h = 0.05, t = sqrt(2.0 * h / 10.0);
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  b: {mass: 1, inertia: 1, contours: {l: {point: [-1, -0.1]},\n"
                        "      r: {point: [1, -0.1]}}}\n"
                        "  a: {mass: 1, inertia: 1, contours: {l: {point: [-1, -0.1]},\n"
                        "      m: {point: [0, -0.1]}, r: {point: [1, -0.1]}}}\n"
                        "contacts:\n"
                        "  two: {between: [[b.l, b.r], ground], law: {mu: 0.5}}\n"
                        "  m: {between: [a.m, ground], law: {mu: 0.3}}\n"
                        "  o: {between: [[a.l, a.r], ground], law: {mu: 0}}\n"
                        "start: {b.x: -5, b.y: 0.1, a.y: %.17g, a.vx: 2}\n",
                        0.1 + h);
    events_go(&r, 0.2, 1e-9);
    int told = 0;
    for (int k = 0; k < r.n_event; k++) {
        const sp_event *e = &r.event[k];
        if (e->kind == SP_EVENT_CHOICE && e->n_found == 0) { /* a number: the impact has several */
            assert_near(e->t, t, 1e-11);
            assert_true(e->slot >= rig_slot(&r, "m"));
            told++;
        }
    }
    assert_int_equal(told, 1);
    rig_free(&r);
}

/* With one mu for all, without friction and at rest the loads do not matter. */
static void loads_that_move_nothing_are_no_choice(void **ctx)
{
    (void)ctx;
    const double mu[] = {0.3, 0.0, 0.3}, v[] = {2.0, 2.0, 0.0};
    for (int i = 0; i < 3; i++) {
        rig r = plank(mu[i], mu[i], v[i]);
        events_go(&r, 0.4, 1e-9);
        assert_int_equal(events_count(&r, SP_EVENT_CHOICE), 0);
        assert_near(r.x->u[0], v[i] > 0.0 ? v[i] - mu[i] * 10.0 * 0.4 : 0.0, 1e-9);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_depends_on_shared_loads_is_a_choice),
        cmocka_unit_test(a_continuum_is_told_where_it_begins_by_a_contact_of_its_own),
        cmocka_unit_test(loads_that_move_nothing_are_no_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
