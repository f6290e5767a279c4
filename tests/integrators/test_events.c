/* Events: what a run says happened to its contacts, against what is known to have happened. */
#include "support/check.h"
#include "support/run.h"

#include <string.h>

static const double g = 9.81;

#define HEAD  "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
#define FLOOR "  ground: {contours: {floor: {line: [0, 1]}}}\n"

/* ---- what holds for every event ---------------------------------------------------------------
 */

/* Whether one of the contacts of an impact was approaching. */
static bool somebody_approaches(const rig *r, int impact_id)
{
    for (int i = 0; i < r->n_event; i++) {
        if (r->event[i].impact_id == impact_id && r->event[i].gamma_N_before < 0.0) {
            return true;
        }
    }
    return false;
}

/* Impacts obey the law; each event of a contact begins where the one before it ended, unless two
 * tell the same change (an impact after which the contact stays: impact and close). */
static void check_events(const rig *r, double eps_N, double mu, double dt)
{
    for (int i = 0; i < r->n_event; i++) {
        const sp_event *e = &r->event[i], *last = NULL;
        for (int k = 0; k < i; k++) {
            last = r->event[k].slot == e->slot ? &r->event[k] : last;
        }
        const sp_contact_state before = last ? last->after : SP_STATE_OPEN;
        const bool same = last && last->t == e->t && last->before == e->before;
        if (e->before != before && !(same && last->after == e->after)) {
            rig_print_events(r, i + 1);
            print_message("event %d of %s begins '%s' but the last one ended '%s'\n", i,
                          r->m->slot[e->slot].name, sp_contact_state_name(e->before),
                          sp_contact_state_name(before));
            fail();
        }
        assert_true(i == 0 || e->t >= r->event[i - 1].t - dt);
        switch (e->kind) {
        case SP_EVENT_IMPACT:
            assert_true(e->impact_id > 0);
            assert_true(e->Lambda_N > 0.0);
            assert_near_scaled(e->gamma_N_after, -eps_N * e->gamma_N_before, 1.0, 1e-11);
            assert_true(somebody_approaches(r, e->impact_id)); /* coupled contacts take part */
            assert_true(fabs(e->Lambda_T[0]) <= mu * e->Lambda_N * (1.0 + 1e-12));
            assert_true(e->Lambda_T[1] == 0.0);
            break;
        case SP_EVENT_CLOSE:
            assert_true(e->before == SP_STATE_OPEN && e->after != SP_STATE_OPEN);
            break;
        case SP_EVENT_OPEN:
            assert_true(e->before != SP_STATE_OPEN && e->after == SP_STATE_OPEN);
            break;
        case SP_EVENT_STICK:
            assert_true(e->before == SP_STATE_SLIP && e->after == SP_STATE_STICK);
            break;
        case SP_EVENT_SLIP:
            assert_true(e->before == SP_STATE_STICK && e->after == SP_STATE_SLIP);
            break;
        default:
            fail();
        }
        assert_true(e->kind == SP_EVENT_IMPACT || e->impact_id == 0);
    }
}

static void events_of_the_slider_crank_make_sense(void **ctx)
{
    (void)ctx;
    const double spin[] = {0.0, -0.01, -0.1, -1.0};
    for (int i = 0; i < 8; i++) {
        rig r = rig_slider_crank(spin[i % 4]);
        rig_steps(&r, i < 4 ? SP_METHOD_MOREAU : SP_METHOD_MOREAU_MEAN, 1e-5, 6000);
        print_message("spin %g: %d impacts, %d close, %d open, %d stick, %d slip\n", spin[i % 4],
                      rig_count(&r, SP_EVENT_IMPACT, -1), rig_count(&r, SP_EVENT_CLOSE, -1),
                      rig_count(&r, SP_EVENT_OPEN, -1), rig_count(&r, SP_EVENT_STICK, -1),
                      rig_count(&r, SP_EVENT_SLIP, -1));
        check_events(&r, 0.4, 0.01, 1e-5);
        rig_free(&r);
    }
}

/* ---- impacts ----------------------------------------------------------------------------------
 */

/* The symmetric slider hits with both corners of a face: same id, same time, ids without gaps. */
static void corners_of_a_face_share_the_id_of_their_impact(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-5, 20000);
    const int n = rig_count(&r, SP_EVENT_IMPACT, -1);
    assert_true(n >= 40 && n % 2 == 0);
    for (int k = 0; k < n; k += 2) {
        const sp_event *a = rig_event(&r, SP_EVENT_IMPACT, -1, k);
        const sp_event *b = rig_event(&r, SP_EVENT_IMPACT, -1, k + 1);
        assert_int_equal(a->impact_id, k / 2 + 1);
        assert_int_equal(b->impact_id, a->impact_id);
        /* the slider turns by less than 1e-12 rad, its corners are 0.1 m apart */
        assert_near_scaled(a->t, b->t, 1.0, 1e-13 / fabs(a->gamma_N_before));
        assert_true(a->slot != b->slot);
        assert_near_scaled(a->gamma_N_before, b->gamma_N_before, 1.0, 1e-9);
    }
    rig_free(&r);
}

/* In steps whose contacts are all hit, what the events lose is what the ledger books. */
static void energy_lost_in_events_is_the_impacts_line_of_the_ledger(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(-0.1);
    double before = 0.0, lost = 0.0, worst = 0.0;
    int compared = 0;
    for (int k = 0; k < 10000; k++) {
        rig_step(&r, SP_METHOD_MOREAU, 1e-5);
        const double booked = r.x->ledger.impacts - before;
        before = r.x->ledger.impacts;
        double sum = 0.0;
        int n = 0;
        for (int i = 0; i < r.w->n_event; i++) {
            if (r.w->event[i].kind == SP_EVENT_IMPACT) {
                sum += r.w->event[i].energy_lost;
                n++;
            }
        }
        if (n > 0 && n == r.w->n_hit) {
            worst = check_worse(worst, fabs(booked + sum));
            compared++;
        }
        lost += sum;
    }
    print_message("%d impacts compared, worst %.1e J; events lost %.6f J, ledger %.6f J\n",
                  compared, worst, lost, -r.x->ledger.impacts);
    assert_true(compared > 20);
    assert_true(worst < 1e-14);
    assert_near_scaled(lost, -r.x->ledger.impacts, 1.0, 1e-3); /* the rest: lasting contacts */
    rig_free(&r);
}

/* For a ball that is never in lasting contact the two are the same altogether. */
static void energy_lost_by_a_bouncing_ball_is_the_ledgers(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  ball: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                             "    contours: {skin: {circle: 0.2 m}}}\n"
                             "contacts: {c: {between: [ball, ground], law: {eps_N: 0.7}}}\n"
                             "start: {ball.y: 1.2 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 20000);
    const int n = rig_count(&r, SP_EVENT_IMPACT, -1);
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, -1, k);
        sum += e->energy_lost;
        const double v = e->gamma_N_before;
        assert_near(e->Lambda_N, -2.0 * 1.7 * v + 2.0 * g * 1e-4, 1e-11);
        /* 1/2 m v^2 (1 - e^2), and what gravity does in the same step */
        assert_near_scaled(e->energy_lost, (1.0 - 0.49) * v * v, 1.0, 2.0 * g * 1e-4 * fabs(v));
        assert_int_equal(e->before, SP_STATE_OPEN);
        assert_int_equal(e->after, SP_STATE_OPEN);
        assert_int_equal(e->impact_id, k + 1);
    }
    assert_true(n >= 3);
    assert_near(sum, -r.x->ledger.impacts, 1e-12);
    check_events(&r, 0.7, 0.0, 1e-4);
    rig_free(&r);
}

/* The stepper is exact in free fall, so the gap is known exactly at A, M and E.  Straight between
 * two of these it is zero within g dt^2/(32 v) of the right time, wherever in the step that falls.
 */
static void impact_time_is_where_the_gap_interpolates_to_zero(void **ctx)
{
    (void)ctx;
    const double t_1 = sqrt(2.0 / g);
    double worst = 0.0;
    int late = 0;
    rng random = {.state = 7};
    for (int k = 0; k < 40; k++) {
        const double dt = rng_in(&random, 1e-4, 2e-3);
        rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                                 "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                                 "    contours: {skin: {circle: 0.2 m}}}\n"
                                 "contacts: {c: {between: [ball, ground], law: {eps_N: 0.7}}}\n"
                                 "start: {ball.y: 1.2 m}\n");
        while (r.n_event == 0) {
            rig_step(&r, SP_METHOD_MOREAU, dt);
        }
        const double off = fabs(r.event[0].t - t_1) / dt;
        late += off > 1e-3;
        worst = check_worse(worst, off);
        assert_true(off <= 0.5); /* first order at least */
        rig_free(&r);
    }
    print_message("impact time off by up to %.3f dt, in %d of 40 cases by more than 0.001 dt\n",
                  worst, late);
    assert_true(worst < 1e-2);
}

/* eps_N = 0: impact and close at once, the ball stays. */
static void plastic_impact_closes_the_contact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  block: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: "
                             "[0.2 m, 0.1 m]}}}\n"
                             "contacts: {c: {between: [block, ground], law: {mu: 0.5}}}\n"
                             "start: {block.y: 0.55 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 5000);
    assert_int_equal(rig_count(&r, SP_EVENT_IMPACT, -1), 2); /* two corners */
    assert_int_equal(rig_count(&r, SP_EVENT_CLOSE, -1), 2);
    assert_int_equal(r.n_event, 4);
    assert_int_equal(r.event[0].impact_id, 1);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(r.event[k].t - sqrt(1.0 / g)) < 1e-3);
        assert_int_equal(r.event[k].before, SP_STATE_OPEN);
        assert_int_equal(r.event[k].after, SP_STATE_STICK);
    }
    check_events(&r, 0.0, 0.5, 1e-3);
    rig_free(&r);
}

/* The largest force that a record calls the mean force of a lasting contact. */
typedef struct largest {
    int slot;
    double lambda_N;
} largest;

static sp_status look_at_forces(void *ctx, const sp_model *m, const sp_step_record *rec,
                                sp_error *err)
{
    largest *l = ctx;
    (void)m;
    (void)err;
    l->lambda_N = rec->sampled ? fmax(l->lambda_N, rec->contact[l->slot].lambda_N) : l->lambda_N;
    return SP_OK;
}

/* A ball falls on a ball that lies on the floor.  The floor takes an impulse of about m v = 4.4 N s
 * too; as a force it would be 4.4 N s/dt, which has no limit.  Forces and impulses do not mix. */
static void impulse_through_a_resting_contact_is_no_force(void **ctx)
{
    (void)ctx;
    const double dt = 1e-4;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  low: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                             "    contours: {skin: {circle: 0.1 m}}}\n"
                             "  high: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                             "    contours: {skin: {circle: 0.1 m}}}\n"
                             "contacts: {f: {between: [low, ground], law: {eps_N: 0}},\n"
                             "  c: {between: [high, low], law: {eps_N: 0}}}\n"
                             "start: {low.y: 0.1 m, high.y: 1.3 m}\n");
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    largest l = {.slot = 0};
    const sp_observer observer = {.step = look_at_forces, .ctx = &l};
    const sp_run_options options = {
        .method = SP_METHOD_MOREAU, .until = 1.0, .step = dt, .output_step = dt};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, &observer, 1, &summary, &err), SP_OK);
    print_message("largest 'mean force' on the floor %.6g N; weights %.6g N\n", l.lambda_N,
                  2.0 * g);
    assert_true(l.lambda_N < 10.0 * 2.0 * g);
    rig_free(&r);
}

/* ---- closing, opening, sticking ---------------------------------------------------------------
 */

/* A force k t lifts a block: it leaves at m g/k. */
static void block_lifted_by_a_growing_force_opens_in_time(void **ctx)
{
    (void)ctx;
    enum { SIZES = 5 };
    const double k_F = 20.0, end = 2.0 * g / k_F;
    double dt[SIZES], err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        dt[k] = ldexp(2.3e-3, -k);
        rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                                 "  block: {mass: 2 kg, inertia: 0.02 kg*m^2, contours: {hull: "
                                 "{box: [0.2 m, 0.1 m]}}}\n"
                                 "contacts: {c: {between: [block, ground], law: {mu: 0.5}}}\n"
                                 "forces: {lift: {force: [0, %g N/s * t], on: block}}\n"
                                 "start: {block.y: 0.05 m}\n",
                            k_F);
        while (r.x->t < 1.2 * end) {
            rig_step(&r, SP_METHOD_MOREAU, dt[k]);
        }
        assert_int_equal(rig_count(&r, SP_EVENT_OPEN, -1), 2);
        assert_int_equal(r.n_event, 4); /* two close at the start, two open */
        err[k] = fabs(rig_event(&r, SP_EVENT_OPEN, -1, 0)->t - end);
        check_events(&r, 0.0, 0.5, dt[k]);
        rig_free(&r);
    }
    print_message("opening off by %.1e to %.1e s at steps of %.1e to %.1e s, order %.2f\n", err[0],
                  err[SIZES - 1], dt[0], dt[SIZES - 1], check_order(SIZES, dt, err));
    /* told when the gap, which grows like k t^3/(6 m), exceeds what resting does in a step, dt^2:
     * hence late like dt^(2/3) */
    assert_true(check_order(SIZES, dt, err) > 0.6);
    assert_true(err[SIZES - 1] < 0.05 * end);
}

/* The slope that gravity makes is tilted by a force k t along it: it slips at mu m g/k. */
static void block_pushed_by_a_growing_force_slips_in_time(void **ctx)
{
    (void)ctx;
    const double k_F = 30.0, mu = 0.4, start = mu * 2.0 * g / k_F;
    for (int k = 0; k < 6; k++) {
        const double dt = ldexp(3.1e-3, -k);
        rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                                 "  block: {mass: 2 kg, inertia: 0.02 kg*m^2, contours: {hull: "
                                 "{box: [0.2 m, 0.02 m]}}}\n"
                                 "contacts: {c: {between: [block, ground], law: {mu: %g}}}\n"
                                 "forces: {push: {force: [%g N/s * t, 0], on: block}}\n"
                                 "start: {block.y: 0.01 m}\n",
                            mu, k_F);
        while (r.x->t < 2.0 * start) {
            rig_step(&r, SP_METHOD_MOREAU, dt);
        }
        const sp_event *slip = rig_event(&r, SP_EVENT_SLIP, -1, 0);
        assert_non_null(slip);
        assert_true(fabs(slip->t - start) <= 1.5 * dt); /* told at the end of the step that slips */
        assert_true(rig_count(&r, SP_EVENT_SLIP, -1) <= 2); /* one per corner */
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, -1), 0);
        const double after = r.x->t - start;
        assert_near(r.x->u[0], k_F * after * after / 4.0, 20.0 * dt * dt);
        check_events(&r, 0.0, mu, dt);
        rig_free(&r);
    }
}

/* F = F_0 sin(w t) with F_0 above the limit: stick and slip take turns, four times a period. */
static void pushed_to_and_fro_a_block_sticks_and_slips_in_turns(void **ctx)
{
    (void)ctx;
    const double dt = 1e-4;
    rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                             "  block: {mass: 1 kg, joint: {free: ground, only: [x, y]}, contours: "
                             "{s: {circle: 0.1 m}}}\n"
                             "contacts: {c: {between: [block, ground], law: {mu: 0.5}}}\n"
                             "forces: {push: {force: [6 N * sin(10 rad/s * t), 0], on: block}}\n"
                             "start: {block.y: 0.1 m}\n");
    rig_steps(&r, SP_METHOD_MOREAU, dt, 12566); /* two periods */
    const int slips = rig_count(&r, SP_EVENT_SLIP, -1), sticks = rig_count(&r, SP_EVENT_STICK, -1);
    assert_int_equal(slips, 4);
    assert_int_equal(sticks, 4);
    for (int k = 0; k < 4; k++) { /* slips whenever |F| passes mu m g */
        const double t = (asin(0.5 * g / 6.0) + k * 3.14159265358979) / 10.0;
        assert_near(rig_event(&r, SP_EVENT_SLIP, -1, k)->t, t, 1.5 * dt);
    }
    check_events(&r, 0.0, 0.5, dt);
    rig_free(&r);
}

/* ---- no flood ---------------------------------------------------------------------------------
 */

static void resting_block_is_told_once(void **ctx)
{
    (void)ctx;
    const double eps[] = {0.0, 0.4, 0.8}, mu[] = {0.0, 0.3}, turn[] = {0.0, 0.1};
    for (int i = 0; i < 12; i++) {
        const double a = turn[i / 6], dt = 1e-3;
        rig r = rig_of_text(
            HEAD "bodies:\n  ground: {contours: {floor: {line: [%.17g, %.17g]}}}\n"
                 "  block: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: "
                 "[0.2 m, 0.1 m]}}}\n"
                 "contacts: {c: {between: [block, ground], law: {mu: %g, eps_N: %g}}}\n"
                 "start: {block.x: %.17g m, block.y: %.17g m, block.phi: %.17g}\n",
            -sin(a), cos(a), mu[i / 3 % 2], eps[i % 3], -0.05 * sin(a), 0.05 * cos(a), a);
        rig_steps(&r, SP_METHOD_MOREAU, dt, 10000);
        if (r.n_event > 4) {
            rig_print_events(&r, 20);
            print_message("eps %g mu %g turn %g: %d events\n", eps[i % 3], mu[i / 3 % 2], a,
                          r.n_event);
        }
        assert_true(r.n_event <= 4);
        rig_free(&r);
    }
}

/* Dropped askew, a block rattles and comes to rest; then it is quiet. */
static void dropped_block_becomes_quiet(void **ctx)
{
    (void)ctx;
    const double eps[] = {0.0, 0.3, 0.6}, mu[] = {0.0, 0.4};
    for (int i = 0; i < 6; i++) {
        rig r = rig_of_text(HEAD "bodies:\n" FLOOR
                                 "  block: {mass: 1 kg, inertia: 0.004 kg*m^2, contours: {hull: "
                                 "{box: [0.2 m, 0.1 m]}}}\n"
                                 "contacts: {c: {between: [block, ground], law: {mu: %g, eps_N: "
                                 "%g}}}\n"
                                 "start: {block.y: 0.4 m, block.phi: 0.2}\n",
                            mu[i / 3], eps[i % 3]);
        rig_steps(&r, SP_METHOD_MOREAU, 2e-4, 25000);
        const int events = r.n_event;
        rig_steps(&r, SP_METHOD_MOREAU, 2e-4, 10000);
        print_message("eps %g mu %g: %d events in 5 s, %d in the next 2 s\n", eps[i % 3], mu[i / 3],
                      events, r.n_event - events);
        assert_true(r.n_event - events <= 8);
        check_events(&r, eps[i % 3], mu[i / 3], 2e-4);
        rig_free(&r);
    }
}

/* On a curved surface the contact is loaded in every other step or so; nobody wants to know. */
static void rolling_disc_is_told_once(void **ctx)
{
    (void)ctx;
    const double eps[] = {0.0, 0.5};
    for (int i = 0; i < 4; i++) {
        rig r = rig_of_text(
            HEAD "bodies:\n  ground: {contours: {hole: {circle: 0.5 m, inside: yes}}}\n"
                 "  disc: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: {circle: 0.1 m}}}\n"
                 "contacts: {c: {between: [disc, ground], law: {mu: %g, eps_N: %g}}}\n"
                 "start: {disc.x: %.17g m, disc.y: %.17g m}\n",
            i < 2 ? 0.0 : 1.0, eps[i % 2], 0.4 * sin(0.6), -0.4 * cos(0.6));
        rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 20000);
        if (r.n_event > 3) {
            rig_print_events(&r, 20);
        }
        print_message("mu %d, eps %g: %d events in 20000 steps\n", i / 2, eps[i % 2], r.n_event);
        assert_true(r.n_event <= 3);
        rig_free(&r);
    }
}

/* With a turned start the slider still comes to face contact, after an accumulation of impacts that
 * takes 2e-6 s.  Then there is nothing to tell, least of all an impact in every step. */
static void face_contact_of_a_turned_slider_is_quiet(void **ctx)
{
    (void)ctx;
    const double dt[2] = {1e-5, 1e-6};
    int most[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        rig r = rig_slider_crank(-0.1);
        int in_a_row = 0;
        for (long k = 0; k < lround(0.02 / dt[i]); k++) {
            rig_step(&r, SP_METHOD_MOREAU, dt[i]);
            in_a_row = r.w->n_event > 0 ? in_a_row + 1 : 0;
            most[i] = in_a_row > most[i] ? in_a_row : most[i];
        }
        print_message("dt %g: %d events in 0.02 s, in up to %d steps in a row\n", dt[i], r.n_event,
                      most[i]);
        rig_free(&r);
    }
    assert_true(most[0] < 100 && most[1] < 100);
}

/* A block slides into a wall, under a ball that hops on it: couplings, dear in heaps, are asked for
 * only where a rest is told, and that has the time of the impact.   theory (59.2) */
static void only_what_comes_to_rest_hears_of_an_impact(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(HEAD "bodies:\n"
                             "  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [-1, 0], "
                             "at: [1 m, 0 m]}}}\n"
                             "  block: {mass: 1, inertia: 0.1, contours: {b: {box: [0.4, 0.2]}}}\n"
                             "  ball: {mass: 0.1, inertia: 1e-4, contours: {c: {circle: 0.05}}}\n"
                             "contacts:\n"
                             "  f: {between: [block, ground.floor], law: {mu: 0.1}}\n"
                             "  w: {between: [block, ground.wall], law: {mu: 0.3}}\n"
                             "  b: {between: [ball, block], law: {mu: 0.1, eps_N: 0.5}}\n"
                             "start: {block.y: 0.1, block.vx: 2, ball.y: 0.3, ball.vx: 2}\n");
    int struck = 0, impacts = 0;
    for (int n = 0; n < 600; n++) {
        rig_step(&r, SP_METHOD_MOREAU, 1e-3);
        double t_impact = NAN;
        for (int i = 0; i < r.w->n_event; i++) {
            t_impact = r.w->event[i].kind == SP_EVENT_IMPACT ? r.w->event[i].t : t_impact;
        }
        impacts += !isnan(t_impact);
        for (int k = 0; k < r.w->n_hit; k++) {
            const sp_event *told = NULL;
            for (int i = 0; i < r.w->n_event; i++) {
                const sp_event *e = &r.w->event[i];
                told = e->kind == SP_EVENT_STICK && e->slot == r.w->hit[k].slot ? e : told;
            }
            if (r.w->hit[k].struck) {
                struck++;
                assert_non_null(told);
                assert_near(told->t, t_impact, 1e-12);
            }
        }
    }
    assert_true(impacts > 2 && struck > 0);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_slider_crank_make_sense),
        cmocka_unit_test(corners_of_a_face_share_the_id_of_their_impact),
        cmocka_unit_test(energy_lost_in_events_is_the_impacts_line_of_the_ledger),
        cmocka_unit_test(energy_lost_by_a_bouncing_ball_is_the_ledgers),
        cmocka_unit_test(impact_time_is_where_the_gap_interpolates_to_zero),
        cmocka_unit_test(plastic_impact_closes_the_contact),
        cmocka_unit_test(impulse_through_a_resting_contact_is_no_force),
        cmocka_unit_test(block_lifted_by_a_growing_force_opens_in_time),
        cmocka_unit_test(block_pushed_by_a_growing_force_slips_in_time),
        cmocka_unit_test(pushed_to_and_fro_a_block_sticks_and_slips_in_turns),
        cmocka_unit_test(resting_block_is_told_once),
        cmocka_unit_test(dropped_block_becomes_quiet),
        cmocka_unit_test(rolling_disc_is_told_once),
        cmocka_unit_test(face_contact_of_a_turned_slider_is_quiet),
        cmocka_unit_test(only_what_comes_to_rest_hears_of_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
