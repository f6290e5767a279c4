/* solvers/fc_pile.h - large problems in velocity form: no G, the velocities of the bodies instead.
 *
 * With M^-1 = L L' the bodies move by y = L'H'p, contact i sees u_i = H_i L y + c_i, and a change
 * dp of its percussion changes y of its two bodies only.  Contacts of one colour share no body:
 * they may be updated in any order, by any number of threads, with the same result. */
#ifndef SP_SOLVERS_FC_PILE_H
#define SP_SOLVERS_FC_PILE_H

#include "solvers/fc_four.h"
#include "solvers/fc_island.h"
#include "solvers/fc_rigid.h"

typedef struct sp_fc_pile {
    const sp_fc *p;
    int n_contact, n_body, n_colour, n_four;
    sp_fc_four *four;       /* by colour; NULL if all are rigid           */
    sp_fc_rigid *rigid;     /* else                                       */
    sp_fc_inertia *inertia; /* n_body + 1, with rigid                     */
    sp_fc_four_more *more;  /* the same order                             */
    int *colour;            /* n_colour + 1: first four of each colour    */
    sp_fc_bodies *y;        /* n_body + 1, the last stands still          */
    double worth;
    int threads;
} sp_fc_pile;

/* 1 if the factors of p have at most two bodies per contact and six velocities per body. */
int sp_fc_pile_fits(const sp_fc *p);

/* Build from the factors; memory from the stack.  0: none. */
int sp_fc_pile_build(const sp_fc *p, int threads, sp_fc_stack *stack, sp_fc_pile *q);

/* y = sum L'H'p from p (rows and lanes of all fours). */
void sp_fc_pile_gather(sp_fc_pile *q, const double *p);

/* One sweep over fours first .. last - 1 (within one colour): p and y change. */
void sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p);

/* Sweeps with acceleration until the goal is reached or they are used up; P (n of the problem,
 * in/out).  Returns the measure of P; NaN without memory. */
double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack);

#endif
