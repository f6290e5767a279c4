/* The rattleback of the examples against the equations of an ellipsoid that rolls without slip, and
 * how its spins are unstable. */
#include "support/events.h"
#include "support/swing.h"

#include "support/points.h"

#include <string.h>

static const char example[] = "examples/rattleback/rattleback.yaml";

/* ---- an ellipsoid that rolls, in its own axes ------------------------------------------------
 *
 * up: the vertical, w: spin, r: from the centre of mass to the foot
 *     (J - m r x r x) w' = -w x J w + m r x (r' x w + w x (r x w) + g up),   up' = up x w
 * Nothing of the library but its vectors is used. */

static const double half[3] = {0.2, 0.03, 0.02}, d = 0.01, mass = 1.0, g = 9.81;
static const double J[3][3] = {{2e-4, -2e-5, 0.0}, {-2e-5, 16e-4, 0.0}, {0.0, 0.0, 17e-4}};

typedef struct stone {
    double up[3], w[3];
} stone;

static void cross(const double *a, const double *b, double *c)
{
    const double out[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                           a[0] * b[1] - a[1] * b[0]};
    memcpy(c, out, sizeof out);
}

/* r of a vertical, and its rate. */
static void foot_of(const double *up, const double *up_rate, double *r, double *r_rate)
{
    double size2 = 0.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
        size2 += half[i] * half[i] * up[i] * up[i];
        rate += half[i] * half[i] * up[i] * up_rate[i];
    }
    const double size = sqrt(size2);
    for (int i = 0; i < 3; i++) {
        const double a2 = half[i] * half[i];
        r[i] = -a2 * up[i] / size + (i == 2 ? d : 0.0);
        r_rate[i] = -a2 * up_rate[i] / size + a2 * up[i] * rate / (size * size2);
    }
}

/* x of A x = b by elimination; A is positive definite. */
static void solve3(double A[3][3], double *b)
{
    for (int i = 0; i < 3; i++) {
        for (int k = i + 1; k < 3; k++) {
            const double q = A[k][i] / A[i][i];
            for (int j = i; j < 3; j++) {
                A[k][j] -= q * A[i][j];
            }
            b[k] -= q * b[i];
        }
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++) {
            b[i] -= A[i][k] * b[k];
        }
        b[i] /= A[i][i];
    }
}

static stone rate_of(const stone *x)
{
    stone rate;
    double r[3], r_rate[3], a[3], c[3], Jw[3], A[3][3];
    cross(x->up, x->w, rate.up);
    foot_of(x->up, rate.up, r, r_rate);
    cross(r, x->w, c);
    cross(x->w, c, a); /* w x (r x w) */
    cross(r_rate, x->w, c);
    for (int i = 0; i < 3; i++) {
        a[i] += c[i] + g * x->up[i];
        Jw[i] = J[i][0] * x->w[0] + J[i][1] * x->w[1] + J[i][2] * x->w[2];
    }
    cross(r, a, c);
    cross(Jw, x->w, a);
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++) {
        rate.w[i] = a[i] + mass * c[i];
        for (int k = 0; k < 3; k++) {
            A[i][k] = J[i][k] + mass * ((i == k ? r2 : 0.0) - r[i] * r[k]);
        }
    }
    solve3(A, rate.w);
    return rate;
}

/* x + k y */
static stone ahead(const stone *x, double k, const stone *y)
{
    stone out;
    for (int i = 0; i < 3; i++) {
        out.up[i] = x->up[i] + k * y->up[i];
        out.w[i] = x->w[i] + k * y->w[i];
    }
    return out;
}

/* One step of the classical method of order 4. */
static void step(stone *x, double dt)
{
    const stone k1 = rate_of(x), x2 = ahead(x, 0.5 * dt, &k1), k2 = rate_of(&x2);
    const stone x3 = ahead(x, 0.5 * dt, &k2), k3 = rate_of(&x3), x4 = ahead(x, dt, &k3),
                k4 = rate_of(&x4);
    *x = ahead(x, dt / 6.0, &k1);
    *x = ahead(x, dt / 3.0, &k2);
    *x = ahead(x, dt / 3.0, &k3);
    *x = ahead(x, dt / 6.0, &k4);
}

/* The spin about the vertical. */
static double spin_of(const stone *x)
{
    return x->up[0] * x->w[0] + x->up[1] * x->w[1] + x->up[2] * x->w[2];
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Until it has stopped and turns back: the same spin, the same vertical; no energy is lost, and the
 * foot neither slides nor leaves the floor. */
static void the_stone_turns_back_as_an_ellipsoid_that_rolls_does(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file(example, NULL);
    stone x = {.up = {0.0, 0.0, 1.0}, .w = {0.0, 0.05, -5.0}};
    for (int k = 1; k <= 5; k++) {
        events_go(&r, k, 1e-11);
        for (int i = 0; i < 10000; i++) {
            step(&x, 1e-4);
        }
        sp_kin_positions(r.m, r.x->numbers, r.x->q, &r.w->kin);
        sp_kin_velocities(r.m, r.x->u, &r.w->kin);
        const sp_rot3 axes = point_axes(&r.w->kin, 1);
        assert_near(point_spin(&r.w->kin, 1).z, spin_of(&x), 1e-6);
        assert_near(axes.x.z, x.up[0], 1e-7);
        assert_near(axes.y.z, x.up[1], 1e-7);
    }
    assert_true(spin_of(&x) > 1.9); /* it began with -5 rad/s */
    assert_int_equal(events_count(&r, SP_EVENT_SLIP) + events_count(&r, SP_EVENT_OPEN), 0);
    const sp_ledger *l = &r.x->ledger;
    assert_near_scaled(l->kinetic + l->potential, l->initial, 0.1, 1e-8);
    rig_free(&r);
}

/* Modes of the stone spun flat, with this override of the example's spin. */
static swing modes_of(const char *spin)
{
    const char *const override[] = {spin, "kick=0 rad/s", NULL};
    swing s = {.r = rig_of_file(example, override)};
    swing_close(&s, "foot", SP_CLOSED_ITSELF);
    swing_must(&s, false);
    return s;
}

/* Spun flat, one way pitching grows, the other way rolling, ten times slower: what grows one way
 * decays the other, as time runs backwards. */
static void each_way_of_spin_feeds_another_swing(void **ctx)
{
    (void)ctx;
    static const char *const way[2] = {"spin=-5 rad/s", "spin=5 rad/s"};
    double growth[2][2]; /* way; roll (34 rad/s), pitch (109 rad/s) */
    for (int k = 0; k < 2; k++) {
        swing s = modes_of(way[k]);
        assert_true(s.modes.is_steady && s.modes.axes == SP_AXES_TURNING);
        assert_int_equal(s.modes.n_unstable, 1);
        for (int i = 0; i < 2; i++) {
            const sp_mode *mode = &s.modes.mode[1 + i]; /* 0: the place seen from turning axes */
            assert_near(mode->s.im, i == 0 ? 34.144 : 109.392, 1e-4);
            growth[k][i] = mode->s.re;
        }
        swing_free(&s);
    }
    assert_true(growth[0][1] > 2.0 && growth[1][0] > 0.2 && growth[0][1] > 10.0 * growth[1][0]);
    assert_near(growth[0][0], -growth[1][0], 1e-9);
    assert_near(growth[0][1], -growth[1][1], 1e-9);
}

/* Pitching of the stone above, barely kicked, begins to grow as the library's mode says: half the
 * logarithm of its energy over whole swings, from 1 s to 2 s. */
static void pitching_grows_at_the_rate_of_its_mode(void **ctx)
{
    (void)ctx;
    swing s = modes_of("spin=-5 rad/s");
    const double rate = s.modes.mode[2].s.re;
    swing_free(&s);
    stone x = {.up = {0.0, 0.0, 1.0}, .w = {0.0, 1e-4, -5.0}};
    double size[2] = {0.0, 0.0};
    for (int i = 0; i < 30000; i++) {
        step(&x, 1e-4);
        const int k = i >= 9000 && i < 11000 ? 0 : i >= 19000 && i < 21000 ? 1 : -1;
        if (k >= 0) {
            size[k] += x.up[0] * x.up[0];
        }
    }
    assert_near(0.5 * log(size[1] / size[0]), rate, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stone_turns_back_as_an_ellipsoid_that_rolls_does),
        cmocka_unit_test(each_way_of_spin_feeds_another_swing),
        cmocka_unit_test(pitching_grows_at_the_rate_of_its_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
