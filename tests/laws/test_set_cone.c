#include "laws/set.h"

#include "support/check.h"

/* Distance of two points of three rows. */
static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void no_point_of_the_cone_is_nearer_than_the_projection(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int k = 0; k < 2000; k++) {
        const double mu = k % 7 == 0 ? 0.0 : rng_in(&r, 0.0, 3.0);
        double x[3], p[3];
        for (int a = 0; a < 3; a++) {
            p[a] = x[a] = rng_in(&r, -2.0, 2.0);
        }
        sp_cone_project(3, mu, p);
        assert_true(hypot(p[1], p[2]) <= mu * p[0] + 1e-14);
        const double reached = distance(x, p);
        for (int m = 0; m < 50; m++) { /* points of the cone, far and near */
            double y[3];
            const double size = m % 2 ? 1.0 : 1e-3, angle = rng_in(&r, 0.0, 6.3);
            y[0] = fmax(0.0, (m % 3 ? p[0] : 0.0) + size * rng_in(&r, -1.0, 1.0));
            const double radius = mu * y[0] * sqrt(rng_in(&r, 0.0, 1.0));
            y[1] = radius * cos(angle);
            y[2] = radius * sin(angle);
            assert_true(distance(x, y) >= reached - 1e-14);
        }
        /* the rest is normal to p: the law of a cone */
        assert_near((x[0] - p[0]) * p[0] + (x[1] - p[1]) * p[1] + (x[2] - p[2]) * p[2], 0.0, 1e-14);
    }
}

static void in_the_plane_it_is_the_projection_on_two_rays(void **ctx)
{
    (void)ctx;
    double inside[2] = {1.0, 0.4}, tip[2] = {-1.0, 0.5}, edge[2] = {1.0, -3.0};
    sp_cone_project(2, 0.5, inside);
    sp_cone_project(2, 0.5, tip);
    sp_cone_project(2, 0.5, edge);
    assert_true(inside[0] == 1.0 && inside[1] == 0.4);
    assert_true(tip[0] == 0.0 && tip[1] == 0.0);
    assert_near(edge[0], 2.0, 1e-15); /* (1 + 0.5 * 3) / 1.25 */
    assert_near(edge[1], -1.0, 1e-15);
}

static void nan_travels(void **ctx)
{
    (void)ctx;
    double x[3] = {1.0, NAN, 0.0}, y[3] = {NAN, 1.0, 0.0};
    sp_cone_project(3, 0.5, x);
    sp_cone_project(3, 0.5, y);
    assert_true(isnan(x[0] + x[1] + x[2]));
    assert_true(isnan(y[0] + y[1] + y[2]));
}

/* Without friction the cone is the half line P_N >= 0: what pulls along its axis goes to the tip.
 */
static void without_friction_it_is_a_half_line(void **ctx)
{
    (void)ctx;
    for (int dim = 2; dim <= 3; dim++) {
        double pulls[3] = {-2.0, 0.0, 0.0}, pushes[3] = {2.0, 0.0, 0.0}, aside[3] = {2.0, 1.0, 0.0};
        sp_cone_project(dim, 0.0, pulls);
        sp_cone_project(dim, 0.0, pushes);
        sp_cone_project(dim, 0.0, aside);
        assert_true(pulls[0] == 0.0 && pushes[0] == 2.0);
        assert_true(aside[0] == 2.0 && aside[1] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_of_the_cone_is_nearer_than_the_projection),
        cmocka_unit_test(in_the_plane_it_is_the_projection_on_two_rays),
        cmocka_unit_test(nan_travels),
        cmocka_unit_test(without_friction_it_is_a_half_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
