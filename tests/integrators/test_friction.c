/* Friction and restitution by speed in time steps: a belt that carries a block, blocks that slide
 * to rest, many contacts at once.   theory section 16 */
#include "integrators/friction.h"

#include "contact/coefficient.h"
#include "integrators/event.h"
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>

/* Mass 1 kg, stiffness 100 N/m on a belt: stick until k x = mu_0 m g, then slip until the speed is
 * that of the belt again. */
static const double g = 9.81, k = 100.0, mu_0 = 0.35;
static const char *const belt =
    "specht: 1\nparameters: {v_0: %g m/s}\n"
    "formula: {coordinates: {x: m, y: m}, kinetic: 0.5*(1 kg)*(x'^2 + y'^2), potential: "
    "0.5*(100 N/m)*x^2 + (9.81 N)*y}\n"
    "contacts: {belt: {gap: y, slip: x' - v_0, law: {%s, mu_0: 0.35}}}\n"
    "start: {x': v_0}\n";

typedef struct cycle {
    double period, slip; /* s: of the cycle, of its part that slides */
} cycle;

/* Constant mu: circles in the phase plane. */
static cycle closed_form(double v_0, double mu)
{
    const double w = sqrt(k), lead = (mu_0 - mu) * g / k;
    const double slip = 2.0 * (acos(-1.0) - atan(lead * w / v_0)) / w;
    return (cycle){slip + 2.0 * lead / v_0, slip};
}

/* mu = 0.2 + 0.1 exp(-v/0.05): x'' = mu(v) g - k x, v = v_0 - x', by Runge-Kutta from break-away to
 * the time at which v comes back to zero, which Newton's method finishes. */
static double stribeck(double v)
{
    return 0.2 + 0.1 * exp(-v / 0.05);
}

static void rate(const double v_0, const double *y, double *dy)
{
    dy[0] = y[1];
    dy[1] = stribeck(v_0 - y[1]) * g - k * y[0];
}

static void rk4(double v_0, double dt, double *y)
{
    double a[4][2], z[2];
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2; i++) {
            z[i] = y[i] + (s ? at[s] * dt * a[s - 1][i] : 0.0);
        }
        rate(v_0, z, a[s]);
    }
    for (int i = 0; i < 2; i++) {
        y[i] += dt / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
    }
}

static cycle by_runge_kutta(double v_0)
{
    const double dt = 1e-5, x_1 = mu_0 * g / k;
    double y[2] = {x_1, v_0}, t = 0.0, before[2] = {y[0], y[1]};
    do {
        before[0] = y[0];
        before[1] = y[1];
        rk4(v_0, dt, y);
        t += dt;
    } while (t < 0.05 || y[1] < v_0);
    t -= dt;
    double dy[2], left = dt;
    for (int i = 0; i < 20; i++) {
        y[0] = before[0];
        y[1] = before[1];
        rk4(v_0, left, y);
        rate(v_0, y, dy);
        left -= (y[1] - v_0) / dy[1];
    }
    const double slip = t + left;
    return (cycle){slip + (x_1 - y[0]) / v_0, slip};
}

/* The belt in steps of dt until 6 cycles are done: mean period and slip of the last ones; there is
 * one stick and one slip per cycle and nothing else. */
static cycle stepped(sp_method method, double v_0, const char *law, double dt, double until)
{
    rig r = rig_of_text(belt, v_0, law);
    rig_steps(&r, method, dt, (long)(until / dt));
    int n = 0;
    double slip = 0.0, first = NAN, last = NAN, since = NAN;
    for (int i = 0; i < r.n_event; i++) {
        const sp_event *e = r.event + i;
        if (e->kind == SP_EVENT_SLIP) {
            assert_true(isnan(since)); /* they alternate */
            first = isnan(first) ? e->t : first;
            last = since = e->t;
            n++;
        } else if (e->kind == SP_EVENT_STICK) {
            assert_true(!isnan(since));
            slip = e->t - since;
            since = NAN;
        } else {
            assert_int_equal(e->kind, SP_EVENT_CLOSE);
        }
    }
    assert_true(n >= 5 && r.worst.complementarity < 1e-12 && r.worst.closure < 1e-13);
    rig_free(&r);
    return (cycle){(last - first) / (n - 1), slip};
}

static void a_belt_with_friction_at_rest_has_the_cycle_of_the_closed_form(void **ctx)
{
    (void)ctx;
    static const double speed[3] = {0.05, 0.1, 0.3};
    for (int s = 0; s < 3; s++) {
        const cycle exact = closed_form(speed[s], 0.2);
        const cycle c = stepped(SP_METHOD_MOREAU, speed[s], "mu: 0.2", 1e-4, 7.0 * exact.period);
        assert_near(c.period, exact.period, 1e-4);
        assert_near(c.slip, exact.slip, 2e-4);
    }
}

static void a_belt_with_falling_friction_has_the_cycle_of_its_equation(void **ctx)
{
    (void)ctx;
    static const double speed[3] = {0.05, 0.1, 0.3};
    for (int s = 0; s < 3; s++) {
        const cycle exact = by_runge_kutta(speed[s]);
        double error[4], dt[4];
        for (int i = 0; i < 4; i++) {
            dt[i] = 8e-4 / (double)(1 << i);
            const cycle c = stepped(SP_METHOD_MOREAU_MEAN, speed[s],
                                    "mu: 0.2 + 0.1*exp(-v/(5 cm/s))", dt[i], 7.0 * exact.period);
            error[i] = fabs(c.period - exact.period);
            assert_true(error[i] < 2.0 * dt[i]); /* both events of a cycle are told to the step */
        }
        printf("v_0 %g: period %.6f, off by %.1e with dt = 1e-4\n", speed[s], exact.period,
               error[3]);
    }
}

/* The same from event to event: the last of the cycles. */
static cycle by_events(double v_0, const char *law, double until)
{
    rig r = rig_of_text(belt, v_0, law);
    sp_events *e = NULL;
    sp_error err = {.text = ""};
    double slip[2] = {NAN, NAN}, stick = NAN;
    int n = 0;
    sp_status status = sp_events_begin(
        r.m, r.x, r.w, &(sp_events_setup){.smooth.tolerance = 1e-11, .until = until}, &e, &err);
    while (status == SP_OK && r.x->t < until) {
        status = sp_events_step(e, r.x, until, &err);
        status = status == SP_OK ? sp_events_happen(e, r.x, &err) : status;
        for (int i = 0; i < r.w->n_event; i++) {
            if (r.w->event[i].kind == SP_EVENT_SLIP) {
                slip[0] = slip[1];
                slip[1] = r.w->event[i].t;
                n++;
            } else if (r.w->event[i].kind == SP_EVENT_STICK) {
                stick = r.w->event[i].t;
            }
        }
    }
    if (status != SP_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(n >= 5 && n <= 7);
    assert_near_scaled(rig_left_over(&r.x->ledger), 0.0, r.x->ledger.scale, 1e-9);
    sp_events_end(e);
    rig_free(&r);
    return (cycle){slip[1] - slip[0], (stick > slip[1] ? stick - slip[1] : stick - slip[0])};
}

static void a_belt_by_events_has_the_same_cycles_to_ten_digits(void **ctx)
{
    (void)ctx;
    static const double speed[3] = {0.05, 0.1, 0.3};
    for (int s = 0; s < 3; s++) {
        cycle exact = closed_form(speed[s], 0.2);
        cycle c = by_events(speed[s], "mu: 0.2", 6.5 * exact.period);
        assert_near(c.period, exact.period, 1e-10);
        assert_near(c.slip, exact.slip, 1e-10);
        exact = by_runge_kutta(speed[s]);
        c = by_events(speed[s], "mu: 0.2 + 0.1*exp(-v/(5 cm/s))", 6.5 * exact.period);
        assert_near(c.period, exact.period, 1e-10);
        assert_near(c.slip, exact.slip, 1e-10);
    }
}

/* mu = a + b v slows a block down as v' = -g (a + b v): v = (v_0 + a/b) exp(-b g t) - a/b. */
static void a_block_slides_to_rest_as_its_equation_says(void **ctx)
{
    (void)ctx;
    const double a = 0.1, b = 0.3, v_0 = 2.0;
    double error[6], dt[6];
    for (int i = 0; i < 6; i++) {
        rig r = rig_of_text(
            "specht: 1\nformula: {coordinates: {x: m, y: m}, kinetic: 0.5*(1 kg)*(x'^2 + y'^2), "
            "potential: (9.81 N)*y}\n"
            "contacts: {floor: {gap: y, slip: x', law: {mu: 0.1 + v*(0.3 s/m)}}}\n"
            "start: {x': 2 m/s}\n");
        dt[i] = 0.01 / (double)(1 << i);
        rig_steps(&r, SP_METHOD_MOREAU, dt[i], lround(0.4 / dt[i]));
        error[i] = fabs(r.x->u[0] - ((v_0 + a / b) * exp(-b * g * 0.4) - a / b));
        const double stop = log(1.0 + v_0 * b / a) / (b * g);
        rig_steps(&r, SP_METHOD_MOREAU, dt[i], lround(0.5 / dt[i]));
        assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, stop, 3.0 * dt[i]);
        assert_true(r.x->u[0] == 0.0 && rig_count(&r, SP_EVENT_SLIP, 0) == 0);
        rig_free(&r);
    }
    const double order = check_order(6, dt, error);
    assert_true(order > 0.95 && order < 1.05); /* implicit Euler in v */
}

/* The same by Runge-Kutta, in the order of the method, and with the end of slip told in the step in
 * which it is, or the next.   theory (50.5), (50.6) */
static void so_it_does_by_runge_kutta_in_its_order(void **ctx)
{
    (void)ctx;
    static const sp_method method[2] = {SP_METHOD_RK2, SP_METHOD_RK4};
    const double a = 0.1, b = 0.3, v_0 = 2.0, stop = log(1.0 + v_0 * b / a) / (b * g);
    for (int j = 0; j < 2; j++) {
        double error[5], dt[5];
        for (int i = 0; i < 5; i++) {
            rig r = rig_of_text(
                "specht: 1\nformula: {coordinates: {x: m, y: m}, kinetic: 0.5*(1 kg)*(x'^2 + "
                "y'^2), potential: (9.81 N)*y}\n"
                "contacts: {floor: {gap: y, slip: x', law: {mu: 0.1 + v*(0.3 s/m)}}}\n"
                "start: {x': 2 m/s}\n");
            dt[i] = 0.04 / (double)(1 << i);
            rig_step(&r, method[j], dt[i]); /* in which it closes, of first order (17.9) */
            const double v_1 = r.x->u[0], left = 0.4 - dt[i];
            rig_steps(&r, method[j], dt[i], lround(left / dt[i]));
            error[i] = fabs(r.x->u[0] - ((v_1 + a / b) * exp(-b * g * left) - a / b));
            rig_steps(&r, method[j], dt[i], lround(0.56 / dt[i]));
            assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, stop, 1.01 * dt[i]);
            assert_true(r.x->u[0] == 0.0 && rig_count(&r, SP_EVENT_SLIP, 0) == 0);
            assert_true(r.worst.complementarity < 1e-10);
            rig_free(&r);
        }
        const double order = check_order(5, dt, error);
        printf("%s: order %.2f, %.1e m/s off at %g s\n", j ? "rk4" : "rk2", order, error[4], dt[4]);
        assert_true(order > (j ? 3.8 : 1.9));
    }
}

/* With constant friction, too: slip of a box on two feet and of a joint ends in the step. */
static void the_end_of_slip_is_told_by_runge_kutta_when_it_is(void **ctx)
{
    (void)ctx;
    static const sp_method method[2] = {SP_METHOD_RK2, SP_METHOD_RK4};
    for (int j = 0; j < 2; j++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  box: {mass: 1, inertia: 0.01, contours: {c: {polygon: [[-0.2, -0.05], [0.2, -0.05], "
            "[0.2, 0.05], [-0.2, 0.05]]}}}\n"
            "  wheel: {mass: 1, inertia: 0.01, joint: {revolute: ground, friction: 0.05}}\n"
            "contacts: {f: {between: [box, ground], law: {mu: 0.3}}}\n"
            "start: {box.y: 0.05, box.vx: 1, wheel.joint.omega: 2}\n");
        const double stop[2] = {1.0 / (0.3 * 9.81), 2.0 * 0.01 / 0.05}, dt = 1e-3;
        int n = 0;
        rig_steps(&r, method[j], dt, 500);
        for (int i = 0; i < r.n_event; i++) {
            const sp_event *e = &r.event[i];
            if (e->kind == SP_EVENT_STICK) {
                const bool joint = r.m->slot[e->slot].kind == SP_SLOT_FRICTION;
                assert_near(e->t, stop[joint], 1.01 * dt);
                n++;
            }
            assert_true(e->kind != SP_EVENT_SLIP);
        }
        assert_int_equal(n, 3);
        rig_free(&r);
    }
}

/* After every step: what slides has the coefficient of its speed, what sticks is within mu_0. */
static void check_coefficients(const rig *r, double *worst, int *sliding, int *sticking)
{
    const sp_con *con = &r->w->con;
    for (int i = 0; i < r->w->n_hit; i++) {
        const sp_hit *h = &r->w->hit[i];
        if (!(h->P[0] > 0.0)) {
            continue;
        }
        const double rest = r->x->numbers->law[r->m->slot[h->slot].law].mu;
        if (fabs(h->gamma_E[1]) > 1e-9) {
            const double mu =
                sp_con_mu(r->m, r->x->numbers, con, h->slot, fabs(h->gamma_E[1]), NULL);
            *worst = check_worse(*worst, fabs(fabs(h->P[1]) - mu * h->P[0]) / (mu * h->P[0]));
            ++*sliding;
        } else {
            assert_true(fabs(h->P[1]) <= rest * h->P[0] * (1.0 + 1e-9));
            ++*sticking;
        }
    }
}

/* A box pushed to and fro on two feet, with a second one on top: four contacts that depend on each
 * other. */
static void many_contacts_find_their_coefficients_together(void **ctx)
{
    (void)ctx;
    rng seed = {7};
    double worst = 0.0;
    int sliding = 0, sticking = 0;
    for (int c = 0; c < check_cases(6, 60); c++) {
        const double rise = rng_in(&seed, -0.1, 0.2), v_s = rng_in(&seed, 0.003, 0.2);
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "laws: {dry: {mu: 0.2 + %.6f*exp(-v/(%.6f m/s)), mu_0: 0.42}}\n"
            "bodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  lower: {mass: 1 kg, inertia: 0.02, contours: {box: {polygon: [[-0.2, -0.1], [0.2, "
            "-0.1], [0.2, 0.1], [-0.2, 0.1]]}}}\n"
            "  upper: {mass: 0.5 kg, inertia: 0.01, contours: {box: {polygon: [[-0.1, -0.1], [0.1, "
            "-0.1], [0.1, 0.1], [-0.1, 0.1]]}}}\n"
            "forces: {push: {force: [(%.6f N)*sin(7*t/(1 s)), 0], on: lower}}\n"
            "contacts: {floor: {between: [lower, ground], law: dry}, top: {between: [upper, "
            "lower], "
            "law: dry}}\n"
            "start: {lower.y: 0.1, upper.y: 0.3, upper.vx: %.6f}\n",
            rise, v_s, rng_in(&seed, 5.0, 15.0), rng_in(&seed, -1.0, 1.0));
        for (int i = 0; i < 600; i++) {
            rig_step(&r, SP_METHOD_MOREAU, 1e-3);
            check_coefficients(&r, &worst, &sliding, &sticking);
        }
        assert_true(r.worst.complementarity < 1e-10 && r.worst.closure < 1e-12);
        rig_free(&r);
    }
    printf("%d sliding, %d sticking contacts; coefficients off by %.1e\n", sliding, sticking,
           worst);
    assert_true(worst < 1e-9 && sliding > 500 && sticking > 500);
}

static void a_ball_rebounds_with_the_restitution_of_its_speed(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: "
                        "{tip: {point: [0, 0]}}}\n"
                        "contacts: {bounce: {between: [ball, ground], law: {eps_N: 1/(1 + v_N/(3 "
                        "m/s))}}}\n"
                        "start: {ball.y: 1 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 20000);
    assert_true(rig_count(&r, SP_EVENT_IMPACT, 0) > 3);
    for (int i = 0; i < 4; i++) {
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, i);
        const double v = -e->gamma_N_before;
        assert_near(e->gamma_N_after, v / (1.0 + v / 3.0), 1e-13);
    }
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_with_friction_at_rest_has_the_cycle_of_the_closed_form),
        cmocka_unit_test(a_belt_with_falling_friction_has_the_cycle_of_its_equation),
        cmocka_unit_test(a_belt_by_events_has_the_same_cycles_to_ten_digits),
        cmocka_unit_test(a_block_slides_to_rest_as_its_equation_says),
        cmocka_unit_test(so_it_does_by_runge_kutta_in_its_order),
        cmocka_unit_test(the_end_of_slip_is_told_by_runge_kutta_when_it_is),
        cmocka_unit_test(many_contacts_find_their_coefficients_together),
        cmocka_unit_test(a_ball_rebounds_with_the_restitution_of_its_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
