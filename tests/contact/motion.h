/* Two bodies in motion, and differences in time. */
#ifndef CONTACT_MOTION_H
#define CONTACT_MOTION_H

#include "kinematics/kin.h"
#include "support/surface.h"

/* x = x_0 + v t + a t^2/2, R = exp(w_1 t) exp(w_2 t) R_0 */
typedef struct motion {
    sp_vec3 x, v, a, w[2];
    sp_rot3 R;
} motion;

static inline sp_rot3 turned(sp_vec3 w, double t)
{
    return sp_rot3_of_quat(sp_quat_exp(sp_scale3(t, w)));
}

static inline sp_frame3 frame_at(const motion *m, double t)
{
    const sp_rot3 first = turned(m->w[0], t);
    const sp_vec3 second = sp_rotate3(first, m->w[1]);
    return (sp_frame3){.x = sp_add3(m->x, sp_axpy3(sp_scale3(t, m->v), 0.5 * t * t, m->a)),
                       .R = sp_rot3_mul(first, sp_rot3_mul(turned(m->w[1], t), m->R)),
                       .v = sp_axpy3(m->v, t, m->a),
                       .omega = sp_add3(m->w[0], second),
                       .a0 = m->a,
                       .alpha0 = sp_cross3(m->w[0], second)};
}

static inline motion random_motion(rng *r)
{
    motion m = {.x = surface_random_vector(r, 2.0),
                .v = surface_random_vector(r, 1.0),
                .a = surface_random_vector(r, 1.0)};
    m.w[0] = surface_random_vector(r, 1.0);
    m.w[1] = surface_random_vector(r, 1.0);
    m.R = surface_random_turn(r);
    return m;
}

/* Of a quantity at t = -2h, -h, h, 2h: fourth order. */
static inline double slope(const double f[4], double h)
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * h);
}

#define STEP 5e-5
/* Differences of fourth order with steps of 5e-5: round-off 1e-15 / 5e-5, and h^4 times the fifth
 * derivative, of velocities over radii of 0.1 to some powers (up to 2e9 at the border of a grid).
 * Splines have jumps in the third derivative; differences over a knot are left out. */
#define TOL_RATE 1e-8
#define TOL_BIAS 1e-6

#endif
