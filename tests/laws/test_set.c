#include "laws/set.h"

#include "support/check.h"

/* Is y the point of the set nearest to x?  Variational inequality (x - y).(z - y) <= 0 on samples z
 * of the set with the normal part of y (the set of a contact depends on it). */
static void assert_nearest(const sp_set *s, const double *x, const double *y, rng *r)
{
    for (int k = 0; k < 50; k++) {
        double z[SP_SET_DIM_MAX], product = 0.0;
        for (int a = 0; a < sp_set_dim(s); a++) {
            z[a] = rng_in(r, -5.0, 5.0);
        }
        sp_set_project(s, z); /* some point of the set */
        if (s->kind == SP_SET_PLANAR || s->kind == SP_SET_DISC) {
            for (int a = 1; a < sp_set_dim(s); a++) { /* the same radius as y */
                z[a] *= z[0] > 0.0 ? y[0] / z[0] : 0.0;
            }
            z[0] = y[0];
        }
        for (int a = sp_set_dim(s) > 1; a < sp_set_dim(s); a++) {
            product += (x[a] - y[a]) * (z[a] - y[a]);
        }
        assert_true(product <= 1e-12);
    }
}

static void projections_are_nearest_points(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int k = 0; k < 400; k++) {
        const sp_set set[5] = {sp_set_free(), sp_set_half_line(), sp_set_planar(0.7),
                               sp_set_interval(-1.0, 2.0), sp_set_disc(0.7)};
        const sp_set *s = &set[k % 5];
        double x[4], y[4];
        for (int a = 0; a < 4; a++) {
            x[a] = y[a] = rng_in(&r, -3.0, 3.0);
        }
        sp_set_project(s, y);
        assert_nearest(s, x, y, &r);
    }
}

static void planar_set_takes_the_normal_row_first(void **ctx)
{
    (void)ctx;
    const sp_set s = sp_set_planar(0.5);
    double inside[2] = {2.0, 0.9}, beside[2] = {2.0, -7.0}, below[2] = {-1.0, 3.0};
    sp_set_project(&s, inside);
    sp_set_project(&s, beside);
    sp_set_project(&s, below);
    assert_true(inside[0] == 2.0 && inside[1] == 0.9);
    assert_true(beside[0] == 2.0 && beside[1] == -1.0);
    assert_true(below[0] == 0.0 && below[1] == 0.0);
}

static void rows_of_each_set_are_known(void **ctx)
{
    (void)ctx;
    const sp_set set[5] = {sp_set_free(), sp_set_half_line(), sp_set_planar(0.1),
                           sp_set_interval(0.0, 1.0), sp_set_disc(0.1)};
    const int dim[5] = {1, 1, 2, 1, 3};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(dim[k], sp_set_dim(&set[k]));
        assert_false(sp_set_is_ball(&set[k]));
    }
    const sp_set ball[3] = {sp_set_ellipse(0.1, 0.2),
                            sp_set_contensou(0.1, SP_PRESSURE_UNIFORM, 1.0, 0.0),
                            sp_set_rolling(0.1, 0.2)};
    const int ball_dim[3] = {3, 4, 5};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(ball_dim[k], sp_set_dim(&ball[k]));
        assert_true(sp_set_is_ball(&ball[k]));
    }
}

static void a_shifted_set_is_the_set_moved(void **ctx)
{
    (void)ctx;
    sp_set s = sp_set_half_line();
    s.shifted = 1;
    s.shift[0] = -2.0;
    double x[2] = {-1.0, -5.0};
    sp_set_project(&s, &x[0]);
    sp_set_project(&s, &x[1]);
    assert_true(x[0] == -1.0 && x[1] == -2.0);
}

static void nan_travels_through_projections(void **ctx)
{
    (void)ctx;
    const sp_set set[4] = {sp_set_free(), sp_set_half_line(), sp_set_planar(0.1),
                           sp_set_interval(0.0, 1.0)};
    for (int k = 0; k < 4; k++) {
        double x[SP_SET_DIM_MAX] = {NAN, 1.0};
        sp_set_project(&set[k], x);
        assert_true(isnan(x[0]));
    }
    double x[SP_SET_DIM_MAX] = {1.0, NAN};
    sp_set_project(&set[2], x);
    assert_true(isnan(x[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_nearest_points),
        cmocka_unit_test(planar_set_takes_the_normal_row_first),
        cmocka_unit_test(rows_of_each_set_are_known),
        cmocka_unit_test(a_shifted_set_is_the_set_moved),
        cmocka_unit_test(nan_travels_through_projections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
