/* solvers/planar.h - the hot path: one to four planar contacts, rows in order. */
#ifndef SP_SOLVERS_PLANAR_H
#define SP_SOLVERS_PLANAR_H

#include "solvers/reduced.h"

/* Has the problem the shape sp_planar_residual takes? */
int sp_planar_fits(const sp_problem *p);

/* What sp_planar_residual finds. */
typedef struct sp_planar {
    double P[8], xi[8], size[8]; /* xi = G P + c, sum of its terms' absolute values */
    int moved;                   /* 1 if P had to be moved into the sets            */
} sp_planar;

/* P from the unknowns w->x, and its residual: the same numbers as sp_reduced_expand and
 * sp_natural_residual up to the order of sums, in straight lines.  Without the upper bound of the
 * scale: sp_reduced_fast does not return huge forces. */
double sp_planar_residual(const sp_problem *p, const sp_reduced *w, sp_planar *v);

#endif
