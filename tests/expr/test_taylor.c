/* Taylor polynomials of programs: their first two derivatives against gradient and Hessian, the
 * third against differences of the Hessian, and all against closed forms. */
#include "test_expr.h"

#include "expr/taylor.h"
#include "support/check.h"

static double in[8], dir[8], grad[8], hess[36];

/* Second derivative along dir at in + h dir, by the Hessian. */
static double second(const sp_program *p, double h, double *work)
{
    const int n = sp_program_n_input(p);
    double at[8], sum = 0.0;
    for (int k = 0; k < n; k++) {
        at[k] = in[k] + h * dir[k];
    }
    sp_program_hess(p, at, grad, hess, work);
    for (int k = 0; k < n; k++) {
        for (int j = 0; j <= k; j++) {
            sum += (j < k ? 2.0 : 1.0) * hess[k * (k + 1) / 2 + j] * dir[k] * dir[j];
        }
    }
    return sum;
}

static sp_program *compile(sp_arena *a, const char *text)
{
    sp_program *p = NULL;
    sp_error err = {.text = ""};
    const sp_resolver r = {.name = test_resolve, .check_units = true};
    if (sp_expr_compile(a, text, &r, &p, NULL, &err) != SP_OK) {
        fail_msg("%s: %s", text, err.text);
    }
    return p;
}

static const char *const texts[] = {"x",
                                    "x + y*z",
                                    "x*y*z*w",
                                    "x/(2 + y)",
                                    "sin(x*y)",
                                    "cos(x - z)",
                                    "tan(x)",
                                    "asin(x*y)",
                                    "acos(x*y)",
                                    "atan(x + y)",
                                    "atan2(x, z)",
                                    "sinh(x*z)",
                                    "cosh(x + y)",
                                    "tanh(x - y*z)",
                                    "exp(x*y)",
                                    "log(2 + x*y)",
                                    "sqrt(1 + x^2)",
                                    "abs(y*z)",
                                    "x^3 + y^4*z^-2",
                                    "z^x",
                                    "z^0.7*x",
                                    "(x + y) mod z",
                                    "min(x, z)*y",
                                    "max(x, z)^2*y",
                                    "if(x < z, x^2*y, z)",
                                    "sign(x)*y^3",
                                    "floor(z)*x^2",
                                    "-x*y^2*exp(-z*w)",
                                    "clamp(x, 0, 2)^3"};

static void derivatives_agree_with_gradient_and_hessian(void **ctx)
{
    (void)ctx;
    rng r = {5};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        sp_program *p = compile(&a, texts[i]);
        const int n = sp_program_n_input(p);
        double *work = SP_NEW(&a, double, sp_program_work(p, 2));
        void *room = sp_arena_alloc(&a, sp_program_taylor_work(p), 1);
        sp_taylor path[8];
        for (int k = 0; k < n; k++) {
            const int id = sp_program_inputs(p)[k];
            in[k] = id == 20 ? 0.7 : id == 21 ? -0.4 : id == 22 ? 1.3 : 0.2;
            dir[k] = rng_in(&r, -1.0, 1.0);
            path[k] = (sp_taylor){{in[k], dir[k], 0.0, 0.0}};
        }
        const sp_taylor c = sp_program_taylor(p, path, room);
        const double value = sp_program_grad(p, in, grad, work);
        double first = 0.0;
        for (int k = 0; k < n; k++) {
            first += grad[k] * dir[k];
        }
        assert_near(c.c[0], value, 1e-14);
        assert_near(c.c[1], first, 1e-13);
        assert_near(2.0 * c.c[2], second(p, 0.0, work), 1e-12);
        const double h = 1e-3;
        const double third = (8.0 * (second(p, h, work) - second(p, -h, work)) -
                              (second(p, 2.0 * h, work) - second(p, -2.0 * h, work))) /
                             (12.0 * h);
        assert_near(6.0 * c.c[3], third, 1e-8);
        sp_arena_free(&a);
    }
}

/* D^3 of x y z along three axes is 1, of x^2 y along (x, x, y) 2, of x^3 along x three times 6. */
static void mixed_third_derivatives_are_exact(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    sp_program *p = compile(&a, "x*y*z + 5*x^2*y + x^3/6 + sin(x*y)");
    void *room = sp_arena_alloc(&a, sp_program_taylor_work(p), 1);
    sp_taylor path[8];
    double e[3][3] = {{0.0}};
    int at[3] = {0, 0, 0}; /* where x, y, z stand */
    for (int k = 0; k < 3; k++) {
        at[sp_program_inputs(p)[k] - 20] = k;
    }
    for (int k = 0; k < 3; k++) {
        e[k][at[k]] = 1.0;
        in[at[k]] = k == 0 ? 0.7 : k == 1 ? -0.4 : 1.3;
    }
    const double x = 0.7, y = -0.4, c = cos(x * y), s = sin(x * y);
    assert_near(sp_program_third(p, in, e[0], e[1], e[2], path, room), 1.0, 1e-14);
    assert_near(sp_program_third(p, in, e[0], e[0], e[0], path, room), 1.0 - y * y * y * c, 1e-14);
    assert_near(sp_program_third(p, in, e[0], e[0], e[1], path, room),
                10.0 - 2.0 * y * s - x * y * y * c, 1e-13);
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_gradient_and_hessian),
        cmocka_unit_test(mixed_third_derivatives_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
