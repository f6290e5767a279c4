#include "math/rk8_stages.h"

#include "rk8_problems.h"

/* Errors at the end and between the steps of the Kepler problem, e = 0.5, 2 s in n equal steps. */
static void kepler_errors(int n, double *at_end, double *between)
{
    const sp_rk8_system s = {.f = kepler};
    const sp_rk8_options o = equal_steps(2.0 / n);
    memory m;
    sp_rk8 *rk = place(&m, 4);
    double y[4], exact[4];
    kepler_exact(0.5, 0.0, y);
    *between = 0.0;
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 0.0, y, NULL));
    while (rk->n_step < n) {
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
        assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
        for (int k = 1; k < 16; k++) {
            const double t = rk->t_old + (rk->t - rk->t_old) * k / 16.0;
            sp_rk8_dense(rk, t, rk->n, y);
            kepler_exact(0.5, t, exact);
            *between = check_worse(*between, distance(4, y, exact));
        }
    }
    kepler_exact(0.5, rk->t, exact);
    *at_end = distance(4, sp_rk8_y(rk), exact);
}

/* The polynomial is wrong by O(dt^8) in a step: over a run that is the order of the method. */
static void order_is_eight_at_the_steps_and_between_them(void **ctx)
{
    (void)ctx;
    enum { N = 9 };
    double dt[N], at_end[N], between[N];
    for (int k = 0; k < N; k++) {
        const int n = (int)lround(12.0 * pow(1.25, k));
        dt[k] = 2.0 / n;
        kepler_errors(n, &at_end[k], &between[k]);
        assert_true(at_end[k] < between[k] && between[k] < 10.0 * at_end[k]);
    }
    assert_near(check_order(N, dt, at_end), 8.0, 0.05);
    assert_near(check_order(N, dt, between), 8.0, 0.05);
}

/* Error inside one step of the length dt, at 0.6 of it: of the polynomial, and of the step cut. */
static void errors_inside(double dt, const double *y0, double *inside, double *cut)
{
    const sp_rk8_system s = {.f = kepler};
    const sp_rk8_options o = equal_steps(dt);
    memory m;
    sp_rk8 *rk = place(&m, 4);
    double y[4], exact[4];
    const double t0 = y0[4], t = t0 + 0.6 * dt;
    kepler_exact(0.5, t, exact);
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, t0, y0, NULL));
    assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
    const double t_end = rk->t;
    assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
    sp_rk8_dense(rk, t, rk->n, y);
    *inside += distance(4, y, exact);
    assert_int_equal(SP_OK, sp_rk8_cut(rk, &s, t, NULL));
    assert_true(rk->t == t && rk->t_full == t_end);
    *cut += distance(4, sp_rk8_y(rk), exact);
    assert_int_equal(SP_OK, sp_rk8_cut(rk, &s, t_end, NULL)); /* and back again */
    assert_int_equal(SP_OK, sp_rk8_cut(rk, &s, t0, NULL));
    kepler(NULL, t0, y0, y, NULL);
    assert_true(rk->t == t0 && distance(4, sp_rk8_y(rk), y0) == 0.0);
    assert_true(distance(4, sp_rk8_dydt(rk), y) == 0.0 && !rk->has_step);
}

/* dt^8 for the polynomial, dt^9 for a step; errors added over 64 places of the orbit, since they
 * change sign on the way. */
static void a_cut_step_has_the_order_of_a_whole_one(void **ctx)
{
    (void)ctx;
    enum { N = 8 };
    double dt[N], inside[N] = {0}, cut[N] = {0};
    for (int k = 0; k < N; k++) {
        dt[k] = 0.4 * pow(0.85, k);
        for (int i = 0; i < 64; i++) {
            double y0[5];
            y0[4] = 2.0 * RK8_PI * i / 64.0;
            kepler_exact(0.5, y0[4], y0);
            errors_inside(dt[k], y0, &inside[k], &cut[k]);
        }
        assert_true(cut[k] < 0.1 * inside[k]);
    }
    assert_near(check_order(N, dt, inside), 8.0, 0.05);
    assert_near(check_order(N, dt, cut), 9.0, 0.05);
}

static void dense_output_fits_both_ends(void **ctx)
{
    (void)ctx;
    const sp_rk8_system s = {.f = pendulum};
    const sp_rk8_options o = tolerance(1e-9);
    memory m;
    sp_rk8 *rk = place(&m, 2);
    double y[2], old[2];
    assert_int_equal(SP_OK, sp_rk8_begin(rk, &s, &o, 3.0, (double[]){1.0, 0.5}, NULL));
    for (int k = 0; k < 20; k++) {
        memcpy(old, sp_rk8_y(rk), sizeof old);
        assert_int_equal(SP_OK, sp_rk8_step(rk, &s, INFINITY, NULL));
        const int64_t before = rk->n_eval;
        assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
        assert_int_equal(SP_OK, sp_rk8_prepare_dense(rk, &s, NULL));
        assert_int_equal(rk->n_eval, before + 3);
        const double dt = rk->t - rk->t_old;
        sp_rk8_dense(rk, rk->t, rk->n, y);
        assert_memory_equal(y, sp_rk8_y(rk), sizeof y);
        sp_rk8_dense(rk, rk->t_old, rk->n, y);
        assert_memory_equal(y, old, sizeof y);
        sp_rk8_dense(rk, rk->t - 1e-9 * dt, rk->n, y);
        assert_true(distance(2, y, sp_rk8_y(rk)) < 1e-8 * dt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_eight_at_the_steps_and_between_them),
        cmocka_unit_test(a_cut_step_has_the_order_of_a_whole_one),
        cmocka_unit_test(dense_output_fits_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
