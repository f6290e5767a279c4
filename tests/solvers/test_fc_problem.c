#include "solvers/fc.h"

#include "support/check.h"
#include "support/piles.h"

#include <stdlib.h>
#include <string.h>

/* Solve and expect to be refused with this status and these words. */
static void refused(const sp_fc *p, sp_status status, const char *words)
{
    sp_fc_work w;
    sp_fc_options o;
    sp_fc_solution s;
    sp_error err;
    double P[64] = {0};
    unsigned char state[64] = {0};
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    memset(&s, 0, sizeof s);
    s.P = P;
    s.status = state;
    assert_int_equal(status, sp_fc_solve(p, &o, &s, &w, &err));
    if (!strstr(err.text, words)) {
        fail_msg("'%s' says nothing of '%s'", err.text, words);
    }
    assert_int_equal(SP_FC_NOT_SOLVED, s.result);
    sp_fc_work_free(&w);
}

static void malformed_problems_are_refused_with_a_reason(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_disc(0.5), sp_set_half_line()};
    const int row[2] = {0, 3}, start[3] = {0, 1, 2}, column[2] = {0, 1};
    const size_t at[2] = {0, 9};
    double G[10] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1}, c[4] = {-1, 0, 0, -1};
    const sp_fc good = {2, 4, set, row, c, {start, column, at, G}, {0}, 0.0};
    sp_error err;
    assert_int_equal(SP_OK, sp_fc_check(&good, &err));

    sp_fc p = good;
    p.n = 5;
    refused(&p, SP_E_INPUT, "5 rows, but the sets take 4");
    const int shuffled[2] = {1, 3};
    p = good;
    p.row = shuffled;
    refused(&p, SP_E_INPUT, "contact 0: row 1, expected 0");
    sp_set bad[2] = {sp_set_disc(-0.1), sp_set_half_line()};
    p = good;
    p.set = bad;
    refused(&p, SP_E_INPUT, "contact 0: mu = -0.1");
    bad[0].mu = NAN;
    refused(&p, SP_E_INPUT, "mu = ");
    bad[0] = set[0];
    bad[1] = sp_set_interval(1.0, -1.0);
    refused(&p, SP_E_INPUT, "interval from 1 to -1");
    bad[1].kind = (sp_set_kind)99;
    refused(&p, SP_E_INPUT, "unknown kind of set 99");
    const int far[2] = {0, 2}, twice[2] = {1, 1}, back[3] = {0, 2, 1};
    p = good;
    p.G.column = far;
    refused(&p, SP_E_INPUT, "column 2, expected 0 to 1");
    p = good;
    p.G.start = back;
    refused(&p, SP_E_INPUT, "expected to count up");
    p = good;
    p.G.start = NULL;
    refused(&p, SP_E_INPUT, "neither G nor its factors");
    p = good;
    p.n_contact = -1;
    refused(&p, SP_E_INPUT, "-1 contacts");
    const int both[3] = {0, 0, 2};
    p = good;
    p.G.start = both;
    p.G.column = twice;
    const size_t there[2] = {9, 9};
    p.G.at = there;
    refused(&p, SP_E_INPUT, "two blocks of G in column 1");
}

static void nan_and_infinity_are_refused_wherever_they_stand(void **ctx)
{
    (void)ctx;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        rng r = {5};
        pile a = pile_random(&r);
        sp_fc p = a.p;
        double *c = malloc((size_t)p.n * sizeof *c);
        memcpy(c, p.c, (size_t)p.n * sizeof *c);
        p.c = c;
        c[p.n - 1] = bad[k];
        refused(&p, SP_E_NONFINITE, "c[");
        p = a.p;
        double *value = (double *)(size_t)p.G.value, keep = value[0];
        value[0] = bad[k];
        refused(&p, SP_E_NONFINITE, "of G is");
        value[0] = keep;
        double *H = (double *)(size_t)p.F.H;
        keep = H[0];
        H[0] = bad[k];
        refused(&p, SP_E_NONFINITE, "of H is");
        H[0] = keep;
        free(c);
        pile_free(&a);
    }
}

static void bodies_give_the_same_velocities_as_blocks(void **ctx)
{
    (void)ctx;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = {seed};
        pile a = pile_random(&r);
        sp_fc by_bodies = a.p;
        by_bodies.G.start = NULL;
        double P[64], xi[64], xi2[64];
        double *scratch = malloc(2 * sizeof(double) * (size_t)a.p.F.dof[a.n_body]);
        for (int k = 0; k < a.p.n; k++) {
            P[k] = rng_in(&r, -1.0, 1.0);
        }
        sp_fc_velocity(&a.p, P, xi, NULL);
        sp_fc_velocity(&by_bodies, P, xi2, scratch);
        double size = 0.0;
        for (int k = 0; k < a.p.n; k++) {
            size = fmax(size, fabs(xi[k]));
        }
        for (int k = 0; k < a.p.n; k++) {
            assert_near_scaled(xi[k], xi2[k], size, 1e-12);
        }
        free(scratch);
        pile_free(&a);
    }
}

static void no_contacts_are_solved(void **ctx)
{
    (void)ctx;
    sp_fc p;
    sp_fc_work w;
    sp_fc_options o;
    sp_fc_solution s;
    memset(&p, 0, sizeof p);
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    memset(&s, 0, sizeof s);
    assert_int_equal(SP_OK, sp_fc_solve(&p, &o, &s, &w, NULL));
    assert_int_equal(SP_FC_SOLVED, s.result);
    sp_fc_work_free(&w);
}

static void unknown_solvers_and_options_are_refused(void **ctx)
{
    (void)ctx;
    sp_fc p;
    sp_fc_work w;
    sp_fc_options o;
    sp_fc_solution s;
    sp_error err;
    memset(&p, 0, sizeof p);
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    memset(&s, 0, sizeof s);
    o.solver = "gauss";
    assert_int_equal(SP_E_INPUT, sp_fc_solve(&p, &o, &s, &w, &err));
    assert_non_null(strstr(err.text, "'gauss'"));
    o.solver = "auto";
    o.tol = NAN;
    assert_int_equal(SP_E_INPUT, sp_fc_solve(&p, &o, &s, &w, &err));
    int n = 0;
    const char *text;
    while (sp_fc_solver_name(n, &text)) {
        assert_true(strlen(text) > 10);
        n++;
    }
    assert_int_equal(7, n);
    assert_string_equal("auto", sp_fc_solver_name(0, NULL));
    assert_null(sp_fc_solver_name(-1, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_problems_are_refused_with_a_reason),
        cmocka_unit_test(nan_and_infinity_are_refused_wherever_they_stand),
        cmocka_unit_test(bodies_give_the_same_velocities_as_blocks),
        cmocka_unit_test(no_contacts_are_solved),
        cmocka_unit_test(unknown_solvers_and_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
