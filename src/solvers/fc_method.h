/* solvers/fc_method.h - one signature for all methods on an island. */
#ifndef SP_SOLVERS_FC_METHOD_H
#define SP_SOLVERS_FC_METHOD_H

#include "solvers/fc_island.h"

/* Improve p (n, in: a start within the sets, out: the best iterate found, never worse than the
 * start).  Returns its error; NaN without memory. */
typedef double sp_fc_method(const sp_fc_island *l, sp_fc_goal *g, double *p, sp_fc_stack *stack);

sp_fc_method sp_fc_solve_nsgs;     /* Gauss-Seidel, accelerated                          */
sp_fc_method sp_fc_solve_hybrid;   /* Gauss-Seidel and Newton in turn                    */
sp_fc_method sp_fc_solve_admm;     /* alternating directions                             */
sp_fc_method sp_fc_solve_natural;  /* sweeps and Newton on the natural map, any sets     */
sp_fc_method sp_fc_solve_interior; /* interior points with De Saxce's shift              */

/* Look for y (n): y_N >= 0 on unilateral rows, any on free rows, 0 on all others, with
 * y'c + sup_{p in C} y'G p < 0.  Returns 1 if it was found and holds to 1e-8 of its terms. */
int sp_fc_infeasible(const sp_fc_island *l, sp_fc_goal *g, double *y, sp_fc_stack *stack);

#endif
