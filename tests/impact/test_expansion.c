#include "impact/expansion.h"

#include "impact/strike.h"

#include <stdio.h>

/* Random mechanism: independent contacts of all kinds, approaching, with unlike coefficients. */
static void random_strike(rng *r, strike *s, double mu_max)
{
    memset(s, 0, sizeof *s);
    const int n_contact = 1 + rng_int(r, 4);
    for (int i = 0; i < n_contact; i++) {
        const int kind = rng_int(r, 10);
        const double eps_N = rng_int(r, 5) == 0 ? 0.0 : rng_in(r, 0.0, 1.0);
        const double eps_T = rng_flip(r) ? 0.0 : rng_in(r, 0.0, 1.0);
        strike_contact(s,
                       kind == 0   ? sp_set_half_line()
                       : kind == 1 ? sp_set_planar(0.0)
                                   : sp_set_planar(rng_in(r, 0.0, mu_max)),
                       eps_N, eps_T);
    }
    s->dof = s->p.n + rng_int(r, 3);
    for (int d = 0; d < s->dof; d++) {
        s->mass[d] = pow(10.0, rng_in(r, -0.7, 0.7));
        s->u_m[d] = rng_in(r, -1.0, 1.0);
        for (int k = 0; k < s->p.n; k++) {
            s->W[d][k] = rng_in(r, -1.0, 1.0);
        }
        for (int i = 0; i < n_contact; i++) {
            s->u_m[d] -= s->W[d][s->row[i]];
        }
    }
    strike_finish(s);
}

typedef struct tally {
    int cases, unique, several, none, gains;
    double violation, far;
} tally;

/* Solve one impact and hold it against all solutions there are. */
static void judge(strike *s, sp_impact_law law, int prescribed, tally *t)
{
    sp_impact_options o = sp_impact_options_default();
    double far = 0.0;
    int motions = 0;
    o.prescribed = prescribed;
    o.remedy_infeasible = false;
    const sp_status status = strike_solve(s, law, &o);
    t->cases++;
    if (status != SP_OK) { /* then there must be none */
        oracle q;
        double gamma_0[ORACLE_ROWS];
        if (law == SP_IMPACT_NEWTON) {
            oracle_newton(&q, &s->p);
        } else {
            oracle_compression(&q, &s->p);
            oracle_solve(&q);
            assert_true(q.n_found > 0);
            oracle_expansion(&q, &s->p, q.L[0], prescribed, gamma_0);
        }
        oracle_solve(&q);
        assert_int_equal(0, q.n_found);
        t->none++;
        return;
    }
    t->violation = check_worse(t->violation, strike_violation(s, prescribed, &far, &motions));
    t->far = check_worse(t->far, far);
    t->unique += motions == 1;
    t->several += motions > 1;
    t->gains += s->impact.gained;
    strike_check_books(s);
}

static void random_impacts_are_among_all_solutions_of_their_law(void **ctx)
{
    (void)ctx;
    rng r = {20240611};
    const double mu_max[2] = {0.6, 3.0};
    for (int m = 0; m < 2; m++) {
        tally t[3] = {0};
        const int cases = check_cases(600, 20000);
        for (int k = 0; k < cases; k++) {
            strike s;
            random_strike(&r, &s, mu_max[m]);
            judge(&s, SP_IMPACT_NEWTON, 0, &t[0]);
            judge(&s, SP_IMPACT_POISSON, 1, &t[1]);
            judge(&s, SP_IMPACT_POISSON, 0, &t[2]);
        }
        static const char *name[3] = {"Newton", "Poisson", "Poisson, gamma_TE0 = 0"};
        for (int k = 0; k < 3; k++) {
            printf("mu <= %.1f, %s: %d impacts, %d of one solution, %d of several, %d of none, "
                   "%d gain; violation %.1e, distance %.1e\n",
                   mu_max[m], name[k], t[k].cases, t[k].unique, t[k].several, t[k].none, t[k].gains,
                   t[k].violation, t[k].far);
            assert_true(t[k].violation < 1e-10);
            assert_true(t[k].far < 1e-8);
            assert_true(t[k].unique > t[k].cases / 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_impacts_are_among_all_solutions_of_their_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
