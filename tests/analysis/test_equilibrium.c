/* Equilibria against closed forms, and what is said where there is none. */
#include "support/swing.h"

#define EXACT 1e-11

static double at(const swing *s, const char *dof)
{
    return s->r.x->q[s->r.m->dof[rig_dof(&s->r, dof)].q];
}

/* Where a horizontal rod has no stiffness at all, the search goes along the forces. */
static void a_rod_that_begins_level_falls_to_hang(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                                "bodies: {rod: {mass: 1, inertia: 0.1, center: [0, -0.5], joint: "
                                "{revolute: ground}}}\nstart: {rod.phi: 90 deg}\n")};
    swing_must(&s, true);
    assert_near(at(&s, "rod.joint.phi"), 0.0, EXACT);
    swing_free(&s);
}

/* A weight on a gas spring:  p_0 (V_0/V)^n A = m g + p_a A. */
static void a_weight_rests_on_a_gas_spring(void **ctx)
{
    (void)ctx;
    swing s = {
        .r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                         "bodies: {m: {mass: 20, joint: {prismatic: ground, axis: [0, -1]}}}\n"
                         "forces: {g: {gas: m.joint.s, area: 1e-3, pressure: 1.2e5, volume: 1e-3, "
                         "exponent: 1.3, ambient: 1e5}}\n")};
    swing_must(&s, true);
    const double p = 20.0 * 9.81 / 1e-3 + 1e5, V = 1e-3 * pow(1.2e5 / p, 1.0 / 1.3);
    assert_near(at(&s, "m.joint.s"), (1e-3 - V) / 1e-3, EXACT);
    /* stiffness n p A^2/V */
    assert_near(6.283185307179586 * s.modes.mode[0].frequency_hz, sqrt(1.3 * p * 1e-6 / V / 20.0),
                EXACT);
    swing_free(&s);
}

/* A ladder between a smooth wall and a rough floor: forces of the contacts by statics. */
static void a_ladder_leans_with_the_forces_of_statics(void **ctx)
{
    (void)ctx;
    const double l = 2.0, phi = 1.2;
    swing s = {
        .r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [-1, 0]}}}\n"
            "  ladder: {mass: 10, inertia: 3, contours: {foot: {point: [-1, 0]}, head: {point: "
            "[1, 0]}}}\n"
            "contacts:\n"
            "  bottom: {between: [ladder.foot, ground.floor], law: {mu: 0.9}}\n"
            "  top: {between: [ladder.head, ground.wall], law: {mu: 0}}\n"
            "start: {ladder.phi: %.17g, ladder.x: %.17g, ladder.y: %.17g}\n",
            phi, -cos(phi), sin(phi))};
    swing_close(&s, "bottom", SP_CLOSED_STICKS);
    swing_close(&s, "top", SP_CLOSED_ITSELF);
    swing_must(&s, true);
    assert_int_equal(s.modes.n_mode, 0); /* nothing can move any more */
    assert_int_equal(s.l->n_row, 3);
    const double wall = 10.0 * 9.81 * 0.5 * l * cos(phi) / (l * sin(phi));
    assert_near(s.l->row[0].lambda, 10.0 * 9.81, 1e-9);
    assert_near(fabs(s.l->row[1].lambda), wall, 1e-9);
    assert_near(s.l->row[2].lambda, wall, 1e-9);
    swing_free(&s);
}

/* Three bars as a hanging chain between two points: the reactions of the loop balance the weight,
 * and the middle bar is level by symmetry. */
static void a_hanging_chain_of_three_bars_is_level_in_the_middle(void **ctx)
{
    (void)ctx;
    swing s = {
        .r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
            "  a: {mass: 1, inertia: 0.08, center: [0.5, 0], joint: {revolute: ground}}\n"
            "  b: {mass: 1, inertia: 0.08, center: [0.5, 0], joint: {revolute: a, at: [1, 0]}}\n"
            "  c: {mass: 1, inertia: 0.08, center: [0.5, 0], joint: {revolute: b, at: [1, 0]}}\n"
            "joints: {pin: {revolute: [c, ground], at: [1, 0], from: [2.2, 0]}}\n"
            "start: {a.joint.phi: -0.8}\n")};
    swing_must(&s, true);
    const double phi_a = at(&s, "a.joint.phi"), phi_b = phi_a + at(&s, "b.joint.phi");
    assert_near(phi_b, 0.0, EXACT);
    assert_near(cos(phi_a), 0.6, EXACT); /* 2 cos + 1 = 2.2 */
    /* each end carries half the weight, and pulls with H to balance an end bar about its lower
     * hinge */
    const double V = 1.5 * 9.81, H = (V * 0.6 - 9.81 * 0.5 * 0.6) / 0.8;
    assert_int_equal(s.l->n_row, 2);
    assert_near(hypot(s.l->row[0].lambda, s.l->row[1].lambda), hypot(V, H), EXACT);
    assert_int_equal(s.modes.n_unstable, 0);
    swing_free(&s);
}

static void what_is_not_balanced_is_named_and_the_state_stays(void **ctx)
{
    (void)ctx;
    swing s = {.r =
                   rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                               "bodies: {m: {mass: 20, joint: {prismatic: ground, axis: [0, 1]}}}\n"
                               "start: {m.y: 2, m.vy: 3}\n")};
    swing_find(&s, true);
    assert_int_equal(s.status, SP_E_NOT_CONVERGED);
    assert_non_null(strstr(s.err.text, "'m.joint.s' is accelerated by -9.81 m/s^2"));
    assert_true(s.r.x->q[0] == 2.0 && s.r.x->u[0] == 3.0);
    swing_free(&s);
}

/* A motor turns the crank of a slider-crank that begins stretched.  The hinge of the rod then turns
 * by -(1 + a/l) per turn of the crank (a = 0.05 and l = 0.3: -7/6) and is accelerated more, but the
 * torque that nothing balances is the crank's. */
static void what_is_driven_is_named_not_what_it_carries_along(void **ctx)
{
    (void)ctx;
    swing s = {
        .r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
            "  crank: {mass: 1, inertia: 1e-3, joint: {revolute: ground}}\n"
            "  rod: {mass: 0.2, inertia: 1e-3, center: [0.15, 0], joint: {revolute: crank, at: "
            "[0.05, 0]}}\n"
            "  slider: {mass: 0.3, inertia: 1e-4, joint: {prismatic: ground, axis: [1, 0], at: "
            "[0.35, 0]}}\n"
            "joints: {pin: {revolute: [rod, slider], at: [0.3, 0]}}\n"
            "forces: {drive: {motor: crank.joint, speed: 10 rad/s, P: 1 N*m*s/rad}}\n")};
    swing_find(&s, true);
    assert_int_equal(s.status, SP_E_NOT_CONVERGED);
    assert_non_null(strstr(s.err.text, "'crank.joint.phi' is accelerated by"));
    swing_free(&s);
}

static void a_contact_that_cannot_be_closed_is_named(void **ctx)
{
    (void)ctx;
    swing s = {
        .r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                         "  ground: {contours: {floor: {line: [0, 1], at: [0, -3]}}}\n"
                         "  rod: {mass: 1, inertia: 0.1, center: [0, -0.5], joint: {revolute: "
                         "ground}, contours: {tip: {point: [0, -1]}}}\n"
                         "contacts: {touch: {between: [rod, ground], law: {}}}\n"
                         "start: {rod.phi: 0.3}\n")};
    swing_close(&s, "touch", SP_CLOSED_ITSELF);
    swing_find(&s, true);
    assert_int_equal(s.status, SP_E_NOT_CONVERGED);
    assert_non_null(strstr(s.err.text, "'touch' cannot be closed"));
    swing_free(&s);
}

/* A motor that holds its place, a spring by an expression: the closed form of each. */
static void motors_and_springs_by_expression_find_their_place(void **ctx)
{
    (void)ctx;
    swing s = {.r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                                "  a: {mass: 2, joint: {prismatic: ground, axis: [0, 1]}}\n"
                                "  b: {mass: 2, joint: {prismatic: ground, axis: [0, 1]}}\n"
                                "forces:\n"
                                "  m: {motor: a.joint, position: 0.5 m, P: 400, D: 30}\n"
                                "  s: {spring: b.y, force: 1000 N * (x/(1 m))^3}\n"
                                "start: {b.y: -0.5}\n")};
    swing_must(&s, true);
    assert_near(at(&s, "a.joint.s"), 0.5 - 2.0 * 9.81 / 400.0, EXACT);
    assert_near(at(&s, "b.joint.s"), -cbrt(2.0 * 9.81 / 1000.0), EXACT);
    swing_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_begins_level_falls_to_hang),
        cmocka_unit_test(a_weight_rests_on_a_gas_spring),
        cmocka_unit_test(a_ladder_leans_with_the_forces_of_statics),
        cmocka_unit_test(a_hanging_chain_of_three_bars_is_level_in_the_middle),
        cmocka_unit_test(what_is_not_balanced_is_named_and_the_state_stays),
        cmocka_unit_test(what_is_driven_is_named_not_what_it_carries_along),
        cmocka_unit_test(a_contact_that_cannot_be_closed_is_named),
        cmocka_unit_test(motors_and_springs_by_expression_find_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
