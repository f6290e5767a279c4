#include "contact/manifold_extruded.h"

#define KINK 1e-7 /* sine between contour and plane from which on a lowest point is a corner */

/* An extruded contour over a plane with normal n: e is the direction in its own plane that goes
 * down, tilt the sine between its axis and n. */
typedef struct over {
    const sp_extruded *a;
    sp_vec3 n, x;
    sp_vec e;
    double tilt;
    sp_touches *list;
} over;

sp_extruded sp_extruded_of(const sp_surface *surface, sp_vec3 x, sp_rot3 R, double *work)
{
    return (sp_extruded){
        surface, {sp_add3(x, sp_rotate3(R, surface->at)), sp_rot3_mul(R, surface->turn)}, work};
}

/* The contour over a plane; where it stands upright, e is any direction. */
static over over_plane(const sp_extruded *a, const sp_pose3 *plane, sp_touches *list)
{
    over o = {.a = a, .n = plane->R.z, .x = plane->x, .e = {1.0, 0.0}, .list = list};
    const sp_vec3 axis = a->pose.R.z, flat = sp_cross3(axis, sp_cross3(o.n, axis));
    o.tilt = sp_length3(flat); /* by products: to the last digit where it is small */
    if (o.tilt > SP_TILT_UPRIGHT) {
        o.e = sp_scale(-1.0 / o.tilt,
                       (sp_vec){sp_inner3(a->pose.R.x, flat), sp_inner3(a->pose.R.y, flat)});
    }
    return o;
}

/* A touch of the place r of the contour on a rim. */
static void add(const over *o, sp_vec r, int rim, sp_touch_side side)
{
    const sp_surface *s = o->a->surface;
    const sp_vec3 x =
        sp_pose3_place(&o->a->pose, (sp_vec3){r.x, r.y, rim == 0 ? s->lo[1] : s->hi[1]});
    const double h = sp_inner3(o->n, sp_sub3(x, o->x));
    const sp_touch_side face = {.kind = SP_SIDE_FACE};
    const sp_cores none = {.a.r = 0.0};
    sp_touches_add(o->list, &none, o->n, x, sp_axpy3(x, -h, o->n), side, face,
                   SP_CARRIED_BY_FEATURES);
}

/* The lowest points of one arc on one rim, or on both.   theory (45.1) */
static void lowest_of_arc(const over *o, int arc, bool lower, bool upper)
{
    const sp_extruded *a = o->a;
    sp_curve_foot foot;
    sp_curve_at at;
    if (!sp_curve_farthest_on(a->surface->curve, &a->surface->arc[arc], o->e, a->work, &foot) ||
        !sp_curve_eval(a->surface->curve, foot.s, a->work, &at)) {
        return;
    }
    const sp_curve_part *part = &a->surface->arc[arc];
    const bool corner = part->lo == part->hi || fabs(sp_inner(o->e, at.t)) > KINK;
    const double bend = -sp_inner(o->e, at.dd) / (at.speed * at.speed);
    sp_touch_side side = {.kind = corner ? SP_SIDE_CORNER : SP_SIDE_LINE,
                          .kappa = corner ? 0.0 : o->tilt * bend};
    side.d = sp_add3(sp_scale3(at.t.x, a->pose.R.x), sp_scale3(at.t.y, a->pose.R.y));
    for (int rim = lower ? 0 : 1; rim < (upper ? 2 : 1); rim++) {
        side.feature = 2 * arc + rim;
        add(o, at.r, rim, side);
    }
}

/* One of the points that stay where they are on a rim. */
static void fixed_on_rim(const over *o, int rim, int point)
{
    const sp_surface *s = o->a->surface;
    const sp_touch_side side = {.kind = SP_SIDE_CORNER,
                                .feature = 2 * s->n_arc + s->n_stand * rim + point};
    add(o, s->stand[point], rim, side);
}

int sp_extruded_find(const sp_extruded *a, const sp_pose3 *plane, double margin, int room,
                     sp_touch *touch)
{
    sp_touches list = {.touch = touch, .room = room, .margin = margin, .least = INFINITY};
    const over o = over_plane(a, plane, &list);
    for (int arc = 0; arc < a->surface->n_arc && o.tilt > SP_TILT_UPRIGHT; arc++) {
        lowest_of_arc(&o, arc, true, true);
    }
    for (int i = 0; i < 2 * a->surface->n_stand && o.tilt < SP_TILT_LYING; i++) {
        fixed_on_rim(&o, i / a->surface->n_stand, i % a->surface->n_stand);
    }
    return list.n;
}

bool sp_extruded_hold(const sp_extruded *a, const sp_pose3 *plane, int feature, sp_touch *touch,
                      double *reach)
{
    sp_touches list = {.touch = touch, .room = 1, .margin = INFINITY, .least = INFINITY};
    const sp_surface *s = a->surface;
    const over o = over_plane(a, plane, &list);
    const int fixed = feature - 2 * s->n_arc;
    const double up = 0.5 * s->curve->size * (o.tilt - SP_TILT_FLAT);
    if (fixed < 0) {
        lowest_of_arc(&o, feature / 2, feature % 2 == 0, feature % 2 == 1);
    } else if (fixed < 2 * s->n_stand) {
        fixed_on_rim(&o, fixed / s->n_stand, fixed % s->n_stand);
    }
    *reach = fixed < 0 ? up : -up;
    return list.n == 1;
}
