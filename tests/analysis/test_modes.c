/* Natural frequencies against closed forms and against reductions by another way. */
#include "support/swing.h"

#include <stdio.h>

#define EXACT  1e-11 /* of well conditioned machines */
#define TWO_PI 6.283185307179586

static double omega(const swing *s, int k)
{
    assert_true(k < s->modes.n_mode);
    return TWO_PI * s->modes.mode[k].frequency_hz;
}

/* ---- springs and masses ---------------------------------------------------------------------- */

/* n masses in a row between two walls:  omega_j = 2 sqrt(k/m) sin(j pi / (2 (n + 1))). */
static void a_chain_of_masses_has_the_frequencies_of_the_lattice(void **ctx)
{
    (void)ctx;
    enum { N = 10 };
    const double k = 300.0, m = 2.0;
    char text[4096];
    int at = snprintf(text, sizeof text, "specht: 1\nformula:\n  coordinates: {");
    for (int i = 1; i <= N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%sx%d: m", i > 1 ? ", " : "", i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "}\n  kinetic: (1 kg)*(");
    for (int i = 1; i <= N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%sx%d'^2", i > 1 ? " + " : "", i);
    }
    at +=
        snprintf(text + at, sizeof text - (size_t)at, ")\n  potential: (150 N/m)*(x1^2 + x%d^2", N);
    for (int i = 2; i <= N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, " + (x%d - x%d)^2", i, i - 1);
    }
    snprintf(text + at, sizeof text - (size_t)at, ")\n");
    swing s = {.r = rig_of_text("%s", text)};
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, N);
    for (int j = 1; j <= N; j++) {
        assert_near(omega(&s, j - 1), 2.0 * sqrt(k / m) * sin(j * TWO_PI / 4.0 / (N + 1)), EXACT);
        assert_true(s.modes.mode[j - 1].damping == 0.0 && s.modes.mode[j - 1].is_real);
    }
    /* the shapes are sines, scaled to a largest entry of 1 */
    for (int j = 1; j <= N; j++) {
        double largest = 0.0;
        for (int i = 1; i <= N; i++) {
            largest = fmax(largest, fabs(sin(i * j * TWO_PI / 2.0 / (N + 1))));
        }
        for (int i = 1; i <= N; i++) {
            assert_near(fabs(s.modes.mode[j - 1].shape[i - 1].re),
                        fabs(sin(i * j * TWO_PI / 2.0 / (N + 1))) / largest, 1e-9);
        }
    }
    swing_free(&s);
}

/* A spring element on a formula coordinate pulls as one of its potential does. */
static void a_spring_element_pulls_a_formula_coordinate(void **ctx)
{
    (void)ctx;
    swing s = {.r =
                   rig_of_text("specht: 1\nformula: {coordinates: {x: m}, kinetic: (2 kg)*x'^2/2}\n"
                               "forces: {k: {spring: x, stiffness: 50 N/m, rest: 0.3 m}}\n"
                               "start: {x: 1 m}\n")};
    swing_must(&s, true);
    assert_near(s.r.x->q[0], 0.3, EXACT);
    assert_near(omega(&s, 0), 5.0, EXACT);
    swing_free(&s);
}

static swing oscillator(double damping)
{
    return (swing){
        .r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                         "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1], "
                         "stiffness: 50 N/m, damping: %.17g N*s/m}}}\n",
                         damping)};
}

static void a_damped_oscillator_has_its_damping_ratio(void **ctx)
{
    (void)ctx;
    const double w = 5.0, zeta = 0.3; /* k = 50, m = 2, d = 2 zeta w m */
    swing s = oscillator(2.0 * zeta * w * 2.0);
    swing_must(&s, true);
    assert_near(s.r.x->q[0], -2.0 * 9.81 / 50.0, EXACT);
    assert_int_equal(s.modes.n_mode, 1);
    assert_near(omega(&s, 0), w, EXACT);
    assert_near(s.modes.mode[0].damping, zeta, EXACT);
    assert_near(s.modes.mode[0].s.re, -zeta * w, EXACT);
    assert_near(s.modes.mode[0].s.im, w * sqrt(1.0 - zeta * zeta), EXACT);
    assert_near(TWO_PI * s.modes.mode[0].damped_hz, w * sqrt(1.0 - zeta * zeta), EXACT);
    swing_free(&s);
}

static void beyond_critical_damping_two_modes_decay(void **ctx)
{
    (void)ctx;
    const double w = 5.0, zeta = 1.7;
    swing s = oscillator(2.0 * zeta * w * 2.0);
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, 2);
    for (int k = 0; k < 2; k++) {
        const double root = sqrt(zeta * zeta - 1.0) * (k == 0 ? 1.0 : -1.0);
        assert_int_equal(s.modes.mode[k].kind, SP_MODE_REAL);
        assert_near(s.modes.mode[k].s.re, w * (-zeta + root), EXACT);
        assert_near(s.modes.mode[k].damping, 1.0, 0.0);
        assert_true(s.modes.mode[k].frequency_hz == 0.0 && !s.modes.mode[k].unstable);
    }
    swing_free(&s);
}

/* A mass that a damper alone holds: free, and one decaying mode. */
static void a_damper_alone_leaves_a_free_mode(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                                "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [0, "
                                "1], damping: 3 N*s/m}}}\n")};
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, 2);
    assert_int_equal(s.modes.mode[1].kind, SP_MODE_FREE);
    assert_near(s.modes.mode[0].s.re, -1.5, EXACT);
    swing_free(&s);
}

/* n pearls on a string under tension T, a apart, transverse:  omega_j = 2 sqrt(T/(m a)) sin(...).
 * Their springs have no transverse stiffness but by the tension. */
static void a_string_of_pearls_swings_by_its_tension(void **ctx)
{
    (void)ctx;
    enum { N = 7 };
    const double a = 0.1, T = 3.0, m = 0.02;
    swing s = {
        .r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\n"
            "bodies:\n"
            "  ground: {points: {end: [%.17g, 0]}}\n"
            "  pearl: {count: %d, mass: %.17g kg, inertia: 1e-6, joint: {prismatic: ground, axis: "
            "[0, 1], at: [%.17g m * i, 0]}}\n"
            "forces:\n"
            "  first: {spring: [ground, pearl.1], stiffness: 1000, rest: %.17g, preload: %.17g}\n"
            "  last: {spring: [pearl.%d, ground.end], stiffness: 1000, rest: %.17g, preload: "
            "%.17g}\n"
            "  string: {count: %d, spring: [pearl.(i), pearl.(i+1)], stiffness: 1000, rest: %.17g, "
            "preload: %.17g}\n",
            a * (N + 1), N, m, a, a, T, N, a, T, N - 1, a, T)};
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, N);
    for (int j = 1; j <= N; j++) {
        assert_near(omega(&s, j - 1), 2.0 * sqrt(T / (m * a)) * sin(j * TWO_PI / 4.0 / (N + 1)),
                    EXACT);
    }
    swing_free(&s);
}

/* ---- pendulums ------------------------------------------------------------------------------- */

static swing pendulum(double phi)
{
    return (swing){.r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                                    "bodies: {rod: {mass: 1.5, inertia: 0.2, center: [0, -0.7], "
                                    "joint: {revolute: ground}}}\n"
                                    "start: {rod.phi: %.17g rad, rod.omega: 2 rad/s}\n",
                                    phi)};
}

static const double PENDULUM_2 = 1.5 * 9.81 * 0.7 / (0.2 + 1.5 * 0.49);

static void a_pendulum_hangs_and_swings(void **ctx)
{
    (void)ctx;
    swing s = pendulum(1.0);
    swing_must(&s, true);
    assert_near(sin(s.r.x->q[0]), 0.0, 1e-12);
    assert_near(omega(&s, 0), sqrt(PENDULUM_2), EXACT);
    assert_true(s.r.x->u[0] == 0.0);
    swing_free(&s);
}

static void a_pendulum_that_stands_is_unstable(void **ctx)
{
    (void)ctx;
    swing s = pendulum(3.1);
    swing_must(&s, true);
    assert_near(s.r.x->q[0], TWO_PI / 2.0, 1e-11);
    assert_int_equal(s.modes.n_mode, 2);
    assert_int_equal(s.modes.n_unstable, 1);
    assert_near(s.modes.mode[0].s.re, sqrt(PENDULUM_2), EXACT);
    assert_near(s.modes.mode[1].s.re, -sqrt(PENDULUM_2), EXACT);
    assert_true(s.modes.mode[0].unstable && !s.modes.mode[1].unstable);
    swing_free(&s);
}

/* At a start that is no equilibrium: the eigenvalue of the rate of change of the acceleration,
 * -w^2 cos phi. */
static void modes_at_the_start_are_those_of_the_instant(void **ctx)
{
    (void)ctx;
    swing s = pendulum(1.0);
    swing_must(&s, false);
    assert_near(omega(&s, 0), sqrt(PENDULUM_2 * cos(1.0)), EXACT);
    assert_near(s.r.x->u[0], 2.0, 0.0);
    swing_free(&s);
}

/* Two equal point masses on equal strings:  omega^2 = g/l (2 -+ sqrt 2). */
static void a_double_pendulum_has_both_frequencies(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_text(
                   "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                   "  a: {mass: 0.3, inertia: 0, center: [0, -0.5], joint: {revolute: ground}}\n"
                   "  b: {mass: 0.3, inertia: 0, center: [0, -0.5], joint: {revolute: a, at: [0, "
                   "-0.5]}}\n"
                   "start: {a.phi: 0.4, b.phi: -0.3}\n")};
    swing_must(&s, true);
    assert_near(omega(&s, 0), sqrt(9.81 / 0.5 * (2.0 - sqrt(2.0))), EXACT);
    assert_near(omega(&s, 1), sqrt(9.81 / 0.5 * (2.0 + sqrt(2.0))), EXACT);
    swing_free(&s);
}

/* The pendulum as a free body that a joint of 'joints' closes: what holds it makes it swing. */
static void a_pendulum_closed_by_a_loop_swings_as_one_in_the_tree(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                                "bodies: {rod: {mass: 1.5, inertia: 0.2, joint: {free: ground}}}\n"
                                "joints: {pin: {revolute: [ground, rod], from: [0, 0.7]}}\n"
                                "start: {rod.joint.phi: 0.5}\n")};
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, 1);
    assert_near(omega(&s, 0), sqrt(PENDULUM_2), EXACT);
    assert_near(s.r.x->q[2], 0.0, 1e-12);
    swing_free(&s);
}

/* ---- a four-bar, reduced by hand ------------------------------------------------------------- */

static const double BAR[4] = {0.3, 0.6, 0.5, 0.7}; /* crank, coupler, rocker, ground */
static const double BAR_M[3] = {0.8, 1.2, 1.0}, BAR_J[3] = {0.01, 0.05, 0.03};

/* Angles of coupler and rocker at the crank's angle, as two circles meet. */
static void bar_angles(double phi, double *th)
{
    const double x = BAR[0] * cos(phi), y = BAR[0] * sin(phi), dx = BAR[3] - x, dy = -y;
    const double d = hypot(dx, dy);
    const double along = (BAR[1] * BAR[1] - BAR[2] * BAR[2] + d * d) / (2.0 * d);
    const double up = -sqrt(BAR[1] * BAR[1] - along * along);
    const double px = x + (along * dx - up * dy) / d, py = y + (along * dy + up * dx) / d;
    th[0] = phi;
    th[1] = atan2(py - y, px - x);
    th[2] = atan2(py, px - BAR[3]);
}

/* Potential energy, all centres in the middle. */
static double bar_potential(double phi)
{
    double th[3];
    bar_angles(phi, th);
    return 9.81 * (BAR_M[0] * BAR[0] / 2.0 * sin(th[0]) +
                   BAR_M[1] * (BAR[0] * sin(th[0]) + BAR[1] / 2.0 * sin(th[1])) +
                   BAR_M[2] * BAR[2] / 2.0 * sin(th[2]));
}

/* Derivative of order 6 by differences. */
static double slope(double (*f)(double), double x, double h)
{
    return (45.0 * (f(x + h) - f(x - h)) - 9.0 * (f(x + 2.0 * h) - f(x - 2.0 * h)) +
            (f(x + 3.0 * h) - f(x - 3.0 * h))) /
           (60.0 * h);
}

static double bar_force(double phi)
{
    return slope(bar_potential, phi, 2e-3);
}

static double bar_coupler(double phi)
{
    double th[3];
    bar_angles(phi, th);
    return th[1];
}

static double bar_rocker(double phi)
{
    double th[3];
    bar_angles(phi, th);
    return th[2];
}

static double bar_inertia(double phi)
{
    double th[3];
    bar_angles(phi, th);
    const double k1 = slope(bar_coupler, phi, 2e-3), k2 = slope(bar_rocker, phi, 2e-3);
    const double half = BAR[1] / 2.0;
    const double v2 =
        BAR[0] * BAR[0] + half * half * k1 * k1 + 2.0 * BAR[0] * half * k1 * cos(th[0] - th[1]);
    return BAR_J[0] + BAR_M[0] * BAR[0] * BAR[0] / 4.0 + BAR_M[1] * v2 + BAR_J[1] * k1 * k1 +
           (BAR_J[2] + BAR_M[2] * BAR[2] * BAR[2] / 4.0) * k2 * k2;
}

static void a_four_bar_swings_as_its_reduction_by_hand(void **ctx)
{
    (void)ctx;
    double low = -2.8, high = -0.3; /* dV/dphi < 0, > 0: the lowest place lies between */
    assert_true(bar_force(low) < 0.0 && bar_force(high) > 0.0);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(bar_force(middle) < 0.0 ? &low : &high) = middle;
    }
    double th[3];
    bar_angles(low + 0.2, th);
    swing s = {
        .r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
            "  a: {mass: %g, inertia: %g, center: [%g, 0], joint: {revolute: ground}}\n"
            "  b: {mass: %g, inertia: %g, center: [%g, 0], joint: {revolute: a, at: [%g, 0]}}\n"
            "  c: {mass: %g, inertia: %g, center: [%g, 0], joint: {revolute: ground, at: "
            "[%g, 0]}}\n"
            "joints: {pin: {revolute: [b, c], at: [%g, 0], from: [%g, 0]}}\n"
            "start: {a.phi: %.17g, b.phi: %.17g, c.phi: %.17g}\n",
            BAR_M[0], BAR_J[0], BAR[0] / 2.0, BAR_M[1], BAR_J[1], BAR[1] / 2.0, BAR[0], BAR_M[2],
            BAR_J[2], BAR[2] / 2.0, BAR[3], BAR[1], BAR[2], th[0], th[1], th[2])};
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, 1);
    assert_near(s.r.x->q[0], low, 1e-9);
    assert_near(omega(&s, 0), sqrt(slope(bar_force, low, 2e-3) / bar_inertia(low)), 1e-8);
    swing_free(&s);
}

/* ---- things that turn ------------------------------------------------------------------------ */

/* A bob on a hinge that a shaft turns at w:  cos th = g/(w^2 l), it swings with w sin th. */
static void a_governor_opens_and_swings(void **ctx)
{
    (void)ctx;
    const double w = 9.0, l = 0.4;
    swing s = {.r = rig_of_text(
                   "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                   "  shaft: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {revolute: ground, axis: "
                   "[0, 0, 1], speed: %g rad/s}}\n"
                   "  bob: {mass: 0.7, inertia: [0, 0, 0], center: [0, 0, -%g], joint: {revolute: "
                   "shaft, axis: [0, 1, 0]}}\n"
                   "start: {bob.joint.phi: 0.9 rad}\n",
                   w, l)};
    swing_must(&s, true);
    const double cos_th = 9.81 / (w * w * l);
    assert_near(cos(s.r.x->q[1]), cos_th, EXACT);
    assert_near(s.r.x->u[0], w, 0.0);
    assert_int_equal(s.modes.n_mode, 1);
    assert_near(omega(&s, 0), w * sqrt(1.0 - cos_th * cos_th), EXACT);
    swing_free(&s);
}

/* A top that sleeps upright on a ball: J_1 W^2 - J_3 w W + m g l = 0 for the rates W at which its
 * axis goes round in the world; in its own axes they are seen with W - w.   */
static void a_sleeping_top_has_both_its_rates(void **ctx)
{
    (void)ctx;
    const double J_1 = 2e-3, J_3 = 8e-4, w = 120.0, weight = 0.5 * 9.81 * 0.05;
    swing s = {.r = rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                                "bodies: {top: {mass: 0.5, inertia: [%.17g, %.17g, %.17g], center: "
                                "[0, 0, 0.05], joint: {spherical: ground}}}\n"
                                "start: {top.joint.omega_own: [0, 0, %.17g rad/s]}\n",
                                J_1 - 0.5 * 0.0025, J_1 - 0.5 * 0.0025, J_3, w)};
    swing_hold(&s, s.r.m->dof[2].name); /* the spin */
    swing_must(&s, false);
    const double root = sqrt(J_3 * J_3 * w * w - 4.0 * J_1 * weight);
    const double fast = (J_3 * w + root) / (2.0 * J_1), slow = (J_3 * w - root) / (2.0 * J_1);
    assert_int_equal(s.modes.n_mode, 2);
    assert_int_equal(s.modes.n_unstable, 0);
    assert_near(omega(&s, 0), fmin(w - fast, w - slow), 1e-10);
    assert_near(omega(&s, 1), fmax(w - fast, w - slow), 1e-10);
    swing_free(&s);
}

static void a_top_that_spins_too_slowly_falls(void **ctx)
{
    (void)ctx;
    const double J_1 = 2e-3, J_3 = 8e-4, weight = 0.5 * 9.81 * 0.05;
    const double least = 2.0 * sqrt(J_1 * weight) / J_3;
    for (int k = 0; k < 2; k++) {
        const double w = least * (k == 0 ? 0.99 : 1.01);
        swing s = {
            .r = rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                             "bodies: {top: {mass: 0.5, inertia: [%.17g, %.17g, %.17g], center: "
                             "[0, 0, 0.05], joint: {spherical: ground}}}\n"
                             "start: {top.joint.omega_own: [0, 0, %.17g rad/s]}\n",
                             J_1 - 0.5 * 0.0025, J_1 - 0.5 * 0.0025, J_3, w)};
        swing_must(&s, false);
        assert_int_equal(s.modes.n_unstable, k == 0 ? 1 : 0);
        assert_int_equal(s.modes.mode[s.modes.n_mode - 1].kind, SP_MODE_FREE); /* about its axis */
        const double inside = 4.0 * J_1 * weight - J_3 * J_3 * w * w;
        if (k == 0) { /* grows at sqrt(4 J_1 m g l - J_3^2 w^2) / (2 J_1) */
            double growth = 0.0;
            for (int i = 0; i < s.modes.n_mode; i++) {
                growth = fmax(growth, s.modes.mode[i].s.re);
            }
            assert_near(growth, sqrt(inside) / (2.0 * J_1), 1e-9);
        }
        swing_free(&s);
    }
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* A solid disc in a hole: rolling g/(R - r) 2/3, sliding without friction g/(R - r). */
static void a_disc_in_a_hole_rolls_or_slides(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        const double R = 0.5, r = 0.1;
        swing s = {
            .r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                             "  ground: {contours: {bowl: {circle: 0.5, inside: yes}}}\n"
                             "  disc: {mass: 2, inertia: 0.01, contours: {rim: {circle: 0.1}}}\n"
                             "contacts: {touch: {between: [disc, ground], law: {mu: %s}}}\n"
                             "start: {disc.x: 0.1, disc.y: -0.36}\n",
                             k == 0 ? "0.5" : "0")};
        swing_close(&s, "touch", SP_CLOSED_ITSELF);
        swing_must(&s, true);
        const double w2 = 9.81 / (R - r) * (k == 0 ? 2.0 / 3.0 : 1.0);
        assert_int_equal(s.modes.n_mode, k == 0 ? 1 : 2); /* without friction it also spins */
        assert_near(omega(&s, 0), sqrt(w2), 1e-10);
        assert_near(s.r.x->q[0], 0.0, 1e-11);
        assert_near(s.r.x->q[1], -(R - r), 1e-12);
        assert_near(s.l->row[0].lambda, 2.0 * 9.81, 1e-10); /* it carries the weight */
        swing_free(&s);
    }
}

/* A block that slides over a floor, on a spring that pulls it down as it pulls it back: friction
 * follows the normal force, K = k c (c -+ mu s) with c, s of the spring's direction. */
static void friction_of_a_sliding_block_follows_its_normal_force(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        const double v = k == 0 ? 1.0 : -1.0, mu = 0.4, c = 0.6, n = 0.8, K = 200.0, m = 2.0;
        swing s = {
            .r = rig_of_text(
                "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                "  block: {mass: %g, joint: {free: ground, only: [x, y]}, contours: {foot: {point: "
                "[0, 0]}}}\n"
                "forces: {s: {spring: 0.6*block.x + 0.8*block.y, stiffness: %g}}\n"
                "contacts: {slide: {between: [block, ground], law: {mu: %g}}}\n"
                "start: {block.vx: %g}\n",
                m, K, mu, v)};
        swing_close(&s, "slide", SP_CLOSED_ITSELF);
        swing_must(&s, false);
        /* dN = K n c dx, friction on the block -mu sign(v) N */
        assert_int_equal(s.modes.n_mode, 1);
        assert_near(omega(&s, 0), sqrt(K * c * (c + mu * (v > 0.0 ? 1.0 : -1.0) * n) / m), EXACT);
        swing_free(&s);
    }
}

/* ---- free bodies, refusals ------------------------------------------------------------------- */

static void free_bodies_have_zero_frequencies(void **ctx)
{
    (void)ctx;
    for (int dim = 2; dim <= 3; dim++) {
        swing s = {
            .r = rig_of_text("specht: 1\nspace: %s\ngravity: 0\nbodies: {a: {mass: 1, inertia: %s, "
                             "center: %s}}\n",
                             dim == 2 ? "planar" : "spatial", dim == 2 ? "0.1" : "[0.1, 0.2, 0.25]",
                             dim == 2 ? "[0.1, 0]" : "[0.1, 0, 0.2]")};
        swing_must(&s, true);
        assert_int_equal(s.modes.n_mode, dim == 2 ? 3 : 6);
        for (int k = 0; k < s.modes.n_mode; k++) {
            assert_int_equal(s.modes.mode[k].kind, SP_MODE_FREE);
            assert_true(s.modes.mode[k].frequency_hz == 0.0);
        }
        swing_free(&s);
    }
}

static void the_woodpecker_has_the_published_frequencies(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL)};
    swing_must(&s, false);
    assert_near(s.modes.mode[0].frequency_hz, 72.9085, 5e-7);
    swing_free(&s);
    swing c = {.r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL)};
    swing_hold(&c, "y");
    swing_hold(&c, "phi_M");
    swing_must(&c, true);
    assert_int_equal(c.modes.n_mode, 1);
    assert_near(c.modes.mode[0].frequency_hz, 9.1012, 5e-6);
    swing_free(&c);
}

static void a_part_without_mass_is_named(void **ctx)
{
    (void)ctx;
    swing s = {
        .r = rig_of_text("specht: 1\nformula:\n  coordinates: {x: m, y: m}\n"
                         "  kinetic: (1 kg)*(x' + y')^2\n  potential: (1 N/m)*(x^2 + y^2)\n")};
    swing_find(&s, false);
    assert_int_equal(s.status, SP_E_INPUT);
    assert_non_null(strstr(s.err.text, "'y' is free to move without mass"));
    swing_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_masses_has_the_frequencies_of_the_lattice),
        cmocka_unit_test(a_spring_element_pulls_a_formula_coordinate),
        cmocka_unit_test(a_damped_oscillator_has_its_damping_ratio),
        cmocka_unit_test(beyond_critical_damping_two_modes_decay),
        cmocka_unit_test(a_damper_alone_leaves_a_free_mode),
        cmocka_unit_test(a_string_of_pearls_swings_by_its_tension),
        cmocka_unit_test(a_pendulum_hangs_and_swings),
        cmocka_unit_test(a_pendulum_that_stands_is_unstable),
        cmocka_unit_test(modes_at_the_start_are_those_of_the_instant),
        cmocka_unit_test(a_double_pendulum_has_both_frequencies),
        cmocka_unit_test(a_pendulum_closed_by_a_loop_swings_as_one_in_the_tree),
        cmocka_unit_test(a_four_bar_swings_as_its_reduction_by_hand),
        cmocka_unit_test(a_governor_opens_and_swings),
        cmocka_unit_test(a_sleeping_top_has_both_its_rates),
        cmocka_unit_test(a_top_that_spins_too_slowly_falls),
        cmocka_unit_test(a_disc_in_a_hole_rolls_or_slides),
        cmocka_unit_test(friction_of_a_sliding_block_follows_its_normal_force),
        cmocka_unit_test(free_bodies_have_zero_frequencies),
        cmocka_unit_test(the_woodpecker_has_the_published_frequencies),
        cmocka_unit_test(a_part_without_mass_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
