/* integrators/push.h - what forces, contacts apart, do to velocities.   theory (61.1) */
#ifndef SP_INTEGRATORS_PUSH_H
#define SP_INTEGRATORS_PUSH_H

#include "integrators/work.h"

/* The largest of |M^-1 h| over the size of its velocity, 1/s, in the middle of a step of dt from x;
 * NaN if there is none.  kind: n_dof, which of size_u is meant.  Writes frames, terms and the
 * factor of M in w, and w->q, w->b. */
double sp_push(const sp_model *m, const sp_state *x, double dt, const unsigned char *kind,
               const double *size_u, sp_work *w);

#endif
