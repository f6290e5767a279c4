#include "impact/law.h"

#include "impact/cases.h"

#include <stdio.h>

/* The table: machine, numbers of its geometry and motion, friction, restitution. */
typedef enum machine { SPHERE, ROD, BLOCK, CRADLE, WEDGE, STICK } machine;

typedef struct impact_case {
    machine kind;
    double a, b, c; /* SPHERE vx;  ROD angle in degrees, vx, spin;  BLOCK b, h;  CRADLE masses;
                     * WEDGE angle in degrees, vx, spin                                     */
    double mu, eps_N, eps_T, eps_2; /* eps_2: eps_N of the second contact of CRADLE, WEDGE  */
} impact_case;

static const impact_case table[] = {
    {SPHERE, 0.0, 0, 0, 0.3, 0.8, 0.5, 0},  /* straight down                           */
    {SPHERE, 0.5, 0, 0, 0.3, 0.8, 0.5, 0},  /* sticks in compression                   */
    {SPHERE, -0.9, 0, 0, 0.3, 0.8, 1.0, 0}, /* the same to the left, all given back    */
    {SPHERE, 1.3, 0, 0, 0.3, 0.8, 0.5, 0},  /* slides in compression: the plateau      */
    {SPHERE, -1.4, 0, 0, 0.3, 0.8, 0.2, 0}, /* the plateau                             */
    {SPHERE, 3.0, 0, 0, 0.3, 0.8, 0.5, 0},  /* slides all the time                     */
    {SPHERE, 3.0, 0, 0, 0.0, 0.8, 0.5, 0},  /* no friction                             */
    {SPHERE, 1.0, 0, 0, 0.5, 0.0, 0.9, 0},  /* nothing given back without eps_N        */
    {SPHERE, 1.0, 0, 0, 0.5, 1.0, 1.0, 0},  /* superball                               */
    {SPHERE, 20.0, 0, 0, 0.5, 1.0, 1.0, 0}, /* superball that slides                   */
    {ROD, 5, 0.0, 0.0, 0.2, 0.5, 0.0, 0},   /* nearly flat                             */
    {ROD, 15, 0.3, 1.0, 0.2, 0.5, 0.0, 0},
    {ROD, 30, -0.5, 2.0, 0.4, 0.7, 0.3, 0},
    {ROD, 45, 0.0, 4.0, 0.8, 1.0, 0.0, 0}, /* gains energy under both laws            */
    {ROD, 45, 0.0, -4.0, 0.8, 1.0, 0.0, 0},
    {ROD, 45, 1.0, 0.0, 0.1, 0.3, 0.9, 0},
    {ROD, 60, -1.0, 3.0, 0.3, 0.6, 0.5, 0},
    {ROD, 63.43, 1.0, 2.0, 2.0, 0.5, 0.0, 0},   /* Painleve */
    {ROD, 63.43, -1.0, -2.0, 2.0, 0.5, 0.4, 0}, /* the other way                         */
    {ROD, 63.43, 0.5, -1.0, 1.5, 0.9, 0.0, 0},
    {ROD, 75, 0.2, -0.5, 0.6, 0.9, 0.8, 0},
    {ROD, 89, 0.7, 0.1, 0.3, 0.2, 0.2, 0},
    {ROD, 90, 0.4, -1.0, 0.5, 0.5, 1.0, 0}, /* upright: no coupling                    */
    {ROD, 120, 0.4, -1.0, 0.5, 0.5, 0.5, 0},
    {ROD, 150, -0.4, 2.0, 0.2, 1.0, 1.0, 0},
    {BLOCK, 0.3, 1.0, 0, 0.8, 0.0, 0.0, 0}, /* slender, no restitution: rocks on       */
    {BLOCK, 0.3, 1.0, 0, 0.8, 0.4, 0.0, 0},
    {BLOCK, 0.3, 1.0, 0, 0.1, 0.4, 0.0, 0},
    {BLOCK, 2.0, 0.5, 0, 0.5, 0.0, 0.0, 0}, /* flat: comes to rest                     */
    {BLOCK, 2.0, 0.5, 0, 0.5, 0.7, 0.3, 0},
    {BLOCK, 1.0, 1.0, 0, 0.05, 1.0, 0.0, 0},
    {CRADLE, 1.0, 1.0, 1.0, 0, 1.0, 0, 1.0},
    {CRADLE, 1.0, 1.0, 1.0, 0, 0.5, 0, 0.5},
    {CRADLE, 1.0, 2.0, 0.5, 0, 0.9, 0, 0.3},
    {CRADLE, 3.0, 1.0, 0.2, 0, 0.2, 0, 1.0},
    {WEDGE, 45, 0.0, 0.0, 0.3, 0.5, 0.0, 0.5},
    {WEDGE, 45, 0.3, 0.0, 0.3, 0.5, 0.0, 0.5},
    {WEDGE, 30, 0.1, 2.0, 0.6, 0.8, 0.5, 0.8},
    {WEDGE, 60, -0.4, -3.0, 0.2, 0.9, 0.0, 0.2},
    {WEDGE, 20, 0.0, 5.0, 1.0, 1.0, 1.0, 0.5},
    {WEDGE, 75, 0.1, 1.0, 0.1, 0.3, 0.2, 0.6},
    {STICK, 0, 0, 0, 0, 0, 0, 0},
};
enum { N_CASE = sizeof table / sizeof table[0] };

static const double degree = 3.14159265358979323846 / 180.0;

static void build(strike *s, const impact_case *q)
{
    const double u[3] = {q->b, -1.0, q->c}, mass[3] = {q->a, q->b, q->c};
    const double eps_N[2] = {q->eps_N, q->eps_2};
    switch (q->kind) {
    case SPHERE:
        case_sphere(s, q->a, q->mu, q->eps_N, q->eps_T);
        break;
    case ROD:
        case_rod(s, 0.5, q->a * degree, u, q->mu, q->eps_N, q->eps_T);
        break;
    case BLOCK:
        case_block(s, q->a, q->b, q->mu, q->eps_N, q->eps_T);
        break;
    case CRADLE:
        case_cradle(s, mass, q->eps_N, q->eps_2);
        break;
    case WEDGE:
        case_wedge(s, q->a * degree, q->b, q->c, q->mu, eps_N, q->eps_T);
        break;
    case STICK:
        case_stick(s);
        break;
    }
}

/* Every case of the table under every law, against the solutions found by trying all states. */
static void the_table_of_impacts_agrees_with_enumeration(void **ctx)
{
    (void)ctx;
    static const char *name[3] = {"Newton", "Poisson", "Poisson without gamma_TE0"};
    assert_true(N_CASE >= 30);
    for (int l = 0; l < 3; l++) {
        double worst = 0.0, worst_far = 0.0;
        int gains = 0, several = 0;
        for (int k = 0; k < N_CASE; k++) {
            strike s;
            double far = 0.0;
            int motions = 0;
            sp_impact_options o = sp_impact_options_default();
            o.prescribed = l == 1;
            build(&s, &table[k]);
            assert_int_equal(SP_OK,
                             strike_solve(&s, l == 0 ? SP_IMPACT_NEWTON : SP_IMPACT_POISSON, &o));
            worst = check_worse(worst, strike_violation(&s, l == 1, &far, &motions));
            worst_far = check_worse(worst_far, far);
            several += motions > 1;
            assert_true(motions >= 1 && far < 1e-12);
            strike_check_books(&s);
            gains += s.impact.gained;
            assert_true(s.impact.s == 1.0 && s.impact.cause == SP_IMPACT_AS_GIVEN);
        }
        printf("%s: %d impacts, %d gain energy, %d have several solutions; violation %.1e, "
               "distance %.1e\n",
               name[l], (int)N_CASE, gains, several, worst, worst_far);
        assert_true(worst < 1e-13);
    }
}

/* Newton's cradle is not Newton's law's: both laws move the last two balls together. */
static void three_equal_balls_do_not_behave_as_a_cradle(void **ctx)
{
    (void)ctx;
    const double mass[3] = {1.0, 1.0, 1.0};
    const sp_impact_options o = sp_impact_options_default();
    for (int law = 0; law < 2; law++) {
        strike s;
        case_cradle(&s, mass, 1.0, 1.0);
        assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
        assert_near(s.u_p[0], -1.0 / 3.0, 1e-15);
        assert_near(s.u_p[1], 2.0 / 3.0, 1e-15);
        assert_near(s.u_p[2], 2.0 / 3.0, 1e-15);
        assert_near(s.impact.energy.total, 0.0, 1e-15);
        assert_false(s.impact.gained);
    }
    /* unlike restitution parts them: 0 between the first two, 1 behind */
    strike s;
    case_cradle(&s, mass, 0.0, 1.0);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    /* compression: all at 1/3, Lambda = (2/3, 1/3); ball 3 gets 1/3 more, 1 and 2 stay together
     * and give it: u = (1/3 - 1/6, same, 2/3) */
    assert_near(s.u_p[0], 1.0 / 6.0, 1e-15);
    assert_near(s.u_p[1], 1.0 / 6.0, 1e-15);
    assert_near(s.u_p[2], 2.0 / 3.0, 1e-15);
}

/* A slender block that does not slip goes on about the other corner with (1 - 3/2 sin^2 alpha) om.
 */
static void a_slender_block_rocks_on_about_its_other_corner(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    for (int law = 0; law < 2; law++) {
        for (int k = 1; k < 10; k++) {
            const double b = 0.08 * k, sin2 = b * b / (b * b + 1.0);
            strike s;
            case_block(&s, b, 1.0, 5.0, 0.0, 0.0);
            assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
            assert_near(s.u_p[2], -(1.0 - 1.5 * sin2), 1e-14);
            assert_int_equal(SP_OPEN, s.status[0]);
            assert_int_equal(SP_STICK, s.status[1]);
        }
    }
}

static void the_impacting_stick_gains_energy_and_says_so(void **ctx)
{
    (void)ctx;
    strike s;
    sp_impact_options o = sp_impact_options_default();
    case_stick(&s);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_near(s.Lambda[0], 0.3732781669189638, 1e-12);
    assert_near(s.Lambda[1], 0.01 * s.Lambda[0], 1e-15);
    assert_near(s.u_p[0], -0.50373278, 1e-8);
    assert_near(s.u_p[1], -0.12946272, 1e-8);
    assert_near(s.u_p[2], 1.67746072, 1e-8);
    assert_true(s.impact.gained);
    assert_near(s.impact.energy.total, s.T_p - s.T_m, 1e-15);
    printf("impacting stick: energy gained %.4f %%\n", 100.0 * s.impact.energy.total / s.T_m);
    assert_near(100.0 * s.impact.energy.total / s.T_m, 0.281, 5e-4);

    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o)); /* the other law loses some */
    assert_true(s.impact.energy.total < 0.0);

    o.remedy_gain = true;
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_int_equal(SP_IMPACT_GAIN, s.impact.cause);
    assert_true(s.impact.s > 0.9 && s.impact.s < 1.0);
    assert_true(s.impact.energy.total <= 0.0);
    assert_near(s.impact.energy.total, 0.0, 1e-13);
    assert_near(100.0 * s.impact.given / s.T_m, 0.281, 5e-4);
}

/* A point between two walls, as W: moves up with speed 1. */
static void between_walls(strike *s, double eps_lower, double eps_upper)
{
    memset(s, 0, sizeof *s);
    s->dof = 1;
    s->mass[0] = 1.0;
    s->u_m[0] = -1.0;
    int k = strike_contact(s, sp_set_half_line(), eps_lower, 0.0);
    s->W[0][k] = 1.0;
    k = strike_contact(s, sp_set_half_line(), eps_upper, 0.0);
    s->W[0][k] = -1.0;
    strike_finish(s);
}

static void contradicting_contacts_are_proved_and_share_the_least_restitution(void **ctx)
{
    (void)ctx;
    strike s;
    double eps_N[2];
    sp_impact_options o = sp_impact_options_default();
    /* hit from above: u+ >= eps_lower, -u+ >= -eps_upper */
    between_walls(&s, 0.2, 0.8);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_near(s.u_p[0], 0.2, 1e-14);

    between_walls(&s, 0.8, 0.2);
    o.remedy_infeasible = false;
    assert_int_equal(SP_E_INFEASIBLE, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_int_equal(SP_INFEASIBLE, s.impact.result);
    assert_true(s.Lambda[0] == 0.0 && s.Lambda[1] == 0.0);
    assert_true(s.gamma_p[0] == s.gamma_m[0]);
    /* the proof: y >= 0, W y = 0, y'(1 + eps) gamma_m < 0 */
    const double *y = s.Lambda_C;
    assert_true(y[0] > 0.0 && y[1] > 0.0);
    assert_near(y[0], y[1], 1e-12);
    assert_true(y[0] * 1.8 * s.gamma_m[0] + y[1] * 1.2 * s.gamma_m[1] < 0.0);

    o.remedy_infeasible = true;
    s.impact.eps_N = eps_N;
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_int_equal(SP_IMPACT_INFEASIBLE, s.impact.cause);
    assert_true(eps_N[0] == 0.2 && eps_N[1] == 0.2 && s.impact.s == 1.0);
    assert_near(s.u_p[0], 0.2, 1e-14);
    assert_true(isnan(s.impact.given));
    /* Poisson's law has an answer: what the lower wall gives the upper one takes */
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    assert_near(s.u_p[0], 0.0, 1e-14);
}

/* Dependent contacts with unlike coefficients: solved, with coefficients that solve them. */
static void dependent_contacts_always_get_an_answer_from_newtons_law(void **ctx)
{
    (void)ctx;
    rng r = {77};
    int remedied = 0, scaled = 0, failed = 0;
    const int cases = check_cases(400, 5000);
    for (int c = 0; c < cases; c++) {
        strike s;
        double eps_N[ORACLE_CONTACTS];
        const sp_impact_options o = sp_impact_options_default();
        memset(&s, 0, sizeof s);
        s.dof = 1 + rng_int(&r, 2);
        const int n_contact = s.dof + 1 + rng_int(&r, 3);
        for (int i = 0; i < n_contact; i++) {
            const int k = strike_contact(
                &s, rng_flip(&r) ? sp_set_half_line() : sp_set_planar(rng_in(&r, 0.0, 0.5)),
                rng_in(&r, 0.0, 1.0), 0.0);
            for (int d = 0; d < s.dof; d++) {
                s.mass[d] = 1.0;
                s.u_m[d] = rng_in(&r, -1.0, 1.0);
                s.W[d][k] = rng_in(&r, -1.0, 1.0);
                s.W[d][k + 1] = rng_in(&r, -1.0, 1.0);
            }
            if (s.set[i].kind == SP_SET_HALF_LINE) {
                for (int d = 0; d < s.dof; d++) {
                    s.W[d][k + 1] = 0.0;
                }
            }
        }
        strike_finish(&s);
        s.impact.eps_N = eps_N;
        if (strike_solve(&s, SP_IMPACT_NEWTON, &o) != SP_OK) {
            failed++;
            printf("failed: %s\n", s.err.text);
            continue;
        }
        remedied += s.impact.cause == SP_IMPACT_INFEASIBLE;
        scaled += s.impact.s < 1.0;
        oracle q;
        double xi[ORACLE_ROWS];
        for (int i = 0; i < n_contact; i++) {
            assert_true(eps_N[i] <= s.eps_N[i]);
            s.eps_N[i] = s.impact.s * eps_N[i];
        }
        oracle_newton(&q, &s.p);
        assert_true(oracle_violation(&q, s.Lambda, xi) < 2e-11);
    }
    printf("dependent contacts: %d impacts, %d infeasible as given, %d scaled, %d failed\n", cases,
           remedied, scaled, failed);
    assert_true(remedied > cases / 20);
    assert_int_equal(0, failed);
}

static void bounded_forces_have_no_impulse_and_free_rows_no_restitution(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    for (int law = 0; law < 2; law++) {
        strike s, bare;
        const double u[3] = {0.3, -1.0, 2.0};
        case_rod(&bare, 0.5, 0.7, u, 0.3, 0.6, 0.2);
        assert_int_equal(SP_OK, strike_solve(&bare, (sp_impact_law)law, &o));
        s = bare;
        /* a clutch on the rod's spin: 5 N m; eps there means nothing, not even a bad one */
        const int k = strike_contact(&s, sp_set_interval(-5.0, 5.0), 7.0, 7.0);
        s.W[2][k] = 1.0;
        strike_finish(&s);
        assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
        for (int d = 0; d < 3; d++) {
            assert_near(s.u_p[d], bare.u_p[d], 1e-15);
        }
        assert_true(s.Lambda[k] == 0.0);

        /* a free wheel: one side only, without restitution */
        s = bare;
        strike_contact(&s, sp_set_interval(0.0, INFINITY), 0.9, 0.9);
        s.W[2][k] = 1.0;
        strike_finish(&s);
        assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
        assert_true(s.Lambda[k] >= 0.0 && s.gamma_p[k] >= 0.0);
        assert_near(s.Lambda[k] * s.gamma_p[k], 0.0, 1e-15);

        /* a bearing: the spin stops, whatever eps says */
        s = bare;
        strike_contact(&s, sp_set_free(), 0.9, 0.9);
        s.W[2][k] = 1.0;
        strike_finish(&s);
        assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
        assert_near(s.u_p[2], 0.0, 1e-15);
        strike_check_books(&s);
    }
}

static void what_is_no_impact_is_refused_in_words(void **ctx)
{
    (void)ctx;
    const sp_impact_options o = sp_impact_options_default();
    const double bad[3] = {-0.1, 1.1, NAN};
    strike s;
    for (int k = 0; k < 3; k++) {
        case_sphere(&s, 1.0, 0.3, bad[k], 0.0);
        assert_int_equal(SP_E_INPUT, strike_solve(&s, SP_IMPACT_NEWTON, &o));
        assert_non_null(strstr(s.err.text, "eps_N"));
        case_sphere(&s, 1.0, 0.3, 0.5, bad[k]);
        assert_int_equal(SP_E_INPUT, strike_solve(&s, SP_IMPACT_POISSON, &o));
        assert_non_null(strstr(s.err.text, "eps_T"));
    }
    case_sphere(&s, 1.0, 0.3, 0.5, 0.0);
    s.set[0].shifted = 1;
    assert_int_equal(SP_E_INPUT, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_non_null(strstr(s.err.text, "shifted"));
    memset(&s, 0, sizeof s);
    s.dof = 3;
    strike_contact(&s, sp_set_disc(0.3), 0.5, 0.0);
    for (int d = 0; d < 3; d++) {
        s.mass[d] = 1.0;
        s.W[d][d] = 1.0;
    }
    strike_finish(&s);
    assert_int_equal(SP_E_INPUT, strike_solve(&s, SP_IMPACT_NEWTON, &o));
    assert_non_null(strstr(s.err.text, "spatial friction"));
    case_sphere(&s, 1.0, 0.3, 0.5, 0.0);
    s.gamma_m[1] = NAN;
    assert_int_equal(SP_E_NONFINITE, strike_solve(&s, SP_IMPACT_POISSON, &o));
    s.row[0] = 1;
    assert_int_equal(SP_E_INPUT, strike_solve(&s, SP_IMPACT_POISSON, &o));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_impacts_agrees_with_enumeration),
        cmocka_unit_test(three_equal_balls_do_not_behave_as_a_cradle),
        cmocka_unit_test(a_slender_block_rocks_on_about_its_other_corner),
        cmocka_unit_test(the_impacting_stick_gains_energy_and_says_so),
        cmocka_unit_test(contradicting_contacts_are_proved_and_share_the_least_restitution),
        cmocka_unit_test(dependent_contacts_always_get_an_answer_from_newtons_law),
        cmocka_unit_test(bounded_forces_have_no_impulse_and_free_rows_no_restitution),
        cmocka_unit_test(what_is_no_impact_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
