/* Forces that switch with the motion, against closed forms: steps end at the switch, stages stay on
 * their side, and what would slide along a switch ends with a sentence that helps. */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

#define PI 3.14159265358979323846

/* A mass on a rail under a force, and what else the model has. */
static rig mass(const char *force, const char *more)
{
    return rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                       "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                       "forces: {f: {drive: m.joint, force: '%s'}}\n%s",
                       force, more);
}

static sp_status run(rig *r, sp_method method, double until, sp_run_summary *summary, sp_error *err)
{
    const sp_run_options o = {
        .method = method, .until = until, .output_step = until, .tolerance = 1e-9};
    err->text[0] = '\0';
    return sp_integrate(r->m, r->x, r->w, &o, NULL, 0, summary, err);
}

/* The same, which must not fail; how many steps it took. */
static long go(rig *r, sp_method method, double until)
{
    sp_run_summary summary;
    sp_error err;
    if (run(r, method, until, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return summary.steps;
}

/* Through a coil of 2 mm at 200 m/s: the work of its force, whatever the steps. */
static void a_force_over_a_short_way_does_its_work(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 6; k++) {
        const double width = pow(10.0, -k);
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\nparameters: {w: %.17g m}\n"
            "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
            "forces: {f: {drive: m.joint, force: 'if(s > 10 m and s < 10 m + w, 100 J / w, 0)'}}\n"
            "start: {m.joint.v: 200 m/s}\n",
            width);
        const long steps = go(&r, k % 2 ? SP_METHOD_EVENT : SP_METHOD_SMOOTH, 0.1);
        assert_near(r.x->u[0], sqrt(200.0 * 200.0 + 100.0), 1e-10);
        assert_near(r.x->ledger.applied, 100.0, 1e-8);
        assert_true(steps < 60);
        rig_free(&r);
    }
}

/* A force that always pulls back: parabolas, period 4 sqrt(2 m x/F), the amplitude stays. */
static void a_force_by_the_sign_of_a_place_swings(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {"if(s > 0, -3 N, 3 N)", "-3 N * sign(s)",
                                       "if(s <= 0, 3 N, -3 N)"};
    const double period = 4.0 * sqrt(2.0 * 2.0 * 0.5 / 3.0);
    for (int k = 0; k < 3; k++) {
        rig r = mass(text[k], "start: {m.joint.s: 0.5 m}\n");
        go(&r, SP_METHOD_SMOOTH, 5.25 * period);
        assert_near(r.x->q[0], 0.0, 1e-9);
        assert_near(r.x->u[0], -sqrt(2.0 * 3.0 / 2.0 * 0.5), 1e-9);
        rig_free(&r);
    }
}

/* A spring with play: free flight, half a swing, free flight; by max, abs and a table. */
static void a_spring_with_play_throws_back(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {"-800 N/m * max(0 m, s - 0.1 m)",
                                       "-400 N/m * (s - 0.1 m + abs(s - 0.1 m))",
                                       "-800 N/m * (s - clamp(s, -1 m, 0.1 m))",
                                       "if(s > 0.1 m, -800 N/m * (s - 0.1 m), 0)", "K(s)"};
    const double w = 20.0, until = 0.1 / 3.0 + PI / w + 0.02;
    for (int k = 0; k < 10; k++) {
        rig r = mass(text[k / 2],
                     "functions: {K: {points: [[-1 m, 0 N], [0.1 m, 0 N], [1.1 m, -800 N]], by: "
                     "linear}}\nstart: {m.joint.v: 3 m/s}\n");
        go(&r, k % 2 ? SP_METHOD_EVENT : SP_METHOD_SMOOTH, until);
        assert_near(r.x->u[0], -3.0, 1e-9);
        assert_near(r.x->q[0], 0.1 - 3.0 * 0.02, 1e-9);
        rig_free(&r);
    }
}

/* A staircase of forces: work by steps of the way. */
static void steps_of_a_force_are_gone_through_one_by_one(void **ctx)
{
    (void)ctx;
    rig r = mass("1 N * floor(s/(0.1 m))", "start: {m.joint.v: 5 m/s, m.joint.s: 0.05 m}\n");
    go(&r, SP_METHOD_SMOOTH, 0.18);
    /* work 0.1 m * (0 + 1 + 2 + ...) N up to the last corner */
    const double x = r.x->q[0], n = floor(x / 0.1);
    const double work = 0.1 * 0.5 * n * (n - 1.0) + n * (x - 0.1 * n);
    assert_true(n >= 9.0);
    assert_near(r.x->u[0], sqrt(25.0 + work), 1e-9);
    rig_free(&r);
}

/* Drag by the sign of the speed, thrown back by a wall: the sign follows the impact. */
static void an_impact_changes_sides(void **ctx)
{
    (void)ctx;
    rig r =
        mass("-4 N * sign(v)",
             "contacts: {wall: {gap: 1 m - m.x, law: {eps_N: 1}}}\nstart: {m.joint.v: 3 m/s}\n");
    go(&r, SP_METHOD_EVENT, 0.8);
    /* 2 m/s^2: sqrt(9 - 4) m/s at the wall, at t_1 = (3 - sqrt 5)/2 s */
    const double v = sqrt(5.0), tau = 0.8 - 0.5 * (3.0 - v);
    assert_near(r.x->u[0], -v + 2.0 * tau, 1e-9);
    assert_near(r.x->q[0], 1.0 - v * tau + tau * tau, 1e-9);
    rig_free(&r);
}

/* Brakes by conditions on the speed would switch to and fro for ever. */
static void sliding_along_a_switch_ends_with_advice(void **ctx)
{
    (void)ctx;
    static const char *const text[] = {"if(v > 0, -6 N, 0 N) + 1 N", "-6 N * sign(v) + 1 N",
                                       "1 N - 6 N * if(v < 0, -1, 1)"};
    for (int k = 0; k < 6; k++) {
        rig r = mass(text[k / 2], "start: {m.joint.v: 5 m/s}\n");
        sp_run_summary summary;
        sp_error err;
        const sp_method method = k % 2 ? SP_METHOD_EVENT : SP_METHOD_SMOOTH;
        assert_int_equal(run(&r, method, 8.0, &summary, &err), SP_E_NOT_CONVERGED);
        assert_non_null(strstr(err.text, "force 'f'"));
        assert_non_null(strstr(err.text, "write it as friction or a stop"));
        assert_near(r.x->t, 2.0, 1e-9);
        assert_true(summary.steps < 100);
        rig_free(&r);
    }
}

/* ---- gaps, limits, springs and formulas ------------------------------------------------------ */

/* A bead of 1 kg without friction that slides along y = sign 0.1 |x| from x = -1 m at 3 m/s: it
 * comes to the corner at t_1 with u along x, and gamma = 0.2 u is taken from it or given.
 *     x' = 3 - sign a t,  a = 9.81 0.1/1.01  on the way there */
static rig bead(int sign, double *t_1, double *u)
{
    const double a = -sign * 9.81 * 0.1 / 1.01;
    *u = sqrt(9.0 - 2.0 * a);
    *t_1 = (3.0 - *u) / a;
    return rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                       "bodies: {m: {mass: 1 kg, inertia: 1 kg*m^2}}\n"
                       "contacts: {c: {gap: 'm.y - %d * 0.1 * abs(m.x)', law: {eps_N: 0}}}\n"
                       "start: {m.x: -1 m, m.y: %g m, m.vx: 3 m/s, m.vy: %g m/s}\n",
                       sign, sign * 0.1, -sign * 0.3);
}

/* Over a ridge it flies and falls onto the other side; in a valley it is struck by that. */
static void a_bead_flies_off_a_ridge_and_is_struck_in_a_valley(void **ctx)
{
    (void)ctx;
    double t_1, u;
    rig r = bead(-1, &t_1, &u);
    /* the far side falls away by 0.2 u: t_2 = 2 0.2 u/9.81 later it is hit with as much */
    const double t_2 = 0.4 * u / 9.81, after = 0.05;
    go(&r, SP_METHOD_EVENT, t_1 + t_2 + after);
    const double lost = 0.5 * 0.04 * u * u / 1.01;
    assert_near(r.x->ledger.impacts, -lost, 1e-9);
    const double v = u + 0.1 * 0.2 * u / 1.01, along = 9.81 * 0.1 / 1.01;
    assert_near(r.x->u[0], v + along * after, 1e-9);
    assert_near(r.x->q[0], u * t_2 + v * after + 0.5 * along * after * after, 1e-9);
    rig_free(&r);
    r = bead(1, &t_1, &u);
    go(&r, SP_METHOD_EVENT, t_1 + after);
    const double w = u - 0.1 * 0.2 * u / 1.01;
    assert_near(r.x->ledger.impacts, -0.5 * 0.04 * u * u / 1.01, 1e-9);
    assert_near(r.x->u[0], w - along * after, 1e-9);
    assert_near(r.x->q[0], w * after - 0.5 * along * after * after, 1e-9);
    assert_near(r.x->q[1], 0.1 * r.x->q[0], 1e-9);
    rig_free(&r);
}

/* Dry friction of 1 N up to 1 m and 3 N behind it, 2.5 m/s: x = 1 + (2.5^2 - 2)/6 m. */
static void a_limit_of_friction_switches_with_the_place(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                        "bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                        "couplings: {f: {of: m.x, friction: 'if(m.x > 1 m, 3 N, 1 N)'}}\n"
                        "start: {m.joint.v: 2.5 m/s}\n");
    const long steps = go(&r, SP_METHOD_EVENT, 3.0);
    assert_near(r.x->q[0], 1.0 + 4.25 / 6.0, 1e-10);
    assert_near(r.x->u[0], 0.0, 0.0);
    assert_true(steps < 40);
    rig_free(&r);
}

/* A preload of 3 N on |x|, 2 kg: parabolas of 1.5 m/s^2 about zero, (0.5 m, period 4 sqrt(2/3) s).
 */
static void a_spring_on_a_length_with_a_corner_swings(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                        "bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                        "forces: {s: {spring: abs(m.x), stiffness: 0 N/m, preload: 3 N}}\n"
                        "start: {m.x: 0.5 m}\n");
    const double period = 4.0 * sqrt(2.0 / 3.0), s = 0.1; /* behind the third turning point */
    const long steps = go(&r, SP_METHOD_SMOOTH, 1.5 * period + s);
    assert_near(r.x->q[0], -0.5 + 0.75 * s * s, 1e-9);
    assert_near(r.x->u[0], 1.5 * s, 1e-9);
    assert_true(steps < 60);
    rig_free(&r);
}

/* 1 kg at 1 m/s: 10 N over 1 cm of the way, then half a swing on a spring that begins at 0.1 m,
 * and the same back. */
static void a_formula_with_corners_is_followed(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\nformula:\n  coordinates: {x: m}\n"
                        "  kinetic: \"0.5 * 1 kg * x'^2\"\n"
                        "  potential: 0.5 * 100 N/m * max(0 m, x - 0.1 m)^2\n"
                        "  forces: {x: 'if(x > 0.05 m and x < 0.06 m, 10 N, 0 N)'}\n"
                        "start: {x': 1 m/s}\n");
    const double v = sqrt(1.2), way = 0.05 + 0.01 / (0.5 * (1.0 + v)) + 0.04 / v;
    go(&r, SP_METHOD_SMOOTH, 2.0 * way + PI / 10.0);
    assert_near(r.x->q[0], 0.0, 1e-9);
    assert_near(r.x->u[0], -1.0, 1e-9);
    rig_free(&r);
}

/* `adaptive` goes across borders in steps as short as its tolerance asks for: each of n borders
 * makes velocities wrong by the tolerance of their size, which goes on as a drift of positions. */
static void adaptive_steps_find_borders(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *force, *more;
        double until, q, u;
        int n;
        double size_q, size_u;
    } row[] = {{"if(s > 10 m and s < 10.002 m, 50000 N, 0 N)", "start: {m.joint.v: 200 m/s}\n", 0.1,
                20.0124909488, 200.2498439450, 2, 20.0, 200.0}, /* u = sqrt(200^2 + 100) m/s */
               {"-3 N * sign(s)", "start: {m.joint.s: 0.5 m}\n", 5.25 * 3.265986323710904, 0.0,
                -1.224744871391589, 11, 0.5, 1.3}, /* period 4 sqrt(2/3) s, u = sqrt(1.5) m/s */
               {"-800 N/m * max(0 m, s - 0.1 m)", "start: {m.joint.v: 3 m/s}\n",
                0.21041296601282297, 0.04, -3.0, 2, 0.25, 3.0}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        for (double tolerance = 1e-4; tolerance > 1e-6; tolerance /= 10.0) {
            rig r = mass(row[k].force, row[k].more);
            const sp_run_options o = {.method = SP_METHOD_ADAPTIVE,
                                      .until = row[k].until,
                                      .output_step = row[k].until,
                                      .tolerance = tolerance};
            sp_run_summary summary;
            sp_error err = {.text = ""};
            assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
            const double drift = 1.0 + row[k].until * row[k].size_u / row[k].size_q;
            assert_near(r.x->u[0], row[k].u, row[k].n * tolerance * drift * row[k].size_u);
            assert_near(r.x->q[0], row[k].q, row[k].n * tolerance * drift * row[k].size_q);
            print_message("%g: q %.1e, u %.1e, %ld steps\n", tolerance, r.x->q[0] - row[k].q,
                          r.x->u[0] - row[k].u, summary.steps);
            rig_free(&r);
        }
    }
}

/* Where a brake by a condition stands every method ends with advice or stays there. */
static void steps_along_a_switch_end_or_stay(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_ADAPTIVE};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        rig r = mass("if(v > 0, -6 N, 0 N) + 1 N", "start: {m.joint.v: 5 m/s}\n");
        const double dt = 1e-3;
        const sp_run_options o = {.method = method[k],
                                  .until = 8.0,
                                  .output_step = 8.0,
                                  .step = method[k] == SP_METHOD_ADAPTIVE ? 0.0 : dt,
                                  .tolerance = 1e-5};
        sp_run_summary summary;
        sp_error err = {.text = ""};
        const sp_status status = sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err);
        assert_true(status == SP_OK || strstr(err.text, "write as friction or a stop"));
        assert_true(status == SP_OK || fabs(r.x->t - 2.0) < 2.0 * dt);
        assert_near(r.x->q[0], 5.0, 10.0 * dt); /* a step of 6 N on 2 kg to either side */
        assert_near(r.x->u[0], 0.0, 3.0 * dt);
        assert_true(summary.steps < 10000);
        rig_free(&r);
    }
}

/* A gap that jumps, with the motion or with time. */
static void a_gap_that_jumps_is_refused(void **ctx)
{
    (void)ctx;
    static const char *const gap[] = {"m.y - if(m.x > 0, 0.01 m, 0)",
                                      "m.y - if(t > 0.3 s, 0.01 m, 0)"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                            "bodies: {m: {mass: 1 kg, inertia: 1 kg*m^2}}\n"
                            "contacts: {step: {gap: '%s', law: {eps_N: 0}}}\n"
                            "start: {m.x: -0.9 m, m.vx: 3 m/s}\n",
                            gap[k]);
        sp_run_summary summary;
        sp_error err;
        assert_int_equal(run(&r, SP_METHOD_EVENT, 0.6, &summary, &err), SP_E_INPUT);
        assert_non_null(strstr(err.text, "t = 0.3 s: the gap of 'step' jumps from "));
        assert_non_null(strstr(err.text, "ramp(t"));
        rig_free(&r);
    }
}

/* Whose switch it is. */
static sp_status note_names(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    char *names = ctx;
    (void)err;
    for (int k = 0; k < r->n_event; k++) {
        if (r->event[k].kind == SP_EVENT_SWITCH) {
            strcat(strcat(names, sp_event_describe(m, &r->event[k]).name), " ");
        }
    }
    return SP_OK;
}

static void events_name_what_switches(void **ctx)
{
    (void)ctx;
    char names[200] = "";
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                        "bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                        "forces: {push: {drive: m.joint, force: 'if(s > 1 m, 3 N, 0 N)'}}\n"
                        "couplings: {drag: {of: m.x, friction: 'if(m.x > 2 m, 3 N, 1 N)'}}\n"
                        "start: {m.joint.v: 2.5 m/s}\n");
    rig_run(&r, SP_METHOD_EVENT, 2.0, 1e-9, note_names, names);
    assert_string_equal(names, "force 'push' coupling 'drag' ");
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_over_a_short_way_does_its_work),
        cmocka_unit_test(a_force_by_the_sign_of_a_place_swings),
        cmocka_unit_test(a_spring_with_play_throws_back),
        cmocka_unit_test(steps_of_a_force_are_gone_through_one_by_one),
        cmocka_unit_test(an_impact_changes_sides),
        cmocka_unit_test(sliding_along_a_switch_ends_with_advice),
        cmocka_unit_test(a_bead_flies_off_a_ridge_and_is_struck_in_a_valley),
        cmocka_unit_test(a_limit_of_friction_switches_with_the_place),
        cmocka_unit_test(a_spring_on_a_length_with_a_corner_swings),
        cmocka_unit_test(a_formula_with_corners_is_followed),
        cmocka_unit_test(adaptive_steps_find_borders),
        cmocka_unit_test(steps_along_a_switch_end_or_stay),
        cmocka_unit_test(a_gap_that_jumps_is_refused),
        cmocka_unit_test(events_name_what_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
