/* Rows of drilling and rolling: velocities, directions and rates against differences in time.
 * theory (19.26), (19.27) */
#include "contact/pair3.h"
#include "contact/spin3.h"
#include "support/space.h"

#include <string.h>

enum { ROWS = 3 };
static const double LEVER = 0.03;

/* A ball of body 1 and a plane, ball or bore of body 3, which both move. */
static void random_pair(space *s, rng *r, int kind, sp_contour *contour,
                        sp_contour_numbers *numbers)
{
    space_random(s, r, 3, 0.5, -1);
    contour[0] = (sp_contour){.kind = SP_CONTOUR_SPHERE, .body = 1};
    contour[1] = (sp_contour){.kind = kind == 0   ? SP_CONTOUR_PLANE
                                      : kind == 1 ? SP_CONTOUR_SPHERE
                                                  : SP_CONTOUR_CYLINDER,
                              .body = 3};
    numbers[0] = (sp_contour_numbers){.mark = {.body = 1, .at = {0.3, -0.2, 0.5}}, .radius = 0.2};
    numbers[1] = (sp_contour_numbers){.mark = {.body = 3, .at = {0.1, 0.4, -0.6}}, .radius = 0.1};
    space_direction(r, numbers[1].axis);
    s->m.contour = contour;
    s->m.numbers.contour = numbers;
}

/* Spins times the lever about n, t1, t2 at q, u; the frame there. */
static void spins_at(space *s, const double *q, const double *u, sp_contact_frame3 *f,
                     double gamma[ROWS])
{
    space_move(s, q, u);
    sp_pair3_frame(&s->m, &s->m.numbers, &s->kin, 0, 1, f);
    const sp_vec3 omega =
        sp_sub3(point_spin(&s->kin, f->mark[0]->body), point_spin(&s->kin, f->mark[1]->body));
    gamma[0] = LEVER * sp_inner3(f->n, omega);
    gamma[1] = LEVER * sp_inner3(f->t[0], omega);
    gamma[2] = LEVER * sp_inner3(f->t[1], omega);
}

static void rows_times_velocities_are_the_spins(void **ctx)
{
    (void)ctx;
    static space s;
    rng r = {21};
    const sp_set set = {.kind = SP_SET_CONTENSOU_ROLLING};
    for (int n = 0; n < check_cases(100, 3000); n++) {
        sp_contour contour[2];
        sp_contour_numbers numbers[2];
        sp_contact_frame3 f;
        double gamma[ROWS], W[6][64];
        int sup[64];
        random_pair(&s, &r, n % 3, contour, numbers);
        spins_at(&s, s.q, s.u, &f, gamma);
        sp_vec3 e[6] = {f.n, f.t[0], f.t[1]};
        const sp_spot on_a = sp_frame3_spot(&s.kin, &f, 0), on_b = sp_frame3_spot(&s.kin, &f, 1);
        const sp_spot_pair pair = {&on_a, &on_b, 3, sp_spin3_axes(&set, &f, e + 3), e};
        assert_int_equal(pair.n_about, ROWS);
        const int n_sup = sp_pair_rows(&s.m, &s.kin, &pair, sup, W[0], 64);
        for (int i = 0; i < ROWS; i++) {
            double sum = 0.0;
            for (int k = 0; k < n_sup; k++) {
                sum += LEVER * W[3 + i][k] * s.u[sup[k]];
            }
            assert_near_scaled(sum, gamma[i], 1.0, 1e-13);
        }
        assert_near_scaled(LEVER * sp_spin3_drill(&s.kin, &f), gamma[0], 1.0, 1e-14);
        space_free(&s);
    }
}

/* With u' = 0 the rate of a spin is its bias: central differences, extrapolated. */
static void the_bias_is_the_rate_of_the_spins_at_constant_velocities(void **ctx)
{
    (void)ctx;
    static space s;
    rng r = {22};
    const sp_set set = {.kind = SP_SET_CONTENSOU_ROLLING};
    for (int n = 0; n < check_cases(60, 2000); n++) {
        sp_contour contour[2];
        sp_contour_numbers numbers[2];
        sp_contact_frame3 f, g;
        double gamma[ROWS], w_bar[ROWS], slope[2][ROWS];
        random_pair(&s, &r, n % 3, contour, numbers);
        spins_at(&s, s.q, s.u, &f, gamma);
        sp_spin3_bias(&s.kin, &f, &set, LEVER, w_bar);
        bool jumps = false;
        for (int k = 0; k < 2; k++) {
            const double dt = k == 0 ? 2e-4 : 1e-4;
            double side[2][ROWS], q[SPACE_Q];
            for (int j = 0; j < 2; j++) {
                memcpy(q, s.q, (size_t)s.m.n_q * sizeof *q);
                sp_kin_advance(&s.m, j == 0 ? -dt : dt, s.u, q);
                spins_at(&s, q, s.u, &g, side[j]);
                jumps = jumps || sp_inner3(g.t[0], f.t[0]) < 0.99; /* tangents on another axis */
            }
            for (int i = 0; i < ROWS; i++) {
                slope[k][i] = (side[1][i] - side[0][i]) / (2.0 * dt);
            }
        }
        for (int i = 0; i < ROWS && !jumps; i++) {
            const double best = (4.0 * slope[1][i] - slope[0][i]) / 3.0;
            assert_near_scaled(w_bar[i], best, 1.0, 1e-7);
        }
        space_free(&s);
    }
}

static void a_law_becomes_the_set_that_it_says(void **ctx)
{
    (void)ctx;
    const sp_law plain = {.drills = false}, spot = {.drills = true};
    sp_law_numbers n = {.mu = 0.3, .spot = {.radius = 2e-3}, .lever = 2e-3};
    sp_set s = sp_spin3_set(&plain, &n, 1e-3);
    assert_true(s.kind == SP_SET_DISC && s.mu == 0.3 && !s.shifted);
    s = sp_spin3_set(&spot, &n, 1e-3);
    assert_true(s.kind == SP_SET_CONTENSOU && s.mu == 0.3 && s.R == 1.0 && !s.shifted);
    n.spot.rolling = 1e-3;
    s = sp_spin3_set(&spot, &n, 1e-3);
    assert_true(s.kind == SP_SET_CONTENSOU_ROLLING && s.mu_2 == 0.5);
    s = sp_spin3_set(&plain, &n, 1e-3);
    assert_true(s.kind == SP_SET_ROLLING && s.mu_2 == 0.5);
    n.spot.rolling = 0.0;
    n.spot.adhesion = 4.0;
    s = sp_spin3_set(&plain, &n, 0.5);
    assert_true(s.kind == SP_SET_DISC && s.shifted && s.shift[0] == -2.0);
    n.mu = 0.0;
    s = sp_spin3_set(&spot, &n, 0.5);
    assert_true(s.kind == SP_SET_HALF_LINE && s.shifted && s.shift[0] == -2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_times_velocities_are_the_spins),
        cmocka_unit_test(the_bias_is_the_rate_of_the_spins_at_constant_velocities),
        cmocka_unit_test(a_law_becomes_the_set_that_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
