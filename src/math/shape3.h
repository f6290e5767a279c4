/* math/shape3.h - rigid shapes with edges, in a frame of their own. */
#ifndef SP_MATH_SHAPE3_H
#define SP_MATH_SHAPE3_H

#include "math/hull.h"
#include "math/trimesh.h"

typedef enum sp_shape3_kind {
    SP_SHAPE3_BALL,    /* radius, about the origin                                          */
    SP_SHAPE3_CAPSULE, /* radius, from -half to half along z                                */
    SP_SHAPE3_HULL,    /* polytope                                                          */
    SP_SHAPE3_DISC,    /* flat ends at -half and half along z; half = 0: a coin; a frustum  */
    SP_SHAPE3_PLANE,   /* the x-y plane, material below                                     */
    SP_SHAPE3_MESH     /* triangles, material behind them                                   */
} sp_shape3_kind;

typedef struct sp_shape3 {
    sp_shape3_kind kind;
    double radius, half; /* m */
    double taper;        /* DISC: how much larger the radius of its upper end is, m */
    const sp_hull *hull;
    const sp_trimesh *mesh;
} sp_shape3;

/* Features, from 0 on, with which a shape can touch a plane: corners or round ends; of a disc the
 * lowest point of each rim, then four fixed points of each. */
static inline int sp_shape3_on_plane(const sp_shape3 *s)
{
    switch (s->kind) {
    case SP_SHAPE3_BALL:
        return 1;
    case SP_SHAPE3_CAPSULE:
        return s->half > 0.0 ? 2 : 1;
    case SP_SHAPE3_HULL:
        return s->hull->n_vertex;
    case SP_SHAPE3_DISC:
        return s->half > 0.0 ? 10 : 6;
    default:
        return 0;
    }
}

/* Whether two kinds of shapes can touch: 1, -1 if b has to be the first, 0 if not; columns: ball,
 * capsule, hull, disc, plane, mesh. */
static inline int sp_shape3_order(sp_shape3_kind a, sp_shape3_kind b)
{
    static const signed char order[][6] = {
        [SP_SHAPE3_BALL] = {1, 1, 1, 1, 1, 1},      [SP_SHAPE3_CAPSULE] = {-1, 1, 1, 1, 1, 1},
        [SP_SHAPE3_HULL] = {-1, -1, 1, 1, 1, 1},    [SP_SHAPE3_DISC] = {-1, -1, -1, 1, 1, 0},
        [SP_SHAPE3_PLANE] = {-1, -1, -1, -1, 0, 0}, [SP_SHAPE3_MESH] = {-1, -1, -1, 0, 0, 0},
    };
    return order[a][b];
}

#endif
