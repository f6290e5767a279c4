/* Where smooth functions first come below zero: known roots, grazings, starts at zero, noise. */
#include "math/cheb.h"

#include "support/check.h"

#include <string.h>

static const double PI = 3.14159265358979323846;
static const double NOISE = 1e-14;

/* The first fall of g between a and b; *n_eval: evaluations in all. */
static sp_fall fall_of(sp_cheb_function g, void *ctx, double a, double b, int n, double noise)
{
    const sp_cheb_search search = {.g = g,
                                   .ctx = ctx,
                                   .n = n,
                                   .a = a,
                                   .b = b,
                                   .noise = noise,
                                   .rough = noise,
                                   .t_near = 1e-14 * (fabs(a) + fabs(b)),
                                   .t_last = INFINITY};
    double value[SP_CHEB_MAX + 1];
    sp_fall fall;
    sp_error err;
    for (int k = 0; k <= n; k++) {
        g(ctx, sp_cheb_point(n, a, b, k), &value[k], NULL);
    }
    if (sp_cheb_first_fall(&search, value, &fall, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return fall;
}

/* ---- the polynomial ------------------------------------------------------------------------ */

typedef struct polynomial {
    double c[SP_CHEB_MAX + 1]; /* of powers of t */
} polynomial;

static sp_status polynomial_value(void *ctx, double t, double *g, sp_error *err)
{
    const polynomial *p = ctx;
    (void)err;
    *g = 0.0;
    for (int k = SP_CHEB_MAX; k >= 0; k--) {
        *g = *g * t + p->c[k];
    }
    return SP_OK;
}

static void a_polynomial_of_that_degree_is_met_with_its_slope(void **ctx)
{
    (void)ctx;
    rng r = {3};
    for (int n = 4; n <= 8; n += 4) {
        for (int i = 0; i < 200; i++) {
            polynomial p = {{0.0}};
            double value[SP_CHEB_MAX + 1];
            const double a = rng_in(&r, -1.0, 0.0), b = a + rng_in(&r, 0.5, 1.0);
            for (int k = 0; k <= n; k++) {
                p.c[k] = rng_in(&r, -1.0, 1.0);
            }
            for (int k = 0; k <= n; k++) {
                polynomial_value(&p, sp_cheb_point(n, a, b, k), &value[k], NULL);
            }
            const sp_cheb q = sp_cheb_fit(n, a, b, value, NOISE);
            const double t = rng_in(&r, a, b);
            double g, slope, exact = 0.0;
            polynomial_value(&p, t, &g, NULL);
            for (int k = n; k > 0; k--) {
                exact = exact * t + k * p.c[k];
            }
            assert_near(sp_cheb_value(&q, t, &slope), g, 1e-14);
            assert_near(slope, exact, 1e-12);
        }
    }
}

/* ---- what is left out ---------------------------------------------------------------------- */

typedef struct wave {
    double amplitude, rate, phase, offset;
} wave;

static sp_status wave_value(void *ctx, double t, double *g, sp_error *err)
{
    const wave *w = ctx;
    (void)err;
    *g = w->offset + w->amplitude * sin(w->rate * t + w->phase);
    return SP_OK;
}

static sp_status kink_value(void *ctx, double t, double *g, sp_error *err)
{
    (void)err;
    *g = fabs(t - *(const double *)ctx);
    return SP_OK;
}

/* The largest |g - p| over the bound of it. */
static double excess(sp_cheb_function g, void *ctx, int n)
{
    double value[SP_CHEB_MAX + 1], worst = 0.0;
    for (int k = 0; k <= n; k++) {
        g(ctx, sp_cheb_point(n, 0.0, 1.0, k), &value[k], NULL);
    }
    const sp_cheb p = sp_cheb_fit(n, 0.0, 1.0, value, NOISE);
    for (int k = 0; k <= 400; k++) {
        double exact, slope;
        g(ctx, k / 400.0, &exact, NULL);
        worst = check_worse(worst, fabs(exact - sp_cheb_value(&p, k / 400.0, &slope)));
    }
    return worst / (p.rest + 3.3 * NOISE);
}

static void the_rest_is_bounded_for_waves_and_kinks(void **ctx)
{
    (void)ctx;
    rng r = {5};
    double smooth = 0.0, kinked = 0.0;
    for (int i = 0; i < 2000; i++) {
        wave w = {1.0, rng_in(&r, 0.1, 12.0), rng_in(&r, 0.0, 2.0 * PI), 0.0};
        double place = rng_in(&r, 0.02, 0.98);
        smooth = check_worse(smooth, excess(wave_value, &w, 8));
        w.rate *= 0.3;
        smooth = check_worse(smooth, excess(wave_value, &w, 4));
        kinked = check_worse(kinked, excess(kink_value, &place, 8));
    }
    print_message("error over its bound: waves %g, kinks %g\n", smooth, kinked);
    assert_true(smooth < 1.0 && kinked < 1.0);
}

/* ---- roots --------------------------------------------------------------------------------- */

/* g = scale exp(growth t) prod ((t - place_i)^2 + height_i) prod (place_j - t) */
typedef struct product {
    int n_touch, n_cross;
    double place[8], height[8], scale, growth;
    int calls;
} product;

static sp_status product_value(void *ctx, double t, double *g, sp_error *err)
{
    product *p = ctx;
    (void)err;
    p->calls++;
    *g = p->scale * exp(p->growth * t);
    for (int i = 0; i < p->n_touch + p->n_cross; i++) {
        const double x = t - p->place[i];
        *g *= i < p->n_touch ? x * x + p->height[i] : -x;
    }
    return SP_OK;
}

/* Up to four factors at random places in 0..1.3; touching ones stay above by their heights or come
 * to zero, which is no fall: the first crossing, INFINITY if there is none in 0..1. */
static product random_product(rng *r, double *first)
{
    product p = {.scale = rng_in(r, 0.5, 2.0), .growth = rng_in(r, -2.0, 2.0)};
    p.n_touch = rng_int(r, 3);
    p.n_cross = rng_int(r, 3);
    *first = INFINITY;
    for (int i = 0; i < p.n_touch + p.n_cross; i++) {
        const bool touch = i < p.n_touch;
        p.place[i] = rng_in(r, 0.02, 1.3);
        p.height[i] = touch && rng_flip(r) ? pow(10.0, rng_in(r, -6.0, -2.0)) : 0.0;
        *first = !touch && p.place[i] < *first && p.place[i] < 1.0 ? p.place[i] : *first;
    }
    return p;
}

/* Two crossings so near that the dip between them is round-off are none or one. */
static bool is_doubtful(product *p, double first)
{
    double least = 0.0;
    for (int k = 0; k <= 1000; k++) {
        double g;
        product_value(p, first + (1.0 - first) * k / 1000.0, &g, NULL);
        least = g < least ? g : least;
    }
    return least > -1e-9;
}

static void the_first_of_many_roots_is_found(void **ctx)
{
    (void)ctx;
    rng r = {12};
    const int cases = check_cases(20000, 1000000);
    int found = 0, none = 0, doubtful = 0;
    double calls = 0.0;
    for (int k = 0; k < cases; k++) {
        double first;
        product p = random_product(&r, &first);
        const sp_fall fall = fall_of(product_value, &p, 0.0, 1.0, 8, NOISE);
        calls += p.calls;
        if (first < 1.0 && is_doubtful(&p, first)) {
            doubtful++;
            continue;
        }
        assert_int_equal(fall.found, first < 1.0);
        if (fall.found) {
            double g;
            product_value(&p, fall.t, &g, NULL);
            assert_true(fabs(fall.t - first) <= 1e-13 || fabs(g) <= 2.0 * NOISE);
            assert_true(fall.below < 0.0 && fall.t_below > fall.t);
            assert_true(!p.n_touch || fall.slope <= 0.0);
        }
        found += fall.found;
        none += !fall.found;
    }
    print_message("%d found, %d none, %d doubtful; %.3g evaluations each\n", found, none, doubtful,
                  calls / cases);
    assert_true(found > cases / 5 && none > cases / 5 && doubtful < cases / 100);
    assert_true(calls / cases < 60.0);
}

/* ((t - place)^2 - depth) is below zero between place -+ sqrt(depth), for every phase. */
static void dips_deeper_than_round_off_are_found_wherever_they_are(void **ctx)
{
    (void)ctx;
    rng r = {21};
    for (int d = 1; d <= 13; d++) {
        for (int i = 0; i < 200; i++) {
            const double depth = pow(10.0, -d);
            product p = {.n_touch = 1, .scale = 1.0, .growth = rng_in(&r, -1.0, 1.0)};
            p.place[0] = rng_in(&r, 0.4, 0.6);
            p.height[0] = -depth;
            const sp_fall hit = fall_of(product_value, &p, 0.0, 1.0, 8, NOISE);
            assert_true(hit.found);
            assert_near(hit.t, p.place[0] - sqrt(depth), 4.0 * NOISE / sqrt(depth));
            p.height[0] = depth;
            assert_false(fall_of(product_value, &p, 0.0, 1.0, 8, NOISE).found);
        }
    }
}

/* sin from anywhere, over several periods: nothing is skipped. */
static void the_first_root_of_a_wave_is_found_over_many_periods(void **ctx)
{
    (void)ctx;
    rng r = {8};
    for (int i = 0; i < 2000; i++) {
        wave w = {1.0, rng_in(&r, 0.5, 40.0), rng_in(&r, 0.01, PI - 0.01), 0.0};
        const double first = (PI - w.phase) / w.rate;
        const sp_fall fall = fall_of(wave_value, &w, 0.0, 1.0, 8, NOISE);
        assert_int_equal(fall.found, first < 1.0);
        assert_true(!fall.found || fabs(fall.t - first) <= 1e-12);
    }
}

/* ---- ends ---------------------------------------------------------------------------------- */

/* speed t - t^2/2 + shift: thrown up at t = 0. */
typedef struct hop {
    double speed, shift;
} hop;

static sp_status hop_value(void *ctx, double t, double *g, sp_error *err)
{
    const hop *h = ctx;
    (void)err;
    *g = t * (h->speed - 0.5 * t) + h->shift;
    return SP_OK;
}

static void a_start_at_zero_is_no_root_but_the_return_is(void **ctx)
{
    (void)ctx;
    for (int k = 0; k <= 6; k++) { /* hops down to 1e-12 high */
        hop h = {.speed = 0.4 * pow(10.0, -k)};
        for (int sign = -1; sign <= 1; sign++) {
            h.shift = 0.5 * sign * NOISE;
            const sp_fall fall = fall_of(hop_value, &h, 0.0, 1.0, 8, NOISE);
            assert_true(fall.found);
            assert_near(fall.t, 2.0 * h.speed, 2.0 * NOISE / h.speed);
        }
    }
    hop down = {.speed = -0.1};
    sp_fall fall = fall_of(hop_value, &down, 0.0, 1.0, 8, NOISE);
    assert_true(fall.found && fall.t == 0.0 && fall.slope == 0.0);
    down = (hop){.speed = 0.0}; /* with no speed it falls at once, too */
    fall = fall_of(hop_value, &down, 0.0, 1.0, 8, NOISE);
    assert_true(fall.found && fall.t < 1e-6);
    hop up = {.speed = 1.0};
    assert_false(fall_of(hop_value, &up, 0.0, 1.0, 8, NOISE).found);
}

/* The same, but no further below zero than 1e-6: the gap of a contact that is past the end of its
 * feature. */
static sp_status clipped_hop_value(void *ctx, double t, double *g, sp_error *err)
{
    hop_value(ctx, t, g, err);
    *g = fmax(*g, -1e-6);
    return SP_OK;
}

/* All values but the first are the same, on many intervals within each other: a jump, so it seems.
 */
static void a_hop_too_short_for_any_value_is_no_fall_at_once(void **ctx)
{
    (void)ctx;
    for (int k = 1; k <= 6; k++) {
        hop h = {.speed = 0.4 * pow(10.0, -k)};
        for (double end = 1.0; end < 1e3; end *= 3.0) {
            const sp_fall fall = fall_of(clipped_hop_value, &h, 0.0, end, 8, NOISE);
            assert_true(fall.found && fall.n_eval < 500);
            assert_near(fall.t, 2.0 * h.speed, 2.0 * NOISE / h.speed);
        }
    }
    hop down = {.speed = -0.1};
    const sp_fall fall = fall_of(clipped_hop_value, &down, 0.0, 1.0, 8, NOISE);
    assert_true(fall.found && fall.t < 1e-12);
}

static void a_root_at_the_end_is_left_to_the_next_interval(void **ctx)
{
    (void)ctx;
    product p = {.n_cross = 1, .scale = 1.0, .place = {1.0}};
    assert_false(fall_of(product_value, &p, 0.0, 1.0, 8, NOISE).found);
    p.place[0] = 1.0 - 1e-9;
    const sp_fall fall = fall_of(product_value, &p, 0.0, 1.0, 8, NOISE);
    assert_true(fall.found);
    assert_near(fall.t, p.place[0], 1e-14);
}

/* ---- what is not smooth -------------------------------------------------------------------- */

/* A step or a kink down to `low` at place. */
typedef struct rough {
    double place, low;
    bool jump;
    int calls;
} rough;

static sp_status rough_value(void *ctx, double t, double *g, sp_error *err)
{
    rough *k = ctx;
    (void)err;
    k->calls++;
    *g = k->jump ? (t < k->place ? 1.0 : k->low) : k->low + fabs(t - k->place);
    return SP_OK;
}

static void jumps_and_kinks_are_found_by_their_signs(void **ctx)
{
    (void)ctx;
    rng r = {31};
    for (int i = 0; i < 500; i++) {
        rough k = {.place = rng_in(&r, 0.1, 0.9), .low = -1e-3};
        sp_fall fall = fall_of(rough_value, &k, 0.0, 1.0, 8, NOISE);
        assert_true(fall.found);
        assert_near(fall.t, k.place - 1e-3, 1e-13);
        k.low = 1e-3;
        assert_false(fall_of(rough_value, &k, 0.0, 1.0, 8, NOISE).found);
        k.jump = true;
        assert_false(fall_of(rough_value, &k, 0.0, 1.0, 8, NOISE).found);
        k.low = -1.0;
        k.calls = 0;
        fall = fall_of(rough_value, &k, 0.0, 1.0, 8, NOISE);
        assert_true(fall.found && k.calls < 500);
        assert_near(fall.t, k.place, 1e-15);
    }
}

static sp_status noise_value(void *ctx, double t, double *g, sp_error *err)
{
    (void)err;
    *g = *(const double *)ctx * sin(1e7 * t);
    return SP_OK;
}

static sp_status not_a_number(void *ctx, double t, double *g, sp_error *err)
{
    (void)ctx, (void)err;
    *g = t > 0.6 ? NAN : 1.0 - t;
    return SP_OK;
}

static void noise_is_no_fall_and_what_is_no_number_is_an_error(void **ctx)
{
    (void)ctx;
    double size = 0.9 * NOISE;
    const sp_fall fall = fall_of(noise_value, &size, 0.0, 1.0, 8, NOISE);
    assert_false(fall.found);
    assert_int_equal(fall.n_eval, 0);
    const sp_cheb_search search = {
        .g = not_a_number, .n = 4, .b = 1.0, .noise = NOISE, .t_last = INFINITY};
    const double value[] = {1.0, 0.9, NAN, 0.1, 0.0};
    sp_fall none;
    assert_int_equal(SP_E_NONFINITE, sp_cheb_first_fall(&search, value, &none, NULL));
}

/* What is of no interest is not looked for. */
static void a_fall_behind_the_last_time_is_not_sought(void **ctx)
{
    (void)ctx;
    wave w = {1.0, 10.0, 0.5, 0.0};
    double value[SP_CHEB_MAX + 1];
    sp_fall fall;
    sp_cheb_search search = {.g = wave_value, .ctx = &w, .n = 8, .b = 1.0, .noise = NOISE};
    search.t_last = 0.1;
    for (int k = 0; k <= 8; k++) {
        wave_value(&w, sp_cheb_point(8, 0.0, 1.0, k), &value[k], NULL);
    }
    assert_int_equal(SP_OK, sp_cheb_first_fall(&search, value, &fall, NULL));
    assert_false(fall.found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polynomial_of_that_degree_is_met_with_its_slope),
        cmocka_unit_test(the_rest_is_bounded_for_waves_and_kinks),
        cmocka_unit_test(the_first_of_many_roots_is_found),
        cmocka_unit_test(dips_deeper_than_round_off_are_found_wherever_they_are),
        cmocka_unit_test(the_first_root_of_a_wave_is_found_over_many_periods),
        cmocka_unit_test(a_start_at_zero_is_no_root_but_the_return_is),
        cmocka_unit_test(a_hop_too_short_for_any_value_is_no_fall_at_once),
        cmocka_unit_test(a_root_at_the_end_is_left_to_the_next_interval),
        cmocka_unit_test(jumps_and_kinks_are_found_by_their_signs),
        cmocka_unit_test(noise_is_no_fall_and_what_is_no_number_is_an_error),
        cmocka_unit_test(a_fall_behind_the_last_time_is_not_sought),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
