/* integrators/run_parts.h - what the files of runs share: run.c (steps in a row), run_tell.c
 * (records for those who watch). */
#ifndef SP_INTEGRATORS_RUN_PARTS_H
#define SP_INTEGRATORS_RUN_PARTS_H

#include "integrators/run.h"

/* Tell all n observers about the step of dt that ended at x; sampled: with a frame. */
sp_status sp_run_tell(const sp_model *m, const sp_state *x, double dt, bool sampled, sp_work *w,
                      sp_run_summary *summary, const sp_observer *observer, int n, sp_error *err);

/* The force element that gave what is not finite, behind where x is, into err; false if none did.
 */
bool sp_run_blame_force(const sp_model *m, const sp_state *x, const sp_bad_force *bad,
                        sp_error *err);

/* SP_E_NOT_CONVERGED if a step from event to event moved positions by more than its own error, as
 * where the place of a closed contact jumps.   decision 144 */
sp_status sp_run_check_moved(const sp_ledger *before, const sp_ledger *after, sp_error *err);

/* Keep the worst certificate, and when it was. */
void sp_run_note_certificate(const sp_work *w, double t, sp_run_summary *s);

/* The energy of a start whose gaps were opened, which is in the ledger of every run from there; and
 * its event, in front of all others, once. */
void sp_run_note_opening(sp_state *x, sp_work *w, sp_run_summary *summary);

/* Steps to 'until': at least one; a remainder below a millionth of a step is round-off and no step.
 * Refuses a step that the clock cannot resolve and numbers of steps that nobody will see the end
 * of. */
sp_status sp_run_count_steps(double t_0, const sp_run_options *o, long *n, sp_error *err);

#endif
