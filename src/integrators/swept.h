/* integrators/swept.h - steps that carry no part through another.
 *
 * A step is taken, then the ways of all pairs that were apart when it began are swept
 * (contact/sweep.h).  Where a pair touched so that the contact laws would not see it, or from the
 * wrong side, the step is taken back and divided: up to the touch, then so little farther that the
 * law sees it, then the rest.   theory (66.7), (66.8) */
#ifndef SP_INTEGRATORS_SWEPT_H
#define SP_INTEGRATORS_SWEPT_H

#include "contact/sweep.h"
#include "integrators/work.h"

/* What a step did to the pairs. */
typedef struct sp_swept_end {
    bool through;        /* a pair was carried through, or too deep to be seen               */
    double until, touch; /* s: what is proven of the step; how much farther the law sees it  */
    sp_sweep_found found;
} sp_swept_end;

/* Rooms for sweeps, made when first asked for; NULL in *swept where the model needs none. */
sp_status sp_swept_of(const sp_model *m, sp_work *w, struct sp_swept **swept, sp_error *err);

/* Remember the state before a step, and go back to it. */
void sp_swept_begin(const sp_model *m, const sp_state *x, struct sp_swept *s);
void sp_swept_back(const sp_model *m, const struct sp_swept *s, sp_state *x);

/* The step of a method that ended at x, dt after sp_swept_begin.  What is not proven is noted as a
 * doubt in w. */
sp_swept_end sp_swept_judge(const sp_model *m, const sp_state *x, sp_method method, double dt,
                            sp_work *w, struct sp_swept *s);

/* The slot of the pair that was found which took part in the last step, SP_NONE: none did. */
int sp_swept_slot(const sp_model *m, const sp_work *w, const sp_sweep_found *found);

/* Note that a pair may have gone through another. */
void sp_swept_doubt(const sp_model *m, double t, const sp_sweep_found *found, sp_work *w);

#endif
