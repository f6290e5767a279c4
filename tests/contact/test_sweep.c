/* Ways between two configurations: proven clear, or the first touch, against closed forms. */
#include "contact/sweep.h"

#include "support/check.h"
#include "support/run.h"

#include <stdio.h>

/* A model with the poses of its bodies at two configurations. */
typedef struct swept {
    rig r;
    sp_arena arena;
    const sp_sweep *s;
    sp_sweep_pose pose[2][4];
} swept;

static swept sweep_of(const char *text)
{
    swept w = {.r = rig_of_text("%s", text)};
    sp_arena_init(&w.arena, NULL, 0);
    w.s = sp_sweep_new(&w.arena, w.r.m);
    assert_non_null(w.s);
    return w;
}

static void free_sweep(swept *w)
{
    sp_arena_free(&w->arena);
    rig_free(&w->r);
}

/* From q_0 to q_1, the first pair. */
static sp_sweep_found go(swept *w, const double *q_0, const double *q_1)
{
    const double *q[2] = {q_0, q_1};
    sp_sweep_found found;
    for (int k = 0; k < 2; k++) {
        sp_kin_positions(w->r.m, w->r.x->numbers, q[k], &w->r.w->kin);
        sp_sweep_poses(w->r.m, &w->r.w->kin, w->pose[k]);
    }
    const sp_sweep_way way = {.from = w->pose[0], .to = w->pose[1]};
    sp_sweep_contours(w->s, &way, w->s->pair[0].a, w->s->pair[0].b, &found);
    return found;
}

/* A ball of 0.1 m goes through a slab of 1 mm at once: it touches where its edge comes to it. */
static void a_ball_that_jumps_over_a_slab_touches_it(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                       "  ground: {contours: {slab: {box: [1 mm, 2 m]}}}\n"
                       "  b: {mass: 1 kg, inertia: 1 kg*m^2, contours: {o: {circle: 0.1 m}}}\n"
                       "contacts: {c: {between: [b.o, ground.slab], law: {mu: 0.3}}}\n"
                       "start: {b.x: 1 m}\n");
    assert_int_equal(w.s->n_pair, 1);
    const double from[3] = {1.0, 0.0, 0.0}, to[3] = {-4.0, 0.0, 30.0}, beside[3] = {1.0, 9.0, 0.0};
    const sp_sweep_found f = go(&w, from, to);
    assert_int_equal(f.end, SP_SWEEP_TOUCH);
    assert_near(f.at, (1.0 - 0.1 - 0.0005) / 5.0, 1e-6);
    assert_true(f.at <= (1.0 - 0.1 - 0.0005) / 5.0); /* before it, never behind */
    assert_near(fabs(f.n.x), 1.0, 1e-9);
    assert_int_equal(go(&w, from, beside).end, SP_SWEEP_CLEAR);
    /* past the end of the slab, 1 m above its middle, by a hair and not */
    const double above[3] = {1.0, 1.1001, 0.0}, over[3] = {-1.0, 1.1001, 0.0};
    const double low[3] = {1.0, 1.0999, 0.0}, through[3] = {-1.0, 1.0999, 0.0};
    assert_int_equal(go(&w, above, over).end, SP_SWEEP_CLEAR);
    assert_int_equal(go(&w, low, through).end, SP_SWEEP_TOUCH);
    free_sweep(&w);
}

/* A rod of 1 m turns about its middle into a ball at 45 degrees. */
static void a_rod_that_turns_sweeps_its_angle(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
                       "  ground: {contours: {post: {circle: 10 mm, at: [0.3 m, 0.3 m]}}}\n"
                       "  b: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground},\n"
                       "    contours: {rod: {box: [1 m, 2 mm]}}}\n"
                       "contacts: {c: {between: [b.rod, ground.post], law: {mu: 0.3}}}\n");
    const double from[1] = {0.0}, to[1] = {1.5}, back[1] = {-2.2};
    const double angle = atan2(0.3, 0.3) - asin(0.011 / hypot(0.3, 0.3));
    const sp_sweep_found f = go(&w, from, to);
    assert_int_equal(f.end, SP_SWEEP_TOUCH);
    assert_near(f.at, angle / 1.5, 1e-5);
    assert_true(f.at <= angle / 1.5);
    assert_int_equal(go(&w, from, back).end, SP_SWEEP_CLEAR);
    free_sweep(&w);
}

/* Two bars that cross in space meet edge to edge, at no corner. */
static void bars_that_cross_meet_at_their_edges(void **ctx)
{
    (void)ctx;
    swept w = sweep_of(
        "specht: 1\nspace: spatial\ngravity: 0 m/s^2\nbodies:\n"
        "  ground: {contours: {bar: {box: [1 m, 2 mm, 2 mm]}}}\n"
        "  b: {mass: 1 kg, inertia: [1, 1, 1], contours: {bar: {box: [2 mm, 1 m, 2 mm]}}}\n"
        "contacts: {c: {between: [b.bar, ground.bar], law: {mu: 0.3}}}\n"
        "start: {b.z: 1 m}\n");
    const double from[7] = {0.1, 0.1, 1.0, 1.0, 0.0, 0.0, 0.0};
    const double to[7] = {0.1, 0.1, -1.0, 1.0, 0.0, 0.0, 0.0};
    const double past[7] = {0.1, 0.7, -1.0, 1.0, 0.0, 0.0, 0.0};
    const double high[7] = {0.1, 0.7, 1.0, 1.0, 0.0, 0.0, 0.0};
    const double *q[4] = {from, to, high, past};
    sp_sweep_found f[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            sp_kin_positions(w.r.m, w.r.x->numbers, q[2 * k + i], &w.r.w->kin);
            sp_sweep_poses(w.r.m, &w.r.w->kin, w.pose[i]);
        }
        const sp_sweep_way way = {.from = w.pose[0], .to = w.pose[1]};
        sp_sweep_contours(w.s, &way, 0, 1, &f[k]);
    }
    assert_int_equal(f[0].end, SP_SWEEP_TOUCH);
    assert_near(f[0].at, 0.998 / 2.0, 1e-6);
    assert_near(fabs(f[0].n.z), 1.0, 1e-9);
    assert_int_equal(f[1].end, SP_SWEEP_CLEAR);
    free_sweep(&w);
}

/* Three bars in the plane, none with a corner in another: the deepest pair is found, and how far it
 * has to be moved to come apart, without a gap below zero. */
static void the_deepest_pair_needs_no_slot(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
                       "  ground: {contours: {bar: {box: [2, 0.1]}}}\n"
                       "  b: {mass: 1, inertia: 1, contours: {bar: {box: [0.1, 2]}}}\n"
                       "  c: {mass: 1, inertia: 1, contours: {bar: {box: [0.1, 2]}}}\n"
                       "contacts:\n"
                       "  one: {between: [b, ground], law: {mu: 0.3}}\n"
                       "  two: {between: [c, ground], law: {mu: 0.3}}\n"
                       "start: {b.x: 3, c.x: -3}\n");
    const double q[3][6] = {{0.95, 0.0, 0.0, -0.9, 0.2, 0.0},  /* 1.05 - 0.95, 1.05 - 0.9 */
                            {0.95, 0.0, 0.0, -1.06, 0.0, 0.0}, /* the other is beside it  */
                            {1.06, 0.0, 0.0, -1.06, 0.0, 0.0}};
    const double deep[3] = {0.15, 0.1, 0.0};
    for (int k = 0; k < 3; k++) {
        sp_kin_positions(w.r.m, w.r.x->numbers, q[k], &w.r.w->kin);
        sp_sweep_poses(w.r.m, &w.r.w->kin, w.pose[0]);
        const sp_sweep_deepest d = sp_sweep_find_deepest(w.s, &w.r.w->con, w.pose[0]);
        assert_near(d.depth, deep[k], 1e-12);
        if (k < 2) {
            assert_int_equal(w.r.m->contour[d.a].body + w.r.m->contour[d.b].body, k == 0 ? 2 : 1);
        }
    }
    free_sweep(&w);
}

static sp_status see(void *ctx, const sp_model *m, const sp_step_record *rec, sp_error *err)
{
    (void)ctx, (void)m, (void)rec, (void)err;
    return SP_OK;
}

/* The frame of a run that ends so reports it as penetration, and as a doubt. */
static void a_run_reports_the_deepest_pair(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
                        "  ground: {contours: {bar: {box: [2, 0.1]}}}\n"
                        "  b: {mass: 1, inertia: 1, contours: {bar: {box: [0.1, 2]}}}\n"
                        "contacts: {c: {between: [b, ground], law: {mu: 0.3}}}\n"
                        "start: {b.x: 3}\n");
    const sp_run_options options = {
        .method = SP_METHOD_MOREAU, .until = 0.1, .step = 0.1, .output_step = 0.1};
    const sp_observer observer = {.step = see};
    sp_run_summary summary;
    sp_error err;
    r.x->q[0] = 0.9;
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, &observer, 1, &summary, &err), SP_OK);
    assert_near(summary.worst.gap, 0.15, 1e-12);
    assert_true(summary.doubt[SP_DOUBT_UNCERTIFIED].n > 0);
    rig_free(&r);
}

/* A ball of 10 mm goes at once past, or through, a wire of 1 mm without ends, which stands askew.
 */
static void a_wire_without_ends_is_met_by_its_sides(void **ctx)
{
    (void)ctx;
    swept w = sweep_of(
        "specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {contours: {wire: {cylinder: 0.001, axis: [0, 0.6, 0.8], at: [0, 300, 400]}}}\n"
        "  b: {mass: 1, inertia: 1, contours: {o: {sphere: 0.01}}}\n"
        "contacts: {c: {between: [b, ground], law: {mu: 0.3}}}\nstart: {b.x: 3}\n");
    assert_int_equal(w.s->n_pair, 1);
    for (int k = 0; k < 9; k++) { /* beside the axis by off, along it by 20 k */
        const double off = 0.0025 * k, y = 12.0 * k + 0.8 * off, z = 16.0 * k - 0.6 * off;
        const double from[7] = {1.0, y, z, 1.0}, to[7] = {-2.0, y + 0.6, z + 0.8, 1.0};
        const sp_sweep_found f = go(&w, from, to);
        assert_int_equal(f.end, off < 0.011 ? SP_SWEEP_TOUCH : SP_SWEEP_CLEAR);
        if (off < 0.011) {
            assert_near(f.at, (1.0 - sqrt(0.011 * 0.011 - off * off)) / 3.0, 1e-5);
        }
    }
    free_sweep(&w);
}

/* A ball flies past a post and a cone, at height z and beside their axis by off. */
static void posts_and_cones_are_met_by_their_sides(void **ctx)
{
    (void)ctx;
    static const char text[] =
        "specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {contours: {%s}}\n"
        "  b: {mass: 1, inertia: 1, contours: {o: {sphere: 0.01}}}\n"
        "contacts: {c: {between: [b, ground], law: {mu: 0.3}}}\nstart: {b.x: 3}\n";
    char model[400];
    snprintf(model, sizeof model, text, "post: {cylinder: 0.001, length: 4, at: [0, 0, 1]}");
    swept w = sweep_of(model);
    assert_int_equal(w.s->n_pair, 1);
    for (int k = 0; k < 9; k++) { /* from below the lower end, which is at -1, to above it */
        const double off = 0.0025 * k, z = -1.5 + 0.25 * k;
        const double from[7] = {1.0, off, z, 1.0}, to[7] = {-2.0, off, z, 1.0};
        const sp_sweep_found f = go(&w, from, to);
        const bool meets = off < 0.011 && z >= -1.0;
        assert_int_equal(f.end, meets ? SP_SWEEP_TOUCH : SP_SWEEP_CLEAR);
        if (meets) {
            assert_near(f.at, (1.0 - sqrt(0.011 * 0.011 - off * off)) / 3.0, 1e-5);
        }
    }
    free_sweep(&w);
    snprintf(model, sizeof model, text, "cone: {cone: [0.5, 0.1], length: 2}");
    w = sweep_of(model);
    for (int k = 1; k < 8; k++) { /* the side slopes by 1 to 5 */
        const double z = 0.25 * k, at = 0.5 - 0.2 * z + 0.01 * sqrt(1.04);
        const double from[7] = {1.0, 0.0, z, 1.0}, to[7] = {-2.0, 0.0, z, 1.0};
        const sp_sweep_found f = go(&w, from, to);
        assert_int_equal(f.end, SP_SWEEP_TOUCH);
        assert_near(f.at, (1.0 - at) / 3.0, 1e-5);
    }
    free_sweep(&w);
}

/* What has two flat ends is as thick as the ball in it, so that usual steps are not swept. theory
 * (66.9b) */
static void cones_are_as_thick_as_the_ball_in_them(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *contour;
        double r[2], length;
    } of[] = {{"cylinder: 0.5, length: 4", {0.5, 0.5}, 4.0},
              {"disc: 2, length: 0.6", {2.0, 2.0}, 0.6},
              {"disc: 2", {2.0, 2.0}, 0.0},
              {"cone: [0.5, 0.1], length: 2", {0.5, 0.1}, 2.0},
              {"frustum: [0.2, 3], length: 1", {0.2, 3.0}, 1.0},
              {"frustum: [0, 1], length: 2", {0.0, 1.0}, 2.0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char model[400];
        snprintf(model, sizeof model,
                 "specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
                 "  ground: {contours: {o: {%s}}}\n"
                 "  b: {mass: 1, inertia: 1, contours: {o: {sphere: 0.01}}}\n"
                 "contacts: {c: {between: [b, ground], law: {mu: 0.3}}}\nstart: {b.x: 9}\n",
                 of[i].contour);
        swept w = sweep_of(model);
        const double fall = of[i].r[1] - of[i].r[0], L = of[i].length;
        double most = 0.0;
        for (int k = 0; k <= 100000; k++) {
            const double z = L * k / 1e5;
            const double side = L > 0.0 ? (L * of[i].r[0] + fall * z) / hypot(L, fall) : 0.0;
            most = fmax(most, fmin(fmin(z, L - z), side));
        }
        const int ground = w.r.m->contour[0].body == SP_GROUND ? 0 : 1;
        assert_near(w.s->cover[ground].thin, 2.0 * most, 1e-4);
        free_sweep(&w);
    }
}

/* A ball of 0.1 m jumps over an ellipsoid 2 mm thick: it touches its middle where its lower end
 * comes there. */
static void a_ball_that_jumps_over_an_ellipsoid_touches_it(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: spatial\ngravity: 0\nbodies:\n"
                       "  ground: {contours: {e: {ellipsoid: [0.5, 0.4, 1 mm]}}}\n"
                       "  b: {mass: 1 kg, inertia: [1, 1, 1], contours: {o: {sphere: 0.1 m}}}\n"
                       "contacts: {c: {between: [b.o, ground.e], law: {mu: 0.3}}}\n"
                       "start: {b.z: 1 m}\n");
    assert_int_equal(w.s->n_pair, 1);
    const double from[7] = {0.0, 0.0, 1.0, 1.0}, to[7] = {0.0, 0.0, -4.0, 1.0};
    const double beside[7] = {0.7, 0.0, 1.0, 1.0}, below[7] = {0.7, 0.0, -4.0, 1.0};
    const sp_sweep_found f = go(&w, from, to);
    assert_int_equal(f.end, SP_SWEEP_TOUCH);
    assert_near(f.at, (1.0 - 0.1 - 0.001) / 5.0, 1e-6);
    assert_true(f.at <= (1.0 - 0.1 - 0.001) / 5.0);
    assert_near(f.n.z, 1.0, 1e-9);
    assert_int_equal(go(&w, beside, below).end, SP_SWEEP_CLEAR);
    /* least ball of the samples: no larger than its thickness, no smaller than at its rim */
    assert_true(w.s->cover[w.s->pair[0].b].thin <= 0.002 + 1e-12);
    free_sweep(&w);
}

/* Where an ellipsoid has a pipe through it, the pipe's ends are nearest, half a metre away: that is
 * no distance. */
static void ends_of_a_pipe_hide_no_crossing(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: spatial\ngravity: 0\nbodies:\n"
                       "  ground: {contours: {p: {cylinder: 0.3 mm, length: 1 m}}}\n"
                       "  b: {mass: 1 kg, inertia: [1, 1, 1], contours: {o: {ellipsoid: [0.01, "
                       "0.04, 0.09]}}}\n"
                       "contacts: {c: {between: [b.o, ground.p], law: {mu: 0.3}}}\n"
                       "start: {b.x: 1 m}\n");
    const double from[7] = {1.0, 0.0, 0.1, 1.0}, to[7] = {-1.0, 0.0, 0.1, 1.0};
    const sp_sweep_found f = go(&w, from, to);
    assert_int_equal(f.end, SP_SWEEP_TOUCH);
    assert_near(f.at, (1.0 - 0.01 - 0.0003) / 2.0, 1e-5);
    free_sweep(&w);
}

/* The gap of a slot when a step began: open, but for one slot. */
static double gap_of(const void *ctx, int slot)
{
    return slot == *(const int *)ctx ? 1e-4 : 1.0;
}

static bool no_touch(const void *ctx, int slot, uint64_t *key)
{
    (void)ctx, (void)slot;
    *key = 0;
    return false;
}

/* A peg that jumps into the wall of its bore touches it, whichever of its rims was near. */
static void every_rim_of_a_peg_counts(void **ctx)
{
    (void)ctx;
    swept w = sweep_of("specht: 1\nspace: spatial\ngravity: 0\nbodies:\n"
                       "  ground: {contours: {bore: {cylinder: 10.5 mm, inside: yes, length: 40 "
                       "mm}}}\n"
                       "  peg: {mass: 1 kg, inertia: [1, 1, 1], contours: {side: {cylinder: 10 mm, "
                       "length: 50 mm}}}\n"
                       "contacts: {c: {between: [peg.side, ground.bore], law: {mu: 0.3}}}\n");
    const double from[7] = {0.0, 0.0, 0.01, 1.0}, to[7] = {2e-3, 0.0, 0.01, 1.0};
    go(&w, from, to);
    assert_int_equal(w.s->pair[0].n, 4);
    const sp_sweep_way way = {.from = w.pose[0], .to = w.pose[1]};
    for (int slot = -1; slot < 4; slot++) {
        const sp_sweep_step step = {.s = w.s,
                                    .con = &w.r.w->con,
                                    .way = &way,
                                    .n_way = 1,
                                    .touched = no_touch,
                                    .gap = gap_of,
                                    .ctx = &slot};
        assert_int_equal(sp_sweep_touches(&step), slot >= 0);
    }
    free_sweep(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_that_jumps_over_a_slab_touches_it),
        cmocka_unit_test(a_rod_that_turns_sweeps_its_angle),
        cmocka_unit_test(a_ball_that_jumps_over_an_ellipsoid_touches_it),
        cmocka_unit_test(ends_of_a_pipe_hide_no_crossing),
        cmocka_unit_test(bars_that_cross_meet_at_their_edges),
        cmocka_unit_test(the_deepest_pair_needs_no_slot),
        cmocka_unit_test(a_run_reports_the_deepest_pair),
        cmocka_unit_test(a_wire_without_ends_is_met_by_its_sides),
        cmocka_unit_test(posts_and_cones_are_met_by_their_sides),
        cmocka_unit_test(cones_are_as_thick_as_the_ball_in_them),
        cmocka_unit_test(every_rim_of_a_peg_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
