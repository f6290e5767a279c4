/* dynamics/dyn.h - mass matrix, smooth forces and energies:  M(q) u' = h(q, u, t) + W lambda. */
#ifndef SP_DYNAMICS_DYN_H
#define SP_DYNAMICS_DYN_H

#include "kinematics/signal.h"

/* Force and moment on a body, about its pivot (sp_frame). */
typedef struct sp_wrench {
    sp_vec f;
    sp_spin m;
} sp_wrench;

/* A composite rigid body, about the pivot of its first body. */
typedef struct sp_inertia {
    double mass;
    sp_vec moment; /* first moment: mass times centre */
    double J;      /* about the pivot                 */
} sp_inertia;

/* Why a smooth force acts, for the ledger. */
typedef enum sp_share { SP_CONSERVATIVE, SP_DAMPERS, SP_APPLIED, SP_SHARES } sp_share;

typedef struct sp_dyn {
    double *M;     /* n_packed: mass matrix by rows of ancestors, by sp_dyn_mass           */
    double *L;     /* n_packed: a copy of M by sp_dyn_mass, which sp_dyn_factor turns into the unit
                    * factor below the diagonal, M = L^T D L                             */
    double *D_inv; /* n_dof                                                                */
    double *h[SP_SHARES];  /* n_dof each, by sp_dyn_forces; h = their sum                   */
    bool acts[SP_SHARES];  /* the model has forces of this share at all                     */
    sp_inertia *composite; /* n_body                                                 */
    sp_wrench *wrench[SP_SHARES]; /* n_body                                                */
    double *in, *grad, *work;     /* for expressions                                        */
} sp_dyn;

/* Which shares of forces the model has: set once. */
void sp_dyn_init(const sp_model *m, const sp_numbers *num, sp_dyn *dyn);

/* M by composite rigid bodies.   theory (3.2)-(3.4) */
void sp_dyn_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);

/* M = L^T D L along the branches of the tree, once after M.  SP_E_NONFINITE if M is not positive
 * definite. theory (3.5) */
sp_status sp_dyn_factor(const sp_model *m, sp_dyn *dyn, sp_error *err);

/* Smooth forces by shares: gyroscopic, gravity and springs; dampers; applied.   theory (3.6)-(3.9)
 * t, q, u at which the frames were computed. */
void sp_dyn_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn);

/* Forces of force elements, added to wrenches and h (dynamics/forces.c, called by sp_dyn_forces).
 */
void sp_dyn_force_elements(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                           const double *q, const double *u, sp_dyn *dyn);

/* Kinetic energy of the bodies and potential energy of gravity and springs.   theory (3.10), (3.11)
 */
double sp_dyn_kinetic(const sp_model *m, const sp_numbers *num, const sp_kin *kin);
double sp_dyn_potential(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                        const double *q, const double *u, sp_dyn *dyn);

/* 1/2 u^T M u without M: the bodies' momenta, projected on the columns of the Jacobian.  The same
 * as the kinetic energy by another way.   theory (3.12) */
double sp_dyn_quadratic(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                        const double *u, sp_dyn *dyn);

/* Frames at q by sp_kin_positions, bias at u, M and h(t, q, u) in two passes over the tree: what a
 * step asks for.  (Velocities of the frames too, if there are force elements.) */
void sp_dyn_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                  const double *u, sp_kin *kin, sp_dyn *dyn);

/* Frames at q by sp_kin_positions_near, velocities at u and the three energies, likewise. */
typedef struct sp_energy {
    double kinetic, potential, quadratic; /* J */
} sp_energy;
void sp_dyn_energies(const sp_model *m, const sp_numbers *num, double t, const double *q,
                     const double *u, sp_kin *kin, sp_dyn *dyn, sp_energy *energy);

/* Energy of springs alone (dynamics/forces.c). */
double sp_dyn_spring_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                            const double *q, const double *u, sp_dyn *dyn);

/* y = M x with the packed matrix. */
void sp_dyn_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y);

/* x <- L^-T x, then x <- L^-1 D^-1 x: M^-1 is the two in this order.   theory (3.5) */
void sp_dyn_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x);
void sp_dyn_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x);

#endif
