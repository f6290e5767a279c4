#include "solvers/fc_island.h"
#include "solvers/fc_method.h"
#include "solvers/fc_residual.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

/* A stack with its arena. */
static sp_fc_stack new_stack(void)
{
    sp_fc_stack s;
    memset(&s, 0, sizeof s);
    sp_arena_init(&s.arena, NULL, 0);
    return s;
}

static void contacts_fall_into_their_islands(void **ctx)
{
    (void)ctx;
    /* 0-3, 1-4-2, 5 alone */
    const int start[7] = {0, 2, 4, 6, 8, 11, 12};
    const int column[12] = {0, 3, 1, 4, 2, 4, 3, 0, 4, 1, 2, 5};
    const sp_fc_matrix G = {start, column, NULL, NULL};
    int parent[6], order[6], first[7], local[6];
    assert_int_equal(3, sp_fc_islands(&G, 6, parent, order, first, local));
    const int expected[6] = {0, 3, 1, 2, 4, 5}, bounds[4] = {0, 2, 5, 6};
    assert_memory_equal(expected, order, sizeof expected);
    assert_memory_equal(bounds, first, sizeof bounds);
    for (int k = 0; k < 3; k++) {
        for (int m = first[k]; m < first[k + 1]; m++) {
            assert_int_equal(m - first[k], local[order[m]]);
        }
    }
}

static void a_one_sided_coupling_couples(void **ctx)
{
    (void)ctx;
    const int start[3] = {0, 1, 3}, column[3] = {0, 1, 0};
    const sp_fc_matrix G = {start, column, NULL, NULL};
    int parent[2], order[2], first[3], local[2];
    assert_int_equal(1, sp_fc_islands(&G, 2, parent, order, first, local));
}

static void the_error_of_an_island_is_the_residual_of_the_problem(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        const int nc = a.p.n_contact;
        int all[8];
        double rho[8], terms[8], xi[24], u[24], p[24], c2 = 0.0, scaled, fclib;
        for (int i = 0; i < nc; i++) {
            all[i] = i;
        }
        for (int k = 0; k < a.p.n; k++) {
            a.P[k] = rng_in(&r, -0.5, 1.0);
            c2 += a.p.c[k] * a.p.c[k];
        }
        sp_fc_velocity(&a.p, a.P, xi, NULL);
        int diag[8];
        const double worth = sp_fc_scales(&a.p, rho, diag);
        sp_fc_velocity_terms(&a.p, a.P, xi, terms, NULL);
        sp_fc_residuals(&a.p, a.P, xi, terms, rho, worth, &scaled, &fclib);
        sp_fc_stack stack = new_stack();
        sp_fc_island l;
        assert_int_equal(1, sp_fc_island_take(&a.p, nc, all, all, worth, &stack, &l));
        for (int k = 0; k < a.p.n; k++) {
            p[k] = a.P[k] / l.d[k / 3];
        }
        sp_fc_goal g = {.measure = SP_FC_SCALED, .tol = 1e-10, .c_norm = sqrt(c2), .effort = 1.0};
        assert_near(sp_fc_island_judge(&l, &g, p, u), scaled, 1e-9);
        g.measure = SP_FC_FCLIB;
        assert_near(sp_fc_island_judge(&l, &g, p, u), fclib, 1e-9);
        for (int k = 0; k < a.p.n; k++) {
            assert_near_scaled(u[k], l.d[k / 3] * xi[k], fabs(u[k]) + 1.0, 1e-10);
        }
        sp_arena_free(&stack.arena);
        pile_free(&a);
    }
}

static void a_feasible_island_has_no_proof_of_the_contrary(void **ctx)
{
    (void)ctx;
    int proofs = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        int all[8];
        double y[24];
        for (int i = 0; i < a.p.n_contact; i++) {
            all[i] = i;
        }
        sp_fc_stack stack = new_stack();
        sp_fc_island l;
        sp_fc_island_take(&a.p, a.p.n_contact, all, all, 1.0, &stack, &l);
        sp_fc_goal g = {.measure = SP_FC_SCALED, .tol = 1e-10, .c_norm = 1.0, .effort = 0.1};
        const int proved = sp_fc_infeasible(&l, &g, y, &stack);
        assert_false(proved && a.consistent);
        proofs += proved;
        sp_arena_free(&stack.arena);
        pile_free(&a);
    }
    assert_true(proofs <= 2);
}

static void the_stack_gives_back_what_was_taken(void **ctx)
{
    (void)ctx;
    sp_fc_stack s = new_stack();
    double *a = SP_TAKE(&s, double, 10);
    const sp_fc_mark mark = sp_fc_note(&s);
    double *b = SP_TAKE(&s, double, 100000), *c = SP_TAKE(&s, double, 10);
    assert_true(a && b && c && (size_t)b % 32 == 0 && (size_t)c % 32 == 0);
    sp_fc_release(&s, mark);
    const size_t bytes = s.arena.bytes;
    assert_non_null(SP_TAKE(&s, double, 100000));
    assert_true(bytes == s.arena.bytes); /* nothing new */
    assert_null(sp_fc_take(&s, (size_t)-1 / 2, 8));
    assert_int_equal(1, s.failed);
    sp_arena_free(&s.arena);
}

static void small_matrices_are_inverted_or_refused(void **ctx)
{
    (void)ctx;
    rng r = {8};
    for (int k = 0; k < 300; k++) {
        const int dim = 1 + k % 3;
        double A[9], B[9];
        for (int e = 0; e < dim * dim; e++) {
            A[e] = B[e] = rng_in(&r, -1.0, 1.0) + (e % (dim + 1) == 0 ? 2.0 : 0.0);
        }
        assert_int_equal(1, sp_fc_invert(dim, B));
        for (int e = 0; e < dim * dim; e++) {
            double sum = 0.0;
            for (int m = 0; m < dim; m++) {
                sum += A[e / dim * dim + m] * B[m * dim + e % dim];
            }
            assert_near(sum, e / dim == e % dim ? 1.0 : 0.0, 1e-13);
        }
    }
    double zero[9] = {0}, twice[4] = {1.0, 2.0, 2.0, 4.0};
    assert_int_equal(0, sp_fc_invert(3, zero));
    assert_int_equal(0, sp_fc_invert(2, twice));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_fall_into_their_islands),
        cmocka_unit_test(a_one_sided_coupling_couples),
        cmocka_unit_test(the_error_of_an_island_is_the_residual_of_the_problem),
        cmocka_unit_test(a_feasible_island_has_no_proof_of_the_contrary),
        cmocka_unit_test(the_stack_gives_back_what_was_taken),
        cmocka_unit_test(small_matrices_are_inverted_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
