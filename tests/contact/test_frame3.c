/* The maps of a contact frame: two ways to the same one, and a face that carries the normal.
 * theory (18.4)-(18.6) */
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

/* A point under a face, told with the face on side b and with the face on side a: the gap and its
 * rates are the same. */
static void a_face_over_a_corner_is_a_corner_under_a_face(void **ctx)
{
    (void)ctx;
    static space s;
    rng r = {11};
    for (int n = 0; n < check_cases(200, 5000); n++) {
        space_random(&s, &r, 3, 0.5, -1);
        sp_contour contour[2] = {{.kind = SP_CONTOUR_POINT, .body = 1},
                                 {.kind = SP_CONTOUR_PLANE, .body = 3}};
        sp_contour_numbers numbers[2] = {{.mark = {.body = 1, .at = {0.3, -0.2, 0.5}}},
                                         {.mark = {.body = 3, .at = {0.1, 0.4, -0.6}}}};
        space_direction(&r, numbers[1].axis);
        s.m.contour = contour;
        s.m.numbers.contour = numbers;
        space_move(&s, s.q, s.u);
        sp_contact_frame3 f, back;
        sp_pair3_frame(&s.m, &s.m.numbers, &s.kin, 0, 1, &f);
        back = f;
        back.n = sp_scale3(-1.0, f.n);
        for (int k = 0; k < 2; k++) {
            back.point[k] = f.point[1 - k];
            back.mark[k] = f.mark[1 - k];
        }
        sp_frame3_tangents(point_axes(&s.kin, back.mark[1]->body), &back);
        sp_frame3_fixed_to_a(&back);
        double gamma[2][3], w_bar[2][3];
        sp_frame3_gamma(&s.kin, &f, gamma[0]);
        sp_frame3_gamma(&s.kin, &back, gamma[1]);
        sp_frame3_bias(&s.kin, &f, w_bar[0]);
        sp_frame3_bias(&s.kin, &back, w_bar[1]);
        assert_near_scaled(gamma[1][0], gamma[0][0], 30.0, TOL);
        assert_near_scaled(hypot(gamma[1][1], gamma[1][2]), hypot(gamma[0][1], gamma[0][2]), 30.0,
                           TOL);
        assert_near_scaled(w_bar[1][0], w_bar[0][0], 300.0, TOL);
        space_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_by_its_radii_or_by_its_curvatures_is_the_same),
        cmocka_unit_test(a_frame_is_right_handed_and_orthonormal_in_any_direction),
        cmocka_unit_test(a_face_over_a_corner_is_a_corner_under_a_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
