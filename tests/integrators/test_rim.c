/* Bodies that slide over the border of a surface: a ball given as an ellipsoid, whose nearest
 * points are found by the search for two surfaces, beside the same ball given as a sphere, whose
 * are found from its centre.   theory (42.1)-(42.3) */
#include "integrators/adaptive.h"
#include "support/check.h"
#include "support/events.h"

#define TOL_CERTIFIED 1e-9

/* A ridge that ends at x = 0.5 m; both begin 0.2 m before that, above it. */
static const char ridge[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "laws: {wood: {mu: 0.2}}\n"
    "bodies:\n"
    "  ground: {contours: {ridge: {surface: [1 m * u, 1 m * v, 50 mm * (1 - u^2)], u: [-0.5, 0.5],"
    " v: [-3, 3]}}}\n"
    "  egg: {mass: 1 kg, inertia: 4e-3, contours: {shell: {ellipsoid: [0.1, 0.1, 0.1]}}}\n"
    "  ball: {mass: 1 kg, inertia: 4e-3, contours: {shell: {sphere: 0.1}}}\n"
    "contacts: {oval: {between: [egg, ground], law: wood}, round: {between: [ball, ground], law: "
    "wood}}\n"
    "start: {egg.x: 0.3, egg.y: -1, egg.z: 0.15, egg.vx: %.17g, ball.x: 0.3, ball.y: 1, ball.z: "
    "0.15, ball.vx: %.17g}\n"
    "run: {until: 0.5 s, step: 1 ms, method: moreau}\n";

/* Farthest that x, z and the speeds of the two are apart; both have passed the border and fall. */
static double apart(const rig *r)
{
    static const char *const name[][2] = {{"egg.joint.x", "ball.joint.x"},
                                          {"egg.joint.z", "ball.joint.z"}};
    double most = 0.0;
    for (int k = 0; k < 2; k++) {
        const int a = rig_dof(r, name[k][0]), b = rig_dof(r, name[k][1]);
        const double q = r->x->q[r->m->dof[a].q] - r->x->q[r->m->dof[b].q];
        most = fmax(most, fmax(fabs(q), fabs(r->x->u[a] - r->x->u[b])));
    }
    assert_true(r->x->q[rig_dof(r, "egg.joint.x")] > 0.6);
    assert_true(r->x->q[rig_dof(r, "egg.joint.z")] < 0.0);
    assert_true(r->x->g[0] > 0.0 && isfinite(r->x->g[0]));
    assert_near(r->x->g[0], r->x->g[1], most + 1e-12);
    return most;
}

/* Fast it leaves at the border; slowly it turns about the border first. */
static const double speed[2] = {1.5, 1.0};

static void event_driven_runs_pass_the_border_as_a_ball_does(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(ridge, speed[k], speed[k]);
        events_go(&r, 0.5, 1e-9);
        assert_true(apart(&r) < 1e-7);
        const double t_egg = events_get(&r, SP_EVENT_OPEN, "oval", 0)->t;
        assert_near(t_egg, events_get(&r, SP_EVENT_OPEN, "round", 0)->t, 1e-7);
        assert_true(r.worst.complementarity < TOL_CERTIFIED);
        rig_free(&r);
    }
}

static void steps_pass_the_border_as_a_ball_does(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    for (int k = 0; k < 5; k++) {
        rig r = rig_of_text(ridge, speed[k % 2], speed[k % 2]);
        rig_steps(&r, method[k], 4e-3, 125);
        assert_true(apart(&r) < 1e-9);
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 1);
        assert_true(r.worst.complementarity < TOL_CERTIFIED);
        rig_free(&r);
    }
}

static void adaptive_steps_pass_the_border_as_a_ball_does(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(ridge, speed[k], speed[k]);
        sp_step_refresh(r.m, r.x, r.w);
        for (int n = 0; n < 2000 && r.x->t < 0.5; n++) {
            sp_adaptive_taken dt;
            sp_error err = {0};
            if (sp_adaptive_step(r.m, r.x, r.w, 1e-6, 0.5, &dt, &err) != SP_OK) {
                fail_msg("t = %g: %s", r.x->t, err.text);
            }
        }
        assert_near(r.x->t, 0.5, 1e-12);
        assert_true(apart(&r) < 1e-6);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_driven_runs_pass_the_border_as_a_ball_does),
        cmocka_unit_test(steps_pass_the_border_as_a_ball_does),
        cmocka_unit_test(adaptive_steps_pass_the_border_as_a_ball_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
