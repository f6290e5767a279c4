/* The largest margin against the conditions that prove it: z has that margin, and the inequalities
 * that bind it have weights that show no z has more. */
#include "math/slack.h"
#include "support/check.h"

#include <stdlib.h>

enum { M = 12, K = 4 };

static double margin_at(int m, int k, const double *B, const double *b, double cap, const double *z)
{
    double least = cap;
    for (int i = 0; i < m; i++) {
        double s = b[i];
        for (int j = 0; j < k; j++) {
            s += B[i * k + j] * z[j];
        }
        least = s < least ? s : least;
    }
    return least;
}

/* Ascent by small random moves, which finds nothing better. */
static void nothing_is_better_than_the_margin_found(void **ctx)
{
    (void)ctx;
    rng r = {7};
    double work[512];
    for (int n = 0; n < check_cases(300, 20000); n++) {
        const int m = 1 + rng_int(&r, M), k = 1 + rng_int(&r, K);
        double B[M * K], b[M], z[K], other[K];
        assert_true(sp_slack_work(m, k) <= 512);
        for (int i = 0; i < m; i++) {
            b[i] = rng_in(&r, -1.0, 1.0);
            for (int j = 0; j < k; j++) {
                B[i * k + j] = rng_int(&r, 4) == 0 ? 0.0 : rng_in(&r, -1.0, 1.0);
            }
        }
        const double most = sp_slack_most(m, k, B, b, 2.0, z, work);
        assert_near(margin_at(m, k, B, b, 2.0, z), most, 1e-9); /* bases may be nearly singular */
        for (int trial = 0; trial < 200; trial++) {
            const double size = pow(10.0, rng_in(&r, -4.0, 1.0));
            for (int j = 0; j < k; j++) {
                other[j] = z[j] + size * rng_in(&r, -1.0, 1.0);
            }
            assert_true(margin_at(m, k, B, b, 2.0, other) <= most + 1e-10);
        }
    }
}

/* x >= 1 and x <= -1 miss each other by one; x >= -1 alone has no end. */
static void known_margins(void **ctx)
{
    (void)ctx;
    const double apart[2] = {1.0, -1.0}, b[2] = {-1.0, -1.0}, one[1] = {1.0}, c[1] = {1.0};
    double z[1], work[64];
    assert_near(sp_slack_most(2, 1, apart, b, 5.0, z, work), -1.0, 1e-14);
    assert_near(z[0], 0.0, 1e-14);
    assert_near(sp_slack_most(1, 1, one, c, 5.0, z, work), 5.0, 1e-14);
    assert_true(z[0] >= 4.0 - 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_better_than_the_margin_found),
        cmocka_unit_test(known_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
