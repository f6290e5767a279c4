/* model/face.h - faces of elastic bodies in space: the side of a beam, the face of a plate, as they
 * are at rest.  theory (98.6) */
#ifndef SP_MODEL_FACE_H
#define SP_MODEL_FACE_H

#include "math/space.h"

#include <stdbool.h>

/* Of a beam u runs along it and v across, of a plate u around it and v outwards. */
typedef struct sp_face {
    bool round;           /* of a plate                                                       */
    int across;           /* beam: along which axis the face stands off, 1: y, 2: z           */
    double height, slope; /* m: from the axis, or of a plate over z = 0 at its inner rim, from
                           * where it rises by the slope                                      */
    double lo[2], hi[2];  /* ranges of u and v                                                */
} sp_face;

/* The place of u, v in the body at rest with its derivatives by u, v, uu, uv, vv. */
void sp_face_at_rest(const sp_face *face, double u, double v, sp_vec3 d[6]);

/* Parameters of the place that is nearest to x, or nearly so, in the body at rest. */
void sp_face_foot(const sp_face *face, sp_vec3 x, double *u, double *v);

#endif
