/* contact/manifold_extruded.h - touches of an extruded contour with a plane, on both of its rims.
 * theory section 45 */
#ifndef SP_CONTACT_MANIFOLD_EXTRUDED_H
#define SP_CONTACT_MANIFOLD_EXTRUDED_H

#include "contact/manifold_parts.h"
#include "model/surface.h"

/* An extruded surface in its pose, which is that of its own frame; work has sp_surface_work
 * doubles. */
typedef struct sp_extruded {
    const sp_surface *surface;
    sp_pose3 pose;
    double *work;
} sp_extruded;

/* The surface of a body whose origin and axes are x and R. */
sp_extruded sp_extruded_of(const sp_surface *surface, sp_vec3 x, sp_rot3 R, double *work);

/* Touches with a plane up to a margin, in the order of their features (sp_surface_on_plane); how
 * many there are, of which at most room are written. */
int sp_extruded_find(const sp_extruded *a, const sp_pose3 *plane, double margin, int room,
                     sp_touch *touch);

/* The touch of one feature wherever it is, false if there is none such, and how far it is from
 * having its word: its lowest points while it is tilted, fixed points where it stands.
 * theory (45.2), (28.3) */
bool sp_extruded_hold(const sp_extruded *a, const sp_pose3 *plane, int feature, sp_touch *touch,
                      double *reach);

#endif
