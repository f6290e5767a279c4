/* Sprockets by arcs: the numbers of the standard, joints without kinks, the nearest place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/teeth.h"

#define PI 3.14159265358979323846

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
    }
}

static sp_teeth teeth_of(int n, double pitch, double roller, double form)
{
    sp_teeth t;
    sp_error err = {.text = ""};
    if (sp_teeth_make(n, pitch, roller, form, &t, &err) != SP_OK) {
        fail_msg("%d teeth, form %g: %s", n, form, err.text);
    }
    return t;
}

static sp_vec place(const sp_teeth *t, double s)
{
    sp_vec r[3];
    sp_teeth_eval(t, s, r);
    return r[0];
}

/* Chains 06B, 08B, 10B, 16B, 32B; the place of s = 0 is the tip, no kink at any joint of arcs, the
 * bottom of the seat touches a roller on the pitch circle, teeth are symmetric. */
static void arcs_join_without_kinks(void **ctx)
{
    (void)ctx;
    static const double chain[][2] = {{9.525e-3, 6.35e-3},
                                      {12.7e-3, 8.51e-3},
                                      {15.875e-3, 10.16e-3},
                                      {25.4e-3, 15.88e-3},
                                      {50.8e-3, 29.21e-3}};
    for (int c = 0; c < 5; c++) {
        for (int n = 9; n < 120; n += 7) {
            for (int f = 0; f < 5; f++) {
                const sp_teeth t = teeth_of(n, chain[c][0], chain[c][1], 0.25 * f);
                const double size = t.tip, h = 1e-7 * size;
                expect_near(2 * t.pitch_radius * sin(PI / n), chain[c][0], 1e-15);
                expect_near(sp_length(place(&t, 0.0)), t.tip, 1e-14 * size);
                expect_near(sp_length(place(&t, 0.5 * t.length)), t.pitch_radius - t.roller,
                            1e-14 * size);
                for (int k = 0; k < SP_TEETH_ARC; k++) {
                    const double s = 3 * t.length + t.arc[k].s;
                    const sp_vec a = place(&t, s - h), b = place(&t, s), d = place(&t, s + h);
                    const sp_vec jump = sp_sub(sp_add(a, d), sp_scale(2.0, b));
                    expect_near(sp_length(jump) / h, 0.0, 1e-6 * size / t.arc[0].radius + 1e-5);
                }
                for (int k = 1; k < 40; k++) {
                    const sp_vec a = place(&t, k * 0.0125 * t.length);
                    const sp_vec b = place(&t, (1 - k * 0.0125) * t.length);
                    expect_near(a.x, b.x, 1e-13 * size);
                    expect_near(a.y, -b.y, 1e-13 * size);
                }
            }
        }
    }
}

/* The seat, flank and tip of the standard for 08B, 17 teeth, by its formulas in mm. */
static void numbers_are_those_of_the_standard(void **ctx)
{
    (void)ctx;
    const sp_teeth small = teeth_of(17, 12.7e-3, 8.51e-3, 0.0),
                   large = teeth_of(17, 12.7e-3, 8.51e-3, 1.0);
    expect_near(2e3 * small.pitch_radius, 69.115, 1e-3);
    expect_near(1e3 * small.arc[2].radius, 0.505 * 8.51, 1e-12);
    expect_near(1e3 * large.arc[2].radius, 0.505 * 8.51 + 0.069 * cbrt(8.51), 1e-12);
    expect_near(1e3 * small.arc[1].radius, 0.12 * 8.51 * 19, 1e-12);
    expect_near(1e3 * large.arc[1].radius, 0.008 * 8.51 * (17 * 17 + 180), 1e-12);
    expect_near(small.arc[2].length / small.arc[2].radius, (140 - 90.0 / 17) * PI / 180, 1e-14);
    expect_near(large.arc[2].length / large.arc[2].radius, (120 - 90.0 / 17) * PI / 180, 1e-14);
    expect_near(2e3 * small.tip, 69.1150 + 1.25 * 12.7 - 8.51, 1e-3);
    expect_near(2e3 * large.tip, 69.1150 + 12.7 * (1 - 1.6 / 17) - 8.51, 1e-3);
}

/* The nearest place against 20 000 of them, for points inside and outside. */
static void nearest_is_the_least_of_many(void **ctx)
{
    (void)ctx;
    enum { MANY = 20000 };
    static sp_vec border[MANY];
    const sp_teeth t = teeth_of(13, 12.7e-3, 8.51e-3, 0.5);
    const double whole = t.n * t.length;
    for (int i = 0; i < MANY; i++) {
        border[i] = place(&t, whole * i / MANY);
    }
    for (int k = 0; k < 1500; k++) {
        const double angle = 2.399963 * k, far = t.tip * (0.6 + 0.9 * fmod(0.618034 * k, 1.0));
        const sp_vec x = {far * cos(angle), far * sin(angle)};
        double least = INFINITY;
        for (int i = 0; i < MANY; i++) {
            least = fmin(least, sp_length(sp_sub(border[i], x)));
        }
        const double s = sp_teeth_nearest(&t, x);
        const double found = sp_length(sp_sub(place(&t, s), x));
        assert_true(s >= 0.0 && s <= whole * (1 + 1e-15));
        assert_true(found <= least + 1e-15 && found >= least - whole / MANY);
    }
}

static void rollers_that_leave_no_tooth_are_refused(void **ctx)
{
    (void)ctx;
    sp_teeth t;
    sp_error err;
    assert_int_equal(sp_teeth_make(9, 12.7e-3, 12.6e-3, 0.5, &t, &err), SP_E_INPUT);
    assert_int_equal(sp_teeth_make(30, 12.7e-3, 12e-3, 1.0, &t, &err), SP_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_join_without_kinks),
        cmocka_unit_test(numbers_are_those_of_the_standard),
        cmocka_unit_test(nearest_is_the_least_of_many),
        cmocka_unit_test(rollers_that_leave_no_tooth_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
