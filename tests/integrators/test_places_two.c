/* Curves that touch another curve at two places, or have two above each other.   theory (54.9),
 * (58.3) */
#include "support/check.h"
#include "support/events.h"
#include "support/machine.h"

#include <string.h>

/* A body of 2 kg with one contour over a road. */
static rig over_road(const char *road, const char *contour, const char *law, double x, double y,
                     double v)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {road: %s}}\n"
                       "  body: {mass: 2, inertia: 0.2, contours: {skin: %s}}\n"
                       "contacts: {c: {between: [body, ground], law: %s}}\n"
                       "start: {body.x: %.17g, body.y: %.17g, body.vx: %.17g}\n",
                       road, contour, law, x, y, v);
}

/* Nothing was put back, every step is certified. */
static void assert_exact(const rig *r)
{
    assert_int_equal(events_count(r, SP_EVENT_HANDOVER), 0);
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-9 * r->x->ledger.scale);
    assert_true(fabs(r->x->ledger.projection) <= 1e-9 * r->x->ledger.scale);
}

#define WAVES "{curve: [s, 0.1*cos(2*pi*s)], over: [-2, 2]}"

/* An arc of a whole turn is a circle, also on waves and in the mouth of a ring. */
static void an_arc_as_a_tyre_does_what_a_circle_does(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *road;
        double x, y, v;
    } c[] = {{WAVES, 0.2, 0.65, 1.0},
             {"{arc: 1, over: [110 deg, 430 deg], inside: yes}", 0.05, 1.35, 0.0}};
    for (int k = 0; k < 2; k++) {
        rig a = over_road(c[k].road, "{arc: 0.5}", "{mu: 0.3, eps_N: 0.2}", c[k].x, c[k].y, c[k].v);
        rig b =
            over_road(c[k].road, "{circle: 0.5}", "{mu: 0.3, eps_N: 0.2}", c[k].x, c[k].y, c[k].v);
        assert_int_equal(a.m->n_slot, b.m->n_slot);
        events_go(&a, 0.5, 1e-11);
        events_go(&b, 0.5, 1e-11);
        assert_true(events_count(&b, SP_EVENT_IMPACT) > 4);
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        assert_exact(&a);
        for (int i = 0; i < 3; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-9);
            assert_near(a.x->u[i], b.x->u[i], 1e-8);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

/* Many points of the oval, in the place of the body, and of the road: the least distance of the
 * two, and how deep the lowest of them is below the road, y - 0.1 cos 2 pi x. */
static void search(const double q[3], double *distance, double *depth)
{
    *distance = INFINITY;
    *depth = INFINITY;
    for (int i = 0; i < 400; i++) {
        const double s = 2.0 * 3.14159265358979323846 * i / 400.0, a = 0.5 * cos(s),
                     b = 0.4 * sin(s);
        const double x = q[0] + a * cos(q[2]) - b * sin(q[2]);
        const double y = q[1] + a * sin(q[2]) + b * cos(q[2]);
        *depth = fmin(*depth, y - 0.1 * cos(2.0 * 3.14159265358979323846 * x));
        for (int k = 0; k <= 800; k++) {
            const double r = -2.0 + 4.0 * k / 800.0;
            const double up = y - 0.1 * cos(2.0 * 3.14159265358979323846 * r);
            *distance = fmin(*distance, hypot(x - r, up));
        }
    }
}

/* Wherever an oval is over, in or under a road, its gap is a number: open ones are the least
 * distance, those inside of the road are below zero. */
static void an_oval_has_a_gap_wherever_it_is(void **ctx)
{
    (void)ctx;
    machine c = machine_of_text(
        "specht: 1\nspace: planar\nunits: off\ngravity: 0\nbodies:\n"
        "  ground: {contours: {road: " WAVES "}}\n"
        "  body: {mass: 2, inertia: 0.2, contours: {skin: {curve: [0.5*cos(s), 0.4*sin(s)], over: "
        "[0, 2*pi]}}}\n"
        "contacts: {c: {between: [body, ground], law: {mu: 0}}}\n");
    const double u[3] = {0.0, 0.0, 0.0};
    rng r = {54};
    int open = 0, inside = 0;
    for (int n = 0; n < check_cases(60, 1000); n++) {
        const double q[3] = {rng_in(&r, -1.2, 1.2), rng_in(&r, -1.5, 1.5), rng_in(&r, -3.0, 3.0)};
        double distance, depth;
        search(q, &distance, &depth);
        machine_touch(&c, q, u, 0.0);
        const double g = c.w->con.g[0];
        assert_true(isfinite(g));
        if (depth > 0.0) {
            assert_true(g <= distance + 1e-9 && g >= distance - 1e-2);
            open++;
        } else if (depth < -0.3) {
            assert_true(g < 0.0);
            inside++;
        }
    }
    assert_true(open > 10 && inside > 10);
    machine_free(&c);
}

/* A body like the letter S, which comes down turned such that two of its places are above each
 * other as it lands. */
#define ESS                                                                                        \
    "{spline: [[-0.75, 0.1], [-0.95, -0.3], [-1.0, -0.75], [-0.7, -1.03], [-0.35, -1.12], [0.0, "  \
    "-1.15], [0.35, -1.12], [0.7, -1.03], [1.1, -0.8], [0.9, -0.62], [0.2, -0.6], [-0.25, "        \
    "-0.45], [-0.35, -0.1], [-0.15, 0.12], [0.0, -0.05], [0.2, -0.2], [0.65, 0.0], [1.1, 0.55], "  \
    "[0.8, 0.95], [0, 1.05], [-0.8, 0.9], [-1.05, 0.6], [-0.8, 0.3]], closed: yes}"
#define LARGE  50.0
#define MIDDLE 0.26222845

static rig ess_on(const char *floor, const char *pair)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 10\nbodies:\n"
                       "  ground: {contours: {floor: %s}}\n"
                       "  ess: {mass: 1, inertia: 0.4, contours: {rim: " ESS "}}\n"
                       "contacts: {c: {between: %s, law: {mu: 0.2, eps_N: 0.3}}}\n"
                       "start: {ess.y: 1.5, ess.phi: -0.2749458217617211}\n",
                       floor, pair);
}

/* How far the lowest point of the whole rim was over the floor, by all of its samples. */
typedef struct lowest {
    bool flat;
    double g;
} lowest;

static sp_status watch_rim(void *ctx, const sp_model *m, const sp_step_record *rec, sp_error *err)
{
    lowest *l = ctx;
    const sp_curve *rim = NULL;
    (void)err;
    for (int i = 0; i < m->n_contour; i++) {
        const int form = m->contour[i].form;
        rim = form > 0 && !sp_curve_is_round(m->curve[form - 1]) ? m->curve[form - 1] : rim;
    }
    for (int i = 0; i < rim->n_fine; i++) {
        const double c = cos(rec->q[2]), s = sin(rec->q[2]);
        const sp_vec r = rim->fine[i].r;
        const double x = rec->q[0] + c * r.x - s * r.y, y = rec->q[1] + s * r.x + c * r.y;
        l->g = fmin(l->g, l->flat ? y : hypot(x - MIDDLE, y + LARGE) - LARGE);
    }
    return SP_OK;
}

/* Nothing comes below the floor: the place that touches does not stand aside for the one above. */
static void a_body_lands_on_one_of_two_places_above_each_other(void **ctx)
{
    (void)ctx;
    static const struct {
        sp_method method;
        double size, below; /* m: steps are one step late, at sqrt(30) m/s of 15 J at most */
    } c[] = {{SP_METHOD_EVENT, 1e-9, 1e-8},
             {SP_METHOD_ADAPTIVE, 1e-6, 1e-5},
             {SP_METHOD_MOREAU, 1e-4, 5.5e-4},
             {SP_METHOD_THETA, 1e-4, 5.5e-4}};
    static const char *const floor[] = {"{line: [0, 1]}", "{arc: 50, at: [0.26222845, -50]}",
                                        "{circle: 50, at: [0.26222845, -50]}"};
    static const char *const pair[] = {"[ess, ground]", "[ground, ess]"};
    for (int k = 0; k < 4; k++) {
        double q[3][2][3];
        for (int n = 0; n < 6; n++) {
            rig r = ess_on(floor[n / 2], pair[n % 2]);
            lowest l = {.flat = n / 2 == 0, .g = INFINITY};
            const bool steps = sp_method_has_step(c[k].method);
            const sp_observer observer = {.step = watch_rim, .ctx = &l};
            const sp_run_options options = {.method = c[k].method,
                                            .until = 1.0,
                                            .step = steps ? c[k].size : 0.0,
                                            .tolerance = steps ? 0.0 : c[k].size,
                                            .output_step = 0.01};
            sp_run_summary summary;
            sp_error err = {.status = SP_OK};
            assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, &observer, 1, &summary, &err),
                             SP_OK);
            assert_true(l.g > -c[k].below);
            memcpy(q[n / 2][n % 2], r.x->q, sizeof q[0][0]);
            rig_free(&r);
        }
        for (int i = 0; i < 3; i++) { /* an arc is a circle, whichever of the two is first */
            assert_near(q[0][0][i], q[0][1][i], 1e-9);
            assert_near(q[1][0][i], q[2][0][i], 1e-6);
            assert_near(q[1][1][i], q[2][0][i], 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_as_a_tyre_does_what_a_circle_does),
        cmocka_unit_test(an_oval_has_a_gap_wherever_it_is),
        cmocka_unit_test(a_body_lands_on_one_of_two_places_above_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
