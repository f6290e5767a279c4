#include "solvers/lemke.h"

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 6 };

/* Load w = A z + q into a dictionary. */
static void load(sp_lemke *l, int m, const double *A, const double *q, void *memory)
{
    sp_lemke_start(l, m, 0, memory);
    for (int i = 0; i < m; i++) {
        memcpy(l->T + i * l->ld, A + i * m, (size_t)m * sizeof *A);
        l->beta[i] = q[i];
    }
}

/* Largest violation of w = A z + q, 0 <= w perp z >= 0 by the dictionary's z. */
static double violation(const sp_lemke *l, int m, const double *A, const double *q)
{
    double worst = 0.0;
    for (int i = 0; i < m; i++) {
        double w = q[i];
        for (int j = 0; j < m; j++) {
            w += A[i * m + j] * sp_lemke_value(l, m + j);
        }
        const double z = sp_lemke_value(l, m + i);
        worst = check_worse(worst, fmax(fmax(-w, -z), fmin(w, z)));
    }
    return worst;
}

static void known_problems_are_solved(void **ctx)
{
    (void)ctx;
    void *memory = malloc(sp_lemke_bytes(3));
    sp_lemke l;
    /* [2 1; 1 2] z + (-5, -6): both active, z = (4/3, 7/3) */
    const double A[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0}, open[2] = {1.0, 0.0};
    load(&l, 2, A, q, memory);
    assert_int_equal(SP_LEMKE_SOLVED, sp_lemke_solve(&l, 1e-12, 50));
    assert_near(sp_lemke_value(&l, 2), 4.0 / 3.0, 1e-14);
    assert_near(sp_lemke_value(&l, 3), 7.0 / 3.0, 1e-14);
    load(&l, 2, A, open, memory);
    assert_int_equal(SP_LEMKE_SOLVED, sp_lemke_solve(&l, 1e-12, 50));
    assert_int_equal(0, l.pivots);
    free(memory);
}

static void a_problem_without_solution_ends_in_a_ray(void **ctx)
{
    (void)ctx;
    void *memory = malloc(sp_lemke_bytes(2));
    sp_lemke l;
    /* a body between two walls that both push: w = [1 -1; -1 1] z + (-1, -1) */
    const double A[4] = {1.0, -1.0, -1.0, 1.0}, q[2] = {-1.0, -1.0};
    load(&l, 2, A, q, memory);
    assert_int_equal(SP_LEMKE_RAY, sp_lemke_solve(&l, 1e-12, 50));
    assert_true(sp_lemke_ray(&l, 2) > 0.0);
    assert_near(sp_lemke_ray(&l, 2), sp_lemke_ray(&l, 3), 1e-14);
    free(memory);
}

/* Copositive-plus problems that can be satisfied always end in a solution; integer data make ties
 * at almost every pivot, dependent rows make them singular. */
static void degenerate_problems_do_not_cycle(void **ctx)
{
    (void)ctx;
    void *memory = malloc(sp_lemke_bytes(M));
    rng r = {11};
    long pivots = 0;
    for (int k = 0; k < 20000; k++) {
        const int m = 2 + rng_int(&r, M - 1), dof = 1 + rng_int(&r, 3);
        double W[3 * M], A[M * M], q[M], v[3];
        for (int i = 0; i < dof * m; i++) {
            W[i] = (double)(rng_int(&r, 3) - 1);
        }
        for (int d = 0; d < dof; d++) {
            v[d] = (double)(rng_int(&r, 5) - 2);
        }
        for (int i = 0; i < m; i++) { /* A = W'W, q = W'v: z = 0 reversed, feasible by -v */
            q[i] = 0.0;
            for (int d = 0; d < dof; d++) {
                q[i] += W[d * m + i] * v[d];
            }
            for (int j = 0; j < m; j++) {
                A[i * m + j] = 0.0;
                for (int d = 0; d < dof; d++) {
                    A[i * m + j] += W[d * m + i] * W[d * m + j];
                }
            }
        }
        sp_lemke l;
        load(&l, m, A, q, memory);
        assert_int_equal(SP_LEMKE_SOLVED, sp_lemke_solve(&l, 1e-11, 400));
        assert_true(violation(&l, m, A, q) < 1e-11);
        pivots += l.pivots;
    }
    printf("lemke: 20000 degenerate problems, %.2f pivots each\n", (double)pivots / 20000.0);
    free(memory);
}

static void bilateral_rows_are_held_even_if_redundant(void **ctx)
{
    (void)ctx;
    void *memory = malloc(sp_lemke_bytes(3));
    sp_lemke l;
    /* one contact and the same joint twice on one point: xi_N = P_N + P_1 + P_2 - 3, xi_F = same -
     * 1 */
    sp_lemke_start(&l, 1, 2, memory);
    for (int i = 0; i < 3; i++) {
        l.T[i * l.ld] = l.T[i * l.ld + 2] = l.T[i * l.ld + 3] = 1.0;
        l.beta[i] = i == 0 ? 1.0 : -1.0;
    }
    sp_lemke_eliminate_free(&l, 1e-11);
    assert_int_equal(1, l.pivots);
    assert_int_equal(SP_LEMKE_SOLVED, sp_lemke_solve(&l, 1e-12, 20));
    assert_near(sp_lemke_value(&l, 3) + sp_lemke_value(&l, 4), 1.0, 1e-15);
    assert_near(sp_lemke_value(&l, 0), 2.0, 1e-15); /* xi_N = 1 + 1 */
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_problems_are_solved),
        cmocka_unit_test(a_problem_without_solution_ends_in_a_ray),
        cmocka_unit_test(degenerate_problems_do_not_cycle),
        cmocka_unit_test(bilateral_rows_are_held_even_if_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
