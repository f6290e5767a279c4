/* Forward dynamics by articulated bodies in space: against the factor of M, with residuals that do
 * not depend on its condition, and against closed forms of free bodies.   theory (3.30)-(3.34) */
#include "support/space.h"

#include <string.h>

static space s;

static void accelerate(double t, const double *q, const double *u, const unsigned char *held,
                       double *du)
{
    sp_error err = {.status = SP_OK};
    assert_int_equal(
        sp_dyn_accelerate(&s.m, &s.m.numbers, &(sp_at){t, q, u}, held, &s.kin, &s.dyn, du, &err),
        SP_OK);
}

/* |M u' - h| over the sizes of its terms: RNEA, CRBA and ABA agree. */
static void accelerations_fulfil_the_equations_of_motion(void **ctx)
{
    (void)ctx;
    rng r = {951};
    double worst = 0.0, worst_solved = 0.0;
    for (int c = 0; c < check_cases(150, 3000); c++) {
        double du[SPACE_DOFS], h[SPACE_DOFS], Mu[SPACE_DOFS], size = 1e-300;
        space_random(&s, &r, 1 + rng_int(&r, c % 5 ? 12 : 60), rng_in(&r, 0.0, 1.0), -1);
        accelerate(0.0, s.q, s.u, NULL, du);
        space_dense_forces(&s, 0.0, s.q, s.u, h);
        sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
        sp_dyn_multiply(&s.m, &s.dyn, du, Mu);
        for (int k = 0; k < s.m.n_dof; k++) { /* sizes of the terms of the sums */
            double row = fabs(h[k]);
            for (int j = k; j != SP_NONE; j = s.dof[j].parent) {
                row += fabs(s.dyn.M[s.dof[k].row + s.dof[j].depth] * du[j]);
            }
            size = fmax(size, row);
        }
        for (int k = 0; k < s.m.n_dof; k++) {
            worst = check_worse(worst, fabs(Mu[k] - h[k]) / size);
        }
        assert_int_equal(sp_dyn_factor(&s.m, &s.dyn, NULL), SP_OK);
        sp_dyn_solve_LT(&s.m, &s.dyn, h);
        sp_dyn_solve_D_L(&s.m, &s.dyn, h);
        const double largest = space_largest(s.m.n_dof, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            worst_solved = check_worse(worst_solved, fabs(h[k] - du[k]) / largest);
        }
        space_free(&s);
    }
    print_message("residual %.1e, against the factor %.1e\n", worst, worst_solved);
    assert_true(worst < 1e-12);
    assert_true(worst_solved < 1e-11); /* both lose the condition of M, some 1e4 */
}

/* Known accelerations at some joints: the others fulfil their rows. */
static void held_accelerations_are_kept_and_the_others_fulfil_their_rows(void **ctx)
{
    (void)ctx;
    rng r = {952};
    double worst = 0.0;
    for (int c = 0; c < check_cases(100, 2000); c++) {
        double du[SPACE_DOFS], h[SPACE_DOFS], Mu[SPACE_DOFS];
        unsigned char held[SPACE_DOFS];
        space_random(&s, &r, 1 + rng_int(&r, 12), rng_in(&r, 0.0, 1.0), -1);
        for (int k = 0; k < s.m.n_dof; k++) {
            held[k] = rng_in(&r, 0.0, 1.0) < 0.4;
            du[k] = held[k] ? s.a[k] : NAN;
        }
        accelerate(0.0, s.q, s.u, held, du);
        space_dense_forces(&s, 0.0, s.q, s.u, h);
        sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
        sp_dyn_multiply(&s.m, &s.dyn, du, Mu);
        const double size = s.m.n_dof > 0 ? fmax(space_largest(s.m.n_dof, Mu), 1.0) : 1.0;
        for (int k = 0; k < s.m.n_dof; k++) {
            if (held[k]) {
                assert_true(du[k] == s.a[k]);
            } else {
                worst = check_worse(worst, fabs(Mu[k] - h[k]) / size);
            }
        }
        space_free(&s);
    }
    print_message("rows of the free ones %.1e\n", worst);
    assert_true(worst < 1e-11);
}

/* ---- motions: Runge-Kutta of order 4 on (q, u) ------------------------------------------------
 */

static void rate(const double *q, const double *u, double *dq, double *du)
{
    accelerate(0.0, q, u, NULL, du);
    sp_kin_rate(&s.m, q, u, dq);
}

static void step(double dt)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const int n_q = s.m.n_q, n = s.m.n_dof;
    double dq[4][SPACE_Q], du[4][SPACE_DOFS], q[SPACE_Q], u[SPACE_DOFS];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < n_q; k++) {
            q[k] = s.q[k] + (i ? at[i] * dt * dq[i - 1][k] : 0.0);
        }
        for (int k = 0; k < n; k++) {
            u[k] = s.u[k] + (i ? at[i] * dt * du[i - 1][k] : 0.0);
        }
        rate(q, u, dq[i], du[i]);
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < n_q; k++) {
            s.q[k] += dt / 6.0 * weight[i] * dq[i][k];
        }
        for (int k = 0; k < n; k++) {
            s.u[k] += dt / 6.0 * weight[i] * du[i][k];
        }
    }
}

/* Linear momentum, and angular momentum about the origin, of all bodies. */
static void momenta(sp_vec3 *p, sp_vec3 *L)
{
    *p = *L = (sp_vec3){0.0, 0.0, 0.0};
    space_move(&s, s.q, s.u);
    for (int i = 1; i < s.m.n_body; i++) {
        const sp_frame3 *f = &s.kin.frame3[i];
        const sp_vec3 c = sp_add3(f->x, f->c);
        const sp_vec3 m_v = sp_scale3(s.mass[i].mass, point_velocity(&s.kin, i, c));
        const sp_vec3 own = sp_rotate_back3(f->R, f->omega);
        const sp_vec3 spin = sp_rotate3(f->R, sp_sym3_mul(sp_sym3_of(s.numbers[i].inertia), own));
        *p = sp_add3(*p, m_v);
        *L = sp_add3(*L, sp_add3(spin, sp_cross3(c, m_v)));
    }
}

/* A free tree without gravity: momenta and energy stay, to the error of the method (steps halved:
 * 16 times smaller). */
static void a_free_tree_keeps_its_momenta_and_its_energy(void **ctx)
{
    (void)ctx;
    for (int c = 0; c < check_cases(5, 40); c++) {
        double error[2][3];
        for (int half = 0; half < 2; half++) {
            rng same = {9530 + (uint64_t)c};
            space_begin(&s);
            space_add(&s, &same, 0, SP_JOINT_FREE);
            for (int i = 0; i < 4; i++) {
                space_add(&s, &same, 1 + rng_int(&same, i + 1),
                          (sp_joint_kind)rng_int(&same, SP_JOINT_SCREW + 1));
            }
            space_finish(&s);
            space_shake(&s, &same);
            for (int k = 0; k < s.m.n_dof; k++) {
                s.u[k] *= 0.3;
            }
            sp_vec3 p[2], L[2];
            momenta(&p[0], &L[0]);
            const double T = space_kinetic(&s, s.q, s.u);
            const int n = half ? 200 : 100;
            for (int k = 0; k < n; k++) {
                step(0.5 / n);
            }
            momenta(&p[1], &L[1]);
            error[half][0] = sp_length3(sp_sub3(p[1], p[0]));
            error[half][1] = sp_length3(sp_sub3(L[1], L[0]));
            error[half][2] = fabs(space_kinetic(&s, s.q, s.u) - T);
            space_free(&s);
        }
        for (int i = 0; i < 3; i++) {
            assert_true(error[1][i] < 1e-6);
            assert_true(error[1][i] < error[0][i] / 10.0 || error[1][i] < 1e-13);
        }
    }
}

/* Torque-free symmetric top, J = (A, A, C): in body axes omega_z is constant and the rest turns
 * with (A - C)/A omega_z the other way; the symmetry axis goes round the angular momentum L with
 * |L|/A.  Closed form, [Euler]. */
static void a_symmetric_top_without_torque_precesses_as_in_closed_form(void **ctx)
{
    (void)ctx;
    static const double A = 0.5, C = 0.8, one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rng r = {954};
    space_begin(&s);
    space_add(&s, &r, 0, SP_JOINT_SPHERICAL);
    space_finish(&s);
    memset(&s.numbers[1], 0, sizeof s.numbers[1]);
    memcpy(s.mass[1].mark.axes, one, sizeof one);
    s.numbers[1].inertia[0] = s.numbers[1].inertia[1] = A;
    s.numbers[1].inertia[2] = C;
    const double w0 = 1.5, wz = 4.0, until = 3.0;
    s.q[0] = 1.0; /* body axes along the world's */
    s.q[1] = s.q[2] = s.q[3] = 0.0;
    s.u[0] = w0;
    s.u[1] = 0.0;
    s.u[2] = wz;
    const int n = 30000;
    for (int k = 0; k < n; k++) {
        step(until / n);
    }
    const double rate_own = (C - A) / A * wz; /* omega_x + i omega_y = w0 exp(i rate t) */
    assert_near(s.u[0], w0 * cos(rate_own * until), 1e-12);
    assert_near(s.u[1], w0 * sin(rate_own * until), 1e-12);
    assert_near(s.u[2], wz, 1e-14);
    /* the axis e_z of the body turns about L = (A w0, 0, C wz) */
    const sp_vec3 L = {A * w0, 0.0, C * wz}, e = {0.0, 0.0, 1.0};
    const double size = sp_length3(L), angle = size / A * until;
    const sp_vec3 expected =
        sp_rotate3(sp_rot3_about(sp_scale3(1.0 / size, L), cos(angle), sin(angle)), e);
    space_move(&s, s.q, s.u);
    assert_near(sp_length3(sp_sub3(s.kin.frame3[1].R.z, expected)), 0.0, 1e-11);
    assert_near(sp_quat_norm2(sp_quat_of(s.q)), 1.0, 1e-11); /* by the method, not renormed */
    space_free(&s);
}

/* A screw on a vertical axis: (J + m p^2) phi'' = -m g p. */
static void a_nut_on_a_steep_thread_falls_as_in_closed_form(void **ctx)
{
    (void)ctx;
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rng r = {955};
    space_begin(&s);
    space_add(&s, &r, 0, SP_JOINT_SCREW);
    space_finish(&s);
    s.m.numbers.gravity[2] = -9.81;
    memset(s.numbers[1].center, 0, sizeof s.numbers[1].center);
    memset(s.numbers[1].from, 0, sizeof s.numbers[1].from);
    memcpy(s.mass[1].mark.axes, one, sizeof one);
    memcpy(s.dof_numbers[0].axis, one + 6, 3 * sizeof *one);
    s.dof_numbers[0].pitch = 0.3;
    const double m = s.mass[1].mass, J = s.numbers[1].inertia[2];
    double du[1];
    s.q[0] = 0.7;
    s.u[0] = 2.0;
    accelerate(0.0, s.q, s.u, NULL, du);
    assert_near(du[0], -m * 9.81 * 0.3 / (J + m * 0.09), 1e-14);
    assert_near(s.kin.frame3[1].x.z - s.mass[1].mark.at[2], 0.3 * 0.7, 1e-15);
    space_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_fulfil_the_equations_of_motion),
        cmocka_unit_test(held_accelerations_are_kept_and_the_others_fulfil_their_rows),
        cmocka_unit_test(a_free_tree_keeps_its_momenta_and_its_energy),
        cmocka_unit_test(a_symmetric_top_without_torque_precesses_as_in_closed_form),
        cmocka_unit_test(a_nut_on_a_steep_thread_falls_as_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
