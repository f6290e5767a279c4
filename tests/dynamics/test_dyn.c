/* Mass matrix, its factor, inertia and gravity, energies.   theory (3.1)-(3.7), (3.10), (3.11) */
#include "base/status.h"
#include "support/tree.h"

#include <stdio.h>
#include <string.h>

enum { N2 = TREE_DOFS * TREE_DOFS };

/* M is a sum over 30 bodies of products of columns up to 30 m long: entries to 1e4, each term exact
 * to a few eps, the sum to some 100 eps of the largest entry. */
#define TOL_M 1e-13
/* Energies are sums of squares, without cancellation; differences of three of them cost a digit. */
#define TOL_T 1e-12
/* h adds forces of size m omega^2 l over the tree and their moments. */
#define TOL_H 1e-12

typedef struct fixture {
    tree t;
    machine c;
    double q[TREE_DOFS], u[TREE_DOFS], a[TREE_DOFS];
} fixture;

static void set_up(fixture *f, rng *r, int n)
{
    f->t = tree_random(r, n, rng_in(r, 0.0, 1.0));
    f->c = tree_compile(&f->t, r);
    random_motion(r, f->t.n_dof, f->q, f->u, f->a);
}

static double largest(int n, const double *x)
{
    double s = 1e-300;
    for (int k = 0; k < n; k++) {
        s = check_worse(s, fabs(x[k]));
    }
    return s;
}

static void mass_matrix_is_the_sum_over_bodies_of_their_columns(void **ctx)
{
    (void)ctx;
    rng r = {21};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        static double M[N2], sum[N2];
        set_up(&f, &r, 1 + rng_int(&r, 30));
        const int n = f.t.n_dof;
        machine_mass(&f.c, f.q, f.u, M);
        tree_mass(&f.t, f.q, sum);
        const double size = largest(n * n, sum);
        for (int i = 0; i < n * n; i++) { /* entries off the pattern are zero in both */
            assert_near_scaled(M[i], sum[i], size, TOL_M);
        }
        machine_free(&f.c);
    }
    print_message("M: worst difference %.1e of its largest entry\n", check_worst());
}

/* T(e_i + e_j) - T(e_i) - T(e_j) = M_ij, exact for a quadratic form. */
static void mass_matrix_is_the_hessian_of_the_kinetic_energy(void **ctx)
{
    (void)ctx;
    rng r = {22};
    for (int k = 0; k < check_cases(30, 500); k++) {
        static fixture f;
        static double M[N2];
        set_up(&f, &r, 1 + rng_int(&r, 12));
        const int n = f.t.n_dof;
        machine_mass(&f.c, f.q, f.u, M);
        const double size = largest(n * n, M);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double e[TREE_DOFS] = {0.0}, T_i, T_j;
                e[i] = 1.0;
                T_i = machine_kinetic(&f.c, f.q, e);
                e[i] = 0.0;
                e[j] = 1.0;
                T_j = machine_kinetic(&f.c, f.q, e);
                e[i] += 1.0;
                const double M_ij = machine_kinetic(&f.c, f.q, e) - T_i - T_j;
                assert_near_scaled(M_ij, M[i * n + j], size, TOL_T);
            }
        }
        machine_free(&f.c);
    }
    print_message("Hessian: worst difference %.1e of the largest entry\n", check_worst());
}

static void energies_are_sums_over_the_bodies(void **ctx)
{
    (void)ctx;
    rng r = {23};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        static double M[N2];
        set_up(&f, &r, 1 + rng_int(&r, 30));
        const int n = f.t.n_dof;
        const double T = tree_kinetic(&f.t, f.q, f.u);
        assert_near(machine_kinetic(&f.c, f.q, f.u), T, TOL_T);
        assert_near(machine_potential(&f.c, 0.0, f.q, f.u), tree_potential(&f.t, f.q), TOL_T);
        double Mu[TREE_DOFS], quadratic = 0.0;
        machine_mass(&f.c, f.q, f.u, M);
        sp_dyn_multiply(f.c.m, &f.c.w->dyn, f.u, Mu);
        for (int i = 0; i < n; i++) {
            double row = 0.0;
            for (int j = 0; j < n; j++) {
                row += M[i * n + j] * f.u[j];
            }
            assert_near_scaled(Mu[i], row, largest(n * n, M), TOL_T);
            quadratic += 0.5 * f.u[i] * Mu[i];
        }
        assert_near(quadratic, T, TOL_T);
        machine_free(&f.c);
    }
    print_message("energies: worst relative difference %.1e\n", check_worst());
}

/* Largest entry of L^T D L - M. */
static double factor_error(int n, const double *L, const double *D, const double *M)
{
    double error = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += L[k * n + i] * D[k] * L[k * n + j];
            }
            error = check_worse(error, fabs(sum - M[i * n + j]));
        }
    }
    return error;
}

static void the_factor_gives_back_the_matrix_and_is_positive(void **ctx)
{
    (void)ctx;
    rng r = {24};
    double worst = 0.0;
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        static double M[N2], L[N2], D[TREE_DOFS];
        sp_error err;
        set_up(&f, &r, 1 + rng_int(&r, 30));
        const int n = f.t.n_dof;
        machine_mass(&f.c, f.q, f.u, M);
        assert_int_equal(sp_dyn_factor(f.c.m, &f.c.w->dyn, &err), SP_OK);
        machine_factor(&f.c, L, D);
        for (int i = 0; i < n; i++) {
            assert_true(D[i] > 0.0);
        }
        const double error = factor_error(n, L, D, M) / largest(n * n, M);
        assert_true(error < TOL_M);
        worst = check_worse(worst, error);
        machine_free(&f.c);
    }
    print_message("L^T D L: worst difference %.1e of the largest entry\n", worst);
}

/* Backward error |M x - b| / (|M| |x|): small whatever the condition of M. */
static void solving_with_the_factor_inverts_the_matrix(void **ctx)
{
    (void)ctx;
    rng r = {25};
    double worst = 0.0;
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        static double M[N2];
        double b[TREE_DOFS], x[TREE_DOFS];
        sp_error err;
        set_up(&f, &r, 1 + rng_int(&r, 30));
        const int n = f.t.n_dof;
        machine_mass(&f.c, f.q, f.u, M);
        assert_int_equal(sp_dyn_factor(f.c.m, &f.c.w->dyn, &err), SP_OK);
        for (int i = 0; i < n; i++) {
            b[i] = x[i] = rng_in(&r, -1.0, 1.0);
        }
        sp_dyn_solve_LT(f.c.m, &f.c.w->dyn, x);
        sp_dyn_solve_D_L(f.c.m, &f.c.w->dyn, x);
        const double size = largest(n * n, M) * largest(n, x) * n;
        for (int i = 0; i < n; i++) {
            double residual = -b[i];
            for (int j = 0; j < n; j++) {
                residual += M[i * n + j] * x[j];
            }
            assert_true(fabs(residual) <= 1e-14 * size);
            worst = check_worse(worst, fabs(residual) / size);
        }
        machine_free(&f.c);
    }
    print_message("M x = b: worst backward error %.1e\n", worst);
}

static void a_part_without_inertia_is_reported_by_its_coordinate(void **ctx)
{
    (void)ctx;
    rng r = {26};
    static fixture f;
    do {
        if (f.c.m) {
            machine_free(&f.c);
        }
        set_up(&f, &r, 3);
    } while (f.t.n_dof == 0);
    sp_body_numbers body[4];
    sp_numbers num = *f.c.num;
    sp_error err = {.status = SP_OK};
    memcpy(body, num.body, (size_t)f.c.m->n_body * sizeof *body);
    for (int i = 0; i < f.c.m->n_body; i++) {
        body[i].mass = body[i].inertia = 0.0;
    }
    num.body = body;
    machine_move(&f.c, f.q, f.u);
    sp_dyn_mass(f.c.m, &num, &f.c.w->kin, &f.c.w->dyn);
    assert_int_equal(sp_dyn_factor(f.c.m, &f.c.w->dyn, &err), SP_E_NONFINITE);
    assert_non_null(strstr(err.text, ".joint."));
    for (int i = 0; i < f.c.m->n_body; i++) {
        body[i].mass = NAN;
    }
    sp_dyn_mass(f.c.m, &num, &f.c.w->kin, &f.c.w->dyn);
    assert_int_equal(sp_dyn_factor(f.c.m, &f.c.w->dyn, &err), SP_E_NONFINITE);
    machine_free(&f.c);
}

static void gravity_and_inertia_forces_are_those_of_dalembert(void **ctx)
{
    (void)ctx;
    rng r = {27};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        double h[TREE_DOFS], expected[TREE_DOFS];
        set_up(&f, &r, 1 + rng_int(&r, 30));
        machine_forces(&f.c, 0.0, f.q, f.u, h);
        tree_forces(&f.t, f.q, f.u, true, expected);
        const double size = largest(f.t.n_dof, expected);
        for (int i = 0; i < f.t.n_dof; i++) {
            assert_near_scaled(h[i], expected[i], size, TOL_H);
        }
        machine_free(&f.c);
    }
    print_message("h: worst difference %.1e of its largest entry\n", check_worst());
}

/* (M u)_k at q, from the kinetic energy alone. */
static double momentum(machine *c, const double *q, const double *u, int k)
{
    double e[TREE_DOFS] = {0.0}, sum[TREE_DOFS];
    for (int i = 0; i < c->m->n_dof; i++) {
        sum[i] = u[i];
    }
    e[k] = 1.0;
    sum[k] += 1.0;
    return machine_kinetic(c, q, sum) - machine_kinetic(c, q, u) - machine_kinetic(c, q, e);
}

/* Lagrange: h_k = dL/dq_k - d/dt (dL/du_k) at constant rates, L = T - V, by central quotients. */
static double lagrange(fixture *f, int k, double step)
{
    double q[2][TREE_DOFS], side[2];
    const int n = f->t.n_dof;
    for (int s = 0; s < 2; s++) {
        const double h = s == 0 ? -step : step;
        for (int i = 0; i < n; i++) {
            q[0][i] = f->q[i] + h * f->u[i];
            q[1][i] = f->q[i] + (i == k ? h : 0.0);
        }
        side[s] = machine_kinetic(&f->c, q[1], f->u) - machine_potential(&f->c, 0.0, q[1], f->u) -
                  momentum(&f->c, q[0], f->u, k);
    }
    return (side[1] - side[0]) / (2.0 * step);
}

/* The error of the quotient is h^2/6 f''' + eps f/h with f ~ energies: with energies to 100 J and
 * third derivatives some 10 times that, 1e-8 is within reach near h = 1e-5 (1e-8 + 1e-9). */
static void forces_are_those_of_lagrange(void **ctx)
{
    (void)ctx;
    enum { N = 4 };
    const double step[N] = {3e-2, 1e-2, 3e-3, 1e-3};
    double error[N + 1] = {0.0};
    rng r = {28};
    for (int c = 0; c < check_cases(20, 200); c++) {
        static fixture f;
        double h[TREE_DOFS];
        set_up(&f, &r, 1 + rng_int(&r, 4));
        machine_forces(&f.c, 0.0, f.q, f.u, h);
        const double size = fmax(1.0, largest(f.t.n_dof, h));
        for (int k = 0; k < f.t.n_dof; k++) {
            for (int s = 0; s <= N; s++) {
                const double by_energy = lagrange(&f, k, s < N ? step[s] : 1e-5);
                error[s] = check_worse(error[s], fabs(by_energy - h[k]) / size);
            }
        }
        machine_free(&f.c);
    }
    print_message("Lagrange: order %.3f, best error %.1e\n", check_order(N, step, error), error[N]);
    assert_near(check_order(N, step, error), 2.0, 0.05);
    assert_true(error[N] < 1e-8);
}

/* Massless rods l1, l2 with point masses m1, m2 at their ends, absolute angles a, b from the
 * vertical downwards (any textbook of mechanics):
 *   a'' = [-g (2 m1 + m2) sin a - m2 g sin(a - 2b)
 *          - 2 sin(a - b) m2 (b'^2 l2 + a'^2 l1 cos(a - b))] / (l1 D)
 *   b'' = 2 sin(a - b) [a'^2 l1 (m1 + m2) + g (m1 + m2) cos a + b'^2 l2 m2 cos(a - b)] / (l2 D)
 *   D = 2 m1 + m2 - m2 cos(2a - 2b) */
static void a_double_pendulum_accelerates_as_in_the_textbook(void **ctx)
{
    (void)ctx;
    const double l1 = 0.7, l2 = 0.4, m1 = 1.3, m2 = 0.6, g = 9.81;
    machine c = machine_of_text(
        "specht: 1\nname: test\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  one: {mass: 1.3 kg, center: [0, -0.7 m], joint: {revolute: ground}}\n"
        "  two: {mass: 0.6 kg, center: [0, -0.4 m], joint: {revolute: one, at: [0, -0.7 m]}}\n"
        "run: {until: 1 s, method: moreau, step: 0.1 s}\n");
    rng r = {29};
    for (int k = 0; k < 1000; k++) {
        const double a = rng_in(&r, -3.0, 3.0), b = rng_in(&r, -3.0, 3.0);
        const double va = rng_in(&r, -5.0, 5.0), vb = rng_in(&r, -5.0, 5.0);
        const double q[2] = {a, b - a}, u[2] = {va, vb - va};
        double x[2], M[4];
        sp_error err;
        machine_forces(&c, 0.0, q, u, x);
        machine_mass(&c, q, u, M);
        assert_int_equal(sp_dyn_factor(c.m, &c.w->dyn, &err), SP_OK);
        sp_dyn_solve_LT(c.m, &c.w->dyn, x);
        sp_dyn_solve_D_L(c.m, &c.w->dyn, x);
        const double D = 2.0 * m1 + m2 - m2 * cos(2.0 * (a - b));
        const double aa = (-g * (2.0 * m1 + m2) * sin(a) - m2 * g * sin(a - 2.0 * b) -
                           2.0 * sin(a - b) * m2 * (vb * vb * l2 + va * va * l1 * cos(a - b))) /
                          (l1 * D);
        const double bb =
            2.0 * sin(a - b) *
            (va * va * l1 * (m1 + m2) + g * (m1 + m2) * cos(a) + vb * vb * l2 * m2 * cos(a - b)) /
            (l2 * D);
        assert_near_scaled(x[0], aa, 100.0, 1e-13);
        assert_near_scaled(x[0] + x[1], bb, 100.0, 1e-13);
    }
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_matrix_is_the_sum_over_bodies_of_their_columns),
        cmocka_unit_test(mass_matrix_is_the_hessian_of_the_kinetic_energy),
        cmocka_unit_test(energies_are_sums_over_the_bodies),
        cmocka_unit_test(the_factor_gives_back_the_matrix_and_is_positive),
        cmocka_unit_test(solving_with_the_factor_inverts_the_matrix),
        cmocka_unit_test(a_part_without_inertia_is_reported_by_its_coordinate),
        cmocka_unit_test(gravity_and_inertia_forces_are_those_of_dalembert),
        cmocka_unit_test(forces_are_those_of_lagrange),
        cmocka_unit_test(a_double_pendulum_accelerates_as_in_the_textbook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
