/* The nearest point of a polyhedron against a search through all sets of inequalities that may hold
 * with equality, and against the largest margin where there is none. */
#include "math/least_point.h"
#include "math/slack.h"
#include "support/check.h"

#include <string.h>

enum { M = 9, K = 4 };

static double value(int k, const double *B, double b, const double *x)
{
    double sum = b;
    for (int j = 0; j < k; j++) {
        sum += B[j] * x[j];
    }
    return sum;
}

/* Solve A y = y (n x n) by elimination with row exchanges; false: singular. */
static bool eliminate(int n, double A[K][K], double *y)
{
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int i = c; i < n; i++) {
            p = fabs(A[i][c]) > fabs(A[p][c]) ? i : p;
        }
        if (fabs(A[p][c]) < 1e-9) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            const double a = A[c][j];
            A[c][j] = A[p][j];
            A[p][j] = a;
        }
        const double v = y[c];
        y[c] = y[p];
        y[p] = v;
        for (int i = 0; i < n; i++) {
            const double l = i == c ? 0.0 : A[i][c] / A[c][c];
            for (int j = c; j < n && l != 0.0; j++) {
                A[i][j] -= l * A[c][j];
            }
            y[i] -= l * y[c];
        }
    }
    for (int i = 0; i < n; i++) {
        y[i] /= A[i][i];
    }
    return true;
}

/* The nearest point on which all inequalities of the set hold with equality; false: none. */
static bool on_set(int k, const double *B, const double *b, int n, const int *set, double *x)
{
    double A[K][K], u[K];
    for (int i = 0; i < n; i++) {
        u[i] = -b[set[i]];
        for (int j = 0; j < n; j++) {
            A[i][j] = value(k, B + set[i] * k, 0.0, B + set[j] * k);
        }
    }
    if (!eliminate(n, A, u)) {
        return false;
    }
    for (int j = 0; j < k; j++) {
        x[j] = 0.0;
        for (int i = 0; i < n; i++) {
            x[j] += u[i] * B[set[i] * k + j];
        }
    }
    return true;
}

/* The least length of all points of the polyhedron that are nearest on some set; INFINITY: none. */
static double search(int m, int k, const double *B, const double *b, double *best)
{
    double least = INFINITY;
    for (int bits = 0; bits < 1 << m; bits++) {
        int set[M], n = 0;
        double x[K];
        for (int i = 0; i < m; i++) {
            if (bits >> i & 1) {
                set[n++] = i;
            }
        }
        bool inside = n <= k && on_set(k, B, b, n, set, x);
        for (int i = 0; i < m && inside; i++) {
            inside = value(k, B + i * k, b[i], x) >= -1e-10;
        }
        const double length = inside ? sqrt(value(k, x, 0.0, x)) : INFINITY;
        if (length < least) {
            least = length;
            memcpy(best, x, sizeof x);
        }
    }
    return least;
}

static void random_polyhedron(rng *r, int m, int k, double *B, double *b)
{
    for (int i = 0; i < m; i++) {
        const int twin = i > 0 && rng_int(r, 6) == 0; /* opposite, or the same again */
        b[i] = rng_in(r, -0.7, 1.0);
        for (int j = 0; j < k; j++) {
            B[i * k + j] = twin ? (i % 2 ? -1.0 : 1.0) * B[(i - 1) * k + j]
                                : (rng_int(r, 4) == 0 ? 0.0 : rng_in(r, -1.0, 1.0));
        }
    }
}

static void no_point_of_the_polyhedron_is_nearer(void **ctx)
{
    (void)ctx;
    rng r = {11};
    int found = 0, empty = 0;
    for (int n = 0; n < check_cases(2000, 50000); n++) {
        const int m = 1 + rng_int(&r, M), k = 1 + rng_int(&r, K);
        double B[M * K], b[M], x[K], best[K], z[K], work[512], slack[512];
        assert_true(sp_least_point_bytes(m, k) <= sizeof work && sp_slack_work(m, k) <= 512);
        random_polyhedron(&r, m, k, B, b);
        const double margin = sp_slack_most(m, k, B, b, 1.0, z, slack);
        const bool is = sp_least_point(m, k, B, b, x, work);
        if (fabs(margin) < 1e-9) {
            continue; /* on the edge of being empty: either is right */
        }
        assert_true(is == (margin > 0.0));
        found += is;
        empty += !is;
        if (is) {
            const double least = search(m, k, B, b, best);
            for (int i = 0; i < m; i++) {
                assert_true(value(k, B + i * k, b[i], x) >= -1e-13 * (1.0 + least));
            }
            for (int j = 0; j < k; j++) {
                assert_near(x[j], best[j], 1e-7 * (1.0 + least));
            }
            assert_near(sqrt(value(k, x, 0.0, x)), least, 1e-11 * (1.0 + least));
        }
    }
    print_message("%d found, %d empty\n", found, empty);
    assert_true(found > 500 && empty > 100);
}

/* Nothing is broken at the origin: it is the point, to the bit; none at all; a corner by hand. */
static void known_points(void **ctx)
{
    (void)ctx;
    const double B[4] = {1.0, 0.0, 1.0, 1.0}, free[2] = {0.0, 0.5}, corner[2] = {-1.0, -3.0};
    const double apart[2] = {1.0, -1.0}, b[2] = {-1.0, -1.0};
    double x[2], work[64];
    assert_true(sp_least_point(2, 2, B, free, x, work));
    assert_true(x[0] == 0.0 && x[1] == 0.0);
    assert_true(sp_least_point(2, 2, B, corner, x, work)); /* x >= 1, x + y >= 3 */
    assert_near(x[0], 1.5, 1e-15);
    assert_near(x[1], 1.5, 1e-15);
    assert_false(sp_least_point(2, 1, apart, b, x, work)); /* x >= 1, x <= -1 */
    assert_true(x[0] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_of_the_polyhedron_is_nearer),
        cmocka_unit_test(known_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
