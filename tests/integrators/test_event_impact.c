/* Impacts of event-driven runs: both laws from model files, what the log says, where the energy
 * goes.   theory section 11 */
#include "integrators/event.h"
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Run to t by events; all of them are kept in the rig. */
static void go(rig *r, double until)
{
    sp_events *e = NULL;
    sp_error err = {.text = ""};
    sp_status status = sp_events_begin(
        r->m, r->x, r->w, &(sp_events_setup){.smooth.tolerance = 1e-10, .until = until}, &e, &err);
    for (int steps = 0; status == SP_OK && (steps == 0 || r->x->t < until); steps++) {
        assert_true(steps < 100000);
        if (steps > 0) {
            status = sp_events_step(e, r->x, until, &err);
            status = status == SP_OK ? sp_events_happen(e, r->x, &err) : status;
        }
        for (int k = 0; k < r->w->n_event; k++) {
            if (r->n_event == r->size) {
                r->size = 2 * r->size + 64;
                r->event = realloc(r->event, (size_t)r->size * sizeof *r->event);
                assert_non_null(r->event);
            }
            r->event[r->n_event++] = r->w->event[k];
        }
    }
    if (status != SP_OK) {
        fail_msg("%s", err.text);
    }
    sp_events_end(e);
}

/* The shares of an impact are all that was lost, and both phases are the whole impulse. */
static void check_log(const sp_event *e)
{
    const sp_impact_log *i = &e->impact;
    const double size = fabs(i->lost_normal) + fabs(i->lost_friction) + fabs(i->lost_restitution);
    assert_near_scaled(i->lost_normal + i->lost_friction + i->lost_restitution, e->energy_lost,
                       size, 1e-13);
    assert_true(i->Lambda_N_C >= 0.0 && i->factor >= 0.0 && i->factor <= 1.0);
    assert_true(fabs(i->Lambda_T_C[0]) <= (1.0 + 1e-12) * i->mu * i->Lambda_N_C);
    assert_true(fabs(e->Lambda_T[0]) <= (1.0 + 1e-12) * i->mu * e->Lambda_N);
}

/* Everything that was taken out or put in since the start is in the ledger: nothing is left over,
 * and nothing had to be projected. */
static void check_ledger(const rig *r)
{
    const sp_ledger *l = &r->x->ledger;
    double lost = 0.0;
    for (int i = 0; i < r->n_event; i++) {
        lost += r->event[i].kind == SP_EVENT_IMPACT ? r->event[i].energy_lost : 0.0;
    }
    assert_near_scaled(-l->impacts, lost, l->scale, 1e-12);
    assert_near_scaled(rig_left_over(l), 0.0, l->scale, 1e-9);
    assert_near_scaled(l->projection, 0.0, l->scale, 1e-9);
}

/* ---- a sphere, in both laws --------------------------------------------------------------------
 */

static const char *const sphere =
    "specht: 1\nspace: planar\ngravity: 0\nimpact: %s\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  ball: {mass: 1 kg, inertia: 0.4 kg*m^2, contours: {rim: {circle: 1 m}}}\n"
    "contacts: {bounce: {between: [ball, ground], law: {mu: 0.3, eps_N: %g, eps_T: %g}}}\n"
    "start: {ball.y: 1.5 m, ball.vy: -1 m/s, ball.vx: %.17g m/s, ball.omega: %.17g rad/s}\n";

/* Tangential speed after over the normal speed before, for x before: G_TT = 7/2, L = 7/2 mu. */
static double after(double x, double eps_N, double eps_T, int law)
{
    const double L = 3.5 * 0.3, X = fabs(x), back = eps_N * eps_T, sign = x < 0.0 ? -1.0 : 1.0;
    if (law == 0) { /* Newton */
        return (1.0 + eps_T) * X <= L * (1.0 + eps_N) ? -eps_T * x : sign * (X - L * (1.0 + eps_N));
    }
    if (X <= L) {
        return -back * x;
    }
    if (law == 1) { /* Poisson with gamma_TE0 */
        return X >= L * (1.0 + eps_N * (1.0 - eps_T)) ? sign * (X - L * (1.0 + eps_N))
                                                      : -sign * back * L;
    }
    if (X <= L * (1.0 + back)) {
        return sign * (X - L * (1.0 + back));
    }
    return X <= L * (1.0 + eps_N) ? 0.0 : sign * (X - L * (1.0 + eps_N));
}

static void a_sphere_thrown_by_a_model_file_rebounds_as_the_closed_form(void **ctx)
{
    (void)ctx;
    static const char *const law[3] = {"newton", "poisson", "{law: poisson, prescribed: no}"};
    static const double eps[3] = {0.0, 0.5, 1.0};
    int n = 0;
    for (int c = 0; c < 3 * 3 * 3 * 9; c++) {
        const double x = 0.613 * (c % 9 - 4), eps_N = eps[c / 9 % 3], eps_T = eps[c / 27 % 3];
        const int kind = c / 81;
        rig r = rig_of_text(sphere, law[kind], eps_N, eps_T, 0.3 * x, 0.7 * x);
        go(&r, 1.0);
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
        assert_non_null(e);
        assert_near(e->t, 0.5, 1e-13);
        assert_near(e->gamma_T_before, x, 1e-14);
        assert_near(e->gamma_N_after, eps_N, 1e-14);
        assert_near(e->gamma_T_after, after(x, eps_N, eps_T, kind), 1e-14);
        assert_near(e->impact.Lambda_N_C, kind == 0 ? 1.0 + eps_N : 1.0, 1e-14);
        assert_near(e->Lambda_N, 1.0 + eps_N, 1e-14);
        assert_near(e->impact.lost_normal, 0.5 * (1.0 - eps_N * eps_N), 1e-14);
        assert_true(e->impact.eps_N == eps_N && e->impact.eps_T == eps_T && e->impact.mu == 0.3);
        assert_true(e->impact.factor == 1.0 && e->impact.remedy == SP_REMEDY_NONE);
        assert_true(e->impact.gain == 0.0 && e->energy_lost > -1e-14);
        check_log(e);
        check_ledger(&r);
        n++;
        rig_free(&r);
    }
    printf("%d spheres\n", n);
}

/* ---- rods that gain energy ---------------------------------------------------------------------
 */

static const char *const rod =
    "specht: 1\nspace: planar\ngravity: 0\nimpact: {law: %s, prescribed: %s, gain: %s}\nbodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  rod: {mass: 1 kg, inertia: 1 kg*m^2/12, contours: {end: {point: [-0.5, 0]}}}\n"
    "contacts: {tip: {between: [rod, ground], law: {mu: %.17g, eps_N: %.17g, eps_T: %.17g}}}\n"
    "start: {rod.y: %.17g, rod.phi: %.17g, rod.vx: %.17g, rod.vy: %.17g, rod.omega: %.17g}\n";

/* The rod of length 1 m at 45 degrees with mu = 0.8, eps_N = 1 and u = (0, -1, 4), which touches
 * at the start: T grows by 2.65 % under Poisson's law as printed, by 56.17 % under Newton's, and
 * does not without gamma_TE0. */
static void a_rod_that_gains_energy_says_so_and_does_not_if_scaled(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *law, *prescribed;
        double ratio;
    } given[3] = {{"newton", "yes", 1.5617}, {"poisson", "yes", 1.0265}, {"poisson", "no", 0.0}};
    const double phi = atan(1.0), y = 0.5 * sin(phi), T = 0.5 + 0.5 * 16.0 / 12.0;
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(rod, given[k].law, given[k].prescribed, "report", 0.8, 1.0, 0.0, y, phi,
                            0.0, -1.0, 4.0);
        go(&r, 1e-3);
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
        check_log(e);
        check_ledger(&r);
        if (given[k].ratio > 1.0) {
            assert_near(1.0 - e->energy_lost / T, given[k].ratio, 5e-5);
            assert_near(e->impact.gain, -e->energy_lost, 1e-13);
            assert_true(e->impact.factor == 1.0 && e->impact.remedy == SP_REMEDY_NONE);
        } else {
            assert_true(e->impact.gain == 0.0 && e->energy_lost > 0.0);
        }
        rig_free(&r);
        r = rig_of_text(rod, given[k].law, given[k].prescribed, "scale", 0.8, 1.0, 0.0, y, phi, 0.0,
                        -1.0, 4.0);
        go(&r, 1e-3);
        e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
        check_log(e);
        assert_true(e->impact.gain == 0.0 && e->energy_lost >= -1e-15);
        assert_int_equal(e->impact.remedy, given[k].ratio > 1.0 ? SP_REMEDY_GAIN : SP_REMEDY_NONE);
        assert_true((e->impact.factor < 1.0) == (given[k].ratio > 1.0));
        assert_true(given[k].ratio < 1.0 ||
                    e->energy_lost < 1e-9 * T); /* the largest such factor */
        rig_free(&r);
    }
}

/* Random rods are thrown on the floor, under both laws: with `scale` no impact gains. */
static void scaled_runs_never_gain_energy(void **ctx)
{
    (void)ctx;
    rng seed = {11};
    int impacts = 0, scaled = 0, gains = 0;
    for (int c = 0; c < check_cases(150, 3000); c++) {
        const double mu = rng_in(&seed, 0.0, 1.5), eps_N = rng_in(&seed, 0.5, 1.0);
        const double eps_T = rng_in(&seed, 0.0, 1.0), phi = rng_in(&seed, 0.2, 1.5);
        const double vx = rng_in(&seed, -2.0, 2.0), omega = rng_in(&seed, -9.0, 9.0);
        const bool newton = rng_flip(&seed), start = rng_flip(&seed);
        for (int scale = 0; scale < 2; scale++) {
            rig r = rig_of_text(rod, newton ? "newton" : "poisson", start ? "yes" : "no",
                                scale ? "scale" : "report", mu, eps_N, eps_T, 0.5 * sin(phi), phi,
                                vx, -1.0, omega);
            go(&r, 2.0);
            for (int i = 0; i < r.n_event; i++) {
                const sp_event *e = r.event + i;
                if (e->kind != SP_EVENT_IMPACT) {
                    continue;
                }
                check_log(e);
                gains += !scale && e->impact.gain > 0.0;
                scaled += scale && e->impact.factor < 1.0;
                impacts += scale;
                assert_true(!scale || (e->impact.gain == 0.0 && e->energy_lost > -1e-13));
                assert_true(scale || e->impact.gain > 0.0 || e->energy_lost > -1e-13);
            }
            check_ledger(&r);
            rig_free(&r);
        }
    }
    printf("%d impacts, %d gain energy if only told, %d were scaled\n", impacts, gains, scaled);
    assert_true(gains > 0 && scaled > 0);
}

/* ---- several contacts --------------------------------------------------------------------------
 */

/* A body between two walls that touches both: they contradict each other and share the least
 * restitution. */
static void contacts_that_contradict_each_other_are_told(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nformula: {coordinates: {y: m}, kinetic: 0.5*(1 kg)*y'^2}\n"
                        "contacts: {lower: {gap: y, law: {eps_N: 0.8}}, upper: {gap: -y, law: "
                        "{eps_N: 0.3}}}\n"
                        "start: {y': -1 m/s}\n");
    go(&r, 1e-3);
    const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
    assert_non_null(e);
    assert_int_equal(e->impact.remedy, SP_REMEDY_INFEASIBLE);
    assert_true(e->impact.eps_N == 0.3);
    check_log(e);
    rig_free(&r);
}

/* Three equal balls in a row: both laws send the last two off together (three_equal_balls... of
 * the impact tests), from a model file. */
static void a_row_of_balls_is_one_impact(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"newton", "poisson"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nimpact: %s\nformula: {coordinates: {a: m, b: m, c: m}, kinetic: "
            "0.5*(1 kg)*(a'^2 + b'^2 + c'^2)}\n"
            "contacts: {ab: {gap: b - a, law: {eps_N: 1}}, bc: {gap: c - b, law: {eps_N: 1}}}\n"
            "start: {a': 1 m/s}\n",
            law[k]);
        go(&r, 0.1);
        /* compression: 1/3 each, with impulses 2/3 and 1/3; then the same again, or xi = 0 */
        assert_near(r.x->u[0], -1.0 / 3.0, 1e-14);
        assert_near(r.x->u[1], 2.0 / 3.0, 1e-14);
        assert_near(r.x->u[2], 2.0 / 3.0, 1e-14);
        assert_near(rig_event(&r, SP_EVENT_IMPACT, 0, 0)->Lambda_N, 4.0 / 3.0, 1e-14);
        assert_near(rig_event(&r, SP_EVENT_IMPACT, 1, 0)->Lambda_N, 2.0 / 3.0, 1e-14);
        assert_near(rig_event(&r, SP_EVENT_IMPACT, 0, 0)->impact.Lambda_N_C,
                    k ? 2.0 / 3.0 : 4.0 / 3.0, 1e-14);
        check_ledger(&r);
        rig_free(&r);
    }
}

/* ---- what moves by itself ----------------------------------------------------------------------
 */

/* A ball of 2 kg hits a plate of any mass that is driven with V: v' = V - eps (v - V).  The drive
 * does work: what the ball gains is that less what the impact takes. */
static void a_driven_plate_does_work_at_an_impact(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"newton", "poisson"};
    for (int k = 0; k < 4; k++) {
        const double V = k < 2 ? 1.5 : -0.3, eps = 0.6, v = -1.0;
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 0\nimpact: %s\nbodies:\n"
            "  ground: {}\n"
            "  plate: {mass: 3 kg, joint: {prismatic: ground, axis: [0, 1], speed: %g m/s}, "
            "contours: {face: {line: [0, 1]}}}\n"
            "  ball: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: "
            "{point: [0, 0]}}}\n"
            "contacts: {hit: {between: [ball, plate], law: {eps_N: %g}}}\n"
            "start: {ball.y: 0.1 m, ball.vy: %g m/s}\n",
            law[k % 2], V, eps, v);
        go(&r, 0.5);
        const double w = V - eps * (v - V), dT = w * w - v * v, P = 2.0 * (w - v);
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
        assert_near(r.x->u[rig_dof(&r, "ball.joint.s")], w, 1e-12);
        assert_near(e->Lambda_N, P, 1e-12);
        assert_near(e->energy_lost, (1.0 - eps * eps) * (v - V) * (v - V), 1e-12);
        assert_near(r.x->ledger.driven, V * P, 1e-11);
        assert_near(r.x->ledger.driven + r.x->ledger.impacts, dT, 1e-11);
        check_ledger(&r);
        rig_free(&r);
    }
}

/* The same with a boundary that moves in an expression of time. */
static void a_boundary_that_moves_by_an_expression_does_work(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nimpact: poisson\nformula: {coordinates: {y: m}, kinetic: (1 "
                        "kg)*y'^2}\n"
                        "contacts: {hit: {gap: y - (1.5 m/s)*t, law: {eps_N: 0.6}}}\n"
                        "start: {y: 0.1 m, y': -1 m/s}\n");
    go(&r, 0.5);
    const double V = 1.5, v = -1.0, w = V - 0.6 * (v - V);
    assert_near(r.x->u[0], w, 1e-12);
    assert_near(r.x->ledger.driven, V * 2.0 * (w - v), 1e-11);
    check_ledger(&r);
    rig_free(&r);
}

/* A hinged bar with a loop: a ball falls on the coupler of a four-bar; bilateral rows do no work,
 * and the energy of the ledger is that of the velocities. */
static void a_machine_with_a_loop_keeps_its_books_through_impacts(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"newton", "{law: poisson, gain: scale}"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nimpact: %s\nbodies:\n"
            "  ground: {points: {p: [1, 0]}}\n"
            "  left: {mass: 1 kg, inertia: 0.1, center: [0, 0.5], joint: {revolute: ground}}\n"
            "  coupler: {mass: 1 kg, inertia: 0.1, center: [0.5, 0], joint: {revolute: left, at: "
            "[0, 1]}, points: {p: [1, 0]}, contours: {top: {line: [0, 1], at: [0, 0.1]}}}\n"
            "  right: {mass: 1 kg, inertia: 0.1, center: [0, -0.5], joint: {revolute: coupler, at: "
            "[1, 0]}, points: {foot: [0, -1]}}\n"
            "  ball: {mass: 0.5 kg, inertia: 0.01, contours: {rim: {circle: 0.1}}}\n"
            "joints: {foot: {revolute: [right.foot, ground.p]}}\n"
            "contacts: {hit: {between: [ball, coupler], law: {mu: 0.3, eps_N: 0.5, eps_T: 0.2}}}\n"
            "start: {ball.x: 0.3 m, ball.y: 1.4 m, ball.vx: 1 m/s, left.joint.omega: 0.3, "
            "coupler.joint.omega: -0.3, right.joint.omega: 0.3}\n",
            law[k]);
        go(&r, 0.4);
        assert_true(rig_count(&r, SP_EVENT_IMPACT, 0) > 0);
        for (int i = 0; i < rig_count(&r, SP_EVENT_IMPACT, 0); i++) {
            check_log(rig_event(&r, SP_EVENT_IMPACT, 0, i));
        }
        check_ledger(&r);
        assert_near_scaled(r.x->ledger.driven, 0.0, r.x->ledger.scale, 1e-12);
        rig_free(&r);
    }
}

/* ---- coefficients by speed ---------------------------------------------------------------------
 */

static void restitution_is_that_of_the_speed_of_the_hit(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"newton", "poisson"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("specht: 1\nimpact: %s\nformula: {coordinates: {y: m}, kinetic: "
                            "0.5*(1 kg)*y'^2, potential: (9.81 N)*y}\n"
                            "contacts: {hit: {gap: y, law: {eps_N: 1/(1 + v_N/(3 m/s))}}}\n"
                            "start: {y: 1 m}\n",
                            law[k]);
        go(&r, 2.0);
        double v = sqrt(2.0 * 9.81);
        for (int i = 0; i < 4; i++) {
            const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, i);
            assert_near(-e->gamma_N_before, v, 1e-11);
            assert_near(e->impact.eps_N, 1.0 / (1.0 + v / 3.0), 1e-12);
            v *= e->impact.eps_N;
            assert_near(e->gamma_N_after, v, 1e-11);
        }
        rig_free(&r);
    }
}

/* A point mass hits the floor at an angle: the friction is that of the speed it slides off with
 * (Newton), or with which compression ends (Poisson). */
static void friction_of_an_impact_is_that_of_the_speed_it_ends_with(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"newton", "poisson"};
    for (int k = 0; k < 2; k++) {
        for (double x = 0.05; x < 3.0; x += 0.31) {
            rig r = rig_of_text(
                "specht: 1\nimpact: %s\nformula: {coordinates: {x: m, y: m}, kinetic: 0.5*(1 kg)*"
                "(x'^2 + y'^2)}\n"
                "contacts: {hit: {gap: y, slip: x', law: {mu: 0.1 + 0.3*exp(-v/(0.2 m/s)), "
                "mu_0: 0.5, eps_N: 0.5}}}\n"
                "start: {y: 0.1 m, y': -1 m/s, x': %.17g m/s}\n",
                law[k], x);
            go(&r, 0.2);
            const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, 0, 0);
            const double v = k == 0 ? e->gamma_T_after : e->impact.gamma_T_C;
            const double mu = 0.1 + 0.3 * exp(-v / 0.2);
            const double P = k == 0 ? e->Lambda_N : e->impact.Lambda_N_C;
            const double P_T = k == 0 ? e->Lambda_T[0] : e->impact.Lambda_T_C[0];
            if (v > 1e-12) {
                assert_near(-P_T, mu * P, 1e-11);
                assert_near(e->impact.mu, mu, 1e-11);
            } else { /* it holds, with no more than mu_0 */
                assert_true(-P_T <= 0.5 * P);
                assert_near(P_T, -x, 1e-14);
            }
            rig_free(&r);
        }
    }
}

/* ---- what cannot be ---------------------------------------------------------------------------
 */

static void time_steps_refuse_the_laws_of_events(void **ctx)
{
    (void)ctx;
    static const char *const law[2] = {"poisson", "{law: newton, gain: scale}"};
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text(sphere, law[k], 0.5, 0.5, 0.0, 0.0);
        for (int i = 0; i < 3; i++) {
            sp_error err = {.text = ""};
            assert_int_equal(SP_E_INPUT, sp_step(r.m, r.x, r.w, method[i], 1e-3, NULL, &err));
            assert_non_null(strstr(err.text, k ? "gain: scale" : "poisson"));
            assert_non_null(strstr(err.text, "take method 'event'"));
        }
        const sp_run_options o = {
            .method = SP_METHOD_MOREAU, .until = 1.0, .step = 1e-3, .output_step = 0.1};
        sp_run_summary summary;
        assert_int_equal(SP_E_INPUT, sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, NULL));
        rig_free(&r);
    }
}

/* A block that comes down with 1 m/s and 0.5 m/s along rests, or slides on with one of two speeds
 * with 0.5 - mu(v) = v: the impact tells three, and takes one.   theory (52.7) */
static void impacts_with_friction_by_speed_tell_how_many_motions_they_have(void **ctx)
{
    (void)ctx;
    static const struct {
        double b, mu_0;
        int n;
    } way[] = {{0.2, 0.4, 1}, {0.2, 0.6, 2}, {0.35, 0.55, 3}};
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text("specht: 1\nunits: off\nspace: planar\ngravity: [0, 0]\n"
                            "bodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  b: {mass: 1, inertia: 1, joint: {free: ground}, contours: {c: "
                            "{point: [0, 0]}}}\n"
                            "contacts:\n"
                            "  k: {between: [b.c, ground.floor], law: {mu: 0.2 + %g*exp(-v/0.1), "
                            "mu_0: %g}}\n"
                            "run: {until: 1}\n"
                            "start: {b.y: 0.1, b.vy: -1, b.vx: 0.5}\n",
                            way[k].b, way[k].mu_0);
        go(&r, 0.11);
        const int n = rig_count(&r, SP_EVENT_CHOICE, -1);
        assert_int_equal(n, way[k].n > 1);
        if (n > 0) {
            const sp_event *e = rig_event(&r, SP_EVENT_CHOICE, -1, 0);
            assert_int_equal(e->n_found, way[k].n);
            assert_false(e->at_least);
        }
        const sp_event *hit = rig_event(&r, SP_EVENT_IMPACT, -1, 0);
        const double v = hit->gamma_T_after; /* it slid before: it does not stick by itself */
        assert_near(0.3 - way[k].b * exp(-v / 0.1), v, 1e-9);
        assert_near(hit->Lambda_N, 1.0, 1e-12);
        assert_int_equal(r.w->unique.open, 0);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_thrown_by_a_model_file_rebounds_as_the_closed_form),
        cmocka_unit_test(a_rod_that_gains_energy_says_so_and_does_not_if_scaled),
        cmocka_unit_test(scaled_runs_never_gain_energy),
        cmocka_unit_test(contacts_that_contradict_each_other_are_told),
        cmocka_unit_test(a_row_of_balls_is_one_impact),
        cmocka_unit_test(a_driven_plate_does_work_at_an_impact),
        cmocka_unit_test(a_boundary_that_moves_by_an_expression_does_work),
        cmocka_unit_test(a_machine_with_a_loop_keeps_its_books_through_impacts),
        cmocka_unit_test(restitution_is_that_of_the_speed_of_the_hit),
        cmocka_unit_test(friction_of_an_impact_is_that_of_the_speed_it_ends_with),
        cmocka_unit_test(time_steps_refuse_the_laws_of_events),
        cmocka_unit_test(impacts_with_friction_by_speed_tell_how_many_motions_they_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
