/* specht/mechanics.h - what a machine is in a state: places, gaps, masses, forces.
 *
 * Threads: a view belongs to one thread; the model may be shared. */
#ifndef SPECHT_MECHANICS_H
#define SPECHT_MECHANICS_H

#include "specht/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_view sp_view; /* places, velocities and gaps of a state */

/* Look at a state.  It needs little memory, also for machines that are too large to be stepped.  On
 * failure *view is NULL. */
SP_API sp_status sp_view_take(const sp_model *model, const sp_state *state, sp_view **view,
                              sp_error *err);
SP_API void sp_view_free(sp_view *view); /* NULL is allowed */

/* A material point of a body and its axes, in the world; SI.  In the plane z is 0. */
typedef struct sp_point_info {
    double x[3], v[3]; /* place and velocity                                             */
    double turn[4];    /* quaternion of the body, w first                                */
    double angle;      /* the same in the plane, rad, whole turns counted                */
    double omega[3];   /* spin of the body                                               */
} sp_point_info;

/* The point at[3] of a body, in its own axes; NULL: its origin.  SP_E_INPUT if there is no such
 * body. */
SP_API sp_status sp_view_point(const sp_model *model, const sp_view *view, int body,
                               const double *at, sp_point_info *info);

/* A contact point: its gap (INFINITY where nothing is near, NaN for what has none), and what
 * touches there now: "stones.pair.3: stone.1 corner 2, table". */
typedef struct sp_gap_info {
    double gap; /* m or rad */
    char title[600];
} sp_gap_info;

SP_API sp_status sp_view_contact(const sp_model *model, const sp_view *view, int i,
                                 sp_gap_info *info);

/* Degrees of freedom that loops and prescribed motion leave in a state, -1: not known. */
SP_API int sp_mechanics_freedom(const sp_model *model, const sp_state *state);

/* M u' = h + W lambda at a state, n = velocities: M n x n row by row, h n; either may be NULL, SI.
 * SP_E_NONFINITE, naming the coordinate, if M is not positive definite. */
SP_API sp_status sp_mechanics_terms(const sp_model *model, const sp_state *state, double *M,
                                    double *h, sp_error *err);

/* Directions of the forces of contact i, closed or not: *n_row of them (normal, then tangential; at
 * most 4), row k from W[k n] on, and the rates gamma[k] = W_k u + w of the state, m/s or rad/s. */
SP_API sp_status sp_mechanics_contact_rows(const sp_model *model, const sp_state *state,
                                           sp_work *work, int i, int *n_row, double *W,
                                           double *gamma, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
