/* Small motions about steady motions with contacts in space, against closed forms: tippe-top,
 * rolling wheel, egg on ice, sliding balls, and what stands on faces. */
#include "support/swing.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

#define EXACT 1e-9

/* Modes at the start. */
static void swing_start(swing *s)
{
    swing_must(s, false);
    assert_true(s->modes.is_steady);
}

/* The n-th mode that is not free. */
static const sp_mode *moving(const swing *s, int n)
{
    for (int i = 0; i < s->modes.n_mode; i++) {
        if (s->modes.mode[i].kind != SP_MODE_FREE && n-- == 0) {
            return &s->modes.mode[i];
        }
    }
    fail_msg("there is no such mode");
    return NULL;
}

/* ---- tippe-top ------------------------------------------------------------------------------- */

static const char top_file[] = "examples/tippe_top/tippe_top.yaml";
static const double top_m = 6e-3, top_I1 = 8e-7, top_I3 = 7e-7, top_g = 9.81;

/* Axis n = n_x + i n_y and velocity V of a top that stands on a ball of radius r, its centre a
 * above that of mass, h = r - a; slip V + i Omega r n - h n', force -eps slip:
 *
 *     I1 n'' - i I3 Omega n' = h eps slip - a m g n,     m V' = -eps slip            theory (24.9)
 */
static double complex top_polynomial(double Omega, double a, double r, double eps, double complex s)
{
    const double h = r - a;
    const double complex slip_n = I * Omega * r - h * s, by_V = top_m * s + eps;
    const double complex axis =
        top_I1 * s * s - I * top_I3 * Omega * s + a * top_m * top_g - h * eps * slip_n;
    return axis * by_V + h * eps * eps * slip_n;
}

/* The top on one of its two ends with its spin held about the vertical. */
static swing top(double spin, bool stick, bool hertz)
{
    char word[64];
    snprintf(word, sizeof word, "spin=%.17g rad/s", spin);
    const char *const override[] = {
        word, stick ? "tilt=180 deg" : "tilt=0",
        hertz ? "laws.wood.pressure=hertz" : "laws.wood.pressure=uniform", NULL};
    static const sp_held_spin about_z = {.body = 1, .axis = 2};
    swing s = {.r = rig_of_file(top_file, override)};
    s.hold.n_spin = 1;
    s.hold.spin = &about_z;
    swing_close(&s, stick ? "stick" : "body", SP_CLOSED_ITSELF);
    return s;
}

/* Three modes that move, all roots of the polynomial or of the mirrored one. */
static void the_top_has_the_eigenvalues_of_its_linear_theory(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 8; k++) {
        const bool stick = k & 1, hertz = k & 2;
        const double spin = k & 4 ? 180.0 : 60.0;
        swing s = top(spin, stick, hertz);
        const double a = stick ? -16e-3 : 3e-3, r = stick ? 5e-3 : 15e-3;
        const double eps =
            0.3 * top_m * top_g * (hertz ? 3.0 * acos(-1.0) / 8.0 : 1.0) / (spin * 5e-4);
        swing_start(&s);
        assert_int_equal(s.modes.axes, SP_AXES_GROUND);
        for (int i = 0; i < 3; i++) {
            const sp_mode *mode = moving(&s, i);
            const double complex z = mode->s.re + I * mode->s.im;
            const double there = cabs(top_polynomial(spin, a, r, eps, z));
            const double mirrored = cabs(top_polynomial(spin, a, r, eps, conj(z)));
            const double size = top_I1 * pow(cabs(z) + spin, 2.0) * (top_m * cabs(z) + eps);
            assert_true(fmin(there, mirrored) < 1e-10 * size);
        }
        /* the torque of the drive is that of drilling; head down the top turns the other way */
        const double torque =
            0.3 * top_m * top_g * 5e-4 * (hertz ? 3.0 * acos(-1.0) / 16.0 : 2.0 / 3.0);
        assert_near_scaled(s.l->row[s.l->n_row - 1].lambda, stick ? -torque : torque, torque,
                           EXACT);
        swing_free(&s);
    }
}

/* Whether the top falls off this end at this spin. */
static bool falls(double spin, bool stick, bool hertz)
{
    swing s = top(spin, stick, hertz);
    swing_start(&s);
    const bool unstable = s.modes.n_unstable > 0;
    swing_free(&s);
    return unstable;
}

/* a m g + (r/h) I1 (I3/I1 - r/h) Omega^2 = 0, whatever the pressure: 21.6998 and 88.107 rad/s. */
static void the_top_leaves_its_body_and_stays_on_its_stick_beyond_critical_spins(void **ctx)
{
    (void)ctx;
    static const double printed[2] = {21.6998, 88.107};
    for (int k = 0; k < 4; k++) {
        const bool stick = k & 1, hertz = k & 2;
        const double a = stick ? -16e-3 : 3e-3, r = stick ? 5e-3 : 15e-3, ratio = r / (r - a);
        const double exact =
            sqrt(-a * top_m * top_g / (ratio * top_I1 * (top_I3 / top_I1 - ratio)));
        double low = 0.9 * exact, high = 1.1 * exact;
        assert_true(falls(low, stick, hertz) == stick && falls(high, stick, hertz) != stick);
        while (high - low > 1e-7 * exact) {
            const double mid = 0.5 * (low + high);
            *(falls(mid, stick, hertz) == stick ? &low : &high) = mid;
        }
        assert_near_scaled(low, exact, exact, 1e-6);
        assert_near_scaled(exact, printed[stick], exact, 1e-5);
    }
}

/* A drive about the top's own axis, or none, is another machine: its torque leans with the axis.
 * The equation of n gets -i tau n, and slow precession grows at any spin. */
static void a_drive_about_the_top_s_own_axis_leans_with_it(void **ctx)
{
    (void)ctx;
    const char *const override[] = {"spin=22 rad/s", "tilt=0", NULL};
    swing s = {.r = rig_of_file(top_file, override)};
    swing_close(&s, "body", SP_CLOSED_ITSELF);
    swing_hold(&s, "top.joint.omega_own_z");
    swing_start(&s);
    const double pi = acos(-1.0), tau = 0.3 * top_m * top_g * 5e-4 * 3.0 * pi / 16.0;
    const double eps = 0.3 * top_m * top_g * 3.0 * pi / 8.0 / (22.0 * 5e-4);
    assert_int_equal(s.modes.n_unstable, 1);
    for (int i = 0; i < 3; i++) {
        const sp_mode *mode = moving(&s, i);
        double least = INFINITY;
        for (int sign = -1; sign <= 1; sign += 2) {
            const double complex z = mode->s.re + I * (sign * mode->s.im);
            const double complex p =
                top_polynomial(22.0, 3e-3, 15e-3, eps, z) + I * tau * (top_m * z + eps);
            least = fmin(least,
                         cabs(p) / (top_I1 * pow(cabs(z) + 22.0, 2.0) * (top_m * cabs(z) + eps)));
        }
        assert_true(least < 1e-10);
    }
    swing_free(&s);
}

/* Without spin it rolls: omega^2 = m g a/(I1 + m h^2), twice, and nothing is lost. */
static void the_top_at_rest_rolls_to_and_fro(void **ctx)
{
    (void)ctx;
    const char *const override[] = {"spin=0", "tilt=0.3 rad", NULL};
    swing s = {.r = rig_of_file(top_file, override)};
    swing_close(&s, "body", SP_CLOSED_ITSELF);
    swing_must(&s, true); /* finds its equilibrium from a tilt */
    const double w = sqrt(top_m * top_g * 3e-3 / (top_I1 + top_m * 12e-3 * 12e-3));
    for (int i = 0; i < 2; i++) {
        assert_near(moving(&s, i)->s.im, w, EXACT);
        assert_near_scaled(moving(&s, i)->s.re, 0.0, w, EXACT);
    }
    assert_int_equal(s.modes.n_unstable, 0);
    swing_free(&s);
}

/* ---- rolling --------------------------------------------------------------------------------- */

/* A disc that rolls straight on, upright:
 *     s^2 = m g r/(I1 + m r^2) - omega^2 I3 (I3 + m r^2)/(I1 (I1 + m r^2)),
 * hence stable from v^2 = g r/3 on. */
static void a_disc_rolls_upright_from_its_critical_speed_on(void **ctx)
{
    (void)ctx;
    const double m = 2.0, r = 0.1, I1 = 0.25 * m * r * r, I3 = 0.5 * m * r * r;
    const double critical = sqrt(9.81 * r / 3.0);
    for (int k = 0; k < 4; k++) {
        const double v = critical * (0.6 + 0.25 * k), w = v / r;
        swing s = {.r = rig_of_text(
                       "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nlaws: {rough: {mu: 10}}\n"
                       "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  wheel: {mass: 2 kg, inertia: [0.005 kg*m^2, 0.01 kg*m^2, 0.005 kg*m^2], "
                       "contours: {rim: {disc: 0.1 m, length: 0, axis: [0, 1, 0]}}}\n"
                       "contacts: {foot: {between: [wheel.rim, ground.floor], law: rough}}\n"
                       "start: {wheel.z: 0.1 m, wheel.vx: %.17g, wheel.omega_y: %.17g}\n",
                       v, w)};
        s.closed[s.hold.n_closed++] = (sp_closed){0, SP_CLOSED_ITSELF};
        swing_start(&s);
        const double s2 = m * 9.81 * r / (I1 + m * r * r) -
                          w * w * I3 * (I3 + m * r * r) / (I1 * (I1 + m * r * r));
        const sp_mode *mode = moving(&s, 0);
        assert_near_scaled(mode->s.re * mode->s.re - mode->s.im * mode->s.im, s2, w * w, 1e-8);
        assert_int_equal(s.modes.n_unstable > 0, v < critical);
        swing_free(&s);
    }
}

/* An egg spins upright on ice, its axes A, B across: seen from axes that turn along
 *     A x'' - (A+B-C) O y' + ((C-B) O^2 + k1) x = 0,  B y'' + (A+B-C) O x' + ((C-A) O^2 + k2) y = 0
 * with k of weight and curvature. */
static void an_egg_on_ice_is_seen_from_axes_that_turn_along(void **ctx)
{
    (void)ctx;
    const double A = 0.005, B = 0.011, C = 0.007, a = 0.1, b = 0.15, c = 0.08, weight = 2.0 * 9.81;
    const double k1 = weight * (b * b / c - c), k2 = weight * (a * a / c - c);
    for (int n = 1; n < 4; n++) {
        const double O = 12.0 * n;
        swing s = {.r = rig_of_text(
                       "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\n"
                       "bodies:\n  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  egg: {mass: 2 kg, inertia: [0.005 kg*m^2, 0.011 kg*m^2, 0.007 kg*m^2], "
                       "contours: {shell: {ellipsoid: [0.1 m, 0.15 m, 0.08 m]}}}\n"
                       "contacts: {foot: {between: [egg.shell, ground.floor], law: {mu: 0}}}\n"
                       "start: {egg.z: 0.08 m, egg.omega_z: %.17g}\n",
                       O)};
        swing_close(&s, "foot", SP_CLOSED_ITSELF);
        swing_start(&s);
        assert_int_equal(s.modes.axes, SP_AXES_TURNING);
        int found = 0;
        for (int i = 0; i < s.modes.n_mode; i++) {
            const sp_complex z = s.modes.mode[i].s;
            const double s2 = z.re * z.re - z.im * z.im, G = (A + B - C) * O;
            const double det =
                (A * s2 + (C - B) * O * O + k1) * (B * s2 + (C - A) * O * O + k2) + G * G * s2;
            const bool turned = fabs(hypot(z.re, z.im) - O) < 1e-6; /* places stand, axes turn */
            found += fabs(det) < 1e-8 * A * B * pow(z.im * z.im + O * O, 2.0);
            assert_true(fabs(det) < 1e-8 * A * B * pow(z.im * z.im + O * O, 2.0) || turned ||
                        s.modes.mode[i].kind == SP_MODE_FREE);
        }
        assert_true(found >= 2);
        swing_free(&s);
    }
}

/* ---- sliding --------------------------------------------------------------------------------- */

/* A ball on two slides that a drive pulls along x with v. */
static swing sled(const char *law, double v)
{
    return (swing){.r = rig_of_text(
                       "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  ball: {mass: 3 kg, inertia: 1 kg*m^2, joint: {free: ground, only: [x, y, "
                       "z]}, contours: {end: {sphere: 0.1 m}}}\n"
                       "contacts: {foot: {between: [ball.end, ground.floor], law: %s}}\n"
                       "start: {ball.z: 0.1 m, ball.vx: %.17g}\n",
                       law, v)};
}

/* Across the way it slides friction damps with mu g/v, along it with g dmu/dv. */
static void friction_damps_across_the_way_and_by_its_slope_along_it(void **ctx)
{
    (void)ctx;
    const double v = 0.4, g = 9.81;
    static const char *const law[3] = {"{mu: 0.3}", "{mu: 0.3 + 0.1*exp(-v/(0.5 m/s))}",
                                       "{mu: 0.3, mu_2: 0.5}"};
    const double falling = 0.1 * exp(-v / 0.5);
    const double across[3] = {0.3 * g / v, (0.3 + falling) * g / v, 0.25 / 0.3 * g / v};
    const double along[3] = {0.0, -falling / 0.5 * g, 0.0};
    for (int k = 0; k < 3; k++) {
        swing s = sled(law[k], v);
        swing_close(&s, "foot", SP_CLOSED_ITSELF);
        if (k != 1) {
            swing_hold(&s, "ball.joint.x");
        }
        swing_find(&s, false);
        assert_int_equal(s.status, SP_OK);
        bool seen[2] = {false, along[k] == 0.0};
        for (int i = 0; i < s.modes.n_mode; i++) {
            const sp_complex z = s.modes.mode[i].s;
            seen[0] |= fabs(z.re + across[k]) < EXACT * across[k] && z.im == 0.0;
            seen[1] |= fabs(z.re + along[k]) < EXACT * across[k] && z.im == 0.0;
        }
        assert_true(seen[0] && seen[1]);
        assert_int_equal(s.modes.n_unstable, along[k] < 0.0);
        assert_int_equal(s.modes.is_steady, k != 1); /* undriven it slows down */
        swing_free(&s);
    }
}

/* Rolling friction holds what does not roll; a spot that grows with the force is refused. */
static void what_small_motions_cannot_tell_is_said(void **ctx)
{
    (void)ctx;
    swing s = sled("{mu: 0.3, friction: contensou, hertz: {radius: 0.1 m, modulus: 1e9 Pa}}", 0.4);
    swing_close(&s, "foot", SP_CLOSED_ITSELF);
    swing_find(&s, false);
    assert_int_equal(s.status, SP_E_INPUT);
    assert_non_null(strstr(s.err.text, "constant 'radius'"));
    swing_free(&s);
}

/* A box on its four lower corners does not move; on ice it slides and turns. */
static void a_box_on_its_face_is_held_by_four_corners(void **ctx)
{
    (void)ctx;
    for (int ice = 0; ice < 2; ice++) {
        swing s = {.r = rig_of_text(
                       "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                       "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                       "  box: {mass: 3 kg, inertia: 1 kg*m^2, contours: {block: {box: [0.1 m, 0.2 "
                       "m, 0.1 m]}}}\n"
                       "contacts: {foot: {between: [box.block, ground.floor], law: {mu: %g}}}\n"
                       "start: {box.z: 0.05 m}\n",
                       ice ? 0.0 : 0.5)};
        for (int i = 0; i < 4; i++) {
            s.closed[s.hold.n_closed++] = (sp_closed){i, SP_CLOSED_ITSELF};
        }
        swing_find(&s, false);
        assert_int_equal(s.status, SP_OK);
        for (int i = 0; i < s.modes.n_mode; i++) {
            assert_int_equal(s.modes.mode[i].kind, SP_MODE_FREE);
        }
        assert_int_equal(s.l->n_move, ice ? 3 : 0);
        double sum = 0.0;
        for (int r = 0; r < s.l->n_row; r++) {
            sum += s.l->row[r].part == 0 ? s.l->row[r].lambda : 0.0;
        }
        assert_near(sum, 3.0 * 9.81, EXACT);
        swing_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top_has_the_eigenvalues_of_its_linear_theory),
        cmocka_unit_test(the_top_leaves_its_body_and_stays_on_its_stick_beyond_critical_spins),
        cmocka_unit_test(a_drive_about_the_top_s_own_axis_leans_with_it),
        cmocka_unit_test(the_top_at_rest_rolls_to_and_fro),
        cmocka_unit_test(a_disc_rolls_upright_from_its_critical_speed_on),
        cmocka_unit_test(an_egg_on_ice_is_seen_from_axes_that_turn_along),
        cmocka_unit_test(friction_damps_across_the_way_and_by_its_slope_along_it),
        cmocka_unit_test(what_small_motions_cannot_tell_is_said),
        cmocka_unit_test(a_box_on_its_face_is_held_by_four_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
