#include "impact/energy.h"

#include "impact/cases.h"

#include <stdio.h>

/* One to three rods and discs between walls, approaching, with unlike coefficients. */
static void random_bodies(rng *r, strike *s)
{
    memset(s, 0, sizeof *s);
    const int n_body = 1 + rng_int(r, 3), n_contact = 1 + rng_int(r, 4);
    for (int b = 0; b < n_body; b++) {
        case_body(s, rng_in(r, 0.5, 2.0), rng_in(r, 0.05, 0.5), rng_in(r, -1.0, 1.0),
                  rng_in(r, -1.0, 1.0), rng_in(r, -3.0, 3.0));
    }
    for (int i = 0; i < n_contact; i++) {
        const int a = 3 * rng_int(r, n_body), b = 3 * rng_int(r, n_body + 1);
        const double angle = rng_in(r, 0.0, 6.283);
        const double n[2] = {cos(angle), sin(angle)};
        const int k = case_contact(s, a, rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 1.0), n[0], n[1],
                                   rng_in(r, 0.0, 1.0), rng_in(r, 0.0, 1.0), rng_in(r, 0.0, 1.0));
        if (b < 3 * n_body && b != a) { /* the other side moves too */
            const double x = rng_in(r, -1.0, 1.0), y = rng_in(r, -1.0, 1.0);
            s->W[b][k] = -n[0];
            s->W[b + 1][k] = -n[1];
            s->W[b + 2][k] = -(x * n[1] - y * n[0]);
            s->W[b][k + 1] = -n[1];
            s->W[b + 1][k + 1] = n[0];
            s->W[b + 2][k + 1] = -(-x * n[0] - y * n[1]);
        }
    }
    strike_finish(s);
}

/* Solved with all coefficients times factor: change of energy. */
static double energy_at(strike *s, sp_impact_law law, double factor)
{
    const sp_impact_options o = sp_impact_options_default();
    void *work = malloc(sp_impact_work(s->p.n_contact, s->p.n));
    memset(s->status, SP_STATUS_UNKNOWN, sizeof s->status);
    const sp_status status = sp_impact_at(&s->p, law, &o, factor, &s->impact, work, NULL);
    free(work);
    return status == SP_OK ? s->impact.energy.total : INFINITY;
}

/* Has the impact more than one solution with some factor?  Then s decides among them too. */
static bool has_several(strike *s, sp_impact_law law)
{
    double eps_N[ORACLE_CONTACTS], eps_T[ORACLE_CONTACTS], far = 0.0;
    int motions = 0, most = 0;
    memcpy(eps_N, s->eps_N, sizeof eps_N);
    memcpy(eps_T, s->eps_T, sizeof eps_T);
    for (int k = 0; k <= 64; k++) {
        energy_at(s, law, k / 64.0);
        for (int i = 0; i < s->p.n_contact; i++) {
            s->eps_N[i] = k / 64.0 * eps_N[i];
            s->eps_T[i] = k / 64.0 * eps_T[i];
        }
        strike_violation(s, 1, &far, &motions);
        memcpy(s->eps_N, eps_N, sizeof eps_N);
        memcpy(s->eps_T, eps_T, sizeof eps_T);
        most = motions > most ? motions : most;
    }
    return most > 1;
}

static void scaled_impacts_never_gain_energy_and_are_scaled_no_more_than_needed(void **ctx)
{
    (void)ctx;
    rng r = {31};
    static const char *name[2] = {"Newton", "Poisson"};
    sp_impact_options o = sp_impact_options_default();
    o.remedy_gain = true;
    for (int law = 0; law < 2; law++) {
        int scaled = 0, several = 0, failed = 0;
        double least = 1.0;
        const int cases = check_cases(1500, 40000);
        for (int c = 0; c < cases; c++) {
            strike s;
            random_bodies(&r, &s);
            failed += strike_solve(&s, (sp_impact_law)law, &o) != SP_OK;
            strike_check_books(&s);
            assert_false(s.impact.gained);
            if (s.impact.cause != SP_IMPACT_GAIN) {
                assert_true(s.impact.s == 1.0 || s.impact.cause != SP_IMPACT_AS_GIVEN);
                continue;
            }
            const double factor = s.impact.s, total = s.impact.energy.total;
            const double scale = s.impact.energy.scale;
            scaled++;
            least = fmin(least, factor);
            assert_true(s.impact.given > 0.0 && total <= 0.0);
            assert_true(factor < 1.0 && factor >= 0.0);
            /* a little more gains already */
            bool most = energy_at(&s, (sp_impact_law)law, factor + 1e-9) > -1e-12 * scale;
            /* and so does all that is larger, on another grid */
            for (int k = 1; k < 40; k++) {
                const double more = factor + (1.0 - factor) * k / 40.0;
                most = most && energy_at(&s, (sp_impact_law)law, more) > 0.0;
            }
            assert_true(most || has_several(&s, (sp_impact_law)law));
            several += !most;
        }
        printf(
            "%s: %d impacts, %d scaled, least s = %.3f, %d with several solutions and a larger s "
            "that gains nothing, failed: %d\n",
            name[law], cases, scaled, least, several, failed);
        assert_true(scaled > 10 && several <= scaled / 50);
        assert_int_equal(0, failed);
    }
}

static void without_restitution_every_impact_loses_energy(void **ctx)
{
    (void)ctx;
    rng r = {8};
    for (int c = 0; c < check_cases(500, 20000); c++) {
        strike s;
        random_bodies(&r, &s);
        for (int law = 0; law < 2; law++) {
            assert_true(energy_at(&s, (sp_impact_law)law, 0.0) <= 1e-14 * s.impact.energy.scale);
            /* nothing given back: no expansion */
            for (int k = 0; k < s.p.n; k++) {
                assert_true(s.Lambda[k] == s.Lambda_C[k]);
            }
        }
    }
}

/* A closed form: a point mass at a wall loses (1 - eps^2) of its energy, whatever the law. */
static void a_ball_loses_one_minus_eps_squared(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    for (int law = 0; law < 2; law++) {
        for (int k = 0; k <= 10; k++) {
            const double eps = 0.1 * k;
            strike s;
            case_sphere(&s, 0.0, 0.2, eps, 0.3);
            assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
            assert_near(s.impact.energy.normal, -0.5 * (1.0 - eps * eps), 1e-15);
            assert_near(s.impact.energy.friction, 0.0, 1e-15);
            assert_near(s.impact.energy.restitution, 0.0, 1e-15);
            assert_false(s.impact.gained);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaled_impacts_never_gain_energy_and_are_scaled_no_more_than_needed),
        cmocka_unit_test(without_restitution_every_impact_loses_energy),
        cmocka_unit_test(a_ball_loses_one_minus_eps_squared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
