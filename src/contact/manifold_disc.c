/* contact/manifold_disc.c - balls and points on a disc or a frustum: its flat ends, its round side,
 * its rims.   theory (21.16) */
#include "contact/manifold_parts.h"

/* Features as seen from outside: ends, rims, side; the lower one first. */
enum { END = 0, RIM = 2, ROUND_SIDE = 4 };

/* A ball over a disc, in the half plane through its centre and the axis. */
typedef struct section {
    sp_vec3 x, axis, e;   /* centre of the ball; unit vectors along the axis and away from it */
    sp_vec3 origin;       /* middle of the disc                                               */
    double rho, z;        /* of the centre, along e and the axis                              */
    double r[2], half;    /* radii of the ends, half of the length                            */
    double g_rho, g_z;    /* unit vector along the side, upwards; outwards is (g_z, -g_rho)   */
    double length;        /* of the side, 0: a coin has none                                  */
    double along, beside; /* of the centre: along the side from below, and away from it       */
} section;

/* Where a ball is over a disc. */
static section section_of(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose)
{
    section s = {.x = a->pose.x, .axis = pose->R.z, .origin = pose->x, .half = disc->half};
    const sp_vec3 d = sp_sub3(s.x, pose->x);
    s.z = sp_inner3(d, s.axis);
    const sp_vec3 flat = sp_axpy3(d, -s.z, s.axis);
    s.rho = sp_length3(flat);
    s.e = s.rho > 0.0 ? sp_scale3(1.0 / s.rho, flat) : pose->R.x;
    s.r[0] = disc->radius;
    s.r[1] = disc->radius + disc->taper;
    s.length = s.half > 0.0 ? hypot(disc->taper, 2.0 * s.half) : 0.0;
    s.g_rho = s.length > 0.0 ? disc->taper / s.length : 0.0;
    s.g_z = s.length > 0.0 ? 2.0 * s.half / s.length : 1.0;
    s.along = (s.rho - s.r[0]) * s.g_rho + (s.z + s.half) * s.g_z;
    s.beside = (s.rho - s.r[0]) * s.g_z - (s.z + s.half) * s.g_rho;
    return s;
}

/* From the axis at height z outwards by rho. */
static sp_vec3 place(const section *s, double rho, double z)
{
    return sp_axpy3(sp_axpy3(s->origin, z, s->axis), rho, s->e);
}

/* The flat end, up = 1 or 0. */
static void add_end(const section *s, const sp_core *a, int up, sp_touches *list)
{
    const double sign = up ? 1.0 : -1.0;
    const sp_cores c = {.a = *a};
    const sp_touch_side end = {.kind = SP_SIDE_FACE, .feature = END + up};
    sp_touches_add(list, &c, sp_scale3(sign, s->axis), s->x, place(s, s->rho, sign * s->half),
                   sp_core_corner_side(a, 0), end, SP_CARRIED_BY_FEATURES);
}

/* The side: near the contact a tube about a line along it, as thick as the side is round. */
static void add_side(const section *s, const sp_core *a, sp_touches *list)
{
    const sp_vec3 n = sp_axpy3(sp_scale3(s->g_z, s->e), -s->g_rho, s->axis);
    const sp_vec3 d = sp_axpy3(sp_scale3(s->g_rho, s->e), s->g_z, s->axis);
    const double rho = s->r[0] + s->along * s->g_rho, z = s->along * s->g_z - s->half;
    const sp_cores c = {.a = *a, .b.r = fmax(rho, 0.0) / s->g_z};
    const sp_touch_side side = {.kind = SP_SIDE_LINE, .feature = ROUND_SIDE, .r = c.b.r, .d = d};
    sp_touches_add(list, &c, n, s->x, sp_axpy3(place(s, rho, z), -c.b.r, n),
                   sp_core_corner_side(a, 0), side, SP_CARRIED_BY_FEATURES);
}

/* A rim, up = 1 or 0; that of a cone's tip is a corner. */
static void add_rim(const section *s, const sp_core *a, int up, sp_touches *list)
{
    const sp_vec3 y = place(s, s->r[up], up ? s->half : -s->half), way = sp_sub3(s->x, y);
    const double l = sp_length3(way);
    const sp_vec3 n = l > 0.0 ? sp_scale3(1.0 / l, way) : s->e;
    const sp_cores c = {.a = *a};
    sp_touch_side rim = {.kind = SP_SIDE_CORNER, .feature = RIM + up};
    if (s->r[up] > 0.0) {
        rim.kind = SP_SIDE_LINE;
        rim.kappa = sp_inner3(n, s->e) / s->r[up];
        rim.d = sp_cross3(s->axis, s->e);
    }
    sp_touches_add(list, &c, n, s->x, y, sp_core_corner_side(a, 0), rim, SP_CARRIED_BY_FEATURES);
}

void sp_touches_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                        sp_touches *list)
{
    const section s = section_of(a, disc, pose);
    const int up = s.z >= 0.0;
    const double over = fabs(s.z) - s.half;
    const bool inside = over <= 0.0 && s.beside <= 0.0;
    if (inside ? over >= s.beside : over > 0.0 && s.r[up] > 0.0 && s.rho <= s.r[up]) {
        add_end(&s, a, up, list);
    } else if (s.length > 0.0 && (inside || (s.along >= 0.0 && s.along <= s.length))) {
        add_side(&s, a, list);
    } else {
        add_rim(&s, a, s.length > 0.0 && s.along > 0.0, list); /* a coin has one */
    }
}

/* Whether a disc has a feature: coins have no side and one rim, the tip of a cone is no end. */
static bool has_feature(const section *s, int feature)
{
    return feature == ROUND_SIDE ? s->length > 0.0
           : feature >= RIM      ? feature == RIM || s->length > 0.0
                                 : s->r[feature - END] > 0.0;
}

bool sp_touch_hold_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                           int feature, sp_touch *touch)
{
    sp_touches list = {.touch = touch, .room = 1, .margin = INFINITY, .least = INFINITY};
    const section s = section_of(a, disc, pose);
    if (!has_feature(&s, feature)) {
        return false;
    }
    if (feature == ROUND_SIDE) {
        add_side(&s, a, &list);
    } else if (feature >= RIM) {
        add_rim(&s, a, feature - RIM, &list);
    } else {
        add_end(&s, a, feature - END, &list);
    }
    return list.n == 1;
}

double sp_touch_reach_on_disc(const sp_core *a, const sp_shape3 *disc, const sp_pose3 *pose,
                              int feature)
{
    const section s = section_of(a, disc, pose);
    if (feature == ROUND_SIDE) {
        return fmin(s.along, s.length - s.along);
    }
    if (feature < RIM) {
        return s.r[feature - END] - s.rho;
    }
    const int up = feature - RIM;
    const double beside = s.r[up] > 0.0 ? s.rho - s.r[up] : INFINITY;
    const double past = up ? s.along - s.length : -s.along;
    return s.length > 0.0 ? fmin(beside, past) : beside;
}
