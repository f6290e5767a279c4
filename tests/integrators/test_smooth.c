/* Smooth integration: accuracy against closed forms, frames, prescribed motion, works, loops, what
 * is refused and how runs end. */
#include "integrators/reference.h"
#include "integrators/seen.h"
#include "integrators/smooth.h"
#include "support/check.h"
#include "support/run.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static rig pendulum(void)
{
    return rig_of_text(
        "specht: 1\n"
        "space: planar\n"
        "gravity: 9.81 m/s^2\n"
        "bodies: {rod: {mass: 2 kg, inertia: 0.1 kg*m^2, center: [0, -0.5 m], joint: "
        "{revolute: ground}}}\n"
        "start: {rod.joint.phi: 2 rad}\n");
}

/* ---- accuracy ----------------------------------------------------------------------------------
 */

/* Period of a pendulum by the arithmetic-geometric mean. */
static double pendulum_period(double amplitude, double omega)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int k = 0; k < 10; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * acos(-1.0) / (omega * a);
}

static void a_pendulum_is_back_after_its_period_and_errors_follow_the_tolerance(void **ctx)
{
    (void)ctx;
    const double period = pendulum_period(2.0, sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25)));
    double tolerance[8], error[8];
    for (int k = 0; k < 8; k++) {
        rig r = pendulum();
        tolerance[k] = pow(10.0, -4.0 - k);
        run_to(&r, 3.0 * period, tolerance[k], period, NULL);
        error[k] = fmax(fabs(r.x->q[0] - 2.0), fabs(r.x->u[0]));
        assert_true(error[k] < 100.0 * tolerance[k]);
        rig_free(&r);
    }
    const double slope = check_order(8, tolerance, error);
    assert_true(slope > 0.8 && slope < 1.25);
}

/* m x'' + d x' + k x = 0: place, and the energy that the damper took. */
static void a_damped_oscillator_and_the_work_of_its_damper_are_those_of_the_closed_form(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\n"
                        "space: planar\n"
                        "gravity: 0\n"
                        "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], "
                        "stiffness: 50 N/m, damping: 0.8 N*s/m}}}\n"
                        "start: {m.joint.s: 0.1 m}\n");
    seen s;
    run_to(&r, 4.0, 1e-12, 0.1, &s);
    const double delta = 0.2, omega = sqrt(25.0 - delta * delta);
    for (int k = 0; k < s.n_frame; k++) {
        const double t = s.t[k], e = exp(-delta * t);
        const double x = 0.1 * e * (cos(omega * t) + delta / omega * sin(omega * t));
        const double v = -0.1 * e * (25.0 / omega) * sin(omega * t);
        assert_near_scaled(s.q[k], x, 0.1, 1e-10);
        assert_near_scaled(s.u[k], v, 0.5, 1e-10);
    }
    const double E = 0.5 * 2.0 * s.u[s.n_frame - 1] * s.u[s.n_frame - 1] +
                     0.5 * 50.0 * s.q[s.n_frame - 1] * s.q[s.n_frame - 1];
    assert_near_scaled(r.x->ledger.dampers, E - 0.25, 0.25, 1e-11);
    assert_true(fabs(r.x->ledger.balance) < 1e-12);
    rig_free(&r);
}

static void frames_are_at_their_times_and_do_not_touch_the_motion(void **ctx)
{
    (void)ctx;
    seen s;
    rig a = pendulum(), b = pendulum(), c = pendulum();
    const sp_run_summary few = run_to(&a, 2.0, 1e-9, 2.0, NULL);
    run_to(&b, 2.0, 1e-9, 0.0317, &s);
    assert_int_equal(s.n_frame, 65); /* the start, 63 in between, the end */
    for (int k = 0; k < s.n_frame - 1; k++) {
        assert_true(s.t[k] == k * 0.0317);
    }
    assert_true(s.t[64] == 2.0 && s.n_call == s.n_frame + few.steps - 1);
    assert_true(a.x->q[0] == b.x->q[0] && a.x->u[0] == b.x->u[0]); /* the same bits */
    for (int k = 0; k < s.n_frame; k += 7) { /* the frame is where a run to its time ends */
        run_to(&c, s.t[k] > 0.0 ? s.t[k] : 1e-300, 1e-12, 1.0, NULL);
        assert_near(c.x->q[0], s.q[k], 1e-7);
        rig_free(&c);
        c = pendulum();
    }
    rig_free(&a);
    rig_free(&b);
    rig_free(&c);
}

static void a_step_of_the_public_interface_goes_as_far_as_it_is_told(void **ctx)
{
    (void)ctx;
    rig a = pendulum(), b = pendulum();
    run_to(&a, 1.0, 1e-9, 1.0, NULL);
    for (int k = 0; k < 10; k++) {
        rig_step(&b, SP_METHOD_SMOOTH, 0.1);
    }
    assert_near(b.x->t, 1.0, 1e-15);
    assert_near(b.x->q[0], a.x->q[0], 1e-7);
    assert_near(b.x->u[0], a.x->u[0], 1e-7);
    rig_free(&a);
    rig_free(&b);
}

/* ---- prescribed motion and loops ---------------------------------------------------------------
 */

/* A pendulum whose pivot is shaken up and down: J phi'' = -m l (g + y'') sin phi. */
static void shaken_rates(const void *ctx, double t, const double *y, double *dydt)
{
    (void)ctx;
    dydt[0] = y[1];
    dydt[1] = -2.0 * 0.5 * (9.81 - 0.02 * 900.0 * sin(30.0 * t)) * sin(y[0]) / 0.6;
}

static void a_prescribed_pivot_is_exact_and_its_work_closes_the_ledger(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\n"
        "space: planar\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  table: {mass: 3 kg, joint: {prismatic: ground, axis: [0, 1], motion: 20 mm * sin(30 "
        "rad/s * t)}}\n"
        "  rod: {mass: 2 kg, inertia: 0.1 kg*m^2, center: [0, -0.5 m], joint: {revolute: table}}\n"
        "start: {rod.joint.phi: 1 rad}\n");
    seen s;
    run_to(&r, 3.0, 1e-11, 0.05, &s);
    for (int k = 0; k < s.n_frame; k++) {
        assert_near(s.q[k], 0.02 * sin(30.0 * s.t[k]), 1e-15);
        assert_near(s.u[k], 0.6 * cos(30.0 * s.t[k]), 1e-15);
    }
    double y[2] = {1.0, 0.0};
    reference_run(shaken_rates, NULL, 2, 0.0, 3.0, 600, y);
    assert_near(r.x->q[1], y[0], 1e-9);
    assert_near(r.x->u[1], y[1], 1e-8);
    const sp_ledger *l = &r.x->ledger;
    assert_true(fabs(l->driven) > 0.01 && fabs(l->balance) < 1e-9 * l->scale);
    rig_free(&r);
}

/* A crank is driven by a rheonomic row instead of a prescribed joint: the same motion and work. */
static void a_coupling_that_moves_does_the_work_of_a_prescribed_joint(void **ctx)
{
    (void)ctx;
    static const char *const by[2] = {", motion: 0.5*sin(4 rad/s * t)", ""};
    static const char *const with[2] = {
        "", "couplings: {drive: {of: crank.joint.phi, fix: 0.5*sin(4 rad/s * t)}}\n"};
    static const char *const from[2] = {"", ", crank.joint.omega: 2 rad/s"};
    double q[2][2], driven[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\n"
            "space: planar\n"
            "gravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  crank: {mass: 1 kg, inertia: 0.02 kg*m^2, center: [0.1 m, 0], joint: {revolute: "
            "ground%s}}\n"
            "  rod: {mass: 2 kg, inertia: 0.1 kg*m^2, center: [0, -0.5 m], joint: {revolute: "
            "crank, at: [0.2 m, 0]}}\n"
            "%s"
            "start: {rod.joint.phi: 0.3 rad%s}\n",
            by[k], with[k], from[k]);
        run_to(&r, 2.0, 1e-12, 2.0, NULL);
        q[k][0] = r.x->q[0];
        q[k][1] = r.x->q[1];
        driven[k] = r.x->ledger.driven;
        assert_true(fabs(r.x->ledger.balance) < 1e-9);
        rig_free(&r);
    }
    assert_near(q[0][0], 0.5 * sin(8.0), 1e-15);
    assert_near(q[1][0], q[0][0], 1e-12);
    assert_near(q[1][1], q[0][1], 1e-9);
    assert_near(driven[1], driven[0], 1e-9);
    assert_true(fabs(driven[0]) > 0.1);
}

static void loops_stay_closed_for_long(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/four_bar_space.yaml", NULL);
    seen s;
    const double until = check_cases(20, 200);
    const sp_run_summary summary = run_to(&r, until, 1e-8, until / 500.0, &s);
    /* lengths are 0.2 m to 0.5 m; angles of many turns are known to their last digit only */
    const double most = 1e-13 + 0.5 * DBL_EPSILON * fabs(r.x->q[0]);
    assert_true(most < 1e-12 * 0.5);
    assert_true(summary.worst.gap < most && s.off < most);
    const sp_ledger *l = &r.x->ledger;
    assert_true(fabs(l->kinetic + l->potential - l->initial) < 1e-5 * l->scale);
    rig_free(&r);
}

/* ---- right-hand side ---------------------------------------------------------------------------
 */

/* A comb of bodies with springs and dampers in all joints, long enough for articulated bodies. */
static rig comb(const char *space)
{
    return rig_of_text("specht: 1\n"
                       "space: %s\n"
                       "gravity: 9.81 m/s^2\n"
                       "bodies: {link: {count: 20, mass: 1 kg, inertia: 0.02 kg*m^2, center: %s, "
                       "joint: {revolute: link.(i-1), first: ground%s, at: %s, stiffness: 3 "
                       "N*m/rad, damping: 0.2 N*m*s/rad}}}\n"
                       "forces: {push: {force: %s, on: link.20}}\n"
                       "start: {link.joint.phi: 0.1*i, link.joint.omega: (0.3*i - 1)*1 rad/s}\n",
                       space, space[0] == 'p' ? "[0.1 m, 0]" : "[0.1 m, 0, 0]",
                       space[0] == 'p' ? "" : ", axis: [0, 1, i mod 2]",
                       space[0] == 'p' ? "[0.2 m, 0]" : "[0.2 m, 0, 0.05 m]",
                       space[0] == 'p' ? "[1 N * cos(t/(1 s)), 0]"
                                       : "[1 N * cos(t/(1 s)), 0, 1 N]");
}

static void
articulated_bodies_and_the_mass_matrix_give_the_same_accelerations_and_powers(void **ctx)
{
    (void)ctx;
    static const char *const space[2] = {"planar", "spatial"};
    for (int k = 0; k < 2; k++) {
        rig r = comb(space[k]);
        sp_smooth *s;
        double u_rate[20];
        assert_int_equal(sp_smooth_begin(r.m, r.x, r.w, 1e-9, &s, NULL), SP_OK);
        assert_true(s->tree);
        assert_int_equal(sp_smooth_accelerate(s, 0.3, r.x->q, r.x->u, r.x->z, NULL), SP_OK);
        const sp_powers power = s->power;
        memcpy(u_rate, r.w->du, sizeof u_rate);
        s->tree = false;
        assert_int_equal(sp_smooth_accelerate(s, 0.3, r.x->q, r.x->u, r.x->z, NULL), SP_OK);
        for (int i = 0; i < 20; i++) {
            assert_near(u_rate[i], r.w->du[i], 1e-10);
        }
        assert_near(power.dampers, s->power.dampers, 1e-12);
        assert_near(power.applied, s->power.applied, 1e-12);
        assert_true(power.dampers < -0.1 && fabs(power.applied) > 0.01);
        run_to(&r, 1.0, 1e-10, 1.0, NULL);
        assert_true(fabs(r.x->ledger.balance) < 1e-8 * r.x->ledger.scale);
        rig_free(&r);
    }
}

/* A motor with an integral: x'' = P e + I z - D x', z' = e, e = 1 - x. */
static void motor_rates(const void *ctx, double t, const double *y, double *dydt)
{
    (void)ctx;
    (void)t;
    const double e = 1.0 - y[0];
    dydt[0] = y[1];
    dydt[1] = (20.0 * e - 4.0 * y[1] + 6.0 * y[2]) / 2.0;
    dydt[2] = e;
}

static void states_of_motors_are_integrated_along(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\n"
                    "space: planar\n"
                    "gravity: 0\n"
                    "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                    "forces: {servo: {motor: m.joint, position: 1 m, P: 20 N/m, I: 6 N/m/s, D: 4 "
                    "N*s/m}}\n");
    double y[3] = {0.0, 0.0, 0.0};
    run_to(&r, 3.0, 1e-12, 3.0, NULL);
    reference_run(motor_rates, NULL, 3, 0.0, 3.0, 60, y);
    assert_near(r.x->q[0], y[0], 1e-11);
    assert_near(r.x->u[0], y[1], 1e-11);
    assert_near(r.x->z[0], y[2], 1e-11);
    assert_true(fabs(r.x->ledger.balance) < 1e-11);
    rig_free(&r);
}

/* Closed contacts are rows like others: a block held to a slope, sliding or not. */
static void a_closed_contact_takes_part_at_acceleration_level(void **ctx)
{
    (void)ctx;
    const double mu[2] = {0.3, 0.9}, slope = 0.5, g = 9.81;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\n"
            "space: planar\n"
            "gravity: [%.17g m/s^2, %.17g m/s^2]\n"
            "bodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  block: {mass: 2 kg, joint: {free: ground, only: [x, y]}, contours: {foot: {point: "
            "[0, 0]}}}\n"
            "contacts: {c: {between: [block.foot, ground.floor], law: {mu: %.17g}}}\n",
            g * sin(slope), -g * cos(slope), mu[k]);
        const int slot = 0;
        const unsigned char status = k == 0 ? SP_SLIP_POS : SP_STICK;
        sp_smooth *s;
        assert_int_equal(sp_smooth_begin(r.m, r.x, r.w, 1e-9, &s, NULL), SP_OK);
        s->closed = (sp_smooth_closed){.n = 1, .slot = &slot, .status = &status};
        assert_int_equal(sp_smooth_accelerate(s, 0.0, r.x->q, r.x->u, r.x->z, NULL), SP_OK);
        const double slide = g * (sin(slope) - mu[k] * cos(slope));
        assert_near(r.w->du[0], slide > 0.0 ? slide : 0.0, 1e-13);
        assert_near(r.w->du[1], 0.0, 1e-13);
        assert_near(r.w->sol.P[0], 2.0 * g * cos(slope), 1e-13);
        assert_near(r.w->sol.P[1], -2.0 * g * (slide > 0.0 ? mu[k] * cos(slope) : sin(slope)),
                    1e-13);
        rig_free(&r);
    }
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static void *counted_alloc(void *ctx, size_t size)
{
    ++*(long *)ctx;
    return malloc(size);
}

static void counted_free(void *ctx, void *block)
{
    ++*(long *)ctx;
    free(block);
}

static void steps_ask_for_no_memory(void **ctx)
{
    (void)ctx;
    long n = 0;
    const sp_allocator allocator = {.alloc = counted_alloc, .release = counted_free, .ctx = &n};
    rig r = rig_of_file("tests/data/good/four_bar_space.yaml", NULL);
    sp_work *w;
    sp_smooth *s;
    assert_int_equal(sp_work_new(r.m, &allocator, &w, NULL), SP_OK);
    assert_int_equal(sp_smooth_begin(r.m, r.x, w, 1e-9, &s, NULL), SP_OK);
    const long before = n;
    while (r.x->t < 2.0) {
        assert_int_equal(sp_smooth_step(s, r.x, 2.0, NULL), SP_OK);
        assert_int_equal(sp_smooth_prepare(s, NULL), SP_OK);
        assert_int_equal(sp_smooth_at(s, 0.5 * (s->t_old + s->t), r.x, NULL), SP_OK);
        assert_int_equal(sp_smooth_at(s, s->t, r.x, NULL), SP_OK);
    }
    assert_int_equal(sp_smooth_begin(r.m, r.x, w, 1e-9, &s, NULL), SP_OK); /* once more */
    assert_true(before > 0 && n == before);
    sp_work_free(w);
    rig_free(&r);
}

/* ---- formulas ----------------------------------------------------------------------------------
 */

static void the_ledger_closes_for_formulas_with_time_in_them_and_for_given_mass_matrices(void **ctx)
{
    (void)ctx;
    static const char *const formula[3] = {
        "coordinates: {x: m, y: m}, kinetic: 0.5*(1 + 0.5*sin(t))*x'^2 + 0.5*y'^2 + x'*y*0.3, "
        "potential: 0.5*(2 + cos(3*t))*x^2 + y^4 + x*y, forces: {x: sin(t), y: -y'}",
        "coordinates: {x: rad, y: m}, M: [[1 + y^2, 0], [0, 1]], h: [-2*y*x'*y', y*x'^2 - 3*y]",
        "coordinates: {x: m, y: m}, kinetic: 0.5*(x'^2 + (1 + x^2)*y'^2), potential: x^2*y^2 + "
        "x^2, "
        "dissipation: 0.1*x'^2 + 0.2*x^2*y'^2"};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text("specht: 1\n"
                            "units: off\n"
                            "formula: {%s}\n"
                            "start: {x: 0.5, y: 0.7, x': 1, y': -0.4}\n",
                            formula[k]);
        run_to(&r, 5.0, 1e-11, 5.0, NULL);
        const sp_ledger *l = &r.x->ledger;
        assert_true(fabs(l->balance) < 1e-9);
        assert_true(fabs(l->applied) + fabs(l->dampers) > 0.01); /* there is something to book */
        rig_free(&r);
    }
}

/* ---- ends --------------------------------------------------------------------------------------
 */

static void contacts_are_refused_by_name_and_auto_chooses(void **ctx)
{
    (void)ctx;
    sp_run_options options;
    sp_error err = {.status = SP_OK};
    const char *const smooth[] = {"run.method=smooth", NULL};
    rig r = rig_of_file("tests/data/good/bouncing_ball.yaml", smooth);
    assert_int_equal(sp_run_options_default(r.m, &options, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, r.m->slot[0].name));
    assert_non_null(strstr(err.text, "moreau"));
    rig_free(&r);

    const char *const automatic[] = {"run.method=auto", NULL};
    r = rig_of_file("tests/data/good/bouncing_ball.yaml", automatic);
    assert_int_equal(sp_run_options_default(r.m, &options, &err), SP_OK);
    assert_true(options.method == SP_METHOD_EVENT && options.chosen);
    rig_free(&r);
    r = rig_of_file("tests/data/good/four_bar.yaml", automatic);
    assert_int_equal(sp_run_options_default(r.m, &options, &err), SP_OK);
    assert_true(options.method == SP_METHOD_SMOOTH && options.chosen && options.step == 0.0);
    rig_free(&r);
}

/* The run ends near t with this in its message; the state is good and before it. */
static void ends(const char *formula, double t, const char *message)
{
    rig r = rig_of_text("specht: 1\n"
                        "units: off\n"
                        "formula: {coordinates: {x: m}, %s}\n"
                        "start: {x: 1, x': 1}\n",
                        formula);
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_status status = try_run(&r, 10.0, 1e-9, 0.1, NULL, &summary, &err);
    assert_true(status == SP_E_NONFINITE || status == SP_E_NOT_CONVERGED);
    if (!strstr(err.text, message) || strncmp(err.text, "t = ", 4) != 0) {
        print_message("%s\n", err.text);
        fail();
    }
    assert_near(r.x->t, t, 1e-3);
    assert_true(summary.t == r.x->t && summary.steps > 3);
    assert_true(isfinite(r.x->q[0]) && isfinite(r.x->u[0]) && isfinite(r.x->ledger.kinetic));
    rig_free(&r);
}

static void a_run_that_cannot_go_on_ends_with_the_time_and_a_good_state(void **ctx)
{
    (void)ctx;
    /* M = 1 - t loses its inertia at t = 1: M u' = 0 leaves the speed as it is until then */
    ends("M: [[1 - t]], h: [0]", 1.0, "mass matrix");
    /* u' = 2 u^2 has u = 1/(1 - 2 t) */
    ends("kinetic: 0.5*x'^2, forces: {x: 2*x'^2}", 0.5, "step size");
    /* the square root ends at x = 2 */
    ends("kinetic: 0.5*x'^2, forces: {x: sqrt(2 - x) - sqrt(2 - x)}", 1.0, "finite");
}

static void bad_tolerances_are_refused(void **ctx)
{
    (void)ctx;
    static const double bad[] = {0.0, -1e-9, 1e-17, 1.0, NAN};
    for (int k = 0; k < 5; k++) {
        rig r = pendulum();
        sp_run_summary summary;
        sp_error err = {.status = SP_OK};
        assert_int_equal(try_run(&r, 1.0, bad[k], 1.0, NULL, &summary, &err), SP_E_INPUT);
        assert_non_null(strstr(err.text, "tolerance"));
        rig_free(&r);
    }
}

/* A machine at rest, whose forces cancel but for round-off, costs next to nothing. */
static void a_machine_at_rest_takes_long_steps(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\n"
                        "space: planar\n"
                        "gravity: 9.81 m/s^2\n"
                        "bodies:\n"
                        "  a: {mass: 1.3 kg, joint: {prismatic: ground, axis: [0, 1]}}\n"
                        "  b: {mass: 0.7 kg, joint: {prismatic: a, axis: [0, 1], at: [0, 0.1 m]}}\n"
                        "  ground: {points: {hook: [0, 1 m]}}\n"
                        "forces: {s: {spring: [ground.hook, a], stiffness: 300 N/m, rest: 1 m - "
                        "2 kg * 9.81 m/s^2/(300 N/m)},\n"
                        "         v: {spring: b.joint.s, stiffness: 70 N/m, rest: 0.7 kg * 9.81 "
                        "m/s^2/(70 N/m)}}\n");
    const sp_run_summary summary = run_to(&r, 100.0, 1e-10, 100.0, NULL);
    assert_true(summary.steps < 1000); /* stability alone asks for 300 */
    assert_near(r.x->q[0], 0.0, 1e-11);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_is_back_after_its_period_and_errors_follow_the_tolerance),
        cmocka_unit_test(
            a_damped_oscillator_and_the_work_of_its_damper_are_those_of_the_closed_form),
        cmocka_unit_test(frames_are_at_their_times_and_do_not_touch_the_motion),
        cmocka_unit_test(a_step_of_the_public_interface_goes_as_far_as_it_is_told),
        cmocka_unit_test(a_prescribed_pivot_is_exact_and_its_work_closes_the_ledger),
        cmocka_unit_test(a_coupling_that_moves_does_the_work_of_a_prescribed_joint),
        cmocka_unit_test(loops_stay_closed_for_long),
        cmocka_unit_test(
            articulated_bodies_and_the_mass_matrix_give_the_same_accelerations_and_powers),
        cmocka_unit_test(states_of_motors_are_integrated_along),
        cmocka_unit_test(a_closed_contact_takes_part_at_acceleration_level),
        cmocka_unit_test(
            the_ledger_closes_for_formulas_with_time_in_them_and_for_given_mass_matrices),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(contacts_are_refused_by_name_and_auto_chooses),
        cmocka_unit_test(a_run_that_cannot_go_on_ends_with_the_time_and_a_good_state),
        cmocka_unit_test(bad_tolerances_are_refused),
        cmocka_unit_test(a_machine_at_rest_takes_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
