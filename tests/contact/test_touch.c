/* How touches move, against differences in random rigid motions: gaps, normals, and where on b the
 * nearest point is. */
#include "shapes.h"

/* Step of the differences, and what they are good for: their own error is of order step^2 times
 * third derivatives, which grow with 1/gap^2 near corners. */
#define STEP 1e-6
#define GOOD 1e-5

/* Bodies go at some m/s.  Where an edge crosses a rim nearly along it, the crossing goes as the
 * root of time, at w = K/c for a half chord c, K ~ 0.5 m^2/s, with the error w (step w/c)^2 / 2 =
 * step^2 w^5 / (2 K^2): 5e-5 m/s at 30 m/s, 2e-4 m/s at 40 m/s. */
#define FAST 30.0

static sp_pose3 moved(const subject *s, double t)
{
    const sp_vec3 turn = sp_rotate_back3(s->pose.R, sp_scale3(t, s->omega));
    const sp_rot3 R = sp_rot3_mul(s->pose.R, sp_rot3_of_quat(sp_quat_exp(turn)));
    return (sp_pose3){sp_axpy3(s->pose.x, t, s->v), R};
}

static int find_at(const subject *a, const subject *b, double t, sp_touch *touch)
{
    const sp_pose3 pose_a = moved(a, t), pose_b = moved(b, t);
    return sp_manifold_find(&a->shape, &pose_a, &b->shape, &pose_b, 5.0, TOUCHES, touch);
}

static sp_vec3 velocity(const subject *s, sp_vec3 x)
{
    return sp_add3(s->v, sp_cross3(s->omega, sp_sub3(x, s->pose.x)));
}

static const sp_touch *same(int n, const sp_touch *t, const sp_touch *as)
{
    for (int i = 0; i < n; i++) {
        if (t[i].side[0].feature == as->side[0].feature && t[i].carrier == as->carrier &&
            t[i].side[1].feature == as->side[1].feature) {
            return &t[i];
        }
    }
    return NULL;
}

/* How often each pair of kinds of sides was looked at; [3] carried by a face. */
typedef struct tally {
    int seen[3][3], carried;
} tally;

/* Two vectors, in parts of the size of what they are made of. */
static void assert_same(sp_vec3 a, sp_vec3 b, double size)
{
    assert_near_scaled(sp_length3(sp_sub3(a, b)), 0.0, fmax(1.0, size), GOOD);
}

/* Map of the tangent plane to the world. */
static sp_vec3 apply(const sp_contact_frame3 *f, const sp_map2 *m, sp_vec3 x)
{
    const double p = sp_inner3(f->t[0], x), q = sp_inner3(f->t[1], x);
    return sp_axpy3(sp_scale3(m->a11 * p + m->a12 * q, f->t[0]), m->a21 * p + m->a22 * q, f->t[1]);
}

static double size_of(const sp_map2 *m)
{
    return fabs(m->a11) + fabs(m->a12) + fabs(m->a21) + fabs(m->a22);
}

static void check_touch(const subject *a, const subject *b, const sp_touch *t,
                        const sp_touch *before, const sp_touch *after)
{
    sp_contact_frame3 f;
    sp_touch_frame(t, b->pose.R, &f);
    const sp_vec3 spin = sp_sub3(a->omega, b->omega), turn = sp_cross3(spin, f.n);
    const sp_vec3 v_a = velocity(a, f.point[0]), v_b = velocity(b, f.point[1]);
    const sp_vec3 slip = sp_sub3(v_a, velocity(b, f.point[0])), carried = sp_cross3(b->omega, f.n);
    const double bend =
        1.0 + size_of(&f.n_by_slip) + size_of(&f.at_by_turn) + 0.1 * size_of(&f.at_by_slip);
    if (bend > 100.0) {
        return; /* round a corner in no time: differences are no good */
    }

    /* g' = gamma_N */
    if (t->carrier == SP_CARRIED_BY_FEATURES) {
        assert_near_scaled((after->g_N - before->g_N) / (2.0 * STEP),
                           sp_inner3(f.n, sp_sub3(v_a, v_b)), 1.0, GOOD);
    }

    /* n' */
    const sp_vec3 n_rate = sp_scale3(0.5 / STEP, sp_sub3(after->n, before->n));
    const sp_vec3 n_want =
        sp_add3(carried, sp_add3(apply(&f, &f.n_by_turn, turn), apply(&f, &f.n_by_slip, slip)));
    assert_same(n_rate, n_want, bend * bend);

    /* how the point wanders over b */
    const sp_vec3 p_rate =
        sp_sub3(sp_scale3(0.5 / STEP, sp_sub3(after->point[1], before->point[1])), v_b);
    const sp_vec3 wander = sp_axpy3(p_rate, -sp_inner3(p_rate, f.n), f.n);
    const sp_vec3 want = sp_add3(apply(&f, &f.at_by_turn, turn), apply(&f, &f.at_by_slip, slip));
    if (sp_length3(want) > FAST) {
        return; /* of edges nearly along a rim: differences are no good */
    }
    assert_same(wander, want, bend * bend);
}

static void check_pair(const subject *a, const subject *b, tally *count)
{
    sp_touch t[TOUCHES], before[TOUCHES], after[TOUCHES];
    const int n = find_at(a, b, 0.0, t), n_before = find_at(a, b, -STEP, before),
              n_after = find_at(a, b, STEP, after);
    for (int i = 0; i < n; i++) {
        const sp_touch *x = same(n_before, before, &t[i]), *y = same(n_after, after, &t[i]);
        if (x && y) {
            check_touch(a, b, &t[i], x, y);
            count->seen[t[i].side[0].kind][t[i].side[1].kind]++;
            count->carried += t[i].carrier != SP_CARRIED_BY_FEATURES;
        }
    }
}

static void touches_of_cores_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {21};
    tally count = {0};
    for (int k = 0; k < check_cases(3000, 100000); k++) {
        subject a, b;
        draw_core(&r, &a);
        draw_core(&r, &b);
        while (sp_shape3_order(a.shape.kind, b.shape.kind) < 0) {
            drop(&b);
            draw_core(&r, &b);
        }
        a.pose.x = any(&r, 1.0);
        b.pose.x = sp_add3(a.pose.x, any(&r, 1.0));
        check_pair(&a, &b, &count);
        drop(&a);
        drop(&b);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const bool flat = i + j > 2; /* a face of a polytope meets corners only */
            assert_true(count.seen[i][j] > (flat ? -1 : 20));
        }
    }
}

/* Boxes that lie on each other, nearly: all kinds of touches of faces. */
static void touches_on_faces_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {22};
    tally count = {0};
    for (int k = 0; k < check_cases(1500, 50000); k++) {
        subject a, b;
        make_box(&a, 0.6, 0.5, 0.2);
        make_box(&b, 0.7, 0.4, 0.3);
        const double angle = rng_in(&r, -3.0, 3.0) * pow(10.0, -rng_int(&r, 4));
        const sp_rot3 about = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(angle), sin(angle));
        const sp_vec3 tilt = any(&r, 0.02);
        a.pose.R = sp_rot3_mul(sp_rot3_of_quat(sp_quat_exp(tilt)), about);
        a.pose.x =
            (sp_vec3){rng_in(&r, -0.4, 0.4), rng_in(&r, -0.3, 0.3), 0.25 + rng_in(&r, -0.02, 0.02)};
        a.v = any(&r, 1.0);
        a.omega = any(&r, 1.0);
        b.v = any(&r, 1.0);
        b.omega = any(&r, 1.0);
        check_pair(&a, &b, &count);
        drop(&a);
        drop(&b);
    }
    assert_true(count.seen[SP_SIDE_CORNER][SP_SIDE_FACE] > 100);
    assert_true(count.seen[SP_SIDE_FACE][SP_SIDE_CORNER] > 100);
    assert_true(count.seen[SP_SIDE_LINE][SP_SIDE_LINE] > 100 && count.carried > 20);
}

/* Discs on a plane that moves itself: the rim's lowest point wanders. */
static void rims_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {23};
    tally count = {0};
    for (int k = 0; k < check_cases(500, 50000); k++) {
        subject a, b;
        draw_disc(&r, &a);
        make_round(&b, SP_SHAPE3_PLANE, 0.0, 0.0);
        b.pose = (sp_pose3){any(&r, 1.0), any_turn(&r)};
        b.v = any(&r, 1.0);
        b.omega = any(&r, 1.0);
        check_pair(&a, &b, &count);
        drop(&a);
        drop(&b);
    }
    assert_true(count.seen[SP_SIDE_CORNER][SP_SIDE_FACE] > 20); /* tips */
    assert_true(count.seen[SP_SIDE_LINE][SP_SIDE_FACE] > 300);
}

/* Balls over the ends, beside the side and round the rims of discs and frustums. */
static void balls_on_discs_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {24};
    tally count = {0};
    for (int k = 0; k < check_cases(1000, 100000); k++) {
        subject ball, disc;
        make_round(&ball, SP_SHAPE3_BALL, rng_flip(&r) ? 0.0 : rng_in(&r, 0.05, 0.5), 0.0);
        draw_disc(&r, &disc);
        ball.pose = (sp_pose3){sp_add3(disc.pose.x, any(&r, 1.0)), any_turn(&r)};
        ball.v = any(&r, 1.0);
        ball.omega = any(&r, 1.0);
        check_pair(&ball, &disc, &count);
        drop(&ball);
        drop(&disc);
    }
    assert_true(count.seen[SP_SIDE_CORNER][SP_SIDE_LINE] > 100);
    assert_true(count.seen[SP_SIDE_CORNER][SP_SIDE_FACE] > 100);
}

/* Boxes, polytopes, capsules and discs anywhere about discs and frustums. */
static void shapes_about_discs_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {25};
    tally count = {0};
    for (int k = 0; k < check_cases(3000, 100000); k++) {
        subject a, disc;
        if (rng_int(&r, 3) == 0) {
            draw_disc(&r, &a);
        } else {
            draw_core(&r, &a);
        }
        draw_disc(&r, &disc);
        a.pose.x = sp_add3(disc.pose.x, any(&r, 1.2));
        check_pair(&a, &disc, &count);
        drop(&a);
        drop(&disc);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const bool flat = i + j > 3; /* faces meet corners and rims */
            assert_true(count.seen[i][j] > (flat ? -1 : 5));
        }
    }
}

/* The same lying on the ends of a disc, nearly flat: all that crosses its rim. */
static void shapes_on_ends_of_discs_move_as_they_say(void **ctx)
{
    (void)ctx;
    rng r = {26};
    tally count = {0};
    for (int k = 0; k < check_cases(2000, 100000); k++) {
        subject a, disc;
        const int what = rng_int(&r, 3);
        make_round(&disc, SP_SHAPE3_DISC, 0.5, rng_flip(&r) ? 0.1 : 0.0);
        if (what == 0) {
            make_box(&a, 0.6, 0.7, 0.2);
        } else {
            make_round(&a, what == 1 ? SP_SHAPE3_DISC : SP_SHAPE3_CAPSULE, what == 1 ? 0.4 : 0.1,
                       what == 1 ? 0.1 : 0.6);
        }
        const sp_rot3 lay = what == 2 ? (sp_rot3){{0, 0, -1}, {0, 1, 0}, {1, 0, 0}} : sp_rot3_one();
        const sp_vec3 turn = {0.0, 0.0, rng_in(&r, -3.0, 3.0)}, tilt = any(&r, 0.02);
        a.pose.R = sp_rot3_mul(sp_rot3_of_quat(sp_quat_exp(tilt)),
                               sp_rot3_mul(sp_rot3_of_quat(sp_quat_exp(turn)), lay));
        a.pose.x = (sp_vec3){rng_in(&r, -0.5, 0.5), rng_in(&r, -0.5, 0.5),
                             disc.shape.half + 0.1 + rng_in(&r, -0.02, 0.02)};
        a.v = any(&r, 1.0);
        a.omega = any(&r, 1.0);
        disc.v = any(&r, 1.0);
        disc.omega = any(&r, 1.0);
        check_pair(&a, &disc, &count);
        drop(&a);
        drop(&disc);
    }
    assert_true(count.seen[SP_SIDE_CORNER][SP_SIDE_FACE] > 100);
    assert_true(count.seen[SP_SIDE_FACE][SP_SIDE_CORNER] > 100);
    assert_true(count.seen[SP_SIDE_LINE][SP_SIDE_LINE] > 100 && count.carried > 20);
}

/* A coin that rolls without slip on its rim, tilted by theta, about a circle: a steady motion whose
 * contact point wanders over coin and plane at the same speed. */
static void a_rolling_coin_leaves_a_track_as_long_as_its_rim(void **ctx)
{
    (void)ctx;
    subject a, b;
    sp_touch t[TOUCHES];
    sp_contact_frame3 f;
    const double R = 0.3, theta = 0.7, spin = 2.0; /* theta: of the axis against n */
    make_round(&a, SP_SHAPE3_DISC, R, 0.0);
    make_round(&b, SP_SHAPE3_PLANE, 0.0, 0.0);
    a.pose.R = sp_rot3_about((sp_vec3){0.0, 1.0, 0.0}, cos(theta), sin(theta));
    a.pose.x.z = R * sin(theta);
    assert_int_equal(find(&a, &b, 1e-6, t), 1);
    assert_near(t[0].g_N, 0.0, 1e-15);
    a.omega = sp_scale3(spin, a.pose.R.z); /* about its own axis, material at rest at the contact */
    a.v = sp_scale3(-1.0, sp_cross3(a.omega, sp_sub3(t[0].point[0], a.pose.x)));
    sp_touch_frame(&t[0], b.pose.R, &f);
    const sp_vec3 wander = apply(&f, &f.at_by_turn, sp_cross3(a.omega, f.n));
    assert_near(sp_length3(wander), R * spin, 1e-13);
    drop(&a);
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_of_cores_move_as_they_say),
        cmocka_unit_test(touches_on_faces_move_as_they_say),
        cmocka_unit_test(rims_move_as_they_say),
        cmocka_unit_test(balls_on_discs_move_as_they_say),
        cmocka_unit_test(shapes_about_discs_move_as_they_say),
        cmocka_unit_test(shapes_on_ends_of_discs_move_as_they_say),
        cmocka_unit_test(a_rolling_coin_leaves_a_track_as_long_as_its_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
