/* analysis/prescribed.h - prescribed motion that runs over stops and contacts, found before a run.
 */
#ifndef SP_ANALYSIS_PRESCRIBED_H
#define SP_ANALYSIS_PRESCRIBED_H

#include "analysis/view.h"
#include "base/diag.h"

/* Stops, one-way clutches and contacts in which everything that moves is prescribed must not be
 * violated up to the end of the run, 'until' [s]; looked at in a thousand places, from the start x
 * on.  The view is at x again afterwards. */
sp_status sp_prescribed_check(const sp_model *m, const sp_state *x, double until, sp_view *view,
                              sp_diag *diag);

#endif
