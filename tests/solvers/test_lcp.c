#include "solvers/lcp.h"

#include "slider_crank.h"
#include "solvers/natural.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of Moreau's midpoint scheme whose contact problems are solved by Lemke alone, from nothing.
 */
typedef struct crank_run {
    double q[3], u[3];
    long problems, unsolved, pivots, pivots_max;
    double residual, turned; /* worst residual, largest |slider angle| */
    void *memory;
} crank_run;

/* P of the active corners; the run counts what happens. */
static void solve_by_lemke(crank_run *run, const sp_problem *p, sp_lcp_form form, double *P)
{
    double xi[8], size[8];
    unsigned char status[CORNERS];
    sp_lcp lcp;
    sp_lcp_place(&lcp, p, run->memory);
    const sp_lemke_end end = sp_lcp_solve(&lcp, form, 1e-11, P, status);
    run->residual = check_worse(run->residual, sp_natural_residual(p, P, P, xi, size));
    run->problems++;
    run->unsolved += end != SP_LEMKE_SOLVED;
    run->pivots += lcp.lemke.pivots;
    run->pivots_max = lcp.lemke.pivots > run->pivots_max ? lcp.lemke.pivots : run->pivots_max;
}

/* One step; gap_tol: corners this near close together (a face impact is one event). */
static void crank_step(crank_run *run, double dt, sp_lcp_form form)
{
    double M_inv[9], h[3], gap[4], W[8][3], (*active[8])[3], G[64], c[8], P[8] = {0.0}, f[3],
                                                                          u_f[3];
    sp_set set[CORNERS];
    int row[CORNERS], n_contact = 0;
    for (int i = 0; i < 3; i++) {
        run->q[i] += 0.5 * dt * run->u[i];
    }
    crank_inverse_mass(run->q, M_inv);
    crank_forces(run->q, run->u, h);
    crank_contacts(run->q, gap, W);
    for (int i = 0; i < 3; i++) {
        u_f[i] = run->u[i] + dt * crank_velocity(M_inv + 3 * i, h);
    }
    for (int i = 0; i < CORNERS; i++) {
        if (gap[i] <= 1e-11) {
            for (int a = 0; a < 2; a++) {
                const double eps = a == 0 ? 0.4 : 0.0;
                active[2 * n_contact + a] = &W[2 * i + a];
                c[2 * n_contact + a] =
                    crank_velocity(W[2 * i + a], u_f) + eps * crank_velocity(W[2 * i + a], run->u);
            }
            row[n_contact] = 2 * n_contact;
            set[n_contact++] = sp_set_planar(0.01);
        }
    }
    if (n_contact > 0) {
        const sp_problem p = {n_contact, 2 * n_contact, set,  row, G, 2 * n_contact,
                              c,         0.0,           NULL, 0};
        crank_delassus(2 * n_contact, active, M_inv, G);
        solve_by_lemke(run, &p, form, P);
    }
    for (int j = 0; j < 3; j++) {
        f[j] = dt * h[j];
        for (int k = 0; k < 2 * n_contact; k++) {
            f[j] += (*active[k])[j] * P[k];
        }
    }
    for (int i = 0; i < 3; i++) {
        run->u[i] += crank_velocity(M_inv + 3 * i, f);
        run->q[i] += 0.5 * dt * run->u[i];
    }
    run->turned = check_worse(run->turned, fabs(run->q[2]));
}

/* 0.2 s with this spin of the slider at the start. */
static crank_run crank(double u3, sp_lcp_form form)
{
    crank_run run = {.u = {150.0, -75.0, u3}};
    run.memory = malloc(sp_lcp_bytes(CORNERS, 8));
    for (int k = 0; k < 20000; k++) {
        crank_step(&run, 1e-5, form);
    }
    free(run.memory);
    printf("slider-crank, u3 = %g, form %d: %ld problems, %ld unsolved, %.1f pivots (at most %ld), "
           "worst residual %.1e, turned %.1e rad\n",
           u3, form == SP_LCP_3 ? 3 : 4, run.problems, run.unsolved,
           (double)run.pivots / (double)run.problems, run.pivots_max, run.residual, run.turned);
    return run;
}

static void lemke_alone_carries_the_symmetric_slider_crank(void **ctx)
{
    (void)ctx;
    for (int form = SP_LCP_3; form <= SP_LCP_4; form++) {
        const crank_run run = crank(0.0, (sp_lcp_form)form);
        assert_true(run.problems > 1000);
        assert_int_equal(0, run.unsolved);
        assert_true(run.residual < 1e-10);
    }
}

static void lemke_alone_carries_the_slider_crank_with_broken_symmetry(void **ctx)
{
    (void)ctx;
    for (int form = SP_LCP_3; form <= SP_LCP_4; form++) {
        const crank_run run = crank(-0.01, (sp_lcp_form)form);
        assert_true(run.problems > 1000);
        assert_int_equal(0, run.unsolved);
        assert_true(run.residual < 1e-10);
        assert_true(run.turned > 1e-4); /* it does turn */
    }
}

/* Uniform rod on its tip at tan(angle) = 2: the 3n form is not copositive for mu > 4/3. */
static void the_painleve_rod_is_solved_by_the_copositive_form(void **ctx)
{
    (void)ctx;
    const double cos2 = 0.2, sin2 = 0.8, sin_cos = 0.4;
    const double G[4] = {1.0 + 3.0 * cos2, -3.0 * sin_cos, -3.0 * sin_cos, 1.0 + 3.0 * sin2};
    void *memory = malloc(sp_lcp_bytes(1, 2));
    rng r = {3};
    for (int k = 0; k < 2000; k++) {
        const sp_set set = sp_set_planar(rng_in(&r, 1.3, 5.0));
        const int row = 0;
        const double c[2] = {-rng_in(&r, 0.0, 1.0), rng_in(&r, -3.0, 3.0)};
        const sp_problem p = {1, 2, &set, &row, G, 2, c, 0.0, NULL, 0};
        double P[2], xi[2], size[2];
        unsigned char status;
        sp_lcp lcp;
        sp_lcp_place(&lcp, &p, memory);
        assert_int_equal(SP_LEMKE_SOLVED, sp_lcp_solve(&lcp, SP_LCP_4, 1e-11, P, &status));
        assert_true(sp_natural_residual(&p, P, P, xi, size) < 1e-13);
        assert_true(P[0] > 0.0);
    }
    free(memory);
}

static void a_proof_of_infeasibility_is_found_only_where_there_is_none(void **ctx)
{
    (void)ctx;
    /* between two walls with friction: c_1 + c_2 < 0 cannot be */
    const sp_set set[2] = {sp_set_planar(0.3), sp_set_planar(0.3)};
    const int row[2] = {0, 2};
    const double W[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, 1.0}};
    double G[16], y[4];
    for (int k = 0; k < 16; k++) {
        G[k] = W[k / 4][0] * W[k % 4][0] + W[k / 4][1] * W[k % 4][1];
    }
    const double bad[4] = {-1.0, 0.5, 0.8, 0.5}, good[4] = {-1.0, 0.5, 1.2, 0.5};
    sp_problem p = {2, 4, set, row, G, 4, bad, 0.0, NULL, 0};
    void *memory = malloc(sp_lcp_bytes(2, 4));
    sp_lcp lcp;
    sp_lcp_place(&lcp, &p, memory);
    assert_true(sp_lcp_infeasible(&lcp, y));
    assert_true(y[0] > 0.0 && y[1] == 0.0 && y[3] == 0.0);
    assert_near(y[0], y[2], 1e-14);
    p.c = good;
    sp_lcp_place(&lcp, &p, memory);
    assert_int_equal(0, sp_lcp_infeasible(&lcp, y));
    free(memory);
}

/* Two rows with bounds of every kind, G = [2 1; 1 3]: P = clamp row by row, found by sweeping. */
static void lemke_takes_intervals_of_every_kind(void **ctx)
{
    (void)ctx;
    const double G[4] = {2.0, 1.0, 1.0, 3.0};
    void *memory = malloc(sp_lcp_bytes(2, 2));
    rng r = {12};
    for (int k = 0; k < 3000; k++) {
        const int row[2] = {0, 1};
        sp_set set[2];
        double c[2], P[2], swept[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            const double lo = rng_in(&r, -1.0, 1.0);
            set[i] = sp_set_interval(rng_int(&r, 4) == 0 ? -INFINITY : lo,
                                     rng_int(&r, 4) == 0   ? INFINITY
                                     : rng_int(&r, 5) == 0 ? lo
                                                           : lo + rng_in(&r, 0.0, 1.0));
            c[i] = rng_in(&r, -3.0, 3.0);
        }
        for (int sweep = 0; sweep < 200; sweep++) { /* converges by 1/6 a sweep */
            swept[0] = sp_clamp(-(c[0] + swept[1]) / 2.0, set[0].lo, set[0].hi);
            swept[1] = sp_clamp(-(c[1] + swept[0]) / 3.0, set[1].lo, set[1].hi);
        }
        const sp_problem p = {2, 2, set, row, G, 2, c, 0.0, NULL, 0};
        for (int form = SP_LCP_3; form <= SP_LCP_4; form++) {
            unsigned char status[2];
            sp_lcp lcp;
            sp_lcp_place(&lcp, &p, memory);
            assert_int_equal(SP_LEMKE_SOLVED,
                             sp_lcp_solve(&lcp, (sp_lcp_form)form, 1e-11, P, status));
            for (int i = 0; i < 2; i++) {
                assert_near(P[i], swept[i], 1e-13);
                assert_true(status[i] != SP_SLIP_POS || P[i] == set[i].lo);
                assert_true(status[i] != SP_SLIP_NEG || fabs(P[i] - set[i].hi) < 1e-14);
            }
        }
    }
    free(memory);
}

/* A joint that must be held by a brake of too little strength: c + G P < 0 for all P <= hi. */
static void a_proof_may_need_the_bound_of_an_interval(void **ctx)
{
    (void)ctx;
    /* one mass, a stop (xi_1 >= 0 wanted, but P_1 = 0 does nothing: G_11 = 0), a brake beside it */
    const sp_set set[2] = {sp_set_half_line(), sp_set_interval(-0.5, 0.5)};
    const int row[2] = {0, 1};
    const double G[4] = {0.0, 1.0, 0.0, 1.0}; /* xi_1 = P_2 + c_1 */
    void *memory = malloc(sp_lcp_bytes(2, 2));
    for (int k = 0; k < 2; k++) {
        const double c[2] = {k == 0 ? -0.6 : -0.4, 0.2};
        const sp_problem p = {2, 2, set, row, G, 2, c, 0.0, NULL, 0};
        double y[2] = {0.0, 0.0};
        sp_lcp lcp;
        sp_lcp_place(&lcp, &p, memory);
        assert_int_equal(k == 0, sp_lcp_infeasible(&lcp, y));
        if (k == 0) { /* y_1 (-0.6 + 0.5) < 0 */
            assert_true(y[0] > 0.0 && y[1] == 0.0);
            assert_int_equal(1, sp_lcp_proves(&p, y));
            y[1] = 1e-3; /* a velocity that may have any sign proves nothing */
            assert_int_equal(0, sp_lcp_proves(&p, y));
        }
    }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemke_alone_carries_the_symmetric_slider_crank),
        cmocka_unit_test(lemke_alone_carries_the_slider_crank_with_broken_symmetry),
        cmocka_unit_test(the_painleve_rod_is_solved_by_the_copositive_form),
        cmocka_unit_test(a_proof_of_infeasibility_is_found_only_where_there_is_none),
        cmocka_unit_test(lemke_takes_intervals_of_every_kind),
        cmocka_unit_test(a_proof_may_need_the_bound_of_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
