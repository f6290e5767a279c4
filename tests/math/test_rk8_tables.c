/* Every order condition of the tables: for each rooted tree with r nodes sum_i b_i Phi_i = 1 /
 * gamma must hold up to the order of the weights b, [HNW93]. */
#include "math/rk8_tables.h"

#include "support/check.h"

#include <string.h>

enum { R_MAX = 9, S = SP_RK8_STAGES };

/* A rooted tree: the parent of each node, which comes before it; node 0 is the root. */
typedef struct tree {
    int n, parent[R_MAX];
} tree;

/* From levels in the order of Beyer and Hedetniemi to parents. */
static tree tree_of(int n, const int *level)
{
    tree t = {.n = n};
    for (int i = 1; i < n; i++) {
        int p = i - 1;
        while (level[p] != level[i] - 1) {
            p--;
        }
        t.parent[i] = p;
    }
    return t;
}

/* The next sequence of levels that stands for another tree; false after the last. */
static bool next_levels(int n, int *level)
{
    int p = n - 1;
    while (p > 0 && level[p] == 1) {
        p--;
    }
    if (p == 0) {
        return false;
    }
    int q = p - 1;
    while (level[q] != level[p] - 1) {
        q--;
    }
    for (int i = p; i < n; i++) {
        level[i] = level[i - (p - q)];
    }
    return true;
}

/* gamma(t), the product of the sizes of all subtrees. */
static double density(const tree *t)
{
    int size[R_MAX];
    double gamma = 1.0;
    for (int i = t->n - 1; i >= 0; i--) {
        size[i] = 1;
        for (int j = i + 1; j < t->n; j++) {
            size[i] += t->parent[j] == i ? size[j] : 0;
        }
        gamma *= size[i];
    }
    return gamma;
}

/* sum_i b_i Phi_i(t): every node but the root is a factor sum_j a_ij (...). */
static double weight(const tree *t, int n_stage, const double *b)
{
    long double phi[R_MAX][S], sum = 0.0L;
    for (int v = t->n - 1; v >= 0; v--) {
        for (int i = 0; i < n_stage; i++) {
            phi[v][i] = 1.0L;
            for (int w = v + 1; w < t->n; w++) {
                long double factor = 0.0L;
                if (t->parent[w] != v) {
                    continue;
                }
                for (int j = 0; j < i; j++) {
                    factor += (long double)SP_RK8_A[i][j] * phi[w][j];
                }
                phi[v][i] *= factor;
            }
        }
    }
    for (int i = 0; i < n_stage; i++) {
        sum += b[i] * phi[0][i];
    }
    return (double)sum;
}

/* The largest |sum b Phi - theta^r / gamma| over all trees with r nodes; counts the trees. */
static double worst_condition(int r, int n_stage, const double *b, double theta, int *n_tree)
{
    int level[R_MAX];
    double worst = 0.0;
    for (int i = 0; i < r; i++) {
        level[i] = i;
    }
    *n_tree = 0;
    do {
        const tree t = tree_of(r, level);
        worst = check_worse(worst, fabs(weight(&t, n_stage, b) - pow(theta, r) / density(&t)));
        ++*n_tree;
    } while (next_levels(r, level));
    return worst;
}

static void rows_sum_to_their_places(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < S; i++) {
        long double sum = 0.0L;
        for (int j = 0; j < S; j++) {
            sum += SP_RK8_A[i][j];
            assert_true(j < i || SP_RK8_A[i][j] == 0.0);
        }
        assert_near_scaled((double)sum, SP_RK8_C[i], 40.0, 1e-15); /* entries up to 43 cancel */
    }
}

static void weights_integrate_powers_up_to_seven(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 8; k++) {
        long double sum = 0.0L;
        for (int i = 0; i < 12; i++) {
            sum += SP_RK8_A[12][i] * powl(SP_RK8_C[i], k);
        }
        assert_near((double)sum, 1.0 / (k + 1), 2e-15);
    }
}

/* 1, 1, 2, 4, 9, 20, 48, 115 trees: 200 conditions, and not those of order 9. */
static void the_step_satisfies_all_200_conditions_of_order_eight(void **ctx)
{
    (void)ctx;
    const int known[R_MAX] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
    int all = 0, n_tree;
    for (int r = 1; r <= 8; r++) {
        const double worst = worst_condition(r, 12, SP_RK8_A[12], 1.0, &n_tree);
        assert_int_equal(n_tree, known[r - 1]);
        assert_true(worst < 2e-15);
        all += n_tree;
    }
    assert_int_equal(all, 200);
    assert_true(worst_condition(9, 12, SP_RK8_A[12], 1.0, &n_tree) > 1e-8);
    assert_int_equal(n_tree, 286);
}

static void the_embedded_solutions_have_orders_five_and_three(void **ctx)
{
    (void)ctx;
    double b5[12];
    int n_tree;
    for (int i = 0; i < 12; i++) {
        b5[i] = SP_RK8_A[12][i] - SP_RK8_E5[i];
    }
    for (int r = 1; r <= 5; r++) {
        assert_true(worst_condition(r, 12, b5, 1.0, &n_tree) < 5e-15);
        assert_true(r > 3 || worst_condition(r, 12, SP_RK8_B3, 1.0, &n_tree) < 5e-15);
    }
    assert_true(worst_condition(6, 12, b5, 1.0, &n_tree) > 1e-6);
    assert_true(worst_condition(4, 12, SP_RK8_B3, 1.0, &n_tree) > 1e-4);
}

/* Weights b_i(s) of the stages in the dense output, from the polynomial's definition. */
static void dense_weights(double s, double *b)
{
    const double r = 1.0 - s;
    for (int i = 0; i < S; i++) {
        const double B = i < 12 ? SP_RK8_A[12][i] : 0.0, first = i == 0 ? 1.0 : 0.0,
                     last = i == 12 ? 1.0 : 0.0;
        const double p[7] = {B,
                             first - B,
                             2.0 * B - first - last,
                             SP_RK8_D[0][i],
                             SP_RK8_D[1][i],
                             SP_RK8_D[2][i],
                             SP_RK8_D[3][i]};
        b[i] =
            s * (p[0] + r * (p[1] + s * (p[2] + r * (p[3] + s * (p[4] + r * (p[5] + s * p[6]))))));
    }
}

/* 85 trees at each of 16 places; one order less than the step, and no more. */
static void dense_output_satisfies_all_conditions_of_order_seven(void **ctx)
{
    (void)ctx;
    double b[S], worst_8 = 0.0;
    for (int k = 1; k <= 16; k++) {
        const double s = k / 16.0;
        int n_tree;
        dense_weights(s, b);
        for (int r = 1; r <= 7; r++) {
            assert_true(worst_condition(r, S, b, s, &n_tree) < 5e-14); /* D has entries up to 500 */
        }
        worst_8 = check_worse(worst_8, worst_condition(8, S, b, s, &n_tree));
    }
    assert_true(worst_8 > 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_sum_to_their_places),
        cmocka_unit_test(weights_integrate_powers_up_to_seven),
        cmocka_unit_test(the_step_satisfies_all_200_conditions_of_order_eight),
        cmocka_unit_test(the_embedded_solutions_have_orders_five_and_three),
        cmocka_unit_test(dense_output_satisfies_all_conditions_of_order_seven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
