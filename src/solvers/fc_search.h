/* solvers/fc_search.h - all that a small island could do, by branches: find a solution, or prove
 * that there is none.
 *
 * A branch says of every contact that it is open, that it sticks, or that it slips within a sector
 * of directions; or nothing yet.  Percussions then lie in a cone of few edges that holds all they
 * could be, velocities as well, so that a branch is a linear problem (fc_lp.h).  Without solution
 * the branch has none either; else it is split where its point is farthest from the law. */
#ifndef SP_SOLVERS_FC_SEARCH_H
#define SP_SOLVERS_FC_SEARCH_H

#include "solvers/fc_island.h"

enum { SP_FC_SEARCH_CONTACTS = 8 };

typedef enum sp_fc_does {
    SP_FC_DOES_ANY,
    SP_FC_DOES_OPEN,
    SP_FC_DOES_STICK,
    SP_FC_DOES_SLIP
} sp_fc_does;

/* What a contact does in a branch; angles of p_T (stick) or u_T (slip), all of them if they are 2
 * pi apart.  In the plane slip has one angle, 0 or pi. */
typedef struct sp_fc_branch {
    sp_fc_does does;
    double from, to;
} sp_fc_branch;

typedef enum sp_fc_search_end {
    SP_FC_SEARCH_NONE,   /* every branch is proved empty         */
    SP_FC_SEARCH_FOUND,  /* p reaches the goal                   */
    SP_FC_SEARCH_UNCLEAR /* not finished                         */
} sp_fc_search_end;

/* Called with every branch that is proved empty: y of the rows of u it restricts (0 else), see
 * theory (5.14). */
typedef void sp_fc_search_leaf(void *data, const sp_fc_branch *branch, const double *y);

/* Search; p (in/out): the best iterate, error its measure.  leaf may be NULL. */
sp_fc_search_end sp_fc_search(const sp_fc_island *l, sp_fc_goal *g, double *p, double *error,
                              sp_fc_search_leaf *leaf, void *data, sp_fc_stack *stack);

#endif
