#include "laws/ball.h"

#include "laws/contensou.h"
#include "support/check.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

enum { KINDS = 5, DIM = SP_SET_DIM_MAX };

static sp_pressure any_pressure(rng *r)
{
    return rng_flip(r) ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM;
}

/* A random set of laws/ball.h. */
static sp_set random_set(rng *r)
{
    sp_set s;
    const double mu = rng_in(r, 0.05, 1.5), mu_2 = rng_in(r, 0.05, 1.5);
    switch (rng_int(r, KINDS)) {
    case 0:
        return sp_set_ellipse(mu, mu_2);
    case 1:
    case 2:
        return sp_set_rolling(mu, mu_2);
    default:
        s = sp_set_contensou(mu, any_pressure(r), pow(10.0, rng_in(r, -2.0, 1.0)),
                             rng_flip(r) ? rng_in(r, 0.0, 1.0) : 0.0);
        if (rng_flip(r)) {
            s.kind = SP_SET_CONTENSOU_ROLLING;
            s.mu_2 = mu_2;
        }
        return s;
    }
}

static int drills(const sp_set *s)
{
    return s->kind == SP_SET_CONTENSOU || s->kind == SP_SET_CONTENSOU_ROLLING;
}

/* A point of the boundary of the friction body under N from a random normal, by the law itself. */
static void random_boundary_point(const sp_set *s, double N, rng *r, double *y)
{
    const double turn = rng_in(r, 0.0, 2.0 * PI), tilt = rng_in(r, -0.5 * PI, 0.5 * PI);
    const double c = cos(turn), q = sin(turn);
    if (s->kind == SP_SET_ELLIPSE) {
        y[1] = s->mu * N * c;
        y[2] = s->mu_2 * N * q;
    } else if (drills(s)) {
        const double R = s->R + s->R_N * cbrt(N);
        const sp_contensou at = sp_contensou_at(s->pressure, cos(tilt), R * fabs(sin(tilt)));
        y[1] = s->mu * N * at.f * c;
        y[2] = s->mu * N * at.f * q;
        y[3] = copysign(s->mu * N * R * at.m, tilt);
    } else {
        y[1] = s->mu * N * c;
        y[2] = s->mu * N * q;
    }
    const int first = drills(s) ? 4 : 3, n = sp_set_dim(s) - first;
    double len = 0.0;
    for (int a = first; a < first + n; a++) {
        y[a] = rng_in(r, -1.0, 1.0);
        len = hypot(len, y[a]);
    }
    for (int a = first; a < first + n; a++) {
        y[a] *= s->mu_2 * N / len;
    }
    y[0] = N;
}

/* x random, some times far outside. */
static void random_point(const sp_set *s, rng *r, double *x)
{
    const double size = pow(10.0, rng_in(r, -1.0, 1.0));
    for (int a = 0; a < sp_set_dim(s); a++) {
        x[a] = size * rng_in(r, -1.0, 1.0);
    }
    x[0] = rng_in(r, -0.3, 2.0);
}

static void projections_are_nearest_points(void **ctx)
{
    (void)ctx;
    rng r = {1};
    for (int k = 0; k < check_cases(4000, 200000); k++) {
        const sp_set s = random_set(&r);
        const int dim = sp_set_dim(&s);
        double x[DIM], y[DIM], z[DIM], size = 1.0;
        random_point(&s, &r, x);
        memcpy(y, x, sizeof y);
        sp_set_project(&s, y);
        assert_true(y[0] == fmax(x[0], 0.0));
        assert_true(sp_set_excess(&s, y) <= 4e-15 * (1.0 + y[0]));
        for (int a = 1; a < dim; a++) {
            size = fmax(size, fabs(x[a]) + fabs(y[a]));
        }
        for (int e = 0; e < 30; e++) { /* (x - y).(z - y) <= 0 for all z of the body */
            random_boundary_point(&s, y[0], &r, z);
            double product = 0.0;
            for (int a = 1; a < dim; a++) {
                product += (x[a] - y[a]) * (z[a] - y[a]);
            }
            assert_true(product <= 1e-13 * size * size);
        }
    }
}

/* Distance to the boundary by a scan over normals, refined by golden sections: no Newton, no
 * derivative. */
static double scanned(sp_pressure p, double B, double R, double T, double D, double *y)
{
    enum { POINTS = 2000 };
    double best = INFINITY, angle = 0.0, width = 0.5 * PI / POINTS;
    for (int k = 0; k <= 2 * POINTS; k++) { /* half of them close to the ends */
        const double q = k <= POINTS ? width * k : 0.0, e = pow(0.5, (k - POINTS) / 40.0);
        const double t = k <= POINTS ? q : k % 2 ? 0.5 * PI * e : 0.5 * PI * (1.0 - e);
        const sp_contensou c = sp_contensou_at(p, cos(t), R * sin(t));
        const double far = hypot(T - B * c.f, D - B * R * c.m);
        if (far < best) {
            best = far;
            angle = t;
        }
    }
    double lo = fmax(0.0, angle - 0.02), hi = fmin(0.5 * PI, angle + 0.02);
    for (int k = 0; k < 100; k++) {
        const double a[2] = {hi - 0.6180339887498949 * (hi - lo),
                             lo + 0.6180339887498949 * (hi - lo)};
        double far[2];
        for (int e = 0; e < 2; e++) {
            const sp_contensou c = sp_contensou_at(p, cos(a[e]), R * sin(a[e]));
            far[e] = hypot(T - B * c.f, D - B * R * c.m);
            if (far[e] < best) {
                best = far[e];
                y[0] = B * c.f;
                y[1] = B * R * c.m;
            }
        }
        *(far[0] < far[1] ? &hi : &lo) = far[0] < far[1] ? a[1] : a[0];
    }
    return best;
}

static void the_friction_ball_agrees_with_brute_force(void **ctx)
{
    (void)ctx;
    rng r = {2};
    int outside = 0;
    for (int k = 0; k < check_cases(400, 20000); k++) {
        const sp_pressure p = any_pressure(&r);
        const double mu = rng_in(&r, 0.1, 1.0), R = pow(10.0, rng_in(&r, -0.5, 0.5));
        const sp_set s = sp_set_contensou(mu, p, R, 0.0);
        const double x[4] = {1.0, rng_in(&r, 0.0, 2.0), 0.0, rng_in(&r, 0.0, 2.0)};
        double y[4], brute[2] = {x[1], x[3]};
        memcpy(y, x, sizeof y);
        sp_set_project(&s, y);
        if (sp_set_holds(&s, x)) {
            continue;
        }
        const double far = hypot(x[1] - y[1], x[3] - y[3]);
        const double far_brute = scanned(p, mu, R, x[1], x[3], brute);
        assert_near(far, far_brute, 1e-13);
        assert_near(y[1], brute[0], 3e-6); /* a distance is flat where it is least */
        assert_near(y[3], brute[1], 3e-6);
        assert_near(sp_set_excess(&s, x), far, 1e-14);
        outside++;
    }
    assert_true(outside > 100);
}

static void the_ellipse_agrees_with_brute_force(void **ctx)
{
    (void)ctx;
    rng r = {3};
    for (int k = 0; k < 300; k++) {
        const sp_set s = sp_set_ellipse(pow(10.0, rng_in(&r, -3.0, 0.5)), rng_in(&r, 0.1, 1.0));
        const double x[3] = {1.5, rng_in(&r, -3.0, 3.0), rng_in(&r, -3.0, 3.0)};
        double y[3], best = INFINITY;
        memcpy(y, x, sizeof y);
        sp_set_project(&s, y);
        if (sp_set_holds(&s, x)) {
            assert_true(hypot(x[1] / s.mu, x[2] / s.mu_2) <= 1.5);
            continue;
        }
        assert_near(hypot(y[1] / s.mu, y[2] / s.mu_2), 1.5, 1e-14);
        for (int e = 0; e < 20000; e++) {
            const double t = 2.0 * PI * e / 20000.0;
            best = fmin(best, hypot(x[1] - 1.5 * s.mu * cos(t), x[2] - 1.5 * s.mu_2 * sin(t)));
        }
        const double far = hypot(x[1] - y[1], x[2] - y[2]);
        assert_true(far <= best + 1e-14 && best <= far + 1e-3); /* points 1e-3 apart */
        assert_near(sp_set_excess(&s, x), far, 1e-13);
    }
}

static void derivatives_are_those_of_the_projection(void **ctx)
{
    (void)ctx;
    rng r = {5};
    int moved = 0;
    for (int k = 0; k < check_cases(4000, 400000); k++) {
        sp_set s = random_set(&r);
        const int dim = sp_set_dim(&s);
        double x[DIM], D[DIM * DIM], size = 1.0;
        random_point(&s, &r, x);
        if (rng_flip(&r)) {
            s = sp_set_adhere(s, 0.1);
        }
        sp_set_derivative(&s, x, D);
        const double d = 1e-6;
        int inside[2] = {1, 1};
        double F[DIM * DIM];
        for (int j = 0; j < dim; j++) {
            double p[DIM], m[DIM];
            memcpy(p, x, sizeof p);
            memcpy(m, x, sizeof m);
            p[j] += d;
            m[j] -= d;
            inside[0] = inside[0] && sp_set_holds(&s, p) == sp_set_holds(&s, m);
            inside[1] = inside[1] && (p[0] > s.shift[0]) == (m[0] > s.shift[0]);
            sp_set_project(&s, p);
            sp_set_project(&s, m);
            for (int a = 0; a < dim; a++) {
                F[a * dim + j] = (p[a] - m[a]) / (2.0 * d);
                size = fmax(size, fabs(F[a * dim + j]));
            }
        }
        if (!inside[0] || !inside[1]) {
            continue; /* at a kink */
        }
        int kink = 0;
        for (int e = 0; e < dim * dim; e++) {
            kink = kink || fabs(F[e] - D[e]) > 1e-4 * size;
        }
        moved += kink;
    }
    assert_true(moved <= check_cases(0, 4)); /* one body of a product at its boundary */
}

/* Not longer than before: prox of a convex set at fixed N; and a second time it does nothing. */
static void projection_brings_points_nearer(void **ctx)
{
    (void)ctx;
    rng r = {6};
    for (int k = 0; k < check_cases(4000, 100000); k++) {
        const sp_set s = random_set(&r);
        const int dim = sp_set_dim(&s);
        double x[DIM], y[DIM], px[DIM], py[DIM], before = 0.0, after = 0.0;
        random_point(&s, &r, x);
        random_point(&s, &r, y);
        y[0] = x[0];
        memcpy(px, x, sizeof px);
        memcpy(py, y, sizeof py);
        sp_set_project(&s, px);
        sp_set_project(&s, py);
        for (int a = 1; a < dim; a++) {
            before += (x[a] - y[a]) * (x[a] - y[a]);
            after += (px[a] - py[a]) * (px[a] - py[a]);
        }
        assert_true(sqrt(after) <= sqrt(before) * (1.0 + 1e-12) + 1e-14);
        memcpy(py, px, sizeof py);
        sp_set_project(&s, py);
        for (int a = 0; a < dim; a++) {
            assert_near(px[a], py[a], 1e-14);
        }
    }
}

/* The largest -xi.y over points of the boundary is the dissipation, and none is larger. */
static void dissipation_is_the_support_function(void **ctx)
{
    (void)ctx;
    rng r = {8};
    for (int k = 0; k < 300; k++) {
        const sp_set s = random_set(&r);
        const int dim = sp_set_dim(&s);
        double xi[DIM], y[DIM], x[DIM], power = 0.0;
        const double N = rng_in(&r, 0.1, 3.0);
        random_point(&s, &r, xi);
        const double most = sp_set_dissipation(&s, N, xi);
        for (int e = 0; e < 200; e++) {
            double sum = 0.0;
            random_boundary_point(&s, N, &r, y);
            for (int a = 1; a < dim; a++) {
                sum -= xi[a] * y[a];
            }
            assert_true(sum <= most * (1.0 + 1e-14));
        }
        /* reached by the projection of a point very far in the direction -xi */
        for (int a = 0; a < dim; a++) {
            x[a] = a ? -1e9 * xi[a] : N;
        }
        sp_set_project(&s, x);
        for (int a = 1; a < dim; a++) {
            power -= xi[a] * x[a];
        }
        assert_near(power, most, 1e-6);
    }
}

static void degenerate_balls_are_discs_or_points(void **ctx)
{
    (void)ctx;
    rng r = {9};
    const sp_set disc = sp_set_disc(0.4), flat = sp_set_contensou(0.4, SP_PRESSURE_HERTZ, 0.0, 0.0);
    const sp_set smooth = sp_set_contensou(0.0, SP_PRESSURE_UNIFORM, 1.0, 0.0);
    const sp_set thin = sp_set_contensou(0.4, SP_PRESSURE_UNIFORM, 1e-9, 0.0);
    for (int k = 0; k < 200; k++) {
        const double x[4] = {rng_in(&r, -0.2, 2.0), rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0),
                             rng_in(&r, -1.0, 1.0)};
        double a[4], b[4], c[4], d[4];
        memcpy(a, x, sizeof a);
        memcpy(b, x, sizeof b);
        memcpy(c, x, sizeof c);
        memcpy(d, x, sizeof d);
        sp_set_project(&disc, a);
        sp_set_project(&flat, b);
        sp_set_project(&smooth, c);
        sp_set_project(&thin, d);
        for (int e = 0; e < 3; e++) {
            assert_near(a[e], b[e], 1e-15);
            assert_near(a[e], d[e], 1e-8);
        }
        assert_true(b[3] == 0.0 && fabs(d[3]) <= 0.4 * 2.0 / 3.0 * 1e-9 * 2.0 * (1.0 + 1e-12));
        assert_true(c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0);
    }
    double round_[3] = {1.0, 3.0, 4.0};
    const sp_set equal = sp_set_ellipse(0.5, 0.5), line = sp_set_ellipse(0.5, 0.0);
    sp_set_project(&equal, round_);
    assert_near(round_[1], 0.3, 1e-15);
    assert_near(round_[2], 0.4, 1e-15);
    double on_line[3] = {1.0, 3.0, 4.0};
    sp_set_project(&line, on_line);
    assert_true(on_line[1] == 0.5 && on_line[2] == 0.0);
}

/* The extreme points of the ball: mu N in force, mu N R times 2/3 or 3 pi/16 in drilling. */
static void bounds_of_force_and_torque_are_reached(void **ctx)
{
    (void)ctx;
    const double most[2] = {2.0 / 3.0, 3.0 * PI / 16.0};
    for (int p = 0; p < 2; p++) {
        const sp_set s = sp_set_contensou(0.5, (sp_pressure)p, 0.2, 0.1); /* R = 0.4 for N = 8 */
        double slide[4] = {8.0, 30.0, -40.0, 0.0}, spin[4] = {8.0, 0.0, 0.0, -100.0};
        sp_set_project(&s, slide);
        sp_set_project(&s, spin);
        assert_near(slide[1], 2.4, 1e-15);
        assert_near(slide[2], -3.2, 1e-15);
        assert_near(spin[3], -0.5 * 8.0 * 0.4 * most[p], 1e-14);
    }
}

static void adhesion_lets_the_contact_pull(void **ctx)
{
    (void)ctx;
    const sp_set s = sp_set_adhere(sp_set_disc(0.5), 2.0),
                 t = sp_set_adhere(sp_set_half_line(), 2.0);
    double pull[3] = {-1.0, 3.0, 0.0}, away[3] = {-5.0, 1.0, 1.0}, line = -5.0;
    sp_set_project(&s, pull);
    sp_set_project(&s, away);
    sp_set_project(&t, &line);
    assert_true(pull[0] == -1.0 && pull[1] == 0.5 && pull[2] == 0.0);
    assert_true(away[0] == -2.0 && away[1] == 0.0 && away[2] == 0.0);
    assert_true(line == -2.0);
    const sp_set twice = sp_set_adhere(t, 1.0);
    line = -5.0;
    sp_set_project(&twice, &line);
    assert_true(line == -3.0);
}

static void nan_travels_and_bad_numbers_are_known(void **ctx)
{
    (void)ctx;
    rng r = {12};
    for (int k = 0; k < 200; k++) {
        sp_set s = random_set(&r);
        double x[DIM];
        const int dim = sp_set_dim(&s), at = rng_int(&r, dim);
        assert_true(sp_set_sound(&s));
        random_point(&s, &r, x);
        x[0] = fabs(x[0]) + 0.1;
        x[at] = NAN;
        sp_set_project(&s, x);
        assert_true(isnan(x[at]));
        s.mu = at ? -1.0 : NAN;
        assert_false(sp_set_sound(&s));
    }
    sp_set s = sp_set_contensou(0.3, (sp_pressure)7, 1.0, 0.0);
    assert_false(sp_set_sound(&s));
    s = sp_set_contensou(0.3, SP_PRESSURE_HERTZ, 1.0, INFINITY);
    assert_false(sp_set_sound(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_nearest_points),
        cmocka_unit_test(the_friction_ball_agrees_with_brute_force),
        cmocka_unit_test(the_ellipse_agrees_with_brute_force),
        cmocka_unit_test(derivatives_are_those_of_the_projection),
        cmocka_unit_test(projection_brings_points_nearer),
        cmocka_unit_test(dissipation_is_the_support_function),
        cmocka_unit_test(degenerate_balls_are_discs_or_points),
        cmocka_unit_test(bounds_of_force_and_torque_are_reached),
        cmocka_unit_test(adhesion_lets_the_contact_pull),
        cmocka_unit_test(nan_travels_and_bad_numbers_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
