/* Friction in space that has no disc with one coefficient, or inertia that turns it: laws by speed
 * and two coefficients in steps, impacts and event-driven, against an enumeration of all solutions,
 * a quadrature, and the direction in which slip begins.   theory (16.1)-(16.4), (23.1), (23.5) */
#include "support/check.h"
#include "support/events.h"

#include <stdio.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81

/* ---- a law by speed slows a slider ---------------------------------------------------------- */

#define LAW "mu: 0.2 + 0.15*exp(-v/0.3), mu_0: 0.4"

static double law(double v)
{
    return 0.2 + 0.15 * exp(-v / 0.3);
}

/* Time in which v_0 becomes v, by Simpson's rule for dt = -dv/(g mu(v)). */
static double time_to(double v_0, double v)
{
    enum { N = 2000 };
    double sum = 0.0;
    for (int k = 0; k <= N; k++) {
        const double weight = k == 0 || k == N ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
        sum += weight / (GRAVITY * law(v + (v_0 - v) * k / N));
    }
    return sum * (v_0 - v) / (3.0 * N);
}

/* Speed after a time, by bisection. */
static double speed_after(double v_0, double t)
{
    double lo = 0.0, hi = v_0;
    for (int k = 0; k < 60; k++) {
        const double v = 0.5 * (lo + hi);
        *(time_to(v_0, v) > t ? &lo : &hi) = v;
    }
    return 0.5 * (lo + hi);
}

/* A point mass thrown along (0.6, 0.8) with 2 m/s. */
static rig slider(void)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: 9.81\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  mass: {mass: 1.7, inertia: [1, 1, 1], joint: {free: ground, only: [x, y, z]}, "
        "contours: {foot: {point: [0, 0, 0]}}}\n"
        "contacts: {c: {between: [mass, ground], law: {" LAW "}}}\n"
        "start: {mass.vx: 1.2, mass.vy: 1.6}\n");
}

static void a_law_by_speed_slows_a_slider_between_events(void **ctx)
{
    (void)ctx;
    rig r = slider();
    events_go(&r, 0.5, 1e-11);
    const double v = speed_after(2.0, 0.5);
    assert_near(r.x->u[0], 0.6 * v, 1e-10);
    assert_near(r.x->u[1], 0.8 * v, 1e-10);
    events_go(&r, 1.0, 1e-11);
    assert_near(rig_event(&r, SP_EVENT_STICK, 0, 0)->t, time_to(2.0, 0.0), 1e-10);
    assert_near(hypot(r.x->u[0], r.x->u[1]), 0.0, 0.0);
    rig_free(&r);
}

/* All stepping methods, also rk2 and rk4, are of first order with a law by speed. */
static void a_law_by_speed_slows_a_slider_in_steps(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    const double v = speed_after(2.0, 0.5);
    for (int i = 0; i < 5; i++) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            rig r = slider();
            rig_steps(&r, method[i], 0.5 / (50 << k), 50 << k);
            error[k] = hypot(r.x->u[0] - 0.6 * v, r.x->u[1] - 0.8 * v);
            assert_near(r.x->u[1], r.x->u[0] * 4.0 / 3.0, 1e-9); /* straight on */
            rig_free(&r);
        }
        print_message("method %d: speed off by %.2e, %.2e, %.2e m/s\n", (int)method[i], error[0],
                      error[1], error[2]);
        assert_true(error[0] < 5e-3);
        assert_true(error[1] < 0.6 * error[0] && error[2] < 0.6 * error[1]);
    }
    /* and it comes to rest, in time; of rk2 and rk4 the stages stop within the step, and the mean
     * of them halves what is left, 28 times down to 1e-11 of the speed */
    for (int i = 0; i < 5; i++) {
        rig r = slider();
        rig_steps(&r, method[i], 1e-3, 1000);
        assert_near(hypot(r.x->u[0], r.x->u[1]), 0.0, 1e-10);
        const double late = rig_event(&r, SP_EVENT_STICK, 0, 0)->t - time_to(2.0, 0.0);
        assert_true(late > -2e-3 && late < (i < 3 ? 2e-3 : 30e-3));
        rig_free(&r);
    }
}

/* ---- impacts against an enumeration ---------------------------------------------------------- */

/* xi = G P + c of one contact, rows N, T1, T2, and its friction: an ellipse, or by speed. */
typedef struct hit {
    double G[3][3], c[3];
    double mu[2], mu_0;
    bool by_speed;
} hit;

enum { ANGLES = 1440, MOST = 8 };
typedef struct answers {
    int n;
    double P[MOST][3];
} answers;

static void xi_of(const hit *h, const double P[3], double xi[3])
{
    for (int i = 0; i < 3; i++) {
        xi[i] = h->c[i] + h->G[i][0] * P[0] + h->G[i][1] * P[1] + h->G[i][2] * P[2];
    }
}

/* P of a contact that slides along an angle with coefficients mu_1, mu_2: xi_N = 0, and the force
 * of the ellipse whose normal is the direction of slip. */
static void slide(const hit *h, const double mu[2], double angle, double P[3])
{
    const double e[2] = {cos(angle), sin(angle)}, l = hypot(mu[0] * e[0], mu[1] * e[1]);
    const double d[2] = {-mu[0] * mu[0] * e[0] / l, -mu[1] * mu[1] * e[1] / l};
    P[0] = -h->c[0] / (h->G[0][0] + h->G[0][1] * d[0] + h->G[0][2] * d[1]);
    P[1] = d[0] * P[0];
    P[2] = d[1] * P[0];
}

/* The same with the coefficient of the speed along the angle: the fixed point mu = law(speed), by
 * bisection; how far the slip is beside the angle, and along it. */
static double beside(const hit *h, double angle, double P[3], double *along)
{
    double xi[3], mu[2] = {h->mu[0], h->mu[1]}, lo = 0.2, hi = 0.35;
    for (int k = 0; k < (h->by_speed ? 60 : 1); k++) {
        if (h->by_speed) {
            mu[0] = mu[1] = 0.5 * (lo + hi);
        }
        slide(h, mu, angle, P);
        xi_of(h, P, xi);
        *along = xi[1] * cos(angle) + xi[2] * sin(angle);
        *(law(fmax(0.0, *along)) > mu[0] ? &lo : &hi) = mu[0];
    }
    return xi[2] * cos(angle) - xi[1] * sin(angle);
}

/* P = -G^-1 c by Cramer's rule. */
static void stick(const hit *h, double P[3])
{
    const double(*G)[3] = h->G;
    double det = 0.0;
    for (int j = 0; j < 3; j++) {
        const int a = (j + 1) % 3, b = (j + 2) % 3;
        det += G[0][j] * (G[1][a] * G[2][b] - G[1][b] * G[2][a]);
    }
    for (int j = 0; j < 3; j++) { /* column j replaced by -c */
        double M[3][3], sum = 0.0;
        for (int i = 0; i < 9; i++) {
            M[i / 3][i % 3] = i % 3 == j ? -h->c[i / 3] : G[i / 3][i % 3];
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            sum += M[0][k] * (M[1][a] * M[2][b] - M[1][b] * M[2][a]);
        }
        P[j] = sum / det;
    }
}

/* Stick, and all angles at which slip goes along itself. */
static answers enumerate(const hit *h)
{
    answers all = {0};
    const double limit[2] = {h->by_speed ? h->mu_0 : h->mu[0], h->by_speed ? h->mu_0 : h->mu[1]};
    stick(h, all.P[0]);
    all.n = hypot(all.P[0][1] / limit[0], all.P[0][2] / limit[1]) <= all.P[0][0];
    for (int k = 0; k < ANGLES; k++) {
        double lo = 2.0 * PI * k / ANGLES, hi = 2.0 * PI * (k + 1) / ANGLES, along, P[3];
        const double first = beside(h, lo, P, &along);
        if (first * beside(h, hi, P, &along) > 0.0) {
            continue;
        }
        for (int n = 0; n < 60; n++) {
            const double angle = 0.5 * (lo + hi);
            *(beside(h, angle, P, &along) * first > 0.0 ? &lo : &hi) = angle;
        }
        if (along > 0.0 && P[0] > 0.0 && all.n < MOST) {
            for (int i = 0; i < 3; i++) {
                all.P[all.n][i] = P[i];
            }
            all.n++;
        }
    }
    return all;
}

/* A body of equal moments of inertia with a corner far from its middle, which couples all three
 * rows, flies against a floor without turning. */
typedef struct thrown {
    double m, J, r[3], v[3], eps[2];
    hit h;
    char law[200];
} thrown;

static thrown random_throw(rng *r, bool by_speed)
{
    thrown t = {.m = rng_in(r, 0.5, 2.0), .J = rng_in(r, 0.02, 0.1)};
    for (int i = 0; i < 3; i++) {
        t.r[i] = rng_in(r, -0.25, 0.25);
        t.v[i] = i == 2 ? rng_in(r, -2.0, -0.5) : rng_in(r, -1.0, 1.0);
    }
    t.r[2] = rng_in(r, -0.3, -0.1);
    t.eps[0] = rng_in(r, 0.1, 0.8);
    t.eps[1] = rng_flip(r) ? rng_in(r, 0.0, 0.6) : 0.0;
    t.h = (hit){.mu = {rng_in(r, 0.05, 0.6), rng_in(r, 0.05, 0.6)}, .mu_0 = 0.4};
    t.h.by_speed = by_speed;
    snprintf(t.law, sizeof t.law,
             by_speed ? LAW ", eps_N: %.17g, eps_T: %.17g"
                      : "eps_N: %.17g, eps_T: %.17g, mu: %.17g, mu_2: %.17g",
             t.eps[0], t.eps[1], t.h.mu[0], t.h.mu[1]);
    return t;
}

/* G = 1/m + (r^2 - r r^T)/J, rows z, x, y; c = (1 + eps) gamma. */
static void fill_problem(thrown *t)
{
    static const int axis[3] = {2, 0, 1};
    const double r2 = t->r[0] * t->r[0] + t->r[1] * t->r[1] + t->r[2] * t->r[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            t->h.G[i][j] =
                (i == j ? 1.0 / t->m + r2 / t->J : 0.0) - t->r[axis[i]] * t->r[axis[j]] / t->J;
        }
        t->h.c[i] = (1.0 + t->eps[i == 0 ? 0 : 1]) * t->v[axis[i]];
    }
}

static rig rig_of_throw(const thrown *t)
{
    return rig_of_text("specht: 1\nspace: spatial\nunits: off\ngravity: 0\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  body: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], "
                       "contours: {corner: {point: [%.17g, %.17g, %.17g]}}}\n"
                       "contacts: {c: {between: [body, ground], law: {%s}}}\n"
                       "start: {body.vx: %.17g, body.vy: %.17g, body.vz: %.17g, body.z: %.17g}\n",
                       t->m, t->J, t->J, t->J, t->r[0], t->r[1], t->r[2], t->law, t->v[0], t->v[1],
                       t->v[2], 1e-8 - t->r[2]);
}

/* How far the velocities of a rig are from those behind the impulse P. */
static double off(const thrown *t, const double P[3], const double *u)
{
    const double F[3] = {P[1], P[2], P[0]};
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        worst = fmax(worst, fabs(u[i] - t->v[i] - F[i] / t->m));
        worst = fmax(worst, fabs(u[3 + i] - (t->r[j] * F[k] - t->r[k] * F[j]) / t->J));
    }
    return worst;
}

static double nearest(const thrown *t, const answers *all, const double *u)
{
    double least = INFINITY;
    for (int k = 0; k < all->n; k++) {
        least = fmin(least, off(t, all->P[k], u));
    }
    return least;
}

/* Step methods take the impact in one step of 0.1 us, at whose end `theta` sees the body turned by
 * up to 3e-6 rad. */
static void try_throw(rng *r, bool by_speed, int *several, int *stuck)
{
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    thrown t = random_throw(r, by_speed);
    fill_problem(&t);
    const answers all = enumerate(&t.h);
    assert_true(all.n >= 1);
    *several += all.n > 1;
    for (int i = 0; i < 6; i++) {
        rig x = rig_of_throw(&t);
        if (i < 5) {
            rig_steps(&x, method[i], 1e-7, 1);
        } else {
            events_go(&x, 1e-3, 1e-10);
            assert_int_equal(events_count(&x, SP_EVENT_IMPACT), 1);
        }
        assert_near(nearest(&t, &all, x.x->u), 0.0,
                    method[i % 5] == SP_METHOD_THETA ? 1e-5 : 1e-10);
        rig_free(&x);
    }
    const double *P = all.P[0];
    double xi[3];
    xi_of(&t.h, P, xi);
    *stuck += hypot(xi[1], xi[2]) < 1e-12;
}

static void impacts_with_two_coefficients_are_among_all_solutions(void **ctx)
{
    (void)ctx;
    rng r = {461};
    int several = 0, stuck = 0;
    const int n = check_cases(60, 2000);
    for (int k = 0; k < n; k++) {
        try_throw(&r, false, &several, &stuck);
    }
    assert_true(several == 0 && stuck > n / 20 && stuck < n / 2); /* one solution each */
}

static void impacts_with_a_law_by_speed_are_among_all_solutions(void **ctx)
{
    (void)ctx;
    rng r = {462};
    int several = 0, stuck = 0;
    const int n = check_cases(60, 2000);
    for (int k = 0; k < n; k++) {
        try_throw(&r, true, &several, &stuck);
    }
    print_message("by speed: %d of %d stick, %d have several solutions\n", stuck, n, several);
    assert_true(several <= n / 5 && stuck > n / 20 && stuck < n / 2);
}

/* ---- slip that begins where inertia turns it ---------------------------------------------------
 */

/* A block of 1 kg on a carriage of 4 kg: the carriage runs along (cos, sin)(0.5), the block on it
 * along y and z, its foot on the ground. */
static rig block_on_carriage(const char *mu, const char *push, const char *on)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\nunits: off\ngravity: 9.81\nbodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
        "  carriage: {mass: 4, inertia: [1, 1, 1], joint: {prismatic: ground, axis: [%.17g, %.17g, "
        "0]}}\n"
        "  block: {mass: 1, inertia: [1, 1, 1], joint: {free: carriage, only: [y, z]}, "
        "contours: {foot: {point: [0, 0, -0.3]}}}\n"
        "forces: {push: {force: %s, on: %s}, side: {force: [0, %.17g, 0], on: block}}\n"
        "contacts: {c: {between: [block, ground], law: {%s}}}\n"
        "start: {block.joint.z: 0.3}\n",
        cos(0.5), sin(0.5), push, on, *on == 'c' ? 0.8 : 0.0, mu);
}

/* Velocity of the foot. */
static void foot(const rig *r, double v[2])
{
    const double *u = r->x->u;
    v[0] = cos(0.5) * u[0];
    v[1] = sin(0.5) * u[0] + u[1];
}

/* G_TT = W_T^T M^-1 W_T with M = [5, sin; sin, 1], W_T = [cos, sin; 0, 1] by rows of (q_1, q_2). */
static void tangential(double G[2][2])
{
    const double c = cos(0.5), s = sin(0.5), det = 5.0 - s * s;
    const double W[2][2] = {{c, s}, {0.0, 1.0}},
                 I[2][2] = {{1.0 / det, -s / det}, {-s / det, 5.0 / det}};
    for (int i = 0; i < 4; i++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++) {
            sum += W[k / 2][i / 2] * I[k / 2][k % 2] * W[k % 2][i % 2];
        }
        G[i / 2][i % 2] = sum;
    }
}

/* The angle along which gamma' = G (F - drag N) goes, and its size: the root of what is beside. */
static double direction(const double F[2], const double mu[2], double *rate)
{
    double G[2][2], lo = 0.0, hi = 0.0, found = NAN;
    tangential(G);
    for (int k = 0; k <= 720 * 60; k++) {
        const int part = k % 60;
        lo = part == 0 ? 2.0 * PI * (k / 60) / 720.0 : lo;
        hi = part == 0 ? lo + 2.0 * PI / 720.0 : hi;
        double b[3], along = 0.0;
        const double at[3] = {lo, 0.5 * (lo + hi), hi};
        for (int i = 0; i < 3; i++) {
            const double e[2] = {cos(at[i]), sin(at[i])}, l = hypot(mu[0] * e[0], mu[1] * e[1]);
            const double f[2] = {F[0] - GRAVITY * mu[0] * mu[0] * e[0] / l,
                                 F[1] - GRAVITY * mu[1] * mu[1] * e[1] / l};
            const double a[2] = {G[0][0] * f[0] + G[0][1] * f[1], G[1][0] * f[0] + G[1][1] * f[1]};
            b[i] = e[0] * a[1] - e[1] * a[0];
            along = i == 1 ? e[0] * a[0] + e[1] * a[1] : along;
        }
        if (b[0] * b[2] > 0.0) {
            continue;
        }
        *(b[0] * b[1] > 0.0 ? &lo : &hi) = at[1];
        if (part == 59 && along > 0.0) {
            found = at[1];
            *rate = along;
        }
    }
    return found;
}

static const struct grip {
    const char *text;
    double mu[2];
} grips[] = {{"mu: 0.3", {0.3, 0.3}}, {"mu: 0.3, mu_2: 0.12", {0.3, 0.12}}};

/* A load that is there at once, twice what friction holds: slip begins askew to it and goes
 * straight on, gamma = gamma' t. */
static void slip_under_a_sudden_load_begins_where_inertia_turns_it(void **ctx)
{
    (void)ctx;
    static const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                       SP_METHOD_RK2, SP_METHOD_RK4};
    const double F[2] = {1.5, 5.6};
    for (int k = 0; k < 12; k++) {
        const struct grip *g = &grips[k / 6];
        double rate = 0.0, v[2];
        const double angle = direction(F, g->mu, &rate);
        rig r = block_on_carriage(g->text, "[1.5, 5.6, 0]", "block");
        if (k % 6 == 5) {
            events_go(&r, 0.2, 1e-11);
        } else {
            rig_steps(&r, method[k % 6], 0.02, 10);
        }
        foot(&r, v);
        assert_near(v[0], 0.2 * rate * cos(angle), 1e-9);
        assert_near(v[1], 0.2 * rate * sin(angle), 1e-9);
        assert_true(fabs(angle - atan2(F[1], F[0])) > 0.05); /* not along the load */
        rig_free(&r);
    }
}

/* A load that grows on the carriage, with 0.8 N across on the block.  At rest lambda = (-5 t/cos,
 * -0.8); it breaks away on the ellipse, and slip begins along the normal of the ellipse there. */
static void slip_under_a_growing_load_begins_along_the_normal_of_the_limit(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        const struct grip *g = &grips[k];
        const double side = 0.8 / (g->mu[1] * GRAVITY);
        const double lambda = g->mu[0] * GRAVITY * sqrt(1.0 - side * side);
        const double t = lambda * cos(0.5) / 5.0;
        const double angle = atan2(0.8 / (g->mu[1] * g->mu[1]), lambda / (g->mu[0] * g->mu[0]));
        char push[100];
        snprintf(push, sizeof push, "[5*t*%.17g, 5*t*%.17g, 0]", cos(0.5), sin(0.5));
        double error[2], v[2];
        rig r = block_on_carriage(g->text, push, "carriage");
        for (int i = 0; i < 2; i++) {
            events_go(&r, t + (i == 0 ? 1e-3 : 1e-2), 1e-8);
            foot(&r, v);
            error[i] = fabs(atan2(v[1], v[0]) - angle);
        }
        assert_near(rig_event(&r, SP_EVENT_SLIP, -1, 0)->t, t, 1e-10); /* forces are linear in t */
        assert_int_equal(rig_count(&r, SP_EVENT_SLIP, -1) + rig_count(&r, SP_EVENT_STICK, -1), 1);
        print_message("direction off by %.2e and %.2e rad, load at %.3f rad, slip at %.3f rad\n",
                      error[0], error[1], 0.5, angle);
        assert_true(error[0] < 2e-3 && error[0] < 0.15 * error[1]); /* grows with time */
        rig_free(&r);

        rig s = block_on_carriage(g->text, push, "carriage"); /* in steps: late by one at most */
        const double dt = 1e-4;
        rig_steps(&s, SP_METHOD_MOREAU, dt, (int)ceil(t / dt) + 20);
        foot(&s, v);
        assert_near(rig_event(&s, SP_EVENT_SLIP, -1, 0)->t, t, 2.0 * dt);
        assert_near(atan2(v[1], v[0]), angle, 1e-2);
        rig_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_by_speed_slows_a_slider_between_events),
        cmocka_unit_test(a_law_by_speed_slows_a_slider_in_steps),
        cmocka_unit_test(impacts_with_two_coefficients_are_among_all_solutions),
        cmocka_unit_test(impacts_with_a_law_by_speed_are_among_all_solutions),
        cmocka_unit_test(slip_under_a_sudden_load_begins_where_inertia_turns_it),
        cmocka_unit_test(slip_under_a_growing_load_begins_along_the_normal_of_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
