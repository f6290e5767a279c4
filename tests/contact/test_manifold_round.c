/* Touches of discs and frustums with polytopes, capsules and each other, against the distance along
 * the best of very many directions, and closed forms. */
#include "shapes.h"

/* Largest n.x of a shape, its radius included, from its definition. */
static double support(const subject *s, sp_vec3 n)
{
    const sp_vec3 d = sp_rotate_back3(s->pose.R, n);
    double most = -INFINITY;
    if (s->shape.kind == SP_SHAPE3_DISC) {
        const double low = s->shape.radius * hypot(d.x, d.y) - s->shape.half * d.z,
                     up =
                         (s->shape.radius + s->shape.taper) * hypot(d.x, d.y) + s->shape.half * d.z;
        most = s->shape.half > 0.0 ? fmax(low, up) : low;
    } else if (s->shape.kind == SP_SHAPE3_CAPSULE) {
        most = s->shape.half * fabs(d.z) + s->shape.radius;
    } else {
        for (int i = 0; i < s->hull.n_vertex; i++) {
            most = fmax(most, sp_inner3(d, s->hull.vertex[i]));
        }
    }
    return most + sp_inner3(n, s->pose.x);
}

/* How far a and b are apart along n, which goes from b to a. */
static double apart(const subject *a, const subject *b, sp_vec3 n)
{
    return -support(a, sp_scale3(-1.0, n)) - support(b, n);
}

static sp_vec3 unit(sp_vec3 x)
{
    return sp_scale3(1.0 / sp_length3(x), x);
}

/* The best of many directions, each made better by smaller and smaller random changes. */
static double oracle(rng *r, const subject *a, const subject *b)
{
    enum { STARTS = 60, STEPS = 250 };
    double best = -INFINITY;
    for (int k = 0; k < STARTS; k++) {
        sp_vec3 n = unit(any(r, 1.0));
        double s = apart(a, b, n), size = 0.5;
        for (int i = 0; i < STEPS; i++) {
            const sp_vec3 m = unit(sp_axpy3(n, size, any(r, 1.0)));
            const double d = apart(a, b, m);
            size *= d > s ? 1.5 : 0.85;
            n = d > s ? m : n;
            s = fmax(s, d);
        }
        best = fmax(best, s);
    }
    return best;
}

/* How far a place is outside a shape: along the best direction from it. */
static double outside(rng *r, const subject *s, sp_vec3 x)
{
    subject point;
    make_round(&point, SP_SHAPE3_CAPSULE, 0.0, 0.0);
    point.pose.x = x;
    return oracle(r, &point, s);
}

static void draw_pair(rng *r, subject *a, subject *b, double far)
{
    do {
        if (rng_int(r, 3) == 0) {
            draw_disc(r, a);
        } else {
            draw_core(r, a);
        }
    } while (a->shape.kind == SP_SHAPE3_BALL);
    draw_disc(r, b);
    a->pose.x = sp_add3(b->pose.x, any(r, far));
}

/* The hill that the oracle climbs has ridges: what it finds is below the best by up to this. */
#define CLIMBED 2e-3

static void assert_features_differ(int n, const sp_touch *t)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(t[i].side[0].feature != t[j].side[0].feature ||
                        t[i].side[1].feature != t[j].side[1].feature);
        }
    }
}

/* The smallest gap is the distance, or how deep they are in each other, and is that along n. */
static void the_smallest_gap_is_the_distance(void **ctx)
{
    (void)ctx;
    rng r = {31};
    sp_touch t[TOUCHES];
    int open = 0, deep = 0, exact = 0;
    const int cases = check_cases(250, 20000);
    for (int k = 0; k < cases; k++) {
        subject a, b;
        draw_pair(&r, &a, &b, 1.2);
        const double d = oracle(&r, &a, &b);
        const int n = find(&a, &b, 10.0, t);
        const sp_touch *least = &t[0];
        assert_true(n > 0);
        assert_features_differ(n, t);
        for (int i = 0; i < n; i++) {
            const sp_vec3 off = sp_axpy3(sp_sub3(t[i].point[0], t[i].point[1]), -t[i].g_N, t[i].n);
            assert_near(sp_length3(t[i].n), 1.0, 1e-12);
            assert_near(sp_length3(off), 0.0, 1e-12);
            least = t[i].g_N < least->g_N ? &t[i] : least;
        }
        assert_near(least->g_N, d, CLIMBED);
        assert_true(apart(&a, &b, least->n) >= d - CLIMBED);
        exact += fabs(apart(&a, &b, least->n) - least->g_N) < 1e-9;
        open += d > 0.0;
        deep += d < 0.0;
        drop(&a);
        drop(&b);
    }
    assert_true(open > cases / 6 && deep > cases / 6 && exact > cases * 0.99);
}

/* A margin leaves out what is farther, and nothing else. */
static void a_margin_leaves_out_what_is_farther(void **ctx)
{
    (void)ctx;
    rng r = {34};
    sp_touch t[TOUCHES], all[TOUCHES];
    for (int k = 0; k < check_cases(1500, 50000); k++) {
        subject a, b;
        const double margin = rng_in(&r, -0.1, 0.3);
        draw_pair(&r, &a, &b, 1.2);
        const int n_all = find(&a, &b, 10.0, all), n = find(&a, &b, margin, t);
        int expected = 0;
        double least = INFINITY;
        for (int i = 0; i < n_all; i++) {
            expected += all[i].g_N <= margin;
            least = fmin(least, all[i].g_N);
        }
        assert_int_equal(n, least <= margin ? expected : 0);
        drop(&a);
        drop(&b);
    }
}

/* A place on the surface of a shape is neither inside nor outside of it. */
static void touches_lie_on_both_surfaces(void **ctx)
{
    (void)ctx;
    rng r = {32};
    sp_touch t[TOUCHES];
    for (int k = 0; k < check_cases(60, 3000); k++) {
        subject a, b;
        draw_pair(&r, &a, &b, 1.2);
        const int n = find(&a, &b, 10.0, t);
        for (int i = 0; i < n; i++) {
            /* the farther end of a capsule is under its skin */
            const bool end = a.shape.kind == SP_SHAPE3_CAPSULE && t[i].side[1].kind == SP_SIDE_FACE;
            assert_true(end || fabs(outside(&r, &a, t[i].point[0])) < CLIMBED);
            assert_true(fabs(outside(&r, &b, t[i].point[1])) < CLIMBED || t[i].g_N < 0.0);
        }
        drop(&a);
        drop(&b);
    }
}

/* Touches whose gap is g. */
static int count_at(int n, const sp_touch *t, double g)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        at += fabs(t[i].g_N - g) < 1e-12;
    }
    return at;
}

/* Concentric coins of one size touch in four points where their rims are turned alike, in eight
 * else; a smaller one on a larger in its own four; one that hangs over also where rims cross. */
static void coins_on_each_other_touch_in_points_of_their_rims(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES];
    make_round(&a, SP_SHAPE3_DISC, 0.5, 0.1);
    make_round(&b, SP_SHAPE3_DISC, 0.5, 0.1);
    a.pose.x.z = 0.2;
    assert_int_equal(find(&a, &b, 0.01, t), 4);
    assert_int_equal(count_at(4, t, 0.0), 4);
    a.pose.R = sp_rot3_about((sp_vec3){0, 0, 1}, cos(0.3), sin(0.3));
    assert_int_equal(find(&a, &b, 0.01, t), 8);
    a.shape.radius = 0.3;
    assert_int_equal(find(&a, &b, 0.01, t), 4);
    a.shape.radius = 0.5;
    a.pose.x = (sp_vec3){0.6, 0.0, 0.21};
    const int n = find(&a, &b, 0.02, t);
    assert_int_equal(count_at(n, t, 0.01), n);
    int crossing = 0;
    for (int i = 0; i < n; i++) { /* two circles at distance 0.6 cross at x = 0.3, y = +-0.4 */
        crossing +=
            fabs(t[i].point[1].x - 0.3) < 1e-12 && fabs(fabs(t[i].point[1].y) - 0.4) < 1e-12;
        assert_true(hypot(t[i].point[1].x, t[i].point[1].y) < 0.5 + 1e-8);
        assert_true(hypot(t[i].point[1].x - 0.6, t[i].point[1].y) < 0.5 + 1e-8);
    }
    assert_int_equal(crossing, 2);
    assert_true(n == 4);
    drop(&a);
    drop(&b);
}

/* A coin over the edge of a table: points of its rim, and where the edge crosses it; the table's
 * corner under a coin that covers it. */
static void a_coin_over_the_edge_of_a_box_is_held_where_the_edge_crosses_its_rim(void **ctx)
{
    (void)ctx;
    subject box, coin;
    sp_touch t[TOUCHES];
    make_box(&box, 2.0, 2.0, 1.0);
    make_round(&coin, SP_SHAPE3_DISC, 0.5, 0.05);
    for (int k = 0; k < 50; k++) {
        const double over = 0.49 * k / 50.0; /* of the middle from the edge */
        int crossing = 0;
        coin.pose.x = (sp_vec3){1.0 - over, 0.1, 0.55};
        const int n = find(&box, &coin, 0.01, t);
        for (int i = 0; i < n; i++) {
            assert_near(t[i].g_N, 0.0, 1e-14);
            assert_near(t[i].n.z, -1.0, 1e-14);
            crossing += fabs(t[i].point[0].x - 1.0) < 1e-12 &&
                        fabs(fabs(t[i].point[0].y - 0.1) - sqrt(0.25 - over * over)) < 1e-12;
        }
        assert_true(crossing >= 2 && n >= 5);
    }
    coin.pose.x = (sp_vec3){1.0, 1.0, 0.55};
    const int n = find(&box, &coin, 0.01, t);
    int corner = 0;
    for (int i = 0; i < n; i++) {
        corner += t[i].side[0].kind == SP_SIDE_CORNER;
    }
    assert_int_equal(corner, 1);
    drop(&box);
    drop(&coin);
}

/* Cylinders that cross at right angles, and lie beside each other, have the distance of their axes.
 */
static void cylinders_have_the_distance_of_their_axes(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES];
    make_round(&a, SP_SHAPE3_DISC, 0.2, 1.0);
    make_round(&b, SP_SHAPE3_DISC, 0.3, 1.0);
    a.pose.x = (sp_vec3){0.6, 0.1, 0.3};
    a.pose.R = (sp_rot3){{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; /* axis along y */
    assert_int_equal(find(&a, &b, 1.0, t), 1);
    assert_near(t[0].g_N, 0.1, 1e-15);
    assert_near(t[0].n.x, 1.0, 1e-15);
    assert_near(t[0].point[1].z, 0.3, 1e-15);
    a.pose.R = sp_rot3_one();
    a.pose.x = (sp_vec3){0.6, 0.0, 0.3}; /* side by side: the ends of the common length */
    const int n = find(&a, &b, 0.5, t);
    assert_true(n == 2 && count_at(n, t, 0.1) == 2);
    assert_near(fabs(t[0].point[1].z - t[1].point[1].z), 1.7, 1e-14);
    drop(&a);
    drop(&b);
}

/* Nothing that a start can be breaks the search: no size, all the same place, numbers that are
 * none.
 */
static void degenerate_discs_give_no_nonsense(void **ctx)
{
    (void)ctx;
    rng r = {33};
    sp_touch t[TOUCHES];
    const double size[] = {0.0, 1e-300, 1e-12, 1.0, 1e12, NAN, INFINITY};
    for (int k = 0; k < check_cases(2000, 100000); k++) {
        subject a, b;
        draw_pair(&r, &a, &b, rng_flip(&r) ? 0.0 : 1.0);
        if (a.shape.kind == SP_SHAPE3_DISC) {
            a.shape.radius = size[rng_int(&r, 7)];
        }
        b.shape.radius = size[rng_int(&r, 7)];
        b.shape.half = rng_flip(&r) ? b.shape.half : size[rng_int(&r, 7)];
        if (rng_flip(&r)) { /* parallel, or at right angles */
            b.pose.R = rng_flip(&r) ? a.pose.R : (sp_rot3){a.pose.R.y, a.pose.R.z, a.pose.R.x};
        }
        if (rng_int(&r, 10) == 0) {
            a.pose.x.y = NAN;
        }
        const int n = sp_manifold_find(&a.shape, &a.pose, &b.shape, &b.pose, 1.0, TOUCHES, t);
        assert_true(n >= 0 && n <= TOUCHES);
        for (int i = 0; i < n; i++) {
            assert_true(isfinite(t[i].g_N) && t[i].g_N <= 1.0);
        }
        drop(&a);
        drop(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_gap_is_the_distance),
        cmocka_unit_test(a_margin_leaves_out_what_is_farther),
        cmocka_unit_test(touches_lie_on_both_surfaces),
        cmocka_unit_test(coins_on_each_other_touch_in_points_of_their_rims),
        cmocka_unit_test(a_coin_over_the_edge_of_a_box_is_held_where_the_edge_crosses_its_rim),
        cmocka_unit_test(cylinders_have_the_distance_of_their_axes),
        cmocka_unit_test(degenerate_discs_give_no_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
