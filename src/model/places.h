/* model/places.h - the places of a curve that something round or straight can touch at once.
 *
 * A contour whose greatest curvature is `bend` cannot touch a curve inside of a hollow that is bent
 * more than that.  Cut at the deepest points of such hollows, the curve falls into stretches, and
 * no contact that lasts goes from one to the next: each may have a slot of its own.  Seams, where
 * contacts do pass, part a closed curve with a single hollow and curves that go back.
 * theory sections 48, 54, 58 */
#ifndef SP_MODEL_PLACES_H
#define SP_MODEL_PLACES_H

#include "model/curve.h"

enum {
    SP_PLACES_OPEN = 4,  /* slots of a curve with ends, at most: stretches have them in turns */
    SP_PLACES_CLOSED = 8 /* of one without                                                    */
};

typedef struct sp_places {
    const sp_curve *curve;
    double bend; /* what they are for, 1/m */
    bool hills;  /* the curve bulges somewhere, or has ends ... */
    bool flats;  /* ... is hollow or flat somewhere */
    int n;       /* slots                  */
    int n_stretch;
    const sp_curve_stretch *stretch; /* stretch i belongs to slot i mod n */
} sp_places;

/* Part of 1/size: what is bent less is flat. */
#define SP_PLACES_FLAT 1e-6

/* Find the stretches of a curve for contours with this greatest curvature (0: a line; negative:
 * the edges of a polygon, which touch where the curve bulges); with
 * n = 1 and no stretch where one place is enough or all that is known.  False: no memory, of which
 * scratch may be given back afterwards. */
bool sp_places_find(sp_arena *a, sp_arena *scratch, const sp_curve *c, double bend, double *work,
                    sp_places *out);

/* The best place of one of their slots, search->least infinite at the beginning; false if it is not
 * found. */
bool sp_places_look(const sp_places *p, int slot, double *work, sp_curve_search *search);

/* The slot of the stretch behind an end (-1 or +1) of a stretch; SP_NONE where the curve ends. */
int sp_places_beyond(const sp_places *p, const sp_curve_stretch *on, int end);

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
