#include "solvers/fc_pile.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Solve a pile with this solver and number of threads. */
static sp_status solve(const pile *a, const char *solver, int threads, double tol,
                       sp_fc_solution *s)
{
    sp_fc_work w;
    sp_fc_options o;
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    memset(s, 0, sizeof *s);
    o.solver = solver;
    o.measure = SP_FC_FCLIB;
    o.tol = tol;
    o.threads = threads;
    s->P = a->P;
    s->status = a->status;
    const sp_status end = sp_fc_solve(&a->p, &o, s, &w, NULL);
    sp_fc_work_free(&w);
    return end;
}

static void a_thousand_contacts_are_solved_without_g(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 3; k++) {
        const double mu[3] = {0.1, 0.3, 0.8};
        pile a = pile_spheres(4, 3, mu[k], 1 + (uint64_t)k, 0);
        sp_fc_solution s;
        assert_true(a.p.n_contact > 900);
        assert_int_equal(SP_OK, solve(&a, "pile", 1, 1e-6, &s));
        assert_true(s.residual_fclib <= 1e-6);
        printf("%d contacts, mu %g: %ld sweeps\n", a.p.n_contact, mu[k], s.sweeps);
        /* the same number from G, formed now */
        sp_fc q = a.p;
        assert_int_equal(SP_OK, sp_fc_form(&q, &a.arena, NULL));
        double *xi = malloc((size_t)q.n * sizeof *xi), *xi2 = malloc((size_t)q.n * sizeof *xi);
        double *scratch = malloc(2 * sizeof *scratch * (size_t)q.F.dof[q.F.n_body]);
        sp_fc_velocity(&q, a.P, xi, NULL);
        sp_fc_velocity(&a.p, a.P, xi2, scratch);
        for (int e = 0; e < q.n; e++) {
            assert_near_scaled(xi[e], xi2[e], 0.01, 1e-10);
        }
        free(xi), free(xi2), free(scratch);
        pile_free(&a);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(4, 4, 0.3, 5, 0); /* several blocks of sums */
    const size_t bytes = (size_t)a.p.n * sizeof(double);
    double *P = malloc(bytes);
    sp_fc_solution one, more;
    assert_int_equal(SP_OK, solve(&a, "pile", 1, 1e-7, &one));
    memcpy(P, a.P, bytes);
    for (int threads = 2; threads <= 4; threads++) {
        memset(a.P, 0, bytes);
        assert_int_equal(SP_OK, solve(&a, "pile", threads, 1e-7, &more));
        assert_memory_equal(P, a.P, bytes);
        assert_int_equal((int)one.sweeps, (int)more.sweeps);
    }
    free(P);
    pile_free(&a);
}

static void contacts_of_one_colour_share_no_body(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(5, 3, 0.3, 6, 0);
    sp_fc_stack stack;
    memset(&stack, 0, sizeof stack);
    sp_arena_init(&stack.arena, NULL, 0);
    sp_fc_pile q;
    assert_int_equal(1, sp_fc_pile_build(&a.p, 1, &stack, &q));
    int *last = malloc(sizeof *last * (size_t)a.n_body), *there = calloc((size_t)q.n_contact, 4);
    for (int b = 0; b < a.n_body; b++) {
        last[b] = -1;
    }
    for (int c = 0; c < q.n_colour; c++) {
        for (int k = 4 * q.colour[c]; k < 4 * q.colour[c + 1]; k++) {
            const int l = k % 4, contact = q.more[k / 4].contact[l];
            if (contact < 0) {
                continue;
            }
            there[contact]++;
            for (int side = 0; side < 2; side++) {
                const int b = q.spheres[k / 4].body[side][l];
                assert_true(b == a.n_body || last[b] != c);
                if (b < a.n_body) {
                    last[b] = c;
                }
            }
        }
    }
    for (int i = 0; i < q.n_contact; i++) {
        assert_int_equal(1, there[i]);
    }
    assert_true(q.n_colour < 30);
    free(last), free(there);
    sp_arena_free(&stack.arena);
    pile_free(&a);
}

static void small_heaps_agree_with_the_matrix_form(void **ctx)
{
    (void)ctx;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        sp_set *set = (sp_set *)(size_t)a.p.set;
        for (int i = 0; i < a.p.n_contact; i++) {
            set[i].mu *= 0.1;
        }
        double xi[32], xi2[32], size = 0.0;
        sp_fc_solution s;
        if (!a.dependent && solve(&a, "auto", 1, 1e-11, &s) == SP_OK) {
            sp_fc_velocity(&a.p, a.P, xi, NULL);
            memset(a.P, 0, (size_t)a.p.n * sizeof *a.P);
            if (solve(&a, "pile", 1, 1e-11, &s) == SP_OK) {
                sp_fc_velocity(&a.p, a.P, xi2, NULL);
                for (int e = 0; e < a.p.n; e++) {
                    size = fmax(size, fabs(a.p.c[e]) + fabs(xi[e]));
                }
                for (int e = 0; e < a.p.n; e++) {
                    assert_near_scaled(xi[e], xi2[e], size, 1e-5);
                }
                compared++;
            }
        }
        pile_free(&a);
    }
    assert_true(compared > 150);
}

static void bodies_of_more_than_six_velocities_are_left_to_the_matrix(void **ctx)
{
    (void)ctx;
    rng r = {3};
    pile a = pile_random(&r);
    sp_fc p = a.p;
    const int dof[2] = {0, 7};
    p.F.n_body = 1;
    p.F.dof = dof;
    sp_fc_solution s;
    pile b = a;
    b.p = p;
    assert_int_equal(SP_E_INPUT, solve(&b, "pile", 1, 1e-6, &s));
    b.p.F.start = NULL;
    assert_int_equal(SP_E_INPUT, solve(&b, "pile", 1, 1e-6, &s));
    pile_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_contacts_are_solved_without_g),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(contacts_of_one_colour_share_no_body),
        cmocka_unit_test(small_heaps_agree_with_the_matrix_form),
        cmocka_unit_test(bodies_of_more_than_six_velocities_are_left_to_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
