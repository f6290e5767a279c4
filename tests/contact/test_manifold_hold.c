/* Touches of features that are held: they are those that were found, their gaps change with the
 * relative velocity of their points whatever the features do, and end where they must.
 * theory (28.1)-(28.3) */
#include "shapes.h"

/* The touch of these features of a and b, and its reach. */
static bool hold(const subject *a, const subject *b, const sp_touch *t, sp_touch *held,
                 double *reach)
{
    double tol;
    if (!sp_manifold_hold(&a->shape, &a->pose, &b->shape, &b->pose, t->side[0].feature,
                          t->side[1].feature, held)) {
        return false;
    }
    *reach = sp_manifold_reach(&a->shape, &a->pose, &b->shape, &b->pose, held, &tol);
    return true;
}

/* Two sharp corners, or a sharp corner beside an edge. */
static bool is_sharp(const sp_touch *t)
{
    const sp_side_kind a = t->side[0].kind, b = t->side[1].kind;
    return a != SP_SIDE_FACE && b != SP_SIDE_FACE && !(a == SP_SIDE_LINE && b == SP_SIDE_LINE) &&
           t->side[0].r + t->side[1].r == 0.0;
}

/* Gap of the deepest of n touches. */
static double deepest(const sp_touch *t, int n)
{
    double g = INFINITY;
    for (int i = 0; i < n; i++) {
        g = fmin(g, t[i].g_N);
    }
    return g;
}

/* Two random cores near each other, in the right order. */
static void draw_pair(rng *r, subject *a, subject *b)
{
    draw_core(r, a);
    draw_core(r, b);
    if (sp_shape3_order(a->shape.kind, b->shape.kind) < 0) {
        const subject keep = *a;
        *a = *b;
        *b = keep;
    }
    a->shape.hull = a->shape.kind == SP_SHAPE3_HULL ? &a->hull : NULL;
    b->shape.hull = b->shape.kind == SP_SHAPE3_HULL ? &b->hull : NULL;
    a->pose.x = any(r, 10.0);
    b->pose.x = sp_add3(a->pose.x, any(r, 0.8));
}

/* Where the cores are not deep in each other: of those that are, edges may cross past the faces
 * beside them, where no side is the outer one. */
static void the_features_of_a_touch_give_it_back(void **ctx)
{
    (void)ctx;
    rng r = {31};
    sp_touch t[TOUCHES], held;
    int n_held = 0;
    for (int k = 0; k < check_cases(4000, 50000); k++) {
        subject a, b;
        draw_pair(&r, &a, &b);
        const int n = find(&a, &b, 0.2, t);
        for (int i = 0; i < n; i++) {
            double reach;
            if (t[i].carrier != SP_CARRIED_BY_FEATURES) {
                continue;
            }
            assert_int_equal(hold(&a, &b, &t[i], &held, &reach), !is_sharp(&t[i]));
            if (!is_sharp(&t[i]) && deepest(t, n) > -0.02) {
                assert_near(held.g_N, t[i].g_N, 1e-9);
                assert_near(sp_inner3(held.n, t[i].n), 1.0, 1e-9);
                assert_near(sp_length3(sp_sub3(held.point[0], t[i].point[0])), 0.0, 1e-7);
                assert_true(reach > -1e-7);
                n_held++;
            }
        }
        drop(&a);
        drop(&b);
    }
    assert_true(n_held > 500);
}

/* A subject dt later. */
static sp_pose3 later(const subject *s, double dt)
{
    const sp_rot3 turn = sp_rot3_of_quat(sp_quat_exp(sp_scale3(dt, s->omega)));
    return (sp_pose3){sp_axpy3(s->pose.x, dt, s->v), sp_rot3_mul(turn, s->pose.R)};
}

/* Velocity of the material of s at x. */
static sp_vec3 velocity(const subject *s, sp_vec3 x)
{
    return sp_add3(s->v, sp_cross3(s->omega, sp_sub3(x, s->pose.x)));
}

/* g' = n.(v_a - v_b) of the features of a touch, also where they are past their ends and deep in
 * each other; false where they have none, or lines pass through each other. */
static bool rate_is_right(const subject *a, const subject *b, const sp_touch *t)
{
    const double dt = 1e-5;
    sp_touch side[2], at;
    double reach;
    bool ok = hold(a, b, t, &at, &reach);
    for (int s = 0; s < 2 && ok; s++) {
        subject c = *a, d = *b;
        c.pose = later(a, s == 0 ? -dt : dt);
        d.pose = later(b, s == 0 ? -dt : dt);
        ok = hold(&c, &d, t, &side[s], &reach) && sp_inner3(side[s].n, at.n) > 0.99;
    }
    if (!ok || sp_length3(sp_sub3(side[1].n, side[0].n)) >= 1e-3) {
        return false;
    }
    const sp_vec3 v = sp_sub3(velocity(a, at.point[0]), velocity(b, at.point[1]));
    assert_near((side[1].g_N - side[0].g_N) / (2.0 * dt), sp_inner3(at.n, v), 1e-5);
    return true;
}

static void gaps_of_held_features_change_with_the_relative_velocity(void **ctx)
{
    (void)ctx;
    rng r = {32};
    sp_touch t[TOUCHES];
    int checked = 0;
    for (int k = 0; k < check_cases(1000, 30000); k++) {
        subject a, b;
        draw_pair(&r, &a, &b);
        const int n = find(&a, &b, 0.2, t);
        a.pose.x = sp_add3(a.pose.x, any(&r, 0.3)); /* anywhere else now */
        for (int i = 0; i < n; i++) {
            checked += !is_sharp(&t[i]) && rate_is_right(&a, &b, &t[i]);
        }
        drop(&a);
        drop(&b);
    }
    assert_true(checked > 500);
}

/* ---- discs and frustums ------------------------------------------------------------------------
 */

enum { DISC_FEATURES = 5 };

/* A ball or a point beside a random disc, both moving. */
static void draw_ball_and_disc(rng *r, subject *a, subject *b)
{
    make_round(a, SP_SHAPE3_BALL, rng_flip(r) ? rng_in(r, 0.02, 0.3) : 0.0, 0.0);
    draw_disc(r, b);
    b->pose.x = any(r, 10.0);
    a->pose.x = sp_add3(b->pose.x, any(r, 1.5));
    a->v = any(r, 1.0);
    a->omega = any(r, 1.0);
    b->v = any(r, 1.0);
    b->omega = any(r, 1.0);
}

static void gaps_over_features_of_discs_change_with_the_relative_velocity(void **ctx)
{
    (void)ctx;
    rng r = {34};
    int checked[DISC_FEATURES] = {0};
    for (int k = 0; k < check_cases(500, 20000); k++) {
        subject a, b;
        draw_ball_and_disc(&r, &a, &b);
        for (int f = 0; f < DISC_FEATURES; f++) {
            const sp_touch t = {.side = {{.feature = 0}, {.feature = f}}};
            checked[f] += rate_is_right(&a, &b, &t);
        }
        drop(&a);
        drop(&b);
    }
    for (int f = 0; f < DISC_FEATURES; f++) {
        assert_true(checked[f] > 100);
    }
}

/* End, side, rim or tip, by its place alone; it is the one that is found, with the same gap. */
static void a_ball_outside_of_a_disc_has_one_feature_with_reach(void **ctx)
{
    (void)ctx;
    rng r = {35};
    sp_touch found[TOUCHES];
    int checked[DISC_FEATURES] = {0};
    for (int k = 0; k < check_cases(2000, 50000); k++) {
        subject a, b;
        draw_ball_and_disc(&r, &a, &b);
        assert_int_equal(find(&a, &b, 10.0, found), 1);
        int n = 0;
        for (int f = 0; f < DISC_FEATURES; f++) {
            sp_touch held;
            const sp_touch t = {.side = {{.feature = 0}, {.feature = f}}};
            double reach;
            if (hold(&a, &b, &t, &held, &reach) && reach > 1e-6 &&
                held.g_N > 1e-6 - a.shape.radius) {
                assert_int_equal(f, found[0].side[1].feature);
                assert_near(held.g_N, found[0].g_N, 1e-12);
                assert_near(sp_inner3(held.n, found[0].n), 1.0, 1e-12);
                checked[f]++;
                n++;
            }
        }
        /* in front of nothing: the centre is inside, or on the border of two features */
        assert_true(n == 1 || (n == 0 && found[0].g_N < 1e-5 - a.shape.radius));
        drop(&a);
        drop(&b);
    }
    for (int f = 0; f < DISC_FEATURES; f++) {
        assert_true(checked[f] > 50);
    }
}

/* A small box over a large one: the reach of its corners is that from the sides of the face. */
static void the_reach_of_a_corner_is_its_way_to_the_side_of_the_face(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES], held;
    make_box(&a, 0.2, 0.2, 0.2);
    make_box(&b, 1.0, 0.8, 0.4);
    a.pose.x = (sp_vec3){0.3, 0.1, 0.31};
    const int n = find(&a, &b, 0.05, t);
    assert_int_equal(n, 4);
    for (int i = 0; i < n; i++) {
        const sp_vec3 x = t[i].point[0];
        double reach = 0.0;
        assert_true(hold(&a, &b, &t[i], &held, &reach));
        assert_near(reach, fmin(0.5 - fabs(x.x), 0.4 - fabs(x.y)), 1e-8);
    }
    a.pose.x.x = 0.45; /* two corners have left by 0.05 */
    int left = 0;
    for (int i = 0; i < n; i++) {
        double reach = 0.0;
        assert_true(hold(&a, &b, &t[i], &held, &reach));
        left += fabs(reach + 0.05) < 1e-8;
        assert_near(held.g_N, 0.01, 1e-12);
    }
    assert_int_equal(left, 2);
    drop(&a);
    drop(&b);
}

/* A ball over the edge of a box belongs to the face, the edge or the corner, by its place alone. */
static void a_ball_about_an_edge_has_one_feature_with_reach(void **ctx)
{
    (void)ctx;
    rng r = {33};
    subject a, b;
    make_round(&a, SP_SHAPE3_BALL, 0.1, 0.0);
    make_box(&b, 1.0, 1.0, 1.0);
    const int features = b.hull.n_vertex + b.hull.n_edge + b.hull.n_face;
    for (int k = 0; k < check_cases(300, 5000); k++) {
        int n = 0;
        double g = INFINITY;
        a.pose.x = any(&r, 0.8);
        const sp_vec3 x = a.pose.x, out = {fmax(0.0, fabs(x.x) - 0.5), fmax(0.0, fabs(x.y) - 0.5),
                                           fmax(0.0, fabs(x.z) - 0.5)};
        for (int f = 0; f < features; f++) {
            sp_touch held;
            sp_touch t = {.side = {{.feature = 0}, {.feature = f}}};
            double reach;
            if (hold(&a, &b, &t, &held, &reach) && reach > 1e-6 && held.g_N > -0.1) {
                n++;
                g = held.g_N;
            }
        }
        if (sp_length3(out) > 1e-6) {
            assert_int_equal(n, 1);
            assert_near(g, sp_length3(out) - 0.1, 1e-9);
        }
    }
    drop(&a);
    drop(&b);
}

/* A disc stands on a rim or lies on fixed points, never both. */
static void a_disc_has_reach_on_its_rim_or_on_its_points(void **ctx)
{
    (void)ctx;
    subject a, b;
    make_round(&a, SP_SHAPE3_DISC, 0.1, 0.02);
    make_round(&b, SP_SHAPE3_PLANE, 0.0, 0.0);
    assert_int_equal(sp_shape3_on_plane(&a.shape), 10);
    for (int k = 0; k < 2; k++) {
        const double tilt = k == 0 ? 0.3 : 1e-6;
        a.pose.R = sp_rot3_about((sp_vec3){1.0, 0.0, 0.0}, cos(tilt), sin(tilt));
        a.pose.x = (sp_vec3){0.0, 0.0, 0.1 * sin(tilt) + 0.02 * cos(tilt)};
        for (int f = 0; f < 10; f++) {
            sp_touch held;
            const sp_touch t = {.side = {{.feature = f}}};
            double reach = 0.0;
            assert_true(hold(&a, &b, &t, &held, &reach));
            assert_int_equal(reach > 0.0, (k == 0) == (f < 2));
            if (f == 0) { /* the lower rim touches */
                assert_near(held.g_N, 0.0, 1e-15);
            }
        }
    }
    drop(&a);
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_features_of_a_touch_give_it_back),
        cmocka_unit_test(gaps_of_held_features_change_with_the_relative_velocity),
        cmocka_unit_test(gaps_over_features_of_discs_change_with_the_relative_velocity),
        cmocka_unit_test(a_ball_outside_of_a_disc_has_one_feature_with_reach),
        cmocka_unit_test(the_reach_of_a_corner_is_its_way_to_the_side_of_the_face),
        cmocka_unit_test(a_ball_about_an_edge_has_one_feature_with_reach),
        cmocka_unit_test(a_disc_has_reach_on_its_rim_or_on_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
