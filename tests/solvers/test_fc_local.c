#include "solvers/fc_local.h"

#include "solvers/fc_island.h"
#include "support/check.h"

#include <string.h>

/* A random symmetric positive definite 3 x 3 matrix with spread eigenvalues, largest diagonal 1. */
static void random_block(rng *r, double *G)
{
    double A[9], largest = 0.0;
    const double spread = pow(10.0, rng_in(r, -2.0, 0.0));
    for (int k = 0; k < 9; k++) {
        A[k] = rng_in(r, -1.0, 1.0) * (k / 3 == 2 ? spread : 1.0);
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            G[3 * a + b] = a == b ? 1e-3 : 0.0;
            for (int k = 0; k < 3; k++) {
                G[3 * a + b] += A[3 * k + a] * A[3 * k + b];
            }
        }
        largest = fmax(largest, G[4 * a]);
    }
    for (int k = 0; k < 9; k++) {
        G[k] /= largest;
    }
}

/* Violation of the law from its definition, by cases. */
static double violation(double mu, const double *G, const double *b, const double *p)
{
    double u[3], worst;
    for (int a = 0; a < 3; a++) {
        u[a] = b[a] + G[3 * a] * p[0] + G[3 * a + 1] * p[1] + G[3 * a + 2] * p[2];
    }
    const double T = hypot(p[1], p[2]), slip = hypot(u[1], u[2]);
    worst = fmax(fmax(-p[0], -u[0]), fabs(p[0] * u[0]));
    worst = fmax(worst, T - mu * p[0]);
    for (int a = 1; a < 3; a++) { /* friction against slip, full where it slips */
        worst = fmax(worst, fabs(p[a] * slip + mu * p[0] * u[a]));
    }
    return worst;
}

static void random_contacts_obey_the_law(void **ctx)
{
    (void)ctx;
    rng r = {3};
    int found = 0, cases = check_cases(20000, 1000000), slips = 0;
    for (int k = 0; k < cases; k++) {
        const double mu = rng_in(&r, 0.0, 1.5);
        double G[9], stick[9], b[3], p[3] = {0.0, 0.0, 0.0};
        random_block(&r, G);
        memcpy(stick, G, sizeof G);
        assert_true(sp_fc_invert(3, stick));
        for (int a = 0; a < 3; a++) {
            b[a] = rng_in(&r, -1.0, 1.0);
        }
        if (rng_flip(&r)) { /* a start from before */
            p[0] = 1.0;
            p[1] = rng_in(&r, -1.0, 1.0);
            p[2] = rng_in(&r, -1.0, 1.0);
        }
        if (sp_fc_local(&(sp_set){.kind = SP_SET_DISC, .mu = mu}, G, stick, b, p)) {
            const double size = 1.0 + hypot(p[0], hypot(p[1], p[2]));
            assert_true(violation(mu, G, b, p) <= 1e-9 * size * size);
            found++;
            slips += p[0] > 0.0 && hypot(p[1], p[2]) > mu * p[0] * (1.0 - 1e-9);
        }
    }
    /* one contact with definite G has a solution always */
    assert_int_equal(cases, found);
    assert_true(slips > cases / 20);
}

static void a_ball_on_the_floor_has_the_closed_form(void **ctx)
{
    (void)ctx;
    const double G[9] = {1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5};
    const double stick[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0};
    const double b[3] = {-2.0, 3.0, -4.0};
    const sp_set set = sp_set_disc(0.5);
    double p[3] = {0.0, 0.0, 0.0};
    assert_int_equal(1, sp_fc_local(&set, G, stick, b, p));
    assert_near(p[0], 2.0, 1e-14);
    assert_near(p[1], -0.6, 1e-14);
    assert_near(p[2], 0.8, 1e-14);
}

static void the_other_sets_have_their_closed_forms(void **ctx)
{
    (void)ctx;
    const double G[1] = {2.0}, stick[1] = {0.5}, down[1] = {-3.0}, up[1] = {3.0};
    double p[2] = {0.0, 0.0};
    sp_set set = sp_set_free();
    sp_fc_local(&set, G, stick, up, p);
    assert_near(p[0], -1.5, 1e-15);
    set = sp_set_half_line();
    sp_fc_local(&set, G, stick, up, p);
    assert_true(p[0] == 0.0);
    sp_fc_local(&set, G, stick, down, p);
    assert_near(p[0], 1.5, 1e-15);
    set = sp_set_interval(-1.0, 1.0);
    sp_fc_local(&set, G, stick, down, p);
    assert_true(p[0] == 1.0);
    const double G2[4] = {1.0, 0.2, 0.2, 1.0}, b2[2] = {-1.0, 2.0};
    double stick2[4];
    memcpy(stick2, G2, sizeof G2);
    sp_fc_invert(2, stick2);
    set = sp_set_planar(0.5);
    sp_fc_local(&set, G2, stick2, b2, p); /* slips: p_N (1 - 0.5 * 0.2) = 1 */
    assert_near(p[0], 1.0 / 0.9, 1e-15);
    assert_near(p[1], -0.5 / 0.9, 1e-15);
}

static void a_shifted_set_is_the_plain_one_moved(void **ctx)
{
    (void)ctx;
    rng r = {4};
    for (int k = 0; k < 1000; k++) {
        double G[9], stick[9], b[3], moved[3], p[3] = {0}, z[3] = {0};
        random_block(&r, G);
        memcpy(stick, G, sizeof G);
        sp_fc_invert(3, stick);
        sp_set plain = sp_set_disc(0.4), shifted = plain;
        shifted.shifted = 1;
        for (int a = 0; a < 3; a++) {
            b[a] = rng_in(&r, -1.0, 1.0);
            shifted.shift[a] = rng_in(&r, -0.5, 0.5);
        }
        for (int a = 0; a < 3; a++) {
            moved[a] = b[a];
            for (int e = 0; e < 3; e++) {
                moved[a] += G[3 * a + e] * shifted.shift[e];
            }
            p[a] = shifted.shift[a];
        }
        assert_int_equal(1, sp_fc_local(&shifted, G, stick, b, p));
        assert_int_equal(1, sp_fc_local(&plain, G, stick, moved, z));
        for (int a = 0; a < 3; a++) {
            assert_near(p[a], z[a] + shifted.shift[a], 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_contacts_obey_the_law),
        cmocka_unit_test(a_ball_on_the_floor_has_the_closed_form),
        cmocka_unit_test(the_other_sets_have_their_closed_forms),
        cmocka_unit_test(a_shifted_set_is_the_plain_one_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
