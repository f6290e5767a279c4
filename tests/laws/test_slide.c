/* Friction by groups: against the dissipation potential by finite differences, and against the
 * projection. */
#include "laws/slide.h"

#include "laws/ball.h"
#include "support/check.h"

#include <string.h>

enum { DIM = SP_SET_DIM_MAX };

/* A random set with friction. */
static sp_set random_set(rng *r)
{
    const double mu = rng_in(r, 0.05, 1.5), mu_2 = rng_in(r, 0.05, 1.5);
    const sp_pressure p = rng_flip(r) ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM;
    sp_set s = sp_set_contensou(mu, p, pow(10.0, rng_in(r, -1.5, 1.0)), rng_in(r, 0.0, 1.0));
    switch (rng_int(r, 6)) {
    case 0:
        return sp_set_planar(mu);
    case 1:
        return sp_set_disc(mu);
    case 2:
        return sp_set_ellipse(mu, mu_2);
    case 3:
        return sp_set_rolling(mu, mu_2);
    case 4:
        s.kind = SP_SET_CONTENSOU_ROLLING;
        s.mu_2 = mu_2;
        return s;
    default:
        return s;
    }
}

/* lambda_F = -N d phi/d xi, by central differences of the potential. */
static void drag_is_the_slope_of_the_dissipation(void **ctx)
{
    (void)ctx;
    rng r = {11};
    for (int k = 0; k < check_cases(500, 20000); k++) {
        const sp_set s = random_set(&r);
        const double N = rng_in(&r, 0.1, 5.0), h = 1e-5;
        double xi[DIM], drag[DIM] = {0.0};
        sp_group g[SP_GROUPS];
        const int n = sp_slide_groups(&s, g);
        for (int a = 0; a < DIM; a++) {
            xi[a] = (rng_flip(&r) ? 1.0 : -1.0) * rng_in(&r, 0.3, 1.0);
        }
        for (int i = 0; i < n; i++) {
            sp_slide_drag(&s, i, N, xi + g[i].first, drag + g[i].first);
        }
        for (int a = 1; a < sp_set_dim(&s); a++) {
            double up[DIM], down[DIM];
            memcpy(up, xi, sizeof up);
            memcpy(down, xi, sizeof down);
            up[a] += h;
            down[a] -= h;
            const double slope =
                (sp_set_dissipation(&s, N, up) - sp_set_dissipation(&s, N, down)) / (2.0 * h);
            assert_near(N * drag[a], -slope, 1e-7);
        }
    }
}

/* Forces that slide are on the limit; nearer to zero there is a reserve, farther away a lack; and
 * the plane through the limit bounds all that friction can do. */
static void the_reserve_is_zero_where_friction_slides(void **ctx)
{
    (void)ctx;
    rng r = {12};
    for (int k = 0; k < check_cases(300, 10000); k++) {
        const sp_set s = random_set(&r);
        const double N = rng_in(&r, 0.1, 5.0);
        double xi[DIM], other[DIM], P[DIM], Q[DIM], out[DIM];
        sp_group g[SP_GROUPS];
        const int n = sp_slide_groups(&s, g), i = rng_int(&r, n);
        const double limit = (i == 0 ? s.mu : s.mu_2) * N;
        for (int a = 0; a < DIM; a++) {
            xi[a] = rng_in(&r, -1.0, 1.0);
            other[a] = rng_in(&r, -1.0, 1.0);
        }
        sp_slide_drag(&s, i, N, xi, P);
        sp_slide_drag(&s, i, N, other, Q);
        double sum = 0.0, inner = 0.0;
        for (int a = 0; a < g[i].n; a++) {
            P[a] *= N;
            Q[a] *= N;
        }
        assert_near_scaled(sp_slide_reserve(&s, i, N, P, out), 0.0, limit, 1e-12);
        for (int a = 0; a < g[i].n; a++) {
            sum += out[a] * Q[a];
            inner += out[a] * P[a];
        }
        assert_near_scaled(inner, limit, limit, 1e-12);
        assert_true(sum <= limit * (1.0 + 1e-12));
        for (int a = 0; a < g[i].n; a++) {
            Q[a] = 0.5 * P[a];
            P[a] *= 1.25;
        }
        assert_near_scaled(sp_slide_reserve(&s, i, N, Q, NULL), 0.5 * limit, limit, 1e-12);
        assert_near_scaled(sp_slide_reserve(&s, i, N, P, NULL), -0.25 * limit, limit, 1e-12);
    }
}

/* What is left of a set projects the rows that are left as the whole set does. */
static void what_rests_is_a_set_of_its_own(void **ctx)
{
    (void)ctx;
    rng r = {13};
    for (int k = 0; k < check_cases(500, 20000); k++) {
        sp_set s = random_set(&r);
        sp_group g[SP_GROUPS];
        const int n = sp_slide_groups(&s, g), sliding = rng_int(&r, n == 2 ? 4 : 2);
        if (rng_flip(&r)) {
            s = sp_set_adhere(s, rng_in(&r, 0.0, 1.0));
        }
        int rows[DIM];
        double x[DIM], y[DIM];
        for (int a = 0; a < DIM; a++) {
            x[a] = rng_in(&r, -2.0, 3.0);
        }
        const sp_set rest = sp_slide_rest(&s, sliding, rows);
        int dim = 1;
        for (int i = 0; i < n; i++) {
            dim += (sliding >> i) & 1 ? 0 : g[i].n;
        }
        assert_int_equal(sp_set_dim(&rest), dim);
        for (int a = 0; a < dim; a++) {
            y[a] = x[rows[a]];
        }
        sp_set_project(&s, x);
        sp_set_project(&rest, y);
        for (int a = 0; a < dim; a++) {
            assert_near(y[a], x[rows[a]], 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drag_is_the_slope_of_the_dissipation),
        cmocka_unit_test(the_reserve_is_zero_where_friction_slides),
        cmocka_unit_test(what_rests_is_a_set_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
