/* Rigid bodies: arms from rows, and sweeps that stay at solutions. */
#include "solvers/fc_pile.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

static sp_fc_stack new_stack(void)
{
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    return stack;
}

/* What other methods find with G is a fixed point of the sweeps over bodies that are no spheres. */
static void a_solution_with_g_stays_in_a_sweep(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(3, 3, 0.3, 5, 0);
    const size_t n = (size_t)a.p.n;
    double *P = calloc(n, sizeof *P), size = 0.0;
    ((double *)(size_t)a.p.F.M_inv)[a.p.F.inverse[0] + 21] *= 1.2; /* no spheres */
    sp_fc with_G = a.p;
    sp_fc_work w = {0};
    sp_fc_solution s = {.P = a.P, .status = a.status};
    assert_int_equal(SP_OK, sp_fc_form(&with_G, &a.arena, NULL));
    assert_int_equal(SP_OK, sp_fc_solve(&with_G, &(sp_fc_options){.tol = 1e-11}, &s, &w, NULL));
    sp_fc_work_free(&w);
    sp_fc_stack stack = new_stack();
    sp_fc_pile q;
    assert_int_equal(1, sp_fc_pile_build(&a.p, 1, &stack, &q));
    assert_true(q.rigid != NULL);
    double *x = aligned_alloc(64, ((size_t)q.n_four * 12 * sizeof *x + 63) & ~(size_t)63);
    sp_fc_pile_enter(&q, a.P, x);
    sp_fc_pile_gather(&q, x);
    for (int c = 0; c < q.n_colour; c++) {
        sp_fc_pile_sweep(&q, q.colour[c], q.colour[c + 1], x);
    }
    sp_fc_pile_leave(&q, x, P);
    for (size_t k = 0; k < n; k++) {
        size = fmax(size, fabs(P[k]));
    }
    assert_true(size > 0.0);
    for (size_t k = 0; k < n; k++) {
        assert_near_scaled(P[k], a.P[k], size, 1e-9);
    }
    free(P), free(x);
    sp_arena_free(&stack.arena);
    pile_free(&a);
}

static void arms_are_found_and_others_refused(void **ctx)
{
    (void)ctx;
    int found = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = {seed};
        pile a = pile_random(&r); /* arms over some decades, frames at random */
        double *H = (double *)(size_t)a.p.F.H;
        for (int i = 0; i < a.p.n_contact; i++) {
            double arm[2][3];
            assert_int_equal(1, sp_fc_rigid_arms(&a.p, i, arm));
            for (int side = 0; side < a.p.F.start[i + 1] - a.p.F.start[i]; side++) {
                const double *row = H + a.p.F.at[a.p.F.start[i] + side];
                for (int e = 0; e < 3; e++) { /* moment = arm x direction */
                    const double *d = row + 6 * e, *m = d + 3, *x = arm[side];
                    assert_near(m[0], x[1] * d[2] - x[2] * d[1], 1e-13);
                    assert_near(m[1], x[2] * d[0] - x[0] * d[2], 1e-13);
                    assert_near(m[2], x[0] * d[1] - x[1] * d[0], 1e-13);
                }
                found++;
            }
            H[a.p.F.at[a.p.F.start[i]] + 4] += 0.01;
            assert_int_equal(0, sp_fc_rigid_arms(&a.p, i, arm));
            H[a.p.F.at[a.p.F.start[i]] + 4] -= 0.01;
        }
        sp_fc_inertia J;
        assert_int_equal(1, sp_fc_rigid_inertia(&a.p, 0, J));
        assert_near(J[0], a.p.F.M_inv[a.p.F.inverse[0]], 0.0);
        ((double *)(size_t)a.p.F.M_inv)[a.p.F.inverse[0] + 4] =
            1e-3; /* spin and velocity coupled */
        assert_int_equal(0, sp_fc_rigid_inertia(&a.p, 0, J));
        pile_free(&a);
    }
    assert_true(found > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solution_with_g_stays_in_a_sweep),
        cmocka_unit_test(arms_are_found_and_others_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
