/* dynamics/implicit.h - what springs and dampers are stiff by, for steps that take it implicitly:
 * the symmetric positive semidefinite parts of stiffness and damping,
 *
 *     K = sum J^T k J,    D = sum J^T d J,    A = M + theta_D dt D + g dt^2 K = L D L^T,
 *
 * with a row J over the velocities that move it, or a block over the own velocities of a body that
 * deforms, for every cell.  Which velocities a cell couples is structure: the order in which A is
 * eliminated is found once.   theory (71.1)-(71.6) */
#ifndef SP_DYNAMICS_IMPLICIT_H
#define SP_DYNAMICS_IMPLICIT_H

#include "dynamics/dyn.h"
#include "math/ldl.h"

/* One direction of a cell. */
typedef struct sp_implicit_row {
    double k, d; /* >= 0                                        */
    sp_share by_k, by_d;
    double p; /* by sp_implicit_take: the impulse of the implicit part */
} sp_implicit_row;

/* An element: its velocities, its rows. */
typedef struct sp_implicit_cell {
    int line;    /* sp_line                                                             */
    int force;   /* force element, or SP_NONE ...                                       */
    int spring;  /* ... and then the degree of freedom of a joint, or SP_NONE ...       */
    int body;    /* ... and then a body that deforms                                    */
    int n, *dof; /* velocities that move it, falling                                    */
    int n_row;   /* now; of bodies 0                                                    */
    double *J;   /* rows x n; of bodies n: what the step took of what they damp         */
    sp_implicit_row *r;
    double *K, *D; /* of bodies: n x n                                                    */
    size_t *at;    /* n (n + 1)/2: places of its entries in A                             */
} sp_implicit_cell;

struct sp_implicit {
    int n_cell;
    sp_implicit_cell *cell;
    bool by_body; /* of a deep tree each cell is on the velocities of one body: A is there, not ...
                   */
    sp_ldl A;
    size_t *at_M; /* n_packed: places of the entries of M in A                              */
    double dt, theta_D, g, shift; /* of the step: of D; of dt^2 K; of dt^2 K u_A             */
    double seen_K, seen_D; /* parts of dt^2 K du and dt D du that the forces at hand have ...  */
    double *seen;          /* n_dof: ... of this du, by sp_implicit_lag                        */
    double unresolved;     /* the largest frequency times dt, if it is damped; else 0           */
    bool bounds;           /* bounds are looked for: friction of tyres is as steep as it gets    */
    int steep;             /* a force whose slope is no number there, SP_NONE: none             */
    double *x, *y, *z;     /* n_dof scratch                                           */
    double *lag; /* n_dof, by sp_implicit_lag                                               */
};

/* A step of dt from x with forces at `at`, whose frames and M are there; held (n_dof) may be NULL,
 * else du_held is prescribed, and M_held M times that. */
typedef struct sp_implicit_ask {
    sp_arena *arena;
    const sp_state *x;
    const sp_kin *kin;
    const sp_at *at;
    const unsigned char *held;
    const double *du_held;
    double *M_held;
    double dt;
} sp_implicit_ask;

/* Whether the step is implicit, by bounds of its state or, at times, new ones: stiff, with memory
 * when it is first asked for.  can: the method can; whole, mean: as in sp_implicit_choose.
 * theory (71.7) */
sp_status sp_implicit_look(const sp_model *m, const sp_implicit_ask *a, bool can, bool whole,
                           bool mean, sp_dyn *dyn, sp_stiff *stiff, sp_error *err);

/* The factor of A for the step; M_held becomes A du_held, lag that of a first guess. */
sp_status sp_implicit_operator(const sp_model *m, const sp_implicit_ask *a, sp_dyn *dyn,
                               sp_error *err);

/* J, k, d of all cells at t, q, u, whose frames and velocities are there. */
void sp_implicit_find(const sp_model *m, const sp_numbers *num, const sp_kin *kin, const sp_at *at,
                      sp_dyn *dyn);

/* Upper bounds of the largest eigenvalues of M^-1 K and M^-1 D, by M, whose factor is used up; L is
 * again a copy of M.   theory (71.7) */
sp_status sp_implicit_bound(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                            sp_stiff *stiff, sp_error *err);

/* Whether a step of dt is implicit by the rule of the run, and its weights.  whole: forces at hand
 * are those of q_theta, u_theta; mean: those of u_A + du/2.   theory (71.4)-(71.7) */
bool sp_implicit_choose(const sp_model *m, const sp_stiff *stiff, double dt, bool whole, bool mean,
                        sp_dyn *dyn);

/* A and its factor, which all solutions use from now on until M is factored again; held (n_dof, may
 * be NULL) as in sp_dyn_factor_held. */
sp_status sp_implicit_factor(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                             sp_error *err);

/* y += (A - M) x */
void sp_implicit_add(sp_dyn *dyn, const double *x, double *y);

/* lag: what joins h dt in the equation for du where the forces at hand see the change du so far
 * (NULL: none yet), which is kept.   theory (71.5) */
void sp_implicit_lag(const sp_model *m, const double *u, const double *du, sp_dyn *dyn);

/* What the implicit part of the forces came to in a step from u by du joins their shares, h, and
 * their sum over the step.   theory (71.5) */
void sp_implicit_take(sp_dyn *dyn, const double *u, const double *du, double *h_dt);

/* The same by element, with the mean velocities of the step. */
void sp_implicit_book(const sp_dyn *dyn, const double *mean, double *book);

#endif
