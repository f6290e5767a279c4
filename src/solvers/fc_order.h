/* solvers/fc_order.h - in which order to eliminate the contacts of an island, and the tree of
 * fronts that follows. */
#ifndef SP_SOLVERS_FC_ORDER_H
#define SP_SOLVERS_FC_ORDER_H

#include "solvers/fc_island.h"

/* Front s eliminates the contacts member[first[s]] .. member[first[s] + n_pivot[s] - 1] and passes
 * on to its parent what it does to the others, member[first[s] + n_pivot[s]] ..
 * member[first[s+1]-1]. Children come before parents; parent is -1 at a root. */
typedef struct sp_fc_order {
    int n_front;
    int *first, *n_pivot, *parent; /* n_front (+ 1)                                        */
    int *child, *sibling;          /* n_front: first child, next child of the parent, or -1 */
    int *member;                   /* contacts of all fronts                               */
    int *place;                    /* n_contact: position in the elimination               */
    int *near_start, *near;        /* neighbours of each contact without itself            */
    int *near_row, *near_column;   /* blocks (i, j) and (j, i) of them, -1: there is none  */
    double flops, numbers;         /* work of a factorisation, numbers in all fronts, at 3
                                    * unknowns per contact                                 */
} sp_fc_order;

/* Minimum degree on the graph of contacts.  0: out of memory. */
int sp_fc_order_find(const sp_fc_island *l, sp_fc_stack *stack, sp_fc_order *o);

#endif
