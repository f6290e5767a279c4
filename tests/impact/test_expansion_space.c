#include "impact/expansion.h"

#include "impact/cases.h"
#include "impact/strike.h"

#include <stdio.h>

static const double degree = 3.14159265358979323846 / 180.0;

/* A uniform sphere in space, radius 1, mass 1, on the plane z = 0: normal, then two tangents turned
 * by angle.  gamma_T = v_xy + e_z-arm of the spin. */
static void ball_in_space(strike *s, double x, double heading, double angle, double mu,
                          double eps_N, double eps_T)
{
    memset(s, 0, sizeof *s);
    s->dof = 6;
    for (int d = 0; d < 6; d++) {
        s->mass[d] = d < 3 ? 1.0 : 0.4;
    }
    const double c = cos(heading), n = sin(heading);
    s->u_m[0] = 0.3 * x * c;
    s->u_m[1] = 0.3 * x * n;
    s->u_m[2] = -1.0;
    s->u_m[3] = 0.7 * x * n; /* omega x (0, 0, -1) = (-omega_y, omega_x, 0) */
    s->u_m[4] = -0.7 * x * c;
    const int k = strike_contact(s, sp_set_disc(mu), eps_N, eps_T);
    const double t[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    s->W[2][k] = 1.0;
    for (int a = 0; a < 2; a++) {
        s->W[0][k + 1 + a] = t[a][0];
        s->W[1][k + 1 + a] = t[a][1];
        s->W[3][k + 1 + a] = t[a][1];
        s->W[4][k + 1 + a] = -t[a][0];
    }
    strike_finish(s);
}

/* The cross-check: thrown at 37 degrees to the axes of its tangent plane, a superball rebounds as
 * in the plane. */
static void a_superball_in_space_rebounds_as_in_the_plane(void **ctx)
{
    (void)ctx;
    static const double eps[3][2] = {{1.0, 1.0}, {0.8, 0.4}, {0.6, 0.0}};
    sp_fc_work fc = {0};
    double worst = 0.0;
    for (int c = 0; c < 3 * 14 * 3; c++) {
        const double *e = eps[c % 3], x = 0.21 * (c / 3 % 14), mu = 0.4;
        const int way = c / 42;
        sp_impact_options o = sp_impact_options_default();
        strike plane, space;
        o.fc = &fc;
        o.prescribed = way != 2;
        const sp_impact_law law = way == 0 ? SP_IMPACT_NEWTON : SP_IMPACT_POISSON;
        case_sphere(&plane, x, mu, e[0], e[1]);
        ball_in_space(&space, x, 37.0 * degree, 0.0, mu, e[0], e[1]);
        assert_int_equal(SP_OK, strike_solve(&plane, law, &o));
        assert_int_equal(SP_OK, strike_solve(&space, law, &o));
        const double along =
            space.gamma_p[1] * cos(37.0 * degree) + space.gamma_p[2] * sin(37.0 * degree);
        const double across =
            -space.gamma_p[1] * sin(37.0 * degree) + space.gamma_p[2] * cos(37.0 * degree);
        worst = check_worse(worst, fabs(space.gamma_p[0] - plane.gamma_p[0]));
        worst = check_worse(worst, fabs(along - plane.gamma_p[1]));
        worst = check_worse(worst, fabs(across));
        worst = check_worse(
            worst, fabs(space.impact.energy.restitution - plane.impact.energy.restitution));
        strike_check_books(&space);
    }
    sp_fc_work_free(&fc);
    printf("superball in space: differs by %.1e\n", worst);
    assert_true(worst < 1e-11);
}

/* v.L minus the least of v.z over the disc of this radius with z.t >= cut: 0 for -v in N(L). */
static double excess(const double *v, const double *L, double radius, const double *t, double cut)
{
    const double len = hypot(v[0], v[1]), turned = v[0] * -t[1] + v[1] * t[0];
    double least = -radius * len;
    if (len > 0.0 && -radius * (v[0] * t[0] + v[1] * t[1]) / len < cut) {
        least = cut * (v[0] * t[0] + v[1] * t[1]) -
                sqrt(fmax(radius * radius - cut * cut, 0.0)) * fabs(turned);
    }
    return v[0] * L[0] + v[1] * L[1] - least;
}

/* The largest violation of contact i: impulses L at velocities xi, in units of energy. */
static double violation(const strike *s, int i, const double *L, const double *xi, double least,
                        const double *t, double cut)
{
    const int N = s->row[i];
    const double mu = s->set[i].mu;
    double bad = fmax(fmax(least - L[N], -xi[N]), fabs((L[N] - least) * xi[N]));
    if (s->set[i].kind == SP_SET_PLANAR) {
        const double L2[2] = {L[N + 1], 0.0}, v2[2] = {xi[N + 1], 0.0};
        bad = fmax(bad, fmax(fabs(L2[0]) - mu * L[N], cut - L2[0] * t[0]));
        return fmax(bad, fabs(excess(v2, L2, mu * L[N], t, cut)));
    }
    bad = fmax(bad, hypot(L[N + 1], L[N + 2]) - mu * L[N]);
    bad = fmax(bad, cut - (L[N + 1] * t[0] + L[N + 2] * t[1]));
    return fmax(bad, fabs(excess(xi + N + 1, L + N + 1, mu * L[N], t, cut)));
}

/* Both phases of a solved impact against the definition. */
static double both_phases(const strike *s, bool prescribed)
{
    const int n = s->p.n;
    double worst = 0.0, E[ORACLE_ROWS], least[ORACLE_ROWS] = {0.0}, xi[ORACLE_ROWS];
    const double any[2] = {1.0, 0.0};
    for (int k = 0; k < n; k++) {
        E[k] = s->Lambda[k] - s->Lambda_C[k];
        xi[k] = s->gamma_p[k];
    }
    for (int i = 0; i < s->p.n_contact; i++) {
        const int N = s->row[i];
        worst = check_worse(worst, violation(s, i, s->Lambda_C, s->gamma_C, 0.0, any, -INFINITY));
        least[N] = s->eps_N[i] * s->Lambda_C[N];
        for (int k = N + 1; k < N + sp_set_dim(&s->set[i]); k++) {
            least[k] = s->eps_N[i] * s->eps_T[i] * s->Lambda_C[k];
        }
    }
    for (int i = 0; i < s->p.n_contact; i++) {
        const int N = s->row[i];
        const bool space = s->set[i].kind == SP_SET_DISC;
        const double C[2] = {s->Lambda_C[N + 1], space ? s->Lambda_C[N + 2] : 0.0};
        const double len = hypot(C[0], C[1]),
                     t[2] = {len > 0.0 ? C[0] / len : 1.0, len > 0.0 ? C[1] / len : 0.0};
        const double cut = len > 0.0 ? s->eps_N[i] * s->eps_T[i] * len : -INFINITY;
        for (int k = N + 1; k < N + sp_set_dim(&s->set[i]) && prescribed; k++) {
            for (int j = 0; j < n; j++) {
                xi[k] -= s->G[k * n + j] * least[j];
            }
        }
        worst = check_worse(worst, violation(s, i, E, xi, least[N], t, cut));
    }
    return worst;
}

/* Coupled contacts, in space and in the plane, of a random mechanism. */
static void random_in_space(rng *r, strike *s)
{
    memset(s, 0, sizeof *s);
    const int n_contact = 1 + rng_int(r, 3);
    for (int i = 0; i < n_contact; i++) {
        const double mu = rng_in(r, 0.0, 0.8);
        strike_contact(s, i > 0 && rng_int(r, 4) == 0 ? sp_set_planar(mu) : sp_set_disc(mu),
                       rng_in(r, 0.0, 1.0), rng_flip(r) ? 0.0 : rng_in(r, 0.0, 1.0));
    }
    s->dof = s->p.n + 1;
    for (int d = 0; d < s->dof; d++) {
        s->mass[d] = rng_in(r, 0.5, 2.0);
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

static void coupled_impacts_in_space_obey_the_law_by_its_definition(void **ctx)
{
    (void)ctx;
    rng r = {4711};
    sp_fc_work fc = {0};
    double worst[2] = {0.0, 0.0};
    int failed = 0, gains[2] = {0, 0};
    const int cases = check_cases(300, 5000);
    for (int c = 0; c < cases; c++) {
        strike s;
        random_in_space(&r, &s);
        for (int with = 0; with < 2; with++) {
            sp_impact_options o = sp_impact_options_default();
            o.prescribed = with == 1;
            o.remedy_infeasible = false;
            o.fc = &fc;
            if (strike_solve(&s, SP_IMPACT_POISSON, &o) != SP_OK) {
                failed++;
                printf("failed: %s\n", s.err.text);
                continue;
            }
            worst[with] = check_worse(worst[with], both_phases(&s, with == 1));
            gains[with] += s.impact.gained;
            strike_check_books(&s);
        }
    }
    sp_fc_work_free(&fc);
    printf("in space: %d impacts, violation %.1e (with gamma_TE0) and %.1e, gains %d and %d, "
           "failed %d\n",
           cases, worst[1], worst[0], gains[1], gains[0], failed);
    assert_true(worst[0] < 1e-9 && worst[1] < 1e-9);
    assert_int_equal(0, failed);
}

/* Newton's law in space, by its definition, and a rotated frame. */
static void newtons_law_in_space_obeys_its_definition(void **ctx)
{
    (void)ctx;
    rng r = {12};
    sp_fc_work fc = {0};
    double worst = 0.0;
    const double any[2] = {1.0, 0.0};
    for (int c = 0; c < check_cases(200, 4000); c++) {
        strike s;
        sp_impact_options o = sp_impact_options_default();
        double xi[ORACLE_ROWS];
        o.fc = &fc;
        random_in_space(&r, &s);
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_NEWTON, &o));
        for (int i = 0; i < s.p.n_contact; i++) {
            const int N = s.row[i];
            xi[N] = s.gamma_p[N] + s.eps_N[i] * s.gamma_m[N];
            for (int k = N + 1; k < N + sp_set_dim(&s.set[i]); k++) {
                xi[k] = s.gamma_p[k] + s.eps_T[i] * s.gamma_m[k];
            }
            worst = check_worse(worst, violation(&s, i, s.Lambda, xi, 0.0, any, -INFINITY));
        }
        strike_check_books(&s);
    }
    sp_fc_work_free(&fc);
    printf("Newton in space: violation %.1e\n", worst);
    assert_true(worst < 1e-9);
}

/* The tangents' choice means nothing. */
static void turning_the_tangents_turns_the_impulse(void **ctx)
{
    (void)ctx;
    sp_fc_work fc = {0};
    sp_impact_options o = sp_impact_options_default();
    o.fc = &fc;
    for (int k = 0; k < 12; k++) {
        strike a, b;
        const double angle = 0.4 + 0.5 * k;
        ball_in_space(&a, 1.5, 0.2, 0.0, 0.4, 0.9, 0.6);
        ball_in_space(&b, 1.5, 0.2, angle, 0.4, 0.9, 0.6);
        assert_int_equal(SP_OK, strike_solve(&a, SP_IMPACT_POISSON, &o));
        assert_int_equal(SP_OK, strike_solve(&b, SP_IMPACT_POISSON, &o));
        for (int d = 0; d < 6; d++) {
            assert_near(a.u_p[d], b.u_p[d], 1e-11);
        }
    }
    sp_fc_work_free(&fc);
}

static const double FEET[4][3] = {
    {-0.2, -0.1, -0.05}, {0.2, -0.1, -0.05}, {0.2, 0.1, -0.05}, {-0.2, 0.1, -0.05}};
static const double TABLE[3] = {0.005, 0.015, 0.018};

/* A table dropped flat stops or rebounds with equal impulses at its four feet and without friction,
 * one that slides on has a quarter of all impulses with mirrored friction: as there are four feet
 * for three conditions, this is a choice, the least of all. */
static void a_table_dropped_flat_has_equal_impulses(void **ctx)
{
    (void)ctx;
    sp_fc_work fc = {0};
    for (int law = 0; law < 2; law++) {
        strike s;
        sp_impact_options o = sp_impact_options_default();
        const double u[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
        o.fc = &fc;
        case_feet(&s, TABLE, 4, FEET, u, 0.3, 0.5);
        assert_int_equal(SP_OK, strike_solve(&s, (sp_impact_law)law, &o));
        for (int i = 0; i < 4; i++) {
            assert_near(s.Lambda[3 * i], 1.5 / 4.0, 1e-12);
            assert_near(s.Lambda[3 * i + 1], 0.0, 1e-12);
            assert_near(s.Lambda[3 * i + 2], 0.0, 1e-12);
        }
        assert_near(s.u_p[2], 0.5, 1e-12);
    }
    sp_fc_work_free(&fc);
}

/* The mirror image in y of a table that comes down turning about y is the table itself: feet 0 and
 * 3, 1 and 2 have the same impulses, friction across is opposed; at the edge of slip (v = mu (1 +
 * what it turns)), too, where compression leaves friction at its limit without motion. */
static void a_symmetric_table_is_hit_symmetrically(void **ctx)
{
    (void)ctx;
    sp_fc_work fc = {0};
    double worst = 0.0;
    for (int c = 0; c < 2 * 8 * 9; c++) {
        strike s;
        sp_impact_options o = sp_impact_options_default();
        const double u[6] = {0.1 * (c / 2 % 8), 0.0, -1.0, 0.0, 0.5 * (c / 16 - 4), 0.0};
        o.fc = &fc;
        o.prescribed = c % 2;
        case_feet(&s, TABLE, 4, FEET, u, 0.3, 0.5);
        assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
        assert_int_equal(SP_IMPACT_AS_GIVEN, s.impact.cause);
        for (int a = 0; a < 3; a++) {
            const double sign = a == 2 ? -1.0 : 1.0;
            worst = check_worse(worst, fabs(s.Lambda[a] - sign * s.Lambda[9 + a]));
            worst = check_worse(worst, fabs(s.Lambda[3 + a] - sign * s.Lambda[6 + a]));
        }
        worst = check_worse(worst, fabs(s.u_p[1]) + fabs(s.u_p[3]) + fabs(s.u_p[5]));
        strike_check_books(&s);
    }
    sp_fc_work_free(&fc);
    printf("symmetric tables: %.1e off\n", worst);
    assert_true(worst < 1e-10);
}

/* v = 0.3 = mu times all of the normal impulse: compression just stops it.  Of the 0.03 it takes to
 * stop the turning, friction gives 0.3 times the arm of 0.05, normal impulses 0.015, and half of
 * these comes back: omega_y = 0.5 0.015/J.  Counted from rest, friction may not push it on. */
static void restitution_is_whole_at_the_edge_of_slip(void **ctx)
{
    (void)ctx;
    sp_fc_work fc = {0};
    strike s;
    sp_impact_options o = sp_impact_options_default();
    const double u[6] = {0.3, 0.0, -1.0, 0.0, -2.0, 0.0};
    o.fc = &fc;
    o.prescribed = false;
    case_feet(&s, TABLE, 4, FEET, u, 0.3, 0.5);
    assert_int_equal(SP_OK, strike_solve(&s, SP_IMPACT_POISSON, &o));
    assert_int_equal(SP_IMPACT_AS_GIVEN, s.impact.cause);
    assert_true(s.impact.s == 1.0);
    assert_near(s.u_p[2], 0.5, 1e-12);
    assert_near(s.u_p[0], 0.0, 1e-12);
    assert_near(s.u_p[4], 0.5, 1e-12);
    sp_fc_work_free(&fc);
}

/* Two feet in space against the same two in the plane: along the line between them friction is one
 * unknown too many, and the choice of compression decides about the motion. */
static void dependent_feet_move_as_in_the_plane(void **ctx)
{
    (void)ctx;
    static const double two[2][3] = {{-0.2, 0.0, -0.05}, {0.2, 0.0, -0.05}};
    const double J = 0.0425 / 3.0, J3[3] = {J, J, J};
    sp_fc_work fc = {0};
    double worst = 0.0;
    for (int c = 0; c < 60; c++) {
        strike plane, space;
        sp_impact_options o = sp_impact_options_default();
        const double v = 0.05 * (c % 6), w = 0.25 * (c / 6 - 5);
        const double u[6] = {v, 0.0, -0.2, 0.0, w, 0.0};
        o.fc = &fc;
        case_feet(&space, J3, 2, two, u, 0.5, 0.5);
        memset(&plane, 0, sizeof plane);
        const int d = case_body(&plane, 1.0, J, v, -0.2, -w);
        case_contact(&plane, d, -0.2, -0.05, 0.0, 1.0, 0.5, 0.5, 0.0);
        case_contact(&plane, d, 0.2, -0.05, 0.0, 1.0, 0.5, 0.5, 0.0);
        strike_finish(&plane);
        assert_int_equal(SP_OK, strike_solve(&plane, SP_IMPACT_POISSON, &o));
        assert_int_equal(SP_OK, strike_solve(&space, SP_IMPACT_POISSON, &o));
        worst = check_worse(worst, fabs(space.u_p[0] - plane.u_p[0]));
        worst = check_worse(worst, fabs(space.u_p[2] - plane.u_p[1]));
        worst = check_worse(worst, fabs(space.u_p[4] + plane.u_p[2]));
    }
    sp_fc_work_free(&fc);
    printf("two feet in space and in the plane: %.1e apart\n", worst);
    assert_true(worst < 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_superball_in_space_rebounds_as_in_the_plane),
        cmocka_unit_test(coupled_impacts_in_space_obey_the_law_by_its_definition),
        cmocka_unit_test(newtons_law_in_space_obeys_its_definition),
        cmocka_unit_test(turning_the_tangents_turns_the_impulse),
        cmocka_unit_test(a_table_dropped_flat_has_equal_impulses),
        cmocka_unit_test(a_symmetric_table_is_hit_symmetrically),
        cmocka_unit_test(restitution_is_whole_at_the_edge_of_slip),
        cmocka_unit_test(dependent_feet_move_as_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
