/* support/points.h - points of bodies by name of the body, for tests: one spot each. */
#ifndef SUPPORT_POINTS_H
#define SUPPORT_POINTS_H

#include "kinematics/spot.h"

static inline sp_vec3 point_place(const sp_kin *kin, int body, sp_vec3 local)
{
    return sp_spot_at(kin, body, local).x;
}

static inline sp_vec3 point_velocity(const sp_kin *kin, int body, sp_vec3 x)
{
    const sp_spot s = sp_spot_on(kin, body, x);
    return sp_spot_velocity(kin, &s);
}

static inline sp_vec3 point_bias(const sp_kin *kin, int body, sp_vec3 x)
{
    const sp_spot s = sp_spot_on(kin, body, x);
    return sp_spot_bias(kin, &s);
}

static inline sp_vec3 point_origin(const sp_kin *kin, int body)
{
    return sp_spot_origin(kin, body).x;
}

static inline sp_rot3 point_axes(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_axes(kin, &s);
}

static inline sp_vec3 point_spin(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_spin(kin, &s);
}

static inline sp_vec3 point_spin_bias(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_spin_bias(kin, &s);
}

/* What u[k] does to the point at world place x of a body that it moves. */
static inline sp_vec3 point_column(const sp_model *m, const sp_kin *kin, int k, sp_vec3 x)
{
    const sp_axis3 a = sp_spot_axis(m, kin, k);
    return sp_add3(a.s, sp_cross3(a.w, sp_sub3(x, a.p)));
}

static inline sp_vec3 point_spin_column(const sp_model *m, const sp_kin *kin, int k)
{
    return sp_spot_axis(m, kin, k).w;
}

#endif
