#include "certify/fc_certificate.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

/* One contact with G = diag(2, 4, 4), mu = 0.5. */
typedef struct one {
    sp_set set;
    int row, start[2], column;
    size_t at;
    double G[9], c[3], P[3], scratch[5]; /* xi, size, rho behind judge */
} one;

static one make(double c0, double c1, double c2)
{
    const one o = {sp_set_disc(0.5),
                   0,
                   {0, 1},
                   0,
                   0,
                   {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0},
                   {c0, c1, c2},
                   {0.0, 0.0, 0.0},
                   {0.0}};
    return o;
}

static sp_fc_certificate judge(one *o)
{
    sp_fc_certificate c;
    const sp_fc p = {.n_contact = 1,
                     .n = 3,
                     .set = &o->set,
                     .row = &o->row,
                     .c = o->c,
                     .G = {o->start, &o->column, &o->at, o->G}};
    assert_int_equal(sp_certify_fc_scratch(&p), 5);
    sp_certify_fc(&p, o->P, o->scratch, &c);
    return c;
}

static void closed_forms_have_residual_zero(void **ctx)
{
    (void)ctx;
    one open = make(1.0, 3.0, 0.0), stick = make(-2.0, 1.0, -1.0), slip = make(-2.0, 3.0, 4.0);
    stick.P[0] = 1.0;
    stick.P[1] = -0.25;
    stick.P[2] = 0.25;
    slip.P[0] = 1.0; /* sliding along (3, 4) / 5, friction 0.5 against it */
    slip.P[1] = -0.3;
    slip.P[2] = -0.4;
    one *all[3] = {&open, &stick, &slip};
    for (int k = 0; k < 3; k++) {
        const sp_fc_certificate c = judge(all[k]);
        assert_true(c.scaled < 1e-15 && c.fclib < 1e-15);
        assert_true(c.cone < 1e-15 && c.penetration < 1e-15 && c.gap_work < 1e-15);
        assert_true(c.dissipation < 1e-15);
    }
    assert_near(judge(&slip).work, -0.3 * (3.0 - 1.2) - 0.4 * (4.0 - 1.6), 1e-15);
}

static void a_wrong_percussion_shows_by_its_amount(void **ctx)
{
    (void)ctx;
    one o = make(-2.0, 1.0, -1.0);
    o.P[0] = 1.0 + 1e-6;
    o.P[1] = -0.25;
    o.P[2] = 0.25;
    const sp_fc_certificate c = judge(&o);
    assert_near(o.scratch[0], 2e-6, 1e-14);
    /* rho = 1/4: defect rho 2e-6, size 4 = |-2| + 2 |1| */
    assert_near(c.scaled, 2e-6 / 4.0, 1e-5 * 1e-6);
    assert_true(c.fclib > 0.5e-6 && c.fclib < 2e-6);
}

static void the_error_of_fclib_is_its_formula(void **ctx)
{
    (void)ctx;
    one o = make(-2.0, 3.0, 4.0); /* P = 0: x = -xi~ = (2 - 0.5 * 5, -3, -4) = (-0.5, -3, -4) */
    const double along = (-0.5 + 0.5 * 5.0) / 1.25, T = 0.5 * along;
    assert_near(judge(&o).fclib, sqrt(along * along + T * T) / sqrt(29.0), 1e-15);
}

static void what_leaves_the_cone_or_penetrates_is_named(void **ctx)
{
    (void)ctx;
    one outside = make(-2.0, 0.0, 0.0), pulls = make(1.0, 0.0, 0.0), in = make(-2.0, 0.0, 0.0);
    outside.P[0] = 1.0;
    outside.P[1] = 0.6;
    pulls.P[0] = -0.1;
    assert_near(judge(&outside).cone * (outside.scratch[4] * outside.scratch[3]), 0.1, 1e-14);
    assert_near(judge(&pulls).cone * (pulls.scratch[4] * pulls.scratch[3]), 0.1, 1e-14);
    assert_near(judge(&in).penetration, 1.0, 1e-15);
}

/* Two opposed contacts of one mass: xi_1 = P_1 - P_2 + c_1, xi_2 = -P_1 + P_2 + c_2. */
static sp_fc opposed(const double *c)
{
    static const sp_set set[2] = {{.kind = SP_SET_HALF_LINE}, {.kind = SP_SET_HALF_LINE}};
    static const int row[2] = {0, 1}, start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    static const size_t at[4] = {0, 1, 2, 3};
    static const double G[4] = {1.0, -1.0, -1.0, 1.0};
    return (sp_fc){
        .n_contact = 2, .n = 2, .set = set, .row = row, .c = c, .G = {start, column, at, G}};
}

static void percussions_that_drown_c_solve_nothing(void **ctx)
{
    (void)ctx;
    /* driven together: no solution, but P = (1e17, 1e17) gives xi = 0 in doubles */
    const double c[2] = {-1.0, -1.0}, P[2] = {1e17, 1e17};
    const sp_fc p = opposed(c);
    double scratch[6];
    sp_fc_certificate out;
    sp_certify_fc(&p, P, scratch, &out);
    assert_true(out.scaled > 0.1 && out.fclib > 0.1);
}

static void velocities_below_the_noise_of_their_terms_are_none(void **ctx)
{
    (void)ctx;
    /* c = -1e-12 is what is left of velocities of 1 m/s: nothing has to stop it */
    const double c[2] = {-1e-12, 1e-12}, P[2] = {0.0, 0.0};
    sp_fc p = opposed(c);
    double scratch[6];
    sp_fc_certificate out;
    sp_certify_fc(&p, P, scratch, &out);
    assert_near(out.scaled, 1.0, 1e-12);
    p.xi_scale = 1.0;
    sp_certify_fc(&p, P, scratch, &out);
    assert_near(out.scaled, 1e-12, 1e-15);
}

static void nan_and_infinity_give_nan(void **ctx)
{
    (void)ctx;
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        one P = make(-2.0, 1.0, 1.0), c = make(bad[k], 1.0, 1.0), G = make(-2.0, 1.0, 1.0);
        P.P[1] = bad[k];
        G.G[4] = bad[k];
        G.P[1] = 1.0;
        assert_true(isnan(judge(&P).scaled) && isnan(judge(&P).fclib));
        assert_true(isnan(judge(&c).scaled) && isnan(judge(&c).fclib));
        assert_true(isnan(judge(&G).scaled) && isnan(judge(&G).fclib));
    }
}

static void the_unit_of_mass_does_not_change_the_scaled_number(void **ctx)
{
    (void)ctx;
    one a = make(-2.0, 3.0, -1.0);
    a.P[0] = 0.9;
    a.P[1] = -0.2;
    one b = a;
    for (int k = 0; k < 9; k++) {
        b.G[k] /= 4096.0; /* tons for kilograms, nearly */
    }
    for (int k = 0; k < 3; k++) {
        b.P[k] *= 4096.0;
    }
    assert_near(judge(&a).scaled, judge(&b).scaled, 1e-15);
    assert_true(fabs(judge(&a).fclib - judge(&b).fclib) > 1e-3); /* theirs does change */
}

static void a_proof_of_infeasibility_is_checked(void **ctx)
{
    (void)ctx;
    /* both approach, as with different restitution: y = (1, 1) proves that nothing helps */
    const double c[2] = {-1.0, -1.0}, passing[2] = {-1.0, 1.0}, fine[2] = {1.0, 1.0};
    const double leaks[2] = {1.0, 0.0}, negative[2] = {-1.0, -1.0};
    const sp_fc p = opposed(c), feasible = opposed(passing);
    double scratch[6];
    assert_true(sp_certify_infeasible(&p, fine, scratch));
    assert_false(sp_certify_infeasible(&p, leaks, scratch));
    assert_false(sp_certify_infeasible(&p, negative, scratch));
    assert_false(sp_certify_infeasible(&feasible, fine, scratch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_have_residual_zero),
        cmocka_unit_test(a_wrong_percussion_shows_by_its_amount),
        cmocka_unit_test(the_error_of_fclib_is_its_formula),
        cmocka_unit_test(what_leaves_the_cone_or_penetrates_is_named),
        cmocka_unit_test(percussions_that_drown_c_solve_nothing),
        cmocka_unit_test(velocities_below_the_noise_of_their_terms_are_none),
        cmocka_unit_test(nan_and_infinity_give_nan),
        cmocka_unit_test(the_unit_of_mass_does_not_change_the_scaled_number),
        cmocka_unit_test(a_proof_of_infeasibility_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
