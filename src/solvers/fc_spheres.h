/* solvers/fc_spheres.h - four contacts of spheres at a time, in less than half the memory of
 * fc_rigid.h.
 *
 *     u = d (v_a - v_b + (s_a w_a - s_b w_b) x n) + c,      f = d dp,
 *     v_a += f / m_a,   w_a += s_a / J_a  (n x f)           (the opposite for body b)
 *
 * A contact whose arms s n are along its normal, of bodies with the same inertia about all axes:
 * normal and tangential directions do not see each other, G = diag(g_N, g_T, g_T), and the solution
 * of one contact alone is a projection, p_N = max(0, p_N - u_N / g_N) and p_T on the disc of radius
 * mu p_N (theory (5.13)).  No tangent is needed: p, u and c are vectors in space. */
#ifndef SP_SOLVERS_FC_SPHERES_H
#define SP_SOLVERS_FC_SPHERES_H

#include "solvers/fc.h"
#include "solvers/fc_four.h"
#include "solvers/fc_measure.h"

/* Scaled as sp_fc_rigid, so that g_T = 1; y of the bodies: velocity, spin, 1 / m, 1 / J. */
typedef struct sp_fc_spheres {
    _Alignas(32) double n[3][SP_FC_LANES];
    double arm[2][SP_FC_LANES];
    double c[3][SP_FC_LANES], mu[SP_FC_LANES], d[SP_FC_LANES];
    int body[2][SP_FC_LANES];
} sp_fc_spheres;

/* 1 / m and 1 / J of body b of p; 0 if it is no sphere, judged by its inertia. */
int sp_fc_spheres_inertia(const sp_fc *p, int b, double *inertia);

/* Contact i of p into lane l, y has the inertia of the bodies; 0 if it is none of spheres.  Empty
 * lanes are those of i < 0. */
int sp_fc_spheres_fill(const sp_fc *p, int i, int l, const sp_fc_bodies *y, sp_fc_spheres *f,
                       sp_fc_four_more *more);

/* P (rows of contact i of p) from p of lane l (rows of lanes), or back. */
void sp_fc_spheres_leave(const sp_fc *p, int i, int l, const sp_fc_spheres *f, const double *own,
                         double *P);
void sp_fc_spheres_enter(const sp_fc *p, int i, int l, const sp_fc_spheres *f, const double *P,
                         double *own);

/* As sp_fc_rigid_sweep and sp_fc_rigid_push. */
void sp_fc_spheres_sweep(int n, const sp_fc_spheres *f, int ground, sp_fc_bodies *y, double *p);
void sp_fc_spheres_push(int n, const sp_fc_spheres *f, int ground, sp_fc_bodies *y,
                        const double *p);

/* p into the sets. */
void sp_fc_spheres_project(int n, const sp_fc_spheres *f, double *p);

/* Add n fours to the measure. */
void sp_fc_spheres_measure(int n, const sp_fc_spheres *f, const sp_fc_four_more *more,
                           const sp_fc_bodies *y, const double *p, sp_fc_sum *sum);

#endif
