/* integrators/adaptive.h - error control over plain steps.   theory (17.30)-(17.38) */
#ifndef SP_INTEGRATORS_ADAPTIVE_H
#define SP_INTEGRATORS_ADAPTIVE_H

#include "integrators/work.h"

/* The range of tolerances, and the one taken where none is given.  A step in which contacts change
 * is of first order, so that its length, and with it the cost of an event, goes with the tolerance.
 */
#define SP_ADAPTIVE_FINEST   1e-6
#define SP_ADAPTIVE_STANDARD 1e-5

/* SP_E_INPUT with what to take instead, if the tolerance is out of range. */
sp_status sp_adaptive_check(double tolerance, sp_error *err);

/* What a step was: its length, s, and what it may be wrong by, of the sizes of motion: the
 * estimate, or where contacts change what is unknown of the time of the change.   theory (67.1) */
typedef struct sp_adaptive_taken {
    double dt, error;
    bool impact; /* velocities jumped in it */
} sp_adaptive_taken;

/* One accepted step, not past t_stop; changes of contacts are never finer than SP_ADAPTIVE_FINEST.
 * x is written on success only, but for its control, sizes and contacts that go on behind a seam.
 * theory (17.30)-(17.38) */
sp_status sp_adaptive_step(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                           double t_stop, sp_adaptive_taken *taken, sp_error *err);

#endif
