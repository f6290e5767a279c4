/* support/space.h - random trees of bodies in space with all kinds of joints, made by hand, and
 * where they are by another way than the library's.
 *
 * The oracle multiplies homogeneous matrices with entries that are jets,
 *     T = T_parent Trans(at) Turn Trans(slides) Rot(axis_1, q_1) ... Rot(quaternion) Trans(-from),
 * quaternions by the Taylor series of q' = 1/2 q (0, u): velocities, accelerations and Jacobians
 * follow from the places alone. */
#ifndef SUPPORT_SPACE_H
#define SUPPORT_SPACE_H

#include "dynamics/dyn.h"
#include "support/check.h"
#include "support/jet.h"
#include "support/points.h"

enum {
    SPACE_BODIES = 64,
    SPACE_DOFS = 6 * SPACE_BODIES,
    SPACE_Q = 7 * SPACE_BODIES,
    SPACE_FORCES = 8
};

/* A tree and everything to compute with. */
typedef struct space {
    sp_model m;
    sp_kin kin;
    sp_dyn dyn;
    sp_body body[SPACE_BODIES + 1];
    sp_body_numbers mass[SPACE_BODIES + 1];
    sp_space_numbers numbers[SPACE_BODIES + 1];
    sp_dof dof[SPACE_DOFS];
    sp_dof_numbers dof_numbers[SPACE_DOFS];
    sp_coord coord[SPACE_Q];
    sp_force force[SPACE_FORCES];
    sp_force_numbers force_numbers[SPACE_FORCES];
    double q[SPACE_Q], u[SPACE_DOFS], a[SPACE_DOFS];
} space;

/* A body's frame over time. */
typedef struct pose3 {
    jet R[3][3], r[3];
} pose3;

/* A random tree of n bodies, moving; chain: the chance that a body hangs on the one before; kind:
 * all joints of this kind, -1: any. */
void space_random(space *s, rng *r, int n, double chain, int kind);

/* Begin a tree by hand; hang one more body with random numbers on another, returns its number; then
 * give the tree its memory. */
void space_begin(space *s);
int space_add(space *s, rng *r, int parent, sp_joint_kind kind);
void space_finish(space *s);
void space_free(space *s);

/* A random motion: q with unit quaternions, u, a. */
void space_shake(space *s, rng *r);

/* Positions, velocities and bias at q, u. */
void space_move(space *s, const double *q, const double *u);

/* A random rotation by rows; a random unit vector. */
void space_rotation(rng *r, double R[9]);
void space_direction(rng *r, double e[3]);

/* ---- the oracle ------------------------------------------------------------------------------ */

/* Frames of all bodies for u(t) = u + a t from q; u, a may be NULL. */
void space_poses(const space *s, const double *q, const double *u, const double *a, pose3 *p);

/* World place of a point of the body; angular velocity over time, world axes. */
void pose3_point(const pose3 *p, const double *local, jet x[3]);
void pose3_spin(const pose3 *p, jet omega[3]);

double space_kinetic(const space *s, const double *q, const double *u);
double space_potential(const space *s, const double *q);

/* M from the columns of the centres' velocities and of the spins, n_dof x n_dof. */
void space_mass(const space *s, const double *q, double *M);

/* h by d'Alembert: sum J_c^T m (g - a_c) - J_w^T d(J omega)/dt at constant u. */
void space_forces(const space *s, const double *q, const double *u, double *h);

/* ---- the library, dense ---------------------------------------------------------------------- */

/* M from the packed one at the frames in s->kin. */
void space_dense_mass(space *s, double *M);

/* h of all shares at (t, q, u), or one share. */
void space_dense_forces(space *s, double t, const double *q, const double *u, double *h);
void space_dense_share(space *s, double t, const double *q, const double *u, sp_share share,
                       double *h);

/* Largest size of an entry. */
double space_largest(int n, const double *x);

#endif
