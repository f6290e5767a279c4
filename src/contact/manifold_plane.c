/* contact/manifold_plane.c - what lies on a plane: corners, round ends, rims.   theory (21.15) */
#include "contact/manifold_parts.h"

/* Below this sine of the tilt the lowest point of a rim has no direction; below the second, fixed
 * points of the rim support the disc beside its lowest one. */
#define UPRIGHT 1e-7
#define LYING   0.05

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

/* The lowest point of a rim about `center`: its radius e lies against n, and the normal turns by
 * sin(tilt)/R along it.   theory (21.15) */
static void lowest_of_rim(const ground *g, double radius, sp_vec3 axis, sp_vec3 center, int rim)
{
    const sp_vec3 flat = sp_axpy3(g->n, -sp_inner3(g->n, axis), axis);
    const double tilt = sp_length3(flat);
    if (!(tilt > UPRIGHT)) {
        return;
    }
    const sp_vec3 e = sp_scale3(-1.0 / tilt, flat);
    const sp_touch_side side = {
        .kind = SP_SIDE_LINE, .feature = rim, .kappa = tilt / radius, .d = sp_cross3(axis, e)};
    add(g, sp_axpy3(center, radius, e), side);
}

/* Points that stay where they are on a rim, while the disc lies nearly flat. */
static void fixed_on_rim(const ground *g, double r, const sp_pose3 *pose, sp_vec3 center, int rim)
{
    const sp_vec3 way[RIM_POINTS] = {sp_scale3(r, pose->R.x), sp_scale3(r, pose->R.y),
                                     sp_scale3(-r, pose->R.x), sp_scale3(-r, pose->R.y)};
    for (int k = 0; k < RIM_POINTS; k++) {
        const sp_touch_side side = {.kind = SP_SIDE_CORNER, .feature = 2 + RIM_POINTS * rim + k};
        add(g, sp_add3(center, way[k]), side);
    }
}

/* Both rims; the tip of a cone is a corner. */
static void disc_on_plane(const ground *g, const sp_shape3 *disc, const sp_pose3 *pose)
{
    const sp_vec3 axis = pose->R.z;
    const double tilt = sp_length3(sp_cross3(g->n, axis));
    for (int rim = 0; rim < (disc->half > 0.0 ? 2 : 1); rim++) {
        const sp_vec3 center = sp_axpy3(pose->x, rim == 0 ? -disc->half : disc->half, axis);
        const double r = rim == 0 ? disc->radius : disc->radius + disc->taper;
        if (!(r > 0.0)) {
            add(g, center, (sp_touch_side){.kind = SP_SIDE_CORNER, .feature = rim});
            continue;
        }
        lowest_of_rim(g, r, axis, center, rim);
        if (tilt < LYING) {
            fixed_on_rim(g, r, pose, center, rim);
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
