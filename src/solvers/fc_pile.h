/* solvers/fc_pile.h - large problems in velocity form: no G, the velocities of the bodies instead.
 *
 * With M^-1 = L L' the bodies move by y = L'H'p, contact i sees u_i = H_i L y + c_i, and a change
 * dp of its percussion changes y of its two bodies only.  Contacts of one colour share no body:
 * they may be updated in any order, by any number of threads, with the same result. */
#ifndef SP_SOLVERS_FC_PILE_H
#define SP_SOLVERS_FC_PILE_H

#include "solvers/fc_island.h"

enum { SP_FC_BODY_DOF = 6 };

/* One contact: its rows in the coordinates y of its bodies, and what the local solver needs. Scaled
 * as in fc_island.h. */
typedef struct sp_fc_touch {
    double H[2][3][SP_FC_BODY_DOF]; /* by body, row, coordinate; zero where there is none */
    double G[9], stick[9];          /* dim x dim                                          */
    double c[3], d;
    int body[2], sides; /* bodies, n_body (which stands still) where there is none; how many */
    int dim, contact;   /* rows, number in the problem                                      */
} sp_fc_touch;

typedef struct sp_fc_pile {
    const sp_fc *p;
    int n_contact, n_body, n_colour;
    sp_fc_touch *touch; /* by colour                                     */
    sp_set *set;        /* the same order, scaled                        */
    int *colour;        /* n_colour + 1: first contact of each colour    */
    double (*y)[SP_FC_BODY_DOF];
    double worth;
    int threads;
} sp_fc_pile;

/* 1 if the factors of p have at most two bodies per contact and six velocities per body. */
int sp_fc_pile_fits(const sp_fc *p);

/* Build from the factors; memory from the stack.  0: none. */
int sp_fc_pile_build(const sp_fc *p, int threads, sp_fc_stack *stack, sp_fc_pile *q);

/* y = sum L'H'p from p (3 per contact, in the pile's order). */
void sp_fc_pile_gather(sp_fc_pile *q, const double *p);

/* One sweep over contacts first .. last - 1 (within one colour): p and y change; returns the sum of
 * squares of the changes of p. */
double sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p);

/* Sweeps with acceleration until the goal is reached or they are used up; P (n of the problem,
 * in/out).  Returns the measure of P; NaN without memory. */
double sp_fc_pile_solve(sp_fc_pile *q, sp_fc_goal *g, double *P, sp_fc_stack *stack);

/* What every contact of the problem does, for P with its y as the solve left them. */
void sp_fc_pile_status(sp_fc_pile *q, const double *P, unsigned char *status);

#endif
