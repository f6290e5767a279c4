/* model/surface_foot.c - places on a surface by closed forms: facing a direction, nearest to a
 * point. */
#include "model/surface.h"

#include <math.h>

/* Angles of a direction about z. */
static sp_surface_at angles_of(sp_vec3 e)
{
    return (sp_surface_at){0, atan2(e.y, e.x), atan2(e.z, hypot(e.x, e.y))};
}

bool sp_surface_facing(const sp_surface *s, sp_vec3 e, sp_surface_at *at)
{
    const sp_vec3 out = sp_scale3(s->side, sp_rotate_back3(s->turn, e));
    if (s->kind == SP_SURFACE_ELLIPSOID) { /* n ~ (x/a, y/b, z/c) of the unit sphere's point */
        *at = angles_of((sp_vec3){s->size[0] * out.x, s->size[1] * out.y, s->size[2] * out.z});
        return true;
    }
    if (s->kind == SP_SURFACE_TORUS) {
        *at = angles_of(out);
        return true;
    }
    return false;
}

/* Cone, in the half plane of (rho, z): the foot on the straight line of the profile. */
static double cone_foot(const sp_surface *s, double rho, double z)
{
    const double length = s->hi[1] - s->lo[1], rise = s->size[1] - s->size[0];
    const double part =
        ((rho - s->size[0]) * rise + (z - s->lo[1]) * length) / (rise * rise + length * length);
    const double clipped = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    return s->lo[1] + clipped * length;
}

/* Where the place of an ellipsoid nearest to x has parameters of the unit sphere's point e:
 * e_i = a_i x_i/(a_i^2 - min a^2 + s), with the root s of |e| = 1, which is between
 * min(a) |x_k| and |(a_i x_i)|; s = 0 over the middle of the shortest axis, k.   theory (20.19) */
static sp_vec3 ellipsoid_foot(const double a[3], sp_vec3 r)
{
    const double x[3] = {r.x, r.y, r.z};
    const int k = a[2] <= a[0] && a[2] <= a[1] ? 2 : a[1] <= a[0] ? 1 : 0;
    double lo = a[k] * fabs(x[k]), hi = hypot(hypot(a[0] * x[0], a[1] * x[1]), a[2] * x[2]);
    double e[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    bool ends = !(hi > 0.0);
    for (double s = hi; !ends; s = lo + 0.5 * (hi - lo)) {
        sum = 0.0;
        for (int i = 0; i < 3; i++) {
            e[i] = a[i] * x[i] / (a[i] * a[i] - a[k] * a[k] + s);
            sum += e[i] * e[i];
        }
        *(sum > 1.0 ? &lo : &hi) = s;
        const double middle = lo + 0.5 * (hi - lo);
        ends = !(middle > lo && middle < hi); /* neighbouring numbers, or no root above zero */
    }
    const double rest = 1.0 - (sum - e[k] * e[k]);
    e[k] = x[k] != 0.0 ? e[k] : sqrt(fmax(rest, 0.0));
    return (sp_vec3){e[0], e[1], e[2]};
}

bool sp_surface_foot(const sp_surface *s, sp_vec3 x, double *work, sp_surface_at *at)
{
    const sp_vec3 r = sp_rotate_back3(s->turn, sp_sub3(x, s->at));
    const double rho = hypot(r.x, r.y), angle = atan2(r.y, r.x);
    sp_curve_foot foot;
    *at = (sp_surface_at){0, angle, r.z};
    switch (s->kind) {
    case SP_SURFACE_PLANE:
        *at = (sp_surface_at){0, r.x, r.y};
        return true;
    case SP_SURFACE_ELLIPSOID:
        *at = angles_of(ellipsoid_foot(s->size, r));
        return true;
    case SP_SURFACE_CYLINDER:
        at->v = r.z < s->lo[1] ? s->lo[1] : r.z > s->hi[1] ? s->hi[1] : r.z;
        return true;
    case SP_SURFACE_CONE:
        at->v = cone_foot(s, rho, r.z);
        return true;
    case SP_SURFACE_TORUS:
        at->v = atan2(r.z, rho - s->size[0]);
        return true;
    case SP_SURFACE_REVOLVED:
        if (!sp_curve_nearest(s->curve, (sp_vec){rho, r.z}, work, &foot)) {
            return false;
        }
        at->v = foot.s;
        return true;
    case SP_SURFACE_EXTRUDED:
        if (!sp_curve_nearest(s->curve, (sp_vec){r.x, r.y}, work, &foot)) {
            return false;
        }
        at->u = foot.s;
        at->v = r.z < s->lo[1] ? s->lo[1] : r.z > s->hi[1] ? s->hi[1] : r.z;
        return true;
    case SP_SURFACE_FACE:
        sp_face_foot(s->face, r, &at->u, &at->v);
        return true;
    default:
        return false;
    }
}
