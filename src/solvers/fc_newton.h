/* solvers/fc_newton.h - semismooth Newton on the function of Alart and Curnier, in the active
 * unknowns only, made proximal so that dependent contacts do no harm.   [AC91] */
#ifndef SP_SOLVERS_FC_NEWTON_H
#define SP_SOLVERS_FC_NEWTON_H

#include "solvers/fc_linear.h"

/* How Newton's method goes. */
typedef struct sp_fc_newton_plan {
    double alpha;               /* G + alpha I with -alpha p_k stands for G                       */
    int steps;                  /* at most                                                        */
    int patience;               /* it ends after as many steps that brought nothing               */
    const unsigned char *guess; /* n_contact: pieces of the first step (SP_STATUS_UNKNOWN: as p has
                                 * it); NULL: all as p has them                      */
} sp_fc_newton_plan;

/* Newton's method from p (n, in/out) until the goal or the end of the plan is reached; s is
 * prepared for the island.  Returns the error of the best iterate, which is in p (never worse than
 * the start); NaN without memory. */
double sp_fc_newton(const sp_fc_island *l, sp_fc_goal *g, sp_fc_linear *s,
                    const sp_fc_newton_plan *plan, double *p, sp_fc_stack *stack);

/* How unique the solution p is: lost gets the number of closed unknowns minus the rank of Newton's
 * matrix without the proximal term (0: no other solution nearby), motion 1 if what is left free
 * does not move anything (forces alone are a choice), else 0.  0: out of memory. */
int sp_fc_newton_rank(const sp_fc_island *l, const double *p, sp_fc_linear *s, int *lost,
                      int *motion, sp_fc_stack *stack);

#endif
