/* solvers/fc_few.h - a whole problem of few contacts: one look at it, islands by bits, the quick
 * way (fc_small.h) for each; nothing is allocated. */
#ifndef SP_SOLVERS_FC_FEW_H
#define SP_SOLVERS_FC_FEW_H

#include "solvers/fc_small.h"

/* Solve p, with p->G and 1 to SP_FC_SMALL contacts, by both measures at once.  1: solved, all of s
 * is filled.  0: not for this way, or not solved; P is a start for the others, or as it was.
 * Nothing is taken for granted but that the arrays are there: what is malformed or not finite is
 * left to sp_fc_check, which says what it is. */
int sp_fc_solve_few(const sp_fc *p, const sp_fc_options *o, double tol, sp_fc_solution *s);

/* P (n): the start where one is given and finite, else zero. */
void sp_fc_begin(const sp_fc *p, const sp_fc_options *o, double *P);

#endif
