/* math/plane.h - vectors, spins and rotations of the plane.
 *
 * The tree algorithms (kinematics, dynamics) are written in these names only.  In the plane a spin
 * (angular velocity, moment) is a number; space has its own header with the same names, in which a
 * spin is a vector, so that one source serves both. */
#ifndef SP_MATH_PLANE_H
#define SP_MATH_PLANE_H

#include <math.h>

typedef struct sp_vec {
    double x, y;
} sp_vec;
typedef double sp_spin;
typedef struct sp_rot {
    double c, s; /* cosine and sine of the angle */
} sp_rot;

static inline sp_vec sp_vec_of(const double *a)
{
    return (sp_vec){a[0], a[1]};
}

static inline sp_vec sp_add(sp_vec a, sp_vec b)
{
    return (sp_vec){a.x + b.x, a.y + b.y};
}

static inline sp_vec sp_sub(sp_vec a, sp_vec b)
{
    return (sp_vec){a.x - b.x, a.y - b.y};
}

static inline sp_vec sp_scale(double k, sp_vec a)
{
    return (sp_vec){k * a.x, k * a.y};
}

/* a + k b */
static inline sp_vec sp_axpy(sp_vec a, double k, sp_vec b)
{
    return (sp_vec){a.x + k * b.x, a.y + k * b.y};
}

static inline double sp_inner(sp_vec a, sp_vec b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double sp_length(sp_vec a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

/* omega x r */
static inline sp_vec sp_spin_cross(sp_spin omega, sp_vec r)
{
    return (sp_vec){-(omega * r.y), omega * r.x};
}

/* r x f */
static inline sp_spin sp_cross(sp_vec r, sp_vec f)
{
    return r.x * f.y - r.y * f.x;
}

/* a turned by -90 degrees: the tangent (right) that goes with a normal (up) */
static inline sp_vec sp_right_of(sp_vec a)
{
    return (sp_vec){a.y, -a.x};
}

static inline sp_rot sp_rot_of(double angle)
{
    return (sp_rot){cos(angle), sin(angle)};
}

static inline sp_vec sp_rotate(sp_rot R, sp_vec a)
{
    return (sp_vec){R.c * a.x - R.s * a.y, R.s * a.x + R.c * a.y};
}

/* R^T a: world to body */
static inline sp_vec sp_rotate_back(sp_rot R, sp_vec a)
{
    return (sp_vec){R.c * a.x + R.s * a.y, -R.s * a.x + R.c * a.y};
}

#endif
