/* laws/fc_problem.h - a contact problem of any size as data: sets, free term, and G.
 *
 *     xi = G P + c,      -xi_i in N_{C_i(P_i)}(P_i)      for every contact i
 *
 * Solvers read it, and so does the certificate of what they find. */
#ifndef SP_LAWS_FC_PROBLEM_H
#define SP_LAWS_FC_PROBLEM_H

#include "laws/set.h"

#include <stddef.h>

/* Blocks of contact pairs in compressed rows: blocks start[i] .. start[i+1]-1 belong to contact i,
 * block b couples it to contact column[b] (each at most once, in any order) and is the
 * dim_i x dim_j matrix at value + at[b], row-major.  No symmetry is assumed. */
typedef struct sp_fc_matrix {
    const int *start;  /* n_contact + 1 */
    const int *column; /* n_block       */
    const size_t *at;  /* n_block       */
    const double *value;
} sp_fc_matrix;

/* G = H M^-1 H': contact i moves the bodies body[start[i]] .. body[start[i+1]-1] by the blocks
 * dim_i x dof_b at H + at[], row-major.  A body is a block of M (one rigid body, or a whole machine
 * of many degrees of freedom); bodies that cannot move are left out. */
typedef struct sp_fc_factors {
    int n_body;
    const int *dof;        /* n_body + 1: first velocity of each body, dof[n_body] in total      */
    const size_t *inverse; /* n_body: place of its block of M^-1 (dof x dof, row-major) in M_inv */
    const double *M_inv;
    const int *start, *body;
    const size_t *at;
    const double *H;
} sp_fc_factors;

/* Zero the struct before filling it: fields may be added, zero is always a good default. */
typedef struct sp_fc {
    int n_contact, n;  /* contacts, rows in total                                             */
    const sp_set *set; /* n_contact                                                           */
    const int *row;    /* n_contact: first row of each, row[0] = 0, row[i+1] = row[i] + dim_i */
    const double *c;   /* n                                                                   */
    sp_fc_matrix G;    /* G.start = NULL: not given                                           */
    sp_fc_factors F;   /* F.start = NULL: not given                                           */
    double xi_scale;   /* size of the terms c was formed from: 1e-13 of it is noise; 0: as c  */
} sp_fc;

#endif
