/* impact/several.h - impacts with several solutions: how many there are, and which one is taken. */
#ifndef SP_IMPACT_SEVERAL_H
#define SP_IMPACT_SEVERAL_H

#include "solvers/seek.h"

/* How many different velocities solve a phase of an impact, whose solution s was found, and whether
 * these are all.  Where there are several, s becomes the one that changes velocities least,
 * 1/2 du.M du, if it is not that one.  lean: of each contact what a unit of P_N adds to the impulse
 * along; NULL: nothing, and G is symmetric.  work: sp_seek_work.   theory (30.5), section 36 */
sp_sought sp_impact_several(const sp_problem *p, const double *lean, sp_solution *s, void *work);

/* The same with friction by speed, where contacts that have it stay as they are in s.
 * theory section 52 */
sp_sought sp_impact_several_speeds(const sp_problem *p, const sp_speeds *law, sp_solution *s,
                                   void *work);

#endif
