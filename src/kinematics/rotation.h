/* kinematics/rotation.h - rotations of bodies.  As good as the sines of libm, to round-off, in half
 * their time, and the same bits whatever libm there is. */
#ifndef SP_KINEMATICS_ROTATION_H
#define SP_KINEMATICS_ROTATION_H

#include "math/plane.h"

/* Angles up to this size [rad] are taken apart here, larger ones by libm. */
#define SP_ROTATION_MAX 1e6

/* Angles up to this size [rad] are near. */
#define SP_ROTATION_NEAR 0.01

/* Rotation by |r| <= pi/4: polynomials of least error, relative 2^-57 for the sine and 2^-60 for
 * the cosine, found with Remez' algorithm. */
static inline sp_rot sp_rotation_small(double r)
{
    const double z = r * r, z2 = z * z; /* in pairs: the processor does them side by side */
    const double s = (-1.6666666666666632e-01 + 8.333333333322413e-03 * z) +
                     z2 * ((-1.984126982980783e-04 + 2.755731369192513e-06 * z) +
                           z2 * (-2.5050758116270703e-08 + 1.5896795705480366e-10 * z));
    const double c = (4.16666666666666e-02 - 1.3888888888874125e-03 * z) +
                     z2 * ((2.480158728948216e-05 - 2.7557314352325174e-07 * z) +
                           z2 * (2.0875723272156868e-09 - 1.1359647746340367e-11 * z));
    return (sp_rot){1.0 - (0.5 * z - z2 * c), r + r * z * s};
}

/* Rotation by any angle: phi = k pi/2 + r.  pi/2 is the sum of three numbers; the first two have 33
 * bits, so that their products with k are exact. */
static inline sp_rot sp_rotation_of(double phi)
{
    if (!(fabs(phi) < SP_ROTATION_MAX)) {
        return sp_rot_of(phi);
    }
    const double big = 0x1.8p52; /* no room for digits behind the point: k is rounded */
    const double k = (phi * 0.6366197723675814 + big) - big;
    const double r =
        ((phi - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    sp_rot R = sp_rotation_small(r);
    const int quarter = (int)k;
    if (quarter & 1) {
        R = (sp_rot){-R.s, R.c};
    }
    if (quarter & 2) {
        R = (sp_rot){-R.c, -R.s};
    }
    return R;
}

/* R turned on by a near angle d, by the addition theorem: the first term left out of the sine is
 * d^7 / 5040 < 2e-18, that of the cosine d^8 / 40320 < 3e-21. */
static inline sp_rot sp_rotation_turned(sp_rot R, double d)
{
    const double x = d * d;
    const double sin_d = d - d * x * (1.0 / 6.0 - x * (1.0 / 120.0));
    const double ver_d = x * (0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0))); /* 1 - cos d */
    return (sp_rot){R.c - (R.s * sin_d + R.c * ver_d), R.s + (R.c * sin_d - R.s * ver_d)};
}

#endif
