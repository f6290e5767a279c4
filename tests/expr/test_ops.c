#include "test_expr.h"

#include "expr/ops.h"

#include <complex.h>

/* The operations as functions of complex numbers, branches chosen by the real part. */
static double complex reference(sp_op op, double complex x, double complex y, double z)
{
    switch (op) {
    case SP_OP_NEG:
        return -x;
    case SP_OP_SIN:
        return csin(x);
    case SP_OP_COS:
        return ccos(x);
    case SP_OP_TAN:
        return ctan(x);
    case SP_OP_ASIN:
        return casin(x);
    case SP_OP_ACOS:
        return cacos(x);
    case SP_OP_ATAN:
        return catan(x);
    case SP_OP_SINH:
        return csinh(x);
    case SP_OP_COSH:
        return ccosh(x);
    case SP_OP_TANH:
        return ctanh(x);
    case SP_OP_EXP:
        return cexp(x);
    case SP_OP_LOG:
        return clog(x);
    case SP_OP_SQRT:
        return csqrt(x);
    case SP_OP_ABS:
        return creal(x) < 0.0 ? -x : x;
    case SP_OP_SIGN:
        return creal(x) < 0.0 ? -1.0 : 1.0;
    case SP_OP_FLOOR:
        return floor(creal(x));
    case SP_OP_ADD:
        return x + y;
    case SP_OP_SUB:
        return x - y;
    case SP_OP_MUL:
        return x * y;
    case SP_OP_DIV:
        return x / y;
    case SP_OP_MOD:
        return x - y * floor(creal(x) / creal(y));
    case SP_OP_POW:
    case SP_OP_POW_C:
        return cexp(y * clog(x));
    case SP_OP_POW_N: {
        double complex product = 1.0;
        for (int k = 0; k < abs((int)creal(y)); k++) {
            product *= x;
        }
        return creal(y) < 0.0 ? 1.0 / product : product;
    }
    case SP_OP_ATAN2: /* the angle of y + i x, continued from its real values */
        return atan2(creal(x), creal(y)) + (creal(y) * I * cimag(x) - creal(x) * I * cimag(y)) /
                                               (creal(x) * creal(x) + creal(y) * creal(y));
    case SP_OP_MIN:
        return creal(x) <= creal(y) ? x : y;
    case SP_OP_MAX:
        return creal(x) >= creal(y) ? x : y;
    case SP_OP_SELECT:
        return z != 0.0 ? x : y;
    default:
        return NAN;
    }
}

/* df/dx and df/dy by a complex step: exact to round-off, no differences of near numbers. */
static void slopes(sp_op op, double x, double y, double z, double out[2])
{
    out[0] = cimag(reference(op, x + 1e-30 * I, y, z)) / 1e-30;
    out[1] = cimag(reference(op, x, y + 1e-30 * I, z)) / 1e-30;
}

static void assert_near(sp_op op, const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected)))) {
        fail_msg("operation %d: %s = %.15g, expected %.15g", (int)op, what, value, expected);
    }
}

/* Partial derivatives of one operation at one point, second ones by differences of complex steps.
 */
static void check_partials(sp_op op, double x, double y, double z)
{
    sp_partials d = {0};
    double first[2], plus[2], minus[2];
    const double step = 1e-5;
    const bool y_fixed = op == SP_OP_POW_C || op == SP_OP_POW_N || sp_op_is_unary(op);
    sp_op_partials(op, x, y, z, 2, &d);
    slopes(op, x, y, z, first);
    assert_near(op, "f", d.f, creal(reference(op, x, y, z)), 1e-14);
    assert_near(op, "f_x", d.use & SP_USE_X ? d.x : 0.0, first[0], 1e-13);
    slopes(op, x + step, y, z, plus);
    slopes(op, x - step, y, z, minus);
    const double second = (plus[0] - minus[0]) / (2.0 * step);
    assert_near(op, "f_xx", d.use & SP_USE_XX ? d.xx : 0.0, second, 1e-7);
    if (y_fixed) {
        return;
    }
    assert_near(op, "f_y", d.use & SP_USE_Y ? d.y : 0.0, first[1], 1e-13);
    assert_near(op, "f_xy", d.use & SP_USE_XY ? d.xy : 0.0, (plus[1] - minus[1]) / (2.0 * step),
                1e-7);
    slopes(op, x, y + step, z, plus);
    slopes(op, x, y - step, z, minus);
    assert_near(op, "f_yx", d.use & SP_USE_XY ? d.xy : 0.0, (plus[0] - minus[0]) / (2.0 * step),
                1e-7);
    assert_near(op, "f_yy", d.use & SP_USE_YY ? d.yy : 0.0, (plus[1] - minus[1]) / (2.0 * step),
                1e-7);
}

static void all_partial_derivatives_agree_with_complex_steps(void **ctx)
{
    (void)ctx;
    static const double at[] = {-0.83, -0.31, 0.17, 0.52, 0.91};
    int n_check = 0;
    for (int op = 0; op <= SP_OP_SELECT; op++) {
        const bool positive =
            op == SP_OP_LOG || op == SP_OP_SQRT || op == SP_OP_POW || op == SP_OP_POW_C;
        if (sp_op_is_condition((sp_op)op)) {
            continue;
        }
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                const double x = positive ? fabs(at[i]) : at[i];
                const double y = op == SP_OP_POW_N ? (double)(3 * j - 6) : at[j] + 0.013;
                check_partials((sp_op)op, x, y, (double)(j % 2));
                n_check++;
            }
        }
    }
    assert_int_equal(n_check, 28 * 25);
}

static void whole_powers_are_right_for_all_exponents(void **ctx)
{
    (void)ctx;
    for (int n = -SP_POW_N_MAX; n <= SP_POW_N_MAX; n++) {
        for (double x = -2.0; x < 2.5; x += 0.375) {
            const double expected = pow(x, n);
            assert_true(sp_power_n(x, n) == expected ||
                        fabs(sp_power_n(x, n) - expected) < 1e-14 * fabs(expected));
        }
    }
}

static void powers_at_zero_have_their_limits(void **ctx)
{
    (void)ctx;
    sp_partials d = {0};
    sp_op_partials(SP_OP_POW, 0.0, 1.5, 0.0, 2, &d);
    assert_true(d.f == 0.0 && d.x == 0.0 && d.y == 0.0 && d.xy == 0.0 && d.yy == 0.0);
    assert_true(isinf(d.xx));
    sp_op_partials(SP_OP_POW_N, 0.0, 2.0, 0.0, 2, &d);
    assert_true(d.f == 0.0 && d.x == 0.0 && d.xx == 2.0);
    sp_op_partials(SP_OP_POW_C, 0.0, 20.0, 0.0, 2, &d);
    assert_true(d.f == 0.0 && d.x == 0.0 && d.xx == 0.0);
}

static void nan_is_never_swallowed(void **ctx)
{
    (void)ctx;
    for (int op = 0; op <= SP_OP_OR; op++) {
        assert_true(isnan(sp_op_value((sp_op)op, NAN, 2.0, 1.0)));
        if (!sp_op_is_unary((sp_op)op) && op != SP_OP_POW_N) {
            assert_true(isnan(sp_op_value((sp_op)op, 0.5, NAN, 1.0)));
        }
    }
    assert_true(isnan(sp_op_value(SP_OP_SELECT, 1.0, 2.0, NAN)));
    sp_partials d = {0};
    sp_op_partials(SP_OP_SELECT, 1.0, 2.0, NAN, 1, &d);
    assert_true(isnan(d.x) && isnan(d.y));
    sp_op_partials(SP_OP_MIN, 1.0, NAN, 0.0, 1, &d);
    assert_true(isnan(d.x) && isnan(d.y));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_partial_derivatives_agree_with_complex_steps),
        cmocka_unit_test(whole_powers_are_right_for_all_exponents),
        cmocka_unit_test(powers_at_zero_have_their_limits),
        cmocka_unit_test(nan_is_never_swallowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
