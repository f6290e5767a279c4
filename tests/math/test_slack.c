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

/* x of the n x n system A x = b by elimination; false if it is as good as singular. */
static bool solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k; i < n; i++) {
            row = fabs(A[i * n + k]) > fabs(A[row * n + k]) ? i : row;
        }
        if (!(fabs(A[row * n + k]) > 1e-10)) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            double *a = j < n ? &A[k * n + j] : &b[k], *c = j < n ? &A[row * n + j] : &b[row];
            const double swap = *a;
            *a = *c;
            *c = swap;
        }
        for (int i = 0; i < n; i++) {
            const double l = i != k ? A[i * n + k] / A[k * n + k] : 0.0;
            for (int j = k; j < n && l != 0.0; j++) {
                A[i * n + j] -= l * A[k * n + j];
            }
            b[i] -= l * b[k];
        }
    }
    for (int k = 0; k < n; k++) {
        b[k] /= A[k * n + k];
    }
    return true;
}

/* The margin by all vertices: k + 1 of the m inequalities and s <= cap bind. */
static double by_vertices(int m, int k, const double *B, const double *b, double cap)
{
    double best = -INFINITY;
    for (unsigned set = 0; set < 1u << (m + 1); set++) {
        double A[(K + 1) * (K + 1)], x[K + 1];
        int n = 0;
        for (int i = 0; i <= m && n <= k + 1; i++) {
            if (!(set >> i & 1)) {
                continue;
            }
            for (int j = 0; n <= k && j <= k; j++) { /* s - (B z)_i = b_i, or s = cap */
                A[n * (k + 1) + j] = j == k ? 1.0 : i < m ? -B[i * k + j] : 0.0;
                x[n] = i < m ? b[i] : cap;
            }
            n++;
        }
        if (n == k + 1 && solve(k + 1, A, x)) {
            best = fmax(best, margin_at(m, k, B, b, cap, x));
        }
    }
    return best;
}

/* Forces of a chain whose links lie straight on three rough places but for 1e-5 rad, with dry
 * friction in its hinges: friction along is shared with hardly any effect on normal forces.  Pivots
 * of 1e-11 made these margins -0.19 and -634.   theory (53.4) */
static void rows_that_are_nearly_alike_have_their_margin(void **ctx)
{
    (void)ctx;
    enum { ROWS = 14 };
    const double e = 1.00791e-05, f = 3.80727e-05;
    const double B[ROWS * K] = {
        -3.44318, 0,         -0.175633, e,        3.44318,  0,         -0.175633, e,
        1.51887,  0,         0.0881685, 1.518863, -1.51887, 0,         0.0881685, -1.518873,
        0,        0,         -0.312142, -2.51027, 0,        0,         -0.312142, 2.510305,
        0,        0.769917,  0,         0,        0,        -0.769917, 0,         0,
        0,        1,         0,         0,        0,        -1,        0,         0,
        0,        0,         1,         0,        0,        0,         -1,        0,
        7 * f,    -0.638143, 0.663434,  -f,       -7 * f,   0.638143,  -0.663434, f};
    rng r = {11};
    double work[512];
    assert_true(sp_slack_work(ROWS, K) <= 512);
    for (int n = 0; n < check_cases(20, 300); n++) {
        double b[ROWS] = {0.2945556, 0.2947412, 0.1623235,  0.1622918, 0.2557269,
                          0.255644,  1.07752,   0.38922,    1.244066,  1.952652,
                          0.4531758, 0.2412659, -0.0872114, 0.192745};
        double z[K];
        for (int i = 0; i < ROWS; i++) {
            b[i] += n > 0 ? rng_in(&r, -0.3, 0.3) : 0.0;
        }
        const double most = sp_slack_most(ROWS, K, B, b, 1.0, z, work);
        assert_near(most, by_vertices(ROWS, K, B, b, 1.0), 1e-10);
        assert_near(margin_at(ROWS, K, B, b, 1.0, z), most, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_better_than_the_margin_found),
        cmocka_unit_test(known_margins),
        cmocka_unit_test(rows_that_are_nearly_alike_have_their_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
