/* expr/samples.h - what a few values of a program of time alone tell of what it does between them.
 *
 * size: its largest value in the run.  work: scratch of sp_program_bounds_work. */
#ifndef SP_EXPR_SAMPLES_H
#define SP_EXPR_SAMPLES_H

#include "expr/bounds.h"

/* Whether n samples, rising, see what p does between them: its values, and that it is not steeper
 * than a few times their range, as a pulse is that one of them met by chance.   theory (64.9) */
bool sp_program_seen(const sp_program *p, int n, const double *t, double size, void *work);

/* How far its middle is from the straight line between its ends. */
double sp_program_bend(const sp_program *p, double t, double dt, void *work);

/* Whether its ends and its middle see it, and it bends by no more than this share of its size. */
bool sp_program_followed(const sp_program *p, double t, double dt, double size, double bends,
                         void *work);

/* Its mean from t to t + dt: parts are halved until three samples see them and halves give the same
 * integral.  NaN where it is not finite.   theory (64.10) */
double sp_program_mean(const sp_program *p, double t, double dt, double size, void *work);

/* Inputs of a program at n times of a step, rising: in[i n_in + j]. */
typedef struct sp_course {
    int n, n_in;
    const double *t, *in;
} sp_course;

/* Whether a program consists of sums, products, sines, low powers and kinks alone, so that steps of
 * high order see it. */
bool sp_program_is_gentle(const sp_program *p);

/* A bound of its size for all inputs, may be infinite.  at: n_in. */
double sp_program_most(const sp_program *p, sp_bounds *at, void *work);

/* How far its values at the times of a course see what it does between them: the last time, or the
 * first one from which on they do not.  at: n_in; size: its largest value.   theory (64.31) */
double sp_program_shown(const sp_program *p, const sp_course *c, double size, sp_bounds *at,
                        void *work);

#endif
