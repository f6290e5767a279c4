/* analysis/close.h - positions and velocities that satisfy all bilateral rows: closed loops, gear
 * ratios. */
#ifndef SP_ANALYSIS_CLOSE_H
#define SP_ANALYSIS_CLOSE_H

#include "base/diag.h"
#include "model/state.h"

/* Move what the file did not give by the smallest mass-weighted change until all bilateral rows
 * hold, then change velocities likewise.  Errors name the joint or coupling that stays open.
 * theory (7.15), (7.16) */
sp_status sp_close_loops(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                         sp_diag *diag);

#endif
