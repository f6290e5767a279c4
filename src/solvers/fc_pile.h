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
#include "solvers/fc_spheres.h"

typedef struct sp_fc_pile {
    const sp_fc *p;
    int n_contact, n_body, n_colour, n_four;
    sp_fc_spheres *spheres; /* fours by colour: if all are contacts of spheres, */
    sp_fc_rigid *rigid;     /* else of rigid bodies; the other is NULL          */
    sp_fc_inertia *inertia; /* n_body + 1, with rigid                           */
    sp_fc_four_more *more;  /* the same order                                   */
    int *colour;            /* n_colour + 1: first four of each colour          */
    sp_fc_bodies *y;        /* n_body + 1, the last stands still                */
    double worth;
    int threads;
} sp_fc_pile;

/* Build from the factors; memory from the stack.  0: none, or p has others than discs between rigid
 * bodies. */
int sp_fc_pile_build(const sp_fc *p, int threads, sp_fc_stack *stack, sp_fc_pile *q);

/* y = 0 of bodies first .. last - 1; then y += L'H'p of fours first .. last - 1; or both of all. */
void sp_fc_pile_rest(sp_fc_pile *q, int first, int last);
void sp_fc_pile_push(sp_fc_pile *q, int first, int last, const double *p);
void sp_fc_pile_gather(sp_fc_pile *q, const double *p);

/* One sweep over fours first .. last - 1 (within one colour): p and y change. */
void sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p);

/* p of fours first .. last - 1 into the sets. */
void sp_fc_pile_project(const sp_fc_pile *q, int first, int last, double *p);

/* Add fours first .. last - 1 to the measure. */
void sp_fc_pile_measure(const sp_fc_pile *q, int first, int last, const double *p, sp_fc_sum *sum);

/* P of the problem into p (rows and lanes of all fours), scaled; and back. */
void sp_fc_pile_enter(const sp_fc_pile *q, const double *P, double *p);
void sp_fc_pile_leave(const sp_fc_pile *q, const double *p, double *P);

/* Sweeps with acceleration until the goal is reached or they are used up; P (n of the problem,
 * in/out).  Returns the measure of P; NaN without memory. */
double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack);

#endif
