/* Rigid rods with friction where accelerations do not exist, or are not unique (Painleve). */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>

/* A uniform rod of length 1 and mass 1 slides on its lower end, tilted by phi:
 *     G_NN = 1 + 3 s^2,  G_NT = 3 s c,  G_TT = 1 + 3 c^2,   s = sin phi, c = cos phi
 * Forward slip: A = G_NN - mu G_NT, without forces a_N = -g + c omega^2/2.
 *     A > 0, a_N > 0: lifts off       A > 0, a_N < 0: slides
 *     A < 0, a_N > 0: both are possible     A < 0, a_N < 0: no acceleration exists */
static rig rod(double phi, double omega, double v, double mu)
{
    const double s = sin(phi), c = cos(phi);
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}}}\n"
                       "contacts: {c: {between: [rod, ground], law: {mu: %.17g}}}\n"
                       "start: {rod.x: 0, rod.y: %.17g, rod.phi: %.17g, rod.vx: %.17g, rod.vy: "
                       "%.17g, rod.omega: %.17g}\n",
                       mu, 0.5 * c, phi, v - 0.5 * c * omega, -0.5 * s * omega, omega);
}

static void a_rod_in_the_region_without_solution_jams(void **ctx)
{
    (void)ctx;
    const double phi = atan(0.5), mu = 2.0, v = 3.0, s = sin(phi), c = cos(phi);
    const double NN = 1.0 + 3.0 * s * s, NT = 3.0 * s * c, TT = 1.0 + 3.0 * c * c;
    rig r = rod(phi, 0.0, v, mu);
    events_go(&r, 1e-3, 1e-11);
    const sp_event *jam = events_get(&r, SP_EVENT_JAM, "c", 0);
    const double det = NN * TT - NT * NT;
    assert_near(jam->t, 0.0, 1e-15);
    assert_near(jam->Lambda_N, NT * v / det, 1e-11);
    assert_near(jam->Lambda_T[0], -NN * v / det, 1e-11);
    assert_near(jam->gamma_T_before, v, 1e-13);
    assert_near(jam->gamma_T_after, 0.0, 1e-13);
    assert_near(jam->gamma_N_after, 0.0, 1e-13);
    assert_near(jam->energy_lost, 0.5 * NN * v * v / det, 1e-11);
    assert_near(r.x->ledger.impacts, -jam->energy_lost, 1e-12);
    assert_int_equal(events_count(&r, SP_EVENT_JAM), 1);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    assert_true(r.x->ledger.worst_balance < 1e-11);
    rig_free(&r);
}

/* A tall box slides on its front foot, with friction that grows with speed, and jams: its impulse
 * is along (1, -mu_c), mu_c = G_NN/G_NT, and ends at v* with mu(v*) = mu_c.   theory (50.1)-(50.3)
 */
static const double box_c = 11.0 / 30.0, box_v = 1.5;

static rig box(void)
{
    return rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                       "  box: {mass: 1, inertia: 0.003, contours: {c: {polygon: [[-0.05, -0.3], "
                       "[0.05, -0.3], [0.05, 0.3], [-0.05, 0.3]]}}}\n"
                       "contacts: {f: {between: [box, ground], law: {mu: 0.6 - 0.4*exp(-v/0.1), "
                       "mu_0: 0.2}}}\n"
                       "start: {box.y: 0.3, box.vx: 1.5}\n");
}

static void a_jam_ends_at_the_speed_that_its_friction_belongs_to(void **ctx)
{
    (void)ctx;
    const double v = 0.1 * log(12.0 / 7.0), after = (1.0 - 1e-4) * v; /* (50.3) */
    const double NT = 5.0, TT = 31.0, most = (box_v - after) / (box_c * TT - NT);
    rig r = box();
    events_go(&r, 0.02, 1e-10);
    const sp_event *jam = events_get(&r, SP_EVENT_JAM, "f.2", 0);
    assert_near(jam->t, 0.0, 1e-15);
    assert_near(jam->gamma_T_after, after, 2e-8); /* found with a nudge of 1e-8 */
    assert_near(jam->gamma_N_after, 0.0, 1e-12);
    assert_near(jam->Lambda_N, most, 2e-8);
    assert_near(jam->Lambda_T[0], -box_c * jam->Lambda_N, 1e-13);
    assert_int_equal(events_count(&r, SP_EVENT_JAM), 1);
    assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
    assert_true(r.x->ledger.worst_balance < 1e-10);
    rig s = box();
    sp_error err = {.text = ""};
    sp_run_summary summary;
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = 0.02, .output_step = 0.01, .tolerance = 1e-6};
    if (sp_integrate(s.m, s.x, s.w, &o, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    for (int k = 0; k < 3; k++) { /* they have turned by 0.24 rad */
        assert_near(s.x->q[k], r.x->q[k], 1e-5);
    }
    rig_free(&s);
    rig_free(&r);
}

static void so_does_a_step_of_any_length(void **ctx)
{
    (void)ctx;
    const double v = 0.1 * log(12.0 / 7.0);
    for (double dt = 1e-11; dt < 2e-6; dt *= 10.0) {
        rig r = box();
        rig_step(&r, SP_METHOD_MOREAU, dt);
        const double slip = r.x->u[0] + 0.3 * r.x->u[2];
        assert_near(slip, v, 1e-10 + 10.0 * dt);
        assert_near(r.x->u[1] + 0.05 * r.x->u[2], 0.0, 1e-12);
        assert_true(r.worst.complementarity < 1e-10 && r.worst.closure < 1e-12);
        rig_free(&r);
    }
}

/* The same rod at rest on a belt that runs back: the same impulse, and the belt does work.  With
 * Lambda of above: impacts = -1/2 NN v^2/det, driven = NN v^2/det, T = 1/2 Lambda.G Lambda. */
static void a_jam_on_a_belt_books_what_the_belt_does(void **ctx)
{
    (void)ctx;
    const double phi = atan(0.5), v = 3.0, s = sin(phi), c = cos(phi);
    const double NN = 1.0 + 3.0 * s * s, NT = 3.0 * s * c, TT = 1.0 + 3.0 * c * c;
    const double det = NN * TT - NT * NT, until = 1e-9;
    rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  belt: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: -3*t},"
                        " contours: {floor: {line: [0, 1]}}}\n"
                        "  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}}}\n"
                        "contacts: {c: {between: [rod, belt], law: {mu: 2}}}\n"
                        "start: {rod.x: 0, rod.y: %.17g, rod.phi: %.17g}\n",
                        0.5 * c, phi);
    events_go(&r, until, 1e-11);
    const sp_event *jam = events_get(&r, SP_EVENT_JAM, "c", 0);
    assert_near(jam->Lambda_N, NT * v / det, 1e-11);
    assert_near(r.x->ledger.impacts, -0.5 * NN * v * v / det, 1e-7); /* 1e-9 s of contact follow */
    assert_near(r.x->ledger.driven, NN * v * v / det, 1e-7);
    assert_true(fabs(rig_left_over(&r.x->ledger)) < 1e-11);
    rig_free(&r);
}

static void where_two_motions_are_possible_the_continuous_one_is_taken_and_told(void **ctx)
{
    (void)ctx;
    rig r = rod(atan(0.5), 8.0, 3.0, 2.0);
    events_go(&r, 1e-3, 1e-11);
    const sp_event *choice = events_get(&r, SP_EVENT_CHOICE, "c", 0);
    assert_int_equal(choice->n_found, 2);
    assert_int_equal(events_count(&r, SP_EVENT_CLOSE), 0); /* no force before: it lifts off */
    assert_true(r.x->contact[0].state == SP_STATE_OPEN);
    rig_free(&r);
}

static void random_rods_do_what_the_four_regions_say(void **ctx)
{
    (void)ctx;
    rng random = {5};
    int seen[4] = {0};
    for (int n = 0; n < check_cases(120, 5000); n++) {
        const double phi = rng_in(&random, 0.05, 1.4), mu = rng_in(&random, 0.1, 4.0);
        const double omega = rng_in(&random, -9.0, 9.0), v = rng_in(&random, 1.0, 4.0);
        const double s = sin(phi), c = cos(phi);
        const double A = 1.0 + 3.0 * s * (s - mu * c), a = -10.0 + 0.5 * c * omega * omega;
        if (fabs(A) < 1e-3 || fabs(a) < 1e-2) {
            continue;
        }
        rig r = rod(phi, omega, v, mu);
        events_go(&r, 1e-7, 1e-10);
        const bool open = r.x->contact[0].state == SP_STATE_OPEN;
        const int jam = events_count(&r, SP_EVENT_JAM), choice = events_count(&r, SP_EVENT_CHOICE);
        const int region = (A < 0.0 ? 2 : 0) + (a < 0.0 ? 1 : 0);
        seen[region]++;
        assert_int_equal(jam, region == 3);
        assert_int_equal(choice, region == 2);
        assert_true(region == 3 || open == (a > 0.0));
        if (region == 1) {
            assert_true(r.x->contact[0].state == SP_STATE_SLIP);
            /* 1e-7 s later: |a'| < 9^3 / 2 + 9 omega', omega' < 30 P, |A'| < 9 x 18 */
            assert_near(r.w->sol.P[0], -a / A, 1e-7 * (365.0 + 432.0 * -a / A) / A);
        }
        assert_int_equal(events_count(&r, SP_EVENT_HANDOVER), 0);
        rig_free(&r);
    }
    print_message("lift off %d, slide %d, both %d, jam %d\n", seen[0], seen[1], seen[2], seen[3]);
    assert_true(seen[0] > 3 && seen[1] > 3 && seen[2] > 3 && seen[3] > 3);
}

/* ---- in space ----------------------------------------------------------------------------------
 */

/* The same rod in space, in the vertical plane turned by psi about z; more: further bodies and
 * contacts, or nothing. */
static rig rod_in_space(double psi, double phi, double omega, double v, double mu, const char *more,
                        const char *contacts)
{
    const double s = sin(phi), c = cos(phi), along = v - 0.5 * c * omega;
    return rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  rod: {mass: 1, inertia: {principal: [1/12, 1/12, 0.01]}, contours: {tip: {point: [0, 0, "
        "-0.5]}}}\n%s"
        "contacts: {c: {between: [rod.tip, ground.floor], law: {mu: %.17g}}%s}\n"
        "start: {rod.z: %.17g, rod.turn: [{z: %.17g}, {y: %.17g}], rod.vx: %.17g, rod.vy: %.17g, "
        "rod.vz: %.17g, rod.omega_x: %.17g, rod.omega_y: %.17g}\n",
        more, mu, contacts, 0.5 * c, psi, -phi, along * cos(psi), along * sin(psi),
        -0.5 * s * omega, omega * sin(psi), -omega * cos(psi));
}

/* The four regions of the plane, in any vertical plane. */
static void random_rods_in_space_do_what_the_four_regions_say(void **ctx)
{
    (void)ctx;
    rng random = {6};
    int seen[4] = {0};
    for (int n = 0; n < check_cases(60, 2000); n++) {
        const double phi = rng_in(&random, 0.05, 1.4), mu = rng_in(&random, 0.1, 4.0);
        const double omega = rng_in(&random, -9.0, 9.0), v = rng_in(&random, 1.0, 4.0);
        const double s = sin(phi), c = cos(phi), psi = rng_in(&random, -3.1, 3.1);
        const double A = 1.0 + 3.0 * s * (s - mu * c), a = -10.0 + 0.5 * c * omega * omega;
        if (fabs(A) < 1e-3 || fabs(a) < 1e-2) {
            continue;
        }
        rig r = rod_in_space(psi, phi, omega, v, mu, "", "");
        events_go(&r, 1e-7, 1e-10);
        const int jam = events_count(&r, SP_EVENT_JAM), choice = events_count(&r, SP_EVENT_CHOICE);
        const int region = (A < 0.0 ? 2 : 0) + (a < 0.0 ? 1 : 0);
        seen[region]++;
        assert_int_equal(jam, region == 3);
        assert_int_equal(choice, region == 2);
        assert_int_equal(r.w->unique.open, 0);
        if (region == 2) {
            const sp_event *told = events_get(&r, SP_EVENT_CHOICE, "c", 0);
            assert_int_equal(told->n_found, 2);
            assert_false(told->at_least);
            assert_true(r.x->contact[0].state == SP_STATE_OPEN); /* no force before: it lifts off */
        }
        if (region == 3) {
            const double NN = 1.0 + 3.0 * s * s, NT = 3.0 * s * c, TT = 1.0 + 3.0 * c * c;
            const sp_event *told = events_get(&r, SP_EVENT_JAM, "c", 0);
            assert_near_scaled(told->Lambda_N, NT * v / (NN * TT - NT * NT), v, 1e-9);
        }
        rig_free(&r);
    }
    print_message("lift off %d, slide %d, both %d, jam %d\n", seen[0], seen[1], seen[2], seen[3]);
    assert_true(seen[0] > 3 && seen[1] > 3 && seen[2] > 3 && seen[3] > 3);
}

/* Eight balls at rest beside the rod, nine contacts in all: the rod is counted by itself. */
static void a_rod_beside_eight_balls_is_told_as_before(void **ctx)
{
    (void)ctx;
    char more[1024] = "";
    size_t used = 0;
    for (int k = 0; k < 8; k++) {
        used += (size_t)snprintf(more + used, sizeof more - used,
                                 "  b%d: {mass: 1, inertia: 0.4, contours: {skin: {sphere: 1}}, "
                                 "joint: {free: ground, at: [%d, 9, 1]}}\n",
                                 k, 3 * k);
    }
    char contacts[1024] = "";
    used = 0;
    for (int k = 0; k < 8; k++) {
        used +=
            (size_t)snprintf(contacts + used, sizeof contacts - used,
                             ", d%d: {between: [b%d.skin, ground.floor], law: {mu: 0.9}}", k, k);
    }
    rig r = rod_in_space(0.4, atan(0.5), 8.0, 3.0, 2.0, more, contacts);
    events_go(&r, 1e-4, 1e-10);
    const sp_event *told = events_get(&r, SP_EVENT_CHOICE, "c", 0);
    assert_int_equal(told->n_found, 2);
    assert_false(told->at_least);
    assert_int_equal(events_count(&r, SP_EVENT_CHOICE), 1);
    rig_free(&r);
}

/* The rod of above slides on its end while its middle, which comes down with b/1.6, hits a shelf
 * without friction.  mu = 2: the end lifts off, or slides on under impulses of its own friction, or
 * jams: three impacts (test_several.c); the one that moves least gives b to the middle alone and is
 * told, of the end, which they move differently.  mu = 0.3: one, and nothing to tell. */
static void an_impact_that_is_one_of_three_is_told_as_such(void **ctx)
{
    (void)ctx;
    const double s = 1.0 / sqrt(5.0), c = 2.0 / sqrt(5.0), b = 0.2, om = 2.0 * b / 1.6 / s;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}, shelf: {line: [0, 1], at: [0, %.17g]}}}\n"
            "  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}, mid: {point: [0, "
            "0]}}}\n"
            "contacts: {c: {between: [rod.tip, ground.floor], law: {mu: %g}}, d: {between: "
            "[rod.mid, ground.shelf], law: {eps_N: 0.6}}}\n"
            "start: {rod.y: %.17g, rod.phi: %.17g, rod.vx: %.17g, rod.vy: %.17g, rod.omega: "
            "%.17g}\n",
            0.5 * c, k == 0 ? 2.0 : 0.3, 0.5 * c, atan(0.5), 3.0 - 0.5 * c * om, -0.5 * s * om, om);
        events_go(&r, 1e-4, 1e-11);
        const sp_event *hit = events_get(&r, SP_EVENT_IMPACT, "d", 0);
        assert_near(hit->Lambda_N, b, 1e-12);
        assert_near(hit->gamma_N_after, 0.6 * b / 1.6, 1e-12);
        assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, rig_slot(&r, "c")), 0);
        assert_int_equal(events_count(&r, SP_EVENT_CHOICE), k == 0);
        if (k == 0) {
            const sp_event *choice = events_get(&r, SP_EVENT_CHOICE, "c", 0);
            assert_int_equal(choice->n_found, 3);
            assert_int_equal(choice->impact_id, hit->impact_id);
            assert_true(choice->t == hit->t && choice < hit);
        }
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_in_the_region_without_solution_jams),
        cmocka_unit_test(a_jam_ends_at_the_speed_that_its_friction_belongs_to),
        cmocka_unit_test(so_does_a_step_of_any_length),
        cmocka_unit_test(a_jam_on_a_belt_books_what_the_belt_does),
        cmocka_unit_test(where_two_motions_are_possible_the_continuous_one_is_taken_and_told),
        cmocka_unit_test(an_impact_that_is_one_of_three_is_told_as_such),
        cmocka_unit_test(random_rods_do_what_the_four_regions_say),
        cmocka_unit_test(random_rods_in_space_do_what_the_four_regions_say),
        cmocka_unit_test(a_rod_beside_eight_balls_is_told_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
