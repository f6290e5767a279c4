/* Rotations without libm, against libm in long double. */
#include "kinematics/rotation.h"
#include "support/check.h"

#define TOL 2.5e-16 /* cosine and sine: about two units in the last place of 1 */

/* |R - (cos phi, sin phi)|, the larger of the two. */
static double error_of(sp_rot R, long double phi)
{
    return fmax(fabs((double)(R.c - cosl(phi))), fabs((double)(R.s - sinl(phi))));
}

static void rotations_are_those_of_libm(void **ctx)
{
    (void)ctx;
    static const double range[] = {1.0, 10.0, 1e3, 9.9e5};
    rng r = {70};
    double worst = 0.0, norm = 0.0;
    for (int k = 0; k < check_cases(400000, 20000000); k++) {
        const double phi = rng_in(&r, -1.0, 1.0) * range[k % 4];
        const sp_rot R = sp_rotation_of(phi);
        worst = check_worse(worst, error_of(R, phi));
        norm = check_worse(norm, fabs(R.c * R.c + R.s * R.s - 1.0));
    }
    print_message("worst %.2e, length of columns %.2e\n", worst, norm);
    assert_true(worst < TOL);
    assert_true(norm < 2.0 * TOL);
}

/* Near multiples of pi/2 one of the two is small; it keeps its digits. */
static void small_sines_keep_their_digits(void **ctx)
{
    (void)ctx;
    rng r = {71};
    double worst = 0.0;
    for (int k = 0; k < check_cases(100000, 5000000); k++) {
        const double phi = 1.5707963267948966 * rng_int(&r, 1000) + rng_in(&r, -1e-3, 1e-3);
        const sp_rot R = sp_rotation_of(phi);
        const long double c = cosl(phi), s = sinl(phi);
        const long double e = fabsl(s) < fabsl(c) ? (R.s - s) / s : (R.c - c) / c;
        worst = check_worse(worst, fabs((double)e));
    }
    print_message("relative error of the small one %.2e\n", worst);
    assert_true(worst < 5e-16);
}

static void quarter_turns_and_odd_angles_are_right(void **ctx)
{
    (void)ctx;
    const sp_rot R = sp_rotation_of(0.0), half = sp_rotation_of(0.7853981633974483);
    assert_true(R.c == 1.0 && R.s == 0.0);
    assert_near(half.c, half.s, 2e-16);
    for (int k = -8; k <= 8; k++) { /* where the quarter changes, from both sides */
        const double phi = (k + 0.5) * 1.5707963267948966;
        assert_true(error_of(sp_rotation_of(nextafter(phi, -10.0)), nextafter(phi, -10.0)) < TOL);
        assert_true(error_of(sp_rotation_of(nextafter(phi, 10.0)), nextafter(phi, 10.0)) < TOL);
        const sp_rot A = sp_rotation_of(phi), B = sp_rotation_of(-phi);
        assert_true(A.c == B.c && A.s == -B.s); /* mirror images to the bit */
    }
    assert_true(isnan(sp_rotation_of(NAN).c) && isnan(sp_rotation_of(INFINITY).s));
    assert_true(error_of(sp_rotation_of(1e15), 1e15L) < TOL); /* libm's */
    assert_true(sp_rotation_of(1e-300).s == 1e-300 && sp_rotation_of(1e-300).c == 1.0);
}

/* Turned on by near angles, eight times at most between two rotations from scratch. */
static void turning_on_is_exact_to_round_off(void **ctx)
{
    (void)ctx;
    rng r = {72};
    double worst = 0.0;
    for (int k = 0; k < check_cases(50000, 2000000); k++) {
        double phi = rng_in(&r, -100.0, 100.0);
        sp_rot R = sp_rotation_of(phi);
        for (int i = 0; i < 8; i++) {
            const double to = phi + rng_in(&r, -1.0, 1.0) * SP_ROTATION_NEAR;
            R = sp_rotation_turned(R, to - phi);
            phi = to;
        }
        worst = check_worse(worst, error_of(R, phi));
    }
    print_message("after eight turns %.2e\n", worst);
    assert_true(worst < 8.0 * TOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_those_of_libm),
        cmocka_unit_test(small_sines_keep_their_digits),
        cmocka_unit_test(quarter_turns_and_odd_angles_are_right),
        cmocka_unit_test(turning_on_is_exact_to_round_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
