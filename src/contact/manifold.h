/* contact/manifold.h - all points in which two shapes touch, or would within a margin.
 *
 * Faces that lie on each other give all points that support: corners over faces, and edges that
 * cross.  Each point has the features of both sides as its identity, which survives small motions;
 * gaps are signed, open > 0, and change with gamma_N.   theory (21.6)-(21.9) */
#ifndef SP_CONTACT_MANIFOLD_H
#define SP_CONTACT_MANIFOLD_H

#include "contact/shape.h"

/* The touches of a and b with gaps up to margin, in an order that depends on the features alone;
 * returns how many there are, of which at most room are written.  The shapes are in the order that
 * sp_shape3_order wants. */
int sp_manifold_find(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                     const sp_pose3 *pose_b, double margin, int room, sp_touch *touch);

/* The touch of these two features of a and b wherever the shapes are, as if the features had no
 * ends: its gap is smooth and may have any sign.  False where two such features have no common
 * normal.   theory (28.1) */
bool sp_manifold_hold(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                      const sp_pose3 *pose_b, int feature_a, int feature_b, sp_touch *touch);

/* How far that touch is from the end of its features, m; negative: past it, infinite: there is
 * none.  Places that differ by less than *tol are the same.   theory (28.2) */
double sp_manifold_reach(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                         const sp_pose3 *pose_b, const sp_touch *touch, double *tol);

#endif
