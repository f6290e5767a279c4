/* support/enumerate.h - all solutions of a small contact problem, by trying every status.
 *
 * The oracle of the tests, and the tool to study problems with no or several solutions (Painleve,
 * jamming).  It shares no code with the solvers: own elimination, own check. */
#ifndef SP_TEST_ENUMERATE_H
#define SP_TEST_ENUMERATE_H

#include "solvers/problem.h"

#include <math.h>
#include <stdbool.h>

enum { SP_ENUMERATE_CONTACTS = 6, SP_ENUMERATE_ROWS = 24 };

/* One solution.  Statuses that differ only by degeneracy (P_N = 0 = xi_N, |P_T| = mu P_N with
 * xi_T = 0) or in forces that are not unique are listed once per status. */
typedef struct sp_enumerated {
    unsigned char status[SP_ENUMERATE_ROWS]; /* n_contact                       */
    double P[SP_ENUMERATE_ROWS];             /* of least norm within its status; forces of
                                              * free rows that follow from others are zero */
    double xi[SP_ENUMERATE_ROWS];
    double residual; /* largest violation, scaled as sp_natural_residual is */
    int motion;      /* solutions with the same number have the same xi     */
} sp_enumerated;

/* Fill found (at most n_max) with solutions of p whose violation is at most tol; n_found: how many
 * there are, also if more than n_max; n_motion: how many different xi among those listed.
 * SP_E_CAPACITY: more than 6 unilateral contacts or 24 rows.  SP_E_NONFINITE, SP_E_INPUT as
 * sp_solve.  n_found = 0 with SP_OK: there is no solution. */
sp_status sp_enumerate(const sp_problem *p, double tol, sp_enumerated *found, int n_max,
                       int *n_found, int *n_motion, sp_error *err);

#endif
