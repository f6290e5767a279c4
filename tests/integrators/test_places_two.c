/* Curves that touch hollows of another curve at two places.   theory (54.9) */
#include "support/check.h"
#include "support/events.h"
#include "support/machine.h"

/* A body of 2 kg with one contour over a road. */
static rig over_road(const char *road, const char *contour, const char *law, double x, double y,
                     double v)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {road: %s}}\n"
                       "  body: {mass: 2, inertia: 0.2, contours: {skin: %s}}\n"
                       "contacts: {c: {between: [body, ground], law: %s}}\n"
                       "start: {body.x: %.17g, body.y: %.17g, body.vx: %.17g}\n",
                       road, contour, law, x, y, v);
}

/* Nothing was put back, every step is certified. */
static void assert_exact(const rig *r)
{
    assert_int_equal(events_count(r, SP_EVENT_HANDOVER), 0);
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-9 * r->x->ledger.scale);
    assert_true(fabs(r->x->ledger.projection) <= 1e-9 * r->x->ledger.scale);
}

#define WAVES "{curve: [s, 0.1*cos(2*pi*s)], over: [-2, 2]}"

/* An arc of a whole turn is a circle, also on waves and in the mouth of a ring. */
static void an_arc_as_a_tyre_does_what_a_circle_does(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *road;
        double x, y, v;
    } c[] = {{WAVES, 0.2, 0.65, 1.0},
             {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.05, 1.35, 0.0}};
    for (int k = 0; k < 2; k++) {
        rig a = over_road(c[k].road, "{arc: 0.5}", "{mu: 0.3, eps_N: 0.2}", c[k].x, c[k].y, c[k].v);
        rig b =
            over_road(c[k].road, "{circle: 0.5}", "{mu: 0.3, eps_N: 0.2}", c[k].x, c[k].y, c[k].v);
        assert_int_equal(a.m->n_slot, b.m->n_slot);
        events_go(&a, 0.5, 1e-11);
        events_go(&b, 0.5, 1e-11);
        assert_true(events_count(&b, SP_EVENT_IMPACT) > 4);
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        assert_exact(&a);
        for (int i = 0; i < 3; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-9);
            assert_near(a.x->u[i], b.x->u[i], 1e-8);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

/* Many points of the oval, in the place of the body, and of the road: the least distance of the
 * two, and how deep the lowest of them is below the road, y - 0.1 cos 2 pi x. */
static void search(const double q[3], double *distance, double *depth)
{
    *distance = INFINITY;
    *depth = INFINITY;
    for (int i = 0; i < 400; i++) {
        const double s = 2.0 * 3.14159265358979323846 * i / 400.0, a = 0.5 * cos(s),
                     b = 0.4 * sin(s);
        const double x = q[0] + a * cos(q[2]) - b * sin(q[2]);
        const double y = q[1] + a * sin(q[2]) + b * cos(q[2]);
        *depth = fmin(*depth, y - 0.1 * cos(2.0 * 3.14159265358979323846 * x));
        for (int k = 0; k <= 800; k++) {
            const double r = -2.0 + 4.0 * k / 800.0;
            const double up = y - 0.1 * cos(2.0 * 3.14159265358979323846 * r);
            *distance = fmin(*distance, hypot(x - r, up));
        }
    }
}

/* Wherever an oval is over, in or under a road, its gap is a number: open ones are the least
 * distance, those inside of the road are below zero. */
static void an_oval_has_a_gap_wherever_it_is(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {contours: {road: " WAVES "}}\n"
        "  body: {mass: 2, inertia: 0.2, contours: {skin: {curve: [0.5*cos(s), 0.4*sin(s)], over: "
        "[0, 2*pi]}}}\n"
        "contacts: {c: {between: [body, ground], law: {mu: 0}}}\n");
    const double u[3] = {0.0, 0.0, 0.0};
    rng r = {54};
    int open = 0, inside = 0;
    for (int n = 0; n < check_cases(60, 1000); n++) {
        const double q[3] = {rng_in(&r, -1.2, 1.2), rng_in(&r, -1.5, 1.5), rng_in(&r, -3.0, 3.0)};
        double distance, depth;
        search(q, &distance, &depth);
        machine_touch(&c, q, u, 0.0);
        const double g = c.w->con.g[0];
        assert_true(isfinite(g));
        if (depth > 0.0) {
            assert_true(g <= distance + 1e-9 && g >= distance - 1e-2);
            open++;
        } else if (depth < -0.3) {
            assert_true(g < 0.0);
            inside++;
        }
    }
    assert_true(open > 10 && inside > 10);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_as_a_tyre_does_what_a_circle_does),
        cmocka_unit_test(an_oval_has_a_gap_wherever_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
