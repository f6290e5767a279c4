/* solvers/least_norm.h - the smallest among percussions with the same velocities. */
#ifndef SP_SOLVERS_LEAST_NORM_H
#define SP_SOLVERS_LEAST_NORM_H

#include "solvers/problem.h"

/* Bytes of scratch for problems of n rows, alignment of double. */
size_t sp_least_norm_bytes(int n);

/* Make P (n, in/out), a solution of p, smaller without another velocity: towards the least norm, in
 * units where G has a unit diagonal, of all that contacts with xi = 0 could bear, as far as their
 * sets reach.  They stick then (status, n_contact, in/out).  Nothing happens where P is unique.
 * p->G is symmetric.   theory (46.2) */
void sp_least_norm(const sp_problem *p, unsigned char *status, double *P, void *work);

#endif
