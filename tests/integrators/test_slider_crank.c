/* The slider-crank with clearance against its printed equations: exact impact, symmetry, and what
 * every step of a run promises. */
#include "impact/law.h"
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPPER_LEFT, UPPER_RIGHT }; /* corners 1 and 2 of the paper */
static const char *const corner_name[] = {"guide.c1.upper", "guide.c2.upper", "guide.c3.lower",
                                          "guide.c4.lower"};

/* What every step of this machine must keep. */
#define COMPLEMENTARITY 1e-10
#define PENETRATION     1e-9  /* m, at dt = 1e-5 s */
#define CONTACT_WORK    1e-13 /* J                 */
#define CLOSURE         1e-12

/* The printed impact is consistent with the printed equations: a check of this test itself. */
static void published_numbers_agree_with_the_equations(void **ctx)
{
    (void)ctx;
    double th[CRANK_N], om[CRANK_N], W_N[CRANK_N], W_T[CRANK_N];
    const double start[CRANK_N] = {0.0}, speed[CRANK_N] = {150.0, -75.0, 0.0};
    assert_near(crank_kinetic(start, speed) + crank_potential(start), 7.49554875, 1e-9);
    crank_exact(CRANK_T1, th, om);
    for (int k = 0; k < CRANK_N; k++) {
        assert_near(th[k], CRANK_TH1[k], 1e-12);
        assert_near(om[k], CRANK_OM1[k], 1e-12);
    }
    for (int i = UPPER_LEFT; i <= UPPER_RIGHT; i++) {
        double gamma_N = 0.0, gamma_T = 0.0;
        crank_directions(CRANK_TH1, i, W_N, W_T);
        for (int k = 0; k < CRANK_N; k++) {
            gamma_N += W_N[k] * CRANK_OM1[k];
            gamma_T += W_T[k] * CRANK_OM1[k];
        }
        assert_near_scaled(crank_gap(CRANK_TH1, i), 0.0, 1.0, 1e-15);
        assert_near(gamma_N, -0.84161232, 1e-8);
        assert_near(gamma_T, -8.40750819, 1e-8);
    }
    assert_near(crank_kinetic(CRANK_TH1, CRANK_OM1_AFTER) + crank_potential(CRANK_TH1),
                7.45813850628, 1e-11);
}

/* gamma of a corner from the printed equations. */
static void relative_velocity(const double *th, const double *om, int corner, double *gamma)
{
    double W[2][CRANK_N];
    crank_directions(th, corner, W[0], W[1]);
    for (int a = 0; a < 2; a++) {
        gamma[a] = 0.0;
        for (int k = 0; k < CRANK_N; k++) {
            gamma[a] += W[a][k] * om[k];
        }
    }
}

/* The machine at the first impact, both corners closed. */
static rig at_first_impact(void)
{
    rig r = rig_slider_crank(0.0);
    double q[CRANK_N], u[CRANK_N];
    crank_relative(CRANK_TH1, q);
    crank_relative(CRANK_OM1, u);
    sp_state_set(r.m, r.x, CRANK_T1, q, u);
    return r;
}

/* One impact problem, from the library's W and M at the exact configuration. */
static void exact_impact_is_solved_to_round_off(void **ctx)
{
    (void)ctx;
    rig r = at_first_impact();
    sp_work *w = r.w;
    sp_error err = {.status = SP_OK};
    sp_kin_positions(r.m, r.x->numbers, r.x->q, &w->kin);
    sp_dyn_mass(r.m, r.x->numbers, &w->kin, &w->dyn);
    assert_int_equal(sp_dyn_factor(r.m, &w->dyn, &err), SP_OK);
    sp_con_gaps(r.m, r.x->numbers, &w->kin, &w->con);
    assert_int_equal(sp_con_activate(r.m, SP_GAP_ACTIVE, NULL, &w->con, &err), SP_OK);
    sp_con_directions(r.m, r.x->numbers, &w->kin, true, &w->con);
    sp_con_delassus(r.m, &w->dyn, &w->con);
    assert_int_equal(w->con.n_active, 2);
    assert_int_equal(w->con.n_row, 4);

    double gamma_m[4], gamma_p[4], Lambda[4];
    unsigned char status[2] = {SP_STATUS_UNKNOWN, SP_STATUS_UNKNOWN};
    const double eps_N[2] = {0.4, 0.4}, eps_T[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        gamma_m[i] = sp_con_dot(&w->con, i / 2, i, r.x->u);
    }
    double Lambda_C[4], gamma_C[4];
    sp_impact impact = {.Lambda = Lambda,
                        .Lambda_C = Lambda_C,
                        .gamma_C = gamma_C,
                        .gamma_p = gamma_p,
                        .status = status};
    const sp_impact_problem problem = {.n_contact = 2,
                                       .n = 4,
                                       .set = w->con.set,
                                       .row = w->con.row,
                                       .G = w->con.G,
                                       .ld = 4,
                                       .gamma_m = gamma_m,
                                       .eps_N = eps_N,
                                       .eps_T = eps_T};
    const sp_impact_options options = sp_impact_options_default();
    void *scratch = malloc(sp_impact_work(2, 4));
    assert_int_equal(sp_impact_solve(&problem, SP_IMPACT_NEWTON, &options, &impact, scratch, &err),
                     SP_OK);
    free(scratch);

    for (int i = 0; i < 2; i++) {
        double before[2], after[2];
        const int corner = strcmp(r.m->slot[w->con.active[i]].name, corner_name[0]) == 0
                               ? UPPER_LEFT
                               : UPPER_RIGHT;
        assert_string_equal(r.m->slot[w->con.active[i]].name, corner_name[corner]);
        relative_velocity(CRANK_TH1, CRANK_OM1, corner, before);
        relative_velocity(CRANK_TH1, CRANK_OM1_AFTER, corner, after);
        assert_near_scaled(gamma_m[2 * i], before[0], 1.0, 1e-12);
        assert_near_scaled(gamma_m[2 * i + 1], before[1], 1.0, 1e-12);
        assert_near(gamma_m[2 * i + 1], -8.40750819, 1e-8);
        assert_near_scaled(gamma_p[2 * i], -0.4 * before[0], 0.0, 1e-12);
        assert_near_scaled(gamma_p[2 * i], 0.33664493, 0.0, 1.5e-8);
        assert_near_scaled(gamma_p[2 * i + 1], after[1], 0.0, 1e-12);
        assert_near_scaled(gamma_p[2 * i + 1], -8.54655447, 0.0, 1e-8);
        assert_near_scaled(Lambda[2 * i + 1], 0.01 * Lambda[2 * i], 0.0, 1e-14);
        assert_near_scaled(Lambda[2 * i], corner == UPPER_LEFT ? 0.05574032 : 0.05518569, 0.0,
                           1e-7); /* printed with 7 digits */
    }
    rig_free(&r);
}

/* The same through one time step so short that the smooth forces do nothing. */
static void exact_impact_in_a_step_gives_the_published_velocities(void **ctx)
{
    (void)ctx;
    const sp_method method[2] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
    for (int i = 0; i < 2; i++) {
        rig r = at_first_impact();
        double om[CRANK_N];
        rig_step(&r, method[i], 1e-17);
        crank_absolute(r.x->u, om);
        assert_near_scaled(om[0], CRANK_OM1_AFTER[0], 0.0, 1e-12);
        assert_near_scaled(om[1], CRANK_OM1_AFTER[1], 0.0, 1e-12);
        assert_near_scaled(om[2], 0.0, 100.0, 1e-12);
        assert_near(r.x->ledger.kinetic + r.x->ledger.potential, 7.45813850628, 1e-11);
        assert_true(r.worst.complementarity < 1e-14);
        rig_free(&r);
    }
}

/* The largest |phi| of the slider up to t; the run goes on from where it is. */
static double largest_turn(rig *r, sp_method method, double dt, double t)
{
    const long n = lround((t - r->x->t) / dt);
    double largest = 0.0;
    for (long k = 0; k < n; k++) {
        double th[CRANK_N];
        rig_step(r, method, dt);
        crank_absolute(r->x->q, th);
        largest = check_worse(largest, fabs(th[2]));
    }
    return largest;
}

/* Print and check what every step must keep. */
static void check_promises(const char *what, const rig *r)
{
    const rig_worst *w = &r->worst;
    print_message("%s: %ld solves, complementarity %.1e, cone %.1e, momentum %.1e, gap %.1e m, "
                  "contact work %.1e J, closure %.1e, %d events\n",
                  what, w->solves, w->complementarity, w->cone, w->momentum, w->gap, w->work,
                  w->closure, r->n_event);
    assert_true(w->solves > 0);
    assert_true(w->complementarity < COMPLEMENTARITY);
    assert_true(w->cone < COMPLEMENTARITY);
    assert_true(w->momentum < 1e-12);
    assert_true(w->gap < PENETRATION);
    assert_true(w->work <= CONTACT_WORK);
    assert_true(w->closure <= CLOSURE);
    assert_true(fabs(r->x->ledger.balance - rig_left_over(&r->x->ledger)) <=
                1e-12 * r->x->ledger.scale);
}

static void symmetric_slider_does_not_turn(sp_method method)
{
    rig r = rig_slider_crank(0.0);
    const double early = largest_turn(&r, method, 1e-5, 0.05);
    const double late = largest_turn(&r, method, 1e-5, 0.2);
    print_message("%s: largest turn of the slider %.2e rad up to 0.05 s, %.2e rad up to 0.2 s\n",
                  sp_method_name(method), early, late);
    check_promises("symmetric start", &r);
    assert_int_equal(r.x->step, 20000);
    assert_true(early < 1e-12);
    assert_true(late < 1e-9);
    rig_free(&r);
}

static void slider_keeps_its_symmetry_with_moreau(void **ctx)
{
    (void)ctx;
    symmetric_slider_does_not_turn(SP_METHOD_MOREAU);
}

static void slider_keeps_its_symmetry_with_moreau_mean(void **ctx)
{
    (void)ctx;
    symmetric_slider_does_not_turn(SP_METHOD_MOREAU_MEAN);
}

/* A step that fails ends the test inside rig_step. */
static void broken_symmetry_never_fails_to_solve(void **ctx)
{
    (void)ctx;
    const double spin[] = {-0.01, -0.1, 0.01, -1.0};
    const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            char what[64];
            snprintf(what, sizeof what, "u3(0) = %g, %s", spin[i], sp_method_name(method[k]));
            rig r = rig_slider_crank(spin[i]);
            const double turn = largest_turn(&r, method[k], 1e-5, 0.2);
            check_promises(what, &r);
            print_message("  the slider turns by up to %.3g rad\n", turn);
            assert_true(turn > 2.5e-3 * fabs(spin[i])); /* it turns freely for 2.5 ms */
            rig_free(&r);
        }
    }
}

/* With u3(0) = -0.01 corner 1 alone hits at 0.00269090364841 s and then an infinite number of
 * impacts follows within 2e-6 s: at dt = 1e-7 s the stepper goes through it. */
static void clatter_at_small_steps_never_fails_to_solve(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(-0.01);
    const double dt = 1e-7;
    largest_turn(&r, SP_METHOD_MOREAU, dt, 0.004);
    check_promises("clatter, dt = 1e-7", &r);
    const sp_event *first = rig_event(&r, SP_EVENT_IMPACT, -1, 0);
    assert_non_null(first);
    assert_string_equal(r.m->slot[first->slot].name, corner_name[UPPER_LEFT]);
    /* 1st order: the mean rate of the angles' error is known from the free flight (3e-5 rad at 2 ms
     * for dt = 1e-5), which moves the impact by less than 2e-6 s at this step */
    assert_true(fabs(first->t - 0.00269090364841) < 2e-6);
    rig_free(&r);
}

/* The spin starts other collisions: different corners, two corners, all states. */
static void many_starts_never_fail_to_solve(void **ctx)
{
    (void)ctx;
    rng g = {.state = 20101};
    const int cases = check_cases(6, 200);
    rig_worst worst = {.work = -INFINITY};
    for (int i = 0; i < cases; i++) {
        rig r = rig_slider_crank(rng_in(&g, -20.0, 20.0));
        rig_steps(&r, rng_flip(&g) ? SP_METHOD_MOREAU : SP_METHOD_MOREAU_MEAN, 2e-5, 5000);
        worst.complementarity = check_worse(worst.complementarity, r.worst.complementarity);
        worst.closure = check_worse(worst.closure, r.worst.closure);
        worst.work = check_worse(worst.work, r.worst.work);
        rig_free(&r);
    }
    print_message("%d spins: complementarity %.1e, closure %.1e, contact work %.1e J\n", cases,
                  worst.complementarity, worst.closure, worst.work);
    assert_true(worst.complementarity < COMPLEMENTARITY);
    assert_true(worst.closure < CLOSURE);
    assert_true(worst.work <= CONTACT_WORK);
}

/* ---- the certificate sees a wrong percussion --------------------------------------------------
 */

/* Solve the next step, multiply the rows of P chosen by 'which' (-1: all), finish. */
static double certificate_of_wrong_P(rig *r, double dt, double factor, int which)
{
    sp_error err = {.status = SP_OK};
    sp_step_refresh(r->m, r->x, r->w);
    assert_int_equal(sp_moreau_solve(r->m, r->x, r->w, sp_step_rule_of(SP_METHOD_MOREAU), dt, &err),
                     SP_OK);
    for (int i = 0; i < r->w->con.n_row; i++) {
        r->w->sol.P[i] *= which < 0 || which == i ? factor : 1.0;
    }
    assert_int_equal(
        sp_moreau_finish(r->m, r->x, r->w, sp_step_rule_of(SP_METHOD_MOREAU), dt, &err), SP_OK);
    return r->w->certificate.complementarity;
}

/* A rig in the same state, nothing else shared. */
static rig copy_of(const rig *r)
{
    rig copy = rig_slider_crank(0.0);
    sp_state_set(copy.m, copy.x, r->x->t, r->x->q, r->x->u);
    memcpy(copy.x->contact, r->x->contact, (size_t)r->m->n_slot * sizeof *r->x->contact);
    copy.x->n_touched = r->x->n_touched;
    return copy;
}

static void wrong_percussion_shows_in_the_certificate(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    const double dt = 1e-5;
    while (r.n_event == 0) { /* up to the step before the first impact */
        rig before = copy_of(&r);
        rig_step(&r, SP_METHOD_MOREAU, dt);
        for (int which = -1; which < 4 && r.n_event > 0; which++) {
            rig wrong = copy_of(&before);
            const double shown = certificate_of_wrong_P(&wrong, dt, 1.0 + 1e-6, which);
            print_message("P wrong by 1e-6 in row %2d: complementarity %.1e\n", which, shown);
            if (which < 0 || which % 2 == 0) { /* normal rows */
                assert_true(shown > 1e-8);
            }
            assert_true(shown > 1e-10);
            rig_free(&wrong);
        }
        if (r.n_event > 0) {
            rig right = copy_of(&before);
            const double shown = certificate_of_wrong_P(&right, dt, 1.0, -1);
            print_message("P as solved: complementarity %.1e\n", shown);
            assert_true(shown < 1e-14);
            rig_free(&right);
        }
        rig_free(&before);
    }
    rig_free(&r);
}

/* In lasting contact P is small, about force times dt; the error must still stand out. */
static void wrong_percussion_of_a_lasting_contact_stands_out(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    const double dt = 1e-5;
    int seen = 0;
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < 3000 && seen < 50; k++) {
        rig before = copy_of(&r);
        rig_step(&r, SP_METHOD_MOREAU, dt);
        double impulse = 0.0;
        for (int i = 0; i < r.w->n_hit; i++) {
            impulse = check_worse(impulse, r.w->hit[i].P[0]);
        }
        if (impulse > 0.0 && r.w->n_event == 0) {
            rig wrong = copy_of(&before), right = copy_of(&before);
            least = fmin(least, certificate_of_wrong_P(&wrong, dt, 1.0 + 1e-6, -1));
            most = check_worse(most, certificate_of_wrong_P(&right, dt, 1.0, -1));
            rig_free(&wrong);
            rig_free(&right);
            seen++;
        }
        rig_free(&before);
    }
    print_message("%d steps of lasting contact: wrong P %.1e at least, right P %.1e at most\n",
                  seen, least, most);
    assert_true(seen >= 10);
    assert_true(least > 100.0 * most);
    rig_free(&r);
}

/* ---- determinism ------------------------------------------------------------------------------
 */

static void same_run_twice_gives_the_same_bits(void **ctx)
{
    (void)ctx;
    const double spin[] = {0.0, -0.01};
    for (int i = 0; i < 2; i++) {
        rig a = rig_slider_crank(spin[i]), b = rig_slider_crank(spin[i]);
        rig_steps(&b, SP_METHOD_MOREAU, 1e-4, 17); /* leave traces in the scratch of b */
        sp_state *x = NULL;
        assert_int_equal(sp_state_new(b.m, NULL, &x, NULL), SP_OK);
        sp_state_free(b.x);
        b.x = x;
        rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 10000);
        rig_steps(&b, SP_METHOD_MOREAU, 1e-5, 10000);
        assert_memory_equal(a.x->q, b.x->q, CRANK_N * sizeof(double));
        assert_memory_equal(a.x->u, b.x->u, CRANK_N * sizeof(double));
        assert_true(a.x->ledger.kinetic == b.x->ledger.kinetic);
        assert_true(a.x->ledger.impacts == b.x->ledger.impacts);
        rig_free(&a);
        rig_free(&b);
    }
}

/* A state set anew forgets its past: the run after sp_state_set is the run from the start. */
static void state_set_anew_repeats_the_run(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(-0.01);
    double q[CRANK_N], u[CRANK_N], q_end[CRANK_N], u_end[CRANK_N];
    memcpy(q, a.x->q, sizeof q);
    memcpy(u, a.x->u, sizeof u);
    rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 1000);
    memcpy(q_end, a.x->q, sizeof q);
    memcpy(u_end, a.x->u, sizeof u);
    const sp_ledger first = a.x->ledger;
    const int events = a.n_event;
    sp_state_set(a.m, a.x, 0.0, q, u);
    rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 1000);
    assert_memory_equal(a.x->q, q_end, sizeof q);
    assert_memory_equal(a.x->u, u_end, sizeof u);
    assert_true(a.x->ledger.impacts == first.impacts);
    assert_int_equal(a.n_event, 2 * events);
    assert_true(rig_event(&a, SP_EVENT_IMPACT, -1, 0)->impact_id == 1);
    rig_free(&a);
}

static sp_status count_frames(void *ctx, const sp_model *m, const sp_step_record *rec,
                              sp_error *err)
{
    (void)m;
    (void)err;
    *(long *)ctx += rec->sampled;
    return SP_OK;
}

static void how_often_a_run_is_recorded_does_not_change_it(void **ctx)
{
    (void)ctx;
    const double output_step[] = {1e-5, 1e-4, 3.3e-4, 1.0};
    const long frames[] = {2001, 201, 62, 2}; /* with the start and the end */
    double q[4][CRANK_N], u[4][CRANK_N];
    for (int i = 0; i < 4; i++) {
        rig r = rig_slider_crank(-0.01);
        sp_error err = {.status = SP_OK};
        sp_run_summary summary;
        long count = 0;
        const sp_observer observer = {.step = count_frames, .ctx = &count};
        const sp_run_options options = {
            .method = SP_METHOD_MOREAU, .until = 0.02, .step = 1e-5, .output_step = output_step[i]};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, &observer, 1, &summary, &err),
                         SP_OK);
        assert_int_equal(summary.steps, 2000);
        assert_true(r.x->t == 0.02);
        assert_int_equal(count, frames[i]);
        memcpy(q[i], r.x->q, sizeof q[i]);
        memcpy(u[i], r.x->u, sizeof u[i]);
        assert_memory_equal(q[i], q[0], sizeof q[0]);
        assert_memory_equal(u[i], u[0], sizeof u[0]);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_agree_with_the_equations),
        cmocka_unit_test(exact_impact_is_solved_to_round_off),
        cmocka_unit_test(exact_impact_in_a_step_gives_the_published_velocities),
        cmocka_unit_test(slider_keeps_its_symmetry_with_moreau),
        cmocka_unit_test(slider_keeps_its_symmetry_with_moreau_mean),
        cmocka_unit_test(broken_symmetry_never_fails_to_solve),
        cmocka_unit_test(clatter_at_small_steps_never_fails_to_solve),
        cmocka_unit_test(many_starts_never_fail_to_solve),
        cmocka_unit_test(wrong_percussion_shows_in_the_certificate),
        cmocka_unit_test(wrong_percussion_of_a_lasting_contact_stands_out),
        cmocka_unit_test(same_run_twice_gives_the_same_bits),
        cmocka_unit_test(state_set_anew_repeats_the_run),
        cmocka_unit_test(how_often_a_run_is_recorded_does_not_change_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
