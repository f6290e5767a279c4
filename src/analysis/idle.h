/* analysis/idle.h - elements of a machine that act on nothing, reported before it runs. */
#ifndef SP_ANALYSIS_IDLE_H
#define SP_ANALYSIS_IDLE_H

#include "analysis/view.h"
#include "base/diag.h"

/* Warn of springs whose two points coincide at x, where they have no direction and no force, and of
 * contacts whose gaps no coordinate moves.  The view is at x, and is so again afterwards.
 * SP_E_MEMORY: nothing was looked at.   theory (55.6) */
sp_status sp_idle_check(const sp_model *m, const sp_state *x, sp_view *view, sp_diag *diag);

#endif
