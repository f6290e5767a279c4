#include "impact/newton.h"

#include "solvers/slider_crank.h"
#include "support/check.h"

#include <stdlib.h>

/* First impact of the slider-crank: exact state before, two corners at once. */
typedef struct face_impact {
    double W[8][3], M_inv[9], G[16], gamma_m[4], Lambda[4], Lambda_C[4], gamma_C[4], gamma_p[4];
    double u_p[3];
    unsigned char status[2];
    sp_impact impact;
} face_impact;

static const double q_m[3] = {0.355304455027707, -0.171509540940156, 0.0};
static const double u_m[3] = {109.557681543154, -49.3307899619344, 0.0};

static void strike(face_impact *f)
{
    const sp_set set[2] = {sp_set_planar(0.01), sp_set_planar(0.01)};
    const int row[2] = {0, 2};
    const double eps_N[2] = {0.4, 0.4}, eps_T[2] = {0.0, 0.0};
    double gap[4], (*W[4])[3] = {&f->W[0], &f->W[1], &f->W[2], &f->W[3]};
    crank_inverse_mass(q_m, f->M_inv);
    crank_contacts(q_m, gap, f->W);
    crank_delassus(4, W, f->M_inv, f->G);
    for (int k = 0; k < 4; k++) {
        f->gamma_m[k] = crank_velocity(f->W[k], u_m);
    }
    f->status[0] = f->status[1] = SP_STATUS_UNKNOWN;
    f->impact = (sp_impact){.Lambda = f->Lambda,
                            .Lambda_C = f->Lambda_C,
                            .gamma_C = f->gamma_C,
                            .gamma_p = f->gamma_p,
                            .status = f->status};
    const sp_impact_problem p = {.n_contact = 2,
                                 .n = 4,
                                 .set = set,
                                 .row = row,
                                 .G = f->G,
                                 .ld = 4,
                                 .gamma_m = f->gamma_m,
                                 .eps_N = eps_N,
                                 .eps_T = eps_T};
    const sp_impact_options o = sp_impact_options_default();
    void *work = malloc(sp_impact_work(2, 4));
    assert_int_equal(SP_OK, sp_impact_solve(&p, SP_IMPACT_NEWTON, &o, &f->impact, work, NULL));
    free(work);
    for (int i = 0; i < 3; i++) { /* u+ = u- + M^-1 W Lambda */
        f->u_p[i] = u_m[i];
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) {
                f->u_p[i] += f->M_inv[3 * i + j] * f->W[k][j] * f->Lambda[k];
            }
        }
    }
}

/* Kinetic energy of the two moving links and the slider. */
static double kinetic(const double *u)
{
    const double M11 = J1 + (m1 / 4.0 + m2 + m3) * l1 * l1;
    const double M22 = J2 + (m2 / 4.0 + m3) * l2 * l2;
    const double M12 = (m2 / 2.0 + m3) * l1 * l2 * cos(q_m[0] - q_m[1]);
    return 0.5 * (M11 * u[0] * u[0] + M22 * u[1] * u[1] + J3 * u[2] * u[2]) + M12 * u[0] * u[1];
}

static void first_impact_of_the_slider_crank_is_exact(void **ctx)
{
    (void)ctx;
    face_impact f;
    strike(&f);
    assert_near(f.gamma_m[0], -0.84161232, 1e-8); /* the input is what was printed */
    assert_near(f.gamma_m[1], -8.40750819, 1e-8);
    /* u+ is printed with 15 digits */
    assert_near(f.u_p[0], 108.724580001772, 1e-12);
    assert_near(f.u_p[1], -52.8422904202901, 1e-12);
    assert_near(f.Lambda[0], 0.05574032, 1e-8);
    assert_near(f.Lambda[2], 0.05518569, 1e-8);
    for (int i = 0; i < 2; i++) {
        assert_near(f.Lambda[2 * i + 1], 0.01 * f.Lambda[2 * i], 1e-15);
        assert_near(f.gamma_p[2 * i], 0.33664493, 1e-8);
        assert_near(f.gamma_p[2 * i + 1], -8.54655447, 1e-8);
        assert_near(f.gamma_p[2 * i], -0.4 * f.gamma_m[2 * i], 1e-12);
        assert_int_equal(SP_SLIP_NEG, f.status[i]);
    }
    assert_true(f.impact.residual < 1e-14);
}

static void a_face_impact_stays_symmetric(void **ctx)
{
    (void)ctx;
    face_impact f;
    strike(&f);
    /* the slider's own spin is what breaks: 110 rad/s times round-off, amplified by 1/J3 = 4e5 */
    assert_near_scaled(f.u_p[2], 0.0, 110.0, 1e-13);
    assert_near(f.gamma_p[0], f.gamma_p[2], 1e-14);
}

static void the_energy_lost_is_that_of_the_velocities(void **ctx)
{
    (void)ctx;
    face_impact f;
    strike(&f);
    assert_near_scaled(f.impact.energy.total, kinetic(f.u_p) - kinetic(u_m), kinetic(u_m), 1e-13);
    assert_true(f.impact.energy.total < 0.0);
}

/* One phase: what belongs to the end of compression is the end. */
static void newtons_law_has_one_phase(void **ctx)
{
    (void)ctx;
    face_impact f;
    strike(&f);
    for (int k = 0; k < 4; k++) {
        assert_true(f.Lambda_C[k] == f.Lambda[k]);
        assert_true(f.gamma_C[k] == f.gamma_p[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_impact_of_the_slider_crank_is_exact),
        cmocka_unit_test(a_face_impact_stays_symmetric),
        cmocka_unit_test(the_energy_lost_is_that_of_the_velocities),
        cmocka_unit_test(newtons_law_has_one_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
