/* dynamics/tree.h - the functions of dyn.h for trees of rigid bodies, in the plane and in space,
 * which it calls.  dynamics/tree.inc is the one source of both. */
#ifndef SP_DYNAMICS_TREE_H
#define SP_DYNAMICS_TREE_H

#include "dynamics/dyn.h"
#include "kinematics/frames.h"

#define SP_TREE(where)                                                                             \
    void where##_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);   \
    void where##_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin,               \
                        const sp_at *at, sp_dyn *dyn);                                             \
    void where##_terms(const sp_model *m, const sp_numbers *num, const sp_at *at, sp_kin *kin,     \
                       sp_dyn *dyn);                                                               \
    sp_energy where##_energies(const sp_model *m, const sp_numbers *num, const sp_at *at,          \
                               sp_kin *kin, sp_dyn *dyn);                                          \
    double where##_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin);            \
    sp_status where##_accelerate(const sp_model *m, const sp_numbers *num, const sp_at *at,        \
                                 const unsigned char *held, sp_kin *kin, sp_dyn *dyn, double *du,  \
                                 sp_error *err);

SP_TREE(sp_plane)
SP_TREE(sp_space)

#endif
