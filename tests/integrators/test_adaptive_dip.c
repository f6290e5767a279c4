/* Gaps that close and open again within one adaptive step: closed forms of a parabola that dips
 * below a plane, and swings that turn just behind a wall, or just before it.   theory (17.32)
 */
#include "support/check.h"
#include "support/run.h"

#include "integrators/adaptive.h"

/* Run to the end; steps taken. */
static long run_to(rig *r, double until, double tolerance)
{
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = until, .output_step = until, .tolerance = tolerance};
    const sp_status status = sp_integrate(r->m, r->x, r->w, &o, NULL, 0, &summary, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
    }
    assert_int_equal(status, SP_OK);
    return summary.steps;
}

/* A point that falls upwards with acceleration a, thrown at the floor with speed v so that it would
 * turn `depth` below it. */
static rig thrown(double v, double a, double depth, double eps)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: [0, %.17g]\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: "
                       "{tip: {point: [0, 0]}}}\n"
                       "contacts: {c: {between: [ball, ground], law: {eps_N: %g}}}\n"
                       "start: {ball.y: %.17g, ball.vy: %.17g}\n",
                       a, eps, 0.5 * v * v / a - depth, -v);
}

/* How far the point is off after twice the time in which it would turn, over what a height that is
 * wrong by 20 tolerances leaves: it hits the floor at (v - s)/a with the speed s = sqrt(2 a depth)
 * and leaves with eps s; a dip deeper by e is one whose s is larger by a e/s. */
static double miss(double v, double a, double depth, double tolerance)
{
    const double eps = 0.5, until = 2.0 * v / a, s = sqrt(2.0 * a * depth);
    rig r = thrown(v, a, depth, eps);
    run_to(&r, until, tolerance);
    const double left = until - (v - s) / a, y = eps * s * left + 0.5 * a * left * left;
    const double e = 20.0 * tolerance * y, allowed = e + 2.0 * left * a * e / s;
    const double off = fabs(r.x->q[0] - y);
    rig_free(&r);
    return off / allowed;
}

/* Dips from a tenth of the way down to 100 times the error. */
static void a_parabola_that_dips_below_the_floor_hits_it(void **ctx)
{
    (void)ctx;
    const double tolerance[] = {1e-3, 1e-4, 1e-6};
    const int n = check_cases(200, 10000);
    for (int k = 0; k < 3; k++) {
        rng r = {31 + (uint64_t)k};
        int missed = 0;
        double worst = 0.0;
        for (int i = 0; i < n; i++) {
            const double v = rng_in(&r, 0.1, 10.0), a = rng_in(&r, 0.1, 10.0);
            const double way = 0.5 * v * v / a;
            const double depth = way * pow(10.0, rng_in(&r, 2.0 + log10(tolerance[k]), -1.0));
            const double off = miss(v, a, depth, tolerance[k]);
            missed += off > 1.0;
            worst = check_worse(worst, off);
        }
        print_message("tolerance %g: %d of %d dips missed, worst error %.2e of what is allowed\n",
                      tolerance[k], missed, n, worst);
        assert_true(worst <= 1.0);
    }
}

/* Whether x = v sin t, beside a faster or slower swing that has a say in the steps, hits a wall at
 * v - depth by half a period; steps taken. */
static bool swings(double tolerance, double depth, double v, double other, long *steps)
{
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
        "  ground: {contours: {wall: {line: [-1, 0], at: [%.17g, 0]}}}\n"
        "  weight: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: 1}, contours: "
        "{tip: {point: [0, 0]}}}\n"
        "  other: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: %.17g}}\n"
        "contacts: {c: {between: [weight, ground], law: {eps_N: 0.5}}}\n"
        "start: {weight.vx: %.17g, other.x: 1}\n",
        v - depth, other, v);
    *steps += run_to(&r, 2.5, tolerance);
    const bool hit = r.x->n_impact > 0;
    rig_free(&r);
    return hit;
}

/* Depths beyond the error of the motion are found, at every phase of a step, and none where it
 * stays away by as much. */
static void swings_that_turn_behind_a_wall_hit_it(void **ctx)
{
    (void)ctx;
    const double tolerance[] = {1e-3, 1e-5, 1e-6};
    const int n = check_cases(10, 200);
    int judged = 0;
    for (int k = 0; k < 3; k++) {
        rng r = {7 + (uint64_t)k};
        for (int d = 1; d <= 7; d++) {
            const double depth = pow(10.0, -d);
            int found = 0, wrong = 0;
            long steps = 0;
            for (int i = 0; i < n && depth > 20.0 * tolerance[k]; i++, judged++) {
                const double v = rng_in(&r, 0.5, 2.0), other = rng_in(&r, 0.1, 100.0);
                found += swings(tolerance[k], depth, v, other, &steps);
                wrong += swings(tolerance[k], -depth, v, other, &steps);
            }
            if (depth > 20.0 * tolerance[k]) {
                print_message("tolerance %g, depth %g: %d of %d found, %d not there, %ld steps\n",
                              tolerance[k], depth, found, n, wrong, steps / (2 * n));
                assert_int_equal(found, n);
                assert_int_equal(wrong, 0);
            }
        }
    }
    assert_true(judged > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parabola_that_dips_below_the_floor_hits_it),
        cmocka_unit_test(swings_that_turn_behind_a_wall_hit_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
