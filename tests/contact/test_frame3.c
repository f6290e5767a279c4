/* The maps of a contact frame: two ways to the same one, and a face that carries the normal.
 * theory (18.4), (18.5) */
#include "contact/frame3.h"
#include "contact/pair3.h"
#include "support/space.h"

/* A dozen products of numbers of size 1 to 10, divided by a determinant of at least 1e-2. */
#define TOL 1e-12

static sp_map2 symmetric(rng *r)
{
    const double off = rng_in(r, -0.3, 0.3);
    return (sp_map2){rng_in(r, 0.5, 2.0), off, off, rng_in(r, 0.5, 2.0)};
}

static sp_map2 inverse_of(const sp_map2 *A)
{
    const double det = A->a11 * A->a22 - A->a12 * A->a21;
    return (sp_map2){A->a22 / det, -A->a12 / det, -A->a21 / det, A->a11 / det};
}

static void compare(const sp_map2 *A, const sp_map2 *B)
{
    assert_near(A->a11, B->a11, TOL);
    assert_near(A->a12, B->a12, TOL);
    assert_near(A->a21, B->a21, TOL);
    assert_near(A->a22, B->a22, TOL);
}

static void a_surface_by_its_radii_or_by_its_curvatures_is_the_same(void **ctx)
{
    (void)ctx;
    rng r = {9};
    for (int n = 0; n < check_cases(1000, 100000); n++) {
        sp_contact_frame3 round = {.g_N = rng_in(&r, -0.1, 1.0)}, smooth = round;
        const sp_map2 S_a = symmetric(&r), S_b = symmetric(&r), R_a = inverse_of(&S_a);
        sp_frame3_round(&R_a, &S_b, &round);
        sp_frame3_smooth(&S_a, &S_b, &smooth);
        compare(&round.at_by_slip, &smooth.at_by_slip);
        compare(&round.at_by_turn, &smooth.at_by_turn);
        compare(&round.n_by_slip, &smooth.n_by_slip);
        compare(&round.n_by_turn, &smooth.n_by_turn);
    }
}

static void a_frame_is_right_handed_and_orthonormal_in_any_direction(void **ctx)
{
    (void)ctx;
    rng r = {10};
    for (int n = 0; n < check_cases(1000, 100000); n++) {
        sp_contact_frame3 f = {.g_N = 0.0};
        double axes[9], e[3];
        space_rotation(&r, axes);
        space_direction(&r, e);
        const sp_rot3 R = sp_rot3_of(axes);
        f.n = n % 3 == 0 ? R.x : n % 3 == 1 ? sp_scale3(-1.0, R.x) : sp_vec3_of(e);
        sp_frame3_tangents(R, &f);
        const sp_vec3 up = sp_cross3(f.t[0], f.t[1]);
        assert_near(sp_length3(f.t[0]), 1.0, TOL);
        assert_near(sp_inner3(f.t[0], f.n), 0.0, TOL);
        assert_near(sp_length3(sp_sub3(up, f.n)), 0.0, TOL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_by_its_radii_or_by_its_curvatures_is_the_same),
        cmocka_unit_test(a_frame_is_right_handed_and_orthonormal_in_any_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
