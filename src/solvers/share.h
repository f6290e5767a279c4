/* solvers/share.h - which of many forces that move the bodies differently, in the plane.
 *
 * Where contacts depend on each other and some of them slide, solutions of one status are a
 * polyhedron of forces, each with a motion of its own.  The smallest of them is the one that all
 * methods take.   theory (56.1) */
#ifndef SP_SOLVERS_SHARE_H
#define SP_SOLVERS_SHARE_H

#include "solvers/problem.h"
#include "solvers/reduced.h"

#include <stdbool.h>

/* Bytes of scratch for so many contacts, alignment of double. */
size_t sp_share_bytes(int n_contact);

/* P (n, out): of all forces with which the contacts do what status says, those of least norm in
 * units where G has a unit diagonal.  False, P is nothing: there is one of them at most, or they
 * all move the bodies alike and `alike` is not asked for (or the smallest are ten times larger than
 * what the status needs), none obeys the laws, or they are too many to look at.  w is placed for p.
 */
bool sp_share(const sp_problem *p, const unsigned char *status, bool alike, sp_reduced *w,
              double *P, void *work);

/* The status with which the forces P of sp_share follow without any choice of limits: what is at a
 * limit is called so, although it stands still. */
void sp_share_limits(const sp_problem *p, const double *P, unsigned char *status);

#endif
