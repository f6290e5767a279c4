/* Bodies that slide and turn on three or more points, event-driven: all slip ends together, and
 * every step is certified to the end.  Three points against an integration of its own, whose steps
 * shrink with the slip.   theory section 33 */
#include "support/check.h"
#include "support/events.h"
#include "support/random_events.h"

#include <string.h>

#define G         9.81
#define TURN      6.283185307179586
#define TOLERANCE 1e-9
#define SLOWEST   0.05 /* of the fastest point: by hand slower ones are gone over */

/* ---- three points, by hand ---------------------------------------------------------------------
 */

/* A body on three points below its center, which slides and turns about the vertical. */
typedef struct tripod {
    double mu, mass, J, depth, point[3][2];
} tripod;

/* Where it is and how it moves: x, y, angle and their rates. */
enum { TRIPOD_N = 6 };

/* Velocities of the points, their arms in world axes, and the fastest of them; least: the slowest.
 */
static double tripod_slip(const tripod *p, const double *y, double arm[3][2], double slip[3][2],
                          double *least)
{
    const double c = cos(y[2]), s = sin(y[2]);
    double most = 0.0;
    *least = INFINITY;
    for (int i = 0; i < 3; i++) {
        arm[i][0] = c * p->point[i][0] - s * p->point[i][1];
        arm[i][1] = s * p->point[i][0] + c * p->point[i][1];
        slip[i][0] = y[3] - y[5] * arm[i][1];
        slip[i][1] = y[4] + y[5] * arm[i][0];
        most = fmax(most, hypot(slip[i][0], slip[i][1]));
        *least = fmin(*least, hypot(slip[i][0], slip[i][1]));
    }
    return most;
}

/* Determinant of three columns. */
static double det(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Rates: normal forces carry the weight and hold it upright against friction below its center,
 * sum N = m g, sum N (arm - mu depth e) = 0; friction is -mu N e. */
static void tripod_rate(const tripod *p, const double *y, double *rate)
{
    const double load[3] = {p->mass * G, 0.0, 0.0};
    double arm[3][2], slip[3][2], e[3][2], column[3][3], N[3], least;
    tripod_slip(p, y, arm, slip, &least);
    for (int i = 0; i < 3; i++) {
        const double speed = hypot(slip[i][0], slip[i][1]);
        e[i][0] = slip[i][0] / speed;
        e[i][1] = slip[i][1] / speed;
        column[i][0] = 1.0;
        column[i][1] = arm[i][0] - p->mu * p->depth * e[i][0];
        column[i][2] = arm[i][1] - p->mu * p->depth * e[i][1];
    }
    const double all = det(column[0], column[1], column[2]);
    N[0] = det(load, column[1], column[2]) / all;
    N[1] = det(column[0], load, column[2]) / all;
    N[2] = det(column[0], column[1], load) / all;
    rate[0] = y[3];
    rate[1] = y[4];
    rate[2] = y[5];
    rate[3] = rate[4] = rate[5] = 0.0;
    for (int i = 0; i < 3; i++) {
        const double fx = -p->mu * N[i] * e[i][0], fy = -p->mu * N[i] * e[i][1];
        rate[3] += fx / p->mass;
        rate[4] += fy / p->mass;
        rate[5] += (arm[i][0] * fy - arm[i][1] * fx) / p->J;
    }
}

/* The classical Runge-Kutta method with steps of a part of the time in which the slowest point
 * would stop, until slip is 1e-12 m/s; the time. */
static double tripod_stop(const tripod *p, double part, double *y)
{
    double t = 0.0, k[4][TRIPOD_N], z[TRIPOD_N], arm[3][2], slip[3][2], most, least;
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    while ((most = tripod_slip(p, y, arm, slip, &least)) > 1e-12) {
        const double dt = part * fmax(least, SLOWEST * most) / (p->mu * G);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < TRIPOD_N; j++) {
                z[j] = y[j] + (i > 0 ? at[i] * dt * k[i - 1][j] : 0.0);
            }
            tripod_rate(p, z, k[i]);
        }
        for (int j = 0; j < TRIPOD_N; j++) {
            for (int i = 0; i < 4; i++) {
                y[j] += dt / 6.0 * weight[i] * k[i][j];
            }
        }
        t += dt;
    }
    return t;
}

/* ---- the same by events ------------------------------------------------------------------------
 */

/* A body with these corners (text of a polytope or a box) that slides on a floor. */
static rig slider(const char *skin, double z, double mu, const double *u)
{
    return rig_of_text("specht: 1\nunits: off\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  b: {mass: 0.3, inertia: [1e-4, 1.2e-4, 1.5e-4], contours: {c: %s}}\n"
                       "contacts: {k: {between: [b, ground], law: {mu: %.17g}}}\n"
                       "start: {b.z: %.17g, b.vx: %.17g, b.vy: %.17g, b.omega_z: %.17g}\n",
                       skin, mu, z, u[0], u[1], u[2]);
}

/* Velocities at the start: fast or slow, turning much or little. */
static void draw_start(rng *random, double *u)
{
    const double v = rng_flip(random) ? 1.0 : 0.05, w = rng_flip(random) ? 15.0 : 1.0;
    u[0] = rng_in(random, -v, v);
    u[1] = rng_in(random, -v, v);
    u[2] = rng_in(random, -w, w);
}

/* What all have to keep: certified steps, a ledger that closes, and rest on n points; since when.
 */
static double check_rest(const rig *r, int n)
{
    assert_true(r->worst.complementarity < 1e-10);
    assert_true(r->x->ledger.worst_balance < 100.0 * TOLERANCE);
    assert_int_equal(events_count(r, SP_EVENT_STICK), n);
    assert_true(r->x->ledger.kinetic < 1e-20);
    return rig_event(r, SP_EVENT_STICK, -1, n - 1)->t;
}

/* How far a is from b. */
static double tripod_apart(const double *a, const double *b)
{
    return fmax(fabs(a[2] - b[2]), hypot(a[0] - b[0], a[1] - b[1]));
}

/* Where a point stops before the others the integration by hand is no reference, and knows it: its
 * step sizes disagree. */
static void a_body_on_three_points_stops_where_shrinking_steps_say(void **ctx)
{
    (void)ctx;
    const int n = check_cases(12, 100);
    int compared = 0;
    rng random = {5};
    for (int k = 0; k < n; k++) {
        const tripod p = {.mu = rng_in(&random, 0.05, 0.6),
                          .mass = 0.3,
                          .J = 1.5e-4,
                          .depth = 0.01,
                          .point = {{0.04, 0.0}, {-0.02, 0.03}, {-0.025, -0.03}}};
        double y[2][TRIPOD_N] = {{0.0}}, stop = 0.0, u[3];
        draw_start(&random, u);
        for (int i = 0; i < 2; i++) {
            memcpy(y[i] + 3, u, sizeof u);
            stop = tripod_stop(&p, i == 0 ? 0.01 : 0.005, y[i]);
        }
        rig r = slider("{polytope: [[0.04, 0, -0.01], [-0.02, 0.03, -0.01], [-0.025, -0.03, "
                       "-0.01], [0, 0, 0.03]]}",
                       0.01, p.mu, u);
        events_go(&r, 1.2 * stop, TOLERANCE);
        const double t = check_rest(&r, 3), turned = 2.0 * atan2(r.x->q[6], r.x->q[3]);
        const double at[3] = {r.x->q[0], r.x->q[1], y[1][2] + remainder(turned - y[1][2], TURN)};
        if (tripod_apart(y[0], y[1]) < 0.1 * TOLERANCE) {
            const double speed = hypot(u[0], u[1]) + 0.04 * fabs(u[2]);
            assert_true(tripod_apart(at, y[1]) < TOLERANCE);
            assert_near(t, stop, 10.0 * TOLERANCE * speed / (p.mu * G)); /* slower is no slip */
            compared++;
        }
        rig_free(&r);
    }
    assert_true(2 * compared >= n);
}

static void a_body_on_four_or_five_points_comes_to_rest_with_every_step_certified(void **ctx)
{
    (void)ctx;
    static const char *const skin[2] = {
        "{box: [0.08, 0.06, 0.02]}",
        "{polytope: [[0.04, 0, -0.01], [0.01, 0.035, -0.01], [-0.03, 0.02, -0.01], [-0.025, -0.03, "
        "-0.01], [0.02, -0.03, -0.01], [0, 0, 0.03]]}"};
    rng random = {6};
    for (int k = 0; k < check_cases(24, 300); k++) {
        const double mu = rng_in(&random, 0.05, 0.6);
        double u[3];
        draw_start(&random, u);
        const double speed = hypot(u[0], u[1]) + 0.05 * fabs(u[2]);
        rig r = slider(skin[k % 2], 0.01, mu, u);
        const double T = 0.5 * (0.3 * (u[0] * u[0] + u[1] * u[1]) + 1.5e-4 * u[2] * u[2]);
        events_go(&r, 2.0 * speed / (mu * G), TOLERANCE);
        check_rest(&r, 4 + k % 2);
        assert_near(r.x->ledger.friction, -T, 10.0 * TOLERANCE * T);
        rig_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_on_three_points_stops_where_shrinking_steps_say),
        cmocka_unit_test(a_body_on_four_or_five_points_comes_to_rest_with_every_step_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
