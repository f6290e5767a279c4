/* What is found out about matrices: asymmetry, rank, islands, definiteness, against matrices whose
 * properties are known by construction. */
#include "test_problem.h"

#include "io/problem_matrix.h"

enum { N_MAX = 60 };

/* A dense matrix as a problem of n / 2 planar contacts. */
static void inspect(int n, const double *D, sp_matrix_facts *facts)
{
    sp_arena arena;
    sp_set set[N_MAX];
    int row[N_MAX];
    double c[N_MAX] = {0.0};
    sp_error err = {.status = SP_OK};
    sp_fc p = {.n_contact = n / 2, .set = set, .row = row, .c = c};
    sp_arena_init(&arena, NULL, 0);
    for (int i = 0; i < n / 2; i++) {
        set[i] = sp_set_planar(0.5);
    }
    p.n = sp_fc_rows(n / 2, set, row);
    ASSERT_OK(sp_fc_from_dense(&p, D, (size_t)n, 1, &arena, &err));
    ASSERT_OK(sp_problem_inspect(&p, 1e9, facts, &err));
    sp_arena_free(&arena);
}

/* D += B B' with B (n x k) random, on rows first .. last-1. */
static void add_gram(rng *r, int n, int first, int last, int k, double *D)
{
    for (int e = 0; e < k; e++) {
        double b[N_MAX];
        for (int i = first; i < last; i++) {
            b[i] = rng_in(r, -1.0, 1.0);
        }
        for (int i = first; i < last; i++) {
            for (int j = first; j < last; j++) {
                D[i * n + j] += b[i] * b[j];
            }
        }
    }
}

static void the_rank_of_products_is_that_of_their_factors(void **ctx)
{
    rng r = {7};
    (void)ctx;
    for (int t = 0; t < check_cases(60, 2000); t++) {
        const int n = 2 * (1 + rng_int(&r, N_MAX / 2)), split = 2 * rng_int(&r, n / 2 + 1);
        const int a = split > 0 ? 1 + rng_int(&r, split) : 0;
        const int b = n > split ? 1 + rng_int(&r, n - split) : 0;
        double D[N_MAX * N_MAX] = {0.0};
        sp_matrix_facts facts;
        add_gram(&r, n, 0, split, a, D);
        add_gram(&r, n, split, n, b, D);
        inspect(n, D, &facts);
        assert_int_equal(facts.rank, a + b);
        assert_int_equal(facts.n_island, (split > 0) + (n > split));
        assert_near(facts.asymmetry, 0.0, 0.0);
        assert_false(facts.indefinite);
        assert_true(facts.lowest > -1e-12);
    }
}

static void asymmetry_is_the_relative_size_of_the_difference(void **ctx)
{
    /* |G - G'| = 0.1 sqrt(2) in one pair; a block without its mirror image counts too */
    const double D[16] = {2.0, 0.1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                          0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double E[16] = {2.0, 0.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0,
                          0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    sp_matrix_facts facts;
    (void)ctx;
    inspect(4, D, &facts);
    assert_near(facts.asymmetry, 0.1 * sqrt(2.0) / sqrt(7.01), 1e-15);
    assert_int_equal(facts.rank, 4);
    assert_int_equal(facts.n_island, 2);
    inspect(4, E, &facts);
    assert_near(facts.asymmetry, 0.3 * sqrt(2.0) / sqrt(7.09), 1e-15);
    assert_int_equal(facts.n_island, 1);
}

static void indefinite_matrices_are_found_and_told(void **ctx)
{
    const double diagonal[4] = {1.0, 0.0, 0.0, -1e-3};
    const double minor[4] = {1.0, 2.0, 2.0, 1.0};
    const double hidden[4] = {0.0, 1.0, 1.0, 0.0};
    /* all diagonal entries 1 and all others -0.9: minors are fine, 1 - 3 * 0.9 is an eigenvalue */
    double pivot[16];
    sp_matrix_facts facts;
    (void)ctx;
    inspect(2, diagonal, &facts);
    assert_true(facts.indefinite);
    assert_holds(facts.why, "row 1 (contact 0): diagonal entry -0.001");
    inspect(2, minor, &facts);
    assert_true(facts.indefinite);
    assert_holds(facts.why, "rows 0 and 1");
    inspect(2, hidden, &facts);
    assert_true(facts.indefinite);
    for (int k = 0; k < 16; k++) {
        pivot[k] = k % 5 == 0 ? 1.0 : -0.9;
    }
    inspect(4, pivot, &facts);
    assert_true(facts.indefinite);
    assert_holds(facts.why, "pivot");
}

/* Numbers with seven digits, as many files have them, are no reason. */
static void truncated_numbers_are_not_called_indefinite(void **ctx)
{
    rng r = {11};
    (void)ctx;
    for (int t = 0; t < check_cases(60, 2000); t++) {
        double D[N_MAX * N_MAX] = {0.0};
        sp_matrix_facts facts;
        const int n = 2 * (1 + rng_int(&r, N_MAX / 2));
        add_gram(&r, n, 0, n, 1 + rng_int(&r, n), D);
        for (int k = 0; k < n * n; k++) {
            char text[32];
            snprintf(text, sizeof text, "%.6e", D[k]);
            D[k] = strtod(text, NULL);
        }
        inspect(n, D, &facts);
        assert_false(facts.indefinite);
    }
}

static void nothing_and_zeros_have_rank_zero(void **ctx)
{
    const double zero[16] = {0.0};
    sp_matrix_facts facts;
    (void)ctx;
    inspect(0, zero, &facts);
    assert_int_equal(facts.rank, 0);
    assert_int_equal(facts.n_island, 0);
    inspect(4, zero, &facts);
    assert_int_equal(facts.rank, 0);
    assert_false(facts.indefinite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rank_of_products_is_that_of_their_factors),
        cmocka_unit_test(asymmetry_is_the_relative_size_of_the_difference),
        cmocka_unit_test(indefinite_matrices_are_found_and_told),
        cmocka_unit_test(truncated_numbers_are_not_called_indefinite),
        cmocka_unit_test(nothing_and_zeros_have_rank_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
