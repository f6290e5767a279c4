/* analysis/linear.h - a machine near one of its states: what is held, what can move, and the
 * equations of small motions.
 *
 *     M dx'' + D dx' + K dx = B^T dlambda,   A dx = 0,      dx over the degrees of freedom
 *
 * Held rows (bilateral rows and closed contacts) have directions A and forces along B; these differ
 * where a contact slides and its friction follows its normal force.   theory (14.1)-(14.8) */
#ifndef SP_ANALYSIS_LINEAR_H
#define SP_ANALYSIS_LINEAR_H

#include "contact/tangent.h"
#include "integrators/work.h"
#include "math/dense.h"

enum { SP_LINEAR_MAX = 600 }; /* degrees of freedom */

/* How a contact that counts as closed holds: a sticking one in all its directions, a sliding one in
 * its normal; by itself it sticks if it has friction and does not move along. */
typedef enum sp_closed_kind { SP_CLOSED_ITSELF, SP_CLOSED_STICKS, SP_CLOSED_SLIDES } sp_closed_kind;

typedef struct sp_closed {
    int slot;
    sp_closed_kind kind;
} sp_closed;

/* The spin of a body about the x, y or z axis of the world (0, 1, 2), held by a torque about it. */
typedef struct sp_held_spin {
    int body, axis;
} sp_held_spin;

/* What is held beside prescribed motion and bilateral rows. */
typedef struct sp_hold {
    const unsigned char *dof; /* n_dof: 1 keeps its place and its speed; NULL: none */
    int n_closed;
    const sp_closed *closed;
    int n_spin;
    const sp_held_spin *spin; /* in space only */
} sp_hold;

/* One held row. */
typedef struct sp_linear_row {
    int slot, part;  /* parts as in sp_held_row; SP_NONE and the number of a spin               */
    double lever;    /* of torques in space: the row is a spin times it; else 1                 */
    double friction; /* of a sliding contact: lambda_T per lambda_N                             */
    double slope;    /* of its mu by speed, s/m, in the plane                                   */
    int contact;     /* its number among the active ones                                        */
    double mu;       /* of a sticking contact, for the check of its cone                        */
    double gap;      /* what it is off by                                                       */
    double bias;     /* the part of its second derivative that is there for u' = 0              */
    double lambda;   /* by sp_linear_accelerate or sp_linear_balance                            */
} sp_linear_row;

typedef struct sp_linear {
    sp_arena arena; /* owns everything */
    const sp_model *m;
    sp_work *w;
    sp_tangent tangent;
    unsigned char *held; /* n_dof */
    int n, n_free, n_row, n_closed;
    int *free; /* n_free: the degrees of freedom that are not held                  */
    const sp_closed *closed;
    int n_spin;
    const sp_held_spin *spin;
    sp_spin_row *spin_row; /* n_spin: the last rows                                             */
    sp_linear_row *row;    /* capacity of the work's contacts, two each                         */
    sp_held_row *held_row; /* the same with friction rows of their own                          */
    int n_held_row;
    bool in_space;   /* contacts in space are closed, or spins held: theory section 24          */
    int n_slide;     /* those of them that slide                                                */
    sp_slide *unit;  /* n_slide: friction per normal force                                      */
    sp_slide *slide; /* n_slide: friction                                                       */
    int *slide_row;  /* n_slide: the normal rows that they follow                               */
    sp_dual *gamma;  /* scratch: n_row                                                          */

    /* by sp_linear_look; matrices by rows */
    double *M;         /* n x n                                                                   */
    double *A, *B;     /* n_row x n                                                               */
    double *C;         /* n_free x n_free: M = C C^T over the free ones                           */
    double *A_, *B_;   /* n_row x n_free: A C^-T, B C^-T                                          */
    int n_move;        /* dimension of the motions                                                */
    double *N, *L;     /* n_move x n_free: dx = C^-T N^T y; equations L C^-1 (...)                */
    double *h;         /* n: smooth forces                                                        */
    double force_size; /* size of what h is a sum of, as an acceleration in the metric of M     */
    sp_lu G;           /* A M^-1 B^T, factored                                                  */

    double *a;     /* n: accelerations that the linearisation belongs to                       */
    double *K, *D; /* n x n, by sp_linear_tangent: -h_q, -h_u with all that turns along        */
    double *K_r, *D_r; /* n_move x n_move, by sp_linear_reduce                                   */
    double *s1, *s2;   /* scratch: n + rows                                               */
    double *scratch;   /* (n + rows) x n                                                  */
} sp_linear;

/* Everything for a state of the machine; on failure *linear is NULL.  SP_E_INPUT where something
 * cannot be held or the machine is too large. */
sp_status sp_linear_new(const sp_model *m, const sp_state *x, const sp_hold *hold,
                        const sp_allocator *allocator, sp_linear **linear, sp_error *err);
void sp_linear_free(sp_linear *linear);

/* Frames, M, h, rows and the motions that they leave, at x.  SP_E_INPUT if a part without mass is
 * free to move. */
sp_status sp_linear_look(sp_linear *l, const sp_state *x, sp_error *err);

/* The accelerations and row forces that the machine has at x; those held have what is prescribed,
 * or none. */
void sp_linear_accelerate(sp_linear *l, const sp_state *x);

/* No accelerations; row forces that balance as much as they can.  Left over, over the motions, in
 * the metric of M: rho (n_move), returns its size. */
double sp_linear_balance(sp_linear *l, const sp_state *x, double *rho);

/* K and D at x for the accelerations and row forces that were found. */
void sp_linear_tangent(sp_linear *l, const sp_state *x);

/* The derivative of one held direction in space by q, of all rows: A_q (n_row x n), zero for rows
 * that are no direction of a contact in space.   theory (24.3) */
void sp_linear_row_slopes(sp_linear *l, const sp_state *x, double *A_q);

/* K and D over the motions, M being the identity there; called once after sp_linear_tangent, G is
 * used up.  SP_E_INFEASIBLE if that does not exist. */
sp_status sp_linear_reduce(sp_linear *l, const sp_state *x, sp_error *err);

/* The displacement C^-T N^T y over all degrees of freedom. */
void sp_linear_expand(const sp_linear *l, const double *y, double *dx);

#endif
