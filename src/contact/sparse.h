/* contact/sparse.h - contact problems that are too large for a dense G: the rows of Y = L^-T W by
 * the trees of bodies that they move, G = Y^T D^-1 Y for solvers that need no entry of it.
 *
 * A tree is everything that hangs on the ground through one degree of freedom; the degrees of
 * freedom of one tree are numbered together.   theory (18.10) */
#ifndef SP_CONTACT_SPARSE_H
#define SP_CONTACT_SPARSE_H

#include "contact/con.h"
#include "solvers/fc.h"

typedef struct sp_sparse {
    int n_tree, n_dof;
    int *tree;       /* n_dof: of every degree of freedom                     */
    int *place;      /* n_dof: its place in its tree                          */
    int *dof;        /* n_tree + 1: first number of each                      */
    size_t *inverse; /* n_tree: where its block of D^-1 begins                */
    double *D_inv;   /* blocks of the trees, full                             */
    int *start, *body;
    size_t *at;
    double *H; /* by sp_sparse_fill: rows of Y                          */
} sp_sparse;

/* Memory for problems of a capacity; false if there is none. */
bool sp_sparse_alloc(sp_arena *arena, const sp_model *m, const sp_con *con, sp_sparse *s);

/* The factors of G of the contacts in con, whose Y are there. */
sp_fc_factors sp_sparse_fill(const sp_dyn *dyn, const sp_con *con, sp_sparse *s);

#endif
