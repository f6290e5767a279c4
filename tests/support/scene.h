/* support/scene.h - two contours on two bodies of a random tree, and gap, velocities and their
 * rates at every contact point by another way than the library's: distances of places that are
 * jets. */
#ifndef SUPPORT_SCENE_H
#define SUPPORT_SCENE_H

#include "support/tree.h"

enum { SHAPE_CORNERS = 8 };

typedef struct shape {
    sp_contour_kind kind;
    int n;                             /* corners                                      */
    double raw[SHAPE_CORNERS][2];      /* in its own frame, as written                 */
    double at[2], turn, radius, angle; /* angle: of a line's normal in its own frame   */
    double v[SHAPE_CORNERS][2];        /* in the body's frame                          */
    double normal[2];                  /* LINE, in the body's frame                    */
} shape;

typedef struct scene {
    tree t;
    machine c;
    int on[2];      /* bodies of the tree that carry the two contours, -1: the ground */
    shape shape[2]; /* as in the file: side A, side B                                 */
    double q[TREE_DOFS], u[TREE_DOFS], a[TREE_DOFS];
} scene;

/* What there is to know about one contact point over time. */
typedef struct touch {
    jet g;         /* gap                                            */
    jet2 n, t;     /* directions                                     */
    jet2 point[2]; /* nearest points                                 */
    jet gamma[2];  /* relative velocity; t^0 and t^1 are valid       */
    bool round;    /* side b is a disc, a hole or a corner           */
    bool behind;   /* b is a segment, and a is deeper than its strip */
    double doubt;  /* how much nearer the feature is than the next   */
} touch;

shape shape_random(rng *r, sp_contour_kind kind);

/* Contours of these kinds on bodies of a tree of up to 5 bodies that can move against each other.
 */
void scene_random(scene *s, rng *r, sp_contour_kind a, sp_contour_kind b);

/* The same on trees and bodies that are there already; contours random. */
void scene_compile(scene *s, rng *r, sp_contour_kind a, sp_contour_kind b);

void scene_free(scene *s);

/* The oracle for one slot of the model, for frames p of the tree. */
touch scene_touch(const scene *s, const pose *p, int slot);

/* Whether a slot, looked at by machine_touch, is a corner that cannot touch its nearest feature: it
 * is kept apart, or is deeper under another edge.   theory (4.1b) */
bool scene_elsewhere(const scene *s, const touch *w, int slot);

/* Frames of the scene at q, u, a; any of the last two may be NULL. */
void scene_poses(const scene *s, const double *q, const double *u, const double *a, pose *p);

/* Move q until the slot's gap is below 1e-12 m (by halving between an open and a closed place);
 * false if none was found. */
bool scene_close(scene *s, rng *r, int slot);

/* The pairs of contours that can touch, by number; false above the last. */
bool scene_pair(int k, sp_contour_kind *a, sp_contour_kind *b);
const char *scene_kind_name(sp_contour_kind kind);

#endif
