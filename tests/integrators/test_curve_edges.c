/* Curves on edges and corners: cams against followers, boxes on roads.   theory (115.1)-(115.4) */
#include "support/check.h"
#include "support/events.h"

#define GRAVITY 9.81
#define R       0.04
#define E       0.01
#define OMEGA   10.0

/* A cam that turns evenly under a foot of this shape, which begins with the cam's motion. */
static rig on_cam(const char *cam, const char *foot, const char *mu, double y, double v)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  cam: {joint: {revolute: ground, motion: 10*t}, contours: {rim: %s}}\n"
                       "  follower: {joint: {prismatic: ground, axis: [0, 1]}, mass: 0.5,\n"
                       "             contours: {foot: %s}}\n"
                       "contacts: {c: {between: [cam.rim, follower.foot], law: {mu: %s}}}\n"
                       "start: {follower.joint.s: %.17g, follower.joint.v: %.17g}\n",

                       cam, foot, mu, y, v);
}

static const char *const round_cam = "{curve: [0.01 + 0.04*cos(s), 0.04*sin(s)], over: [0, 2*pi]}";

/* The height of a foot of this half width over the eccentric circle at angle a. */
static double lift(double a, double half)
{
    const double x = fmax(0.0, fabs(E * cos(a)) - half);
    return E * sin(a) + sqrt(R * R - x * x);
}

/* A flat foot is lifted by r + e sin; one that is narrower than the throw of the cam goes over its
 * corners, and comes back, without an impact or any other event. */
static void a_cam_lifts_a_flat_foot_and_its_corners(void **ctx)
{
    (void)ctx;
    static const char *const foot[] = {"{box: [0.12, 0.02], at: [0, 0.01]}",
                                       "{box: [0.012, 0.02], at: [0, 0.01]}",
                                       "{segment: [[0.006, 0], [-0.006, 0]]}"};
    static const double half[] = {0.06, 0.006, 0.006};
    for (int k = 0; k < 3; k++) {
        const double d = 1e-6;
        const double v = (lift(d, half[k]) - lift(-d, half[k])) / (2.0 * d) * OMEGA;
        rig r = on_cam(round_cam, foot[k], "0.1", lift(0.0, half[k]), v);
        assert_int_equal(r.m->n_slot, 1);
        for (int i = 1; i <= 20; i++) {
            events_go(&r, 0.05 * i, 1e-10);
            assert_near(r.x->q[r.m->n_q - 1], lift(OMEGA * 0.05 * i, half[k]), 1e-11);
        }
        assert_true(rig_count(&r, SP_EVENT_IMPACT, -1) <= 1); /* the start, to round-off */
        assert_int_equal(events_count(&r, SP_EVENT_OPEN), 0);
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        assert_true(r.worst.complementarity < 1e-10);
        rig_free(&r);
    }
}

/* Time steps follow the same lift, by no more than the way of one of them. */
static void time_steps_follow_a_cam(void **ctx)
{
    (void)ctx;
    static const double half[] = {0.06, 0.006};
    const double way = E * OMEGA * 1e-3;
    for (int k = 0; k < 2; k++) {
        rig r = on_cam(round_cam,
                       k == 0 ? "{box: [0.12, 0.02], at: [0, 0.01]}"
                              : "{box: [0.012, 0.02], at: [0, 0.01]}",
                       "0.3", lift(0.0, half[k]), 0.0);
        for (int i = 1; i <= 600; i++) {
            rig_step(&r, SP_METHOD_MOREAU, 1e-3);
            assert_true(i < 20 ||
                        fabs(r.x->q[r.m->n_q - 1] - lift(OMEGA * r.x->t, half[k])) <= way);
        }
        assert_true(r.worst.complementarity < 1e-10);
        rig_free(&r);
    }
}

/* An ellipse that turns about its middle lifts a flat foot by sqrt(a^2 sin^2 + b^2 cos^2). */
static void an_ellipse_lifts_a_flat_foot(void **ctx)
{
    (void)ctx;
    const double a = 0.05, b = 0.04;
    rig r = on_cam("{curve: [0.05*cos(s), 0.04*sin(s)], over: [0, 2*pi]}",
                   "{box: [0.2, 0.02], at: [0, 0.01]}", "0", b, 0.0);
    for (int i = 1; i <= 20; i++) {
        events_go(&r, 0.05 * i, 1e-10);
        const double s = sin(0.5 * i), c = cos(0.5 * i), h = sqrt(a * a * s * s + b * b * c * c);
        assert_near(r.x->q[r.m->n_q - 1], h, 1e-11);
    }
    assert_int_equal(events_count(&r, SP_EVENT_OPEN), 0);
    rig_free(&r);
}

/* A box 2 w wide that falls into y = x^2 lands on both corners at once, x = +-w, with the speed of
 * its fall, and each gives m V / (2 cos a) with tan a = 2 w. */
static void a_box_lands_in_a_parabola_on_two_corners(void **ctx)
{
    (void)ctx;
    const double w = 0.3, fall = 0.4 - 0.1 - w * w, V = sqrt(2.0 * GRAVITY * fall);
    rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {bowl: {curve: [s, s^2], over: [-1, 1]}}}\n"
                        "  box: {joint: {free: ground}, mass: 1, inertia: 0.1,\n"
                        "        contours: {b: {box: [0.6, 0.2]}}}\n"
                        "contacts: {c: {between: [box.b, ground.bowl], law: {mu: 0}}}\n"
                        "start: {box.y: 0.4}\n");
    assert_int_equal(r.m->n_slot, 6); /* both ends, and the corners */
    events_go(&r, 1.0, 1e-10);
    for (int k = 0; k < 2; k++) {
        const sp_event *e = events_get(&r, SP_EVENT_IMPACT, k == 0 ? "c.1" : "c.2", 0);
        assert_near(e->t, sqrt(2.0 * fall / GRAVITY), 1e-10);
        assert_near(e->Lambda_N, V * sqrt(1.0 + 4.0 * w * w) / 2.0, 1e-9);
    }
    assert_near(r.x->q[1], w * w + 0.1, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    rig_free(&r);
}

/* A box that tumbles over hills and hollows comes to the same place by events and in time steps. */
static void a_box_tumbles_over_hills(void **ctx)
{
    (void)ctx;
    double x[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
            "  ground: {contours: {road: {curve: [s, 0.1*cos(2*pi*s)], over: [-1.2, 4.2]}}}\n"
            "  box: {joint: {free: ground}, mass: 1, inertia: 0.03,\n"
            "        contours: {b: {box: [0.5, 0.2]}}}\n"
            "contacts: {c: {between: [box.b, ground.road], law: {mu: 0.1, eps_N: 0.2}}}\n"
            "start: {box.y: 0.25, box.vx: 2}\n");
        if (k == 0) {
            events_go(&r, 1.5, 1e-9);
            assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        } else {
            rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1500);
        }
        assert_true(r.worst.complementarity < 1e-8);
        x[k] = r.x->q[0];
        rig_free(&r);
    }
    assert_near(x[0], x[1], 1e-3);
}

/* A box at 100 m/s against a closed spline 0.1 m thick, in steps of 0.3 m: it bounces. */
static void no_step_carries_a_box_through_a_curve(void **ctx)
{
    (void)ctx;
    static const char *const shot[] = {"{box: [0.02, 0.03]}", "{circle: 0.01}", "{point: [0, 0]}"};
    for (int k = 0; k < 3; k++) {
        rig r =
            rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
                        "  ground: {contours: {plate: {spline: [[0, -0.5], [0.05, 0], [0, 0.5], "
                        "[-0.05, 0]], closed: yes}}}\n"
                        "  box: {joint: {free: ground}, mass: 1, inertia: 1e-4,\n"
                        "        contours: {b: %s}}\n"
                        "contacts: {c: {between: [box.b, ground.plate], law: {mu: 0, eps_N: "
                        "0.5}}}\n"
                        "start: {box.x: -1, box.y: 0.01, box.vx: 100}\n",
                        shot[k]);
        const sp_run_options options = {
            .method = SP_METHOD_MOREAU, .until = 0.02, .output_step = 0.02, .step = 3e-3};
        sp_run_summary summary;
        sp_error err = {.status = SP_OK};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, NULL, 0, &summary, &err), SP_OK);
        assert_true(r.x->q[0] < -0.3 && r.x->u[0] < -30.0);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cam_lifts_a_flat_foot_and_its_corners),
        cmocka_unit_test(time_steps_follow_a_cam),
        cmocka_unit_test(an_ellipse_lifts_a_flat_foot),
        cmocka_unit_test(a_box_lands_in_a_parabola_on_two_corners),
        cmocka_unit_test(a_box_tumbles_over_hills),
        cmocka_unit_test(no_step_carries_a_box_through_a_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
