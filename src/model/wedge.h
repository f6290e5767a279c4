/* model/wedge.h - bodies in the plane of which a part moves along z, the normal of the plane: the
 * sheaves of a groove, the pin of a rocker.   theory (104.1)-(104.3) */
#ifndef SP_MODEL_WEDGE_H
#define SP_MODEL_WEDGE_H

#include "model/bodies.h"

enum { SP_WEDGE_MOST = 3 }; /* own coordinates: opening or stretch, then two tilts */

/* What its kind (kinematics/wedge.c) knows of it. */
typedef struct sp_wedge {
    double mass, inertia, center[2]; /* of the whole body, as in sp_body_numbers */
    int n;                           /* own coordinates                          */
    double m[SP_WEDGE_MOST], k[SP_WEDGE_MOST], d[SP_WEDGE_MOST]; /* mass, stiffness, damping ... */
    double force[SP_WEDGE_MOST]; /* ... and a constant force against each, N or N m */
} sp_wedge;

extern const struct sp_body_kind sp_wedge_kind;

#endif
