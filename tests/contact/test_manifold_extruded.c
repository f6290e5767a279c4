/* Extruded contours on planes: which parts of a contour can touch, gaps against closed forms and
 * searches, rates against differences in random motion.   theory section 45 */
#include "contact/manifold_extruded.h"

#include "motion.h"

#include <string.h>

#define PI 3.14159265358979323846

static double work[SURFACE_WORK];

enum { TOUCHES = 64 };

/* Contours by expressions, and how many arcs they have. */
typedef struct contour {
    const char *x, *y;
    double lo, hi, side;
    int n_arc, n_stand;
} contour;

#define TURN  "(min(max(s, 0), pi) + min(max(s - pi - 2, 0), pi) - pi/2)"
#define ALONG "(1 + min(s, 0) - min(max(s - pi, 0), 2) + max(s - 2*pi - 2, 0))"

enum { ELLIPSE, PEANUT, STADIUM, BOW, BOW_OUTSIDE, STRAIGHT, KINK, VEE, GEAR, CONTOURS };
static const contour all[CONTOURS] = {
    [ELLIPSE] = {"cos(s)", "0.6*sin(s)", 0.0, 2.0 * PI, 1.0, 1, 4},
    [PEANUT] = {"cos(s)*(1 - 0.6*sin(s)^2)", "0.8*sin(s)*(1 - 0.5*sin(s)^2)", 0.0, 2.0 * PI, 1.0, 2,
                4},
    [STADIUM] = {"0.5*(" ALONG " + cos" TURN ")", "0.5*sin" TURN, -1.0, 2.0 * PI + 3.0, 1.0, 2, 4},
    [BOW] = {"s", "0.5*s^2", -1.0, 1.0, 1.0, 2, 3}, /* material above: left of the way; cut */
    [BOW_OUTSIDE] = {"s", "0.5*s^2", -1.0, 1.0, -1.0, 2, 3}, /* ... below: its two ends alone   */
    [STRAIGHT] = {"s", "0.3*s", -1.0, 1.0, 1.0, 2, 2},
    [KINK] = {"s", "abs(s - 0.013)", -1.0, 1.0, 1.0, 3, 3},
    [VEE] = {"s", "abs(s)", -1.0, 1.0, 1.0, 3, 3}, /* its corner is a sample       */
    [GEAR] = {"cos(s)*(1 + 0.05*cos(20*s))", "sin(s)*(1 + 0.05*cos(20*s))", 0.0, 2.0 * PI, 1.0, 20,
              4}, /* six samples for each of 20 teeth */
};

static sp_surface surface_of(sp_arena *a, const contour *k)
{
    sp_curve *c = SP_NEW(a, sp_curve, 1);
    *c = (sp_curve){
        .kind = SP_CURVE_FORMULA, .lo = k->lo, .hi = k->hi, .side = 1.0, .turn = {1.0, 0.0}};
    c->program[0] = surface_program(a, k->x);
    c->program[1] = surface_program(a, k->y);
    assert_int_equal(sp_curve_finish(a, c, work, NULL), SP_OK);
    sp_surface s = {.kind = SP_SURFACE_EXTRUDED,
                    .side = k->side,
                    .lo = {c->lo, -0.7},
                    .hi = {c->hi, 0.7},
                    .closed = {c->closed, false},
                    .at = {0.1, -0.2, 0.3},
                    .turn = sp_rot3_one(),
                    .curve = c};
    sp_error err = {.status = SP_OK};
    if (sp_surface_finish(a, &s, work, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return s;
}

/* ---- arcs ---------------------------------------------------------------------------------- */

static void a_contour_has_an_arc_for_each_part_that_can_touch(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < CONTOURS; k++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_surface s = surface_of(&arena, &all[k]);
        assert_int_equal(s.n_arc, all[k].n_arc);
        assert_int_equal(s.n_stand, all[k].n_stand);
        sp_arena_free(&arena);
    }
}

/* Material all round a hole: nothing of it can touch a plane. */
static void a_hole_has_no_arcs(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    contour hole = all[PEANUT];
    hole.side = -1.0;
    assert_int_equal(surface_of(&arena, &hole).n_arc, 0);
    sp_arena_free(&arena);
}

/* Straight parts end where the tangent turns: at s = 0, pi, pi + 2, 2 pi + 2. */
static void arcs_end_where_straight_parts_begin(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const sp_surface s = surface_of(&arena, &all[STADIUM]);
    const double want[4] = {0.0, PI, PI + 2.0, 2.0 * PI + 2.0};
    for (int k = 0; k < 2; k++) {
        assert_near(s.arc[k].lo, want[2 * k], 2e-9);
        assert_near(s.arc[k].hi, want[2 * k + 1], 2e-9);
    }
    sp_arena_free(&arena);
}

/* ---- gaps ---------------------------------------------------------------------------------- */

static sp_pose3 random_plane(rng *r)
{
    return (sp_pose3){surface_random_vector(r, 1.0), surface_random_turn(r)};
}

/* An ellipse reaches sqrt(a^2 e_x^2 + b^2 e_y^2) in a direction e. */
static void an_ellipse_has_its_closed_form(void **ctx)
{
    (void)ctx;
    rng r = {451};
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const sp_surface s = surface_of(&arena, &all[ELLIPSE]);
    for (int n = 0; n < 200; n++) {
        const sp_pose3 plane = random_plane(&r);
        const sp_extruded a =
            sp_extruded_of(&s, surface_random_vector(&r, 2.0), surface_random_turn(&r), work);
        const sp_vec3 e = sp_rotate_back3(a.pose.R, plane.R.z);
        const double reach = sqrt(e.x * e.x + 0.36 * e.y * e.y);
        for (int rim = 0; rim < 2; rim++) {
            sp_touch t;
            double up;
            const double h = rim == 0 ? -0.7 : 0.7;
            const sp_vec3 middle = sp_axpy3(a.pose.x, h, a.pose.R.z);
            assert_true(sp_extruded_hold(&a, &plane, rim, &t, &up));
            assert_near(t.g_N, sp_inner3(plane.R.z, sp_sub3(middle, plane.x)) - reach, 1e-14);
        }
    }
    sp_arena_free(&arena);
}

/* The lowest of many places of a contour on both rims. */
static double lowest_by_search(const sp_extruded *a, const sp_pose3 *plane)
{
    enum { PLACES = 4000 };
    const sp_curve *c = a->surface->curve;
    double least = INFINITY;
    for (int k = 0; k <= PLACES; k++) {
        sp_curve_at at;
        assert_true(sp_curve_eval(c, c->lo + (c->hi - c->lo) * k / PLACES, work, &at));
        for (int rim = 0; rim < 2; rim++) {
            const sp_vec3 own = {at.r.x, at.r.y, rim == 0 ? -0.7 : 0.7};
            const sp_vec3 x = sp_pose3_place(&a->pose, own);
            least = fmin(least, sp_inner3(plane->R.z, sp_sub3(x, plane->x)));
        }
    }
    return least;
}

/* Every touch is a place of the material, and the lowest of them is the lowest of all. */
static void the_least_gap_is_that_of_the_whole_contour(void **ctx)
{
    (void)ctx;
    rng r = {452};
    for (int k = 0; k < CONTOURS; k++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_surface s = surface_of(&arena, &all[k]);
        for (int n = 0; n < check_cases(40, 1000); n++) {
            const sp_pose3 plane = random_plane(&r);
            const sp_extruded a =
                sp_extruded_of(&s, surface_random_vector(&r, 2.0), surface_random_turn(&r), work);
            sp_touch t[TOUCHES];
            const int n_touch = sp_extruded_find(&a, &plane, INFINITY, TOUCHES, t);
            double least = INFINITY;
            for (int i = 0; i < n_touch; i++) {
                least = fmin(least, t[i].g_N);
            }
            const double want = lowest_by_search(&a, &plane);
            if (k != BOW_OUTSIDE) { /* whose middle counts as inside of something */
                assert_true(least <= want + 1e-12);
            }
            assert_true(least >= want - 1e-5); /* 4000 places: off by (2 pi/4000)^2/2 of 1/kappa */
        }
        sp_arena_free(&arena);
    }
}

/* What is held is what is found, whoever has the word. */
static void held_touches_are_those_that_are_found(void **ctx)
{
    (void)ctx;
    rng r = {453};
    int seen = 0, fixed = 0;
    for (int n = 0; n < 400; n++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_surface s = surface_of(&arena, &all[n % CONTOURS]);
        const sp_pose3 plane = random_plane(&r);
        const sp_vec3 lean = surface_random_vector(&r, n % 2 == 0 ? 0.03 : 2.0);
        const sp_rot3 R = sp_rot3_mul(plane.R, sp_rot3_of_quat(sp_quat_exp(lean)));
        const sp_extruded a = sp_extruded_of(&s, surface_random_vector(&r, 2.0), R, work);
        sp_touch t[TOUCHES], held;
        const int n_touch = sp_extruded_find(&a, &plane, INFINITY, TOUCHES, t);
        for (int i = 0; i < n_touch; i++) {
            double reach;
            assert_true(sp_extruded_hold(&a, &plane, t[i].side[0].feature, &held, &reach));
            assert_memory_equal(&held.point, &t[i].point, sizeof held.point);
            assert_true((reach > 0.0) == (t[i].side[0].feature < 2 * s.n_arc)); /* it is tilted */
            fixed += reach < 0.0;
            seen++;
        }
        assert_false(sp_extruded_hold(&a, &plane, sp_surface_on_plane(&s), &held, &(double){0.0}));
        sp_arena_free(&arena);
    }
    assert_true(seen > 1000 && fixed > 200);
}

/* ---- rates --------------------------------------------------------------------------------- */

/* A feature of a surface that moves over a plane that moves, at a time. */
typedef struct flight {
    const sp_surface *s;
    motion m[2];
    int feature;
} flight;

static sp_touch touch_at(const flight *p, double t, sp_frame3 frame[2], sp_contact_frame3 *f)
{
    sp_touch touch;
    double reach;
    frame[0] = frame_at(&p->m[0], t);
    frame[1] = frame_at(&p->m[1], t);
    const sp_extruded a = sp_extruded_of(p->s, frame[0].x, frame[0].R, work);
    const sp_pose3 plane = {frame[1].x, frame[1].R};
    assert_true(sp_extruded_hold(&a, &plane, p->feature, &touch, &reach));
    static const sp_mark mark[2] = {{.body = 0}, {.body = 1}};
    f->mark[0] = &mark[0];
    f->mark[1] = &mark[1];
    sp_touch_frame(&touch, frame[1].R, f);
    return touch;
}

/* g' = gamma_N and gamma' = w_bar; false where the touch becomes another on the way, or runs. */
static bool compare_rates(const flight *p)
{
    sp_frame3 frame[2];
    sp_contact_frame3 f;
    const sp_touch here = touch_at(p, 0.0, frame, &f);
    const sp_kin kin = {.frame3 = frame};
    double g[4], gamma[3][4], gamma_now[3], w_bar[3];
    if (hypot(f.at_by_turn.a11, f.at_by_turn.a22) > 4.0) {
        return false; /* nearly straight: it runs away faster than differences can tell */
    }
    sp_frame3_gamma(&kin, &f, gamma_now);
    sp_frame3_bias(&kin, &f, w_bar);
    for (int k = 0; k < 4; k++) {
        sp_frame3 moved[2];
        sp_contact_frame3 near;
        const sp_touch t = touch_at(p, STEP * (k < 2 ? k - 2 : k - 1), moved, &near);
        const sp_kin moved_kin = {.frame3 = moved};
        double x[3];
        if (t.side[0].kind != here.side[0].kind ||
            sp_length3(sp_sub3(t.point[0], here.point[0])) > 2.5e-3 ||
            sp_length3(sp_sub3(near.t[0], f.t[0])) > 5e-3) {
            return false;
        }
        sp_frame3_gamma(&moved_kin, &near, x);
        g[k] = t.g_N;
        for (int i = 0; i < 3; i++) {
            gamma[i][k] = x[i];
        }
    }
    assert_near_scaled(slope(g, STEP), gamma_now[0], 30.0, TOL_RATE);
    for (int i = 0; i < 3; i++) {
        assert_near_scaled(slope(gamma[i], STEP), w_bar[i], 30.0, TOL_BIAS);
    }
    return true;
}

static void touches_have_the_rates_of_their_motion(void **ctx)
{
    (void)ctx;
    rng r = {454};
    int compared[2][2] = {{0}}; /* rounded or corner, open or closed */
    for (int n = 0; n < check_cases(1400, 20000); n++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_surface s = surface_of(&arena, &all[n % CONTOURS]);
        flight p = {.s = &s, .m = {random_motion(&r)}};
        p.m[1] = random_motion(&r);
        p.feature = (int)rng_in(&r, 0.0, 2.0 * s.n_arc - 0.001);
        sp_frame3 frame[2];
        sp_contact_frame3 f;
        sp_touch t = touch_at(&p, 0.0, frame, &f);
        const double g = rng_flip(&r) ? rng_in(&r, 0.0, 0.5) : rng_in(&r, -0.03, 0.0);
        p.m[0].x = sp_axpy3(p.m[0].x, g - t.g_N, t.n); /* put there with this gap */
        t = touch_at(&p, 0.0, frame, &f);
        assert_near(t.g_N, g, 1e-13); /* places are of size 4 */
        if (compare_rates(&p)) {
            compared[t.side[0].kind == SP_SIDE_CORNER][g <= 0.0]++;
        }
        sp_arena_free(&arena);
    }
    for (int k = 0; k < 4; k++) {
        assert_true(compared[k / 2][k % 2] > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contour_has_an_arc_for_each_part_that_can_touch),
        cmocka_unit_test(a_hole_has_no_arcs),
        cmocka_unit_test(arcs_end_where_straight_parts_begin),
        cmocka_unit_test(an_ellipse_has_its_closed_form),
        cmocka_unit_test(the_least_gap_is_that_of_the_whole_contour),
        cmocka_unit_test(held_touches_are_those_that_are_found),
        cmocka_unit_test(touches_have_the_rates_of_their_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
