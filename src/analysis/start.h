/* analysis/start.h - the state a run begins with. */
#ifndef SP_ANALYSIS_START_H
#define SP_ANALYSIS_START_H

#include "analysis/view.h"

/* The start state of the model, as sp_state_new, but with every mistake added to diag:
 * start values that no motion of their joint can give, gaps below zero (unless the model says
 * 'start: project', which opens them), forces and outputs that are no finite number.  *state is
 * NULL on failure. */
sp_status sp_start_state(const sp_model *m, const sp_allocator *allocator, sp_state **state,
                         sp_diag *diag);

#endif
