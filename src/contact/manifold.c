#include "contact/manifold.h"

#include "contact/manifold_parts.h"

/* Places that differ by less than this part of the smaller size are the same. */
#define SAME 1e-8

void sp_touches_add(sp_touches *list, const sp_cores *c, sp_vec3 n, sp_vec3 x, sp_vec3 y,
                    sp_touch_side side_a, sp_touch_side side_b, sp_touch_carrier carrier)
{
    const double g_N = sp_inner3(n, sp_sub3(x, y)) - c->a.r - c->b.r;
    if (!(g_N <= list->margin)) {
        return;
    }
    if (list->n < list->room) {
        sp_touch *t = &list->touch[list->n];
        *t = (sp_touch){.g_N = g_N, .n = n, .side = {side_a, side_b}, .carrier = carrier};
        t->point[0] = sp_axpy3(x, -c->a.r, n);
        t->point[1] = sp_axpy3(t->point[0], -g_N, n);
    }
    list->n++;
    list->least = g_N < list->least ? g_N : list->least;
}

/* Cores that overlap, or nearly do: the touches of the best axis. */
static void touches_of_axis(const sp_cores *c, const sp_axis *axis, sp_touches *list)
{
    if (axis->kind == SP_AXIS_EDGES) {
        sp_touches_of_edges(c, axis, list);
    } else {
        sp_touches_on_face(c, axis->kind == SP_AXIS_FACE_B, axis->i, list);
    }
}

/* Whether touches on a face stand for a distance along n: the face lies nearly across n, and they
 * come as near. */
static bool stands_for(const sp_cores *c, const sp_axis *face, double least, double distance,
                       sp_vec3 n)
{
    return face->kind != SP_AXIS_NONE && sp_inner3(face->n, n) >= SP_LIES_ON &&
           least + c->a.r + c->b.r <= distance + SP_NEARLY * fabs(distance) + c->tol;
}

/* Whether the two cores may lie in one plane, in which they can be apart although no axis of (21.6)
 * says so: lines and points. */
static bool are_flat(const sp_cores *c)
{
    return c->a.h->n_face == 0 && c->b.h->n_face == 0;
}

void sp_touches_of_cores(const sp_cores *c, sp_touches *list)
{
    sp_axis face, best;
    const double enough = list->margin + c->a.r + c->b.r;
    const int n = list->n;
    const double before = list->least;
    const double hidden = sp_axis_find(c, enough, &face, &best);
    if (best.s > enough || (hidden > c->tol && best.s <= c->tol)) {
        return; /* too far, or behind a triangle */
    }
    if (face.kind != SP_AXIS_NONE) {
        list->least = INFINITY;
        touches_of_axis(c, &face, list);
        if (stands_for(c, &face, list->least, best.s, best.n)) {
            list->least = fmin(before, list->least);
            return;
        }
    }
    const double on_face = list->least;
    const int n_face = list->n;
    sp_vec3 dir = best.n;
    const bool apart = best.s > c->tol || best.kind == SP_AXIS_NONE;
    sp_touches probe = {.margin = list->margin, .least = INFINITY};
    const double distance = apart || are_flat(c) ? sp_touches_nearest(c, &probe, &dir) : 0.0;
    if (apart || distance > c->tol) { /* find the nearest points */
        if (face.kind != SP_AXIS_NONE && n_face > n &&
            stands_for(c, &face, on_face, distance, dir)) {
            list->least = fmin(before, on_face);
            return;
        }
        list->n = n;
        list->least = before;
        (void)sp_touches_nearest(c, list, &dir);
        return;
    }
    list->n = n;
    list->least = before;
    touches_of_axis(c, &best, list);
}

/* ---- shapes -------------------------------------------------------------------------------- */

/* Size of a core, 0 of a point. */
static double size_of(const sp_core *c)
{
    return c->h->radius > 0.0 ? c->h->radius : c->r;
}

double sp_cores_tolerance(const sp_core *a, const sp_core *b)
{
    const double size_a = size_of(a), size_b = size_of(b);
    return SAME * (size_a > 0.0 && size_b > 0.0 ? fmin(size_a, size_b) : fmax(size_a, size_b));
}

/* Rooms of two cores. */
typedef struct rooms {
    sp_core_room a, b;
} rooms;

/* Two cores, counted from b's origin; false of other shapes. */
static bool cores_of(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                     const sp_pose3 *pose_b, rooms *room, sp_cores *c)
{
    if (!sp_shape3_core(a, pose_a, &room->a, &c->a) ||
        !sp_shape3_core(b, pose_b, &room->b, &c->b)) {
        return false;
    }
    c->a.pose.x = sp_sub3(pose_a->x, pose_b->x);
    c->b.pose.x = (sp_vec3){0.0, 0.0, 0.0};
    c->tol = sp_cores_tolerance(&c->a, &c->b);
    return true;
}

/* Places of a ball or a point on a disc that differ by less are the same. */
static double disc_tolerance(const sp_core *a, const sp_shape3 *disc)
{
    const double R = fmax(disc->radius, disc->radius + disc->taper);
    return SAME * (a->r > 0.0 ? fmin(a->r, R) : R);
}

/* Whether a shape is more than a ball against a disc. */
static bool is_round_pair(const sp_shape3 *a, const sp_shape3 *b)
{
    return b->kind == SP_SHAPE3_DISC && a->kind != SP_SHAPE3_BALL;
}

/* The core of a shape against a disc, counted from the disc's origin, NULL of a disc; and places
 * that differ by less than tol are the same. */
static const sp_core *core_beside(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                                  const sp_pose3 *pose_b, sp_core_room *room, sp_core *core,
                                  double *tol)
{
    const double R = fmax(b->radius, b->radius + b->taper);
    if (!sp_shape3_core(a, pose_a, room, core)) {
        *tol = SAME * fmin(R, fmax(a->radius, a->radius + a->taper));
        return NULL;
    }
    core->pose.x = sp_sub3(pose_a->x, pose_b->x);
    *tol = SAME * fmin(size_of(core), R);
    return core;
}

/* A touch so counted, in the world; and back. */
static void move_touch(sp_touch *t, double sign, sp_vec3 origin)
{
    t->point[0] = sp_axpy3(t->point[0], sign, origin);
    t->point[1] = sp_axpy3(t->point[1], sign, origin);
}

/* All touches so counted, in the world. */
static void move_touches(sp_touches *list, sp_vec3 origin)
{
    for (int k = 0; k < list->n && k < list->room; k++) {
        move_touch(&list->touch[k], 1.0, origin);
    }
}

bool sp_manifold_hold(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                      const sp_pose3 *pose_b, int feature_a, int feature_b, sp_touch *touch)
{
    rooms room;
    sp_cores c;
    if (b->kind == SP_SHAPE3_PLANE) {
        return sp_touch_hold_on_plane(a, pose_a, pose_b, feature_a, touch);
    }
    if (is_round_pair(a, b)) {
        double tol, reach;
        const int feature[2] = {feature_a, feature_b};
        const sp_core *core = core_beside(a, pose_a, b, pose_b, &room.a, &c.a, &tol);
        const bool found = sp_touch_hold_round(core, a, pose_a, b, pose_b, feature, touch, &reach);
        move_touch(touch, found ? 1.0 : 0.0, pose_b->x);
        return found;
    }
    if (b->kind == SP_SHAPE3_DISC) {
        return sp_shape3_core(a, pose_a, &room.a, &c.a) &&
               sp_touch_hold_on_disc(&c.a, b, pose_b, feature_b, touch);
    }
    if (!cores_of(a, pose_a, b, pose_b, &room, &c) ||
        !sp_touch_hold_of_cores(&c, feature_a, feature_b, touch)) {
        return false;
    }
    move_touch(touch, 1.0, pose_b->x);
    return true;
}

double sp_manifold_reach(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                         const sp_pose3 *pose_b, const sp_touch *touch, double *tol)
{
    rooms room;
    sp_cores c;
    *tol = 0.0;
    if (b->kind == SP_SHAPE3_PLANE) {
        return sp_touch_reach_on_plane(a, pose_a, pose_b, touch->side[0].feature);
    }
    if (is_round_pair(a, b)) {
        sp_touch held;
        double reach;
        const int feature[2] = {touch->side[0].feature, touch->side[1].feature};
        const sp_core *core = core_beside(a, pose_a, b, pose_b, &room.a, &c.a, tol);
        return sp_touch_hold_round(core, a, pose_a, b, pose_b, feature, &held, &reach) ? reach
                                                                                       : -INFINITY;
    }
    if (b->kind == SP_SHAPE3_DISC && sp_shape3_core(a, pose_a, &room.a, &c.a)) {
        *tol = disc_tolerance(&c.a, b);
        return sp_touch_reach_on_disc(&c.a, b, pose_b, touch->side[1].feature);
    }
    if (!cores_of(a, pose_a, b, pose_b, &room, &c)) {
        return INFINITY;
    }
    sp_touch t = *touch;
    move_touch(&t, -1.0, pose_b->x);
    *tol = c.tol;
    return sp_touch_reach_of_cores(&c, &t);
}

int sp_manifold_find(const sp_shape3 *a, const sp_pose3 *pose_a, const sp_shape3 *b,
                     const sp_pose3 *pose_b, double margin, int room, sp_touch *touch)
{
    sp_touches list = {.touch = touch, .room = room, .margin = margin, .least = INFINITY};
    if (b->kind == SP_SHAPE3_PLANE) {
        sp_touches_on_plane(a, pose_a, pose_b, &list);
    } else if (b->kind == SP_SHAPE3_MESH) {
        sp_touches_on_mesh(a, pose_a, b, pose_b, &list);
    } else {
        rooms room_of;
        sp_cores c;
        if (is_round_pair(a, b)) {
            double tol;
            const sp_core *core = core_beside(a, pose_a, b, pose_b, &room_of.a, &c.a, &tol);
            sp_touches_round(core, a, pose_a, b, pose_b, tol, &list);
            move_touches(&list, pose_b->x);
        } else if (cores_of(a, pose_a, b, pose_b, &room_of, &c)) {
            sp_touches_of_cores(&c, &list);
            move_touches(&list, pose_b->x);
        } else if (b->kind == SP_SHAPE3_DISC) {
            (void)sp_shape3_core(a, pose_a, &room_of.a, &c.a);
            sp_touches_on_disc(&c.a, b, pose_b, &list);
        }
    }
    return list.n;
}
