/* What expressions see: places and velocities of bodies and points, and functions of them. */
#include "support/tree.h"

#include <stdio.h>

/* Round-off of places and velocities of a few metres; sums of a few terms. */
#define TOL 1e-13

/* Sources that hold everything. */
static sp_signal_source whole(const machine *c, const double *q, const double *u)
{
    return (sp_signal_source){.kin = &c->w->kin,
                              .q = q,
                              .u = u,
                              .t = 0.75,
                              .measure = 11.0,
                              .rate = 12.0,
                              .kinetic = 13.0,
                              .potential = 14.0};
}

static double value(sp_signal_kind kind, int index, double x, double y,
                    const sp_signal_source *from)
{
    const sp_signal s = {.kind = kind, .index = index, .mark = {.body = index, .at = {x, y}}};
    return sp_signal_value(&s, from);
}

static void signals_of_bodies_are_places_and_velocities_of_their_points(void **ctx)
{
    (void)ctx;
    rng r = {11};
    for (int k = 0; k < check_cases(50, 1000); k++) {
        static tree t;
        static pose p[TREE_BODIES + 1];
        double q[TREE_DOFS], u[TREE_DOFS];
        t = tree_random(&r, 1 + rng_int(&r, 6), 0.7);
        machine c = tree_compile(&t, &r);
        random_motion(&r, t.n_dof, q, u, NULL);
        tree_poses(&t, q, u, NULL, p);
        machine_move(&c, q, u);
        const sp_signal_source from = whole(&c, q, u);
        for (int i = 0; i < t.n; i++) {
            const int b = t.body[i].body;
            const double at[2] = {rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0)};
            const jet2 x = pose_point(&p[i], at[0], at[1]);
            assert_near(value(SP_SIG_X, b, at[0], at[1], &from), x.x.c[0], TOL);
            assert_near(value(SP_SIG_Y, b, at[0], at[1], &from), x.y.c[0], TOL);
            assert_near(value(SP_SIG_VX, b, at[0], at[1], &from), x.x.c[1], TOL);
            assert_near(value(SP_SIG_VY, b, at[0], at[1], &from), x.y.c[1], TOL);
            assert_near(value(SP_SIG_PHI, b, 0.0, 0.0, &from), p[i].phi.c[0], TOL);
            assert_near(value(SP_SIG_OMEGA, b, 0.0, 0.0, &from), p[i].phi.c[1], TOL);
        }
        for (int j = 0; j < t.n_dof; j++) {
            assert_true(value(SP_SIG_Q, j, 0.0, 0.0, &from) == q[j]);
            assert_true(value(SP_SIG_U, j, 0.0, 0.0, &from) == u[j]);
        }
        machine_free(&c);
    }
}

static void signals_of_the_element_the_contact_and_the_energies_are_passed_through(void **ctx)
{
    (void)ctx;
    const sp_contact_record contact[2] = {
        {.g_N = -1.0},
        {.g_N = 1.0, .gamma_N = 2.0, .gamma_T = 3.0, .lambda_N = 4.0, .lambda_T = 5.0}};
    sp_signal_source from = {.t = 0.75, .measure = 11.0, .rate = 12.0, .kinetic = 13.0};
    from.potential = 14.0;
    from.contact = contact;
    assert_true(value(SP_SIG_TIME, 0, 0.0, 0.0, &from) == 0.75);
    assert_true(value(SP_SIG_MEASURE, 0, 0.0, 0.0, &from) == 11.0);
    assert_true(value(SP_SIG_RATE, 0, 0.0, 0.0, &from) == 12.0);
    assert_true(value(SP_SIG_KINETIC, 0, 0.0, 0.0, &from) == 13.0);
    assert_true(value(SP_SIG_POTENTIAL, 0, 0.0, 0.0, &from) == 14.0);
    const sp_signal_kind kind[5] = {SP_SIG_GAP, SP_SIG_GAMMA_N, SP_SIG_GAMMA_T, SP_SIG_LAMBDA_N,
                                    SP_SIG_LAMBDA_T};
    for (int k = 0; k < 5; k++) {
        assert_true(value(kind[k], 1, 0.0, 0.0, &from) == k + 1.0);
    }
}

static void a_signal_that_the_source_does_not_hold_is_not_a_number(void **ctx)
{
    (void)ctx;
    const sp_signal_source nothing = {.t = 0.0};
    const sp_signal_kind kind[] = {SP_SIG_Q,       SP_SIG_U,       SP_SIG_X,       SP_SIG_Y,
                                   SP_SIG_PHI,     SP_SIG_VX,      SP_SIG_VY,      SP_SIG_OMEGA,
                                   SP_SIG_GAP,     SP_SIG_GAMMA_N, SP_SIG_GAMMA_T, SP_SIG_LAMBDA_N,
                                   SP_SIG_LAMBDA_T};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        assert_true(isnan(value(kind[k], 0, 0.0, 0.0, &nothing)));
    }
}

/* f = x_tip vy_tip + sin(phi) omega - 2 t with its derivatives by hand. */
static void functions_and_their_gradients_are_those_of_the_formula(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  rod: {mass: 1, inertia: 1, joint: {free: ground}, points: {tip: [2, 1]}}\n"
        "outputs: {f: rod.tip.x*rod.tip.vy + sin(rod.phi)*rod.omega - 2*t, g: 6*7}\n"
        "run: {until: 1, method: moreau, step: 0.1}\n");
    const double q[3] = {0.3, -0.2, 0.9}, u[3] = {1.1, -0.7, 2.3};
    machine_move(&c, q, u);
    const sp_signal_source from = whole(&c, q, u);
    const double tip_x = 0.3 + 2.0 * cos(0.9) - sin(0.9);
    const double tip_vy = -0.7 + 2.3 * (2.0 * cos(0.9) - sin(0.9));
    const sp_func *f = &c.m->output[0].func;
    double in[16], grad[16];
    assert_string_equal(c.m->output[0].name, "f");
    assert_true(f->n_signal <= 16);
    const double expected = tip_x * tip_vy + sin(0.9) * 2.3 - 1.5;
    assert_near(sp_func_value(f, &from, in, c.w->dyn.work), expected, TOL);
    assert_near(sp_func_grad(f, &from, in, grad, c.w->dyn.work), expected, TOL);
    int seen = 0;
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        const double d = s->kind == SP_SIG_X       ? tip_vy
                         : s->kind == SP_SIG_VY    ? tip_x
                         : s->kind == SP_SIG_PHI   ? cos(0.9) * 2.3
                         : s->kind == SP_SIG_OMEGA ? sin(0.9)
                         : s->kind == SP_SIG_TIME  ? -2.0
                                                   : NAN;
        assert_near(grad[k], d, TOL);
        seen++;
    }
    assert_int_equal(seen, 5);
    const sp_func *g = &c.m->output[1].func;
    assert_true(sp_func_value(g, &from, in, c.w->dyn.work) == 42.0);
    assert_true(sp_func_grad(g, &from, in, grad, c.w->dyn.work) == 42.0);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_of_bodies_are_places_and_velocities_of_their_points),
        cmocka_unit_test(signals_of_the_element_the_contact_and_the_energies_are_passed_through),
        cmocka_unit_test(a_signal_that_the_source_does_not_hold_is_not_a_number),
        cmocka_unit_test(functions_and_their_gradients_are_those_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
