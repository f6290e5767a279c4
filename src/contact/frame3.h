/* contact/frame3.h - one contact in space in its configuration: what every kind of pair of contours
 * (pair3.h), surfaces and shapes alike, has to say about itself.
 *
 * A pair gives the gap, the nearest points of both sides, the direction n, and how n and the point
 * on side b move when side a moves against side b.  All the rest follows here: tangents and their
 * rate, W_N, W_T1, W_T2, gamma, w_bar.   theory section 18
 *
 * A further kind of pair fills, in this order,
 *
 *     g_N, point[0] on a, point[1] = point[0] - g_N n on b, n out of b's material towards a, mark;
 *     sp_frame3_tangents(axes of b's body, f);
 *     sp_frame3_round, sp_frame3_smooth, or the four maps by itself.
 */
#ifndef SP_CONTACT_FRAME3_H
#define SP_CONTACT_FRAME3_H

#include "kinematics/spot.h"

/* A linear map of the tangent plane, in the basis t1, t2. */
typedef struct sp_map2 {
    double a11, a12, a21, a22;
} sp_map2;

/* The maps take two vectors of the tangent plane, both of a's motion as b's body sees it,
 *
 *     turn  = (omega_a - omega_b) x n
 *     slip  = tangential part of the velocity of a's material point at point[0]
 *
 * to two others: how n turns, and how fast the nearest point wanders over b,
 *
 *     n'    = omega_b x n + n_by_turn turn + n_by_slip slip
 *     p_b'  = (velocity of b's material point there) + (n-part) + at_by_turn turn + at_by_slip slip
 *                                                                            theory (18.3) */
typedef struct sp_contact_frame3 {
    double g_N;
    sp_vec3 n, t[2];        /* orthonormal, right-handed: t1 x t2 = n                     */
    sp_vec3 point[2];       /* nearest points of sides a and b, world                     */
    const sp_mark *mark[2]; /* that sides a and b go with                           */
    sp_vec3 carrier;        /* unit vector carried by b; t1 is its part in the tangent plane */
    sp_map2 n_by_turn, n_by_slip, at_by_turn, at_by_slip;
} sp_contact_frame3;

static inline sp_map2 sp_map2_scalar(double k)
{
    return (sp_map2){k, 0.0, 0.0, k};
}

/* t1, t2 from n: t1 lies towards the x axis of side b's body, or towards its y axis where n is
 * within 26 degrees of x.   theory (18.2) */
void sp_frame3_tangents(sp_rot3 axes_b, sp_contact_frame3 *f);

/* The maps of a pair where b is smooth and a is round or a corner: S_b the derivative of b's
 * outward normal along its surface (1/r of a ball, 0 of a plane, -1/r of a hole), R_a the inverse
 * of the same of a (r of a ball, 0 of a corner).  Where both meet in a focus all maps are zero.
 * theory (18.4) */
void sp_frame3_round(const sp_map2 *R_a, const sp_map2 *S_b, sp_contact_frame3 *f);

/* The same where a is smooth too: S_a may be singular (a cylinder, a plane).   theory (18.5) */
void sp_frame3_smooth(const sp_map2 *S_a, const sp_map2 *S_b, sp_contact_frame3 *f);

/* The material point of side k where the contact is. */
static inline sp_spot sp_frame3_spot(const sp_kin *kin, const sp_contact_frame3 *f, int k)
{
    return sp_mark_spot(kin, f->mark[k], f->point[k]);
}

/* gamma_N, gamma_T1, gamma_T2.   theory (18.7) */
void sp_frame3_gamma(const sp_kin *kin, const sp_contact_frame3 *f, double gamma[3]);

/* How a frame moves: n' = spin x n, t' = spin x t, and of both points the velocities of the
 * material and how fast they wander over it.   theory (18.2), (18.3) */
typedef struct sp_frame3_rates {
    sp_vec3 spin, v[2], wander[2];
} sp_frame3_rates;
sp_frame3_rates sp_frame3_motion(const sp_kin *kin, const sp_contact_frame3 *f);

/* The part of their rates that is there for u' = 0; velocities and bias of kin must be there.
 * theory (18.8) */
void sp_frame3_bias(const sp_kin *kin, const sp_contact_frame3 *f, double w_bar[3]);

#endif
