/* solvers/fc_local_ball.h - one contact alone whose friction is a ball, ellipse or product. */
#ifndef SP_SOLVERS_FC_LOCAL_BALL_H
#define SP_SOLVERS_FC_LOCAL_BALL_H

#include "laws/set.h"

/* p (dim) with u = G p + b and -u in N_C(p), s a set of laws/ball.c whose shift is left aside.
 *   G   dim x dim, row-major, positive definite or nearly
 *   p   in: start, out
 * Returns 1, or 0 if no solution was found (p then is one projection step from the start). */
int sp_fc_local_ball(const sp_set *s, const double *G, const double *b, double *p);

#endif
