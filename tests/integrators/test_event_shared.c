/* Forces of closed contacts that depend on each other: where friction slides on them with different
 * mu the motion is not unique, and that is told; where it is unique nothing is.   theory (31.6)
 * All methods take the smallest forces that obey the laws.   theory (56.1) */
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

/* ---- the smallest forces that obey the laws ---------------------------------------------------
 */

enum { FEET = 3 };
static const double MASS = 2.0, INERTIA = 0.1, HALF = 0.3, GRAVITY = 9.81;
static const double foot_mu[FEET] = {0.1, 0.3, 0.5};

/* A sledge on three feet, h below its centre, that slides to the right. */
static rig sledge(double h)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: %.17g\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  a: {mass: %g, inertia: %g, contours: {l: {point: [%g, %g]},\n"
                       "      m: {point: [0, %g]}, r: {point: [%g, %g]}}}\n"
                       "contacts:\n"
                       "  l: {between: [a.l, ground], law: {mu: %g}}\n"
                       "  m: {between: [a.m, ground], law: {mu: %g}}\n"
                       "  r: {between: [a.r, ground], law: {mu: %g}}\n"
                       "start: {a.y: %g, a.vx: 3}\n",
                       GRAVITY, MASS, INERTIA, -HALF, -h, -h, HALF, -h, foot_mu[0], foot_mu[1],
                       foot_mu[2], h);
}

/* N = (p + q y)/G of least sum G N^2 over the feet from `first` on, with sum N = m g, sum y N = 0;
 * y = x - h mu, the arm of the whole force, G = 1/m + x^2/I. */
static void least_loads(double h, int first, double N[FEET])
{
    double y[FEET], G[FEET], s[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < FEET; i++) {
        const double x = HALF * (i - 1);
        y[i] = x - h * foot_mu[i];
        G[i] = 1.0 / MASS + x * x / INERTIA;
        for (int k = 0; k < 3 && i >= first; k++) {
            s[k] += pow(y[i], k) / G[i];
        }
    }
    const double det = s[0] * s[2] - s[1] * s[1];
    for (int i = 0; i < FEET; i++) {
        N[i] = i < first ? 0.0 : MASS * GRAVITY * (s[2] - s[1] * y[i]) / (det * G[i]);
    }
}

/* The sledge by one method for 0.1 s: loads of its feet and its speed. */
static void check_sledge(double h, sp_method method, const double N[FEET], double tolerance)
{
    const bool steps = sp_method_has_step(method);
    const sp_run_options o = {.method = method,
                              .until = 0.1,
                              .step = steps ? 1e-3 : 0.0,
                              .output_step = 1e-2,
                              .tolerance = method == SP_METHOD_ADAPTIVE ? 1e-6 : 1e-10};
    sp_run_summary summary;
    sp_error err = {.text = ""};
    rig r = sledge(h);
    double drag = 0.0;
    if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    for (int i = 0; i < FEET; i++) {
        drag += foot_mu[i] * N[i];
    }
    print_message("  method %d, h = %g: off by %.1e m/s\n", (int)method, h,
                  fabs(r.x->u[0] - (3.0 - drag / MASS * 0.1)));
    assert_near(r.x->u[0], 3.0 - drag / MASS * 0.1, tolerance);
    assert_true(summary.worst.momentum < 1e-10 && summary.worst.cone < 1e-10);
    rig_free(&r);
}

/* On low feet all three carry; on high ones the sum of squares would be least with a foot that
 * pulls (-1.26 N): it carries nothing. */
static void all_methods_take_the_smallest_loads(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE, SP_METHOD_MOREAU,
                                       SP_METHOD_MOREAU_MEAN, SP_METHOD_RK4};
    double low[FEET], high[FEET], pulls[FEET];
    least_loads(0.2, 0, low);
    least_loads(0.4, 0, pulls);
    least_loads(0.4, 1, high);
    assert_true(low[0] > 1.0 && pulls[0] < -1.0);
    for (int i = 0; i < (int)(sizeof method / sizeof *method); i++) {
        check_sledge(0.2, method[i], low, 1e-11);
        check_sledge(0.4, method[i], high, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_depends_on_shared_loads_is_a_choice),
        cmocka_unit_test(a_continuum_is_told_where_it_begins_by_a_contact_of_its_own),
        cmocka_unit_test(loads_that_move_nothing_are_no_choice),
        cmocka_unit_test(all_methods_take_the_smallest_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
