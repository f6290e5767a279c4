/* model/places_parts.h - between the files that find the places of a curve. */
#ifndef SP_MODEL_PLACES_PARTS_H
#define SP_MODEL_PLACES_PARTS_H

#include "model/curve.h"

/* Where a curve is cut: parameters, rising; of closed curves within one turn from the first on. */
typedef struct sp_cuts {
    int n, room;
    double *at;
} sp_cuts;

/* Add seams to the cuts of a curve, such that no two places of one stretch are touched at once by a
 * disc of this curvature, or by a line if it is zero.  False: no memory.   theory section 54 */
bool sp_places_seams(sp_arena *scratch, const sp_curve *c, double bend, double *work,
                     sp_cuts *cuts);

#endif
