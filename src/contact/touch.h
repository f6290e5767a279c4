/* contact/touch.h - one point of contact between shapes with edges: which feature of a meets which
 * feature of b, and how the contact moves when the bodies do.   theory (21.10)-(21.14) */
#ifndef SP_CONTACT_TOUCH_H
#define SP_CONTACT_TOUCH_H

#include "contact/frame3.h"

/* What a side is near the contact. */
typedef enum sp_side_kind {
    SP_SIDE_CORNER, /* a point with a ball of radius r about it; r = 0: a corner           */
    SP_SIDE_LINE,   /* a curve with a tube of radius r about it; r = 0: an edge, or a rim  */
    SP_SIDE_FACE    /* flat                                                                */
} sp_side_kind;

typedef struct sp_touch_side {
    sp_side_kind kind;
    int feature;  /* number of the feature of its shape: corners, then edges, then faces        */
    double r;     /* m                                                                          */
    double kappa; /* LINE: the outward normal turns by kappa along the curve, 0 straight, 1/m   */
    sp_vec3 d;    /* LINE: its direction, unit length, world                                    */
} sp_touch_side;

/* What n is carried by.  Normals of faces in contact are those of the face, of edges that cross the
 * product of both; edges of two faces that lie on each other and are nearly parallel have no such
 * product, their n is that of the face. */
typedef enum sp_touch_carrier {
    SP_CARRIED_BY_FEATURES,
    SP_CARRIED_BY_A,
    SP_CARRIED_BY_B
} sp_touch_carrier;

typedef struct sp_touch {
    double g_N;
    sp_vec3 n;        /* out of b's material towards a                        */
    sp_vec3 point[2]; /* on a and b, world: point[0] - point[1] = g_N n       */
    sp_touch_side side[2];
    sp_touch_carrier carrier;
} sp_touch;

/* The contact frame: tangents, and the maps of (18.3).  Where the nearest points are not unique
 * (parallel edges), the maps are zero.   theory (21.10)-(21.14) */
void sp_touch_frame(const sp_touch *touch, sp_rot3 axes_b, sp_contact_frame3 *f);

#endif
