#include "laws/contensou.h"

#include "support/check.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

/* ---- direct double integration of Coulomb's law over the spot ---------------------------------
 */

enum { LEVELS = 60 };

/* Nodes and weights of the double exponential rule on [0, 1]: the near end is given as a distance
 * of its own, because that is where the integrands are sharp. */
typedef struct rule {
    int n;
    double from_lo[4 * LEVELS + 1], from_hi[4 * LEVELS + 1], weight[4 * LEVELS + 1];
} rule;

static rule double_exponential(void)
{
    rule r = {.n = 0};
    const double h = 4.0 / (2 * LEVELS);
    for (int k = -2 * LEVELS; k <= 2 * LEVELS; k++) {
        const double t = h * k, s = 0.5 * PI * sinh(t), e = exp(-fabs(2.0 * s));
        const double near = e / (1.0 + e), far = 1.0 / (1.0 + e);
        const double weight = 0.5 * PI * h * cosh(t) * 2.0 * near * far;
        if (!(weight > 1e-300)) {
            continue;
        }
        r.from_lo[r.n] = t < 0.0 ? near : far;
        r.from_hi[r.n] = t < 0.0 ? far : near;
        r.weight[r.n++] = weight;
    }
    return r;
}

/* Force and torque per unit mu lambda_N of a thin ring of radius rho: the mean over its angle of
 * e1.w/|w| and (r x w)/|w|, w = v e1 + omega e3 x r, with v = u, omega = 1; gap = |u - rho|.  The
 * points at psi and pi - psi are taken together, so that no digits are lost where they cancel. */
static void ring(const rule *r, double u, double rho, double gap, double *force, double *torque)
{
    *force = *torque = 0.0;
    for (int k = 0; k < r->n; k++) {
        const double half = 0.25 * PI * r->from_lo[k], s = sin(half), c = cos(2.0 * half);
        const double w1 = sqrt(gap * gap + 4.0 * u * rho * s * s);
        const double w2 = sqrt(u * u + rho * rho + 2.0 * u * rho * c);
        const double sum = 1.0 / w1 + 1.0 / w2;
        const double difference = 4.0 * u * rho * c / (w1 * w2 * (w1 + w2)); /* 1/w1 - 1/w2 */
        *force += 0.5 * r->weight[k] * (u * sum - rho * c * difference);
        *torque += 0.5 * r->weight[k] * (rho * rho * sum - u * rho * c * difference);
    }
}

/* The density of rho for both pressures, R = 1; to_edge = 1 - rho. */
static double density(sp_pressure p, double rho, double to_edge)
{
    return p == SP_PRESSURE_UNIFORM ? 2.0 * rho : 3.0 * rho * sqrt(to_edge * (1.0 + rho));
}

/* Force and torque by integration over rings, in two pieces where the instantaneous centre is in
 * the spot. */
static void integrate(const rule *r, sp_pressure p, double u, double *force, double *torque)
{
    *force = *torque = 0.0;
    for (int piece = 0; piece < (u < 1.0 ? 2 : 1); piece++) {
        const double lo = piece == 0 ? 0.0 : u, hi = u < 1.0 && piece == 0 ? u : 1.0;
        for (int k = 0; k < r->n; k++) {
            const double below = (hi - lo) * r->from_lo[k], above = (hi - lo) * r->from_hi[k];
            const double rho = lo + below, to_edge = (1.0 - hi) + above;
            const double gap = piece == 0 ? (u - hi) + above : below;
            double f, m;
            ring(r, u, rho, gap, &f, &m);
            const double weight = (hi - lo) * r->weight[k] * density(p, rho, to_edge);
            *force += weight * f;
            *torque += weight * m;
        }
    }
}

static void force_and_torque_are_their_double_integrals(void **ctx)
{
    (void)ctx;
    const rule r = double_exponential();
    const int n = check_cases(60, 600);
    double worst = 0.0;
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k <= n; k++) {
            const double u = pow(10.0, -3.0 + 6.0 * k / n);
            double force, torque;
            integrate(&r, (sp_pressure)p, u, &force, &torque);
            const sp_contensou c = sp_contensou_at((sp_pressure)p, u, 1.0);
            worst = check_worse(worst, fabs(c.f / force - 1.0));
            worst = check_worse(worst, fabs(c.m / torque - 1.0));
        }
        for (int k = -9; k <= 9; k++) { /* close to u = 1 */
            const double u = 1.0 + (k < 0 ? -1.0 : 1.0) * pow(10.0, -fabs((double)k));
            double force, torque;
            integrate(&r, (sp_pressure)p, k == 0 ? 1.0 : u, &force, &torque);
            const sp_contensou c = sp_contensou_at((sp_pressure)p, k == 0 ? 1.0 : u, 1.0);
            worst = check_worse(worst, fabs(c.f / force - 1.0));
            worst = check_worse(worst, fabs(c.m / torque - 1.0));
        }
    }
    printf("largest relative difference %.1e\n", worst);
    assert_true(worst < 1e-12);
}

/* ---- what is known in closed form -------------------------------------------------------------
 */

static void the_limits_are_those_of_coulomb_and_of_pure_drilling(void **ctx)
{
    (void)ctx;
    const double most[2] = {2.0 / 3.0, 3.0 * PI / 16.0}, slope[2] = {1.0, 3.0 * PI / 8.0};
    const double far_torque[2] = {0.25, 0.2};
    for (int p = 0; p < 2; p++) {
        const sp_contensou slide = sp_contensou_at((sp_pressure)p, 3.0, 0.0);
        const sp_contensou spin = sp_contensou_at((sp_pressure)p, 0.0, 3.0);
        assert_near(slide.f, 1.0, 1e-15);
        assert_near(slide.m, 0.0, 0.0);
        assert_near(slide.phi, 3.0, 1e-15);
        assert_near(spin.f, 0.0, 0.0);
        assert_near(spin.m, most[p], 1e-15);
        assert_near(sp_contensou_at((sp_pressure)p, 1e-9, 1.0).f, 1e-9 * slope[p], 1e-24);
        const double m = sp_contensou_at((sp_pressure)p, 1.0, 1e-9).m;
        assert_near(m / (1e-9 * far_torque[p]), 1.0, 1e-15);
        const sp_contensou stick = sp_contensou_at((sp_pressure)p, 0.0, 0.0);
        assert_true(stick.f == 0.0 && stick.m == 0.0 && stick.phi == 0.0 && stick.k == 0.0);
    }
    /* at u = 1: 32 / (9 pi) and 9 pi / 32 */
    assert_near(sp_contensou_at(SP_PRESSURE_UNIFORM, 1.0, 1.0).phi, 32.0 / (9.0 * PI), 1e-15);
    assert_near(sp_contensou_at(SP_PRESSURE_HERTZ, 1.0, 1.0).f, 9.0 * PI / 32.0, 1e-15);
}

/* No jump where one formula takes over from another (u^2 = 0.3, 1, 1/0.3): slopes tell what a step
 * of 1e-14 may change. */
static void formulas_meet_without_a_jump(void **ctx)
{
    (void)ctx;
    const double seams[3] = {sqrt(0.3), 1.0, sqrt(1.0 / 0.3)};
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k < 3; k++) {
            const sp_contensou a = sp_contensou_at((sp_pressure)p, seams[k] * (1.0 - 1e-14), 1.0);
            const sp_contensou b = sp_contensou_at((sp_pressure)p, seams[k] * (1.0 + 1e-14), 1.0);
            assert_near(a.f, b.f, 4e-14);
            assert_near(a.m, b.m, 4e-14);
            assert_near(a.k, b.k, 3e-12); /* its slope is infinite at u = 1, as a logarithm */
        }
    }
}

static void derivatives_are_those_of_the_potential(void **ctx)
{
    (void)ctx;
    rng r = {7};
    for (int k = 0; k < check_cases(2000, 200000); k++) {
        const sp_pressure p = rng_flip(&r) ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM;
        const double a = pow(10.0, rng_in(&r, -1.5, 1.5)), b = pow(10.0, rng_in(&r, -1.5, 1.5));
        const double d = 1e-4 * fmin(a, b); /* of phi 1e-16 max(a, b) / d is noise */
        const sp_contensou c = sp_contensou_at(p, a, b);
        const sp_contensou ap = sp_contensou_at(p, a + d, b), am = sp_contensou_at(p, a - d, b);
        const sp_contensou bp = sp_contensou_at(p, a, b + d), bm = sp_contensou_at(p, a, b - d);
        const double size = 1.0 / hypot(a, b); /* of second derivatives */
        /* third derivatives grow like 1/|u - 1|: 1e-8/6 of those is the error of differences */
        const double good = 1e-8 + 1e-9 / fmax(fabs(a / b - 1.0), 1e-4);
        assert_near_scaled((ap.phi - am.phi) / (2.0 * d), c.f, 1.0, good);
        assert_near_scaled((bp.phi - bm.phi) / (2.0 * d), c.m, 1.0, good);
        if (fabs(a / b - 1.0) > 1e-2) { /* k has an infinite slope at 1 */
            assert_near_scaled((ap.f - am.f) / (2.0 * d), c.k * b * b, size, 2e-6);
            assert_near_scaled((bp.f - bm.f) / (2.0 * d), -c.k * a * b, size, 2e-6);
            assert_near_scaled((bp.m - bm.m) / (2.0 * d), c.k * a * a, size, 2e-6);
        }
        assert_near_scaled(a * c.f + b * c.m, c.phi, c.phi, 1e-15);
    }
}

/* The series of the paper, as printed with the terms it gives; the exact law lies within its first
 * left-out term. */
static void the_truncated_series_of_the_paper_are_met(void **ctx)
{
    (void)ctx;
    for (double u = 0.05; u < 0.5; u += 0.05) {
        const double x = u * u, y = x; /* inside: u, outside: 1/u */
        const double in = 2.0 / 3.0 + x / 2.0 - x * x / 32.0 - x * x * x / 384.0;
        const double out = 1.0 / u * (1.0 + y / 8.0 + y * y / 192.0 + y * y * y / 1024.0);
        assert_near(sp_contensou_at(SP_PRESSURE_UNIFORM, u, 1.0).phi, in, 1e-3 * x * x * x * x);
        assert_near(sp_contensou_at(SP_PRESSURE_UNIFORM, 1.0 / u, 1.0).phi * u, out * u,
                    1e-3 * y * y * y * y);
        assert_near(sp_contensou_at(SP_PRESSURE_HERTZ, u, 1.0).phi,
                    3.0 * PI / 128.0 * (8.0 + 8.0 * x - x * x), 1e-15);
    }
    /* outside, Hertz, closed form of the paper */
    for (double u = 1.01; u < 20.0; u *= 1.17) {
        const double x = u * u;
        const double phi =
            3.0 / 64.0 * ((8.0 + 8.0 * x - x * x) * asin(1.0 / u) + (x + 14.0) * sqrt(x - 1.0));
        assert_near_scaled(sp_contensou_at(SP_PRESSURE_HERTZ, u, 1.0).phi, phi, x * x / u, 1e-15);
    }
}

/* ---- the law with units -----------------------------------------------------------------------
 */

static void friction_opposes_motion_and_takes_the_potential(void **ctx)
{
    (void)ctx;
    rng r = {11};
    for (int k = 0; k < 1000; k++) {
        const sp_contensou_law law = {.mu = rng_in(&r, 0.05, 1.0),
                                      .pressure =
                                          rng_flip(&r) ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM,
                                      .radius = rng_in(&r, 0.0, 1e-3),
                                      .hertz = rng_in(&r, 1e-5, 1e-3)};
        const double lambda = rng_in(&r, 0.1, 10.0), R = law.radius + law.hertz * cbrt(lambda);
        const double v[2] = {rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0)};
        const double omega = rng_in(&r, -1e3, 1e3);
        double force[2], torque, D[9];
        assert_near(sp_contensou_radius(&law, lambda), R, 1e-15);
        sp_contensou_force(&law, lambda, v, omega, force, &torque, D);
        const double power = force[0] * v[0] + force[1] * v[1] + torque * omega;
        const double phi = sp_contensou_at(law.pressure, hypot(v[0], v[1]), R * fabs(omega)).phi;
        assert_near(power, -law.mu * lambda * phi, 1e-14);
        assert_near(force[0] * v[1], force[1] * v[0], 1e-14);
        assert_true(force[0] * v[0] <= 0.0 && torque * omega <= 0.0);
        for (int j = 0; j < 3; j++) { /* columns of the derivative */
            const double d = j < 2 ? 1e-6 : 1e-3;
            double x[3] = {v[0], v[1], omega}, fp[2], fm[2], tp, tm;
            x[j] += d;
            sp_contensou_force(&law, lambda, x, x[2], fp, &tp, NULL);
            x[j] -= 2.0 * d;
            sp_contensou_force(&law, lambda, x, x[2], fm, &tm, NULL);
            const double size = law.mu * lambda / hypot(hypot(v[0], v[1]), R * omega);
            const double unit = j < 2 ? 1.0 : R;
            assert_near_scaled((fp[0] - fm[0]) / (2.0 * d), D[j], size * unit, 1e-3);
            assert_near_scaled((fp[1] - fm[1]) / (2.0 * d), D[3 + j], size * unit, 1e-3);
            assert_near_scaled((tp - tm) / (2.0 * d), D[6 + j], size * unit * R, 1e-3);
        }
    }
}

/* A steel ball of radius 10 mm on a steel plate under 10 N: a spot of radius 0.0866 mm. */
static void hertz_radius_has_the_textbook_value(void **ctx)
{
    (void)ctx;
    const double E = 210e9 / (2.0 * (1.0 - 0.3 * 0.3));
    const double a = sp_contensou_hertz(0.01, E) * cbrt(10.0);
    assert_true(fabs(a - 8.66e-5) < 1e-7);
    /* and the pressure there, 3 lambda / (2 pi a^2), is that of the usual formula 0.636 GPa */
    assert_true(fabs(1.5 * 10.0 / (PI * a * a) - 0.636e9) < 0.002e9);
}

static void a_law_becomes_a_set_in_units_of_the_lever(void **ctx)
{
    (void)ctx;
    const sp_contensou_law law = {0.3, SP_PRESSURE_HERTZ, 1e-3, 2e-4, 5e-4, 0.7};
    const double dt = 1e-3, lever = 2e-3;
    const sp_set s = sp_contensou_set(&law, lever, dt);
    assert_int_equal(SP_SET_CONTENSOU_ROLLING, s.kind);
    assert_int_equal(6, sp_set_dim(&s));
    assert_near(s.mu, 0.3, 0.0);
    assert_near(s.mu_2 * lever, 5e-4, 1e-18);
    /* percussion of 8 N over dt: radius 1e-3 + 2e-4 * 2 */
    assert_near((s.R + s.R_N * cbrt(8.0 * dt)) * lever, 1.4e-3, 1e-16);
    assert_near(s.shift[0], -0.7 * dt, 1e-18);
    const sp_contensou_law plain = {.mu = 0.3, .radius = 1e-3};
    const sp_set t = sp_contensou_set(&plain, 1e-3, dt);
    assert_int_equal(SP_SET_CONTENSOU, t.kind);
    assert_false(t.shifted);
    assert_near(t.R, 1.0, 1e-15);
    const sp_set impact = sp_contensou_set(&law, lever, 0.0);
    assert_true(!impact.shifted && impact.R_N == 0.0 && impact.R == s.R);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_and_torque_are_their_double_integrals),
        cmocka_unit_test(the_limits_are_those_of_coulomb_and_of_pure_drilling),
        cmocka_unit_test(formulas_meet_without_a_jump),
        cmocka_unit_test(derivatives_are_those_of_the_potential),
        cmocka_unit_test(the_truncated_series_of_the_paper_are_met),
        cmocka_unit_test(friction_opposes_motion_and_takes_the_potential),
        cmocka_unit_test(hertz_radius_has_the_textbook_value),
        cmocka_unit_test(a_law_becomes_a_set_in_units_of_the_lever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
