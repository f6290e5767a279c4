/* Places, masses, forces, gaps and directions of contacts, by the closed forms of a double pendulum
 * and of a ball on a floor; what touches is closed in modes, and stops are named. */
#include "api/machine.h"

#include <math.h>

static const char pendulum[] =
    "specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
    "bodies:\n"
    "  a: {mass: 2 kg, inertia: 0 kg*m^2, center: [0, -1 m], joint: {revolute: ground}}\n"
    "  b: {mass: 3 kg, inertia: 0 kg*m^2, center: [0, -2 m], joint: {revolute: a, at: [0, -1 m]}}\n"
    "start: {a.phi: 0.3 rad, b.phi: 0.7 rad, a.joint.omega: 1.5 rad/s, b.joint.omega: -0.5 rad/s}\n"
    "run: {until: 1 s}\n";

/* Angles 0.3 and 0.7 in the world, joint rates 1.5 and -0.5: the second turns by 1 rad/s. */
static void a_double_pendulum_has_its_mass_matrix_and_places(void **ctx)
{
    (void)ctx;
    machine m = machine_make(pendulum, NULL);
    sp_error err = {.status = SP_OK};
    double M[4], h[2];
    const double c = cos(0.4), tip[3] = {0.0, -2.0, 0.0};
    ASSERT_OK(sp_mechanics_terms(m.model, m.state, M, NULL, &err));
    assert_near(M[3], 3.0 * 4.0, 1e-12); /* m l^2 about the joint */
    assert_near(M[1], 3.0 * (4.0 + 2.0 * c), 1e-12);
    assert_near(M[0], 2.0 + 3.0 * (1.0 + 4.0 + 4.0 * c), 1e-12);
    assert_near(M[2], M[1], 1e-15);
    ASSERT_OK(sp_mechanics_terms(m.model, m.state, NULL, h, &err));
    /* weight about the second joint, and the centripetal acceleration of that joint */
    const double sin_b = sin(0.7), s = sin(0.4);
    assert_near(h[1], -3.0 * 10.0 * 2.0 * sin_b - 3.0 * 2.0 * s * 1.5 * 1.5, 1e-11);
    assert_int_equal(sp_mechanics_freedom(m.model, m.state), 2);
    sp_view *view;
    sp_point_info p;
    ASSERT_OK(sp_view_take(m.model, m.state, &view, &err));
    ASSERT_OK(sp_view_point(m.model, view, 2, tip, &p));
    assert_near(p.x[0], sin(0.3) + 2.0 * sin_b, 1e-12);
    assert_near(p.x[1], -cos(0.3) - 2.0 * cos(0.7), 1e-12);
    assert_near(p.v[0], 1.5 * cos(0.3) + 2.0 * 1.0 * cos(0.7), 1e-12);
    assert_near(p.angle, 0.7, 1e-15);
    assert_near(p.omega[2], 1.0, 1e-15);
    assert_int_equal(sp_view_point(m.model, view, 3, NULL, &p), SP_E_INPUT);
    sp_view_free(view);
    machine_free(&m);
}

static const char disc[] =
    "specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
    "parameters: {y_0: 0.2 m}\n"
    "bodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}, also: {line: [0, 1], at: [0, -1 m]}}}\n"
    "  disc: {mass: 2 kg, inertia: 0.04 kg*m^2, contours: {rim: {circle: 0.2 m}}}\n"
    "forces: {coil: {spring: disc.x, stiffness: 50 N/m}}\n"
    "contacts: {roll: {between: [disc.rim, ground.floor], law: {mu: 0.5, eps_N: 0.25}}}\n"
    "start: {disc.y: y_0, disc.vx: 3 m/s, disc.omega: 1 rad/s}\n"
    "run: {until: 1 s}\n";

static void a_disc_on_a_floor_has_its_gap_law_and_directions(void **ctx)
{
    (void)ctx;
    machine m = machine_make(disc, "y_0=0.3 m");
    sp_error err = {.status = SP_OK};
    sp_contact_about about;
    sp_gap_info gap;
    sp_view *view;
    int i, n;
    double W[2 * 3], gamma[2];
    ASSERT_OK(sp_model_find(m.model, SP_ITEM_CONTACT, "roll", &i, &err));
    assert_int_equal(sp_model_find(m.model, SP_ITEM_BODY, "disk", &n, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "did you mean 'disc'"));
    ASSERT_OK(sp_model_contact(m.model, i, &about));
    assert_string_equal(about.text, "mu 0.5, eps_N 0.25, eps_T 0");
    assert_near(about.mu, 0.5, 0.0);
    assert_string_equal(sp_model_unit(m.model, SP_ITEM_CONTACT, i), "m");
    ASSERT_OK(sp_view_take(m.model, m.state, &view, &err));
    ASSERT_OK(sp_view_contact(m.model, view, i, &gap));
    assert_near(gap.gap, 0.1, 1e-15);
    sp_view_free(view);
    ASSERT_OK(sp_mechanics_contact_rows(m.model, m.state, m.work, i, &n, W, gamma, &err));
    assert_int_equal(n, 2);
    const double want[] = {0.0, 1.0, 0.0};
    for (int k = 0; k < 3; k++) {
        assert_near(W[k], want[k], 1e-15);
    }
    assert_near(fabs(W[3]), 1.0, 1e-15);
    assert_near(W[5] / W[3], 0.2, 1e-12); /* the lowest point moves by v + omega r */
    assert_near(gamma[1] / W[3], 3.0 + 0.2, 1e-12);
    assert_int_equal(sp_model_about(m.model)->n_left_out, 0);
    assert_int_equal(sp_mechanics_contact_rows(m.model, m.state, m.work, 1, &n, W, gamma, &err),
                     SP_E_INPUT);
    machine_free(&m);
}

/* It rolls: omega^2 = k/(m + J/r^2) = 50/3. */
static void what_touches_and_bears_is_closed_in_modes(void **ctx)
{
    (void)ctx;
    machine m = machine_make(disc, NULL);
    sp_error err = {.status = SP_OK};
    sp_modes_report *r;
    const char *const sticks[] = {"roll:stick"};
    sp_hold_options o = sp_hold_options_default();
    ASSERT_OK(sp_analysis_modes(m.model, m.state, &o, NULL, &r, &err));
    assert_non_null(strstr(r->note, "'roll'"));
    assert_near(r->force[0].force, 20.0, 1e-9); /* the weight */
    sp_modes_report_free(r);
    o.n_closed = 1;
    o.closed = sticks;
    ASSERT_OK(sp_analysis_modes(m.model, m.state, &o, NULL, &r, &err));
    assert_int_equal(r->n_mode, 1);
    assert_near(r->mode[0].s.im, sqrt(50.0 / 3.0), 1e-9);
    sp_modes_report_free(r);
    o.n_closed = 0;
    o.close_touching = false;
    o.at = SP_HOLD_AT_EQUILIBRIUM; /* open, it falls */
    assert_int_equal(sp_analysis_modes(m.model, m.state, &o, NULL, &r, &err), SP_E_NOT_CONVERGED);
    machine_free(&m);
}

static const char stop[] =
    "specht: 1\nspace: planar\ngravity: 0 m/s^2\n"
    "bodies: {b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 100 N/m, rest: "
    "0.5 m, range: [0 m, 0.2 m], law: {eps_N: 0}}}}\n"
    "start: {b.x: 0.1 m}\nrun: {until: 1 s}\n";

static void count_stop(void *ctx, const sp_message *message)
{
    *(int *)ctx += strstr(message->text, "'b.joint.upper' is violated by 0.3 m") != NULL;
}

/* Its spring would pull it 0.3 m beyond the stop. */
static void a_stop_that_the_equilibrium_is_beyond_is_named(void **ctx)
{
    (void)ctx;
    machine m = machine_make(stop, NULL);
    sp_error err = {.status = SP_OK};
    sp_modes_report *r;
    int n = 0;
    const sp_listener ear = {.hear = count_stop, .ctx = &n};
    ASSERT_OK(sp_analysis_modes(m.model, m.state, NULL, &ear, &r, &err));
    assert_int_equal(n, 1);
    sp_modes_report_free(r);
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_has_its_mass_matrix_and_places),
        cmocka_unit_test(a_disc_on_a_floor_has_its_gap_law_and_directions),
        cmocka_unit_test(what_touches_and_bears_is_closed_in_modes),
        cmocka_unit_test(a_stop_that_the_equilibrium_is_beyond_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
