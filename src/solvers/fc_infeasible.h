/* solvers/fc_infeasible.h - the proof that an island has no solution. */
#ifndef SP_SOLVERS_FC_INFEASIBLE_H
#define SP_SOLVERS_FC_INFEASIBLE_H

#include "solvers/fc_island.h"

/* Look for y (n): y_N >= 0 on unilateral rows, any on free rows, 0 on all others, with
 * y'c + sup_{p in C} y'G p < 0.  Returns 1 if it was found and holds to 1e-8 of its terms. */
int sp_fc_infeasible(const sp_fc_island *l, sp_fc_goal *g, double *y, sp_fc_stack *stack);

#endif
