#include "certify/fc_certificate.h"
#include "solvers/fc.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A solve with everything it needs. */
typedef struct run {
    sp_fc_options o;
    sp_fc_solution s;
    sp_fc_work w;
    sp_error err;
} run;

static run begin(const char *solver, sp_fc_measure measure, double tol)
{
    run r;
    memset(&r, 0, sizeof r);
    r.o.solver = solver;
    r.o.measure = measure;
    r.o.tol = tol;
    return r;
}

static sp_status solve(run *r, const pile *a)
{
    memset(&r->s, 0, sizeof r->s);
    r->s.P = a->P;
    r->s.status = a->status;
    return sp_fc_solve(&a->p, &r->o, &r->s, &r->w, &r->err);
}

/* The certificate of a->P by the code of another room; xi (n) is filled. */
static sp_fc_certificate certificate(const pile *a, double *xi)
{
    const sp_fc *p = &a->p;
    double *scratch = malloc(sizeof *scratch * sp_certify_fc_scratch(p));
    sp_fc_certificate c;
    sp_certify_fc(p, a->P, scratch, &c);
    memcpy(xi, scratch, (size_t)p->n * sizeof *xi);
    free(scratch);
    return c;
}

/* Whether a->P proves that there is no solution. */
static int proof_holds(const pile *a)
{
    double *scratch = malloc(sizeof *scratch * sp_certify_fc_scratch(&a->p));
    const int holds = sp_certify_infeasible(&a->p, a->P, scratch);
    free(scratch);
    return holds;
}

static void random_heaps_are_solved_and_certified(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(2000, 100000);
    int active[9] = {0}, solved = 0, infeasible = 0, none = 0, dependent = 0, several = 0;
    double worst = 0.0;
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    for (int k = 0; k < cases; k++) {
        rng random = {(uint64_t)k * 104729 + 17};
        pile a = pile_random(&random);
        double xi[32];
        const sp_status end = solve(&r, &a);
        dependent += a.dependent;
        if (end == SP_OK) {
            const sp_fc_certificate c = certificate(&a, xi);
            if (!(c.scaled <= 1.0001e-10)) {
                fail_msg("case %d: certificate %g, solver %g", k, c.scaled, r.s.residual);
            }
            /* xi is summed in another order: its rounding is all that may differ */
            assert_true(fabs(c.scaled - r.s.residual) <= 0.5 * c.scaled + 1e-13);
            worst = check_worse(worst, c.scaled);
            int count = 0;
            for (int i = 0; i < a.p.n_contact; i++) {
                count += a.status[i] != SP_OPEN;
            }
            active[count]++;
            several += count >= 2;
            solved++;
        } else if (end == SP_E_INFEASIBLE) {
            assert_true(proof_holds(&a));
            assert_false(a.consistent);
            infeasible++;
        } else { /* only where the law of existence does not hold, and with a proof (fc_search.h) */
            assert_int_equal(SP_E_NOT_CONVERGED, end);
            if (a.consistent || !r.s.no_solution) {
                fail_msg("case %d: %s", k, r.err.text);
            }
            none++;
        }
        pile_free(&a);
    }
    printf(
        "heaps: %d solved (worst %.1e), %d proved infeasible, %d without solution; %d dependent; "
        "%d with two or more closed\n       closed contacts 0..8:",
        solved, worst, infeasible, none, dependent, several);
    for (int k = 0; k < 9; k++) {
        printf(" %d", active[k]);
    }
    printf("\n");
    assert_true(several > cases / 3 && dependent > cases / 20);
    assert_int_equal(cases, solved + infeasible + none);
    sp_fc_work_free(&r.w);
}

/* Most contacts on one body: with five or fewer on each, all normals are independent. */
static int most_on_a_body(const pile *a)
{
    int count[4] = {0}, most = 0;
    for (int k = 0; k < a->p.F.start[a->p.n_contact]; k++) {
        const int b = a->p.F.body[k];
        most = ++count[b] > most ? count[b] : most;
    }
    return most;
}

static void the_motion_is_that_of_another_method(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(300, 10000);
    run r = begin(NULL, SP_FC_SCALED, 1e-11), other = begin("admm", SP_FC_SCALED, 1e-11);
    int compared = 0, several = 0;
    for (int k = 0; k < cases; k++) {
        rng random = {(uint64_t)k * 7907 + 3};
        pile a = pile_random(&random);
        sp_set *set = (sp_set *)(size_t)a.p.set;
        for (int i = 0; i < a.p.n_contact; i++) {
            set[i].mu *= 0.1; /* little friction, independent normals: nearly always unique */
        }
        double xi[32], xi2[32], size = 0.0;
        if (a.consistent && !a.dependent && most_on_a_body(&a) <= 5 && solve(&r, &a) == SP_OK) {
            certificate(&a, xi);
            memset(a.P, 0, (size_t)a.p.n * sizeof *a.P);
            if (solve(&other, &a) == SP_OK) {
                certificate(&a, xi2);
                for (int e = 0; e < a.p.n; e++) {
                    size = fmax(size, fabs(xi[e]) + fabs(a.p.c[e]));
                }
                int differs = 0;
                for (int e = 0; e < a.p.n; e++) {
                    differs |= !(fabs(xi[e] - xi2[e]) <= 1e-6 * size);
                }
                several += differs; /* both are certified: there are two motions */
                compared++;
            }
        }
        pile_free(&a);
    }
    printf("motion: %d of %d compared, %d have two\n", compared, cases, several);
    /* jamming within small friction cones is rare, and needs almost opposed contacts */
    assert_true(compared > cases / 2 && several <= compared / 500);
    sp_fc_work_free(&r.w);
    sp_fc_work_free(&other.w);
}

static void islands_apart_are_islands_together(void **ctx)
{
    (void)ctx;
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng x = {seed}, y = {seed + 1000};
        pile a = pile_random(&x), b = pile_random(&y);
        pile both = pile_beside(&a, &b);
        const sp_status end_a = solve(&r, &a);
        const sp_status end_b = solve(&r, &b), end = solve(&r, &both);
        if (end_a == SP_OK && end_b == SP_OK) {
            assert_int_equal(SP_OK, end);
            double xi[64], xi_a[32], xi_b[32];
            certificate(&a, xi_a);
            certificate(&b, xi_b);
            assert_true(certificate(&both, xi).scaled <= 1.0001e-10);
        } else {
            assert_int_not_equal(SP_OK, end);
        }
        pile_free(&a), pile_free(&b), pile_free(&both);
    }
    sp_fc_work_free(&r.w);
}

static void an_island_does_not_see_the_others(void **ctx)
{
    (void)ctx;
    /* with one and the same scale of c the percussions are the same to the last bit */
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        rng x = {seed}, again = {seed};
        pile a = pile_random(&x), copy = pile_random(&again);
        pile both = pile_beside(&a, &copy);
        if (solve(&r, &a) == SP_OK && solve(&r, &both) == SP_OK) {
            assert_memory_equal(a.P, both.P, (size_t)a.p.n * sizeof *a.P);
            assert_memory_equal(a.P, both.P + a.p.n, (size_t)a.p.n * sizeof *a.P);
        }
        pile_free(&a), pile_free(&copy), pile_free(&both);
    }
    sp_fc_work_free(&r.w);
}

static void the_order_of_contacts_does_not_matter(void **ctx)
{
    (void)ctx;
    run r = begin(NULL, SP_FC_SCALED, 1e-11);
    int compared = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        rng x = {seed};
        pile a = pile_random(&x);
        sp_set *set = (sp_set *)(size_t)a.p.set;
        int order[8];
        for (int i = 0; i < a.p.n_contact; i++) {
            set[i].mu *= 0.1;
            order[i] = a.p.n_contact - 1 - i;
        }
        pile b = pile_permuted(&a, order);
        double xi[32], xi_b[32], size = 0.0;
        if (!a.dependent && most_on_a_body(&a) <= 5 && solve(&r, &a) == SP_OK &&
            solve(&r, &b) == SP_OK) {
            certificate(&a, xi);
            certificate(&b, xi_b);
            for (int e = 0; e < a.p.n; e++) {
                size = fmax(size, fabs(xi[e]) + fabs(a.p.c[e]));
            }
            for (int i = 0; i < a.p.n_contact; i++) {
                for (int e = 0; e < 3; e++) {
                    assert_near_scaled(xi[3 * order[i] + e], xi_b[3 * i + e], size, 1e-6);
                }
            }
            compared++;
        }
        pile_free(&a), pile_free(&b);
    }
    assert_true(compared > 200);
    sp_fc_work_free(&r.w);
}

static void planar_heaps_are_solved_as_well(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(1000, 100000);
    int solved = 0, infeasible = 0, none = 0;
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    for (int k = 0; k < cases; k++) {
        rng random = {(uint64_t)k * 15485863 + 5};
        pile a = pile_random_planar(&random);
        double xi[32];
        const sp_status end = solve(&r, &a);
        if (end == SP_OK) {
            assert_true(certificate(&a, xi).scaled <= 1.0001e-10);
            solved++;
        } else if (end == SP_E_INFEASIBLE) {
            assert_true(proof_holds(&a));
            infeasible++;
        } else {
            assert_false(a.consistent);
            none += r.s.no_solution;
        }
        pile_free(&a);
    }
    printf("planar heaps: %d of %d solved, %d proved infeasible, %d without solution\n", solved,
           cases, infeasible, none);
    assert_int_equal(cases, solved + infeasible + none);
    sp_fc_work_free(&r.w);
}

static void opposed_contacts_with_different_restitution_are_proved_infeasible(void **ctx)
{
    (void)ctx;
    /* a disc between two walls, driven into both */
    sp_set set[2] = {sp_set_disc(0.3), sp_set_disc(0.3)};
    int row[2] = {0, 3};
    double G[36] = {0}, c[6] = {-1.0, 0.2, 0.0, -1.0, 0.1, 0.0};
    for (int a = 0; a < 3; a++) {
        G[7 * a] = G[7 * (a + 3)] = 1.0;
        G[6 * a + a + 3] = G[6 * (a + 3) + a] = a ? 1.0 : -1.0;
    }
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    double P[6] = {0};
    unsigned char status[2];
    a.P = P;
    a.status = status;
    a.p.n_contact = 2;
    a.p.n = 6;
    a.p.set = set;
    a.p.row = row;
    a.p.c = c;
    assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, G, 6, 1, &a.arena, NULL));
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    assert_int_equal(SP_E_INFEASIBLE, solve(&r, &a));
    assert_int_equal(SP_FC_INFEASIBLE, r.s.result);
    assert_true(proof_holds(&a));
    c[3] = 1.0; /* now one wall recedes as fast as the other comes: it can follow */
    assert_int_equal(SP_OK, solve(&r, &a));
    sp_fc_work_free(&r.w);
    pile_free(&a);
}

static void joints_dry_friction_and_moved_sets_live_together(void **ctx)
{
    (void)ctx;
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    int solved = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        rng x = {seed};
        enum { N = 8 };
        sp_set set[4] = {sp_set_free(), sp_set_interval(-0.3, 0.2), sp_set_disc(0.4),
                         sp_set_disc(0.2)};
        double A[N][N + 2], G[N * N], c[N], P[N] = {0}, xi[N];
        int row[4];
        unsigned char status[4];
        set[3].shifted = 1;
        for (int k = 0; k < 3; k++) {
            set[3].shift[k] = rng_in(&x, 0.0, 0.3);
        }
        pile a;
        memset(&a, 0, sizeof a);
        sp_arena_init(&a.arena, NULL, 0);
        a.p.n_contact = 4;
        a.p.n = sp_fc_rows(4, set, row);
        a.p.set = set;
        a.p.row = row;
        a.p.c = c;
        a.P = P;
        a.status = status;
        for (int i = 0; i < N; i++) {
            c[i] = rng_in(&x, -1.0, 0.5);
            for (int k = 0; k < N + 2; k++) {
                A[i][k] = rng_in(&x, -1.0, 1.0);
            }
        }
        for (int k = 0; k < N * N; k++) {
            G[k] = 0.0;
            for (int m = 0; m < N + 2; m++) {
                G[k] += A[k / N][m] * A[k % N][m];
            }
        }
        assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, G, N, 1, &a.arena, NULL));
        if (solve(&r, &a) == SP_OK) {
            assert_true(certificate(&a, xi).scaled <= 1.0001e-10);
            assert_near(xi[0], 0.0, 1e-8);
            assert_true(P[1] >= -0.3 - 1e-15 && P[1] <= 0.2 + 1e-15);
            solved++;
        }
        pile_free(&a);
    }
    assert_int_equal(300, solved);
    sp_fc_work_free(&r.w);
}

static void threads_give_the_same_bits(void **ctx)
{
    (void)ctx;
    pile all = pile_spheres(2, 2, 0.3, 1, 1);
    for (int k = 0; k < 3; k++) { /* eight islands */
        pile half = all;
        all = pile_beside(&half, &half);
        pile_free(&half);
    }
    double *P = malloc((size_t)all.p.n * sizeof *P);
    run one = begin(NULL, SP_FC_SCALED, 1e-9), three = begin(NULL, SP_FC_SCALED, 1e-9);
    three.o.threads = 3;
    assert_int_equal(SP_OK, solve(&one, &all));
    assert_int_equal(8, one.s.n_island);
    memcpy(P, all.P, (size_t)all.p.n * sizeof *P);
    memset(all.P, 0, (size_t)all.p.n * sizeof *P);
    assert_int_equal(SP_OK, solve(&three, &all));
    assert_memory_equal(P, all.P, (size_t)all.p.n * sizeof *P);
    free(P);
    sp_fc_work_free(&one.w);
    sp_fc_work_free(&three.w);
    pile_free(&all);
}

static void a_solution_is_its_own_warm_start(void **ctx)
{
    (void)ctx;
    pile a = pile_spheres(3, 2, 0.4, 2, 1);
    run r = begin(NULL, SP_FC_FCLIB, 1e-8);
    assert_int_equal(SP_OK, solve(&r, &a));
    assert_true(r.s.iterations > 5);
    r.o.warm = 1;
    r.o.tol = 2e-8;
    assert_int_equal(SP_OK, solve(&r, &a));
    assert_int_equal(0, (int)r.s.iterations);
    double *xi = malloc((size_t)a.p.n * sizeof *xi);
    assert_near(certificate(&a, xi).fclib, r.s.residual_fclib, 1e-12);
    free(xi);
    sp_fc_work_free(&r.w);
    pile_free(&a);
}

static void unsymmetric_matrices_are_taken_as_they_are(void **ctx)
{
    (void)ctx;
    run r = begin(NULL, SP_FC_SCALED, 1e-10);
    int solved = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng x = {seed};
        pile a = pile_random(&x);
        double *value = (double *)(size_t)a.p.G.value, xi[32];
        const int blocks = a.p.G.start[a.p.n_contact];
        for (int k = 0; k < 9 * blocks; k++) {
            value[k] *= 1.0 + 1e-3 * rng_in(&x, -1.0, 1.0);
        }
        if (solve(&r, &a) == SP_OK) {
            assert_true(certificate(&a, xi).scaled <= 1.0001e-10);
            solved++;
        }
        pile_free(&a);
    }
    printf("unsymmetric: %d of 200 solved\n", solved);
    assert_true(solved >= 190);
    sp_fc_work_free(&r.w);
}

static void what_is_not_unique_is_named(void **ctx)
{
    (void)ctx;
    /* a ball on the floor; two frictionless feet on the same spot; three slipping on one line */
    const sp_set one[3] = {sp_set_disc(0.5), sp_set_half_line(), sp_set_half_line()};
    for (int k = 0; k < 2; k++) {
        const int nc = k ? 3 : 1, n = k ? 5 : 3;
        double D[25] = {0}, c[5] = {-1.0, 0.1, 0.0, -1.0, -1.0}, P[5] = {0};
        int row[3];
        unsigned char status[3];
        for (int a = 0; a < 3; a++) {
            D[a * n + a] = 1.0;
        }
        for (int a = 3; a < n; a++) {
            D[a * n + 3] = D[a * n + 4] = 1.0;
        }
        pile a;
        memset(&a, 0, sizeof a);
        sp_arena_init(&a.arena, NULL, 0);
        a.p.n_contact = nc;
        a.p.n = sp_fc_rows(nc, one, row);
        a.p.set = one;
        a.p.row = row;
        a.p.c = c;
        a.P = P;
        a.status = status;
        assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, D, (size_t)n, 1, &a.arena, NULL));
        run r = begin(NULL, SP_FC_SCALED, 1e-10);
        r.o.analyse = 1;
        assert_int_equal(SP_OK, solve(&r, &a));
        assert_int_equal(k ? SP_FC_NOT_UNIQUE : SP_FC_SOLVED, r.s.result);
        assert_int_equal(k, r.s.rank_lost);
        assert_int_equal(1, r.s.motion_unique);
        sp_fc_work_free(&r.w);
        pile_free(&a);
    }
}

/* Memory that counts. */
static void *counting_alloc(void *n, size_t bytes)
{
    ++*(int *)n;
    return malloc(bytes);
}

static void counting_release(void *n, void *block)
{
    (void)n;
    free(block);
}

/* Calls of the allocator in the k-th of equal solves; form: G is given, else the factors alone. */
static int calls_of_solve(int form, int k)
{
    int calls = 0;
    const sp_allocator counting = {counting_alloc, counting_release, &calls};
    pile a = pile_spheres(2, 2, 0.3, 3, form);
    run r = begin(NULL, SP_FC_SCALED, 1e-9);
    r.w.allocator = &counting;
    for (int m = 0; m <= k; m++) {
        calls = 0;
        assert_int_equal(SP_OK, solve(&r, &a));
    }
    const int last = calls;
    sp_fc_work_free(&r.w);
    pile_free(&a);
    return last;
}

static void repeated_solves_allocate_nothing(void **ctx)
{
    (void)ctx;
    assert_true(calls_of_solve(1, 0) > 0);
    assert_int_equal(0, calls_of_solve(1, 1));
    assert_true(calls_of_solve(0, 0) > 0);
    assert_int_equal(0, calls_of_solve(0, 2)); /* the second puts what was formed into one block */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_heaps_are_solved_and_certified),
        cmocka_unit_test(the_motion_is_that_of_another_method),
        cmocka_unit_test(islands_apart_are_islands_together),
        cmocka_unit_test(an_island_does_not_see_the_others),
        cmocka_unit_test(the_order_of_contacts_does_not_matter),
        cmocka_unit_test(planar_heaps_are_solved_as_well),
        cmocka_unit_test(opposed_contacts_with_different_restitution_are_proved_infeasible),
        cmocka_unit_test(joints_dry_friction_and_moved_sets_live_together),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(a_solution_is_its_own_warm_start),
        cmocka_unit_test(unsymmetric_matrices_are_taken_as_they_are),
        cmocka_unit_test(what_is_not_unique_is_named),
        cmocka_unit_test(repeated_solves_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
