/* Discs that touch a curve at two places: rest, impacts, orders, long roads.   theory section 48 */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>
#include <string.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81

/* A wheel of 2 kg on a curve of the ground. */
static rig wheel_on(const char *curve, double radius, const char *law, double x, double y,
                    const char *start)
{
    return rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                       "  ground: {contours: {road: %s}}\n"
                       "  wheel: {mass: 2, inertia: %.17g, contours: {tyre: {circle: %.17g}}}\n"
                       "contacts: {c: {between: [wheel, ground], law: %s}}\n"
                       "start: {wheel.x: %.17g, wheel.y: %.17g%s}\n",
                       curve, radius * radius, radius, law, x, y, start);
}

enum { SLOT_MAX = 8, HIT_MAX = 400 };

/* What was seen of a run: forces at its end, impacts. */
typedef struct seen {
    double lambda_N[SLOT_MAX];
    int n_hit;
    sp_event hit[HIT_MAX];
} seen;

static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *rec, sp_error *err)
{
    seen *s = ctx;
    (void)err;
    for (int i = 0; i < m->n_slot; i++) {
        s->lambda_N[i] = rec->contact[i].lambda_N;
    }
    for (int i = 0; i < rec->n_event; i++) {
        if (rec->event[i].kind == SP_EVENT_IMPACT && s->n_hit < HIT_MAX) {
            s->hit[s->n_hit++] = rec->event[i];
        }
    }
    return SP_OK;
}

/* Run, event-driven or adaptive with a tolerance, else in steps. */
static void go(rig *r, sp_method method, double until, double size, seen *s)
{
    const bool steps = sp_method_has_step(method);
    const sp_observer observer = {.step = watch, .ctx = s};
    const sp_run_options options = {.method = method,
                                    .until = until,
                                    .step = steps ? size : 0.0,
                                    .tolerance = steps ? 0.0 : size,
                                    .output_step = until / 10.0};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    memset(s, 0, sizeof *s);
    assert_true(r->m->n_slot <= SLOT_MAX);
    if (sp_integrate(r->m, r->x, r->w, &options, &observer, 1, &summary, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
}

/* The first impact of a contact. */
static const sp_event *first_hit(const seen *s, int slot)
{
    for (int i = 0; i < s->n_hit; i++) {
        if (s->hit[i].slot == slot) {
            return &s->hit[i];
        }
    }
    fail_msg("no impact of contact %d", slot);
    return NULL;
}

static double energy(const rig *r)
{
    return r->x->ledger.kinetic + r->x->ledger.potential;
}

/* The ledger closes, and nothing was put back. */
static void assert_honest(const rig *r, double tol)
{
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= tol * r->x->ledger.scale);
    assert_true(fabs(r->x->ledger.projection) <= tol * r->x->ledger.scale);
}

/* ---- a parabola ---------------------------------------------------------------------------- */

/* y = x^2/(2p) and the centre of a disc that touches it at x.   theory (48.7) */
static const char *parabola(double p)
{
    static char curve[200];
    snprintf(curve, sizeof curve, "{curve: [s, s^2/(2*%.17g)], over: [-3, 3]}", p);
    return curve;
}

static void center_over(double p, double r, double x, double center[2])
{
    const double length = hypot(x, p);
    center[0] = x - r * x / length;
    center[1] = x * x / (2.0 * p) + r * p / length;
}

/* At rest without friction, by every method; with it, which forces bear is not unique. */
static void a_wheel_rests_on_both_sides_of_a_hollow(void **ctx)
{
    (void)ctx;
    const double p = 0.3, r = 0.5, N = 2.0 * GRAVITY * r / (2.0 * p);
    const double height = (r * r - p * p) / (2.0 * p) + p;
    static const struct {
        sp_method method;
        double size, tol; /* tolerance or step; 1 m/s dt is 1e-3 m */
    } way[] = {{SP_METHOD_EVENT, 1e-11, 1e-10},
               {SP_METHOD_ADAPTIVE, 1e-6, 1e-6},
               {SP_METHOD_MOREAU, 1e-3, 1e-4},
               {SP_METHOD_MOREAU_MEAN, 1e-3, 1e-4}};
    for (int k = 0; k < 8; k++) {
        seen s;
        double center[2];
        center_over(p, r, -0.7, center);
        rig a = wheel_on(parabola(p), r, k < 4 ? "{mu: 0}" : "{mu: 0, eps_N: 0.4}", center[0],
                         center[1] + 0.01, "");
        go(&a, way[k % 4].method, 6.0, way[k % 4].size, &s);
        assert_true(s.n_hit > 1);
        assert_near(a.x->q[0], 0.0, way[k % 4].tol);
        assert_near(a.x->q[1], height, way[k % 4].tol);
        assert_near(s.lambda_N[0], N, fmax(1e-10, way[k % 4].tol));
        assert_near(s.lambda_N[1], N, fmax(1e-10, way[k % 4].tol));
        if (k % 4 == 0) {
            assert_honest(&a, 1e-9);
        }
        rig_free(&a);
    }
}

/* A disc that slides down one side without friction meets the other: Newton's law.  theory (48.8)
 */
static void the_second_place_is_hit_as_newton_says(void **ctx)
{
    (void)ctx;
    static const struct {
        double p, eps;
    } c[] = {{0.3, 0.0}, {0.3, 0.6}, {0.45, 0.0}, {0.45, 0.6}, {0.2, 0.3}};
    const double r = 0.5, m = 2.0;
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++) {
        const double p = c[k].p, height = (r * r - p * p) / (2.0 * p) + p, a = acos(p / r);
        double center[2];
        char law[60];
        center_over(p, r, -0.8, center);
        snprintf(law, sizeof law, "{mu: 0, eps_N: %g}", c[k].eps);
        rig x = wheel_on(parabola(p), r, law, center[0], center[1], "");
        seen s;
        go(&x, SP_METHOD_EVENT, 1.0, 1e-12, &s);
        const double V = sqrt(2.0 * GRAVITY * (center[1] - height));
        const double factor = m * (1.0 + c[k].eps) * V, cos2 = cos(2.0 * a);
        const double second = cos2 >= 0.0 ? factor * sin(2.0 * a) : factor / sin(2.0 * a);
        const sp_event *hit = first_hit(&s, 1);
        assert_near(hit->gamma_N_before, -V * sin(2.0 * a), 1e-10);
        assert_near(hit->gamma_N_after, c[k].eps * V * sin(2.0 * a), 1e-10);
        assert_near(hit->Lambda_N, second, 1e-10);
        if (cos2 < 0.0) {
            const sp_event *first = first_hit(&s, 0);
            assert_near(first->t, hit->t, 0.0);
            assert_near(first->Lambda_N, -cos2 * second, 1e-10);
        }
        assert_honest(&x, 1e-10);
        rig_free(&x);
    }
}

/* ---- inside an oval ------------------------------------------------------------------------ */

/* x^2/B^2 + y^2/A^2 = 1, upright: a disc of B^2/A < r < B lies in its lower end and touches at
 *     y^2 = A^2 (B^2 - r^2)/(B^2 e^2),   e^2 = 1 - B^2/A^2,   cos a = |y| B^2/(A^2 r) */
static void a_disc_rests_in_the_end_of_an_oval(void **ctx)
{
    (void)ctx;
    const double A = 1.0, B = 0.5, r = 0.35, e2 = 1.0 - B * B / (A * A);
    const double y = -A * sqrt((B * B - r * r) / (B * B * e2)), cosine = -y * B * B / (A * A * r);
    rig a = wheel_on("{curve: [0.5 * cos(s), sin(s)], over: [0, 2*pi], inside: yes}", r,
                     "{mu: 0, eps_N: 0.5}", 0.05, 0.1, ", wheel.vx: 1, wheel.omega: 3");
    seen s;
    go(&a, SP_METHOD_EVENT, 6.0, 1e-11, &s);
    assert_true(s.n_hit > 20);
    assert_honest(&a, 1e-9);
    assert_near(a.x->q[0], 0.0, 1e-10);
    assert_near(a.x->q[1], y * e2, 1e-10);
    assert_near(s.lambda_N[0], GRAVITY / cosine, 1e-9);
    assert_near(s.lambda_N[1], GRAVITY / cosine, 1e-9);
    rig_free(&a);
}

/* ---- a heart ------------------------------------------------------------------------------- */

/* A closed curve with a single hollow, above, or turned upside down. */
#define HEART(turn)                                                                                \
    "{curve: [(1 - 0.5*sin(s))*cos(s), (1 - 0.5*sin(s) - 0.4*exp(-5*(1 - sin(s))))*sin(s)], "      \
    "over: [0, 2*pi], turn: " turn "}"

/* Both sides of the hollow bear the roller, as they are symmetric; n is at the place of contact. */
static void a_roller_rests_in_the_hollow_of_a_heart(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        rig a = wheel_on(HEART("0"), 0.4, "{mu: 0, eps_N: 0.3}", 0.2, 1.5, "");
        seen s;
        assert_int_equal(a.m->n_slot, 2);
        go(&a, method[k], 8.0, k == 0 ? 1e-11 : 1e-6, &s);
        const sp_contact_frame f = sp_con_frame(a.m, a.x->numbers, &a.w->con, 0);
        assert_true(s.n_hit > 4 && fabs(f.n.x) > 0.1);
        assert_near(a.x->q[0], 0.0, k == 0 ? 1e-9 : 1e-5);
        for (int i = 0; i < 2; i++) {
            assert_near(s.lambda_N[i], GRAVITY / f.n.y, k == 0 ? 1e-9 : 1e-4);
        }
        rig_free(&a);
    }
}

/* Such a curve is cut once more, a third of a turn behind the hollow, where contacts do pass.  The
 * heart has it on top if it is turned by -120 degrees; its mirror image is turned by 120 degrees
 * and has no cut there. */
static void a_contact_passes_the_seam_of_a_heart(void **ctx)
{
    (void)ctx;
    static const char *const law[] = {"{mu: 0}", "{mu: 0.3}", "{mu: 0.3, eps_N: 0.4}"};
    for (int k = 0; k < 3; k++) {
        rig a = wheel_on(HEART("-120 deg"), 0.4, law[k], -0.3, 1.72, ", wheel.vx: 1.5");
        rig b = wheel_on(HEART("120 deg"), 0.4, law[k], 0.3, 1.72, ", wheel.vx: -1.5");
        events_go(&a, 0.5, 1e-11);
        events_go(&b, 0.5, 1e-11);
        assert_honest(&a, 1e-9);
        /* one goes on in its other slot, unsaid, both lift off then */
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), events_count(&b, SP_EVENT_OPEN));
        assert_int_equal(events_count(&a, SP_EVENT_CLOSE), events_count(&b, SP_EVENT_CLOSE));
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        assert_near(a.x->q[0], -b.x->q[0], 1e-9);
        assert_near(a.x->q[1], b.x->q[1], 1e-9);
        assert_near(a.x->q[2], -b.x->q[2], 1e-9);
        assert_near(energy(&a), energy(&b), 1e-9);
        rig_free(&a);
        rig_free(&b);
    }
}

/* ---- ends ---------------------------------------------------------------------------------- */

/* A wheel over a trough that is narrower than it: on both rims. */
static void a_wheel_rests_on_the_rims_of_a_trough(void **ctx)
{
    (void)ctx;
    const double r = 1.2, half = cos(20.0 * PI / 180.0), cosine = sqrt(1.0 - half * half / (r * r));
    rig a = wheel_on("{arc: 1, over: [200 deg, 340 deg], inside: yes}", r, "{mu: 0, eps_N: 0.3}",
                     0.1, 1.0, "");
    seen s;
    go(&a, SP_METHOD_EVENT, 20.0, 1e-11, &s);
    assert_near(a.x->q[0], 0.0, 1e-9);
    assert_near(a.x->q[1], -sin(20.0 * PI / 180.0) + r * cosine, 1e-9);
    assert_near(s.lambda_N[0], GRAVITY / cosine, 1e-9);
    assert_near(s.lambda_N[1], GRAVITY / cosine, 1e-9);
    rig_free(&a);
}

/* ---- curves that go back ------------------------------------------------------------------- */

/* A ring with an opening of +-20 degrees above, and a disc that does not go through. */
#define RING "{arc: 1, over: [110 deg, 430 deg], inside: yes}"

/* Height of the disc on both ends, cosine of the angle of their normals.   theory (54.4) */
static double on_the_ring(double r, double *cosine)
{
    const double sine = sin(20.0 * PI / 180.0) / r;
    *cosine = sqrt(1.0 - sine * sine);
    return cos(20.0 * PI / 180.0) + r * *cosine;
}

static void a_wheel_rests_on_both_ends_of_a_ring(void **ctx)
{
    (void)ctx;
    static const struct {
        sp_method method;
        double size, tol;
    } way[] = {{SP_METHOD_EVENT, 1e-11, 1e-10},
               {SP_METHOD_ADAPTIVE, 1e-6, 1e-5},
               {SP_METHOD_MOREAU, 1e-3, 1e-3},
               {SP_METHOD_MOREAU_MEAN, 1e-3, 1e-3}};
    for (int k = 0; k < 8; k++) {
        const double r = k < 4 ? 0.5 : 0.8;
        double cosine;
        const double height = on_the_ring(r, &cosine), N = GRAVITY / cosine;
        rig a = wheel_on(RING, r, k < 4 ? "{mu: 0}" : "{mu: 0, eps_N: 0.4}", 0.1, height + 0.1, "");
        seen s;
        assert_int_equal(a.m->n_slot, 3);
        go(&a, way[k % 4].method, 6.0, way[k % 4].size, &s);
        assert_true(s.n_hit > 1);
        assert_near(a.x->q[0], 0.0, way[k % 4].tol);
        assert_near(a.x->q[1], height, way[k % 4].tol);
        assert_near(s.lambda_N[0], N, 100.0 * way[k % 4].tol);
        assert_near(s.lambda_N[1], 0.0, 0.0);
        assert_near(s.lambda_N[2], N, 100.0 * way[k % 4].tol);
        if (k % 4 == 0) {
            assert_honest(&a, 1e-9);
        }
        rig_free(&a);
    }
}

/* It slides over one end, a pendulum upside down, and meets the other.   theory (54.4), (48.8) */
static void the_second_end_is_hit_as_newton_says(void **ctx)
{
    (void)ctx;
    static const struct {
        double r, eps;
    } c[] = {{0.5, 0.0}, {0.5, 0.6}, {0.47, 0.3}, {0.8, 0.0}, {0.8, 0.6}};
    const double m = 2.0, half = sin(20.0 * PI / 180.0), top = cos(20.0 * PI / 180.0), tilt = 0.05;
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++) {
        char law[60];
        double cosine;
        const double r = c[k].r, height = on_the_ring(r, &cosine), a = acos(cosine);
        const double V = sqrt(2.0 * GRAVITY * r * (cos(tilt) - cosine)), cos2 = cos(2.0 * a);
        assert_true(GRAVITY * cosine > V * V / r); /* it stays on the end */
        snprintf(law, sizeof law, "{mu: 0, eps_N: %g}", c[k].eps);
        rig x = wheel_on(RING, r, law, half - r * sin(tilt), top + r * cos(tilt), "");
        seen s;
        go(&x, SP_METHOD_EVENT, 2.0, 1e-12, &s);
        const double factor = m * (1.0 + c[k].eps) * V;
        const double second = cos2 >= 0.0 ? factor * sin(2.0 * a) : factor / sin(2.0 * a);
        /* the arc goes from the left end by the bottom to the right one, where it starts */
        const sp_event *hit = first_hit(&s, 0);
        assert_near(hit->gamma_N_before, -V * sin(2.0 * a), 1e-9);
        assert_near(hit->gamma_N_after, c[k].eps * V * sin(2.0 * a), 1e-9);
        assert_near(hit->Lambda_N, second, 1e-9);
        if (cos2 < 0.0) {
            assert_near(first_hit(&s, 2)->Lambda_N, -cos2 * second, 1e-9);
        }
        assert_true(x.x->q[1] >= height - 1e-9);
        assert_honest(&x, 1e-10);
        rig_free(&x);
    }
}

/* Inside, it rolls over the seams as in a whole circle; from 190 to above 150 degrees, where one
 * is, without friction and with. */
static void a_contact_passes_the_seams_of_a_ring(void **ctx)
{
    (void)ctx;
    static const char *const law[] = {"{mu: 0}", "{mu: 0.4}", "{mu: 0.4, eps_N: 0.4}"};
    for (int k = 0; k < 3; k++) {
        char start[200];
        const double at = 190.0 * PI / 180.0, V = 3.6;
        snprintf(start, sizeof start, ", wheel.vx: %.17g, wheel.vy: %.17g, wheel.omega: %.17g",
                 V * sin(at), -V * cos(at), k == 0 ? 0.0 : 2.0 * V * 0.5);
        rig a = wheel_on(RING, 0.5, law[k], 0.5 * cos(at), 0.5 * sin(at), start);
        rig b =
            wheel_on("{circle: 1, inside: yes}", 0.5, law[k], 0.5 * cos(at), 0.5 * sin(at), start);
        events_go(&a, 0.2, 1e-11);
        events_go(&b, 0.2, 1e-11);
        assert_true(atan2(a.x->q[1], a.x->q[0]) < 150.0 * PI / 180.0 && a.x->q[1] > 0.0);
        assert_int_equal(events_count(&a, SP_EVENT_OPEN), events_count(&b, SP_EVENT_OPEN));
        assert_int_equal(events_count(&a, SP_EVENT_IMPACT), events_count(&b, SP_EVENT_IMPACT));
        for (int i = 0; i < 3; i++) {
            assert_near(a.x->q[i], b.x->q[i], 1e-9);
            assert_near(a.x->u[i], b.x->u[i], 1e-8);
        }
        assert_honest(&a, 1e-9);
        rig_free(&a);
        rig_free(&b);
    }
}

/* An arc that stands on its opening: forces by the lever, its mass being off the middle by d. */
static void an_arc_stands_on_both_ends(void **ctx)
{
    (void)ctx;
    const double d = 0.1, half = 0.5;
    rig r =
        rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  arch: {mass: 2, inertia: 1, center: [%g, 0.2], contours: {skin: {arc: 1, "
                    "over: [-60 deg, 240 deg]}}}\n"
                    "contacts: {c: {between: [arch, ground], law: {mu: 0.3, eps_N: 0.2}}}\n"
                    "start: {arch.y: 1.05, arch.phi: 0.1}\n",
                    d);
    seen s;
    assert_int_equal(r.m->n_slot, 3);
    go(&r, SP_METHOD_EVENT, 4.0, 1e-11, &s);
    assert_near(r.x->q[1], cos(PI / 6.0), 1e-9);
    assert_near(r.x->q[2], 0.0, 1e-9);
    /* the arc begins at its right end */
    assert_near(s.lambda_N[0], 2.0 * GRAVITY * (half + d) / (2.0 * half), 1e-8);
    assert_near(s.lambda_N[1], 0.0, 0.0);
    assert_near(s.lambda_N[2], 2.0 * GRAVITY * (half - d) / (2.0 * half), 1e-8);
    rig_free(&r);
}

/* A hole with a neck that is narrower than the disc in its upper half: both lips bear it, n is at
 * the place of contact. */
static void a_disc_rests_in_the_neck_of_a_hole(void **ctx)
{
    (void)ctx;
    rig a = wheel_on("{curve: [(1 + 0.6*cos(2*s))*cos(s), (1 + 0.6*cos(2*s))*sin(s)], over: [0, "
                     "2*pi], inside: yes, turn: 90 deg}",
                     0.43, "{mu: 0, eps_N: 0.3}", 0.05, 0.9, "");
    seen s;
    int n = 0;
    go(&a, SP_METHOD_EVENT, 6.0, 1e-11, &s);
    assert_near(a.x->q[0], 0.0, 1e-9);
    for (int i = 0; i < a.m->n_slot; i++) {
        const sp_contact_frame f = sp_con_frame(a.m, a.x->numbers, &a.w->con, i);
        if (s.lambda_N[i] > 0.0) {
            assert_near(s.lambda_N[i], GRAVITY / f.n.y, 1e-8);
            n++;
        }
    }
    assert_int_equal(n, 2);
    assert_honest(&a, 1e-9);
    rig_free(&a);
}

/* A wheel that rolls down over the end of a road of one stretch falls beside and below it. */
static void what_falls_beside_a_road_is_in_flight(void **ctx)
{
    (void)ctx;
    static const double x[] = {0.2, -0.3, 0.6};
    for (int k = 0; k < 3; k++) {
        rig a = wheel_on("{curve: [s, -0.3*s^2], over: [-1.25, 1.25]}", 0.3,
                         "{mu: 0.02, eps_N: 0.3}", x[k], 0.5, "");
        events_go(&a, 5.0, 1e-10);
        assert_true(a.x->q[1] < -5.0);
        assert_honest(&a, 1e-9);
        rig_free(&a);
    }
}

/* ---- hops on a corner ------------------------------------------------------------------------ */

/* A disc hops on a point beside its middle, comes to rest in its normal direction and slides on: in
 * a flight of many seconds the fall around the point is short.   theory (54.6) */
static void hops_on_a_corner_are_not_missed(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 12; k++) {
        const double eps = 0.2 + 0.1 * (k % 4), tol = k < 4 ? 1e-8 : k < 8 ? 1e-10 : 1e-12;
        rig a =
            rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                        "  ground: {contours: {l: {point: [-0.34, 0]}, r: {point: [0.34, 0]}}}\n"
                        "  wheel: {mass: 2, inertia: 0.6, contours: {tyre: {circle: 0.8}}}\n"
                        "contacts: {c: {between: [wheel, ground], law: {mu: 0, eps_N: %g}}}\n"
                        "start: {wheel.x: 0.1, wheel.y: 0.82}\n",
                        eps);
        events_go(&a, 10.0, tol);
        assert_int_equal(events_count(&a, SP_EVENT_HANDOVER), 0);
        assert_near(a.x->q[0], 0.0, 1e-8);
        assert_near(a.x->q[1], sqrt(0.8 * 0.8 - 0.34 * 0.34), 1e-8);
        assert_honest(&a, 1e-8);
        rig_free(&a);
    }
}

/* ---- a line -------------------------------------------------------------------------------- */

/* A contour with two hollows lies on both humps beside one: forces by the lever, its mass being
 * off the middle by d. */
static void a_contour_lies_on_two_humps(void **ctx)
{
    (void)ctx;
    double lo = PI + 0.3, hi = 1.5 * PI; /* y'(s) = 0 of y = (1 + 0.5 cos 2s) sin s, left below */
    for (int k = 0; k < 200; k++) {
        const double s = 0.5 * (lo + hi);
        const double slope = (1.0 + 0.5 * cos(2.0 * s)) * cos(s) - sin(2.0 * s) * sin(s);
        *(slope < 0.0 ? &lo : &hi) = s;
    }
    const double X = -(1.0 + 0.5 * cos(2.0 * lo)) * cos(lo);
    const double Y = -(1.0 + 0.5 * cos(2.0 * lo)) * sin(lo), d = 0.2;
    rig r =
        rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 9.81\nbodies:\n"
                    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                    "  bone: {mass: 2, inertia: 1, center: [%g, 0], contours: {skin: {curve: [(1 + "
                    "0.5*cos(2*s))*cos(s), (1 + 0.5*cos(2*s))*sin(s)], over: [0, 2*pi]}}}\n"
                    "contacts: {c: {between: [bone, ground], law: {mu: 0.3, eps_N: 0.2}}}\n"
                    "start: {bone.y: 0.9, bone.phi: 0.1}\n",
                    d);
    assert_int_equal(r.m->n_slot, 2);
    seen s;
    go(&r, SP_METHOD_EVENT, 4.0, 1e-11, &s);
    assert_near(r.x->q[1], Y, 1e-9);
    assert_near(r.x->q[2], 0.0, 1e-9);
    const double left = 2.0 * GRAVITY * (X - d) / (2.0 * X);
    const double a = s.lambda_N[0], b = s.lambda_N[1];
    assert_near(fmin(a, b), left, 1e-9);
    assert_near(a + b, 2.0 * GRAVITY, 1e-10);
    rig_free(&r);
}

/* ---- roads --------------------------------------------------------------------------------- */

#define ROAD "{curve: [0.06 * s, 0.004 * cos(2*pi*s)], over: [-1, 51]}"

/* A wheel that starts on any crest of a road of waves does the same. */
static void every_wave_of_a_long_road_is_the_same(void **ctx)
{
    (void)ctx;
    static const int crest[] = {0, 1, 22, 43};
    double end[4][3];
    for (int k = 0; k < 4; k++) {
        rig a = wheel_on(ROAD, 0.05, "{mu: 0.6, eps_N: 0.3}", 0.06 * crest[k], 0.0541,
                         ", wheel.vx: 0.9, wheel.omega: -18");
        events_go(&a, 0.5, 1e-11);
        assert_true(events_count(&a, SP_EVENT_IMPACT) > 10);
        assert_honest(&a, 1e-9);
        end[k][0] = a.x->q[0] - 0.06 * crest[k];
        end[k][1] = a.x->q[1];
        end[k][2] = energy(&a);
        for (int i = 0; i < 3; i++) {
            assert_near(end[k][i], end[0][i], 1e-9);
        }
        assert_true(end[k][0] > 0.12);
        rig_free(&a);
    }
}

/* Steps tend to the event-driven motion. */
static void steps_tend_to_events(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
    rig e = wheel_on(ROAD, 0.05, "{mu: 0.6}", 0.6, 0.0541, ", wheel.vx: 0.9, wheel.omega: -18");
    events_go(&e, 0.3, 1e-11);
    assert_true(events_count(&e, SP_EVENT_IMPACT) >= 3);
    for (int k = 0; k < 2; k++) {
        double dt[6], error[6];
        for (int i = 0; i < 6; i++) {
            rig a =
                wheel_on(ROAD, 0.05, "{mu: 0.6}", 0.6, 0.0541, ", wheel.vx: 0.9, wheel.omega: -18");
            dt[i] = ldexp(1e-3, -i);
            rig_steps(&a, method[k], dt[i], 300L << i);
            error[i] = hypot(a.x->q[0] - e.x->q[0], a.x->q[1] - e.x->q[1]);
            rig_free(&a);
        }
        const double order = check_order(6, dt, error);
        assert_true(order > 0.8 && error[5] < 1e-4);
    }
    rig_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_rests_on_both_sides_of_a_hollow),
        cmocka_unit_test(the_second_place_is_hit_as_newton_says),
        cmocka_unit_test(a_disc_rests_in_the_end_of_an_oval),
        cmocka_unit_test(a_roller_rests_in_the_hollow_of_a_heart),
        cmocka_unit_test(a_contact_passes_the_seam_of_a_heart),
        cmocka_unit_test(a_wheel_rests_on_the_rims_of_a_trough),
        cmocka_unit_test(a_wheel_rests_on_both_ends_of_a_ring),
        cmocka_unit_test(the_second_end_is_hit_as_newton_says),
        cmocka_unit_test(a_contact_passes_the_seams_of_a_ring),
        cmocka_unit_test(an_arc_stands_on_both_ends),
        cmocka_unit_test(a_disc_rests_in_the_neck_of_a_hole),
        cmocka_unit_test(what_falls_beside_a_road_is_in_flight),
        cmocka_unit_test(hops_on_a_corner_are_not_missed),
        cmocka_unit_test(a_contour_lies_on_two_humps),
        cmocka_unit_test(every_wave_of_a_long_road_is_the_same),
        cmocka_unit_test(steps_tend_to_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
