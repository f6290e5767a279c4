/* contact/shape_slot.h - contours of a model as shapes with edges, and the touches of two of them.
 */
#ifndef SP_CONTACT_SHAPE_SLOT_H
#define SP_CONTACT_SHAPE_SLOT_H

#include "contact/manifold.h"
#include "model/sides.h"

/* Touches of one pair that are looked at; more are reported as slots that lack. */
enum { SP_SHAPE_TOUCHES = 64 };

/* Whether a pair of contours is one of shapes; an extruded surface is one for planes. */
static inline bool sp_shape_slot(const sp_model *m, int a, int b)
{
    const sp_contour_kind first = m->contour[a].kind, second = m->contour[b].kind;
    return sp_sides_is_shape(first) || sp_sides_is_shape(second) ||
           sp_sides_is_extruded_on_plane(first, second);
}

/* Box around a contour with an end, in the configuration of kin; of others without end. */
sp_box3 sp_shape_slot_box(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour);

/* Touches of side a with side b up to a margin, by rising sp_shape_slot_feature; how many there
 * are, of which SP_SHAPE_TOUCHES at most are written.  work: of expressions, as long as contours
 * need it. */
int sp_shape_slot_touches(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                          double margin, double *work, sp_touch *touch);

/* Features of a contour, from 0 on, that can touch a plane. */
int sp_shape_slot_features(const sp_model *m, int contour);

/* The touch of two features, wherever they are. */
typedef struct sp_shape_held {
    sp_touch touch;
    double outside; /* how far it is past the ends of the features, m */
    double tol;     /* tolerance of that, m                           */
} sp_shape_held;

/* The touch of two features, as sp_shape_slot_feature has them; false if there is none. */
bool sp_shape_slot_hold(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                        unsigned feature, double *work, sp_shape_held *held);

/* Both features as one number: those of a polytope have 12 bits, those of a mesh 18. */
static inline unsigned sp_shape_slot_feature(const sp_touch *t)
{
    return (unsigned)t->side[0].feature << SP_SHAPE_B_BITS | (unsigned)t->side[1].feature;
}

#endif
