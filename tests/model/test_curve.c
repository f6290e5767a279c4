/* Arcs, splines and expressions: places, directions, curvature; nearest and farthest points. */
#include "model/curve.h"

#include "support/surface.h"

#include <string.h>

static double work[SURFACE_WORK];
static const double PI = 3.14159265358979323846;

/* An arc, a closed and an open spline, an ellipse by expressions; somewhere on the body. */
static sp_curve random_curve(sp_arena *a, rng *r, int kind)
{
    sp_curve c = {.side = 1.0, .turn = {1.0, 0.0}};
    int wrong;
    if (kind == 0) {
        c.kind = SP_CURVE_ARC;
        c.radius = rng_in(r, 0.5, 2.0);
        c.lo = rng_in(r, -3.0, 3.0);
        c.hi = c.lo + rng_in(r, 1.0, 5.0);
    } else if (kind == 3) {
        c.kind = SP_CURVE_FORMULA;
        c.hi = 2.0 * PI;
        c.program[0] = surface_program(a, "2*cos(s)");
        c.program[1] = surface_program(a, "sin(s)");
    } else {
        double p[7][2];
        for (int i = 0; i < 7; i++) {
            const double phi = 2.0 * PI * i / 7.0, rho = rng_in(r, 0.8, 1.2);
            p[i][0] = rho * cos(phi);
            p[i][1] = rho * sin(phi);
        }
        assert_int_equal(sp_curve_spline(a, 7, (const double(*)[2])p, kind == 1, &c, &wrong),
                         SP_OK);
    }
    c.at = (sp_vec){rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 1.0)};
    c.turn = sp_rot_of(rng_in(r, -3.0, 3.0));
    c.side = rng_flip(r) ? 1.0 : -1.0;
    assert_int_equal(sp_curve_finish(a, &c, work, NULL), SP_OK);
    assert_int_equal(c.closed, kind == 1 || kind == 3);
    return c;
}

static void directions_and_curvature_agree_with_differences(void **ctx)
{
    (void)ctx;
    rng r = {61};
    for (int n = 0; n < 400; n++) {
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        const sp_curve c = random_curve(&a, &r, n % 4);
        const double h = 1e-5, s = c.lo + (c.hi - c.lo) * rng_in(&r, 0.01, 0.99);
        sp_curve_at p, low, high;
        assert_true(sp_curve_eval(&c, s, work, &p) && sp_curve_eval(&c, s - h, work, &low) &&
                    sp_curve_eval(&c, s + h, work, &high));
        const sp_vec d = sp_scale(0.5 / h, sp_sub(high.r, low.r));
        const sp_vec dn = sp_scale(0.5 / (h * p.speed), sp_sub(high.n, low.n));
        assert_near(d.x, p.d.x, 1e-7);
        assert_near(d.y, p.d.y, 1e-7);
        assert_near(sp_inner(p.n, p.t), 0.0, 1e-15);
        assert_near(sp_cross(p.t, p.n), -c.side, 1e-14);
        assert_near_scaled(sp_inner(dn, p.t), p.curvature, 30.0, 1e-4); /* knots: h times a jump */
        sp_arena_free(&a);
    }
}

static void nearest_and_farthest_points_are_those_of_a_search(void **ctx)
{
    (void)ctx;
    rng r = {62};
    for (int n = 0; n < check_cases(200, 5000); n++) {
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        const sp_curve c = random_curve(&a, &r, n % 4);
        const sp_vec x = {rng_in(&r, -3.0, 3.0), rng_in(&r, -3.0, 3.0)};
        sp_curve_foot near, far;
        sp_curve_at p, q;
        assert_true(sp_curve_nearest(&c, x, work, &near) && sp_curve_farthest(&c, x, work, &far));
        assert_true(sp_curve_eval(&c, near.s, work, &p) && sp_curve_eval(&c, far.s, work, &q));
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i <= 3000; i++) {
            sp_curve_at k;
            assert_true(sp_curve_eval(&c, c.lo + (c.hi - c.lo) * i / 3000.0, work, &k));
            least = fmin(least, sp_length(sp_sub(k.r, x)));
            most = fmax(most, sp_inner(k.r, x));
        }
        assert_true(sp_length(sp_sub(p.r, x)) <= least + 1e-12);
        assert_true(sp_inner(q.r, x) >= most - 1e-12);
        if (near.end == 0) {
            assert_near_scaled(sp_inner(p.t, sp_sub(p.r, x)), 0.0, 3.0, 1e-13);
        }
        sp_arena_free(&a);
    }
}

static void bad_curves_are_refused(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_error err = {0};
    sp_curve c;
    int wrong;
    sp_arena_init(&a, NULL, 0);
    const double twice[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
    assert_int_equal(sp_curve_spline(&a, 4, twice, false, &c, &wrong), SP_E_INPUT);
    assert_int_equal(wrong, 2);
    const double eight[4][2] = {{-1.0, -1.0}, {1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}};
    assert_int_equal(sp_curve_spline(&a, 4, eight, false, &c, &wrong), SP_OK);
    assert_int_equal(sp_curve_finish(&a, &c, work, &err), SP_OK);
    assert_int_equal(sp_curve_check(&c, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "crosses itself"));
    c = (sp_curve){
        .kind = SP_CURVE_FORMULA, .lo = -1.0, .hi = 1.0, .side = 1.0, .turn = {1.0, 0.0}};
    c.program[0] = surface_program(&a, "s^2"); /* a cusp at s = 0, which is a sample */
    c.program[1] = surface_program(&a, "s^3");
    assert_int_equal(sp_curve_finish(&a, &c, work, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "stands still"));
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_and_curvature_agree_with_differences),
        cmocka_unit_test(nearest_and_farthest_points_are_those_of_a_search),
        cmocka_unit_test(bad_curves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
