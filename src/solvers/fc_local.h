/* solvers/fc_local.h - the contact problem of one contact alone, solved exactly. */
#ifndef SP_SOLVERS_FC_LOCAL_H
#define SP_SOLVERS_FC_LOCAL_H

#include "laws/set.h"

/* p (dim) with u = G p + b and -u in N_C(p).
 *   G      dim x dim, row-major, any
 *   stick  its inverse, or of G plus a little
 *   p      in: start for the direction of slip, out
 * Where a contact that would have to slip has several solutions, the one nearest to the start is
 * taken; where it has none (mu |G_NT| > G_NN), one projection step is made.  Returns 0 then, else
 * 1. */
int sp_fc_local(const sp_set *s, const double *G, const double *stick, const double *b, double *p);

/* p (dim) with u = G p + b and -u in N_C(p), s a set of laws/ball.c whose shift is left aside.
 *   G   dim x dim, row-major, positive definite or nearly
 *   p   in: start, out
 * Returns 1, or 0 if no solution was found (p then is one projection step from the start). */
int sp_fc_local_ball(const sp_set *s, const double *G, const double *b, double *p);

#endif
