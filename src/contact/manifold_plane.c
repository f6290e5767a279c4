/* contact/manifold_plane.c - what lies on a plane: corners, round ends, rims.   theory (21.15) */
#include "contact/manifold_parts.h"

enum { RIM_POINTS = 4 }; /* fixed points of one rim */

/* The plane, and what comes down on it. */
typedef struct ground {
    sp_vec3 n, x;
    sp_touches *list;
} ground;

/* A touch of the place x on a; radius is that around it. */
static void add(const ground *g, sp_vec3 x, sp_touch_side side)
{
    const sp_touch_side face = {.kind = SP_SIDE_FACE};
    const sp_cores c = {.a.r = side.r};
    const double h = sp_inner3(g->n, sp_sub3(x, g->x));
    sp_touches_add(g->list, &c, g->n, x, sp_axpy3(x, -h, g->n), side, face, SP_CARRIED_BY_FEATURES);
}

/* One end of a disc or frustum: its middle, its radius, its number. */
typedef struct rim {
    sp_vec3 center;
    double r;
    int i;
} rim;

static rim rim_of(const sp_shape3 *disc, const sp_pose3 *pose, int i)
{
    return (rim){sp_axpy3(pose->x, i == 0 ? -disc->half : disc->half, pose->R.z),
                 i == 0 ? disc->radius : disc->radius + disc->taper, i};
}

/* The tip of a cone is a corner. */
static void tip(const ground *g, const rim *k)
{
    add(g, k->center, (sp_touch_side){.kind = SP_SIDE_CORNER, .feature = k->i});
}

/* The lowest point of a rim: its radius e lies against n, and the normal turns by sin(tilt)/R along
 * it; where that has no direction any e will do.   theory (21.15) */
static void lowest_of_rim(const ground *g, const sp_pose3 *pose, const rim *k)
{
    const sp_vec3 axis = pose->R.z, flat = sp_cross3(axis, sp_cross3(g->n, axis));
    const double tilt = sp_length3(flat); /* by products: to the last digit where it is small */
    const sp_vec3 e = tilt > SP_TILT_UPRIGHT ? sp_scale3(-1.0 / tilt, flat) : pose->R.x;
    const sp_touch_side side = {
        .kind = SP_SIDE_LINE, .feature = k->i, .kappa = tilt / k->r, .d = sp_cross3(axis, e)};
    add(g, sp_axpy3(k->center, k->r, e), side);
}

/* One of the points that stay where they are on a rim, while the disc lies nearly flat. */
static void fixed_on_rim(const ground *g, const sp_pose3 *pose, const rim *k, int point)
{
    const sp_touch_side side = {.kind = SP_SIDE_CORNER, .feature = 2 + RIM_POINTS * k->i + point};
    add(g, sp_axpy3(k->center, point < 2 ? k->r : -k->r, point % 2 == 0 ? pose->R.x : pose->R.y),
        side);
}

/* Sine of the tilt of a disc against a plane. */
static double tilt_of(const sp_pose3 *disc, sp_vec3 n)
{
    return sp_length3(sp_cross3(n, disc->R.z));
}

/* Both rims. */
static void disc_on_plane(const ground *g, const sp_shape3 *disc, const sp_pose3 *pose)
{
    const double tilt = tilt_of(pose, g->n);
    for (int i = 0; i < (disc->half > 0.0 ? 2 : 1); i++) {
        const rim k = rim_of(disc, pose, i);
        if (!(k.r > 0.0)) {
            tip(g, &k);
            continue;
        }
        if (tilt > SP_TILT_UPRIGHT) {
            lowest_of_rim(g, pose, &k);
        }
        for (int point = 0; point < RIM_POINTS && tilt < SP_TILT_LYING; point++) {
            fixed_on_rim(g, pose, &k, point);
        }
    }
}

void sp_touches_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                         sp_touches *list)
{
    const ground g = {pose_b->R.z, pose_b->x, list};
    sp_core_room room;
    sp_core core;
    if (a->kind == SP_SHAPE3_DISC) {
        disc_on_plane(&g, a, pose_a);
    } else if (sp_shape3_core(a, pose_a, &room, &core)) {
        for (int i = 0; i < core.h->n_vertex; i++) {
            add(&g, sp_core_vertex(&core, i), sp_core_corner_side(&core, i));
        }
    }
}

/* The rim that a feature of a disc belongs to. */
static rim rim_of_feature(const sp_shape3 *disc, const sp_pose3 *pose, int feature)
{
    return rim_of(disc, pose, feature < 2 ? feature : (feature - 2) / RIM_POINTS);
}

bool sp_touch_hold_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                            int feature, sp_touch *touch)
{
    sp_touches list = {.touch = touch, .room = 1, .margin = INFINITY, .least = INFINITY};
    const ground g = {pose_b->R.z, pose_b->x, &list};
    sp_core_room room;
    sp_core core;
    if (a->kind == SP_SHAPE3_DISC) {
        const rim k = rim_of_feature(a, pose_a, feature);
        if (feature >= 2) {
            fixed_on_rim(&g, pose_a, &k, (feature - 2) % RIM_POINTS);
        } else if (k.r > 0.0) {
            lowest_of_rim(&g, pose_a, &k);
        } else {
            tip(&g, &k);
        }
    } else if (sp_shape3_core(a, pose_a, &room, &core) && feature < core.h->n_vertex) {
        add(&g, sp_core_vertex(&core, feature), sp_core_corner_side(&core, feature));
    }
    return list.n == 1;
}

double sp_touch_reach_on_plane(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_pose3 *pose_b,
                               int feature)
{
    if (a->kind != SP_SHAPE3_DISC) {
        return INFINITY;
    }
    const rim k = rim_of_feature(a, pose_a, feature);
    if (!(k.r > 0.0)) {
        return feature < 2 ? INFINITY : -INFINITY;
    }
    const double up = k.r * (tilt_of(pose_a, pose_b->R.z) - SP_TILT_FLAT);
    const bool none = feature == 1 && !(a->half > 0.0); /* the two rims of a coin are one */
    return none ? -INFINITY : feature < 2 ? up : -up;
}
