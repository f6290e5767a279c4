/* The certificate of contacts that slide: friction at its limit, against the slip, by every law; a
 * force that is not so is seen, by as much as it is wrong. */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#include <string.h>

#define GRAVITY 10.0
#define WEIGHT  (1000.0 * 4.0 / 3.0 * acos(-1.0) * 1e-3 * GRAVITY) /* of the ball, N */
#define PART    1e-3                                               /* by which forces are wrong */

/* A block that slides on a floor. */
static const char in_the_plane[] =
    "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  block: {mass: 2, inertia: 1, contours: {tip: {point: [0, 0]}}}\n"
    "contacts: {c: {between: [block, ground], law: {mu: %s}}}\n"
    "start: {block.vx: 3}\n";

/* A ball that slides, drills and rolls on one. */
static const char in_space[] =
    "specht: 1\nspace: spatial\ngravity: 10 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
    "  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1 m}, contours: {skin: {sphere: 0.1 m}}}\n"
    "contacts: {c: {between: [ball.skin, ground.floor], law: {%s}}}\n"
    "start: {ball.z: 0.1, ball.vx: 2, ball.vy: -1, ball.omega_x: 3, ball.omega_y: -2, "
    "ball.omega_z: 30}\n";

/* A few steps of a run, then the rows there once more; the contact must slide. */
static sp_events *slide(rig *r)
{
    sp_events *e;
    sp_error err = {.text = ""};
    sp_status status = sp_events_begin(
        r->m, r->x, r->w, &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 0.05}, &e, &err);
    while (status == SP_OK && r->x->t < 0.05) {
        status = sp_events_step(e, r->x, 0.05, &err);
        status = status == SP_OK ? sp_events_happen(e, r->x, &err) : status;
        assert_true(r->w->certificate.complementarity < 1e-12);
        assert_true(r->w->certificate.cone < 1e-12);
        assert_true(r->w->certificate.dissipation < 1e-12);
    }
    if (status != SP_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(r->x->contact[0].state, SP_STATE_SLIP);
    return e;
}

/* Accelerations and forces at x, row `row` of the contact multiplied, then certified. */
static sp_certificate tampered(rig *r, sp_events *e, int row, double factor, double turn)
{
    sp_smooth *s = sp_events_smooth(e);
    sp_error err = {.text = ""};
    assert_int_equal(sp_smooth_accelerate(s, r->x->t, r->x->q, r->x->u, r->x->z, &err), SP_OK);
    double *P = r->w->sol.P + row;
    if (turn != 0.0) {
        const double x = P[0], y = P[1];
        P[0] = cos(turn) * x - sin(turn) * y;
        P[1] = sin(turn) * x + cos(turn) * y;
    }
    P[0] *= factor;
    assert_int_equal(sp_smooth_certify(s, r->x->t, r->x->z, &err), SP_OK);
    return r->w->certificate;
}

/* rho v = m g here: the defect is that of the force over the weight. */
static void friction_that_is_not_at_its_limit_is_seen_in_the_plane(void **ctx)
{
    (void)ctx;
    const char *const law[] = {"0.2", "0.1 + 0.2*exp(-abs(v))"};
    const double v = 3.0;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(in_the_plane, law[k]);
        sp_events *e = slide(&r);
        const double u = r.x->u[0], mu = k == 0 ? 0.2 : 0.1 + 0.2 * exp(-u);
        assert_true(u < v && u > 2.0);
        assert_true(tampered(&r, e, 1, 1.0, 0.0).complementarity < 1e-14);
        const sp_certificate less = tampered(&r, e, 1, 0.999, 0.0);
        assert_near(less.complementarity, 1e-3 * mu, 1e-9);
        assert_true(less.cone < 1e-14);
        const sp_certificate more = tampered(&r, e, 1, 1.001, 0.0);
        assert_near(more.complementarity, 1e-3 * mu, 1e-9);
        assert_near(more.cone, 1e-3 * mu, 1e-9);
        const sp_certificate back = tampered(&r, e, 1, -1.0, 0.0); /* with the slip */
        assert_near(back.complementarity, 2.0 * mu, 1e-9);
        assert_true(back.dissipation > mu * mu);
        sp_events_end(e);
        rig_free(&r);
    }
}

/* The force on a row of the contact that slide() left, N. */
static double force_on(const rig *r, int row)
{
    return fabs(r->w->sol.P[row]);
}

/* What the certificate says if the force is wrong by delta along a row: that component of
 * (I - J) delta over the weight, where J is the slope of the projection from 2 mu N outside of the
 * set (27.4).  J is zero across the boundary and 1/(1 + 2 mu N k) along it, k its curvature: a
 * third on the disc, c the cosine of the force to the row; at most a half on an ellipse of axes
 * 2 : 1.  Of a torque of drilling k is 4/(mu N) for uniform pressure and 5/(mu N) for Hertz' where
 * it slides much faster than it drills, times (l/R)^2 if its row has the length l for a spot of
 * radius R: with Hertz' growing spot that is N^(-2/3) = 0.083, and 1 - J = 0.45. */
static double seen_on_disc(double delta, double c, double weight)
{
    return delta * (c * c + 2.0 / 3.0 * (1.0 - c * c)) / weight;
}

/* Every law in space: forces that are too small, too large or turned. */
static void friction_that_is_not_against_the_slip_is_seen_in_space(void **ctx)
{
    (void)ctx;
    const struct {
        const char *law;
        int rows;     /* of friction that slides        */
        double least; /* 1 - J, see above               */
    } by[] = {
        {"mu: 0.3", 2, 0.5},
        {"mu: 0.1 + 0.2*exp(-abs(v)/(1 m/s))", 2, 0.5},
        {"mu: 0.3, mu_2: 0.15", 2, 0.5},
        {"mu: 0.3, rolling: 2 mm", 4, 0.5},
        {"mu: 0.3, friction: contensou, pressure: uniform, radius: 5 mm", 3, 0.5},
        {"mu: 0.3, friction: contensou, pressure: hertz, hertz: {radius: 0.1 m, modulus: 1e5 Pa}",
         3, 0.4},
    };
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        rig r = rig_of_text(in_space, by[k].law);
        sp_events *e = slide(&r);
        const double whole = tampered(&r, e, 1, 1.0, 0.0).complementarity;
        assert_true(whole < 1e-12);
        const double T = hypot(force_on(&r, 1), force_on(&r, 2));
        for (int row = 1; row <= by[k].rows; row++) {
            (void)tampered(&r, e, row, 1.0, 0.0);
            const double P = force_on(&r, row), off = PART * P / WEIGHT;
            const double less = tampered(&r, e, row, 1.0 - PART, 0.0).complementarity;
            const double more = tampered(&r, e, row, 1.0 + PART, 0.0).complementarity;
            print_message("%s: row %d: %.2g of %.2g seen\n", by[k].law, row, less, off);
            if (k < 2) { /* discs */
                assert_near(less, seen_on_disc(PART * P, P / T, WEIGHT), 2.0 * PART * off);
                assert_near(more, seen_on_disc(PART * P, P / T, WEIGHT), 2.0 * PART * off);
            }
            assert_true(less > (by[k].least - PART) * off && less < (1.0 + PART) * off);
            assert_true(more > (by[k].least - PART) * off && more < (1.0 + PART) * off);
        }
        const double turned = tampered(&r, e, 1, 1.0, PART).complementarity;
        assert_true(turned > (by[k].least - PART) * PART * T / WEIGHT);
        sp_events_end(e);
        rig_free(&r);
    }
}

/* Slip that has just begun, or is about to end, has no direction to be judged by, but its force is
 * within the limit: whole runs are certified through stick and slip. */
static void runs_through_stick_and_slip_are_certified(void **ctx)
{
    (void)ctx;
    const char *const file[] = {"tests/data/good/belt.yaml",
                                "examples/rolling_sphere/rolling_sphere.yaml",
                                "examples/tippe_top/tippe_top.yaml"};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_file(file[k], NULL);
        events_go(&r, 1.0, 1e-9);
        assert_true(r.worst.complementarity < 1e-10);
        rig_free(&r);
    }
}

/* A block on a floor that something lifts: the floor carries 2 (10 - pull) N. */
static const char lifted[] = "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                             "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                             "  block: {mass: 2, inertia: 1, contours: {tip: {point: [0, 0]}}}\n"
                             "forces: {lift: {on: block, force: [0, \"2*(%s)\"]}}\n"
                             "contacts: {c: {between: [block, ground], law: {mu: 0.3}}}\n";

/* The pull steps from 4 to 12 m/s^2 at 0.02 s: the floor carries 12 N until there and would have to
 * hold with -4 N behind it.  The law holds on both sides, and the run is certified. */
static void a_force_that_jumps_below_zero_where_a_contact_opens_is_certified(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(lifted, "if(t < 0.02, 4, 12)");
    sp_events *e;
    sp_error err = {.text = ""};
    bool jumped = false;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 0.05},
                                     &e, &err),
                     SP_OK);
    while (r.x->t < 0.05) {
        assert_int_equal(sp_events_step(e, r.x, 0.05, &err), SP_OK);
        assert_true(r.w->certificate.complementarity < 1e-12 && r.w->certificate.cone < 1e-12);
        jumped = jumped || sp_events_smooth(e)->left;
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
    }
    assert_true(jumped);
    assert_int_equal(r.x->contact[0].state, SP_STATE_OPEN);
    assert_near(r.x->q[1], 0.5 * 2.0 * 0.03 * 0.03, 1e-12);
    sp_events_end(e);
    rig_free(&r);
}

/* The pull grows through 10 m/s^2 at 0.02 s, and the step that claims to lift off at 0.05 s has
 * held the block down since: the force of -0.6 N was no better 4e-12 s before, and is seen, as all
 * that accelerates there. */
static void a_force_that_pulled_before_the_contact_opens_is_seen(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(lifted, "10 + 10*(t - 0.02)");
    sp_events *e;
    sp_error err = {.text = ""};
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 0.05},
                                     &e, &err),
                     SP_OK);
    sp_smooth *s = sp_events_smooth(e);
    assert_int_equal(sp_smooth_advance(s, 0.05, &err), SP_OK);
    while (s->t < 0.05) {
        assert_int_equal(sp_smooth_advance(s, 0.05, &err), SP_OK);
    }
    e->located.trigger = SP_TRIGGER_LIFT_OFF;
    e->located.slot = 0;
    assert_int_equal(sp_event_rows_at_end(e, &err), SP_OK);
    assert_true(s->left);
    assert_int_equal(sp_smooth_take(s, r.x, &err), SP_OK);
    assert_near(r.w->certificate.cone, 1.0, 1e-9);
    assert_near(r.w->certificate.complementarity, 1.0, 1e-9);
    assert_int_equal(r.w->certificate.at, 1);
    sp_events_end(e);
    rig_free(&r);
}

/* A motor that is braked by its speed, and a shaft that drives it through a mesh: the flanks are
 * pressed together by a force that fades as exp(-555/s t), for ever. */
static const char braked[] =
    "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
    "  motor: {inertia: 2e-4, joint: {revolute: ground}}\n"
    "  shaft: {inertia: 1e-3, joint: {revolute: ground}}\n"
    "forces: {brake: {torque: -%s*motor.omega, on: motor}}\n"
    "couplings: {mesh: {of: 0.02*motor.phi + 0.05*shaft.phi, range: [-1e-4, 1e-4],\n"
    "  law: {eps_N: 0.3}}}\n"
    "start: {motor.omega: -50, shaft.omega: 20}\n";

/* That machine at t, by events, and the worst certificate on the way. */
static sp_events *fade(rig *r, double t, double tolerance, sp_certificate *worst)
{
    sp_events *e;
    sp_error err = {.text = ""};
    *worst = (sp_certificate){.momentum = 0.0};
    assert_int_equal(sp_events_begin(r->m, r->x, r->w,
                                     &(sp_events_setup){.smooth.tolerance = tolerance, .until = t},
                                     &e, &err),
                     SP_OK);
    while (r->x->t < t) {
        assert_int_equal(sp_events_step(e, r->x, t, &err), SP_OK);
        sp_certificate_worst(worst, &r->w->certificate);
        assert_int_equal(sp_events_happen(e, r->x, &err), SP_OK);
    }
    return e;
}

/* Of the velocities exp(-444) would be left: long before, their signs and that of the force are
 * errors of steps.  That is no defect of the laws, at any tolerance and wherever the run ends. */
static void forces_that_fade_to_round_off_are_certified(void **ctx)
{
    (void)ctx;
    const double tolerance[] = {1e-6, 1e-8, 1e-9, 1e-10, 1e-12};
    const double until[] = {0.8, 0.0729, 0.0611};
    for (int k = 0; k < 15; k++) {
        rig r = rig_of_text(braked, "0.2");
        sp_certificate worst;
        sp_events *e = fade(&r, until[k / 5], tolerance[k % 5], &worst);
        print_message("complementarity %.2g, cone %.2g\n", worst.complementarity, worst.cone);
        assert_true(worst.complementarity < SP_CERTIFIED && worst.cone < SP_CERTIFIED);
        assert_true(worst.momentum < 1e-14);
        assert_true(fabs(r.x->u[0]) < 50.0 * tolerance[k % 5]);
        sp_events_end(e);
        rig_free(&r);
    }
}

/* There a force that is wrong by a part of what forces were in this run is seen: 1e-7 of their
 * accelerations is the unit, so that 1e-15 of them counts as none.   theory (13.1a) */
static void wrong_forces_are_seen_where_forces_fade(void **ctx)
{
    (void)ctx;
    const double part[] = {1e-6, 1e-12, 1e-14};
    rig r = rig_of_text(braked, "0.2");
    sp_certificate worst;
    sp_events *e = fade(&r, 0.07, 1e-9, &worst);
    sp_smooth *s = sp_events_smooth(e);
    sp_error err = {.text = ""};
    assert_int_equal(s->closed.n, 1);
    for (int k = 0; k < 3; k++) {
        assert_true(tampered(&r, e, 0, 1.0, 0.0).cone < SP_CERTIFIED);
        const double off = part[k] * s->accel_size * r.w->sol.rho[0], seen = part[k] / 1e-7;
        r.w->sol.P[0] = -off;
        assert_int_equal(sp_smooth_certify(s, r.x->t, r.x->z, &err), SP_OK);
        assert_near(r.w->certificate.cone, seen, 1e-9 * seen);
        assert_true(r.w->certificate.complementarity >= r.w->certificate.cone);
        assert_true(r.w->certificate.cone > SP_CERTIFIED);
        assert_int_equal(r.w->certificate.at, s->closed.slot[0] + 1);
        assert_true(r.w->certificate.momentum > 0.1);
    }
    sp_events_end(e);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_is_not_at_its_limit_is_seen_in_the_plane),
        cmocka_unit_test(friction_that_is_not_against_the_slip_is_seen_in_space),
        cmocka_unit_test(runs_through_stick_and_slip_are_certified),
        cmocka_unit_test(a_force_that_jumps_below_zero_where_a_contact_opens_is_certified),
        cmocka_unit_test(a_force_that_pulled_before_the_contact_opens_is_seen),
        cmocka_unit_test(forces_that_fade_to_round_off_are_certified),
        cmocka_unit_test(wrong_forces_are_seen_where_forces_fade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
