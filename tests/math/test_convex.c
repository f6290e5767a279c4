/* Distances of convex sets: a bound that is never too large, and sharp where they are apart. */
#include "math/convex.h"
#include "support/check.h"

enum { CORNERS = 7 };

static const sp_vec3 still = {0.0, 0.0, 0.0};

static sp_rot3 random_turn(rng *r)
{
    const sp_vec3 a = {rng_in(r, -3, 3), rng_in(r, -3, 3), rng_in(r, -3, 3)};
    return sp_rot3_of_quat(sp_quat_exp(a));
}

/* Random corners of a set, widened by r. */
static sp_convex random_set(rng *r, int stride, double corner[3 * CORNERS])
{
    sp_convex c = {.n = 1 + rng_int(r, CORNERS), .stride = stride, .corner = corner};
    for (int i = 0; i < stride * c.n; i++) {
        corner[i] = rng_in(r, -1, 1);
    }
    c.r = rng_flip(r) ? 0.0 : rng_in(r, 0, 0.3);
    sp_convex_measure(&c);
    return c;
}

/* A random point of the hull of the corners, world. */
static sp_vec3 random_point(rng *r, const sp_convex_at *p)
{
    double weight[CORNERS], sum = 0.0;
    sp_vec3 x = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->c->n; i++) {
        weight[i] = pow(rng_in(r, 0, 1), 4.0);
        sum += weight[i];
    }
    for (int i = 0; i < p->c->n; i++) {
        const double *v = p->c->corner + i * p->c->stride;
        const sp_vec3 corner = {v[0], v[1], p->c->stride > 2 ? v[2] : 0.0};
        x = sp_axpy3(x, weight[i] / sum, corner);
    }
    return sp_add3(p->x, sp_rotate3(p->R, x));
}

/* No two points of the sets are nearer than the bound, and it is the distance of its own support
 * points along n: nothing larger can be proven. */
static void the_bound_is_below_every_distance(void **ctx)
{
    (void)ctx;
    rng r = {11};
    int apart = 0;
    for (int k = 0; k < check_cases(400, 20000); k++) {
        double corner[2][3 * CORNERS];
        const int stride = rng_flip(&r) ? 2 : 3;
        const sp_convex A = random_set(&r, stride, corner[0]),
                        B = random_set(&r, stride, corner[1]);
        const sp_vec3 away = {rng_in(&r, -3, 3), rng_in(&r, -3, 3),
                              stride > 2 ? rng_in(&r, -3, 3) : 0};
        const sp_convex_at a = {
            .c = &A, .x = away, .R = stride > 2 ? random_turn(&r) : sp_rot3_one()};
        const sp_convex_at b = {.c = &B, .R = stride > 2 ? random_turn(&r) : sp_rot3_one()};
        sp_vec3 n;
        double distance;
        sp_convex_clear(&a, &b, still, INFINITY, &n, &distance);
        assert_near(sp_length3(n), 1.0, 1e-12);
        assert_near(sp_convex_apart(&a, &b, n), distance, 1e-12);
        double least = INFINITY;
        for (int i = 0; i < 300; i++) {
            const sp_vec3 way = sp_sub3(random_point(&r, &a), random_point(&r, &b));
            least = fmin(least, sp_length3(way) - A.r - B.r);
        }
        assert_true(distance <= least + 1e-12);
        if (distance > 0.0) { /* no other direction proves more */
            apart++;
            for (int i = 0; i < 100; i++) {
                const sp_vec3 d = {n.x + rng_in(&r, -1e-3, 1e-3), n.y + rng_in(&r, -1e-3, 1e-3),
                                   n.z + (stride > 2 ? rng_in(&r, -1e-3, 1e-3) : 0.0)};
                const sp_vec3 e = sp_scale3(1.0 / sp_length3(d), d);
                assert_true(sp_convex_apart(&a, &b, e) <= distance + 1e-9);
            }
        }
    }
    assert_true(apart > 50);
}

/* A ball beside a box: over a face, an edge, a corner. */
static void a_ball_beside_a_box_has_its_distance(void **ctx)
{
    (void)ctx;
    double corner[24], point[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 24; i++) {
        corner[i] = (i / 3) >> (i % 3) & 1 ? 1.0 : -1.0;
    }
    sp_convex box = {.n = 8, .stride = 3, .corner = corner};
    sp_convex ball = {.n = 1, .stride = 3, .corner = point, .r = 0.5};
    sp_convex_measure(&box);
    sp_convex_measure(&ball);
    assert_near(box.size, sqrt(3.0), 1e-15);
    const sp_vec3 at[] = {{3.0, 0.2, 0.1}, {3.0, 2.0, 0.3}, {3.0, 2.0, -4.0}, {1.4, 0.0, 0.0}};
    const double expected[] = {1.5, sqrt(5.0) - 0.5, sqrt(14.0) - 0.5, -0.1};
    for (int k = 0; k < 4; k++) {
        const sp_convex_at a = {.c = &ball, .x = at[k], .R = sp_rot3_one()};
        const sp_convex_at b = {.c = &box, .R = sp_rot3_one()};
        sp_vec3 n;
        double distance;
        assert_false(sp_convex_clear(&a, &b, still, INFINITY, &n, &distance));
        assert_near(distance, expected[k], 1e-10);
        /* a motion along the face costs nothing, one towards it as much as it comes nearer */
        assert_int_equal(sp_convex_clear(&a, &b, (sp_vec3){-1.4, 0.0, 0.0}, 0.05, &n, &distance),
                         k < 3);
        assert_false(sp_convex_clear(&a, &b, (sp_vec3){-1.6, -1.6, 2.6}, 0.0, &n, &distance) &&
                     k == 0);
    }
}

/* A flat disc standing on its rim. */
static void discs_have_rims(void **ctx)
{
    (void)ctx;
    const double ends[6] = {0.0, 0.0, -0.1, 0.0, 0.0, 0.1}, point[3] = {0.0, 0.0, 0.0};
    sp_convex disc = {.n = 2,
                      .stride = 3,
                      .corner = ends,
                      .disc = true,
                      .rim = {1.0, 1.0},
                      .axis = {0.0, 0.0, 1.0}};
    sp_convex dot = {.n = 1, .stride = 3, .corner = point};
    sp_convex_measure(&disc);
    sp_convex_measure(&dot);
    assert_near(disc.size, hypot(1.0, 0.1), 1e-15);
    const sp_vec3 at[] = {{3.0, 4.0, 0.0}, {0.3, 0.2, 0.7}, {3.0, 4.0, 1.1}};
    const double expected[] = {4.0, 0.6, hypot(4.0, 1.0)};
    for (int k = 0; k < 3; k++) {
        const sp_convex_at a = {.c = &dot, .x = at[k], .R = sp_rot3_one()};
        const sp_convex_at b = {.c = &disc, .R = sp_rot3_one()};
        sp_vec3 n;
        double distance;
        sp_convex_clear(&a, &b, still, INFINITY, &n, &distance);
        assert_near(distance, expected[k], 1e-6); /* round: by many directions */
        assert_true(distance <= expected[k] + 1e-14);
    }
}

/* A point over a flat disc, along its axis but for round-off: the distance is the height. */
static void a_point_over_the_middle_of_a_disc_has_its_height(void **ctx)
{
    (void)ctx;
    rng r = {12};
    for (int k = 0; k < check_cases(400, 20000); k++) {
        const double at[3] = {0.0, 0.0, 0.0}, height = rng_in(&r, 0.02, 0.3);
        const sp_vec3 axis = sp_rotate3(random_turn(&r), (sp_vec3){0.0, 0.0, 1.0});
        const double ends[6] = {-0.01 * axis.x, -0.01 * axis.y, -0.01 * axis.z,
                                0.01 * axis.x,  0.01 * axis.y,  0.01 * axis.z};
        sp_convex disc = {
            .n = 2, .stride = 3, .corner = ends, .disc = true, .rim = {0.1, 0.1}, .axis = axis};
        sp_convex point = {.n = 1, .stride = 3, .corner = at};
        sp_convex_measure(&disc);
        sp_convex_measure(&point);
        const sp_convex_at b = {.c = &disc, .R = random_turn(&r)};
        const sp_vec3 up = sp_rotate3(b.R, axis);
        const sp_vec3 aside = {rng_in(&r, -0.05, 0.05), rng_in(&r, -0.05, 0.05), 0.0};
        const sp_vec3 flat = sp_axpy3(aside, -sp_inner3(aside, up), up);
        const sp_convex_at a = {
            .c = &point, .x = sp_axpy3(flat, height + 0.01, up), .R = sp_rot3_one()};
        sp_vec3 n;
        double distance;
        sp_convex_clear(&a, &b, still, INFINITY, &n, &distance);
        assert_near(distance, height, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_below_every_distance),
        cmocka_unit_test(a_ball_beside_a_box_has_its_distance),
        cmocka_unit_test(discs_have_rims),
        cmocka_unit_test(a_point_over_the_middle_of_a_disc_has_its_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
