/* kinematics/algebra_real.h - numbers, vectors and rotations of space under the short names that
 * texts for several scalar types are written in (flex.inc, signal.inc, dynamics/forces.inc).
 * dynamics/algebra_dual.h has the same names in dual numbers; a type that records its operations
 * would be a third file. */
#ifndef SP_KINEMATICS_ALGEBRA_REAL_H
#define SP_KINEMATICS_ALGEBRA_REAL_H

#include "kinematics/signal.h"
#include "kinematics/spot.h"

typedef double real;
typedef sp_vec3 vec;
typedef sp_rot3 rot;
typedef sp_spot spot;
typedef sp_signal_source source;

#define r_of(number)  (number) /* a constant       */
#define r_value(a)    (a)      /* what is compared */
#define r_add(a, b)   ((a) + (b))
#define r_sub(a, b)   ((a) - (b))
#define r_mul(a, b)   ((a) * (b))
#define r_over(a, b)  ((a) / (b))
#define r_scale(k, a) ((k) * (a)) /* k: a constant */
#define r_is_zero(a)  ((a) == 0.0)
#define square(a)     ((a) * (a))

#define v_of(vector)    (vector)
#define add             sp_add3
#define sub             sp_sub3
#define scale           sp_scale3 /* by a constant */
#define times           sp_scale3
#define axpy            sp_axpy3
#define inner           sp_inner3
#define cross           sp_cross3
#define length(a)       sp_length3(a)
#define no_vec          ((vec){0.0, 0.0, 0.0})
#define vec_of(x, y, z) ((vec){x, y, z})
#define rotate          sp_rotate3
#define rotate_back     sp_rotate_back3
#define log_rate        sp_log_rate

/* Spots of a source of signals. */
#define spot_of(from, mark)           sp_spot_of((from)->kin, mark)
#define spot_velocity(from, s)        sp_spot_velocity((from)->kin, s)
#define spot_spin(from, s)            sp_spot_spin((from)->kin, s)
#define spot_axes(from, s)            sp_spot_axes((from)->kin, s)
#define spot_mark_axes(from, s, mark) sp_spot_mark_axes((from)->kin, s, mark)
#define spot_arm(from, s, x)          sp_spot_arm((from)->kin, s, x)
#define angle_of(from, body)          sp_spot_angle((from)->kin, body)

static inline real part(vec a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* One of the axes that a rotation brings. */
static inline vec axis_along(rot R, int k)
{
    return k == 0 ? R.x : k == 1 ? R.y : R.z;
}

#endif
