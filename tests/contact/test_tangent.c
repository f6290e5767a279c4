/* The machine's equations and their derivatives, against the ones the steps use and against
 * difference quotients of these. */
#include "contact/tangent.h"

#include "contact/rule.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

enum { MOST = 64 };
#define VALUE 1e-12 /* round-off of sums of some hundred terms, scaled           */
#define SLOPE 2e-8  /* of a difference of order 4 over 1e-3: 1e-12 of h^4, 1e-13/h of round-off */

/* A machine with everything to compare. */
typedef struct bench {
    rig r;
    sp_arena arena;
    sp_tangent tangent;
    double a[MOST];
    int n_row;
    sp_held_row row[MOST];
} bench;

/* r = M a - h - W lambda by the functions that steps use, at (q, u); the largest term. */
static double residual(bench *b, const double *q, const double *u, double *r)
{
    const sp_model *m = b->r.m;
    sp_work *w = b->r.w;
    sp_state *x = b->r.x;
    double scale = 0.0;
    memcpy(w->q, q, (size_t)m->n_q * sizeof *q);
    sp_dyn_init(m, x->numbers, &w->dyn);
    sp_dyn_terms(m, x->numbers, x->t, w->q, u, &w->kin, &w->dyn);
    sp_kin_velocities(m, u, &w->kin);
    sp_dyn_multiply(m, &w->dyn, b->a, r);
    for (int k = 0; k < m->n_dof; k++) {
        scale = fmax(scale, fabs(r[k]));
        for (int s = 0; s < SP_SHARES; s++) {
            r[k] -= w->dyn.acts[s] ? w->dyn.h[s][k] : 0.0;
            scale = fmax(scale, w->dyn.acts[s] ? fabs(w->dyn.h[s][k]) : 0.0);
        }
    }
    sp_con_at(x->t, 1.0, w->q, u, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    for (int i = 0; i < b->n_row; i++) {
        w->con.active[0] = b->row[i].slot;
        w->con.n_active = 1;
        sp_con_directions(m, x->numbers, &w->kin, true, &w->con);
        sp_con_add(&w->con, 0, sp_con_row(&w->con, w->con.W, b->row[i].part), -b->row[i].lambda, r);
        scale = fmax(scale, fabs(b->row[i].lambda));
    }
    return scale;
}

/* Derivative of that along (dq, du) by four differences over a step. */
static void slope(bench *b, const double *dq, const double *du, double step, double *dr)
{
    const sp_model *m = b->r.m;
    static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, at[4] = {-2.0, -1.0, 1.0, 2.0};
    double q[MOST], u[MOST], r[MOST];
    memset(dr, 0, (size_t)m->n_dof * sizeof *dr);
    for (int i = 0; i < 4; i++) {
        memcpy(q, b->r.x->q, (size_t)m->n_q * sizeof *q);
        sp_kin_advance(m, at[i] * step, dq, q);
        for (int k = 0; k < m->n_dof; k++) {
            u[k] = b->r.x->u[k] + at[i] * step * du[k];
        }
        residual(b, q, u, r);
        for (int k = 0; k < m->n_dof; k++) {
            dr[k] += weight[i] * r[k] / (12.0 * step);
        }
    }
}

static bench begin(rig r)
{
    bench b = {.r = r};
    sp_arena_init(&b.arena, NULL, 0);
    assert_true(sp_tangent_alloc(&b.arena, b.r.m, &b.tangent));
    assert_true(b.r.m->n_q <= MOST);
    return b;
}

static void end(bench *b)
{
    sp_arena_free(&b->arena);
    rig_free(&b->r);
}

/* Shake the machine, and give all bilateral rows and all contacts forces. */
static void shake(bench *b, rng *r, double size)
{
    const sp_model *m = b->r.m;
    double turn[MOST];
    for (int k = 0; k < m->n_dof; k++) {
        turn[k] = rng_in(r, -size, size);
        b->r.x->u[k] = rng_in(r, -3.0, 3.0);
        b->a[k] = rng_in(r, -5.0, 5.0);
    }
    sp_kin_advance(m, 1.0, turn, b->r.x->q);
}

static void load(bench *b, rng *r)
{
    const sp_model *m = b->r.m;
    b->n_row = 0;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        b->row[b->n_row++] = (sp_held_row){i, 0, rng_in(r, -4.0, 4.0)};
        const bool slips =
            i < m->n_slot && (!m->slot[i].is.rule || m->rule[m->slot[i].rule].n_slip > 0);
        if (slips) {
            b->row[b->n_row++] = (sp_held_row){i, 1, rng_in(r, -4.0, 4.0)};
        }
    }
}

/* Value and derivative along random directions. */
static void compare(bench *b, rng *r, int directions)
{
    const sp_model *m = b->r.m;
    sp_state *x = b->r.x;
    double want[MOST], want_d[MOST], near_d[MOST], dq[MOST], du[MOST];
    for (int i = 0; i < directions; i++) {
        for (int k = 0; k < m->n_dof; k++) {
            dq[k] = rng_in(r, -1.0, 1.0);
            du[k] = rng_in(r, -1.0, 1.0);
        }
        slope(b, dq, du, 1e-3, want_d);
        slope(b, dq, du, 5e-4, near_d); /* how far to trust it, near places where it bends */
        const double scale = residual(b, x->q, x->u, want);
        const sp_tangent_point at = {.at = {x->t, x->q, x->u, b->a, x->z, &b->r.w->kin},
                                     .con = &b->r.w->con,
                                     .n_row = b->n_row,
                                     .row = b->row};
        sp_tangent_look(m, x->numbers, &at, dq, du, &b->tangent);
        double scale_d = scale;
        for (int k = 0; k < m->n_dof; k++) {
            scale_d = fmax(scale_d, fabs(want_d[k]));
        }
        double doubt = 0.0;
        for (int k = 0; k < m->n_dof; k++) {
            doubt = fmax(doubt, fabs(want_d[k] - near_d[k]));
        }
        for (int k = 0; k < m->n_dof; k++) {
            assert_near_scaled(b->tangent.r[k].v, want[k], scale, VALUE);
            assert_near_scaled(b->tangent.r[k].d, near_d[k], scale_d, SLOPE + doubt / scale_d);
        }
    }
}

/* Balls get springs, which files cannot give them. */
static void add_springs(sp_model *m)
{
    for (int k = 0; k < m->n_dof; k++) {
        if (m->dof[k].move == SP_MOVE_BALL) {
            sp_dof_numbers *n = (sp_dof_numbers *)m->numbers.dof + k;
            n->stiffness = 2.0 + k;
            n->damping = 0.3;
            n->rest = 0.1;
            ((sp_dof *)m->dof)[k].spring = true;
            ((int *)m->layout.spring)[m->layout.n_spring++] = k;
            m->layout.elements = true;
            m->n_action++;
        }
    }
}

/* Many states of one machine. */
static void check_machine(rig machine, double size)
{
    rng r = {7};
    sp_error err = {.status = SP_OK};
    add_springs(machine.m);
    sp_work_free(machine.w); /* had no room for them */
    assert_int_equal(sp_work_new(machine.m, NULL, &machine.w, &err), SP_OK);
    bench b = begin(machine);
    for (int i = 0; i < check_cases(6, 200); i++) {
        shake(&b, &r, size);
        load(&b, &r);
        compare(&b, &r, 3);
    }
    end(&b);
}

/* ---- machines -------------------------------------------------------------------------------- */

static void a_planar_tree_with_springs_and_all_elements(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  cart: {mass: 2, inertia: 0.3, center: [0.1, 0.2], joint: {free: ground, stiffness: "
            "[20, 30, 4], damping: [1, 2, 0.3]}}\n"
            "  arm: {mass: 1, inertia: 0.1, center: [0.3, 0], joint: {revolute: cart, at: [0.2, "
            "0.1], from: [-0.1, 0.05], stiffness: 3, damping: 0.2}, points: {tip: [0.7, 0.1]}}\n"
            "  slide: {mass: 0.5, inertia: 0.02, center: [0.1, 0.1], joint: {prismatic: arm, axis: "
            "[0.6, 0.8], at: [0.3, 0]}}\n"
            "forces:\n"
            "  s1: {spring: [ground, arm.tip], stiffness: 40, rest: 0.5, damping: 2, preload: 3}\n"
            "  s2: {spring: slide.x*slide.x/(1 m) - arm.phi*(1 m), force: 3 N * sin(x/(1 m)) + 2 "
            "N*s/m * "
            "v}\n"
            "  f: {force: [3 N * cos(arm.phi), 2 N*s/m * arm.vy], on: arm.tip, frame: own}\n"
            "  t0: {torque: -0.3 N*m*s/rad * arm.omega, on: arm}\n"
            "  d: {drive: arm.joint, torque: 2 N*m * cos(phi) - 0.1 N*m*s/rad * omega}\n"
            "  g: {gas: [ground, slide], area: 1e-3, pressure: 1e5, volume: 1e-2, rest: 1}\n"
            "  o: {orifice: [cart, slide], compression: 3, rebound: 5}\n"
            "  b: {bushing: [arm.tip, slide], stiffness: [30, 20, 2], damping: [1, 2, 0.2]}\n"
            "  w: {drag: slide, quadratic: 0.7, linear: 0.2, wind: [1, 2]}\n"
            "  m: {motor: slide.joint, position: 0.3, P: 30, D: 2}\n"
            "start: {cart.x: 3, cart.y: 2}\n"),
        0.5);
}

static void contacts_by_a_force(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nunits: off\n"
            "laws: {soft: {force: 40*(-g_N)^1.5 + 3*v_N*g_N^2}}\n"
            "bodies:\n"
            "  ground: {contours: {wall: {line: [0.6, 0.8], at: [0, -0.3]}, hole: {circle: 3, "
            "inside: "
            "yes}}}\n"
            "  rod: {beam: {length: 2, section: {area: 1, inertia: 0.1}, young: 40, density: 1}, "
            "elastic: {bending: 3, stretch: 1}, joint: {revolute: ground}, contours: {top: {side: "
            "upper, height: 0.1}, tip: {circle: 0.2, at: [2, 0]}}}\n"
            "  low: {beam: {length: 2, section: {area: 1, inertia: 0.1}, young: 40, density: 1}, "
            "elastic: {bending: 2}, joint: {free: ground}, contours: {side: {side: lower, height: "
            "0.1}}}\n"
            "  ball: {mass: 1, inertia: 0.3, center: [0.1, 0.05], joint: {free: ground}, contours: "
            "{rim: {circle: 0.5, at: [0.1, 0.2]}, mate: {circle: 0.3, at: [-0.5, 0]}}}\n"
            "contacts:\n"
            "  c1: {between: [ball.rim, rod.top], law: soft}\n"
            "  c2: {between: [ball.mate, ground.wall], law: soft}\n"
            "  c3: {between: [ball.rim, ground.hole], law: soft}\n"
            "  c4: {between: [rod.tip, ball.mate], law: soft}\n"
            "  c5: {between: [ball.mate, low.side], law: soft}\n"
            "start: {rod.e1: 0.2, rod.e2: -0.1, rod.e4: 0.05, rod.phi: 0.1, ball.x: 1.1, ball.y: "
            "0.2, "
            "ball.vy: -0.7, ball.omega: 0.4, low.x: 0.2, low.y: 0.6, low.phi: -0.2}\n"),
        1.0);
}

static void beads_on_tracks_that_move_and_a_magnet(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  arm: {mass: 1, inertia: 0.1, center: [0.3, 0], joint: {revolute: ground}}\n"
            "  bead: {mass: 0.5, inertia: 0.02, joint: {track: arm, at: [0.3, 0], turn: 0.4, "
            "curve: [s*1 m, s^2*0.3 m + s^3*0.1 m], over: [-2, 2], stiffness: 2, rest: 1}}\n"
            "  rod: {mass: 1, inertia: 0.1, center: [0.2, 0.1], joint: {revolute: bead}}\n"
            "forces: {f: {magnet: [ground, rod], strength: 2, cutoff: 0.1}}\n"
            "start: {arm.phi: 0.3, arm.omega: 1, bead.joint.s: 2.3, bead.joint.v: 0.8}\n"),
        1.0);
}

static void a_tree_in_space_with_all_joints(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], center: [0.1, 0.2, 0.1], joint: {free: "
            "ground}}\n"
            "  b: {mass: 1, inertia: [0.2, 0.1, 0.25], center: [0.3, 0, 0.1], joint: {universal: "
            "a, at: "
            "[0.2, 0.1, 0], axis: [[1, 0, 0], [0, 1, 0]]}}\n"
            "  c: {mass: 1, inertia: [0.2, 0.1, 0.25], center: [0, 0.2, 0.1], joint: {spherical: "
            "b, at: "
            "[0.5, 0, 0], from: [0.1, 0, 0.2]}, points: {tip: [0.1, 0.4, 0.3]}}\n"
            "  d: {mass: 0.7, inertia: [0.1, 0.1, 0.15], center: [0, 0.1, 0.1], joint: {screw: a, "
            "axis: "
            "[0, 0.6, 0.8], at: [0, 0.2, 0], pitch: 0.3}}\n"
            "  e: {mass: 0.7, inertia: [0.1, 0.1, 0.15], center: [0, 0.1, 0.1], joint: "
            "{cylindrical: d, "
            "axis: [0.6, 0, 0.8], from: [0.1, 0, 0]}}\n"
            "  f: {mass: 0.7, inertia: [0.1, 0.1, 0.15], center: [0.2, 0.1, 0], joint: {planar: c, "
            "axis: "
            "[0, 0, 1]}}\n"
            "forces:\n"
            "  s1: {spring: [ground, c.tip], stiffness: 40, rest: 0.5, damping: 2, preload: 3}\n"
            "  s2: {spring: e.x*e.z/(1 m), force: 3 N * sin(x/(1 m)) + 2 N*s/m * v}\n"
            "  f1: {force: [3 N, 2 N*s/m * c.vy, 1 N], on: c.tip, frame: own}\n"
            "  t1: {torque: [0.1, 0.2, 0.3], on: e, frame: own}\n"
            "  b1: {bushing: [d, f], stiffness: [30, 20, 10, 1, 2, 3], damping: [1, 2, 3, 0.1, "
            "0.2, 0.3]}\n"
            "  w1: {drag: c.tip, quadratic: 0.7}\n"
            "start: {a.joint.x: 3, a.joint.z: 1}\n"),
        0.4);
}

/* A hinge that closes a loop, a coupling, contacts of all kinds of contours and by expressions. */
static void rows_of_loops_couplings_and_contacts(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                    "bodies:\n"
                    "  ground: {contours: {floor: {line: [0.6, 0.8], at: [0, -5]}, hole: {circle: "
                    "4, inside: true}, box: {polygon: "
                    "[[8, 0], [9, 0], [9, 1], [8, 1]]}}}\n"
                    "  a: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {revolute: ground}, "
                    "contours: {disc: "
                    "{circle: 0.3, at: [0.4, 0.1]}}}\n"
                    "  b: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {revolute: a, at: [1, "
                    "0]}, contours: "
                    "{ball: {circle: 0.2, at: [0.3, 0.9]}, p: {point: [0.2, 0.1]}}}\n"
                    "  c: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {free: ground}}\n"
                    "joints: {close: {revolute: [b, c], at: [1, 0], from: [0.7, 0]}}\n"
                    "couplings: {gear: {of: a.phi + 2*c.phi + b.phi*c.phi/(1 rad), fix: 0}}\n"
                    "contacts:\n"
                    "  one: {between: [b, ground.floor], law: {mu: 0.3}}\n"
                    "  two: {between: [b.ball, ground.hole], law: {mu: 0.3}}\n"
                    "  three: {between: [b.ball, a.disc], law: {mu: 0.3}}\n"
                    "  four: {between: [b.ball, ground.box], law: {mu: 0.3}}\n"
                    "  five: {gap: 3 m + b.x*sin(a.phi), slip: b.vx*cos(a.phi) + b.omega*b.y, law: "
                    "{mu: 0.2}}\n"
                    "start: {a.phi: 0.2, b.phi: 0.1}\n"),
        0.05);
}

static void a_guide_that_closes_a_loop(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                    "bodies:\n"
                    "  a: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {revolute: ground}}\n"
                    "  c: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {free: ground}}\n"
                    "joints: {guide: {prismatic: [a, c], axis: [0.6, 0.8], at: [0.2, 0.1]}}\n"
                    "start: {a.phi: 0.2}\n"),
        0.5);
}

static void loops_in_space(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], center: [0.5, 0, 0], joint: {spherical: "
            "ground}}\n"
            "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], center: [0.5, 0, 0], joint: {free: ground}}\n"
            "joints: {j1: {universal: [a, b], axis: [0, 0, 1], other_axis: [1, 0, 0]}}\n"
            "couplings: {lead: {of: b.ex.y*(1 m) + b.z*a.ey.z, fix: 0}}\n"),
        0.3);
}

static void formula_coordinates_of_a_bead_on_a_turning_wire(void **ctx)
{
    (void)ctx;
    check_machine(rig_of_text("specht: 1\nparameters: {m: 0.7 kg, J: 0.3 kg*m^2, k: 3 N/m}\n"
                              "formula:\n"
                              "  coordinates: {x: m, phi: rad, th: rad}\n"
                              "  kinetic: (m*(x'^2 + x^2*phi'^2) + J*th'^2 + m*(1 m)*cos(th - "
                              "phi)*x'*th' + J*sin(th)^2*(2 rad/s + phi')^2)/2 + J*th'^2\n"
                              "  potential: k*x^2/2 - (3 N)*x*cos(phi) + (1 N*m)*exp(sin(th))\n"
                              "  dissipation: (0.3 N*s/m)*x'^2*(1 + x^2/(1 m^2))\n"
                              "  forces: {th: (0.1 N*m*s^2)*phi'*th'}\n"
                              "start: {x: 2}\n"),
                  0.3);
}

/* Elements that pull on formula coordinates, alone and together with bodies. */
static void force_elements_on_formula_coordinates(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies: {a: {mass: 2, inertia: 0.3, joint: {revolute: ground, damping: 0.1}}}\n"
            "formula:\n"
            "  coordinates: {x: m, y: m}\n"
            "  kinetic: (1 kg)*(x'^2 + y'^2 + x'*y'*cos(x/(1 m)))/2\n"
            "forces:\n"
            "  s1: {spring: x - (0.5 m)*a.phi, stiffness: 30, damping: 2}\n"
            "  s2: {spring: x*y/(1 m), force: 4 N * sin(x/(1 m))}\n"),
        0.4);
}

static void formula_coordinates_by_M_and_h(void **ctx)
{
    (void)ctx;
    check_machine(
        rig_of_text("specht: 1\n"
                    "formula:\n"
                    "  coordinates: {x: m, y: m}\n"
                    "  M: [[2 kg + x^2*(1 kg/m^2), 0], [0.3 kg * sin(y/(1 m)), 3 kg]]\n"
                    "  h: [-(3 N/m)*x + (1 N*s^2/m^2)*y'^2, (2 N)*cos(x/(1 m)) - (0.2 N*s/m)*y']\n"
                    "contacts: {stop: {gap: 3 m - x + 0.2*y^2/(1 m), slip: y' + x'*y/(1 m), law: "
                    "{mu: 0.1}}}\n"),
        0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planar_tree_with_springs_and_all_elements),
        cmocka_unit_test(contacts_by_a_force),
        cmocka_unit_test(beads_on_tracks_that_move_and_a_magnet),
        cmocka_unit_test(a_tree_in_space_with_all_joints),
        cmocka_unit_test(rows_of_loops_couplings_and_contacts),
        cmocka_unit_test(a_guide_that_closes_a_loop),
        cmocka_unit_test(loops_in_space),
        cmocka_unit_test(formula_coordinates_of_a_bead_on_a_turning_wire),
        cmocka_unit_test(force_elements_on_formula_coordinates),
        cmocka_unit_test(formula_coordinates_by_M_and_h),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
