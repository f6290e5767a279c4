/* Event-driven integration as a method of its order through an impact and lasting friction, and
 * what it costs beside the stepper. */
#include "support/check.h"
#include "support/events.h"

#include <time.h>

/* A block on a spring falls onto a floor and slides to and fro there:  k = m = 1, g = 10, mu = 0.1.
 *     in the air   x'' + x = 0            for t < t_1 = sqrt(2 h/g)
 *     the impact   x' jumps by -mu g t_1 sign(x'), y' to zero
 *     sliding      x'' + x = -mu g sign(x'),  turning where x' = 0 while |x| > mu g */
enum { HEIGHT = 5 };
static const double g = 10.0, mu = 0.1;

static rig block(void)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  block: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: "
                       "{point: [0, 0]}}}\n"
                       "forces: {k: {spring: block.x, stiffness: 1}}\n"
                       "contacts: {c: {between: [block, ground], law: {mu: 0.1}}}\n"
                       "start: {block.x: 12, block.vx: 6, block.y: %d}\n",
                       HEIGHT);
}

/* x and x' at t, from the closed form; how many events there are before. */
static int exact(double t, double *x, double *v)
{
    const double t_1 = sqrt(2.0 * HEIGHT / g);
    double p = 12.0 * cos(t_1) + 6.0 * sin(t_1), w = -12.0 * sin(t_1) + 6.0 * cos(t_1);
    double left = t - t_1;
    int n = 1; /* the impact */
    w -= copysign(mu * g * t_1, w);
    for (;;) {
        const double c = -copysign(mu * g, w), r = hypot(p - c, w);
        const double phase = atan2(-w, p - c);                         /* p - c = r cos phase */
        const double turn = phase < 0.0 ? -phase : acos(-1.0) - phase; /* until w is zero */
        if (left <= turn) {
            *x = c + r * cos(phase + left);
            *v = -r * sin(phase + left);
            return n;
        }
        left -= turn;
        n++;
        p = c + (w > 0.0 ? r : -r);
        w = -copysign(1e-300, p); /* it turns back towards the middle */
    }
}

static void errors_fall_with_the_order_of_the_method_through_impact_and_friction(void **ctx)
{
    (void)ctx;
    enum { SIZES = 8 };
    const double until = 9.0;
    double dt[SIZES], error[SIZES], x, v;
    const int n_event = exact(until, &x, &v);
    for (int k = 0; k < SIZES; k++) {
        rig r = block();
        events_go(&r, until, pow(10.0, -5.0 - k));
        dt[k] = until / ((double)r.x->step - 0.5 * n_event); /* an event cuts half a step */
        error[k] = fmax(fabs(r.x->q[0] - x), fabs(r.x->u[0] - v));
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), 1);
        print_message("  tolerance 1e-%d: %ld steps, error %.2e\n", 5 + k, r.x->step, error[k]);
        rig_free(&r);
    }
    const double order = check_order(SIZES, dt, error);
    print_message("order %.2f\n", order);
    assert_true(order > 7.5 && order < 9.0);
}

/* ---- cost -------------------------------------------------------------------------------------
 */

/* Processor time, s. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double middle(double *t, int n)
{
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && t[k - 1] > t[k]; k--) {
            const double swap = t[k];
            t[k] = t[k - 1];
            t[k - 1] = swap;
        }
    }
    return t[n / 2];
}

/* The slider-crank, 0.2 s: `event` at 1e-9 against `moreau` at 1e-5 s, in turns. */
static void the_slider_crank_by_events_costs_at_most_three_times_the_stepper(void **ctx)
{
    (void)ctx;
    enum { ROUNDS = 5 };
    double events[ROUNDS], steps[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        rig a = rig_slider_crank(0.0), b = rig_slider_crank(0.0);
        double begun = now();
        events_go(&a, 0.2, 1e-9);
        events[k] = now() - begun;
        sp_error err = {.text = ""};
        begun = now();
        for (int i = 0; i < 20000; i++) {
            assert_int_equal(sp_step(b.m, b.x, b.w, SP_METHOD_MOREAU, 1e-5, NULL, &err), SP_OK);
        }
        steps[k] = now() - begun;
        rig_free(&a);
        rig_free(&b);
    }
    const double ratio = middle(events, ROUNDS) / middle(steps, ROUNDS);
    print_message("event %.1f ms, moreau %.1f ms, ratio %.2f\n", 1e3 * middle(events, ROUNDS),
                  1e3 * middle(steps, ROUNDS), ratio);
    assert_true(ratio < 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_fall_with_the_order_of_the_method_through_impact_and_friction),
        cmocka_unit_test(the_slider_crank_by_events_costs_at_most_three_times_the_stepper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
