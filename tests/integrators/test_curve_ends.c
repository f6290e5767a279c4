/* Discs and points that go over the end of a curve: forces jump there.   theory (54.7), (54.8) */
#include "support/check.h"
#include "support/events.h"

#define GRAVITY 9.81

/* A wheel of 2 kg, or a point, on a curve of the ground. */
static rig on_road(const char *road, const char *tyre, double inertia, const char *law, double x,
                   double y, double v, double omega)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {road: %s}}\n"
                       "  wheel: {mass: 2, inertia: %.17g, contours: {tyre: %s}}\n"
                       "contacts: {c: {between: [wheel, ground], law: %s}}\n"
                       "start: {wheel.x: %.17g, wheel.y: %.17g, wheel.vx: %.17g, wheel.omega: "
                       "%.17g}\n",
                       road, inertia, tyre, law, x, y, v, omega);
}

/* Nothing was put back or stepped over, and every step is certified. */
static void assert_exact(const rig *r)
{
    assert_int_equal(events_count(r, SP_EVENT_HANDOVER), 0);
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-9 * r->x->ledger.scale);
    assert_true(fabs(r->x->ledger.projection) <= 1e-9 * r->x->ledger.scale);
}

/* Without friction a disc goes about the edge of a table, v^2 = v_0^2 + 2 g r (1 - cos a), and
 * leaves where v^2 = g r cos a: cos a = (2 + v_0^2/(g r))/3, at once if v_0^2 > g r. */
static void a_disc_slides_over_the_edge_of_a_table(void **ctx)
{
    (void)ctx;
    static const double v0[] = {0.2, 0.5, 1.0, 1.5, 2.5};
    static const char *const road[] = {"{curve: [s, 0], over: [-2, 0]}",
                                       "{spline: [[-2, 0], [-1, 0], [0, 0]]}"};
    const double r = 0.3;
    for (int k = 0; k < 10; k++) {
        const double v = v0[k / 2], cosine = fmin(1.0, (2.0 + v * v / (GRAVITY * r)) / 3.0);
        rig a = on_road(road[k % 2], "{circle: 0.3}", 0.1, "{mu: 0}", -0.3, r, v, 0.0);
        events_go(&a, 3.5, 1e-11);
        assert_near(a.x->u[0], cosine < 1.0 ? sqrt(GRAVITY * r * cosine) * cosine : v, 1e-9);
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), 1);
        assert_exact(&a);
        rig_free(&a);
    }
}

/* It rolls down an arc and over its end without slip: by energy, and against itself with another
 * tolerance. */
static void a_wheel_that_rolls_over_an_end_keeps_its_energy(void **ctx)
{
    (void)ctx;
    double y[2][3];
    for (int k = 0; k < 2; k++) {
        rig a = on_road("{arc: 1, over: [60 deg, 90 deg]}", "{circle: 0.3}", 0.18, "{mu: 5}", 0.1,
                        sqrt(1.69 - 0.01), 0.0, 0.0);
        const double before = a.x->ledger.kinetic + 2.0 * GRAVITY * sqrt(1.69 - 0.01);
        events_go(&a, 0.9, k == 0 ? 1e-9 : 1e-12);
        const double after = a.x->ledger.kinetic + 2.0 * GRAVITY * a.x->q[1];
        assert_near(after, before, k == 0 ? 1e-6 : 1e-9);
        assert_exact(&a);
        for (int i = 0; i < 3; i++) {
            y[k][i] = a.x->q[i];
        }
        rig_free(&a);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(y[0][i], y[1][i], 1e-6);
    }
}

/* A point has no way around: it leaves with what it has. */
static void a_point_leaves_at_the_end(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        const double v = 0.3 + 0.4 * k;
        rig a = on_road("{curve: [s, 0], over: [-2, 0]}", "{point: [0, 0]}", 0.1, "{mu: 0}", -0.3,
                        0.0, v, 0.0);
        events_go(&a, 2.0, 1e-10);
        assert_near(a.x->u[0], v, 1e-12);
        assert_near(a.x->q[1], -0.5 * GRAVITY * (2.0 - 0.3 / v) * (2.0 - 0.3 / v), 1e-6);
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), 1);
        assert_exact(&a);
        rig_free(&a);
    }
}

/* Wheels on short roads that end in a hollow or beside it: what slips because the force jumps was
 * certified with the force behind the end. */
static void wheels_on_short_roads_are_certified(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *road, *tyre, *law;
        double inertia, x, y, v, omega;
    } c[] = {{"{curve: [s, 0.03*cos(2*pi*s)], over: [-1.25, 1.25]}", "{circle: 0.2}",
              "{mu: 0.3, eps_N: 0}", 0.04, 0.848, 0.374, 1.16, -5.8},
             {"{curve: [s, 0.2*cos(pi*s)], over: [-0.6, 0.45]}", "{circle: 1.5}",
              "{mu: 0.3, eps_N: 0.7}", 2.25, -0.06, 1.724, -1.599, 1.066},
             {"{curve: [s, 0.1*cos(2*pi*s)], over: [-1.25, 1.25]}", "{circle: 1.5}",
              "{mu: 0.3, eps_N: 0.3}", 2.25, 0.55, 1.692, -1.67, 1.1133333333333333}};
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++) {
        rig a = on_road(c[k].road, c[k].tyre, c[k].inertia, c[k].law, c[k].x, c[k].y, c[k].v,
                        c[k].omega);
        events_go(&a, 3.0, 1e-9);
        assert_true(events_count(&a, SP_EVENT_SLIP) > 0);
        assert_exact(&a);
        rig_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_slides_over_the_edge_of_a_table),
        cmocka_unit_test(a_wheel_that_rolls_over_an_end_keeps_its_energy),
        cmocka_unit_test(a_point_leaves_at_the_end),
        cmocka_unit_test(wheels_on_short_roads_are_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
