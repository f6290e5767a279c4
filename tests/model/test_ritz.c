/* Functions of beams: frequencies of all ends by their characteristic equations, orthogonality,
 * what the frames take away.   theory (72.7)-(72.11) */
#include "model/ritz.h"

#include "support/check.h"

#include <math.h>

#define FREQUENCY_TOL 1e-10 /* relative; convergence of 2 n + 12 polynomials is far better */

enum { N = 6 };

/* Root of one of the characteristic equations in beta near a guess, by Newton. */
static double root(int equation, double beta)
{
    for (int k = 0; k < 50; k++) {
        const double c = cos(beta), s = sin(beta), t = tanh(beta), over = 1.0 / cosh(beta);
        const double f[] = {c - over, c + over, s - c * t, s + c * t};
        const double d[] = {-s + over * t, -s - over * t, c + s * t - c * over * over,
                            c - s * t + c * over * over};
        beta -= f[equation] / d[equation];
    }
    return beta;
}

/* beta_k of elastic mode k = 1, 2, ... */
static double beta_of(sp_beam_end a, sp_beam_end z, int k)
{
    const double pi = 3.141592653589793;
    const bool hard = a == SP_END_CLAMPED || z == SP_END_CLAMPED;
    const int free = (a == SP_END_FREE) + (z == SP_END_FREE);
    const int pins = (a == SP_END_PINNED) + (z == SP_END_PINNED);
    const int guides = (a == SP_END_GUIDED) + (z == SP_END_GUIDED);
    if (pins == 2 || guides == 2) {
        return k * pi;
    }
    if (pins == 1 && guides == 1) {
        return (k - 0.5) * pi;
    }
    if (pins == 1) { /* clamped or free: tan = tanh */
        return root(2, (k + 0.25) * pi);
    }
    if (guides == 1) { /* clamped or free: tan = -tanh */
        return root(3, (k - 0.25) * pi);
    }
    if (hard && free == 1) {
        return root(1, (k - 0.5) * pi);
    }
    return root(0, (k + 0.5) * pi);
}

static const sp_ritz *form_of(sp_arena *arena, sp_beam beam)
{
    beam.length = beam.area = beam.inertia[2] = beam.edge[0] = beam.young = beam.density = 1.0;
    beam.inertia[0] = beam.inertia[1] = beam.polar = beam.shear_modulus = 1.0;
    const sp_ritz *form = sp_ritz_of_beam(arena, arena, &beam);
    assert_non_null(form);
    return form;
}

static void frequencies_are_those_of_the_ends(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 16; k++) {
        const sp_beam_end a = (sp_beam_end)(k / 4), z = (sp_beam_end)(k % 4);
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_ritz *form = form_of(
            &arena, (sp_beam){.n = {N}, .end = {{a, z}}, .modes = true, .frame = {SP_RITZ_HELD}});
        for (int i = 0; i < N; i++) {
            const double beta = beta_of(a, z, i + 1);
            assert_near_scaled(form->omega[i], beta * beta, beta * beta, FREQUENCY_TOL);
        }
        sp_arena_free(&arena);
    }
    print_message("worst relative difference %.1e\n", check_worst());
}

static void bars_stretch_with_their_waves(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_ritz *form =
            form_of(&arena, (sp_beam){.n = {[SP_RITZ_STRETCH] = N},
                                      .modes = true,
                                      .frame = {k ? SP_RITZ_MEAN : SP_RITZ_HELD}});
        for (int i = 0; i < N; i++) {
            const double omega = (i + (k ? 1.0 : 0.5)) * 3.141592653589793;
            assert_near_scaled(form->omega[i], omega, omega, FREQUENCY_TOL);
        }
        sp_arena_free(&arena);
    }
}

/* n polynomials clamped at 0 are x^2 ... x^(n+1): the first frequency by two of them is that of
 * their 2 x 2 problem, (1, 2) over (x^2, x^3). */
static void polynomials_are_those_of_the_lowest_degrees(void **ctx)
{
    (void)ctx;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const sp_ritz *form = form_of(
        &arena,
        (sp_beam){.n = {2}, .end = {{SP_END_CLAMPED, SP_END_FREE}}, .frame = {SP_RITZ_HELD}});
    /* K = [4, 6; 6, 12], M = [1/5, 1/6; 1/6, 1/7]:  det(K - s M) = 0 */
    const double a = 1.0 / 35.0 - 1.0 / 36.0, b = -(4.0 / 7.0 + 12.0 / 5.0 - 2.0), c = 12.0;
    const double s = (-b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    assert_near_scaled(form->omega[0] * form->omega[0], s, s, 1e-12);
    sp_arena_free(&arena);
}

/* Products of fields over the points of the mass are integrals over the beam: of functions 1 (m),
 * and what the frame demands of each. */
static void frames_take_rigid_motions_away(void **ctx)
{
    (void)ctx;
    static const sp_ritz_frame frame[] = {SP_RITZ_TANGENT, SP_RITZ_CHORD, SP_RITZ_MEAN};
    for (int k = 0; k < 3; k++) {
        sp_arena arena;
        sp_arena_init(&arena, NULL, 0);
        const sp_ritz *form =
            form_of(&arena, (sp_beam){.n = {[SP_RITZ_Y] = N, [SP_RITZ_STRETCH] = 2},
                                      .modes = true,
                                      .frame = {frame[k], frame[k]}});
        double at[2][SP_RITZ_ROW];
        sp_ritz_row(form, 0.0, at[0]);
        sp_ritz_row(form, 1.0, at[1]);
        for (int i = 0; i < form->n; i++) {
            double mean = 0.0, moment = 0.0;
            for (int g = 0; g < form->n_point; g++) {
                mean += form->one[g] * form->shape[i * form->stride + g];
                moment += form->x[g] * form->shape[i * form->stride + g];
            }
            if (frame[k] == SP_RITZ_MEAN) {
                assert_near(mean, 0.0, 1e-12);
                assert_near(i < N ? moment : 0.0, 0.0, 1e-12);
            } else {
                assert_near(at[0][i], 0.0, 1e-12);
                assert_near(i >= N   ? 0.0
                            : k == 0 ? at[0][form->n + i] /* slope */
                                     : at[1][i],
                            0.0, 1e-9);
            }
        }
        sp_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_the_ends),
        cmocka_unit_test(bars_stretch_with_their_waves),
        cmocka_unit_test(polynomials_are_those_of_the_lowest_degrees),
        cmocka_unit_test(frames_take_rigid_motions_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
