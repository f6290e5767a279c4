/* model/track.h - a curve of the plane by the length of the way along it: what a joint follows. */
#ifndef SP_MODEL_TRACK_H
#define SP_MODEL_TRACK_H

#include "model/curve.h"

/* The parameter of the curve at one length. */
typedef struct sp_track_node {
    double s, p; /* m, the parameter      */
    double dp;   /* dp/ds                 */
} sp_track_node;

typedef struct sp_track {
    const sp_curve *curve;
    int n; /* nodes, at the samples of the curve; the first at s = 0, the last at its length */
    const sp_track_node *node;
} sp_track;

/* Place, and its first and second derivative by s, in the frame that the curve stands in. */
typedef struct sp_track_at {
    sp_vec r, t, bend;
} sp_track_at;

/* Measure the curve; work has sp_curve_work doubles.  SP_E_INPUT if it cannot be evaluated. */
sp_status sp_track_make(sp_arena *a, const sp_curve *c, double *work, sp_track *track,
                        sp_error *err);

/* At any s: closed curves come round again, others go on straight beyond their ends.  NaN where the
 * curve cannot be evaluated.   theory (2.40) */
sp_track_at sp_track_eval(const sp_track *track, double s, double *work);

#endif
