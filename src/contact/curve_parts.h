/* contact/curve_parts.h - between the files of slots with curves. */
#ifndef SP_CONTACT_CURVE_PARTS_H
#define SP_CONTACT_CURVE_PARTS_H

#include "contact/con.h"

enum {
    SP_CURVE_ALONG,
    SP_CURVE_AT_LO,
    SP_CURVE_AT_HI
}; /* features of a curve: itself, and its ends as corners */

/* Two nearest points, world. */
typedef struct sp_meeting {
    double g;
    sp_vec n;        /* out of b towards a                                            */
    sp_vec point[2]; /* on a and b                                                    */
    double bend[2];  /* curvatures, of convex material positive                       */
    bool corner[2];  /* the end of a curve: no curvature, n is the way to it          */
    int feature;     /* of the curve that a disc is on: the nearest                   */
    double reach;    /* how far it is from the end of that, or of what it is held at  */
    bool at_end;     /* of an open curve, by sp_curve_meet_line */
    bool back;       /* the curve is seen from behind */
    bool barred;     /* it cannot touch there: the gap is only one that is not closed */
    int beyond;  /* the slot of these places behind the seam that it is at, or past it, plus 1 */
    double past; /* how far it is past that seam, m                               */
} sp_meeting;

/* A curve and where its body is. */
typedef struct sp_curve_side {
    const sp_curve *curve;
    sp_pose2 frame; /* of its body */
} sp_curve_side;

/* Whether x, the centre of a disc or a point, is in the material behind a curve, by the place of
 * all that is nearest to it (in the frame of the body).   theory (48.2a), (48.2b), (54.5) */
bool sp_curve_is_behind(const sp_curve *c, const sp_curve_foot *nearest, sp_vec x, double radius,
                        double *work);

enum { SP_CURVE_FOLLOWED = -1 }; /* held: over seams, but at nothing of the curve */

/* Centre and radius of the disc against the point of the curve nearest to it; s: of a slot's
 * places, NULL: of all, whose back is material everywhere.  A place of a slot that is seen from
 * behind, the centre not in the material, is as hollow as it bulges.  held: a feature that it stays
 * at, plus 1, or SP_CURVE_FOLLOWED; places that are held go on over seams.   theory (20.16),
 * (48.2a), (58.2)
 */
bool sp_curve_meet_disc(sp_vec center, double radius, sp_curve_side b, const sp_slot *s, int held,
                        double *work, sp_meeting *out);

/* The point of curve a, on the stretches of its slot, farthest against the normal n of a line
 * through x.   theory (20.17) */
bool sp_curve_meet_line(sp_curve_side a, const sp_slot *s, sp_vec n, sp_vec x, bool followed,
                        double *work, sp_meeting *out);

/* The same meeting seen from the other side. */
void sp_curve_swap(sp_meeting *l);

/* A curve and a polygon or segment, as a slot of the two knows them. */
typedef struct sp_curve_edges {
    sp_curve_side a;
    const sp_contour *b;
    const sp_vec *vertex; /* all of the model, world */
    const sp_slot *slot;
    int held; /* an edge or a corner plus 1, or 0 */
    double *work;
} sp_curve_edges;

/* What of the curve and of an edge or a corner is nearest, and can touch.   theory (115.1)-(115.3)
 */
bool sp_curve_meet_edges(const sp_curve_edges *e, sp_meeting *out);

/* The edge or corner behind the end that a held contact has passed; SP_NONE: it leaves. */
int sp_curve_next_edge(const sp_curve_edges *e);

/* The nearest points of curves a and b; a whole arc is a disc, and touches the places of the slot,
 * also behind a seam if it is followed.   theory (20.18), (54.9) */
bool sp_curve_meet_two(const sp_curve_side c[2], const sp_slot *s, bool followed, double *work,
                       sp_meeting *out);

#endif
