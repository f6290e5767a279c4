/* Slip in space where steps cannot land on its end, where forces are not unique, and where they go
 * through infinity: every step is certified, and the work is bounded.   theory section 37 */
#include "support/check.h"
#include "support/events.h"

#define TOLERANCE 1e-9
#define CERTIFIED 1e-10

/* A body of a shape with a skin that is thrown onto a floor. */
static rig thrown(const char *body, double mu, double eps, const char *start)
{
    return rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  b: {density: 1000 kg/m^3, %s}\n"
                       "contacts: {k: {between: [b, ground], law: {mu: %.17g, eps_N: %.17g}}}\n"
                       "start: {%s}\n",
                       body, mu, eps, start);
}

/* Two corners of a tall box stop within 1e-9 s of each other, each before the other by the step
 * that lands on it: eight looks do not settle it. */
static void corners_that_stop_before_each_other_are_landed_on_before_both(void **ctx)
{
    (void)ctx;
    rig r = thrown("shape: {box: [4 cm, 5 cm, 6 cm]}, contours: {c: {box: [4 cm, 5 cm, 6 cm]}}",
                   0.0907, 0.0,
                   "b.z: 0.03, b.vx: -0.2805, b.vy: -0.1123, b.turn: [{z: 1.749}], "
                   "b.omega_own: [0, 0, 11.580]");
    const double T = 0.5 * (0.12 * (0.2805 * 0.2805 + 0.1123 * 0.1123) +
                            0.01 * (0.04 * 0.04 + 0.05 * 0.05) * 11.58 * 11.58);
    events_go(&r, 0.5, TOLERANCE);
    assert_true(r.worst.complementarity < CERTIFIED);
    assert_int_equal(events_count(&r, SP_EVENT_STICK), 4);
    assert_near(r.x->ledger.friction, -T, 10.0 * TOLERANCE * T);
    rig_free(&r);
}

/* A box lands on its fourth corner while three slide: the fourth begins to slide, too, with a
 * normal force that is one of many. */
static void friction_that_begins_fits_the_normal_force_it_was_found_with(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  b0: {density: 1000 kg/m^3, shape: {sphere: 3 cm}, contours: {c: {sphere: 3 cm}}}\n"
        "  b1: {density: 1000 kg/m^3, shape: {box: [6 cm, 5 cm, 4 cm]}, contours: {c: {box: "
        "[6 cm, 5 cm, 4 cm]}}}\n"
        "  b2: {density: 1000 kg/m^3, shape: {box: [4 cm, 4 cm, 4 cm]}, contours: {c: {polytope: "
        "[[0.03, 0, 0], [-0.03, 0, 0], [0, 0.03, 0], [0, -0.03, 0], [0, 0, 0.03], [0, 0, -0.03]]}}}"
        "\n"
        "contacts: {k: {between: [[b0, b1, b2], [b0, b1, b2, ground]], law: {mu: 0.4, eps_N: "
        "0}}}\n"
        "start: {b0.x: -0.120, b0.y: 0.0046, b0.z: 0.1317, b0.vx: 0.932, b0.turn: [{z: -1.097}, "
        "{x: -1.205}], b0.omega_own: [1.38, 2.16, 4.55], b1.x: 0.000, b1.y: -0.0030, b1.z: 0.1222, "
        "b1.vx: -0.038, b1.turn: [{z: 0.444}, {x: -0.609}], b1.omega_own: [-6.26, -7.26, 5.15], "
        "b2.x: 0.120, b2.y: 0.0033, b2.z: 0.1263, b2.vx: -0.884, b2.turn: [{z: 2.459}, {x: "
        "0.670}], b2.omega_own: [1.87, 2.03, 3.14]}\n");
    events_go(&r, 0.18, TOLERANCE);
    assert_true(r.worst.complementarity < CERTIFIED);
    rig_free(&r);
}

/* The least and the largest normal force at the ends of steps until t, of a run of its own, N. */
static void forces_until(rig *r, double until, double *least, double *most)
{
    sp_events *e;
    sp_error err = {.text = ""};
    *least = *most = 0.0;
    assert_int_equal(
        sp_events_begin(r->m, r->x, r->w,
                        &(sp_events_setup){.smooth.tolerance = TOLERANCE, .until = until}, &e,
                        &err),
        SP_OK);
    while (r->x->t < until) {
        const double t = r->x->t;
        assert_int_equal(sp_events_step(e, r->x, until, &err), SP_OK);
        for (int i = 0; i < r->m->n_slot && r->x->t > t; i++) {
            const double N = r->x->contact[i].P_N / (r->x->t - t);
            *least = fmin(*least, N);
            *most = fmax(*most, N);
        }
        r->worst.complementarity =
            check_worse(r->worst.complementarity, r->w->certificate.complementarity);
        assert_int_equal(sp_events_happen(e, r->x, &err), SP_OK);
    }
    sp_events_end(e);
}

/* The rim of a coin slows down while friction turns towards where no normal force can push: the
 * force grows without bound and stops the slip, it does not pull on the other side.  (Of starts
 * that differ by 1e-7 m/s one in five to eight lands beyond the pole, where forces do pull, and the
 * run is told as uncertified.) */
static void a_force_that_grows_without_bound_ends_slip_and_never_pulls(void **ctx)
{
    (void)ctx;
    double least, most;
    rig r =
        thrown("shape: {cylinder: 40 mm, length: 1 mm}, contours: {c: {disc: 40 mm}}", 1.2, 0.5,
               "b.z: 0.0502, b.vx: -0.2310002, b.vy: -0.101, b.turn: [{z: -1.171}, {x: -0.604}, "
               "{y: 1.699}], b.omega_own: [7.34, -0.31, 5.91]");
    forces_until(&r, 0.2953, &least, &most);
    const double weight = 9.81 * 1000.0 * 3.141592653589793 * 0.04 * 0.04 * 1e-3;
    assert_true(r.worst.complementarity < CERTIFIED);
    assert_true(least >= -1e-12 * weight);
    assert_true(most > 50.0 * weight);
    rig_free(&r);
}

/* Sum of the iterations of all impacts. */
static void count_work(void *self, sp_watch_level level, const sp_problem *dense,
                       const sp_fc *blocks, const sp_solution *s)
{
    (void)dense;
    (void)blocks;
    *(double *)self += level == SP_WATCH_IMPACT ? s->pivots : 0.0;
}

/* Impacts of three corners, with one of them on the limit between stick and slip, are not solved to
 * 1e-12: they are taken at 1e-10 instead of tried 300 000 iterations each. */
static void impacts_on_the_limit_of_friction_have_their_work_bounded(void **ctx)
{
    (void)ctx;
    double work = 0.0;
    const sp_watch watch = {.self = &work, .see = count_work};
    rig r = thrown("shape: {box: [3 cm, 3 cm, 3 cm]}, contours: {c: {polytope: [[0.02, 0, 0], "
                   "[-0.02, 0, 0.01], [0, 0.02, 0], [0, -0.02, 0], [0, 0, 0.03], [0.01, 0.01, "
                   "-0.02]]}}",
                   0.6, 0.8,
                   "b.z: 0.1281, b.vx: -1.158, b.vy: 0.895, b.turn: [{z: 1.136}, {x: 0.840}, "
                   "{y: -0.230}], b.omega_own: [-0.84, -9.22, 4.82]");
    r.w->watch = &watch;
    events_go(&r, 1.5, TOLERANCE);
    r.w->watch = NULL;
    assert_true(r.worst.complementarity < CERTIFIED);
    assert_true(r.x->ledger.kinetic < 1e-20); /* it has come to rest */
    assert_true(work < 1e6);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_that_stop_before_each_other_are_landed_on_before_both),
        cmocka_unit_test(friction_that_begins_fits_the_normal_force_it_was_found_with),
        cmocka_unit_test(a_force_that_grows_without_bound_ends_slip_and_never_pulls),
        cmocka_unit_test(impacts_on_the_limit_of_friction_have_their_work_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
