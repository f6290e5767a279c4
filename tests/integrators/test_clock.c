/* Forces, motions and gaps that switch with time: every run lands on the switches and sees pulses
 * however short, against closed forms. */
#include "support/check.h"
#include "support/run.h"

#include <float.h>
#include <string.h>

enum { EVENTS = 400 };

/* What happened in a run. */
typedef struct story {
    int n;
    sp_event event[EVENTS];
    double worst; /* residual */
} story;

static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    story *s = ctx;
    (void)m;
    (void)err;
    for (int k = 0; k < r->n_event && s->n < EVENTS; k++) {
        s->event[s->n++] = r->event[k];
    }
    const sp_certificate *c = r->certificate;
    s->worst = check_worse(s->worst, check_worse(c->complementarity, c->momentum));
    return SP_OK;
}

/* Run to `until` by a method; every step of it holds. */
static story run(rig *r, sp_method method, double until)
{
    story s = {.n = 0};
    rig_run(r, method, until, 1e-9, watch, &s);
    assert_true(s.worst < 1e-9);
    return s;
}

/* The k-th event of a kind, NULL: there are fewer. */
static const sp_event *event_of(const story *s, sp_event_kind kind, int k)
{
    for (int i = 0; i < s->n; i++) {
        if (s->event[i].kind == kind && k-- == 0) {
            return &s->event[i];
        }
    }
    return NULL;
}

static double q_of(const rig *r, const char *name)
{
    return r->x->q[r->m->dof[rig_dof(r, name)].q];
}

static double u_of(const rig *r, const char *name)
{
    return r->x->u[rig_dof(r, name)];
}

/* ---- forces -----------------------------------------------------------------------------------
 */

/* Texts of forces with an impulse of 1 N s, from a pulse of 1 us to one of 1 s. */
static const char *const pulses[] = {
    "if(t > 1.234567 s and t < 1.234567 s + w, 1 N*s / w, 0 N)",
    "1 N*s / w / sqrt(pi) * exp(-((t - 1.5 s)/w)^2)",
    "max(0, 1 - abs(t - 1.5 s)/w) * 1 N*s / w",
    "2 N*s / w * min(1, max(0, (t - 1.2 s)/w)) * if(t < 1.2 s + w, 1, 0)",
};

static void a_pulse_of_any_length_gives_its_impulse(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_SMOOTH, SP_METHOD_EVENT};
    long most = 0;
    for (size_t k = 0; k < sizeof pulses / sizeof *pulses; k++) {
        for (int i = 0; i < 12; i++) {
            const double w = pow(10.0, -6.0 + 0.5 * (i / 2));
            rig r =
                rig_of_text("specht: 1\nspace: planar\ngravity: 0\nparameters: {w: %.17g s}\n"
                            "bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                            "forces: {p: {force: ['%s', 0], on: m}}\n",
                            w, pulses[k]);
            const sp_run_options o = {
                .method = method[i % 2], .until = 5.0, .output_step = 5.0, .tolerance = 1e-9};
            sp_run_summary summary;
            sp_error err = {.text = ""};
            assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
            assert_near(u_of(&r, "m.joint.s"), 1.0, 1e-8);
            assert_near(rig_left_over(&r.x->ledger), 0.0, 1e-8);
            most = summary.steps > most ? summary.steps : most;
            rig_free(&r);
        }
    }
    print_message("at most %ld steps\n", most);
    assert_true(most < 200);
}

/* The same by methods with a step of 10 ms, in which the pulse is a moment, and by adaptive steps.
 */
static void a_pulse_within_a_step_gives_its_impulse(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_ADAPTIVE};
    long most = 0;
    for (size_t k = 0; k < sizeof pulses / sizeof *pulses; k++) {
        for (int i = 0; i < 18; i++) {
            rig r = rig_of_text(
                "specht: 1\nspace: planar\ngravity: 0\nparameters: {w: %.17g s}\n"
                "bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                "forces: {p: {force: ['%s', 0], on: m}}\nrun: {until: 3 s, theta: 0.5}\n",
                i / 6 == 0   ? 1e-6
                : i / 6 == 1 ? 1e-3
                             : 0.03,
                pulses[k]);
            const bool adapts = method[i % 6] == SP_METHOD_ADAPTIVE;
            const sp_run_options o = {.method = method[i % 6],
                                      .until = 3.0,
                                      .output_step = 3.0,
                                      .step = adapts ? 0.0 : 0.01,
                                      .tolerance = 1e-6};
            sp_run_summary summary;
            sp_error err = {.text = ""};
            if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
                fail_msg("%s", err.text);
            }
            /* pulses that steps see are theirs to sum up: midpoints of 10 ms for one of 60 ms */
            assert_near(u_of(&r, "m.joint.s"), 1.0, i / 6 == 2 ? 0.02 : 1e-7);
            most = !adapts && summary.steps > most ? summary.steps : most;
            rig_free(&r);
        }
    }
    print_message("at most %ld steps\n", most);
    assert_true(most <= 303); /* one more for every switch */
}

/* A bell 1.28 times as wide as the step, against friction of 1/1300 of its height: the impulse is
 * right wherever steps fall, and what friction takes is of first order in the step. */
static void a_bell_as_wide_as_a_step_gives_its_impulse(void **ctx)
{
    (void)ctx;
    const double F = 5466.0, w = 1.28e-3, limit = 4.0, m = 2.8, dt = 1e-3;
    for (int k = 0; k < 10; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\n"
            "bodies: {b: {mass: 2.8 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
            "couplings: {f: {of: b.x, friction: 4 N}}\n"
            "forces: {p: {force: ['5466 N * exp(-((t - %.17g s)/(1.28 ms))^2)', 0], on: b}}\n",
            0.5 + 1e-4 * k);
        const sp_run_options o = {
            .method = SP_METHOD_MOREAU, .until = 1.0, .output_step = 1.0, .step = dt};
        sp_run_summary summary;
        sp_error err = {.text = ""};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        const double t_0 = 0.5 + 1e-4 * k - w * sqrt(log(F / limit));
        const double v = (F * w * sqrt(acos(-1.0)) - limit * (1.0 - t_0)) / m;
        assert_near(r.x->u[0], v, 2.0 * limit / m * dt);
        rig_free(&r);
    }
}

/* Points that are repeated: the impulse of 5 1/4 periods of a saw with jumps, of straight lines
 * from half a period before, and of a smooth wave, which is that of a sine to 2 %, and the same
 * from period to period. */
static void a_table_with_a_period_is_repeated(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_SMOOTH, SP_METHOD_EVENT, SP_METHOD_MOREAU};
    for (int i = 0; i < 3; i++) {
        const bool steps = method[i] == SP_METHOD_MOREAU;
        double wave[2];
        for (int k = 0; k < 2; k++) {
            rig r = rig_of_text(
                "specht: 1\nspace: planar\ngravity: 0\nfunctions:\n"
                "  saw: {points: [[0 s, 0 N], [1 s, 2 N]], by: linear, period: 1 s}\n"
                "  tri: {points: [[0 s, -1 N], [0.5 s, 1 N]], by: linear, period: 1 s}\n"
                "  wave: {points: [[0 s, 0 N], [0.25 s, 1 N], [0.5 s, 0 N], [0.75 s, -1 N]], "
                "period: 1 s}\nbodies:\n"
                "  a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}\n"
                "  b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}\n"
                "  c: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}\n"
                "forces: {fa: {drive: a.joint, force: saw(t)}, fb: {drive: b.joint, force: tri(t - "
                "3.3 "
                "s)}, fc: {drive: c.joint, force: wave(t)}}\n");
            const sp_run_options o = {.method = method[i],
                                      .until = 5.25 - k,
                                      .output_step = 5.25,
                                      .step = steps ? 0.01 : 0.0,
                                      .tolerance = 1e-9};
            sp_run_summary summary;
            sp_error err = {.text = ""};
            assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
            assert_near(u_of(&r, "a.joint.s"), 5.0625 - k, 1e-9);
            assert_near(u_of(&r, "b.joint.s"), -0.075, 1e-9);
            wave[k] = u_of(&r, "c.joint.s");
            rig_free(&r);
        }
        assert_near(wave[0], wave[1], steps ? 1e-6 : 1e-9);
        assert_near(wave[0], 0.5 / acos(-1.0), 0.02 * 0.5 / acos(-1.0));
    }
}

static void a_table_that_cannot_be_repeated_is_refused(void **ctx)
{
    (void)ctx;
    static const char *const table[][2] = {
        {"points: [[0 s, 0 N], [2 s, 1 N]], by: linear, period: 1 s", "period = 1 s"},
        {"points: [[0 s, 0 N], [2 s, 1 N]], by: linear, period: 3 m", "expected"},
        {"points: [[0 s, 0 N], [1 s, 1 N], [2 s, 1 N], [3 s, 1 N]], period: 3 s", "by: linear"},
        {"points: [[0 s, 0 N], [1 s, 1 N]], period: 3 s", "three points"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const sp_error err =
            rig_refused("specht: 1\nspace: planar\ngravity: 0\nfunctions: {F: {%s}}\n"
                        "bodies: {a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                        "forces: {f: {drive: a.joint, force: F(t)}}\n",
                        table[k][0]);
        assert_non_null(strstr(err.text, table[k][1]));
        assert_non_null(strstr(err.text, "function 'F'"));
    }
}

/* The plate below moves 0.2 m within a step: steps are divided until they follow it. */
static void coarse_steps_do_not_pass_through_a_plate_that_jumps(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 4; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
            "  plate: {joint: {prismatic: ground, axis: [0, 1], motion: '0.2 m * exp(-((t - %.17g "
            "s)/1 ms)^2)'}, contours: {top: {line: [0, 1]}}}\n"
            "  ball: {mass: 1 kg, inertia: 1, contours: {c: {circle: 0.1 m}}}\n"
            "contacts: {k: {between: [ball, plate], law: {eps_N: 0}}}\n"
            "start: {ball.y: 0.2 m}\n",
            1.234567 + 1.7e-3 * k);
        const sp_run_options o = {
            .method = SP_METHOD_MOREAU, .until = 3.0, .output_step = 3.0, .step = 0.01};
        sp_run_summary summary;
        sp_error err = {.text = ""};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        assert_near_scaled(u_of(&r, "ball.joint.y"), 171.55, 171.55, 0.2);
        rig_free(&r);
    }
}

/* A block at rest under mu m g = 1.962 N, pushed by 20 N for 0.1 s: v = 1.8038 m/s, then to rest.
 */
static void a_block_is_kicked_out_of_dry_friction(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
        "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  b: {mass: 1 kg, inertia: 0.01, contours: {c: {box: [0.3, 0.1]}}}\n"
        "contacts: {f: {between: [b, ground], law: {mu: 0.2}}}\n"
        "forces: {kick: {force: ['if(t > 1.2 s and t < 1.3 s, 20 N, 0 N)', 0], on: b}}\n"
        "start: {b.y: 0.05 m}\n");
    const story s = run(&r, SP_METHOD_EVENT, 3.0);
    const double mu_g = 0.2 * 9.81, a = 20.0 - mu_g, v = 0.1 * a;
    assert_near(q_of(&r, "b.joint.x"), 0.5 * a * 0.01 + v * v / (2.0 * mu_g), 1e-9);
    assert_near(event_of(&s, SP_EVENT_SLIP, 0)->t, 1.2, 1e-12);
    assert_near(event_of(&s, SP_EVENT_STICK, 0)->t, 1.3 + v / mu_g, 1e-9);
    rig_free(&r);
}

/* Gravity that is switched off for half a second: free flight of a thrown ball in between. */
/* A ramp so steep that the last digit of time is 1e-5 of the force that friction holds: the block
 * breaks loose between two neighbouring times, and both are certified.  On two corners, whose
 * forces are not unique, and by a coupling.  v = (P - F)^2 w / (P m) of a triangle w wide at half
 * of its height P above the limit F, then mu g holds it back: x = v^2 / (2 mu g). */
static void a_block_that_a_steep_ramp_breaks_loose_is_certified(void **ctx)
{
    (void)ctx;
    static const char *const held[] = {
        "bodies: {ground: {contours: {floor: {line: [0, 1]}}},\n"
        "  b: {mass: 1 kg, inertia: 0.01, contours: {c: {box: [0.3, 0.1]}}}}\n"
        "contacts: {f: {between: [b, ground], law: {mu: 0.3}}}\nstart: {b.y: 0.05 m}\n",
        "bodies: {b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
        "couplings: {f: {of: b.x, friction: 3 N}}\n"};
    for (int k = 0; k < 20; k++) {
        const double P = 2e6, w = 5e-7, t = 0.3 + 0.0813 * k;
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n%s"
                            "forces: {p: {force: ['max(0 N, 2e6 N*(1 - abs(t - %.17g s)/(0.5 us)))'"
                            ", 0], on: b}}\n",
                            held[k % 2], t);
        const sp_run_options o = {
            .method = SP_METHOD_EVENT, .until = 3.0, .output_step = 3.0, .tolerance = 1e-9};
        sp_run_summary summary;
        sp_error err = {.text = ""};
        assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_OK);
        for (int i = 0; i < SP_DOUBT_N; i++) {
            assert_int_equal(summary.doubt[i].n, 0);
        }
        /* the ledger knows the work of such a force to the last digits of time, too */
        assert_near(rig_left_over(&r.x->ledger), 0.0, P * 8.0 * DBL_EPSILON * t);
        const double v = (P - 3.0) * (P - 3.0) * w / P;
        assert_near(r.x->q[0], v * v / 6.0 + v * w, 1e-6);
        assert_near(r.x->u[0], 0.0, 1e-12);
        rig_free(&r);
    }
}

static void gravity_that_is_switched_is_followed(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\n"
                        "gravity: [0, 'if(t > 1 s and t < 1.5 s, 0, -10 m/s^2)']\n"
                        "bodies: {m: {mass: 1 kg, inertia: 1}}\n");
    run(&r, SP_METHOD_SMOOTH, 2.0);
    assert_near(u_of(&r, "m.joint.y"), -15.0, 1e-12);
    assert_near(q_of(&r, "m.joint.y"), -5.0 - 5.0 - 5.0 - 1.25, 1e-12);
    rig_free(&r);
}

/* A drawer with 5 N of friction, pulled by a table of forces against a stop at 0.45 m: velocities
 * by areas under straight lines; the impact leaves 0.3 of the speed. */
static void a_drawer_is_pulled_by_a_table(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\n"
        "functions:\n  hand: {points: [[0 s, 0 N], [0.2 s, 30 N], [0.4 s, 30 N], [0.5 s, 0 N], "
        "[5 s, 0 N]], by: linear}\n"
        "bodies:\n  drawer: {mass: 3 kg, joint: {prismatic: ground, axis: [1, 0], range: [0, 450 "
        "mm], law: {eps_N: 0.3}, friction: 5 N}}\n"
        "forces: {pull: {force: [hand(t), 0], on: drawer}}\n");
    const story said = run(&r, SP_METHOD_EVENT, 0.75);
    /* slips from t_1 = 1/30 s; x'' = 50 (t - t_1) to 0.2 s, 25/3 to 0.4 s */
    const double tau = 0.2 - 1.0 / 30.0, v_2 = 25.0 * tau * tau, x_2 = v_2 * tau / 3.0;
    const double v_4 = v_2 + 25.0 / 3.0 * 0.2, x_4 = x_2 + v_2 * 0.2 + 25.0 / 6.0 * 0.04;
    /* 0.4 s: x'' = 25/3 - 100 s;  the stop where x_4 + v_4 s + 25/6 s^2 - 100/6 s^3 = 0.45 */
    double s = 0.0;
    for (int k = 0; k < 50; k++) {
        const double x = x_4 + s * (v_4 + s * (25.0 / 6.0 - 100.0 / 6.0 * s)) - 0.45;
        s -= x / (v_4 + s * (25.0 / 3.0 - 50.0 * s));
    }
    const double v_hit = v_4 + s * (25.0 / 3.0 - 50.0 * s);
    const sp_event *hit = event_of(&said, SP_EVENT_IMPACT, 0);
    assert_non_null(hit);
    assert_near(hit->t, 0.4 + s, 1e-9);
    /* behind it friction and the hand act: x'' = (F + 5 N)/3 until 0.5 s, 5/3 then */
    const double t_5 = 0.1 - s, F = 30.0 - 300.0 * s;
    const double v_5 = -0.3 * v_hit + (F + 5.0) / 3.0 * t_5 - 50.0 * t_5 * t_5;
    const double x_5 =
        0.45 - 0.3 * v_hit * t_5 + (F + 5.0) / 6.0 * t_5 * t_5 - 100.0 / 6.0 * t_5 * t_5 * t_5;
    const double x = x_5 + v_5 * 0.25 + 5.0 / 6.0 * 0.0625;
    assert_near(q_of(&r, "drawer.joint.s"), x, 1e-9);
    rig_free(&r);
}

/* ---- prescribed motion ------------------------------------------------------------------------
 */

/* A plate goes up and down by 0.2 m within 1 ms, far away from anything a coarse look would see;
 * the ball 0.1 m above it leaves with the speed of the plate where they meet. */
static void a_plate_that_jumps_hits_the_ball(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
        "  plate: {joint: {prismatic: ground, axis: [0, 1], motion: '0.2 m * exp(-((t - 1.234567 "
        "s)/1 ms)^2)'}, contours: {top: {line: [0, 1]}}}\n"
        "  ball: {mass: 1 kg, inertia: 1, contours: {c: {circle: 0.1 m}}}\n"
        "contacts: {k: {between: [ball, plate], law: {eps_N: 0}}}\n"
        "start: {ball.y: 0.2 m}\n");
    run(&r, SP_METHOD_EVENT, 3.0);
    /* 0.2 exp(-s^2) = 0.1; the plate is fastest at s = -1/sqrt(2), and s = -sqrt(ln 2) is before
     * that: the ball is pushed up to there */
    assert_near(u_of(&r, "ball.joint.y"), 0.4 / 1e-3 * sqrt(0.5) * exp(-0.5), 1e-7);
    rig_free(&r);
}

/* A follower under gravity on a cam with straight flanks; restitution 1/2. */
static void a_cam_with_corners_strikes_and_throws_its_follower(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
        "functions:\n  lift: {points: [[0 s, 0 mm], [0.1 s, 0 mm], [0.2 s, 10 mm], [0.5 s, 10 "
        "mm], [2 s, 10 mm]], by: linear}\n"
        "bodies: {follower: {mass: 0.5 kg, joint: {prismatic: ground, axis: [0, 1]}}}\n"
        "contacts: {cam: {gap: follower.y - lift(t), law: {eps_N: 0.5}}}\n");
    const story said = run(&r, SP_METHOD_EVENT, 0.2058);
    const double s = 0.0058;
    assert_near(q_of(&r, "follower.joint.s"), 0.01 + 0.1 * s - 0.5 * 9.81 * s * s, 1e-10);
    const sp_event *hit = event_of(&said, SP_EVENT_IMPACT, 0);
    assert_non_null(hit);
    assert_near(hit->t, 0.1, 1e-12);
    assert_near(hit->gamma_N_before, -0.1, 1e-12);
    assert_near(hit->gamma_N_after, 0.05, 1e-12);
    rig_free(&r);
}

/* A valve on a spring, lifted by a tappet with corners: struck with 0.8 m/s, thrown off at the top,
 * caught again, set down with 0.8 m/s.  In between it swings freely:
 *     y + 0.02 = 0.028 cos w s + 0.8/w sin w s  meets  0.028 - 0.8 s */
static void a_valve_is_struck_thrown_and_caught(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\n"
        "functions: {lift: {points: [[0 s, 0 mm], [2 s, 0 mm], [2.01 s, 8 mm], [2.02 s, 0 mm], [4 "
        "s, 0 mm]], by: linear}}\n"
        "bodies:\n  valve: {mass: 0.1 kg, joint: {prismatic: ground, axis: [0, 1], range: [0, "
        "none]}}\n"
        "forces: {coil: {spring: valve.y, stiffness: 20 kN/m, rest: -20 mm}}\n"
        "contacts: {tappet: {gap: valve.y - lift(t), law: {}}}\n");
    run(&r, SP_METHOD_EVENT, 4.0);
    const double w = sqrt(2e5);
    double s = 6e-4;
    for (int k = 0; k < 50; k++) {
        const double g = 0.028 * cos(w * s) + 0.8 / w * sin(w * s) - 0.028 + 0.8 * s;
        s -= g / (-0.028 * w * sin(w * s) + 0.8 * cos(w * s) + 0.8);
    }
    const double v = -0.028 * w * sin(w * s) + 0.8 * cos(w * s) + 0.8;
    assert_near(-r.x->ledger.impacts, 0.05 * (2.0 * 0.64 + v * v), 1e-9);
    rig_free(&r);
}

/* A ram stops at once: the block that it pushed goes on with its speed. */
static void a_ram_that_stops_lets_go(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
        "  ram: {joint: {prismatic: ground, axis: [0, 1], motion: '-0.4 m/s * min(t, 0.3 s)'}, "
        "contours: {face: {line: [0, -1]}}}\n"
        "  block: {mass: 5 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {top: {point: "
        "[0, 0]}}}\n"
        "contacts: {press: {between: [block, ram], law: {}}}\n"
        "start: {block.joint.v: -0.4 m/s}\n");
    run(&r, SP_METHOD_EVENT, 0.6);
    assert_near(q_of(&r, "block.joint.s"), -0.24, 1e-12);
    assert_near(r.x->ledger.impacts, 0.0, 1e-14);
    rig_free(&r);
}

/* A cart that is jerked to 1 m/s; a pendulum hangs on it by a hinge: its momentum about the hinge
 * stays, (m l^2) omega = -m l v; the cart's drive does the work. */
static void a_jump_of_speed_goes_through_the_joints(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
            "  cart: {mass: 3 kg, joint: {prismatic: ground, axis: [1, 0], motion: '1 m/s * max(0, "
            "t - 0.5 s)'}}\n"
            "  bob: {mass: 2 kg, center: [0, -0.5 m], joint: {revolute: cart}}\n%s",
            k == 0 ? "" : "contacts: {stop: {gap: 10 m - bob.phi*1 m, law: {}}}\n");
        run(&r, k == 0 ? SP_METHOD_SMOOTH : SP_METHOD_EVENT, 0.75);
        assert_near(u_of(&r, "bob.joint.phi"), -2.0, 1e-9);
        assert_near(q_of(&r, "bob.joint.phi"), -0.5, 1e-9);
        /* afterwards the bob turns about the hinge, which moves on evenly */
        assert_near(r.x->ledger.driven, r.x->ledger.kinetic, 1e-12);
        rig_free(&r);
    }
}

static void a_jump_of_position_is_refused_before_the_run(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
                        "  cart: {mass: 3 kg, joint: {prismatic: ground, axis: [1, 0], motion: "
                        "'if(t > 0.5 s, 0.1 m, 0)'}}\n");
    sp_run_options o = {
        .method = SP_METHOD_SMOOTH, .until = 1.0, .tolerance = 1e-9, .output_step = 1.0};
    sp_run_summary summary;
    sp_error err = {.text = ""};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_INPUT);
    assert_non_null(
        strstr(err.text, "motion of 'cart.joint.s' jumps from 0 to 0.1 m at t = 0.5 s"));
    assert_non_null(strstr(err.text, "ramp"));
    assert_true(r.x->t == 0.0);
    rig_free(&r);
}

/* ---- closed contacts --------------------------------------------------------------------------
 */

/* A crate on a belt that starts and stops by a table of speeds: it slides behind, sticks, slides
 * on; certified on both sides of every corner. */
static void a_crate_follows_a_belt_with_corners(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
        "functions:\n  v_belt: {points: [[0 s, 0 m/s], [0.5 s, 0 m/s], [1 s, 2 m/s], [3 s, 2 m/s], "
        "[3.5 s, 0 m/s], [6 s, 0 m/s]], by: linear}\n"
        "bodies:\n"
        "  belt: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], speed: v_belt(t)}, "
        "contours: "
        "{top: {line: [0, 1]}}}\n"
        "  crate: {mass: 25 kg, inertia: 0.7, contours: {box: {box: [0.4, 0.4]}}}\n"
        "contacts: {carry: {between: [crate, belt], law: {mu: 0.2}}}\n"
        "start: {crate.y: 0.2 m}\n");
    run(&r, SP_METHOD_EVENT, 6.0);
    /* it is v/(mu g) late both times: 2 m/s for 2.5 s in all, as if it started and stopped at once
     */
    assert_near(q_of(&r, "crate.joint.x"), 2.0 * (3.0 - 0.5), 1e-9);
    rig_free(&r);
}

/* The run and a frame end where a ramp does: phi = 5 rad, and 10 rad/s there. */
static void a_run_ends_at_a_switch(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_SMOOTH, SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 0\n"
            "functions: {ramp: {points: [[0, 0], [0.5, 0.5], [1, 1], [2, 1]], by: linear}}\n"
            "bodies: {table: {inertia: 1, joint: {revolute: ground, speed: 10*ramp(t)}}}\n");
        const sp_run_options o = {
            .method = method[i], .until = 1.0, .output_step = 0.1, .tolerance = 1e-6};
        sp_run_summary summary;
        sp_error err = {.text = ""};
        if (sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err) != SP_OK) {
            fail_msg("%s", err.text);
        }
        assert_true(r.x->t == 1.0);
        assert_near(r.x->q[0], 5.0, 1e-6);
        assert_near(r.x->u[0], 10.0, 1e-6);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulse_of_any_length_gives_its_impulse),
        cmocka_unit_test(a_pulse_within_a_step_gives_its_impulse),
        cmocka_unit_test(a_bell_as_wide_as_a_step_gives_its_impulse),
        cmocka_unit_test(a_table_with_a_period_is_repeated),
        cmocka_unit_test(a_table_that_cannot_be_repeated_is_refused),
        cmocka_unit_test(coarse_steps_do_not_pass_through_a_plate_that_jumps),
        cmocka_unit_test(a_block_is_kicked_out_of_dry_friction),
        cmocka_unit_test(a_block_that_a_steep_ramp_breaks_loose_is_certified),
        cmocka_unit_test(gravity_that_is_switched_is_followed),
        cmocka_unit_test(a_drawer_is_pulled_by_a_table),
        cmocka_unit_test(a_plate_that_jumps_hits_the_ball),
        cmocka_unit_test(a_cam_with_corners_strikes_and_throws_its_follower),
        cmocka_unit_test(a_valve_is_struck_thrown_and_caught),
        cmocka_unit_test(a_ram_that_stops_lets_go),
        cmocka_unit_test(a_jump_of_speed_goes_through_the_joints),
        cmocka_unit_test(a_jump_of_position_is_refused_before_the_run),
        cmocka_unit_test(a_crate_follows_a_belt_with_corners),
        cmocka_unit_test(a_run_ends_at_a_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
