/* Mass matrix, its factor, smooth forces and energies in space: against sums over bodies from jets,
 * and against the energies alone.   theory (3.13)-(3.19) */
#include "base/status.h"
#include "support/space.h"

#include <string.h>

enum { N2 = SPACE_DOFS * SPACE_DOFS };

/* M is a sum over up to 60 bodies of products of columns up to 60 m long: some 100 eps of the
 * largest entry.  h adds forces of size m omega^2 l and their moments over the tree. */
#define TOL_M 1e-13
#define TOL_H 1e-12
#define TOL_T 1e-12

static space s;
static double M[N2], sum[N2];

/* Trees of all sizes; the first cases go through all kinds of joints alone. */
static void set_up(rng *r, int k, int largest)
{
    const int n = k < 18 ? 1 + k % 2 : 1 + rng_int(r, largest);
    space_random(&s, r, n, rng_in(r, 0.0, 1.0), k < 18 ? k / 2 : -1);
    space_move(&s, s.q, s.u);
}

static void mass_matrix_is_the_sum_over_bodies_of_their_columns(void **ctx)
{
    (void)ctx;
    rng r = {941};
    for (int c = 0; c < check_cases(60, 600); c++) {
        set_up(&r, c, c % 10 ? 12 : 60);
        const int n = s.m.n_dof;
        space_dense_mass(&s, M);
        space_mass(&s, s.q, sum);
        const double size = space_largest(n * n, sum);
        for (int i = 0; i < n * n; i++) { /* entries off the pattern are zero in both */
            assert_near_scaled(M[i], sum[i], size, TOL_M);
        }
        space_free(&s);
    }
    print_message("M: worst difference %.1e of its largest entry\n", check_worst());
}

static double kinetic(const double *q, const double *u)
{
    sp_energy e;
    sp_dyn_energies(&s.m, &s.m.numbers, 0.0, q, u, &s.kin, &s.dyn, &e);
    return e.kinetic;
}

static double potential(const double *q)
{
    static const double rest[SPACE_DOFS];
    space_move(&s, q, rest);
    return sp_dyn_weight(&s.m, &s.m.numbers, &s.kin, &s.dyn) +
           sp_dyn_spring_energy(&s.m, &s.m.numbers, &s.kin, 0.0, q, rest, &s.dyn);
}

/* T(e_i + e_j) - T(e_i) - T(e_j) = M_ij, exact for a quadratic form. */
static void mass_matrix_is_the_hessian_of_the_kinetic_energy(void **ctx)
{
    (void)ctx;
    rng r = {942};
    for (int c = 0; c < check_cases(30, 300); c++) {
        set_up(&r, c, 6);
        const int n = s.m.n_dof;
        space_dense_mass(&s, M);
        const double size = space_largest(n * n, M);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double e[SPACE_DOFS] = {0.0};
                e[i] = 1.0;
                const double T_i = kinetic(s.q, e);
                e[i] = 0.0;
                e[j] = 1.0;
                const double T_j = kinetic(s.q, e);
                e[i] += 1.0;
                assert_near_scaled(kinetic(s.q, e) - T_i - T_j, M[i * n + j], size, TOL_T);
            }
        }
        space_free(&s);
    }
    print_message("Hessian: worst difference %.1e of the largest entry\n", check_worst());
}

static void energies_are_sums_over_the_bodies(void **ctx)
{
    (void)ctx;
    rng r = {943};
    for (int c = 0; c < check_cases(100, 1000); c++) {
        set_up(&r, c, 60);
        const double T = space_kinetic(&s, s.q, s.u), V = space_potential(&s, s.q);
        assert_near_scaled(potential(s.q), V, 1000.0, TOL_T);
        sp_energy e;
        sp_dyn_energies(&s.m, &s.m.numbers, 0.0, s.q, s.u, &s.kin, &s.dyn, &e);
        assert_near(e.kinetic, T, TOL_T);
        assert_near(e.quadratic, T, TOL_T);
        assert_near_scaled(e.potential, V, 1000.0, TOL_T);
        space_move(&s, s.q, s.u);
        sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
        double Mu[SPACE_DOFS], half = 0.0;
        sp_dyn_multiply(&s.m, &s.dyn, s.u, Mu);
        for (int k = 0; k < s.m.n_dof; k++) {
            half += 0.5 * s.u[k] * Mu[k];
        }
        assert_near(half, T, TOL_T);
        space_free(&s);
    }
    print_message("energies: worst relative difference %.1e\n", check_worst());
}

static void forces_are_those_of_dalembert(void **ctx)
{
    (void)ctx;
    rng r = {944};
    for (int c = 0; c < check_cases(60, 600); c++) {
        double h[SPACE_DOFS], expected[SPACE_DOFS];
        set_up(&r, c, c % 10 ? 12 : 60);
        space_dense_forces(&s, 0.0, s.q, s.u, h);
        space_forces(&s, s.q, s.u, expected);
        const double size = space_largest(s.m.n_dof, expected);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near_scaled(h[k], expected[k], size, TOL_H);
        }
        space_free(&s);
    }
    print_message("h: worst difference %.1e of its largest entry\n", check_worst());
}

/* p_k = (M u)_k at q, from the kinetic energy alone. */
static double momentum(const double *q, const double *u, int k)
{
    double e[SPACE_DOFS] = {0.0}, both[SPACE_DOFS];
    memcpy(both, u, sizeof both);
    e[k] = 1.0;
    both[k] += 1.0;
    return kinetic(q, both) - kinetic(q, u) - kinetic(q, e);
}

/* Lagrange's equations at constant u, L = T - V, derivatives by central quotients along the motion
 * and along u_k alone; the velocities of balls are no rates of coordinates and add (p x u)_k
 * (Euler-Poincare):  h_k = dL/dpi_k - dp_k/dt + (p x u)_k. */
static double lagrange(int k, double step)
{
    double side[2], e[SPACE_DOFS] = {0.0};
    e[k] = 1.0;
    for (int i = 0; i < 2; i++) {
        const double h = i == 0 ? -step : step;
        double along[SPACE_Q], alone[SPACE_Q];
        memcpy(along, s.q, sizeof along);
        memcpy(alone, s.q, sizeof alone);
        sp_kin_advance(&s.m, h, s.u, along);
        sp_kin_advance(&s.m, h, e, alone);
        side[i] = kinetic(alone, s.u) - potential(alone) - momentum(along, s.u, k);
    }
    double h_k = (side[1] - side[0]) / (2.0 * step);
    if (s.dof[k].move == SP_MOVE_BALL) {
        const int first = k - s.dof[k].part, i = s.dof[k].part;
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        h_k += momentum(s.q, s.u, first + j) * s.u[first + l] -
               momentum(s.q, s.u, first + l) * s.u[first + j];
    }
    return h_k;
}

/* The error of the quotient is h^2/6 f''' + eps f/h with energies f to some 100 J. */
static void forces_are_those_of_lagrange(void **ctx)
{
    (void)ctx;
    enum { N = 4 };
    const double step[N] = {3e-2, 1e-2, 3e-3, 1e-3};
    double error[N + 1] = {0.0};
    rng r = {945};
    for (int c = 0; c < check_cases(40, 300); c++) {
        double h[SPACE_DOFS];
        set_up(&r, c, 4);
        space_dense_forces(&s, 0.0, s.q, s.u, h);
        const double size = fmax(1.0, space_largest(s.m.n_dof, h));
        for (int k = 0; k < s.m.n_dof; k++) {
            for (int i = 0; i <= N; i++) {
                const double by_energy = lagrange(k, i < N ? step[i] : 1e-5);
                error[i] = check_worse(error[i], fabs(by_energy - h[k]) / size);
            }
        }
        space_free(&s);
    }
    print_message("Lagrange: order %.3f, best error %.1e\n", check_order(N, step, error), error[N]);
    assert_near(check_order(N, step, error), 2.0, 0.05);
    assert_true(error[N] < 1e-8);
}

static void the_factor_gives_back_the_matrix_and_is_positive(void **ctx)
{
    (void)ctx;
    rng r = {946};
    double worst = 0.0;
    for (int c = 0; c < check_cases(60, 600); c++) {
        sp_error err;
        set_up(&r, c, c % 10 ? 12 : 60);
        const int n = s.m.n_dof;
        space_dense_mass(&s, M);
        assert_int_equal(sp_dyn_factor(&s.m, &s.dyn, &err), SP_OK);
        const double size = space_largest(n * n, M);
        memset(sum, 0, sizeof sum);
        for (int k = 0; k < n; k++) { /* sum += L_k^T D_k L_k over the rows */
            double row[SPACE_DOFS] = {0.0};
            assert_true(s.dyn.D_inv[k] > 0.0);
            row[k] = 1.0;
            for (int j = s.dof[k].parent; j != SP_NONE; j = s.dof[j].parent) {
                row[j] = s.dyn.L[s.dof[k].row + s.dof[j].depth];
            }
            for (int i = 0; i <= k; i++) {
                for (int j = 0; j <= k; j++) {
                    sum[i * n + j] += row[i] * row[j] / s.dyn.D_inv[k];
                }
            }
        }
        for (int i = 0; i < n * n; i++) {
            worst = check_worse(worst, fabs(sum[i] - M[i]) / size);
        }
        assert_true(worst < TOL_M);
        space_free(&s);
    }
    print_message("L^T D L: worst difference %.1e of the largest entry\n", worst);
}

/* The passes of a step against the plain functions. */
static void terms_in_two_passes_are_the_terms_one_by_one(void **ctx)
{
    (void)ctx;
    rng r = {947};
    for (int c = 0; c < check_cases(60, 600); c++) {
        static double packed[SPACE_DOFS * (SPACE_DOFS + 1) / 2];
        double h[SPACE_DOFS];
        set_up(&r, c, 30);
        sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
        memcpy(packed, s.dyn.M, (size_t)s.m.n_packed * sizeof(double));
        space_dense_forces(&s, 0.0, s.q, s.u, h);
        memset(s.kin.frame3 + 1, 0xff, (size_t)(s.m.n_body - 1) * sizeof *s.kin.frame3); /* NaN */
        sp_dyn_terms(&s.m, &s.m.numbers, 0.0, s.q, s.u, &s.kin, &s.dyn);
        sp_dyn_form_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
        assert_memory_equal(packed, s.dyn.M, (size_t)s.m.n_packed * sizeof(double));
        assert_memory_equal(packed, s.dyn.L, (size_t)s.m.n_packed * sizeof(double));
        const double size = space_largest(s.m.n_dof, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near_scaled(s.dyn.h[SP_CONSERVATIVE][k], h[k], size, 1e-15);
        }
        space_free(&s);
    }
}

/* x with A x = b by elimination with pivots; A and b are used up. */
static void eliminate(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        }
        for (int j = 0; j <= n; j++) {
            double *x = j < n ? &A[k * n + j] : &b[k], *y = j < n ? &A[p * n + j] : &b[p];
            const double swap = *x;
            *x = *y;
            *y = swap;
        }
        for (int i = 0; i < n; i++) {
            const double l = i == k ? 0.0 : A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) {
                A[i * n + j] -= l * A[k * n + j];
            }
            b[i] -= l * b[k];
        }
    }
    for (int k = 0; k < n; k++) {
        b[k] /= A[k * n + k];
    }
}

/* Rows and columns struck out of the dense matrix, and the rest solved densely. */
static void holding_degrees_of_freedom_inverts_over_the_others(void **ctx)
{
    (void)ctx;
    rng r = {948};
    double worst = 0.0;
    for (int c = 0; c < check_cases(100, 1000); c++) {
        unsigned char held[SPACE_DOFS];
        double x[SPACE_DOFS], b[SPACE_DOFS];
        int number[SPACE_DOFS], m = 0;
        sp_error err;
        set_up(&r, c, 8);
        const int n = s.m.n_dof;
        space_dense_mass(&s, M);
        for (int k = 0; k < n; k++) {
            held[k] = rng_in(&r, 0.0, 1.0) < 0.3;
            x[k] = rng_in(&r, -1.0, 1.0);
            if (!held[k]) {
                number[m] = k;
                b[m++] = x[k];
            }
        }
        assert_int_equal(sp_dyn_factor_held(&s.m, held, &s.dyn, &err), SP_OK);
        sp_dyn_solve_LT(&s.m, &s.dyn, x);
        sp_dyn_solve_D_L(&s.m, &s.dyn, x);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                sum[i * m + j] = M[number[i] * n + number[j]];
            }
        }
        eliminate(m, sum, b);
        const double size = m > 0 ? space_largest(m, b) : 1.0;
        for (int i = 0; i < m; i++) {
            worst = check_worse(worst, fabs(x[number[i]] - b[i]) / size);
        }
        for (int k = 0; k < n; k++) {
            assert_true(!held[k] || x[k] == 0.0);
        }
        space_free(&s);
    }
    print_message("held: worst difference %.1e\n", worst);
    assert_true(worst < 1e-11); /* eps times the condition of M */
}

static void a_part_without_inertia_is_reported_unless_it_is_held(void **ctx)
{
    (void)ctx;
    rng r = {949};
    sp_error err = {.status = SP_OK};
    double du[1] = {0.5};
    static const unsigned char held[1] = {1};
    space_random(&s, &r, 1, 1.0, SP_JOINT_REVOLUTE);
    s.mass[1].mass = 0.0;
    memset(s.numbers[1].inertia, 0, sizeof s.numbers[1].inertia);
    s.dof[0].name = "leaf.joint.phi";
    space_move(&s, s.q, s.u);
    sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
    assert_int_equal(sp_dyn_factor(&s.m, &s.dyn, &err), SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "leaf.joint.phi"));
    err.text[0] = 0;
    assert_int_equal(sp_dyn_accelerate(&s.m, &s.m.numbers, &(sp_at){0.0, s.q, s.u}, NULL, &s.kin,
                                       &s.dyn, du, &err),
                     SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "leaf.joint.phi"));
    sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
    assert_int_equal(sp_dyn_factor_held(&s.m, held, &s.dyn, &err), SP_OK);
    assert_true(s.dyn.D_inv[0] == 0.0);
    assert_int_equal(sp_dyn_accelerate(&s.m, &s.m.numbers, &(sp_at){0.0, s.q, s.u}, held, &s.kin,
                                       &s.dyn, du, &err),
                     SP_OK);
    assert_true(du[0] == 0.5);
    space_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_matrix_is_the_sum_over_bodies_of_their_columns),
        cmocka_unit_test(mass_matrix_is_the_hessian_of_the_kinetic_energy),
        cmocka_unit_test(energies_are_sums_over_the_bodies),
        cmocka_unit_test(forces_are_those_of_dalembert),
        cmocka_unit_test(forces_are_those_of_lagrange),
        cmocka_unit_test(the_factor_gives_back_the_matrix_and_is_positive),
        cmocka_unit_test(terms_in_two_passes_are_the_terms_one_by_one),
        cmocka_unit_test(holding_degrees_of_freedom_inverts_over_the_others),
        cmocka_unit_test(a_part_without_inertia_is_reported_unless_it_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
