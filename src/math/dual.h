/* math/dual.h - numbers and vectors with their derivative along one direction.
 *
 *     x = v + e d,  e^2 = 0:    (v + e d)(w + e f) = v w + e (v f + d w)
 *
 * A formula written in them gives its derivative exact to round-off, without a difference of two
 * large numbers. */
#ifndef SP_MATH_DUAL_H
#define SP_MATH_DUAL_H

#include "math/space.h"

typedef struct sp_dual {
    double v, d; /* value, derivative */
} sp_dual;

typedef struct sp_dual3 {
    sp_vec3 v, d;
} sp_dual3;

/* Axes of a body in the world, and the rotation vector (world axes) by which they turn. */
typedef struct sp_dual_rot {
    sp_rot3 R;
    sp_vec3 theta;
} sp_dual_rot;

/* ---- numbers --------------------------------------------------------------------------------- */

static inline sp_dual sp_dual_of(double v)
{
    return (sp_dual){v, 0.0};
}

static inline sp_dual sp_dual_add(sp_dual a, sp_dual b)
{
    return (sp_dual){a.v + b.v, a.d + b.d};
}

static inline sp_dual sp_dual_sub(sp_dual a, sp_dual b)
{
    return (sp_dual){a.v - b.v, a.d - b.d};
}

static inline sp_dual sp_dual_scale(double k, sp_dual a)
{
    return (sp_dual){k * a.v, k * a.d};
}

static inline sp_dual sp_dual_mul(sp_dual a, sp_dual b)
{
    return (sp_dual){a.v * b.v, a.v * b.d + a.d * b.v};
}

static inline sp_dual sp_dual_over(sp_dual a, sp_dual b)
{
    const double v = a.v / b.v;
    return (sp_dual){v, (a.d - v * b.d) / b.v};
}

/* ---- vectors --------------------------------------------------------------------------------- */

static inline sp_dual3 sp_dual3_of(sp_vec3 v)
{
    return (sp_dual3){v, {0.0, 0.0, 0.0}};
}

static inline sp_dual3 sp_dual3_add(sp_dual3 a, sp_dual3 b)
{
    return (sp_dual3){sp_add3(a.v, b.v), sp_add3(a.d, b.d)};
}

static inline sp_dual3 sp_dual3_sub(sp_dual3 a, sp_dual3 b)
{
    return (sp_dual3){sp_sub3(a.v, b.v), sp_sub3(a.d, b.d)};
}

static inline sp_dual3 sp_dual3_scale(double k, sp_dual3 a)
{
    return (sp_dual3){sp_scale3(k, a.v), sp_scale3(k, a.d)};
}

/* k a */
static inline sp_dual3 sp_dual3_times(sp_dual k, sp_dual3 a)
{
    return (sp_dual3){sp_scale3(k.v, a.v), sp_axpy3(sp_scale3(k.v, a.d), k.d, a.v)};
}

/* a + k b */
static inline sp_dual3 sp_dual3_axpy(sp_dual3 a, sp_dual k, sp_dual3 b)
{
    return sp_dual3_add(a, sp_dual3_times(k, b));
}

static inline sp_dual sp_dual3_inner(sp_dual3 a, sp_dual3 b)
{
    return (sp_dual){sp_inner3(a.v, b.v), sp_inner3(a.v, b.d) + sp_inner3(a.d, b.v)};
}

static inline sp_dual3 sp_dual3_cross(sp_dual3 a, sp_dual3 b)
{
    return (sp_dual3){sp_cross3(a.v, b.v), sp_add3(sp_cross3(a.v, b.d), sp_cross3(a.d, b.v))};
}

/* Length of a vector that is not zero; of the zero vector the derivative is taken as zero. */
static inline sp_dual sp_dual3_length(sp_dual3 a)
{
    const double length = sp_length3(a.v);
    return (sp_dual){length, length > 0.0 ? sp_inner3(a.v, a.d) / length : 0.0};
}

/* One component. */
static inline sp_dual sp_dual3_part(sp_dual3 a, int k)
{
    return k == 0   ? (sp_dual){a.v.x, a.d.x}
           : k == 1 ? (sp_dual){a.v.y, a.d.y}
                    : (sp_dual){a.v.z, a.d.z};
}

/* ---- rotations ------------------------------------------------------------------------------- */

/* R a, from the body's axes to the world's. */
static inline sp_dual3 sp_dual_rotate(sp_dual_rot R, sp_dual3 a)
{
    const sp_vec3 v = sp_rotate3(R.R, a.v);
    return (sp_dual3){v, sp_add3(sp_cross3(R.theta, v), sp_rotate3(R.R, a.d))};
}

/* R^T a */
static inline sp_dual3 sp_dual_rotate_back(sp_dual_rot R, sp_dual3 a)
{
    return (sp_dual3){sp_rotate_back3(R.R, a.v),
                      sp_rotate_back3(R.R, sp_sub3(a.d, sp_cross3(R.theta, a.v)))};
}

/* R S R^T a */
static inline sp_dual3 sp_dual_turned_mul(sp_dual_rot R, sp_sym3 S, sp_dual3 a)
{
    const sp_dual3 own = sp_dual_rotate_back(R, a);
    return sp_dual_rotate(R, (sp_dual3){sp_sym3_mul(S, own.v), sp_sym3_mul(S, own.d)});
}

/* sp_log_rate of a rotation vector that varies:  u + sign/2 a x u + k a x (a x u), k(|a|^2). */
static inline sp_dual3 sp_dual_log_rate(sp_dual3 a, sp_dual3 u, double sign)
{
    const sp_dual b2 = sp_dual3_inner(a, a);
    const double half = 0.5 * sqrt(b2.v);
    sp_dual k;
    if (b2.v < 1e-3) {
        k.v = (1.0 + b2.v * (1.0 / 60.0 + b2.v * (1.0 / 2520.0))) / 12.0;
        k.d = b2.d * (1.0 / 60.0 + b2.v * (1.0 / 1260.0)) / 12.0;
    } else {
        const double s = sin(half), cot = cos(half) / s;
        k.v = (1.0 - half * cot) / b2.v;
        k.d = b2.d * (-(cot - half / (s * s)) / (8.0 * half) - k.v) / b2.v;
    }
    const sp_dual3 au = sp_dual3_cross(a, u);
    const sp_dual3 first = sp_dual3_add(u, sp_dual3_scale(0.5 * sign, au));
    return sp_dual3_axpy(first, k, sp_dual3_cross(a, au));
}

#endif
