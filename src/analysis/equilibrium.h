/* analysis/equilibrium.h - a state at which the machine rests, or turns steadily. */
#ifndef SP_ANALYSIS_EQUILIBRIUM_H
#define SP_ANALYSIS_EQUILIBRIUM_H

#include "analysis/linear.h"

/* Move x to an equilibrium near it: no acceleration of what is free, all velocities zero but those
 * of what is held or prescribed and the turning of bodies whose spin is held, all held rows closed.
 * Newton's method over the motions that held rows leave, with damping where it does not get nearer.
 * SP_E_NOT_CONVERGED if there is none within reach, with what is not balanced in err; x is then as
 * before.   theory (14.9), (14.10) */
sp_status sp_equilibrium_find(sp_linear *l, sp_state *x, sp_error *err);

#endif
