/* solvers/space.h - small problems with spatial friction, handed to the portfolio of fc.h. */
#ifndef SP_SOLVERS_SPACE_H
#define SP_SOLVERS_SPACE_H

#include "solvers/problem.h"

/* Bytes of scratch for problems up to this size, alignment of double. */
size_t sp_space_bytes(int n_contact_max, int n_max);

/* Solve p, which sp_solve checked; arguments and status as there.  What the portfolio itself needs
 * comes from p->space, which grows to what it needs and is kept. */
sp_status sp_space_solve(const sp_problem *p, sp_solution *s, void *work, sp_error *err);

#endif
