/* impact/several.h - impacts with several solutions: how many there are, and which one is taken. */
#ifndef SP_IMPACT_SEVERAL_H
#define SP_IMPACT_SEVERAL_H

#include "solvers/problem.h"

#include <stdbool.h>

/* How many different velocities solve a phase of an impact, whose solution s was found.  Where
 * there are several, s becomes the one that changes velocities least, 1/2 du.M du, if it is not
 * that one.  lean: of each contact what a unit of P_N adds to the impulse along; NULL: nothing, and
 * G is symmetric.  1: one, or not looked for: in space, more than six contacts, more than four that
 * cannot jam or are parts of an expansion.  Of more than 64 statuses that solve it (degenerate ones
 * count) the first 64 are looked at: there are at least so many motions.   theory (30.3)-(30.5) */
int sp_impact_several(const sp_problem *p, const double *lean, sp_solution *s);

/* Whether friction is too weak for a second solution, by a bound; G symmetric.  Shifts do not
 * matter.   theory (30.4) */
bool sp_impact_is_unique(const sp_problem *p);

#endif
