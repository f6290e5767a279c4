/* solvers/fc_linear.h - linear systems over the contacts of an island: dense if it is small, else
 * by fronts (multifrontal LU), with up to three unknowns per contact, which may change from one
 * factorisation to the next. */
#ifndef SP_SOLVERS_FC_LINEAR_H
#define SP_SOLVERS_FC_LINEAR_H

#include "solvers/fc_order.h"

typedef struct sp_fc_linear {
    const sp_fc_island *l;
    int dense;         /* 1: one matrix                                                    */
    sp_fc_order order; /* else                                                             */
    int *m, *first;    /* n_contact, the caller fills m: unknowns; first: of each contact  */
    int n;             /* unknowns in total                                                */
    double *block;     /* the caller fills: block b of the island at l->at[b], m_i x m_j   */
    double *A;         /* matrix, or all fronts                                            */
    int *pivot;        /* n                                                                */
    size_t *front;     /* n_front: place in A                                              */
    int *offset;       /* n_contact, scratch: place in the front                           */
    double *x;         /* scratch for a front                                              */
    double flops;      /* work of a factorisation, about                                   */
} sp_fc_linear;

/* Order the contacts, take memory; 0: none, or more than numbers_max numbers would be needed. */
int sp_fc_linear_prepare(const sp_fc_island *l, double numbers_max, sp_fc_stack *stack,
                         sp_fc_linear *s);

/* first and n from m. */
void sp_fc_linear_count(sp_fc_linear *s);

/* Factor the matrix of the blocks; returns the smallest |pivot|, NaN if a number is not finite. */
double sp_fc_linear_factor(sp_fc_linear *s);

/* The sign of the determinant, after a factorisation. */
int sp_fc_linear_sign(const sp_fc_linear *s);

/* b (n) <- A^-1 b. */
void sp_fc_linear_solve(sp_fc_linear *s, double *b);

#endif
