/* The kind of elastic beams in space: places against differences, forces by the equations of
 * Lagrange and Hamel from differences of M and of the energy, M and the energy from places by a
 * fine Gauss formula, and the plane as a part of space.   theory (72.13)-(72.18) */
#include "model/ritz.h"

#include "kinematics/kind.h"
#include "support/momentum.h"

#include <math.h>
#include <string.h>

enum { BEND = 3, TWIST = 2, STRETCH = 2, OWN = 2 * BEND + TWIST + STRETCH, ALL = 6 + OWN };
enum { GAUSS = 60, PLANE = BEND + STRETCH };
#define STEP      2e-6 /* of central differences: round-off 1e-10 */
#define PLACE_TOL 1e-7 /* third derivatives: rates of angles up to 40, cubed, STEP^2/6 */
#define WIDE      1e-3 /* of differences of order four: round-off 1e-11, WIDE^4 times 40^5/30 */

static sp_arena arena;

static const sp_ritz *beam_of(sp_ritz_frame frame, double from, double polar)
{
    const sp_beam beam = {.length = 2.0,
                          .area = 0.3,
                          .inertia = {0.5, 0.4, 0.7},
                          .polar = polar,
                          .edge = {0.1, 0.1},
                          .young = 5.0,
                          .shear_modulus = 2.0,
                          .density = 1.5,
                          .n = {BEND, BEND, TWIST, STRETCH},
                          .frame = {frame, frame},
                          .modes = true,
                          .damping = 0.01,
                          .from = from};
    const sp_ritz *form = sp_ritz_of_beam(&arena, &arena, &beam);
    assert_non_null(form);
    return form;
}

static sp_deformed place(const sp_ritz *form, const double at[3], const double *e, const double *u,
                         sp_vec3 *phi, sp_vec3 *psi)
{
    sp_deformed d = {.phi = phi, .psi = psi};
    sp_ritz_space_kind.place(form, NULL, at, NULL, e, u, &d);
    return d;
}

static void draw(rng *r, double size, double *e, double *u)
{
    for (int k = 0; k < OWN; k++) {
        e[k] = rng_in(r, -size, size);
        u[k] = rng_in(r, -1.0, 1.0);
    }
}

static void near3(sp_vec3 a, sp_vec3 b, double tolerance)
{
    assert_near(sp_length3(sp_sub3(a, b)), 0.0, tolerance);
}

/* Half of the axial vector of A^T B, turned by R: the small rotation from A to B. */
static sp_vec3 between(sp_rot3 R, sp_rot3 A, sp_rot3 B)
{
    const sp_rot3 D = sp_rot3_mul_back(A, B);
    return sp_rotate3(
        R, (sp_vec3){0.5 * (D.y.z - D.z.y), 0.5 * (D.z.x - D.x.z), 0.5 * (D.x.y - D.y.x)});
}

static void places_move_as_their_differences_say(void **ctx)
{
    (void)ctx;
    rng r = {73};
    const sp_ritz *form = beam_of(SP_RITZ_TANGENT, 0.5, 1.1);
    for (int c = 0; c < 20; c++) {
        double e[OWN], u[OWN], side[2][OWN];
        sp_vec3 phi[3][OWN], psi[3][OWN];
        sp_deformed d[2];
        const double off = c % 2 ? 0.3 : 0.0;
        const double at[3] = {rng_in(&r, 0.0, 2.0), rng_in(&r, -off, off), rng_in(&r, -off, off)};
        draw(&r, c == 0 ? 0.0 : 0.1, e, u);
        const sp_deformed mid = place(form, at, e, u, phi[2], psi[2]);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < OWN; i++) {
                side[k][i] = e[i] + (k ? STEP : -STEP) * u[i];
            }
            d[k] = place(form, at, side[k], u, phi[k], psi[k]);
        }
        sp_vec3 v = {0.0, 0.0, 0.0}, w = v, bias = v, spin_bias = v;
        for (int i = 0; i < OWN; i++) {
            v = sp_axpy3(v, u[i], phi[2][i]);
            w = sp_axpy3(w, u[i], psi[2][i]);
            bias = sp_axpy3(bias, 0.5 * u[i] / STEP, sp_sub3(phi[1][i], phi[0][i]));
            spin_bias = sp_axpy3(spin_bias, 0.5 * u[i] / STEP, sp_sub3(psi[1][i], psi[0][i]));
        }
        near3(v, sp_scale3(0.5 / STEP, sp_sub3(d[1].at, d[0].at)), PLACE_TOL);
        near3(w, sp_scale3(0.5 / STEP, between(mid.R, d[0].R, d[1].R)), PLACE_TOL);
        near3(mid.bias, bias, PLACE_TOL);
        near3(mid.spin_bias, spin_bias, PLACE_TOL);
    }
}

/* Difference of order four of a function of n numbers along direction d of e. */
typedef void function(const sp_ritz *form, const double *e, double *out);

static void mass_of(const sp_ritz *form, const double *e, double *M)
{
    sp_ritz_space_kind.inertia(form, NULL, e, M);
}

static void energy_of(const sp_ritz *form, const double *e, double *U)
{
    *U = sp_ritz_space_kind.energy(form, e);
}

static void slope(const sp_ritz *form, function *f, const double *e, const double *d, int n,
                  double *out)
{
    static const double at[] = {-2.0, -1.0, 1.0, 2.0},
                        weight[] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    double value[ALL * ALL], x[OWN];
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < OWN; i++) {
            x[i] = e[i] + at[k] * WIDE * d[i];
        }
        f(form, x, value);
        for (int i = 0; i < n; i++) {
            out[i] += weight[k] / WIDE * value[i];
        }
    }
}

/* For zero accelerations, p = M w, w = (0, omega, u), p = (P, L, p_e):
 *   - h = (omega x P, omega x L, 0) + p' at M' along u - (0, 0, 1/2 w^T dM/de w - dU/de). */
static void forces_are_those_of_lagrange_and_hamel(void **ctx)
{
    (void)ctx;
    rng r = {74};
    static const sp_ritz_frame frame[] = {SP_RITZ_TANGENT, SP_RITZ_CHORD, SP_RITZ_MEAN};
    for (int c = 0; c < 12; c++) {
        const sp_ritz *form = beam_of(frame[c % 3], 0.0, 1.1);
        double e[OWN], u[OWN], M[ALL * ALL], D[ALL * ALL], w[ALL] = {0.0}, p[ALL], h_0[ALL];
        double h[ALL] = {0.0}, d[ALL] = {0.0};
        draw(&r, 0.05, e, u);
        for (int k = 3; k < ALL; k++) {
            w[k] = k < 6 ? rng_in(&r, -2.0, 2.0) : u[k - 6];
        }
        const sp_vec3 omega = sp_vec3_of(w + 3);
        mass_of(form, e, M);
        slope(form, mass_of, e, u, ALL * ALL, D);
        for (int i = 0; i < ALL; i++) {
            p[i] = h_0[i] = 0.0;
            for (int j = 0; j < ALL; j++) {
                p[i] += M[i * ALL + j] * w[j];
                h_0[i] -= D[i * ALL + j] * w[j];
            }
        }
        for (int k = 0; k < 2; k++) {
            const sp_vec3 turn = sp_cross3(omega, sp_vec3_of(p + 3 * k));
            h_0[3 * k] -= turn.x;
            h_0[3 * k + 1] -= turn.y;
            h_0[3 * k + 2] -= turn.z;
        }
        for (int k = 0; k < OWN; k++) {
            double one[OWN] = {0.0}, dU;
            one[k] = 1.0;
            slope(form, mass_of, e, one, ALL * ALL, D);
            slope(form, energy_of, e, one, 1, &dU);
            for (int i = 0; i < ALL * ALL; i++) {
                h_0[6 + k] += 0.5 * w[i / ALL] * D[i] * w[i % ALL];
            }
            h_0[6 + k] -= dU;
        }
        sp_ritz_space_kind.forces(form, NULL, e, u, omega, h, d);
        for (int i = 0; i < ALL; i++) {
            assert_near_scaled(h[i], h_0[i], 100.0, 1e-7); /* forces of a few hundred */
        }
        mass_of(form, e, M);
        check_momentum(&sp_ritz_space_kind, form, OWN, e, u, (sp_vec3){0.4, -0.7, 1.1}, omega, M);
    }
    print_message("worst difference %.1e\n", check_worst());
}

/* Kinetic energy of the axis from its places, exactly; of twisting sections and strain from
 * sections, up to what the nodes do not know. */
static void energies_are_those_of_the_places(void **ctx)
{
    (void)ctx;
    rng r = {75};
    double xi[GAUSS], weight[GAUSS];
    sp_gauss_legendre(GAUSS, xi, weight);
    for (int c = 0; c < 12; c++) {
        const bool sections = c % 2;
        const sp_ritz *form = beam_of(SP_RITZ_TANGENT, 0.0, sections ? 1.1 : 0.0);
        double e[OWN], u[OWN], w[ALL], M[ALL * ALL], T = 0.0, T_0 = 0.0, U_0 = 0.0;
        draw(&r, sections ? 0.02 : 0.1, e, u);
        for (int k = 0; k < OWN && sections; k++) { /* the lowest ones, which 8 nodes know */
            const bool lowest = k % BEND == 0 && k <= 2 * BEND;
            e[k] *= lowest ? 1.0 : 0.0;
            u[k] *= lowest ? 1.0 : 0.0;
        }
        for (int k = 0; k < ALL; k++) {
            w[k] = k < 6 ? rng_in(&r, -1.0, 1.0) : u[k - 6];
        }
        mass_of(form, e, M);
        for (int i = 0; i < ALL * ALL; i++) {
            T += 0.5 * w[i / ALL] * M[i] * w[i % ALL];
        }
        const sp_vec3 v = sp_vec3_of(w), omega = sp_vec3_of(w + 3);
        for (int g = 0; g < GAUSS; g++) {
            sp_vec3 phi[OWN], psi[OWN];
            const double at[3] = {2.0 * xi[g], 0.0, 0.0}, m = 2.0 * 1.5 * weight[g];
            const sp_deformed d = place(form, at, e, u, phi, psi);
            sp_vec3 slip = sp_add3(v, sp_cross3(omega, d.at)), spin = omega;
            for (int k = 0; k < OWN; k++) {
                slip = sp_axpy3(slip, u[k], phi[k]);
                spin = sp_axpy3(spin, u[k], psi[k]);
            }
            const double axial = sp_inner3(spin, d.R.x);
            T_0 += 0.5 * m * (0.3 * sp_inner3(slip, slip) + form->beam.polar * axial * axial);
            const double side[2][3] = {{at[0] - 1e-5, 0.0, 0.0}, {at[0] + 1e-5, 0.0, 0.0}};
            const sp_rot3 A = place(form, side[0], e, u, phi, psi).R;
            const sp_rot3 B = place(form, side[1], e, u, phi, psi).R;
            const sp_vec3 kappa = sp_scale3(0.5e5, between(sp_rot3_one(), A, B));
            U_0 += weight[g] * (2.0 * 0.5 * kappa.x * kappa.x + 5.0 * 0.4 * kappa.y * kappa.y +
                                5.0 * 0.7 * kappa.z * kappa.z);
        }
        assert_near_scaled(T, T_0, T_0,
                           sections ? 1e-5 : 1e-12); /* slope times twist by 8 nodes: 1e-6 */
        if (sections) {                              /* stretch stores EA/2 w'^2 beside */
            double stretch = 0.0;
            for (int k = OWN - STRETCH; k < OWN; k++) {
                stretch += 0.5 * form->stiffness[k] * e[k] * e[k];
            }
            assert_near_scaled(sp_ritz_space_kind.energy(form, e) - stretch, U_0, U_0, 1e-5);
        }
    }
}

static const sp_ritz *plane_beam(sp_ritz_frame frame)
{
    sp_beam beam = beam_of(frame, 0.0, 1.1)->beam;
    beam.n[SP_RITZ_Z] = beam.n[SP_RITZ_TWIST] = 0;
    const sp_ritz *form = sp_ritz_of_beam(&arena, &arena, &beam);
    assert_non_null(form);
    return form;
}

/* Number of an own velocity of the plane in space. */
static int in_space(int k)
{
    return k < 6 + BEND ? k : k + BEND + TWIST;
}

static void the_plane_is_a_part_of_space(void **ctx)
{
    (void)ctx;
    rng r = {76};
    for (int c = 0; c < 10; c++) {
        const sp_ritz_frame frame = c % 2 ? SP_RITZ_CHORD : SP_RITZ_MEAN;
        const sp_ritz *space = beam_of(frame, 0.0, 1.1), *plane = plane_beam(frame);
        double e[OWN] = {0.0}, u[OWN] = {0.0}, e_2[PLANE], u_2[PLANE], M[ALL * ALL],
               M_2[(6 + PLANE) * (6 + PLANE)], h[ALL] = {0.0}, h_2[6 + PLANE] = {0.0}, d[ALL];
        const sp_vec3 omega = {0.0, 0.0, rng_in(&r, -2.0, 2.0)};
        for (int k = 0; k < PLANE; k++) {
            e[in_space(6 + k) - 6] = e_2[k] = rng_in(&r, -0.1, 0.1);
            u[in_space(6 + k) - 6] = u_2[k] = rng_in(&r, -1.0, 1.0);
        }
        sp_ritz_space_kind.inertia(space, NULL, e, M);
        sp_ritz_kind.inertia(plane, NULL, e_2, M_2);
        sp_ritz_space_kind.forces(space, NULL, e, u, omega, h, d);
        sp_ritz_kind.forces(plane, NULL, e_2, u_2, omega, h_2, d);
        static const int in_plane[] = {0, 1, 5};
        for (int i = 0; i < 3 + PLANE; i++) {
            const int a = i < 3 ? in_plane[i] : 3 + i, A = in_space(a);
            assert_near(h[A], h_2[a], 1e-11);
            for (int j = 0; j < 3 + PLANE; j++) {
                const int z = j < 3 ? in_plane[j] : 3 + j;
                assert_near(M[A * ALL + in_space(z)], M_2[a * (6 + PLANE) + z], 1e-12);
            }
        }
        for (int k = 2; k < 6 + BEND + BEND + TWIST; k++) { /* nothing leaves the plane */
            if ((k < 5 || k >= 6 + BEND) && k != 0) {
                assert_near(h[k], 0.0, 1e-12);
            }
        }
        assert_near(sp_ritz_space_kind.energy(space, e), sp_ritz_kind.energy(plane, e_2), 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_move_as_their_differences_say),
        cmocka_unit_test(forces_are_those_of_lagrange_and_hamel),
        cmocka_unit_test(energies_are_those_of_the_places),
        cmocka_unit_test(the_plane_is_a_part_of_space),
    };
    sp_arena_init(&arena, NULL, 0);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sp_arena_free(&arena);
    return failed;
}
