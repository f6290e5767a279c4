/* contact/sweep.h - proof that two parts did not touch on their way between two configurations.
 *
 * Contours are covered by convex pieces (math/convex.h).  On its way from one configuration to the
 * next the middle of a piece goes straight and its body turns evenly, up to a deviation of `slack`;
 * along a unit vector n a piece then approaches another by no more than
 *
 *     reach(n) = |n.(v_a - v_b)| + |omega_a| size_a + |omega_b| size_b
 *
 * per length of the way.  The way is bisected until the distance in the middle of each part is
 * larger than reach times half its length.   theory (66.2)-(66.6)
 *
 * Lines, planes, holes and bores need none of it: their gaps stay negative however far something
 * has gone through. */
#ifndef SP_CONTACT_SWEEP_H
#define SP_CONTACT_SWEEP_H

#include "contact/con.h"
#include "math/convex.h"

/* Where a body is. */
typedef struct sp_sweep_pose {
    sp_vec3 x;    /* origin, world                                       */
    sp_rot3 R;    /* axes, world                                         */
    double angle; /* in the plane, counted on through whole turns        */
} sp_sweep_pose;

/* Pieces of a contour; those without are left out of sweeps. */
typedef struct sp_sweep_cover {
    int n;
    const sp_convex *piece;
    int n_corner;            /* corners of the pieces ...                  */
    const sp_convex *corner; /* ... each as a piece of its own             */
    sp_vec3 centre;          /* of a ball around all of them, body's frame */
    double radius;
    double ball; /* the least radius of balls around pieces ...                           */
    double thin; /* ... and the least width without them; infinite if all are single points */
} sp_sweep_cover;

/* Two contours of different bodies with slots of their own. */
typedef struct sp_sweep_pair {
    int a, b;        /* contours                       */
    int n;           /* slots between the two ...      */
    const int *slot; /* ... rising                     */
} sp_sweep_pair;

/* What all sweeps of a model share, read-only after sp_sweep_new. */
typedef struct sp_sweep {
    const sp_model *m;
    const sp_sweep_cover *cover; /* n_contour        */
    int n_pair;
    const sp_sweep_pair *pair; /* but those of pools */
} sp_sweep;

/* NULL without memory. */
const sp_sweep *sp_sweep_new(sp_arena *arena, const sp_model *m);

/* Whether the model has pairs that can be gone through. */
bool sp_sweep_needed(const sp_sweep *s);

/* The poses of all bodies; pose: n_body. */
void sp_sweep_poses(const sp_model *m, const sp_kin *kin, sp_sweep_pose *pose);

typedef enum sp_sweep_end {
    SP_SWEEP_CLEAR,   /* proven: they did not touch                                     */
    SP_SWEEP_TOUCH,   /* they may touch right behind `at`, up to where they are apart   */
    SP_SWEEP_UNPROVEN /* the same, but found by giving up                               */
} sp_sweep_end;

/* The first possible touch of a pair. */
typedef struct sp_sweep_found {
    sp_sweep_end end;
    int a, b;        /* contours                                                    */
    double at;       /* 0 to 1: how much of the way is proven                       */
    double distance; /* there, a bound, m                                           */
    double approach; /* how fast they come together there along n, per whole way, m */
    sp_vec3 n;       /* of unit length, from b to a                                 */
    const sp_convex *piece[2];
} sp_sweep_found;

/* The way of two contours from pose[0] to pose[1] of their bodies.  slack: how far any point may be
 * from the even motion, m. */
typedef struct sp_sweep_way {
    const sp_sweep_pose *from, *to; /* n_body */
    double slack;
} sp_sweep_way;

sp_sweep_end sp_sweep_contours(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                               sp_sweep_found *found);

/* The same for one piece, or corner, of a. */
sp_sweep_end sp_sweep_piece(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                            const sp_convex *piece, sp_sweep_found *found);

/* Whether two contours move so little on n_way ways, from pose[k] to pose[k + 1], that the laws see
 * every touch from the right side.   theory (66.9) */
bool sp_sweep_is_slow(const sp_sweep *s, sp_sweep_pose *const *pose, int n_way, int a, int b);

/* How deep the pieces that were found are in each other along found->n, at `at` of a way, m;
 * negative: apart. */
double sp_sweep_depth(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                      double at);

/* How deep they may be for contact laws to see them from the side that they came from.
 * theory (66.7) */
double sp_sweep_seen(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found);

/* Whether the balls around two contours stay apart on n_way ways, from pose[k] to pose[k + 1]. */
bool sp_sweep_is_far(const sp_sweep *s, sp_sweep_pose *const *pose, int n_way, int a, int b);

/* By how much the body of a contour turns between two poses, rad. */
double sp_sweep_turned(const sp_sweep *s, const sp_sweep_pose *from, const sp_sweep_pose *to,
                       int contour);

/* A ball around a contour where its body is; the radius. */
double sp_sweep_ball(const sp_sweep *s, const sp_sweep_pose *pose, int contour, sp_vec3 *centre);

#endif
