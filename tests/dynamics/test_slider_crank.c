/* M and h of the slider-crank against the printed formulas [FLG10 eqs 90-97].  Their coordinates
 * are the absolute angles theta = A q, A lower triangular of ones: M = A^T M_theta A, h = A^T
 * h_theta. */
#include "support/tree.h"

enum { N = 3 };

static const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5,
                    J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81;

/* Eqs 90-94 */
static void printed_mass(const double *theta, double M[N][N])
{
    M[0][0] = J1 + (0.25 * m1 + m2 + m3) * l1 * l1;
    M[0][1] = M[1][0] = (0.5 * m2 + m3) * l1 * l2 * cos(theta[1] - theta[0]);
    M[0][2] = M[2][0] = M[1][2] = M[2][1] = 0.0;
    M[1][1] = J2 + (0.25 * m2 + m3) * l2 * l2;
    M[2][2] = J3;
}

/* Eqs 95-97 */
static void printed_forces(const double *theta, const double *omega, double *h)
{
    const double c = (0.5 * m2 + m3) * l1 * l2 * sin(theta[1] - theta[0]);
    h[0] = c * omega[1] * omega[1] - (0.5 * m1 + m2 + m3) * g * l1 * cos(theta[0]);
    h[1] = -c * omega[0] * omega[0] - (0.5 * m2 + m3) * g * l2 * cos(theta[1]);
    h[2] = 0.0;
}

/* theta_i = q_1 + ... + q_i */
static void absolute(const double *q, double *theta)
{
    theta[0] = q[0];
    theta[1] = q[0] + q[1];
    theta[2] = q[0] + q[1] + q[2];
}

static void compare(machine *c, const double *q, const double *u)
{
    double theta[N], omega[N], M_theta[N][N], h_theta[N], M[N * N], h[N];
    absolute(q, theta);
    absolute(u, omega);
    printed_mass(theta, M_theta);
    printed_forces(theta, omega, h_theta);
    machine_mass(c, q, u, M);
    machine_forces(c, 0.0, q, u, h);
    for (int i = 0; i < N; i++) {
        double h_i = 0.0;
        for (int k = i; k < N; k++) { /* A_ki = 1 for k >= i */
            h_i += h_theta[k];
        }
        /* sizes: M 1e-2 kg m^2; h 1e-2 kg m^2 times (450 rad/s)^2 */
        assert_near_scaled(h[i], h_i, 1e3, 1e-14);
        for (int j = 0; j < N; j++) {
            double M_ij = 0.0;
            for (int k = i; k < N; k++) {
                for (int l = j; l < N; l++) {
                    M_ij += M_theta[k][l];
                }
            }
            assert_near_scaled(M[i * N + j], M_ij, 1e-2, 1e-14);
        }
    }
}

static void mass_and_forces_are_the_printed_ones_in_joint_angles(void **ctx)
{
    (void)ctx;
    machine c = machine_of_file("examples/slider_crank/slider_crank.yaml");
    assert_int_equal(c.m->n_dof, N);
    assert_int_equal(machine_dof(&c, "crank.joint.phi"), 0);
    assert_int_equal(machine_dof(&c, "rod.joint.phi"), 1);
    assert_int_equal(machine_dof(&c, "slider.joint.phi"), 2);
    rng r = {61};
    for (int k = 0; k < check_cases(1000, 100000); k++) {
        double q[N], u[N];
        for (int i = 0; i < N; i++) {
            q[i] = rng_in(&r, -4.0, 4.0);
            u[i] = rng_in(&r, -150.0, 150.0);
        }
        compare(&c, q, u);
    }
    const double q[N] = {0.0}, u[N] = {150.0, -225.0, 75.0}; /* the start: 150, -75, 0 absolute */
    compare(&c, q, u);
    print_message("worst relative difference %.1e\n", check_worst());
    machine_free(&c);
}

/* At the start l_1 150 = l_2 75: the slider's pin stands still across the guide. */
static void the_start_of_the_file_is_that_of_the_paper(void **ctx)
{
    (void)ctx;
    machine c = machine_of_file("examples/slider_crank/slider_crank.yaml");
    const double q[N] = {0.0}, u[N] = {150.0, -225.0, 75.0};
    machine_move(&c, q, u);
    const sp_frame *slider = &c.w->kin.frame[machine_body(&c, "slider")];
    assert_near(slider->x.x, l1 + l2, 1e-15);
    assert_true(slider->x.y == 0.0);
    assert_near_scaled(slider->v.y, 0.0, 150.0 * l1, 1e-15);
    assert_true(slider->omega == 0.0);
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_forces_are_the_printed_ones_in_joint_angles),
        cmocka_unit_test(the_start_of_the_file_is_that_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
