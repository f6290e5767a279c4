/* Functions given by points: what a natural cubic spline is, and straight lines. */
#include "test_expr.h"

#include "expr/table.h"

enum { N = 7 };
static const double X[N] = {-1.0, 0.0, 0.5, 0.6, 2.0, 5.0, 5.5};
static const double Y[N] = {2.0, -1.0, 0.3, 4.0, -2.0, 1.0, 1.5};

/* A table in an arena of its own. */
static sp_table *table_of(sp_arena *a, int n, const double *x, const double *y, bool spline)
{
    sp_table *t;
    int wrong;
    sp_arena_init(a, NULL, 0);
    assert_int_equal(sp_table_new(a, n, x, y, spline, &t, &wrong), SP_OK);
    assert_int_equal(wrong, -1);
    return t;
}

static void expect_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
    }
}

/* Interpolates, twice differentiable at every point, no bend at the ends, cubic between them: there
 * is one such function. */
static void a_spline_is_the_natural_cubic_one(void **ctx)
{
    (void)ctx;
    sp_arena a;
    const sp_table *t = table_of(&a, N, X, Y, true);
    for (int i = 0; i < N; i++) {
        const double d = 1e-9;
        sp_partials at, left, right;
        sp_table_partials(t, X[i], &at);
        sp_table_partials(t, X[i] - d, &left);
        sp_table_partials(t, X[i] + d, &right);
        expect_close(at.f, Y[i], 1e-14);
        expect_close(left.f, right.f, 1e-6);
        expect_close(left.x, right.x, 1e-5);
        expect_close(left.xx, right.xx, 1e-4);
        if (i == 0 || i == N - 1) {
            expect_close(at.xx, 0.0, 1e-12);
        }
    }
    for (int i = 0; i < N - 1; i++) { /* the fourth difference of a cubic vanishes */
        const double h = (X[i + 1] - X[i]) / 4.0;
        double y[5];
        for (int k = 0; k < 5; k++) {
            y[k] = sp_table_value(t, X[i] + k * h);
        }
        expect_close(y[0] - 4.0 * y[1] + 6.0 * y[2] - 4.0 * y[3] + y[4], 0.0, 1e-12);
    }
    sp_arena_free(&a);
}

static void slopes_and_bends_are_those_of_the_values(void **ctx)
{
    (void)ctx;
    sp_arena a;
    const sp_table *t = table_of(&a, N, X, Y, true);
    for (double x = -1.37; x < 6.0; x += 0.113) {
        const double d = 1e-4;
        sp_partials p;
        sp_table_partials(t, x, &p);
        const double before = sp_table_value(t, x - d), after = sp_table_value(t, x + d);
        assert_true(p.f == sp_table_value(t, x)); /* the same bits */
        expect_close(p.x, (after - before) / (2.0 * d), 2e-3);
        bool knot = false;
        for (int i = 0; i < N; i++) {
            knot = knot || fabs(x - X[i]) <= d;
        }
        if (!knot) {
            expect_close(p.xx, (after - 2.0 * p.f + before) / (d * d), 1e-4);
        }
    }
    sp_arena_free(&a);
}

static void outside_it_goes_on_straight(void **ctx)
{
    (void)ctx;
    for (int spline = 0; spline < 2; spline++) {
        sp_arena a;
        const sp_table *t = table_of(&a, N, X, Y, spline);
        sp_partials first, last, p;
        sp_table_partials(t, X[0], &first);
        sp_table_partials(t, X[N - 1], &last);
        sp_table_partials(t, X[0] - 3.0, &p);
        expect_close(p.f, Y[0] - 3.0 * first.x, 1e-12);
        assert_true(p.x == first.x && p.xx == 0.0);
        sp_table_partials(t, X[N - 1] + 2.0, &p);
        expect_close(p.f, Y[N - 1] + 2.0 * last.x, 1e-12);
        assert_true(isnan(sp_table_value(t, NAN)));
        assert_true(isinf(sp_table_value(t, INFINITY)));
        sp_arena_free(&a);
    }
}

static void straight_lines_and_two_points(void **ctx)
{
    (void)ctx;
    sp_arena a;
    const sp_table *t = table_of(&a, N, X, Y, false);
    expect_close(sp_table_value(t, 1.3), 4.0 + 0.5 * (-6.0), 1e-14); /* half way */
    sp_partials p;
    sp_table_partials(t, 2.0, &p); /* at a corner: to the right */
    expect_close(p.x, 1.0, 1e-15);
    assert_true(p.xx == 0.0);
    sp_arena_free(&a);
    t = table_of(&a, 2, X, Y, true); /* a spline through two points is a line */
    expect_close(sp_table_value(t, -0.25), 2.0 - 0.75 * 3.0, 1e-15);
    sp_arena_free(&a);
}

static void wrong_points_are_found(void **ctx)
{
    (void)ctx;
    static const struct {
        double x[4], y[4];
        int wrong;
    } row[] = {
        {{0, 1, 1, 2}, {0, 0, 0, 0}, 2},   {{0, -1, 1, 2}, {0, 0, 0, 0}, 1},
        {{0, 1, 2, NAN}, {0, 0, 0, 0}, 3}, {{0, 1, 2, 3}, {0, INFINITY, 0, 0}, 1},
        {{NAN, 1, 2, 3}, {0, 0, 0, 0}, 0},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        sp_arena a;
        sp_table *t;
        int wrong;
        sp_arena_init(&a, NULL, 0);
        assert_int_equal(sp_table_new(&a, 4, row[k].x, row[k].y, true, &t, &wrong), SP_E_INPUT);
        assert_int_equal(wrong, row[k].wrong);
        assert_null(t);
        sp_arena_free(&a);
    }
}

/* ---- in expressions ----------------------------------------------------------------------------
 */

static sp_status find_table(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    static const char *const param[] = {"x"};
    if (strcmp(name, "f") != 0) {
        return SP_FAIL(err, SP_E_INPUT, "unknown function '%s'", name);
    }
    *out = (sp_function){.n_param = 1, .param = param, .body = "0", .table = ctx};
    return SP_OK;
}

static void programs_carry_tables_with_their_derivatives(void **ctx)
{
    (void)ctx;
    sp_arena a, b;
    sp_table *t = table_of(&a, N, X, Y, true);
    const sp_resolver r = {
        .ctx = t, .name = test_resolve, .function = find_table, .check_units = true};
    sp_program *p;
    sp_error err = {.text = ""};
    sp_arena_init(&b, NULL, 0);
    assert_int_equal(sp_expr_compile(&b, "f(x*y) + y*f(sin(x)) + f(0.25)", &r, &p, NULL, &err),
                     SP_OK);
    assert_int_equal(sp_program_n_input(p), 2);
    double work[400], in[2] = {0.7, 1.9}, grad[2], hess[3];
    assert_true(sp_program_work(p, 2) <= 400);
    const bool x_first = sp_program_inputs(p)[0] == 20;
    assert_true(x_first);
    const double value = sp_program_hess(p, in, grad, hess, work);
    sp_partials u, v;
    sp_table_partials(t, in[0] * in[1], &u);
    sp_table_partials(t, sin(in[0]), &v);
    expect_close(value, u.f + in[1] * v.f + sp_table_value(t, 0.25), 1e-14);
    assert_true(value == sp_program_value(p, in, work));
    expect_close(grad[0], u.x * in[1] + in[1] * v.x * cos(in[0]), 1e-12);
    expect_close(grad[1], u.x * in[0] + v.f, 1e-12);
    expect_close(hess[0],
                 u.xx * in[1] * in[1] + in[1] * (v.xx * cos(in[0]) * cos(in[0]) - v.x * sin(in[0])),
                 1e-11);
    expect_close(hess[1], u.xx * in[0] * in[1] + u.x + v.x * cos(in[0]), 1e-11);
    expect_close(hess[2], u.xx * in[0] * in[0], 1e-11);
    sp_arena_free(&b);
    sp_arena_free(&a);
}

static void constants_outside_and_wrong_dimensions_are_refused(void **ctx)
{
    (void)ctx;
    static const char *const text[][2] = {
        {"f(0.25 m)", ""},
        {"f(0)", ""},
        {"f(5.6 m)", "'f(5.6 m)': the argument 5.6 m lies outside the points of the table, "
                     "expected from -1 to 5.5 m"},
        {"2 + f(x)", "'f(x)': the argument is a pure number, expected a length [m]"},
        {"f(l1, l2)", "'f' takes 1 argument, got 2 in 'f(l1, l2)'"},
        {"f(x > 1)", "'x > 1' in 'f(x > 1)' is a condition, expected a number; write 'if(x > 1, 1, "
                     "0)'"},
    };
    sp_arena a;
    sp_table *t = table_of(&a, N, X, Y, true);
    t->x_dim = sp_dim_of(1, 0, 0);
    t->y_dim = sp_dim_of(0, 1, 0);
    const sp_resolver r = {
        .ctx = t, .name = test_resolve, .function = find_table, .check_units = true};
    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
        sp_program *p;
        sp_expr_info info;
        sp_error err = {.text = ""};
        sp_expr_compile(&a, text[k][0], &r, &p, &info, &err);
        assert_string_equal(err.text, text[k][1]);
        if (p) {
            assert_true(info.is_const && sp_dim_equal(info.dim, sp_dim_of(0, 1, 0)));
        }
    }
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spline_is_the_natural_cubic_one),
        cmocka_unit_test(slopes_and_bends_are_those_of_the_values),
        cmocka_unit_test(outside_it_goes_on_straight),
        cmocka_unit_test(straight_lines_and_two_points),
        cmocka_unit_test(wrong_points_are_found),
        cmocka_unit_test(programs_carry_tables_with_their_derivatives),
        cmocka_unit_test(constants_outside_and_wrong_dimensions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
