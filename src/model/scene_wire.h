/* model/scene_wire.h - surfaces as straight lines for pictures. */
#ifndef SP_MODEL_SCENE_WIRE_H
#define SP_MODEL_SCENE_WIRE_H

#include "model/curve.h"
#include "model/model.h"

#define SP_SCENE_ENDLESS                                                                           \
    6.0 /* length of a cylinder or bore without ends in a picture, in radii                        \
         */

/* Lines of a surface, of a hollow ball, of a bore, of the edges of a polytope or of a
 * mesh in the frame of its body; how many.  line NULL: only count. */
int sp_scene_wire(const sp_model *m, int contour, double (*line)[2][3]);

/* Whether a contour is drawn so. */
static inline bool sp_scene_is_wire(const sp_contour *c)
{
    return c->kind == SP_CONTOUR_SURFACE || c->kind == SP_CONTOUR_RULED ||
           c->kind == SP_CONTOUR_RULED_HOLLOW || c->kind == SP_CONTOUR_EXTRUDED ||
           c->kind == SP_CONTOUR_HULL || c->kind == SP_CONTOUR_MESH ||
           c->kind == SP_CONTOUR_HOLLOW_SPHERE || c->kind == SP_CONTOUR_BORE ||
           (c->kind == SP_CONTOUR_DISC && c->shape->taper != 0.0);
}

/* Points along a curve, material on their left, between which it turns so little that lines through
 * them look smooth; of a closed one the last is the first.  How many; point NULL: only count.  work
 * has sp_curve_work doubles. */
int sp_scene_curve(const sp_curve *c, double *work, double (*point)[3]);

#endif
