#define _POSIX_C_SOURCE 200809L
/* Contact problems through the public functions. */
#include "api/machine.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Points of mass 2 kg on a floor in space, one pressed down and thrown along by v_T each: G = 1/m,
 * P_N = m v_N, and P_T stops the point or is mu P_N against it. */
static void points_stick_or_slide_as_coulomb_says(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    const double mu[2] = {0.5, 0.5}, c[6] = {-3.0, 1.0, 0.5, -3.0, 4.0, 3.0};
    double G[36] = {0}, P[6];
    sp_contact_problem *p;
    sp_problem_answer a;
    for (int i = 0; i < 6; i++) {
        G[7 * i] = 0.5;
    }
    ASSERT_OK(sp_problem_make(3, 2, mu, G, c, &p, &err));
    const sp_problem_info *info = sp_problem_about(p);
    assert_true(info->n == 6 && info->n_contact == 2 && info->rank == 6 && !info->indefinite);
    sp_problem_options o = sp_problem_options_default();
    o.tol = 1e-12;
    o.measure = SP_MEASURE_SCALED;
    ASSERT_OK(sp_problem_solve(p, &o, P, &a, &err));
    assert_int_equal(a.verdict, SP_PROBLEM_SOLVED);
    const double expected[6] = {6.0, -2.0, -1.0, 6.0, -3.0 * 0.8, -3.0 * 0.6};
    for (int i = 0; i < 6; i++) {
        assert_near(P[i], expected[i], 1e-11);
    }
    assert_near(a.certificate.work, -3.0 * (5.0 - 1.5), 1e-10); /* P_T . xi_T of what slides */

    sp_problem_certificate good, bad;
    ASSERT_OK(sp_problem_certify(p, P, &good, &err));
    assert_true(good.scaled == a.certificate.scaled);
    P[4] = 0.0;
    ASSERT_OK(sp_problem_certify(p, P, &bad, &err));
    assert_true(bad.scaled > 1e-2);
    sp_problem_free(p);
}

static void a_problem_is_written_and_read_again(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    const double mu = 0.3, G[9] = {1.0, 0.2, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double c[3] = {-1.0, 0.4, 0.1};
    double P[3], again[3];
    char path[] = "/tmp/specht_api_XXXXXX";
    sp_contact_problem *p, *q;
    const sp_problem_options o = sp_problem_options_default();
    close(mkstemp(path));
    ASSERT_OK(sp_problem_make(3, 1, &mu, G, c, &p, &err));
    ASSERT_OK(sp_problem_solve(p, &o, P, NULL, &err));
    ASSERT_OK(sp_problem_save(p, path, P, "test", &err));
    ASSERT_OK(sp_problem_load(path, &q, &err));
    assert_string_equal(sp_problem_about(q)->format, "fclib-local");
    ASSERT_OK(sp_problem_solve(q, &o, again, NULL, &err));
    for (int i = 0; i < 3; i++) {
        assert_near(again[i], P[i], 1e-14);
    }
    sp_problem_free(p);
    sp_problem_free(q);
    unlink(path);
}

/* Pushed against a wall that does not yield (G = 0): no percussion makes xi_N >= 0. */
static void what_has_no_solution_is_proved_to_have_none(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    const double mu = 0.0, G[4] = {0.0, 0.0, 0.0, 1.0}, c[2] = {-1.0, 0.0};
    double P[2];
    sp_contact_problem *p;
    sp_problem_answer a;
    const sp_problem_options o = sp_problem_options_default();
    ASSERT_OK(sp_problem_make(2, 1, &mu, G, c, &p, &err));
    ASSERT_OK(sp_problem_solve(p, &o, P, &a, &err));
    assert_int_equal(a.verdict, SP_PROBLEM_INFEASIBLE);
    sp_problem_free(p);
}

static void misuse_is_an_error_and_no_crash(void **ctx)
{
    (void)ctx;
    sp_error err = {.status = SP_OK};
    const double mu = -0.1, fine = 0.1, G[4] = {1.0, 0.0, 0.0, 1.0}, c[2] = {-1.0, 0.0};
    const double nan[2] = {NAN, 0.0};
    double P[2];
    sp_contact_problem *p;
    assert_int_equal(sp_problem_make(2, 1, &mu, G, c, &p, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "mu = -0.1"));
    assert_null(p);
    assert_int_equal(sp_problem_make(4, 1, &fine, G, c, &p, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_make(2, 0, &fine, G, c, &p, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_make(2, 1, &fine, NULL, c, &p, &err), SP_E_INPUT);
    assert_int_not_equal(sp_problem_make(2, 1, &fine, G, nan, &p, &err), SP_OK);
    assert_int_equal(sp_problem_load("/nowhere/at/all", &p, &err), SP_E_IO);
    assert_int_equal(sp_problem_load(NULL, &p, &err), SP_E_INPUT);
    ASSERT_OK(sp_problem_make(2, 1, &fine, G, c, &p, &err));
    sp_problem_options o = sp_problem_options_default(), bare = {.solver = "auto", .tol = 1e-8};
    assert_int_equal(sp_problem_solve(p, &bare, P, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_solve(p, &o, NULL, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_solve(NULL, &o, P, NULL, NULL), SP_E_INPUT);
    o.solver = "abacus";
    assert_int_equal(sp_problem_solve(p, &o, P, NULL, &err), SP_E_INPUT);
    o = sp_problem_options_default();
    o.tol = NAN;
    assert_int_equal(sp_problem_solve(p, &o, P, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_certify(p, NULL, NULL, &err), SP_E_INPUT);
    assert_int_equal(sp_problem_save(p, NULL, NULL, NULL, &err), SP_E_INPUT);
    assert_string_equal(sp_problem_solver(0, NULL), "auto");
    assert_null(sp_problem_solver(1000, NULL));
    sp_problem_free(p);
    sp_problem_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stick_or_slide_as_coulomb_says),
        cmocka_unit_test(a_problem_is_written_and_read_again),
        cmocka_unit_test(what_has_no_solution_is_proved_to_have_none),
        cmocka_unit_test(misuse_is_an_error_and_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
