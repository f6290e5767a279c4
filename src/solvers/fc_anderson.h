/* solvers/fc_anderson.h - acceleration of a fixed-point iteration y = T(x).
 *
 * Of the last iterates the combination with least |sum a_k (y_k - x_k)|, sum a_k = 1, gives the
 * next x = sum a_k y_k.   [WalkerNi11] */
#ifndef SP_SOLVERS_FC_ANDERSON_H
#define SP_SOLVERS_FC_ANDERSON_H

#include "solvers/fc_stack.h"

enum { SP_FC_DEPTH = 10 };

typedef struct sp_fc_anderson {
    int n, most;                               /* numbers; differences kept            */
    double *dF[SP_FC_DEPTH], *dY[SP_FC_DEPTH]; /* of f = y - x, and of y               */
    double *f, *y;                             /* the last                             */
    double inner[SP_FC_DEPTH][SP_FC_DEPTH];    /* dF_a . dF_b                          */
    int depth, newest, seen;                   /* differences there are; newest; pairs */
} sp_fc_anderson;

/* Memory for n numbers and this many differences; 0: there is none. */
int sp_fc_anderson_place(sp_fc_anderson *a, int n, int most, sp_fc_stack *stack);

/* Forget everything, or only the differences. */
void sp_fc_anderson_reset(sp_fc_anderson *a);
void sp_fc_anderson_restart(sp_fc_anderson *a);

/* Take the pair x, y = T(x). */
void sp_fc_anderson_take(sp_fc_anderson *a, const double *x, const double *y);

/* x = the next iterate from the pairs taken; 0 (x untouched) while there are fewer than three. */
int sp_fc_anderson_jump(const sp_fc_anderson *a, double *x);

#endif
