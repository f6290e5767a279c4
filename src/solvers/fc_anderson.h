/* solvers/fc_anderson.h - acceleration of a fixed-point iteration y = T(x).
 *
 * Of the last iterates the combination with least |sum a_k (y_k - x_k)|, sum a_k = 1, gives the
 * next x = sum a_k y_k.   [WalkerNi11] */
#ifndef SP_SOLVERS_FC_ANDERSON_H
#define SP_SOLVERS_FC_ANDERSON_H

#include "solvers/fc_stack.h"

enum { SP_FC_DEPTH = 10, SP_FC_ANDERSON_SUMS = 2 * SP_FC_DEPTH };

typedef struct sp_fc_anderson {
    int n, most;                               /* numbers; differences kept            */
    double *dF[SP_FC_DEPTH], *dY[SP_FC_DEPTH]; /* of f = y - x, and of y               */
    double *f, *y;                             /* the last                             */
    double inner[SP_FC_DEPTH][SP_FC_DEPTH];    /* dF_a . dF_b                          */
    double along[SP_FC_DEPTH];                 /* dF . f, newest first                 */
    int depth, newest, seen;                   /* differences there are; newest; pairs */
} sp_fc_anderson;

/* Memory for n numbers and this many differences; 0: there is none. */
int sp_fc_anderson_place(sp_fc_anderson *a, int n, int most, sp_fc_stack *stack);

/* Forget everything, or only the differences. */
void sp_fc_anderson_reset(sp_fc_anderson *a);
void sp_fc_anderson_restart(sp_fc_anderson *a);

/* Take the pair x, y = T(x). */
void sp_fc_anderson_take(sp_fc_anderson *a, const double *x, const double *y);

/* The same in parts, of which threads may take one each: open, all parts of the numbers, close with
 * the sums of all parts added up (those of one part: SP_FC_ANDERSON_SUMS, written up to depth). */
void sp_fc_anderson_open(sp_fc_anderson *a);
void sp_fc_anderson_part(sp_fc_anderson *a, int first, int last, const double *x, const double *y,
                         double *sum);
void sp_fc_anderson_close(sp_fc_anderson *a, const double *sum);

/* The jump in parts: weights of the differences (0: none yet), then numbers first .. last - 1. */
int sp_fc_anderson_weigh(const sp_fc_anderson *a, double *weight);
void sp_fc_anderson_move(const sp_fc_anderson *a, const double *weight, int first, int last,
                         double *x);

/* x = the next iterate from the pairs taken; 0 (x untouched) while there are fewer than three. */
int sp_fc_anderson_jump(const sp_fc_anderson *a, double *x);

#endif
