/* Curves by the length of the way along them. */
#include "model/track.h"

#include "support/surface.h"

static double work[SURFACE_WORK];
static const double PI = 3.14159265358979323846;

/* A curve by two expressions of s, as a track. */
static sp_track track_of(sp_arena *a, sp_curve *c, const char *x, const char *y, double hi)
{
    sp_track track;
    *c = (sp_curve){.kind = SP_CURVE_FORMULA, .hi = hi, .side = 1.0, .turn = {1.0, 0.0}};
    c->program[0] = surface_program(a, x);
    c->program[1] = surface_program(a, y);
    assert_int_equal(sp_curve_finish(a, c, work, NULL), SP_OK);
    assert_int_equal(sp_track_make(a, c, work, &track, NULL), SP_OK);
    return track;
}

/* Circumference of an ellipse with half axes 2 and 1: 8 E(sqrt(3)/2). */
static void an_ellipse_has_its_length_and_comes_round_again(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_curve c;
    sp_arena_init(&a, NULL, 0);
    const sp_track track = track_of(&a, &c, "2*cos(s)", "sin(s)", 2.0 * PI);
    const double length = track.node[track.n - 1].s;
    assert_near(length, 9.688448220547676, 1e-14);
    const sp_track_at p = sp_track_eval(&track, 0.25 * length, work);
    assert_near(p.r.x, 0.0, 1e-12);
    assert_near(p.r.y, 1.0, 1e-12);
    assert_near(p.bend.y, -0.25, 1e-12); /* b/a^2 */
    const sp_track_at again = sp_track_eval(&track, -0.75 * length, work);
    assert_near(again.r.x, p.r.x, 1e-13);
    assert_near(again.t.x, p.t.x, 1e-13);
    sp_arena_free(&a);
}

/* First and second derivatives are those of the place, and the first has length one. */
static void derivatives_are_those_of_the_place(void **ctx)
{
    (void)ctx;
    rng r = {71};
    sp_arena a;
    sp_curve c;
    sp_arena_init(&a, NULL, 0);
    const sp_track track = track_of(&a, &c, "s", "0.3*cos(3*s) + 0.1*s^2", 4.0);
    const double length = track.node[track.n - 1].s, h = 1e-5;
    for (int k = 0; k < 500; k++) {
        const double s = rng_in(&r, 0.001, length - 0.001);
        const sp_track_at p = sp_track_eval(&track, s, work);
        const sp_track_at low = sp_track_eval(&track, s - h, work);
        const sp_track_at high = sp_track_eval(&track, s + h, work);
        assert_near(sp_length(p.t), 1.0, 1e-15);
        assert_near((high.r.x - low.r.x) / (2.0 * h), p.t.x, 1e-9);
        assert_near((high.r.y - low.r.y) / (2.0 * h), p.t.y, 1e-9);
        assert_near((high.t.x - low.t.x) / (2.0 * h), p.bend.x, 1e-6);
        assert_near((high.t.y - low.t.y) / (2.0 * h), p.bend.y, 1e-6);
    }
    sp_arena_free(&a);
}

static void an_open_curve_goes_on_straight(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_curve c;
    sp_arena_init(&a, NULL, 0);
    const sp_track track = track_of(&a, &c, "sin(s)", "1 - cos(s)", 0.5 * PI);
    const sp_track_at end = sp_track_eval(&track, 0.5 * PI + 2.0, work);
    assert_near(end.r.x, 1.0, 1e-13);
    assert_near(end.r.y, 3.0, 1e-13);
    assert_near(sp_length(end.bend), 0.0, 1e-15);
    const sp_track_at before = sp_track_eval(&track, -1.0, work);
    assert_near(before.r.x, -1.0, 1e-13);
    assert_true(isnan(sp_track_eval(&track, NAN, work).r.x));
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ellipse_has_its_length_and_comes_round_again),
        cmocka_unit_test(derivatives_are_those_of_the_place),
        cmocka_unit_test(an_open_curve_goes_on_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
