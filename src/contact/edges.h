/* contact/edges.h - polygons and segments in the world: their edges and corners near a place. */
#ifndef SP_CONTACT_EDGES_H
#define SP_CONTACT_EDGES_H

#include "kinematics/kin.h"
#include "model/model.h"

/* A corner is over an edge that it stands out beside by this, and less than this is no step that it
 * could stumble over [m]. */
#define SP_BESIDE 1e-9

/* A segment is the face of a strip of material, so deep of its length. */
#define SP_STRIP 0.1

/* Edge of a contour in the world: unit direction, outward normal, length. */
typedef struct sp_edge {
    sp_vec from, along, n;
    double length;
} sp_edge;

/* Nearest feature of a polygon or segment to a place: an edge j, or a corner n_vertex + j. */
typedef struct sp_edges_at {
    int feature;
    double distance; /* of the place from the feature, negative inside the material */
    bool barred;     /* it cannot touch there: the distance is only one that is not closed */
} sp_edges_at;

/* What side a puts forward: a place; if it is a corner, the edges that end there;
 * and the edge of b that it was over in the step before. */
typedef struct sp_probe {
    const sp_contour *of;
    sp_vec x;
    bool corner;
    sp_vec side[2]; /* from its neighbours; n is in its cone if n.side <= 0 for both           */
    int hint;       /* edge + 1, 0: none                                                        */
} sp_probe;

/* Edge j of a contour. */
sp_edge sp_edge_of(const sp_contour *c, const sp_vec *vertex, int j);

/* The place of vertex a, and the cone of a corner; that of the end of a segment is between its
 * normal and its direction.   theory (4.1a) */
sp_probe sp_probe_of(const sp_contour *c, const sp_vec *vertex, int a, double radius, int hint);

/* What of b a probe is nearest to, and can touch.   theory (4.1), (4.1b) */
sp_edges_at sp_edges_nearest(const sp_contour *c, const sp_vec *vertex, const sp_probe *p);

/* The distance to a feature that a contact is held at: an edge as a line, or a corner. */
sp_edges_at sp_edges_held(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature);

/* How far a place is from the ends of what it is held at: an edge, or the sector of a corner. */
double sp_edges_reach(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature);

/* The feature beyond the end that a place has passed. */
int sp_edges_next(const sp_contour *c, const sp_vec *vertex, sp_vec x, int feature);

/* How far polygon b lies in front of the edges of polygon a: the largest over the edges of the
 * smallest distance of b's corners. */
double sp_edges_separation(const sp_contour *a, const sp_contour *b, const sp_vec *vertex);

#endif
