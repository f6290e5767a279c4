#include "contact/shape.h"

#include <string.h>

/* A core of one corner, or of two and the edge between them. */
static void segment_core(double half, int n_vertex, sp_core_room *room)
{
    memset(room, 0, sizeof *room);
    sp_hull *h = &room->hull;
    h->n_vertex = n_vertex;
    h->n_edge = n_vertex - 1;
    h->radius = half;
    h->vertex = room->vertex;
    h->edge = room->edge;
    h->edge_face = room->edge_face;
    room->vertex[0].z = -half;
    room->vertex[1].z = half;
    room->edge[0][1] = 1;
    room->edge_face[0][0] = room->edge_face[0][1] = -1;
}

bool sp_shape3_core(const sp_shape3 *shape, const sp_pose3 *pose, sp_core_room *room, sp_core *core)
{
    *core = (sp_core){&room->hull, *pose, shape->radius};
    switch (shape->kind) {
    case SP_SHAPE3_BALL:
        segment_core(0.0, 1, room);
        return true;
    case SP_SHAPE3_CAPSULE:
        segment_core(shape->half, shape->half > 0.0 ? 2 : 1, room);
        return true;
    case SP_SHAPE3_HULL:
        *core = (sp_core){shape->hull, *pose, 0.0};
        return true;
    default:
        return false;
    }
}

void sp_core_triangle(const sp_vec3 x[3], const sp_pose3 *pose, sp_core_room *room, sp_core *core)
{
    memset(room, 0, sizeof *room);
    sp_hull *h = &room->hull;
    h->n_vertex = h->n_edge = 3;
    h->n_face = 1;
    h->vertex = room->vertex;
    h->normal = room->normal;
    h->offset = room->offset;
    h->face = room->face;
    h->corner = room->corner;
    h->corner_edge = room->corner_edge;
    h->edge = room->edge;
    h->edge_face = room->edge_face;
    const sp_vec3 area = sp_cross3(sp_sub3(x[1], x[0]), sp_sub3(x[2], x[0]));
    room->normal[0] = sp_scale3(1.0 / sp_length3(area), area);
    room->offset[0] = sp_inner3(room->normal[0], x[0]);
    room->face[1] = 3;
    h->center = sp_scale3(1.0 / 3.0, sp_add3(sp_add3(x[0], x[1]), x[2]));
    for (int k = 0; k < 3; k++) {
        room->vertex[k] = x[k];
        room->corner[k] = room->corner_edge[k] = k;
        room->edge[k][0] = k; /* from corner k to the next, as the face goes */
        room->edge[k][1] = (k + 1) % 3;
        room->edge_face[k][1] = -1;
        h->radius = fmax(h->radius, sp_length3(sp_sub3(x[k], h->center)));
    }
    *core = (sp_core){h, *pose, 0.0};
}

sp_touch_side sp_core_corner_side(const sp_core *c, int i)
{
    return (sp_touch_side){.kind = SP_SIDE_CORNER, .feature = i, .r = c->r};
}

sp_touch_side sp_core_line_side(const sp_core *c, int e)
{
    const sp_vec3 d = sp_core_edge(c, e);
    return (sp_touch_side){.kind = SP_SIDE_LINE,
                           .feature = sp_core_edge_feature(c, e),
                           .r = c->r,
                           .d = sp_scale3(1.0 / sp_length3(d), d)};
}

sp_touch_side sp_core_face_side(const sp_core *c, int f)
{
    return (sp_touch_side){.kind = SP_SIDE_FACE, .feature = sp_core_face_feature(c, f)};
}

/* ---- boxes --------------------------------------------------------------------------------- */

static sp_box3 box_about(sp_vec3 x, sp_vec3 half)
{
    return (sp_box3){sp_sub3(x, half), sp_add3(x, half)};
}

/* Of points in a pose. */
static sp_box3 box_of_points(int n, const sp_vec3 *v, const sp_pose3 *pose)
{
    sp_box3 b = sp_box3_none();
    for (int i = 0; i < n; i++) {
        b = sp_box3_with(b, sp_pose3_place(pose, v[i]));
    }
    return b;
}

/* A circle about the unit vector z reaches r sqrt(1 - z_k^2) along axis k. */
static sp_box3 box_of_circle(sp_vec3 center, sp_vec3 z, double r)
{
    const sp_vec3 reach = {r * hypot(z.y, z.z), r * hypot(z.x, z.z), r * hypot(z.x, z.y)};
    return box_about(center, reach);
}

/* The box around two. */
static sp_box3 box_of_both(sp_box3 a, sp_box3 b)
{
    return sp_box3_with(sp_box3_with(a, b.lo), b.hi);
}

sp_box3 sp_shape3_box(const sp_shape3 *s, const sp_pose3 *pose)
{
    const sp_vec3 z = pose->R.z;
    const double r = s->radius, h = s->half;
    switch (s->kind) {
    case SP_SHAPE3_BALL:
        return box_about(pose->x, (sp_vec3){r, r, r});
    case SP_SHAPE3_CAPSULE:
        return box_about(pose->x,
                         (sp_vec3){r + h * fabs(z.x), r + h * fabs(z.y), r + h * fabs(z.z)});
    case SP_SHAPE3_DISC:
        return box_of_both(box_of_circle(sp_axpy3(pose->x, -h, z), z, r),
                           box_of_circle(sp_axpy3(pose->x, h, z), z, r + s->taper));
    case SP_SHAPE3_HULL:
        return box_of_points(s->hull->n_vertex, s->hull->vertex, pose);
    case SP_SHAPE3_MESH:
        return box_of_points(s->mesh->n_vertex, s->mesh->vertex, pose);
    case SP_SHAPE3_PLANE:
        break;
    }
    return (sp_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}
