/* math/least_point.h - the point of a polyhedron that is nearest to the origin.
 *
 *     min |x|   with   b_i + (B x)_i >= 0   for all i
 *
 * by the dual method of active sets (Goldfarb, Idnani 1983): it starts from x = 0, takes in the
 * inequality that is broken most, and lets go of those that no longer push.  Small problems, dense.
 */
#ifndef SP_MATH_LEAST_POINT_H
#define SP_MATH_LEAST_POINT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of scratch for m inequalities and k unknowns, alignment of double. */
size_t sp_least_point_bytes(int m, int k);

/* x (k); false, and x = 0: there is no such point, or it was not found in 4 (m + k) rounds.  B is m
 * x k, row-major, of order one, as is b; inequalities that are broken by less than 1e-14 of one and
 * their terms hold. */
bool sp_least_point(int m, int k, const double *B, const double *b, double *x, void *work);

#endif
