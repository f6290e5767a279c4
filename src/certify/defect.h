/* certify/defect.h - what a contact lacks to its law, from the definition, by code that no solver
 * uses (but for friction beyond the disc, whose projection is that of laws/ball.c). */
#ifndef SP_CERTIFY_DEFECT_H
#define SP_CERTIFY_DEFECT_H

#include "laws/set.h"

/* All are zero at a solution.   theory (11.40) */
typedef struct sp_defect {
    double natural;     /* max_k |P - prox_C(P - rho xi)|_k                [impulse] */
    double outside;     /* distance of P to C                              [impulse] */
    double gap_work;    /* |P_N xi_N|; of an interval |xi| |P - bound|     [energy]  */
    double dissipation; /* |sup_{y in C_T(P_N)} -xi_T.y + xi_T.P_T|        [energy]  */
} sp_defect;

/* The defects of P (rows of s) at the velocity xi; rho > 0.  Numbers must be finite: callers sum
 * 0 * x over their inputs, which stays NaN once one was not. */
sp_defect sp_certify_defect(const sp_set *s, double rho, const double *P, const double *xi);

/* |x_T| of a contact with dim rows. */
double sp_certify_length_T(int dim, const double *x);

#endif
