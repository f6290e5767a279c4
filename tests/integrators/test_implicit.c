/* Implicit steps: closed forms of linear machines, orders, the ledger, and who is implicit. */
#include "dynamics/implicit.h"
#include "integrators/work.h"
#include "support/check.h"
#include "support/run.h"

#include <math.h>

static const sp_method methods[3] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA};

/* Two masses on springs, w dt = 0.7 and 9 at 1 ms; with a rule for what is stiff. */
static rig two_masses(const char *rule)
{
    return rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
        "  a: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 1e6 N/m}}\n"
        "  b: {mass: 1 kg, joint: {prismatic: a, axis: [1, 0], stiffness: 5e7 N/m}}\n"
        "start: {a.x: 1 mm, b.x: 3 mm}\nrun: {until: 1 s, implicit: %s}\n",
        rule);
}

static double energy_of(const rig *r)
{
    return r->x->ledger.kinetic + r->x->ledger.potential;
}

/* A linear machine keeps its energy at theta 1/2, however long the step is. */
static void energy_is_kept_at_one_half(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 3; i++) {
        rig r = two_masses("yes");
        rig_steps(&r, methods[i], 1e-3, 1);
        const double E_0 = r.x->ledger.initial;
        rig_steps(&r, methods[i], 1e-3, 9999);
        print_message("%s: energy %.3e of it off after 1e4 steps\n", sp_method_name(methods[i]),
                      energy_of(&r) / E_0 - 1.0);
        assert_true(fabs(energy_of(&r) / E_0 - 1.0) < 1e-10);
        assert_true(r.worst.closure < 1e-12 && r.worst.momentum < 1e-12);
        rig_free(&r);
    }
}

/* What steps do not resolve is damped by `auto`: half of its amplitude is gone in every step. */
static void unresolved_motion_is_damped_by_auto(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 3; i++) {
        rig r = two_masses("auto");
        rig_steps(&r, methods[i], 1e-3, 30);
        assert_true(r.w->stiff.takes > 0.0 && r.w->dyn.implicit->unresolved > 1.0);
        print_message("%s: stretch %.3e of what it was\n", sp_method_name(methods[i]),
                      r.x->q[1] / 3e-3);
        assert_true(fabs(r.x->q[1]) < 0.05 * 3e-3); /* the slow motion has its part of it, 1/75 */
        assert_true(r.x->ledger.discretisation < 0.0 && r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

/* Explicit as long as the explicit step is stable, and the same bits then with and without the
 * rule: z^2/4 = 0.99 of the exact 1 is within the bound's margin, 0.2 is not. */
static void resolved_motion_has_the_same_bits(void **ctx)
{
    (void)ctx;
    rig with = two_masses("auto"), without = two_masses("no");
    const double dt = 5e-5;
    for (int i = 0; i < 3; i++) {
        rig_steps(&with, methods[i], dt, 300);
        rig_steps(&without, methods[i], dt, 300);
        assert_true(with.w->stiff.takes == 0.0);
    }
    for (int k = 0; k < 2; k++) {
        assert_true(with.x->q[k] == without.x->q[k] && with.x->u[k] == without.x->u[k]);
    }
    rig_free(&with);
    rig_free(&without);
}

/* A pendulum on a spring between points, bending and turning: theta 1/2 is of second order, the
 * error against a step that is a hundred times shorter. */
static rig pendulum(void)
{
    return rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  ground: {points: {o: [0, 0]}}\n"
        "  a: {mass: 1 kg, inertia: 0.01 kg*m^2, joint: {free: ground}, points: {eye: [0.1 m, "
        "0]}}\n"
        "forces: {rod: {spring: [ground.o, a.eye], stiffness: 4e3 N/m, damping: 5 N*s/m, "
        "rest: 1 m}}\nstart: {a.x: 1 m, a.y: -0.1 m, a.omega: 2 rad/s}\n"
        "run: {until: 1 s, implicit: yes}\n");
}

static void smooth_motion_is_of_second_order(void **ctx)
{
    (void)ctx;
    enum { SIZES = 5 };
    for (int i = 1; i < 3; i++) { /* moreau is of first order by its forces at u_A */
        double dt[SIZES], error[SIZES];
        rig exact = pendulum();
        rig_steps(&exact, SP_METHOD_MOREAU_MEAN, 0.2 / 25600, 25600);
        for (int k = 0; k < SIZES; k++) {
            const long n = 50L << k;
            rig r = pendulum();
            dt[k] = 0.2 / (double)n;
            rig_steps(&r, methods[i], dt[k], n);
            error[k] = fabs(r.x->q[0] - exact.x->q[0]) + fabs(r.x->q[2] - exact.x->q[2]);
            assert_true(r.w->stiff.takes > 0.0 && r.worst.closure < 1e-11);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, error);
        print_message("%s: order %.3f, error %.2e\n", sp_method_name(methods[i]), order,
                      error[SIZES - 1]);
        assert_true(fabs(order - 2.0) < 0.1);
        rig_free(&exact);
    }
}

/* A mass on a stiff spring and damper under its weight comes to rest where the spring bears it. */
static void a_loaded_spring_comes_to_rest(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 3; i++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
            "  a: {mass: 15 g, joint: {prismatic: ground, axis: [0, 1], stiffness: 8e7 N/m, "
            "damping: 800 N*s/m}}\nstart: {a.y: 1 mm}\nrun: {until: 1 s}\n");
        rig_steps(&r, methods[i], 40e-6, 400);
        const double rest = -0.015 * 9.81 / 8e7;
        assert_true(r.w->stiff.takes > 0.0 && r.worst.closure < 1e-12);
        assert_true(fabs(r.x->q[0] - rest) < 1e-12 * 1e-3 && fabs(r.x->u[0]) < 1e-9);
        rig_free(&r);
    }
}

/* A stiff bar of two masses falls on the floor: the laws hold for the velocities of the step, and
 * works by element are those of the ledger. */
static rig bar(const char *rule)
{
    return rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  low: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, "
                       "contours: {tip: {point: [0, 0]}}}\n"
                       "  top: {mass: 1 kg, joint: {prismatic: low, axis: [0, 1], stiffness: 1e7 "
                       "N/m, damping: 300 N*s/m}}\n"
                       "contacts: {foot: {between: [low, ground], law: {eps_N: 0.5}}}\n"
                       "start: {low.y: 10 mm}\nrun: {until: 1 s, implicit: %s}\n",
                       rule);
}

static void laws_hold_for_the_velocities_of_the_step(void **ctx)
{
    (void)ctx;
    rig r = bar("auto");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 300);
    const sp_ledger *l = &r.x->ledger;
    assert_true(r.w->stiff.takes > 0.0 && rig_count(&r, SP_EVENT_IMPACT, 0) > 1);
    assert_true(r.worst.complementarity < 1e-10 && r.worst.momentum < 1e-10);
    assert_true(r.worst.closure < 1e-12 && l->dampers < 0.0);
    double dampers = 0.0;
    for (int k = 0; k < r.m->n_book; k += SP_LINE_BOOKED) {
        dampers += r.x->book[k];
    }
    print_message("dampers %.6e J, by element %.6e J\n", l->dampers, dampers);
    assert_true(fabs(dampers - l->dampers) < 1e-12 * l->scale);
    rig_free(&r);
}

/* The same bar by theta, until it rests: forces are those of the velocities that were found, so
 * that momenta balance to round-off there, too. */
static void theta_is_certified_at_rest(void **ctx)
{
    (void)ctx;
    rig r = bar("auto");
    rig_steps(&r, SP_METHOD_THETA, 1e-3, 600);
    assert_true(r.w->stiff.takes > 0.0 && fabs(r.x->u[0]) + fabs(r.x->u[1]) < 1e-6);
    assert_true(r.worst.complementarity < 1e-10 && r.worst.momentum < 1e-10);
    rig_free(&r);
}

/* A mass on a spring that rests at the floor: it is there after a quarter of a turn and then after
 * every half, each time half as fast; w = 200/s, t = 0.1 s: six impacts. */
static void impacts_are_of_first_order(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double w = 200.0, quarter = 1.5707963267948966;
    const double exact = 0.01 / 64.0 * sin(w * 0.1 - quarter - 5 * 2.0 * quarter);
    double dt[SIZES], error[SIZES];
    for (int k = 0; k < SIZES; k++) {
        const long n = 300L << k;
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1], stiffness: "
                            "4e4 N/m}, contours: {tip: {point: [0, 0]}}}\n"
                            "contacts: {foot: {between: [a, ground], law: {eps_N: 0.5}}}\n"
                            "start: {a.y: 10 mm}\nrun: {until: 1 s, implicit: yes}\n");
        dt[k] = 0.1 / (double)n;
        rig_steps(&r, SP_METHOD_MOREAU, dt[k], n);
        assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, 0), 6);
        error[k] = fabs(r.x->q[0] - exact);
        print_message("  dt %.2e  error %.2e m\n", dt[k], error[k]);
        rig_free(&r);
    }
    const double order = check_order(SIZES, dt, error);
    print_message("order %.2f\n", order);
    assert_true(order > 0.7 && error[SIZES - 1] < 0.2 * dt[SIZES - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_kept_at_one_half),
        cmocka_unit_test(unresolved_motion_is_damped_by_auto),
        cmocka_unit_test(resolved_motion_has_the_same_bits),
        cmocka_unit_test(smooth_motion_is_of_second_order),
        cmocka_unit_test(a_loaded_spring_comes_to_rest),
        cmocka_unit_test(laws_hold_for_the_velocities_of_the_step),
        cmocka_unit_test(theta_is_certified_at_rest),
        cmocka_unit_test(impacts_are_of_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
