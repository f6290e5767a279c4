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

/* Make ready for x: contacts that touch are hit or closed.  Lies in the work.  SP_E_INPUT if the
 * model has contacts that this method does not know yet. */
sp_status sp_events_begin(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                          double until, sp_events **events, sp_error *err);

/* The same with an integrator for stiff machines between events; it is released by the end. */
sp_status sp_events_begin_stiff(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                                double until, const sp_stiff_driver *driver, sp_events **events,
                                sp_error *err);
void sp_events_end(sp_events *e); /* NULL is allowed */

/* Whether what events cannot pass is being gone over: sp_events_step does nothing then, and
 * sp_events_happen takes a step of a stepper. */
bool sp_events_over(const sp_events *e);

/* Between two steps (event_memory.c): whether a run that goes on from here does so to the bit; all
 * that goes from step to step, as so many bytes. */
bool sp_events_may_save(const sp_events *e);
size_t sp_events_bytes(sp_events *e);
void sp_events_save(sp_events *e, unsigned char *bytes);

/* Go on as it was saved, with the state that was saved with it.  driver NULL: Runge-Kutta.
 * SP_E_INPUT if the bytes are not those of this model. */
sp_status sp_events_resume(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double until, const sp_stiff_driver *driver, const unsigned char *bytes,
                           size_t n, sp_events **events, sp_error *err);

/* Whether events come so densely that adaptive steps are cheaper, and x may be left to them now;
 * rate: events per second since they do.   theory (47.1), (47.2) */
bool sp_events_dense(const sp_events *e, double tolerance, double *rate);

/* The contact that the last event was about, the first one if it was about all. */
int sp_events_slot(const sp_events *e);

/* Make x ready for adaptive steps: contacts with their forces, sizes that errors are relative to,
 * and that it is crowded.  The events end there.   theory (47.3) */
sp_status sp_events_leave(sp_events *e, sp_state *x, double tolerance, sp_error *err);

/* Begin where adaptive steps have left x: what they hold closed is closed.   theory (47.4) */
sp_status sp_events_return(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double until, sp_events **events, sp_error *err);

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
 * and gaps at x are then in the work. */
sp_status sp_events_forces(sp_events *e, sp_state *x, double dt, sp_error *err);

/* What happens at the event that the last step ended on, if there was one: x is the state after it;
 * events into w->event. */
/* x is right behind a switch of time, at which forces, prescribed velocities and gaps by formula
 * may have jumped: contacts are hit, lift off or stay by their laws. */
sp_status sp_events_switch(sp_events *e, sp_state *x, sp_error *err);

sp_status sp_events_happen(sp_events *e, sp_state *x, sp_error *err);

#endif
