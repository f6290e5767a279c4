/* The ledger by element: sums are the totals under every method, closed forms of single lines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "integrators/smooth.h"
#include "support/check.h"
#include "support/run.h"

#define expect_near(a, b, tol) assert_near_scaled((a), (b), 1.0, (tol))

/* Everything that can act in the plane, gravity by time, formula coordinates with explicit time. */
static const char plane[] =
    "specht: 1\nspace: planar\ngravity: [\"0.5 m/s^2 * sin(3*t/(1 s))\", -9.81 m/s^2]\n"
    "bodies:\n"
    "  ground: {points: {hook: [0, 2]}}\n"
    "  a: {mass: 1, inertia: 0.1, center: [0.5, 0], joint: {revolute: ground, stiffness: 3 "
    "N*m/rad, damping: 0.2 N*m*s/rad}, points: {tip: [1, 0]}}\n"
    "  b: {mass: 0.5, inertia: 0.02, center: [0.3, 0.1], joint: {revolute: a, at: [1, 0]}, points: "
    "{tip: [0.6, 0]}}\n"
    "  s: {mass: 2, inertia: 0.1, joint: {prismatic: ground, axis: [1, 0], damping: 0.7 N*s/m}}\n"
    "formula:\n"
    "  coordinates: {y: m}\n"
    "  kinetic: 0.5 kg * y'^2*(1 + 0.2*sin(t/(1 s)))\n"
    "  potential: 4 N/m * (y - 0.1 m * sin(2*t/(1 s)))^2\n"
    "  dissipation: 0.15 N*s/m * y'^2\n"
    "  forces: {y: 0.4 N * cos(t/(1 s))}\n"
    "couplings: {%s}\n"
    "forces:\n"
    "  coil: {spring: [ground.hook, b.tip], stiffness: 20 N/m, damping: 0.3 N*s/m, rest: 1 m}\n"
    "  law: {spring: [a.tip, s], force: 2 N/m * x + 0.1 N*s/m * v}\n"
    "  twist: {spring: b.phi - a.phi, stiffness: 2 N*m/rad, damping: 0.05 N*m*s/rad}\n"
    "  shake: {spring: \"s.x - 0.1 m * sin(5*t/(1 s))\", stiffness: 30 N/m, damping: 0.4 N*s/m}\n"
    "  tie: {spring: s.x - y, stiffness: 5 N/m, damping: 0.2 N*s/m}\n"
    "  wind: {force: [\"sin(t/(1 s))*1 N\", 0.3 N], on: b.tip, frame: own}\n"
    "  brake: {torque: -1e-2 N*m*s * b.omega, on: b}\n"
    "  drive: {drive: a.joint, torque: 0.2 N*m - 0.1 N*m*s * omega}\n"
    "  servo: {motor: b.joint, position: 0.2*sin(t/(1 s)), P: 1 N*m/rad, D: 0.1 N*m*s/rad, I: 2 "
    "N*m/rad/s, limit: 0.6 N*m}\n"
    "  gas: {gas: s.x, area: 1e-3 m^2, pressure: 2e4 Pa, volume: 2e-2 m^3, exponent: 1.3}\n"
    "  oil: {orifice: s.x, compression: 0.3 N*s^2/m^2, rebound: 0.9 N*s^2/m^2}\n"
    "  rubber: {bushing: [a.tip, s], stiffness: [1, 2, 0.1], damping: [0.1, 0.2, 0.01]}\n"
    "  air: {drag: b, linear: 0.1 N*s/m, quadratic: 0.2 N*s^2/m^2}\n"
    "  gale: {drag: s, linear: 0.1 N*s/m, wind: [1 m/s, 0]}\n"
    "start: {a.joint.phi: 0.4, b.joint.omega: 1, y: 0.2 m, y': 0.3 m/s, s.joint.s: 0.1 m}\n"
    "run: {until: 1 s, step: 1 ms, tolerance: 1e-6}\n";

/* The same kinds in space, constant gravity. */
static const char space[] =
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {points: {hook: [0, 0, 2]}}\n"
    "  a: {mass: 1, inertia: [0.1, 0.2, 0.15], center: [0.5, 0, 0], joint: {universal: ground, "
    "axis: [[0, 1, 0], [0, 0, 1]], damping: [0.2, 0.1], stiffness: [3, 1]}, points: {tip: [1, 0, "
    "0]}}\n"
    "  b: {mass: 0.5, inertia: 0.02, joint: {free: ground}, points: {tip: [0.6, 0, 0]}}\n"
    "forces:\n"
    "  coil: {spring: [ground.hook, b.tip], stiffness: 20 N/m, damping: 0.3 N*s/m, rest: 1 m}\n"
    "  axis: {spring: b.ez.x, force: 0.2 N*m * phi + 0.05 N*m*s * omega}\n"
    "  push: {force: [1 N, \"sin(t/(1 s))*1 N\", 0.3 N], on: b.tip}\n"
    "  turn: {torque: [0.1 N*m, 0, \"cos(t/(1 s))*0.2 N*m\"], on: b, frame: own}\n"
    "  rubber: {bushing: [a.tip, b.tip], stiffness: [1, 2, 3, 0.1, 0.2, 0.3], damping: [0.1, 0.2, "
    "0.3, 0.01, 0.02, 0.03]}\n"
    "  air: {drag: b.tip, linear: 0.1 N*s/m, quadratic: 0.2 N*s^2/m^2}\n"
    "start: {a.joint.phi_1: 0.4, b.x: 0.5 m, b.omega_own: [1, 2, 0.5]}\n"
    "run: {until: 1 s, step: 1 ms, tolerance: 1e-6}\n";

enum { LINES_MAX = 32 };

/* All lines at the end of a step. */
static void lines_of(rig *r, double *line)
{
    assert_true(r->m->n_line <= LINES_MAX);
    sp_kin_positions(r->m, r->x->numbers, r->x->q, &r->w->kin);
    sp_dyn_lines(r->m, r->x->numbers, &r->w->kin, &(sp_at){r->x->t, r->x->q, r->x->u}, r->x->book,
                 &r->w->dyn, line);
}

/* Sums of the lines are the totals; round-off relative to the sum of the sizes. */
static void expect_sums(rig *r)
{
    double line[LINES_MAX * SP_LINE_COLUMNS], sum[SP_LINE_COLUMNS] = {0.0}, size = 0.0;
    const sp_ledger *l = &r->x->ledger;
    const double total[SP_LINE_COLUMNS] = {l->potential, l->dampers, l->applied};
    lines_of(r, line);
    for (int i = 0; i < r->m->n_line; i++) {
        for (int c = 0; c < SP_LINE_COLUMNS; c++) {
            sum[c] += line[SP_LINE_COLUMNS * i + c];
            size += fabs(line[SP_LINE_COLUMNS * i + c]);
        }
    }
    for (int c = 0; c < SP_LINE_COLUMNS; c++) {
        expect_near(sum[c], total[c], 1e-12 * size);
    }
    assert_true(size > 1.0);
}

/* A line by its name. */
static const double *line_called(const rig *r, const char *name, const double *line)
{
    for (int i = 0; i < r->m->n_line; i++) {
        if (strcmp(r->m->line[i].name, name) == 0) {
            return line + (size_t)SP_LINE_COLUMNS * (size_t)i;
        }
    }
    fail_msg("no line '%s'", name);
    return NULL;
}

/* Smooth integration to t. */
static void go_smoothly(rig *r, double t)
{
    sp_error err;
    sp_smooth *s;
    assert_int_equal(sp_smooth_begin(r->m, r->x, r->w, 1e-11, &s, &err), SP_OK);
    while (r->x->t < t) {
        assert_int_equal(sp_smooth_step(s, r->x, t, &err), SP_OK);
    }
}

static void lines_add_up_to_the_totals_under_every_method(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_ADAPTIVE,
                                       SP_METHOD_SMOOTH};
    for (int k = 0; k < 7; k++) {
        for (int dim = 2; dim <= 3; dim++) {
            /* a preload stores energy; smooth knows none */
            const char *preload = k < 6 ? "hold: {of: s.x, threshold: 0.2 N}" : "";
            rig r = dim == 2 ? rig_of_text(plane, preload) : rig_of_text("%s", space);
            for (int i = 0; i < 50; i++) {
                sp_error err;
                if (sp_step(r.m, r.x, r.w, method[k], 0.01, NULL, &err) != SP_OK) {
                    fail_msg("%s: %s", sp_method_name(method[k]), err.text);
                }
            }
            expect_sums(&r);
            rig_free(&r);
        }
    }
}

/* Events between smooth motion, and impacts, which no element feels. */
static void lines_add_up_in_event_driven_runs(void **ctx)
{
    (void)ctx;
    rig r =
        rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                    "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  ball: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {c: "
                    "{circle: 0.1 m}}}\n"
                    "forces: {air: {drag: ball, quadratic: 0.3 N*s^2/m^2}, blow: {force: [2 N, "
                    "0], on: ball}, band: {spring: ball.x, stiffness: 10 N/m}}\n"
                    "contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.7, mu: 0.2}}}\n"
                    "start: {ball.y: 1 m}\nrun: {until: 1.5 s, method: event}\n");
    sp_run_options options;
    sp_run_summary summary;
    sp_error err;
    assert_int_equal(sp_run_options_default(r.m, &options, &err), SP_OK);
    if (sp_integrate(r.m, r.x, r.w, &options, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(r.x->ledger.impacts < 0.0);
    expect_sums(&r);
    rig_free(&r);
}

/* An oscillator loses to its damper what it does not have any more; a constant force gives F x; a
 * body that falls takes from gravity. */
static void single_lines_have_their_closed_forms(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                        "  o: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}\n"
                        "  p: {mass: 3 kg, joint: {prismatic: ground, axis: [0, 1]}}\n"
                        "forces: {coil: {spring: o.x, stiffness: 50 N/m, damping: 2 N*s/m}, lift: "
                        "{force: [0, 5 N], on: p}}\n"
                        "start: {o.x: 0.3 m}\nrun: {until: 1 s}\n");
    double line[LINES_MAX * SP_LINE_COLUMNS];
    const double m = 2.0, k = 50.0, d = 2.0, x_0 = 0.3, t = 0.8, a = 5.0 / 3.0 - 9.81;
    const double delta = d / (2.0 * m), w = sqrt(k / m - delta * delta), c = cos(w * t);
    const double s = sin(w * t), e = x_0 * exp(-delta * t);
    const double x = e * (c + delta / w * s), v = -e * k / (m * w) * s;
    go_smoothly(&r, t);
    lines_of(&r, line);
    const double *coil = line_called(&r, "coil", line), *lift = line_called(&r, "lift", line);
    expect_near(coil[SP_LINE_STORED], 0.5 * k * x * x, 1e-9);
    expect_near(coil[SP_LINE_DAMPERS], 0.5 * (m * v * v + k * x * x - k * x_0 * x_0), 1e-9);
    expect_near(coil[SP_LINE_APPLIED], 0.0, 0.0);
    expect_near(lift[SP_LINE_APPLIED], 5.0 * 0.5 * a * t * t, 1e-9);
    expect_near(line_called(&r, "gravity", line)[SP_LINE_STORED], 3.0 * 9.81 * 0.5 * a * t * t,
                1e-9);
    rig_free(&r);
}

/* Works begin with the run, and again with a state that is set. */
static void a_state_that_is_set_has_no_works_yet(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(plane, "");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 10);
    assert_true(r.m->n_book > 0 && r.x->book[0] != 0.0);
    double q[8], u[8];
    memcpy(q, r.x->q, (size_t)r.m->n_q * sizeof *q);
    memcpy(u, r.x->u, (size_t)r.m->n_dof * sizeof *u);
    sp_state_set(r.m, r.x, 0.0, q, u);
    for (int k = 0; k < r.m->n_book; k++) {
        expect_near(r.x->book[k], 0.0, 0.0);
    }
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_add_up_to_the_totals_under_every_method),
        cmocka_unit_test(lines_add_up_in_event_driven_runs),
        cmocka_unit_test(single_lines_have_their_closed_forms),
        cmocka_unit_test(a_state_that_is_set_has_no_works_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
