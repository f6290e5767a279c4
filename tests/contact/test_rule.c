/* Contacts by expressions, couplings and loops: rows, rheonomic terms and bias against differences
 * of the gaps along random motions. */
#include "contact/rule.h"
#include "support/check.h"
#include "support/machine.h"

#include <stdio.h>
#include <string.h>

enum { N_MAX = 64, STENCIL = 4 };

/* Central differences of order 8 for the first and second derivative. */
static const double first[STENCIL + 1] = {0.0, 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double second[STENCIL + 1] = {-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0,
                                           -1.0 / 560.0};

/* A motion through (q, u, a) at time t: velocity u and its rate a there. */
typedef struct motion {
    double t, q[N_MAX], u[N_MAX], a[N_MAX];
} motion;

static void shake(const machine *c, rng *r, motion *p)
{
    memset(p, 0, sizeof *p);
    p->t = rng_in(r, 0.0, 1.0);
    for (int k = 0; k < c->m->n_dof; k++) {
        p->u[k] = rng_in(r, -1.0, 1.0);
        p->a[k] = rng_in(r, -1.0, 1.0);
    }
    for (int i = 0; i < c->m->n_q; i++) {
        p->q[i] = rng_in(r, -1.0, 1.0);
    }
    double none[N_MAX] = {0.0};
    sp_kin_advance(c->m, 0.0, none, p->q); /* unit quaternions */
}

/* Frames at time t + s of the motion. */
static void go_to(machine *c, const motion *p, double s, double *q)
{
    double step[N_MAX];
    for (int k = 0; k < c->m->n_dof; k++) {
        step[k] = p->u[k] * s + 0.5 * p->a[k] * s * s;
    }
    memcpy(q, p->q, (size_t)c->m->n_q * sizeof *q);
    sp_kin_advance(c->m, 1.0, step, q);
    sp_kin_positions(c->m, c->num, q, &c->w->kin);
    sp_kin_velocities(c->m, p->u, &c->w->kin);
    sp_kin_bias(c->m, p->u, &c->w->kin);
    sp_con_at(p->t + s, 0.0, q, p->u, &c->w->con);
    sp_con_gaps(c->m, c->num, &c->w->kin, &c->w->con);
}

/* g' and g'' of a slot along the motion, by differences; near zero a distance bends sharply, and
 * the step is shorter there. */
static void differences(machine *c, const motion *p, int slot, double *rate, double *bend)
{
    double q[N_MAX];
    go_to(c, p, 0.0, q);
    const double g = sp_rule_gap(c->m, c->num, &c->w->con, slot);
    const double s = 4e-3 * fmin(fmax(fabs(g), 0.05), 1.0);
    *rate = 0.0;
    *bend = second[0] * g;
    for (int k = 1; k <= STENCIL; k++) {
        double side[2];
        for (int d = 0; d < 2; d++) {
            go_to(c, p, (d == 0 ? s : -s) * k, q);
            side[d] = sp_rule_gap(c->m, c->num, &c->w->con, slot);
        }
        *rate += first[k] * (side[0] - side[1]);
        *bend += second[k] * (side[0] + side[1]);
    }
    *rate /= s;
    *bend /= s * s;
}

/* W^T x on the support of a slot. */
static double along(const machine *c, int slot, const double *W, const double *x)
{
    const int *sup, n = sp_rule_support(c->m, slot, &sup);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += W[i] * x[sup[i]];
    }
    return sum;
}

/* gamma = W^T u + w_tilde = g' and gamma' = W^T a + w_bar = g'' in n random motions. */
static void check_normal(machine *c, int n)
{
    rng r = {4711};
    assert_true(c->m->n_dof <= N_MAX && c->m->n_q <= N_MAX);
    for (int i = 0; i < n; i++) {
        motion p;
        shake(c, &r, &p);
        for (int k = 0; k < c->m->layout.n_rule_slot; k++) {
            const int slot = c->m->layout.rule_slot[k];
            double W[3][N_MAX], w_tilde[3], w_bar[3], gamma[3], rate, bend, q[N_MAX];
            differences(c, &p, slot, &rate, &bend);
            go_to(c, &p, 0.0, q);
            sp_rule_directions(c->m, c->num, &c->w->con, slot, W[0], N_MAX, w_tilde);
            sp_rule_bias(c->m, c->num, &c->w->con, slot, w_bar);
            sp_rule_gamma(c->m, c->num, &c->w->con, slot, gamma);
            assert_near(along(c, slot, W[0], p.u) + w_tilde[0], rate, 1e-9);
            assert_near(gamma[0], rate, 1e-9);
            assert_near(along(c, slot, W[0], p.a) + w_bar[0], bend, 1e-6);
        }
    }
    print_message("worst %.1e\n", check_worst());
}

static const char *const plane =
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
    "parameters: {l: 0.5 m}\n"
    "bodies:\n"
    "  a: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground}, points: {p: [l, 0.1 m]}}\n"
    "  b: {mass: 1 kg, inertia: 1 kg*m^2, joint: {prismatic: a, axis: [1, 2], at: [l, 0]},\n"
    "      points: {p: [0.2 m, l]}}\n"
    "  c: {mass: 1 kg, inertia: 1 kg*m^2, joint: {free: ground}, points: {p: [0, l]}}\n"
    "  d: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: b, at: [l, l], from: [0.1 m, 0]},\n"
    "      points: {p: [l, 0]}}\n";

static void rows_of_expressions_are_derivatives_of_their_measures_in_the_plane(void **ctx)
{
    (void)ctx;
    char yaml[4000];
    snprintf(yaml, sizeof yaml,
             "%scontacts:\n"
             "  g1: {gap: sin(a.phi)*b.p.x + c.p.y^2/l - 0.3 m/s * t, law: {}}\n"
             "  g2: {gap: \"sqrt((d.p.x - c.p.x)^2 + (d.p.y - c.p.y)^2)\", law: {}}\n"
             "couplings:\n"
             "  f1: {of: a.phi + 2*c.phi, fix: sin(3 rad/s * t)}\n"
             "  f2: {of: b.joint.s*cos(d.phi), range: [-1 m, none], law: {}}\n"
             "  f3: {of: d.joint.phi, friction: 1 N*m}\n",
             plane);
    machine c = machine_of_text(yaml);
    assert_int_equal(c.m->n_bond, 1);
    check_normal(&c, check_cases(50, 2000));
    machine_free(&c);
}

static void rows_of_loops_are_derivatives_of_their_errors_in_the_plane(void **ctx)
{
    (void)ctx;
    char yaml[4000];
    snprintf(yaml, sizeof yaml,
             "%sjoints:\n"
             "  hinge: {revolute: [d.p, c.p]}\n"
             "  slide: {prismatic: [ground, c], axis: [1, 1], at: [0.1 m, 0]}\n"
             "  inner: {prismatic: [a.p, d], axis: [0, 1], turn: 20 deg}\n"
             "  glue: {weld: [a, c], turn: 0.3 rad, from: [l, 0]}\n"
             "start: {}\n",
             plane);
    machine c = machine_of_text(yaml);
    assert_int_equal(c.m->n_bond, 2 + 2 + 2 + 3);
    check_normal(&c, check_cases(50, 2000));
    machine_free(&c);
}

/* In space, through all kinds of joints of the tree. */
static void rows_of_loops_are_derivatives_of_their_errors_in_space(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  a: {mass: 1 kg, inertia: [1, 2, 2.5], joint: {revolute: ground, axis: [1, 2, "
        "3]}}\n"
        "  b: {mass: 1 kg, inertia: [1, 2, 2.5], joint: {cylindrical: a, axis: [0, 1, 1],\n"
        "      at: [0.3 m, 0, 0.1 m]}, points: {p: [0.1 m, 0.2 m, 0.3 m]}}\n"
        "  c: {mass: 1 kg, inertia: [1, 2, 2.5], joint: {free: ground}}\n"
        "  d: {mass: 1 kg, inertia: [1, 2, 2.5], joint: {spherical: b, at: [0, 0.2 m, 0]},\n"
        "      points: {p: [0.1 m, 0.2 m, 0.3 m]}}\n"
        "joints:\n"
        "  j1: {revolute: [d.p, c], axis: [1, 0, 1], other_axis: [0, 1, 0]}\n"
        "  j2: {weld: [a, d], turn: {x: 30 deg}}\n"
        "  j3: {prismatic: [b.p, c], axis: [1, 1, 0]}\n"
        "  j4: {cylindrical: [ground, d], axis: [0, 0, 1], other_axis: [1, 0, 0]}\n"
        "  j5: {universal: [a, c], axis: [0, 0, 1], other_axis: [1, 0, 0]}\n"
        "  j6: {spherical: [d, c], at: [0.1 m, 0, 0]}\n"
        "  j7: {planar: [d, ground], axis: [1, 2, 2]}\n"
        "couplings:\n"
        "  k: {of: b.joint.s + d.p.z*c.ex.y - d.ez.x*(1 m), fix: 0.1 m/s * t}\n");
    assert_int_equal(c.m->n_bond, 5 + 6 + 5 + 4 + 4 + 3 + 3 + 1);
    check_normal(&c, check_cases(30, 1000));
    machine_free(&c);
}

/* gamma_T = W_T^T u + w_tilde is the slip expression itself, and W_T^T a + w_bar its rate, for each
 * of n slips. */
static void check_slips(const char *yaml, int n)
{
    machine c = machine_of_text(yaml);
    rng r = {99};
    for (int i = 0; i < check_cases(50, 2000); i++) {
        const double s = 4e-3;
        motion p;
        double W[3][N_MAX], w_tilde[3], w_bar[3], gamma[3], q[N_MAX], rate[3] = {0.0}, u[N_MAX];
        shake(&c, &r, &p);
        go_to(&c, &p, 0.0, q);
        sp_rule_directions(c.m, c.num, &c.w->con, 0, W[0], N_MAX, w_tilde);
        sp_rule_bias(c.m, c.num, &c.w->con, 0, w_bar);
        sp_rule_gamma(c.m, c.num, &c.w->con, 0, gamma);
        for (int k = 1; k <= STENCIL; k++) {
            for (int d = 0; d < 2; d++) { /* the slip itself at t + s k, velocities there */
                const double at = (d == 0 ? s : -s) * k;
                double there[3];
                go_to(&c, &p, at, q);
                for (int j = 0; j < c.m->n_dof; j++) {
                    u[j] = p.u[j] + p.a[j] * at;
                }
                sp_kin_velocities(c.m, u, &c.w->kin);
                sp_con_at(p.t + at, 0.0, q, u, &c.w->con);
                sp_rule_gamma(c.m, c.num, &c.w->con, 0, there);
                for (int m = 1; m <= n; m++) {
                    rate[m] += first[k] * (d == 0 ? 1.0 : -1.0) * there[m] / s;
                }
            }
        }
        for (int m = 1; m <= n; m++) {
            assert_near(along(&c, 0, W[m], p.u) + w_tilde[m], gamma[m], 1e-12);
            assert_near(along(&c, 0, W[m], p.a) + w_bar[m], rate[m], 1e-8);
        }
    }
    machine_free(&c);
}

static void slip_velocities_and_their_rates_are_those_of_the_expression(void **ctx)
{
    (void)ctx;
    char yaml[4000];
    snprintf(yaml, sizeof yaml,
             "%scontacts:\n"
             "  g: {gap: c.y, slip: a.omega*b.p.x + d.p.vy*sin(c.phi) - 2*c.vx + 0.4 m/s^2 * t,\n"
             "      law: {mu: 0.2}}\n",
             plane);
    check_slips(yaml, 1);
    check_slips("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                "bodies:\n"
                "  a: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground, axis: [0, 1, 1]}}\n"
                "  b: {mass: 1 kg, inertia: 1 kg*m^2, points: {p: [0.2 m, 0.3 m, 0]},\n"
                "      joint: {cylindrical: a, axis: [1, 2, 0], at: [0.5 m, 0, 0.1 m]}}\n"
                "contacts:\n"
                "  g: {gap: b.p.z + 3 m, slip: [b.p.vx*a.ez.x + a.omega_y*b.p.z - 0.4 m/s^2 * t,\n"
                "      b.joint.v - a.omega_z*b.p.y*2], law: {mu: 0.2}}\n",
                2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_expressions_are_derivatives_of_their_measures_in_the_plane),
        cmocka_unit_test(rows_of_loops_are_derivatives_of_their_errors_in_the_plane),
        cmocka_unit_test(rows_of_loops_are_derivatives_of_their_errors_in_space),
        cmocka_unit_test(slip_velocities_and_their_rates_are_those_of_the_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
