/* Joints that follow the deformed axis of a beam: M and h against energies, places against their
 * differences, small motions against differences of the dynamics.   theory (97.1)-(97.4) */
#include "dynamics/tangent.h"
#include "kinematics/spot.h"
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

enum { DOFS = 16, MACHINES = 3 };
#define STEP 1e-4 /* of central differences */

/* A tube that turns and bends, a rod that slides along it, and what hangs on the rod: a mass on a
 * hinge, and an elastic beam with a slider of its own. */
static const char *const text_of[MACHINES] = {
    "specht: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n"
    "  tube: {beam: {length: 2 m, section: {area: 1e-3, inertia: 1e-6}, young: 1e5, density: "
    "2700},\n"
    "    elastic: {bending: 3, stretch: 1, ends: clamped-free}, joint: {revolute: ground}}\n"
    "  rod: {mass: 3 kg, inertia: 0.2, center: [0.4 m, 0.1 m], joint: {prismatic: tube,\n"
    "    at: [0.7 m, 0.03 m], from: [0.1 m, -0.2 m], turn: 0.2 rad, axis: [0.980066577841242,\n"
    "    -0.198669330795061], follows: axis, stiffness: 500 N/m}}\n"
    "  ball: {mass: 0.5 kg, inertia: 0.01, center: [0.3 m, 0], joint: {revolute: rod, at: [0.2 m, "
    "0]}}\n"
    "run: {until: 1 s}\n",
    "specht: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n"
    "  tube: {beam: {length: 2 m, section: {area: 1e-3, inertia: 1e-6}, young: 1e5, density: "
    "2700},\n"
    "    elastic: {bending: 2, stretch: 1, ends: pinned-free}, joint: {revolute: ground}}\n"
    "  rod: {beam: {length: 1 m, section: {area: 1e-3, inertia: 1e-6}, young: 1e5, density: 900},\n"
    "    elastic: {bending: 2}, joint: {prismatic: tube, at: [0.7 m, 0], axis: [1, 0], follows: "
    "axis}}\n"
    "  block: {mass: 1 kg, inertia: 0.1, joint: {free: rod, only: [x, phi], at: [0.5 m, 0],\n"
    "    follows: axis}}\n"
    "run: {until: 1 s}\n",
    "specht: 1\nspace: spatial\ngravity: [0, 0, -9.81 m/s^2]\nbodies:\n"
    "  tube: {beam: {length: 2 m, section: {area: 1e-3, inertia_y: 1e-6, inertia_z: 2e-6,\n"
    "    torsion: 1e-6}, young: 1e5, density: 2700}, elastic: {bending: [2, 2], torsion: 2,\n"
    "    stretch: 1}, joint: {revolute: ground, axis: [0.6, 0, 0.8]}}\n"
    "  rod: {mass: 3 kg, inertia: [0.2, 0.3, 0.25], center: [0.4 m, 0.1 m, 0.05 m], joint:\n"
    "    {cylindrical: tube, at: [0.7 m, 0.03 m, -0.02 m], from: [0.1 m, 0, 0.1 m],\n"
    "    axis: [1, 0, 0], follows: axis}}\n"
    "  ball: {mass: 0.5 kg, inertia: [0.01, 0.02, 0.02], center: [0.3 m, 0, 0], joint:\n"
    "    {revolute: rod, at: [0.2 m, 0, 0.1 m], axis: [0, 0.6, 0.8]}}\n"
    "run: {until: 1 s}\n"};

/* Bends by some tenths of a radian; the slider on the beam, now and then beyond its end. */
static void draw(const machine *c, rng *r, double *q, double *u)
{
    for (int k = 0; k < c->m->n_dof; k++) {
        const bool own = c->m->dof[k].move == SP_MOVE_SHAPE;
        q[k] = own ? rng_in(r, -0.15, 0.15) : rng_in(r, -0.6, 1.5);
        u[k] = own ? rng_in(r, -1.0, 1.0) : rng_in(r, -2.0, 2.0);
    }
}

static void shift(int n, const double *q, double h, const double *u, double *to)
{
    for (int k = 0; k < n; k++) {
        to[k] = q[k] + h * u[k];
    }
}

/* Differences of order four of a function of the coordinates along u. */
typedef double scalar(machine *c, const double *q, const double *u, int k);

static double slope_along(machine *c, scalar *f, const double *q, const double *dir,
                          const double *u, int k)
{
    static const double at[] = {-2.0, -1.0, 1.0, 2.0}, weight[] = {1.0, -8.0, 8.0, -1.0};
    double sum = 0.0, to[DOFS];
    for (int i = 0; i < 4; i++) {
        shift(c->m->n_dof, q, at[i] * STEP, dir, to);
        sum += weight[i] / (12.0 * STEP) * f(c, to, u, k);
    }
    return sum;
}

static double kinetic(machine *c, const double *q, const double *u, int k)
{
    (void)k;
    return machine_kinetic(c, q, u);
}

static double potential(machine *c, const double *q, const double *u, int k)
{
    (void)k;
    return machine_potential(c, 0.0, q, u);
}

/* dT/du_k: T is quadratic in u. */
static double momentum(machine *c, const double *q, const double *u, int k)
{
    double side[2][DOFS];
    for (int s = 0; s < 2; s++) {
        memcpy(side[s], u, (size_t)c->m->n_dof * sizeof *u);
        side[s][k] += s == 0 ? -1.0 : 1.0;
    }
    return 0.5 * (machine_kinetic(c, q, side[1]) - machine_kinetic(c, q, side[0]));
}

static void mass_and_forces_are_those_of_lagrange(void **ctx)
{
    (void)ctx;
    rng r = {9701};
    for (int i = 0; i < MACHINES * check_cases(8, 60); i++) {
        machine c = machine_of_text(text_of[i % MACHINES]);
        const int n = c.m->n_dof;
        double q[DOFS], u[DOFS], h[DOFS], M[DOFS * DOFS];
        draw(&c, &r, q, u);
        machine_forces(&c, 0.0, q, u, h);
        for (int k = 0; k < n; k++) {
            double e[DOFS] = {0.0};
            e[k] = 1.0;
            const double by_energy = slope_along(&c, kinetic, q, e, u, k) -
                                     slope_along(&c, potential, q, e, u, k) -
                                     slope_along(&c, momentum, q, u, u, k);
            assert_near_scaled(h[k], by_energy, 100.0, 1e-9);
        }
        machine_mass(&c, q, u, M);
        for (int k = 0; k < n; k++) {
            double p = 0.0;
            for (int j = 0; j < n; j++) {
                p += M[k * n + j] * u[j];
            }
            assert_near_scaled(p, momentum(&c, q, u, k), 10.0, 1e-11);
        }
        machine_free(&c);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* Places of a point of the last body and of its velocity. */
static sp_spot point_of(machine *c, const double *q, const double *u)
{
    machine_move(c, q, u);
    return sp_spot_at(&c->w->kin, c->m->n_body - 1, (sp_vec3){0.3, 0.2, 0.0});
}

static void points_move_as_their_differences_say(void **ctx)
{
    (void)ctx;
    rng r = {9702};
    for (int i = 0; i < MACHINES * check_cases(10, 100); i++) {
        machine c = machine_of_text(text_of[i % MACHINES]);
        const int n = c.m->n_dof;
        double q[DOFS], u[DOFS], to[DOFS];
        int sup[DOFS];
        sp_vec3 v[DOFS], w[DOFS], sum = {0.0, 0.0, 0.0}, spin = sum, x[2], speed[2];
        sp_rot3 R[2];
        draw(&c, &r, q, u);
        for (int s = 0; s < 2; s++) {
            shift(n, q, s == 0 ? -STEP : STEP, u, to);
            const sp_spot p = point_of(&c, to, u);
            x[s] = p.x;
            R[s] = sp_spot_axes(&c.w->kin, &p);
            speed[s] = sp_spot_velocity(&c.w->kin, &p);
        }
        const sp_spot p = point_of(&c, q, u);
        const sp_vec3 velocity = sp_spot_velocity(&c.w->kin, &p);
        const int m = sp_spot_columns(c.m, &c.w->kin, &p, sup, v, w);
        for (int k = 0; k < m; k++) {
            sum = sp_axpy3(sum, u[sup[k]], v[k]);
            spin = sp_axpy3(spin, u[sup[k]], w[k]);
        }
        const sp_vec3 by_x = sp_scale3(0.5 / STEP, sp_sub3(x[1], x[0]));
        const sp_vec3 by_R = sp_scale3(0.5 / STEP, sp_sub3(R[1].x, R[0].x));
        const sp_vec3 by_v = sp_scale3(0.5 / STEP, sp_sub3(speed[1], speed[0]));
        const sp_rot3 axes = sp_spot_axes(&c.w->kin, &p);
        assert_near(sp_length3(sp_sub3(sum, velocity)), 0.0, 1e-12);
        assert_near(sp_length3(sp_sub3(spin, sp_spot_spin(&c.w->kin, &p))), 0.0, 1e-12);
        assert_near_scaled(sp_length3(sp_sub3(by_x, velocity)), 0.0, 100.0, 1e-7);
        assert_near_scaled(sp_length3(sp_sub3(by_R, sp_cross3(spin, axes.x))), 0.0, 100.0, 1e-7);
        assert_near_scaled(sp_length3(sp_sub3(by_v, sp_spot_bias(&c.w->kin, &p))), 0.0, 1000.0,
                           1e-7);
        machine_free(&c);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* M a - h; with its slope along (dq, du). */
static void invert(machine *c, const double *q, const double *u, const double *a, const double *dq,
                   const double *du, double *res, double *slope)
{
    sp_arena arena;
    sp_tangent tangent;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_tangent_alloc(&arena, c->m, &tangent));
    machine_move(c, q, u);
    const sp_tangent_at at = {0.0, q, u, a, NULL, &c->w->kin};
    sp_tangent_begin(c->m, c->num, &at, dq, du, &tangent);
    sp_tangent_end(&tangent);
    for (int k = 0; k < c->m->n_dof; k++) {
        res[k] = tangent.r[k].v;
        slope[k] = tangent.r[k].d;
    }
    sp_arena_free(&arena);
}

static void residual(machine *c, const double *q, const double *u, const double *a, double *res)
{
    const int n = c->m->n_dof;
    double M[DOFS * DOFS], h[DOFS];
    machine_mass(c, q, u, M);
    machine_forces(c, 0.0, q, u, h);
    for (int k = 0; k < n; k++) {
        res[k] = -h[k];
        for (int j = 0; j < n; j++) {
            res[k] += M[k * n + j] * a[j];
        }
    }
}

static void small_motions_are_differences_of_the_dynamics(void **ctx)
{
    (void)ctx;
    rng r = {9703};
    for (int i = 0; i < MACHINES * check_cases(10, 100); i++) {
        machine c = machine_of_text(text_of[i % MACHINES]);
        const int n = c.m->n_dof;
        double q[DOFS], u[DOFS], a[DOFS], dq[DOFS], du[DOFS], to[2][DOFS];
        double res[DOFS], slope[DOFS], here[DOFS], side[2][DOFS];
        draw(&c, &r, q, u);
        draw(&c, &r, dq, du);
        draw(&c, &r, a, to[0]);
        invert(&c, q, u, a, dq, du, res, slope);
        residual(&c, q, u, a, here);
        for (int s = 0; s < 2; s++) {
            const double h = s == 0 ? -STEP : STEP;
            shift(n, q, h, dq, to[0]);
            shift(n, u, h, du, to[1]);
            residual(&c, to[0], to[1], a, side[s]);
        }
        for (int k = 0; k < n; k++) {
            assert_near_scaled(res[k], here[k], 100.0, 1e-11);
            assert_near_scaled(slope[k], 0.5 / STEP * (side[1][k] - side[0][k]), 1000.0, 1e-6);
        }
        machine_free(&c);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_forces_are_those_of_lagrange),
        cmocka_unit_test(points_move_as_their_differences_say),
        cmocka_unit_test(small_motions_are_differences_of_the_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
