/* The kind of elastic beams: inertia and forces against places by a fine Gauss formula, places
 * against differences, and the geometry of a line that bends.   theory (72.1)-(72.5) */
#include "model/ritz.h"

#include "kinematics/kind.h"
#include "support/momentum.h"

#include <math.h>
#include <string.h>

enum { BEND = 3, STRETCH = 2, OWN = BEND + STRETCH, ALL = 6 + OWN, GAUSS = 60 };
#define STEP      2e-6 /* of central differences: round-off 1e-10 */
#define SLOPE_TOL 3e-8 /* third derivatives: rates of angles up to 25, cubed, STEP^2/6 */

static sp_arena arena;

static const sp_ritz *beam_of(sp_ritz_frame frame, double from)
{
    const sp_beam beam = {.length = 2.0,
                          .area = 0.3,
                          .inertia = {0.0, 0.0, 0.7},
                          .edge = {0.1, 0.0},
                          .young = 5.0,
                          .density = 1.5,
                          .n = {[SP_RITZ_Y] = BEND, [SP_RITZ_STRETCH] = STRETCH},
                          .frame = {frame, frame},
                          .modes = true,
                          .damping = 0.01,
                          .from = from};
    const sp_ritz *form = sp_ritz_of_beam(&arena, &arena, &beam);
    assert_non_null(form);
    return form;
}

static sp_deformed place(const sp_ritz *form, double x, double y, const double *e, const double *u,
                         sp_vec3 *phi, sp_vec3 *psi)
{
    sp_deformed d = {.phi = phi, .psi = psi};
    sp_ritz_kind.place(form, NULL, (double[3]){x, y, 0.0}, NULL, e, u, &d);
    return d;
}

static void draw(rng *r, double *e, double *u)
{
    for (int k = 0; k < OWN; k++) {
        e[k] = rng_in(r, -0.1, 0.1);
        u[k] = rng_in(r, -1.0, 1.0);
    }
}

static void near3(sp_vec3 a, sp_vec3 b, double tolerance)
{
    assert_near(sp_length3(sp_sub3(a, b)), 0.0, tolerance);
}

static void places_move_as_their_differences_say(void **ctx)
{
    (void)ctx;
    rng r = {71};
    const sp_ritz *form = beam_of(SP_RITZ_TANGENT, 0.5);
    for (int c = 0; c < 20; c++) {
        double e[OWN], u[OWN], side[2][OWN];
        sp_vec3 phi[3][OWN], psi[3][OWN];
        sp_deformed d[2];
        const double x = rng_in(&r, 0.0, 2.0), y = c % 2 ? rng_in(&r, -0.3, 0.3) : 0.0;
        draw(&r, e, u);
        const sp_deformed mid = place(form, x, y, e, u, phi[2], psi[2]);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < OWN; i++) {
                side[k][i] = e[i] + (k ? STEP : -STEP) * u[i];
            }
            d[k] = place(form, x, y, side[k], u, phi[k], psi[k]);
        }
        sp_vec3 v = {0.0, 0.0, 0.0}, bias = v;
        double spin = 0.0;
        for (int i = 0; i < OWN; i++) {
            v = sp_axpy3(v, u[i], phi[2][i]);
            bias = sp_axpy3(bias, 0.5 * u[i] / STEP, sp_sub3(phi[1][i], phi[0][i]));
            spin += u[i] * psi[2][i].z;
        }
        near3(v, sp_scale3(0.5 / STEP, sp_sub3(d[1].at, d[0].at)), SLOPE_TOL);
        near3(mid.bias, bias, SLOPE_TOL);
        assert_near(spin,
                    (atan2(d[1].R.x.y, d[1].R.x.x) - atan2(d[0].R.x.y, d[0].R.x.x)) * 0.5 / STEP,
                    SLOPE_TOL);
    }
}

/* M and k are sums over places, each with its mass; 60 Gauss points know all products. */
static void inertia_is_that_of_the_places(void **ctx)
{
    (void)ctx;
    rng r = {72};
    static const sp_ritz_frame frame[] = {SP_RITZ_TANGENT, SP_RITZ_CHORD, SP_RITZ_MEAN};
    double xi[GAUSS], weight[GAUSS];
    sp_gauss_legendre(GAUSS, xi, weight);
    for (int c = 0; c < 30; c++) {
        const sp_ritz *form = beam_of(frame[c % 3], 0.0);
        double e[OWN], u[OWN], M[ALL * ALL], h[ALL] = {0.0}, d[ALL] = {0.0};
        double M_0[ALL * ALL] = {0.0}, h_0[ALL] = {0.0};
        const sp_vec3 omega = {0.0, 0.0, rng_in(&r, -2.0, 2.0)};
        const sp_vec3 v = {rng_in(&r, -1.0, 1.0), rng_in(&r, -1.0, 1.0), 0.0};
        draw(&r, e, u);
        for (int g = 0; g < GAUSS; g++) {
            const sp_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
            sp_vec3 phi[OWN], psi[OWN], V[ALL], slip = {0.0, 0.0, 0.0};
            const sp_deformed at = place(form, 2.0 * xi[g], 0.0, e, u, phi, psi);
            for (int k = 0; k < ALL; k++) {
                V[k] = k < 3 ? axis[k] : k < 6 ? sp_cross3(axis[k - 3], at.at) : phi[k - 6];
                slip = k < 6 ? slip : sp_axpy3(slip, u[k - 6], phi[k - 6]);
            }
            sp_vec3 a = sp_add3(sp_spin_twice3(omega, at.at), at.bias);
            a = sp_axpy3(a, 2.0, sp_cross3(omega, slip));
            for (int i = 0; i < ALL * ALL; i++) {
                M_0[i] += form->mass * weight[g] * sp_inner3(V[i / ALL], V[i % ALL]);
            }
            for (int i = 0; i < ALL; i++) {
                h_0[i] -= form->mass * weight[g] * sp_inner3(V[i], a);
            }
        }
        sp_ritz_kind.inertia(form, NULL, e, M);
        sp_ritz_kind.forces(form, NULL, e, u, omega, h, d);
        for (int k = 0; k < OWN; k++) {
            h_0[6 + k] -= form->stiffness[k] * e[k];
            assert_near(d[6 + k], -2.0 * 0.01 * form->mass * form->omega[k] * u[k], 1e-12);
        }
        for (int i = 0; i < ALL * ALL; i++) {
            assert_near(M[i], M_0[i], 1e-11);
        }
        for (int i = 0; i < ALL; i++) {
            assert_near(h[i], h_0[i], 1e-10);
        }
        check_momentum(&sp_ritz_kind, form, OWN, e, u, v, omega, M);
    }
    print_message("worst difference %.1e\n", check_worst());
}

/* A memory changes nothing, whatever was asked for before. */
static void a_memory_changes_no_bit(void **ctx)
{
    (void)ctx;
    const sp_ritz *form = beam_of(SP_RITZ_CHORD, 0.0);
    void *memo = sp_arena_alloc(&arena, 1, sp_ritz_kind.memo);
    double e[OWN], u[OWN], M[2][ALL * ALL], h[2][ALL] = {{0.0}}, d[2][ALL] = {{0.0}};
    const sp_vec3 omega = {0.0, 0.0, 1.5};
    rng r = {5};
    for (int i = 0; i < 20; i++) {
        if (i % 3 != 1) { /* else the same again, or other rates alone */
            draw(&r, e, u);
        }
        u[0] += i % 3 == 2 ? 0.1 : 0.0;
        for (int k = 0; k < 2; k++) {
            sp_ritz_kind.forces(form, k ? memo : NULL, e, u, omega, h[k], d[k]);
            sp_ritz_kind.inertia(form, k ? memo : NULL, e, M[k]);
        }
        assert_memory_equal(M[0], M[1], sizeof M[0]);
        assert_memory_equal(h[0], h[1], sizeof h[0]);
    }
}

/* Without stretch the axis keeps its length, and its tangent is the angle: up to what 8 nodes do
 * not know of cos and sin of the angle, which falls with its square. */
static void a_line_that_bends_keeps_its_length(void **ctx)
{
    (void)ctx;
    const sp_ritz *form = beam_of(SP_RITZ_TANGENT, 0.0);
    const double u[OWN] = {0.0};
    double worst[2] = {0.0, 0.0};
    for (int c = 0; c < 2; c++) {
        const double e[OWN] = {c ? 0.05 : 0.1, 0.0, 0.0, 0.0, 0.0};
        for (double x = 0.1; x < 2.0; x += 0.1) {
            sp_vec3 phi[OWN], psi[OWN];
            const sp_deformed a = place(form, x - STEP, 0.0, e, u, phi, psi);
            const sp_deformed b = place(form, x + STEP, 0.0, e, u, phi, psi);
            const sp_deformed mid = place(form, x, 0.0, e, u, phi, psi);
            const sp_vec3 tangent = sp_scale3(0.5 / STEP, sp_sub3(b.at, a.at));
            worst[c] = fmax(worst[c], sp_length3(sp_sub3(tangent, mid.R.x)));
        }
    }
    print_message("tangent against angle %.1e, at half the deflection %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] < 1e-3 && worst[1] < 0.26 * worst[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_move_as_their_differences_say),
        cmocka_unit_test(inertia_is_that_of_the_places),
        cmocka_unit_test(a_memory_changes_no_bit),
        cmocka_unit_test(a_line_that_bends_keeps_its_length),
    };
    sp_arena_init(&arena, NULL, 0);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sp_arena_free(&arena);
    return failed;
}
