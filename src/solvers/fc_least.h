/* solvers/fc_least.h - the last digits of islands with many dependent contacts: least squares. */
#ifndef SP_SOLVERS_FC_LEAST_H
#define SP_SOLVERS_FC_LEAST_H

#include "solvers/fc_island.h"

/* Improve p (n, in/out, never worse) for FCLIB's measure, error being that of p; returns the error.
 * Islands of up to SP_FC_LEAST contacts with discs, half lines and free rows; others are left. */
enum { SP_FC_LEAST = 400 };
double sp_fc_least(const sp_fc_island *l, sp_fc_goal *g, double error, double *p,
                   sp_fc_stack *stack);

#endif
