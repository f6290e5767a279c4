/* math/slack.h - the largest margin that a set of linear inequalities can be given.
 *
 *     most = max { s <= cap : s <= b_i + (B z)_i  for all i,  z free }
 *
 * Positive: all inequalities b + B z > 0 can be met at once, with that much to spare; negative:
 * they contradict each other by that much.  Small problems, dense. */
#ifndef SP_MATH_SLACK_H
#define SP_MATH_SLACK_H

#include <stddef.h>

/* Doubles of scratch for m inequalities and k unknowns. */
size_t sp_slack_work(int m, int k);

/* The margin; z (k) has it.  B is m x k, row-major, of order one, as is b. */
double sp_slack_most(int m, int k, const double *B, const double *b, double cap, double *z,
                     double *work);

#endif
