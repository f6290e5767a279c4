/* Steps that would carry a part through another are divided: coarse steps against thin walls. */
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>

/* Run by steps; the summary. */
static sp_run_summary run(rig *r, sp_method method, double until, double step)
{
    sp_error err = {.status = SP_OK};
    sp_run_summary summary;
    const sp_run_options options = {
        .method = method, .until = until, .step = step, .output_step = until, .tolerance = 1e-9};
    if (sp_integrate(r->m, r->x, r->w, &options, NULL, 0, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-11 * r->x->ledger.scale);
    return summary;
}

/* A ball at 10 m/s against a slab of 1 mm, steps of 0.1 m: it comes back by the law, from where it
 * touched; between touch and end nothing acts. */
static void a_ball_bounces_off_a_thin_slab_by_every_method(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    static const char *const space[] = {"planar", "spatial"};
    static const char *const slab[] = {"[1 mm, 2 m]", "[1 mm, 2 m, 2 m]"};
    static const char *const ball[] = {"circle", "sphere"};
    for (int k = 0; k < 7; k++) { /* in space by the first two: others know no shapes with edges */
        rig r = rig_of_text("specht: 1\nspace: %s\ngravity: 0 m/s^2\nbodies:\n"
                            "  ground: {contours: {slab: {box: %s}}}\n"
                            "  b: {mass: 1 kg, inertia: 1 kg*m^2, contours: {o: {%s: 10 mm}}}\n"
                            "contacts: {c: {between: [b, ground], law: {eps_N: 0.5}}}\n"
                            "start: {b.x: 0.57 m, b.vx: -10 m/s}\n",
                            space[k / 5], slab[k / 5], ball[k / 5]);
        const sp_run_summary s = run(&r, method[k % 5], 0.12, 0.01);
        const double touch = (0.57 - 0.0105) / 10.0, x = 0.0105 + 5.0 * (0.12 - touch);
        assert_int_equal(s.doubt[SP_DOUBT_UNPROVEN].n, 0);
        assert_near(r.x->u[0], 5.0, 1e-12);
        assert_near(r.x->q[0], x, 1e-5); /* the touch is found to 1e-7 of the sizes */
        assert_int_equal(s.met.n, 1);
        rig_free(&r);
    }
}

/* A ball meets a round post beside its middle, behind the midpoint of a step: the law has to see it
 * with the normal of the touch, not where positions were corrected to.  Without friction
 * v <- v - (1 + eps) (v.n) n. */
static void a_ball_meets_a_post_beside_its_middle(void **ctx)
{
    (void)ctx;
    const double R = 2.5e-3, r = 36e-3, b = 17e-3, v = 0.125, eps = 0.6;
    const double x_hit = -sqrt((R + r) * (R + r) - b * b), n_x = x_hit / (R + r), n_y = b / (R + r);
    for (int k = 0; k < 8; k++) { /* the touch is at 0.52 to 0.98 of a step */
        rig m =
            rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  ground: {contours: {post: {circle: %.17g m}}}\n"
                        "  b: {mass: 1 kg, inertia: 1 kg*m^2, contours: {o: {circle: %.17g m}}}\n"
                        "contacts: {c: {between: [b, ground], law: {eps_N: %.17g}}}\n"
                        "start: {b.x: %.17g m, b.y: %.17g m, b.vx: %.17g m/s}\n",
                        R, r, eps, x_hit - v * 0.7 * (2.52 + 0.065 * k), b, v);
        const sp_run_summary s = run(&m, SP_METHOD_MOREAU, 7.0, 0.7);
        assert_int_equal(s.doubt[SP_DOUBT_UNPROVEN].n, 0);
        assert_near(m.x->u[0], v - (1.0 + eps) * v * n_x * n_x, 1e-5 * v);
        assert_near(m.x->u[1], -(1.0 + eps) * v * n_x * n_y, 1e-5 * v);
        rig_free(&m);
    }
}

/* Steps below the radius of a ball: it meets a post so far beside its middle that it may have come
 * and gone between two midpoints.  It is hit once, whatever the step.   theory (66.9a) */
static void a_ball_that_grazes_a_post_is_hit_by_short_steps_too(void **ctx)
{
    (void)ctx;
    const double R = 2.3e-3, r = 71e-3, v = 4.4;
    static const double beside[] = {0.8, 0.88, 0.96, 0.99};
    for (int k = 0; k < 48; k++) {
        const double b = beside[k % 4] * (R + r), x_hit = -sqrt((R + r) * (R + r) - b * b);
        const double step = 0.3 * (R + r) / v * (1.0 + 0.09 * k), until = 0.3 / v;
        rig m =
            rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  ground: {contours: {post: {circle: %.17g m}}}\n"
                        "  b: {mass: 1 kg, inertia: 1 kg*m^2, contours: {o: {circle: %.17g m}}}\n"
                        "contacts: {c: {between: [b, ground], law: {eps_N: 0.66}}}\n"
                        "start: {b.x: %.17g m, b.y: %.17g m, b.vx: %.17g m/s}\n",
                        R, r, x_hit - 0.1, b, v);
        const sp_run_summary s = run(&m, SP_METHOD_MOREAU, until, step);
        assert_int_equal(s.doubt[SP_DOUBT_UNPROVEN].n, 0);
        assert_true(m.x->u[1] > 0.0 && m.x->u[0] < v);
        assert_true(m.x->ledger.kinetic < 0.5 * v * v);
        rig_free(&m);
    }
}

/* A single step of the library is divided as those of a run are; its event is not lost. */
static void a_single_step_is_divided_too(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                        "  ground: {contours: {slab: {box: [1 mm, 2 m]}}}\n"
                        "  b: {mass: 1 kg, inertia: 1 kg*m^2, contours: {o: {circle: 10 mm}}}\n"
                        "contacts: {c: {between: [b, ground], law: {eps_N: 0.5}}}\n"
                        "start: {b.x: 0.57 m, b.vx: -10 m/s}\n");
    sp_error err = {.status = SP_OK};
    sp_step_info info;
    assert_int_equal(sp_step(r.m, r.x, r.w, SP_METHOD_MOREAU, 0.12, &info, &err), SP_OK);
    const double touch = (0.57 - 0.0105) / 10.0;
    assert_near(r.x->u[0], 5.0, 1e-12);
    assert_near(r.x->q[0], 0.0105 + 5.0 * (0.12 - touch), 1e-5);
    assert_near(r.x->t, 0.12, 1e-15);
    assert_int_equal(info.n_event, 1);
    rig_free(&r);
}

/* A step that the law sees from the right side is left as it is. */
static void thick_walls_divide_no_step(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 10 m/s^2\nbodies:\n"
        "  ground: {contours: {slab: {box: [2 m, 0.2 m]}}}\n"
        "  b: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {o: {box: [0.1 m, 0.1 m]}}}\n"
        "contacts: {c: {between: [b, ground], law: {eps_N: 0.3, mu: 0.2}}}\n"
        "start: {b.y: 0.3 m, b.phi: 0.2 rad}\n");
    assert_int_equal(run(&r, SP_METHOD_MOREAU, 1.0, 1e-3).met.n, 0);
    rig_free(&r);
}

/* Text of a machine of the family: a ball or box with spin flies at 0.1 to 100 m/s against a slab
 * of 0.5 to 50 mm. */
static double random_machine(rng *r, bool space, char *text, size_t size)
{
    const double v = 0.1 * pow(1000.0, rng_in(r, 0, 1)), th = 5e-4 * pow(100.0, rng_in(r, 0, 1));
    const double l = 5e-3 * pow(40.0, rng_in(r, 0, 1)), x = l + 0.05 + rng_in(r, 0, 0.5);
    const bool ball = rng_flip(r);
    char shape[96], turn[96];
    if (ball) {
        snprintf(shape, sizeof shape, "%s: %.9g", space ? "sphere" : "circle", 0.5 * l);
    } else if (space) {
        snprintf(shape, sizeof shape, "box: [%.9g, %.9g, %.9g]", l, l, l);
    } else {
        snprintf(shape, sizeof shape, "box: [%.9g, %.9g]", l, l);
    }
    const double phi = rng_in(r, 0, 6.28), omega = rng_in(r, -20, 20);
    if (space) {
        snprintf(turn, sizeof turn, "b.turn: {z: %.9g}, b.omega_own: [%.9g, 1, %.9g]", phi,
                 0.5 * omega, omega);
    } else {
        snprintf(turn, sizeof turn, "b.phi: %.9g, b.omega: %.9g", phi, omega);
    }
    snprintf(text, size,
             "specht: 1\nspace: %s\nunits: off\ngravity: 0\nbodies:\n"
             "  ground: {contours: {w: {box: [%.9g, 20%s]}}}\n"
             "  b: {mass: 1, inertia: %.9g, contours: {c: {%s}}}\n"
             "contacts: {k: {between: [b, ground], law: {eps_N: 0.3, mu: 0.3}}}\n"
             "start: {b.x: %.9g, b.vx: %.9g, %s}\n",
             space ? "spatial" : "planar", th, space ? ", 20" : "", l * l / 6.0, shape, x, -v,
             turn);
    return 1.5 * x / v + 0.02;
}

/* Nothing is behind the wall in the end, and the ledger closes. */
static void nothing_gets_behind_a_wall(void **ctx)
{
    (void)ctx;
    rng r = {2026};
    const int n = check_cases(60, 1000), parts[] = {7, 20, 60};
    int doubtful = 0;
    for (int k = 0; k < n; k++) {
        char text[1024];
        const double until = random_machine(&r, k % 2 == 1, text, sizeof text);
        rig m = rig_of_text("%s", text);
        const sp_run_summary s = run(&m, SP_METHOD_MOREAU, until, until / parts[k % 3]);
        const bool doubt = s.doubt[SP_DOUBT_UNPROVEN].n > 0;
        if (m.x->q[0] <= 0.0 && !doubt) {
            fail_msg("machine %d ends at x = %g m, behind the wall:\n%s", k, m.x->q[0], text);
        }
        doubtful += doubt;
        rig_free(&m);
    }
    assert_true(50 * doubtful <= n);
}

/* A thin plate that is turned evenly meets a ball at rest: its upper face at the angle phi touches
 * it where a sin(phi) = -(h/2 + r), and throws it along its normal by (1 + eps) omega s, s = a
 * cos(phi).  The nodes at which gaps are looked at may all miss the plate. */
static void no_turning_plate_is_missed_by_events(void **ctx)
{
    (void)ctx;
    rng g = {66};
    for (int k = 0; k < check_cases(40, 1000); k++) {
        const double omega = pow(10.0, rng_in(&g, -0.5, 2.0)),
                     h = pow(10.0, rng_in(&g, -3.3, -1.7));
        const double r = pow(10.0, rng_in(&g, -2.5, -1.3)), a = rng_in(&g, 0.3, 1.0), eps = 0.5;
        const double phi = -asin((0.5 * h + r) / a), phi_0 = phi - rng_in(&g, 0.3, 2.5);
        const double s = a * cos(phi), after = 0.1 / omega, v = (1.0 + eps) * omega * s;
        rig m = rig_of_text(
            "specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
            "  plate: {joint: {revolute: ground, motion: '%.17g + %.17g * t'}, contours: {p: {box: "
            "[3, %.17g]}}}\n"
            "  b: {mass: 1, inertia: 1, contours: {o: {circle: %.17g}}}\n"
            "contacts: {c: {between: [b, plate], law: {eps_N: %.17g}}}\nstart: {b.x: %.17g}\n",
            phi_0, omega, h, r, eps, a);
        const sp_run_summary end = run(&m, SP_METHOD_EVENT, (phi - phi_0) / omega + after, 0.0);
        assert_int_equal(end.doubt[SP_DOUBT_UNPROVEN].n, 0);
        assert_near_scaled(m.x->u[1], -sin(phi) * v, omega, 1e-7);
        assert_near_scaled(m.x->u[2], cos(phi) * v, omega, 1e-7);
        rig_free(&m);
    }
}

/* A ball flies at a thin wire without ends, beside its middle; it leaves by the law, whatever the
 * method and the steps are: v <- v - (1 + eps) (v.n) n. */
static void a_ball_does_not_pass_a_wire(void **ctx)
{
    (void)ctx;
    const double R = 0.5e-3, r = 4e-3, eps = 0.6;
    for (int k = 0; k < 12; k++) { /* the last ones graze it */
        const double b = (R + r) * (k < 6 ? 0.15 * k : 0.9 + 0.015 * (k - 6));
        const double n_x = sqrt(1.0 - b * b / ((R + r) * (R + r))), n_y = b / (R + r);
        for (int method = 0; method < 3; method++) {
            static const sp_method by[] = {SP_METHOD_EVENT, SP_METHOD_MOREAU, SP_METHOD_ADAPTIVE};
            rig m = rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
                                "  ground: {contours: {wire: {cylinder: %.17g, axis: [0, 0, 1]}}}\n"
                                "  b: {mass: 1, inertia: 1, contours: {o: {sphere: %.17g}}}\n"
                                "contacts: {c: {between: [b, ground], law: {eps_N: %.17g}}}\n"
                                "start: {b.x: 1.013, b.y: %.17g, b.vx: -10, b.vz: 1}\n",
                                R, r, eps, b);
            const sp_run_options options = {.method = by[method],
                                            .until = 0.2,
                                            .step = method == 1 ? 0.013 : 0.0,
                                            .output_step = 0.2,
                                            .tolerance = method == 2 ? 1e-6 : 1e-9};
            sp_run_summary s;
            sp_error err;
            assert_int_equal(sp_integrate(m.m, m.x, m.w, &options, NULL, 0, &s, &err), SP_OK);
            assert_int_equal(s.doubt[SP_DOUBT_UNPROVEN].n, 0);
            static const double tolerance[] = {1e-8, 1e-4, 1e-2}; /* adaptive: late by 1e-6 s */
            const double tol = tolerance[method];
            assert_near(m.x->u[0], -10.0 + (1.0 + eps) * 10.0 * n_x * n_x, 10.0 * tol);
            assert_near(m.x->u[1], (1.0 + eps) * 10.0 * n_x * n_y, 10.0 * tol);
            rig_free(&m);
        }
    }
}

/* A box that falls onto a shelf of 1 mm at 4 m/s, steps of 1.5 ms: it comes to rest on it, and the
 * energy that it had went into impacts. */
static void a_box_lands_on_a_thin_shelf_adaptively(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {shelf: {box: [2, 0.001]}}}\n"
                        "  b: {mass: 1, inertia: 0.001, contours: {c: {box: [0.02, 0.02]}}}\n"
                        "contacts: {k: {between: [b, ground], law: {eps_N: 0}}}\n"
                        "start: {b.y: 1, b.phi: 0.3}\n");
    const sp_run_options options = {
        .method = SP_METHOD_ADAPTIVE, .until = 3.0, .output_step = 3e-3, .tolerance = 1e-5};
    sp_run_summary summary;
    sp_error err;
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, NULL, 0, &summary, &err), SP_OK);
    assert_near(r.x->q[1], 0.0105, 1e-6);
    assert_near(-r.x->ledger.impacts, 9.81 * (1.0 - 0.0105), 1e-3);
    assert_int_equal(summary.doubt[SP_DOUBT_UNPROVEN].n, 0);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_off_a_thin_slab_by_every_method),
        cmocka_unit_test(a_ball_meets_a_post_beside_its_middle),
        cmocka_unit_test(a_ball_that_grazes_a_post_is_hit_by_short_steps_too),
        cmocka_unit_test(a_single_step_is_divided_too),
        cmocka_unit_test(thick_walls_divide_no_step),
        cmocka_unit_test(nothing_gets_behind_a_wall),
        cmocka_unit_test(no_turning_plate_is_missed_by_events),
        cmocka_unit_test(a_ball_does_not_pass_a_wire),
        cmocka_unit_test(a_box_lands_on_a_thin_shelf_adaptively),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
