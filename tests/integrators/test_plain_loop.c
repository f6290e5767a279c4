/* The library against the hand-written loop of the benchmark: the same scheme, nothing shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../bench/slider_crank_plain.c"

#include "support/check.h"
#include "support/run.h"

enum { STEPS = 2000 };
#define TOL 1e-10 /* rad, rad/s: some 1e5 times round-off, far below one wrong percussion */

/* Both from the same start; the largest difference of absolute angles and rates at the end. */
static double run_both(double spin)
{
    rig r = rig_slider_crank(spin);
    plain_state s = plain_slider_crank_start();
    s.u[2] = spin;
    rig_steps(&r, SP_METHOD_MOREAU, SC_DT, STEPS);
    plain_slider_crank_run(&s, SC_DT, STEPS);
    assert_int_equal(s.failed, 0);
    assert_true(s.contact_steps > 5 && s.corrections > 5); /* it does touch the guide */

    double th[CRANK_N], om[CRANK_N], worst = 0.0;
    crank_absolute(r.x->q, th);
    crank_absolute(r.x->u, om);
    for (int k = 0; k < CRANK_N; k++) {
        worst = fmax(worst, fmax(fabs(th[k] - s.q[k]), fabs(om[k] - s.u[k])));
    }
    print_message("spin %g rad/s: difference %.1e, %ld contact steps, %ld corrections\n", spin,
                  worst, s.contact_steps, s.corrections);
    rig_free(&r);
    return worst;
}

static void symmetric_start_agrees(void **ctx)
{
    (void)ctx;
    assert_true(run_both(0.0) < TOL);
}

static void start_that_breaks_the_symmetry_agrees(void **ctx)
{
    (void)ctx;
    assert_true(run_both(-0.1) < TOL);
    assert_true(run_both(-0.01) < TOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_start_agrees),
        cmocka_unit_test(start_that_breaks_the_symmetry_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
