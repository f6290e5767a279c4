/* support/random_events.h - random machines, event-driven: all finish or say why not, energy comes
 * from nowhere but impacts that say so, nothing penetrates.
 *
 * SPECHT_CASE=17 runs that machine alone and prints it with its events; SPECHT_FROM=200 begins
 * there. */
#ifndef SUPPORT_RANDOM_EVENTS_H
#define SUPPORT_RANDOM_EVENTS_H

#include "support/check.h"
#include "support/machine.h"

/* Writes machine `number` as a model file into an empty text. */
typedef void (*random_writer)(rng *r, int number, text *out);

/* Runs 10 machines (1000 with full counts) to 1 s; the test fails with what went wrong. */
void events_run_random(random_writer write);

#endif
