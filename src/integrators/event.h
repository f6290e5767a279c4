/* integrators/event.h - event-driven integration: smooth motion of high order between events, which
 * are found and landed on; at an event impacts are solved and the states of contacts decided anew.
 *
 *     I_A all contacts,  I_C with g_N = 0,  I_N of these with gamma_N = 0,  I_T of these at rest
 *
 * Indicators, positive between events:   theory (13.1)
 *     open   g_N          closed  lambda_N
 *     stick  mu lambda_N - |lambda_T|          slip  |gamma_T| along its direction */
#ifndef SP_INTEGRATORS_EVENT_H
#define SP_INTEGRATORS_EVENT_H

#include "integrators/smooth.h"

typedef struct sp_events sp_events;

/* SP_E_INPUT if the model has contacts that this method does not know yet, or the tolerance is out
 * of range. */
sp_status sp_events_check(const sp_model *m, double tolerance, sp_error *err);

/* How events begin: as smooth motion does, where they go on as they were saved, too; else contacts
 * that touch are hit or closed. */
typedef struct sp_events_setup {
    sp_smooth_setup smooth;
    double until; /* of the run                                                                */
    bool cheap;   /* short steps go on also where events are dearer than these                 */
} sp_events_setup;

/* Make ready for x.  Lies in the work.  SP_E_INPUT if the model has contacts that this method does
 * not know yet, or the bytes are not those of this model. */
sp_status sp_events_begin(const sp_model *m, sp_state *x, sp_work *w, const sp_events_setup *setup,
                          sp_events **events, sp_error *err);
void sp_events_end(sp_events *e); /* NULL is allowed */

/* Whether short steps go on where events cannot: x is the end of the last one then. */
bool sp_events_in_fallback(const sp_events *e);

/* Between two steps (event_memory.c): whether a run that goes on from here does so to the bit; all
 * that goes from step to step, as so many bytes. */
bool sp_events_may_save(const sp_events *e);
size_t sp_events_bytes(sp_events *e);
void sp_events_save(sp_events *e, unsigned char *bytes);

/* The contact that the last event was about, the first one if it was about all. */
int sp_events_slot(const sp_events *e);

/* What smooth motion is integrated with. */
sp_smooth *sp_events_smooth(sp_events *e);

/* One step to t_stop, or to the next event if that comes first: x is the state there, before
 * anything jumps.  With t_stop = INFINITY the step is as long as the motion alone makes it. */
sp_status sp_events_step(sp_events *e, sp_state *x, double t_stop, sp_error *err);

/* The last step, which was taken, ends at t in it instead, by real steps and without an event.
 * before: the ledger of x before that step. */
sp_status sp_events_beside(sp_events *e, sp_state *x, const sp_ledger *before, double t,
                           sp_error *err);

/* Forces of the closed contacts at x, as percussions over dt in the memory of the contacts; frames
 * and gaps at x are then in the work.  at_end: x is the end of the last step, whose forces are
 * there.
 */
sp_status sp_events_forces(sp_events *e, sp_state *x, double dt, bool at_end, sp_error *err);

/* x is right behind a switch of time, at which forces, prescribed velocities and gaps by formula
 * may have jumped: contacts are hit, lift off or stay by their laws. */
sp_status sp_events_switch(sp_events *e, sp_state *x, sp_error *err);

/* What happens at the event that the last step ended on, if there was one: x is the state after it;
 * events into w->event. */
sp_status sp_events_happen(sp_events *e, sp_state *x, sp_error *err);

#endif
