/* contact/manifold_parts.h - the steps of finding touches. */
#ifndef SP_CONTACT_MANIFOLD_PARTS_H
#define SP_CONTACT_MANIFOLD_PARTS_H

#include "contact/manifold.h"

/* Faces whose normals differ by less than the angle of this cosine lie on each other: 2.6 degrees.
 */
#define SP_LIES_ON 0.999

/* A gap along a face is taken for the distance if it is not longer by more than this part. */
#define SP_NEARLY 1e-3

/* Sines of the tilt of a rim over a face: below the first its lowest point has no direction; below
 * the second fixed points of the rim support beside it; below the third they do so alone for those
 * who hold touches.   theory (28.3) */
#define SP_TILT_UPRIGHT 1e-7
#define SP_TILT_LYING   0.05
#define SP_TILT_FLAT    1e-5

/* Touches found so far. */
typedef struct sp_touches {
    sp_touch *touch;
    int n, room;
    double margin;
    double least; /* smallest gap */
} sp_touches;

/* Two cores; places are counted from b's origin. */
typedef struct sp_cores {
    sp_core a, b;
    double tol; /* places that differ by less are the same, m */
} sp_cores;

/* Places of two cores that differ by less are the same. */
double sp_cores_tolerance(const sp_core *a, const sp_core *b);

/* The axis that separates two cores best, n from b to a.   theory (21.6) */
typedef enum sp_axis_kind {
    SP_AXIS_NONE,
    SP_AXIS_FACE_B,
    SP_AXIS_FACE_A,
    SP_AXIS_EDGES
} sp_axis_kind;
typedef struct sp_axis {
    sp_axis_kind kind;
    int i, j; /* FACE: i; EDGES: of a and b */
    double s; /* how far apart along it, < 0: how deep */
    sp_vec3 n;
} sp_axis;

/* Keep a touch whose core points are x on a and y on b, x - y along n, if its gap is small enough.
 */
void sp_touches_add(sp_touches *list, const sp_cores *c, sp_vec3 n, sp_vec3 x, sp_vec3 y,
                    sp_touch_side side_a, sp_touch_side side_b, sp_touch_carrier carrier);

/* The best face and the best axis of all, face if it is as good; faces that part them by more than
 * `enough` end the search.  Returns how far a triangle b and a are apart along axes to its back,
 * which are not among them. */
double sp_axis_find(const sp_cores *c, double enough, sp_axis *face, sp_axis *best);

/* Smallest n.x of a core. */
double sp_core_lowest(const sp_core *c, sp_vec3 n);

/* Touches of the corners of a over a face of b alone. */
void sp_touches_of_corners(const sp_cores *c, int f, sp_touches *list);

/* Touches of the features on a face; ref_is_b: it is b's.   theory (21.7) */
void sp_touches_on_face(const sp_cores *c, bool ref_is_b, int f, sp_touches *list);

/* The touch of two edges along an axis.   theory (21.8) */
void sp_touches_of_edges(const sp_cores *c, const sp_axis *axis, sp_touches *list);

/* Nearest points of cores that are apart, all of them where several are equally near; the distance,
 * and n of the first of them.   theory (21.9) */
double sp_touches_nearest(const sp_cores *c, sp_touches *list, sp_vec3 *n);

/* The touch of two features of cores, and how far it is from their ends.   theory (28.1), (28.2) */
bool sp_touch_hold_of_cores(const sp_cores *c, int feature_a, int feature_b, sp_touch *touch);
double sp_touch_reach_of_cores(const sp_cores *c, const sp_touch *touch);

/* How far x over a face is inside of its sides, and x about a corner from having its foot on one of
 * the edges there. */
double sp_core_reach_on_face(const sp_core *c, int f, sp_vec3 x);
double sp_core_reach_about_corner(const sp_core *c, int i, sp_vec3 x);

/* Touches of two cores, in places counted from b's origin; false if there is no axis. */
void sp_touches_of_cores(const sp_cores *c, sp_touches *list);

/* Touches of any shape with a plane, and of a core with a mesh; places are in the world. */
void sp_touches_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                         sp_touches *list);

/* The touch of one feature of a shape with a plane. */
bool sp_touch_hold_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                            int feature, sp_touch *touch);

/* How far it is from its end: the lowest point of a rim stands for a disc that is tilted, fixed
 * points of the rim for one that lies flat; corners have no end.   theory (28.3) */
double sp_touch_reach_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                               int feature);
void sp_touches_on_mesh(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                        const sp_pose3 *pose_b, sp_touches *list);

/* The touch of a ball or a point with a disc; places are in the world. */
void sp_touches_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                        sp_touches *list);

/* The touch of a ball or a point with one feature of a disc, false if it has none such, and how far
 * it is from the end of that.   theory (35.1) */
bool sp_touch_hold_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                           int feature, sp_touch *touch);
double sp_touch_reach_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                              int feature);

/* Touches of a polytope or a capsule, or of the disc a if core is NULL, with the disc b; places are
 * counted from b's origin, the core's too.   theory (39.6)-(39.8) */
void sp_touches_round(const sp_core *core, const sp_shape3 *a, const sp_pose3 *pose_a,
                      const sp_shape3 *b, const sp_pose3 *pose_b, double tol, sp_touches *list);

/* The touch of two features of them, and how far it is from their ends; false if there is none. */
bool sp_touch_hold_round(const sp_core *core, const sp_shape3 *a, const sp_pose3 *pose_a,
                         const sp_shape3 *b, const sp_pose3 *pose_b, const int feature[2],
                         sp_touch *touch, double *reach);

/* Nearest points of the lines x + s u and y + t v, which are not parallel. */
static inline void sp_lines_nearest(sp_vec3 x, sp_vec3 u, sp_vec3 y, sp_vec3 v, double *s,
                                    double *t)
{
    const sp_vec3 d = sp_sub3(x, y);
    const double uu = sp_inner3(u, u), vv = sp_inner3(v, v), uv = sp_inner3(u, v);
    const double ud = sp_inner3(u, d), vd = sp_inner3(v, d), det = uu * vv - uv * uv;
    *s = (uv * vd - vv * ud) / det;
    *t = (uu * vd - uv * ud) / det;
}

#endif
