#include "test_expr.h"

/* The sentence about a text in a place of some dimension, "" if it fits. */
static const char *fit(const char *text, sp_dim want, const char *want_text, sp_error *err)
{
    sp_expr_info info;
    err->text[0] = '\0';
    test_value(text, &test_resolver, &info, err);
    assert_string_equal(err->text, "");
    const sp_status status = sp_quantity_fits(text, &info, want, want_text, err);
    assert_int_equal(status, err->text[0] ? SP_E_INPUT : SP_OK);
    return err->text;
}

static void a_place_takes_its_dimension_only(void **ctx)
{
    (void)ctx;
    const sp_dim mass = SP_DIM(0, 1, 0), speed = SP_DIM(0, 0, -1), pure = SP_DIM(0, 0, 0);
    sp_error err;
    assert_string_equal(fit("38 g", mass, NULL, &err), "");
    assert_string_equal(fit("38", mass, NULL, &err), "");
    assert_string_equal(fit("-38", mass, NULL, &err), "");
    assert_string_equal(fit("0", mass, NULL, &err), "");
    assert_string_equal(fit("38 mm", mass, NULL, &err),
                        "38 mm is a length [m], expected a mass [kg]");
    assert_string_equal(fit("n", mass, NULL, &err), "n is a pure number, expected a mass [kg]");
    assert_string_equal(fit("1 + 2", mass, NULL, &err),
                        "1 + 2 is a pure number, expected a mass [kg]");
    assert_string_equal(fit("38 g", pure, NULL, &err),
                        "38 g is a mass [kg], expected a pure number");
    assert_string_equal(fit("3 N", speed, "a stiffness [N*m/rad]", &err),
                        "3 N is a force [N], expected a stiffness [N*m/rad]");
    assert_string_equal(fit("20 deg", pure, NULL, &err), "");
}

static void a_frequency_is_no_angular_velocity(void **ctx)
{
    (void)ctx;
    const sp_dim speed = SP_DIM(0, 0, -1);
    sp_dim hertz = speed;
    hertz.frequency = true;
    sp_error err;
    assert_string_equal(fit("50 Hz", speed, NULL, &err),
                        "50 Hz is a frequency, expected an angular velocity [rad/s]; for 50 turns "
                        "per second write '50 rev/s'");
    assert_string_equal(fit("-2 kHz", speed, NULL, &err),
                        "-2 kHz is a frequency, expected an angular velocity [rad/s]; for -2000 "
                        "turns per second write '-2000 rev/s'");
    assert_string_equal(fit("f", speed, NULL, &err),
                        "f is a frequency, expected an angular velocity [rad/s]; for turns per "
                        "second write '2*pi*f'");
    assert_string_equal(fit("f + f", speed, NULL, &err),
                        "f + f is a frequency, expected an angular velocity [rad/s]; for turns per "
                        "second write '2*pi*(f + f)'");
    assert_string_equal(fit("50 rev/s", speed, NULL, &err), "");
    assert_string_equal(fit("2*pi*f", speed, NULL, &err), "");
    assert_string_equal(fit("50 Hz", hertz, NULL, &err), "");
}

static void constants_are_evaluated_at_once(void **ctx)
{
    (void)ctx;
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    double value = 0.0;
    sp_expr_info info;
    sp_error err;
    assert_int_equal(sp_expr_constant(&a, "l1/2 + 1 mm", &test_resolver, &value, &info, &err),
                     SP_OK);
    assert_true(value == 0.153 / 2.0 + 0.001);
    assert_true(info.is_const && info.value == value);
    assert_int_equal(sp_expr_constant(&a, "x + 1", &test_resolver, &value, &info, &err),
                     SP_E_INPUT);
    assert_string_equal(err.text, "'x + 1' is not constant");
    assert_int_equal(sp_expr_constant(&a, "1/0", &test_resolver, &value, NULL, &err), SP_E_INPUT);
    assert_string_equal(err.text, "'1/0' divides by zero");
    assert_int_equal(sp_expr_constant(&a, "2*3", NULL, &value, NULL, NULL), SP_OK);
    assert_true(value == 6.0);
    assert_int_equal(a.bytes, 0); /* nothing stays in the arena */

    sp_program *p = sp_program_constant(&a, 2.5);
    double grad, hess, work[4];
    assert_true(sp_program_is_const(p, &value) && value == 2.5);
    assert_int_equal(sp_program_n_input(p), 0);
    assert_true(sp_program_work(p, 2) <= 4);
    assert_true(sp_program_value(p, NULL, work) == 2.5);
    assert_true(sp_program_hess(p, NULL, &grad, &hess, work) == 2.5);
    sp_arena_free(&a);
}

static void references_have_one_canonical_form(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *text, *path, *sentence;
    } row[] = {
        {"rod", "rod", NULL},
        {" rod.tip ", "rod.tip", NULL},
        {"link.(i-1)", "link.2", NULL},
        {"link.(i-1).tip.(n)", "link.2.tip.3", NULL},
        {"link.007", "link.7", NULL},
        {"no", "no", NULL},
        {"mod", "mod", NULL},
        {"if.y", "if.y", NULL},
        {"phi_S'", "phi_S'", NULL},
        {"", NULL, "'' is not a reference, expected a name such as 'rod.tip'"},
        {"3", NULL, "'3' is not a reference, expected a name such as 'rod.tip'"},
        {"rod + 1", NULL, "'rod + 1' is not a reference: unexpected '+ 1' behind 'rod'"},
        {"rod tip", NULL, "'rod tip' is not a reference: unexpected 'tip' behind 'rod'"},
        {"link.(i", NULL, "unbalanced '(' in 'link.(i'"},
        {"link.(i/2)", NULL, "index '(i/2)' in 'link.(i/2)' is 1.5, expected a whole number >= 0"},
        {"link.(q)", NULL, "unknown name 'q'"},
        {"rod..x", NULL, "'rod..x': expected a name, a whole number or '(...)' after the '.'"},
    };
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        const char *path = NULL;
        sp_error err = {.text = ""};
        const sp_status status = sp_path_canonical(&a, row[k].text, &test_resolver, &path, &err);
        assert_int_equal(status, row[k].path ? SP_OK : SP_E_INPUT);
        assert_string_equal(row[k].path ? path : err.text,
                            row[k].path ? row[k].path : row[k].sentence);
    }
    sp_arena_free(&a);
}

/* An allocator that refuses after so many calls and counts what is not given back. */
typedef struct miser {
    int left, open;
} miser;

static void *miser_alloc(void *ctx, size_t bytes)
{
    miser *m = ctx;
    if (m->left-- <= 0) {
        return NULL;
    }
    m->open++;
    return malloc(bytes);
}

static void miser_release(void *ctx, void *block)
{
    ((miser *)ctx)->open--;
    free(block);
}

static void running_out_of_memory_is_a_status(void **ctx)
{
    (void)ctx;
    char text[4000] = "x";
    for (int k = 0; k < 300; k++) {
        strcat(text, " + sin(x*y)");
    }
    for (int left = 0; left < 12; left++) {
        miser m = {left, 0};
        const sp_allocator allocator = {miser_alloc, miser_release, &m};
        sp_arena a;
        sp_program *p;
        sp_error err;
        sp_arena_init(&a, &allocator, 0);
        const sp_status status = sp_expr_compile(&a, text, &test_resolver, &p, NULL, &err);
        assert_true(status == SP_OK || (status == SP_E_MEMORY && !p));
        assert_true(left > 0 || status == SP_E_MEMORY);
        assert_true(left < 11 || status == SP_OK);
        sp_arena_free(&a);
        assert_int_equal(m.open, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_takes_its_dimension_only),
        cmocka_unit_test(a_frequency_is_no_angular_velocity),
        cmocka_unit_test(constants_are_evaluated_at_once),
        cmocka_unit_test(references_have_one_canonical_form),
        cmocka_unit_test(running_out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
