/* phi as hypergeometric series F(a, b; c; x) in x = (a/b)^2 or (b/a)^2, whichever is below one,
 * where x <= 0.3, and by elliptic integrals (uniform pressure) or elementary functions (Hertz)
 * between; both are exact to round-off where they are used.               theory (19.3)-(19.9) */
#include "laws/contensou.h"

#include "math/elliptic.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Series are used up to this argument. */
#define SERIES_UP_TO 0.3

enum { TERMS_MOST = 50 };

/* F(a, b; c; x) for |x| <= 0.3. */
static double series(double a, double b, double c, double x)
{
    double term = 1.0, sum = 1.0;
    for (int k = 0; k < TERMS_MOST && fabs(term) > 1e-18; k++) {
        term *= (a + k) * (b + k) / ((c + k) * (1.0 + k)) * x;
        sum += term;
    }
    return sum;
}

/* f, m and f'(u) for u = a/b <= 1. */
typedef struct branch {
    double f, m, slope;
} branch;

/* Spin prevails, u <= 1, uniform pressure.   theory (19.4), (19.7) */
static branch uniform_inside(double u)
{
    const double x = u * u, y = (1.0 - u) * (1.0 + u);
    if (x <= SERIES_UP_TO) {
        const branch near_spin = {u * series(-0.5, 0.5, 2.0, x),
                                  2.0 / 3.0 * series(-1.5, 0.5, 1.0, x), series(-0.5, 1.5, 2.0, x)};
        return near_spin;
    }
    const sp_elliptic e = sp_elliptic_complete(x, y);
    const double yK = y > 0.0 ? y * e.K : 0.0;
    const branch near_one = {4.0 / (3.0 * PI * u) * ((1.0 + x) * e.E - yK),
                             4.0 / (9.0 * PI) * ((4.0 - 2.0 * x) * e.E - yK),
                             4.0 / (3.0 * PI * x) * ((2.0 * x - 1.0) * e.E + yK)};
    return near_one;
}

/* The same for Hertz pressure: polynomials.   theory (19.9) */
static branch hertz_inside(double u)
{
    const double x = u * u;
    const branch all = {3.0 * PI / 32.0 * u * (4.0 - x),
                        3.0 * PI / 128.0 * (8.0 - x * (8.0 - 3.0 * x)),
                        3.0 * PI / 32.0 * (4.0 - 3.0 * x)};
    return all;
}

/* Sliding prevails: f, m and f'(u) u^3 for w = b/a = 1/u <= 1; c = 2 (uniform), 5/2 (Hertz).
 * theory (19.5) */
static branch series_outside(double c, double w)
{
    const double y = w * w;
    const branch far = {series(-0.5, 0.5, c, y), w / (2.0 * c) * series(0.5, 0.5, c + 1.0, y),
                        series(0.5, 1.5, c + 1.0, y) / (2.0 * c)};
    return far;
}

/* The same near w = 1, uniform pressure.   theory (19.8) */
static branch uniform_outside(double w)
{
    const double y = w * w, x = (1.0 - w) * (1.0 + w);
    const sp_elliptic e = sp_elliptic_complete(y, x);
    const double xK = x > 0.0 ? x * e.K : 0.0;
    const branch near_one = {4.0 / (3.0 * PI * y) * ((1.0 + y) * e.E - xK),
                             4.0 / (9.0 * PI * y * w) *
                                 ((4.0 * y - 2.0) * e.E + (2.0 - 3.0 * y) * xK),
                             4.0 / (3.0 * PI * y * y) * ((2.0 - y) * e.E - 2.0 * xK)};
    return near_one;
}

/* The same near w = 1, Hertz pressure.   theory (19.10) */
static branch hertz_outside(double w)
{
    const double y = w * w, angle = asin(w), q = w * sqrt((1.0 - w) * (1.0 + w));
    const branch near_one = {
        3.0 / (16.0 * y * w) * ((4.0 * y - 1.0) * angle + (1.0 + 2.0 * y) * q),
        3.0 / (64.0 * y * y) * ((3.0 - 8.0 * y * (1.0 - y)) * angle - 3.0 * (1.0 - 2.0 * y) * q),
        3.0 / (16.0 * y * y * w) * ((4.0 * y - 3.0) * angle + (3.0 - 2.0 * y) * q)};
    return near_one;
}

sp_contensou sp_contensou_at(sp_pressure pressure, double a, double b)
{
    const sp_contensou stick = {0.0, 0.0, 0.0, 0.0};
    const int hertz = pressure == SP_PRESSURE_HERTZ;
    if (a == 0.0 && b == 0.0) {
        return stick;
    }
    branch x;
    double larger;
    if (a <= b) {
        x = hertz ? hertz_inside(a / b) : uniform_inside(a / b);
        larger = b;
    } else {
        const double w = b / a;
        x = w * w <= SERIES_UP_TO ? series_outside(hertz ? 2.5 : 2.0, w)
            : hertz               ? hertz_outside(w)
                                  : uniform_outside(w);
        larger = a;
    }
    const sp_contensou out = {a * x.f + b * x.m, x.f, x.m, x.slope / larger / larger / larger};
    return out;
}

double sp_contensou_radius(const sp_contensou_law *law, double lambda_N)
{
    return law->radius + law->hertz * cbrt(lambda_N);
}

double sp_contensou_hertz(double reduced_radius, double reduced_modulus)
{
    return cbrt(0.75 * reduced_radius / reduced_modulus);
}

void sp_contensou_force(const sp_contensou_law *law, double lambda_N, const double *v, double omega,
                        double *force, double *torque, double *D)
{
    const double R = sp_contensou_radius(law, lambda_N), B = law->mu * lambda_N;
    const double a = hypot(v[0], v[1]), b = R * fabs(omega), turn = omega < 0.0 ? -1.0 : 1.0;
    const sp_contensou c = sp_contensou_at(law->pressure, a, b);
    const double d[2] = {a > 0.0 ? v[0] / a : 1.0, a > 0.0 ? v[1] / a : 0.0};
    force[0] = -B * c.f * d[0];
    force[1] = -B * c.f * d[1];
    *torque = -B * R * c.m * turn;
    if (!D) {
        return;
    }
    /* -H:  along d  k b^2,  across  f / a (k b^2 at a = 0),  mixed  -k a b,  spin  k a^2 */
    const double along = c.k * b * b, across = a > 0.0 ? c.f / a : along;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double dd = d[i] * d[j], unit = i == j ? 1.0 : 0.0;
            D[3 * i + j] = -B * (along * dd + across * (unit - dd));
        }
        D[3 * i + 2] = D[6 + i] = B * R * turn * c.k * a * b * d[i];
    }
    D[8] = -B * R * R * c.k * a * a;
}

sp_set sp_contensou_set(const sp_contensou_law *law, double lever, double dt)
{
    const double growth = dt > 0.0 ? law->hertz / (lever * cbrt(dt)) : 0.0;
    sp_set s = sp_set_contensou(law->mu, law->pressure, law->radius / lever, growth);
    if (law->rolling > 0.0) {
        s.kind = SP_SET_CONTENSOU_ROLLING;
        s.mu_2 = law->rolling / lever;
    }
    return law->adhesion > 0.0 && dt > 0.0 ? sp_set_adhere(s, law->adhesion * dt) : s;
}
