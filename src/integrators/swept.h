/* integrators/swept.h - steps that carry no part through another.
 *
 * A step is taken, then the ways of all pairs that were apart when it began are swept
 * (contact/sweep.h).  Where a pair touched so that the contact laws would not see it, or from the
 * wrong side, the step is taken back and divided: up to the touch, then so little farther that the
 * law sees it, then the rest.   theory (66.7), (66.8), (66.21) */
#ifndef SP_INTEGRATORS_SWEPT_H
#define SP_INTEGRATORS_SWEPT_H

#include "contact/sweep.h"
#include "integrators/smooth.h"
#include "integrators/step_rule.h"

#define SP_SLIVER SP_AT_REST /* of a step: a shorter rest of it is round-off */

/* A step that is divided: what is tried next, what is left of it, what it was divided for. */
typedef struct sp_swept_step {
    double h, left, sliver; /* s; shorter rests are round-off                  */
    double across;          /* how long the part behind h is, 0: as it comes, s */
    int tries;
    sp_sweep_found met;
} sp_swept_step;

static inline sp_swept_step sp_swept_whole(double dt)
{
    return (sp_swept_step){.h = dt, .left = dt, .sliver = SP_SLIVER * dt};
}

/* Rooms for sweeps, made when first asked for; NULL in *swept where the model needs none. */
sp_status sp_swept_of(const sp_model *m, sp_work *w, struct sp_swept **swept, sp_error *err);

/* The pair that is deepest in each other at x, whether or not it has a slot; depth 0: none. */
sp_status sp_swept_deepest(const sp_model *m, const sp_state *x, sp_work *w,
                           sp_sweep_deepest *deepest, sp_error *err);

/* Remember the state before a try of a step. */
void sp_swept_begin(const sp_model *m, const sp_state *x, struct sp_swept *s);

/* Whether the try of a method that ended at x, step->h after sp_swept_begin, is kept; else x is as
 * before it, and step->h is shorter.  What is not proven is noted as a doubt in w.   (66.8) */
bool sp_swept_keep(const sp_model *m, sp_state *x, sp_method method, sp_work *w, struct sp_swept *s,
                   sp_swept_step *step);

/* One step of dt by a rule, divided as it has to be; events and certificate are those of all parts.
 * x is written on success only. */
sp_status sp_swept_take(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                        double dt, sp_error *err);

/* Whether a pair that was apart at x, where sp_swept_begin was called, touches on the way over q_M
 * to w->q. */
bool sp_swept_touches(const sp_model *m, const sp_state *x, const double *q_M, const sp_work *w,
                      struct sp_swept *s);

/* How far the last step of smooth motion is proven to carry no part through another: *until, which
 * is where it is wanted up to, or earlier, where a pair comes to touch; pairs that touch may go on
 * doing so.  What cannot be proven at all is noted as a doubt.  sp_smooth_prepare first.
 * theory (66.22)-(66.24) */
sp_status sp_swept_prove(sp_smooth *x, double *until, sp_error *err);

/* The slot of the pair that was found which took part in the last step, SP_NONE: none did. */
int sp_swept_slot(const sp_model *m, const sp_work *w, const sp_sweep_found *found);

#endif
