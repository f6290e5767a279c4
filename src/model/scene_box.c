#include "model/scene_box.h"

#include <math.h>

/* Can one see a body by such a shape? */
static bool is_outline(sp_shape_kind kind)
{
    return kind != SP_SHAPE_POINT && kind != SP_SHAPE_LINE && kind != SP_SHAPE_PLANE &&
           kind != SP_SHAPE_HOLLOW;
}

/* Widen a box by a ball. */
static void add_ball(sp_scene_box *b, const double at[3], double radius)
{
    for (int x = 0; x < 3; x++) {
        b->low[x] = fmin(b->low[x], at[x] - radius);
        b->high[x] = fmax(b->high[x], at[x] + radius);
    }
}

/* Radius of a ball about its middle that a shape with a frame lies in. */
static double reach_of(const sp_shape *s)
{
    const double half = 0.5 * hypot(hypot(s->size[0], s->size[1]), s->size[2]);
    const double along = s->kind == SP_SHAPE_CONE ? s->length : 0.5 * s->length;
    return half + hypot(s->radius, along);
}

sp_scene_box sp_scene_outline(const sp_scene_body *b)
{
    sp_scene_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < b->n_shape; i++) {
        const sp_shape *s = &b->shape[i];
        for (int p = 0; is_outline(s->kind) && p < s->n_point; p++) {
            add_ball(&box, s->point[p], s->radius);
        }
        if (is_outline(s->kind) && s->n_point == 0) {
            add_ball(&box, s->at, reach_of(s));
        }
    }
    return box;
}

bool sp_scene_box_filled(const sp_scene_box *b)
{
    return b->low[0] <= b->high[0];
}

bool sp_scene_box_holds(const sp_scene_box *b, const double place[3], double slack)
{
    bool inside = true;
    for (int x = 0; x < 3; x++) {
        inside = inside && place[x] >= b->low[x] - slack && place[x] <= b->high[x] + slack;
    }
    return inside;
}
