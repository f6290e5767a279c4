/* The quick way of few contacts against the chain of all methods. */
#include "solvers/fc_residual.h"
#include "solvers/fc_small.h"
#include "support/piles.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

/* All contacts of a heap as one island. */
typedef struct fixture {
    sp_fc_few few;
    int contact[MOST], diag[MOST];
    double rho[MOST];
} fixture;

static void make(fixture *f, const pile *a)
{
    for (int i = 0; i < a->p.n_contact; i++) {
        f->contact[i] = i;
    }
    const double worth = sp_fc_scales(&a->p, f->rho, f->diag);
    f->few = (sp_fc_few){&a->p, a->p.n_contact, f->contact, f->contact, f->diag, f->rho, worth};
}

/* The goal of all tests here. */
static sp_fc_goal goal(sp_fc_measure measure, double c_norm)
{
    return (sp_fc_goal){.measure = measure, .tol = 1e-10, .c_norm = c_norm, .effort = 1.0};
}

static void what_it_solves_is_solved(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(3000, 100000);
    int solved[2] = {0, 0};
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k + 1};
        const int planar = k % 2;
        pile a = planar ? pile_random_planar(&r) : pile_random(&r);
        fixture f;
        double xi[3 * MOST], terms[MOST], scaled, fclib;
        make(&f, &a);
        assert_int_equal(1, sp_fc_small_fits(&f.few));
        sp_fc_goal g = goal(SP_FC_SCALED, 1.0);
        sp_fc_end end;
        sp_fc_verdict verdict;
        if (sp_fc_small(&f.few, &g, NULL, a.P, &verdict, &end)) {
            sp_fc_velocity_terms(&a.p, a.P, xi, terms, NULL);
            sp_fc_residuals(&a.p, a.P, xi, terms, f.rho, f.few.worth, &scaled, &fclib);
            assert_true(scaled <= 1.001e-10);
            assert_int_equal(1, end.solved);
            solved[planar]++;
        } else { /* nothing is spoilt */
            for (int e = 0; e < a.p.n; e++) {
                assert_true(a.P[e] == 0.0);
            }
        }
        pile_free(&a);
    }
    printf("few: %d of %d spatial, %d of %d planar heaps\n", solved[0], (cases + 1) / 2, solved[1],
           cases / 2);
    assert_true(solved[0] > 95 * cases / 200 && solved[1] > 95 * cases / 200);
}

/* A guess with the right states needs no sweeps; the first step still carries the proximal term of
 * the start, which is none, the second one corrects it. */
static void states_alone_are_a_start(void **ctx)
{
    (void)ctx;
    int tried = 0, at_once = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        rng r = {seed};
        pile a = pile_random_planar(&r);
        fixture f;
        sp_fc_end end;
        sp_fc_verdict verdict;
        make(&f, &a);
        sp_fc_goal g = goal(SP_FC_SCALED, 1.0);
        if (a.consistent && !a.dependent && sp_fc_small(&f.few, &g, NULL, a.P, &verdict, &end) &&
            end.used != SP_FC_BY_START) {
            double xi[3 * MOST];
            unsigned char status[MOST];
            sp_fc_velocity(&a.p, a.P, xi, NULL);
            for (int i = 0; i < a.p.n_contact; i++) {
                const int k = a.p.row[i];
                const double u[2] = {f.rho[i] * xi[k], f.rho[i] * xi[k + 1]};
                status[i] = sp_fc_contact_status(&a.p.set[i], a.P + k, u);
            }
            memset(a.P, 0, (size_t)a.p.n * sizeof *a.P);
            g = goal(SP_FC_SCALED, 1.0);
            assert_int_equal(1, sp_fc_small(&f.few, &g, status, a.P, &verdict, &end));
            tried++;
            at_once += g.steps <= 2 && g.sweeps == 0;
        }
        pile_free(&a);
    }
    printf("few: %d of %d from their states in two steps\n", at_once, tried);
    assert_true(tried > 100);
    assert_true(at_once > 95 * tried / 100);
}

static void sets_it_does_not_know_are_left_alone(void **ctx)
{
    (void)ctx;
    rng r = {3};
    pile a = pile_random(&r);
    fixture f;
    make(&f, &a);
    sp_set *set = (sp_set *)(size_t)a.p.set;
    assert_int_equal(1, sp_fc_small_fits(&f.few));
    set[0].shifted = 1;
    assert_int_equal(0, sp_fc_small_fits(&f.few));
    set[0].shifted = 0;
    f.diag[0] = -1;
    assert_int_equal(0, sp_fc_small_fits(&f.few));
    pile_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_solves_is_solved),
        cmocka_unit_test(states_alone_are_a_start),
        cmocka_unit_test(sets_it_does_not_know_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
