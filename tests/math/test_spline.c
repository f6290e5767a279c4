#include "math/spline.h"

#include "support/check.h"

/* Value, slope and bend at x. */
static void at(int n, const double *x, const double *y, const double *b, double where, double f[3])
{
    sp_spline_weights w;
    sp_spline_weigh(n, x, where, &w);
    for (int k = 0; k < 3; k++) {
        f[k] = w.w[k][0] * y[w.piece] + w.w[k][1] * y[w.piece + 1] + w.w[k][2] * b[w.piece] +
               w.w[k][3] * b[w.piece + 1];
    }
}

static void the_spline_goes_through_its_points_without_jumps(void **ctx)
{
    (void)ctx;
    rng r = {5};
    for (int closed = 0; closed < 2; closed++) {
        enum { N = 9 };
        double x[N], y[N], b[N], work[4 * N], before[3], after[3];
        for (int i = 0; i < N; i++) {
            x[i] = i == 0 ? 0.3 : x[i - 1] + rng_in(&r, 0.2, 1.0);
            y[i] = rng_in(&r, -1.0, 1.0);
        }
        if (closed) {
            y[N - 1] = y[0];
        }
        sp_spline_bend(N, x, y, 1, closed, work, b);
        for (int i = 1; i < N - 1; i++) {
            at(N, x, y, b, x[i] - 1e-9, before);
            at(N, x, y, b, x[i] + 1e-9, after);
            assert_near(before[0], y[i], 1e-7);
            for (int k = 0; k < 3; k++) {
                assert_near_scaled(before[k], after[k], 20.0, 1e-7);
            }
        }
        at(N, x, y, b, x[0], after);
        at(N, x, y, b, x[N - 1], before);
        assert_near(closed ? before[1] : before[2], closed ? after[1] : 0.0, 1e-12);
        assert_near(before[2], after[2], 1e-12);
    }
}

static void derivatives_are_those_of_the_value(void **ctx)
{
    (void)ctx;
    const double x[] = {0.0, 1.0, 1.5, 3.0}, y[] = {0.0, 2.0, -1.0, 0.5}, h = 1e-5;
    double b[4], work[16], low[3], mid[3], high[3];
    sp_spline_bend(4, x, y, 1, false, work, b);
    for (double s = 0.1; s < 2.95; s += 0.13) {
        at(4, x, y, b, s - h, low);
        at(4, x, y, b, s, mid);
        at(4, x, y, b, s + h, high);
        assert_near_scaled((high[0] - low[0]) / (2.0 * h), mid[1], 10.0, 1e-8);
        assert_near_scaled((high[1] - low[1]) / (2.0 * h), mid[2], 30.0, 1e-8);
    }
}

/* A closed spline through points of a circle: error of order 4. */
static void a_closed_spline_follows_a_sine_with_order_four(void **ctx)
{
    (void)ctx;
    double error[4], step[4];
    for (int k = 0; k < 4; k++) {
        enum { MOST = 129 };
        const int n = (8 << k) + 1;
        double x[MOST], y[MOST], b[MOST], work[4 * MOST], f[3], worst = 0.0;
        for (int i = 0; i < n; i++) {
            x[i] = 6.283185307179586 * i / (n - 1);
            y[i] = i == n - 1 ? 0.0 : sin(x[i]);
        }
        sp_spline_bend(n, x, y, 1, true, work, b);
        for (int i = 0; i < 1000; i++) {
            const double s = 6.283185307179586 * i / 1000.0;
            at(n, x, y, b, s, f);
            worst = check_worse(worst, fabs(f[0] - sin(s)));
        }
        error[k] = worst;
        step[k] = 1.0 / (n - 1);
    }
    const double order = check_order(4, step, error);
    assert_true(order > 3.8 && order < 4.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spline_goes_through_its_points_without_jumps),
        cmocka_unit_test(derivatives_are_those_of_the_value),
        cmocka_unit_test(a_closed_spline_follows_a_sine_with_order_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
