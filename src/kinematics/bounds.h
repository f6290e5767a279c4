/* kinematics/bounds.h - the most that bodies move in a time, from bounds of all velocities.
 *
 * From parent to child, by lengths of arms alone: bounds hold for every configuration on the way.
 * theory (66.22) */
#ifndef SP_KINEMATICS_BOUNDS_H
#define SP_KINEMATICS_BOUNDS_H

#include "kinematics/kin.h"
#include "math/cheb.h"

/* What a body does at most. */
typedef struct sp_kin_bound {
    double v, a;         /* of its origin: m/s, m/s^2  */
    double omega, alpha; /* of its frame: rad/s, rad/s^2 */
} sp_kin_bound;

/* Rooms for bounds. */
typedef struct sp_kin_bounds {
    double *node;       /* n_dof at each of SP_CHEB_MAX + 1 points: velocities                   */
    double *u, *range;  /* n_dof: the largest size of each, and in how wide an interval it stays */
    sp_kin_bound *body; /* n_body                                                                */
    void *work;
} sp_kin_bounds;

bool sp_kin_bounds_room(sp_arena *arena, const sp_model *m, sp_kin_bounds *b);

/* b->u and b->range from one time to another: from b->node at the Chebyshev points of a polynomial,
 * of prescribed velocities from their formulas. */
void sp_kin_bound_velocities(const sp_model *m, double from, double to, sp_kin_bounds *b);

/* b->body from these over a time dt, in which the positions that kin was asked for last are.  A
 * velocity that varies counts as if it did so evenly there and back: its acceleration is
 * 2 range/dt. */
void sp_kin_bound_bodies(const sp_model *m, const sp_kin *kin, double dt, sp_kin_bounds *b);

#endif
