#include "solvers/fc_auto.h"
#include "support/check.h"

#include <string.h>

static void methods_are_told_in_order(void **ctx)
{
    (void)ctx;
    char path[SP_FC_PATH] = "";
    int at = sp_fc_path_add(path, 0, "start", 0);
    assert_string_equal("", path);
    at = sp_fc_path_add(path, at, "local", 1);
    at = sp_fc_path_add(path, at, "sweeps", 120);
    assert_string_equal("local 1, sweeps 120", path);
    assert_int_equal((int)strlen(path), at);
}

static void what_does_not_fit_is_left_out(void **ctx)
{
    (void)ctx;
    struct {
        char path[SP_FC_PATH], behind;
    } box = {"", 'x'};
    int at = 0;
    for (int k = 0; k < 100; k++) {
        at = sp_fc_path_add(box.path, at, "newton", 2147483647);
    }
    assert_int_equal((int)strlen(box.path), at);
    assert_true(at < SP_FC_PATH && box.behind == 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_told_in_order),
        cmocka_unit_test(what_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
