/* Contacts that walk over the seams of curves: nothing happens there.   theory section 58 */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>
#include <string.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81
#define MASS    2.0
#define INERTIA 0.09
#define RADIUS  0.3
#define LENGTH  (1.0 - RADIUS) /* from the middle of the ring to that of the wheel */

/* A ring that is open on the left: its seams are at 232.5 and 487.5 degrees, 37.5 degrees from the
 * lowest place on one side; half a ring is one stretch. */
#define RING "{arc: 1, over: [190 deg, 530 deg], inside: yes}"
#define BOWL "{arc: 1, over: [180 deg, 360 deg], inside: yes}"
#define FROM (37.5 * PI / 180.0)

static rig wheel_in(const char *curve, const char *wheel, const char *law, double x, double y,
                    double v, double omega)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {ring: %s}}\n"
                       "  wheel: {mass: 2, inertia: 0.09, contours: {rim: %s}}\n"
                       "contacts: {c: {between: [wheel, ground], law: %s}}\n"
                       "start: {wheel.x: %.17g, wheel.y: %.17g, wheel.vx: %.17g, wheel.omega: "
                       "%.17g}\n",
                       curve, wheel, law, x, y, v, omega);
}

enum { EVENT_MAX = 400 };

/* What was seen of a run. */
typedef struct seen {
    double v, c;    /* (58.6): the speed below, and what of the inertia takes part, kg          */
    double off;     /* largest error of the normal force, N                                     */
    double settled; /* s: events before are those of the start                                  */
    int n_walk;     /* frames in which another slot bears the wheel than in the one before      */
    int slot;       /* that one                                                                 */
    int n_event;    /* behind `settled`                                                         */
    sp_event event[EVENT_MAX];
} seen;

/* The force of the ring at x, y by (58.6). */
static double force_at(const seen *s, double x, double y)
{
    const double cosine = -y / hypot(x, y);
    const double v2 = s->v * s->v - 2.0 * MASS * GRAVITY * LENGTH * (1.0 - cosine) / (MASS + s->c);
    return MASS * (GRAVITY * cosine + v2 / LENGTH);
}

static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *rec, sp_error *err)
{
    seen *s = ctx;
    double N = 0.0;
    (void)err;
    for (int i = 0; i < m->n_slot; i++) {
        const double lambda = rec->contact[i].lambda_N;
        N += lambda;
        if (lambda > 0.0 && i != s->slot) {
            s->n_walk++;
            s->slot = i;
        }
    }
    for (int i = 0; i < rec->n_event; i++) {
        if (rec->event[i].t > s->settled && s->n_event < EVENT_MAX) {
            s->event[s->n_event++] = rec->event[i];
        }
    }
    if (rec->sampled && rec->t > s->settled && s->v > 0.0) {
        s->off = fmax(s->off, fabs(N - force_at(s, rec->q[0], rec->q[1])));
    }
    return SP_OK;
}

/* Run, by tolerance or in steps; s: with v, c and settled filled in. */
static void go(rig *r, sp_method method, double until, double size, seen *s)
{
    const bool steps = sp_method_has_step(method);
    const sp_observer observer = {.step = watch, .ctx = s};
    const sp_run_options options = {.method = method,
                                    .until = until,
                                    .step = steps ? size : 0.0,
                                    .tolerance = steps ? 0.0 : size,
                                    .output_step = 0.01};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    s->slot = -1;
    if (sp_integrate(r->m, r->x, r->w, &options, &observer, 1, &summary, &err) != SP_OK) {
        print_message("%s\n", err.text);
        fail();
    }
    assert_true(summary.worst.complementarity < 1e-9);
}

static double energy(const rig *r)
{
    return r->x->ledger.kinetic + r->x->ledger.potential;
}

/* ---- a ring ---------------------------------------------------------------------------------- */

/* The closed form of the force over ten periods; a restitution that has nothing to act on. */
static void a_wheel_swings_through_the_seam_of_a_ring(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) { /* without friction, and rolling */
        const double c = k == 0 ? 0.0 : INERTIA / (RADIUS * RADIUS), V = k == 0 ? 3.0 : 2.6;
        rig a =
            wheel_in(RING, "{circle: 0.3}", k == 0 ? "{mu: 0, eps_N: 0.5}" : "{mu: 2, eps_N: 0.5}",
                     0.0, -LENGTH, V, k == 0 ? 0.0 : -V / RADIUS);
        seen s = {.v = V, .c = c, .settled = 1e-6};
        const double before = 0.5 * (MASS + c) * V * V - MASS * GRAVITY * LENGTH;
        assert_int_equal(a.m->n_slot, 3);
        go(&a, SP_METHOD_EVENT, 20.0, 1e-12, &s);
        assert_true(s.n_walk >= 18);
        assert_int_equal(s.n_event, 0);
        assert_true(s.off < 1e-10);
        assert_true(a.x->ledger.impacts == 0.0);
        assert_near(a.x->ledger.friction, 0.0, 1e-12);
        assert_near(energy(&a), before, 1e-11);
        rig_free(&a);
    }
}

/* All methods: no event at the seams, and to round-off the motion in a bowl that has none. */
static void every_method_walks_over_a_seam(void **ctx)
{
    (void)ctx;
    static const struct {
        sp_method method;
        double size;
    } c[] = {{SP_METHOD_EVENT, 1e-11},      {SP_METHOD_ADAPTIVE, 1e-6}, {SP_METHOD_MOREAU, 1e-3},
             {SP_METHOD_MOREAU_MEAN, 1e-3}, {SP_METHOD_RK2, 1e-3},      {SP_METHOD_RK4, 1e-3},
             {SP_METHOD_THETA, 1e-3}};
    static const char *const law[] = {"{mu: 0, eps_N: 0.5}", "{mu: 0.05, eps_N: 0.5}"};
    for (int k = 0; k < 7; k++) {
        for (int j = 0; j < 2; j++) {
            rig a = wheel_in(RING, "{circle: 0.3}", law[j], 0.0, -LENGTH, 3.0, 0.0);
            rig b = wheel_in(BOWL, "{circle: 0.3}", law[j], 0.0, -LENGTH, 3.0, 0.0);
            seen s = {.settled = 0.01}, t = {.settled = 0.01};
            assert_int_equal(b.m->n_slot, 1);
            go(&a, c[k].method, 3.0, c[k].size, &s);
            go(&b, c[k].method, 3.0, c[k].size, &t);
            assert_true(s.n_walk >= 3);
            assert_int_equal(s.n_event, t.n_event);
            for (int i = 0; i < s.n_event; i++) {
                assert_int_equal(s.event[i].kind, t.event[i].kind);
                assert_true(s.event[i].kind != SP_EVENT_IMPACT &&
                            s.event[i].kind != SP_EVENT_OPEN && s.event[i].kind != SP_EVENT_CLOSE);
            }
            for (int i = 0; i < 3; i++) {
                assert_near(a.x->q[i], b.x->q[i], 1e-8);
                assert_near(a.x->u[i], b.x->u[i], 1e-7);
            }
            assert_near(a.x->ledger.impacts, b.x->ledger.impacts, 1e-9);
            assert_near(a.x->ledger.friction, b.x->ledger.friction, 1e-9);
            rig_free(&a);
            rig_free(&b);
        }
    }
}

/* How many slots bear a load. */
static int bearing(const rig *r)
{
    int n = 0;
    for (int i = 0; i < r->m->n_slot; i++) {
        n += r->x->contact[i].P_N > 0.0;
    }
    return n;
}

/* A wheel that rests on the seam itself, or beside it by a round-off, or swings there by less than
 * can be seen: one slot bears it. */
static void a_wheel_rests_on_a_seam(void **ctx)
{
    (void)ctx;
    static const double beside[] = {0.0, 1e-16, -1e-16, 1e-10, -1e-10, 1e-7, -1e-7};
    static const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE, SP_METHOD_MOREAU};
    for (int k = 0; k < 7; k++) {
        for (int j = 0; j < 3; j++) { /* turned such that the seam is the lowest place */
            rig a = wheel_in("{arc: 1, over: [190 deg, 530 deg], inside: yes, turn: 37.5 deg}",
                             "{circle: 0.3}", "{mu: 0.2, eps_N: 0.5}", LENGTH * sin(beside[k]),
                             -LENGTH * cos(beside[k]), 0.0, 0.0);
            seen s = {.settled = 0.1};
            go(&a, method[j], 0.5, j == 0 ? 1e-10 : j == 1 ? 1e-6 : 1e-3, &s);
            assert_int_equal(s.n_event, 0);
            assert_true(s.n_walk == 1 || fabs(beside[k]) > 1e-9);
            assert_int_equal(bearing(&a), 1);
            assert_true(fabs(a.x->q[0]) <= LENGTH * fabs(beside[k]) + 1e-9);
            assert_near(a.x->q[1], -LENGTH, 1e-9);
            rig_free(&a);
        }
    }
}

/* A wheel that comes down on the seam, in its middle or beside it, hops by its restitution as in a
 * bowl. */
static void a_wheel_comes_down_on_a_seam(void **ctx)
{
    (void)ctx;
    static const double beside[] = {0.0, 1e-9, -1e-9, 1e-4, -1e-4, 0.01};
    for (int k = 0; k < 6; k++) {
        const double at = -FROM + beside[k], out = LENGTH - 0.05;
        rig a = wheel_in(RING, "{circle: 0.3}", "{mu: 0.1, eps_N: 0.5}", out * sin(at),
                         -out * cos(at), -0.5, 0.0);
        rig b = wheel_in(BOWL, "{circle: 0.3}", "{mu: 0.1, eps_N: 0.5}", out * sin(at),
                         -out * cos(at), -0.5, 0.0);
        events_go(&a, 2.0, 1e-11);
        events_go(&b, 2.0, 1e-11);
        assert_true(events_count(&b, SP_EVENT_IMPACT) > 3);
        for (int i = 0; i < 3; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-7);
            assert_near(a.x->u[i], b.x->u[i], 1e-7);
        }
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), events_count(&b, SP_EVENT_OPEN));
        rig_free(&a);
        rig_free(&b);
    }
}

/* Wheels that fly, hop, slide and roll in a ring as in a whole circle, too slow to come to its
 * opening, fast enough for the seam. */
static void random_wheels_in_a_ring_see_no_seam(void **ctx)
{
    (void)ctx;
    rng r = {581};
    int walked = 0;
    for (int n = 0; n < check_cases(20, 1000); n++) {
        char law[80];
        const double at = rng_in(&r, -0.9, 0.9), far = rng_in(&r, 0.4, LENGTH);
        const double x = far * sin(at), y = -far * cos(at), top = -0.2;
        const double V = sqrt(2.0 * GRAVITY * (top - y)), w = rng_in(&r, -1.0, 1.0);
        snprintf(law, sizeof law, "{mu: %.17g, eps_N: %.17g}", rng_in(&r, 0.0, 0.3),
                 rng_in(&r, 0.0, 0.6));
        rig a = wheel_in(RING, "{circle: 0.3}", law, x, y, n % 2 == 0 ? V : -V, w);
        rig b =
            wheel_in("{arc: 1, inside: yes}", "{circle: 0.3}", law, x, y, n % 2 == 0 ? V : -V, w);
        events_go(&a, 0.8, 1e-12);
        events_go(&b, 0.8, 1e-12);
        /* what closed at one slot is at another */
        const int closed = rig_count(&a, SP_EVENT_CLOSE, 0) - rig_count(&a, SP_EVENT_OPEN, 0);
        walked += closed != (a.x->contact[0].state != SP_STATE_OPEN);
        assert_int_equal(events_count(&a, SP_EVENT_HANDOVER), 0);
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), events_count(&b, SP_EVENT_OPEN));
        assert_int_equal(events_count(&a, SP_EVENT_CLOSE), events_count(&b, SP_EVENT_CLOSE));
        for (int i = 0; i < 3; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-7);
        }
        rig_free(&a);
        rig_free(&b);
    }
    assert_true(walked > 1);
}

/* The slot of RING, turned by an angle, whose stretch the wheel is over; -1: it is over a seam. */
static int slot_at(double x, double y, double turn)
{
    static const double seam[] = {232.5, 487.5};
    double at = atan2(y, x) * 180.0 / PI - turn;
    int k = 0;
    while (at < 190.0) {
        at += 360.0;
    }
    for (int i = 0; i < 2; i++) {
        k = fabs(at - seam[i]) < 1e-5 ? -1 : at > seam[i] ? i + 1 : k;
    }
    return k;
}

/* Events of the wheel, and those of them that are told of another slot than it is over. */
typedef struct told {
    double turn;
    int n, wrong, n_beyond; /* n_beyond: of the slots but the first */
} told;

static sp_status watch_slots(void *ctx, const sp_model *m, const sp_step_record *rec, sp_error *err)
{
    told *t = ctx;
    (void)err;
    for (int i = 0; i < rec->n_event; i++) {
        const int slot = rec->event[i].slot, place = slot_at(rec->q[0], rec->q[1], t->turn);
        if (m->slot[slot].places && place >= 0 && rec->t == rec->event[i].t) {
            t->n++;
            t->wrong += slot != place;
            t->n_beyond += slot > 0;
        }
    }
    return SP_OK;
}

static void tell_slots(rig *r, double until, told *t)
{
    const sp_observer observer = {.step = watch_slots, .ctx = t};
    const sp_run_options options = {
        .method = SP_METHOD_EVENT, .until = until, .tolerance = 1e-9, .output_step = until};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    assert_int_equal(sp_integrate(r->m, r->x, r->w, &options, &observer, 1, &summary, &err), SP_OK);
}

/* A hammer that hops on a wheel which slides over the seam at the lowest place: the ring bears its
 * blows where the wheel is, also in the step that passes the seam.   theory (58.5) */
static void blows_behind_a_seam_are_told_of_the_slot_behind_it(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 10; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
            "  ground: {contours: {ring: {arc: 1, over: [190 deg, 530 deg], inside: yes, turn: "
            "37.5 "
            "deg}}}\n"
            "  wheel: {mass: 2, inertia: 0.09, contours: {rim: {circle: 0.3}}}\n"
            "  hammer: {mass: 1, joint: {free: ground, only: [y]}, contours: {tip: {point: [0, "
            "0]}}}\n"
            "contacts:\n"
            "  c: {between: [wheel, ground], law: {mu: 0, eps_N: 0.5}}\n"
            "  h: {between: [hammer.tip, wheel.rim], law: {mu: 0, eps_N: 0.5}}\n"
            "start: {wheel.x: -0.02, wheel.y: -0.69971422738143607, wheel.vx: 1, wheel.vy: "
            "-0.028583091, hammer.y: %.17g}\n",
            -0.399 + 1e-3 * k);
        told t = {.turn = 37.5};
        assert_int_equal(r.m->n_slot, 4);
        tell_slots(&r, 0.1, &t);
        assert_true(t.n > 2 && t.n_beyond > 0);
        assert_int_equal(t.wrong, 0);
        rig_free(&r);
    }
}

/* The same of wheels that slide and roll: friction that begins and ends to hold, and lifting. */
static void events_behind_a_seam_are_told_of_the_slot_behind_it(void **ctx)
{
    (void)ctx;
    rng r = {582};
    told t = {.turn = 0.0};
    for (int n = 0; n < check_cases(40, 1000); n++) {
        char law[80];
        const double at = rng_in(&r, -0.9, 0.9), x = LENGTH * sin(at), y = -LENGTH * cos(at);
        const double V = sqrt(2.0 * GRAVITY * (-0.2 - y)) * (n % 2 == 0 ? 1.0 : -1.0);
        snprintf(law, sizeof law, "{mu: %.17g, eps_N: 0.3}", rng_in(&r, 0.05, 0.6));
        rig a = wheel_in(RING, "{circle: 0.3}", law, x, y, V, rng_in(&r, -9.0, 9.0));
        tell_slots(&a, 1.5, &t);
        rig_free(&a);
    }
    assert_true(t.n > 100);
    assert_int_equal(t.wrong, 0);
}

/* ---- other curves ---------------------------------------------------------------------------- */

/* A hole like an eight, by a formula and by a spline through points of it: the disc swings in its
 * lower half, below the neck that it does not pass, through the seam at the lowest place. */
static void a_disc_swings_in_one_half_of_an_eight(void **ctx)
{
    (void)ctx;
    static const char *const formula =
        "{curve: [(1 + 0.6*cos(2*s))*sin(s), -(1 + 0.6*cos(2*s))*cos(s)], over: [0, 2*pi], "
        "inside: yes}";
    char spline[4000] = "{spline: [";
    size_t used = strlen(spline);
    for (int i = 0; i < 60; i++) {
        const double s = 2.0 * PI * i / 60.0, far = 1.0 + 0.6 * cos(2.0 * s);
        used += (size_t)snprintf(spline + used, sizeof spline - used, "%s[%.17g, %.17g]",
                                 i > 0 ? ", " : "", far * sin(s), -far * cos(s));
    }
    snprintf(spline + used, sizeof spline - used, "], closed: yes, inside: yes}");
    for (int k = 0; k < 2; k++) {
        rig r[2];
        for (int j = 0; j < 2; j++) {
            seen s = {.settled = 0.01};
            r[j] = wheel_in(k == 0 ? formula : spline, "{circle: 0.43}", "{mu: 0, eps_N: 0.5}", 0.0,
                            -1.17, 1.5, 0.0);
            const double before = 0.5 * MASS * 1.5 * 1.5 - MASS * GRAVITY * 1.17;
            assert_int_equal(r[j].m->n_slot, 3);
            go(&r[j], j == 0 ? SP_METHOD_EVENT : SP_METHOD_ADAPTIVE, 3.0, j == 0 ? 1e-11 : 1e-6,
               &s);
            assert_true(s.n_walk >= 3);
            assert_int_equal(s.n_event, 0);
            assert_near(energy(&r[j]), before, j == 0 ? 1e-9 : 1e-4);
            assert_true(j > 0 || r[j].x->ledger.impacts == 0.0);
        }
        for (int i = 0; i < 3; i++) {
            assert_near(r[0].x->q[i], r[1].x->q[i], 1e-4);
        }
        rig_free(&r[0]);
        rig_free(&r[1]);
    }
}

#define HEART(turn)                                                                                \
    "{curve: [(1 - 0.5*sin(s))*cos(s), (1 - 0.5*sin(s) - 0.4*exp(-5*(1 - sin(s))))*sin(s)], "      \
    "over: [0, 2*pi], turn: " turn "}"

/* Wheels that fall and roll on a heart anyhow, and on its mirror image, whose seam is elsewhere. */
static void random_wheels_on_a_heart_see_no_seam(void **ctx)
{
    (void)ctx;
    rng r = {58};
    int landed = 0;
    for (int n = 0; n < check_cases(20, 1000); n++) {
        char law[80];
        const double x = rng_in(&r, -0.8, 0.8), v = rng_in(&r, -2.0, 2.0),
                     w = rng_in(&r, -5.0, 5.0);
        snprintf(law, sizeof law, "{mu: %.17g, eps_N: %.17g}", rng_in(&r, 0.0, 0.8),
                 rng_in(&r, 0.0, 0.6));
        rig a = wheel_in(HEART("-120 deg"), "{circle: 0.4}", law, x, 1.75, v, w);
        rig b = wheel_in(HEART("120 deg"), "{circle: 0.4}", law, -x, 1.75, -v, -w);
        events_go(&a, 0.7, 1e-12);
        events_go(&b, 0.7, 1e-12);
        landed += events_count(&b, SP_EVENT_IMPACT) > 0;
        assert_int_equal(events_count(&a, SP_EVENT_HANDOVER), 0);
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), events_count(&b, SP_EVENT_OPEN));
        assert_near(a.x->q[0], -b.x->q[0], 1e-8);
        assert_near(a.x->q[1], b.x->q[1], 1e-8);
        assert_near(a.x->q[2], -b.x->q[2], 1e-8);
        rig_free(&a);
        rig_free(&b);
    }
    assert_true(landed > 10);
}

/* Most of a circle with its mass off the middle rolls on the floor, over its seams: what turns is
 * J + m (R^2 + d^2 - 2 R d cos phi), phi from where the mass is lowest. */
static void an_arc_rolls_over_its_seams(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    const double d = 0.2, omega = 6.0;
    for (int k = 0; k < 2; k++) {
        rig r = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  arch: {mass: 2, inertia: 1, center: [0, %g], contours: {skin: {arc: "
                            "1, over: [-80 deg, 260 deg]}}}\n"
                            "contacts: {c: {between: [arch, ground], law: {mu: 5, eps_N: 0.3}}}\n"
                            "start: {arch.y: 1, arch.phi: 180 deg, arch.omega: %.17g, arch.vx: "
                            "%.17g}\n",
                            d, omega, -omega);
        seen s = {.settled = 1e-6};
        assert_int_equal(r.m->n_slot, 3);
        go(&r, method[k], 0.45, k == 0 ? 1e-12 : 1e-6, &s);
        assert_true(s.n_walk >= 2 && r.x->q[2] > PI + 127.5 * PI / 180.0);
        assert_int_equal(s.n_event, 0);
        const double cosine = cos(r.x->q[2] - PI), J = 1.0 + 2.0 * (1.0 + d * d - 2.0 * d * cosine);
        const double J_0 = 1.0 + 2.0 * (1.0 - d) * (1.0 - d);
        const double square = (J_0 * omega * omega - 2.0 * 2.0 * GRAVITY * d * (1.0 - cosine)) / J;
        assert_near(r.x->u[2], sqrt(square), k == 0 ? 1e-10 : 1e-8);
        assert_near(r.x->q[0] + (r.x->q[2] - PI), 0.0, 1e-8);
        assert_true(k > 0 || r.x->ledger.impacts == 0.0);
        rig_free(&r);
    }
}

/* An arc of a whole turn as a tyre is a circle, also over seams. */
static void an_arc_as_a_tyre_walks_over_a_seam(void **ctx)
{
    (void)ctx;
    rig a = wheel_in(RING, "{arc: 0.3}", "{mu: 0.3, eps_N: 0.5}", 0.0, -LENGTH, 3.0, 0.0);
    rig b = wheel_in(RING, "{circle: 0.3}", "{mu: 0.3, eps_N: 0.5}", 0.0, -LENGTH, 3.0, 0.0);
    seen s = {.settled = 1e-6}, t = {.settled = 1e-6};
    go(&a, SP_METHOD_EVENT, 3.0, 1e-11, &s);
    go(&b, SP_METHOD_EVENT, 3.0, 1e-11, &t);
    assert_true(s.n_walk >= 3 && s.n_walk == t.n_walk);
    assert_int_equal(s.n_event, t.n_event);
    for (int i = 0; i < 3; i++) {
        assert_near(a.x->q[i], b.x->q[i], 1e-9);
        assert_near(a.x->u[i], b.x->u[i], 1e-8);
    }
    rig_free(&a);
    rig_free(&b);
}

/* A wheel on a road whose hollows are wider than it keeps contact over several waves. */
static void a_wheel_keeps_contact_over_waves(void **ctx)
{
    (void)ctx;
    static const char *const law[] = {"{mu: 0, eps_N: 0.5}", "{mu: 2, eps_N: 0.5}"};
    for (int k = 0; k < 2; k++) {
        rig a = wheel_in("{curve: [s, 0.05*cos(2*s)], over: [-1, 12]}", "{circle: 0.3}", law[k],
                         0.0, 0.35, 1.2, k == 0 ? 0.0 : -4.0);
        seen s = {.settled = 1e-6};
        const double before =
            0.5 * MASS * 1.2 * 1.2 + 0.5 * INERTIA * (k == 0 ? 0.0 : 16.0) + MASS * GRAVITY * 0.35;
        go(&a, SP_METHOD_EVENT, 6.0, 1e-11, &s);
        assert_true(a.x->q[0] > 6.0);
        assert_int_equal(s.n_event, 0);
        assert_true(a.x->ledger.impacts == 0.0);
        assert_near(energy(&a), before, 1e-9);
        rig_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_swings_through_the_seam_of_a_ring),
        cmocka_unit_test(every_method_walks_over_a_seam),
        cmocka_unit_test(a_wheel_rests_on_a_seam),
        cmocka_unit_test(a_wheel_comes_down_on_a_seam),
        cmocka_unit_test(random_wheels_in_a_ring_see_no_seam),
        cmocka_unit_test(blows_behind_a_seam_are_told_of_the_slot_behind_it),
        cmocka_unit_test(events_behind_a_seam_are_told_of_the_slot_behind_it),
        cmocka_unit_test(a_disc_swings_in_one_half_of_an_eight),
        cmocka_unit_test(random_wheels_on_a_heart_see_no_seam),
        cmocka_unit_test(an_arc_rolls_over_its_seams),
        cmocka_unit_test(an_arc_as_a_tyre_walks_over_a_seam),
        cmocka_unit_test(a_wheel_keeps_contact_over_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
