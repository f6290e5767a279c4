/* Machines whose motion is known: by closed forms, by published numbers, or by an integration that
 * shares nothing with the library. */
#include "integrators/reference.h"
#include "integrators/smooth.h"
#include "kinematics/spot.h"
#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>

/* Run to `until` with the smooth method; the worst certificate and the number of steps. */
static sp_run_summary run_to(rig *r, double until, double tolerance)
{
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_run_options options = {
        .method = SP_METHOD_SMOOTH, .until = until, .output_step = until, .tolerance = tolerance};
    const sp_status status = sp_integrate(r->m, r->x, r->w, &options, NULL, 0, &summary, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
        fail();
    }
    assert_true(summary.worst.momentum < 1e-12);
    assert_true(summary.worst.complementarity < 1e-11);
    assert_true(summary.worst.gap < 1e-12);
    return summary;
}

static double energy_drift(const rig *r)
{
    const sp_ledger *l = &r->x->ledger;
    return fabs(l->kinetic + l->potential - l->initial) / l->scale;
}

static double q_of(const rig *r, const char *name)
{
    return r->x->q[r->m->dof[rig_dof(r, name)].q];
}

static double u_of(const rig *r, const char *name)
{
    return r->x->u[rig_dof(r, name)];
}

/* Frames of all bodies at the state. */
static const sp_kin *look(rig *r)
{
    sp_kin_positions(r->m, r->x->numbers, r->x->q, &r->w->kin);
    sp_kin_velocities(r->m, r->x->u, &r->w->kin);
    return &r->w->kin;
}

/* ---- heavy symmetric top ----------------------------------------------------------------------
 */

/* m g l, moments of inertia about the fixed point, tilt and spin at the start. */
#define TOP_MASS   0.5
#define TOP_ARM    0.05
#define TOP_J1     2e-3 /* about the fixed point, across */
#define TOP_J3     8e-4
#define TOP_TILT   0.6
#define TOP_SPIN   120.0
#define TOP_ERROR  1e-10 /* tolerance 1e-12 of 120 rad/s, for a second */
#define TOP_WEIGHT (TOP_MASS * 9.81 * TOP_ARM)

/* A top that hangs on a ball and starts at a tilt with these spins in its own axes. */
static rig top(double omega_x, double omega_y, double omega_z)
{
    return rig_of_text("specht: 1\n"
                       "space: spatial\n"
                       "gravity: 9.81 m/s^2\n"
                       "bodies: {top: {mass: %.17g kg, inertia: [%.17g, %.17g, %.17g], center: [0, "
                       "0, %.17g m], joint: {spherical: ground}}}\n"
                       "start: {top.joint.turn: {x: %.17g rad}, top.joint.omega_own: [%.17g rad/s, "
                       "%.17g rad/s, %.17g rad/s]}\n",
                       TOP_MASS, TOP_J1 - TOP_MASS * TOP_ARM * TOP_ARM,
                       TOP_J1 - TOP_MASS * TOP_ARM * TOP_ARM, TOP_J3, TOP_ARM, TOP_TILT, omega_x,
                       omega_y, omega_z);
}

/* Cosine of the tilt, and azimuth of the axis. */
static double top_cosine(rig *r)
{
    return look(r)->frame3[1].R.z.z;
}
static double top_azimuth(rig *r)
{
    const sp_vec3 e = look(r)->frame3[1].R.z;
    return atan2(e.y, e.x);
}

/* Let go at rest, the axis falls, and rises again to a cusp.  With u = cos(tilt),
 *     u'^2 = b (u_0 - u) [ (1 - u^2) - (a^2/b) (u_0 - u) ],   a = J_3 w_3 / J_1,  b = 2 m g l / J_1
 *     azimuth' = a (u_0 - u) / (1 - u^2)
 * The bracket has the lower bound u_1 and a root u_2 > 1; u = mean + half sin s makes both
 * integrals smooth and periodic, so that the trapezoidal rule is exact. */
typedef struct nutation {
    double u_0, u_1, period, precession; /* precession in one period, rad */
} nutation;

static nutation top_nutation(void)
{
    const double a = TOP_J3 * TOP_SPIN / TOP_J1, b = 2.0 * TOP_WEIGHT / TOP_J1, u_0 = cos(TOP_TILT);
    const double p = a * a / b, root = sqrt(0.25 * p * p - p * u_0 + 1.0);
    const double u_1 = 0.5 * p - root, u_2 = 0.5 * p + root;
    nutation n = {.u_0 = u_0, .u_1 = u_1};
    enum { POINTS = 200 };
    for (int k = 0; k < POINTS; k++) {
        const double pi = acos(-1.0), s = 2.0 * pi * k / POINTS;
        const double u = 0.5 * (u_0 + u_1) + 0.5 * (u_0 - u_1) * sin(s);
        const double dt = 2.0 * pi / POINTS / sqrt(b * (u_2 - u));
        n.period += dt;
        n.precession += dt * a * (u_0 - u) / (1.0 - u * u);
    }
    return n;
}

static void a_top_nutates_between_its_bounds_and_precesses_at_the_rate_of_the_integral(void **ctx)
{
    (void)ctx;
    const nutation n = top_nutation();
    rig r = top(0.0, 0.0, TOP_SPIN);
    const double start = top_azimuth(&r), pi = acos(-1.0);
    double u_least = 1.0, u_most = -1.0;
    enum { PERIODS = 5, PARTS = 40 };
    for (int k = 1; k <= PERIODS * PARTS; k++) {
        run_to(&r, n.period * k / PARTS, 1e-12);
        const double u = top_cosine(&r);
        u_least = fmin(u_least, u);
        u_most = fmax(u_most, u);
        if (k % PARTS == PARTS / 2) { /* the lowest point */
            assert_near(u, n.u_1, TOP_ERROR);
        }
        if (k % PARTS == 0) { /* the cusp; azimuth counts from the start */
            const double turned =
                remainder(top_azimuth(&r) - start - n.precession * (k / PARTS), 2.0 * pi);
            assert_near(u, n.u_0, TOP_ERROR);
            assert_near(turned, 0.0, 1e-9);
        }
    }
    assert_true(u_least > n.u_1 - TOP_ERROR && u_most < n.u_0 + TOP_ERROR);
    assert_true(energy_drift(&r) < 1e-10);
    rig_free(&r);
}

/* Regular precession W: J_1 W^2 cos - J_3 w_3 W + m g l = 0 keeps the tilt for ever. */
static void a_top_in_regular_precession_keeps_its_tilt(void **ctx)
{
    (void)ctx;
    const double a = TOP_J1 * cos(TOP_TILT), b = TOP_J3 * TOP_SPIN, c = TOP_WEIGHT;
    const double slow = 2.0 * c / (b + sqrt(b * b - 4.0 * a * c)), fast = c / (a * slow);
    const double rate[2] = {slow, fast};
    for (int k = 0; k < 2; k++) { /* the axis lies in the y-z plane, tilted about x */
        rig r = top(0.0, rate[k] * sin(TOP_TILT), TOP_SPIN);
        const double start = top_azimuth(&r), pi = acos(-1.0);
        for (int i = 1; i <= 10; i++) {
            run_to(&r, 0.2 * i, 1e-12);
            assert_near(top_cosine(&r), cos(TOP_TILT), TOP_ERROR);
            assert_near(remainder(top_azimuth(&r) - start - rate[k] * r.x->t, 2.0 * pi), 0.0, 1e-9);
        }
        rig_free(&r);
    }
}

/* ---- Foucault's pendulum ----------------------------------------------------------------------
 */

#define FOUCAULT_SPIN 0.002 /* of the Earth, rad/s: faster, for the sake of the test */
#define FOUCAULT_LAT  0.8

/* In the turning frame: a = g - 2 W x v - W x (W x r), and the string holds |r| = 1 m. */
static void foucault_rates(const void *ctx, double t, const double *y, double *dydt)
{
    (void)ctx;
    (void)t;
    const sp_vec3 W = {0.0, FOUCAULT_SPIN * cos(FOUCAULT_LAT), FOUCAULT_SPIN * sin(FOUCAULT_LAT)};
    const sp_vec3 r = {y[0], y[1], y[2]}, v = {y[3], y[4], y[5]}, g = {0.0, 0.0, -9.81};
    const sp_vec3 turning = sp_cross3(W, sp_cross3(W, r)), coriolis = sp_cross3(W, v);
    const sp_vec3 a = sp_sub3(sp_sub3(g, sp_scale3(2.0, coriolis)), turning);
    const double along = (sp_inner3(a, r) + sp_inner3(v, v)) / sp_inner3(r, r);
    const sp_vec3 free = sp_sub3(a, sp_scale3(along, r));
    const double rate[6] = {v.x, v.y, v.z, free.x, free.y, free.z};
    memcpy(dydt, rate, sizeof rate);
}

static void foucaults_pendulum_turns_with_the_latitude(void **ctx)
{
    (void)ctx;
    const double swing = 0.01, until = 40.0;
    rig r = rig_of_text(
        "specht: 1\n"
        "space: spatial\n"
        "parameters: {W: %.17g rad/s, c: %.17g, s: %.17g}\n"
        "functions: {x(p): sin(p)*c, y(p): s*c*(cos(p) - 1), z(p): -cos(p) - s^2*(1 - cos(p))}\n"
        "gravity: [9.81 m/s^2 * x(-W*t), 9.81 m/s^2 * y(W*t), 9.81 m/s^2 * z(W*t)]\n"
        "bodies:\n"
        "  site: {mass: 1 kg, inertia: 1 kg*m^2, joint: {revolute: ground, axis: [0, c, s], "
        "speed: W}}\n"
        "  bob: {mass: 1 kg, center: [0, 0, -1 m], joint: {universal: site, axis: [[1, 0, 0], [0, "
        "1, 0]]}}\n"
        "start: {bob.joint.phi_2: %.17g}\n",
        FOUCAULT_SPIN, cos(FOUCAULT_LAT), sin(FOUCAULT_LAT), swing);
    double y[6] = {-sin(swing), 0.0, -cos(swing), 0.0, 0.0, 0.0}, angle = 0.0;
    const double period = 2.0 * acos(-1.0) / sqrt(9.81);
    double xx = 0.0, xy = 0.0, yy = 0.0, x_mean = 0.0, y_mean = 0.0, turned = 0.0;
    run_to(&r, until, 1e-12);
    reference_run(foucault_rates, NULL, 6, 0.0, until, 800, y);
    enum { PARTS = 40 };
    for (int k = 1; k <= PARTS; k++) { /* the plane of one more swing, in the turning frame */
        run_to(&r, until + period * k / PARTS, 1e-12);
        reference_run(foucault_rates, NULL, 6, 0.0, period / PARTS, 1, y);
        const sp_kin *kin = look(&r);
        const sp_vec3 bob = sp_rotate_back3(
            kin->frame3[1].R, sp_rotate3(kin->frame3[2].R, (sp_vec3){0.0, 0.0, -1.0}));
        assert_near(bob.x, y[0], 1e-9);
        assert_near(bob.y, y[1], 1e-9);
        assert_near(bob.z, y[2], 1e-9);
        x_mean += bob.x / PARTS; /* the plumb line is not the vertical */
        y_mean += bob.y / PARTS;
        xx += bob.x * bob.x;
        xy += bob.x * bob.y;
        yy += bob.y * bob.y;
        turned += (bob.x * bob.x + bob.y * bob.y) * FOUCAULT_SPIN * sin(FOUCAULT_LAT) * r.x->t;
    }
    turned /= xx + yy;
    xx -= PARTS * x_mean * x_mean;
    xy -= PARTS * x_mean * y_mean;
    yy -= PARTS * y_mean * y_mean;
    angle = 0.5 * atan2(2.0 * xy, xx - yy);
    /* the ellipse precesses by itself, by 3/8 swing^2 of it, and W^2 makes the plane uneven */
    assert_near_scaled(angle, -turned, turned, 1e-3);
    rig_free(&r);
}

/* ---- double pendulum --------------------------------------------------------------------------
 */

/* Two rods of length 1 m, absolute angles from the downward vertical: the textbook's equations. */
typedef struct rods {
    double m[2], l[2], J[2]; /* J about the centre */
} rods;

static void double_pendulum_rates(const void *ctx, double t, const double *y, double *dydt)
{
    (void)t;
    const rods *p = ctx;
    const double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), g = 9.81;
    const double half = 0.5 * p->m[1] * p->l[0] * p->l[1];
    const double M11 = p->J[0] + 0.25 * p->m[0] * p->l[0] * p->l[0] + p->m[1] * p->l[0] * p->l[0];
    const double M22 = p->J[1] + 0.25 * p->m[1] * p->l[1] * p->l[1], M12 = half * c;
    const double f1 = -half * s * y[3] * y[3] - (0.5 * p->m[0] + p->m[1]) * g * p->l[0] * sin(y[0]);
    const double f2 = half * s * y[2] * y[2] - 0.5 * p->m[1] * g * p->l[1] * sin(y[1]);
    const double det = M11 * M22 - M12 * M12;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = (M22 * f1 - M12 * f2) / det;
    dydt[3] = (M11 * f2 - M12 * f1) / det;
}

static void a_double_pendulum_follows_an_independent_integration(void **ctx)
{
    (void)ctx;
    const rods p = {{1.2, 0.7}, {1.0, 0.8}, {0.09, 0.05}};
    rig r = rig_of_text(
        "specht: 1\n"
        "space: planar\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  upper: {mass: 1.2 kg, inertia: 0.09, center: [0, -0.5 m], joint: {revolute: ground}}\n"
        "  lower: {mass: 0.7 kg, inertia: 0.05, center: [0, -0.4 m], joint: {revolute: upper, at: "
        "[0, -1 m]}}\n"
        "start: {upper.phi: 1 rad, lower.phi: 1.3 rad, upper.omega: 0, lower.omega: 1 rad/s}\n");
    double y[4] = {1.0, 1.3, 0.0, 1.0}, fine[4] = {1.0, 1.3, 0.0, 1.0};
    run_to(&r, 5.0, 1e-13);
    reference_run(double_pendulum_rates, &p, 4, 0.0, 5.0, 700, y);
    reference_run(double_pendulum_rates, &p, 4, 0.0, 5.0, 1000, fine);
    for (int k = 0; k < 4; k++) { /* the reference itself is good to 1e-12 */
        assert_near(y[k], fine[k], 2e-12);
    }
    assert_near(q_of(&r, "upper.joint.phi"), fine[0], 1e-10);
    assert_near(q_of(&r, "lower.joint.phi"), fine[1] - fine[0], 1e-10);
    assert_near(u_of(&r, "upper.joint.phi"), fine[2], 1e-10);
    assert_near(u_of(&r, "lower.joint.phi"), fine[3] - fine[2], 1e-10);
    assert_true(energy_drift(&r) < 1e-12);
    rig_free(&r);
}

/* ---- linkages ---------------------------------------------------------------------------------
 */

static void a_four_bar_in_space_moves_as_in_the_plane(void **ctx)
{
    (void)ctx;
    rig plane = rig_of_file("tests/data/good/four_bar.yaml", NULL);
    rig space = rig_of_file("tests/data/good/four_bar_space.yaml", NULL);
    assert_int_equal(plane.m->n_bond, 2);
    assert_int_equal(space.m->n_bond, 5); /* three of them depend on the others */
    for (int k = 1; k <= 5; k++) {
        run_to(&plane, 0.4 * k, 1e-12);
        run_to(&space, 0.4 * k, 1e-12);
        for (int i = 0; i < 3; i++) {
            assert_near(space.x->q[i], plane.x->q[i], 1e-9);
            assert_near(space.x->u[i], plane.x->u[i], 1e-8);
        }
    }
    assert_true(energy_drift(&plane) < 1e-10 && energy_drift(&space) < 1e-10);
    rig_free(&plane);
    rig_free(&space);
}

/* The crank alone, all else from the geometry of the linkage: energy gives its speed,
 * T = 1/2 J(phi) w^2 with J from differences of the closed-form places of the centres. */
static void four_bar_places(double phi, double x[8])
{
    const double a = 0.2, b = 0.5, c = 0.4, d = 0.5;
    const double px = a * cos(phi), py = a * sin(phi), dx = d - px, dy = -py,
                 e2 = dx * dx + dy * dy;
    const double s = (b * b - c * c + e2) / (2.0 * e2), h = sqrt(b * b / e2 - s * s);
    const double tx = px + s * dx - h * dy, ty = py + s * dy + h * dx; /* the upper one */
    const double places[8] = {0.5 * px,       0.5 * py, 0.5 * (px + tx),         0.5 * (py + ty),
                              0.5 * (d + tx), 0.5 * ty, atan2(ty - py, tx - px), atan2(ty, tx - d)};
    memcpy(x, places, sizeof places);
}

static double four_bar_energy(double phi, double omega)
{
    const double m[3] = {1.0, 2.0, 1.5}, J[3] = {4e-3, 4e-2, 2e-2}, h = 1e-4;
    double x[8], p1[8], m1[8], p2[8], m2[8], rate[8], E = 0.5 * J[0] * omega * omega;
    four_bar_places(phi, x);
    four_bar_places(phi + h, p1);
    four_bar_places(phi - h, m1);
    four_bar_places(phi + 2.0 * h, p2);
    four_bar_places(phi - 2.0 * h, m2);
    for (int k = 0; k < 8; k++) { /* order 4 */
        rate[k] = omega * (8.0 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12.0 * h);
    }
    for (int i = 0; i < 3; i++) {
        E += 0.5 * m[i] * (rate[2 * i] * rate[2 * i] + rate[2 * i + 1] * rate[2 * i + 1]) +
             m[i] * 9.81 * x[2 * i + 1];
    }
    return E + 0.5 * (J[1] * rate[6] * rate[6] + J[2] * rate[7] * rate[7]);
}

static void a_four_bar_keeps_the_energy_that_its_geometry_gives(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/four_bar.yaml", NULL);
    const double start = four_bar_energy(q_of(&r, "crank.joint.phi"), u_of(&r, "crank.joint.phi"));
    for (int k = 1; k <= 20; k++) {
        run_to(&r, 0.5 * k, 1e-12);
        const double E = four_bar_energy(q_of(&r, "crank.joint.phi"), u_of(&r, "crank.joint.phi"));
        assert_near_scaled(E, start, start, 1e-9);
    }
    rig_free(&r);
}

/* The same linkage with the loop cut elsewhere, hence another tree and other coordinates. */
static void bricards_mechanism_moves_the_same_wherever_its_loop_is_cut(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/bricard.yaml", NULL);
    rig other = rig_of_text(
        "specht: 1\n"
        "space: spatial\n"
        "gravity: [0, -9.81 m/s^2, 0]\n"
        "parameters: {l: 1 m, x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], J: (1 kg*m^2)/12, j: 1e-4 "
        "kg*m^2}\n"
        "bodies:\n"
        "  rod1: {mass: 1 kg, inertia: [j, J, J], center: [l/2, 0, 0], joint: {revolute: ground, "
        "axis: y}}\n"
        "  rod2: {mass: 1 kg, inertia: [J, j, J], center: [0, l/2, 0], joint: {revolute: rod1, "
        "axis: z, at: [l, 0, 0]}}\n"
        "  rod3: {mass: 1 kg, inertia: [J, J, j], center: [0, 0, l/2], joint: {revolute: rod2, "
        "axis: x, at: [0, l, 0]}, points: {end: [0, 0, l]}}\n"
        "  rod5: {mass: 1 kg, inertia: [J, j, J], center: [0, l/2, 0], joint: {revolute: ground, "
        "axis: x, at: [0, 0, l]}}\n"
        "  rod4: {mass: 1 kg, inertia: [j, J, J], center: [l/2, 0, 0], joint: {revolute: rod5, "
        "axis: z, at: [0, l, 0]}, points: {end: [l, 0, 0]}}\n"
        "joints: {pin: {revolute: [rod3.end, rod4.end], axis: y}}\n");
    static const char *const same[] = {"rod1.joint.phi", "rod2.joint.phi", "rod3.joint.phi"};
    for (int k = 1; k <= 10; k++) {
        run_to(&r, 0.5 * k, 1e-13);
        run_to(&other, 0.5 * k, 1e-13);
        for (int i = 0; i < 3; i++) {
            assert_near(q_of(&r, same[i]), q_of(&other, same[i]), 1e-8);
        }
    }
    assert_true(fabs(q_of(&r, "rod1.joint.phi")) > 0.01); /* it moves, though 6 > 5 by counting */
    assert_true(energy_drift(&r) < 1e-10 && energy_drift(&other) < 1e-10);
    rig_free(&r);
    rig_free(&other);
}

/* [MM08]: angles and rates at t = 0.03 s. */
static void andrews_squeezing_mechanism_ends_where_it_is_published(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *name;
        double q, u;
    } end[] = {
        {"k1.joint.phi", 15.81077119629904, 1139.920302151208},
        {"k2.joint.phi", -15.75637105984298, -1424.379294994111},
        {"k3.joint.phi", 0.04082224013073101, 11.03291221937134},
        {"k4.joint.phi", -0.5347301163226948, 19.29337464421385},
        {"k5.joint.phi", 0.5244099658805304, 0.5735699284790808},
        {"k6.joint.phi", 0.5347301163226948, -19.29337464421385},
        {"k7.joint.phi", 1.048080741042263, 0.3231791658026955},
    };
    rig r = rig_of_file("tests/data/good/andrews.yaml", NULL);
    run_to(&r, 0.03, 1e-12);
    for (int k = 0; k < 7; k++) { /* all as if published 1e-12 s later, k1'' to k7'' up to 6e5 */
        assert_near(q_of(&r, end[k].name), end[k].q, 1e-10);
        assert_near(u_of(&r, end[k].name), end[k].u, 4e-8);
    }
    assert_true(fabs(r.x->ledger.balance) < 1e-11);
    rig_free(&r);
}

/* ---- governor, springs -------------------------------------------------------------------------
 */

/* A ball on an arm of length l that turns with W stands at cos = g / (W^2 l), and swings about it
 * with W sin. */
static rig governor(double damping, double angle)
{
    return rig_of_text(
        "specht: 1\n"
        "space: spatial\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  shaft: {mass: 1 kg, inertia: 0.01, joint: {revolute: ground, axis: [0, 0, 1], speed: 10 "
        "rad/s}}\n"
        "  left:  {mass: 1 kg, center: [0, 0, -0.2 m], joint: {revolute: shaft, axis: [0, 1, 0], "
        "damping: %.17g N*m*s/rad}}\n"
        "  right: {mass: 1 kg, center: [0, 0, -0.2 m], joint: {revolute: shaft, axis: [0, -1, 0], "
        "damping: %.17g N*m*s/rad}}\n"
        "start: {left.joint.phi: %.17g, right.joint.phi: %.17g}\n",
        damping, damping, angle, angle);
}

static void a_governor_settles_where_gravity_and_rotation_balance(void **ctx)
{
    (void)ctx;
    const double angle = acos(9.81 / (100.0 * 0.2));
    rig r = governor(0.2, 0.3);
    run_to(&r, 20.0, 1e-10);
    assert_near(q_of(&r, "left.joint.phi"), angle, 1e-8);
    assert_near(q_of(&r, "right.joint.phi"), angle, 1e-8);
    const sp_ledger *l = &r.x->ledger;
    assert_true(l->driven > 0.0 && l->dampers < 0.0 && fabs(l->balance) < 1e-9);
    rig_free(&r);

    /* half a period later it is on the other side */
    const double small = 1e-4, period = 2.0 * acos(-1.0) / (10.0 * sin(angle));
    r = governor(0.0, angle + small);
    run_to(&r, 0.5 * period, 1e-12);
    assert_near_scaled(q_of(&r, "left.joint.phi") - angle, -small, small, 1e-3);
    rig_free(&r);
}

/* Two masses on three springs, started in one mode, stay in it. */
static void masses_on_springs_keep_to_their_modes(void **ctx)
{
    (void)ctx;
    for (int mode = 0; mode < 2; mode++) {
        rig r = rig_of_text("specht: 1\n"
                            "space: planar\n"
                            "gravity: 0\n"
                            "bodies:\n"
                            "  a: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: "
                            "50 N/m}}\n"
                            "  b: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: "
                            "50 N/m}}\n"
                            "forces: {link: {spring: a.joint.s - b.joint.s, stiffness: 20 N/m}}\n"
                            "start: {a.joint.s: 1 cm, b.joint.s: %s1 cm}\n",
                            mode == 0 ? "" : "-");
        const double omega = sqrt((50.0 + (mode == 0 ? 0.0 : 40.0)) / 2.0);
        for (int k = 1; k <= 20; k++) {
            run_to(&r, 0.5 * k, 1e-12);
            const double x = 0.01 * cos(omega * r.x->t), sign = mode == 0 ? 1.0 : -1.0;
            assert_near_scaled(r.x->q[0], x, 0.01, 1e-10);
            assert_near_scaled(r.x->q[1], sign * x, 0.01, 1e-10);
        }
        rig_free(&r);
    }
}

/* ---- long chain --------------------------------------------------------------------------------
 */

/* Twenty bodies in space on balls, the first one free: energy and momentum stay. */
static void a_free_chain_of_twenty_bodies_keeps_its_energy(void **ctx)
{
    (void)ctx;
    char yaml[8192];
    int n = snprintf(yaml, sizeof yaml,
                     "specht: 1\nspace: spatial\ngravity: 0\nbodies:\n"
                     "  b1: {mass: 1 kg, inertia: [0.01, 0.02, 0.015], joint: {free: ground}}\n");
    for (int i = 2; i <= 20; i++) {
        n += snprintf(yaml + n, sizeof yaml - (size_t)n,
                      "  b%d: {mass: %.3g kg, inertia: [0.01, 0.02, 0.015], center: [0.1 m, 0, 0], "
                      "joint: {spherical: b%d, at: [0.2 m, 0, 0]}}\n",
                      i, 1.0 + 0.1 * (i % 3), i - 1);
    }
    n += snprintf(yaml + n, sizeof yaml - (size_t)n,
                  "start: {b1.vx: 0.3 m/s, b1.omega_own: [1 rad/s, 2 rad/s, 0.5 rad/s]");
    for (int i = 2; i <= 20; i++) {
        n += snprintf(yaml + n, sizeof yaml - (size_t)n,
                      ", b%d.joint.omega_own: [%.3g rad/s, %.3g rad/s, %.3g rad/s]", i,
                      sin(1.0 * i), cos(2.0 * i), sin(3.0 * i));
    }
    snprintf(yaml + n, sizeof yaml - (size_t)n, "}\n");
    rig r = rig_of_text("%s", yaml);
    assert_int_equal(r.m->n_dof, 6 + 19 * 3);
    run_to(&r, 10.0, 1e-10);
    assert_true(energy_drift(&r) < 1e-8);
    rig_free(&r);
}

/* ---- two magnets ------------------------------------------------------------------------------
 */

/* A body around a magnet in an ellipse of Kepler with the nearest place 1 m away and eccentricity
 * 1/2: half axis 2 m, back after 2 pi sqrt(a^3 m/k), opposite (3 m, v/3) after half of that.
 * theory (3.48) */
static void a_magnet_holds_a_body_in_keplers_ellipse(void **ctx)
{
    (void)ctx;
    const double k = 3.0, m = 2.0, v = sqrt(1.5 * k / m), T = 2.0 * acos(-1.0) * sqrt(8.0 * m / k);
    for (int half = 1; half <= 2; half++) {
        rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                            "bodies: {b: {mass: %.17g kg, joint: {free: ground, only: [x, y]}}}\n"
                            "forces: {f: {magnet: [ground, b], strength: %.17g N*m^2, "
                            "cutoff: 0.9 m}}\nstart: {b.x: 1 m, b.vy: %.17g m/s}\n",
                            m, k, v);
        run_to(&r, 0.5 * half * T, 1e-12);
        assert_near(q_of(&r, "b.joint.x"), half == 1 ? -3.0 : 1.0, 1e-10);
        assert_near(q_of(&r, "b.joint.y"), 0.0, 1e-10);
        assert_near(u_of(&r, "b.joint.y"), half == 1 ? -v / 3.0 : v, 1e-10);
        assert_true(energy_drift(&r) < 1e-11);
        rig_free(&r);
    }
}

/* Nearer than the cut-off the force is constant. */
static void a_magnet_pulls_evenly_inside_its_cutoff(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text("specht: 1\nspace: planar\ngravity: 0\n"
                        "bodies: {b: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                        "forces: {f: {magnet: [ground, b], strength: 3 N*m^2, cutoff: 2 m}}\n"
                        "start: {b.x: 1 m}\n");
    run_to(&r, 1.5, 1e-12); /* a = 3/4/2 m/s^2 */
    assert_near(q_of(&r, "b.joint.s"), 1.0 - 0.5 * 0.375 * 2.25, 1e-13);
    assert_near(r.x->ledger.potential, -1.5 + 0.75 * (1.0 - 0.5 * 0.375 * 2.25 - 2.0), 1e-13);
    rig_free(&r);
}

/* ---- tracks -----------------------------------------------------------------------------------
 */

/* Along a cycloid that opens upwards, with s = 4 a sin(theta/2) from its lowest place, a bead
 * swings with the same frequency sqrt(g/(4a)) whatever its amplitude (Huygens).   theory (2.40) */
static void a_bead_on_a_cycloid_swings_harmonically(void **ctx)
{
    (void)ctx;
    const double a = 0.25, end = 2.6, middle = 4.0 * a * sin(0.5 * end), w = sqrt(9.81 / (4.0 * a));
    const double from[] = {0.05, 0.5, 0.95}; /* m from the lowest place, of 0.964 */
    for (int k = 0; k < 3; k++) {
        rig r = rig_of_text(
            "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nparameters: {a: %.17g m}\nbodies: {b: "
            "{mass: 2 kg, joint: {track: ground, curve: [a*(s + sin(s)), -a*cos(s)], over: [%.17g, "
            "%.17g]}}}\nstart: {b.joint.s: %.17g m}\n",
            a, -end, end, middle + from[k]);
        run_to(&r, 3.0, 1e-12);
        assert_near(q_of(&r, "b.joint.s") - middle, from[k] * cos(3.0 * w), 1e-11);
        assert_near(u_of(&r, "b.joint.s"), -from[k] * w * sin(3.0 * w), 1e-10);
        assert_true(energy_drift(&r) < 1e-11);
        rig_free(&r);
    }
}

/* A bead on a circle that swings with a pendulum is the second mass of a double pendulum. */
static void a_bead_on_a_circle_that_moves_is_a_pendulum(void **ctx)
{
    (void)ctx;
    const char *const arm = "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                            "  arm: {mass: 1 kg, inertia: 0.2, center: [0, -0.4 m], joint: "
                            "{revolute: ground}}\n";
    rig track =
        rig_of_text("%s  bead: {mass: 2 kg, joint: {track: arm, at: [0, -1 m], turn: 20 deg, "
                    "curve: [sin(s)*0.5 m, -cos(s)*0.5 m], over: [-pi, pi]}}\n"
                    "start: {arm.phi: 1, bead.joint.s: (pi + 0.7)*0.5 m}\n",
                    arm);
    rig hinge =
        rig_of_text("%s  bead: {mass: 2 kg, center: [0, -0.5 m], joint: {revolute: arm, at: "
                    "[0, -1 m], turn: 20 deg}}\nstart: {arm.phi: 1, bead.joint.phi: 0.7}\n",
                    arm);
    run_to(&track, 2.0, 1e-12);
    run_to(&hinge, 2.0, 1e-12);
    assert_near(q_of(&track, "arm.joint.phi"), q_of(&hinge, "arm.joint.phi"), 1e-9);
    const double angle = q_of(&track, "bead.joint.s") / 0.5 - acos(-1.0);
    assert_near(angle, q_of(&hinge, "bead.joint.phi"), 1e-9);
    rig_free(&track);
    rig_free(&hinge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_top_nutates_between_its_bounds_and_precesses_at_the_rate_of_the_integral),
        cmocka_unit_test(a_top_in_regular_precession_keeps_its_tilt),
        cmocka_unit_test(foucaults_pendulum_turns_with_the_latitude),
        cmocka_unit_test(a_double_pendulum_follows_an_independent_integration),
        cmocka_unit_test(a_four_bar_in_space_moves_as_in_the_plane),
        cmocka_unit_test(a_four_bar_keeps_the_energy_that_its_geometry_gives),
        cmocka_unit_test(bricards_mechanism_moves_the_same_wherever_its_loop_is_cut),
        cmocka_unit_test(andrews_squeezing_mechanism_ends_where_it_is_published),
        cmocka_unit_test(a_governor_settles_where_gravity_and_rotation_balance),
        cmocka_unit_test(masses_on_springs_keep_to_their_modes),
        cmocka_unit_test(a_free_chain_of_twenty_bodies_keeps_its_energy),
        cmocka_unit_test(a_magnet_holds_a_body_in_keplers_ellipse),
        cmocka_unit_test(a_magnet_pulls_evenly_inside_its_cutoff),
        cmocka_unit_test(a_bead_on_a_cycloid_swings_harmonically),
        cmocka_unit_test(a_bead_on_a_circle_that_moves_is_a_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
