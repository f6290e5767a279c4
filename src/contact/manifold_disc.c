/* contact/manifold_disc.c - balls and points on a disc: its flat ends, its round side, its rims.
 * theory (21.16) */
#include "contact/manifold_parts.h"

/* Features of a disc as seen by what is outside: ends, side, rims. */
enum { LOWER_END, UPPER_END, ROUND_SIDE, LOWER_RIM, UPPER_RIM };

void sp_touches_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                        sp_touches *list)
{
    const double R = disc->radius, half = disc->half;
    const sp_vec3 x = a->pose.x, axis = pose->R.z, d = sp_sub3(x, pose->x);
    const double z = sp_inner3(d, axis), up = z < 0.0 ? -1.0 : 1.0;
    const sp_vec3 flat = sp_axpy3(d, -z, axis);
    const double rho = sp_length3(flat), over = up * z - half, beside = rho - R;
    const sp_vec3 e = rho > 0.0 ? sp_scale3(1.0 / rho, flat) : pose->R.x;
    const sp_vec3 center = sp_axpy3(pose->x, up * half, axis);
    const sp_touch_side corner = sp_core_corner_side(a, 0);
    sp_cores c = {.a = *a};
    if (over > 0.0 && beside > 0.0) {
        const sp_vec3 y = sp_axpy3(center, R, e), way = sp_sub3(x, y);
        const sp_vec3 n = sp_scale3(1.0 / sp_length3(way), way);
        const sp_touch_side rim = {.kind = SP_SIDE_LINE,
                                   .feature = up > 0.0 ? UPPER_RIM : LOWER_RIM,
                                   .kappa = sp_inner3(n, e) / R,
                                   .d = sp_cross3(axis, e)};
        sp_touches_add(list, &c, n, x, y, corner, rim, SP_CARRIED_BY_FEATURES);
    } else if (over >= beside) { /* inside: out through the nearer side */
        const sp_touch_side end = {.kind = SP_SIDE_FACE,
                                   .feature = up > 0.0 ? UPPER_END : LOWER_END};
        const sp_vec3 n = sp_scale3(up, axis);
        sp_touches_add(list, &c, n, x, sp_axpy3(x, -over, n), corner, end, SP_CARRIED_BY_FEATURES);
    } else {
        const sp_touch_side side = {.kind = SP_SIDE_LINE, .feature = ROUND_SIDE, .r = R, .d = axis};
        c.b.r = R;
        sp_touches_add(list, &c, e, x, sp_axpy3(pose->x, z, axis), corner, side,
                       SP_CARRIED_BY_FEATURES);
    }
}
