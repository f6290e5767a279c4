/* solvers/fc_nsgs.h - block Gauss-Seidel with the exact local solver, accelerated. */
#ifndef SP_SOLVERS_FC_NSGS_H
#define SP_SOLVERS_FC_NSGS_H

#include "solvers/fc_anderson.h"
#include "solvers/fc_island.h"

/* Where the sweeps are, and what the acceleration remembers of them. */
typedef struct sp_fc_sweeper {
    double *x;            /* n: the iterate to go on from                   */
    double *y, *u, *safe; /* n: after a sweep; its velocity; the last plain */
    sp_fc_anderson past;
} sp_fc_sweeper;

/* Memory for an island; the caller fills x and calls sp_fc_sweeper_reset.  0: there is none. */
int sp_fc_sweeper_place(sp_fc_sweeper *w, const sp_fc_island *l, sp_fc_stack *stack);

/* x is new: forget the past. */
void sp_fc_sweeper_reset(sp_fc_sweeper *w);

/* Up to this many sweeps from x on; ends when the goal is reached, or when the last stall sweeps
 * (0: never) did not halve the error.  p (n, in/out) is the best iterate so far, error its error;
 * returns the new one. */
double sp_fc_nsgs(const sp_fc_island *l, sp_fc_goal *g, int sweeps, int stall, sp_fc_sweeper *w,
                  double *p, double error);

/* One sweep over all contacts, forwards or backwards.  Returns the sum of the squared changes. */
double sp_fc_sweep(const sp_fc_island *l, int backwards, double *p);

#endif
