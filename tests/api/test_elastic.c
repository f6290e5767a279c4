/* Elastic bodies by the public functions: a free beam in space keeps its momentum and its angular
 * momentum, which are rows of M u. */
#include "api/machine.h"

#include <math.h>

static const char free_beam[] =
    "specht: 1\nspace: spatial\ngravity: 0\n"
    "bodies:\n"
    "  rod:\n"
    "    beam: {length: 1 m, section: {rectangle: [20 mm, 10 mm]}, young: 1 GPa, "
    "density: 2700 kg/m^3}\n"
    "    elastic: {bending: 2, torsion: 1, stretch: 1}\n"
    "start: {rod.e1: 8 mm, rod.e3: -6 mm, rod.e5: 0.02 rad, rod.omega_own_x: 10 rad/s, "
    "rod.omega_own_y: 3 rad/s, rod.omega_own_z: -4 rad/s, rod.vx: 1 m/s, rod.vz: -2 m/s}\n"
    "run: {until: 0.05 s}\n";

enum { OWN = 6, N = 6 + OWN };

/* Momentum and angular momentum about the origin of the world: the velocities of the joint are
 * those of the body's origin along the axes of the world and its spin about its own axes. */
static void momenta(const machine *m, double p[3], double L[3])
{
    sp_error err = {.status = SP_OK};
    double M[N * N], row[6] = {0.0};
    const double *q = sp_state_q(m->state), *u = sp_state_u(m->state);
    ASSERT_OK(sp_mechanics_terms(m->model, m->state, M, NULL, &err));
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < N; k++) {
            row[i] += M[i * N + k] * u[k];
        }
    }
    const double w = q[3], v[3] = {q[4], q[5], q[6]}, *l = row + 3;
    for (int i = 0; i < 3; i++) { /* R l = l + 2 v x (v x l + w l), then x x p */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double a[3] = {v[1] * l[2] - v[2] * l[1] + w * l[0],
                             v[2] * l[0] - v[0] * l[2] + w * l[1],
                             v[0] * l[1] - v[1] * l[0] + w * l[2]};
        p[i] = row[i];
        L[i] = l[i] + 2.0 * (v[j] * a[k] - v[k] * a[j]) + q[j] * row[k] - q[k] * row[j];
    }
}

static void a_free_beam_keeps_its_momenta(void **ctx)
{
    (void)ctx;
    machine m = machine_make(free_beam, NULL);
    sp_error err = {.status = SP_OK};
    double p_0[3], L_0[3], p[3], L[3], most = 0.0;
    assert_int_equal(sp_model_count(m.model, SP_ITEM_VELOCITY), N);
    momenta(&m, p_0, L_0);
    const double e_0 = sp_state_q(m.state)[7];
    for (int i = 0; i < 1000; i++) { /* the fastest function turns by 0.04 in a step */
        ASSERT_OK(sp_step(m.model, m.state, m.work, SP_METHOD_RK4, 2e-5, NULL, &err));
        most = fmax(most, fabs(sp_state_q(m.state)[7] - e_0));
    }
    momenta(&m, p, L);
    assert_true(most > 1e-3); /* it swings */
    for (int i = 0; i < 3; i++) {
        assert_near(p[i], p_0[i], 1e-9);
        assert_near(L[i], L_0[i], 1e-9);
    }
    print_message("momenta change by at most %.1e\n", check_worst());
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_beam_keeps_its_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
