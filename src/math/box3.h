/* math/box3.h - boxes along the world's axes. */
#ifndef SP_MATH_BOX3_H
#define SP_MATH_BOX3_H

#include "math/space.h"

#include <stdbool.h>

/* A closed box, lo <= hi; infinite where it has no end. */
typedef struct sp_box3 {
    sp_vec3 lo, hi;
} sp_box3;

static inline bool sp_box3_meets(const sp_box3 *a, const sp_box3 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

/* The empty box, and the smallest one with a further point in it. */
static inline sp_box3 sp_box3_none(void)
{
    return (sp_box3){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline sp_box3 sp_box3_with(sp_box3 b, sp_vec3 x)
{
    b.lo = (sp_vec3){fmin(b.lo.x, x.x), fmin(b.lo.y, x.y), fmin(b.lo.z, x.z)};
    b.hi = (sp_vec3){fmax(b.hi.x, x.x), fmax(b.hi.y, x.y), fmax(b.hi.z, x.z)};
    return b;
}

#endif
