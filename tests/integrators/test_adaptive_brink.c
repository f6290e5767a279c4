/* Friction at rest that is more than that of sliding, by adaptive steps: when it lets go is found
 * to the tolerance, in closed forms.   theory section 60 */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

enum { SIZES = 8, SLIPS = 8 }; /* tolerances from 1e-4 to 1e-11 */
#define ROUND_OFF 1e-13

static double tolerance_of(int k)
{
    return pow(10.0, -4 - k);
}

/* When contacts let go, and which; when they stick again, and open. */
typedef struct slips {
    int n, n_stick, n_open;
    int slot[SLIPS];
    double t[SLIPS], t_stick[SLIPS], t_open[SLIPS];
    double t_hit; /* the first impact */
} slips;

static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    (void)err;
    slips *k = ctx;
    for (int i = 0; i < r->n_event; i++) {
        if (r->event[i].kind == SP_EVENT_SLIP && k->n < SLIPS) {
            k->slot[k->n] = r->event[i].slot;
            k->t[k->n++] = r->event[i].t;
        }
        if (r->event[i].kind == SP_EVENT_IMPACT && !(k->t_hit > 0.0)) {
            k->t_hit = r->event[i].t;
        }
        if (r->event[i].kind == SP_EVENT_STICK && k->n_stick < SLIPS) {
            k->t_stick[k->n_stick++] = r->event[i].t;
        }
        if (r->event[i].kind == SP_EVENT_OPEN && k->n_open < SLIPS) {
            k->t_open[k->n_open++] = r->event[i].t;
        }
    }
    return SP_OK;
}

/* Run to the end; the ledger closes. */
static slips run_to(rig *r, sp_method method, double until, double tolerance)
{
    slips seen = {.n = 0};
    rig_run(r, method, until, tolerance, watch, &seen);
    return seen;
}

/* ---- a block that is drawn by F = t N/s -------------------------------------------------------
 */

#define T_SLIP 4.1234567
#define MU     0.2

/* How far a block of 1 kg with g = 10 m/s^2 has come at t. */
static double drawn(double t)
{
    const double s = t - T_SLIP;
    return (t * t * t - T_SLIP * T_SLIP * T_SLIP) / 6.0 - 0.5 * T_SLIP * T_SLIP * s -
           0.5 * MU * 10.0 * s * s;
}

static void block_that_is_drawn_lets_go_in_time(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < SIZES; k++) {
        const double tolerance = tolerance_of(k);
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  block: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
                            "          contours: {foot: {point: [0, 0]}}}\n"
                            "forces: {p: {force: [1 N/s * t, 0], on: block}}\n"
                            "contacts: {c: {between: [block, ground],\n"
                            "               law: {mu: 0.2, mu_0: 0.41234567}}}\n"
                            "run: {until: 5 s}\n");
        const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 5.0, tolerance);
        const double off = fabs(r.x->q[0] - drawn(5.0));
        print_message("  drawn: tolerance %.0e, slips %.1e off, x %.1e m\n", tolerance,
                      fabs(seen.t[0] - T_SLIP), off);
        assert_int_equal(seen.n, 1);
        assert_true(fabs(seen.t[0] - T_SLIP) <= tolerance * T_SLIP + ROUND_OFF);
        assert_true(off <= 10.0 * tolerance * drawn(5.0) + ROUND_OFF);
        rig_free(&r);
    }
}

/* The same in space, along (3, 4)/5: friction is opposite.  A ball beside it that could roll is
 * nothing to it. */
static void block_in_space_lets_go_in_time(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < SIZES; k += 2) {
        const double tolerance = tolerance_of(k);
        rig r =
            rig_of_text("specht: 1\nspace: spatial\ngravity: [0, 0, -10 m/s^2]\n"
                        "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                        "  block: {mass: 1 kg, joint: {free: ground, only: [x, y, z]},\n"
                        "          contours: {foot: {point: [0, 0, 0]}}}\n"
                        "  ball: {mass: 1 kg, inertia: 0.1 kg*m^2,\n"
                        "         contours: {rim: {sphere: 0.1 m}}}\n"
                        "forces: {p: {force: [0.6 N/s * t, 0.8 N/s * t, 0], on: block}}\n"
                        "start: {ball.x: 5 m, ball.z: 0.1 m}\n"
                        "contacts: {d: {between: [ball, ground], law: {mu: 0.2, rolling: 1 mm}},\n"
                        "           c: {between: [block, ground],\n"
                        "               law: {mu: 0.2, mu_0: 0.41234567}}}\n"
                        "run: {until: 5 s}\n");
        const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 5.0, tolerance);
        const double off = hypot(r.x->q[0] - 0.6 * drawn(5.0), r.x->q[1] - 0.8 * drawn(5.0));
        print_message("  in space: tolerance %.0e, slips %.1e off, x %.1e m\n", tolerance,
                      fabs(seen.t[0] - T_SLIP), off);
        assert_int_equal(seen.n, 1);
        assert_true(fabs(seen.t[0] - T_SLIP) <= tolerance * T_SLIP + ROUND_OFF);
        assert_true(off <= 10.0 * tolerance * drawn(5.0) + 1e-11); /* solvers in space iterate */
        rig_free(&r);
    }
}

/* ---- a block on a belt ------------------------------------------------------------------------
 */

#define BELT_MU_0 0.41234567

/* The phases of a block of 1 kg on a belt of 0.1 m/s with k = 100 N/m: carried until the spring
 * pulls with mu_0 m g, back on an arc until it has the speed of the belt again.  From the start on
 * it is as if it had begun in the middle of being carried, at x = 0. */
static double belt_exact(double t, double *first, double *slides, double *cycle)
{
    const double g = 9.81, k = 100.0, v = 0.1, omega = sqrt(k);
    const double x_s = MU * g / k, x_0 = BELT_MU_0 * g / k, a = x_0 - x_s, b = v / omega;
    *slides = 2.0 * (acos(-1.0) - atan2(a, b)) / omega;
    *first = x_0 / v;
    *cycle = *slides + 2.0 * a / v;
    const double s = fmod(t - *first, *cycle);
    return s < *slides ? x_s + a * cos(omega * s) + b * sin(omega * s)
                       : x_s - a + v * (s - *slides);
}

static void block_on_a_belt_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    double err[SIZES], tol[SIZES], first, slides, cycle;
    const double exact = belt_exact(3.2, &first, &slides, &cycle);
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nparameters: {m: 1 kg, k: 100 N/m, g: 9.81 m/s^2, v_0: 0.1 "
                            "m/s}\nformula:\n  coordinates: {x: m, y: m}\n"
                            "  kinetic: m/2*(x'^2 + y'^2)\n"
                            "  potential: k/2*x^2 + m*g*y\n"
                            "contacts: {belt: {gap: y, slip: x' - v_0,\n"
                            "                  law: {mu: 0.2, mu_0: 0.41234567}}}\n"
                            "start: {x': 0.1 m/s}\nrun: {until: 3.2 s}\n");
        tol[k] = tolerance_of(k);
        const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 3.2, tol[k]);
        err[k] = fabs(r.x->q[0] - exact);
        assert_int_equal(seen.n, 4);
        for (int i = 0; i < seen.n; i++) {
            assert_true(fabs(seen.t[i] - first - i * cycle) <= 20.0 * tol[k]);
        }
        assert_int_equal(seen.n_stick, 3);
        for (int i = 0; i < seen.n_stick; i++) {
            assert_true(fabs(seen.t_stick[i] - first - slides - i * cycle) <= 20.0 * tol[k]);
        }
        print_message("  belt: tolerance %.0e, last slip and stick %.1e, %.1e s off, x %.1e m\n",
                      tol[k], fabs(seen.t[3] - first - 3.0 * cycle),
                      fabs(seen.t_stick[2] - first - slides - 2.0 * cycle), err[k]);
        assert_true(err[k] <= 20.0 * tol[k]);
        rig_free(&r);
    }
    const double slope = check_order(SIZES, tol, err);
    print_message("belt: error goes with tolerance^%.2f\n", slope);
    assert_true(slope > 0.8);
}

/* ---- two feet ---------------------------------------------------------------------------------
 */

/* A block of 1 kg on two feet, g = 10 m/s^2, drawn at the floor: each bears 5 N.  The left one is
 * at its limit of 1.5 N long before the block slips, which it does at 1.5 N + 3 N: at 4.5 s, and
 * not where the left foot alone has used up what it holds.  Then it is pushed by T = F - 0.1 N_l -
 * 0.2 N_r at the floor, 0.1 m below its centre, N_l - N_r = T/2, so that T = (F - 1.5 N)/0.975. */
static void block_on_two_feet_slips_when_both_let_go(void **ctx)
{
    (void)ctx;
    const char *model = "specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  block: {mass: 1 kg, inertia: 0.1 kg*m^2, joint: {free: ground},\n"
                        "          points: {low: [0, -0.1 m]},\n"
                        "          contours: {l: {point: [-0.2 m, -0.1 m]},\n"
                        "                     r: {point: [0.2 m, -0.1 m]}}}\n"
                        "forces: {p: {force: [1 N/s * t, 0], on: block.low}}\n"
                        "contacts:\n"
                        "  l: {between: [block.l, ground], law: {mu: 0.1, mu_0: 0.3}}\n"
                        "  r: {between: [block.r, ground], law: {mu: 0.2, mu_0: 0.6}}\n"
                        "start: {block.y: 0.1 m}\nrun: {until: 5 s}\n";
    const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("%s", model);
        const slips seen = run_to(&r, method[k], 5.0, 1e-9);
        assert_true(seen.n >= 2);
        for (int i = 0; i < seen.n; i++) {
            print_message("  two feet: %s slips at %.12g s\n", r.m->slot[seen.slot[i]].name,
                          seen.t[i]);
            assert_true(fabs(seen.t[i] - 4.5) <= 1e-8);
        }
        const double s = 0.5;
        const double x = ((125.0 - 91.125) / 6.0 - 0.5 * 20.25 * s - 0.5 * 1.5 * s * s) / 0.975;
        print_message("  two feet: x %.2e m off\n", fabs(r.x->q[0] - x));
        assert_true(fabs(r.x->q[0] - x) <= 1e-8);
        rig_free(&r);
    }
}

/* ---- changes without a jump -------------------------------------------------------------------
 */

/* A block of 1 kg, g = 10 m/s^2, mu = 0.3, drawn by 5 N sin(t/s) along and 20 N sin(t/s) up: slip
 * where 5 s = 0.3 (10 - 20 s), s = sin t = 3/11, and it lifts at s = 1/2.  Steps pass both in one
 * of a length that the tolerance allows, and tell when they were.   theory (60.8) */
static void slip_and_lift_are_told_when_they_are(void **ctx)
{
    (void)ctx;
    const double t_slip = asin(3.0 / 11.0), t_lift = asin(0.5);
    for (int k = 0; k < SIZES; k++) {
        const double tolerance = tolerance_of(k);
        rig r =
            rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  block: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
                        "          contours: {foot: {point: [0, 0]}}}\n"
                        "forces: {p: {force: [5 N * sin(1 rad/s * t), 20 N * sin(1 rad/s * t)],\n"
                        "             on: block}}\n"
                        "contacts: {c: {between: [block, ground], law: {mu: 0.3}}}\n"
                        "run: {until: 1 s}\n");
        const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 1.0, tolerance);
        assert_int_equal(seen.n, 1);
        assert_int_equal(seen.n_open, 1);
        print_message("  no jump: tolerance %.0e, slips %.1e s off, lifts %.1e s off\n", tolerance,
                      fabs(seen.t[0] - t_slip), fabs(seen.t_open[0] - t_lift));
        assert_true(fabs(seen.t[0] - t_slip) <= 20.0 * tolerance);
        assert_true(fabs(seen.t_open[0] - t_lift) <= 20.0 * tolerance);
        rig_free(&r);
    }
}

/* Friction of 0.5 along x and 0.3 along y, drawn along (3, 4)/5: slip where the ellipse is. */
static void slip_by_an_ellipse_is_told_when_it_is(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: spatial\ngravity: [0, 0, -10 m/s^2]\n"
                        "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                        "  block: {mass: 1 kg, joint: {free: ground, only: [x, y, z]},\n"
                        "          contours: {foot: {point: [0, 0, 0]}}}\n"
                        "forces: {p: {force: [0.6 N/s * t, 0.8 N/s * t, 0], on: block}}\n"
                        "contacts: {c: {between: [block, ground], law: {mu: 0.5, mu_2: 0.3}}}\n"
                        "run: {until: 4 s}\n");
    const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 4.0, 1e-6);
    assert_int_equal(seen.n, 1);
    assert_true(fabs(seen.t[0] - 10.0 / hypot(0.6 / 0.5, 0.8 / 0.3)) <= 1e-6);
    rig_free(&r);
}

/* A ball hits a block that rests: it slips with the impact, not before. */
static void slip_is_not_told_before_the_impact_that_makes_it(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 20; k++) {
        const double d = 0.05 + 0.017 * k, v = 0.5 + 0.07 * ((7 * k) % 20);
        rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 10\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  block: {mass: 1, joint: {free: ground, only: [x, y]},\n"
                            "          contours: {foot: {point: [0, 0]}, face: {line: [-1, 0]}}}\n"
                            "  ball: {mass: 0.5, joint: {free: ground, only: [x]},\n"
                            "         contours: {p: {point: [0, 0.05]}}}\n"
                            "contacts:\n"
                            "  foot: {between: [block.foot, ground.floor], law: {mu: 0.3}}\n"
                            "  hit: {between: [ball.p, block.face], law: {mu: 0, eps_N: 0.3}}\n"
                            "start: {ball.x: %.17g, ball.vx: %.17g}\n",
                            -d, v);
        const slips seen = run_to(&r, SP_METHOD_ADAPTIVE, 1.0, 1e-4);
        assert_true(seen.n >= 1);
        assert_true(seen.t[0] >= seen.t_hit && seen.t[0] <= seen.t_hit + 1e-4);
        assert_near(seen.t_hit, d / v, 1e-4);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_that_is_drawn_lets_go_in_time),
        cmocka_unit_test(block_in_space_lets_go_in_time),
        cmocka_unit_test(block_on_a_belt_follows_the_tolerance),
        cmocka_unit_test(block_on_two_feet_slips_when_both_let_go),
        cmocka_unit_test(slip_and_lift_are_told_when_they_are),
        cmocka_unit_test(slip_by_an_ellipse_is_told_when_it_is),
        cmocka_unit_test(slip_is_not_told_before_the_impact_that_makes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
