/* math/ldl.h - A = L D L^T of sparse symmetric positive definite matrices whose pattern stays while
 * their numbers change: order of elimination and elimination tree are found once.
 *
 * Entries are by columns in the order of elimination, the diagonal first.   theory (71.1)-(71.3) */
#ifndef SP_MATH_LDL_H
#define SP_MATH_LDL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sp_ldl {
    int n;
    int *order, *place; /* the index that is eliminated k-th; when index i is eliminated        */
    int *parent;        /* by place: the next one that its column touches, n: none              */
    size_t *start;      /* n + 1: columns by place                                              */
    int *row;           /* places, rising; the diagonal first                                   */
    double *A, *L;      /* the matrix; below the diagonal of L the unit factor                  */
    double *D_inv;      /* by place; 0: struck out                                              */
    size_t *left_start; /* n + 1: the entries left of the diagonal of a row ...                 */
    int *left;          /* ... their columns                                                    */
    size_t *left_at;    /* ... and where they are                                               */
    double *z;          /* n scratch                                                            */
} sp_ldl;

/* The pattern: what is coupled, by cliques. */
typedef struct sp_ldl_pattern {
    sp_arena *arena; /* scratch */
    int n;
    struct sp_ldl_set *set; /* n: the neighbours of each index */
    bool failed;            /* there was no memory             */
} sp_ldl_pattern;

/* No couplings yet. */
sp_ldl_pattern sp_ldl_pattern_of(sp_arena *scratch, int n);

/* All n of these are coupled. */
void sp_ldl_couple(sp_ldl_pattern *p, const int *index, int n);

/* Order of elimination by minimum degree, elimination tree, room.  The pattern is used up.  False
 * if there is no memory. */
bool sp_ldl_make(sp_arena *arena, sp_ldl_pattern *p, sp_ldl *f);

/* Where entry (i, j) is in A and L; it must be one of the pattern. */
size_t sp_ldl_at(const sp_ldl *f, int i, int j);

/* L and D of A; struck (n, by index, may be NULL): rows and columns that are left out.  The place
 * of a pivot that is not positive, or n. */
int sp_ldl_factor(sp_ldl *f, const unsigned char *struck);

/* x <- L^-1 x and x <- L^-T D^-1 x, x by index: A^-1 is the two in this order. */
void sp_ldl_solve_L(const sp_ldl *f, double *x);
void sp_ldl_solve_D_LT(const sp_ldl *f, double *x);

#endif
