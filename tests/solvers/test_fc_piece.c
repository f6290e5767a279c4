/* One contact in a step of Newton: what the pieces promise. */
#include "solvers/fc_piece.h"
#include "solvers/problem.h"
#include "support/check.h"

#include <string.h>

/* p = p0 + E z. */
static void expand(const sp_fc_piece *q, int dim, const double *p0, const double *z, double *p)
{
    for (int a = 0; a < dim; a++) {
        p[a] = p0[a];
        for (int e = 0; e < q->m; e++) {
            p[a] += q->E[a * q->m + e] * z[e];
        }
    }
}

static void every_guess_is_obeyed(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        rng r = {seed};
        const double mu = rng_in(&r, 0.05, 1.5), z[3] = {rng_in(&r, 0.1, 1.0), 0.0, 0.0};
        const sp_set disc = sp_set_disc(mu), plane = sp_set_planar(mu);
        double G[9] = {0.0}, p[3], u[3], p0[3], x[3];
        for (int a = 0; a < 3; a++) {
            G[4 * a] = rng_in(&r, 0.5, 2.0);
            p[a] = rng_in(&r, -1.0, 1.0);
            u[a] = rng_in(&r, -1.0, 1.0);
        }
        sp_fc_piece q;
        sp_fc_piece_choose(&disc, G, SP_OPEN, p, u, &q, p0);
        assert_int_equal(0, q.m);
        sp_fc_piece_choose(&disc, G, SP_STICK, p, u, &q, p0);
        assert_true(q.m == 3 && q.plain);
        sp_fc_piece_choose(&disc, G, SP_SLIP_POS, p, u, &q, p0);
        assert_int_equal(2, q.m);
        expand(&q, 3, p0, z, x); /* on the cone */
        assert_near(hypot(x[1], x[2]), mu * x[0], 1e-14);
        const double G2[4] = {G[0], 0.0, 0.0, G[4]};
        sp_fc_piece_choose(&plane, G2, SP_SLIP_POS, p, u, &q, p0);
        expand(&q, 2, p0, z, x);
        assert_near(x[1], -mu * x[0], 1e-15);
        sp_fc_piece_choose(&plane, G2, SP_SLIP_NEG, p, u, &q, p0);
        expand(&q, 2, p0, z, x);
        assert_near(x[1], mu * x[0], 1e-15);
    }
}

/* Newton's step is exact to first order: from a point near the solution of one contact its error
 * falls as the square. */
static void steps_are_newton_steps(void **ctx)
{
    (void)ctx;
    const sp_set disc = sp_set_disc(0.4);
    const double G[9] = {1.0, 0.1, 0.05, 0.1, 0.9, -0.1, 0.05, -0.1, 1.2};
    const double c[3] = {-1.0, 1.0, 0.7};
    double p[3] = {1.0, -0.3, -0.2}, last = 0.0;
    for (int k = 0; k < 8; k++) {
        sp_fc_piece q;
        double u[3], p0[3], A[9], b[3], next[3], change = 0.0;
        for (int a = 0; a < 3; a++) {
            u[a] = c[a] + G[3 * a] * p[0] + G[3 * a + 1] * p[1] + G[3 * a + 2] * p[2];
        }
        sp_fc_piece_choose(&disc, G, SP_STATUS_UNKNOWN, p, u, &q, p0);
        assert_int_equal(2, q.m); /* it slips */
        sp_fc_piece_reduce(&q, &q, 3, 3, G, A);
        A[3] += q.w;
        for (int e = 0; e < 2; e++) {
            b[e] = -(q.T[3 * e] * c[0] + q.T[3 * e + 1] * c[1] + q.T[3 * e + 2] * c[2]);
        }
        const double det = A[0] * A[3] - A[1] * A[2];
        const double z[2] = {(A[3] * b[0] - A[1] * b[1]) / det, (A[0] * b[1] - A[2] * b[0]) / det};
        expand(&q, 3, p0, z, next);
        for (int a = 0; a < 3; a++) {
            change = fmax(change, fabs(next[a] - p[a]));
            p[a] = next[a];
        }
        assert_true(k < 2 || change <= 1e-13 || change <= 10.0 * last * last);
        last = change;
    }
    assert_true(last < 1e-13);
    assert_near(hypot(p[1], p[2]), 0.4 * p[0], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_guess_is_obeyed),
        cmocka_unit_test(steps_are_newton_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
