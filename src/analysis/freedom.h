/* analysis/freedom.h - how many degrees of freedom a machine has in a place. */
#ifndef SP_ANALYSIS_FREEDOM_H
#define SP_ANALYSIS_FREEDOM_H

#include "model/state.h"

/* Velocities that are free at x: those of the joints without prescribed ones, less the rank of the
 * bilateral rows there.  SP_NONE if that cannot be found.   theory (22.7) */
int sp_freedom(const sp_model *m, const sp_state *x, const sp_allocator *allocator);

#endif
