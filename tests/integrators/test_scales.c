/* The same machine in other sizes: lengths, gravity and velocities times k, moments of inertia
 * times k^2, so that time stays.  Everything grows by k, to 1e-9 of it; events are the same ones.
 */
#include "support/check.h"
#include "support/events.h"

static const double SCALE[7] = {1e-10, 1e-6, 1e-3, 1.0, 1e3, 1e4, 1e5};

/* What a run ends with. */
typedef struct outcome {
    double q[3], u[3], impacts, last; /* impacts: energy; last: time of the last event */
    int events;
} outcome;

static outcome run_it(rig r, double until, int n)
{
    outcome o = {.events = 0};
    events_go(&r, until, 1e-11);
    for (int k = 0; k < n; k++) {
        o.q[k] = r.x->q[k];
        o.u[k] = r.x->u[k];
    }
    o.impacts = r.x->ledger.impacts;
    o.events = r.n_event;
    o.last = r.n_event > 0 ? r.event[r.n_event - 1].t : 0.0;
    assert_true(r.worst.complementarity < 1e-8);
    rig_free(&r);
    return o;
}

/* A box that tumbles, bounces and slides to rest on its side. */
static outcome box(double k)
{
    return run_it(
        rig_of_text("specht: 1\nspace: planar\nparameters: {k: %.17g}\ngravity: k*(9.81 m/s^2)\n"
                    "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  box: {mass: 1 kg, inertia: k^2*(0.1 kg*m^2), contours: {c: {box: [k*(0.2 "
                    "m), k*(0.1 m)]}}}\n"
                    "contacts: {b: {between: [box, ground], law: {eps_N: 0.5, mu: 0.3}}}\n"
                    "start: {box.y: k*(1 m), box.vx: k*(1 m/s), box.phi: 0.2}\n",
                    k),
        3.0, 3);
}

/* A point that bounces to rest: no length but the one it falls from. */
static outcome ball(double k)
{
    return run_it(
        rig_of_text(
            "specht: 1\nspace: planar\nparameters: {k: %.17g}\ngravity: k*(9.81 m/s^2)\n"
            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: "
            "{point: [0, 0]}}}\n"
            "contacts: {b: {between: [ball, ground], law: {eps_N: 0.9}}}\n"
            "start: {ball.y: k*(1 m)}\n",
            k),
        9.0, 1);
}

static void a_box_of_any_size_moves_alike(void **ctx)
{
    (void)ctx;
    const outcome one = box(1.0);
    for (int i = 0; i < 7; i++) {
        const double k = SCALE[i];
        const outcome o = box(k);
        assert_int_equal(o.events, one.events);
        assert_near(o.last, one.last, 1e-9);
        for (int a = 0; a < 3; a++) {
            const double unit = a == 2 ? 1.0 : k;
            assert_near(o.q[a] / unit, one.q[a], 1e-9);
            assert_near(o.u[a] / unit, one.u[a], 1e-8);
        }
        assert_near(o.impacts / (k * k), one.impacts, 1e-9);
    }
}

/* The closed form: rest after sqrt(2 h/g) (1 + eps)/(1 - eps). */
static void a_point_bounces_to_rest_from_any_height(void **ctx)
{
    (void)ctx;
    const double rest = sqrt(2.0 / 9.81) * 1.9 / 0.1;
    const outcome one = ball(1.0);
    for (int i = 0; i < 7; i++) {
        const outcome o = ball(SCALE[i]);
        assert_int_equal(o.events, one.events);
        assert_near(o.last, rest, 2e-8);
        assert_near(o.q[0] / SCALE[i], 0.0, 1e-12);
        assert_near(o.impacts / (SCALE[i] * SCALE[i]), -9.81, 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_any_size_moves_alike),
        cmocka_unit_test(a_point_bounces_to_rest_from_any_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
