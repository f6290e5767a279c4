/* solvers/fc_newton.h - semismooth Newton on the function of Alart and Curnier, in the active
 * unknowns only, made proximal so that dependent contacts do no harm.   [AC91] */
#ifndef SP_SOLVERS_FC_NEWTON_H
#define SP_SOLVERS_FC_NEWTON_H

#include "solvers/fc_linear.h"

/* Up to this many steps from p (n, in/out); s is prepared for the island.  G + alpha I with -alpha
 * p_k stands for G.  Ends when the goal is reached, or patience steps brought nothing.  Returns the
 * error of the best iterate, which is in p (never worse than the start); NaN without memory. */
double sp_fc_newton(const sp_fc_island *l, sp_fc_goal *g, sp_fc_linear *s, double alpha, int steps,
                    int patience, double *p, sp_fc_stack *stack);

/* The same with the first step on the pieces that a guess says (n_contact; SP_STATUS_UNKNOWN: as
 * p has it), NULL: all as p has them. */
double sp_fc_newton_guess(const sp_fc_island *l, sp_fc_goal *g, sp_fc_linear *s, double alpha,
                          int steps, int patience, const unsigned char *guess, double *p,
                          sp_fc_stack *stack);

/* How unique the solution p is: lost gets the number of closed unknowns minus the rank of Newton's
 * matrix without the proximal term (0: no other solution nearby), motion 1 if what is left free
 * does not move anything (forces alone are a choice), else 0.  0: out of memory. */
int sp_fc_newton_rank(const sp_fc_island *l, const double *p, sp_fc_linear *s, int *lost,
                      int *motion, sp_fc_stack *stack);

#endif
