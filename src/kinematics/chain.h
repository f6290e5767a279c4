/* kinematics/chain.h - how loops over the tree are compiled: for all trees, for chains of hinges
 * (sp_layout), and for those of two and three hinges once more, where, unrolled, what passes from
 * body to body stays in registers. */
#ifndef SP_KINEMATICS_CHAIN_H
#define SP_KINEMATICS_CHAIN_H

#include "base/inline.h"
#include "model/model.h"

/* Compilers find the steps of these loops too long to inline; with them inside, loops are a third
 * faster. */
#define INLINE SP_ALWAYS_INLINE

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 4")
#else
#define UNROLL /* done without asking */
#endif

/* Calls f with what the compiler may then know: chain, and its length, 0 for any. */
#define SP_BY_CHAIN(m, f, ...)                                                                     \
    ((m)->layout.n_hinge == 3   ? f(__VA_ARGS__, true, 3)                                          \
     : (m)->layout.n_hinge == 2 ? f(__VA_ARGS__, true, 2)                                          \
     : (m)->layout.chain        ? f(__VA_ARGS__, true, 0)                                          \
                                : f(__VA_ARGS__, false, 0))

/* The joint of a body: n degrees of freedom from dof on, translations first. */
typedef struct joint {
    int parent, dof, n;
    bool slides;                  /* in space not known: true                 */
    const struct sp_track *track; /* what its one translation follows, or NULL */
} joint;

/* Degree of freedom k. */
INLINE sp_dof_layout dof_of(const sp_model *m, int k, bool chain)
{
    return chain ? (sp_dof_layout){.parent = k - 1, .depth = k, .row = k * (k + 1) / 2}
                 : m->layout.dof[k];
}

/* Degrees of freedom; each body of a chain has one.  The ground and the bodies. */
INLINE int count_dofs(const sp_model *m, int length)
{
    return length > 0 ? length : m->n_dof;
}

INLINE int count_bodies(const sp_model *m, int length)
{
    return length > 0 ? length + 1 : m->n_body;
}

#endif
