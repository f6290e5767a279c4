#include "math/root.h"

#include "support/check.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double T_TOL = 1e-15; /* of the times in a search */
static const double PI = 3.14159265358979323846;

/* ---- one root --------------------------------------------------------------------------- */

typedef struct curve {
    int kind, calls;
    double at;
} curve;

enum { LINE, COSINE, STEEP, FLAT, JUMP, CUBE_ROOT, N_CURVE };

/* Curves that all have one root at c->at, from gentle to nasty. */
static sp_status curve_value(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    curve *c = ctx;
    const double x = t - c->at;
    (void)rate, (void)err;
    c->calls++;
    switch (c->kind) {
    case LINE:
        *g = -3.0 * x;
        break;
    case COSINE:
        *g = sin(x) + 0.2 * x * x;
        break;
    case STEEP:
        *g = expm1(30.0 * x);
        break;
    case FLAT:
        *g = pow(x, 9.0);
        break;
    case JUMP:
        *g = x < 0.0 ? -1.0 : 1e9;
        break;
    default:
        *g = cbrt(x);
    }
    return SP_OK;
}

static void a_bracket_shrinks_to_the_last_bits_and_never_slower_than_bisection(void **ctx)
{
    (void)ctx;
    rng r = {11};
    int most[N_CURVE] = {0};
    for (int k = 0; k < check_cases(6000, 600000); k++) {
        curve c = {.kind = k % N_CURVE, .at = rng_in(&r, 0.5, 2.0)};
        sp_root_bracket b = {.a = c.at - rng_in(&r, 1e-6, 1.0), .b = c.at + rng_in(&r, 1e-6, 1.0)};
        const bool last_bits = rng_flip(&r);
        const double t_tol = (last_bits ? 1e-15 : 1e-13) * c.at, width = b.b - b.a;
        curve_value(&c, b.a, &b.g_a, NULL, NULL);
        curve_value(&c, b.b, &b.g_b, NULL, NULL);
        c.calls = 0;
        assert_int_equal(SP_OK, sp_root_shrink(&b, curve_value, &c, t_tol, NULL));
        assert_true(b.a <= c.at && c.at <= b.b && b.b - b.a <= t_tol);
        assert_true(fabs(sp_root_of(&b) - c.at) <= t_tol);
        assert_int_equal(c.calls, b.n_eval);
        /* one more by the method, one by rounding, one where the interval has but a few numbers */
        const int excess = c.calls - (int)ceil(log2(width / t_tol));
        assert_true(excess <= (last_bits ? 3 : 2));
        most[c.kind] = c.calls > most[c.kind] ? c.calls : most[c.kind];
    }
    /* bisection needs 43 to 51: gentle curves must be far from that */
    assert_true(most[LINE] <= 15 && most[COSINE] <= 15);
}

static void a_root_at_an_end_of_the_bracket_needs_no_evaluation(void **ctx)
{
    (void)ctx;
    curve c = {.kind = LINE, .at = 1.0};
    sp_root_bracket b = {.a = 0.0, .b = 1.0, .g_a = 3.0, .g_b = 0.0};
    assert_int_equal(SP_OK, sp_root_shrink(&b, curve_value, &c, 1e-12, NULL));
    assert_true(b.a == 1.0 && b.b == 1.0 && c.calls == 0);
}

static void brackets_near_zero_and_of_huge_values_end(void **ctx)
{
    (void)ctx;
    curve c = {.kind = LINE, .at = 0.0};
    sp_root_bracket b = {.a = -1e-300, .b = 1e300, .g_a = 3e-300, .g_b = -3e300};
    assert_int_equal(SP_OK, sp_root_shrink(&b, curve_value, &c, 1e-15, NULL));
    assert_near_scaled(sp_root_of(&b), 0.0, 1.0, 1e-15);
}

/* ---- the first root --------------------------------------------------------------------- */

/* g = scale exp(growth t) prod ((t - place_i)^2 + height_i) prod (place_j - t) */
typedef struct product {
    int n_touch, n_cross;
    double place[8], height[8], scale, growth;
    int calls;
} product;

static sp_status product_value(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    product *p = ctx;
    double value = p->scale * exp(p->growth * t), slope = p->growth * value;
    (void)err;
    p->calls++;
    for (int i = 0; i < p->n_touch + p->n_cross; i++) {
        const double x = t - p->place[i], f = i < p->n_touch ? x * x + p->height[i] : -x;
        slope = slope * f + value * (i < p->n_touch ? 2.0 * x : -1.0);
        value *= f;
    }
    *g = value;
    if (rate) {
        *rate = slope;
    }
    return SP_OK;
}

/* The first root of f between t0 and t1 with nodes at n equal distances. */
static sp_root first_root(sp_root_function f, void *ctx, double t0, double t1, int n, double g_tol)
{
    sp_root_sample node[17];
    sp_root root;
    sp_error err;
    for (int i = 0; i <= n; i++) {
        node[i].t = i == n ? t1 : t0 + (t1 - t0) * i / n;
        f(ctx, node[i].t, &node[i].g, &node[i].rate, NULL);
    }
    if (sp_root_first(n + 1, node, f, ctx, g_tol, T_TOL * (fabs(t0) + fabs(t1)), &root, &err)) {
        fail_msg("%s", err.text);
    }
    return root;
}

/* The largest |g| between two times. */
static double largest_between(product *p, double a, double b)
{
    double worst = 0.0;
    for (int k = 0; k <= 100; k++) {
        double g;
        product_value(p, a + (b - a) * k / 100.0, &g, NULL, NULL);
        worst = check_worse(worst, fabs(g));
    }
    return worst;
}

/* Four factors at random places in 0..1.3, half of the touching ones lifted a little: what comes
 * first, and where? */
static product random_product(rng *r, sp_root_kind *kind, double *first)
{
    product p = {.scale = rng_in(r, 0.5, 2.0), .growth = rng_in(r, -2.0, 2.0)};
    p.n_touch = rng_int(r, 3);
    p.n_cross = rng_int(r, 3);
    *first = 1.0;
    *kind = SP_ROOT_NONE;
    for (int i = 0; i < p.n_touch + p.n_cross; i++) {
        const bool touch = i < p.n_touch;
        p.place[i] = rng_in(r, 0.02, 1.3);
        p.height[i] = touch && rng_flip(r) ? pow(10.0, rng_in(r, -6.0, -2.0)) : 0.0;
        if (p.height[i] == 0.0 && p.place[i] < *first) {
            *first = p.place[i];
            *kind = touch ? SP_ROOT_GRAZING : SP_ROOT_CROSSING;
        }
    }
    return p;
}

/* Where two places are so near that g stays within the tolerance from one to the other, either is
 * right; and lifted ones may together be a minimum within the tolerance. */
static void the_first_of_many_roots_is_found(void **ctx)
{
    (void)ctx;
    rng r = {12};
    int found[3] = {0}, close = 0;
    const int cases = check_cases(20000, 2000000);
    const double g_tol = 1e-12;
    for (int k = 0; k < cases; k++) {
        double first;
        sp_root_kind kind;
        product p = random_product(&r, &kind, &first);
        const sp_root root = first_root(product_value, &p, 0.0, 1.0, 4, g_tol);
        const double way = root.kind == SP_ROOT_NONE ? 0.0 : fabs(root.t - first);
        if (way > 1e-13 && (largest_between(&p, first, root.t) <= g_tol ||
                            (root.t < first && largest_between(&p, root.t, root.t) <= g_tol))) {
            close++;
            continue;
        }
        assert_int_equal(root.kind, kind);
        assert_true(kind == SP_ROOT_NONE || fabs(root.t - first) <= 1e-13);
        found[kind]++;
    }
    assert_true(found[0] > cases / 5 && found[1] > cases / 5 && found[2] > cases / 5);
    assert_true(close < cases / 1000);
}

/* (t - 1/3)^2 + height: from clearly below zero to clearly above. */
static void a_grazing_is_told_from_a_miss_and_from_a_hit_by_its_height(void **ctx)
{
    (void)ctx;
    const double g_tol = 1e-10;
    for (int k = -14; k <= 14; k++) {
        const double height = (k < 0 ? -1.0 : 1.0) * pow(10.0, -abs(k));
        product p = {.n_touch = 1, .place = {1.0 / 3.0}, .height = {height}, .scale = 1.0};
        const sp_root root = first_root(product_value, &p, -2.0, 1.0, 4, g_tol);
        if (fabs(height) <= g_tol) {
            assert_int_equal(root.kind, SP_ROOT_GRAZING);
            assert_near(root.t, 1.0 / 3.0, 1e-14);
        } else if (height > 0.0) {
            assert_int_equal(root.kind, SP_ROOT_NONE);
        } else {
            const double exact = 1.0 / 3.0 - sqrt(-height), steep = 2.0 * sqrt(-height);
            assert_int_equal(root.kind, SP_ROOT_CROSSING);
            assert_near(root.t, exact, T_TOL * 3.0 + DBL_EPSILON / steep);
            assert_true(root.before <= root.t && root.t <= root.after);
        }
    }
}

/* 1 + 200 t^2 (1-t)^2 (t - 1/2): 1 with slope 0 at both ends, 1 in the middle, below 0 between. */
static sp_status odd_dip(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    const double w = t * t * (1.0 - t) * (1.0 - t), w_rate = 2.0 * t * (1.0 - t) * (1.0 - 2.0 * t);
    (void)ctx, (void)err;
    *g = 1.0 + 200.0 * w * (t - 0.5);
    if (rate) {
        *rate = 200.0 * (w + w_rate * (t - 0.5));
    }
    return SP_OK;
}

static void a_dip_that_neither_ends_nor_middle_show_is_seen_by_its_slope(void **ctx)
{
    (void)ctx;
    double g;
    const sp_root root = first_root(odd_dip, NULL, 0.0, 1.0, 1, 1e-10);
    assert_int_equal(root.kind, SP_ROOT_CROSSING);
    odd_dip(NULL, root.t, &g, NULL, NULL);
    assert_near_scaled(g, 0.0, 1.0, 1e-13);
    assert_true(root.t < 0.27); /* the first of two */
}

/* What is asked of an indicator that starts at zero. */
static sp_status sine(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    const double sign = *(const double *)ctx;
    (void)err;
    *g = sign * sin(t);
    if (rate) {
        *rate = sign * cos(t);
    }
    return SP_OK;
}

/* t^3 (1 - t): gap of a contact whose force has just come to zero. */
static sp_status soft_leave(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    (void)ctx, (void)err;
    *g = t * t * t * (1.0 - t);
    if (rate) {
        *rate = t * t * (3.0 - 4.0 * t);
    }
    return SP_OK;
}

/* t (1 - t)^2: leaves, comes back and only touches. */
static sp_status leave_and_touch(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    (void)ctx, (void)err;
    *g = t * (1.0 - t) * (1.0 - t);
    if (rate) {
        *rate = (1.0 - t) * (1.0 - 3.0 * t);
    }
    return SP_OK;
}

static void a_start_at_zero_is_no_root_but_the_return_to_it_is(void **ctx)
{
    (void)ctx;
    double up = 1.0, down = -1.0, nothing = 0.0;
    sp_root root = first_root(sine, &up, 0.0, 3.3, 4, 1e-10);
    assert_int_equal(root.kind, SP_ROOT_CROSSING);
    assert_near(root.t, PI, 2.0 * T_TOL);
    root = first_root(soft_leave, NULL, 0.0, 1.5, 4, 1e-10);
    assert_int_equal(root.kind, SP_ROOT_CROSSING);
    assert_near(root.t, 1.0, 2.0 * T_TOL);
    root = first_root(leave_and_touch, NULL, 0.0, 1.5, 1, 1e-10);
    assert_int_equal(root.kind, SP_ROOT_GRAZING);
    assert_near(root.t, 1.0, 1e-14);
    root = first_root(sine, &down, 0.0, 3.0, 4, 1e-10); /* goes through at once */
    assert_int_equal(root.kind, SP_ROOT_CROSSING);
    assert_near(root.t, 1e-10, 3.0 * T_TOL);
    root = first_root(sine, &nothing, 0.0, 3.0, 4, 1e-10); /* stays at zero */
    assert_int_equal(root.kind, SP_ROOT_NONE);
    assert_int_equal(root.n_eval, 4);
}

/* A start a little beside zero, as after an impact or a projection. */
static void a_start_within_the_tolerance_counts_as_zero(void **ctx)
{
    (void)ctx;
    double up = 1.0;
    const double start[] = {-1e-11, -1e-14, 1e-14, 1e-11};
    for (int k = 0; k < 4; k++) {
        const sp_root root = first_root(sine, &up, start[k], 3.3, 4, 1e-10);
        assert_int_equal(root.kind, SP_ROOT_CROSSING);
        assert_near(root.t, PI, 2.0 * T_TOL);
    }
    const sp_root below = first_root(sine, &up, -0.1, 3.3, 4, 1e-10);
    assert_int_equal(below.kind, SP_ROOT_CROSSING);
    assert_true(below.t == -0.1 && below.n_eval == 0);
}

/* Round-off of a gap that rests at zero is no event and costs one evaluation per interval. */
static sp_status noise(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    (void)err;
    *g = 1e-13 * sin(1e7 * t);
    if (rate) {
        *rate = *(const double *)ctx * cos(1e7 * t);
    }
    return SP_OK;
}

static sp_status rough(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    (void)ctx, (void)err;
    *g = 1.1 + sin(1e7 * t);
    if (rate) {
        *rate = 1e7 * cos(1e7 * t);
    }
    return SP_OK;
}

static sp_status not_a_number(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    (void)ctx, (void)err;
    *g = t > 0.6 && t < 0.7 ? NAN : 1.0 - t;
    if (rate) {
        *rate = -1.0;
    }
    return SP_OK;
}

static void noise_is_no_root_and_what_cannot_be_judged_is_an_error(void **ctx)
{
    (void)ctx;
    double rate = 1e-13;
    const sp_root quiet = first_root(noise, &rate, 0.0, 1.0, 4, 1e-10);
    assert_int_equal(quiet.kind, SP_ROOT_NONE);
    assert_int_equal(quiet.n_eval, 4);

    sp_error err;
    sp_root root;
    sp_root_sample node[2] = {{.t = 0.0}, {.t = 1.0}};
    for (int k = 0; k < 2; k++) {
        rough(NULL, node[k].t, &node[k].g, &node[k].rate, NULL);
    }
    assert_int_equal(SP_E_NOT_CONVERGED,
                     sp_root_first(2, node, rough, NULL, 1e-10, 1e-15, &root, &err));
    assert_non_null(strstr(err.text, "too rough"));
    for (int k = 0; k < 2; k++) {
        not_a_number(NULL, node[k].t, &node[k].g, &node[k].rate, NULL);
    }
    node[1].t = 1.3; /* the middle is at 0.65 */
    assert_int_equal(SP_E_NONFINITE,
                     sp_root_first(2, node, not_a_number, NULL, 1e-10, 1e-15, &root, &err));
    node[1].g = NAN;
    assert_int_equal(SP_E_NONFINITE,
                     sp_root_first(2, node, not_a_number, NULL, 1e-10, 1e-15, &root, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bracket_shrinks_to_the_last_bits_and_never_slower_than_bisection),
        cmocka_unit_test(a_root_at_an_end_of_the_bracket_needs_no_evaluation),
        cmocka_unit_test(brackets_near_zero_and_of_huge_values_end),
        cmocka_unit_test(the_first_of_many_roots_is_found),
        cmocka_unit_test(a_grazing_is_told_from_a_miss_and_from_a_hit_by_its_height),
        cmocka_unit_test(a_dip_that_neither_ends_nor_middle_show_is_seen_by_its_slope),
        cmocka_unit_test(a_start_at_zero_is_no_root_but_the_return_to_it_is),
        cmocka_unit_test(a_start_within_the_tolerance_counts_as_zero),
        cmocka_unit_test(noise_is_no_root_and_what_cannot_be_judged_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
