/* Event-driven integration against closed forms, published states and itself at other tolerances.
 */
#include "integrators/event_parts.h"
#include "support/check.h"
#include "support/events.h"

#include <string.h>

static const char *const ball =
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "
    "0]}}}\n"
    "contacts: {bounce: {between: [ball, ground], law: {eps_N: %.17g}}}\n"
    "start: {ball.y: 1 m}\n";

/* t_n = t_1 (1 + 2 sum e^i), Zeno point t_1 (1 + e)/(1 - e), then rest. */
static void a_ball_bounces_to_rest_through_its_accumulation_point(void **ctx)
{
    (void)ctx;
    const double t_1 = sqrt(2.0 / 9.81);
    for (double e = 0.3; e < 0.96; e += 0.13) {
        rig r = rig_of_text(ball, e);
        events_go(&r, 20.0, 1e-10);
        double t = t_1, part = 1.0;
        for (int k = 0; k < 12; k++) {
            assert_near(rig_event(&r, SP_EVENT_IMPACT, 0, k)->t, t, 1e-12);
            part *= e;
            t += 2.0 * t_1 * part;
        }
        assert_int_equal(rig_count(&r, SP_EVENT_ZENO, 0), 1);
        assert_near(rig_event(&r, SP_EVENT_ZENO, 0, 0)->t, t_1 * (1.0 + e) / (1.0 - e), 1e-11);
        const sp_event *zeno = rig_event(&r, SP_EVENT_ZENO, 0, 0);
        const int n = rig_count(&r, SP_EVENT_IMPACT, 0);
        const double high = pow(e, 2.0 * n); /* the hops that are left rise to this, of 1 m */
        assert_true(zeno->bound >= high && zeno->bound < 1e-12);
        assert_true(fabs(zeno->energy_lost - 9.81 * high) < 1e-6 * 9.81 * high);
        assert_true(fabs(zeno->lasts * (1.0 - e) - 2.0 * t_1 * pow(e, n)) < 1e-6 * t_1 * pow(e, n));
        assert_true(fabs(r.x->q[0]) < 1e-12 && r.x->u[0] == 0.0);
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, 0), 0);
        assert_near(r.x->ledger.impacts, -9.81, 1e-11);
        assert_true(r.x->ledger.worst_balance < 1e-11);
        rig_free(&r);
    }
}

/* A hop of 1 m is shorter than the last by less than times are known to, but it is high: the ball
 * goes on, with e^2 of its energy per impact.   theory (49.3) */
static void a_ball_that_loses_next_to_nothing_hops_on(void **ctx)
{
    (void)ctx;
    const double e[2] = {1.0 - 1e-10, 1.0 - 1e-12}, t_1 = sqrt(2.0 / 9.81);
    for (int i = 0; i < 2; i++) {
        rig r = rig_of_text(ball, e[i]);
        events_go(&r, 20.0, 1e-10);
        const int n = rig_count(&r, SP_EVENT_IMPACT, 0);
        assert_int_equal(n, (int)((20.0 + t_1) / (2.0 * t_1)));
        assert_int_equal(rig_count(&r, SP_EVENT_ZENO, 0), 0);
        assert_near(r.x->ledger.kinetic + r.x->ledger.potential, 9.81 * pow(e[i], 2.0 * n), 1e-9);
        rig_free(&r);
    }
}

/* x'' + x in -Sgn(x') as a block on a floor:  mu m g = 1, k = m = 1. */
static void a_block_with_dry_friction_stops_where_and_when_it_must(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  block: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {foot: {point: [0, "
        "0]}}}\n"
        "forces: {k: {spring: block.x, stiffness: 1}}\n"
        "contacts: {c: {between: [block, ground], law: {mu: 0.1}}}\n"
        "start: {block.x: 12, block.vx: 6}\n");
    events_go(&r, 25.0, 1e-12);
    /* seven reversals, then it sticks for ever */
    assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, 22.423556350699, 1e-11);
    assert_near(r.x->q[0], 0.682178936723647, 1e-10);
    assert_true(fabs(r.x->u[0]) < 1e-14);
    assert_int_equal(rig_count(&r, SP_EVENT_STICK, 0), 1);
    rig_free(&r);
}

/* A uniform rod with slip reversal in the impact; published numbers. */
static void an_impacting_stick_has_the_published_impact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
        "  ground: {contours: {floor: {line: [0, 1]}}}\n"
        "  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}}}\n"
        "contacts: {c: {between: [rod, ground], law: {mu: 0.01, eps_N: 1}}}\n"
        "start: {rod.x: 0.5*sin(pi/4), rod.y: 0.5*cos(pi/4) + 0.01, rod.phi: pi/4, rod.vx: -0.5, "
        "rod.vy: 0.1, rod.omega: 0.1}\n");
    events_go(&r, 0.0603, 1e-12);
    const sp_event *impact = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    const double rest = r.x->t - impact->t; /* free flight behind it */
    assert_near(impact->t, 0.06027408909291651, 1e-12);
    assert_near(r.x->q[2] - r.x->u[2] * rest, 0.7914255723067399, 1e-12);
    assert_near(fabs(impact->gamma_T_before), 0.46485840, 5e-9);
    assert_near(fabs(impact->gamma_T_after), 0.08575371, 5e-9);
    assert_true(impact->gamma_T_before * impact->gamma_T_after < 0.0); /* slip reversal */
    assert_near(r.x->u[0], -0.50373278, 5e-9);
    assert_near(r.x->u[1] + 10.0 * rest, -0.12946272, 5e-9);
    assert_near(r.x->u[2], 1.67746072, 5e-9);
    assert_near(impact->gamma_N_before, -0.46717309, 1e-8);
    assert_near(impact->Lambda_N, 0.3732781669189638, 1e-11);
    assert_near(fabs(impact->Lambda_T[0]), 0.01 * 0.3732781669189638, 1e-13);
    assert_near(impact->gamma_N_after, 0.46717309, 1e-8);
    assert_true(impact->energy_lost < 0.0); /* Newton's law creates energy here: it is told */
    rig_free(&r);
}

/* The first impact of the symmetric start: time, state, velocities and impulses as published. */
static void the_slider_crank_has_the_published_first_impact(void **ctx)
{
    (void)ctx;
    static const char *const corner[] = {"guide.c1.upper", "guide.c2.upper"};
    const double Lambda[] = {0.05574032, 0.05518569};
    rig r = rig_slider_crank(0.0);
    double th[CRANK_N], om[CRANK_N];
    sp_events *e;
    sp_error err = {.text = ""};
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-12, .until = 1.0},
                                     &e, &err),
                     SP_OK);
    do {
        assert_int_equal(sp_events_step(e, r.x, 1.0, &err), SP_OK);
        crank_absolute(r.x->u, om);
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
    } while (r.w->n_event == 0);
    crank_absolute(r.x->q, th);
    assert_near(r.x->t, CRANK_T1, 1e-13);
    for (int k = 0; k < CRANK_N; k++) {
        assert_near(th[k], CRANK_TH1[k], 1e-12);
        assert_near(om[k], CRANK_OM1[k], 1e-12);
    }
    crank_absolute(r.x->u, om);
    for (int k = 0; k < CRANK_N; k++) {
        assert_near(om[k], CRANK_OM1_AFTER[k], 1e-12);
    }
    assert_int_equal(r.w->n_event, 2);
    for (int i = 0; i < 2; i++) {
        const sp_event *hit = &r.w->event[r.w->event[0].slot == rig_slot(&r, corner[i]) ? 0 : 1];
        assert_int_equal(hit->slot, rig_slot(&r, corner[i]));
        assert_near(hit->gamma_N_before, -0.84161232, 5e-9); /* as many digits as there are */
        assert_near(hit->gamma_T_before, -8.40750819, 5e-9);
        assert_near(hit->gamma_N_after, 0.33664493, 5e-9);
        assert_near(hit->gamma_T_after, -8.54655447, 5e-9);
        assert_near(hit->Lambda_N, Lambda[i], 5e-9);
        assert_near(hit->Lambda_T[0], 0.01 * hit->Lambda_N, 1e-15);
    }
    assert_near(r.x->ledger.kinetic + r.x->ledger.potential, 7.45813850628, 1e-11);
    sp_events_end(e);
    rig_free(&r);
}

/* A ball that slides on a floor while it bounces to rest: the normal impulses up to any time t
 * after its accumulation point add up to m g t, and friction to mu m g t, whatever part of the
 * bounces was passed at once: v = v_0 - mu g t, x = v_0 t - (what each impact took, from its time
 * on). theory (43.4) */
static void a_ball_that_slides_and_bounces_to_rest_keeps_its_momentum_along(void **ctx)
{
    (void)ctx;
    const double mu = 0.3, v_0 = 60.0, grav = 9.81, t_1 = sqrt(2.0 / grav);
    for (double e = 0.3; e < 0.9; e += 0.2) {
        rig r = rig_of_text(
            "specht: 1\nunits: off\nspace: planar\ngravity: 9.81\nbodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
            "  ball: {mass: 1, joint: {free: ground, only: [x, y]}, contours: {tip: {point: [0, "
            "0]}}}\n"
            "contacts: {c: {between: [ball, ground], law: {eps_N: %.17g, mu: 0.3}}}\n"
            "start: {ball.y: 1, ball.vx: 60}\n",
            e);
        const double zeno = t_1 * (1.0 + e) / (1.0 - e), until = zeno + 0.5;
        events_go(&r, until, 1e-10);
        assert_int_equal(rig_count(&r, SP_EVENT_ZENO, 0), 1);
        assert_near(r.x->u[0], v_0 - mu * grav * until, 1e-12);
        double x = v_0 * until - 0.5 * mu * grav * (until - zeno) * (until - zeno);
        double t = t_1, v = grav * t_1; /* of each impact, and the speed that it comes with */
        for (int k = 0; k < 400; k++) {
            x -= mu * (1.0 + e) * v * (until - t);
            v *= e;
            t += 2.0 * v / grav;
        }
        assert_near(r.x->q[0], x, 1e-11);
        assert_near(r.x->ledger.projection, 0.0, 1e-10); /* what was left of the hops, J */
        assert_true(r.x->ledger.worst_balance < 1e-12);
        rig_free(&r);
    }
}

/* The slider-crank at 0.14 s, behind two turns: angles and rates, each over its size; how many
 * events. */
static int two_turns(double omega_s, double tolerance, double y[2 * CRANK_N])
{
    rig r = rig_slider_crank(omega_s);
    events_go(&r, 0.14, tolerance);
    crank_absolute(r.x->q, y);
    crank_absolute(r.x->u, y + CRANK_N);
    assert_true(y[0] >= 4.0 * acos(-1.0));
    assert_true(fabs(y[2]) < 1e-12);
    assert_true(r.worst.complementarity < 1e-10);
    print_message("spin %g, tolerance %g: %d events, ledger %.2e\n", omega_s, tolerance, r.n_event,
                  r.x->ledger.worst_balance);
    assert_true(r.x->ledger.worst_balance <= tolerance); /* 0.04 to 0.1 of it are seen */
    for (int k = 0; k < CRANK_N; k++) {
        y[CRANK_N + k] /= 150.0; /* sizes of (10.5): 1 rad, the largest rate */
    }
    const int n = r.n_event;
    rig_free(&r);
    return n;
}

/* Two turns at three tolerances, both starts, all angles and rates: they agree to the tolerance.
 * theory (43.2) */
static void the_slider_crank_runs_two_turns_at_three_tolerances(void **ctx)
{
    (void)ctx;
    enum { N = 3 };
    const double tolerance[N + 1] = {1e-8, 1e-10, 1e-12, 2e-14}, spin[2] = {0.0, -0.01};
    for (int s = 0; s < 2; s++) {
        double y[N + 1][2 * CRANK_N], apart[N] = {0.0};
        int n[N + 1];
        for (int k = 0; k <= N; k++) {
            n[k] = two_turns(spin[s], tolerance[k], y[k]);
        }
        for (int k = 0; k < N; k++) { /* from a run that is finer than all of them */
            for (int i = 0; i < 2 * CRANK_N; i++) {
                apart[k] = check_worse(apart[k], fabs(y[k][i] - y[N][i]));
            }
            print_message("spin %g, tolerance %g: apart by %.2e\n", spin[s], tolerance[k],
                          apart[k]);
            assert_int_equal(n[k], n[N]);
            assert_true(apart[k] <= tolerance[k]);
        }
    }
}

/* The woodpecker for seven strokes: all events of all contacts and the state at the end, each over
 * the largest of its kind, to nine digits at three tolerances. */
static void the_woodpecker_is_the_same_at_three_tolerances(void **ctx)
{
    (void)ctx;
    const double tolerance[3] = {1e-10, 1e-11, 1e-13};
    const double size[6] = {0.1, 0.2788, 0.2788, 0.35, 20.0, 20.0}; /* y, angles and their rates */
    rig r[3];
    double apart[2][2] = {{0.0}};
    for (int k = 2; k >= 0; k--) {
        r[k] = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        events_go(&r[k], 1.0, tolerance[k]);
        const int beak = rig_slot(&r[k], "beak");
        assert_int_equal(rig_count(&r[k], SP_EVENT_IMPACT, beak), 7);
        assert_near(rig_event(&r[k], SP_EVENT_IMPACT, beak, 0)->t, 0.0809879197, 1e-10);
        assert_int_equal(r[k].n_event, r[2].n_event);
        for (int slot = 0; k < 2 && slot < r[k].m->n_slot; slot++) {
            for (int kind = 0; kind < SP_EVENT_N; kind++) {
                const int n = rig_count(&r[k], (sp_event_kind)kind, slot);
                assert_int_equal(n, rig_count(&r[2], (sp_event_kind)kind, slot));
                for (int i = 0; i < n; i++) {
                    const double off = rig_event(&r[k], (sp_event_kind)kind, slot, i)->t -
                                       rig_event(&r[2], (sp_event_kind)kind, slot, i)->t;
                    apart[k][0] = check_worse(apart[k][0], fabs(off));
                }
            }
        }
        for (int i = 0; k < 2 && i < 6; i++) {
            const double *a = i < 3 ? r[k].x->q + i : r[k].x->u + i - 3;
            const double *c = i < 3 ? r[2].x->q + i : r[2].x->u + i - 3;
            apart[k][1] = check_worse(apart[k][1], fabs(*a - *c) / size[i]);
        }
    }
    print_message("%d events; times apart by %.1e and %.1e s, states by %.1e and %.1e\n",
                  r[2].n_event, apart[0][0], apart[1][0], apart[0][1], apart[1][1]);
    for (int k = 0; k < 2; k++) {
        assert_true(apart[k][0] < 1e-9 && apart[k][1] < 1e-9);
    }
    for (int k = 0; k < 3; k++) {
        rig_free(&r[k]);
    }
}

/* x'' + x = A cos(w t + p) against a stop at x = 0: the orbit that is hit once in each period T of
 * the force, leaving with v.  Between impacts x = a cos t + b sin t + B cos(w t + p),
 * B = A/(1 - w^2); x(0) = x(T) = 0 and x'(0) = -e x'(T) give b = v (1 + 1/e)/2, a = b/tan(T/2),
 * B w sin p = b - v, B cos p = -a, and v from the last two. */
static void a_forced_oscillator_at_a_stop_keeps_its_orbit(void **ctx)
{
    (void)ctx;
    const double pi = acos(-1.0), w = 2.5, e = 0.7, A = 1.0, T = 2.0 * pi / w;
    const double B = A / (1.0 - w * w), of_b = 0.5 * (1.0 + 1.0 / e), of_a = of_b / tan(0.5 * T);
    const double v = fabs(B) / hypot((of_b - 1.0) / w, of_a), b = of_b * v, a = of_a * v;
    const double p = atan2((b - v) / (B * w), -a / B);
    rig r = rig_of_text("specht: 1\nunits: off\n"
                        "formula: {coordinates: {x: m}, kinetic: 0.5*x'^2, potential: \"0.5*x^2 - "
                        "%.17g*x*cos(%.17g*t + %.17g)\"}\n"
                        "contacts: {stop: {gap: x, law: {eps_N: %.17g}}}\n"
                        "start: {x: 0, x': %.17g}\n",
                        A, w, p, e, v);
    for (int k = 1; k <= 10; k++) {
        events_go(&r, (k - 0.5) * T, 1e-13);
        const double t = 0.5 * T;
        assert_near(r.x->q[0], a * cos(t) + b * sin(t) + B * cos(w * t + p), 1e-10);
        assert_near(r.x->u[0], b * cos(t) - a * sin(t) - B * w * sin(w * t + p), 1e-10);
        assert_int_equal(events_count(&r, SP_EVENT_IMPACT), k - 1);
        if (k > 1) {
            const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, 0, k - 2);
            assert_near(hit->t, (k - 1) * T, 1e-11);
            assert_near(hit->gamma_N_after, v, 1e-10);
        }
    }
    print_message("v = %.12f, worst %.1e\n", v, check_worst());
    rig_free(&r);
}

/* Friction work told at the ends of all phases of contact, and of those that go on, adds up to the
 * line of the ledger. */
static void friction_of_all_phases_adds_up_to_the_ledger(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        rig r = k == 0 ? rig_slider_crank(-0.01)
                       : rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        const double until = k == 0 ? 0.14 : 0.5;
        double sum = 0.0;
        int phases = 0;
        sp_events *e;
        sp_error err = {.text = ""};
        assert_int_equal(
            sp_events_begin(r.m, r.x, r.w,
                            &(sp_events_setup){.smooth.tolerance = 1e-11, .until = until}, &e,
                            &err),
            SP_OK);
        while (r.x->t < until) {
            assert_int_equal(sp_events_step(e, r.x, until, &err), SP_OK);
            assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
            for (int i = 0; i < r.w->n_event; i++) {
                if (r.w->event[i].kind == SP_EVENT_OPEN) {
                    assert_true(r.w->event[i].friction_work <= 0.0);
                    sum += r.w->event[i].friction_work;
                    phases++;
                }
            }
        }
        for (int i = 0; i < r.m->n_slot; i++) {
            sum += e->settle.state[i] != SP_OPEN ? e->settle.work[i] : 0.0;
        }
        print_message("%d phases, %.6e J, left over %.1e\n", phases, sum,
                      sum - r.x->ledger.friction);
        assert_true(phases > 5 && sum < -1e-5);
        assert_near_scaled(sum, r.x->ledger.friction, -sum, 1e-12);
        sp_events_end(e);
        rig_free(&r);
    }
}

/* The stepper converges to the event-driven motion with order 1 in the mean over time. */
static void the_stepper_converges_to_the_event_driven_motion(void **ctx)
{
    (void)ctx;
    enum { TIMES = 40, SIZES = 5 };
    double exact[TIMES], error[SIZES], dt[SIZES];
    rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
    for (int i = 0; i < TIMES; i++) {
        events_go(&r, 0.005 * (i + 1), 1e-12); /* goes on from where it is */
        exact[i] = r.x->q[2];
    }
    rig_free(&r);
    for (int k = 0; k < SIZES; k++) {
        rig stepped = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        dt[k] = 4e-5 / (1 << k);
        error[k] = 0.0;
        for (int i = 0; i < TIMES; i++) {
            rig_steps(&stepped, SP_METHOD_MOREAU, dt[k], lround(0.005 / dt[k]));
            error[k] += fabs(stepped.x->q[2] - exact[i]) / TIMES;
        }
        rig_free(&stepped);
    }
    const double order = check_order(SIZES, dt, error);
    print_message("order %.2f, mean error %.1e rad at %g s\n", order, error[SIZES - 1],
                  dt[SIZES - 1]);
    assert_true(order > 0.8 && order < 1.3);
}

/* Period and drop of the limit cycle: those of the last strokes, which alternate around it and come
 * nearer by the same factor, extrapolated.  Nine digits at three tolerances. */
static void the_woodpecker_has_one_period_at_three_tolerances(void **ctx)
{
    (void)ctx;
    enum { STROKES = 34 };
    const double tolerance[3] = {1e-9, 1e-11, 1e-13};
    double orbit[3][2];
    for (int k = 0; k < 3; k++) {
        double at[2][STROKES + 1]; /* time and height of each stroke */
        int n = 0;
        rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
        const int beak = rig_slot(&r, "beak");
        sp_events *e;
        sp_error err = {.text = ""};
        assert_int_equal(
            sp_events_begin(r.m, r.x, r.w,
                            &(sp_events_setup){.smooth.tolerance = tolerance[k], .until = 9.0}, &e,
                            &err),
            SP_OK);
        while (n < STROKES) {
            assert_int_equal(sp_events_step(e, r.x, 9.0, &err), SP_OK);
            assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
            for (int i = 0; i < r.w->n_event; i++) {
                if (r.w->event[i].kind == SP_EVENT_IMPACT && r.w->event[i].slot == beak) {
                    at[0][n] = r.x->t;
                    at[1][n++] = r.x->q[0];
                }
            }
        }
        sp_events_end(e);
        rig_free(&r);
        for (int j = 0; j < 2; j++) { /* d_n = d + c f^n */
            const double d0 = at[j][n - 3] - at[j][n - 4], d1 = at[j][n - 2] - at[j][n - 3];
            const double d2 = at[j][n - 1] - at[j][n - 2];
            orbit[k][j] = d2 - (d2 - d1) * (d2 - d1) / (d2 - 2.0 * d1 + d0);
        }
    }
    print_message("period %.12f s, drop %.12f m\n", orbit[2][0], -orbit[2][1]);
    for (int j = 0; j < 2; j++) {
        assert_near_scaled(orbit[0][j], orbit[2][j], fabs(orbit[2][j]), 1e-9);
        assert_near_scaled(orbit[1][j], orbit[2][j], fabs(orbit[2][j]), 1e-10);
    }
    assert_near(orbit[2][0], 0.1459760651, 1e-9);
    assert_near(-orbit[2][1], 0.0194453791, 1e-9);
}

/* A box of any size that tumbles to rest does so by the same events at the same times, gravity
 * growing with it.   theory (65.12) */
static void events_do_not_know_how_large_a_machine_is(void **ctx)
{
    (void)ctx;
    static const double size[] = {1.0, 1e-6, 1e-3, 1e4};
    rig first = {0};
    for (int k = 0; k < 4; k++) {
        const double s = size[k];
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: %.17g\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  b: {mass: 1, inertia: %.17g, contours: {box: {box: [%.17g, "
                            "%.17g]}}}\n"
                            "contacts: {c: {between: [b, ground], law: {mu: 0.3, eps_N: 0.5}}}\n"
                            "start: {b.y: %.17g, b.phi: 0.3, b.vx: %.17g, b.omega: 2}\n",
                            9.81 * s, 0.01 * s * s, 0.2 * s, 0.1 * s, 0.5 * s, s);
        events_go(&r, 2.0, 1e-11);
        if (k == 0) {
            first = r;
            assert_true(r.n_event > 100);
            continue;
        }
        assert_int_equal(r.n_event, first.n_event);
        for (int i = 0; i < r.n_event; i++) {
            assert_int_equal(r.event[i].kind, first.event[i].kind);
            assert_near(r.event[i].t, first.event[i].t, 1e-9);
        }
        assert_near(r.x->q[0] / s, first.x->q[0], 1e-9);
        rig_free(&r);
    }
    rig_free(&first);
}

static const char free_body[] =
    "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies:\n"
    "  ground: {contours: {wall: {line: [-1, 0], at: [1, 0]}}}\n"
    "  b: {mass: 1, joint: {prismatic: ground, axis: [1, 0], damping: %g}, contours: {tip: "
    "{point: [0, 0]}}}\n"
    "contacts: {c: {between: [b, ground], law: {eps_N: 0.5}}}\nstart: {b.vx: %g}\n";

/* A steady flight of 1e9 s, at the end of which it hits: steps grow with the time that has passed
 * without an event.   theory (65.11) */
static void a_long_flight_takes_few_steps(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(free_body, 0.0, 1e-9);
    sp_events *e;
    sp_error err = {.text = ""};
    int steps = 0;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 2e9}, &e,
                                     &err),
                     SP_OK);
    while (r.x->t < 2e9 && r.w->n_event == 0) {
        assert_int_equal(sp_events_step(e, r.x, 2e9, &err), SP_OK);
        assert_int_equal(sp_events_happen(e, r.x, &err), SP_OK);
        steps++;
    }
    assert_true(r.w->n_event > 0 && steps < 100);
    assert_near_scaled(r.w->event[0].t, 1e9, 1e9, 1e-14);
    sp_events_end(e);
    rig_free(&r);
}

/* Damping that no explicit step can follow ends the run soon, with the reason. */
static void what_is_too_stiff_is_refused(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(free_body, 1e20, 1.0);
    sp_events *e;
    sp_error err = {.text = ""};
    sp_status status = SP_OK;
    assert_int_equal(sp_events_begin(r.m, r.x, r.w,
                                     &(sp_events_setup){.smooth.tolerance = 1e-9, .until = 1.0}, &e,
                                     &err),
                     SP_OK);
    for (int k = 0; k < 20000 && status == SP_OK; k++) {
        status = sp_events_step(e, r.x, 1.0, &err);
        status = status == SP_OK ? sp_events_happen(e, r.x, &err) : status;
    }
    assert_int_equal(status, SP_E_NOT_CONVERGED);
    assert_non_null(strstr(err.text, "too stiff"));
    sp_events_end(e);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_rest_through_its_accumulation_point),
        cmocka_unit_test(a_ball_that_loses_next_to_nothing_hops_on),
        cmocka_unit_test(a_ball_that_slides_and_bounces_to_rest_keeps_its_momentum_along),
        cmocka_unit_test(a_block_with_dry_friction_stops_where_and_when_it_must),
        cmocka_unit_test(an_impacting_stick_has_the_published_impact),
        cmocka_unit_test(the_slider_crank_has_the_published_first_impact),
        cmocka_unit_test(the_slider_crank_runs_two_turns_at_three_tolerances),
        cmocka_unit_test(the_woodpecker_is_the_same_at_three_tolerances),
        cmocka_unit_test(a_forced_oscillator_at_a_stop_keeps_its_orbit),
        cmocka_unit_test(friction_of_all_phases_adds_up_to_the_ledger),
        cmocka_unit_test(the_stepper_converges_to_the_event_driven_motion),
        cmocka_unit_test(the_woodpecker_has_one_period_at_three_tolerances),
        cmocka_unit_test(events_do_not_know_how_large_a_machine_is),
        cmocka_unit_test(a_long_flight_takes_few_steps),
        cmocka_unit_test(what_is_too_stiff_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
