/* kinematics/flex_face.h - faces of bodies that deform, in space.   theory (98.6), (98.7) */
#ifndef SP_KINEMATICS_FLEX_FACE_H
#define SP_KINEMATICS_FLEX_FACE_H

#include "kinematics/spot.h"
#include "model/face.h"

/* A body in a configuration: what sp_surface.bent gets as now. */
typedef struct sp_flex_now {
    const sp_kin *kin;
    int body;
} sp_flex_now;

/* The place of u, v of a face with its derivatives by u, v, uu, uv, vv, in the body's frame; now:
 * sp_flex_now. */
void sp_flex_face(const void *now, const sp_face *face, double u, double v, sp_vec3 d[6]);

/* How the velocity of the material about a mark changes along two directions, per way: all of the
 * world. */
void sp_flex_flow(const sp_kin *kin, const sp_mark *mark, const sp_vec3 along[2], sp_vec3 flow[2]);

#endif
