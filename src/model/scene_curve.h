/* model/scene_curve.h - curves of the plane as points for pictures. */
#ifndef SP_MODEL_SCENE_CURVE_H
#define SP_MODEL_SCENE_CURVE_H

#include "model/curve.h"

/* Points along a curve, material on their left, between which it turns so little that lines through
 * them look smooth; of a closed one the last is the first.  How many; point NULL: only count.  work
 * has sp_curve_work doubles. */
int sp_scene_curve(const sp_curve *c, double *work, double (*point)[3]);

#endif
