/* Hulls of programs of time against samples, their sharpness, and switches at times that are
 * known. */
#include "test_expr.h"

#include "expr/bounds.h"
#include "expr/samples.h"
#include "expr/table.h"
#include "support/check.h"

static sp_table *corners;

/* Names of the table, and F(t), straight lines through 0, 0, 20, 0 at 0, 1.2, 1.25, 1.3. */
static sp_status with_table(void *ctx, const char *name, sp_function *out, sp_error *err)
{
    static const char *const param[] = {"a"};
    if (strcmp(name, "F") != 0 && strcmp(name, "S") != 0) {
        return test_lookup(ctx, name, out, err);
    }
    *out = (sp_function){.n_param = 1, .param = param, .body = "0", .table = corners};
    return SP_OK;
}

/* Counts of values (factors among them) and conditions. */
typedef struct parts {
    int values, factors, conditions;
} parts;

static sp_status count_part(void *ctx, const sp_program *part, sp_part_use use, int *input,
                            sp_error *err)
{
    (void)part;
    (void)err;
    parts *n = ctx;
    n->conditions += use == SP_PART_CONDITION;
    n->values += use != SP_PART_CONDITION;
    n->factors += use == SP_PART_FACTOR;
    *input = use == SP_PART_CONDITION ? -1 : 100 + n->values;
    return SP_OK;
}

static sp_program *compile(sp_arena *a, const char *text)
{
    sp_program *p = NULL;
    sp_error err = {.text = ""};
    const sp_resolver r = {.name = test_resolve, .function = with_table};
    if (sp_expr_compile(a, text, &r, &p, NULL, &err) != SP_OK) {
        fail_msg("%s: %s", text, err.text);
    }
    return p;
}

static void make_table(sp_arena *a, bool spline)
{
    const double x[] = {0.0, 1.2, 1.25, 1.3, 5.0}, y[] = {0.0, 0.0, 20.0, 0.0, 0.0};
    int wrong;
    assert_int_equal(sp_table_new(a, 5, x, y, spline, &corners, &wrong), SP_OK);
}

static const char *const texts[] = {"sin(3*t) + cos(5*t)*t",
                                    "exp(-((t - 1)/0.1)^2)",
                                    "tan(0.3*t)*tanh(t)",
                                    "asin(sin(t)/2) + acos(cos(t)/2) + atan(t)",
                                    "sinh(t)/cosh(2*t)",
                                    "log(1 + t^2)*sqrt(2 + t)",
                                    "t^3 - 2*t^2 + t^-2",
                                    "(1 + t)^0.7*(2 + t)^t",
                                    "abs(t - 1)*sign(t - 0.5)",
                                    "floor(3*t) + t mod 0.7",
                                    "min(t, 1)*max(sin(t), 0.3)",
                                    "if(t > 1 and not(t > 2) or t < 0.3, t^2, -1)",
                                    "F(t)",
                                    "F(2*sin(t))",
                                    "atan2(sin(t), t)",
                                    "atan2(sin(2*t), 0.3 + cos(2*t))"};

/* Values and differences over random intervals lie in the hulls, splines included. */
static void a_hull_holds_all_values_and_rates(void **ctx)
{
    (void)ctx;
    rng r = {7};
    for (size_t k = 0; k < 2 * sizeof texts / sizeof *texts; k++) {
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        make_table(&a, k % 2 == 1);
        const sp_program *p = compile(&a, texts[k / 2]);
        void *work = SP_NEW(&a, char, sp_program_bounds_work(p) + 1);
        for (int i = 0; i < 300; i++) {
            const double width = pow(10.0, rng_in(&r, -6.0, 0.3));
            const double lo = rng_in(&r, 0.05, 3.0), hi = lo + width;
            sp_open_kinks open;
            const sp_bounds b = sp_program_bounds(p, lo, hi, &open, work);
            const double slack = 1e-12 * (1.0 + fabs(b.f.lo) + fabs(b.f.hi));
            double before = NAN;
            for (int j = 0; j <= 40; j++) {
                const double t = lo + (hi - lo) * j / 40.0;
                const double f = sp_program_value(p, &t, work);
                if (!(f >= b.f.lo - slack && f <= b.f.hi + slack)) {
                    fail_msg("%s at %g: %.17g not in [%.17g, %.17g]", texts[k / 2], t, f, b.f.lo,
                             b.f.hi);
                }
                const double rate = (f - before) / (hi - lo) * 40.0;
                const double off = slack / (hi - lo) * 40.0 + 1e-9 * fabs(rate);
                if (open.n == 0 && j > 0 && !(rate >= b.d.lo - off && rate <= b.d.hi + off)) {
                    fail_msg("%s at %g: rate %.17g not in [%.17g, %.17g]", texts[k / 2], t, rate,
                             b.d.lo, b.d.hi);
                }
                before = f;
            }
        }
        sp_arena_free(&a);
    }
}

/* What a hull is wider than the values falls with the square of the interval: (64.3). */
static void a_hull_is_sharp_to_second_order(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "sin(3*t) - cos(5*t)*t + exp(t)/(1 + t) - atan2(sin(t), -t)");
    void *work = SP_NEW(&a, char, sp_program_bounds_work(p) + 1);
    double width[3], excess[3];
    for (int k = 0; k < 3; k++) {
        width[k] = 0.02 / (1 << k);
        const double ends[2] = {0.7, 0.7 + width[k]}; /* it falls throughout */
        const sp_bounds b = sp_program_bounds(p, ends[0], ends[1], NULL, work);
        const double low = sp_program_value(p, &ends[0], work);
        const double high = sp_program_value(p, &ends[1], work);
        excess[k] = (b.f.hi - b.f.lo) - fabs(high - low);
    }
    const double order = check_order(3, width, excess);
    print_message("order of the excess: %.2f\n", order);
    assert_true(order > 1.9);
    sp_arena_free(&a);
}

typedef struct known {
    const char *text;
    int n;
    double t[6];
} known;

/* All switches up to 3 s, at times known from the text; neighbouring doubles on both sides. */
static void switches_are_found_to_the_last_bit(void **ctx)
{
    (void)ctx;
    static const known list[] = {
        {"if(t > 1.2 and t < 1.3, 20, 0)", 2, {1.2, 1.3}},
        {"if(t >= 1.2, 1, 0)", 1, {1.2}},
        {"-0.4*min(t, 0.3)", 1, {0.3}},
        {"abs(t - 1)", 1, {1.0}},
        {"max(0, sin(pi*t))", 2, {1.0, 2.0}},
        {"floor(2*t)", 5, {0.5, 1.0, 1.5, 2.0, 2.5}},
        {"t mod 0.75", 3, {0.75, 1.5, 2.25}},
        {"clamp(t, 0.5, 1.5)", 2, {0.5, 1.5}},
        {"F(t)", 3, {1.2, 1.25, 1.3}},
        {"max(0, F(t))", 3, {1.2, 1.25, 1.3}},
        {"if((t - 1)^2 < 1e-12, 1, 0)", 2, {1.0 - 1e-6, 1.0 + 1e-6}},
        {"abs((t - 1)^2)", 0, {0.0}},
        {"exp(-((t - 1)/1e-6)^2)", 0, {0.0}},
        {"if(t > 10, 1, 0)", 0, {0.0}},
    };
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    make_table(&a, false);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const sp_program *p = compile(&a, list[k].text);
        void *work = SP_NEW(&a, char, sp_program_bounds_work(p) + 1);
        double t = 1e-3, left = 0.0, right = 0.0;
        int n = 0;
        while (sp_program_switch(p, t, 3.0, &left, &right, work) && right < 2.9) {
            if (right - t > 1e-9) { /* sign(0) lies between -1 and 1 */
                assert_true(n < list[k].n);
                assert_near(left, list[k].t[n], 4e-16 + (k == 10 ? 1e-15 : 0.0));
                n++;
            }
            assert_true(nextafter(left, 4.0) == right);
            t = right;
        }
        if (n != list[k].n) {
            fail_msg("%s: %d switches, expected %d", list[k].text, n, list[k].n);
        }
    }
    sp_arena_free(&a);
}

/* A saw with three million teeth is gone through tooth by tooth. */
static void switches_are_found_one_after_the_other(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    const sp_program *p = compile(&a, "floor(t/1e-6)");
    void *work = SP_NEW(&a, char, sp_program_bounds_work(p) + 1);
    double t = 2.5, left = 0.0, right = 0.0;
    for (int k = 1; k <= 100; k++) {
        assert_true(sp_program_switch(p, t, 3.0, &left, &right, work));
        assert_near(right, 2.5 + 1e-6 * k, 1e-15);
        t = right;
    }
    sp_arena_free(&a);
}

/* Largest parts of time alone, and nothing that is linear in it. */
static void parts_of_time_are_hoisted(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *text;
        int values, factors, conditions;
    } list[] = {{"x + 3*t - 1", 0, 0, 0},
                {"sin(3*t)", 1, 1, 0},
                {"x*sin(3*t)*exp(t)", 2, 0, 0},
                {"x*(sin(3*t)*exp(t))", 1, 1, 0},
                {"if(t > 1 and x > 0, y, t^2)", 1, 1, 1},
                {"sin(x + t)", 0, 0, 0},
                {"min(x, t)", 0, 0, 0},
                {"-cos(x)*sin(3*t)/y + 2*exp(t)", 2, 2, 0},
                {"max(0, exp(t) - x)", 1, 0, 0},
                {"x/exp(t)", 1, 0, 0},
                {"if(exp(t) > x, exp(t), 0)", 2, 1, 0}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        parts n = {0, 0, 0};
        sp_arena a;
        sp_program *p;
        const sp_resolver r = {.ctx = &n, .name = test_resolve, .clock = count_part};
        sp_arena_init(&a, NULL, 0);
        assert_int_equal(sp_expr_compile(&a, list[k].text, &r, &p, NULL, NULL), SP_OK);
        assert_int_equal(n.values, list[k].values);
        assert_int_equal(n.factors, list[k].factors);
        assert_int_equal(n.conditions, list[k].conditions);
        int replaced = 0;
        for (int i = 0; i < sp_program_n_input(p); i++) {
            replaced += sp_program_inputs(p)[i] > 100;
        }
        assert_int_equal(replaced, list[k].values);
        sp_arena_free(&a);
    }
}

/* theory (64.9), (64.9a): from both ends alone where it goes one way, else by the samples. */
static void samples_see_what_goes_one_way(void **ctx)
{
    static const struct {
        const char *text;
        double a, b;
        bool seen; /* by both ends */
    } list[] = {{"sin(t)", 0.1, 1.4, true},
                {"sin(t)", 1.0, 2.2, false},
                {"-exp(t)", 0.0, 2.5, true},
                {"exp(20*t)", 0.0, 1.0, false},
                {"t^3", 1.0, 2.0, true},
                {"t + floor(t/2)", 1.0, 3.0, true},
                {"t + 20*step(t, 1)", 0.9, 1.1, true},
                {"t - 3*sin(t)", 0.0, 6.0, false},
                {"2*t", -1.0, 5.0, true}};
    (void)ctx;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const double t[2] = {list[k].a, list[k].b};
        sp_arena a;
        sp_arena_init(&a, NULL, 0);
        const sp_program *p = compile(&a, list[k].text);
        void *work =
            sp_arena_alloc(&a, sp_program_bounds_work(p) / sizeof(double) + 1, sizeof(double));
        if (sp_program_seen(p, 2, t, INFINITY, work) != list[k].seen) {
            fail_msg("%s", list[k].text);
        }
        sp_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_holds_all_values_and_rates),
        cmocka_unit_test(a_hull_is_sharp_to_second_order),
        cmocka_unit_test(switches_are_found_to_the_last_bit),
        cmocka_unit_test(switches_are_found_one_after_the_other),
        cmocka_unit_test(parts_of_time_are_hoisted),
        cmocka_unit_test(samples_see_what_goes_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
