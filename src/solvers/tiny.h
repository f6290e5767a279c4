/* solvers/tiny.h - problems so small that looking after memory costs more than the mathematics. All
 * on the stack.
 *
 * Each returns 1 and fills s as sp_chain_solve does, with the same test of the residual, if the
 * guess (or what follows from it) holds without a doubt; else 0 and s as it was.  p is checked, its
 * rows are in order, no set is shifted. */
#ifndef SP_SOLVERS_TINY_H
#define SP_SOLVERS_TINY_H

#include "solvers/problem.h"

/* One or two half lines. */
int sp_tiny_half_lines(const sp_problem *p, sp_solution *s);

/* One free row or one interval. */
int sp_tiny_row(const sp_problem *p, sp_solution *s);

/* One to four planar contacts and nothing else. */
int sp_tiny_planar(const sp_problem *p, sp_solution *s);

#endif
