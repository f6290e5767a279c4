/* Adaptive steps against closed forms: through impacts, stick, slip and rolling the error follows
 * the tolerance; accumulations of impacts end; nothing hangs. */
#include "support/check.h"
#include "support/run.h"

#include "integrators/adaptive.h"

#include <string.h>

#define GRAVITY 9.81
enum { SIZES = 4 }; /* tolerances from 1e-3 to 1e-6 */

static double tolerance_of(int k)
{
    return pow(10.0, -3 - k);
}

/* Fit error against tolerance; every error is at most so many tolerances. */
static void follows(const char *what, const double *err, double most, double least_slope)
{
    double tol[SIZES];
    for (int k = 0; k < SIZES; k++) {
        tol[k] = tolerance_of(k);
        print_message("  %s: tolerance %.0e, error %.2e\n", what, tol[k], err[k]);
        assert_true(err[k] <= most * tol[k]);
    }
    const double slope = check_order(SIZES, tol, err);
    print_message("%s: error goes with tolerance^%.2f\n", what, slope);
    assert_true(slope > least_slope);
}

/* Run to the end in one call of `run`; steps taken. */
static long run_to(rig *r, double until, double tolerance)
{
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = until, .output_step = until, .tolerance = tolerance};
    const sp_status status = sp_integrate(r->m, r->x, r->w, &o, NULL, 0, &summary, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
    }
    assert_int_equal(status, SP_OK);
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-11 * r->x->ledger.scale);
    return summary.steps;
}

/* ---- bouncing ball ----------------------------------------------------------------------------
 */

#define BALL                                                                                       \
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"                                              \
    "bodies:\n"                                                                                    \
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"                                              \
    "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"                             \
    "         contours: {tip: {point: [0, 0]}}}\n"                                                 \
    "contacts: {b: {between: [ball, ground], law: {eps_N: %g}}}\n"                                 \
    "start: {ball.y: 1 m}\nrun: {until: 2 s}\n"

/* Height of a ball dropped from 1 m, in closed form. */
static double ball_height(double t, double e)
{
    double v = sqrt(2.0 * GRAVITY), t_hit = v / GRAVITY;
    if (t < t_hit) {
        return 1.0 - 0.5 * GRAVITY * t * t;
    }
    for (int k = 0; k < 1000; k++) {
        v *= e;
        if (t < t_hit + 2.0 * v / GRAVITY) {
            const double s = t - t_hit;
            return v * s - 0.5 * GRAVITY * s * s;
        }
        t_hit += 2.0 * v / GRAVITY;
    }
    return 0.0;
}

static void bouncing_ball_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text(BALL, 0.8);
        run_to(&r, 2.0, tolerance_of(k));
        err[k] = fabs(r.x->q[0] - ball_height(2.0, 0.8));
        rig_free(&r);
    }
    follows("ball", err, 20.0, 0.8);
}

/* It bounces infinitely often until t = sqrt(2/g) (1 + e)/(1 - e), then lies still. */
static void bouncing_ball_comes_to_rest_for_all_restitutions(void **ctx)
{
    (void)ctx;
    const double e[] = {0.3, 0.6, 0.9, 0.95};
    for (int i = 0; i < 4; i++) {
        const double t_rest = sqrt(2.0 / GRAVITY) * (1.0 + e[i]) / (1.0 - e[i]);
        rig r = rig_of_text(BALL, e[i]);
        const long steps = run_to(&r, 0.9 * t_rest, 1e-6);
        assert_true(fabs(r.x->q[0] - ball_height(0.9 * t_rest, e[i])) < 1e-5);
        assert_int_equal(r.x->contact[0].state, SP_STATE_OPEN);
        const long more = run_to(&r, t_rest + 0.1, 1e-6);
        print_message("  e = %g: %ld steps, then %ld to rest\n", e[i], steps, more);
        assert_true(fabs(r.x->q[0]) < 1e-7 && fabs(r.x->u[0]) < 1e-6);
        assert_true(r.x->contact[0].state != SP_STATE_OPEN);
        assert_true(steps + more < 3000);
        rig_free(&r);
    }
}

/* ---- oscillator with a stop -------------------------------------------------------------------
 */

/* x = -cos 10 t up to a stop at 0.5, where it turns round with eps times its speed: arcs of
 * A cos(10 s - phi) with A^2 = x^2 + (v/10)^2, from stop to stop. */
static double stop_exact(double until, double eps)
{
    const double w = 10.0, wall = 0.5, pi = acos(-1.0);
    double t = acos(-wall) / w, v = w * sqrt(1.0 - wall * wall);
    for (;;) {
        v *= eps; /* away from the wall */
        const double A = hypot(wall, v / w), back = 2.0 * (pi - acos(wall / A)) / w;
        if (until < t + back) {
            return A * cos(w * (until - t) + acos(wall / A));
        }
        t += back;
    }
}

static void oscillator_with_a_stop_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
                            "  ground: {contours: {wall: {line: [-1, 0], at: [0.5, 0]}}}\n"
                            "  mass: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: "
                            "100}, contours: {tip: {point: [0, 0]}}}\n"
                            "contacts: {stop: {between: [mass, ground], law: {eps_N: 0.8}}}\n"
                            "start: {mass.x: -1}\n");
        run_to(&r, 1.9, tolerance_of(k));
        err[k] = fabs(r.x->q[0] - stop_exact(1.9, 0.8));
        rig_free(&r);
    }
    follows("stop", err, 20.0, 0.8);
}

/* ---- block on a belt: stick and slip in turns -------------------------------------------------
 */

enum { BELT_K = 100 };
#define BELT_V    0.1
#define BELT_MU   0.3
#define BELT_MU_0 0.35

/* Where the block is: carried until the spring pulls with mu_0 m g, back on an arc of the
 * oscillation about mu m g/k until it has the speed of the belt again. */
static double belt_exact(double t)
{
    const double omega = sqrt(BELT_K), x_s = BELT_MU * GRAVITY / BELT_K;
    const double x_0 = BELT_MU_0 * GRAVITY / BELT_K, a = x_0 - x_s, b = BELT_V / omega;
    const double slips = 2.0 * (acos(-1.0) - atan2(a, b)) / omega, sticks = 2.0 * a / BELT_V;
    double s = t - x_0 / BELT_V;
    if (s < 0.0) {
        return BELT_V * t;
    }
    s = fmod(s, slips + sticks);
    return s < slips ? x_s + a * cos(omega * s) + b * sin(omega * s)
                     : x_s - a + BELT_V * (s - slips);
}

static void block_on_a_belt_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nparameters: {m: 1 kg, k: 100 N/m, g: 9.81 m/s^2, v_0: 0.1 "
                            "m/s}\nformula:\n  coordinates: {x: m, y: m}\n"
                            "  kinetic: m/2*(x'^2 + y'^2)\n"
                            "  potential: k/2*x^2 + m*g*y\n"
                            "contacts: {belt: {gap: y, slip: x' - v_0,\n"
                            "                  law: {mu: 0.3, mu_0: 0.35}}}\n"
                            "start: {x': 0.1 m/s}\nrun: {until: 2 s}\n");
        const long steps = run_to(&r, 2.0, tolerance_of(k));
        err[k] = fabs(r.x->q[0] - belt_exact(2.0));
        assert_true(steps < 2000);
        rig_free(&r);
    }
    follows("belt", err, 20.0, 0.6);
}

/* ---- sliding to rest, sliding to rolling ------------------------------------------------------
 */

/* A block with 2 m/s on a floor stops after v^2/(2 mu g). */
static void sliding_block_stops_where_it_should(void **ctx)
{
    (void)ctx;
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  block: {mass: 1 kg, joint: {free: ground, only: [x, y]},\n"
                            "          contours: {tip: {point: [0, 0]}}}\n"
                            "contacts: {b: {between: [block, ground], law: {mu: 0.3}}}\n"
                            "start: {block.vx: 2 m/s}\nrun: {until: 1 s}\n");
        run_to(&r, 1.0, tolerance_of(k));
        err[k] = fabs(r.x->q[0] - 4.0 / (0.6 * GRAVITY));
        assert_int_equal(r.x->contact[0].state, SP_STATE_STICK);
        assert_true(fabs(r.x->u[0]) < 1e-12);
        rig_free(&r);
    }
    follows("stop", err, 20.0, 0.6);
}

/* A disc without spin slides until v = 2/3 v_0 at t = v_0/(3 mu g), then rolls. */
static void sliding_disc_rolls_on(void **ctx)
{
    (void)ctx;
    const double v = 2.0, mu = 0.2, t_1 = v / (3.0 * mu * GRAVITY);
    const double x = v * t_1 - 0.5 * mu * GRAVITY * t_1 * t_1 + 2.0 / 3.0 * v * (1.0 - t_1);
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  disc: {mass: 2 kg, inertia: 0.01 kg*m^2, joint: {free: ground},\n"
                            "         contours: {rim: {circle: 0.1 m}}}\n"
                            "contacts: {b: {between: [disc, ground], law: {mu: 0.2}}}\n"
                            "start: {disc.y: 0.1 m, disc.vx: 2 m/s}\nrun: {until: 1 s}\n");
        const long steps = run_to(&r, 1.0, tolerance_of(k));
        err[k] = fabs(r.x->q[rig_dof(&r, "disc.joint.x")] - x);
        assert_int_equal(r.x->contact[0].state, SP_STATE_STICK);
        assert_true(steps < 200);
        rig_free(&r);
    }
    follows("disc", err, 20.0, 0.6);
}

/* A sphere in space with 2 m/s along x and a spin of 10 rad/s about x: the contact point slides
 * with (v, r omega); friction keeps that direction, and it rolls after 2 |slip|/(7 mu g). */
static void sliding_sphere_rolls_on_in_space(void **ctx)
{
    (void)ctx;
    const double mu = 0.2, slip[2] = {2.0, 1.0}, size = hypot(slip[0], slip[1]);
    const double t_1 = 2.0 * size / (7.0 * mu * GRAVITY);
    const double x = 2.0 * t_1 - 0.5 * mu * GRAVITY * slip[0] / size * t_1 * t_1 +
                     (2.0 - 2.0 / 7.0 * slip[0]) * (1.0 - t_1);
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        rig r = rig_of_text("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                            "  ball: {mass: 2 kg, inertia: 0.008 kg*m^2, joint: {free: ground},\n"
                            "         contours: {skin: {sphere: 0.1 m}}}\n"
                            "contacts: {b: {between: [ball, ground], law: {mu: 0.2}}}\n"
                            "start: {ball.z: 0.1 m, ball.vx: 2 m/s, ball.omega_x: 10 rad/s}\n"
                            "run: {until: 1 s}\n");
        const long steps = run_to(&r, 1.0, tolerance_of(k));
        err[k] = fabs(r.x->q[0] - x);
        print_message("  %ld steps\n", steps);
        assert_int_equal(r.x->contact[0].state, SP_STATE_STICK);
        assert_true(steps < 400);
        rig_free(&r);
    }
    follows("sphere", err, 20.0, 0.6);
}

/* ---- what is at rest --------------------------------------------------------------------------
 */

/* A slide that lies on the floor, with a threshold far from its zero or a freewheel at rest, beside
 * a ball whose bounces ask for short steps: nothing changes about it, and nothing crawls.
 * theory (26.4) */
static void what_is_at_rest_does_not_make_steps_short(void **ctx)
{
    (void)ctx;
    const char *const coupling[] = {"{of: slide.joint.s - 0.1, threshold: 5}",
                                    "{of: slide.joint.s, one_way: backward}"};
    for (int i = 0; i < 2; i++) {
        rig r =
            rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                        "  slide: {mass: 1, joint: {prismatic: ground, axis: [0.6, 0.8]},\n"
                        "          contours: {tip: {point: [0, 0]}}}\n"
                        "  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1], at: [1, 0]},\n"
                        "         contours: {tip: {point: [0, 0]}}}\n"
                        "contacts:\n"
                        "  rest: {between: [slide, ground], law: {mu: 0.8}}\n"
                        "  bounce: {between: [ball, ground], law: {eps_N: 0.5}}\n"
                        "couplings: {q: %s}\n"
                        "start: {slide.joint.s: 0.05, slide.joint.v: -0.7, ball.joint.s: 0.2}\n",
                        coupling[i]);
        const long steps = run_to(&r, 1.0, 1e-6);
        print_message("  %s: %ld steps\n", coupling[i], steps);
        assert_true(steps < 1000);
        assert_true(fabs(r.x->q[0]) < 1e-12 && fabs(r.x->u[0]) < 1e-12);
        assert_true(fabs(r.x->q[1]) < 1e-6); /* it came to rest after sqrt(0.04) (1 + e)/(1 - e) */
        rig_free(&r);
    }
}

/* ---- machines, against events -----------------------------------------------------------------
 */

/* Largest difference of a coordinate from the run from event to event. */
static double apart_from_events(const char *file, double until, double tolerance)
{
    double q[2][8], worst = 0.0;
    int n = 0;
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_file(file, NULL);
        sp_run_summary summary;
        sp_error err = {.status = SP_OK};
        const sp_run_options o = {.method = i == 0 ? SP_METHOD_EVENT : SP_METHOD_ADAPTIVE,
                                  .until = until,
                                  .output_step = until,
                                  .tolerance = i == 0 ? 1e-12 : tolerance};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        n = r.m->n_q;
        memcpy(q[i], r.x->q, (size_t)n * sizeof(double));
        rig_free(&r);
    }
    for (int k = 0; k < n; k++) {
        worst = check_worse(worst, fabs(q[0][k] - q[1][k]));
    }
    return worst;
}

/* Nine bounces, their accumulation, a contact that lasts and opens again.  To 0.01 s errors follow
 * the tolerance; behind that those of small tolerances grow to the tolerance itself, over many
 * steps, and those of large ones stay below, where steps are as short as impacts made them. */
static void slider_crank_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    const char *const file = "examples/slider_crank/slider_crank.yaml";
    double err[2][SIZES];
    for (int k = 0; k < SIZES; k++) {
        err[0][k] = apart_from_events(file, 0.01, tolerance_of(k));
        err[1][k] = apart_from_events(file, 0.02, tolerance_of(k));
    }
    follows("slider-crank to 0.01 s", err[0], 20.0, 0.8);
    follows("slider-crank", err[1], 20.0, 0.3);
}

/* Two cycles: every kind of change that there is. */
static void woodpecker_follows_the_tolerance(void **ctx)
{
    (void)ctx;
    double err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        err[k] = apart_from_events("examples/woodpecker/woodpecker.yaml", 0.3, tolerance_of(k));
    }
    follows("woodpecker", err, 20.0, 0.8);
}

/* ---- impacts are told -------------------------------------------------------------------------
 */

/* The impacts of a run. */
enum { IMPACTS_MAX = 400 };
typedef struct impacts {
    int n, id[IMPACTS_MAX], slot[IMPACTS_MAX];
    double t[IMPACTS_MAX], Lambda[IMPACTS_MAX];
} impacts;

static sp_status note_impacts(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    impacts *all = ctx;
    (void)m;
    (void)err;
    for (int k = 0; k < r->n_event; k++) {
        if (r->event[k].kind == SP_EVENT_IMPACT && all->n < IMPACTS_MAX) {
            all->id[all->n] = r->event[k].impact_id;
            all->slot[all->n] = r->event[k].slot;
            all->t[all->n] = r->event[k].t;
            all->Lambda[all->n++] = r->event[k].Lambda_N;
        }
    }
    return SP_OK;
}

/* Run the slider-crank to 0.05 s. */
static void note_run(sp_method method, double tolerance, impacts *all)
{
    rig r = rig_slider_crank(0.0);
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_observer observer = {.step = note_impacts, .ctx = all};
    const sp_run_options o = {
        .method = method, .until = 0.05, .output_step = 0.05, .tolerance = tolerance};
    all->n = 0;
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, &observer, 1, &summary, &err), SP_OK);
    assert_int_equal(all->n > 0 ? all->id[all->n - 1] : 0, r.x->n_impact);
    rig_free(&r);
}

/* Every impact of more than a hundredth of the largest impulse is told by both methods, in its time
 * and size (the last one of an accumulation without restitution), and no number is left out. */
static void impacts_are_told_as_event_driven_runs_tell_them(void **ctx)
{
    (void)ctx;
    static impacts exact, mine;
    note_run(SP_METHOD_EVENT, 1e-11, &exact);
    double most = 0.0;
    for (int i = 0; i < exact.n; i++) {
        most = fmax(most, exact.Lambda[i]);
    }
    for (int k = 0; k < 2; k++) {
        const double tolerance = k == 0 ? 1e-5 : 1e-6;
        int strong = 0, found = 0;
        double late = 0.0, off = 0.0;
        note_run(SP_METHOD_ADAPTIVE, tolerance, &mine);
        assert_true(mine.n > 0 && mine.id[0] == 1);
        for (int j = 1; j < mine.n; j++) {
            assert_in_range(mine.id[j] - mine.id[j - 1], 0, 1);
        }
        for (int i = 0; i < exact.n; i++) {
            double nearest = INFINITY, other = 0.0;
            for (int j = 0; j < mine.n; j++) {
                const double d = fabs(mine.t[j] - exact.t[i]);
                if (mine.slot[j] == exact.slot[i] && d < nearest) {
                    nearest = d;
                    other = mine.Lambda[j];
                }
            }
            if (exact.Lambda[i] > 0.01 * most) {
                strong++;
                found += nearest < 1e-4 && other > 0.6 * exact.Lambda[i];
                late = fmax(late, nearest);
                off = fmax(off, fabs(other - exact.Lambda[i]) / most);
            }
        }
        print_message("tolerance %g: %d of %d strong impacts, times to %.1e s, impulses to %.1e\n",
                      tolerance, found, strong, late, off);
        assert_int_equal(strong, found);
        assert_true(late < (k == 0 ? 1e-4 : 1e-5) && off < (k == 0 ? 2e-2 : 2e-3));
    }
}

/* Thirty balls fall into a box: near the impact of one the others move fast, and steps are so short
 * that the velocities of contacts are small against the terms they are sums of. */
static void contact_problems_are_solved_to_what_certificates_ask(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nparameters: {r: 1 cm, w: 6 cm}\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}, xm: {plane: [1, 0, 0], at: [-w/2, 0, "
        "0]}, xp: {plane: [-1, 0, 0], at: [w/2, 0, 0]}, ym: {plane: [0, 1, 0], at: [0, -w/2, 0]}, "
        "yp: {plane: [0, -1, 0], at: [0, w/2, 0]}}}\n"
        "  ball: {count: 30, density: 2500 kg/m^3, shape: {sphere: r}, contours: {s: {sphere: "
        "r}}}\n"
        "contacts: {grains: {between: [ball, [ball, ground]], law: {mu: 0.3, eps_N: 0.2}}}\n"
        "start: {ball.x: (rand - 0.5)*2 cm, ball.y: (rand - 0.5)*2 cm, ball.z: i*2.2 cm}\n");
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = 0.134, .output_step = 0.134, .tolerance = 1e-5};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
    assert_true(summary.worst.complementarity < 1e-8);
    rig_free(&r);
}

/* A tolerance that steps of first order at impacts cannot keep is refused, with what to take. */
static void tolerances_that_events_are_for_are_refused(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(BALL, 0.8);
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_run_options o = {
        .method = SP_METHOD_ADAPTIVE, .until = 1.0, .output_step = 1.0, .tolerance = 9e-7};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "take event"));
    assert_true(sp_method_tolerance(r.m, SP_METHOD_ADAPTIVE) == 1e-5);
    assert_true(sp_method_tolerance(r.m, SP_METHOD_EVENT) == 1e-9);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances_that_events_are_for_are_refused),
        cmocka_unit_test(bouncing_ball_follows_the_tolerance),
        cmocka_unit_test(bouncing_ball_comes_to_rest_for_all_restitutions),
        cmocka_unit_test(oscillator_with_a_stop_follows_the_tolerance),
        cmocka_unit_test(block_on_a_belt_follows_the_tolerance),
        cmocka_unit_test(sliding_block_stops_where_it_should),
        cmocka_unit_test(sliding_disc_rolls_on),
        cmocka_unit_test(sliding_sphere_rolls_on_in_space),
        cmocka_unit_test(what_is_at_rest_does_not_make_steps_short),
        cmocka_unit_test(slider_crank_follows_the_tolerance),
        cmocka_unit_test(woodpecker_follows_the_tolerance),
        cmocka_unit_test(contact_problems_are_solved_to_what_certificates_ask),
        cmocka_unit_test(impacts_are_told_as_event_driven_runs_tell_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
