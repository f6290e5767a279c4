/* A force that grows beyond all bounds ends a run, with a message, where its work is without bound,
 * and is gone across where it is not.   theory section 61 */
#include "support/check.h"
#include "support/events.h"
#include "support/mechanism.h"
#include "support/run.h"

#include <string.h>

/* A point of 1 kg that slides at 1 m/s towards a pole of its force at x = 1 m; mu g = 1 m/s^2,
 * which a constant force makes up for. */
static rig point_at(const char *force, double y, double mu)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  ball: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {p: "
                       "{point: [0, 0]}}}\n"
                       "contacts: {hit: {between: [ball, ground], law: {mu: %g}}}\n"
                       "forces: {f: {force: [%g + %s, 0], on: ball}}\n"
                       "start: {ball.vx: 1, ball.y: %g}\n",
                       mu, 10.0 * mu, force, y);
}

/* Run by a method to 2 s; the status, the message in *err. */
static sp_status run_by(rig *r, sp_method method, double tolerance, sp_error *err)
{
    sp_run_summary summary;
    const sp_run_options o = {
        .method = method, .until = 2.0, .output_step = 0.01, .tolerance = tolerance};
    return sp_integrate(r->m, r->x, r->w, &o, NULL, 0, &summary, err);
}

/* With F = 1/(1 - x) the speed is sqrt(1 - 2 ln(1 - x)), and the point is there at
 * sqrt(e pi/2) erfc(1/sqrt 2): at that time the run ends, with the contact open or closed.
 * adaptive crept on without end, event went across with 5 m/s. */
static void a_run_ends_at_a_pole_whose_work_is_without_bound(void **ctx)
{
    (void)ctx;
    const double t = sqrt(0.5 * exp(1.0) * acos(-1.0)) * erfc(sqrt(0.5));
    const double height[] = {0.0, 0.0, 30.0}, mu[] = {0.1, 0.0, 0.1};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            const sp_method method = k == 0 ? SP_METHOD_ADAPTIVE : SP_METHOD_EVENT;
            const double tolerance = k == 0 ? 1e-6 : pow(10.0, -4 - 2 * k); /* (61.4) */
            sp_error err = {.status = SP_OK};
            rig r = point_at(height[i] > 0.0 ? "1/(1 - ball.x) - 1" : "1/(1 - ball.x)", height[i],
                             mu[i]);
            assert_int_equal(run_by(&r, method, tolerance, &err), SP_E_NOT_CONVERGED);
            print_message("  %.0e: %.1e s off: %s\n", tolerance, r.x->t - t, err.text);
            assert_true(fabs(r.x->t - t) < (k == 0 ? tolerance : 1e-4 * tolerance) + 1e-9);
            assert_true(r.x->q[0] < 1.0);
            assert_true(strstr(err.text, "singular") || strstr(err.text, "beyond all bounds"));
            rig_free(&r);
        }
    }
}

/* A force that grows as a speed comes near its bound: v' = 1/(1 - v/2) ends at v = 2 after 1/4 s.
 */
static void a_run_ends_at_a_pole_of_speed(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        sp_error err = {.status = SP_OK};
        rig r = point_at("1/(1 - ball.vx/2)", 0.0, 0.1);
        assert_int_equal(
            run_by(&r, k == 0 ? SP_METHOD_ADAPTIVE : SP_METHOD_EVENT, k == 0 ? 1e-6 : 1e-9, &err),
            SP_E_NOT_CONVERGED);
        assert_near(r.x->t, 0.25, k == 0 ? 1e-6 : 1e-9);
        rig_free(&r);
    }
}

/* F = 1/(2 sqrt|1 - x|) does 1 J up to its pole: events hand over there, as before, and the point
 * goes on with v^2 = 1 + 2 + 2 sqrt(x - 1), but for the push of the step across, sqrt(v dt). */
static void a_pole_whose_work_is_bounded_is_gone_across(void **ctx)
{
    (void)ctx;
    rig r = point_at("0.5/sqrt(abs(1 - ball.x))", 0.0, 0.1);
    events_go(&r, 1.0, 1e-9);
    const double v = r.x->u[0], x = r.x->q[0];
    print_message("  x = %.6f m, %.1e m/s off\n", x, v - sqrt(3.0 + 2.0 * sqrt(x - 1.0)));
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 1);
    assert_true(x > 1.0 && fabs(v - sqrt(3.0 + 2.0 * sqrt(x - 1.0))) < 2e-3);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_at_a_pole_whose_work_is_without_bound),
        cmocka_unit_test(a_run_ends_at_a_pole_of_speed),
        cmocka_unit_test(a_pole_whose_work_is_bounded_is_gone_across),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
