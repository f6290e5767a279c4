/* Touches of convex shapes against an independent distance, their definition, and closed forms of
 * faces, edges and corners in line with each other. */
#include "shapes.h"

/* Gaps on faces may be longer than the distance by this part, see SP_NEARLY. */
#define NEARLY 1.01e-3

/* What every touch promises, whatever the shapes. */
static void assert_sound(const subject *a, const subject *b, const sp_touch *t, double margin)
{
    const sp_vec3 core_a = sp_axpy3(t->point[0], a->shape.radius, t->n),
                  core_b = sp_axpy3(t->point[1], -b->shape.radius, t->n);
    const sp_vec3 off = sp_axpy3(sp_sub3(t->point[0], t->point[1]), -t->g_N, t->n);
    assert_near(sp_length3(t->n), 1.0, 1e-12);
    assert_near(sp_length3(off), 0.0, 1e-12);
    assert_true(t->g_N <= margin);
    assert_near(outside_core(a, core_a), 0.0, 1e-7); /* both are on the surfaces */
    assert_near(outside_core(b, core_b), 0.0, 1e-7);
}

static void assert_features_differ(int n, const sp_touch *t)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(t[i].side[0].feature != t[j].side[0].feature ||
                        t[i].side[1].feature != t[j].side[1].feature);
        }
    }
}

static double least_of(int n, const sp_touch *t)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, t[i].g_N);
    }
    return least;
}

/* The smallest gap is the distance, or how deep they are in each other, for all pairs of cores. */
static void the_smallest_gap_is_the_distance(void **ctx)
{
    (void)ctx;
    rng r = {11};
    sp_touch t[TOUCHES];
    int open = 0, deep = 0, exact = 0;
    const int cases = check_cases(1500, 100000);
    for (int k = 0; k < cases; k++) {
        subject a, b;
        draw_core(&r, &a);
        draw_core(&r, &b);
        if (sp_shape3_order(a.shape.kind, b.shape.kind) < 0) {
            const subject keep = a;
            a = b;
            b = keep;
            a.shape.hull = &a.hull;
            b.shape.hull = &b.hull;
        }
        a.pose.x = any(&r, 10.0);
        b.pose.x = sp_add3(a.pose.x, any(&r, 0.8));
        const double d = core_distance(&a, &b), radii = a.shape.radius + b.shape.radius;
        const int n = find(&a, &b, 10.0, t);
        assert_true(n > 0);
        assert_features_differ(n, t);
        for (int i = 0; i < n; i++) {
            assert_sound(&a, &b, &t[i], 10.0);
        }
        const double g = least_of(n, t);
        assert_near_scaled(g, d - radii, 1.0, 1e-7 + NEARLY * fabs(d));
        exact += fabs(g - d + radii) < 1e-9;
        open += d > 0.0;
        deep += d < 0.0;
        drop(&a);
        drop(&b);
    }
    assert_true(open > cases / 6 && deep > cases / 6 && exact > cases * 0.995);
}

static void a_margin_leaves_out_what_is_farther(void **ctx)
{
    (void)ctx;
    rng r = {12};
    sp_touch t[TOUCHES], all[TOUCHES];
    for (int k = 0; k < check_cases(300, 10000); k++) {
        subject a, b;
        const double margin = rng_in(&r, -0.1, 0.3);
        make_box(&a, 0.5, 0.6, 0.7);
        make_box(&b, 0.9, 0.4, 0.3);
        a.pose.R = any_turn(&r);
        b.pose.x = any(&r, 0.8);
        const int n_all = find(&a, &b, 10.0, all), n = find(&a, &b, margin, t);
        int expected = 0;
        for (int i = 0; i < n_all; i++) {
            expected += all[i].g_N <= margin;
        }
        /* a face that stands for a distance with margin does so without, and the other way round,
         * unless its nearest touch is beyond the margin */
        assert_int_equal(n, least_of(n_all, all) <= margin ? expected : 0);
        drop(&a);
        drop(&b);
    }
}

/* Find the touch with these features. */
static const sp_touch *with(int n, const sp_touch *t, int a, int b)
{
    for (int i = 0; i < n; i++) {
        if (t[i].side[0].feature == a && t[i].side[1].feature == b) {
            return &t[i];
        }
    }
    return NULL;
}

/* A box of side 1 turned by 45 degrees about z on a box of side 1: the faces overlap in an octagon
 * whose corners are crossings of edges, at (1/2, (sqrt2 - 1)/2) and the like. */
static void two_faces_turned_by_45_degrees_meet_in_an_octagon(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES];
    const double s = sqrt(0.5);
    make_box(&a, 1.0, 1.0, 1.0);
    make_box(&b, 1.0, 1.0, 1.0);
    a.pose.R = (sp_rot3){{s, s, 0.0}, {-s, s, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        const double gap = k == 0 ? -0.01 : k == 1 ? 0.0 : 0.02;
        a.pose.x = (sp_vec3){0.0, 0.0, 1.0 + gap};
        const int n = find(&a, &b, 0.1, t);
        assert_int_equal(n, 8);
        for (int i = 0; i < n; i++) {
            const double x = fabs(t[i].point[1].x), y = fabs(t[i].point[1].y);
            assert_near(t[i].g_N, gap, 1e-14);
            assert_near(t[i].n.z, 1.0, 1e-14);
            assert_near(fmax(x, y), 0.5, 1e-14);
            assert_near(fmin(x, y), 0.5 * (sqrt(2.0) - 1.0), 1e-13);
            assert_int_equal(t[i].side[0].kind, SP_SIDE_LINE);
            assert_int_equal(t[i].side[1].kind, SP_SIDE_LINE);
        }
    }
    drop(&a);
    drop(&b);
}

/* Equal boxes that stand flush, with any round-off: corners over the face, always the same four. */
static void flush_boxes_touch_in_the_same_four_corners(void **ctx)
{
    (void)ctx;
    rng r = {13};
    subject a, b;
    sp_touch t[TOUCHES], first[TOUCHES];
    make_box(&a, 0.3, 0.2, 0.1);
    make_box(&b, 0.3, 0.2, 0.1);
    for (int k = 0; k < check_cases(500, 20000); k++) {
        a.pose.x = sp_add3((sp_vec3){0.0, 0.0, 0.1}, any(&r, k == 0 ? 0.0 : 1e-12));
        b.pose.x = any(&r, k == 0 ? 0.0 : 1e-12);
        a.pose.R = sp_rot3_of_quat(sp_quat_exp(any(&r, k == 0 ? 0.0 : 1e-12)));
        const int n = find(&a, &b, 1e-3, t);
        assert_int_equal(n, 4);
        memcpy(first, k == 0 ? t : first, sizeof first);
        for (int i = 0; i < 4; i++) {
            assert_non_null(with(n, t, first[i].side[0].feature, first[i].side[1].feature));
            assert_int_equal(t[i].side[0].kind, SP_SIDE_CORNER);
            assert_near(t[i].g_N, 0.0, 1e-11);
        }
    }
    drop(&a);
    drop(&b);
}

/* A small box on a large one stands on its corners; a large one on a small one on those of the
 * small one; one that hangs over on two of each and crossings. */
static void boxes_stand_on_what_is_below(void **ctx)
{
    (void)ctx;
    subject small, large;
    sp_touch t[TOUCHES];
    make_box(&small, 0.2, 0.2, 0.2);
    make_box(&large, 1.0, 1.0, 0.2);
    small.pose.x.z = 0.2;
    assert_int_equal(find(&small, &large, 1e-3, t), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(t[i].side[0].kind, SP_SIDE_CORNER);
        assert_int_equal(t[i].side[1].kind, SP_SIDE_FACE);
        assert_near(fabs(t[i].point[0].x), 0.1, 1e-15);
    }
    small.pose.x.z = -0.2;
    assert_int_equal(find(&large, &small, 1e-3, t), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(t[i].side[0].kind, SP_SIDE_FACE);
        assert_int_equal(t[i].side[1].kind, SP_SIDE_CORNER);
        assert_near(t[i].n.z, 1.0, 1e-15);
    }
    small.pose.x = (sp_vec3){0.45, 0.0, 0.2}; /* reaches from 0.35 to 0.55 */
    const int n = find(&small, &large, 1e-3, t);
    int corners = 0, crossings = 0;
    for (int i = 0; i < n; i++) {
        corners += t[i].side[0].kind == SP_SIDE_CORNER;
        crossings += t[i].side[0].kind == SP_SIDE_LINE && t[i].side[1].kind == SP_SIDE_LINE;
        assert_true(t[i].point[0].x < 0.5 + 1e-12);
    }
    assert_int_equal(corners, 2);
    assert_int_equal(crossings, 2);
    drop(&small);
    drop(&large);
}

/* Two boxes whose nearest edges are parallel: both ends of their common part. */
static void parallel_edges_touch_at_both_ends(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES];
    make_box(&a, 1.0, 1.0, 1.0);
    make_box(&b, 1.0, 1.0, 1.0);
    a.pose.x = (sp_vec3){1.3, 0.25, 1.4};
    const int n = find(&a, &b, 1.0, t);
    assert_int_equal(n, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(t[i].g_N, 0.5, 1e-14);
        assert_near(t[i].n.x, 0.6, 1e-14);
        assert_near(t[i].n.z, 0.8, 1e-14);
        assert_near(fabs(t[i].point[0].y - 0.125), 0.375, 1e-14);
    }
    drop(&a);
    drop(&b);
}

/* A corner of one box exactly over an edge of the other, and exactly over a corner. */
static void a_corner_on_an_edge_is_one_touch(void **ctx)
{
    (void)ctx;
    rng r = {14};
    subject a, b;
    sp_touch t[TOUCHES];
    make_box(&a, 1.0, 1.0, 1.0);
    make_box(&b, 1.0, 1.0, 1.0);
    /* a stands on its corner (-,-,-), which points down */
    const double h = sqrt(3.0) / 2.0;
    const sp_vec3 z = {1 / sqrt(3.0), 1 / sqrt(3.0), 1 / sqrt(3.0)},
                  x = {1 / sqrt(2.0), -1 / sqrt(2.0), 0.0}, y = sp_cross3(z, x);
    const sp_rot3 down = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    for (int k = 0; k < 60; k++) {
        const double gap = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 1e-3 : -1e-3;
        const double angle = k < 3 ? 0.0 : rng_in(&r, 0.0, 6.28);
        a.pose.R =
            sp_rot3_mul(sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle)), down);
        a.pose.x = (sp_vec3){0.5, k % 2 == 0 ? 0.1 : 0.5, 0.5 + h + gap};
        const int n = find(&a, &b, 2e-3, t);
        assert_int_equal(n, 1);
        if (gap < 0.0) { /* the way out may be over the edge */
            assert_near(t[0].g_N, core_distance(&a, &b), 1e-9);
            assert_true(t[0].g_N >= gap - 1e-12 && t[0].n.z > 0.5);
        } else {
            assert_near(t[0].g_N, gap, 1e-12);
            assert_near(t[0].n.z, 1.0, 1e-9);
        }
    }
    drop(&a);
    drop(&b);
}

static void capsules_and_balls_have_closed_forms(void **ctx)
{
    (void)ctx;
    subject a, b, box;
    sp_touch t[TOUCHES];
    make_round(&a, SP_SHAPE3_CAPSULE, 0.1, 0.5);
    make_round(&b, SP_SHAPE3_CAPSULE, 0.2, 0.4);
    make_box(&box, 1.0, 1.0, 1.0);
    a.pose.R = (sp_rot3){{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}; /* along x */
    b.pose.R = (sp_rot3){{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; /* along y */
    a.pose.x = (sp_vec3){0.2, 0.1, 0.35};
    assert_int_equal(find(&a, &b, 1.0, t), 1); /* crossed */
    assert_near(t[0].g_N, 0.05, 1e-14);
    assert_near(t[0].n.z, 1.0, 1e-14);
    assert_int_equal(t[0].side[0].kind, SP_SIDE_LINE);
    a.pose.x = (sp_vec3){0.95, 0.1, 0.0}; /* in one plane, the end of a beside b */
    assert_int_equal(find(&a, &b, 1.0, t), 1);
    assert_near(t[0].g_N, 0.15, 1e-14);
    assert_near(t[0].n.x, 1.0, 1e-14);
    a.pose.x = (sp_vec3){0.3, 0.1, 0.0}; /* the two lines cross */
    assert_int_equal(find(&a, &b, 1.0, t), 1);
    assert_near(t[0].g_N, -0.3, 1e-14);
    a.pose.x = (sp_vec3){0.2, 0.1, 0.35};
    b.pose.R = a.pose.R;
    assert_int_equal(find(&a, &b, 1.0, t), 2); /* side by side: from -0.3 to 0.4 */
    const double d = hypot(0.1, 0.35);
    assert_near(t[0].g_N, d - 0.3, 1e-14);
    assert_near(fabs(t[0].point[0].x - t[1].point[0].x), 0.7, 1e-14);
    a.pose.x = (sp_vec3){0.0, 0.1, 0.62}; /* lies on the box */
    assert_int_equal(find(&a, &box, 0.05, t), 2);
    assert_near(t[0].g_N, 0.02, 1e-14);
    a.pose.x.x = 0.3; /* reaches over it: one end, and its line over the edge of the face */
    assert_int_equal(find(&a, &box, 0.05, t), 2);
    assert_near(fmax(t[0].point[0].x, t[1].point[0].x), 0.5, 1e-14);
    drop(&a);
    drop(&b);
    drop(&box);
}

/* On a plane: corners, ends, and discs in all positions, against a fine rim. */
static void a_disc_on_a_plane_is_as_low_as_its_rim(void **ctx)
{
    (void)ctx;
    rng r = {15};
    sp_touch t[TOUCHES];
    for (int k = 0; k < check_cases(300, 10000); k++) {
        subject disc, plane;
        make_round(&disc, SP_SHAPE3_DISC, rng_in(&r, 0.1, 1.0),
                   rng_flip(&r) ? 0.0 : rng_in(&r, 0.01, 0.5));
        make_round(&plane, SP_SHAPE3_PLANE, 0.0, 0.0);
        if (disc.shape.half > 0.0 && rng_flip(&r)) { /* a frustum, now and then a cone */
            disc.shape.taper = rng_in(&r, rng_flip(&r) ? -1.0 : 0.0, 1.0) * disc.shape.radius;
            disc.shape.taper = rng_int(&r, 4) == 0 ? -disc.shape.radius : disc.shape.taper;
        }
        disc.pose.R =
            k % 3 == 0 ? any_turn(&r) : sp_rot3_of_quat(sp_quat_exp(any(&r, pow(10.0, -k % 12))));
        disc.pose.x = any(&r, 1.0);
        const int n = find(&disc, &plane, 10.0, t);
        double low = INFINITY;
        for (int i = 0; i < 20000; i++) {
            const double angle = 6.283185307179586 * i / 20000;
            const double z = i % 2 == 0 ? disc.shape.half : -disc.shape.half;
            const double rim = disc.shape.radius + (i % 2 == 0 ? disc.shape.taper : 0.0);
            const sp_vec3 p =
                sp_pose3_place(&disc.pose, (sp_vec3){rim * cos(angle), rim * sin(angle), z});
            low = fmin(low, p.z);
        }
        assert_true(n >= 1);
        assert_near(least_of(n, t), low, 2.2e-7); /* of the rim: R (2 pi/10000)^2/8, R up to 2 */
        drop(&disc);
        drop(&plane);
    }
}

/* Distance of (x, y) from the segment between two places. */
static double to_segment(double x, double y, const double a[2], const double b[2])
{
    const double u = b[0] - a[0], v = b[1] - a[1], l2 = u * u + v * v;
    const double s = l2 > 0.0 ? clamp(((x - a[0]) * u + (y - a[1]) * v) / l2) : 0.0;
    return hypot(x - a[0] - s * u, y - a[1] - s * v);
}

/* How far a place is from a disc or a frustum, < 0 inside: its section is a trapezoid, of which the
 * nearest of lower end, side and upper end counts. */
static double outside_disc(const subject *disc, sp_vec3 x)
{
    const sp_vec3 p = sp_rotate_back3(disc->pose.R, sp_sub3(x, disc->pose.x));
    const double rho = hypot(p.x, p.y), half = disc->shape.half, r_0 = disc->shape.radius,
                 r_1 = r_0 + disc->shape.taper;
    const double c[4][2] = {{0.0, -half}, {r_0, -half}, {r_1, half}, {0.0, half}};
    double d = INFINITY;
    for (int i = 0; i < 3; i++) {
        d = fmin(d, to_segment(rho, p.z, c[i], c[i + 1]));
    }
    const double wide = half > 0.0 ? r_0 + (r_1 - r_0) * (p.z + half) / (2.0 * half) : 0.0;
    return fabs(p.z) < half && rho < wide ? -d : d;
}

/* One touch, whose gap is the distance and whose points lie on both; each feature is met. */
static void balls_touch_discs_with_the_nearest_of_ends_side_and_rims(void **ctx)
{
    (void)ctx;
    rng r = {16};
    sp_touch t[TOUCHES];
    int seen[5] = {0};
    for (int k = 0; k < check_cases(1000, 100000); k++) {
        subject ball, disc;
        make_round(&ball, SP_SHAPE3_BALL, rng_flip(&r) ? 0.0 : rng_in(&r, 0.01, 0.5), 0.0);
        draw_disc(&r, &disc);
        ball.pose.x = sp_add3(disc.pose.x, any(&r, 1.0));
        assert_int_equal(find(&ball, &disc, 10.0, t), 1);
        const sp_vec3 core = sp_axpy3(t->point[0], ball.shape.radius, t->n);
        const sp_vec3 off = sp_axpy3(sp_sub3(t->point[0], t->point[1]), -t->g_N, t->n);
        assert_near(t->g_N, outside_disc(&disc, ball.pose.x) - ball.shape.radius, 1e-14);
        assert_near(outside_disc(&disc, t->point[1]), 0.0, 1e-14);
        assert_near(sp_length3(sp_sub3(core, ball.pose.x)), 0.0, 1e-14);
        assert_near(sp_length3(off), 0.0, 1e-14);
        assert_near(sp_length3(t->n), 1.0, 1e-14);
        assert_in_range(t->side[1].feature, 0, 4);
        seen[t->side[1].feature]++;
        drop(&ball);
        drop(&disc);
    }
    for (int i = 0; i < 5; i++) {
        assert_true(seen[i] > 20);
    }
}

static void shapes_lie_on_a_plane_with_all_their_corners(void **ctx)
{
    (void)ctx;
    subject box, plane, capsule, disc;
    sp_touch t[TOUCHES];
    make_box(&box, 1.0, 2.0, 3.0);
    make_round(&plane, SP_SHAPE3_PLANE, 0.0, 0.0);
    make_round(&capsule, SP_SHAPE3_CAPSULE, 0.2, 0.5);
    make_round(&disc, SP_SHAPE3_DISC, 0.2, 0.05);
    box.pose.x.z = 1.49;
    assert_int_equal(find(&box, &plane, 0.1, t), 4);
    assert_near(t[2].g_N, -0.01, 1e-15);
    capsule.pose.R = (sp_rot3){{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
    capsule.pose.x.z = 0.25;
    assert_int_equal(find(&capsule, &plane, 0.1, t), 2);
    assert_near(t[1].g_N, 0.05, 1e-15);
    disc.pose.x.z = 0.05;
    assert_int_equal(find(&disc, &plane, 0.01, t), 4); /* flat */
    disc.pose.R = capsule.pose.R;
    disc.pose.x.z = 0.2;
    assert_int_equal(find(&disc, &plane, 0.01, t), 2); /* on its side */
    assert_near(t[0].side[0].kappa, 5.0, 1e-14);
    drop(&box);
    drop(&plane);
    drop(&capsule);
    drop(&disc);
}

/* Small motions keep identities: in a box that slides and turns slowly on another, touches come and
 * go one at a time where corners pass edges, and none changes its name in between. */
static void identities_survive_small_motions(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES], before[TOUCHES];
    int n_before = 0, changes = 0;
    const int steps = 4000;
    make_box(&a, 0.5, 0.4, 0.2);
    make_box(&b, 1.0, 0.7, 0.3);
    for (int k = 0; k <= steps; k++) {
        const double s = (double)k / steps, angle = 0.3 + s;
        a.pose.R = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle));
        a.pose.x = (sp_vec3){0.2 + 0.3 * s, 0.1, 0.25 + (k % 2 ? 1e-9 : -1e-9)};
        const int n = find(&a, &b, 1e-3, t);
        int gone = 0;
        for (int i = 0; i < n_before; i++) {
            gone += with(n, t, before[i].side[0].feature, before[i].side[1].feature) == NULL;
        }
        changes += gone;
        assert_true(n >= 3 && gone <= 2);
        memcpy(before, t, sizeof before);
        n_before = n;
    }
    assert_true(changes <= 12);
    drop(&a);
    drop(&b);
}

static void pairs_that_cannot_touch_are_told(void **ctx)
{
    (void)ctx;
    assert_int_equal(sp_shape3_order(SP_SHAPE3_BALL, SP_SHAPE3_HULL), 1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_HULL, SP_SHAPE3_CAPSULE), -1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_PLANE, SP_SHAPE3_DISC), -1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_PLANE, SP_SHAPE3_MESH), 0);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_MESH, SP_SHAPE3_HULL), -1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_DISC, SP_SHAPE3_HULL), -1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_CAPSULE, SP_SHAPE3_DISC), 1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_DISC, SP_SHAPE3_DISC), 1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_DISC, SP_SHAPE3_BALL), -1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_BALL, SP_SHAPE3_DISC), 1);
    assert_int_equal(sp_shape3_order(SP_SHAPE3_DISC, SP_SHAPE3_MESH), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_gap_is_the_distance),
        cmocka_unit_test(a_margin_leaves_out_what_is_farther),
        cmocka_unit_test(two_faces_turned_by_45_degrees_meet_in_an_octagon),
        cmocka_unit_test(flush_boxes_touch_in_the_same_four_corners),
        cmocka_unit_test(boxes_stand_on_what_is_below),
        cmocka_unit_test(parallel_edges_touch_at_both_ends),
        cmocka_unit_test(a_corner_on_an_edge_is_one_touch),
        cmocka_unit_test(capsules_and_balls_have_closed_forms),
        cmocka_unit_test(a_disc_on_a_plane_is_as_low_as_its_rim),
        cmocka_unit_test(balls_touch_discs_with_the_nearest_of_ends_side_and_rims),
        cmocka_unit_test(shapes_lie_on_a_plane_with_all_their_corners),
        cmocka_unit_test(identities_survive_small_motions),
        cmocka_unit_test(pairs_that_cannot_touch_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
