/* support/events.h - an event-driven run of a rig, all its events kept. */
#ifndef SUPPORT_EVENTS_H
#define SUPPORT_EVENTS_H

#include "integrators/event.h"
#include "support/run.h"

/* Run from where the rig is to `until`; events are added to those of the rig.  The test fails with
 * the library's message, or after 100000 steps. */
void events_go(rig *r, double until, double tolerance);

/* Events of this kind of all contacts. */
int events_count(const rig *r, sp_event_kind kind);

/* The k-th event of this kind of a contact; the test fails if there is none. */
const sp_event *events_get(const rig *r, sp_event_kind kind, const char *contact, int k);

/* The smallest gap by the search for touches, with nothing remembered. */
double events_least_gap(rig *r);

#endif
