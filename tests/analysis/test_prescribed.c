/* Prescribed motion that runs over stops, one-way clutches and contacts. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/view.h"

#include <stdio.h>
#include <string.h>

/* Errors of a machine up to a time; the text of the first. */
static int errors_of(double until, char text[400], const char *joint, const char *more)
{
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1], at: [0, -0.5 m]}}}\n"
                        "  a: {mass: 1, inertia: 1, joint: {revolute: ground, %s}, contours: {tip: "
                        "{circle: 0.1 m, at: [1 m, 0]}}}\n"
                        "  b: {mass: 1, inertia: 1, joint: {revolute: a, at: [0.5, 0]}}\n%s",
                        joint, more);
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    sp_view *view;
    assert_int_equal(sp_view_new(r.m, NULL, &view, NULL), SP_OK);
    assert_int_equal(sp_prescribed_check(r.m, r.x, until, view, &diag), SP_OK);
    const int n = diag.n_error;
    snprintf(text, 400, "%s", diag.first ? diag.first->text : "");
    sp_view_free(view);
    sp_arena_free(&arena);
    rig_free(&r);
    return n;
}

static void a_stop_that_the_motion_passes_is_told_with_the_time(void **ctx)
{
    (void)ctx;
    char text[400];
    /* phi = 2 t reaches 1 at 0.5 s */
    assert_int_equal(errors_of(1.0, text, "motion: 2*t/(1 s), range: [-1, 1]", ""), 1);
    assert_non_null(strstr(text, "'a.joint.upper' is run over by the prescribed motion: at t = "
                                 "0.501 s it is passed by 0.002 rad"));
    assert_int_equal(errors_of(0.4, text, "motion: 2*t/(1 s), range: [-1, 1]", ""), 0);
    assert_int_equal(errors_of(9.0, text, "motion: 0.9*sin(2*t/(1 s)), range: [-1, 1]", ""), 0);
}

/* The place of a prescribed speed is its integral: t^3/3 rad reaches 1/3 at 1 s. */
static void speeds_are_followed_by_their_integral(void **ctx)
{
    (void)ctx;
    char text[400];
    const char *joint = "speed: 1 rad/s * (t/(1 s))^2, range: [none, 1/3 + 1e-6]";
    assert_int_equal(errors_of(1.0, text, joint, ""), 0);
    assert_int_equal(errors_of(1.01, text, joint, ""), 1);
}

static void contacts_couplings_and_clutches_are_looked_at_too(void **ctx)
{
    (void)ctx;
    char text[400];
    const char *back = "motion: -2*t/(1 s)";
    assert_int_equal(errors_of(1.0, text, back, "contacts: {c: {between: [a, ground], law: {}}}\n"),
                     1);
    /* sin(2 t) = 0.4: t = 0.20576 s */
    assert_non_null(strstr(text, "'c' is run over by the prescribed motion: at t = 0.206 s"));
    assert_int_equal(
        errors_of(1.0, text, back, "couplings: {s: {of: 2*a.phi, range: [-1, none], law: {}}}\n"),
        1);
    assert_int_equal(errors_of(1.0, text, back, "couplings: {w: {of: a.phi, one_way: forward}}\n"),
                     1);
    assert_non_null(strstr(text, "it runs backwards by 2 rad/s"));
    assert_int_equal(errors_of(1.0, text, back, "couplings: {w: {of: a.phi, one_way: backward}}\n"),
                     0);
}

/* b may give way; dry friction and preloads have no place to be held at. */
static void what_can_give_way_is_left_alone(void **ctx)
{
    (void)ctx;
    char text[400];
    const char *back = "motion: -2*t/(1 s)";
    assert_int_equal(
        errors_of(1.0, text, back, "couplings: {s: {of: b.phi, range: [-1, 1], law: {}}}\n"), 0);
    assert_int_equal(errors_of(1.0, text, "motion: 2*t/(1 s), friction: 3 N*m", ""), 0);
    assert_int_equal(errors_of(1.0, text, back, "couplings: {s: {of: a.phi, threshold: 1 N*m}}\n"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_that_the_motion_passes_is_told_with_the_time),
        cmocka_unit_test(speeds_are_followed_by_their_integral),
        cmocka_unit_test(contacts_couplings_and_clutches_are_looked_at_too),
        cmocka_unit_test(what_can_give_way_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
