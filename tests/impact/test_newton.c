#include "impact/newton.h"

#include "solvers/slider_crank.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* First impact of the slider-crank: exact state before, two corners at once. */
typedef struct face_impact {
    double W[8][3], M_inv[9], G[16], gamma_m[4], Lambda[4], gamma_p[4], u_p[3];
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
    f->impact = (sp_impact){.Lambda = f->Lambda, .gamma_p = f->gamma_p, .status = f->status};
    void *work = malloc(sp_impact_work(2, 4));
    assert_int_equal(SP_OK, sp_impact_newton(2, 4, set, row, f->G, 4, f->gamma_m, eps_N, eps_T,
                                             &f->impact, work, NULL));
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
    assert_near_scaled(f.impact.energy, kinetic(f.u_p) - kinetic(u_m), kinetic(u_m), 1e-13);
    assert_true(f.impact.energy < 0.0);
}

/* The impacting stick: state at the exact first impact, where Newton's law gains energy. */
static void the_impacting_stick_gains_energy_and_says_so(void **ctx)
{
    (void)ctx;
    const double th = 0.7914255723067399, mass = 1.0, J = 1.0 / 12.0, l = 1.0,
                 t = 0.06027408909291651;
    const double W_N[3] = {0.0, 1.0, 0.5 * l * sin(th)}, W_T[3] = {-1.0, 0.0, -0.5 * l * cos(th)};
    const double inverse[3] = {1.0 / mass, 1.0 / mass, 1.0 / J};
    const double u[3] = {-0.5, 0.1 - 10.0 * t, 0.1};
    const sp_set set = sp_set_planar(0.01);
    const int row = 0;
    const double eps_N = 1.0, eps_T = 0.0;
    double G[4] = {0.0}, gamma_m[2] = {0.0}, Lambda[2], gamma_p[2], T_m = 0.0, T_p = 0.0;
    const double u_ref[3] = {-0.50373278, -0.12946272, 1.67746072};
    unsigned char status = SP_STATUS_UNKNOWN;
    for (int i = 0; i < 3; i++) {
        G[0] += W_N[i] * inverse[i] * W_N[i];
        G[1] += W_N[i] * inverse[i] * W_T[i];
        G[3] += W_T[i] * inverse[i] * W_T[i];
        gamma_m[0] += W_N[i] * u[i];
        gamma_m[1] += W_T[i] * u[i];
    }
    G[2] = G[1];
    assert_near(gamma_m[0], -0.46717309, 1e-8);
    assert_near(gamma_m[1], 0.46485840, 1e-8);
    sp_impact impact = {.Lambda = Lambda, .gamma_p = gamma_p, .status = &status};
    void *work = malloc(sp_impact_work(1, 2));
    assert_int_equal(SP_OK, sp_impact_newton(1, 2, &set, &row, G, 2, gamma_m, &eps_N, &eps_T,
                                             &impact, work, NULL));
    free(work);
    assert_near(Lambda[0], 0.3732781669189638, 1e-12);
    assert_near(Lambda[1], 0.01 * Lambda[0], 1e-15);
    assert_near(gamma_p[0], 0.46717309, 1e-8);
    assert_near(gamma_p[1], -0.08575371, 1e-8);
    for (int i = 0; i < 3; i++) {
        const double u_p = u[i] + inverse[i] * (W_N[i] * Lambda[0] + W_T[i] * Lambda[1]);
        assert_near(u_p, u_ref[i], 1e-8);
        T_m += 0.5 / inverse[i] * u[i] * u[i];
        T_p += 0.5 / inverse[i] * u_p * u_p;
    }
    assert_near(impact.energy, T_p - T_m, 1e-14);
    assert_true(impact.energy > 0.0);
    printf("impacting stick: energy gained %.3f %% of T = %.6f J\n", 100.0 * impact.energy / T_m,
           T_m);
    assert_near(100.0 * impact.energy / T_m, 0.281, 2e-3);
}

static void opposed_walls_with_unlike_restitution_are_infeasible(void **ctx)
{
    (void)ctx;
    /* a point between two walls, moving up; the lower wall asks for more than the upper one allows
     */
    const sp_set set[2] = {sp_set_half_line(), sp_set_half_line()};
    const int row[2] = {0, 1};
    const double G[4] = {1.0, -1.0, -1.0, 1.0}, gamma_m[2] = {-1.0, 1.0};
    const double good[2] = {0.2, 0.8}, bad[2] = {0.8, 0.2}, eps_T[2] = {0.0, 0.0};
    double Lambda[2], gamma_p[2];
    unsigned char status[2] = {SP_STATUS_UNKNOWN, SP_STATUS_UNKNOWN};
    sp_impact impact = {.Lambda = Lambda, .gamma_p = gamma_p, .status = status};
    void *work = malloc(sp_impact_work(2, 2));
    /* gamma_1 >= eps_1, -gamma_1 >= -eps_2  =>  eps_1 <= gamma_1 <= eps_2 */
    assert_int_equal(
        SP_OK, sp_impact_newton(2, 2, set, row, G, 2, gamma_m, good, eps_T, &impact, work, NULL));
    assert_near(gamma_p[0], 0.2, 1e-14);
    sp_error err;
    assert_int_equal(SP_E_INFEASIBLE, sp_impact_newton(2, 2, set, row, G, 2, gamma_m, bad, eps_T,
                                                       &impact, work, &err));
    assert_int_equal(SP_INFEASIBLE, impact.result);
    assert_true(Lambda[0] == 0.0 && gamma_p[0] == gamma_m[0]);
    free(work);
}

static void restitution_outside_its_range_is_refused(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_half_line();
    const int row = 0;
    const double G = 1.0, gamma_m = -1.0, eps_T = 0.0, bad[3] = {-0.1, 1.1, NAN};
    double Lambda = 0.0, gamma_p = 0.0, work[256];
    unsigned char status = SP_STATUS_UNKNOWN;
    sp_impact impact = {.Lambda = &Lambda, .gamma_p = &gamma_p, .status = &status};
    assert_true(sp_impact_work(1, 1) <= sizeof work);
    for (int k = 0; k < 3; k++) {
        sp_error err;
        assert_int_equal(SP_E_INPUT, sp_impact_newton(1, 1, &set, &row, &G, 1, &gamma_m, &bad[k],
                                                      &eps_T, &impact, work, &err));
        assert_non_null(strstr(err.text, "eps_N"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_impact_of_the_slider_crank_is_exact),
        cmocka_unit_test(a_face_impact_stays_symmetric),
        cmocka_unit_test(the_energy_lost_is_that_of_the_velocities),
        cmocka_unit_test(the_impacting_stick_gains_energy_and_says_so),
        cmocka_unit_test(opposed_walls_with_unlike_restitution_are_infeasible),
        cmocka_unit_test(restitution_outside_its_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
