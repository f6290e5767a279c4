/* expr/samples.h - what a few values of a program of time alone tell of what it does between them.
 *
 * size: its largest value in the run.  work: scratch of sp_program_bounds_work. */
#ifndef SP_EXPR_SAMPLES_H
#define SP_EXPR_SAMPLES_H

#include "expr/expr.h"

/* Whether n samples, rising, see what p does between them: its values, and that it is not steeper
 * than a few times their range, as a pulse is that one of them met by chance.   theory (64.9) */
bool sp_program_seen(const sp_program *p, int n, const double *t, double size, void *work);

/* How far its middle is from the straight line between its ends. */
double sp_program_bend(const sp_program *p, double t, double dt, void *work);

/* Its mean from t to t + dt: parts are halved until three samples see them and halves give the same
 * integral.  NaN where it is not finite.   theory (64.10) */
double sp_program_mean(const sp_program *p, double t, double dt, double size, void *work);

#endif
