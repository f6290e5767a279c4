/* solvers/fc_small.h - a few contacts in the problem's own units and matrix: nothing is copied or
 * allocated.  Most problems of a machine are of this kind, and most of their time would go into
 * making islands. */
#ifndef SP_SOLVERS_FC_SMALL_H
#define SP_SOLVERS_FC_SMALL_H

#include "solvers/fc_auto.h"

enum { SP_FC_SMALL = 12 };

/* The contacts of an island; local: place of each contact of p in its island. */
typedef struct sp_fc_few {
    const sp_fc *p; /* with G                                              */
    int n_contact;  /* at most SP_FC_SMALL                                 */
    const int *contact, *local;
    const int *diag;   /* p->n_contact: diagonal blocks, see sp_fc_scales     */
    const double *rho; /* p->n_contact                                        */
    double worth;      /* see sp_fc_scales                                    */
} sp_fc_few;

/* What the solution of an island is worth by both measures, and what its contacts do. */
typedef struct sp_fc_verdict {
    double worst;   /* scaled                                               */
    double sum;     /* of the squares that FCLIB's measure is the root of   */
    double largest; /* of the terms of velocities, for their rounding       */
    unsigned char status[SP_FC_SMALL];
} sp_fc_verdict;

/* 1 if the method takes these contacts: few of them, with sets that are neither shifted nor
 * intervals, and with diagonal blocks. */
int sp_fc_small_fits(const sp_fc_few *f);

/* Solve them from P (all rows of p, in/out for these contacts) and, if not NULL, the states of a
 * guess (all contacts of p): Newton from the guess, Gauss-Seidel, Newton.  1: the goal is reached,
 * and the verdict is that of P; 0: not, and P is as it was. */
int sp_fc_small(const sp_fc_few *f, sp_fc_goal *g, const unsigned char *guess, double *P,
                sp_fc_verdict *verdict, sp_fc_end *end);

#endif
