/* Impacts of contacts without friction: what the log says of velocities along, of which such a
 * contact has no rows, and of states. */
#include "support/check.h"
#include "support/events.h"

/* A disc, radius 0.1, above a floor that moves with 2 m/s; the floor is hit at 0.05 s. */
static const char disc[] = "specht: 1\nunits: off\nspace: planar\ngravity: 0\nimpact: %s\nbodies:\n"
                           "  table: {joint: {prismatic: ground, axis: [1, 0], motion: 2*t},\n"
                           "    contours: {top: {line: [0, 1]}}}\n"
                           "  disc: {mass: 1, inertia: 1, contours: {rim: {circle: 0.1}}}\n"
                           "contacts: {c: {between: [disc, table], law: {mu: 0, eps_N: 0.5}}}\n"
                           "start: {disc.y: 0.15, disc.vx: 3, disc.vy: -1, disc.omega: 5}\n";

/* A ball, radius 0.1, above a floor. */
static const char ball[] =
    "specht: 1\nunits: off\nspace: spatial\ngravity: 0\nimpact: %s\nbodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000, shape: {sphere: 0.1}, contours: {skin: {sphere: 0.1}}}\n"
    "contacts: {c: {between: [ball, ground], law: {mu: 0, eps_N: 0.5}}}\n"
    "start: {ball.z: 0.15, ball.vx: 3, ball.vy: 1.5, ball.vz: -1, ball.omega_y: 10, "
    "ball.omega_z: 7}\n";

/* The only impact, by a method; SP_METHOD_EVENT: by events. */
static void check_impact(const char *text, const char *law, sp_method method, double gamma_T)
{
    rig r = rig_of_text(text, law);
    if (method == SP_METHOD_EVENT) {
        events_go(&r, 0.1, 1e-10);
    } else {
        rig_steps(&r, method, 1e-3, 100);
    }
    assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, -1), 1);
    const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    assert_near(e->gamma_N_after, 0.5, 1e-12);
    assert_near(e->gamma_T_before, gamma_T, 1e-12);
    assert_near(e->gamma_T_after, gamma_T, 1e-12);
    assert_near(e->impact.gamma_T_C, gamma_T, 1e-12);
    assert_true(e->Lambda_T[0] == 0.0 && e->Lambda_T[1] == 0.0);
    rig_free(&r);
}

/* v_x + r omega - 2 of the disc, |(v_x - r omega_y, v_y)| of the ball, before and after. */
static void smooth_impacts_tell_the_velocity_along(void **ctx)
{
    (void)ctx;
    const sp_method by[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                            SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_EVENT};
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        check_impact(disc, "newton", by[k], 3.0 + 0.5 - 2.0);
        check_impact(ball, "newton", by[k], hypot(3.0 - 1.0, 1.5));
    }
    check_impact(disc, "poisson", SP_METHOD_EVENT, 1.5);
    check_impact(ball, "poisson", SP_METHOD_EVENT, 2.5);
}

/* A ladder that slides down, whose foot slides on as its top hits the floor. */
static const char ladder[] =
    "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nimpact: %s\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  ladder: {mass: 2, inertia: 0.5, contours: {top: {point: [-1, 0]}, foot: {point: [1, %s]}}}\n"
    "contacts: {floor: {between: [ladder, ground], law: {mu: %s, eps_N: 0.3}}}\n"
    "start: {ladder.x: 0.17, ladder.y: 1, ladder.phi: -1, ladder.vx: 1, ladder.vy: -1, "
    "ladder.omega: 1}\n";

/* Impacts of one end of a body that is not in balance over it turn it, and change its velocity
 * along: without friction all is as with friction of 1e-12, whose rows along are there. */
static void smooth_impacts_are_those_of_the_least_friction(void **ctx)
{
    (void)ctx;
    const char *const law[] = {"newton", "poisson"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(ladder, law[k], "0.1", "0"),
            s = rig_of_text(ladder, law[k], "0.1", "1e-12");
        double least = 1e300, most = 0.0;
        int closed = 0;
        events_go(&r, 0.8, 1e-10);
        events_go(&s, 0.8, 1e-10);
        assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, -1), rig_count(&s, SP_EVENT_IMPACT, -1));
        for (int i = 0; i < rig_count(&r, SP_EVENT_IMPACT, -1); i++) {
            const sp_event *a = rig_event(&r, SP_EVENT_IMPACT, -1, i);
            const sp_event *b = rig_event(&s, SP_EVENT_IMPACT, -1, i);
            assert_int_equal(a->slot, b->slot);
            assert_int_equal(a->before, b->before);
            assert_near(a->gamma_T_before, b->gamma_T_before, 1e-8);
            assert_near(a->gamma_T_after, b->gamma_T_after, 1e-8);
            assert_near(a->impact.gamma_T_C, b->impact.gamma_T_C, 1e-8);
            least = fmin(least, fabs(a->gamma_T_before));
            most = fmax(most, fabs(a->gamma_T_after - a->impact.gamma_T_C));
            closed += a->before == SP_STATE_SLIP;
        }
        print_message("%s: %d impacts, %d of closed contacts, gamma_T from %.3g, expansion %.3g\n",
                      law[k], rig_count(&r, SP_EVENT_IMPACT, -1), closed, least, most);
        assert_true(closed > 0 && least > 0.1 && (k == 0 || most > 1e-3));
        rig_free(&r);
        rig_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_impacts_tell_the_velocity_along),
        cmocka_unit_test(smooth_impacts_are_those_of_the_least_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
