/* Points and proofs of small linear problems, checked from their definition. */
#include "solvers/fc_lp.h"

#include "support/check.h"
#include "support/piles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Random A; b = A x of a hidden x >= 0, so that there is a point, or any b. */
static void draw(rng *r, int hidden, sp_fc_lp *q)
{
    q->m = 1 + rng_int(r, SP_FC_LP_ROWS);
    q->n = 1 + rng_int(r, SP_FC_LP_COLUMNS);
    for (int i = 0; i < q->m; i++) {
        q->b[i] = hidden ? 0.0 : rng_in(r, -1.0, 1.0);
    }
    for (int j = 0; j < q->n; j++) {
        const double x = rng_flip(r) ? rng_in(r, 0.0, 1.0) : 0.0;
        for (int i = 0; i < q->m; i++) {
            q->A[i][j] = rng_int(r, 4) == 0 ? 0.0 : rng_in(r, -1.0, 1.0);
            q->b[i] += hidden ? q->A[i][j] * x : 0.0;
        }
    }
}

/* What A x misses of b, at most. */
static double missed(const sp_fc_lp *q)
{
    double worst = 0.0;
    for (int i = 0; i < q->m; i++) {
        double sum = -q->b[i];
        for (int j = 0; j < q->n; j++) {
            assert_true(q->x[j] >= 0.0);
            sum += q->A[i][j] * q->x[j];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void what_has_a_point_is_given_one(void **ctx)
{
    (void)ctx;
    sp_fc_lp *q = calloc(1, sizeof *q);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        rng r = {seed};
        draw(&r, 1, q);
        assert_int_equal(SP_FC_LP_POINT, sp_fc_lp_decide(q));
        assert_true(missed(q) < 1e-6);
    }
    free(q);
}

static void what_has_none_is_given_a_proof(void **ctx)
{
    (void)ctx;
    int points = 0, proofs = 0;
    sp_fc_lp *q = calloc(1, sizeof *q);
    for (uint64_t seed = 1; seed <= 500; seed++) {
        rng r = {seed + 7000};
        draw(&r, 0, q);
        const sp_fc_lp_end end = sp_fc_lp_decide(q);
        if (end == SP_FC_LP_POINT) {
            assert_true(missed(q) < 1e-6);
            points++;
            continue;
        }
        assert_int_equal(SP_FC_LP_PROOF, end);
        double gain = 0.0, size = 0.0;
        for (int i = 0; i < q->m; i++) {
            gain += q->y[i] * q->b[i];
            size = fmax(size, fabs(q->y[i]));
        }
        for (int j = 0; j < q->n; j++) {
            double sum = 0.0;
            for (int i = 0; i < q->m; i++) {
                sum += q->y[i] * q->A[i][j];
            }
            assert_true(1e5 * sum <= gain);
        }
        assert_true(gain > 0.5e-9 * size);
        proofs++;
    }
    printf("%d points, %d proofs\n", points, proofs);
    assert_true(points > 100 && proofs > 100);
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_a_point_is_given_one),
        cmocka_unit_test(what_has_none_is_given_a_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
