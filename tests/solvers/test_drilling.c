/* Bodies that slide, spin and roll on a plane, stepped in time with the sets of laws/ball.h: the
 * stop times are known in closed form. */
#include "laws/contensou.h"
#include "solvers/fc.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;

/* A round body on the plane z = 0: v (3), omega (3), and the height of its centre over the plane
 * (0: a thin disc that lies flat). */
typedef struct body {
    double mass, inertia, height, v[3], omega[3];
} body;

static body sphere(double radius)
{
    const double mass = 0.02;
    const body b = {.mass = mass, .inertia = 0.4 * mass * radius * radius, .height = radius};
    return b;
}

/* Inertia over m R^2 of plates for both pressures: that of a disc, and one below f'(0) / m(0) = 2,
 * from where on a plate under Hertz pressure would slide ever less while it spins. */
static const double KAPPA[2] = {0.5, 0.4};

/* A plate on a spot of its radius; only its spin matters. */
static body plate(double radius, sp_pressure p)
{
    const double mass = 0.3;
    const body b = {.mass = mass, .inertia = KAPPA[p] * mass * radius * radius, .height = 0.0};
    return b;
}

/* Velocity rows of the contact: normal, two of slip, lever times the spins about z, x and y. */
static void directions(const body *b, double lever, double W[6][6])
{
    memset(W, 0, 36 * sizeof W[0][0]);
    W[0][2] = W[1][0] = W[2][1] = 1.0;
    W[1][4] = -b->height; /* v_x - h omega_y */
    W[2][3] = b->height;  /* v_y + h omega_x */
    W[3][5] = W[4][3] = W[5][4] = lever;
}

/* One step of Euler's implicit scheme at velocity level with the law; forces (dim) are percussions
 * over dt. */
static void step(body *b, const sp_contensou_law *law, double lever, double dt, sp_fc_work *w,
                 double *lambda)
{
    const sp_set set = sp_contensou_set(law, lever, dt);
    const int n = sp_set_dim(&set), row = 0, start[2] = {0, 1}, column = 0;
    const size_t at = 0;
    double W[6][6], G[36], c[6], P[6] = {0.0};
    directions(b, lever, W);
    for (int k = 0; k < n; k++) {
        c[k] = k == 0 ? -GRAVITY * dt : 0.0;
        for (int a = 0; a < 3; a++) {
            c[k] += W[k][a] * b->v[a] + W[k][3 + a] * b->omega[a];
        }
        for (int l = 0; l < n; l++) {
            G[k * n + l] = 0.0;
            for (int a = 0; a < 6; a++) {
                G[k * n + l] += W[k][a] * W[l][a] / (a < 3 ? b->mass : b->inertia);
            }
        }
    }
    const sp_fc p = {
        .n_contact = 1, .n = n, .set = &set, .row = &row, .c = c, .G = {start, &column, &at, G}};
    unsigned char status;
    const sp_fc_options o = {.tol = 1e-13};
    sp_fc_solution s = {.P = P, .status = &status};
    assert_int_equal(SP_OK, sp_fc_solve(&p, &o, &s, w, NULL));
    b->v[2] -= GRAVITY * dt;
    for (int k = 0; k < n; k++) {
        lambda[k] = P[k] / dt;
        for (int a = 0; a < 3; a++) {
            b->v[a] += W[k][a] * P[k] / b->mass;
            b->omega[a] += W[k][3 + a] * P[k] / b->inertia;
        }
    }
}

/* omega = omega_0 - mu m g R m_0 t / I, m_0 = 2/3 or 3 pi/16, with a constant and with Hertz'
 * radius: the scheme has no error until the stop. */
static void a_spinning_sphere_stops_at_the_closed_form_time(void **ctx)
{
    (void)ctx;
    const double m_0[2] = {2.0 / 3.0, 3.0 * PI / 16.0};
    sp_fc_work w = {0};
    for (int k = 0; k < 4; k++) {
        body b = sphere(0.01);
        const sp_contensou_law law = {.mu = 0.3,
                                      .pressure = (sp_pressure)(k % 2),
                                      .radius = k < 2 ? 4e-4 : 0.0,
                                      .hertz = k < 2 ? 0.0 : 5e-4};
        const double R = sp_contensou_radius(&law, b.mass * GRAVITY);
        const double slow = m_0[k % 2] * law.mu * b.mass * GRAVITY * R / b.inertia;
        const double omega_0 = 120.0, stop = omega_0 / slow, dt = stop / 60.5;
        double lambda[6];
        b.omega[2] = omega_0;
        for (int i = 1; i <= 60; i++) {
            step(&b, &law, 4e-4, dt, &w, lambda);
            assert_near_scaled(b.omega[2], omega_0 - slow * i * dt, omega_0, 1e-13);
        }
        /* the stop falls in the middle of step 61: sticking torque of half the bound */
        step(&b, &law, 4e-4, dt, &w, lambda);
        assert_near_scaled(b.omega[2], 0.0, omega_0, 1e-14);
        assert_near(lambda[3] * 4e-4, -0.5 * slow * b.inertia, 1e-11);
        assert_near(lambda[0], b.mass * GRAVITY, 1e-13);
    }
    sp_fc_work_free(&w);
}

/* Slides with -mu g until t = 2 v_0 / (7 mu g), then rolls with 5/7 v_0. */
static void a_sliding_sphere_begins_to_roll(void **ctx)
{
    (void)ctx;
    sp_fc_work w = {0};
    body b = sphere(0.01);
    const sp_contensou_law law = {.mu = 0.3, .radius = 4e-4};
    const double v_0 = 1.7, roll = 2.0 * v_0 / (7.0 * law.mu * GRAVITY), dt = roll / 40.0;
    double lambda[6];
    b.v[0] = v_0 * 0.6;
    b.v[1] = v_0 * 0.8;
    for (int i = 1; i <= 60; i++) {
        step(&b, &law, 4e-4, dt, &w, lambda);
        const double v = i <= 40 ? v_0 - law.mu * GRAVITY * i * dt : 5.0 / 7.0 * v_0;
        assert_near(b.v[0], 0.6 * v, 1e-12);
        assert_near(b.v[1], 0.8 * v, 1e-12);
    }
    assert_near(b.v[0], 0.01 * b.omega[1], 1e-12);
    sp_fc_work_free(&w);
}

/* Rolls out with -5/7 g mu_r / r. */
static void rolling_friction_stops_a_rolling_sphere(void **ctx)
{
    (void)ctx;
    sp_fc_work w = {0};
    const double r = 0.01, v_0 = 0.8;
    body b = sphere(r);
    const sp_contensou_law law = {.mu = 0.5, .radius = 4e-4, .rolling = 2e-4};
    const double slow = 5.0 / 7.0 * GRAVITY * law.rolling / r, dt = v_0 / slow / 50.5;
    double lambda[6];
    b.v[0] = v_0;
    b.omega[1] = v_0 / r;
    for (int i = 1; i <= 52; i++) {
        step(&b, &law, 4e-4, dt, &w, lambda);
        assert_near(b.v[0], i <= 50 ? v_0 - slow * i * dt : 0.0, 1e-12);
    }
    assert_near(b.omega[1], 0.0, 1e-12);
    sp_fc_work_free(&w);
}

/* The ratio u = v / (R omega) that a plate keeps: f(u) = u m(u) / kappa. */
static double kept_ratio(sp_pressure p)
{
    double lo = 0.1, hi = 3.0;
    for (int k = 0; k < 60; k++) {
        const double u = 0.5 * (lo + hi);
        const sp_contensou c = sp_contensou_at(p, u, 1.0);
        *(c.f < u * c.m / KAPPA[p] ? &lo : &hi) = u;
    }
    return 0.5 * (lo + hi);
}

/* Started with that ratio, slide and spin fall linearly and end together at v_0 / (mu g f). */
static void a_plate_of_the_kept_ratio_stops_at_the_closed_form_time(void **ctx)
{
    (void)ctx;
    sp_fc_work w = {0};
    for (int p = 0; p < 2; p++) {
        const double R = 0.05, v_0 = 0.9, u = kept_ratio((sp_pressure)p);
        const sp_contensou_law law = {.mu = 0.25, .pressure = (sp_pressure)p, .radius = R};
        body b = plate(R, law.pressure);
        const double slow = law.mu * GRAVITY * sp_contensou_at(law.pressure, u, 1.0).f;
        const double dt = v_0 / slow / 40.5;
        double lambda[6];
        b.v[1] = v_0;
        b.omega[2] = -v_0 / (R * u);
        for (int i = 1; i <= 41; i++) {
            step(&b, &law, R, dt, &w, lambda);
            const double v = i <= 40 ? v_0 - slow * i * dt : 0.0;
            assert_near(b.v[1], v, 1e-11);
            assert_near(b.omega[2] * R * u, -v, 1e-11);
        }
    }
    sp_fc_work_free(&w);
}

/* d(v, omega)/dt of the plate by the smooth law. */
static void rate(const body *b, const sp_contensou_law *law, const double *x, double *d)
{
    double force[2], torque;
    sp_contensou_force(law, b->mass * GRAVITY, x, x[2], force, &torque, NULL);
    d[0] = force[0] / b->mass;
    d[1] = force[1] / b->mass;
    d[2] = torque / b->inertia;
}

/* Runge and Kutta's classical scheme, as a second method. */
static void integrate(const body *b, const sp_contensou_law *law, double until, double *x)
{
    enum { STEPS = 2000 };
    const double dt = until / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double k[4][3], y[3];
        rate(b, law, x, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int a = 0; a < 3; a++) {
                y[a] = x[a] + (s == 3 ? 1.0 : 0.5) * dt * k[s - 1][a];
            }
            rate(b, law, y, k[s]);
        }
        for (int a = 0; a < 3; a++) {
            x[a] += dt / 6.0 * (k[0][a] + 2.0 * k[1][a] + 2.0 * k[2][a] + k[3][a]);
        }
    }
}

/* Whatever the start, sliding and spinning end together, and their ratio goes to the kept one, for
 * a disc under uniform pressure 0.653 [FBUW03]; before that the steps converge with order one to
 * the smooth law's solution. */
static void sliding_and_spinning_of_a_plate_end_together(void **ctx)
{
    (void)ctx;
    sp_fc_work w = {0};
    assert_true(fabs(kept_ratio(SP_PRESSURE_UNIFORM) - 0.653) < 5e-4);
    for (int k = 0; k < 6; k++) {
        const sp_pressure p = (sp_pressure)(k % 2);
        const double R = 0.05, first[3] = {0.2, 1.0, 4.0}, v_0 = 0.7;
        const double omega_0 = v_0 / (R * first[k / 2]);
        const sp_contensou_law law = {.mu = 0.25, .pressure = p, .radius = R};
        double dts[3], errors[3], lambda[6];
        for (int e = 0; e < 3; e++) {
            body b = plate(R, law.pressure);
            const double until = 0.1, dt = until / (50 << e);
            double x[3] = {v_0, 0.0, omega_0};
            b.v[0] = v_0;
            b.omega[2] = omega_0;
            integrate(&b, &law, until, x);
            for (int i = 0; i < 50 << e; i++) {
                step(&b, &law, R, dt, &w, lambda);
            }
            dts[e] = dt;
            errors[e] = hypot(b.v[0] - x[0], R * (b.omega[2] - x[2]));
        }
        const double order = check_order(3, dts, errors);
        assert_true(0.9 < order && order < 1.1);
        /* to the end: the ratio only ever nears u, neither motion stops alone */
        body b = plate(R, p);
        const double u = kept_ratio(p);
        double off = fabs(first[k / 2] - u);
        b.v[0] = v_0;
        b.omega[2] = omega_0;
        for (int steps = 0; R * b.omega[2] > 1e-12 || b.v[0] > 1e-12; steps++) {
            assert_true(b.v[0] > 1e-9 && R * b.omega[2] > 1e-9 && steps < 20000);
            const double now = fabs(b.v[0] / (R * b.omega[2]) - u);
            assert_true(now <= off * (1.0 + 1e-9) + 1e-12);
            off = now;
            step(&b, &law, R, 1e-4, &w, lambda);
        }
        assert_true(off < 0.5 * fabs(first[k / 2] - u));
        assert_near(b.v[0], 0.0, 1e-12);
        assert_near(R * b.omega[2], 0.0, 1e-12);
    }
    sp_fc_work_free(&w);
}

/* A ball under a ceiling hangs by adhesion: the normal force is negative, friction is by what is
 * left of the bond. */
static void an_adhesive_ball_hangs_and_spins_down(void **ctx)
{
    (void)ctx;
    sp_fc_work w = {0};
    body b = sphere(0.01);
    const sp_contensou_law law = {.mu = 0.3, .radius = 4e-4, .adhesion = 0.5};
    double lambda[6];
    b.omega[2] = 50.0;
    const double N = b.mass * GRAVITY + 0.5, dt = 1e-4;
    const double slow = 2.0 / 3.0 * law.mu * N * law.radius / b.inertia;
    for (int i = 1; i <= 20; i++) {
        step(&b, &law, 4e-4, dt, &w, lambda);
        assert_near_scaled(b.omega[2], 50.0 - slow * i * dt, 50.0, 1e-13);
    }
    /* pulled up with 0.3 N more than its weight: it stays, and the contact bears the pull */
    b.v[2] = 0.3 * dt / b.mass + GRAVITY * dt;
    step(&b, &law, 4e-4, dt, &w, lambda);
    assert_near(lambda[0], -0.3, 1e-10);
    assert_near(b.v[2], 0.0, 1e-15);
    /* with 0.7 N it tears off */
    b.v[2] = 0.7 * dt / b.mass + GRAVITY * dt;
    step(&b, &law, 4e-4, dt, &w, lambda);
    assert_near(lambda[0], -0.5, 1e-10);
    assert_true(b.v[2] > 0.0);
    sp_fc_work_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_sphere_stops_at_the_closed_form_time),
        cmocka_unit_test(a_sliding_sphere_begins_to_roll),
        cmocka_unit_test(rolling_friction_stops_a_rolling_sphere),
        cmocka_unit_test(a_plate_of_the_kept_ratio_stops_at_the_closed_form_time),
        cmocka_unit_test(sliding_and_spinning_of_a_plate_end_together),
        cmocka_unit_test(an_adhesive_ball_hangs_and_spins_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
