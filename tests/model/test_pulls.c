/* Rows of model/pulls.h: slopes against differences, energies against the work of the pull. */
#include "model/pulls.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

#define X    0.3  /* m: the measure, around which chambers and cut-offs are chosen */
#define STEP 1e-4 /* of a central difference: its own error is 1e-8 of the numbers here */
#define TOL  1e-6

/* Numbers of any row: chambers that stay open, coefficients of both senses, then what it names. */
static sp_force_numbers numbers(const sp_pull_law *law, rng *r)
{
    sp_force_numbers n = {.rest = X};
    if (strcmp(law->key, "gas") == 0) {
        n.gas = (sp_gas_numbers){.area = {0.8, -0.5},
                                 .pressure = {rng_in(r, 1.0, 9.0), 2.0},
                                 .volume = {1.0, 1.5},
                                 .exponent = {rng_in(r, 1.1, 1.5), 1.0},
                                 .ambient = 0.7};
    } else if (strcmp(law->key, "orifice") == 0) {
        n.orifice = (sp_orifice_numbers){rng_in(r, 0.5, 2.0), rng_in(r, 2.0, 5.0)};
    }
    for (int k = 0; k < SP_PULL_NUMBERS && law->number[k].key; k++) {
        n.number[k] = rng_in(r, 0.1, 0.5);
    }
    return n;
}

static void slopes_and_energies_are_those_of_the_pull(void **ctx)
{
    (void)ctx;
    rng r = {4242};
    for (int k = 0; sp_pull_law_at(k); k++) {
        const sp_pull_law *law = sp_pull_law_at(k);
        for (int c = 0; c < 200; c++) {
            const sp_force_numbers n = numbers(law, &r);
            const double x = rng_in(&r, 0.5 * X, 2.0 * X), v = rng_in(&r, -2.0, 2.0);
            const sp_pull a = law->at(&n, x - STEP, v), b = law->at(&n, x + STEP, v);
            const sp_pull d = law->at(&n, x, v - STEP), e = law->at(&n, x, v + STEP);
            if (fabs(a.d_x - b.d_x) > 0.1 * (1.0 + fabs(a.d_x)) || fabs(v) < 2.0 * STEP) {
                continue; /* differences across a kink say nothing */
            }
            const sp_pull p = law->at(&n, x, v);
            const double size = 1.0 + fabs(p.force) + fabs(p.d_x) + fabs(p.d_v);
            const double bend = 1.0 + 1.0 / (x * x); /* third derivatives of powers of x */
            assert_true(fabs((b.force - a.force) / (2.0 * STEP) - p.d_x) < TOL * size * bend);
            assert_true(fabs((e.force - d.force) / (2.0 * STEP) - p.d_v) < TOL * size);
            const double work = law->damps ? 0.0 : p.force;
            assert_true(fabs((b.energy - a.energy) / (2.0 * STEP) - work) < TOL * size * bend);
            assert_true(!law->damps || p.force * v >= 0.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_and_energies_are_those_of_the_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
