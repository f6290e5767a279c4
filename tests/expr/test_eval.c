#include "test_expr.h"

#include <complex.h>

/* Allocations of the whole program are counted where the C library lets us stand in between. */
#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer) &&                           \
    !HAS_FEATURE(memory_sanitizer)
#define COUNTS_ALLOCATIONS 1
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
static volatile long n_allocation;

void *malloc(size_t bytes)
{
    n_allocation++;
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    n_allocation++;
    return __libc_calloc(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
    n_allocation++;
    return __libc_realloc(block, bytes);
}
#else
#define COUNTS_ALLOCATIONS 0
static volatile long n_allocation;
#endif

/* Relative to the largest entry.  Complex steps are exact; the extrapolated differences of slopes
 * leave some 1e-8 where the expression oscillates quickly. */
#define SLOPE_TOLERANCE     1e-12
#define CURVATURE_TOLERANCE 1e-6

enum { N_VAR = 4, NODE_MAX = 40 };

/* A random expression: written as text for the library, evaluated here with complex numbers. */
typedef struct tree {
    int kind[NODE_MAX], a[NODE_MAX], b[NODE_MAX], n;
    double number[NODE_MAX];
} tree;

static uint64_t random_bits(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static double random_number(uint64_t *seed, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits(seed) >> 11) / 9007199254740992.0);
}

/* Forms with one operand (%s) and two; wrapped so that they stay in the domain and moderate. */
static const char *const form[] = {
    "(-%s)",
    "sin(%s)",
    "cos(%s)",
    "tan(0.9*sin(%s))",
    "asin(0.9*sin(%s))",
    "acos(0.9*cos(%s))",
    "atan(%s)",
    "sinh(sin(%s))",
    "cosh(cos(%s))",
    "tanh(%s)",
    "exp(sin(%s))",
    "log(1.5 + (%s)^2)",
    "sqrt(1 + (%s)^2)",
    "abs(%s)",
    "(sign(%s)*3)",
    "(floor(%s)/4)",
    "(sin(%s)^3)",
    "((1.5 + sin(%s))^-2)",
    "((1.5 + sin(%s))^1.7)",
    "(%s + %s)",
    "(%s - %s)",
    "(%s*%s)",
    "(%s/(2 + (%s)^2))",
    "((%s) mod (2.5 + sin(%s)))",
    "((1.5 + sin(%s))^cos(%s))",
    "atan2(3 + sin(%s), %s)",
    "min(%s, %s)",
    "max(%s, %s)",
    "if(sin(5*%s) > 0.1 and not x > 3, %s, 2)",
    "clamp(%s, -1, %s + 3)",
    "square(mean(%s, %s))",
};
enum { N_UNARY = 19, N_FORM = sizeof form / sizeof form[0], KIND_VAR = 100, KIND_NUMBER = 101 };
static const char *const var_name[N_VAR] = {"x", "y", "z", "w"};

static tree random_tree(uint64_t *seed)
{
    tree t = {.n = 0};
    const int n = 6 + (int)(random_bits(seed) % (NODE_MAX - 6));
    for (; t.n < n; t.n++) {
        const int k = t.n;
        const uint64_t choice = random_bits(seed) % 10;
        if (k < N_VAR) {
            t.kind[k] = KIND_VAR;
            t.a[k] = k;
        } else if (choice < 1 && k < n - 1) {
            t.kind[k] = KIND_NUMBER;
            t.number[k] = random_number(seed, 0.1, 3.0);
        } else {
            t.kind[k] = (int)(random_bits(seed) % N_FORM);
            const int reach = k < 6 ? k : 6;
            t.a[k] = k - 1 - (int)(random_bits(seed) % (unsigned)reach);
            t.b[k] = k - 1 - (int)(random_bits(seed) % (unsigned)reach);
        }
    }
    return t;
}

/* Writes node k as text, parts joined without recursion; false if it gets too long. */
static bool write_tree(const tree *t, char *out, size_t size)
{
    char *part[NODE_MAX] = {NULL};
    bool fits = true;
    for (int k = 0; k < t->n && fits; k++) {
        part[k] = malloc(size);
        int length = 0;
        if (t->kind[k] == KIND_VAR) {
            length = snprintf(part[k], size, "%s", var_name[t->a[k]]);
        } else if (t->kind[k] == KIND_NUMBER) {
            length = snprintf(part[k], size, "%.17g", t->number[k]);
        } else {
            const char *f = form[t->kind[k]], *first = strstr(f, "%s");
            const char *second = strstr(first + 2, "%s");
            if (second) {
                length =
                    snprintf(part[k], size, "%.*s%s%.*s%s%s", (int)(first - f), f, part[t->a[k]],
                             (int)(second - first - 2), first + 2, part[t->b[k]], second + 2);
            } else {
                length = snprintf(part[k], size, "%.*s%s%s", (int)(first - f), f, part[t->a[k]],
                                  first + 2);
            }
        }
        fits = length < (int)size;
    }
    if (fits) {
        snprintf(out, size, "%s", part[t->n - 1]);
    }
    for (int k = 0; k < t->n; k++) {
        free(part[k]);
    }
    return fits;
}

static double complex power(double complex x, double complex y)
{
    return cexp(y * clog(x));
}

/* The forms with one operand; *branch tells which side of a kink was taken. */
static double complex apply_unary(int kind, double complex a, int *branch)
{
    const double r = creal(a);
    switch (kind) {
    case 0:
        return -a;
    case 1:
        return csin(a);
    case 2:
        return ccos(a);
    case 3:
        return ctan(0.9 * csin(a));
    case 4:
        return casin(0.9 * csin(a));
    case 5:
        return cacos(0.9 * ccos(a));
    case 6:
        return catan(a);
    case 7:
        return csinh(csin(a));
    case 8:
        return ccosh(ccos(a));
    case 9:
        return ctanh(a);
    case 10:
        return cexp(csin(a));
    case 11:
        return clog(1.5 + a * a);
    case 12:
        return csqrt(1.0 + a * a);
    case 13:
        *branch = r < 0.0;
        return *branch ? -a : a;
    case 14:
        *branch = (r > 0.0) - (r < 0.0);
        return 3.0 * *branch;
    case 15:
        *branch = (int)floor(r);
        return *branch / 4.0;
    case 16:
        return csin(a) * csin(a) * csin(a);
    case 17:
        return 1.0 / ((1.5 + csin(a)) * (1.5 + csin(a)));
    case 18:
        return power(1.5 + csin(a), 1.7);
    default:
        return NAN;
    }
}

/* The forms with two operands; x is the first variable. */
static double complex apply_binary(int kind, double complex a, double complex b, double x,
                                   int *branch)
{
    const double r = creal(a), s = creal(b);
    double complex f = 0.0;
    switch (kind) {
    case 19:
        f = a + b;
        break;
    case 20:
        f = a - b;
        break;
    case 21:
        f = a * b;
        break;
    case 22:
        f = a / (2.0 + b * b);
        break;
    case 23:
        *branch = (int)floor(r / creal(2.5 + csin(b)));
        f = a - *branch * (2.5 + csin(b));
        break;
    case 24:
        f = power(1.5 + csin(a), ccos(b));
        break;
    case 25: /* atan2(p, q) = arg(q + i p) for p > 0 = pi/2 - atan(q/p) */
        f = 1.57079632679489661923 - catan(b / (3.0 + csin(a)));
        break;
    case 26:
        *branch = r <= s;
        f = *branch ? a : b;
        break;
    case 27:
        *branch = r >= s;
        f = *branch ? a : b;
        break;
    case 28:
        *branch = sin(5.0 * r) > 0.1 && !(x > 3.0);
        f = *branch ? b : 2.0;
        break;
    case 29:
        *branch = r >= -1.0 ? 1 : 2;
        f = *branch == 1 ? a : -1.0;
        *branch += creal(f) <= s + 3.0 ? 0 : 4;
        f = *branch > 3 ? b + 3.0 : f;
        break;
    default:
        f = (a + b) * (a + b) / 4.0;
        break;
    }
    return f;
}

/* One form at complex operands; *side collects which branches were taken. */
static double complex apply(int kind, double complex a, double complex b, double x, uint64_t *side)
{
    int branch = 0;
    const double complex f =
        kind < N_UNARY ? apply_unary(kind, a, &branch) : apply_binary(kind, a, b, x, &branch);
    *side = *side * 1000003u + (uint64_t)(branch + 50);
    return f;
}

static double complex eval_tree(const tree *t, const double complex *in, uint64_t *side)
{
    double complex v[NODE_MAX];
    *side = 1;
    for (int k = 0; k < t->n; k++) {
        if (t->kind[k] == KIND_VAR) {
            v[k] = in[t->a[k]];
        } else if (t->kind[k] == KIND_NUMBER) {
            v[k] = t->number[k];
        } else {
            v[k] = apply(t->kind[k], v[t->a[k]], v[t->b[k]], creal(in[0]), side);
        }
    }
    return v[t->n - 1];
}

/* df/dx_i by a complex step, exact to round-off. */
static double slope(const tree *t, const double *at, int i, uint64_t *side)
{
    double complex in[N_VAR];
    for (int k = 0; k < N_VAR; k++) {
        in[k] = at[k] + (k == i ? 1e-30 * I : 0.0);
    }
    return cimag(eval_tree(t, in, side)) / 1e-30;
}

/* Which of the four variables an input of the program is. */
static int variable(const sp_program *p, int k)
{
    return sp_program_inputs(p)[k] - 20;
}

/* d2f/dx_i dx_j by Richardson-extrapolated differences of complex steps; NaN where a branch
 * changes near by. */
static double curvature(const tree *t, const double *at, int i, int j)
{
    double estimate[2];
    uint64_t side, here;
    slope(t, at, i, &here);
    for (int r = 0; r < 2; r++) {
        const double h = r ? 5e-4 : 1e-3;
        double moved[N_VAR], difference = 0.0;
        memcpy(moved, at, sizeof moved);
        for (int sign = -1; sign <= 1; sign += 2) {
            moved[j] = at[j] + sign * h;
            difference += sign * slope(t, moved, i, &side);
            if (side != here) {
                return NAN;
            }
        }
        estimate[r] = difference / (2.0 * h);
    }
    return (4.0 * estimate[1] - estimate[0]) / 3.0;
}

typedef struct tally {
    long n_expression, n_grad, n_hess, n_skipped;
    double worst_grad, worst_hess;
} tally;

/* Compares value, gradient and Hessian of one program with the reference at one point. */
static void compare(const tree *t, const sp_program *p, const double *at, const char *text,
                    tally *count)
{
    const int n = sp_program_n_input(p);
    double in[N_VAR], grad[N_VAR], grad_2[N_VAR], hess[N_VAR * (N_VAR + 1) / 2];
    double *work = malloc(sp_program_work(p, 2) * sizeof *work);
    for (int k = 0; k < n; k++) {
        in[k] = at[variable(p, k)];
    }
    const double value = sp_program_value(p, in, work);
    assert_true(sp_program_grad(p, in, grad, work) == value);
    assert_true(sp_program_hess(p, in, grad_2, hess, work) == value);
    free(work);
    double complex z[N_VAR] = {at[0], at[1], at[2], at[3]};
    uint64_t side;
    const double expected = creal(eval_tree(t, z, &side));
    if (!(fabs(value - expected) <= 1e-10 * (1.0 + fabs(expected)))) {
        fail_msg("%s = %.17g, expected %.17g", text, value, expected);
    }
    double scale = 1.0;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(grad[i]));
    }
    for (int i = 0; i < n; i++) {
        assert_true(grad[i] == grad_2[i]);
        const double error = fabs(grad[i] - slope(t, at, variable(p, i), &side)) / scale;
        count->worst_grad = fmax(count->worst_grad, error);
        count->n_grad++;
        if (!(error <= SLOPE_TOLERANCE)) {
            fail_msg("%s: df/d%s = %.17g", text, var_name[variable(p, i)], grad[i]);
        }
    }
    double scale_2 = scale;
    for (int k = 0; k < n * (n + 1) / 2; k++) {
        scale_2 = fmax(scale_2, fabs(hess[k]));
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) { /* both triangles of the reference: symmetry is not assumed */
            const double h = hess[i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
            const double reference = curvature(t, at, variable(p, i), variable(p, j));
            if (isnan(reference)) {
                count->n_skipped++;
                continue;
            }
            const double error = fabs(h - reference) / scale_2;
            count->worst_hess = fmax(count->worst_hess, error);
            count->n_hess++;
            if (!(error <= CURVATURE_TOLERANCE)) {
                fail_msg("%s: d2f/d%s d%s = %.17g, expected %.17g", text, var_name[variable(p, i)],
                         var_name[variable(p, j)], h, reference);
            }
        }
    }
}

static void derivatives_of_random_expressions_agree_with_complex_steps(void **ctx)
{
    (void)ctx;
    enum { SIZE = 20000 };
    uint64_t seed = 0x9E3779B97F4A7C15u;
    tally count = {0};
    char *text = malloc(SIZE);
    while (count.n_expression < 1500) {
        const tree t = random_tree(&seed);
        if (!write_tree(&t, text, SIZE)) {
            continue;
        }
        sp_arena a;
        sp_program *p;
        sp_error err;
        sp_arena_init(&a, NULL, 0);
        if (sp_expr_compile(&a, text, &test_resolver, &p, NULL, &err) != SP_OK) {
            fail_msg("%s: %s", text, err.text);
        }
        for (int k = 0; k < 2 && sp_program_n_input(p) > 1; k++) {
            double at[N_VAR];
            for (int i = 0; i < N_VAR; i++) {
                at[i] = random_number(&seed, -1.5, 1.5);
            }
            compare(&t, p, at, text, &count);
        }
        count.n_expression += sp_program_n_input(p) > 1 ? 1 : 0;
        sp_arena_free(&a);
    }
    free(text);
    print_message("%ld expressions: %ld slopes to %.1e, %ld curvatures to %.1e, %ld skipped at "
                  "kinks\n",
                  count.n_expression, count.n_grad, count.worst_grad, count.n_hess,
                  count.worst_hess, count.n_skipped);
    assert_true(count.n_hess > 10000 && count.n_skipped < count.n_hess / 10);
}

static sp_program *compile(sp_arena *a, const char *text)
{
    sp_program *p = NULL;
    sp_error err;
    if (sp_expr_compile(a, text, &test_resolver, &p, NULL, &err) != SP_OK) {
        fail_msg("%s: %s", text, err.text);
    }
    return p;
}

/* T = (m_M y'^2 + J phi'^2)/2 style form: the Hessian is the mass matrix. */
static void the_hessian_of_a_quadratic_form_is_its_matrix(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "(2*x^2 + 3*y^2 + 5*(x + 4*y + 7*z)^2)/2");
    const double in[3] = {0.3, -0.2, 0.9};
    double grad[3], hess[6], *work = SP_NEW(&a, double, sp_program_work(p, 2));
    sp_program_hess(p, in, grad, hess, work);
    static const double expected[6] = {7, 20, 83, 35, 140, 245};
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(hess[k] - expected[k]) < 1e-12);
    }
    sp_arena_free(&a);
}

/* d/dy of sqrt(x) + y is 1 even where d/dx is infinite. */
static void an_infinite_slope_spoils_only_its_own_input(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "sqrt(x)*z + y^2");
    const double in[3] = {0.0, 2.0, 3.0};
    double grad[3], hess[6], *work = SP_NEW(&a, double, sp_program_work(p, 2));
    assert_true(sp_program_hess(p, in, grad, hess, work) == 9.0);
    assert_true(isinf(grad[0]) && grad[1] == 0.0 && grad[2] == 6.0);
    assert_true(hess[3] == 0.0 && hess[4] == 0.0 && hess[5] == 2.0);
    sp_arena_free(&a);
}

static void the_branch_not_taken_may_have_no_value(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "if(x > 0, sqrt(x), -x)");
    double in = -4.0, grad, hess, *work = SP_NEW(&a, double, sp_program_work(p, 2));
    assert_true(sp_program_hess(p, &in, &grad, &hess, work) == 4.0);
    assert_true(grad == -1.0 && hess == 0.0);
    in = NAN;
    assert_true(isnan(sp_program_value(p, &in, work)));
    sp_arena_free(&a);
}

static void kinks_have_the_derivative_of_their_side(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "0.1 + 0.2*exp(-abs(x)/0.01)");
    double in = 0.0, grad, hess, *work = SP_NEW(&a, double, sp_program_work(p, 2));
    assert_true(sp_program_hess(p, &in, &grad, &hess, work) == 0.1 + 0.2);
    assert_true(grad == 0.0 && hess == 0.0);
    in = -0.01;
    sp_program_hess(p, &in, &grad, &hess, work);
    assert_true(fabs(grad - 20.0 * exp(-1.0)) < 1e-13);
    assert_true(fabs(hess - 2000.0 * exp(-1.0)) < 1e-11);
    sp_arena_free(&a);
}

static void scratch_has_no_memory_and_no_byte_beyond_its_size_is_touched(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "x*y + sin(z*x) - atan2(y, z)*x^3 + if(x > y, z, w)");
    const double in[4] = {0.3, -0.2, 0.9, 0.4};
    double grad[2][4], hess[2][10], value[2];
    for (int order = 0; order <= 2; order++) {
        const size_t n = sp_program_work(p, order);
        double *work = malloc((n + 1) * sizeof *work);
        for (int k = 0; k < 2; k++) {
            for (size_t i = 0; i <= n; i++) {
                work[i] = k ? NAN : 1e300;
            }
            work[n] = 123.0;
            value[k] = order == 0   ? sp_program_value(p, in, work)
                       : order == 1 ? sp_program_grad(p, in, grad[k], work)
                                    : sp_program_hess(p, in, grad[k], hess[k], work);
            assert_true(work[n] == 123.0);
        }
        free(work);
        assert_true(value[0] == value[1]);
    }
    assert_memory_equal(grad[0], grad[1], sizeof grad[0]);
    assert_memory_equal(hess[0], hess[1], sizeof hess[0]);
    sp_arena_free(&a);
}

static void evaluation_allocates_nothing(void **ctx)
{
    (void)ctx;
    if (!COUNTS_ALLOCATIONS) {
        return; /* a sanitizer owns malloc */
    }
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "ramp(x)*tan(y) + min(z, w)^2.5 + square(x/z) mod 3");
    double in[4] = {0.3, -0.2, 0.9, 0.4}, grad[4], hess[10], sum = 0.0;
    double *work = SP_NEW(&a, double, sp_program_work(p, 2));
    const long before = n_allocation;
    assert_true(before > 0);
    for (int k = 0; k < 10000; k++) {
        in[0] = 1e-4 * k;
        sum += sp_program_value(p, in, work) + sp_program_grad(p, in, grad, work) +
               sp_program_hess(p, in, grad, hess, work);
    }
    assert_int_equal(n_allocation, before);
    assert_true(isfinite(sum));
    sp_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_random_expressions_agree_with_complex_steps),
        cmocka_unit_test(the_hessian_of_a_quadratic_form_is_its_matrix),
        cmocka_unit_test(an_infinite_slope_spoils_only_its_own_input),
        cmocka_unit_test(the_branch_not_taken_may_have_no_value),
        cmocka_unit_test(kinks_have_the_derivative_of_their_side),
        cmocka_unit_test(scratch_has_no_memory_and_no_byte_beyond_its_size_is_touched),
        cmocka_unit_test(evaluation_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
