
#include "random_ball.h"
#include "solvers/fc_island.h"
#include "solvers/fc_local.h"

#include <stdio.h>
#include <string.h>

enum { DIM = SP_SET_DIM_MAX };

/* A random symmetric positive definite matrix, its rows of different size. */
static void random_block(rng *r, int dim, double *G)
{
    double A[DIM * DIM], row[DIM];
    for (int k = 0; k < dim * dim; k++) {
        A[k] = rng_in(r, -1.0, 1.0);
    }
    for (int a = 0; a < dim; a++) {
        row[a] = a < 3 ? 1.0 : pow(10.0, rng_in(r, -1.5, 0.5));
    }
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < dim; b++) {
            double sum = a == b ? 1e-2 : 0.0;
            for (int k = 0; k < dim; k++) {
                sum += A[k * dim + a] * A[k * dim + b];
            }
            G[a * dim + b] = row[a] * row[b] * sum;
        }
    }
}

/* u = G p + b. */
static void velocity(int dim, const double *G, const double *b, const double *p, double *u)
{
    for (int a = 0; a < dim; a++) {
        u[a] = b[a];
        for (int e = 0; e < dim; e++) {
            u[a] += G[a * dim + e] * p[e];
        }
    }
}

static void random_contacts_obey_the_law(void **ctx)
{
    (void)ctx;
    rng r = {3};
    const int cases = check_cases(6000, 400000);
    int found = 0, slips = 0, sticks = 0;
    double worst = 0.0;
    for (int k = 0; k < cases; k++) {
        const sp_set s = random_ball(&r, k % 6);
        const int dim = sp_set_dim(&s);
        double G[DIM * DIM], b[DIM], p[DIM] = {0.0}, u[DIM], size = 1.0;
        random_block(&r, dim, G);
        for (int a = 0; a < dim; a++) {
            b[a] = rng_in(&r, -1.0, 1.0);
            p[a] = rng_flip(&r) ? rng_in(&r, 0.0, 1.0) : 0.0; /* a start from before */
        }
        const int ok = sp_fc_local_ball(&s, G, b, p);
        found += ok;
        if (!ok) {
            continue;
        }
        velocity(dim, G, b, p, u);
        for (int a = 0; a < dim; a++) {
            size = fmax(size, fabs(p[a]));
        }
        worst = fmax(worst, ball_violation(&s, p, u) / (size * size));
        const double slip = fmax(fabs(u[1]), fabs(u[2]));
        slips += p[0] > 0.0 && slip > 1e-9;
        sticks += p[0] > 0.0 && slip <= 1e-9;
    }
    printf("%d of %d found, %d slip, %d stick, worst violation %.1e\n", found, cases, slips, sticks,
           worst);
    assert_int_equal(cases, found);
    assert_true(worst <= 1e-11);
    assert_true(slips > cases / 10 && sticks > cases / 50);
}

static void a_spot_without_radius_is_a_disc(void **ctx)
{
    (void)ctx;
    rng r = {4};
    for (int k = 0; k < 2000; k++) {
        const double mu = rng_in(&r, 0.0, 1.0);
        const sp_set point = sp_set_contensou(mu, SP_PRESSURE_UNIFORM, 0.0, 0.0);
        const sp_set round_ = sp_set_ellipse(mu, mu), disc = sp_set_disc(mu);
        double G[16] = {0.0}, G3[9], stick[9], b[4] = {0.0, 0.0, 0.0, 0.3};
        random_block(&r, 3, G3);
        for (int a = 0; a < 3; a++) {
            b[a] = rng_in(&r, -1.0, 1.0);
            for (int e = 0; e < 3; e++) {
                G[4 * a + e] = G3[3 * a + e];
            }
        }
        G[15] = 1.0;
        memcpy(stick, G3, sizeof stick);
        assert_true(sp_fc_invert(3, stick));
        double p[4] = {0.0}, q[3] = {0.0}, e[3] = {0.0};
        assert_true(sp_fc_local(&point, G, NULL, b, p));
        assert_true(sp_fc_local(&disc, G3, stick, b, q));
        assert_true(sp_fc_local(&round_, G3, stick, b, e));
        assert_true(p[3] == 0.0);
        /* slip in a fixed direction of a cone may have several solutions only for large mu G_NT */
        double u[3];
        velocity(3, G3, b, p, u);
        const double at_p = ball_violation(&round_, p, u);
        assert_true(at_p < 1e-11);
        velocity(3, G3, b, e, u);
        assert_true(ball_violation(&round_, e, u) < 1e-11);
        if (mu < 0.2) {
            for (int a = 0; a < 3; a++) {
                assert_near(p[a], q[a], 1e-10);
                assert_near(e[a], q[a], 1e-10);
            }
        }
    }
}

/* A ball that presses with 1, slides with v and spins, rows decoupled: the force of the law at the
 * velocities that remain. */
static void decoupled_rows_give_the_law_itself(void **ctx)
{
    (void)ctx;
    rng r = {5};
    for (int k = 0; k < 500; k++) {
        const double mu = 0.4, R = rng_in(&r, 0.2, 2.0), light = rng_in(&r, 0.1, 3.0);
        const sp_set s = sp_set_contensou(mu, SP_PRESSURE_HERTZ, R, 0.0);
        const double G[16] = {1.0, 0.0, 0.0,   0.0, 0.0, light, 0.0, 0.0,
                              0.0, 0.0, light, 0.0, 0.0, 0.0,   0.0, light};
        const double b[4] = {-1.0, rng_in(&r, 2.0, 5.0), 0.0, rng_in(&r, 2.0, 9.0)};
        double p[4] = {0.0}, u[4];
        assert_true(sp_fc_local_ball(&s, G, b, p));
        velocity(4, G, b, p, u);
        assert_near(p[0], 1.0, 1e-14);
        const double x[4] = {1.0, -1e9 * u[1], 0.0, -1e9 * u[3]};
        double y[4];
        memcpy(y, x, sizeof y);
        sp_set_project(&s, y); /* the boundary point of normal -u */
        assert_near(p[1], y[1], 1e-8);
        assert_near(p[3], y[3], 1e-8);
    }
}

static void adhesive_contacts_hang(void **ctx)
{
    (void)ctx;
    const sp_set s = sp_set_adhere(sp_set_contensou(0.5, SP_PRESSURE_UNIFORM, 1.0, 0.0), 2.0);
    const double G[16] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                          0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    double hang[4] = {1.5, 0.1, 0.0, 0.0}, tear[4] = {2.5, 0.1, 0.0, 0.0};
    double p[4] = {0.0}, q[4] = {0.0};
    assert_true(sp_fc_local(&s, G, NULL, hang, p));
    assert_true(sp_fc_local(&s, G, NULL, tear, q));
    assert_near(p[0], -1.5, 1e-15); /* bears the pull, and sticks by the friction of what is left */
    assert_near(p[1], -0.1, 1e-15);
    assert_near(q[0], -2.0, 1e-15); /* the pull is larger than adhesion: it opens */
    assert_near(q[1], 0.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_contacts_obey_the_law),
        cmocka_unit_test(a_spot_without_radius_is_a_disc),
        cmocka_unit_test(decoupled_rows_give_the_law_itself),
        cmocka_unit_test(adhesive_contacts_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
