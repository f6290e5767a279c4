/* dynamics/mixed.h - the functions of dyn.h for models with bodies that are not rigid, which it
 * calls there.  Every body gives its inertia and its forces over the velocity and spin of its frame
 * and its own velocities (kinematics/kind.h); these are summed from the leaves of the tree to the
 * ground, so that nothing is asked about what carries the body.   theory (2.30)-(2.32), (2.41) */
#ifndef SP_DYNAMICS_MIXED_H
#define SP_DYNAMICS_MIXED_H

#include "dynamics/dyn.h"

/* A body as if it were rigid, about the origin of its frame in world axes: mass, first moment,
 * inertia. */
typedef struct sp_lump {
    double mass;
    sp_vec3 s;
    sp_sym3 J;
} sp_lump;

/* Inertia of all bodies where they are, world axes about the origins of frames. */
typedef struct sp_mixed_parts {
    sp_lump *body;       /* n_body: it alone                                                    */
    sp_wrench3 *couple;  /* n_dof: momentum of frames per unit of their own velocities          */
    double **own;        /* n_body: inertia of bodies of other kinds, (6 + n_own)^2             */
    sp_wrench3 *carried; /* n_body x most: a frame per unit of what its parent has itself       */
    int most;
} sp_mixed_parts;

/* Places and inertias at kin. */
sp_mixed_parts sp_mixed_look(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                             sp_dyn *dyn);

bool sp_mixed_alloc(sp_arena *arena, const sp_model *m, sp_dyn *dyn);

void sp_mixed_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);
void sp_mixed_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                     const double *q, const double *u, sp_dyn *dyn);

/* Forces of a field g on the frame of body i and on its own velocities, in the axes of the frame,
 * as g is: M_i (g, 0, 0).   theory (69.3) */
const double *sp_mixed_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                              sp_vec3 g, sp_dyn *dyn);

/* Kinetic energy of the bodies, potential energy of their weight, and, given u, 1/2 u^T M u; then
 * what is stored in body i itself. */
sp_energy sp_mixed_energies(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                            const double *u, sp_dyn *dyn);
double sp_mixed_stored(const sp_model *m, int i, const double *q, sp_dyn *dyn);

/* Whether a body may damp how it deforms. */
bool sp_mixed_damps(const sp_body *b);

#endif
