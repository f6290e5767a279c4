/* tests/integrators/test_adaptive_ends.c - adaptive steps where contours end: contacts lose their
 * load at once, corners are not put onto the next edge.   theory (60.9), (60.10) */
#include "support/check.h"
#include "support/run.h"

#include <math.h>

enum { SIZES = 8 }; /* tolerances from 1e-4 to 1e-11 */
#define BESIDE 4e-9 /* m: edges are 1e-9 m longer, corners hand over within as much */
#define SLOW   1e-5 /* m/s: the first step on a curve tells an impact of its second order */
#define G      10.0

typedef struct ends {
    int n_open, n_hit;
    double t_open; /* of the last one */
} ends;

static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    (void)err;
    ends *e = ctx;
    for (int i = 0; i < r->n_event; i++) {
        if (r->event[i].kind == SP_EVENT_OPEN) {
            e->n_open++;
            e->t_open = r->event[i].t;
        }
        e->n_hit += r->event[i].kind == SP_EVENT_IMPACT && r->event[i].gamma_N_before < -SLOW;
    }
    return SP_OK;
}

/* Run to `until`; nothing is hit, and nothing is moved by projections. */
static ends run_to(rig *r, sp_method method, double until, double tolerance)
{
    ends seen = {.n_open = 0};
    rig_run(r, method, until, tolerance, watch, &seen);
    assert_int_equal(seen.n_hit, 0);
    assert_true(fabs(r->x->ledger.projection) <= 1e-7 * r->x->ledger.scale);
    return seen;
}

static double tolerance_of(int k)
{
    return pow(10.0, -4.0 - k);
}

/* ---- a wheel in a ring ------------------------------------------------------------------------
 */

/* When a mass without friction, which goes round in a ring on a circle of radius r with v at its
 * lowest point, is at the angle 'end' from there: the integral of r dphi/v(phi), by Simpson. */
static double time_round(double r, double v, double end)
{
    const int n = 2000;
    double sum = 0.0;
    for (int i = 0; i <= n; i++) {
        const double weight = i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0;
        const double phi = end * i / n;
        sum += weight * r / sqrt(v * v - 2.0 * G * r * (1.0 - cos(phi)));
    }
    return sum * end / n / 3.0;
}

/* A wheel of 0.3 m in a ring of 1 m that is open at the top, fast enough to press on it all the
 * way: it loses its load at once, where the ring ends. */
static void wheel_leaves_the_end_of_a_ring_in_time(void **ctx)
{
    (void)ctx;
    const double exact = time_round(0.7, 9.0, 170.0 / 180.0 * acos(-1.0));
    for (int k = 0; k < SIZES; k++) {
        const double tolerance = tolerance_of(k);
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                            "bodies:\n  ground: {contours: {ring: {arc: 1 m, inside: yes,\n"
                            "                                     over: [100 deg, 440 deg]}}}\n"
                            "  wheel: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
                            "          contours: {rim: {circle: 0.3 m}}}\n"
                            "contacts: {c: {between: [wheel, ground], law: {mu: 0}}}\n"
                            "start: {wheel.y: -0.7 m, wheel.vx: 9 m/s}\nrun: {until: 0.26 s}\n");
        const ends seen = run_to(&r, SP_METHOD_ADAPTIVE, 0.26, tolerance);
        assert_int_equal(seen.n_open, 1);
        print_message("  ring: tolerance %.0e, leaves %.1e s off\n", tolerance,
                      fabs(seen.t_open - exact));
        assert_true(fabs(seen.t_open - exact) <= 20.0 * tolerance + BESIDE / 9.0);
        rig_free(&r);
    }
}

/* ---- a puck on a table ------------------------------------------------------------------------
 */

#define TABLE 1.2345678
#define MU    0.1

/* A puck of 1 kg with 3 m/s slides to the end of a table and falls: as a point, which would have
 * the side of the table as its next edge, and as a disc. */
static void puck_leaves_a_table(const char *contour, double height)
{
    const double v = 3.0, t_end = (v - sqrt(v * v - 2.0 * MU * G * TABLE)) / (MU * G);
    const double falls = 0.6 - t_end, v_end = v - MU * G * t_end;
    const double x = TABLE + v_end * falls, y = height - 0.5 * G * falls * falls;
    for (int k = 0; k < SIZES; k++) {
        const double tolerance = tolerance_of(k);
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                            "bodies:\n  ground: {contours: {table: {polygon: [[-2 m, 0],\n"
                            "    [1.2345678 m, 0], [1.2345678 m, -1 m], [-2 m, -1 m]]}}}\n"
                            "  puck: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
                            "         contours: {p: %s}}\n"
                            "contacts: {c: {between: [puck, ground], law: {mu: 0.1}}}\n"
                            "start: {puck.y: %g m, puck.vx: 3 m/s}\nrun: {until: 0.6 s}\n",
                            contour, height);
        const ends seen = run_to(&r, SP_METHOD_ADAPTIVE, 0.6, tolerance);
        const double off = hypot(r.x->q[0] - x, r.x->q[1] - y);
        assert_int_equal(seen.n_open, 1);
        print_message("  table: tolerance %.0e, leaves %.1e s off, %.1e m off\n", tolerance,
                      fabs(seen.t_open - t_end), off);
        assert_true(fabs(seen.t_open - t_end) <= 20.0 * tolerance + BESIDE / v_end);
        assert_true(off <= 20.0 * tolerance + BESIDE);
        rig_free(&r);
    }
}

static void point_leaves_the_end_of_a_table(void **ctx)
{
    (void)ctx;
    puck_leaves_a_table("{point: [0, 0]}", 0.0);
}

static void disc_leaves_the_end_of_a_table(void **ctx)
{
    (void)ctx;
    puck_leaves_a_table("{circle: 0.1 m}", 0.1);
}

/* ---- against event-driven runs ----------------------------------------------------------------
 */

static void compare(const char *model, double until)
{
    rig e = rig_of_text("%s", model);
    run_to(&e, SP_METHOD_EVENT, until, 1e-11);
    for (int k = 0; k < SIZES; k++) {
        const double tolerance = tolerance_of(k);
        rig r = rig_of_text("%s", model);
        run_to(&r, SP_METHOD_ADAPTIVE, until, tolerance);
        double off = 0.0;
        for (int i = 0; i < r.m->n_q; i++) {
            off = fmax(off, fabs(r.x->q[i] - e.x->q[i]));
        }
        print_message("  tolerance %.0e: %.1e off\n", tolerance, off);
        assert_true(off <= 20.0 * tolerance + BESIDE);
        rig_free(&r);
    }
    rig_free(&e);
}

/* A box slides over the end of a table, tips about the edge and leaves it: its corner is handed
 * over to that of the table, which leaves its bottom.  A hair before that a corner of the box is
 * within 1e-9 m of the level of the table, and still not in its side. */
static void box_tips_over_the_end_of_a_table(void **ctx)
{
    (void)ctx;
    compare("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n  ground: {contours: {table: {polygon: [[-2 m, 0],\n"
            "    [1.2345678 m, 0], [1.2345678 m, -1 m], [-2 m, -1 m]]}}}\n"
            "  box: {mass: 1 kg, inertia: 0.01 kg*m^2, joint: {free: ground},\n"
            "        contours: {p: {polygon: [[-0.1 m, -0.05 m], [0.1 m, -0.05 m],\n"
            "                                 [0.1 m, 0.05 m], [-0.1 m, 0.05 m]]}}}\n"
            "contacts: {c: {between: [box, ground], law: {mu: 0.1}}}\n"
            "start: {box.vx: 3 m/s, box.y: 0.05 m}\nrun: {until: 0.6 s}\n",
            0.6);
}

/* A point in a bowl leaves its rim. */
static void point_leaves_the_end_of_an_arc(void **ctx)
{
    (void)ctx;
    compare("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
            "bodies:\n  ground: {contours: {bowl: {arc: 1 m, over: [200 deg, 300 deg],\n"
            "                                      inside: yes}}}\n"
            "  puck: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
            "         contours: {p: {point: [0, 0]}}}\n"
            "contacts: {c: {between: [puck, ground], law: {mu: 0.1}}}\n"
            "start: {puck.vx: 4 m/s, puck.y: -1 m}\nrun: {until: 0.3 s}\n",
            0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheel_leaves_the_end_of_a_ring_in_time),
        cmocka_unit_test(point_leaves_the_end_of_a_table),
        cmocka_unit_test(disc_leaves_the_end_of_a_table),
        cmocka_unit_test(box_tips_over_the_end_of_a_table),
        cmocka_unit_test(point_leaves_the_end_of_an_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
