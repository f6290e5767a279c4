/* kinematics/point.h - material points and spins of bodies in three dimensions, for models in the
 * plane and in space: what forces, signals, outputs and loops are written in.  In the plane z is
 * zero and bodies turn about z.
 *
 * Places, velocities and bias are those of the last sp_kin_positions, _velocities and _bias. */
#ifndef SP_KINEMATICS_POINT_H
#define SP_KINEMATICS_POINT_H

#include "kinematics/body3.h"

/* A vector of the plane, and a spin about z, in space. */
static inline sp_vec3 sp_point_lift(sp_vec a)
{
    return (sp_vec3){a.x, a.y, 0.0};
}

static inline sp_vec3 sp_point_lift_spin(double omega)
{
    return (sp_vec3){0.0, 0.0, omega};
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Axes of a body in the world. */
static inline sp_rot3 sp_point_axes(const sp_kin *kin, int body)
{
    if (kin->frame3) {
        return kin->frame3[body].R;
    }
    const sp_rot R = kin->frame[body].R;
    return (sp_rot3){{R.c, R.s, 0.0}, {-R.s, R.c, 0.0}, {0.0, 0.0, 1.0}};
}

static inline sp_vec3 sp_point_origin(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].x : sp_point_lift(kin->frame[body].x);
}

/* Where the wrenches of a body are taken about (sp_wrench). */
static inline sp_vec3 sp_point_pivot(const sp_kin *kin, int body)
{
    if (kin->frame3) {
        return sp_sub3(kin->frame3[body].x, kin->frame3[body].own);
    }
    return sp_point_lift(sp_sub(kin->frame[body].x, kin->frame[body].own));
}

/* Angular velocity, and angular acceleration for u' = 0; world axes. */
static inline sp_vec3 sp_point_spin(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].omega : sp_point_lift_spin(kin->frame[body].omega);
}

static inline sp_vec3 sp_point_spin_bias(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].alpha0 : sp_point_lift_spin(kin->frame[body].alpha0);
}

/* Place and unit quaternion (w, x, y, z; w >= 0) of a body: what records and pictures are made of.
 */
static inline void sp_point_pose(const sp_kin *kin, int body, double x[3], double quat[4])
{
    const sp_vec3 r = sp_point_origin(kin, body);
    x[0] = r.x;
    x[1] = r.y;
    x[2] = r.z;
    sp_quat_store(sp_quat_of_rot3(sp_point_axes(kin, body)), quat);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* World place of a point given in the body's frame. */
static inline sp_vec3 sp_point_place(const sp_kin *kin, int body, sp_vec3 local)
{
    if (kin->frame3) {
        return sp_add3(kin->frame3[body].x, sp_rotate3(kin->frame3[body].R, local));
    }
    return sp_point_lift(sp_kin_place(&kin->frame[body], (sp_vec){local.x, local.y}));
}

/* Velocity of the body's material point at world place x. */
static inline sp_vec3 sp_point_velocity(const sp_kin *kin, int body, sp_vec3 x)
{
    if (kin->frame3) {
        const sp_frame3 *f = &kin->frame3[body];
        return sp_add3(f->v, sp_cross3(f->omega, sp_sub3(x, f->x)));
    }
    return sp_point_lift(sp_kin_velocity_at(&kin->frame[body], (sp_vec){x.x, x.y}));
}

/* Its acceleration for u' = 0.   theory (2.17) */
static inline sp_vec3 sp_point_bias(const sp_kin *kin, int body, sp_vec3 x)
{
    if (kin->frame3) {
        return sp_body3_bias(&kin->frame3[body], sp_sub3(x, kin->frame3[body].x));
    }
    return sp_point_lift(sp_kin_bias_at(&kin->frame[body], (sp_vec){x.x, x.y}));
}

/* ---- columns of Jacobians, for k on the way from the ground to the body -----------------------
 */

/* Velocity of a point at world place x per unit of u[k].   theory (2.7), (2.13) */
static inline sp_vec3 sp_point_column(const sp_model *m, const sp_kin *kin, int k, sp_vec3 x)
{
    if (kin->frame3) {
        const sp_axis3 *a = &kin->axis3[k];
        return sp_add3(a->s, sp_cross3(a->w, sp_sub3(x, a->p)));
    }
    return sp_point_lift(sp_kin_column(m, kin, k, (sp_vec){x.x, x.y}));
}

/* Angular velocity per unit of u[k]. */
static inline sp_vec3 sp_point_spin_column(const sp_model *m, const sp_kin *kin, int k)
{
    return kin->frame3 ? kin->axis3[k].w : sp_point_lift_spin(m->layout.dof_turns[k] ? 1.0 : 0.0);
}

#endif
