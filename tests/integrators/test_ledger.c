/* The energy ledger: every line against an evaluation of its own, from closed forms or from the
 * printed equations, and the balance as a check that can fail. */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

static const sp_method methods[2] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};

/* ---- (8.2), (8.3) by hand ---------------------------------------------------------------------
 */

/* 1/2 u'M u of the slider-crank's printed mass matrix at th. */
static double quadratic(const double *th, const double *om)
{
    return crank_kinetic(th, om);
}

/* D = 1/2 u_E'(M_E - M_M) u_E - 1/2 u_A'(M_A - M_M) u_A + V_E - V_A + u.h_c dt, where h_c is taken
 * at u_h.   theory (8.3) */
static double error_of_step(const double *th_A, const double *om_A, const double *om_E, double dt,
                            bool mean)
{
    double th_M[CRANK_N], th_E[CRANK_N], om_h[CRANK_N], h[CRANK_N], push = 0.0;
    for (int k = 0; k < CRANK_N; k++) {
        th_M[k] = th_A[k] + 0.5 * dt * om_A[k];
        th_E[k] = th_M[k] + 0.5 * dt * om_E[k];
        om_h[k] = mean ? 0.5 * (om_A[k] + om_E[k]) : om_A[k];
    }
    crank_forces(th_M, om_h, h);
    for (int k = 0; k < CRANK_N; k++) {
        push += 0.5 * (om_A[k] + om_E[k]) * h[k] * dt;
    }
    return quadratic(th_E, om_E) - quadratic(th_M, om_E) - quadratic(th_A, om_A) +
           quadratic(th_M, om_A) + crank_potential(th_E) - crank_potential(th_A) + push;
}

static const char *const corner_name[] = {"guide.c1.upper", "guide.c2.upper", "guide.c3.lower",
                                          "guide.c4.lower"};

/* Work of all corners with the printed directions at the midpoint: u.W P.   theory (8.2) */
static double work_of_contacts(const rig *r, const double *th_A, const double *om_A,
                               const double *om_E, double dt)
{
    double th_M[CRANK_N], W[2][CRANK_N], work = 0.0;
    for (int k = 0; k < CRANK_N; k++) {
        th_M[k] = th_A[k] + 0.5 * dt * om_A[k];
    }
    for (int i = 0; i < 4; i++) {
        const sp_contact_memory *c = &r->x->contact[rig_slot(r, corner_name[i])];
        crank_directions(th_M, i, W[0], W[1]);
        for (int k = 0; k < CRANK_N; k++) {
            work += 0.5 * (om_A[k] + om_E[k]) * (W[0][k] * c->P_N + W[1][k] * c->P_T);
        }
    }
    return work;
}

/* Through impacts, sliding and free flight, with the symmetric and the broken start. */
static void ledger_of_the_slider_crank_is_that_of_the_equations(void **ctx)
{
    (void)ctx;
    const double dt = 1e-5, E = 7.49554875;
    for (int i = 0; i < 4; i++) {
        const bool mean = i % 2 == 1;
        rig r = rig_slider_crank(i < 2 ? 0.0 : -0.1);
        double worst_D = 0.0, worst_work = 0.0, largest_D = 0.0;
        for (int k = 0; k < 2000; k++) {
            double th_A[CRANK_N], om_A[CRANK_N], om_E[CRANK_N];
            const sp_ledger before = r.x->ledger;
            crank_absolute(r.x->q, th_A);
            crank_absolute(r.x->u, om_A);
            rig_step(&r, methods[mean], dt);
            crank_absolute(r.x->u, om_E);
            const sp_ledger *l = &r.x->ledger;
            const double D = l->discretisation - (k > 0 ? before.discretisation : 0.0);
            const double work =
                l->friction + l->impacts - (k > 0 ? before.friction + before.impacts : 0.0);
            worst_D = check_worse(worst_D, fabs(D - error_of_step(th_A, om_A, om_E, dt, mean)));
            worst_work =
                check_worse(worst_work, fabs(work - work_of_contacts(&r, th_A, om_A, om_E, dt)));
            largest_D = check_worse(largest_D, fabs(D));
        }
        print_message("%s: D up to %.1e J per step, off by %.1e J; contact work off by %.1e J\n",
                      sp_method_name(methods[mean]), largest_D, worst_D, worst_work);
        assert_true(worst_D <= 1e-13 * E);
        assert_true(worst_work <= 1e-13 * E);
        assert_true(largest_D > 1e-9 * E); /* there was something to compare */
        assert_true(r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

/* ---- D in smooth conservative motion ----------------------------------------------------------
 */

/* Two links, a linear spring between points, springs in the joints; no dampers. */
static rig double_pendulum(void)
{
    return rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                       "bodies:\n"
                       "  ground: {points: {hook: [0.5 m, 0.3 m]}}\n"
                       "  upper: {mass: 1.2 kg, inertia: 0.03 kg*m^2, center: [0.2 m, 0.05 m],\n"
                       "    joint: {revolute: ground, stiffness: 3 N*m/rad, rest: 20 deg}}\n"
                       "  lower: {mass: 0.7 kg, inertia: 0.02 kg*m^2, center: [0.25 m, 0],\n"
                       "    joint: {revolute: upper, at: [0.4 m, 0]}, points: {tip: [0.5 m, 0]}}\n"
                       "forces:\n"
                       "  coil: {spring: [ground.hook, lower.tip], stiffness: 40 N/m,\n"
                       "    rest: 0.3 m}\n"
                       "start: {upper.phi: -30 deg, lower.phi: 40 deg, upper.omega: 3 rad/s,\n"
                       "  lower.omega: -2 rad/s}\n");
}

static void sum_of_D_falls_with_the_order_of_the_method(void **ctx)
{
    (void)ctx;
    enum { SIZES = 7 };
    for (int i = 0; i < 2; i++) {
        double dt[SIZES], D[SIZES];
        for (int k = 0; k < SIZES; k++) {
            const long n = 500L << k;
            rig r = double_pendulum();
            dt[k] = 0.5 / (double)n;
            rig_steps(&r, methods[i], dt[k], n);
            const sp_ledger *l = &r.x->ledger;
            D[k] = fabs(l->discretisation);
            /* all that the energy changed by is the error of the scheme */
            assert_true(fabs(l->kinetic + l->potential - l->initial - l->discretisation) <=
                        1e-11 * l->scale);
            assert_true(l->dampers == 0.0 && l->applied == 0.0 && l->friction == 0.0);
            assert_true(l->impacts == 0.0 && l->projection == 0.0);
            assert_true(r.worst.closure < 1e-12);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, D);
        print_message("%s: sum of D from %.2e to %.2e J, order %.3f\n", sp_method_name(methods[i]),
                      D[0], D[SIZES - 1], order);
        assert_true(fabs(order - (i == 0 ? 1.0 : 2.0)) < 0.1);
    }
}

/* ---- dampers and applied forces ---------------------------------------------------------------
 */

/* m x'' + d x' + k x = 0 from x = 0.1, x' = 0: the velocity. */
static const double mass = 2.0, stiffness = 50.0, damping = 3.0, x_0 = 0.1;
static double damped_velocity(double t)
{
    const double a = damping / (2.0 * mass), w = sqrt(stiffness / mass - a * a);
    return -x_0 * (a * a + w * w) / w * exp(-a * t) * sin(w * t);
}

/* Simpson's rule on n double intervals. */
static double integral(double (*f)(double), double t, int n)
{
    double sum = 0.0;
    const double h = t / (2.0 * n);
    for (int k = 0; k < n; k++) {
        sum += h / 3.0 * (f(2 * k * h) + 4.0 * f((2 * k + 1) * h) + f((2 * k + 2) * h));
    }
    return sum;
}

static double damper_power(double t)
{
    const double v = damped_velocity(t);
    return -damping * v * v;
}

static void work_of_a_damper_converges_to_its_integral(void **ctx)
{
    (void)ctx;
    enum { SIZES = 7 };
    const double exact = integral(damper_power, 1.0, 20000);
    for (int i = 0; i < 2; i++) {
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            const long n = 200L << k;
            rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                                "bodies: {cart: {mass: %g, joint: {prismatic: ground, axis: [1, "
                                "0], stiffness: %g, damping: %g}}}\n"
                                "start: {cart.joint.s: %g}\n",
                                mass, stiffness, damping, x_0);
            dt[k] = 1.0 / (double)n;
            rig_steps(&r, methods[i], dt[k], n);
            err[k] = fabs(r.x->ledger.dampers - exact);
            assert_true(r.x->ledger.applied == 0.0);
            assert_true(r.worst.closure < 1e-12);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, err);
        print_message("%s: work of the damper %.6f J, error %.1e to %.1e J, order %.3f\n",
                      sp_method_name(methods[i]), exact, err[0], err[SIZES - 1], order);
        assert_true(fabs(order - (i == 0 ? 1.0 : 2.0)) < 0.1);
    }
}

/* F = F_0 sin(w t) on a free mass: v = F_0/(m w) (1 - cos w t), work = 1/2 m v^2. */
static void work_of_an_applied_force_converges_to_its_integral(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double t = 0.7, w = 6.0, F = 4.0, v = F / (mass * w) * (1.0 - cos(w * t));
    for (int i = 0; i < 2; i++) {
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            const long n = 50L << k;
            rig r =
                rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                            "bodies: {cart: {mass: %g, inertia: 1}}\n"
                            "forces: {push: {force: [%g N * sin(%g rad/s * t), 0], on: cart}}\n",
                            mass, F, w);
            dt[k] = t / (double)n;
            rig_steps(&r, methods[i], dt[k], n);
            err[k] = fabs(r.x->ledger.applied - 0.5 * mass * v * v);
            assert_true(r.x->ledger.dampers == 0.0);
            assert_true(r.worst.closure < 1e-12);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, err);
        print_message("%s: work of the force, error %.1e to %.1e J, order %.3f\n",
                      sp_method_name(methods[i]), err[0], err[SIZES - 1], order);
        assert_true(fabs(order - 2.0) < 0.1); /* the force depends on time alone */
    }
}

/* A bead on the x axis, s; the spring runs to a hook at height b: x = sqrt(s^2 + b^2). */
typedef struct bead {
    double s, v; /* at the midpoint: place, velocity the forces are taken at */
    double mean; /* mean velocity of the step                                */
    double t;    /* of the midpoint                                          */
    double dt;
} bead;

typedef struct element {
    const char *yaml;
    double (*dampers)(const bead *b); /* work in one step, NULL: none */
    double (*applied)(const bead *b);
} element;

static const double hook = 0.4;

static double rate_of(const bead *b, double v)
{
    return b->s * v / hypot(b->s, hook);
}

static double work_point_damper(const bead *b)
{
    return -1.5 * rate_of(b, b->v) * rate_of(b, b->mean) * b->dt;
}

static double work_point_law(const bead *b)
{
    const double x = hypot(b->s, hook), f = 20.0 * x * x + 0.5 * rate_of(b, b->v);
    return -f * rate_of(b, b->mean) * b->dt;
}

static double work_joint_damper(const bead *b)
{
    return -0.7 * b->v * b->mean * b->dt;
}

static double work_measure_law(const bead *b) /* measure s^2 / 1 m, rate 2 s v / 1 m */
{
    const double x = b->s * b->s, v = 2.0 * b->s * b->v;
    return -(8.0 * x + 0.3 * v) * 2.0 * b->s * b->mean * b->dt;
}

static double work_measure_damper(const bead *b)
{
    return -0.3 * 2.0 * b->s * b->v * 2.0 * b->s * b->mean * b->dt;
}

static double work_force(const bead *b)
{
    return (2.0 * cos(5.0 * b->t) - 0.4 * b->v) * b->mean * b->dt;
}

static double work_drive(const bead *b)
{
    const double f = 3.0 * (0.5 - b->v);
    return fmax(-1.0, fmin(1.0, f)) * b->mean * b->dt;
}

static const element elements[] = {
    {"forces: {f: {spring: [ground.hook, bead], stiffness: 30 N/m, rest: 0.3 m}}", NULL, NULL},
    {"forces: {f: {spring: [ground.hook, bead], stiffness: 30 N/m, damping: 1.5 N*s/m, "
     "rest: 0.3 m}}",
     work_point_damper, NULL},
    {"forces: {f: {spring: [ground.hook, bead], force: 20 N/m^2 * x^2 + 0.5 N*s/m * v}}", NULL,
     work_point_law},
    {"forces: {f: {spring: bead.x^2/(1 m), stiffness: 8 N/m}}", NULL, NULL},
    {"forces: {f: {spring: bead.x^2/(1 m), stiffness: 8 N/m, damping: 0.3 N*s/m}}",
     work_measure_damper, NULL},
    {"forces: {f: {spring: bead.x^2/(1 m), force: 8 N/m * x + 0.3 N*s/m * v}}", NULL,
     work_measure_law},
    {"forces: {f: {force: [2 N * cos(5 rad/s * t) - 0.4 N*s/m * bead.vx, 7 N], on: bead}}", NULL,
     work_force},
    {"forces: {f: {force: [2 N * cos(5 rad/s * t) - 0.4 N*s/m * bead.vx, 7 N], on: bead, frame: "
     "own}}",
     NULL, work_force},
    {"forces: {f: {drive: bead.joint, force: 3 N*s/m * (0.5 m/s - v), limit: 1 N}}", NULL,
     work_drive},
};

/* Every kind of force element, alone with a damper in the joint: its work per step by hand. */
static void work_of_every_force_element_is_the_one_by_hand(void **ctx)
{
    (void)ctx;
    const double dt = 1e-3;
    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++) {
        for (int i = 0; i < 2; i++) {
            rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                                "bodies:\n  ground: {points: {hook: [0, %g m]}}\n"
                                "  bead: {mass: 0.6 kg, joint: {prismatic: ground, axis: [1, 0], "
                                "stiffness: 5 N/m, damping: 0.7 N*s/m, rest: 0.2 m}}\n"
                                "%s\nstart: {bead.joint.s: 0.5 m, bead.joint.v: -0.8 m/s}\n",
                                hook, elements[e].yaml);
            double worst = 0.0;
            for (int k = 0; k < 1000; k++) {
                sp_step_refresh(r.m, r.x, r.w);
                const sp_ledger before = r.x->ledger;
                const double s_A = r.x->q[0], v_A = r.x->u[0], t_A = r.x->t;
                rig_step(&r, methods[i], dt);
                const double mean = 0.5 * (v_A + r.x->u[0]);
                const bead b = {.s = s_A + 0.5 * dt * v_A,
                                .v = i == 0 ? v_A : mean,
                                .mean = mean,
                                .t = t_A + 0.5 * dt,
                                .dt = dt};
                const double dampers =
                    work_joint_damper(&b) + (elements[e].dampers ? elements[e].dampers(&b) : 0.0);
                const double applied = elements[e].applied ? elements[e].applied(&b) : 0.0;
                worst = check_worse(worst, fabs(r.x->ledger.dampers - before.dampers - dampers));
                worst = check_worse(worst, fabs(r.x->ledger.applied - before.applied - applied));
            }
            if (worst > 1e-14 * r.x->ledger.scale || r.worst.closure > 1e-12) {
                print_message("%s\n  work off by %.2e J of %.2e J, closure %.1e\n",
                              elements[e].yaml, worst, r.x->ledger.scale, r.worst.closure);
                fail();
            }
            rig_free(&r);
        }
    }
}

/* All kinds at once, on turning bodies, with contact and friction. */
static void ledger_of_all_forces_together_closes(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: [1 m/s^2, -9.81 m/s^2]\n"
            "bodies:\n"
            "  ground: {points: {hook: [0.5 m, 1 m]}, contours: {floor: {line: [0, 1]}}}\n"
            "  box: {mass: 1 kg, inertia: 0.02 kg*m^2, center: [0.02 m, 0.01 m],\n"
            "    contours: {hull: {box: [0.3 m, 0.2 m]}}, points: {ear: [0.1 m, 0.1 m]}}\n"
            "  arm: {mass: 0.3 kg, inertia: 2e-3 kg*m^2, center: [0.1 m, 0],\n"
            "    joint: {revolute: box, at: [0.1 m, 0.1 m], stiffness: 1 N*m/rad,\n"
            "      damping: 0.02 N*m*s/rad, rest: 30 deg}, points: {tip: [0.2 m, 0]},\n"
            "    contours: {nose: {circle: 20 mm, at: [0.2 m, 0]}}}\n"
            "  rider: {mass: 0.1 kg, inertia: 1e-4 kg*m^2, joint: {prismatic: arm, axis: 20 deg,\n"
            "    at: [0.1 m, 0], stiffness: 50 N/m, damping: 0.1 N*s/m}}\n"
            "laws: {rough: {mu: 0.4, eps_N: 0.3}}\n"
            "contacts: {floor: {between: [[box.hull, arm.nose], ground], law: rough}}\n"
            "forces:\n"
            "  coil: {spring: [ground.hook, arm.tip], stiffness: 20 N/m, damping: 0.3 N*s/m,\n"
            "    rest: 0.5 m}\n"
            "  soft: {spring: arm.phi - box.phi, force: 0.2 N*m * phi^3 + 0.01 N*m*s * omega}\n"
            "  wind: {force: [3 N * sin(8 rad/s * t), 0], on: box.ear}\n"
            "  jet: {force: [0, 1 N], on: arm.tip, frame: own}\n"
            "  twist: {torque: 0.1 N*m * cos(3 rad/s * t) - 0.01 N*m*s * box.omega, on: box}\n"
            "  motor: {drive: arm.joint, torque: 0.5 N*m*s * (4 rad/s - omega), limit: 0.4 N*m}\n"
            "start: {box.y: 0.4 m, box.phi: 0.3, box.omega: 2 rad/s, box.vx: 1 m/s}\n");
        rig_steps(&r, methods[i], 1e-4, 20000);
        const sp_ledger *l = &r.x->ledger;
        print_message("%s: T %.3f V %.3f = %.3f dampers %.3f applied %.3f friction %.3f impacts "
                      "%.3f projection %.1e D %.1e, balance %.1e J; worst step: closure %.1e, "
                      "complementarity %.1e, gap %.1e m, contact work %.1e J, %d events\n",
                      sp_method_name(methods[i]), l->kinetic, l->potential, l->initial, l->dampers,
                      l->applied, l->friction, l->impacts, l->projection, l->discretisation,
                      l->balance, r.worst.closure, r.worst.complementarity, r.worst.gap,
                      r.worst.work, r.n_event);
        assert_true(l->dampers < 0.0 && l->friction < 0.0 && l->impacts < 0.0);
        assert_true(fabs(l->applied) > 0.1);
        assert_true(r.worst.closure < 1e-12);
        assert_true(fabs(rig_left_over(l)) < 1e-11 * l->scale);
        assert_true(r.worst.complementarity < 1e-10);
        rig_free(&r);
    }
}

/* ---- contacts ---------------------------------------------------------------------------------
 */

/* A sliding block loses mu m g per metre, all of it to friction. */
static void friction_of_a_sliding_block_is_force_times_way(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  block: {mass: 3 kg, inertia: 0.1 kg*m^2, contours: {hull: {box: "
                            "[0.2 m, 0.1 m]}}}\n"
                            "contacts: {c: {between: [block, ground], law: {mu: 0.25}}}\n"
                            "start: {block.y: 50 mm, block.vx: 2 m/s}\n");
        rig_steps(&r, methods[i], 1e-3, 500);
        const sp_ledger *l = &r.x->ledger;
        const double way = r.x->q[rig_dof(&r, "block.joint.x")];
        assert_near(l->friction, -0.25 * 3.0 * 9.81 * way, 1e-11);
        assert_near_scaled(l->impacts, 0.0, l->scale, 1e-12);
        assert_true(r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

/* Moving a ball out of the floor by dy costs m g dy, booked as projection; the velocity stays. */
static void projection_moves_positions_only_and_is_booked(void **ctx)
{
    (void)ctx;
    const double dt = 3e-3, m = 0.5, g = 9.81;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: %g m/s^2\n"
                        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  ball: {mass: %g, joint: {prismatic: ground, axis: [0, 1]},\n"
                        "    contours: {skin: {circle: 0.1 m}}}\n"
                        "contacts: {c: {between: [ball, ground], law: {eps_N: 0.8}}}\n"
                        "start: {ball.y: 1.1 m}\n",
                        g, m);
    int moved = 0;
    double booked = 0.0;
    for (int k = 0; k < 1500; k++) {
        const double q = r.x->q[0], u = r.x->u[0];
        const double before = k > 0 ? r.x->ledger.projection : 0.0;
        const double impacts = k > 0 ? r.x->ledger.impacts : 0.0;
        rig_step(&r, SP_METHOD_MOREAU, dt);
        const double straight = q + 0.5 * dt * (u + r.x->u[0]);
        assert_near(r.x->ledger.projection - before, m * g * (r.x->q[0] - straight), 1e-13);
        moved += r.x->q[0] != straight;
        booked += m * g * (r.x->q[0] - straight);

        /* velocities obey the scheme: m du = -m g dt + P with gamma_E = -0.8 gamma_A if P > 0 */
        const double P = m * (r.x->u[0] - u + g * dt);
        if (P > 1e-12) {
            assert_near(r.x->u[0], -0.8 * u, 1e-12);
            assert_near(r.x->ledger.impacts - impacts, 0.5 * P * (u + r.x->u[0]), 1e-12);
        }
        assert_near_scaled(P, r.x->contact[0].P_N, 1.0, 1e-13);
    }
    print_message("%d corrections, %.3e J booked, penetration left %.1e m\n", moved, booked,
                  r.worst.gap);
    assert_true(moved > 3 && booked > 1e-3);
    assert_true(r.worst.gap <= 1e-9);
    assert_true(r.worst.closure < 1e-12);
    rig_free(&r);
}

/* ---- the balance can fail ---------------------------------------------------------------------
 */

/* Free flight with one thing wrong after the solve: the balance of that step, over the energy. */
typedef enum mistake { NO_MISTAKE, WRONG_FORCE, WRONG_DIRECTION, WRONG_DELASSUS } mistake;

static double balance_with(mistake what)
{
    rig r = rig_slider_crank(0.0);
    sp_error err = {.status = SP_OK};
    double q[CRANK_N], u[CRANK_N];
    crank_relative(CRANK_TH1, q);
    crank_relative(CRANK_OM1, u);
    sp_state_set(r.m, r.x, CRANK_T1, q, u);
    sp_step_refresh(r.m, r.x, r.w);
    assert_int_equal(sp_moreau_solve(r.m, r.x, r.w, sp_step_rule_of(SP_METHOD_MOREAU), 1e-5, &err),
                     SP_OK);
    assert_int_equal(r.w->con.n_active, 2);
    const size_t n_W = (size_t)r.w->con.n_row * (size_t)r.w->con.stride;
    for (int k = 0; k < r.m->n_dof && what == WRONG_FORCE; k++) {
        r.w->dyn.h[SP_CONSERVATIVE][k] *= 1.0 + 1e-6; /* b and h dt stay as they were */
    }
    for (size_t k = 0; k < n_W && what == WRONG_DIRECTION; k++) {
        r.w->con.W[k] *= 1.0 + 1e-6;
    }
    for (size_t k = 0; k < n_W && what == WRONG_DELASSUS; k++) {
        r.w->con.Y[k] *= 1.0 + 1e-6;
    }
    assert_int_equal(sp_moreau_finish(r.m, r.x, r.w, sp_step_rule_of(SP_METHOD_MOREAU), 1e-5, &err),
                     SP_OK);
    const double balance = fabs(r.x->ledger.balance) / r.x->ledger.scale;
    assert_near_scaled(rig_left_over(&r.x->ledger), r.x->ledger.balance, r.x->ledger.scale, 1e-14);
    rig_free(&r);
    return balance;
}

/* If D were the remainder, none of these could show. */
static void balance_shows_what_is_wrong_by_a_millionth(void **ctx)
{
    (void)ctx;
    const double none = balance_with(NO_MISTAKE), force = balance_with(WRONG_FORCE);
    const double direction = balance_with(WRONG_DIRECTION);
    const double delassus = balance_with(WRONG_DELASSUS);
    print_message("balance %.1e; wrong by 1e-6: forces %.1e, W %.1e, L^-T W %.1e\n", none, force,
                  direction, delassus);
    assert_true(none < 1e-14);
    assert_true(force > 1e-11);
    assert_true(direction > 1e-11);
    assert_true(delassus > 1e-11);
}

/* Loops, closed contacts, impacts and friction do not drive: that line is zero, not round-off.  A
 * belt does. */
static void nothing_is_driven_where_nothing_moves_by_itself(void **ctx)
{
    (void)ctx;
    const struct {
        const char *file;
        sp_method method;
        double until, step;
        bool driven;
    } run[] = {
        {"examples/slider_crank/slider_crank.yaml", SP_METHOD_EVENT, 0.04, 0.0, false},
        {"examples/slider_crank/slider_crank.yaml", SP_METHOD_ADAPTIVE, 0.02, 0.0, false},
        {"examples/slider_crank/slider_crank.yaml", SP_METHOD_RK4, 0.02, 1e-5, false},
        {"examples/woodpecker/woodpecker.yaml", SP_METHOD_EVENT, 0.4, 0.0, false},
        {"examples/tippe_top/tippe_top.yaml", SP_METHOD_EVENT, 0.2, 0.0, false},
        {"tests/data/good/four_bar.yaml", SP_METHOD_SMOOTH, 1.0, 0.0, false},
        {"tests/data/good/four_bar.yaml", SP_METHOD_RK4, 0.1, 1e-4, false},
        {"tests/data/good/belt.yaml", SP_METHOD_EVENT, 1.0, 0.0, true},
    };
    for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
        rig r = rig_of_file(run[k].file, NULL);
        sp_run_summary summary;
        sp_error err = {.text = ""};
        const sp_run_options o = {.method = run[k].method,
                                  .until = run[k].until,
                                  .step = run[k].step,
                                  .output_step = run[k].until,
                                  .tolerance = run[k].method == SP_METHOD_ADAPTIVE ? 1e-6 : 1e-8};
        if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
            fail_msg("%s: %s", run[k].file, err.text);
        }
        const sp_ledger *l = &r.x->ledger;
        print_message("%s, %s: driven %g J, closes to %.1e\n", run[k].file,
                      sp_method_name(run[k].method), l->driven, l->worst_balance);
        assert_true((l->driven != 0.0) == run[k].driven);
        assert_true(l->worst_balance < 1e-6);
        rig_free(&r);
    }
}

/* A belt presses a block against a wall: half a joule goes through it, and its own energy is
 * round-off.   theory (50.7) */
static void a_machine_at_rest_closes_relative_to_the_works(void **ctx)
{
    (void)ctx;
    static const sp_method method[5] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_RK4,
                                        SP_METHOD_ADAPTIVE, SP_METHOD_EVENT};
    for (int i = 0; i < 5; i++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nformula: {coordinates: {x: m, y: m, z: m}, kinetic: "
            "0.5*0.7*(x'^2 + y'^2) + 0.13*x'*z' + 0.3*z'^2, potential: 6.87*y}\n"
            "contacts: {belt: {gap: y, slip: x' + 0.3*z' - 3, law: {mu: 0.27}}, wall: {gap: "
            "-0.37*x + 0.11*y, law: {mu: 0}}, end: {gap: -z, law: {mu: 0}}}\n"
            "start: {x: 0}\n");
        sp_error err = {.text = ""};
        sp_run_summary summary;
        const sp_run_options o = {.method = method[i],
                                  .until = 0.1,
                                  .step = 1e-3,
                                  .output_step = 0.05,
                                  .tolerance = method[i] == SP_METHOD_ADAPTIVE ? 1e-6 : 1e-9};
        if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
            fail_msg("%s", err.text);
        }
        const sp_ledger *l = &r.x->ledger;
        assert_near(l->driven, 0.5151, 1e-3); /* mu P_N v t, P_N by the slope of the wall */
        assert_near(l->friction, -l->driven, 1e-14);
        assert_true(l->scale < 1e-15 && l->worst_balance < 1e-15);
        assert_true(summary.worst.momentum < 1e-12);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ledger_of_the_slider_crank_is_that_of_the_equations),
        cmocka_unit_test(sum_of_D_falls_with_the_order_of_the_method),
        cmocka_unit_test(work_of_a_damper_converges_to_its_integral),
        cmocka_unit_test(work_of_an_applied_force_converges_to_its_integral),
        cmocka_unit_test(work_of_every_force_element_is_the_one_by_hand),
        cmocka_unit_test(ledger_of_all_forces_together_closes),
        cmocka_unit_test(friction_of_a_sliding_block_is_force_times_way),
        cmocka_unit_test(projection_moves_positions_only_and_is_booked),
        cmocka_unit_test(balance_shows_what_is_wrong_by_a_millionth),
        cmocka_unit_test(nothing_is_driven_where_nothing_moves_by_itself),
        cmocka_unit_test(a_machine_at_rest_closes_relative_to_the_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
