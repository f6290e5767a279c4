/* model/teeth.h - the border of a sprocket by arcs, the same in every tooth gap.
 *
 * From tip to tip a gap consists of five arcs that join without a kink: half a tip, flank, seat,
 * flank, half a tip.  s is the length of the way along the border, counter-clockwise; gap 0 lies
 * about the x axis, s = 0 is the tip before it.   theory (70.10)-(70.15) */
#ifndef SP_MODEL_TEETH_H
#define SP_MODEL_TEETH_H

#include "base/status.h"
#include "math/plane.h"

#include <stdbool.h>

enum { SP_TEETH_ARC = 5 };

/* An arc at the distance radius from its centre, from an angle on counter-clockwise (turn = 1) or
 * clockwise (-1), which begins behind a way s and is so long. */
typedef struct sp_teeth_arc {
    sp_vec at;
    double radius, from, turn, s, length;
} sp_teeth_arc;

typedef struct sp_teeth {
    int n;
    double angle, length; /* of one gap                                     */
    double pitch_radius;  /* where the centres of rollers in their seats are */
    double roller, tip;   /* radii of rollers, and to the tips of the teeth */
    sp_teeth_arc arc[SP_TEETH_ARC];
} sp_teeth;

/* A sprocket by pitch, diameter of the rollers and form, 0 to 1: between the smallest and the
 * largest tooth gap of ISO 606.  SP_E_INPUT with what is wrong. */
sp_status sp_teeth_make(int n, double pitch, double roller, double form, sp_teeth *t,
                        sp_error *err);

/* Place, direction and bend (second derivative) at s. */
void sp_teeth_eval(const sp_teeth *t, double s, sp_vec r[3]);

/* The way to the place nearest to x. */
double sp_teeth_nearest(const sp_teeth *t, sp_vec x);

#endif
