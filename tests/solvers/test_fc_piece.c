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
        sp_fc_piece_reduce(&q, &q, 3, 3, G, A, 2);
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

/* T_i G E_j of all pairs of pieces, in rows that stand apart, against the plain triple sum. */
static void blocks_are_reduced_by_the_pieces_of_both(void **ctx)
{
    (void)ctx;
    const unsigned char said[3] = {SP_STICK, SP_SLIP_POS, SP_SLIP_NEG};
    rng r = {8};
    for (int k = 0; k < 2000; k++) {
        sp_fc_piece q[2];
        int dim[2];
        double own[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, G[9], B[3 * 5];
        for (int side = 0; side < 2; side++) {
            const int kind = rng_int(&r, 3);
            /* without friction a slip has one unknown */
            const double mu = rng_int(&r, 4) ? rng_in(&r, 0.1, 1.0) : 0.0;
            const sp_set s = kind == 0   ? sp_set_disc(mu)
                             : kind == 1 ? sp_set_planar(mu)
                                         : sp_set_half_line();
            const double p[3] = {1.0, rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0)};
            const double u[3] = {-1.0, rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0)};
            double p0[3];
            dim[side] = sp_set_dim(&s);
            sp_fc_piece_choose(&s, own, rng_flip(&r) ? said[rng_int(&r, 3)] : SP_STATUS_UNKNOWN, p,
                               u, &q[side], p0);
        }
        for (int e = 0; e < 9; e++) {
            G[e] = rng_in(&r, -1.0, 1.0);
        }
        memset(B, 0, sizeof B);
        sp_fc_piece_reduce(&q[0], &q[1], dim[0], dim[1], G, B, 5);
        for (int a = 0; a < 3; a++) {
            for (int e = 0; e < 5; e++) {
                double sum = 0.0;
                for (int f = 0; f < dim[0] * dim[1] && a < q[0].m && e < q[1].m; f++) {
                    sum += q[0].T[a * dim[0] + f / dim[1]] * G[f] * q[1].E[f % dim[1] * q[1].m + e];
                }
                assert_near(B[5 * a + e], sum, 1e-15 * 9.0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_guess_is_obeyed),
        cmocka_unit_test(steps_are_newton_steps),
        cmocka_unit_test(blocks_are_reduced_by_the_pieces_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
