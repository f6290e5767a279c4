/* io/events.h - the events of a run as a table for people or as JSON for programs. */
#ifndef SP_IO_EVENTS_H
#define SP_IO_EVENTS_H

#include "record/record.h"
#include "specht/result.h"

#include <stdio.h>

/* Which events; NULL: all.  A contact is a whole name ("guide.c1.upper") or the element it belongs
 * to ("guide"). */
typedef struct sp_event_filter {
    const char *kind;    /* "impact" */
    const char *contact; /* "guide"  */
} sp_event_filter;

/* Takes one event of a contact. */
typedef sp_status (*sp_event_taker)(void *ctx, const char *contact, const sp_event *e,
                                    sp_error *err);

/* All events of a run by rising time, each given to take. */
sp_status sp_events_each(sp_result *result, sp_event_taker take, void *ctx, sp_error *err);

/* A table with a line per event.  filter may be NULL. */
sp_status sp_events_text(sp_result *result, FILE *file, const sp_event_filter *filter,
                         sp_error *err);

/* An array of objects with t, kind, contact, impact_id, Lambda_N, Lambda_T, gamma_N_before,
 * gamma_N_after, gamma_T_before, gamma_T_after, energy_lost, before, after; of impacts also
 * Lambda_N_compression, Lambda_T_compression, Lambda_N_expansion, Lambda_T_expansion,
 * gamma_N_compression, gamma_T_compression, lost_normal, lost_friction, lost_restitution,
 * energy_gain, factor, eps_N, eps_T, mu, remedy; of others friction_work, and where there is any
 * lasts, bound, n_found.  States are those of the table: open, stick, slip, and touch behind an
 * impact that a contact does not leave by itself. */
sp_status sp_events_json(sp_result *result, FILE *file, const sp_event_filter *filter,
                         sp_error *err);

#endif
