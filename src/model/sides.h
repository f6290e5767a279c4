/* model/sides.h - which contours in space can touch, and which of the two is side a. */
#ifndef SP_MODEL_SIDES_H
#define SP_MODEL_SIDES_H

#include "model/model.h"

/* A groove, or a rocker in one. */
static inline bool sp_sides_is_wedge(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_GROOVE || kind == SP_CONTOUR_ROCKER;
}

/* Whether a contour is in space only. */
static inline bool sp_sides_in_space(sp_contour_kind kind)
{
    const unsigned plane =
        1u << SP_CONTOUR_POINT | 1u << SP_CONTOUR_LINE | 1u << SP_CONTOUR_SEGMENT |
        1u << SP_CONTOUR_CIRCLE | 1u << SP_CONTOUR_HOLLOW | 1u << SP_CONTOUR_POLYGON |
        1u << SP_CONTOUR_CURVE | 1u << SP_CONTOUR_GROOVE | 1u << SP_CONTOUR_ROCKER;
    return !(1u << kind & plane);
}

/* Whether it is in the plane and in space. */
static inline bool sp_sides_in_both(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_POINT || sp_sides_is_wedge(kind);
}

static inline bool sp_sides_is_surface(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_SURFACE || kind == SP_CONTOUR_RULED ||
           kind == SP_CONTOUR_RULED_HOLLOW || kind == SP_CONTOUR_EXTRUDED ||
           kind == SP_CONTOUR_FACE;
}

/* Whether two contours are an extruded surface and a plane: it touches with its rims, in several
 * points that come and go, as shapes with edges do.   theory section 45 */
static inline bool sp_sides_is_extruded_on_plane(sp_contour_kind first, sp_contour_kind second)
{
    return (first == SP_CONTOUR_EXTRUDED && second == SP_CONTOUR_PLANE) ||
           (first == SP_CONTOUR_PLANE && second == SP_CONTOUR_EXTRUDED);
}

static inline bool sp_sides_is_ruled(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_RULED || kind == SP_CONTOUR_RULED_HOLLOW;
}

/* Whether two contours are a round peg and a round bore, cylinders or cones with a length: each of
 * their four rims has a slot of its own against the other's side.   theory (116.1) */
static inline bool sp_sides_is_peg(sp_contour_kind first, sp_contour_kind second)
{
    return (first == SP_CONTOUR_RULED && second == SP_CONTOUR_RULED_HOLLOW) ||
           (first == SP_CONTOUR_RULED_HOLLOW && second == SP_CONTOUR_RULED);
}

/* Two contours, at least one of them a surface: the surface is side a unless the other is a point
 * or a ball; faces that deform are touched by points and balls alone. */
static inline int sp_sides_of_surface(sp_contour_kind first, sp_contour_kind second)
{
    const bool swap = !sp_sides_is_surface(first);
    const sp_contour_kind surface = swap ? second : first, other = swap ? first : second;
    if (other == SP_CONTOUR_POINT || other == SP_CONTOUR_SPHERE) {
        return swap ? 1 : -1;
    }
    if (surface == SP_CONTOUR_FACE || other == SP_CONTOUR_FACE) {
        return 0;
    }
    const bool hollows = first == SP_CONTOUR_RULED_HOLLOW && second == SP_CONTOUR_RULED_HOLLOW;
    const bool flat = (other == SP_CONTOUR_PLANE && sp_sides_is_ruled(surface)) || hollows;
    const bool known = sp_sides_is_surface(other) || other == SP_CONTOUR_HOLLOW_SPHERE ||
                       other == SP_CONTOUR_PLANE;
    return !known || flat ? 0 : swap ? -1 : 1;
}

/* Bits of the features of sides a and b of shapes in the keys of slots (contact/pool3.h). */
enum { SP_SHAPE_A_BITS = 12, SP_SHAPE_B_BITS = 18 };

static inline bool sp_sides_is_shape(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_CAPSULE || kind == SP_CONTOUR_HULL || kind == SP_CONTOUR_DISC ||
           kind == SP_CONTOUR_MESH;
}

/* Two contours, at least one of them a shape with edges: points, balls and planes are shapes
 * too. */
static inline int sp_sides_of_shape(sp_contour_kind first, sp_contour_kind second)
{
    static const signed char as[] = {
        [SP_CONTOUR_POINT] = SP_SHAPE3_BALL + 1,  [SP_CONTOUR_SPHERE] = SP_SHAPE3_BALL + 1,
        [SP_CONTOUR_PLANE] = SP_SHAPE3_PLANE + 1, [SP_CONTOUR_CAPSULE] = SP_SHAPE3_CAPSULE + 1,
        [SP_CONTOUR_HULL] = SP_SHAPE3_HULL + 1,   [SP_CONTOUR_DISC] = SP_SHAPE3_DISC + 1,
        [SP_CONTOUR_MESH] = SP_SHAPE3_MESH + 1,
    };
    const int a = as[first], b = as[second];
    return a == 0 || b == 0 ? 0 : sp_shape3_order((sp_shape3_kind)(a - 1), (sp_shape3_kind)(b - 1));
}

/* Planes and everything round in space: what a point or a ball can touch. */
static inline bool sp_sides_is_smooth(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_PLANE || kind == SP_CONTOUR_SPHERE ||
           kind == SP_CONTOUR_HOLLOW_SPHERE || kind == SP_CONTOUR_CYLINDER ||
           kind == SP_CONTOUR_BORE;
}

/* 1: the first contour is side a (a point, a ball or a surface), -1: the second is; 0: they cannot
 * touch. */
static inline int sp_sides_of(sp_contour_kind first, sp_contour_kind second)
{
    if (sp_sides_is_shape(first) || sp_sides_is_shape(second)) {
        return sp_sides_of_shape(first, second);
    }
    if (sp_sides_is_surface(first) || sp_sides_is_surface(second)) {
        return sp_sides_of_surface(first, second);
    }
    const bool round[2] = {first == SP_CONTOUR_POINT || first == SP_CONTOUR_SPHERE,
                           second == SP_CONTOUR_POINT || second == SP_CONTOUR_SPHERE};
    const bool smooth[2] = {sp_sides_is_smooth(first), sp_sides_is_smooth(second)};
    return round[0] && smooth[1] ? 1 : round[1] && smooth[0] ? -1 : 0;
}

/* The points of contact of all pairs of shapes are followed through a step, except those of meshes
 * and of discs with edges; the sentence says what is known instead, NULL: they are followed. */
static inline const char *sp_sides_not_followed(sp_contour_kind a, sp_contour_kind b)
{
    const bool disc = a == SP_CONTOUR_DISC || b == SP_CONTOUR_DISC;
    const bool mesh = a == SP_CONTOUR_MESH || b == SP_CONTOUR_MESH;
    return disc && sp_sides_is_shape(a) && sp_sides_is_shape(b)
               ? "discs against planes, balls and points only"
           : mesh ? "no meshes"
                  : NULL;
}

#endif
