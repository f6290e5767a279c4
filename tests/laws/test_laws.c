/* The table of law parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/laws.h"

#include <math.h>

static void names_and_defaults_are_those_of_model_files(void **ctx)
{
    (void)ctx;
    static const char *const name[] = {"mu", "eps_N", "eps_T"};
    for (int k = 0; k < SP_LAW_N_PARAMETER; k++) {
        const sp_law_parameter *p = sp_law_parameter_of((sp_law_parameter_kind)k);
        assert_string_equal(p->name, name[k]);
        assert_string_equal(p->unit, "1");
        assert_true(p->standard == 0.0);
        assert_true(sp_law_in_range(p, p->standard));
    }
}

static void restitution_lies_between_zero_and_one(void **ctx)
{
    (void)ctx;
    for (int k = SP_LAW_EPS_N; k <= SP_LAW_EPS_T; k++) {
        const sp_law_parameter *p = sp_law_parameter_of((sp_law_parameter_kind)k);
        assert_true(sp_law_in_range(p, 1.0) && sp_law_in_range(p, 0.5));
        assert_false(sp_law_in_range(p, nextafter(1.0, 2.0)) || sp_law_in_range(p, -1e-300));
        assert_false(sp_law_in_range(p, NAN));
    }
}

static void friction_is_finite_and_not_negative(void **ctx)
{
    (void)ctx;
    const sp_law_parameter *mu = sp_law_parameter_of(SP_LAW_MU);
    assert_true(sp_law_in_range(mu, 0.0) && sp_law_in_range(mu, 1e6));
    assert_false(sp_law_in_range(mu, -0.1) || sp_law_in_range(mu, INFINITY) ||
                 sp_law_in_range(mu, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_defaults_are_those_of_model_files),
        cmocka_unit_test(restitution_lies_between_zero_and_one),
        cmocka_unit_test(friction_is_finite_and_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
