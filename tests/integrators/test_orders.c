/* Orders of convergence on the slider-crank: against the exact free flight, the exact first impact,
 * and in L1 through impacts against the scheme itself at a small step. */
#include "support/check.h"
#include "support/run.h"

#include <stdlib.h>
#include <string.h>

static const sp_method methods[2] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};

/* Errors of angles (rad) and rates (rad/s) and of the energy (J) at 2.5 ms, before any contact. */
typedef struct flight_error {
    double angle, rate, energy;
} flight_error;

static flight_error fly(sp_method method, long n)
{
    const double t = 2.5e-3;
    double th[CRANK_N], om[CRANK_N], th_exact[CRANK_N], om_exact[CRANK_N];
    rig r = rig_slider_crank(0.0);
    const double start = crank_kinetic(r.x->q, (double[]){150.0, -75.0, 0.0});
    rig_steps(&r, method, t / (double)n, n);
    crank_absolute(r.x->q, th);
    crank_absolute(r.x->u, om);
    crank_exact(t, th_exact, om_exact);
    flight_error e = {.energy = crank_kinetic(th, om) + crank_potential(th) - start};
    for (int k = 0; k < 2; k++) {
        e.angle = check_worse(e.angle, fabs(th[k] - th_exact[k]));
        e.rate = check_worse(e.rate, fabs(om[k] - om_exact[k]));
    }
    assert_int_equal(r.n_event, 0);
    assert_true(r.worst.closure < 1e-12);
    rig_free(&r);
    return e;
}

static void free_flight(sp_method method, double order)
{
    enum { SIZES = 8 };
    double dt[SIZES], angle[SIZES], rate[SIZES], energy[SIZES];
    for (int k = 0; k < SIZES; k++) {
        const long n = 25L << k;
        const flight_error e = fly(method, n);
        dt[k] = 2.5e-3 / (double)n;
        angle[k] = e.angle;
        rate[k] = e.rate;
        energy[k] = fabs(e.energy);
        print_message("  dt %.3e  angles %.3e rad  rates %.3e rad/s  energy %.3e J\n", dt[k],
                      angle[k], rate[k], e.energy);
    }
    const double order_angle = check_order(SIZES, dt, angle);
    const double order_rate = check_order(SIZES, dt, rate);
    const double order_energy = check_order(SIZES, dt, energy);
    print_message("%s: orders %.3f angles, %.3f rates, %.3f energy\n", sp_method_name(method),
                  order_angle, order_rate, order_energy);
    assert_true(fabs(order_angle - order) < 0.05);
    assert_true(fabs(order_rate - order) < 0.05);
    assert_true(fabs(order_energy - order) < 0.05);
}

static void free_flight_of_moreau_is_of_first_order(void **ctx)
{
    (void)ctx;
    free_flight(SP_METHOD_MOREAU, 1.0);
}

static void free_flight_of_moreau_mean_is_of_second_order(void **ctx)
{
    (void)ctx;
    free_flight(SP_METHOD_MOREAU_MEAN, 2.0);
}

/* Energy errors at 2.5 ms, measured beforehand by a prototype of the same scheme, two digits. */
static void energy_error_of_free_flight_is_the_known_one(void **ctx)
{
    (void)ctx;
    static const double known[2][3] = {{-6.3e-2, -6.1e-3, -6.1e-4}, {-1.5e-3, -1.5e-5, -1.5e-7}};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            const double e = fly(methods[i], lround(25.0 * pow(10.0, k))).energy;
            const double digit = 0.05 * pow(10.0, floor(log10(-known[i][k])));
            print_message("%s: %.4e J, known %.1e J\n", sp_method_name(methods[i]), e, known[i][k]);
            assert_true(fabs(e - known[i][k]) <= 1.001 * digit);
        }
    }
}

/* Time, and velocities after, of the first impact by a run with this step; the state right after is
 * that of the end of the step, so it is compared with an error of one step of smooth motion. */
static void first_impact_converges_with_first_order(void **ctx)
{
    (void)ctx;
    enum { SIZES = 7 };
    for (int i = 0; i < 2; i++) {
        double dt[SIZES], time[SIZES], speed[SIZES];
        for (int k = 0; k < SIZES; k++) {
            dt[k] = ldexp(3.7e-5, -k); /* impacts fall anywhere inside a step */
            rig r = rig_slider_crank(0.0);
            while (r.n_event == 0) {
                rig_step(&r, methods[i], dt[k]);
            }
            double om[CRANK_N];
            crank_absolute(r.x->u, om);
            time[k] = fabs(r.event[0].t - CRANK_T1);
            speed[k] = fabs(om[0] - CRANK_OM1_AFTER[0]) + fabs(om[1] - CRANK_OM1_AFTER[1]);
            print_message("  dt %.3e  time %.3e s  rates after %.3e rad/s\n", dt[k], time[k],
                          speed[k]);
            rig_free(&r);
        }
        print_message("%s: orders %.3f time of the first impact, %.3f rates after it\n",
                      sp_method_name(methods[i]), check_order(SIZES, dt, time),
                      check_order(SIZES, dt, speed));
        assert_true(check_order(SIZES, dt, time) > 0.8);
        assert_true(check_order(SIZES, dt, speed) > 0.8);
        assert_true(time[SIZES - 1] < dt[SIZES - 1] * 2.0);
    }
}

/* ---- L1 through impacts ----------------------------------------------------------------------
 */

/* All states of a run: th and om, CRANK_N each, per step end; the start is faster by 'faster'. */
static double *run_states(sp_method method, double faster, double dt, long n)
{
    double *state = malloc((size_t)(n + 1) * 2 * CRANK_N * sizeof *state);
    assert_non_null(state);
    rig r = rig_slider_crank(0.0);
    double u[CRANK_N];
    for (int k = 0; k < CRANK_N; k++) {
        u[k] = faster * r.x->u[k];
    }
    sp_state_set(r.m, r.x, 0.0, r.x->q, u);
    for (long k = 0; k <= n; k++) {
        crank_absolute(r.x->q, state + k * 2 * CRANK_N);
        crank_absolute(r.x->u, state + k * 2 * CRANK_N + CRANK_N);
        if (k < n) {
            rig_step(&r, method, dt);
        }
    }
    rig_free(&r);
    return state;
}

/* Integral of |coarse - fine| over time, for angles and rates; the coarse run is straight between
 * its steps, each of which is 'every' fine ones. */
static void error_L1(const double *coarse, long n, long every, const double *fine, double fine_dt,
                     double *err_q, double *err_u)
{
    *err_q = *err_u = 0.0;
    for (long i = 0; i < n * every; i++) {
        const double *a = coarse + i / every * 2 * CRANK_N, *b = fine + i * 2 * CRANK_N;
        const double part = (double)(i % every) / (double)every;
        for (int j = 0; j < 2 * CRANK_N; j++) {
            const double between = a[j] + part * (a[j + 2 * CRANK_N] - a[j]);
            *(j < CRANK_N ? err_q : err_u) += fine_dt * fabs(between - b[j]);
        }
    }
}

enum { SIZES_MAX = 7 };

/* Fit the L1 errors on [0, 0.02 s] of steps of so many fine ones, added over n_start starts. */
static void run_is_of_first_order_in_L1(sp_method method, int n_start, double fine_dt, int n_size,
                                        const long *every, double least)
{
    const long n_fine = lround(0.02 / fine_dt);
    double dt[SIZES_MAX], sum_q[SIZES_MAX] = {0}, sum_u[SIZES_MAX] = {0};
    for (int i = 0; i < n_start; i++) {
        const double faster = 1.0 + 0.01 * i;
        double *fine = run_states(method, faster, fine_dt, n_fine);
        for (int k = 0; k < n_size; k++) {
            const long n = n_fine / every[k];
            double err_q, err_u;
            dt[k] = fine_dt * (double)every[k];
            double *coarse = run_states(method, faster, dt[k], n);
            error_L1(coarse, n, every[k], fine, fine_dt, &err_q, &err_u);
            sum_q[k] += err_q / n_start;
            sum_u[k] += err_u / n_start;
            free(coarse);
        }
        free(fine);
    }
    for (int k = 0; k < n_size; k++) {
        print_message("  dt %.3e  L1 of q %.3e rad s  L1 of u %.3e rad\n", dt[k], sum_q[k],
                      sum_u[k]);
    }
    const double order_q = check_order(n_size, dt, sum_q), order_u = check_order(n_size, dt, sum_u);
    print_message("%s: orders in L1 %.3f of q, %.3f of u\n", sp_method_name(method), order_q,
                  order_u);
    assert_true(least < order_q && order_q < 1.3);
    assert_true(least < order_u && order_u < 1.3);
}

static void moreau_is_of_first_order_in_L1_through_impacts(void **ctx)
{
    (void)ctx;
    const long every[7] = {10, 20, 40, 80, 160, 320, 640};
    run_is_of_first_order_in_L1(SP_METHOD_MOREAU, 1, 1e-7, 7, every, 0.9);
}

/* Here the smooth error is so small that only the impacts are left, each wrong by a random part of
 * a step: the errors of one start scatter by a factor of 2, the sum of ten does not.  Local
 * orders still scatter, 0.83 to 1.05 in u; steps up to 6.4e-5 s give 0.89 in all. */
static void moreau_mean_is_of_first_order_in_L1_through_impacts(void **ctx)
{
    (void)ctx;
    const long every[7] = {10, 16, 25, 40, 64, 100, 160};
    const char *sanitize = getenv("SPECHT_SANITIZE"); /* such builds are 50 times slower */
    const int n_start = sanitize && *sanitize ? 1 : 10;
    run_is_of_first_order_in_L1(SP_METHOD_MOREAU_MEAN, n_start, 1e-7, 7, every, 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_of_moreau_is_of_first_order),
        cmocka_unit_test(free_flight_of_moreau_mean_is_of_second_order),
        cmocka_unit_test(energy_error_of_free_flight_is_the_known_one),
        cmocka_unit_test(first_impact_converges_with_first_order),
        cmocka_unit_test(moreau_is_of_first_order_in_L1_through_impacts),
        cmocka_unit_test(moreau_mean_is_of_first_order_in_L1_through_impacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
