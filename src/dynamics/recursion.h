/* dynamics/recursion.h - M x, M^-1 f and the factor of M of deep trees in a time that grows with
 * the number of bodies.  M of a chain is full, but of few numbers: inertia of each body, the way to
 * its parent, axes of its joint.  L and D of M = L^T D L (dynamics/dyn.h) are the same, body by
 * body.   theory (106.1)-(106.6) */
#ifndef SP_DYNAMICS_RECURSION_H
#define SP_DYNAMICS_RECURSION_H

#include "dynamics/dyn.h"

/* Velocity and spin of a frame, in the plane three numbers. */
enum { SP_FRAME_MOST = 6 };

struct sp_recursion {
    int n_frame;     /* 3 or 6                                                                   */
    int most;        /* own velocities of a body                                                 */
    int width;       /* of a row of L: a frame and the velocities of a body                      */
    sp_vec3 *way;    /* n_body: from the origin of the parent's frame to that of the body       */
    double *S;       /* n_dof x n_frame, of joints: the frame of their body per unit of each    */
    double *carried; /* n_body x most x n_frame: a frame per unit of what its parent has itself */
    size_t *at;      /* n_body: where a body is in ...                                          */
    size_t n_own;
    double *own;  /* ... inertia over velocity and spin of frames and own velocities         */
    double *hung; /* ... the same with what hangs on it: scratch                             */
    size_t *at_K; /* n_body: where a body is in ...                                          */
    double *K;    /* ... what of implicit operators is on the velocities of a body           */
    size_t n_K;
    double *L;      /* n_dof x width: on the frame of the parent, then on the body's velocities */
    double *V, *f;  /* n_body x n_frame: velocities of frames, forces: scratch               */
    double *square; /* (SP_FRAME_MOST and all velocities of a body)^2: scratch               */
};

/* Room if there is a deep tree and all of the model is one, else NULL; false: no memory. */
bool sp_recursion_make(sp_arena *arena, const sp_model *m, sp_recursion **r);

/* Inertias where the bodies are, and the diagonal of M in its place in dyn. */
void sp_recursion_look(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);

/* L and D of M, or of M and K if implicit; a degree of freedom whose pivot is not positive, with
 * it, n_dof if there is none; held as in sp_dyn_factor_held.   theory (106.2) */
int sp_recursion_factor(const sp_model *m, const unsigned char *held, bool implicit, sp_dyn *dyn,
                        double *pivot);

/* As in dyn.h.   theory (106.3)-(106.5) */
void sp_recursion_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x);
void sp_recursion_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x);
void sp_recursion_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y);

/* V = J u and h += J^T f of all frames, n_frame numbers each; f is used up.   theory (106.1) */
void sp_recursion_velocities(const sp_model *m, const sp_dyn *dyn, const double *u, double *V);
void sp_recursion_forces(const sp_model *m, const sp_dyn *dyn, double *f, double *h);

/* For trees of rigid bodies in the plane, by the factor: C_i = J_i M^-1 J_i^T of all frames, 9
 * numbers each; and how a force f on frame i moves its own body, less what it moves that of its
 * parent: f becomes the force there.   theory (106.7), (106.8) */
void sp_recursion_mobility(const sp_model *m, const sp_dyn *dyn, double *C);
double sp_recursion_yield(const sp_model *m, const sp_dyn *dyn, int i, double f[3]);

/* size2 += S^T Q S over all joints, Q (9 per body) with those of what hangs on a body; used up.
 * theory (106.9) */
void sp_recursion_squares(const sp_model *m, const sp_dyn *dyn, double *Q, double *size2);

/* Where the pair of velocities k, j of one body is in K. */
size_t sp_recursion_at(const sp_model *m, const sp_recursion *r, int k, int j);

#endif
