/* support/svd.h - linear systems solved slowly and safely, for comparison. */
#ifndef SUPPORT_SVD_H
#define SUPPORT_SVD_H

/* x = the least-squares solution of least norm of A x = b (m x n, row-major, m >= n) by one-sided
 * Jacobi rotations; singular values below tol times the largest count as zero.  Slow and safe.
 * A is overwritten; work has n * n + n doubles.  Returns the rank. */
int svd_solve(int m, int n, double *A, const double *b, double *x, double tol, double *work);

#endif
