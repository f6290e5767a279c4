/* Random planar machines with every law of friction and impact, event-driven
 * (support/random_events.h): restitution in both directions, by the speed of the hit, friction by
 * the speed of sliding, impacts by Newton and by Poisson, gains reported or forbidden. */
#include "support/mechanism.h"
#include "support/random_events.h"

/* Every other one begins at rest on the floor; the law of impacts is the next in turn. */
static void write(rng *r, int number, text *out)
{
    static const char *const impact[] = {"{law: newton}", "{law: newton, gain: scale}",
                                         "{law: poisson}", "{law: poisson, gain: scale}",
                                         "{law: poisson, prescribed: no, gain: scale}"};
    mechanism_write_laws(r, number % 2 == 0, impact[number % 5], out);
}

static void random_machines_with_every_law_run_to_their_end(void **ctx)
{
    (void)ctx;
    events_run_random(write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines_with_every_law_run_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
