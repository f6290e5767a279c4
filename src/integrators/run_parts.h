/* integrators/run_parts.h - what the files of runs share: run.c (steps in a row), run_tell.c
 * (records for those who watch). */
#ifndef SP_INTEGRATORS_RUN_PARTS_H
#define SP_INTEGRATORS_RUN_PARTS_H

#include "integrators/run.h"

/* Tell all n observers about the step of dt that ended at x; sampled: with a frame. */
sp_status sp_run_tell(const sp_model *m, const sp_state *x, double dt, bool sampled, sp_work *w,
                      sp_run_summary *summary, const sp_observer *observer, int n, sp_error *err);

#endif
