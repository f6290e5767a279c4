/* Impacts with several solutions are counted, and the one that changes velocities least is taken;
 * all against an enumeration that shares nothing with the library's. */
#include "impact/cases.h"
#include "impact/phase.h"

/* The problem of Newton's law without restitution, or of a compression. */
static sp_problem compression_of(const strike *s)
{
    return (sp_problem){.n_contact = s->p.n_contact,
                        .n = s->p.n,
                        .set = s->set,
                        .row = s->row,
                        .G = s->G,
                        .ld = s->p.n,
                        .c = s->gamma_m};
}

/* A rod of length and mass 1, tilted by atan(1/2), slides on its lower end with gamma_T = 3 and
 * gamma_N = 0; its middle, which comes down with b/(1 + eps), hits a shelf without friction.  With
 *     NN = 1 + 3 s^2,  NT = 3 s c,  TT = 1 + 3 c^2  of the end, 1 between end and middle
 * the end lifts off (Lambda_2 = b), or slides on, held down by its friction, or jams and sticks. */
enum { END = 0, MIDDLE = 2 };
static const double V = 3.0;

static void rod_over_shelf(strike *s, double b, double mu, double eps)
{
    const double sine = 1.0 / sqrt(5.0), cosine = 2.0 / sqrt(5.0),
                 om = 2.0 * b / (1.0 + eps) / sine;
    memset(s, 0, sizeof *s);
    const int d = case_body(s, 1.0, 1.0 / 12.0, V - 0.5 * cosine * om, -0.5 * sine * om, om);
    case_contact(s, d, 0.5 * sine, -0.5 * cosine, 0.0, 1.0, mu, 0.0, 0.0);
    const int k = strike_contact(s, sp_set_half_line(), eps, 0.0);
    assert_int_equal(k, MIDDLE);
    s->W[d + 1][k] = 1.0;
    strike_finish(s);
    assert_near(s->gamma_m[END], 0.0, 1e-15);
    assert_near(s->gamma_m[END + 1], V, 1e-14);
    assert_near(s->gamma_m[MIDDLE], -b / (1.0 + eps), 1e-15);
}

/* mu = 2: b/1.8 and 1.8 >= 1 make sliding possible, NT V/det >= b makes sticking possible: three.
 * The least change is that of the end without impulse, 1/2 b^2. */
static void a_rod_that_may_jam_as_it_is_hit_has_three_impacts_and_takes_the_least(void **ctx)
{
    (void)ctx;
    const double b = 0.2, eps[2] = {0.0, 0.6};
    const sp_impact_options o = sp_impact_options_default();
    for (int k = 0; k < 2; k++) {
        strike s;
        rod_over_shelf(&s, b, 2.0, eps[k]);
        assert_int_equal(strike_solve(&s, SP_IMPACT_NEWTON, &o), SP_OK);
        assert_int_equal(s.impact.n_motion, 3);
        assert_near(s.Lambda[END], 0.0, 1e-14);
        assert_near(s.Lambda[MIDDLE], b, 1e-14);
        assert_near(s.gamma_p[END], b, 1e-14);
        strike_check_books(&s);
    }
}

/* mu = 0.3: the end cannot be held down by its own friction. */
static void the_same_rod_with_little_friction_has_one(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    strike s;
    rod_over_shelf(&s, 0.2, 0.3, 0.6);
    const sp_problem p = compression_of(&s);
    assert_int_equal(strike_solve(&s, SP_IMPACT_NEWTON, &o), SP_OK);
    assert_int_equal(s.impact.n_motion, 1);
    assert_near(s.Lambda[MIDDLE], 0.2, 1e-14);
    s.set[0].mu = 0.01;
    assert_true(sp_solution_is_only(&p, 1.0));
    s.set[0].mu = 2.0;
    assert_false(sp_solution_is_only(&p, 1.0));
}

/* Impulses along that depend on each other, as of two corners on one floor, are not several
 * motions: the bound knows them, and so does the count. */
static void dependent_rows_along_are_one_motion(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    strike s;
    case_block(&s, 0.3, 0.2, 0.1, 0.2, 0.0);
    const sp_problem p = compression_of(&s);
    assert_true(sp_solution_is_only(&p, 1.0));
    for (int law = SP_IMPACT_NEWTON; law <= SP_IMPACT_POISSON; law++) {
        case_block(&s, 0.3, 0.2, 1.5, 0.2, 0.0);
        assert_int_equal(strike_solve(&s, (sp_impact_law)law, &o), SP_OK);
        assert_int_equal(s.impact.n_motion, 1);
    }
}

/* One or two bodies with one to three contacts anywhere, much friction. */
static void random_strike(rng *r, strike *s)
{
    memset(s, 0, sizeof *s);
    const int n_body = 1 + rng_int(r, 2), n = 1 + rng_int(r, 3);
    for (int b = 0; b < n_body; b++) {
        case_body(s, rng_in(r, 0.5, 2.0), rng_in(r, 0.02, 0.5), rng_in(r, -1.0, 1.0),
                  rng_in(r, -1.0, 1.0), rng_in(r, -3.0, 3.0));
    }
    for (int i = 0; i < n; i++) {
        const double turn = rng_in(r, -3.2, 3.2);
        case_contact(s, 3 * rng_int(r, n_body), rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 1.0),
                     sin(turn), cos(turn), rng_in(r, 0.0, 3.0), rng_in(r, 0.0, 1.0), 0.0);
    }
    strike_finish(s);
}

/* The least 1/2 L.(xi - c) of the solutions of o; infinite where o has more than it keeps, or one
 * of a singular status with impulses that are round-off of nothing. */
static double least_jump(const oracle *o)
{
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < o->n_found && k < ORACLE_FOUND; k++) {
        double jump = 0.0;
        for (int a = 0; a < o->n; a++) {
            jump += 0.5 * o->L[k][a] * (o->xi[k][a] - o->c[a]);
            most = fmax(most, fabs(o->L[k][a]));
        }
        least = fmin(least, jump);
    }
    return o->n_found <= ORACLE_FOUND && most < 1e9 ? least : INFINITY;
}

/* 1/2 Lambda.G Lambda is this least jump, but for velocities that solvers leave wrong by up to
 * 1e-10 of their terms. */
static void check_jump(const strike *s, const double *Lambda, double least)
{
    double sum = 0.0, size = 0.0;
    for (int a = 0; a < s->p.n; a++) {
        for (int b = 0; b < s->p.n; b++) {
            sum += 0.5 * Lambda[a] * s->G[a * s->p.n + b] * Lambda[b];
            size += fabs(Lambda[a] * s->G[a * s->p.n + b] * Lambda[b]);
        }
    }
    assert_near_scaled(sum, least, size, 1e-10);
}

static void random_impacts_are_counted_and_chosen_as_enumeration_says(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    rng r = {11};
    int seen[3] = {0}, sure = 0;
    for (int n = 0; n < check_cases(2000, 40000); n++) {
        strike s;
        oracle q;
        random_strike(&r, &s);
        const sp_problem p = compression_of(&s);
        if (strike_solve(&s, SP_IMPACT_NEWTON, &o) != SP_OK ||
            s.impact.cause != SP_IMPACT_AS_GIVEN) {
            continue;
        }
        oracle_newton(&q, &s.p);
        oracle_solve(&q);
        const double least = least_jump(&q);
        if (least == INFINITY) {
            continue;
        }
        assert_int_equal(s.impact.n_motion, q.n_motion);
        check_jump(&s, s.Lambda, least);
        if (sp_solution_is_only(&p, 1.0)) {
            assert_int_equal(q.n_motion, 1);
            sure++;
        }
        seen[q.n_motion < 3 ? q.n_motion - 1 : 2]++;
    }
    print_message("one %d (%d by the bound), two %d, more %d\n", seen[0], sure, seen[1], seen[2]);
    assert_true(sure > 100 && seen[2] > 10);
}

/* Both phases of Poisson's law. */
static void both_phases_of_poissons_law_are_counted(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    rng r = {12};
    int several[2] = {0};
    for (int n = 0; n < check_cases(1000, 20000); n++) {
        strike s;
        oracle q;
        double gamma_0[ORACLE_ROWS], E[ORACLE_ROWS];
        random_strike(&r, &s);
        if (strike_solve(&s, SP_IMPACT_POISSON, &o) != SP_OK ||
            s.impact.cause != SP_IMPACT_AS_GIVEN) {
            continue;
        }
        oracle_compression(&q, &s.p);
        oracle_solve(&q);
        const int first = q.n_motion;
        const double least = least_jump(&q);
        oracle_expansion(&q, &s.p, s.Lambda_C, s.impact.prescribed, gamma_0);
        oracle_solve(&q);
        for (int k = 0; k < s.p.n; k++) {
            E[k] = s.Lambda[k] - s.Lambda_C[k];
        }
        const double least_E = least_jump(&q);
        if (least == INFINITY || least_E == INFINITY) {
            continue;
        }
        check_jump(&s, s.Lambda_C, least);
        assert_int_equal(s.impact.n_motion, first > q.n_motion ? first : q.n_motion);
        check_jump(&s, E, least_E);
        several[1] += q.n_motion > 1;
        several[0] += first > 1;
    }
    print_message("several compressions %d, several expansions %d\n", several[0], several[1]);
    assert_true(several[0] > 10 && several[1] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_may_jam_as_it_is_hit_has_three_impacts_and_takes_the_least),
        cmocka_unit_test(the_same_rod_with_little_friction_has_one),
        cmocka_unit_test(dependent_rows_along_are_one_motion),
        cmocka_unit_test(random_impacts_are_counted_and_chosen_as_enumeration_says),
        cmocka_unit_test(both_phases_of_poissons_law_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
