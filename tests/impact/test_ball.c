/* Impacts with drilling friction. */
#include "impact/law.h"

#include "laws/contensou.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* A spinning ball falls on the floor: Lambda_N = m (1 + eps) v, and drilling takes the spin
 * 2/3 or 3 pi/16 times mu Lambda_N R / I. */
static void a_falling_spinning_ball_loses_spin(void **ctx)
{
    (void)ctx;
    const double m_0[2] = {2.0 / 3.0, 3.0 * PI / 16.0}, r = 0.01, mass = 0.02;
    const double I = 0.4 * mass * r * r, lever = 1e-3;
    for (int p = 0; p < 2; p++) {
        const sp_contensou_law law = {.mu = 0.3, .pressure = (sp_pressure)p, .radius = 1e-3};
        const sp_set set = sp_contensou_set(&law, lever, 0.0);
        const int row = 0;
        const double T = 1.0 / mass + r * r / I, D = lever * lever / I;
        const double G[16] = {1.0 / mass, 0.0, 0.0, 0.0, 0.0, T,   0.0, 0.0,
                              0.0,        0.0, T,   0.0, 0.0, 0.0, 0.0, D};
        const double omega = 300.0, v = 1.5, gamma[4] = {-v, 0.0, 0.0, lever * omega};
        const double eps_N = 0.5, eps_T = 0.0;
        const sp_impact_problem q = {.n_contact = 1,
                                     .n = 4,
                                     .set = &set,
                                     .row = &row,
                                     .G = G,
                                     .ld = 4,
                                     .gamma_m = gamma,
                                     .eps_N = &eps_N,
                                     .eps_T = &eps_T};
        double Lambda[4], Lambda_C[4], gamma_C[4], gamma_p[4];
        unsigned char status = SP_STATUS_UNKNOWN;
        sp_impact impact = {.Lambda = Lambda,
                            .Lambda_C = Lambda_C,
                            .gamma_C = gamma_C,
                            .gamma_p = gamma_p,
                            .status = &status};
        sp_fc_work w = {0};
        sp_error err;
        sp_impact_options o = sp_impact_options_default();
        void *work = malloc(sp_impact_work(1, 4));
        assert_int_equal(SP_E_INPUT,
                         sp_impact_solve(&q, SP_IMPACT_NEWTON, &o, &impact, work, &err));
        o.fc = &w;
        assert_int_equal(SP_OK, sp_impact_solve(&q, SP_IMPACT_NEWTON, &o, &impact, work, &err));
        const double N = mass * 1.5 * v;
        assert_near(Lambda[0], N, 1e-14);
        assert_near(gamma_p[0], 0.5 * v, 1e-14);
        const double left = omega - m_0[p] * law.mu * N * law.radius / I;
        assert_true(left > 0.0);
        assert_near_scaled(gamma_p[3] / lever, left, omega, 1e-13);
        assert_true(impact.energy.total < 0.0 && !impact.gained);
        assert_int_equal(SP_E_INPUT,
                         sp_impact_solve(&q, SP_IMPACT_POISSON, &o, &impact, work, &err));
        assert_non_null(strstr(err.text, "expected Newton's impact law"));
        sp_fc_work_free(&w);
        free(work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_spinning_ball_loses_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
