/* Motions with closed forms: bounces, slopes, rolling, oscillators. */
#include "support/check.h"
#include "support/run.h"

static const sp_method methods[2] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN};
static const double pi = 3.14159265358979323846;

#define HEAD "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"

/* ---- bouncing ball ----------------------------------------------------------------------------
 */

static const double g = 9.81;

/* A ball of radius 0.2 m dropped from this height. */
static rig ball(double height, double eps)
{
    return rig_of_text(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]},\n"
                            "    contours: {skin: {circle: 0.2 m}}}\n"
                            "contacts: {c: {between: [ball, ground], law: {eps_N: %g}}}\n"
                            "start: {ball.y: %.17g m}\n",
                       eps, height + 0.2);
}

/* Height and velocity of the ball at t. */
static void ball_exact(double height, double eps, double t, double *x, double *v)
{
    double hit = sqrt(2.0 * height / g), speed = g * hit;
    if (t < hit) {
        *x = height - 0.5 * g * t * t;
        *v = -g * t;
        return;
    }
    speed *= eps;
    while (t >= hit + 2.0 * speed / g) {
        hit += 2.0 * speed / g;
        speed *= eps;
    }
    *x = speed * (t - hit) - 0.5 * g * (t - hit) * (t - hit);
    *v = speed - g * (t - hit);
}

/* Impacts fall anywhere inside a step, so the errors of one height scatter: ten are added. */
static void bouncing_ball_is_of_first_order_in_L1(void **ctx)
{
    (void)ctx;
    enum { SIZES = 7, HEIGHTS = 10 };
    double dt[SIZES], err_x[SIZES] = {0}, err_v[SIZES] = {0};
    for (int k = 0; k < SIZES * HEIGHTS; k++) {
        const double height = 1.0 + 0.037 * (k / SIZES);
        const int size = k % SIZES;
        dt[size] = ldexp(0.01, -size);
        rig r = ball(height, 0.9);
        while (r.x->t < 2.56 - 0.5 * dt[size]) {
            double x, v;
            rig_step(&r, SP_METHOD_MOREAU, dt[size]);
            ball_exact(height, 0.9, r.x->t, &x, &v);
            err_x[size] += dt[size] * fabs(r.x->q[0] - 0.2 - x) / HEIGHTS;
            err_v[size] += dt[size] * fabs(r.x->u[0] - v) / HEIGHTS;
        }
        rig_free(&r);
    }
    const double order_x = check_order(SIZES, dt, err_x), order_v = check_order(SIZES, dt, err_v);
    print_message("ball: L1 errors %.1e to %.1e m s, %.1e to %.1e m; orders %.3f of x, %.3f of v\n",
                  err_x[0], err_x[SIZES - 1], err_v[0], err_v[SIZES - 1], order_x, order_v);
    assert_true(0.9 < order_x && order_x < 1.3);
    assert_true(0.9 < order_v && order_v < 1.3);
}

static void bouncing_ball_bounces_at_the_known_times(void **ctx)
{
    (void)ctx;
    enum { SIZES = 8, BOUNCES = 4 };
    static const double known[BOUNCES] = {0.45152364098573, 1.26426619476005, 1.99573449315693,
                                          2.65405596171413};
    double dt[SIZES], err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        dt[k] = ldexp(7.3e-3, -k);
        err[k] = 0.0;
        rig r = ball(1.0, 0.9);
        while (rig_count(&r, SP_EVENT_IMPACT, -1) < BOUNCES) {
            rig_step(&r, SP_METHOD_MOREAU, dt[k]);
            assert_true(r.x->t < 3.0);
        }
        for (int i = 0; i < BOUNCES; i++) {
            const sp_event *e = rig_event(&r, SP_EVENT_IMPACT, -1, i);
            const double late = fabs(e->t - known[i]);
            assert_near_scaled(e->gamma_N_after, -0.9 * e->gamma_N_before, 0.0, 1e-13);
            err[k] += late;
            /* each bounce may be late by a step, and makes the following flights longer */
            assert_true(late < (3.0 + 2.0 * i) * dt[k]);
        }
        rig_free(&r);
    }
    const double order = check_order(SIZES, dt, err);
    print_message("ball: times of 4 bounces, error %.1e to %.1e s, order %.3f\n", err[0],
                  err[SIZES - 1], order);
    assert_true(order > 0.8);
}

/* Half as long again as all its bounces take, t_1 (1 + e)/(1 - e), the ball lies still: held by m
 * g, no more events. */
static void ball_comes_to_rest(double eps)
{
    const double dt = 1e-3, end = sqrt(2.0 / g) * (1.0 + eps) / (1.0 - eps);
    rig r = ball(1.0, eps);
    rig_steps(&r, SP_METHOD_MOREAU, dt, lround(1.5 * end / dt));
    const int events = r.n_event;
    double impulse = 0.0, speed = 0.0;
    for (int k = 0; k < 1000; k++) {
        rig_step(&r, SP_METHOD_MOREAU, dt);
        impulse += r.x->contact[0].P_N;
        speed = check_worse(speed, fabs(r.x->u[0]));
    }
    print_message(
        "eps %g: %d events in %.1f s, then %d in 1 s; mean force %.6f N, speed up to %.2f "
        "g dt\n",
        eps, events, 1.5 * end, r.n_event - events, impulse, speed / (g * dt));
    assert_near(impulse, g, 5e-3);
    assert_true(r.n_event - events <= 2);
    assert_true(r.x->contact[0].state != SP_STATE_OPEN);
    assert_true(speed <= 2.0 * g * dt);
    rig_free(&r);
}

static void ball_of_little_restitution_comes_to_rest(void **ctx)
{
    (void)ctx;
    ball_comes_to_rest(0.0);
    ball_comes_to_rest(0.5);
    ball_comes_to_rest(0.8);
}

static void ball_of_high_restitution_comes_to_rest(void **ctx)
{
    (void)ctx;
    ball_comes_to_rest(0.9);
    ball_comes_to_rest(0.95);
}

/* ---- dry friction -----------------------------------------------------------------------------
 */

/* A block on a slope of angle a, 0.2 m wide and 0.1 m high. */
static rig slope(double a, double mu, double v)
{
    return rig_of_text(HEAD "bodies:\n  ground: {contours: {slope: {line: [%.17g, %.17g]}}}\n"
                            "  block: {mass: 2 kg, inertia: 0.01 kg*m^2, contours: {hull: {box: "
                            "[0.2 m, 0.1 m]}}}\n"
                            "contacts: {c: {between: [block, ground], law: {mu: %.17g}}}\n"
                            "start: {block.x: %.17g m, block.y: %.17g m, block.phi: %.17g,\n"
                            "  block.vx: %.17g m/s, block.vy: %.17g m/s}\n",
                       -sin(a), cos(a), mu, -0.05 * sin(a), 0.05 * cos(a), a, v * cos(a),
                       v * sin(a));
}

static double speed_along(const rig *r, double a)
{
    return r->x->u[rig_dof(r, "block.joint.x")] * cos(a) +
           r->x->u[rig_dof(r, "block.joint.y")] * sin(a);
}

static void block_on_a_slope_sticks_below_the_friction_angle(void **ctx)
{
    (void)ctx;
    const double mu = 0.5, ratio[] = {0.0, 0.5, 0.99, 1.0 - 1e-9};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            const double a = atan(mu * ratio[i]);
            rig r = slope(a, mu, 0.0);
            rig_steps(&r, methods[k], 1e-3, 1000);
            assert_near_scaled(speed_along(&r, a), 0.0, 1.0, 1e-12);
            assert_near_scaled(r.x->q[rig_dof(&r, "block.joint.x")], -0.05 * sin(a), 1.0, 1e-12);
            assert_near_scaled(r.x->q[rig_dof(&r, "block.joint.phi")], a, 1.0, 1e-12);
            assert_true(r.worst.complementarity < 1e-10);
            assert_true(r.n_event <= 4);
            rig_free(&r);
        }
    }
}

static void block_on_a_slope_slides_above_the_friction_angle(void **ctx)
{
    (void)ctx;
    const double mu = 0.5, ratio[] = {1.0 + 1e-6, 1.01, 1.5, 1.8};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            const double a = atan(mu * ratio[i]), acc = g * (sin(a) - mu * cos(a));
            rig r = slope(a, mu, 0.0);
            rig_steps(&r, methods[k], 1e-3, 1000);
            assert_near_scaled(speed_along(&r, a), -acc * 1.0, 1.0, 1e-11);
            assert_near_scaled(r.x->q[rig_dof(&r, "block.joint.phi")], a, 1.0, 1e-11);
            assert_true(r.worst.complementarity < 1e-10);
            rig_free(&r);
        }
    }
}

/* Thrown uphill it stops after v / (g (sin a + mu cos a)) and stays. */
static void block_thrown_uphill_stops_and_stays(void **ctx)
{
    (void)ctx;
    const double mu = 0.5, a = atan(0.3), v = 2.0, acc = g * (sin(a) + mu * cos(a));
    rig r = slope(a, mu, v);
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 1000);
    assert_near_scaled(speed_along(&r, a), 0.0, 1.0, 1e-12);
    const double way = r.x->q[rig_dof(&r, "block.joint.x")] / cos(a) + 0.05 * tan(a);
    assert_near(way, v * v / (2.0 * acc), 2.0 * 1e-3 * v); /* a step of slip at most */
    const sp_event *stick = rig_event(&r, SP_EVENT_STICK, -1, 0);
    assert_non_null(stick);
    assert_true(fabs(stick->t - v / acc) <= 1e-3);
    rig_free(&r);
}

/* A disc set down sliding at v: J = m r^2/2, slip ends at v/(3 mu g) with 2/3 v. */
static void sliding_disc_rolls_at_two_thirds_of_its_speed(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double v = 2.0, mu = 0.2, end = v / (3.0 * mu * g);
    double dt[SIZES], err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        dt[k] = ldexp(3.1e-3, -k);
        rig r = rig_of_text(HEAD "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                                 "  disc: {mass: 1.5 kg, inertia: 0.0075 kg*m^2,\n"
                                 "    contours: {rim: {circle: 0.1 m}}}\n"
                                 "contacts: {c: {between: [disc, ground], law: {mu: %g}}}\n"
                                 "start: {disc.y: 0.1 m, disc.vx: %g m/s}\n",
                            mu, v);
        const int x = rig_dof(&r, "disc.joint.x"), phi = rig_dof(&r, "disc.joint.phi");
        while (r.x->t < 0.5 * end) {
            rig_step(&r, SP_METHOD_MOREAU, dt[k]);
            assert_near(r.x->u[x], v - mu * g * r.x->t, 1e-11);
            assert_near(r.x->u[phi], -2.0 * mu * g / 0.1 * r.x->t, 1e-11);
        }
        while (r.x->t < 2.0 * end) {
            rig_step(&r, SP_METHOD_MOREAU, dt[k]);
        }
        assert_near(r.x->u[x], 2.0 / 3.0 * v, 1e-12);
        assert_near(r.x->u[phi], -2.0 / 3.0 * v / 0.1, 1e-12);
        const sp_event *stick = rig_event(&r, SP_EVENT_STICK, -1, 0);
        assert_non_null(stick);
        assert_int_equal(rig_count(&r, SP_EVENT_STICK, -1), 1);
        assert_true(stick->t > end - dt[k] && stick->t < end + dt[k]);
        err[k] = fabs(r.x->q[x] - (5.0 / 18.0 * v * v / (mu * g)) - 2.0 / 3.0 * v * (r.x->t - end));
        rig_free(&r);
    }
    print_message("disc: way off by %.1e to %.1e m\n", err[0], err[SIZES - 1]);
    assert_true(err[SIZES - 1] < 1e-5);
}

/* ---- impacting stick --------------------------------------------------------------------------
 */

/* Newton's law with slip reversal in the first impact; slip counts to the right here, to the left
 * in the source.  The law creates 0.281 % of the kinetic energy. */
static void impacting_stick_converges_to_the_known_impact(void **ctx)
{
    (void)ctx;
    enum { SIZES = 7 };
    const double a = pi / 4.0, u_p[3] = {-0.50373278, -0.12946272, 1.67746072};
    double dt[SIZES], time[SIZES], speed[SIZES], energy[SIZES];
    for (int k = 0; k < SIZES; k++) {
        dt[k] = ldexp(1.3e-3, -k);
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  stick: {mass: 1 kg, inertia: 1 kg*m^2/12, contours: {tip: {point: "
                            "[0, -0.5 m]}}}\n"
                            "contacts: {c: {between: [stick, ground], law: {mu: 0.01, eps_N: 1}}}\n"
                            "start: {stick.x: %.17g m, stick.y: %.17g m, stick.phi: %.17g,\n"
                            "  stick.vx: -0.5 m/s, stick.vy: 0.1 m/s, stick.omega: 0.1 rad/s}\n",
                            0.5 * sin(a), 0.5 * cos(a) + 0.01, a);
        while (r.n_event == 0) {
            rig_step(&r, SP_METHOD_MOREAU, dt[k]);
            assert_true(r.x->t < 0.1);
        }
        const sp_event *e = &r.event[0];
        assert_int_equal(e->kind, SP_EVENT_IMPACT);
        assert_near_scaled(e->Lambda_T[0], -0.01 * e->Lambda_N, 0.0, 1e-12);
        assert_near_scaled(e->gamma_N_after, -e->gamma_N_before, 0.0, 1e-12);
        time[k] = fabs(e->t - 0.06027408909291651);
        speed[k] = fabs(r.x->u[0] - u_p[0]) + fabs(r.x->u[1] - u_p[1]) + fabs(r.x->u[2] - u_p[2]);
        energy[k] = fabs(e->energy_lost + 7.0761e-4);
        if (k == SIZES - 1) {
            print_message(
                "stick: t %.6f, Lambda_N %.6f, gamma_T %.5f -> %.5f, energy lost %.4e J\n", e->t,
                e->Lambda_N, e->gamma_T_before, e->gamma_T_after, e->energy_lost);
            assert_near_scaled(e->Lambda_N, 0.3732781669189638, 0.0, 1e-3);
            assert_near_scaled(e->gamma_T_before, -0.46485840, 0.0, 1e-3);
            assert_near_scaled(e->gamma_T_after, 0.08575371, 0.0, 1e-2);
            assert_true(e->energy_lost < 0.0); /* the law gave energy, and the event says so */
        }
        rig_free(&r);
    }
    print_message("stick: time %.1e to %.1e s, velocities %.1e to %.1e, order %.2f; energy order "
                  "%.2f\n",
                  time[0], time[SIZES - 1], speed[0], speed[SIZES - 1],
                  check_order(SIZES, dt, speed), check_order(SIZES, dt, energy));
    assert_true(time[SIZES - 1] < dt[SIZES - 1]);
    assert_true(check_order(SIZES, dt, speed) > 0.8);
    assert_true(speed[SIZES - 1] < 1e-2);
}

/* ---- oscillators ------------------------------------------------------------------------------
 */

/* m x'' + d x' + k x = -m g from rest at x_0. */
static void damped_oscillator_follows_its_solution(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double m = 2.0, k_s = 50.0, d = 3.0, x_0 = 0.1, x_s = -m * g / k_s, t = 1.3;
    const double a = d / (2.0 * m), w = sqrt(k_s / m - a * a);
    const double exact = x_s + (x_0 - x_s) * exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
    for (int i = 0; i < 2; i++) {
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            const long n = 100L << k;
            rig r = rig_of_text(HEAD "bodies: {m: {mass: %g, joint: {prismatic: ground, axis: [0, "
                                     "1], stiffness: %g, damping: %g}}}\nstart: {m.joint.s: %g}\n",
                                m, k_s, d, x_0);
            dt[k] = t / (double)n;
            rig_steps(&r, methods[i], dt[k], n);
            err[k] = fabs(r.x->q[0] - exact);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, err);
        print_message("%s: damped oscillator, error %.1e to %.1e m, order %.3f\n",
                      sp_method_name(methods[i]), err[0], err[SIZES - 1], order);
        assert_true(fabs(order - (i == 0 ? 1.0 : 2.0)) < 0.1);
    }
}

/* Arithmetic-geometric mean. */
static double agm(double a, double b)
{
    for (int k = 0; k < 40; k++) {
        const double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    return a;
}

/* A physical pendulum swings with 2 pi sqrt(J_0/(m g c)) / agm(1, cos(A/2)): after a quarter of it
 * the angle is zero.  Forces depend on q alone, so both methods are of order 2. */
static void pendulum_has_its_period(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double amplitude[] = {1e-4, 1.0, 2.8}, c = 0.3, m = 0.7, J = 0.02;
    const double w = sqrt(m * g * c / (J + m * c * c));
    for (int i = 0; i < 6; i++) {
        const double A = amplitude[i / 2], quarter = 0.5 * pi / (w * agm(1.0, cos(0.5 * A)));
        double dt[SIZES], err[SIZES];
        for (int k = 0; k < SIZES; k++) {
            const long n = 40L << k;
            rig r =
                rig_of_text(HEAD "bodies: {p: {mass: %g, inertia: %g, center: [0, %g m], joint: "
                                 "{revolute: ground}}}\nstart: {p.phi: %.17g}\n",
                            m, J, -c, A);
            dt[k] = quarter / (double)n;
            rig_steps(&r, methods[i % 2], dt[k], n);
            err[k] = fabs(r.x->q[0] / A);
            assert_true(r.x->u[0] < 0.0);
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, err);
        print_message("%s: pendulum of amplitude %g rad, period %.9f s, angle off by %.1e to %.1e "
                      "of it, order %.3f\n",
                      sp_method_name(methods[i % 2]), A, 4.0 * quarter, err[0], err[SIZES - 1],
                      order);
        assert_true(fabs(order - 2.0) < 0.1);
    }
}

/* phi'' = -k sin(phi) from rest at A, by the classical Runge-Kutta method. */
static double swing(double k, double A, double t)
{
    double y[2] = {A, 0.0};
    const int n = 20000;
    const double h = t / n;
    for (int i = 0; i < n; i++) {
        const double k1 = y[1], l1 = -k * sin(y[0]);
        const double k2 = y[1] + 0.5 * h * l1, l2 = -k * sin(y[0] + 0.5 * h * k1);
        const double k3 = y[1] + 0.5 * h * l2, l3 = -k * sin(y[0] + 0.5 * h * k2);
        const double k4 = y[1] + h * l3, l4 = -k * sin(y[0] + h * k3);
        y[0] += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        y[1] += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    return y[0];
}

/* A disc of radius 0.1 in a hole of radius 0.5: without friction a pendulum of length 0.4, rolling
 * it is slower by sqrt(3/2). */
static void disc_in_a_hole_swings_like_a_pendulum(void **ctx)
{
    (void)ctx;
    enum { SIZES = 6 };
    const double l = 0.4, A = 0.6, t = 0.7, mu[] = {0.0, 1.0}, k[] = {g / l, g / (1.5 * l)};
    for (int i = 0; i < 4; i++) {
        double dt[SIZES], err[SIZES], gap = 0.0;
        for (int j = 0; j < SIZES; j++) {
            const long n = 350L << j;
            rig r = rig_of_text(
                HEAD "bodies:\n  ground: {contours: {hole: {circle: 0.5 m, inside: yes}}}\n"
                     "  disc: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: "
                     "{circle: 0.1 m}}}\n"
                     "contacts: {c: {between: [disc, ground], law: {mu: %g}}}\n"
                     "start: {disc.x: %.17g m, disc.y: %.17g m}\n",
                mu[i / 2], l * sin(A), -l * cos(A));
            dt[j] = t / (double)n;
            rig_steps(&r, methods[i % 2], dt[j], n);
            const double phi = atan2(r.x->q[0], -r.x->q[1]);
            err[j] = fabs(phi - swing(k[i / 2], A, t));
            gap = check_worse(gap, fabs(hypot(r.x->q[0], r.x->q[1]) - l));
            assert_true(r.worst.complementarity < 1e-10);
            assert_true(r.worst.closure < 1e-12);
            if (i / 2 == 1) { /* rolling: l phi' = -r omega */
                const double along = r.x->u[0] * cos(phi) + r.x->u[1] * sin(phi);
                assert_near_scaled(along, -0.1 * r.x->u[2], 1.0, 1e-3);
            }
            rig_free(&r);
        }
        const double order = check_order(SIZES, dt, err);
        print_message("%s: disc in a hole, mu %g: error %.1e to %.1e rad, order %.3f, gap %.1e m\n",
                      sp_method_name(methods[i % 2]), mu[i / 2], err[0], err[SIZES - 1], order,
                      gap);
        assert_true(order > 0.9);
        assert_true(err[SIZES - 1] < 1e-3);
    }
}

/* ---- dry friction as an oscillator knows it --------------------------------------------------
 */

/* x'' + x in -mu g Sgn(x'): the amplitude falls by 2 mu g every pi seconds until it sticks;
 * here mu g = 1. */
static void dry_friction_oscillator_sticks_where_it_must(void **ctx)
{
    (void)ctx;
    enum { SIZES = 5 };
    double dt[SIZES], err[SIZES];
    for (int k = 0; k < SIZES; k++) {
        const long n = 12500L << k;
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 10 m/s^2\n"
                            "bodies:\n  ground: {contours: {floor: {line: [0, 1]}}}\n"
                            "  m: {mass: 1 kg, joint: {free: ground, only: [x, y]}, contours: {s: "
                            "{circle: 0.1 m}}}\n"
                            "contacts: {c: {between: [m, ground], law: {mu: 0.1}}}\n"
                            "forces: {f: {spring: m.x, stiffness: 1 N/m}}\n"
                            "start: {m.x: 12 m, m.y: 0.1 m, m.vx: 6 m/s}\n");
        dt[k] = 25.0 / (double)n;
        rig_steps(&r, SP_METHOD_MOREAU, dt[k], n);
        err[k] = fabs(r.x->q[0] - 0.682178936723647);
        const int stick = rig_count(&r, SP_EVENT_STICK, -1);
        assert_true(stick >= 1);
        double last = 0.0;
        for (int i = 0; i < stick; i++) {
            last = rig_event(&r, SP_EVENT_STICK, -1, i)->t;
        }
        assert_true(fabs(last - 22.423556350699) < 3.0 * dt[k]);
        assert_near_scaled(r.x->u[0], 0.0, 1.0, 1e-12);
        rig_free(&r);
    }
    print_message("dry friction: place of stick off by %.1e to %.1e m, order %.2f\n", err[0],
                  err[SIZES - 1], check_order(SIZES, dt, err));
    assert_true(err[SIZES - 1] < 1e-3);
    assert_true(check_order(SIZES, dt, err) > 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball_is_of_first_order_in_L1),
        cmocka_unit_test(bouncing_ball_bounces_at_the_known_times),
        cmocka_unit_test(ball_of_little_restitution_comes_to_rest),
        cmocka_unit_test(ball_of_high_restitution_comes_to_rest),
        cmocka_unit_test(block_on_a_slope_sticks_below_the_friction_angle),
        cmocka_unit_test(block_on_a_slope_slides_above_the_friction_angle),
        cmocka_unit_test(block_thrown_uphill_stops_and_stays),
        cmocka_unit_test(sliding_disc_rolls_at_two_thirds_of_its_speed),
        cmocka_unit_test(impacting_stick_converges_to_the_known_impact),
        cmocka_unit_test(damped_oscillator_follows_its_solution),
        cmocka_unit_test(pendulum_has_its_period),
        cmocka_unit_test(disc_in_a_hole_swings_like_a_pendulum),
        cmocka_unit_test(dry_friction_oscillator_sticks_where_it_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
