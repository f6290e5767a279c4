/* math/block_lu.h - A = L U of sparse matrices whose pattern is symmetric and whose numbers need
 * not be, by dense blocks: indices stand in small groups, which are eliminated in an order that is
 * found once (math/ldl.h); pivots are sought within a group.   theory (76.6)
 *
 * Indices come in an order of elimination (place).  A pair (i, j), i not before j, has one place in
 * two arrays: low there is A_ij, high is A_ji; the diagonal is in low. */
#ifndef SP_MATH_BLOCK_LU_H
#define SP_MATH_BLOCK_LU_H

#include "math/ldl.h"

enum { SP_BLOCK_LU_MOST = 8 }; /* indices of a group */

typedef struct sp_block_lu {
    int n;
    sp_ldl f;           /* the pattern of the groups: its numbers are not used          */
    int *group, *at;    /* n: of each index, and its number there                       */
    int *place;         /* n: when it is eliminated                                     */
    int *size, *first;  /* per group: indices, and the first in member                  */
    int *member;        /* n: indices by groups                                         */
    size_t *block;      /* per entry of the pattern, and one more: where its block is   */
    double *low, *high; /* A; a block has the rows of the later group, columns of the earlier one */
    double *L, *U;      /* the factors, likewise; U without the diagonal blocks         */
    double *inverse;    /* of the diagonal blocks of U: MOST^2 per group                */
    bool *full;         /* per entry of the pattern: not all of its block of L and U is zero */
    size_t *target;     /* per group scratch: the entry of a row in the column at hand  */
    bool *lacks;        /* per group: some of it is struck out                          */
    double *x;          /* n scratch                                                    */
} sp_block_lu;

/* Groups of n indices, numbered from 0 without gaps, no larger than SP_BLOCK_LU_MOST; and the
 * pattern of n_group groups, which is used up.  False if there is no memory. */
bool sp_block_lu_make(sp_arena *arena, int n, const int *group, sp_ldl_pattern *p, sp_block_lu *lu);

/* Where a pair is. */
size_t sp_block_lu_at(const sp_block_lu *lu, int i, int j);

/* All numbers are zero again. */
void sp_block_lu_clear(sp_block_lu *lu);

/* L and U of A; struck (n, may be NULL): rows and columns that are left out.  False if a diagonal
 * block is singular. */
bool sp_block_lu_factor(sp_block_lu *lu, const unsigned char *struck);

/* x <- A^-1 x; zero where it was struck out. */
void sp_block_lu_solve(const sp_block_lu *lu, double *x);

#endif
