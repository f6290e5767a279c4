/* Random planar machines with contacts, event-driven (support/random_events.h). */
#include "support/mechanism.h"
#include "support/random_events.h"

/* Every other one begins at rest on the floor. */
static void write(rng *r, int number, text *out)
{
    mechanism_write(r, number % 2 == 0, out);
}

static void random_machines_run_to_their_end(void **ctx)
{
    (void)ctx;
    events_run_random(write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines_run_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
