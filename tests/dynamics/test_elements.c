/* Force elements in space: h against the virtual power of each, with measures and velocities from
 * places alone; conservative ones against their energies; all against the power they book.
 * theory (3.8), (3.9), (3.40)-(3.46) */
#include "model/pulls.h"
#include "support/space.h"

#include <stdio.h>
#include <string.h>

/* Forces of size 10 and moments to 100 N m over trees of 6 bodies. */
#define TOL 1e-12

static space s;
static pose3 p[SPACE_BODIES + 1];
static const double at[2][3] = {{0.3, -0.7, 0.4}, {-0.2, 0.5, 0.6}};

/* ---- a tree with one element ------------------------------------------------------------------
 */

/* A tree, and the two bodies an element may join; the second may be the ground. */
static void grow(rng *r, int body[2])
{
    const int n = 2 + rng_int(r, 5);
    space_random(&s, r, n, 0.6, -1);
    body[0] = 1 + rng_int(r, n);
    do {
        body[1] = rng_int(r, n + 1);
    } while (body[1] == body[0]);
}

/* Add one element between points of two bodies. */
static sp_force_numbers *put(sp_force_kind kind, const int body[2])
{
    s.m.n_force = 1;
    s.m.layout.elements = true;
    s.force[0] = (sp_force){.name = "f", .kind = kind, .dof = SP_NONE, .aux = SP_NONE};
    s.force_numbers[0] = (sp_force_numbers){.limit = INFINITY};
    for (int k = 0; k < 2; k++) {
        s.force[0].body[k] = s.force_numbers[0].mark[k].body = body[k];
        memcpy(s.force_numbers[0].mark[k].at, at[k], sizeof at[k]);
    }
    return &s.force_numbers[0];
}

/* The same of an element on the distance of its points. */
static sp_force_numbers *put_pull(const char *key, const int body[2])
{
    sp_force_numbers *n = put(SP_FORCE_PULL, body);
    for (int k = 0; sp_pull_law_at(k); k++) {
        if (strcmp(sp_pull_law_at(k)->key, key) == 0) {
            s.force[0].pull = sp_pull_law_at(k);
        }
    }
    s.force[0].by_points = true;
    return n;
}

/* Signals that the expressions of tests call s0, s1, ... */
static sp_signal signals[8];

static sp_status find(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    (void)ctx;
    (void)err;
    *out = (sp_symbol){.kind = SP_SYM_INPUT, .any_dim = true, .input = path[1] - '0'};
    return SP_OK;
}

/* An expression of them. */
static sp_func func(const char *text)
{
    const sp_resolver names = {.name = find};
    sp_program *program;
    sp_error err = {.status = SP_OK};
    assert_int_equal(sp_expr_compile(&s.m.arena, text, &names, &program, NULL, &err), SP_OK);
    const int n = sp_program_n_input(program);
    sp_signal *signal = SP_NEW(&s.m.arena, sp_signal, n);
    for (int k = 0; k < n; k++) {
        signal[k] = signals[sp_program_inputs(program)[k]];
    }
    return (sp_func){.program = program, .n_signal = n, .signal = signal};
}

/* What the element alone adds to one share of h. */
static void share(double t, sp_share which, double *h)
{
    double without[SPACE_DOFS];
    const int n_force = s.m.n_force;
    s.m.n_force = 0;
    sp_dyn_init(&s.m, &s.m.numbers, &s.dyn);
    space_dense_share(&s, t, s.q, s.u, which, without);
    s.m.n_force = n_force;
    sp_dyn_init(&s.m, &s.m.numbers, &s.dyn);
    space_dense_share(&s, t, s.q, s.u, which, h);
    for (int k = 0; k < s.m.n_dof; k++) {
        h[k] -= without[k];
    }
}

/* The power booked for the element is that of its h, in every share. */
static void check_power(double t, double size)
{
    for (int which = 0; which < SP_SHARES; which++) {
        double h[SPACE_DOFS], power = 0.0;
        share(t, (sp_share)which, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            power += h[k] * s.u[k];
        }
        assert_near_scaled(s.dyn.element[0].power[which], power, size, TOL);
        if (which == SP_DAMPERS) {
            assert_true(power <= 1e-12 * size);
        }
    }
}

/* Conservative forces are the slope of the potential, along every degree of freedom: quotients with
 * error h^2/6 V''' + eps V/h. */
static void check_slope(double size)
{
    double h[SPACE_DOFS];
    static const double rest[SPACE_DOFS];
    share(0.0, SP_CONSERVATIVE, h);
    for (int k = 0; k < s.m.n_dof; k++) {
        double V[2], e[SPACE_DOFS] = {0.0};
        e[k] = 1.0;
        for (int i = 0; i < 2; i++) {
            double q[SPACE_Q];
            memcpy(q, s.q, sizeof q);
            sp_kin_advance(&s.m, i ? 1e-5 : -1e-5, e, q);
            space_move(&s, q, rest);
            V[i] = sp_dyn_spring_energy(&s.m, &s.m.numbers, &s.kin, 0.0, q, rest, &s.dyn);
        }
        assert_near_scaled(h[k], -(V[1] - V[0]) / 2e-5, size, 2e-8);
    }
}

/* ---- springs ----------------------------------------------------------------------------------
 */

/* Distance of the two points over time, for a motion u. */
static jet distance(const int body[2], const double *u)
{
    jet x[2][3], sum = jet_of(0.0, 0.0, 0.0);
    space_poses(&s, s.q, u, NULL, p);
    for (int k = 0; k < 2; k++) {
        pose3_point(&p[body[k]], at[k], x[k]);
    }
    for (int k = 0; k < 3; k++) {
        const jet d = jet_sub(x[1][k], x[0][k]);
        sum = jet_add(sum, jet_mul(d, d));
    }
    return jet_sqrt(sum);
}

/* h = -pull dx/du_k */
static void expect_pull(const int body[2], sp_share which, double pull)
{
    double h[SPACE_DOFS];
    share(0.0, which, h);
    for (int k = 0; k < s.m.n_dof; k++) {
        double e[SPACE_DOFS] = {0.0};
        e[k] = 1.0;
        assert_near_scaled(h[k], -pull * distance(body, e).c[1], 100.0, TOL);
    }
}

static void a_spring_with_preload_pulls_its_points_together(void **ctx)
{
    (void)ctx;
    rng r = {961};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2];
        grow(&r, body);
        sp_force_numbers *n = put(SP_FORCE_SPRING_POINTS, body);
        n->stiffness = 7.5;
        n->damping = 1.25;
        n->rest = 0.4;
        n->preload = 2.0;
        const jet x = distance(body, s.u);
        expect_pull(body, SP_CONSERVATIVE, 7.5 * (x.c[0] - 0.4) + 2.0);
        expect_pull(body, SP_DAMPERS, 1.25 * x.c[1]);
        check_power(0.0, 100.0);
        check_slope(100.0);
        const double stretch = x.c[0] - 0.4, V = 0.5 * 7.5 * stretch * stretch + 2.0 * stretch;
        space_move(&s, s.q, s.u);
        assert_near_scaled(
            sp_dyn_element_energy(&s.m, &s.m.numbers, &s.kin, 0.0, s.q, s.u, 0, &s.dyn), V, 10.0,
            TOL);
        assert_near_scaled(s.dyn.element[0].measure, x.c[0], 10.0, TOL);
        assert_near_scaled(s.dyn.element[0].rate, x.c[1], 10.0, TOL);
        space_free(&s);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* x = z_p(0) ex.y(1) + ez.x(0)^2 + q_k: places, entries of axes and a coordinate. */
static void a_spring_on_an_expression_of_places_axes_and_coordinates(void **ctx)
{
    (void)ctx;
    rng r = {962};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2], dof = SP_NONE;
        grow(&r, body);
        for (int k = 0; k < s.m.n_dof; k++) {
            dof = s.dof[k].move != SP_MOVE_BALL && rng_flip(&r) ? k : dof;
        }
        sp_force_numbers *n = put(SP_FORCE_SPRING_MEASURE, body);
        n->stiffness = 3.0;
        n->damping = 0.5;
        n->rest = 0.2;
        signals[0] = (sp_signal){.kind = SP_SIG_Z, .index = body[0], .mark.body = body[0]};
        memcpy(signals[0].mark.at, at[0], sizeof at[0]);
        signals[1] = (sp_signal){.kind = SP_SIG_EX_Y, .index = body[1], .mark.body = body[1]};
        signals[2] = (sp_signal){.kind = SP_SIG_EZ_X, .index = body[0], .mark.body = body[0]};
        signals[3] = (sp_signal){.kind = SP_SIG_Q, .index = dof < 0 ? 0 : s.dof[dof].q, .dof = dof};
        s.force[0].measure = func(dof < 0 ? "s0*s1 + s2^2" : "s0*s1 + s2^2 + s3");
        double grad[SPACE_DOFS], h[SPACE_DOFS], x = 0.0, rate = 0.0;
        for (int k = -1; k < s.m.n_dof; k++) { /* k = -1: along u */
            double e[SPACE_DOFS] = {0.0};
            jet z[3];
            if (k >= 0) {
                e[k] = 1.0;
            }
            space_poses(&s, s.q, k < 0 ? s.u : e, NULL, p);
            pose3_point(&p[body[0]], at[0], z);
            const jet ez = p[body[0]].R[0][2], y = p[body[1]].R[1][0];
            jet m = jet_add(jet_mul(z[2], y), jet_mul(ez, ez));
            if (dof >= 0) {
                m = jet_add(m, jet_of(s.q[s.dof[dof].q], (k < 0 ? s.u : e)[dof], 0.0));
            }
            if (k < 0) {
                x = m.c[0];
                rate = m.c[1];
            } else {
                grad[k] = m.c[1];
            }
        }
        share(0.0, SP_CONSERVATIVE, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near_scaled(h[k], -3.0 * (x - 0.2) * grad[k], 100.0, TOL);
        }
        share(0.0, SP_DAMPERS, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near_scaled(h[k], -0.5 * rate * grad[k], 100.0, TOL);
        }
        check_power(0.0, 100.0);
        check_slope(100.0);
        space_free(&s);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* A measure that moves by itself feeds energy in: everything is applied, nothing stored. */
static void a_spring_on_a_moving_measure_is_an_applied_force(void **ctx)
{
    (void)ctx;
    rng r = {963};
    int body[2];
    double h[SPACE_DOFS];
    grow(&r, body);
    sp_force_numbers *n = put(SP_FORCE_SPRING_MEASURE, body);
    n->stiffness = 3.0;
    n->damping = 0.5;
    signals[0] = (sp_signal){.kind = SP_SIG_X, .index = body[0], .mark.body = body[0]};
    signals[1] = (sp_signal){.kind = SP_SIG_TIME};
    s.force[0].measure = func("s0 - 2*s1");
    share(0.25, SP_CONSERVATIVE, h);
    assert_true(space_largest(s.m.n_dof, h) < 1e-12);
    share(0.25, SP_APPLIED, h);
    space_poses(&s, s.q, s.u, NULL, p);
    const double x = p[body[0]].r[0].c[0] - 0.5, rate = p[body[0]].r[0].c[1] - 2.0;
    assert_near(s.dyn.element[0].force, 3.0 * x + 0.5 * rate, TOL);
    assert_true(sp_dyn_element_energy(&s.m, &s.m.numbers, &s.kin, 0.25, s.q, s.u, 0, &s.dyn) ==
                0.0);
    /* the machine gets the power along u, without what the measure does by itself */
    assert_near(s.dyn.element[0].power[SP_APPLIED], -(3.0 * x + 0.5 * rate) * (rate + 2.0), 1e-11);
    check_power(0.25, 100.0);
    space_free(&s);
}

/* ---- applied forces ---------------------------------------------------------------------------
 */

/* h_k = F . v_k for the velocity of the point, or of the spin, per unit of u_k. */
static void expect_vector(int body, const double *local, const double F[3], const double *h,
                          double size)
{
    for (int k = 0; k < s.m.n_dof; k++) {
        double e[SPACE_DOFS] = {0.0}, power = 0.0;
        jet x[3];
        e[k] = 1.0;
        space_poses(&s, s.q, e, NULL, p);
        if (local) {
            pose3_point(&p[body], local, x);
        } else {
            pose3_spin(&p[body], x);
        }
        for (int i = 0; i < 3; i++) {
            power += F[i] * x[i].c[local ? 1 : 0];
        }
        assert_near_scaled(h[k], power, size, TOL);
    }
}

static void forces_and_torques_act_in_the_axes_they_are_given_in(void **ctx)
{
    (void)ctx;
    rng r = {964};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2];
        double h[SPACE_DOFS], F[3] = {0.0};
        grow(&r, body);
        const bool torque = c % 2, own = (c / 2) % 2;
        put(torque ? SP_FORCE_TORQUE : SP_FORCE_FORCE, body);
        s.force[0].own_frame = own;
        signals[0] = (sp_signal){.kind = SP_SIG_TIME};
        s.force[0].law[0] = func("2*s0");
        s.force[0].law[1] = (sp_func){.constant = -3.0};
        s.force[0].law[2] = func("s0^2");
        const double given[3] = {3.0, -3.0, 2.25}; /* t = 1.5 */
        space_poses(&s, s.q, NULL, NULL, p);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                F[i] += (own ? p[body[0]].R[i][j].c[0] : i == j ? 1.0 : 0.0) * given[j];
            }
        }
        share(1.5, SP_APPLIED, h);
        expect_vector(body[0], torque ? NULL : at[0], F, h, 100.0);
        check_power(1.5, 100.0);
        space_free(&s);
    }
}

static void drives_push_within_their_limit(void **ctx)
{
    (void)ctx;
    rng r = {965};
    static const double value[4] = {1.5, 2.5, -1.5, -2.5}, expected[4] = {1.5, 2.0, -1.5, -2.0};
    for (int c = 0; c < 4; c++) {
        int body[2];
        double h[SPACE_DOFS];
        do {
            grow(&r, body);
        } while (s.m.n_dof < 2);
        put(SP_FORCE_DRIVE, body)->limit = 2.0;
        s.force[0].dof = 1;
        s.force[0].law[0] = (sp_func){.constant = value[c]};
        share(0.0, SP_APPLIED, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near(h[k], k == 1 ? expected[c] : 0.0, 1e-15);
        }
        check_power(0.0, 1.0);
        space_free(&s);
    }
}

/* ---- gas and oil ------------------------------------------------------------------------------
 */

/* Two chambers between points: p V^n stays what it is. */
static void gas_is_compressed_along_its_polytrope(void **ctx)
{
    (void)ctx;
    rng r = {966};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2];
        grow(&r, body);
        sp_force_numbers *n = put_pull("gas", body);
        const jet x = distance(body, s.u);
        s.force[0].by_points = true;
        n->rest = x.c[0] + rng_in(&r, -0.5, 0.5);
        n->gas = (sp_gas_numbers){.area = {-0.8, 0.5},
                                  .pressure = {12.0, 7.0},
                                  .volume = {1.0, 1.5},
                                  .exponent = {1.3, c % 2 ? 1.0 : 1.4},
                                  .ambient = 3.0};
        if (c % 3 == 0) {
            n->gas.area[1] = 0.0;
        }
        const double stroke = x.c[0] - n->rest;
        const double V[2] = {1.0 + 0.8 * stroke, 1.5 - n->gas.area[1] * stroke};
        const double p_0 = 12.0 * exp(-1.3 * log(V[0] / 1.0));
        const double p_1 = 7.0 * pow(1.5 / V[1], n->gas.exponent[1]);
        const double pull = -0.8 * (p_0 - 3.0) + n->gas.area[1] * (p_1 - 3.0);
        expect_pull(body, SP_CONSERVATIVE, pull);
        check_power(0.0, 100.0);
        check_slope(100.0);
        space_free(&s);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* Oil: quadratic in the rate, by its sense; always takes energy. */
static void an_orifice_damps_with_the_square_of_the_rate(void **ctx)
{
    (void)ctx;
    rng r = {967};
    int sense[2] = {0};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2];
        grow(&r, body);
        sp_force_numbers *n = put_pull("orifice", body);
        s.force[0].by_points = true;
        n->orifice = (sp_orifice_numbers){.growing = 4.0, .shrinking = 1.5};
        const double v = distance(body, s.u).c[1];
        sense[v > 0.0]++;
        expect_pull(body, SP_DAMPERS, v > 0.0 ? 4.0 * v * v : -1.5 * v * v);
        check_power(0.0, 100.0);
        space_free(&s);
    }
    assert_true(sense[0] > 10 && sense[1] > 10);
}

/* ---- bushings ---------------------------------------------------------------------------------
 */

/* Random frames and numbers: forces are the slope of the energy, power is booked, dampers take. */
static void a_bushing_has_an_energy_and_a_dissipation(void **ctx)
{
    (void)ctx;
    rng r = {968};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        int body[2];
        grow(&r, body);
        sp_bushing_numbers *n = &put(SP_FORCE_BUSHING, body)->bushing;
        for (int k = 0; k < 6; k++) {
            n->stiffness[k] = rng_in(&r, 0.0, 4.0);
            n->damping[k] = c % 4 ? rng_in(&r, 0.0, 1.0) : 0.0;
        }
        sp_mark *mark = s.force_numbers[0].mark;
        for (int k = 0; k < 2; k++) {
            mark[k].turned = true;
            space_rotation(&r, mark[k].axes);
        }
        space_move(&s, s.q, s.u);
        const sp_rot3 A = sp_rot3_mul(s.kin.frame3[body[0]].R, sp_rot3_of(mark[0].axes));
        const sp_rot3 B = sp_rot3_mul(s.kin.frame3[body[1]].R, sp_rot3_of(mark[1].axes));
        const sp_rot3 D = sp_rot3_mul_back(A, B);
        if (D.x.x + D.y.y + D.z.z < -0.9) { /* near half a turn the rotation vector jumps */
            space_free(&s);
            continue;
        }
        check_power(0.0, 100.0);
        check_slope(300.0);
        space_free(&s);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

/* One body on a free joint against the ground, frames along the world's axes: a displacement d and
 * a turn phi about one axis give -k d and -k phi about that axis. */
static void a_bushing_is_linear_in_displacement_and_in_one_angle(void **ctx)
{
    (void)ctx;
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rng r = {969};
    for (int axis = 0; axis < 3; axis++) {
        const int body[2] = {0, 1};
        double h[SPACE_DOFS];
        space_begin(&s);
        space_add(&s, &r, 0, SP_JOINT_FREE);
        space_finish(&s);
        memset(&s.numbers[1], 0, sizeof s.numbers[1]);
        s.mass[1].mark = (sp_mark){.turned = true};
        memcpy(s.mass[1].mark.axes, one, sizeof one);
        s.mass[1].mass = 1.0;
        sp_force_numbers *n = put(SP_FORCE_BUSHING, body);
        for (int k = 0; k < 2; k++) {
            n->mark[k] = (sp_mark){.body = body[k], .turned = true};
            memcpy(n->mark[k].axes, one, sizeof one);
        }
        for (int k = 0; k < 6; k++) {
            n->bushing.stiffness[k] = 10.0 * (k + 1);
            n->bushing.damping[k] = 0.1 * (k + 1);
        }
        const double phi = 1.2;
        memset(s.q, 0, sizeof s.q);
        memset(s.u, 0, sizeof s.u);
        s.q[axis] = 0.05;
        s.q[3] = cos(0.5 * phi);
        s.q[4 + axis] = sin(0.5 * phi);
        s.u[axis] = 2.0;
        s.u[3 + axis] = 3.0;
        share(0.0, SP_CONSERVATIVE, h);
        for (int k = 0; k < 6; k++) {
            const double expected = k == axis       ? -10.0 * (k + 1) * 0.05
                                    : k == 3 + axis ? -10.0 * (k + 1) * phi
                                                    : 0.0;
            assert_near(h[k], expected, 1e-13);
        }
        share(0.0, SP_DAMPERS, h);
        for (int k = 0; k < 6; k++) {
            const double expected = k == axis       ? -0.1 * (k + 1) * 2.0
                                    : k == 3 + axis ? -0.1 * (k + 1) * 3.0
                                                    : 0.0;
            assert_near(h[k], expected, 1e-13);
        }
        space_free(&s);
    }
}

/* ---- springs of joints ------------------------------------------------------------------------
 */

/* Every kind of joint, balls among them: slope of the energy, dampers on u. */
static void joint_springs_pull_along_their_coordinates_and_rotation_vectors(void **ctx)
{
    (void)ctx;
    rng r = {970};
    for (int c = 0; c < check_cases(60, 1000); c++) {
        double h[SPACE_DOFS], own[SPACE_DOFS], V = 0.0;
        space_begin(&s);
        for (int i = 0; i < 3; i++) {
            space_add(&s, &r, i, (sp_joint_kind)((c + 4 * i) % (SP_JOINT_SCREW + 1)));
        }
        for (int k = 0; k < s.m.n_dof; k++) {
            s.dof[k].spring = rng_in(&r, 0.0, 1.0) < 0.7;
            s.dof_numbers[k].stiffness = rng_in(&r, 1.0, 9.0);
            s.dof_numbers[k].damping = rng_in(&r, 0.1, 0.9);
            s.dof_numbers[k].rest = rng_in(&r, -0.5, 0.5);
        }
        space_finish(&s);
        space_shake(&s, &r);
        const int n_spring = s.m.layout.n_spring;
        s.m.layout.n_spring = 0;
        space_dense_share(&s, 0.0, s.q, s.u, SP_CONSERVATIVE, own);
        s.m.layout.n_spring = n_spring;
        space_dense_share(&s, 0.0, s.q, s.u, SP_DAMPERS, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near(h[k], s.dof[k].spring ? -s.dof_numbers[k].damping * s.u[k] : 0.0, 1e-15);
        }
        space_dense_share(&s, 0.0, s.q, s.u, SP_CONSERVATIVE, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            double side[2], e[SPACE_DOFS] = {0.0};
            e[k] = 1.0;
            for (int i = 0; i < 2; i++) {
                double q[SPACE_Q];
                memcpy(q, s.q, sizeof q);
                sp_kin_advance(&s.m, i ? 1e-5 : -1e-5, e, q);
                side[i] = sp_dyn_spring_energy(&s.m, &s.m.numbers, &s.kin, 0.0, q, s.u, &s.dyn);
            }
            assert_near_scaled(h[k] - own[k], -(side[1] - side[0]) / 2e-5, 100.0, 1e-8);
            const int j = s.dof[k].q;
            if (s.dof[k].spring && s.dof[k].move != SP_MOVE_BALL) {
                const double x = s.q[j] - s.dof_numbers[k].rest;
                V = 0.5 * s.dof_numbers[k].stiffness * x * x;
                assert_near(sp_dyn_joint_energy(&s.m, &s.m.numbers, s.q, k), V, 1e-15);
            } else if (!s.dof[k].spring) {
                assert_true(sp_dyn_joint_energy(&s.m, &s.m.numbers, s.q, k) == 0.0);
            }
        }
        space_free(&s);
    }
}

/* ---- drag, motors, gravity --------------------------------------------------------------------
 */

static void drag_acts_against_the_velocity_through_the_air(void **ctx)
{
    (void)ctx;
    rng r = {971};
    for (int c = 0; c < check_cases(60, 1000); c++) {
        int body[2];
        double h[SPACE_DOFS], w[3], F[3], speed = 0.0;
        const double wind[3] = {1.0, -2.0, 0.5};
        grow(&r, body);
        sp_force_numbers *n = put(SP_FORCE_DRAG, body);
        n->damping = 0.7;
        n->drag = 1.3;
        s.force[0].has_law = c % 2;
        jet x[3];
        space_poses(&s, s.q, s.u, NULL, p);
        pose3_point(&p[body[0]], at[0], x);
        for (int k = 0; k < 3; k++) {
            s.force[0].law[k] = (sp_func){.constant = wind[k]};
            w[k] = x[k].c[1] - (c % 2 ? wind[k] : 0.0);
            speed += w[k] * w[k];
        }
        for (int k = 0; k < 3; k++) {
            F[k] = -(0.7 + 1.3 * sqrt(speed)) * w[k];
        }
        share(0.0, c % 2 ? SP_APPLIED : SP_DAMPERS, h);
        expect_vector(body[0], at[0], F, h, 100.0);
        check_power(0.0, 100.0);
        space_free(&s);
    }
}

/* P, I and D by hand; beyond the limit the integral waits, unless it would come back. */
static void a_motor_controls_with_an_integral_that_waits_at_the_limit(void **ctx)
{
    (void)ctx;
    rng r = {972};
    const int body[2] = {0, 0};
    static const double z[1] = {0.5};
    double h[SPACE_DOFS];
    space_begin(&s);
    space_add(&s, &r, 0, SP_JOINT_SPHERICAL);
    space_add(&s, &r, 1, SP_JOINT_REVOLUTE); /* q[4], u[3] */
    space_finish(&s);
    space_shake(&s, &r);
    s.q[4] = 0.2;
    s.u[3] = 0.4;
    sp_force_numbers *n = put(SP_FORCE_MOTOR, body);
    n->motor = (sp_motor_numbers){.P = 10.0, .I = 2.0, .D = 3.0};
    s.force[0].dof = 3;
    s.force[0].aux = 0;
    s.dyn.z = z;
    s.force[0].law[0] = (sp_func){.constant = 1.0};
    s.force[0].law[1] = (sp_func){.constant = 0.1};
    s.force[0].law[2] = (sp_func){.constant = 0.25};
    share(0.0, SP_APPLIED, h);
    assert_near(h[3], 10.0 * 0.8 + 3.0 * -0.3 + 2.0 * 0.5 + 0.25, 1e-15);
    assert_near(h[0], 0.0, 0.0);
    assert_near(s.dyn.z_rate[0], 0.8, 1e-15);
    check_power(0.0, 10.0);
    n->limit = 5.0;
    share(0.0, SP_APPLIED, h);
    assert_near(h[3], 5.0, 1e-15);
    assert_true(s.dyn.z_rate[0] == 0.0);
    s.force[0].law[2] = (sp_func){.constant = -100.0}; /* at the other limit: the integral helps */
    share(0.0, SP_APPLIED, h);
    assert_near(h[3], -5.0, 1e-15);
    assert_near(s.dyn.z_rate[0], 0.8, 1e-15);
    s.force[0].law[2] = (sp_func){.constant = 0.25};
    s.force[0].by_rate = true; /* of the speed, by P and I */
    n->limit = INFINITY;
    share(0.0, SP_APPLIED, h);
    assert_near(h[3], 10.0 * -0.3 + 2.0 * 0.5 + 0.25, 1e-15);
    assert_near(s.dyn.z_rate[0], -0.3, 1e-15);
    s.dyn.z = NULL; /* nobody integrates it */
    share(0.0, SP_APPLIED, h);
    assert_near(h[3], 10.0 * -0.3 + 0.25, 1e-15);
    space_free(&s);
}

/* The same field as numbers.gravity, as an element: the same h, in another share. */
static void gravity_by_expressions_is_gravity(void **ctx)
{
    (void)ctx;
    rng r = {973};
    for (int c = 0; c < check_cases(40, 500); c++) {
        int body[2];
        double h[SPACE_DOFS], with[SPACE_DOFS], without[SPACE_DOFS], g[3];
        grow(&r, body);
        memcpy(g, s.m.numbers.gravity, sizeof g);
        space_dense_forces(&s, 0.0, s.q, s.u, with);
        memset(s.m.numbers.gravity, 0, sizeof g);
        space_dense_forces(&s, 0.0, s.q, s.u, without);
        put(SP_FORCE_GRAVITY, body);
        for (int k = 0; k < 3; k++) {
            s.force[0].law[k] = (sp_func){.constant = g[k]};
        }
        share(0.0, SP_APPLIED, h);
        for (int k = 0; k < s.m.n_dof; k++) {
            assert_near_scaled(h[k], with[k] - without[k], 1000.0, TOL);
        }
        check_power(0.0, 1000.0);
        space_free(&s);
    }
}

/* ---- all at once ------------------------------------------------------------------------------
 */

/* Terms in two passes and articulated bodies see the forces that sp_dyn_forces sees. */
static void check_passes(void)
{
    double h[SPACE_DOFS], du[SPACE_DOFS], Mu[SPACE_DOFS];
    space_dense_forces(&s, 0.0, s.q, s.u, h);
    const double size = s.m.n_dof ? space_largest(s.m.n_dof, h) : 1.0;
    sp_dyn_terms(&s.m, &s.m.numbers, 0.0, s.q, s.u, &s.kin, &s.dyn);
    for (int k = 0; k < s.m.n_dof; k++) {
        double sum = 0.0;
        for (int which = 0; which < SP_SHARES; which++) {
            sum += s.dyn.acts[which] ? s.dyn.h[which][k] : 0.0;
        }
        assert_near_scaled(sum, h[k], size, TOL);
    }
    assert_int_equal(sp_dyn_accelerate(&s.m, &s.m.numbers, &(sp_at){0.0, s.q, s.u}, NULL, &s.kin,
                                       &s.dyn, du, NULL),
                     SP_OK);
    sp_dyn_mass(&s.m, &s.m.numbers, &s.kin, &s.dyn);
    sp_dyn_multiply(&s.m, &s.dyn, du, Mu);
    for (int k = 0; k < s.m.n_dof; k++) {
        assert_near_scaled(Mu[k], h[k], size, 1e-11);
    }
}

static void passes_and_articulated_bodies_see_all_elements(void **ctx)
{
    (void)ctx;
    rng r = {974};
    for (int c = 0; c < check_cases(60, 1000); c++) {
        int body[2];
        grow(&r, body);
        sp_force_numbers *n = put(SP_FORCE_SPRING_POINTS, body);
        n->stiffness = 20.0;
        n->damping = 2.0;
        s.force[1] = s.force[0];
        s.force_numbers[1] = s.force_numbers[0];
        s.force[1].kind = SP_FORCE_FORCE;
        for (int k = 0; k < 3; k++) {
            s.force[1].law[k] = (sp_func){.constant = rng_in(&r, -9.0, 9.0)};
        }
        s.m.n_force = 2;
        sp_dyn_init(&s.m, &s.m.numbers, &s.dyn);
        check_passes();
        space_free(&s);
    }
}

/* Springs in joints and nothing else. */
static void passes_and_articulated_bodies_see_springs_in_joints(void **ctx)
{
    (void)ctx;
    rng r = {975};
    for (int c = 0; c < check_cases(40, 500); c++) {
        space_begin(&s);
        for (int i = 0; i < 4; i++) {
            space_add(&s, &r, rng_int(&r, i + 1),
                      (sp_joint_kind)(1 + (c + 3 * i) % SP_JOINT_SCREW));
        }
        s.dof[c % s.m.n_dof].spring = true;
        s.dof_numbers[c % s.m.n_dof].stiffness = 30.0;
        s.dof_numbers[c % s.m.n_dof].damping = c % 2 ? 3.0 : 0.0;
        space_finish(&s);
        space_shake(&s, &r);
        check_passes();
        space_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_with_preload_pulls_its_points_together),
        cmocka_unit_test(a_spring_on_an_expression_of_places_axes_and_coordinates),
        cmocka_unit_test(a_spring_on_a_moving_measure_is_an_applied_force),
        cmocka_unit_test(forces_and_torques_act_in_the_axes_they_are_given_in),
        cmocka_unit_test(drives_push_within_their_limit),
        cmocka_unit_test(gas_is_compressed_along_its_polytrope),
        cmocka_unit_test(an_orifice_damps_with_the_square_of_the_rate),
        cmocka_unit_test(a_bushing_has_an_energy_and_a_dissipation),
        cmocka_unit_test(a_bushing_is_linear_in_displacement_and_in_one_angle),
        cmocka_unit_test(joint_springs_pull_along_their_coordinates_and_rotation_vectors),
        cmocka_unit_test(drag_acts_against_the_velocity_through_the_air),
        cmocka_unit_test(a_motor_controls_with_an_integral_that_waits_at_the_limit),
        cmocka_unit_test(gravity_by_expressions_is_gravity),
        cmocka_unit_test(passes_and_articulated_bodies_see_all_elements),
        cmocka_unit_test(passes_and_articulated_bodies_see_springs_in_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
