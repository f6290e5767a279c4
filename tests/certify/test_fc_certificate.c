#include "certify/fc_certificate.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

/* One contact with G = diag(2, 4, 4), mu = 0.5. */
typedef struct one {
    sp_set set;
    int row, start[2], column;
    size_t at;
    double G[9], c[3], P[3], xi[3], size, rho;
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
                   {0.0},
                   0.0,
                   0.0};
    return o;
}

static sp_fc_certificate judge(one *o)
{
    sp_fc_certificate c;
    sp_certify_blocks(1, &o->set, &o->row, o->start, &o->column, &o->at, o->G, o->c, o->P, o->xi,
                      &o->size, &o->rho);
    sp_certify_fc(1, &o->set, &o->row, o->c, o->P, o->xi, &o->size, &o->rho, &c);
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
    assert_near(o.xi[0], 2e-6, 1e-14);
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
    assert_near(judge(&outside).cone * (outside.rho * outside.size), 0.1, 1e-14);
    assert_near(judge(&pulls).cone * (pulls.rho * pulls.size), 0.1, 1e-14);
    assert_near(judge(&in).penetration, 1.0, 1e-15);
}

static void percussions_that_drown_c_solve_nothing(void **ctx)
{
    (void)ctx;
    /* opposed contacts driven together: no solution, but P = (1e17, 1e17) gives xi = 0 in doubles
     */
    const sp_set set[2] = {sp_set_half_line(), sp_set_half_line()};
    const int row[2] = {0, 1}, start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    const size_t at[4] = {0, 1, 2, 3};
    const double G[4] = {1.0, -1.0, -1.0, 1.0}, c[2] = {-1.0, -1.0}, P[2] = {1e17, 1e17};
    double xi[2], size[2], rho[2];
    sp_fc_certificate out;
    sp_certify_blocks(2, set, row, start, column, at, G, c, P, xi, size, rho);
    sp_certify_fc(2, set, row, c, P, xi, size, rho, &out);
    assert_true(out.scaled > 0.1 && out.fclib > 0.1);
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

static void bodies_and_blocks_tell_the_same(void **ctx)
{
    (void)ctx;
    /* a point mass 0.5 on the ground: G = diag(2, 2, 2) rotated: H any orthogonal matrix */
    const double H[9] = {0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0};
    const double M_inv[9] = {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0};
    double G[9], c[3] = {-1.0, 0.3, 0.2}, P[3] = {0.4, -0.1, 0.05};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            G[3 * a + b] = 0.0;
            for (int k = 0; k < 3; k++) {
                G[3 * a + b] += H[3 * a + k] * M_inv[4 * k] * H[3 * b + k];
            }
        }
    }
    const sp_set set = sp_set_disc(0.3);
    const int row = 0, start[2] = {0, 1}, column = 0, dof[2] = {0, 3}, body = 0;
    const size_t at = 0;
    const sp_certify_factors F = {1, dof, &at, M_inv, start, &body, &at, H};
    double xi[3], size, rho, xi2[3], size2, rho2, v[6];
    sp_certify_blocks(1, &set, &row, start, &column, &at, G, c, P, xi, &size, &rho);
    sp_certify_bodies(1, &set, &row, &F, c, P, xi2, &size2, &rho2, v);
    for (int a = 0; a < 3; a++) {
        assert_near(xi[a], xi2[a], 1e-15);
    }
    assert_near(rho, rho2, 1e-15);
}

static void a_proof_of_infeasibility_is_checked(void **ctx)
{
    (void)ctx;
    /* two opposed contacts of one mass with different restitution: xi_1 = P_1 - P_2 - 1,
     * xi_2 = -P_1 + P_2 - 1 */
    const sp_set set[2] = {sp_set_half_line(), sp_set_half_line()};
    const int row[2] = {0, 1}, start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    const size_t at[4] = {0, 1, 2, 3};
    const double G[4] = {1.0, -1.0, -1.0, 1.0}, c[2] = {-1.0, -1.0}, fine[2] = {1.0, 1.0};
    const double wrong[2] = {1.0, 0.0}, negative[2] = {-1.0, -1.0}, feasible[2] = {-1.0, 1.0};
    double t[2], leak;
    int sign;
    assert_near(sp_certify_infeasible(2, set, row, start, column, at, G, c, fine, t, &leak, &sign),
                -1.0, 1e-15);
    assert_true(leak == 0.0 && sign);
    sp_certify_infeasible(2, set, row, start, column, at, G, c, wrong, t, &leak, &sign);
    assert_true(leak > 0.1);
    sp_certify_infeasible(2, set, row, start, column, at, G, c, negative, t, &leak, &sign);
    assert_false(sign);
    assert_true(sp_certify_infeasible(2, set, row, start, column, at, G, feasible, fine, t, &leak,
                                      &sign) > -1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_have_residual_zero),
        cmocka_unit_test(a_wrong_percussion_shows_by_its_amount),
        cmocka_unit_test(the_error_of_fclib_is_its_formula),
        cmocka_unit_test(what_leaves_the_cone_or_penetrates_is_named),
        cmocka_unit_test(percussions_that_drown_c_solve_nothing),
        cmocka_unit_test(nan_and_infinity_give_nan),
        cmocka_unit_test(the_unit_of_mass_does_not_change_the_scaled_number),
        cmocka_unit_test(bodies_and_blocks_tell_the_same),
        cmocka_unit_test(a_proof_of_infeasibility_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
