/* support/tree.h - random trees of bodies, and where they are by another way than the library's.
 *
 * The oracle multiplies homogeneous matrices T = T_parent Trans(at) Rot(turn) Trans(s) Rot(phi)
 * Trans(-from), with entries that are jets: velocities, accelerations and Jacobians follow from the
 * places alone. */
#ifndef SUPPORT_TREE_H
#define SUPPORT_TREE_H

#include "support/check.h"
#include "support/jet.h"
#include "support/machine.h"

enum { TREE_BODIES = 32, TREE_DOFS = 3 * TREE_BODIES };

typedef enum tree_joint {
    TREE_WELD,
    TREE_REVOLUTE,
    TREE_PRISMATIC,
    TREE_FREE,
    TREE_DRIVEN /* welded to the ground in the file; the oracle moves it by 'drive' */
} tree_joint;

typedef struct tree_body {
    char name[16];
    int parent; /* -1: the ground */
    tree_joint joint;
    double at[2], turn, from[2], axis[2];
    bool has[3]; /* FREE: x, y, phi                              */
    double mass, inertia, center[2];
    double spring[3][3]; /* per coordinate: stiffness, damping, rest     */
    bool sprung;         /* only joints with one coordinate */
    int dof[3];          /* of the model: s or x, y, phi; -1: none        */
    int body;            /* of the model                                 */
    jet drive[3];        /* DRIVEN: x, y, phi over time                  */
} tree_body;

typedef struct tree {
    int n;
    double gravity[2];
    tree_body body[TREE_BODIES];
    int n_dof;
} tree;

/* A body's frame over time. */
typedef struct pose {
    jet2 r;
    jet phi, c, s;
} pose;

/* A random tree of n bodies; chain: the chance that a body hangs on the one before. */
tree tree_random(rng *r, int n, double chain);

/* The file's head, and one body without the closing brace: "  b1: {mass: 1, joint: {...}". */
void tree_write_head(const tree *t, text *out);
void tree_write_body(const tree *t, int i, text *out);

/* The whole file, bodies in a random order. */
machine tree_compile(tree *t, rng *r);

/* Learn the numbers of bodies and coordinates in the model, by name. */
void tree_bind(tree *t, const machine *c);

/* Frames of all bodies for q(t) = q + u t + a t^2/2; body -1 is pose[n], the ground. */
void tree_poses(const tree *t, const double *q, const double *u, const double *a, pose *p);

/* World place of a point of the body; velocity of the body's material point at a world place. */
jet2 pose_point(const pose *p, double x, double y);
jet2 pose_velocity(const pose *p, jet2 place);

/* Kinetic energy, and potential energy of gravity and of the springs in joints, body by body. */
double tree_kinetic(const tree *t, const double *q, const double *u);
double tree_potential(const tree *t, const double *q);

/* M = sum m J_c^T J_c + J w^T w (n_dof x n_dof) from the columns of the centres' velocities. */
void tree_mass(const tree *t, const double *q, double *M);

/* h of gravity, inertia and joint springs by d'Alembert:
 * h_k = sum J_c,k . m (g - a_c) - w_k J alpha at constant rates. */
void tree_forces(const tree *t, const double *q, const double *u, bool springs, double *h);

/* A copy in which driven bodies stand still where they are at t = 0. */
tree tree_frozen(const tree *t);

/* A random motion of all coordinates: place, rate and, if a is not NULL, rate of the rate. */
void random_motion(rng *r, int n, double *q, double *u, double *a);

#endif
