#include "math/elliptic.h"

#include "support/check.h"

static const double PI = 3.14159265358979323846;

static void the_ends_are_known(void **ctx)
{
    (void)ctx;
    const sp_elliptic zero = sp_elliptic_complete(0.0, 1.0), one = sp_elliptic_complete(1.0, 0.0);
    assert_near(zero.K, 0.5 * PI, 1e-16);
    assert_near(zero.E, 0.5 * PI, 1e-16);
    assert_true(isinf(one.K));
    assert_near(one.E, 1.0, 1e-16);
}

/* K of parameter 1/2 is Gamma(1/4)^2 / (4 sqrt(pi)). */
static void the_lemniscate_gives_gamma_of_a_quarter(void **ctx)
{
    (void)ctx;
    const double g = tgamma(0.25);
    assert_near(sp_elliptic_complete(0.5, 0.5).K, g * g / (4.0 * sqrt(PI)), 4e-16);
}

/* The trapezoidal rule converges geometrically for periodic analytic integrands. */
static void both_are_their_integrals(void **ctx)
{
    (void)ctx;
    for (double x = 0.01; x < 0.95; x += 0.0317) {
        double K = 0.0, E = 0.0;
        enum { POINTS = 400 };
        for (int k = 0; k < POINTS; k++) {
            const double s = sin(PI * (k + 0.5) / POINTS), root = sqrt(1.0 - x * s * s);
            K += 0.5 * PI / POINTS / root;
            E += 0.5 * PI / POINTS * root;
        }
        const sp_elliptic e = sp_elliptic_complete(x, 1.0 - x);
        assert_near(e.K, K, 4e-15);
        assert_near(e.E, E, 4e-15);
    }
}

/* Legendre's relation E K' + E' K - K K' = pi/2, also very near to the ends. */
static void legendres_relation_holds(void **ctx)
{
    (void)ctx;
    for (double x = 1e-15; x < 0.5; x *= 3.0) {
        const sp_elliptic a = sp_elliptic_complete(x, 1.0 - x);
        const sp_elliptic b = sp_elliptic_complete(1.0 - x, x);
        assert_near(a.E * b.K + b.E * a.K - a.K * b.K, 0.5 * PI, 2e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_are_known),
        cmocka_unit_test(the_lemniscate_gives_gamma_of_a_quarter),
        cmocka_unit_test(both_are_their_integrals),
        cmocka_unit_test(legendres_relation_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
