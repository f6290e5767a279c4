/* math/space.h - vectors, rotations, quaternions and symmetric matrices of space.
 *
 * Names are those of math/plane.h with a 3 behind them.  A rotation turns components in a body's
 * axes into those in the world's; its columns are the body's axes. */
#ifndef SP_MATH_SPACE_H
#define SP_MATH_SPACE_H

#include <math.h>

typedef struct sp_vec3 {
    double x, y, z;
} sp_vec3;

typedef struct sp_rot3 {
    sp_vec3 x, y, z; /* columns */
} sp_rot3;

typedef struct sp_quat {
    double w, x, y, z; /* cosine of half the angle; sine of it times the axis */
} sp_quat;

typedef struct sp_sym3 {
    double xx, yy, zz, xy, xz, yz;
} sp_sym3;

/* ---- vectors --------------------------------------------------------------------------------- */

static inline sp_vec3 sp_vec3_of(const double *a)
{
    return (sp_vec3){a[0], a[1], a[2]};
}

static inline sp_vec3 sp_add3(sp_vec3 a, sp_vec3 b)
{
    return (sp_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sp_vec3 sp_sub3(sp_vec3 a, sp_vec3 b)
{
    return (sp_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sp_vec3 sp_scale3(double k, sp_vec3 a)
{
    return (sp_vec3){k * a.x, k * a.y, k * a.z};
}

/* a + k b */
static inline sp_vec3 sp_axpy3(sp_vec3 a, double k, sp_vec3 b)
{
    return (sp_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static inline double sp_inner3(sp_vec3 a, sp_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double sp_length3(sp_vec3 a)
{
    return sqrt(sp_inner3(a, a));
}

static inline sp_vec3 sp_cross3(sp_vec3 a, sp_vec3 b)
{
    return (sp_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a x (b x c) with b = a: acceleration towards the axis of a spin a. */
static inline sp_vec3 sp_spin_twice3(sp_vec3 a, sp_vec3 c)
{
    return sp_cross3(a, sp_cross3(a, c));
}

/* ---- rotations ------------------------------------------------------------------------------- */

static inline sp_rot3 sp_rot3_one(void)
{
    return (sp_rot3){{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
}

/* From a matrix by rows. */
static inline sp_rot3 sp_rot3_of(const double *m)
{
    return (sp_rot3){{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}};
}

static inline sp_vec3 sp_rotate3(sp_rot3 R, sp_vec3 a)
{
    return (sp_vec3){R.x.x * a.x + R.y.x * a.y + R.z.x * a.z,
                     R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
                     R.x.z * a.x + R.y.z * a.y + R.z.z * a.z};
}

/* R^T a: world to body */
static inline sp_vec3 sp_rotate_back3(sp_rot3 R, sp_vec3 a)
{
    return (sp_vec3){sp_inner3(R.x, a), sp_inner3(R.y, a), sp_inner3(R.z, a)};
}

/* A B */
static inline sp_rot3 sp_rot3_mul(sp_rot3 A, sp_rot3 B)
{
    return (sp_rot3){sp_rotate3(A, B.x), sp_rotate3(A, B.y), sp_rotate3(A, B.z)};
}

/* A^T B */
static inline sp_rot3 sp_rot3_mul_back(sp_rot3 A, sp_rot3 B)
{
    return (sp_rot3){sp_rotate_back3(A, B.x), sp_rotate_back3(A, B.y), sp_rotate_back3(A, B.z)};
}

/* About the unit vector e by the angle of cosine c and sine s:  c + s e x + (1 - c) e e^T. */
static inline sp_rot3 sp_rot3_about(sp_vec3 e, double c, double s)
{
    const sp_vec3 v = sp_scale3(1.0 - c, e), w = sp_scale3(s, e);
    const double xy = v.x * e.y, xz = v.x * e.z, yz = v.y * e.z;
    return (sp_rot3){{c + v.x * e.x, xy + w.z, xz - w.y},
                     {xy - w.z, c + v.y * e.y, yz + w.x},
                     {xz + w.y, yz - w.x, c + v.z * e.z}};
}

/* ---- quaternions ----------------------------------------------------------------------------- */

static inline sp_quat sp_quat_of(const double *q)
{
    return (sp_quat){q[0], q[1], q[2], q[3]};
}

static inline void sp_quat_store(sp_quat a, double *q)
{
    q[0] = a.w;
    q[1] = a.x;
    q[2] = a.y;
    q[3] = a.z;
}

static inline sp_quat sp_quat_mul(sp_quat a, sp_quat b)
{
    return (sp_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline double sp_quat_norm2(sp_quat a)
{
    return a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
}

static inline sp_quat sp_quat_unit(sp_quat a)
{
    const double k = 1.0 / sqrt(sp_quat_norm2(a));
    return (sp_quat){k * a.w, k * a.x, k * a.y, k * a.z};
}

/* Rate of the quaternion of a body with angular velocity u in its own axes: q' = 1/2 q (0, u). */
static inline sp_quat sp_quat_rate(sp_quat q, sp_vec3 u)
{
    return sp_quat_mul(q, (sp_quat){0.0, 0.5 * u.x, 0.5 * u.y, 0.5 * u.z});
}

/* Rotation of a quaternion of any length but 0: an orthogonal matrix also where round-off or a
 * stage of an integrator has left the unit sphere. */
static inline sp_rot3 sp_rot3_of_quat(sp_quat q)
{
    const double k = 2.0 / sp_quat_norm2(q);
    const double x = k * q.x, y = k * q.y, z = k * q.z;
    const double wx = q.w * x, wy = q.w * y, wz = q.w * z;
    const double xx = q.x * x, xy = q.x * y, xz = q.x * z;
    const double yy = q.y * y, yz = q.y * z, zz = q.z * z;
    return (sp_rot3){{1.0 - (yy + zz), xy + wz, xz - wy},
                     {xy - wz, 1.0 - (xx + zz), yz + wx},
                     {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

/* The unit quaternion of a rotation with w >= 0, from the largest of its four squares. */
static inline sp_quat sp_quat_of_rot3(sp_rot3 R)
{
    const double t = R.x.x + R.y.y + R.z.z;
    sp_quat q;
    if (t >= R.x.x && t >= R.y.y && t >= R.z.z) {
        q = (sp_quat){1.0 + t, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
    } else if (R.x.x >= R.y.y && R.x.x >= R.z.z) {
        q = (sp_quat){R.y.z - R.z.y, 1.0 + 2.0 * R.x.x - t, R.x.y + R.y.x, R.x.z + R.z.x};
    } else if (R.y.y >= R.z.z) {
        q = (sp_quat){R.z.x - R.x.z, R.x.y + R.y.x, 1.0 + 2.0 * R.y.y - t, R.y.z + R.z.y};
    } else {
        q = (sp_quat){R.x.y - R.y.x, R.x.z + R.z.x, R.y.z + R.z.y, 1.0 + 2.0 * R.z.z - t};
    }
    q = sp_quat_unit(q);
    return q.w < 0.0 ? (sp_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

/* Rotation by |a| about a. */
static inline sp_quat sp_quat_exp(sp_vec3 a)
{
    const double half = 0.5 * sp_length3(a);
    const double k = half < 1e-4 ? 0.5 * (1.0 - half * half / 6.0) : 0.5 * sin(half) / half;
    return (sp_quat){cos(half), k * a.x, k * a.y, k * a.z};
}

/* Rotation vector of a unit quaternion: |a| <= pi about a. */
static inline sp_vec3 sp_quat_log(sp_quat q)
{
    const sp_vec3 v = {q.x, q.y, q.z};
    const double s = sp_length3(v), sign = q.w < 0.0 ? -1.0 : 1.0;
    const double half = atan2(s, fabs(q.w)); /* 0 .. pi/2 */
    return sp_scale3(sign * (s < 1e-4 ? 2.0 * (1.0 + s * s / 6.0) : 2.0 * half / s), v);
}

/* Rate of the rotation vector a for the angular velocity u in the body's own axes,
 *     a' = u + 1/2 a x u + k a x (a x u),   k = (1 - |a|/2 cot(|a|/2)) / |a|^2.
 * The transposed map, for the moment that belongs to a force along a, has -1/2: sign = -1. */
static inline sp_vec3 sp_log_rate(sp_vec3 a, sp_vec3 u, double sign)
{
    const double b2 = sp_inner3(a, a), half = 0.5 * sqrt(b2);
    const double k = b2 < 1e-3 ? (1.0 + b2 * (1.0 / 60.0 + b2 * (1.0 / 2520.0))) / 12.0
                               : (1.0 - half * cos(half) / sin(half)) / b2;
    const sp_vec3 au = sp_cross3(a, u);
    return sp_axpy3(sp_axpy3(u, 0.5 * sign, au), k, sp_cross3(a, au));
}

/* ---- symmetric matrices ---------------------------------------------------------------------- */

static inline sp_sym3 sp_sym3_of(const double *a)
{
    return (sp_sym3){a[0], a[1], a[2], a[3], a[4], a[5]};
}

static inline sp_sym3 sp_sym3_add(sp_sym3 a, sp_sym3 b)
{
    return (sp_sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

static inline sp_vec3 sp_sym3_mul(sp_sym3 S, sp_vec3 a)
{
    return (sp_vec3){S.xx * a.x + S.xy * a.y + S.xz * a.z, S.xy * a.x + S.yy * a.y + S.yz * a.z,
                     S.xz * a.x + S.yz * a.y + S.zz * a.z};
}

/* R S R^T: from body axes to the world's. */
static inline sp_sym3 sp_sym3_turned(sp_rot3 R, sp_sym3 S)
{
    const sp_vec3 x = sp_add3(sp_add3(sp_scale3(S.xx, R.x), sp_scale3(S.xy, R.y)),
                              sp_scale3(S.xz, R.z)); /* columns of R S */
    const sp_vec3 y =
        sp_add3(sp_add3(sp_scale3(S.xy, R.x), sp_scale3(S.yy, R.y)), sp_scale3(S.yz, R.z));
    const sp_vec3 z =
        sp_add3(sp_add3(sp_scale3(S.xz, R.x), sp_scale3(S.yz, R.y)), sp_scale3(S.zz, R.z));
    return (sp_sym3){
        x.x * R.x.x + y.x * R.y.x + z.x * R.z.x, x.y * R.x.y + y.y * R.y.y + z.y * R.z.y,
        x.z * R.x.z + y.z * R.y.z + z.z * R.z.z, x.x * R.x.y + y.x * R.y.y + z.x * R.z.y,
        x.x * R.x.z + y.x * R.y.z + z.x * R.z.z, x.y * R.x.z + y.y * R.y.z + z.y * R.z.z};
}

/* S - (a b^T + b a^T) + 2 a.b: what a shift by d adds to an inertia is this with a = moment + m/2
 * d, b = d. */
static inline sp_sym3 sp_sym3_shift(sp_sym3 S, sp_vec3 a, sp_vec3 b)
{
    const double xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
    return (sp_sym3){S.xx + 2.0 * (yy + zz),         S.yy + 2.0 * (xx + zz),
                     S.zz + 2.0 * (xx + yy),         S.xy - (a.x * b.y + a.y * b.x),
                     S.xz - (a.x * b.z + a.z * b.x), S.yz - (a.y * b.z + a.z * b.y)};
}

/* Where something is. */
typedef struct sp_pose3 {
    sp_vec3 x;
    sp_rot3 R;
} sp_pose3;

static inline sp_vec3 sp_pose3_place(const sp_pose3 *p, sp_vec3 x)
{
    return sp_add3(p->x, sp_rotate3(p->R, x));
}

#endif
