/* Formula coordinates: M and h against the multibody terms of the same machine and against
 * hand-derived ones, energies and the power of explicit time. */
#include "dynamics/formula.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

/* ---- the slider-crank by energies and by bodies ------------------------------------------------
 */

static void mass_and_forces_of_the_slider_crank_are_the_printed_ones(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("examples/slider_crank/slider_crank_formula.yaml", NULL);
    const sp_model *m = r.m;
    rng random = {17};
    assert_int_equal(m->n_dof, CRANK_N);
    assert_false(m->formula.mixed);
    for (int i = 0; i < check_cases(200, 20000); i++) {
        double th[CRANK_N], om[CRANK_N], M[CRANK_N][CRANK_N], h[CRANK_N];
        sp_energy energy;
        for (int k = 0; k < CRANK_N; k++) {
            th[k] = rng_in(&random, -4.0, 4.0);
            om[k] = rng_in(&random, -200.0, 200.0);
        }
        sp_dyn_init(m, &m->numbers, &r.w->dyn);
        sp_dyn_terms(m, &m->numbers, 0.3, th, om, &r.w->kin, &r.w->dyn);
        crank_mass(th, M);
        crank_forces(th, om, h);
        for (int k = 0; k < CRANK_N; k++) {
            for (int j = 0; j <= k; j++) {
                assert_near_scaled(r.w->dyn.M[m->dof[k].row + j], M[k][j], 1e-3, 1e-13);
            }
            assert_near_scaled(r.w->dyn.h[SP_CONSERVATIVE][k], h[k], 100.0, 1e-13);
        }
        sp_dyn_energies(m, &m->numbers, 0.3, th, om, &r.w->kin, &r.w->dyn, &energy);
        assert_near_scaled(energy.kinetic, crank_kinetic(th, om), 10.0, 1e-13);
        assert_near_scaled(energy.quadratic, crank_kinetic(th, om), 10.0, 1e-13);
        assert_near_scaled(energy.potential, crank_potential(th), 10.0, 1e-13);
    }
    rig_free(&r);
}

/* The same trajectory as by bodies, through two impacts of both corners, to 1e-10. */
static void the_slider_crank_by_formula_runs_as_the_one_of_bodies(void **ctx)
{
    (void)ctx;
    rig formula = rig_of_file("examples/slider_crank/slider_crank_formula.yaml", NULL);
    rig bodies = rig_slider_crank(0.0);
    for (int i = 0; i < 1000; i++) {
        double th[CRANK_N], om[CRANK_N];
        rig_step(&formula, SP_METHOD_MOREAU, 1e-5);
        rig_step(&bodies, SP_METHOD_MOREAU, 1e-5);
        crank_absolute(bodies.x->q, th);
        crank_absolute(bodies.x->u, om);
        for (int k = 0; k < CRANK_N; k++) {
            assert_near(formula.x->q[k], th[k], 1e-10);
            assert_near_scaled(formula.x->u[k], om[k], 150.0, 1e-10);
        }
    }
    assert_true(rig_count(&formula, SP_EVENT_IMPACT, -1) >= 4);
    assert_int_equal(rig_count(&formula, SP_EVENT_IMPACT, -1),
                     rig_count(&bodies, SP_EVENT_IMPACT, -1));
    assert_true(formula.worst.closure < 1e-12 && formula.worst.work < 1e-13);
    rig_free(&formula);
    rig_free(&bodies);
}

/* ---- the woodpecker ----------------------------------------------------------------------------
 */

/* The nonlinear toy by formula; the same kinematics as examples/woodpecker/woodpecker_bodies.yaml.
 */
static const char *const toy =
    "specht: 1\n"
    "parameters: {r_O: 2.5 mm, r_M: 3.1 mm, h_M: 5.8 mm, l_M: 10 mm, l_G: 15 mm, h_S: 20 mm,\n"
    "  l_S: 20.1 mm, m_M: 0.3 g, m_S: 4.5 g, J_M: 5e-9 kg*m^2, J_S: 7e-7 kg*m^2,\n"
    "  c_phi: 5.6e-3 N*m/rad, g: 9.81 m/s^2}\n"
    "formula:\n"
    "  coordinates: {y: m, M: rad, S: rad}\n"
    "  kinetic: (m_M*y'^2 + J_M*M'^2 + J_S*S'^2 + m_S*((l_M*sin(M)*M' + l_G*sin(S)*S')^2\n"
    "    + (y' + l_M*cos(M)*M' + l_G*cos(S)*S')^2))/2\n"
    "  potential: c_phi*(S - M)^2/2 + g*(m_M*y + m_S*(y + l_M*sin(M) + l_G*sin(S)))\n"
    "laws: {wood: {mu: 0.3}, hard: {like: wood, eps_N: 0.5}}\n"
    "contacts:\n"
    "  beak: {gap: l_M*cos(M) + (l_G - l_S)*cos(S) - h_S*sin(S) - r_O,\n"
    "         slip: y' + l_M*cos(M)*M' + ((l_G - l_S)*cos(S) - h_S*sin(S))*S', law: hard}\n"
    "  lower: {gap: r_M*cos(M) + h_M*sin(M) - r_O,\n"
    "          slip: y' + (r_M*cos(M) + h_M*sin(M))*M', law: wood}\n"
    "  upper: {gap: r_M*cos(M) - h_M*sin(M) - r_O,\n"
    "          slip: y' + (r_M*cos(M) - h_M*sin(M))*M', law: wood}\n"
    "start: {M: -0.1 rad, S: -0.2788 rad, y': -0.3411 m/s, S': -7.4583 rad/s}\n"
    "run: {until: 1 s, start: project, step: 2e-5 s}\n";

static void the_woodpecker_of_bodies_runs_as_the_formula_of_the_same_kinematics(void **ctx)
{
    (void)ctx;
    rig formula = rig_of_text("%s", toy);
    rig bodies = rig_of_file("examples/woodpecker/woodpecker_bodies.yaml", NULL);
    /* a formula has no parts to take lengths from: so that both judge gaps alike */
    formula.m->extent.gap = bodies.m->extent.gap;
    for (int i = 0; i < 15000; i++) { /* two strokes of the beak */
        rig_step(&formula, SP_METHOD_MOREAU, 2e-5);
        rig_step(&bodies, SP_METHOD_MOREAU, 2e-5);
        const double *q = bodies.x->q, *u = bodies.x->u;
        assert_near_scaled(formula.x->q[0], q[0], 0.01, 1e-10);
        assert_near(formula.x->q[1], q[1], 1e-10);
        assert_near(formula.x->q[2], q[1] + q[2], 1e-10);
        assert_near(formula.x->u[0], u[0], 1e-10);
        assert_near_scaled(formula.x->u[2], u[1] + u[2], 10.0, 1e-10);
    }
    assert_true(rig_count(&formula, SP_EVENT_IMPACT, rig_slot(&formula, "beak")) >= 1);
    assert_int_equal(formula.n_event, bodies.n_event);
    rig_free(&formula);
    rig_free(&bodies);
}

/* ---- explicit time -----------------------------------------------------------------------------
 */

/* A pendulum whose support is shaken, y = a sin(w t), and which gets longer, l = l_0 + v t:
 *     T = m/2 ((l' sin(p) + l cos(p) p')^2 + (y' - l' cos(p) + l sin(p) p')^2)
 * M, h and the power by hand:  M = m l^2,
 *     h = -m (2 l l' p' + l y'' sin(p)) - m g l sin(p)                                           */
static void explicit_time_gives_the_forces_and_the_power_of_driven_parts(void **ctx)
{
    (void)ctx;
    const double m = 0.7, l_0 = 0.4, v = 0.3, a = 0.1, w = 5.0, g = 9.81;
    rig r = rig_of_text(
        "specht: 1\n"
        "parameters: {m: 0.7 kg, l_0: 0.4 m, v: 0.3 m/s, a: 0.1 m, w: 5 rad/s, g: 9.81 m/s^2}\n"
        "formula:\n"
        "  coordinates: {p: rad}\n"
        "  kinetic: m/2*((v*sin(p) + (l_0 + v*t)*cos(p)*p')^2\n"
        "    + (a*w*cos(w*t) - v*cos(p) + (l_0 + v*t)*sin(p)*p')^2)\n"
        "  potential: m*g*(a*sin(w*t) - (l_0 + v*t)*cos(p))\n"
        "start: {p: 0.5 rad}\n");
    assert_true(r.m->formula.mixed);
    rng random = {3};
    for (int i = 0; i < check_cases(200, 20000); i++) {
        const double t = rng_in(&random, 0.0, 2.0), p = rng_in(&random, -3.0, 3.0);
        const double u = rng_in(&random, -9.0, 9.0), l = l_0 + v * t;
        const double y_rate = a * w * cos(w * t), bend = -a * w * w * sin(w * t);
        const double h = -m * (2.0 * l * v * u + l * bend * sin(p)) - m * g * l * sin(p);
        /* d/dt of the relative energy by explicit time: m l v u^2 + m g (y' - v cos p) */
        const double power = m * l * v * u * u + m * g * (y_rate - v * cos(p));
        sp_dyn_init(r.m, &r.m->numbers, &r.w->dyn);
        sp_dyn_terms(r.m, &r.m->numbers, t, &p, &u, &r.w->kin, &r.w->dyn);
        assert_near(r.w->dyn.M[0], m * l * l, 1e-13);
        assert_near(r.w->dyn.h[SP_CONSERVATIVE][0] + r.w->dyn.h[SP_APPLIED][0], h, 1e-12);
        assert_near(r.w->dyn.h[SP_CONSERVATIVE][0], -m * g * l * sin(p), 1e-12);
        assert_near(r.w->dyn.explicit_power, power, 1e-12);
    }
    rig_steps(&r, SP_METHOD_MOREAU_MEAN, 1e-3, 2000);
    assert_true(r.worst.closure < 1e-12);
    assert_true(fabs(r.x->ledger.applied) > 1.0 && fabs(r.x->ledger.discretisation) < 1e-2);
    rig_free(&r);
}

/* M and h given directly are the same machine as its energies. */
static void matrices_given_directly_are_used_as_they_stand(void **ctx)
{
    (void)ctx;
    const char *head =
        "specht: 1\nparameters: {m: 2 kg, l: 0.5 m, g: 9.81 m/s^2, k: 3 N/m, d: 0.1 N*s/m}\n";
    rig energies =
        rig_of_text("%sformula:\n  coordinates: {x: m, p: rad}\n"
                    "  kinetic: m*x'^2/2 + m/2*((x' + l*cos(p)*p')^2 + (l*sin(p)*p')^2)\n"
                    "  potential: 0 J - m*g*l*cos(p) + k*x^2/2\n"
                    "  dissipation: d*x'^2/2\n"
                    "  forces: {x: 2 N * sin(3 rad/s * t)}\n"
                    "start: {p: 1 rad}\n",
                    head);
    rig matrices = rig_of_text(
        "%sformula:\n  coordinates: {x: m, p: rad}\n"
        "  M: [[2*m, m*l*cos(p)], [m*l*cos(p), m*l^2]]\n"
        "  h: [m*l*sin(p)*p'^2 - k*x - d*x' + 2 N * sin(3 rad/s * t), 0 - m*g*l*sin(p)]\n"
        "start: {p: 1 rad}\n",
        head);
    rig_steps(&energies, SP_METHOD_MOREAU_MEAN, 1e-3, 1000);
    rig_steps(&matrices, SP_METHOD_MOREAU_MEAN, 1e-3, 1000);
    for (int k = 0; k < 2; k++) {
        assert_near(energies.x->q[k], matrices.x->q[k], 1e-10);
        assert_near(energies.x->u[k], matrices.x->u[k], 1e-10);
    }
    assert_true(energies.worst.closure < 1e-12 && matrices.worst.closure < 1e-12);
    assert_true(energies.x->ledger.dampers < -1e-3);
    rig_free(&energies);
    rig_free(&matrices);
}

static void wrong_formulas_are_refused(void **ctx)
{
    (void)ctx;
    const struct {
        const char *text, *message;
    } bad[] = {
        {"coordinates: {x: m}\n  kinetic: 1 kg * x'^3/(1 m/s)", "second degree"},
        {"coordinates: {x: m}\n  kinetic: 2 J", "does not depend on any rate"},
        {"coordinates: {x: m}\n  kinetic: 1 kg * x'^2\n  potential: 3 N * x'/(1 rad/s)",
         "velocity"},
        {"coordinates: {x: m}\n  kinetic: 1 kg * x'", "expected an energy"},
        {"coordinates: {x: metre}\n  kinetic: 1 kg * x'^2", "metre"},
        {"coordinates: {x: m}\n  kinetic: 1 kg * x'^2\n  forces: {z: 1 N}", "no coordinate 'z'"},
        {"coordinates: {x: m}\n  M: [[1 kg, 2 kg]]\n  h: [1 N]", "row of 2 entries, expected 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const sp_error err = rig_refused("specht: 1\nformula:\n  %s\n", bad[i].text);
        if (!strstr(err.text, bad[i].message)) {
            fail_msg("'%s' says: %s", bad[i].text, err.text);
        }
    }
}

/* T of the rates alone: M is found at build, in the order of the coordinates, whatever the order in
 * T; T that is even, of second degree along lines through zero but no quadratic form stays as it
 * was. */
static void a_kinetic_energy_of_rates_alone_has_a_constant_mass(void **ctx)
{
    (void)ctx;
    const double q[3] = {0.3, -0.2, 0.7}, u[3] = {1.5, -2.0, 0.25};
    rig r = rig_of_text("specht: 1\nunits: off\nformula: {coordinates: {a: m, b: m, c: m},\n"
                        "  kinetic: (7*c'^2 + (b' - 2*a')^2 + 3*a'*c' + a'^2)/2, potential: a*b}\n"
                        "run: {until: 1}\n");
    static const double M[6] = {5.0, -2.0, 1.0, 1.5, 0.0, 7.0};
    const sp_model *m = r.m;
    sp_energy e;
    assert_non_null(m->formula.M);
    sp_dyn_init(m, &m->numbers, &r.w->dyn);
    sp_dyn_terms(m, &m->numbers, 0.0, q, u, &r.w->kin, &r.w->dyn);
    for (int k = 0; k < 6; k++) {
        assert_near(r.w->dyn.M[k], M[k], 1e-15);
    }
    assert_near(r.w->dyn.h[SP_CONSERVATIVE][0], 0.2, 1e-15);
    assert_near(r.w->dyn.h[SP_CONSERVATIVE][1], -0.3, 1e-15);
    sp_dyn_energies(m, &m->numbers, 0.0, q, u, &r.w->kin, &r.w->dyn, &e);
    assert_near(e.kinetic, 0.5 * (7.0 * 0.0625 + 25.0 + 3.0 * 0.375 + 2.25), 1e-14);
    rig_free(&r);
    r = rig_of_text("specht: 1\nunits: off\nformula: {coordinates: {a: m, b: m},\n"
                    "  kinetic: sqrt(a'^4 + b'^4 + 1e-3*a'^2*b'^2)}\nrun: {until: 1}\n");
    assert_null(r.m->formula.M);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kinetic_energy_of_rates_alone_has_a_constant_mass),
        cmocka_unit_test(mass_and_forces_of_the_slider_crank_are_the_printed_ones),
        cmocka_unit_test(the_slider_crank_by_formula_runs_as_the_one_of_bodies),
        cmocka_unit_test(the_woodpecker_of_bodies_runs_as_the_formula_of_the_same_kinematics),
        cmocka_unit_test(explicit_time_gives_the_forces_and_the_power_of_driven_parts),
        cmocka_unit_test(matrices_given_directly_are_used_as_they_stand),
        cmocka_unit_test(wrong_formulas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
