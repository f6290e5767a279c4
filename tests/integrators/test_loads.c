/* Accelerations, reactions and element forces of frames: closed forms, the same machine cut
 * elsewhere, derivatives by time of what frames tell. */
#include "integrators/loads.h"

#include "run/run.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

enum { FRAMES = 64, OUTPUTS = 24 };

/* The outputs of all frames of a run. */
typedef struct film {
    int n;
    double t[FRAMES], value[FRAMES][OUTPUTS];
} film;

static sp_status see(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    film *f = ctx;
    (void)err;
    if (r->sampled && f->n < FRAMES) {
        f->t[f->n] = r->t;
        memcpy(f->value[f->n++], r->output, (size_t)m->n_output * sizeof(double));
    }
    return SP_OK;
}

static void run(rig *r, sp_method method, double until, double step, double frame, film *f)
{
    sp_run_summary summary;
    sp_error err = {.text = ""};
    const sp_observer observer = {.step = see, .ctx = f};
    const sp_run_options o = {
        .method = method, .until = until, .step = step, .output_step = frame, .tolerance = 1e-12};
    f->n = 0;
    if (sp_integrate(r->m, r->x, r->w, &o, &observer, 1, &summary, &err) != SP_OK) {
        print_message("%s\n", err.text);
        fail();
    }
}

/* A rod on a hinge: force of the hinge from the motion of its centre, moment zero. */
static void the_hinge_of_a_pendulum_carries_weight_and_inertia(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                    "bodies: {rod: {mass: 2, inertia: 0.1, center: [0, -0.5], joint: {revolute: "
                    "ground}, points: {tip: [0, -1]}}}\n"
                    "start: {rod.phi: 1, rod.omega: 2}\n"
                    "outputs: {fx: rod.joint.fx, fy: rod.joint.fy, m: rod.joint.m, ax: "
                    "rod.tip.ax, ay: rod.tip.ay, al: rod.alpha, phi: rod.phi, om: rod.omega}\n");
    film f;
    run(&r, SP_METHOD_SMOOTH, 1.0, 0.0, 0.1, &f);
    assert_int_equal(f.n, 11);
    for (int i = 0; i < f.n; i++) {
        const double *v = f.value[i], phi = v[6], om = v[7];
        const double alpha = -2.0 * 9.81 * 0.5 * sin(phi) / (0.1 + 2.0 * 0.25);
        const double ax = 0.5 * (alpha * cos(phi) - om * om * sin(phi));
        const double ay = 0.5 * (alpha * sin(phi) + om * om * cos(phi));
        assert_near(v[5], alpha, 1e-12);
        assert_near(v[0], 2.0 * ax, 1e-12);
        assert_near(v[1], 2.0 * (ay + 9.81), 1e-12);
        assert_near(v[2], 0.0, 1e-12);
        assert_near(v[3], 2.0 * ax, 1e-12); /* the tip is twice as far out */
        assert_near(v[4], 2.0 * ay, 1e-12);
    }
    rig_free(&r);
}

/* A slide whose joint is beside its origin: the moment is about the joint, in the plane as in
 * space.
 */
static void the_moment_of_a_guide_is_about_its_place(void **ctx)
{
    (void)ctx;
    const char *const text[] = {
        "specht: 1\nspace: planar\ngravity: 0\nbodies: {b: {mass: 3, inertia: 0.02, joint: "
        "{prismatic: ground, axis: [1, 0], from: [0.1, 0.2]}}}\n"
        "forces: {p: {force: [6, -7], on: b}}\n"
        "outputs: {fy: b.joint.fy, m: b.joint.m}\n",
        "specht: 1\nspace: spatial\ngravity: 0\nbodies: {b: {mass: 3, inertia: [0.02, 0.02, 0.02], "
        "joint: {prismatic: ground, axis: [1, 0, 0], from: [0.1, 0.2, 0]}}}\n"
        "forces: {p: {force: [6, -7, 0], on: b}}\n"
        "outputs: {fy: b.joint.fy, m: b.joint.mz}\n"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("%s", text[k]);
        film f;
        run(&r, SP_METHOD_SMOOTH, 0.1, 0.0, 0.1, &f);
        assert_near(f.value[1][0], 7.0, 1e-13);
        assert_near(f.value[1][1], -0.1 * 7.0,
                    1e-13); /* inertia is at the origin, as the force is */
        rig_free(&r);
    }
}

/* A four-bar cut at one joint and at another: all joints carry the same. */
static void reactions_do_not_depend_on_where_a_loop_is_cut(void **ctx)
{
    (void)ctx;
    /* angles from the lengths, so that both start alike: close b and c by hand */
    const double px = 0.5 * cos(1.3), py = 0.5 * sin(1.3), dx = 0.9 - px, dy = -py;
    const double d = hypot(dx, dy), along = (0.81 - 0.49 + d * d) / (2.0 * d);
    const double up = sqrt(0.81 - along * along);
    const double x = px + (along * dx - up * dy) / d, y = py + (along * dy + up * dx) / d;
    const double phi_b = atan2(y - py, x - px), phi_c = atan2(y, x - 0.9);
    rig one = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  a: {mass: 1, inertia: 0.1, center: [0.2, 0.1], joint: {revolute: ground}}\n"
        "  b: {mass: 2, inertia: 0.2, center: [0.3, 0], joint: {revolute: a, at: [0.5, 0]}}\n"
        "  c: {mass: 3, inertia: 0.3, center: [0.4, 0], joint: {revolute: ground, at: [0.9, 0]}}\n"
        "joints: {pin: {revolute: [b, c], at: [0.9, 0], from: [0.7, 0]}}\n"
        "forces: {s: {spring: [a, c.center], stiffness: 50, rest: 0.2, damping: 3}}\n"
        "start: {a.phi: 1.3, b.phi: %.17g, c.phi: %.17g, a.omega: 3}\n"
        "outputs: {ax: a.joint.fx, ay: a.joint.fy, bx: b.joint.fx, by: b.joint.fy, cx: c.joint.fx, "
        "cy: c.joint.fy, px: pin.fx, py: pin.fy, pm: pin.m, al: c.alpha}\n",
        phi_b, phi_c);
    rig two = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  a: {mass: 1, inertia: 0.1, center: [0.2, 0.1], joint: {revolute: ground}}\n"
        "  b: {mass: 2, inertia: 0.2, center: [0.3, 0], joint: {revolute: a, at: [0.5, 0]}}\n"
        "  c: {mass: 3, inertia: 0.3, center: [0.4, 0], joint: {revolute: b, at: [0.9, 0], from: "
        "[0.7, 0]}}\n"
        "joints: {pin: {revolute: [ground, c], at: [0.9, 0]}}\n"
        "forces: {s: {spring: [a, c.center], stiffness: 50, rest: 0.2, damping: 3}}\n"
        "start: {a.phi: 1.3, b.phi: %.17g, c.phi: %.17g, a.omega: 3}\n"
        "outputs: {ax: a.joint.fx, ay: a.joint.fy, bx: b.joint.fx, by: b.joint.fy, cx: pin.fx, cy: "
        "pin.fy, px: c.joint.fx, py: c.joint.fy, pm: c.joint.m, al: c.alpha}\n",
        phi_b, phi_c);
    film f, g;
    run(&one, SP_METHOD_SMOOTH, 0.5, 0.0, 0.05, &f);
    run(&two, SP_METHOD_SMOOTH, 0.5, 0.0, 0.05, &g);
    assert_int_equal(f.n, g.n);
    for (int i = 0; i < f.n; i++) {
        for (int k = 0; k < one.m->n_output; k++) {
            assert_near_scaled(f.value[i][k], g.value[i][k], 100.0, i == 0 ? 1e-11 : 1e-8);
        }
    }
    rig_free(&one);
    rig_free(&two);
}

/* In space: accelerations are the rates of velocities between frames, the joint on the ground
 * carries all weight and inertia. */
static void accelerations_in_space_are_rates_of_velocities(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
        "  a: {mass: 2, inertia: [0.1, 0.2, 0.25], center: [0.3, 0.1, 0], joint: {spherical: "
        "ground}, points: {p: [0.5, 0.2, 0.1]}}\n"
        "  b: {mass: 1, inertia: [0.1, 0.1, 0.15], center: [0, 0.2, 0.3], joint: {revolute: a, "
        "axis: "
        "[0, 1, 0], at: [0.6, 0, 0]}}\n"
        "start: {a.joint.omega_own: [1, 2, 3], b.joint.omega: 4}\n"
        "outputs: {vx: a.p.vx, vz: a.p.vz, wy: b.omega_y, ax: a.p.ax, az: a.p.az, ay: b.alpha_y, "
        "fz: a.joint.fz, ca: a.center.az, cb: b.center.az, mx: a.joint.mx, my: a.joint.my, mz: "
        "a.joint.mz, bx: b.ey.x*b.joint.mx + b.ey.y*b.joint.my + b.ey.z*b.joint.mz}\n");
    film f;
    run(&r, SP_METHOD_SMOOTH, 0.0101, 0.0, 1e-3, &f);
    for (int i = 2; i + 2 < f.n - 1; i++) {
        for (int k = 0; k < 3; k++) { /* differences of order 4 over 1 ms */
            const double rate = (8.0 * (f.value[i + 1][k] - f.value[i - 1][k]) -
                                 (f.value[i + 2][k] - f.value[i - 2][k])) /
                                (12.0 * 1e-3);
            assert_near_scaled(f.value[i][k + 3], rate, 100.0, 1e-8);
        }
        const double *v = f.value[i];
        assert_near(v[6], 2.0 * (v[7] + 9.81) + 1.0 * (v[8] + 9.81), 1e-11);
        for (int k = 9; k < 13; k++) { /* a ball carries no moment, a hinge none about its axis */
            assert_near(v[k], 0.0, 1e-11);
        }
    }
    rig_free(&r);
}

/* A beam on a hinge that comes to lie on a floor: hinge and floor share the weight. */
static void hinge_and_floor_share_the_weight(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1], at: [0, -0.3]}}}\n"
                        "  beam: {mass: 2, inertia: 0.1, center: [0.4, 0], joint: {revolute: "
                        "ground}, contours: {end: {point: [1, 0]}}}\n"
                        "contacts: {touch: {between: [beam, ground], law: {mu: 0.2}}}\n"
                        "outputs: {fx: beam.joint.fx, fy: beam.joint.fy, N: touch.lambda_N, T: "
                        "touch.lambda_T, al: beam.alpha}\n");
    film f;
    run(&r, SP_METHOD_MOREAU, 2.0, 1e-3, 0.1, &f);
    const double *v = f.value[f.n - 1], reach = sqrt(1.0 - 0.09);
    /* about the hinge: N reach + T 0.3 = m g 0.4 reach */
    assert_near(v[2] * reach + v[3] * 0.3, 2.0 * 9.81 * 0.4 * reach, 1e-6);
    assert_near(v[1] + v[2], 2.0 * 9.81, 1e-6);
    assert_near(v[0] + v[3], 0.0, 1e-6);
    assert_near(v[4], 0.0, 1e-6);
    assert_true(v[2] > 1.0);
    rig_free(&r);
}

/* A cart that falls on a floor and carries a swinging mass, event by event: in every frame floor,
 * weight, inertia and the joint balance on the cart. */
static void forces_on_a_cart_balance_from_event_to_event(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  cart: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: "
                    "{point: [0, 0]}}}\n"
                    "  top: {mass: 2, inertia: 0.1, center: [0, 0.1], joint: {revolute: cart, "
                    "stiffness: 50}}\n"
                    "contacts: {touch: {between: [cart, ground], law: {eps_N: 0}}}\n"
                    "start: {cart.y: 0.1, top.phi: 0.3}\n"
                    "outputs: {N: touch.lambda_N, f: top.joint.fy, a: cart.ay}\n");
    film f;
    run(&r, SP_METHOD_EVENT, 1.0, 0.0, 0.05, &f);
    int closed = 0;
    for (int i = 0; i < f.n; i++) {
        const double *v = f.value[i];
        closed += v[0] > 0.0;
        assert_near(v[2], v[0] - v[1] - 9.81, 1e-9);
        assert_near(v[0] > 0.0 ? v[2] : 0.0, 0.0, 1e-9); /* at rest it is not accelerated */
    }
    assert_true(closed > f.n / 2 && closed < f.n);
    rig_free(&r);
}

/* Elements: force and power of a spring with a damper, energy by its rate, a motor's torque. */
static void elements_tell_force_power_and_energy(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  ground: {points: {top: [0, 1]}}\n"
        "  m: {mass: 2, joint: {prismatic: ground, axis: [0, 1]}}\n"
        "  w: {mass: 1, inertia: 0.2, joint: {revolute: ground}}\n"
        "forces:\n"
        "  s: {spring: [ground.top, m], stiffness: 80, damping: 3, rest: 0.7}\n"
        "  k: {spring: w.phi, stiffness: 5}\n"
        "  d: {drive: w.joint, torque: 0.3 N*m}\n"
        "  g: {drag: m, quadratic: 0.4}\n"
        "start: {m.vy: 1, w.phi: 0.5}\n"
        "outputs: {x: s.length, v: s.rate, F: s.force, P: s.power, E: s.energy, T: k.force, A: "
        "k.angle, Q: d.force, R: d.power, om: w.omega, D: g.force, B: g.power, vy: m.vy}\n");
    film f;
    run(&r, SP_METHOD_SMOOTH, 0.0201, 0.0, 1e-3, &f);
    for (int i = 2; i + 3 < f.n; i++) {
        const double *v = f.value[i];
        const double energy = (8.0 * (f.value[i + 1][4] - f.value[i - 1][4]) -
                               (f.value[i + 2][4] - f.value[i - 2][4])) /
                              (12.0 * 1e-3);
        assert_near(v[1], -v[12], 1e-13); /* it shortens as the mass goes up */
        assert_near(v[2], 80.0 * (v[0] - 0.7) + 3.0 * v[1], 1e-12);
        assert_near(v[3], -v[2] * v[1], 1e-12);
        assert_near(v[4], 40.0 * (v[0] - 0.7) * (v[0] - 0.7), 1e-12);
        assert_near(energy, 80.0 * (v[0] - 0.7) * v[1], 1e-7);
        assert_near(v[5], 5.0 * v[6], 1e-12);
        assert_near(v[7], 0.3, 0.0);
        assert_near(v[8], 0.3 * v[9], 1e-13);
        assert_near(v[10], 0.4 * v[12] * v[12], 1e-12);
        assert_near(v[11], -v[10] * fabs(v[12]), 1e-12);
    }
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hinge_of_a_pendulum_carries_weight_and_inertia),
        cmocka_unit_test(the_moment_of_a_guide_is_about_its_place),
        cmocka_unit_test(reactions_do_not_depend_on_where_a_loop_is_cut),
        cmocka_unit_test(accelerations_in_space_are_rates_of_velocities),
        cmocka_unit_test(hinge_and_floor_share_the_weight),
        cmocka_unit_test(forces_on_a_cart_balance_from_event_to_event),
        cmocka_unit_test(elements_tell_force_power_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
