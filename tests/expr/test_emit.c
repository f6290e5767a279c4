#include "test_expr.h"

#include "expr/program.h"

static sp_arena arena;

static int set_up(void **ctx)
{
    (void)ctx;
    sp_arena_init(&arena, NULL, 0);
    return 0;
}

static int tear_down(void **ctx)
{
    (void)ctx;
    sp_arena_free(&arena);
    return 0;
}

static const sp_program *compile(const char *text)
{
    sp_program *p = NULL;
    sp_error err;
    if (sp_expr_compile(&arena, text, &test_resolver, &p, NULL, &err) != SP_OK) {
        fail_msg("%s: %s", text, err.text);
    }
    return p;
}

static void constants_are_folded(void **ctx)
{
    (void)ctx;
    double value = 0.0;
    assert_true(sp_program_is_const(compile("2*l1 + sin(pi/6)*1 mm"), &value));
    assert_true(sp_program_is_const(compile("2^10"), &value) && value == 1024.0);
    assert_false(sp_program_is_const(compile("x"), &value));
    assert_int_equal(compile("x")->n_instr, 0);
    assert_int_equal(compile("(2*3 + 1)*x")->n_instr, 1);
    assert_int_equal(compile("x^1")->n_instr, 0);
    assert_true(sp_program_is_const(compile("x^0"), &value) && value == 1.0);
}

static void inputs_come_in_the_order_of_first_use(void **ctx)
{
    (void)ctx;
    const sp_program *p = compile("y*x + z*y");
    static const int id[] = {21, 20, 22};
    assert_int_equal(sp_program_n_input(p), 3);
    assert_memory_equal(sp_program_inputs(p), id, sizeof id);
}

static void what_is_not_needed_is_left_out(void **ctx)
{
    (void)ctx;
    const sp_program *p = compile("if(n < 5, x, y*z + sin(w))");
    assert_int_equal(p->n_instr, 0);
    assert_int_equal(p->n_input, 1);
    assert_int_equal(p->n_const, 0);
}

static void temporaries_are_reused(void **ctx)
{
    (void)ctx;
    char text[4000] = "x*y";
    for (int k = 0; k < 200; k++) {
        strcat(text, " + sin(x*y)");
    }
    const sp_program *p = compile(text);
    assert_int_equal(p->n_instr, 1 + 3 * 200);
    assert_true(p->n_temp <= 3);
    assert_int_equal(p->n_const, 0);
    assert_int_equal(compile("2*x + 2*y + 3*z + 2*w")->n_const, 2); /* equal ones are shared */
}

static void arguments_of_functions_are_evaluated_once(void **ctx)
{
    (void)ctx;
    assert_int_equal(compile("square(sin(x))")->n_instr, 2);
    assert_int_equal(compile("mean(sin(x), cos(y))")->n_instr, 4);
}

/* Names v0, v1, ... are inputs 0, 1, ... */
static sp_status numbered(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    (void)ctx;
    (void)err;
    memset(out, 0, sizeof *out);
    out->kind = SP_SYM_INPUT;
    out->input = atoi(path + 1);
    return SP_OK;
}

/* A sum of n variables v0 + v1 + ...; 0 if there is no memory. */
static sp_status compile_sum(int n, const char *extra, sp_program **p, sp_error *err)
{
    const sp_resolver r = {.ctx = NULL, .name = numbered, .function = NULL, .check_units = true};
    char *text = sp_arena_alloc(&arena, (size_t)n * 16 + 64, 1);
    size_t used = 0;
    for (int k = 0; k < n; k++) {
        used += (size_t)sprintf(text + used, "v%d%s + ", k, extra);
    }
    strcpy(text + used, "0");
    return sp_expr_compile(&arena, text, &r, p, NULL, err);
}

static void large_programs_work_up_to_the_limits(void **ctx)
{
    (void)ctx;
    sp_program *p = NULL;
    sp_error err = {.text = ""};
    assert_int_equal(compile_sum(1000, "^2", &p, &err), SP_OK);
    double *in = SP_NEW(&arena, double, 1000), *grad = SP_NEW(&arena, double, 1000);
    double *work = SP_NEW(&arena, double, sp_program_work(p, 1));
    double sum = 0.0;
    for (int k = 0; k < 1000; k++) {
        in[k] = k;
        sum += (double)k * k;
    }
    assert_true(sp_program_grad(p, in, grad, work) == sum);
    for (int k = 0; k < 1000; k++) {
        assert_true(grad[k] == 2.0 * k);
    }
    assert_int_equal(compile_sum(3000, "", &p, &err), SP_E_CAPACITY);
    assert_non_null(strstr(err.text, "dependences on variables"));
    assert_int_equal(compile_sum(12000, "", &p, &err), SP_E_CAPACITY);
    assert_non_null(strstr(err.text, "operations"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(inputs_come_in_the_order_of_first_use),
        cmocka_unit_test(what_is_not_needed_is_left_out),
        cmocka_unit_test(temporaries_are_reused),
        cmocka_unit_test(arguments_of_functions_are_evaluated_once),
        cmocka_unit_test(large_programs_work_up_to_the_limits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
